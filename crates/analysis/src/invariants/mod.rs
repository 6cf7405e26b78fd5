//! Which assertions can fail: values of variables, with invariants of locks.
//!
//! A global variable is *stable* at a point of a thread if no other thread can
//! write to it while the thread is there (`Rules::excludes`): because a lock
//! is held under which all others write, because the others do not exist yet or
//! have ended, or because no other thread writes at all. Where a variable is stable
//! its value is followed in the order of execution, as registers are. Where it
//! is not, it is any value that is ever written.
//!
//! # Invariants
//!
//! Let every write to a variable be made under a lock, but for writes of the
//! main thread at times when there are no other threads. Such a lock is a
//! `Guard` of the variable. Its invariant is the join of the variable's values
//! that a thread has written and that were stable for it ever since,
//!
//! - where a thread may give the lock back (unlocking it, waiting on a condition
//!   with it, writing to its bytes), where a thread ends,
//! - where a thread is created and the lock is not held, and
//! - where the variable stops being stable for lack of knowledge, as on one of
//!   two paths.
//!
//! A thread that takes the lock, and for which the variable was not stable
//! before, finds a value of the invariant. For let the last write before be made
//! under the lock: the thread that made it has given the lock back since, and the
//! variable was stable for him all the time in between, so that his value was
//! joined; or it has stopped being stable and was joined then. Let it be made
//! while there were no other threads: the main thread has either created one
//! since, or the variable has stopped being stable for it, or it still is, which
//! it was not. The same holds for a thread that finds itself alone again: all
//! threads that wrote have given the lock back or have ended.
//!
//! Let one thread, of which there is one instance, make all those writes. It finds
//! at its start what the main thread has joined as above. The main thread, where
//! it knows that the other one has ended, finds what the variable was then, or
//! what it has written since: if that is not known any more, then because the
//! variable has stopped being stable, where it was joined. (It also stops being
//! stable where the other thread is created. What the main thread has written
//! before is joined to what that thread finds, and to nothing else.)
//!
//! A variable that is only written while there are no other threads has an
//! invariant that always holds for the others. Atomic sections are a lock like
//! others. A thread that blocks within one is taken to give it back meanwhile.
//!
//! # What is relied on
//!
//! What the rest of the analysis relies on, of executions up to the first fault
//! that ends them. Mutual exclusion does not depend on the absence of races.
//! Values are those of the machine: arithmetic wraps, what was never initialised
//! is any number.

pub mod cells;
pub mod heads;
pub mod interval;

mod refine;
mod transfer;
mod walk;
mod widening;

use std::collections::{BTreeMap, BTreeSet};

use interval::Interval;

use crate::Place;
use crate::flow::FlowOf;
use crate::interpret::Interpreter;
use crate::rules::Rules;

/// What is known of the values in a program.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The instructions that can be reached as far as is known.
    pub reached: BTreeSet<Place>,
    /// What instructions that load from memory may load.
    pub loads: BTreeMap<Place, Interval>,
    /// The failures of interest that can be reached.
    pub failures: Vec<Place>,
}

/// Computes what is known of values; up to the first failure of interest that
/// can be reached. `None` if it would take too long.
pub(crate) fn values(
    interpreter: &Interpreter<'_>,
    flow: &FlowOf<'_, '_>,
    rules: &Rules<'_, '_>,
    interests: &dyn Fn(ir::Failure) -> bool,
) -> Option<Values> {
    walk::Walk::new(interpreter, flow, rules, interests).run().map(|walk| walk.found)
}
