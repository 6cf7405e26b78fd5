//! The report in the Static Analysis Results Interchange Format (SARIF 2.1.0),
//! which editors and code hosting sites show.
//!
//! A violation is one result: its rule is the property, and its code flow has
//! one thread flow per thread, whose `executionOrder` is the interleaving.
//! Where there is no violation, there are no results, and notifications of the
//! invocation say what the verdict is and what it rests on.

use ir::Location;
use machine::{Fault, Property};
use serde_json::{Value, json};

use crate::effect::Effect;
use crate::interleaving::{Interleaving, Line, Role};
use crate::message::Label;
use crate::texts::Texts;
use crate::uri::{self, Run};
use crate::view::{Answer, Finding, View, Violation};
use crate::{Sources, rules};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name of the folder that relative paths start from.
const BASE: &str = "%SRCROOT%";

/// The report as a SARIF file.
pub fn sarif(view: &View<'_>, run: &Run, sources: &dyn Sources) -> String {
    let places = Places { run, texts: Texts::new(sources) };
    let results: Vec<Value> = view.violations().map(|found| result(found, &places)).collect();
    let file = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver() },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { BASE: { "uri": uri::folder(&run.directory) } },
            "invocations": [invocation(view, &places)],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&file).expect("a report has only string keys") + "\n"
}

fn driver() -> Value {
    let rule = |property: Property| {
        json!({
            "id": property.name(),
            "shortDescription": { "text": rules::demand(property) },
            "defaultConfiguration": { "level": "error" },
        })
    };
    let notifications = ["verdict", "assumption", "cut", "warning"].map(|id| json!({ "id": id }));
    json!({
        "name": "threadproof",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": Property::ALL.map(rule),
        "notifications": notifications,
    })
}

fn invocation(view: &View<'_>, places: &Places<'_>) -> Value {
    let mut notifications = vec![notification("verdict", "note", &verdict(view), None)];
    let assumptions = view.assumptions.iter().map(|assumed| {
        notification("assumption", "note", &format!("It is assumed that {}.", assumed.text), None)
    });
    notifications.extend(assumptions);
    if let Answer::Unknown { cuts, .. } = &view.answer {
        let cut = |cut: &crate::CutView| {
            let text = format!("{} {}", sentence(&cut.message), sentence(&cut.help));
            notification("cut", "warning", text.trim_end(), Some(places.location(&cut.label.at)))
        };
        notifications.extend(cuts.iter().map(cut));
    }
    let warnings = view.warnings.iter().map(|warning| {
        let text = format!("{} {}", sentence(&warning.finding.message), sentence(&warning.note));
        notification("warning", "warning", &text, Some(places.location(&warning.finding.fault.at)))
    });
    notifications.extend(warnings);
    json!({
        "executionSuccessful": true,
        "exitCode": view.status(),
        "arguments": places.run.arguments,
        "workingDirectory": { "uri": uri::folder(&places.run.directory) },
        "toolExecutionNotifications": notifications,
        "properties": { "engine": view.engine, "checked": view.properties, "statistics": view.stats },
    })
}

fn verdict(view: &View<'_>) -> String {
    let covered = match &view.answer {
        Answer::Unknown { covered, .. } if !covered.is_empty() => format!(" Covered: {covered}."),
        _ => String::new(),
    };
    format!("{}: {}{covered}", view.verdict(), sentence(&view.summary()))
}

fn notification(id: &str, level: &str, text: &str, location: Option<Value>) -> Value {
    let mut notification = json!({ "descriptor": { "id": id }, "level": level, "message": { "text": text } });
    if let Some(location) = location {
        notification["locations"] = json!([location]);
    }
    notification
}

fn result(violation: &Violation<'_>, places: &Places<'_>) -> Value {
    let finding = &violation.finding;
    let (own, related): (Vec<&Label>, Vec<&Label>) = {
        let mut labels = finding.labels.iter();
        (labels.by_ref().take(1).collect(), labels.collect())
    };
    let rule = Property::ALL.iter().position(|property| property.name() == finding.property);
    let mut result = json!({
        "ruleId": finding.property,
        "ruleIndex": rule,
        "level": "error",
        "message": { "text": described(finding) },
        "locations": own.into_iter().map(|label| places.labelled(label, None)).collect::<Vec<_>>(),
        "relatedLocations": related.into_iter().enumerate()
            .map(|(index, label)| places.labelled(label, Some(index + 1))).collect::<Vec<_>>(),
        "stacks": [stack(finding.fault, places)],
        "partialFingerprints": { "threadproofFault/v1": fingerprint(finding) },
        "properties": { "kind": finding.kind, "replay": violation.replay },
    });
    if let Some(interleaving) = violation.interleaving {
        result["codeFlows"] = json!([code_flow(interleaving, places)]);
    }
    result
}

/// The message with what usually helps.
fn described(finding: &Finding<'_>) -> String {
    format!("{} {}", sentence(&finding.message), sentence(finding.help)).trim_end().to_owned()
}

