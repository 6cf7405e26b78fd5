//! Data races without clocks: two steps that conflict and can both be taken in
//! one state.
//!
//! Clocks tell of every execution whether two of its accesses are ordered. They
//! are part of the state, and multiply the states. Where threads learn of each
//! other only by ways that also order them, no clocks are needed:
//!
//! **Theorem.** Let each way in which a step can depend on a step of another
//! thread, but for plain accesses, be an edge of happens-before. Then an
//! execution has a data race if and only if some execution leads to a state in
//! which two threads are about to make conflicting accesses.
//!
//! *If:* neither access is ordered before the other when both are still to be
//! made, so taking one after the other is a race.
//!
//! *Only if:* let `b` be the first access of the execution that races with an
//! earlier one, `a`. Take the steps that happen before `a` or `b`, in the order
//! of the execution. They include all that any of them depends on: by the
//! condition, and since the plain accesses before `b` do not race, so that each
//! read is ordered after the write that it reads. So they can be executed
//! without the others, with the same values. Neither `a` nor a later step of
//! its thread is among them, for it would happen before `b`; neither is `b`. In
//! the end both threads stand before their access. ∎
//!
//! The condition ([`is_causal`]) holds for locks, conditions (a wait may always
//! end without a signal), barriers, semaphores, creation and join, atomic
//! sections that order, and atomic reads that acquire with atomic writes that
//! release. It does not hold for relaxed atomics, for operations that find out
//! that a lock is held without waiting for it, and for numbers that are given
//! out in order: keys, and addresses that a program compares.
//!
//! Making an object of synchronisation anew forgets what it published. So these
//! objects must be named where they are used, of one kind each, and written to by
//! their own operations alone ([`locks_are_plain`]); and where one is initialised
//! or destroyed while there are several threads, races cannot be told without
//! clocks.
//!
//! An atomic section is one step, so a thread before a section is about to make
//! all its accesses. Two sections never conflict. Nothing in a section may
//! publish what comes before the section's end ([`sections_are_plain`]), or the
//! thread that learns of it gets to its own access too late.
//!
//! What a step of the grain `Visible` does besides its first instruction is not
//! seen by others, so it suffices to look at states between such steps.

use ir::{Callee, FuncId, GlobalId, Instr, Operand, Order, Pc, Program, SyncOp, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::machine::{Config, Grain, Machine};
use crate::memory::object::Life;
use crate::state::State;
use crate::state::thread::Status;
use crate::telling::fault::{ThreadId, Touch};
use crate::telling::observer::{Event, Observer, Place};
use crate::telling::property::{Properties, Property};
use crate::value::{Named, ObjectId, Value};
use ir::operation::{Action, Operation, Subject};

/// Two threads whose next steps race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Racing {
    /// The one whose step makes the race show.
    pub last: ThreadId,
    /// The data choice of its step.
    pub choice: u64,
    /// The one that moves at some time before, without a data choice. (Not while
    /// the other one is in an atomic section.)
    pub earlier: ThreadId,
}

/// What tells of a thread's next step whether it may race. It depends on no
/// more than whether the thread can move ([`Machine::guard`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prospect {
    /// Whether the step initialises or destroys an object of synchronisation.
    renews: bool,
    ahead: Option<Ahead>,
}

/// Whether [`Machine::racing`] may find something, by the prospects of all
/// threads.
pub fn may_race<'a>(prospects: impl Iterator<Item = &'a Prospect>) -> bool {
    let mut before: SmallVec<[&Ahead; 8]> = SmallVec::new();
    for Prospect { renews, ahead } in prospects {
        if *renews || ahead.as_ref().is_some_and(|ahead| before.iter().any(|other| other.may_conflict(ahead)))
        {
            return true;
        }
        before.extend(ahead);
    }
    false
}

/// An access that a thread's next instruction makes and that can race, where numbers may be
/// unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coming {
    /// The object, which is alive.
    pub object: ObjectId,
    /// Where it begins there.
    pub offset: Value,
    /// How many bytes; none if it is the whole object.
    pub len: Option<Value>,
    /// How many the object has, if that is known.
    pub size: Option<u64>,
    /// Whether it may write.
    pub writes: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether it frees the object.
    pub frees: bool,
}

impl Coming {
    /// Whether it races with that of another thread to the same bytes.
    pub fn conflicts(&self, other: &Coming) -> bool {
        // Two frees are a fault of memory, whichever comes first.
        self.object == other.object
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && !(self.frees && other.frees)
    }
}

