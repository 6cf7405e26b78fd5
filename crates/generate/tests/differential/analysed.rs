//! The static analysis beside executions.
//!
//! The first race of every random execution must be one of the pairs that the
//! analysis lists, and every instruction that is executed must be one that it
//! takes for reachable, also where it knows values; what is loaded must be one of
//! the values that it knows, and so must be what variables hold where a thread is at
//! the head of a loop. The explicit engine's verdict must be the same if it
//! remembers only accesses of these pairs, and that of all engines if their steps go on
//! through accesses that no other thread disturbs.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use analysis::invariants::heads::{Head, Range};
use analysis::{Analysis, Place};
use engine::counters::EXECUTIONS;
use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use generate::{Random, Test};
use ir::{FuncId, Location, Pc, Program};
use machine::{Config, Event, FaultKind, Grain, Machine, Observer, Property, State, ThreadId};

use crate::common::{Disagreement, load};
use crate::compare::{Tally, machine};

/// Executions, steps of each, and the longest that a search may take.
const WALKS: usize = 150;
const MAX_STEPS: usize = 1500;
const MAX_TIME: Duration = Duration::from_secs(2);

/// Compares on one program.
pub fn compare(test: &Test) -> Result<Tally, Disagreement> {
    let program = Arc::new(load(&test.to_string())?);
    let mut tally = Tally::one();
    let Ok(found) = analysis::analyse(&program) else { return Ok(tally) };
    let machine = machine(&program, Some(Property::Race));
    let mut executed = Executed::default();
    let mut random = Random::new(test.seed);
    let heads = analysis::heads(&program).unwrap_or_default();
    for _ in 0..WALKS {
        if let Some(race) = first_race(&machine, &mut random, &mut executed, &heads)? {
            is_listed(&program, &found, &race)?;
        }
    }
    are_reached(&program, &executed)?;
    are_known(&program, &executed)?;
    tally.proven += usize::from(found.pairs.is_empty());
    same_verdict(&program, &machine, &found)?;
    for property in [Property::Assert, Property::Deadlock, Property::Race] {
        longer_steps_agree(&program, property)?;
    }
    Ok(tally)
}

/// The instructions that were executed, and what was loaded.
#[derive(Default)]
struct Executed(HashSet<(FuncId, Pc)>, HashSet<(FuncId, Pc, u64, u64)>);

impl Observer for Executed {
    fn event(&mut self, _: ThreadId, function: FuncId, pc: Pc, event: Event) {
        // The end of a frame's objects stands nowhere.
        if !matches!(event, Event::Free { .. }) {
            self.0.insert((function, pc));
        }
        if let Event::Read { place, value, .. } = event
            && value.is_plain()
        {
            self.1.insert((function, pc, place.len, value.bits));
        }
    }
}

fn first_race(
    machine: &Machine,
    random: &mut Random,
    executed: &mut Executed,
    heads: &[Head],
) -> Result<Option<[Location; 2]>, Disagreement> {
    let mut state = machine.initial();
    let mut last = None;
    for _ in 0..MAX_STEPS {
        let runnable = machine.runnable(&state);
        if runnable.is_empty() {
            return Ok(None);
        }
        let stays = last.filter(|thread| runnable.contains(thread) && !random.one_in(4));
        let thread = stays.unwrap_or_else(|| random.pick(&runnable));
        last = Some(thread);
        let Ok(choices) = machine.choices(&state, thread) else { return Ok(None) };
        let choice = random.below(choices as usize) as u64;
        let step = machine.step(&mut state, thread, choice, Grain::Instruction, executed);
        for fault in step.faults {
            if let FaultKind::DataRace { first, second, .. } = fault.kind {
                return Ok(Some([first.at, second.at]));
            }
        }
        if step.end.is_some() {
            return Ok(None);
        }
        machine.refresh_sharing(&mut state);
        heads.iter().try_for_each(|head| holds(machine, &state, head))?;
    }
    Ok(None)
}

/// What the analysis says of variables holds if a thread is at the head of the loop.
fn holds(machine: &Machine, state: &State, head: &Head) -> Result<(), Disagreement> {
    let is_there = |thread| machine.stands(state, thread).last() == Some(&(head.function, head.pc));
    if !state.alive().any(is_there) {
        return Ok(());
    }
    for Range { global, offset, bytes, values } in &head.ranges {
        let value = machine.global_value(state, *global, *offset, *bytes);
        let unused = 64 - 8 * *bytes as u32;
        let number = value.filter(|value| value.is_plain()).map(|v| (v.bits << unused) as i64 >> unused);
        if number.is_none_or(|number| number < values.lo || number > values.hi) {
            let message =
                format!("at {} a variable is {number:?}, but the analysis says {values:?}", head.at);
            return Err(Disagreement { kind: "heads".to_owned(), message });
        }
    }
    Ok(())
}

/// A race in the run-time library is told where that is called.
fn stands_at(program: &Program, place: Place, at: &Location) -> bool {
    let function = program.function(place.function);
    let span = function.spans.get(place.pc as usize).copied().unwrap_or_default();
    function.library || program.location(place.function, span) == *at
}

fn is_listed(program: &Program, found: &Analysis, [a, b]: &[Location; 2]) -> Result<(), Disagreement> {
    let stand = |x: Place, y: Place| stands_at(program, x, a) && stands_at(program, y, b);
    if found.pairs.iter().any(|(x, y)| stand(*x, *y) || stand(*y, *x)) {
        return Ok(());
    }
    let message = format!("{a} and {b} race first, but the analysis says that they do not");
    Err(Disagreement { kind: "analysis".to_owned(), message })
}

