//! Reading, linking and checking modules.

use std::cell::RefCell;
use std::ffi::{CString, c_void};

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::{LLVMDiagnosticSeverity, LLVMLinkage};
use rustc_hash::FxHashSet;

use super::types::{Type, TypeKind};
use super::value::Value;
use super::{take_message, text};

/// Owns everything read from modules.
pub struct Context {
    raw: LLVMContextRef,
    /// Errors that LLVM reported through its diagnostic handler.
    errors: Box<RefCell<Vec<String>>>,
}

/// A module: functions and global variables.
pub struct Module<'c> {
    pub(super) raw: LLVMModuleRef,
    context: &'c Context,
}

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM hands over a live diagnostic, and the pointer that `Context::new` registered.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            let errors = &*errors.cast::<RefCell<Vec<String>>>();
            errors.borrow_mut().push(take_message(LLVMGetDiagInfoDescription(info)));
        }
    }
}

impl Context {
    /// An empty context. Errors LLVM finds are collected instead of ending the process.
    pub fn new() -> Context {
        let errors = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the box outlives the context, which `drop` disposes first.
        unsafe {
            let raw = LLVMContextCreate();
            let data = std::ptr::from_ref(&*errors).cast_mut().cast::<c_void>();
            LLVMContextSetDiagnosticHandler(raw, Some(on_diagnostic), data);
            Context { raw, errors }
        }
    }

    fn take_errors(&self) -> Option<String> {
        let errors = std::mem::take(&mut *self.errors.borrow_mut());
        (!errors.is_empty()).then(|| errors.join("\n"))
    }

    /// Reads bitcode or textual IR.
    pub fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        let mut raw = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: the buffer is a copy (with the zero byte at its end that the
        // reader wants), which LLVMParseIRInContext takes over.
        let failed = unsafe {
            let data = bytes.as_ptr().cast();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, bytes.len(), name.as_ptr());
            LLVMParseIRInContext(self.raw, buffer, &mut raw, &mut message) != 0
        };
        // SAFETY: the message is ours.
        let message = unsafe { take_message(message) };
        let noted = self.take_errors();
        if failed || raw.is_null() {
            return Err(if message.is_empty() { noted.unwrap_or_default() } else { message });
        }
        let module = Module { raw, context: self };
        if let Some(noted) = noted {
            return Err(noted);
        }
        module.verify()?;
        // SAFETY: a live module. Debug records become calls, which the C interface can read.
        unsafe { LLVMSetIsNewDbgInfoFormat(module.raw, 0) };
        Ok(module)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: every module borrows the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: owned by us alone; values carry the borrow of `self` or die unused.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}

