//! Executing one thread: the step, control, calls, choices.
//!
//! Every instruction is a transaction: one that faults or ends the execution
//! leaves the state as it was. The tau reduction rests on this: a run of
//! invisible instructions stops *before* one that would end the execution, so
//! that the other threads' steps up to that end are still explored.

pub(crate) mod eval;
pub(crate) mod indeterminate;
pub(crate) mod memory;
pub(crate) mod mutex;
pub(crate) mod sync;
pub(crate) mod torn;

use std::sync::Arc;

use ir::{Arg, Callee, FuncId, Instr, Operand, Pc};
use smallvec::SmallVec;

use crate::exec::eval::{wide_operand, write_wide};
use crate::machine::{End, Grain, Machine, Step};
use crate::memory::TooManyObjects;
use crate::memory::object::{Object, Origin};
use crate::state::State;
use crate::state::thread::{Frame, Status};
use crate::symbolic::symbols::{Pair, Snag, Symbols};
use crate::telling::describe::UNINITIALISED;
use crate::telling::fault::{Fault, FaultKind, ThreadId};
use crate::telling::observer::{Event, Observer};
use crate::telling::property::Property;
use crate::value::arith::{Trouble, narrow};
use crate::value::{Named, ObjectId, Value, aligned};

/// After so many invisible instructions a step ends, wherever it is: a loop
/// that no other thread can see must not keep the search from the others.
const MAX_INVISIBLE: u64 = 20_000;

/// The same where there are no others: it need only not keep the search from
/// looking at its budget. A program that builds something large before it starts
/// threads is then brought into normal form seldom.
const MAX_ALONE: u64 = 200_000;

/// Why an instruction was not executed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    Fault(Box<FaultKind>),
    End(End),
    /// A condition is not decided.
    Fork,
    /// It cannot be done with values that are not known.
    TooHard(&'static str),
}

impl From<FaultKind> for Stop {
    fn from(kind: FaultKind) -> Stop {
        Stop::Fault(Box::new(kind))
    }
}

impl From<TooManyObjects> for Stop {
    fn from(_: TooManyObjects) -> Stop {
        Stop::End(End::Unsupported("more or larger memory objects than the machine can hold".into()))
    }
}

/// How far a step is that stopped at a condition that was not decided. A new
/// step starts from the default.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// How many invisible instructions it may still execute, once its first
    /// instruction is done.
    fuel: Option<u64>,
    /// What went wrong so far.
    faults: Vec<Fault>,
    /// Whether the step is to be continued, after the condition was decided.
    pub undecided: bool,
}

