//! Store buffers: putting a store in, seeing one's own stores, committing one.

use ir::{Instr, Operand, Order};

use crate::exec::{Exec, MAX_INVISIBLE, StepProgress, Stop};
use crate::machine::{End, Grain, Machine, Step};
use crate::memory::object::Life;
use crate::model::MemoryModel;
use crate::state::State;
use crate::state::buffer::{Store, overlap};
use crate::state::later::Later;
use crate::symbolic::symbols::{Pair, Symbols};
use crate::telling::fault::{ThreadId, Touch};
use crate::telling::observer::{Event, Observer, Place};
use crate::value::{Named, ObjectId, Value};

impl Machine {
    /// Whether a store of a thread to an object waits in the thread's buffer. What
    /// no other thread can see is stored at once, unless an older store to the
    /// object waits.
    pub(crate) fn buffers_store(
        &self,
        state: &State,
        thread: ThreadId,
        grain: Grain,
        object: ObjectId,
        order: Option<Order>,
    ) -> bool {
        let shared = || state.memory.get(object).is_some_and(|object| object.shared);
        let seen = || order != Some(Order::SeqCst) && shared() && !self.is_exclusive(state, thread, grain);
        self.has_buffers && (state.thread(thread).own.buffer.has_store_to(object) || seen())
    }
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Puts a store into the thread's buffer.
    pub fn buffer_store(&mut self, place: Place, new: Pair, order: Option<Order>) -> Result<(), Stop> {
        self.check_room()?;
        self.check_publication(new, order)?;
        self.track(place, Touch::Write, order);
        let lasting = self.machine.is_global(place.object);
        self.event(Event::Buffered { place, new: new.0, order, lasting });
        let (machine, thread, site) = (self.machine, self.thread, self.site());
        // Whoever reads the store once it is committed reaches what it points to.
        for value in [new.0, new.1].into_iter().filter(|value| value.is_pointer()) {
            self.state.memory.share(value.object);
        }
        let moving = self.state.thread_mut(thread);
        let published =
            order.filter(|_| machine.track_races).map(|order| moving.clocks.publish(thread, order));
        if machine.config().memory_model == MemoryModel::Pso && order.is_some_and(Order::releases) {
            moving.own.buffer.order();
        }
        let published = published.unwrap_or_default();
        moving.own.buffer.push(Store { place, value: new, order, published, later: Later::default(), site });
        Ok(())
    }

    /// Makes known where the next instruction stores to, if that would wait in the buffer:
    /// whether other threads can observe it depends on whether it leads inside its object.
    pub fn place_store(&mut self) -> Result<(), Stop> {
        let Instr::Store { width, ptr: Operand::Reg(reg), access, .. } = *self.current() else {
            return Ok(());
        };
        let pointer = self.value(Operand::Reg(reg));
        if !pointer.is_symbolic() || !self.is_buffered(pointer.object, access.order) {
            return Ok(());
        }
        let known = self.pinpoint(pointer, u64::from(width).div_ceil(8))?;
        self.set(reg, known);
        Ok(())
    }

    /// A buffer holds no more stores than the bound; executions in which it would
    /// hold more are not followed.
    fn check_room(&self) -> Result<(), Stop> {
        let bound = self.machine.config().buffer_bound;
        if self.state.thread(self.thread).own.buffer.stores().count() < bound as usize {
            return Ok(());
        }
        let what = format!("that more than {bound} stores wait in the buffer of a thread (--buffer-bound)");
        Err(Stop::End(End::Unsupported(what)))
    }

    /// Under partial store order, what the thread stored into memory that only it
    /// could reach may come after the pointer through which others reach it.
    fn check_publication(&self, new: Pair, order: Option<Order>) -> Result<(), Stop> {
        let private =
            |object: ObjectId| matches!(object.named(), Named::Slot { .. }) && !self.is_shared(object);
        let publishes = || [new.0, new.1].iter().any(|value| value.is_pointer() && private(value.object));
        let ordered = order.is_some_and(Order::releases);
        if self.machine.config().memory_model != MemoryModel::Pso || ordered || !publishes() {
            return Ok(());
        }
        let what = "making memory known to other threads by a store that does not release it, under pso,";
        Err(Stop::End(End::Unsupported(what.to_owned())))
    }

