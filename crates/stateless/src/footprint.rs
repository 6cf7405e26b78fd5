//! What a step touches, in names that do not depend on the order of steps.
//!
//! What it is that a step touches, and how, is said by [`machine::touches`]. Here
//! it gets names ([`crate::names`]), so that footprints of different executions
//! can be compared, and a form that is quick to compare: a list of accesses to
//! ranges of bytes. What is no memory has objects of its own.
//!
//! Two steps of different threads are dependent if their footprints conflict.
//! Memory that only one thread can reach is left out, and so is everything
//! while there is only one thread: neither can conflict with anything.

use std::ops::Range;
use std::sync::Arc;

use ir::{Instr, SyncOp};
use machine::{Event, Kind, Machine, Observer, Place, Thing, ThreadId, Touched, touches};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::buffers::Buffers;
use crate::effect::Effect;
use crate::names::Names;

/// An access to a range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Access {
    /// The object's name.
    pub object: u64,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// How.
    pub kind: Kind,
}

/// All that a step touches.
#[derive(PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Footprint {
    /// The accesses, without order.
    pub accesses: SmallVec<[Access; 2]>,
    /// Whether the step conflicts with every other.
    pub global: bool,
}

/// One copy instead of an access at a time: footprints are cloned at every step.
impl Clone for Footprint {
    fn clone(&self) -> Footprint {
        Footprint { accesses: SmallVec::from_slice(&self.accesses), global: self.global }
    }
}

/// The names of what is no memory come after those of all objects.
pub const NO_MEMORY: u64 = 1 << 63;

/// The names of what threads touch when they begin, where they do so in turn.
const TURNS: Range<u64> = NO_MEMORY | 1 << 34..NO_MEMORY | 1 << 35;

impl Access {
    /// Whether two accesses of different movers do not commute.
    pub fn conflicts(&self, other: &Access) -> bool {
        self.object == other.object
            && self.start < other.end
            && other.start < self.end
            && !self.kind.commutes(other.kind)
    }

    /// An access under its name; none if it needs none, because it meets no other.
    fn named(names: &Names, thing: Thing, kind: Kind) -> Option<Access> {
        let number = match thing {
            Thing::Memory { place, .. } => return Access::memory(names, place, kind),
            Thing::Starts => u64::MAX,
            Thing::Sections => u64::MAX - 1,
            Thing::Addresses => u64::MAX - 2,
            Thing::Heap => u64::MAX - 3,
            Thing::Monitor => u64::MAX - 4,
            Thing::Life(thread) => NO_MEMORY | u64::from(thread.0),
            Thing::Own | Thing::Everything => return None,
        };
        Some(Access { object: number, start: 0, end: u32::MAX, kind })
    }

    /// What a thread touches when it begins, and the one that begins after it.
    pub fn turn(thread: ThreadId, kind: Kind) -> Access {
        Access { object: TURNS.start | u64::from(thread.0), start: 0, end: 1, kind }
    }

    /// An access to memory; none if it is constant.
    pub fn memory(names: &Names, place: Place, kind: Kind) -> Option<Access> {
        let end = place.offset.saturating_add(place.len).min(u64::from(u32::MAX)) as u32;
        Some(Access { object: names.name(place.object)?, start: place.offset as u32, end, kind })
    }
}

impl Footprint {
    /// Whether the steps, if of different threads, may not commute.
    #[inline]
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.global
            || other.global
            || self.accesses.iter().any(|access| other.accesses.iter().any(|a| access.conflicts(a)))
    }

    /// Whether one thread can only begin with the second step after another one has with the
    /// first.
    pub fn is_turn_before(&self, second: &Footprint) -> bool {
        let is_turn = |access: &&Access| access.kind == Kind::Read && TURNS.contains(&access.object);
        let mut turns = second.accesses.iter().filter(is_turn);
        turns.any(|turn| self.accesses.iter().any(|access| access.conflicts(turn)))
    }

    /// Adds all that another step touches.
    pub fn extend(&mut self, other: &Footprint) {
        self.global |= other.global;
        for access in &other.accesses {
            if !self.accesses.contains(access) {
                self.accesses.push(*access);
            }
        }
    }

    /// Adds an access, unless the last one says the same.
    pub fn add(&mut self, access: Access) {
        if self.accesses.last() != Some(&access) {
            self.accesses.push(access);
        }
    }
}

/// Fills a footprint while a step is taken.
pub struct Recorder<'a> {
    /// What has been seen so far.
    pub footprint: Footprint,
    /// The machine.
    pub machine: &'a Machine,
    /// The names of objects.
    pub names: &'a mut Arc<Names>,
    /// Threads that were not joined.
    pub unjoined: u32,
    /// Whether the order of atomic sections matters.
    pub track_races: bool,
    /// What the step changed.
    pub effect: Effect,
    /// How many stores wait.
    pub buffers: &'a mut Buffers,
}

impl Recorder<'_> {
    fn touch(&mut self, touched: Touched) {
        match touched.thing {
            Thing::Everything => self.footprint.global = true,
            Thing::Memory { shared: false, .. } => {}
            Thing::Sections if !self.track_races => {}
            _ if self.unjoined <= 1 => {}
            _ => touched.parts(|thing, kind| {
                if let Some(access) = Access::named(self.names, thing, kind) {
                    self.footprint.add(access);
                }
            }),
        }
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, thread: ThreadId, function: ir::FuncId, pc: ir::Pc, event: Event) {
        self.effect.note(&event, self.names);
        if let Event::Buffered { .. } = event {
            self.footprint.add(self.buffers.entered(self.machine, thread));
        }
        if let Event::Alloc { object, .. } = event {
            // An object of a frame ends with it, one on the heap may be lost.
            let instr = &self.machine.program().function(function).code[pc as usize];
            self.effect.lasting |= matches!(instr, Instr::Malloc { .. });
            Arc::make_mut(self.names).made(thread, object);
        }
        // A thread counts from its start to its join, both included.
        self.unjoined += u32::from(is_of(&event, SyncOp::ThreadCreate));
        touches(thread, &event, |touched| self.touch(touched));
        self.unjoined -= u32::from(is_of(&event, SyncOp::ThreadJoin));
    }
}

fn is_of(event: &Event, wanted: SyncOp) -> bool {
    matches!(*event, Event::Sync { op, .. } if op == wanted)
}
