//! Executions that end with a race: the steps up to a state in which two threads are about to make
//! conflicting accesses, and these accesses.

use machine::{Fault, FaultKind, Grain, Machine, State, ThreadId};
use trace::Trace;

/// An execution that shows a race of two threads whose conflicting accesses come next after these
/// steps, or of which the later one is in the middle of an atomic section that the last of its steps
/// execute.
///
/// Either access may have to come last: a thread that is started too early gives others other
/// numbers. That of a thread outside a section comes before the section.
pub fn racing(
    machine: &Machine,
    grain: Grain,
    steps: &[(ThreadId, u64)],
    (earlier, later): (ThreadId, ThreadId),
) -> Option<(Trace, Fault)> {
    let shown = |steps: &[(ThreadId, u64)], last: &[ThreadId]| {
        let mut execution = Execution { machine, grain, state: machine.initial(), steps: Vec::new() };
        execution.shows(steps, last).then(|| execution.told())?
    };
    let after = [[earlier, later], [later, earlier]];
    let after = after.into_iter().find_map(|last| shown(steps, &last));
    let own = steps.iter().rposition(|(thread, _)| *thread == earlier).map_or(0, |own| own + 1);
    let mut before = (own..=steps.len()).rev().map(|at| {
        let mut steps = steps.to_vec();
        steps.insert(at, (earlier, 0));
        steps
    });
    after.or_else(|| before.find_map(|steps| shown(&steps, &[])))
}

/// An execution on its way.
struct Execution<'m> {
    machine: &'m Machine,
    grain: Grain,
    state: State,
    steps: Vec<(ThreadId, u64)>,
}

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Open,
    Race,
    /// It was not possible, or nothing can follow it.
    Lost,
}

impl Execution<'_> {
    /// Whether there is a race in these steps, or in the next instructions of these threads after
    /// them.
    fn shows(&mut self, steps: &[(ThreadId, u64)], last: &[ThreadId]) -> bool {
        let mut after = After::Open;
        for (thread, choice) in steps {
            after = self.take(*thread, *choice);
            if after != After::Open {
                return after == After::Race;
            }
        }
        for thread in last {
            after = self.take(*thread, 0);
            // Memory is copied and filled piece by piece.
            while after == After::Open && self.is_amid(*thread) {
                after = self.take(*thread, 0);
            }
            if after != After::Open {
                break;
            }
        }
        after == After::Race
    }

    fn is_amid(&self, thread: ThreadId) -> bool {
        self.machine.is_alive(&self.state, thread) && self.machine.is_amid_instruction(&self.state, thread)
    }

    fn take(&mut self, thread: ThreadId, choice: u64) -> After {
        let Execution { machine, grain, .. } = *self;
        if !machine.can_take_step(&self.state, thread.into()) {
            return After::Lost;
        }
        self.steps.push((thread, choice));
        let step = machine.step(&mut self.state, thread, choice, grain, &mut ());
        trace::refresh(machine, grain, &mut self.state);
        match step.faults.iter().find(|fault| machine.asks(&fault.kind)) {
            Some(fault) if matches!(fault.kind, FaultKind::DataRace { .. }) => After::Race,
            None if step.end.is_none() => After::Open,
            _ => After::Lost,
        }
    }

    /// The execution with the race that it ends with.
    fn told(&self) -> Option<(Trace, Fault)> {
        let (trace, fault) = trace::execute(self.machine, self.grain, self.steps.iter().copied());
        Some((trace, fault?))
    }
}
