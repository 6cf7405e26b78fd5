//! The properties a program can be checked for.

use serde::{Deserialize, Serialize};

/// What can be asked of a program. Every [`crate::FaultKind`] violates exactly
/// one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Property {
    /// No assertion fails and no error function is called.
    Assert,
    /// No two conflicting accesses are unordered by happens-before.
    Race,
    /// No thread waits for what can never come.
    Deadlock,
    /// Every access is to live memory within its object.
    Memory,
    /// No heap object is lost: when the program ends, a pointer still leads to
    /// each that was not freed.
    Leak,
    /// Every heap object is freed when the program ends.
    Cleanup,
    /// No signed arithmetic overflows.
    Overflow,
    /// No division by zero, no shift out of range.
    Arithmetic,
    /// Synchronisation objects are used as POSIX demands.
    LockMisuse,
    /// No uninitialised value decides anything.
    Uninit,
    /// No fair execution goes round for ever without progress. The only one
    /// that no single execution of finite length violates.
    Livelock,
    /// Every fair execution fulfils the formulas of temporal logic.
    Ltl,
    /// The program ends in no state that it does not end in under sequential consistency.
    Robust,
    /// Every execution is, but for the moments at which stores are committed, one under
    /// sequential consistency.
    RobustTraces,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 14] = [
        Property::Assert,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::Leak,
        Property::Cleanup,
        Property::Overflow,
        Property::Arithmetic,
        Property::LockMisuse,
        Property::Uninit,
        Property::Livelock,
        Property::Ltl,
        Property::Robust,
        Property::RobustTraces,
    ];

    /// Those that every engine checks: all but `livelock`, `ltl`, `robust` and `robust-traces`.
    pub fn safety() -> impl Iterator<Item = Property> {
        use Property::{Livelock, Ltl, Robust, RobustTraces};
        let special = |p: &Property| matches!(p, Livelock | Ltl | Robust | RobustTraces);
        Property::ALL.into_iter().filter(move |property| !special(property))
    }

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Race => "race",
            Property::Deadlock => "deadlock",
            Property::Memory => "memory",
            Property::Leak => "leak",
            Property::Cleanup => "cleanup",
            Property::Overflow => "overflow",
            Property::Arithmetic => "arithmetic",
            Property::LockMisuse => "lock-misuse",
            Property::Uninit => "uninit",
            Property::Livelock => "livelock",
            Property::Ltl => "ltl",
            Property::Robust => "robust",
            Property::RobustTraces => "robust-traces",
        }
    }

    /// The property with this name.
    pub fn from_name(name: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.name() == name)
    }
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Properties(u16);

impl Properties {
    /// What is checked unless asked otherwise: all but `overflow`, `leak`,
    /// `cleanup` and `livelock`.
    pub fn standard() -> Properties {
        let special = |p: &Property| matches!(p, Property::Overflow | Property::Leak | Property::Cleanup);
        Property::safety().filter(|property| !special(property)).collect()
    }

    /// Those after whose violation nothing is defined any more.
    pub fn undefined() -> Properties {
        use Property::{Arithmetic, LockMisuse, Memory, Uninit};
        [Memory, Arithmetic, LockMisuse, Uninit].into_iter().collect()
    }

    /// The same where they are not asked for: what was never initialised is an
    /// input then.
    pub fn undefined_unasked() -> Properties {
        Properties::undefined().without([Property::Uninit].into_iter().collect())
    }

    /// Whether the set has this property.
    pub fn has(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 == 1
    }

    /// The set without these.
    pub fn without(self, others: Properties) -> Properties {
        Properties(self.0 & !others.0)
    }

    /// The properties in the set.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |p| self.has(*p))
    }
}

impl FromIterator<Property> for Properties {
    fn from_iter<I: IntoIterator<Item = Property>>(properties: I) -> Properties {
        Properties(properties.into_iter().fold(0, |set, p| set | 1 << p as u8))
    }
}
