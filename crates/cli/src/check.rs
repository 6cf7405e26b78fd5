//! `threadproof check`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use engine::{
    Assumption, Bounds, Budget, Cut, Engine, Formulas, Outcome, Progress, Reason, Stats, Task, Verdict,
};
use ir::Program;
use machine::{Config, Fault, Machine, MemoryModel, Properties, Property, Question, Temporal};
use report::{Coverage, CoverageReport, Found, Interleaving, Sample};
use trace::{SavedTrace, Trace};

use crate::analyse;
use crate::args::{self, CheckArgs, Format, InputArgs};
use crate::choose::Choice;
use crate::engines::{self, ENGINES, Listed};
use crate::exit::{Failure, Output};
use crate::fall_through::{ANALYSIS, Answer};
use crate::fences;
use crate::files;
use crate::keep_going;
use crate::load::load;
use crate::loop_invariants::loop_invariants;
use crate::robust;
use crate::save::{replay_command, saved_trace, write, write_to_cache};
use crate::session::Session;
use crate::spec;
use crate::suppressions;
use crate::witness;

/// Checks the program and reports.
pub fn check(args: &CheckArgs, session: &Session) -> Result<Output, Failure> {
    files::can_be_written(&session.output).map_err(Failure::Input)?;
    args.trace
        .iter()
        .chain(&args.lcov)
        .try_for_each(|path| files::is_writable(path))
        .map_err(Failure::Input)?;
    let mut config = configure(args).map_err(Failure::Input)?;
    let properties = *session.properties.get_or_init(|| config.properties);
    if session.output.witness.is_some() {
        let InputArgs { files, data_model, .. } = &args.input;
        session.task.get_or_init(|| witness::task(files, *data_model, args.spec.as_deref()));
    }
    let program = Arc::new(load(&args.input)?);
    session.program.get_or_init(|| Arc::clone(&program));
    config.temporal = temporal(args.temporal.question(), &program).map_err(Failure::Input)?;
    for engine in engines::by_turn() {
        engine.check_program(args, &program).map_err(Failure::Input)?;
    }
    args.engines.checkpoint.open(args, &program).map_err(Failure::Input)?;
    let suppressions = config.suppressions.clone();
    let mut answer = match robust::prepare(&program, &mut config, session) {
        Ok(()) => keep_going::ask(args, &program, config.clone(), session)?,
        Err(unknown) => unknown,
    };
    ENGINES.into_iter().try_for_each(|engine| engine.finish(args)).map_err(Failure::Input)?;
    session.warnings().extend(args.engines.checkpoint.warning());
    if let Some(aside) = args.engines.processes.aside(&answer.outcome.verdict) {
        return Ok(aside);
    }
    session.warnings().extend(args.engines.processes.warning());
    if let Verdict::Violated { .. } = answer.outcome.verdict {
        let found = found(args, &mut answer, session)?;
        session.found().push(found);
    }
    if args.fences {
        let repair = fences::propose(args, &program, &config, session, &answer)?;
        repair.into_iter().for_each(|repair| session.repair.set(repair).expect("one is proposed"));
    }
    let Answer { choice, machine, mut outcome } = answer;
    if let Verdict::Holds { .. } = outcome.verdict {
        let written = choice.map_or(Ok(()), |choice| choice.engine.write_proof(args, &machine));
        written.map_err(Failure::Input)?;
        outcome.assumptions = match choice {
            Some(_) => Assumption::all(&machine, properties, &outcome.warnings),
            None => Assumption::all_unsearched(&machine, properties),
        };
        if session.output.witness.is_some() && suppressions.is_empty() {
            session.invariants.get_or_init(|| loop_invariants(&program, &args.input.files));
        }
        let volatile = args.input.volatile_atomic.then_some(Assumption::VolatileAtomic);
        outcome.assumptions.extend(volatile);
    }
    if let Verdict::Unknown { reason, .. } = &outcome.verdict {
        let samples: Vec<Sample> = session.attempts().iter().flat_map(|each| each.samples.clone()).collect();
        session.hints.get_or_init(|| report::hints(&program, reason, &samples));
    }
    let coverage = coverage(args, &machine, choice, &outcome.verdict);
    let explained = args.explain && args.output.format == Format::Text;
    let table = explained.then(|| analyse::table(&program, &analysis::explain(&program)));
    let coverage_report =
        coverage.as_ref().map(|coverage| CoverageReport { coverage, listed: args.coverage });
    let rendered = session.tell(engine_name(choice), properties, &outcome, coverage_report);
    let lcov = args.lcov.as_ref().map(|path| write_lcov(path, coverage.as_ref()));
    let text = table.map(|table| table + "\n").unwrap_or_default() + &rendered.text;
    let unused = suppressions::unused(&suppressions);
    let besides: Vec<String> = session.warnings().drain(..).collect();
    let warnings = besides.into_iter().chain(unused).chain(rendered.warnings);
    let warnings = warnings.chain(lcov.and_then(Result::err)).collect();
    Ok(Output { text, warnings, exit: rendered.exit })
}

