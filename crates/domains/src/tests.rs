use ir::testing::*;
use ir::*;

use super::*;

mod random;

const G: Operand = Operand::Global(GlobalId(0), 0);

/// The domain found for the choice at the start of `main`; %0 is the value.
fn narrowed(mut program: Program) -> Domain {
    intern(&mut program, "nondet");
    add_global(&mut program, "g", 4);
    validate(&program).unwrap();
    narrow_nondets(&mut program);
    match &program.functions[0].code[0] {
        Instr::Nondet { domain, .. } => domain.clone(),
        other => panic!("{other:?}"),
    }
}

/// `main` with registers of these widths, after a choice of 32 bits in %0.
fn after(slots: &[u8], code: Vec<Instr>) -> Domain {
    let mut all = vec![nondet(32, 0)];
    all.extend(code);
    narrowed(single(&[&[32], slots].concat(), all))
}

fn classes(values: &[i32]) -> Domain {
    Domain::Classes(values.iter().map(|v| u64::from(*v as u32)).collect())
}

fn range(first: i32, count: u64) -> Domain {
    Domain::Range { first: u64::from(first as u32), count }
}

fn binary(op: BinOp, width: u8, dst: u32, lhs: Operand, rhs: Operand) -> Instr {
    Instr::Binary { op, width, no_signed_wrap: false, dst: Reg(dst), lhs, rhs }
}

const ABORT: Instr = Instr::Exit { code: None };

#[test]
fn unused_is_one_class() {
    assert_eq!(after(&[], vec![ret(&[])]), classes(&[0]));
}

#[test]
fn tested_for_zero_is_two() {
    let code = vec![compare(Pred::Ne, 32, 1, r(0), int(0)), branch(r(1), 3, 4), ABORT, ret(&[])];
    assert_eq!(after(&[1], code), classes(&[0, 1]));
}

#[test]
fn orderings_cut_at_their_constants() {
    // Signed and unsigned: < 0, 0..=9, 10, > 10.
    let code = vec![
        compare(Pred::Slt, 32, 1, r(0), int32(0)),
        store(1, G, r(1)),
        compare(Pred::Ugt, 32, 1, int(10), r(0)),
        store(1, G, r(1)),
        compare(Pred::Eq, 32, 1, r(0), int(10)),
        store(1, G, r(1)),
        ret(&[]),
    ];
    assert_eq!(after(&[1], code), classes(&[-1, 0, 10, 11]));
}

#[test]
fn a_switch_distinguishes_its_targets() {
    let cases = Box::new([(3, 2), (5, 3), (7, 2)]);
    let code = vec![Instr::Switch { width: 32, value: r(0), cases, default: 3 }, ABORT, ret(&[])];
    // 3 and 7 go one way; 5 and everything else the other.
    assert_eq!(after(&[], code), classes(&[0, 3]));
}

#[test]
fn copies_and_extensions_are_looked_through() {
    let code = vec![
        mov(32, 1, r(0)),
        store(32, G, int(1)),
        cast(CastOp::SExt, 32, 64, 2, r(1)),
        compare(Pred::Slt, 64, 3, r(2), int(-4)),
        store(1, G, r(3)),
        ret(&[]),
    ];
    assert_eq!(after(&[32, 64, 1], code), classes(&[-5, 0]));
}

#[test]
fn stored_or_computed_with_is_unbounded() {
    assert_eq!(after(&[], vec![store(32, G, r(0)), ret(&[])]), Domain::Full);
    let code = vec![binary(BinOp::Add, 32, 1, r(0), int(1)), store(32, G, r(1)), ret(&[])];
    assert_eq!(after(&[32], code), Domain::Full);
    let code = vec![load(32, 1, G), compare(Pred::Eq, 32, 2, r(0), r(1)), store(1, G, r(2)), ret(&[])];
    assert_eq!(after(&[32, 1], code), Domain::Full);
}

#[test]
fn an_overwritten_register_no_longer_holds_the_value() {
    let code = vec![store(32, G, int(0)), mov(32, 0, int(1)), store(32, G, r(0)), ret(&[])];
    assert_eq!(after(&[], code), classes(&[0]));
}

#[test]
fn a_copy_that_one_path_uses_counts() {
    // 1: load c; 2: branch c; 3: %2 = %0; 4: store %2
    let code = vec![load(1, 1, G), branch(r(1), 3, 4), mov(32, 2, r(0)), store(32, G, r(2)), ret(&[])];
    assert_eq!(after(&[1, 32], code), Domain::Full);
}

