//! The C source of a program.

mod statement;

use std::fmt::{self, Display, Formatter};

use crate::snippet;
use crate::test::{Stmt, Test};
use statement::block;

/// Shared objects, by the name that shows whether a program uses them.
const OBJECTS: [(&str, &str); 28] = [
    ("x0", "int x0;"),
    ("x1", "int x1;"),
    ("a0", "_Atomic int a0;"),
    ("a1", "_Atomic int a1;"),
    ("m0", "pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;"),
    ("m1", "pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;"),
    ("again", "pthread_mutex_t again;"),
    ("ready", "int ready;"),
    ("gate", "pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;"),
    ("changed", "pthread_cond_t changed = PTHREAD_COND_INITIALIZER;"),
    ("sem", "sem_t sem;"),
    ("rw", "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;"),
    ("barrier", "pthread_barrier_t barrier;"),
    ("cell", "int *cell;"),
    ("table", "int table[3];"),
    ("own", "_Thread_local int own;"),
    ("top", "struct node { int value; struct node *next; };\n_Atomic(struct node *) top;"),
    ("pair", "struct pair { int a, b; } pair0, pair1;"),
    ("checked", "pthread_mutex_t checked;"),
    ("spin", "pthread_spinlock_t spin;"),
    ("SOON", "#ifndef SOON\nstruct timespec soon;\n#define SOON &soon\n#endif"),
    ("once", "pthread_once_t once = PTHREAD_ONCE_INIT;"),
    ("initialise", "static void initialise(void) { x0 = 1; }"),
    ("key", "pthread_key_t key;"),
    ("slot", "int slot;\nstatic void end_slot(void *p) { *(int *)p += 1; }"),
    ("side", "static void *side(void *arg) { (void)arg; a0++; return 0; }"),
    ("lend()", "static void lend(void) { int lent = 1; cell = &lent; }"),
    ("add(&", "static void add(int *p, int k) { *p += k; }"),
];

/// What `main` must do before the threads start, by the same names.
const SET_UP: [(&str, &str); 6] = [
    (
        "again",
        "pthread_mutexattr_t attr;\n    pthread_mutexattr_init(&attr);\n    \
         pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);\n    \
         pthread_mutex_init(&again, &attr);",
    ),
    (
        "checked",
        "pthread_mutexattr_t strict;\n    pthread_mutexattr_init(&strict);\n    \
         pthread_mutexattr_settype(&strict, PTHREAD_MUTEX_ERRORCHECK);\n    \
         pthread_mutex_init(&checked, &strict);",
    ),
    ("spin", "pthread_spin_init(&spin, 0);"),
    ("key", "pthread_key_create(&key, end_slot);"),
    ("sem", "sem_init(&sem, 0, 1);"),
    ("barrier", "pthread_barrier_init(&barrier, 0, THREADS);"),
];

/// What is observed of the objects above when a program ends.
const OBSERVED: [(&str, &str); 9] = [
    ("x0", "x0"),
    ("x1", "x1"),
    ("a0", "a0"),
    ("a1", "a1"),
    ("ready", "ready"),
    ("table", "table[0] + 3 * table[1] + 9 * table[2]"),
    ("pair", "pair0.a + 3 * pair0.b"),
    ("pair", "pair1.a + 3 * pair1.b"),
    ("slot", "slot"),
];

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source("    return 0;\n"))
    }
}

impl Test {
    /// The source of the program whose exit status tells what it computed: a
    /// number made from the shared variables, if `main` waits for the threads.
    pub fn observed(&self) -> String {
        if !self.joins {
            return self.to_string();
        }
        let plain = self.to_string();
        let mut end = "    unsigned seen = 1;\n".to_owned();
        for value in observed(&plain, self.threads.len()) {
            end += &format!("    seen = seen * 31 + (unsigned)({value});\n");
        }
        // The branch makes it a fault that the number is not known.
        self.source(&(end + "    if (seen == 0)\n        return 0;\n    return (int)(seen & 0x7fffffff);\n"))
    }

