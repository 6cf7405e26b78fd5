//! Searches in several processes: which they are, and starting those of this machine.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use distributed::{Place, Processes};
use engine::{Peers, Reason, Verdict};

use crate::args::CheckArgs;
use crate::checkpoint::Belongs;
use crate::exit::{Exit, Output};

/// How long processes may take to end by themselves.
const PATIENCE: Duration = Duration::from_secs(3);

/// Options of searches in several processes.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Several processes")]
pub struct ProcessArgs {
    /// Search in this many processes on this machine; --threads and --memory-limit are those of each process
    /// [default: an equal part of the machine]. Only with `--engine explicit` and its search by context
    /// switches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=256), conflicts_with_all = ["hosts", "process"])]
    pub processes: Option<u16>,

    /// Search in one process on each line of this file, HOST:PORT. All are started with the same command but
    /// for --process, within a minute; process 0 reports
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,

    /// Which of the lines this process is, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,

    #[arg(skip)]
    connected: Arc<OnceLock<Connected>>,
}

#[derive(Debug)]
struct Connected {
    processes: Arc<Processes>,
    children: Mutex<Children>,
}

impl ProcessArgs {
    /// Whether there are several processes.
    pub fn is_used(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Finds the other processes, or starts them, once the program is known.
    pub fn open(&self, args: &CheckArgs, program: &ir::Program) -> anyhow::Result<()> {
        if !self.is_used() {
            return Ok(());
        }
        let (place, mut children) = match (&self.hosts, self.processes) {
            (Some(hosts), _) => (self.listed(hosts)?, Children::default()),
            (None, count) => Children::start(args, usize::from(count.unwrap_or(1)))?,
        };
        let identity = Belongs::to(args, program)?.identity();
        let processes = distributed::connect(&place, &identity, || children.are_there())?;
        children.remove_folder();
        let (processes, children) = (Arc::new(processes), Mutex::new(children));
        let _ = self.connected.set(Connected { processes, children });
        Ok(())
    }

    fn listed(&self, hosts: &Path) -> anyhow::Result<Place> {
        let text = fs::read_to_string(hosts).with_context(|| format!("cannot read {}", hosts.display()))?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let addresses: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let (index, count) = (self.process.unwrap_or_default(), addresses.len());
        ensure!(count > 1, "{} must name at least two hosts", hosts.display());
        ensure!(index < count, "there is no process {index}: {} names {count} hosts", hosts.display());
        Ok(Place { addresses, index })
    }

    /// The processes, once they are connected.
    pub fn peers(&self) -> Option<Arc<dyn Peers>> {
        self.connected.get().map(|connected| Arc::clone(&connected.processes) as Arc<dyn Peers>)
    }

    /// What a process says that does not report.
    pub fn aside(&self, verdict: &Verdict) -> Option<Output> {
        let place = self.connected.get()?.processes.place();
        let done = format!("process {} of {} has done its part", place.index, place.addresses.len());
        let (text, exit) = match verdict {
            Verdict::Unknown {
                reason: Reason::Exceeded(exceeded @ engine::Exceeded::Process { .. }),
                ..
            } => (format!("{exceeded}\n"), Exit::Unknown),
            _ => (format!("{done}; process 0 reports\n"), Exit::Safe),
        };
        (place.index > 0).then_some(Output { text, warnings: self.warning().into_iter().collect(), exit })
    }

    /// Which process is gone, if one is.
    pub fn warning(&self) -> Option<String> {
        let connected = self.connected.get()?;
        let process = connected.processes.lost()?.process;
        let name = connected.processes.place().name(process);
        let said = lock(&connected.children).last_words(process).filter(|said| !said.is_empty());
        let said = said.map(|said| format!("; it said: {said}")).unwrap_or_default();
        Some(format!("{name} has ended or cannot be reached any more{said}"))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refuses options that are for one process only.
pub fn check_options(args: &CheckArgs) -> anyhow::Result<()> {
    let properties = crate::args::properties(&args.property);
    let whole_graph = [machine::Property::Livelock, machine::Property::Robust];
    if let Some(property) = whole_graph.into_iter().find(|property| properties.has(*property)) {
        bail!("several processes do not look for {}: leave out --processes or --hosts", property.name());
    }
    let alone = [
        (!args.temporal.ltl.is_empty(), "--ltl"),
        (args.engines.checkpoint.is_used(), "--checkpoint and --resume"),
        (args.keep_going, "--keep-going"),
        (args.fences, "--fences"),
        (args.is_batch(), "--each"),
    ];
    match alone.into_iter().find(|(used, _)| *used) {
        Some((_, option)) => bail!("several processes cannot be had together with {option}"),
        None => Ok(()),
    }
}

/// Processes that this one has started, each with the file of its messages. The folder of
/// that file and of the sockets is needed only until all are connected.
#[derive(Debug, Default)]
struct Children {
    folder: Option<PathBuf>,
    started: Vec<(Child, File)>,
}

impl Children {
    /// Starts all processes but the first, which is this one.
    fn start(args: &CheckArgs, count: usize) -> anyhow::Result<(Place, Children)> {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
        let name = format!("threadproof-{}-{}", std::process::id(), since.as_nanos());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let addresses: Vec<String> =
            (0..count).map(|index| folder.join(format!("socket-{index}")).display().to_string()).collect();
        let mut children = Children { folder: Some(folder.clone()), started: Vec::new() };
        let hosts = folder.join("hosts");
        fs::write(&hosts, addresses.join("\n")).context("cannot write the list of processes")?;
        for index in 1..count {
            let said =
                File::options().read(true).append(true).create(true).open(folder.join(index.to_string()));
            let said = said.context("cannot write to the folder of temporary files")?;
            let child = command(args, &hosts, index)?
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(said.try_clone()?)
                .spawn()
                .with_context(|| format!("cannot start process {index}"))?;
            children.started.push((child, said));
        }
        Ok((Place { addresses, index: 0 }, children))
    }

    /// An error if one of them has ended.
    fn are_there(&mut self) -> anyhow::Result<()> {
        for index in 0..self.started.len() {
            if self.started[index].0.try_wait()?.is_some() {
                let process = index + 1;
                let said = self.last_words(process).unwrap_or_default();
                bail!("process {process} has ended before the search began: {said}");
            }
        }
        Ok(())
    }

    /// The last line that a process wrote.
    fn last_words(&mut self, process: usize) -> Option<String> {
        let (_, said) = self.started.get_mut(process.checked_sub(1)?)?;
        said.rewind().ok()?;
        let said = io::read_to_string(said).ok()?;
        said.lines().rev().find(|line| !line.trim().is_empty()).map(str::to_owned)
    }

    fn remove_folder(&mut self) {
        let _ = self.folder.take().map(fs::remove_dir_all);
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let begun = Instant::now();
        for (child, _) in &mut self.started {
            while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_millis(5));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        self.remove_folder();
    }
}

/// The command of another process: that of this one, with its place among the others.
fn command(args: &CheckArgs, hosts: &Path, index: usize) -> anyhow::Result<Command> {
    let mut words =
        without(std::env::args_os().skip(1), &["--processes", "--threads", "--memory-limit", "--log"]);
    let mut own: Vec<OsString> =
        vec!["--hosts".into(), hosts.into(), "--process".into(), index.to_string().into()];
    let limits = [
        ("--threads", args.threads.map(|threads| threads.to_string())),
        ("--memory-limit", args.memory_limit.map(|bytes| bytes.to_string())),
    ];
    for (name, value) in limits {
        own.extend(value.into_iter().flat_map(|value| [name.into(), value.into()]));
    }
    // After the name of the command.
    let place = 1.min(words.len());
    words.splice(place..place, own);
    let mut command = Command::new(std::env::current_exe().context("cannot find my own program file")?);
    command.args(words);
    Ok(command)
}

/// Words without some options and their values. What follows `--` stays.
fn without(words: impl Iterator<Item = OsString>, names: &[&str]) -> Vec<OsString> {
    let (mut kept, mut words) = (Vec::new(), words);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if word == OsStr::new("--") {
            kept.push(word);
            kept.extend(words);
            break;
        }
        if names.contains(&&*text) {
            words.next();
        } else if !names.iter().any(|name| text.starts_with(&format!("{name}="))) {
            kept.push(word);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_first_process_are_left_out() {
        let words = "check --processes 3 --threads=2 a.c --race-clocks -- --threads 5";
        let kept = without(words.split(' ').map(OsString::from), &["--processes", "--threads"]);
        assert_eq!(kept.join(OsStr::new(" ")), "check a.c --race-clocks -- --threads 5");
    }
}
