//! The vertices of a proof with their locations, and the steps from there.
//!
//! A vertex gets its location when a step first leads to it; every other step that is
//! said to lead there must lead to the same location.

use std::rc::Rc;

use logic::{Term, Terms};
use machine::{
    Datum, End, Fault, Footprint, Grain, Holder, Machine, Property, State, Thing, ThreadId, Touched,
};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::{Guide, Location, Locations, Transition};

use crate::location::name;
use crate::proof::Proof;
use crate::races::{Next, Races, is_at_section};

/// The number of a vertex.
pub type VertexId = u32;

/// One way a step can go.
pub struct Way {
    /// When it goes this way.
    pub guard: Vec<Term>,
    /// The variables that change, each with its new value.
    pub assignments: Vec<(Term, Term)>,
    /// The variables that stand for inputs.
    pub inputs: Vec<Term>,
    /// Where it leads.
    pub end: WayEnd,
}

/// Where a way leads.
pub enum WayEnd {
    /// To a location, which has this name.
    Location(Rc<Known>, String),
    /// To the end of the execution in good order.
    End,
    /// To the end of one that is not considered, since an assumption does not hold.
    Infeasible,
    /// To something that must not happen.
    Forbidden(String),
}

/// The steps of a thread from a location.
#[derive(Default)]
pub struct Steps {
    /// All the ways they can go.
    pub ways: Vec<Way>,
    /// Whether it touches what no analysis of its instruction tells.
    pub is_special: bool,
    /// Whether it may end the execution.
    pub may_end: bool,
    /// What it touches, if steps are single instructions.
    pub touched: Vec<Touched>,
}

/// A location.
pub struct Known {
    location: Location,
    /// Where races are looked for, the threads that have announced their next access, ascending.
    announced: Vec<ThreadId>,
    /// Its number: equal locations have equal ones.
    pub number: usize,
}

impl Known {
    /// The state that stands for all with other data.
    pub fn state(&self) -> &State {
        self.location.state()
    }
}

/// The vertices with their locations.
pub struct Graph<'m> {
    machine: &'m Machine,
    locations: Locations<'m>,
    /// The location of each vertex, once a step has led there.
    places: Vec<Option<Rc<Known>>>,
    known: FxHashMap<(Vec<u8>, Vec<ThreadId>), Rc<Known>>,
    steps: FxHashMap<(usize, ThreadId), Rc<Steps>>,
    /// How far a step goes.
    grain: Grain,
    /// The variables that stand for data.
    data: FxHashSet<Term>,
    /// Which data they stand for.
    data_of: FxHashMap<Term, Datum>,
    /// The accesses that may race, if races are looked for.
    races: Option<Rc<Races>>,
    /// Whether the threads of locations are sorted.
    sorts: bool,
}

