//! The product of a program with a scheduler: at each vertex one thread moves.
//!
//! Steps are single instructions, so that events are seen wherever they are. What must not
//! happen under a schedule is a step to a fault: that the thread whose turn it is cannot
//! move, and that an assumption within an atomic section does not hold: no native
//! thread could wait until it does.

use std::collections::BTreeSet;
use std::rc::Rc;

use certify::{Extents, Touches};
use engine::Task;
use logic::{Term, Terms};
use machine::{Fault, FaultKind, Machine, State, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::SiteId;
use symbolic::Guide;

use crate::facts::{self, Way};
use crate::precision::Seen;
use crate::product::{Move, Product, Unfinished, Vertex, VertexId};
use crate::prover::Prover;
use crate::reduce::Kind;
use crate::schedule::scheduler::{Decision, Memory, Scheduler, Turn};
use crate::system::{Edge, LocationId, System, Target};

/// What is known of a vertex besides.
pub struct Scheduled {
    memory: Memory,
    /// Who moves.
    pub turn: Turn,
    /// Whether the process may end with the step.
    pub may_end: bool,
}

/// A product, and who moves at its vertices.
#[derive(Default)]
pub struct Built {
    /// The product.
    pub product: Product,
    /// By vertex.
    pub scheduled: Vec<Scheduled>,
    /// How many threads there are at most.
    pub threads: usize,
    /// What all steps touch.
    pub touches: Touches,
    /// What they touch by events.
    pub extents: Extents<Decision>,
    /// The sites of events at which threads stand when the process ends, or an assumption fails.
    pub held: BTreeSet<SiteId>,
}

/// Builds a product.
pub struct Builder<'a, 'm> {
    /// The task.
    pub task: &'a Task<'a>,
    /// The locations.
    pub system: &'a mut System<'m>,
    /// Who moves.
    pub scheduler: &'a mut Scheduler<'m>,
    /// The terms.
    pub terms: &'a mut Terms,
    /// Who says which decisions are possible.
    pub guide: &'a mut dyn Guide,
    /// Who says which steps are possible where facts hold.
    pub prover: &'a mut Prover,
    /// With more vertices than this there had better be no choices.
    pub many: usize,
    /// The most vertices.
    pub most: usize,
    /// The vertices so far.
    pub built: Built,
    index: FxHashMap<(LocationId, Memory), VertexId>,
    /// What was seen where the scheduler remembers the same: only there numbers that differ
    /// are to be data.
    seen: FxHashMap<Memory, Seen>,
    work: Vec<VertexId>,
}

/// A fault that says that the schedule does not work, and not what is wrong with the program.
pub fn obstacle(machine: &Machine, state: &State, thread: ThreadId) -> Fault {
    let at = machine.position(state, thread);
    Fault { kind: FaultKind::Deadlock { waits: Vec::new() }, thread, at, calls: Vec::new() }
}

/// Whether a fault is such.
pub fn is_obstacle(fault: &Fault) -> bool {
    matches!(&fault.kind, FaultKind::Deadlock { waits } if waits.is_empty())
}

impl<'a, 'm> Builder<'a, 'm> {
    /// A builder that has not begun.
    pub fn new(
        task: &'a Task<'a>,
        (system, scheduler): (&'a mut System<'m>, &'a mut Scheduler<'m>),
        (terms, guide, prover): (&'a mut Terms, &'a mut dyn Guide, &'a mut Prover),
        (many, most): (usize, usize),
    ) -> Builder<'a, 'm> {
        let (built, index, seen, work) = Default::default();
        system.learns = false;
        Builder { task, system, scheduler, terms, guide, prover, many, most, built, index, seen, work }
    }

    /// The product from a location, where these conditions hold.
    pub fn build(mut self, root: LocationId, initial: &[Term]) -> Result<Built, Unfinished> {
        let memory = self.scheduler.memory();
        self.enter((root, memory), Way::begin(initial.to_vec()))?;
        while let Some(vertex) = self.work.pop() {
            if let Some(exceeded) = self.task.budget.exceeded() {
                return Err(Unfinished::Exceeded(exceeded));
            }
            self.expand(vertex)?;
            if self.system.is_too_coarse {
                return Err(Unfinished::TooCoarse);
            }
            let size = self.built.product.vertices.len();
            if size > self.many && self.system.has_choices {
                return Err(Unfinished::ManyChoices);
            }
            if size > self.most || self.scheduler.unsupported.is_some() {
                return Err(Unfinished::TooLarge);
            }
        }
        Ok(self.built)
    }

    /// Comes to a location. A vertex that is new, or that has other facts by this, is to be
    /// expanded.
    fn enter(&mut self, key: (LocationId, Memory), way: Way<'_>) -> Result<VertexId, Unfinished> {
        let next = self.built.product.vertices.len() as VertexId;
        let id = *self.index.entry(key.clone()).or_insert(next);
        if id == next {
            self.built.threads = self.built.threads.max(self.system.state(key.0).thread_ids().len());
            self.add(key, id, way.facts);
            self.work.push(id);
            return Ok(id);
        }
        let known = &mut self.built.product.vertices[id as usize].facts;
        let common = facts::common(known, &way, (self.terms, self.prover))?;
        if common != *known {
            *known = common;
            self.work.push(id);
        }
        Ok(id)
    }

    fn add(&mut self, (location, memory): (LocationId, Memory), number: VertexId, facts: Vec<Term>) {
        let machine = self.system.machine();
        let seen = self.seen.entry(memory.clone()).or_default();
        let state = self.system.state(location).clone();
        self.system.is_too_coarse |= self.system.precision.learn(machine, &state, seen);
        let state = &state;
        let turn = self.scheduler.turn(state, &memory);
        let enabled = state.thread_ids().filter(|thread| machine.goes_on(state, *thread)).collect();
        if self.scheduler.is_left(state) {
            self.built.held.extend(self.scheduler.held(state));
        }
        let keeper = machine.keeper(state);
        let movers = match turn {
            Turn::Runs(thread) => vec![thread],
            Turn::Event(ref threads, _) => threads.clone(),
            Turn::Stuck(..) => Vec::new(),
        };
        let (moves, kind) = (Rc::new([]), Kind::Scheduled);
        self.built.product.vertices.push(Vertex {
            number,
            location,
            moves,
            facts,
            kind,
            condition: Vec::new(),
            keeper,
            enabled,
            movers,
        });
        self.built.scheduled.push(Scheduled { memory, turn, may_end: false });
    }

    /// Adds the moves of a vertex.
    fn expand(&mut self, vertex: VertexId) -> Result<(), Unfinished> {
        let Vertex { location, movers, facts, .. } = self.built.product.vertices[vertex as usize].clone();
        let (machine, mut moves) = (self.system.machine(), Vec::new());
        let fault = self.system.deadlock(location).cloned();
        let stuck = movers.is_empty().then(|| obstacle(machine, self.system.state(location), ThreadId(0)));
        if let Some(fault) = fault.or(stuck) {
            moves.push(Move { edge: Rc::new(Edge::to_fault(fault)), to: None });
        }
        for thread in movers {
            let steps = self.system.steps(self.terms, self.guide, location, thread);
            let Scheduled { memory, turn, .. } = &self.built.scheduled[vertex as usize];
            let touching =
                self.scheduler.touching(self.system.state(location), memory, thread, &steps.touched);
            self.built.touches.note(machine, &touching);
            if let Some(event) = memory.event(turn, thread) {
                self.built.extents.note(machine, &touching, event);
            }
            for edge in steps.edges.iter() {
                if facts::possible(&facts, edge, (self.terms, self.prover))? {
                    moves.extend(self.step(vertex, (location, &facts), (thread, edge))?);
                }
            }
        }
        self.built.product.vertices[vertex as usize].moves = moves.into();
        Ok(())
    }

    /// One way that a step can go.
    fn step(
        &mut self,
        vertex: VertexId,
        (location, facts): (LocationId, &[Term]),
        (thread, edge): (ThreadId, &Rc<Edge>),
    ) -> Result<Option<Move>, Unfinished> {
        let state = self.system.state(location);
        match edge.target {
            Target::Location(target) => {
                let Scheduled { memory, turn, .. } = &self.built.scheduled[vertex as usize];
                let states = (state, self.system.state(target));
                for place in self.scheduler.awaited(states.1) {
                    self.built.touches.waits(self.system.machine(), states.1, place);
                    let event = memory.event(turn, thread);
                    event.into_iter().for_each(|event| self.built.extents.hold(event));
                }
                let memory = self.scheduler.after(memory, turn, states, thread);
                let variables: FxHashSet<Term> =
                    self.system.data_at(self.terms, target).into_iter().collect();
                let way = Way::by(edge, facts, &variables, self.terms);
                let to = Some(self.enter((target, memory), way)?);
                Ok(Some(Move { edge: Rc::clone(edge), to }))
            }
            Target::End => {
                self.built.scheduled[vertex as usize].may_end = true;
                Ok(None)
            }
            Target::Infeasible if self.system.machine().is_in_section(state, thread) => {
                let fault = obstacle(self.system.machine(), state, thread);
                let edge = Edge { target: Target::Fault(Box::new(fault)), ..Edge::clone(edge) };
                Ok(Some(Move { edge: Rc::new(edge), to: None }))
            }
            Target::Infeasible => {
                self.built.held.extend(self.scheduler.held(state));
                Ok(None)
            }
            Target::Fault(_) | Target::Unknown(_) => Ok(Some(Move { edge: Rc::clone(edge), to: None })),
        }
    }
}
