//! The text of one instruction.

use std::fmt::{self, Debug, Display, Formatter};

use super::{function_name, global_name, symbol};
use crate::domain::Domain;
use crate::instr::*;
use crate::program::{Function, Pc, Program};

/// One instruction of a function.
pub(super) struct InstrText<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub instr: &'a Instr,
}

impl Display for InstrText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut defs = Vec::new();
        self.instr.for_each_def(|reg, _| defs.push(self.reg(reg)));
        if !defs.is_empty() {
            write!(f, "{} = ", defs.join(", "))?;
        }
        f.write_str(&self.body())
    }
}

impl InstrText<'_> {
    fn body(&self) -> String {
        match self.instr {
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
            | Instr::MemSet { .. } => self.memory(),
            Instr::Call { .. }
            | Instr::Return { .. }
            | Instr::Jump { .. }
            | Instr::Branch { .. }
            | Instr::Switch { .. }
            | Instr::Unreachable
            | Instr::VaStart { .. }
            | Instr::Fail { .. }
            | Instr::Exit { .. }
            | Instr::ThreadExit { .. }
            | Instr::Unsupported { .. } => self.control(),
            _ => self.value(),
        }
    }

    /// Computations on registers, choices, and synchronisation.
    fn value(&self) -> String {
        match self.instr {
            Instr::Move { width, src, .. } => format!("move i{width} {}", self.int(src, *width)),
            Instr::Binary { op, width, no_signed_wrap, lhs, rhs, .. } => {
                let nsw = if *no_signed_wrap { " nsw" } else { "" };
                format!("{}{nsw} i{width} {}", lower(op), self.pair(lhs, rhs, *width))
            }
            Instr::Unary { op, width, src, .. } => {
                format!("{} i{width} {}", kebab(op), self.int(src, *width))
            }
            Instr::Overflows { op, signed, width, lhs, rhs, .. } => {
                let sign = if *signed { 's' } else { 'u' };
                format!("overflows {sign}{} i{width} {}", lower(op), self.pair(lhs, rhs, *width))
            }
            Instr::Compare { pred, width, lhs, rhs, .. } => {
                format!("{} i{width} {}", lower(pred), self.pair(lhs, rhs, *width))
            }
            Instr::Cast { op, from, to, src, .. } => {
                let (source, target) = cast_kinds(*op);
                let name = if source == 'i' && target == 'i' { lower(op) } else { kebab(op) };
                format!("{name} {source}{from} {} to {target}{to}", self.scalar(source, src, *from))
            }
            Instr::Select { width, cond, yes, no, .. } => {
                format!("select {} ? i{width} {}", self.int(cond, 1), self.choice(yes, no, *width))
            }
            Instr::FloatBinary { op, width, lhs, rhs, .. } => {
                format!("f{} f{width} {}", lower(op), self.float_pair(lhs, rhs, *width))
            }
            Instr::FloatUnary { op, width, src, .. } => {
                format!("f{} f{width} {}", lower(op), self.scalar('f', src, *width))
            }
            Instr::FloatCompare { pred, width, lhs, rhs, .. } => {
                format!("fcmp {} f{width} {}", lower(pred), self.float_pair(lhs, rhs, *width))
            }
            Instr::PtrAdd { base, index, scale, offset, .. } => self.ptr_add(base, index, *scale, *offset),
            Instr::Nondet { width, domain, origin, .. } => {
                format!("nondet i{width} {} ({})", domain_text(domain, *width), symbol(self.program, *origin))
            }
            Instr::Assume { cond } => format!("assume {}", self.int(cond, 1)),
            Instr::Initialised { width, value, what } => {
                format!("initialised i{width} {} ({})", self.int(value, *width), symbol(self.program, *what))
            }
            Instr::Sync { op, args, .. } => {
                let args: Vec<String> = args
                    .iter()
                    .enumerate()
                    .map(|(i, a)| self.int(a, self.width_or_pointer(op.operand_width(i))))
                    .collect();
                format!("{} {}", kebab(op), args.join(", ")).trim_end().to_owned()
            }
            other => kebab(other),
        }
    }

    fn memory(&self) -> String {
        match self.instr {
            Instr::Alloca { size, align, var, .. } => {
                let name = var.map_or(String::new(), |v| format!(" ({})", symbol(self.program, v.name)));
                format!("alloca {} align {align}{name}", self.ptr(size))
            }
            Instr::EndObject { ptr } => format!("end-object {}", self.ptr(ptr)),
            Instr::ScopeBegin { ptr } => format!("scope-begin {}", self.ptr(ptr)),
            Instr::ScopeEnd { ptr } => format!("scope-end {}", self.ptr(ptr)),
            Instr::StackRestore { mark } => format!("stack-restore {}", self.ptr(mark)),
            Instr::Malloc { size, align, zeroed, .. } => {
                let align = match align {
                    Operand::Int(1) => String::new(),
                    align => format!(" align {}", self.ptr(align)),
                };
                format!("malloc {}{align}{}", self.ptr(size), if *zeroed { " zeroed" } else { "" })
            }
            Instr::Free { ptr, size: Some(size), .. } => {
                format!("free {} of {}", self.ptr(ptr), self.ptr(size))
            }
            Instr::Free { ptr, heir: Operand::Int(0), .. } => format!("free {}", self.ptr(ptr)),
            Instr::Free { ptr, heir, .. } => format!("free {} for {}", self.ptr(ptr), self.ptr(heir)),
            Instr::ObjectSize { ptr, .. } => format!("object-size {}", self.ptr(ptr)),
            Instr::Load { width, ptr, access, .. } => {
                format!("load i{width} [{}]{}", self.ptr(ptr), access_text(access))
            }
            Instr::Store { width, ptr, value, access } => {
                let value = self.int(value, *width);
                format!("store i{width} [{}] = {value}{}", self.ptr(ptr), access_text(access))
            }
            Instr::AtomicRmw { op, width, ptr, value, order, .. } => {
                let value = self.int(value, *width);
                format!("rmw {} i{width} [{}], {value} {}", lower(op), self.ptr(ptr), kebab(order))
            }
            Instr::CompareExchange(cx) => self.compare_exchange(cx),
            Instr::Fence { order } => format!("fence {}", kebab(order)),
            Instr::MemCopy { dst, src, len, may_overlap } => {
                let name = if *may_overlap { "mem-move" } else { "mem-copy" };
                format!("{name} [{}] = [{}], {} bytes", self.ptr(dst), self.ptr(src), self.ptr(len))
            }
            Instr::MemSet { dst, byte, len } => {
                format!("mem-set [{}] = {}, {} bytes", self.ptr(dst), self.int(byte, 8), self.ptr(len))
            }
            other => kebab(other),
        }
    }

    fn control(&self) -> String {
        match self.instr {
            Instr::Call { callee, args, .. } => {
                let callee = match callee {
                    Callee::Direct(id) => function_name(self.program, *id),
                    Callee::Indirect(target) => format!("[{}]", self.ptr(target)),
                };
                format!("call {callee}({})", self.args(args))
            }
            Instr::Return { values } => format!("return {}", self.args(values)).trim_end().to_owned(),
            Instr::Jump { target } => format!("jump {target}"),
            Instr::Branch { cond, yes, no } => format!("branch {} ? {yes} : {no}", self.int(cond, 1)),
            Instr::Switch { width, value, cases, default } => self.switch(*width, value, cases, *default),
            Instr::VaStart { list } => format!("va-start {}", self.ptr(list)),
            Instr::Fail { kind, message } => {
                format!("fail {} {:?}", kebab(kind), symbol(self.program, *message))
            }
            Instr::Exit { code: None } => "abort".to_owned(),
            Instr::Exit { code: Some(code) } => format!("exit {}", self.int(code, 32)),
            Instr::ThreadExit { value } => format!("thread-exit {}", self.ptr(value)),
            Instr::Unsupported { what } => format!("unsupported {:?}", symbol(self.program, *what)),
            other => kebab(other),
        }
    }

    fn compare_exchange(&self, cx: &CompareExchange) -> String {
        format!(
            "compare-exchange{} i{} [{}], {} -> {} {}/{}",
            if cx.weak { " weak" } else { "" },
            cx.width,
            self.ptr(&cx.ptr),
            self.int(&cx.expected, cx.width),
            self.int(&cx.new, cx.width),
            kebab(&cx.success),
            kebab(&cx.failure)
        )
    }

    fn switch(&self, width: u8, value: &Operand, cases: &[(u64, Pc)], default: Pc) -> String {
        let cases: String =
            cases.iter().map(|(value, pc)| format!("{}: {pc}, ", int_text(*value, width))).collect();
        format!("switch i{width} {} {{ {cases}else: {default} }}", self.int(value, width))
    }

    fn ptr_add(&self, base: &Operand, index: &Operand, scale: i64, offset: i64) -> String {
        let mut text = format!("ptr {}", self.ptr(base));
        if *index != Operand::Int(0) && scale != 0 {
            text += &format!(" + {}*{scale}", self.ptr(index));
        }
        match offset {
            0 => text,
            1.. => text + &format!(" + {offset}"),
            _ => text + &format!(" - {}", offset.unsigned_abs()),
        }
    }

    fn args(&self, args: &[Arg]) -> String {
        let args: Vec<String> =
            args.iter().map(|a| format!("i{} {}", a.width, self.int(&a.value, a.width))).collect();
        args.join(", ")
    }

    fn pair(&self, lhs: &Operand, rhs: &Operand, width: u8) -> String {
        format!("{}, {}", self.int(lhs, width), self.int(rhs, width))
    }

    fn choice(&self, yes: &Operand, no: &Operand, width: u8) -> String {
        format!("{} : {}", self.int(yes, width), self.int(no, width))
    }

    fn float_pair(&self, lhs: &Operand, rhs: &Operand, width: u8) -> String {
        format!("{}, {}", self.scalar('f', lhs, width), self.scalar('f', rhs, width))
    }

    /// An operand of integer (`i`) or float (`f`) type.
    fn scalar(&self, kind: char, operand: &Operand, width: u8) -> String {
        match (kind, operand) {
            ('f', Operand::Int(bits)) if width == 32 => format!("{:?}", f32::from_bits(*bits as u32)),
            ('f', Operand::Int(bits)) => format!("{:?}", f64::from_bits(*bits)),
            _ => self.int(operand, width),
        }
    }

    fn ptr(&self, operand: &Operand) -> String {
        self.int(operand, self.program.pointer_width)
    }

    fn int(&self, operand: &Operand, width: u8) -> String {
        match operand {
            Operand::Reg(reg) => self.reg(*reg),
            Operand::Int(value) => int_text(*value, width),
            Operand::WideInt(value) => value.to_string(),
            Operand::Global(id, 0) => global_name(self.program, *id),
            Operand::Global(id, offset) => format!("{}{offset:+}", global_name(self.program, *id)),
            Operand::Function(id) => format!("&{}", function_name(self.program, *id)),
            Operand::Undef => "undef".to_owned(),
        }
    }

    fn reg(&self, reg: Reg) -> String {
        reg_text(self.program, self.function, reg)
    }

    fn width_or_pointer(&self, width: u8) -> u8 {
        if width == 0 { self.program.pointer_width } else { width }
    }
}

