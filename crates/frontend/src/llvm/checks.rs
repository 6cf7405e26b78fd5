//! What clang's sanitizers know about arithmetic, put back into the module.
//!
//! While it writes a module, clang computes operations on constants, and those
//! without a result become poison or wrap; it narrows the amount of a shift
//! to the width of what is shifted; and it does not say whether `<<` is a
//! signed one. So `1 << -1`, `1 / 0`, `INT_MAX + 1`, `x >> (1L << 32)` and the
//! overflow of `2 << 31` cannot be seen in the module any more.
//!
//! Its sanitizers check the operations as they stand in the source, each with
//! a branch to a call of `__ubsan_handle_...`. This takes the checks out and
//! puts the operations themselves in their place: all branches go, `add` and
//! its kin carry `nsw` where the source is signed, and where clang has folded
//! something that is undefined the operation is there again. The machine then
//! finds the fault by executing the operation.

use std::ffi::CString;

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMOpcode};

use super::module::Module;
use super::value::Value;

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

/// Takes the checks out of every function.
pub fn take_out(module: &mut Module<'_>) {
    let declared = module.functions().any(|f| kind_of_handler(&f.name()).is_some());
    if !declared {
        return;
    }
    let functions: Vec<LLVMValueRef> = module.functions().map(|f| f.raw).collect();
    let context = module.context_raw();
    // SAFETY: a live module that no other code looks at meanwhile (`&mut`); no value
    // of a block that is deleted here is used afterwards.
    unsafe {
        let builder = LLVMCreateBuilderInContext(context);
        let editor = Editor { context, builder };
        for function in functions {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                while let Some(check) = Check::at_the_end_of(block) {
                    editor.take_out(block, &check);
                }
                block = LLVMGetNextBasicBlock(block);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}

/// What a check is about.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Signed `+`, `-`, `*` and the unary minus.
    Overflow,
    Division,
    Shift,
    FloatToInteger,
}

fn kind_of_handler(name: &str) -> Option<Kind> {
    let name = name.strip_prefix("__ubsan_handle_")?;
    Some(match name.strip_suffix("_abort").unwrap_or(name) {
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => Kind::Overflow,
        "divrem_overflow" => Kind::Division,
        "shift_out_of_bounds" => Kind::Shift,
        "float_cast_overflow" => Kind::FloatToInteger,
        _ => return None,
    })
}

/// A branch to a handler that does not return.
struct Check<'m> {
    kind: Kind,
    /// What must hold for the execution to go on; of a signed shift, that the
    /// amount is in range.
    condition: Value<'m>,
    /// The call of the handler: a description, then the operands.
    handler: Value<'m>,
    on_fault: LLVMBasicBlockRef,
    go_on: LLVMBasicBlockRef,
    /// Of a signed `<<`, the check of the value that is shifted.
    base: Option<BaseCheck<'m>>,
}

/// Two blocks: one that looks at the value that is shifted, and one that joins
/// that with the check of the amount.
struct BaseCheck<'m> {
    look: LLVMBasicBlockRef,
    join: LLVMBasicBlockRef,
    /// What was found there.
    found: Value<'m>,
}

impl<'m> Check<'m> {
    unsafe fn at_the_end_of(block: LLVMBasicBlockRef) -> Option<Check<'m>> {
        // SAFETY: blocks of a verified module.
        unsafe {
            // An `&&` before a shift branches like a check of a signed shift.
            if !is_of_a_check(LLVMGetBasicBlockTerminator(block)) {
                return None;
            }
            let (condition, yes, no) = branch(block)?;
            if let Some((kind, handler)) = handler_in(no) {
                return Some(Check { kind, condition, handler, on_fault: no, go_on: yes, base: None });
            }
            // The amount is in range: look at the value, then join.
            let look = LLVMGetBasicBlockTerminator(yes);
            if LLVMGetNumSuccessors(look) != 1 || LLVMGetSuccessor(look, 0) != no {
                return None;
            }
            let (_, go_on, on_fault) = branch(no)?;
            let (kind, handler) = handler_in(on_fault).filter(|(kind, _)| *kind == Kind::Shift)?;
            let phi = Value::optional(LLVMGetFirstInstruction(no))?;
            let found = phi.incoming().into_iter().find(|(_, from)| from.raw == yes)?.0;
            let base = Some(BaseCheck { look: yes, join: no, found });
            Some(Check { kind, condition, handler, on_fault, go_on, base })
        }
    }

    /// An operand of the source's operation, if it is a constant.
    fn constant(&self, index: u32) -> Option<u128> {
        self.handler.operand(index + 1)?.int_bits()
    }

    /// Whether the source's type of an operand is signed, and its width.
    fn integer_type(&self, index: u32) -> Option<(bool, u32)> {
        let description = self.handler.operand(0)?.initializer()?;
        let described = description.element(index + 1)?.initializer()?;
        let info = described.element(1)?.int_bits()?;
        let is_integer = described.element(0)?.int_bits()? == 0;
        is_integer.then_some((info & 1 == 1, 1 << (info >> 1).min(7)))
    }
}