/// What a thread is about to access.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ahead {
    thread: ThreadId,
    lateness: Lateness,
    /// Where, as far as looking tells; none for anywhere.
    places: Option<SmallVec<[Access; 2]>>,
}

/// Which of two steps that race is to be taken last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Lateness {
    Any,
    /// A start that is made earlier gives other threads other numbers.
    Start,
    /// A section may stop at a data choice, and other threads cannot move then.
    Section,
    /// After a free, any access is a fault of memory.
    Free,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    place: Place,
    writes: bool,
    atomic: bool,
}

impl Access {
    fn conflicts(&self, other: &Access) -> bool {
        let meet = self.place.object == other.place.object
            && self.place.offset < other.place.offset.saturating_add(other.place.len)
            && other.place.offset < self.place.offset.saturating_add(self.place.len);
        meet && (self.writes || other.writes) && !(self.atomic && other.atomic)
    }
}

impl Ahead {
    /// Whether its accesses may conflict with those of another thread.
    fn may_conflict(&self, other: &Ahead) -> bool {
        let (Some(mine), Some(theirs)) = (&self.places, &other.places) else {
            return !(self.is_section() && other.is_section());
        };
        // Two frees are a fault of memory, whichever comes first.
        conflict(mine, theirs) && !(self.lateness == Lateness::Free && other.lateness == Lateness::Free)
    }

    fn is_section(&self) -> bool {
        self.lateness == Lateness::Section
    }
}

fn conflict(mine: &[Access], theirs: &[Access]) -> bool {
    mine.iter().any(|a| theirs.iter().any(|b| a.conflicts(b)))
}

impl Machine {
    /// The same machine without clocks, where races show without them.
    pub fn without_clocks(&self) -> Option<Machine> {
        // After a race that is not told, what others know of each other is not what a race
        // tells.
        let suppresses = !self.config().suppressions.is_empty() || self.config().past_faults;
        let possible = self.track_races && !self.tells_addresses && !self.makes_robust && !suppresses;
        (possible && is_causal(self.program())).then(|| self.anew().untracked())
    }

    /// The same machine without races.
    pub fn without_races(&self) -> Machine {
        let race: Properties = [Property::Race].into_iter().collect();
        let config = self.config();
        self.marking(Config { properties: config.properties.without(race), ..config.clone() })
    }

    /// What tells of a thread's next step whether it may race.
    pub fn prospect(&self, state: &State, thread: ThreadId) -> Prospect {
        Prospect { renews: self.is_renewing(state, thread), ahead: self.ahead(state, thread) }
    }

    /// The pairs of threads whose next steps race, where races are looked for
    /// without clocks; none if that does not tell.
    pub fn racing(&self, state: &State, grain: Grain) -> Option<SmallVec<[Racing; 2]>> {
        if !state.is_alone() && state.alive().any(|thread| self.is_renewing(state, thread)) {
            return None;
        }
        Some(self.racing_pairs(state, grain))
    }

    /// The accesses of a thread's next instruction that can race; `None` if they may go anywhere.
    pub fn coming(&self, state: &State, thread: ThreadId) -> Option<Vec<Coming>> {
        let Some(instr) = self.next_instruction(state, thread) else { return Some(Vec::new()) };
        let (mut coming, mut anywhere) = (Vec::new(), false);
        let frees = matches!(instr, Instr::Free { .. });
        for_each_access(instr, self.program().pointer_size(), |ptr, extent, writes, atomic| {
            let pointer = self.peek(state, thread, ptr);
            if !matches!(pointer.object.named(), Named::Slot { .. }) {
                let is_null = pointer.object == ObjectId::NONE && pointer.is_plain() && pointer.bits == 0;
                anywhere |= !is_null && !matches!(pointer.object.named(), Named::Constant(_));
                return;
            }
            // An access to an object that has ended is a fault.
            let object = state.memory.get(pointer.object).filter(|object| object.life == Life::Alive);
            let Some(object) = object else { return };
            let len = match extent {
                Extent::Bytes(len) => Some(Value::int(len)),
                Extent::Counted(len) => Some(self.peek(state, thread, len)),
                Extent::Whole => None,
            };
            let size = object.open.is_none().then(|| object.size());
            coming.push(Coming { object: pointer.object, offset: pointer, len, size, writes, atomic, frees });
        });
        (!anywhere).then_some(coming)
    }

