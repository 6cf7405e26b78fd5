//! Schedules that threadproof finds: they are certified, native programs keep to them, and
//! what was changed is refused.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use certify::ScheduleCertificate;
use common::{DEADLOCK, LOST_UPDATE, Scratch, run};
use schedule::{Next, Place, Schedule, permits, read_record};

/// A program of `benchmarks/schedules` with its macros.
const PROGRAMS: [(&str, &[&str]); 10] = [
    ("producer-consumer", &[]),
    ("producer-consumer", &["-DPRODUCERS=2", "-DCONSUMERS=2", "-DSIZE=5"]),
    ("overflow", &[]),
    ("double-lock", &[]),
    ("double-lock", &["-DDEADLOCK"]),
    ("race", &[]),
    ("file-system", &[]),
    ("file-system-declared", &[]),
    ("file-system-declared", &["-DSKIP"]),
    ("barrier", &[]),
];

/// An assertion that fails whoever goes first.
const HOPELESS: &str = "#include <assert.h>
#include <pthread.h>
int tp_nondet_int(void);
void *run(void *unused) {
  return unused;
}
int main(void) {
  pthread_t t;
  int x = tp_nondet_int();
  assert(x != 7);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
";

/// Two increments under a lock.
const SAFE: &str = "#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *unused) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
";

/// A wait for a flag that is set under a lock, with a condition.
const CONDITION: &str = "#include <assert.h>
#include <pthread.h>
int ready, seen;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *wait(void *unused) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  seen = 1;
  pthread_mutex_unlock(&m);
  return unused;
}
void *tell(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, wait, 0);
  pthread_create(&u, 0, tell, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(seen);
  return 0;
}
";

/// The same with C11 threads, whose functions are the library's.
const C11_CONDITION: &str = "#include <assert.h>
#include <threads.h>
int ready, seen;
mtx_t m;
cnd_t c;
int wait(void *unused) {
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  seen = 1;
  mtx_unlock(&m);
  return 0;
}
int tell(void *unused) {
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t, u;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, wait, 0);
  thrd_create(&u, tell, 0);
  thrd_join(t, 0);
  thrd_join(u, 0);
  assert(seen);
  return 0;
}
";

/// A value that goes to and fro, with the conditions of the C++ library.
const CXX_CONDITION: &str = "#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable c;
int value;
void give() {
  for (int i = 0; i < 3; i++) {
    std::unique_lock<std::mutex> lock(m);
    c.wait(lock, [] { return value == 0; });
    value++;
    c.notify_all();
  }
}
void take() {
  for (int i = 0; i < 3; i++) {
    std::unique_lock<std::mutex> lock(m);
    while (value == 0) c.WAIT;
    value--;
    assert(value == 0);
    c.notify_all();
  }
}
int main() {
  std::thread a(give), b(take);
  a.join();
  b.join();
}
";

/// A program with the schedule that was found for it.
struct Subject {
    scratch: Scratch,
    source: String,
    flags: Vec<String>,
}

impl Subject {
    fn new(text: &str, flags: &[&str]) -> Subject {
        Subject::named("prog.c", text, flags)
    }

    fn named(name: &str, text: &str, flags: &[&str]) -> Subject {
        let scratch = Scratch::new();
        let source = scratch.file(name, text.as_bytes());
        Subject { scratch, source, flags: flags.iter().map(|flag| (*flag).to_owned()).collect() }
    }

    fn benchmark(name: &str, flags: &[&str]) -> Subject {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/schedules");
        let text = std::fs::read_to_string(folder.join(format!("{name}.c"))).expect("the program is there");
        Subject::new(&text, flags)
    }

    fn file(&self) -> String {
        self.scratch.path("prog.schedule.json")
    }

    fn proof(&self) -> String {
        self.scratch.path("prog.schedule.proof.json")
    }

    /// Looks for a schedule; yields status and text.
    fn find(&self, options: &[&str]) -> common::Run {
        let file = self.file();
        let mut words = vec!["schedule", &self.source, "--timeout", "60", "-o", &file];
        words.extend(options);
        words.push("--");
        words.extend(self.flags.iter().map(String::as_str));
        run(&words)
    }

    fn schedule(&self) -> Schedule {
        let bytes = std::fs::read(self.file()).expect("a schedule was written");
        Schedule::parse(&bytes).expect("it is one")
    }

    fn certify(&self) -> common::Run {
        run(&["certify", &self.source, &self.file()])
    }

