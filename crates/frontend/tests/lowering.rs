//! What constructs become.

mod common;

use common::{c, c32, code, count, cpp, function, ll};
use ir::{BinOp, CastOp, Failure, Instr, LayoutKind, Operand, Order, SyncOp, Target};

#[test]
fn phis_that_swap_need_a_third_register() {
    let program = ll("define i32 @main() {
        entry: br label %loop
        loop: %a = phi i32 [ 1, %entry ], [ %b, %loop ]
              %b = phi i32 [ 2, %entry ], [ %a, %loop ]
              %c = icmp slt i32 %a, %b
              br i1 %c, label %loop, label %out
        out: ret i32 %a }");
    let moves: Vec<_> = code(&program, "main")
        .iter()
        .filter_map(|i| match i {
            Instr::Move { dst, src: Operand::Reg(src), .. } => Some((*dst, *src)),
            _ => None,
        })
        .collect();
    // saved = a; a = b; b = saved
    assert_eq!(moves.len(), 3);
    assert_eq!(moves[0].1, moves[1].0);
    assert_eq!(moves[1].1, moves[2].0);
    assert_eq!(moves[2].1, moves[0].0);
}

#[test]
fn copies_of_one_edge_do_not_happen_on_the_other() {
    // The lost-copy problem: %p after the loop is the value before the last edge's copy.
    let program = ll("define i32 @main() {
        entry: br label %loop
        loop: %p = phi i32 [ 0, %entry ], [ %n, %loop ]
              %n = add i32 %p, 1
              %c = icmp slt i32 %n, 4
              br i1 %c, label %loop, label %out
        out: ret i32 %p }");
    let code = code(&program, "main");
    let Some(Instr::Return { values }) = code.iter().find(|i| matches!(i, Instr::Return { .. })) else {
        panic!("no return")
    };
    let Some(Instr::Binary { dst, lhs, .. }) = code.iter().find(|i| matches!(i, Instr::Binary { .. })) else {
        panic!("no addition")
    };
    assert_eq!(values[0].value, *lhs);
    assert_ne!(*lhs, Operand::Reg(*dst));
}

#[test]
fn wide_integers_take_two_slots() {
    let program = c("unsigned __int128 f(unsigned __int128 a) {
                       return a * ((unsigned __int128)0x123456789abcdef0 << 64 | 5); }
                     int main(void) { return (int)f(3); }");
    let f = function(&program, "f");
    // The ABI passes and returns the halves.
    assert_eq!(f.params.iter().map(|p| p.width).collect::<Vec<_>>(), [64, 64]);
    assert_eq!(f.results, [64, 64]);
    assert!(f.code.iter().any(|i| matches!(i, Instr::Binary { op: BinOp::Mul, width: 128, .. })));
    assert!(f.slots.windows(2).any(|s| s[0].width == 128 && s[1].width == 0));
}

#[test]
fn the_data_model_decides_sizes() {
    let source =
        "long g = sizeof(long); void *p; struct { char c; double d; } s; int main(void) { return (int)g; }
                  long *keep(void) { return &g; } void *all[3] = {&p, &s, keep}; void **end = all;
                  __attribute__((constructor)) void use(void) { end++; }";
    let size = |program: &ir::Program, name: &str| {
        program.globals.iter().find(|g| program.name(g.name) == name).map(|g| g.size)
    };
    let (wide, narrow) = (c(source), c32(source));
    assert_eq!((wide.pointer_width, narrow.pointer_width), (64, 32));
    assert_eq!((size(&wide, "g"), size(&narrow, "g")), (Some(8), Some(4)));
    assert_eq!((size(&wide, "s"), size(&narrow, "s")), (Some(16), Some(12)));
    assert_eq!((size(&wide, "all"), size(&narrow, "all")), (Some(24), Some(12)));
}

