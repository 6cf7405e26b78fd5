//! What an operation on synchronisation objects, threads or keys is: the one
//! table from which all else about it follows.
//!
//! Whether it blocks, what it depends on, what it touches, what a report calls it
//! and what the static analysis makes of it follow from its [`Operation`]. A new
//! one needs its lowering in the front end, its execution in the machine
//! (`exec/sync.rs`) and its line in [`Operation::of`].

use crate::instr::{Operand, SyncOp};

/// What an operation concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A mutex.
    Mutex,
    /// A spin lock.
    Spin,
    /// A readers-writer lock.
    RwLock,
    /// A condition variable.
    Cond,
    /// A barrier.
    Barrier,
    /// A semaphore.
    Semaphore,
    /// A `pthread_once_t`.
    Once,
    /// A thread.
    Thread,
    /// A key of thread-specific values.
    Key,
}

impl Subject {
    /// It has no more bytes than this.
    pub fn most_bytes(self) -> u32 {
        match self {
            Subject::Mutex => 40,
            Subject::Cond => 48,
            Subject::RwLock => 56,
            Subject::Semaphore | Subject::Barrier => 32,
            Subject::Spin | Subject::Once => 4,
            Subject::Thread | Subject::Key => 0,
        }
    }
}

/// What an operation that takes something does while it cannot have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// It waits for as long as it takes.
    Waits,
    /// It gives up at once.
    Tries,
    /// It waits, and may give up at any time.
    Timed,
}

/// What an operation does to its subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Makes it; `kind` if attributes say of which kind.
    Init {
        /// Whether it reads attributes.
        kind: bool,
    },
    /// Ends it.
    Destroy,
    /// Takes it, or one of it.
    Take {
        /// Whether others may have it at the same time.
        shares: bool,
        /// What it does meanwhile.
        patience: Patience,
    },
    /// Gives back what was taken, or (a semaphore) one more.
    Give,
    /// Says that what a robust mutex protects was repaired.
    Repair,
    /// Waits for a signal, without the mutex that is given along.
    Wait {
        /// Whether it may give up at any time.
        timed: bool,
    },
    /// Wakes a thread that waits, or all of them.
    Wake {
        /// Whether all of them.
        all: bool,
    },
    /// Waits until enough threads have arrived.
    Arrive,
    /// Looks at its value.
    Look,
    /// Starts a thread.
    Create,
    /// Waits for a thread's end.
    Join,
    /// Lets a thread end on its own.
    Detach,
    /// Names the calling thread.
    Myself,
    /// Makes a key.
    NewKey,
    /// Deletes a key.
    DropKey,
    /// Reads or (`set`) sets the calling thread's value for a key.
    Specific {
        /// Whether it sets the value.
        set: bool,
    },
}

/// What an operation needs to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing: it never blocks.
    Nothing,
    /// That its object can be had, with others (`shares`) or alone.
    Object {
        /// Whether others may have it at the same time.
        shares: bool,
    },
    /// That its thread has ended.
    End,
}

/// Which parts of a state, besides its own thread, an operation looks at or
/// changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// None but the keys, which belong to no part.
    Own,
    /// The object of its first argument.
    Object,
    /// The objects of its first two arguments.
    Objects,
    /// The thread that its first argument names.
    Peer,
    /// That thread, and where its result goes.
    PeerAndResult,
    /// More than can be told beforehand: threads that wait, attributes.
    Anything,
}

/// What an operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What it concerns.
    pub subject: Subject,
    /// What it does to it.
    pub action: Action,
}

