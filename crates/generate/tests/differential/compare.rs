//! Comparing the searches on one program.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Bounds, Budget, Progress, Task, Verdict};
use generate::Test;
use ir::Program;
use machine::{Config, Grain, Machine, MemoryModel, Properties, Property};

use crate::bounded_reduction;
use crate::common::{Count, Disagreement, load};
use crate::engines;
use crate::naive::{Summary, enumerate};
use crate::renamed;
use crate::stateless;
use crate::symbolic;
use crate::walk::walks;

/// Programs with more states, unreduced, are left out.
const MAX_STATES: usize = 40_000;

/// The same for symbolic states.
const MAX_SYMBOLIC_STATES: usize = 2_000;

/// Random executions of each program.
const WALKS: usize = 100;

/// The longest that one search may take.
const MAX_TIME: Duration = Duration::from_secs(5);

/// What was compared.
#[derive(Default)]
pub struct Tally {
    pub programs: usize,
    pub too_large: usize,
    pub states: usize,
    pub reduced_states: usize,
    /// Programs with inputs that were compared symbolically.
    symbolic: usize,
    /// Verdicts of the engine `bounded` that were compared.
    pub bounded: usize,
    /// And those that might have been.
    pub in_reach: usize,
    /// How often the engine `impact` found that there is no race, and that there is one.
    pub races: [usize; 2],
    /// Programs whose traces were compared with those of all executions, and
    /// those for which even the optimal search took too long.
    pub traced: usize,
    pub untraced: usize,
    /// Programs of which the static analysis says that they have no races.
    pub proven: usize,
    /// Memory models under which a program has final states that it does not have under
    /// a stronger one.
    pub weaker: usize,
    /// Searches under such models that needed no store buffers.
    pub raceless: usize,
    /// For how many programs each property is violated.
    pub violated: BTreeMap<&'static str, usize>,
    enumerating: Duration,
    checking: Duration,
}

/// Runs all searches on a program.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(&test.to_string())?);
    let mut tally = Tally::one();
    let start = Instant::now();
    let machine = machine(&program, None);
    let Some((full, states)) = enumerate(&machine, Grain::Instruction, MAX_STATES) else {
        return Ok(Tally { too_large: 1, ..tally });
    };
    let (reduced, reduced_states) =
        enumerate(&machine, Grain::Visible, usize::MAX).expect("there is no limit");
    same_summaries(&full, &reduced)?;
    contains(&full, &walks(&machine, test.seed, WALKS))?;
    renamed::check(&machine, test.seed);
    renamed::check(&self::machine(&program, Some(Property::Race)), test.seed);
    engines::same_counts(&machine, Grain::Instruction)?;
    engines::same_counts(&machine, Grain::Visible)?;
    tally.states = states;
    tally.reduced_states = reduced_states;
    match stateless::same_traces(&machine)? {
        Some(true) => tally.traced += 1,
        Some(false) => {}
        None => tally.untraced += 1,
    }
    tally.enumerating = start.elapsed();
    for property in Property::safety() {
        if let Some(violated) = check_property(&self::machine(&program, Some(property)), property, &full)? {
            *tally.violated.entry(property.name()).or_default() += usize::from(violated);
            stateless::same_verdict(&self::machine(&program, Some(property)), violated)?;
            engines::same_verdicts(&self::machine(&program, Some(property)), Grain::Visible, violated)?;
        }
    }
    tally.checking = start.elapsed() - tally.enumerating;
    Ok(tally)
}

/// Runs symbolic and concrete search on a program.
pub fn compare_symbolically(test: &Test) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(&test.to_string())?);
    let machine = machine(&program, None);
    let tally = Tally::one();
    let Some((full, reduced_states)) = enumerate(&machine, Grain::Visible, MAX_STATES) else {
        return Ok(Tally { too_large: 1, ..tally });
    };
    let symbolic = usize::from(same_symbolically(&program, &machine, &full)?);
    Ok(Tally { symbolic, reduced_states, ..tally })
}

/// Runs the bounded engine on a program, reduced and not.
pub fn compare_reduction(test: &Test) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(&test.to_string())?);
    let mut tally = Tally::one();
    for property in [None].into_iter().chain(Property::safety().map(Some)) {
        let (reduced, full) = bounded_reduction::same_reached(&machine(&program, property))?;
        tally.reduced_states += reduced as usize;
        tally.states += full as usize;
    }
    Ok(tally)
}

pub fn machine(program: &Arc<Program>, property: Option<Property>) -> Machine {
    machine_under(MemoryModel::Sc, program, property)
}

/// The same under a memory model.
pub fn machine_under(
    memory_model: MemoryModel,
    program: &Arc<Program>,
    property: Option<Property>,
) -> Machine {
    let properties: Properties = property.into_iter().collect();
    let assumed = Properties::undefined();
    Machine::new(Arc::clone(program), Config { properties, assumed, memory_model, ..Config::default() })
}

