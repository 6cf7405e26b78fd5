//! One function: its blocks in order, its values in registers.

use ir::{Function, Instr, Operand, Param, Pc, Reg, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use super::blocks::{block_ordinals, counted, reachable};
use super::bypassed::{Renewals, renewals};
use super::constants::{Constant, mask};
use super::literals::{Literals, literals};
use super::promote::{Promotion, is_same_value, promote};
use super::scopes::scoped;
use super::{Lowering, What, empty_function, known, tidy};
use crate::llvm::{Block, Opcode, Value, ValueKind};
use crate::runtime::MARK;

/// The operands of a value's leaves.
pub type Operands = SmallVec<[Operand; 1]>;

/// Where a jump goes, until the code's order is known.
pub type Label = u32;

/// A function while it is being lowered. Jump targets are labels.
pub struct Body<'l, 'm> {
    pub(super) lowering: &'l mut Lowering<'m>,
    pub(super) function: Function,
    pub(super) values: FxHashMap<Value<'m>, Operands>,
    pub(super) locals: FxHashMap<Value<'m>, Reg>,
    pub(super) promotion: Promotion<'m>,
    /// Locals that are a new object each time their scope begins.
    pub(super) scoped: FxHashSet<Value<'m>>,
    literals: Literals<'m>,
    renewals: Renewals<'m>,
    pub(super) labels: Vec<Pc>,
    pub(super) block_labels: FxHashMap<Block<'m>, Label>,
    /// The ordinal of each block's first instruction.
    block_ordinals: FxHashMap<Block<'m>, u32>,
    pub(super) span: Span,
    /// The ordinal of the instruction that is being lowered.
    ordinal: u32,
    /// Whether what follows in this block cannot be reached.
    pub(super) dead: bool,
}

/// Lowers a function that has a body.
pub fn lower_body<'m>(lowering: &mut Lowering<'m>, value: Value<'m>) -> Function {
    let mut body = Body::new(lowering, value);
    let result = body.run(value);
    body.finish(result)
}

/// Makes a function out of what a call of this declared function becomes.
pub fn lower_thunk<'m>(lowering: &mut Lowering<'m>, value: Value<'m>) -> Function {
    let mut body = Body::new(lowering, value);
    body.function.library = true;
    let result = body.run_thunk(value);
    body.finish(result)
}

impl<'l, 'm> Body<'l, 'm> {
    fn new(lowering: &'l mut Lowering<'m>, value: Value<'m>) -> Body<'l, 'm> {
        let name = lowering.function_name(value);
        let symbol = lowering.symbol(&name);
        let mut function = empty_function(symbol);
        function.origin.name = value.name();
        let node = value.subprogram(lowering.module);
        function.span = node.map_or(Span::default(), |n| lowering.span_of_node(n));
        function.library = value.has_mark(MARK) || is_system(lowering.program.file(function.span.file));
        function.library &= function.span.is_known() || value.has_mark(MARK);
        let span = function.span;
        Body { span, function, ..Body::empty(lowering, symbol) }
    }

    /// A function without code.
    pub(super) fn empty(lowering: &'l mut Lowering<'m>, symbol: ir::Symbol) -> Body<'l, 'm> {
        Body {
            lowering,
            function: empty_function(symbol),
            values: FxHashMap::default(),
            locals: FxHashMap::default(),
            promotion: Promotion::default(),
            scoped: FxHashSet::default(),
            literals: Literals::default(),
            renewals: Renewals::default(),
            labels: Vec::new(),
            block_labels: FxHashMap::default(),
            block_ordinals: FxHashMap::default(),
            span: Span::default(),
            ordinal: 0,
            dead: false,
        }
    }

    /// The function; one whose parameters cannot be lowered stops every execution that calls it.
    fn finish(mut self, result: What<()>) -> Function {
        if let Err(what) = result {
            self.take_back(0);
            self.unsupported(&what);
        }
        self.finished()
    }

    /// The function, tidied up.
    pub(super) fn finished(mut self) -> Function {
        tidy::tidy(&mut self.function, &self.labels);
        self.function
    }

