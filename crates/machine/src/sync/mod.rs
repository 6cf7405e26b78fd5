//! Synchronisation objects as machine state. They do not list the threads that
//! wait: a thread that cannot take its lock simply cannot move, and one that
//! waits on a condition says so itself.

pub(crate) mod abandoned;
pub(crate) mod blocked;
pub(crate) mod drain;
pub(crate) mod enabled;
pub(crate) mod gate;
pub(crate) mod livelock;
pub(crate) mod peek;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use crate::race::Clock;
use crate::telling::fault::ThreadId;

/// POSIX error codes, as Linux numbers them.
pub(crate) mod errno {
    pub const EPERM: u64 = 1;
    pub const EAGAIN: u64 = 11;
    pub const EBUSY: u64 = 16;
    pub const EINVAL: u64 = 22;
    pub const EDEADLK: u64 = 35;
    pub const EOVERFLOW: u64 = 75;
    pub const ETIMEDOUT: u64 = 110;
    pub const EOWNERDEAD: u64 = 130;
    pub const ENOTRECOVERABLE: u64 = 131;
}

/// The types of mutexes, as glibc numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum MutexKind {
    Normal,
    Recursive,
    ErrorChecking,
}

impl MutexKind {
    pub fn from_number(number: u64) -> MutexKind {
        match number & 3 {
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorChecking,
            _ => MutexKind::Normal,
        }
    }
}

/// Whether a mutex becomes free when its owner ends, and what then became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Robust {
    /// It stays locked.
    No,
    /// It becomes free; no owner has ended so far, or what it protects was
    /// repaired.
    Consistent,
    /// An owner has ended, and no thread has repaired what the mutex protects.
    Inconsistent,
    /// It was unlocked like that, and cannot be locked any more.
    Lost,
}

/// A mutex or spin lock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Mutex {
    pub kind: MutexKind,
    pub owner: Option<ThreadId>,
    /// How often its owner has locked a recursive one.
    pub depth: u32,
    pub robust: Robust,
    pub clock: Clock,
}

impl Mutex {
    pub fn new(kind: MutexKind) -> Mutex {
        Mutex { kind, owner: None, depth: 0, robust: Robust::No, clock: Clock::default() }
    }
}

/// A readers-writer lock.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RwLock {
    pub writer: Option<ThreadId>,
    /// Ascending; a thread that read-locked twice stands twice.
    pub readers: SmallVec<[ThreadId; 4]>,
    /// Published by writers, for all.
    pub write_clock: Clock,
    /// Published by readers, for writers.
    pub read_clock: Clock,
    /// Whether writers that wait go before new readers, so that a thread must
    /// not read-lock it twice.
    pub nonrecursive: bool,
}

impl RwLock {
    /// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`.
    pub const NONRECURSIVE: u64 = 2;
}

/// A barrier.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Barrier {
    pub count: u64,
    pub waiting: SmallVec<[ThreadId; 4]>,
    pub clock: Clock,
}

/// A semaphore.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Semaphore {
    pub value: u64,
    pub clock: Clock,
}

/// A `pthread_once_t`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Once {
    Running(ThreadId),
    /// A thread has ended within the initialiser.
    TakenBack(Clock),
    Done(Clock),
}

/// A synchronisation object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum SyncObject {
    Mutex(Mutex),
    Spin(Mutex),
    Cond,
    RwLock(RwLock),
    Barrier(Barrier),
    Semaphore(Semaphore),
    Once(Once),
    Destroyed,
}

impl SyncObject {
    /// How often a thread holds it, if it is a lock.
    pub fn holds(&self, thread: ThreadId) -> u32 {
        match self {
            SyncObject::Mutex(mutex) | SyncObject::Spin(mutex) if mutex.owner == Some(thread) => {
                mutex.depth.max(1)
            }
            SyncObject::RwLock(lock) => {
                let readers = lock.readers.iter().filter(|reader| **reader == thread).count() as u32;
                readers + u32::from(lock.writer == Some(thread))
            }
            _ => 0,
        }
    }

    /// The threads that hold it or wait at it. Those that wait for a condition say
    /// so themselves.
    pub fn named_threads(&self) -> SmallVec<[ThreadId; 4]> {
        match self {
            SyncObject::Mutex(mutex) | SyncObject::Spin(mutex) => mutex.owner.into_iter().collect(),
            SyncObject::RwLock(lock) => lock.writer.iter().chain(&lock.readers).copied().collect(),
            SyncObject::Barrier(barrier) => barrier.waiting.clone(),
            SyncObject::Once(Once::Running(holder)) => smallvec![*holder],
            SyncObject::Once(Once::Done(_) | Once::TakenBack(_))
            | SyncObject::Cond
            | SyncObject::Semaphore(_)
            | SyncObject::Destroyed => smallvec![],
        }
    }

    /// What it publishes to threads that acquire it.
    pub fn clocks(&self) -> SmallVec<[&Clock; 2]> {
        match self {
            SyncObject::Mutex(mutex) | SyncObject::Spin(mutex) => smallvec![&mutex.clock],
            SyncObject::RwLock(lock) => smallvec![&lock.write_clock, &lock.read_clock],
            SyncObject::Barrier(barrier) => smallvec![&barrier.clock],
            SyncObject::Semaphore(semaphore) => smallvec![&semaphore.clock],
            SyncObject::Once(Once::Done(clock) | Once::TakenBack(clock)) => smallvec![clock],
            SyncObject::Once(Once::Running(_)) | SyncObject::Cond | SyncObject::Destroyed => smallvec![],
        }
    }

    /// The same, for changing.
    pub fn clocks_mut(&mut self) -> SmallVec<[&mut Clock; 2]> {
        match self {
            SyncObject::Mutex(mutex) | SyncObject::Spin(mutex) => smallvec![&mut mutex.clock],
            SyncObject::RwLock(lock) => smallvec![&mut lock.write_clock, &mut lock.read_clock],
            SyncObject::Barrier(barrier) => smallvec![&mut barrier.clock],
            SyncObject::Semaphore(semaphore) => smallvec![&mut semaphore.clock],
            SyncObject::Once(Once::Done(clock) | Once::TakenBack(clock)) => smallvec![clock],
            SyncObject::Once(Once::Running(_)) | SyncObject::Cond | SyncObject::Destroyed => smallvec![],
        }
    }
}