#[test]
fn a_register_with_other_definitions_is_fine_where_only_compared() {
    // while (load c) x = load g; if (x == 0) ...
    let code = vec![
        load(1, 1, G),
        branch(r(1), 3, 5),
        load(32, 0, G),
        jump(1),
        compare(Pred::Eq, 32, 1, r(0), int(0)),
        store(1, G, r(1)),
        ret(&[]),
    ];
    assert_eq!(after(&[1], code), classes(&[0, 1]));
}

#[test]
fn parity_and_remainders_are_small() {
    let code = vec![binary(BinOp::And, 32, 1, r(0), int(1)), store(32, G, r(1)), ret(&[])];
    assert_eq!(after(&[32], code), classes(&[0, 1]));
    let code = vec![binary(BinOp::URem, 32, 1, r(0), int(3)), store(32, G, r(1)), ret(&[])];
    assert_eq!(after(&[32], code), classes(&[0, 1, 2]));
    let code = vec![binary(BinOp::SRem, 32, 1, r(0), int(3)), store(32, G, r(1)), ret(&[])];
    assert_eq!(after(&[32], code), classes(&[-2, -1, 0, 1, 2]));
    let code = vec![cast(CastOp::Trunc, 32, 1, 1, r(0)), store(1, G, r(1)), ret(&[])];
    assert_eq!(after(&[1], code), classes(&[0, 1]));
}

#[test]
fn bytes_are_enumerated() {
    let code = vec![nondet(8, 0), store(8, G, r(0)), ret(&[])];
    assert_eq!(narrowed(single(&[8], code)), Domain::Range { first: 0, count: 256 });
}

/// `x = nondet(); assume(x >= 0 && x < 4); g = x`, as clang lowers it.
fn assumed(end: Vec<Instr>) -> Vec<Instr> {
    let mut code = vec![
        compare(Pred::Sge, 32, 1, r(0), int(0)), // 1
        branch(r(1), 3, 5),
        compare(Pred::Slt, 32, 1, r(0), int(4)),
        jump(6),
        mov(1, 1, int(0)),
        cast(CastOp::ZExt, 1, 32, 2, r(1)), // 6
    ];
    code.extend(end);
    code
}

#[test]
fn an_assumption_bounds_the_value() {
    let end = vec![compare(Pred::Ne, 32, 3, r(2), int(0)), assume(r(3)), store(32, G, r(0)), ret(&[])];
    assert_eq!(after(&[1, 32, 1], assumed(end)), range(0, 4));
}

#[test]
fn an_assumption_after_an_effect_does_not() {
    let mut code =
        assumed(vec![compare(Pred::Ne, 32, 3, r(2), int(0)), assume(r(3)), store(32, G, r(0)), ret(&[])]);
    code.insert(0, store(32, G, int(1)));
    for instr in &mut code {
        match instr {
            Instr::Branch { yes, no, .. } => (*yes, *no) = (*yes + 1, *no + 1),
            Instr::Jump { target } => *target += 1,
            _ => {}
        }
    }
    assert_eq!(after(&[1, 32, 1], code), Domain::Full);
}

/// Adds `void helper(int c) { if (!c) end }`.
fn add_helper(program: &mut Program, end: Instr) -> FuncId {
    let helper = add_function(program, "helper", &[32], &[]);
    let code = vec![compare(Pred::Ne, 32, 1, r(0), int(0)), branch(r(1), 3, 2), end, ret(&[])];
    set_code(program, helper, &[1], code);
    helper
}

fn with_helper(end: Instr) -> Domain {
    let helper = FuncId(1);
    let mut code = vec![nondet(32, 0)];
    code.extend(assumed(vec![call(helper, &[(32, r(2))], &[]), store(32, G, r(0)), ret(&[])]));
    let mut program = single(&[32, 1, 32], code);
    assert_eq!(add_helper(&mut program, end), helper);
    narrowed(program)
}

#[test]
fn a_helper_that_aborts_bounds_the_value_but_the_abort_stays() {
    // One value that is too small and one that is too large still abort.
    assert_eq!(with_helper(ABORT), classes(&[-1, 0, 1, 2, 3, 4]));
    // So does a helper that loops for ever.
    assert_eq!(with_helper(jump(2)), classes(&[-1, 0, 1, 2, 3, 4]));
}

