//! Runs a program along the order of a trace, and says what came of it.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use frontend::{Hook, Instrumentation, Linked, Options};
use ir::Location;
use machine::{Fault, FaultKind, Property, ThreadId};

use crate::build::{Job, build, embedded, write};
use crate::plan::{Ending, Gate, Plan};
use crate::unseen::why_unseen;
use crate::{Error, plan};

/// A run without an event for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(5);

/// No run takes longer than this.
const LIMIT: Duration = Duration::from_secs(120);

/// A program that was built for a trace. Its files go when it does.
pub struct Native {
    directory: tempfile::TempDir,
    plan: Plan,
    fault: Fault,
}

/// What came of a native run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The fault happened: what could be seen of it.
    Reproduced(String),
    /// The order of the trace was followed to the faulty instruction, which did
    /// nothing that can be seen: why.
    WithoutEffect(String),
    /// The run did otherwise than the trace.
    Departed(Departure),
}

/// The signal that ends a run which takes too long.
const SIGKILL: i32 = 9;

/// Where a native run departed from the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// What happened.
    pub why: Why,
    /// Who.
    pub thread: Option<ThreadId>,
    /// Where.
    pub at: Option<Location>,
    /// Where the trace has the next event.
    pub expected: Option<Location>,
    /// After how many events.
    pub events: u32,
    /// Of how many.
    pub of: usize,
    /// What is known to be different natively.
    pub caveats: Vec<String>,
}

/// How a native run can depart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A thread came to another place.
    OtherPlace,
    /// Nothing moved any more.
    Stuck,
    /// The program ended.
    Ended,
    /// An assumption of the program does not hold.
    Assumption,
    /// The program crashed or was killed before the fault: by this signal.
    Signal(i32),
    /// A wait came to another event than its end.
    Wait,
    /// An input was taken that the trace does not give.
    Input,
    /// Some of the places cannot be found in native code.
    Places(usize),
}

impl std::fmt::Display for Departure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = |at: &Option<Location>| at.as_ref().map_or("an unknown place".to_owned(), place_text);
        let who = self.thread.map_or("the program".to_owned(), |thread| thread.to_string());
        match &self.why {
            Why::OtherPlace => write!(f, "{who} came to {}", place(&self.at))?,
            Why::Stuck => write!(f, "nothing moved any more")?,
            Why::Ended => write!(f, "the program ended")?,
            Why::Assumption => write!(f, "{who} made an assumption that does not hold")?,
            Why::Signal(signal) => write!(f, "the program was ended by signal {signal}")?,
            Why::Wait => write!(f, "{who} woke from another wait")?,
            Why::Input => write!(f, "{who} took an input that the trace does not give")?,
            Why::Places(count) => write!(f, "{count} places of the trace are not in the native code")?,
        }
        write!(f, " after {} of {} events", self.events, self.of)?;
        if self.expected.is_some() {
            write!(f, ", where the trace goes on at {}", place(&self.expected))?;
        }
        if self.caveats.is_empty() {
            return write!(f, "; why is not known: with --gdb the program stops there");
        }
        self.caveats.iter().try_for_each(|caveat| write!(f, "; {caveat}"))
    }
}

fn place_text(at: &Location) -> String {
    if at.file.is_empty() { at.function.clone() } else { at.to_string() }
}

/// Builds the program and runs it along the order.
pub fn replay(
    linked: &Linked,
    inputs: &[PathBuf],
    options: &Options,
    plan: Plan,
    fault: &Fault,
) -> Result<Outcome, Error> {
    Native::build(linked, inputs, options, plan, fault)?.run()
}

