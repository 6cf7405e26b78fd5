//! What `check` answers if no engine is named.

use std::sync::{Mutex, OnceLock};

use engine::{Budget, Verdict};
use threadproof::args::CheckArgs;
use threadproof::board::Board;
use threadproof::fall_through::{Answer, Asking};
use threadproof::log::Log;

use crate::header::Expect;
use crate::program::{Subject, TIME_LIMIT, properties};
use crate::verify;

/// The verdict is the expected one, however many values the inputs have.
pub fn verdict(subject: &Subject, expect: &Expect) -> Option<String> {
    let error = asked(subject, expect).err()?;
    Some(format!("default engines: {error}"))
}

fn asked(subject: &Subject, expect: &Expect) -> Result<(), String> {
    let budget = Budget::unlimited().with_timeout(Some(3 * TIME_LIMIT)).with_memory_limit(Some(6 << 30));
    let config = subject.config(properties(&expect.property))?;
    let (board, attempts) = (Board::default(), Mutex::default());
    let args = &CheckArgs { engine: None, ..subject.args.clone() };
    let mut asking = Asking {
        args,
        program: &subject.program,
        config,
        budget: &budget,
        board: &board,
        log: &Log::default(),
        attempts: &attempts,
        failures: Vec::new(),
        needs_clocks: OnceLock::new(),
    };
    let Answer { machine, outcome, .. } = asking.ask();
    verify::outcome(subject, &machine, expect, &outcome).map_err(|error| match outcome.verdict {
        Verdict::Unknown { .. } => format!("{error} {:?}", attempts.lock()),
        _ => error,
    })
}
