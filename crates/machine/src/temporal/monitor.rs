//! Safety formulas as a matter of states.
//!
//! A safety formula is violated by a finite beginning. The automata of the formulas' negations
//! read the letters of an execution as it goes on, and which of their states can be reached is
//! part of the machine's state. Once an accepting one is among these, whatever follows violates
//! the formula, and the step is at fault. So every engine that finds faults of steps decides
//! safety formulas.
//!
//! A letter is read when it differs from the one before. Formulas without *next* cannot tell how
//! often a letter is repeated, so that nothing is missed. Only watched instructions change
//! letters, and what they do to the monitor depends on what all other watched instructions did
//! before: none of them commutes with another (`Thing::Monitor` of footprints), and none is
//! remembered ([`crate::Depends`]).

use ltl::{Automaton, Class, Edge, Formula, Letter};

use crate::exec::{Exec, Stop};
use crate::machine::{End, Machine};
use crate::state::State;
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::{FaultKind, ThreadId};
use crate::telling::observer::{Event, Observer};
use crate::value::ObjectId;

use super::Temporal;

/// The automata of the negations of safety formulas, taken together as one with several
/// initial states. A set of states is a mask.
#[derive(Debug)]
pub(crate) struct Monitor {
    edges: Vec<Vec<Edge>>,
    /// The formula that is violated once a state is reached, by its number.
    violates: Vec<Option<usize>>,
    /// The initial states.
    first: u64,
}

impl Monitor {
    /// Nothing if a formula is no safety formula, or if there are too many states.
    pub fn new(formulas: &[Formula]) -> Option<Monitor> {
        let mut monitor = Monitor { edges: Vec::new(), violates: Vec::new(), first: 0 };
        for (number, formula) in formulas.iter().enumerate() {
            let automaton = ltl::automaton(&formula.clone().negated());
            let is_safety = formula.is_safety() && automaton.class() == Class::Terminal;
            let fits = monitor.edges.len() + automaton.len() <= u64::BITS as usize;
            (is_safety && fits).then(|| monitor.add(number, &automaton))?;
        }
        Some(monitor)
    }

    fn add(&mut self, formula: usize, automaton: &Automaton) {
        let first = self.edges.len() as u32;
        let moved = |edge: &Edge| Edge { to: edge.to + first, ..*edge };
        self.edges.extend(automaton.edges.iter().map(|edges| edges.iter().map(moved).collect()));
        self.violates.extend(automaton.accepting.iter().map(|accepting| accepting.then_some(formula)));
        self.first |= 1 << first;
    }

    /// The states after one more letter.
    fn after(&self, mask: u64, letter: Letter) -> u64 {
        let reached = self.edges.iter().zip(0..).filter(|(_, state)| mask >> state & 1 == 1);
        let read = reached.flat_map(|(edges, _)| edges.iter().filter(|edge| edge.guard.admits(letter)));
        read.fold(0, |mask, edge| mask | 1 << edge.to)
    }

    /// The first formula that cannot be fulfilled any more.
    fn violated(&self, mask: u64) -> Option<usize> {
        let mut reached = self.violates.iter().zip(0..).filter(|(_, state)| mask >> state & 1 == 1);
        reached.find_map(|(violates, _)| *violates)
    }
}

impl Machine {
    fn monitor(&self) -> Option<(&Temporal, &Monitor)> {
        let temporal = self.temporal()?;
        Some((temporal, temporal.monitor.as_ref()?))
    }

    /// Whether formulas are asked and all are safety formulas, so that steps which violate
    /// them are at fault.
    pub fn has_monitor(&self) -> bool {
        self.monitor().is_some()
    }

    /// Whether a monitor reads what the thread's next instruction changes.
    pub(crate) fn is_monitored(&self, state: &State, thread: ThreadId) -> bool {
        let watches = |(temporal, _): (&Temporal, _)| self.is_watched(&temporal.watch, state, thread);
        self.monitor().is_some_and(watches)
    }

