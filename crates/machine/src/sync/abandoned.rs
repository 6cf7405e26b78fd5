//! Threads that wait for a signal, a post or an arrival that never comes,
//! while other threads go on for ever.
//!
//! Whether a thread will still signal cannot be told from one state. It is
//! told here by following all that can happen from a state on: a thread that
//! waits in it and moves in no state that follows is deadlocked, unless the
//! process can end, which ends the thread with it. Spurious wakeups are not
//! followed: a program may not rely on them. Some of the steps must go round:
//! where assumptions end all that follows, no execution waits for ever.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::machine::{End, Grain, Machine};
use crate::mover::Mover;
use crate::state::State;
use crate::sync::blocked::{Blocked, Guard, stuck_among};
use crate::telling::fault::{Fault, ThreadId};
use crate::telling::property::Property;

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
        let mut followed = Followed::default();
        followed.enter(self, first)?;
        while let Some((number, state)) = followed.due.pop() {
            for mover in self.enabled(&state) {
                waiting.retain(|waits| mover != Mover::Thread(*waits));
                if !waiting.iter().any(for_anyone) || self.follow(number, &state, mover, &mut followed)? {
                    return Ok(None);
                }
            }
        }
        if !goes_round(&followed.steps) {
            return Ok(None);
        }
        let stuck = stuck_among(guards.iter(), waiting, |_| true);
        Ok(self.deadlock_of(state, &guards, &stuck))
    }

    /// Takes a mover's steps; whether one of them can end the process.
    fn follow(
        &self,
        number: usize,
        state: &State,
        mover: Mover,
        followed: &mut Followed,
    ) -> Result<bool, TooMuch> {
        for choice in 0..self.choices_of(state, mover).map_err(|_| TooMuch)? {
            let mut next = state.clone();
            match self.step(&mut next, mover, choice, Grain::Visible, &mut ()).end {
                Some(End::Infeasible) => continue,
                Some(_) => return Ok(true),
                None => {}
            }
            self.normalise(&mut next);
            let to = followed.enter(self, next)?;
            followed.steps.push((number, to));
        }
        Ok(false)
    }
}

/// The states that follow one, and the steps between them.
#[derive(Default)]
struct Followed {
    numbers: FxHashMap<Box<[u8]>, usize>,
    steps: Vec<(usize, usize)>,
    due: Vec<(usize, State)>,
}

impl Followed {
    /// The number of a normal state, which is due if it is new.
    fn enter(&mut self, machine: &Machine, state: State) -> Result<usize, TooMuch> {
        let mut form = Vec::new();
        machine.canonical(&state, &mut form);
        let fresh = self.numbers.len();
        let number = *self.numbers.entry(form.into()).or_insert(fresh);
        if number == fresh {
            self.due.push((number, state));
        }
        if fresh > MOST_STATES { Err(TooMuch) } else { Ok(number) }
    }
}

/// Whether some of the steps between states go round: what remains after states
/// that no step leads to were taken away again and again.
pub fn goes_round<N: Copy + Eq + Hash>(steps: &[(N, N)]) -> bool {
    let mut leading: FxHashMap<N, usize> = FxHashMap::default();
    let mut next: FxHashMap<N, Vec<N>> = FxHashMap::default();
    for (from, to) in steps {
        leading.entry(*from).or_default();
        *leading.entry(*to).or_default() += 1;
        next.entry(*from).or_default().push(*to);
    }
    let mut free: Vec<N> = leading.iter().filter(|(_, count)| **count == 0).map(|(n, _)| *n).collect();
    let mut left = leading.len();
    while let Some(from) = free.pop() {
        left -= 1;
        for to in next.remove(&from).unwrap_or_default() {
            let count = leading.get_mut(&to).expect("it was counted");
            *count -= 1;
            if *count == 0 {
                free.push(to);
            }
        }
    }
    left > 0
}
