//! The lock within `std::atomic<std::shared_ptr>`.
//!
//! Where libstdc++ has only read the pointer (`load`, a comparison that fails),
//! it gives the lock back with relaxed order. By the letter of the memory model
//! the next store then races with that read; on x86 the read is over before the
//! lock is free. The standard promises that these operations do not race, so the
//! lock is given back with release order here. `wait` is left as it is.

use ir::{Arg, Operand};

/// `std::memory_order_release`.
const RELEASE: u64 = 3;

/// Whether this is the function that gives the lock back.
fn gives_back(callee: &str) -> bool {
    let is_of_pointer = callee.starts_with("_ZNKSt10_Sp_atomicI");
    is_of_pointer && callee.ends_with("13_Atomic_count6unlockESt12memory_order")
}

/// Sets the order of a call that gives the lock back.
pub fn release_lock(callee: &str, args: &mut [Arg]) {
    if gives_back(callee)
        && let [_, order] = args
    {
        order.value = Operand::Int(RELEASE);
    }
}
