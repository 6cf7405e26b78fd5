//! Runs a suite of programs that others wrote, with the verdicts they expect,
//! and prints what differs.
//!
//! `cargo run --release -p experiments --bin suites -- FORMAT FOLDER [--timeout 10]`
//!
//! One file for each format says how a folder of that kind names its tasks and
//! what is expected of them. A task is checked by the program `threadproof`
//! itself, as a user would run it. What is expected was written for another
//! tool, with its own bounds and its own reading of the standard: each
//! difference has to be looked at.

mod competition;
mod esbmc;
mod genmc;
mod goblint;
mod names;
mod run;
mod task;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::bail;
use clap::{Parser, ValueEnum};

use run::{Answer, Runner};
use task::Task;

/// Runs the programs of a folder and compares the verdicts with what is expected.
#[derive(Parser)]
struct Args {
    /// How the folder says what is expected
    format: Format,

    /// The folder
    folder: PathBuf,

    /// Seconds for each task
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,

    /// Tasks that are run at the same time
    #[arg(long, default_value_t = 2)]
    jobs: usize,

    /// The program to run; the one beside this program if absent
    #[arg(long)]
    threadproof: Option<PathBuf>,

    /// Only tasks whose name contains this
    #[arg(long, default_value = "")]
    only: String,

    /// Of so many tasks take one, evenly spread
    #[arg(long, default_value_t = 1)]
    every: usize,

    /// A flag for the compiler, for every task (several may be given)
    #[arg(long, allow_hyphen_values = true)]
    flag: Vec<String>,

    /// Print the tasks that got their verdict, too
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Task definitions of the software verification competition (`.yml`)
    Competition,
    /// Regression tests of ESBMC (`test.desc`)
    Esbmc,
    /// Tests of GenMC (`variants/`, below `correct` and `wrong`)
    Genmc,
    /// Regression tests of Goblint (`RACE` and `NORACE` in comments)
    Goblint,
    /// Programs whose names end in `_bad`, `_sat`, `_ok` or `_unsat`
    Names,
}

impl Format {
    fn tasks(self, folder: &std::path::Path) -> anyhow::Result<Vec<Task>> {
        match self {
            Format::Competition => competition::tasks(folder),
            Format::Esbmc => esbmc::tasks(folder),
            Format::Genmc => genmc::tasks(folder),
            Format::Goblint => goblint::tasks(folder),
            Format::Names => names::tasks(folder),
        }
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut tasks = args.format.tasks(&args.folder)?;
    tasks.retain(|task| task.name.contains(&args.only));
    tasks.iter_mut().for_each(|task| task.flags.extend_from_slice(&args.flag));
    tasks.sort_by(|a, b| a.name.cmp(&b.name));
    let tasks: Vec<Task> = tasks.into_iter().step_by(args.every.max(1)).collect();
    if tasks.is_empty() {
        bail!("{} holds no task of this format", args.folder.display());
    }
    let runner = Runner::new(args.threadproof.clone(), args.timeout)?;
    let answers = run_all(&runner, &tasks, &args);
    summarise(&answers);
    Ok(())
}

/// Runs the tasks, some at a time, and prints each that differs as it ends.
fn run_all(runner: &Runner, tasks: &[Task], args: &Args) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let answer = runner.run(task);
                    if args.all || !matches!(answer, Answer::Right) {
                        println!("{}", answer.line(task));
                    }
                    answers.lock().expect("no thread panics").push(answer);
                }
            });
        }
    });
    answers.into_inner().expect("no thread panics")
}

fn summarise(answers: &[Answer]) {
    let count = |of: fn(&Answer) -> bool| answers.iter().filter(|answer| of(answer)).count();
    println!(
        "{} tasks: {} right, {} wrong, {} unknown, {} errors",
        answers.len(),
        count(|answer| matches!(answer, Answer::Right)),
        count(|answer| matches!(answer, Answer::Wrong(_))),
        count(|answer| matches!(answer, Answer::Unknown(_))),
        count(|answer| matches!(answer, Answer::Error(_))),
    );
}
