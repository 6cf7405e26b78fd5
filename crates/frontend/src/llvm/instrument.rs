//! Calls that are inserted into a module, for native programs.

use std::ffi::CString;

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMStripModuleDebugInfo;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMOpcode, LLVMTypeKind};

use super::module::Module;
use super::take_message;
use super::value::{Value, ValueKind};

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

fn text(name: &str) -> CString {
    CString::new(name.replace('\0', "?")).unwrap_or_default()
}

impl Module<'_> {
    /// Calls `callee(id)` before an instruction, or after it.
    pub fn insert_call(&mut self, at: Spot, callee: &str, id: u32) {
        let context = self.context_raw();
        let callee = text(callee);
        // SAFETY: a live module that no other code looks at meanwhile (`&mut`); the spot
        // is an instruction of it, since calls are taken out only after all are inserted.
        unsafe {
            let mut word = LLVMInt32TypeInContext(context);
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), &mut word, 1, 0);
            let mut function = LLVMGetNamedFunction(self.raw, callee.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.raw, callee.as_ptr(), ty);
            }
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, at.before);
            let mut argument = LLVMConstInt(word, u64::from(id), 0);
            LLVMBuildCall2(builder, ty, function, &mut argument, 1, NO_NAME);
            LLVMDisposeBuilder(builder);
        }
    }

    /// Takes out a call; its result becomes 0.
    pub fn leave_out(&mut self, call: Call) {
        // SAFETY: a call of this module, which nothing else refers to any more: spots before
        // it are no longer used.
        unsafe {
            let ty = LLVMTypeOf(call.raw);
            if LLVMGetTypeKind(ty) != LLVMTypeKind::LLVMVoidTypeKind {
                LLVMReplaceAllUsesWith(call.raw, LLVMConstNull(ty));
            }
            LLVMInstructionEraseFromParent(call.raw);
        }
    }

    /// Has `chooser(function)` say what a call calls instead of a function.
    pub fn choose_callee(&mut self, call: NamedCall, chooser: &str) {
        let context = self.context_raw();
        let chooser = text(chooser);
        // SAFETY: as in `insert_call`; what a call calls is its last operand.
        unsafe {
            let mut pointer = LLVMPointerTypeInContext(context, 0);
            let ty = LLVMFunctionType(pointer, &mut pointer, 1, 0);
            let mut function = LLVMGetNamedFunction(self.raw, chooser.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.raw, chooser.as_ptr(), ty);
            }
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, call.raw);
            let mut callee = LLVMGetCalledValue(call.raw);
            let chosen = LLVMBuildCall2(builder, ty, function, &mut callee, 1, NO_NAME);
            LLVMSetOperand(call.raw, LLVMGetNumOperands(call.raw) as u32 - 1, chosen);
            LLVMDisposeBuilder(builder);
        }
    }

    /// The module as text, without debug information and without its name.
    pub fn text_without_positions(self) -> String {
        // SAFETY: a live module, which is not used afterwards; the text is ours.
        unsafe {
            LLVMStripModuleDebugInfo(self.raw);
            LLVMSetModuleIdentifier(self.raw, NO_NAME, 0);
            LLVMSetSourceFileName(self.raw, NO_NAME, 0);
            take_message(LLVMPrintModuleToString(self.raw))
        }
    }

    /// Gives a function another name.
    pub fn rename_function(&mut self, from: &str, to: &str) {
        let Some(function) = self.function(from) else { return };
        let to = text(to);
        // SAFETY: a function of this module.
        unsafe { LLVMSetValueName2(function.raw, to.as_ptr(), to.as_bytes().len()) };
    }

    /// Makes a declaration of a function that has a body.
    pub fn take_body(&mut self, name: &str) {
        let Some(function) = self.function(name).map(|f| f.raw) else { return };
        let name = text(name);
        // SAFETY: a function of this module. Nothing refers to it any more when it is deleted, and
        // nothing outside of it to what stands in it.
        unsafe {
            LLVMSetValueName2(function, c"".as_ptr(), 0);
            let declared = LLVMAddFunction(self.raw, name.as_ptr(), LLVMGlobalGetValueType(function));
            LLVMReplaceAllUsesWith(function, declared);
            LLVMDeleteFunction(function);
        }
    }

    /// Gives a declared function a body that returns `source(name)`, brought to
    /// its type; 0 where that is no number. One that is replaceable gives way to a function of the
    /// same name that the program is linked with.
    pub fn define_as_input(&mut self, name: &str, shown: &str, source: &str, replaceable: bool) {
        let Some(function) = self.function(name).filter(|f| f.is_declaration()) else { return };
        let (function, context) = (function.raw, self.context_raw());
        let (source, shown) = (text(source), text(shown));
        // SAFETY: as in `insert_call`; a declaration has no blocks yet.
        unsafe {
            let mut pointer = LLVMPointerTypeInContext(context, 0);
            let ty = LLVMFunctionType(LLVMInt64TypeInContext(context), &mut pointer, 1, 0);
            let mut input = LLVMGetNamedFunction(self.raw, source.as_ptr());
            if input.is_null() {
                input = LLVMAddFunction(self.raw, source.as_ptr(), ty);
            }
            let linkage = match replaceable {
                true => LLVMLinkage::LLVMWeakAnyLinkage,
                false => LLVMLinkage::LLVMInternalLinkage,
            };
            LLVMSetLinkage(function, linkage);
            let block = LLVMAppendBasicBlockInContext(context, function, c"entry".as_ptr());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, block);
            let result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
            if LLVMGetTypeKind(result) == LLVMTypeKind::LLVMVoidTypeKind {
                LLVMBuildRetVoid(builder);
                LLVMDisposeBuilder(builder);
                return;
            }
            let mut argument = LLVMBuildGlobalStringPtr(builder, shown.as_ptr(), c"input".as_ptr());
            let value = LLVMBuildCall2(builder, ty, input, &mut argument, 1, NO_NAME);
            return_as(builder, context, value, result);
            LLVMDisposeBuilder(builder);
        }
    }

    /// Takes out the calls of a function whose results nothing uses.
    pub fn leave_out_unused(&mut self, name: &str) {
        let Some(function) = self.function(name).map(|f| f.raw) else { return };
        // SAFETY: a function of this module. A use is left before its call goes, and what is taken
        // out has no uses.
        unsafe {
            let mut next = LLVMGetFirstUse(function);
            while !next.is_null() {
                let call = LLVMGetUser(next);
                next = LLVMGetNextUse(next);
                let is_call = !LLVMIsACallInst(call).is_null() && LLVMGetCalledValue(call) == function;
                if is_call && LLVMGetFirstUse(call).is_null() {
                    LLVMInstructionEraseFromParent(call);
                }
            }
        }
    }

    /// Marks every function that has a body for the address sanitizer.
    pub fn sanitize_addresses(&mut self) {
        const NAME: &str = "sanitize_address";
        let functions: Vec<LLVMValueRef> =
            self.functions().filter(|f| !f.is_declaration()).map(|f| f.raw).collect();
        // SAFETY: functions of this module, and an attribute of its context.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len());
            let attribute = LLVMCreateEnumAttribute(self.context_raw(), kind, 0);
            functions
                .into_iter()
                .for_each(|f| LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute));
        }
    }
}

