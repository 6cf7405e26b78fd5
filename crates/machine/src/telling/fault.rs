//! Everything that can go wrong, each with all that its message needs.

use ir::Location;
use serde::{Deserialize, Serialize};

use crate::telling::property::{Properties, Property};
use crate::temporal::Fairness;

/// A thread, numbered in the order of creation; `main` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(pub u32);

impl std::fmt::Display for ThreadId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 0 { f.write_str("main") } else { write!(f, "T{}", self.0) }
    }
}

/// Something that went wrong.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// In which thread.
    pub thread: ThreadId,
    /// Where: the innermost position outside the run-time library.
    pub at: Location,
    /// The calls that led there, innermost first, the position itself left out;
    /// of a deep recursion only the innermost.
    pub calls: Vec<Location>,
}

/// How a memory fault touched memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touch {
    /// A read.
    Read,
    /// A write.
    Write,
}

/// One of the two accesses of a race.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RaceAccess {
    /// The thread that made the access.
    pub thread: ThreadId,
    /// Where the access stands.
    pub at: Location,
    /// Read or write.
    pub touch: Touch,
    /// Whether the access is atomic.
    pub atomic: bool,
    /// Whether it is volatile.
    #[serde(default)]
    pub volatile: bool,
    /// Whether it frees the memory.
    #[serde(default)]
    pub frees: bool,
}

/// A thread that waits, and for what.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Wait {
    /// The thread that waits.
    pub thread: ThreadId,
    /// Where it waits.
    pub at: Location,
    /// What it waits for, such as `mutex a`.
    pub object: String,
    /// The threads that could release it: the owners of a lock, the thread to be
    /// joined.
    pub holders: Vec<ThreadId>,
}

/// A thread that goes round for ever, and where it is when the cycle begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The thread that moves.
    pub thread: ThreadId,
    /// Where it is then.
    pub at: Location,
}

/// What went wrong. Objects are named as the source names them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum FaultKind {
    Assertion {
        message: String,
    },
    ErrorCall {
        message: String,
    },

    DataRace {
        variable: String,
        first: RaceAccess,
        second: RaceAccess,
    },

    /// All threads that are alive wait.
    Deadlock {
        waits: Vec<Wait>,
    },
    /// These wait for ever, though others still run.
    LocalDeadlock {
        waits: Vec<Wait>,
    },

    /// From the step with this number on the execution goes round for ever.
    Livelock {
        start: usize,
        turns: Vec<Turn>,
    },

    /// The execution does not fulfil a formula. If it goes round, it does so from the step
    /// with this number on; if there is no such step, it stands still there.
    Formula {
        formula: String,
        fairness: Fairness,
        start: Option<usize>,
        turns: Vec<Turn>,
    },

    /// The process ends in a state that it does not end in under sequential consistency.
    NewFinalState,

    /// A store takes effect after what its thread did later, and after what that led to: no
    /// execution under sequential consistency has this order of accesses.
    NewTrace {
        variable: String,
    },

    NullDereference {
        touch: Touch,
    },
    WildPointer {
        touch: Touch,
        address: u64,
    },
    UninitialisedPointer {
        touch: Touch,
    },
    OutOfBounds {
        touch: Touch,
        object: String,
        size: u64,
        offset: i64,
        len: u64,
    },
    UseAfterFree {
        touch: Touch,
        object: String,
        freed: Location,
    },
    UseAfterScope {
        touch: Touch,
        object: String,
    },
    WriteToConstant {
        object: String,
    },
    DoubleFree {
        object: String,
        freed: Location,
    },
    InvalidFree {
        pointer: String,
    },
    /// Memory that went back to another allocator than it came from.
    MismatchedFree {
        object: String,
        allocated: String,
        freed: String,
    },
    /// Memory that went back as if it had another size.
    MismatchedSize {
        object: String,
        size: u64,
        freed: u64,
    },
    OverlappingCopy {
        object: String,
    },
    BadCall {
        pointer: String,
    },
    StackOverflow {
        limit: u64,
    },
    /// An access to an element that a vector in registers does not have.
    BadElement {
        /// The vector, in words.
        vector: String,
    },
    /// A computed `goto` to something that is no label of its function.
    BadJump,
    /// A call whose arguments are not those that the called function reads.
    BadArguments {
        message: String,
    },
    Unreachable,

    /// Nothing leads to the object any more.
    Leak {
        object: String,
        size: u64,
        allocated: Location,
    },
    /// The object is still there when the program ends.
    NotFreed {
        object: String,
        size: u64,
        allocated: Location,
    },

    SignedOverflow {
        operation: String,
        width: u8,
    },

    DivisionByZero,
    DivisionOverflow,
    ShiftOutOfRange {
        amount: u64,
        width: u8,
    },
    /// A float that is converted to an integer that it does not fit.
    FloatConversion {
        number: String,
        width: u8,
        signed: bool,
    },

    UnlockNotHeld {
        object: String,
    },
    Relock {
        object: String,
    },
    DestroyBusy {
        object: String,
    },
    WaitWithoutMutex {
        object: String,
        mutex: String,
    },
    /// Another thread waits on the condition with this mutex.
    WaitWithAnotherMutex {
        object: String,
        mutex: String,
    },
    NotInitialised {
        object: String,
    },
    BarrierCountZero {
        object: String,
    },
    JoinDetached {
        thread: String,
    },
    JoinTwice {
        thread: String,
    },
    JoinSelf,
    BadThread {
        handle: String,
    },
    BadKey {
        key: u64,
    },

    Uninitialised {
        decides: String,
    },
}

