//! Certificates: what the engine writes is accepted, and a certificate that was changed in
//! one of its parts is rejected for that.

#[path = "certify/alike.rs"]
mod alike;
#[path = "certify/races.rs"]
mod races;

mod common;

use std::sync::Arc;

use certify::{Certificate, Condition, Interleavings, ReadError, Reason, Rejection, program_hash};
use clap::Parser;
use common::{Scratch, run};
use engine::{Bounds, Budget, Engine, Progress, Task, Verdict};
use impact::{Impact, Keeper, Options, Por};
use logic::Limits;
use machine::{Holder, Machine, MemoryModel, Property, ThreadId};
use threadproof::args::{Args, CheckArgs, Command};

/// Two counters in step.
const IN_STEP: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int n, a, b;
void *first(void *arg) {
  for (int i = 0; i < n; i++) a++;
  return arg;
}
void *second(void *arg) {
  for (int i = 0; i < n; i++) b++;
  return arg;
}
int main(void) {
  pthread_t t[2];
  n = __VERIFIER_nondet_int();
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(a == b);
  return 0;
}
";

/// One counter for both, so that neither can be put off.
const SHARED: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
atomic_int turn;
int n;
void *other(void *arg) {
  for (int i = 0; i < n; i++) turn = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < n; i++) turn = 2;
  assert(turn >= 0);
  return 0;
}
";

/// A thread that goes on for ever and has nothing to do with the others.
const FOR_EVER: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned a;
int n, m;
void *forever(void *arg) {
  for (;;) a++;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, forever, 0);
  n = __VERIFIER_nondet_int();
  m = n;
  assert(n == m);
  return 0;
}
";

/// What is received was sent: receiving commutes with sending where something is on its way.
const MESSAGES: &str = "#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
unsigned sent, received, out, in;
void *sender(void *arg) {
  while (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(sent < 1000000);
    sent++;
    out += 3;
    __VERIFIER_atomic_end();
  }
  return arg;
}
void *receiver(void *arg) {
  while (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(received < sent);
    received++;
    in += 3;
    __VERIFIER_atomic_end();
  }
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, sender, 0);
  pthread_create(&t[1], 0, receiver, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(sent != received || in == out);
  return 0;
}
";

/// What is taken for granted where nothing but assertions is looked at.
const UNDEFINED: &str = "memory,arithmetic,lock-misuse";

/// A program with its certificate.
struct Proven {
    machine: Machine,
    certificate: Certificate,
}

fn arguments(source: &str, property: &str, assumed: &str) -> (Scratch, CheckArgs) {
    let scratch = Scratch::new();
    let file = scratch.file("prog.c", source.as_bytes());
    let line = ["threadproof", "check", "--property", property, "--assume-no", assumed, &file];
    let args = Args::parse_from(line);
    let Command::Check(args) = args.command else { unreachable!("the command is check") };
    (scratch, *args)
}

fn machine(args: &CheckArgs) -> Machine {
    let program = threadproof::load(&args.input).expect("the program loads");
    Machine::new(Arc::new(program), threadproof::configure(args).expect("the options fit"))
}

fn proven(source: &str) -> Proven {
    proven_assuming(source, UNDEFINED)
}

fn proven_assuming(source: &str, assumed: &str) -> Proven {
    proven_with(source, ("assert", assumed), Options::default())
}

/// Proven by one of the paper's reductions.
fn proven_by(source: &str, por: Por) -> Proven {
    proven_with(source, ("assert", UNDEFINED), Options { por: Some(por), ..Options::default() })
}

fn proven_with(source: &str, (property, assumed): (&str, &str), options: Options) -> Proven {
    let (_scratch, args) = arguments(source, property, assumed);
    let machine = machine(&args);
    let keeper = Keeper::default();
    let verdict = verdict(&machine, Options { keeper: Some(keeper.clone()), ..options });
    assert!(matches!(verdict, Verdict::Holds { .. }), "{verdict:?}");
    let proof = keeper.take().expect("there is a proof");
    let options = threadproof::options(&args.input, machine.config());
    let certificate = Certificate::new("test", machine.program(), options, proof);
    Proven { machine, certificate }
}

fn verdict(machine: &Machine, options: Options) -> Verdict {
    let (budget, progress) = (Budget::unlimited(), Progress::default());
    let task = Task { machine, budget: &budget, bounds: Bounds::default(), progress: &progress };
    Impact { options }.check(&task).verdict
}

