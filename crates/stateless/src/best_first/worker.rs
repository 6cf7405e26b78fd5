//! A worker: runs executions, and finds which others there are.

use std::hash::{Hash, Hasher};

use engine::{Counts, Cut, Task};
use machine::ThreadId;
use rustc_hash::FxHasher;

use crate::abandoned;
use crate::best_first::Settings;
use crate::best_first::analysis::{Analysis, Demand};
use crate::best_first::shared::{Discovery, Job, Shared};
use crate::best_first::tree::{Delta, NodeId};
use crate::guided::{Advance, Guided};
use crate::livelock;
use crate::order::Order;
use crate::priority::{Backtrack, Hierarchy};
use crate::tally::{Found, Tally};

/// A worker.
pub struct Worker<'a> {
    guided: Guided<'a>,
    order: Order,
    /// How the execution that was run last departs from the default.
    deltas: Vec<Delta>,
    settings: &'a Settings,
    hierarchy: &'a Hierarchy,
    shared: &'a Shared,
    /// Where to say how far the search is.
    progress: Option<&'a engine::Progress>,
}

impl<'a> Worker<'a> {
    /// At the beginning.
    pub fn new(
        task: &'a Task<'a>,
        settings: &'a Settings,
        hierarchy: &'a Hierarchy,
        shared: &'a Shared,
        progress: Option<&'a engine::Progress>,
    ) -> Worker<'a> {
        let guided = Guided::new(task);
        Worker { guided, order: Order::default(), deltas: Vec::new(), settings, hierarchy, shared, progress }
    }

    /// Runs executions until none is left, or a violation or the budget ends it.
    pub fn run(mut self) -> (Tally, Option<Found>) {
        let mut found = None;
        while let Some(job) = self.shared.next() {
            found = self.execute(&job).err();
            if found.is_some() {
                self.shared.stop();
                break;
            }
        }
        (self.guided.explorer.tally, found)
    }

    /// Figure 4, lines 5 to 13.
    fn execute(&mut self, job: &Job) -> Result<(), Found> {
        let ended = self.follow(&job.path)?;
        let new = job.path.last().map_or(0, |(_, delta)| delta.step());
        let analysis = Analysis::of(&self.guided, &self.order, new, ended);
        let (found, beyond_bound, unkept) = self.discover(job, new, &analysis);
        if let Some(step) = unkept {
            let tally = &mut self.guided.explorer.tally;
            let run = &self.guided.explorer.run;
            let at = run.machine().position(run.state_before(step), run.steps()[step].thread());
            let what = "more than 4,294,967,295 data choices of one step".to_owned();
            tally.cut(Cut::Unsupported { what, at });
        }
        self.guided.explorer.tally.executions += 1;
        let (executions, left) = self.shared.finish(job, found, self.preemptions(job), beyond_bound);
        if let Some(progress) = self.progress {
            let (transitions, depth) = (self.guided.explorer.tally.transitions, self.guided.steps() as u64);
            progress.set(Counts { states: executions, transitions, depth });
            if left.is_some() {
                progress.set_left(left);
            }
        }
        Ok(())
    }

    /// The preemptions up to where the execution departs from its parent's.
    fn preemptions(&self, job: &Job) -> u32 {
        let departs = |(_, delta): &(NodeId, Delta)| {
            let point = self.guided.points().get(delta.step());
            point.map_or(0, |point| point.preemptions_with(delta.thread()))
        };
        job.path.last().map_or(0, departs)
    }

    /// Runs an execution, from where it departs from the last one. Whether a
    /// step ended it.
    fn follow(&mut self, path: &[(NodeId, Delta)]) -> Result<bool, Found> {
        let same = self.deltas.iter().zip(path).take_while(|(a, (_, b))| same(**a, *b)).count();
        let departs = [self.deltas.get(same).copied(), path.get(same).map(|(_, delta)| *delta)];
        let keep = departs.iter().flatten().map(|delta| delta.step()).min().unwrap_or(0);
        let keep = if self.settings.restart { 0 } else { keep.min(self.guided.steps()) };
        self.guided.explorer.tally.restored += keep as u64;
        self.guided.back_to(keep);
        self.order.back_to(keep);
        self.deltas = path.iter().map(|(_, delta)| *delta).collect();
        loop {
            let point = self.guided.point();
            let step = self.guided.steps();
            // A data choice departs where the thread was chosen before.
            let planned = self.deltas.iter().rfind(|delta| delta.step() == step);
            let Some(thread) = planned.map(|delta| delta.thread()).or_else(|| point.default_thread()) else {
                let explorer = &mut self.guided.explorer;
                abandoned::look(&explorer.run, &mut explorer.tally)?;
                livelock::look(&self.guided.explorer.run, || self.guided.rounds())?;
                return Ok(false);
            };
            let choice = planned.map_or(0, |delta| delta.choice());
            if self.guided.explorer.is_too_long() {
                return Ok(false);
            }
            let progress = self.guided.step(point, thread, choice)?;
            if self.guided.steps() == step {
                return Ok(false);
            }
            self.order.push(&self.guided.explorer.run);
            if let Advance::Over = progress {
                return Ok(true);
            }
        }
    }

    /// The executions that this one leads to; whether there are others beyond the
    /// bound; and a step from which others depart whose numbers are too large to
    /// be kept.
    fn discover(&self, job: &Job, new: usize, analysis: &Analysis) -> (Vec<Discovery>, bool, Option<usize>) {
        let (found, beyond_bound, unkept) = (Vec::new(), false, None);
        let mut finder = Finder { worker: self, job, analysis, new, found, beyond_bound, unkept };
        finder.data_choices();
        match self.settings.preemption_bound {
            Some(bound) => finder.within(bound),
            None => finder.by_reduction(),
        }
        (finder.found, finder.beyond_bound, finder.unkept)
    }
}

