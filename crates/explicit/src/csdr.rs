//! Context-switch-directed reachability (the paper's Algorithm 1).
//!
//! States lie in layers by the fewest context switches that lead to them. A
//! layer is explored completely before the next: steps of an incoming thread
//! stay in the layer (line 17), steps of others lead to the next one (line 15).
//!
//! What counts as a context switch:
//! - a step of a thread that is not the incoming one, whether or not that one
//!   could have gone on (a blocked thread forces a switch, which counts);
//! - starting a thread, which takes the processor to the new thread (section
//!   3.4): the state after it lies one layer further, with the new thread as
//!   the incoming one. If the creator is to go on, that is another switch.
//!   (DIVINE executes that switch. Here it is a matter of counting, and can be
//!   left out: [`crate::Options::starts_switch`].)
//!
//! A step of a store buffer is no switch: the same threads have the processor
//! before and after it.
//!
//! Deviations from the paper:
//! - A layer is walked in buckets, by the number of steps since its beginning,
//!   and a bucket is finished before its faults are looked at. Which states a
//!   bucket holds then does not depend on the order within it, nor on the
//!   number of workers.
//! - Incoming threads are sets by default (see [`crate::incoming`]). A state
//!   that gets another incoming thread while its layer is explored is visited
//!   again, for that thread only: its step, first taken to lead to the next
//!   layer, now stays in this one.
//! - Of twins the first moves ([`crate::twins`]), without a switch if one of them has the
//!   processor: it takes the place of that one.
//! - The list of the next layer is kept instead of being gathered from the
//!   whole table (section 3.2).

use std::io;
use std::sync::Arc;
use std::time::Instant;

use engine::{Collected, Cut, Exceeded, Limit};
use machine::{Mover, ThreadId};
use serde::{Deserialize, Serialize};

use crate::backward;
use crate::checkpoint::{self, Progress};
use crate::found::{Candidate, Choice, Found};
use crate::incoming::{Bookkeeping, Known, MAX_LAYER, News, SetId, TooManySets};
use crate::log::{Log, Visit};
use crate::parallel::{Pool, with_pool};
use crate::spread::{Arriving, Pace, Spread, Visited};
use crate::worker::{Next, Opened, Shared, Tally, Worker};
use store::StateId;

/// How many layers a single step can cross: a switch to a thread that then
/// starts another is two switches.
const REACH: usize = 3;

/// How many races are made executions at most before the search goes on.
const MOST_TRIED: usize = 16;

/// How many states are expanded before their successors are put in.
const GROUP: usize = 16;

/// What is known of the layers explored so far.
pub struct Explored<'a> {
    /// What the workers share.
    pub shared: &'a Shared<'a>,
    /// What is known of each state.
    pub known: Arc<Known>,
    /// What was visited when.
    pub log: Log,
}

/// A search by layers.
pub struct Csdr<'a> {
    shared: &'a Shared<'a>,
    /// What is known so far.
    pub explored: Explored<'a>,
    /// New states per layer.
    pub layers: Vec<u64>,
    /// How many layers were explored completely.
    pub complete: u64,
    /// Whether all layers so far were explored completely.
    whole: bool,
    /// A race that has more switches than its last step shows, and how many:
    /// where the earlier step follows a start, it takes the processor back.
    postponed: Option<(u64, Vec<Choice>)>,
    workers: Vec<LayerWorker<'a>>,
    /// Where to go on, if it was interrupted.
    resumed: Option<Frontier>,
    /// Whether some process has faults of steps that stay in the layer, and of those that leave it.
    faulty: [bool; 2],
    pace: Pace,
}

struct LayerWorker<'a> {
    worker: Worker<'a>,
    /// What was found out, by how many layers further.
    news: [Vec<Item>; REACH],
    /// Faults of steps that stay in the layer, and of those that leave it.
    faults: [Vec<Candidate>; 2],
    overflow: bool,
    arriving: Vec<Arriving>,
    /// What belongs to other processes.
    outgoing: Vec<Vec<Arriving>>,
}

/// Work in a bucket of a layer.
struct Bucket {
    layer: u32,
    work: Work,
}

