//! First what sleep sets would not leave out.

use super::{Backtrack, Priority};

pub struct Ss;

impl Priority for Ss {
    fn cost(&self, backtrack: &Backtrack<'_>) -> u32 {
        let Backtrack { execution, analysis, step, thread, .. } = *backtrack;
        u32::from(analysis.is_asleep(execution, step, thread))
    }
}