impl Proven {
    fn check(&self) -> Result<(), Rejection> {
        let checked = certify::check(&self.machine, &self.certificate, Limits::default());
        checked.expect("the solver is there").map(|_| ())
    }

    /// The rejection after a change.
    fn rejection(mut self, change: impl FnOnce(&mut Certificate)) -> Rejection {
        assert_eq!(self.check(), Ok(()));
        change(&mut self.certificate);
        self.check().expect_err("it was changed")
    }

    /// A node at the head of the loop: it covers another.
    fn head(&self) -> usize {
        let nodes = &self.certificate.proof.nodes;
        let covering = nodes.iter().filter(|node| !node.label.is_empty()).find_map(|node| node.covered_by);
        covering.expect("there is a loop") as usize
    }
}

#[test]
fn a_weaker_label_is_not_enough() {
    let proven = proven(IN_STEP);
    let head = proven.head();
    let rejection = proven.rejection(|certificate| certificate.proof.nodes[head].label.clear());
    assert!(matches!(rejection, Rejection::Step { .. } | Rejection::Unsafe { .. }), "{rejection}");
}

#[test]
fn a_stronger_label_does_not_hold() {
    let proven = proven(IN_STEP);
    let head = proven.head();
    let rejection = proven.rejection(|certificate| {
        let never = Condition {
            op: "const".to_owned(),
            width: Some(1),
            value: Some("0".to_owned()),
            ..Condition::default()
        };
        certificate.proof.nodes[head].label.push(certificate.proof.terms.len() as u32);
        certificate.proof.terms.push(never);
    });
    assert!(matches!(rejection, Rejection::Step { .. } | Rejection::Cover { .. }), "{rejection}");
}

#[test]
fn the_root_must_hold_at_the_beginning() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        let zero = certificate.proof.terms.iter_mut().find(|term| term.value.as_deref() == Some("0"));
        zero.expect("counters begin with 0").value = Some("7".to_owned());
    });
    assert_eq!(rejection, Rejection::Root);
}

#[test]
fn an_edge_must_not_be_missing() {
    let edges = proven(IN_STEP).certificate.proof.nodes.iter().map(|node| node.edges.len()).sum::<usize>();
    assert!(edges > 1);
    let rejection = proven(IN_STEP).rejection(|certificate| {
        certificate.proof.nodes[0].edges.remove(0);
    });
    assert!(matches!(rejection, Rejection::Step { node: 0, .. }), "{rejection}");
}

#[test]
fn a_location_must_not_be_missing() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        let steps = certificate.proof.vertices.iter_mut().find(|vertex| vertex.steps.len() > 1);
        steps.expect("a loop ends or goes on").steps.remove(0);
    });
    assert!(matches!(rejection, Rejection::Step { .. }), "{rejection}");
}

#[test]
fn a_location_must_be_the_one_that_a_step_leads_to() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        certificate.proof.vertices[1].location = "0123456789abcdef".to_owned();
    });
    assert!(matches!(rejection, Rejection::Step { .. }), "{rejection}");
}

#[test]
fn a_cover_must_be_implied() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        for node in certificate.proof.nodes.iter_mut().filter(|node| node.covered_by.is_some()) {
            node.covered_by = Some(0);
        }
    });
    assert!(matches!(rejection, Rejection::Cover { by: 0, .. }), "{rejection}");
}

#[test]
fn nodes_do_not_cover_each_other() {
    let proven = proven(IN_STEP);
    let head = proven.head();
    let rejection = proven.rejection(|certificate| {
        let covered = certificate.proof.nodes.iter().position(|node| node.covered_by == Some(head as u32));
        certificate.proof.nodes[head].covered_by = covered.map(|covered| covered as u32);
    });
    assert!(matches!(rejection, Rejection::Cover { .. }), "{rejection}");
}

/// Leaves out all but one of the threads wherever several move.
fn prune(certificate: &mut Certificate, reason: Reason) {
    for vertex in certificate.proof.vertices.iter_mut().filter(|vertex| vertex.movers.len() > 1) {
        vertex.movers.truncate(1);
        vertex.reason = reason;
    }
}