impl Operation {
    /// What an instruction's operation is.
    pub fn of(op: SyncOp) -> Operation {
        use Action::*;
        use Patience::*;
        use Subject::*;
        let take = |patience| Take { shares: false, patience };
        let share = |patience| Take { shares: true, patience };
        let (subject, action) = match op {
            SyncOp::ThreadCreate => (Thread, Create),
            SyncOp::ThreadJoin => (Thread, Join),
            SyncOp::ThreadDetach => (Thread, Detach),
            SyncOp::ThreadSelf => (Thread, Myself),
            SyncOp::MutexInit => (Mutex, Init { kind: true }),
            SyncOp::MutexLock => (Mutex, take(Waits)),
            SyncOp::MutexTryLock => (Mutex, take(Tries)),
            SyncOp::MutexTimedLock => (Mutex, take(Timed)),
            SyncOp::MutexUnlock => (Mutex, Give),
            SyncOp::MutexConsistent => (Mutex, Repair),
            SyncOp::MutexDestroy => (Mutex, Destroy),
            SyncOp::CondInit => (Cond, Init { kind: false }),
            SyncOp::CondWait => (Cond, Wait { timed: false }),
            SyncOp::CondTimedWait => (Cond, Wait { timed: true }),
            SyncOp::CondSignal => (Cond, Wake { all: false }),
            SyncOp::CondBroadcast => (Cond, Wake { all: true }),
            SyncOp::CondDestroy => (Cond, Destroy),
            SyncOp::RwInit => (RwLock, Init { kind: true }),
            SyncOp::RwReadLock => (RwLock, share(Waits)),
            SyncOp::RwTryReadLock => (RwLock, share(Tries)),
            SyncOp::RwTimedReadLock => (RwLock, share(Timed)),
            SyncOp::RwWriteLock => (RwLock, take(Waits)),
            SyncOp::RwTryWriteLock => (RwLock, take(Tries)),
            SyncOp::RwTimedWriteLock => (RwLock, take(Timed)),
            SyncOp::RwUnlock => (RwLock, Give),
            SyncOp::RwDestroy => (RwLock, Destroy),
            SyncOp::SpinInit => (Spin, Init { kind: false }),
            SyncOp::SpinLock => (Spin, take(Waits)),
            SyncOp::SpinTryLock => (Spin, take(Tries)),
            SyncOp::SpinUnlock => (Spin, Give),
            SyncOp::SpinDestroy => (Spin, Destroy),
            SyncOp::BarrierInit => (Barrier, Init { kind: false }),
            SyncOp::BarrierWait => (Barrier, Arrive),
            SyncOp::BarrierDestroy => (Barrier, Destroy),
            SyncOp::SemInit => (Semaphore, Init { kind: false }),
            SyncOp::SemWait => (Semaphore, take(Waits)),
            SyncOp::SemTryWait => (Semaphore, take(Tries)),
            SyncOp::SemTimedWait => (Semaphore, take(Timed)),
            SyncOp::SemPost => (Semaphore, Give),
            SyncOp::SemGetValue => (Semaphore, Look),
            SyncOp::SemDestroy => (Semaphore, Destroy),
            SyncOp::OnceBegin => (Once, take(Waits)),
            SyncOp::OnceEnd | SyncOp::OnceTakeBack => (Once, Give),
            SyncOp::KeyCreate => (Key, NewKey),
            SyncOp::KeyDelete => (Key, DropKey),
            SyncOp::KeyGet => (Key, Specific { set: false }),
            SyncOp::KeySet => (Key, Specific { set: true }),
        };
        Operation { subject, action }
    }

    /// What it needs to go on. (A wait on a condition and an arrival at a
    /// barrier go on at once, and block in their middle.)
    pub fn needs(self) -> Needs {
        match self.action {
            Action::Take { shares, patience: Patience::Waits } => Needs::Object { shares },
            Action::Join => Needs::End,
            Action::Take { patience: Patience::Tries | Patience::Timed, .. }
            | Action::Init { .. }
            | Action::Destroy
            | Action::Give
            | Action::Repair
            | Action::Wait { .. }
            | Action::Wake { .. }
            | Action::Arrive
            | Action::Look
            | Action::Create
            | Action::Detach
            | Action::Myself
            | Action::NewKey
            | Action::DropKey
            | Action::Specific { .. } => Needs::Nothing,
        }
    }

    /// Which parts of a state it looks at or changes.
    pub fn reach(self) -> Reach {
        match self.action {
            Action::Take { .. } | Action::Give | Action::Repair | Action::Arrive | Action::Look => {
                Reach::Object
            }
            Action::Init { kind: false } if self.subject != Subject::Cond => Reach::Object,
            Action::Wait { .. } => Reach::Objects,
            Action::Join => Reach::PeerAndResult,
            Action::Detach => Reach::Peer,
            Action::Myself | Action::Specific { .. } => Reach::Own,
            Action::Init { .. }
            | Action::Destroy
            | Action::Wake { .. }
            | Action::Create
            | Action::NewKey
            | Action::DropKey => Reach::Anything,
        }
    }

    /// Those of its arguments that are objects of synchronisation, each with what
    /// it is.
    pub fn objects(self, args: &[Operand]) -> impl Iterator<Item = (Operand, Subject)> + '_ {
        let count = match (self.subject, self.action) {
            (Subject::Thread | Subject::Key, _) => 0,
            (_, Action::Wait { .. }) => 2,
            _ => 1,
        };
        args[..count].iter().copied().zip([self.subject, Subject::Mutex])
    }

    /// Whether it is ordered after all that it can learn of other threads. It is
    /// not if it finds out what others hold without taking it, or is given a
    /// number that tells how many came before.
    pub fn orders(self) -> bool {
        match self.action {
            Action::Take { patience, .. } => patience == Patience::Waits,
            Action::Look | Action::Repair | Action::NewKey | Action::DropKey => false,
            Action::Init { .. }
            | Action::Destroy
            | Action::Give
            | Action::Wait { .. }
            | Action::Wake { .. }
            | Action::Arrive
            | Action::Create
            | Action::Join
            | Action::Detach
            | Action::Myself
            | Action::Specific { .. } => true,
        }
    }

    /// Whether it can find out that its object is held without waiting for it.
    pub fn tries(self) -> bool {
        match self.action {
            Action::Take { patience, .. } => patience != Patience::Waits,
            action => action == Action::Look,
        }
    }

    /// Whether a thread that is blocked in it waits for what any thread may do,
    /// and for as long as it takes.
    pub fn waits_for_anyone(self) -> bool {
        match self.action {
            Action::Take { patience, .. } => {
                self.subject == Subject::Semaphore && patience == Patience::Waits
            }
            action => action == Action::Arrive || action == Action::Wait { timed: false },
        }
    }
}
