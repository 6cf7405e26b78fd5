//! Why nothing is to be seen of a fault that native code has come to.

use machine::{FaultKind, Property};

/// What native code does instead of showing the fault.
pub fn why_unseen(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::StackOverflow { .. } => "the native stack is larger than the one that was checked",
        FaultKind::UninitialisedPointer { .. } => {
            "what the pointer happens to hold natively is an address that can be used"
        }
        FaultKind::WildPointer { .. } => "natively there is memory at that address",
        FaultKind::OutOfBounds { .. } => {
            "natively the bytes beyond the object are there, and the address sanitizer does not guard them"
        }
        FaultKind::UseAfterScope { .. } => {
            "natively the variable's memory is still there, and the address sanitizer does not guard it"
        }
        FaultKind::WriteToConstant { .. } => "natively the constant lies in memory that can be written",
        FaultKind::OverlappingCopy { .. } => "native code copies whether or not the memory overlaps",
        FaultKind::BadArguments { .. } | FaultKind::BadCall { .. } => {
            "the function that is called natively takes what it finds where it expects its arguments"
        }
        FaultKind::BadElement { .. } | FaultKind::BadJump | FaultKind::Unreachable => {
            "what compiled code does there is undefined, and it went on"
        }
        FaultKind::MismatchedFree { .. } | FaultKind::MismatchedSize { .. } => {
            "the native allocator does not compare how memory was allocated with how it is given back"
        }
        _ => why_unseen_in_general(kind.property()),
    }
}

fn why_unseen_in_general(property: Property) -> &'static str {
    match property {
        Property::Assert => "natively the condition held there, or the program goes on though it did not",
        Property::Memory => "neither the processor nor the address sanitizer noticed the access",
        Property::Race => "a race has no effect of its own",
        Property::Leak | Property::Cleanup => "memory that is not given back has no effect of its own",
        Property::Overflow => "native arithmetic wraps around",
        Property::Arithmetic => "native arithmetic yields some number",
        Property::LockMisuse => "the native library does not look for this mistake",
        Property::Uninit => "natively some value is there",
        _ => "a fault of this kind has no effect of its own",
    }
}
