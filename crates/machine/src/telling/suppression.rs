//! Faults that are not to be told, because they are intended or known.
//!
//! A suppression is a line `KIND:PLACE`. The kind is that of a fault
//! (`data-race`) or of a property (`race`), with wildcards. The place is the name
//! of a function or of the variable of a race, with wildcards, or `FILE:LINE` or
//! `FILE:LINE:COLUMN`. Several places that are joined by ` & ` must all belong to
//! the fault.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use ir::{Location, matches_wildcard};

use crate::machine::Machine;
use crate::telling::fault::{Fault, FaultKind};
use crate::telling::property::Property;

/// What joins places that must all match.
const AND: &str = " & ";

/// A kind of faults that are not told, at some places.
#[derive(Debug)]
pub struct Suppression {
    kind: String,
    places: Vec<Pattern>,
    met: AtomicBool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Pattern {
    Name(String),
    Position { file: String, line: u32, column: Option<u32> },
}

impl Suppression {
    /// That of one fault: its kind at all its own places, whatever calls led there.
    pub fn exactly(fault: &Fault) -> Suppression {
        let mut places: Vec<Pattern> = Vec::new();
        for place in own_places(fault).map(Pattern::at) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        Suppression { kind: fault.kind.name().to_owned(), places, met: AtomicBool::new(false) }
    }

    /// Whether it was needed.
    pub fn is_met(&self) -> bool {
        self.met.load(Ordering::Relaxed)
    }

    /// Whether faults of a property can be meant.
    pub fn concerns(&self, property: Property) -> bool {
        matches_wildcard(&self.kind, property.name())
            || property == Property::Race && matches_wildcard(&self.kind, "data-race")
    }

    /// Whether a fault is meant.
    pub fn covers(&self, fault: &Fault) -> bool {
        let kinds = [fault.kind.name(), fault.kind.property().name()];
        kinds.iter().any(|kind| matches_wildcard(&self.kind, kind))
            && self.places.iter().all(|pattern| pattern.belongs_to(fault))
    }
}

impl Pattern {
    fn at(place: &Location) -> Pattern {
        match place.line {
            0 => Pattern::Name(place.function.clone()),
            line => Pattern::Position { file: place.file.clone(), line, column: Some(place.column) },
        }
    }

    fn belongs_to(&self, fault: &Fault) -> bool {
        let variable = match &fault.kind {
            FaultKind::DataRace { variable, .. } => Some(variable),
            _ => None,
        };
        let named =
            matches!(self, Pattern::Name(name) if variable.is_some_and(|v| matches_wildcard(name, v)));
        named || own_places(fault).chain(&fault.calls).any(|place| self.matches(place))
    }

    fn matches(&self, place: &Location) -> bool {
        match self {
            Pattern::Name(name) => matches_wildcard(name, &place.function),
            Pattern::Position { file, line, column } => {
                let same_file = matches_wildcard(file, &place.file)
                    || matches_wildcard(&format!("*/{file}"), &place.file);
                same_file && place.line == *line && column.is_none_or(|column| column == place.column)
            }
        }
    }
}

/// The places of a fault itself: of a race both accesses, of a deadlock all waits.
fn own_places(fault: &Fault) -> impl Iterator<Item = &Location> {
    let others: Vec<&Location> = match &fault.kind {
        FaultKind::DataRace { first, second, .. } => vec![&first.at, &second.at],
        FaultKind::Deadlock { waits } | FaultKind::LocalDeadlock { waits } => {
            waits.iter().map(|wait| &wait.at).collect()
        }
        _ => Vec::new(),
    };
    [&fault.at].into_iter().chain(others)
}

impl FromStr for Suppression {
    type Err = String;

    fn from_str(text: &str) -> Result<Suppression, String> {
        let (kind, places) = text.split_once(':').ok_or("it has no `:` between a kind and a place")?;
        let (kind, places) = (kind.trim(), places.trim());
        if kind.is_empty() || places.is_empty() {
            return Err("it needs a kind and a place".to_owned());
        }
        let places = places.split(AND).map(|place| place.trim().parse()).collect::<Result<_, _>>()?;
        Ok(Suppression { kind: kind.to_owned(), places, met: AtomicBool::new(false) })
    }
}

impl FromStr for Pattern {
    type Err = String;

    /// A position if it ends in numbers; names of C++ have colons, too.
    fn from_str(text: &str) -> Result<Pattern, String> {
        let numbered = |text: &str| -> Option<(String, u32)> {
            let (before, number) = text.rsplit_once(':')?;
            Some((before.to_owned(), number.parse().ok()?))
        };
        Ok(match numbered(text).map(|(before, last)| (numbered(&before), before, last)) {
            None => Pattern::Name(text.to_owned()),
            Some((Some((file, line)), _, column)) => Pattern::Position { file, line, column: Some(column) },
            Some((None, file, line)) => Pattern::Position { file, line, column: None },
        })
    }
}

impl fmt::Display for Suppression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places: Vec<String> = self.places.iter().map(Pattern::to_string).collect();
        write!(f, "{}:{}", self.kind, places.join(AND))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Name(name) => f.write_str(name),
            Pattern::Position { file, line, column: None } => write!(f, "{file}:{line}"),
            Pattern::Position { file, line, column: Some(column) } => write!(f, "{file}:{line}:{column}"),
        }
    }
}

impl Machine {
    /// Whether a fault is not to be told.
    pub(crate) fn is_suppressed(&self, fault: &Fault) -> bool {
        let meant = self.config().suppressions.iter().find(|suppression| suppression.covers(fault));
        meant.is_some_and(|suppression| {
            suppression.met.store(true, Ordering::Relaxed);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telling::fault::{RaceAccess, ThreadId, Touch};

    fn at(file: &str, line: u32, function: &str) -> Location {
        Location { file: file.into(), line, column: 3, function: function.into() }
    }

    fn race() -> Fault {
        let access = |thread, line, function| RaceAccess {
            thread: ThreadId(thread),
            at: at("/src/a.c", line, function),
            touch: Touch::Write,
            atomic: false,
            volatile: false,
            frees: false,
        };
        let (first, second) = (access(1, 5, "count"), access(2, 9, "net::send"));
        let kind = FaultKind::DataRace { variable: "hits".into(), first, second };
        let calls = vec![at("/src/a.c", 20, "main")];
        Fault { kind, thread: ThreadId(2), at: at("/src/a.c", 9, "net::send"), calls }
    }

    fn suppresses(text: &str) -> bool {
        text.parse::<Suppression>().expect("a suppression").covers(&race())
    }

    #[test]
    fn kinds_and_places_are_matched() {
        let matching =
            ["race:count", "data-race:net::*", "race:hits", "race:a.c:5", "*:/src/a.c:9:3", "race:main"];
        assert!(matching.iter().all(|text| suppresses(text)));
        let others = ["deadlock:count", "race:counts", "race:b.c:5", "race:a.c:6", "race:a.c:9:4"];
        assert!(!others.iter().any(|text| suppresses(text)));
        assert!(suppresses("race:count & a.c:9") && !suppresses("race:count & a.c:8"));
    }

    #[test]
    fn what_is_no_suppression_is_refused() {
        for text in ["count", "race:", ":count"] {
            assert!(text.parse::<Suppression>().is_err(), "{text}");
        }
    }

    #[test]
    fn that_of_a_fault_is_written_and_read() {
        let exactly = Suppression::exactly(&race());
        assert_eq!(exactly.to_string(), "data-race:/src/a.c:9:3 & /src/a.c:5:3");
        assert!(exactly.covers(&race()) && suppresses(&exactly.to_string()));
    }
}
