//! Counterexamples of the layered search, found backwards.
//!
//! No state remembers how it was reached; that would cost more than the state
//! itself, since with exact bookkeeping each incoming thread has a parent of
//! its own. Instead the visits that can have led to a state are taken again:
//! those of the bucket before or, at the beginning of a layer, of the layers
//! before. Each visit is taken again at most twice, for one thread each, so
//! that a counterexample costs less than finding its fault did.
//!
//! Among several predecessors the smallest in the order of canonical forms is
//! taken: the counterexample does not depend on the order of the search.

use std::ops::Range;

use machine::{Mover, ThreadId};

use crate::csdr::{Explored, arrival};
use crate::found::{Candidate, Choice};
use crate::log::Visit;
use crate::parallel::{Pool, with_pool};
use crate::worker::{Next, Opened, Shared, Worker};
use store::StateId;

/// A visit as a path passes it: a state, a thread that led to it, and the bucket
/// where that was so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arrival {
    state: StateId,
    thread: ThreadId,
    bucket: usize,
}

/// A step that leads from one arrival to another.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: Arrival,
    step: Choice,
}

/// The index of the smallest of some faults.
pub fn smallest(shared: &Shared<'_>, candidates: &[Candidate]) -> Option<usize> {
    let key = |(_, c): &(usize, &Candidate)| (canonical(shared, c.state), c.key());
    candidates.iter().enumerate().min_by_cached_key_of(key).map(|(index, _)| index)
}

/// The steps from the initial state to a fault.
pub fn steps(search: &Explored<'_>, fault: Candidate) -> Vec<Choice> {
    let mut steps: Vec<Choice> =
        fault.mover.map(|mover| Choice { mover, choice: fault.choice }).into_iter().collect();
    let mut arrival = last_arrival(search, fault);
    let scanner = |_| Scanner { worker: Worker::new(search.shared), links: Vec::new() };
    let mut scanners: Vec<Scanner<'_>> = (0..search.shared.task.budget.threads()).map(scanner).collect();
    let scan = |scanner: &mut Scanner<'_>, scan: &Scan, range: Range<usize>| {
        scan.visits[range].iter().for_each(|visit| scanner.try_visit(search, scan, *visit));
    };
    with_pool(&mut scanners, scan, |pool| {
        let finder = Finder { search, pool };
        while let Some(link) = finder.predecessor(arrival) {
            steps.push(link.step);
            arrival = link.from;
        }
    });
    steps.reverse();
    fault.complete(search.shared, steps)
}

/// Where the fault's step starts: with its own thread as the incoming one if
/// it stays in the layer, as early in the layer as can be if it leaves it.
fn last_arrival(search: &Explored<'_>, fault: Candidate) -> Arrival {
    let (log, sets) = (&search.log, &search.known.sets);
    let layer = search.known.layer(fault.state).expect("a faulty state was reached");
    let incoming = search.known.incoming(fault.state);
    let staying = fault.mover.map(Mover::thread).filter(|thread| sets.contains(incoming, *thread));
    let find = |bucket| {
        let leads = |visit: &Visit| staying.is_none_or(|thread| sets.contains(visit.fresh, thread));
        let visit =
            log.visits(bucket).into_iter().find(|visit| visit.state == fault.state && leads(visit))?;
        Some((bucket, visit.fresh))
    };
    let (bucket, fresh) = log.buckets_of(layer).find_map(find).expect("a faulty state was visited");
    let thread = staying.unwrap_or_else(|| sets.members(fresh)[0]);
    Arrival { state: fault.state, thread, bucket }
}

/// The visits of a bucket, among whose steps one is looked for that leads to an
/// arrival and costs this many switches.
struct Scan {
    bucket: usize,
    visits: Vec<Visit>,
    to: Arrival,
    switches: usize,
}

struct Scanner<'a> {
    worker: Worker<'a>,
    links: Vec<Link>,
}

struct Finder<'p, 'scope, 'env, 'a> {
    search: &'a Explored<'a>,
    pool: &'p Pool<'scope, 'env, Scanner<'a>, Scan>,
}

