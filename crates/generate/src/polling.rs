//! Programs whose threads poll: loops that wait for others by looking again and
//! again, around every kind of lock, with and without giving the lock back.
//!
//! Correct protocols (ticket locks, sequence locks, requests and responses) stand
//! beside broken ones: which thread sets what under which lock is left to chance.

use crate::random::Random;

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, again;
pthread_spinlock_t spin;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
struct timespec soon;
int x, y, out[3];
_Atomic int a, b;
";

const MAIN: &str = "    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &attr);
    pthread_spin_init(&spin, 0);
    pthread_t t[3];
";

/// How a lock is taken and given back.
type Lock = (&'static str, &'static str);

const LOCKS: [Lock; 7] = [
    ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);"),
    ("pthread_mutex_lock(&m0);", "pthread_mutex_unlock(&m0);"),
    ("pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);"),
    ("pthread_mutex_lock(&again);", "pthread_mutex_unlock(&again);"),
    ("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);"),
    ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
    ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
];

/// The C source of the polling program with this seed.
pub fn polling(seed: u64) -> String {
    let mut poller = Poller { random: Random::new(seed), thread: 0 };
    let threads = if poller.random.one_in(4) { 3 } else { 2 };
    let mut source = format!("// Polling, generated from seed {seed}.\n{HEAD}");
    for thread in 0..threads {
        poller.thread = thread;
        let count = poller.random.within((1, 2));
        let body: String = (0..count).map(|_| poller.part()).collect();
        source += &format!("\nstatic void *thread{thread}(void *arg)\n{{\n    int r = 0;\n{body}");
        source += "    (void)r;\n    return arg;\n}\n";
    }
    source += &format!("\nint main(void)\n{{\n{MAIN}");
    for thread in 0..threads {
        source += &format!("    pthread_create(&t[{thread}], 0, thread{thread}, 0);\n");
    }
    for thread in 0..threads {
        source += &format!("    pthread_join(t[{thread}], 0);\n");
    }
    source + "    return 0;\n}\n"
}

struct Poller {
    random: Random,
    thread: usize,
}

impl Poller {
    fn part(&mut self) -> String {
        if self.random.one_in(3) { self.critical() } else { self.poll() }
    }

    /// One or two operations, perhaps under a lock.
    fn critical(&mut self) -> String {
        let body: String = (0..self.random.within((1, 2))).map(|_| self.operation()).collect();
        match self.random.one_in(3) {
            true => format!("    {body}\n"),
            false => {
                let (lock, unlock) = self.random.pick(&LOCKS);
                format!("    {lock} {body}{unlock}\n")
            }
        }
    }

    fn poll(&mut self) -> String {
        let (lock, unlock) = self.random.pick(&LOCKS);
        let (first, last) = (self.maybe(), self.maybe());
        let (inside, idle) = (self.idle(), self.idle());
        let wish = self.wish();
        let thread = self.thread;
        let text = match self.random.below(14) {
            0 => format!("while (!({wish})) {{ {idle}}}"),
            1 | 2 => {
                let open = self.maybe_rarely();
                format!("{lock} {first}while (!({wish})) {{ {inside}{unlock} {open}{lock} }} {last}{unlock}")
            }
            3 | 4 => {
                let wait = self.wait();
                format!(
                    "pthread_mutex_lock(&m0); {first}while (!({wish})) {{ {wait} {inside}}} {last}\
                     pthread_mutex_unlock(&m0);"
                )
            }
            5 => format!("do {{ {lock} r = {wish}; {unlock} {idle}}} while (!r); {last}"),
            6 => format!(
                "pthread_mutex_lock(&m0); {first}while (!({wish})) {{ pthread_mutex_lock(&m1); \
                 pthread_mutex_unlock(&m0); pthread_mutex_lock(&m0); pthread_mutex_unlock(&m1); }} \
                 pthread_mutex_unlock(&m0);"
            ),
            7 => format!("a = 1; while (!({wish})) {{ a = 1; {idle}}} {last}"),
            8 => format!("while (atomic_exchange(&a, 1)) {{ {idle}}} {last}a = 0;"),
            9 => format!("r = atomic_fetch_add(&a, 1); while (b != r) {{ {idle}}} {last}b = r + 1;"),
            10 => format!("do {{ r = a; out[{thread}] = x; }} while (r != a || (r & 1)); {last}"),
            11 => format!(
                "while (pthread_mutex_trylock(&m0)) {{ {idle}}} {last}pthread_mutex_unlock(&m0);"
            ),
            12 => format!(
                "{lock} {lock} {first}while (!({wish})) {{ {unlock} {unlock} {lock} {lock} }} {unlock} {unlock}"
            )
            .replace("spin_lock(&spin); pthread_spin_lock", "spin_lock"),
            _ => {
                let expected = self.random.below(2);
                format!(
                    "do r = {expected}; while (!atomic_compare_exchange_strong(&b, &r, {})); {last}",
                    1 - expected
                )
            }
        };
        format!("    {text}\n")
    }

    /// What a thread waits for.
    fn wish(&mut self) -> &'static str {
        let weak = "atomic_load_explicit(&a, memory_order_relaxed) == 1";
        self.random.pick(&["x == 1", "x == 1", "a == 1", "b == 1", "y != x", "a && !b", weak])
    }

    /// Waits once; that may end without a signal.
    fn wait(&mut self) -> &'static str {
        let untimed = "pthread_cond_wait(&changed, &m0);";
        self.random.pick(&[untimed, untimed, "pthread_cond_timedwait(&changed, &m0, &soon);"])
    }

    /// What may be done in a round without changing anything.
    fn idle(&mut self) -> &'static str {
        let locked = "pthread_mutex_lock(&m1); pthread_mutex_unlock(&m1); ";
        self.random.pick(&["", "", "", locked, "r = y; ", "r = b; ", "b = b; "])
    }

    fn maybe(&mut self) -> String {
        if self.random.one_in(2) { self.operation() } else { String::new() }
    }

    fn maybe_rarely(&mut self) -> String {
        if self.random.one_in(5) { self.operation() } else { String::new() }
    }

    fn operation(&mut self) -> String {
        let thread = self.thread;
        match self.random.below(14) {
            0 | 1 => "x = 1; ".to_owned(),
            2 => "y = 1; ".to_owned(),
            3 | 4 => "if (y) x = 1; ".to_owned(),
            5 => "a = 1; ".to_owned(),
            6 => "if (a) b = 1; ".to_owned(),
            7 => "pthread_cond_signal(&changed); ".to_owned(),
            8 => "pthread_cond_broadcast(&changed); ".to_owned(),
            9 => "x = y; ".to_owned(),
            10 => "assert(!x || !y); ".to_owned(),
            11 => format!("out[{thread}] = x + 2 * y; "),
            12 => format!("out[{thread}] = a + 2 * b; "),
            _ => "atomic_store_explicit(&b, 1, memory_order_relaxed); ".to_owned(),
        }
    }
}
