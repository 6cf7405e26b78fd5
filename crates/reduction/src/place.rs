//! What is known of a place: who touched it, and who relies on that.

use machine::{How, ThreadId};
use smallvec::SmallVec;

/// A set of threads. The last bit stands for all that have no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threads(u128);

impl Threads {
    /// These threads.
    pub fn of(threads: impl Iterator<Item = ThreadId>) -> Threads {
        Threads(threads.fold(0, |set, thread| set | Threads::bit(thread)))
    }

    fn bit(thread: ThreadId) -> u128 {
        1 << thread.0.min(127)
    }

    fn has(self, thread: ThreadId) -> bool {
        self.0 & Threads::bit(thread) != 0
    }

    /// Whether there are two.
    pub fn several(self) -> bool {
        self.0.count_ones() > 1
    }
}

/// A set of locks, by number.
pub type Locks = u64;

/// How a thread touches a place.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// Who.
    pub thread: ThreadId,
    /// How.
    pub how: How,
    /// Who else was alive when it did.
    pub alive: Threads,
    /// The locks that it had each time.
    pub locks: Locks,
}

/// That a step was left alone because nobody else touches this place.
#[derive(Clone, Debug)]
pub struct Reliance<N> {
    /// Whose step.
    pub thread: ThreadId,
    /// How it touched the place.
    pub how: How,
    /// The locks that the thread had.
    pub locks: Locks,
    /// Where in the search.
    pub node: N,
}

/// What is known of some bytes.
#[derive(Debug)]
pub struct Cell<N> {
    uses: SmallVec<[Use; 2]>,
    relied: Vec<Reliance<N>>,
}

impl<N> Default for Cell<N> {
    fn default() -> Cell<N> {
        Cell { uses: SmallVec::new(), relied: Vec::new() }
    }
}

impl<N: Clone> Cell<N> {
    /// Adds a use. Says whether this is news.
    pub fn add(&mut self, new: Use) -> bool {
        let known = self.uses.iter_mut().find(|known| known.thread == new.thread && known.how == new.how);
        let Some(known) = known else {
            self.uses.push(new);
            return true;
        };
        let (alive, locks) = (Threads(known.alive.0 | new.alive.0), known.locks & new.locks);
        let news = (alive, locks) != (known.alive, known.locks);
        (known.alive, known.locks) = (alive, locks);
        news
    }

    /// Whether a thread can touch it so without meeting others.
    pub fn is_free(&self, thread: ThreadId, how: How, locks: Locks) -> bool {
        !self.uses.iter().any(|used| meets(used, thread, how, locks))
    }

    /// Notes a reliance.
    pub fn rely(&mut self, reliance: Reliance<N>) {
        self.relied.push(reliance);
    }

    /// Takes back reliances that its uses, or those of `around`, do not allow.
    pub fn break_up(&mut self, around: &[Use], broken: &mut Vec<N>) {
        let uses = &self.uses;
        self.relied.retain(|Reliance { thread, how, locks, node }| {
            let meets = uses.iter().chain(around).any(|used| meets(used, *thread, *how, *locks));
            if meets {
                broken.push(node.clone());
            }
            !meets
        });
    }

    /// A lock means nothing any more.
    pub fn forget_lock(&mut self, lock: Locks) {
        self.relied.iter_mut().for_each(|reliance| reliance.locks &= !lock);
    }

    /// Its uses.
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }
}

/// Whether a use does not commute with what a thread does, if it can come
/// before that.
fn meets(used: &Use, thread: ThreadId, how: How, locks: Locks) -> bool {
    used.thread != thread && used.alive.has(thread) && used.locks & locks == 0 && conflict(how, used.how)
}

/// Whether others can do `theirs` before a thread does `own` and it matters.
fn conflict(own: How, theirs: How) -> bool {
    match own {
        How::Read => theirs != How::Read,
        // Nobody else can have taken it.
        How::Unlock => !matches!(theirs, How::Lock | How::Unlock),
        How::Write | How::Lock | How::TryLock => true,
    }
}
