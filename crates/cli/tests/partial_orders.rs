//! Sections as partial orders: events that are independent are not ordered, all others are, and a
//! certificate shows it.

mod common;

use std::process::Command;

use certify::ScheduleCertificate;
use common::{Scratch, run};
use schedule::{Recorded, Requirement, Schedule, permits, read_record};

/// Threads in a ring, each with a cell of its own.
const RING: &str = include_str!("../../../benchmarks/schedules/barrier.c");

/// What two threads do looks independent and is not: they reach the same memory through a pointer.
const POINTER: &str = "int x, y, *p = &x;
void *one(void *unused) { y = 1; *p = 1; return unused; }
void *two(void *unused) { int seen = x; seen += y; assert(seen == 2); return unused; }";

/// Bytes of a number, of which one thread writes one and the other reads all.
const UNION: &str = "union { int number; char byte[4]; } u;
void *one(void *unused) { u.byte[1] = 1; return unused; }
void *two(void *unused) { int seen = u.number; assert(seen == 256); return unused; }";

/// Two fields of one block of the heap: only one of them is used by both.
const HEAP: &str = "struct pair { int a, b; } *pair;
void make(void) {
  pair = calloc(1, sizeof *pair);
  if (!pair) exit(0);
}
void *one(void *unused) { pair->a = 1; pair->b = 2; return unused; }
void *two(void *unused) { int seen = pair->b; assert(seen == 2); return unused; }";

/// A block is one thread's own where it is filled, and another one's where it is read and freed.
const GIVEN: &str = "int *volatile box; int other;
void *one(void *unused) {
  int *own = malloc(sizeof *own);
  if (!own) exit(0);
  *own = 5;
  other = 1;
  box = own;
  return unused;
}
void *two(void *unused) {
  int *taken = box;
  other = 2;
  assert(taken);
  box = 0;
  assert(*taken == 5);
  free(taken);
  return unused;
}";

/// One thread takes a block off the list while another still writes to it; it is the taker's own
/// afterwards, and no event of its own touches it.
const TAKEN: &str = "int *volatile list; int noise;
void make(void) { list = calloc(1, sizeof *list); }
void *one(void *unused) {
  int *seen = list;
  if (seen) *seen = 7;
  return unused;
}
void *two(void *unused) {
  int *taken = list;
  list = 0;
  noise = 1;
  if (taken) {
    int read = *taken;
    assert(read == 7);
    free(taken);
  }
  return unused;
}";

/// An attempt to lock tells whether another thread has the lock.
const TRIED: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *unused) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return unused; }
void *two(void *unused) {
  if (pthread_mutex_trylock(&m) == 0) {
    assert(x == 1);
    pthread_mutex_unlock(&m);
  }
  return unused;
}";

/// A thread that is made by another one is given a place on its stack.
const LENT: &str = "int result, other;
void *helper(void *at) { other = 3; *(int *)at = 9; return 0; }
void *one(void *unused) {
  int place = 0;
  pthread_t t;
  pthread_create(&t, 0, helper, &place);
  pthread_join(t, 0);
  result = place;
  return unused;
}
void *two(void *unused) { int seen = result; assert(seen == 9); return unused; }";

/// A flag and a condition: what is waited for is no memory that both touch.
const CONDITION: &str = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *one(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
void *two(void *unused) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  return unused;
}";

/// Two cells of an array are independent, the sum of both is not.
const CELLS: &str = "int cell[2], sum;
void *one(void *unused) { cell[0] = 1; sum = cell[0] + cell[1]; return unused; }
void *two(void *unused) { cell[1] = 1; int seen = sum; assert(seen >= 0); return unused; }";

const ATTACKS: [&str; 9] = [POINTER, UNION, HEAP, GIVEN, TAKEN, TRIED, LENT, CONDITION, CELLS];

/// A program of two threads, one of which is the first.
fn program(text: &str) -> String {
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n";
    let make = if text.contains("void make(void)") { "  make();\n" } else { "" };
    let main = "  pthread_t t;
  pthread_create(&t, 0, one, 0);
  two(0);
  pthread_join(t, 0);
  return 0;
}
";
    format!("{head}{text}\nint main(void) {{\n{make}{main}")
}

/// A program with the schedule that was found for it.
struct Subject {
    scratch: Scratch,
    source: String,
}

impl Subject {
    fn new(text: &str, options: &[&str]) -> Subject {
        let scratch = Scratch::new();
        let source = scratch.file("prog.c", text.as_bytes());
        let subject = Subject { scratch, source };
        let file = subject.file();
        let mut words = vec!["schedule", &subject.source, "--timeout", "60", "-o", &file];
        words.extend(options);
        let found = run(&words);
        assert_eq!(found.status, Some(0), "{text}\n{}{}", found.stdout, found.stderr);
        subject
    }

