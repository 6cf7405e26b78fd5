//! The machine's face: initial state, who can move, steps.

use std::sync::Arc;

use ir::{Location, Program};
use smallvec::SmallVec;

use crate::fault::{Fault, ThreadId};
use crate::observer::{Observer, Place};
use crate::property::Properties;
use crate::value::Value;

/// A configuration of the program: memory, threads, synchronisation objects.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct State {}

/// What the semantics leaves open.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which faults to look for.
    pub properties: Properties,
    /// Enumerate nondeterministic values of unbounded domain over this range.
    pub nondet_range: Option<(i64, i64)>,
    /// Bytes of stack a thread may use.
    pub stack_limit: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config { properties: Properties::standard(), nondet_range: None, stack_limit: 8 << 20 }
    }
}

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// One instruction.
    Instruction,
    /// One instruction that other threads can observe, and all that follow it
    /// which they cannot (tau reduction).
    Visible,
}

/// What a step led to, besides the new state.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What went wrong, among the properties asked for and what ends the execution.
    pub faults: SmallVec<[Fault; 1]>,
    /// Set if the execution is over.
    pub end: Option<End>,
}

/// How an execution ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The process exited with this code, or every thread ended (0).
    Exited(u32),
    /// The process called `abort`.
    Aborted,
    /// A fault after which nothing is defined.
    Fault,
    /// An assumption was false: the execution is not considered.
    Infeasible,
    /// Something the machine cannot execute.
    Unsupported(String),
}

/// A nondeterministic value with too many possibilities to enumerate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeedsSymbolic {
    /// Where the value is made.
    pub at: Location,
    /// The function that makes it.
    pub origin: String,
}

/// A program with everything precomputed that its execution needs.
pub struct Machine {
    program: Arc<Program>,
    config: Config,
}

#[allow(unused_variables, missing_docs)]
impl Machine {
    pub fn new(program: Arc<Program>, config: Config) -> Machine {
        Machine { program, config }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The state before the first instruction.
    pub fn initial(&self) -> State {
        todo!()
    }

    /// The threads that can take a step, ascending.
    pub fn runnable(&self, state: &State) -> SmallVec<[ThreadId; 8]> {
        todo!()
    }

    /// How many data choices the thread's next step has.
    pub fn choices(&self, state: &State, thread: ThreadId) -> Result<u64, NeedsSymbolic> {
        todo!()
    }

    /// Moves a runnable thread, taking the data choice with this index.
    pub fn step<O: Observer>(
        &self,
        state: &mut State,
        thread: ThreadId,
        choice: u64,
        grain: Grain,
        observer: &mut O,
    ) -> Step {
        todo!()
    }

    /// The deadlock in this state, global or local, if there is one.
    pub fn deadlock(&self, state: &State) -> Option<Fault> {
        todo!()
    }

    /// Appends the canonical form: equal for two states iff they have the same
    /// future up to the numbering of objects.
    pub fn canonical(&self, state: &State, out: &mut Vec<u8>) {
        todo!()
    }

    /// The canonical form of the program's global memory alone, for counting
    /// final states.
    pub fn canonical_globals(&self, state: &State, out: &mut Vec<u8>) {
        todo!()
    }

    /// Where a thread is, outside the run-time library.
    pub fn position(&self, state: &State, thread: ThreadId) -> Location {
        todo!()
    }

    /// The source position of an instruction.
    pub fn location(&self, function: ir::FuncId, pc: ir::Pc) -> Location {
        todo!()
    }

    /// The place as the source would name it, such as `queue.items[2]`.
    pub fn describe(&self, state: &State, place: Place) -> String {
        todo!()
    }

    /// A value as the source would write it, given where it lives.
    pub fn show_value(&self, state: &State, place: Place, value: Value) -> String {
        todo!()
    }
}
