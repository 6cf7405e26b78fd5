//! `threadproof check --each`: several programs, each a task of its own, in
//! processes side by side. A crash of one costs no other its result.

use std::ffi::OsString;
use std::fs;
use std::io::{IsTerminal, Read, Seek, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use report::TaskResult;
use serde_json::{Value, json};

use crate::args::{CheckArgs, Format};
use crate::exit::{Exit, Failure, Output};
use crate::session::Session;
use crate::terminal;

/// How often it is asked whether a process has ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// How long a process may take to end after Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(1);

/// What came of one program.
struct Finished {
    program: String,
    exit: Exit,
    seconds: f64,
    /// What the process printed: an object, unless it is annotations.
    printed: String,
    /// What it wrote to the standard error.
    complaints: String,
}

/// Checks each file as a program of its own. The words are those of the command
/// line.
pub fn each(args: &CheckArgs, words: &[OsString], session: &Session) -> Result<Output, Failure> {
    make_folders(args.clone()).map_err(Failure::Input)?;
    let finished = run_all(args, words, session).map_err(Failure::Internal)?;
    let exit = finished.iter().map(|task| task.exit).max_by_key(|exit| exit.severity());
    let results: Vec<TaskResult> = finished.iter().map(result).collect();
    let text = match session.output.format {
        Format::Text => report::table(&results, terminal::style(&session.output)),
        Format::Junit => report::junit(&results),
        Format::Json => format!("{}\n", Value::from_iter(finished.iter().map(object))),
        Format::Github => finished.iter().map(|task| task.printed.as_str()).collect(),
    };
    Ok(Output::new(text, exit.unwrap_or(Exit::Safe)))
}

/// Makes the folders for the files of all tasks.
fn make_folders(mut args: CheckArgs) -> anyhow::Result<()> {
    let folders = args.folders().into_iter().filter_map(|(folder, _)| folder.take());
    folders.into_iter().try_for_each(|folder| {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))
    })
}

/// Runs all tasks, as many at a time as there are cores for.
fn run_all(args: &CheckArgs, words: &[OsString], session: &Session) -> anyhow::Result<Vec<Finished>> {
    let (jobs, threads) = shares(args);
    let count = args.input.files.len();
    let (next, finished) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> anyhow::Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || session.cancelled.load(Ordering::Relaxed) {
                return Ok(());
            }
            let task = run_one(args, words, index, jobs, threads, session)?;
            let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
            finished.push((index, task));
            announce(session, finished.len(), count);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    let mut finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    let begun: Vec<usize> = finished.iter().map(|(index, _)| *index).collect();
    let left = (0..count).filter(|index| !begun.contains(index));
    finished.extend(left.map(|index| (index, interrupted(args, index))));
    finished.sort_by_key(|(index, _)| *index);
    Ok(finished.into_iter().map(|(_, task)| task).collect())
}

/// After Ctrl-C no further task begins, and those that run end.
fn interrupted(args: &CheckArgs, index: usize) -> Finished {
    Finished {
        program: args.input.files[index].display().to_string(),
        exit: Exit::Unknown,
        seconds: 0.0,
        printed: json!({ "verdict": "unknown", "reason": "interrupted" }).to_string(),
        complaints: String::new(),
    }
}

/// How many processes run at a time, and how many threads each may use.
fn shares(args: &CheckArgs) -> (usize, usize) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map(usize::from);
    let jobs = (cores / threads.unwrap_or(1)).clamp(1, args.input.files.len().max(1));
    (jobs, threads.unwrap_or(cores / jobs).max(1))
}

fn run_one(
    args: &CheckArgs,
    words: &[OsString],
    index: usize,
    jobs: usize,
    threads: usize,
    session: &Session,
) -> anyhow::Result<Finished> {
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let mut command = Command::new(program);
    command.args(["check", "--only", &index.to_string()]);
    if args.threads.is_none() {
        command.args(["--threads", &threads.to_string()]);
    }
    if let (None, Some(total)) = (args.memory_limit, engine::total_memory()) {
        command.args(["--memory-limit", &(total / 10 * 8 / jobs as u64).to_string()]);
    }
    let started = Instant::now();
    // A file takes all that the process prints, even if it is read only at the end.
    let mut printed = tempfile::tempfile().context("cannot make a temporary file")?;
    let mut complaints = tempfile::tempfile().context("cannot make a temporary file")?;
    command
        .args(words.iter().skip(2))
        .stdin(Stdio::null())
        .stderr(complaints.try_clone()?)
        .stdout(printed.try_clone()?);
    let mut child = command.spawn().context("cannot start a process")?;
    let Some(status) = wait(&mut child, session)? else { return Ok(interrupted(args, index)) };
    Ok(Finished {
        program: args.input.files[index].display().to_string(),
        exit: status.code().and_then(Exit::from_code).unwrap_or(Exit::Internal),
        seconds: started.elapsed().as_secs_f64(),
        printed: written(&mut printed)?,
        complaints: written(&mut complaints)?,
    })
}

/// All that was written to a file.
fn written(file: &mut fs::File) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).context("cannot read a result")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Waits for a process. After Ctrl-C it may still say how far it was; one that
/// takes its time is ended, and there is no status.
fn wait(child: &mut Child, session: &Session) -> anyhow::Result<Option<ExitStatus>> {
    let mut cancelled: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a process")? {
            return Ok(Some(status));
        }
        if session.cancelled.load(Ordering::Relaxed)
            && cancelled.get_or_insert_with(Instant::now).elapsed() > PATIENCE
        {
            child.kill().and_then(|()| child.wait()).context("cannot end a process")?;
            return Ok(None);
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Says on a terminal how many are done.
fn announce(session: &Session, done: usize, count: usize) {
    let mut terminal = std::io::stderr();
    if session.output.format == Format::Text && terminal.is_terminal() {
        let _ = write!(
            terminal,
            "\r\x1b[K{}",
            if done < count { format!("{done} of {count}") } else { String::new() }
        );
    }
}

/// The object that the process printed, with the program's name. One that ended
/// without has crashed.
fn object(task: &Finished) -> Value {
    let printed = serde_json::from_str(&task.printed).ok().filter(Value::is_object);
    let mut object = printed.unwrap_or_else(|| {
        // It may have ended before it knew how to print, as if threadproof.toml is wrong.
        let said = task.complaints.trim().strip_prefix("error: ").unwrap_or(task.complaints.trim());
        let message = if said.is_empty() { "the process ended without a result" } else { said };
        let kind = if task.exit == Exit::BadInput { "input" } else { "internal" };
        let error = json!({ "kind": kind, "message": message });
        json!({ "verdict": "error", "status": task.exit as u8, "error": error })
    });
    object["program"] = json!(task.program);
    object
}

fn result(task: &Finished) -> TaskResult {
    let object = object(task);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let fault = &object["fault"];
    let about = [&fault["message"], &object["reason"], &object["error"]["message"]];
    TaskResult {
        program: task.program.clone(),
        verdict: text(&object["verdict"]),
        seconds: task.seconds,
        about: about.into_iter().map(text).find(|text| !text.is_empty()).unwrap_or_default(),
        place: match &fault["file"] {
            Value::String(file) => format!("{file}:{}:{}", fault["line"], fault["column"]),
            _ => String::new(),
        },
        replay: text(&object["replay"]),
    }
}
