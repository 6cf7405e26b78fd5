//! Breadth-first search: level by level, each state once. Counterexamples are
//! shortest in steps.
//!
//! A state remembers one parent, the first that came by; with several threads
//! the counterexample may differ from run to run, as in the paper's Table 2.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use engine::{Cut, Limit};

use crate::checkpoint::{self, Level};
use crate::found::{Candidate, Choice, Found};
use crate::parallel::{Pool, with_pool};
use crate::worker::{Next, Shared, Tally, Worker};
use store::Chunked;
use store::{StateId, Tree};

/// How many states are expanded before their successors are put in.
const GROUP: usize = 16;

/// The first parent of each state.
pub type Parents = Chunked<AtomicU32, 16>;

/// The workers on the states of a level.
type Levels<'scope, 'env, 'a> = Pool<'scope, 'env, LevelWorker<'a>, Vec<StateId>>;

/// A breadth-first search.
pub struct Bfs<'a> {
    shared: &'a Shared<'a>,
    parents: Arc<Parents>,
    workers: Vec<LevelWorker<'a>>,
    /// How many levels were explored.
    pub levels: u64,
    /// The states to go on with, if it was interrupted.
    resumed: Option<Vec<StateId>>,
}

struct LevelWorker<'a> {
    worker: Worker<'a>,
    new: Vec<StateId>,
    faults: Vec<Candidate>,
    /// States that are reached, each with the one it is reached from.
    arriving: Vec<(StateId, Tree)>,
}

impl<'a> Bfs<'a> {
    /// Before the first state.
    pub fn new(shared: &'a Shared<'a>) -> Bfs<'a> {
        let worker = |_| LevelWorker {
            worker: Worker::new(shared),
            new: Vec::new(),
            faults: Vec::new(),
            arriving: Vec::new(),
        };
        let workers = (0..shared.task.budget.threads()).map(worker).collect();
        let parents = Arc::new(Parents::new().spilled(shared.spill));
        Bfs { shared, parents, workers, levels: 0, resumed: None }
    }

    /// The search that goes on from a checkpoint.
    pub fn resumed(shared: &'a Shared<'a>, parents: Parents, level: Level) -> io::Result<Bfs<'a>> {
        let mut search = Bfs::new(shared);
        search.workers[0].worker.tally = level.tally.resumed()?;
        let (parents, resumed) = (Arc::new(parents), Some(level.states));
        Ok(Bfs { parents, levels: level.levels, resumed, ..search })
    }

    /// Writes down where the search stands, if that is asked for and due.
    fn checkpoint(&self, pool: &Levels<'_, '_, 'a>, states: &mut Vec<StateId>) {
        let Some(checkpoints) = self.shared.checkpoints.filter(|checkpoints| checkpoints.is_due()) else {
            return;
        };
        let mut tally = Tally::default();
        pool.workers().for_each(|worker| tally.add(worker.worker.tally.clone()));
        let level = Level { states: std::mem::take(states), levels: self.levels, tally: (&tally).into() };
        checkpoints.save(&mut |out| checkpoint::write_level(self.shared, &self.parents, &level, out));
        *states = level.states;
    }

    /// Explores level by level.
    pub fn run(&mut self) -> Found {
        let parents = Arc::clone(&self.parents);
        let mut workers = std::mem::take(&mut self.workers);
        let found = with_pool(
            &mut workers,
            |worker, level: &Vec<StateId>, range| worker.visit(&parents, &level[range]),
            |pool| self.run_with(pool),
        );
        self.workers = workers;
        found
    }

    fn run_with(&mut self, pool: &Levels<'_, '_, 'a>) -> Found {
        let mut level = self.resumed.take().unwrap_or_else(|| vec![pool.first().worker.initial()]);
        while !level.is_empty() {
            self.shared.enter_layer(self.levels);
            self.shared.enqueue(level.len());
            let states = level.len();
            pool.run(level, states);
            if let Some(exceeded) = self.shared.stopped() {
                return Found::Exceeded(exceeded);
            }
            let faults = pool.workers().flat_map(|mut worker| std::mem::take(&mut worker.faults));
            let mut faults: Vec<Candidate> = faults.collect();
            faults.sort_unstable_by_key(|fault| (fault.state, fault.key()));
            if let Some(found) = self.found(&mut pool.first(), faults) {
                return found;
            }
            level = pool.workers().flat_map(|mut worker| std::mem::take(&mut worker.new)).collect();
            self.levels += 1;
            if self.shared.task.bounds.depth == Some(self.levels) && !level.is_empty() {
                pool.first().worker.tally.cut(Cut::Depth(Limit::asked(self.levels)));
                break;
            }
            self.checkpoint(pool, &mut level);
        }
        Found::Nothing
    }

    /// What the search ends with because of some faults, if it does not go on past them.
    fn found(&self, worker: &mut LevelWorker<'_>, faults: Vec<Candidate>) -> Option<Found> {
        for fault in faults {
            let Some(collected) = self.shared.collected else {
                return Some(Found::Violation(self.steps(worker, fault)));
            };
            let met = worker.worker.news_of(&fault);
            if !met.is_empty() {
                self.shared.collect(collected, &met, &self.steps(worker, fault));
            }
        }
        self.shared.stopped().map(Found::Exceeded)
    }

    /// The steps from the initial state to a fault.
    fn steps(&self, worker: &mut LevelWorker<'_>, fault: Candidate) -> Vec<Choice> {
        let last = fault.mover.map(|mover| Choice { mover, choice: fault.choice });
        let mut steps: Vec<Choice> = last.into_iter().collect();
        let mut state = fault.state;
        // The initial state has number 0 and no parent.
        while state != 0 {
            let parent = self.parents.get(state).load(Ordering::Relaxed);
            steps.push(worker.step_to(parent, state));
            state = parent;
        }
        steps.reverse();
        fault.complete(self.shared, steps)
    }

    /// The bytes of what is kept besides the states.
    pub fn bytes(&self) -> u64 {
        let remembered: u64 = self.workers.iter().map(|worker| worker.worker.bytes()).sum();
        u64::from(self.shared.store.states()) * 4 + remembered
    }

    /// All that was counted.
    pub fn into_tally(self) -> Tally {
        let mut all = Tally::default();
        self.workers.into_iter().for_each(|worker| all.add(worker.worker.tally));
        all
    }
}

