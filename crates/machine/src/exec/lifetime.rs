//! Instructions that make and end objects.

use ir::{Operand, Reg, VarId};

use crate::exec::{Exec, Stop};
use crate::memory::object::{Allocator, Life, Made, Object, Origin};
use crate::memory::{MAX_OBJECT, TooManyObjects};
use crate::symbolic::open::OPEN;
use crate::symbolic::symbols::Symbols;
use crate::telling::describe::UNINITIALISED;
use crate::telling::fault::{FaultKind, Touch};
use crate::telling::observer::{Event, Observer, Place};
use crate::value::arith::narrow;
use crate::value::{Named, ObjectId, Value};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Makes an object on the stack.
    pub fn alloca(&mut self, dst: Reg, size: Operand, align: u32, var: Option<VarId>) -> Result<(), Stop> {
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

    /// Makes an object on the heap.
    pub fn malloc(&mut self, dst: Reg, size: Operand, align: Operand, zeroed: bool) -> Result<(), Stop> {
        let align = self.defined(align, "the alignment of an allocation")?.bits;
        if self.symbols.opens_objects() && self.malloc_open(dst, size, align, zeroed)? {
            return Ok(());
        }
        let size = self.defined(size, "the size of an allocation")?.bits;
        if size > self.greatest_object() {
            return self.set_and_next(dst, Value::int(0));
        }
        if size.max(align) > MAX_OBJECT {
            return Err(TooManyObjects.into());
        }
        let object = self.heap_object(size, zeroed).aligned(align as u32);
        self.put_on_heap(dst, object)
    }

    /// A new object on the heap.
    pub fn heap_object(&self, size: u64, zeroed: bool) -> Object {
        Object::new(Origin::Heap(self.site(), self.allocator()), size, zeroed)
    }

    pub fn put_on_heap(&mut self, dst: Reg, mut object: Object) -> Result<(), Stop> {
        let size = object.size();
        self.state.memory.heap_objects_made += 1;
        let at = self.machine.own_site(self.state, self.thread);
        object.made = Some(Made { number: self.state.memory.heap_objects_made, at });
        let id = self.add(object)?;
        self.event(Event::Alloc { object: id, size });
        if self.machine.orders_heap() {
            self.event(Event::HeapOrder { frees: false });
        }
        self.set_and_next(dst, Value::pointer(id, 0))
    }

    pub fn free(&mut self, ptr: Operand, heir: Operand, size: Option<Operand>) -> Result<(), Stop> {
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
        if self.is_open(pointer) {
            self.rule_out_race()?;
        }
        let len = self.state.memory.size_of(pointer.object, &self.machine.constants);
        let whole = Place { object: pointer.object, offset: 0, len };
        self.track(whole, Touch::Write, None);
        self.forget_releases(whole);
        let shared = self.is_shared(pointer.object);
        self.event(Event::Free { object: pointer.object, shared });
        let alone = self.machine.is_alone(self.state, self.thread, self.grain);
        if !alone && self.machine.frees_visibly(self.state, self.thread, pointer.object) {
            self.event(Event::HeapOrder { frees: true });
        }
        let site = self.site();
        self.end(pointer.object, Life::Freed(site));
        let heir = self.value(heir).object;
        self.state.memory.inherit(pointer.object, heir);
        self.next()
    }

    /// No allocator has more: pointers into an object must have a difference.
    pub fn greatest_object(&self) -> u64 {
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

    /// A program that says the size of memory which it gives back must be right.
    /// It is not where an object is given back as one of its base class.
    fn check_size(&mut self, id: ObjectId, said: Option<Operand>) -> Result<(), Stop> {
        let Some(said) = said else { return Ok(()) };
        self.close_again(id);
        if self.is_open(Value::pointer(id, 0)) {
            return Err(Stop::TooHard(OPEN));
        }
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

    /// Begins or ends the scope of an object.
    pub fn scope(&mut self, ptr: Operand, begin: bool) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let Some(object) = self.state.memory.get(pointer.object) else { return self.next() };
        let (size, origin, shared) = (object.size(), object.origin, object.shared);
        let identity = object.identity();
        self.event(Event::Whole { object: pointer.object, write: true, shared });
        let object = self.state.memory.get_mut(pointer.object);
        if begin {
            let shadow = std::mem::take(&mut object.shadow);
            let was_alive = object.life == Life::Alive;
            *object = Object::new(origin, size, false).aligned(object.align);
            object.set_identity(identity);
            if was_alive {
                object.shadow = shadow;
            }
        } else {
            // What it held is gone: states that differ in nothing else are equal.
            *object = Object::new(origin, size, true);
            object.set_identity(identity);
            object.life = Life::OutOfScope;
        }
        self.next()
    }

    /// Ends an object of the innermost frame, if it is one.
    pub fn end_object(&mut self, ptr: Operand) -> Result<(), Stop> {
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

    /// How many objects the frame has.
    pub fn stack_save(&mut self, dst: Reg) -> Result<(), Stop> {
        let mark = self.state.thread(self.thread).frame().objects.len() as u64;
        self.set_and_next(dst, Value::int(mark))
    }

    /// Ends the objects of the frame that were made since.
    pub fn stack_restore(&mut self, mark: Operand) -> Result<(), Stop> {
        let mark = self.value(mark);
        let mark = self.known(mark)?.bits as usize;
        let objects = &mut self.state.thread_mut(self.thread).frame_mut().objects;
        let ended: Vec<_> = objects.drain(mark.min(objects.len())..).collect();
        ended.into_iter().for_each(|(object, size)| self.end_frame_object(object, size));
        self.next()
    }
}
