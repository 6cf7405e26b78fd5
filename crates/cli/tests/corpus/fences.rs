//! `check --fences`: the least number of fences, and that fewer are not enough, wherever they
//! are put.

use std::sync::Arc;

use engine::Verdict;
use explicit::Options;
use ir::{FuncId, Instr};
use machine::{Config, Fence, Machine, Property, Side};
use report::Repair;
use threadproof::fall_through::Answer;

use crate::explicit::search_with;
use crate::program::Subject;

/// As many fences are proposed as are expected, and no set of places that is smaller by one
/// makes the program safe.
pub fn fewest(subject: &Subject, expected: usize) -> Result<(), String> {
    let config = subject.config([Property::Assert].into_iter().collect())?;
    let ask = |config: Config| {
        let machine = Machine::new(Arc::clone(&subject.program), config);
        let outcome = search_with(subject, &machine, 1, Options::default());
        Answer { choice: None, machine, outcome }
    };
    let first = ask(config.clone());
    let repair = threadproof::fences::repair(&subject.program, &config, &first, ask);
    let places = match repair.map_err(|failure| format!("fences: {failure:?}"))? {
        Some(Repair::Enough { places, .. }) => places.len(),
        other => return Err(format!("fences: {other:?}")),
    };
    if places != expected {
        return Err(format!("fences: expected {expected}, found {places}"));
    }
    let holds = |fences: &[Fence]| {
        let again = ask(Config { fences: fences.to_vec(), ..config.clone() });
        matches!(again.outcome.verdict, Verdict::Holds { .. })
    };
    match subset(&all(subject), expected - 1, &mut Vec::new(), &holds) {
        Some(fewer) => Err(format!("fences: fewer are enough: {fewer:?}")),
        None => Ok(()),
    }
}

/// Every place before an instruction of the program itself that accesses memory, and after
/// one that stores.
fn all(subject: &Subject) -> Vec<Fence> {
    let mut places = Vec::new();
    for (function, index) in subject.program.functions.iter().zip(0..).filter(|(f, _)| !f.library) {
        for (instr, pc) in function.code.iter().zip(0..) {
            let fence = |side| Fence { function: FuncId(index), pc, side };
            if matches!(instr, Instr::Load { .. } | Instr::Store { .. }) {
                places.push(fence(Side::Before));
            }
            if matches!(instr, Instr::Store { .. }) {
                places.push(fence(Side::After));
            }
        }
    }
    places
}

/// The first subset of this size that has the property.
fn subset(
    places: &[Fence],
    size: usize,
    chosen: &mut Vec<Fence>,
    has: &dyn Fn(&[Fence]) -> bool,
) -> Option<Vec<Fence>> {
    if size == 0 {
        return has(chosen).then(|| chosen.clone());
    }
    for (index, place) in places.iter().enumerate() {
        chosen.push(*place);
        let found = subset(&places[index + 1..], size - 1, chosen, has);
        chosen.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}
