//! The options of the engine `bounded`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use engine::{Outcome, Task};
use ir::{Loop, Program};
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
    /// inputs decide: K for all, LOOP=K for the branches of one loop, as `threadproof dump --loops` names it
    /// (may be repeated). Loses coverage: what would be safe becomes unknown, unless there is nothing beyond
    /// [default: rises until all is covered]
    #[arg(long, value_name = "[LOOP=]K", value_parser = unwind)]
    pub unwind: Vec<Unwind>,

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

/// A bound for one loop, or for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwind {
    /// The loop's name.
    pub name: Option<String>,
    /// The bound.
    pub bound: u32,
}

/// `8`, `main.0=8`.
fn unwind(text: &str) -> Result<Unwind, String> {
    let (name, number) = match text.rsplit_once('=') {
        Some((name, number)) => (Some(name.to_owned()), number),
        None => (None, text),
    };
    match number.parse() {
        Ok(bound @ 1..) => Ok(Unwind { name, bound }),
        _ => Err(format!("`{number}` is not a bound; write 8, or main.0=8 for the first loop in main")),
    }
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

    /// The bounds of single loops. Fails if there is no loop of a name.
    pub fn loop_bounds(&self, program: &Program) -> anyhow::Result<Vec<(Loop, u32)>> {
        let loops = program.loops();
        let mut bounds = Vec::new();
        for Unwind { name, bound } in &self.unwind {
            let Some(name) = name else { continue };
            let meant = loops.iter().filter(|each| each.name == *name);
            let before = bounds.len();
            bounds.extend(meant.map(|each| (each.clone(), *bound)));
            if bounds.len() == before {
                let names: Vec<&str> = loops.iter().map(|each| each.name.as_str()).collect();
                let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                anyhow::bail!(
                    "the program has no loop `{name}`; it has {there} (see `threadproof dump --loops`)"
                );
            }
        }
        Ok(bounds)
    }

    /// Runs the engine.
    pub fn check(&self, task: &Task<'_>, reduction: bool) -> Outcome {
        let strategy = match self.strategy {
            Strategy::Lazy => bounded::Strategy::Lazy,
            Strategy::Recording => bounded::Strategy::Recording,
            Strategy::Widening => bounded::Strategy::Widening,
        };
        let all = self.unwind.iter().rev().find(|unwind| unwind.name.is_none());
        let loops = self.loop_bounds(task.machine.program()).unwrap_or_default();
        let options = bounded::Options {
            strategy,
            unwind: all.map(|unwind| unwind.bound),
            loops: &loops,
            solver: self.solver.kind(),
            reduction,
        };
        match (&self.dump_smt, logic::open(options.solver)) {
            (Some(directory), Ok(solver)) => {
                let listener = smt_files::writer(directory.clone(), Arc::clone(&self.written));
                bounded::check_with(task, options, Box::new(Listened::new(solver, listener)))
            }
            _ => bounded::check(task, options),
        }
    }
}
