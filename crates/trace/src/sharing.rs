//! What other threads can observe, along an execution that keeps its states as
//! they are.

use machine::{Grain, Machine, State};

/// Decides afresh what is shared after a step, so that the next step ends where
/// that of a search ends, which normalises its states. In causal steps, what was
/// once shared stays so.
pub fn refresh(machine: &Machine, grain: Grain, state: &mut State) {
    if grain != Grain::Causal {
        machine.refresh_sharing(state);
    }
}
