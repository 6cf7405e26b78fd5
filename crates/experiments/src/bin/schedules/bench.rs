//! Finding schedules, and building native programs that are held to them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

/// A program of `benchmarks/schedules` with its macros.
#[derive(Clone, Copy)]
pub struct Program {
    /// The file.
    pub file: &'static str,
    /// What clang is told.
    pub flags: &'static [&'static str],
    /// Options of threadproof.
    pub options: &'static [&'static str],
}

impl Program {
    /// A program without options.
    pub const fn new(file: &'static str, flags: &'static [&'static str]) -> Program {
        Program { file, flags, options: &[] }
    }

    /// Where it is.
    pub fn source(&self) -> PathBuf {
        experiments::benchmarks("schedules").join(self.file)
    }
}

/// What is needed to build programs.
pub struct Bench<'a> {
    /// The program `threadproof`.
    pub threadproof: &'a Path,
    /// Where files are written.
    pub folder: &'a Path,
}

impl Bench<'_> {
    /// Compiles a file of the benchmarks to an object that is linked to native programs and is no
    /// part of what is verified.
    pub fn object(&self, file: &str, flags: &[&str], name: &str) -> anyhow::Result<PathBuf> {
        let (source, object) = (experiments::benchmarks("schedules").join(file), self.folder.join(name));
        let mut clang = Command::new("clang-19");
        clang.args(["-O2", "-c"]).args(flags).arg(source).arg("-o").arg(&object);
        ensure!(clang.status().context("cannot run clang-19")?.success(), "{file} cannot be compiled");
        Ok(object)
    }

    /// The file of the schedule that was written last.
    pub fn schedule(&self) -> PathBuf {
        self.folder.join("schedule.json")
    }

    /// Looks for a schedule; yields the seconds to the first one.
    pub fn find(&self, program: Program, options: &[&str]) -> anyhow::Result<f64> {
        let mut command = Command::new(self.threadproof);
        command.arg("schedule").args(options).args(program.options);
        command.args(["--format", "json", "-o"]).arg(self.schedule());
        let output = command.arg(program.source()).arg("--").args(program.flags).output()?;
        let told: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let reason = || format!("no schedule: {}", told["reason"].as_str().unwrap_or("no reason is told"));
        told["seconds_to_first"].as_f64().with_context(reason)
    }

    /// Writes a schedule that restricts nothing.
    pub fn free(&self, program: Program) -> anyhow::Result<()> {
        let mut command = Command::new(self.threadproof);
        command.args(["dump", "--sites"]).args(program.options).arg(program.source());
        let output = command.arg("--").args(program.flags).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let first = text.lines().next().and_then(|line| line.strip_prefix("program "));
        let free = serde_json::json!({
            "format": schedule::FORMAT, "tool": "", "program": first.context("no fingerprint")?,
            "sites": [], "start": 0, "sections": [{ "lanes": [], "next": "exit" }],
        });
        // A proof that is beside it would be that of another one.
        let _ = std::fs::remove_file(self.schedule().with_extension("proof.json"));
        Ok(std::fs::write(self.schedule(), free.to_string())?)
    }

    /// Builds the native program under the schedule that was written last.
    pub fn build(&self, program: Program, object: &Path) -> anyhow::Result<PathBuf> {
        let native = self.folder.join("program");
        let mut build = Command::new(self.threadproof);
        build.arg("build").args(program.options).arg(program.source());
        build.arg("--schedule").arg(self.schedule()).arg("--trust").arg("-o").arg(&native);
        let built = build.arg("--").args(program.flags).arg(format!("-Wl,{}", object.display())).output()?;
        ensure!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Ok(native)
    }
}

/// The middle one of some numbers.
pub fn median<T: PartialOrd + Copy>(mut numbers: Vec<T>) -> T {
    numbers.sort_by(|a, b| a.partial_cmp(b).expect("numbers can be compared"));
    numbers[numbers.len() / 2]
}