impl FaultKind {
    /// The property it violates.
    pub fn property(&self) -> Property {
        use FaultKind::*;
        match self {
            Assertion { .. } | ErrorCall { .. } => Property::Assert,
            DataRace { .. } => Property::Race,
            Deadlock { .. } | LocalDeadlock { .. } => Property::Deadlock,
            Livelock { .. } => Property::Livelock,
            Formula { .. } => Property::Ltl,
            NewFinalState => Property::Robust,
            NewTrace { .. } => Property::RobustTraces,
            NullDereference { .. }
            | WildPointer { .. }
            | UninitialisedPointer { .. }
            | OutOfBounds { .. }
            | UseAfterFree { .. }
            | UseAfterScope { .. }
            | WriteToConstant { .. }
            | DoubleFree { .. }
            | InvalidFree { .. }
            | MismatchedFree { .. }
            | MismatchedSize { .. }
            | OverlappingCopy { .. }
            | BadCall { .. }
            | StackOverflow { .. }
            | BadArguments { .. }
            | BadJump
            | BadElement { .. }
            | Unreachable => Property::Memory,
            Leak { .. } => Property::Leak,
            NotFreed { .. } => Property::Cleanup,
            SignedOverflow { .. } => Property::Overflow,
            DivisionByZero | DivisionOverflow | ShiftOutOfRange { .. } | FloatConversion { .. } => {
                Property::Arithmetic
            }
            UnlockNotHeld { .. }
            | Relock { .. }
            | DestroyBusy { .. }
            | WaitWithoutMutex { .. }
            | WaitWithAnotherMutex { .. }
            | NotInitialised { .. }
            | BarrierCountZero { .. }
            | JoinDetached { .. }
            | JoinTwice { .. }
            | JoinSelf
            | BadThread { .. }
            | BadKey { .. } => Property::LockMisuse,
            Uninitialised { .. } => Property::Uninit,
        }
    }

    /// Whether the execution cannot go on: what follows is undefined (or, for
    /// an assertion, does not happen).
    pub fn ends_execution(&self) -> bool {
        use Property::{Cleanup, Leak, Overflow, Race, Robust, RobustTraces};
        !matches!(self.property(), Race | Leak | Cleanup | Robust | RobustTraces | Overflow)
    }

    /// Whether the execution goes on in a way that is not known: what follows
    /// is undefined. A failed assertion ends the program, and threads that wait
    /// for ever wait for ever; these are defined.
    pub fn is_undefined(&self) -> bool {
        Properties::undefined().has(self.property())
    }

    /// The kind's name, as in JSON.
    pub fn name(&self) -> &'static str {
        use FaultKind::*;
        match self {
            Assertion { .. } => "assertion",
            ErrorCall { .. } => "error-call",
            DataRace { .. } => "data-race",
            Deadlock { .. } => "deadlock",
            LocalDeadlock { .. } => "local-deadlock",
            Livelock { .. } => "livelock",
            Formula { .. } => "formula",
            NewFinalState => "new-final-state",
            NewTrace { .. } => "new-trace",
            NullDereference { .. } => "null-dereference",
            WildPointer { .. } => "wild-pointer",
            UninitialisedPointer { .. } => "uninitialised-pointer",
            OutOfBounds { .. } => "out-of-bounds",
            UseAfterFree { .. } => "use-after-free",
            UseAfterScope { .. } => "use-after-scope",
            WriteToConstant { .. } => "write-to-constant",
            DoubleFree { .. } => "double-free",
            InvalidFree { .. } => "invalid-free",
            MismatchedFree { .. } => "mismatched-free",
            MismatchedSize { .. } => "mismatched-size",
            OverlappingCopy { .. } => "overlapping-copy",
            BadCall { .. } => "bad-call",
            StackOverflow { .. } => "stack-overflow",
            BadArguments { .. } => "bad-arguments",
            BadJump => "bad-jump",
            BadElement { .. } => "bad-element",
            Unreachable => "unreachable",
            Leak { .. } => "leak",
            NotFreed { .. } => "not-freed",
            SignedOverflow { .. } => "signed-overflow",
            DivisionByZero => "division-by-zero",
            DivisionOverflow => "division-overflow",
            ShiftOutOfRange { .. } => "shift-out-of-range",
            FloatConversion { .. } => "float-conversion",
            UnlockNotHeld { .. } => "unlock-not-held",
            Relock { .. } => "relock",
            DestroyBusy { .. } => "destroy-busy",
            WaitWithoutMutex { .. } => "wait-without-mutex",
            WaitWithAnotherMutex { .. } => "wait-with-another-mutex",
            NotInitialised { .. } => "not-initialised",
            BarrierCountZero { .. } => "barrier-count-zero",
            JoinDetached { .. } => "join-detached",
            JoinTwice { .. } => "join-twice",
            JoinSelf => "join-self",
            BadThread { .. } => "bad-thread",
            BadKey { .. } => "bad-key",
            Uninitialised { .. } => "uninitialised",
        }
    }
}
