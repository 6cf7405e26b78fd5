//! Steps and their successors.

use logic::{Term, Terms};
use machine::{End, Footprint, Grain, Machine, NeedsSymbolic, Progress, Snag, Step, ThreadId};

use crate::context::{Context, Variables};
use crate::guide::Guide;
use crate::state::State;

/// Executes a machine's program on terms.
pub struct Executor<'m> {
    machine: &'m Machine,
    variables: Variables,
    most_values: u32,
}

/// Numbers that must be known are enumerated up to so many values.
const MOST_VALUES: u32 = 1024;

/// One way a step can go.
#[derive(Clone, Debug)]
pub struct Successor {
    /// Where it leads; the path has grown by what makes it go this way.
    pub state: State,
    /// What came of it: faults and the end of the execution, as of a concrete
    /// step. Numbers in faults are examples; the replayed fault has the real ones.
    pub step: Step,
    /// What it touched.
    pub footprint: Footprint,
    /// The data choice of an input that the step read, in place of the choice
    /// that the caller gave.
    pub input: Option<Term>,
}

/// A step on its way.
#[derive(Clone)]
struct Partial {
    state: State,
    footprint: Footprint,
    progress: Progress,
    /// Set once the instructions are done.
    done: Option<Step>,
}

impl<'m> Executor<'m> {
    /// Executes the program of this machine.
    pub fn new(machine: &'m Machine) -> Executor<'m> {
        Executor { machine, variables: Variables::default(), most_values: MOST_VALUES }
    }

    /// Enumerates numbers that must be known (sizes, places of locks) up to so
    /// many values; with more, the execution ends as unsupported.
    pub fn with_most_values(self, most_values: u32) -> Executor<'m> {
        Executor { most_values, ..self }
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// How many data choices the thread's next step has that the caller must
    /// go through; an input is none.
    pub fn choices(&self, state: &State, thread: ThreadId) -> Result<u64, NeedsSymbolic> {
        if self.machine.reads_input(&state.machine, thread) {
            return Ok(1);
        }
        self.machine.choices(&state.machine, thread)
    }

    /// All the ways in which a step of a runnable thread can go. What is
    /// shared is decided afresh in every successor that goes on (in causal
    /// steps it stays), as replaying a trace does.
    pub fn step(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        state: State,
        thread: ThreadId,
        choice: u64,
        grain: Grain,
    ) -> Vec<Successor> {
        let inputs = state.inputs.len();
        let first =
            Partial { state, footprint: Footprint::default(), progress: Progress::default(), done: None };
        let mut work = vec![first];
        let mut successors = Vec::new();
        while let Some(mut partial) = work.pop() {
            match self.advance(terms, guide, &mut partial, thread, choice, grain) {
                Some(condition) => fork(terms, guide, partial, condition, &mut work),
                None => {
                    let input = partial.state.inputs.get(inputs).map(|input| input.choice);
                    let Partial { state, footprint, done, .. } = partial;
                    let step = done.expect("the step is done");
                    successors.push(Successor { state, step, footprint, input });
                }
            }
        }
        successors
    }

    /// Goes on with a step to its end, or to a condition that is not decided.
    fn advance(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        partial: &mut Partial,
        thread: ThreadId,
        choice: u64,
        grain: Grain,
    ) -> Option<Term> {
        let Partial { state, footprint, progress, done } = partial;
        let State { machine: concrete, path, inputs } = state;
        let variables = &mut self.variables;
        let mut context =
            Context { terms, guide, variables, path, inputs, most_values: self.most_values, undecided: None };
        if done.is_none() {
            let step =
                self.machine.step_with(concrete, thread, choice, grain, footprint, &mut context, progress);
            if progress.undecided {
                return context.undecided;
            }
            // In causal steps, what was once shared stays so.
            if step.end.is_none() && grain != Grain::Causal {
                self.machine.refresh_sharing(concrete);
            }
            *done = Some(step);
        }
        let step = done.as_mut().expect("just set");
        if step.end.is_none() {
            match self.machine.settle(concrete, &mut context) {
                Ok(()) => {}
                Err(Snag::Unsupported(what)) => step.end = Some(End::Unsupported(what.to_owned())),
                Err(_) => return context.undecided,
            }
        }
        None
    }
}

/// Goes on both ways, as far as they are possible; the condition holds in the
/// one that is taken up first.
fn fork(
    terms: &mut Terms,
    guide: &mut dyn Guide,
    partial: Partial,
    condition: Term,
    work: &mut Vec<Partial>,
) {
    let negation = terms.not(condition);
    for side in [negation, condition] {
        if guide.is_possible(terms, &partial.state.path, side) {
            let mut partial = partial.clone();
            partial.state.path.assume(terms, side);
            work.push(partial);
        }
    }
}
