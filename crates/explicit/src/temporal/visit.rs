//! What is found out about a state when it is visited, by several workers at once.

use std::ops::Range;

use machine::{End, Mover};
use store::StateId;

use super::graph::{Arrival, StateLabel, StepLabel};
use crate::csdr::arrival;
use crate::found::Choice;
use crate::livelock;
use crate::parallel::Pool;
use crate::worker::{Next, Opened, Worker};

/// What was found out about a state.
pub struct Visit {
    /// All but the number of the letter.
    pub label: StateLabel,
    /// The propositions that hold.
    pub letter: ltl::Letter,
    /// The steps from it.
    pub steps: Vec<Step>,
}

/// A step from a state.
pub struct Step {
    /// What moves.
    pub mover: Mover,
    /// The state that it leads to; none if the process ends.
    pub to: Option<StateId>,
    /// All but the number of the last letter.
    pub label: StepLabel,
    /// The propositions that hold once the process has ended.
    pub last: ltl::Letter,
}

/// One of those that visit states. What it finds out waits here, with the place of the state in
/// the list.
pub struct Visitor<'a> {
    /// What takes the steps.
    pub worker: Worker<'a>,
    visits: Vec<(usize, Visit)>,
}

/// The states of a list, each with its arrival.
pub type List = Vec<(Arrival, StateId)>;

impl<'a> Visitor<'a> {
    /// One that has done nothing yet.
    pub fn new(worker: Worker<'a>) -> Visitor<'a> {
        Visitor { worker, visits: Vec::new() }
    }

    /// Visits some states of a list.
    pub fn visit(&mut self, list: &List, range: Range<usize>) {
        for index in range {
            if self.worker.must_stop() {
                return;
            }
            let visit = visit(&mut self.worker, list[index].1);
            self.visits.push((index, visit));
        }
    }
}

/// What was found out about the states of a list, in their order.
pub fn visits(pool: &Pool<'_, '_, Visitor<'_>, List>) -> Vec<(usize, Visit)> {
    let mut visits: Vec<(usize, Visit)> = Vec::new();
    pool.workers().for_each(|mut visitor| visits.append(&mut visitor.visits));
    visits.sort_unstable_by_key(|(index, _)| *index);
    visits
}

fn visit(worker: &mut Worker<'_>, id: StateId) -> Visit {
    let loaded = worker.shared.store.load(id);
    let enabled = match livelock::enabled(worker, &loaded) {
        Ok(enabled) => enabled,
        Err(what) => {
            livelock::cut(worker, &loaded, what);
            // It is not followed, but does not stand still either.
            let label = StateLabel { enabled: u64::MAX, letter: 0, kept: false };
            return Visit { label, letter: 0, steps: Vec::new() };
        }
    };
    let (machine, state) = (worker.shared.machine(), worker.shared.store.state(&loaded));
    let label = StateLabel { enabled, letter: 0, kept: machine.keeper(state).is_some() };
    let letter = machine.letter(state, false);
    let opened = worker.open_loaded(loaded);
    let mut steps = Vec::new();
    for mover in opened.movers() {
        for choice in 0..worker.choices(&opened, mover) {
            steps.extend(step(worker, &opened, Choice { mover, choice }));
        }
    }
    Visit { label, letter, steps }
}

/// Takes a step. Those that end in other ways than that the process ends are noted as cuts, or
/// are of no interest.
fn step(worker: &mut Worker<'_>, from: &Opened, Choice { mover, choice }: Choice) -> Option<Step> {
    let next = worker.step(from, mover, choice, false);
    let state = worker.shared.store.state(&from.loaded);
    let spurious = worker.shared.machine().is_spurious(state, mover.thread(), choice);
    let (to, started, last) = match next {
        Next::State { tree, started, .. } => (Some(worker.insert(tree).0), started, 0),
        Next::Fault => return None,
        Next::Over => (None, None, last_letter(worker, from, Choice { mover, choice })?),
    };
    let (after, _) = arrival(worker.shared.starts_switch, mover.thread(), true, started);
    // There are few threads, or the state would not be followed.
    let label = StepLabel { spurious, after: after.0 as u8, last: 0 };
    Some(Step { mover, to, label, last })
}

/// The propositions that hold after a step by which the process ends, if it does.
pub fn last_letter(worker: &Worker<'_>, from: &Opened, step: Choice) -> Option<ltl::Letter> {
    let (machine, grain) = (worker.shared.machine(), worker.shared.grain);
    let mut last = worker.shared.store.state(&from.loaded).clone();
    let end = machine.step(&mut last, step.mover, step.choice, grain, &mut ()).end;
    matches!(end, Some(End::Exited(_) | End::Aborted)).then(|| machine.letter(&last, true))
}
