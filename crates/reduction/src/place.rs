//! What is known of a place: which threads touched it with which locks (its
//! lockset), and which nodes of the search rely on that.

use machine::{Role, State, ThreadId};
use smallvec::SmallVec;

/// The thread with the last bit of a set, which stands for all after it, too.
const LAST: ThreadId = ThreadId(127);

/// A set of threads. The last bit stands for all that have no other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Threads(u128);

impl Threads {
    /// These threads, ascending: those after the first that has the last bit are not
    /// looked at.
    pub fn of(threads: impl Iterator<Item = ThreadId>) -> Threads {
        let mut set = 0;
        for thread in threads {
            set |= Threads::bit(thread);
            if thread >= LAST {
                break;
            }
        }
        Threads(set)
    }

    fn bit(thread: ThreadId) -> u128 {
        1 << thread.min(LAST).0
    }

    fn has(self, thread: ThreadId) -> bool {
        self.0 & Threads::bit(thread) != 0
    }
}

/// Which others each thread has that were started and not joined. It is the same for
/// states in which these are the same up to the threads that a set does not tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Unjoined {
    all: Threads,
    /// Whether several have the last bit, so that each of them has such others.
    several_last: bool,
}

impl Unjoined {
    /// Those of a state.
    pub fn of(state: &State) -> Unjoined {
        let several_last = state.unjoined().filter(|thread| *thread >= LAST).nth(1).is_some();
        Unjoined { all: Threads::of(state.unjoined()), several_last }
    }
}

/// A set of locks, by number.
pub type Locks = u64;

/// How a thread touches a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// The thread that touches it.
    pub thread: ThreadId,
    /// Whether it reads, writes, takes a lock or gives one back.
    pub role: Role,
    /// The other threads that had been started and not been joined when it did.
    pub unjoined: Threads,
    /// The lockset: the locks that it held each time.
    pub locks: Locks,
}

/// How a thread touches a place in a step that is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Manner {
    /// The thread that touches it.
    pub thread: ThreadId,
    /// Whether it reads, writes, takes a lock or gives one back.
    pub role: Role,
    /// The lockset: the locks that it holds.
    pub locks: Locks,
}

/// What is known of some bytes.
#[derive(Debug)]
pub struct Cell<N> {
    uses: SmallVec<[Use; 2]>,
    /// Nodes with a persistent set of one step because no other thread touches
    /// these bytes.
    relied: Vec<(Manner, Vec<N>)>,
}

impl<N> Default for Cell<N> {
    fn default() -> Cell<N> {
        Cell { uses: SmallVec::new(), relied: Vec::new() }
    }
}

impl<N> Cell<N> {
    /// Adds a use. Yields what is now known of such uses, if this is news.
    pub fn add(&mut self, new: Use) -> Option<Use> {
        let known = self.uses.iter_mut().find(|known| known.thread == new.thread && known.role == new.role);
        let Some(known) = known else {
            self.uses.push(new);
            return Some(new);
        };
        let old = *known;
        known.unjoined = Threads(old.unjoined.0 | new.unjoined.0);
        known.locks &= new.locks;
        (*known != old).then_some(*known)
    }

    /// Whether bytes can be touched so without meeting others.
    pub fn is_free(&self, manner: Manner) -> bool {
        !self.uses.iter().any(|used| meets(used, manner))
    }

    /// Notes that a step was left alone.
    pub fn rely(&mut self, manner: Manner, node: N) {
        match self.relied.iter_mut().find(|(known, _)| *known == manner) {
            Some((_, nodes)) => nodes.push(node),
            None => self.relied.push((manner, vec![node])),
        }
    }

    /// Takes back what a use does not allow.
    pub fn break_up(&mut self, used: &Use, broken: &mut Vec<N>) {
        let met = |(manner, _): &mut (Manner, Vec<N>)| meets(used, *manner);
        broken.extend(self.relied.extract_if(.., met).flat_map(|(_, nodes)| nodes));
    }

    /// Forgets which nodes rely on what is known.
    pub fn release(&mut self) {
        self.relied.clear();
    }

