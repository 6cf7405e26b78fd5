//! Finding the places of a saved trace again in a program whose source was
//! changed: sites stay what they are where positions move.

use std::collections::HashMap;

use ir::{Location, Program, Site};
use machine::{Fault, FaultKind};
use serde::{Deserialize, Serialize};

use crate::saved::SavedTrace;

/// The site of a position that a fault names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The position when the trace was saved.
    pub at: Location,
    /// The site that stood there.
    pub site: Site,
}

/// A place of a trace that stands elsewhere in the source now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Moved {
    /// The position when the trace was saved.
    pub from: Location,
    /// The position now.
    pub to: Location,
}

impl std::fmt::Display for Moved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is now {}", self.from, self.to)
    }
}

/// The sites of all positions that the fault names.
pub fn places(fault: &Fault, program: &Program) -> Vec<Place> {
    let mut fault = fault.clone();
    let mut places: Vec<Place> = Vec::new();
    for at in locations(&mut fault) {
        if places.iter().all(|place| place.at != *at)
            && let Some(site) = program.site_at(at)
        {
            places.push(Place { at: at.clone(), site });
        }
    }
    places
}

impl SavedTrace {
    /// Brings all positions to where their sites are in this program, and says
    /// which have moved. A site that the program does not have keeps its old
    /// position; replay then says that it is not met.
    pub fn relocate(&mut self, program: &Program) -> Vec<Moved> {
        let mut now: HashMap<Site, Option<Location>> = HashMap::new();
        let mut moved = Vec::new();
        let mut relocate = |at: &mut Location, site: &Site| {
            let found = now.entry(site.clone()).or_insert_with(|| program.position_of(site));
            let Some(to) = found.clone().filter(|to| to != at) else { return };
            let moves = Moved { from: std::mem::replace(at, to.clone()), to };
            if !moved.contains(&moves) {
                moved.push(moves);
            }
        };
        for step in &mut self.trace.steps {
            relocate(&mut step.at, &step.site);
        }
        let places = &self.places;
        for at in locations(&mut self.fault) {
            if let Some(place) = places.iter().find(|place| place.at == *at) {
                relocate(at, &place.site);
            }
        }
        moved
    }
}

/// The positions that a fault names.
fn locations(fault: &mut Fault) -> Vec<&mut Location> {
    let details: Vec<&mut Location> = match &mut fault.kind {
        FaultKind::DataRace { first, second, .. } => vec![&mut first.at, &mut second.at],
        FaultKind::Deadlock { waits } | FaultKind::LocalDeadlock { waits } => {
            waits.iter_mut().map(|wait| &mut wait.at).collect()
        }
        FaultKind::Livelock { turns, .. } | FaultKind::Formula { turns, .. } => {
            turns.iter_mut().map(|turn| &mut turn.at).collect()
        }
        FaultKind::UseAfterFree { freed: at, .. }
        | FaultKind::DoubleFree { freed: at, .. }
        | FaultKind::Leak { allocated: at, .. }
        | FaultKind::NotFreed { allocated: at, .. } => vec![at],
        _ => Vec::new(),
    };
    details.into_iter().chain([&mut fault.at]).chain(&mut fault.calls).collect()
}
