//! Bad input gets a message that says what is wrong and where.

mod common;

use common::{c, error, nowhere, refused, try_load};
use frontend::{Error, Options, load};

#[test]
fn missing_file() {
    let error = load(&[nowhere()], &Options::default()).expect_err("there is no such file");
    assert!(matches!(error, Error::Read { .. }));
    assert!(error.to_string().contains("/nonexistent/test.c"));
}

#[test]
fn no_input_and_unknown_kinds() {
    assert!(matches!(load(&[], &Options::default()), Err(Error::NoInput)));
    let error = try_load("test.rs", "fn main() {}", &Options::default()).expect_err("not C");
    assert!(matches!(error, Error::UnknownKind(_)));
}

#[test]
fn syntax_error() {
    let message = error("int main(void) { return 0 }");
    assert!(message.contains("does not compile") && message.contains("expected ';'"), "{message}");
    assert!(message.lines().count() < 24);
}

#[test]
fn many_errors_fit_on_one_screen() {
    let message = error(&"int x = y;\n".repeat(200));
    assert!(message.lines().count() < 24, "{message}");
}

#[test]
fn no_main() {
    assert!(matches!(try_load("test.c", "int f;", &Options::default()), Err(Error::NoMain)));
    assert!(matches!(try_load("test.c", "", &Options::default()), Err(Error::NoMain)));
    assert!(matches!(try_load("test.c", "int main(void);", &Options::default()), Err(Error::NoMain)));
}

#[test]
fn what_is_defined_nowhere_is_refused_where_it_is_used() {
    let source = "void zeta(void); int alpha(int); extern int var;\nvoid never(void);\n
        int main(void) {\n  if (alpha(1)) zeta();\n  return var; }";
    let program = c(source);
    let [first] = refused(&program)[..] else { panic!("nothing is reached after alpha") };
    assert_eq!(first, ("a call of alpha, which has no body,", 5));
    let options = Options { nondet_externs: vec!["al*".to_owned()], ..Options::default() };
    let program = try_load("test.c", source, &options).expect("it loads");
    assert_eq!(refused(&program), [("a call of zeta, which has no body,", 5)]);
    // A variable can be pointed to; the machine refuses its contents.
    let undefined = program.globals.iter().filter(|global| global.undefined);
    assert_eq!(undefined.map(|global| program.name(global.name)).collect::<Vec<_>>(), ["var"]);
}

#[test]
fn a_pattern_that_names_no_function_without_a_body() {
    let source = "int alpha(int); int beta(void) { return 1; } int main(void) { return alpha(beta()); }";
    for pattern in ["beta", "alpha2", "printf", "x*"] {
        let options = Options { nondet_externs: vec![pattern.to_owned()], ..Options::default() };
        let error = try_load("test.c", source, &options).expect_err("nothing matches");
        assert!(matches!(&error, Error::HavocNothing(name) if name == pattern), "{error}");
    }
}

#[test]
fn named_externs_can_return_anything() {
    let options = Options { nondet_externs: vec!["alpha".to_owned()], ..Options::default() };
    let source = "int alpha(int); int main(void) { return alpha(1); }";
    let program = try_load("test.c", source, &options).expect("it loads");
    assert_eq!(common::count(&program, "main", |i| matches!(i, ir::Instr::Nondet { .. })), 1);
}

#[test]
fn externs_in_functions_never_called_do_not_matter() {
    assert!(
        try_load(
            "test.c",
            "void x(void); void f(void) { x(); } int main(void) { return 0; }",
            &Options::default()
        )
        .is_ok()
    );
}

#[test]
fn unsupported_constructs_are_named_with_their_line() {
    let cases = [
        ("int main(void) {\n __asm__ volatile(\"hlt; wrmsr\");\n return 0; }", "wrmsr", 2),
        ("__asm__(\".globl x\\nx: ret\");\nint main(void) { return 0; }", "assembly outside", 0),
        ("char big[3ull << 30];\nint main(void) {\n return big[5]; }", "1 GiB", 3),
    ];
    for (source, what, line) in cases {
        let program = c(source);
        let [(text, at)] = refused(&program)[..] else { panic!("{source}") };
        assert!(text.contains(what) && at == line, "{text} at {at}");
    }
}

#[test]
fn duplicate_definitions_do_not_link() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (a, b) = (directory.path().join("a.c"), directory.path().join("b.c"));
    std::fs::write(&a, "int f(void) { return 1; } int main(void) { return f(); }").expect("a file");
    std::fs::write(&b, "int f(void) { return 2; }").expect("a file");
    let error = load(&[a, b], &Options::default()).expect_err("two definitions of f");
    assert!(matches!(error, Error::Link(_)) && error.to_string().contains('f'), "{error}");
}

#[test]
fn a_type_that_contains_itself_through_pointers_is_fine() {
    let source =
        "struct a; struct b { struct a *a; struct b *self[2]; }; struct a { struct b b; struct a *next; };
        struct a g; int main(void) { g.b.a = &g; return 0; }";
    assert!(try_load("test.c", source, &Options::default()).is_ok());
}

#[test]
fn deeply_nested_types_do_not_overflow_the_stack() {
    let mut source = String::from("struct s0 { int x; };\n");
    for i in 1..400 {
        source.push_str(&format!("struct s{i} {{ struct s{} inner; int x; }};\n", i - 1));
    }
    source.push_str("struct s399 g; int main(void) { g.x = 1; return 0; }");
    assert!(try_load("test.c", source, &Options::default()).is_ok());
}
