//! The C source of a program.

use std::fmt::{self, Display, Formatter};

use crate::test::{Condition, Expr, Stmt, Test, Variable};

/// Shared objects, by the name that shows whether a program uses them.
const OBJECTS: [(&str, &str); 17] = [
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
    ("add(&", "static void add(int *p, int k) { *p += k; }"),
];

/// What `main` must do before the threads start, by the same names.
const SET_UP: [(&str, &str); 3] = [
    (
        "again",
        "pthread_mutexattr_t attr;\n    pthread_mutexattr_init(&attr);\n    \
         pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);\n    \
         pthread_mutex_init(&again, &attr);",
    ),
    ("sem", "sem_init(&sem, 0, 1);"),
    ("barrier", "pthread_barrier_init(&barrier, 0, THREADS);"),
];

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut code = String::new();
        for (index, thread) in self.threads.iter().enumerate() {
            code += &format!("\nstatic void *thread{index}(void *arg)\n{{\n    (void)arg;\n");
            code += &locals(&thread.body, thread.careless);
            code += &block(&thread.body, 1);
            code += &format!("    out[{index}] = r0 + 4 * r1;\n    return 0;\n}}\n");
        }
        code += &format!("\nint main(void)\n{{\n{}    return 0;\n}}\n", self.main());
        write!(f, "// Generated from seed {}.\n{}\n", self.seed, INCLUDES)?;
        writeln!(f, "#define THREADS {}\n\nint out[THREADS];", self.threads.len())?;
        for (name, declaration) in OBJECTS {
            if code.contains(name) {
                writeln!(f, "{declaration}")?;
            }
        }
        f.write_str(&code)
    }
}

const INCLUDES: &str = "\
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
";

