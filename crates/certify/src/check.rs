//! The check of a proof.
//!
//! Definitions 3.2 and 4.5 of Wachter, Kroening and Ouaknine, for a tree over a reduced
//! product: it is *well-labelled* (what holds at the beginning implies the root's label;
//! a label and a path to a next node imply that one's label; the label of a covered node
//! implies that of the one which covers it), *safe* (no label allows a step that must not
//! be taken) and *complete* (every step of every mover is followed by an edge, or is
//! impossible under the label; threads that do not move need not).
//!
//! Locations and steps are computed here anew from the program. The proof says which
//! vertex a step leads to, who moves there, and what holds there.

mod monotonic;
mod questions;
mod shape;
mod vertices;

use std::collections::BTreeSet;
use std::rc::Rc;

use logic::{Limits, Solver, SolverError, SolverKind, Term, Terms};
use machine::{Grain, Machine, Properties, Property, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Native, Schedule, SiteId};
use symbolic::Questions;

use crate::certificate::{Certificate, program_hash};
use crate::coarser::{self, Runs};
use crate::condition::read;
use crate::ending::{Endings, Piece};
use crate::fairness::Turns;
use crate::graph::{Graph, Known, VertexId, Way, WayEnd};
use crate::path::Path;
use crate::permitted::Permitted;
use crate::proof::{Edge, Interleavings, Node, Proof, Reason, Vertex};
use crate::races::Races;
use crate::reduction::Reduction;
use crate::rejection::Rejection;
use crate::scheduled::{ScheduleCertificate, arguments, may_fail, needs_no_schedule, restricts_nothing_else};
use questions::satisfiable;
use shape::{shape, targets};

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Nodes of the tree that executions may come to.
    pub nodes: usize,
    /// Vertices that executions pass.
    pub vertices: usize,
    /// Paths between nodes.
    pub paths: u64,
    /// Questions to the solver.
    pub questions: u64,
    /// The solver.
    pub solver: &'static str,
}

/// Checks a certificate for the program of a machine, which has the certificate's options.
/// The outer error says that there is no solver.
pub fn check(
    machine: &Machine,
    certificate: &Certificate,
    limits: Limits,
) -> Result<Result<Checked, Rejection>, SolverError> {
    checked(machine, certificate, limits, None)
}

/// A schedule that a proof is to be one of.
struct Scheduled<'a> {
    permitted: Permitted<'a>,
    /// The operations that the native program leaves out.
    omitted: BTreeSet<SiteId>,
    /// The events of the native program.
    runs: Runs,
}

fn checked(
    machine: &Machine,
    certificate: &Certificate,
    limits: Limits,
    scheduled: Option<Scheduled<'_>>,
) -> Result<Result<Checked, Rejection>, SolverError> {
    let (permitted, native) = match scheduled {
        Some(Scheduled { permitted, omitted, runs }) => (Some(permitted), Some((omitted, runs))),
        None => (None, None),
    };
    let kind = other_solver(&certificate.proof.solver);
    let (solver, guide) = (logic::open(kind)?, logic::open(kind)?);
    let shown = identity(machine, certificate).and_then(|()| properties(machine, permitted.is_some()));
    let races = match shown.and_then(|()| races(machine, &certificate.proof)) {
        Ok(races) => races,
        Err(rejection) => return Ok(Err(rejection)),
    };
    // They are found by the steps that are followed, and not by clocks of the machine.
    let races_are_asked = machine.config().properties.has(Property::Race);
    let sorted = certificate.proof.sorted;
    if sorted && (races_are_asked || permitted.is_some()) {
        return Ok(Err(Rejection::Silent("sorted threads, where races or schedules are asked for")));
    }
    let followed = match sorted {
        true => Some(machine.with_tagged_handles()),
        false => races_are_asked.then(|| machine.without_races()),
    };
    let followed = followed.as_ref().unwrap_or(machine);
    let checked = || {
        let about = (&certificate.proof, permitted, races);
        let mut check = Check::new(followed, about, (solver, guide), limits)?;
        check.run()?;
        if let (Some(permitted), Some((omitted, runs))) = (&check.permitted, &native) {
            permitted.touches().allow(machine.program(), omitted).map_err(Rejection::Schedule)?;
            runs.keep_order(permitted.extents()).map_err(Rejection::Schedule)?;
        }
        let vertices = check.turns.turns.len();
        let nodes = check.wanted.len();
        Ok(Checked { nodes, vertices, paths: check.paths, questions: check.questions, solver: kind.name() })
    };
    Ok(checked())
}

