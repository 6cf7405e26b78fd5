//! The options of the engine `bounded`.

use clap::ValueEnum;
use engine::{Outcome, Task};
use logic::SolverKind;

/// Options that only the engine `bounded` has.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Options of the engine bounded")]
pub struct BoundedArgs {
    /// How interleavings are put to the solver: `lazy` each decision at once; `recording` all of a bound
    /// in one formula; `widening` the same, with schedules released one by one
    #[arg(long, value_name = "STRATEGY", default_value = "lazy")]
    pub strategy: Strategy,

    /// How often a branch that inputs decide may go both ways along an execution, which bounds loops that
    /// inputs decide; loses coverage: what would be safe becomes unknown, unless there is nothing beyond
    /// [default: rises until all is covered]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: Option<u32>,

    /// Who decides conditions on inputs
    #[arg(long, value_name = "SOLVER", default_value = "cadical")]
    pub solver: Solver,
}

/// The strategies.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Strategy {
    Lazy,
    Recording,
    Widening,
}

/// The solvers.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Solver {
    Cadical,
    Z3,
}

impl Solver {
    fn kind(self) -> SolverKind {
        match self {
            Solver::Cadical => SolverKind::Cadical,
            Solver::Z3 => SolverKind::Z3,
        }
    }

    /// Says so if the solver is not there.
    pub fn available(self) -> anyhow::Result<()> {
        logic::open(self.kind()).map(|_| ()).map_err(Into::into)
    }
}

impl BoundedArgs {
    /// Runs the engine; without reduction every thread's step is tried everywhere.
    pub fn check(self, task: &Task<'_>, reduction: bool) -> Outcome {
        let strategy = match self.strategy {
            Strategy::Lazy => bounded::Strategy::Lazy,
            Strategy::Recording => bounded::Strategy::Recording,
            Strategy::Widening => bounded::Strategy::Widening,
        };
        let (unwind, solver) = (self.unwind, self.solver.kind());
        bounded::check(task, bounded::Options { strategy, unwind, solver, reduction })
    }
}