    /// Whether a thread is about to initialise or destroy an object of
    /// synchronisation.
    pub fn is_renewing(&self, state: &State, thread: ThreadId) -> bool {
        let Some(Instr::Sync { op, .. }) = self.next_instruction(state, thread) else { return false };
        matches!(Operation::of(*op).action, Action::Init { .. } | Action::Destroy)
    }

    fn racing_pairs(&self, state: &State, grain: Grain) -> SmallVec<[Racing; 2]> {
        let ahead: SmallVec<[Ahead; 8]> = state.alive().filter_map(|t| self.ahead(state, t)).collect();
        let mut racing = SmallVec::new();
        if let Some(inside) = ahead.iter().position(|ahead| self.is_in_section(state, ahead.thread)) {
            let others = ahead.iter().enumerate().filter(|(index, _)| *index != inside);
            others.for_each(|(_, other)| self.race_inside(state, grain, &ahead[inside], other, &mut racing));
            return racing;
        }
        for (index, one) in ahead.iter().enumerate() {
            for other in &ahead[index + 1..] {
                self.race(state, grain, one, other, &mut racing);
            }
        }
        racing
    }

    /// Adds the race between two threads that can both move, if there is one,
    /// in each order in which it shows ([`Ahead::lateness`]).
    fn race(
        &self,
        state: &State,
        grain: Grain,
        one: &Ahead,
        other: &Ahead,
        racing: &mut SmallVec<[Racing; 2]>,
    ) {
        let accesses = |ahead: &Ahead| self.accesses(state, ahead.thread, 0, grain);
        if !one.may_conflict(other) || !conflict(&accesses(one), &accesses(other)) {
            return;
        }
        for (earlier, last) in [(one, other), (other, one)] {
            if earlier.lateness <= last.lateness {
                racing.push(Racing { last: last.thread, choice: 0, earlier: earlier.thread });
            }
        }
    }

    /// Adds the races between a thread inside a section and another one, for
    /// each data choice of the former.
    fn race_inside(
        &self,
        state: &State,
        grain: Grain,
        inside: &Ahead,
        other: &Ahead,
        racing: &mut SmallVec<[Racing; 2]>,
    ) {
        if !inside.may_conflict(other) {
            return;
        }
        let (last, earlier) = (inside.thread, other.thread);
        let theirs = self.accesses(state, earlier, 0, grain);
        // A search that cannot take so many choices says so itself.
        for choice in 0..self.choices(state, last).unwrap_or(0) {
            if conflict(&self.accesses(state, last, choice, grain), &theirs) {
                racing.push(Racing { last, choice, earlier });
            }
        }
    }

    /// Whether a thread is inside an atomic section.
    pub fn is_in_section(&self, state: &State, thread: ThreadId) -> bool {
        state.thread(thread).atomic > 0
    }

    /// Whether a thread has begun with its next instruction and not come to its end: memory that is
    /// copied piece by piece, and accesses that are torn.
    pub fn is_amid_instruction(&self, state: &State, thread: ThreadId) -> bool {
        let frame = state.thread(thread).frame();
        frame.progress > 0 || frame.pending.is_some()
    }

    /// The accesses of a thread's next step.
    fn accesses(&self, state: &State, thread: ThreadId, choice: u64, grain: Grain) -> Vec<Access> {
        let mut accesses = Accesses::default();
        self.step(&mut state.clone(), thread, choice, grain, &mut accesses);
        accesses.0
    }

    /// What a thread is about to access; none if it touches no memory.
    fn ahead(&self, state: &State, thread: ThreadId) -> Option<Ahead> {
        let instr = self.next_instruction(state, thread)?;
        if state.thread(thread).status != Status::Ready {
            return None;
        }
        if self.is_in_section(state, thread) || matches!(instr, Instr::AtomicBegin { .. }) {
            return Some(Ahead { thread, lateness: Lateness::Section, places: None });
        }
        let mut places = SmallVec::new();
        let mut anywhere = false;
        for_each_access(instr, self.program().pointer_size(), |ptr, extent, writes, atomic| {
            let pointer = self.peek(state, thread, ptr);
            let (object, offset) = (pointer.object, pointer.bits);
            match object.named() {
                Named::Constant(_) => {}
                Named::Slot { .. } => {
                    let place = match extent {
                        Extent::Bytes(len) => Place { object, offset, len },
                        Extent::Counted(_) | Extent::Whole => whole(object),
                    };
                    places.push(Access { place, writes, atomic });
                }
                // A number may be the address of anything.
                _ => anywhere = true,
            }
        });
        let none = places.is_empty() && !anywhere || self.blocked(state, thread).is_some();
        let lateness = match instr {
            Instr::Free { .. } => Lateness::Free,
            Instr::Sync { op: SyncOp::ThreadCreate, .. } => Lateness::Start,
            _ => Lateness::Any,
        };
        (!none).then(|| Ahead { thread, lateness, places: (!anywhere).then_some(places) })
    }
}

