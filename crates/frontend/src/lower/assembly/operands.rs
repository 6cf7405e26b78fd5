//! The operands of an inline assembly, from its list of constraints, and how
//! instructions read and write them.
//!
//! The list (`=r,=*m,0,*m,~{memory}`) has outputs, then inputs, then what is
//! clobbered. `$n` in the text is the n-th of the list. An output in a
//! register is a result of the call; everything else, also the address of an
//! output in memory (`=*m`), is an argument. `$$` is a dollar sign.

use ir::{Access, BinOp, CastOp, Instr, Operand, Order};

use super::text::{immediate, register};
use crate::llvm::{Opcode, Value};
use crate::lower::What;
use crate::lower::body::{Body, Operands};

/// How an instruction without `lock` loads from memory or stores to it. What
/// the language says about races does not hold for assembly, so the
/// processor's rules count: an access of up to a word is atomic, it loads with
/// acquire and stores with release.
pub(super) fn plain(order: Order, width: u8, word: u8) -> Access {
    Access { order: (width <= word).then_some(order), volatile: true }
}

/// A register of the processor while the assembly runs.
struct Cell {
    /// Its name, if the assembly says which one it is.
    name: Option<&'static str>,
    /// Whether it is a general register, as far as is known.
    general: bool,
    width: u8,
    /// What it holds, unless that is anything.
    value: Option<Operand>,
}

/// What `$n` stands for.
#[derive(Clone, Copy)]
enum Place {
    Cell(usize),
    /// Memory at this address.
    Memory(Operand),
    /// Nothing that an instruction can name.
    Unnamed,
}

/// Where a result of the call comes from.
#[derive(Clone)]
enum Output {
    Cell(usize),
    /// The low and the high half.
    Pair(usize, usize),
    /// A condition of the flags, by the letters of its code.
    Flag(String),
}

/// The flags that are known, each one bit.
#[derive(Clone, Copy, Default)]
pub struct Flags {
    /// The result is zero.
    pub zero: Option<Operand>,
    /// The result is negative.
    pub sign: Option<Operand>,
    /// There was a carry.
    pub carry: Option<Operand>,
}

/// The operands of one inline assembly and the state of the processor.
pub struct Assembly {
    places: Vec<Place>,
    cells: Vec<Cell>,
    outputs: Vec<Output>,
    word: u8,
    pub(super) flags: Flags,
}

/// An operand of an instruction.
#[derive(Clone, Copy)]
pub enum Spot {
    /// A constant.
    Immediate(i64),
    /// A register, of which so many bits are meant.
    Cell(usize, u8),
    /// Memory.
    Memory(Operand),
}

impl Spot {
    /// The bits that the operand itself has.
    pub fn width(self) -> Option<u8> {
        match self {
            Spot::Cell(_, width) => Some(width),
            _ => None,
        }
    }
}

impl Assembly {
    /// The cell of a named register; one that no constraint mentions holds anything.
    pub fn cell(&mut self, name: &'static str) -> usize {
        match self.cells.iter().position(|cell| cell.name == Some(name)) {
            Some(cell) => cell,
            None => self.new_cell(Fixed { name: Some(name), general: true }, self.word),
        }
    }

    fn new_cell(&mut self, Fixed { name, general }: Fixed, width: u8) -> usize {
        self.cells.push(Cell { name, general, width, value: None });
        self.cells.len() - 1
    }

    /// An output that is a result of the call.
    fn output(&mut self, constraint: &str, width: u8) -> (Output, Place) {
        if let Some(code) = constraint.strip_prefix("{@cc").and_then(|c| c.strip_suffix('}')) {
            return (Output::Flag(code.to_owned()), Place::Unnamed);
        }
        if constraint == "A" && self.word == 32 && width == 64 {
            let (low, high) = (self.cell("ax"), self.cell("dx"));
            return (Output::Pair(low, high), Place::Unnamed);
        }
        let cell = self.new_cell(fixed(constraint), width);
        (Output::Cell(cell), Place::Cell(cell))
    }
}

/// What a constraint says about the register.
struct Fixed {
    name: Option<&'static str>,
    general: bool,
}

/// The register that a constraint demands, if it demands one. Constraints that
/// allow something else than general registers and constants are fine as long
/// as no instruction names the operand.
fn fixed(constraint: &str) -> Fixed {
    if let Some(name) = constraint.strip_prefix('{').and_then(|c| c.strip_suffix('}')) {
        let name = register(name).map(|(name, _)| name);
        return Fixed { name, general: name.is_some() };
    }
    let usual = |letter| "rqRlQgmoiInJKLMNOeZs&%".contains(letter);
    Fixed { name: None, general: constraint.chars().all(usual) }
}