impl<'m> Graph<'m> {
    /// The vertices of a proof, none of which has a location yet. These accesses may race, if races
    /// are looked for.
    pub fn new(machine: &'m Machine, proof: &Proof, grain: Grain, races: Option<Rc<Races>>) -> Graph<'m> {
        let holders = proof.data.iter().copied().collect::<std::collections::BTreeSet<Holder>>();
        let places = move |machine: &Machine, state: &State| {
            machine.instances(state, &holders).into_iter().map(|(_, datum)| datum).collect()
        };
        let locations = Locations::of(machine, places).with_open_objects().with_dead_cells();
        Graph {
            machine,
            locations: if proof.all_inputs { locations.with_all_inputs() } else { locations },
            places: vec![None; proof.vertices.len()],
            known: FxHashMap::default(),
            steps: FxHashMap::default(),
            grain,
            data: FxHashSet::default(),
            data_of: FxHashMap::default(),
            races,
            sorts: proof.sorted,
        }
    }

    /// The machine.
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// The variable for a place.
    pub fn variable(&mut self, terms: &mut Terms, datum: Datum, width: u8) -> Term {
        let variable = self.locations.variable(terms, datum, width);
        self.data.insert(variable);
        self.data_of.insert(variable, datum);
        variable
    }

    /// The variables that stand for data.
    pub fn data(&self) -> &FxHashSet<Term> {
        &self.data
    }

    /// The variables at a location that some thread may still read.
    pub fn variables(&self, terms: &Terms, known: &Known) -> Vec<Term> {
        let mut found = known.location.variables(self.machine, terms);
        let dead = self.locations.dead(known.state());
        found.retain(|variable| self.data_of.get(variable).is_none_or(|datum| !dead.contains(datum)));
        found
    }

    /// Gives the first vertex its location. Yields what holds there of data.
    pub fn begin(&mut self, terms: &mut Terms) -> Vec<Term> {
        let (location, data) = self.locations.split(terms, self.machine.initial());
        let known = self.intern(location, Vec::new());
        if let Some(first) = self.places.first_mut() {
            *first = Some(known);
        }
        let assigned = self.assigned(terms, data);
        assigned.into_iter().map(|(variable, number)| terms.eq(variable, number)).collect()
    }

    /// The location of a vertex that a step has led to.
    pub fn place(&self, vertex: VertexId) -> Option<Rc<Known>> {
        self.places[vertex as usize].clone()
    }

    /// Says that a step leads to a vertex. Yields whether that can be: whether it has
    /// this location.
    pub fn enter(&mut self, vertex: VertexId, known: &Rc<Known>) -> bool {
        let place = self.places[vertex as usize].get_or_insert_with(|| Rc::clone(known));
        place.number == known.number
    }

    /// The deadlock at a location, if that is looked for.
    pub fn deadlock(&self, known: &Known) -> Option<Fault> {
        let asked = self.machine.config().properties.has(Property::Deadlock);
        asked.then(|| self.machine.deadlock(known.state())).flatten()
    }

    /// The steps of a thread that can move.
    pub fn steps(
        &mut self,
        (terms, guide): (&mut Terms, &mut dyn Guide),
        known: &Known,
        thread: ThreadId,
    ) -> Rc<Steps> {
        if let Some(steps) = self.steps.get(&(known.number, thread)) {
            return Rc::clone(steps);
        }
        let mut steps = Steps::default();
        let races = self.races.clone();
        let (program, announced) = ((self.machine, known.state()), &known.announced);
        match races.map_or(Next::Step, |races| races.next(terms, program, thread, announced)) {
            Next::Step => self.execute((terms, guide), known, thread, &mut steps),
            Next::Lost(what) => {
                steps.ways.push(Way::forbidden(Vec::new(), format!("{what} is not followed")))
            }
            Next::Access { is_announced, conflicts } => {
                match is_announced {
                    true => steps.ways.push(self.announcement(terms, known, thread)),
                    false => self.execute((terms, guide), known, thread, &mut steps),
                }
                let apart: Vec<Term> = conflicts.iter().map(|(conflict, _)| terms.not(*conflict)).collect();
                steps.ways.iter_mut().for_each(|way| way.guard.extend(&apart));
                steps.ways.extend(conflicts.into_iter().map(|(conflict, place)| {
                    Way::forbidden(vec![conflict], format!("a race with the access at {place}"))
                }));
            }
        }
        let steps = Rc::new(steps);
        self.steps.insert((known.number, thread), Rc::clone(&steps));
        steps
    }

    /// The step in which a thread announces its next access.
    fn announcement(&mut self, terms: &Terms, known: &Known, thread: ThreadId) -> Way {
        let mut announced = known.announced.clone();
        announced.push(thread);
        announced.sort_unstable();
        let name = name(&known.location, self.machine, terms);
        let end = WayEnd::Location(self.intern(known.location.clone(), announced), name);
        let (guard, assignments, inputs) = Default::default();
        Way { guard, assignments, inputs, end }
    }

    /// The ways in which a step of the machine can go.
    fn execute(
        &mut self,
        (terms, guide): (&mut Terms, &mut dyn Guide),
        known: &Known,
        thread: ThreadId,
        steps: &mut Steps,
    ) {
        let choices = match self.locations.choices(&known.location, thread) {
            Ok(choices) => choices,
            Err(needs) => {
                let what = format!("{} is not followed", needs.origin);
                return steps.ways.push(Way::forbidden(Vec::new(), what));
            }
        };
        let is_split = self.races.is_some() && is_at_section(self.machine, known.state(), thread);
        for choice in 0..choices {
            let mut follow =
                |grain| self.locations.step(terms, &mut *guide, &known.location, thread, choice, grain);
            let mut ways = follow(self.grain);
            if is_split {
                // A section is one step for those that might come first, however it is followed.
                steps.is_special |= ways.iter().any(|way| is_special(&way.footprint));
                ways = follow(Grain::Instruction);
            }
            for way in ways {
                let special = is_special(&way.footprint);
                if self.grain == Grain::Instruction {
                    steps.touched.extend(&way.footprint.touched);
                }
                let way = self.way(terms, (known, thread), way);
                steps.may_end |= matches!(way.end, WayEnd::End | WayEnd::Infeasible);
                // The end of the process is part of no execution with a fault.
                steps.is_special |= special && !matches!(way.end, WayEnd::End);
                steps.ways.push(way);
            }
        }
    }

    fn way(&mut self, terms: &mut Terms, (from, thread): (&Known, ThreadId), way: Transition) -> Way {
        let mut assignments = self.assigned(terms, way.assignments);
        let must_not =
            |fault: &&Fault| self.machine.asks(&fault.kind) || self.machine.leaves_open(&fault.kind);
        let end = match (way.faults.iter().find(must_not), way.end) {
            (Some(fault), _) => WayEnd::Forbidden(format!("{} at {}", fault.kind.name(), fault.at)),
            (None, Some(End::Unsupported(what))) => {
                WayEnd::Forbidden(format!("{what}, which is not supported"))
            }
            (None, Some(End::Infeasible)) => WayEnd::Infeasible,
            (None, Some(_)) => WayEnd::End,
            (None, None) if self.sorts && self.machine.uses_thread_numbers(way.target.state()) => {
                WayEnd::Forbidden("a step that depends on the numbers of threads".to_owned())
            }
            (None, None) if self.sorts => {
                let (location, data) = self.locations.sorted(terms, &way.target);
                assignments = self.renamed(terms, data, assignments);
                let name = name(&location, self.machine, terms);
                WayEnd::Location(self.intern(location, Vec::new()), name)
            }
            (None, None) => {
                let name = name(&way.target, self.machine, terms);
                let announced = self.still_announced(from, thread, way.target.state());
                WayEnd::Location(self.intern(way.target, announced), name)
            }
        };
        let all = way.guard.iter().copied().chain(assignments.iter().map(|(_, value)| *value));
        let mut inputs: Vec<Term> = all.flat_map(|term| terms.variables_in(term)).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|variable| !self.data.contains(variable));
        Way { guard: way.guard, assignments, inputs, end }
    }

