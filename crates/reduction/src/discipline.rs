//! Which threads touch which places with which locksets, over a whole search.

use std::ops::Deref;
use std::sync::{PoisonError, RwLock};

use machine::{Footprint, Home, MUTEX_BYTES, Machine, ObjectId, Place, Role, State, ThreadId};
use rustc_hash::FxHashMap;

use crate::place::{Cell, Locks, Manner, Threads, Use};

/// Bytes are told apart in groups of so many.
const CELL: u64 = 4;

/// Places with more cells are taken for the whole object.
const MAX_CELLS: u64 = 64;

/// More locks are not told apart.
const MAX_LOCKS: usize = 64;

/// The discipline that a program was seen to keep. `N` is where in the search
/// something was relied upon.
pub struct Discipline<N> {
    areas: FxHashMap<Home, Area<N>>,
    /// Locks in globals, which have the same name in all states. Which number one has
    /// makes no difference, so that threads of a search may learn of them in any order.
    locks: RwLock<Vec<(ObjectId, u64)>>,
    /// Locks that were overwritten while there were several threads.
    spoiled: Locks,
    /// Whether threads other than `main` are not told apart.
    exchangeable: bool,
}

/// That a thread touched some bytes in some way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    home: Home,
    offset: u64,
    len: u64,
    used: Use,
}

/// That no other thread interferes with a thread that touches a cell in some way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reliance {
    home: Home,
    cell: u64,
    manner: Manner,
}

/// What is known of an object, or of all of one size.
struct Area<N> {
    cells: FxHashMap<u64, Cell<N>>,
    whole: Cell<N>,
}

impl<N> Area<N> {
    fn is_free(&self, cell: u64, manner: Manner) -> bool {
        let inner = self.cells.get(&cell);
        inner.is_none_or(|inner| inner.is_free(manner)) && self.whole.is_free(manner)
    }
}

/// A step: whose it is, and from which state.
pub struct Move<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The state before the step.
    pub before: &'a State,
    /// The thread that moved.
    pub thread: ThreadId,
}

impl<N> Default for Area<N> {
    fn default() -> Area<N> {
        Area { cells: FxHashMap::default(), whole: Cell::default() }
    }
}

impl<N> Default for Discipline<N> {
    fn default() -> Discipline<N> {
        Discipline { areas: FxHashMap::default(), locks: RwLock::default(), spoiled: 0, exchangeable: false }
    }
}

impl<N> Discipline<N> {
    /// That of a search which takes threads for each other: all but `main` count as one
    /// that meets itself, so that it makes no difference which of them touches what.
    pub fn of_exchangeable_threads() -> Discipline<N> {
        Discipline { exchangeable: true, ..Discipline::default() }
    }

    /// What a step touched, to be noted.
    pub fn notes(&self, step: &Move<'_>, footprint: &Footprint) -> Vec<Note> {
        if !several(step.before.unjoined()) {
            return Vec::new();
        }
        // What is held changes within a special step, within one of a thread that
        // is alone, and where a lock is given back before the rest is touched.
        let changes = footprint.special
            || !several(step.before.alive())
            || footprint.memory().any(|(_, role, _)| role == Role::Unlock);
        let locks = if changes { 0 } else { self.held(step) };
        // Also what is not shared any more: it was, perhaps, before others went on.
        let touched = footprint.memory().filter_map(|(place, role, _)| {
            self.learn_lock(step, place, role);
            self.note_of(step, place, role, locks)
        });
        touched.collect()
    }

    /// What threads that cannot move are about to touch, to be noted.
    pub fn notes_awaited(&self, machine: &Machine, before: &State) -> Vec<Note> {
        before.alive().filter_map(|thread| self.note_awaited(&Move { machine, before, thread })).collect()
    }

    /// What a thread that cannot move is about to touch, to be noted.
    pub fn note_awaited(&self, step: &Move<'_>) -> Option<Note> {
        let place = step.machine.awaited(step.before, step.thread)?;
        self.note_of(step, place, Role::Lock, 0)
    }

    /// No other thread knows what the step itself made: there is nothing to note then.
    fn note_of(&self, step: &Move<'_>, place: Place, role: Role, locks: Locks) -> Option<Note> {
        let home = step.machine.home(step.before, place.object)?;
        let others = step.before.unjoined().filter(|thread| *thread != step.thread);
        let unjoined = Threads::of(others.map(|thread| self.known_as(thread)));
        let used = Use { thread: self.known_as(step.thread), role, unjoined, locks };
        Some(Note { home, offset: place.offset, len: place.len, used })
    }

    /// Notes what was touched. Yields where something was relied upon that is not so.
    pub fn note(&mut self, note: &Note) -> Vec<N> {
        let mut broken = Vec::new();
        if note.used.role == Role::Write {
            self.spoil(note, &mut broken);
        }
        let area = self.areas.entry(note.home).or_default();
        let Some(cells) = cells(note.offset, note.len) else {
            if let Some(used) = area.whole.add(note.used) {
                area.cells.values_mut().for_each(|cell| cell.break_up(&used, &mut broken));
            }
            return broken;
        };
        for cell in cells {
            let cell = area.cells.entry(cell).or_default();
            if let Some(used) = cell.add(note.used) {
                cell.break_up(&used, &mut broken);
            }
        }
        broken
    }