#[test]
fn initial_pointers_are_relocations() {
    let program = c("struct node { int v; struct node *next; }; extern struct node b;
                     struct node a = {1, &b}; struct node b = {2, &a}; int arr[4] = {1, 2, 3};
                     int *mid = &arr[2]; int (*fp)(void); int f(void) { return 1; } int (*fp)(void) = f;
                     int main(void) { return a.next->v + *mid + fp(); }");
    let global =
        |name: &str| program.globals.iter().find(|g| program.name(g.name) == name).expect("a global");
    assert_eq!(global("a").init, [1]);
    assert_eq!(global("a").relocations[0].offset, 8);
    assert_eq!(global("mid").relocations[0].addend, 8);
    assert!(matches!(global("fp").relocations[0].target, Target::Function(_)));
    assert_eq!(global("arr").init, [1, 0, 0, 0, 2, 0, 0, 0, 3]);
    assert_eq!(global("arr").size, 16);
}

#[test]
fn source_types_are_described() {
    let program = c("struct list { int v; struct list *next; unsigned bits : 3; _Bool b; float f[2][3]; } g;
                     int main(void) { g.v = 1; return 0; }");
    let global = program.globals.iter().find(|g| program.name(g.name) == "g").expect("the global");
    let layout = program.layouts.get(global.layout.expect("a type"));
    let LayoutKind::Record { fields, .. } = &layout.kind else { panic!("not a record") };
    let kinds: Vec<_> = fields.iter().map(|f| &program.layouts.get(f.layout).kind).collect();
    assert!(matches!(
        kinds.as_slice(),
        [
            LayoutKind::Int { signed: true },
            LayoutKind::Pointer { reference: false, target: Some(_) },
            LayoutKind::Int { signed: false },
            LayoutKind::Bool,
            LayoutKind::Array { count: 2, .. }
        ]
    ));
    assert_eq!((fields[2].bit_offset, fields[2].bit_size), (128, 3));
    let name = |s| program.name(s).to_owned();
    assert_eq!(program.layouts.path(global.layout.expect("a type"), 36, &name).0, ".f[1][1]");
}

#[test]
fn places_that_span_several_parts_are_named_by_the_first_and_the_last() {
    let program = c(
        "struct text { char tag; int size; char s[16]; union { int i; long l; } u; struct { int x; } one; }
                     g[2];
                     int main(void) { g[0].size = 1; return 0; }",
    );
    let global = program.globals.iter().find(|g| program.name(g.name) == "g").expect("the global");
    let name = |s| program.name(s).to_owned();
    let path = |offset, len| program.layouts.path_to(global.layout.expect("a type"), offset, len, &name).0;
    assert_eq!(path(0, 1), "[0].tag");
    assert_eq!(path(4, 4), "[0].size");
    assert_eq!(path(0, 8), "[0].tag..size");
    assert_eq!(path(4, 8), "[0].size..s");
    assert_eq!(path(8, 8), "[0].s[0..7]");
    assert_eq!(path(8, 16), "[0].s");
    assert_eq!((path(24, 4), path(24, 8)), ("[0].u.i".to_owned(), "[0].u.l".to_owned()));
    assert_eq!(path(32, 4), "[0].one.x");
    assert_eq!((path(1, 2), path(36, 1)), ("[0] (padding)".to_owned(), "[0] (padding)".to_owned()));
    assert_eq!((path(0, 40), path(36, 8)), ("[0]".to_owned(), "[0..1]".to_owned()));
    assert_eq!((path(0, 80), path(0, 0)), (String::new(), "[0].tag".to_owned()));
}

#[test]
fn code_of_a_library_that_was_inlined_stands_at_its_call() {
    let program = cpp("#include <atomic>
                       std::atomic<int> x;
                       int main() { x.store(1, std::memory_order_release); return x.load(std::memory_order_acquire); }");
    let own = program.functions.iter().filter(|function| !function.library && function.span.is_known());
    let spans = own.flat_map(|function| &function.spans).filter(|span| span.is_known());
    let of_library = spans.filter(|span| program.file(span.file).starts_with("/usr/"));
    assert_eq!(of_library.count(), 0);
}

#[test]
fn pthread_calls_are_instructions() {
    let program = c("#include <pthread.h>
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
        void *f(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&cv, &m); pthread_mutex_unlock(&m);
                           pthread_exit(p); }
        int main(void) { pthread_t t; int e = pthread_create(&t, 0, f, 0); pthread_join(t, 0); return e; }");
    let ops = |name: &str| -> Vec<SyncOp> {
        let op = |i: &Instr| match i {
            Instr::Sync { op, .. } => Some(*op),
            _ => None,
        };
        code(&program, name).iter().filter_map(op).collect()
    };
    assert_eq!(ops("main"), [SyncOp::ThreadCreate, SyncOp::ThreadJoin]);
    assert_eq!(ops("f"), [SyncOp::MutexLock, SyncOp::CondWait, SyncOp::MutexUnlock]);
    assert!(matches!(code(&program, "f").last(), Some(Instr::ThreadExit { .. })));
    let used =
        code(&program, "main").iter().filter(|i| matches!(i, Instr::Sync { dst: Some(_), .. })).count();
    assert_eq!(used, 1);
}

#[test]
fn failures_carry_their_text() {
    let program = c("#include <assert.h>
        #include <threadproof.h>
        extern void abort(void); extern void reach_error(void); int x;
        void a(void) { assert(x == 1 && \"why\"); }
        void b(void) { tp_assert(x > 2); }
        void c(void) { if (x) { reach_error(); abort(); } }
        int main(void) { a(); b(); c(); return 0; }");
    let failure = |name: &str| {
        code(&program, name).iter().find_map(|i| match i {
            Instr::Fail { kind, message } => Some((*kind, program.name(*message).to_owned())),
            _ => None,
        })
    };
    assert_eq!(failure("a"), Some((Failure::Assertion, "x == 1 && \"why\"".to_owned())));
    assert_eq!(failure("b"), Some((Failure::Assertion, "x > 2".to_owned())));
    assert_eq!(failure("c"), Some((Failure::ErrorCall, "reach_error".to_owned())));
}

#[test]
fn a_body_of_reach_error_does_not_matter() {
    let program =
        c("int x; void reach_error(void) { x = 1; } int main(void) { if (x) reach_error(); return 0; }");
    assert_eq!(count(&program, "main", |i| matches!(i, Instr::Fail { .. })), 1);
}

#[test]
fn atomic_functions_are_bracketed_on_every_way_out() {
    let program = c("int x; int __VERIFIER_atomic_take(void) { if (x) return 0; x = 1; return 1; }
                     int main(void) { return __VERIFIER_atomic_take(); }");
    let name = "__VERIFIER_atomic_take";
    assert!(function(&program, name).atomic);
    assert!(matches!(code(&program, name)[0], Instr::AtomicBegin { .. }));
    for (i, instr) in code(&program, name).iter().enumerate() {
        if matches!(instr, Instr::Return { .. }) {
            assert!(matches!(code(&program, name)[i - 1], Instr::AtomicEnd { .. }));
        }
    }
}

#[test]
fn atomics_keep_their_orders() {
    let program = c("#include <stdatomic.h>
        _Atomic int a; int main(void) {
          atomic_store_explicit(&a, 1, memory_order_release);
          int x = atomic_load_explicit(&a, memory_order_acquire);
          atomic_fetch_add_explicit(&a, 2, memory_order_relaxed);
          int e = 3; atomic_compare_exchange_weak_explicit(&a, &e, 4, memory_order_acq_rel, memory_order_acquire);
          atomic_thread_fence(memory_order_seq_cst);
          return x; }");
    let orders: Vec<Order> = code(&program, "main")
        .iter()
        .filter_map(|i| match i {
            Instr::Load { access, .. } | Instr::Store { access, .. } => access.order,
            Instr::AtomicRmw { order, .. } | Instr::Fence { order } => Some(*order),
            Instr::CompareExchange(exchange) => {
                assert!(exchange.weak && exchange.failure == Order::Acquire);
                Some(exchange.success)
            }
            _ => None,
        })
        .collect();
    assert_eq!(orders, [Order::Release, Order::Acquire, Order::Relaxed, Order::AcqRel, Order::SeqCst]);
}

#[test]
fn lock_prefixed_assembly_is_atomic() {
    let program = c("int add(int *p, int v) { __asm__ volatile(\"lock; xaddl %0, %1\" : \"+r\"(v), \"+m\"(*p) : : \"memory\");
                       __asm__ volatile(\"mfence\" ::: \"memory\"); __asm__ volatile(\"\" ::: \"memory\"); return v; }
                     int x; int main(void) { return add(&x, 1); }");
    assert_eq!(count(&program, "add", |i| matches!(i, Instr::AtomicRmw { .. })), 1);
    assert_eq!(count(&program, "add", |i| matches!(i, Instr::Fence { .. })), 1);
}

#[test]
fn structures_by_value_are_copied_by_the_callee() {
    let program = c("struct s { int v[10]; }; int f(struct s s) { s.v[0] = 1; return s.v[1]; }
                     int main(void) { struct s s = {{0}}; return f(s); }");
    assert_eq!(count(&program, "f", |i| matches!(i, Instr::MemCopy { .. })), 1);
    let var = code(&program, "f").iter().find_map(|i| match i {
        Instr::Alloca { var: Some(var), .. } => Some(program.name(var.name)),
        _ => None,
    });
    assert_eq!(var, Some("s"));
}

#[test]
fn small_structures_travel_in_registers() {
    let program = c("struct s { float a, b; }; struct s f(struct s s) { struct s r = {s.b, s.a}; return r; }
                     int main(void) { struct s s = {1, 2}; return (int)f(s).a; }");
    let f = function(&program, "f");
    assert_eq!(f.params.iter().map(|p| p.width).collect::<Vec<_>>(), [32, 32]);
    assert_eq!(f.results, [32, 32]);
}

#[test]
fn odd_widths_are_stored_as_whole_bytes() {
    let program = c("_BitInt(37) g; int main(void) { g = g + 1; return 0; }");
    for instr in code(&program, "main") {
        if let Instr::Load { width, .. } | Instr::Store { width, .. } = instr {
            assert_eq!(width % 8, 0);
        }
    }
    assert!(count(&program, "main", |i| matches!(i, Instr::Cast { op: CastOp::Trunc, to: 37, .. })) > 0);
}

#[test]
fn thread_locals_and_static_locals_have_their_names() {
    let program = c("static _Thread_local int tl = 3; int f(void) { static int calls; return ++calls + tl; }
                     int main(void) { return f(); }");
    let global =
        |name: &str| program.globals.iter().find(|g| program.name(g.name) == name).expect("a global");
    assert!(global("tl").thread_local && !global("calls").thread_local);
    assert_eq!(global("tl").init, [3]);
}

#[test]
fn positions_are_those_of_the_source() {
    let program = c("int g;\nint main(void) {\n  g = 1;\n  return 0;\n}\n");
    let main = function(&program, "main");
    assert_eq!((main.span.line, main.spans[0].line, main.spans[0].column), (2, 3, 5));
    assert!(program.file(main.spans[0].file).ends_with("test.c"));
}

#[test]
fn only_what_is_reachable_is_lowered() {
    let program = c("long double odd(long double x); int unused(void) { return (int)odd(1); }
                     int main(void) { return 0; }");
    assert!(!program.functions.iter().any(|f| program.name(f.name) == "unused"));
}

#[test]
fn library_functions_come_from_the_run_time_library() {
    let program = c("#include <string.h>\nint main(int argc, char **argv) { return (int)strlen(argv[0]); }");
    assert!(function(&program, "strlen").library);
    assert!(!function(&program, "main").library);
}

#[test]
fn the_programs_own_definitions_win() {
    let program = c(
        "unsigned long strlen(const char *s) { return 7; } int main(int c, char **v) { return (int)strlen(v[0]); }",
    );
    assert!(!function(&program, "strlen").library);
}

#[test]
fn mathematics_is_instructions() {
    let program = c(
        "#include <math.h>\nint main(int c, char **v) { double x = c; return sqrt(x) + floor(x) + pow(x, 2) > fabsf(c); }",
    );
    let float =
        |i: &Instr| matches!(i, Instr::FloatUnary { .. } | Instr::FloatBinary { op: ir::FloatOp::Pow, .. });
    assert_eq!(count(&program, "main", float), 4);
}

#[test]
fn exit_handlers_run_only_where_some_are_registered() {
    let without = c("#include <stdlib.h>\nint main(void) { exit(1); }");
    assert!(matches!(code(&without, "main"), [Instr::Exit { code: Some(Operand::Int(1)) }]));
    let with = c("#include <stdlib.h>\nvoid f(void) {} int main(void) { atexit(f); exit(1); }");
    assert_eq!(count(&with, "main", |i| matches!(i, Instr::Call { .. })), 2);
}

#[test]
fn known_functions_can_be_pointed_to() {
    let program = c("#include <pthread.h>
        pthread_mutex_t m; int (*lock)(pthread_mutex_t *) = pthread_mutex_lock; int main(void) { return lock(&m); }");
    let thunk = function(&program, "pthread_mutex_lock");
    assert!(thunk.library);
    assert!(matches!(thunk.code[0], Instr::Sync { op: SyncOp::MutexLock, dst: Some(_), .. }));
}

#[test]
fn constructors_run_before_main() {
    let program = c("int x; __attribute__((constructor(102))) void second(void) { x = 2; }
                     __attribute__((constructor(101))) void first(void) { x = 1; } int main(void) { return x; }");
    let entry = program.function(program.entry.expect("an entry"));
    let calls: Vec<&str> = entry
        .code
        .iter()
        .filter_map(|i| match i {
            Instr::Call { callee: ir::Callee::Direct(id), .. } => {
                Some(program.name(program.function(*id).name))
            }
            _ => None,
        })
        .collect();
    assert_eq!(calls, ["first", "second", "main"]);
}

#[test]
fn cpp_threads_load() {
    let program = cpp("#include <thread>\n#include <mutex>\n#include <condition_variable>\n#include <atomic>
        #include <vector>\n#include <string>\n#include <map>
        std::mutex m; std::condition_variable cv; std::atomic<int> x; bool ready;
        int main() {
          std::vector<std::thread> ts;
          for (int i = 0; i < 2; i++) ts.emplace_back([] { std::lock_guard<std::mutex> l(m); x++; ready = true; cv.notify_all(); });
          { std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return ready; }); }
          for (auto &t : ts) t.join();
          std::string s = \"long enough to be on the heap\"; std::map<int, int> map; map[1] = 2;
          return x + (int)s.size() + map[1]; }");
    let all = program.functions.iter().flat_map(|f| &f.code);
    let creates = all.filter(|i| matches!(i, Instr::Sync { op: SyncOp::ThreadCreate, .. })).count();
    assert_eq!(creates, 1);
    assert!(program.functions.iter().any(|f| program.name(f.name) == "std::mutex::lock"));
}

#[test]
fn exceptions_are_refused_only_where_reached() {
    let program = cpp(
        "int f(int x) { if (x) throw 1; return 2; } int main() { try { return f(0); } catch (...) { return 3; } }",
    );
    let all = program.functions.iter().flat_map(|f| &f.code);
    let refused: Vec<_> = all
        .filter_map(|i| match i {
            Instr::Unsupported { what } => Some(program.name(*what)),
            _ => None,
        })
        .collect();
    assert_eq!(refused, ["C++ exception"]);
}

#[test]
fn ranges_of_nondeterministic_values_are_domains() {
    let program =
        c("#include <threadproof.h>\nint main(void) { return tp_nondet_range(-1, 3) + tp_nondet_bool(); }");
    let domains: Vec<_> = code(&program, "main")
        .iter()
        .filter_map(|i| match i {
            Instr::Nondet { width, domain, .. } => Some((*width, domain.clone())),
            _ => None,
        })
        .collect();
    let range = ir::Domain::Range { first: 0xffff_ffff, count: 5 };
    assert_eq!(domains, [(32, range), (1, ir::Domain::Full)]);
}

#[test]
fn several_files_are_one_program() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (a, b) = (directory.path().join("a.c"), directory.path().join("b.c"));
    std::fs::write(&a, "int f(void); int main(void) { return f(); }").expect("a file");
    std::fs::write(&b, "static int x = 5; int f(void) { return x; }").expect("a file");
    let program = frontend::load(&[a, b], &frontend::Options::default()).expect("it loads");
    assert_eq!(code(&program, "f").len(), 2);
}

#[test]
fn preprocessed_files_without_their_source_keep_their_own_lines() {
    let source = "# 100 \"gone.c\"\nint g;\n# 200 \"gone.c\"\nint main(void) {\n  g = 1; return 0; }\n";
    let program = common::try_load("test.i", source, &frontend::Options::default()).expect("it loads");
    let main = function(&program, "main");
    assert_eq!(main.spans[0].line, 5);
    assert!(program.file(main.spans[0].file).ends_with("test.i"));
}