pub fn same_summaries(full: &Summary, reduced: &Summary) -> Result<(), Disagreement> {
    let differ = |kind: &str, what: String| Disagreement {
        kind: kind.to_owned(),
        message: format!("the unreduced and the reduced search differ in {kind}: {what}"),
    };
    if full.final_states != reduced.final_states {
        let (all, few) = (full.final_states.len(), reduced.final_states.len());
        return Err(differ("final states", format!("{all} and {few} of them")));
    }
    if full.faults != reduced.faults {
        return Err(differ("faults", format!("{:?} and {:?}", full.faults, reduced.faults)));
    }
    if full.violated != reduced.violated {
        return Err(differ("violations", format!("{:?} and {:?}", full.violated, reduced.violated)));
    }
    if full.ends != reduced.ends {
        return Err(differ("ends", format!("{:?} and {:?}", full.ends, reduced.ends)));
    }
    Ok(())
}

/// That symbolic execution leads to the same; whether that could be compared.
fn same_symbolically(program: &Program, machine: &Machine, full: &Summary) -> Result<bool, Disagreement> {
    if !symbolic::reads_inputs(program) {
        return Ok(false);
    }
    let differ = |kind: &str, what: String| Disagreement {
        kind: format!("symbolic {kind}"),
        message: format!("the enumeration and the symbolic one differ in {kind}: {what}"),
    };
    let widened = self::machine(&Arc::new(symbolic::widened(program)), None);
    let mut compared = false;
    for (machine, finals) in [(machine, true), (&widened, false)] {
        let Some(summary) = symbolic::enumerate(machine, MAX_SYMBOLIC_STATES, finals) else { continue };
        compared = true;
        if summary.faults != full.faults {
            return Err(differ("faults", format!("{:?} and {:?}", full.faults, summary.faults)));
        }
        if summary.violated != full.violated {
            return Err(differ("violations", format!("{:?} and {:?}", full.violated, summary.violated)));
        }
        if finals && summary.final_states != full.final_states {
            let (all, others) = (full.final_states.len(), summary.final_states.len());
            return Err(differ("final states", format!("{all} and {others} of them")));
        }
    }
    Ok(compared)
}

/// That random executions led to nothing new.
pub fn contains(full: &Summary, walked: &Summary) -> Result<(), Disagreement> {
    let new = |kind: &str, what: String| Disagreement {
        kind: format!("random executions: {kind}"),
        message: format!("a random execution leads to {kind} that the search has not seen: {what}"),
    };
    if !walked.final_states.is_subset(&full.final_states) {
        return Err(new(
            "final states",
            walked.final_states.difference(&full.final_states).count().to_string(),
        ));
    }
    if let Some(fault) = walked.faults.difference(&full.faults).next() {
        return Err(new("faults", fault.clone()));
    }
    if let Some(property) = walked.violated.difference(&full.violated).next() {
        return Err(new("violations", (*property).to_owned()));
    }
    Ok(())
}

/// Whether the reference engine finds a violation, reduced and unreduced;
/// `None` if one of them came to no verdict.
pub fn check_property(
    machine: &Machine,
    property: Property,
    seen: &Summary,
) -> Result<Option<bool>, Disagreement> {
    let reduced = verdict(machine, Grain::Visible, property)?;
    // The enumeration does not look for these, and sees none that goes on. (A
    // thread that locks its own mutex waits where misuse is not looked for.)
    use Property::{Cleanup, Leak, LockMisuse, Overflow, Race};
    let unseen = matches!(property, Race | Leak | Cleanup | Overflow | LockMisuse);
    // Nor does it see all of these: uninitialised values that are printed, and
    // threads that wait while others go on for ever.
    let partly = matches!(property, Property::Deadlock | Property::Uninit);
    let violated = seen.violated.contains(property.name());
    if let Some(reduced) = reduced
        && !unseen
        && reduced != violated
        && !(partly && reduced)
    {
        return Err(disagreement(property, "enumerated", violated, reduced));
    }
    if !unseen && !violated {
        return Ok(reduced);
    }
    let full = verdict(machine, Grain::Instruction, property)?;
    match (full, reduced) {
        (Some(full), Some(reduced)) if full != reduced => {
            Err(disagreement(property, "unreduced", full, reduced))
        }
        _ => Ok(full.and(reduced)),
    }
}

fn disagreement(property: Property, other: &str, violated: bool, reduced: bool) -> Disagreement {
    let name = property.name();
    let text = |violated: bool| if violated { "violated" } else { "safe" };
    Disagreement {
        kind: format!("verdict on {name}"),
        message: format!("{name} is {} {other}, {} reduced", text(violated), text(reduced)),
    }
}

