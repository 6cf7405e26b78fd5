//! What a fault says of itself: one line, the places that belong to it, and a
//! word of help. Every report of every engine takes them from here.

use ir::Location;
use machine::{Fairness, Fault, FaultKind, RaceAccess, ThreadId, Touch, Turn, Wait, quoted};

/// The fault in one line.
pub fn message(fault: &Fault) -> String {
    use FaultKind::*;
    match &fault.kind {
        Assertion { message } => with_detail("assertion failed", message),
        ErrorCall { message } => with_detail("error function called", message),
        DataRace { variable, .. } => format!("data race on {}", quoted(variable)),
        Deadlock { waits } => format!("deadlock: {} for ever", waiting(waits)),
        LocalDeadlock { waits } => {
            format!("local deadlock: {} for ever, though others still run", waiting(waits))
        }
        Livelock { turns, .. } => {
            let threads = names(turns.iter().map(|turn| turn.thread));
            let verb = if turns.len() == 1 { "goes" } else { "go" };
            format!("livelock: {threads} {verb} round for ever without progress")
        }
        Formula { formula, fairness, .. } => {
            let executions = match fairness {
                Fairness::None => "an execution",
                Fairness::Weak => "a weakly fair execution",
                Fairness::Strong => "a strongly fair execution",
            };
            format!("{executions} violates {}", quoted(formula))
        }
        NewFinalState => "the program ends in a state in which it does not end under sc".to_owned(),
        NewTrace { variable } => format!(
            "the store to {} takes effect after what followed from later accesses of its thread",
            quoted(variable)
        ),
        NullDereference { touch } => format!("{} through a null pointer", noun(*touch)),
        WildPointer { touch, address } => {
            format!("{} at address {address:#x}, where there is no object", noun(*touch))
        }
        UninitialisedPointer { touch } => format!("{} through an uninitialised pointer", noun(*touch)),
        OutOfBounds { touch, object, .. } => {
            format!("{} outside the bounds of {}", noun(*touch), quoted(object))
        }
        UseAfterFree { touch, object, .. } => {
            format!("{} {} after it was freed", noun_of(*touch), quoted(object))
        }
        UseAfterScope { touch, object } => {
            format!("{} {} after its scope ended", noun_of(*touch), quoted(object))
        }
        WriteToConstant { object } => format!("write to the constant {}", quoted(object)),
        DoubleFree { object, .. } => format!("{} is freed twice", quoted(object)),
        InvalidFree { pointer } => {
            format!("{} is freed, but it is not the start of a heap object", quoted(pointer))
        }
        OverlappingCopy { object } => {
            format!("memcpy between overlapping parts of {}", quoted(object))
        }
        BadCall { pointer } => {
            format!("call through {}, which is not such a function", quoted(pointer))
        }
        MismatchedFree { object, allocated, freed } => {
            format!("{} is from {allocated}, but goes back by {freed}", quoted(object))
        }
        MismatchedSize { object, size, freed } => {
            format!("{} has {size} bytes, but goes back as an object of {freed}", quoted(object))
        }
        StackOverflow { limit } => format!("stack overflow: more than {limit} bytes"),
        BadArguments { message } => message.clone(),
        BadElement { vector } => format!("an element outside of {vector}"),
        BadJump => "computed goto to something that is no label of the function".to_owned(),
        Unreachable => "code is reached that the compiler was promised never to reach".to_owned(),
        Leak { object, size, .. } => {
            format!("{} ({size} bytes) is never freed, and nothing points to it any more", quoted(object))
        }
        NotFreed { object, size, .. } => {
            format!("{} ({size} bytes) is not freed when the program ends", quoted(object))
        }
        SignedOverflow { operation, width } => {
            format!("signed overflow: {operation} does not fit {width} bits")
        }
        DivisionByZero => "division by zero".to_owned(),
        DivisionOverflow => "division overflow: the quotient does not fit".to_owned(),
        ShiftOutOfRange { amount, width } => format!("shift of a {width}-bit value by {amount}"),
        FloatConversion { number, width, signed } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            format!("conversion of {number} to {sign} {width} bits, which it does not fit")
        }
        UnlockNotHeld { object } => {
            format!("{} unlocks {}, which it does not hold", fault.thread, quoted(object))
        }
        Relock { object } => {
            format!("{} locks {}, which it already holds", fault.thread, quoted(object))
        }
        DestroyBusy { object } => {
            format!("{} is destroyed while it is in use", quoted(object))
        }
        WaitWithoutMutex { object, mutex } => {
            format!("{} waits on {} without holding {}", fault.thread, quoted(object), quoted(mutex))
        }
        WaitWithAnotherMutex { object, mutex } => {
            format!(
                "{} waits on {} while another thread waits on it with {}",
                fault.thread,
                quoted(object),
                quoted(mutex)
            )
        }
        NotInitialised { object } => {
            format!("{} is used, but it is not initialised", quoted(object))
        }
        BarrierCountZero { object } => {
            format!("{} is initialised with a count of 0", quoted(object))
        }
        JoinDetached { thread } => format!("join of {thread}, which is detached"),
        JoinTwice { thread } => format!("join of {thread}, which was joined before"),
        JoinSelf => format!("{} joins itself", fault.thread),
        BadThread { handle } => format!("{} is not a thread", quoted(handle)),
        BadKey { key } => format!("{key} is not a thread-specific key"),
        Uninitialised { decides } => format!("an uninitialised value decides {decides}"),
    }
}

