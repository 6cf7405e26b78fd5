//! Whether a thread is where it was: for searches that look for loops in which
//! nothing happens.

use crate::machine::Machine;
use crate::state::State;
use crate::state::thread::{Belongings, Frame, Status};
use crate::telling::fault::ThreadId;

impl Machine {
    /// Whether a thread, about to execute an instruction or waiting on a
    /// condition that was not signalled, would go on in the same way in both
    /// states if all memory that it reads were the same: it is at the same place
    /// with the same registers. What it never reads again does not count.
    pub fn is_same_local(&self, a: &State, b: &State, thread: ThreadId) -> bool {
        let (a, b) = (a.thread(thread), b.thread(thread));
        let common = a.frames.common(&b.frames);
        let above = a.frames.beyond(common).zip(b.frames.beyond(common));
        let count = a.frames.len() - common;
        goes_on(&a.status)
            && a.status == b.status
            && a.frames.len() == b.frames.len()
            && a.atomic == b.atomic
            && is_same_own(&a.own, &b.own)
            && above.zip(1..).all(|((a, b), number)| {
                triomphe::Arc::ptr_eq(a, b) || self.is_same_frame(a, b, number == count)
            })
    }

    fn is_same_frame(&self, a: &Frame, b: &Frame, top: bool) -> bool {
        if (a.function, a.pc, a.progress, a.pending) != (b.function, b.pc, b.progress, b.pending)
            || (&a.objects, a.arguments) != (&b.objects, b.arguments)
        {
            return false;
        }
        let mut dead = vec![false; a.regs.len()];
        self.each_dead_slot(a, top, |slot| dead[slot] = true);
        a.regs.iter().zip(&b.regs).zip(dead).all(|((a, b), dead)| dead || a == b)
    }

    /// The place of the thread's next instruction, or of the wait that it is in;
    /// none if it is at a barrier or has ended.
    pub fn program_counter(&self, state: &State, thread: ThreadId) -> Option<(ir::FuncId, ir::Pc)> {
        let thread = state.thread(thread);
        let frame = thread.frames.last().filter(|_| goes_on(&thread.status))?;
        Some((frame.function, frame.pc))
    }
}

fn goes_on(status: &Status) -> bool {
    match status {
        Status::Ready => true,
        Status::Waiting(wait) => !wait.signalled,
        Status::AtBarrier(_) | Status::Ended => false,
    }
}

fn is_same_own(a: &Belongings, b: &Belongings) -> bool {
    std::ptr::eq(a, b) || (a.ending, &a.locals, &a.specifics) == (b.ending, &b.locals, &b.specifics)
}
