//! Searches that are killed at random moments and resumed: how many of them end with
//! the verdict, the counts and the counterexample of one that was not interrupted.
//!
//! `cargo run --release -p experiments --bin kills -- target/release/threadproof prog.c --kills 100`

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::Value;

/// How many times one search is killed before it may finish.
const KILLS_OF_A_SEARCH: u32 = 5;

/// Kills searches and resumes them.
#[derive(Parser)]
struct Args {
    /// The program `threadproof`
    threadproof: PathBuf,
    /// The program that is checked
    program: PathBuf,
    /// How many kills there are in all
    #[arg(long, default_value_t = 100)]
    kills: u32,
    /// What to check
    #[arg(long, default_value = "assert")]
    property: String,
    /// Which engine searches
    #[arg(long, default_value = "explicit")]
    engine: String,
    /// Where the random moments come from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Flags for clang
    #[arg(last = true)]
    flags: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = tempfile::tempdir()?;
    let start = Instant::now();
    let whole = essence(&args.command(&[]).output()?)?;
    let longest = start.elapsed();
    println!(
        "not interrupted: {} after {:.2} s, {}",
        whole["verdict"],
        longest.as_secs_f64(),
        whole["stats"]
    );
    let mut moments = fastrand::Rng::with_seed(args.seed);
    let (mut kills, mut searches, mut same) = (0, 0, 0);
    while kills < args.kills {
        let kept = folder.path().join(searches.to_string());
        let most = KILLS_OF_A_SEARCH.min(args.kills - kills);
        kills += args.kill(&kept, most, || longest.mul_f64(moments.f64()))?;
        let output = args.resumed(&kept).output()?;
        same += u32::from(essence(&output)? == whole);
        searches += 1;
    }
    println!(
        "{kills} kills in {searches} searches, {same} of which ended as the one that was not interrupted"
    );
    ensure!(same == searches, "a search that was interrupted ended differently");
    Ok(())
}

impl Args {
    fn command(&self, options: &[&std::ffi::OsStr]) -> Command {
        let mut command = Command::new(&self.threadproof);
        command.args(["check", "--engine", &self.engine, "--format", "json", "--property", &self.property]);
        // Several workers on one tree of executions take some steps more often.
        command.args((self.engine == "stateless").then_some(["--threads", "1"]).into_iter().flatten());
        command.args(options).arg(&self.program).arg("--").args(&self.flags);
        command
    }

    /// A search that goes on where the last one was killed, if that left a checkpoint.
    fn resumed(&self, kept: &Path) -> Command {
        let mut options = vec!["--every".as_ref(), "0s".as_ref(), "--checkpoint".as_ref(), kept.as_os_str()];
        if kept.join("search.checkpoint").exists() {
            options.extend(["--resume".as_ref(), kept.as_os_str()]);
        }
        self.command(&options)
    }

    /// Kills one search up to so many times, each time after a while; yields how many
    /// times that was before it ended.
    fn kill(&self, kept: &Path, most: u32, mut after: impl FnMut() -> Duration) -> anyhow::Result<u32> {
        for kills in 0..most {
            let mut child = self.resumed(kept).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            std::thread::sleep(after());
            if child.try_wait()?.is_some() {
                return Ok(kills);
            }
            child.kill()?;
            child.wait()?;
        }
        Ok(most)
    }
}

/// What must not depend on interruptions.
fn essence(output: &Output) -> anyhow::Result<Value> {
    let report: Value = serde_json::from_slice(&output.stdout).context("no report")?;
    let mut essence = serde_json::Map::new();
    for part in ["verdict", "interleaving"] {
        essence.insert(part.to_owned(), report[part].clone());
    }
    let counts = ["states", "executions", "transitions", "final_states", "layers", "states_per_layer"];
    let counts = counts.map(|name| (name.to_owned(), report["stats"][name].clone()));
    essence.insert("stats".to_owned(), counts.into_iter().collect());
    Ok(Value::Object(essence))
}
