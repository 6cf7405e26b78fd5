//! Which threads touch which places with which locksets, over a whole search.

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
    /// Locks in globals, which have the same name in all states.
    locks: Vec<(ObjectId, u64)>,
    /// Locks that were overwritten while there were several threads.
    spoiled: Locks,
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
        Discipline { areas: FxHashMap::default(), locks: Vec::new(), spoiled: 0 }
    }
}

impl<N: Clone> Discipline<N> {
    /// Notes what a step touched. Yields where something was relied upon that
    /// is not so.
    pub fn touch(&mut self, step: &Move<'_>, footprint: &Footprint) -> Vec<N> {
        let mut broken = Vec::new();
        if !several(step.before.unjoined()) {
            return broken;
        }
        let unjoined = Threads::of(step.before.unjoined());
        // What is held changes within a special step, within one of a thread that
        // is alone, and where a lock is given back before the rest is touched.
        let changes = footprint.special
            || !several(step.before.alive())
            || footprint.memory().any(|(_, role, _)| role == Role::Unlock);
        let locks = if changes { 0 } else { self.held(step) };
        // Also what is not shared any more: it was, perhaps, before others went on.
        for (place, role, _) in footprint.memory() {
            self.learn_lock(step, place, role);
            let used = Use { thread: step.thread, role, unjoined, locks };
            self.add(step, place, used, &mut broken);
        }
        broken
    }

    /// Notes what threads that cannot move are about to touch.
    pub fn touch_awaited(&mut self, machine: &Machine, state: &State) -> Vec<N> {
        let mut broken = Vec::new();
        let unjoined = Threads::of(state.unjoined());
        for thread in state.alive() {
            if let Some(place) = machine.awaited(state, thread) {
                let used = Use { thread, role: Role::Lock, unjoined, locks: 0 };
                self.add(&Move { machine, before: state, thread }, place, used, &mut broken);
            }
        }
        broken
    }

    /// Whether the step alone is a persistent set, because no other thread was seen
    /// to interfere with it. If so, the node is remembered as relying on that.
    pub fn leave_alone(&mut self, step: &Move<'_>, footprints: &[&Footprint], node: &N) -> bool {
        let Move { machine, before, thread } = *step;
        if footprints.iter().any(|footprint| footprint.special) || machine.uses_keys(before, thread) {
            return false;
        }
        let locks = self.held(step);
        let mut relied = Vec::new();
        let touched = footprints.iter().flat_map(|footprint| footprint.memory());
        for (place, role, _) in touched.filter(|(_, _, shared)| *shared) {
            let Some(home) = machine.home(before, place.object) else { continue };
            if machine.is_lent(before, thread, place.object) {
                return false;
            }
            let Some(cells) = cells(place) else { return false };
            let manner = Manner { thread, role, locks };
            let area = self.areas.entry(home).or_default();
            if !cells.clone().all(|cell| area.is_free(cell, manner)) {
                return false;
            }
            relied.extend(cells.map(|cell| (home, cell, manner)));
        }
        for (home, cell, manner) in relied {
            let area = self.areas.entry(home).or_default();
            area.cells.entry(cell).or_default().rely(manner, node.clone());
        }
        true
    }

    fn add(&mut self, step: &Move<'_>, place: Place, used: Use, broken: &mut Vec<N>) {
        // No other thread knows what the step itself made.
        let Some(home) = step.machine.home(step.before, place.object) else { return };
        if used.role == Role::Write {
            self.spoil(place, broken);
        }
        let area = self.areas.entry(home).or_default();
        let Some(cells) = cells(place) else {
            if let Some(used) = area.whole.add(used) {
                area.cells.values_mut().for_each(|cell| cell.break_up(&used, broken));
            }
            return;
        };
        for cell in cells {
            let cell = area.cells.entry(cell).or_default();
            if let Some(used) = cell.add(used) {
                cell.break_up(&used, broken);
            }
        }
    }

    /// The lockset of a thread: the locks that it holds.
    fn held(&self, step: &Move<'_>) -> Locks {
        let has = |(object, offset): &(ObjectId, u64)| {
            step.machine.has_lock(step.before, step.thread, *object, *offset)
        };
        let locks = self.locks.iter().enumerate().filter(|(_, lock)| has(lock));
        locks.fold(0, |set, (number, _)| set | 1 << number) & !self.spoiled
    }

    fn learn_lock(&mut self, step: &Move<'_>, place: Place, role: Role) {
        let lock = (place.object, place.offset);
        let is_lock = matches!(role, Role::Lock | Role::Unlock | Role::TryLock);
        let is_global = || matches!(step.machine.home(step.before, lock.0), Some(Home::Global(_)));
        if is_lock && self.locks.len() < MAX_LOCKS && is_global() && !self.locks.contains(&lock) {
            self.locks.push(lock);
        }
    }

    /// Forgets locks that are written over: they may be taken twice.
    fn spoil(&mut self, place: Place, broken: &mut Vec<N>) {
        let meets = |(object, offset): &(ObjectId, u64)| {
            *object == place.object
                && *offset < place.offset.saturating_add(place.len)
                && place.offset < offset + MUTEX_BYTES
        };
        let spoiled = self.locks.iter().enumerate().filter(|(_, lock)| meets(lock));
        let spoiled = spoiled.fold(0, |set, (number, _)| set | 1 << number) & !self.spoiled;
        if spoiled == 0 {
            return;
        }
        self.spoiled |= spoiled;
        let cells = self.areas.values_mut().flat_map(|area| area.cells.values_mut());
        cells.for_each(|cell| cell.forget_locks(spoiled, broken));
    }
}

/// Whether there are two. (A set of threads does not tell them all apart.)
fn several(mut threads: impl Iterator<Item = ThreadId>) -> bool {
    threads.nth(1).is_some()
}

/// The cells of a place; none if they are too many.
fn cells(place: Place) -> Option<std::ops::Range<u64>> {
    let first = place.offset / CELL;
    let last = place.offset.checked_add(place.len)?.div_ceil(CELL);
    (last - first <= MAX_CELLS).then_some(first..last)
}
