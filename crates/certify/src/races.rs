//! Data races as something that must not happen at a step.
//!
//! A program has a race if and only if a state can be reached in which two threads are about to
//! make conflicting accesses: that is the theorem at [`Machine::without_clocks`], whose conditions
//! are asked of the machine. A proof follows only some of the executions, on which other steps may
//! come between the two accesses. So it is about a system in which threads make such an access in
//! two steps: a thread first *announces* its next access, which changes nothing but who has
//! announced one, and then makes it. What must not happen is that a thread announces an access
//! while another thread has announced one that conflicts with it. Such a step can be reached if and
//! only if there is a race: the two threads can announce their accesses one after the other where
//! both are about to be made, and a thread does not move between announcing an access and making it.
//!
//! For the threads that are left out (`reduction`), an announcement is a step of the instruction
//! whose access it is. It conflicts with what this instruction conflicts with, and with the
//! announcements of accesses that may race with it.
//!
//! Within an atomic section no other thread moves, so a thread does not announce what it accesses
//! there: the access itself is what must not conflict with those that are announced. For this,
//! sections are taken instruction by instruction.
//!
//! An access is announced if the static analysis of races does not exclude that it is in the first
//! race of an execution.

use analysis::Place;
use ir::Instr;
use logic::{Term, Terms};
use machine::{Coming, Machine, State, ThreadId, Value};
use rustc_hash::FxHashSet;

/// The accesses that may race.
pub struct Races {
    /// The pairs of their instructions, each in one order; none if any two may.
    pairs: Option<FxHashSet<(Place, Place)>>,
    /// All these instructions.
    places: FxHashSet<Place>,
}

/// What the next step of a thread is.
pub enum Next {
    /// One of the machine.
    Step,
    /// One that is not followed, for this reason.
    Lost(&'static str),
    /// An access that may race.
    Access {
        /// Whether it is announced and not made yet.
        is_announced: bool,
        /// When it conflicts with one that was announced before, and where that one is.
        conflicts: Vec<(Term, String)>,
    },
}

impl Races {
    /// The races that a proof for a machine has to exclude by its steps, if there are any; or why no
    /// proof can do so.
    pub fn of(machine: &Machine) -> Result<Option<Races>, &'static str> {
        let pairs = analysis::analyse(machine.program()).ok().map(|known| known.pairs);
        let pairs: Option<FxHashSet<_>> = pairs.map(|pairs| pairs.into_iter().collect());
        if pairs.as_ref().is_some_and(FxHashSet::is_empty) {
            return Ok(None);
        }
        if machine.without_clocks().is_none() {
            return Err("races that only clocks show");
        }
        let places = pairs.iter().flatten().flat_map(|(a, b)| [*a, *b]).collect();
        Ok(Some(Races { pairs, places }))
    }

    /// Whether an access of an instruction may race.
    pub fn has(&self, place: Place) -> bool {
        self.pairs.is_none() || self.places.contains(&place)
    }

    /// Whether accesses of two instructions may race.
    pub fn may_meet(&self, a: Place, b: Place) -> bool {
        self.pairs.as_ref().is_none_or(|pairs| pairs.contains(&(a, b)) || pairs.contains(&(b, a)))
    }

