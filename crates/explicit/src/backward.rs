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

use engine::Exceeded;
use machine::{Mover, Racing, ThreadId};
use serde::{Deserialize, Serialize};

use crate::csdr::{Explored, arrival};
use crate::found::{Candidate, Choice};
use crate::log::Visit;
use crate::parallel::{Pool, with_pool};
use crate::renamed::{self, Named};
use crate::worker::{Next, Opened, Shared, Worker};
use store::Tree;

/// A visit as a path passes it: a state, a thread that led to it, and the bucket
/// where that was so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arrival {
    tree: Tree,
    thread: ThreadId,
    bucket: usize,
}

/// A step that leads from one arrival to another.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: Arrival,
    step: Choice,
    /// The twin from which the thread takes the processor over, if it does.
    twin: Option<ThreadId>,
    /// How many further steps the thread takes.
    further: u32,
}

/// A fault, and how the search came to it.
pub struct Fault {
    /// The fault. Its state has another number if another process has it.
    pub candidate: Candidate,
    arrival: Arrival,
    /// The twin from which the thread of the last step takes the processor over, if it does.
    twin: Option<ThreadId>,
}

/// What is told of a fault or a link besides its state.
#[derive(Serialize, Deserialize)]
struct Told<T> {
    what: T,
    thread: ThreadId,
    bucket: usize,
    twin: Option<ThreadId>,
}

/// Takes the smallest out of some faults. If there are several processes, the smallest of
/// all is taken by the one that has it, and known to each.
pub fn smallest(search: &Explored<'_>, candidates: &mut Vec<Candidate>) -> Result<Option<Fault>, Exceeded> {
    let shared = search.shared;
    let key = |c: &Candidate| (canonical(shared, shared.store.tree_of(c.state)), c.key());
    let least = candidates.iter().enumerate().map(|(index, c)| (key(c), index)).min();
    let own = least.map(|(key, index)| (key, index, last_arrival(search, candidates[index])));
    let Some(spread) = shared.spread else {
        return Ok(own.map(|(_, index, (arrival, twin))| Fault {
            candidate: candidates.swap_remove(index),
            arrival,
            twin,
        }));
    };
    let index = own.as_ref().map(|(_, index, _)| *index);
    let own = own.map(|(key, index, (Arrival { tree, thread, bucket }, twin))| {
        (key, Told { what: candidates[index], thread, bucket, twin }, tree)
    });
    let least = spread.least(shared, own)?;
    Ok(least.map(|(mine, Told { what: candidate, thread, bucket, twin }, tree)| {
        index.filter(|_| mine).map(|index| candidates.swap_remove(index));
        Fault { candidate, arrival: Arrival { tree, thread, bucket }, twin }
    }))
}

/// The steps from the initial state to a fault.
pub fn steps(search: &Explored<'_>, fault: Fault) -> Result<Vec<Choice>, Exceeded> {
    let Fault { candidate: fault, mut arrival, twin } = fault;
    let last = fault.mover.map(|mover| (Choice { mover, choice: fault.choice }, twin));
    let mut steps: Vec<(Choice, Option<ThreadId>)> = last.into_iter().collect();
    let scanner = |_| Scanner { worker: Worker::new(search.shared), links: Vec::new() };
    let mut scanners: Vec<Scanner<'_>> = (0..search.shared.task.budget.threads()).map(scanner).collect();
    let scan = |scanner: &mut Scanner<'_>, scan: &Scan, range: Range<usize>| {
        scan.visits[range].iter().for_each(|visit| scanner.try_visit(search, scan, *visit));
    };
    with_pool(&mut scanners, scan, |pool| {
        let finder = Finder { search, pool };
        while let Some(link) = finder.predecessor(arrival)? {
            let further = Choice { mover: link.step.mover, choice: 0 };
            steps.extend((0..link.further).map(|_| (further, None)));
            steps.push((link.step, link.twin));
            arrival = link.from;
        }
        Ok(())
    })?;
    steps.reverse();
    let (steps, fault) = execution(search.shared, steps, fault);
    Ok(fault.complete(search.shared, steps))
}

/// The execution in which no thread takes the processor over, and the fault with the
/// names that threads have there.
fn execution(
    shared: &Shared<'_>,
    steps: Vec<(Choice, Option<ThreadId>)>,
    fault: Candidate,
) -> (Vec<Choice>, Candidate) {
    let as_found = |steps: &[(Choice, Option<ThreadId>)]| steps.iter().map(|(step, _)| *step).collect();
    let Some(twins) = shared.twins.filter(|_| steps.iter().any(|(_, twin)| twin.is_some())) else {
        return (as_found(&steps), fault);
    };
    let named = Named::ByTwins(twins);
    let Some((steps, names)) =
        renamed::execution(shared.machine(), shared.grain, named, steps.iter().copied())
    else {
        // The argument of `machine::Twins` says that this does not happen.
        assert!(!shared.checked, "a counterexample with renamed twins is one of the program");
        shared.give_up_twins();
        return (as_found(&steps), fault);
    };
    let old = |thread| names.old_number(thread);
    let race = fault.race.map(|race| Racing { last: old(race.last), earlier: old(race.earlier), ..race });
    (steps, Candidate { race, ..fault })
}