    fn build(&self) -> common::Run {
        let (file, program) = (self.file(), self.scratch.path("prog"));
        let mut words = vec!["build", &self.source, "--schedule", &file, "--trust", "-o", &program, "--"];
        words.extend(self.flags.iter().map(String::as_str));
        run(&words)
    }

    /// Runs the native program for a while. What it did must be permitted; yields how many
    /// events there were, and how the program ended by itself if it did.
    fn keeps_to_schedule(&self) -> (usize, Option<i32>) {
        let built = self.build();
        assert_eq!(built.status, Some(0), "{}", built.stderr);
        let (record, errors) = (self.scratch.path("record"), self.scratch.path("errors"));
        let stderr = std::fs::File::create(&errors).expect("the file can be written");
        let mut child = Command::new(self.scratch.path("prog"))
            .env("THREADPROOF_RECORD", &record)
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .expect("the program starts");
        // On a busy machine it takes a while until something has happened.
        let mut status = None;
        let written = || std::fs::metadata(&record).map_or(0, |file| file.len());
        for look in 0..500 {
            std::thread::sleep(Duration::from_millis(20));
            status = child.try_wait().expect("it can be waited for");
            if status.is_some() || look >= 20 && written() > 4000 {
                break;
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        let errors = std::fs::read_to_string(&errors).unwrap_or_default();
        assert_eq!(errors, "");
        // Where the process ends before the first event there is none.
        let text = std::fs::read_to_string(&record).unwrap_or_default();
        // The last line may be cut short.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = read_record(whole).expect("the record is well-formed");
        permits(&self.schedule(), &lines).expect("the run is permitted");
        (lines.len(), status.and_then(|status| status.code()))
    }
}

#[test]
fn programs_that_run_for_ever_do_so_under_their_schedules() {
    let ways = [("first", "0"), ("first", "1"), ("first", "2"), ("2", "0"), ("2", "1")];
    let all = ways.into_iter().flat_map(|way| PROGRAMS.map(|program| (way, program)));
    for ((until, opt), (name, flags)) in all {
        let subject = Subject::benchmark(name, flags);
        let found = subject.find(&["--until", until, "--opt", opt]);
        assert_eq!(found.status, Some(0), "{name} {flags:?}: {}{}", found.stdout, found.stderr);
        let certified = subject.certify();
        assert_eq!(certified.status, Some(0), "{name} {flags:?}: {}{}", certified.stdout, certified.stderr);
        let (events, status) = subject.keeps_to_schedule();
        assert!(events > 100 && status.is_none(), "{name} {flags:?}: {events} events, {status:?}");
    }
}

#[test]
fn every_thread_gets_its_turn() {
    let subject = Subject::benchmark("file-system-declared", &[]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    let schedule = subject.schedule();
    let again: Vec<&schedule::Section> = schedule.sections.iter().skip(1).collect();
    let acts = |thread: u32| again.iter().any(|section| !section.events(thread).is_empty());
    assert!((1..=3).all(acts), "{}", schedule.to_json());
}

#[test]
fn eight_threads_may_overtake_each_other() {
    let flags = ["-DPRODUCERS=4", "-DCONSUMERS=4", "-DSIZE=5"];
    let subject = Subject::benchmark("producer-consumer", &flags);
    let found = subject.find(&["--until", "2"]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    let choices = |section: &schedule::Section| match &section.next {
        Next::Race { choices } => choices.len(),
        _ => 0,
    };
    assert_eq!(subject.schedule().sections.iter().map(choices).max(), Some(4), "{}", found.stdout);
    let certified = subject.certify();
    assert_eq!(certified.status, Some(0), "{}{}", certified.stdout, certified.stderr);
    let (events, status) = subject.keeps_to_schedule();
    assert!(events > 8 && status.is_none(), "{events} events, {status:?}");
}

#[test]
fn the_second_schedule_permits_more() {
    let subject = Subject::benchmark("producer-consumer", &["-DPRODUCERS=2", "-DCONSUMERS=2"]);
    let found = subject.find(&["--until", "2"]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    let races = |section: &schedule::Section| matches!(section.next, Next::Race { .. });
    assert!(subject.schedule().sections.iter().any(races), "{}", found.stdout);
}

#[test]
fn faults_are_reported_and_not_permitted() {
    for text in [LOST_UPDATE, DEADLOCK] {
        let subject = Subject::new(text, &[]);
        let found = subject.find(&[]);
        assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
        assert!(found.stdout.contains("partially safe"), "{}", found.stdout);
        assert_eq!(subject.certify().status, Some(0));
        let (events, status) = subject.keeps_to_schedule();
        assert!(events > 0 && status == Some(0));
    }
}

#[test]
fn a_wait_on_a_condition_ends_when_the_schedule_says_so() {
    let subject = Subject::new(CONDITION, &[]);
    for strategy in ["round-robin", "lock-owner", "priorities=1,2", "priorities=2,1"] {
        let found = subject.find(&["--until", "first", "--strategy", strategy]);
        assert_eq!(found.status, Some(0), "{strategy}: {}{}", found.stdout, found.stderr);
        let certified = subject.certify();
        assert_eq!(certified.status, Some(0), "{strategy}: {}", certified.stdout);
        assert_eq!(subject.keeps_to_schedule().1, Some(0), "{strategy}");
    }
}

#[test]
fn so_does_one_within_a_function_of_the_library() {
    let c11 = Subject::named("prog.c", C11_CONDITION, &[]);
    let cxx = Subject::named("prog.cpp", CXX_CONDITION, &["-DWAIT=wait(lock)"]);
    let timed = ["-DWAIT=wait_for(lock, std::chrono::seconds(1))"];
    let timed = Subject::named("prog.cpp", CXX_CONDITION, &timed);
    let both =
        [&c11, &cxx].into_iter().flat_map(|subject| [(subject, "round-robin"), (subject, "lock-owner")]);
    for (subject, strategy) in both.chain([(&timed, "lock-owner")]) {
        let found = subject.find(&["--until", "first", "--strategy", strategy]);
        let (source, flags) = (&subject.source, &subject.flags);
        assert_eq!(found.status, Some(0), "{source} {flags:?} {strategy}: {}{}", found.stdout, found.stderr);
        let certified = subject.certify();
        assert_eq!(certified.status, Some(0), "{source} {flags:?} {strategy}: {}", certified.stdout);
        let (events, status) = subject.keeps_to_schedule();
        assert!(events > 0 && status == Some(0), "{source} {flags:?} {strategy}: {events} {status:?}");
    }
}

/// Two threads that count between their events, as far as an input says.
fn counting(statement: &str) -> String {
    format!(
        "#include <assert.h>
#include <pthread.h>
#include <threadproof.h>
int inside;
unsigned sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned count(unsigned n) {{
  unsigned s = 0, i = 0;
  {statement}
  return s;
}}
void *work(void *unused) {{
  while (1) {{
    unsigned n = count(tp_nondet_uint());
    pthread_mutex_lock(&m);
    inside++;
    assert(inside == 1);
    sum = n;
    inside--;
    pthread_mutex_unlock(&m);
  }}
  return unused;
}}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}}
"
    )
}

#[test]
fn loops_that_end_put_nobody_off() {
    for statement in ["for (; i < n; i++) s += i;", "for (; n >= 8; n -= 8) s++;"] {
        let subject = Subject::new(&counting(statement), &[]);
        let found = subject.find(&["--until", "first"]);
        assert_eq!(found.status, Some(0), "{statement}: {}{}", found.stdout, found.stderr);
        let certified = subject.certify();
        assert_eq!(certified.status, Some(0), "{statement}: {}{}", certified.stdout, certified.stderr);
    }
}

#[test]
fn loops_that_may_not_end_do() {
    for statement in [
        "for (; i != n; i += 2) s += i;",
        "for (; tp_nondet_uint() > i; i++) s += i;",
        "for (; i < n; i++) if (tp_nondet_int()) i--;",
        "for (; i < tp_nondet_uint(); n++) s++;",
    ] {
        let subject = Subject::new(&counting(statement), &[]);
        let found = subject.find(&["--until", "first"]);
        assert_eq!(found.status, Some(2), "{statement}: {}{}", found.stdout, found.stderr);
        assert!(found.stdout.contains("for ever"), "{statement}: {}", found.stdout);
    }
}

#[test]
fn what_is_safe_anyway_is_not_restricted() {
    let subject = Subject::new(SAFE, &[]);
    let found = subject.find(&[]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    assert!(found.stdout.starts_with("safe"), "{}", found.stdout);
    assert!(subject.schedule().sites.is_empty());
    let certified = subject.certify();
    assert_eq!(certified.status, Some(0), "{}", certified.stdout);
    assert_eq!(subject.build().status, Some(0));
}

#[test]
fn what_is_synchronised_by_a_schedule_stays_restricted() {
    for flags in [&[][..], &["-DSKIP"]] {
        let subject = Subject::benchmark("file-system-declared", flags);
        let found = subject.find(&[]);
        assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
        assert!(!found.stdout.starts_with("safe"), "{}", found.stdout);
        assert!(!subject.schedule().sites.is_empty());
    }
}

/// Runs threadproof where the program is.
fn run_there(subject: &Subject, words: &[&str]) -> common::Run {
    let folder = Path::new(&subject.source).parent().expect("it is in a folder");
    common::threadproof().args(words).current_dir(folder).output().expect("the program starts").into()
}

#[test]
fn run_finds_a_schedule_in_one_step() {
    let subject = Subject::new(LOST_UPDATE, &[]);
    for step in ["it is found", "it is there"] {
        let ran = run_there(&subject, &["run", "prog.c"]);
        assert_eq!(ran.status, Some(0), "{step}: {}{}", ran.stdout, ran.stderr);
        let certified = run_there(&subject, &["certify", "prog.c", "prog.schedule.json"]);
        assert_eq!(certified.status, Some(0), "{step}: {}{}", certified.stdout, certified.stderr);
    }
    let hopeless = Subject::new(HOPELESS, &[]);
    let ran = run_there(&hopeless, &["run", "prog.c"]);
    assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("no schedule avoids the fault"), "{}", ran.stdout);
}

/// A thread counts to the number of arguments, which the program ends with.
const ARGUMENTS: &str = "#include <pthread.h>
#include <string.h>
int count;
void *run(void *list) {
  for (char **next = (char **)list + 1; *next; next++) count += strlen(*next);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, run, argv);
  pthread_join(t, 0);
  return argc + count;
}
";

#[test]
fn a_program_with_other_arguments_than_proven_departs() {
    let subject = Subject::new(ARGUMENTS, &[]);
    let of_any = ["--max-args", "2", "--max-arg-length", "3"];
    for (options, fits, departs) in [
        (&["--args", "one two"][..], &[&["one", "two"][..]][..], &[&["one"][..], &["one", "too"]][..]),
        (&of_any, &[&[], &["a", "bcd"]], &[&["a", "b", "c"], &["long"]]),
    ] {
        let found = subject.find(&[&["--until", "first"], options].concat());
        assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
        assert_eq!(subject.certify().status, Some(0));
        assert_eq!(subject.build().status, Some(0));
        let natively = |words: &[&str]| -> common::Run {
            let output = Command::new(subject.scratch.path("prog")).args(words).output();
            output.expect("the program starts").into()
        };
        for words in fits {
            let letters: usize = words.iter().map(|word| word.len()).sum();
            let status = Some((1 + words.len() + letters) as i32);
            assert_eq!(natively(words).status, status, "{words:?}: {}", natively(words).stderr);
        }
        for words in departs {
            let ran = natively(words);
            assert_eq!(ran.status, None, "{words:?}");
            assert!(ran.stderr.contains("nothing is proven about these arguments"), "{}", ran.stderr);
        }
    }
}

#[test]
fn a_schedule_for_more_arguments_than_proven_is_rejected() {
    let subject = Subject::new(ARGUMENTS, &[]);
    assert_eq!(subject.find(&["--until", "first", "--args", "one"]).status, Some(0));
    let bytes = std::fs::read(subject.proof()).expect("a proof was written");
    let proof = ScheduleCertificate::parse(&bytes).expect("it is one");
    let changed = Schedule { arguments: None, ..subject.schedule() };
    let forged = ScheduleCertificate::new(&changed, proof.finer, proof.certificate);
    std::fs::write(subject.file(), changed.to_json()).expect("the file can be written");
    std::fs::write(subject.proof(), forged.to_json()).expect("the file can be written");
    let certified = subject.certify();
    assert_eq!(certified.status, Some(1), "{}", certified.stderr);
    assert!(certified.stdout.contains("other arguments"), "{}", certified.stdout);
}

#[test]
fn strategies_are_tried_in_turn_if_none_is_named() {
    let subject = Subject::benchmark("double-lock", &[]);
    for (options, expected) in [(&[][..], "round-robin"), (&["--strategy", "lock-owner"], "lock-owner")] {
        let found = subject.find(&[&["--until", "first", "--format", "json"], options].concat());
        assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
        assert!(found.stdout.contains(&format!("\"strategy\":\"{expected}\"")), "{}", found.stdout);
    }
}

#[test]
fn where_no_schedule_helps_there_is_none() {
    let subject = Subject::new(HOPELESS, &[]);
    let found = subject.find(&["--format", "json"]);
    assert_eq!(found.status, Some(1), "{}{}", found.stdout, found.stderr);
    assert!(found.stdout.contains("\"verdict\":\"unsafe\""), "{}", found.stdout);
    assert!(!Path::new(&subject.file()).exists());
}

#[test]
fn a_schedule_that_was_changed_is_refused() {
    let subject = Subject::benchmark("overflow", &[]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    let mut schedule = subject.schedule();
    let events = schedule.sections.iter_mut().flat_map(|section| &mut section.lanes);
    events.flat_map(|lane| &mut lane.events).for_each(|event| event.after.clear());
    std::fs::write(subject.file(), schedule.to_json()).expect("the file can be written");
    assert_eq!(subject.build().status, Some(3));
    assert_eq!(subject.certify().status, Some(1));
}

#[test]
fn a_schedule_that_permits_more_than_its_proof_is_rejected() {
    let subject = Subject::benchmark("overflow", &[]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    let original = subject.schedule();
    let bytes = std::fs::read(subject.proof()).expect("a proof was written");
    let proof = ScheduleCertificate::parse(&bytes).expect("it is one");
    let mut changes: Vec<(&str, Schedule)> = Vec::new();
    let mut free = original.clone();
    let lanes = free.sections.iter_mut().flat_map(|section| &mut section.lanes);
    lanes.flat_map(|lane| &mut lane.events).for_each(|event| event.after.clear());
    changes.push(("no order", free));
    let mut blind = original.clone();
    let last = blind.sites.len() - 1;
    blind.sites[last].site.ordinal += 1;
    changes.push(("another site", blind));
    let mut short = original.clone();
    short.sections.iter_mut().for_each(|section| section.next = Next::Exit);
    changes.push(("an early end", short));
    for (what, changed) in changes {
        let forged = ScheduleCertificate::new(&changed, proof.finer.clone(), proof.certificate.clone());
        std::fs::write(subject.file(), changed.to_json()).expect("the file can be written");
        std::fs::write(subject.proof(), forged.to_json()).expect("the file can be written");
        let certified = subject.certify();
        assert_eq!(certified.status, Some(1), "{what}: {}{}", certified.stdout, certified.stderr);
        let program = subject.scratch.path("prog");
        let built = run(&["build", &subject.source, "--schedule", &subject.file(), "-o", &program]);
        assert_eq!(built.status, Some(3), "{what}: {}", built.stderr);
        assert!(built.stderr.contains("rejected"), "{what}: {}", built.stderr);
    }
}

/// The lines of operations that a schedule leaves out.
fn omitted(subject: &Subject) -> Vec<u32> {
    subject.schedule().omitted.iter().map(|place| place.at.line).collect()
}

#[test]
fn redundant_locks_are_left_out() {
    let subject = Subject::benchmark("double-lock", &["-DDEADLOCK"]);
    assert_eq!(subject.find(&["--until", "first", "--opt", "0"]).status, Some(0));
    assert_eq!(omitted(&subject), [] as [u32; 0]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    assert_eq!(omitted(&subject).len(), 8, "{}", subject.schedule().to_json());
    let subject = Subject::benchmark("barrier", &[]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    assert_eq!(omitted(&subject).len(), 2, "{}", subject.schedule().to_json());
}

#[test]
fn locks_that_something_depends_on_are_kept() {
    // The mutex is given back by waits.
    let subject = Subject::new(CONDITION, &[]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    assert_eq!(omitted(&subject), [] as [u32; 0]);
    for (what, found) in [
        ("pthread_mutex_trylock(&m)", "trylock"),
        ("(pthread_mutex_lock(h), pthread_mutex_unlock(h))", "a lock on the heap"),
        ("pthread_barrier_wait(&b) != 0", "who is last at a barrier"),
    ] {
        let text = format!(
            "#include <pthread.h>
#include <stdlib.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, *h;
pthread_barrier_t b;
void *add(void *unused) {{
  int result = {what};
  if (result) x++;
  return unused;
}}
int main(void) {{
  pthread_t t, u;
  h = malloc(sizeof *h);
  if (!h) abort();
  pthread_mutex_init(h, 0);
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}}
"
        );
        let subject = Subject::new(&text, &[]);
        let told = subject.find(&["--until", "first"]);
        assert_eq!(told.status, Some(0), "{found}: {}{}", told.stdout, told.stderr);
        assert_eq!(omitted(&subject), [] as [u32; 0], "{found}");
        assert_eq!(subject.certify().status, Some(0), "{found}");
        assert_eq!(subject.keeps_to_schedule().1, Some(0), "{found}");
    }
}

#[test]
fn operations_that_are_not_redundant_must_not_be_left_out() {
    let subject = Subject::benchmark("double-lock", &[]);
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    let original = subject.schedule();
    let bytes = std::fs::read(subject.proof()).expect("a proof was written");
    let proof = ScheduleCertificate::parse(&bytes).expect("it is one");
    let mut fewer = original.clone();
    fewer.omitted.pop();
    let mut accesses = original.clone();
    // Part of an event of several instructions.
    let finer = proof.finer.as_ref().expect("the proof is about single instructions");
    let is_inside = |place: &&Place| !original.sites.contains(place) && !original.omitted.contains(place);
    accesses.omitted.push(finer.sites.iter().find(is_inside).expect("an access in an event").clone());
    let mut longer = original.clone();
    let events = longer.sections.iter_mut().flat_map(|section| &mut section.lanes);
    let untils = events.flat_map(|lane| &mut lane.events).filter_map(|event| event.until.as_mut());
    untils.for_each(|until| until.times += 1);
    for changed in [fewer, accesses, longer] {
        let forged = ScheduleCertificate::new(&changed, proof.finer.clone(), proof.certificate.clone());
        std::fs::write(subject.file(), changed.to_json()).expect("the file can be written");
        std::fs::write(subject.proof(), forged.to_json()).expect("the file can be written");
        let certified = subject.certify();
        assert_eq!(certified.status, Some(1), "{}{}", certified.stdout, certified.stderr);
    }
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let (subject, other) = (Subject::benchmark("overflow", &[]), Subject::benchmark("race", &[]));
    assert_eq!(subject.find(&["--until", "first"]).status, Some(0));
    std::fs::copy(subject.file(), other.file()).expect("the file can be copied");
    std::fs::copy(subject.proof(), other.proof()).expect("the file can be copied");
    assert_eq!(other.build().status, Some(3));
    assert_eq!(other.certify().status, Some(1));
}

#[test]
fn a_thread_is_held_where_the_process_ends_before_its_event() {
    let text = "#include <assert.h>
#include <pthread.h>
int x;
void *look(void *unused) {
  assert(x == 1);
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, look, 0);
  pthread_create(&u, 0, look, 0);
  return 0;
}
";
    let subject = Subject::new(text, &[]);
    let found = subject.find(&["--until", "first"]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    let schedule = subject.schedule();
    let at_line = |line: u32| schedule.sites.iter().any(|place| place.at.line == line);
    assert!(at_line(5), "{}", schedule.to_json());
    assert_eq!(subject.certify().status, Some(0));
    for _ in 0..5 {
        assert_eq!(subject.keeps_to_schedule().1, Some(0));
    }
}

#[test]
fn a_thread_is_held_at_its_first_event_if_nothing_else_is_one() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *look(void *unused) {
  assert(x == 1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  return 0;
}
";
    let subject = Subject::new(text, &[]);
    let found = subject.find(&["--until", "first"]);
    assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
    assert_eq!(subject.certify().status, Some(0));
    for _ in 0..5 {
        assert_eq!(subject.keeps_to_schedule().1, Some(0));
    }
}

/// What the machine copies in several steps, native code does in one; and an event may begin where
/// another one has just ended.
#[test]
fn copies_of_structures_are_one_event() {
    let text = "#include <assert.h>
#include <pthread.h>
struct pair { int a, b; } from, to;
int *cell;
void *copy(void *unused) {
  to = from;
  { int inner = 1; cell = &inner; inner++; }
  return unused;
}
void *set(void *unused) {
  from.b = 2;
  { int inner = 1; cell = &inner; inner++; }
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, copy, 0);
  pthread_create(&u, 0, set, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(to.b == 0 || to.b == 2);
  return 0;
}
";
    for opt in ["0", "1", "2"] {
        let subject = Subject::new(text, &[]);
        let found = subject.find(&["--until", "2", "--opt", opt]);
        assert_eq!(found.status, Some(0), "{}{}", found.stdout, found.stderr);
        assert_eq!(subject.certify().status, Some(0));
        for _ in 0..5 {
            assert_eq!(subject.keeps_to_schedule().1, Some(0));
        }
    }
}
