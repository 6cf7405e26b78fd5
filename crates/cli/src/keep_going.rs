//! Searching on after a violation: what was found is put aside as if it were
//! intended (`machine::Suppression`), and the rest is searched again.

use std::sync::Arc;

use engine::Verdict;
use ir::Program;
use machine::{Config, Property, Suppression};

use crate::args::CheckArgs;
use crate::check::found;
use crate::exit::Failure;
use crate::fall_through::{Answer, Asking};
use crate::session::Session;

/// So many faults are enough for one sitting.
const MOST: usize = 50;

/// Asks the engines; with `--keep-going` again and again, as long as there is
/// something to be found. What was found before the last answer is noted in the
/// session.
pub fn ask(
    args: &CheckArgs,
    program: &Arc<Program>,
    config: Config,
    session: &Session,
) -> Result<Answer, Failure> {
    let mut config = config;
    loop {
        let Session { budget, board, log, attempts, .. } = session;
        let (own, failures) = (config.clone(), Vec::new());
        let mut asking = Asking { args, program, config: own, budget, board, log, attempts, failures };
        let mut answer = asking.ask();
        let failures = asking.failures.into_iter();
        session.warnings().extend(failures.map(|failure| format!("{failure}; please report this")));
        let Verdict::Violated { fault, .. } = &answer.outcome.verdict else { return Ok(answer) };
        let is_last = session.found().len() + 1 == MOST
            || matches!(fault.kind.property(), Property::Livelock | Property::Ltl);
        if !args.keep_going || is_last || session.budget.exceeded().is_some() {
            return Ok(answer);
        }
        let found = found(args, &mut answer, session)?;
        let exactly = Suppression::exactly(&found.fault);
        if config.suppressions.iter().any(|known| known.to_string() == exactly.to_string()) {
            return Ok(answer);
        }
        let known = config.suppressions.iter().map(Arc::clone);
        config.suppressions = known.chain([Arc::new(exactly)]).collect();
        session.found().push(found);
    }
}
