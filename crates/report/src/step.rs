//! What one step does, told without the execution that leads to it.

use ir::{FuncId, Location, Pc};
use machine::{Event, Grain, Machine, Observer, State, ThreadId};
use trace::{Stepped, TraceStep};

use crate::events::Telling;
use crate::recorder::own_location;

#[derive(Default)]
struct Events(Vec<(FuncId, Pc, Event)>);

impl Observer for Events {
    fn event(&mut self, _: ThreadId, function: FuncId, pc: Pc, event: Event) {
        self.0.push((function, pc, event));
    }
}

/// Takes a step from a state and tells what happens, each with its place; of a
/// step that no other thread sees, only where it starts.
pub fn step(
    machine: &Machine,
    before: &State,
    thread: ThreadId,
    choice: u64,
    grain: Grain,
) -> Vec<(Location, String)> {
    let (mut after, mut events) = (before.clone(), Events::default());
    let result = machine.step(&mut after, thread, choice, grain, &mut events);
    let step = TraceStep::new(machine, before, thread, choice);
    let mut at = step.at.clone();
    let stepped = Stepped { machine, before, after: &after, step: &step, index: 0, result: &result };
    let mut told = Vec::new();
    for (function, pc, event) in events.0 {
        if matches!(event, Event::ProcessEnd { .. }) && result.end.is_none() {
            continue;
        }
        at = own_location(&stepped, function, pc, event).unwrap_or(at);
        let telling = Telling { stepped: &stepped, function, pc, inside: None };
        told.extend(telling.text(event).map(|text| (at.clone(), text)));
    }
    if told.is_empty() {
        told.push((step.at.clone(), "runs".to_owned()));
    }
    told
}
