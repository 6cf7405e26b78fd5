use std::time::{Duration, Instant};

use super::*;
use crate::program::Program;
use crate::testing::*;
use crate::{BinOp, Pred};

fn add(dst: u32, lhs: Operand, rhs: Operand) -> Instr {
    Instr::Binary { op: BinOp::Add, width: 32, no_signed_wrap: false, dst: Reg(dst), lhs, rhs }
}

fn check(program: &Program, expected: &[&[u32]]) {
    let live = Liveness::of(&program.functions[0]);
    let found: Vec<&[u32]> = (0..expected.len()).map(|pc| live.slots_at(pc as Pc)).collect();
    assert_eq!(found, expected);
}

#[test]
fn straight_code() {
    let program = single(
        &[32, 32, 32],
        vec![
            mov(32, 0, int(1)),
            add(1, r(0), r(0)),
            mov(32, 2, r(1)),
            add(2, r(2), r(0)),
            ret(&[(32, r(2))]),
        ],
    );
    check(&program, &[&[], &[0], &[0, 1], &[0, 2], &[2]]);
}

#[test]
fn a_loop_keeps_its_variables_alive() {
    // for (i = 0; i < n; i = i + 1) ; return s
    let program = single(
        &[32, 32, 32, 1],
        vec![
            mov(32, 0, int(0)),
            compare(Pred::Slt, 32, 3, r(0), r(1)),
            branch(r(3), 3, 5),
            add(0, r(0), int(1)),
            jump(1),
            ret(&[(32, r(2))]),
        ],
    );
    check(&program, &[&[1, 2], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2], &[0, 1, 2], &[2]]);
}

#[test]
fn overwritten_on_every_path_is_dead() {
    let program = single(
        &[32, 1],
        vec![branch(r(1), 1, 3), mov(32, 0, int(1)), jump(4), mov(32, 0, int(2)), ret(&[(32, r(0))])],
    );
    check(&program, &[&[1], &[], &[0], &[], &[0]]);
}

#[test]
fn a_wide_register_is_two_slots() {
    let program = single(&[64, 128, 128], vec![mov(128, 3, r(1)), Instr::Yield, ret(&[(128, r(3))])]);
    check(&program, &[&[1, 2], &[3, 4], &[3, 4]]);
}

#[test]
fn more_slots_than_a_word() {
    let program = single(&[32; 130], vec![add(0, r(64), r(129)), ret(&[(32, r(0))])]);
    check(&program, &[&[64, 129], &[0]]);
}

#[test]
fn an_endless_loop_needs_nothing() {
    let program = single(&[32], vec![mov(32, 0, int(1)), jump(1)]);
    check(&program, &[&[], &[]]);
}

/// Ten thousand instructions and as many registers, in blocks of which each
/// jumps to the one *before* it: the worst order for a search that goes
/// backwards through the code.
#[test]
fn long_functions_are_quick() {
    const BLOCKS: u32 = 2500;
    let mut code = vec![jump(1 + 4 * (BLOCKS - 1))];
    for block in 0..BLOCKS {
        let slot = 3 * block;
        code.push(add(slot, r(slot), r(3 * BLOCKS)));
        code.push(add(slot + 1, r(slot), int(1)));
        code.push(add(slot + 2, r(slot + 1), int(1)));
        code.push(if block == 0 { ret(&[]) } else { jump(1 + 4 * (block - 1)) });
    }
    let program = single(&vec![32; 3 * BLOCKS as usize + 1], code);
    let start = Instant::now();
    let live = Liveness::of(&program.functions[0]);
    let elapsed = start.elapsed();
    assert_eq!(live.live_at(0).count(), BLOCKS as usize + 1);
    assert_eq!(live.slots_at(1), [0, 3 * BLOCKS]);
    assert!(elapsed < Duration::from_secs(2), "{elapsed:?}");
}
