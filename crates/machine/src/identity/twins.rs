//! Twins: threads of which only one needs to be followed.
//!
//! Two threads are twins in a state if their parts are equal (they are at the same
//! place with the same values, such as threads with the same function and
//! argument that have not moved yet) and no object names either of them: they
//! hold no lock and wait at no barrier. Where it makes no difference which of the
//! two moves next, a search follows one of them only.
//!
//! This is cheaper than sorting the threads of every state
//! ([`crate::identity::symmetry`]): parts have numbers, and equal parts equal
//! numbers. It merges less; but of threads that go on from place to place it
//! leaves the same states, for the second of two never gets ahead of the first
//! without being its twin before.
//!
//! # Why it is sound
//!
//! Let a renaming `r` act on the list of threads and on the threads that objects
//! name, but not on handles; `main` keeps its number. A step of the machine
//! commutes with renamings as long as handles are not used, since numbers of
//! threads appear nowhere else but
//! - in clocks and remembered accesses, where races are found by clocks,
//! - in store buffers, whose commits are steps of their own,
//! - in identifiers and stacks that are given out again, which matters only to
//!   programs that tell addresses or identifiers of threads.
//!
//! Where one of these is so, there are no twins. If `a` and `b` are twins in
//! a state `s`, and `r` swaps them, then `r(s) = s`; so if `b` leads from `s` to
//! `u`, `a` leads from `s` to `r(u)`. By induction, for every execution there is
//! one that the search follows, with the threads renamed: it has the same faults,
//! the same contents of memory but for the threads that hold locks, and the same
//! context switches, if among twins one is taken that has the processor, where
//! there is one, or if the one that is taken takes the processor over: the execution
//! in which the two are swapped from there on is one of the program.
//!
//! Handles that are never used make no difference ([`Handles::Unused`]).
//!
//! **Joins.** If `main` joins threads, it may have to wait for another one in the
//! renamed execution. Call a *round* a sequence of steps of `main` that are joins
//! or read handles. Others see nothing of a round: `main` alone reads handles,
//! it wants no results, and it holds no lock. What it does in a round besides is
//! done to what no other thread can reach, or to what no other thread can disturb
//! while `main` is about to do it. So it has the same outcome whenever it is done,
//! since nothing that others do waits for `main` to get on within a round. A
//! round can therefore be delayed until it can be done at once. If it joins all
//! threads that there are, that is when all have ended, whatever their numbers
//! are: also in the renamed execution. There is one switch to `main` for it, and
//! none to it before.
//!
//! That a round joins all threads is shown where `main` enters it, by executing
//! `main` on the supposition that the others have ended
//! ([`Twins::joins_all`]). If it does not, the search begins anew without
//! twins. It would not do to look where `main` leaves a round: a thread that
//! waits for what `main` does after joining one of its twins ends in some
//! executions only, and they may be the ones that are not followed.
//!
//! A deadlock can depend on how far `main` is in a round, if threads wait for
//! what any other thread could do: then there are no twins. Otherwise a thread
//! that is stuck waits for locks of others that are, and `main` holds none in a
//! round. Which memory is lost can depend on it too.
//!
//! # Searches that remember what single threads do
//!
//! A reduction that relies on what *other* threads were seen to do (`reduction`) must
//! not take two threads for one of which it relies on the first. Twins that have not
//! moved yet ([`Twins::beginners`]) are no such threads: no thread gets back to its
//! beginning, so that renaming leaves all threads alone that have moved. If such a
//! search lets one of these go on alone, and others that have not moved could
//! interfere, then the first of them is another thread than the one that goes on,
//! and is seen to interfere in its place.
//! A search that follows one of twins that have moved does not tell threads other than
//! `main` apart in what it relies upon.

use ir::{FuncId, Instr, Pc, SyncOp};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use triomphe::Arc;

use crate::identity::handles::{Handles, handles};
use crate::identity::part::Part;
use crate::independence::depends::Other;
use crate::machine::{Grain, Machine};
use crate::state::State;
use crate::state::thread::Status;
use crate::telling::fault::ThreadId;

const MAIN: ThreadId = ThreadId(0);

/// So many steps of `main` are looked at to see whether it joins all threads.
const MAX_STEPS: usize = 10_000;

/// In states with more objects twins are not looked for: any of them could name threads.
const MAX_OBJECTS: usize = 1000;

/// Where the twins of a program can stand for each other.
pub struct Twins {
    /// Where `main` joins threads or reads handles; nowhere, if handles are not
    /// used.
    rounds: FxHashSet<(FuncId, Pc)>,
    /// What is executed on a supposition only does not count as executed.
    ahead: Machine,
}