/// The condition and targets of a conditional branch at the end of a block.
unsafe fn branch<'m>(block: LLVMBasicBlockRef) -> Option<(Value<'m>, LLVMBasicBlockRef, LLVMBasicBlockRef)> {
    // SAFETY: a block of a verified module.
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        if LLVMGetInstructionOpcode(end) != LLVMOpcode::LLVMBr || LLVMIsConditional(end) == 0 {
            return None;
        }
        let condition = Value::optional(LLVMGetCondition(end))?;
        Some((condition, LLVMGetSuccessor(end, 0), LLVMGetSuccessor(end, 1)))
    }
}

/// Whether clang made the instruction for a check.
unsafe fn is_of_a_check(instruction: LLVMValueRef) -> bool {
    let name = "nosanitize";
    // SAFETY: an instruction of a verified module.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(instruction));
        let kind = LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32);
        !LLVMGetMetadata(instruction, kind).is_null()
    }
}

/// The call of a handler in a block that ends with it.
unsafe fn handler_in<'m>(block: LLVMBasicBlockRef) -> Option<(Kind, Value<'m>)> {
    // SAFETY: a block of a verified module.
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        if LLVMGetInstructionOpcode(end) != LLVMOpcode::LLVMUnreachable {
            return None;
        }
        let call = Value::optional(LLVMGetPreviousInstruction(end))?;
        Some((kind_of_handler(&call.callee()?.name())?, call))
    }
}

/// Changes functions.
struct Editor {
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
}

