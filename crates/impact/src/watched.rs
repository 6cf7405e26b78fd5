//! The machine that is followed where races are looked for.

use std::rc::Rc;

use machine::{Machine, Property};

use crate::announce::Races;
use crate::check::Options;

/// What is followed in place of the machine that is checked.
pub struct Watched {
    /// A machine that does not look for races itself, for which it would need clocks.
    pub machine: Machine,
    /// The accesses that may race, if there are any.
    pub races: Option<Rc<Races>>,
}

impl Watched {
    /// What is followed, if races are looked for; or why they cannot be found.
    pub fn of(machine: &Machine, options: &Options) -> Result<Option<Watched>, &'static str> {
        if !machine.config().properties.has(Property::Race) {
            return Ok(None);
        }
        if options.por.is_some() {
            return Err("races are looked for in the reduced product only");
        }
        let races = Races::of(machine.program());
        if !races.is_empty() && machine.without_clocks().is_none() {
            return Err(CLOCKS);
        }
        let machine = machine.without_races();
        Ok(Some(Watched { machine, races: (!races.is_empty()).then(|| Rc::new(races)) }))
    }
}

/// Why two accesses may race although no state has both ahead.
const CLOCKS: &str = "races need clocks here, which this engine has not: threads learn of each other in ways \
     that do not order them, or locks are not named where they are used";
