//! Data races by happens-before: vector clocks after the C11 rules.
//!
//! Each thread has a clock; releasing operations publish it, acquiring ones
//! join what was published. Each object remembers in its [`Shadow`] which
//! thread accessed which bytes at which epoch. An access races with a remembered one
//! that conflicts and is not in its thread's past.
//!
//! A remembered access is dropped when a later one that it happens before
//! conflicts with at least as much: an access that races with the first then
//! races with the second, or comes after both (FastTrack's argument, here for reads
//! and atomics too).
//!
//! Where races of some places are not told, that argument does not hold: the race with the
//! second may be one of them. Accesses of different places are then remembered side by
//! side ([`Record::apart`]), states differ in them, and all races of an access are told.

pub(crate) mod clock;
pub(crate) mod knowers;

use ir::Order;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use clock::Clock;
use knowers::Knowers;

use crate::memory::object::{Object, Site};
use crate::state::State;
use crate::telling::fault::{ThreadId, Touch};

/// A thread's knowledge of the past.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Clocks {
    pub now: Clock,
    /// What relaxed stores publish: the clock at the last release fence.
    pub release_fence: Clock,
    /// What relaxed loads have read and an acquire fence will join.
    pub pending: Clock,
}

impl Clocks {
    pub fn is_empty(&self) -> bool {
        self.now.is_empty() && self.release_fence.is_empty() && self.pending.is_empty()
    }

    pub fn fence(&mut self, thread: ThreadId, order: Order) {
        if order.acquires() {
            self.now.join(&self.pending);
        }
        if order.releases() {
            self.release_fence = self.now.clone();
            self.now.advance(thread);
        }
    }

    /// The same with ranks for epochs. A thread's own epoch is above all that
    /// objects remember and other threads know of it.
    pub fn ranked(&self, ranks: &Ranks, thread: ThreadId) -> Clocks {
        let mut now = ranks.ranked(&self.now);
        now.set(thread, ranks.of(thread).map_or(0, Vec::len) as u32 + 1);
        Clocks { now, release_fence: ranks.ranked(&self.release_fence), pending: ranks.ranked(&self.pending) }
    }

    /// What an atomic store publishes; one that releases starts a new epoch.
    pub fn publish(&mut self, thread: ThreadId, order: Order) -> Clock {
        let mut published = Clock::default();
        if order.releases() {
            self.release_to(thread, &mut published);
        } else {
            published.join(&self.release_fence);
        }
        published
    }

    /// Publishes the clock and starts a new epoch.
    pub fn release_to(&mut self, thread: ThreadId, to: &mut Clock) {
        to.join(&self.now);
        self.now.advance(thread);
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Mode {
    pub touch: Touch,
    pub atomic: bool,
}

impl Mode {
    fn conflicts(self, other: Mode) -> bool {
        (self.touch == Touch::Write || other.touch == Touch::Write) && !(self.atomic && other.atomic)
    }

    /// Whether it conflicts with all that the other conflicts with.
    fn covers(self, other: Mode) -> bool {
        (self.touch == Touch::Write || other.touch == Touch::Read) && (!self.atomic || other.atomic)
    }
}

/// A remembered access.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub thread: ThreadId,
    pub mode: Mode,
    pub epoch: u32,
    pub site: Site,
    /// Whether it stands for accesses of its own place alone.
    pub apart: bool,
}

impl Record {
    /// The place, if it is told apart from others.
    pub fn place(&self) -> Option<Site> {
        self.apart.then_some(self.site)
    }

    /// The order in which states have the accesses to some bytes.
    pub fn key(&self) -> (ThreadId, Mode, Option<Site>) {
        (self.thread, self.mode, self.place())
    }
}

/// An earlier access that races with another one, and where the two meet.
pub(crate) type Meeting = (Record, std::ops::Range<u64>);

/// The accesses to a range of bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub start: u64,
    pub end: u64,
    pub records: SmallVec<[Record; 2]>,
}

