//! Inline assembly: barriers, and the operations on memory that programs write
//! by hand. What is not recognised makes the verdict unknown where it is reached.
//!
//! - `text`: the instructions of an assembly text;
//! - `operands`: its operands, and the registers that they are in;
//! - `arithmetic`: instructions that compute, and the flags;
//! - `exchange`: instructions that exchange a register and memory.

mod arithmetic;
mod exchange;
mod operands;
mod text;

use ir::{Domain, Instr, Operand, Order};

use self::operands::{Assembly, Spot};
use self::text::{Line, instructions, split_suffix};
use super::What;
use super::body::Body;
use crate::llvm::Value;

impl<'m> Body<'_, 'm> {
    pub(super) fn assembly(&mut self, site: Value<'m>, assembly: Value<'m>) -> What<()> {
        let (code, constraints) = assembly.assembly().ok_or("inline assembly")?;
        let refuse = || format!("the inline assembly \"{}\" ({constraints})", code.trim());
        let mut asm = self.asm_operands(&constraints, site)?.ok_or_else(refuse)?;
        for line in instructions(&code) {
            self.asm_instruction(&line, &mut asm).ok_or_else(refuse)?;
        }
        let results = self.asm_results(&asm, site)?.ok_or_else(refuse)?;
        self.copy(site, results)
    }

    /// Emits one instruction; `None` if it is not recognised.
    fn asm_instruction(&mut self, line: &Line, asm: &mut Assembly) -> Option<()> {
        match line.name.as_str() {
            "nop" => {}
            "mfence" => self.emit(Instr::Fence { order: Order::SeqCst }),
            "lfence" => self.emit(Instr::Fence { order: Order::Acquire }),
            "sfence" => self.emit(Instr::Fence { order: Order::Release }),
            "pause" => self.emit(Instr::Yield),
            "ud2" | "hlt" | "int3" => self.emit(Instr::Exit { code: None }),
            "rdtsc" | "rdtscp" => {
                self.asm_cycles(asm);
                if line.name == "rdtscp" {
                    self.asm_anything("rdtscp", "cx", asm);
                }
            }
            "cpuid" => ["ax", "bx", "cx", "dx"].iter().for_each(|name| self.asm_anything("cpuid", name, asm)),
            _ if line.is_stack_fence() => self.emit(Instr::Fence { order: Order::SeqCst }),
            _ => return self.asm_operation(line, asm),
        }
        Some(())
    }

    /// Instructions with operands.
    fn asm_operation(&mut self, line: &Line, asm: &mut Assembly) -> Option<()> {
        let (name, suffix) = split_suffix(&line.name);
        let mut spots = Vec::new();
        if !matches!(name, "out") {
            for operand in &line.operands {
                spots.push(self.asm_spot(operand, asm)?);
            }
        }
        let same = matches!(line.operands.as_slice(), [a, b] if a == b);
        match (name, spots.as_slice()) {
            ("xadd", [from, to]) => self.asm_exchange_add(*from, *to, suffix, line.lock, asm),
            ("xchg", [from, to]) => self.asm_exchange(*from, *to, suffix, asm),
            ("cmpxchg", [new, to]) => self.asm_compare_exchange(*new, *to, suffix, line.lock, asm),
            ("cmpxchg8b", [to]) => self.asm_compare_exchange_pair(*to, 32, line.lock, asm),
            ("cmpxchg16b", [to]) => self.asm_compare_exchange_pair(*to, 64, line.lock, asm),
            ("bt" | "bts" | "btr" | "btc", [bit, to]) => {
                self.asm_bit(name, *bit, *to, suffix, line.lock, asm)
            }
            ("xor" | "sub", [_, to]) if same && !line.lock => self.asm_clear(*to, suffix, asm),
            ("sbb", [_, to]) if same && !line.lock => self.asm_spread_carry(*to, suffix, asm),
            ("inc" | "dec", [to]) => self.asm_modify(name, None, *to, suffix, line.lock, asm),
            ("add" | "sub" | "and" | "or" | "xor" | "shl" | "sal" | "shr", [from, to]) => {
                self.asm_modify(name, Some(*from), *to, suffix, line.lock, asm)
            }
            _ if line.lock => None,
            ("mov", [from, to]) => self.asm_move(*from, *to, suffix, asm),
            ("movzbl", [from, to]) => self.asm_move_extended(*from, 8, *to, 32, asm),
            ("movzbq", [from, to]) => self.asm_move_extended(*from, 8, *to, 64, asm),
            ("movzwl", [from, to]) => self.asm_move_extended(*from, 16, *to, 32, asm),
            ("in", [_, to]) => self.asm_port(*to, suffix, asm),
            ("out", _) => Some(()),
            (_, [to]) => {
                let condition = self.asm_condition(name.strip_prefix("set")?, asm)?;
                let byte = self.resize(condition, 1, 8, false);
                self.asm_write(*to, byte, 8, asm).then_some(())
            }
            _ => None,
        }
    }

    fn asm_move(&mut self, from: Spot, to: Spot, suffix: Option<u8>, asm: &mut Assembly) -> Option<()> {
        let width = suffix.or(to.width()).or(from.width())?;
        self.asm_move_extended(from, width, to, width, asm)
    }

    /// Moves a value and puts zeros above it.
    fn asm_move_extended(
        &mut self,
        from: Spot,
        narrow: u8,
        to: Spot,
        wide: u8,
        asm: &mut Assembly,
    ) -> Option<()> {
        let value = self.asm_read(from, narrow, asm)?;
        let value = self.resize(value, narrow, wide, false);
        self.asm_write(to, value, wide, asm).then_some(())
    }

    /// A device can answer anything.
    fn asm_port(&mut self, to: Spot, suffix: Option<u8>, asm: &mut Assembly) -> Option<()> {
        let width = suffix.or(to.width())?;
        let value = self.asm_nondet("in", width);
        self.asm_write(to, value, width, asm).then_some(())
    }

    /// A register gets any value of 32 bits.
    fn asm_anything(&mut self, origin: &str, register: &'static str, asm: &mut Assembly) {
        let value = self.asm_nondet(origin, 32);
        let cell = asm.cell(register);
        self.asm_write(Spot::Cell(cell, 32), value, 32, asm);
    }

    fn asm_nondet(&mut self, origin: &str, width: u8) -> Operand {
        let origin = self.lowering.symbol(origin);
        let dst = self.temp(width);
        self.emit(Instr::Nondet { width, dst, domain: Domain::Full, origin });
        Operand::Reg(dst)
    }

    /// The processor's counter of cycles, its low half in one register and its high half in another.
    fn asm_cycles(&mut self, asm: &mut Assembly) {
        let cycles = self.cycles();
        for (half, name) in self.split(cycles, 64, &[32, 32]).into_iter().zip(["ax", "dx"]) {
            let cell = asm.cell(name);
            self.asm_write(Spot::Cell(cell, 32), half, 32, asm);
        }
    }

    /// The processor's counter of cycles, which only grows.
    pub(super) fn cycles(&mut self) -> Operand {
        let dst = self.temp(64);
        let function = self.lowering.module.function("__tp_cycles");
        if let Some(function) = function.filter(|f| !f.is_declaration()) {
            let id = self.lowering.function_id(function);
            self.emit_call(id, Vec::new(), vec![dst]);
        }
        Operand::Reg(dst)
    }
}
