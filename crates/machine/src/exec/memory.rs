//! Instructions on memory.

use ir::{Access, CompareExchange, Instr, Operand, Order, RmwOp};

use crate::exec::{Exec, Stop};
use crate::memory::object::{Allocator, Life, Object, Origin, Site};
use crate::memory::{MAX_OBJECT, TooManyObjects, Unresolved};
use crate::race::{Mode, Record};
use crate::symbolic::symbols::{Snag, Symbols};
use crate::telling::describe::UNINITIALISED;
use crate::telling::fault::{FaultKind, RaceAccess, Touch};
use crate::telling::observer::{Event, Observer, Place};
use crate::value::arith::narrow;
use crate::value::float;
use crate::value::{Named, ObjectId, Value};

/// A fill of an object that other threads can see writes so many bytes at a time.
const CHUNK: u64 = 8;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn memory_instruction(&mut self, instr: &Instr) -> Result<(), Stop> {
        match *instr {
            Instr::Load { width, dst, ptr, access } => self.load(width, dst, ptr, access),
            Instr::Store { width, ptr, value, access } => self.store(width, ptr, value, access),
            Instr::AtomicRmw { op, width, dst, ptr, value, order } => {
                self.read_modify_write(op, width, dst, ptr, value, order)
            }
            Instr::CompareExchange(ref cx) => self.compare_exchange(cx),
            Instr::Fence { order } => {
                self.event(Event::Fence { order });
                if self.machine.track_races {
                    let thread = self.thread;
                    self.state.thread_mut(thread).clocks.fence(thread, order);
                }
                self.next()
            }
            Instr::Alloca { dst, size, align, var } => {
                let size = self.defined(size, "the size of an array")?.bits;
                let limit = self.machine.config().stack_limit;
                if self.state.thread(self.thread).stack_used.saturating_add(size) > limit {
                    return Err(FaultKind::StackOverflow { limit }.into());
                }
                let site = self.site();
                let object = Object::new(Origin::Frame { site, var }, size, false).aligned(align);
                let id = self.add(object)?;
                self.event(Event::Alloc { object: id, size });
                let thread = self.state.thread_mut(self.thread);
                thread.stack_used += size;
                thread.frame_mut().objects.push((id, size));
                self.set_and_next(dst, Value::pointer(id, 0))
            }
            Instr::Malloc { dst, size, align, zeroed } => {
                let size = self.defined(size, "the size of an allocation")?.bits;
                let align = self.defined(align, "the alignment of an allocation")?.bits;
                if size > self.greatest_object() {
                    return self.set_and_next(dst, Value::int(0));
                }
                if size.max(align) > MAX_OBJECT {
                    return Err(TooManyObjects.into());
                }
                let site = self.site();
                let object = Object::new(Origin::Heap(site, self.allocator()), size, zeroed);
                let id = self.add(object.aligned(align as u32))?;
                self.event(Event::Alloc { object: id, size });
                if self.machine.orders_heap() {
                    self.event(Event::HeapOrder { frees: false });
                }
                self.set_and_next(dst, Value::pointer(id, 0))
            }
            Instr::Free { ptr, heir, size } => self.free(ptr, heir, size),
            Instr::ObjectSize { dst, ptr } => {
                let pointer = self.value(ptr);
                let (id, _) = self.resolve(pointer, 0, Touch::Read)?;
                let shared = self.is_shared(id);
                self.event(Event::Whole { object: id, write: false, shared });
                let size = self.state.memory.size_of(id, &self.machine.constants);
                self.set_and_next(dst, Value::int(size))
            }
            Instr::EndObject { ptr } => self.end_object(ptr),
            Instr::ScopeBegin { ptr } => self.scope(ptr, true),
            Instr::ScopeEnd { ptr } => self.scope(ptr, false),
            Instr::StackSave { dst } => {
                let mark = self.state.thread(self.thread).frame().objects.len() as u64;
                self.set_and_next(dst, Value::int(mark))
            }
            Instr::StackRestore { mark } => {
                let mark = self.value(mark);
                let mark = self.known(mark)?.bits as usize;
                let objects = &mut self.state.thread_mut(self.thread).frame_mut().objects;
                let ended: Vec<_> = objects.drain(mark.min(objects.len())..).collect();
                ended.into_iter().for_each(|(object, size)| self.end_frame_object(object, size));
                self.next()
            }
            Instr::MemCopy { dst, src, len, may_overlap } => self.copy(dst, src, len, may_overlap),
            Instr::MemSet { dst, byte, len } => self.fill(dst, byte, len),
            Instr::VaStart { list } => self.va_start(list),
            _ => unreachable!("an instruction on memory"),
        }
    }

    /// Where a pointer leads, or the fault it is.
    pub fn resolve(&mut self, pointer: Value, len: u64, touch: Touch) -> Result<(ObjectId, u64), Stop> {
        let pointer = if pointer.is_symbolic() { self.pinpoint(pointer, len)? } else { pointer };
        match self.state.memory.resolve(pointer, len, touch) {
            Ok(found) => Ok(found),
            Err(Unresolved::Constant) => self.resolve_constant(pointer, len, touch),
            Err(unresolved) => {
                Err(self.machine.bad_pointer(self.state, pointer, len, touch, unresolved).into())
            }
        }
    }

    fn resolve_constant(&self, pointer: Value, len: u64, touch: Touch) -> Result<(ObjectId, u64), Stop> {
        let size = self.state.memory.size_of(pointer.object, &self.machine.constants);
        if pointer.bits.checked_add(len).is_none_or(|end| end > size) {
            let kind = self.machine.bad_pointer(self.state, pointer, len, touch, Unresolved::Bad);
            return Err(kind.into());
        }
        if touch == Touch::Write {
            let object = self.machine.object_name(self.state, pointer.object);
            return Err(FaultKind::WriteToConstant { object }.into());
        }
        Ok((pointer.object, pointer.bits))
    }

    /// Reads up to 8 bytes.
    pub fn read(&mut self, id: ObjectId, offset: u64, len: u64) -> Result<Value, Stop> {
        let word = self.state.memory.word;
        if let Named::Constant(global) = id.named() {
            let constant = self.machine.constants.get(global).read(offset, len, word);
            return Ok(constant.unwrap_or_else(|| self.read_split_constant(global, offset, len)));
        }
        let object = self.state.memory.get(id).expect("resolved");
        match object.read(offset, len, word) {
            Some(value) => Ok(value),
            None => self.read_split(id, offset, len),
        }
    }

    /// Reads a range that has part of a pointer: as numbers.
    fn read_split(&mut self, id: ObjectId, offset: u64, len: u64) -> Result<Value, Stop> {
        self.know_pointers(id, offset, len)?;
        self.state.memory.numeric_range(id, offset, len, &self.machine.constants);
        let word = self.state.memory.word;
        let whole = self.state.memory.get(id).expect("resolved").read(offset, len, word);
        Ok(whole.unwrap_or_else(|| self.read_pieces(id, offset, len)))
    }

    /// The same for a constant: in a copy, since constants are not in the state.
    fn read_split_constant(&mut self, global: ir::GlobalId, offset: u64, len: u64) -> Value {
        let word = self.state.memory.word;
        let mut copy = self.machine.constants.get(global).clone();
        for (at, target) in std::mem::take(&mut copy.pointers) {
            let base = self.state.memory.pin(target, &self.machine.constants);
            let value = copy.read(u64::from(at), word, word).expect("no pointers left");
            let bits = value.bits.wrapping_add(base) & narrow::mask((word * 8) as u8);
            copy.write(u64::from(at), word, word, Value::int(bits));
        }
        copy.read(offset, len, word).expect("no pointers left")
    }

    /// Writes up to 8 bytes.
    pub fn write(&mut self, id: ObjectId, offset: u64, len: u64, value: Value) -> Result<(), Stop> {
        if !self.state.memory.get(id).expect("resolved").unknown.is_empty() {
            self.know_pointers_cut_by(id, offset, len)?;
            self.split_cells(id, offset, len);
        }
        let memory = &mut self.state.memory;
        if !memory.get(id).expect("resolved").pointers.is_empty() {
            memory.split_pointers(id, offset, len, &self.machine.constants);
        }
        let memory = &mut self.state.memory;
        if value.is_pointer() && memory.get(id).expect("resolved").shared {
            memory.share(value.object);
        }
        let word = memory.word;
        memory.get_mut(id).write(offset, len, word, value);
        Ok(())
    }

    /// The pointers that a write to the range leaves a part of.
    fn know_pointers_cut_by(&mut self, id: ObjectId, offset: u64, len: u64) -> Result<(), Stop> {
        let word = self.state.memory.word;
        let object = self.state.memory.get(id).expect("resolved");
        let cut =
            |(at, _): &&(u32, ObjectId)| u64::from(*at) < offset || u64::from(*at) + word > offset + len;
        let cut: Vec<u64> = object.pointers[object.pointers_in(offset, len, word)]
            .iter()
            .filter(cut)
            .map(|(at, _)| u64::from(*at))
            .collect();
        cut.into_iter().try_for_each(|at| self.know_pointers(id, at, word))
    }

    fn read_pair(&mut self, id: ObjectId, offset: u64, width: u8) -> Result<(Value, Value), Stop> {
        let bytes = u64::from(width).div_ceil(8);
        let low = self.read(id, offset, bytes.min(8))?;
        let low = self.hide_sync(Place { object: id, offset, len: bytes }, low);
        let high = if bytes > 8 { self.read(id, offset + 8, bytes - 8)? } else { Value::int(0) };
        Ok((low, high))
    }

    fn write_pair(
        &mut self,
        id: ObjectId,
        offset: u64,
        width: u8,
        (low, high): (Value, Value),
    ) -> Result<(), Stop> {
        let bytes = u64::from(width).div_ceil(8);
        self.write(id, offset, bytes.min(8), low)?;
        if bytes > 8 {
            self.write(id, offset + 8, bytes - 8, high)?;
        }
        Ok(())
    }

    /// A value that is not known has the width of its register, in memory the
    /// width of its bytes.
    pub fn resized(&mut self, (low, high): (Value, Value), from: u8, to: u8) -> (Value, Value) {
        let mut resize = |value: Value, from: u8, to: u8| {
            if value.is_symbolic() && from != to { self.symbols.resize(value, from, to) } else { value }
        };
        let upper = |width: u8| width.saturating_sub(64);
        (resize(low, from.min(64), to.min(64)), resize(high, upper(from), upper(to)))
    }

    pub fn is_shared(&self, id: ObjectId) -> bool {
        self.state.memory.get(id).is_some_and(|object| object.shared)
    }

    /// Remembers an access and reports a race with an earlier one.
    fn track(&mut self, place: Place, touch: Touch, order: Option<Order>) {
        let tracked = self.machine.track_races && self.state.threads.len() > 1;
        if !tracked || place.len == 0 || self.state.memory.get(place.object).is_none() {
            return;
        }
        let mode = Mode { touch, atomic: order.is_some() };
        let site = self.site();
        let plain_write = touch == Touch::Write && order.is_none();
        if !self.can_race(site) {
            let object = self.state.memory.get(place.object);
            if plain_write && object.is_some_and(|object| !object.shadow.releases.is_empty()) {
                let shadow = &mut self.state.memory.get_mut(place.object).shadow;
                shadow.forget_releases(place.offset..place.offset + place.len);
            }
            return;
        }
        let past = self.state.thread(self.thread).clocks.now.clone();
        let access = Record { thread: self.thread, mode, epoch: past.get(self.thread), site };
        let shadow = &mut self.state.memory.get_mut(place.object).shadow;
        if plain_write && !shadow.releases.is_empty() {
            shadow.forget_releases(place.offset..place.offset + place.len);
        }
        if let Some((earlier, range)) = shadow.access(place.offset..place.offset + place.len, access, &past) {
            let common = Place { offset: range.start, len: range.end - range.start, ..place };
            self.report_race(common, earlier, access);
        }
    }

    /// Whether an instruction's accesses can be in the first race.
    fn can_race(&self, site: Site) -> bool {
        let racing = self.machine.config().racing.as_ref();
        racing.is_none_or(|racing| racing[site.function.0 as usize][site.pc as usize])
    }

    fn report_race(&mut self, place: Place, earlier: Record, access: Record) {
        let mut second = self.race_access(access);
        // The later access may lie in the run-time library: name its caller.
        second.at = self.machine.position(self.state, self.thread);
        let variable = self.machine.describe(self.state, place);
        self.report(FaultKind::DataRace { variable, first: self.race_access(earlier), second });
    }

    fn race_access(&self, record: Record) -> RaceAccess {
        RaceAccess {
            thread: record.thread,
            at: self.machine.location(record.site.function, record.site.pc),
            touch: record.mode.touch,
            atomic: record.mode.atomic,
            volatile: self.is_volatile(record.site),
        }
    }

    fn is_volatile(&self, site: Site) -> bool {
        let instr = &self.machine.program().function(site.function).code[site.pc as usize];
        matches!(instr, Instr::Load { access, .. } | Instr::Store { access, .. } if access.volatile)
    }

    fn acquire(&mut self, id: ObjectId, offset: u64, order: Order) {
        if self.machine.track_races
            && let Some(object) = self.state.memory.get(id)
            && !object.shadow.releases.is_empty()
        {
            let shadow = object.shadow.clone();
            shadow.acquire(offset, order, &mut self.state.thread_mut(self.thread).clocks);
        }
    }

    fn release(&mut self, id: ObjectId, offset: u64, order: Order, rmw: bool) {
        if self.machine.track_races {
            let mut clocks = std::mem::take(&mut self.state.thread_mut(self.thread).clocks);
            self.state.memory.get_mut(id).shadow.release(offset, order, rmw, self.thread, &mut clocks);
            self.state.thread_mut(self.thread).clocks = clocks;
        }
    }

    fn load(&mut self, width: u8, dst: ir::Reg, ptr: Operand, access: Access) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let len = u64::from(width).div_ceil(8);
        if self.is_wide(len, access) && self.load_torn(width, dst, pointer)? {
            return Ok(());
        }
        if pointer.is_symbolic() && self.load_anywhere(width, dst, pointer, access)? {
            return Ok(());
        }
        let (id, offset) = self.resolve(pointer, len, Touch::Read)?;
        let place = Place { object: id, offset, len };
        let pair = self.read_pair(id, offset, width)?;
        let (low, high) = self.resized(pair, (len * 8) as u8, width);
        let low = Value { bits: low.bits & narrow::mask(width.min(64)), ..low };
        let shared = self.is_shared(id);
        self.event(Event::Read { place, value: low, order: access.order, shared });
        if let Some(order) = access.order {
            self.acquire(id, offset, order);
        }
        self.track(place, Touch::Read, access.order);
        if width > 64 {
            let frame = self.state.thread_mut(self.thread).frame_mut();
            crate::exec::eval::write_wide(&mut frame.regs, dst, (low, high));
            return self.next();
        }
        self.set_and_next(dst, low)
    }

    fn store(&mut self, width: u8, ptr: Operand, value: Operand, access: Access) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let len = u64::from(width).div_ceil(8);
        if self.is_wide(len, access) && self.store_torn(width, pointer, value)? {
            return Ok(());
        }
        if pointer.is_symbolic() && self.store_anywhere(width, pointer, value, access)? {
            return Ok(());
        }
        let (id, offset) = self.resolve(pointer, len, Touch::Write)?;
        let place = Place { object: id, offset, len };
        let new = self.pair(value, width);
        let new = self.resized(new, width, (len * 8) as u8);
        let old = self.read(id, offset, len.min(8))?;
        self.track(place, Touch::Write, access.order);
        if let Some(order) = access.order {
            self.release(id, offset, order, false);
        }
        let shared = self.is_shared(id);
        self.event(Event::Write { place, old, new: new.0, order: access.order, shared });
        self.write_pair(id, offset, width, new)?;
        self.next()
    }

    fn read_modify_write(
        &mut self,
        op: RmwOp,
        width: u8,
        dst: ir::Reg,
        ptr: Operand,
        value: Operand,
        order: Order,
    ) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let len = u64::from(width).div_ceil(8);
        let (id, offset) = self.resolve(pointer, len, Touch::Write)?;
        let (old, _) = self.read_pair(id, offset, width)?;
        let operand = self.value(value);
        let new = self.rmw_result(op, width, old, operand)?;
        self.atomic_update(Place { object: id, offset, len }, width, old, (new, Value::int(0)), order)?;
        self.set_and_next(dst, old)
    }

    fn rmw_result(&mut self, op: RmwOp, width: u8, old: Value, operand: Value) -> Result<Value, Stop> {
        if width > 64 {
            let what = "an atomic operation of more than 64 bits".to_owned();
            return Err(Stop::End(crate::machine::End::Unsupported(what)));
        }
        let op = match op {
            RmwOp::Xchg => return Ok(operand),
            RmwOp::Nand => {
                let and = self.integer_binary(ir::BinOp::And, width, old, operand)?;
                return self.integer_binary(ir::BinOp::Xor, width, and, Value::int(narrow::mask(width)));
            }
            RmwOp::FloatAdd | RmwOp::FloatSub if old.is_symbolic() || operand.is_symbolic() => {
                return Err(self.snag(Snag::Unsupported("a floating-point operation on an unknown value")));
            }
            RmwOp::FloatAdd | RmwOp::FloatSub => {
                let op = if op == RmwOp::FloatAdd { ir::FloatOp::Add } else { ir::FloatOp::Sub };
                return Ok(Value::int(float::binary(op, width, old.bits, operand.bits)));
            }
            RmwOp::Add => ir::BinOp::Add,
            RmwOp::Sub => ir::BinOp::Sub,
            RmwOp::And => ir::BinOp::And,
            RmwOp::Or => ir::BinOp::Or,
            RmwOp::Xor => ir::BinOp::Xor,
            RmwOp::UMin => ir::BinOp::UMin,
            RmwOp::UMax => ir::BinOp::UMax,
            RmwOp::SMin => ir::BinOp::SMin,
            RmwOp::SMax => ir::BinOp::SMax,
        };
        self.integer_binary(op, width, old, operand)
    }

    /// Arithmetic on values of which some may be pointers.
    fn integer_binary(&mut self, op: ir::BinOp, width: u8, a: Value, b: Value) -> Result<Value, Stop> {
        let zero = Value::int(0);
        let result = self.arith(op, width, (a, zero), (b, zero)).or_else(|snag| match snag {
            Snag::Trouble(_) => {
                let (a, b) = (self.as_number(a)?, self.as_number(b)?);
                self.arith(op, width, (a, zero), (b, zero))
            }
            snag => Err(snag),
        });
        match result {
            Ok((value, _)) => Ok(value),
            Err(Snag::Trouble(_)) => Ok(Value::UNDEF),
            Err(snag) => Err(self.snag(snag)),
        }
    }

    fn atomic_update(
        &mut self,
        place: Place,
        width: u8,
        old: Value,
        new: (Value, Value),
        order: Order,
    ) -> Result<(), Stop> {
        self.acquire(place.object, place.offset, order);
        self.track(place, Touch::Write, Some(order));
        self.release(place.object, place.offset, order, true);
        let shared = self.is_shared(place.object);
        self.event(Event::Read { place, value: old, order: Some(order), shared });
        self.event(Event::Write { place, old, new: new.0, order: Some(order), shared });
        self.write_pair(place.object, place.offset, width, new)
    }

    fn compare_exchange(&mut self, cx: &CompareExchange) -> Result<(), Stop> {
        let pointer = self.value(cx.ptr);
        let len = u64::from(cx.width).div_ceil(8);
        let (id, offset) = self.resolve(pointer, len, Touch::Write)?;
        let place = Place { object: id, offset, len };
        let old = self.read_pair(id, offset, cx.width)?;
        let (expected, new) = (self.pair(cx.expected, cx.width), self.pair(cx.new, cx.width));
        let equal = self.equal(cx.width, old, expected)?;
        let succeeds = equal && !(cx.weak && self.choice == 1);
        if succeeds {
            self.atomic_update(place, cx.width, old.0, new, cx.success)?;
        } else {
            self.acquire(id, offset, cx.failure);
            self.track(place, Touch::Read, Some(cx.failure));
            let shared = self.is_shared(id);
            self.event(Event::Read { place, value: old.0, order: Some(cx.failure), shared });
        }
        self.set(cx.ok, Value::int(u64::from(succeeds)));
        if cx.width > 64 {
            self.set(ir::Reg(cx.old.0 + 1), old.1);
        }
        self.set_and_next(cx.old, old.0)
    }

    fn equal(&mut self, width: u8, a: (Value, Value), b: (Value, Value)) -> Result<bool, Stop> {
        let mut equal = true;
        for (width, a, b) in [(width.min(64), a.0, b.0), (width.saturating_sub(64), a.1, b.1)] {
            let result = self.equality(width, a, b).or_else(|snag| match snag {
                Snag::Trouble(_) => {
                    let (a, b) = (self.as_number(a)?, self.as_number(b)?);
                    self.equality(width, a, b)
                }
                snag => Err(snag),
            });
            let result = match result {
                Err(Snag::Trouble(_)) => Value::UNDEF,
                result => result.map_err(|snag| self.snag(snag))?,
            };
            if result.undef & 1 != 0 {
                return Err(FaultKind::Uninitialised { decides: "a compare-and-exchange".into() }.into());
            }
            equal &= result.bits == 1;
        }
        Ok(equal)
    }

    fn free(&mut self, ptr: Operand, heir: Operand, size: Option<Operand>) -> Result<(), Stop> {
        if self.follows_undefined(ptr) {
            return Err(FaultKind::InvalidFree { pointer: UNINITIALISED.to_owned() }.into());
        }
        let mut pointer = self.defined(ptr, "what is freed")?;
        if !pointer.is_pointer() {
            if pointer.bits == 0 {
                return self.next();
            }
            pointer = self.state.memory.pointer_at(pointer.bits).unwrap_or(pointer);
        }
        let freed = self.state.memory.get(pointer.object).map(|object| (object.life, object.origin));
        let is_dangling = matches!(pointer.object.named(), Named::Slot { .. }) && freed.is_none();
        match freed {
            Some((Life::Alive, Origin::Heap(_, made_by))) if pointer.bits == 0 => {
                self.check_allocator(pointer.object, made_by)?;
                self.check_size(pointer.object, size)?;
            }
            Some((Life::Freed(_), _)) => return Err(self.double_free(pointer.object)),
            None if is_dangling => return Err(self.double_free(pointer.object)),
            _ => {
                let pointer = self.machine.show_pointer(self.state, pointer);
                return Err(FaultKind::InvalidFree { pointer }.into());
            }
        }
        let len = self.state.memory.size_of(pointer.object, &self.machine.constants);
        self.track(Place { object: pointer.object, offset: 0, len }, Touch::Write, None);
        let shared = self.is_shared(pointer.object);
        self.event(Event::Free { object: pointer.object, shared });
        if self.machine.frees_visibly(self.state, self.thread, pointer.object) {
            self.event(Event::HeapOrder { frees: true });
        }
        let site = self.site();
        self.end(pointer.object, Life::Freed(site));
        let heir = self.value(heir).object;
        self.state.memory.inherit(pointer.object, heir);
        self.next()
    }

    /// No allocator has more: pointers into an object must have a difference.
    fn greatest_object(&self) -> u64 {
        narrow::mask(self.machine.program().pointer_width - 1)
    }

    /// The allocator that the current function belongs to.
    fn allocator(&self) -> Allocator {
        self.machine.code[self.site().function.0 as usize].allocator
    }

    /// Memory goes back to the allocator that it came from.
    fn check_allocator(&self, id: ObjectId, made_by: Allocator) -> Result<(), Stop> {
        let freed_by = self.allocator();
        if made_by == freed_by {
            return Ok(());
        }
        let object = self.machine.object_name(self.state, id);
        let (allocated, freed) = (made_by.gives().to_owned(), freed_by.takes().to_owned());
        Err(FaultKind::MismatchedFree { object, allocated, freed }.into())
    }

    /// Who says what size memory has that goes back must be right: it is not
    /// where an object goes back as one of its base class.
    fn check_size(&mut self, id: ObjectId, said: Option<Operand>) -> Result<(), Stop> {
        let Some(said) = said else { return Ok(()) };
        let freed = self.defined(said, "the size of what is freed")?.bits;
        let size = self.state.memory.size_of(id, &self.machine.constants);
        if freed == size {
            return Ok(());
        }
        let object = self.machine.object_name(self.state, id);
        Err(FaultKind::MismatchedSize { object, size, freed }.into())
    }

    fn double_free(&self, id: ObjectId) -> Stop {
        let object = self.machine.object_name(self.state, id);
        let freed = self.machine.freed_location(self.state, id);
        FaultKind::DoubleFree { object, freed }.into()
    }

    fn scope(&mut self, ptr: Operand, begin: bool) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let Some(object) = self.state.memory.get(pointer.object) else { return self.next() };
        let (size, origin, generation, shared) =
            (object.size(), object.origin, object.generation, object.shared);
        self.event(Event::Whole { object: pointer.object, write: true, shared });
        let object = self.state.memory.get_mut(pointer.object);
        if begin {
            let shadow = std::mem::take(&mut object.shadow);
            let was_alive = object.life == Life::Alive;
            *object = Object::new(origin, size, false).aligned(object.align);
            (object.generation, object.shared) = (generation, shared);
            if was_alive {
                object.shadow = shadow;
            }
        } else {
            // What it held is gone: states that differ in nothing else are equal.
            *object = Object::new(origin, size, true);
            (object.generation, object.shared, object.life) = (generation, shared, Life::OutOfScope);
        }
        self.next()
    }

    /// Ends an object of the innermost frame, if it is one.
    fn end_object(&mut self, ptr: Operand) -> Result<(), Stop> {
        let ended = self.value(ptr).object;
        let objects = &self.state.thread(self.thread).frame().objects;
        if let Some(at) = objects.iter().rposition(|(id, _)| *id == ended && ended != ObjectId::NONE) {
            let (id, size) = self.state.thread_mut(self.thread).frame_mut().objects.remove(at);
            self.end_frame_object(id, size);
        }
        self.next()
    }

    /// Ends an object of a frame or a thread-local variable.
    pub fn end_frame_object(&mut self, id: ObjectId, size: u64) {
        let thread = self.state.thread_mut(self.thread);
        thread.stack_used = thread.stack_used.saturating_sub(size);
        let Some(shared) = self.state.memory.get(id).map(|object| object.shared) else { return };
        self.observer.event(self.thread, ir::FuncId(0), 0, Event::Free { object: id, shared });
        self.end(id, Life::OutOfScope);
    }

    fn fill(&mut self, dst: Operand, byte: Operand, len: Operand) -> Result<(), Stop> {
        let len = self.defined(len, "the length of a fill")?.bits;
        if len == 0 {
            return self.next();
        }
        let pointer = self.value(dst);
        let (id, offset) = self.resolve(pointer, len, Touch::Write)?;
        let byte = self.value(byte);
        let exclusive = self.machine.is_exclusive(self.state, self.thread, self.grain) || !self.is_shared(id);
        let progress = self.state.thread(self.thread).frame().progress;
        let chunk = if exclusive { len - progress } else { CHUNK.min(len - progress) };
        let place = Place { object: id, offset: offset + progress, len: chunk };
        self.track(place, Touch::Write, None);
        let shared = self.is_shared(id);
        let old = self.read(id, place.offset, chunk.min(8))?;
        if byte.is_symbolic() {
            return self.fill_unknown(place, byte, progress + chunk, len);
        }
        let new = Value { bits: byte.bits & 0xff, undef: byte.undef & 0xff, ..byte };
        let splat = Value::int((new.bits * 0x0101_0101_0101_0101) & narrow::mask((chunk.min(8) * 8) as u8));
        self.event(Event::Write { place, old, new: splat, order: None, shared });
        self.know_pointers_cut_by(id, place.offset, chunk)?;
        self.split_cells(id, place.offset, chunk);
        self.state.memory.split_pointers(id, place.offset, chunk, &self.machine.constants);
        let word = self.state.memory.word;
        self.state.memory.get_mut(id).fill(place.offset, chunk, word, new);
        self.progress(progress + chunk, len)
    }

    /// Fills with a byte that is not known, word by word.
    fn fill_unknown(&mut self, place: Place, byte: Value, done: u64, len: u64) -> Result<(), Stop> {
        let shared = self.is_shared(place.object);
        let old = self.read(place.object, place.offset, place.len.min(8))?;
        self.event(Event::Write { place, old, new: byte, order: None, shared });
        let mut at = 0;
        while at < place.len {
            let chunk = CHUNK.min(place.len - at);
            let word = (1..chunk).fold(byte, |word, bytes| self.symbols.join((word, bytes), (byte, 1)));
            self.write(place.object, place.offset + at, chunk, word)?;
            at += chunk;
        }
        self.progress(done, len)
    }

    /// Notes how far a copy or fill is, and goes on when it is done.
    pub fn progress(&mut self, done: u64, len: u64) -> Result<(), Stop> {
        let frame = self.state.thread_mut(self.thread).frame_mut();
        frame.progress = if done == len { 0 } else { done };
        if done == len { self.next() } else { Ok(()) }
    }

    fn copy(&mut self, dst: Operand, src: Operand, len: Operand, may_overlap: bool) -> Result<(), Stop> {
        let len = self.defined(len, "the length of a copy")?.bits;
        if len == 0 {
            return self.next();
        }
        let (to, from) = (self.value(dst), self.value(src));
        let (from, from_offset) = self.resolve(from, len, Touch::Read)?;
        let (to, to_offset) = self.resolve(to, len, Touch::Write)?;
        let overlap = from == to && from_offset.abs_diff(to_offset) < len;
        // Assigning an object to itself is allowed; it reads and writes all the same.
        if overlap && !may_overlap && from_offset != to_offset {
            let object = self.machine.object_name(self.state, to);
            return Err(FaultKind::OverlappingCopy { object }.into());
        }
        let backwards = overlap && from_offset < to_offset;
        let exclusive = self.machine.is_exclusive(self.state, self.thread, self.grain);
        let both_shared = self.is_shared(from) && self.is_shared(to);
        let private = !self.is_shared(from) && !self.is_shared(to);
        let copy = Copy { from: (from, from_offset), to: (to, to_offset), len, backwards };
        if exclusive || private {
            while self.copy_chunk(&copy, false)? < len {}
            return self.next();
        }
        if self.copy_chunk(&copy, both_shared)? == len { self.next() } else { Ok(()) }
    }

    /// Moves one word. Where both ends are visible to others, reading and
    /// writing are two steps. Yields the bytes done, 0 when all are.
    fn copy_chunk(&mut self, copy: &Copy, two_steps: bool) -> Result<u64, Stop> {
        let frame = self.state.thread(self.thread).frame();
        let (done, pending) = (frame.progress, frame.pending);
        let (at, chunk) = copy.chunk(done, self.state.memory.word);
        let value = match pending {
            Some(value) => value,
            None => self.read_place((copy.from.0, copy.from.1 + at), chunk)?,
        };
        if two_steps && pending.is_none() {
            self.state.thread_mut(self.thread).frame_mut().pending = Some(value);
            return Ok(done);
        }
        self.write_place((copy.to.0, copy.to.1 + at), chunk, value)?;
        let frame = self.state.thread_mut(self.thread).frame_mut();
        frame.pending = None;
        frame.progress = if done + chunk == copy.len { 0 } else { done + chunk };
        Ok(done + chunk)
    }

    pub fn read_place(&mut self, (id, offset): (ObjectId, u64), len: u64) -> Result<Value, Stop> {
        let place = Place { object: id, offset, len };
        let value = self.read(id, offset, len)?;
        let value = self.hide_sync(place, value);
        let shared = self.is_shared(id);
        self.event(Event::Read { place, value, order: None, shared });
        self.track(place, Touch::Read, None);
        Ok(value)
    }

    pub fn write_place(&mut self, (id, offset): (ObjectId, u64), len: u64, value: Value) -> Result<(), Stop> {
        let place = Place { object: id, offset, len };
        self.track(place, Touch::Write, None);
        let old = self.read(id, offset, len)?;
        let shared = self.is_shared(id);
        self.event(Event::Write { place, old, new: value, order: None, shared });
        self.write(id, offset, len, value)
    }

    /// Fills a `va_list` so that the code that the compiler generated for
    /// `va_arg` finds every argument in memory, none in registers.
    fn va_start(&mut self, list: Operand) -> Result<(), Stop> {
        let word = self.state.memory.word;
        let pointer = self.value(list);
        let (id, offset) = self.resolve(pointer, if word == 8 { 24 } else { 4 }, Touch::Write)?;
        let shared = self.is_shared(id);
        self.event(Event::Whole { object: id, write: true, shared });
        let arguments = self.state.thread(self.thread).frame().arguments;
        let arguments = arguments.map_or(Value::int(0), |object| Value::pointer(object, 0));
        if word == 8 {
            // System V: offsets past the register save area, then the overflow area.
            self.write(id, offset, 4, Value::int(48))?;
            self.write(id, offset + 4, 4, Value::int(176))?;
            self.write(id, offset + 8, 8, arguments)?;
            self.write(id, offset + 16, 8, Value::int(0))?;
        } else {
            self.write(id, offset, 4, arguments)?;
        }
        self.next()
    }
}

/// A copy in progress.
struct Copy {
    from: (ObjectId, u64),
    to: (ObjectId, u64),
    len: u64,
    /// From the end, since the ranges overlap.
    backwards: bool,
}

impl Copy {
    /// The next chunk after `done` bytes: where, and how long. Chunks end at
    /// the source's word boundaries, so that aligned pointers stay whole.
    fn chunk(&self, done: u64, word: u64) -> (u64, u64) {
        let left = self.len - done;
        if self.backwards {
            let end = self.from.1 + left;
            let chunk = ((end - 1) % word + 1).min(left);
            (left - chunk, chunk)
        } else {
            let start = self.from.1 + done;
            (done, (word - start % word).min(left))
        }
    }
}
