//! The engine `bounded` and its options.

use std::path::PathBuf;
use std::sync::Arc;

use bounded::{Bounded, Open, Options};
use clap::ValueEnum;
use engine::Engine;
use ir::Program;
use logic::{Listened, SolverKind};

use super::smt_files::{self, Written};
use super::{Offer, Turn};
use crate::args::{CheckArgs, Reduction};

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

    /// What decides conditions on inputs
    #[arg(long, value_name = "SOLVER", default_value = "cadical")]
    pub solver: Solver,

    /// Give a question up after so many conflicts of the solver, which is the same on every machine and in
    /// every run, as a limit on time is not. Loses coverage: what would be safe becomes unknown, if a
    /// question is given up
    #[arg(long, value_name = "N")]
    pub solver_conflicts: Option<u32>,

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

impl From<Strategy> for bounded::Strategy {
    fn from(strategy: Strategy) -> bounded::Strategy {
        match strategy {
            Strategy::Lazy => bounded::Strategy::Lazy,
            Strategy::Recording => bounded::Strategy::Recording,
            Strategy::Widening => bounded::Strategy::Widening,
        }
    }
}

impl BoundedArgs {
    /// The bounds of single loops.
    fn loops(&self) -> Vec<(String, u32)> {
        self.unwind.iter().filter_map(|unwind| Some((unwind.name.clone()?, unwind.bound))).collect()
    }

    /// Opens the solver; what it is asked is written to files if that is wanted.
    fn open(&self) -> Open {
        let Some(directory) = self.dump_smt.clone() else { return Box::new(logic::open) };
        let written = Arc::clone(&self.written);
        Box::new(move |kind| {
            let listener = smt_files::writer(directory.clone(), Arc::clone(&written));
            Ok(Box::new(Listened::new(logic::open(kind)?, listener)))
        })
    }
}

/// The engine on the command line.
pub struct Offered;

impl Offer for Offered {
    fn name(&self) -> &'static str {
        bounded::NAME
    }

    fn searches(&self) -> Vec<&'static str> {
        vec!["dfs"]
    }

    fn turns(&self) -> &'static [Turn] {
        &[Turn { place: 1, search: None, endless: false }]
    }

    /// The solver must be there, and its questions must be written if asked for.
    fn check_options(&self, args: &CheckArgs) -> anyhow::Result<()> {
        let own = &args.engines.bounded;
        own.dump_smt.as_deref().map_or(Ok(()), smt_files::prepare)?;
        logic::open(own.solver.kind()).map(|_| ()).map_err(Into::into)
    }

    fn check_program(&self, args: &CheckArgs, program: &Program) -> anyhow::Result<()> {
        let loops = bounded::named_loops(program, &args.engines.bounded.loops());
        loops.map(|_| ()).map_err(anyhow::Error::msg)
    }

    fn engine(&self, args: &CheckArgs, _: Option<&str>) -> Box<dyn Engine> {
        let own = &args.engines.bounded;
        let all = own.unwind.iter().rev().find(|unwind| unwind.name.is_none());
        let options = Options {
            strategy: own.strategy.into(),
            unwind: all.map(|unwind| unwind.bound),
            loops: own.loops(),
            solver: own.solver.kind(),
            conflicts: own.solver_conflicts,
            reduction: args.reduction != Reduction::None,
        };
        Box::new(Bounded { options, open: own.open() })
    }

    fn finish(&self, args: &CheckArgs) -> anyhow::Result<()> {
        args.engines.bounded.written.check()
    }
}
