//! What store buffers cost where they make no difference: the states of programs of the
//! corpus that have no data races and no atomic operations weaker than sequentially
//! consistent, under sc, tso and pso.
//!
//! `cargo run --release -p experiments --bin memory-models -- [--seconds 10] [--shown 10]`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use engine::counters::STATES;
use engine::{Outcome, Verdict};
use experiments::explicit;
use explicit::Options;
use ir::{Instr, Program};
use machine::{Config, Machine, MemoryModel, Properties, Property};

#[derive(Parser)]
struct Args {
    /// Leave out programs that take longer than this under some model
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// How many programs to show, those with the largest ratio first
    #[arg(long, default_value_t = 10)]
    shown: usize,

    /// The ratio that programs are to stay within
    #[arg(long, default_value_t = 1.5)]
    most: f64,
}

/// The states of a program under sc, tso and pso.
struct Row {
    name: String,
    states: [u64; 3],
}

impl Row {
    fn ratio(&self, model: usize) -> f64 {
        self.states[model] as f64 / self.states[0] as f64
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut rows: Vec<Row> =
        programs()?.iter().filter_map(|path| row(path, Duration::from_secs(args.seconds))).collect();
    rows.sort_by(|a, b| b.ratio(1).total_cmp(&a.ratio(1)).then_with(|| a.name.cmp(&b.name)));
    println!("| program | sc | tso | pso | tso/sc | pso/sc |\n|---|---|---|---|---|---|");
    for row in rows.iter().take(args.shown) {
        let [sc, tso, pso] = row.states;
        println!("| {} | {sc} | {tso} | {pso} | {:.2} | {:.2} |", row.name, row.ratio(1), row.ratio(2));
    }
    let above = |model: usize| rows.iter().filter(|row| row.ratio(model) > args.most).count();
    let total = |model: usize| rows.iter().map(|row| row.states[model]).sum::<u64>() as f64;
    println!(
        "\n{} programs; above {}: {} under tso, {} under pso",
        rows.len(),
        args.most,
        above(1),
        above(2)
    );
    println!("states of all: {:.2} under tso, {:.2} under pso", total(1) / total(0), total(2) / total(0));
    Ok(())
}

/// The programs of the corpus that have no data races by their headers, without options of
/// their own.
fn programs() -> anyhow::Result<Vec<PathBuf>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(corpus)?.flatten().filter(|entry| entry.path().is_dir()) {
        let files = std::fs::read_dir(folder.path())?.flatten().map(|entry| entry.path());
        found
            .extend(files.filter(|path| path.extension().is_some_and(|end| end == "c") && is_raceless(path)));
    }
    found.sort();
    Ok(found)
}

fn is_raceless(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let has = |item: &str| text.lines().any(|line| line.starts_with("// ") && line.contains(item));
    let special = ["// flags:", "// options:", "// with:", "// inputs:", "// loops:", "// data-model:"];
    let plain = !text.lines().any(|line| special.iter().any(|item| line.starts_with(item)));
    plain && (has("race=safe") || has("default=safe"))
}

fn row(path: &Path, limit: Duration) -> Option<Row> {
    let program = Arc::new(frontend::load(&[path.to_owned()], &frontend::Options::default()).ok()?);
    if machine::has_weak_atomics(&program) || !starts_threads(&program) {
        return None;
    }
    let mut states = [0; 3];
    for (count, model) in states.iter_mut().zip(MemoryModel::ALL) {
        *count = count_states(&program, model, limit)?;
    }
    let folder = path.parent()?.file_name()?.to_string_lossy();
    Some(Row { name: format!("{folder}/{}", path.file_stem()?.to_string_lossy()), states })
}

/// The states, if all of them were visited.
fn count_states(program: &Arc<Program>, memory_model: MemoryModel, limit: Duration) -> Option<u64> {
    let properties: Properties = [Property::Memory].into_iter().collect();
    let config = Config { properties, assumed: Properties::undefined(), memory_model, ..Config::default() };
    let machine = Machine::new(Arc::clone(program), config);
    let options = Options { raceless: true, ..Options::default() };
    let (Outcome { verdict, stats, .. }, _) = explicit(&machine, options, 1, limit);
    stats.count(STATES).filter(|_| matches!(verdict, Verdict::Holds { .. }))
}

fn starts_threads(program: &Program) -> bool {
    let starts = |instr: &Instr| matches!(instr, Instr::Sync { op: ir::SyncOp::ThreadCreate, .. });
    program.functions.iter().flat_map(|function| &function.code).any(starts)
}
