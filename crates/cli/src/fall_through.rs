//! Asking one engine after the other until one knows.
//!
//! Most programs are decided by the first engine within moments. After that a
//! quick look at a few executions is had, which finds simple bugs of programs
//! with more threads or states than can be searched. Then each engine has a
//! short turn. If none of them knows, those that could have gone on start
//! again, one after the other, and each has half of what is left of the budget, the
//! last one all of it. What an engine has shown stays
//! shown: the next is asked only for the rest.
//!
//! Before all engines, a static analysis tries to prove that there are no data
//! races and that no assertion fails. Accesses that cannot be in the first race
//! of an execution are not remembered then. What it proves need not be looked
//! for. The engines are still asked: for the other properties, and because an
//! execution that ends in a fault which was not looked for is not known any
//! further. Only where such faults are taken not to happen, and no other
//! property is asked for, is the proof the answer.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::{Budget, Cut, Evidence, Exceeded, Outcome, Progress, Reason, Stats, Verdict};
use ir::{Failure, Instr, Program, SyncOp};
use machine::{Config, Machine, Properties, Property};
use report::Attempt;

use crate::args::CheckArgs;
use crate::check::run_engine;
use crate::choose::{Choice, choose, quick_look};

/// How long the first engine is asked before a quick look is had, and how long
/// that may take.
const GLANCE: Duration = Duration::from_secs(2);
const QUICK_LOOK: Duration = Duration::from_secs(6);

/// The longest short turn, and its part of a time limit.
const SHORT_TURN: Duration = Duration::from_secs(30);
const SHORT_PART: u32 = 8;

/// How long an engine may go on that is not the last one to do so, if there is no time
/// limit; else half of what is left.
const LONG_TURN: Duration = Duration::from_secs(600);

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
    /// How far the search is.
    pub progress: &'a Progress,
    /// The engines asked so far, the last one perhaps still at work.
    pub attempts: &'a Mutex<Vec<Attempt>>,
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
enum Next {
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
    pub fn ask(mut self) -> Answer {
        if let Some(answer) = self.analyse() {
            return answer;
        }
        let choices = choose(self.args, &self.machine(self.config.properties));
        let [only] = choices[..] else { return self.take_turns(choices) };
        self.turn(only, None)
    }

