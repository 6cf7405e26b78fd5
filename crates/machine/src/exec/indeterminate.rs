//! Values that were never initialised, where reads of them are not looked for.
//!
//! Such a value is an input of the program: any value of its width, the same
//! one each time it is looked at. It is chosen as late as possible, in a step
//! of its own before the first instruction that computes or decides with it:
//! for a load from memory, the bytes that it reads; for other instructions, the
//! register. Copies made before are chosen on their own. Moving a value about
//! chooses nothing, nor do bitwise operations, which put bit-fields together.
//! A pointer that was never initialised is not chosen where it is followed:
//! some of its values are bad, so that following it is a memory fault.

use ir::{BinOp, CastOp, Domain, Function, Instr, Operand, Pc, Program, Reg, RmwOp};

use crate::exec::{Exec, Stop};
use crate::machine::{Machine, NeedsSymbolic};
use crate::state::State;
use crate::state::thread::Status;
use crate::symbolic::symbols::{Pair, Symbols};
use crate::telling::fault::{ThreadId, Touch};
use crate::telling::observer::{Event, Observer, Place};
use crate::value::Value;
use crate::value::arith::narrow;

/// What has to be chosen before a thread's next instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Indeterminate {
    /// A register of this width.
    Register(Reg, u8),
    /// Memory, of at most 8 bytes.
    Memory(Place),
}

impl Indeterminate {
    fn width(self) -> u8 {
        match self {
            Indeterminate::Register(_, width) => width,
            Indeterminate::Memory(place) => (place.len * 8) as u8,
        }
    }
}

impl Machine {
    /// What the next instruction of a thread computes with though it was never
    /// initialised.
    pub(crate) fn indeterminate(&self, state: &State, thread: ThreadId) -> Option<Indeterminate> {
        if !self.chooses_undefined || state.thread(thread).status != Status::Ready {
            return None;
        }
        let frame = state.thread(thread).frames.last()?;
        let instr = &self.program().function(frame.function).code[frame.pc as usize];
        let computed = || self.code[frame.function.0 as usize].computed[frame.pc as usize];
        let memory = match instr {
            Instr::Load { width, dst, ptr, .. } => {
                let function = self.program().function(frame.function);
                let place = self.undefined_memory(state, thread, *ptr, *width);
                place.filter(|_| computes_with(function, frame.pc + 1, *dst))
            }
            Instr::AtomicRmw { op, width, ptr, .. } if *op != RmwOp::Xchg => {
                self.undefined_memory(state, thread, *ptr, *width)
            }
            Instr::CompareExchange(cx) => self.undefined_memory(state, thread, cx.ptr, cx.width),
            _ => None,
        };
        memory.map(Indeterminate::Memory).or_else(|| computed().undefined(&frame.regs))
    }

    /// The bytes that an access reads, if some of them are undefined and it can
    /// be seen which they are.
    fn undefined_memory(&self, state: &State, thread: ThreadId, ptr: Operand, width: u8) -> Option<Place> {
        let len = u64::from(width).div_ceil(8);
        let pointer = self.peek(state, thread, ptr);
        if len > 8 || pointer.is_symbolic() {
            return None;
        }
        let (object, offset) = state.memory.resolve(pointer, len, Touch::Read).ok()?;
        let place = Place { object, offset, len };
        if self.has_buffers && state.thread(thread).own.buffer.covers(place) {
            return None;
        }
        let undefined = state.memory.get(object).is_some_and(|found| found.has_undef(offset, len));
        undefined.then_some(place)
    }

    /// How many values there are to choose from.
    pub(crate) fn indeterminate_choices(
        &self,
        state: &State,
        thread: ThreadId,
        what: Indeterminate,
    ) -> Result<u64, NeedsSymbolic> {
        Domain::Full.count(what.width()).ok_or_else(|| NeedsSymbolic {
            at: self.position(state, thread),
            origin: match what {
                Indeterminate::Memory(place) => {
                    format!("`{}`, which is uninitialised,", self.describe(state, place))
                }
                Indeterminate::Register(reg, _) => self.uninitialised_name(state, thread, reg),
            },
        })
    }

    fn uninitialised_name(&self, state: &State, thread: ThreadId, reg: Reg) -> String {
        let function = self.program().function(state.thread(thread).frame().function);
        match function.slots[reg.0 as usize].name {
            Some(name) => format!("`{}`, which is uninitialised,", self.program().name(name)),
            None => "something uninitialised".to_owned(),
        }
    }
}

/// The registers that an instruction computes or decides with, and their widths.
#[derive(Clone, Copy, Default)]
pub(crate) struct Computed([Option<(Reg, u8)>; 2]);

impl Computed {
    pub fn of(program: &Program, instr: &Instr) -> Computed {
        let mut computed = Computed::default();
        let mut free = computed.0.iter_mut();
        for_each_computed(instr, program.pointer_width, |operand, width| {
            if let Operand::Reg(reg) = operand {
                *free.next().expect("at most two") = Some((reg, width));
            }
        });
        computed
    }

