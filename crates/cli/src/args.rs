//! The arguments. Help texts are for people who have not read the guide.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use impact::schedule::Strategy;
use machine::{Fairness, Grain, MemoryModel, Properties, Property, Question};

use crate::engines::explicit::ThreadStart;
use crate::engines::{self, EngineArgs, Listed};
use crate::units;

/// Tells whether a multi-threaded C or C++ program can go wrong, shows how if
/// it can, and proves it if it cannot.
#[derive(Parser, Debug)]
#[command(name = "threadproof", version, after_help = TOP_EXAMPLES, max_term_width = 100)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const TOP_EXAMPLES: &str = "\
Examples:
  threadproof check prog.c                      every schedule, every default property
  threadproof check a.c b.c -- -Iinclude -DN=4  several files, compiler flags
  threadproof check --property race prog.c      data races only
  threadproof replay prog.trace.json            run a counterexample again
  threadproof replay prog.trace.json --native   the same on the real program
  threadproof schedule prog.c                   find a schedule under which the program is safe
  threadproof run prog.c --schedule s.json      run the real program under a schedule
  threadproof analyse prog.c                    who accesses which variable under which locks
  threadproof certify prog.c proof.json         check the proof of a safe verdict with other code
  threadproof dump prog.c                       the program as threadproof sees it
  threadproof graph prog.c -o states.dot        its states and steps, to be drawn by dot

Exit status: 0 safe, 1 unsafe, 2 unknown, 3 bad input or usage, 4 internal error.";

const CHECK_EXAMPLES: &str = "\
Properties:
  assert       no assertion fails, no error function is called
  race         no two conflicting accesses are unordered (C11 data races)
  deadlock     no thread waits for what can never come, even if others still run
  memory       every access is to live memory within its object; no bad free or call
  leak         no heap object is lost when the program ends        (not by default)
  cleanup      every heap object is freed when the program ends    (not by default)
  overflow     no signed arithmetic overflows                      (not by default)
  arithmetic   no division by zero, no shift out of range
  lock-misuse  mutexes, conditions, barriers, joins are used as POSIX demands
  uninit       no uninitialised value decides anything
  livelock     no fair execution goes round for ever without progress (not by default; decided
               by the engines explicit and stateless, best-first)

A fault that was not asked for still ends its execution if what follows is undefined; what would be
safe then becomes unknown, unless --assume-no takes for granted that it does not happen. A value that
was never initialised is an input, if uninit is not asked for.

Nondeterministic values (__VERIFIER_nondet_int(), tp_nondet_int(), rand(), ...) are tried one by
one where they have few values or the program can tell only few apart. Where there are too many,
the engine bounded keeps them as symbols; for others the verdict is unknown, unless --nondet-range
narrows them.

