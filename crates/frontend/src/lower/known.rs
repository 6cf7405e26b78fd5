//! Functions and variables that are known by name.

use ir::{FloatOp, FloatUnOp, SyncOp};

use super::environment;

/// What a call of a known function becomes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// A thread operation on these of the arguments.
    Sync(SyncOp, &'static [usize]),
    /// Memory from the heap: the argument is the size.
    Malloc,
    /// Memory from the heap that never fails: `__tp_new(size)`, `__tp_aligned_new(size, align)`.
    New { aligned: bool },
    /// `__tp_aligned_malloc(size, align)`
    AlignedMalloc,
    /// Zeroed memory: count and size.
    Calloc,
    /// Gives memory back.
    Free,
    /// `__tp_free_for(old, heir)`: gives memory back to another object.
    FreeFor,
    /// `__tp_free_sized(pointer, size)`: gives back memory of this size.
    FreeSized,
    /// `__tp_is_own(function)`: whether the program defines a function that the
    /// library has, too.
    IsOwn,
    /// The size of a heap object.
    ObjectSize,
    /// Memory from the stack frame.
    Alloca,
    /// Copies bytes.
    MemCopy,
    /// Copies bytes that may overlap.
    MemMove,
    /// Fills bytes.
    MemSet,
    /// Zeroes bytes: `bzero`.
    MemZero,
    /// A failed assertion; the argument with this index is the expression's text.
    AssertFail(usize),
    /// A call that is itself the failure.
    ErrorCall,
    /// Assumes that its argument is not zero.
    Assume,
    /// Returns anything.
    Nondet,
    /// Returns anything between its two arguments.
    NondetRange,
    /// An atomic section begins, which the others are ordered with or not.
    AtomicBegin { orders: bool },
    /// An atomic section ends.
    AtomicEnd { orders: bool },
    /// Has no effect that matters here, and returns anything.
    Harmless,
    /// Has no effect that matters here, and returns 0.
    Succeeds,
    /// Has no effect, and returns its argument with this index.
    Returns(usize),
    /// Reads and fills memory, and returns an input.
    Environment(environment::Function),
    /// C++ output of a text: the stream and the text.
    StreamText,
    /// C++ output of a `std::string`: the stream and the string.
    StreamString,
    /// C++ output of so many characters: the stream, the characters, their number.
    StreamBytes,
    /// C++ output of a value: the stream and the value.
    StreamValue,
    /// Offers the processor, and returns 0.
    Yield,
    /// Sleeps, and returns 0: the library's function with this name moves the
    /// clocks, if the program reads any.
    Sleep(&'static str),
    /// A wait ended because a time of a clock came: the clock, seconds, nanoseconds.
    TimeCame,
    /// The clock for whose times one waits at a condition.
    ClockOf,
    /// Ends the process after the handler of `SIGABRT`.
    Abort,
    /// Ends the process at once.
    AbortNow,
    /// Ends the process after the exit handlers.
    Exit,
    /// Ends the process without the exit handlers.
    ExitNow,
    /// Ends the thread.
    ThreadExit,
    /// A float function of one argument.
    Float(FloatUnOp),
    /// A float function of two arguments.
    Float2(FloatOp),
    /// Cannot be executed; reaching it makes the verdict unknown.
    Unsupported(&'static str),
    /// As above; the argument is the text.
    UnsupportedText,
}

impl Known {
    /// Whether what the function does is left out, but for what it returns.
    pub fn is_harmless(self) -> bool {
        matches!(self, Known::Harmless | Known::Succeeds)
    }

    /// Whether the arguments do not matter (beyond having been computed).
    pub fn ignores_arguments(self) -> bool {
        matches!(
            self,
            Known::AssertFail(_)
                | Known::ErrorCall
                | Known::Nondet
                | Known::Harmless
                | Known::Succeeds
                | Known::Yield
                | Known::Abort
                | Known::AbortNow
                | Known::Unsupported(_)
                | Known::UnsupportedText
        )
    }
}

/// Functions that keep their meaning even if the program defines them.
pub fn always(name: &str) -> Option<Known> {
    Some(match unmangled(name) {
        "reach_error" | "__VERIFIER_error" => Known::ErrorCall,
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "tp_assume" => Known::Assume,
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" | "tp_atomic_begin" => {
            Known::AtomicBegin { orders: true }
        }
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" | "tp_atomic_end" => {
            Known::AtomicEnd { orders: true }
        }
        "_ZSt20__replacement_assertPKciS0_S0_" | "_ZSt21__glibcxx_assert_failPKciS0_S0_" => {
            Known::AssertFail(3)
        }
        _ => return stream_output(name),
    })
}

