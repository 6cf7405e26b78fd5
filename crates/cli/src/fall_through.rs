//! Asking engine after engine until one knows.
//!
//! Before all engines, a static analysis tries to prove that there are no data
//! races and that no assertion fails. Accesses that cannot be in the first race
//! of an execution are not remembered then. What it proves need not be looked
//! for. The engines are still asked: for the other properties, and because an
//! execution that ends in a fault which was not looked for is not known any
//! further. Only where such faults are taken not to happen, and no other
//! property is asked for, is the proof the answer.
//!
//! Which engine goes first depends on the program's inputs; which run side by
//! side, and when, is decided in `turns.rs`. What an engine has shown stays
//! shown: those that start later are asked only for the rest.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use engine::{
    Budget, Counts, Cut, Evidence, Exceeded, Outcome, Progress, Reason, Stats, Verdict, counted, grouped,
};
use ir::{Failure, Program};
use machine::{Config, Machine, Properties, Property};
use report::Attempt;

use crate::args::CheckArgs;
use crate::board::Board;
use crate::check::run_engine;
use crate::choose::{Choice, choose};
use crate::log::Log;
use crate::turns::Turns;

/// The name of the static analysis among the engines.
pub const ANALYSIS: &str = "analysis";

/// What the engines are asked, and what came of it so far.
pub struct Asking<'a> {
    /// How to check.
    pub args: &'a CheckArgs,
    /// The program.
    pub program: &'a Arc<Program>,
    /// What holds for every machine that executes it; the properties are those
    /// that are not shown yet.
    pub config: Config,
    /// For all engines together.
    pub budget: &'a Budget,
    /// How far the engines are that are at work.
    pub board: &'a Board,
    /// What is tried when and why.
    pub log: &'a Log,
    /// The engines asked so far.
    pub attempts: &'a Mutex<Vec<Attempt>>,
    /// Mistakes of engines that did not keep others from answering.
    pub failures: Vec<String>,
    /// Whether races cannot be found without clocks, once that is asked.
    pub needs_clocks: OnceLock<bool>,
}

/// What an engine is asked.
pub struct Question {
    program: Arc<Program>,
    /// With what the engine is asked for, and with what is known of accesses that no
    /// other thread disturbs.
    config: Config,
}

/// The answer of the engine that was asked last.
pub struct Answer {
    /// Which engine it was, and why; none if the static analysis was enough.
    pub choice: Option<Choice>,
    /// What it executed.
    pub machine: Machine,
    /// What it answered.
    pub outcome: Outcome,
}

/// What is to be done after an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing: it is the answer to everything that was asked.
    Done,
    /// Another engine may know; this one could go on with more time or memory.
    Later,
    /// Another engine may know the rest.
    Other,
    /// Another engine may know, if it does not try inputs value by value.
    Symbolic,
}

