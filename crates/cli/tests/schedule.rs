//! Native programs held to schedules that are written by hand.

mod common;

use std::process::Command;

use common::{Run, Scratch, run};
use ir::{Location, Site};
use schedule::{Choice, Event, FORMAT, Kind, Lane, Next, Place, Requirement, Schedule, Section};
use schedule::{permits, read_record};

/// Two increments of which one may be lost.
const COUNTER: &str = "#include <pthread.h>
#include <stdio.h>
int x;
void *add(void *unused) {
  x++;
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  printf(\"%d\\n\", x);
  return 0;
}
";

/// A producer and a consumer without any synchronisation.
const LOCKSTEP: &str = "#include <pthread.h>
#include <stdio.h>
int item, wrong;
void *produce(void *unused) {
  for (int i = 1; i <= 300; i++)
    item = i;
  return unused;
}
void *consume(void *unused) {
  for (int i = 1; i <= 300; i++)
    if (item != i) wrong++;
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, produce, 0);
  pthread_create(&u, 0, consume, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf(\"%d\\n\", wrong);
  return 0;
}
";

/// Six threads that add to a sum, 200 times each.
const RING: &str = "#include <pthread.h>
#include <stdio.h>
int sum;
void *add(void *number) {
  for (int i = 0; i < 200; i++)
    sum = sum * 3 + (int)(long)number;
  return number;
}
int main(void) {
  pthread_t t[6];
  for (long i = 0; i < 6; i++) pthread_create(&t[i], 0, add, (void *)i);
  for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
  printf(\"%d\\n\", sum);
  return 0;
}
";

/// The first thread goes one of two ways, by an input.
const BRANCH: &str = "#include <pthread.h>
#include <stdio.h>
int tp_nondet_int(void);
int x, way, seen;
void *first(void *unused) {
  if (tp_nondet_int() & 1)
    way = 1, x = 1;
  else
    x = 2;
  return unused;
}
void *second(void *unused) {
  seen = x;
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf(\"%d %d\\n\", way, seen);
  return 0;
}
";

/// A condition without a predicate: a signal that comes early is lost.
const CONDITION: &str = "#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *wait(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  pthread_cond_signal(&c);
  pthread_join(t, 0);
  puts(\"woken\");
  return 0;
}
";

/// A program and its sites.
struct Subject {
    scratch: Scratch,
    source: String,
    fingerprint: String,
    listing: String,
    sites: Vec<Place>,
}

impl Subject {
    fn new(text: &str) -> Subject {
        let scratch = Scratch::new();
        let source = scratch.file("prog.c", text.as_bytes());
        let told = run(&["dump", "--sites", &source]);
        assert_eq!(told.status, Some(0), "{}", told.stderr);
        let (first, listing) = told.stdout.split_once('\n').expect("a first line");
        let fingerprint = first.strip_prefix("program ").expect("the fingerprint").to_owned();
        Subject { scratch, source, fingerprint, listing: listing.to_owned(), sites: Vec::new() }
    }

    /// The index of the site of the instruction on a line whose text has a word.
    fn site(&mut self, line: u32, word: &str) -> u32 {
        let position = format!("prog.c:{line}:");
        let has = |text: &&str| text.contains(&position) && text.contains(word);
        let found = self.listing.lines().find(has).unwrap_or_else(|| panic!("{word} on line {line}"));
        let mut words = found.split_whitespace();
        let function = words.next().expect("a function").to_owned();
        let ordinal = words.next().and_then(|word| word.parse().ok()).expect("an ordinal");
        let at = Location { file: "prog.c".to_owned(), line, column: 0, function: function.clone() };
        self.sites.push(Place { site: Site { function, ordinal }, at });
        self.sites.len() as u32 - 1
    }

    fn schedule(&self, sections: Vec<Section>) -> Schedule {
        Schedule {
            format: FORMAT,
            tool: "by hand".to_owned(),
            program: self.fingerprint.clone(),
            sites: self.sites.clone(),
            omitted: Vec::new(),
            arguments: None,
            may_fail: Vec::new(),
            start: 0,
            sections,
        }
    }

    /// Builds the program and gives its path.
    fn build(&self, schedule: &Schedule, options: &[&str]) -> String {
        let file = self.scratch.file("schedule.json", schedule.to_json().as_bytes());
        let program = self.scratch.path("prog");
        let args = ["build", &self.source, "--schedule", &file, "--trust", "-o", &program];
        let built = run(&[&args, options].concat());
        assert_eq!(built.status, Some(0), "{}", built.stderr);
        program
    }

    /// What many runs print. Each must be permitted by the schedule.
    fn outcomes(&self, schedule: &Schedule, runs: u32) -> Vec<String> {
        let program = self.build(schedule, &[]);
        let record = self.scratch.path("record");
        let mut seen: Vec<String> = (0..runs)
            .map(|seed| {
                let ran = natively(
                    &program,
                    &[("THREADPROOF_RECORD", &record), ("THREADPROOF_SEED", &seed.to_string())],
                );
                assert_eq!(ran.status, Some(0), "{}", ran.stderr);
                let text = std::fs::read_to_string(&record).expect("a record");
                let lines = read_record(&text).expect("the record is well-formed");
                assert!(!lines.is_empty());
                permits(schedule, &lines).expect("the run is permitted");
                ran.stdout.trim().to_owned()
            })
            .collect();
        seen.sort();
        seen.dedup();
        seen
    }
}

fn natively(program: &str, environment: &[(&str, &str)]) -> Run {
    let output = Command::new(program).envs(environment.iter().copied()).output();
    output.expect("the program starts").into()
}

fn event(site: u32, after: &[(u32, u32)]) -> Event {
    let after = after.iter().map(|(thread, events)| Requirement { thread: *thread, events: *events });
    Event { site, kind: Kind::Plain, until: None, after: after.collect() }
}

fn lane(thread: u32, events: Vec<Event>) -> Lane {
    Lane { thread, events }
}

#[test]
fn one_increment_after_the_other() {
    let mut subject = Subject::new(COUNTER);
    let (load, store) = (subject.site(5, "load"), subject.site(5, "store"));
    let first = lane(1, vec![event(load, &[]), event(store, &[])]);
    let second = lane(2, vec![event(load, &[(1, 2)]), event(store, &[])]);
    let schedule = subject.schedule(vec![Section { lanes: vec![first, second], next: Next::End }]);
    assert_eq!(subject.outcomes(&schedule, 40), ["2"]);
}

#[test]
fn one_increment_is_always_lost() {
    let mut subject = Subject::new(COUNTER);
    let (load, store) = (subject.site(5, "load"), subject.site(5, "store"));
    let first = lane(1, vec![event(load, &[]), event(store, &[(2, 1)])]);
    let second = lane(2, vec![event(load, &[]), event(store, &[(1, 1)])]);
    let schedule = subject.schedule(vec![Section { lanes: vec![first, second], next: Next::End }]);
    assert_eq!(subject.outcomes(&schedule, 40), ["1"]);
}

#[test]
fn producer_and_consumer_in_lockstep() {
    let mut subject = Subject::new(LOCKSTEP);
    let (store, load) = (subject.site(6, "store"), subject.site(11, "load"));
    let round = vec![lane(1, vec![event(store, &[])]), lane(2, vec![event(load, &[(1, 1)])])];
    let again = Choice { comes_to: Some(store), section: 0 };
    let ends = Choice { comes_to: None, section: 1 };
    let next = Next::Branch { thread: 1, choices: vec![again, ends] };
    let last = Section { lanes: Vec::new(), next: Next::End };
    let schedule = subject.schedule(vec![Section { lanes: round, next }, last]);
    assert_eq!(subject.outcomes(&schedule, 15), ["0"]);
    let program = subject.build(&schedule, &[]);
    let ran = natively(&program, &[("THREADPROOF_STATS", "1")]);
    assert!(ran.stderr.contains("threadproof: 600 events"), "{}", ran.stderr);
    assert!(ran.stderr.contains("301 sections, 0 departures"), "{}", ran.stderr);
}

/// Each thread sleeps until shortly before its turn, within a section and where the next one begins.
#[test]
fn six_threads_in_a_ring() {
    let mut subject = Subject::new(RING);
    let (load, store) = (subject.site(6, "load"), subject.site(6, "store"));
    let turn = |thread: u32, round: u32| {
        let before = match thread {
            1 => (6, 2 * round),
            _ => (thread - 1, 2 * round + 2),
        };
        let first = event(load, &[before][usize::from(before.1 == 0)..]);
        [first, event(store, &[])]
    };
    let events = |thread: u32| (0..5).flat_map(|round| turn(thread, round)).collect();
    let sections = (0..40).map(|number| {
        let lanes = (1..=6).map(|thread| lane(thread, events(thread))).collect();
        let next = if number < 39 { Next::Section(number + 1) } else { Next::End };
        Section { lanes, next }
    });
    let schedule = subject.schedule(sections.collect());
    let expected = (0..1200).fold(0i32, |sum, event| sum.wrapping_mul(3).wrapping_add(event % 6));
    assert_eq!(subject.outcomes(&schedule, 10), [expected.to_string()]);
}

#[test]
fn the_branching_thread_chooses() {
    let mut subject = Subject::new(BRANCH);
    let (way, one) = (subject.site(7, "@way"), subject.site(7, "@x"));
    let (two, read) = (subject.site(9, "store"), subject.site(13, "load"));
    let next = Next::Branch {
        thread: 1,
        choices: vec![Choice { comes_to: Some(way), section: 1 }, Choice { comes_to: Some(two), section: 2 }],
    };
    // One way the second thread reads after the first has written, the other way before.
    let after = vec![lane(1, vec![event(way, &[]), event(one, &[])]), lane(2, vec![event(read, &[(1, 2)])])];
    let before = vec![lane(1, vec![event(two, &[(2, 1)])]), lane(2, vec![event(read, &[])])];
    let schedule = subject.schedule(vec![
        Section { lanes: Vec::new(), next },
        Section { lanes: after, next: Next::End },
        Section { lanes: before, next: Next::End },
    ]);
    assert_eq!(subject.outcomes(&schedule, 40), ["0 0", "1 1"]);
}

#[test]
fn a_wait_begins_before_the_signal() {
    let mut subject = Subject::new(CONDITION);
    let (lock, wait) = (subject.site(6, "mutex"), subject.site(7, "cond"));
    let (unlock, signal) = (subject.site(8, "mutex"), subject.site(14, "cond"));
    let begins = Event { site: wait, kind: Kind::WaitBegins, until: None, after: Vec::new() };
    let ends = Event { kind: Kind::WaitEnds, ..event(wait, &[(0, 1)]) };
    let waiter = lane(1, vec![event(lock, &[]), begins, ends, event(unlock, &[])]);
    let main = lane(0, vec![event(signal, &[(1, 2)])]);
    let schedule = subject.schedule(vec![Section { lanes: vec![main, waiter], next: Next::End }]);
    assert_eq!(subject.outcomes(&schedule, 20), ["woken"]);
}

/// A schedule that knows the first thread only.
fn incomplete() -> (Subject, Schedule) {
    let mut subject = Subject::new(COUNTER);
    let (load, store) = (subject.site(5, "load"), subject.site(5, "store"));
    let only = lane(1, vec![event(load, &[]), event(store, &[])]);
    let schedule = subject.schedule(vec![Section { lanes: vec![only], next: Next::End }]);
    (subject, schedule)
}

#[test]
fn departures_are_noticed() {
    let (subject, schedule) = incomplete();
    let program = subject.build(&schedule, &[]);
    let ran = natively(&program, &[]);
    assert_eq!(ran.status, None, "it aborts: {}", ran.stderr);
    assert!(ran.stderr.contains("thread 2 departs from the schedule at its beginning"), "{}", ran.stderr);
    let warned = natively(&subject.build(&schedule, &["--on-departure", "warn"]), &[]);
    assert_eq!(warned.status, Some(0));
    assert!(warned.stderr.contains("departs from the schedule"), "{}", warned.stderr);
    let free =
        natively(&subject.build(&schedule, &["--on-departure", "free"]), &[("THREADPROOF_STATS", "1")]);
    assert_eq!(free.status, Some(0));
    assert!(!free.stderr.contains("departs") && free.stderr.contains("1 departures"), "{}", free.stderr);
}

#[test]
fn run_ends_as_the_program_does() {
    let (subject, schedule) = incomplete();
    let file = subject.scratch.file("schedule.json", schedule.to_json().as_bytes());
    let ran = run(&[
        "run",
        &subject.source,
        "--schedule",
        &file,
        "--trust",
        "--on-departure",
        "warn",
        "--",
        "an argument",
    ]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let aborted = run(&["run", &subject.source, "--schedule", &file, "--trust"]);
    assert_eq!(aborted.status, Some(128 + 6), "{}", aborted.stderr);
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let (subject, schedule) = incomplete();
    let other = Schedule { program: "0".repeat(32), ..schedule };
    let file = subject.scratch.file("schedule.json", other.to_json().as_bytes());
    let refused = run(&["build", &subject.source, "--schedule", &file, "-o", &subject.scratch.path("prog")]);
    assert_eq!(refused.status, Some(3));
    assert!(refused.stderr.contains("belongs to another program"), "{}", refused.stderr);
}

#[test]
fn schedules_that_contradict_themselves_are_refused() {
    let mut subject = Subject::new(COUNTER);
    let load = subject.site(5, "load");
    let circle = vec![lane(1, vec![event(load, &[(2, 1)])]), lane(2, vec![event(load, &[(1, 1)])])];
    let wrong = subject.schedule(vec![Section { lanes: circle, next: Next::End }]);
    let error = Schedule::parse(wrong.to_json().as_bytes()).expect_err("it is cyclic").to_string();
    assert!(error.contains("in a circle"), "{error}");
    let nowhere = subject.schedule(vec![Section { lanes: Vec::new(), next: Next::Section(7) }]);
    let error =
        Schedule::parse(nowhere.to_json().as_bytes()).expect_err("there is no such section").to_string();
    assert!(error.contains("section 7 does not exist"), "{error}");
}