/// Whether the property is violated; a counterexample must replay.
fn verdict(machine: &Machine, reduction: Grain, property: Property) -> Result<Option<bool>, Disagreement> {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME));
    let task = Task { machine, budget: &budget, bounds: Bounds::default(), progress: &Progress::default() };
    match reference::check(&task, reference::Options { reduction }).verdict {
        Verdict::Holds { .. } => Ok(Some(false)),
        Verdict::Unknown { .. } => Ok(None),
        Verdict::Violated { fault, trace } => match trace::replay(machine, &trace, &fault, &mut ()) {
            Ok(_) => Ok(Some(true)),
            Err(divergence) => Err(Disagreement {
                kind: format!("replay of {}", property.name()),
                message: format!("a counterexample ({reduction:?}) does not replay: {divergence}"),
            }),
        },
    }
}

impl Tally {
    /// Of one program, of which nothing was compared yet.
    pub fn one() -> Tally {
        Tally { programs: 1, ..Tally::default() }
    }

    /// That the programs are worth executing symbolically.
    pub fn check_symbolic(&self) {
        assert!(self.symbolic * 2 > self.programs, "{} of {} programs", self.symbolic, self.programs);
    }

    /// That the programs are worth checking with symbols.
    pub fn check_bounded(&self) {
        assert!(self.bounded * 2 > self.in_reach, "{} of {} verdicts", self.bounded, self.in_reach);
        assert!(self.bounded > 10 * self.programs, "too few verdicts: {}", self.bounded);
    }

    /// That both were found out of races.
    pub fn check_races(&self) {
        assert!(self.races.iter().all(|races| *races > 0), "too few verdicts: {:?}", self.races);
    }

    /// That the programs are worth analysing.
    pub fn check_proven(&self) {
        assert!(self.proven > 0, "the analysis proves nothing");
        assert!(self.proven < self.programs, "no program may have races");
    }

    /// That the programs are worth comparing under weaker memory models.
    pub fn check_weak(&self) {
        assert!(self.too_large * 2 < self.programs, "too many programs are too large");
        // A slow machine may not have come to one yet.
        assert!(self.programs < 60 || self.weaker > 0, "no memory model makes a difference");
        assert!(self.programs < 60 || self.bounded > self.programs, "bounded counted {} times", self.bounded);
        assert!(self.programs < 60 || self.raceless > 0, "no search was without store buffers");
        let unrobust = self.violated.get(Property::Robust.name()).copied().unwrap_or(0);
        assert!(self.programs < 60 || unrobust > 0, "all programs are robust");
    }

    /// That the programs are worth comparing searches on.
    pub fn check_variety(&self) {
        assert!(self.too_large * 5 < self.programs, "too many programs are too large");
        assert!(self.traced * 5 > self.programs, "the traces of too few programs were compared");
        if self.programs < 200 {
            return; // A slow machine: some properties may not have had their turn.
        }
        for property in Property::safety() {
            let count = self.violated.get(property.name()).copied().unwrap_or(0);
            assert!(count > 0, "no program violates {}", property.name());
            assert!(count * 5 < self.programs * 4, "nearly all programs violate {}", property.name());
        }
    }
}

impl Count for Tally {
    fn add(&mut self, other: &Tally) {
        self.programs += other.programs;
        self.too_large += other.too_large;
        self.states += other.states;
        self.reduced_states += other.reduced_states;
        self.symbolic += other.symbolic;
        self.bounded += other.bounded;
        self.in_reach += other.in_reach;
        self.races = [self.races[0] + other.races[0], self.races[1] + other.races[1]];
        self.proven += other.proven;
        self.traced += other.traced;
        self.untraced += other.untraced;
        self.weaker += other.weaker;
        self.raceless += other.raceless;
        self.enumerating += other.enumerating;
        self.checking += other.checking;
        for (name, count) in &other.violated {
            *self.violated.entry(name).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} of them too large", self.programs, self.too_large)?;
        writeln!(f, "{} states, {} reduced", self.states, self.reduced_states)?;
        writeln!(f, "{} programs also symbolically", self.symbolic)?;
        writeln!(f, "{} verdicts with symbols, of {}", self.bounded, self.in_reach)?;
        writeln!(f, "{} without races, by static analysis", self.proven)?;
        writeln!(f, "{} compared trace by trace, {} with too many traces", self.traced, self.untraced)?;
        writeln!(f, "{} memory models that make a difference", self.weaker)?;
        writeln!(f, "{} searches under memory models without store buffers", self.raceless)?;
        writeln!(f, "violated: {:?}", self.violated)?;
        write!(f, "enumerating {:.1?}, checking {:.1?}", self.enumerating, self.checking)
    }
}
