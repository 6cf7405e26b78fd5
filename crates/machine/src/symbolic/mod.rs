//! Executing instructions on values that are not known (see [`crate::symbolic::symbols`]).

pub(crate) mod data;
pub(crate) mod open;
pub(crate) mod open_data;
pub(crate) mod opening;
pub(crate) mod spread;
pub(crate) mod symbols;

use ir::{BinOp, Instr, Operand, Pred};
use triomphe::Arc;

use crate::exec::eval::{arith_op, write_wide};
use crate::exec::{Exec, Stop};
use crate::machine::{Grain, Machine};
use crate::memory::object::{Cell, Life};
use crate::state::State;
use crate::symbolic::open::OPEN;
use crate::symbolic::open_data::{Values, close};
use crate::symbolic::symbols::{Pair, Snag, Sym, Symbols};
use crate::telling::fault::ThreadId;
use crate::telling::observer::Observer;
use crate::value::arith::{Trouble, narrow};
use crate::value::{ObjectId, Value, Wide, binary, compare};

const FLOAT: &str = "floating-point arithmetic on a value that is not known";

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// The value with its bits known, forking over what they can be.
    pub fn known(&mut self, value: Value) -> Result<Value, Stop> {
        if !value.is_symbolic() {
            return Ok(value);
        }
        self.symbols.concretise(value).map_err(|snag| self.snag(snag))
    }

    /// An operand of which it matters whether it is null: an integer is known.
    pub fn pointer_or_number(&mut self, operand: Operand) -> Result<Value, Stop> {
        let value = self.value(operand);
        if value.is_pointer() { Ok(value) } else { self.known(value) }
    }

    /// Whether a value is the integer 0.
    pub fn is_zero(&mut self, value: Value, width: u8) -> Result<bool, Stop> {
        if !value.is_symbolic() || value.is_pointer() || value.undef != 0 {
            return Ok(value == Value::int(0));
        }
        let zero = (Value::int(0), Value::int(0));
        let equal = self.symbols.compare(Pred::Eq, width, (value, Value::int(0)), zero);
        equal.and_then(|equal| self.truth(equal)).map_err(|snag| self.snag(snag))
    }

    /// Whether a defined condition holds.
    fn truth(&mut self, cond: Value) -> Result<bool, Snag> {
        if cond.is_symbolic() { self.symbols.decide(cond) } else { Ok(cond.bits & 1 == 1) }
    }

    /// Arithmetic, whether or not the operands are known.
    pub fn arith(&mut self, op: BinOp, width: u8, a: Pair, b: Pair) -> Result<Pair, Snag> {
        if [a.0, a.1, b.0, b.1].iter().any(|value| value.is_symbolic()) {
            return self.symbols.binary(op, width, a, b);
        }
        if width <= 64 {
            return Ok((binary(op, width, a.0, b.0)?, Value::int(0)));
        }
        let (a, b) = (Wide::from_halves(a.0, a.1)?, Wide::from_halves(b.0, b.1)?);
        Ok(Wide::binary(op, width, a, b)?.halves())
    }

    /// Whether two values of one slot are equal, as a value of 1 bit.
    pub fn equality(&mut self, width: u8, a: Value, b: Value) -> Result<Value, Snag> {
        if a.is_symbolic() || b.is_symbolic() {
            let zero = Value::int(0);
            let equal = self.symbols.compare(Pred::Eq, width, (a, zero), (b, zero))?;
            let known = equal.undef == 0 && equal.is_symbolic();
            return if known { Ok(Value::int(self.symbols.decide(equal)?.into())) } else { Ok(equal) };
        }
        Ok(compare(Pred::Eq, 64, a, b)?)
    }

    /// An instruction on registers of which some are not known.
    pub fn symbolic_instruction(&mut self, instr: &Instr) -> Result<(), Stop> {
        let result = match self.evaluate(instr, false) {
            Err(Snag::Trouble(Trouble::NeedsAddress)) => {
                instr.for_each_use(|operand, _| self.pin_operand(operand));
                self.evaluate(instr, true)
            }
            result => result,
        };
        result.map_err(|snag| self.snag(snag))
    }

    fn evaluate(&mut self, instr: &Instr, numeric: bool) -> Result<(), Snag> {
        let mut operands: smallvec::SmallVec<[Pair; 3]> = smallvec::SmallVec::new();
        let mut uses: smallvec::SmallVec<[(Operand, u8); 3]> = smallvec::SmallVec::new();
        instr.for_each_use(|operand, width| uses.push((operand, width)));
        for (operand, width) in uses {
            operands.push(self.operand(operand, width, numeric)?);
        }
        let args = &operands[..];
        match *instr {
            Instr::Binary { op, width, no_signed_wrap, dst, .. } => {
                if no_signed_wrap && self.machine.check_overflow {
                    self.check_overflow(instr, op, width, args)?;
                }
                let result = self.arith(op, width, args[0], args[1])?;
                self.put_result(dst, width, result)
            }
            Instr::Unary { op, width, dst, .. } => {
                let result = self.symbols.unary(op, width, args[0])?;
                self.put_result(dst, width, result)
            }
            Instr::Overflows { op, signed, width, dst, .. } => {
                let result = self.symbols.overflows(op, signed, width, args[0], args[1])?;
                self.put_result(dst, 1, (result, Value::int(0)))
            }
            Instr::Compare { pred, width, dst, .. } => {
                let result = self.symbols.compare(pred, width, args[0], args[1])?;
                self.put_result(dst, 1, (result, Value::int(0)))
            }
            Instr::Cast { op, from, to, dst, .. } => {
                let result = self.symbols.cast(op, from, to, args[0])?;
                self.put_result(dst, to, result)
            }
            Instr::Select { width, dst, .. } => {
                let result = self.symbols.select(width, args[0].0, args[1], args[2])?;
                self.put_result(dst, width, result)
            }
            Instr::PtrAdd { dst, scale, offset, .. } => {
                let width = self.machine.program().pointer_width;
                let number = |number: i64| (Value::int(number as u64 & narrow::mask(width)), Value::int(0));
                let scaled = self.arith(BinOp::Mul, width, args[1], number(scale))?;
                let moved = self.arith(BinOp::Add, width, scaled, number(offset))?;
                let result = self.arith(BinOp::Add, width, args[0], moved)?;
                self.put_result(dst, width, result)
            }
            Instr::Branch { yes, no, .. } => {
                let holds = self.truth(args[0].0)?;
                let frame = self.state.thread_mut(self.thread).frame_mut();
                self.machine.marks.branch(frame.function, frame.pc, holds);
                frame.pc = if holds { yes } else { no };
                Ok(())
            }
            Instr::Switch { width, ref cases, default, .. } => {
                if args[0].0.is_pointer() {
                    return Err(Trouble::NeedsAddress.into());
                }
                let mut target = default;
                for (case, pc) in cases {
                    let case = (Value::int(*case), Value::int(0));
                    let equal = self.symbols.compare(Pred::Eq, width, args[0], case)?;
                    if self.truth(equal)? {
                        target = *pc;
                        break;
                    }
                }
                let frame = self.state.thread_mut(self.thread).frame_mut();
                self.machine.marks.arrive(frame.function, target);
                frame.pc = target;
                Ok(())
            }
            Instr::FloatBinary { .. } | Instr::FloatUnary { .. } | Instr::FloatCompare { .. } => {
                Err(Snag::Unsupported(FLOAT))
            }
            _ => Err(Snag::NotLocal),
        }
    }

    fn check_overflow(&mut self, instr: &Instr, op: BinOp, width: u8, args: &[Pair]) -> Result<(), Snag> {
        let plain = |value: &Value| value.undef == 0 && !value.is_pointer();
        if !args.iter().all(|(low, high)| plain(low) && plain(high)) {
            return Ok(());
        }
        let overflows = match arith_op(op) {
            Some(op) => self.symbols.overflows(op, true, width, args[0], args[1])?,
            None if op == BinOp::Shl => self.shift_overflows(width, args[0], args[1])?,
            None => return Ok(()),
        };
        if self.truth(overflows)? {
            self.report_overflow(instr);
        }
        Ok(())
    }

    /// Whether a signed left shift overflows: some bit reaches the sign bit.
    fn shift_overflows(&mut self, width: u8, a: Pair, amount: Pair) -> Result<Value, Snag> {
        // An amount that is out of range ends the execution here.
        self.arith(BinOp::Shl, width, a, amount)?;
        let zero = (Value::int(0), Value::int(0));
        let last = (Value::int(u64::from(width) - 1), Value::int(0));
        let rest = self.arith(BinOp::Sub, width, last, amount)?;
        let reached = self.arith(BinOp::LShr, width, a, rest)?;
        self.comparison(Pred::Ne, width, reached, zero)
    }

    /// A comparison, whether or not the operands are known.
    fn comparison(&mut self, pred: Pred, width: u8, a: Pair, b: Pair) -> Result<Value, Snag> {
        if [a.0, a.1, b.0, b.1].iter().any(|value| value.is_symbolic()) {
            return self.symbols.compare(pred, width, a, b);
        }
        let (a, b) = (Wide::from_halves(a.0, a.1)?, Wide::from_halves(b.0, b.1)?);
        Ok(Value::int(u64::from(crate::value::arith::wide::compare(pred, width, a.bits, b.bits))))
    }

    fn put_result(&mut self, dst: ir::Reg, width: u8, (low, high): Pair) -> Result<(), Snag> {
        let frame = self.state.thread_mut(self.thread).frame_mut();
        if width > 64 {
            write_wide(&mut frame.regs, dst, (low, high));
        } else {
            frame.regs[dst.0 as usize] = low;
        }
        frame.pc += 1;
        Ok(())
    }

    /// The slots of an operand; with `numeric`, pointers as the numbers they are.
    fn operand(&mut self, operand: Operand, width: u8, numeric: bool) -> Result<Pair, Snag> {
        let width = if width == 0 { self.machine.program().pointer_width } else { width };
        let (low, high) = self.pair(operand, width);
        if numeric { Ok((self.as_number(low)?, self.as_number(high)?)) } else { Ok((low, high)) }
    }

    /// A value as a number, pinning the object it points into.
    pub fn as_number(&mut self, value: Value) -> Result<Value, Snag> {
        if !value.is_pointer() {
            return Ok(value);
        }
        let base = self.state.memory.pin(value.object, &self.machine.constants);
        let width = self.machine.program().pointer_width;
        let zero = Value::int(0);
        Ok(self.arith(BinOp::Add, width, (value.without_object(), zero), (Value::int(base), zero))?.0)
    }

    /// The pointer with a known offset, forking over where it can lead. One
    /// that leads out of its object (or whose object is no more) leads to the
    /// same fault wherever it leads, so any such offset will do.
    pub fn pinpoint(&mut self, pointer: Value, len: u64) -> Result<Value, Stop> {
        if pointer.undef != 0 || !pointer.is_pointer() {
            return self.known(pointer);
        }
        let alive = self.state.memory.get(pointer.object).map(|object| object.life);
        let size = self.state.memory.size_of(pointer.object, &self.machine.constants);
        if alive.is_some_and(|life| life != Life::Alive) {
            return Ok(Value::pointer(pointer.object, 0));
        }
        if self.is_open(pointer) {
            return Err(Stop::TooHard(OPEN));
        }
        if self.leads_inside(pointer, len, size)? {
            return self.known(pointer);
        }
        let outside = if len == 0 { size + 1 } else { size };
        Ok(Value::pointer(pointer.object, outside))
    }

    /// Whether `len` bytes from the pointer on lie in its object of this size.
    pub fn leads_inside(&mut self, pointer: Value, len: u64, size: u64) -> Result<bool, Stop> {
        let Some(last) = size.checked_sub(len) else { return Ok(false) };
        let width = self.machine.program().pointer_width;
        let (offset, zero) = (pointer.without_object(), Value::int(0));
        let inside = self.symbols.compare(Pred::Ule, width, (offset, zero), (Value::int(last), zero));
        inside.and_then(|inside| self.truth(inside)).map_err(|snag| self.snag(snag))
    }

    // Memory.

    /// Makes the offsets known of the pointers that meet the range: they are
    /// about to be taken apart.
    pub fn know_pointers(&mut self, id: ObjectId, offset: u64, len: u64) -> Result<(), Stop> {
        let word = self.state.memory.word;
        let Some(object) = self.state.memory.get(id).filter(|object| !object.unknown.is_empty()) else {
            return Ok(());
        };
        let pointers = object.pointers[object.pointers_in(offset, len, word)].to_vec();
        for (at, _) in pointers {
            let at = u64::from(at);
            let object = self.state.memory.get(id).expect("still there");
            let Some(value) = object.read(at, word, word).filter(|value| value.is_symbolic()) else {
                continue;
            };
            let known = self.known(value)?;
            self.state.memory.get_mut(id).write(at, word, word, known);
        }
        Ok(())
    }

    /// Cuts unknown cells that the range meets only in part.
    pub fn split_cells(&mut self, id: ObjectId, offset: u64, len: u64) {
        let Some(object) = self.state.memory.get(id).filter(|object| !object.unknown.is_empty()) else {
            return;
        };
        let end = offset + len;
        let meets = object.unknown[object.unknown_in(offset, len)].iter();
        let partly: Vec<Cell> =
            meets.filter(|cell| cell.start() < offset || cell.end() > end).copied().collect();
        for cell in partly {
            self.state.memory.get_mut(id).unknown.retain(|other| other.at != cell.at);
            for (from, to) in [(cell.start(), offset), (end, cell.end())] {
                if from < to {
                    let piece = self.piece(cell, from, to);
                    self.state.memory.get_mut(id).put_piece(from, to - from, piece);
                }
            }
        }
    }

    fn piece(&mut self, cell: Cell, from: u64, to: u64) -> Value {
        let whole = Value { sym: cell.sym, ..Value::default() };
        self.symbols.slice(whole, from - cell.start(), to - from)
    }

    /// Reads a range without pointers that meets unknown cells.
    pub fn read_pieces(&mut self, id: ObjectId, offset: u64, len: u64) -> Value {
        let (word, end) = (self.state.memory.word, offset + len);
        let mut whole: Option<Value> = None;
        let mut at = offset;
        while at < end {
            let object = self.state.memory.get(id).expect("resolved");
            let cell = object.unknown.get(object.unknown_in(at, end - at).start).copied();
            let (piece, next) = match cell.filter(|cell| cell.start() < end) {
                Some(cell) if cell.start() <= at => {
                    let undef = object.undef_bits(at, cell.end().min(end) - at);
                    let piece = self.piece(cell, at, cell.end().min(end));
                    (Value { undef, ..piece }, cell.end().min(end))
                }
                cell => {
                    let next = cell.map_or(end, |cell| cell.start());
                    (object.read(at, next - at, word).expect("only known bytes"), next)
                }
            };
            whole = Some(match whole {
                None => piece,
                Some(low) => self.symbols.join((low, at - offset), (piece, next - at)),
            });
            at = next;
        }
        whole.unwrap_or_default()
    }
}

