//! The canonical form of a state: a byte string that is the same for two
//! states iff they have the same future, up to the numbering of objects.
//!
//! Objects are numbered in the order in which a fixed traversal meets them;
//! what the traversal does not meet (unreachable memory, dead registers) cannot
//! matter. Clocks are replaced by ranks: of a thread's epochs only the order
//! relative to the accesses still remembered decides later races, so each
//! clock entry becomes the number of remembered accesses it knows of. An
//! access that every live thread knows of can race with no other and is left out.

use ir::Instr;
use rustc_hash::FxHashMap;

use crate::machine::Machine;
use crate::memory::object::{Block, Life, Object, Origin};
use crate::memory::open::{Elements, Open, Prefix};
use crate::race::{Clock, Ranks, Record};
use crate::state::buffer::Entry;
use crate::state::later::Later;
use crate::state::thread::{Frame, Status, SyncPlace, Thread};
use crate::state::{Rest, State};
use crate::sync::{Mutex, Once, SyncObject};
use crate::telling::fault::{ThreadId, Touch};
use crate::value::{Named, ObjectId, Value};

pub(crate) struct Encoder<'a> {
    machine: &'a Machine,
    state: &'a State,
    out: &'a mut Vec<u8>,
    numbers: FxHashMap<ObjectId, u32>,
    order: Vec<ObjectId>,
    /// The thread whose point of view it is: others are then all the same.
    viewpoint: Option<ThreadId>,
    /// Whether it matters which objects may turn out to be the same place.
    blocks: bool,
}

impl Machine {
    /// Appends the canonical form of a normal state ([`Machine::normalise`]):
    /// equal for two states iff they have the same future up to the numbering
    /// of objects. Of another state it says more than need be.
    pub fn canonical(&self, state: &State, out: &mut Vec<u8>) {
        let mut encoder = Encoder::new(self, state, out);
        encoder.number_globals();
        encoder.addresses();
        encoder.threads();
        encoder.keys();
        encoder.objects();
        encoder.apart();
        encoder.order();
        encoder.ids();
        if self.track_races {
            encoder.races();
        }
        if self.notes_lost {
            encoder.lost_objects();
        }
        if self.has_monitor() {
            encoder.number(state.rest.monitor);
        }
    }

    /// The canonical form of the program's global memory alone, for counting
    /// final states.
    pub fn canonical_globals(&self, state: &State, out: &mut Vec<u8>) {
        let mut encoder = Encoder::new(self, state, out);
        encoder.blocks = false;
        encoder.number_globals();
        encoder.objects();
    }
}

impl<'a> Encoder<'a> {
    pub fn new(machine: &'a Machine, state: &'a State, out: &'a mut Vec<u8>) -> Encoder<'a> {
        Encoder {
            machine,
            state,
            out,
            numbers: FxHashMap::default(),
            order: Vec::new(),
            viewpoint: None,
            blocks: machine.tells_addresses,
        }
    }

    /// What a thread sees.
    pub fn seen_by(mut self, thread: ThreadId) -> Encoder<'a> {
        self.viewpoint = Some(thread);
        self
    }

    fn thread_number(&self, thread: ThreadId) -> u64 {
        self.viewpoint.map_or(u64::from(thread.0), |me| u64::from(thread != me))
    }

    fn owner(&mut self, owner: Option<ThreadId>) {
        let number = owner.map_or(0, |thread| self.thread_number(thread) + 1);
        self.number(number);
    }