    /// Asks the static analysis. Yields the answer if that is all there is to
    /// know.
    fn analyse(&mut self) -> Option<Answer> {
        let named = self.args.engine.is_some() || self.args.search.is_some();
        // What it shows holds up to the first fault, which need not be the one that is told.
        let suppresses = !self.config.suppressions.is_empty();
        if named || self.args.no_analysis || suppresses || !creates_threads(self.program) {
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
        let answer = Some(told(&outcome, properties));
        self.attempts().push(Attempt { engine: ANALYSIS, why: Some(why), seconds, answer });
        self.config.properties = self.config.properties.without(properties);
        outcome
    }

    fn take_turns(&mut self, choices: Vec<Choice>) -> Answer {
        let time = self.budget.remaining().map_or(SHORT_TURN, |left| SHORT_TURN.min(left / SHORT_PART));
        let (mut last, mut later, mut symbolic_only) = (None, Vec::new(), false);
        for choice in choices {
            // If nothing is asked for but that executions can be followed to
            // their ends, any engine will do.
            let nothing_left = self.asked_of(choice) == Properties::default()
                && self.config.properties != Properties::default();
            let pointless = choice.endless && later.is_empty();
            if nothing_left || pointless || symbolic_only && self.tries_values(choice) {
                continue;
            }
            let (answer, next) = match last {
                None => self.first_turn(choice, time),
                Some(_) => self.short_turn(choice, time),
            };
            match next {
                Next::Done => return answer,
                Next::Later if !choice.endless => later.push(choice),
                Next::Later | Next::Other => {}
                Next::Symbolic => symbolic_only = true,
            }
            last = Some(answer);
        }
        later.retain(|choice| !(symbolic_only && self.tries_values(*choice)));
        let last_one = later.len().saturating_sub(1);
        for (index, choice) in later.into_iter().enumerate() {
            let half = self.budget.remaining().map_or(LONG_TURN, |left| left / 2);
            let time = (index < last_one).then_some(half);
            let answer = self.turn(Choice { why: Some("it could go on"), ..choice }, time);
            let next = self.next(&answer);
            last = Some(answer);
            if next == Next::Done || self.budget.exceeded() == Some(Exceeded::Cancelled) {
                break;
            }
        }
        last.expect("every property is decided by one of the engines")
    }

    /// The first engine's short turn. If it does not know within moments, a quick
    /// look is had first; where its turn lasts no more than moments, afterwards.
    fn first_turn(&mut self, choice: Choice, time: Duration) -> (Answer, Next) {
        let moments = time <= 2 * GLANCE;
        let (answer, next) = self.short_turn(choice, if moments { time } else { GLANCE });
        let quick = quick_look().filter(|quick| self.asked_of(*quick) != Properties::default());
        let Some(quick) = quick.filter(|_| next == Next::Later) else { return (answer, next) };
        let look = self.turn(quick, Some(QUICK_LOOK.min(time / 2)));
        match self.next(&look) {
            Next::Done => (look, Next::Done),
            _ if moments => (answer, next),
            _ => self.short_turn(choice, time),
        }
    }

    fn short_turn(&mut self, choice: Choice, time: Duration) -> (Answer, Next) {
        let answer = self.turn(choice, Some(time));
        let next = self.next(&answer);
        (answer, next)
    }

    /// Asks one engine: for a short time, or for as long as the budget lasts.
    fn turn(&self, choice: Choice, time: Option<Duration>) -> Answer {
        let started = Instant::now();
        let Choice { engine, why, .. } = choice;
        self.attempts().push(Attempt { engine: engine.name(), why, seconds: 0.0, answer: None });
        self.progress.restart();
        let machine = self.machine(self.asked_of(choice));
        let budget = time.map_or_else(|| self.budget.clone(), |time| self.budget.turn(time));
        let run = |machine: &Machine| {
            run_engine(&*choice.make(self.args), self.args, machine, &budget, self.progress)
        };
        let outcome = match self.with_longer_steps(choice, &machine) {
            None => run(&machine),
            Some(longer) => {
                let outcome = run(&longer);
                machine.add_executed(&longer);
                refined(&longer, &machine, outcome).unwrap_or_else(|| run(&machine))
            }
        };
        engine::release();
        if let Some(attempt) = self.attempts().last_mut() {
            attempt.seconds = started.elapsed().as_secs_f64();
            attempt.answer = Some(told(&outcome, machine.config().properties));
        }
        Answer { choice: Some(choice), machine, outcome }
    }

    fn next(&mut self, answer: &Answer) -> Next {
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
            _ if self.budget.exceeded().is_some() => Next::Done,
            Reason::Exceeded(Exceeded::Time { .. } | Exceeded::Memory { .. }) => Next::Later,
            // A user who sets these limits wants no more.
            Reason::Exceeded(Exceeded::States { .. } | Exceeded::Cancelled) => Next::Done,
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

    fn asked_of(&self, choice: Choice) -> Properties {
        let decides = choice.make(self.args).decides();
        self.config.properties.iter().filter(|property| decides.has(*property)).collect()
    }

    fn tries_values(&self, choice: Choice) -> bool {
        choice.make(self.args).tries_values()
    }

    fn machine(&self, properties: Properties) -> Machine {
        let config = Config { properties, undisturbed: None, ..self.config.clone() };
        Machine::new(Arc::clone(self.program), config)
    }

    /// The same machine, for which accesses that no other thread disturbs are invisible,
    /// if that is known and of use: the other engines find out on their own which
    /// steps commute.
    fn with_longer_steps(&self, choice: Choice, machine: &Machine) -> Option<Machine> {
        let asked = machine.config().properties;
        let of_states = [Property::Leak, Property::Cleanup, Property::Livelock];
        let visits_states = self.args.depth.is_none()
            && choice.make(self.args).visits_states()
            && !of_states.iter().any(|p| asked.has(*p));
        let undisturbed = self.config.undisturbed.clone().filter(|_| visits_states)?;
        let config = Config { undisturbed: Some(undisturbed), ..machine.config().clone() };
        Some(Machine::new(Arc::clone(self.program), config))
    }

    fn attempts(&self) -> std::sync::MutexGuard<'_, Vec<Attempt>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
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

fn creates_threads(program: &Program) -> bool {
    let creates = |instr: &Instr| matches!(instr, Instr::Sync { op: SyncOp::ThreadCreate, .. });
    program.functions.iter().any(|function| function.code.iter().any(creates))
}

fn told(outcome: &Outcome, properties: Properties) -> String {
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
