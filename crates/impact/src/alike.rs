//! Threads that are alike stand for one another.
//!
//! Four producers of which some have ended are at the same place whichever these are. So a location
//! is sorted ([`symbolic::Locations::sorted`]): threads get numbers by what they look like, and the
//! data of a thread go with it. A step to a location assigns to the variables of each thread what
//! the thread had that gets this number. What comes of it is a program in its own right, whose
//! executions are those of the program but for the numbers of threads; so all that is done with a
//! product is done with this one, and what is proven of it is proven of the program.
//!
//! That numbers of threads have no bearing on an execution, and the order of joins by `main` none
//! either, is shown by the machine ([`Machine::sort_threads`] has the argument), which must tell
//! handles from numbers for it. Where a program computes with them, nothing comes of it.
//!
//! Two things are different from other products:
//! - A thread that is put off on a cycle may have another number in each of its vertices. So on
//!   each cycle there is a vertex at which no thread at all is put off.
//! - The steps of an execution name threads by the numbers that they have at that moment. So faults
//!   are left to other products, and no condition is looked for under which a thread goes first.

use machine::{Machine, Property};

use crate::check::Options;
use crate::reduce::Order;

/// What is followed where threads are sorted; nothing where they are not.
pub fn followed(machine: &Machine, options: &Options) -> Option<Machine> {
    let races = machine.config().properties.has(Property::Race);
    let sorts = options.reduces && options.por.is_none() && !races && options.orders.contains(&Order::Alike);
    sorts.then(|| machine.with_tagged_handles())
}
