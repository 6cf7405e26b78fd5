//! Searches on the tree of executions that survive their process.
//!
//! When a worker has come back from an execution, all that this execution asks for is
//! planned in the tree, and what is left below its node and on the way back is a job.
//! So if a checkpoint is due, every worker hands over its job once it comes back, and
//! waits. The last one writes the tree, the jobs and what was counted. Then they
//! take the jobs up again, as a later process does with any number of workers.
//!
//! An execution on the way is not written. Its steps are taken again from its
//! beginning.

use std::io::{self, Error, ErrorKind, Read, Write};

use machine::{Machine, Mover};
use serde::{Deserialize, Serialize};

use crate::crew::Job;
use crate::tally::{SavedTally, Tally};
use crate::tree::SavedTree;

#[derive(Serialize, Deserialize)]
struct Saved {
    tree: SavedTree,
    jobs: Vec<SavedJob>,
    tally: SavedTally,
    /// What steps have noted about the program.
    noted: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct SavedJob {
    /// The numbers of the nodes.
    path: Vec<usize>,
    taken: Vec<usize>,
    steps: Vec<(Mover, u64)>,
}

/// Writes what is left of a search while no worker is on the tree.
pub fn write(machine: &Machine, jobs: &[Job], tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
    let (tree, paths) = SavedTree::new(jobs.iter().map(|job| job.path.as_slice()));
    let save = |(job, path): (&Job, Vec<usize>)| {
        let (taken, steps) = (job.taken.clone(), job.steps.clone());
        SavedJob { path, taken, steps }
    };
    let jobs = jobs.iter().zip(paths).map(save).collect();
    let saved = Saved { tree, jobs, tally: tally.saved(), noted: machine.noted() };
    out.write_all(&postcard::to_stdvec(&saved).map_err(Error::other)?)
}

/// Reads what [`write`] wrote.
pub fn read(machine: &Machine, mut input: impl Read) -> io::Result<(Vec<Job>, Tally)> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let damaged = |what: String| Error::new(ErrorKind::InvalidData, what);
    let Saved { tree, jobs, tally, noted } =
        postcard::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))?;
    machine.note_all(&noted);
    let nodes = tree.nodes().ok_or_else(|| damaged("a branch leads to no node".to_owned()))?;
    let resume = |SavedJob { path, taken, steps }| {
        let path = path.into_iter().map(|number| nodes.get(number).cloned()).collect::<Option<_>>()?;
        Some(Job { path, taken, steps })
    };
    let jobs = jobs.into_iter().map(resume).collect::<Option<_>>();
    Ok((jobs.ok_or_else(|| damaged("a job is at no node".to_owned()))?, Tally::resumed(tally)?))
}
