//! Bounds for single loops, and what is said of loops that go beyond.

use std::collections::BTreeSet;

use engine::{Cut, Limit};
use ir::{FuncId, Instr, Loop, Pc, Program, innermost};
use rustc_hash::FxHashMap;

/// The loops of these names, each with its bound. Says so if there is no loop of
/// a name; several may have the same.
pub fn named(program: &Program, bounds: &[(String, u32)]) -> Result<Vec<(Loop, u32)>, String> {
    let loops = program.loops();
    let mut found = Vec::new();
    for (name, bound) in bounds {
        let meant = loops.iter().filter(|each| each.name == *name);
        let before = found.len();
        found.extend(meant.map(|each| (each.clone(), *bound)));
        if found.len() == before {
            let names: Vec<&str> = loops.iter().map(|each| each.name.as_str()).collect();
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!(
                "the program has no loop `{name}`; it has {there} (see `threadproof dump --loops`)"
            ));
        }
    }
    Ok(found)
}

/// The branches in loops that have a bound; a branch is bounded with the
/// innermost loop that it is in.
pub fn branch_bounds(program: &Program, bounded: &[(Loop, u32)]) -> FxHashMap<(FuncId, Pc), u32> {
    let mut bounds = FxHashMap::default();
    if bounded.is_empty() {
        return bounds;
    }
    let loops = program.loops();
    for (each, bound) in bounded {
        let code = program.function(each.function).code.iter().zip(0..);
        let branches = code.filter(|(instr, _)| matches!(instr, Instr::Branch { .. } | Instr::Switch { .. }));
        let inside = branches.filter(|(_, pc)| innermost(&loops, each.function, *pc) == Some(each));
        bounds.extend(inside.map(|(_, pc)| ((each.function, pc), *bound)));
    }
    bounds
}

/// What was cut in these places, each with the bound that it reached: names the
/// loops that need more. Says whether such a bound was asked for.
pub fn cuts_at(program: &Program, places: BTreeSet<(Option<(FuncId, Pc)>, u32)>, asked: bool) -> Vec<Cut> {
    let loops = program.loops();
    let mut cuts = Vec::new();
    for (place, bound) in places {
        let bound = Limit { most: bound.into(), asked };
        let cut = match place.and_then(|(function, pc)| innermost(&loops, function, pc)) {
            Some(Loop { name, at, .. }) => Cut::Loop { name: name.clone(), at: at.clone(), bound },
            None => Cut::Unwinding(bound),
        };
        if !cuts.contains(&cut) {
            cuts.push(cut);
        }
    }
    cuts
}
