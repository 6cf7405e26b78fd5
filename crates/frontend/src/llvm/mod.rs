//! A thin view of LLVM modules: the only place that calls LLVM. It only reads
//! them, but for [`take_out_checks`], for linking and for native programs (`instrument`).
//!
//! LLVM's C interface is made of raw pointers and trusts its caller to ask a
//! value only what its kind can answer. Everything unsafe about that stays in
//! this folder, and is sound because:
//!
//! - values, types, blocks and metadata carry the lifetime of a borrow of
//!   their module, and modules are only changed through `&mut` or consumed;
//! - a question that only some kinds of values can answer is asked only after
//!   the kind was checked here;
//! - only modules that LLVM's verifier accepted are walked.
#![allow(unsafe_code)]

mod checks;
mod debug;
mod instrument;
mod module;
mod types;
mod value;

pub use checks::take_out as take_out_checks;
pub use debug::{DebugNode, NodeKind};
pub use instrument::{Call, NamedCall, Spot};
pub use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as RmwBinOp, LLVMIntPredicate as IntPredicate,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
};
pub use module::{Context, Module};
pub use types::{Type, TypeKind};
pub use value::{Block, Value, ValueKind};

/// Copies `len` bytes that LLVM owns.
///
/// # Safety
/// `data` must be null or point to `len` readable bytes.
unsafe fn text(data: *const libc_char, len: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a message that LLVM allocated.
///
/// # Safety
/// `message` must be null or a string made by LLVM that no other code frees.
unsafe fn take_message(message: *mut libc_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM's messages end with a zero byte and are ours to free.
    unsafe {
        let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(message);
        text
    }
}

#[allow(non_camel_case_types)]
type libc_char = std::ffi::c_char;