#[test]
fn an_impossible_assumption_keeps_one_value() {
    let code = vec![compare(Pred::Ult, 32, 1, r(0), int(0)), assume(r(1)), store(32, G, r(0)), ret(&[])];
    assert_eq!(after(&[1], code), classes(&[0]));
}

#[test]
fn one_of_two_choices_is_bounded_past_the_other() {
    // x = nondet(); y = nondet(); assume(y > 0); assume(x in 0..4); g = x
    let mut code = vec![nondet(32, 4), compare(Pred::Sgt, 32, 1, r(4), int(0)), assume(r(1)), jump(5)];
    let end = vec![compare(Pred::Ne, 32, 3, r(2), int(0)), assume(r(3)), store(32, G, r(0)), ret(&[])];
    for mut instr in assumed(end) {
        match &mut instr {
            Instr::Branch { yes, no, .. } => (*yes, *no) = (*yes + 4, *no + 4),
            Instr::Jump { target } => *target += 4,
            _ => {}
        }
        code.push(instr);
    }
    assert_eq!(after(&[1, 32, 1, 32], code), range(0, 4));
}

#[test]
fn results_and_arguments_are_followed() {
    // main: x = choose(); if (x == 5) g = 1; choose: return nondet
    let mut program = program();
    let main = add_function(&mut program, "main", &[], &[]);
    let choose = add_function(&mut program, "choose", &[], &[32]);
    let test = add_function(&mut program, "test", &[32], &[]);
    set_code(
        &mut program,
        main,
        &[32],
        vec![call(choose, &[], &[0]), call(test, &[(32, r(0))], &[]), ret(&[])],
    );
    set_code(&mut program, choose, &[32], vec![nondet(32, 0), ret(&[(32, r(0))])]);
    let code = vec![compare(Pred::Eq, 32, 1, r(0), int(5)), store(1, G, r(1)), ret(&[])];
    set_code(&mut program, test, &[1], code);
    program.functions.swap(0, 1);
    // After the swap `choose` is function 0, for `narrowed`.
    program.entry = Some(FuncId(1));
    program.functions[1].code[0] = call(FuncId(0), &[], &[0]);
    assert_eq!(narrowed(program), classes(&[0, 5]));
}

#[test]
fn a_loop_bound_is_followed_for_a_while() {
    // n = nondet(); assume(n <= 3); for (i = 0; i < n; i = i + 1); abort if i == 2
    let code = vec![
        compare(Pred::Sle, 32, 1, r(0), int(3)),
        assume(r(1)),
        mov(32, 2, int(0)),
        compare(Pred::Slt, 32, 1, r(2), r(0)), // 4
        branch(r(1), 6, 8),
        binary(BinOp::Add, 32, 2, r(2), int(1)),
        jump(4),
        compare(Pred::Eq, 32, 1, r(2), int(2)), // 8
        branch(r(1), 10, 11),
        ABORT,
        store(32, G, r(2)),
        ret(&[]),
    ];
    assert_eq!(after(&[1, 32], code), classes(&[0, 1, 2, 3]));
}

/// A thousand choices in a function of ten thousand instructions.
#[test]
fn many_choices_are_quick() {
    let mut code = Vec::new();
    let mut slots = Vec::new();
    for choice in 0..1000 {
        let (value, bit, pc) = (2 * choice, 2 * choice + 1, 10 * choice);
        slots.extend([32, 1]);
        code.extend([nondet(32, value), load(1, bit, G), branch(r(bit), pc + 3, pc + 4), jump(pc + 4)]);
        code.extend([Instr::Yield, compare(Pred::Eq, 32, bit, r(value), int(3)), store(1, G, r(bit))]);
        code.extend([mov(32, value, int(0)), store(32, G, r(value)), Instr::Yield]);
    }
    code.push(ret(&[]));
    let start = std::time::Instant::now();
    assert_eq!(narrowed(single(&slots, code)), classes(&[0, 3]));
    let elapsed = start.elapsed();
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
}

#[test]
fn pointers_are_tested_for_null() {
    let code =
        vec![nondet(64, 0), compare(Pred::Eq, 64, 1, r(0), int(0)), branch(r(1), 3, 4), ABORT, ret(&[])];
    assert_eq!(narrowed(single(&[64, 1], code)), Domain::Classes(Box::new([0, 1])));
}
