//! Checkpoints as files.
//!
//! A checkpoint is one file in the folder that the user names. It is written under a
//! temporary name, synced and renamed, so that there is always a whole one, whenever
//! the process dies. It begins with a line that says what it belongs to and ends with
//! a checksum. One that is damaged, or belongs to another program, to other options or
//! to another build of the tool, is refused: what is encoded is the tool's own data.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use certify::program_hash;
use engine::Checkpoints;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::args::{CheckArgs, OutputArgs};
use crate::processes::ProcessArgs;
use crate::spill::SpillArgs;
use crate::units;

/// The version of the file's frame.
const FORMAT: u32 = 1;

/// The file in the folder.
const FILE: &str = "search.checkpoint";

/// The bytes of a checksum.
const DIGEST: u64 = 32;

/// Options of searches that survive their process.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Long searches")]
pub struct CheckpointArgs {
    /// Write what is needed to go on into this folder now and then, so that a search survives the end of
    /// its process. Only with `--engine explicit` and its searches `csdr` and `bfs`, and with
    /// `--engine stateless` and its searches `optimal` and `dfs`
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,

    /// How much time passes between two checkpoints: seconds, or 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10m")]
    pub every: Duration,

    /// Go on from the checkpoint in this folder, and write later ones there unless --checkpoint names
    /// another one. The program, the options and the build of threadproof must be the same; limits,
    /// threads and the form of the report may differ
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,

    #[arg(skip)]
    files: Arc<OnceLock<Arc<Files>>>,
}

impl CheckpointArgs {
    /// Whether checkpoints are written or read.
    pub fn is_used(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }

    /// Whether there is one search, of an engine that is named, to write down.
    pub fn check(&self, args: &CheckArgs) -> anyhow::Result<()> {
        let named = args.engine.is_some();
        ensure!(named, "checkpoints are of one engine: add --engine explicit or --engine stateless");
        ensure!(!args.keep_going, "checkpoints are of one search: leave out --keep-going");
        Ok(())
    }

    /// Finds the folder and the checkpoint to go on from, once the program is known.
    pub fn open(&self, args: &CheckArgs, program: &ir::Program) -> anyhow::Result<()> {
        let Some(folder) = self.checkpoint.as_ref().or(self.resume.as_ref()) else { return Ok(()) };
        let belongs = Belongs::to(args, program)?;
        let resumed = self.resume.as_ref().map(|folder| read(&folder.join(FILE), &belongs)).transpose()?;
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let files = Files {
            path: folder.join(FILE),
            belongs,
            every: self.every,
            last: Mutex::new(Instant::now()),
            resumed: Mutex::new(resumed),
            failed: Mutex::default(),
        };
        let _ = self.files.set(Arc::new(files));
        Ok(())
    }

    /// Where the engine leaves its checkpoints, once the folder is known.
    pub fn checkpoints(&self) -> Option<Box<dyn Checkpoints>> {
        self.files.get().map(|files| Box::new(Shared(Arc::clone(files))) as Box<dyn Checkpoints>)
    }

    /// Why the last checkpoint could not be written, if so.
    pub fn warning(&self) -> Option<String> {
        let files = self.files.get()?;
        let error = lock(&files.failed).take()?;
        Some(format!("the checkpoint {} could not be written: {error}", files.path.display()))
    }
}

/// What a checkpoint belongs to, or one of several processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Belongs {
    checkpoint: u32,
    /// Hashes of the tool, of the program as it is after loading, and of all options
    /// that decide what the search does.
    build: String,
    program: String,
    options: String,
}

impl Belongs {
    /// The search to be made with these arguments.
    pub fn to(args: &CheckArgs, program: &ir::Program) -> anyhow::Result<Belongs> {
        let tool = std::env::current_exe().and_then(fs::read).context("cannot read my own program file")?;
        Ok(Belongs {
            checkpoint: FORMAT,
            build: hash(&tool),
            program: program_hash(program),
            options: hash(deciding(args).as_bytes()),
        })
    }

