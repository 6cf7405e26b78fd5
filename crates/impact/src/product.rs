//! The reduced product: the locations that are explored, and the steps between them.
//!
//! A vertex is a location and whose turn it is. Its moves are those of the threads
//! that [`Reduction`] chooses, so that the product is a program in its own right: it
//! has one execution at least for every class of faulty executions that differ in the
//! order of independent steps. What is proven of the product is proven of the program.
//! Data are not looked at here, but by the proof.

use std::rc::Rc;

use engine::{Exceeded, Task};
use logic::{Share, Term, Terms};
use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::Guide;

use crate::commuting::{Commuting, Ways};
use crate::facts::{self, Way};
use crate::prover::{NoAnswer, Prover};
use crate::reduce::{Kind, Reduction};
use crate::system::{Edge, LocationId, System, Target};

/// The number of a vertex.
pub type VertexId = u32;

/// A step, and the vertex that it leads to, if it does.
#[derive(Clone, Debug)]
pub struct Move {
    /// The step.
    pub edge: Rc<Edge>,
    /// Where it leads.
    pub to: Option<VertexId>,
}

/// A location and whose turn it is.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its number when it was made, before vertices were passed over.
    pub number: VertexId,
    /// The location.
    pub location: LocationId,
    /// The steps from it.
    pub moves: Rc<[Move]>,
    /// What holds of data here ([`crate::facts`]).
    pub facts: Vec<Term>,
    /// Why the threads that move are enough.
    pub kind: Kind,
    /// Where this holds, only the first of them moves, if there is such a condition.
    pub condition: Vec<Term>,
    /// The thread that keeps all others out, being in an atomic section.
    pub keeper: Option<ThreadId>,
    /// The threads that can move.
    pub enabled: Vec<ThreadId>,
    /// Those that do.
    pub movers: Vec<ThreadId>,
}

/// The reduced product.
#[derive(Default)]
pub struct Product {
    /// The vertices; the first is where the program starts.
    pub vertices: Vec<Vertex>,
    /// Whether threads have other numbers after a step ([`crate::alike`]).
    pub is_sorted: bool,
    index: FxHashMap<(LocationId, ThreadId), VertexId>,
}

/// Why a product was not built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// Numbers were found that should be data.
    TooCoarse,
    /// There are too many vertices.
    TooLarge,
    /// There are many vertices, and steps that choose one of a few values.
    ManyChoices,
    /// A limit was reached.
    Exceeded(Exceeded),
    /// Threads that seemed to be alike differ by their numbers.
    NotAlike,
    /// There is not enough time for now.
    Late,
    /// The solver failed.
    NoAnswer,
}

/// Builds a product.
pub struct Builder<'a, 'm> {
    /// The task.
    pub task: &'a Task<'a>,
    /// The locations.
    pub system: &'a mut System<'m>,
    /// Which threads move.
    pub reduction: &'a mut Reduction<'m>,
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
    /// When this is spent it is given up for now.
    pub share: Share,
    /// The ways of whole steps ([`crate::commuting`]).
    pub ways: Ways,
}

impl Builder<'_, '_> {
    /// The product from a location, where these conditions hold.
    pub fn build(&mut self, root: LocationId, initial: &[Term]) -> Result<Product, Unfinished> {
        let mut product = Product { is_sorted: self.system.sorts, ..Product::default() };
        let mut work = Vec::new();
        let way = Way::begin(initial.to_vec());
        self.enter(&mut product, (root, ThreadId(0)), way, &mut work)?;
        loop {
            while let Some(vertex) = work.pop() {
                if let Some(exceeded) = self.task.budget.exceeded() {
                    return Err(Unfinished::Exceeded(exceeded));
                }
                if self.share.is_spent() {
                    return Err(Unfinished::Late);
                }
                self.expand(&mut product, vertex, &mut work)?;
                if self.system.is_too_coarse {
                    return Err(Unfinished::TooCoarse);
                }
                if product.vertices.len() > self.many && self.system.has_choices {
                    return Err(Unfinished::ManyChoices);
                }
                if product.vertices.len() > self.most {
                    return Err(Unfinished::TooLarge);
                }
            }
            match product.left_out() {
                Some(vertex) => {
                    let Vertex { kind, movers, enabled, .. } = &mut product.vertices[vertex as usize];
                    (*kind, *movers) = (Kind::All, enabled.clone());
                    work.push(vertex);
                }
                // What holds at the beginning is taken to hold at the first vertex.
                None => {
                    let steps = product.vertices.iter().flat_map(|vertex| vertex.moves.iter());
                    assert!(
                        steps.into_iter().all(|step| step.to != Some(0)),
                        "no step leads to the beginning"
                    );
                    return Ok(product);
                }
            }
        }
    }

