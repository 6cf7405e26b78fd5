//! Threads that wait for what no thread will ever do, while others spin.

use engine::Cut;
use machine::TooMuch;

use crate::run::Run;
use crate::tally::{Found, Tally};

/// Looks at the end of an execution after which only spinning threads go on: the
/// threads that wait there may wait for ever.
pub fn look(run: &Run<'_>, tally: &mut Tally) -> Result<(), Found> {
    let machine = run.machine();
    if !machine.can_abandon() {
        return Ok(());
    }
    match machine.abandoned(run.state()) {
        Ok(None) => Ok(()),
        Ok(Some(fault)) => Err(Found::Violation(Box::new(fault), run.trace())),
        Err(TooMuch) => {
            tally.cut(Cut::Waiting);
            Ok(())
        }
    }
}
