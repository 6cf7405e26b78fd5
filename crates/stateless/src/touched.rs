//! Which steps of an execution touched what, to find those that a step may conflict with
//! without looking at all others.
//!
//! Accesses to the same range of bytes are in a chain, from the last to the first; steps that
//! conflict with everything are in one, too. The ranges of an object are found by its words,
//! but for long ones, of which there are few.
//!
//! [`Candidates`] follows the chains of all ranges that an operation touches, the last step
//! first. It leaves out steps that do not conflict with the operation, and steps that happen
//! before one that its caller has called *covered*, for callers that need none of these:
//!
//! - In a chain, nothing is looked at before a covered step that writes: whatever is there
//!   touches the same bytes. So it conflicts with the covered step or is of the same mover,
//!   and happens before it.
//! - If a covered step writes all bytes of an access, nothing before it is looked at for that
//!   access, in any chain: whatever is there touches a byte that the covered step writes.
//! - If a covered step conflicts with everything, nothing before it is looked at.
//!
//! This needs that all steps of different movers with conflicting accesses are ordered,
//! which is not so where stores wait in buffers ([`crate::buffers::depend`]).

use machine::Kind;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::footprint::{Access, Footprint};

/// The bytes of a word.
const WORD: u32 = 8;

/// A range in more words than this is a long one.
const MANY_WORDS: u32 = 8;

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Range {
    object: u64,
    start: u32,
    end: u32,
}

impl Range {
    /// That of steps that conflict with everything.
    const GLOBAL: Range = Range { object: u64::MAX, start: u32::MAX, end: u32::MAX };

    fn of(access: &Access) -> Range {
        Range { object: access.object, start: access.start, end: access.end }
    }

    /// The words that it touches, unless it is a long one.
    fn words(self) -> Option<std::ops::RangeInclusive<u32>> {
        let (first, last) = (self.start / WORD, self.end.saturating_sub(1) / WORD);
        (last < first.saturating_add(MANY_WORDS)).then_some(first..=last)
    }

    fn meets(self, other: Range) -> bool {
        self.object == other.object && self.start < other.end && other.start < self.end
    }

    fn covers(self, other: Range) -> bool {
        self.object == other.object && self.start <= other.start && other.end <= self.end
    }
}

/// No entry.
const NONE: u32 = u32::MAX;

/// A step in a chain.
#[derive(Clone, Copy, Debug)]
struct Entry {
    range: Range,
    step: u32,
    kind: Kind,
    /// The entry before it in its chain.
    previous: u32,
    /// The last entry before it that does not commute with it.
    unlike: u32,
}

/// What the steps of an execution touched.
#[derive(Default)]
pub struct Touched {
    entries: Vec<Entry>,
    /// The last entry of each chain that was ever there.
    last: FxHashMap<Range, u32>,
    /// The ranges that were ever touched: by a word that they touch, the long ones of an object,
    /// and all of an object.
    by_word: FxHashMap<(u64, u32), SmallVec<[Range; 2]>>,
    long: FxHashMap<u64, SmallVec<[Range; 2]>>,
    all: FxHashMap<u64, Vec<Range>>,
}

impl Touched {
    /// Adds what a step touched, which comes after all others.
    pub fn push(&mut self, step: usize, footprint: &Footprint) {
        if footprint.global {
            self.add(Range::GLOBAL, step as u32, Kind::Write);
        }
        for access in &footprint.accesses {
            self.add(Range::of(access), step as u32, access.kind);
        }
    }

    fn add(&mut self, range: Range, step: u32, kind: Kind) {
        let number = self.entries.len() as u32;
        let previous = self.last.insert(range, number).unwrap_or_else(|| {
            self.note(range);
            NONE
        });
        let unlike = match self.entries.get(previous as usize) {
            Some(before) if before.kind.commutes(kind) => before.unlike,
            _ => previous,
        };
        self.entries.push(Entry { range, step, kind, previous, unlike });
    }

    /// Makes a range known.
    fn note(&mut self, range: Range) {
        self.all.entry(range.object).or_default().push(range);
        match range.words() {
            Some(words) => {
                words.for_each(|word| self.by_word.entry((range.object, word)).or_default().push(range));
            }
            None => self.long.entry(range.object).or_default().push(range),
        }
    }

    /// Forgets all steps from one on.
    pub fn back_to(&mut self, steps: usize) {
        while let Some(entry) = self.entries.pop_if(|entry| entry.step as usize >= steps) {
            self.last.insert(entry.range, entry.previous);
        }
    }

    /// The steps that may conflict with one that touches this, if that does not conflict
    /// with everything.
    pub fn candidates(&self, footprint: &Footprint) -> Candidates<'_> {
        let mut candidates = Candidates { touched: self, cursors: SmallVec::new() };
        candidates.follow(Range::GLOBAL, None);
        for access in &footprint.accesses {
            let range = Range::of(access);
            match range.words() {
                None => candidates.follow_all(self.all.get(&range.object).map(Vec::as_slice), access),
                Some(words) => {
                    candidates.follow_all(self.long.get(&range.object).map(SmallVec::as_slice), access);
                    for word in words {
                        let here = self.by_word.get(&(range.object, word));
                        candidates.follow_all(here.map(SmallVec::as_slice), access);
                    }
                }
            }
        }
        candidates
    }
}

