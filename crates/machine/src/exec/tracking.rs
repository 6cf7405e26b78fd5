//! What the race detector is told about accesses to memory.

use ir::{Instr, Location, Order};
use triomphe::Arc;

use crate::exec::Exec;
use crate::memory::object::Site;
use crate::race::{Clock, Mode, Record};
use crate::state::State;
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::{FaultKind, RaceAccess, Touch};
use crate::telling::observer::{Observer, Place};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Remembers an access and reports a race with an earlier one.
    pub fn track(&mut self, place: Place, touch: Touch, order: Option<Order>) {
        if !O::LISTENS && !self.machine.track_races {
            return;
        }
        let site = self.site();
        let can_race = self.machine.can_race(site);
        if can_race {
            self.observer.access(place, touch, order.is_some());
        }
        let tracked = self.machine.track_races && self.state.threads.len() > 1;
        if !tracked || place.len == 0 || self.state.memory.get(place.object).is_none() {
            return;
        }
        if !can_race {
            return;
        }
        let mode = Mode { touch, atomic: order.is_some() };
        let State { threads, memory, .. } = &mut *self.state;
        let past = &threads[self.thread.0 as usize].clocks.now;
        let apart = self.machine.tells_races_apart;
        let access = Record { thread: self.thread, mode, epoch: past.get(self.thread), site, apart };
        let shadow = &mut memory.get_mut(place.object).shadow;
        for (earlier, range) in shadow.access(place.offset..place.offset + place.len, access, past) {
            let common = Place { offset: range.start, len: range.end - range.start, ..place };
            self.report_race(common, earlier, access);
        }
    }

    /// A plain write ends what the bytes published.
    pub fn forget_releases(&mut self, place: Place) {
        if !self.machine.track_races || place.len == 0 || self.state.threads.len() == 1 {
            return;
        }
        let object = self.state.memory.get(place.object);
        if object.is_some_and(|object| !object.shadow.releases.is_empty()) {
            let shadow = &mut self.state.memory.get_mut(place.object).shadow;
            shadow.forget_releases(place.offset..place.offset + place.len);
        }
    }

    /// Joins what the writes that an atomic access reads from have published.
    pub fn acquire(&mut self, place: Place, order: Order) {
        if self.machine.track_races
            && let Some(object) = self.state.memory.get(place.object)
            && !object.shadow.releases.is_empty()
        {
            let shadow = object.shadow.clone();
            shadow.acquire(place.offset, order, &mut self.state.thread_mut(self.thread).clocks);
        }
    }

    /// Publishes what the thread knows with an atomic write; `rmw` if the write
    /// goes with a read.
    pub fn release(&mut self, place: Place, order: Order, rmw: bool) {
        if self.machine.track_races {
            let State { memory, threads, .. } = &mut *self.state;
            let clocks = &mut Arc::make_mut(&mut threads[self.thread.0 as usize]).clocks;
            let shadow = &mut memory.get_mut(place.object).shadow;
            shadow.release(place.offset, order, rmw, self.thread, clocks);
        }
    }

    /// The same for a store that was made earlier, with what it publishes.
    pub fn publish(&mut self, place: Place, published: Clock) {
        if self.machine.track_races {
            let shadow = &mut self.state.memory.get_mut(place.object).shadow;
            shadow.publish(place.offset, false, self.thread, published);
        }
    }

    fn report_race(&mut self, place: Place, earlier: Record, access: Record) {
        let first = self.race_access(earlier, self.machine.site_location(earlier.site));
        // The later access may lie in the run-time library: name its caller.
        let second = self.race_access(access, self.machine.position(self.state, self.thread));
        let variable = self.machine.describe_for(self.state, self.thread, place);
        self.report(FaultKind::DataRace { variable, first, second });
    }

    fn race_access(&self, record: Record, at: Location) -> RaceAccess {
        RaceAccess {
            thread: record.thread,
            at,
            touch: record.mode.touch,
            atomic: record.mode.atomic,
            volatile: self.is_volatile(record.site),
            frees: matches!(self.code_at(record.site), Instr::Free { .. }),
        }
    }

    fn is_volatile(&self, site: Site) -> bool {
        matches!(self.code_at(site), Instr::Load { access, .. } | Instr::Store { access, .. } if access.volatile)
    }

    fn code_at(&self, site: Site) -> &Instr {
        &self.machine.program().function(site.function).code[site.pc as usize]
    }
}