/// Checks that a certificate shows of a schedule what it must: that what it permits is safe,
/// that some thread can always move, and that none is put off for ever. The machine has the
/// certificate's options. The outer error says that there is no solver.
pub fn check_schedule(
    machine: &Machine,
    native: &Native,
    schedule: &Schedule,
    certificate: &ScheduleCertificate,
    limits: Limits,
) -> Result<Result<Checked, Rejection>, SolverError> {
    let refused = |why: &str| Ok(Err(Rejection::Schedule(why.to_owned())));
    if !certificate.is_for(schedule) {
        return refused("it is the certificate of another schedule, or the schedule was changed");
    }
    if schedule.arguments != arguments(machine.program(), &certificate.certificate.options) {
        return refused("it is about other arguments of the program than its certificate");
    }
    if schedule.may_fail != may_fail(&certificate.certificate.options) {
        return refused("it is about other failures of the system than its certificate");
    }
    if let Err(why) = restricts_nothing_else(&certificate.certificate.options) {
        return refused(why);
    }
    // A schedule without events permits everything, if that is what is proven.
    let is_whole = |vertex: &Vertex| vertex.reason != Reason::Scheduled;
    if schedule.sites.is_empty() && certificate.certificate.proof.vertices.iter().all(is_whole) {
        if let Err(why) = needs_no_schedule(machine.program()) {
            return refused(why);
        }
        return check(machine, &certificate.certificate, limits);
    }
    let finer = certificate.finer.as_ref().unwrap_or(schedule);
    let runs = match coarser::check(finer, schedule) {
        Ok(runs) => runs,
        Err(why) => return refused(&why),
    };
    let Some(permitted) = Permitted::new(machine, native, finer) else {
        return refused("the schedule names instructions that the program has not");
    };
    let sites = schedule.omitted.iter().map(|place| SiteId::of(machine.program(), &place.site));
    let Some(omitted) = sites.collect::<Option<BTreeSet<SiteId>>>() else {
        return refused("the schedule leaves out instructions that the program has not");
    };
    checked(machine, &certificate.certificate, limits, Some(Scheduled { permitted, omitted, runs }))
}

/// The solver that a proof was not found with.
fn other_solver(name: &str) -> SolverKind {
    if name == SolverKind::Z3.name() { SolverKind::Cadical } else { SolverKind::Z3 }
}

fn identity(machine: &Machine, certificate: &Certificate) -> Result<(), Rejection> {
    let (config, options) = (machine.config(), &certificate.options);
    let set = |list: &[Property]| list.iter().copied().collect::<Properties>();
    let same = config.properties == set(&options.properties)
        && config.assumed == set(&options.assumed)
        && config.nondet_range == options.nondet_range
        && config.stack_limit == options.stack_limit
        && config.error_calls_only == options.error_calls_only
        && config.undisturbed.is_none();
    if program_hash(machine.program()) != certificate.program {
        return Err(Rejection::Program);
    }
    match same && certificate.has_own_options() {
        false => Err(Rejection::Options),
        // Stores move of themselves out of buffers, and no thread has to.
        true if config.memory_model.has_buffers() => Err(Rejection::Silent("stores that wait in buffers")),
        true if !config.suppressions.is_empty() => Err(Rejection::Silent("faults that are not told")),
        true => Ok(()),
    }
}

/// What was not given back, and whether there is progress, shows at the end of executions or in
/// infinite ones. What a schedule permits has no clocks. Under a schedule some thread can always
/// move, which is all that is shown of deadlocks there if threads may wait for what others never
/// do.
fn properties(machine: &Machine, scheduled: bool) -> Result<(), Rejection> {
    let properties = machine.config().properties;
    let not_shown = [
        Property::Leak,
        Property::Cleanup,
        Property::Livelock,
        Property::Ltl,
        Property::Robust,
        Property::RobustTraces,
    ];
    let races = scheduled.then_some(Property::Race);
    let waits = properties.has(Property::Deadlock) && machine.can_abandon() && !scheduled;
    let waits = waits.then_some(Property::Deadlock);
    let other = not_shown.into_iter().chain(races).find(|property| properties.has(*property)).or(waits);
    other.map_or(Ok(()), |property| Err(Rejection::Property(property.name())))
}