/// Where a chain is followed.
#[derive(PartialEq)]
struct Cursor {
    at: u32,
    /// What is looked for; nothing in the chain of steps that conflict with everything.
    access: Option<Access>,
}

/// The steps that may conflict with an operation, the last one first.
pub struct Candidates<'a> {
    touched: &'a Touched,
    cursors: SmallVec<[Cursor; 6]>,
}

impl Candidates<'_> {
    fn follow_all(&mut self, ranges: Option<&[Range]>, access: &Access) {
        for range in ranges.into_iter().flatten().filter(|range| range.meets(Range::of(access))) {
            self.follow(*range, Some(*access));
        }
    }

    fn follow(&mut self, range: Range, access: Option<Access>) {
        let at = self.touched.last.get(&range).copied().unwrap_or(NONE);
        let mut cursor = Cursor { at, access };
        // A range of several words is found by each of them.
        if cursor.settle(&self.touched.entries) && !self.cursors.contains(&cursor) {
            self.cursors.push(cursor);
        }
    }

    /// The next step.
    pub fn next(&self) -> Option<usize> {
        let steps = self.cursors.iter().map(|cursor| self.touched.entries[cursor.at as usize].step);
        steps.max().map(|step| step as usize)
    }

    /// Passes by the step that came next. If it is covered, what happens before it is not looked
    /// at any more.
    pub fn pass(&mut self, step: usize, covered: bool) {
        let entries = &self.touched.entries;
        let mut done: SmallVec<[Option<Access>; 4]> = SmallVec::new();
        self.cursors.retain(|cursor| {
            let entry = &entries[cursor.at as usize];
            if entry.step as usize != step {
                return true;
            }
            let ends = covered && entry.kind == Kind::Write;
            if ends && cursor.access.is_none_or(|access| entry.range.covers(Range::of(&access))) {
                done.push(cursor.access);
            }
            cursor.at = entry.previous;
            !ends && cursor.settle(entries)
        });
        if done.contains(&None) {
            self.cursors.clear();
        }
        self.cursors.retain(|cursor| !done.contains(&cursor.access));
    }
}

impl Cursor {
    /// Goes on to an entry that conflicts with what is looked for. Yields whether there is
    /// one.
    fn settle(&mut self, entries: &[Entry]) -> bool {
        while let (Some(entry), Some(access)) = (entries.get(self.at as usize), self.access)
            && entry.kind.commutes(access.kind)
        {
            self.at = entry.unlike;
        }
        self.at != NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(random: &mut fastrand::Rng) -> Footprint {
        let access = |random: &mut fastrand::Rng| {
            let start = random.u32(0..24);
            let kind = [Kind::Read, Kind::Add, Kind::Write][random.usize(0..3)];
            Access { object: random.u64(0..2), start, end: start + random.u32(1..12), kind }
        };
        let accesses = (0..random.usize(0..3)).map(|_| access(random)).collect();
        Footprint { accesses, global: random.u32(0..20) == 0 }
    }

    /// Steps in which those that conflict are in an order, transitively, and so are those
    /// of one mover: for each step those before it.
    fn pasts(steps: &[(u32, Footprint)]) -> Vec<Vec<bool>> {
        let mut pasts: Vec<Vec<bool>> = Vec::new();
        for (index, (mover, footprint)) in steps.iter().enumerate() {
            let mut past = vec![false; steps.len()];
            for (earlier, (other, touched)) in steps[..index].iter().enumerate() {
                if other == mover || touched.conflicts(footprint) {
                    past[earlier] = true;
                    past.iter_mut().zip(&pasts[earlier]).for_each(|(past, of)| *past |= of);
                }
            }
            pasts.push(past);
        }
        pasts
    }

    #[test]
    fn all_steps_that_conflict_and_are_not_covered_are_found() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..400 {
            let count = random.usize(0..40);
            let steps: Vec<_> = (0..count).map(|_| (random.u32(0..3), footprint(&mut random))).collect();
            let pasts = pasts(&steps);
            let mut touched = Touched::default();
            for round in 0..2 {
                let from = if round == 0 { 0 } else { count / 2 };
                touched.back_to(from);
                (from..count).for_each(|step| touched.push(step, &steps[step].1));
                let wanted = Footprint { global: false, ..footprint(&mut random) };
                let mut between = vec![false; count];
                let covers = |step: usize| !(step * 7 + count).is_multiple_of(3);
                let found =
                    |between: &[bool], step: usize| !between[step] && steps[step].1.conflicts(&wanted);
                let cover = |between: &mut Vec<bool>, step: usize| {
                    between[step] = true;
                    between.iter_mut().zip(&pasts[step]).for_each(|(all, of)| *all |= of);
                };
                let mut expected = Vec::new();
                for step in (0..count).rev() {
                    if found(&between, step) {
                        expected.push(step);
                        covers(step).then(|| cover(&mut between, step));
                    }
                }
                let (mut between, mut seen) = (vec![false; count], Vec::new());
                let mut candidates = touched.candidates(&wanted);
                while let Some(step) = candidates.next() {
                    if found(&between, step) {
                        seen.push(step);
                        covers(step).then(|| cover(&mut between, step));
                    }
                    candidates.pass(step, between[step]);
                }
                assert_eq!(seen, expected);
            }
        }
    }
}
