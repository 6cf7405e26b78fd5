//! Inline assembly: barriers, and the `lock`-prefixed operations that
//! programs write by hand. Anything that is not recognised is an error.
//!
//! LLVM keeps the text (`lock; xaddl $0, $1`) and a list of constraints
//! (`=r,=*m,0,*m,~{memory}`): outputs, then inputs, then what is clobbered.
//! `$n` in the text is the n-th of the list. An output in a register is a
//! result of the call; everything else, also the address of an output in
//! memory (`=*m`), is an argument. `$$` is a dollar sign.

use ir::{Access, BinOp, CompareExchange, Domain, Instr, Operand, Order, Pred, RmwOp};

use super::What;
use super::body::{Body, Operands, zero};
use crate::llvm::Value;

/// Where an operand of the assembly comes from or goes to.
#[derive(Clone, Debug)]
enum Place {
    /// A result of the call, in a register.
    Result(usize),
    /// Memory: the argument is its address.
    Memory(usize),
    /// An argument, by value; it may share its register with an output.
    Argument(usize, Option<usize>),
}

/// The operands of one inline assembly.
struct Assembly<'m> {
    places: Vec<Place>,
    arguments: Vec<Value<'m>>,
    /// What each result is, as far as the instructions so far say.
    results: Vec<Option<Operand>>,
    /// The last value computed, for `sete` and the like, with its width.
    flags: Option<(Operand, u8)>,
    widths: Vec<u8>,
}

