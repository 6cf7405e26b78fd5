//! Values: constants, globals, functions, blocks' instructions.

use std::marker::PhantomData;

use llvm_sys::LLVMInlineAsmDialect;
use llvm_sys::LLVMTypeKind;
use llvm_sys::LLVMValueKind as K;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use super::types::Type;
use super::{take_message, text};

/// Anything an instruction can refer to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value<'m> {
    pub(super) raw: LLVMValueRef,
    life: PhantomData<&'m ()>,
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block<'m> {
    pub(super) raw: LLVMBasicBlockRef,
    life: PhantomData<&'m ()>,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ValueKind {
    Argument,
    Function,
    Alias,
    Global,
    Instruction,
    Int,
    Float,
    Null,
    Undef,
    Zero,
    Aggregate,
    Expression,
    Assembly,
    Metadata,
    BlockAddress,
    Other,
}

/// The instructions that use a value.
pub struct Users<'m> {
    next: LLVMUseRef,
    life: PhantomData<&'m ()>,
}

impl<'m> Iterator for Users<'m> {
    type Item = Value<'m>;

    fn next(&mut self) -> Option<Value<'m>> {
        if self.next.is_null() {
            return None;
        }
        // SAFETY: a use of a live value.
        unsafe {
            let user = LLVMGetUser(self.next);
            self.next = LLVMGetNextUse(self.next);
            Value::optional(user)
        }
    }
}

