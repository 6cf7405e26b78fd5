//! Instructions on synchronisation objects. Mutexes, threads and keys have files of
//! their own.
//!
//! A blocking operation is executed only when it can go through: whether it
//! can is decided in [`crate::sync::blocked`], on the same peeks at the objects.

use ir::{Operand, Reg, SyncOp};

use crate::exec::{Exec, Stop};
use crate::race::Clock;
use crate::state::thread::{CondWait, Status, SyncPlace};
use crate::symbolic::symbols::Symbols;
use crate::sync::{Barrier, Mutex, MutexKind, Once, RwLock, Semaphore, SyncObject, errno};
use crate::telling::fault::{FaultKind, ThreadId, Touch};
use crate::telling::observer::{Event, Observer, Phase, Place};
use crate::value::Value;
use crate::value::arith::narrow;

/// `PTHREAD_BARRIER_SERIAL_THREAD`.
const SERIAL_THREAD: u64 = u32::MAX as u64;

/// `SEM_VALUE_MAX`.
const SEM_VALUE_MAX: u64 = i32::MAX as u64;

pub type Code = Result<u64, Stop>;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn sync_instruction(&mut self, op: SyncOp, dst: Option<Reg>, args: &[Operand]) -> Result<(), Stop> {
        use SyncOp::*;
        match op {
            ThreadCreate => return self.create_thread(dst, args),
            ThreadJoin => return self.join_thread(dst, args),
            CondWait | CondTimedWait => return self.begin_cond_wait(args, op == CondTimedWait),
            BarrierWait => return self.barrier_wait(dst, args[0]),
            ThreadSelf => return self.yield_value(dst, self.machine.handle_of(self.state, self.thread)),
            KeyGet => return self.key_get(dst, args[0]),
            _ => {}
        }
        let place = match op {
            ThreadDetach | KeyDelete | KeySet => None,
            _ => Some(self.sync_place(args[0])?),
        };
        let code = self.simple(op, place, args)?;
        let object = place.map(|(object, offset)| Place { object, offset, len: 1 });
        let peer = match op {
            ThreadDetach => Some(self.thread_named(args[0])?),
            _ => None,
        };
        self.event(Event::Sync { op, object, peer, result: code, phase: Phase::Whole });
        self.yield_value(dst, Value::int(code))
    }

    pub fn yield_value(&mut self, dst: Option<Reg>, value: Value) -> Result<(), Stop> {
        match dst {
            Some(dst) => self.set_and_next(dst, value),
            None => self.next(),
        }
    }

    /// Operations that happen at one place in one step and yield a code.
    fn simple(&mut self, op: SyncOp, place: Option<SyncPlace>, args: &[Operand]) -> Code {
        use SyncOp::*;
        let at = place.unwrap_or_default();
        match op {
            MutexInit => self.mutex_init(at, args[1]),
            MutexLock => self.mutex_lock(at),
            MutexTryLock | MutexTimedLock => self.mutex_try_lock(at, op == MutexTimedLock),
            MutexUnlock => self.mutex_unlock(at),
            MutexConsistent => self.mutex_consistent(at),
            CondInit => self.cond_init(at),
            CondSignal | CondBroadcast => self.wake(at, op == CondBroadcast),
            CondDestroy => self.cond_destroy(at),
            RwInit => self.rw_init(at, args[1]),
            RwReadLock | RwTryReadLock | RwTimedReadLock => self.read_lock(at, op),
            RwWriteLock | RwTryWriteLock | RwTimedWriteLock => self.write_lock(at, op),
            RwUnlock => self.rw_unlock(at),
            SpinInit => self.init(at, SyncObject::Spin(Mutex::new(MutexKind::Normal))),
            SpinLock => self.spin_lock(at),
            SpinTryLock => self.spin_try_lock(at),
            SpinUnlock => self.spin_unlock(at),
            MutexDestroy | RwDestroy | SpinDestroy | BarrierDestroy | SemDestroy => self.destroy(at),
            BarrierInit => self.barrier_init(at, args[1]),
            SemInit => self.sem_init(at, args[1]),
            SemWait | SemTryWait | SemTimedWait => self.sem_wait(at, op),
            SemPost => self.sem_post(at),
            SemGetValue => Ok(self.semaphore(at)?.value),
            OnceBegin => self.once_begin(at),
            OnceEnd => self.leave_once(at, Once::Done),
            OnceTakeBack => self.leave_once(at, Once::TakenBack),
            KeyCreate => self.key_create(args),
            KeyDelete => self.key_delete(args[0]),
            KeySet => self.key_set(args),
            ThreadDetach => self.detach(args[0]),
            ThreadCreate | ThreadJoin | CondWait | CondTimedWait | BarrierWait | ThreadSelf | KeyGet => {
                unreachable!("handled before")
            }
        }
    }

    fn sync_place(&mut self, ptr: Operand) -> Result<SyncPlace, Stop> {
        let pointer = self.value(ptr);
        self.resolve(pointer, 1, Touch::Write)
    }

    /// What a program finds in the bytes of a synchronisation object that is
    /// in use is not specified: a copy of it is no such object.
    pub fn hide_sync(&self, place: Place, value: Value) -> Value {
        let Some(object) = self.state.memory.get(place.object).filter(|object| !object.sync.is_empty())
        else {
            return value;
        };
        let first = object.sync.partition_point(|(at, _)| u64::from(*at) < place.offset);
        let in_place = |at: u64| at < place.offset + place.len.min(8);
        let mut undef = value.undef;
        for (at, sync) in object.sync[first..].iter().take_while(|(at, _)| in_place(u64::from(*at))) {
            let at = u64::from(*at);
            if !self.machine.is_as_if_untouched(self.state, (place.object, at), sync) {
                undef |= narrow::mask((place.len.min(8) * 8) as u8) & u64::MAX << ((at - place.offset) * 8);
            }
        }
        Value { bits: value.bits & !undef, undef, ..value }
    }

    pub fn put(&mut self, at: SyncPlace, object: SyncObject) -> Code {
        self.state.memory.get_mut(at.0).set_sync(at.1, object);
        Ok(0)
    }

    /// Makes a new object where none is in use.
    pub fn init(&mut self, at: SyncPlace, object: SyncObject) -> Code {
        if self.is_busy(at) { Err(self.busy(at)) } else { self.put(at, object) }
    }

    /// Whether a thread holds the object or waits at it, as far as the object
    /// itself knows.
    fn is_busy(&self, at: SyncPlace) -> bool {
        match self.sync_at(at) {
            Some(SyncObject::Mutex(mutex) | SyncObject::Spin(mutex)) => mutex.owner.is_some(),
            Some(SyncObject::RwLock(lock)) => lock.writer.is_some() || !lock.readers.is_empty(),
            Some(SyncObject::Barrier(barrier)) => !barrier.waiting.is_empty(),
            _ => false,
        }
    }

    fn busy(&self, at: SyncPlace) -> Stop {
        FaultKind::DestroyBusy { object: self.name(at) }.into()
    }

    pub fn name(&self, at: SyncPlace) -> String {
        let place = Place { object: at.0, offset: at.1, len: 1 };
        self.machine.describe_for(self.state, self.thread, place)
    }

    pub fn not_initialised(&self, at: SyncPlace) -> Stop {
        FaultKind::NotInitialised { object: self.name(at) }.into()
    }

    pub fn not_held(&self, at: SyncPlace) -> Stop {
        FaultKind::UnlockNotHeld { object: self.name(at) }.into()
    }

    pub fn relock(&self, at: SyncPlace) -> Stop {
        FaultKind::Relock { object: self.name(at) }.into()
    }

    /// Joins what another thread published.
    pub fn acquire_clock(&mut self, clock: &Clock) {
        if self.machine.track_races {
            self.state.thread_mut(self.thread).clocks.now.join(clock);
        }
    }

    /// Publishes what this thread knows.
    pub fn release_clock(&mut self, clock: &mut Clock) {
        if self.machine.track_races {
            let thread = self.thread;
            self.state.thread_mut(thread).clocks.release_to(thread, clock);
        }
    }

    /// The `int` at the start of an attribute object; 0 if there is none.
    pub fn attribute(&mut self, attr: Operand) -> Code {
        let attr = self.pointer_or_number(attr)?;
        if attr.is_plain() && attr.bits == 0 { Ok(0) } else { self.int_at(attr) }
    }

    pub fn sync_at(&self, at: SyncPlace) -> Option<&SyncObject> {
        self.state.memory.get(at.0)?.sync_at(at.1)
    }

    fn int_at(&mut self, pointer: Value) -> Code {
        let (id, offset) = self.resolve(pointer, 4, Touch::Read)?;
        let value = self.read(id, offset, 4)?;
        if value.undef != 0 {
            return Err(self.not_initialised((id, offset)));
        }
        Ok(self.known(value)?.bits)
    }

    /// Ends a lock, barrier or semaphore that no thread uses.
    fn destroy(&mut self, at: SyncPlace) -> Code {
        if self.sync_at(at) == Some(&SyncObject::Destroyed) {
            return Err(self.not_initialised(at));
        }
        let waited_for = self
            .state
            .alive()
            .any(|t| matches!(&self.state.thread(t).status, Status::Waiting(wait) if wait.mutex == at));
        if waited_for || self.is_busy(at) {
            return Err(self.busy(at));
        }
        self.put(at, SyncObject::Destroyed)
    }

    // Condition variables.

    fn check_cond(&self, at: SyncPlace) -> Result<(), Stop> {
        match self.sync_at(at) {
            Some(SyncObject::Cond) => Ok(()),
            _ if self.machine.is_fresh(self.state, at) => Ok(()),
            _ => Err(self.not_initialised(at)),
        }
    }

    /// Whether a thread waits on the condition and was not signalled.
    fn is_waited_for(&self, cond: SyncPlace) -> bool {
        !self.machine.waiters(self.state, cond).is_empty()
    }

    fn cond_init(&mut self, at: SyncPlace) -> Code {
        if self.is_waited_for(at) { Err(self.busy(at)) } else { self.init(at, SyncObject::Cond) }
    }

    fn begin_cond_wait(&mut self, args: &[Operand], timed: bool) -> Result<(), Stop> {
        let (cond, at) = (self.sync_place(args[0])?, self.sync_place(args[1])?);
        self.check_cond(cond)?;
        let mut mutex = self.mutex(at)?;
        if mutex.owner != Some(self.thread) {
            let (object, mutex) = (self.name(cond), self.name(at));
            return Err(FaultKind::WaitWithoutMutex { object, mutex }.into());
        }
        if let Some(other) = self.other_mutex(cond, at) {
            let (object, mutex) = (self.name(cond), self.name(other));
            return Err(FaultKind::WaitWithAnotherMutex { object, mutex }.into());
        }
        // One level, as unlocking does: a recursive mutex that was locked
        // twice stays with the thread that waits.
        self.give_back(&mut mutex);
        self.put(at, SyncObject::Mutex(mutex))?;
        self.cond_event(timed, cond, 0, Phase::Begin);
        self.event(Event::Also { object: Place { object: at.0, offset: at.1, len: 1 } });
        let wait = CondWait { cond, mutex: at, timed, signalled: false };
        self.state.thread_mut(self.thread).status = Status::Waiting(wait);
        Ok(())
    }

    /// A mutex with which another thread waits on a condition, if it is not this one. That is
    /// undefined as long as the other thread is not woken.
    fn other_mutex(&self, cond: SyncPlace, mutex: SyncPlace) -> Option<SyncPlace> {
        if !self.machine.reports_misuse {
            return None;
        }
        let waiters = self.machine.waiters(self.state, cond);
        let with = waiters.iter().filter_map(|waiter| match &self.state.thread(*waiter).status {
            Status::Waiting(wait) => Some(wait.mutex),
            _ => None,
        });
        with.filter(|other| *other != mutex).min()
    }

    fn cond_event(&mut self, timed: bool, cond: SyncPlace, result: u64, phase: Phase) {
        let op = if timed { SyncOp::CondTimedWait } else { SyncOp::CondWait };
        let object = Some(Place { object: cond.0, offset: cond.1, len: 1 });
        self.event(Event::Sync { op, object, peer: None, result, phase });
    }

    /// The waiter takes its mutex again: signalled, by time-out, or spuriously.
    pub fn end_cond_wait(&mut self, wait: CondWait) -> Result<(), Stop> {
        let pointer = Value::pointer(wait.mutex.0, wait.mutex.1);
        self.resolve(pointer, 1, Touch::Write)?;
        let mutex = self.mutex(wait.mutex)?;
        let locked = self.take(wait.mutex, mutex)?;
        // A time-out may consume a signal: its waiter has then stopped waiting
        // for the condition, but not yet got the mutex.
        let timed_out = wait.timed && self.choice == 0;
        let code = if locked == 0 && timed_out { errno::ETIMEDOUT } else { locked };
        self.state.thread_mut(self.thread).status = Status::Ready;
        let phase = Phase::End { signalled: wait.signalled };
        self.cond_event(wait.timed, wait.cond, code, phase);
        let (object, offset) = wait.mutex;
        self.event(Event::Also { object: Place { object, offset, len: 1 } });
        let ir::Instr::Sync { dst, .. } = *self.current() else { unreachable!("waits at its instruction") };
        self.yield_value(dst, Value::int(code))
    }

    /// Signals the waiter that the step's choice names, or all.
    fn wake(&mut self, at: SyncPlace, all: bool) -> Code {
        self.check_cond(at)?;
        let waiters = self.machine.waiters(self.state, at);
        let chosen = if all { 0..waiters.len() } else { one(self.choice as usize, waiters.len()) };
        for thread in &waiters[chosen] {
            if let Status::Waiting(wait) = &mut self.state.thread_mut(*thread).status {
                wait.signalled = true;
            }
        }
        Ok(0)
    }

    fn cond_destroy(&mut self, at: SyncPlace) -> Code {
        self.check_cond(at)?;
        if self.is_waited_for(at) {
            return Err(self.busy(at));
        }
        self.put(at, SyncObject::Destroyed)
    }

    // Readers-writer locks.

    fn rwlock(&self, at: SyncPlace) -> Result<RwLock, Stop> {
        self.machine.rwlock_at(self.state, at).ok_or_else(|| self.not_initialised(at))
    }

    fn rw_init(&mut self, at: SyncPlace, attr: Operand) -> Code {
        let nonrecursive = self.attribute(attr)? == RwLock::NONRECURSIVE;
        self.init(at, SyncObject::RwLock(RwLock { nonrecursive, ..RwLock::default() }))
    }

    fn read_lock(&mut self, at: SyncPlace, op: SyncOp) -> Code {
        let mut lock = self.rwlock(at)?;
        match lock.writer {
            None => {}
            Some(owner) if owner == self.thread && op == SyncOp::RwReadLock => return Err(self.relock(at)),
            Some(_) => return Ok(refusal(op)),
        }
        // A writer that waits in between would keep both waiting for ever.
        if lock.nonrecursive && op == SyncOp::RwReadLock && lock.readers.contains(&self.thread) {
            return Err(self.relock(at));
        }
        if lock.nonrecursive && !lock.readers.is_empty() {
            self.machine.marks.note_overtaking();
        }
        self.acquire_clock(&lock.write_clock);
        let index = lock.readers.partition_point(|reader| *reader <= self.thread);
        lock.readers.insert(index, self.thread);
        self.put(at, SyncObject::RwLock(lock))
    }

    fn write_lock(&mut self, at: SyncPlace, op: SyncOp) -> Code {
        let mut lock = self.rwlock(at)?;
        let mine = lock.writer == Some(self.thread) || lock.readers.contains(&self.thread);
        if mine && op == SyncOp::RwWriteLock {
            return Err(self.relock(at));
        }
        if lock.writer.is_some() || !lock.readers.is_empty() {
            return Ok(refusal(op));
        }
        self.acquire_clock(&lock.write_clock);
        self.acquire_clock(&lock.read_clock);
        lock.writer = Some(self.thread);
        self.put(at, SyncObject::RwLock(lock))
    }

    fn rw_unlock(&mut self, at: SyncPlace) -> Code {
        let mut lock = self.rwlock(at)?;
        if lock.writer == Some(self.thread) {
            lock.writer = None;
            self.release_clock(&mut lock.write_clock);
        } else if let Some(index) = lock.readers.iter().position(|reader| *reader == self.thread) {
            lock.readers.remove(index);
            self.release_clock(&mut lock.read_clock);
        } else {
            return Err(self.not_held(at));
        }
        self.put(at, SyncObject::RwLock(lock))
    }

    // Barriers and semaphores.

    fn barrier_init(&mut self, at: SyncPlace, count: Operand) -> Code {
        let count = self.defined(count, "a barrier's count")?.bits & u64::from(u32::MAX);
        if count == 0 {
            return Err(FaultKind::BarrierCountZero { object: self.name(at) }.into());
        }
        let (waiting, clock) = Default::default();
        self.init(at, SyncObject::Barrier(Barrier { count, waiting, clock }))
    }

    fn barrier_wait(&mut self, dst: Option<Reg>, ptr: Operand) -> Result<(), Stop> {
        let at = self.sync_place(ptr)?;
        let Some(SyncObject::Barrier(barrier)) = self.sync_at(at) else {
            return Err(self.not_initialised(at));
        };
        let mut barrier = barrier.clone();
        self.release_clock(&mut barrier.clock);
        let complete = barrier.waiting.len() as u64 + 1 == barrier.count;
        let object = Some(Place { object: at.0, offset: at.1, len: 1 });
        let (phase, result) = if complete { (Phase::Whole, SERIAL_THREAD) } else { (Phase::Begin, 0) };
        self.event(Event::Sync { op: SyncOp::BarrierWait, object, peer: None, result, phase });
        if !complete {
            barrier.waiting.push(self.thread);
            barrier.waiting.sort();
            self.put(at, SyncObject::Barrier(barrier))?;
            self.state.thread_mut(self.thread).status = Status::AtBarrier(at);
            return Ok(());
        }
        for waiter in std::mem::take(&mut barrier.waiting) {
            self.pass_barrier(waiter, &barrier.clock);
        }
        self.acquire_clock(&barrier.clock);
        barrier.clock = Clock::default();
        self.put(at, SyncObject::Barrier(barrier))?;
        self.yield_value(dst, Value::int(SERIAL_THREAD))
    }

    /// Lets a thread go on that waits at a barrier.
    fn pass_barrier(&mut self, waiter: ThreadId, clock: &Clock) {
        let track = self.machine.track_races;
        let machine = self.machine;
        let thread = self.state.thread_mut(waiter);
        thread.status = Status::Ready;
        if track {
            thread.clocks.now.join(clock);
        }
        let frame = thread.frame_mut();
        let instr = &machine.program().function(frame.function).code[frame.pc as usize];
        if let ir::Instr::Sync { dst: Some(dst), .. } = *instr {
            frame.regs[dst.0 as usize] = Value::int(0);
        }
        frame.pc += 1;
    }

    fn semaphore(&self, at: SyncPlace) -> Result<Semaphore, Stop> {
        match self.sync_at(at) {
            Some(SyncObject::Semaphore(semaphore)) => Ok(semaphore.clone()),
            _ => Err(self.not_initialised(at)),
        }
    }

    fn sem_init(&mut self, at: SyncPlace, value: Operand) -> Code {
        let value = self.defined(value, "a semaphore's value")?.bits & u64::from(u32::MAX);
        if value > SEM_VALUE_MAX {
            return Ok(errno::EINVAL);
        }
        self.init(at, SyncObject::Semaphore(Semaphore { value, clock: Clock::default() }))
    }

    fn sem_wait(&mut self, at: SyncPlace, op: SyncOp) -> Code {
        let mut semaphore = self.semaphore(at)?;
        if semaphore.value == 0 {
            return Ok(if op == SyncOp::SemTryWait { errno::EAGAIN } else { errno::ETIMEDOUT });
        }
        semaphore.value -= 1;
        self.acquire_clock(&semaphore.clock);
        self.put(at, SyncObject::Semaphore(semaphore))
    }

    fn sem_post(&mut self, at: SyncPlace) -> Code {
        let mut semaphore = self.semaphore(at)?;
        if semaphore.value == SEM_VALUE_MAX {
            return Ok(errno::EOVERFLOW);
        }
        semaphore.value += 1;
        self.release_clock(&mut semaphore.clock);
        self.put(at, SyncObject::Semaphore(semaphore))
    }

    fn once_begin(&mut self, at: SyncPlace) -> Code {
        match self.sync_at(at) {
            Some(SyncObject::Once(Once::Done(clock))) => {
                let clock = clock.clone();
                self.acquire_clock(&clock);
                Ok(0)
            }
            Some(SyncObject::Once(Once::TakenBack(clock))) => {
                let clock = clock.clone();
                self.acquire_clock(&clock);
                self.run_once(at)
            }
            _ if self.machine.is_fresh(self.state, at) => self.run_once(at),
            _ => Err(self.not_initialised(at)),
        }
    }

    /// The thread has to run the initialiser.
    fn run_once(&mut self, at: SyncPlace) -> Code {
        self.put(at, SyncObject::Once(Once::Running(self.thread)))?;
        Ok(1)
    }

    /// Leaves the initialiser, and publishes what the thread knows.
    fn leave_once(&mut self, at: SyncPlace, left: fn(Clock) -> Once) -> Code {
        let mut clock = Clock::default();
        self.release_clock(&mut clock);
        self.put(at, SyncObject::Once(left(clock)))
    }
}

/// What a lock that would have to wait answers instead.
fn refusal(op: SyncOp) -> u64 {
    match op {
        SyncOp::RwTimedReadLock | SyncOp::RwTimedWriteLock => errno::ETIMEDOUT,
        _ => errno::EBUSY,
    }
}

/// The range of one index, empty if there is no such.
fn one(index: usize, len: usize) -> std::ops::Range<usize> {
    if index < len { index..index + 1 } else { 0..0 }
}
