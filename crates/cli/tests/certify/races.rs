//! Certificates that say of a program that it has no races.

use super::*;

/// Programs without races, each with one that differs in a line and has one.
fn pairs() -> [(String, String); 4] {
    macro_rules! corpus {
        ($name:literal) => {
            include_str!(concat!("../../../../corpus/loops/", $name, ".c")).to_owned()
        };
    }
    [
        (corpus!("one-cell-by-turns"), corpus!("one-cell-by-turns-bug")),
        (corpus!("mode-says-who-writes"), corpus!("mode-says-who-writes-bug")),
        (corpus!("claimed-in-a-section"), corpus!("claimed-in-a-section-bug")),
        (ELEMENTS.to_owned(), ELEMENTS.replace(" || i == j", "")),
    ]
}

/// Two threads write elements of one array that are not the same.
const ELEMENTS: &str = "#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned i, j, n, cells[10];
void *first(void *arg) {
  for (unsigned k = 0; k < n; k++) cells[i] = k;
  return arg;
}
void *second(void *arg) {
  for (unsigned k = 0; k < n; k++) cells[j] = k;
  return arg;
}
int main(void) {
  pthread_t t[2];
  i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (i >= 10 || j >= 10 || i == j) return 0;
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
";

/// Threads learn of each other by what does not order them.
const RELAXED: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int data;
void *writer(void *arg) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) return data;
  return 0;
}
";

fn proven_raceless(source: &str) -> Proven {
    proven_with(source, ("race", UNDEFINED), Options::default())
}

/// A certificate of another program as one of this program.
fn forged(source: &str, mut certificate: Certificate) -> Proven {
    let (_scratch, args) = arguments(source, "race", UNDEFINED);
    let machine = machine(&args);
    certificate.program = program_hash(machine.program());
    Proven { machine, certificate }
}

#[test]
fn proofs_that_there_are_no_races_are_accepted() {
    for (source, _) in pairs() {
        let proven = proven_raceless(&source);
        assert_eq!(proven.check(), Ok(()), "{source}");
        assert_eq!(proven.certificate.options.properties, [Property::Race]);
    }
}

