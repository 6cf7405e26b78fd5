//! What the page shows, as the script on it reads it.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{Unit, Value};
use machine::Property;
use serde::Serialize;

use super::flows::{Flow, Hold, flows, holds};
use crate::effect::Effect;
use crate::interleaving::{Interleaving, Line, Locals, Role};
use crate::message::Label;
use crate::view::{Answer, CutView, Finding, View, Violation, WarningView};
use crate::{Attempt, Sources, grouped, rules};

/// Of longer files only the lines around those that matter are on the page.
const LONGEST_FILE: usize = 3000;
const AROUND: usize = 40;

/// All that the page shows.
#[derive(Serialize)]
pub struct Data<'a> {
    verdict: &'static str,
    summary: String,
    finding: Option<FindingData<'a>>,
    trace: Option<TraceData<'a>>,
    files: Vec<FileData>,
    covered: &'a str,
    hints: &'a [String],
    reason: Option<&'a str>,
    cuts: Vec<CutData<'a>>,
    assumptions: Vec<&'a str>,
    warnings: Vec<WarningData<'a>>,
    properties: Vec<(&'static str, &'static str)>,
    statistics: Vec<(String, String)>,
    replay: Option<&'a str>,
    invariants: Vec<InvariantData<'a>>,
    gaps: GapsData<'a>,
    further: Vec<FurtherData<'a>>,
    rest: Option<&'a str>,
}

#[derive(Serialize)]
struct InvariantData<'a> {
    at: &'a str,
    text: &'a str,
}

/// What was never executed.
#[derive(Serialize)]
struct GapsData<'a> {
    heading: &'a str,
    items: &'a [String],
}

/// A violation besides the one that is shown.
#[derive(Serialize)]
struct FurtherData<'a> {
    message: &'a str,
    labels: Vec<LabelData<'a>>,
    replay: Option<&'a str>,
}

#[derive(Serialize)]
struct FindingData<'a> {
    message: &'a str,
    help: &'a str,
    calls: &'a [String],
    labels: Vec<LabelData<'a>>,
}

#[derive(Serialize)]
struct LabelData<'a> {
    file: Option<usize>,
    line: u32,
    column: u32,
    function: &'a str,
    text: &'a str,
    primary: bool,
}

#[derive(Serialize)]
struct WarningData<'a> {
    message: &'a str,
    note: &'a str,
    labels: Vec<LabelData<'a>>,
}

#[derive(Serialize)]
struct CutData<'a> {
    message: &'a str,
    help: &'a str,
    label: LabelData<'a>,
}

#[derive(Serialize)]
struct TraceData<'a> {
    summary: String,
    threads: Vec<ThreadData>,
    places: &'a [String],
    rows: Vec<Row<'a>>,
    flows: Vec<Flow>,
    holds: Vec<Hold>,
}

#[derive(Serialize)]
struct ThreadData {
    name: String,
    short: String,
    first: Option<usize>,
    last: Option<usize>,
}

#[derive(Serialize)]
struct Row<'a> {
    thread: usize,
    file: Option<usize>,
    line: u32,
    function: &'a str,
    text: &'a str,
    times: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cycle: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    switch: Option<SwitchData>,
    #[serde(skip_serializing_if = "is_other")]
    effect: &'a Effect,
    #[serde(skip_serializing_if = "<[Effect]>::is_empty")]
    also: &'a [Effect],
    #[serde(skip_serializing_if = "Option::is_none")]
    locals: Option<&'a Locals>,
}

#[derive(Serialize)]
struct SwitchData {
    from: usize,
    preemption: bool,
}

/// The lines of a source file that are on the page.
#[derive(Serialize)]
struct FileData {
    path: String,
    chunks: Vec<Chunk>,
}

#[derive(Serialize)]
struct Chunk {
    /// The number of the first line.
    first: usize,
    lines: Vec<String>,
}

fn is_other(effect: &&Effect) -> bool {
    **effect == Effect::Other
}