fn engine_name(choice: Option<Choice>) -> &'static str {
    choice.map_or(ANALYSIS, |choice| choice.engine.name())
}

/// The counterexample of an answer, simplified, replayed and saved. The first one
/// goes to the file that the user named.
pub fn found(args: &CheckArgs, answer: &mut Answer, session: &Session) -> Result<Found, Failure> {
    let engine = engine_name(answer.choice);
    let Verdict::Violated { fault, trace } = &mut answer.outcome.verdict else {
        unreachable!("the answer is a counterexample")
    };
    if answer.choice.is_some_and(|choice| !choice.make(args).finds_minimal()) {
        simplify(&answer.machine, fault, trace);
    }
    let (interleaving, replayed) = replayed(engine, args, &answer.machine, fault, trace)?;
    **fault = replayed;
    let named = args.trace.as_deref().filter(|_| session.found().is_empty());
    let saved = save(named, &saved_trace(&args.input, &answer.machine, engine, fault, trace));
    session.warnings().extend(saved.warning);
    Ok(Found { engine, fault: (**fault).clone(), trace: trace.clone(), interleaving, replay: saved.command })
}

/// What the engine executed, unless it ended with a counterexample; the static
/// analysis executes nothing.
fn coverage(
    args: &CheckArgs,
    machine: &Machine,
    choice: Option<Choice>,
    verdict: &Verdict,
) -> Option<Coverage> {
    let engine = choice.filter(|_| !matches!(verdict, Verdict::Violated { .. }))?.make(args);
    Some(Coverage::of(machine, engine.follows_executions()))
}

fn write_lcov(path: &Path, coverage: Option<&Coverage>) -> Result<(), String> {
    let coverage = coverage.ok_or("no coverage is known of this verdict")?;
    files::write_file(path, &report::lcov(coverage))
}

/// The machine's configuration.
pub fn configure(args: &CheckArgs) -> anyhow::Result<Config> {
    let formulas = (!args.temporal.ltl.is_empty()).then_some(Property::Ltl);
    let properties = match &args.spec {
        None if formulas.is_some() && args.property.is_empty() => Properties::default(),
        None => args::properties(&args.property),
        Some(path) => read_spec(path)?,
    };
    let properties = properties.iter().chain(formulas).collect();
    check_engine(args, properties)?;
    check_memory_model(args, properties)?;
    let alone = properties.iter().count() == 1;
    anyhow::ensure!(alone || !properties.has(Property::Robust), "robustness is checked alone");
    Ok(Config {
        properties,
        nondet_range: args.nondet_range,
        assumed: assumed(args),
        error_calls_only: args.spec.is_some(),
        stack_limit: args.stack_size,
        racing: None,
        undisturbed: None,
        memory_model: args.memory.model(),
        buffer_bound: args.memory.buffer_bound,
        fences: Vec::new(),
        // Those under sequential consistency are found before others are looked at.
        finals: None,
        suppressions: args.suppressions.as_deref().map_or(Ok(Vec::new()), suppressions::read)?,
        // What formulas are about is known once the program is loaded.
        temporal: None,
        past_faults: false,
        few_objects: machine::FEW_OBJECTS,
        renumbered: machine::RENUMBERED,
    })
}

/// The formulas that are asked, with what their propositions mean in the program.
pub fn temporal(question: Option<Question>, program: &Program) -> anyhow::Result<Option<Arc<Temporal>>> {
    let resolve = |question| Temporal::new(question, program).map_err(anyhow::Error::msg);
    question.map(resolve).transpose()
}

/// What is taken not to happen. The competition's properties are about
/// programs that do nothing undefined otherwise; but it lets them read what was
/// never initialised.
fn assumed(args: &CheckArgs) -> Properties {
    let by_spec = Properties::undefined_unasked().iter().filter(|_| args.spec.is_some());
    args.assume_no.iter().filter_map(|name| Property::from_name(name)).chain(by_spec).collect()
}

/// Options that cannot be had together, or not here, are said at once.
fn check_engine(args: &CheckArgs, properties: Properties) -> anyhow::Result<()> {
    let engine = args.engine.or(args.search.and_then(engines::with_search));
    if let (Some(engine), Some(search)) = (engine, args.search) {
        let known = engine.searches().contains(&search);
        anyhow::ensure!(known, "the engine {} has no search {search}", engine.name());
    }
    for other in engines::by_turn() {
        if engine.is_none_or(|engine| engine.name() == other.name()) {
            other.check_options(args)?;
        }
    }
    engine.map_or(Ok(()), |engine| check_properties(args, engine, properties))
}

