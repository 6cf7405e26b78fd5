//! Threads that wait for a signal, a post or an arrival that never comes,
//! while other threads go on for ever.
//!
//! Whether somebody will still signal cannot be told from one state. It is
//! told here by following all that can happen from a state on: a thread that
//! waits in it and moves in no state that follows is deadlocked, unless the
//! process can end, which ends the thread with it. Wakeups that nobody has
//! caused are not followed: nobody may rely on them.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::blocked::{Blocked, Guard, stuck_among};
use crate::fault::{Fault, ThreadId};
use crate::machine::{End, Grain, Machine};
use crate::property::Property;
use crate::state::State;

/// More states than this are not followed.
const MOST_STATES: usize = 1 << 16;

/// What follows a state was too much to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuch;

impl Machine {
    /// Whether deadlocks are asked for and the program has operations that wait
    /// for what any other thread may do.
    pub fn can_abandon(&self) -> bool {
        self.waits_for_anyone && self.config().properties.has(Property::Deadlock)
    }

    /// The threads that wait for what any other may do.
    pub fn waiting_for_anyone<'a>(&'a self, state: &'a State) -> impl Iterator<Item = ThreadId> + 'a {
        let waits = |t: &ThreadId| matches!(self.blocked(state, *t), Some(Blocked::Anyone { .. }));
        state.thread_ids().filter(waits)
    }

    /// The deadlock of the threads that wait in this state for what no thread
    /// will ever do, though some go on for ever.
    pub fn abandoned(&self, state: &State) -> Result<Option<Fault>, TooMuch> {
        let guards: SmallVec<[Guard; 8]> = state.thread_ids().map(|t| self.guard(state, t)).collect();
        let mut waiting: SmallVec<[ThreadId; 8]> =
            state.thread_ids().filter(|t| guards[t.0 as usize].blocked().is_some()).collect();
        let for_anyone =
            |t: &ThreadId| matches!(guards[t.0 as usize].blocked(), Some(Blocked::Anyone { .. }));
        let mut first = state.clone();
        self.normalise(&mut first);
        let mut seen = FxHashSet::default();
        let mut due = vec![first];
        while let Some(state) = due.pop() {
            for thread in self.enabled(&state) {
                waiting.retain(|waits| *waits != thread);
                if !waiting.iter().any(for_anyone) || self.follow(&state, thread, &mut seen, &mut due)? {
                    return Ok(None);
                }
            }
        }
        let stuck = stuck_among(guards.iter(), waiting, |_| true);
        Ok(self.deadlock_of(state, &guards, &stuck))
    }

    /// Takes a thread's steps; whether one of them can end the process.
    fn follow(
        &self,
        state: &State,
        thread: ThreadId,
        seen: &mut FxHashSet<Box<[u8]>>,
        due: &mut Vec<State>,
    ) -> Result<bool, TooMuch> {
        for choice in 0..self.choices(state, thread).map_err(|_| TooMuch)? {
            let mut next = state.clone();
            match self.step(&mut next, thread, choice, Grain::Visible, &mut ()).end {
                Some(End::Infeasible) => continue,
                Some(_) => return Ok(true),
                None => {}
            }
            self.normalise(&mut next);
            let mut form = Vec::new();
            self.canonical(&next, &mut form);
            if seen.insert(form.into()) {
                due.push(next);
            }
            if seen.len() > MOST_STATES {
                return Err(TooMuch);
            }
        }
        Ok(false)
    }
}