impl<'a> Data<'a> {
    /// What the page shows of a report; the interleaving as it is to be told.
    pub fn new(view: &'a View<'_>, told: Option<&'a Interleaving>, sources: &dyn Sources) -> Data<'a> {
        let mut files = Files::default();
        let violation = view.violation();
        let (covered, reason, cuts): (&str, Option<&str>, &[CutView]) = match &view.answer {
            Answer::Safe { covered, .. } => (covered, None, &[]),
            Answer::Unsafe(_) => ("", None, &[]),
            Answer::Unknown { covered, reason, cuts, .. } => (covered, Some(reason), cuts),
        };
        Data {
            verdict: view.verdict(),
            summary: view.summary(),
            finding: violation.map(|violation| finding(&violation.finding, &mut files)),
            trace: told.map(|told| trace(told, &mut files)),
            covered,
            hints: view.hints,
            reason,
            cuts: cuts.iter().map(|cut| cut_data(cut, &mut files)).collect(),
            assumptions: view.assumptions.iter().map(|assumed| assumed.text.as_str()).collect(),
            warnings: view.warnings.iter().map(|warning| warning_data(warning, &mut files)).collect(),
            properties: view.properties.iter().map(|name| (*name, demand(name))).collect(),
            statistics: statistics(view),
            replay: violation.and_then(|violation| violation.replay),
            invariants: invariants(view),
            gaps: GapsData { heading: &view.gaps.heading, items: &view.gaps.items },
            further: view.further.iter().map(|further| further_data(further, &mut files)).collect(),
            rest: view.rest,
            files: files.read(sources),
        }
    }
}

fn finding<'a>(finding: &'a Finding<'_>, files: &mut Files) -> FindingData<'a> {
    let labels = finding.labels.iter().map(|label| files.label(label)).collect();
    FindingData { message: &finding.message, help: finding.help, calls: &finding.calls, labels }
}

fn invariants<'a>(view: &'a View<'_>) -> Vec<InvariantData<'a>> {
    match &view.answer {
        Answer::Safe { invariants, .. } => {
            invariants.iter().map(|each| InvariantData { at: &each.at, text: &each.text }).collect()
        }
        Answer::Unsafe(_) | Answer::Unknown { .. } => Vec::new(),
    }
}

fn further_data<'a>(further: &'a Violation<'_>, files: &mut Files) -> FurtherData<'a> {
    let finding = finding(&further.finding, files);
    FurtherData { message: finding.message, labels: finding.labels, replay: further.replay }
}

fn warning_data<'a>(warning: &'a WarningView<'_>, files: &mut Files) -> WarningData<'a> {
    let labels = warning.finding.labels.iter().map(|label| files.label(label)).collect();
    WarningData { message: &warning.finding.message, note: &warning.note, labels }
}

fn cut_data<'a>(cut: &'a CutView, files: &mut Files) -> CutData<'a> {
    CutData { message: &cut.message, help: &cut.help, label: files.label(&cut.label) }
}

fn demand(name: &str) -> &'static str {
    Property::from_name(name).map(rules::demand).unwrap_or_default()
}

fn trace<'a>(told: &'a Interleaving, files: &mut Files) -> TraceData<'a> {
    let threads = told.threads.iter().map(|lane| {
        let own = |line: &Line| line.thread == lane.thread;
        ThreadData {
            name: lane.name(),
            short: lane.thread.to_string(),
            first: told.lines.iter().position(own),
            last: told.lines.iter().rposition(own),
        }
    });
    TraceData {
        summary: told.summary(),
        threads: threads.collect(),
        places: &told.places,
        rows: told.lines.iter().map(|line| row(line, told, files)).collect(),
        flows: flows(told),
        holds: holds(told),
    }
}

fn row<'a>(line: &'a Line, told: &Interleaving, files: &mut Files) -> Row<'a> {
    let lane = |thread| told.threads.iter().position(|lane| lane.thread == thread).unwrap_or(0);
    let role = match line.role {
        Role::Plain => None,
        Role::Part => Some("part"),
        Role::Fault => Some("fault"),
    };
    Row {
        thread: lane(line.thread),
        file: files.mention(&line.at.file, line.at.line),
        line: line.at.line,
        function: &line.at.function,
        text: &line.text,
        times: line.times,
        role,
        cycle: line.cycle,
        switch: line.switch.map(|to| SwitchData { from: lane(to.from), preemption: to.preemption }),
        effect: &line.effect,
        also: &line.also,
        locals: line.locals.as_ref().map(Arc::as_ref),
    }
}