/// A release sequence: what an atomic location publishes to its acquiring
/// readers. Sequences of several heads go on at the same time where
/// read-modify-writes release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Release {
    pub offset: u64,
    /// Whose release heads the sequence.
    pub head: ThreadId,
    pub clock: Clock,
}

/// The accesses to an object, and what its atomics publish.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shadow {
    /// Disjoint, ascending.
    pub cells: Vec<Cell>,
    /// Ascending by offset and head.
    pub releases: Vec<Release>,
}

impl Shadow {
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.releases.is_empty()
    }

    /// Whether [`Shadow::normalise`] changes nothing.
    pub fn is_normal(&self, ranks: &Ranks) -> bool {
        let is_sorted = |cell: &Cell| cell.records.is_sorted_by_key(Record::key);
        let keeps = |record: &Record| {
            ranks.matters(record) && record.epoch == ranks.rank(record.thread, record.epoch) as u32 + 1
        };
        let keeps_cell =
            |cell: &Cell| !cell.records.is_empty() && is_sorted(cell) && cell.records.iter().all(keeps);
        let keeps_release =
            |release: &Release| ranks.knows_something(&release.clock) && ranks.is_normal(&release.clock);
        self.cells.iter().all(keeps_cell) && self.releases.iter().all(keeps_release)
    }

    /// Keeps only what can still race, with ranks for epochs.
    pub fn normalise(&mut self, ranks: &Ranks) {
        for cell in &mut self.cells {
            cell.records.retain(|record| ranks.matters(record));
            cell.records.sort_by_key(Record::key);
            for record in &mut cell.records {
                record.epoch = ranks.rank(record.thread, record.epoch) as u32 + 1;
            }
        }
        self.cells.retain(|cell| !cell.records.is_empty());
        self.releases.retain(|release| ranks.knows_something(&release.clock));
        self.releases.iter_mut().for_each(|release| ranks.normalise(&mut release.clock));
    }

    /// The same for threads with other numbers.
    pub fn rename(&mut self, rename: impl Fn(ThreadId) -> ThreadId + Copy) {
        for cell in &mut self.cells {
            cell.records.iter_mut().for_each(|record| record.thread = rename(record.thread));
            cell.records.sort_by_key(Record::key);
        }
        for release in &mut self.releases {
            release.head = rename(release.head);
            release.clock = release.clock.renamed(rename);
        }
        self.releases.sort_by_key(|release| (release.offset, release.head));
    }

    /// Remembers an access; yields one that it races with, if there is one, and where the two
    /// meet. If places are told apart, it yields one of each place and thread.
    pub fn access(
        &mut self,
        range: std::ops::Range<u64>,
        access: Record,
        past: &Clock,
    ) -> SmallVec<[Meeting; 1]> {
        let cells = self.cells_of(range);
        let mut races: SmallVec<[Meeting; 1]> = SmallVec::new();
        for cell in &mut self.cells[cells] {
            let range = cell.start..cell.end;
            for race in cell.races(&access, past) {
                let same = |(known, _): &Meeting| !access.apart || known.key() == race.key();
                if !races.iter().any(same) {
                    races.push((*race, range.clone()));
                }
            }
            cell.remember(access, past);
        }
        races
    }

    /// Cuts the cells so that the range is exactly a run of them.
    fn cells_of(&mut self, range: std::ops::Range<u64>) -> std::ops::Range<usize> {
        let first = self.cells.partition_point(|cell| cell.end <= range.start);
        let mut at = range.start;
        let mut index = first;
        while at < range.end {
            let next = self.cells.get(index).map_or(u64::MAX, |cell| cell.start);
            if at < next {
                let end = range.end.min(next);
                self.cells.insert(index, Cell { start: at, end, records: SmallVec::new() });
            } else if next < at {
                self.cut(index, at);
                index += 1;
                continue;
            } else if self.cells[index].end > range.end {
                self.cut(index, range.end);
            }
            at = self.cells[index].end;
            index += 1;
        }
        let first = self.cells.partition_point(|cell| cell.end <= range.start);
        first..index
    }

    fn cut(&mut self, index: usize, at: u64) {
        let mut rest = self.cells[index].clone();
        rest.start = at;
        self.cells[index].end = at;
        self.cells.insert(index + 1, rest);
    }

    /// A plain write ends what the bytes published.
    pub fn forget_releases(&mut self, range: std::ops::Range<u64>) {
        self.releases.retain(|release| !range.contains(&release.offset));
    }

    /// An atomic read joins what the location publishes.
    pub fn acquire(&self, offset: u64, order: Order, clocks: &mut Clocks) {
        for release in self.releases.iter().filter(|release| release.offset == offset) {
            if order.acquires() {
                clocks.now.join(&release.clock);
            }
            clocks.pending.join(&release.clock);
        }
    }

    /// An atomic write publishes what its thread knows.
    pub fn release(&mut self, offset: u64, order: Order, rmw: bool, thread: ThreadId, clocks: &mut Clocks) {
        let published = clocks.publish(thread, order);
        self.publish(offset, rmw, thread, published);
    }

    /// The same with what it publishes. A read-modify-write continues the release
    /// sequences it reads from, a store only the one of its own thread.
    pub fn publish(&mut self, offset: u64, rmw: bool, thread: ThreadId, published: Clock) {
        self.releases.retain(|release| rmw || release.offset != offset || release.head == thread);
        if published.is_empty() {
            return;
        }
        match self.releases.binary_search_by_key(&(offset, thread), |release| (release.offset, release.head))
        {
            Ok(index) => self.releases[index].clock.join(&published),
            Err(index) => self.releases.insert(index, Release { offset, head: thread, clock: published }),
        }
    }
}

