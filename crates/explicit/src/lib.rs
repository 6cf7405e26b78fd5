//! The explicit-state engine, after "Context-Switch-Directed Verification in
//! DIVINE" (Štill, Ročkai, Barnat).
//!
//! It visits every reachable state: complete when it finishes, and with short
//! readable counterexamples when it does not.
//!
//! | file | what |
//! |---|---|
//! | `csdr` | the search by context switches (Algorithm 1) |
//! | `incoming`, `log`, `backward` | its bookkeeping, and counterexamples from it |
//! | `bfs`, `dfs` | the plain searches |
//! | `worker`, `parallel`, `found` | what searches have in common |
//! | `effects` | steps that need not be executed again |
//! | `store`, `pairs`, `index`, `chunked` | states in little memory |
//! | `state_graph` | all states and steps with labels, components, fair cycles |
//! | `whole_graph`, `abandoned` | threads that wait while others go round for ever |
//! | `temporal` | executions that violate a formula of temporal logic |
//! | `livelock` | the formula that livelocks violate |
//! | `compaction` | fingerprints instead of states |
//! | `symmetry` | states up to the numbers of threads |
//! | `renamed` | executions of the program from those in which threads were renamed |
//! | `transactions` | steps of one thread that are taken as one |
//! | `raceless` | programs that cannot tell a memory model from sequential consistency |
//! | `twins` | threads of which only one is followed |
//! | `checkpoint` | searches that go on in another process |
//! | `spread` | searches in several processes |
//! | `drawing` | the state graph of a small program, to be drawn |
//! | `outcome` | verdict, trace, statistics |
//! | `engine`, `counters` | the contract of engines, and what this one counts |
//!
//! Data structures have their tests beside them. The searches are tested on
//! generated programs in `crates/generate/tests/differential`, and on the corpus
//! in `crates/cli/tests/corpus/explicit.rs`.

mod abandoned;
mod backward;
mod bfs;
mod checkpoint;
mod compaction;
pub mod counters;
mod csdr;
mod dfs;
mod drawing;
mod effects;
mod engine;
mod found;
mod incoming;
mod livelock;
mod log;
mod outcome;
mod parallel;
mod raceless;
mod renamed;
mod spread;
mod state_graph;
mod symmetry;
mod temporal;
mod transactions;
mod twins;
mod whole_graph;
mod worker;

use std::sync::Arc;

use ::engine::{Checkpoints, Collected, Outcome, Peers, Stats, Task, Verdict};
use machine::{Grain, Property};

pub use self::engine::{Explicit, NAME};
pub use drawing::{DrawnState, DrawnStep, Graph, graph};
pub use incoming::Bookkeeping;
pub use outcome::{context_switches, switches};
pub use state_graph::Edge;
pub use store::Spill;

use bfs::Bfs;
use checkpoint::Resumed;
use counters::SYMMETRY;
use csdr::Csdr;
use dfs::Dfs;
use found::Found;
use outcome::Ended;
use spread::Spread;
use transactions::Transactions;
use worker::{Shared, Tally};

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchOrder {
    /// By the number of context switches.
    #[default]
    Csdr,
    /// By the number of steps.
    Bfs,
    /// Along one execution as far as it goes, then back.
    Dfs,
}

/// Whether a step is remembered by the parts that it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Remember {
    /// Every step is executed.
    Nothing,
    /// What is remembered is not executed again.
    #[default]
    Steps,
    /// What is remembered is executed again and must be the same: for tests.
    Checked,
}

/// How the search is done.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of the search.
    pub search: SearchOrder,
    /// `Visible` collapses the steps of a thread that no other thread can
    /// observe (tau reduction), `Instruction` does not.
    pub reduction: Grain,
    /// How csdr keeps incoming threads.
    pub bookkeeping: Bookkeeping,
    /// Whether starting a thread counts as a context switch, as in the paper's
    /// section 3.4.
    pub starts_switch: bool,
    /// Whether only a fingerprint is kept of a state. The search is then
    /// depth-first and never ends with [`Verdict::Holds`].
    pub hash_compaction: bool,
    /// Whether states that differ only by the numbers of threads are taken for
    /// one. Numbers of states, transitions and final states are then smaller.
    pub symmetry: bool,
    /// Whether of threads that are twins ([`machine::Twins`]) only one is followed.
    /// Numbers of states, transitions and final states are then smaller. It makes no
    /// difference without reduction, with hash compaction, symmetry or a bound on the depth.
    pub twins: bool,
    /// Whether steps of a thread that no other thread was seen to interfere with are
    /// taken as one (csdr). Numbers of states, transitions and final states are then smaller.
    pub transactions: bool,
    /// Whether a program that has no data races under sequential consistency, and no atomic
    /// operations weaker than that, is not searched with store buffers, since it has the same
    /// executions. Numbers of states, transitions and final states are then smaller.
    pub raceless: bool,
    /// Whether races are found by clocks even where they show without.
    pub clocks: bool,
    /// Whether steps that only some parts of the state matter to are
    /// remembered. Makes no difference but in time.
    pub remember: Remember,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: SearchOrder::Csdr,
            reduction: Grain::Visible,
            bookkeeping: Bookkeeping::Exact,
            starts_switch: true,
            hash_compaction: false,
            symmetry: false,
            twins: false,
            transactions: false,
            raceless: false,
            clocks: false,
            remember: Remember::Steps,
        }
    }
}

