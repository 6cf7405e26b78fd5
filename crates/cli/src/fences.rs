//! `check --fences`: the fewest fences that make a program safe which a memory model
//! makes unsafe.
//!
//! Each counterexample yields the places for fences that would have excluded it, of
//! which at least one must have a fence (`trace::delays`). A smallest set of places that
//! has one for every counterexample so far is put into the program, which is checked
//! again: either it is safe, or there is another counterexample, which none of the places
//! excludes. Since every set that makes the program safe has to exclude them all, none is
//! smaller than the last one (implicit hitting sets, as in Reiter's diagnosis from first
//! principles).

use std::sync::{Arc, Mutex, OnceLock};

use engine::Verdict;
use ir::{Instr, Program};
use machine::{Config, Fence, MemoryModel};
use report::{Proposed, Repair};

use crate::args::CheckArgs;
use crate::exit::Failure;
use crate::fall_through::{Answer, Asking};
use crate::session::Session;

/// Proposes fences, if the answer is a counterexample.
pub fn propose(
    args: &CheckArgs,
    program: &Arc<Program>,
    config: &Config,
    session: &Session,
    answer: &Answer,
) -> Result<Option<Repair>, Failure> {
    repair(program, config, answer, |config| ask(args, program, config, session))
}

/// The same, where `ask` checks the program in other configurations.
pub fn repair(
    program: &Program,
    config: &Config,
    answer: &Answer,
    ask: impl Fn(Config) -> Answer,
) -> Result<Option<Repair>, Failure> {
    let Verdict::Violated { .. } = answer.outcome.verdict else { return Ok(None) };
    let model = config.memory_model;
    let useless = |reason: &str| Ok(Some(Repair::Useless { model, reason: reason.to_owned() }));
    let strong = ask(Config { memory_model: MemoryModel::Sc, ..config.clone() });
    if let Verdict::Violated { .. } = strong.outcome.verdict {
        return useless("it is unsafe under sc, too");
    }
    let mut conflicts = vec![places(answer)?];
    loop {
        let Some(fences) = smallest(&conflicts) else {
            return useless("an execution that violates the properties delays no store");
        };
        let places = fences.iter().map(|fence| proposed(program, *fence)).collect();
        let again = ask(Config { fences, ..config.clone() });
        match &again.outcome.verdict {
            Verdict::Holds { .. } => return Ok(Some(Repair::Enough { model, places })),
            Verdict::Unknown { reason, .. } => {
                return Ok(Some(Repair::Unknown { model, places, reason: reason.to_string() }));
            }
            Verdict::Violated { .. } => conflicts.push(self::places(&again)?),
        }
    }
}

/// Asks the engines. What they did is not told in the report.
fn ask(args: &CheckArgs, program: &Arc<Program>, config: Config, session: &Session) -> Answer {
    let Session { budget, board, log, .. } = session;
    let (attempts, failures) = (Mutex::default(), Vec::new());
    Asking {
        args,
        program,
        config,
        budget,
        board,
        log,
        attempts: &attempts,
        failures,
        needs_clocks: OnceLock::new(),
    }
    .ask()
}

/// The places each of which excludes a counterexample.
fn places(answer: &Answer) -> Result<Vec<Fence>, Failure> {
    let Verdict::Violated { fault, trace } = &answer.outcome.verdict else {
        unreachable!("the answer is a counterexample")
    };
    let diverged = |diverged| anyhow::anyhow!("a counterexample does not replay: {diverged}");
    trace::delays(&answer.machine, trace, fault).map_err(|error| Failure::Internal(diverged(error)))
}

/// A smallest set that has a member in common with each of these; none if one of them
/// is empty.
fn smallest(sets: &[Vec<Fence>]) -> Option<Vec<Fence>> {
    if sets.iter().any(Vec::is_empty) {
        return None;
    }
    (0..=sets.len()).find_map(|most| hitting(sets, &mut Vec::new(), most))
}

/// Adds at most so many to those that were chosen, until each set has one.
fn hitting(sets: &[Vec<Fence>], chosen: &mut Vec<Fence>, most: usize) -> Option<Vec<Fence>> {
    let is_hit = |set: &Vec<Fence>, chosen: &[Fence]| {
        set.iter().any(|fence| chosen.iter().any(|other| other.waiting() == fence.waiting()))
    };
    let Some(missed) = sets.iter().find(|set| !is_hit(set, chosen)) else { return Some(chosen.clone()) };
    if most == 0 {
        return None;
    }
    for fence in missed {
        chosen.push(*fence);
        let found = hitting(sets, chosen, most - 1);
        chosen.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

fn proposed(program: &Program, fence: Fence) -> Proposed {
    let Fence { function, pc, side } = fence;
    let code = program.function(function);
    let at = program.location(function, code.spans.get(pc as usize).copied().unwrap_or_default());
    Proposed { side, at, atomic: is_atomic(&code.code[pc as usize]) }
}

fn is_atomic(instr: &Instr) -> bool {
    matches!(instr, Instr::Load { access, .. } | Instr::Store { access, .. } if access.order.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::FuncId;
    use machine::Side;

    fn sets(sets: &[&[u32]]) -> Vec<Vec<Fence>> {
        let fence = |pc: &u32| Fence { function: FuncId(0), pc: *pc, side: Side::Before };
        sets.iter().map(|set| set.iter().map(fence).collect()).collect()
    }

    fn smallest_of(given: &[&[u32]]) -> Option<Vec<u32>> {
        let found = smallest(&sets(given))?;
        Some(found.iter().map(|fence| fence.pc).collect())
    }

    #[test]
    fn the_smallest_set_is_found_though_greed_finds_another() {
        assert_eq!(smallest_of(&[&[1, 2], &[3, 2], &[4, 5], &[2, 4]]), Some(vec![2, 4]));
        // The member of most sets is not among the two that are enough.
        let sets: [&[u32]; 6] = [&[1, 9], &[2, 9], &[1, 9], &[2, 9], &[1], &[2]];
        assert_eq!(smallest_of(&sets), Some(vec![1, 2]));
    }

    #[test]
    fn no_set_meets_the_empty_one() {
        assert_eq!(smallest_of(&[&[1], &[]]), None);
        assert_eq!(smallest_of(&[]), Some(Vec::new()));
    }

    #[test]
    fn a_fence_after_an_instruction_is_one_before_the_next() {
        let (function, pc) = (FuncId(0), 4);
        let after = Fence { function, pc, side: Side::After };
        let before = Fence { function, pc: 5, side: Side::Before };
        assert_eq!(smallest(&[vec![after], vec![before]]), Some(vec![after]));
    }
}
