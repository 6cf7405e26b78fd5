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
    known: FxHashMap<Vec<u8>, Rc<Known>>,
    steps: FxHashMap<(usize, ThreadId), Rc<Steps>>,
    /// How far a step goes.
    grain: Grain,
    /// The variables that stand for data.
    data: FxHashSet<Term>,
    /// Which data they stand for.
    data_of: FxHashMap<Term, Datum>,
}

impl<'m> Graph<'m> {
    /// The vertices of a proof, none of which has a location yet.
    pub fn new(machine: &'m Machine, proof: &Proof, grain: Grain) -> Graph<'m> {
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
        let known = self.intern(location);
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
        let mut steps = Steps { ways: Vec::new(), is_special: false, may_end: false, touched: Vec::new() };
        match self.locations.choices(&known.location, thread) {
            Ok(choices) => {
                for choice in 0..choices {
                    let ways =
                        self.locations.step(terms, &mut *guide, &known.location, thread, choice, self.grain);
                    for way in ways {
                        let special = is_special(&way.footprint);
                        if self.grain == Grain::Instruction {
                            steps.touched.extend(&way.footprint.touched);
                        }
                        let way = self.way(terms, way);
                        steps.may_end |= matches!(way.end, WayEnd::End | WayEnd::Infeasible);
                        // The end of the process is part of no execution with a fault.
                        steps.is_special |= special && !matches!(way.end, WayEnd::End);
                        steps.ways.push(way);
                    }
                }
            }
            Err(needs) => {
                let end = WayEnd::Forbidden(format!("{} is not followed", needs.origin));
                let (guard, assignments, inputs) = Default::default();
                steps.ways.push(Way { guard, assignments, inputs, end });
            }
        }
        let steps = Rc::new(steps);
        self.steps.insert((known.number, thread), Rc::clone(&steps));
        steps
    }

    fn way(&mut self, terms: &mut Terms, way: Transition) -> Way {
        let assignments = self.assigned(terms, way.assignments);
        let must_not =
            |fault: &&Fault| self.machine.asks(&fault.kind) || self.machine.leaves_open(&fault.kind);
        let end = match (way.faults.iter().find(must_not), way.end) {
            (Some(fault), _) => WayEnd::Forbidden(format!("{} at {}", fault.kind.name(), fault.at)),
            (None, Some(End::Unsupported(what))) => {
                WayEnd::Forbidden(format!("{what}, which is not supported"))
            }
            (None, Some(End::Infeasible)) => WayEnd::Infeasible,
            (None, Some(_)) => WayEnd::End,
            (None, None) => {
                let name = name(&way.target, self.machine, terms);
                WayEnd::Location(self.intern(way.target), name)
            }
        };
        let all = way.guard.iter().copied().chain(assignments.iter().map(|(_, value)| *value));
        let mut inputs: Vec<Term> = all.flat_map(|term| terms.variables_in(term)).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|variable| !self.data.contains(variable));
        Way { guard: way.guard, assignments, inputs, end }
    }

    fn assigned(&mut self, terms: &mut Terms, data: Vec<(Datum, Term)>) -> Vec<(Term, Term)> {
        let assigned = data.into_iter().map(|(datum, number)| {
            let width = terms.width(number);
            (self.variable(terms, datum, width), number)
        });
        assigned.collect()
    }

    fn intern(&mut self, location: Location) -> Rc<Known> {
        let number = self.known.len();
        let form = location.form(self.machine);
        Rc::clone(self.known.entry(form).or_insert_with(|| Rc::new(Known { location, number })))
    }
}

fn is_special(footprint: &Footprint) -> bool {
    footprint.touched.iter().any(|touched| matches!(touched.thing, Thing::Everything | Thing::Addresses))
}