/// Ends a block with a word as a value of a type.
///
/// # Safety
/// The builder stands at the end of a block of a function that returns `result`.
unsafe fn return_as(
    builder: LLVMBuilderRef,
    context: LLVMContextRef,
    value: LLVMValueRef,
    result: LLVMTypeRef,
) {
    // SAFETY: the caller's promise; each cast is one that its types allow.
    unsafe {
        let narrow = |bits| LLVMBuildTrunc(builder, value, LLVMIntTypeInContext(context, bits), NO_NAME);
        let value = match LLVMGetTypeKind(result) {
            LLVMTypeKind::LLVMIntegerTypeKind => LLVMBuildIntCast2(builder, value, result, 1, NO_NAME),
            LLVMTypeKind::LLVMPointerTypeKind => LLVMBuildIntToPtr(builder, value, result, NO_NAME),
            LLVMTypeKind::LLVMDoubleTypeKind => LLVMBuildBitCast(builder, value, result, NO_NAME),
            LLVMTypeKind::LLVMFloatTypeKind => LLVMBuildBitCast(builder, narrow(32), result, NO_NAME),
            _ => LLVMConstNull(result),
        };
        LLVMBuildRet(builder, value);
    }
}

/// A call that can be left out: the execution goes on after it in any case.
#[derive(Clone, Copy)]
pub struct Call {
    raw: LLVMValueRef,
}

impl Call {
    /// The call that an instruction is.
    pub fn of(instruction: Value<'_>) -> Option<Call> {
        let is_call = instruction.opcode() == Some(LLVMOpcode::LLVMCall);
        is_call.then_some(Call { raw: instruction.raw })
    }
}

/// A call or invocation that says which function it calls.
#[derive(Clone, Copy)]
pub struct NamedCall {
    raw: LLVMValueRef,
}

impl NamedCall {
    /// The call that an instruction is.
    pub fn of(instruction: Value<'_>) -> Option<NamedCall> {
        let callee = instruction.callee()?;
        (callee.kind() == ValueKind::Function).then_some(NamedCall { raw: instruction.raw })
    }
}

/// A place between two instructions. It stays what it is when calls are inserted elsewhere.
#[derive(Clone, Copy)]
pub struct Spot {
    before: LLVMValueRef,
}

impl Spot {
    /// Before an instruction. A block's first ones may have to stay there.
    pub fn before(instruction: Value<'_>) -> Option<Spot> {
        let fixed =
            [LLVMOpcode::LLVMPHI, LLVMOpcode::LLVMLandingPad].map(Some).contains(&instruction.opcode());
        instruction.opcode().filter(|_| !fixed).map(|_| Spot { before: instruction.raw })
    }

    /// After an instruction, where the execution goes on without an exception.
    /// None after one that ends its function, or where a block has other ways in.
    pub fn after(instruction: Value<'_>) -> Option<Spot> {
        if instruction.opcode() != Some(LLVMOpcode::LLVMInvoke) {
            // SAFETY: an instruction of a live module.
            let next = unsafe { LLVMGetNextInstruction(instruction.raw) };
            return Value::optional(next).and_then(Spot::before);
        }
        let block = *instruction.successors().first()?;
        let first = block.instructions().next()?;
        // A value's users tell how many ways lead into a block: its name is used by each.
        // SAFETY: a block of a live module.
        let uses = unsafe { LLVMGetFirstUse(LLVMBasicBlockAsValue(block.raw)) };
        // SAFETY: as above; a block that a jump leads to has a use.
        let alone = !uses.is_null() && unsafe { LLVMGetNextUse(uses) }.is_null();
        Spot::before(first).filter(|_| alone)
    }
}
