//! Robustness of traces: whether each execution is, but for the moments at which stores
//! become visible, one under sequential consistency.
//!
//! The *trace* of an execution has its accesses with the order of each thread, and the order
//! in which conflicting accesses take effect: a load when it is made, a store when it is
//! committed (reads-from, coherence and from-reads). The execution is one under sequential
//! consistency if and only if its trace has no cycle (Shasha, Snir, 1988). A program is
//! robust if no trace has one; it then ends in no other states than under sequential
//! consistency either.
//!
//! All these orders lead from what takes effect earlier to what takes effect later, but for
//! one: from a store that waits to an access that its thread makes meanwhile. So a cycle has
//! a store `s` and such an access `a` of the same thread, and `a` happens before `s` through
//! other threads. *Locality* ("Deciding Robustness against Total Store Ordering", Bouajjani,
//! Meyer, Möhlmann, ICALP 2011, Theorem 1; "Checking and Enforcing Robustness against TSO",
//! Bouajjani, Derevenko, Meyer, ESOP 2013): if there is such an execution, there is one in
//! which only one thread makes accesses while stores of its own wait. There, what happens
//! after `a` takes effect after `a`, so that it can be followed as the execution goes on:
//! which threads and which accesses happen after `a` is kept beside `s` ([`Later`]). If `s`
//! conflicts with one of them when it is committed, there is a cycle. Once another thread
//! makes an access while a store of its own waits, `s` is given up.
//!
//! Deviations from the papers: operations on locks and other objects of synchronisation are
//! reads and writes of these objects, and creation, end and join are of the thread's life.
//! A load whose bytes all wait in the buffer of its thread takes effect with its store,
//! after `s`, and is left out. Under partial store order the theorem is not known to hold,
//! and the property is not decided.

use smallvec::SmallVec;

use crate::exec::Exec;
use crate::independence::footprint::{Kind, Thing, touches};
use crate::state::State;
use crate::state::buffer::{Store, overlap};
use crate::state::later::{Later, Mark};
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::{Fault, FaultKind, ThreadId};
use crate::telling::observer::{Event, Observer, Phase, Place};

/// The accesses of an event.
type Marks = SmallVec<[Mark; 4]>;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Follows what happens after accesses that were made while a store waited.
    pub fn follow_trace(&mut self, event: &Event) {
        let waits = |state: &State| state.thread_ids().any(|t| !state.thread(t).own.buffer.is_empty());
        if !waits(self.state) {
            return;
        }
        let (thread, marks) = (self.thread, self.marks(event));
        let created = match event {
            Event::Sync { op: ir::SyncOp::ThreadCreate, peer, .. } => *peer,
            _ => None,
        };
        if marks.is_empty() && created.is_none() {
            return;
        }
        let flushed = matches!(event, Event::Flushed { .. });
        // A thread that goes on while its own store waits.
        let delays = !flushed && !self.state.thread(thread).own.buffer.is_empty();
        for owner in (0..self.state.threads.len() as u32).map(ThreadId) {
            // What leaves a buffer is older than what waits in it.
            let own = owner == thread;
            if self.state.thread(owner).own.buffer.is_empty() || own && flushed {
                continue;
            }
            let follow = |later: &mut Later| match own {
                true => marks.iter().for_each(|mark| later.add_access(*mark)),
                false if delays => later.give_up(),
                false => follow_other(later, thread, &marks, created),
            };
            self.state.thread_mut(owner).own.buffer.follow(follow);
        }
    }

    /// Reports a store that takes effect after what its thread did later, and what that led to.
    pub fn check_trace(&mut self, store: &Store) {
        let mark = Mark::memory(store.place, Kind::Write);
        if self.machine.follows_traces && store.later.is_before(&mark) {
            let variable = self.machine.describe_for(self.state, self.thread, store.place);
            let fault = self.machine.fault(self.state, self.thread, FaultKind::NewTrace { variable });
            let fault = Fault { at: self.machine.site_location(store.site), calls: Vec::new(), ..fault };
            if !self.machine.is_suppressed(&fault) {
                self.faults.push(fault);
            }
        }
    }

    /// What an event accesses that others may access too.
    fn marks(&self, event: &Event) -> Marks {
        let mut marks = Marks::new();
        match event {
            // It has not taken effect.
            Event::Buffered { .. } => return marks,
            Event::Read { place, shared, .. } => {
                if *shared {
                    unbuffered(self.state, self.thread, *place, &mut marks);
                }
                return marks;
            }
            // The signal is what the wait ends by.
            Event::Sync { object: Some(at), phase: Phase::End { signalled: true }, .. } => {
                marks.push(Mark::memory(Place { len: 1, ..*at }, Kind::Write));
            }
            _ => {}
        }
        touches(self.thread, event, |touched| {
            touched.parts(|thing, kind| match thing {
                Thing::Memory { place, shared: true } => marks.push(Mark::memory(place, kind)),
                Thing::Life(thread) => marks.push(Mark::life(thread, kind)),
                _ => {}
            });
        });
        marks
    }
}

/// Adds the bytes of a place that the thread does not read from its own buffer.
fn unbuffered(state: &State, thread: ThreadId, place: Place, marks: &mut Marks) {
    let buffer = &state.thread(thread).own.buffer;
    if !buffer.stores().any(|store| overlap(store.place, place)) {
        marks.push(Mark::memory(place, Kind::Read));
        return;
    }
    let bytes = (place.offset..place.offset + place.len).map(|offset| Place { offset, len: 1, ..place });
    let read = bytes.filter(|byte| !buffer.stores().any(|store| overlap(store.place, *byte)));
    marks.extend(read.map(|byte| Mark::memory(byte, Kind::Read)));
}

/// A step of another thread than the one whose store waits.
fn follow_other(later: &mut Later, thread: ThreadId, marks: &[Mark], created: Option<ThreadId>) {
    if later.given_up || !later.has_thread(thread) && !marks.iter().any(|mark| later.is_before(mark)) {
        return;
    }
    later.add_thread(thread);
    marks.iter().for_each(|mark| later.add_access(*mark));
    created.into_iter().for_each(|created| later.add_thread(created));
}