    /// What stands at a place as the thread sees it, whose own stores to the object
    /// wait.
    pub fn look_through(&mut self, place: Place) -> Result<Pair, Stop> {
        let mut seen = self.state.clone();
        std::mem::swap(self.state, &mut seen);
        let result = self.commit_own(place.object).and_then(|()| self.look(place));
        std::mem::swap(self.state, &mut seen);
        if seen.memory.addresses.next != self.state.memory.addresses.next {
            let what = "reading part of a pointer whose store is not committed yet";
            return Err(Stop::End(End::Unsupported(what.to_owned())));
        }
        result
    }

    fn commit_own(&mut self, object: ObjectId) -> Result<(), Stop> {
        let buffer = self.state.thread(self.thread).own.buffer.clone();
        for store in buffer.stores().filter(|store| store.place.object == object) {
            self.make_room(store.place)?;
            self.commit(store.place, store.value);
        }
        Ok(())
    }

    /// Whether stores of the thread to some of these bytes wait.
    pub fn has_own_stores(&self, place: Place) -> bool {
        self.state.thread(self.thread).own.buffer.stores().any(|store| overlap(store.place, place))
    }

    /// Whether a store to an object waits in the thread's buffer.
    pub fn is_buffered(&self, object: ObjectId, order: Option<Order>) -> bool {
        self.machine.buffers_store(self.state, self.thread, self.grain, object, order)
    }

    /// The step of the thread's buffer, or the rest of one: commits the store that the choice
    /// names.
    pub fn flush(mut self, progress: &mut StepProgress) -> Step {
        self.faults.append(&mut progress.faults);
        let committed = match progress.fuel {
            None => self.commit_chosen().map(|()| progress.fuel = Some(self.fuel_to_go_on())),
            Some(_) => Ok(()),
        };
        let next = self.state.memory.addresses.next;
        let stop = committed.and_then(|()| self.go_on(progress.fuel.get_or_insert(0))).err();
        let stop = self.check_pinned(next, stop);
        self.leave(stop, progress)
    }

    /// Commits the store that the choice names.
    fn commit_chosen(&mut self) -> Result<(), Stop> {
        let next = self.state.memory.addresses.next;
        let buffer = &self.state.thread(self.thread).own.buffer;
        let index = buffer.ready(self.machine.config().memory_model)[self.choice as usize];
        let store = buffer.store(index).clone();
        let object = store.place.object;
        let before = self.machine.watches_object(object).then(|| self.known_letter()).transpose()?;
        // Memory that is no more is not written any more.
        let is_there = self.state.memory.get(object).is_some_and(|object| object.life == Life::Alive);
        let old = is_there.then(|| self.prepare(store.place)).transpose();
        if self.state.memory.addresses.next != next {
            self.event(Event::Pinned);
        }
        let old = old?;
        self.state.thread_mut(self.thread).own.buffer.take(index);
        match old {
            Some(old) => self.commit_store(store, old),
            None => self.event(Event::Whole { object, write: false, shared: true }),
        }
        self.monitor_letter(before)
    }

    /// What stands at a place, which is made ready for being written over.
    fn prepare(&mut self, place: Place) -> Result<Value, Stop> {
        let old = self.read(place.object, place.offset, place.len.min(8))?;
        self.make_room(place)?;
        Ok(old)
    }

    /// How many invisible instructions follow a commit. A thread that waited for its buffer
    /// goes on as far as no other thread can observe it: what it does commutes with all that
    /// others do, so that it can be done as soon as the last store is committed.
    fn fuel_to_go_on(&self) -> u64 {
        let goes_on = self.grain == Grain::Visible && self.state.thread(self.thread).own.buffer.is_empty();
        if goes_on { MAX_INVISIBLE } else { 0 }
    }

    fn go_on(&mut self, fuel: &mut u64) -> Result<(), Stop> {
        self.run_invisible(fuel)?;
        self.check_alive()
    }

    fn commit_store(&mut self, store: Store, old: Value) {
        self.check_trace(&store);
        let Store { place, value, order, published, site, .. } = store;
        match order {
            None => self.forget_releases(place),
            Some(_) => self.publish(place, published),
        }
        let shared = self.is_shared(place.object);
        let event = Event::Flushed { place, old, new: value.0, order, shared };
        if self.machine.follows_traces {
            self.follow_trace(&event);
        }
        if O::LISTENS {
            self.observer.event(self.thread, site.function, site.pc, event);
        }
        self.commit(place, value);
    }
}
