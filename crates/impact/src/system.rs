//! The program as a system of locations and steps between them, each built once.
//!
//! A step from a location is executed once, on variables, and yields [`Edge`]s:
//! guarded assignments ([`symbolic::Transition`]). A step that ends the process in
//! good order leads nowhere: no execution with a fault contains one.
//!
//! Where races are looked for, a location also says which threads have announced their next access
//! ([`crate::announce`]).

use std::rc::Rc;

use engine::Cut;
use logic::{Term, Terms};
use machine::{Datum, End, Fault, Footprint, Grain, Machine, Property, ThreadId, Touched};
use rustc_hash::FxHashMap;
use symbolic::{Assignment, Guide, Location, Locations};

use crate::announce::{Ahead, Meeting, Races, is_at_section};
use crate::precision::{Precision, Seen};

/// The number of a location.
pub type LocationId = u32;

/// The grain of steps of whole proofs.
pub const GRAIN: Grain = Grain::Visible;

/// What a step chooses, as a trace holds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// One of finitely many.
    Number(u64),
    /// The value of an input.
    Input(Term),
}

/// Where an edge leads.
#[derive(Clone, Debug)]
pub enum Target {
    /// To a location.
    Location(LocationId),
    /// To the end of the execution.
    End,
    /// To the end of one that is not considered, since an assumption does not hold.
    Infeasible,
    /// To a fault. It need not be one that was asked for: if nothing is known
    /// about what follows it, it must be impossible, too.
    Fault(Box<Fault>),
    /// To something that cannot be followed.
    Unknown(Cut),
}

/// One way a step can go.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The threads that move, and with which choices. A thread that goes on with a
    /// step which it had begun before is not named again.
    pub steps: Vec<(ThreadId, Choice)>,
    /// The conditions under which it goes this way.
    pub guard: Vec<Term>,
    /// The variables that change, each with its new value.
    pub assignments: Vec<(Term, Term)>,
    /// The inputs that it reads, as they stand in the terms.
    pub inputs: Vec<Term>,
    /// What must hold besides for the concrete machine to take the same steps
    /// ([`symbolic::Met`]).
    pub replayable: Vec<Term>,
    /// Where it leads.
    pub target: Target,
}

/// The steps of one thread from a location.
#[derive(Clone, Debug)]
pub struct Steps {
    /// All the ways in which they can go.
    pub edges: Rc<[Rc<Edge>]>,
    /// Whether others may depend on it in ways that no static analysis tells.
    pub is_special: bool,
    /// Whether it may end the process, or be one that is not considered.
    pub may_end: bool,
    /// What they touch, if they are single instructions.
    pub touched: Vec<Touched>,
}

/// What a location says beside the state of the machine.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Aside {
    /// The threads that stopped within a step, ascending.
    within: Vec<ThreadId>,
    /// Those that have announced their next access, ascending.
    announced: Vec<ThreadId>,
}

/// A location with what is known about it.
struct Known {
    location: Location,
    aside: Aside,
    steps: FxHashMap<ThreadId, Steps>,
    /// The deadlock here, if that is asked for.
    deadlock: Option<Box<Fault>>,
}

/// The locations of a program.
pub struct System<'m> {
    machine: &'m Machine,
    locations: Locations<'m>,
    known: Vec<Known>,
    index: FxHashMap<(Vec<u8>, Aside), LocationId>,
    /// The variables that stand for data.
    variables: FxHashMap<Term, Datum>,
    /// What is known about the places that are accessed.
    pub precision: Precision,
    seen: Seen,
    /// Whether a number was found that should have been data.
    pub is_too_coarse: bool,
    /// Whether a step was found that chooses one of a few values.
    pub has_choices: bool,
    /// The grain of steps.
    pub grain: Grain,
    /// Whether locations are compared as they are found; otherwise the caller does it.
    pub learns: bool,
    /// The accesses that may race, if races are looked for.
    pub races: Option<Rc<Races>>,
    /// Whether locations that differ in the numbers of threads alone are one ([`crate::alike`]).
    pub sorts: bool,
    /// Whether something depends on the numbers of threads.
    pub tells_numbers: bool,
}