#[test]
fn a_thread_is_not_left_out_without_reason() {
    for reason in [Reason::All, Reason::Necessary, Reason::Fair, Reason::Commuting] {
        let rejection = proven(SHARED).rejection(|certificate| prune(certificate, reason));
        assert!(matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
    }
}

/// Two threads write elements of one array that are not the same.
const FIGURE_1: &str = include_str!("../../../benchmarks/impact/figure1.c");

#[test]
fn proofs_with_the_papers_reductions_are_accepted() {
    for source in [FIGURE_1, SHARED] {
        for por in [Por::None, Por::Shared, Por::Monotonic] {
            let proven = proven_by(source, por);
            assert_eq!(proven.check(), Ok(()), "{por:?}");
            assert_eq!(proven.certificate.proof.interleavings, por.interleavings());
        }
    }
}

#[test]
fn writes_of_different_elements_are_taken_in_one_order() {
    let proven = proven_by(FIGURE_1, Por::Monotonic);
    let apart = |node: &&certify::Node| !node.apart.is_empty();
    assert!(proven.certificate.proof.nodes.iter().any(|node| apart(&node)));
    let proof = |por| proven_by(FIGURE_1, por).certificate.proof.nodes.len();
    assert!(proof(Por::Monotonic) < proof(Por::Shared));
    // Without the label nothing says that they are different.
    let rejection = proven.rejection(|certificate| {
        let nodes = &mut certificate.proof.nodes;
        let apart: Vec<u32> =
            (0..).zip(nodes.iter()).filter(|(_, node)| apart(node)).map(|(n, _)| n).collect();
        for node in nodes.iter_mut().filter(|node| node.edges.iter().any(|edge| apart.contains(&edge.to))) {
            node.label.clear();
        }
        // Otherwise these labels are missed first.
        apart.iter().for_each(|node| nodes[*node as usize].label.clear());
    });
    assert!(matches!(rejection, Rejection::Apart { .. }), "{rejection}");
}

#[test]
fn writes_of_one_place_do_not_change_places() {
    let rejection = proven_by(SHARED, Por::Monotonic).rejection(|certificate| {
        for node in &mut certificate.proof.nodes {
            node.apart = vec![ThreadId(0)];
        }
    });
    assert!(matches!(rejection, Rejection::Apart { .. }), "{rejection}");
}

#[test]
fn a_proof_has_the_interleavings_that_it_says() {
    for por in [Por::None, Por::Monotonic] {
        for other in [Interleavings::Reduced, Interleavings::Monotonic, Interleavings::Instructions] {
            if other != por.interleavings() {
                let changed = |certificate: &mut Certificate| certificate.proof.interleavings = other;
                let proven = proven_by(FIGURE_1, por);
                // All interleavings are more than the monotonic ones, but of other steps.
                let rejection = proven.rejection(changed);
                assert!(matches!(rejection, Rejection::Step { .. }), "{por:?} as {other:?}: {rejection}");
            }
        }
    }
}

#[test]
fn the_papers_trees_follow_all_threads_of_a_vertex() {
    for por in [Por::None, Por::Monotonic] {
        for reason in [Reason::All, Reason::Necessary, Reason::Fair, Reason::Commuting] {
            let rejection = proven_by(SHARED, por).rejection(|certificate| prune(certificate, reason));
            assert!(matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
        }
    }
}

#[test]
fn a_node_that_covers_another_follows_its_threads() {
    // Each thread that is left out somewhere is left out at every node that covers another.
    let rejection = proven_by(SHARED, Por::Monotonic).rejection(|certificate| {
        let nodes = &mut certificate.proof.nodes;
        let covering: Vec<u32> = nodes.iter().filter_map(|node| node.covered_by).collect();
        for number in covering {
            nodes[number as usize].edges.retain(|edge| edge.threads != [ThreadId(0)]);
        }
    });
    assert!(matches!(rejection, Rejection::Step { thread: ThreadId(0), .. }), "{rejection}");
}

#[test]
fn labels_and_covers_of_the_papers_trees_are_checked() {
    for por in [Por::None, Por::Monotonic] {
        let rejection = proven_by(FIGURE_1, por)
            .rejection(|certificate| certificate.proof.nodes.iter_mut().for_each(|node| node.label.clear()));
        let weak = matches!(rejection, Rejection::Unsafe { .. } | Rejection::Apart { .. });
        assert!(weak || matches!(rejection, Rejection::Step { .. }), "{rejection}");
        let rejection = proven_by(FIGURE_1, por).rejection(|certificate| {
            for node in certificate.proof.nodes.iter_mut().filter(|node| node.covered_by.is_some()) {
                node.covered_by = Some(0);
            }
        });
        assert!(matches!(rejection, Rejection::Cover { by: 0, .. }), "{rejection}");
        let rejection = proven_by(FIGURE_1, por).rejection(|certificate| {
            certificate.proof.nodes[0].edges.clear();
        });
        assert!(matches!(rejection, Rejection::Step { node: 0, .. }), "{rejection}");
    }
}

#[test]
fn steps_change_places_only_where_the_condition_holds() {
    let rejection = proven(MESSAGES).rejection(|certificate| {
        for vertex in &mut certificate.proof.vertices {
            vertex.condition.clear();
        }
    });
    assert!(matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
}

#[test]
fn all_move_where_the_condition_does_not_hold() {
    let rejection = proven(MESSAGES).rejection(|certificate| {
        let vertices = certificate.proof.vertices.iter_mut();
        vertices.filter(|vertex| !vertex.condition.is_empty()).for_each(|vertex| vertex.movers.truncate(1));
    });
    assert!(matches!(rejection, Rejection::Pruned { .. }), "{rejection}");
}

#[test]
fn a_thread_is_not_put_off_for_ever() {
    // With memory errors in question every thread counts, not only those that may fail.
    let rejection = proven_assuming(FOR_EVER, "arithmetic").rejection(|certificate| {
        for vertex in certificate.proof.vertices.iter_mut().filter(|vertex| vertex.movers.len() > 1) {
            vertex.movers = vec![ThreadId(1)];
            vertex.reason = Reason::Fair;
        }
    });
    assert!(matches!(rejection, Rejection::PutOff { thread: ThreadId(0), .. }), "{rejection}");
}

#[test]
fn a_thread_that_cannot_move_does_not() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        certificate.proof.vertices[0].movers = vec![ThreadId(1)];
    });
    assert!(matches!(rejection, Rejection::Pruned { vertex: 0, .. }), "{rejection}");
}

