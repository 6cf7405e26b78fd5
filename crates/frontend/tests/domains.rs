//! The domains of nondeterministic values in C as people write it.

use frontend::{Options, load};
use ir::{Domain, Instr, Program};

const PRELUDE: &str = "
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern bool __VERIFIER_nondet_bool(void);
extern long __VERIFIER_nondet_long(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void assume_loop(int cond) { if (!cond) { while (1) {} } }
int nondet(void) { return __VERIFIER_nondet_int(); }
int shared, table[16];
";

fn program(source: &str) -> Program {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("test.c");
    std::fs::write(&path, format!("{PRELUDE}{source}")).unwrap();
    load(&[path], &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The domains of the choices in the functions of the source, in their order.
fn domains(program: &Program) -> Vec<String> {
    let used = program.functions.iter().filter(|f| !f.library);
    let code = used.flat_map(|f| &f.code);
    code.filter_map(|instr| match instr {
        Instr::Nondet { width, domain, .. } => Some(text(domain, *width)),
        _ => None,
    })
    .collect()
}

fn text(domain: &Domain, width: u8) -> String {
    let signed = |value: u64| ((value << (64 - width)) as i64) >> (64 - width);
    match domain {
        Domain::Full => format!("any of {width} bits"),
        Domain::Range { first, count } => format!("{}, {count} values", signed(*first)),
        Domain::Classes(values) => format!("{:?}", values.iter().map(|v| signed(*v)).collect::<Vec<_>>()),
    }
}

/// The domain of the one choice in `main`.
fn check(body: &str, expected: &str) {
    let program = program(&format!("int main(void) {{ {body} return 0; }}"));
    let main = program.functions.iter().filter(|f| program.name(f.name) == "main");
    let code: Vec<&Instr> = main.flat_map(|f| &f.code).collect();
    let found = code.iter().find_map(|instr| match instr {
        Instr::Nondet { width, domain, .. } => Some(text(domain, *width)),
        _ => None,
    });
    assert_eq!(found.as_deref(), Some(expected), "{body}\n{program}");
}

#[test]
fn tests_against_constants() {
    check("if (__VERIFIER_nondet_int()) shared = 1;", "[0, 1]");
    check("int x = __VERIFIER_nondet_int(); if (!x) shared = 1;", "[0, 1]");
    check("bool b = __VERIFIER_nondet_int(); if (b) shared = 1;", "[0, 1]");
    check(
        "int x = __VERIFIER_nondet_int(); if (x > 5) shared = 1; else if (x < -3) shared = 2;",
        "[-4, 0, 6]",
    );
    check("unsigned x = __VERIFIER_nondet_uint(); if (x > 5) shared = 1;", "[0, 6]");
    check("long x = __VERIFIER_nondet_long(); shared = x == 7 ? 1 : 2;", "[0, 7]");
    check("void *p = __VERIFIER_nondet_pointer(); if (p) shared = 1;", "[0, 1]");
    check("char c = __VERIFIER_nondet_char(); if (c == 'a' || c == 'z') shared = 1;", "[0, 97, 122]");
    check("while (__VERIFIER_nondet_int()) shared++;", "[0, 1]");
}

#[test]
fn conditions_with_several_parts() {
    check("int x = __VERIFIER_nondet_int(); shared = 1; if (x > 0 && x < 3) shared = 2;", "[0, 1, 3]");
    check("int x = __VERIFIER_nondet_int(); shared = 1; if (x != 1 || x == 2) shared = 2;", "[0, 1, 2]");
    check(
        "unsigned x = __VERIFIER_nondet_uint(); switch (x) { case 1: shared = 1; break; case 4: shared = 2; }",
        "[0, 1, 4]",
    );
}

#[test]
fn remainders_and_masks() {
    check("shared = __VERIFIER_nondet_uint() % 3;", "[0, 1, 2]");
    check("if (__VERIFIER_nondet_int() % 2) shared = 1;", "[-1, 0, 1]");
    check("shared = __VERIFIER_nondet_int() & 3;", "[0, 1, 2, 3]");
    check("table[__VERIFIER_nondet_uint() % 4] = 1;", "[0, 1, 2, 3]");
}

#[test]
fn assumptions() {
    let assumed = |assume: &str| format!("int x = __VERIFIER_nondet_int(); {assume} shared = x;");
    check(&assumed("__VERIFIER_assume(x >= 0 && x < 4);"), "0, 4 values");
    check(&assumed("__VERIFIER_assume(x >= 0); __VERIFIER_assume(x <= 7);"), "0, 8 values");
    check(&assumed("__VERIFIER_assume(!(x < 0 || x > 3));"), "0, 4 values");
    check(&assumed("__VERIFIER_assume(x == 1 || x == 5);"), "[1, 5]");
    check(&assumed("if (x < 0 || x > 3) return 0;"), "[-1, 0, 1, 2, 3, 4]");
    check(&assumed("if (x < 0 || x > 3) abort();"), "[-1, 0, 1, 2, 3, 4]");
    check(&assumed("assume_abort_if_not(x >= 0 && x < 3);"), "[-1, 0, 1, 2, 3]");
    check(&assumed("assume_abort_if_not(x >= 0); assume_abort_if_not(x < 3);"), "[-1, 0, 1, 2, 3]");
    check(&assumed("assume_loop(x >= 0 && x < 3);"), "[-1, 0, 1, 2, 3]");
    check(&assumed(""), "any of 32 bits");
    check(&assumed("shared = 1; __VERIFIER_assume(x >= 0 && x < 4);"), "any of 32 bits");
    check("unsigned x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x < 10); table[x] = 1;", "0, 10 values");
    check("unsigned char x = __VERIFIER_nondet_uchar(); table[x & 15] = 1; shared = x;", "0, 256 values");
    check("char x = __VERIFIER_nondet_char(); __VERIFIER_assume(x < -126); shared = x;", "-128, 2 values");
    check(
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); \
         __VERIFIER_assume(y > 0); __VERIFIER_assume(x >= 1 && x <= 3); shared = x;",
        "1, 3 values",
    );
}

#[test]
fn loop_bounds() {
    check(
        "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 5); for (int i = 0; i < n; i++) shared++;",
        "0, 6 values",
    );
}

#[test]
fn through_functions() {
    let source = "
        int choose(int n) { int x = nondet(); __VERIFIER_assume(0 <= x && x < 3); return x; }
        int flip(void) { return __VERIFIER_nondet_int(); }
        void use(int x) { if (x > 2) shared = 1; }
        int main(void) { use(flip()); return 0; }";
    let program = program(source);
    let found = domains(&program);
    assert!(found.contains(&"[0, 3]".to_owned()), "{found:?}\n{program}");
}