impl Asking<'_> {
    /// Asks until one engine knows, or none does.
    pub fn ask(&mut self) -> Answer {
        if let Some(answer) = self.analyse() {
            return answer;
        }
        let choices = choose(self.args, &self.machine(self.config.properties));
        let [only] = choices[..] else { return Turns::new(self, choices).run() };
        self.turn(only)
    }

    /// Asks the static analysis. Yields the answer if that is all there is to
    /// know.
    fn analyse(&mut self) -> Option<Answer> {
        let named = self.args.engine.is_some() || self.args.search.is_some();
        // What it proves of races and values, it proves of sequential consistency.
        let weak = self.config.memory_model.has_buffers();
        // What it shows holds up to the first fault, which need not be the one that is told.
        let suppresses = !self.config.suppressions.is_empty();
        if named || weak || self.args.no_analysis || suppresses || !self.program.creates_threads() {
            return None;
        }
        let machine = self.machine(self.config.properties);
        let races = self.exclude_races();
        let failures = self.exclude_failures();
        let nothing_else = self.config.properties == Properties::default();
        let unasked = Properties::undefined_unasked().without(self.config.assumed);
        let enough = nothing_else && unasked == Properties::default();
        match failures.or(races).filter(|_| enough && analysis::reaches_nothing_unsupported(self.program)) {
            Some(outcome) => Some(Answer { choice: None, machine, outcome }),
            None => {
                self.config.undisturbed = analysis::undisturbed(self.program).ok().map(Arc::new);
                None
            }
        }
    }

    /// Tries to prove that there are no data races.
    fn exclude_races(&mut self) -> Option<Outcome> {
        if !self.config.properties.has(Property::Race) {
            return None;
        }
        let started = Instant::now();
        let found = analysis::analyse(self.program).ok()?;
        if !found.pairs.is_empty() {
            self.config.racing = Some(Arc::new(found.racing(self.program)));
            return None;
        }
        let evidence = Evidence::Separated { accesses: found.accesses };
        Some(self.proven(Property::Race, "races may be excluded without a search", started, evidence))
    }

    /// Tries to prove that no assertion fails.
    fn exclude_failures(&mut self) -> Option<Outcome> {
        if !self.config.properties.has(Property::Assert) {
            return None;
        }
        let started = Instant::now();
        let calls_only = self.config.error_calls_only;
        let counts = |failure| match failure {
            Failure::Assertion => !calls_only,
            Failure::ErrorCall => true,
            Failure::Arguments | Failure::Jump | Failure::Element => false,
        };
        if !analysis::values(self.program, &counts).ok()?.failures.is_empty() {
            return None;
        }
        let why = "failures may be excluded without a search";
        Some(self.proven(Property::Assert, why, started, Evidence::Unreachable))
    }

    /// Notes that the static analysis has proven a property.
    fn proven(&mut self, what: Property, why: &'static str, started: Instant, evidence: Evidence) -> Outcome {
        let properties: Properties = [what].into_iter().collect();
        let seconds = started.elapsed().as_secs_f64();
        let (stats, warnings, assumptions) = (Stats::after(seconds), Vec::new(), Vec::new());
        let outcome = Outcome { verdict: Verdict::Holds { evidence }, stats, warnings, assumptions };
        let answer = told(&outcome, properties);
        self.log.note(&format!("{ANALYSIS} ({why}): {answer}"));
        let (why, answer) = (Some(why), Some(answer));
        self.attempts().push(Attempt {
            engine: ANALYSIS,
            search: None,
            why,
            seconds,
            did: None,
            samples: Vec::new(),
            answer,
        });
        self.config.properties = self.config.properties.without(properties);
        outcome
    }

    /// Asks one engine, with all of the budget.
    pub fn turn(&mut self, choice: Choice) -> Answer {
        let (attempt, started) = (self.begin(choice), Instant::now());
        let progress = self.board.enter(choice.name());
        let (machine, outcome) = self.question(choice).run(self.args, choice, self.budget, &progress);
        self.board.leave(&progress);
        engine::release();
        self.end(attempt, told(&outcome, machine.config().properties), started.elapsed(), &progress);
        Answer { choice: Some(choice), machine, outcome }
    }

    /// Notes that an engine begins. Yields the number of the note.
    pub fn begin(&self, choice: Choice) -> usize {
        let Choice { engine, search, why, .. } = choice;
        let because = why.map(|why| format!(": {why}")).unwrap_or_default();
        self.log.note(&format!("{} begins{because}", choice.name()));
        let mut attempts = self.attempts();
        let (engine, samples) = (engine.name(), Vec::new());
        attempts.push(Attempt { engine, search, why, seconds: 0.0, did: None, samples, answer: None });
        attempts.len() - 1
    }

    /// Notes how it ended, after being at work for some time.
    pub fn end(&self, attempt: usize, answer: String, time: Duration, progress: &Progress) {
        if let Some(attempt) = self.attempts().get_mut(attempt) {
            attempt.seconds = time.as_secs_f64();
            attempt.did = done(progress, time);
            attempt.samples = progress.samples();
            self.log.note(&format!("{} ends: {answer}{}", attempt.engine, told_work(progress, time)));
            attempt.answer = Some(answer);
        }
    }

    /// What an engine is to be asked.
    pub fn question(&self, choice: Choice) -> Question {
        let properties = self.asked_of(choice);
        let temporal = self.config.temporal.clone().filter(|_| properties.has(Property::Ltl));
        let config = Config { properties, temporal, ..self.config.clone() };
        Question { program: Arc::clone(self.program), config }
    }

    /// What is to be done after an answer.
    pub fn next(&mut self, answer: &Answer) -> Next {
        let reason = match &answer.outcome.verdict {
            Verdict::Violated { .. } => return Next::Done,
            Verdict::Holds { .. } => {
                self.config.properties = self.config.properties.without(answer.machine.config().properties);
                let rest = self.config.properties != Properties::default();
                return if rest { Next::Other } else { Next::Done };
            }
            Verdict::Unknown { reason, .. } => reason,
        };
        match reason {
            Reason::Exceeded(Exceeded::Time { .. } | Exceeded::Memory { .. }) => Next::Later,
            // A user who sets these limits wants no more.
            Reason::Exceeded(
                Exceeded::States { .. }
                | Exceeded::Disk { .. }
                | Exceeded::Process { .. }
                | Exceeded::Cancelled,
            ) => Next::Done,
            Reason::Cut(cuts) if cuts.iter().all(Cut::is_asked_for) => Next::Done,
            Reason::Cut(cuts)
                if answer.choice.is_some_and(|choice| self.tries_values(choice))
                    && cuts.iter().all(Cut::stops_values) =>
            {
                Next::Symbolic
            }
            Reason::Cut(_) | Reason::Solver(_) => Next::Other,
        }
    }

    /// Whether the time is over, or the user does not want to wait any longer.
    pub fn is_out_of_time(&self) -> bool {
        self.is_cancelled() || self.budget.remaining().is_some_and(|left| left.is_zero())
    }

    /// Whether the user does not want to wait any longer.
    pub fn is_cancelled(&self) -> bool {
        self.budget.cancel_flag().load(Ordering::Relaxed)
    }

    /// What an engine is to be asked for. One that does not decide formulas says so when it
    /// is asked for them.
    pub fn asked_of(&self, choice: Choice) -> Properties {
        let engine = choice.make(self.args);
        let decides = engine.decides();
        let is_asked = |property: &Property| match property {
            Property::Ltl => true,
            // One that is named says itself that it cannot.
            Property::Race if self.args.engine.is_none() => {
                decides.has(Property::Race) && (engine.has_clocks() || !self.needs_clocks())
            }
            other => decides.has(*other),
        };
        self.config.properties.iter().filter(is_asked).collect()
    }

    /// Whether races cannot be found without clocks.
    fn needs_clocks(&self) -> bool {
        let race: Properties = [Property::Race].into_iter().collect();
        *self.needs_clocks.get_or_init(|| self.machine(race).without_clocks().is_none())
    }

    /// Whether an engine tries the values of inputs.
    pub fn tries_values(&self, choice: Choice) -> bool {
        choice.make(self.args).tries_values()
    }

    /// A machine that looks for these properties.
    pub fn machine(&self, properties: Properties) -> Machine {
        let config = Config { properties, undisturbed: None, ..self.config.clone() };
        Machine::new(Arc::clone(self.program), config)
    }

    /// The engines asked so far.
    pub fn attempts(&self) -> std::sync::MutexGuard<'_, Vec<Attempt>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Question {
    /// Asks an engine. The answer is about the machine.
    pub fn run(
        self,
        args: &CheckArgs,
        choice: Choice,
        budget: &Budget,
        progress: &Progress,
    ) -> (Machine, Outcome) {
        let (started, engine) = (Instant::now(), choice.make(args));
        let run = |machine: &Machine| run_engine(&*engine, args, machine, budget, progress);
        let longer = self.with_longer_steps(args, engine.takes_longer_steps());
        let config = Config { undisturbed: None, ..self.config };
        let machine = Machine::new(self.program, config);
        let mut outcome = match longer {
            None => run(&machine),
            Some(longer) => {
                let outcome = run(&longer);
                machine.add_executed(&longer);
                refined(&longer, &machine, outcome).unwrap_or_else(|| run(&machine))
            }
        };
        // The budget's clock began before the program was loaded.
        outcome.stats.seconds = started.elapsed().as_secs_f64();
        (machine, outcome)
    }

    /// A machine for which accesses that no other thread disturbs are invisible,
    /// if that is known and of use.
    fn with_longer_steps(&self, args: &CheckArgs, takes_longer_steps: bool) -> Option<Machine> {
        let of_states =
            [Property::Leak, Property::Cleanup, Property::Livelock, Property::Ltl, Property::Robust];
        let is_of_use = args.depth.is_none()
            && takes_longer_steps
            && !of_states.iter().any(|property| self.config.properties.has(*property));
        (is_of_use && self.config.undisturbed.is_some())
            .then(|| Machine::new(Arc::clone(&self.program), self.config.clone()))
    }
}