impl Cell {
    fn races(&self, access: &Record, past: &Clock) -> impl Iterator<Item = &Record> {
        let unordered = |r: &&Record| r.thread != access.thread && r.epoch > past.get(r.thread);
        self.records.iter().filter(|r| r.mode.conflicts(access.mode)).filter(unordered)
    }

    fn remember(&mut self, access: Record, past: &Clock) {
        let same_place = |r: &Record| r.place() == access.place();
        let known = self.records.iter_mut().find(|r| {
            r.thread == access.thread
                && r.epoch == access.epoch
                && r.mode.covers(access.mode)
                && same_place(r)
        });
        if let Some(known) = known {
            if known.mode == access.mode {
                known.site = access.site;
            }
            return;
        }
        let replaces = |r: &Record| r.epoch <= past.get(r.thread) && access.mode.covers(r.mode);
        self.records.retain(|r| !(replaces(r) && same_place(r)));
        self.records.push(access);
    }
}

/// The epochs of remembered accesses that can still race, per thread.
pub(crate) struct Ranks {
    pub epochs: Vec<(ThreadId, Vec<u32>)>,
}

impl Ranks {
    /// Those of a state with these objects. `knowers` are those of the last normal
    /// state, if they are known.
    pub fn new(state: &State, objects: &[&Object], knowers: Option<&Knowers>) -> Ranks {
        let none = Knowers::default();
        let knowers = knowers.unwrap_or(&none);
        let records = objects.iter().flat_map(|o| &o.shadow.cells).flat_map(|cell| &cell.records);
        let mut all: Vec<(ThreadId, u32)> = records.map(|record| (record.thread, record.epoch)).collect();
        all.sort_unstable();
        all.dedup();
        let of_thread = |same: &[(ThreadId, u32)]| {
            let thread = same[0].0;
            let known = knowers.known_to_all(state, thread);
            (thread, same.iter().map(|(_, epoch)| *epoch).filter(|epoch| *epoch > known).collect())
        };
        let epochs = all.chunk_by(|a, b| a.0 == b.0).map(of_thread);
        Ranks { epochs: epochs.filter(|(_, epochs): &(_, Vec<u32>)| !epochs.is_empty()).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.epochs.is_empty()
    }

    pub fn of(&self, thread: ThreadId) -> Option<&Vec<u32>> {
        let at = self.epochs.binary_search_by_key(&thread, |(thread, _)| *thread).ok()?;
        Some(&self.epochs[at].1)
    }

    pub fn matters(&self, record: &Record) -> bool {
        self.of(record.thread).is_some_and(|epochs| epochs.binary_search(&record.epoch).is_ok())
    }

    pub fn rank(&self, thread: ThreadId, epoch: u32) -> u64 {
        self.of(thread).map_or(0, |epochs| epochs.partition_point(|e| *e < epoch) as u64)
    }

    /// Replaces a clock's epochs by the number of remembered ones they cover.
    pub fn normalise(&self, clock: &mut Clock) {
        *clock = self.ranked(clock);
    }

    /// Whether that changes nothing.
    pub fn is_normal(&self, clock: &Clock) -> bool {
        *clock == self.ranked(clock)
    }

    /// The clock with the number of remembered epochs that it covers.
    pub fn ranked(&self, clock: &Clock) -> Clock {
        let mut ranked = Clock::default();
        for (thread, epochs) in &self.epochs {
            let known = epochs.partition_point(|epoch| *epoch <= clock.get(*thread)) as u32;
            if known > 0 {
                ranked.set(*thread, known);
            }
        }
        ranked
    }

    pub fn knows_something(&self, clock: &Clock) -> bool {
        self.epochs.iter().any(|(thread, epochs)| epochs[0] <= clock.get(*thread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::FuncId;

    const A: ThreadId = ThreadId(0);
    const B: ThreadId = ThreadId(1);
    const WRITE: Mode = Mode { touch: Touch::Write, atomic: false };
    const READ: Mode = Mode { touch: Touch::Read, atomic: false };
    const ATOMIC_WRITE: Mode = Mode { touch: Touch::Write, atomic: true };

    fn clocks(thread: ThreadId) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.now.advance(thread);
        clocks
    }

    fn access(
        shadow: &mut Shadow,
        range: std::ops::Range<u64>,
        thread: ThreadId,
        mode: Mode,
        clocks: &Clocks,
    ) -> bool {
        let site = Site { function: FuncId(0), pc: 0 };
        let record = Record { thread, mode, epoch: clocks.now.get(thread), site, apart: false };
        !shadow.access(range, record, &clocks.now).is_empty()
    }

    #[test]
    fn unordered_conflicts_race() {
        let (a, b) = (clocks(A), clocks(B));
        let mut shadow = Shadow::default();
        assert!(!access(&mut shadow, 0..4, A, WRITE, &a));
        assert!(!access(&mut shadow, 4..8, B, WRITE, &b), "other bytes");
        assert!(access(&mut shadow, 3..5, B, READ, &b), "one byte in common");
        assert!(!access(&mut shadow, 8..12, A, READ, &a));
        assert!(!access(&mut shadow, 8..12, B, READ, &b), "two reads");
        assert!(access(&mut shadow, 8..12, B, WRITE, &b), "a read and a write");
    }

    #[test]
    fn atomics_race_only_with_plain_accesses() {
        let (a, b) = (clocks(A), clocks(B));
        let mut shadow = Shadow::default();
        assert!(!access(&mut shadow, 0..4, A, ATOMIC_WRITE, &a));
        assert!(!access(&mut shadow, 0..4, B, ATOMIC_WRITE, &b));
        assert!(access(&mut shadow, 0..4, B, READ, &b));
    }

    /// Writes data, stores a flag with the order; the other loads it and reads.
    fn publication_races(store: Order, load: Order) -> bool {
        let (mut a, mut b) = (clocks(A), clocks(B));
        let mut shadow = Shadow::default();
        access(&mut shadow, 0..4, A, WRITE, &a);
        shadow.release(8, store, false, A, &mut a);
        shadow.acquire(8, load, &mut b);
        access(&mut shadow, 0..4, B, READ, &b)
    }

    #[test]
    fn release_and_acquire_order() {
        assert!(!publication_races(Order::Release, Order::Acquire));
        assert!(!publication_races(Order::SeqCst, Order::SeqCst));
        assert!(publication_races(Order::Relaxed, Order::Acquire));
        assert!(publication_races(Order::Release, Order::Relaxed));
    }

    #[test]
    fn fences_order_relaxed_accesses() {
        let (mut a, mut b) = (clocks(A), clocks(B));
        let mut shadow = Shadow::default();
        access(&mut shadow, 0..4, A, WRITE, &a);
        a.fence(A, Order::Release);
        shadow.release(8, Order::Relaxed, false, A, &mut a);
        shadow.acquire(8, Order::Relaxed, &mut b);
        let mut unfenced = b.clone();
        b.fence(B, Order::Acquire);
        assert!(!access(&mut shadow.clone(), 0..4, B, READ, &b));
        unfenced.fence(B, Order::Release);
        assert!(access(&mut shadow, 0..4, B, READ, &unfenced));
    }

    #[test]
    fn a_write_after_the_release_is_not_published() {
        let (mut a, mut b) = (clocks(A), clocks(B));
        let mut shadow = Shadow::default();
        shadow.release(8, Order::Release, false, A, &mut a);
        access(&mut shadow, 0..4, A, WRITE, &a);
        shadow.acquire(8, Order::Acquire, &mut b);
        assert!(access(&mut shadow, 0..4, B, READ, &b));
    }

    #[test]
    fn read_modify_writes_continue_a_release_sequence_and_stores_break_it() {
        for (rmw, races) in [(true, false), (false, true)] {
            let (mut a, mut b, mut c) = (clocks(A), clocks(B), clocks(ThreadId(2)));
            let mut shadow = Shadow::default();
            access(&mut shadow, 0..4, A, WRITE, &a);
            shadow.release(8, Order::Release, false, A, &mut a);
            shadow.release(8, Order::Relaxed, rmw, B, &mut b);
            shadow.acquire(8, Order::Acquire, &mut c);
            assert_eq!(access(&mut shadow, 0..4, ThreadId(2), READ, &c), races);
        }
    }

    #[test]
    fn a_store_ends_the_sequences_that_others_head() {
        let (mut a, mut b, mut c) = (clocks(A), clocks(B), clocks(ThreadId(2)));
        let mut shadow = Shadow::default();
        shadow.release(8, Order::Release, false, A, &mut a);
        access(&mut shadow, 0..4, B, WRITE, &b);
        shadow.release(8, Order::Release, true, B, &mut b);
        shadow.release(8, Order::Relaxed, false, A, &mut a);
        shadow.acquire(8, Order::Acquire, &mut c);
        assert!(access(&mut shadow, 0..4, ThreadId(2), READ, &c));
    }

    #[test]
    fn ranges_are_cut_where_accesses_overlap() {
        let (a, b) = (clocks(A), clocks(B));
        let mut shadow = Shadow::default();
        access(&mut shadow, 0..8, A, READ, &a);
        access(&mut shadow, 2..4, A, WRITE, &a);
        access(&mut shadow, 6..12, A, READ, &a);
        let bounds: Vec<_> = shadow.cells.iter().map(|cell| (cell.start, cell.end)).collect();
        assert_eq!(bounds, [(0, 2), (2, 4), (4, 6), (6, 8), (8, 12)]);
        assert!(!access(&mut shadow.clone(), 4..12, B, READ, &b));
        assert!(access(&mut shadow, 0..12, B, READ, &b));
    }
    #[test]
    fn places_that_are_told_apart_race_each() {
        for (apart, races) in [(false, vec![9]), (true, vec![5, 9])] {
            let (a, b) = (clocks(A), clocks(B));
            let mut shadow = Shadow::default();
            let mut access = |thread, pc, clocks: &Clocks| {
                let site = Site { function: FuncId(0), pc };
                let record = Record { thread, mode: WRITE, epoch: clocks.now.get(thread), site, apart };
                let found = shadow.access(0..4, record, &clocks.now);
                found.into_iter().map(|(earlier, _)| earlier.site.pc).collect::<Vec<u32>>()
            };
            assert_eq!((access(A, 5, &a), access(A, 9, &a)), (vec![], vec![]));
            assert_eq!(access(B, 7, &b), races);
        }
    }
}
