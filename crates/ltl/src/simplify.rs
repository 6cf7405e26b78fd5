//! Smaller Büchi automata with the same language.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge};

/// The automaton without states that accept nothing, with as few states as merging
/// those leaves that do the same.
pub fn simplified(mut automaton: Automaton) -> Automaton {
    loop {
        let before = automaton.len();
        automaton = without_useless(automaton);
        settle_acceptance(&mut automaton);
        automaton = merged(&automaton);
        if automaton.len() == before {
            return automaton;
        }
    }
}

/// Without transitions to states that accept nothing, and without states that are not
/// reached. The initial state stays.
fn without_useless(mut automaton: Automaton) -> Automaton {
    let mut useful = vec![false; automaton.len()];
    // What a component leads to comes before it.
    for component in automaton.components() {
        let accepts =
            automaton.has_cycle(&component) && component.iter().any(|q| automaton.accepting[*q as usize]);
        let leads = component
            .iter()
            .any(|q| automaton.edges[*q as usize].iter().any(|edge| useful[edge.to as usize]));
        component.iter().for_each(|q| useful[*q as usize] = accepts || leads);
    }
    for edges in &mut automaton.edges {
        edges.retain(|edge| useful[edge.to as usize]);
    }
    reached(&automaton)
}

/// With the states that are reached.
fn reached(automaton: &Automaton) -> Automaton {
    let mut numbers: FxHashMap<u32, u32> = [(0, 0)].into_iter().collect();
    let mut states = vec![0u32];
    let mut edges = Vec::new();
    while let Some(state) = states.get(edges.len()).copied() {
        let lead = |edge: &Edge| {
            let to = *numbers.entry(edge.to).or_insert_with(|| {
                states.push(edge.to);
                states.len() as u32 - 1
            });
            Edge { to, ..*edge }
        };
        edges.push(automaton.edges[state as usize].iter().map(lead).collect());
    }
    let accepting = states.iter().map(|state| automaton.accepting[*state as usize]).collect();
    Automaton { edges, accepting }
}

/// Makes all states of a component accepting if every cycle in it has an accepting one,
/// and none where there is no accepting cycle: which words are accepted stays the same.
fn settle_acceptance(automaton: &mut Automaton) {
    for component in automaton.components() {
        let others = |q: u32| component.binary_search(&q).is_ok() && !automaton.accepting[q as usize];
        let rests = automaton.components_among(others);
        let accepting =
            automaton.has_cycle(&component) && !rests.iter().any(|rest| automaton.has_cycle(rest));
        let none = !automaton.has_cycle(&component);
        if accepting || none {
            component.iter().for_each(|q| automaton.accepting[*q as usize] = accepting);
        }
    }
}

/// With states taken together that are accepting alike and read the same letters to
/// states that are taken together (bisimulation).
fn merged(automaton: &Automaton) -> Automaton {
    let mut classes: Vec<u32> = automaton.accepting.iter().map(|accepting| u32::from(*accepting)).collect();
    let mut count = 0;
    loop {
        let mut numbers: FxHashMap<(u32, Vec<Edge>), u32> = FxHashMap::default();
        let class = |q: usize| {
            let known = numbers.len() as u32;
            *numbers.entry((classes[q], outgoing(&automaton.edges[q], &classes))).or_insert(known)
        };
        let finer: Vec<u32> = (0..automaton.len()).map(class).collect();
        let finer_count = numbers.len();
        classes = finer;
        if finer_count == count {
            break;
        }
        count = finer_count;
    }
    let first = |class: u32| classes.iter().position(|known| *known == class).expect("a class has a state");
    let states: Vec<usize> = (0..count as u32).map(first).collect();
    Automaton {
        edges: states.iter().map(|q| outgoing(&automaton.edges[*q], &classes)).collect(),
        accepting: states.iter().map(|q| automaton.accepting[*q]).collect(),
    }
}

/// The transitions to classes of states, without those that others make needless.
fn outgoing(edges: &[Edge], classes: &[u32]) -> Vec<Edge> {
    let mut to_classes: Vec<Edge> =
        edges.iter().map(|edge| Edge { to: classes[edge.to as usize], ..*edge }).collect();
    to_classes.sort_unstable();
    to_classes.dedup();
    let all = to_classes.clone();
    let is_needless = |edge: &Edge| {
        let makes = |other: &Edge| other != edge && other.to == edge.to && other.guard.is_weaker(edge.guard);
        all.iter().any(makes)
    };
    to_classes.retain(|edge| !is_needless(edge));
    to_classes
}
