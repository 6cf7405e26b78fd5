//! Steps that are watched while they are executed: what they depend on, and what they
//! touch where that matters to transactions ([`crate::transactions`]).

use machine::{Depends, Event, Footprint, Machine, Mover, Observer, Other, State, ThreadId};
use reduction::Move;
use smallvec::SmallVec;
use store::Loaded;

use super::{MAIN, Next, Worker};
use crate::transactions::{LONGEST, Transactions};

/// What steps of a thread led to, and what they depend on.
#[derive(Default)]
pub(super) struct Run {
    /// The state, if they led to one.
    pub state: Option<State>,
    /// As far as all steps were local.
    pub others: SmallVec<[Other; 4]>,
    /// Whether all steps were local.
    pub local: bool,
}

impl Run {
    /// Adds what a step depends on, if it can be told by the parts of the first state.
    fn depend(&mut self, depends: &Depends) {
        for other in depends.others.iter().filter(|_| self.local) {
            if !self.others.contains(other) {
                self.others.push(*other);
            }
        }
        self.local &= !depends.everything;
    }
}

/// Watches what a step depends on, and what it touches if that is asked for.
struct Watching {
    depends: Depends,
    footprint: Option<Footprint>,
}

impl Watching {
    fn new(touches: bool) -> Watching {
        Watching { depends: Depends::default(), footprint: touches.then(Footprint::default) }
    }
}

impl Observer for Watching {
    fn event(&mut self, thread: ThreadId, function: ir::FuncId, pc: ir::Pc, event: Event) {
        if let Some(footprint) = &mut self.footprint {
            footprint.event(thread, function, pc, event);
        }
    }

    fn before(&mut self, machine: &Machine, state: &State, thread: ThreadId) {
        self.depends.before(machine, state, thread);
    }
}

impl Worker<'_> {
    /// Takes a step by executing it, and finds out what it depends on. If there are transactions, the
    /// thread goes on as long as it is left alone.
    pub(super) fn execute_watched(
        &mut self,
        from: &Loaded,
        mover: Mover,
        choice: u64,
        again: bool,
    ) -> (Next, Run) {
        let (machine, store, thread) = (self.shared.machine(), &self.shared.store, mover.thread());
        let transactions = self.shared.transactions;
        let mut watching = Watching::new(transactions.is_some());
        let before = store.state(from);
        let after = self.execute_one(from, mover, choice, again, &mut watching);
        let Watching { depends, footprint } = watching;
        if let (Some(transactions), Some(footprint)) = (transactions, &footprint) {
            let notes = transactions.discipline().notes(&Move { machine, before, thread }, footprint);
            self.seen.note(notes);
        }
        let mut run = Run { local: true, ..Run::default() };
        run.depend(&depends);
        let after = match after {
            Ok(after) => after,
            Err(next) => return (next, run),
        };
        run.local &=
            !after.faulty && machine.is_local(before, &after.state, thread, &depends, after.in_place);
        let (moved, started) = (after.moved, after.started);
        let goes_on = mover != MAIN || transactions.is_some_and(|transactions| transactions.of_main);
        let goes_on = goes_on && !after.faulty && started.is_none();
        run.state = Some(after.state);
        let mut further = 0;
        if let Some(transactions) = transactions.filter(|_| goes_on) {
            while further < LONGEST && self.goes_on(transactions, &mut run, thread) {
                further += 1;
            }
        }
        let state = run.state.clone().expect("the step led to a state");
        (self.arrive(from, state, moved, started, further), run)
    }

    /// Takes one more step of a transaction, if the thread is left alone.
    fn goes_on(&mut self, transactions: &Transactions, run: &mut Run, thread: ThreadId) -> bool {
        let machine = self.shared.machine();
        let before = run.state.take().expect("the steps led to a state");
        let next = self.step_left_alone(transactions, run, &before, thread);
        let goes_on = next.is_some();
        if let Some((state, depends)) = next {
            let mut state = state;
            let in_place = machine.normalise(&mut state);
            if self.shared.checked {
                machine.check_normal(&state);
            }
            run.local &= machine.is_local(&before, &state, thread, &depends, in_place);
            run.state = Some(state);
        } else {
            run.state = Some(before);
        }
        goes_on
    }

    /// The next step of a thread and what it depends on, if it can be taken in one way
    /// without a fault, and is left alone.
    fn step_left_alone(
        &mut self,
        transactions: &Transactions,
        run: &mut Run,
        before: &State,
        thread: ThreadId,
    ) -> Option<(State, Depends)> {
        let machine = self.shared.machine();
        run.depend(&Depends::of_guard(machine, before, thread));
        // A step that ends where others see nothing was cut off: it may go round for ever.
        if !machine.can_move(before, thread) || !machine.is_observable(before, thread) {
            return None;
        }
        let mut watching = Watching::new(true);
        if machine.choices(before, thread) != Ok(1) {
            watching.before(machine, before, thread);
            run.depend(&watching.depends);
            return None;
        }
        let mut state = before.clone();
        let step = machine.step(&mut state, thread, 0, self.shared.grain, &mut watching);
        let Watching { depends, footprint } = watching;
        // Also what is not taken depends on it.
        run.depend(&depends);
        let step_on = step.faults.is_empty() && step.end.is_none();
        let footprint = footprint.filter(|_| step_on)?;
        let step = Move { machine, before, thread };
        let alone = self.seen.leave_alone(&transactions.discipline(), &step, &footprint);
        alone.then_some((state, depends))
    }
}
