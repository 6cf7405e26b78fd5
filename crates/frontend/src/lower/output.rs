//! Output: what is printed is read.
//!
//! Constant formats are followed here, so that a call prints in a few
//! instructions that no other thread sees, and decides nothing about the
//! values it prints; only the texts of `%s` are read from memory. Other
//! formats are followed at run time, by the library's own `printf`.

use ir::{Access, Arg, Domain, Failure, Instr, Operand, Pred, Reg};
use smallvec::smallvec;

use super::What;
use super::body::{Body, Operands};
use super::format::{self, Conversion, Kind, Most, Size};
use super::known::Known;
use super::known_calls::Call;
use crate::llvm::{Opcode, Type, TypeKind, Value, ValueKind};
use crate::runtime::MARK;

/// Where a formatting function has its format and arguments.
#[derive(Clone, Copy)]
pub struct Formatted {
    /// The index of the format; its arguments follow.
    format: usize,
    /// The index of the stream, if it prints to one.
    stream: Option<usize>,
    /// Whether the text goes to memory: then the library writes it.
    to_memory: bool,
}

/// The functions that print by a format.
fn formatted(name: &str) -> Option<Formatted> {
    let print = |format, stream| Some(Formatted { format, stream, to_memory: false });
    let write = |format| Some(Formatted { format, stream: None, to_memory: true });
    match name {
        "printf" | "warn" | "warnx" => print(0, None),
        "__printf_chk" | "dprintf" | "syslog" => print(1, None),
        "fprintf" => print(1, Some(0)),
        "__fprintf_chk" => print(2, Some(0)),
        "sprintf" => write(1),
        "snprintf" => write(2),
        "__sprintf_chk" => write(3),
        "__snprintf_chk" => write(4),
        _ => None,
    }
}

/// The argument that is the text a function prints as it is, and the stream.
fn plain_text(name: &str) -> Option<(usize, Option<usize>)> {
    match name {
        "puts" | "perror" => Some((0, None)),
        "fputs" | "fputs_unlocked" => Some((0, Some(1))),
        "psignal" => Some((1, None)),
        _ => None,
    }
}

