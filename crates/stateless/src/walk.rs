//! A worker on the tree of executions: goes down it step by step, back up, and
//! to where others have something left for it.
//!
//! Which steps there are is the policy's business. The order in which workers
//! take them may change the tree, but for a policy whose branches do not overlap
//! not what its leaves are.

use std::sync::Arc;

use engine::{Checkpoints, Counts, Outcome, Progress, Task, counted, grouped};
use machine::{End, Mover, Movers, Twins};

use crate::checkpoint;
use crate::crew::{Crew, Job};
use crate::explorer::{Each, Explorer, Next};
use crate::footprint::Footprint;
use crate::run::{Beginning, Run, Taken, has_choice};
use crate::tally::{Found, Tally};
use crate::tree::{Branches, Sleep, WakeupNode, explored, is_closed};
use crate::wakeup::Planned;

/// How often it is estimated how many executions are left.
const ESTIMATE_EVERY: u64 = 1024;

/// A checkpoint was compared with its checksum before, and is one of this build.
const READABLE: &str = "a checkpoint that is whole";

/// From so many executions on, estimates are told without all of their digits.
const MANY: f64 = 1e12;

/// Which steps are taken. A policy follows the execution that its worker is in.
pub trait Policy: Default {
    /// What is special about the executions that are run.
    const EXECUTIONS: &'static str;

    /// Adds branches to a node from which nothing was planned or taken yet, of what
    /// can move ([`movable`]).
    fn choose(&mut self, explorer: &mut Explorer<'_>, branches: &mut Branches);

    /// Whether the thread whose step ended the execution stays where it is
    /// instead, while others go on.
    fn stays(&self, explorer: &Explorer<'_>, end: &End) -> bool;

    /// Looks at the last step of the run, which had so many data choices.
    fn push(&mut self, run: &Run<'_>, choices: u64);

    /// What sleeps after a branch.
    fn sleep(&self, branches: &Branches, index: usize) -> Sleep;

    /// The execution is over: by itself or, if it has `ended`, by its last step.
    fn over(&mut self, run: &Run<'_>, path: &[Arc<WakeupNode>], taken: &[usize], ended: bool);

    /// Goes back to so many steps.
    fn back_to(&mut self, steps: usize);
}

/// Explores with as many workers as there are threads, from the checkpoint on if there is one.
/// Threads that are alike begin in turn, if it is known how twins stand for each other.
pub fn check<P: Policy>(
    task: &Task<'_>,
    twins: Option<&Twins>,
    each: Option<Each<'_>>,
    checkpoints: Option<&dyn Checkpoints>,
) -> Outcome {
    let workers = task.budget.threads();
    let resumed = checkpoints.and_then(|checkpoints| checkpoints.resume());
    let resumed = resumed.map(|input| checkpoint::read(task.machine, input).expect(READABLE));
    let from = resumed.unwrap_or_else(|| (vec![Job::first()], Tally::default()));
    let crew = Crew::new(workers, task.machine, checkpoints, from);
    let work = |index: usize| {
        let unseen = Progress::default();
        let own = Task { progress: &unseen, ..*task };
        let explorer = Explorer::stopping_spins(&own, each).in_turn(twins);
        let result = Worker::<P>::new(explorer, &crew, (index == 0).then_some(task.progress)).run();
        task.progress.add_samples(&unseen);
        result
    };
    let results: Vec<(Result<(), Found>, Tally, Path)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|index| scope.spawn(move || work(index))).collect();
        let first = work(0);
        let others = others.into_iter().map(|worker| worker.join().expect("a worker panicked"));
        std::iter::once(first).chain(others).collect()
    });
    let explored = explored(results.iter().map(|(_, _, path)| path.as_slice()));
    let results = results.into_iter().map(|(found, tally, _)| (tally, found.err()));
    let (mut tally, found) = Tally::sum(std::iter::once((crew.into_tally(), None)).chain(results));
    if let Some(Found::Unlike) = found {
        return check::<P>(task, None, each, checkpoints);
    }
    if let Some(Found::Exceeded(_)) = found {
        tally.coverage = Some(coverage(&tally, P::EXECUTIONS, explored));
    }
    tally.outcome(task, found)
}

fn coverage(tally: &Tally, kind: &str, explored: f64) -> String {
    let (executions, steps) = (tally.executions, tally.transitions);
    let estimate = match left(executions, explored) {
        Some(left) if left < MANY => format!("an estimated {} executions are left", grouped(left as u64)),
        Some(left) => format!("an estimated {left:.1e} executions are left"),
        None => "how many are left cannot be told yet".to_owned(),
    };
    let (executions, steps) = (counted(executions, "execution"), counted(steps, "step"));
    format!("{executions} with {steps}{kind}, all of them safe; {estimate}")
}

/// How many executions may be left.
fn left(executions: u64, explored: f64) -> Option<f64> {
    (explored > 0.0).then(|| executions as f64 * (1.0 - explored) / explored)
}

/// The nodes from the first one to where a worker is.
type Path = Vec<Arc<WakeupNode>>;

/// Where a worker goes from a node.
enum To {
    /// To the next one.
    Below(Arc<WakeupNode>),
    /// To the end of an execution, in a step or for want of room.
    End(Option<End>),
    /// Back: nothing is left to do here.
    Above,
}

struct Worker<'a, P> {
    explorer: Explorer<'a>,
    policy: P,
    path: Path,
    /// The branch that was taken for each step.
    taken: Vec<usize>,
    crew: &'a Crew<'a>,
    /// Where to say how far the search is.
    progress: Option<&'a Progress>,
    /// The executions and steps that the others know of.
    counted: (u64, u64),
    /// The way to the last job. Others may have the same beginning, which may be
    /// long: it is not run again. Workers share no states, so that none waits for
    /// what another one counts.
    way: Option<Beginning>,
}