impl<'m> System<'m> {
    /// The locations with this precision.
    pub fn new(machine: &'m Machine, precision: Precision) -> System<'m> {
        let data = precision.clone();
        let locations = Locations::of(machine, move |machine, state| data.places(machine, state));
        let locations = locations.with_open_objects().with_dead_cells();
        System {
            machine,
            locations: if precision.all_inputs { locations.with_all_inputs() } else { locations },
            known: Vec::new(),
            index: FxHashMap::default(),
            variables: FxHashMap::default(),
            precision,
            seen: Seen::default(),
            is_too_coarse: false,
            has_choices: false,
            grain: GRAIN,
            learns: true,
            races: None,
            sorts: false,
            tells_numbers: false,
        }
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The first location, and what holds of data there.
    pub fn initial(&mut self, terms: &mut Terms) -> (LocationId, Vec<Term>) {
        let (location, data) = self.locations.split(terms, self.machine.initial());
        let mut conditions = Vec::new();
        for (datum, number) in data {
            let width = terms.width(number);
            let variable = self.variable(terms, datum, width);
            conditions.push(terms.eq(variable, number));
        }
        (self.intern(location, Aside::default()), conditions)
    }

    fn variable(&mut self, terms: &mut Terms, datum: Datum, width: u8) -> Term {
        let variable = self.locations.variable(terms, datum, width);
        self.variables.insert(variable, datum);
        variable
    }

    /// Whether a variable stands for data, and not for an input.
    pub fn is_data(&self, variable: Term) -> bool {
        self.variables.contains_key(&variable)
    }

    /// The place that a variable stands for, if it stands for data.
    pub fn place(&self, variable: Term) -> Option<Datum> {
        self.variables.get(&variable).copied()
    }

    /// A location.
    pub fn location(&self, location: LocationId) -> &Location {
        &self.known[location as usize].location
    }

    /// The steps of a thread, if they were built.
    pub fn known_steps(&self, from: LocationId, thread: ThreadId) -> Option<&Steps> {
        self.known[from as usize].steps.get(&thread)
    }

    /// The variables of a location, except those of dead cells.
    pub fn data_at(&self, terms: &Terms, location: LocationId) -> Vec<Term> {
        let mut found = self.known[location as usize].location.variables(self.machine, terms);
        let dead = self.locations.dead(self.state(location));
        found.retain(|variable| self.place(*variable).is_some_and(|place| !dead.contains(&place)));
        found
    }

    /// The variables of a location that stand for numbers.
    pub fn numbers_at(&self, terms: &Terms, location: LocationId) -> Vec<Term> {
        let mut found = self.data_at(terms, location);
        found.retain(|variable| !terms.is_array(*variable));
        found
    }

    /// The state of a location.
    pub fn state(&self, location: LocationId) -> &machine::State {
        self.known[location as usize].location.state()
    }

    /// The deadlock at a location.
    pub fn deadlock(&self, location: LocationId) -> Option<&Fault> {
        self.known[location as usize].deadlock.as_deref()
    }

    /// Whether a step between two locations announces an access.
    pub fn announces(&self, from: LocationId, to: LocationId) -> bool {
        let announced = |at: LocationId| self.known[at as usize].aside.announced.len();
        announced(to) > announced(from)
    }

    fn intern(&mut self, location: Location, aside: Aside) -> LocationId {
        let next = self.known.len() as LocationId;
        let machine = self.machine;
        let key = (location.form(machine), aside.clone());
        let id = *self.index.entry(key).or_insert(next);
        if id == next {
            self.is_too_coarse |=
                self.learns && self.precision.learn(machine, location.state(), &mut self.seen);
            let asked = machine.config().properties.has(Property::Deadlock);
            let deadlock = asked.then(|| machine.deadlock(location.state())).flatten().map(Box::new);
            self.known.push(Known { location, aside, steps: FxHashMap::default(), deadlock });
        }
        id
    }

    /// The steps of a thread that can move.
    pub fn steps(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        from: LocationId,
        thread: ThreadId,
    ) -> Steps {
        if let Some(steps) = self.known[from as usize].steps.get(&thread) {
            return steps.clone();
        }
        let mut steps = Steps { edges: Rc::new([]), is_special: false, may_end: false, touched: Vec::new() };
        let edges = match self.ahead(terms, from, thread) {
            Ahead::Nothing => self.edges(terms, guide, (from, thread), &mut steps),
            Ahead::Unknown(what) => {
                let at = self.machine.position(self.state(from), thread);
                let cut = Cut::Unsupported { what: what.to_owned(), at };
                vec![Rc::new(Edge::bare(thread, Target::Unknown(cut)))]
            }
            Ahead::Access { announces, meetings } => {
                let apart: Vec<Term> = meetings.iter().map(|meeting| terms.not(meeting.condition)).collect();
                let mut edges: Vec<Rc<Edge>> =
                    meetings.into_iter().map(|race| Rc::new(race.into())).collect();
                let apart = terms.all(apart);
                let going_on = match announces {
                    true => vec![Rc::new(self.announcement(from, thread))],
                    false => self.edges(terms, guide, (from, thread), &mut steps),
                };
                let is_free = terms.is_true(apart);
                let under = |edge: Rc<Edge>| if is_free { edge } else { Rc::new(edge.under(apart)) };
                edges.extend(going_on.into_iter().map(under));
                edges.retain(|edge| !edge.guard.iter().any(|condition| terms.is_false(*condition)));
                edges
            }
        };
        steps.edges = edges.into();
        self.known[from as usize].steps.insert(thread, steps.clone());
        steps
    }

    /// What races have a thread do before its next instruction.
    fn ahead(&self, terms: &mut Terms, from: LocationId, thread: ThreadId) -> Ahead {
        let Known { location, aside, .. } = &self.known[from as usize];
        let program = (self.machine, location.state());
        let races = self.races.as_ref();
        races.map_or(Ahead::Nothing, |races| races.ahead(terms, program, thread, &aside.announced))
    }

    /// The step that announces the next access of a thread.
    fn announcement(&mut self, from: LocationId, thread: ThreadId) -> Edge {
        let Known { location, aside, .. } = &self.known[from as usize];
        let (location, mut aside) = (location.clone(), aside.clone());
        aside.announced.push(thread);
        aside.announced.sort_unstable();
        let to = self.intern(location, aside);
        Edge { steps: Vec::new(), ..Edge::bare(thread, Target::Location(to)) }
    }

    /// The ways in which the machine's step of a thread can go.
    fn edges(
        &mut self,
        terms: &mut Terms,
        guide: &mut dyn Guide,
        (from, thread): (LocationId, ThreadId),
        steps: &mut Steps,
    ) -> Vec<Rc<Edge>> {
        let location = self.known[from as usize].location.clone();
        let choices = match self.locations.choices(&location, thread) {
            Ok(choices) => choices,
            Err(needs) => {
                let target = Target::Unknown(Cut::NeedsSymbolic(needs));
                return vec![Rc::new(Edge::bare(thread, target))];
            }
        };
        self.has_choices |= choices > 1;
        let is_split = self.is_split(from, thread);
        let grain = if is_split { Grain::Instruction } else { self.grain };
        let mut edges = Vec::new();
        for choice in 0..choices {
            if is_split {
                // For those that may come first instead, a section is one step.
                let whole = self.locations.step(terms, guide, &location, thread, choice, self.grain);
                steps.is_special |= whole.iter().any(|way| is_special(&way.footprint));
            }
            for way in self.locations.step(terms, guide, &location, thread, choice, grain) {
                edges.push(self.edge(terms, from, (thread, choice), way, steps));
            }
        }
        edges
    }

    /// Whether a step of the machine is taken instruction by instruction.
    fn is_split(&self, from: LocationId, thread: ThreadId) -> bool {
        self.races.is_some() && is_at_section(self.machine, self.state(from), thread)
    }

    fn edge(
        &mut self,
        terms: &mut Terms,
        from: LocationId,
        (thread, choice): (ThreadId, u64),
        way: symbolic::Transition,
        steps: &mut Steps,
    ) -> Rc<Edge> {
        let machine = self.machine;
        let Known { location, aside, .. } = &self.known[from as usize];
        let (location, mut aside) = (location.clone(), aside.clone());
        let goes_on = aside.within.contains(&thread);
        let is_split = self.is_split(from, thread);
        self.precision.note(machine, location.state(), &way.footprint);
        let special = is_special(&way.footprint);
        if self.grain == Grain::Instruction {
            steps.touched.extend(&way.footprint.touched);
        }
        let choice = way.inputs.first().map_or(Choice::Number(choice), |input| Choice::Input(input.choice));
        let must_not = |fault: &Fault| machine.asks(&fault.kind) || machine.leaves_open(&fault.kind);
        let fault = way.faults.iter().find(|fault| must_not(fault));
        let mut assignments = self.assigned(terms, way.assignments);
        let target = match (fault, way.end) {
            (Some(fault), _) => Target::Fault(Box::new(fault.clone())),
            (None, None) => {
                let after = way.target.state();
                let is_whole = way.is_whole && (!is_split || machine.ends_step(after, thread));
                aside.within.retain(|other| *other != thread);
                aside.within.extend((!is_whole).then_some(thread));
                aside.within.sort_unstable();
                let is_amid = machine.is_alive(after, thread) && machine.is_amid_instruction(after, thread);
                aside.announced.retain(|other| *other != thread || is_amid);
                Target::Location(match self.sorts {
                    true => {
                        let sorted = self.sorted(terms, &way.target, &mut assignments);
                        self.intern(sorted, Aside::default())
                    }
                    false => self.intern(way.target, aside),
                })
            }
            (None, Some(End::Unsupported(what))) => {
                Target::Unknown(Cut::Unsupported { what, at: machine.position(location.state(), thread) })
            }
            (None, Some(end)) => {
                steps.may_end = true;
                if end == End::Infeasible { Target::Infeasible } else { Target::End }
            }
        };
        // The end of the process is part of no execution with a fault.
        steps.is_special |= special && !matches!(target, Target::End);
        let steps = if goes_on { Vec::new() } else { vec![(thread, choice)] };
        let (inputs, replayable) = (Vec::new(), way.met.replayable);
        let mut edge = Edge { steps, guard: way.guard, assignments, inputs, replayable, target };
        edge.inputs = self.inputs(terms, &edge);
        Rc::new(edge)
    }

    /// The same with variables in place of places.
    fn assigned(&mut self, terms: &mut Terms, assignments: Vec<Assignment>) -> Vec<(Term, Term)> {
        let assigned = assignments.into_iter().map(|(datum, number)| {
            let width = terms.width(number);
            (self.variable(terms, datum, width), number)
        });
        assigned.collect()
    }

    /// A location with its threads sorted, and what a step to it assigns then.
    fn sorted(&mut self, terms: &mut Terms, to: &Location, assignments: &mut Vec<(Term, Term)>) -> Location {
        self.tells_numbers |= self.machine.uses_thread_numbers(to.state());
        let (sorted, data) = self.locations.sorted(terms, to);
        let mut images = std::mem::replace(assignments, self.assigned(terms, data)).into_iter().collect();
        assignments.iter_mut().for_each(|(_, number)| *number = terms.substitute(*number, &mut images));
        assignments.retain(|(variable, number)| variable != number);
        sorted
    }

    /// The variables of an edge that are inputs.
    fn inputs(&self, terms: &Terms, edge: &Edge) -> Vec<Term> {
        let values = edge.assignments.iter().map(|(_, value)| *value);
        let choices = edge.steps.iter().filter_map(|(_, choice)| match choice {
            Choice::Number(_) => None,
            Choice::Input(term) => Some(*term),
        });
        let conditions = edge.guard.iter().chain(&edge.replayable).copied();
        let all = conditions.chain(values).chain(choices);
        let mut inputs: Vec<Term> = all.flat_map(|term| terms.variables_in(term)).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|variable| !self.is_data(*variable));
        inputs
    }
}

impl Edge {
    fn bare(thread: ThreadId, target: Target) -> Edge {
        let steps = vec![(thread, Choice::Number(0))];
        Edge {
            steps,
            guard: Vec::new(),
            assignments: Vec::new(),
            inputs: Vec::new(),
            replayable: Vec::new(),
            target,
        }
    }

