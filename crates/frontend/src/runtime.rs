//! The run-time library: C functions the program may call, compiled to
//! bitcode when the tool was built.

use crate::llvm::{Context, Module};
use crate::{Error, lower};

/// The attribute that marks the library's functions.
pub const MARK: &str = "threadproof-library";

static LP64: &[&[u8]] = include!(concat!(env!("OUT_DIR"), "/rt_lp64.rs"));
static ILP32: &[&[u8]] = include!(concat!(env!("OUT_DIR"), "/rt_ilp32.rs"));

/// Functions that read a clock which waits and sleeps move.
const CLOCKS: [&str; 6] = [
    "time",
    "clock_gettime",
    "gettimeofday",
    "timespec_get",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv",
];

/// What waits and sleeps become in programs that read clocks.
const MOVES_CLOCKS: [&str; 4] =
    ["__tp_pass_deadline", "__tp_sleep", "__tp_sleep_seconds", "__tp_sleep_microseconds"];

/// What sleeps.
const SLEEPS: [&str; 5] = ["sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"];

/// Adds what the program needs of the library; the program's own definitions win.
pub fn link<'c>(context: &'c Context, program: &mut Module<'c>) -> Result<(), Error> {
    let parts = if program.pointer_width() == 32 { ILP32 } else { LP64 };
    let mut library: Option<Module<'c>> = None;
    for bytes in parts {
        let part = context.parse("run-time library", bytes).map_err(Error::Internal)?;
        match &mut library {
            None => library = Some(part),
            Some(library) => library.link(part).map_err(Error::Internal)?,
        }
    }
    // Handlers run only in programs that may register some.
    let calls = |name: &&str| program.function(name).is_some_and(|f| f.is_declaration());
    let exit = ["atexit", "__cxa_atexit", "__cxa_thread_atexit"].iter().any(calls);
    let leaves = ["pthread_exit", "thrd_exit"].iter().any(calls);
    let has_destructors = program.global("llvm.global_dtors").is_some();
    let has_landing_pads = program.function("__gxx_personality_v0").is_some();
    let unwound = has_landing_pads && leaves;
    let cleanup = unwound || ["__pthread_register_cancel"].iter().any(calls);
    let initialisers = ["pthread_once", "call_once"].iter().any(calls);
    let signals = ["signal", "sigaction", "__sysv_signal"].iter().any(calls);
    // What calls are lowered to is there for every program.
    const USED: [&str; 8] = [
        "__tp_arguments",
        "__tp_read_text",
        "__tp_maybe_read_text",
        "__tp_read_bytes",
        "__tp_read_string",
        "__tp_fill",
        "__tp_use_stream",
        "__tp_cycles",
    ];
    let clocks = CLOCKS.iter().any(calls);
    let sleeps = SLEEPS.iter().any(calls);
    let condition_clocks = clocks && calls(&"pthread_condattr_setclock");
    let errors = calls(&"__errno_location");
    let system_calls = calls(&"syscall");
    USED.iter().for_each(|name| program.declare(name));
    if errors {
        program.declare("__tp_maybe_failed");
        program.declare("__tp_note_failure");
    }
    if clocks {
        MOVES_CLOCKS.iter().for_each(|name| program.declare(name));
    }
    if clocks && sleeps {
        program.declare("__tp_check_clocks");
    }
    if condition_clocks {
        program.declare("__tp_keep_clock");
        program.declare("__tp_kept_clock");
    }
    if system_calls {
        lower::system_calls::functions().for_each(|name| program.declare(name));
    }
    if signals {
        program.declare("__tp_run_abort_handler");
    }
    if exit {
        program.declare("__tp_run_exit_handlers");
    }
    if leaves && (exit || has_destructors) {
        program.declare("__tp_enter_main");
        program.declare("__tp_check_exit_handlers");
    }
    if cleanup {
        program.declare("__tp_check_cleanup");
    }
    if unwound {
        program.declare("__tp_enter_unwound");
        program.declare("__tp_leave_unwound");
    }
    if initialisers {
        program.declare("__tp_leave_initialisers");
    }
    match library {
        Some(library) => program.link(library.into_library(MARK)).map_err(Error::Link),
        None => Ok(()),
    }
}
