//! What each instruction of a replayed trace does, in order.

use ir::{FuncId, Pc};
use machine::{End, Event, Machine, Observer, State, ThreadId};
use trace::{Follow, Stepped};

/// An instruction on memory or threads that a thread comes to.
pub struct Visit {
    /// Who.
    pub thread: ThreadId,
    /// Its calls, the outermost first, each with its next instruction.
    pub frames: Vec<(FuncId, Pc)>,
    /// Whether a step of the trace begins with it.
    pub first: bool,
    /// The step.
    pub step: usize,
    /// What it does.
    pub events: Vec<Event>,
    /// Whether it is executed, at least in part.
    pub executed: bool,
}

/// Collects the visits of a trace.
#[derive(Default)]
pub struct Visits {
    /// In order.
    pub all: Vec<Visit>,
    /// Where the visits of the step in progress begin.
    start: usize,
    step: usize,
}

impl Observer for Visits {
    fn event(&mut self, _: ThreadId, _: FuncId, _: Pc, event: Event) {
        if let Some(visit) = self.all.last_mut() {
            visit.events.push(event);
        }
    }

    fn before(&mut self, machine: &Machine, state: &State, thread: ThreadId) {
        let first = self.all.len() == self.start;
        if !first && let Some(last) = self.all.last_mut() {
            last.executed = true;
        }
        let (frames, step) = (machine.stands(state, thread), self.step);
        self.all.push(Visit { thread, frames, first, step, events: Vec::new(), executed: false });
    }
}

impl Follow for Visits {
    fn stepped(&mut self, stepped: &Stepped<'_>) {
        if self.all.len() > self.start
            && let Some(last) = self.all.last_mut()
        {
            let after = stepped.machine.stands(stepped.after, last.thread);
            let ends = matches!(stepped.result.end, Some(End::Exited(_) | End::Aborted));
            let exits = last.events.iter().any(|event| matches!(event, Event::ProcessEnd { .. }));
            let acts = last.events.iter().any(|event| matches!(event, Event::Sync { .. }));
            last.executed = if exits { ends } else { acts || after != last.frames };
        }
        self.start = self.all.len();
        self.step += 1;
    }
}