    /// Takes back what relied on locks that mean nothing any more.
    pub fn forget_locks(&mut self, locks: Locks, broken: &mut Vec<N>) {
        let relies = |(manner, _): &mut (Manner, Vec<N>)| manner.locks & locks != 0;
        broken.extend(self.relied.extract_if(.., relies).flat_map(|(_, nodes)| nodes));
    }
}

/// Whether a use does not commute with what a thread does, if it can come
/// before that.
fn meets(used: &Use, own: Manner) -> bool {
    used.unjoined.has(own.thread) && used.locks & own.locks == 0 && conflict(own.role, used.role)
}

/// Whether others can do `theirs` before a thread does `own` and it matters.
fn conflict(own: Role, theirs: Role) -> bool {
    match own {
        Role::Read => theirs != Role::Read,
        // No other thread can have taken it.
        Role::Unlock => !matches!(theirs, Role::Lock | Role::Unlock),
        Role::Write | Role::Lock | Role::TryLock => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: ThreadId = ThreadId(1);
    const U: ThreadId = ThreadId(2);

    fn used(thread: ThreadId, role: Role, unjoined: &[ThreadId], locks: Locks) -> Use {
        let others = unjoined.iter().copied().filter(|other| *other != thread);
        Use { thread, role, unjoined: Threads::of(others), locks }
    }

    fn manner(role: Role, locks: Locks) -> Manner {
        Manner { thread: T, role, locks }
    }

    fn cell(uses: &[Use]) -> Cell<u32> {
        let mut cell = Cell::default();
        for used in uses {
            cell.add(*used);
        }
        cell
    }

    #[test]
    fn readers_do_not_meet_and_writers_do() {
        let read = cell(&[used(U, Role::Read, &[T, U], 0)]);
        assert!(read.is_free(manner(Role::Read, 0)));
        assert!(!read.is_free(manner(Role::Write, 0)));
        let written = cell(&[used(U, Role::Write, &[T, U], 0)]);
        assert!(!written.is_free(manner(Role::Read, 0)));
    }

    #[test]
    fn a_thread_does_not_meet_itself_nor_who_comes_after_its_join() {
        assert!(cell(&[used(T, Role::Write, &[T, U], 0)]).is_free(manner(Role::Write, 0)));
        assert!(cell(&[used(U, Role::Write, &[U], 0)]).is_free(manner(Role::Write, 0)));
    }

    #[test]
    fn a_lock_protects_if_it_is_always_held() {
        let mut cell = cell(&[used(U, Role::Write, &[T, U], 0b11)]);
        assert!(cell.is_free(manner(Role::Write, 0b01)));
        assert!(!cell.is_free(manner(Role::Write, 0b100)));
        assert!(cell.add(used(U, Role::Write, &[T, U], 0b10)).is_some());
        assert!(!cell.is_free(manner(Role::Write, 0b01)));
        assert!(cell.is_free(manner(Role::Write, 0b10)));
    }

    #[test]
    fn giving_back_a_lock_meets_only_those_who_do_not_wait() {
        let with = |role| cell(&[used(U, role, &[T, U], 0)]);
        assert!(with(Role::Lock).is_free(manner(Role::Unlock, 0)));
        assert!(!with(Role::TryLock).is_free(manner(Role::Unlock, 0)));
        assert!(!with(Role::Write).is_free(manner(Role::Unlock, 0)));
        assert!(!with(Role::Lock).is_free(manner(Role::Lock, 0)));
    }

    #[test]
    fn what_was_relied_upon_is_taken_back_once() {
        let mut cell = cell(&[]);
        cell.rely(manner(Role::Write, 0b1), 7);
        cell.rely(manner(Role::Write, 0), 8);
        let mut broken = Vec::new();
        let news = cell.add(used(U, Role::Read, &[T, U], 0b1)).expect("the first use is news");
        cell.break_up(&news, &mut broken);
        assert_eq!(broken, [8]);
        assert!(cell.add(used(U, Role::Read, &[T, U], 0b1)).is_none());
        cell.forget_locks(0b1, &mut broken);
        assert_eq!(broken, [8, 7]);
    }

    #[test]
    fn threads_without_a_bit_of_their_own_share_one() {
        let many = Threads::of([ThreadId(500)].into_iter());
        assert!(many.has(ThreadId(127)) && !many.has(ThreadId(126)));
    }
}
