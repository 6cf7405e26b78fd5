//! The two-phase search of "Context-Switch-Directed Verification in DIVINE" (section 3.3)
//! beside a breadth-first one: how many states each visits until it has a counterexample to a
//! formula, and how many context switches that has. On the programs of the paper's Table 1, and
//! on all formulas of `corpus/temporal` that are violated by executions that never end.
//!
//! `cargo run --release -p experiments --bin acceptance-cycles -- [--threads 1]`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use engine::Verdict;
use engine::counters::STATES;
use experiments::{CONTEXT_SWITCHES as PROGRAMS, benchmarks, explicit};
use explicit::{Options, SearchOrder, context_switches};
use ir::Program;
use machine::{Config, Fairness, Machine, Properties, Property, Question, Temporal};

/// What is asked of the paper's programs.
const FORMULA: &str = "F terminated";

#[derive(Parser)]
struct Args {
    /// The number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,

    /// Give up a search after so many seconds
    #[arg(long, default_value_t = 20)]
    timeout: u64,

    /// Show all formulas of the corpus, not only those with so many states or more
    #[arg(long, default_value_t = 300)]
    shown: u64,
}

/// What a search found: the states visited, and the context switches of the counterexample.
#[derive(Clone, Copy)]
struct Found {
    states: u64,
    switches: Option<u64>,
    /// What is told if there is none.
    verdict: &'static str,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    println!(
        "| program | formula | fairness | states bfs / csdr | switches bfs / csdr |\n|---|---|---|---|---|"
    );
    for name in PROGRAMS {
        let program = load(&benchmarks("context-switches").join(name).with_extension("c"))?;
        for fairness in [Fairness::None, Fairness::Strong] {
            let question = Question { formulas: vec![FORMULA.to_owned()], names: Vec::new(), fairness };
            print(name, &question, both(&program, &question, &args)?);
        }
    }
    corpus(&args)
}

/// All formulas of the corpus that are violated, but not by a finite beginning.
fn corpus(args: &Args) -> anyhow::Result<()> {
    let (mut count, mut states, mut switches) = (0, [0; 2], [0; 2]);
    let mut fewer = [0; 3];
    for path in programs()? {
        let program = load(&path)?;
        for question in questions(&std::fs::read_to_string(&path)?) {
            if Temporal::new(question.clone(), &program).is_ok_and(|temporal| is_safety(&temporal)) {
                continue;
            }
            let found = both(&program, &question, args)?;
            let [Some(bfs), Some(csdr)] = found.map(|found| found.switches) else { continue };
            count += 1;
            for (at, switch) in [bfs, csdr].into_iter().enumerate() {
                states[at] += found[at].states;
                switches[at] += switch;
            }
            fewer[(csdr.cmp(&bfs) as i8 + 1) as usize] += 1;
            if found.iter().any(|found| found.states >= args.shown) {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                print(&name, &question, found);
            }
        }
    }
    println!(
        "\n{count} formulas of the corpus: {} / {} states, {} / {} switches",
        states[0], states[1], switches[0], switches[1]
    );
    println!("csdr has fewer switches in {}, as many in {}, more in {}", fewer[0], fewer[1], fewer[2]);
    Ok(())
}

fn print(name: &str, question: &Question, [bfs, csdr]: [Found; 2]) {
    let told =
        |found: Found| found.switches.map_or(found.verdict.to_owned(), |switches| switches.to_string());
    let (formula, fairness) = (question.formulas[0].replace('|', "\\|"), question.fairness.name());
    let (states, switches) = ((bfs.states, csdr.states), (told(bfs), told(csdr)));
    println!(
        "| {name} | `{formula}` | {fairness} | {} / {} | {} / {} |",
        states.0, states.1, switches.0, switches.1
    );
}

/// Both searches.
fn both(program: &Arc<Program>, question: &Question, args: &Args) -> anyhow::Result<[Found; 2]> {
    let temporal = Temporal::new(question.clone(), program).map_err(anyhow::Error::msg)?;
    let properties = [Property::Ltl].into_iter().collect();
    let assumed = Properties::undefined();
    let config = Config { properties, temporal: Some(temporal), assumed, ..Config::default() };
    let machine = Machine::new(Arc::clone(program), config);
    Ok([SearchOrder::Bfs, SearchOrder::Csdr].map(|search| {
        let options = Options { search, ..Options::default() };
        let (outcome, _) = explicit(&machine, options, args.threads, Duration::from_secs(args.timeout));
        let (switches, verdict) = match &outcome.verdict {
            Verdict::Violated { trace, .. } => (Some(context_switches(&machine, trace)), "unsafe"),
            Verdict::Holds { .. } => (None, "safe"),
            Verdict::Unknown { .. } => (None, "unknown"),
        };
        Found { states: outcome.stats.count(STATES).unwrap_or(0), switches, verdict }
    }))
}

fn is_safety(temporal: &Temporal) -> bool {
    temporal.formulas.iter().all(|formula| formula.is_safety())
}

fn load(path: &Path) -> anyhow::Result<Arc<Program>> {
    let program = frontend::load(&[path.to_owned()], &frontend::Options::default());
    program.map(Arc::new).with_context(|| format!("cannot load {}", path.display()))
}

fn programs() -> anyhow::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/temporal");
    let files = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    found.sort();
    Ok(found)
}

/// What a header asks and says to be violated.
fn questions(text: &str) -> Vec<Question> {
    let items = |item: &str| {
        let lines: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix(item))
            .map(|rest| rest.trim().to_owned())
            .collect();
        lines
    };
    let named =
        |line: String| line.split_once('=').map(|(name, value)| (name.trim().to_owned(), value.to_owned()));
    let names: Vec<(String, String)> = items("// ap:").into_iter().filter_map(named).collect();
    let question = |line: String| {
        let (fairness, formula) = line.split_once(' ')?;
        let (formulas, fairness) = (vec![formula.trim().to_owned()], Fairness::from_name(fairness)?);
        Some(Question { formulas, names: names.clone(), fairness })
    };
    items("// ltl: unsafe ").into_iter().filter_map(question).collect()
}
