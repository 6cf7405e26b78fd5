//! Which threads move from a location.
//!
//! A set `P` of threads is explored alone at a location if it is *persistent*:
//! nothing that the other threads can do while `P` does not move conflicts with the
//! next step of a thread in `P` ([`analysis::interference`]). Then every execution
//! from here in which a thread of `P` moves has an equivalent one in which `P` moves
//! first. What remains are faulty executions in which `P` never moves. Either
//!
//! - there are none, since no thread can come to a failure before `P` has moved
//!   ([`Kind::Necessary`]; in the literature a *membrane*). Every faulty execution
//!   has then a shorter rest after `P`'s step. Or
//! - the steps of `P` are always possible ([`Kind::Fair`]). After such a step the
//!   same faulty execution still is one, and no longer; so it must not be put off for
//!   ever. Therefore on no cycle of locations that are reduced in this way is a
//!   thread left out that could move all along ([`crate::product`] sees to it by
//!   letting all threads move somewhere on the cycle).
//!
//! A step that ends the process in good order is part of no faulty execution, so it
//! conflicts with nothing. But it makes a step one that is not always possible.
//!
//! Where races are looked for, an access is announced before it is made ([`crate::announce`]). The
//! announcement counts as a step of the instruction that makes the access, and conflicts with
//! what that instruction conflicts with, and with all accesses that may race with it. A failure is
//! then also the announcement of an access that may race.
//!
//! The order in which sets are tried decides which proof has to be found
//! ([`Order`]); it has no bearing on what is proven.

use std::rc::Rc;

use ir::{FuncId, Instr};
use logic::Terms;
use machine::{Machine, Need, Properties, Property, State, ThreadId};
use rustc_hash::FxHashMap;
use symbolic::Guide;

use analysis::Place;

use crate::announce::{Races, is_renewal};
use crate::future::{Futures, Places, Section};
use crate::system::{LocationId, System};

/// In which order threads are preferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Each thread runs one round of its loop in turn.
    #[default]
    Lockstep,
    /// The threads that conflict with each other in lockstep, one such group after the
    /// other.
    Groups,
    /// The first thread in lockstep with one of the others, which come one after the other: they
    /// may do together what the first one does alone.
    Relay,
    /// Each thread in turn, up to its next write to memory: a loop in step with one that was
    /// unrolled.
    Writes,
    /// The first thread that can, as far as it can.
    Sequential,
    /// The last thread that can, as far as it can.
    Reverse,
    /// The first thread that can, as far as it can, where those that are alike stand for one another
    /// (`alike.rs`).
    Alike,
}

/// Why the threads that move from a location are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// All threads that can move do.
    All,
    /// No thread can come to a failure before one of them has moved.
    Necessary,
    /// Their steps are always possible.
    Fair,
    /// Where a condition holds, the first of them is enough ([`crate::commuting`]); where it does
    /// not, all that can move do.
    Commuting,
    /// A schedule permits no others.
    Scheduled,
}

/// Decides which threads move.
pub struct Reduction<'p> {
    futures: Option<Futures<'p>>,
    /// Which thread is preferred.
    pub order: Order,
    /// Whether a failure that the program calls for is all that can go wrong.
    only_failures: bool,
    /// Whether threads that begin with these functions conflict.
    conflicts: FxHashMap<(FuncId, FuncId), bool>,
    /// The accesses that may race, if races are looked for.
    races: Option<Rc<Races>>,
}

/// A thread with where it is, and what it may still do.
pub struct At {
    thread: ThreadId,
    first: FuncId,
    future: Vec<Places>,
}

