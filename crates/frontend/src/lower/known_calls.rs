//! What calls of known functions become.

use ir::{Domain, Failure, Instr, Operand, Pred, Reg, SyncOp};
use smallvec::smallvec;

use super::What;
use super::body::{Body, Operands};
use super::known::{self, Known};
use crate::llvm::{Type, Value};
use crate::runtime::MARK;

/// A call of a known function, from an instruction or from a thunk.
pub struct Call<'m> {
    /// The function's name.
    pub name: String,
    /// The operands and width of each argument.
    pub args: Vec<(Operands, u8)>,
    /// The arguments themselves, for constant texts (none in a thunk).
    pub values: Vec<Value<'m>>,
    /// The type of the result.
    pub result: Type<'m>,
    /// Whether the result is used.
    pub used: bool,
    /// The instruction (none in a thunk).
    pub site: Option<Value<'m>>,
}

/// What `pthread_create` returns where the system lacks the resources.
const EAGAIN: u64 = 11;

impl<'m> Call<'m> {
    /// A scalar argument.
    pub(super) fn arg(&self, index: usize) -> What<Operand> {
        match self.args.get(index).map(|(operands, _)| operands.as_slice()) {
            Some([operand]) => Ok(*operand),
            _ => Err(format!("a call of {} with these arguments", self.name)),
        }
    }

    /// A scalar argument's width.
    pub(super) fn width(&self, index: usize) -> u8 {
        self.args.get(index).map_or(0, |(_, width)| *width)
    }
}