impl Machine {
    /// How twins can stand for each other, if they can.
    pub fn twins(&self) -> Option<Twins> {
        let numbered = self.track_races || self.has_buffers || self.tells_addresses || self.tells_thread_ids;
        // Formulas may name threads.
        if numbered || self.can_abandon() || self.temporal().is_some() {
            return None;
        }
        let rounds = match handles(self.program(), self.entry)? {
            Handles::Unused => FxHashSet::default(),
            Handles::Joined { .. } if self.notes_lost => return None,
            Handles::Joined { loads } => loads.into_iter().chain(self.joins()).collect(),
        };
        let twins = Twins { rounds, ahead: self.unmarked().untracked() };
        twins.has_whole_round().then_some(twins)
    }

    /// Where the program joins threads.
    fn joins(&self) -> impl Iterator<Item = (FuncId, Pc)> + '_ {
        let is_join = |instr: &Instr| matches!(instr, Instr::Sync { op: SyncOp::ThreadJoin, .. });
        self.program().functions.iter().enumerate().flat_map(move |(function, body)| {
            let joins = body.code.iter().enumerate().filter(move |(_, instr)| is_join(instr));
            joins.map(move |(pc, _)| (FuncId(function as u32), pc as Pc))
        })
    }
}

impl Twins {
    /// Whether twins still stand for each other after a step of an execution: if `main` has entered a
    /// round of joins in it, all threads are joined there.
    pub fn stay_alike(&self, from: &State, to: &State) -> bool {
        self.has_no_rounds() || self.is_round(from) || !self.is_round(to) || self.joins_all(to)
    }

    /// Whether `main`, whose part this is, is in a round of joins.
    pub fn is_in_round(&self, main: &Part) -> bool {
        !self.rounds.is_empty() && main.next_site().is_some_and(|site| self.rounds.contains(&site))
    }

    /// Whether `main`, which is in a round, will have joined all threads when it
    /// leaves it, and holds no lock meanwhile. The state is normal.
    pub fn joins_all(&self, state: &State) -> bool {
        let Some(other) = state.alive().find(|thread| *thread != MAIN) else { return true };
        let held = state.memory.slots.iter().any(|object| object.named_threads().contains(&MAIN));
        if held || state.thread(MAIN).atomic > 0 {
            return false;
        }
        let mut ahead = state.clone();
        // So that main is not taken to be alone.
        ahead.threads.push(Arc::clone(&state.threads[other.0 as usize]));
        for _ in 0..MAX_STEPS {
            if !self.is_round(&ahead) {
                return state.thread_ids().all(|thread| thread == MAIN || ahead.thread(thread).joined);
            }
            if self.ahead.is_joining(&ahead, MAIN) {
                let Some(peer) = self.peer(&ahead).filter(|peer| peer.0 < state.threads.len() as u32) else {
                    return false;
                };
                ahead.thread_mut(peer).status = Status::Ended;
            }
            if !self.moves_main(&mut ahead) {
                return false;
            }
        }
        false
    }

    /// Whether the first round joins all threads, if `main` gets there while no
    /// other thread moves, and without very many objects. A search that would have to
    /// begin anew need not begin.
    fn has_whole_round(&self) -> bool {
        if self.rounds.is_empty() {
            return true;
        }
        let mut state = self.ahead.initial();
        for _ in 0..MAX_STEPS {
            if state.shape().1 > MAX_OBJECTS {
                return false;
            }
            if self.is_round(&state) {
                return self.joins_all(&state);
            }
            if !self.ahead.goes_on(&state, MAIN) || !self.moves_main(&mut state) {
                break;
            }
            self.ahead.normalise(&mut state);
        }
        true
    }

    /// Whether no handle is ever used, so that there are no rounds.
    pub fn has_no_rounds(&self) -> bool {
        self.rounds.is_empty()
    }

    /// Tells of each of some threads of a normal state, ascending, whether it has to be
    /// followed: not if it has not moved yet and one before is its twin.
    pub fn beginners<'s>(&self, state: &'s State) -> impl FnMut(ThreadId) -> bool + 's {
        let mut first = SmallVec::<[Part; 4]>::new();
        move |thread| {
            if thread == MAIN || !state.thread(thread).is_at_beginning() {
                return true;
            }
            let part = state.part(Other::Thread(thread.0));
            let is_first = !first.contains(&part);
            if is_first {
                first.push(part);
            }
            is_first
        }
    }

    /// Takes a step of `main`; says whether it had no choice and went well.
    fn moves_main(&self, state: &mut State) -> bool {
        self.ahead.choices(state, MAIN) == Ok(1) && {
            let step = self.ahead.step(state, MAIN, 0, Grain::Visible, &mut ());
            step.end.is_none() && step.faults.is_empty()
        }
    }

    /// The thread that `main` is about to join.
    fn peer(&self, state: &State) -> Option<ThreadId> {
        let Some(Instr::Sync { args, .. }) = self.ahead.next_instruction(state, MAIN) else { return None };
        state.thread_of_handle(self.ahead.peek(state, MAIN, args[0]))
    }

    fn is_round(&self, state: &State) -> bool {
        self.is_in_round(&state.part(Other::Thread(MAIN.0)))
    }
}
