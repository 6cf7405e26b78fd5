//! What the command and the guard that watches it share.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use engine::{Budget, Exceeded, Outcome, Progress, Reason, Stats, Verdict};
use machine::Properties;
use report::Report;

use crate::args::{CheckArgs, Color, Command, Format, OutputArgs};
use crate::exit::{Exit, Output};
use crate::sources::FileSources;
use crate::terminal;

/// One run of the program.
pub struct Session {
    /// Set by Ctrl-C.
    pub cancelled: Arc<AtomicBool>,
    /// What the run may cost; the time counts from the start.
    pub budget: Budget,
    /// How far the search is.
    pub progress: Progress,
    /// How to report.
    pub output: OutputArgs,
    /// The engine's name.
    pub engine: &'static str,
    /// What is checked, once it is known.
    pub properties: OnceLock<Properties>,
}

impl Session {
    /// The session of a command.
    pub fn new(command: &Command) -> Session {
        let cancelled = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_cancel(Arc::clone(&cancelled));
        let plain = OutputArgs { format: Format::Text, color: Color::Auto };
        let (budget, output, engine) = match command {
            Command::Check(args) => (limited(budget, args), args.output, args.engine.name()),
            Command::Replay(args) => (budget, args.output, "replay"),
            Command::Dump(_) => (budget, plain, "dump"),
            Command::Graph(_) => (budget.with_memory_limit(most_memory()), plain, "graph"),
        };
        let (progress, properties) = (Progress::default(), OnceLock::new());
        Session { cancelled, budget, progress, output, engine, properties }
    }

    /// Renders a report in the form that was asked for.
    pub fn render(&self, report: &Report<'_>) -> Output {
        let exit = match report.outcome.verdict {
            Verdict::Holds { .. } => Exit::Safe,
            Verdict::Violated { .. } => Exit::Unsafe,
            Verdict::Unknown { .. } => Exit::Unknown,
        };
        let text = match self.output.format {
            Format::Text => report::text(report, &FileSources, terminal::style(self.output.color)),
            Format::Json => report::json(report) + "\n",
        };
        Output { text, exit }
    }

    /// The output of a search that did not stop when it should have: all that
    /// is known of it is how far it was.
    pub fn given_up(&self, exceeded: Exceeded) -> Output {
        let counts = self.progress.get();
        let stats = Stats {
            seconds: self.budget.elapsed().as_secs_f64(),
            states: Some(counts.states),
            transitions: Some(counts.transitions),
            ..Stats::default()
        };
        let covered = format!("{} states and {} transitions", counts.states, counts.transitions);
        let verdict = Verdict::Unknown { reason: Reason::Exceeded(exceeded), covered };
        let outcome = Outcome { verdict, stats, warnings: Vec::new() };
        let properties = self.properties.get().copied().unwrap_or_default();
        let (engine, outcome) = (self.engine, &outcome);
        self.render(&Report {
            engine,
            properties,
            outcome,
            interleaving: None,
            replay: None,
            restriction: None,
        })
    }
}

fn limited(budget: Budget, args: &CheckArgs) -> Budget {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    budget
        .with_timeout(args.timeout)
        .with_memory_limit(args.memory_limit.or_else(most_memory))
        .with_state_limit(args.state_limit)
        .with_threads(args.threads.map_or(cores, usize::from))
}

fn most_memory() -> Option<u64> {
    engine::total_memory().map(|total| total / 10 * 8)
}