    /// The first of them with undefined bits.
    #[inline]
    pub fn undefined(&self, regs: &[Value]) -> Option<Indeterminate> {
        let is_undefined = |(reg, width): (Reg, u8)| {
            let slot = reg.0 as usize;
            let low = regs[slot].undef & narrow::mask(width.min(64));
            low != 0 || width > 64 && regs[slot + 1].undef != 0
        };
        let found = self.0.into_iter().flatten().find(|register| is_undefined(*register));
        found.map(|(reg, width)| Indeterminate::Register(reg, width))
    }
}

/// The operands that an instruction computes or decides with, rather than
/// moves about or follows.
fn for_each_computed(instr: &Instr, word: u8, mut each: impl FnMut(Operand, u8)) {
    use BinOp::*;
    match *instr {
        Instr::Binary { op: And | Or | Xor, .. } => {}
        Instr::Binary { op: Shl | LShr | AShr, width, rhs, .. } => each(rhs, width),
        Instr::Binary { width, lhs, rhs, .. }
        | Instr::Overflows { width, lhs, rhs, .. }
        | Instr::Compare { width, lhs, rhs, .. }
        | Instr::FloatBinary { width, lhs, rhs, .. }
        | Instr::FloatCompare { width, lhs, rhs, .. } => {
            each(lhs, width);
            each(rhs, width);
        }
        Instr::Unary { width, src, .. } | Instr::FloatUnary { width, src, .. } => each(src, width),
        Instr::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, .. } => {}
        Instr::Cast { from, src, .. } => each(src, from),
        Instr::Select { cond, .. } | Instr::Branch { cond, .. } | Instr::Assume { cond } => each(cond, 1),
        Instr::Switch { width, value, .. } => each(value, width),
        Instr::PtrAdd { index, .. } => each(index, word),
        Instr::Malloc { size, .. } | Instr::Alloca { size, .. } => each(size, word),
        Instr::MemCopy { len, .. } | Instr::MemSet { len, .. } => each(len, word),
        Instr::AtomicRmw { op, width, value, .. } if op != RmwOp::Xchg => each(value, width),
        Instr::CompareExchange(ref cx) => each(cx.expected, cx.width),
        _ => {}
    }
}

/// Whether the code from here to the end of the block computes with a register,
/// itself or extended or cut off.
pub(crate) fn computes_with(function: &Function, from: Pc, reg: Reg) -> bool {
    for pc in from..function.code.len() as Pc {
        let instr = &function.code[pc as usize];
        let mut computes = false;
        for_each_computed(instr, 0, |operand, _| computes |= operand == Operand::Reg(reg));
        if computes {
            return true;
        }
        if let Instr::Cast { dst, src, .. } = *instr
            && src == Operand::Reg(reg)
            && computes_with(function, pc + 1, dst)
        {
            return true;
        }
        let mut overwritten = false;
        instr.for_each_def(|def, _| overwritten |= def == reg);
        let ends = matches!(
            instr,
            Instr::Jump { .. } | Instr::Branch { .. } | Instr::Switch { .. } | Instr::Return { .. }
        );
        if overwritten || ends {
            return false;
        }
    }
    false
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Chooses a value for what was never initialised. The next step goes on
    /// with the instruction that needs it.
    pub fn determine(&mut self, what: Indeterminate) -> Result<(), Stop> {
        match what {
            Indeterminate::Register(reg, width) => {
                let old = self.pair(Operand::Reg(reg), width);
                let (low, high) = self.filled(old, width)?;
                self.set(reg, low);
                if width > 64 {
                    self.set(Reg(reg.0 + 1), high);
                }
            }
            Indeterminate::Memory(place) => {
                let old = self.read(place.object, place.offset, place.len)?;
                let (new, _) = self.filled((old, Value::int(0)), what.width())?;
                self.make_room(place)?;
                let shared = self.is_shared(place.object);
                self.event(Event::Write { place, old, new, order: None, shared });
                self.commit(place, (new, Value::int(0)));
            }
        }
        Ok(())
    }

    /// Whether a pointer that is about to be followed was never initialised, so
    /// that it may be any pointer, a bad one too.
    pub fn follows_undefined(&mut self, pointer: Operand) -> bool {
        self.machine.chooses_undefined && self.value(pointer).undef != 0
    }

    /// The value with its undefined bits chosen.
    fn filled(&mut self, (old, _): Pair, width: u8) -> Result<Pair, Stop> {
        let chosen = self.chosen(width, &Domain::Full);
        let (mask, zero) = (narrow::mask(width.min(64)), Value::int(0));
        if width > 64 || old.is_pointer() || old.undef & mask == mask {
            return Ok(chosen);
        }
        let (undefined, defined) = (Value::int(old.undef & mask), Value::int(!old.undef & mask));
        let old = (Value { undef: 0, ..old }, zero);
        let both = self.arith(BinOp::And, width, old, (defined, zero)).and_then(|kept| {
            let added = self.arith(BinOp::And, width, chosen, (undefined, zero))?;
            self.arith(BinOp::Or, width, kept, added)
        });
        both.map_err(|snag| self.snag(snag))
    }
}