    /// Comes to a location. A vertex that is new, or that has other facts by this, is to be
    /// expanded.
    fn enter(
        &mut self,
        product: &mut Product,
        (location, turn): (LocationId, ThreadId),
        way: Way<'_>,
        work: &mut Vec<VertexId>,
    ) -> Result<VertexId, Unfinished> {
        let next = product.vertices.len() as VertexId;
        let id = *product.index.entry((location, turn)).or_insert(next);
        if id == next {
            let facts = way.facts;
            let (movers, kind, condition) = self.movers((location, turn), &facts)?;
            let enabled = self.system.machine().runnable(self.system.state(location)).to_vec();
            let keeper = self.system.machine().keeper(self.system.state(location));
            let moves = Rc::new([]);
            let number = id;
            let vertex = Vertex { number, location, moves, facts, kind, condition, keeper, enabled, movers };
            product.vertices.push(vertex);
            work.push(id);
            return Ok(id);
        }
        let known = &mut product.vertices[id as usize].facts;
        let common = facts::common(known, &way, (self.terms, self.prover))?;
        if common != *known {
            *known = common.clone();
            work.push(id);
            if product.vertices[id as usize].kind == Kind::Commuting {
                let (movers, kind, condition) = self.movers((location, turn), &common)?;
                let vertex = &mut product.vertices[id as usize];
                (vertex.movers, vertex.kind, vertex.condition) = (movers, kind, condition);
            }
        }
        Ok(id)
    }

    /// The threads that move from a location, and why these are enough.
    fn movers(
        &mut self,
        (location, turn): (LocationId, ThreadId),
        facts: &[Term],
    ) -> Result<(Vec<ThreadId>, Kind, Vec<Term>), Unfinished> {
        let Builder { system, reduction, terms, guide, prover, ways, .. } = self;
        let enabled = reduction.preferred(system.machine(), system.state(location), turn);
        if enabled.len() == 1 {
            return Ok((enabled, Kind::All, Vec::new()));
        }
        let all = reduction.threads(system.machine(), system.state(location));
        for thread in &enabled {
            let enough = reduction.enough(system, (terms, *guide), location, *thread, (&all, &enabled));
            if let Some((group, kind)) = enough {
                return Ok((group, kind, Vec::new()));
            }
            // Where threads get other numbers, none can be followed through the steps of others.
            if system.sorts || !reduction.is_needed(system, location, *thread, &all) {
                continue;
            }
            let mut commuting = Commuting { system, reduction, terms, guide: *guide, prover, ways };
            let Some(condition) = commuting.condition(location, *thread, facts)? else { continue };
            let others = enabled.iter().filter(|other| *other != thread && !condition.is_empty());
            let movers = [thread].into_iter().chain(others).copied().collect();
            return Ok((movers, Kind::Commuting, condition));
        }
        Ok((enabled, Kind::All, Vec::new()))
    }