enum Work {
    /// Visits to be made.
    Visits(Vec<Due>),
    /// What other processes found.
    Arrivals(Vec<Arriving>),
}

/// The workers on the visits of a bucket.
type Buckets<'scope, 'env, 'a> = Pool<'scope, 'env, LayerWorker<'a>, Bucket>;

/// Where the search stands between two buckets.
#[derive(Default, Serialize, Deserialize)]
pub struct Frontier {
    layer: u32,
    /// How many buckets of the layer were explored.
    steps: u64,
    /// What leads into the next one.
    items: Vec<Item>,
    /// What leads into this layer and the next ones, as far as no bucket has it.
    ahead: [Vec<Item>; REACH],
}

impl Frontier {
    fn len(&self) -> usize {
        self.items.len() + self.ahead.iter().map(Vec::len).sum::<usize>()
    }

    /// Whether nothing leads further, and the last layer was left.
    fn is_over(&self) -> bool {
        self.steps == 0 && self.len() == 0
    }

    fn leave_layer(&mut self) {
        self.ahead.rotate_left(1);
        self.items.clear();
        (self.layer, self.steps) = (self.layer + 1, 0);
    }
}

/// That a thread leads to a state: the state, the thread, and whether the
/// state was in no such early layer before. Sorted by state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
struct Item(u64);

impl Item {
    fn new(state: StateId, thread: ThreadId, news: News) -> Item {
        Item(u64::from(state) << 32 | u64::from(thread.0) << 1 | u64::from(news == News::Layer))
    }

    fn state(self) -> StateId {
        (self.0 >> 32) as u32
    }

    fn thread(self) -> ThreadId {
        ThreadId(self.0 as u32 >> 1)
    }

