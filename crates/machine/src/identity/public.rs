//! Public objects of large states have numbers that do not shift.
//!
//! In small states every step that changes the pointers of public objects is followed
//! by a traversal of the whole state. Where there are more objects than
//! [`Config::few_objects`](crate::Config), that costs too much. Which objects are public
//! is found there from how many pointers lead to them ([`crate::identity::counts`]). A
//! public object keeps its number as long as it is public. One that becomes public
//! gets the lowest number that is free, and one that is public no more leaves a *hole*
//! behind. The other objects come after the public ones, in the order in which the
//! traversal of the threads meets them, as in small states.
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
//! If finitely many states are reachable up to numbers, so they are with them: all objects
//! get new numbers, as in small states, where half of the numbers are those of holes. They
//! also do now and then, by lot: else a queue from which elements are taken while others
//! are put in would be told apart by all orders that the numbers of its elements can have.
//! The cost of that is shared out evenly, since the lots are more where there are more
//! objects.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::identity::base::Changes;
use crate::identity::counts::Turnover;
use crate::machine::Machine;
use crate::state::State;
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
    pub(super) fn numbers(&self, state: &State, changes: &Changes, turnover: &Turnover) -> Option<Numbers> {
        let first = changes.first_private();
        let lost = turnover.lost.iter().filter_map(|id| id.slot_index()).map(|slot| slot as u32);
        let mut holes: Vec<u32> = changes.known().holes.iter().copied().chain(lost).collect();
        holes.sort_unstable();
        let filled = turnover.gained.len().min(holes.len());
        let mut end = first + turnover.gained.len() - filled;
        let free = holes.drain(..filled).map(|slot| slot as usize).chain(first..end);
        let moved = turnover.gained.iter().copied().zip(free).collect();
        while holes.pop_if(|hole| *hole as usize + 1 == end).is_some() {
            end -= 1;
        }
        let is_due = 2 * holes.len() > end || self.is_drawn(state, changes);
        (!is_due).then_some(Numbers { moved, holes, end })
    }

    /// Draws lots whether all objects get new numbers: in the long run as many get some as
    /// [`Config::renumbered`](crate::Config) says. The outcome depends on what the step has
    /// changed, but not on numbers: states that differ by numbers alone become one then.
    fn is_drawn(&self, state: &State, changes: &Changes) -> bool {
        let hash = |part: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            part(&mut hasher);
            hasher.finish()
        };
        let thread = |index: &usize| {
            hash(&|hasher| {
                let frame = state.threads[*index].frames.last();
                (index, frame.map(|frame| (frame.function, frame.pc))).hash(hasher);
                let values = frame.into_iter().flat_map(|frame| &frame.regs);
                values.for_each(|value| value.bits.hash(hasher));
            })
        };
        let object = |slot: &usize| hash(&|hasher| state.memory.slots[*slot].data.hash(hasher));
        let hashes = changes.threads.iter().map(thread).chain(changes.objects.iter().map(object));
        let lots = state.memory.slots.len() / self.config().renumbered;
        (hashes.fold(0, u64::wrapping_add) >> 20) % lots.max(1) as u64 == 0
    }
}