impl<'m> Body<'_, 'm> {
    pub(super) fn assembly(&mut self, site: Value<'m>, assembly: Value<'m>) -> What<()> {
        let (code, constraints) = assembly.assembly().ok_or("inline assembly")?;
        let refuse = || format!("the inline assembly \"{}\" ({constraints})", code.trim());
        let widths = self.lowering.widths(site.ty())?;
        let places = places(&constraints).ok_or_else(refuse)?;
        let results = vec![None; widths.len()];
        let mut asm = Assembly { places, arguments: site.arguments(), results, flags: None, widths };
        for line in instructions(&code) {
            if !self.asm_instruction(&line, &mut asm)? {
                return Err(refuse());
            }
        }
        let results = self.asm_results(&asm)?;
        self.copy(site, results)
    }

    /// Outputs that no instruction wrote keep what was put in.
    fn asm_results(&mut self, asm: &Assembly<'m>) -> What<Operands> {
        let mut results = Operands::new();
        for index in 0..asm.results.len() {
            let operand = match asm.results[index] {
                Some(operand) => operand,
                None => self.asm_input(asm, index)?.map_or(Operand::Undef, |(operand, _)| operand),
            };
            results.push(operand);
        }
        Ok(results)
    }

    /// The value put into the register of a result, and its width.
    fn asm_input(&mut self, asm: &Assembly<'m>, result: usize) -> What<Option<(Operand, u8)>> {
        let output = asm.places.iter().position(|p| matches!(p, Place::Result(r) if *r == result));
        let tied = asm.places.iter().find_map(|p| match p {
            Place::Argument(index, tied) if tied.is_some() && *tied == output => Some(*index),
            _ => None,
        });
        match tied.and_then(|index| asm.arguments.get(index)) {
            Some(value) => Ok(Some((self.scalar(*value)?, self.lowering.width(value.ty())?))),
            None => Ok(None),
        }
    }

    /// Emits one instruction; false if it is not recognised.
    fn asm_instruction(&mut self, line: &Line, asm: &mut Assembly<'m>) -> What<bool> {
        match line.name.as_str() {
            "nop" => {}
            "mfence" | "lfence" | "sfence" => self.emit(Instr::Fence { order: Order::SeqCst }),
            "pause" => self.emit(Instr::Yield),
            "ud2" | "hlt" | "int3" => self.emit(Instr::Exit { code: None }),
            _ if line.is_stack_fence() => self.emit(Instr::Fence { order: Order::SeqCst }),
            _ => return self.asm_operation(line, asm),
        }
        Ok(true)
    }

    fn asm_operation(&mut self, line: &Line, asm: &mut Assembly<'m>) -> What<bool> {
        let (name, suffix) = split_suffix(&line.name);
        let operands = line.operands.as_slice();
        match (name, operands) {
            ("xadd", [from, to]) => self.asm_exchange(RmwOp::Add, from, to, suffix, asm),
            ("xchg", [from, to]) => {
                let memory_first = asm.address(from).is_some();
                let (from, to) = if memory_first { (to, from) } else { (from, to) };
                self.asm_exchange(RmwOp::Xchg, from, to, suffix, asm)
            }
            ("cmpxchg", [new, to]) => self.asm_compare_exchange(new, to, suffix, asm),
            ("inc" | "dec", [to]) => {
                let op = if name == "inc" { RmwOp::Add } else { RmwOp::Sub };
                self.asm_modify(op, None, to, suffix, line.lock, asm)
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, to]) => {
                let op = match name {
                    "add" => RmwOp::Add,
                    "sub" => RmwOp::Sub,
                    "and" => RmwOp::And,
                    "or" => RmwOp::Or,
                    _ => RmwOp::Xor,
                };
                self.asm_modify(op, Some(from), to, suffix, line.lock, asm)
            }
            ("mov", [from, to]) => self.asm_move(from, to, suffix, asm),
            ("sete" | "setz" | "setne" | "setnz" | "sets", [to]) => self.asm_set(name, to, asm),
            ("in", [_, to]) => Ok(self.asm_port(to, asm)),
            ("out", [_, _]) => Ok(true),
            _ => Ok(false),
        }
    }

    /// The width an instruction works on: its suffix's, or its register operand's.
    fn asm_width(&self, suffix: Option<u8>, operand: Option<&str>, asm: &Assembly<'m>) -> Option<u8> {
        let declared = || match asm.place(operand?)? {
            Place::Result(index) => asm.widths.get(*index).copied(),
            Place::Argument(index, _) => self.lowering.width(asm.arguments.get(*index)?.ty()).ok(),
            Place::Memory(_) => None,
        };
        suffix.or_else(declared)
    }

    fn asm_address(&mut self, text: &str, asm: &Assembly<'m>) -> What<Option<Operand>> {
        match asm.address(text) {
            Some(value) => Ok(Some(self.scalar(value)?)),
            None => Ok(None),
        }
    }

    /// What an operand holds before the instruction, in `width` bits.
    fn asm_value(&mut self, text: &str, width: u8, asm: &Assembly<'m>) -> What<Option<Operand>> {
        if let Some(number) = immediate(text) {
            return Ok(Some(self.int(number as u128, width)));
        }
        let (operand, from) = match asm.place(text) {
            Some(Place::Argument(index, _)) => {
                let Some(value) = asm.arguments.get(*index).copied() else { return Ok(None) };
                (self.scalar(value)?, self.lowering.width(value.ty())?)
            }
            Some(Place::Result(index)) => match (asm.results[*index], self.asm_input(asm, *index)?) {
                (Some(operand), _) => (operand, asm.widths[*index]),
                (None, Some(input)) => input,
                (None, None) => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(self.resize(operand, from, width, true)))
    }

    fn asm_set_result(&mut self, index: usize, value: Operand, from: u8, asm: &mut Assembly<'m>) {
        let width = asm.widths[index];
        asm.results[index] = Some(self.resize(value, from, width, false));
    }

    /// `xadd` and `xchg`: the register gets the old value.
    fn asm_exchange(
        &mut self,
        op: RmwOp,
        from: &str,
        to: &str,
        suffix: Option<u8>,
        asm: &mut Assembly<'m>,
    ) -> What<bool> {
        let Some(Place::Result(index)) = asm.place(from).cloned() else { return Ok(false) };
        let Some(width) = self.asm_width(suffix, Some(from), asm) else { return Ok(false) };
        let Some(ptr) = self.asm_address(to, asm)? else { return Ok(false) };
        let Some(value) = self.asm_value(from, width, asm)? else { return Ok(false) };
        let dst = self.temp(width);
        self.emit(Instr::AtomicRmw { op, width, dst, ptr, value, order: Order::SeqCst });
        self.asm_set_result(index, Operand::Reg(dst), width, asm);
        Ok(true)
    }

    /// `cmpxchg`: the accumulator is compared, and gets the old value.
    fn asm_compare_exchange(
        &mut self,
        new: &str,
        to: &str,
        suffix: Option<u8>,
        asm: &mut Assembly<'m>,
    ) -> What<bool> {
        let Some(width) = self.asm_width(suffix, Some(new), asm) else { return Ok(false) };
        // The accumulator is the one result; with more it is not clear which.
        let results = asm.places.iter().filter(|p| matches!(p, Place::Result(_))).count();
        if results != 1 || asm.widths.len() != 1 {
            return Ok(false);
        }
        let Some((expected, from)) = self.asm_input(asm, 0)? else { return Ok(false) };
        let expected = self.resize(expected, from, width, false);
        let Some(ptr) = self.asm_address(to, asm)? else { return Ok(false) };
        let Some(new) = self.asm_value(new, width, asm)? else { return Ok(false) };
        let (old, ok) = (self.temp(width), self.temp(1));
        let (success, failure) = (Order::SeqCst, Order::SeqCst);
        let operands = CompareExchange { width, old, ok, ptr, expected, new, success, failure, weak: false };
        self.emit(Instr::CompareExchange(Box::new(operands)));
        self.asm_set_result(0, Operand::Reg(old), width, asm);
        Ok(true)
    }

    /// `inc`, `add` and so on, on memory; without `lock` they are three steps.
    fn asm_modify(
        &mut self,
        op: RmwOp,
        from: Option<&str>,
        to: &str,
        suffix: Option<u8>,
        lock: bool,
        asm: &mut Assembly<'m>,
    ) -> What<bool> {
        let Some(width) = self.asm_width(suffix, from, asm) else { return Ok(false) };
        let Some(ptr) = self.asm_address(to, asm)? else { return Ok(false) };
        let value = match from {
            None => Some(self.int(1, width)),
            Some(from) => self.asm_value(from, width, asm)?,
        };
        let Some(value) = value else { return Ok(false) };
        let (old, new) = (self.temp(width), self.temp(width));
        let binary = match op {
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            _ => BinOp::Xor,
        };
        if lock {
            self.emit(Instr::AtomicRmw { op, width, dst: old, ptr, value, order: Order::SeqCst });
            self.binary(binary, width, new, Operand::Reg(old), value);
        } else {
            let access = Access { order: None, volatile: true };
            self.emit(Instr::Load { width, dst: old, ptr, access });
            self.binary(binary, width, new, Operand::Reg(old), value);
            self.emit(Instr::Store { width, ptr, value: Operand::Reg(new), access });
        }
        asm.flags = Some((Operand::Reg(new), width));
        Ok(true)
    }

    fn asm_move(&mut self, from: &str, to: &str, suffix: Option<u8>, asm: &mut Assembly<'m>) -> What<bool> {
        let access = Access { order: None, volatile: true };
        let width = self.asm_width(suffix, Some(to), asm).or(self.asm_width(None, Some(from), asm));
        let Some(width) = width else { return Ok(false) };
        let value = match self.asm_address(from, asm)? {
            Some(ptr) => {
                let dst = self.temp(width);
                self.emit(Instr::Load { width, dst, ptr, access });
                Operand::Reg(dst)
            }
            None => match self.asm_value(from, width, asm)? {
                Some(value) => value,
                None => return Ok(false),
            },
        };
        if let Some(ptr) = self.asm_address(to, asm)? {
            self.emit(Instr::Store { width, ptr, value, access });
            return Ok(true);
        }
        let Some(Place::Result(index)) = asm.place(to).cloned() else { return Ok(false) };
        self.asm_set_result(index, value, width, asm);
        Ok(true)
    }

    /// `sete` and the like, after an operation that set the flags.
    fn asm_set(&mut self, name: &str, to: &str, asm: &mut Assembly<'m>) -> What<bool> {
        let Some((value, width)) = asm.flags else { return Ok(false) };
        let pred = match name {
            "sete" | "setz" => Pred::Eq,
            "sets" => Pred::Slt,
            _ => Pred::Ne,
        };
        let dst = self.temp(1);
        self.emit(Instr::Compare { pred, width, dst, lhs: value, rhs: zero(width) });
        if let Some(ptr) = self.asm_address(to, asm)? {
            let value = self.resize(Operand::Reg(dst), 1, 8, false);
            self.emit(Instr::Store { width: 8, ptr, value, access: Access::default() });
            return Ok(true);
        }
        let Some(Place::Result(index)) = asm.place(to).cloned() else { return Ok(false) };
        self.asm_set_result(index, Operand::Reg(dst), 1, asm);
        Ok(true)
    }

    /// A device can answer anything.
    fn asm_port(&mut self, to: &str, asm: &mut Assembly<'m>) -> bool {
        let Some(Place::Result(index)) = asm.place(to).cloned() else { return false };
        let origin = self.lowering.symbol("in");
        let width = asm.widths[index];
        let dst = self.temp(width);
        self.emit(Instr::Nondet { width, dst, domain: Domain::Full, origin });
        asm.results[index] = Some(Operand::Reg(dst));
        true
    }
}

