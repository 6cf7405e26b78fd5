//! Each rule violated once, in a program that is otherwise well formed.

use super::*;
use crate::program::{Relocation, Slot};
use crate::testing::*;
use crate::*;

const X: Operand = Operand::Global(GlobalId(0), 0);

/// `main` with registers %0: i32, %1: i1, %2: i64, %3: i128 (and %4 its second
/// half), a global `x`, and a function `callee(i32, i64) -> i32, i64`.
fn base() -> Program {
    let mut program = program();
    add_global(&mut program, "x", 16);
    let main = add_function(&mut program, "main", &[], &[32]);
    set_code(&mut program, main, &[32, 1, 64, 128], vec![ret(&[(32, int(0))])]);
    let callee = add_function(&mut program, "callee", &[32, 64], &[32, 64]);
    set_code(&mut program, callee, &[], vec![ret(&[(32, r(0)), (64, r(1))])]);
    program
}

fn rejects(change: impl FnOnce(&mut Program), expected: &str) {
    let mut program = base();
    change(&mut program);
    let Invalid(message) = validate(&program).expect_err(expected);
    assert!(message.contains(expected), "`{message}` does not say `{expected}`");
}

/// `main` with this instruction before its return.
fn with(instr: Instr) -> Program {
    let mut program = base();
    program.functions[0].code.insert(0, instr);
    program.functions[0].spans.insert(0, Span::default());
    program
}

fn rejects_instr(instr: Instr, expected: &str) {
    let Invalid(message) = validate(&with(instr)).expect_err(expected);
    assert!(message.contains(expected), "`{message}` does not say `{expected}`");
}

fn accepts(instr: Instr) {
    validate(&with(instr)).unwrap();
}

fn relocation(offset: u64) -> Relocation {
    Relocation { offset, target: Target::Global(GlobalId(0)), addend: 0 }
}

#[test]
fn the_base_is_well_formed() {
    validate(&base()).unwrap();
}

#[test]
fn headers() {
    rejects(|p| p.pointer_width = 16, "pointer width 16");
    rejects(|p| p.entry = None, "no entry");
    rejects(|p| p.entry = Some(FuncId(9)), "entry 9 does not exist");
}

#[test]
fn globals() {
    rejects(|p| p.globals[0].name = Symbol(99), "symbol 99");
    rejects(|p| p.globals[0].init = vec![0; 17], "17 initial bytes for a size of 16");
    rejects(|p| p.globals[0].align = 3, "alignment 3");
    rejects(|p| p.globals[0].layout = Some(LayoutId(0)), "source type");
    rejects(|p| p.globals[0].relocations = vec![relocation(12)], "outside");
    rejects(|p| p.globals[0].relocations = vec![relocation(8), relocation(0)], "precedes");
    rejects(|p| p.globals[0].relocations = vec![relocation(0), relocation(4)], "overlaps");
    let nowhere = Relocation { target: Target::Function(FuncId(7)), ..relocation(0) };
    rejects(|p| p.globals[0].relocations = vec![nowhere], "does not exist");
}

#[test]
fn slots_and_signatures() {
    rejects(|p| p.functions[0].slots[3].width = 64, "slot 4 has width 0");
    rejects(|p| p.functions[0].slots[4].width = 8, "after a wide one");
    rejects(|p| p.functions[0].slots[0].width = 129, "width 129");
    rejects(|p| p.functions[0].slots.push(Slot { width: 128, ..Slot::SECOND_HALF }), "no second half");
    rejects(|p| p.functions[0].slots[0].name = Some(Symbol(99)), "symbol 99");
    rejects(|p| p.functions[1].params[0].reg = Reg(9), "parameter: %9 does not exist");
    rejects(|p| p.functions[1].params[0].width = 8, "parameter: %0 has width 32");
    rejects(|p| p.functions[0].results[0] = 0, "width 0");
}

#[test]
fn code_and_spans() {
    rejects(|p| p.functions[0].code.clear(), "0 instructions but 1 spans");
    rejects(|p| (p.functions[0].code, p.functions[0].spans) = (vec![], vec![]), "no code");
    rejects(|p| p.functions[0].code[0] = Instr::Yield, "falls off the end");
    rejects(|p| p.functions[0].spans[0] = Span { file: FileId(4), line: 1, ..Span::default() }, "file 4");
    rejects_instr(jump(2), "no instruction 2");
    rejects_instr(branch(r(1), 0, 7), "no instruction 7");
}

#[test]
fn registers_and_widths() {
    accepts(mov(32, 0, int32(-1)));
    accepts(mov(128, 3, Operand::WideInt(-1)));
    accepts(mov(32, 0, Operand::Undef));
    rejects_instr(mov(32, 0, r(8)), "%8 does not exist");
    rejects_instr(mov(32, 9, int(0)), "%9 does not exist");
    rejects_instr(mov(32, 0, r(2)), "%2 has width 64, used as 32");
    rejects_instr(mov(64, 0, r(2)), "%0 has width 32, used as 64");
    rejects_instr(mov(64, 4, int(0)), "second half");
    rejects_instr(mov(0, 0, int(0)), "width 0");
    rejects_instr(mov(200, 3, Operand::WideInt(0)), "width 200");
    rejects_instr(mov(32, 0, int(-1)), "no constant of 32 bits");
    rejects_instr(mov(128, 3, int(0)), "no constant of 128 bits");
    rejects_instr(mov(64, 2, Operand::WideInt(0)), "wide constant");
    rejects_instr(mov(32, 0, X), "address used as 32 bits");
    rejects_instr(mov(64, 2, Operand::Global(GlobalId(3), 0)), "no global 3");
    rejects_instr(mov(64, 2, Operand::Function(FuncId(3))), "no function 3");
    rejects_instr(mov(32, 0, Operand::Function(FuncId(0))), "address used as 32 bits");
    rejects_instr(load(32, 0, r(0)), "%0 has width 32, used as 64");
    rejects_instr(compare(Pred::Eq, 32, 0, r(0), r(0)), "%0 has width 32, used as 1");
    rejects_instr(Instr::StackSave { dst: Reg(0) }, "%0 has width 32, used as 64");
}

