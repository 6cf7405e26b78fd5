//! The report for people.

use engine::counters::STATES;
use engine::{Counter, Stats, Told, Unit, Value};
use trace::Moved;

use crate::message::Label;
use crate::style::{Role, Style};
use crate::view::{Answer, AssumptionView, CutView, Finding, InvariantView, View, Violation, WarningView};
use crate::{Attempt, Gaps, Repair, Sources, grouped, lanes, snippet, wrap};

/// The whole report: what is wrong, how it comes about, what was done.
pub fn text(view: &View<'_>, sources: &dyn Sources, style: Style) -> String {
    let mut out = String::new();
    for warning in &view.warnings {
        out.push_str(&warning_text(warning, sources, style));
        out.push('\n');
    }
    let role = match &view.answer {
        Answer::Safe { .. } => Role::Good,
        Answer::Unsafe(_) => {
            for found in view.violations() {
                out.push_str(&violation(found, sources, style));
                out.push('\n');
            }
            Role::Error
        }
        Answer::Unknown { cuts, .. } => {
            out.extend(cuts.iter().map(|cut| cut_text(cut, sources, style)));
            Role::Warning
        }
    };
    out.push_str(&format!("{}: {}\n", style.paint(role, view.verdict()), view.summary()));
    out.extend(view.rest.map(|rest| format!("besides: {rest}\n")));
    out.extend(view.repair.map(|repair| repair_text(repair, sources, style)));
    if let Answer::Unknown { covered, .. } = view.answer {
        out.push_str(&covered_text(covered, style));
        out.extend((covered.contains('\n') && !view.hints.is_empty()).then_some("hints\n"));
        out.extend(view.hints.iter().map(|hint| bullet(hint, style)));
    }
    if let Answer::Safe { invariants, data, .. } = &view.answer {
        out.push_str(&invariants_text(invariants, style));
        out.push_str(&data_text(data, style));
    }
    out.push_str(&assumptions(&view.assumptions, style));
    out.push_str(&gaps_text(&view.gaps, style));
    for line in engines(view).iter().filter(|_| !style.quiet) {
        out.push_str(&style.paint(Role::Dim, line));
        out.push('\n');
    }
    out
}

/// How far the search came; if several engines say so, each in a line.
fn covered_text(covered: &str, style: Style) -> String {
    match covered.contains('\n') {
        true => covered.lines().fold("covered\n".to_owned(), |out, line| out + &bullet(line, style)),
        false => format!("covered: {covered}\n"),
    }
}

/// The places for fences in the source, and what they are good for.
fn repair_text(repair: &Repair, sources: &dyn Sources, style: Style) -> String {
    let head = format!("{}: {}", style.paint(Role::Strong, "fences"), repair.summary());
    format!("{}\n{}", wrap(&head, style.width, 4), snippet::snippet(&repair.labels(), sources, style))
}

/// What holds at the heads of loops, one place a line.
fn invariants_text(invariants: &[InvariantView<'_>], style: Style) -> String {
    const INDENT: usize = 4;
    let line = |invariant: &InvariantView<'_>| {
        // Lines are not broken within conditions.
        let conditions = invariant.text.replace(' ', "\u{a0}").replace(",\u{a0}", ", ");
        let text = format!("at {}: {conditions}", invariant.at);
        format!("  {}\n", wrap(&text, style.width.saturating_sub(INDENT), INDENT)).replace('\u{a0}', " ")
    };
    let lines: String = invariants.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("invariants\n{lines}") }
}

/// Which numbers the proof speaks of; it has followed all values of the others.
fn data_text(data: &[String], style: Style) -> String {
    if data.is_empty() {
        return String::new();
    }
    format!("{}\n", wrap(&format!("data: {}", data.join(", ")), style.width, 2))
}

/// What a safe verdict rests on, one assumption a line.
fn assumptions(assumptions: &[AssumptionView], style: Style) -> String {
    let lines: String = assumptions.iter().map(|assumption| bullet(&assumption.text, style)).collect();
    if lines.is_empty() { lines } else { format!("assuming that\n{lines}") }
}

/// What was never executed, one gap a line.
fn gaps_text(gaps: &Gaps, style: Style) -> String {
    let lines: String = gaps.items.iter().map(|item| bullet(item, style)).collect();
    if gaps.heading.is_empty() { lines } else { format!("{}\n{lines}", gaps.heading) }
}

