//! Optimal dynamic partial-order reduction: source sets with wakeup trees
//! (Abdulla, Aronsson, Jonsson, Sagonas: Source Sets, JACM 2017, Algorithm 2).
//! Every Mazurkiewicz trace is run exactly once, and no execution is given up
//! because whoever could move was asleep.
//!
//! Deviations from the algorithm as published:
//!
//! - A race is looked at once, in the first execution that has its second step.
//!   Later executions that begin with the same steps have the same race, and
//!   what its reversal leads to is found from there.
//! - What a step touches may depend on what it reads: a compare-and-exchange
//!   that fails is a read. The second step of a race is about to read something
//!   else, so where that can make a difference it is tried before the sequence
//!   is inserted ([`Run::peek`]).
//! - Blocking: which steps race is said in [`crate::order`]. Operations that
//!   are still blocked at the end of an execution take part in its races.
//! - Data choices are alternatives of one step. They exclude each other, and so
//!   are treated as steps that race.
//! - The end of the process keeps the other threads from moving. It conflicts
//!   with everything, and the next steps of the others take part in its races.
//! - A thread at an assumption that is false, or at a failure that nobody asked
//!   about, stays where it is. Others go on: what they do is done by an
//!   execution of the machine in which that step never comes.
//!
//! [`Run::peek`]: crate::run::Run::peek

use engine::{Outcome, Task};
use machine::ThreadId;
use smallvec::SmallVec;

use crate::explorer::{Each, Explorer, Next};
use crate::footprint::Footprint;
use crate::order::{Operation, Order};
use crate::run::Taken;
use crate::tally::Found;
use crate::wakeup::{Branch, Planned, insert, is_weak_initial};

/// What the search knows about the state after so many steps.
struct Node {
    /// Steps that need not be taken here.
    sleep: SmallVec<[Planned; 2]>,
    /// What is to be run from here.
    tree: Vec<Branch>,
    /// The step that is being run, and how many data choices it has.
    current: Option<Planned>,
    choices: u64,
    /// Threads that cannot go on, whatever others do.
    stuck: SmallVec<[ThreadId; 2]>,
    /// Whether no step was taken from here yet.
    fresh: bool,
    /// How many branches were run completely.
    done: u32,
}

/// Runs one execution of every trace.
pub fn check<'a>(task: &'a Task<'a>, each: Option<Each<'a>>) -> Outcome {
    let explorer = Explorer::stopping_spins(task, each);
    let mut search = Optimal { explorer, order: Order::default(), path: Vec::new(), new: 0 };
    let found = search.explore().err();
    if let Some(Found::Exceeded(_)) = found {
        search.explorer.tally.coverage = Some(search.coverage());
    }
    search.explorer.outcome(found)
}

struct Optimal<'a> {
    explorer: Explorer<'a>,
    order: Order,
    /// One node more than there are steps.
    path: Vec<Node>,
    /// The first step that no execution before had.
    new: usize,
}

