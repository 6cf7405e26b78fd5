//! Files for tables that are larger than memory.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use explicit::Spill;

/// Options of searches whose tables are larger than memory.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Long searches")]
pub struct SpillArgs {
    /// Keep the tables of states in files in this folder, so that they can be larger than memory; the files
    /// are gone when the search ends. The limit of memory then counts what is in no file. Only with
    /// `--engine explicit`
    #[arg(long, value_name = "DIR")]
    pub spill: Option<PathBuf>,
}

impl SpillArgs {
    /// Refuses a folder in which no file can be made.
    pub fn check(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.spill else { return Ok(()) };
        fs::create_dir_all(folder)
            .and_then(|()| unnamed(folder))
            .with_context(|| format!("cannot keep tables in the folder {}", folder.display()))
            .map(drop)
    }

    /// Where tables go, if a folder is named.
    pub fn spill(&self) -> Option<Arc<Spill>> {
        let folder = self.spill.clone()?;
        Some(Arc::new(Spill::new(move || unnamed(&folder))))
    }
}

/// A new file without a name: it is gone when nothing uses it any more, also if the
/// process is killed.
fn unnamed(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("threadproof-{}-{number}.table", std::process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
