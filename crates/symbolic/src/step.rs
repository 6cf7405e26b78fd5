//! Steps and their successors.

use ir::{FuncId, Instr, Pc};
use logic::{Term, Terms};
use machine::{
    BranchAt, End, Footprint, Grain, Machine, Mover, NeedsSymbolic, Snag, Step, StepProgress, ThreadId,
};
use rustc_hash::FxHashMap;

use crate::context::{Context, Undecided, Variables};
use crate::guide::Guide;
use crate::path::Path;
use crate::state::State;

/// Executes a machine's program on terms.
pub struct Executor<'m> {
    machine: &'m Machine,
    variables: Variables,
    most_values: u32,
    opens_objects: bool,
    /// An input with no more values than this is a choice.
    few_values: u64,
    /// How often a branch may be decided both ways along a path.
    unwind: Option<u32>,
    /// Whether all cases of a switch together count as one decision.
    leaves_switches: bool,
    /// So many values of a number are tried for each such decision.
    values_at_once: u32,
    /// The same for single branches.
    bounds: FxHashMap<(FuncId, Pc), u32>,
    suspended: Vec<Suspended>,
}

/// Numbers that must be known are enumerated up to so many values.
const MOST_VALUES: u32 = 1024;

/// So many values of such a number are tried for each decision that a branch
/// may take: going deep with a few comes before going through all.
const VALUES_AT_ONCE: u32 = 4;

/// An input with no more values than this is a choice like others: states that
/// differ in nothing else are then equal.
const FEW_VALUES: u64 = 4;

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

/// A step that stopped at a branch that was decided both ways too often, or at
/// a number of which many values were tried.
pub struct Suspended {
    partial: Partial,
    undecided: Undecided,
    inputs: usize,
    at: Option<BranchAt>,
}

impl Suspended {
    /// What the step has touched so far.
    pub fn footprint(&self) -> &Footprint {
        &self.partial.footprint
    }

    /// The conditions under which the step came so far.
    pub fn path(&self) -> &Path {
        &self.partial.state.path
    }

    /// The state in which it stopped, with what it touched until then, if it
    /// stopped at a branch.
    pub(crate) fn at_branch(self) -> Option<(State, Footprint)> {
        let Partial { state, footprint, done, .. } = self.partial;
        (self.undecided.number.is_none() && done.is_none()).then_some((state, footprint))
    }

    /// Where it stopped, if not at the end of its thread.
    pub fn at(&self) -> Option<BranchAt> {
        self.at
    }
}

/// A step on its way.
#[derive(Clone)]
struct Partial {
    state: State,
    footprint: Footprint,
    progress: StepProgress,
    /// Set once the instructions are done.
    done: Option<Step>,
}

impl<'m> Executor<'m> {
    /// Executes the program of this machine.
    pub fn new(machine: &'m Machine) -> Executor<'m> {
        Executor {
            machine,
            variables: Variables::default(),
            most_values: MOST_VALUES,
            opens_objects: false,
            few_values: FEW_VALUES,
            unwind: None,
            leaves_switches: false,
            values_at_once: VALUES_AT_ONCE,
            bounds: FxHashMap::default(),
            suspended: Vec::new(),
        }
    }

    /// Enumerates numbers that must be known (sizes, places of locks) up to so
    /// many values; with more, the execution ends as unsupported.
    pub fn with_most_values(self, most_values: u32) -> Executor<'m> {
        Executor { most_values, ..self }
    }

