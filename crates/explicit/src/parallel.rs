//! Work on a list, shared among workers.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Below this length a list is not worth starting threads for.
const WORTH_SHARING: usize = 256;

/// How much a worker takes at once.
const CHUNK: usize = 32;

/// Lets the workers do the ranges of `0..len` among them. The first one works
/// on the calling thread.
pub fn for_ranges<W: Send>(workers: &mut [W], len: usize, work: impl Fn(&mut W, Range<usize>) + Sync) {
    let (first, others) = workers.split_first_mut().expect("there is a worker");
    if others.is_empty() || len < WORTH_SHARING {
        return work(first, 0..len);
    }
    let next = AtomicUsize::new(0);
    let run = |worker: &mut W| {
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= len {
                return;
            }
            work(worker, start..len.min(start + CHUNK));
        }
    };
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| run(worker));
        }
        run(first);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once() {
        for (workers, len) in [(1, 1000), (3, 10), (3, 1000), (2, 0)] {
            let mut sums = vec![0; workers];
            for_ranges(&mut sums, len, |sum, range| *sum += range.sum::<usize>());
            assert_eq!(sums.iter().sum::<usize>(), (0..len).sum::<usize>());
        }
    }
}