fn whole(object: ObjectId) -> Place {
    Place { object, offset: 0, len: u64::MAX }
}

/// How many bytes an instruction accesses from a pointer on.
enum Extent {
    Bytes(u64),
    /// As many as an operand says.
    Counted(Operand),
    /// The object.
    Whole,
}

/// Calls `f` with every pointer through which an instruction accesses memory
/// in a way that can race, with the number of bytes, whether it may write, and
/// whether it is atomic.
fn for_each_access(instr: &Instr, word: u64, mut f: impl FnMut(Operand, Extent, bool, bool)) {
    let bytes = |width: u8| Extent::Bytes(u64::from(width).div_ceil(8));
    match instr {
        Instr::Load { width, ptr, access, .. } => f(*ptr, bytes(*width), false, access.order.is_some()),
        Instr::Store { width, ptr, access, .. } => f(*ptr, bytes(*width), true, access.order.is_some()),
        Instr::AtomicRmw { width, ptr, .. } => f(*ptr, bytes(*width), true, true),
        Instr::CompareExchange(cx) => f(cx.ptr, bytes(cx.width), true, true),
        Instr::MemSet { dst, len, .. } => f(*dst, Extent::Counted(*len), true, false),
        Instr::MemCopy { dst, src, len, .. } => {
            f(*dst, Extent::Counted(*len), true, false);
            f(*src, Extent::Counted(*len), false, false);
        }
        Instr::Free { ptr, .. } => f(*ptr, Extent::Whole, true, false),
        Instr::Sync { op: SyncOp::ThreadCreate, args, .. } => f(args[0], Extent::Bytes(word), true, false),
        Instr::Sync { op: SyncOp::ThreadJoin, args, .. } => f(args[1], Extent::Bytes(word), true, false),
        _ => {}
    }
}

/// The accesses of a step that can race.
#[derive(Default)]
struct Accesses(Vec<Access>);

impl Observer for Accesses {
    fn event(&mut self, _: ThreadId, _: FuncId, _: Pc, _: Event) {}

    fn access(&mut self, place: Place, touch: Touch, atomic: bool) {
        self.0.push(Access { place, writes: touch == Touch::Write, atomic });
    }
}

/// Whether whatever threads learn of each other also orders them.
fn is_causal(program: &Program) -> bool {
    let mut code = program.functions.iter().flat_map(|function| &function.code);
    code.all(orders) && sections_are_plain(program) && locks_are_plain(program)
}

/// Whether every object of synchronisation is part of a global variable that is
/// named by the operation, of one kind, and nothing else writes to it or has its
/// address.
fn locks_are_plain(program: &Program) -> bool {
    let mut locks: FxHashMap<GlobalId, Vec<(i32, Subject)>> = FxHashMap::default();
    let code = || program.functions.iter().flat_map(|function| &function.code);
    for instr in code() {
        let Instr::Sync { op, args, .. } = instr else { continue };
        for (operand, subject) in Operation::of(*op).objects(args) {
            let Operand::Global(id, at) = operand else { return false };
            locks.entry(id).or_default().push((at, subject));
        }
    }
    let one_kind =
        |locks: &Vec<(i32, Subject)>| locks.iter().all(|a| locks.iter().all(|b| a.0 != b.0 || a == b));
    let relocations = program.globals.iter().flat_map(|global| &global.relocations);
    let named = |target: &Target| matches!(target, Target::Global(id) if locks.contains_key(id));
    locks.values().all(one_kind)
        && !relocations.map(|relocation| &relocation.target).any(named)
        && code().all(|instr| leaves_locks(instr, &locks))
}

