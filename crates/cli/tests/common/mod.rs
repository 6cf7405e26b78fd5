//! Running the real program on files of a scratch directory.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// Too many states to visit within any test's patience.
pub const LARGE: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_uint x[4];
void *spin(void *arg) {
  for (;;) atomic_fetch_add_explicit((atomic_uint *)arg, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 4; i++) pthread_create(&t, 0, spin, &x[i]);
  pthread_join(t, 0);
  return 0;
}
";

/// Two increments of which one may be lost.
pub const LOST_UPDATE: &str = "#include <assert.h>
#include <pthread.h>
int x;
void *add(void *unused) {
  x++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  x++;
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
";

/// Two locks that are taken in both orders.
pub const DEADLOCK: &str = "#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *run(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
";

/// What a run of the program gave.
#[derive(Debug)]
pub struct Run {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The program, ready to be given arguments; its cache is in the temporary
/// directory.
pub fn threadproof() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_threadproof"));
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs the program.
pub fn run(args: &[&str]) -> Run {
    threadproof().args(args).output().expect("the program starts").into()
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A directory that is removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("scratch-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("the scratch directory can be made");
        Scratch(path)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, contents: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("the file can be written");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
