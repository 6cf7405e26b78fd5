//! Büchi automata.

/// What is true at one time: a set of atoms.
pub type Letter = u64;

/// A condition on letters: some atoms are true, some are not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Guard {
    /// The atoms that must be true.
    pub yes: Letter,
    /// The atoms that must not be.
    pub no: Letter,
}

impl Guard {
    /// Whether a letter fulfils it.
    #[inline]
    pub fn admits(self, letter: Letter) -> bool {
        letter & self.yes == self.yes && letter & self.no == 0
    }

    /// Both conditions; nothing if no letter fulfils them.
    pub fn and(self, other: Guard) -> Option<Guard> {
        let both = Guard { yes: self.yes | other.yes, no: self.no | other.no };
        (both.yes & both.no == 0).then_some(both)
    }

    /// Whether all letters that fulfil the other fulfil this one.
    pub fn is_weaker(self, other: Guard) -> bool {
        self.yes & !other.yes == 0 && self.no & !other.no == 0
    }
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The letters that it reads.
    pub guard: Guard,
    /// Where it leads.
    pub to: u32,
}

/// A Büchi automaton: it accepts a word if it can read it so that it is in an
/// accepting state infinitely often. State 0 is the initial one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The transitions of each state.
    pub edges: Vec<Vec<Edge>>,
    /// Whether a state is accepting.
    pub accepting: Vec<bool>,
}

/// What kinds of cycles an automaton has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// All accepting states accept every word: to be accepted is a matter of a finite
    /// beginning. If the automaton is that of a formula's negation, the formula is a
    /// safety property.
    Terminal,
    /// No cycle has both accepting and other states.
    Weak,
    /// All others.
    General,
}

impl Automaton {
    /// How many states it has.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether it has no states. None has; the empty language has one without
    /// transitions.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The states that a letter leads to.
    pub fn successors(&self, state: u32, letter: Letter) -> impl Iterator<Item = u32> {
        let read = self.edges[state as usize].iter().filter(move |edge| edge.guard.admits(letter));
        read.map(|edge| edge.to)
    }

    /// What kinds of cycles it has.
    pub fn class(&self) -> Class {
        let components = self.components();
        let is_weak = |component: &Vec<u32>| {
            component.iter().all(|q| self.accepting[*q as usize])
                || component.iter().all(|q| !self.accepting[*q as usize])
        };
        if self.accepts_all_once_accepting() {
            Class::Terminal
        } else if components.iter().filter(|component| self.has_cycle(component)).all(is_weak) {
            Class::Weak
        } else {
            Class::General
        }
    }

    fn accepts_all_once_accepting(&self) -> bool {
        let stays = |q: usize| {
            let own = |edge: &Edge| edge.to as usize == q && edge.guard == Guard::default();
            self.edges[q].iter().any(own)
        };
        (0..self.len()).filter(|q| self.accepting[*q]).all(stays)
    }

    /// Whether it can go round in a strongly connected component.
    pub(crate) fn has_cycle(&self, component: &[u32]) -> bool {
        component.len() > 1 || self.edges[component[0] as usize].iter().any(|edge| edge.to == component[0])
    }

    /// The strongly connected components, each ascending; what a component leads to
    /// comes before it.
    pub(crate) fn components(&self) -> Vec<Vec<u32>> {
        self.components_among(|_| true)
    }

    /// The same of the automaton with only some of its states.
    pub(crate) fn components_among(&self, among: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        let mut search = Search {
            automaton: self,
            among: &among,
            number: vec![0; self.len()],
            count: 0,
            stack: Vec::new(),
            found: Vec::new(),
        };
        for state in (0..self.len() as u32).filter(|q| among(*q)) {
            if search.number[state as usize] == 0 {
                search.visit(state);
            }
        }
        search.found
    }
}

/// Tarjan's algorithm. Automata are small, so that recursion is fine.
struct Search<'a, F> {
    automaton: &'a Automaton,
    among: &'a F,
    /// The order of discovery, from 1; the largest once the component is complete.
    number: Vec<u32>,
    count: u32,
    stack: Vec<u32>,
    found: Vec<Vec<u32>>,
}

impl<F: Fn(u32) -> bool> Search<'_, F> {
    fn visit(&mut self, state: u32) -> u32 {
        self.count += 1;
        let (own, mut low) = (self.count, self.count);
        self.number[state as usize] = own;
        self.stack.push(state);
        for edge in &self.automaton.edges[state as usize] {
            if (self.among)(edge.to) {
                low = low.min(match self.number[edge.to as usize] {
                    0 => self.visit(edge.to),
                    number => number,
                });
            }
        }
        if low == own {
            let first = self.stack.iter().rposition(|q| *q == state).expect("it is on the stack");
            let mut component = self.stack.split_off(first);
            component.iter().for_each(|q| self.number[*q as usize] = u32::MAX);
            component.sort_unstable();
            self.found.push(component);
            return u32::MAX;
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::Class;
    use crate::{automaton, parse};

    fn class(text: &str) -> (usize, Class) {
        let automaton = automaton(&parse(text).unwrap().formula.negated());
        (automaton.len(), automaton.class())
    }

    #[test]
    fn negations_have_small_automata_of_the_right_class() {
        assert_eq!(class("G p"), (2, Class::Terminal));
        assert_eq!(class("p W q"), (2, Class::Terminal));
        assert_eq!(class("F p"), (1, Class::Weak));
        assert_eq!(class("G (p -> F q)"), (2, Class::Weak));
        assert_eq!(class("G F p"), (2, Class::Weak));
        assert_eq!(class("F G p"), (2, Class::General));
        assert_eq!(class("G F p -> G F q"), (4, Class::General));
    }
}