Examples:
  threadproof check prog.c
  threadproof check --property assert,race --timeout 5m --trace bug.json prog.c
  threadproof check --spec no-data-race.prp --data-model ilp32 task.i
  threadproof check --format json prog.c | jq .verdict
  threadproof check a.c b.c -- -Iinclude -DN=4
  threadproof check --each --timeout 1m tests/*.c
  threadproof check --ap 'busy=requests > 0' --ltl 'G (busy -> F !busy)' prog.c

Exit status: 0 safe, 1 unsafe, 2 unknown, 3 bad input or usage, 4 internal error.";

const GRAPH_EXAMPLES: &str = "\
A node is a state. Its colour is its layer: the fewest context switches that lead to it, from white
(none) to dark. A deadlock has a red border. An edge is a step: its thread, source line and what it
does; a red edge has a fault. What lies beyond a fault that ends an execution is not shown.

Examples:
  threadproof graph prog.c -o states.dot && dot -Tsvg states.dot -o states.svg
  threadproof graph --property assert prog.c | dot -Tx11

Exit status: 0 the graph was written, 2 there are too many states, 3 bad input or usage, 4 internal error.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a program: safe, unsafe with a counterexample, or unknown
    Check(Box<CheckArgs>),
    /// Run a saved counterexample again, step by step
    Replay(ReplayArgs),
    /// Show the program as threadproof sees it, with source lines
    Dump(DumpArgs),
    /// Tell for each shared variable who accesses it under which locks, and which accesses may race
    Analyse(AnalyseArgs),
    /// Find a schedule under which the program is safe for all inputs, even if it is not safe without
    Schedule(ScheduleArgs),
    /// Build a native program that is held to a schedule
    Build(BuildArgs),
    /// Build a native program that is held to a schedule, and run it
    Run(RunArgs),
    /// Check a proof that `check --certificate` wrote, with other code and another solver
    Certify(CertifyArgs),
    /// Draw the states of a small program and the steps between them, for Graphviz (dot)
    Graph(GraphArgs),
    /// Look whether the compiler, headers and solvers are there, and say what to install
    Doctor,
    /// Print the completions of the command line for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for man
    Man(ManArgs),
}

impl Command {
    /// What the program is, if there is one that is not native.
    pub fn input(&mut self) -> Option<&mut InputArgs> {
        match self {
            Command::Check(args) => Some(&mut args.input),
            Command::Dump(DumpArgs { input, .. })
            | Command::Analyse(AnalyseArgs { input })
            | Command::Graph(GraphArgs { input, .. }) => Some(input),
            _ => None,
        }
    }

    /// Whether there are several tasks to be run.
    pub fn is_batch(&self) -> bool {
        matches!(self, Command::Check(args) if args.is_batch())
    }
}

/// What the program is.
#[derive(clap::Args, Clone, Debug)]
pub struct InputArgs {
    /// The program: .c, .i, .cpp, .cc, .cxx, .ll or .bc files, linked together
    #[arg(required_unless_present = "project", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Compile each file with the flags that compile_commands.json in this folder has for it; without
    /// files, the program is all that is listed there
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,

    /// The flags of each file, from there.
    #[arg(skip)]
    pub file_flags: Vec<(PathBuf, Vec<String>)>,

    /// Sizes of long and pointers: lp64 (64 bits) or ilp32 (32 bits, -m32)
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: DataModel,

    /// Treat functions without a body as ones that do nothing and return anything: names as in the
    /// source, with * and ? as wildcards (may be repeated, or a list with commas)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub havoc: Vec<String>,

    /// The arguments that the program is given, separated by blanks; without this option they are
    /// inputs
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["max_args", "max_arg_length"])]
    pub args: Option<String>,

    /// The most arguments that the program is given; a safe verdict holds up to this bound only
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub max_args: u32,

    /// The most characters of each argument; a safe verdict holds up to this bound only
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub max_arg_length: u32,

    /// Count volatile accesses of up to a word as relaxed atomic ones, as some compilers and kernels
    /// promise; by C11 they race like others
    #[arg(long)]
    pub volatile_atomic: bool,

    /// Let every allocation fail or succeed: malloc and its kin return NULL, with ENOMEM in errno. Those
    /// that would throw (new in C++) do not fail
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Let every pthread_create and thrd_create fail or succeed: EAGAIN or thrd_error. std::thread, which
    /// would throw, does not fail
    #[arg(long)]
    pub create_may_fail: bool,

    /// Compiler flags
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// Arguments of `check`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,

    /// What to check: a list with commas; `default` is all but leak, cleanup, overflow, livelock,
    /// robust and robust-traces, `all` is all but livelock, robust and robust-traces
    #[arg(long, short, value_name = "LIST", value_delimiter = ',', value_parser = property_parser(), conflicts_with = "spec")]
    pub property: Vec<String>,

    /// What to check, as a property file of the verification competition (.prp). Of assertions only calls
    /// of error functions count; implies --assume-no memory,arithmetic,lock-misuse as far as these are not
    /// checked
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,

    /// Take for granted that no execution violates these properties, which are not checked: a list with
    /// commas of memory, arithmetic, lock-misuse, uninit, race. Without it, executions that do are not
    /// known any further, and what would be safe becomes unknown
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = ["memory", "arithmetic", "lock-misuse", "uninit", "race"])]
    pub assume_no: Vec<String>,

    /// Formulas of temporal logic.
    #[command(flatten)]
    pub temporal: TemporalArgs,

    /// How to check: `explicit` visits every state by context switches, on all cores and in little memory;
    /// `stateless` runs executions without storing states; `bounded` computes with symbols instead of
    /// values, for programs with inputs; `impact` proves by invariants, for loops that inputs bound or that
    /// do not end; `reference` visits every state in the plainest way [default: bounded if an input has
    /// many values, else explicit; where it does not know soon, others join it]
    #[arg(long, value_name = "ENGINE", value_parser = engines::engine_parser())]
    pub engine: Option<Listed>,

    /// The order of the search. Of `explicit`: `csdr` (its default; not with --depth alone or
    /// --hash-compaction) by context switches, so that a counterexample has as few as can be; `bfs` by steps, so that it has few steps; `dfs` one execution
    /// after the other, on one thread. Of `stateless`: `optimal` (its default) one execution of every
    /// Mazurkiewicz trace, which is enough; `dfs` every execution; `best-first`
    /// the most promising ones first; `random` and `pct` some at random
    #[arg(long, value_name = "ORDER", value_parser = engines::search_parser())]
    pub search: Option<&'static str>,

    /// `tau` takes steps that no other thread can observe together with the one before, `none` every
    /// instruction alone (slower, same verdicts). In `bounded`, whether the running thread goes on alone
    /// where no other thread interferes; with `locksets` it does so in `explicit`, too (`--search csdr`):
    /// fewer states in programs with locks, more time for each
    #[arg(long, value_name = "KIND", default_value = "tau")]
    pub reduction: Reduction,

    /// Do not try to prove before any search that there are no data races; this is done if no engine and
    /// no order of search is named
    #[arg(long)]
    pub no_analysis: bool,

    /// Tell first, in text, for each shared variable who accesses it under which locks, and why its accesses
    /// do not race or which may, as `threadproof analyse` does
    #[arg(long)]
    pub explain: bool,

    /// Give up after this time: seconds, or 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = units::duration, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,

    /// How much stack each thread has: 64K, 8M
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "8M")]
    pub stack_size: u64,

    /// Give up at this much memory: 512M, 4G [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory_limit: Option<u64>,

    /// Give up at about this many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub state_limit: Option<u64>,

    /// How many threads an engine may use [default: one per core; `reference` uses one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Do not follow executions beyond this many steps; loses coverage: what would be safe becomes unknown
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    pub depth: Option<u64>,

    /// Try only these values, both ends included, where a nondeterministic value has too many; a safe
    /// verdict then holds for these values only
    #[arg(long, value_name = "LOW..HIGH", value_parser = units::range, allow_hyphen_values = true)]
    pub nondet_range: Option<(i64, i64)>,

    /// The memory model.
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// If the program is unsafe under --memory-model tso or pso, but not under sc: propose as few places for
    /// fences as can be that make it safe, and show that they do by checking again
    #[arg(long, conflicts_with = "keep_going")]
    pub fences: bool,

    /// Options that only some engines have.
    #[command(flatten)]
    pub engines: EngineArgs,

    /// Save the counterexample here [default: a file in the cache directory, named in the report]
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Do not stop at the first violation: go on until all distinct ones (by kind and places) are found, up
    /// to 50, or the time is over. Each is searched for anew
    #[arg(long)]
    pub keep_going: bool,

    /// Do not tell the faults that this file lists, because they are intended: lines KIND:FUNCTION or
    /// KIND:FILE:LINE such as race:log_message, with * and ? as wildcards and # before comments. A safe
    /// verdict says which it rests on
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<PathBuf>,

    /// List all lines, branches, assertions and threads that no execution reaches. Without this option a
    /// safe verdict tells the first of them
    #[arg(long)]
    pub coverage: bool,

    /// Also write to this file which lines and branches are executed in some schedule, as lcov has it; not
    /// if a violation is found
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,

    /// Check each file as a program of its own, several at a time, and end with a table. The exit status is
    /// the worst: internal error, bad input, unsafe, unknown, safe. Options that name a file to be written
    /// name a folder then
    #[arg(long, conflicts_with = "explain")]
    pub each: bool,

    /// Check only this file (counted from 0): what --each runs
    #[arg(long, value_name = "INDEX", hide = true, requires = "each")]
    pub only: Option<usize>,

    /// How to report.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What every execution has to fulfil.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct TemporalArgs {
    /// Check that every execution fulfils this formula of linear temporal logic (may be repeated): G always,
    /// F eventually, U until, R releases, W until or for ever, -> <-> ! && ||. Propositions are conditions
    /// on global variables in quotes ("queue.count > 0"), names that --ap gives, labels of the source
    /// (tp_label("served")), positions (T1@worker:42), progress and terminated. Without --property nothing
    /// else is checked
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,

    /// A name for a proposition: 'busy=queue.count > 0' (may be repeated)
    #[arg(long, value_name = "NAME=CONDITION", requires = "ltl", value_parser = proposition)]
    pub ap: Vec<(String, String)>,

    /// Which executions have to fulfil the formulas: all (none), those in which a thread that can move all
    /// the time does so again and again (weak), or one that can move again and again does (strong)
    #[arg(long, value_name = "KIND", default_value = "weak", value_parser = ["none", "weak", "strong"])]
    pub fairness: String,
}

impl TemporalArgs {
    /// What is asked.
    pub fn question(&self) -> Option<Question> {
        let fairness = Fairness::from_name(&self.fairness).unwrap_or_default();
        let question = Question { formulas: self.ltl.clone(), names: self.ap.clone(), fairness };
        (!self.ltl.is_empty()).then_some(question)
    }
}

/// Reads `--ap`.
fn proposition(text: &str) -> Result<(String, String), String> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match text.split_once('=').map(|(name, meaning)| (name.trim(), meaning.trim())) {
        Some((name, meaning)) if is_name(name) => Ok((name.to_owned(), meaning.to_owned())),
        _ => Err("it must be NAME=CONDITION".to_owned()),
    }
}

/// When other threads see what a thread stores.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct MemoryArgs {
    /// When other threads see a store: `sc` at once, `tso` (x86) once it leaves a buffer in which the stores
    /// of each thread stay in order, `pso` the same, but stores to different places may overtake each other
    #[arg(long, value_name = "MODEL", default_value = "sc")]
    pub memory_model: Model,

    /// Do not follow executions in which more stores of a thread wait in its buffer; loses coverage: what
    /// would be safe becomes unknown, unless there is nothing beyond
    #[arg(long, value_name = "N", default_value_t = machine::BUFFER_BOUND,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub buffer_bound: u32,
}

impl MemoryArgs {
    /// The memory model.
    pub fn model(self) -> MemoryModel {
        match self.memory_model {
            Model::Sc => MemoryModel::Sc,
            Model::Tso => MemoryModel::Tso,
            Model::Pso => MemoryModel::Pso,
        }
    }
}

/// The name of a memory model.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Model {
    Sc,
    Tso,
    Pso,
}

impl CheckArgs {
    /// Whether there are several tasks to be run.
    pub fn is_batch(&self) -> bool {
        self.each && self.only.is_none()
    }

    /// Where several tasks put their files, and how the files of each kind end.
    pub fn folders(&mut self) -> [(&mut Option<PathBuf>, &'static str); 6] {
        let OutputArgs { sarif, html, witness, log, .. } = &mut self.output;
        let (trace, lcov) = ((&mut self.trace, "trace.json"), (&mut self.lcov, "info"));
        [trace, lcov, (sarif, "sarif"), (html, "html"), (witness, "yml"), (log, "log")]
    }

    /// The arguments of one task of several: one file, and a result that the
    /// process which asked can read.
    pub fn narrowed(mut self) -> CheckArgs {
        let Some(index) = self.only else { return self };
        self.input.files = self.input.files.into_iter().skip(index).take(1).collect();
        let program = self.input.files.first().and_then(|path| path.file_name()).unwrap_or_default();
        let name = format!("{:03}-{}", index + 1, program.to_string_lossy());
        for (folder, ending) in self.folders() {
            *folder = folder.take().map(|folder| folder.join(format!("{name}.{ending}")));
        }
        if self.output.format != Format::Github {
            self.output.format = Format::Json;
        }
        self
    }
}

impl CheckArgs {
    /// The same, where the processes of one machine get equal parts of it.
    pub fn divided(mut self) -> CheckArgs {
        if let Some(processes) = self.engines.processes.processes {
            let cores = std::thread::available_parallelism().map_or(1, usize::from) as u16;
            self.threads = self.threads.or(Some((cores / processes).max(1)));
            let memory = most_memory().map(|memory| memory / u64::from(processes));
            self.memory_limit = self.memory_limit.or(memory);
        }
        self
    }
}

/// The memory that a search may take where nothing else is said.
pub fn most_memory() -> Option<u64> {
    engine::total_memory().map(|total| total / 10 * 8)
}

/// Arguments of `replay`.
#[derive(clap::Args, Clone, Debug)]
pub struct ReplayArgs {
    /// A trace that `check` saved
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,

    /// Build the program natively and force the trace's order and inputs on it: tells what the fault
    /// does there, or where the native run departs from the trace (status 2)
    #[arg(long)]
    pub native: bool,

    /// With --native: run it under gdb, which stops before the fault (and where it departs)
    #[arg(long, requires = "native")]
    pub gdb: bool,

    /// How to report.
    #[command(flatten)]
    pub output: OutputArgs,
}

const SCHEDULE_EXAMPLES: &str = "\
A schedule restricts the order of events of threads, never inputs. Under one that is written here no
execution violates the properties, some thread can always move, and none that can is put off for ever.
The proof is written beside it (PROG.schedule.proof.json), and `threadproof certify` checks it.

The end is one of three verdicts: `safe` (all executions are, and the schedule permits all), `partially
safe` (some go wrong, which the schedule does not permit) or `unsafe` (no schedule helps). Without
--until complete, or when the time is up, a schedule may be there before the verdict is.

Examples:
  threadproof schedule prog.c --until first
  threadproof certify prog.c prog.schedule.json
  threadproof run prog.c --schedule prog.schedule.json -- arguments

Exit status: 0 a safe schedule was written, 1 there is none, 2 none was found, 3 bad input or usage,
4 internal error.";

/// Arguments of `schedule`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = SCHEDULE_EXAMPLES)]
pub struct ScheduleArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,

    /// What must not happen: a list with commas; `default` is all that `check` looks for by default, but
    /// races: events are ordered [default: assert,deadlock,memory,arithmetic,lock-misuse,uninit]
    #[arg(long, short, value_name = "LIST", value_delimiter = ',', value_parser = property_parser())]
    pub property: Vec<String>,

    /// When to stop: at the `first` schedule, after so many, or when it is known whether all executions are
    /// safe (`complete`)
    #[arg(long, value_name = "WHEN", default_value = "complete", value_parser = until)]
    pub until: Until,

    /// Stop after this time: seconds, or 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = units::duration, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,

    /// Write the schedule here [default: PROG.schedule.json]
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Whose turn it is: `round-robin` each thread runs until it jumps back, waits or ends; `lock-owner`
    /// until it has given back all locks; `priorities=2,1,3` the first of these that can move, the others
    /// after [default: `round-robin`, and `lock-owner` if that finds none]
    #[arg(long, value_name = "STRATEGY", value_parser = strategy)]
    pub strategy: Option<Strategy>,

    /// How fast the native program is to be: `0` all events are ordered one after the other; `1` events
    /// that follow each other in one thread are one, and locks and barriers that the order makes redundant
    /// are left out; `2` turns have several rounds, too
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub opt: u8,

    /// Draw the schedule to this file, for Graphviz (dot)
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// Text for people, or one JSON object for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// When a search for schedules stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// After so many schedules.
    Schedules(u32),
    /// When it is known whether all executions are safe.
    Complete,
}

fn until(text: &str) -> Result<Until, String> {
    match (text, text.parse()) {
        ("first", _) => Ok(Until::Schedules(1)),
        ("complete", _) => Ok(Until::Complete),
        (_, Ok(number)) if number > 0 => Ok(Until::Schedules(number)),
        _ => Err("first, a number of schedules, or complete".to_owned()),
    }
}

fn strategy(text: &str) -> Result<Strategy, String> {
    match text.split_once('=') {
        None if text == "round-robin" => Ok(Strategy::RoundRobin),
        None if text == "lock-owner" => Ok(Strategy::LockOwner),
        Some(("priorities", list)) => {
            let numbers: Result<Vec<u32>, _> = list.split(',').map(str::parse).collect();
            numbers.map(Strategy::Priorities).map_err(|_| format!("no list of threads: {list}"))
        }
        _ => Err("round-robin, lock-owner or priorities=THREADS".to_owned()),
    }
}

/// A native program and its schedule.
#[derive(clap::Args, Clone, Debug)]
pub struct EnforcedArgs {
    /// The program: .c, .i, .cpp, .cc, .cxx, .ll or .bc files, linked together
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Sizes of long and pointers: lp64 (64 bits) or ilp32 (32 bits, -m32)
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: DataModel,

    /// Treat functions without a body as ones that do nothing and return anything (a random value)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub havoc: Vec<String>,

    /// The schedule. One of another program is refused, and one whose proof, in the file beside it, does
    /// not show that it is safe [default: PROG.schedule.json; if it is not there, a schedule is looked for
    /// and written to it]
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,

    /// Do not check the proof beside the schedule, only whether it belongs to it; without this
    /// option a schedule that has no proof is refused
    #[arg(long)]
    pub trust: bool,

    /// What the program does that comes to something which the schedule does not know
    #[arg(long, value_name = "WHAT", default_value = "abort")]
    pub on_departure: OnDeparture,
}

/// What a program does that departs from its schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OnDeparture {
    /// Say where, and abort
    Abort,
    /// Say where, and go on without the schedule: nothing is proven from there on
    Warn,
    /// Go on without the schedule; only the statistics tell
    Free,
}

const RUN_EXAMPLES: &str = "\
Environment of a program that is held to a schedule:
  THREADPROOF_STATS=1        statistics at its end: events, waits, sections, departures
  THREADPROOF_RECORD=FILE    the order of its events
  THREADPROOF_ON_DEPARTURE   abort, warn or free, in place of --on-departure
  THREADPROOF_SEED=N         decides the random values of inputs (tp_nondet_int() and its kin)

Examples:
  threadproof run prog.c -- arguments of the program
  threadproof build prog.c --schedule prog.schedule.json -o prog
  threadproof run prog.c --schedule prog.schedule.json -- arguments of the program

run ends with the status of the program; 3 if it cannot be built. Where a schedule has to be found
first: 1 if there is none, 2 if none is found.";

/// Arguments of `build`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = RUN_EXAMPLES)]
pub struct BuildArgs {
    /// The program.
    #[command(flatten)]
    pub enforced: EnforcedArgs,

    /// Where to write the program
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Compiler flags
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// Arguments of `run`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = RUN_EXAMPLES)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub enforced: EnforcedArgs,

    /// A compiler flag, such as --flag=-DN=4 (may be repeated)
    #[arg(long = "flag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,

    /// What the program is given
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<String>,
}

/// Arguments of `dump`.
#[derive(clap::Args, Clone, Debug)]
pub struct DumpArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,

    /// List the loops instead: the name that `check --unwind` takes, and where each begins
    #[arg(long)]
    pub loops: bool,

    /// List the sites instead, by which traces and schedules name instructions, with their positions;
    /// and the fingerprint that a schedule has of the program
    #[arg(long, conflicts_with = "loops")]
    pub sites: bool,
}

const ANALYSE_EXAMPLES: &str = "\
No execution is looked at: what is said holds in all of them, up to the first that goes wrong otherwise.
Accesses that may race need not: use check to find out.

Exit status: 0 no two accesses race, 2 some may, 3 bad input or usage, 4 internal error.";

/// Arguments of `analyse`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = ANALYSE_EXAMPLES)]
pub struct AnalyseArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,
}

const CERTIFY_EXAMPLES: &str = "\
The certificate says what the program was loaded with (flags, data model), and what is shown of it. Every
step of the program is computed anew; the proof only says what holds where, and who has to move.

Examples:
  threadproof check --engine impact --property assert --certificate proof.json prog.c
  threadproof certify prog.c proof.json
  threadproof certify prog.c prog.schedule.json      the proof beside a schedule

Exit status: 0 certified, 1 rejected, 3 bad input or usage, 4 internal error.";

/// Arguments of `certify`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = CERTIFY_EXAMPLES)]
pub struct CertifyArgs {
    /// The files of the program, and last the certificate, or a schedule with its proof beside it
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Give up after this time: seconds, or 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = units::duration, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,
}

/// Arguments of `man`.
#[derive(clap::Args, Clone, Debug)]
pub struct ManArgs {
    /// Of this command [default: of the program]
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// Arguments of `graph`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = GRAPH_EXAMPLES)]
pub struct GraphArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,

    /// What counts as wrong: a list with commas; `default` is all but leak, cleanup and overflow, `all` is all
    #[arg(long, short, value_name = "LIST", value_delimiter = ',', value_parser = property_parser())]
    pub property: Vec<String>,

    /// Write the graph here [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Give up if there are more states than this, which would be too many to look at
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub state_limit: u64,

    /// `tau` takes steps that no other thread can observe together with the one before, `none` every
    /// instruction alone
    #[arg(long, value_name = "KIND", default_value = "tau")]
    pub reduction: Steps,

    /// What counts as a context switch: with `switch` starting a thread takes the processor to the new
    /// one; with `free` it does not
    #[arg(long, value_name = "KIND", default_value = "switch")]
    pub thread_start: ThreadStart,

    /// Try only these values, both ends included, where a nondeterministic value has too many
    #[arg(long, value_name = "LOW..HIGH", value_parser = units::range, allow_hyphen_values = true)]
    pub nondet_range: Option<(i64, i64)>,
}

/// How to report.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputArgs {
    /// Text for people, one JSON object for programs, text with annotations for GitHub Actions, or (with
    /// --each) XML as JUnit has it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,

    /// Colours in text: on a terminal only, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Also write the result to this file as SARIF 2.1.0, for editors and code hosting sites
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Also write the result to this file as a page for the browser: the interleaving as a picture, to be
    /// stepped through with the source and the values of variables
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Also write a witness of the verdict to this file, for other verification tools: in the
    /// competition's format 2 (YAML), or 1.0 if the name ends in .graphml
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Show what libraries do inside, too: the interleaving has one line for all that a call of a header's
    /// function reads and writes otherwise
    #[arg(long)]
    pub full: bool,

    /// Only the faults and the verdict: no live line, and no lines on what the engines did
    #[arg(long, short)]
    pub quiet: bool,

    /// Say on standard error what is tried when and why, as it happens
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Write the same to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl Default for OutputArgs {
    fn default() -> OutputArgs {
        OutputArgs {
            format: Format::Text,
            color: Color::Auto,
            sarif: None,
            html: None,
            witness: None,
            full: false,
            quiet: false,
            verbose: false,
            log: None,
        }
    }
}

/// Sizes of pointers and `long`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum DataModel {
    Lp64,
    Ilp32,
}

/// The reductions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Reduction {
    Tau,
    Locksets,
    None,
}

/// What is one step of a state graph.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Steps {
    Tau,
    None,
}

/// Forms of a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Format {
    Text,
    Json,
    Github,
    Junit,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl DataModel {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        }
    }
}

impl From<Reduction> for Grain {
    fn from(reduction: Reduction) -> Grain {
        match reduction {
            Reduction::Locksets | Reduction::Tau => Grain::Visible,
            Reduction::None => Grain::Instruction,
        }
    }
}

impl From<Steps> for Grain {
    fn from(steps: Steps) -> Grain {
        match steps {
            Steps::Tau => Grain::Visible,
            Steps::None => Grain::Instruction,
        }
    }
}

fn property_parser() -> PossibleValuesParser {
    // Formulas are asked for by writing them.
    let names = Property::ALL.into_iter().filter(|p| *p != Property::Ltl).map(Property::name);
    PossibleValuesParser::new(names.chain(["default", "all"]))
}

/// The set that a list of names stands for.
pub fn properties(names: &[String]) -> Properties {
    let meant = |name: &String| -> Vec<Property> {
        match name.as_str() {
            "default" => Properties::standard().iter().collect(),
            "all" => Property::safety().collect(),
            name => Property::from_name(name).into_iter().collect(),
        }
    };
    if names.is_empty() { Properties::standard() } else { names.iter().flat_map(meant).collect() }
}