    pub fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    /// A number in as few bytes as it needs (LEB128).
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.out.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.out.push(number as u8);
    }

    fn object(&mut self, id: ObjectId) {
        match id.named() {
            Named::Slot { .. } => {
                let next = self.order.len() as u32;
                let number = *self.numbers.entry(id).or_insert(next);
                if number == next {
                    self.order.push(id);
                }
                self.number(u64::from(number) << 1);
            }
            Named::Thread(thread) if self.viewpoint.is_some() => {
                let same = ObjectId::thread(ThreadId(self.thread_number(thread) as u32));
                self.number(u64::from(same.0) << 1 | 1);
            }
            _ => self.number(u64::from(id.0) << 1 | 1),
        }
    }

    fn value(&mut self, value: Value) {
        match (value.undef, value.is_pointer()) {
            (undef, _) if value.is_symbolic() => {
                self.byte(3);
                self.number(undef);
                self.object(value.object);
                self.number(u64::from(value.sym.0));
            }
            (0, false) => {
                self.byte(0);
                self.number(value.bits);
            }
            (0, true) => {
                self.byte(1);
                self.object(value.object);
                self.number(value.bits);
            }
            (undef, _) => {
                self.byte(2);
                self.number(undef);
                self.number(value.bits & !undef);
            }
        }
    }

    fn place(&mut self, (object, offset): SyncPlace) {
        self.object(object);
        self.number(offset);
    }

    /// Globals come first and always have the same numbers.
    pub fn number_globals(&mut self) {
        self.numbers.reserve(self.machine.globals.len());
        self.order.reserve(self.machine.globals.len());
        for id in &self.machine.globals {
            if matches!(id.named(), Named::Slot { .. }) {
                self.numbers.insert(*id, self.order.len() as u32);
                self.order.push(*id);
            }
        }
    }

    /// A thread that knows the number of a pinned object reaches it, so pinned
    /// objects count as met; the next one's address depends on all that came
    /// before.
    fn addresses(&mut self) {
        let addresses = &self.state.memory.addresses;
        self.number(addresses.pinned.len() as u64);
        for (address, object) in &addresses.pinned {
            self.number(*address);
            self.object(*object);
        }
        self.number(addresses.next);
    }

    fn threads(&mut self) {
        self.number(self.state.threads.len() as u64);
        for thread in &self.state.threads {
            self.thread(thread);
        }
    }

    pub fn thread(&mut self, thread: &Thread) {
        let flags = u8::from(thread.detached)
            | u8::from(thread.joined) << 1
            | u8::from(thread.own.ending.is_some()) << 2;
        self.byte(flags);
        match &thread.status {
            Status::Ready => self.byte(0),
            Status::Waiting(wait) => {
                self.byte(1 | u8::from(wait.timed) << 4 | u8::from(wait.signalled) << 5);
                self.place(wait.cond);
                self.place(wait.mutex);
            }
            Status::AtBarrier(at) => {
                self.byte(2);
                self.place(*at);
            }
            Status::Ended => {
                self.byte(3);
                if !thread.joined && !thread.detached {
                    self.value(thread.own.result);
                }
                return;
            }
        }
        if let Some(ending) = thread.own.ending {
            self.number(u64::from(ending.rounds));
            self.number(u64::from(ending.key));
            self.value(thread.own.result);
        }
        self.number(u64::from(thread.atomic));
        self.number(thread.frames.len() as u64);
        let last = thread.frames.len() - 1;
        for (index, frame) in thread.frames.iter().enumerate() {
            self.frame(frame, index == last);
        }
        self.number(thread.own.locals.len() as u64);
        for (global, object) in &thread.own.locals {
            self.number(u64::from(global.0));
            self.object(*object);
        }
        self.number(thread.own.specifics.len() as u64);
        for (key, value) in &thread.own.specifics {
            self.number(u64::from(*key));
            self.value(*value);
        }
        if self.machine.has_buffers {
            self.buffer(thread);
        }
    }

    /// The stores that wait. Whether one is atomic matters to later races only.
    fn buffer(&mut self, thread: &Thread) {
        self.number(thread.own.buffer.entries().len() as u64);
        for entry in thread.own.buffer.entries() {
            let Entry::Store(store) = entry else {
                self.number(0);
                continue;
            };
            self.number(store.place.len << 1 | u64::from(self.machine.track_races && store.order.is_some()));
            self.place((store.place.object, store.place.offset));
            self.value(store.value.0);
            if store.place.len > 8 {
                self.value(store.value.1);
            }
            if self.machine.follows_traces {
                self.later(&store.later);
            }
        }
    }

    /// What happens after later accesses than a store that waits.
    fn later(&mut self, later: &Later) {
        self.number(u64::from(later.given_up));
        self.number(later.threads().len() as u64);
        later.threads().iter().for_each(|thread| self.number(u64::from(thread.0)));
        self.number(later.accesses().len() as u64);
        for access in later.accesses() {
            self.object(access.object());
            access.numbers().into_iter().for_each(|number| self.number(number));
        }
    }

    fn frame(&mut self, frame: &Frame, top: bool) {
        self.number(u64::from(frame.function.0));
        self.number(u64::from(frame.pc));
        let liveness = self.machine.liveness(frame.function);
        if top {
            liveness.live_at(frame.pc).for_each(|slot| self.value(frame.regs[slot]));
        } else {
            // A caller's arguments are passed and its results yet to come.
            let call = &self.machine.program().function(frame.function).code[frame.pc as usize];
            let Instr::Call { dsts, .. } = call else { unreachable!("a caller stands at its call") };
            for slot in liveness.live_at(frame.pc + 1) {
                if !dsts.iter().any(|dst| dst.0 as usize == slot) {
                    self.value(frame.regs[slot]);
                }
            }
        }
        self.number(frame.objects.len() as u64);
        for (id, size) in &frame.objects {
            self.object(*id);
            self.number(*size);
        }
        self.number(frame.progress);
        if let Some(object) = frame.arguments {
            self.object(object);
        }
        self.byte(u8::from(frame.pending.is_some()));
        if let Some(value) = frame.pending {
            self.value(value);
        }
    }

    fn keys(&mut self) {
        self.number(self.state.rest.keys.len() as u64);
        for key in self.state.rest.keys.iter() {
            self.number(key.map_or(0, |destructor| destructor.map_or(1, |f| u64::from(f.0) + 2)));
        }
    }

    /// The contents of all that was met, and of what is met there.
    fn objects(&mut self) {
        self.objects_from(0);
    }

    fn block(&mut self, block: Block) {
        self.number(block.born);
        self.number(block.ended.map_or(0, |ended| ended + 1));
        self.number(block.room);
        self.owner(block.stack);
    }

    /// Objects that are no more are apart from nothing.
    fn apart(&mut self) {
        let mut pairs = self.met_pairs(&self.state.rest.apart);
        pairs.iter_mut().for_each(|(a, b)| (*a, *b) = ((*a).min(*b), (*a).max(*b)));
        self.pairs(pairs);
    }

    /// Which objects lie lower than others.
    fn order(&mut self) {
        self.pairs(self.met_pairs(&self.state.memory.addresses.below));
    }

    fn met_pairs(&self, pairs: &[(ObjectId, ObjectId)]) -> Vec<(u32, u32)> {
        let number = |id: &ObjectId| self.numbers.get(id).copied();
        pairs.iter().filter_map(|(a, b)| Some((number(a)?, number(b)?))).collect()
    }

    fn pairs(&mut self, mut pairs: Vec<(u32, u32)>) {
        pairs.sort_unstable();
        if self.blocks {
            self.number(pairs.len() as u64);
        }
        for (a, b) in pairs {
            self.number(u64::from(a));
            self.number(u64::from(b));
        }
    }

    /// Identifiers and stacks of threads that were given out again.
    fn ids(&mut self) {
        let Rest { ids, heirs, .. } = &*self.state.rest;
        for (tells, pairs) in [(self.machine.tells_thread_ids, ids), (self.machine.tells_addresses, heirs)] {
            if tells {
                self.number(pairs.len() as u64);
            }
            for (thread, other) in pairs {
                self.number(u64::from(thread.0));
                self.number(u64::from(other.0));
            }
        }
    }

    /// How many objects were met.
    pub fn met(&self) -> usize {
        self.order.len()
    }

    /// The same, of what was met after the first ones.
    pub fn objects_from(&mut self, first: usize) {
        let mut next = first;
        while next < self.order.len() {
            let id = self.order[next];
            next += 1;
            match self.state.memory.get(id) {
                Some(object) => self.contents(id, object),
                None => self.byte(3),
            }
        }
    }

    /// How many heap objects the traversal did not meet: they are lost, which
    /// the end of the process will report.
    fn lost_objects(&mut self) {
        let lost = self.state.memory.heap_objects().filter(|id| !self.numbers.contains_key(id)).count();
        self.number((lost + self.state.rest.lost.len()) as u64);
    }

    fn contents(&mut self, id: ObjectId, object: &Object) {
        self.byte(match object.life {
            Life::Alive => 0,
            Life::OutOfScope => 2,
            Life::Freed(_) => 3,
        });
        if self.blocks {
            self.block(object.block);
        }
        if object.life != Life::Alive {
            return;
        }
        let undef = object.undef.as_ref().filter(|undef| undef.iter().any(|byte| *byte != 0));
        let heap = match object.origin {
            Origin::Heap(_, allocator) => 1 + allocator as u8,
            _ => 0,
        };
        let unknown = !object.unknown.is_empty();
        let open = u8::from(object.open.is_some()) << 4;
        self.byte(heap | u8::from(undef.is_some()) << 2 | u8::from(unknown) << 3 | open);
        self.number(u64::from(object.align));
        self.number(object.size());
        if let Some(open) = &object.open {
            self.open(open);
        }
        match undef {
            None => self.out.extend_from_slice(&object.data),
            Some(undef) => {
                self.out.extend(object.data.iter().zip(undef).map(|(byte, undef)| byte & !undef));
                self.undefined(undef);
            }
        }
        self.number(object.pointers.len() as u64);
        for (offset, target) in &object.pointers {
            self.number(u64::from(*offset));
            self.object(*target);
        }
        if unknown {
            self.number(object.unknown.len() as u64);
            for cell in &object.unknown {
                self.number(cell.start());
                self.byte(cell.len);
                self.number(u64::from(cell.sym.0));
            }
        }
        self.sync_objects(id, object);
    }

    /// The size and the contents of an object of unknown size.
    fn open(&mut self, open: &Open) {
        self.byte(open.unit | u8::from(open.zeroed) << 2);
        self.value(open.size);
        let Some(Elements { log, contents, initialised }) = open.elements else { return self.byte(0) };
        self.byte(1 + log);
        self.number(u64::from(contents.0));
        self.byte(initialised.map_or(0, |prefix| prefix.width));
        if let Some(Prefix { len, signed, .. }) = initialised {
            self.byte(signed.into());
            self.value(len);
        }
    }

    /// Undefined bits as runs of bytes with the same mask.
    fn undefined(&mut self, undef: &[u8]) {
        for run in undef.chunk_by(|a, b| a == b) {
            self.number(run.len() as u64);
            self.byte(run[0]);
        }
    }

    fn sync_objects(&mut self, id: ObjectId, object: &Object) {
        for (offset, sync) in &object.sync {
            let at = (id, u64::from(*offset));
            if self.machine.is_as_if_untouched(self.state, at, sync) {
                continue;
            }
            self.number(u64::from(*offset) + 1);
            self.sync_object(sync);
        }
        self.number(0);
    }

    fn sync_object(&mut self, sync: &SyncObject) {
        match sync {
            SyncObject::Mutex(mutex) => self.mutex(0, mutex),
            SyncObject::Spin(mutex) => self.mutex(1, mutex),
            SyncObject::Cond => self.byte(2),
            SyncObject::RwLock(lock) => {
                self.byte(3);
                self.owner(lock.writer);
                self.thread_list(&lock.readers);
                self.byte(lock.nonrecursive.into());
            }
            SyncObject::Barrier(barrier) => {
                self.byte(4);
                self.number(barrier.count);
                self.thread_list(&barrier.waiting);
            }
            SyncObject::Semaphore(semaphore) => {
                self.byte(5);
                self.number(semaphore.value);
            }
            SyncObject::Once(Once::Running(thread)) => {
                self.byte(6);
                self.number(self.thread_number(*thread));
            }
            SyncObject::Once(Once::Done(_)) => self.byte(7),
            SyncObject::Once(Once::TakenBack(_)) => self.byte(9),
            SyncObject::Destroyed => self.byte(8),
        }
    }

    fn mutex(&mut self, tag: u8, mutex: &Mutex) {
        self.byte(tag);
        self.byte(mutex.kind as u8 | (mutex.robust as u8) << 2);
        self.owner(mutex.owner);
        self.number(u64::from(mutex.depth));
    }

    fn thread_list(&mut self, threads: &[ThreadId]) {
        self.number(threads.len() as u64);
        let mut numbers: Vec<u64> = threads.iter().map(|t| self.thread_number(*t)).collect();
        // Others may stand before or after.
        numbers.sort_unstable();
        numbers.into_iter().for_each(|number| self.number(number));
    }

    // Races.

    fn races(&mut self) {
        let order = std::mem::take(&mut self.order);
        let objects: Vec<&Object> = order.iter().filter_map(|id| self.state.memory.get(*id)).collect();
        let ranks = Ranks::new(self.state, &objects, None);
        if !ranks.is_empty() {
            for (index, object) in objects.iter().enumerate() {
                self.shadow(index, object, &ranks);
            }
            self.number(0);
            for thread in self.state.threads.iter().filter(|t| t.is_alive() || !(t.joined || t.detached)) {
                self.clock(&thread.clocks.now, &ranks);
                self.clock(&thread.clocks.release_fence, &ranks);
                self.clock(&thread.clocks.pending, &ranks);
                thread.own.buffer.stores().for_each(|store| self.clock(&store.published, &ranks));
            }
            self.clock(&self.state.rest.section_clock, &ranks);
        }
        self.order = order;
    }

    fn clock(&mut self, clock: &Clock, ranks: &Ranks) {
        for (thread, epochs) in &ranks.epochs {
            self.number(epochs.partition_point(|epoch| *epoch <= clock.get(*thread)) as u64);
        }
    }

    fn shadow(&mut self, index: usize, object: &Object, ranks: &Ranks) {
        for cell in &object.shadow.cells {
            let mut records: Vec<&Record> = cell.records.iter().filter(|r| ranks.matters(r)).collect();
            if records.is_empty() {
                continue;
            }
            records.sort_by_key(|r| r.key());
            self.number(index as u64 + 1);
            self.byte(0);
            self.number(cell.start);
            self.number(cell.end);
            self.number(records.len() as u64);
            for record in records {
                self.number(u64::from(record.thread.0));
                self.byte(u8::from(record.mode.touch == Touch::Write) | u8::from(record.mode.atomic) << 1);
                self.number(ranks.rank(record.thread, record.epoch));
                if let Some(place) = record.place() {
                    self.number(place.function.0.into());
                    self.number(place.pc.into());
                }
            }
        }
        for release in &object.shadow.releases {
            if ranks.knows_something(&release.clock) {
                self.number(index as u64 + 1);
                self.byte(1);
                self.number(release.offset);
                self.number(u64::from(release.head.0));
                self.clock(&release.clock, ranks);
            }
        }
        for (offset, sync) in &object.sync {
            for (tag, clock) in sync.clocks().into_iter().enumerate() {
                if ranks.knows_something(clock) {
                    self.number(index as u64 + 1);
                    self.byte(2 + tag as u8);
                    self.number(u64::from(*offset));
                    self.clock(clock, ranks);
                }
            }
        }
    }
}
