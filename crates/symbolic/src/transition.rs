//! Steps as transition relations: what a step does to all data at once.
//!
//! A *location* is a state without its data: the numbers at some places have been
//! replaced by variables, one for each place and the same in all locations. A step
//! from a location has some outcomes, one for each way in which its decisions can
//! go. Each [`Transition`] has
//!
//! - a *guard* over the variables: when the step goes this way;
//! - *assignments*: for each place of data that changes, its new number as a term
//!   over the variables before the step;
//! - the location that it leads to, or how the execution ends, and the faults on
//!   the way. The guard is the condition of a fault.
//!
//! This is the relation `R` of the paper on Impact with partial-order reduction
//! (section II): `guard ∧ x' = term ∧ …`. A condition on data after the step becomes
//! one on data before it by substitution ([`Transition::before`]).
//!
//! Which places are data is for the caller to say ([`Locations::of`]); a place that
//! comes to hold a number that is not known becomes data by itself. What is
//! undefined, where pointers lead, and what is no number stays in the location.
//! Locations are in the machine's normal form, so that they are equal if their
//! forms are ([`Location::form`]).
//!
//! A step does not go round a loop of which data decide: it ends at the branch that
//! it would decide for the second time ([`Transition::is_whole`]), so that every
//! step has finitely many outcomes, and every loop a location.
//!
//! Inputs that a step reads are variables too, but those of the transition: to
//! follow one transition with another, give them new names first. The same goes for
//! arrays that it finds in memory and that may be anything.
//!
//! Where the caller wants it ([`Locations::with_open_objects`]), memory of unknown
//! size is an object whose size and contents are data: array variables, and array
//! terms assigned to them. Not all that is possible then replays on the concrete
//! machine; [`Met::replayable`] says what does.

use ir::{Cell, FuncId, LiveCells, Pc};
use logic::{Term, Terms};
use machine::{Datum, End, Fault, Footprint, Grain, Holder, Machine, Step, Sym, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Context, Variables};
use crate::guide::{Blind, Guide};
use crate::path::Path;
use crate::shape::Shape;
use crate::state::{Input, Met, State};
use crate::step::{Executor, Successor, Suspended};

/// A state without its data.
#[derive(Clone, Debug)]
pub struct Location {
    state: machine::State,
}

impl Location {
    /// The state, with a variable in every place of data. (Sizes of objects of unknown
    /// size, and offsets into them, are terms around the variable.)
    pub fn state(&self) -> &machine::State {
        &self.state
    }

    /// The variables of its data.
    pub fn variables(&self, machine: &Machine, terms: &Terms) -> Vec<Term> {
        let mut state = self.state.clone();
        let mut symbols = Vec::new();
        machine.rename_unknown(&mut state, |_, symbol, _| {
            symbols.push(symbol);
            symbol
        });
        machine.rename_open(&mut state, |_, value, _| {
            symbols.push(value.sym);
            value.sym
        });
        let mut found: Vec<Term> =
            symbols.into_iter().flat_map(|symbol| terms.variables_in(Term::from_number(symbol.0))).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What makes locations equal.
    pub fn form(&self, machine: &Machine) -> Vec<u8> {
        let mut form = Vec::new();
        machine.canonical(&self.state, &mut form);
        form
    }
}

/// A step goes so many ways with values of a number that must be known: which of an array's
/// pointers or locks is meant.
const VALUES_AT_ONCE: u32 = 16;

/// Says which places of a state are data.
type Chosen<'m> = dyn Fn(&Machine, &machine::State) -> Vec<Datum> + 'm;

/// The new number of a place of data, over the variables before.
pub type Assignment = (Datum, Term);

/// One way a step can go.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The conditions under which it goes this way.
    pub guard: Vec<Term>,
    /// The inputs that the step reads.
    pub inputs: Vec<Input>,
    /// What it meets of objects of unknown size. Arrays that may be anything are
    /// variables of the transition, as inputs are.
    pub met: Met,
    /// The data that it changes; all other data stay as they are.
    pub assignments: Vec<Assignment>,
    /// Where it leads.
    pub target: Location,
    /// Whether the step was taken to its end. Otherwise it stopped at a branch
    /// that it had decided both ways before; the thread's next step goes on there.
    pub is_whole: bool,
    /// How it ends the execution, if it does.
    pub end: Option<End>,
    /// What goes wrong. Numbers in faults are examples.
    pub faults: Vec<Fault>,
    /// What it touches.
    pub footprint: Footprint,
}

impl Transition {
    /// The condition on data before the step that says the same as a condition on
    /// data after it, where the step goes this way.
    pub fn before(&self, terms: &mut Terms, locations: &mut Locations<'_>, after: Term) -> Term {
        let mut images = FxHashMap::default();
        for (datum, number) in &self.assignments {
            let width = terms.width(*number);
            images.insert(locations.variable(terms, *datum, width), *number);
        }
        terms.substitute(after, &mut images)
    }
}

