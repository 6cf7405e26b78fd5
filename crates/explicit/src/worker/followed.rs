//! States with many threads: what can move in them is found out from the threads that
//! are not as they were in the state before ([`machine::Enabled`]), and not remembered
//! thread by thread.

use std::collections::BTreeMap;

use machine::{Enabled, Machine, Property, Prospect, State, ThreadId};
use store::Loaded;

use super::{Able, Ables, Opened, Worker};
use crate::effects::Surroundings;
use crate::transactions::Held;

/// Of so few threads the guards are remembered instead. (Tests follow all.)
pub const FEW: usize = if cfg!(debug_assertions) { 3 } else { 64 };

/// The threads of the state that was opened last.
#[derive(Default)]
pub struct Followed {
    enabled: Enabled,
    /// What tells whether the next step of a thread may race, where it may.
    prospects: BTreeMap<ThreadId, Prospect>,
}

impl Followed {
    /// Goes on to a state. Yields whether steps may race, where races are looked for
    /// without clocks.
    fn follow(&mut self, machine: &Machine, state: &State, has_no_clocks: bool) -> bool {
        self.enabled.follow(machine, state);
        if !has_no_clocks {
            return false;
        }
        self.prospects.split_off(&ThreadId(state.shape().0 as u32));
        for thread in self.enabled.asked().iter().copied() {
            let prospect = machine.prospect(state, thread);
            if prospect == Prospect::default() {
                self.prospects.remove(&thread);
            } else {
                self.prospects.insert(thread, prospect);
            }
        }
        machine::may_race(self.prospects.values())
    }
}

impl Worker<'_> {
    /// Finds out what can move in a state with many threads.
    pub(super) fn open_followed(&mut self, loaded: Loaded) -> Opened {
        let (shared, machine) = (self.shared, self.shared.machine());
        let state = shared.store.state(&loaded);
        let may_race = self.followed.follow(machine, state, shared.has_no_clocks());
        let enabled = &self.followed.enabled;
        let able = |thread: ThreadId| Able {
            mover: thread.into(),
            choices: machine.own_choices(state, thread).and_then(|choices| u32::try_from(choices).ok()),
        };
        let movers: Ables = enabled.threads().map(able).collect();
        let stuck = machine.config().properties.has(Property::Deadlock) && enabled.has_stuck();
        let around = Surroundings::followed(&loaded, enabled);
        let (surroundings, alike) = (self.effects.number(around), self.alike(&loaded, &movers));
        Opened { movers, stuck, may_race, surroundings, around, held: Held::new(), alike, loaded }
    }
}