/// What is true of a checkpoint that this build has written.
const READABLE: &str = "a checkpoint of this build can be read";

/// Visits every reachable state, unless a violation, a bound or the budget
/// ends it. Livelocks are looked for after all that a state or step shows, and
/// formulas of temporal logic last.
pub fn check(task: &Task<'_>, options: Options) -> Outcome {
    check_with(task, options, Outside::default())
}

/// What a search by layers has to do with the world outside.
#[derive(Clone, Copy, Default)]
pub struct Outside<'a> {
    /// Where it is written down now and then, and goes on where an earlier one was interrupted.
    pub checkpoints: Option<&'a dyn Checkpoints>,
    /// The processes among which it is spread.
    pub peers: Option<&'a dyn Peers>,
    /// Where it collects faults, if it goes on past them.
    pub collected: Option<&'a Collected>,
    /// Where its tables go that are larger than memory.
    pub spill: Option<&'a Arc<Spill>>,
}

/// The same for a search that survives its process, or is one of several processes.
/// Searches for livelocks and for violations of formulas begin anew, and each process
/// does them alone.
pub fn check_with(task: &Task<'_>, options: Options, outside: Outside<'_>) -> Outcome {
    if let Some(outcome) = raceless::check(task, options, outside) {
        return outcome;
    }
    let properties = task.machine.config().properties;
    // Of safety formulas, steps are at fault.
    let formulas = properties.has(Property::Ltl) && !task.machine.has_monitor();
    let of_executions = |property| property == Property::Livelock || property == Property::Ltl && formulas;
    let others = properties.iter().any(|property| !of_executions(property));
    let none = !properties.iter().any(of_executions);
    let mut answer = (others || none).then(|| reachability(task, options, outside));
    if properties.has(Property::Livelock) {
        answer = Some(with(answer, || temporal::livelock(task, &options)));
    }
    if formulas {
        answer = Some(with(answer, || temporal::check(task, &options)));
    }
    answer.expect("something is asked")
}

/// The answer to one more question, together with that to those before. What was
/// violated there need not be asked further.
fn with(before: Option<Outcome>, ask: impl FnOnce() -> Outcome) -> Outcome {
    match before {
        None => ask(),
        Some(violated @ Outcome { verdict: Verdict::Violated { .. }, .. }) => violated,
        Some(before) => {
            let outcome = ask();
            let holds = matches!(before.verdict, Verdict::Holds { .. });
            let verdict = match outcome.verdict {
                Verdict::Holds { .. } if !holds => before.verdict,
                verdict => verdict,
            };
            let seconds = outcome.stats.seconds;
            Outcome { verdict, stats: Stats { seconds, ..before.stats }, ..before }
        }
    }
}

fn reachability(task: &Task<'_>, options: Options, outside: Outside<'_>) -> Outcome {
    let resumed = outside.checkpoints.and_then(|checkpoints| checkpoints.resume());
    let mut resumed = resumed.map(|input| Resumed::new(input).expect(READABLE));
    let options = resumed.as_ref().map_or(options, |resumed| resumed.options(options));
    let (symmetry, twins) = (options.symmetry && !has_buffers(task), options.twins);
    // Each of the final states is looked at, and formulas may name threads.
    let all = task.machine.config().properties.has(Property::Robust);
    let symmetry = symmetry && !all && task.machine.temporal().is_none() && outside.collected.is_none();
    let options = Options { symmetry, twins: twins && !all, ..options };
    if options.symmetry {
        if let Some(outcome) = symmetry::search(task, &options) {
            let holds = matches!(outcome.verdict, Verdict::Holds { .. });
            let ask = holds && task.machine.can_abandon();
            let abandoned = ask.then(|| abandoned::check(task, &options));
            return abandoned
                .filter(|found| !matches!(found.verdict, Verdict::Holds { .. }))
                .unwrap_or(outcome);
        }
        let outcome = reachability(task, Options { symmetry: false, ..options }, outside);
        let why = "not used, for the program may depend on the numbers of threads";
        return Outcome { stats: outcome.stats.with(SYMMETRY, why), ..outcome };
    }
    // A race without clocks takes a step more than the bound counts.
    let without_clocks = !options.clocks && task.bounds.depth.is_none() && !has_buffers(task);
    let without_clocks = without_clocks.then(|| task.machine.without_clocks()).flatten();
    let machine = without_clocks.as_ref().unwrap_or(task.machine);
    let twins = twins::twins(task, machine, &options);
    let mut transactions = Transactions::new(task, machine, &options, twins.is_some(), outside);
    loop {
        let store = resumed.as_mut().map(|resumed| resumed.store(machine, outside.spill).expect(READABLE));
        let shared = Shared::new(task, machine, &options).with_spill(outside.spill).with_store(store);
        let shared = shared.with_twins(twins.as_ref()).with_transactions(transactions.as_ref());
        let again = match attempt(shared, &options, resumed.take(), outside) {
            Ok(outcome) => return outcome,
            Err(again) => again,
        };
        let options = match again {
            Again::Otherwise(options) => options,
            Again::KnowingMore { states } => {
                let transactions = transactions.as_mut().expect("there are transactions");
                if transactions.begin_anew(states) {
                    continue;
                }
                Options { transactions: false, ..options }
            }
        };
        return reachability(task, options, outside);
    }
}