    fn is_first(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A visit to be made.
#[derive(Clone, Copy)]
struct Due {
    visit: Visit,
    /// Whether the state was not visited before.
    first: bool,
}

impl<'a> Csdr<'a> {
    /// Before the first state.
    pub fn new(shared: &'a Shared<'a>, bookkeeping: Bookkeeping) -> Csdr<'a> {
        let known = Arc::new(Known::new(bookkeeping).spilled(shared.spill));
        Csdr::on(Explored { shared, known, log: Log::default().spilled(shared.spill) })
    }

    fn on(explored: Explored<'a>) -> Csdr<'a> {
        let shared = explored.shared;
        let worker = |_| LayerWorker {
            worker: Worker::new(shared),
            news: Default::default(),
            faults: Default::default(),
            overflow: false,
            arriving: Vec::new(),
            outgoing: (0..shared.spread.map_or(0, Spread::count)).map(|_| Vec::new()).collect(),
        };
        let workers = (0..shared.task.budget.threads()).map(worker).collect();
        Csdr {
            shared,
            explored,
            layers: Vec::new(),
            complete: 0,
            whole: true,
            postponed: None,
            workers,
            resumed: None,
            faulty: [true; 2],
            pace: Pace::new(),
        }
    }

    /// Explores layer by layer (Algorithm 1, lines 4 to 17).
    pub fn run(&mut self) -> Found {
        let known = Arc::clone(&self.explored.known);
        let mut workers = std::mem::take(&mut self.workers);
        let found = with_pool(
            &mut workers,
            |worker, Bucket { layer, work }: &Bucket, range| match work {
                Work::Visits(due) => worker.visit(&known, *layer, &due[range]),
                Work::Arrivals(arrivals) => worker.receive(&known, *layer, &arrivals[range]),
            },
            |pool| self.run_with(pool),
        );
        self.workers = workers;
        found
    }

    fn run_with(&mut self, pool: &Buckets<'_, '_, 'a>) -> Found {
        self.shared.task.progress.set_unit("layer");
        let mut at = self.resumed.take().unwrap_or_else(|| self.initial(pool));
        loop {
            let layer = u64::from(at.layer);
            self.shared.enter_layer(layer);
            match self.any(!at.is_over()) {
                Ok(true) => {}
                Ok(false) => return self.postponed_up_to(u64::MAX).unwrap_or(Found::Nothing),
                Err(exceeded) => return self.exceeded(exceeded),
            }
            if at.layer > MAX_LAYER {
                self.shared.stop_full();
            }
            if let Some(found) = self.layer(pool, &mut at) {
                return found;
            }
            at.leave_layer();
            if self.shared.task.bounds.context_switches == Some(layer) {
                return self.bounded(pool, layer, &mut at.ahead);
            }
        }
    }

    /// Whether something holds in some process. An error if the search has to stop.
    fn any(&self, here: bool) -> Result<bool, Exceeded> {
        match self.shared.spread {
            None => self.shared.stopped().map_or(Ok(here), Err),
            Some(spread) => Ok(spread.all(self.shared, here)?.contains(&true)),
        }
    }

    /// How the search ends that has to stop.
    fn exceeded(&mut self, exceeded: Exceeded) -> Found {
        self.postponed_up_to(u64::MAX).unwrap_or(Found::Exceeded(exceeded))
    }

    fn initial(&mut self, pool: &Buckets<'_, '_, 'a>) -> Frontier {
        let first = pool.first().worker.initial_tree();
        if self.shared.spread.is_some_and(|spread| spread.elsewhere(self.shared, first).is_some()) {
            return Frontier::default();
        }
        let id = pool.first().worker.initial();
        let main = ThreadId(0);
        let news = self.explored.known.reach(id, 0, main).expect("the first set has a number");
        let first = vec![Item::new(id, main, news)];
        Frontier { ahead: [first, Vec::new(), Vec::new()], ..Frontier::default() }
    }

    /// Explores one layer from what leads into it, or the rest of it.
    fn layer(&mut self, pool: &Buckets<'_, '_, 'a>, at: &mut Frontier) -> Option<Found> {
        let layer = at.layer;
        if at.steps == 0 {
            at.items = std::mem::take(&mut at.ahead[0]);
            at.items.retain(|item| self.explored.known.layer(item.state()) == Some(layer));
            self.layers.push(0);
        }
        let mut any = match self.any(!at.items.is_empty()) {
            Ok(any) => any,
            Err(exceeded) => return Some(self.exceeded(exceeded)),
        };
        while any {
            if self.shared.task.bounds.depth == Some(at.steps) {
                pool.first().worker.tally.cut(Cut::Depth(Limit::asked(at.steps)));
                self.whole = false;
                break;
            }
            at.steps += 1;
            self.shared.enqueue(at.len());
            self.bucket(pool, layer, std::mem::take(&mut at.items));
            at.items = gather(pool, &mut at.ahead);
            any = match self.any(!at.items.is_empty()) {
                Ok(any) => any,
                Err(exceeded) => return Some(self.exceeded(exceeded)),
            };
            if let Some(found) = self.fault(pool, u64::from(layer), 0) {
                return Some(found);
            }
            self.checkpoint(pool, at);
        }
        self.complete += u64::from(self.whole);
        let bound = self.shared.task.bounds.context_switches;
        if bound == Some(u64::from(layer)) { None } else { self.fault(pool, u64::from(layer), 1) }
    }

    /// Writes down where the search stands, if that is asked for and due.
    fn checkpoint(&self, pool: &Buckets<'_, '_, 'a>, at: &mut Frontier) {
        let Some(checkpoints) = self.shared.checkpoints.filter(|checkpoints| checkpoints.is_due()) else {
            return;
        };
        let mut tally = Tally::default();
        pool.workers().for_each(|worker| tally.add(worker.worker.tally.clone()));
        let progress = Progress {
            frontier: std::mem::take(at),
            layers: self.layers.clone(),
            complete: self.complete,
            whole: self.whole,
            postponed: self.postponed.clone(),
            faults: pool.workers().flat_map(|worker| worker.faults[1].clone()).collect(),
            tally: (&tally).into(),
        };
        checkpoints.save(&mut |out| checkpoint::write(&self.explored, &progress, out));
        *at = progress.frontier;
    }

    /// The search that goes on from a checkpoint.
    pub fn resumed(explored: Explored<'a>, progress: Progress) -> io::Result<Csdr<'a>> {
        let mut search = Csdr::on(explored);
        let first = &mut search.workers[0];
        first.worker.tally = progress.tally.resumed()?;
        first.faults[1] = progress.faults;
        Ok(Csdr {
            layers: progress.layers,
            complete: progress.complete,
            whole: progress.whole,
            postponed: progress.postponed,
            resumed: Some(progress.frontier),
            ..search
        })
    }

    /// Nothing beyond the bound is followed; it may be that there is nothing.
    fn bounded(&mut self, pool: &Buckets<'_, '_, 'a>, bound: u64, ahead: &mut [Vec<Item>; REACH]) -> Found {
        let known = &self.explored.known;
        let beyond = |item: &Item| known.layer(item.state()).is_some_and(|layer| u64::from(layer) > bound);
        let cut = ahead.iter().flatten().any(beyond) || pool.workers().any(|w| !w.faults[1].is_empty());
        let cut = match self.any(cut) {
            Ok(cut) => cut,
            Err(exceeded) => return self.exceeded(exceeded),
        };
        if cut || self.postponed.is_some() {
            pool.first().worker.tally.cut(Cut::ContextSwitches(Limit::asked(bound)));
        }
        Found::Nothing
    }

    /// Makes all visits of one bucket.
    fn bucket(&mut self, pool: &Buckets<'_, '_, 'a>, layer: u32, mut items: Vec<Item>) {
        items.sort_unstable();
        let mut due = Vec::with_capacity(items.len());
        for same in items.chunk_by(|a, b| a.state() == b.state()) {
            let fresh = same
                .iter()
                .try_fold(SetId::EMPTY, |set, item| self.explored.known.sets.with(set, item.thread()));
            let Ok(fresh) = fresh else { return self.shared.stop_full() };
            let first = same.iter().any(|item| item.is_first());
            due.push(Due { visit: Visit { state: same[0].state(), fresh }, first });
        }
        drop(items);
        self.explored.log.add(layer, due.iter().map(|due| due.visit));
        *self.layers.last_mut().expect("a layer has begun") +=
            due.iter().filter(|due| due.first).count() as u64;
        let visits = due.len();
        match self.shared.spread {
            None => pool.run(Bucket { layer, work: Work::Visits(due) }, visits),
            Some(spread) => self.rounds(pool, spread, layer, &due),
        }
        if pool.workers().any(|worker| worker.overflow) {
            self.shared.stop_full();
        }
        if let Some(transactions) = self.shared.transactions {
            let mut workers: Vec<_> = pool.workers().collect();
            if !transactions.learn(workers.iter_mut().map(|worker| &mut worker.worker.seen)) {
                self.shared.stop(Exceeded::Cancelled);
            }
        }
    }

    /// Makes the visits of this process in rounds, until no process has more.
    fn rounds(&mut self, pool: &Buckets<'_, '_, 'a>, spread: &Spread<'_>, layer: u32, due: &[Due]) {
        let mut left = due;
        loop {
            let (now, later) = left.split_at(self.pace.visits().min(left.len()));
            let begun = Instant::now();
            pool.run(Bucket { layer, work: Work::Visits(now.to_vec()) }, now.len());
            self.pace.learn(now.len(), begun);
            left = later;
            let found = |which: usize| pool.workers().any(|worker| !worker.faults[which].is_empty());
            let own = Visited { more: !left.is_empty(), faults: [found(0), found(1)] };
            // If the search has to stop, that is heard once more when the bucket is over.
            let Ok((all, arrived)) = spread.round(self.shared, own, outgoing(pool, spread)) else { return };
            let count = arrived.len();
            pool.run(Bucket { layer, work: Work::Arrivals(arrived) }, count);
            self.faulty = [0, 1].map(|which| all.iter().any(|visited| visited.faults[which]));
            if all.iter().all(|visited| !visited.more) {
                return;
            }
        }
    }

    /// The counterexample, if there are faults. The smallest in an order that
    /// does not depend on numbers given on the way.
    fn fault(&mut self, pool: &Buckets<'_, '_, 'a>, layer: u64, leaving: usize) -> Option<Found> {
        let most = layer + leaving as u64;
        if !self.faulty[leaving] {
            return self.postponed_up_to(most);
        }
        let mut all: Vec<Candidate> =
            pool.workers().flat_map(|mut w| std::mem::take(&mut w.faults[leaving])).collect();
        if let Some(collected) = self.shared.collected {
            return self.collect(pool, collected, all).err().map(Found::Exceeded);
        }
        for _ in 0..MOST_TRIED {
            let (race, steps) = match self.smallest(&mut all) {
                Ok(Some(smallest)) => smallest,
                Ok(None) => break,
                Err(exceeded) => return Some(self.exceeded(exceeded)),
            };
            let switches = if race { self.shared.switches(&steps) } else { 0 };
            if switches <= most {
                return Some(Found::Violation(steps));
            }
            if self.postponed.as_ref().is_none_or(|(fewest, _)| switches < *fewest) {
                self.postponed = Some((switches, steps));
            }
        }
        pool.first().faults[1 - leaving].append(&mut all);
        self.faulty[1 - leaving] = true;
        self.postponed_up_to(most)
    }

    /// Collects faults, the smallest first, until the others are known by then.
    fn collect(
        &self,
        pool: &Buckets<'_, '_, 'a>,
        collected: &Collected,
        mut faults: Vec<Candidate>,
    ) -> Result<(), Exceeded> {
        loop {
            faults.retain(|fault| !pool.first().worker.news_of(fault).is_empty());
            let Some(fault) = backward::smallest(&self.explored, &mut faults)? else { return Ok(()) };
            let met = pool.first().worker.news_of(&fault.candidate);
            self.shared.collect(collected, &met, &backward::steps(&self.explored, fault)?);
            self.shared.stopped().map_or(Ok(()), Err)?;
        }
    }

    /// Takes the smallest fault out. Yields whether it is a race, and the steps to it.
    fn smallest(&self, faults: &mut Vec<Candidate>) -> Result<Option<(bool, Vec<Choice>)>, Exceeded> {
        let Some(fault) = backward::smallest(&self.explored, faults)? else { return Ok(None) };
        let race = fault.candidate.race.is_some();
        Ok(Some((race, backward::steps(&self.explored, fault)?)))
    }

    /// The race that was put off, if it has no more switches than this.
    fn postponed_up_to(&mut self, most: u64) -> Option<Found> {
        let (_, steps) = self.postponed.take_if(|(switches, _)| *switches <= most)?;
        Some(Found::Violation(steps))
    }

    /// All that was counted.
    pub fn into_tally(self) -> Tally {
        let mut all = Tally::default();
        self.workers.into_iter().for_each(|worker| all.add(worker.worker.tally));
        all
    }

    /// The bytes of what is kept besides the states.
    pub fn bytes(&self) -> u64 {
        let remembered: u64 = self.workers.iter().map(|worker| worker.worker.bytes()).sum();
        let spread = self.shared.spread.map_or(0, |spread| spread.bytes(self.shared));
        u64::from(self.shared.store.states()) * 4 + self.explored.log.bytes() + remembered + spread
    }
}

/// What the workers found out: for the next bucket, and for later layers.
fn gather(pool: &Buckets<'_, '_, '_>, ahead: &mut [Vec<Item>; REACH]) -> Vec<Item> {
    let mut next = Vec::new();
    for mut worker in pool.workers() {
        next.append(&mut worker.news[0]);
        for (ahead, news) in ahead.iter_mut().zip(&mut worker.news).skip(1) {
            ahead.append(news);
        }
    }
    next
}

/// What the workers found that belongs to other processes.
fn outgoing(pool: &Buckets<'_, '_, '_>, spread: &Spread<'_>) -> Vec<Vec<Arriving>> {
    let mut all: Vec<Vec<Arriving>> = (0..spread.count()).map(|_| Vec::new()).collect();
    for mut worker in pool.workers() {
        all.iter_mut().zip(&mut worker.outgoing).for_each(|(all, own)| all.append(own));
    }
    all
}

impl LayerWorker<'_> {
    fn visit(&mut self, known: &Known, layer: u32, due: &[Due]) {
        for group in due.chunks(GROUP) {
            if self.worker.must_stop() {
                return;
            }
            for due in group {
                self.expand(known, due);
            }
            self.send_away();
            if self.arrive(known, layer).is_err() {
                self.overflow = true;
            }
        }
    }

    /// Puts in what other processes found.
    fn receive(&mut self, known: &Known, layer: u32, arrivals: &[Arriving]) {
        for group in arrivals.chunks(GROUP) {
            self.arriving.extend(group);
            if self.arrive(known, layer).is_err() {
                self.overflow = true;
            }
        }
    }

    /// Sets apart what belongs to other processes.
    fn send_away(&mut self) {
        let shared = self.worker.shared;
        let Some(spread) = shared.spread else { return };
        self.arriving.retain(|arriving| {
            let elsewhere = spread.elsewhere(shared, arriving.tree);
            elsewhere.is_none_or(|owner| {
                self.outgoing[owner].push(*arriving);
                false
            })
        });
    }

    /// Takes the steps from a state (Algorithm 1, lines 10 to 17).
    fn expand(&mut self, known: &Known, due: &Due) {
        let id = due.visit.state;
        let from = self.worker.open(id);
        if due.first && self.worker.is_deadlocked(&from) {
            self.faults[0].push(Candidate::deadlock(id));
        }
        for mover in from.candidates() {
            let Mover::Thread(thread) = mover else {
                self.commit(known, due, &from, mover);
                continue;
            };
            let has_processor = |thread| known.sets.contains(due.visit.fresh, thread);
            let stays = from.holder(thread, has_processor).is_some();
            if !due.first && !stays {
                continue;
            }
            for choice in 0..self.worker.choices(&from, mover) {
                let next = self.worker.step(&from, mover, choice, !due.first);
                if !self.worker.news.is_empty() {
                    let fault = Candidate::step(id, Choice { mover, choice });
                    self.faults[usize::from(!stays)].push(fault);
                }
                if let Next::State { tree, moved, started, .. } = next {
                    let starts_switch = self.worker.shared.starts_switch;
                    let (thread, switches) = arrival(starts_switch, moved, stays, started);
                    self.arriving.push(Arriving { tree, thread, switches });
                }
            }
        }
        self.find_races(known, due, &from);
    }

    /// Takes the steps of a store buffer. They stay in the layer, and may be at fault: a thread
    /// that waited for its buffer goes on with the last one.
    fn commit(&mut self, known: &Known, due: &Due, from: &Opened, buffer: Mover) {
        for choice in 0..self.worker.choices(from, buffer) {
            let next = self.worker.step(from, buffer, choice, !due.first);
            if !self.worker.news.is_empty() {
                let fault = Candidate::step(due.visit.state, Choice { mover: buffer, choice });
                self.faults[0].push(fault);
            }
            if let Next::State { tree, .. } = next {
                let running = known.sets.members(due.visit.fresh);
                let arriving = running.iter().map(|thread| Arriving { tree, thread: *thread, switches: 0 });
                self.arriving.extend(arriving);
            }
        }
    }

    /// Looks for steps that race. Such a fault is one of the last step: the
    /// earlier one can be taken without a further switch.
    fn find_races(&mut self, known: &Known, due: &Due, from: &Opened) {
        for race in self.worker.racing(from) {
            let stays = known.sets.contains(due.visit.fresh, race.last);
            if due.first || stays {
                self.faults[usize::from(!stays)].push(Candidate::race(due.visit.state, race));
            }
        }
    }

    /// Puts in the states that the steps lead to.
    fn arrive(&mut self, known: &Known, layer: u32) -> Result<(), TooManySets> {
        self.worker.approach(self.arriving.iter().map(|arriving| arriving.tree));
        for Arriving { tree, thread, switches } in self.arriving.drain(..) {
            let (id, _) = self.worker.insert(tree);
            let news = known.reach(id, layer + switches as u32, thread)?;
            if news != News::Nothing {
                self.news[switches].push(Item::new(id, thread, news));
            }
        }
        Ok(())
    }
}

/// Which thread has the processor after a step, and how many switches the step
/// costs, where `stays` says whether the thread had it before and `started` is
/// the thread it started.
pub fn arrival(
    starts_switch: bool,
    thread: ThreadId,
    stays: bool,
    started: Option<ThreadId>,
) -> (ThreadId, usize) {
    let switch = usize::from(!stays);
    match started.filter(|_| starts_switch) {
        Some(started) => (started, switch + 1),
        None => (thread, switch),
    }
}