fn are_reached(program: &Program, executed: &Executed) -> Result<(), Disagreement> {
    let reachable = analysis::reachable(program).expect("the program was analysed");
    let is_reachable = |place: Place| reachable.binary_search(&place).is_ok();
    let missing =
        executed.0.iter().find(|(function, pc)| !is_reachable(Place { function: *function, pc: *pc }));
    let Some((function, pc)) = missing else { return Ok(()) };
    let name = program.name(program.function(*function).name);
    let message = format!("instruction {pc} of {name} is executed, but the analysis says that it is not");
    Err(Disagreement { kind: "reached".to_owned(), message })
}

/// What was executed and loaded is what the analysis of values says.
fn are_known(program: &Program, executed: &Executed) -> Result<(), Disagreement> {
    let Ok(known) = analysis::values(program, &|_| false) else { return Ok(()) };
    let place = |function: &FuncId, pc: &Pc| Place { function: *function, pc: *pc };
    let differ = |(function, pc): (&FuncId, &Pc), what: String| {
        let name = program.name(program.function(*function).name);
        let message = format!("instruction {pc} of {name} {what}, but the analysis says that it is not");
        Err(Disagreement { kind: "values".to_owned(), message })
    };
    for (function, pc) in &executed.0 {
        if !known.reached.contains(&place(function, pc)) {
            return differ((function, pc), "is executed".to_owned());
        }
    }
    for (function, pc, len, bits) in &executed.1 {
        let Some(loads) = known.loads.get(&place(function, pc)).filter(|_| *len <= 8) else { continue };
        let unused = 64 - *len as u32 * 8;
        let value = (*bits << unused) as i64 >> unused;
        if value < loads.lo || value > loads.hi {
            return differ((function, pc), format!("loads {value}"));
        }
    }
    Ok(())
}

/// The explicit engine's verdict is the same where only the accesses of listed
/// pairs are remembered, and its counterexample is one of the whole program.
fn same_verdict(program: &Arc<Program>, machine: &Machine, found: &Analysis) -> Result<(), Disagreement> {
    let racing = Some(Arc::new(found.racing(program)));
    let filtered = Machine::new(Arc::clone(program), Config { racing, ..machine.config().clone() });
    let differ = |message: String| Err(Disagreement { kind: "proven".to_owned(), message });
    match (explicit(machine), explicit(&filtered)) {
        (Verdict::Violated { fault, .. }, Verdict::Holds { .. }) => differ(format!(
            "there is a race at {} between accesses that the analysis does not list",
            fault.at
        )),
        (_, Verdict::Violated { fault, trace }) => match trace::replay(machine, &trace, &fault, &mut ()) {
            Ok(_) => Ok(()),
            Err(divergence) => {
                differ(format!("a race between listed accesses does not replay: {divergence}"))
            }
        },
        _ => Ok(()),
    }
}

/// How an engine is asked.
type Check = fn(&Task<'_>) -> Outcome;

/// The engines whose steps may go further.
const TAKE_LONGER_STEPS: [(&str, Check); 3] = [
    ("explicit", |task| explicit::check(task, explicit::Options { twins: true, ..Default::default() })),
    ("stateless", |task| stateless::check(task, &stateless::Options::default())),
    ("bounded", |task| bounded::check(task, &bounded::Options::default())),
];

/// The verdict of an engine is the same where accesses that no other thread disturbs
/// are invisible, and its counterexample is one of the machine itself. The stateless
/// engine runs no more executions: such accesses are ordered by other steps. It may run
/// fewer, where `main` ends the process before or after such an access.
fn longer_steps_agree(program: &Arc<Program>, property: Property) -> Result<(), Disagreement> {
    let Ok(undisturbed) = analysis::undisturbed(program) else { return Ok(()) };
    let machine = machine(program, Some(property));
    let config = Config { undisturbed: Some(Arc::new(undisturbed)), ..machine.config().clone() };
    let longer = Machine::new(Arc::clone(program), config);
    for (engine, check) in TAKE_LONGER_STEPS {
        let differ = |message: String| {
            Err(Disagreement { kind: "undisturbed".to_owned(), message: format!("{engine}: {message}") })
        };
        let (expected, found) = (run(&machine, check), run(&longer, check));
        match (expected.verdict, found.verdict) {
            (Verdict::Violated { fault, .. }, Verdict::Holds { .. }) => {
                return differ(format!("a fault at {} is not found with longer steps", fault.at));
            }
            (Verdict::Holds { .. }, Verdict::Violated { fault, .. }) => {
                return differ(format!("a fault at {} is found with longer steps only", fault.at));
            }
            (_, Verdict::Violated { fault, trace }) => {
                let fine = trace::refine(&longer, &machine, &trace);
                if fine.is_none_or(|fine| trace::replay(&machine, &fine, &fault, &mut ()).is_err()) {
                    return differ("a trace of longer steps does not replay".to_owned());
                }
            }
            (Verdict::Holds { .. }, Verdict::Holds { .. }) => {
                let (short, long) = (expected.stats.count(EXECUTIONS), found.stats.count(EXECUTIONS));
                if short < long {
                    return differ(format!("{long:?} executions with longer steps instead of {short:?}"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn run(machine: &Machine, check: fn(&Task<'_>) -> Outcome) -> Outcome {
    let budget = Budget::unlimited().with_timeout(Some(MAX_TIME)).with_threads(1);
    check(&Task { machine, budget: &budget, bounds: Bounds::default(), progress: &Progress::default() })
}

fn explicit(machine: &Machine) -> Verdict {
    run(machine, |task| explicit::check(task, explicit::Options::default())).verdict
}