/// The name of a function that C++ declares outside of all namespaces without
/// saying that it is one of C: `_Z10nondet_intv` is `nondet_int`.
pub fn unmangled(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else { return name };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length = rest[..digits].parse().unwrap_or(0);
    rest[digits..].get(..length).filter(|name| !name.is_empty()).unwrap_or(name)
}

/// `std::ostream`'s operators and manipulators, which return the stream.
fn stream_output(name: &str) -> Option<Known> {
    const PREFIXES: [&str; 6] =
        ["_ZNSolsE", "_ZStlsI", "_ZStlsR", "_ZSt4endlI", "_ZSt5flushI", "_ZNSo5flushE"];
    const TEXTS: [&str; 3] = ["c", "a", "h"];
    let text = |kind: &str| {
        name == format!("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PK{kind}")
            || name == format!("_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PK{kind}")
    };
    if TEXTS.iter().any(|kind| text(kind)) {
        return Some(Known::StreamText);
    }
    if name.starts_with("_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostream") && name.contains("basic_string")
    {
        return Some(Known::StreamString);
    }
    if name.starts_with("_ZSt16__ostream_insertI") || name.starts_with("_ZNSo5writeEPKc") {
        return Some(Known::StreamBytes);
    }
    let value = name.strip_prefix("_ZNSolsE").is_some_and(|kind| kind.len() == 1)
        || name.starts_with("_ZNSo9_M_insertI")
        || name == "_ZNSo3putEc"
        || name == "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c";
    if value {
        return Some(Known::StreamValue);
    }
    let any = PREFIXES.iter().any(|p| name.starts_with(p));
    any.then_some(Known::Returns(0))
}

/// Whether a defined function with this name is one atomic section.
pub fn is_atomic_function(name: &str) -> bool {
    unmangled(name).starts_with("__VERIFIER_atomic_") && always(name).is_none()
}

/// Functions without a body that are known.
pub fn declared(name: &str) -> Option<Known> {
    always(name)
        .or_else(|| threads(name))
        .or_else(|| memory(name))
        .or_else(|| process(name))
        .or_else(|| own(name))
        .or_else(|| environment::function(name).map(Known::Environment))
        .or_else(|| values(name))
        .or_else(|| mathematics(name))
        .or_else(|| harmless(name))
}

