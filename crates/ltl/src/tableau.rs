//! From a formula to a generalised Büchi automaton with acceptance on transitions.
//!
//! A state is a set of formulas that the rest of the word must fulfil. Each formula
//! says in a few clauses what it demands of the next letter and of what follows:
//!
//! - `a U b` demands `b`, or `a` and itself again; then it is *put off*;
//! - `a R b` demands `b` together with `a` or itself again.
//!
//! This is how the very weak alternating automaton of a formula branches (Gastin and
//! Oddoux, "Fast LTL to Büchi automata translation"). A transition of the automaton
//! takes one clause of each formula of a state. A run is accepting if no `U` is put off
//! for ever: each is not put off in infinitely many transitions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::automaton::Guard;
use crate::formula::Formula;
use crate::normal::implies;

/// A generalised Büchi automaton. State 0 is the initial one.
pub struct Generalised {
    /// The transitions of each state.
    pub transitions: Vec<Vec<Transition>>,
    /// How many formulas `a U b` there are.
    pub promises: usize,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The letters that it reads.
    pub guard: Guard,
    /// Where it leads.
    pub to: u32,
    /// The formulas `a U b` that it puts off, as a set.
    pub put_off: u64,
}

/// What a formula demands of the next letter and of what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Clause {
    guard: Guard,
    /// The formulas that what follows must fulfil.
    next: BTreeSet<Formula>,
    put_off: u64,
}

impl Clause {
    fn empty() -> Clause {
        Clause { guard: Guard::default(), next: BTreeSet::new(), put_off: 0 }
    }

    /// What both demand, if that is possible.
    fn and(&self, other: &Clause) -> Option<Clause> {
        let next = self.next.union(&other.next).cloned().collect();
        Some(Clause { guard: self.guard.and(other.guard)?, next, put_off: self.put_off | other.put_off })
    }

    /// Whether it demands no more than the other.
    fn is_weaker(&self, other: &Clause) -> bool {
        self.guard.is_weaker(other.guard)
            && self.put_off & !other.put_off == 0
            && self.next.is_subset(&other.next)
    }
}

/// The automaton of a formula in negation normal form.
pub fn tableau(formula: &Formula) -> Generalised {
    let mut builder = Builder { promises: Vec::new(), numbers: FxHashMap::default(), states: Vec::new() };
    builder.number([formula.clone()].into_iter().collect());
    let mut transitions = Vec::new();
    while let Some(state) = builder.states.get(transitions.len()).cloned() {
        let clauses = builder.clauses_of_all(&state);
        let lead = |clause: Clause| {
            let Clause { guard, next, put_off } = clause;
            Transition { guard, to: builder.number(next), put_off }
        };
        transitions.push(clauses.into_iter().map(lead).collect());
    }
    Generalised { transitions, promises: builder.promises.len() }
}

struct Builder {
    /// The formulas `a U b` that were met.
    promises: Vec<Formula>,
    numbers: FxHashMap<BTreeSet<Formula>, u32>,
    states: Vec<BTreeSet<Formula>>,
}

impl Builder {
    /// The number of a state. A formula that follows from another one of the state is
    /// left out, which does not change what the state accepts.
    fn number(&mut self, mut state: BTreeSet<Formula>) -> u32 {
        for formula in state.clone() {
            if state.iter().any(|other| *other != formula && implies(other, &formula)) {
                state.remove(&formula);
            }
        }
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        number
    }

    fn clauses_of_all(&mut self, formulas: &BTreeSet<Formula>) -> Vec<Clause> {
        formulas.iter().fold(vec![Clause::empty()], |clauses, formula| {
            let own = self.clauses(formula);
            both(&clauses, &own)
        })
    }

    fn clauses(&mut self, formula: &Formula) -> Vec<Clause> {
        use Formula::*;
        let again =
            |put_off| Clause { next: [formula.clone()].into_iter().collect(), put_off, ..Clause::empty() };
        match formula {
            True => vec![Clause::empty()],
            False => Vec::new(),
            Atom(atom) => vec![Clause { guard: Guard { yes: 1 << atom, no: 0 }, ..Clause::empty() }],
            Not(a) => {
                let Atom(atom) = **a else { unreachable!("only atoms are negated") };
                vec![Clause { guard: Guard { yes: 0, no: 1 << atom }, ..Clause::empty() }]
            }
            And(a, b) => both(&self.clauses(a), &self.clauses(b)),
            Or(a, b) => either(self.clauses(a), self.clauses(b)),
            Until(a, b) => {
                let promise = 1 << self.promise(formula);
                let put_off = both(&self.clauses(a), &[again(promise)]);
                either(self.clauses(b), put_off)
            }
            Release(a, b) => {
                let released = either(self.clauses(a), vec![again(0)]);
                both(&self.clauses(b), &released)
            }
        }
    }

    /// The number of a formula `a U b`.
    fn promise(&mut self, formula: &Formula) -> usize {
        let known = self.promises.iter().position(|known| known == formula);
        known.unwrap_or_else(|| {
            assert!(self.promises.len() < 64, "a formula has at most 64 different U");
            self.promises.push(formula.clone());
            self.promises.len() - 1
        })
    }
}

fn both(a: &[Clause], b: &[Clause]) -> Vec<Clause> {
    let pairs = a.iter().flat_map(|a| b.iter().filter_map(|b| a.and(b)));
    pairs.fold(Vec::new(), add)
}

fn either(a: Vec<Clause>, b: Vec<Clause>) -> Vec<Clause> {
    a.into_iter().chain(b).fold(Vec::new(), add)
}

/// Adds a clause unless another demands less; those that demand more are left out.
fn add(mut clauses: Vec<Clause>, clause: Clause) -> Vec<Clause> {
    if !clauses.iter().any(|known| known.is_weaker(&clause)) {
        clauses.retain(|known| !clause.is_weaker(known));
        clauses.push(clause);
    }
    clauses
}
