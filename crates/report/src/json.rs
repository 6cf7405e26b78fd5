//! The report for programs: one JSON object.

use engine::{Invariant, Stats};
use ir::Location;
use machine::{FaultKind, Mover, ThreadId};
use serde::Serialize;
use trace::{Moved, TraceStep};

use crate::coverage::{Branch, Coverage, Covered};
use crate::interleaving::Interleaving;
use crate::view::{Answer, AssumptionView, Finding, View, Violation, WarningView};
use crate::{Attempt, Repair};

/// The version of the object's fields: it rises when one changes its meaning or
/// goes away.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Object<'a> {
    version: u32,
    verdict: &'a str,
    /// The violated property, or all that were checked.
    property: String,
    engine: &'a str,
    /// The engines that were asked.
    #[serde(skip_serializing_if = "<[Attempt]>::is_empty")]
    attempts: &'a [Attempt],
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceObject<'a>>,
    /// Violations besides that of the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further: Vec<FurtherObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    covered: String,
    /// What makes it hard, and what to try.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
    /// Where fences help.
    #[serde(skip_serializing_if = "Option::is_none")]
    fences: Option<&'a Repair>,
    /// What holds at the heads of loops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<&'a Invariant>,
    /// What the proof calls data.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    data: &'a [String],
    /// What a safe verdict rests on.
    assumptions: Vec<AssumptionObject<'a>>,
    /// What was executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageObject<'a>>,
    stats: &'a Stats,
    warnings: Vec<WarningObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a str>,
}

#[derive(Serialize)]
struct FaultObject<'a> {
    kind: &'a str,
    property: &'a str,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    thread: ThreadId,
    calls: &'a [Location],
    details: &'a FaultKind,
}

#[derive(Serialize)]
struct FurtherObject<'a> {
    fault: FaultObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a str>,
}

#[derive(Serialize)]
struct TraceObject<'a> {
    steps: Vec<StepObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interleaving: Option<&'a Interleaving>,
    #[serde(skip_serializing_if = "<[Moved]>::is_empty")]
    moved: &'a [Moved],
}

#[derive(Serialize)]
struct StepObject<'a> {
    #[serde(flatten)]
    mover: Mover,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<u64>,
    at: &'a Location,
}

#[derive(Serialize)]
struct WarningObject<'a> {
    #[serde(flatten)]
    fault: FaultObject<'a>,
    count: u64,
}

#[derive(Serialize)]
struct CoverageObject<'a> {
    exact: bool,
    lines: CoveredObject<'a, Covered>,
    branches: CoveredObject<'a, Branch>,
    assertions: CoveredObject<'a, Covered>,
    threads: CoveredObject<'a, Covered>,
}

#[derive(Serialize)]
struct CoveredObject<'a, T> {
    total: usize,
    /// Those that were never executed.
    missing: Vec<&'a T>,
}

#[derive(Serialize)]
struct AssumptionObject<'a> {
    kind: &'static str,
    text: &'a str,
}

/// The report as one line of JSON.
pub fn json(view: &View<'_>) -> String {
    let violation = view.violation();
    let (reason, covered) = match &view.answer {
        Answer::Safe { covered, .. } => (None, *covered),
        Answer::Unsafe(_) => (None, ""),
        Answer::Unknown { reason, covered, .. } => (Some(reason.as_str()), *covered),
    };
    let object = Object {
        version: VERSION,
        verdict: view.verdict(),
        property: violation.map_or_else(|| view.properties.join(","), |_| view.violated().join(",")),
        engine: view.engine,
        attempts: view.attempts,
        fault: violation.map(|violation| fault_object(&violation.finding)),
        trace: violation.and_then(trace_object),
        further: view.further.iter().map(further_object).collect(),
        rest: view.rest,
        reason,
        covered: covered.replace('\n', "; "),
        hints: view.hints,
        fences: view.repair,
        invariants: invariants(view),
        data: data(view),
        assumptions: view.assumptions.iter().map(assumption_object).collect(),
        coverage: view.coverage.map(coverage_object),
        stats: view.stats,
        warnings: view.warnings.iter().map(warning_object).collect(),
        replay: violation.and_then(|violation| violation.replay),
    };
    serde_json::to_string(&object).expect("a report has only string keys")
}

/// What went wrong that is no verdict, as one line of JSON. The kind is `input`
/// or `internal`.
pub fn json_error(kind: &str, message: &str, status: u8) -> String {
    let error = serde_json::json!({ "kind": kind, "message": message });
    serde_json::json!({ "version": VERSION, "verdict": "error", "status": status, "error": error })
        .to_string()
}

fn data<'a>(view: &View<'a>) -> &'a [String] {
    match view.answer {
        Answer::Safe { data, .. } => data,
        Answer::Unsafe(_) | Answer::Unknown { .. } => &[],
    }
}

fn invariants<'a>(view: &View<'a>) -> Vec<&'a Invariant> {
    match &view.answer {
        Answer::Safe { invariants, .. } => invariants.iter().map(|each| each.invariant).collect(),
        Answer::Unsafe(_) | Answer::Unknown { .. } => Vec::new(),
    }
}

fn coverage_object(coverage: &Coverage) -> CoverageObject<'_> {
    CoverageObject {
        exact: coverage.exact,
        lines: covered_object(&coverage.lines, |each| each.executed),
        branches: covered_object(&coverage.branches, |each| each.executed),
        assertions: covered_object(&coverage.assertions, |each| each.executed),
        threads: covered_object(&coverage.threads, |each| each.executed),
    }
}

fn covered_object<T>(list: &[T], executed: impl Fn(&T) -> bool) -> CoveredObject<'_, T> {
    CoveredObject { total: list.len(), missing: list.iter().filter(|each| !executed(each)).collect() }
}

fn fault_object<'a>(finding: &'a Finding<'_>) -> FaultObject<'a> {
    let fault = finding.fault;
    FaultObject {
        kind: finding.kind,
        property: finding.property,
        message: &finding.message,
        file: &fault.at.file,
        line: fault.at.line,
        column: fault.at.column,
        function: &fault.at.function,
        thread: fault.thread,
        calls: &fault.calls,
        details: &fault.kind,
    }
}

fn further_object<'a>(violation: &'a Violation<'a>) -> FurtherObject<'a> {
    FurtherObject {
        fault: fault_object(&violation.finding),
        trace: trace_object(violation),
        replay: violation.replay,
    }
}

fn trace_object<'a>(violation: &Violation<'a>) -> Option<TraceObject<'a>> {
    let steps = violation.trace?.steps.iter().map(step_object).collect();
    Some(TraceObject { steps, interleaving: violation.interleaving, moved: violation.moved })
}

fn step_object(step: &TraceStep) -> StepObject<'_> {
    StepObject { mover: step.mover, choice: Some(step.choice).filter(|choice| *choice != 0), at: &step.at }
}

fn warning_object<'a>(warning: &'a WarningView<'_>) -> WarningObject<'a> {
    WarningObject { fault: fault_object(&warning.finding), count: warning.count }
}

fn assumption_object(assumption: &AssumptionView) -> AssumptionObject<'_> {
    AssumptionObject { kind: assumption.kind, text: &assumption.text }
}