/// The accesses that may race, if races are looked for.
fn races(machine: &Machine, proof: &Proof) -> Result<Option<Rc<Races>>, Rejection> {
    if !machine.config().properties.has(Property::Race) {
        return Ok(None);
    }
    if !proof.interleavings.is_reduced() {
        return Err(Rejection::Silent("races, unless the vertices say which threads move"));
    }
    let races = Races::of(machine).map_err(Rejection::Silent)?;
    Ok(races.map(Rc::new))
}

struct Check<'a> {
    /// What a schedule permits, if it is the proof of one.
    permitted: Option<Permitted<'a>>,
    proof: &'a Proof,
    terms: Terms,
    graph: Graph<'a>,
    reduction: Reduction<'a>,
    solver: Box<dyn Solver>,
    guide: Questions,
    labels: Vec<Vec<Term>>,
    /// For each vertex the condition under which only its first mover moves, if there is one.
    unless: Vec<Vec<Term>>,
    /// The vertices at which there are nodes.
    labelled: FxHashSet<VertexId>,
    /// Where each vertex's steps lead, by thread and the name of the location.
    targets: Vec<FxHashMap<(ThreadId, &'a str), VertexId>>,
    turns: Turns,
    /// The paths between nodes, if it is the proof of a schedule.
    pieces: Vec<Piece>,
    initial: Vec<Term>,
    /// The nodes that executions may come to, with the threads that are to be followed from them,
    /// and what is still to be looked at of these.
    wanted: FxHashMap<u32, Vec<ThreadId>>,
    work: Vec<(u32, Vec<ThreadId>)>,
    /// The threads that are to be followed after steps, once they were found: by the node from
    /// which the step leads, the thread that takes it, and the node that it leads to.
    after: FxHashMap<(u32, ThreadId, u32), Vec<ThreadId>>,
    questions: u64,
    paths: u64,
}