    fn file(&self) -> String {
        self.scratch.path("prog.schedule.json")
    }

    fn schedule(&self) -> Schedule {
        Schedule::parse(&std::fs::read(self.file()).expect("a schedule was written")).expect("it is one")
    }

    fn certify(&self) -> common::Run {
        run(&["certify", &self.source, &self.file()])
    }

    /// Writes another schedule, with the proof that there is.
    fn put(&self, schedule: &Schedule) {
        let proof = self.scratch.path("prog.schedule.proof.json");
        let old = ScheduleCertificate::parse(&std::fs::read(&proof).expect("a proof")).expect("it is one");
        let new = ScheduleCertificate::new(schedule, old.finer, old.certificate);
        std::fs::write(&proof, new.to_json()).expect("the proof can be written");
        std::fs::write(self.file(), schedule.to_json()).expect("the schedule can be written");
    }

    /// Runs the native program some times; what it does must be permitted, and end well.
    fn keeps_to_schedule(&self, times: usize) {
        let (file, native) = (self.file(), self.scratch.path("prog"));
        let built = run(&["build", &self.source, "--schedule", &file, "-o", &native]);
        assert_eq!(built.status, Some(0), "{}", built.stderr);
        let record = self.scratch.path("record");
        for _ in 0..times {
            let output = Command::new(&native).env("THREADPROOF_RECORD", &record).output().expect("it runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let text = std::fs::read_to_string(&record).expect("a record");
            let lines = read_record(&text).expect("it is well-formed");
            permits(&self.schedule(), &lines).expect("the run is permitted");
        }
    }
}

/// The schedules that have one entry of a clock less. What a clock says that follows from the rest
/// is not in it.
fn weakened(schedule: &Schedule) -> Vec<Schedule> {
    let count = clocks(&mut schedule.clone()).len();
    let without = |index: usize| {
        let mut weaker = schedule.clone();
        let (clock, at) = clocks(&mut weaker).into_iter().nth(index).expect("there are so many");
        clock.remove(at);
        weaker
    };
    (0..count).map(without).collect()
}

/// All entries of clocks: the clock, and where in it.
fn clocks(schedule: &mut Schedule) -> Vec<(&mut Vec<Requirement>, usize)> {
    let lanes = schedule.sections.iter_mut().flat_map(|section| &mut section.lanes);
    let events = lanes.flat_map(|lane| &mut lane.events).filter(|event| !event.after.is_empty());
    // One entry of each clock is enough for a test.
    events.map(|event| (&mut event.after, 0)).collect()
}

#[test]
fn threads_in_a_ring_write_their_cells_at_the_same_time() {
    let [total, partial] = ["0", "1"].map(|opt| Subject::new(RING, &["--until", "first", "--opt", opt]));
    let certified = partial.certify();
    assert_eq!(certified.status, Some(0), "{}{}", certified.stdout, certified.stderr);
    // Both first write their own cells and then read each other's.
    let schedule = partial.schedule();
    let ring = schedule.sections.last().expect("there are sections");
    let first = |thread: u32| &ring.events(thread)[0];
    let second = |thread: u32| &ring.events(thread)[1];
    assert!(first(1).after.is_empty() && first(2).after.is_empty(), "{}", schedule.to_json());
    assert_eq!(second(1).after, [Requirement { thread: 2, events: 1 }]);
    assert_eq!(second(2).after, [Requirement { thread: 1, events: 1 }]);
    // A record is permitted in which either of them comes first; a total order permits one record only.
    let section = schedule.sections.len() as u32 - 1;
    let record = |order: [u32; 2]| {
        let mut lines: Vec<Recorded> = Vec::new();
        let before = &schedule.sections[..section as usize];
        for (number, earlier) in before.iter().enumerate() {
            lines.extend((number > 0).then_some(Recorded::Section(number as u32)));
            let done =
                earlier.lanes.iter().flat_map(|lane| lane.events.iter().map(|e| (lane.thread, e.site)));
            lines.extend(done.map(|(thread, site)| Recorded::Event { thread, site }));
        }
        lines.push(Recorded::Section(section));
        lines.extend(order.map(|thread| Recorded::Event { thread, site: first(thread).site }));
        lines
    };
    assert_eq!(permits(&schedule, &record([1, 2])), Ok(()));
    assert_eq!(permits(&schedule, &record([2, 1])), Ok(()));
    let total = total.schedule();
    let is_ordered = |section: &schedule::Section| {
        section.lanes.iter().filter(|lane| lane.events.first().is_some_and(|e| e.after.is_empty())).count()
            <= 1
    };
    assert!(total.sections.iter().all(is_ordered), "{}", total.to_json());
}

#[test]
fn events_that_depend_on_each_other_are_ordered() {
    for text in ATTACKS {
        for opt in ["1", "2"] {
            let subject = Subject::new(&program(text), &["--until", "first", "--opt", opt]);
            let certified = subject.certify();
            assert_eq!(certified.status, Some(0), "{text}\n{}{}", certified.stdout, certified.stderr);
            subject.keeps_to_schedule(10);
        }
    }
}

#[test]
fn a_schedule_with_less_order_than_dependent_events_need_is_refused() {
    let ring = RING.to_owned();
    for text in ATTACKS.map(program).into_iter().chain([ring]) {
        let subject = Subject::new(&text, &["--until", "first", "--opt", "1"]);
        let schedule = subject.schedule();
        for weaker in weakened(&schedule) {
            subject.put(&weaker);
            let checked = subject.certify();
            let told = format!("{}{}", checked.stdout, checked.stderr);
            assert_eq!(checked.status, Some(1), "{text}\n{told}\n{}", weaker.to_json());
            assert!(told.contains("not ordered that depend on each other"), "{told}");
        }
        subject.put(&schedule);
        assert_eq!(subject.certify().status, Some(0));
    }
}

/// One thread waits for ever for a lock that the other one never gives back.
const BLOCKED: &str = "#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *one(void *unused) {
  y = 1;
  pthread_mutex_lock(&m);
  assert(0);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&m);
  while (1) x = !x;
  return 0;
}
";

