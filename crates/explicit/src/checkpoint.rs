//! Searches by layers and by levels that survive their process.
//!
//! Between two buckets of a layer nothing is under way: what the workers found is in
//! the frontier, in what is known of the states and in the log. The same holds between
//! two levels of a breadth-first search, with the parents of the states. All of it is written
//! then, if a checkpoint is due, and a search that reads it goes on with the next
//! bucket as if nothing had happened: states have the same numbers, so that counts,
//! layers and the counterexample are those of a search that was not interrupted, for
//! any number of workers.
//!
//! Steps that are remembered ([`crate::effects`]) are not written. They are executed
//! once more.

use std::io::{self, Error, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use engine::{Ledger, SavedLedger};
use serde::{Deserialize, Serialize};
use store::snapshot::{put, put_numbers, take, take_numbers};
use store::{Spill, StateId, Store};

use crate::bfs::{Bfs, Parents};
use crate::csdr::{Csdr, Explored, Frontier};
use crate::found::{Candidate, Choice};
use crate::incoming::{Known, Sets};
use crate::log::Log;
use crate::worker::{Shared, Tally};
use crate::{Bookkeeping, Options};

/// Which of the searches it is that follow each other if one cannot decide.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Stage {
    clocks: bool,
    twins: bool,
}

/// What is small.
#[derive(Serialize, Deserialize)]
pub struct Progress {
    pub frontier: Frontier,
    pub layers: Vec<u64>,
    pub complete: u64,
    pub whole: bool,
    pub postponed: Option<(u64, Vec<Choice>)>,
    /// Faults of steps that leave the layer.
    pub faults: Vec<Candidate>,
    pub tally: SavedTally,
}

/// What the workers have counted.
#[derive(Serialize, Deserialize)]
pub struct SavedTally {
    transitions: u64,
    ledger: SavedLedger,
}

impl From<&Tally> for SavedTally {
    fn from(tally: &Tally) -> SavedTally {
        SavedTally { transitions: tally.transitions, ledger: tally.ledger.saved() }
    }
}

impl SavedTally {
    /// The counts to go on with.
    pub fn resumed(self) -> io::Result<Tally> {
        let ledger = Ledger::resumed(self.ledger).map_err(Error::other)?;
        Ok(Tally { transitions: self.transitions, ledger })
    }
}

/// Where a breadth-first search stands between two levels.
#[derive(Serialize, Deserialize)]
pub struct Level {
    /// The states to be visited next.
    pub states: Vec<StateId>,
    /// How many levels were explored.
    pub levels: u64,
    pub tally: SavedTally,
}

/// Writes what all searches have in common.
fn write_states(shared: &Shared<'_>, out: &mut dyn Write) -> io::Result<()> {
    put(out, &Stage { clocks: !shared.has_no_clocks(), twins: shared.has_twins() })?;
    put(out, &shared.machine().noted())?;
    shared.store.write(out)
}

/// Writes a checkpoint of a breadth-first search.
pub fn write_level(
    shared: &Shared<'_>,
    parents: &Parents,
    level: &Level,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_states(shared, out)?;
    let parent = |state| u64::from(parents.get(state).load(Ordering::Relaxed));
    put_numbers(out, (0..shared.store.states()).map(parent))?;
    put(out, level)
}

/// Writes a checkpoint of a search by layers.
pub fn write(explored: &Explored<'_>, progress: &Progress, out: &mut dyn Write) -> io::Result<()> {
    let shared = explored.shared;
    write_states(shared, out)?;
    put(out, &explored.known.sets.elsewhere())?;
    put_numbers(out, explored.known.words(shared.store.states()))?;
    put(out, &explored.log)?;
    put(out, progress)
}

/// A checkpoint that is being read.
pub struct Resumed {
    input: Box<dyn Read>,
    stage: Stage,
}

impl Resumed {
    /// Begins to read.
    pub fn new(mut input: Box<dyn Read>) -> io::Result<Resumed> {
        let stage = take(&mut *input)?;
        Ok(Resumed { input, stage })
    }

    /// The options of the search that was interrupted.
    pub fn options(&self, options: Options) -> Options {
        Options { clocks: self.stage.clocks, twins: self.stage.twins, ..options }
    }

    /// The states that were found.
    pub fn store(&mut self, machine: &machine::Machine, spill: Option<&Arc<Spill>>) -> io::Result<Store> {
        machine.note_all(&take::<Vec<u8>>(&mut *self.input)?);
        Store::new(machine).spilled(spill).read(&mut *self.input)
    }

    /// The search on these states.
    pub fn search<'a>(mut self, shared: &'a Shared<'a>, bookkeeping: Bookkeeping) -> io::Result<Csdr<'a>> {
        let input = &mut *self.input;
        let known = Known::new(bookkeeping).spilled(shared.spill).with_sets(Sets::resumed(take(input)?));
        let mut state = 0;
        take_numbers(input, |word| {
            known.set_word(state, word);
            state += 1;
        })?;
        all_known(state, shared)?;
        let log = take::<Log>(input)?.spilled(shared.spill);
        let explored = Explored { shared, known: Arc::new(known), log };
        Csdr::resumed(explored, take(input)?)
    }

    /// The breadth-first search on these states.
    pub fn levels<'a>(mut self, shared: &'a Shared<'a>) -> io::Result<Bfs<'a>> {
        let input = &mut *self.input;
        let parents = Parents::new().spilled(shared.spill);
        let mut state = 0;
        take_numbers(input, |parent| {
            parents.get(state).store(parent as u32, Ordering::Relaxed);
            state += 1;
        })?;
        all_known(state, shared)?;
        Bfs::resumed(shared, parents, take(input)?)
    }
}

/// An error if something is not known of each state.
fn all_known(states: StateId, shared: &Shared<'_>) -> io::Result<()> {
    let all = states == shared.store.states();
    all.then_some(()).ok_or_else(|| Error::new(ErrorKind::InvalidData, "not every state is known"))
}
