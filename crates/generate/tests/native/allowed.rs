//! What a program can do, by enumeration.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use engine::{Bounds, Budget, Progress, Task, Verdict};
use ir::Program;
use machine::{Config, End, Grain, Machine, Properties, Property, State, Step};

/// Programs with more states are left out.
const MAX_STATES: usize = 5_000;

/// The longest that one search for a property may take.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Properties that the enumeration does not look for.
const SEARCHED: [Property; 3] = [Property::Race, Property::Leak, Property::Overflow];

/// What a program can do.
#[derive(Default)]
pub struct Allowed {
    /// What `main` can return, or threads pass to `exit`.
    pub exits: BTreeSet<u32>,
    /// The properties that are violated, or might be.
    pub violated: BTreeSet<Property>,
    /// Whether there is a state from which no execution ends.
    stuck: bool,
    /// Whether something could not be followed.
    pub incomplete: bool,
}

impl Allowed {
    /// Enumerates a program; `None` if it has too many states.
    pub fn of(program: &Arc<Program>) -> Option<Allowed> {
        let asked: Properties = Property::safety().filter(|p| !SEARCHED.contains(p)).collect();
        let machine = machine(program, asked);
        let mut enumeration = Enumeration::default();
        enumeration.explore(&machine)?;
        let mut allowed = enumeration.allowed;
        allowed.stuck = enumeration.ends.iter().any(|ends| !ends);
        for property in SEARCHED {
            if may_violate(program, property) {
                allowed.violated.insert(property);
            }
        }
        Some(allowed)
    }

    /// Whether a run may go on for ever, or wait.
    pub fn may_hang(&self) -> bool {
        self.stuck || self.violated.contains(&Property::Deadlock) || self.undefined()
    }

    /// Whether an execution does what C leaves undefined, so that it may do
    /// anything. Races count only where the compiler makes use of them.
    pub fn undefined(&self) -> bool {
        let undefined = [Property::Memory, Property::Arithmetic, Property::LockMisuse, Property::Uninit];
        self.incomplete || undefined.iter().any(|p| self.violated.contains(p))
    }
}

fn machine(program: &Arc<Program>, properties: Properties) -> Machine {
    Machine::new(Arc::clone(program), Config { properties, ..Config::default() })
}

/// Whether the reference does not prove the absence of violations.
fn may_violate(program: &Arc<Program>, property: Property) -> bool {
    let machine = machine(program, [property].into_iter().collect());
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let task = Task { machine: &machine, budget: &budget, bounds, progress: &progress };
    !matches!(reference::check(&task, reference::Options::default()).verdict, Verdict::Holds { .. })
}

#[derive(Default)]
struct Enumeration {
    allowed: Allowed,
    numbers: HashMap<Vec<u8>, usize>,
    /// For each state, those from which a step leads to it.
    before: Vec<Vec<usize>>,
    /// Whether an execution from it ends.
    ends: Vec<bool>,
}

impl Enumeration {
    fn explore(&mut self, machine: &Machine) -> Option<()> {
        let mut work = Vec::new();
        self.enter(machine, machine.initial(), None, &mut work);
        while let Some((number, state)) = work.pop() {
            if self.ends.len() > MAX_STATES {
                return None;
            }
            for thread in machine.runnable(&state) {
                let Ok(choices) = machine.choices(&state, thread) else {
                    self.allowed.incomplete = true;
                    continue;
                };
                for choice in 0..choices {
                    let mut next = state.clone();
                    let step = machine.step(&mut next, thread, choice, Grain::Visible, &mut ());
                    self.faults(&step);
                    match step.end {
                        None => self.enter(machine, next, Some(number), &mut work),
                        Some(end) => self.end(number, &end),
                    }
                }
            }
        }
        Some(())
    }

    fn enter(
        &mut self,
        machine: &Machine,
        mut state: State,
        from: Option<usize>,
        work: &mut Vec<(usize, State)>,
    ) {
        machine.normalise(&mut state);
        let mut form = Vec::new();
        machine.canonical(&state, &mut form);
        let next = self.ends.len();
        let number = *self.numbers.entry(form).or_insert(next);
        if number == next {
            self.before.push(Vec::new());
            self.ends.push(false);
            if machine.deadlock(&state).is_some() {
                self.allowed.violated.insert(Property::Deadlock);
            }
            work.push((number, state));
        }
        if let Some(from) = from {
            self.before[number].push(from);
            if self.ends[number] {
                self.can_end(from);
            }
        }
    }

    fn faults(&mut self, step: &Step) {
        self.allowed.violated.extend(step.faults.iter().map(|fault| fault.kind.property()));
    }

    fn end(&mut self, from: usize, end: &End) {
        match end {
            End::Exited(status) => {
                self.allowed.exits.insert(*status);
            }
            End::Unsupported(_) => self.allowed.incomplete = true,
            End::Aborted | End::Fault | End::Infeasible => {}
        }
        self.can_end(from);
    }

    /// Notes that an execution from this state ends, and so from those before.
    fn can_end(&mut self, state: usize) {
        let mut work = vec![state];
        while let Some(state) = work.pop() {
            if !std::mem::replace(&mut self.ends[state], true) {
                work.extend(&self.before[state]);
            }
        }
    }
}