#[test]
fn what_is_no_data_belongs_to_locations() {
    let rejection = proven(IN_STEP).rejection(|certificate| certificate.proof.data.clear());
    assert!(matches!(rejection, Rejection::Step { .. } | Rejection::Root), "{rejection}");
}

#[test]
fn data_are_apart() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        let data = &mut certificate.proof.data;
        let shifted = data.iter().find_map(|holder| match *holder {
            Holder::Global { id, offset, len } => Some(Holder::Global { id, offset: offset + 2, len }),
            _ => None,
        });
        data.extend(shifted);
    });
    assert!(matches!(rejection, Rejection::Malformed(_)), "{rejection}");
}

#[test]
fn terms_must_make_sense() {
    let rejection = proven(IN_STEP).rejection(|certificate| {
        let operation = certificate.proof.terms.iter_mut().find(|term| !term.args.is_empty());
        operation.expect("labels compare").args[0] = 9999;
    });
    assert!(matches!(rejection, Rejection::Malformed(_)), "{rejection}");
}

#[test]
fn a_certificate_is_for_one_program() {
    let proven = proven(IN_STEP);
    let (_scratch, args) = arguments(&IN_STEP.replace("b++", "b += 2"), "assert", UNDEFINED);
    let other = Proven { machine: machine(&args), certificate: proven.certificate };
    assert_eq!(other.check(), Err(Rejection::Program));
}

#[test]
fn the_proof_of_another_program_is_none() {
    for wrong in [("i < n; i++) b++", "i <= n; i++) b++"), ("a == b", "a == b + 1")] {
        let (_scratch, args) = arguments(&IN_STEP.replace(wrong.0, wrong.1), "assert", UNDEFINED);
        let (machine, mut certificate) = (machine(&args), proven(IN_STEP).certificate);
        certificate.program = program_hash(machine.program());
        let rejection = Proven { machine, certificate }.check().expect_err("the program is wrong");
        assert!(matches!(rejection, Rejection::Step { .. } | Rejection::Unsafe { .. }), "{rejection}");
    }
}