impl Test {
    fn main(&self) -> String {
        let meanwhile = block(&self.meanwhile, 1);
        let bodies: String = self.threads.iter().map(|t| block(&t.body, 1)).collect();
        let mut text = String::new();
        for (name, set_up) in SET_UP {
            if meanwhile.contains(name) || bodies.contains(name) {
                text += &format!("    {set_up}\n");
            }
        }
        text += &format!("    pthread_t t[{}];\n", self.threads.len());
        for index in 0..self.threads.len() {
            text += &format!("    pthread_create(&t[{index}], 0, thread{index}, 0);\n");
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
    text
}

fn block(body: &[Stmt], depth: usize) -> String {
    body.iter().map(|stmt| statement(stmt, depth)).collect()
}

/// One statement, indented, with its newline.
fn statement(stmt: &Stmt, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    simple(stmt)
        .or_else(|| synchronisation(stmt))
        .map(|text| format!("{indent}{text}\n"))
        .unwrap_or_else(|| compound(stmt, depth, &indent))
}

/// Statements on memory and locals.
fn simple(stmt: &Stmt) -> Option<String> {
    Some(match stmt {
        Stmt::Read(local, variable) => format!("r{local} = {};", name(*variable)),
        Stmt::Write(variable, value) => format!("{} = {};", name(*variable), expr(*value)),
        Stmt::Increment(variable) => format!("{}++;", name(*variable)),
        Stmt::Compute(local, value) => format!("r{local} = {};", expr(*value)),
        Stmt::Add(variable, value) => format!("add(&{}, {value});", name(*variable)),
        Stmt::Allocate { value, publish_first: true } => {
            format!("cell = malloc(sizeof *cell); if (cell) *cell = {value};")
        }
        Stmt::Allocate { value, publish_first: false } => {
            format!("{{ int *fresh = malloc(sizeof *fresh); *fresh = {value}; *fresh += 1; cell = fresh; }}")
        }
        Stmt::Publish => "cell = &mine;".into(),
        Stmt::ReadCell { local, checked: true } => {
            format!("{{ int *seen = cell; if (seen) r{local} = *seen; }}")
        }
        Stmt::ReadCell { local, checked: false } => format!("r{local} = *cell;"),
        Stmt::WriteCell { value, checked: true } => {
            format!("{{ int *seen = cell; if (seen) *seen = {}; }}", expr(*value))
        }
        Stmt::WriteCell { value, checked: false } => format!("*cell = {};", expr(*value)),
        Stmt::FreeCell { forget: Some(true) } => "{ int *old = cell; cell = 0; free(old); }".into(),
        Stmt::FreeCell { forget: Some(false) } => "free(cell); cell = 0;".into(),
        Stmt::FreeCell { forget: None } => "free(cell);".into(),
        Stmt::ReadMine(local) => format!("r{local} = mine;"),
        Stmt::WriteMine(value) => format!("mine = {};", expr(*value)),
        Stmt::ReadOwn(local) => format!("r{local} = own;"),
        Stmt::WriteOwn(value) => format!("own = {};", expr(*value)),
        Stmt::Divide(local, by) => format!("r{local} = 6 / r{by};"),
        Stmt::Shift(local, by) => format!("r{local} = 1 << r{by};"),
        Stmt::Index(local, index) => format!("r{local} = table[r{index}];"),
        Stmt::WriteIndex(index, value) => format!("table[r{index}] = {};", expr(*value)),
        Stmt::Choose(local, count) => format!(
            "r{local} = __VERIFIER_nondet_int(); __VERIFIER_assume(r{local} >= 0 && r{local} < {count});"
        ),
        Stmt::Toss(local) => format!("r{local} = __VERIFIER_nondet_int() != 0;"),
        Stmt::Assume(test) => format!("__VERIFIER_assume({});", condition(test)),
        Stmt::Assert(test) => format!("assert({});", condition(test)),
        Stmt::Return => "return 0;".into(),
        _ => return None,
    })
}

/// Atomics, and operations on threads and synchronisation objects.
fn synchronisation(stmt: &Stmt) -> Option<String> {
    Some(match stmt {
        Stmt::Load(local, variable, order) => {
            format!("r{local} = atomic_load_explicit(&a{variable}, memory_order_{order});")
        }
        Stmt::Store(variable, value, order) => {
            format!("atomic_store_explicit(&a{variable}, {}, memory_order_{order});", expr(*value))
        }
        Stmt::Rmw(local, op, variable, value, order) => {
            let value = expr(*value);
            format!("r{local} = atomic_{op}_explicit(&a{variable}, {value}, memory_order_{order});")
        }
        Stmt::CompareExchange(local, variable, expected, new, weak, order) => format!(
            "{{ int old = {expected}; r{local} = atomic_compare_exchange_{}_explicit(&a{variable}, &old, {new}, \
             memory_order_{order}, memory_order_relaxed); }}",
            if *weak { "weak" } else { "strong" }
        ),
        Stmt::Fence(order) => format!("atomic_thread_fence(memory_order_{order});"),
        Stmt::Lock(mutex) => format!("pthread_mutex_lock(&m{mutex});"),
        Stmt::Unlock(mutex) => format!("pthread_mutex_unlock(&m{mutex});"),
        Stmt::Wait { looped } => format!(
            "pthread_mutex_lock(&gate); {} (!ready) pthread_cond_wait(&changed, &gate); pthread_mutex_unlock(&gate);",
            if *looped { "while" } else { "if" }
        ),
        Stmt::Signal { broadcast, locked } => {
            let signal = if *broadcast { "broadcast" } else { "signal" };
            let (lock, unlock) = if *locked {
                ("pthread_mutex_lock(&gate); ", " pthread_mutex_unlock(&gate);")
            } else {
                ("", "")
            };
            format!("{lock}ready = 1; pthread_cond_{signal}(&changed);{unlock}")
        }
        Stmt::SemWait => "sem_wait(&sem);".into(),
        Stmt::SemTryWait(local) => format!("r{local} = sem_trywait(&sem) == 0;"),
        Stmt::SemPost => "sem_post(&sem);".into(),
        Stmt::Barrier(local) => format!("r{local} = pthread_barrier_wait(&barrier) != 0;"),
        Stmt::Await(variable, value) => format!("while (a{variable} != {value}) ;"),
        Stmt::Yield => "sched_yield();".into(),
        Stmt::Exit => "pthread_exit(0);".into(),
        _ => return None,
    })
}

/// Statements that contain others.
fn compound(stmt: &Stmt, depth: usize, indent: &str) -> String {
    let inside = |open: &str, body: &[Stmt], close: &str| {
        format!("{indent}{open}\n{}{indent}{close}\n", block(body, depth + 1))
    };
    match stmt {
        Stmt::Critical(mutex, body) => {
            let (lock, unlock) =
                (format!("pthread_mutex_lock(&m{mutex});"), format!("pthread_mutex_unlock(&m{mutex});"));
            inside(&lock, body, &unlock)
        }
        Stmt::TryLock(mutex, body) => inside(
            &format!("if (pthread_mutex_trylock(&m{mutex}) == 0) {{"),
            body,
            &format!("    pthread_mutex_unlock(&m{mutex});\n{indent}}}"),
        ),
        Stmt::Recursive(body) => inside(
            "pthread_mutex_lock(&again); pthread_mutex_lock(&again);",
            body,
            "pthread_mutex_unlock(&again); pthread_mutex_unlock(&again);",
        ),
        Stmt::ReadSection(body) => inside("pthread_rwlock_rdlock(&rw);", body, "pthread_rwlock_unlock(&rw);"),
        Stmt::WriteSection(body) => {
            inside("pthread_rwlock_wrlock(&rw);", body, "pthread_rwlock_unlock(&rw);")
        }
        Stmt::Section(body) => inside("__VERIFIER_atomic_begin();", body, "__VERIFIER_atomic_end();"),
        Stmt::Repeat(count, body) => {
            let open = format!("for (int i{depth} = 0; i{depth} < {count}; i{depth}++) {{");
            inside(&open, body, "}")
        }
        Stmt::If(test, yes, no) => {
            let yes = inside(&format!("if ({}) {{", condition(test)), yes, "}");
            if no.is_empty() { yes } else { yes + &inside("else {", no, "}") }
        }
        Stmt::Switch(local, one, other) => {
            let (case, default) = (block(one, depth + 2), block(other, depth + 2));
            format!(
                "{indent}switch (r{local}) {{\n{indent}    case 1: {{\n{case}{indent}        break;\n{indent}    }}\n\
                 {indent}    default: {{\n{default}{indent}        break;\n{indent}    }}\n{indent}}}\n"
            )
        }
        _ => String::new(),
    }
}

fn name(variable: Variable) -> String {
    match variable {
        Variable::Plain(index) => format!("x{index}"),
        Variable::Atomic(index) => format!("a{index}"),
    }
}

fn expr(value: Expr) -> String {
    match value {
        Expr::Constant(value) => value.to_string(),
        Expr::Local(local) => format!("r{local}"),
        Expr::Plus(local, value) => format!("(r{local} + {value}) & 3"),
        Expr::Xor(a, b) => format!("r{a} ^ r{b}"),
        Expr::Huge(local) => format!("r{local} + 2147483647"),
    }
}

fn condition(test: &Condition) -> String {
    let atoms: Vec<String> =
        test.atoms.iter().map(|a| format!("r{} {} {}", a.local, a.operator, a.value)).collect();
    let all = atoms.join(" && ");
    if test.negated { format!("!({all})") } else { all }
}