    /// What a step assigns if these are the data of the location that it leads to, over those of that
    /// location before its threads were sorted.
    fn renamed(
        &mut self,
        terms: &mut Terms,
        data: Vec<(Datum, Term)>,
        assignments: Vec<(Term, Term)>,
    ) -> Vec<(Term, Term)> {
        let mut images: FxHashMap<Term, Term> = assignments.into_iter().collect();
        let mut renamed = self.assigned(terms, data);
        renamed.iter_mut().for_each(|(_, number)| *number = terms.substitute(*number, &mut images));
        renamed.retain(|(variable, number)| variable != number);
        renamed
    }

    /// The threads whose announcements stand after a step: an access that was made is announced no
    /// more, once all of it was made.
    fn still_announced(&self, from: &Known, thread: ThreadId, after: &State) -> Vec<ThreadId> {
        let machine = self.machine;
        let is_amid = machine.is_alive(after, thread) && machine.is_amid_instruction(after, thread);
        let mut announced = from.announced.clone();
        announced.retain(|other| *other != thread || is_amid);
        announced
    }

    fn assigned(&mut self, terms: &mut Terms, data: Vec<(Datum, Term)>) -> Vec<(Term, Term)> {
        let assigned = data.into_iter().map(|(datum, number)| {
            let width = terms.width(number);
            (self.variable(terms, datum, width), number)
        });
        assigned.collect()
    }

    fn intern(&mut self, location: Location, announced: Vec<ThreadId>) -> Rc<Known> {
        let number = self.known.len();
        let key = (location.form(self.machine), announced.clone());
        Rc::clone(self.known.entry(key).or_insert_with(|| Rc::new(Known { location, announced, number })))
    }
}

impl Way {
    fn forbidden(guard: Vec<Term>, what: String) -> Way {
        let (assignments, inputs) = Default::default();
        Way { guard, assignments, inputs, end: WayEnd::Forbidden(what) }
    }
}

fn is_special(footprint: &Footprint) -> bool {
    footprint.touched.iter().any(|touched| matches!(touched.thing, Thing::Everything | Thing::Addresses))
}