fn same(a: Delta, b: Delta) -> bool {
    (a.step(), a.thread(), a.choice()) == (b.step(), b.thread(), b.choice())
}

struct Finder<'a> {
    worker: &'a Worker<'a>,
    job: &'a Job,
    analysis: &'a Analysis,
    /// The first step that the parent's execution does not have.
    new: usize,
    found: Vec<Discovery>,
    beyond_bound: bool,
    unkept: Option<usize>,
}

impl Finder<'_> {
    /// Figure 4, lines 17 to 26. The other threads at the first new step are
    /// the parent's.
    fn within(&mut self, bound: u32) {
        let guided = &self.worker.guided;
        let first = if self.job.path.is_empty() { 0 } else { self.new + 1 };
        for step in first..guided.steps() {
            let (point, taken) = (&guided.points()[step], &guided.explorer.run.steps()[step]);
            for thread in point.enabled.iter().copied().filter(|thread| *thread != taken.thread()) {
                if point.preemptions_with(thread) <= bound {
                    let asked = self.analysis.demand_of(step, thread) as u32;
                    self.add(self.job.node, step, thread, 0, asked, false);
                } else {
                    self.beyond_bound = true;
                }
            }
        }
        // What was found before may be more urgent than it seemed.
        for (step, thread, demand) in self.analysis.demands() {
            if step < first && guided.points()[step].preemptions_with(thread) <= bound {
                let owner = self.owner(step);
                self.move_up(owner, step, thread, demand);
            }
        }
    }

    /// Figure 4, lines 27 to 41.
    fn by_reduction(&mut self) {
        for (step, thread, demand) in self.analysis.demands() {
            if self.worker.guided.explorer.run.steps()[step].thread() != thread {
                let owner = self.owner(step);
                self.add(owner, step, thread, 0, demand as u32, true);
            }
        }
    }

    /// The other data choices of the new steps that took the first one.
    fn data_choices(&mut self) {
        let guided = &self.worker.guided;
        for step in self.new..guided.steps() {
            let (point, taken) = (&guided.points()[step], &guided.explorer.run.steps()[step]);
            if taken.choice == 0 {
                let asked = Demand::Required as u32;
                (1..point.choices).for_each(|choice| {
                    self.add(self.job.node, step, taken.thread(), choice, asked, false);
                });
            }
        }
    }

    /// Whose execution is the first that has this step: the last on the path
    /// that departs before it.
    fn owner(&self, step: usize) -> NodeId {
        let earlier = self.job.path.iter().rposition(|(_, delta)| delta.step() < step);
        match earlier {
            Some(index) => self.job.path[index].0,
            None => self.job.root,
        }
    }

    fn add(&mut self, owner: NodeId, step: usize, thread: ThreadId, choice: u64, asked: u32, known: bool) {
        match Delta::new(step, thread, choice) {
            Some(delta) => {
                let discovery = self.discovery(owner, delta, asked);
                self.found.push(Discovery { known, ..discovery });
            }
            None => self.unkept = Some(step),
        }
    }

    fn move_up(&mut self, owner: NodeId, step: usize, thread: ThreadId, demand: Demand) {
        if let Some(delta) = Delta::new(step, thread, 0) {
            let discovery = self.discovery(owner, delta, demand as u32);
            self.found.push(Discovery { known: true, add: false, ..discovery });
        }
    }

    fn discovery(&self, owner: NodeId, delta: Delta, asked: u32) -> Discovery {
        let (step, thread) = (delta.step(), delta.thread());
        let execution = &self.worker.guided;
        let identity = self.identity(delta);
        let backtrack = Backtrack { execution, analysis: self.analysis, step, thread, identity };
        let cost = self.worker.hierarchy.cost(&backtrack);
        let preemptions = execution.points()[step].preemptions_with(thread);
        Discovery { owner, delta, cost, asked, preemptions, known: false, add: true }
    }

    fn identity(&self, delta: Delta) -> u64 {
        let mut hasher = FxHasher::default();
        let before = self.worker.deltas.iter().take_while(|other| other.step() < delta.step());
        for delta in before.chain([&delta]) {
            (delta.step(), delta.thread(), delta.choice()).hash(&mut hasher);
        }
        hasher.finish()
    }
}
