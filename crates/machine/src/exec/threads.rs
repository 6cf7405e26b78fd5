//! Instructions on threads.

use ir::{Operand, Reg, SyncOp};
use triomphe::Arc;

use crate::exec::sync::Code;
use crate::exec::{Exec, Stop};
use crate::state::thread::Thread;
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::{FaultKind, ThreadId, Touch};
use crate::telling::observer::{Event, Observer, Phase};
use crate::value::{Named, Value};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn create_thread(&mut self, dst: Option<Reg>, args: &[Operand]) -> Result<(), Stop> {
        let detached = self.attribute(args[1])? == 1;
        let start = self.defined(args[2], "which function a thread runs")?;
        let Named::Function(function) = start.object.named() else {
            let pointer = self.machine.show_pointer(self.state, start);
            return Err(FaultKind::BadCall { pointer }.into());
        };
        let word = self.state.memory.word;
        let handle_at = self.value(args[0]);
        let (id, offset) = self.resolve(handle_at, word, Touch::Write)?;
        let peer = ThreadId(self.state.threads.len() as u32);
        let created = Some(self.site());
        let argument = self.value(args[3]);
        let mut thread = Thread { detached, ..Thread::new(created) };
        thread.frames.push(Arc::new(self.first_frame(function, argument)?));
        self.give_id(peer);
        self.write_bytes((id, offset), word, self.machine.handle_of(self.state, peer))?;
        if self.machine.track_races {
            let creator = self.thread;
            self.state.thread_mut(creator).clocks.release_to(creator, &mut thread.clocks.now);
            thread.clocks.now.advance(peer);
        }
        self.state.memory.share(argument.object);
        self.state.threads.push(Arc::new(thread));
        self.event(Event::Sync {
            op: SyncOp::ThreadCreate,
            object: None,
            peer: Some(peer),
            result: 0,
            phase: Phase::Whole,
        });
        self.yield_value(dst, Value::int(0))
    }

    /// Gives a thread that is about to start its identifier and its stack.
    fn give_id(&mut self, thread: ThreadId) {
        if !self.machine.tells_thread_ids {
            if self.machine.tells_addresses {
                self.state.note_heir(thread);
            }
            return;
        }
        let index = (self.choice as usize).checked_sub(1);
        if let Some(id) = index.and_then(|index| self.state.free_ids().get(index).copied()) {
            self.state.rest_mut().ids.push((thread, id));
            self.event(Event::SameId { thread, id });
        }
    }

    /// Tells that the identifier and the stack of a thread may be given out
    /// again, if its life is over now.
    pub fn tell_over(&mut self, thread: ThreadId) {
        if O::LISTENS && self.machine.gives_back(self.state, thread) {
            self.event(Event::LifeOver);
        }
    }

    pub fn thread_named(&mut self, handle: Operand) -> Result<ThreadId, Stop> {
        let handle = self.defined(handle, "which thread is meant")?;
        if handle.is_plain()
            && let Some(thread) = self.state.thread_of_handle(handle)
        {
            self.machine.note_number(self.state, thread);
        }
        self.state.thread_of_handle(handle).ok_or_else(|| {
            FaultKind::BadThread { handle: self.machine.show_pointer(self.state, handle) }.into()
        })
    }

    pub fn join_thread(&mut self, dst: Option<Reg>, args: &[Operand]) -> Result<(), Stop> {
        let peer = self.thread_named(args[0])?;
        let other = self.state.thread(peer);
        if peer == self.thread {
            return Err(FaultKind::JoinSelf.into());
        }
        if other.detached {
            return Err(FaultKind::JoinDetached { thread: peer.to_string() }.into());
        }
        if other.joined {
            return Err(FaultKind::JoinTwice { thread: peer.to_string() }.into());
        }
        // Where threads wait, a handle that is not known names no thread.
        if other.is_alive() {
            return Err(Stop::TooHard("joining a thread whose handle is not known"));
        }
        let (result, clock) = (other.own.result, other.clocks.now.clone());
        let result_at = self.pointer_or_number(args[1])?;
        if !(result_at.is_plain() && result_at.bits == 0) {
            let word = self.state.memory.word;
            let (id, offset) = self.resolve(result_at, word, Touch::Write)?;
            self.acquire_clock(&clock);
            self.write_bytes((id, offset), word, result)?;
        }
        self.acquire_clock(&clock);
        self.state.thread_mut(peer).joined = true;
        self.tell_over(peer);
        self.event(Event::Sync {
            op: SyncOp::ThreadJoin,
            object: None,
            peer: Some(peer),
            result: 0,
            phase: Phase::Whole,
        });
        self.yield_value(dst, Value::int(0))
    }

    pub fn detach(&mut self, handle: Operand) -> Code {
        let peer = self.thread_named(handle)?;
        let other = self.state.thread_mut(peer);
        if other.detached || other.joined {
            return Err(FaultKind::JoinDetached { thread: peer.to_string() }.into());
        }
        other.detached = true;
        self.tell_over(peer);
        Ok(0)
    }
}
