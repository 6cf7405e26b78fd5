//! Executing one thread: the step, control, choices.
//!
//! Every instruction is a transaction: one that faults or ends the execution
//! leaves the state as it was. The tau reduction rests on this: a run of
//! invisible instructions stops *before* one that would end the execution, so
//! that the other threads' steps up to that end are still explored.

pub(crate) mod access;
pub(crate) mod atomics;
pub(crate) mod buffering;
pub(crate) mod bulk;
pub(crate) mod calls;
pub(crate) mod eval;
pub(crate) mod indeterminate;
pub(crate) mod keys;
pub(crate) mod lifetime;
pub(crate) mod memory;
pub(crate) mod mutex;
pub(crate) mod registers;
pub(crate) mod sync;
pub(crate) mod threads;
pub(crate) mod torn;
pub(crate) mod traces;
pub(crate) mod tracking;

use ir::{FuncId, Instr, Operand, Pc};
use triomphe::Arc;

use crate::exec::eval::wide_operand;
use crate::machine::{End, Grain, Machine, Step};
use crate::memory::TooManyObjects;
use crate::model::MemoryModel;
use crate::state::State;
use crate::state::thread::Status;
use crate::symbolic::open::OPEN;
use crate::symbolic::symbols::{Pair, Symbols};
use crate::telling::fault::{Fault, FaultKind, ThreadId};
use crate::telling::observer::{Event, Observer};
use crate::telling::property::Property;
use crate::value::Value;
use crate::value::arith::narrow;

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
pub struct StepProgress {
    /// How many invisible instructions it may still execute, once its first
    /// instruction is done, or its store is committed.
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
    pub faults: Vec<Fault>,
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// One step, or the rest of one.
    pub fn run(mut self, progress: &mut StepProgress) -> Step {
        let next = self.state.memory.addresses.next;
        self.faults.append(&mut progress.faults);
        let stop = self.instructions(&mut progress.fuel).err();
        let stop = self.check_pinned(next, stop);
        self.leave(stop, progress)
    }

    /// Ends the step, or leaves it to be continued.
    fn leave(mut self, stop: Option<Stop>, progress: &mut StepProgress) -> Step {
        progress.undecided = stop == Some(Stop::Fork);
        if progress.undecided {
            progress.faults.append(&mut self.faults);
        }
        self.finish(stop)
    }

    /// Looks at whether objects got addresses in this step. Globals always get the same.
    fn check_pinned(&mut self, next: u64, mut stop: Option<Stop>) -> Option<Stop> {
        if self.state.memory.addresses.next != next {
            self.event(Event::Pinned);
            self.machine.marks.note_number();
            // Others may reach the memory from now on, and its stores were not buffered.
            if self.machine.config().memory_model == MemoryModel::Pso && !self.state.is_alone() {
                stop = Some(Stop::TooHard("the number of an address, under pso,"));
            }
        }
        let is_open = self.symbols.opens_objects() && self.is_open_pinned();
        if is_open { Some(Stop::TooHard(OPEN)) } else { stop }
    }

    fn instructions(&mut self, fuel: &mut Option<u64>) -> Result<(), Stop> {
        if fuel.is_none() {
            self.observer.before(self.machine, self.state, self.thread);
            let letter = self.watched_letter()?;
            self.advance()?;
            self.monitor_letter(letter)?;
            self.note_arrival();
        }
        let alone = || self.machine.is_alone(self.state, self.thread, self.grain);
        let fuel = fuel.get_or_insert_with(|| if alone() { MAX_ALONE } else { MAX_INVISIBLE });
        if self.grain != Grain::Instruction {
            self.run_invisible(fuel)?;
        }
        self.check_alive()
    }

    /// The process ends with its last thread.
    fn check_alive(&self) -> Result<(), Stop> {
        match self.state.alive().next() {
            Some(_) => Ok(()),
            None => Err(Stop::End(End::Exited(0))),
        }
    }

    pub fn finish(mut self, stop: Option<Stop>) -> Step {
        let end = match stop {
            None | Some(Stop::Fork) => None,
            Some(Stop::TooHard(what)) => Some(End::Unsupported(what.to_owned())),
            Some(Stop::End(end)) => {
                self.look_at_end(&end);
                Some(end)
            }
            Some(Stop::Fault(kind)) => {
                let defined = !kind.is_undefined();
                self.report(*kind);
                if defined {
                    self.look_at_end(&End::Fault);
                }
                Some(End::Fault)
            }
        };
        Step { faults: self.faults, end }
    }

    /// Reports what shows when the process ends.
    fn look_at_end(&mut self, end: &End) {
        self.monitor_end(end);
        if self.machine.notes_lost && matches!(end, End::Exited(_)) {
            let unfreed = self.machine.unfreed(self.state, self.thread);
            self.faults.extend(unfreed.into_iter().filter(|fault| !self.machine.is_suppressed(fault)));
        }
        if let Some(kind) = self.machine.look_at_final(self.state, self.thread, end) {
            self.report(kind);
        }
    }

    pub fn report(&mut self, kind: FaultKind) {
        let fault = self.machine.fault(self.state, self.thread, kind);
        if !self.machine.is_suppressed(&fault) {
            self.faults.push(fault);
        }
    }

    /// Whether a fault of the next instruction is looked for and to be told at once.
    fn is_told(&self, kind: &FaultKind) -> bool {
        let is_suppressed = || {
            let fault = self.machine.fault(self.state, self.thread, kind.clone());
            self.machine.is_suppressed(&fault)
        };
        let config = self.machine.config();
        let asked = self.machine.asks(kind) && !config.past_faults;
        asked && (config.suppressions.is_empty() || !is_suppressed())
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
            if self.machine.has_buffers {
                self.place_store()?;
            }
            if self.machine.is_visible(self.state, self.thread, self.grain) {
                break;
            }
            match self.execute() {
                Ok(()) => {
                    *fuel -= 1;
                    self.note_arrival();
                }
                Err(stop @ (Stop::Fork | Stop::TooHard(_))) => return Err(stop),
                Err(Stop::Fault(kind)) if self.is_told(&kind) => return Err(Stop::Fault(kind)),
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
        if let Some(undecided) = machine.undecided(self.state, self.thread) {
            return self.decide_addresses(undecided);
        }
        self.execute()
    }

    /// Executes the instruction that the thread is at, for which there is
    /// nothing to choose before.
    fn execute(&mut self) -> Result<(), Stop> {
        let frame = self.state.thread(self.thread).frame();
        self.note_executed(frame.function, frame.pc);
        let instr = &self.machine.program().function(frame.function).code[frame.pc as usize];
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
        // A symbolic code counts as 0: no property depends on it.
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

    pub fn current(&self) -> &'_ Instr {
        let frame = self.state.thread(self.thread).frame();
        &self.machine.program().function(frame.function).code[frame.pc as usize]
    }

    pub fn site(&self) -> crate::memory::object::Site {
        self.state.thread(self.thread).frame().site()
    }

    #[inline]
    pub fn event(&mut self, event: Event) {
        if self.machine.follows_traces {
            self.follow_trace(&event);
        }
        if O::LISTENS {
            let (function, pc) = self.function_and_pc();
            self.observer.event(self.thread, function, pc, event);
        }
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
        let frame = self.state.thread_mut(self.thread).frame_mut();
        frame.regs[dst.0 as usize] = value;
        frame.pc += 1;
        Ok(())
    }
}
