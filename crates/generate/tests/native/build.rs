//! Compiling a program and running it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::{Disagreement, write};

/// How a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// As it stands.
    Plain,
    /// As the optimiser likes it.
    Optimised,
    /// With the thread sanitizer.
    Threads,
    /// With the sanitizers of addresses and of undefined behaviour.
    Addresses,
}

impl Build {
    /// Those that are to be tried on a program: they take turns.
    pub fn for_program(seed: u64, source: &str) -> Vec<Build> {
        if source.contains("__VERIFIER_atomic_begin()") {
            return Vec::new();
        }
        let others = [Build::Threads, Build::Addresses, Build::Optimised];
        let other = others[(seed % 3) as usize];
        // The thread sanitizer does not know fences.
        let fits = other != Build::Threads || !source.contains("atomic_thread_fence(");
        let other = Some(other).filter(|build| fits && build.is_available());
        [Build::Plain].into_iter().chain(other).collect()
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Plain => &["-O0", "-fwrapv"],
            Build::Optimised => &["-O2"],
            Build::Threads => &["-O1", "-fsanitize=thread"],
            Build::Addresses => &["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        }
    }

    /// Whether the compiler can link such a program: the sanitizers' libraries
    /// are packages of their own.
    fn is_available(self) -> bool {
        static AVAILABLE: OnceLock<Vec<Build>> = OnceLock::new();
        let all = [Build::Plain, Build::Optimised, Build::Threads, Build::Addresses];
        let works = |build: &Build| build.compile("int main(void) { return 0; }").is_ok();
        AVAILABLE.get_or_init(|| all.into_iter().filter(works).collect()).contains(&self)
    }

    /// Compiles a source with the harness.
    fn compile(self, source: &str) -> Result<(tempfile::TempDir, PathBuf), String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = write(folder.path(), source).map_err(|e| e.to_string())?;
        let (object, binary) = (folder.path().join("test.o"), folder.path().join("test"));
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
        let mut compiler = Command::new("clang-19");
        compiler.args(self.flags()).args(["-w", "-pthread", "-Dmain=generated_main"]);
        compiler.args(["-fsanitize-coverage=trace-loads,trace-stores", "-include"]);
        clang(compiler.arg(here.join("native.h")).arg("-c").arg(&path).arg("-o").arg(&object))?;
        let mut linker = Command::new("clang-19");
        linker.args(self.flags()).args(["-pthread"]);
        clang(linker.arg(harness()?).arg(&object).arg("-o").arg(&binary))?;
        Ok((folder, binary))
    }

    /// How often each outcome was seen.
    pub fn outcomes(
        self,
        source: &str,
        runs: usize,
        seed: u64,
        limit: Duration,
    ) -> Result<BTreeMap<String, usize>, Disagreement> {
        let failed = |message: String| Disagreement { kind: "native build".to_owned(), message };
        let (_folder, binary) = self.compile(source).map_err(failed)?;
        let mut command = Command::new(binary);
        command.args([runs.to_string(), seed.to_string(), limit.as_millis().to_string()]);
        command.env(
            "TSAN_OPTIONS",
            "symbolize=0 detect_deadlocks=0 report_mutex_bugs=0 report_signal_unsafe=0 \
            report_thread_leaks=0 report_destroy_locked=0 exitcode=0",
        );
        command.env("ASAN_OPTIONS", "symbolize=0 detect_leaks=0 detect_stack_use_after_return=1");
        command.env("UBSAN_OPTIONS", "symbolize=0 print_stacktrace=0");
        let output = command.output().map_err(|e| failed(e.to_string()))?;
        let mut outcomes = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            *outcomes.entry(line.to_owned()).or_default() += 1;
        }
        Ok(outcomes)
    }
}

/// The compiled harness, for all programs of this process.
fn harness() -> Result<&'static Path, String> {
    static HARNESS: OnceLock<Result<(tempfile::TempDir, PathBuf), String>> = OnceLock::new();
    let compile = || {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let object = folder.path().join("harness.o");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/harness.c");
        clang(Command::new("clang-19").args(["-O1", "-pthread", "-c"]).arg(source).arg("-o").arg(&object))?;
        Ok((folder, object))
    };
    HARNESS.get_or_init(compile).as_ref().map(|(_, path)| path.as_path()).map_err(Clone::clone)
}

fn clang(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
