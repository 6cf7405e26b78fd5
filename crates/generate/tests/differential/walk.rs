//! Random executions, without any notion of equal states.
//!
//! The enumerations merge states that are equal by their canonical form, the
//! reduced and the unreduced one alike. Executions that are simply run must not
//! lead to anything that they have not seen. Along them the threads that can move are
//! followed from state to state, and compared with what all threads say when asked.

use generate::Random;
use machine::{Enabled, Grain, Machine, State};

use crate::naive::Summary;

/// Steps after which an execution is given up: it may spin for ever.
const MAX_STEPS: usize = 3000;

/// What this many random executions led to.
pub fn walks(machine: &Machine, seed: u64, count: usize) -> Summary {
    let mut random = Random::new(seed);
    let (mut summary, mut enabled) = (Summary::default(), Enabled::default());
    for _ in 0..count {
        walk(machine, &mut random, &mut summary, &mut enabled);
    }
    summary
}

fn walk(machine: &Machine, random: &mut Random, summary: &mut Summary, enabled: &mut Enabled) {
    let mut state = machine.initial();
    let grain = random.pick(&[Grain::Instruction, Grain::Visible]);
    let mut last = None;
    for _ in 0..MAX_STEPS {
        summary.look(machine, &state);
        enabled.follow(machine, &state);
        assert!(enabled.is_right(machine, &state), "what can move is followed");
        let movers = machine.movers(&state);
        if movers.is_empty() {
            return;
        }
        // Few switches, at random places, get further than many.
        let stays = last.filter(|mover| movers.contains(mover) && !random.one_in(6));
        let mover = stays.unwrap_or_else(|| random.pick(&movers));
        last = Some(mover);
        let Ok(choices) = machine.choices_of(&state, mover) else { return };
        let choice = random.below(choices as usize) as u64;
        let step = machine.step(&mut state, mover, choice, grain, &mut ());
        summary.faults(&step);
        if let Some(end) = step.end {
            return summary.end(machine, &state, &end);
        }
        if random.one_in(8) {
            check_normal_form(machine, &mut state);
        }
    }
}

/// That a normal state is normal, and goes on from it.
fn check_normal_form(machine: &Machine, state: &mut State) {
    let form = |state: &State| {
        let mut form = Vec::new();
        machine.canonical(state, &mut form);
        form
    };
    machine.normalise(state);
    let once = form(state);
    machine.normalise(state);
    assert_eq!(once, form(state), "normal states have the same canonical form when normalised again");
}
