//! The report for programs: one JSON object.

use engine::{Assumption, Stats, Verdict, Warning};
use ir::Location;
use machine::{Fault, FaultKind, ThreadId};
use serde::Serialize;
use trace::TraceStep;

use crate::interleaving::Interleaving;
use crate::message::message;
use crate::{Attempt, Report};

#[derive(Serialize)]
struct Object<'a> {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    covered: String,
    /// What a safe verdict rests on.
    assumptions: Vec<AssumptionObject>,
    stats: &'a Stats,
    warnings: Vec<WarningObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a str>,
}

#[derive(Serialize)]
struct FaultObject<'a> {
    kind: &'a str,
    property: &'a str,
    message: String,
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    thread: ThreadId,
    calls: &'a [Location],
    details: &'a FaultKind,
}

#[derive(Serialize)]
struct TraceObject<'a> {
    steps: &'a [TraceStep],
    #[serde(skip_serializing_if = "Option::is_none")]
    interleaving: Option<&'a Interleaving>,
}

#[derive(Serialize)]
struct WarningObject<'a> {
    #[serde(flatten)]
    fault: FaultObject<'a>,
    count: u64,
}

#[derive(Serialize)]
struct AssumptionObject {
    kind: &'static str,
    text: String,
}

/// The report as one line of JSON.
pub fn json(report: &Report<'_>) -> String {
    let outcome = report.outcome;
    let mut object = Object {
        verdict: report.verdict_name(),
        property: report.properties.iter().map(|p| p.name()).collect::<Vec<_>>().join(","),
        engine: report.engine,
        attempts: report.attempts,
        fault: None,
        trace: None,
        reason: None,
        covered: String::new(),
        assumptions: outcome.assumptions.iter().map(assumption_object).collect(),
        stats: &outcome.stats,
        warnings: outcome.warnings.iter().map(warning_object).collect(),
        replay: report.replay,
    };
    match &outcome.verdict {
        Verdict::Holds { evidence } => object.covered = evidence.to_string(),
        Verdict::Violated { fault, trace } => {
            object.property = fault.kind.property().name().to_owned();
            object.fault = Some(fault_object(fault));
            object.trace = Some(TraceObject { steps: &trace.steps, interleaving: report.interleaving });
        }
        Verdict::Unknown { reason, covered } => {
            object.reason = Some(reason.to_string());
            object.covered = covered.clone();
        }
    }
    serde_json::to_string(&object).expect("a report has only string keys")
}

fn fault_object(fault: &Fault) -> FaultObject<'_> {
    FaultObject {
        kind: fault.kind.name(),
        property: fault.kind.property().name(),
        message: message(fault),
        file: &fault.at.file,
        line: fault.at.line,
        column: fault.at.column,
        function: &fault.at.function,
        thread: fault.thread,
        calls: &fault.calls,
        details: &fault.kind,
    }
}

fn warning_object(warning: &Warning) -> WarningObject<'_> {
    WarningObject { fault: fault_object(&warning.fault), count: warning.count }
}

fn assumption_object(assumption: &Assumption) -> AssumptionObject {
    AssumptionObject { kind: assumption.kind(), text: assumption.to_string() }
}
