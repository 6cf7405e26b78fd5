//! What the command and the guard that watches it share.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use engine::counters::{STATES, TRANSITIONS};
use engine::{Budget, Counts, Exceeded, Outcome, Reason, Stats, Verdict, counted};
use ir::Program;
use machine::Properties;
use report::{
    Attempt, CoverageReport, Found, LoopInvariant, Repair, Report, Sample, Style, View, WitnessTask,
};

use crate::args::{CheckArgs, Command, Format, OutputArgs, most_memory};
use crate::board::Board;
use crate::exit::{Exit, Output};
use crate::fall_through::ANALYSIS;
use crate::files;
use crate::log::Log;
use crate::sources::FileSources;
use crate::terminal;

/// One run of the program.
pub struct Session {
    /// Set by Ctrl-C.
    pub cancelled: Arc<AtomicBool>,
    /// What the run may cost; the time counts from the start.
    pub budget: Budget,
    /// How far the engines are that are at work.
    pub board: Board,
    /// How to report.
    pub output: OutputArgs,
    /// What is tried when and why, for those who want to know.
    pub log: Log,
    /// The engines that were asked.
    pub attempts: Mutex<Vec<Attempt>>,
    /// The violations that were found so far.
    pub found: Mutex<Vec<Found>>,
    /// What went wrong besides.
    pub warnings: Mutex<Vec<String>>,
    /// What is checked, once it is known.
    pub properties: OnceLock<Properties>,
    /// The program, once it is loaded.
    pub program: OnceLock<Arc<Program>>,
    /// What makes the program hard, once it is known not to be decided.
    pub hints: OnceLock<Vec<String>>,
    /// What was found out about fences, if that was asked for.
    pub repair: OnceLock<Repair>,
    /// What witnesses say of the task, once it is known.
    pub task: OnceLock<WitnessTask>,
    /// What a witness of a proof says of loops.
    pub invariants: OnceLock<Vec<LoopInvariant>>,
}

impl Session {
    /// The session of a command.
    pub fn new(command: &Command) -> Session {
        let cancelled = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_cancel(Arc::clone(&cancelled));
        let (budget, output) = match command {
            // Each task has limits of its own.
            Command::Check(args) if args.is_batch() => {
                (budget, OutputArgs { log: None, ..args.output.clone() })
            }
            Command::Check(args) => (limited(budget, args), args.output.clone()),
            Command::Replay(args) => (budget, args.output.clone()),
            Command::Dump(_)
            | Command::Analyse(_)
            | Command::Build(_)
            | Command::Run(_)
            | Command::Doctor
            | Command::Completions { .. }
            | Command::Man(_) => (budget, OutputArgs::default()),
            Command::Schedule(args) => {
                let output = OutputArgs { format: args.format, ..OutputArgs::default() };
                (budget.with_timeout(args.timeout).with_memory_limit(most_memory()), output)
            }
            Command::Certify(args) => (budget.with_timeout(args.timeout), OutputArgs::default()),
            Command::Graph(_) => (budget.with_memory_limit(most_memory()), OutputArgs::default()),
        };
        let output = files::from_here(output);
        let (log, warning) = Log::new(&output);
        Session {
            cancelled,
            budget,
            board: Board::default(),
            output,
            log,
            attempts: Mutex::default(),
            found: Mutex::default(),
            warnings: Mutex::new(warning.into_iter().collect()),
            properties: OnceLock::new(),
            program: OnceLock::new(),
            hints: OnceLock::new(),
            repair: OnceLock::new(),
            task: OnceLock::new(),
            invariants: OnceLock::new(),
        }
    }

    /// The engines that were asked so far.
    pub fn attempts(&self) -> MutexGuard<'_, Vec<Attempt>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The violations that were found so far.
    pub fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What went wrong besides.
    pub fn warnings(&self) -> MutexGuard<'_, Vec<String>> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is a check whose first engine has not begun.
    pub fn has_not_searched(&self) -> bool {
        let is_check = self.properties.get().is_some();
        is_check && self.attempts().iter().all(|attempt| attempt.engine == ANALYSIS)
    }

