//! Traces: the thread and data choices of one execution, so that a trace alone
//! replays.
//!
//! [`replay`] re-executes a trace on the machine to the same fault, or says at
//! which step and how it diverged. No counterexample leaves the program before
//! it has been replayed. [`simplify`] removes preemptions that a fault does not
//! need. [`SavedTrace`] is the form on disk.

mod delays;
mod divergence;
mod execute;
mod lasso;
mod refine;
mod relocate;
mod replay;
mod saved;
mod sharing;
mod simplify;
mod temporal;

use ir::{Location, Site};
use machine::{Grain, Machine, Mover, State, ThreadId};
use serde::{Deserialize, Serialize};

pub use delays::delays;
pub use divergence::{Divergence, Mismatch};
pub use execute::execute;
pub use lasso::lasso;
pub use refine::refine;
pub use relocate::{Moved, Place, places};
pub use replay::{Follow, Replayed, Stepped, replay};
pub use saved::{FORMAT, Options, ReadError, SavedTrace, SourceHash, content_hash};
pub use sharing::refresh;
pub use simplify::simplify;
pub use temporal::violation;

/// One execution, as the choices that lead along it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// How far each step goes.
    #[serde(with = "GrainName")]
    pub grain: Grain,
    /// The steps, from the initial state.
    pub steps: Vec<TraceStep>,
}

/// One step of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// What moves.
    #[serde(flatten)]
    pub mover: Mover,
    /// The data choice it takes, among those that the step has.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub choice: u64,
    /// Where the thread stands before the step, for people.
    pub at: Location,
    /// The same by a name that survives changes elsewhere; replay checks it.
    pub site: Site,
}

impl TraceStep {
    /// The step that a thread or another mover takes from a state.
    pub fn new(machine: &Machine, state: &State, mover: impl Into<Mover>, choice: u64) -> TraceStep {
        let mover = mover.into();
        let (at, site) = (machine.position(state, mover.thread()), machine.site(state, mover.thread()));
        TraceStep { mover, choice, at, site }
    }

    /// The thread whose step it is.
    pub fn thread(&self) -> ThreadId {
        self.mover.thread()
    }
}

fn is_zero(choice: &u64) -> bool {
    *choice == 0
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Grain", rename_all = "kebab-case")]
enum GrainName {
    Instruction,
    Visible,
    Causal,
}
