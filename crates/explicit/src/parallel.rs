//! Workers that share the work on one list after the other.
//!
//! A search has many lists, one for each bucket or level, and most of them are
//! short. So the threads are started once, when a list is first worth sharing,
//! and then wait for the next one. A list is handed to all of them; each takes
//! ranges of it until none is left. The caller works too, and goes on as soon as
//! all ranges are done: a thread that wakes up late finds nothing to do and is
//! not waited for.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{Scope, Thread};

/// Below this length a list is not worth waking threads for.
const WORTH_SHARING: usize = 128;

/// How much a worker takes at once.
const CHUNK: usize = 32;

/// Workers, each with a thread of its own but the first, which works on the thread
/// of the caller. `L` are the lists.
pub struct Pool<'scope, 'env, W, L> {
    scope: &'scope Scope<'scope, 'env>,
    workers: &'env [Mutex<W>],
    work: &'env (dyn Fn(&mut W, &L, Range<usize>) + Sync),
    /// What leads to the other threads, once they are started.
    others: OnceCell<Vec<Sender<Arc<Job<L>>>>>,
}

/// Starts a search whose lists are worked on by these workers.
pub fn with_pool<W: Send, L: Send + Sync, R>(
    workers: &mut Vec<W>,
    work: impl Fn(&mut W, &L, Range<usize>) + Sync,
    search: impl FnOnce(&Pool<'_, '_, W, L>) -> R,
) -> R {
    let locked: Vec<Mutex<W>> = std::mem::take(workers).into_iter().map(Mutex::new).collect();
    // The threads end when the pool is dropped, since nothing leads to them then.
    let found = std::thread::scope(|scope| {
        search(&Pool { scope, workers: &locked, work: &work, others: OnceCell::new() })
    });
    let unlocked = |worker: Mutex<W>| worker.into_inner().expect("no thread has panicked");
    workers.extend(locked.into_iter().map(unlocked));
    found
}

impl<'scope, 'env, W: Send, L: Send + Sync> Pool<'scope, 'env, W, L> {
    /// Does the ranges of `0..len`, the positions of a list.
    pub fn run(&self, list: L, len: usize) {
        if self.workers.len() == 1 || len < WORTH_SHARING {
            return (self.work)(&mut self.first(), &list, 0..len);
        }
        let caller = std::thread::current();
        let job = Job { list, len, next: AtomicUsize::new(0), left: AtomicUsize::new(len), caller };
        let job = Arc::new(job);
        for other in self.others.get_or_init(|| self.start()) {
            other.send(Arc::clone(&job)).expect("a thread waits as long as the pool is there");
        }
        job.run(&self.workers[0], self.work);
        while job.left.load(Ordering::Acquire) > 0 {
            std::thread::park();
        }
    }

    fn start(&self) -> Vec<Sender<Arc<Job<L>>>> {
        let work = self.work;
        let start = |worker: &'env Mutex<W>| {
            let (sender, jobs) = channel::<Arc<Job<L>>>();
            self.scope.spawn(move || jobs.into_iter().for_each(|job| job.run(worker, work)));
            sender
        };
        self.workers[1..].iter().map(start).collect()
    }

    /// The workers, between two lists.
    pub fn workers(&self) -> impl Iterator<Item = MutexGuard<'env, W>> {
        self.workers.iter().map(lock)
    }

    /// The first worker, between two lists.
    pub fn first(&self) -> MutexGuard<'env, W> {
        lock(&self.workers[0])
    }
}

/// Nothing waits here, for a worker is asked for by others only between two lists.
/// If its thread has panicked, so does the caller.
fn lock<W>(worker: &Mutex<W>) -> MutexGuard<'_, W> {
    worker.lock().expect("the worker's thread has not panicked")
}

/// The work on a list.
struct Job<L> {
    list: L,
    len: usize,
    /// The first position that no worker has taken.
    next: AtomicUsize,
    /// How many positions are not done yet.
    left: AtomicUsize,
    /// Who waits for the end.
    caller: Thread,
}

impl<L> Job<L> {
    fn run<W>(&self, worker: &Mutex<W>, work: &dyn Fn(&mut W, &L, Range<usize>)) {
        loop {
            let start = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= self.len {
                return;
            }
            let range = start..self.len.min(start + CHUNK);
            let _done = Done { left: &self.left, count: range.len(), caller: &self.caller };
            work(&mut lock(worker), &self.list, range);
        }
    }
}

/// Says that positions are done, also where the work on them panics: the caller
/// must not wait for ever.
struct Done<'a> {
    left: &'a AtomicUsize,
    count: usize,
    caller: &'a Thread,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.left.fetch_sub(self.count, Ordering::AcqRel) == self.count {
            self.caller.unpark();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once() {
        for count in 1..=3 {
            let mut sums = vec![0; count];
            let lengths = [0, 1, 10, 1000, 129, 5000];
            let add = |sum: &mut usize, list: &Vec<usize>, range: Range<usize>| {
                *sum += list[range].iter().sum::<usize>()
            };
            with_pool(&mut sums, add, |pool| {
                lengths.iter().for_each(|len| pool.run((0..*len).collect(), *len));
                assert_eq!(pool.workers().count(), count);
            });
            let expected: usize = lengths.iter().map(|len| (0..*len).sum::<usize>()).sum();
            assert_eq!(sums.iter().sum::<usize>(), expected);
        }
    }

    #[test]
    #[should_panic]
    fn a_panic_of_a_worker_is_one_of_the_search() {
        let work = |_: &mut usize, _: &(), range: Range<usize>| assert!(range.start < 512, "out of range");
        with_pool(&mut vec![0; 3], work, |pool| {
            pool.run((), 1024);
            pool.workers().for_each(drop);
        });
    }
}
