//! First preemptions between accesses to variables that the tester names
//! (section 4.3).

use machine::{Machine, ThreadId};

use super::{Backtrack, Priority, level};

pub struct Var {
    /// The names of the variables' objects, as footprints have them.
    objects: Vec<u64>,
}

impl Var {
    pub fn new(machine: &Machine, names: &[String]) -> Var {
        let object = |name: &String| machine.global_object_named(name)?.slot_index().map(|slot| slot as u64);
        Var { objects: names.iter().filter_map(object).collect() }
    }

    /// Whether the thread's next step touches one of the variables.
    fn touches(&self, backtrack: &Backtrack<'_>, thread: ThreadId) -> bool {
        let steps = backtrack.execution.explorer.run.steps();
        let next = backtrack.analysis.next_step(backtrack.step, thread);
        let accesses = next.map(|step| &steps[step].footprint.accesses);
        accesses.is_some_and(|all| all.iter().any(|access| self.objects.contains(&access.object)))
    }
}

impl Priority for Var {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        let preempted = backtrack.preempted().is_some_and(|thread| self.touches(backtrack, thread));
        level(preempted, self.touches(backtrack, backtrack.thread))
    }
}
