use super::*;
use crate::testing::*;

/// A program of a main function, which calls another one, and three variables.
fn example() -> (Program, [GlobalId; 3], [FuncId; 2]) {
    let mut program = program();
    let names = ["a", "b", "c"].map(|name| add_global(&mut program, name, 4));
    let main = add_function(&mut program, "main", &[], &[]);
    let called = add_function(&mut program, "called", &[], &[]);
    (program, names, [main, called])
}

fn at(global: GlobalId) -> Operand {
    Operand::Global(global, 0)
}

fn dead(program: &Program, stacks: &[&[(FuncId, Pc)]]) -> Vec<GlobalId> {
    LiveCells::of(program).dead(stacks.iter().copied()).into_iter().map(|cell| cell.global).collect()
}

#[test]
fn what_is_written_before_it_is_read_is_dead() {
    let (mut program, [a, b, c], [main, called]) = example();
    let code = vec![store(32, at(a), int(1)), load(32, 0, at(a)), load(32, 0, at(b)), ret(&[])];
    set_code(&mut program, main, &[32], code);
    set_code(&mut program, called, &[32], vec![store(32, at(c), int(1)), ret(&[])]);
    assert_eq!(dead(&program, &[&[(main, 0)]]), [a, c]);
    assert_eq!(dead(&program, &[&[(main, 1)]]), [c]);
    assert_eq!(dead(&program, &[&[(main, 3)]]), [a, b, c]);
    assert_eq!(dead(&program, &[&[(main, 3)], &[(main, 2)]]), [a, c]);
}

#[test]
fn what_a_caller_reads_later_is_live() {
    let (mut program, [a, b, c], [main, called]) = example();
    let code = vec![call(called, &[], &[]), load(32, 0, at(a)), ret(&[])];
    set_code(&mut program, main, &[32], code);
    set_code(&mut program, called, &[32], vec![load(32, 0, at(b)), load(32, 0, at(c)), ret(&[])]);
    assert_eq!(dead(&program, &[&[(main, 0)]]), []);
    assert_eq!(dead(&program, &[&[(main, 0), (called, 1)]]), [b]);
    assert_eq!(dead(&program, &[&[(main, 1)]]), [b, c]);
}

#[test]
fn what_a_pointer_leads_to_is_no_cell() {
    let (mut program, [a, b, _], [main, called]) = example();
    let code = vec![mov(64, 0, at(a)), store(32, r(0), int(1)), load(32, 1, at(a)), ret(&[])];
    set_code(&mut program, main, &[64, 32], code);
    set_code(&mut program, called, &[64], vec![load(32, 0, at(b)), load(64, 0, at(b)), ret(&[])]);
    assert_eq!(dead(&program, &[]), []);
}