/// The result of something that may not be recognised.
pub type Recognised<T> = What<Option<T>>;

impl<'m> Body<'_, 'm> {
    /// The operands that a list of constraints describes; `None` if it is an unusual one.
    pub(super) fn asm_operands(&mut self, constraints: &str, site: Value<'m>) -> Recognised<Assembly> {
        let word = self.lowering.pointer_width;
        let mut asm = Assembly {
            places: Vec::new(),
            cells: Vec::new(),
            outputs: Vec::new(),
            word,
            flags: Flags::default(),
        };
        let mut widths = self.lowering.widths(site.ty())?.into_iter();
        let mut arguments = site.arguments().into_iter();
        for constraint in constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with("~{")) {
            if constraint.starts_with(['!', '+']) {
                return Ok(None);
            }
            let (is_output, rest) = match constraint.strip_prefix('=') {
                Some(rest) => (true, rest.trim_start_matches('&')),
                None => (false, constraint),
            };
            let place = if rest.starts_with('*') {
                let Some(address) = arguments.next() else { return Ok(None) };
                Some(Place::Memory(self.scalar(address)?))
            } else if is_output {
                widths.next().map(|width| {
                    let (output, place) = asm.output(rest, width);
                    asm.outputs.push(output);
                    place
                })
            } else {
                let Some(argument) = arguments.next() else { return Ok(None) };
                self.asm_input(rest, argument, &mut asm)?
            };
            let Some(place) = place else { return Ok(None) };
            asm.places.push(place);
        }
        Ok((widths.next().is_none() && arguments.next().is_none()).then_some(asm))
    }

    /// An input: in a register of its own, or in that of an output.
    fn asm_input(&mut self, constraint: &str, argument: Value<'m>, asm: &mut Assembly) -> Recognised<Place> {
        let value = self.scalar(argument)?;
        let width = self.lowering.width(argument.ty())?;
        let cell = match constraint.parse::<usize>() {
            Ok(tied) => match asm.places.get(tied) {
                Some(Place::Cell(cell)) => *cell,
                Some(Place::Unnamed) => return Ok(self.asm_pair_input(tied, value, width, asm)),
                // "+rm": what the memory holds anyway.
                Some(Place::Memory(address)) if self.is_loaded_from(argument, *address)? => {
                    return Ok(Some(Place::Memory(*address)));
                }
                _ => return Ok(None),
            },
            Err(_) => match fixed(constraint) {
                Fixed { name: Some(name), .. } if asm.cells.iter().any(|c| c.name == Some(name)) => {
                    asm.cell(name)
                }
                fixed => asm.new_cell(fixed, width),
            },
        };
        if asm.cells[cell].width != width || asm.cells[cell].value.is_some() {
            return Ok(None);
        }
        asm.cells[cell].value = Some(value);
        Ok(Some(Place::Cell(cell)))
    }

    /// Whether a value is what the memory at an address holds.
    fn is_loaded_from(&mut self, value: Value<'m>, address: Operand) -> What<bool> {
        match value.operand(0) {
            Some(from) if value.opcode() == Some(Opcode::LLVMLoad) => Ok(self.scalar(from)? == address),
            _ => Ok(false),
        }
    }

    /// An input in the two registers of an output.
    fn asm_pair_input(
        &mut self,
        tied: usize,
        value: Operand,
        width: u8,
        asm: &mut Assembly,
    ) -> Option<Place> {
        // Outputs in memory are no results, so that the numbers differ.
        let before = asm.places[..tied].iter().filter(|p| !matches!(p, Place::Memory(_))).count();
        let Some(Output::Pair(low, high)) = asm.outputs.get(before).cloned() else { return None };
        let half = width / 2;
        let parts = self.split(value, width, &[half, half]);
        asm.cells[low].value = Some(parts[0]);
        asm.cells[high].value = Some(parts[1]);
        Some(Place::Unnamed)
    }

    /// What the call returns; `None` if a flag is not known.
    pub(super) fn asm_results(&mut self, asm: &Assembly, site: Value<'m>) -> Recognised<Operands> {
        let widths = self.lowering.widths(site.ty())?;
        let mut results = Operands::new();
        for (output, width) in asm.outputs.iter().zip(widths) {
            results.push(match output {
                Output::Cell(cell) => asm.cells[*cell].value.unwrap_or(Operand::Undef),
                Output::Pair(low, high) => {
                    let halves = [*low, *high].map(|cell| asm.cells[cell].value.unwrap_or(Operand::Undef));
                    self.join(&halves, &[width / 2, width / 2], width)
                }
                Output::Flag(code) => match self.asm_condition(code, asm) {
                    Some(bit) => self.resize(bit, 1, width, false),
                    None => return Ok(None),
                },
            });
        }
        Ok(Some(results))
    }

    /// The operand that a text names.
    pub(super) fn asm_spot(&mut self, text: &str, asm: &mut Assembly) -> Option<Spot> {
        if let Some(number) = immediate(text) {
            return Some(Spot::Immediate(number));
        }
        if let Some((name, width)) = text.strip_prefix('%').and_then(register) {
            return Some(Spot::Cell(asm.cell(name), width));
        }
        if let Some((offset, base)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            return self.asm_indirect(offset, base, asm);
        }
        let name = text.strip_prefix('$')?;
        let name = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')).unwrap_or(name);
        let (number, modifier) = name.split_once(':').unwrap_or((name, ""));
        match (asm.places.get(number.parse::<usize>().ok()?)?, modifier) {
            (Place::Memory(address), "") => Some(Spot::Memory(*address)),
            (Place::Cell(cell), modifier) if asm.cells[*cell].general => {
                let width = match modifier {
                    "" => asm.cells[*cell].width,
                    "b" => 8,
                    "w" => 16,
                    "k" => 32,
                    "q" => 64,
                    _ => return None,
                };
                Some(Spot::Cell(*cell, width))
            }
            _ => None,
        }
    }

    /// `8($1)`: the memory that a register points to.
    fn asm_indirect(&mut self, offset: &str, base: &str, asm: &mut Assembly) -> Option<Spot> {
        let offset = if offset.is_empty() { 0 } else { offset.parse().ok()? };
        let Some(Spot::Cell(cell, width)) = self.asm_spot(base, asm) else { return None };
        let base = asm.cells[cell].value.filter(|_| width == asm.word && asm.cells[cell].width == width)?;
        if offset == 0 {
            return Some(Spot::Memory(base));
        }
        let dst = self.temp(width);
        self.emit(Instr::PtrAdd { dst, base, index: Operand::Int(0), scale: 1, offset });
        Some(Spot::Memory(Operand::Reg(dst)))
    }

    /// What an operand holds, in `width` bits; `None` if some of these are not known.
    pub(super) fn asm_read(&mut self, spot: Spot, width: u8, asm: &Assembly) -> Option<Operand> {
        match spot {
            Spot::Immediate(number) => Some(self.int(number as u128, width)),
            Spot::Memory(ptr) => {
                let dst = self.temp(width);
                let access = plain(Order::Acquire, width, asm.word);
                self.emit(Instr::Load { width, dst, ptr, access });
                Some(Operand::Reg(dst))
            }
            Spot::Cell(cell, _) => {
                let (value, from) = (asm.cells[cell].value?, asm.cells[cell].width);
                // The assembler extends constants; what lies above another value is not known.
                let constant = matches!(value, Operand::Int(_) | Operand::WideInt(_));
                (from >= width || constant).then(|| self.resize(value, from, width, true))
            }
        }
    }

    /// Writes an operand; false for one that cannot be written.
    pub(super) fn asm_write(&mut self, spot: Spot, value: Operand, width: u8, asm: &mut Assembly) -> bool {
        match spot {
            Spot::Immediate(_) => return false,
            Spot::Memory(ptr) => {
                let access = plain(Order::Release, width, asm.word);
                self.emit(Instr::Store { width, ptr, value, access });
            }
            Spot::Cell(cell, _) => {
                let (old, to) = (asm.cells[cell].value, asm.cells[cell].width);
                // Writing 32 bits clears those above, writing fewer keeps them.
                let value = match width < to.min(32) {
                    true => self.asm_low_part(old.unwrap_or(Operand::Undef), value, width, to),
                    false => self.resize(value, width, to, false),
                };
                asm.cells[cell].value = Some(value);
            }
        }
        true
    }

    /// A value with its low bits replaced.
    fn asm_low_part(&mut self, old: Operand, low: Operand, width: u8, to: u8) -> Operand {
        let keep = self.int(u128::MAX << width, to);
        let (high, whole, wide) = (self.temp(to), self.temp(to), self.temp(to));
        self.binary(BinOp::And, to, high, old, keep);
        self.emit(Instr::Cast { op: CastOp::ZExt, from: width, to, dst: wide, src: low });
        self.binary(BinOp::Or, to, whole, Operand::Reg(high), Operand::Reg(wide));
        Operand::Reg(whole)
    }
}