/// pthread functions that are one instruction each.
fn threads(name: &str) -> Option<Known> {
    use SyncOp::*;
    let (op, args): (SyncOp, &'static [usize]) = match name {
        "pthread_create" | "__tp_create_thread" => (ThreadCreate, &[0, 1, 2, 3]),
        "pthread_join" | "_pthread_join" | "__pthread_join" => (ThreadJoin, &[0, 1]),
        "pthread_detach" => (ThreadDetach, &[0]),
        "pthread_self" => (ThreadSelf, &[]),
        "pthread_mutex_init" => (MutexInit, &[0, 1]),
        "pthread_mutex_lock" => (MutexLock, &[0]),
        "pthread_mutex_trylock" => (MutexTryLock, &[0]),
        "__tp_mutex_timedlock" => (MutexTimedLock, &[0]),
        "pthread_mutex_unlock" => (MutexUnlock, &[0]),
        "pthread_mutex_consistent" => (MutexConsistent, &[0]),
        "pthread_mutex_destroy" => (MutexDestroy, &[0]),
        "pthread_cond_init" => (CondInit, &[0]),
        "pthread_cond_wait" => (CondWait, &[0, 1]),
        "__tp_cond_timedwait" => (CondTimedWait, &[0, 1]),
        "pthread_cond_signal" => (CondSignal, &[0]),
        "pthread_cond_broadcast" => (CondBroadcast, &[0]),
        "pthread_cond_destroy" => (CondDestroy, &[0]),
        "pthread_rwlock_init" => (RwInit, &[0, 1]),
        "pthread_rwlock_rdlock" => (RwReadLock, &[0]),
        "pthread_rwlock_tryrdlock" => (RwTryReadLock, &[0]),
        "__tp_rwlock_timedrdlock" => (RwTimedReadLock, &[0]),
        "pthread_rwlock_wrlock" => (RwWriteLock, &[0]),
        "pthread_rwlock_trywrlock" => (RwTryWriteLock, &[0]),
        "__tp_rwlock_timedwrlock" => (RwTimedWriteLock, &[0]),
        "pthread_rwlock_unlock" => (RwUnlock, &[0]),
        "pthread_rwlock_destroy" => (RwDestroy, &[0]),
        "pthread_spin_init" => (SpinInit, &[0]),
        "pthread_spin_lock" => (SpinLock, &[0]),
        "pthread_spin_trylock" => (SpinTryLock, &[0]),
        "pthread_spin_unlock" => (SpinUnlock, &[0]),
        "pthread_spin_destroy" => (SpinDestroy, &[0]),
        "pthread_barrier_init" => (BarrierInit, &[0, 2]),
        "pthread_barrier_wait" => (BarrierWait, &[0]),
        "pthread_barrier_destroy" => (BarrierDestroy, &[0]),
        "pthread_key_create" | "__pthread_key_create" => (KeyCreate, &[0, 1]),
        "pthread_key_delete" => (KeyDelete, &[0]),
        "pthread_setspecific" => (KeySet, &[0, 1]),
        "pthread_getspecific" => (KeyGet, &[0]),
        "__tp_sem_init" => (SemInit, &[0, 1]),
        "__tp_sem_wait" => (SemWait, &[0]),
        "__tp_sem_trywait" => (SemTryWait, &[0]),
        "__tp_sem_timedwait" => (SemTimedWait, &[0]),
        "__tp_sem_post" => (SemPost, &[0]),
        "__tp_sem_getvalue" => (SemGetValue, &[0]),
        "__tp_sem_destroy" => (SemDestroy, &[0]),
        "__tp_once_begin" => (OnceBegin, &[0]),
        "__tp_once_end" => (OnceEnd, &[0]),
        "__tp_once_take_back" => (OnceTakeBack, &[0]),
        _ => return None,
    };
    Some(Known::Sync(op, args))
}

fn memory(name: &str) -> Option<Known> {
    Some(match name {
        "malloc" | "__tp_malloc" => Known::Malloc,
        "__tp_aligned_malloc" => Known::AlignedMalloc,
        "__tp_new" => Known::New { aligned: false },
        "__tp_aligned_new" => Known::New { aligned: true },
        "calloc" => Known::Calloc,
        "free" | "cfree" => Known::Free,
        "__tp_free_for" => Known::FreeFor,
        "__tp_free_sized" => Known::FreeSized,
        "__tp_is_own" => Known::IsOwn,
        "__tp_object_size" | "malloc_usable_size" => Known::ObjectSize,
        "alloca" | "__builtin_alloca" => Known::Alloca,
        "memcpy" | "__memcpy_chk" | "__builtin_memcpy" => Known::MemCopy,
        "memmove" | "__memmove_chk" => Known::MemMove,
        "memset" | "__memset_chk" => Known::MemSet,
        "bzero" | "explicit_bzero" => Known::MemZero,
        _ => return None,
    })
}

fn process(name: &str) -> Option<Known> {
    Some(match name {
        "__assert_fail" | "__assert_perror_fail" | "__assert" | "__tp_fail" => Known::AssertFail(0),
        "__assert_rtn" | "__assert_func" => Known::AssertFail(3),
        "__VERIFIER_assert_fail" | "__CPROVER_error" | "__ESBMC_error" => Known::ErrorCall,
        "abort" => Known::Abort,
        "__tp_abort" => Known::AbortNow,
        "exit" => Known::Exit,
        "_exit" | "_Exit" | "__tp_exit" => Known::ExitNow,
        "pthread_exit" => Known::ThreadExit,
        "sched_yield" | "pthread_yield" | "thrd_yield" => Known::Yield,
        "sleep" => Known::Sleep("__tp_sleep_seconds"),
        "usleep" => Known::Sleep("__tp_sleep_microseconds"),
        _ => return None,
    })
}

