//! Public objects of large states have numbers that do not shift.
//!
//! In small states every step that changes the pointers of public objects is followed
//! by a traversal of the whole state. Where there are more objects than
//! [`Config::few_objects`](crate::Config), that costs too much. Which objects are public
//! is found there from how many pointers lead to them ([`crate::identity::counts`]). A
//! public object keeps its number as long as it is public. One that becomes public
//! gets the number after those of all others, and one that is public no more leaves a *hole*
//! behind, unless it was the last. The other objects come after the public ones, in the
//! order in which the traversal of the threads meets them, as in small states.
//!
//! # Why it is sound
//!
//! The future of a state depends neither on the numbers of its objects nor on holes. So
//! states with the same future may be told apart here, but states with different futures
//! are not taken for one. Which objects there are, and which of them are shared, is the
//! same as in the normal form of a small state, so that steps end at the same places in a
//! search and when its counterexample is replayed.
//!
//! The normal form of a state is a function of the normal form before the step and of
//! the step. So a search finds the same states whichever way it goes through them.
//!
//! All objects get new numbers, as in small states, where there are more holes than one for
//! so many numbers ([`Config::renumbered`](crate::Config)). So if finitely many states are
//! reachable up to numbers, finitely many are reachable with them. That costs as much for
//! each object that goes, on average, as giving so many objects new numbers.
//!
//! # Which states are told apart
//!
//! Numbers are in the order in which objects became public. So states are told apart where
//! objects in different places became public in another order, and by their holes. Were
//! holes filled, then the numbers of a queue's elements would come in all orders, since the
//! element that is put in last would get the number of the one that was taken out first.

use rustc_hash::FxHashMap;

use crate::identity::base::Changes;
use crate::identity::counts::Turnover;
use crate::machine::Machine;
use crate::value::ObjectId;

/// The numbers of public objects after a step.
pub(super) struct Numbers {
    /// The new numbers of those that became public.
    pub moved: FxHashMap<ObjectId, usize>,
    /// The slots in between that no object has, ascending.
    pub holes: Vec<u32>,
    /// The slot after the last public object.
    pub end: usize,
}

impl Machine {
    /// The numbers of public objects after a step; none if all objects get new ones.
    pub(super) fn numbers(&self, changes: &Changes, turnover: &Turnover) -> Option<Numbers> {
        let lost = turnover.lost.iter().filter_map(|id| id.slot_index()).map(|slot| slot as u32);
        let mut holes: Vec<u32> = changes.known().holes.iter().copied().chain(lost).collect();
        holes.sort_unstable();
        let first = changes.first_private();
        let moved: FxHashMap<_, _> = turnover.gained.iter().copied().zip(first..).collect();
        let mut end = first + moved.len();
        while holes.pop_if(|hole| *hole as usize + 1 == end).is_some() {
            end -= 1;
        }
        let is_due = holes.len() * self.config().renumbered > end;
        (!is_due).then_some(Numbers { moved, holes, end })
    }
}