    fn source(&self, end: &str) -> String {
        let mut code = String::new();
        for (index, thread) in self.threads.iter().enumerate() {
            code += &format!(
                "\nstatic void *thread{index}(void *arg)\n{{\n    int *given = arg;\n    (void)given;\n"
            );
            code += &locals(&thread.body, thread.careless);
            code += &block(&thread.body, 1);
            code += &format!("    out[{index}] = r0 + 4 * r1;\n    return 0;\n}}\n");
        }
        code += &format!("\nint main(void)\n{{\n{}{end}}}\n", self.main());
        let mut source = format!("// Generated from seed {}.\n{INCLUDES}\n", self.seed);
        source += &format!("#define THREADS {}\n\nint out[THREADS];\n", self.threads.len());
        for declaration in declarations(&code) {
            source += &format!("{declaration}\n");
        }
        source + &code
    }
}

/// Names and declarations of all shared objects.
fn objects() -> impl DoubleEndedIterator<Item = (&'static str, &'static str)> {
    let others = snippet::ALL.iter().flat_map(|group| group.objects).map(|o| (o.0, o.1));
    OBJECTS.into_iter().chain(others.collect::<Vec<_>>())
}

/// What the code needs, and what that needs in turn.
fn declarations(code: &str) -> Vec<&'static str> {
    let mut needed = code.to_owned();
    let mut found: Vec<&str> = Vec::new();
    for (name, declaration) in objects().rev() {
        if needed.contains(name) {
            needed += declaration;
            found.push(declaration);
        }
    }
    found.reverse();
    found
}

/// What there is to see of the shared objects of a program.
fn observed(source: &str, threads: usize) -> Vec<String> {
    let others = snippet::ALL.iter().flat_map(|group| group.objects).map(|o| (o.0, o.2));
    let values = OBSERVED.into_iter().chain(others).filter(|(name, _)| source.contains(name));
    let results = (0..threads).map(|index| format!("out[{index}]"));
    results.chain(values.map(|(_, value)| value.to_owned()).filter(|value| !value.is_empty())).collect()
}

const INCLUDES: &str = "\
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
";

impl Test {
    fn main(&self) -> String {
        let meanwhile = block(&self.meanwhile, 1);
        let bodies: String = self.threads.iter().map(|t| block(&t.body, 1)).collect();
        let mut text = String::new();
        let others = snippet::ALL.iter().flat_map(|group| group.set_up).copied();
        for (name, set_up) in SET_UP.into_iter().chain(others) {
            if meanwhile.contains(name) || bodies.contains(name) {
                text += &format!("    {set_up}\n");
            }
        }
        let (argument, declared) = if bodies.contains("given") || meanwhile.contains("given") {
            ("&shared", "    int shared = 0, *given = &shared;\n    (void)given;\n")
        } else {
            ("0", "")
        };
        text += &format!("{declared}    pthread_t t[{}];\n", self.threads.len());
        for index in 0..self.threads.len() {
            text += &format!("    pthread_create(&t[{index}], 0, thread{index}, {argument});\n");
        }
        if !self.meanwhile.is_empty() {
            text += &format!("{}{meanwhile}", locals(&self.meanwhile, false));
        }
        if self.joins {
            for index in 0..self.threads.len() {
                text += &format!("    pthread_join(t[{index}], 0);\n");
            }
        }
        if let (Some((a, b, x)), true) = (self.forbidden, self.joins) {
            let last = self.threads.len() - 1;
            text += &format!("    assert(!(out[0] == {a} && out[{last}] == {b} && x0 == {x}));\n");
        }
        text
    }
}

/// Declares the locals; `mine` is one whose address escapes.
fn locals(body: &[Stmt], careless: bool) -> String {
    let code = block(body, 1);
    let last = if careless { "r2" } else { "r2 = 0" };
    let mut text = format!("    int r0 = 0, r1 = 0, {last};\n    (void)r0, (void)r1, (void)&r2;\n");
    if !careless {
        text = text.replace("(void)&r2", "(void)r2");
    }
    if code.contains("mine") {
        text += "    int mine = 0;\n    (void)mine;\n";
    }
    if code.contains("kept") {
        text += "    int *kept = 0;\n    (void)kept;\n";
    }
    text
}