/// An item of a list.
fn bullet(text: &str, style: Style) -> String {
    const BULLET: &str = "  - ";
    let indent = BULLET.len();
    format!("{BULLET}{}\n", wrap(text, style.width.saturating_sub(indent), indent))
}

/// The engines that were asked, why, and what came of it; the last gave the
/// answer.
fn engines(view: &View<'_>) -> Vec<String> {
    let (last, before) = view.attempts.split_last().unzip();
    let before = before.unwrap_or_default().iter().map(|attempt| {
        let answer = attempt.answer.as_deref().unwrap_or("no answer");
        let did = attempt.did.as_ref().map(|did| format!(", {did}")).unwrap_or_default();
        format!("engine {}{}: {answer} ({:.2} s{did})", attempt.engine, attempt.about(), attempt.seconds)
    });
    let last = last.map(Attempt::about).unwrap_or_default();
    let stats = format!("engine {}{last}: {}", view.engine, stats_text(view.stats));
    before.chain([stats]).collect()
}

/// A fault with its source lines, the interleaving that leads to it, and the
/// command that replays it.
pub fn violation(violation: &Violation<'_>, sources: &dyn Sources, style: Style) -> String {
    let finding = &violation.finding;
    let mut out = heading("error", Role::Error, finding, style);
    out.push_str(&snippet::snippet(&finding.labels, sources, style));
    for text in &finding.calls {
        out.push_str(&note("note", text, &finding.labels, style));
    }
    if !finding.help.is_empty() {
        out.push_str(&note("help", finding.help, &finding.labels, style));
    }
    if let Some(interleaving) = violation.interleaving {
        out.push_str(&format!("\ninterleaving: {}\n", interleaving.summary()));
        out.push_str(&lanes::draw(interleaving, style));
    }
    out.push_str(&moved_text(violation.moved));
    if let Some(command) = violation.replay {
        out.push_str(&format!("\nreplay with: {}\n", style.paint(Role::Strong, command)));
    }
    out
}

/// The places that were found again elsewhere; of many, the first.
fn moved_text(moved: &[Moved]) -> String {
    const SHOWN: usize = 8;
    if moved.is_empty() {
        return String::new();
    }
    let mut out = "\nthe source changed since the trace was saved, but the trace still fits\n".to_owned();
    for each in moved.iter().take(SHOWN) {
        out.push_str(&format!("  - {each}\n"));
    }
    if moved.len() > SHOWN {
        out.push_str(&format!("  - ... and {} further places\n", moved.len() - SHOWN));
    }
    out
}

fn heading(what: &str, role: Role, finding: &Finding<'_>, style: Style) -> String {
    let head = style.paint(role, &format!("{what}[{}]", finding.kind));
    format!("{head}{}\n", style.paint(Role::Strong, &format!(": {}", finding.message)))
}

/// A remark below a snippet, in line with its frame.
fn note(what: &str, text: &str, labels: &[Label], style: Style) -> String {
    let gutter = snippet::gutter(labels) + 1;
    let indent = gutter + 2 + what.len() + 2;
    let text = wrap(text, style.width.saturating_sub(indent), indent);
    let (sign, what) = (style.paint(Role::Frame, "="), style.paint(Role::Strong, what));
    format!("{:gutter$}{sign} {what}: {text}\n", "")
}

fn warning_text(warning: &WarningView<'_>, sources: &dyn Sources, style: Style) -> String {
    let finding = &warning.finding;
    let mut out = heading("warning", Role::Warning, finding, style);
    out.push_str(&snippet::snippet(&finding.labels, sources, style));
    out + &note("note", &warning.note, &finding.labels, style)
}

fn cut_text(cut: &CutView, sources: &dyn Sources, style: Style) -> String {
    let labels = std::slice::from_ref(&cut.label);
    let mut out = style.paint(Role::Warning, "unknown");
    out.push_str(&style.paint(Role::Strong, &format!(": {}", cut.message)));
    out.push('\n');
    out.push_str(&snippet::snippet(labels, sources, style));
    if !cut.help.is_empty() {
        out.push_str(&note("help", &cut.help, labels, style));
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
