//! Runs a command where nothing can go wrong unseen: on a thread with a large
//! stack, watched by the main thread. A panic is an internal error and never a
//! verdict; Ctrl-C and limits end the search even if it does not look.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::Exceeded;

use crate::args::Format;
use crate::exit::{Exit, Failure, Output};
use crate::session::Session;
use crate::terminal::StatusLine;

/// Types and expressions may nest deeply, and readers recurse.
const STACK: usize = 512 << 20;

/// How often the main thread looks.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long a search may take to stop after its time is over, and after its
/// budget is exceeded otherwise. Before the first search there is nothing to wait for.
const GRACE_OF_TIME: Duration = Duration::from_millis(320);
const GRACE: Duration = Duration::from_secs(3);

type CommandResult = Result<Output, Failure>;

/// Runs the command, prints what comes of it, and gives its exit status.
pub fn run<W>(session: Session, work: W) -> Exit
where
    W: FnOnce(&Session) -> CommandResult + Send + 'static,
{
    let session = Arc::new(session);
    let panic_message = catch_panics();
    catch_interrupts(&session);
    let (sender, receiver) = channel();
    let shared = Arc::clone(&session);
    let worker = thread::Builder::new().name("worker".to_owned()).stack_size(STACK);
    let spawned = worker.spawn(move || {
        // The guard does not listen any more once it has given up.
        let _ = sender.send(work(&shared));
    });
    let result = match spawned {
        Ok(_) => wait(&session, &receiver),
        Err(error) => {
            Some(Err(Failure::Internal(anyhow::Error::new(error).context("cannot start a thread"))))
        }
    };
    let result = result.unwrap_or_else(|| {
        let message = panic_message.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Failure::Internal(anyhow::anyhow!(message.unwrap_or_else(|| "a panic".to_owned()))))
    });
    finish(unless_interrupted(result, &session), session.output.format)
}

/// Ctrl-C reaches the compiler, too: what it has not compiled then is not the input's fault.
fn unless_interrupted(result: CommandResult, session: &Session) -> CommandResult {
    let interrupted = session.cancelled.load(Ordering::Relaxed) && session.program.get().is_none();
    match result {
        Err(Failure::Input(_)) if interrupted => Ok(session.given_up(Exceeded::Cancelled)),
        result => result,
    }
}

/// The command's result; none if it panicked.
fn wait(session: &Session, receiver: &Receiver<CommandResult>) -> Option<CommandResult> {
    let mut status = StatusLine::new(&session.output);
    let mut overdue: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(result) => break Some(result),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => status.draw(session),
        }
        let Some(exceeded) = session.budget.exceeded() else {
            // Memory can be given back.
            overdue = None;
            continue;
        };
        let grace = match exceeded {
            Exceeded::Time { .. } if session.has_not_searched() => Duration::ZERO,
            Exceeded::Time { .. } => GRACE_OF_TIME,
            _ => GRACE,
        };
        if overdue.get_or_insert_with(Instant::now).elapsed() >= grace {
            break Some(Ok(session.given_up(exceeded)));
        }
    }
}

fn finish(result: CommandResult, format: Format) -> Exit {
    // A closed pipe is the reader's choice, not an error.
    match result {
        Ok(output) => {
            for warning in &output.warnings {
                let _ = writeln!(std::io::stderr(), "warning: {warning}");
            }
            let mut stdout = std::io::stdout().lock();
            let _ = stdout.write_all(output.text.as_bytes()).and_then(|()| stdout.flush());
            output.exit
        }
        Err(Failure::Input(error)) => bad_input(format, &error),
        Err(Failure::Internal(error)) => {
            let _ = writeln!(std::io::stderr(), "{}", internal_error(&error));
            print_failure(format, "internal", &format!("{error:#}"), Exit::Internal);
            Exit::Internal
        }
    }
}

/// Says what is wrong with the input.
pub fn bad_input(format: Format, error: &anyhow::Error) -> Exit {
    let _ = writeln!(std::io::stderr(), "error: {error:#}");
    print_failure(format, "input", &format!("{error:#}"), Exit::BadInput);
    Exit::BadInput
}

/// Says on standard output what went wrong, where programs read it.
pub fn print_failure(format: Format, kind: &str, message: &str, exit: Exit) {
    let text = match format {
        Format::Text | Format::Junit => return,
        Format::Json => report::json_error(kind, message, exit as u8) + "\n",
        Format::Github => report::github_error(message),
    };
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn internal_error(error: &anyhow::Error) -> String {
    let command: Vec<String> = std::env::args().collect();
    format!(
        "internal error: {error:#}\n\n\
         This is a mistake in threadproof, not in your program, and it is no verdict. Please report it\n\
         with the program, this message, and\n  version: {}\n  command: {}",
        env!("CARGO_PKG_VERSION"),
        command.join(" ")
    )
}

/// Keeps the message of a panic instead of printing it.
fn catch_panics() -> Arc<Mutex<Option<String>>> {
    let message = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&message);
    std::panic::set_hook(Box::new(move |info| {
        let mut text = info.to_string();
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            text.push_str(&format!("\n{}", std::backtrace::Backtrace::force_capture()));
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        // The first panic is the cause of the others.
        kept.get_or_insert(text);
    }));
    message
}

/// Signals that come together are one interrupt: some programs that end others send
/// theirs to the process and to its group.
const TOGETHER: Duration = Duration::from_millis(300);

/// The first Ctrl-C asks the search to stop, the second one ends the process.
fn catch_interrupts(session: &Session) {
    let cancelled = Arc::clone(&session.cancelled);
    let mut first = None;
    // Where no handler can be set, Ctrl-C simply kills.
    let _ = ctrlc::set_handler(move || {
        cancelled.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > TOGETHER {
            std::process::exit(130);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use clap::Parser;

    fn session() -> Session {
        session_of(&["dump", "a.c"])
    }

    fn session_of(words: &[&str]) -> Session {
        Session::new(&Args::parse_from([&["threadproof"], words].concat()).command)
    }

    /// How long a check with a tenth of a second takes whose front end takes very long.
    #[test]
    fn before_the_first_search_the_end_of_the_time_is_the_end() {
        let usual = std::panic::take_hook();
        let started = Instant::now();
        let exit = run(session_of(&["check", "--quiet", "--timeout", "0.1", "a.c"]), |session| {
            session.properties.get_or_init(Default::default);
            thread::sleep(Duration::from_secs(20));
            Ok(Output::new(String::new(), Exit::Safe))
        });
        std::panic::set_hook(usual);
        assert_eq!(exit, Exit::Unknown);
        assert!(started.elapsed() < Duration::from_millis(100) + GRACE_OF_TIME, "{:?}", started.elapsed());
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let usual = std::panic::take_hook();
        let exit = run(session(), |_| panic!("boom"));
        std::panic::set_hook(usual);
        assert_eq!(exit, Exit::Internal);
    }

    #[test]
    fn an_internal_error_says_what_to_report() {
        let text = internal_error(&anyhow::anyhow!("boom"));
        assert!(text.contains("boom") && text.contains("no verdict") && text.contains("version:"), "{text}");
    }
}