impl<'m> Assembly<'m> {
    /// What `$n` or `${n:q}` names.
    fn place(&self, text: &str) -> Option<&Place> {
        let name = text.strip_prefix('$')?;
        let name = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
        let number = name.split(':').next()?;
        self.places.get(number.parse::<usize>().ok()?)
    }

    /// The address of an operand in memory.
    fn address(&self, text: &str) -> Option<Value<'m>> {
        // "($1)" is the memory that an argument points to.
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            return match self.place(inner)? {
                Place::Argument(index, None) => self.arguments.get(*index).copied(),
                _ => None,
            };
        }
        match self.place(text)? {
            Place::Memory(index) => self.arguments.get(*index).copied(),
            _ => None,
        }
    }
}

/// The operands that a constraint list describes; `None` if it is an unusual one.
fn places(constraints: &str) -> Option<Vec<Place>> {
    let (mut results, mut arguments) = (0, 0);
    let mut places = Vec::new();
    for constraint in constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with("~{")) {
        let mut next_argument = || {
            arguments += 1;
            arguments - 1
        };
        places.push(match constraint.strip_prefix('=') {
            Some(output) if output.trim_start_matches('&').starts_with('*') => Place::Memory(next_argument()),
            Some(_) => {
                results += 1;
                Place::Result(results - 1)
            }
            None if constraint.starts_with('!') || constraint.starts_with('+') => return None,
            None if constraint.starts_with('*') => Place::Memory(next_argument()),
            None => Place::Argument(next_argument(), constraint.parse().ok()),
        });
    }
    Some(places)
}

