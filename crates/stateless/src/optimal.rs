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
//! - Data choices are alternatives of one step. A thread is put to sleep once
//!   all of them were run, with what any of them touched.
//! - The end of the process keeps the other threads from moving. It conflicts
//!   with everything, and the next steps of the others take part in its races.
//! - A thread at an assumption that is false, or at a failure that nobody asked
//!   about, stays where it is. Others go on: what they do is done by an
//!   execution of the machine in which that step never comes.
//!
//! [`Run::peek`]: crate::run::Run::peek

use std::collections::VecDeque;

use engine::{Outcome, Task};
use machine::ThreadId;
use smallvec::SmallVec;

use crate::explorer::{Explorer, Next};
use crate::footprint::Footprint;
use crate::idle::Spinning;
use crate::order::{Operation, Order};
use crate::tally::Found;
use crate::wakeup::{Branch, Planned, insert, is_weak_initial};

/// A thread whose next step need not be taken here, and what that touches.
#[derive(Clone, Debug)]
struct Sleeper {
    thread: ThreadId,
    footprint: Footprint,
}

/// What the search knows about the state after so many steps.
struct Node {
    sleep: SmallVec<[Sleeper; 4]>,
    /// What is to be run from here.
    tree: Vec<Branch>,
    /// The thread that is being run, with what its choices so far touched.
    current: Option<Sleeper>,
    /// The choices of this thread that are still to be run.
    alternatives: VecDeque<Branch>,
    /// Threads that cannot go on, whatever others do.
    stuck: SmallVec<[ThreadId; 2]>,
    /// Whether no step could be taken from here yet.
    fresh: bool,
}

/// Runs one execution of every trace.
pub fn check(task: &Task<'_>) -> Outcome {
    let mut search = Optimal {
        explorer: Explorer::new(task, Spinning::Stops),
        order: Order::default(),
        path: Vec::new(),
        new: 0,
    };
    let found = search.explore().err();
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
        if let Some(branch) = node.alternatives.pop_front() {
            return Some(branch);
        }
        if let Some(done) = node.current.take() {
            node.sleep.push(done);
        }
        while !self.path.last()?.tree.is_empty() {
            let branch = self.path.last_mut()?.tree.remove(0);
            if let Some(branch) = self.start(branch) {
                return Some(branch);
            }
        }
        if !self.path.last()?.fresh {
            return None;
        }
        let thread = self.choose()?;
        let step = Planned { thread, choice: 0, footprint: Footprint::default() };
        self.start(Branch { step, children: Vec::new() })
    }

    /// Begins to run a thread: all choices of its step are to be run.
    fn start(&mut self, branch: Branch) -> Option<Branch> {
        let thread = branch.step.thread;
        let choices = self.explorer.choices(thread);
        let node = self.path.last_mut()?;
        if choices == 0 {
            node.stuck.push(thread);
            return None;
        }
        node.current = Some(Sleeper { thread, footprint: Footprint::default() });
        if choices > 1 {
            let mut planned: Vec<Branch> = vec![branch];
            let (same, others) =
                std::mem::take(&mut node.tree).into_iter().partition(|b: &Branch| b.step.thread == thread);
            planned.extend::<Vec<Branch>>(same);
            node.tree = others;
            for choice in 0..choices {
                if !planned.iter().any(|branch| branch.step.choice == choice) {
                    let step = Planned { thread, choice, footprint: Footprint::default() };
                    planned.push(Branch { step, children: Vec::new() });
                }
            }
            planned.retain(|branch| branch.step.choice < choices);
            node.alternatives.extend(planned);
            return node.alternatives.pop_front();
        }
        Some(branch)
    }

    /// Any thread that can move and does not sleep.
    fn choose(&self) -> Option<ThreadId> {
        let node = self.path.last()?;
        let enabled = self.movable();
        enabled.into_iter().find(|thread| !node.sleep.iter().any(|sleeper| sleeper.thread == *thread))
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
        let next = self.explorer.step(thread, choice)?;
        let node = self.path.last_mut().expect("the search is not over");
        if let Next::End(end) = &next
            && self.explorer.is_local_end(end)
        {
            node.stuck.push(thread);
            node.current = None;
            self.explorer.run.back_to(self.path.len() - 1);
            return Ok(());
        }
        node.fresh = false;
        self.order.push(&self.explorer.run);
        let footprint =
            self.explorer.run.steps().last().map(|taken| taken.footprint.clone()).unwrap_or_default();
        if let Some(current) = &mut node.current {
            current.footprint.extend(&footprint);
        }
        let awake = |sleeper: &&Sleeper| sleeper.thread != thread && !sleeper.footprint.conflicts(&footprint);
        let sleep = node.sleep.iter().filter(awake).cloned().collect();
        let stuck = node.stuck.clone();
        match next {
            Next::End(_) => {
                self.explorer.tally.executions += 1;
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

    /// Has the steps that do not depend on `first` run without it, and then
    /// `last`.
    fn reverse(&mut self, first: usize, mut last: Planned, peek: bool) {
        let run = &self.explorer.run;
        let steps = run.steps();
        let mut sequence: Vec<Planned> = (first + 1..steps.len())
            .filter(|step| !self.order.happens_before(first, *step))
            .map(|step| {
                let taken = &steps[step];
                Planned { thread: taken.thread, choice: taken.choice, footprint: taken.footprint.clone() }
            })
            .collect();
        if peek {
            let Some(footprint) = run.peek(first, &sequence, last.thread) else { return };
            last.footprint = footprint;
        }
        sequence.push(last);
        let node = &mut self.path[first];
        let covered = |sleeper: &Sleeper| is_weak_initial(sleeper.thread, &sleeper.footprint, &sequence);
        if !node.sleep.iter().any(covered) {
            insert(&mut node.tree, sequence);
        }
    }
}

impl Node {
    fn new(sleep: SmallVec<[Sleeper; 4]>, tree: Vec<Branch>, stuck: SmallVec<[ThreadId; 2]>) -> Node {
        Node { sleep, tree, current: None, alternatives: VecDeque::new(), stuck, fresh: true }
    }
}