impl<'c> Module<'c> {
    /// Runs LLVM's own consistency check.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: a live module; the message is ours.
        unsafe {
            let broken = LLVMVerifyModule(self.raw, action, &mut message) != 0;
            let message = take_message(message);
            if broken { Err(message) } else { Ok(()) }
        }
    }

    /// The module as bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: a live module; the buffer is ours, and is copied before it goes.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let (data, len) = (LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), len).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Adds another module's contents to this one.
    pub fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: both are live and of one context; the linker takes `other` over, even if it fails.
        let failed = unsafe { LLVMLinkModules2(self.raw, raw) != 0 };
        match self.context.take_errors() {
            None if failed => Err("the modules cannot be linked".to_owned()),
            None => Ok(()),
            Some(errors) => Err(errors),
        }
    }

    /// Marks every function of the module with an attribute, and makes every
    /// definition one that is only linked in where needed and gives way to any other.
    pub fn into_library(self, mark: &str) -> Module<'c> {
        // SAFETY: the values are this module's functions and globals.
        unsafe {
            let key = LLVMCreateStringAttribute(
                self.context.raw,
                mark.as_ptr().cast(),
                mark.len() as u32,
                std::ptr::null(),
                0,
            );
            for f in self.functions().filter(|f| !f.is_declaration()) {
                LLVMAddAttributeAtIndex(f.raw, llvm_sys::LLVMAttributeFunctionIndex, key);
            }
            let definitions = self.functions().chain(self.globals()).filter(|v| !v.is_declaration());
            for v in definitions.filter(|v| LLVMGetLinkage(v.raw) == LLVMLinkage::LLVMExternalLinkage) {
                LLVMSetLinkage(v.raw, LLVMLinkage::LLVMLinkOnceAnyLinkage);
            }
        }
        self
    }

    /// Makes definitions of functions give way to any others of the same name.
    pub fn give_way(&mut self, names: &FxHashSet<String>) {
        for function in self.functions().filter(|f| names.contains(&f.name())) {
            // SAFETY: a function of this module.
            unsafe { LLVMSetLinkage(function.raw, LLVMLinkage::LLVMWeakAnyLinkage) };
        }
    }

    /// Declares a function without parameters, so that the linker brings its definition.
    pub fn declare(&mut self, name: &str) {
        if self.function(name).is_some() {
            return;
        }
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: a fresh declaration in a live module.
        unsafe {
            let void = LLVMVoidTypeInContext(self.context.raw);
            let ty = LLVMFunctionType(void, std::ptr::null_mut(), 0, 0);
            LLVMAddFunction(self.raw, name.as_ptr(), ty);
        }
    }

    /// The functions, declared or defined.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> + use<'_, 'c> {
        // SAFETY: walks the module's list.
        let first = unsafe { LLVMGetFirstFunction(self.raw) };
        // SAFETY: as above.
        Value::list(first, |v| unsafe { LLVMGetNextFunction(v) })
    }

    /// The global variables, declared or defined.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> + use<'_, 'c> {
        // SAFETY: walks the module's list.
        let first = unsafe { LLVMGetFirstGlobal(self.raw) };
        // SAFETY: as above.
        Value::list(first, |v| unsafe { LLVMGetNextGlobal(v) })
    }

    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: a live module.
        Value::optional(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    /// The global variable with this name.
    pub fn global(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: a live module.
        Value::optional(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// Assembly outside functions.
    pub fn assembly(&self) -> String {
        let mut len = 0;
        // SAFETY: a string the module owns.
        unsafe {
            let data = LLVMGetModuleInlineAsm(self.raw, &mut len);
            text(data, len)
        }
    }

    fn layout(&self) -> LLVMTargetDataRef {
        // SAFETY: owned by the module.
        unsafe { LLVMGetModuleDataLayout(self.raw) }
    }

    /// Pointer width in bits.
    pub fn pointer_width(&self) -> u32 {
        // SAFETY: a live data layout.
        unsafe { LLVMPointerSize(self.layout()) * 8 }
    }

    /// The bytes from one array element to the next; 0 if the type has no size.
    pub fn alloc_size(&self, ty: Type<'_>) -> u64 {
        // SAFETY: only sized types have a layout.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// The bytes a store writes.
    pub fn store_size(&self, ty: Type<'_>) -> u64 {
        // SAFETY: only sized types have a layout.
        if ty.is_sized() { unsafe { LLVMStoreSizeOfType(self.layout(), ty.raw) } } else { 0 }
    }

    /// The alignment the ABI asks for.
    pub fn align(&self, ty: Type<'_>) -> u32 {
        // SAFETY: only sized types have a layout.
        if ty.is_sized() { unsafe { LLVMABIAlignmentOfType(self.layout(), ty.raw) } } else { 1 }
    }

    /// The offset of a structure's field; 0 if there is no such field.
    pub fn field_offset(&self, ty: Type<'_>, field: u32) -> u64 {
        match ty.kind() {
            TypeKind::Struct(fields) if (field as usize) < fields.len() && ty.is_sized() => {
                // SAFETY: a sized structure that has the field.
                unsafe { LLVMOffsetOfElement(self.layout(), ty.raw, field) }
            }
            _ => 0,
        }
    }
}

impl Module<'_> {
    pub(super) fn context_raw(&self) -> LLVMContextRef {
        self.context.raw
    }
}
