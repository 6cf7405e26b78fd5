//! Calls, returns, and the end of a thread.

use ir::{Arg, Callee, FuncId, Instr, Operand, Reg};
use smallvec::SmallVec;
use triomphe::Arc;

use crate::exec::eval::{wide_operand, write_wide};
use crate::exec::{Exec, Stop};
use crate::memory::object::{Object, Origin};
use crate::state::thread::{Frame, Status};
use crate::symbolic::symbols::Symbols;
use crate::telling::describe::UNINITIALISED;
use crate::telling::fault::FaultKind;
use crate::telling::observer::{Event, Observer};
use crate::value::arith::narrow;
use crate::value::{Named, ObjectId, Value};

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn call(&mut self, callee: Callee, args: &[Arg], dsts: &[Reg]) -> Result<(), Stop> {
        let function = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(target) => self.callee(target, args, dsts)?,
        };
        self.event(Event::Call { function });
        let machine = self.machine;
        let params = &machine.program().function(function).params;
        let mut frame = self.new_frame(function)?;
        let caller = self.state.thread(self.thread).frame();
        let read = |regs: &[Value], operand| machine.constant_or_register(regs, operand);
        for (param, arg) in params.iter().zip(args) {
            if param.width > 64 {
                write_wide(&mut frame.regs, param.reg, wide_operand(&caller.regs, arg.value, &read));
            } else {
                frame.regs[param.reg.0 as usize] = read(&caller.regs, arg.value);
            }
        }
        for (param, arg) in params.iter().zip(args) {
            if self.is_local_variable(arg.value) {
                frame.regs[param.reg.0 as usize] = self.value(arg.value);
            }
        }
        if machine.program().function(function).variadic {
            let object = self.variable_arguments(&args[params.len().min(args.len())..])?;
            frame.objects.push((object, 0));
            frame.arguments = Some(object);
        }
        self.state.thread_mut(self.thread).frames.push(Arc::new(frame));
        Ok(())
    }

    fn is_local_variable(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Global(id, _) if self.machine.program().global(id).thread_local)
    }

    fn callee(&mut self, target: Operand, args: &[Arg], dsts: &[Reg]) -> Result<FuncId, Stop> {
        if self.follows_undefined(target) {
            return Err(FaultKind::BadCall { pointer: UNINITIALISED.to_owned() }.into());
        }
        let mut pointer = self.defined(target, "which function is called")?;
        if !pointer.is_pointer() {
            pointer = self.state.memory.pointer_at(pointer.bits).unwrap_or(pointer);
        }
        let bad = |pointer: String| Err(FaultKind::BadCall { pointer }.into());
        let Named::Function(function) = pointer.object.named() else {
            return bad(self.machine.show_pointer(self.state, pointer));
        };
        let callee = self.machine.program().function(function);
        let fits =
            callee.params.len() == args.len() || (callee.variadic && callee.params.len() <= args.len());
        let same_widths = callee.params.iter().zip(args).all(|(param, arg)| param.width == arg.width);
        let slots = &self.machine.program().function(self.site().function).slots;
        let results = dsts.iter().map(|dst| slots[dst.0 as usize].width);
        let same_results = dsts.is_empty() || results.eq(callee.results.iter().copied());
        if pointer.bits != 0 || !fits || !same_widths || !same_results {
            return bad(format!(
                "a function of another type, `{}`",
                self.machine.program().name(callee.name)
            ));
        }
        Ok(function)
    }

    /// A frame for a call, if the stack has room.
    pub fn new_frame(&mut self, function: FuncId) -> Result<Frame, Stop> {
        let slots = self.machine.program().function(function).slots.len();
        let cost = self.machine.code[function.0 as usize].frame_bytes;
        let limit = self.machine.config().stack_limit;
        let thread = self.state.thread(self.thread);
        if thread.stack_used + cost > limit {
            return Err(FaultKind::StackOverflow { limit }.into());
        }
        self.state.thread_mut(self.thread).stack_used += cost;
        Ok(Frame::new(function, slots))
    }

    /// The first frame of a thread or destructor, called with one pointer. The
    /// function may have been declared with another type and cast: it takes of
    /// the pointer what it declares, and further parameters are not initialised.
    pub fn first_frame(&mut self, function: FuncId, argument: Value) -> Result<Frame, Stop> {
        let machine = self.machine;
        let function_ir = machine.program().function(function);
        let mut frame = Frame::new(function, function_ir.slots.len());
        if let Some(param) = function_ir.params.first() {
            let value = self.as_wide_as(argument, param.width)?;
            frame.regs[param.reg.0 as usize] = value;
        }
        Ok(frame)
    }

    /// A value of pointer width as one of another; what is added is undefined.
    fn as_wide_as(&mut self, value: Value, width: u8) -> Result<Value, Stop> {
        let pointer = self.machine.program().pointer_width;
        if width == pointer {
            return Ok(value);
        }
        let value = self.as_number(value).map_err(|snag| self.snag(snag))?;
        Ok(self.undefined_above(value, pointer, width.min(64)))
    }

    /// A value of one width as one of another, whose further bits are undefined.
    fn undefined_above(&mut self, value: Value, from: u8, to: u8) -> Value {
        let (value, _) = self.resized((value, Value::int(0)), from, to);
        let (mask, added) = (narrow::mask(to), !narrow::mask(from));
        Value { bits: value.bits & mask, undef: (value.undef | added) & mask, ..value }
    }

    /// What a thread ends with, from what its function returns: one that
    /// returns nothing, or less than a pointer, leaves the rest undefined.
    fn thread_result(&mut self, values: &[Arg]) -> Value {
        let Some(arg) = values.first() else { return Value::UNDEF };
        let pointer = self.machine.program().pointer_width;
        let value = self.value(arg.value);
        if arg.width == pointer {
            return value;
        }
        self.undefined_above(value, arg.width.min(64), pointer)
    }

    /// The variable arguments as the platform's `va_arg` reads them.
    fn variable_arguments(&mut self, args: &[Arg]) -> Result<ObjectId, Stop> {
        let word = self.state.memory.word;
        let place = |at: u64, arg: &Arg| at.next_multiple_of(if arg.width > 64 { 16 } else { word });
        let mut size = 0;
        for arg in args {
            size = place(size, arg) + u64::from(arg.width).div_ceil(8).next_multiple_of(word);
        }
        let site = self.site();
        let mut object = Object::new(Origin::Arguments(site), size, false);
        let mut at = 0;
        for arg in args {
            at = place(at, arg);
            let bytes = u64::from(arg.width).div_ceil(8);
            let (low, high) = self.pair(arg.value, arg.width);
            object.write(at, bytes.min(8), word, low);
            if bytes > 8 {
                object.write(at + 8, bytes - 8, word, high);
            }
            at += bytes.next_multiple_of(word);
        }
        let id = self.add(object)?;
        self.event(Event::Alloc { object: id, size });
        Ok(id)
    }

    pub fn return_from(&mut self, values: &[Arg]) -> Result<(), Stop> {
        if self.state.thread(self.thread).frames.len() == 1 {
            let value = self.thread_result(values);
            return self.exit_thread(value);
        }
        let results: SmallVec<[(Value, Value); 2]> =
            values.iter().map(|arg| self.pair(arg.value, arg.width)).collect();
        let thread = self.state.thread(self.thread);
        self.event(Event::Return { function: thread.frame().function });
        self.pop_frame();
        let machine = self.machine;
        let frame = self.state.thread_mut(self.thread).frame_mut();
        let code = &machine.program().function(frame.function).code;
        if let Instr::Call { dsts, .. } = &code[frame.pc as usize] {
            for ((dst, result), arg) in dsts.iter().zip(results).zip(values) {
                if arg.width > 64 {
                    write_wide(&mut frame.regs, *dst, result);
                } else {
                    frame.regs[dst.0 as usize] = result.0;
                }
            }
        }
        frame.pc += 1;
        Ok(())
    }

    fn pop_frame(&mut self) {
        let frame = self.state.thread_mut(self.thread).frames.pop().expect("a frame to leave");
        for (object, size) in &frame.objects {
            self.end_frame_object(*object, *size);
        }
        let bytes = self.machine.code[frame.function.0 as usize].frame_bytes;
        let thread = self.state.thread_mut(self.thread);
        thread.stack_used = thread.stack_used.saturating_sub(bytes);
    }

    /// Ends the thread, after the destructors of its thread-specific values.
    pub fn exit_thread(&mut self, value: Value) -> Result<(), Stop> {
        if self.state.thread(self.thread).own.ending.is_none() {
            self.state.memory.share(value.object);
            let own = &mut self.state.thread_mut(self.thread).own;
            own.result = value;
            own.ending = Some(Default::default());
        }
        while !self.state.thread(self.thread).frames.is_empty() {
            self.pop_frame();
        }
        if let Some((destructor, value)) = self.next_destructor() {
            let frame = self.first_frame(destructor, value)?;
            self.state.thread_mut(self.thread).frames.push(Arc::new(frame));
            return Ok(());
        }
        if self.machine.makes_robust {
            self.abandon_robust();
        }
        self.event(Event::ThreadEnd);
        let locals = std::mem::take(&mut self.state.thread_mut(self.thread).own.locals);
        for (_, object) in locals {
            self.end_frame_object(object, 0);
        }
        let thread = self.state.thread_mut(self.thread);
        thread.status = Status::Ended;
        thread.own.specifics.clear();
        // How it came to its end makes no difference any more.
        thread.own.ending = Some(Default::default());
        thread.stack_used = 0;
        thread.atomic = 0;
        self.tell_over(self.thread);
        Ok(())
    }
}