    /// What it relies upon that the step alone is a persistent set: that no other
    /// thread interferes with it. None if one was seen to do so.
    pub fn alone(&self, step: &Move<'_>, footprints: &[&Footprint]) -> Option<Vec<Reliance>> {
        let Move { machine, before, thread } = *step;
        if footprints.iter().any(|footprint| footprint.special) || machine.uses_keys(before, thread) {
            return None;
        }
        let locks = self.held(step);
        let mut relied = Vec::new();
        let touched = footprints.iter().flat_map(|footprint| footprint.memory());
        for (place, role, _) in touched.filter(|(_, _, shared)| *shared) {
            let Some(home) = machine.home(before, place.object) else { continue };
            if machine.is_lent(before, thread, place.object) {
                return None;
            }
            let manner = Manner { thread: self.known_as(thread), role, locks };
            relied.extend(cells(place.offset, place.len)?.map(|cell| Reliance { home, cell, manner }));
        }
        relied.iter().all(|reliance| self.is_free(reliance)).then_some(relied)
    }

    /// Remembers a node as relying on something; `false` if that is not so.
    pub fn rely(&mut self, reliance: Reliance, node: N) -> bool {
        let free = self.is_free(&reliance) && reliance.manner.locks & self.spoiled == 0;
        if free {
            let area = self.areas.entry(reliance.home).or_default();
            area.cells.entry(reliance.cell).or_default().rely(reliance.manner, node);
        }
        free
    }

    /// Forgets which nodes rely on what was seen, and keeps what was seen.
    pub fn release(&mut self) {
        let cells = self.areas.values_mut().flat_map(|area| area.cells.values_mut());
        cells.for_each(Cell::release);
    }

    /// The mutexes and spin locks of global variables that were used, in the order of
    /// their bits in [`Locks`].
    pub fn locks(&self) -> impl Deref<Target = Vec<(ObjectId, u64)>> + '_ {
        self.locks.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_free(&self, Reliance { home, cell, manner }: &Reliance) -> bool {
        self.areas.get(home).is_none_or(|area| area.is_free(*cell, *manner))
    }

    fn known_as(&self, thread: ThreadId) -> ThreadId {
        if self.exchangeable { thread.min(ThreadId(1)) } else { thread }
    }

    /// The lockset of a thread: the locks that it holds.
    fn held(&self, step: &Move<'_>) -> Locks {
        let has = |(object, offset): &(ObjectId, u64)| {
            step.machine.has_lock(step.before, step.thread, *object, *offset)
        };
        let locks = self.locks();
        let held = locks.iter().enumerate().filter(|(_, lock)| has(lock));
        held.fold(0, |set, (number, _)| set | 1 << number) & !self.spoiled
    }

    fn learn_lock(&self, step: &Move<'_>, place: Place, role: Role) {
        let lock = (place.object, place.offset);
        let is_lock = matches!(role, Role::Lock | Role::Unlock | Role::TryLock);
        let is_global = || matches!(step.machine.home(step.before, lock.0), Some(Home::Global(_)));
        if !is_lock || self.locks().contains(&lock) || !is_global() {
            return;
        }
        let mut locks = self.locks.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread of the search may have learnt of it meanwhile.
        if locks.len() < MAX_LOCKS && !locks.contains(&lock) {
            locks.push(lock);
        }
    }

    /// Forgets locks that are written over: they may be taken twice.
    fn spoil(&mut self, note: &Note, broken: &mut Vec<N>) {
        let meets = |(object, offset): &(ObjectId, u64)| {
            Home::Global(*object) == note.home
                && *offset < note.offset.saturating_add(note.len)
                && note.offset < offset + MUTEX_BYTES
        };
        let locks = self.locks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let spoiled = locks.iter().enumerate().filter(|(_, lock)| meets(lock));
        let spoiled = spoiled.fold(0, |set, (number, _)| set | 1 << number) & !self.spoiled;
        if spoiled == 0 {
            return;
        }
        self.spoiled |= spoiled;
        let cells = self.areas.values_mut().flat_map(|area| area.cells.values_mut());
        cells.for_each(|cell| cell.forget_locks(spoiled, broken));
    }
}

impl<N: Clone> Discipline<N> {
    /// Notes what a step touched. Yields where something was relied upon that
    /// is not so.
    pub fn touch(&mut self, step: &Move<'_>, footprint: &Footprint) -> Vec<N> {
        let notes = self.notes(step, footprint);
        notes.iter().flat_map(|note| self.note(note)).collect()
    }

    /// Notes what some threads, if they cannot move, are about to touch.
    pub fn touch_awaited(
        &mut self,
        machine: &Machine,
        state: &State,
        threads: impl Iterator<Item = ThreadId>,
    ) -> Vec<N> {
        let alive = threads.filter(|thread| machine.is_alive(state, *thread));
        let awaited = |thread| self.note_awaited(&Move { machine, before: state, thread });
        let notes: Vec<Note> = alive.filter_map(awaited).collect();
        notes.iter().flat_map(|note| self.note(note)).collect()
    }

    /// Whether the step alone is a persistent set, because no other thread was seen
    /// to interfere with it. If so, the node is remembered as relying on that.
    pub fn leave_alone(&mut self, step: &Move<'_>, footprints: &[&Footprint], node: &N) -> bool {
        let relied = self.alone(step, footprints);
        relied.is_some_and(|relied| relied.into_iter().all(|reliance| self.rely(reliance, node.clone())))
    }
}

/// Whether there are two. (A set of threads does not tell them all apart.)
fn several(mut threads: impl Iterator<Item = ThreadId>) -> bool {
    threads.nth(1).is_some()
}

/// The cells of some bytes; none if they are too many.
fn cells(offset: u64, len: u64) -> Option<std::ops::Range<u64>> {
    let first = offset / CELL;
    let last = offset.checked_add(len)?.div_ceil(CELL);
    (last - first <= MAX_CELLS).then_some(first..last)
}
