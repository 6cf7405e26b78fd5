//! Searches by layers that survive their process.
//!
//! Between two buckets of a layer nothing is under way: what the workers found is in
//! the frontier, in what is known of the states and in the log. All of it is written
//! then, if a checkpoint is due, and a search that reads it goes on with the next
//! bucket as if nothing had happened: states have the same numbers, so that counts,
//! layers and the counterexample are those of a search that was not interrupted, for
//! any number of workers.
//!
//! Steps that are remembered ([`crate::effects`]) are not written. They are executed
//! once more.

use std::io::{self, Error, ErrorKind, Read, Write};
use std::sync::Arc;

use engine::{Ledger, SavedLedger};
use serde::{Deserialize, Serialize};
use store::Store;
use store::snapshot::{put, put_numbers, take, take_numbers};

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

/// Writes a checkpoint.
pub fn write(explored: &Explored<'_>, progress: &Progress, out: &mut dyn Write) -> io::Result<()> {
    let shared = explored.shared;
    put(out, &Stage { clocks: !shared.has_no_clocks(), twins: shared.has_twins() })?;
    put(out, &shared.machine().noted())?;
    shared.store.write(out)?;
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
    pub fn store(&mut self, machine: &machine::Machine) -> io::Result<Store> {
        machine.note_all(&take::<Vec<u8>>(&mut *self.input)?);
        Store::read(machine, &mut *self.input)
    }

    /// The search on these states.
    pub fn search<'a>(mut self, shared: &'a Shared<'a>, bookkeeping: Bookkeeping) -> io::Result<Csdr<'a>> {
        let input = &mut *self.input;
        let known = Known::new(bookkeeping).with_sets(Sets::resumed(take(input)?));
        let mut state = 0;
        take_numbers(input, |word| {
            known.set_word(state, word);
            state += 1;
        })?;
        if state != shared.store.states() {
            return Err(Error::new(ErrorKind::InvalidData, "not every state is known"));
        }
        let log: Log = take(input)?;
        let explored = Explored { shared, known: Arc::new(known), log };
        Csdr::resumed(explored, take(input)?)
    }
}