impl Native {
    /// Builds the program.
    pub fn build(
        linked: &Linked,
        inputs: &[PathBuf],
        options: &Options,
        mut plan: Plan,
        fault: &Fault,
    ) -> Result<Native, Error> {
        let temporary = |source| Error::File { path: std::env::temp_dir(), source };
        let directory = tempfile::Builder::new().prefix("threadproof-").tempdir().map_err(temporary)?;
        let sanitize = is_memory_fault(&fault.kind);
        let wanted = Instrumentation {
            hooks: hooks(&plan),
            failing: plan.failing.clone(),
            chooser: runtime::UNLESS_IT_FAILS,
            main: runtime::MAIN,
            input: runtime::INPUT,
            inputs: plan.inputs.iter().map(|input| input.name.clone()).collect(),
            keeps_harmless: false,
            sanitize,
            ..Instrumentation::default()
        };
        let instrumented = frontend::instrument(&linked.native, options, &wanted)?;
        if !instrumented.missed.is_empty() {
            let count = instrumented.missed.len();
            plan.caveats.push(format!("{count} places of the trace are not in the native code"));
        }
        for site in &instrumented.unfailing {
            plan.caveats.push(format!(
                "a call of {} fails in the trace, and natively it cannot be made to",
                site.function
            ));
        }
        let (tables, names) = plan.tables(PATIENCE.as_millis() as u32, grace(&fault.kind));
        let (at, names_at) = (directory.path().join("plan.bin"), directory.path().join("names.bin"));
        write(&at, &tables)?;
        write(&names_at, &names)?;
        let text = embedded("tp_plan", &at) + &embedded("tp_plan_names", &names_at);
        let job = Job {
            module: &instrumented.module,
            unit: runtime::REPLAY,
            files: &[("plan.c", text.into_bytes())],
            inputs,
            flags: &options.flags,
            data_model: options.data_model,
            optimise: false,
            sanitize,
        };
        build(&job, directory.path(), &directory.path().join("program"))?;
        Ok(Native { directory, plan, fault: fault.clone() })
    }

    /// The program.
    pub fn program(&self) -> PathBuf {
        self.directory.path().join("program")
    }

    /// The arguments that the trace gives it.
    pub fn arguments(&self) -> &[String] {
        &self.plan.arguments
    }