    /// The engine at work, if there is one.
    pub fn engine(&self) -> Option<&'static str> {
        self.attempts().last().map(|attempt| attempt.engine)
    }

    /// Renders a report in the form that was asked for, and writes the files
    /// that were.
    pub fn render(&self, report: &Report<'_>) -> Output {
        let exit = match report.outcome.verdict {
            Verdict::Holds { .. } => Exit::Safe,
            Verdict::Violated { .. } => Exit::Unsafe,
            Verdict::Unknown { .. } => Exit::Unknown,
        };
        let view = View::new(report);
        let text = match self.output.format {
            Format::Text | Format::Junit => report::text(&view, &FileSources, terminal::style(&self.output)),
            Format::Json => report::json(&view) + "\n",
            Format::Github => {
                report::text(&view, &FileSources, Style::default()) + &report::github(&view, &files::run())
            }
        };
        let invariants = self.invariants.get().map_or(&[][..], |invariants| invariants);
        let witness = self.task.get().map(|task| (task, invariants));
        Output { text, warnings: files::write(&view, &self.output, witness), exit }
    }

    /// The output of a search that did not stop when it should have: all that
    /// is known of it is how far it was.
    pub fn given_up(&self, exceeded: Exceeded) -> Output {
        let counts: Vec<_> =
            self.board.engines().into_iter().map(|(name, progress)| (name, progress.get())).collect();
        let mut stats = Stats::after(self.budget.elapsed().as_secs_f64());
        if let Some((_, first)) = counts.first() {
            stats = stats.with(STATES, first.states).with(TRANSITIONS, first.transitions);
        }
        let told = |(name, counts): &(String, Counts)| {
            let (states, transitions) =
                (counted(counts.states, "state"), counted(counts.transitions, "transition"));
            format!("{name}: {states} and {transitions}")
        };
        let covered = match counts[..] {
            [] if self.program.get().is_none() => {
                "nothing: no engine had begun, since reading the program takes longer".to_owned()
            }
            [] if self.has_not_searched() => {
                "nothing: no engine had begun, since analysing the program takes longer".to_owned()
            }
            [] => "nothing more than the engines say that have ended".to_owned(),
            _ => counts.iter().map(told).collect::<Vec<String>>().join("; "),
        };
        let reason = Reason::Exceeded(exceeded);
        if let Some(program) = self.program.get() {
            let samples: Vec<Sample> = self.board.engines().iter().flat_map(|(_, of)| of.samples()).collect();
            self.hints.get_or_init(|| report::hints(program, &reason, &samples));
        }
        let verdict = Verdict::Unknown { reason, covered };
        let outcome = Outcome { verdict, stats, warnings: Vec::new(), assumptions: Vec::new() };
        let properties = self.properties.get().copied().unwrap_or_default();
        self.tell(self.engine().unwrap_or("none"), properties, &outcome, None)
    }

    /// Tells all that was found, and what the last search said.
    pub fn tell(
        &self,
        engine: &str,
        properties: Properties,
        last: &Outcome,
        coverage: Option<CoverageReport<'_>>,
    ) -> Output {
        let (found, attempts) = (self.found().clone(), self.attempts().clone());
        let hints = self.hints.get().cloned().unwrap_or_default();
        let report = Report {
            engine,
            attempts: &attempts,
            properties,
            outcome: last,
            interleaving: None,
            replay: None,
            moved: &[],
            further: &[],
            rest: None,
            hints: &hints,
            repair: self.repair.get(),
            coverage,
        };
        let Some((first, further)) = found.split_first() else { return self.render(&report) };
        let verdict = Verdict::Violated { fault: Box::new(first.fault.clone()), trace: first.trace.clone() };
        let (stats, warnings) = (last.stats.clone(), last.warnings.clone());
        let outcome = Outcome { verdict, stats, warnings, assumptions: Vec::new() };
        let rest = rest(&last.verdict, properties);
        self.render(&Report {
            outcome: &outcome,
            interleaving: Some(&first.interleaving),
            replay: first.replay.as_deref(),
            further,
            rest: rest.as_deref(),
            coverage: None,
            ..report
        })
    }
}

/// What is known besides the violations that were found, if the search went on.
fn rest(last: &Verdict, properties: Properties) -> Option<String> {
    let names: Vec<&str> = properties.iter().map(|property| property.name()).collect();
    match last {
        Verdict::Violated { .. } => None,
        Verdict::Holds { .. } => Some(format!("no other execution violates {}", names.join(", "))),
        Verdict::Unknown { reason, .. } => Some(format!("unknown: {reason}")),
    }
}

fn limited(budget: Budget, args: &CheckArgs) -> Budget {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let budget = if args.engines.spill.spill.is_some() { budget.without_files() } else { budget };
    budget
        .with_timeout(args.timeout)
        .with_memory_limit(args.memory_limit.or_else(most_memory))
        .with_state_limit(args.state_limit)
        .with_threads(args.threads.map_or(cores, usize::from))
}
