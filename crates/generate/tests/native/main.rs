//! Generated programs as the machine has them, and as the processor does.
//!
//! Each program is enumerated, which says what it can do; then it is compiled
//! and runs many times under random schedules. Every outcome must be one that
//! the enumeration knows: a number that `main` returns, made from the shared
//! variables, a failed assertion, a run that does not end. A program may crash,
//! and a sanitizer may complain, only if the properties that stand for this
//! are violated.
//!
//! `THREADPROOF_SEEDS=1000..9000` runs those seeds instead of the usual ones,
//! `THREADPROOF_RUNS=1000` runs each program more often.

mod allowed;
mod build;
#[path = "../common/mod.rs"]
mod common;
mod judge;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use generate::{Group, Shape, Test};

use allowed::Allowed;
use build::Build;
use common::{Count, Disagreement, Usual, load, run};

/// What an ordinary test run compares.
const USUAL: Usual = Usual { seeds: 0..200, time: Duration::from_secs(15) };

/// Groups that an ordinary run leaves out. Atomic sections have no native
/// counterpart.
const LEFT_OUT: [Group; 1] = [Group::Sections];

#[test]
fn what_happens_natively_is_allowed() {
    let tally = run(&USUAL, compare, shape);
    assert!(tally.outcomes > 0, "nothing was compared");
}

/// Few groups.
fn shape(seed: u64) -> Shape {
    let native: Vec<Group> = Group::all().filter(|group| !LEFT_OUT.contains(group)).collect();
    let pick = |n: u64| native[n as usize % native.len()];
    let groups = vec![pick(seed), pick(seed / 7), pick(seed.wrapping_mul(0x9e37_79b9) >> 8)];
    Shape { threads: (1, 2), operations: (2, 5), groups }
}

fn runs() -> usize {
    std::env::var("THREADPROOF_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let source = test.observed();
    let program = Arc::new(load(&source)?);
    let mut tally = Tally { programs: 1, ..Tally::default() };
    let Some(allowed) = Allowed::of(&program) else {
        return Ok(Tally { too_large: 1, ..tally });
    };
    for build in Build::for_program(test.seed, &source) {
        let limit = if allowed.may_hang() { Duration::from_millis(100) } else { Duration::from_secs(5) };
        let outcomes = build.outcomes(&source, runs(), test.seed, limit)?;
        tally.runs += outcomes.values().sum::<usize>();
        tally.outcomes += outcomes.len();
        for outcome in outcomes.keys() {
            judge::judge(outcome, build, &allowed)?;
        }
        tally.unseen += allowed.exits.iter().filter(|n| !outcomes.contains_key(&format!("exit {n}"))).count();
    }
    tally.exits += allowed.exits.len();
    Ok(tally)
}

/// What was compared.
#[derive(Default)]
struct Tally {
    programs: usize,
    too_large: usize,
    runs: usize,
    /// Different outcomes of builds, summed up.
    outcomes: usize,
    /// Numbers that programs can return, and those that builds did not.
    exits: usize,
    unseen: usize,
}

impl Count for Tally {
    fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.too_large += other.too_large;
        self.runs += other.runs;
        self.outcomes += other.outcomes;
        self.exits += other.exits;
        self.unseen += other.unseen;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} of them too large", self.programs, self.too_large)?;
        writeln!(f, "{} native runs, {} different outcomes of builds", self.runs, self.outcomes)?;
        write!(f, "{} results are allowed; builds did not show one {} times", self.exits, self.unseen)
    }
}