    /// Adds the moves of a vertex.
    fn expand(
        &mut self,
        product: &mut Product,
        vertex: VertexId,
        work: &mut Vec<VertexId>,
    ) -> Result<(), Unfinished> {
        let Vertex { location, movers, facts, kind, condition, .. } =
            product.vertices[vertex as usize].clone();
        let fails = self.terms.not_all(&condition);
        let mut moves = Vec::new();
        if let Some(fault) = self.system.deadlock(location) {
            let edge = Rc::new(Edge::to_fault(fault.clone()));
            moves.push(Move { edge, to: None });
        }
        for thread in movers.iter().copied() {
            let steps = self.system.steps(self.terms, self.guide, location, thread);
            for edge in steps.edges.iter() {
                let is_later = kind == Kind::Commuting && thread != movers[0];
                let edge = &if is_later { Rc::new(edge.under(fails)) } else { Rc::clone(edge) };
                if !facts::possible(&facts, edge, (self.terms, self.prover))? {
                    continue;
                }
                let to = match edge.target {
                    Target::Location(target) => {
                        let turn = self.reduction.next_turn(self.system, (location, target), thread);
                        let variables: FxHashSet<Term> =
                            self.system.data_at(self.terms, target).into_iter().collect();
                        let way = Way::by(edge, &facts, &variables, self.terms);
                        Some(self.enter(product, (target, turn), way, work)?)
                    }
                    Target::End | Target::Infeasible => continue,
                    Target::Fault(_) | Target::Unknown(_) => None,
                };
                moves.push(Move { edge: Rc::clone(edge), to });
            }
        }
        product.vertices[vertex as usize].moves = moves.into();
        Ok(())
    }
}

impl From<NoAnswer> for Unfinished {
    fn from(no_answer: NoAnswer) -> Unfinished {
        match no_answer {
            NoAnswer::Hard | NoAnswer::Input => Unfinished::Late,
            NoAnswer::Failed(_) => Unfinished::NoAnswer,
        }
    }
}

impl Product {
    /// A vertex at which all threads must move, since it lies on a cycle on which
    /// one that could move is put off for ever.
    fn left_out(&self) -> Option<VertexId> {
        if self.is_sorted {
            return self.cycle_of_waiting();
        }
        let threads = self.vertices.iter().flat_map(|vertex| &vertex.enabled).max()?.0;
        (0..=threads).find_map(|thread| self.cycle_without(ThreadId(thread)))
    }

    /// A vertex that puts off some thread, and that lies on a cycle of vertices at which some thread
    /// is put off or kept out, be it the same one or another.
    fn cycle_of_waiting(&self) -> Option<VertexId> {
        let puts_off =
            |vertex: &Vertex| vertex.kind == Kind::Fair && vertex.movers.len() < vertex.enabled.len();
        let waits = |vertex: &Vertex| puts_off(vertex) || vertex.keeper.is_some();
        self.first_on_cycle(waits, puts_off)
    }

    /// The first vertex of a kind that lies on a cycle of vertices of another one.
    fn first_on_cycle(
        &self,
        of_cycle: impl Fn(&Vertex) -> bool,
        wanted: impl Fn(&Vertex) -> bool,
    ) -> Option<VertexId> {
        let inside: Vec<bool> = self.vertices.iter().map(of_cycle).collect();
        let on_cycle = self.on_cycles(&inside);
        let found = self.vertices.iter().zip(on_cycle).position(|(vertex, on)| on && wanted(vertex));
        found.map(|vertex| vertex as VertexId)
    }

    /// A vertex that puts off a thread, which is not needed there for a failure, and that
    /// lies on a cycle on which the thread is put off or kept out by atomic sections.
    fn cycle_without(&self, thread: ThreadId) -> Option<VertexId> {
        let puts_off = |vertex: &Vertex| {
            let waits = vertex.enabled.contains(&thread) && !vertex.movers.contains(&thread);
            vertex.kind == Kind::Fair && waits
        };
        let kept_out = |vertex: &Vertex| vertex.keeper.is_some_and(|keeper| keeper != thread);
        self.first_on_cycle(|vertex| puts_off(vertex) || kept_out(vertex), puts_off)
    }