impl<'a> Check<'a> {
    fn new(
        machine: &'a Machine,
        (proof, permitted, races): (&'a Proof, Option<Permitted<'a>>, Option<Rc<Races>>),
        (mut solver, guide): (Box<dyn Solver>, Box<dyn Solver>),
        limits: Limits,
    ) -> Result<Check<'a>, Rejection> {
        solver.limit(limits.clone());
        shape(proof).map_err(Rejection::Malformed)?;
        let grain = match (&permitted, proof.interleavings) {
            // Events are single instructions.
            (Some(_), Interleavings::Reduced) | (None, Interleavings::Instructions) => Grain::Instruction,
            (None, Interleavings::Reduced | Interleavings::Monotonic) => Grain::Visible,
            (Some(_), _) => {
                let what = "a schedule says which interleavings there are".to_owned();
                return Err(Rejection::Malformed(what));
            }
        };
        let (mut terms, mut graph) = (Terms::new(), Graph::new(machine, proof, grain, races.clone()));
        let initial = graph.begin(&mut terms);
        let mut variable = |terms: &mut Terms, datum, width| graph.variable(terms, datum, width);
        let all = read(&proof.terms, &mut terms, &mut variable).map_err(Rejection::Malformed)?;
        let is_condition = |term: &Term| terms.width(*term) == 1 && !terms.is_array(*term);
        let conditions = |numbers: &[u32], whose: String| {
            let terms = numbers.iter().map(|term| all.get(*term as usize).copied().filter(is_condition));
            let no_sense = || Rejection::Malformed(format!("the condition of {whose} makes no sense"));
            terms.collect::<Option<Vec<Term>>>().ok_or_else(no_sense)
        };
        let mut labels = Vec::new();
        for (number, node) in proof.nodes.iter().enumerate() {
            labels.push(conditions(&node.label, format!("node {number}"))?);
        }
        let mut unless = Vec::new();
        for (number, vertex) in proof.vertices.iter().enumerate() {
            unless.push(conditions(&vertex.condition, format!("vertex {number}"))?);
        }
        Ok(Check {
            permitted,
            proof,
            terms,
            graph,
            reduction: Reduction::new(machine, races),
            solver,
            guide: Questions::new(guide, limits),
            labels,
            unless,
            labelled: proof.nodes.iter().map(|node| node.vertex).collect(),
            targets: targets(proof),
            turns: Turns { sorted: proof.sorted, ..Turns::default() },
            pieces: Vec::new(),
            initial,
            wanted: FxHashMap::default(),
            work: Vec::new(),
            after: FxHashMap::default(),
            questions: 0,
            paths: 0,
        })
    }

    fn run(&mut self) -> Result<(), Rejection> {
        let (initial, root) = (self.initial.clone(), self.labels[0].clone());
        if !self.implies(&initial, &root)? {
            return Err(Rejection::Root);
        }
        self.reach(0, &self.proof.vertices[0].movers);
        while let Some((number, threads)) = self.work.pop() {
            let node = &self.proof.nodes[number as usize];
            match node.covered_by {
                Some(by) => self.covered(number, by, &threads)?,
                None => self.expanded(number, node, &threads)?,
            }
        }
        match self.turns.put_off_for_ever() {
            Some(_) if self.permitted.is_some() => self.loops_end(),
            Some((thread, vertex)) => Err(Rejection::PutOff { thread, vertex }),
            None => Ok(()),
        }
    }

    /// Shows that no thread is put off for ever, since loops end that would put it off.
    fn loops_end(&mut self) -> Result<(), Rejection> {
        let pieces = std::mem::take(&mut self.pieces);
        let (solver, questions) = (&mut self.solver, &mut self.questions);
        let implies = |terms: &mut Terms, from: &[Term], condition: Term| {
            let not = terms.not(condition);
            *questions += 1;
            satisfiable(solver.as_mut(), terms, &[from, &[not]].concat()).map(|possible| !possible)
        };
        let mut endings = Endings { terms: &mut self.terms, implies, data: self.graph.data() };
        match endings.put_off(&pieces)? {
            Some((thread, node)) => {
                let vertex = self.proof.nodes[node as usize].vertex;
                Err(Rejection::PutOff { thread, vertex })
            }
            None => Ok(()),
        }
    }

    /// Notes that executions may come to a node, and go on with steps of these threads.
    fn reach(&mut self, node: u32, threads: &[ThreadId]) {
        let is_new = !self.wanted.contains_key(&node);
        let known = self.wanted.entry(node).or_default();
        let mut new = threads.to_vec();
        new.retain(|thread| !known.contains(thread));
        known.extend(&new);
        if is_new || !new.is_empty() {
            self.work.push((node, new));
        }
    }

    /// Shows that a node is covered. The node that covers it goes on with the threads that it would
    /// have gone on with (section IV.C).
    fn covered(&mut self, node: u32, by: u32, threads: &[ThreadId]) -> Result<(), Rejection> {
        let [own, other] = [node, by].map(|node| &self.proof.nodes[node as usize]);
        let (label, implied) = (self.labels[node as usize].clone(), self.labels[by as usize].clone());
        let can_cover = own.vertex == other.vertex && other.covered_by.is_none();
        if !can_cover || !self.implies(&label, &implied)? {
            return Err(Rejection::Cover { node, by });
        }
        self.reach(by, threads);
        Ok(())
    }

    /// Follows all paths from a node to the next ones that begin with a step of one of these threads.
    fn expanded(&mut self, number: u32, node: &'a Node, first: &[ThreadId]) -> Result<(), Rejection> {
        let mut work = vec![(node.vertex, Path::default())];
        while let Some((vertex, path)) = work.pop() {
            let known = self.graph.place(vertex).expect("a step has led there");
            let at = &self.proof.vertices[vertex as usize];
            match &self.permitted {
                None => self.pass(vertex, &known)?,
                Some(_) => {
                    if let Some(why) = self.turn(vertex, &known)?
                        && self.is_possible(number, &path)?
                    {
                        return Err(Rejection::Unsafe { node: number, what: why });
                    }
                }
            }
            if let Some(fault) = self.graph.deadlock(&known)
                && self.is_possible(number, &path)?
            {
                return Err(Rejection::Unsafe { node: number, what: fault.kind.name().to_owned() });
            }
            let movers = if path.steps.is_empty() { first } else { &at.movers };
            for thread in movers {
                let steps = self.graph.steps((&mut self.terms, &mut self.guide), &known, *thread);
                if let Some(permitted) = &mut self.permitted {
                    permitted.note(vertex, known.state(), *thread, &steps.touched);
                }
                let limited = (at.reason == Reason::Commuting && *thread != at.movers[0]).then(|| {
                    let fails = self.terms.not_all(&self.unless[vertex as usize]);
                    path.clone().under(&mut self.terms, fails)
                });
                let path = limited.as_ref().unwrap_or(&path);
                for way in &steps.ways {
                    let further = path.then(&mut self.terms, (vertex, *thread), way);
                    let branches = steps.ways.len() > 1;
                    work.extend(self.way((number, node), (vertex, *thread), way, further, branches)?);
                }
            }
        }
        Ok(())
    }

    /// Shows that a way is followed by an edge or cannot be taken. Yields where to go on, if
    /// it leads to a vertex without nodes.
    fn way(
        &mut self,
        (number, node): (u32, &Node),
        (from, thread): (VertexId, ThreadId),
        way: &Way,
        path: Path,
        branches: bool,
    ) -> Result<Option<(VertexId, Path)>, Rejection> {
        let missing = |why: &str| Rejection::Step { node: number, thread, why: why.to_owned() };
        let in_section = |known: &Known| self.graph.machine().is_in_section(known.state(), thread);
        let refused = match &way.end {
            WayEnd::End => return Ok(None),
            // No native thread can wait until it holds.
            WayEnd::Infeasible
                if self.permitted.is_some() && self.graph.place(from).is_some_and(|at| in_section(&at)) =>
            {
                let what = "that an assumption within an atomic section does not hold".to_owned();
                Rejection::Unsafe { node: number, what }
            }
            WayEnd::Infeasible => return Ok(None),
            WayEnd::Forbidden(what) => Rejection::Unsafe { node: number, what: what.clone() },
            WayEnd::Location(known, name) => {
                match self.targets[from as usize].get(&(thread, name.as_str())).copied() {
                    None => missing("the location that it leads to is missing"),
                    Some(to) if !self.graph.enter(to, known) => missing("it leads to another location"),
                    Some(to) if self.labelled.contains(&to) => {
                        self.follow((from, to), thread, known)?;
                        self.turns.steps.insert((from, thread, to));
                        if let Some(next) = self.follows((number, node), thread, to, &path)? {
                            if self.permitted.is_some() {
                                // A node that is covered goes on as the one that covers it.
                                let next = self.proof.nodes[next as usize].covered_by.unwrap_or(next);
                                let label = &self.labels[number as usize];
                                self.pieces.push(path.piece((number, next), label, &self.turns));
                            }
                            return Ok(None);
                        }
                        missing("no label after it is implied")
                    }
                    Some(_) if !self.proof.interleavings.is_reduced() => missing("there is no node after it"),
                    Some(_) if path.steps.len() > self.proof.vertices.len() => {
                        missing("a cycle has no label")
                    }
                    Some(to) => {
                        if branches && !self.is_possible(number, &path)? {
                            return Ok(None);
                        }
                        self.follow((from, to), thread, known)?;
                        self.turns.steps.insert((from, thread, to));
                        return Ok(Some((to, path)));
                    }
                }
            }
        };
        if self.is_possible(number, &path)? { Err(refused) } else { Ok(None) }
    }

    /// The next node whose label a path implies, of those at the vertex that it leads to.
    fn follows(
        &mut self,
        (number, node): (u32, &Node),
        thread: ThreadId,
        to: VertexId,
        path: &Path,
    ) -> Result<Option<u32>, Rejection> {
        self.paths += 1;
        let known = [&self.labels[number as usize][..], &path.conditions].concat();
        // In a monotonic tree it matters which thread has led to a node.
        let is_by = |edge: &&Edge| {
            let of_thread = edge.threads.is_empty() || edge.threads.contains(&thread);
            of_thread || self.proof.interleavings != Interleavings::Monotonic
        };
        let edges = node.edges.iter().filter(|edge| self.proof.nodes[edge.to as usize].vertex == to);
        for edge in edges.filter(is_by).collect::<Vec<&Edge>>() {
            let mut after = Vec::new();
            for condition in self.labels[edge.to as usize].clone() {
                after.push(path.before(&mut self.terms, condition));
            }
            if self.implies(&known, &after)? {
                let threads = self.threads_after(number, thread, edge.to)?;
                self.reach(edge.to, &threads);
                return Ok(Some(edge.to));
            }
        }
        Ok(None)
    }
}