/// A branch, or another instruction, that a thread stands at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BranchAt {
    thread: ThreadId,
    /// How many calls deep.
    depth: u32,
    /// The function that it is in.
    pub function: ir::FuncId,
    /// Where it is there.
    pub pc: ir::Pc,
}

impl Machine {
    /// The branch that the thread stands at, if it does.
    pub fn branch_at(&self, state: &State, thread: ThreadId) -> Option<BranchAt> {
        let branches = self.next_instruction(state, thread);
        let at_branch = matches!(branches, Some(Instr::Branch { .. } | Instr::Switch { .. }));
        self.stands_at(state, thread).filter(|_| at_branch)
    }

    /// Where the thread stands, if it is not at its end.
    pub fn stands_at(&self, state: &State, thread: ThreadId) -> Option<BranchAt> {
        let frames = &state.thread(thread).frames;
        let frame = frames.last()?;
        Some(BranchAt { thread, depth: frames.len() as u32, function: frame.function, pc: frame.pc })
    }

    /// Whether the thread's next step reads an input of which more than one
    /// value is possible.
    pub fn reads_input(&self, state: &State, thread: ThreadId) -> bool {
        let reads = matches!(self.next_instruction(state, thread), Some(Instr::Nondet { .. }))
            || self.indeterminate(state, thread).is_some();
        reads && self.choices(state, thread) != Ok(1)
    }

