//! Why some threads need not move at a vertex.
//!
//! Let *P* be the threads that move. It is shown of every other thread that nothing which
//! it can do before *P* moves conflicts with a next step of a thread in *P*: such a step
//! then comes first in an equivalent execution, if it comes at all. An execution with a
//! fault in which *P* never moves
//!
//! - does not exist, if no other thread can come to a failure while all of *P* are alive
//!   and nothing but failures is looked for ([`Reason::Necessary`]), or
//! - is still one after *P*'s steps, since they are always possible ([`Reason::Fair`]).
//!   That it is not put off for ever is for `fairness` to show.

use std::rc::Rc;

use analysis::Place;
use ir::{FuncId, Instr};
use logic::Terms;
use machine::{Machine, Need, Properties, Property, State, ThreadId};
use rustc_hash::FxHashSet;
use symbolic::Guide;

use crate::future::{Futures, Section};
use crate::graph::{Graph, Known};
use crate::proof::{Reason, Vertex};
use crate::races::Races;

/// Shows that vertices need no more threads.
pub struct Reduction<'m> {
    futures: Option<Futures<'m>>,
    only_failures: bool,
    has_races: bool,
}

/// A thread that has not ended: the function that it began with, and its calls.
struct Alive {
    thread: ThreadId,
    first: FuncId,
    /// Its next instruction.
    next: Place,
    /// Where its calls go on: the innermost with the next instruction, the others after the
    /// calls that they wait for.
    goes_on: Vec<Place>,
}

impl<'m> Reduction<'m> {
    /// For the program of a machine. These accesses may race, if races are looked for.
    pub fn new(machine: &'m Machine, races: Option<Rc<Races>>) -> Reduction<'m> {
        let program = machine.program();
        let known = analysis::interference::interference(program).ok();
        let has_races = races.is_some();
        let futures = known.map(|known| Futures::new(program, known, races));
        let config = machine.config();
        let failures: Properties = [Property::Assert].into_iter().collect();
        let open = Properties::undefined_unasked().without(config.assumed);
        let rest = config.properties.without(failures);
        Reduction {
            futures: futures.filter(Futures::has_plain_sections),
            only_failures: rest == Properties::default() && open == Properties::default(),
            has_races,
        }
    }

    /// Shows that the movers of a vertex are enough; otherwise says why they are not.
    pub fn justify(
        &mut self,
        graph: &mut Graph<'m>,
        (terms, guide): (&mut Terms, &mut dyn Guide),
        known: &Known,
        vertex: &Vertex,
    ) -> Result<(), String> {
        let (machine, state) = (graph.machine(), known.state());
        let enabled = machine.runnable(state);
        if let Some(thread) = vertex.movers.iter().find(|thread| !enabled.contains(thread)) {
            return Err(format!("{thread} cannot move"));
        }
        if vertex.reason == Reason::Commuting {
            return self.goes_first(machine, state, vertex);
        }
        let Some(left_out) = enabled.iter().find(|thread| !vertex.movers.contains(thread)) else {
            return Ok(());
        };
        if vertex.reason == Reason::All || vertex.movers.is_empty() {
            return Err(format!("{left_out} can move and is left out"));
        }
        let futures = self.futures.as_mut().ok_or("nothing is known about which threads interfere")?;
        let alive = alive(futures, machine, state);
        for mover in &vertex.movers {
            let steps = graph.steps((terms, &mut *guide), known, *mover);
            if steps.is_special {
                return Err(format!("{mover} does something that all others may depend on"));
            }
            if vertex.reason == Reason::Fair && steps.may_end {
                return Err(format!("{mover} may end the execution"));
            }
            let mover = alive.iter().find(|at| at.thread == *mover).ok_or("a mover has ended")?;
            undisturbed(futures, machine, state, vertex, mover, &alive)?;
        }
        match vertex.reason {
            Reason::Necessary if !self.only_failures => Err("more than failures is looked for".to_owned()),
            Reason::Necessary => cannot_fail(futures, machine, state, vertex, &alive),
            Reason::Fair | Reason::All => Ok(()),
            Reason::Commuting => Err("that is shown otherwise".to_owned()),
            Reason::Scheduled => Err("a schedule is no reason here".to_owned()),
        }
    }

    /// Shows that no failure is reached before the first mover has moved, and that all move where it
    /// is not said to be enough.
    fn goes_first(&mut self, machine: &Machine, state: &State, vertex: &Vertex) -> Result<(), String> {
        let enabled = machine.runnable(state);
        let left_out = enabled.iter().find(|thread| !vertex.movers.contains(thread));
        if let (Some(left_out), false) = (left_out, vertex.condition.is_empty()) {
            return Err(format!("{left_out} can move and is left out"));
        }
        let first = vertex.movers.iter().take(1).copied().collect::<Vec<ThreadId>>();
        if first.is_empty() || !self.only_failures || self.has_races {
            return Err("more than failures is looked for".to_owned());
        }
        let futures = self.futures.as_mut().ok_or("nothing is known about which threads interfere")?;
        let alive = alive(futures, machine, state);
        let alone = Vertex { movers: first, ..vertex.clone() };
        cannot_fail(futures, machine, state, &alone, &alive)
    }

    /// Whether the next steps of two threads are known not to conflict. An atomic section is one.
    pub fn independent(&self, machine: &Machine, state: &State, a: ThreadId, b: ThreadId) -> bool {
        let Some(futures) = &self.futures else { return false };
        let alive = alive(futures, machine, state);
        let step = |thread: ThreadId| {
            let at = alive.iter().find(|at| at.thread == thread)?;
            Some((at.first, next_step(futures, at)?.places))
        };
        let (Some((first, own)), Some((other_first, others))) = (step(a), step(b)) else { return false };
        let conflicts =
            |place: &Place, other: &Place| futures.conflict((*place, first), (*other, other_first));
        !own.iter().any(|place| others.iter().any(|other| conflicts(place, other)))
    }
}

fn alive(futures: &Futures<'_>, machine: &Machine, state: &State) -> Vec<Alive> {
    let threads = state.thread_ids().filter(|thread| machine.is_alive(state, *thread));
    let at = |thread: ThreadId| {
        let stands = machine.stands(state, thread);
        let mut calls = stands.iter().map(|(function, pc)| Place { function: *function, pc: *pc });
        let (first, next) = (stands.first()?.0, calls.next_back()?);
        let goes_on = calls.map(|call| futures.after_call(call)).chain([next]).collect();
        Some(Alive { thread, first, next, goes_on })
    };
    threads.filter_map(at).collect()
}

/// The threads that do not move at a vertex, and could before one of its movers ends.
fn others<'a>(
    machine: &'a Machine,
    state: &'a State,
    vertex: &'a Vertex,
    alive: &'a [Alive],
) -> impl Iterator<Item = &'a Alive> {
    let waits = |at: &&Alive| matches!(machine.need(state, at.thread), Some(Need::End(peer)) if vertex.movers.contains(&peer));
    alive.iter().filter(|at| !vertex.movers.contains(&at.thread)).filter(move |at| !waits(at))
}