#[test]
fn a_program_with_a_race_has_no_proof() {
    for (source, racy) in pairs() {
        let forged = forged(&racy, proven_raceless(&source).certificate);
        let rejection = forged.check().expect_err(&racy);
        let refuted = matches!(rejection, Rejection::Step { .. } | Rejection::Unsafe { .. });
        assert!(refuted || matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
    }
}

#[test]
fn accesses_must_be_announced() {
    // A proof about assertions announces none.
    for (source, racy) in pairs() {
        for source in [source, racy] {
            let proven = proven(&source);
            let config = machine::Config {
                properties: [Property::Race].into_iter().collect(),
                ..proven.machine.config().clone()
            };
            let rejection =
                rejection_under(proven, config, |options| options.properties = vec![Property::Race]);
            let refuted = matches!(rejection, Rejection::Step { .. } | Rejection::Unsafe { .. });
            assert!(refuted || matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
        }
    }
}

#[test]
fn what_was_announced_is_not_forgotten() {
    for (source, _) in pairs() {
        let rejection = proven_raceless(&source).rejection(|certificate| {
            let vertices = &mut certificate.proof.vertices;
            let names: Vec<String> = vertices.iter().map(|vertex| vertex.location.clone()).collect();
            let mut forgotten = 0;
            for (own, vertex) in (0..).zip(vertices) {
                for step in &mut vertex.steps {
                    // The announcement changes nothing else.
                    if step.to != own && names[step.to as usize] == vertex.location {
                        step.to = own;
                        forgotten += 1;
                    }
                }
            }
            assert!(forgotten > 0, "there are announcements");
        });
        assert!(matches!(rejection, Rejection::Step { .. }), "{rejection}");
    }
}

#[test]
fn labels_must_exclude_races() {
    let [_, (mode, _), _, (elements, _)] = pairs();
    let [mode, elements] = [mode, elements].map(|source| {
        proven_raceless(&source)
            .rejection(|certificate| certificate.proof.nodes.iter_mut().for_each(|node| node.label.clear()))
    });
    // Without labels a thread can come to an access to which the proof does not follow it.
    assert!(matches!(mode, Rejection::Step { .. } | Rejection::Unsafe { .. }), "{mode}");
    let Rejection::Unsafe { what, .. } = &elements else { panic!("{elements}") };
    assert!(what.starts_with("a race with the access at "), "{what}");
}

#[test]
fn labels_must_hold() {
    for (source, _) in pairs() {
        let rejection = proven_raceless(&source).rejection(|certificate| {
            let never = Condition {
                op: "const".to_owned(),
                width: Some(1),
                value: Some("0".to_owned()),
                ..Condition::default()
            };
            let number = certificate.proof.terms.len() as u32;
            certificate.proof.terms.push(never);
            certificate.proof.nodes.iter_mut().skip(1).for_each(|node| node.label.push(number));
        });
        assert!(matches!(rejection, Rejection::Step { .. }), "{rejection}");
    }
}

#[test]
fn every_part_of_the_tree_is_needed() {
    type Change = fn(&mut certify::Proof);
    let changes: [(&str, Change); 5] = [
        ("edges", |proof| proof.nodes.iter_mut().for_each(|node| node.edges.clear())),
        ("steps", |proof| proof.vertices.iter_mut().for_each(|vertex| vertex.steps.clear())),
        ("data", |proof| proof.data.clear()),
        ("locations", |proof| proof.vertices.iter_mut().for_each(|vertex| vertex.location.push('0'))),
        ("covers", |proof| {
            proof.nodes.iter_mut().for_each(|node| node.covered_by = node.covered_by.map(|_| 0))
        }),
    ];
    for (what, change) in changes {
        let rejection =
            proven_raceless(&pairs()[0].0).rejection(|certificate| change(&mut certificate.proof));
        let is_cover = matches!(rejection, Rejection::Cover { .. }) && what == "covers";
        let is_root = matches!(rejection, Rejection::Root) && what == "data";
        assert!(is_cover || is_root || matches!(rejection, Rejection::Step { .. }), "{what}: {rejection}");
    }
}

#[test]
fn a_thread_that_may_race_is_not_left_out() {
    for reason in [Reason::All, Reason::Necessary, Reason::Fair, Reason::Commuting] {
        let rejection = proven_raceless(&pairs()[0].0).rejection(|certificate| prune(certificate, reason));
        assert!(matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
    }
}

#[test]
fn other_trees_show_nothing_about_races() {
    for other in [Interleavings::Monotonic, Interleavings::Instructions] {
        let rejection =
            proven_raceless(&pairs()[0].0).rejection(|certificate| certificate.proof.interleavings = other);
        assert!(matches!(rejection, Rejection::Silent(_)), "{rejection}");
    }
}

#[test]
fn nothing_is_certified_about_races_that_only_clocks_show() {
    let rejection = forged(RELAXED, proven_raceless(&pairs()[0].0).certificate).check();
    assert!(matches!(rejection, Err(Rejection::Silent(_))), "{rejection:?}");
}

#[test]
fn a_program_is_certified_on_the_command_line() {
    let scratch = Scratch::new();
    let [_, (source, other), ..] = pairs();
    let (file, racy) = (scratch.file("prog.c", source.as_bytes()), scratch.file("racy.c", other.as_bytes()));
    let proof = scratch.path("proof.json");
    let assumed = "--assume-no=memory,arithmetic,lock-misuse";
    let check = ["check", "--engine", "impact", "--property", "race", assumed, "--certificate", &proof];
    let safe = run(&[&check[..], &[&file]].concat());
    assert_eq!(safe.status, Some(0), "{safe:?}");
    let certified = run(&["certify", &file, &proof]);
    assert_eq!(certified.status, Some(0), "{certified:?}");
    assert!(certified.stdout.starts_with("certified: no execution violates race\n"), "{certified:?}");
    let rejected = run(&["certify", &racy, &proof]);
    assert_eq!((rejected.status, rejected.stdout.starts_with("rejected: ")), (Some(1), true), "{rejected:?}");
    let refused = run(&[&check[..], &["--por", "monotonic", &file]].concat());
    assert_eq!(refused.status, Some(3), "{refused:?}");
}
