//! Running a comparison on the programs of many seeds.

use std::fmt::Display;
use std::panic::{RefUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use generate::{Group, Shape, Test, shrink, sketch};
use ir::Program;

/// How long a program may be made smaller.
const SHRINK_TIME: Duration = Duration::from_secs(120);

/// What two searches do not agree on.
pub struct Disagreement {
    /// On what: while a program is made smaller, this stays.
    pub kind: String,
    pub message: String,
}

/// What was compared.
pub trait Count: Default + Display + Send {
    fn add(&mut self, other: &Self);
}

/// A comparison on one program.
pub trait Compare<C>: Fn(&Test) -> Result<C, Disagreement> + Sync + RefUnwindSafe {}

impl<C, F: Fn(&Test) -> Result<C, Disagreement> + Sync + RefUnwindSafe> Compare<C> for F {}

/// The seeds of an ordinary test run, and how long it goes on to new ones.
#[derive(Clone)]
pub struct Usual {
    pub seeds: std::ops::Range<u64>,
    pub time: Duration,
}

/// Compares on the programs of all seeds.
pub fn run<C: Count>(usual: &Usual, compare: impl Compare<C>, shape: impl Fn(u64) -> Shape + Sync) -> C {
    let given = chosen_seeds();
    let (seeds, time) = given.map_or((usual.seeds.clone(), usual.time), |seeds| (seeds, Duration::MAX));
    let next = AtomicU64::new(seeds.start);
    let start = Instant::now();
    let results = Mutex::new((C::default(), Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end || start.elapsed() >= time {
                break;
            }
            let test = sketch(seed, &chosen_groups(shape(seed)));
            let result = compare_safely(&compare, &test);
            let mut results = results.lock().unwrap();
            match result {
                Ok(count) => results.0.add(&count),
                Err(disagreement) => {
                    // At once: a long run may be watched.
                    eprintln!("seed {seed}: {}", disagreement.message);
                    results.1.push((test, disagreement));
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let (count, disagreements) = results.into_inner().unwrap();
    println!("{count}");
    let smallest = disagreements.into_iter().min_by_key(|(test, _)| test.to_string().len());
    if let Some((test, disagreement)) = smallest {
        panic!("{}", report(&compare, &test, &disagreement));
    }
    count
}

/// A panic is a disagreement too.
fn compare_safely<C>(compare: &impl Compare<C>, test: &Test) -> Result<C, Disagreement> {
    catch_unwind(|| compare(test)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        let message = text.unwrap_or_else(|| "a panic".to_owned());
        Err(Disagreement { kind: "panic".to_owned(), message })
    })
}

/// The seeds that `THREADPROOF_SEEDS` names, if it does.
pub fn chosen_seeds() -> Option<std::ops::Range<u64>> {
    let text = std::env::var("THREADPROOF_SEEDS").ok()?;
    let number = |s: &str| s.parse().expect("THREADPROOF_SEEDS is a seed or a range a..b");
    Some(match text.split_once("..") {
        Some((start, end)) => number(start)..number(end),
        None => number(&text)..number(&text) + 1,
    })
}

/// The shape with the groups that `THREADPROOF_GROUPS` names, if it does.
fn chosen_groups(shape: Shape) -> Shape {
    let Ok(text) = std::env::var("THREADPROOF_GROUPS") else { return shape };
    let named = |name: &str| Group::all().find(|group| format!("{group:?}") == name);
    let groups = text.split(',').map(|name| named(name).expect("THREADPROOF_GROUPS names groups")).collect();
    Shape { groups, ..shape }
}

/// What is wrong, with the smallest program that shows something of the kind.
fn report<C>(compare: &impl Compare<C>, test: &Test, disagreement: &Disagreement) -> String {
    let start = Instant::now();
    let small = shrink(test, |candidate| {
        start.elapsed() < SHRINK_TIME
            && compare_safely(compare, candidate).is_err_and(|other| other.kind == disagreement.kind)
    });
    let about =
        compare_safely(compare, &small).map_or_else(|d| d.message, |_| "it comes and goes".to_owned());
    format!(
        "seed {}: {}\nMade smaller, {about}:\n\n{small}\nThe original:\n\n{test}",
        test.seed, disagreement.message
    )
}

/// Loads a C source through the front end.
pub fn load(source: &str) -> Result<Program, Disagreement> {
    let failed = |message: String| Disagreement { kind: "does not load".to_owned(), message };
    let dir = tempfile::tempdir().map_err(|e| failed(e.to_string()))?;
    let path = write(dir.path(), source).map_err(|e| failed(e.to_string()))?;
    frontend::load(&[path], &frontend::Options::default()).map_err(|e| failed(e.to_string()))
}

/// Writes a source file into a folder.
pub fn write(folder: &Path, source: &str) -> std::io::Result<std::path::PathBuf> {
    let path = folder.join("test.c");
    std::fs::write(&path, source)?;
    Ok(path)
}
