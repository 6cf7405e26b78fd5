//! Who touches what under which locks, over a whole search.

use machine::{Footprint, Home, How, Machine, ObjectId, Place, State, ThreadId, Touched};
use rustc_hash::FxHashMap;

use crate::place::{Cell, Locks, Reliance, Threads, Use};

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

/// A step that wants to be left alone: whose it is, from which state, and what
/// it touched.
pub struct Claim<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The state before the step.
    pub before: &'a State,
    /// Who moved.
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
    pub fn touch(&mut self, claim: &Claim<'_>, footprint: &Footprint) -> Vec<N> {
        let mut broken = Vec::new();
        let alive = Threads::of(claim.before.alive());
        if !alive.several() {
            return broken;
        }
        // What is held changes within a special step.
        let locks = if footprint.special { 0 } else { self.held(claim) };
        for touched in footprint.touched.iter().filter(|touched| touched.shared) {
            self.learn_lock(claim, touched);
            let used = Use { thread: claim.thread, how: touched.how, alive, locks };
            self.add(claim, touched.place, used, &mut broken);
        }
        broken
    }

    /// Notes what threads that cannot move are about to touch.
    pub fn touch_awaited(&mut self, machine: &Machine, state: &State) -> Vec<N> {
        let mut broken = Vec::new();
        let alive = Threads::of(state.alive());
        for thread in state.alive() {
            if let Some(place) = machine.awaited(state, thread) {
                let used = Use { thread, how: How::Lock, alive, locks: 0 };
                self.add(&Claim { machine, before: state, thread }, place, used, &mut broken);
            }
        }
        broken
    }

    /// Leaves a step alone, if nobody was seen to interfere with it.
    pub fn leave_alone(&mut self, claim: &Claim<'_>, footprints: &[&Footprint], node: &N) -> bool {
        if footprints.iter().any(|footprint| footprint.special) {
            return false;
        }
        let (locks, thread) = (self.held(claim), claim.thread);
        let mut relied = Vec::new();
        for footprint in footprints {
            for touched in footprint.touched.iter().filter(|touched| touched.shared) {
                let Some(home) = claim.machine.home(claim.before, touched.place.object) else { continue };
                let how = touched.how;
                let free = |area: &Area<N>, cell| {
                    let inner = area.cells.get(&cell);
                    inner.is_none_or(|inner| inner.is_free(thread, how, locks))
                        && area.whole.is_free(thread, how, locks)
                };
                let Some(cells) = cells(touched.place) else { return false };
                let area = self.areas.entry(home).or_default();
                if !cells.clone().all(|cell| free(area, cell)) {
                    return false;
                }
                relied.extend(cells.map(|cell| (home, cell, how)));
            }
        }
        for (home, cell, how) in relied {
            let cell = self.areas.entry(home).or_default().cells.entry(cell).or_default();
            cell.rely(Reliance { thread, how, locks, node: node.clone() });
        }
        true
    }

    fn add(&mut self, claim: &Claim<'_>, place: Place, used: Use, broken: &mut Vec<N>) {
        // What the step itself made, nobody else knows.
        let Some(home) = claim.machine.home(claim.before, place.object) else { return };
        if used.how == How::Write {
            self.spoil(place, broken);
        }
        let area = self.areas.entry(home).or_default();
        let Some(cells) = cells(place) else {
            if area.whole.add(used) {
                let uses = area.whole.uses();
                area.cells.values_mut().for_each(|cell| cell.break_up(uses, broken));
            }
            return;
        };
        for cell in cells {
            let cell = area.cells.entry(cell).or_default();
            if cell.add(used) {
                cell.break_up(&[], broken);
            }
        }
    }

    /// The locks that a thread has.
    fn held(&self, claim: &Claim<'_>) -> Locks {
        let has = |(object, offset): &(ObjectId, u64)| {
            claim.machine.has_lock(claim.before, claim.thread, *object, *offset)
        };
        let locks = self.locks.iter().enumerate().filter(|(_, lock)| has(lock));
        locks.fold(0, |set, (number, _)| set | 1 << number) & !self.spoiled
    }

    fn learn_lock(&mut self, claim: &Claim<'_>, touched: &Touched) {
        let lock = (touched.place.object, touched.place.offset);
        let is_lock = matches!(touched.how, How::Lock | How::Unlock | How::TryLock);
        let is_global = || matches!(claim.machine.home(claim.before, lock.0), Some(Home::Global(_)));
        if is_lock && self.locks.len() < MAX_LOCKS && is_global() && !self.locks.contains(&lock) {
            self.locks.push(lock);
        }
    }

    /// Forgets locks that are written over: they may be taken twice.
    fn spoil(&mut self, place: Place, broken: &mut Vec<N>) {
        let meets = |(object, offset): &(ObjectId, u64)| {
            *object == place.object
                && *offset < place.offset.saturating_add(place.len)
                && place.offset < offset + LOCK_BYTES
        };
        let spoiled = self.locks.iter().enumerate().filter(|(_, lock)| meets(lock));
        let spoiled = spoiled.fold(0, |set, (number, _)| set | 1 << number) & !self.spoiled;
        if spoiled == 0 {
            return;
        }
        self.spoiled |= spoiled;
        for Area { cells, whole } in self.areas.values_mut() {
            for cell in cells.values_mut() {
                cell.forget_lock(spoiled);
                cell.break_up(whole.uses(), broken);
            }
        }
    }
}

/// The bytes that a lock is at home in.
const LOCK_BYTES: u64 = 20;

/// The cells of a place; none if they are too many.
fn cells(place: Place) -> Option<std::ops::Range<u64>> {
    let first = place.offset / CELL;
    let last = place.offset.checked_add(place.len)?.div_ceil(CELL);
    (last - first <= MAX_CELLS).then_some(first..last)
}