    /// The same where a condition holds besides.
    pub fn under(&self, condition: Term) -> Edge {
        let mut edge = self.clone();
        edge.guard.push(condition);
        edge
    }

    /// Whether it is another one, maybe where a condition holds besides.
    pub fn is_part_of(&self, whole: &Edge) -> bool {
        self.guard.starts_with(&whole.guard)
            && self.assignments == whole.assignments
            && self.steps == whole.steps
            && self.place() == whole.place()
    }

    /// The location that it leads to.
    pub fn place(&self) -> Option<LocationId> {
        match self.target {
            Target::Location(to) => Some(to),
            _ => None,
        }
    }

    /// An edge that is always possible, and says of a state that it has a fault.
    pub fn to_fault(fault: Fault) -> Edge {
        Edge { steps: Vec::new(), ..Edge::bare(ThreadId(0), Target::Fault(Box::new(fault))) }
    }
}

impl From<Meeting> for Edge {
    fn from(Meeting { condition, fault }: Meeting) -> Edge {
        Edge::to_fault(fault).under(condition)
    }
}

/// Whether a step touches what no static analysis tells of its instruction.
fn is_special(footprint: &Footprint) -> bool {
    let special = |thing| matches!(thing, machine::Thing::Everything | machine::Thing::Addresses);
    footprint.touched.iter().any(|touched| special(touched.thing))
}