impl LevelWorker<'_> {
    fn visit(&mut self, parents: &Parents, states: &[StateId]) {
        for group in states.chunks(GROUP) {
            if self.worker.must_stop() {
                return;
            }
            group.iter().for_each(|id| self.expand(*id));
            self.worker.approach(self.arriving.iter().map(|(_, tree)| *tree));
            for (parent, tree) in self.arriving.drain(..) {
                let (id, new) = self.worker.insert(tree);
                if new {
                    parents.get(id).store(parent, Ordering::Relaxed);
                    self.new.push(id);
                }
            }
        }
    }

    fn expand(&mut self, id: StateId) {
        let from = self.worker.open(id);
        if self.worker.is_deadlocked(&from) {
            self.faults.push(Candidate::deadlock(id));
        }
        self.faults.extend(self.worker.racing(&from).into_iter().map(|race| Candidate::race(id, race)));
        for mover in from.candidates() {
            for choice in 0..self.worker.choices(&from, mover) {
                let next = self.worker.step(&from, mover, choice, false);
                if !self.worker.news.is_empty() {
                    self.faults.push(Candidate::step(id, Choice { mover, choice }));
                }
                if let Next::State { tree, .. } = next {
                    self.arriving.push((id, tree));
                }
            }
        }
    }

    /// The first step from one state to another.
    fn step_to(&mut self, from: StateId, to: StateId) -> Choice {
        let opened = self.worker.open(from);
        for mover in opened.candidates() {
            for choice in 0..self.worker.choices(&opened, mover) {
                if let Next::State { tree, .. } = self.worker.step(&opened, mover, choice, true)
                    && self.worker.shared.store.find(tree) == Some(to)
                {
                    return Choice { mover, choice };
                }
            }
        }
        unreachable!("a parent leads to its child")
    }
}
