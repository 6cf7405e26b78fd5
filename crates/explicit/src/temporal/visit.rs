//! What is found out about a state when it is visited, by several workers at once.

use std::ops::Range;

use engine::Cut;
use machine::{End, Mover, ThreadId};
use store::{Loaded, StateId};

use super::graph::{Arrival, StateLabel, StepLabel};
use crate::csdr::arrival;
use crate::found::Choice;
use crate::livelock::{HALTED, progresses};
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
    /// Whether livelocks are looked for, and not what the machine is asked.
    livelock: bool,
    visits: Vec<(usize, Visit)>,
}

/// The states of a list, each with its arrival.
pub type List = Vec<(Arrival, StateId)>;

impl<'a> Visitor<'a> {
    /// One that has done nothing yet.
    pub fn new(worker: Worker<'a>, livelock: bool) -> Visitor<'a> {
        Visitor { worker, livelock, visits: Vec::new() }
    }

    /// Visits some states of a list.
    pub fn visit(&mut self, list: &List, range: Range<usize>) {
        for index in range {
            if self.worker.must_stop() {
                return;
            }
            let visit = self.look_at(list[index].1);
            self.visits.push((index, visit));
        }
    }

    fn look_at(&mut self, id: StateId) -> Visit {
        let loaded = self.worker.shared.store.load(id);
        let machine = self.worker.shared.machine();
        let most = machine.most_movers();
        if loaded.threads() as u32 > most {
            cut(&mut self.worker, &loaded, format!("fairness to more than {most} threads"));
            // It is not followed, but does not stand still either.
            let label = StateLabel { enabled: u64::MAX, letter: 0, kept: false };
            return Visit { label, letter: 0, steps: Vec::new() };
        }
        let state = self.worker.shared.store.state(&loaded);
        let enabled = machine.enabled(state).fold(0, |set, mover| set | mover.bit());
        let label = StateLabel { enabled, letter: 0, kept: machine.keeper(state).is_some() };
        let letter = match self.livelock {
            true if enabled == 0 => HALTED,
            true => 0,
            false => machine.letter(state, false),
        };
        let opened = self.worker.open_loaded(loaded);
        let mut steps = Vec::new();
        for mover in opened.movers() {
            for choice in 0..self.worker.choices(&opened, mover) {
                steps.extend(self.step(&opened, Choice { mover, choice }));
            }
        }
        Visit { label, letter, steps }
    }

    /// Takes a step. Those that end in other ways than that the process ends are noted as cuts,
    /// or are of no interest.
    fn step(&mut self, from: &Opened, step: Choice) -> Option<Step> {
        let (worker, Choice { mover, choice }) = (&mut self.worker, step);
        let next = worker.step(from, mover, choice, false);
        let (machine, grain) = (worker.shared.machine(), worker.shared.grain);
        let state = worker.shared.store.state(&from.loaded);
        let spurious = machine.is_spurious(state, mover, choice);
        let progress = self.livelock && progresses(machine, state, step, grain);
        let (to, started, last) = match next {
            Next::State { tree, started, .. } => (Some(worker.insert(tree).0), started, 0),
            Next::Fault => return None,
            Next::Over if self.livelock => (None, None, HALTED),
            Next::Over => (None, None, last_letter(worker, from, step)?),
        };
        let (after, _) = arrival(worker.shared.starts_switch, mover.thread(), true, started);
        // There are few threads, or the state would not be followed.
        let label = StepLabel { spurious, progress, after: after.0 as u8, last: 0 };
        Some(Step { mover, to, label, last })
    }
}

/// Notes that a state is not followed, and why.
fn cut(worker: &mut Worker<'_>, loaded: &Loaded, what: String) {
    let at = worker.shared.machine().position(worker.shared.store.state(loaded), ThreadId(0));
    worker.tally.cut(Cut::Unsupported { what, at });
}

/// What was found out about the states of a list, in their order.
pub fn visits(pool: &Pool<'_, '_, Visitor<'_>, List>) -> Vec<(usize, Visit)> {
    let mut visits: Vec<(usize, Visit)> = Vec::new();
    pool.workers().for_each(|mut visitor| visits.append(&mut visitor.visits));
    visits.sort_unstable_by_key(|(index, _)| *index);
    visits
}

/// The propositions that hold after a step by which the process ends, if it does.
pub fn last_letter(worker: &Worker<'_>, from: &Opened, step: Choice) -> Option<ltl::Letter> {
    let (machine, grain) = (worker.shared.machine(), worker.shared.grain);
    let mut last = worker.shared.store.state(&from.loaded).clone();
    let end = machine.step(&mut last, step.mover, step.choice, grain, &mut ()).end;
    matches!(end, Some(End::Exited(_) | End::Aborted)).then(|| machine.letter(&last, true))
}