impl<'a, P: Policy> Worker<'a, P> {
    fn new(explorer: Explorer<'a>, crew: &'a Crew<'a>, progress: Option<&'a Progress>) -> Worker<'a, P> {
        let (path, taken) = (Path::new(), Vec::new());
        Worker { explorer, policy: P::default(), path, taken, crew, progress, counted: (0, 0), way: None }
    }

    fn run(mut self) -> (Result<(), Found>, Tally, Path) {
        let mut result = Ok(());
        while let Some(job) = self.crew.next(&mut self.explorer.tally) {
            self.counted = (0, 0);
            self.follow(job);
            result = self.explore();
            if result.is_err() {
                self.crew.stop();
            }
        }
        (result, self.explorer.tally, self.path)
    }

    /// Goes to the node of a job.
    fn follow(&mut self, job: Job) {
        self.back_to(0);
        let common = self.way.as_ref().map_or(0, |way| way.common(&job.steps));
        if let Some(way) = self.way.take().filter(|_| common > 0) {
            self.explorer.run.come_back(way, common);
            for step in 0..common {
                self.policy.push(&self.explorer.run, self.explorer.run.choices_before(step));
            }
        }
        for (mover, choice) in job.steps[common..].iter().copied() {
            let choices = self.explorer.choices(mover);
            self.explorer.run.step(mover, choice);
            self.policy.push(&self.explorer.run, choices);
        }
        self.way = Some(self.explorer.run.beginning());
        (self.path, self.taken) = (job.path, job.taken);
        self.policy.back_to(self.taken.len());
        self.path.last().expect("a job has a node").lock().arrive();
    }

    /// Explores from the last node on, until nothing is left on the way back to
    /// the first, or others are to go on. The worker that adds a branch passes by on that way.
    fn explore(&mut self) -> Result<(), Found> {
        while let Some(node) = self.path.last().cloned().filter(|_| !self.crew.is_stopped()) {
            match self.go_on(&node)? {
                To::Below(node) => {
                    self.path.push(node);
                    continue;
                }
                To::End(end) => {
                    end.iter().for_each(|end| self.explorer.count_ended(end));
                    self.over(end.is_some());
                    self.back();
                }
                To::Above => {
                    self.path.pop();
                    self.back();
                }
            }
            if self.crew.gathers() {
                self.hand_over();
            }
        }
        Ok(())
    }

    /// Takes the next step from a node. All this time no other worker takes one,
    /// so that workers that come later know what this one touched.
    fn go_on(&mut self, node: &WakeupNode) -> Result<To, Found> {
        let mut branches = node.lock();
        while let Some((index, mover, choice)) = self.pick(&mut branches) {
            let choices = self.explorer.choices(mover);
            let next = if choices == 0 { None } else { Some(self.explorer.step(mover, choice)?) };
            let stays =
                |next: &Next| matches!(next, Next::End(end) if self.policy.stays(&self.explorer, end));
            let Some(next) = next.filter(|next| !stays(next)) else {
                branches.give_up(index);
                branches.stuck.push(mover);
                self.explorer.run.back_to(self.taken.len());
                continue;
            };
            let run = &self.explorer.run;
            branches.take(index, run.steps().last().expect("it was taken").footprint.clone());
            self.taken.push(index);
            self.policy.push(run, choices);
            return Ok(match next {
                Next::End(end) => To::End(Some(end)),
                Next::State if self.explorer.is_too_long() => To::End(None),
                Next::State => To::Below(branches.enter(index, || self.policy.sleep(&branches, index))),
            });
        }
        if branches.is_fresh() {
            self.count(&branches)?;
            drop(branches);
            self.over(false);
        }
        Ok(To::Above)
    }

    /// The next branch to take: one that is planned or, where nothing was, one
    /// that the policy likes.
    fn pick(&mut self, branches: &mut Branches) -> Option<(usize, Mover, u64)> {
        let planned = branches.next().is_some();
        if !planned && !branches.is_fresh() {
            return None;
        }
        if !planned {
            self.policy.choose(&mut self.explorer, branches);
        }
        let (index, &Planned { mover, choice, .. }) = branches.next()?;
        let run = &self.explorer.run;
        let movable = run.can_move(mover) && !branches.stuck.contains(&mover);
        if !movable || !has_choice(run.machine(), run.state(), mover, choice) {
            // Not as foreseen: then everything that is possible here.
            branches.give_up(index);
            plan_all(&mut self.explorer, branches);
            return self.pick(branches);
        }
        Some((index, mover, choice))
    }

    /// Counts an execution from whose last node no step is taken.
    fn count(&mut self, branches: &Branches) -> Result<(), Found> {
        if movable(&mut self.explorer, branches).next().is_none() {
            return self.explorer.count_execution(!branches.stuck.is_empty());
        }
        self.explorer.tally.blocked += 1;
        Ok(())
    }

    fn over(&mut self, ended: bool) {
        self.policy.over(&self.explorer.run, &self.path, &self.taken, ended);
        if self.crew.is_hungry() {
            self.give();
        }
        self.report();
    }

    /// Comes back to the last node of the path.
    fn back(&mut self) {
        let Some(index) = self.taken.pop() else { return };
        self.back_to(self.taken.len());
        is_closed(&self.path, &self.taken);
        self.path[self.taken.len()].lock().leave(index);
    }

    fn back_to(&mut self, steps: usize) {
        self.explorer.run.back_to(steps);
        self.policy.back_to(steps);
    }

    /// Leaves all that is left to do here to the next worker that takes a job.
    fn hand_over(&mut self) {
        let (path, taken) = (std::mem::take(&mut self.path), std::mem::take(&mut self.taken));
        let Some(node) = path.last() else { return };
        node.lock().hand_over();
        let steps = self.steps(taken.len());
        self.crew.give(Job { path, taken, steps });
    }

    /// The first steps of the execution.
    fn steps(&self, count: usize) -> Vec<(Mover, u64)> {
        let step = |taken: &Taken| (taken.mover, taken.choice);
        self.explorer.run.steps()[..count].iter().map(step).collect()
    }

    /// Sends workers that wait to the highest node that has a branch for them.
    fn give(&self) {
        let Some(last) = self.path.iter().position(|node| node.lock().send()) else { return };
        let steps = self.steps(last);
        let (path, taken) = (self.path[..=last].to_vec(), self.taken[..last].to_vec());
        path.iter().zip(&taken).for_each(|(node, index)| node.lock().join(*index));
        self.crew.give(Job { path, taken, steps });
    }

    fn report(&mut self) {
        let tally = &self.explorer.tally;
        let (executions, transitions) = self.counted;
        let (states, all) = self.crew.count(tally.executions - executions, tally.transitions - transitions);
        self.counted = (tally.executions, tally.transitions);
        let Some(progress) = self.progress else { return };
        let depth = self.explorer.run.steps().len() as u64;
        progress.set(Counts { states, transitions: all, depth });
        if tally.executions.is_multiple_of(ESTIMATE_EVERY) {
            let left = left(states, explored([self.path.as_slice()]));
            progress.set_left(left.map(|left| left as u64));
        }
    }
}

/// What can move from a node, ascending.
pub fn movable(explorer: &mut Explorer<'_>, branches: &Branches) -> impl Iterator<Item = Mover> {
    explorer.movers().filter(|mover| !branches.stuck.contains(mover))
}

/// Has all run that can move and do not sleep.
fn plan_all(explorer: &mut Explorer<'_>, branches: &mut Branches) {
    let movable: Movers = movable(explorer, branches).collect();
    for mover in movable {
        if !branches.has(mover) && !branches.sleep.iter().any(|step| step.mover == mover) {
            let footprint = Footprint { global: true, ..Footprint::default() };
            branches.extend([Planned { mover, choice: 0, footprint }]);
        }
    }
}