    fn run(&mut self, value: Value<'m>) -> What<()> {
        let blocks = reachable(value);
        self.promotion = promote(self.lowering, value, &blocks);
        self.scoped = scoped(&blocks);
        self.literals = literals(self.lowering.module, &blocks);
        self.scoped.extend(self.literals.begins.values().flatten());
        if self.lowering.from_source {
            self.renewals = renewals(self.lowering.module, &blocks, &self.literals);
            let renewed: FxHashSet<Value<'m>> = self.renewals.values().flatten().copied().collect();
            // What was loaded from them may be used after their block.
            let is_renewed = |load: &Value<'m>| load.operand(0).is_some_and(|local| renewed.contains(&local));
            self.promotion.direct.retain(|load| !is_renewed(load));
        }
        self.signature(value)?;
        for block in &blocks {
            let label = self.new_label();
            self.block_labels.insert(*block, label);
        }
        self.block_ordinals = block_ordinals(value);
        self.function.atomic = known::is_atomic_function(&value.name());
        if self.function.atomic {
            self.emit(Instr::AtomicBegin { orders: true });
        }
        self.copy_byval(value)?;
        self.allocate_phis(&blocks);
        for block in blocks {
            self.block(block);
        }
        Ok(())
    }

    /// Parameters and results; parameters that only initialise a promoted
    /// local arrive in that local's register.
    fn signature(&mut self, value: Value<'m>) -> What<()> {
        for (alloca, local) in std::mem::take(&mut self.promotion.locals) {
            let reg = self.function.add_variable(local.width, local.name, local.layout);
            self.locals.insert(alloca, reg);
        }
        for parameter in value.params() {
            let widths = self.lowering.widths(parameter.ty())?;
            let mut operands = Operands::new();
            for width in widths {
                let local = self.promotion.retarget.get(&parameter).and_then(|a| self.locals.get(a));
                let reg = match local {
                    Some(reg) => *reg,
                    None => {
                        let variable = self.variable(parameter);
                        let layout = variable.and_then(|variable| variable.layout);
                        self.function.add_variable(width, variable.map(|variable| variable.name), layout)
                    }
                };
                self.function.params.push(Param { reg, width });
                operands.push(Operand::Reg(reg));
            }
            self.values.insert(parameter, operands);
        }
        let ty = value.value_type().ok_or("a function without a type")?;
        self.function.variadic = ty.is_variadic();
        let result = ty.result().ok_or("a function without a result type")?;
        self.function.results = self.lowering.widths(result)?;
        Ok(())
    }

    /// Structures passed by value: the callee makes its own copy.
    fn copy_byval(&mut self, value: Value<'m>) -> What<()> {
        for (index, parameter) in value.params().into_iter().enumerate() {
            let Some(ty) = value.byval_type(index as u32) else { continue };
            let size = Operand::Int(self.lowering.module.alloc_size(ty));
            let align = self.lowering.module.align(ty).max(1);
            let src = self.scalar(parameter)?;
            let var = self.variable(parameter);
            let dst = self.temp(self.lowering.pointer_width);
            self.emit(Instr::Alloca { dst, size, align, var });
            self.emit(Instr::MemCopy { dst: Operand::Reg(dst), src, len: size, may_overlap: false });
            self.values.insert(parameter, smallvec![Operand::Reg(dst)]);
        }
        Ok(())
    }

