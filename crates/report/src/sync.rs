//! What operations on synchronisation objects and threads are called.

use ir::SyncOp;
use machine::{Action, Operation, Patience, Phase, Subject, ThreadId};

/// The operation as a report tells it; nothing for those that neither wait
/// nor are seen by other threads.
pub fn sync_text(
    op: SyncOp,
    phase: Phase,
    object: &str,
    peer: Option<ThreadId>,
    result: u64,
) -> Option<String> {
    let operation = Operation::of(op);
    let peer = peer.map_or_else(|| "a thread".to_owned(), |t| t.to_string());
    let text = match operation.action {
        Action::Create => outcome(format!("creates {peer}"), result),
        Action::Join => outcome(format!("joins {peer}"), result),
        Action::Detach => outcome(format!("detaches {peer}"), result),
        Action::Wait { .. } if phase == Phase::Begin => format!("waits on {object}"),
        Action::Wait { .. } => outcome(format!("wakes from {object}"), result),
        Action::Arrive if phase == Phase::Begin => format!("arrives at {object}"),
        Action::Arrive => format!("passes {object}"),
        Action::Look => format!("reads {object} = {result}"),
        Action::Take { .. } if operation.subject == Subject::Once && result == 1 => {
            format!("runs once {object}")
        }
        Action::Take { .. } if operation.subject == Subject::Once => format!("finds {object} done"),
        Action::Take { shares, patience } => {
            let verb = taking(operation.subject, shares, patience == Patience::Tries);
            outcome(format!("{verb} {object}"), result)
        }
        Action::Give => outcome(format!("{} {object}", giving(operation.subject)), result),
        Action::Repair => outcome(format!("repairs {object}"), result),
        Action::Wake { all: false } => outcome(format!("signals {object}"), result),
        Action::Wake { all: true } => outcome(format!("broadcasts {object}"), result),
        Action::Destroy => outcome(format!("destroys {object}"), result),
        Action::Init { .. } | Action::Myself | Action::NewKey | Action::DropKey | Action::Specific { .. } => {
            return None;
        }
    };
    Some(text)
}

fn taking(subject: Subject, shares: bool, tries: bool) -> &'static str {
    let (takes, tries_to) = match subject {
        Subject::Semaphore => ("takes", "tries to take"),
        Subject::RwLock if shares => ("read-locks", "tries to read-lock"),
        Subject::RwLock => ("write-locks", "tries to write-lock"),
        Subject::Mutex
        | Subject::Spin
        | Subject::Cond
        | Subject::Barrier
        | Subject::Once
        | Subject::Thread
        | Subject::Key => ("locks", "tries to lock"),
    };
    if tries { tries_to } else { takes }
}

fn giving(subject: Subject) -> &'static str {
    match subject {
        Subject::Semaphore => "posts",
        Subject::Once => "has done",
        Subject::Mutex
        | Subject::Spin
        | Subject::RwLock
        | Subject::Cond
        | Subject::Barrier
        | Subject::Thread
        | Subject::Key => "unlocks",
    }
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