impl<'p> Reduction<'p> {
    /// Reduces by what the static analysis knows, if it does. These accesses may race, if races are
    /// looked for.
    pub fn new(machine: &'p Machine, reduces: bool, races: Option<Rc<Races>>) -> Reduction<'p> {
        let program = machine.program();
        let known = reduces.then(|| analysis::interference::interference(program).ok()).flatten();
        // A section within which a thread waits lets others move and stops them again,
        // which no conflict between two instructions tells.
        let futures = known.map(|known| Futures::new(program, known));
        let futures = futures.filter(|futures| futures.sections_are_simple());
        let config = machine.config();
        let only_asserts: Properties = [Property::Assert].into_iter().collect();
        let left_open = Properties::undefined_unasked().without(config.assumed);
        let none = Properties::default();
        Reduction {
            futures,
            order: Order::default(),
            conflicts: FxHashMap::default(),
            only_failures: config.properties.without(only_asserts) == none && left_open == none,
            races,
        }
    }

    /// The threads with which one of those that can move is enough at a location, and why. `all` are
    /// those that have not ended.
    pub fn enough(
        &mut self,
        system: &mut System<'_>,
        (terms, guide): (&mut Terms, &mut dyn Guide),
        location: LocationId,
        thread: ThreadId,
        (all, enabled): (&[At], &[ThreadId]),
    ) -> Option<(Vec<ThreadId>, Kind)> {
        self.futures.as_ref()?;
        let group = self.persistent(system, (terms, &mut *guide), location, thread, all, enabled)?;
        if group.len() == enabled.len() {
            return None;
        }
        let kind = self.suffices(system, (terms, guide), location, &group, all)?;
        Some((group, kind))
    }

    /// The threads that can move, the preferred one first.
    pub fn preferred(&mut self, machine: &Machine, state: &State, turn: ThreadId) -> Vec<ThreadId> {
        let mut enabled = machine.runnable(state).to_vec();
        match self.order {
            Order::Lockstep | Order::Groups | Order::Relay | Order::Writes => {
                let most = if self.order == Order::Relay { 2 } else { enabled.len() };
                let resting = enabled.split_off(most.min(enabled.len()));
                let later = enabled.iter().position(|thread| *thread >= turn).unwrap_or(0);
                enabled.rotate_left(later);
                if self.order == Order::Groups {
                    let groups = self.groups(machine, state);
                    enabled.sort_by_key(|thread| groups.get(thread).copied());
                }
                enabled.extend(resting);
            }
            Order::Sequential | Order::Alike => {}
            Order::Reverse => enabled.reverse(),
        }
        // Where a thread that others wait for can only end the process, nothing is left to look at.
        let next = |thread: &ThreadId| machine.next_instruction(state, *thread);
        enabled.sort_by_key(|thread| !matches!(next(thread), Some(Instr::Exit { .. })));
        enabled
    }

    /// For each thread the first one that it conflicts with, maybe by way of others. The
    /// main thread prepares the ground for all and belongs to no group.
    fn groups(&mut self, machine: &Machine, state: &State) -> FxHashMap<ThreadId, ThreadId> {
        let entry = |thread: ThreadId| machine.stands(state, thread).first().map(|(first, _)| *first);
        let alive = state.thread_ids().filter(|thread| machine.is_alive(state, *thread));
        let entries: Vec<(ThreadId, FuncId)> = alive
            .filter(|thread| thread.0 != 0)
            .filter_map(|thread| Some((thread, entry(thread)?)))
            .collect();
        let mut groups: FxHashMap<ThreadId, ThreadId> =
            entries.iter().map(|(thread, _)| (*thread, *thread)).collect();
        for (index, (a, of_a)) in entries.iter().enumerate() {
            for (b, of_b) in &entries[..index] {
                if groups[a] != groups[b] && self.conflict(*of_a, *of_b) {
                    let (first, second) = (groups[a].min(groups[b]), groups[a].max(groups[b]));
                    groups.values_mut().filter(|group| **group == second).for_each(|group| *group = first);
                }
            }
        }
        groups
    }

    /// Whether threads that begin with two functions may conflict at all.
    fn conflict(&mut self, a: FuncId, b: FuncId) -> bool {
        let Some(futures) = &self.futures else { return true };
        *self.conflicts.entry((a, b)).or_insert_with(|| {
            let (of_a, of_b) = (futures.whole(a), futures.whole(b));
            let known = futures.interference();
            of_a.iter().any(|place| of_b.iter().any(|other| known.conflicts((*place, a), (*other, b))))
        })
    }

    /// Whether accesses of two instructions may race, if races are looked for.
    fn may_race(&self, a: Place, b: Place) -> bool {
        self.races.as_ref().is_some_and(|races| races.conflict(a, b))
    }

    /// The threads that have not ended; none if nothing is known of what they may do.
    pub fn threads(&mut self, machine: &Machine, state: &State) -> Vec<At> {
        let Some(futures) = &mut self.futures else { return Vec::new() };
        let mut threads = Vec::new();
        for thread in state.thread_ids().filter(|thread| machine.is_alive(state, *thread)) {
            let stack = machine.stands(state, thread);
            let Some((first, _)) = stack.first() else { continue };
            threads.push(At { thread, first: *first, future: futures.of_stack(&stack) });
        }
        threads
    }

    /// The smallest persistent set with a thread in it; none if a thread must be in
    /// it that cannot move.
    fn persistent(
        &mut self,
        system: &mut System<'_>,
        (terms, guide): (&mut Terms, &mut dyn Guide),
        location: LocationId,
        thread: ThreadId,
        all: &[At],
        enabled: &[ThreadId],
    ) -> Option<Vec<ThreadId>> {
        let mut group = vec![thread];
        let mut next = 0;
        while let Some(member) = group.get(next).copied() {
            next += 1;
            if system.steps(terms, guide, location, member).is_special {
                return None;
            }
            let at = all.iter().find(|at| at.thread == member)?;
            let touches = self.next_places(system.machine(), system.state(location), member)?;
            for other in all.iter().filter(|other| other.thread != member) {
                let waits = waits_for(system.machine(), system.state(location), other.thread, &group);
                if group.contains(&other.thread) || waits || !self.disturbs(other, &touches, at.first) {
                    continue;
                }
                if !enabled.contains(&other.thread) {
                    return None;
                }
                group.push(other.thread);
            }
        }
        Some(group)
    }

    /// Whether a thread may do something that conflicts with a step of another.
    fn disturbs(&self, other: &At, touches: &Places, first: FuncId) -> bool {
        let Some(futures) = &self.futures else { return true };
        let known = futures.interference();
        let conflicts = |place: &Place| {
            touches.iter().any(|touch| {
                known.conflicts((*touch, first), (*place, other.first)) || self.may_race(*touch, *place)
            })
        };
        other.future.iter().flat_map(|places| places.iter()).any(conflicts)
    }

    /// The instructions of a thread's next step that others can observe.
    fn next_places(&self, machine: &Machine, state: &State, thread: ThreadId) -> Option<Places> {
        match self.section(machine, state, thread) {
            Some(section) => Some(section?.places),
            None => Some(Places::new([next_place(machine, state, thread)?].into_iter().collect())),
        }
    }

    /// The atomic section that a thread is about to begin, if it is; nothing within, if
    /// the section is not simple.
    fn section(&self, machine: &Machine, state: &State, thread: ThreadId) -> Option<Option<Section>> {
        let begins = matches!(machine.next_instruction(state, thread), Some(Instr::AtomicBegin { .. }));
        let place = next_place(machine, state, thread).filter(|_| begins)?;
        Some(self.futures.as_ref().and_then(|futures| futures.section(place)))
    }

    /// Whether the next steps of two threads are independent: they change nothing that the other
    /// one reads or changes. Both can move at the first location, and the first one leads from
    /// there to the second.
    pub fn independent(
        &self,
        system: &System<'_>,
        (from, to): (LocationId, LocationId),
        mover: ThreadId,
        other: ThreadId,
    ) -> bool {
        let Some(futures) = &self.futures else { return false };
        let (machine, state) = (system.machine(), system.state(from));
        let plain = |location, thread| system.known_steps(location, thread).is_some_and(|s| !s.is_special);
        if !plain(from, mover) || !plain(from, other) || !plain(to, other) {
            return false;
        }
        let at = |thread| {
            let first = machine.stands(state, thread).first().map(|(first, _)| *first)?;
            Some((first, self.next_places(machine, state, thread)?))
        };
        let (Some((first, own)), Some((other_first, others))) = (at(mover), at(other)) else { return false };
        let conflicts = |a: &Place| {
            others.iter().any(|b| futures.interference().conflicts((*a, first), (*b, other_first)))
        };
        !own.iter().any(conflicts)
    }

    /// Whether no thread can come to a failure before one has moved, and failures are all that is
    /// looked for, but no races.
    pub fn is_needed(&self, system: &System<'_>, location: LocationId, thread: ThreadId, all: &[At]) -> bool {
        self.futures.is_some()
            && self.races.is_none()
            && self.is_necessary((system.machine(), system.state(location)), &[thread], all)
    }

    /// Whether no thread can come to a failure before one of a group has moved.
    fn is_necessary(&self, (machine, state): (&Machine, &State), group: &[ThreadId], all: &[At]) -> bool {
        let members: Vec<FuncId> =
            all.iter().filter(|at| group.contains(&at.thread)).map(|at| at.first).collect();
        let mut others = all.iter().filter(|at| !group.contains(&at.thread));
        let can_fail = |other: &At| {
            !waits_for(machine, state, other.thread, group) && self.can_fail(machine, other, &members)
        };
        self.only_failures && !others.any(can_fail)
    }

    /// Why a persistent set is enough, if it is.
    fn suffices(
        &mut self,
        system: &mut System<'_>,
        (terms, guide): (&mut Terms, &mut dyn Guide),
        location: LocationId,
        group: &[ThreadId],
        all: &[At],
    ) -> Option<Kind> {
        if self.is_necessary((system.machine(), system.state(location)), group, all) {
            return Some(Kind::Necessary);
        }
        let mut total = |thread: &ThreadId| {
            !system.steps(terms, &mut *guide, location, *thread).may_end
                // Until the end of a section no other thread moves.
                && self
                    .section(system.machine(), system.state(location), *thread)
                    .is_none_or(|section| section.is_some_and(|section| section.is_total))
        };
        group.iter().all(&mut total).then_some(Kind::Fair)
    }

    /// Whether a thread may fail while threads that began with these functions are
    /// alive.
    fn can_fail(&self, machine: &Machine, other: &At, members: &[FuncId]) -> bool {
        let Some(futures) = &self.futures else { return true };
        let fails = |place: &Place| {
            let code = &machine.program().function(place.function).code;
            let instr = &code[place.pc as usize];
            matches!(instr, Instr::Fail { .. } | Instr::Unsupported { .. })
                || self.races.as_ref().is_some_and(|races| races.has(*place) || is_renewal(instr))
        };
        let alive =
            |place: &Place| members.iter().all(|member| futures.interference().may_live(*member, *place));
        other.future.iter().flat_map(|places| places.iter()).any(|place| fails(place) && alive(place))
    }

    /// Whose turn it is after a step of a thread from one location to another.
    pub fn next_turn(
        &self,
        system: &System<'_>,
        (from, to): (LocationId, LocationId),
        thread: ThreadId,
    ) -> ThreadId {
        let announces = system.announces(from, to);
        let (machine, from, to) = (system.machine(), system.state(from), system.state(to));
        let ends = match self.order {
            Order::Sequential | Order::Reverse | Order::Alike => return ThreadId(0),
            _ if announces => false,
            Order::Lockstep | Order::Groups | Order::Relay => ends_round(machine, from, to, thread),
            Order::Writes => writes(machine, from, thread) || !machine.can_move(to, thread),
        };
        if ends { ThreadId(thread.0 + 1) } else { thread }
    }
}

/// The instruction that a thread is about to execute.
fn next_place(machine: &Machine, state: &State, thread: ThreadId) -> Option<Place> {
    machine.stands(state, thread).last().map(|(function, pc)| Place { function: *function, pc: *pc })
}

/// Whether the next step of a thread writes to memory.
fn writes(machine: &Machine, state: &State, thread: ThreadId) -> bool {
    matches!(
        machine.next_instruction(state, thread),
        Some(Instr::Store { .. } | Instr::AtomicRmw { .. } | Instr::CompareExchange(_))
    )
}

/// Whether a thread has gone back to an earlier instruction, or cannot go on.
fn ends_round(machine: &Machine, from: &State, to: &State, thread: ThreadId) -> bool {
    goes_back(machine, (from, to), thread) || !machine.can_move(to, thread)
}

/// Whether a thread has gone back to an earlier instruction, or has ended.
pub fn goes_back(machine: &Machine, (from, to): (&State, &State), thread: ThreadId) -> bool {
    let (before, after) = (machine.stands(from, thread), machine.stands(to, thread));
    match (before.last(), after.last()) {
        (Some((function, pc)), Some((now, now_pc))) => function == now && now_pc <= pc,
        (_, None) => true,
        (None, _) => false,
    }
}

/// Whether a thread cannot move before one of these has ended.
fn waits_for(machine: &Machine, state: &State, thread: ThreadId, group: &[ThreadId]) -> bool {
    matches!(machine.need(state, thread), Some(Need::End(peer)) if group.contains(&peer))
}