fn with_detail(what: &str, detail: &str) -> String {
    if detail.is_empty() { what.to_owned() } else { format!("{what}: {detail}") }
}

fn noun(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "read",
        Touch::Write => "write",
    }
}

fn noun_of(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "read of",
        Touch::Write => "write to",
    }
}

fn verb(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "reads",
        Touch::Write => "writes",
    }
}

fn waiting(waits: &[Wait]) -> String {
    match waits {
        [one] => format!("{} waits", one.thread),
        _ => format!("{} wait", names(waits.iter().map(|w| w.thread))),
    }
}

/// `main, T1 and T2`.
pub(crate) fn names(threads: impl Iterator<Item = ThreadId>) -> String {
    let names: Vec<String> = threads.map(|t| t.to_string()).collect();
    match names.as_slice() {
        [] => "no thread".to_owned(),
        [one] => one.clone(),
        [firsts @ .., last] => format!("{} and {last}", firsts.join(", ")),
    }
}

/// A place that belongs to a fault, with what happens there.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// Where.
    pub at: Location,
    /// What.
    pub text: String,
    /// Whether it is the place of the fault itself.
    pub primary: bool,
}

/// The places that belong to a fault, its own first.
pub fn labels(fault: &Fault) -> Vec<Label> {
    use FaultKind::*;
    let here = |text: String| Label { at: fault.at.clone(), text, primary: true };
    let also = |at: &Location, text: &str| Label { at: at.clone(), text: text.to_owned(), primary: false };
    let thread = fault.thread;
    match &fault.kind {
        DataRace { first, second, .. } => vec![race_label(second, true), race_label(first, false)],
        Deadlock { waits } | LocalDeadlock { waits } => waits.iter().map(wait_label).collect(),
        Livelock { turns, .. } => turns.iter().map(turn_label).collect(),
        Formula { turns, start, .. } => match (&turns[..], start) {
            ([], None) => vec![here(format!("after this step of {thread} it cannot be fulfilled any more"))],
            ([], Some(_)) => vec![here("nothing happens any more".to_owned())],
            (turns, _) => turns.iter().map(turn_label).collect(),
        },
        OutOfBounds { touch, size, offset, len, .. } => {
            vec![here(format!(
                "{thread} {} {} at offset {offset} of an object of {}",
                verb(*touch),
                bytes(*len),
                bytes(*size)
            ))]
        }
        UseAfterFree { touch, freed, .. } => {
            vec![here(format!("{thread} {} it here", verb(*touch))), also(freed, "freed here")]
        }
        DoubleFree { freed, .. } => {
            vec![here(format!("{thread} frees it again")), also(freed, "freed here first")]
        }
        Leak { allocated, .. } | NotFreed { allocated, .. } if *allocated == fault.at => {
            vec![here("allocated here".to_owned())]
        }
        Leak { allocated, .. } | NotFreed { allocated, .. } => {
            vec![here("not freed when the program ends here".to_owned()), also(allocated, "allocated here")]
        }
        NewFinalState => vec![here(format!("{thread} ends the program"))],
        NewTrace { .. } => vec![here(format!("by {thread}"))],
        _ => vec![here(format!("in {thread}"))],
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

fn race_label(access: &RaceAccess, primary: bool) -> Label {
    let atomic = if access.atomic { " atomically" } else { "" };
    let does = if access.frees { "frees" } else { verb(access.touch) };
    let unordered = if primary { ", and nothing orders the two" } else { "" };
    let text = format!("{} {does} it{atomic} here{unordered}", access.thread);
    Label { at: access.at.clone(), text, primary }
}

fn wait_label(wait: &Wait) -> Label {
    Label { at: wait.at.clone(), text: format!("{} waits for {}", wait.thread, awaited(wait)), primary: true }
}

fn turn_label(turn: &Turn) -> Label {
    let text = format!("{} comes by here again and again", turn.thread);
    Label { at: turn.at.clone(), text, primary: true }
}

/// What a thread waits for, and which threads hold it.
pub(crate) fn awaited(wait: &Wait) -> String {
    match wait.holders.as_slice() {
        [] => format!("{}, {}", wait.object, without_holder(&wait.object)),
        // A join names the thread itself: that it holds itself says nothing.
        [one] if wait.object.ends_with(&one.to_string()) => wait.object.clone(),
        [one] if *one == wait.thread => format!("{}, which it holds itself", wait.object),
        holders => format!("{}, held by {}", wait.object, names(holders.iter().copied())),
    }
}

fn without_holder(object: &str) -> &'static str {
    match object.split(' ').next() {
        Some("condition") => "which no thread will signal",
        Some("semaphore") => "which no thread will post",
        Some("barrier") => "where no other thread will arrive",
        _ => "which no thread will release",
    }
}

/// What the fault means and what usually helps, in a sentence or two; empty
/// where the message says all.
pub fn help(kind: &FaultKind) -> &'static str {
    use FaultKind::*;
    match kind {
        DataRace { first, second, .. } if first.volatile && second.volatile => {
            "volatile does not make an access atomic, and no lock, join or atomic operation orders the two: \
             what the program does is undefined. Where the compiler promises more, `--volatile-atomic` counts \
             volatile accesses of up to a word as relaxed atomic ones"
        }
        DataRace { .. } => {
            "two threads access the same memory, at least one of them writes and at least one access is not \
             atomic, and no lock, join or atomic operation orders them: what the program does is undefined"
        }
        Deadlock { waits } | LocalDeadlock { waits } => deadlock_help(waits),
        Livelock { .. } => {
            "every thread that can move does, and yet the same state comes again: what they wait for never \
             becomes true. A loop that is meant to run for ever says so with tp_progress()"
        }
        NewFinalState => {
            "a store was seen too late by another thread: see the row in which it leaves its buffer. `--fences` \
             proposes places for fences"
        }
        NewTrace { .. } => {
            "no execution under sequential consistency has its accesses in this order: see the row in which \
             the store leaves its buffer. `--fences` proposes places for fences"
        }
        Formula { start: None, .. } => "whatever happens afterwards, the formula stays violated",
        Formula { fairness: Fairness::None, .. } => {
            "the execution need not be fair: with --fairness weak threads that can go on do so"
        }
        Formula { .. } => "every thread that can move gets its turn, and yet the formula is not fulfilled",
        UninitialisedPointer { .. } => "it may be any pointer, a bad one too",
        UseAfterScope { .. } => "a local variable ends with its block or function",
        OverlappingCopy { .. } => "memmove allows overlap",
        StackOverflow { .. } => "an endless recursion, or a very large local variable",
        SignedOverflow { .. } => "signed overflow is undefined; the check goes on with the wrapped value",
        ShiftOutOfRange { .. } => "the amount must be less than the width",
        UnlockNotHeld { .. } => "only the thread that locked a mutex may unlock it",
        Relock { .. } => "a normal mutex must not be locked twice by one thread; a recursive one may",
        WaitWithoutMutex { .. } => "the mutex must be locked by the caller of pthread_cond_wait",
        WaitWithAnotherMutex { .. } => {
            "all threads that wait on a condition at the same time must use the same mutex"
        }
        NotInitialised { .. } => "call the init function, or use a static initialiser",
        JoinTwice { .. } | JoinDetached { .. } => {
            "a thread can be joined once, and only if it is not detached"
        }
        Uninitialised { .. } => "the value depends on memory that was never written",
        _ => "",
    }
}