    /// Whether a monitor reads what a store to an object changes when it is committed.
    pub(crate) fn watches_object(&self, object: ObjectId) -> bool {
        self.monitor().is_some_and(|(temporal, _)| self.may_be_watched(&temporal.watch, object))
    }

    /// The monitor's state after the letter of the initial state.
    pub(crate) fn start_monitor(&self, initial: &State) -> u64 {
        self.monitor().map_or(0, |(_, monitor)| monitor.after(monitor.first, self.letter(initial, false)))
    }
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// The letter before the next instruction, if that may change it and a monitor wants to
    /// know.
    pub fn watched_letter(&mut self) -> Result<Option<Letter>, Stop> {
        let is_monitored = self.machine.is_monitored(self.state, self.thread);
        is_monitored.then(|| self.known_letter()).transpose()
    }

    /// Lets the monitor read the letter after an instruction that may have changed the one
    /// before.
    pub fn monitor_letter(&mut self, before: Option<Letter>) -> Result<(), Stop> {
        let Some((_, monitor)) = self.machine.monitor() else { return Ok(()) };
        if let Some(before) = before {
            let letter = self.known_letter()?;
            let changed = letter != before;
            self.event(Event::Watched { changed });
            let mask = self.state.rest.monitor;
            let after = if changed { monitor.after(mask, letter) } else { mask };
            if after != mask {
                self.state.rest_mut().monitor = after;
            }
        }
        self.report_violated(self.state.rest.monitor);
        Ok(())
    }

    /// Lets the monitor read the last letter of an execution that ends.
    pub fn monitor_end(&mut self, end: &End) {
        let ends = matches!(end, End::Exited(_) | End::Aborted);
        if let Some((_, monitor)) = self.machine.monitor().filter(|_| ends) {
            let letter = self.machine.letter(self.state, true);
            self.report_violated(monitor.after(self.state.rest.monitor, letter));
        }
    }

    fn report_violated(&mut self, mask: u64) {
        let Some((temporal, monitor)) = self.machine.monitor() else { return };
        if let Some(index) = monitor.violated(mask) {
            let (formula, fairness) = (temporal.question.formulas[index].clone(), temporal.question.fairness);
            self.report(FaultKind::Formula { formula, fairness, start: None, turns: Vec::new() });
        }
    }

    /// The letter, if it does not depend on values that are not known.
    pub fn known_letter(&self) -> Result<Letter, Stop> {
        match self.machine.is_letter_known(self.state) {
            true => Ok(self.machine.letter(self.state, false)),
            false => Err(Stop::TooHard("a formula about unknown values")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of letters after which the formulas are violated.
    fn violated_after(formulas: &[&str], letters: &[Letter]) -> Option<(usize, usize)> {
        let parsed: Vec<_> = formulas.iter().map(|text| ltl::parse(text).unwrap().formula).collect();
        let monitor = Monitor::new(&parsed).unwrap();
        let mut mask = monitor.first;
        (1..).zip(letters).find_map(|(count, letter)| {
            mask = monitor.after(mask, *letter);
            monitor.violated(mask).map(|formula| (count, formula))
        })
    }

    #[test]
    fn violations_show_with_the_letter_that_makes_them() {
        assert_eq!(violated_after(&["G p"], &[1, 1, 0, 1]), Some((3, 0)));
        assert_eq!(violated_after(&["G p"], &[0]), Some((1, 0)));
        assert_eq!(violated_after(&["p W q"], &[1, 1, 2, 0]), None);
        assert_eq!(violated_after(&["p W q"], &[1, 0]), Some((2, 0)));
        assert_eq!(violated_after(&["G p", "G (p -> q R r)"], &[1 | 4, 1 | 4, 1]), Some((3, 1)));
    }

    #[test]
    fn only_safety_formulas_are_monitored() {
        let has = |text: &str| Monitor::new(&[ltl::parse(text).unwrap().formula]).is_some();
        assert!(has("G p") && has("!(p U q)"));
        assert!(!has("F p") && !has("G (p -> F q)"));
    }
}