/// How a search is to begin anew.
enum Again {
    /// With other options.
    Otherwise(Options),
    /// With what transactions were seen to rely upon wrongly, after so many states.
    KnowingMore { states: u64 },
}

/// One search, and what follows from it.
fn attempt(
    shared: Shared<'_>,
    options: &Options,
    resumed: Option<Resumed>,
    outside: Outside<'_>,
) -> Result<Outcome, Again> {
    let Outside { checkpoints, peers, collected, .. } = outside;
    let (task, spread) = (shared.task, peers.map(Spread::new));
    // A race that a state tells may be one with another access than the one in the execution that
    // is shown, and suppressed there. The search goes on past it then.
    let suppresses = !task.machine.config().suppressions.is_empty();
    let first = (collected.is_none() && suppresses && peers.is_none()).then(|| Collected::up_to(1));
    let shared = shared.with_checkpoints(checkpoints).with_spread(spread.as_ref());
    let shared = shared.with_collected(collected.or(first.as_ref()));
    let (mut ended, mut tally) = search(&shared, options, resumed);
    if let Some(shown) = first.as_ref().and_then(Collected::take) {
        ended.found = Found::Shown(Box::new(shown));
    }
    if let Some(spread) = &spread {
        ended.add_up(&shared, spread, &mut tally);
    }
    if shared.has_no_twins() {
        return Err(Again::Otherwise(Options { twins: false, ..*options }));
    }
    if shared.transactions.is_some_and(Transactions::is_broken) {
        return Err(Again::KnowingMore { states: shared.states() });
    }
    if shared.needs_clocks() || !ended.found.is_confirmed(&shared) {
        return Err(Again::Otherwise(Options { clocks: true, ..*options }));
    }
    let complete = matches!(ended.found, Found::Nothing) && !tally.ledger.is_cut();
    if complete && !options.hash_compaction && task.machine.can_abandon() {
        match abandoned::is_possible(&shared) {
            Ok(false) => {}
            Ok(true) => return Ok(abandoned::check(task, options)),
            Err(exceeded) => ended.found = Found::Exceeded(exceeded),
        }
    }
    Ok(outcome::outcome(&shared, ended, tally))
}

/// Whether stores wait in buffers. Threads are then not taken to be interchangeable,
/// and races are found by clocks: two steps that meet do not tell whether a store was
/// made before.
fn has_buffers(task: &Task<'_>) -> bool {
    task.machine.config().memory_model.has_buffers()
}

/// One search, in the order that was asked for.
fn search(shared: &Shared<'_>, options: &Options, resumed: Option<Resumed>) -> (Ended, Tally) {
    let search = if options.hash_compaction { SearchOrder::Dfs } else { options.search };
    match search {
        SearchOrder::Csdr => {
            let mut search = match resumed {
                Some(resumed) => resumed.search(shared, options.bookkeeping).expect(READABLE),
                None => Csdr::new(shared, options.bookkeeping),
            };
            let found = search.run();
            let layers = std::mem::take(&mut search.layers);
            let (bytes, complete) = (shared.bytes() + search.bytes(), Some(search.complete));
            (Ended { found, bytes, complete, layers, ..Ended::of(shared) }, search.into_tally())
        }
        SearchOrder::Bfs => {
            let mut search = match resumed {
                Some(resumed) => resumed.levels(shared).expect(READABLE),
                None => Bfs::new(shared),
            };
            let found = search.run();
            let (bytes, depth) = (shared.bytes() + search.bytes(), Some(search.levels));
            (Ended { found, bytes, depth, ..Ended::of(shared) }, search.into_tally())
        }
        SearchOrder::Dfs => {
            let mut search = Dfs::new(shared);
            let found = search.run();
            let (bytes, depth) = (shared.bytes() + search.bytes(), Some(search.max_depth));
            (Ended { found, bytes, depth, ..Ended::of(shared) }, search.into_tally())
        }
    }
}