/// A schedule without a site that has no events.
fn without_site(mut schedule: Schedule, line: u32) -> Schedule {
    let at = schedule.sites.iter().position(|place| place.at.line == line).expect("the site is listed");
    schedule.sites.remove(at);
    let renumber = |site: &mut u32| *site -= u32::from(*site > at as u32);
    let lanes = schedule.sections.iter_mut().flat_map(|section| &mut section.lanes);
    for event in lanes.flat_map(|lane| &mut lane.events) {
        assert_ne!(event.site, at as u32);
        renumber(&mut event.site);
        event.until.as_mut().into_iter().for_each(|until| renumber(&mut until.site));
    }
    schedule
}

#[test]
fn a_lock_that_alone_keeps_a_thread_waiting_is_neither_left_out_nor_reordered() {
    let subject = Subject::new(BLOCKED, &["--until", "first", "--opt", "1"]);
    assert_eq!(subject.certify().status, Some(0));
    // The runtime does not hold the thread where it waits any more.
    let proof = subject.scratch.path("prog.schedule.proof.json");
    let old = ScheduleCertificate::parse(&std::fs::read(&proof).expect("a proof")).expect("it is one");
    let finer = old.finer.map(|finer| without_site(finer, 7));
    let schedule = without_site(subject.schedule(), 7);
    let new = ScheduleCertificate::new(&schedule, finer.clone(), old.certificate.clone());
    std::fs::write(&proof, new.to_json()).expect("the proof can be written");
    std::fs::write(subject.file(), schedule.to_json()).expect("the schedule can be written");
    let checked = subject.certify();
    let told = format!("{}{}", checked.stdout, checked.stderr);
    assert_eq!(checked.status, Some(1), "{told}");
    assert!(told.contains("is not redundant"), "{told}");
    // With the lock it may wait there; but not before the other one has the lock.
    let finer = finer.expect("it has a finer one");
    let new = ScheduleCertificate::new(&finer, None, old.certificate);
    std::fs::write(&proof, new.to_json()).expect("the proof can be written");
    std::fs::write(subject.file(), finer.to_json()).expect("the schedule can be written");
    let checked = subject.certify();
    assert_eq!(checked.status, Some(0), "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn drawings_show_what_events_come_after() {
    let scratch = Scratch::new();
    let source = scratch.file("ring.c", RING.as_bytes());
    let (file, drawing) = (scratch.path("ring.schedule.json"), scratch.path("ring.dot"));
    let found = run(&["schedule", &source, "--until", "first", "-o", &file, "--dot", &drawing]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    let schedule = Schedule::parse(&std::fs::read(&file).expect("it was written")).expect("it is one");
    let events = schedule.sections.iter().flat_map(|section| &section.lanes).flat_map(|lane| &lane.events);
    let ordered = events.filter(|event| !event.after.is_empty()).count();
    let drawn = std::fs::read_to_string(&drawing).expect("it was drawn");
    assert!(ordered > 0);
    assert_eq!(drawn.matches(" after T").count(), ordered, "{drawn}");
}
