//! Proofs in which threads that are alike stand for one another.

use certify::Rejection;
use engine::Verdict;
use impact::{Options, Order};

use super::{Proven, UNDEFINED, arguments, machine, proven_with, verdict};

/// Three that are alike count under a lock, and none beyond a bound.
const COUNTERS: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *counts(void *arg) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&lock);
    if (count < 1000) count++;
    assert(count <= 1000);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, counts, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
";

/// Threads that are alike but for their handles, of which the program makes numbers.
const NUMBERED: &str = "#include <assert.h>
#include <pthread.h>
unsigned long last;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *leaves_its_number(void *arg) {
  pthread_mutex_lock(&lock);
  last = (unsigned long)pthread_self() * 2;
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, leaves_its_number, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(last % 2 == 0);
  return 0;
}
";

fn alike() -> Options {
    Options { orders: vec![Order::Alike], ..Options::default() }
}

fn counters() -> Proven {
    proven_with(COUNTERS, ("assert", UNDEFINED), alike())
}

#[test]
fn threads_are_sorted_in_fewer_vertices() {
    let sequential = Options { orders: vec![Order::Sequential], ..Options::default() };
    let sequential = proven_with(COUNTERS, ("assert", UNDEFINED), sequential);
    let vertices = |proven: &Proven| proven.certificate.proof.vertices.len();
    assert_eq!(counters().check(), Ok(()));
    assert!(vertices(&counters()) < vertices(&sequential));
}

#[test]
fn a_proof_with_sorted_threads_says_so() {
    let rejection = counters().rejection(|certificate| certificate.proof.sorted = false);
    assert!(matches!(rejection, Rejection::Step { .. }), "{rejection}");
}

#[test]
fn labels_are_about_threads_as_they_are_sorted() {
    let rejection = counters().rejection(|certificate| {
        certificate.proof.nodes.iter_mut().for_each(|node| node.label.clear());
    });
    assert!(matches!(rejection, Rejection::Unsafe { .. }), "{rejection}");
}

#[test]
fn nothing_is_proven_where_numbers_of_threads_matter() {
    let (_scratch, args) = arguments(NUMBERED, "assert", UNDEFINED);
    let verdict = verdict(&machine(&args), alike());
    assert!(matches!(verdict, Verdict::Unknown { .. }), "{verdict:?}");
}
