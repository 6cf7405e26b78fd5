//! The calls of a thread while a step is told, so that what a library does inside is known by the
//! function that the program called.

use ir::{FuncId, Program};
use machine::Event;
use trace::Stepped;

/// The functions that a thread is in, the outermost first; none where no library takes part.
pub struct Calls(Vec<FuncId>);

impl Calls {
    /// Those before a step, if something happens in it in a library.
    pub fn before(stepped: &Stepped<'_>, mut happens: impl Iterator<Item = FuncId>) -> Calls {
        let program = stepped.machine.program();
        let in_library = happens.any(|function| program.function(function).library);
        let calls = || stepped.machine.calls(stepped.before, stepped.step.thread()).collect();
        Calls(if in_library { calls() } else { Vec::new() })
    }

    /// Follows calls and returns.
    pub fn note(&mut self, event: Event) {
        match event {
            Event::Call { function } => self.0.push(function),
            Event::Return { .. } => _ = self.0.pop(),
            _ => {}
        }
    }

    /// The function of a library that the program called to get to one of its functions; none for
    /// a function of the program.
    pub fn library_call(&self, program: &Program, function: FuncId) -> Option<FuncId> {
        let of_library = |function: FuncId| program.function(function).library;
        if !of_library(function) {
            return None;
        }
        let inner = self.0.iter().rposition(|call| *call == function).map_or(&[][..], |at| &self.0[..at]);
        Some(inner.iter().rev().copied().take_while(|call| of_library(*call)).last().unwrap_or(function))
    }
}