/// The outcome with a counterexample for the machine itself instead of the one
/// with longer steps; `None` if that does not replay.
fn refined(longer: &Machine, machine: &Machine, mut outcome: Outcome) -> Option<Outcome> {
    if let Verdict::Violated { fault, trace } = &mut outcome.verdict {
        let fine = trace::refine(longer, machine, trace)?;
        trace::replay(machine, &fine, fault, &mut ()).ok()?;
        *trace = fine;
    }
    Some(outcome)
}

/// What an engine has done in some time, and how fast.
fn done(progress: &Progress, time: Duration) -> Option<String> {
    let (Counts { states, .. }, visits) = (progress.get(), progress.visits());
    let rate = (states as f64 / time.as_secs_f64().max(1e-3)) as u64;
    let one = visits.trim_end_matches('s');
    (states > 0).then(|| format!("{}, {}/s", counted(states, one), grouped(rate)))
}

/// The same for a line of the log.
pub fn told_work(progress: &Progress, time: Duration) -> String {
    let did = done(progress, time).map(|did| format!(", {did}")).unwrap_or_default();
    format!(" (at work for {:.2} s{did})", time.as_secs_f64())
}

/// An answer in one line.
pub fn told(outcome: &Outcome, properties: Properties) -> String {
    match &outcome.verdict {
        Verdict::Holds { .. } => {
            let names: Vec<&str> = properties.iter().map(|property| property.name()).collect();
            match names[..] {
                [] => "every execution was followed".to_owned(),
                _ => format!("no execution violates {}", names.join(", ")),
            }
        }
        Verdict::Violated { fault, .. } => format!("{} is violated", fault.kind.property().name()),
        Verdict::Unknown { reason, .. } => format!("unknown: {reason}"),
    }
}