/// What the run-time library says to the front end.
fn own(name: &str) -> Option<Known> {
    Some(match name {
        "__tp_unsupported" => Known::UnsupportedText,
        "__tp_undivided_begin" => Known::AtomicBegin { orders: false },
        "__tp_undivided_end" => Known::AtomicEnd { orders: false },
        "__tp_pause" => Known::Sleep("__tp_sleep"),
        "__tp_time_came" => Known::TimeCame,
        "__tp_clock_of" => Known::ClockOf,
        "tp_nondet_range" => Known::NondetRange,
        "__cxa_throw" | "__cxa_rethrow" | "__cxa_allocate_exception" | "__cxa_throw_bad_array_new_length" => {
            Known::Unsupported("C++ exception")
        }
        // It returns a second time only after longjmp, which is not supported.
        "setjmp" | "_setjmp" | "__sigsetjmp" => Known::Succeeds,
        "longjmp" | "siglongjmp" | "_longjmp" => Known::Unsupported("longjmp"),
        "pthread_cancel" => Known::Unsupported("thread cancellation"),
        // What one thread writes there another can wait for.
        "pipe" | "pipe2" | "socketpair" | "eventfd" => Known::Unsupported("a pipe within the program"),
        "fork" | "vfork" => Known::Unsupported("fork"),
        "sigqueue" | "sigaltstack" | "sigwaitinfo" | "sigtimedwait" | "signalfd" | "timer_create"
        | "timer_settime" => Known::Unsupported("a signal of this kind"),
        _ if name.starts_with("_ZSt") && name.contains("__throw_") => Known::Unsupported("C++ exception"),
        _ => return None,
    })
}

fn values(name: &str) -> Option<Known> {
    const PREFIXES: [&str; 5] =
        ["__VERIFIER_nondet_", "tp_nondet_", "nondet_", "__ESBMC_nondet_", "__tp_nondet_"];
    PREFIXES.iter().any(|p| unmangled(name).starts_with(p)).then_some(Known::Nondet)
}

/// `sqrt`, `sqrtf`, `sqrtl` and so on.
fn mathematics(name: &str) -> Option<Known> {
    let one = |name: &str| {
        Some(match name {
            "fabs" => FloatUnOp::Abs,
            "sqrt" => FloatUnOp::Sqrt,
            "floor" => FloatUnOp::Floor,
            "ceil" => FloatUnOp::Ceil,
            "trunc" => FloatUnOp::Trunc,
            "round" => FloatUnOp::Round,
            "rint" | "nearbyint" | "roundeven" => FloatUnOp::RoundEven,
            "sin" => FloatUnOp::Sin,
            "cos" => FloatUnOp::Cos,
            "exp" => FloatUnOp::Exp,
            "log" => FloatUnOp::Log,
            _ => return None,
        })
    };
    let two = |name: &str| {
        Some(match name {
            "pow" => FloatOp::Pow,
            "fmod" => FloatOp::Rem,
            "fmin" => FloatOp::Min,
            "fmax" => FloatOp::Max,
            "copysign" => FloatOp::CopySign,
            _ => return None,
        })
    };
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let unary = one(name).or_else(|| one(stem)).map(Known::Float);
    unary.or_else(|| two(name).or_else(|| two(stem)).map(Known::Float2))
}

/// Output, settings, and other things that no property depends on.
fn harmless(name: &str) -> Option<Known> {
    Some(match name {
        "wprintf" | "fwprintf" | "putwchar" => Known::Unsupported("output of wide characters"),
        "closelog" | "setlocale" | "srand" | "srandom" | "srand48" | "sync" | "tzset" | "umask" => {
            Known::Harmless
        }
        "setpriority" | "nice" => Known::Succeeds,
        "pthread_setname_np"
        | "pthread_setconcurrency"
        | "pthread_setschedparam"
        | "pthread_setschedprio"
        | "pthread_setaffinity_np"
        | "pthread_testcancel"
        | "pthread_atfork"
        | "sched_setscheduler"
        | "sched_setaffinity"
        | "mlockall"
        | "mlock"
        | "munlock"
        | "prctl"
        | "madvise"
        | "__tp_nop" => Known::Succeeds,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Known, declared, unmangled};

    #[test]
    fn names_of_cpp_are_those_of_c() {
        assert_eq!(unmangled("_Z10nondet_intv"), "nondet_int");
        assert_eq!(unmangled("_ZN3own10nondet_intEv"), "_ZN3own10nondet_intEv");
        assert_eq!(unmangled("_Z99short"), "_Z99short");
        assert_eq!(declared("_Z17__VERIFIER_assumei"), Some(Known::Assume));
        assert_eq!(declared("_Z10nondet_intv"), Some(Known::Nondet));
        assert_eq!(declared("_Z6malloci"), None);
    }
}
