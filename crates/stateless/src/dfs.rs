//! Every execution: the baseline that reductions are measured against. The
//! branches of a node are all steps that can be taken from it, so they do not
//! overlap.

use std::sync::Arc;

use machine::{End, Mover, Movers, ThreadId};

use crate::explorer::Explorer;
use crate::footprint::Footprint;
use crate::run::Run;
use crate::tree::{Branches, Sleep, WakeupNode};
use crate::wakeup::Planned;
use crate::walk::{Policy, movable};

/// Takes every step.
#[derive(Default)]
pub struct Dfs;

impl Policy for Dfs {
    const EXECUTIONS: &'static str = "";

    /// The thread that moved last goes on first, so that executions switch late.
    fn choose(&mut self, explorer: &mut Explorer<'_>, branches: &mut Branches) {
        let movable: Movers = movable(explorer, branches).collect();
        let last = explorer.run.steps().last().map_or(Mover::Thread(ThreadId(0)), |taken| taken.mover);
        let same = movable.iter().copied().filter(|mover| *mover == last);
        for mover in same.chain(movable.iter().copied().filter(|mover| *mover != last)) {
            for choice in 0..explorer.choices(mover) {
                branches.extend([Planned { mover, choice, footprint: Footprint::default() }]);
            }
        }
    }

    fn stays(&self, _: &Explorer<'_>, _: &End) -> bool {
        false
    }

    fn push(&mut self, _: &Run<'_>, _: u64) {}

    fn sleep(&self, _: &Branches, _: usize) -> Sleep {
        Sleep::new()
    }

    fn over(&mut self, _: &Run<'_>, _: &[Arc<WakeupNode>], _: &[usize], _: bool) {}

    fn back_to(&mut self, _: usize) {}
}
