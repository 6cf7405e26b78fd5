use crate::program::{Relocation, Target};
use crate::testing::*;
use crate::*;

/// Checks the text of one instruction in a function with slots of 32 bits, the
/// first named `i`, and a global `x`.
fn check(instr: Instr, expected: &str) {
    let mut program = program();
    let name = intern(&mut program, "i");
    add_global(&mut program, "x", 4);
    let main = add_function(&mut program, "main", &[], &[]);
    set_code(&mut program, main, &[32, 32, 64, 128], vec![instr]);
    program.functions[0].slots[0].name = Some(name);
    assert_eq!(program.instr_text(main, 0), expected);
}

#[test]
fn a_whole_program() {
    let mut program = program();
    let x = add_global(&mut program, "x", 4);
    let p = add_global(&mut program, "p", 16);
    program.globals[0].init = vec![7, 0, 0, 0];
    program.globals[0].span = line(1);
    program.globals[1].relocations = vec![Relocation { offset: 8, target: Target::Global(x), addend: 4 }];
    let main = add_function(&mut program, "main", &[32], &[32]);
    let name = intern(&mut program, "i");
    let access = Access { order: Some(Order::Release), volatile: false };
    let code = vec![
        load(32, 1, Operand::Global(x, 0)),
        compare(Pred::Slt, 32, 2, r(1), int32(-4)),
        branch(r(2), 3, 5),
        Instr::Store { width: 32, ptr: Operand::Global(p, 8), value: r(1), access },
        jump(0),
        ret(&[(32, int(0))]),
    ];
    set_code(&mut program, main, &[32, 1], code);
    let function = &mut program.functions[0];
    function.slots[1].name = Some(name);
    function.span = line(5);
    function.spans = [6, 6, 6, 7, 7, 9].map(line).to_vec();
    let expected = "\
pointers i64, entry main

global @x: 4 bytes align 4 = 07                         ; prog.c:1
global @p: 16 bytes align 8 +8:@x+4

fn main(%0: i32) -> i32                                 ; prog.c:5
>    0  %1:i = load i32 [@x]                            ; prog.c:6
     1  %2 = slt i32 %1:i, -4
     2  branch %2 ? 3 : 5
>    3  store i32 [@p+8] = %1:i release                 ; prog.c:7
     4  jump 0
>    5  return i32 0                                    ; prog.c:9
";
    assert_eq!(program.to_string(), expected);
}

#[test]
fn values() {
    let add = Instr::Binary {
        op: BinOp::Add,
        width: 32,
        no_signed_wrap: true,
        dst: Reg(1),
        lhs: r(0),
        rhs: int(1),
    };
    check(add, "%1 = add nsw i32 %0:i, 1");
    check(cast(CastOp::ZExt, 32, 64, 2, r(0)), "%2 = zext i32 %0:i to i64");
    check(cast(CastOp::SignedToFloat, 32, 64, 2, r(0)), "%2 = signed-to-float i32 %0:i to f64");
    check(mov(128, 3, Operand::WideInt(-1)), "%3 = move i128 -1");
    check(mov(64, 2, Operand::Undef), "%2 = move i64 undef");
    let half = Operand::Int(0.5f64.to_bits());
    let mul = Instr::FloatBinary { op: FloatOp::Mul, width: 64, dst: Reg(2), lhs: r(2), rhs: half };
    check(mul, "%2 = fmul f64 %2, 0.5");
    let ptr = |index, scale, offset| Instr::PtrAdd { dst: Reg(2), base: r(2), index, scale, offset };
    check(ptr(int(0), 1, 8), "%2 = ptr %2 + 8");
    check(ptr(r(2), 4, -4), "%2 = ptr %2 + %2*4 - 4");
    let select = Instr::Select { width: 32, dst: Reg(1), cond: r(1), yes: r(0), no: int32(-1) };
    check(select, "%1 = select %1 ? i32 %0:i : -1");
    let overflows =
        Instr::Overflows { op: ArithOp::Mul, signed: false, width: 32, dst: Reg(1), lhs: r(0), rhs: r(0) };
    check(overflows, "%1 = overflows umul i32 %0:i, %0:i");
}

