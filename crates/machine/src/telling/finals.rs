//! Final states: how the process ends (with which code, by `abort`, or by which failed
//! assertion), and what is in its global memory then, and in what that leads to. A program is
//! *robust* under a memory model if the model adds no final state to those that it has under
//! sequential consistency.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use crate::machine::{End, Machine};
use crate::state::State;
use crate::telling::fault::{FaultKind, ThreadId};

/// Final states, in canonical form.
pub type FinalStates = FxHashSet<Box<[u8]>>;

/// What is done with the final state of each execution.
#[derive(Clone, Debug)]
pub enum Finals {
    /// It is noted here.
    Noted(Arc<Mutex<FinalStates>>),
    /// It must be one of these.
    Known(Arc<FinalStates>),
}

impl Machine {
    /// Notes a final state, or says that it is none of those that there may be. A failure
    /// is told by the place where the thread stands.
    pub(crate) fn look_at_final(&self, state: &State, thread: ThreadId, end: &End) -> Option<FaultKind> {
        let finals = self.config().finals.as_ref()?;
        let place = || state.thread(thread).frame().site();
        let how = match end {
            End::Exited(code) => (0, *code, 0),
            End::Aborted => (1, 0, 0),
            End::Fault => (2, place().function.0, place().pc),
            End::Infeasible | End::Unsupported(_) => return None,
        };
        let mut form: Vec<u8> = [how.0, how.1, how.2].into_iter().flat_map(u32::to_le_bytes).collect();
        self.canonical_globals(state, &mut form);
        match finals {
            Finals::Known(known) => (!known.contains(&form[..])).then_some(FaultKind::NewFinalState),
            Finals::Noted(noted) => {
                noted.lock().unwrap_or_else(PoisonError::into_inner).insert(form.into());
                None
            }
        }
    }
}