/// One instruction of an assembly text.
struct Line {
    lock: bool,
    name: String,
    operands: Vec<String>,
}

impl Line {
    /// `lock addl $0, 0(%esp)`: a fence by way of the stack.
    fn is_stack_fence(&self) -> bool {
        let on_stack = self.operands.last().is_some_and(|o| o.ends_with("(%esp)") || o.ends_with("(%rsp)"));
        let nothing = self.operands.first().and_then(|o| immediate(o)) == Some(0);
        self.lock && on_stack && nothing && matches!(split_suffix(&self.name).0, "add" | "or")
    }
}

/// The instructions of an assembly text; directives and labels are left out
/// together with what they describe (`.pushsection` to `.popsection`).
fn instructions(code: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut lock = false;
    let mut elsewhere = false;
    for text in code.split(['\n', ';']) {
        let text = text.split('#').next().unwrap_or_default().trim().to_lowercase();
        elsewhere |= text.starts_with(".pushsection") || text.starts_with(".section");
        let back = text.starts_with(".popsection") || text.starts_with(".previous");
        if elsewhere || back {
            elsewhere &= !back;
            continue;
        }
        let text = without_label(&text);
        let mut words = text.splitn(2, char::is_whitespace);
        let mut name = words.next().unwrap_or_default().to_owned();
        let mut rest = words.next().unwrap_or_default().trim().to_owned();
        if name == "lock" {
            lock = true;
            let mut words = rest.splitn(2, char::is_whitespace);
            let (first, others) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            (name, rest) = (first.to_owned(), others.trim().to_owned());
        }
        if name == "rep" && (rest.is_empty() || rest == "nop") {
            (name, rest) = ("pause".to_owned(), String::new());
        }
        if name.is_empty() {
            continue;
        }
        let operands = rest.split(',').map(|o| o.trim().to_owned()).filter(|o| !o.is_empty()).collect();
        found.push(Line { lock: std::mem::take(&mut lock), name, operands });
    }
    // "rep; nop" is two lines for one pause.
    if let [.., first, second] = found.as_slice()
        && first.name == "pause"
        && second.name == "nop"
    {
        found.pop();
    }
    found
}

fn without_label(text: &str) -> &str {
    match text.split_once(':') {
        Some((label, rest))
            if !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '.') =>
        {
            rest.trim()
        }
        _ => text,
    }
}

/// `$$5` or `$$0x10`.
fn immediate(text: &str) -> Option<i64> {
    let number = text.strip_prefix("$$")?;
    match number.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    }
}

/// `addl` is `add` on 32 bits. Names without a suffix are left alone.
fn split_suffix(name: &str) -> (&str, Option<u8>) {
    const NAMES: [&str; 12] =
        ["xadd", "xchg", "cmpxchg", "inc", "dec", "add", "sub", "and", "or", "xor", "mov", "in"];
    for (suffix, width) in [("b", 8), ("w", 16), ("l", 32), ("q", 64)] {
        if let Some(stem) = name.strip_suffix(suffix)
            && (NAMES.contains(&stem) || stem == "out")
        {
            return (stem, Some(width));
        }
    }
    (name, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_split() {
        let lines = instructions("lock; addl $$0,0(%esp)\n\tmfence # all\n 1: nop");
        let names: Vec<_> = lines.iter().map(|l| (l.lock, l.name.as_str(), l.operands.len())).collect();
        assert_eq!(names, [(true, "addl", 2), (false, "mfence", 0), (false, "nop", 0)]);
        assert!(lines[0].is_stack_fence());
    }

    #[test]
    fn suffixes_are_split() {
        assert_eq!(split_suffix("xaddl"), ("xadd", Some(32)));
        assert_eq!(split_suffix("sub"), ("sub", None));
        assert_eq!(split_suffix("add"), ("add", None));
    }

    #[test]
    fn constraints_are_read() {
        let read = places("=r,=*m,0,*m,~{memory},~{flags}").expect("usual constraints");
        assert!(matches!(
            read.as_slice(),
            [Place::Result(0), Place::Memory(0), Place::Argument(1, Some(0)), Place::Memory(2)]
        ));
    }
}