#[test]
fn options_are_those_it_was_made_with() {
    let rejection = proven(IN_STEP).rejection(|certificate| certificate.options.assumed.clear());
    assert_eq!(rejection, Rejection::Options);
    let rejection =
        proven(IN_STEP).rejection(|certificate| certificate.options.flags.push("-DN=2".to_owned()));
    assert_eq!(rejection, Rejection::Options);
}

/// The rejection of a proof as one of something else: with a machine of this configuration, and
/// options that say the same.
fn rejection_under(
    proven: Proven,
    config: machine::Config,
    change: impl FnOnce(&mut trace::Options),
) -> Rejection {
    let Proven { machine, certificate } = proven;
    let mut options = certificate.options.clone();
    change(&mut options);
    let machine = Machine::new(Arc::new(machine.program().clone()), config);
    let certificate = Certificate::new("test", machine.program(), options, certificate.proof);
    Proven { machine, certificate }.check().expect_err("it is a proof of something else")
}

#[test]
fn a_property_that_was_not_shown_is_not_certified() {
    let proven = proven(IN_STEP);
    let properties = [Property::Leak].into_iter().collect();
    let config = machine::Config { properties, ..proven.machine.config().clone() };
    let rejection = rejection_under(proven, config, |options| options.properties = vec![Property::Leak]);
    assert_eq!(rejection, Rejection::Property("leak"));
}

#[test]
fn nothing_is_certified_about_stores_that_wait() {
    // The thread that writes sees its own store, which never has to leave the buffer.
    let proven = proven(IN_STEP);
    let config = machine::Config { memory_model: MemoryModel::Tso, ..proven.machine.config().clone() };
    let rejection = rejection_under(proven, config, |options| options.memory_model = MemoryModel::Tso);
    assert!(matches!(rejection, Rejection::Silent(_)), "{rejection}");
}

#[test]
fn nothing_is_certified_if_faults_are_not_told() {
    let proven = proven(IN_STEP);
    let text = "assertion:prog.c:22";
    let suppressions = vec![Arc::new(text.parse().expect("it is a suppression"))];
    let config = machine::Config { suppressions, ..proven.machine.config().clone() };
    let rejection = rejection_under(proven, config, |options| options.suppressions = vec![text.to_owned()]);
    assert!(matches!(rejection, Rejection::Silent(_)), "{rejection}");
}

#[test]
fn another_version_is_not_read() {
    let mut certificate = proven(IN_STEP).certificate;
    certificate.certificate += 1;
    let read = Certificate::parse(certificate.to_json().as_bytes());
    assert!(matches!(read, Err(ReadError::Format { found: 2 })), "{read:?}");
}

#[test]
fn the_status_says_what_came_of_it() {
    let scratch = Scratch::new();
    let file = scratch.file("prog.c", IN_STEP.as_bytes());
    let (proof, drawing) = (scratch.path("proof.json"), scratch.path("proof.dot"));
    let assumed = "--assume-no=memory,arithmetic,lock-misuse";
    let check = ["check", "--engine", "impact", "--property", "assert", assumed, &file];
    let safe = run(&[&check[..], &["--certificate", &proof, "--dot", &drawing]].concat());
    assert_eq!(safe.status, Some(0), "{safe:?}");
    assert!(safe.stdout.contains("prog.c:6 (T1) and") && safe.stdout.contains(" == "), "{}", safe.stdout);
    let certified = run(&["certify", &file, &proof]);
    assert_eq!(certified.status, Some(0), "{certified:?}");
    assert!(
        certified.stdout.starts_with("certified: no execution violates assert\n"),
        "{}",
        certified.stdout
    );
    let other = scratch.file("other.c", IN_STEP.replace("b++", "b += 2").as_bytes());
    let rejected = run(&["certify", &other, &proof]);
    assert_eq!((rejected.status, rejected.stdout.starts_with("rejected: ")), (Some(1), true), "{rejected:?}");
    let garbage = scratch.file("garbage.json", b"{}");
    assert_eq!(run(&["certify", &file, &garbage]).status, Some(3));
    assert_eq!(run(&["certify", &file, &scratch.path("missing.json")]).status, Some(3));
    let unnamed = run(&["check", "--property", "assert", "--certificate", &proof, &file]);
    assert_eq!(unnamed.status, Some(3), "{unnamed:?}");
    let drawn = std::fs::read_to_string(drawing).expect("it was drawn");
    assert!(drawn.starts_with("digraph proof {") && drawn.contains("style=dashed"), "{drawn}");
}
