//! The C source of statements.

use crate::test::{Condition, Expr, Stmt, Variable};

/// A list of statements.
pub(super) fn block(body: &[Stmt], depth: usize) -> String {
    body.iter().map(|stmt| statement(stmt, depth)).collect()
}

/// One statement, indented, with its newline.
fn statement(stmt: &Stmt, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    simple(stmt)
        .or_else(|| synchronisation(stmt))
        .or_else(|| piece(stmt, depth))
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
            format!("{{ int *seen = cell; if (seen) *seen += {}; }}", expr(*value))
        }
        Stmt::WriteCell { value, checked: false } => format!("*cell = {};", expr(*value)),
        Stmt::ReadStale(local) => {
            format!("{{ int *seen = cell; if (seen && cell != seen) r{local} = *seen; }}")
        }
        Stmt::ReadByNumber(local) => format!(
            "{{ unsigned long n = (unsigned long)cell ^ 1; if (n != 1) r{local} = *(int *)(n ^ 1); }}"
        ),
        Stmt::FreeCell { forget: Some(true) } => "{ int *old = cell; cell = 0; free(old); }".into(),
        Stmt::FreeCell { forget: Some(false) } => "free(cell); cell = 0;".into(),
        Stmt::FreeCell { forget: None } => "free(cell);".into(),
        Stmt::PublishInner => "{ int inner = 1; cell = &inner; inner++; }".into(),
        Stmt::PublishOwn => "cell = &own;".into(),
        Stmt::Lend => "lend();".into(),
        Stmt::ReadArgument(local) => format!("r{local} = *given;"),
        Stmt::WriteArgument(value) => format!("*given += {};", expr(*value)),
        Stmt::CopyPair(from) => format!("pair{} = pair{from};", 1 - from),
        Stmt::WritePair(which, value) => format!("pair{which}.b = {};", expr(*value)),
        Stmt::ReadPair(local, which) => format!("r{local} = pair{which}.a + pair{which}.b;"),
        Stmt::ReadMine(local) => format!("r{local} = mine;"),
        Stmt::WriteMine(value) => format!("mine += {};", expr(*value)),
        Stmt::ReadOwn(local) => format!("r{local} = own;"),
        Stmt::WriteOwn(value) => format!("own += {};", expr(*value)),
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
        Stmt::TimedWait(local) => format!(
            "pthread_mutex_lock(&gate); if (!ready) r{local} = pthread_cond_timedwait(&changed, &gate, SOON) != 0; \
             pthread_mutex_unlock(&gate);"
        ),
        Stmt::SemWait => "sem_wait(&sem);".into(),
        Stmt::SemTryWait(local) => format!("r{local} = sem_trywait(&sem) == 0;"),
        Stmt::SemPost => "sem_post(&sem);".into(),
        Stmt::Barrier(local) => format!("r{local} = pthread_barrier_wait(&barrier) != 0;"),
        Stmt::Push(value) => format!(
            "{{ struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m); m->value = {value}; m->next = top; \
             n->value = 0; n->next = m; top = n; }}"
        ),
        Stmt::Pop(local) => format!(
            "{{ struct node *n = top; if (n && atomic_compare_exchange_strong(&top, &n, n->next)) {{ \
             r{local} = n->value; free(n); }} }}"
        ),
        Stmt::Peek(local) => {
            format!("{{ struct node *n = top; if (n && n->next) r{local} = n->next->value; }}")
        }
        Stmt::Poke(value) => {
            format!("{{ struct node *n = top; if (n && n->next) n->next->value += {}; }}", expr(*value))
        }
        Stmt::Once => "pthread_once(&once, initialise);".into(),
        Stmt::Specific => "pthread_setspecific(key, &slot);".into(),
        Stmt::ReadSpecific(local) => format!("r{local} = pthread_getspecific(key) != 0;"),
        Stmt::DeleteKey => "pthread_key_delete(key);".into(),
        Stmt::Spawn { join } => format!(
            "{{ pthread_t s; pthread_create(&s, 0, side, 0); pthread_{}; }}",
            if *join { "join(s, 0)" } else { "detach(s)" }
        ),
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
        Stmt::TimedLock(mutex, body) => inside(
            &format!("if (pthread_mutex_timedlock(&m{mutex}, SOON) == 0) {{"),
            body,
            &format!("    pthread_mutex_unlock(&m{mutex});\n{indent}}}"),
        ),
        Stmt::Checked(local, body) => inside(
            &format!("r{local} = pthread_mutex_lock(&checked) != 0;"),
            body,
            "pthread_mutex_unlock(&checked);",
        ),
        Stmt::Spin(body) => inside("pthread_spin_lock(&spin);", body, "pthread_spin_unlock(&spin);"),
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
        Stmt::Snippet(snippet) => {
            let (open, close) = snippet.text(depth);
            inside(&open, &snippet.body, &close.unwrap_or_default())
        }
        _ => String::new(),
    }
}

/// A piece of C that contains no other statements.
fn piece(stmt: &Stmt, depth: usize) -> Option<String> {
    let Stmt::Snippet(snippet) = stmt else { return None };
    let (text, rest) = snippet.text(depth);
    rest.is_none().then_some(text)
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