    /// The most values that an input of the program can have, if it has inputs;
    /// `u64::MAX` if they are too many to be tried.
    pub fn input_values(&self) -> Option<u64> {
        let code = self.program().functions.iter().flat_map(|function| function.code.iter());
        let inputs = code.filter_map(|instr| match instr {
            Instr::Nondet { width, domain, .. } => Some(self.nondet_count(domain, *width)),
            _ => None,
        });
        inputs.map(|values| values.unwrap_or(u64::MAX)).max()
    }

    /// Makes known which synchronisation object (or thread) the threads that
    /// are about to use one mean: which threads can move depends on it.
    pub fn settle<S: Symbols>(&self, state: &mut State, symbols: &mut S) -> Result<(), Snag> {
        for thread in state.thread_ids() {
            let Some((reg, value)) = self.unsettled(state, thread) else { continue };
            let observer = &mut ();
            let faults = Vec::new();
            let grain = Grain::Instruction;
            let mut exec = Exec { machine: self, state, thread, choice: 0, grain, observer, symbols, faults };
            match exec.pinpoint(value, 1) {
                Ok(known) => exec.set(reg, known),
                Err(Stop::TooHard(what)) => return Err(Snag::Unsupported(what)),
                Err(_) => return Err(Snag::Fork),
            }
        }
        Ok(())
    }

