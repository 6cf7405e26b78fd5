//! The report for people.

use engine::counters::STATES;
use engine::{Assumption, Counter, Cut, Evidence, Reason, Stats, Told, Unit, Value, Verdict, Warning};
use ir::Location;
use machine::Fault;

use crate::interleaving::Interleaving;
use crate::message::{Label, help, labels, message};
use crate::style::{Role, Style};
use crate::{Report, Sources, grouped, lanes, snippet, wrap};

/// The whole report: what is wrong, how it comes about, what was done.
pub fn text(report: &Report<'_>, sources: &dyn Sources, style: Style) -> String {
    let mut out = String::new();
    for warning in &report.outcome.warnings {
        out.push_str(&warning_text(warning, sources, style));
        out.push('\n');
    }
    let name = report.verdict_name();
    let summary = match &report.outcome.verdict {
        Verdict::Violated { fault, .. } => {
            out.push_str(&violation(fault, report.interleaving, report.replay, sources, style));
            out.push('\n');
            format!("{}: {}", style.paint(Role::Error, name), fault.kind.property().name())
        }
        Verdict::Holds { evidence } => {
            format!("{}: {}", style.paint(Role::Good, name), holds(report, *evidence))
        }
        Verdict::Unknown { reason, covered } => {
            out.push_str(&cuts_text(reason, sources, style));
            format!("{}: {}\ncovered: {covered}", style.paint(Role::Warning, name), short(reason))
        }
    };
    out.push_str(&summary);
    out.push('\n');
    out.push_str(&assumptions(&report.outcome.assumptions, style));
    for line in engines(report) {
        out.push_str(&style.paint(Role::Dim, &line));
        out.push('\n');
    }
    out
}

/// What a safe verdict rests on, one assumption a line.
fn assumptions(assumptions: &[Assumption], style: Style) -> String {
    const BULLET: &str = "  - ";
    let line = |assumption: &Assumption| {
        let (text, indent) = (assumption.to_string(), BULLET.len());
        format!("{BULLET}{}\n", wrap(&text, style.width.saturating_sub(indent), indent))
    };
    let lines: String = assumptions.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("assuming that\n{lines}") }
}

/// The engines that were asked, why, and what came of it; the last gave the
/// answer.
fn engines(report: &Report<'_>) -> Vec<String> {
    let why = |why: Option<&str>| why.map(|why| format!(" ({why})")).unwrap_or_default();
    let (last, before) = report.attempts.split_last().unzip();
    let before = before.unwrap_or_default().iter().map(|attempt| {
        let answer = attempt.answer.as_deref().unwrap_or("no answer");
        format!("engine {}{}: {answer} ({:.2} s)", attempt.engine, why(attempt.why), attempt.seconds)
    });
    let last = why(last.and_then(|attempt| attempt.why));
    let stats = format!("engine {}{last}: {}", report.engine, stats_text(&report.outcome.stats));
    before.chain([stats]).collect()
}

/// A fault with its source lines, the interleaving that leads to it, and the
/// command that replays it.
pub fn violation(
    fault: &Fault,
    interleaving: Option<&Interleaving>,
    replay: Option<&str>,
    sources: &dyn Sources,
    style: Style,
) -> String {
    let mut out = heading("error", Role::Error, fault, style);
    let labels = labels(fault);
    out.push_str(&snippet::snippet(&labels, sources, style));
    for text in call_texts(&fault.calls) {
        out.push_str(&note("note", &text, &labels, style));
    }
    if !help(&fault.kind).is_empty() {
        out.push_str(&note("help", help(&fault.kind), &labels, style));
    }
    if let Some(interleaving) = interleaving {
        out.push('\n');
        out.push_str(&counts(interleaving));
        out.push_str(&lanes::draw(interleaving, style));
    }
    if let Some(command) = replay {
        out.push_str(&format!("\nreplay with: {}\n", style.paint(Role::Strong, command)));
    }
    out
}

fn heading(what: &str, role: Role, fault: &Fault, style: Style) -> String {
    let head = style.paint(role, &format!("{what}[{}]", fault.kind.name()));
    format!("{head}{}\n", style.paint(Role::Strong, &format!(": {}", message(fault))))
}

/// A remark below a snippet, in line with its frame.
fn note(what: &str, text: &str, labels: &[Label], style: Style) -> String {
    let gutter = snippet::gutter(labels) + 1;
    let indent = gutter + 2 + what.len() + 2;
    let text = wrap(text, style.width.saturating_sub(indent), indent);
    let (sign, what) = (style.paint(Role::Frame, "="), style.paint(Role::Strong, what));
    format!("{:gutter$}{sign} {what}: {text}\n", "")
}

/// The calls that led to a fault; of many, the innermost.
fn call_texts(calls: &[Location]) -> Vec<String> {
    const SHOWN: usize = 8;
    let text = |call: &Location| format!("called from {} at {call}", call.function);
    let mut texts: Vec<String> = calls.iter().take(SHOWN).map(text).collect();
    if calls.len() > SHOWN {
        texts.push("... and further calls".to_owned());
    }
    texts
}

