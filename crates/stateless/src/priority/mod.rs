//! Priority functions (GAMBIT, section 4): which executions are run first.
//!
//! A function says what running an execution costs. Several are combined
//! hierarchically: the first one listed decides, the next one where it does not
//! (section 4.4).

mod dpor;
mod mdpor;
mod method;
mod pb;
mod rand;
mod ss;
mod var;

use std::fmt;
use std::str::FromStr;

use machine::{Machine, ThreadId};

use crate::best_first::{Analysis, Cost, Demand};
use crate::guided::Guided;

/// An execution to be run, as it was found: in an execution that was run, at
/// this step, another thread or data choice is taken.
pub struct Backtrack<'a> {
    /// The execution that was run.
    pub execution: &'a Guided<'a>,
    /// What is known about it.
    pub analysis: &'a Analysis,
    /// The step at which to depart from it.
    pub step: usize,
    /// The thread to take there.
    pub thread: ThreadId,
    /// A number of its own, the same in every search.
    pub identity: u64,
}

impl Backtrack<'_> {
    /// How much partial-order reduction asks for it.
    fn demand(&self) -> Demand {
        self.analysis.demand_of(self.step, self.thread)
    }

    /// The thread that is preempted, if one is.
    fn preempted(&self) -> Option<ThreadId> {
        let running = self.execution.points()[self.step].running;
        running.filter(|running| *running != self.thread)
    }
}

/// A priority function.
pub trait Priority: Send + Sync {
    /// What running the execution costs; the lowest is run first.
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32;
}

/// A priority function by its name on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Fewer preemptions first.
    Pb,
    /// First what partial-order reduction would run.
    Dpor,
    /// First what sleep sets would not leave out.
    Ss,
    /// First what partial-order reduction would run, but what it only adds to be
    /// on the safe side later.
    Mdpor,
    /// At random.
    Rand,
    /// First preemptions of and by these functions.
    Method(Vec<String>),
    /// First preemptions between accesses to these variables.
    Var(Vec<String>),
}

impl Kind {
    /// The function, for a program.
    pub fn make(&self, machine: &Machine, seed: u64) -> Box<dyn Priority> {
        match self {
            Kind::Pb => Box::new(pb::Pb),
            Kind::Dpor => Box::new(dpor::Dpor),
            Kind::Ss => Box::new(ss::Ss),
            Kind::Mdpor => Box::new(mdpor::Mdpor),
            Kind::Rand => Box::new(rand::Rand { seed }),
            Kind::Method(names) => Box::new(method::Method::new(machine, names)),
            Kind::Var(names) => Box::new(var::Var::new(machine, names)),
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let names = |list: &str| list.split('+').map(str::to_owned).collect();
        match text.split_once('=') {
            None => match text {
                "pb" => Ok(Kind::Pb),
                "dpor" => Ok(Kind::Dpor),
                "ss" => Ok(Kind::Ss),
                "mdpor" => Ok(Kind::Mdpor),
                "rand" => Ok(Kind::Rand),
                _ => Err(format!(
                    "no priority function {text}; there are pb, dpor, ss, mdpor, rand, method=NAME+..., var=NAME+..."
                )),
            },
            Some(("method", list)) if !list.is_empty() => Ok(Kind::Method(names(list))),
            Some(("var", list)) if !list.is_empty() => Ok(Kind::Var(names(list))),
            Some(_) => Err(format!("no priority function {text}; with names there are method= and var=")),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Pb => f.write_str("pb"),
            Kind::Dpor => f.write_str("dpor"),
            Kind::Ss => f.write_str("ss"),
            Kind::Mdpor => f.write_str("mdpor"),
            Kind::Rand => f.write_str("rand"),
            Kind::Method(names) => write!(f, "method={}", names.join("+")),
            Kind::Var(names) => write!(f, "var={}", names.join("+")),
        }
    }
}

/// Several functions, the first one listed first.
pub struct Hierarchy(Vec<Box<dyn Priority>>);

impl Hierarchy {
    /// Combines functions. Without any, all executions are equal, and the
    /// search is depth-first.
    pub fn new(machine: &Machine, kinds: &[Kind], seed: u64) -> Hierarchy {
        Hierarchy(kinds.iter().map(|kind| kind.make(machine, seed)).collect())
    }

    /// What running an execution costs.
    pub fn cost(&self, backtrack: &Backtrack<'_>) -> Cost {
        self.0.iter().map(|priority| priority.cost(backtrack)).collect()
    }
}

/// High if both sides are meant, medium if one is, low if neither (section 4.3).
fn level(preempted: bool, preempting: bool) -> u32 {
    2 - u32::from(preempted) - u32::from(preempting)
}