impl Editor {
    /// Takes the check at the end of the block out, and appends the block
    /// that follows it.
    unsafe fn take_out(&self, block: LLVMBasicBlockRef, check: &Check<'_>) {
        // SAFETY: the blocks of the check belong to it alone, so that they can
        // be deleted once nothing branches to them.
        unsafe {
            let end = LLVMGetBasicBlockTerminator(block);
            let old = self.instructions_of_checks(end);
            let place = LLVMInstructionGetDebugLoc(end);
            LLVMInstructionEraseFromParent(end);
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMSetCurrentDebugLocation2(self.builder, place);
            match check.kind {
                Kind::Overflow => self.restore_signed(check),
                Kind::Division => self.restore_division(check),
                Kind::Shift => self.restore_shift(check),
                Kind::FloatToInteger => self.restore_conversion(check),
            }
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            if let Some(base) = &check.base {
                LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(base.look));
                LLVMDeleteBasicBlock(base.join);
                LLVMDeleteBasicBlock(base.look);
            }
            LLVMDeleteBasicBlock(check.on_fault);
            for instruction in old.into_iter().filter(|i| LLVMGetFirstUse(*i).is_null()) {
                LLVMInstructionEraseFromParent(instruction);
            }
            self.append(block, check.go_on);
        }
    }

    /// The instructions before this one that belong to checks, the last first.
    unsafe fn instructions_of_checks(&self, end: LLVMValueRef) -> Vec<LLVMValueRef> {
        let mut found = Vec::new();
        // SAFETY: walks a block.
        unsafe {
            let mut at = LLVMGetPreviousInstruction(end);
            while !at.is_null() && is_of_a_check(at) {
                found.push(at);
                at = LLVMGetPreviousInstruction(at);
            }
        }
        found
    }

    /// Moves the instructions of the block that follows to the end of the block.
    unsafe fn append(&self, block: LLVMBasicBlockRef, next: LLVMBasicBlockRef) {
        // SAFETY: blocks of one function, and only the erased branch led to the second.
        unsafe {
            LLVMPositionBuilderAtEnd(self.builder, block);
            let label = LLVMBasicBlockAsValue(next);
            if !LLVMGetFirstUse(label).is_null() {
                LLVMBuildBr(self.builder, next);
                return;
            }
            // The phis that the second block leads to name the first one from now on.
            LLVMReplaceAllUsesWith(label, LLVMBasicBlockAsValue(block));
            let mut at = LLVMGetFirstInstruction(next);
            while !at.is_null() {
                let following = LLVMGetNextInstruction(at);
                let name = Value::optional(at).map(Value::name).unwrap_or_default();
                let name = CString::new(name).unwrap_or_default();
                LLVMInstructionRemoveFromParent(at);
                LLVMInsertIntoBuilderWithName(self.builder, at, name.as_ptr());
                at = following;
            }
            LLVMDeleteBasicBlock(next);
        }
    }

    /// An operation that the builder does not fold, whatever its operands are.
    unsafe fn unfolded(&self, op: LLVMOpcode, lhs: LLVMValueRef, rhs: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: operands of one type.
        unsafe {
            let stand_in = self.stand_in(LLVMTypeOf(lhs));
            let result = LLVMBuildBinOp(self.builder, op, stand_in, stand_in, NO_NAME);
            LLVMSetOperand(result, 0, lhs);
            LLVMSetOperand(result, 1, rhs);
            LLVMInstructionEraseFromParent(stand_in);
            result
        }
    }

    /// A value of the type that is no constant.
    unsafe fn stand_in(&self, ty: LLVMTypeRef) -> LLVMValueRef {
        // SAFETY: a type of the context.
        unsafe { LLVMBuildFreeze(self.builder, LLVMGetUndef(ty), NO_NAME) }
    }

    unsafe fn integer(&self, width: u32, bits: u128) -> LLVMValueRef {
        let words = [bits as u64, (bits >> 64) as u64];
        // SAFETY: as many words as the width needs.
        unsafe {
            let ty = LLVMIntTypeInContext(self.context, width);
            LLVMConstIntOfArbitraryPrecision(ty, width.div_ceil(64), words.as_ptr())
        }
    }

    /// `x.with.overflow` becomes `x nsw`.
    unsafe fn restore_signed(&self, check: &Check<'_>) {
        let Some(call) = check.condition.operand(0).and_then(|overflow| overflow.operand(0)) else { return };
        let Some(callee) = call.callee().map(Value::name) else { return };
        let op = match callee.split('.').nth(1) {
            Some("sadd") => LLVMOpcode::LLVMAdd,
            Some("ssub") => LLVMOpcode::LLVMSub,
            Some("smul") => LLVMOpcode::LLVMMul,
            _ => return,
        };
        let (Some(lhs), Some(rhs)) = (call.operand(0), call.operand(1)) else { return };
        let results: Vec<Value<'_>> = call.users().filter(|user| user.indices() == [0]).collect();
        // SAFETY: the operation gives the first part of the call's result.
        unsafe {
            let result = self.unfolded(op, lhs.raw, rhs.raw);
            LLVMSetNSW(result, 1);
            results.into_iter().for_each(|old| LLVMReplaceAllUsesWith(old.raw, result));
        }
    }

    /// A division is still there unless both operands were constants.
    unsafe fn restore_division(&self, check: &Check<'_>) {
        if check.condition.int_bits() != Some(0) {
            return;
        }
        let (signed, width) = check.integer_type(0).unwrap_or((false, 32));
        let (lhs, rhs) = match (check.constant(0), check.constant(1)) {
            (Some(lhs), Some(rhs)) => (lhs, rhs),
            _ => (1, 0),
        };
        let op = if signed { LLVMOpcode::LLVMSDiv } else { LLVMOpcode::LLVMUDiv };
        // SAFETY: constants of one type.
        unsafe {
            let (lhs, rhs) = (self.integer(width, lhs), self.integer(width, rhs));
            self.unfolded(op, lhs, rhs);
        }
    }

    unsafe fn restore_shift(&self, check: &Check<'_>) {
        let Some((_, declared)) = check.integer_type(0) else { return };
        let width = promoted(declared);
        let limit = u128::MAX >> (128 - width);
        // SAFETY: operations on values of the block's own types.
        unsafe {
            match check.constant(1) {
                Some(amount) if amount >= u128::from(width) => {
                    let amount = self.integer(width, amount.min(limit));
                    self.unfolded(LLVMOpcode::LLVMShl, self.integer(width, 0), amount);
                }
                Some(amount) if overflows_for_sure(check) => {
                    let lhs = self.integer(width, check.constant(0).unwrap_or(limit));
                    let shift = self.unfolded(LLVMOpcode::LLVMShl, lhs, self.integer(width, amount));
                    mark_as_signed(shift);
                }
                Some(_) => self.mark_signed(check, width),
                None => {
                    self.keep_amount(check, width, limit);
                    self.mark_signed(check, width);
                }
            }
        }
    }

    /// An amount that is wider than what is shifted stays too large when it is
    /// narrowed.
    unsafe fn keep_amount(&self, check: &Check<'_>, width: u32, limit: u128) {
        let Some(amount) = check.condition.operand(0) else { return };
        let Some(shift) = first_shift(check.go_on) else { return };
        // SAFETY: integers of the block; the shift's second operand has its type.
        unsafe {
            let from = LLVMGetIntTypeWidth(LLVMTypeOf(amount.raw));
            if from <= width || shift.operand(1) == Some(amount) {
                return;
            }
            let most = self.integer(from, limit);
            let fits = LLVMBuildICmp(self.builder, LLVMIntPredicate::LLVMIntULT, amount.raw, most, NO_NAME);
            let least = LLVMBuildSelect(self.builder, fits, amount.raw, most, NO_NAME);
            let narrow = LLVMBuildTrunc(self.builder, least, LLVMTypeOf(shift.raw), NO_NAME);
            LLVMSetOperand(shift.raw, 1, narrow);
        }
    }

    /// C's signed `<<` must not reach the sign bit. In C++ before C++20 it may,
    /// so that the result is one of a type with one more bit.
    unsafe fn mark_signed(&self, check: &Check<'_>, width: u32) {
        let Some(base) = &check.base else { return };
        let Some(shift) = first_shift(check.go_on).filter(|s| s.opcode() == Some(LLVMOpcode::LLVMShl)) else {
            return;
        };
        // SAFETY: a `shl` instruction, and operations on its operands.
        unsafe {
            if shifts_in(base.look) == 1 {
                mark_as_signed(shift.raw);
                return;
            }
            let wider = LLVMIntTypeInContext(self.context, width + 1);
            LLVMPositionBuilderBefore(self.builder, LLVMGetNextInstruction(shift.raw));
            let operands = [0, 1].map(|i| {
                let operand = LLVMGetOperand(shift.raw, i);
                LLVMBuildZExt(self.builder, operand, wider, NO_NAME)
            });
            let probe = self.unfolded(LLVMOpcode::LLVMShl, operands[0], operands[1]);
            mark_as_signed(probe);
        }
    }

    /// A conversion is still there unless its operand was a constant.
    unsafe fn restore_conversion(&self, check: &Check<'_>) {
        if check.condition.int_bits() != Some(0) {
            return;
        }
        let (signed, width) = check.integer_type(1).unwrap_or((true, 32));
        let number = check.constant(0).map_or(f64::INFINITY, |bits| match u32::try_from(bits) {
            Ok(single) if is_single(check) => f64::from(f32::from_bits(single)),
            _ => f64::from_bits(bits as u64),
        });
        // SAFETY: a constant of the operand's type.
        unsafe {
            let double = LLVMDoubleTypeInContext(self.context);
            let to = LLVMIntTypeInContext(self.context, width);
            let op = if signed { LLVMOpcode::LLVMFPToSI } else { LLVMOpcode::LLVMFPToUI };
            let stand_in = self.stand_in(double);
            let result = LLVMBuildCast(self.builder, op, stand_in, to, NO_NAME);
            LLVMSetOperand(result, 0, LLVMConstReal(double, number));
            LLVMInstructionEraseFromParent(stand_in);
        }
    }
}