fn counts(interleaving: &Interleaving) -> String {
    let (switches, preemptions) = (interleaving.context_switches, interleaving.preemptions);
    let switch = if switches == 1 { "switch" } else { "switches" };
    let preemption = if preemptions == 1 { "preemption" } else { "preemptions" };
    let starts = match interleaving.shown_switches {
        shown if shown == switches => String::new(),
        shown => format!(" ({shown} shown; starting a thread is one too)"),
    };
    format!("interleaving: {switches} context {switch}{starts}, {preemptions} {preemption}\n")
}

fn warning_text(warning: &Warning, sources: &dyn Sources, style: Style) -> String {
    let fault = &warning.fault;
    let mut out = heading("warning", Role::Warning, fault, style);
    let labels = labels(fault);
    out.push_str(&snippet::snippet(&labels, sources, style));
    let times =
        if warning.count == 1 { "once".to_owned() } else { format!("{} times", grouped(warning.count)) };
    let text = format!(
        "executions end here (seen {times}); `--property {0}` makes it a violation{1}",
        fault.kind.property().name(),
        if fault.kind.is_undefined() { undefined_note(fault) } else { String::new() }
    );
    out + &note("note", &text, &labels, style)
}

fn undefined_note(fault: &Fault) -> String {
    let property = fault.kind.property().name();
    format!(", `--assume-no {property}` takes for granted that it does not happen; what follows is undefined")
}

fn holds(report: &Report<'_>, evidence: Evidence) -> String {
    let names: Vec<&str> = report.properties.iter().map(|p| p.name()).collect();
    let but = if report.outcome.warnings.is_empty() { "" } else { ", but see the warnings" };
    format!("no execution violates {}; {evidence}{but}", names.join(", "))
}

fn short(reason: &Reason) -> String {
    match reason {
        Reason::Exceeded(exceeded) => exceeded.to_string(),
        Reason::Solver(message) => message.clone(),
        Reason::Cut(cuts) if cuts.len() == 1 => cuts[0].to_string(),
        Reason::Cut(cuts) => format!("executions could not be followed at {} places", cuts.len()),
    }
}

fn cuts_text(reason: &Reason, sources: &dyn Sources, style: Style) -> String {
    let Reason::Cut(cuts) = reason else { return String::new() };
    cuts.iter().map(|cut| cut_text(cut, sources, style)).collect()
}

const HAVOC: &str =
    "give its source, or treat it as one that does nothing and returns anything: `--havoc NAME`";

fn cut_text(cut: &Cut, sources: &dyn Sources, style: Style) -> String {
    let (message, at, help) = match cut {
        Cut::NeedsSymbolic(needs) => (
            format!("{} can be anything, too much to try it all", needs.origin),
            &needs.at,
            "bound it with an assumption that follows, or try a range: `--nondet-range=LO..HI`",
        ),
        Cut::Unsupported { what, at } => {
            let help = if what.ends_with(ir::WITHOUT_BODY) { HAVOC } else { "" };
            (format!("{what} is not supported"), at, help)
        }
        // The warning says it.
        Cut::Fault(_)
        | Cut::Depth(_)
        | Cut::ContextSwitches(_)
        | Cut::Preemptions(_)
        | Cut::Executions(_)
        | Cut::Waiting
        | Cut::Unwinding(_)
        | Cut::Loop { .. }
        | Cut::Fingerprints { .. } => return String::new(),
    };
    let text = "executions are not followed beyond this".to_owned();
    let labels = [Label { at: at.clone(), text, primary: true }];
    let mut out = style.paint(Role::Warning, "unknown");
    out.push_str(&style.paint(Role::Strong, &format!(": {message}")));
    out.push('\n');
    out.push_str(&snippet::snippet(&labels, sources, style));
    if !help.is_empty() {
        out.push_str(&note("help", help, &labels, style));
    }
    out + "\n"
}

/// The counters that are told, in the order of their places.
fn stats_text(stats: &Stats) -> String {
    let mut counts: Vec<(Counter, &Value)> = stats.counts.iter().collect();
    counts.sort_by_key(|(counter, _)| counter.place);
    let known = counts.iter().filter_map(|(counter, value)| number_text(*counter, value));
    let rate = stats.count(STATES).map(|states| (states as f64 / stats.seconds.max(1e-3)) as u64);
    let rate = rate.filter(|_| stats.seconds >= 1.0).map(|rate| format!("{} states/s", grouped(rate)));
    let others = counts.iter().filter_map(|(counter, value)| amount_text(*counter, value));
    let seconds = format!("{:.2} s", stats.seconds);
    let all: Vec<String> = known.chain([seconds]).chain(rate).chain(others).collect();
    all.join(", ")
}

/// A number of things, with their name in the singular or the plural.
fn number_text(counter: Counter, value: &Value) -> Option<String> {
    let (Told::As(name) | Told::IfAny(name), Value::Number(n)) = (counter.told, value) else { return None };
    let (one, all) = (name.trim_end_matches('s'), *n > 0 || counter.told == Told::As(name));
    all.then(|| format!("{} {}", grouped(*n), if *n == 1 { one } else { name }))
}

/// What is told in its unit.
fn amount_text(counter: Counter, value: &Value) -> Option<String> {
    match (counter.told, value) {
        (Told::InUnit, Value::Number(bytes)) if counter.unit == Unit::Bytes => {
            Some(format!("{} MiB", grouped(bytes >> 20)))
        }
        (Told::InUnit, Value::Words(words)) => Some(format!("{} {words}", counter.name)),
        _ => None,
    }
}