/// Where the fault's step starts: with its own thread as the incoming one if
/// it stays in the layer, as early in the layer as can be if it leaves it. Yields
/// also the twin from which that thread takes the processor over, if it does.
fn last_arrival(search: &Explored<'_>, fault: Candidate) -> (Arrival, Option<ThreadId>) {
    let (log, sets) = (&search.log, &search.known.sets);
    let layer = search.known.layer(fault.state).expect("a faulty state was reached");
    let incoming = search.known.incoming(fault.state);
    let opened = Worker::new(search.shared).open(fault.state);
    // All races of a state are found, whichever twin has the processor.
    let holder = |thread, set| match fault.race {
        Some(_) => Some(thread).filter(|thread| sets.contains(set, *thread)),
        None => opened.holder(thread, |thread| sets.contains(set, thread)),
    };
    // A store buffer moves whichever thread has the processor.
    let mover = fault.mover.and_then(Mover::as_thread);
    let staying = mover.filter(|thread| holder(*thread, incoming).is_some());
    let find = |bucket| {
        let leads = |visit: &Visit| staying.is_none_or(|thread| holder(thread, visit.fresh).is_some());
        let visit =
            log.visits(bucket).into_iter().find(|visit| visit.state == fault.state && leads(visit))?;
        Some((bucket, visit.fresh))
    };
    let (bucket, fresh) = log.buckets_of(layer).find_map(find).expect("a faulty state was visited");
    let had_by = staying.and_then(|thread| holder(thread, fresh));
    let thread = had_by.unwrap_or_else(|| sets.members(fresh)[0]);
    let tree = search.shared.store.tree_of(fault.state);
    (Arrival { tree, thread, bucket }, had_by.filter(|thread| Some(*thread) != mover))
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
    fn predecessor(&self, to: Arrival) -> Result<Option<Link>, Exceeded> {
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
        let key = |l: &Link| (canonical(shared, l.from.tree), l.step.mover, l.step.choice, l.from.bucket);
        let own = links.into_iter().map(|link| (key(&link), link)).min_by(|a, b| a.0.cmp(&b.0));
        let link = match shared.spread {
            None => own.map(|(_, link)| link),
            Some(spread) => {
                // In several processes there are no transactions.
                let own = own.map(|(key, Link { from, step, twin, .. })| {
                    (key, Told { what: step, thread: from.thread, bucket: from.bucket, twin }, from.tree)
                });
                let least = spread.least(shared, own)?;
                least.map(|(_, Told { what: step, thread, bucket, twin }, tree)| Link {
                    from: Arrival { tree, thread, bucket },
                    step,
                    twin,
                    further: 0,
                })
            }
        };
        assert!(link.is_some() || layer == 0, "a state in layer {layer} was reached from nowhere");
        Ok(link)
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
        if switches == 0
            && !renamed
            && search.shared.twins.is_none()
            && !sets.contains(visit.fresh, to.thread)
        {
            return;
        }
        let incoming = search.known.incoming(visit.state);
        let opened = self.worker.open(visit.state);
        let next_started = ThreadId(opened.loaded.threads() as u32);
        for mover in opened.candidates() {
            let Mover::Thread(thread) = mover else {
                self.try_buffer(search, scan, visit, (&opened, mover));
                continue;
            };
            let stays = opened.holder(thread, |thread| sets.contains(incoming, thread)).is_some();
            let holder = opened.holder(thread, |thread| sets.contains(visit.fresh, thread));
            // The thread itself leads there, or one that starts it.
            let leads = renamed || thread == to.thread || next_started == to.thread;
            if !leads || stays != holder.is_some() {
                continue;
            }
            for choice in 0..self.worker.choices(&opened, mover) {
                let next = self.worker.step(&opened, mover, choice, true);
                let Next::State { tree, moved, started, further } = next else { continue };
                let starts_switch = search.shared.starts_switch;
                if arrival(starts_switch, moved, stays, started) == (to.thread, switches) && tree == to.tree {
                    let by = holder.unwrap_or_else(|| sets.members(visit.fresh)[0]);
                    let from = Arrival { tree: search.shared.store.tree_of(visit.state), thread: by, bucket };
                    let twin = holder.filter(|holder| *holder != thread);
                    self.links.push(Link { from, step: Choice { mover, choice }, twin, further });
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
                && tree == to.tree
            {
                let from =
                    Arrival { tree: search.shared.store.tree_of(visit.state), thread: to.thread, bucket };
                self.links.push(Link { from, step: Choice { mover, choice }, twin: None, further: 0 });
            }
        }
    }
}

fn canonical(shared: &Shared<'_>, tree: Tree) -> Vec<u8> {
    let mut bytes = Vec::new();
    let loaded = shared.store.unpack(tree);
    shared.machine().canonical(shared.store.state(&loaded), &mut bytes);
    bytes
}
