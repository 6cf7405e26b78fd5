//! The finished code of a function: labels become positions, jumps to jumps
//! and code that cannot be reached or does not matter go.

use super::slots;
use ir::{Function, Instr, Liveness, Pc, Reg};

/// Tidies a function up. On entry jump targets are labels.
pub fn tidy(function: &mut Function, labels: &[Pc]) {
    end_with_terminator(function);
    let end = function.code.len() as Pc - 1;
    for instr in &mut function.code {
        map_targets(instr, |label| labels[label as usize].min(end));
    }
    thread_jumps(function);
    compact(function);
    drop_dead_values(function);
    slots::share(function);
    compact(function);
}

/// Code never falls off its end.
fn end_with_terminator(function: &mut Function) {
    if !function.code.last().is_some_and(Instr::is_terminator) {
        function.code.push(Instr::Unreachable);
        function.spans.push(function.span);
        function.origin.ordinals.push(0);
    }
}

fn map_targets(instr: &mut Instr, mut f: impl FnMut(Pc) -> Pc) {
    match instr {
        Instr::Jump { target } => *target = f(*target),
        Instr::Branch { yes, no, .. } => {
            *yes = f(*yes);
            *no = f(*no);
        }
        Instr::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, pc)| *pc = f(*pc));
            *default = f(*default);
        }
        _ => {}
    }
}

/// Jumps to a jump go where that one goes.
fn thread_jumps(function: &mut Function) {
    let code = &mut function.code;
    let mut goal = Vec::with_capacity(code.len());
    for start in 0..code.len() as Pc {
        let mut at = start;
        // An empty endless loop jumps to itself: stop after some steps.
        for _ in 0..16 {
            match code[at as usize] {
                Instr::Jump { target } => at = target,
                _ => break,
            }
        }
        goal.push(at);
    }
    for instr in code.iter_mut() {
        map_targets(instr, |pc| goal[pc as usize]);
    }
}

/// Instructions that only compute a value that is never read.
fn drop_dead_values(function: &mut Function) {
    loop {
        let live = Liveness::of(function);
        let mut changed = false;
        for pc in 0..function.code.len() {
            let Some(dst) = pure_result(&function.code[pc]) else { continue };
            let next = pc as Pc + 1;
            let read = (next as usize) < function.code.len()
                && live
                    .live_at(next)
                    .any(|slot| slot == dst.0 as usize || is_second_half(function, dst, slot));
            if !read {
                function.code[pc] = Instr::Jump { target: next };
                changed = true;
            }
        }
        if !changed {
            return;
        }
        compact(function);
    }
}

/// Whether the slot is the second one of a wide register.
fn is_second_half(function: &Function, reg: Reg, slot: usize) -> bool {
    slot == reg.0 as usize + 1 && function.slots[reg.0 as usize].width > 64
}

/// The result of an instruction that does nothing else and cannot fail.
fn pure_result(instr: &Instr) -> Option<Reg> {
    match instr {
        Instr::Move { dst, .. }
        | Instr::Unary { dst, .. }
        | Instr::Overflows { dst, .. }
        | Instr::Compare { dst, .. }
        | Instr::Select { dst, .. }
        | Instr::FloatBinary { dst, .. }
        | Instr::FloatUnary { dst, .. }
        | Instr::FloatCompare { dst, .. }
        | Instr::PtrAdd { dst, .. }
        | Instr::Nondet { dst, .. } => Some(*dst),
        Instr::Cast { op, dst, .. } => (!op.can_fail()).then_some(*dst),
        Instr::Binary { op, dst, no_signed_wrap: false, .. } => {
            use ir::BinOp::*;
            (!matches!(op, UDiv | SDiv | URem | SRem | Shl | LShr | AShr)).then_some(*dst)
        }
        _ => None,
    }
}

/// Removes what cannot be reached, and jumps to the next instruction.
fn compact(function: &mut Function) {
    loop {
        let before = function.code.len();
        compact_once(function);
        if function.code.len() == before {
            return;
        }
    }
}

fn compact_once(function: &mut Function) {
    let mut keep = reached(function);
    let mut goal = new_positions(&keep);
    // Whether a jump goes to what follows it depends on what is kept in between.
    for pc in 0..function.code.len() {
        if let Instr::Jump { target } = function.code[pc] {
            let next = goal[pc] + u32::from(keep[pc]);
            if keep[pc] && target as usize > pc && goal[target as usize] == next {
                keep[pc] = false;
            }
        }
    }
    goal = new_positions(&keep);
    for instr in &mut function.code {
        map_targets(instr, |pc| goal[pc as usize]);
    }
    let mut flags = keep.iter();
    function.code.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = keep.iter();
    function.spans.retain(|_| *flags.next().unwrap_or(&true));
    let mut flags = keep.iter();
    function.origin.ordinals.retain(|_| *flags.next().unwrap_or(&true));
}

fn reached(function: &Function) -> Vec<bool> {
    let mut seen = vec![false; function.code.len()];
    let mut pending = vec![0usize];
    while let Some(pc) = pending.pop() {
        if pc >= seen.len() || std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        let instr = &function.code[pc];
        instr.for_each_target(|target| pending.push(target as usize));
        if !instr.is_terminator() {
            pending.push(pc + 1);
        }
    }
    seen
}

fn new_positions(keep: &[bool]) -> Vec<Pc> {
    let mut next = 0;
    let mut positions = Vec::with_capacity(keep.len() + 1);
    for kept in keep {
        positions.push(next);
        next += Pc::from(*kept);
    }
    positions
}