    /// The state in which every symbol has the value that it is given. There are no
    /// objects of unknown size.
    pub fn instantiate(&self, state: &State, value_of: impl FnMut(Sym) -> u64) -> State {
        self.instance(state, value_of)
    }

    /// The state in which every symbol has its value; objects of unknown size become
    /// objects of the size and with the contents that they have.
    pub fn instance(&self, state: &State, mut values: impl Values) -> State {
        let mut state = state.clone();
        let word = state.memory.word;
        let mut know = |value: &mut Value| {
            *value = Value { bits: values.number(value.sym), sym: Sym::NONE, ..*value };
        };
        state.threads.each_mut(|thread| Arc::make_mut(thread).each_symbolic(&mut know));
        state.memory.slots.each_mut(|object| {
            close(object, word, &mut values);
            if object.unknown.is_empty() {
                return;
            }
            let object = Arc::make_mut(object);
            for cell in std::mem::take(&mut object.unknown) {
                object.put_piece(cell.start(), cell.len.into(), Value::int(values.number(cell.sym)));
            }
        });
        state
    }

    fn unsettled(&self, state: &State, thread: ThreadId) -> Option<(ir::Reg, Value)> {
        let Instr::Sync { args, .. } = self.next_instruction(state, thread)? else { return None };
        let Some(Operand::Reg(reg)) = args.first() else { return None };
        let value = state.thread(thread).frame().regs[reg.0 as usize];
        value.is_symbolic().then_some((*reg, value))
    }
}