#[test]
fn conversions_and_floats() {
    accepts(cast(CastOp::ZExt, 1, 32, 0, r(1)));
    rejects_instr(cast(CastOp::ZExt, 32, 32, 0, r(0)), "extends 32 to 32");
    rejects_instr(cast(CastOp::Trunc, 32, 64, 2, r(0)), "truncates 32 to 64");
    rejects_instr(cast(CastOp::SignedToFloat, 32, 1, 1, r(0)), "float of 1 bits");
    let abs = Instr::FloatUnary { op: FloatUnOp::Abs, width: 1, dst: Reg(1), src: r(1) };
    rejects_instr(abs, "float of 1 bits");
}

#[test]
fn memory() {
    let access = |order| Access { order: Some(order), volatile: false };
    let release = Instr::Load { width: 32, dst: Reg(0), ptr: X, access: access(Order::Release) };
    rejects_instr(release, "a load releases");
    let acquire = Instr::Store { width: 32, ptr: X, value: r(0), access: access(Order::Acquire) };
    rejects_instr(acquire, "a store acquires");
    let cx = CompareExchange {
        width: 32,
        old: Reg(0),
        ok: Reg(1),
        ptr: X,
        expected: int(0),
        new: int(1),
        success: Order::SeqCst,
        failure: Order::SeqCst,
        weak: false,
    };
    accepts(Instr::CompareExchange(Box::new(cx.clone())));
    let failure = Order::Release;
    rejects_instr(Instr::CompareExchange(Box::new(CompareExchange { failure, ..cx.clone() })), "failure");
    let twice = CompareExchange { width: 1, old: Reg(1), ..cx };
    rejects_instr(Instr::CompareExchange(Box::new(twice)), "%1 is written twice");
    rejects_instr(Instr::Alloca { dst: Reg(2), size: int(4), align: 0, var: None }, "alignment 0");
}

#[test]
fn calls() {
    let args = [(32, int(1)), (64, r(2))];
    accepts(call(FuncId(1), &args, &[]));
    accepts(call(FuncId(1), &args, &[0, 2]));
    rejects_instr(call(FuncId(5), &args, &[]), "no function 5");
    rejects_instr(call(FuncId(1), &args[..1], &[]), "1 arguments for 2 parameters");
    rejects_instr(call(FuncId(1), &[args[0], args[1], args[0]], &[]), "3 arguments for 2");
    rejects_instr(call(FuncId(1), &[args[1], args[1]], &[]), "argument 0 has width 64");
    rejects_instr(call(FuncId(1), &args, &[0]), "takes 1 results of 2");
    rejects_instr(call(FuncId(1), &args, &[2, 0]), "%2 has width 64, used as 32");
    rejects_instr(call(FuncId(1), &args, &[0, 0]), "%0 has width 32, used as 64");
    let mut variadic = with(call(FuncId(1), &[args[0], args[1], args[0]], &[]));
    variadic.functions[1].variadic = true;
    validate(&variadic).unwrap();
    rejects_instr(ret(&[]), "returns widths [] instead of [32]");
    rejects_instr(ret(&[(1, r(1))]), "returns widths [1] instead of [32]");
}

#[test]
fn switches_and_choices() {
    let switch =
        |cases: &[(u64, Pc)]| Instr::Switch { width: 32, value: r(0), cases: cases.into(), default: 0 };
    accepts(switch(&[(0, 1), (1, 0)]));
    rejects_instr(switch(&[(0, 1), (0, 0)]), "stands twice");
    rejects_instr(switch(&[(1 << 32, 1)]), "more than 32 bits");
    rejects_instr(switch(&[(0, 9)]), "no instruction 9");
    let wide = Instr::Switch { width: 128, value: r(3), cases: Box::new([]), default: 0 };
    rejects_instr(wide, "switch over 128");
    let nondet = |domain| Instr::Nondet { width: 32, dst: Reg(0), domain, origin: Symbol(0) };
    accepts(nondet(Domain::Range { first: 5, count: 1 }));
    rejects_instr(nondet(Domain::Range { first: 5, count: 0 }), "empty");
    rejects_instr(nondet(Domain::Classes(Box::new([1 << 40]))), "more than 32 bits");
    let nameless = Instr::Nondet { width: 32, dst: Reg(0), domain: Domain::Full, origin: Symbol(99) };
    rejects_instr(nameless, "symbol 99");
    rejects_instr(Instr::Fail { kind: Failure::Assertion, message: Symbol(99) }, "symbol 99");
}

#[test]
fn synchronisation() {
    let sync = |op, dst, args: &[Operand]| Instr::Sync { op, dst, args: args.into() };
    accepts(sync(SyncOp::MutexLock, Some(Reg(0)), &[X]));
    accepts(sync(SyncOp::ThreadSelf, Some(Reg(2)), &[]));
    rejects_instr(sync(SyncOp::CondWait, None, &[X]), "1 operands instead of 2");
    rejects_instr(sync(SyncOp::ThreadSelf, Some(Reg(0)), &[]), "%0 has width 32, used as 64");
    rejects_instr(sync(SyncOp::SemInit, None, &[X, r(2)]), "%2 has width 64, used as 32");
}