/// Does what takes no decisions.
fn blindly<R>(terms: &mut Terms, act: impl FnOnce(&mut Context<'_>) -> R) -> R {
    let (mut path, mut inputs, mut met, mut variables): (Path, _, _, Variables) = Default::default();
    let mut context = Context {
        terms,
        guide: &mut Blind,
        variables: &mut variables,
        path: &mut path,
        inputs: &mut inputs,
        met: &mut met,
        opens_objects: false,
        few_values: 0,
        most_values: 0,
        undecided: None,
    };
    act(&mut context)
}

/// The locations of a machine's program, and the steps between them.
pub struct Locations<'m> {
    executor: Executor<'m>,
    /// The places that are data where they hold a number.
    data: Box<Chosen<'m>>,
    /// The cells of globals, which are data where they are dead.
    cells: Option<LiveCells<'m>>,
    variables: FxHashMap<(Datum, u8), Term>,
}

impl<'m> Locations<'m> {
    /// Locations in which the numbers at these places of a state are data. The
    /// places do not overlap.
    pub fn of(
        machine: &'m Machine,
        data: impl Fn(&Machine, &machine::State) -> Vec<Datum> + 'm,
    ) -> Locations<'m> {
        let executor = Executor::new(machine).with_values_at_once(VALUES_AT_ONCE);
        let mut executor = executor.with_whole_switches();
        executor.set_unwind(Some(1));
        Locations { executor, data: Box::new(data), cells: None, variables: FxHashMap::default() }
    }

    /// Makes cells of global variables data where they are dead ([`ir::LiveCells`]), so that two
    /// locations are the same if they differ in such cells alone.
    pub fn with_dead_cells(self) -> Locations<'m> {
        let cells = Some(LiveCells::of(self.machine().program()));
        Locations { cells, ..self }
    }

    /// Enumerates numbers that must be known (sizes, places of locks) up to so many
    /// values; with more, the step ends as unsupported.
    pub fn with_most_values(self, most_values: u32) -> Locations<'m> {
        Locations { executor: self.executor.with_most_values(most_values), ..self }
    }

    /// Makes objects of unknown size where an unknown number of bytes is allocated.
    /// Their sizes and contents are data ([`Datum::Size`], [`Datum::Initialised`],
    /// [`Datum::Contents`]), of which the last are arrays.
    pub fn with_open_objects(self) -> Locations<'m> {
        Locations { executor: self.executor.with_open_objects(), ..self }
    }

    /// Makes every input a variable, however few values it has.
    pub fn with_all_inputs(self) -> Locations<'m> {
        Locations { executor: self.executor.with_all_inputs(), ..self }
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.executor.machine()
    }

    /// The variable that stands for the number of this width at a place, or for the
    /// array of elements of this width.
    pub fn variable(&mut self, terms: &mut Terms, datum: Datum, width: u8) -> Term {
        *self.variables.entry((datum, width)).or_insert_with(|| {
            let name = format!("{datum:?}");
            if datum.is_array() { terms.array(width, name) } else { terms.variable(width, name) }
        })
    }

    /// The location of a state, and its data.
    pub fn split(&mut self, terms: &mut Terms, mut state: machine::State) -> (Location, Vec<Assignment>) {
        self.machine().normalise(&mut state);
        let mut assignments = self.take_numbers(terms, &mut state);
        let machine = self.machine();
        let done: FxHashSet<Datum> = assignments.iter().map(|(datum, _)| *datum).collect();
        let mut replace = |terms: &mut Terms, datum, (shape, part): (Shape, Term)| {
            let variable = self.variable(terms, datum, terms.width(part));
            assignments.push((datum, part));
            Sym(shape.around(terms, variable).number())
        };
        machine.rename_unknown(&mut state, |datum, symbol, aligned| {
            let number = Term::from_number(symbol.0);
            match aligned {
                _ if done.contains(&datum) => symbol,
                Some(zeros) => {
                    let parts = Shape::of(terms, number, zeros);
                    replace(terms, datum, parts)
                }
                None => {
                    let parts = Shape::plain(terms, number);
                    replace(terms, datum, parts)
                }
            }
        });
        machine.rename_open(&mut state, |datum, value, width| {
            let number = match value.is_symbolic() {
                true => Term::from_number(value.sym.0),
                false => terms.constant(width, value.bits.into()),
            };
            let is_size = matches!(datum, Datum::Size { .. });
            let parts = if is_size { Shape::of(terms, number, 0) } else { Shape::plain(terms, number) };
            replace(terms, datum, parts)
        });
        (Location { state }, assignments)
    }

    /// Puts the numbers that conditions say into a state: after `x == 0` was assumed, `x` is known.
    /// What is data anyway stays as it is, since it would not change.
    fn settle(&self, terms: &mut Terms, state: &mut machine::State, conditions: &[Term]) {
        let mut values = terms.values_by(conditions);
        if values.is_empty() {
            return;
        }
        let data: FxHashSet<Datum> = (self.data)(self.machine(), state).into_iter().collect();
        self.machine().put_known(state, |datum, symbol| {
            if data.contains(&datum) {
                return None;
            }
            let number = terms.substitute(Term::from_number(symbol.0), &mut values);
            terms.constant_value(number).and_then(|number| u64::try_from(number).ok())
        });
    }

    /// Puts variables in place of the numbers at the places that are data.
    fn take_numbers(&mut self, terms: &mut Terms, state: &mut machine::State) -> Vec<Assignment> {
        let machine = self.machine();
        let mut assignments = Vec::new();
        let mut data = (self.data)(machine, state);
        data.extend(self.dead(state));
        data.sort_unstable();
        data.dedup();
        blindly(terms, |context| {
            for datum in data {
                let Some((value, width)) = machine.datum(state, datum, context) else { continue };
                let number = context.number(value, width);
                let (shape, part) = match machine.offset_zeros(state, value) {
                    Some(zeros) => Shape::of(context.terms, number, zeros),
                    None => Shape::plain(context.terms, number),
                };
                let variable = self.variable(context.terms, datum, context.terms.width(part));
                let number = shape.around(context.terms, variable);
                machine.put_datum(state, datum, Sym(number.number()), context);
                assignments.push((datum, part));
            }
        });
        assignments
    }

    /// The location with its threads sorted, which stands for all that differ in the numbers of
    /// threads alone; and its data, over the variables of the one that is given.
    pub fn sorted(&mut self, terms: &mut Terms, location: &Location) -> (Location, Vec<Assignment>) {
        let machine = self.machine();
        let mut state = location.state.clone();
        blindly(terms, |context| machine.sort_threads_with(&mut state, context));
        self.split(terms, state)
    }

    /// The cells that are dead in a state: every thread writes them before it reads them.
    pub fn dead(&self, state: &machine::State) -> Vec<Datum> {
        let Some(cells) = &self.cells else { return Vec::new() };
        let machine = self.machine();
        let alive = state.thread_ids().filter(|thread| machine.is_alive(state, *thread));
        let stacks: Vec<Vec<(FuncId, Pc)>> = alive.map(|thread| machine.stands(state, thread)).collect();
        let dead = cells.dead(stacks.iter().map(Vec::as_slice)).into_iter();
        let holder = |cell: Cell| Holder::Global { id: cell.global, offset: cell.offset, len: cell.len };
        machine.instances(state, &dead.map(holder).collect()).into_iter().map(|(_, datum)| datum).collect()
    }

    /// How many data choices the thread's next step has that the caller must go
    /// through; an input is none.
    pub fn choices(&self, from: &Location, thread: ThreadId) -> Result<u64, machine::NeedsSymbolic> {
        self.executor.choices(&State::at(from.state.clone()), thread)
    }

    /// All the ways in which a step of a runnable thread can go.
    pub fn step(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        from: &Location,
        thread: ThreadId,
        choice: u64,
        grain: Grain,
    ) -> Vec<Transition> {
        let state = State::at(from.state.clone());
        let successors = self.executor.step(terms, guide, state, thread, choice, grain);
        let suspended = self.executor.take_suspended();
        let mut transitions = Vec::new();
        for Successor { state, step, footprint, .. } in successors {
            transitions.push(self.transition(terms, state, step, footprint));
        }
        for suspended in suspended {
            transitions.push(self.interrupted(terms, suspended));
        }
        transitions
    }

    /// A step that stopped at a branch, or at a number that must be known.
    fn interrupted(&mut self, terms: &mut Terms, suspended: Suspended) -> Transition {
        let path = suspended.path().clone();
        let Some((state, footprint)) = suspended.at_branch() else {
            let what = "a number that must be known has too many values".to_owned();
            let step = Step { end: Some(End::Unsupported(what)), ..Step::default() };
            let state = State { path, ..State::at(self.machine().initial()) };
            return self.transition(terms, state, step, Footprint::default());
        };
        Transition { is_whole: false, ..self.transition(terms, state, Step::default(), footprint) }
    }

    fn transition(
        &mut self,
        terms: &mut Terms,
        state: State,
        step: Step,
        footprint: Footprint,
    ) -> Transition {
        let (guard, inputs) = (state.path.conditions().to_vec(), state.inputs().to_vec());
        let met = state.met().clone();
        let mut machine = state.machine;
        self.settle(terms, &mut machine, &guard);
        let (target, mut assignments) = self.split(terms, machine);
        assignments
            .retain(|(datum, number)| self.variables.get(&(*datum, terms.width(*number))) != Some(number));
        let (end, faults) = (step.end, step.faults);
        Transition { guard, inputs, met, assignments, target, is_whole: true, end, faults, footprint }
    }
}
