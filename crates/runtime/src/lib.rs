//! The runtime that holds a native program to an order of events.
//!
//! It is C, and comes as source: whoever builds a program with it runs clang
//! anyway, and so it fits every data model and sanitizer. Nothing has to be
//! installed beside the tool. `docs/native.md` says how it works.

/// A file of the runtime's source.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// What stands in it.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, text: include_str!(concat!("../c/", $name)) }),*]
    };
}

/// All source files; they include each other by name.
pub const FILES: &[File] = files![
    "common.h",
    "common.c",
    "threads.c",
    "main.c",
    "waits.c",
    "verifier.c",
    "replay.h",
    "replay.c",
    "replay_waits.c",
    "replay_inputs.c",
    "replay_failures.c",
    "replay_all.c",
    "enforce.h",
    "enforce.c",
    "enforce_notes.c",
    "enforce_strangers.c",
    "enforce_waits.c",
    "enforce_inputs.c",
    "enforce_failures.c",
    "enforce_all.c",
];

/// The file to compile for native replay. It wants a file `plan.c` beside it.
pub const REPLAY: &str = "replay_all.c";

/// The file to compile for an enforced schedule. It wants a file `plan.c` beside it.
pub const ENFORCE: &str = "enforce_all.c";

/// What the program's own `main` is called.
pub const MAIN: &str = "tp_program_main";

/// The function that is called before an event, with the number of its site.
pub const EVENT: &str = "tp_event";

/// The function that is called before the faulty instruction, if that is no event.
pub const MARK: &str = "tp_mark";

/// The function that is called before an event of a schedule.
pub const BEFORE: &str = "tp_before";

/// The function that is called after an event of a schedule.
pub const AFTER: &str = "tp_after";

/// The function that is called before an event that is a whole function.
pub const ENTER: &str = "tp_function_begins";

/// The function that is called where such a function returns.
pub const LEAVE: &str = "tp_function_ends";

/// The function that is called instead of both, where nothing can be called after.
pub const PASS: &str = "tp_pass";

/// The function that is called where events only end and nothing can be called after.
pub const OVER: &str = "tp_over";

/// The function that gives an input, named by its text.
pub const INPUT: &str = "tp_input";

/// The function that takes a function and returns it, or one that fails as it can.
pub const UNLESS_IT_FAILS: &str = "tp_unless_it_fails";

/// The name of the input that says whether a call fails.
pub const FAILURE: &str = "a failure";

/// Functions of the library that an enforced program calls by a name with this in front, so that
/// what the proof takes for granted of them is looked at (`enforce_failures.c`).
pub const CHECKED: &str = "tp_checked_";

/// Their names.
pub const CHECKED_FUNCTIONS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "strdup",
    "strndup",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwjRKSt9nothrow_t",
    "_ZnajRKSt9nothrow_t",
    "getline",
    "getenv",
    "get_nprocs",
    "get_nprocs_conf",
    "sysconf",
    "_ZNSt6thread20hardware_concurrencyEv",
];

/// The status of a program that the runtime ended.
pub const DEPARTED: i32 = 86;