/// Not everything is defined where stores wait in buffers.
fn check_memory_model(args: &CheckArgs, properties: Properties) -> anyhow::Result<()> {
    if !args.memory.model().has_buffers() {
        let fences = args.fences;
        anyhow::ensure!(!fences, "fences change nothing under sc: use --memory-model tso or pso");
        let robust = properties.has(Property::Robust) || properties.has(Property::RobustTraces);
        anyhow::ensure!(!robust, "every program is robust under sc: use --memory-model tso or pso");
        return Ok(());
    }
    let traces = properties.has(Property::RobustTraces) && args.memory.model() != MemoryModel::Tso;
    anyhow::ensure!(!traces, "robustness of traces is decided under tso only");
    let witness = args.output.witness.is_some();
    anyhow::ensure!(!witness, "--witness tells of sequential consistency only: leave out --memory-model");
    Ok(())
}

/// An engine that is named must decide all that is asked.
fn check_properties(args: &CheckArgs, engine: Listed, properties: Properties) -> anyhow::Result<()> {
    let decides = |engine: Listed| engine.engine(args, None).decides();
    // One that does not decide the formulas says so when it is asked.
    let mut missing =
        properties.without(decides(engine)).iter().filter(|property| *property != Property::Ltl);
    let Some(missing) = missing.next() else { return Ok(()) };
    let others = ENGINES.into_iter().filter(|other| decides(*other).has(missing));
    let others: Vec<String> = others.map(|other| format!("--engine {}", other.name())).collect();
    let (name, others) = (engine.name(), others.join(" or "));
    match missing {
        Property::Robust | Property::RobustTraces => {
            anyhow::bail!("the engine {name} does not decide robustness: use {others}")
        }
        missing => anyhow::bail!("the engine {name} does not look for {}s: use {others}", missing.name()),
    }
}

fn read_spec(path: &Path) -> anyhow::Result<Properties> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    spec::parse(&text).with_context(|| format!("{} is not a property file that I know", path.display()))
}

/// What part of the executions is looked at.
pub fn bounds(args: &CheckArgs) -> Bounds {
    Bounds { depth: args.depth, context_switches: args.engines.context_bound() }
}

/// Runs an engine.
pub fn run_engine(
    engine: &dyn Engine,
    args: &CheckArgs,
    machine: &Machine,
    budget: &Budget,
    progress: &Progress,
) -> Outcome {
    let task = Task { machine, budget, bounds: bounds(args), progress };
    match machine.config().memory_model {
        model if !engine.follows(model) => not_followed(&task, Cut::MemoryModel(model)),
        _ if engine.formulas() < Formulas::of(machine) => not_followed(&task, Cut::Formulas),
        _ => engine.check(&task),
    }
}

/// The answer of an engine that does not know the memory model or does not decide the formulas.
fn not_followed(task: &Task<'_>, why: Cut) -> Outcome {
    let reason = Reason::Cut(vec![why]);
    let verdict = Verdict::Unknown { reason, covered: "nothing".to_owned() };
    Outcome::new(task.machine, verdict, Stats::after(0.0), Vec::new())
}

/// Removes preemptions that the fault does not need. The engine's own trace
/// stays if it does not even replay: that is told as it is.
pub fn simplify(machine: &Machine, fault: &mut Fault, trace: &mut Trace) {
    if let Some((simple, found)) = trace::simplify(machine, trace, fault) {
        (*trace, *fault) = (simple, found);
    }
}

/// Replays the counterexample; the fault is then told as the replay met it. One
/// that does not replay is no verdict: it is saved as evidence of the tool's
/// own mistake.
pub fn replayed(
    engine: &str,
    args: &CheckArgs,
    machine: &Machine,
    fault: &Fault,
    trace: &Trace,
) -> Result<(Interleaving, Fault), Failure> {
    let diverged = match report::record(machine, trace, fault) {
        Ok((interleaving, replayed)) => return Ok((interleaving, replayed.fault)),
        Err(diverged) => diverged,
    };
    let saved = saved_trace(&args.input, machine, engine, fault, trace);
    let kept = match write_to_cache(&saved) {
        Ok(path) => format!("the trace is in {}", path.display()),
        Err(error) => format!("the trace could not be saved: {error:#}"),
    };
    let what = report::message(fault);
    Err(Failure::Internal(anyhow::anyhow!(
        "the engine {engine} found \"{what}\" at {}, but its trace does not replay: {diverged}; {kept}",
        fault.at
    )))
}

/// What came of saving a trace.
#[derive(Default)]
struct Saved {
    /// The command that replays it.
    command: Option<String>,
    /// Why it is not where it should be.
    warning: Option<String>,
}

/// Saves the trace, in the cache if the file that the user named cannot be
/// written after all. A failure costs the command, never the verdict.
fn save(named: Option<&Path>, saved: &SavedTrace) -> Saved {
    let named = named.map(|path| write(saved, path).map(|()| path));
    let warning = match named {
        Some(Ok(path)) => return Saved { command: Some(replay_command(path)), warning: None },
        Some(Err(error)) => Some(format!("{error:#}")),
        None => None,
    };
    Saved { command: write_to_cache(saved).ok().map(|path| replay_command(&path)), warning }
}