impl<'m> Value<'m> {
    pub(super) fn optional(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value { raw, life: PhantomData })
    }

    pub(super) fn list(
        first: LLVMValueRef,
        next: impl Fn(LLVMValueRef) -> LLVMValueRef,
    ) -> impl Iterator<Item = Value<'m>> {
        let mut at = first;
        std::iter::from_fn(move || {
            let value = Value::optional(at)?;
            at = next(at);
            Some(value)
        })
    }

    /// What the value is.
    pub fn kind(self) -> ValueKind {
        // SAFETY: any value can be asked.
        match unsafe { LLVMGetValueKind(self.raw) } {
            K::LLVMArgumentValueKind => ValueKind::Argument,
            K::LLVMFunctionValueKind => ValueKind::Function,
            K::LLVMGlobalAliasValueKind => ValueKind::Alias,
            K::LLVMGlobalVariableValueKind => ValueKind::Global,
            K::LLVMInstructionValueKind => ValueKind::Instruction,
            K::LLVMConstantIntValueKind => ValueKind::Int,
            K::LLVMConstantFPValueKind => ValueKind::Float,
            K::LLVMConstantPointerNullValueKind => ValueKind::Null,
            K::LLVMUndefValueValueKind | K::LLVMPoisonValueKind => ValueKind::Undef,
            K::LLVMConstantAggregateZeroValueKind => ValueKind::Zero,
            K::LLVMConstantArrayValueKind
            | K::LLVMConstantStructValueKind
            | K::LLVMConstantVectorValueKind
            | K::LLVMConstantDataArrayValueKind
            | K::LLVMConstantDataVectorValueKind => ValueKind::Aggregate,
            K::LLVMConstantExprValueKind => ValueKind::Expression,
            K::LLVMInlineAsmValueKind => ValueKind::Assembly,
            K::LLVMMetadataAsValueValueKind => ValueKind::Metadata,
            K::LLVMBlockAddressValueKind => ValueKind::BlockAddress,
            _ => ValueKind::Other,
        }
    }

    fn is(self, kind: ValueKind) -> bool {
        self.kind() == kind
    }

    fn is_op(self, opcode: LLVMOpcode) -> bool {
        self.opcode() == Some(opcode)
    }

    /// The value's type.
    pub fn ty(self) -> Type<'m> {
        // SAFETY: every value has a type.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// The value's name in the module; empty if it has none.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the text belongs to the value.
        unsafe {
            let data = LLVMGetValueName2(self.raw, &mut len);
            text(data, len)
        }
    }

    /// The operation of an instruction or constant expression.
    pub fn opcode(self) -> Option<LLVMOpcode> {
        // SAFETY: asked of the right kinds only.
        match self.kind() {
            ValueKind::Instruction => Some(unsafe { LLVMGetInstructionOpcode(self.raw) }),
            ValueKind::Expression => Some(unsafe { LLVMGetConstOpcode(self.raw) }),
            _ => None,
        }
    }

    fn has_operands(self) -> bool {
        !matches!(
            self.kind(),
            ValueKind::Argument | ValueKind::Assembly | ValueKind::Metadata | ValueKind::Other
        )
    }

    /// How many operands the value has.
    pub fn operand_count(self) -> u32 {
        if !self.has_operands() {
            return 0;
        }
        // SAFETY: a value of a kind that has operands.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    /// An operand, if there is one with this index.
    pub fn operand(self, index: u32) -> Option<Value<'m>> {
        if index >= self.operand_count() {
            return None;
        }
        // SAFETY: the index is in range.
        Value::optional(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// The instructions and constants that use the value (debug information does not count).
    pub fn users(self) -> Users<'m> {
        // SAFETY: any value can be asked.
        Users { next: unsafe { LLVMGetFirstUse(self.raw) }, life: PhantomData }
    }

    /// The block an instruction is in.
    pub fn block(self) -> Option<Block<'m>> {
        if !self.is(ValueKind::Instruction) {
            return None;
        }
        // SAFETY: an instruction.
        Block::optional(unsafe { LLVMGetInstructionParent(self.raw) })
    }

    /// Where a terminator goes on to.
    pub fn successors(self) -> Vec<Block<'m>> {
        // SAFETY: only terminators are asked, and indices are in range.
        unsafe {
            if !self.is(ValueKind::Instruction) || LLVMIsATerminatorInst(self.raw).is_null() {
                return Vec::new();
            }
            (0..LLVMGetNumSuccessors(self.raw))
                .filter_map(|i| Block::optional(LLVMGetSuccessor(self.raw, i)))
                .collect()
        }
    }

    /// The bits of an integer constant of up to 128 bits.
    pub fn int_bits(self) -> Option<u128> {
        if !self.is(ValueKind::Int) {
            return None;
        }
        // SAFETY: an integer constant; the short way is only for those of up to 64 bits.
        unsafe {
            let width = LLVMGetIntTypeWidth(LLVMTypeOf(self.raw));
            if width <= 64 {
                let value = u128::from(LLVMConstIntGetZExtValue(self.raw));
                return Some(if width == 64 { value } else { value & ((1 << width) - 1) });
            }
            // The C interface has no way to larger ones but their text: "i128 -5".
            let shown = take_message(LLVMPrintValueToString(self.raw));
            let number = shown.split_whitespace().nth(1)?;
            let value: i128 = number.parse().ok()?;
            Some(if width >= 128 { value as u128 } else { value as u128 & ((1 << width) - 1) })
        }
    }

    /// The IEEE bits of a float constant.
    pub fn float_bits(self) -> Option<u128> {
        if !self.is(ValueKind::Float) {
            return None;
        }
        let mut lost = 0;
        // SAFETY: a float constant.
        let (kind, value) =
            unsafe { (LLVMGetTypeKind(LLVMTypeOf(self.raw)), LLVMConstRealGetDouble(self.raw, &mut lost)) };
        match kind {
            LLVMTypeKind::LLVMFloatTypeKind => Some((value as f32).to_bits().into()),
            LLVMTypeKind::LLVMDoubleTypeKind => Some(value.to_bits().into()),
            // The C interface has no way to these but their text: "half 0xH3E00".
            LLVMTypeKind::LLVMHalfTypeKind => self.bits_shown("0xH"),
            LLVMTypeKind::LLVMX86_FP80TypeKind => self.bits_shown("0xK"),
            _ => None,
        }
    }

    /// The bits in the text of a constant, after its type and this prefix.
    fn bits_shown(self, prefix: &str) -> Option<u128> {
        let shown = self.show();
        let digits = shown.split_whitespace().nth(1)?.strip_prefix(prefix)?;
        u128::from_str_radix(digits, 16).ok()
    }

    /// An element of a constant aggregate.
    pub fn element(self, index: u32) -> Option<Value<'m>> {
        if !matches!(self.kind(), ValueKind::Aggregate | ValueKind::Zero | ValueKind::Undef) {
            return None;
        }
        // SAFETY: LLVM answers null if there is no such element.
        Value::optional(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant array of characters.
    pub fn string_bytes(self) -> Option<Vec<u8>> {
        // SAFETY: only constant strings are asked; the bytes belong to the context.
        unsafe {
            if self.is(ValueKind::Aggregate) && LLVMIsConstantString(self.raw) != 0 {
                let mut len = 0;
                let data = LLVMGetAsString(self.raw, &mut len);
                return Some(std::slice::from_raw_parts(data.cast::<u8>(), len).to_vec());
            }
        }
        None
    }

    /// The block whose address this is.
    pub fn addressed_block(self) -> Option<Block<'m>> {
        if !self.is(ValueKind::BlockAddress) {
            return None;
        }
        // SAFETY: the address of a block.
        Block::optional(unsafe { LLVMGetBlockAddressBasicBlock(self.raw) })
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Option<Value<'m>> {
        // SAFETY: an alias.
        if self.is(ValueKind::Alias) {
            Value::optional(unsafe { LLVMAliasGetAliasee(self.raw) })
        } else {
            None
        }
    }

    /// A global's initial value.
    pub fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: a global variable.
        if self.is(ValueKind::Global) {
            Value::optional(unsafe { LLVMGetInitializer(self.raw) })
        } else {
            None
        }
    }

    fn is_global(self) -> bool {
        matches!(self.kind(), ValueKind::Global | ValueKind::Function)
    }

    /// Whether a function or global has no body or value here.
    pub fn is_declaration(self) -> bool {
        // SAFETY: a global value.
        self.is_global() && unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether it is a weak reference that may be null.
    pub fn is_extern_weak(self) -> bool {
        // SAFETY: a global value.
        self.is_global()
            && unsafe { LLVMGetLinkage(self.raw) == llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage }
    }

    /// Whether a global is constant.
    pub fn is_constant(self) -> bool {
        // SAFETY: a global variable.
        self.is(ValueKind::Global) && unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Whether a global is thread-local.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        self.is(ValueKind::Global) && unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// The type of a global's or function's contents.
    pub fn value_type(self) -> Option<Type<'m>> {
        // SAFETY: a global value.
        self.is_global().then(|| Type::new(unsafe { LLVMGlobalGetValueType(self.raw) }))
    }

    /// The explicit alignment of a global, alloca, load or store; 0 if none.
    pub fn explicit_align(self) -> u32 {
        let known = self.is_global()
            || matches!(
                self.opcode(),
                Some(LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore)
            ) && self.is(ValueKind::Instruction);
        // SAFETY: a kind that has an alignment.
        if known { unsafe { LLVMGetAlignment(self.raw) } } else { 0 }
    }

    /// The parameters of a function.
    pub fn params(self) -> Vec<Value<'m>> {
        if !self.is(ValueKind::Function) {
            return Vec::new();
        }
        // SAFETY: a function, and indices in range.
        unsafe {
            (0..LLVMCountParams(self.raw))
                .filter_map(|i| Value::optional(LLVMGetParam(self.raw, i)))
                .collect()
        }
    }

    /// The blocks of a function.
    pub fn blocks(self) -> Vec<Block<'m>> {
        if !self.is(ValueKind::Function) {
            return Vec::new();
        }
        let mut blocks = Vec::new();
        // SAFETY: walks the function's list.
        unsafe {
            let mut at = LLVMGetFirstBasicBlock(self.raw);
            while !at.is_null() {
                blocks.push(Block { raw: at, life: PhantomData });
                at = LLVMGetNextBasicBlock(at);
            }
        }
        blocks
    }

    /// The type a parameter (from 0) is passed by value as, if it is.
    pub fn byval_type(self, param: u32) -> Option<Type<'m>> {
        let kind = attribute_kind("byval");
        // SAFETY: a function; parameter attributes count from 1.
        unsafe {
            if !self.is(ValueKind::Function) {
                return None;
            }
            let attribute = LLVMGetEnumAttributeAtIndex(self.raw, param + 1, kind);
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type an argument (from 0) of a call is passed by value as, if it is.
    pub fn byval_argument(self, argument: u32) -> Option<Type<'m>> {
        if !self.is_call() {
            return None;
        }
        // SAFETY: a call; parameter attributes count from 1.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, attribute_kind("byval"));
            (!attribute.is_null()).then(|| Type::new(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The alignment that an argument (from 0) of a call is said to have, or 0.
    pub fn argument_alignment(self, argument: u32) -> u64 {
        if !self.is_call() {
            return 0;
        }
        // SAFETY: a call; parameter attributes count from 1.
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, attribute_kind("align"));
            if attribute.is_null() { 0 } else { LLVMGetEnumAttributeValue(attribute) }
        }
    }

    /// Whether a function carries a string attribute.
    pub fn has_mark(self, mark: &str) -> bool {
        // SAFETY: a function.
        self.is(ValueKind::Function)
            && unsafe {
                !LLVMGetStringAttributeAtIndex(
                    self.raw,
                    llvm_sys::LLVMAttributeFunctionIndex,
                    mark.as_ptr().cast(),
                    mark.len() as u32,
                )
                .is_null()
            }
    }

    /// Whether the value is a call or invoke instruction.
    pub fn is_call(self) -> bool {
        self.is(ValueKind::Instruction)
            && matches!(self.opcode(), Some(LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke))
    }

    /// What a call calls.
    pub fn callee(self) -> Option<Value<'m>> {
        // SAFETY: a call.
        if self.is_call() { Value::optional(unsafe { LLVMGetCalledValue(self.raw) }) } else { None }
    }

    /// The function type a call uses.
    pub fn call_type(self) -> Option<Type<'m>> {
        // SAFETY: a call.
        self.is_call().then(|| Type::new(unsafe { LLVMGetCalledFunctionType(self.raw) }))
    }

    /// A call's arguments.
    pub fn arguments(self) -> Vec<Value<'m>> {
        if !self.is_call() {
            return Vec::new();
        }
        // SAFETY: a call.
        let count = unsafe { LLVMGetNumArgOperands(self.raw) };
        (0..count).filter_map(|i| self.operand(i)).collect()
    }

    /// Text and constraints of inline assembly, if it has the order of operands of AT&T.
    pub fn assembly(self) -> Option<(String, String)> {
        if !self.is(ValueKind::Assembly) {
            return None;
        }
        let mut len = 0;
        // SAFETY: inline assembly; the texts belong to it.
        unsafe {
            if LLVMGetInlineAsmDialect(self.raw) != LLVMInlineAsmDialect::LLVMInlineAsmDialectATT {
                return None;
            }
            let data = LLVMGetInlineAsmAsmString(self.raw, &mut len);
            let code = text(data, len);
            let data = LLVMGetInlineAsmConstraintString(self.raw, &mut len);
            Some((code, text(data, len)))
        }
    }

    /// Whether integer arithmetic promises not to wrap as signed. A shift must
    /// promise it as unsigned, too: then it is a signed one of C.
    pub fn no_signed_wrap(self) -> bool {
        if !self.is(ValueKind::Instruction) {
            return false;
        }
        // SAFETY: instructions that can have the flags.
        match self.opcode() {
            Some(LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul) => unsafe {
                LLVMGetNSW(self.raw) != 0
            },
            Some(LLVMOpcode::LLVMShl) => unsafe { LLVMGetNSW(self.raw) != 0 && LLVMGetNUW(self.raw) != 0 },
            _ => false,
        }
    }

    /// Whether a memory access is volatile.
    pub fn is_volatile(self) -> bool {
        let fits = matches!(
            self.opcode(),
            Some(
                LLVMOpcode::LLVMLoad
                    | LLVMOpcode::LLVMStore
                    | LLVMOpcode::LLVMAtomicRMW
                    | LLVMOpcode::LLVMAtomicCmpXchg
            )
        );
        // SAFETY: an instruction that can be volatile.
        fits && unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// The ordering of a load, store, fence or read-modify-write.
    pub fn ordering(self) -> Option<LLVMAtomicOrdering> {
        let fits = matches!(
            self.opcode(),
            Some(
                LLVMOpcode::LLVMLoad
                    | LLVMOpcode::LLVMStore
                    | LLVMOpcode::LLVMFence
                    | LLVMOpcode::LLVMAtomicRMW
            )
        );
        // SAFETY: an instruction that has an ordering.
        fits.then(|| unsafe { LLVMGetOrdering(self.raw) })
    }

    /// Whether a fence orders only what one thread does: nothing, for others.
    pub fn is_single_thread_fence(self) -> bool {
        // SAFETY: a fence has a scope.
        self.opcode() == Some(LLVMOpcode::LLVMFence) && unsafe { LLVMIsAtomicSingleThread(self.raw) != 0 }
    }

    /// The orderings of a compare-and-exchange on success and failure, and whether it is weak.
    pub fn exchange_orderings(self) -> Option<(LLVMAtomicOrdering, LLVMAtomicOrdering, bool)> {
        // SAFETY: a cmpxchg instruction.
        self.is_op(LLVMOpcode::LLVMAtomicCmpXchg).then(|| unsafe {
            (
                LLVMGetCmpXchgSuccessOrdering(self.raw),
                LLVMGetCmpXchgFailureOrdering(self.raw),
                LLVMGetWeak(self.raw) != 0,
            )
        })
    }

    /// What a read-modify-write does.
    pub fn rmw_op(self) -> Option<LLVMAtomicRMWBinOp> {
        // SAFETY: an atomicrmw instruction.
        self.is_op(LLVMOpcode::LLVMAtomicRMW).then(|| unsafe { LLVMGetAtomicRMWBinOp(self.raw) })
    }

    /// An integer comparison's predicate.
    pub fn int_predicate(self) -> Option<LLVMIntPredicate> {
        // SAFETY: an icmp.
        self.is_op(LLVMOpcode::LLVMICmp).then(|| unsafe { LLVMGetICmpPredicate(self.raw) })
    }

    /// A float comparison's predicate.
    pub fn real_predicate(self) -> Option<LLVMRealPredicate> {
        // SAFETY: an fcmp.
        self.is_op(LLVMOpcode::LLVMFCmp).then(|| unsafe { LLVMGetFCmpPredicate(self.raw) })
    }

    /// The type an alloca allocates.
    pub fn allocated_type(self) -> Option<Type<'m>> {
        // SAFETY: an alloca.
        self.is_op(LLVMOpcode::LLVMAlloca).then(|| Type::new(unsafe { LLVMGetAllocatedType(self.raw) }))
    }

    /// The type an address computation starts from.
    pub fn gep_type(self) -> Option<Type<'m>> {
        // SAFETY: a getelementptr.
        self.is_op(LLVMOpcode::LLVMGetElementPtr)
            .then(|| Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) }))
    }

    /// The indices of an insertvalue or extractvalue.
    pub fn indices(self) -> Vec<u32> {
        if !matches!(self.opcode(), Some(LLVMOpcode::LLVMExtractValue | LLVMOpcode::LLVMInsertValue))
            || !self.is(ValueKind::Instruction)
        {
            return Vec::new();
        }
        // SAFETY: an instruction with that many indices.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count).to_vec()
        }
    }

    /// Which elements a shuffle takes; `None` for an undefined one.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        if !self.is_op(LLVMOpcode::LLVMShuffleVector) || !self.is(ValueKind::Instruction) {
            return Vec::new();
        }
        // SAFETY: a shufflevector instruction.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok())
                .collect()
        }
    }

    /// The value and block of each way into a phi.
    pub fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        if !self.is_op(LLVMOpcode::LLVMPHI) {
            return Vec::new();
        }
        // SAFETY: a phi, and indices in range.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .filter_map(|i| {
                    let value = Value::optional(LLVMGetIncomingValue(self.raw, i))?;
                    Some((value, Block::optional(LLVMGetIncomingBlock(self.raw, i))?))
                })
                .collect()
        }
    }

    /// The text of the value, for messages.
    pub fn show(self) -> String {
        // SAFETY: the message is ours.
        unsafe { take_message(LLVMPrintValueToString(self.raw)) }
    }
}

fn attribute_kind(name: &str) -> u32 {
    // SAFETY: looks a name up.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl<'m> Block<'m> {
    fn optional(raw: LLVMBasicBlockRef) -> Option<Block<'m>> {
        (!raw.is_null()).then_some(Block { raw, life: PhantomData })
    }

    /// The block's instructions.
    pub fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: walks the block's list.
        let first = unsafe { LLVMGetFirstInstruction(self.raw) };
        // SAFETY: as above.
        Value::list(first, |v| unsafe { LLVMGetNextInstruction(v) })
    }

    /// The block's last instruction.
    pub fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: a live block.
        Value::optional(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }
}
