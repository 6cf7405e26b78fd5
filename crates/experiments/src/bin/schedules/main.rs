//! The experiment of Metzler, Suri and Weissenbacher, "Extracting safe thread schedules from
//! incomplete model checking results": Table 1 (`rates`), Table 2 (`grep`), and programs that go
//! wrong without a schedule (`faults`).
//!
//! `cargo run -p experiments --bin schedules -- target/debug/threadproof`
//!
//! Unconstrained programs are built in the same way, under a schedule that has no events.

mod bench;
mod faults;
mod grep;
mod rates;

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Prints the tables.
#[derive(Parser)]
struct Args {
    /// The program `threadproof`
    threadproof: PathBuf,
    /// What to print
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Part::Table1, Part::Table2, Part::Faults])]
    part: Vec<Part>,
    /// The optimisations to compare in Table 1
    #[arg(long, value_delimiter = ',', default_values_t = [0, 1, 2])]
    opt: Vec<u32>,
    /// How often each native program runs; the median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Only the programs whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// How long complete verification may take, in seconds; 0 leaves it out
    #[arg(long, default_value_t = 60)]
    complete: u32,
    /// The size of each of the eight files of Table 2
    #[arg(long, default_value_t = 100)]
    megabytes: usize,
    /// How many rounds programs make that go wrong without a schedule
    #[arg(long, default_value_t = 10_000_000)]
    rounds: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Useful rounds in two seconds
    Table1,
    /// The overhead of a parallel grep
    Table2,
    /// Programs that go wrong without a schedule
    Faults,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load at the beginning: {}", load.trim());
    let folder = tempfile::tempdir()?;
    let bench = bench::Bench { threadproof: &args.threadproof, folder: folder.path() };
    for part in &args.part {
        println!();
        match part {
            Part::Table1 => rates::print(&bench, &args)?,
            Part::Table2 => grep::print(&bench, &args)?,
            Part::Faults => faults::print(&bench, &args)?,
        }
    }
    Ok(())
}