    /// Which vertices lie on a cycle of such vertices: those whose strongly connected
    /// component has a step within (Kosaraju's algorithm).
    pub fn on_cycles(&self, inside: &[bool]) -> Vec<bool> {
        let component = self.components(inside);
        let within = |vertex: usize| {
            let mut after = self.vertices[vertex].moves.iter().filter_map(|step| step.to);
            after.any(|to| component[to as usize] == component[vertex])
        };
        (0..inside.len()).map(|vertex| inside[vertex] && within(vertex)).collect()
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.vertices.iter().map(|vertex| vertex.moves.len()).sum()
    }

    /// The conditions of all steps.
    pub fn guards(&self) -> impl Iterator<Item = Term> {
        let moves = self.vertices.iter().flat_map(|vertex| vertex.moves.iter());
        moves.flat_map(|step| step.edge.guard.iter().copied())
    }

    /// The variables that some step on a cycle assigns.
    pub fn changed_on_cycles(&self) -> FxHashSet<Term> {
        let component = self.components(&vec![true; self.vertices.len()]);
        let mut changed = FxHashSet::default();
        for (from, vertex) in self.vertices.iter().enumerate() {
            let is_within =
                |step: &&Move| step.to.is_some_and(|to| component[to as usize] == component[from]);
            for step in vertex.moves.iter().filter(is_within) {
                changed.extend(step.edge.assignments.iter().map(|(variable, _)| *variable));
            }
        }
        changed
    }

    /// For each of these vertices, one that stands for all that it is on cycles with.
    fn components(&self, inside: &[bool]) -> Vec<usize> {
        let mut before = vec![Vec::new(); inside.len()];
        for (from, vertex) in self.vertices.iter().enumerate().filter(|(from, _)| inside[*from]) {
            for to in vertex.moves.iter().filter_map(|step| step.to) {
                before[to as usize].push(from);
            }
        }
        let mut component = vec![usize::MAX; inside.len()];
        for start in self.finished(inside).into_iter().rev() {
            let mut work = vec![start];
            while let Some(vertex) = work.pop() {
                if inside[vertex] && component[vertex] == usize::MAX {
                    component[vertex] = start;
                    work.extend(&before[vertex]);
                }
            }
        }
        component
    }

    /// Such vertices in the order in which a depth-first search leaves them.
    fn finished(&self, inside: &[bool]) -> Vec<usize> {
        let (mut order, mut seen) = (Vec::new(), vec![false; inside.len()]);
        for start in 0..inside.len() {
            if !inside[start] || std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut stack = vec![(start, 0)];
            while let Some((at, next)) = stack.last_mut() {
                let Some(step) = self.vertices[*at].moves.get(*next) else {
                    order.push(*at);
                    stack.pop();
                    continue;
                };
                *next += 1;
                if let Some(to) = step.to.map(|to| to as usize)
                    && inside[to]
                    && !std::mem::replace(&mut seen[to], true)
                {
                    stack.push((to, 0));
                }
            }
        }
        order
    }

    /// Whether there is a cycle.
    pub fn has_cycle(&self) -> bool {
        self.on_cycles(&vec![true; self.vertices.len()]).contains(&true)
    }

    /// Whether there is a cycle on which more than one thread can move.
    pub fn has_shared_cycle(&self) -> bool {
        let on_cycle = self.on_cycles(&vec![true; self.vertices.len()]);
        self.vertices.iter().zip(on_cycle).any(|(vertex, on)| on && vertex.enabled.len() > 1)
    }

    /// The vertices in an order in which each comes before those after it, but for
    /// steps that lead back.
    pub fn topological(&self) -> Vec<VertexId> {
        let mut order = self.finished(&vec![true; self.vertices.len()]);
        order.reverse();
        order.into_iter().map(|vertex| vertex as VertexId).collect()
    }
}
