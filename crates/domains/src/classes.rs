//! From what happens to intervals of a value to its domain.

use std::collections::{BTreeMap, HashMap};

use ir::{Domain, FuncId, Instr, Pc, Program};

use crate::explore::{End, Explored, Path, explore};
use crate::fold;
use crate::observe::{Context, Fact, Observations, observations};
use crate::view::Interval;

/// The largest domain that is enumerated.
const MAX_VALUES: usize = 4096;

/// Intervals followed for one choice; after that none is split any more.
const MAX_INTERVALS: usize = 256;

/// Instructions followed for one choice.
const MAX_STEPS: u32 = 50_000;

/// Values tried as representatives of one interval.
const MAX_CANDIDATES: u64 = 1 << 16;

/// A small domain for the choice at `pc`, if there is one.
pub(crate) fn small_domain(program: &Program, context: &Context, function: FuncId, pc: Pc) -> Option<Domain> {
    let Instr::Nondet { width, .. } = program.function(function).code[pc as usize] else { return None };
    let parts = intervals(program, function, pc, width);
    let mut observer = Observer { program, context, width, cache: HashMap::new() };
    let mut values = Values { width, ..Values::default() };
    for (interval, paths) in &parts {
        if paths.iter().all(|path| path.end == End::Dropped) {
            values.spare.extend(interval.near_zero(1, width));
            continue;
        }
        match observer.look(paths) {
            Some(observations) => values.add_classes(*interval, paths, &observations)?,
            None => values.add_all(*interval)?,
        }
    }
    Some(values.domain())
}

/// Splits the values until each interval takes the same paths.
fn intervals(program: &Program, function: FuncId, pc: Pc, width: u8) -> Vec<(Interval, Vec<Path>)> {
    let mut work = Interval::all(width).to_vec();
    let mut done = Vec::new();
    let mut fuel = MAX_STEPS;
    while let Some(interval) = work.pop() {
        let may_split = work.len() + done.len() < MAX_INTERVALS;
        match explore(program, (function, pc), interval, may_split, &mut fuel) {
            Explored::Paths(paths) => done.push((interval, paths)),
            Explored::Split(cuts) => work.extend(interval.split(cuts)),
        }
    }
    done
}

/// Remembers the observations of equal facts: many intervals stop in the same
/// places.
struct Observer<'a> {
    program: &'a Program,
    context: &'a Context,
    width: u8,
    cache: HashMap<Vec<Fact>, Option<Observations>>,
}

impl Observer<'_> {
    fn look(&mut self, paths: &[Path]) -> Option<Observations> {
        let mut facts: Vec<Fact> = paths.iter().flat_map(Path::facts).collect();
        facts.sort_unstable();
        facts.dedup();
        let (program, context, width) = (self.program, self.context, self.width);
        let compute = || observations(program, context, width, facts.iter().copied());
        self.cache.entry(facts.clone()).or_insert_with(compute).clone()
    }
}

/// The values collected so far.
#[derive(Default)]
struct Values<'a> {
    width: u8,
    /// Those that stand only for themselves.
    all: Vec<u64>,
    /// Representatives, by what the program does with them.
    classes: HashMap<(&'a [Path], Vec<u64>), u64>,
    /// How many values the representatives stand for.
    represented: u128,
    /// Values that an assumption drops.
    spare: Vec<u64>,
}

impl<'a> Values<'a> {
    /// Adds every value of an interval; `None` if they are too many.
    fn add_all(&mut self, interval: Interval) -> Option<()> {
        let room = MAX_VALUES.saturating_sub(self.all.len() + self.classes.len());
        if interval.count() > room as u128 {
            return None;
        }
        self.all.extend(interval.low..=interval.high);
        Some(())
    }

    /// Adds a representative for each combination of observations.
    fn add_classes(&mut self, interval: Interval, paths: &'a [Path], seen: &Observations) -> Option<()> {
        let parts = interval.split(seen.cuts.iter().copied());
        if parts.len() as u64 * seen.period > MAX_CANDIDATES {
            return self.add_all(interval);
        }
        self.represented += interval.count();
        let width = self.width;
        for value in parts.iter().flat_map(|part| part.near_zero(seen.period, width)) {
            let class = self.classes.entry((paths, seen.of(value))).or_insert(value);
            if magnitude(value, width) < magnitude(*class, width) {
                *class = value;
            }
        }
        (self.all.len() + self.classes.len() <= MAX_VALUES).then_some(())
    }

    fn domain(self) -> Domain {
        let width = self.width;
        let exact = self.represented == self.classes.len() as u128;
        let mut values: BTreeMap<i64, u64> = BTreeMap::new();
        for value in self.all.into_iter().chain(self.classes.into_values()) {
            values.insert(fold::signed(value, width), value);
        }
        if values.is_empty() {
            // All are dropped: any value shows that.
            let value = self.spare.into_iter().min_by_key(|v| magnitude(*v, width)).unwrap_or(0);
            return Domain::Classes(Box::new([value]));
        }
        if exact && let Some(range) = contiguous(&values, width) {
            return range;
        }
        Domain::Classes(values.into_values().collect())
    }
}

fn contiguous(values: &BTreeMap<i64, u64>, width: u8) -> Option<Domain> {
    let count = values.len() as u64;
    if width < 64 && count == 1 << width {
        return Some(Domain::Range { first: 0, count });
    }
    let (first, last) = (values.first_key_value()?, values.last_key_value()?);
    (last.0.abs_diff(*first.0) == count - 1).then_some(Domain::Range { first: *first.1, count })
}

/// Small numbers that are not negative (the sign of a value is not known) make
/// readable reports.
fn magnitude(value: u64, width: u8) -> (bool, u64) {
    let signed = fold::signed(value, width);
    (signed < 0, signed.unsigned_abs())
}
