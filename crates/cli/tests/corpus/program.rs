//! Runs one program as its header says.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Parser;
use engine::{Budget, Outcome, Progress, Verdict};
use machine::{Config, FinalStates, Finals, Grain, Machine, Properties, Property};
use reference::{Options, Reference};
use threadproof::args::{Args, CheckArgs, Command, Reduction};

use crate::analysed;
use crate::bounded;
use crate::default;
use crate::enforced;
use crate::explicit;
use crate::header::{Expect, Header};
use crate::heads;
use crate::impact;
use crate::native;
use crate::stateless;
use crate::temporal;
use crate::verify;
use crate::weak;

/// How long one check may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Below this many states, the unreduced search is compared too, if it takes
/// no longer than this.
pub const SMALL: u64 = 500;
const UNREDUCED_TIME_LIMIT: Duration = Duration::from_secs(2);

/// A program under test.
pub struct Subject {
    pub args: CheckArgs,
    pub program: Arc<ir::Program>,
    /// Faults that are taken not to happen where a property is checked alone.
    pub assumed: Properties,
    /// The paths and texts of all its source files.
    pub texts: Vec<(PathBuf, String)>,
    /// What searches find that look for nothing.
    pub aimless: Aimless,
}

/// Searches that look for nothing and so are ended by nothing but their budget. Those that look for
/// something that is not there take no less.
#[derive(Default)]
pub struct Aimless {
    pub reduced: OnceLock<Option<Outcome>>,
    pub unreduced: OnceLock<Option<Outcome>>,
    pub stateless: OnceLock<Option<Outcome>>,
}

/// All that differs from what the header expects.
pub fn run(path: &Path, text: &str, header: &Header) -> Vec<String> {
    let subject = match subject(path, text, header) {
        Ok(subject) => subject,
        Err(error) => return vec![error],
    };
    if std::env::var_os("STATELESS").is_some() {
        return stateless::all(&subject, header);
    }
    if std::env::var_os("IMPACT").is_some() {
        return impact::all(&subject, &header.expects, header.unbounded);
    }
    if std::env::var_os("HEADS").is_some() {
        return heads::invariants(&subject).into_iter().collect();
    }
    if enforced::is_asked() {
        return enforced::all(&subject, header);
    }
    if native::is_asked() {
        return native::all(&subject, path, header);
    }
    let mut differences = Vec::new();
    for expect in header.enumerated() {
        differences.extend(check(&subject, &expect));
    }
    for expect in &header.expects {
        differences.extend(default::verdict(&subject, expect));
    }
    differences.extend(temporal::all(&subject, header));
    differences.extend(analysed::verdict(&subject, header));
    differences.extend(heads::invariants(&subject));
    let livelock = Property::Livelock.name();
    for expect in header.expects.iter().filter(|expect| expect.property != livelock) {
        if let Ok(machine) = subject.machine(properties(&expect.property)) {
            differences.extend(bounded::verdict(&subject, &machine, expect, bounded::Part::of(header)));
            differences.extend(impact::verdict(&subject, &machine, expect, header.unbounded));
        }
    }
    if let Some(expected) = header.final_states {
        differences.extend(final_states(&subject, expected));
    }
    // With a bound on steps, which states are seen depends on the order.
    if subject.args.depth.is_none() {
        differences.extend(explicit::counts(&subject));
        differences.extend(stateless::counts(&subject, header.executions));
    }
    header.weak.iter().for_each(|expected| differences.extend(weak::all(&subject, header, expected)));
    differences.extend(verify::blessed(&subject, path, header).err());
    differences.extend(enforced::sample(path, &subject, header));
    differences
}

fn subject(path: &Path, text: &str, header: &Header) -> Result<Subject, String> {
    let mut texts = vec![(path.to_owned(), text.to_owned())];
    for with in &header.with {
        let path = path.with_file_name(with);
        let text = std::fs::read_to_string(&path).map_err(|e| format!("with: {}: {e}", path.display()))?;
        texts.push((path, text));
    }
    let mut line = vec!["threadproof".to_owned(), "check".to_owned()];
    line.extend(header.options.iter().cloned());
    line.extend(texts.iter().map(|(path, _)| path.display().to_string()));
    line.push("--".to_owned());
    line.extend(header.flags.iter().cloned());
    let args = Args::try_parse_from(line).map_err(|e| format!("options: {e}"))?;
    let Command::Check(args) = args.command else { unreachable!("the command is check") };
    let program = threadproof::load(&args.input).map_err(|failure| format!("does not load: {failure:?}"))?;
    let assumed = if header.assumes_nothing { Properties::default() } else { Properties::undefined() };
    Ok(Subject { args: *args, program: Arc::new(program), assumed, texts, aimless: Aimless::default() })
}