/// `%3`, or `%3:i` where the slot holds the source variable `i`.
pub(super) fn reg_text(program: &Program, function: &Function, reg: Reg) -> String {
    match function.slots.get(reg.0 as usize).and_then(|slot| slot.name) {
        Some(name) => format!("%{}:{}", reg.0, symbol(program, name)),
        None => format!("%{}", reg.0),
    }
}

/// A constant: signed where that is the shorter reading, hexadecimal where
/// neither reading says much.
fn int_text(value: u64, width: u8) -> String {
    const SMALL: u64 = 1 << 20;
    let unused = 64 - u32::from(width.clamp(1, 64));
    let signed = ((value << unused) as i64) >> unused;
    if value < SMALL {
        value.to_string()
    } else if signed < 0 && signed.unsigned_abs() <= SMALL {
        signed.to_string()
    } else {
        format!("{value:#x}")
    }
}

fn domain_text(domain: &Domain, width: u8) -> String {
    match domain {
        Domain::Full => "any".to_owned(),
        Domain::Range { first, count } => {
            let last = domain.value(count.saturating_sub(1), width);
            format!("{}..={}", int_text(*first, width), int_text(last, width))
        }
        Domain::Classes(values) => {
            let values: Vec<String> = values.iter().map(|v| int_text(*v, width)).collect();
            format!("{{{}}}", values.join(", "))
        }
    }
}

fn access_text(access: &Access) -> String {
    let volatile = if access.volatile { " volatile" } else { "" };
    let order = access.order.map_or(String::new(), |o| format!(" {}", kebab(&o)));
    format!("{volatile}{order}")
}

/// Whether a conversion's source and result are integers (`i`) or floats (`f`).
fn cast_kinds(op: CastOp) -> (char, char) {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt => ('i', 'i'),
        CastOp::FloatToSigned | CastOp::FloatToUnsigned => ('f', 'i'),
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => ('i', 'f'),
        CastOp::FloatToFloat => ('f', 'f'),
    }
}

fn lower(name: &impl Debug) -> String {
    format!("{name:?}").to_lowercase()
}

/// `MutexLock` as `mutex-lock`.
fn kebab(name: &impl Debug) -> String {
    let mut text = String::new();
    for c in format!("{name:?}").chars().take_while(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
