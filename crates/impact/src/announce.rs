//! Data races as failures: announced accesses.
//!
//! Two threads race if both are about to make conflicting accesses in one state; the
//! conditions under which that is all there is to races are those of
//! [`machine::Machine::without_clocks`]. Reductions do not keep such states: of two accesses
//! that can be made next to each other they follow one execution, in which steps of others may
//! come between them. So in the system that is explored an access that may race is made in
//! two steps. The thread first *announces* it: the announcement is part of the location. Then it
//! makes the access, and takes the announcement back. A thread that announces an access which
//! conflicts with one that another thread has announced fails. What it announces is what its next
//! instruction accesses, so the location need only say whether it has.
//!
//! **Theorem.** A failure can be reached if and only if a state can be reached in which two
//! threads are about to make conflicting accesses. *If:* one announces its access, then the other
//! one. *Only if:* neither has moved since its announcement, which changes nothing else. ∎
//!
//! A failure is one of a step, so the reductions keep it like any other. They take an announcement
//! for a step of the instruction whose access it announces: it conflicts with the accesses and
//! the announcements that this one conflicts with, and with no others, for it depends on no data
//! but registers of its own thread and on the announcements of accesses that may race with it.
//! These conflict with it ([`Races::conflict`]).
//!
//! Threads do not announce what they access in an atomic section, within which no others move.
//! Such an access fails if it conflicts with one that another thread has announced before. So
//! sections are followed instruction by instruction. Two of them never race.
//!
//! Of accesses that the static analysis shows to be in no first race of an execution none is
//! announced: where there is a race, there is a first one.

use analysis::Place;
use ir::operation::{Action, Operation};
use ir::{Instr, Program};
use logic::{Term, Terms};
use machine::{Coming, Fault, FaultKind, Machine, RaceAccess, State, ThreadId, Touch, Value};
use rustc_hash::FxHashSet;

/// The accesses that may race.
pub struct Races {
    /// Pairs of them, in both orders; none if nothing is known.
    pairs: Option<FxHashSet<(Place, Place)>>,
    places: FxHashSet<Place>,
}

/// What a thread is to do before its next instruction.
pub enum Ahead {
    /// Nothing.
    Nothing,
    /// That cannot be told.
    Unknown(&'static str),
    /// To make sure that its accesses do not conflict with those that others have announced.
    Access {
        /// Whether it announces them as well, in a step of its own.
        announces: bool,
        /// The conflicts that there may be.
        meetings: Vec<Meeting>,
    },
}

/// A conflict of two accesses.
pub struct Meeting {
    /// When there is one.
    pub condition: Term,
    /// The race, as far as it is known before it is executed.
    pub fault: Fault,
}

impl Races {
    /// What the static analysis does not exclude.
    pub fn of(program: &Program) -> Races {
        let found = analysis::analyse(program).ok().map(|found| found.pairs);
        let pairs = found.map(|pairs| pairs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect());
        let places = pairs.iter().flatten().map(|(place, _): &(Place, Place)| *place).collect();
        Races { pairs, places }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.as_ref().is_some_and(|pairs| pairs.is_empty())
    }

    /// Whether accesses of an instruction may race.
    pub fn has(&self, place: Place) -> bool {
        self.pairs.is_none() || self.places.contains(&place)
    }

    /// Whether accesses of two instructions may race.
    pub fn conflict(&self, a: Place, b: Place) -> bool {
        self.pairs.as_ref().is_none_or(|pairs| pairs.contains(&(a, b)))
    }