    /// Runs it along the order.
    pub fn run(&self) -> Result<Outcome, Error> {
        let (notes, errors) = (self.directory.path().join("notes"), self.directory.path().join("errors"));
        write(&notes, b"")?;
        let file =
            |path: &Path| File::create(path).map_err(|source| Error::File { path: path.to_owned(), source });
        let mut command = Command::new(self.program());
        command.args(&self.plan.arguments).env("THREADPROOF_NOTES", &notes);
        command.env(
            "ASAN_OPTIONS",
            "detect_leaks=0:abort_on_error=1:symbolize=0:detect_stack_use_after_return=1",
        );
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file(&errors)?);
        let status = wait(command.spawn().map_err(Error::Start)?)?;
        let told = std::fs::read_to_string(&notes).unwrap_or_default();
        let errors = std::fs::read(&errors).unwrap_or_default();
        Ok(self.judge(&told, status, &String::from_utf8_lossy(&errors)))
    }

    fn judge(&self, told: &str, status: ExitStatus, errors: &str) -> Outcome {
        let line = |word: &str| told.lines().find(|line| line.starts_with(word));
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        if line("deadlock").is_some() {
            return Outcome::Reproduced(self.deadlock());
        }
        if let Some(departed) = line("departed") {
            return Outcome::Departed(self.departure(departed));
        }
        if line("reached").is_none() {
            return Outcome::Departed(self.ended(signal, errors));
        }
        let asserts = self.fault.kind.property() == Property::Assert && self.plan.direct;
        match signal {
            // It took too long, and was ended from outside.
            Some(SIGKILL) => Outcome::WithoutEffect(self.why_no_effect()),
            // After a wild jump it ends without a signal.
            _ if errors.contains("ERROR: AddressSanitizer") => Outcome::Reproduced(first_report(errors)),
            Some(signal) => Outcome::Reproduced(signal_text(signal)),
            None if asserts => Outcome::Reproduced("the failing call was reached".to_owned()),
            None => Outcome::WithoutEffect(self.why_no_effect()),
        }
    }

    /// The program ended before the fault.
    fn ended(&self, signal: Option<i32>, errors: &str) -> Departure {
        let mut departure = self.departed(signal.map_or(Why::Ended, Why::Signal), None, None, 0);
        if errors.contains("AddressSanitizer: ") {
            departure.caveats.push(format!("the address sanitizer stopped it: {}", first_report(errors)));
        }
        departure
    }

    fn deadlock(&self) -> String {
        let Ending::Deadlock { threads, .. } = &self.plan.ending else { return "a deadlock".to_owned() };
        let each = threads.iter().map(|thread| {
            let place = self.plan.last.get(thread.0 as usize).copied().flatten();
            let at = place.map_or(String::new(), |p| format!(" at {}", self.plan.places[p as usize].at));
            format!("{thread} waits{at}")
        });
        each.collect::<Vec<_>>().join(", ")
    }

    fn why_no_effect(&self) -> String {
        let caveats = self.plan.caveats.iter().map(|caveat| format!("; {caveat}"));
        caveats.fold(why_unseen(&self.fault.kind).to_owned(), |text, caveat| text + &caveat)
    }

    fn departure(&self, line: &str) -> Departure {
        let words: HashMap<&str, i64> = line
            .split_whitespace()
            .filter_map(|word| word.split_once('='))
            .filter_map(|(key, value)| Some((key, value.parse().ok()?)))
            .collect();
        let number = |key: &str| words.get(key).copied().filter(|number| *number >= 0);
        let why = match line.split_whitespace().nth(1) {
            Some("site") => Why::OtherPlace,
            Some("assumption") => Why::Assumption,
            Some("exit") => Why::Ended,
            Some("wait") => Why::Wait,
            Some("input") => Why::Input,
            _ => Why::Stuck,
        };
        let thread = number("thread").map(|thread| ThreadId(thread as u32));
        let mut departure = self.departed(why, thread, number("site"), number("event").unwrap_or(0) as u32);
        departure.expected = self.place(number("expected"));
        departure
    }

    fn place(&self, place: Option<i64>) -> Option<Location> {
        self.plan.places.get(usize::try_from(place?).ok()?).map(|place| place.at.clone())
    }

    fn departed(&self, why: Why, thread: Option<ThreadId>, place: Option<i64>, events: u32) -> Departure {
        let (at, caveats) = (self.place(place), self.plan.caveats.clone());
        Departure { why, thread, at, expected: None, events, of: self.plan.turns.len(), caveats }
    }
}

fn hooks(plan: &Plan) -> Vec<Hook> {
    let hook = |(index, place): (usize, &plan::Place)| {
        let callee = if place.gate == Gate::Turn { runtime::EVENT } else { runtime::MARK };
        Some(Hook { site: place.site.clone()?, after: false, callee, id: index as u32 })
    };
    plan.places.iter().enumerate().filter_map(hook).collect()
}

/// Whether such a fault shows in a native run.
pub fn has_effect(kind: &FaultKind) -> bool {
    matches!(kind.property(), Property::Assert | Property::Deadlock | Property::Memory)
        || matches!(kind, FaultKind::DivisionByZero | FaultKind::DivisionOverflow)
}

/// How long a fault may take to show, in milliseconds.
fn grace(kind: &FaultKind) -> u32 {
    if has_effect(kind) { 3000 } else { 100 }
}

/// Whether the address sanitizer may see it.
fn is_memory_fault(kind: &FaultKind) -> bool {
    kind.property() == Property::Memory
}

fn wait(mut child: Child) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(Error::Start)? {
            return Ok(status);
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn first_report(errors: &str) -> String {
    let line = errors.lines().find(|line| line.contains("AddressSanitizer: ")).unwrap_or_default();
    line.split_once("AddressSanitizer: ").map_or(line, |(_, rest)| rest).trim().to_owned()
}

fn signal_text(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        11 => "SIGSEGV",
        _ => return format!("the program was ended by signal {signal}"),
    };
    format!("the program was ended by {name}")
}
