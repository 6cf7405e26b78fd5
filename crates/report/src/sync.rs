//! What operations on synchronisation objects and threads are called.

use ir::SyncOp;
use machine::{Phase, ThreadId};

/// The operation as a report tells it; nothing for those that neither wait
/// nor are seen by other threads.
pub fn sync_text(
    op: SyncOp,
    phase: Phase,
    object: &str,
    peer: Option<ThreadId>,
    result: u64,
) -> Option<String> {
    use SyncOp::*;
    let peer = peer.map_or_else(|| "a thread".to_owned(), |t| t.to_string());
    let text = match (op, phase) {
        (ThreadCreate, _) => outcome(format!("creates {peer}"), result),
        (ThreadJoin, _) => outcome(format!("joins {peer}"), result),
        (ThreadDetach, _) => outcome(format!("detaches {peer}"), result),
        (CondWait | CondTimedWait, Phase::Begin) => format!("waits on {object}"),
        (CondWait | CondTimedWait, _) => outcome(format!("wakes from {object}"), result),
        (BarrierWait, Phase::Begin) => format!("arrives at {object}"),
        (BarrierWait, _) => format!("passes {object}"),
        (SemGetValue, _) => format!("reads {object} = {result}"),
        (OnceBegin, _) if result == 1 => format!("runs once {object}"),
        (OnceBegin, _) => format!("finds {object} done"),
        _ => outcome(format!("{} {object}", verb(op)?), result),
    };
    Some(text)
}

fn verb(op: SyncOp) -> Option<&'static str> {
    use SyncOp::*;
    Some(match op {
        MutexLock | MutexTimedLock | SpinLock => "locks",
        MutexTryLock | SpinTryLock => "tries to lock",
        MutexUnlock | RwUnlock | SpinUnlock => "unlocks",
        RwReadLock | RwTimedReadLock => "read-locks",
        RwWriteLock | RwTimedWriteLock => "write-locks",
        RwTryReadLock => "tries to read-lock",
        RwTryWriteLock => "tries to write-lock",
        CondSignal => "signals",
        CondBroadcast => "broadcasts",
        SemWait | SemTimedWait => "takes",
        SemTryWait => "tries to take",
        SemPost => "posts",
        OnceEnd => "has done",
        MutexConsistent => "repairs",
        MutexDestroy | CondDestroy | RwDestroy | SpinDestroy | BarrierDestroy | SemDestroy => "destroys",
        _ => return None,
    })
}

fn outcome(text: String, result: u64) -> String {
    match result as u32 {
        0 => text,
        code => format!("{text}: {}", error_name(code)),
    }
}

/// The name of an error code on Linux.
fn error_name(code: u32) -> String {
    let name = match code {
        1 => "EPERM",
        3 => "ESRCH",
        11 => "EAGAIN",
        12 => "ENOMEM",
        16 => "EBUSY",
        22 => "EINVAL",
        35 => "EDEADLK",
        110 => "ETIMEDOUT",
        130 => "EOWNERDEAD",
        131 => "ENOTRECOVERABLE",
        _ => return format!("error {code}"),
    };
    name.to_owned()
}