impl Finder<'_, '_, '_, '_> {
    /// The smallest step that leads to an arrival; none to the initial one.
    fn predecessor(&self, to: Arrival) -> Option<Link> {
        let log = &self.search.log;
        let layer = log.layer(to.bucket);
        match log.previous(to.bucket) {
            Some(bucket) => self.scan(to, bucket..bucket + 1, 0),
            None => {
                for switches in (1..=layer.min(2)).rev() {
                    self.scan(to, log.buckets_of(layer - switches), switches as usize);
                }
            }
        }
        let links: Vec<Link> = self.pool.workers().flat_map(|mut s| std::mem::take(&mut s.links)).collect();
        let shared = self.search.shared;
        let key = |l: &Link| (canonical(shared, l.from.state), l.step.mover, l.step.choice, l.from.bucket);
        let link = links.into_iter().min_by_cached_key_of(key);
        assert!(link.is_some() || layer == 0, "a state in layer {layer} was reached from nowhere");
        link
    }

    /// Collects the steps from the visits of some buckets that lead to an arrival
    /// and cost this many switches.
    fn scan(&self, to: Arrival, buckets: Range<usize>, switches: usize) {
        for bucket in buckets {
            let visits = self.search.log.visits(bucket);
            let count = visits.len();
            self.pool.run(Scan { bucket, visits, to, switches }, count);
        }
    }
}

impl Scanner<'_> {
    /// Takes the steps of a visit again.
    fn try_visit(&mut self, search: &Explored<'_>, scan: &Scan, visit: Visit) {
        let Scan { bucket, to, switches, .. } = *scan;
        let sets = &search.known.sets;
        // Unless they are renamed, threads have the same number before and after.
        let renamed = search.shared.symmetry;
        if switches == 0 && !renamed && !sets.contains(visit.fresh, to.thread) {
            return;
        }
        let incoming = search.known.incoming(visit.state);
        let opened = self.worker.open(visit.state);
        let next_started = ThreadId(opened.loaded.threads() as u32);
        for mover in opened.movers() {
            let Mover::Thread(thread) = mover else {
                self.try_buffer(search, scan, visit, (&opened, mover));
                continue;
            };
            let stays = sets.contains(incoming, thread);
            let fresh = sets.contains(visit.fresh, thread);
            // The thread itself leads there, or one that starts it.
            let leads = renamed || thread == to.thread || next_started == to.thread;
            if !leads || stays != fresh {
                continue;
            }
            for choice in 0..self.worker.choices(&opened, mover) {
                let next = self.worker.step(&opened, mover, choice, true);
                let Next::State { tree, moved, started } = next else { continue };
                let starts_switch = search.shared.starts_switch;
                if arrival(starts_switch, moved, stays, started) == (to.thread, switches)
                    && search.shared.store.find(tree) == Some(to.state)
                {
                    let by = if stays { thread } else { sets.members(visit.fresh)[0] };
                    let from = Arrival { state: visit.state, thread: by, bucket };
                    self.links.push(Link { from, step: Choice { mover, choice } });
                }
            }
        }
    }

    /// Takes the steps of a store buffer again, after which the same thread has the
    /// processor as before.
    fn try_buffer(
        &mut self,
        search: &Explored<'_>,
        scan: &Scan,
        visit: Visit,
        (opened, mover): (&Opened, Mover),
    ) {
        let Scan { bucket, to, switches, .. } = *scan;
        if switches > 0 || !search.known.sets.contains(visit.fresh, to.thread) {
            return;
        }
        for choice in 0..self.worker.choices(opened, mover) {
            let next = self.worker.step(opened, mover, choice, true);
            if let Next::State { tree, .. } = next
                && search.shared.store.find(tree) == Some(to.state)
            {
                let from = Arrival { state: visit.state, thread: to.thread, bucket };
                self.links.push(Link { from, step: Choice { mover, choice } });
            }
        }
    }
}

fn canonical(shared: &Shared<'_>, state: StateId) -> Vec<u8> {
    let mut bytes = Vec::new();
    let loaded = shared.store.load(state);
    shared.machine().canonical(shared.store.state(&loaded), &mut bytes);
    bytes
}

/// Like `min_by_key`, but asks for each key once.
trait MinByCachedKey: Iterator + Sized {
    fn min_by_cached_key_of<K: Ord>(self, key: impl Fn(&Self::Item) -> K) -> Option<Self::Item> {
        self.map(|item| (key(&item), item)).min_by(|a, b| a.0.cmp(&b.0)).map(|(_, item)| item)
    }
}

impl<I: Iterator> MinByCachedKey for I {}