/// C's signed `<<` carries both flags. An optimiser's `shl nsw` is another
/// thing: it may shift negative numbers.
unsafe fn mark_as_signed(shift: LLVMValueRef) {
    // SAFETY: a `shl` instruction.
    unsafe {
        LLVMSetNSW(shift, 1);
        LLVMSetNUW(shift, 1);
    }
}

/// The width in which a value of this width is shifted: of `x <<= n`, clang tells the type of `x`,
/// but what is shifted is an `int` where that is narrower.
fn promoted(declared: u32) -> u32 {
    declared.max(32)
}

/// Whether a signed shift of constants overflows.
fn overflows_for_sure(check: &Check<'_>) -> bool {
    check.base.as_ref().is_some_and(|base| base.found.int_bits() == Some(0))
}

/// The shift that a block begins with.
fn first_shift<'m>(block: LLVMBasicBlockRef) -> Option<Value<'m>> {
    // SAFETY: a live block.
    let first = Value::optional(unsafe { LLVMGetFirstInstruction(block) })?;
    let is_shift =
        matches!(first.opcode(), Some(LLVMOpcode::LLVMShl | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr));
    is_shift.then_some(first)
}

/// How often the check of a base shifts: once where the sign bit counts, twice
/// where it does not.
fn shifts_in(block: LLVMBasicBlockRef) -> usize {
    // SAFETY: walks a live block.
    let first = unsafe { LLVMGetFirstInstruction(block) };
    // SAFETY: as above.
    let all = Value::list(first, |v| unsafe { LLVMGetNextInstruction(v) });
    all.filter(|i: &Value<'_>| i.opcode() == Some(LLVMOpcode::LLVMLShr)).count()
}

/// Whether the operand of a conversion is a `float`.
fn is_single(check: &Check<'_>) -> bool {
    let described = || check.handler.operand(0)?.initializer()?.element(1)?.initializer();
    described().and_then(|d| d.element(1)?.int_bits()) == Some(32)
}
