//! From a generalised Büchi automaton to a Büchi automaton.
//!
//! The promises are waited for one after the other: a state of the new automaton is one
//! of the old, and how many promises were kept since the last accepting state.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge};
use crate::tableau::{Generalised, Transition};

/// The Büchi automaton with the same language.
pub fn degeneralised(generalised: &Generalised) -> Automaton {
    let promises = generalised.promises;
    let mut numbers: FxHashMap<(u32, usize), u32> = FxHashMap::default();
    let mut states: Vec<(u32, usize)> = Vec::new();
    let mut number = |state: (u32, usize), states: &mut Vec<(u32, usize)>| {
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        })
    };
    number((0, 0), &mut states);
    let mut edges = Vec::new();
    while let Some((state, kept)) = states.get(edges.len()).copied() {
        let from = if kept == promises { 0 } else { kept };
        let lead = |transition: &Transition| {
            let to = (transition.to, kept_after(from, transition.put_off, promises));
            Edge { guard: transition.guard, to: number(to, &mut states) }
        };
        edges.push(generalised.transitions[state as usize].iter().map(lead).collect());
    }
    let accepting = states.iter().map(|(_, kept)| *kept == promises).collect();
    Automaton { edges, accepting }
}

/// How many promises are kept after a transition that puts off some of them.
fn kept_after(kept: usize, put_off: u64, promises: usize) -> usize {
    (kept..promises).find(|promise| put_off >> promise & 1 == 1).unwrap_or(promises)
}
