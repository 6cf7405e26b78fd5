//! First preemptions of and by functions that the tester names (section 4.3).

use ir::FuncId;
use machine::{Machine, ThreadId};

use super::{Backtrack, Priority, level};

pub struct Method {
    functions: Vec<FuncId>,
}

impl Method {
    pub fn new(machine: &Machine, names: &[String]) -> Method {
        let program = machine.program();
        let named = |function: &ir::Function| names.iter().any(|n| program.name(function.name) == n);
        let all = program.functions.iter().enumerate();
        Method { functions: all.filter(|(_, f)| named(f)).map(|(i, _)| FuncId(i as u32)).collect() }
    }

    /// Whether the thread is in one of the functions, or in what it calls.
    fn is_in(&self, backtrack: &Backtrack<'_>, thread: ThreadId) -> bool {
        let run = &backtrack.execution.explorer.run;
        let state = run.state_before(backtrack.step);
        run.machine().calls(state, thread).any(|function| self.functions.contains(&function))
    }
}

impl Priority for Method {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        let preempted = backtrack.preempted().is_some_and(|thread| self.is_in(backtrack, thread));
        level(preempted, self.is_in(backtrack, backtrack.thread))
    }
}
