//! Executions that do not fulfil a formula of temporal logic.
//!
//! What is demanded of a counterexample is demanded here by the definitions: that the
//! state repeats, that the execution is fair, and that the formula is false of the letters
//! of its states. No automaton is needed for that.

use machine::{End, Fairness, Fault, Machine, Mover, State, ThreadId};

use crate::lasso::canonical;
use crate::{Trace, TraceStep, refresh};

/// Executes a trace and demands that the execution violates a formula: because of the
/// beginning alone if there is no `start`, else by going round from the step with number
/// `start` on for ever, twice at least. If there is no such step, it stands still in the
/// last state. Yields the fault, or what is missing.
pub fn violation(
    machine: &Machine,
    trace: &Trace,
    formula: &str,
    start: Option<usize>,
) -> Result<Fault, String> {
    let temporal = machine.temporal().ok_or("no formula is asked for")?;
    let known = temporal.question.formulas.iter().position(|text| text == formula);
    let meaning = &temporal.formulas[known.ok_or("the formula is not asked for")?];
    let mut round = Round::new(machine);
    let before = start.unwrap_or(trace.steps.len());
    let steps = trace.steps.get(..before).ok_or("there is no such step")?;
    steps.iter().try_for_each(|step| round.step(trace, step))?;
    let Some(start) = start else {
        round.letters.push(round.letter());
        return match ltl::is_bad_prefix(meaning, &round.letters) {
            true => Ok(broken(machine, trace, &round.state, formula)),
            false => Err("what follows may still fulfil the formula".to_owned()),
        };
    };
    let first = round.state.clone();
    let cycle = &trace.steps[start..];
    let turns = if cycle.is_empty() { round.stand_still()? } else { round.go_round(trace, cycle)? };
    if ltl::Lasso::new(round.letters, start).fulfils(meaning) {
        return Err("the execution fulfils the formula".to_owned());
    }
    Ok(machine.violated_formula(&first, formula, Some(start), &turns))
}

/// The fault of a beginning that violates the formula by its last step.
fn broken(machine: &Machine, trace: &Trace, state: &State, formula: &str) -> Fault {
    let fault = machine.violated_formula(state, formula, None, &[]);
    match trace.steps.last() {
        Some(last) => Fault { thread: last.thread(), at: last.at.clone(), calls: Vec::new(), ..fault },
        None => fault,
    }
}

/// An execution, and the letters of the states from which it took its steps.
struct Round<'a> {
    machine: &'a Machine,
    state: State,
    ended: bool,
    letters: Vec<ltl::Letter>,
}

impl<'a> Round<'a> {
    fn new(machine: &'a Machine) -> Round<'a> {
        Round { machine, state: machine.initial(), ended: false, letters: Vec::new() }
    }

    fn letter(&self) -> ltl::Letter {
        self.machine.letter(&self.state, self.ended)
    }

    fn step(&mut self, trace: &Trace, step: &TraceStep) -> Result<(), String> {
        let number = self.letters.len() + 1;
        if self.ended {
            return Err(format!("step {number} comes after the end"));
        }
        self.letters.push(self.letter());
        let result = self.machine.step(&mut self.state, step.mover, step.choice, trace.grain, &mut ());
        refresh(self.machine, trace.grain, &mut self.state);
        match result.end {
            None => Ok(()),
            Some(End::Exited(_) | End::Aborted) => {
                self.ended = true;
                Ok(())
            }
            Some(_) => Err(format!("step {number} ends the execution")),
        }
    }

    /// Demands that no thread can move, and stays in the state for ever.
    fn stand_still(&mut self) -> Result<Vec<ThreadId>, String> {
        self.letters.push(self.letter());
        match self.machine.enabled(&self.state).next().filter(|_| !self.ended) {
            Some(mover) => Err(format!("{mover} can go on")),
            None => Ok(Vec::new()),
        }
    }

    /// Goes round twice, and demands that the first time is fair and the second time is
    /// the same. Yields the threads that move.
    fn go_round(&mut self, trace: &Trace, cycle: &[TraceStep]) -> Result<Vec<ThreadId>, String> {
        let first = canonical(self.machine, &self.state);
        let mut turns = Turns::default();
        for step in cycle {
            turns.note(self.machine, &self.state, step)?;
            self.step(trace, step)?;
        }
        turns.check(self.machine)?;
        let length = self.letters.len();
        for _ in 0..2 {
            if self.ended || canonical(self.machine, &self.state) != first {
                return Err("the state at the end is not the one where the cycle began".to_owned());
            }
            if self.letters.len() == length {
                cycle.iter().try_for_each(|step| self.step(trace, step))?;
            }
        }
        let (once, again) = self.letters.split_at(length);
        if !once.ends_with(again) {
            return Err("the second time round differs from the first".to_owned());
        }
        self.letters.truncate(length);
        let mut threads: Vec<ThreadId> = movers(self.machine, turns.moved).map(Mover::thread).collect();
        threads.sort_unstable();
        threads.dedup();
        Ok(threads)
    }
}

/// What can move and does, in a cycle: threads and store buffers.
#[derive(Default)]
struct Turns {
    /// Those that can move in some state in which no thread keeps the others from moving,
    /// and those that keep others.
    enabled: u64,
    /// Those that cannot move in some such state.
    disabled: u64,
    moved: u64,
    /// Whether there is such a state.
    open: bool,
}

impl Turns {
    fn note(&mut self, machine: &Machine, state: &State, step: &TraceStep) -> Result<(), String> {
        let fairness = machine.temporal().map(|temporal| temporal.question.fairness);
        let spurious = machine.is_spurious(state, step.mover, step.choice);
        if fairness != Some(Fairness::None) && spurious {
            return Err("the cycle relies on a spurious wake-up or failure".to_owned());
        }
        let enabled = machine.enabled(state).fold(0, |set, mover| set | mover.bit());
        self.enabled |= enabled;
        self.moved |= step.mover.bit();
        if machine.keeper(state).is_none() {
            self.disabled |= !enabled;
            self.open = true;
        }
        Ok(())
    }

    fn check(&self, machine: &Machine) -> Result<(), String> {
        let fairness = machine.temporal().map_or(Fairness::default(), |t| t.question.fairness);
        let unfair = match fairness {
            Fairness::None => 0,
            Fairness::Weak if !self.open => 0,
            Fairness::Weak => !self.disabled & !self.moved,
            Fairness::Strong => self.enabled & !self.moved,
        };
        match movers(machine, unfair).next() {
            Some(mover) => Err(format!("{mover}, which could move, never does")),
            None => Ok(()),
        }
    }
}

/// What is in a set.
fn movers(machine: &Machine, set: u64) -> impl Iterator<Item = Mover> {
    Mover::of_set(set, machine.config().memory_model.has_buffers()).into_iter()
}
