//! What each property demands, in one sentence.

use machine::Property;

/// The demand of a property.
pub fn demand(property: Property) -> &'static str {
    match property {
        Property::Assert => "No assertion fails, and no error function is called.",
        Property::Race => "No two conflicting accesses to the same memory are unordered.",
        Property::Deadlock => "No thread waits for what can never come.",
        Property::Memory => "Every access is to live memory within its object.",
        Property::Leak => "No heap object is lost when the program ends.",
        Property::Cleanup => "Every heap object is freed when the program ends.",
        Property::Overflow => "No signed arithmetic overflows.",
        Property::Arithmetic => "No division by zero, and no shift out of range.",
        Property::LockMisuse => "Locks, conditions, barriers and joins are used as POSIX demands.",
        Property::Uninit => "No uninitialised value decides anything.",
        Property::Ltl => "Every fair execution fulfils the formulas of temporal logic.",
        Property::Robust => {
            "The program ends in no state in which it does not end under sequential consistency."
        }
        Property::RobustTraces => {
            "The order of accesses in every execution is one that sequential consistency allows."
        }
        Property::Livelock => "No fair execution goes round for ever without progress.",
    }
}