/// A thread being executed.
pub(crate) struct Exec<'a, O, S> {
    pub machine: &'a Machine,
    pub state: &'a mut State,
    pub thread: ThreadId,
    /// The data choice of this step.
    pub choice: u64,
    /// How far the step goes.
    pub grain: Grain,
    pub observer: &'a mut O,
    pub symbols: &'a mut S,
    pub faults: SmallVec<[Fault; 1]>,
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// One step, or the rest of one.
    pub fn run(mut self, progress: &mut Progress) -> Step {
        let next = self.state.memory.addresses.next;
        if !progress.faults.is_empty() {
            self.faults.extend(progress.faults.drain(..));
        }
        let stop = self.instructions(&mut progress.fuel).err();
        // Globals always get the same addresses.
        if self.state.memory.addresses.next != next {
            self.event(Event::Pinned);
        }
        progress.undecided = stop == Some(Stop::Fork);
        if progress.undecided {
            progress.faults.extend(self.faults.drain(..));
        }
        self.finish(stop)
    }

    fn instructions(&mut self, fuel: &mut Option<u64>) -> Result<(), Stop> {
        if fuel.is_none() {
            self.observer.before(self.machine, self.state, self.thread);
            self.advance()?;
        }
        let alone = || self.machine.is_alone(self.state, self.thread, self.grain);
        let fuel = fuel.get_or_insert_with(|| if alone() { MAX_ALONE } else { MAX_INVISIBLE });
        if self.grain != Grain::Instruction {
            self.run_invisible(fuel)?;
        }
        if self.state.alive().next().is_none() {
            return Err(Stop::End(End::Exited(0)));
        }
        Ok(())
    }

    fn finish(mut self, stop: Option<Stop>) -> Step {
        let end = match stop {
            None | Some(Stop::Fork) => None,
            Some(Stop::TooHard(what)) => Some(End::Unsupported(what.to_owned())),
            Some(Stop::End(end)) => {
                if matches!(end, End::Exited(_)) && self.machine.notes_lost {
                    let unfreed = self.machine.unfreed(self.state, self.thread);
                    self.faults.extend(unfreed);
                }
                Some(end)
            }
            Some(Stop::Fault(kind)) => {
                self.report(*kind);
                Some(End::Fault)
            }
        };
        Step { faults: self.faults, end }
    }

    pub fn report(&mut self, kind: FaultKind) {
        self.faults.push(self.machine.fault(self.state, self.thread, kind));
    }

    /// Runs on through what no other thread can observe.
    fn run_invisible(&mut self, fuel: &mut u64) -> Result<(), Stop> {
        // The choice was the visible instruction's; what follows has none.
        self.choice = 0;
        while *fuel > 0 && self.state.thread(self.thread).status == Status::Ready {
            self.machine.run_local(self.state.thread_mut(self.thread).frame_mut(), fuel);
            if *fuel == 0 {
                break;
            }
            self.observer.before(self.machine, self.state, self.thread);
            if self.machine.is_visible(self.state, self.thread, self.grain) {
                break;
            }
            match self.advance() {
                Ok(()) => *fuel -= 1,
                Err(stop @ (Stop::Fork | Stop::TooHard(_))) => return Err(stop),
                Err(Stop::Fault(kind)) if self.machine.asks(&kind) => return Err(Stop::Fault(kind)),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Executes the thread's next instruction, or goes on with the one that
    /// made it wait.
    fn advance(&mut self) -> Result<(), Stop> {
        if let Status::Waiting(wait) = &self.state.thread(self.thread).status {
            let wait = wait.clone();
            return self.end_cond_wait(wait);
        }
        let machine = self.machine;
        if let Some(what) = machine.indeterminate(self.state, self.thread) {
            return self.determine(what);
        }
        if let Some(places) = machine.undecided(self.state, self.thread) {
            return self.decide_places(places);
        }
        let frame = self.state.thread(self.thread).frame();
        let instr = &machine.program().function(frame.function).code[frame.pc as usize];
        self.instruction(instr)?;
        Ok(self.state.memory.check_addresses()?)
    }

    fn instruction(&mut self, instr: &Instr) -> Result<(), Stop> {
        match *instr {
            Instr::Alloca { .. }
            | Instr::EndObject { .. }
            | Instr::ScopeBegin { .. }
            | Instr::ScopeEnd { .. }
            | Instr::StackSave { .. }
            | Instr::StackRestore { .. }
            | Instr::Malloc { .. }
            | Instr::Free { .. }
            | Instr::ObjectSize { .. }
            | Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::AtomicRmw { .. }
            | Instr::CompareExchange(_)
            | Instr::Fence { .. }
            | Instr::MemCopy { .. }
            | Instr::MemSet { .. }
            | Instr::VaStart { .. } => self.memory_instruction(instr),
            Instr::Sync { op, dst, ref args } => self.sync_instruction(op, dst, args),
            Instr::Call { callee, ref args, ref dsts } => self.call(callee, args, dsts),
            Instr::Return { ref values } => self.return_from(values),
            Instr::ThreadExit { value } => {
                let value = self.value(value);
                self.exit_thread(value)
            }
            Instr::Unreachable => Err(FaultKind::Unreachable.into()),
            Instr::Nondet { width, dst, ref domain, .. } => {
                let effective = self.machine.domain(domain, width);
                let (low, high) = self.chosen(width, &effective);
                if width > 64 {
                    self.set(ir::Reg(dst.0 + 1), high);
                }
                self.set_and_next(dst, low)
            }
            Instr::Assume { cond } => self.assume(cond),
            Instr::Initialised { width, value, what } => self.initialised(width, value, what),
            Instr::Fail { kind: ir::Failure::Assertion, .. } if self.machine.config().error_calls_only => {
                self.exit(None)
            }
            Instr::Fail { kind, message } => {
                let message = self.machine.program().name(message).to_owned();
                Err(match kind {
                    ir::Failure::Assertion => FaultKind::Assertion { message },
                    ir::Failure::ErrorCall => FaultKind::ErrorCall { message },
                    ir::Failure::Arguments => FaultKind::BadArguments { message },
                    ir::Failure::Jump => FaultKind::BadJump,
                    ir::Failure::Element => FaultKind::BadElement { vector: message },
                }
                .into())
            }
            Instr::Exit { code } => self.exit(code),
            Instr::AtomicBegin { orders } => self.atomic_section(true, orders),
            Instr::AtomicEnd { orders } => self.atomic_section(false, orders),
            Instr::Unsupported { what } => {
                Err(Stop::End(End::Unsupported(self.machine.program().name(what).to_owned())))
            }
            _ => self.local_instruction(instr),
        }
    }

    /// An instruction on registers, with all the trouble it can make.
    fn local_instruction(&mut self, instr: &Instr) -> Result<(), Stop> {
        let check = self.machine.check_overflow;
        match self.eval_with(instr, false, check) {
            Err(Snag::Trouble(Trouble::NeedsAddress)) => {
                if let Some((dst, value)) = self.aligned_result(instr) {
                    return self.set_and_next(dst, value);
                }
                instr.for_each_use(|operand, _| self.pin_operand(operand));
                self.eval_with(instr, true, check)
            }
            result => result,
        }
        .or_else(|snag| match snag {
            Snag::Trouble(Trouble::Symbolic) => self.symbolic_instruction(instr),
            Snag::Overflow => {
                self.report_overflow(instr);
                self.eval_with(instr, true, false).map_err(|snag| self.snag(snag))
            }
            snag => Err(self.snag(snag)),
        })
    }

    /// The result of an operation on a pointer that follows from the alignment
    /// of its object, whatever its address is.
    fn aligned_result(&mut self, instr: &Instr) -> Option<(ir::Reg, Value)> {
        let Instr::Binary { op, width, dst, lhs, rhs, .. } = *instr else { return None };
        let (pointer, other) = (self.value(lhs), self.value(rhs));
        let align = self.state.memory.align_of(pointer.object, &self.machine.constants);
        aligned(op, width, pointer, other, align).map(|value| (dst, value))
    }

    fn eval_with(&mut self, instr: &Instr, numeric: bool, check_overflow: bool) -> Result<(), Snag> {
        let machine = self.machine;
        let mut locals: SmallVec<[(ir::GlobalId, ObjectId); 2]> = SmallVec::new();
        instr.for_each_use(|operand, _| {
            if let Operand::Global(id, _) = operand
                && machine.program().global(id).thread_local
            {
                locals.push((id, self.local_instance(id)));
            }
        });
        let memory = &self.state.memory;
        let addresses = &memory.addresses.pinned;
        let read = |regs: &[Value], operand| {
            let mut value = machine.constant_or_register(regs, operand);
            if let Operand::Global(id, offset) = operand
                && let Some((_, object)) = locals.iter().find(|(local, _)| *local == id)
            {
                value = Value::pointer(*object, machine.offset(offset));
            }
            let base = addresses.iter().find(|(_, object)| numeric && *object == value.object);
            base.map_or(value, |(base, _)| numeric_value(value, *base, machine.program().pointer_width))
        };
        let frame = Arc::make_mut(&mut self.state.threads[self.thread.0 as usize]).frame_mut();
        match machine.eval(instr, frame, read, check_overflow) {
            Err(Snag::NotLocal) => machine.eval_wide(instr, frame, read, check_overflow),
            result => result,
        }
    }

    pub fn pin_operand(&mut self, operand: Operand) {
        let mut pin = |value: Value| {
            if value.is_pointer() {
                self.state.memory.pin(value.object, &self.machine.constants);
            }
        };
        let regs = &self.state.threads[self.thread.0 as usize].frame().regs;
        let (low, high) = match operand {
            Operand::Reg(reg) => {
                let slot = reg.0 as usize;
                let wide = regs.len() > slot + 1;
                (regs[slot], if wide { regs[slot + 1] } else { Value::int(0) })
            }
            _ => (self.machine.constant_or_register(regs, operand), Value::int(0)),
        };
        pin(low);
        pin(high);
    }

    /// What a snag of the current instruction means for the execution.
    pub fn snag(&self, snag: Snag) -> Stop {
        let uninitialised = |decides: &str| FaultKind::Uninitialised { decides: decides.into() }.into();
        match snag {
            Snag::Trouble(Trouble::DivisionByZero) => FaultKind::DivisionByZero.into(),
            Snag::Trouble(Trouble::DivisionOverflow) => self.division_overflow().into(),
            Snag::Trouble(Trouble::Shift { amount }) => {
                let width = if let Instr::Binary { width, .. } = *self.current() { width } else { 0 };
                FaultKind::ShiftOutOfRange { amount, width }.into()
            }
            Snag::Trouble(Trouble::Conversion { double }) => {
                self.float_conversion(f64::from_bits(double)).into()
            }
            Snag::Trouble(Trouble::UndefinedDivisor) => uninitialised("a divisor"),
            Snag::Undefined(what) => uninitialised(what),
            Snag::Fork => Stop::Fork,
            Snag::Unsupported(what) => Stop::TooHard(what),
            Snag::Trouble(Trouble::NeedsAddress | Trouble::Symbolic) | Snag::Overflow | Snag::NotLocal => {
                Stop::End(End::Unsupported("arithmetic on a pointer that has no number".into()))
            }
        }
    }

    /// The smallest number divided by -1: an overflow for whoever asks for
    /// those, but one after which the execution cannot go on.
    fn division_overflow(&self) -> FaultKind {
        match *self.current() {
            Instr::Binary { op, width, .. } if self.machine.check_overflow => {
                let sign = if op == ir::BinOp::SRem { '%' } else { '/' };
                let least = i128::MIN >> (128 - u32::from(width));
                FaultKind::SignedOverflow { operation: format!("{least} {sign} -1"), width }
            }
            _ => FaultKind::DivisionOverflow,
        }
    }

    fn float_conversion(&self, number: f64) -> FaultKind {
        let (signed, width) = match *self.current() {
            Instr::Cast { op, to, .. } => (op == ir::CastOp::FloatToSigned, to),
            _ => (true, 0),
        };
        FaultKind::FloatConversion { number: number.to_string(), width, signed }
    }

    pub fn report_overflow(&mut self, instr: &Instr) {
        let Instr::Binary { op, width, lhs, rhs, .. } = *instr else { return };
        let mut show = |operand| match self.value(operand) {
            value if value.is_plain() && width <= 64 => narrow::signed(value.bits, width).to_string(),
            _ => "...".to_owned(),
        };
        let sign = match op {
            ir::BinOp::Add => "+",
            ir::BinOp::Sub => "-",
            ir::BinOp::Shl => "<<",
            _ => "*",
        };
        let operation = format!("{} {sign} {}", show(lhs), show(rhs));
        self.report(FaultKind::SignedOverflow { operation, width });
    }

    /// One of the values in the domain: an unknown one, or the step's choice.
    pub fn chosen(&mut self, width: u8, domain: &ir::Domain) -> Pair {
        if let Some(input) = self.symbols.input(self.thread, width, domain) {
            return input;
        }
        let value = domain.value(self.choice, width);
        self.event(Event::Choice { value, width });
        let sign = if width > 64 { (value as i64 >> 63) as u64 } else { 0 };
        (Value::int(value), Value::int(sign))
    }

    fn assume(&mut self, cond: Operand) -> Result<(), Stop> {
        let cond = self.defined(cond, "an assumption")?;
        if cond.bits & 1 == 0 { Err(Stop::End(End::Infeasible)) } else { self.next() }
    }

    /// A value leaves the program.
    fn initialised(&mut self, width: u8, value: Operand, what: ir::Symbol) -> Result<(), Stop> {
        let (low, high) = self.pair(value, width);
        let undefined = low.undef & narrow::mask(width.min(64)) != 0 || width > 64 && high.undef != 0;
        if undefined && self.machine.config().properties.has(Property::Uninit) {
            let decides = self.machine.program().name(what).to_owned();
            return Err(FaultKind::Uninitialised { decides }.into());
        }
        self.next()
    }

    fn exit(&mut self, code: Option<Operand>) -> Result<(), Stop> {
        // The code of a symbolic one makes no difference to anybody.
        let code = code.map(|code| self.value(code).bits as u32);
        self.event(Event::ProcessEnd { code });
        Err(Stop::End(code.map_or(End::Aborted, End::Exited)))
    }

    fn atomic_section(&mut self, begin: bool, orders: bool) -> Result<(), Stop> {
        self.event(Event::AtomicSection { begin });
        let state = &mut *self.state;
        let thread = Arc::make_mut(&mut state.threads[self.thread.0 as usize]);
        if begin {
            if thread.atomic == 0 && orders && self.machine.track_races {
                thread.clocks.now.join(&state.rest.section_clock);
            }
            thread.atomic += 1;
        } else {
            thread.atomic = thread.atomic.saturating_sub(1);
            if thread.atomic == 0 && orders && self.machine.track_races {
                let section = &mut Arc::make_mut(&mut state.rest).section_clock;
                thread.clocks.release_to(self.thread, section);
            }
        }
        self.next()
    }

    // Calls.

    fn call(&mut self, callee: Callee, args: &[Arg], dsts: &[ir::Reg]) -> Result<(), Stop> {
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

    fn callee(&mut self, target: Operand, args: &[Arg], dsts: &[ir::Reg]) -> Result<FuncId, Stop> {
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

    fn return_from(&mut self, values: &[Arg]) -> Result<(), Stop> {
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
    fn exit_thread(&mut self, value: Value) -> Result<(), Stop> {
        if self.state.thread(self.thread).ending.is_none() {
            self.state.memory.share(value.object);
            let thread = self.state.thread_mut(self.thread);
            thread.result = value;
            thread.ending = Some(Default::default());
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
        let locals = std::mem::take(&mut self.state.thread_mut(self.thread).locals);
        for (_, object) in locals {
            self.end_frame_object(object, 0);
        }
        let thread = self.state.thread_mut(self.thread);
        thread.status = Status::Ended;
        thread.specifics.clear();
        // How it came to its end makes no difference any more.
        thread.ending = Some(Default::default());
        thread.stack_used = 0;
        thread.atomic = 0;
        Ok(())
    }

    // Small helpers.

    pub fn current(&self) -> &'_ Instr {
        let frame = self.state.thread(self.thread).frame();
        &self.machine.program().function(frame.function).code[frame.pc as usize]
    }

    pub fn site(&self) -> crate::memory::object::Site {
        self.state.thread(self.thread).frame().site()
    }

    pub fn event(&mut self, event: Event) {
        let (function, pc) = self.function_and_pc();
        self.observer.event(self.thread, function, pc, event);
    }

    fn function_and_pc(&self) -> (FuncId, Pc) {
        self.state.thread(self.thread).frames.last().map_or((FuncId(0), 0), |f| (f.function, f.pc))
    }

    /// The value of an operand of one slot.
    pub fn value(&mut self, operand: Operand) -> Value {
        if let Operand::Global(id, offset) = operand
            && self.machine.program().global(id).thread_local
        {
            return Value::pointer(self.local_instance(id), self.machine.offset(offset));
        }
        self.machine.constant_or_register(&self.state.thread(self.thread).frame().regs, operand)
    }

    /// The two slots of an operand; the second is 0 for a narrow one.
    pub fn pair(&mut self, operand: Operand, width: u8) -> (Value, Value) {
        if width <= 64 {
            return (self.value(operand), Value::int(0));
        }
        let machine = self.machine;
        let read = |regs: &[Value], operand| machine.constant_or_register(regs, operand);
        wide_operand(&self.state.thread(self.thread).frame().regs, operand, &read)
    }

    /// The value of an operand that decides something.
    pub fn defined(&mut self, operand: Operand, decides: &str) -> Result<Value, Stop> {
        let value = self.value(operand);
        if value.undef == 0 {
            return self.known(value);
        }
        Err(FaultKind::Uninitialised { decides: decides.to_owned() }.into())
    }

    pub fn set(&mut self, dst: ir::Reg, value: Value) {
        self.state.thread_mut(self.thread).frame_mut().regs[dst.0 as usize] = value;
    }

    pub fn next(&mut self) -> Result<(), Stop> {
        self.state.thread_mut(self.thread).frame_mut().pc += 1;
        Ok(())
    }

    pub fn set_and_next(&mut self, dst: ir::Reg, value: Value) -> Result<(), Stop> {
        self.set(dst, value);
        self.next()
    }
}

/// A pointer as the number it is once its object has an address.
pub(crate) fn numeric_value(value: Value, base: u64, width: u8) -> Value {
    if value.is_pointer() { Value::int(value.bits.wrapping_add(base) & narrow::mask(width)) } else { value }
}