fn deadlock_help(waits: &[Wait]) -> &'static str {
    let waits_for = |what: &str| waits.iter().any(|wait| wait.object.starts_with(what));
    if waits_for("condition") {
        "change what a condition is about, and signal it, under its mutex; a signal that no thread waits for is lost"
    } else if waits_for("mutex") || waits_for("rwlock") || waits_for("spin") {
        "take locks in the same order everywhere, and release them on every path"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location { file: "a.c".into(), line, column: 1, function: "f".into() }
    }

    fn wait(thread: u32, object: &str, holders: &[u32]) -> Wait {
        let holders = holders.iter().map(|h| ThreadId(*h)).collect();
        Wait { thread: ThreadId(thread), at: at(thread), object: object.into(), holders }
    }

    fn fault(kind: FaultKind) -> Fault {
        Fault { kind, thread: ThreadId(1), at: at(1), calls: vec![] }
    }

    #[test]
    fn a_deadlock_names_who_waits_for_what() {
        let waits = vec![wait(0, "T1", &[1]), wait(1, "mutex a", &[2]), wait(2, "mutex b", &[])];
        let fault = fault(FaultKind::Deadlock { waits });
        assert_eq!(message(&fault), "deadlock: main, T1 and T2 wait for ever");
        let texts: Vec<String> = labels(&fault).into_iter().map(|l| l.text).collect();
        assert_eq!(texts[0], "main waits for T1");
        assert_eq!(texts[1], "T1 waits for mutex a, held by T2");
        assert_eq!(texts[2], "T2 waits for mutex b, which no thread will release");
    }

    #[test]
    fn a_race_shows_both_accesses() {
        let access = |thread, touch| RaceAccess {
            thread: ThreadId(thread),
            at: at(thread),
            touch,
            atomic: false,
            volatile: false,
            frees: false,
        };
        let kind = FaultKind::DataRace {
            variable: "x".into(),
            first: access(2, Touch::Read),
            second: access(1, Touch::Write),
        };
        let labels = labels(&fault(kind));
        assert_eq!(labels[0].text, "T1 writes it here, and nothing orders the two");
        assert_eq!(labels[1].text, "T2 reads it here");
    }
}
