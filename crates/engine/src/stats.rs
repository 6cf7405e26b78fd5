//! What a search counted: named counters with their units. An engine defines
//! the counters that only it has; those that several have are in [`counters`].

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What a search counted, and how long it took.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Stats {
    /// Wall-clock time of the search in seconds.
    pub seconds: f64,
    /// What it counted.
    #[serde(flatten)]
    pub counts: Counted,
}

/// Counters with their values, in the order in which they were noted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counted(Vec<(Counter, Value)>);

/// Something that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it is counted in.
    pub unit: Unit,
    /// How the text of a report tells it.
    pub told: Told,
    /// Where the text tells it: after all those of a lower place.
    pub place: u8,
}

/// What a counter is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Things.
    Number,
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// Nothing: the value is a remark.
    Words,
}

/// How the text of a report tells a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// Not at all.
    Never,
    /// With this plural.
    As(&'static str),
    /// With this plural, if there are any.
    IfAny(&'static str),
    /// In its unit, after the time.
    InUnit,
}

/// The value of a counter.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(u64),
    /// A measured or average number.
    Real(f64),
    /// Several numbers.
    Numbers(Vec<u64>),
    /// A remark.
    Words(&'static str),
    /// The same counters several times.
    Rows(Vec<Counted>),
}

/// The counters of more than one engine.
pub mod counters {
    use super::{Counter, Unit};

    /// Distinct states stored.
    pub const STATES: Counter = Counter::told("states", "states");
    /// Steps executed.
    pub const TRANSITIONS: Counter = Counter::told("transitions", "transitions");
    /// Distinct contents of the global memory at the program's end.
    pub const FINAL_STATES: Counter = Counter::told("final_states", "final states");
    /// The longest execution looked at, in steps.
    pub const MAX_DEPTH: Counter = Counter::untold("max_depth", Unit::Number);
    /// Bytes of a stored state, on average.
    pub const BYTES_PER_STATE: Counter = Counter::untold("bytes_per_state", Unit::Bytes);
    /// Layers (context switches) explored completely.
    pub const LAYERS: Counter = Counter::told("layers", "layers");
    /// Executions run to their end.
    pub const EXECUTIONS: Counter = Counter::told("executions", "executions");
    /// Questions put to the solver.
    pub const SOLVER_CALLS: Counter = Counter::told("solver_calls", "solver calls");
}

impl Counter {
    /// A number that the text tells with this plural.
    pub const fn told(name: &'static str, plural: &'static str) -> Counter {
        Counter { name, unit: Unit::Number, told: Told::As(plural), place: 0 }
    }

    /// A number that the text tells with this plural if there are any.
    pub const fn told_if_any(name: &'static str, plural: &'static str) -> Counter {
        Counter { name, unit: Unit::Number, told: Told::IfAny(plural), place: 0 }
    }

    /// Something that the text tells in its unit, after the time.
    pub const fn told_in(name: &'static str, unit: Unit) -> Counter {
        Counter { name, unit, told: Told::InUnit, place: 0 }
    }

    /// Something that the text does not tell.
    pub const fn untold(name: &'static str, unit: Unit) -> Counter {
        Counter { name, unit, told: Told::Never, place: 0 }
    }

    /// The same, told at another place.
    pub const fn at(self, place: u8) -> Counter {
        Counter { place, ..self }
    }
}

impl Stats {
    /// Of a search that took so long and has counted nothing yet.
    pub fn after(seconds: f64) -> Stats {
        Stats { seconds, counts: Counted::default() }
    }

    /// The same with a counter.
    pub fn with(self, counter: Counter, value: impl Into<Value>) -> Stats {
        Stats { counts: self.counts.with(counter, value), ..self }
    }

    /// The same with a counter, if it has a value.
    pub fn with_known(self, counter: Counter, value: Option<impl Into<Value>>) -> Stats {
        match value {
            Some(value) => self.with(counter, value),
            None => self,
        }
    }

    /// The number that a counter has, if it has one.
    pub fn count(&self, counter: Counter) -> Option<u64> {
        match self.counts.get(counter)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The numbers that a counter has.
    pub fn list(&self, counter: Counter) -> &[u64] {
        match self.counts.get(counter) {
            Some(Value::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// The measured or average number that a counter has, if it has one.
    pub fn real(&self, counter: Counter) -> Option<f64> {
        match self.counts.get(counter)? {
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }
}

impl Counted {
    /// The same with a counter. Lists without items are left out.
    pub fn with(mut self, counter: Counter, value: impl Into<Value>) -> Counted {
        let value = value.into();
        let empty = matches!(&value, Value::Numbers(numbers) if numbers.is_empty())
            || matches!(&value, Value::Rows(rows) if rows.is_empty());
        if !empty {
            self.0.push((counter, value));
        }
        self
    }

    /// The value of a counter.
    pub fn get(&self, counter: Counter) -> Option<&Value> {
        self.iter().find(|(known, _)| known.name == counter.name).map(|(_, value)| value)
    }

    /// The counters, in the order in which they were noted.
    pub fn iter(&self) -> impl Iterator<Item = (Counter, &Value)> {
        self.0.iter().map(|(counter, value)| (*counter, value))
    }
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (counter, value) in self.iter() {
            map.serialize_entry(counter.name, value)?;
        }
        map.end()
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Real(number)
    }
}

impl From<Vec<u64>> for Value {
    fn from(numbers: Vec<u64>) -> Value {
        Value::Numbers(numbers)
    }
}

impl From<&'static str> for Value {
    fn from(words: &'static str) -> Value {
        Value::Words(words)
    }
}

impl From<Vec<Counted>> for Value {
    fn from(rows: Vec<Counted>) -> Value {
        Value::Rows(rows)
    }
}