fn statistics(view: &View<'_>) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let (_, before) = view.attempts.split_last().unzip();
    for attempt in before.unwrap_or_default() {
        let answer = attempt.answer.as_deref().unwrap_or("no answer");
        let search = attempt.search.map(|search| format!(" (search {search})")).unwrap_or_default();
        let engine = format!("engine {}{search}", attempt.engine);
        rows.push((engine, format!("{answer} ({:.2} s)", attempt.seconds)));
    }
    let about = view.attempts.last().map(Attempt::about).unwrap_or_default();
    rows.push(("engine".to_owned(), format!("{}{about}", view.engine)));
    rows.push(("time".to_owned(), format!("{:.2} s", view.stats.seconds)));
    let counted = view.stats.counts.iter().filter_map(|(counter, value)| {
        Some((counter.name.replace('_', " "), value_text(counter.unit, value)?))
    });
    rows.extend(counted);
    rows
}

/// A counter's value in words; tables have no room here.
fn value_text(unit: Unit, value: &Value) -> Option<String> {
    match value {
        Value::Number(bytes) if unit == Unit::Bytes => Some(format!("{} MiB", grouped(bytes >> 20))),
        Value::Number(number) => Some(grouped(*number)),
        Value::Real(number) => Some(format!("{number:.2}")),
        Value::Numbers(numbers) => Some(numbers.iter().map(|n| grouped(*n)).collect::<Vec<_>>().join(" ")),
        Value::Words(words) => Some((*words).to_owned()),
        Value::Rows(_) => None,
    }
}

/// The source files that are mentioned, with the lines.
#[derive(Default)]
struct Files(Vec<(String, BTreeSet<usize>)>);

impl Files {
    /// The number of a file, if the position is known.
    fn mention(&mut self, path: &str, line: u32) -> Option<usize> {
        if line == 0 || path.is_empty() {
            return None;
        }
        let known = self.0.iter().position(|(known, _)| known == path);
        let number = known.unwrap_or_else(|| {
            self.0.push((path.to_owned(), BTreeSet::new()));
            self.0.len() - 1
        });
        self.0[number].1.insert(line as usize);
        Some(number)
    }

    fn label<'a>(&mut self, label: &'a Label) -> LabelData<'a> {
        let Label { at, text, primary } = label;
        let file = self.mention(&at.file, at.line);
        LabelData { file, line: at.line, column: at.column, function: &at.function, text, primary: *primary }
    }

    fn read(self, sources: &dyn Sources) -> Vec<FileData> {
        let file = |(path, lines): (String, BTreeSet<usize>)| {
            let text = sources.text(&path).unwrap_or_default();
            FileData { chunks: chunks(&text, &lines), path }
        };
        self.0.into_iter().map(file).collect()
    }
}

/// The whole text, or what is around the mentioned lines.
fn chunks(text: &str, mentioned: &BTreeSet<usize>) -> Vec<Chunk> {
    let lines: Vec<&str> = text.lines().collect();
    let is_near = |number: usize| {
        lines.len() <= LONGEST_FILE
            || mentioned.range(number.saturating_sub(AROUND)..=number + AROUND).next().is_some()
    };
    let mut chunks: Vec<Chunk> = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(index, _)| is_near(index + 1)) {
        match chunks.last_mut().filter(|chunk| chunk.first + chunk.lines.len() == index + 1) {
            Some(chunk) => chunk.lines.push((*line).to_owned()),
            None => chunks.push(Chunk { first: index + 1, lines: vec![(*line).to_owned()] }),
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_files_only_what_matters_is_kept() {
        let text = "x\n".repeat(10_000);
        let chunks = chunks(&text, &BTreeSet::from([5, 4000, 4010]));
        let kept: Vec<(usize, usize)> = chunks.iter().map(|chunk| (chunk.first, chunk.lines.len())).collect();
        assert_eq!(kept, [(1, 45), (3960, 91)]);
    }
}
