//! What makes a program hard that is not decided, and what to try.

use std::collections::BTreeMap;

use engine::{Cut, Exceeded, Reason};
use ir::{FuncId, Instr, Location, Pc, Program};

/// Where steps were made, and how many of them.
pub type Sample = ((FuncId, Pc), u64);

/// So many lines are named.
const MOST_LINES: usize = 3;
/// A line with a smaller part of the steps, in percent, is not worth a look.
const LEAST_PART: u64 = 5;
/// So many inputs are named.
const MOST_INPUTS: usize = 2;
/// An input with more bits than this has many values.
const MANY_BITS: u8 = 8;
/// Fewer samples than this say nothing.
const FEWEST_SAMPLES: u64 = 20;

/// What makes it hard, and what to try, one a line.
pub fn hints(program: &Program, reason: &Reason, samples: &[Sample]) -> Vec<String> {
    let searched = matches!(reason, Reason::Exceeded(_));
    let hard = searched.then(|| lines(program, samples)).flatten();
    let input = (searched || matches!(reason, Reason::Solver(_))).then(|| inputs(program)).flatten();
    hard.into_iter().chain(input).chain(tries(reason)).collect()
}

/// The lines where most steps are made, and the loop around the first.
fn lines(program: &Program, samples: &[Sample]) -> Option<String> {
    let all: u64 = samples.iter().map(|(_, count)| count).sum();
    if all < FEWEST_SAMPLES {
        return None;
    }
    let mut lines: BTreeMap<(String, u32), (u64, Sample)> = BTreeMap::new();
    for sample @ (at, count) in samples {
        let place = location(program, *at);
        let line = lines.entry((place.file, place.line)).or_insert((0, *sample));
        line.0 += count;
    }
    let mut lines: Vec<_> = lines.into_iter().filter(|((_, line), _)| *line != 0).collect();
    lines.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let part = |count: &u64| 100 * count / all;
    let named: Vec<String> = lines
        .iter()
        .take(MOST_LINES)
        .filter(|(_, (count, _))| part(count) >= LEAST_PART)
        .map(|((file, line), (count, _))| format!("{}:{line} ({} %)", short(file), part(count)))
        .collect();
    let (_, (_, ((function, pc), _))) = lines.first()?;
    let loops = program.loops();
    let around = ir::innermost(&loops, *function, *pc).map(|around| &around.at);
    let around = around.map(|at| format!("; the first is in the loop at {}:{}", short(&at.file), at.line));
    Some(format!("most steps are made at {}{}", named.join(", "), around.unwrap_or_default()))
}

/// The inputs that have many values.
fn inputs(program: &Program) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for (function, id) in program.functions.iter().zip(0..).filter(|(function, _)| !function.library) {
        for (instr, pc) in function.code.iter().zip(0..) {
            let Instr::Nondet { origin, width, .. } = instr else { continue };
            let at = location(program, (FuncId(id), pc));
            let text = format!("{} at {}:{}", program.name(*origin), short(&at.file), at.line);
            if *width > MANY_BITS && at.line != 0 && !found.contains(&text) {
                found.push(text);
            }
        }
    }
    let more = if found.len() > MOST_INPUTS { " and others" } else { "" };
    let named = found[..found.len().min(MOST_INPUTS)].join(", ");
    (!found.is_empty()).then(|| {
        format!(
            "inputs with many values: {named}{more}; an assumption about them, or `--nondet-range=LO..HI`, \
             leaves fewer executions"
        )
    })
}

/// What to try.
fn tries(reason: &Reason) -> Vec<String> {
    let tries: &[&str] = match reason {
        Reason::Exceeded(Exceeded::Time { .. }) => &[
            "to try: more time (`--timeout`); one property at a time (`--property`); fewer threads or smaller \
             loops in the program; `--context-bound N` looks at few context switches only",
        ],
        Reason::Exceeded(Exceeded::Memory { .. }) => &[
            "to try: `--engine stateless`, which keeps no states; more memory (`--memory-limit`); one property \
             at a time (`--property`)",
        ],
        Reason::Exceeded(Exceeded::States { .. }) => &["to try: a higher `--state-limit`, or none"],
        Reason::Exceeded(Exceeded::Disk { .. } | Exceeded::Process { .. } | Exceeded::Cancelled) => &[],
        Reason::Solver(why) if why.contains("limit of conflicts") => &[
            "to try: more conflicts (`--solver-conflicts`), or no limit; without naming the engine, so that \
             others are asked, too; another solver (`--solver`)",
        ],
        Reason::Solver(_) => &[
            "to try: without naming the engine, so that others are asked, too; another solver (`--solver`; \
             `threadproof doctor` says which are there)",
        ],
        Reason::Cut(cuts) => return cuts.iter().filter_map(|cut| cut_try(cut)).map(str::to_owned).collect(),
    };
    tries.iter().map(|text| (*text).to_owned()).collect()
}

/// What to try where executions were cut.
fn cut_try(cut: &Cut) -> Option<&'static str> {
    Some(match cut {
        Cut::Depth(_) => "to try: a greater `--depth`, or none",
        Cut::ContextSwitches(_) => "to try: a greater `--context-bound`, or none",
        Cut::Preemptions(_) => "to try: a greater `--preemption-bound`, or none",
        Cut::Executions(_) => "to try: more `--executions`, or another search",
        Cut::Unwinding(_) | Cut::Loop { .. } => {
            "to try: a greater `--unwind`, or `--engine impact`, which does without bounds"
        }
        Cut::Fingerprints { .. } => "to try: without `--hash-compaction`, which keeps whole states",
        Cut::Waiting => {
            "to try: another engine (`--engine`); `--property livelock` looks at what goes on for ever"
        }
        Cut::MemoryModel(_) => "to try: without naming the engine, so that one is asked that knows the model",
        Cut::Formulas => "to try: without naming the engine, so that one is asked that decides the formulas",
        // The warning says what to do.
        Cut::Fault(_) => return None,
        // These have a place of their own, with help.
        Cut::NeedsSymbolic(_) | Cut::Unsupported { .. } => return None,
    })
}

fn location(program: &Program, (function, pc): (FuncId, Pc)) -> Location {
    let spans = &program.function(function).spans;
    program.location(function, spans.get(pc as usize).copied().unwrap_or_default())
}

fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or_default()
}