impl<'m> Body<'_, 'm> {
    /// Emits a known call; its results, if it has any that are used.
    pub(super) fn known(&mut self, known: Known, call: &Call<'m>) -> What<Operands> {
        if known.is_harmless() {
            self.lowering.take_for_harmless(&call.name);
        }
        match known {
            Known::Sync(op, args) => self.sync(op, args, call),
            Known::Malloc
            | Known::New { .. }
            | Known::AlignedMalloc
            | Known::Calloc
            | Known::Free
            | Known::FreeFor
            | Known::FreeSized
            | Known::ObjectSize
            | Known::Alloca => self.heap(known, call),
            Known::IsOwn => {
                let own = call.values.first().is_some_and(|function| !function.has_mark(MARK));
                Ok(smallvec![Operand::Int(own.into())])
            }
            Known::MemCopy | Known::MemMove | Known::MemSet | Known::MemZero => self.bytes(known, call),
            Known::AssertFail(text) => self.fail(Failure::Assertion, call, Some(text)),
            Known::ErrorCall => self.fail(Failure::ErrorCall, call, None),
            Known::Assume => {
                let cond = self.is_nonzero(call.arg(0)?, call.width(0));
                self.nothing(Instr::Assume { cond })
            }
            Known::Nondet | Known::Harmless => self.anything(call),
            Known::NondetRange => self.nondet_range(call),
            Known::AtomicBegin { orders } => self.nothing(Instr::AtomicBegin { orders }),
            Known::AtomicEnd { orders } => self.nothing(Instr::AtomicEnd { orders }),
            Known::Succeeds => self.zeros(call),
            Known::Returns(index) => Ok(smallvec![call.arg(index)?]),
            Known::Environment(function) => self.environment(function, call),
            Known::StreamText | Known::StreamString | Known::StreamBytes | Known::StreamValue => {
                self.stream_output(known, call)
            }
            Known::Yield => {
                self.emit(Instr::Yield);
                self.zeros(call)
            }
            Known::Sleep(function) => {
                if !self.clock_call(function, call)? {
                    self.emit(Instr::Yield);
                }
                self.zeros(call)
            }
            Known::TimeCame => {
                self.clock_call("__tp_pass_deadline", call)?;
                Ok(Operands::new())
            }
            Known::ClockOf => self.clock_of(call),
            Known::Abort => {
                self.library_call("__tp_run_abort_handler", &[]);
                self.nothing(Instr::Exit { code: None })
            }
            Known::AbortNow => self.nothing(Instr::Exit { code: None }),
            Known::Exit => self.exit(call),
            Known::ExitNow => self.nothing(Instr::Exit { code: Some(call.arg(0)?) }),
            Known::ThreadExit => self.thread_exit(call),
            Known::Float(_) | Known::Float2(_) => self.float(known, call),
            Known::Unsupported(what) => {
                self.unsupported(what);
                Ok(Operands::new())
            }
            Known::UnsupportedText => {
                let what = call.values.first().and_then(|v| text_of(*v)).unwrap_or_default();
                self.unsupported(&what);
                Ok(Operands::new())
            }
        }
    }

    /// Calls a function of the library that moves clocks with the arguments of
    /// a call, unless the program reads no clock.
    fn clock_call(&mut self, function: &str, call: &Call<'m>) -> What<bool> {
        let read = self.lowering.module.function(function).is_some_and(|f| !f.is_declaration());
        if read {
            let indices = 0..call.args.len();
            let args =
                indices.map(|index| Ok((call.arg(index)?, call.width(index)))).collect::<What<Vec<_>>>()?;
            self.library_call(function, &args);
        }
        Ok(read)
    }

    fn clock_of(&mut self, call: &Call<'m>) -> What<Operands> {
        let kept = self.lowering.module.function("__tp_kept_clock").filter(|f| !f.is_declaration());
        let Some(kept) = kept else { return self.zeros(call) };
        let (id, dst) = (self.lowering.function_id(kept), self.result(call, 32));
        let arg = ir::Arg { value: call.arg(0)?, width: self.lowering.pointer_width };
        self.emit_call(id, vec![arg], vec![dst]);
        Ok(smallvec![Operand::Reg(dst)])
    }

    fn nothing(&mut self, instr: Instr) -> What<Operands> {
        self.emit(instr);
        Ok(Operands::new())
    }

    /// A register for the result of a call, straight in the variable it goes to if there is one.
    pub(super) fn result(&mut self, call: &Call<'m>, width: u8) -> Reg {
        match call.site {
            Some(site) if self.lowering.scalar_width(call.result) == Ok(Some(width)) => self.dst(site, width),
            _ => self.temp(width),
        }
    }

    fn sync(&mut self, op: SyncOp, args: &[usize], call: &Call<'m>) -> What<Operands> {
        let mut operands = Vec::new();
        for (i, index) in args.iter().enumerate() {
            let want = match op.operand_width(i) {
                0 => self.lowering.pointer_width,
                width => width,
            };
            let arg = call.arg(*index)?;
            operands.push(self.resize(arg, call.width(*index), want, false));
        }
        if op == SyncOp::CondInit {
            self.clock_call("__tp_keep_clock", call)?;
        }
        let fails = self.lowering.options.create_may_fail && call.name == "pthread_create";
        if !call.used && !fails {
            self.emit(Instr::Sync { op, dst: None, args: operands.into() });
            return Ok(Operands::new());
        }
        let width = op.result_width(self.lowering.pointer_width);
        let dst = if call.used { self.result(call, width) } else { self.temp(width) };
        let instr = Instr::Sync { op, dst: Some(dst), args: operands.into() };
        match fails {
            true => self.unless_it_fails(ir::CREATION_FAILS, instr, (width, dst, EAGAIN)),
            false => self.emit(instr),
        }
        if !call.used {
            return Ok(Operands::new());
        }
        let want = self.lowering.width(call.result)?;
        Ok(smallvec![self.resize(Operand::Reg(dst), width, want, true)])
    }

    fn heap(&mut self, known: Known, call: &Call<'m>) -> What<Operands> {
        let first = call.arg(0)?;
        let pointer = self.lowering.pointer_width;
        if matches!(known, Known::Free | Known::FreeFor | Known::FreeSized) {
            let heir = if known == Known::FreeFor { call.arg(1)? } else { Operand::Int(0) };
            let size = if known == Known::FreeSized { Some(call.arg(1)?) } else { None };
            return self.nothing(Instr::Free { ptr: first, heir, size });
        }
        let mut size = self.pointer_wide(first, call.width(0), false);
        if known == Known::Calloc {
            let unit = call.arg(1)?;
            let unit = self.pointer_wide(unit, call.width(1), false);
            size = self.saturating_product(size, unit)?;
        }
        let align = match known {
            Known::AlignedMalloc | Known::New { aligned: true } => {
                let align = call.arg(1)?;
                self.pointer_wide(align, call.width(1), false)
            }
            _ => Operand::Int(1),
        };
        let dst = self.result(call, pointer);
        match known {
            Known::ObjectSize => self.emit(Instr::ObjectSize { dst, ptr: first }),
            Known::Alloca => self.emit(Instr::Alloca { dst, size, align: 16, var: None }),
            Known::New { .. } => self.emit(Instr::Malloc { dst, size, align, zeroed: false }),
            _ => self.allocate(Instr::Malloc { dst, size, align, zeroed: known == Known::Calloc }, dst),
        }
        Ok(smallvec![Operand::Reg(dst)])
    }

    /// An allocation that fails if there is too little memory, and may be asked to fail anyway.
    fn allocate(&mut self, malloc: Instr, dst: Reg) {
        if self.lowering.options.malloc_may_fail {
            self.unless_it_fails(ir::ALLOCATION_FAILS, malloc, (self.lowering.pointer_width, dst, 0));
        } else {
            self.emit(malloc);
        }
        self.library_call("__tp_note_failure", &[(Operand::Reg(dst), self.lowering.pointer_width)]);
    }

    /// An instruction that may fail: it then has another result, and no effect.
    fn unless_it_fails(&mut self, failure: &str, instr: Instr, (width, dst, failed): (u8, Reg, u64)) {
        let origin = self.lowering.symbol(failure);
        let fails = self.temp(1);
        self.emit(Instr::Nondet { width: 1, dst: fails, domain: Domain::Full, origin });
        let [yes, no, end] = [(); 3].map(|()| self.new_label());
        self.emit(Instr::Branch { cond: Operand::Reg(fails), yes, no });
        self.place(no);
        self.emit(instr);
        self.emit(Instr::Jump { target: end });
        self.place(yes);
        self.emit(Instr::Move { width, dst, src: Operand::Int(failed) });
        self.place(end);
        self.dead = false;
    }

    pub(super) fn product(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Operand::Int(a), Operand::Int(b)) => {
                self.int(u128::from(a.wrapping_mul(b)), self.lowering.pointer_width)
            }
            (a, Operand::Int(b)) => self.times(a, b),
            (Operand::Int(a), b) => self.times(b, a),
            _ => {
                let width = self.lowering.pointer_width;
                let dst = self.temp(width);
                self.binary(ir::BinOp::Mul, width, dst, a, b);
                Operand::Reg(dst)
            }
        }
    }

    fn bytes(&mut self, known: Known, call: &Call<'m>) -> What<Operands> {
        let dst = call.arg(0)?;
        let len = call.arg(if known == Known::MemZero { 1 } else { 2 })?;
        let len = self.pointer_wide(len, call.width(if known == Known::MemZero { 1 } else { 2 }), false);
        match known {
            Known::MemZero => self.emit(Instr::MemSet { dst, byte: Operand::Int(0), len }),
            Known::MemSet => {
                let byte = call.arg(1)?;
                let byte = self.resize(byte, call.width(1), 8, false);
                self.emit(Instr::MemSet { dst, byte, len });
            }
            _ => {
                let may_overlap = known == Known::MemMove;
                self.emit(Instr::MemCopy { dst, src: call.arg(1)?, len, may_overlap });
            }
        }
        Ok(smallvec![dst])
    }

    fn fail(&mut self, kind: Failure, call: &Call<'m>, text: Option<usize>) -> What<Operands> {
        let text = text.and_then(|i| call.values.get(i)).and_then(|v| text_of(*v));
        let message = self.lowering.symbol(&text.unwrap_or_else(|| call.name.clone()));
        self.library_call("__tp_check_clocks", &[]);
        self.nothing(Instr::Fail { kind, message })
    }

    /// Each leaf of the result is anything.
    pub(super) fn anything(&mut self, call: &Call<'m>) -> What<Operands> {
        if !call.used {
            return Ok(Operands::new());
        }
        let origin = self.lowering.symbol(known::unmangled(&call.name));
        let mut results = Operands::new();
        for width in self.lowering.widths(call.result)? {
            if width > 64 {
                results.push(self.wide_nondet(width, origin));
                continue;
            }
            let dst = self.result(call, width);
            self.emit(Instr::Nondet { width, dst, domain: Domain::Full, origin });
            results.push(Operand::Reg(dst));
        }
        Ok(results)
    }

    /// A choice is of up to 64 bits: this is two, put together.
    fn wide_nondet(&mut self, width: u8, origin: ir::Symbol) -> Operand {
        let halves = [64, width - 64].map(|width| {
            let dst = self.temp(width);
            self.emit(Instr::Nondet { width, dst, domain: Domain::Full, origin });
            Operand::Reg(dst)
        });
        self.join(&halves, &[64, width - 64], width)
    }

    fn nondet_range(&mut self, call: &Call<'m>) -> What<Operands> {
        let (low, high) = (call.arg(0)?, call.arg(1)?);
        let origin = self.lowering.symbol(known::unmangled(&call.name));
        let width = 32;
        let dst = self.result(call, width);
        if let (Operand::Int(first), Operand::Int(last)) = (low, high) {
            let count = (last as u32).wrapping_sub(first as u32);
            if (last as i32) < first as i32 {
                return Err("tp_nondet_range with an empty range".to_owned());
            }
            let domain = Domain::Range { first, count: u64::from(count) + 1 };
            self.emit(Instr::Nondet { width, dst, domain, origin });
            return Ok(smallvec![Operand::Reg(dst)]);
        }
        let value = Operand::Reg(dst);
        self.emit(Instr::Nondet { width, dst, domain: Domain::Full, origin });
        for (pred, bound) in [(Pred::Sge, low), (Pred::Sle, high)] {
            let cond = self.temp(1);
            self.emit(Instr::Compare { pred, width, dst: cond, lhs: value, rhs: bound });
            self.emit(Instr::Assume { cond: Operand::Reg(cond) });
        }
        Ok(smallvec![value])
    }

    fn float(&mut self, known: Known, call: &Call<'m>) -> What<Operands> {
        let (src, width) = (call.arg(0)?, call.width(0));
        let native_only = match known {
            Known::Float(op) => op.is_native_only(),
            Known::Float2(op) => op.is_native_only(),
            _ => true,
        };
        let computable = matches!(width, 32 | 64) || width == 80 && !native_only;
        if !computable || self.lowering.scalar_width(call.result)? != Some(width) {
            return Err(format!("a call of {} with these arguments", call.name));
        }
        let rhs = if matches!(known, Known::Float2(_)) { call.arg(1)? } else { src };
        let dst = self.result(call, width);
        self.emit(match known {
            Known::Float2(op) => Instr::FloatBinary { op, width, dst, lhs: src, rhs },
            Known::Float(op) => Instr::FloatUnary { op, width, dst, src },
            _ => return Err("a float function".to_owned()),
        });
        Ok(smallvec![Operand::Reg(dst)])
    }

    fn zeros(&mut self, call: &Call<'m>) -> What<Operands> {
        let widths = self.lowering.widths(call.result)?;
        Ok(widths.into_iter().map(super::body::zero).collect())
    }

    /// `exit`: the handlers run only if the program can have registered any.
    fn exit(&mut self, call: &Call<'m>) -> What<Operands> {
        let code = call.arg(0)?;
        self.run_exit_handlers();
        self.nothing(Instr::Exit { code: Some(code) })
    }

    /// The handlers that were registered, then the destructors of the program.
    pub(super) fn run_exit_handlers(&mut self) {
        self.library_call("__tp_run_exit_handlers", &[]);
        for destructor in self.lowering.destructors() {
            let id = self.lowering.function_id(destructor);
            self.emit_call(id, Vec::new(), Vec::new());
        }
    }

    fn thread_exit(&mut self, call: &Call<'m>) -> What<Operands> {
        let value = call.arg(0)?;
        self.library_call("__tp_check_cleanup", &[]);
        let has_destructors = !self.lowering.destructors().is_empty();
        self.library_call("__tp_check_exit_handlers", &[(Operand::Int(has_destructors.into()), 32)]);
        self.library_call("__tp_leave_initialisers", &[]);
        self.nothing(Instr::ThreadExit { value })
    }
}

/// The text of a constant string that a value points to.
pub fn text_of(value: Value<'_>) -> Option<String> {
    let mut bytes = value.initializer()?.string_bytes()?;
    if let Some(end) = bytes.iter().position(|b| *b == 0) {
        bytes.truncate(end);
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