/// Whether an instruction neither writes to a lock, unless it is an operation of
/// locks, nor passes its address on.
fn leaves_locks(instr: &Instr, locks: &FxHashMap<GlobalId, Vec<(i32, Subject)>>) -> bool {
    let is_apart = |ptr: Operand, width: u8| {
        let Operand::Global(id, at) = ptr else { return true };
        let end = at + (i32::from(width) + 7) / 8;
        let apart = |(lock, kind): &(i32, Subject)| end <= *lock || *lock + kind.most_bytes() as i32 <= at;
        locks.get(&id).is_none_or(|locks| locks.iter().all(apart))
    };
    let is_other = |operand: Operand| !matches!(operand, Operand::Global(id, _) if locks.contains_key(&id));
    match instr {
        Instr::Load { .. } => true,
        Instr::Store { width, ptr, value, .. } => is_apart(*ptr, *width) && is_other(*value),
        Instr::AtomicRmw { width, ptr, value, .. } => is_apart(*ptr, *width) && is_other(*value),
        Instr::CompareExchange(cx) => is_apart(cx.ptr, cx.width) && is_other(cx.expected) && is_other(cx.new),
        Instr::Sync { op, args, .. } => {
            let objects = Operation::of(*op).objects(args).count();
            args.iter().skip(objects).all(|arg| is_other(*arg))
        }
        _ => {
            let mut other = true;
            instr.for_each_use(|operand, _| other &= is_other(operand));
            other
        }
    }
}

/// Whether an instruction that depends on what another thread did is ordered
/// after that.
fn orders(instr: &Instr) -> bool {
    let both = |order: Order| order.acquires() && order.releases();
    match instr {
        Instr::Load { access, .. } => access.order.is_none_or(Order::acquires),
        Instr::Store { access, .. } => access.order.is_none_or(Order::releases),
        Instr::AtomicRmw { order, .. } => both(*order),
        Instr::CompareExchange(cx) => both(cx.success) && cx.failure.acquires(),
        Instr::AtomicBegin { orders } | Instr::AtomicEnd { orders } => *orders,
        Instr::Sync { op, .. } => Operation::of(*op).orders(),
        _ => true,
    }
}

/// Whether atomic sections do nothing that orders threads, and end in the
/// function in which they begin.
fn sections_are_plain(program: &Program) -> bool {
    let mut called = FxHashSet::default();
    let mut calls = Vec::new();
    for function in &program.functions {
        let begins = function.code.iter().enumerate().filter(|(_, i)| matches!(i, Instr::AtomicBegin { .. }));
        if !begins.map(|(pc, _)| pc as Pc).all(|pc| section_is_plain(&function.code, pc, &mut calls)) {
            return false;
        }
    }
    while let Some(function) = calls.pop() {
        if called.insert(function) {
            let code = &program.function(function).code;
            if !code.iter().all(|instr| is_plain(instr, &mut calls)) {
                return false;
            }
        }
    }
    true
}

/// How deep sections may be nested for it to be looked at.
const DEEPEST: u32 = 8;

/// The same of one section, but for the functions that it calls.
fn section_is_plain(code: &[Instr], begin: Pc, calls: &mut Vec<FuncId>) -> bool {
    let mut seen = FxHashSet::default();
    let mut ahead = vec![(begin + 1, 1)];
    while let Some((pc, depth)) = ahead.pop() {
        if depth == 0 || !seen.insert((pc, depth)) {
            continue;
        }
        let instr = &code[pc as usize];
        let leaves = matches!(instr, Instr::Return { .. });
        if leaves || depth > DEEPEST || !is_plain(instr, calls) {
            return false;
        }
        let depth = match instr {
            Instr::AtomicBegin { .. } => depth + 1,
            Instr::AtomicEnd { .. } => depth - 1,
            _ => depth,
        };
        instr.for_each_target(|target| ahead.push((target, depth)));
        if !instr.is_terminator() {
            ahead.push((pc + 1, depth));
        }
    }
    true
}

/// Whether an instruction orders nothing between threads. Notes the function
/// that it calls.
fn is_plain(instr: &Instr, calls: &mut Vec<FuncId>) -> bool {
    match instr {
        Instr::Load { access, .. } | Instr::Store { access, .. } => access.order.is_none(),
        Instr::AtomicRmw { .. } | Instr::CompareExchange(_) => false,
        Instr::Sync { op, .. } => {
            matches!(Operation::of(*op).action, Action::Myself | Action::Specific { .. })
        }
        // The threads that it ends with its own may be waited for.
        Instr::ThreadExit { .. } => false,
        Instr::Call { callee: Callee::Direct(function), .. } => {
            calls.push(*function);
            true
        }
        Instr::Call { callee: Callee::Indirect(_), .. } => false,
        _ => true,
    }
}