#[test]
fn memory_and_synchronisation() {
    let x = Operand::Global(GlobalId(0), 0);
    let rmw = Instr::AtomicRmw {
        op: RmwOp::UMax,
        width: 32,
        dst: Reg(0),
        ptr: x,
        value: int(1),
        order: Order::AcqRel,
    };
    check(rmw, "%0:i = rmw umax i32 [@x], 1 acq-rel");
    let cx = Instr::CompareExchange(Box::new(CompareExchange {
        width: 32,
        old: Reg(0),
        ok: Reg(1),
        ptr: x,
        expected: int(0),
        new: int(1),
        success: Order::SeqCst,
        failure: Order::Relaxed,
        weak: true,
    }));
    check(cx, "%0:i, %1 = compare-exchange weak i32 [@x], 0 -> 1 seq-cst/relaxed");
    let lock = Instr::Sync { op: SyncOp::MutexTryLock, dst: Some(Reg(0)), args: Box::new([x]) };
    check(lock, "%0:i = mutex-try-lock @x");
    let copy = Instr::MemCopy { dst: r(2), src: x, len: int(4), may_overlap: false };
    check(copy, "mem-copy [%2] = [@x], 4 bytes");
    check(Instr::StackSave { dst: Reg(2) }, "%2 = stack-save");
    check(Instr::AtomicBegin { orders: true }, "atomic-begin");
}

#[test]
fn control_and_choices() {
    let cases = Box::new([(0, 3), (u64::from(u32::MAX), 4)]);
    let switch = Instr::Switch { width: 32, value: r(0), cases, default: 9 };
    check(switch, "switch i32 %0:i { 0: 3, -1: 4, else: 9 }");
    check(call(FuncId(0), &[(32, int(3))], &[0, 1]), "%0:i, %1 = call main(i32 3)");
    check(ret(&[]), "return");
    check(Instr::Exit { code: None }, "abort");
    check(Instr::Fail { kind: Failure::ErrorCall, message: Symbol(0) }, "fail error-call \"i\"");
    check(Instr::Initialised { width: 32, value: Operand::Int(3), what: Symbol(0) }, "initialised i32 3 (i)");
    check(nondet(32, 1), "%1 = nondet i32 any (i)");
    let domain = Domain::Range { first: u64::from(u32::MAX), count: 3 };
    let ranged = Instr::Nondet { width: 32, dst: Reg(1), domain, origin: Symbol(0) };
    check(ranged, "%1 = nondet i32 -1..=1 (i)");
    let classes = Instr::Nondet {
        width: 32,
        dst: Reg(1),
        domain: Domain::Classes(Box::new([0, 1 << 31])),
        origin: Symbol(0),
    };
    check(classes, "%1 = nondet i32 {0, 0x80000000} (i)");
}

#[test]
fn globals_of_the_same_name_are_told_apart() {
    let mut program = program();
    add_global(&mut program, "count", 4);
    add_global(&mut program, "count", 4);
    program.globals[1].thread_local = true;
    let text = program.to_string();
    assert!(text.contains("global @count#0:") && text.contains("thread-local global @count#1:"), "{text}");
}

#[test]
fn strings_and_long_contents() {
    let mut program = program();
    add_global(&mut program, "text", 4);
    add_global(&mut program, "table", 100);
    program.globals[0].init = b"hi\n\0".to_vec();
    program.globals[0].constant = true;
    program.globals[1].init = vec![0xab; 100];
    let text = program.to_string();
    assert!(text.contains("constant @text: 4 bytes align 4 = \"hi\\n\"\n"), "{text}");
    assert!(text.contains("ab ab..\n"), "{text}");
}

#[test]
fn library_functions_can_be_left_out() {
    let mut program = single(&[], vec![ret(&[])]);
    let id = add_function(&mut program, "helper", &[], &[]);
    program.functions[id.0 as usize].library = true;
    assert!(program.to_string().contains("fn helper() library"));
    assert!(!Listing { program: &program, library: false }.to_string().contains("helper"));
}

#[test]
fn an_invalid_program_still_prints() {
    let broken = vec![mov(32, 99, r(77)), call(FuncId(5), &[], &[]), jump(100)];
    let text = single(&[], broken).to_string();
    assert!(text.contains("%99 = move i32 %77") && text.contains("call ?5()"), "{text}");
}