    /// What must be the same in all processes of a search.
    pub fn identity(&self) -> distributed::Identity {
        let of = |what, hash: &String| (what, Sha256::digest(hash.as_bytes()).into());
        vec![
            of("build of threadproof", &self.build),
            of("program", &self.program),
            of("set of options", &self.options),
        ]
    }

    /// Why a checkpoint of another search is refused.
    fn differs(&self, other: &Belongs) -> Option<&'static str> {
        match () {
            _ if self.checkpoint != other.checkpoint || self.build != other.build => {
                Some("it was written by another build of threadproof")
            }
            _ if self.program != other.program => Some("it belongs to another program"),
            _ if self.options != other.options => Some("it belongs to a search with other options"),
            _ => None,
        }
    }
}

/// The options that decide what a search does.
fn deciding(args: &CheckArgs) -> String {
    let mut args = args.clone();
    args.engines.checkpoint = CheckpointArgs::default();
    args.engines.processes = ProcessArgs::default();
    args.engines.spill = SpillArgs::default();
    args.output = OutputArgs::default();
    (args.timeout, args.memory_limit, args.state_limit, args.threads) = (None, None, None, None);
    (args.trace, args.lcov, args.coverage, args.explain) = (None, None, false, false);
    format!("{args:?}")
}

fn hash(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// The file that holds the last checkpoint.
#[derive(Debug)]
struct Files {
    path: PathBuf,
    belongs: Belongs,
    every: Duration,
    last: Mutex<Instant>,
    resumed: Mutex<Option<io::Take<BufReader<File>>>>,
    failed: Mutex<Option<io::Error>>,
}

struct Shared(Arc<Files>);

impl Checkpoints for Shared {
    fn is_due(&self) -> bool {
        lock(&self.0.last).elapsed() >= self.0.every
    }

    fn save(&self, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let written = write(&self.0.path, &self.0.belongs, content);
        *lock(&self.0.failed) = written.err();
        // A checkpoint that takes long to write must not take all the time.
        *lock(&self.0.last) = Instant::now();
    }

    fn resume(&self) -> Option<Box<dyn Read>> {
        let content = lock(&self.0.resumed).take()?;
        Some(Box::new(content))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A writer that computes the checksum of what it passes on.
struct Summed<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Replaces the checkpoint at a path.
fn write(
    path: &Path,
    belongs: &Belongs,
    content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let summed = Summed { out: File::create(&temporary)?, digest: Sha256::new() };
    let mut out = BufWriter::with_capacity(1 << 20, summed);
    serde_json::to_writer(&mut out, belongs)?;
    out.write_all(b"\n")?;
    content(&mut out)?;
    let Summed { out: mut file, digest } = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.write_all(&digest.finalize())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    // The new name must survive as well.
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// Opens a checkpoint that belongs to this search, at its content.
fn read(path: &Path, belongs: &Belongs) -> anyhow::Result<io::Take<BufReader<File>>> {
    let refused = |why: &str| format!("cannot go on from {}: {why}", path.display());
    let file = File::open(path).with_context(|| refused("there is no checkpoint that can be read"))?;
    let damaged = || refused("it is damaged");
    let length = file.metadata().with_context(damaged)?.len();
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut first = Vec::new();
    // A file without lines may be very long.
    file.by_ref().take(1 << 12).read_until(b'\n', &mut first).with_context(damaged)?;
    let found: Belongs = serde_json::from_slice(&first).with_context(|| refused("it is no checkpoint"))?;
    if let Some(why) = belongs.differs(&found) {
        anyhow::bail!(refused(why));
    }
    let end = length.checked_sub(DIGEST).filter(|end| *end >= first.len() as u64).with_context(damaged)?;
    file.rewind().with_context(damaged)?;
    let mut digest = Sha256::new();
    io::copy(&mut file.by_ref().take(end), &mut digest).with_context(damaged)?;
    let mut expected = Vec::new();
    file.read_to_end(&mut expected).with_context(damaged)?;
    ensure!(digest.finalize().as_slice() == expected, damaged());
    file.seek(SeekFrom::Start(first.len() as u64)).with_context(damaged)?;
    Ok(file.take(end - first.len() as u64))
}