impl Subject {
    pub fn config(&self, properties: Properties) -> Result<Config, String> {
        let config = threadproof::configure(&self.args).map_err(|e| format!("{e:#}"))?;
        let assumed = config.assumed.iter().chain(self.assumed.iter()).collect();
        let config = Config { properties, assumed, ..config };
        let finals = properties.has(Property::Robust).then(|| self.final_states(&config)).transpose()?;
        Ok(Config { finals: finals.map(Finals::Known), ..config })
    }

    /// The final states under sequential consistency.
    fn final_states(&self, config: &Config) -> Result<Arc<FinalStates>, String> {
        let budget = Budget::unlimited().with_timeout(Some(TIME_LIMIT)).with_memory_limit(Some(6 << 30));
        threadproof::robust::final_states(&self.program, config, &budget, &Progress::default())
            .map_err(|(_, outcome)| format!("final states under sc: {:?}", outcome.verdict))
    }

    pub fn machine(&self, properties: Properties) -> Result<Machine, String> {
        Ok(Machine::new(Arc::clone(&self.program), self.config(properties)?))
    }

    /// What a search finds that looks for nothing, if it comes to its end.
    pub fn states(&self, grain: Grain) -> Option<&Outcome> {
        let found = match grain {
            Grain::Visible | Grain::Causal => &self.aimless.reduced,
            Grain::Instruction => &self.aimless.unreduced,
        };
        let search = || {
            let outcome = self.search(&self.machine(Properties::default()).ok()?, grain);
            (!out_of_budget(&outcome)).then_some(outcome)
        };
        found.get_or_init(search).as_ref()
    }

    pub fn search(&self, machine: &Machine, grain: Grain) -> Outcome {
        let (limit, reduction) = match grain {
            Grain::Visible | Grain::Causal => (TIME_LIMIT, Reduction::Tau),
            Grain::Instruction => (UNREDUCED_TIME_LIMIT, Reduction::None),
        };
        let budget = Budget::unlimited().with_timeout(Some(limit)).with_memory_limit(Some(6 << 30));
        let args = CheckArgs { reduction, ..self.args.clone() };
        let engine = Reference(Options { reduction: args.reduction.into() });
        threadproof::run_engine(&engine, &args, machine, &budget, &Progress::default())
    }
}

/// The properties that a name in a header stands for.
pub fn properties(name: &str) -> Properties {
    Property::from_name(name).map_or_else(Properties::standard, |property| [property].into_iter().collect())
}

/// Checks one expectation, reduced and, if that is cheap, unreduced.
pub fn check(subject: &Subject, expect: &Expect) -> Vec<String> {
    let machine = match subject.machine(properties(&expect.property)) {
        Ok(machine) => machine,
        Err(error) => return vec![error],
    };
    if expect.property == Property::Livelock.name() {
        let mut differences = explicit::livelock(subject, &machine, expect);
        differences.extend(stateless::verdict(subject, &machine, expect));
        return differences;
    }
    let reduced = subject.search(&machine, Grain::Visible);
    let mut differences = Vec::new();
    differences.extend(verify::outcome(subject, &machine, expect, &reduced).err());
    let is_small = reduced.stats.count(engine::counters::STATES).unwrap_or(0) <= SMALL;
    let may_end = || expect.verdict != "safe" || subject.states(Grain::Instruction).is_some();
    if differences.is_empty() && is_small && may_end() {
        let full = subject.search(&machine, Grain::Instruction);
        if !out_of_budget(&full) {
            let result = verify::outcome(subject, &machine, expect, &full).err();
            differences.extend(result.map(|error| format!("without reduction: {error}")));
        }
    }
    if differences.is_empty() {
        differences = explicit::verdicts(subject, &machine, expect, &reduced);
        if expect.property != Property::RobustTraces.name() {
            differences.extend(stateless::verdict(subject, &machine, expect));
        }
    }
    differences
}

pub fn out_of_budget(outcome: &Outcome) -> bool {
    matches!(&outcome.verdict, Verdict::Unknown { reason: engine::Reason::Exceeded(_), .. })
}

/// Counts final states with no property at all, so that nothing ends the search.
pub fn final_states(subject: &Subject, expected: u64) -> Option<String> {
    let Some(outcome) = subject.states(Grain::Visible) else {
        return Some("final-states: the search ran out of its budget".to_owned());
    };
    let found = outcome.stats.count(engine::counters::FINAL_STATES).unwrap_or(0);
    (found != expected).then(|| format!("final-states: expected {expected}, found {found}"))
}
