//! Instructions on memory: which does what, and those that are one access.

use ir::{Access, Instr, Operand, Reg};

use crate::exec::eval::write_wide;
use crate::exec::{Exec, Stop};
use crate::symbolic::open::OPEN;
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::Touch;
use crate::telling::observer::{Event, Observer, Place};
use crate::value::Value;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn memory_instruction(&mut self, instr: &Instr) -> Result<(), Stop> {
        match *instr {
            Instr::Load { width, dst, ptr, access } => self.load(width, dst, ptr, access),
            Instr::Store { width, ptr, value, access } => self.store(width, ptr, value, access),
            Instr::AtomicRmw { op, width, dst, ptr, value, order } => {
                self.read_modify_write(op, width, dst, ptr, value, order)
            }
            Instr::CompareExchange(ref cx) => self.compare_exchange(cx),
            Instr::Fence { order } => self.fence(order),
            Instr::Alloca { dst, size, align, var } => self.alloca(dst, size, align, var),
            Instr::Malloc { dst, size, align, zeroed } => self.malloc(dst, size, align, zeroed),
            Instr::Free { ptr, heir, size } => self.free(ptr, heir, size),
            Instr::ObjectSize { dst, ptr } => self.object_size(dst, ptr),
            Instr::EndObject { ptr } => self.end_object(ptr),
            Instr::ScopeBegin { ptr } => self.scope(ptr, true),
            Instr::ScopeEnd { ptr } => self.scope(ptr, false),
            Instr::StackSave { dst } => self.stack_save(dst),
            Instr::StackRestore { mark } => self.stack_restore(mark),
            Instr::MemCopy { dst, src, len, may_overlap } => self.copy(dst, src, len, may_overlap),
            Instr::MemSet { dst, byte, len } => self.fill(dst, byte, len),
            Instr::VaStart { list } => self.va_start(list),
            _ => unreachable!("an instruction on memory"),
        }
    }

    fn load(&mut self, width: u8, dst: Reg, ptr: Operand, access: Access) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let len = u64::from(width).div_ceil(8);
        if self.symbols.opens_objects() && self.becomes_open(pointer, len)? {
            return self.load_open(width, dst, pointer, access);
        }
        if self.is_wide(len, access) && self.load_torn(width, dst, pointer)? {
            return Ok(());
        }
        if pointer.is_symbolic() && self.load_anywhere(width, dst, pointer, access)? {
            return Ok(());
        }
        let place = self.resolve_place(pointer, len, Touch::Read)?;
        let pair = self.read_at(place, width, access.order)?;
        if width > 64 {
            let frame = self.state.thread_mut(self.thread).frame_mut();
            write_wide(&mut frame.regs, dst, pair);
            return self.next();
        }
        self.set_and_next(dst, pair.0)
    }

    fn store(&mut self, width: u8, ptr: Operand, value: Operand, access: Access) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let len = u64::from(width).div_ceil(8);
        if self.symbols.opens_objects() && self.becomes_open(pointer, len)? {
            return self.store_open(width, pointer, value, access);
        }
        if self.is_wide(len, access) && self.store_torn(width, pointer, value)? {
            return Ok(());
        }
        if pointer.is_symbolic() && self.store_anywhere(width, pointer, value, access)? {
            return Ok(());
        }
        let place = self.resolve_place(pointer, len, Touch::Write)?;
        let new = self.pair(value, width);
        let new = self.resized(new, width, (len * 8) as u8);
        self.write_at(place, new, access.order)?;
        self.next()
    }

    fn object_size(&mut self, dst: Reg, ptr: Operand) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let (id, _) = self.resolve(pointer, 0, Touch::Read)?;
        if self.is_open(pointer) {
            return Err(Stop::TooHard(OPEN));
        }
        let shared = self.is_shared(id);
        self.event(Event::Whole { object: id, write: false, shared });
        let size = self.state.memory.size_of(id, &self.machine.constants);
        self.set_and_next(dst, Value::int(size))
    }

    /// Fills a `va_list` so that the code that the compiler generated for
    /// `va_arg` finds every argument in memory, none in registers.
    fn va_start(&mut self, list: Operand) -> Result<(), Stop> {
        let word = self.state.memory.word;
        let pointer = self.value(list);
        let place = self.resolve_place(pointer, if word == 8 { 24 } else { 4 }, Touch::Write)?;
        self.make_room(place)?;
        let shared = self.is_shared(place.object);
        self.event(Event::Whole { object: place.object, write: true, shared });
        let arguments = self.state.thread(self.thread).frame().arguments;
        let arguments = arguments.map_or(Value::int(0), |object| Value::pointer(object, 0));
        let mut put = |at: u64, len: u64, value: Value| {
            self.commit(Place { offset: place.offset + at, len, ..place }, (value, Value::int(0)));
        };
        if word == 8 {
            // System V: offsets past the register save area, then the overflow area.
            put(0, 4, Value::int(48));
            put(4, 4, Value::int(176));
            put(8, 8, arguments);
            put(16, 8, Value::int(0));
        } else {
            put(0, 4, arguments);
        }
        self.next()
    }
}