    /// What a thread that can move is to do first, if these have announced accesses.
    pub fn ahead(
        &self,
        terms: &mut Terms,
        (machine, state): (&Machine, &State),
        thread: ThreadId,
        announced: &[ThreadId],
    ) -> Ahead {
        let alone = state.alive().all(|other| other == thread);
        if !alone && machine.is_renewing(state, thread) {
            return Ahead::Unknown(RENEWED);
        }
        let in_section = machine.is_in_section(state, thread);
        let observable = in_section || machine.is_observable(state, thread);
        let is_within = announced.contains(&thread) || machine.is_amid_instruction(state, thread);
        let place = next_place(machine, state, thread).filter(|place| self.has(*place));
        let Some(place) = place.filter(|_| !alone && observable && !is_within) else { return Ahead::Nothing };
        let Some(own) = machine.coming(state, thread) else { return Ahead::Unknown(ANYWHERE) };
        let mut meetings = Vec::new();
        for other in announced {
            let may_race =
                next_place(machine, state, *other).is_some_and(|theirs| self.conflict(place, theirs));
            let Some(theirs) = machine.coming(state, *other) else { return Ahead::Unknown(ANYWHERE) };
            let pairs = own.iter().flat_map(|a| theirs.iter().map(move |b| (a, b)));
            for (a, b) in pairs.filter(|(a, b)| may_race && a.conflicts(b)) {
                let width = machine.program().pointer_size() as u8 * 8;
                let condition = overlap(terms, width, a, b);
                if !terms.is_false(condition) {
                    let fault = race((machine, state), (*other, b), (thread, a));
                    meetings.push(Meeting { condition, fault });
                }
            }
        }
        match own.is_empty() || in_section && meetings.is_empty() {
            true => Ahead::Nothing,
            false => Ahead::Access { announces: !in_section, meetings },
        }
    }
}

/// Whether a thread is in an atomic section or about to begin one, which is followed instruction by
/// instruction.
pub fn is_at_section(machine: &Machine, state: &State, thread: ThreadId) -> bool {
    let begins = matches!(machine.next_instruction(state, thread), Some(Instr::AtomicBegin { .. }));
    begins || machine.is_in_section(state, thread)
}

/// Whether an instruction initialises or destroys an object of synchronisation: where other threads
/// run, what follows is not known.
pub fn is_renewal(instr: &Instr) -> bool {
    let Instr::Sync { op, .. } = instr else { return false };
    matches!(Operation::of(*op).action, Action::Init { .. } | Action::Destroy)
}

const RENEWED: &str = "a lock that is made or destroyed while other threads run, where races are looked for,";
const ANYWHERE: &str = "an access through a number, where races are looked for,";

fn next_place(machine: &Machine, state: &State, thread: ThreadId) -> Option<Place> {
    machine.stands(state, thread).last().map(|(function, pc)| Place { function: *function, pc: *pc })
}

/// The race of two accesses; that its execution shows has names as well.
fn race(
    (machine, state): (&Machine, &State),
    (earlier, first): (ThreadId, &Coming),
    (thread, second): (ThreadId, &Coming),
) -> Fault {
    let access = |thread, coming: &Coming| RaceAccess {
        thread,
        at: machine.position(state, thread),
        touch: if coming.writes { Touch::Write } else { Touch::Read },
        atomic: coming.atomic,
        volatile: false,
        frees: coming.frees,
    };
    let (first, second) = (access(earlier, first), access(thread, second));
    let kind = FaultKind::DataRace { variable: String::new(), first, second };
    Fault { kind, thread, at: machine.position(state, thread), calls: Vec::new() }
}

/// The condition that two accesses to one object share a byte of it.
fn overlap(terms: &mut Terms, width: u8, a: &Coming, b: &Coming) -> Term {
    let inside = [a, b].map(|coming| inside(terms, width, coming));
    let met = match are_elements(terms, width, a, b) {
        true => {
            let (a, b) = (begin(terms, width, a), begin(terms, width, b));
            terms.eq(a, b)
        }
        false => {
            let (from_a, from_b) = (reaches(terms, width, a, b), reaches(terms, width, b, a));
            terms.or(from_a, from_b)
        }
    };
    terms.all([met, inside[0], inside[1]])
}

/// Whether two accesses are known to be to elements of an array of such elements, which are either
/// the same or apart. That indices are equal is easier to refute than that bytes meet.
fn are_elements(terms: &mut Terms, width: u8, a: &Coming, b: &Coming) -> bool {
    let (Some(len), Some(other)) = (a.len, b.len) else { return false };
    let mut is_aligned = |coming: &Coming| {
        let begin = begin(terms, width, coming);
        terms.known(begin).zeros.trailing_ones() >= len.bits.trailing_zeros()
    };
    len == other && len.is_plain() && len.bits.is_power_of_two() && is_aligned(a) && is_aligned(b)
}

/// Whether an access comes to the first byte of another one.
fn reaches(terms: &mut Terms, width: u8, a: &Coming, b: &Coming) -> Term {
    let (begin, other) = (begin(terms, width, a), begin(terms, width, b));
    let distance = terms.sub(other, begin);
    let before = within(terms, width, a, distance);
    let none = terms.constant(width, 0);
    let is_made = within(terms, width, b, none);
    terms.and(before, is_made)
}

/// Whether an access has more bytes than this.
fn within(terms: &mut Terms, width: u8, coming: &Coming, distance: Term) -> Term {
    match coming.len {
        Some(len) => {
            let len = number(terms, width, len);
            terms.ult(distance, len)
        }
        None => terms.boolean(true),
    }
}

/// Whether an access stays within its object; if that is not known here, a fault of memory shows it.
fn inside(terms: &mut Terms, width: u8, coming: &Coming) -> Term {
    let (Some(len), Some(size)) = (coming.len, coming.size) else { return terms.boolean(true) };
    let (begin, len) = (begin(terms, width, coming), number(terms, width, len));
    let size = terms.constant(width, size.into());
    let fits = terms.ule(len, size);
    let last = terms.sub(size, len);
    let before = terms.ule(begin, last);
    terms.and(fits, before)
}

fn begin(terms: &mut Terms, width: u8, coming: &Coming) -> Term {
    match coming.len {
        Some(_) => number(terms, width, coming.offset),
        None => terms.constant(width, 0),
    }
}

fn number(terms: &mut Terms, width: u8, value: Value) -> Term {
    match value.is_symbolic() {
        true => Term::from_number(value.sym.0),
        false => terms.constant(width, value.bits.into()),
    }
}
