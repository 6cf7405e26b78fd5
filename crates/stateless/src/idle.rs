//! Loops in which nothing happens.
//!
//! A thread that comes back to where it was, with the same registers, and has
//! changed nothing on the way, has spun: an execution without that round leads
//! to the same state. Such a thread is *idle*, and stays so to the end of the
//! execution: what it does once others have changed what it looks at is done by
//! the execution in which it looks there only then, and that one is found by
//! reversing the race between the two. (Searches that reverse no races need
//! something else, see [`crate::spin`].)
//!
//! Whether a thread is idle depends on its own steps alone, so this does not
//! depend on the order of independent steps, which partial-order reduction needs.
//! [`crate::spin`] asks for more than that: it compares whole states, holds a
//! thread only as long as nobody changed what it looks at, and so needs no race to
//! be reversed to let the thread go on; there a bound on preemptions may keep
//! races from being reversed. One cannot stand in for the other.
//!
//! Locks taken and given back in the round change nothing, unless the program can
//! find out without waiting that a lock is held: then an execution without the
//! round is another one.

use machine::{Event, Machine, State, ThreadId};
use smallvec::SmallVec;

use crate::run::Taken;

/// What a step changed besides its thread's registers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// Something that stays.
    pub lasting: bool,
    /// Locks taken (1) and given back (-1).
    pub locks: SmallVec<[(u64, u32, i32); 1]>,
}

impl Effect {
    /// Notes an event, other than of locks.
    pub fn note(&mut self, event: &Event) {
        self.lasting |= match event {
            Event::Write { old, new, place, .. } => old != new || place.len > 8,
            Event::Free { shared, .. } => *shared,
            Event::Whole { write, .. } => *write,
            Event::Pinned | Event::ThreadEnd | Event::ProcessEnd { .. } => true,
            _ => false,
        };
    }

    /// Notes that a lock was taken or given back.
    pub fn lock(&mut self, object: Option<u64>, offset: u64, change: i32) {
        match object {
            Some(object) => self.locks.push((object, offset as u32, change)),
            None => self.lasting = true,
        }
    }
}

/// If a thread's last step ended a round in which it changed nothing, the step
/// that the round began with. `tried` says whether it can be seen that a lock is
/// held.
pub fn round<'a>(
    machine: &Machine,
    steps: &[Taken],
    before: impl Fn(usize) -> &'a State,
    now: &State,
    thread: ThreadId,
    tried: bool,
) -> Option<usize> {
    let at = machine.program_counter(now, thread)?;
    let mut held: SmallVec<[(u64, u32, i32); 4]> = SmallVec::new();
    let mine = |(_, step): &(usize, &Taken)| step.thread == thread;
    for (index, step) in steps.iter().enumerate().rev().filter(mine) {
        if step.effect.lasting || tried && !step.effect.locks.is_empty() {
            return None;
        }
        step.effect.locks.iter().for_each(|lock| add(&mut held, *lock));
        let then = before(index);
        if held.iter().all(|(_, _, count)| *count == 0)
            && machine.program_counter(then, thread) == Some(at)
            && machine.is_same_local(then, now, thread)
        {
            return Some(index);
        }
    }
    None
}

fn add(held: &mut SmallVec<[(u64, u32, i32); 4]>, (object, offset, change): (u64, u32, i32)) {
    match held.iter_mut().find(|(o, at, _)| (*o, *at) == (object, offset)) {
        Some((_, _, count)) => *count += change,
        None => held.push((object, offset, change)),
    }
}
