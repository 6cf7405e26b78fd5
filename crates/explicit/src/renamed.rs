//! Executions of the program from those of a search in which threads are renamed
//! on the way.
//!
//! A search that sorts threads ([`crate::symmetry`]), or in which a thread takes the
//! processor over from its twin ([`crate::twins`]), finds steps between states of which
//! each numbers the threads in its own way. [`execution`] follows these states and
//! an execution of the program side by side, with the renaming that leads from the
//! one to the other.
//!
//! The two differ in one more way: in the search's states `main` may join other
//! threads first. Where its execution cannot join yet, that is made up for
//! before `main` does anything else.

use machine::{Grain, Machine, Other, Renaming, State, ThreadId, Twins};

use crate::found::Choice;

const MAIN: ThreadId = ThreadId(0);

/// How the threads of a search's states got their numbers.
#[derive(Clone, Copy)]
pub enum Named<'a> {
    /// The threads of each state are sorted.
    Sorted,
    /// A thread takes the processor over from its twin, and with it the number that
    /// the twin has in the execution.
    ByTwins(&'a Twins),
}

/// An execution beside the renamed states that it stands for.
struct Pair<'a> {
    machine: &'a Machine,
    grain: Grain,
    named: Named<'a>,
    renamed: State,
    concrete: State,
    /// From the execution's threads to those of the renamed state.
    names: Renaming,
    /// Joins that `main` has done there but not here.
    owed: usize,
    /// Whether the last step ended in a fault; otherwise it is a deadlock.
    over: bool,
    steps: Vec<Choice>,
}

/// The execution that steps between renamed states stand for, the last of which
/// may have a fault, and the names of its threads in the end. Beside a step stands
/// the twin from which its thread takes the processor over, if it does.
pub fn execution(
    machine: &Machine,
    grain: Grain,
    named: Named<'_>,
    steps: impl ExactSizeIterator<Item = (Choice, Option<ThreadId>)>,
) -> Option<(Vec<Choice>, Renaming)> {
    let mut pair = Pair::new(machine, grain, named);
    let count = steps.len();
    for (index, (step, from)) in steps.enumerate() {
        from.into_iter().for_each(|twin| pair.swap(step.mover.thread(), twin));
        pair.follow(step, index + 1 == count)?;
    }
    if !pair.over && machine.deadlock(&pair.concrete).is_none() {
        // There main waits for those that still run; here it has to join the
        // others first.
        pair.owed = usize::MAX;
    }
    pair.settle();
    Some((pair.steps, pair.names))
}

impl<'a> Pair<'a> {
    fn new(machine: &'a Machine, grain: Grain, named: Named<'a>) -> Pair<'a> {
        let mut renamed = machine.initial();
        machine.normalise(&mut renamed);
        let concrete = renamed.clone();
        let names = sort(machine, named, &mut renamed);
        Pair { machine, grain, named, renamed, concrete, names, owed: 0, over: false, steps: Vec::new() }
    }

    /// Gives two twins each other's place in the execution. The renamed state stays
    /// as it is, for it does not tell them apart.
    fn swap(&mut self, one: ThreadId, other: ThreadId) {
        let threads = self.renamed.thread_ids().count();
        let mut numbers: Vec<ThreadId> = (0..threads as u32).map(ThreadId).collect();
        numbers.swap(one.0 as usize, other.0 as usize);
        self.names = self.names.then(&Renaming::new(numbers));
    }

    fn follow(&mut self, step: Choice, last: bool) -> Option<()> {
        let joins = step.mover == MAIN.into() && self.is_joining(&self.renamed);
        if step.mover == MAIN.into() {
            self.settle();
        }
        if joins && !last {
            self.owed += 1;
            self.settle();
        } else {
            if step.mover == MAIN.into() && self.owed > 0 {
                return None;
            }
            let taken = self.concrete_step(step)?;
            self.take(taken);
        }
        let result = self.machine.step(&mut self.renamed, step.mover, step.choice, self.grain, &mut ());
        let asked = result.faults.iter().any(|fault| self.machine.asks(&fault.kind));
        self.over = asked || result.end.is_some();
        if self.over {
            return Some(());
        }
        self.machine.normalise(&mut self.renamed);
        let renaming = sort(self.machine, self.named, &mut self.renamed);
        self.names = self.names.then(&renaming);
        Some(())
    }

    /// Whether the next step of `main` is one that can wait until the threads that
    /// it is to join have ended.
    fn is_joining(&self, state: &State) -> bool {
        match self.named {
            Named::Sorted => self.machine.is_joining(state, MAIN),
            Named::ByTwins(twins) => twins.is_in_round(&state.part(Other::Thread(MAIN.0))),
        }
    }

    /// Lets `main` join what it owes, as far as it can.
    fn settle(&mut self) {
        let can = |pair: &Pair<'_>| {
            pair.is_joining(&pair.concrete) && pair.machine.runnable(&pair.concrete).contains(&MAIN)
        };
        while self.owed > 0 && can(self) {
            self.take(Choice { mover: MAIN.into(), choice: 0 });
            self.owed -= 1;
        }
    }

    /// The step with the threads as the execution has them.
    fn concrete_step(&self, step: Choice) -> Option<Choice> {
        let thread = self.names.old_number(step.mover.thread());
        if !self.machine.runnable(&self.concrete).contains(&thread) {
            return None;
        }
        let choices = self.machine.choices(&self.concrete, thread).ok()?;
        let choice = match self.machine.woken(&self.renamed, step.mover.thread(), step.choice) {
            None => step.choice,
            Some(woken) => {
                let woken = Some(self.names.old_number(woken));
                (0..choices).find(|choice| self.machine.woken(&self.concrete, thread, *choice) == woken)?
            }
        };
        (choice < choices).then_some(Choice { mover: thread.into(), choice })
    }

    fn take(&mut self, step: Choice) {
        self.steps.push(step);
        self.machine.step(&mut self.concrete, step.mover, step.choice, self.grain, &mut ());
        self.machine.normalise(&mut self.concrete);
    }
}

/// Sorts the threads of a state, where that is how they get their numbers.
fn sort(machine: &Machine, named: Named<'_>, state: &mut State) -> Renaming {
    match named {
        Named::Sorted => machine.sort_threads(state),
        Named::ByTwins(_) => Renaming::identity(state.thread_ids().count()),
    }
}