impl Optimal<'_> {
    fn explore(&mut self) -> Result<(), Found> {
        self.path.push(Node::new(SmallVec::new(), Vec::new(), SmallVec::new()));
        while !self.path.is_empty() {
            match self.next_branch() {
                Some(branch) => self.take(branch)?,
                None => self.leave(),
            }
        }
        Ok(())
    }

    /// The next step to take from the last node.
    fn next_branch(&mut self) -> Option<Branch> {
        let node = self.path.last_mut().expect("the search is not over");
        if let Some(done) = node.current.take() {
            node.sleep.push(done);
            node.done += 1;
        }
        if !node.tree.is_empty() {
            let branch = node.tree.remove(0);
            if self.movable().contains(&branch.step.thread) {
                return Some(branch);
            }
            // Not as foreseen: then everything that is possible here.
            return self.run_all();
        }
        let thread = if node.fresh { self.choose()? } else { return None };
        let step = Planned { thread, choice: 0, footprint: Footprint::default() };
        Some(Branch { step, children: Vec::new() })
    }

    /// Has every thread run that can move and does not sleep.
    fn run_all(&mut self) -> Option<Branch> {
        let movable = self.movable();
        let node = self.path.last_mut()?;
        for thread in movable {
            let known = node.sleep.iter().any(|step| step.thread == thread)
                || node.tree.iter().any(|branch| branch.step.thread == thread);
            if !known {
                let step = Planned {
                    thread,
                    choice: 0,
                    footprint: Footprint { global: true, ..Footprint::default() },
                };
                node.tree.push(Branch { step, children: Vec::new() });
            }
        }
        self.next_branch()
    }

    /// What was covered, with Knuth's estimate of the rest: every branch of a
    /// node is taken to be as large as the others that are known of it.
    fn coverage(&self) -> String {
        let (mut covered, mut share) = (0.0, 1.0);
        for node in &self.path {
            let branches =
                f64::from(node.done) + node.tree.len() as f64 + f64::from(u8::from(node.current.is_some()));
            if branches > 0.0 {
                covered += share * f64::from(node.done) / branches;
                share /= branches;
            }
        }
        let executions = self.explorer.tally.executions;
        let left = executions as f64 * (1.0 - covered) / covered;
        let estimate = match left.is_finite() {
            true => format!("an estimated {left:.0} executions are left"),
            false => "how many are left cannot be told yet".to_owned(),
        };
        let steps = self.explorer.tally.transitions;
        format!("{executions} executions with {steps} steps, one of each trace, all of them safe; {estimate}")
    }

    /// Any thread that can move and does not sleep.
    fn choose(&self) -> Option<ThreadId> {
        let node = self.path.last()?;
        let enabled = self.movable();
        enabled.into_iter().find(|thread| !node.sleep.iter().any(|step| step.thread == *thread))
    }

    /// The threads that can move.
    fn movable(&self) -> SmallVec<[ThreadId; 8]> {
        let mut enabled = self.explorer.run.enabled();
        if let Some(node) = self.path.last() {
            enabled.retain(|thread| !node.stuck.contains(thread));
        }
        enabled
    }

    fn take(&mut self, branch: Branch) -> Result<(), Found> {
        let Planned { thread, choice, .. } = branch.step;
        let choices = self.explorer.choices(thread);
        let next = if choices == 0 { None } else { Some(self.explorer.step(thread, choice)?) };
        let node = self.path.last_mut().expect("the search is not over");
        let next = match next {
            Some(Next::End(end)) if self.explorer.is_local_end(&end) => None,
            next => next,
        };
        let Some(next) = next else {
            node.stuck.push(thread);
            self.explorer.run.back_to(self.path.len() - 1);
            return Ok(());
        };
        self.order.push(&self.explorer.run);
        let Some(Taken { footprint, .. }) = self.explorer.run.steps().last() else {
            unreachable!("a step was taken")
        };
        let asleep = |step: &&Planned| step.thread != thread && !step.footprint.conflicts(footprint);
        let sleep = node.sleep.iter().filter(asleep).cloned().collect();
        node.current = Some(Planned { thread, choice, footprint: footprint.clone() });
        (node.choices, node.fresh) = (choices, false);
        let stuck = node.stuck.clone();
        match next {
            Next::End(end) => {
                self.explorer.count_ended(&end);
                self.reverse_races(true);
                self.back();
            }
            Next::State if self.explorer.is_too_long() => {
                self.reverse_races(false);
                self.back();
            }
            Next::State => self.path.push(Node::new(sleep, branch.children, stuck)),
        }
        Ok(())
    }

    /// Leaves the last node: nothing more is to be run from it.
    fn leave(&mut self) {
        let node = self.path.last().expect("the search is not over");
        if node.fresh {
            let movable = self.movable();
            if movable.is_empty() {
                let stuck = !node.stuck.is_empty();
                self.explorer.count_execution(stuck);
            } else {
                self.explorer.tally.blocked += 1;
            }
            self.reverse_races(false);
        }
        self.path.pop();
        if !self.path.is_empty() {
            self.back();
        }
    }

    fn back(&mut self) {
        let steps = self.path.len() - 1;
        self.explorer.run.back_to(steps);
        self.order.back_to(steps);
        self.new = steps;
    }

    /// At the end of an execution: sees to it that the races of its new steps
    /// are run in the other order too.
    fn reverse_races(&mut self, ended: bool) {
        let steps = self.explorer.run.steps().len();
        for second in self.new..steps {
            self.choose_otherwise(second);
            for index in 0..self.order.races(second).len() {
                let first = self.order.races(second)[index] as usize;
                let taken = &self.explorer.run.steps()[second];
                let last = Planned { thread: taken.thread, choice: 0, footprint: taken.footprint.clone() };
                self.reverse(first, last, !self.explorer.run.is_steady(second));
            }
        }
        for pending in self.explorer.run.pending(ended) {
            let operation = Operation {
                thread: pending.thread,
                footprint: &pending.footprint,
                need: pending.need,
                unsignalled: pending.unsignalled,
            };
            let (_, races) = self.order.races_of(&self.explorer.run, &operation);
            for first in races {
                let last =
                    Planned { thread: pending.thread, choice: 0, footprint: pending.footprint.clone() };
                self.reverse(first as usize, last, true);
            }
        }
        self.new = steps;
    }

    /// Has the other data choices of a step run.
    fn choose_otherwise(&mut self, step: usize) {
        let Taken { thread, choice, .. } = self.explorer.run.steps()[step];
        for other in (0..self.path[step].choices).filter(|other| *other != choice) {
            let mut sequence = self.independent(&[step]);
            if let Some(footprint) = self.explorer.run.peek(step, &sequence, thread, other) {
                sequence.push(Planned { thread, choice: other, footprint });
                self.plan(step, sequence);
            }
        }
    }

    /// Has the steps that do not depend on `first` run without it, and then
    /// `last`.
    fn reverse(&mut self, first: usize, mut last: Planned, peek: bool) {
        let mut sequence = self.independent(&[first]);
        if peek {
            let run = &self.explorer.run;
            let mut footprint = run.peek(first, &sequence, last.thread, 0);
            if footprint.is_none() {
                // Others that share a lock keep it from whoever wants it alone.
                sequence = self.independent(&self.conflicting(first, &last.footprint));
                footprint = run.peek(first, &sequence, last.thread, 0);
            }
            match footprint {
                Some(footprint) => last.footprint = footprint,
                None => return self.plan_all(first),
            }
        }
        sequence.push(last);
        self.plan(first, sequence);
    }

    /// The steps after the first of some that happen after none of them.
    fn independent(&self, of: &[usize]) -> Vec<Planned> {
        let steps = self.explorer.run.steps();
        (of[0] + 1..steps.len())
            .filter(|step| !of.iter().any(|first| self.order.happens_before(*first, *step)))
            .map(|step| {
                let Taken { thread, choice, ref footprint, .. } = steps[step];
                Planned { thread, choice, footprint: footprint.clone() }
            })
            .collect()
    }

    /// A step, and those after it that conflict with a footprint.
    fn conflicting(&self, first: usize, footprint: &Footprint) -> Vec<usize> {
        let steps = self.explorer.run.steps();
        let conflicts = |step: &usize| steps[*step].footprint.conflicts(footprint);
        std::iter::once(first).chain((first + 1..steps.len()).filter(conflicts)).collect()
    }

    /// Has a sequence run in place of a step, unless something that was or will
    /// be run leads to the same trace.
    fn plan(&mut self, first: usize, sequence: Vec<Planned>) {
        let node = &mut self.path[first];
        if !node.sleep.iter().any(|step| is_weak_initial(step, &sequence)) {
            insert(&mut node.tree, sequence);
        }
    }

    /// Has every thread run in place of a step.
    fn plan_all(&mut self, first: usize) {
        let run = &self.explorer.run;
        let current = run.steps()[first].thread;
        let threads = run.enabled_before(first).into_iter().filter(|thread| *thread != current);
        let plans: Vec<Planned> = threads
            .filter_map(|thread| {
                Some(Planned { thread, choice: 0, footprint: run.peek(first, &[], thread, 0)? })
            })
            .collect();
        plans.into_iter().for_each(|plan| self.plan(first, vec![plan]));
    }
}

impl Node {
    fn new(sleep: SmallVec<[Planned; 2]>, tree: Vec<Branch>, stuck: SmallVec<[ThreadId; 2]>) -> Node {
        Node { sleep, tree, current: None, choices: 1, stuck, fresh: true, done: 0 }
    }
}
