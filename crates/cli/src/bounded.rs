//! The options of the engine `bounded`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use engine::{Outcome, Task};
use logic::{Listened, SolverKind};

use crate::smt_files::{self, Written};

/// Options that only the engine `bounded` has.
#[derive(clap::Args, Clone, Debug)]
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

    /// Write every question to the solver into this directory, each as an SMT-LIB 2 file of its own
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,

    /// How many were written.
    #[arg(skip)]
    pub written: Arc<Written>,
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
}

impl BoundedArgs {
    /// Says so if the solver is not there, or if its questions cannot be written.
    pub fn available(&self) -> anyhow::Result<()> {
        self.dump_smt.as_deref().map_or(Ok(()), smt_files::prepare)?;
        logic::open(self.solver.kind()).map(|_| ()).map_err(Into::into)
    }

    /// Runs the engine.
    pub fn check(&self, task: &Task<'_>, reduction: bool) -> Outcome {
        let strategy = match self.strategy {
            Strategy::Lazy => bounded::Strategy::Lazy,
            Strategy::Recording => bounded::Strategy::Recording,
            Strategy::Widening => bounded::Strategy::Widening,
        };
        let options =
            bounded::Options { strategy, unwind: self.unwind, solver: self.solver.kind(), reduction };
        match (&self.dump_smt, logic::open(options.solver)) {
            (Some(directory), Ok(solver)) => {
                let listener = smt_files::writer(directory.clone(), Arc::clone(&self.written));
                bounded::check_with(task, options, Box::new(Listened::new(solver, listener)))
            }
            _ => bounded::check(task, options),
        }
    }
}
