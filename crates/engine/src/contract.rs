//! What an engine is.

use machine::{Machine, MemoryModel, Properties};

use crate::collected::Collected;
use crate::outcome::Outcome;
use crate::task::Task;

/// Which formulas of temporal logic an engine decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Formulas {
    /// None.
    None,
    /// Safety formulas: those that a finite beginning violates.
    Safety,
    /// All.
    All,
}

impl Formulas {
    /// What a machine asks.
    pub fn of(machine: &Machine) -> Formulas {
        match machine.temporal() {
            None => Formulas::None,
            Some(_) if machine.has_monitor() => Formulas::Safety,
            Some(_) => Formulas::All,
        }
    }
}

/// A way to check programs, together with its options, which are a type of its
/// own. The caller of an engine needs to know no more of it than this.
///
/// The promises of an answer are those of [`Outcome`]: `Holds` only if nothing
/// was cut, `Violated` only with a trace that replays to the fault. An engine
/// polls the task's budget, keeps its progress up to date, and never prints.
/// [`Ledger`](crate::Ledger) does the bookkeeping that this takes.
pub trait Engine {
    /// Its name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// The properties that it can decide. It is never asked for others.
    fn decides(&self) -> Properties;

    /// Whether it finds races by clocks. If not, it is not asked for them where clocks are needed
    /// ([`Machine::without_clocks`]).
    fn has_clocks(&self) -> bool {
        true
    }

    /// Whether it executes the program on values, each input on one after the
    /// other. What one such engine cannot follow none can, and all that it can
    /// follow it has followed.
    fn tries_values(&self) -> bool;

    /// Whether one argument of it covers any number of rounds of a loop. It is asked early
    /// where inputs may say how many there are.
    fn generalises(&self) -> bool {
        false
    }

    /// Whether it gains from steps that go further, because accesses that no other
    /// thread disturbs are no steps of their own. Its counterexamples are brought to
    /// the machine's own steps.
    fn takes_longer_steps(&self) -> bool {
        false
    }

    /// Whether a counterexample is the best there is, in context switches or in
    /// steps. It is then told as it was found, and simplified otherwise.
    fn finds_minimal(&self) -> bool {
        false
    }

    /// Whether it follows the executions that a memory model allows. It is not asked
    /// to check programs under others.
    fn follows(&self, model: MemoryModel) -> bool {
        !model.has_buffers()
    }

    /// Which formulas it decides. It is not asked others, whatever [`Engine::decides`] says.
    fn formulas(&self) -> Formulas {
        Formulas::None
    }

    /// Whether it steps only through what some execution does. Otherwise it may
    /// also look at steps that no execution takes, so that less is known of what
    /// is executed; but it looks at all that are taken.
    fn follows_executions(&self) -> bool {
        true
    }

    /// Checks the program.
    fn check(&self, task: &Task<'_>) -> Outcome;

    /// Checks it in one search that goes on past faults, and collects them; `None` if it has no
    /// such search. The answer is about what is left then. The task's machine has
    /// `Config::past_faults`.
    fn collect(&self, _task: &Task<'_>, _collected: &Collected) -> Option<Outcome> {
        None
    }
}