    /// Makes objects of unknown size where an unknown number of bytes is allocated,
    /// in place of going through its values.
    pub fn with_open_objects(self) -> Executor<'m> {
        Executor { opens_objects: true, ..self }
    }

    /// Makes every input a variable, however few values it has.
    pub fn with_all_inputs(self) -> Executor<'m> {
        Executor { few_values: 1, ..self }
    }

    /// Tries so many values of a number for each decision that a branch may take.
    pub(crate) fn with_values_at_once(self, values_at_once: u32) -> Executor<'m> {
        Executor { values_at_once, ..self }
    }

    /// Counts all cases of a switch together as one decision, for steps that are not resumed.
    pub(crate) fn with_whole_switches(self) -> Executor<'m> {
        Executor { leaves_switches: true, ..self }
    }

    /// Suspends steps at branches that were decided both ways so often along
    /// their path, and where several times as many values of a number were tried.
    pub fn set_unwind(&mut self, unwind: Option<u32>) {
        self.unwind = unwind;
    }

    /// Suspends steps at these branches after so many decisions, whatever the
    /// bound for all others.
    pub fn with_bounds(self, bounds: FxHashMap<(FuncId, Pc), u32>) -> Executor<'m> {
        Executor { bounds, ..self }
    }

    /// Whether the branch has a bound of its own.
    pub fn bound_of(&self, at: BranchAt) -> Option<u32> {
        self.bounds.get(&(at.function, at.pc)).copied()
    }

    /// The steps suspended since this was last asked.
    pub fn take_suspended(&mut self) -> Vec<Suspended> {
        std::mem::take(&mut self.suspended)
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// How many data choices the mover's next step has that the caller must
    /// go through; an input is none.
    pub fn choices(&self, state: &State, mover: impl Into<Mover>) -> Result<u64, NeedsSymbolic> {
        let mover = mover.into();
        let choices = self.machine.choices_of(&state.machine, mover);
        let Mover::Thread(thread) = mover else { return choices };
        let few = matches!(choices, Ok(choices) if choices <= self.few_values);
        if !few && self.machine.reads_input(&state.machine, thread) {
            return Ok(1);
        }
        choices
    }

    /// All the ways in which a step of one that can move can go. What is
    /// shared is decided afresh in every successor that goes on (in causal
    /// steps it stays), as replaying a trace does.
    pub fn step(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        state: State,
        mover: impl Into<Mover>,
        choice: u64,
        grain: Grain,
    ) -> Vec<Successor> {
        let inputs = state.inputs.len();
        let first =
            Partial { state, footprint: Footprint::default(), progress: StepProgress::default(), done: None };
        self.run(terms, guide, vec![first], inputs, (mover.into(), choice, grain))
    }

    /// All the ways in which a suspended step can go on.
    pub fn resume(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        suspended: Suspended,
        mover: impl Into<Mover>,
        choice: u64,
        grain: Grain,
    ) -> Vec<Successor> {
        let Suspended { partial, undecided, inputs, .. } = suspended;
        let (mover, mut work) = (mover.into(), Vec::new());
        self.fork(terms, guide, partial, undecided, mover.thread(), inputs, &mut work);
        self.run(terms, guide, work, inputs, (mover, choice, grain))
    }

    fn run(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        mut work: Vec<Partial>,
        inputs: usize,
        (mover, choice, grain): (Mover, u64, Grain),
    ) -> Vec<Successor> {
        let mut successors = Vec::new();
        while let Some(mut partial) = work.pop() {
            match self.advance(terms, guide, &mut partial, mover, choice, grain) {
                Some(undecided) => {
                    self.fork(terms, guide, partial, undecided, mover.thread(), inputs, &mut work);
                }
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
        mover: Mover,
        choice: u64,
        grain: Grain,
    ) -> Option<Undecided> {
        let Partial { state, footprint, progress, done } = partial;
        let State { machine: concrete, path, inputs, met, .. } = state;
        let variables = &mut self.variables;
        let Executor { most_values, opens_objects, few_values, .. } = *self;
        let mut context = Context {
            terms,
            guide,
            variables,
            path,
            inputs,
            met,
            opens_objects,
            few_values,
            most_values,
            undecided: None,
        };
        if done.is_none() {
            let step =
                self.machine.step_with(concrete, mover, choice, grain, footprint, &mut context, progress);
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

    /// Goes on both ways, as far as they are possible; the condition holds in
    /// the one that is taken up first. What is the only possibility is no
    /// condition of the path: it follows from it.
    #[allow(clippy::too_many_arguments)]
    fn fork(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        mut partial: Partial,
        undecided: Undecided,
        thread: ThreadId,
        inputs: usize,
        work: &mut Vec<Partial>,
    ) {
        let condition = undecided.condition;
        let negation = terms.not(condition);
        let sides = [negation, condition];
        let possible = sides.map(|side| guide.is_possible(terms, &partial.state.path, side));
        if let [false, true] | [true, false] = possible {
            let side = if possible[0] { negation } else { condition };
            partial.state.path.imply(terms, side);
            work.push(partial);
            return;
        }
        if possible == [true, true] && self.is_unwound(&mut partial, undecided.number, thread) {
            let at = self.machine.stands_at(&partial.state.machine, thread);
            self.suspended.push(Suspended { partial, undecided, inputs, at });
            return;
        }
        for side in sides.into_iter().zip(possible).filter_map(|(side, possible)| possible.then_some(side)) {
            let mut partial = partial.clone();
            partial.state.path.assume(terms, side);
            if let Some(number) = undecided.number.filter(|_| side == negation) {
                partial.state.path.exclude(number);
            }
            work.push(partial);
        }
    }

    /// How many decisions it takes to leave a branch. Where steps are not resumed, one that ended
    /// between two cases of a switch would begin with the first case again, and never leave it.
    fn decisions_at(&self, partial: &Partial, thread: ThreadId) -> u32 {
        match self.machine.next_instruction(&partial.state.machine, thread) {
            Some(Instr::Switch { cases, .. }) if self.leaves_switches => cases.len().max(1) as u32,
            _ => 1,
        }
    }

    /// Whether a branch was decided both ways too often; else counts it.
    /// Likewise whether many values of a number were tried.
    fn is_unwound(&self, partial: &mut Partial, number: Option<Term>, thread: ThreadId) -> bool {
        if let Some(number) = number {
            let most = self.unwind.map(|unwind| unwind.saturating_mul(self.values_at_once));
            return most.is_some_and(|most| partial.state.path.excluded(number) >= most);
        }
        let Some(at) = self.machine.branch_at(&partial.state.machine, thread) else { return false };
        let Some(most) = self.bound_of(at).or(self.unwind) else { return false };
        let most = most.saturating_mul(self.decisions_at(partial, thread));
        let before = partial.state.unwound.get(&at).copied().unwrap_or(0);
        if before >= most {
            return true;
        }
        std::sync::Arc::make_mut(&mut partial.state.unwound).insert(at, before + 1);
        false
    }
}