impl<'m> Body<'_, 'm> {
    /// Emits a call that prints something known when the program is lowered;
    /// false if it is to be called as any other function.
    pub(super) fn output(&mut self, site: Value<'m>, callee: Value<'m>, name: &str) -> What<bool> {
        if !callee.is_declaration() && !callee.has_mark(MARK) {
            return Ok(false);
        }
        let arguments = site.arguments();
        let text = |index: usize| arguments.get(index).and_then(|v| constant_text(*v));
        if let Some((index, stream)) = plain_text(name) {
            if text(index).is_none() {
                return Ok(false);
            }
            self.use_stream_of(&arguments, stream)?;
            self.printed(name, site)?;
            return Ok(true);
        }
        let Some(function) = formatted(name) else { return Ok(false) };
        let Some(conversions) = text(function.format).and_then(|t| format::conversions(&t)) else {
            return Ok(false);
        };
        if let Some(wrong) = self.mismatch(name, &conversions, &arguments[function.format + 1..], site) {
            let message = self.lowering.symbol(&wrong);
            self.emit(Instr::Fail { kind: Failure::Arguments, message });
            let widths = self.lowering.widths(site.ty())?;
            self.define(site, widths.iter().map(|_| Operand::Undef).collect())?;
            return Ok(true);
        }
        if function.to_memory {
            return Ok(false);
        }
        self.use_stream_of(&arguments, function.stream)?;
        self.print(name, &conversions, &arguments[function.format + 1..])?;
        self.printed(name, site)?;
        Ok(true)
    }

    /// What is wrong with the arguments for these conversions.
    fn mismatch(
        &self,
        name: &str,
        conversions: &[Conversion],
        arguments: &[Value<'m>],
        site: Value<'m>,
    ) -> Option<String> {
        let fixed = site.arguments().len() - arguments.len();
        for (index, conversion) in conversions.iter().enumerate() {
            let Some(argument) = arguments.get(index) else {
                return Some(format!("{name} has no argument for {}", conversion.text));
            };
            let by_value = site.byval_argument((fixed + index) as u32).is_some();
            if by_value || !self.fits(conversion.kind, argument.ty()) {
                return Some(format!("argument {} of {name} is not one for {}", index + 1, conversion.text));
            }
        }
        None
    }

    /// Whether an argument of this type is where the conversion looks for it.
    /// The width of an integer matters only where it moves those behind it.
    fn fits(&self, kind: Kind, ty: Type<'m>) -> bool {
        let narrow = self.lowering.pointer_width == 32;
        let kept = |bits: u32, want: u32| !narrow || bits.max(32) == want;
        match (kind, ty.kind()) {
            (Kind::Integer(size), TypeKind::Int(bits)) => kept(bits, self.bits(size).max(32)),
            (Kind::Integer(size), TypeKind::Pointer) => kept(self.pointer_bits(), self.bits(size).max(32)),
            (Kind::Pointer, TypeKind::Int(bits)) => kept(bits, self.pointer_bits()),
            (Kind::Text(_) | Kind::Count(_), TypeKind::Int(bits)) => bits == self.pointer_bits(),
            (Kind::Text(_) | Kind::Count(_) | Kind::Pointer, TypeKind::Pointer) => true,
            (Kind::Float, TypeKind::Double) => true,
            (Kind::LongDouble, TypeKind::Extended) => true,
            _ => false,
        }
    }

    fn pointer_bits(&self) -> u32 {
        u32::from(self.lowering.pointer_width)
    }

    fn bits(&self, size: Size) -> u32 {
        match size {
            Size::Char => 8,
            Size::Short => 16,
            Size::Int => 32,
            Size::Long => self.pointer_bits(),
            Size::LongLong => 64,
        }
    }

    /// Reads what the conversions print.
    fn print(&mut self, name: &str, conversions: &[Conversion], arguments: &[Value<'m>]) -> What<()> {
        let mut before = Operand::Int(0);
        for (conversion, argument) in conversions.iter().zip(arguments) {
            let value = self.scalar(*argument)?;
            match conversion.kind {
                Kind::Text(most) => self.print_text(*argument, value, most, before),
                Kind::Count(size) => self.store_count(name, value, self.bits(size) as u8),
                _ => self.leaves(name, value, self.lowering.width(argument.ty())?),
            }
            before = value;
        }
        Ok(())
    }

    /// A value leaves the program: it should be initialised.
    pub(super) fn leaves(&mut self, name: &str, value: Operand, width: u8) {
        if matches!(value, Operand::Reg(_) | Operand::Undef) {
            let what = self.lowering.symbol(&format!("the output of {name}"));
            self.emit(Instr::Initialised { width, value, what });
        }
    }

    /// A negative precision is none, and so is a very large one.
    fn print_text(&mut self, argument: Value<'m>, value: Operand, most: Most, before: Operand) {
        if constant_text(argument).is_some() {
            return;
        }
        let width = self.lowering.pointer_width;
        let most = match most {
            Most::All => self.all(),
            Most::Bytes(bytes) => self.int(u128::from(bytes), width),
            Most::Given => self.pointer_wide(before, 32, true),
        };
        self.library_call("__tp_read_text", &[(value, width), (most, width)]);
    }

    /// `%n`: some number that is not negative.
    fn store_count(&mut self, name: &str, ptr: Operand, width: u8) {
        let dst = self.temp(width);
        let value = self.input(name, dst, width, Some(Operand::Int(0)), None);
        self.emit(Instr::Store { width, ptr, value, access: Access::default() });
    }

    fn use_stream_of(&mut self, arguments: &[Value<'m>], stream: Option<usize>) -> What<()> {
        let stream = stream.and_then(|index| arguments.get(index));
        stream.map_or(Ok(()), |stream| self.use_stream(*stream))
    }

    /// The stream that something is printed to must be one.
    pub(super) fn use_stream(&mut self, stream: Value<'m>) -> What<()> {
        if is_standard_stream(stream) {
            return Ok(());
        }
        let value = self.scalar(stream)?;
        self.use_stream_operand(value)
    }

    pub(super) fn use_stream_operand(&mut self, stream: Operand) -> What<()> {
        self.library_call("__tp_use_stream", &[(stream, self.lowering.pointer_width)]);
        Ok(())
    }

    /// Output of C++: to a stream, which is returned.
    pub(super) fn stream_output(&mut self, known: Known, call: &Call<'m>) -> What<Operands> {
        let width = self.lowering.pointer_width;
        let value = call.arg(1)?;
        match known {
            Known::StreamText => match call.values.get(1) {
                Some(argument) => self.print_text(*argument, value, Most::All, value),
                None => self.library_call("__tp_read_text", &[(value, width), (self.all(), width)]),
            },
            Known::StreamString => self.library_call("__tp_read_string", &[(value, width)]),
            Known::StreamBytes => {
                let length = call.arg(2)?;
                let length = self.pointer_wide(length, call.width(2), true);
                self.library_call("__tp_read_bytes", &[(value, width), (length, width)]);
            }
            _ => self.leaves("a stream", value, call.width(1)),
        }
        Ok(smallvec![call.arg(0)?])
    }

    /// The largest number of the width of a pointer.
    pub(super) fn all(&self) -> Operand {
        Operand::Int(u64::MAX >> (64 - self.lowering.pointer_width))
    }

    /// The result of an output function: how much was printed, or -1.
    fn printed(&mut self, name: &str, site: Value<'m>) -> What<()> {
        let widths = self.lowering.widths(site.ty())?;
        let unused = site.users().next().is_none();
        let [width @ 2..=64] = *widths.as_slice() else {
            return self.define(site, widths.iter().map(|_| Operand::Undef).collect());
        };
        if unused {
            return self.define(site, smallvec![Operand::Undef]);
        }
        let dst = self.dst(site, width);
        let low = self.int(u128::MAX, width);
        let value = self.input(name, dst, width, Some(low), None);
        self.define(site, smallvec![value])
    }

    /// Some number between these, both included and signed.
    pub(super) fn input(
        &mut self,
        name: &str,
        dst: Reg,
        width: u8,
        low: Option<Operand>,
        high: Option<Operand>,
    ) -> Operand {
        let origin = self.lowering.symbol(name);
        let value = Operand::Reg(dst);
        let bounds = [(Pred::Sge, low), (Pred::Sle, high)];
        if let (Some(Operand::Int(first)), Some(Operand::Int(last))) = (low, high) {
            let count = (last.wrapping_sub(first) & (u64::MAX >> (64 - width))).saturating_add(1);
            if count <= 64 {
                self.emit(Instr::Nondet { width, dst, domain: Domain::Range { first, count }, origin });
                return value;
            }
        }
        self.emit(Instr::Nondet { width, dst, domain: Domain::Full, origin });
        for (pred, bound) in bounds {
            let Some(rhs) = bound else { continue };
            let cond = self.temp(1);
            self.emit(Instr::Compare { pred, width, dst: cond, lhs: value, rhs });
            self.emit(Instr::Assume { cond: Operand::Reg(cond) });
        }
        value
    }

    /// Calls a function of the run-time library that yields nothing, if it was linked.
    pub(super) fn library_call(&mut self, name: &str, args: &[(Operand, u8)]) {
        let function = self.lowering.module.function(name);
        if let Some(function) = function.filter(|f| !f.is_declaration()) {
            let id = self.lowering.function_id(function);
            let args = args.iter().map(|(value, width)| Arg { value: *value, width: *width });
            self.emit_call(id, args.collect(), Vec::new());
        }
    }
}

/// The bytes of a constant text that a value points to, without the 0 at its end.
fn constant_text(value: Value<'_>) -> Option<Vec<u8>> {
    if value.kind() != ValueKind::Global || !value.is_constant() {
        return None;
    }
    let initial = value.initializer()?;
    if initial.kind() == ValueKind::Zero {
        return Some(Vec::new());
    }
    let mut bytes = initial.string_bytes()?;
    let end = bytes.iter().position(|b| *b == 0)?;
    bytes.truncate(end);
    Some(bytes)
}

/// Whether a value is what `stdout` or `stderr` holds.
fn is_standard_stream(value: Value<'_>) -> bool {
    value.opcode() == Some(Opcode::LLVMLoad)
        && value.operand(0).is_some_and(|from| {
            from.kind() == ValueKind::Global && matches!(from.name().as_str(), "stdout" | "stderr")
        })
}