/// The text with a full stop; nothing stays nothing.
fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

/// What makes this fault another one than others: its kind, and the functions
/// that it happens in. Lines would change with every edit.
fn fingerprint(finding: &Finding<'_>) -> String {
    let functions = finding.labels.iter().map(|label| label.at.function.as_str());
    let parts: Vec<&str> = [finding.kind, finding.message.as_str()].into_iter().chain(functions).collect();
    trace::content_hash(parts.join("\n").as_bytes())
}

fn stack(fault: &Fault, places: &Places<'_>) -> Value {
    let frames = [&fault.at].into_iter().chain(&fault.calls);
    let frames: Vec<Value> = frames.map(|at| json!({ "location": places.location(at) })).collect();
    json!({ "message": { "text": format!("the calls of {}", fault.thread) }, "frames": frames })
}

fn code_flow(interleaving: &Interleaving, places: &Places<'_>) -> Value {
    let flows = interleaving.threads.iter().map(|lane| {
        let numbered = interleaving.lines.iter().enumerate().filter(|(_, line)| line.thread == lane.thread);
        let steps: Vec<Value> =
            numbered.map(|(index, line)| step(interleaving, index, line, places)).collect();
        (lane, steps)
    });
    let flows = flows.filter(|(_, steps)| !steps.is_empty()).map(|(lane, steps)| {
        json!({ "id": lane.thread.to_string(), "message": { "text": lane.name() }, "locations": steps })
    });
    let flows: Vec<Value> = flows.collect();
    json!({ "message": { "text": interleaving.summary() }, "threadFlows": flows })
}

fn step(interleaving: &Interleaving, index: usize, line: &Line, places: &Places<'_>) -> Value {
    let mut location = places.location(&line.at);
    let switch = line.switch_text().map(|switch| format!(" ({switch})")).unwrap_or_default();
    location["message"] = json!({ "text": format!("{}: {}{switch}", line.thread, line.what()) });
    let importance = if line.role == Role::Plain { "important" } else { "essential" };
    let mut step = json!({ "location": location, "executionOrder": index + 1, "importance": importance });
    let kinds = kinds(&line.effect);
    if !kinds.is_empty() {
        step["kinds"] = json!(kinds);
    }
    if let Effect::Read { place, value } | Effect::Write { place, value, .. } = &line.effect {
        step["state"] = json!({ &interleaving.places[*place]: { "text": value } });
    }
    step
}

/// The words that the format has for what a step does.
fn kinds(effect: &Effect) -> &'static [&'static str] {
    match effect {
        Effect::Take { .. } | Effect::Wake { .. } => &["acquire", "lock"],
        Effect::Give { .. } | Effect::Wait { .. } => &["release", "lock"],
        Effect::Read { .. } => &["usage", "memory"],
        Effect::Write { .. } => &["value", "memory"],
        Effect::Create { .. } => &["call", "thread"],
        Effect::Start => &["enter", "thread"],
        Effect::End => &["exit", "thread"],
        Effect::Other
        | Effect::Input { .. }
        | Effect::Signal { .. }
        | Effect::Pass { .. }
        | Effect::Join { .. } => &[],
    }
}

struct Places<'a> {
    run: &'a Run,
    texts: Texts<'a>,
}

impl Places<'_> {
    fn labelled(&self, label: &Label, id: Option<usize>) -> Value {
        let mut location = self.location(&label.at);
        location["message"] = json!({ "text": label.text });
        if let Some(id) = id {
            location["id"] = json!(id);
        }
        location
    }

    /// A location; one that the debug information does not know has only the
    /// name of its function.
    fn location(&self, at: &Location) -> Value {
        let mut location =
            json!({ "logicalLocations": [{ "name": name(&at.function), "kind": "function" }] });
        if at.line != 0 && !at.file.is_empty() {
            location["physicalLocation"] = self.physical(at);
        }
        location
    }

    fn physical(&self, at: &Location) -> Value {
        let artifact = match uri::relative(&at.file, &self.run.directory) {
            Some(relative) => json!({ "uri": uri::path(relative), "uriBaseId": BASE }),
            None => json!({ "uri": format!("file://{}", uri::path(&at.file)) }),
        };
        let mut region = json!({ "startLine": at.line });
        if at.column != 0 {
            region["startColumn"] = json!(self.column(at));
        }
        json!({ "artifactLocation": artifact, "region": region })
    }

    /// The column in characters; the compiler counts bytes.
    fn column(&self, at: &Location) -> u32 {
        let text = self.texts.get(&at.file);
        let line = text.as_deref().and_then(|text| text.lines().nth(at.line as usize - 1));
        let before = line.and_then(|line| line.get(..at.column as usize - 1));
        before.map_or(at.column, |before| before.chars().count() as u32 + 1)
    }
}

fn name(function: &str) -> &str {
    if function.is_empty() { "unknown" } else { function }
}
