//! What a test leaves out of the rules, to see that a program of the corpus needs it.
//!
//! A rule that is left out proves nothing; some program that is proven with it must not be
//! proven then. A condition that is left out is taken to hold; some program that has a race must
//! be called safe then. `tests/omissions.rs` has such a program for each.

/// A rule, or a condition of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Omission {
    /// A rule ([`crate::rules::Rule`]), by its name.
    Rule(&'static str),
    /// A lock counts only if its object has one instance.
    OneLock,
    /// A lock counts only if it is used as one kind.
    OneKind,
    /// A lock counts only if whatever makes it anew is ordered with its uses.
    MadeAnewInOrder,
    /// A mutex counts only if none is robust.
    NoneRobust,
    /// Of two readers, neither excludes the other.
    NotBothReaders,
    /// Atomic sections count only if none is left open.
    SectionsEnd,
    /// A thread is ordered with itself only if its instances do not overlap.
    NoOverlap,
    /// What is known of the threads that a thread created says nothing of other instances of it.
    UniqueCreator,
    /// A joined thread may have left others behind.
    LeftBehind,
    /// Freshness ends where the object is handed over without order.
    HandedOverInOrder,
    /// Only the holder of an element has it: accesses must stay within it.
    WithinElement,
    /// A counter hands out numbers once only if all that write it do so under its lock.
    CounterKept,
    /// Objects that others can get at are not confined.
    NotShared,
}
