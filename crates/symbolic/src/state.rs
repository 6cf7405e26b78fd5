//! Symbolic states.

use std::sync::Arc;

use logic::{Evaluation, Model, Term, Terms};
use machine::{BranchAt, Machine, ThreadId};
use rustc_hash::FxHashMap;

use crate::path::Path;

/// A set of concrete states: the machine's state, in which values may be
/// terms, for all values of the inputs that satisfy the path condition.
#[derive(Clone, Debug)]
pub struct State {
    /// The machine's state.
    pub machine: machine::State,
    /// What is assumed.
    pub path: Path,
    pub(crate) inputs: Arc<Vec<Input>>,
    pub(crate) met: Arc<Met>,
    /// How often each branch was decided both ways.
    pub(crate) unwound: Arc<FxHashMap<BranchAt, u32>>,
}

/// An input of the program, read on the way to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// The thread that read it.
    pub thread: ThreadId,
    /// Its data choice, as a trace holds it: the index into its domain (the
    /// value itself, if the domain is everything).
    pub choice: Term,
    /// Its value; of an input of more than 64 bits the low ones, of which the
    /// rest are the sign.
    pub value: Term,
}

/// What a path meets of objects of unknown size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Met {
    /// Array variables that may be anything: the contents of objects at the first
    /// access.
    pub arrays: Vec<Term>,
    /// The sizes in bytes of the objects that it makes. Small ones replay faster.
    pub sizes: Vec<Term>,
    /// Conditions under which the concrete machine takes the same steps: sizes are
    /// small enough for it, and elements that are read are known to be initialised.
    /// An execution to be replayed must satisfy them; those that do not are possible
    /// all the same.
    pub replayable: Vec<Term>,
}

/// All of a state but the machine's: what was read and assumed on the way.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Known {
    path: Path,
    inputs: Arc<Vec<Input>>,
    met: Arc<Met>,
    unwound: Arc<FxHashMap<BranchAt, u32>>,
}

/// What a path has used up of the bounds on its decisions.
#[derive(Clone, Debug)]
pub struct Spent {
    unwound: Arc<FxHashMap<BranchAt, u32>>,
    excluded: Arc<FxHashMap<Term, u32>>,
}

impl Spent {
    /// Whether at least as much is left as of another.
    pub fn is_within(&self, other: &Spent) -> bool {
        let no_more =
            |(at, count): (&BranchAt, &u32)| other.unwound.get(at).is_some_and(|other| count <= other);
        (Arc::ptr_eq(&self.unwound, &other.unwound) || self.unwound.iter().all(no_more))
            && (self.excluded.is_empty() || self.excluded == other.excluded)
    }
}

impl Known {
    /// What the path has used up of the bounds, if anything.
    pub fn spent(&self) -> Option<Spent> {
        let Known { path, unwound, .. } = self;
        let spent = Spent { unwound: Arc::clone(unwound), excluded: Arc::clone(path.all_excluded()) };
        (!spent.unwound.is_empty() || !spent.excluded.is_empty()).then_some(spent)
    }

    /// What is assumed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Together with the machine's state.
    pub fn with(&self, machine: machine::State) -> State {
        let Known { path, inputs, met, unwound } = self.clone();
        State { machine, path, inputs, met, unwound }
    }
}

impl State {
    /// The machine's state and all else.
    pub fn split(self) -> (machine::State, Known) {
        let State { machine, path, inputs, met, unwound } = self;
        (machine, Known { path, inputs, met, unwound })
    }

    /// The state before the first instruction.
    pub fn initial(machine: &Machine) -> State {
        State::at(machine.initial())
    }

    /// A state of the machine about which nothing is assumed.
    pub(crate) fn at(machine: machine::State) -> State {
        let (inputs, met, unwound) = Default::default();
        State { machine, path: Path::default(), inputs, met, unwound }
    }

    /// The inputs read so far, in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What was met of objects of unknown size.
    pub fn met(&self) -> &Met {
        &self.met
    }

    /// The data choices of the inputs under a model, in order.
    pub fn choices(&self, terms: &Terms, model: &Model) -> Vec<u64> {
        let mut evaluation = Evaluation::new(terms, model);
        self.inputs.iter().map(|input| evaluation.value(input.choice) as u64).collect()
    }
}