    /// What comes next of a thread that can move, where these have announced accesses.
    pub fn next(
        &self,
        terms: &mut Terms,
        (machine, state): (&Machine, &State),
        thread: ThreadId,
        announced: &[ThreadId],
    ) -> Next {
        if state.alive().all(|alive| alive == thread) {
            return Next::Step;
        }
        // What an object of synchronisation has published is forgotten when it is made anew.
        if machine.is_renewing(state, thread) {
            return Next::Lost("a lock that is made or destroyed beside other threads");
        }
        let in_section = machine.is_in_section(state, thread);
        let is_made = announced.contains(&thread) || machine.is_amid_instruction(state, thread);
        // What others cannot observe they cannot conflict with.
        let is_private = !in_section && !machine.is_observable(state, thread);
        let Some(place) = next_place(machine, state, thread) else { return Next::Step };
        if is_made || is_private || !self.has(place) {
            return Next::Step;
        }
        let Some(own) = machine.coming(state, thread) else { return Next::Lost(ANYWHERE) };
        let mut conflicts = Vec::new();
        for other in announced {
            let Some(there) = next_place(machine, state, *other) else { continue };
            if !self.may_meet(place, there) {
                continue;
            }
            let Some(theirs) = machine.coming(state, *other) else { return Next::Lost(ANYWHERE) };
            for (a, b) in own.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
                if a.conflicts(b) {
                    let condition = meet(terms, machine.program().pointer_width, a, b);
                    conflicts.push((condition, machine.position(state, *other).to_string()));
                }
            }
        }
        match own.is_empty() || in_section && conflicts.is_empty() {
            true => Next::Step,
            false => Next::Access { is_announced: !in_section, conflicts },
        }
    }
}

const ANYWHERE: &str = "an access through a number, which may race with any other,";

/// Whether a step is taken instruction by instruction: it begins an atomic section, or is in one.
pub fn is_at_section(machine: &Machine, state: &State, thread: ThreadId) -> bool {
    let next = machine.next_instruction(state, thread);
    machine.is_in_section(state, thread) || matches!(next, Some(Instr::AtomicBegin { .. }))
}

fn next_place(machine: &Machine, state: &State, thread: ThreadId) -> Option<Place> {
    let stands = machine.stands(state, thread);
    stands.last().map(|(function, pc)| Place { function: *function, pc: *pc })
}

/// Bytes of an object.
struct Range {
    begin: Term,
    len: Term,
}

/// The condition that two accesses to one object have a byte in common. Those that do not stay
/// within their object have none: they are faults of memory.
fn meet(terms: &mut Terms, width: u8, a: &Coming, b: &Coming) -> Term {
    // Where it is not defined what is accessed, it may be anything.
    let (Some(one), Some(other)) = (range(terms, width, a), range(terms, width, b)) else {
        return terms.boolean(true);
    };
    let (other_begins_in, begins_in_other) = (begins_in(terms, &other, &one), begins_in(terms, &one, &other));
    let begins = terms.or(other_begins_in, begins_in_other);
    let zero = terms.constant(width, 0);
    let mut all = vec![begins];
    for (range, size) in [(&one, a.size), (&other, b.size)] {
        let is_empty = terms.eq(range.len, zero);
        all.push(terms.not(is_empty));
        if let Some(size) = size {
            let size = terms.constant(width, size.into());
            let last = terms.sub(size, range.len);
            all.push(terms.ule(range.len, size));
            all.push(terms.ule(range.begin, last));
        }
    }
    terms.all(all)
}

/// The bytes of an access. None if they depend on undefined bits.
fn range(terms: &mut Terms, width: u8, access: &Coming) -> Option<Range> {
    match access.len {
        Some(len) => {
            Some(Range { begin: number(terms, width, access.offset)?, len: number(terms, width, len)? })
        }
        // The whole object.
        None => {
            let most = 1 << (width - 1);
            let size = access.size.map_or(most, u128::from);
            Some(Range { begin: terms.constant(width, 0), len: terms.constant(width, size) })
        }
    }
}

/// The condition that a range begins within another one, whose length is not 0 then.
fn begins_in(terms: &mut Terms, range: &Range, other: &Range) -> Term {
    let distance = terms.sub(range.begin, other.begin);
    terms.ult(distance, other.len)
}

fn number(terms: &mut Terms, width: u8, value: Value) -> Option<Term> {
    let term = match value.is_symbolic() {
        true => Term::from_number(value.sym.0),
        false => terms.constant(width, value.bits.into()),
    };
    (value.undef == 0 && terms.width(term) == width).then_some(term)
}
