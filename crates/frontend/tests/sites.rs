//! Sites: names of instructions that stay when positions move, and that the
//! linked module shares with the program.

mod common;

use std::collections::BTreeMap;

use common::{c, cpp};
use frontend::{Options, load, load_linked};
use ir::{FuncId, Location, Pc, Program, Site};

const PROGRAM: &str = "#include <pthread.h>
#include <stdlib.h>
struct pair { long a, b, c; };
int x;
void __VERIFIER_atomic_add(void) { x += 2; }
static long sum(struct pair p) {
  long s = 0;
  for (int i = 0; i < 3; i++) { s += i == 1 ? p.b : p.a; }
  return s;
}
void *run(void *p) {
  __VERIFIER_atomic_add();
  if (x > 1 && x < 9) { x++; } else { free(malloc(3)); }
  return p;
}
int main(void) {
  pthread_t t;
  struct pair p = {1, 2, 3};
  pthread_create(&t, 0, run, 0);
  x = (int)sum(p);
  pthread_join(t, 0);
  return 0;
}
";

/// Every instruction of the program's own functions, with its position.
fn sites(program: &Program) -> Vec<(Site, Location)> {
    let own = program.functions.iter().zip(0..).filter(|(function, _)| !function.library);
    let each = own.flat_map(|(function, id)| (0..function.code.len()).map(move |pc| (FuncId(id), pc)));
    each.map(|(id, pc)| (program.site(id, pc as Pc), program.location(id, program.function(id).spans[pc])))
        .collect()
}

fn names(program: &Program) -> Vec<Site> {
    sites(program).into_iter().map(|(site, _)| site).collect()
}

fn assert_one_position_each(program: &Program) {
    let mut positions: BTreeMap<Site, Location> = BTreeMap::new();
    for (site, at) in sites(program) {
        assert_eq!(program.position_of(&site).as_ref(), Some(&at), "{site}");
        let known = positions.entry(site.clone()).or_insert_with(|| at.clone());
        assert_eq!(*known, at, "{site}");
    }
}

#[test]
fn a_site_has_one_position() {
    assert_one_position_each(&c(PROGRAM));
    assert_one_position_each(&cpp("struct A { int v; A(int v) : v(v) {} ~A() { v = 0; } };\n\
         int f(A a) { return a.v; }\n\
         int f(long b) { return int(b); }\n\
         int main() {\n  A a(3);\n  return f(a) + f(4L) - 7;\n}\n"));
}

#[test]
fn overloads_are_different_sites() {
    let program =
        cpp("int f(int a) { return a; }\nint f(long) { return 2; }\nint main() { return f(1) + f(2L); }\n");
    let mut functions: Vec<String> = names(&program).into_iter().map(|site| site.function).collect();
    functions.dedup();
    functions.sort();
    assert_eq!(functions, ["_Z1fi", "_Z1fl", "main"]);
}

#[test]
fn comments_move_positions_and_leave_sites() {
    let (before, after) = (c(PROGRAM), c(&PROGRAM.replace('\n', "\n// a comment\n\n")));
    assert_eq!(names(&before), names(&after));
    let moved = sites(&before).into_iter().zip(sites(&after));
    for ((_, from), (_, to)) in moved.filter(|((_, from), _)| from.line != 0) {
        assert_eq!((from.line - 1) * 3 + 1, to.line);
    }
}

#[test]
fn a_changed_function_leaves_the_sites_of_others() {
    let of = |program: &Program, function: &str| -> Vec<Site> {
        names(program).into_iter().filter(|site| site.function == function).collect()
    };
    let (before, after) = (c(PROGRAM), c(&PROGRAM.replace("x++;", "x++; x = x * 2;")));
    assert_eq!(of(&before, "main"), of(&after, "main"));
    assert_ne!(of(&before, "run"), of(&after, "run"));
}

#[test]
fn a_position_leads_to_its_first_site() {
    let program = c(PROGRAM);
    for (site, at) in sites(&program) {
        let found = program.site_at(&at).expect("a site at the position of an instruction");
        assert_eq!(program.position_of(&found), program.position_of(&site));
    }
}

#[test]
fn the_module_has_the_same_sites() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (source, module) = (directory.path().join("test.c"), directory.path().join("linked.bc"));
    std::fs::write(&source, PROGRAM).expect("a temporary file");
    let linked = load_linked(&[source], &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    std::fs::write(&module, &linked.module).expect("a temporary file");
    let again = load(&[module], &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sites(&linked.program), sites(&again));
}
