//! Whose clocks know of remembered accesses, kept from one normal state to the next.
//!
//! In a normal state clocks are ranks ([`Ranks`]): of each thread, the remembered epochs
//! have the numbers from 1 on, and another thread's clock says how many of them it knows.
//! A step changes the records of few objects and the clocks of few threads. So most
//! clocks are normal after it as they are, and only these have to be looked at:
//!
//! - Those of threads that changed.
//! - Where the epochs of a thread that were there keep their numbers (others may have come
//!   after them), the clock of that thread alone, whose own epoch comes after all.
//! - Where they do not, the clocks that know of one. A clock that knows of none says 0
//!   whatever the numbers are.
//!
//! Whether an epoch is known to all other threads (its access cannot race any more) is
//! asked for each thread with records. As long as one thread that is alive is known to
//! know nothing of them, the others need not be asked.

use triomphe::Arc;

use crate::race::Ranks;
use crate::state::State;
use crate::telling::fault::ThreadId;

/// Of so few threads all clocks are looked at instead. (Tests follow all.)
const FEW: usize = if cfg!(debug_assertions) { 1 } else { 8 };

/// The threads with remembered epochs in a normal state, ascending.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Knowers(Vec<Remembered>);

/// A thread with remembered epochs.
#[derive(Clone, PartialEq, Debug)]
struct Remembered {
    thread: ThreadId,
    /// How many epochs there are.
    epochs: usize,
    /// Another thread that is alive and knows of none of them.
    unaware: Option<ThreadId>,
    /// The threads that have a clock which knows of one, ascending.
    aware: Arc<[ThreadId]>,
}

impl Knowers {
    /// Those of a normal state, where there are many threads. If they were known of
    /// another one before, only these threads (ascending) are not as they were there.
    pub fn after(
        before: Option<&Knowers>,
        state: &State,
        ranks: &Ranks,
        changed: &[usize],
    ) -> Option<Knowers> {
        if state.threads.len() <= FEW {
            return None;
        }
        Some(match before {
            Some(before) => before.changed(state, ranks, changed),
            None => Knowers::of(state, ranks),
        })
    }

    /// Those of a normal state.
    fn of(state: &State, ranks: &Ranks) -> Knowers {
        let all: Vec<usize> = (0..state.threads.len()).collect();
        Knowers::default().changed(state, ranks, &all)
    }

    fn changed(&self, state: &State, ranks: &Ranks, changed: &[usize]) -> Knowers {
        let remembered = |(thread, epochs): &(ThreadId, Vec<u32>)| {
            let before = self.about(*thread);
            let unaware = before.and_then(|before| before.unaware);
            Remembered {
                thread: *thread,
                epochs: epochs.len(),
                unaware: unaware_of(state, *thread, unaware),
                aware: aware_of(state, *thread, before.map(|before| &before.aware), changed),
            }
        };
        Knowers(ranks.epochs.iter().map(remembered).collect())
    }

    /// The threads whose clocks may not be normal with these ranks, ascending, where the
    /// `changed` ones (ascending) are not as they were in the state whose knowers are
    /// `self`.
    pub fn concerned(&self, ranks: &Ranks, changed: &[usize]) -> Vec<usize> {
        let mut concerned = changed.to_vec();
        for before in &self.0 {
            let epochs = ranks.of(before.thread).map_or(&[][..], Vec::as_slice);
            let keep_numbers = epochs.get(before.epochs - 1).is_some_and(|e| *e as usize == before.epochs);
            if !keep_numbers {
                concerned.extend(before.aware.iter().map(|thread| thread.0 as usize));
            }
            if !keep_numbers || epochs.len() != before.epochs {
                concerned.push(before.thread.0 as usize);
            }
        }
        let new = ranks.epochs.iter().filter(|(thread, _)| self.about(*thread).is_none());
        concerned.extend(new.map(|(thread, _)| thread.0 as usize));
        concerned.sort_unstable();
        concerned.dedup();
        concerned
    }

    /// The last epoch of a thread that every other live thread knows of.
    pub fn known_to_all(&self, state: &State, thread: ThreadId) -> u32 {
        let unaware = self.about(thread).and_then(|before| before.unaware);
        if unaware.is_some_and(|other| is_unaware(state, other, thread)) {
            return 0;
        }
        let mut least = u32::MAX;
        for other in state.alive().filter(|other| *other != thread) {
            least = least.min(state.thread(other).clocks.now.get(thread));
            if least == 0 {
                break;
            }
        }
        least
    }

    fn about(&self, thread: ThreadId) -> Option<&Remembered> {
        let at = self.0.binary_search_by_key(&thread, |remembered| remembered.thread).ok()?;
        Some(&self.0[at])
    }

    /// Whether these are those of a state. Which thread of several is unaware does not
    /// matter.
    pub fn are_of(&self, state: &State, ranks: &Ranks) -> bool {
        let afresh = Knowers::of(state, ranks);
        let same = |(mine, other): (&Remembered, &Remembered)| {
            let unaware = mine.unaware.is_none_or(|unaware| is_unaware(state, unaware, mine.thread));
            let is_known = mine.unaware.is_some() == other.unaware.is_some();
            Remembered { unaware: other.unaware, ..mine.clone() } == *other && unaware && is_known
        };
        self.0.len() == afresh.0.len() && self.0.iter().zip(&afresh.0).all(same)
    }
}

/// A thread that is alive and knows of no epoch of another one, if there is one: that
/// which was so before, if it still is.
fn unaware_of(state: &State, thread: ThreadId, before: Option<ThreadId>) -> Option<ThreadId> {
    let still = before.filter(|other| is_unaware(state, *other, thread));
    still.or_else(|| state.alive().find(|other| is_unaware(state, *other, thread)))
}

fn is_unaware(state: &State, other: ThreadId, thread: ThreadId) -> bool {
    let alive = state.threads.get(other.0 as usize).filter(|other| other.is_alive());
    other != thread && alive.is_some_and(|other| other.clocks.now.get(thread) == 0)
}

/// The threads that know of epochs of another one, where only some threads changed.
fn aware_of(
    state: &State,
    thread: ThreadId,
    before: Option<&Arc<[ThreadId]>>,
    changed: &[usize],
) -> Arc<[ThreadId]> {
    let old = before.map_or(&[][..], |before| before);
    let present = old.partition_point(|other| (other.0 as usize) < state.threads.len());
    let was_aware = |other: &ThreadId| old.binary_search(other).is_ok();
    let is_changed = |other: &ThreadId| changed.binary_search(&(other.0 as usize)).is_ok();
    let changed = || changed.iter().map(|index| ThreadId(*index as u32));
    if let Some(before) = before.filter(|_| present == old.len())
        && changed().all(|other| was_aware(&other) == is_aware(state, other, thread))
    {
        return Arc::clone(before);
    }
    let same = old[..present].iter().copied().filter(|other| !is_changed(other));
    let mut aware: Vec<ThreadId> =
        same.chain(changed().filter(|other| is_aware(state, *other, thread))).collect();
    aware.sort_unstable();
    aware.into()
}

/// Whether a clock of a thread knows of an epoch of another one. It may have published
/// its own.
fn is_aware(state: &State, other: ThreadId, thread: ThreadId) -> bool {
    let known = state.thread(other);
    let clocks = &known.clocks;
    other != thread && clocks.now.get(thread) > 0
        || clocks.release_fence.get(thread) > 0
        || clocks.pending.get(thread) > 0
        || known.own.buffer.stores().any(|store| store.published.get(thread) > 0)
}