    /// Registers for the phis, except for those of a type without a width: the
    /// edges that lead to them cannot be lowered.
    fn allocate_phis(&mut self, blocks: &[Block<'m>]) {
        for block in blocks {
            for phi in block.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)) {
                let Ok(widths) = self.lowering.widths(phi.ty()) else { continue };
                let regs = widths.into_iter().map(|width| Operand::Reg(self.temp(width))).collect();
                self.values.insert(phi, regs);
            }
        }
    }

    fn block(&mut self, block: Block<'m>) {
        let label = self.block_labels[&block];
        self.place(label);
        self.dead = false;
        let ordinal = self.block_ordinals.get(&block).copied().unwrap_or_default();
        for (instruction, ordinal) in counted(block).zip(ordinal..) {
            if instruction.opcode() == Some(Opcode::LLVMPHI) {
                continue;
            }
            self.ordinal = ordinal;
            if let Some(span) = self.lowering.span_of(instruction) {
                self.span = span;
            }
            if !self.dead {
                self.scopes_at(instruction);
                self.lower_or_stop(instruction);
            }
            if self.dead {
                self.undefined(instruction);
            }
        }
    }

    /// Ends and begins the locals whose block ends or begins here without a mark.
    fn scopes_at(&mut self, instruction: Value<'m>) {
        let marked = |marks: &FxHashMap<Value<'m>, Vec<Value<'m>>>| {
            let literals = marks.get(&instruction).into_iter().flatten();
            // Those that became registers have no address.
            literals.filter_map(|l| Some((*l, *self.values.get(l)?.first()?))).collect::<Vec<_>>()
        };
        let (ended, begun) = (marked(&self.literals.ends), marked(&self.literals.begins));
        let renewed = marked(&self.renewals);
        self.clear_registers(instruction);
        ended.iter().chain(&renewed).for_each(|(_, ptr)| self.emit(Instr::EndObject { ptr: *ptr }));
        for (local, _) in begun.into_iter().chain(renewed) {
            if let Err(what) = self.begin_scope(local) {
                self.unsupported(&what);
            }
        }
    }

    /// Clears the locals whose block was left before an instruction and that
    /// became registers.
    fn clear_registers(&mut self, instruction: Value<'m>) {
        let left = self.renewals.get(&instruction).into_iter().flatten();
        let registers: Vec<Reg> = left.filter_map(|local| self.locals.get(local).copied()).collect();
        for dst in registers {
            let width = self.function.slots[dst.0 as usize].width;
            self.emit(Instr::Move { width, dst, src: Operand::Undef });
        }
    }

    /// Lowers an instruction. One that cannot be lowered stops every execution that reaches it.
    fn lower_or_stop(&mut self, instruction: Value<'m>) {
        let before = self.function.code.len();
        if let Err(what) = self.instruction(instruction) {
            self.take_back(before);
            self.unsupported(&what);
        }
    }

    /// Takes back the code from a position on.
    pub(super) fn take_back(&mut self, position: usize) {
        self.function.code.truncate(position);
        self.function.spans.truncate(position);
        self.function.origin.ordinals.truncate(position);
    }

    /// A value that is never computed. One of a type without a width has no
    /// operands; what uses it cannot be lowered either, and is never reached.
    fn undefined(&mut self, instruction: Value<'m>) {
        if let Ok(widths) = self.lowering.widths(instruction.ty()) {
            self.values.entry(instruction).or_insert(widths.iter().map(|_| Operand::Undef).collect());
        }
    }

    fn instruction(&mut self, value: Value<'m>) -> What<()> {
        use Opcode::*;
        if self.promotion.folded.contains(&value) {
            return Ok(());
        }
        if is_same_value(self.lowering, value) {
            let operand = self.value(value.operand(0).ok_or("a cast of nothing")?)?;
            return self.define(value, operand);
        }
        match value.opcode().ok_or("a block with something that is no instruction")? {
            LLVMRet | LLVMBr | LLVMSwitch | LLVMUnreachable | LLVMIndirectBr | LLVMResume | LLVMCallBr => {
                self.terminator(value)
            }
            LLVMInvoke => {
                self.library_call("__tp_enter_unwound", &[]);
                self.call(value)?;
                if !self.dead {
                    self.library_call("__tp_leave_unwound", &[]);
                }
                self.terminator(value)
            }
            LLVMCall => self.call(value),
            LLVMAlloca | LLVMLoad | LLVMStore | LLVMGetElementPtr => self.memory(value),
            LLVMFence | LLVMAtomicCmpXchg | LLVMAtomicRMW => self.atomic(value),
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector | LLVMExtractValue
            | LLVMInsertValue => self.aggregate(value),
            LLVMVAArg => Err("the va_arg instruction".to_owned()),
            LLVMLandingPad | LLVMCatchSwitch | LLVMCatchPad | LLVMCleanupPad | LLVMCatchRet
            | LLVMCleanupRet => Err("C++ exception".to_owned()),
            _ => self.arith(value),
        }
    }

    // Building blocks for everything above and below.

    /// Adds an instruction at the current position.
    pub(super) fn emit(&mut self, instr: Instr) {
        self.dead |= instr.is_terminator();
        self.function.code.push(instr);
        self.function.spans.push(self.span);
        self.function.origin.ordinals.push(self.ordinal);
    }

    pub(super) fn temp(&mut self, width: u8) -> Reg {
        self.function.add_slot(width, None)
    }

    pub(super) fn new_label(&mut self) -> Label {
        self.labels.push(0);
        self.labels.len() as Label - 1
    }

    /// The label stands before the next instruction.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.function.code.len() as Pc;
    }

    /// Reaching this point makes the verdict unknown.
    pub(super) fn unsupported(&mut self, what: &str) {
        let what = self.lowering.symbol(what);
        self.emit(Instr::Unsupported { what });
    }

    /// The register an instruction's only leaf is computed into.
    pub(super) fn dst(&mut self, value: Value<'m>, width: u8) -> Reg {
        let local = self.promotion.retarget.get(&value).and_then(|a| self.locals.get(a)).copied();
        let reg = local.unwrap_or_else(|| self.temp(width));
        self.values.insert(value, smallvec![Operand::Reg(reg)]);
        reg
    }

    /// Gives a value operands that exist already.
    pub(super) fn define(&mut self, value: Value<'m>, operands: Operands) -> What<()> {
        let local = self.promotion.retarget.get(&value).and_then(|a| self.locals.get(a)).copied();
        if let (Some(dst), [src]) = (local, operands.as_slice()) {
            let (width, src) = (self.function.slots[dst.0 as usize].width, *src);
            if src != Operand::Reg(dst) {
                self.emit(Instr::Move { width, dst, src });
            }
            self.values.insert(value, smallvec![Operand::Reg(dst)]);
            return Ok(());
        }
        self.values.insert(value, operands);
        Ok(())
    }

    /// The operands of a value's leaves.
    pub(super) fn value(&mut self, value: Value<'m>) -> What<Operands> {
        match value.kind() {
            ValueKind::Instruction | ValueKind::Argument => self
                .values
                .get(&value)
                .cloned()
                .ok_or_else(|| format!("the order of values ({})", value.show())),
            ValueKind::Aggregate => {
                let mut operands = Operands::new();
                let mut index = 0;
                while let Some(element) = value.element(index) {
                    operands.extend(self.value(element)?);
                    index += 1;
                    self.lowering.leaves(value.ty())?;
                }
                Ok(operands)
            }
            ValueKind::Zero | ValueKind::Undef => {
                let widths = self.lowering.widths(value.ty())?;
                let undef = value.kind() == ValueKind::Undef;
                Ok(widths.into_iter().map(|w| if undef { Operand::Undef } else { zero(w) }).collect())
            }
            _ => Ok(smallvec![self.scalar_constant(value)?]),
        }
    }

    /// The operand of a scalar value.
    pub(super) fn scalar(&mut self, value: Value<'m>) -> What<Operand> {
        match self.value(value)?.as_slice() {
            [operand] => Ok(*operand),
            _ => Err("an aggregate where a scalar is needed".to_owned()),
        }
    }

    /// The operand of an instruction's operand, which must be scalar.
    pub(super) fn operand(&mut self, value: Value<'m>, index: u32) -> What<Operand> {
        let operand = value.operand(index).ok_or("an instruction without operands")?;
        self.scalar(operand)
    }

    fn scalar_constant(&mut self, value: Value<'m>) -> What<Operand> {
        let width = self.lowering.width(value.ty())?;
        match self.lowering.constant(value)? {
            Some(Constant::Int(bits)) => Ok(self.int(bits, width)),
            Some(Constant::Undef) => Ok(Operand::Undef),
            Some(Constant::Function(id)) => Ok(Operand::Function(id)),
            Some(Constant::Global(id, offset)) => Ok(match i32::try_from(offset) {
                Ok(offset) => Operand::Global(id, offset),
                Err(_) => {
                    let dst = self.temp(width);
                    let base = Operand::Global(id, 0);
                    self.emit(Instr::PtrAdd { dst, base, index: Operand::Int(0), scale: 1, offset });
                    Operand::Reg(dst)
                }
            }),
            // A constant expression that must be computed.
            None => {
                self.instruction(value)?;
                self.values
                    .remove(&value)
                    .and_then(|v| v.first().copied())
                    .ok_or("this constant expression".to_owned())
            }
        }
    }

    /// An integer constant; one that has no short form is built with instructions.
    pub(super) fn int(&mut self, bits: u128, width: u8) -> Operand {
        if width <= 64 {
            return Operand::Int(mask(bits, width) as u64);
        }
        let signed = super::constants::signed(bits, width);
        if let Ok(short) = i64::try_from(signed) {
            return Operand::WideInt(short);
        }
        let (high, low, wide) = (self.temp(width), self.temp(width), self.temp(width));
        let top = Operand::WideInt((signed >> 64) as i64);
        self.binary(ir::BinOp::Shl, width, high, top, Operand::WideInt(64));
        let src = Operand::Int(bits as u64);
        self.emit(Instr::Cast { op: ir::CastOp::ZExt, from: 64, to: width, dst: low, src });
        self.binary(ir::BinOp::Or, width, wide, Operand::Reg(high), Operand::Reg(low));
        Operand::Reg(wide)
    }

    /// Integer arithmetic that may wrap.
    pub(super) fn binary(&mut self, op: ir::BinOp, width: u8, dst: Reg, lhs: Operand, rhs: Operand) {
        self.emit(Instr::Binary { op, width, no_signed_wrap: false, dst, lhs, rhs });
    }

    /// An integer converted to pointer width.
    pub(super) fn pointer_wide(&mut self, value: Operand, from: u8, signed: bool) -> Operand {
        let to = self.lowering.pointer_width;
        self.resize(value, from, to, signed)
    }

    /// An integer converted to another width.
    pub(super) fn resize(&mut self, value: Operand, from: u8, to: u8, signed: bool) -> Operand {
        if from == to || value == Operand::Undef {
            return value;
        }
        let narrow = match value {
            Operand::Int(bits) => Some(u128::from(bits)),
            Operand::WideInt(bits) => Some(i128::from(bits) as u128),
            _ => None,
        };
        if let Some(bits) = narrow {
            let bits = if signed { super::constants::signed(bits, from) as u128 } else { mask(bits, from) };
            return self.int(mask(bits, to), to);
        }
        let op = match (from > to, signed) {
            (true, _) => ir::CastOp::Trunc,
            (false, true) => ir::CastOp::SExt,
            (false, false) => ir::CastOp::ZExt,
        };
        let dst = self.temp(to);
        self.emit(Instr::Cast { op, from, to, dst, src: value });
        Operand::Reg(dst)
    }

    /// Whether the operand, of this width, is not zero.
    pub(super) fn is_nonzero(&mut self, value: Operand, width: u8) -> Operand {
        match value {
            Operand::Int(bits) => Operand::Int(u64::from(bits != 0)),
            _ if width == 1 => value,
            _ => {
                let dst = self.temp(1);
                let rhs = zero(width);
                self.emit(Instr::Compare { pred: ir::Pred::Ne, width, dst, lhs: value, rhs });
                Operand::Reg(dst)
            }
        }
    }
}

/// Zero of a width.
pub fn zero(width: u8) -> Operand {
    if width > 64 { Operand::WideInt(0) } else { Operand::Int(0) }
}

/// Headers of the system: their inline functions are library code.
pub(super) fn is_system(file: &str) -> bool {
    file.starts_with("/usr/include/") || file.starts_with("/usr/lib/")
}