/// The next step of a thread: an atomic section if one begins, or else a single instruction. None if
/// the section may wait.
fn next_step(futures: &Futures<'_>, at: &Alive) -> Option<Section> {
    match futures.instr(at.next) {
        Instr::AtomicBegin { .. } => futures.section(at.next),
        _ => Some(Section { places: FxHashSet::from_iter([at.next]), is_total: true }),
    }
}

/// Shows that nothing another thread may do conflicts with the next step of a mover.
fn undisturbed(
    futures: &mut Futures<'_>,
    machine: &Machine,
    state: &State,
    vertex: &Vertex,
    mover: &Alive,
    alive: &[Alive],
) -> Result<(), String> {
    let step = next_step(futures, mover).ok_or("an atomic section may wait")?;
    if vertex.reason == Reason::Fair && !step.is_total {
        return Err(format!("the atomic section of {} may not come to its end", mover.thread));
    }
    for other in others(machine, state, vertex, alive) {
        for from in &other.goes_on {
            for place in futures.from(*from).iter() {
                let conflict = |own: &Place| futures.conflict((*own, mover.first), (*place, other.first));
                if step.places.iter().any(conflict) {
                    let (thread, own) = (other.thread, mover.thread);
                    let at = machine.location(place.function, place.pc);
                    return Err(format!("what {thread} may do at {at} conflicts with the step of {own}"));
                }
            }
        }
    }
    Ok(())
}

/// Shows that no other thread can come to a failure while all movers are alive.
fn cannot_fail(
    futures: &mut Futures<'_>,
    machine: &Machine,
    state: &State,
    vertex: &Vertex,
    alive: &[Alive],
) -> Result<(), String> {
    let movers: Vec<FuncId> =
        alive.iter().filter(|at| vertex.movers.contains(&at.thread)).map(|at| at.first).collect();
    for other in others(machine, state, vertex, alive) {
        for from in &other.goes_on {
            for place in futures.from(*from).iter() {
                if futures.may_fail(*place, &movers) {
                    let at = machine.location(place.function, place.pc);
                    return Err(format!("{} may fail at {at} before the others move", other.thread));
                }
            }
        }
    }
    Ok(())
}
