//! All that a report says, in words and rows, computed once. The formats are
//! renderings of it: they decide how things look, never what is said.

use engine::{Assumption, Cut, Evidence, Invariant, Reason, Stand, Stats, Verdict, Warning};
use ir::Location;
use machine::{Fault, FaultKind, ThreadId};
use trace::{Moved, Trace};

use crate::interleaving::Interleaving;
use crate::message::{Label, help, labels, message};
use crate::{Attempt, Coverage, Found, Gaps, Repair, Report, gaps, grouped};

/// A report in words and rows.
#[derive(Debug)]
pub struct View<'a> {
    /// The engine that gave the verdict.
    pub engine: &'a str,
    /// The engines that were asked, in order.
    pub attempts: &'a [Attempt],
    /// The names of the properties that were checked.
    pub properties: Vec<&'static str>,
    /// The verdict with all that belongs to it.
    pub answer: Answer<'a>,
    /// What a safe verdict rests on.
    pub assumptions: Vec<AssumptionView>,
    /// What the engine counted.
    pub stats: &'a Stats,
    /// Faults that were not asked for, but that ended executions.
    pub warnings: Vec<WarningView<'a>>,
    /// Violations that were found besides that of the answer.
    pub further: Vec<Violation<'a>>,
    /// What is known of all that was not found, if the search went on after the
    /// first violation.
    pub rest: Option<&'a str>,
    /// What was executed, if that is known.
    pub coverage: Option<&'a Coverage>,
    /// What was never executed, in words.
    pub gaps: Gaps,
    /// What makes the program hard that is not decided, and what to try.
    pub hints: &'a [String],
    /// What was found out about fences, if that was asked for.
    pub repair: Option<&'a Repair>,
}

/// A verdict with all that belongs to it.
#[derive(Debug)]
pub enum Answer<'a> {
    /// No execution violates the properties.
    Safe {
        /// Why this is known, as data.
        evidence: &'a Evidence,
        /// The same in words.
        covered: &'static str,
        /// What holds at the heads of loops.
        invariants: Vec<InvariantView<'a>>,
        /// What the proof calls data.
        data: &'a [String],
    },
    /// An execution violates one of them.
    Unsafe(Violation<'a>),
    /// Neither was shown.
    Unknown {
        /// Why not, in full.
        reason: String,
        /// The same in short, for a reader who also sees the cuts.
        short: String,
        /// What was covered nevertheless.
        covered: &'a str,
        /// The places beyond which executions were not followed.
        cuts: Vec<CutView>,
    },
}

/// A fault in words, with the places that belong to it.
#[derive(Debug)]
pub struct Finding<'a> {
    /// The fault itself.
    pub fault: &'a Fault,
    /// The name of its kind.
    pub kind: &'static str,
    /// The name of the property that it violates.
    pub property: &'static str,
    /// The fault in one line.
    pub message: String,
    /// The places that belong to it, its own first.
    pub labels: Vec<Label>,
    /// The calls that led to it, innermost first; of many, the innermost.
    pub calls: Vec<String>,
    /// What usually helps; empty where the message says all.
    pub help: &'static str,
}

/// A fault with the execution that leads to it.
#[derive(Debug)]
pub struct Violation<'a> {
    /// What goes wrong.
    pub finding: Finding<'a>,
    /// The choices that lead to it, if they are to be shown.
    pub trace: Option<&'a Trace>,
    /// The steps that matter, from the replay.
    pub interleaving: Option<&'a Interleaving>,
    /// The command that replays it.
    pub replay: Option<&'a str>,
    /// The places of the trace that stand elsewhere than when it was saved.
    pub moved: &'a [Moved],
}

/// A fault that was not asked for.
#[derive(Debug)]
pub struct WarningView<'a> {
    /// The fault as it was first seen.
    pub finding: Finding<'a>,
    /// How often it was seen.
    pub count: u64,
    /// What it means for the verdict.
    pub note: String,
}

/// A place beyond which executions were not followed.
#[derive(Debug)]
pub struct CutView {
    /// What could not be followed.
    pub message: String,
    /// The place.
    pub label: Label,
    /// What usually helps; may be empty.
    pub help: String,
}

/// What holds at the heads of loops.
#[derive(Debug)]
pub struct InvariantView<'a> {
    /// The invariant itself.
    pub invariant: &'a Invariant,
    /// Where threads stand, in words.
    pub at: String,
    /// What holds then, in words.
    pub text: String,
}

/// Something that a safe verdict rests on.
#[derive(Debug)]
pub struct AssumptionView {
    /// The name of its kind.
    pub kind: &'static str,
    /// The assumption in words.
    pub text: String,
}

impl<'a> View<'a> {
    /// All that the report says.
    pub fn new(report: &Report<'a>) -> View<'a> {
        let outcome = report.outcome;
        View {
            engine: report.engine,
            attempts: report.attempts,
            properties: report.properties.iter().map(|property| property.name()).collect(),
            answer: Answer::new(report),
            assumptions: outcome.assumptions.iter().map(AssumptionView::new).collect(),
            stats: &outcome.stats,
            warnings: outcome.warnings.iter().map(WarningView::new).collect(),
            further: report.further.iter().map(Violation::further).collect(),
            rest: report.rest,
            coverage: report.coverage.map(|report| report.coverage),
            hints: report.hints,
            repair: report.repair,
            gaps: gaps_of(report),
        }
    }

    /// `safe`, `unsafe` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.answer {
            Answer::Safe { .. } => "safe",
            Answer::Unsafe(_) => "unsafe",
            Answer::Unknown { .. } => "unknown",
        }
    }

    /// The exit status that stands for the verdict.
    pub fn status(&self) -> u8 {
        match self.answer {
            Answer::Safe { .. } => 0,
            Answer::Unsafe(_) => 1,
            Answer::Unknown { .. } => 2,
        }
    }

    /// What the verdict means, in one line.
    pub fn summary(&self) -> String {
        match &self.answer {
            Answer::Safe { covered, .. } => {
                let but = if self.warnings.is_empty() { "" } else { ", but see the warnings" };
                format!("no execution violates {}; {covered}{but}", self.properties.join(", "))
            }
            Answer::Unsafe(_) if self.further.is_empty() => self.violated().join(", "),
            Answer::Unsafe(_) => {
                format!("{} ({} faults)", self.violated().join(", "), self.violations().count())
            }
            Answer::Unknown { short, .. } => short.clone(),
        }
    }

    /// What was found, in one line: the fault, or what the verdict means.
    pub fn headline(&self) -> String {
        self.violation().map_or_else(|| self.summary(), |violation| violation.finding.message.clone())
    }

    /// All counterexamples.
    pub fn violations(&self) -> impl Iterator<Item = &Violation<'a>> {
        self.violation().into_iter().chain(&self.further)
    }

    /// The properties that are violated.
    pub fn violated(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for violation in self.violations() {
            if !names.contains(&violation.finding.property) {
                names.push(violation.finding.property);
            }
        }
        names
    }

    /// The counterexample, if there is one.
    pub fn violation(&self) -> Option<&Violation<'a>> {
        match &self.answer {
            Answer::Unsafe(violation) => Some(violation),
            Answer::Safe { .. } | Answer::Unknown { .. } => None,
        }
    }
}

impl<'a> Answer<'a> {
    fn new(report: &Report<'a>) -> Answer<'a> {
        match &report.outcome.verdict {
            Verdict::Holds { evidence } => Answer::Safe {
                evidence,
                covered: evidence_text(evidence),
                invariants: invariants(evidence).iter().map(InvariantView::new).collect(),
                data: data(evidence),
            },
            Verdict::Violated { fault, trace } => Answer::Unsafe(Violation {
                trace: Some(trace),
                moved: report.moved,
                ..Violation::new(fault, report.interleaving, report.replay)
            }),
            Verdict::Unknown { reason, covered } => Answer::Unknown {
                reason: reason.to_string(),
                short: short(reason),
                covered,
                cuts: cuts(reason),
            },
        }
    }
}

impl<'a> Violation<'a> {
    /// A fault as its replay met it.
    pub fn new(
        fault: &'a Fault,
        interleaving: Option<&'a Interleaving>,
        replay: Option<&'a str>,
    ) -> Violation<'a> {
        let mut finding = Finding::new(fault);
        finding.tell_both_calls(interleaving);
        Violation { finding, trace: None, interleaving, replay, moved: &[] }
    }

    fn further(found: &'a Found) -> Violation<'a> {
        let violation = Violation::new(&found.fault, Some(&found.interleaving), found.replay.as_deref());
        Violation { trace: Some(&found.trace), ..violation }
    }
}

impl<'a> Finding<'a> {
    fn new(fault: &'a Fault) -> Finding<'a> {
        Finding {
            fault,
            kind: fault.kind.name(),
            property: fault.kind.property().name(),
            message: message(fault),
            labels: labels(fault),
            calls: call_texts(&fault.calls, None),
            help: help(&fault.kind),
        }
    }
}

impl Finding<'_> {
    /// Of a race, both accesses have calls; those of the first are known from the replay.
    fn tell_both_calls(&mut self, interleaving: Option<&Interleaving>) {
        let FaultKind::DataRace { first, second, .. } = &self.fault.kind else { return };
        let Some(interleaving) = interleaving else { return };
        if let Some(at) = &interleaving.first_at
            && let Some(label) = self.labels.iter_mut().find(|label| label.at == first.at && !label.primary)
        {
            label.at.clone_from(at);
        }
        if interleaving.first_calls.is_empty() {
            return;
        }
        self.calls = call_texts(&self.fault.calls, Some(second.thread));
        self.calls.extend(call_texts(&interleaving.first_calls, Some(first.thread)));
    }
}

impl<'a> WarningView<'a> {
    fn new(warning: &'a Warning) -> WarningView<'a> {
        let Warning { fault, count } = warning;
        WarningView { finding: Finding::new(fault), count: *count, note: warning_note(fault, *count) }
    }
}

impl<'a> InvariantView<'a> {
    fn new(invariant: &'a Invariant) -> InvariantView<'a> {
        let stand = |stand: &Stand| format!("{}:{} ({})", stand.at.file, stand.at.line, stand.thread);
        let mut places: Vec<String> = invariant.at.iter().map(stand).collect();
        let last = places.pop().unwrap_or_default();
        let at = if places.is_empty() { last } else { format!("{} and {last}", places.join(", ")) };
        InvariantView { invariant, at, text: invariant.conditions.join(", ") }
    }
}

/// What was never executed. Where the search was not finished, it could still be,
/// so that this is said only if it is asked for.
fn gaps_of(report: &Report<'_>) -> Gaps {
    match (&report.outcome.verdict, report.coverage) {
        (Verdict::Holds { .. }, Some(coverage)) => gaps::gaps(coverage),
        (Verdict::Unknown { .. }, Some(coverage)) if coverage.listed => {
            let gaps = gaps::gaps(coverage);
            let heading = gaps.heading.replace("never executed, in any schedule", "not executed so far");
            Gaps { heading, ..gaps }
        }
        (Verdict::Holds { evidence: Evidence::Separated { .. } | Evidence::Unreachable }, None) => {
            let heading = "coverage is not known: no execution was looked at".to_owned();
            Gaps { heading, items: Vec::new() }
        }
        _ => Gaps::default(),
    }
}

fn invariants(evidence: &Evidence) -> &[Invariant] {
    match evidence {
        Evidence::Tree { invariants, .. } => invariants,
        _ => &[],
    }
}

fn data(evidence: &Evidence) -> &[String] {
    match evidence {
        Evidence::Tree { data, .. } => data,
        _ => &[],
    }
}

impl AssumptionView {
    fn new(assumption: &Assumption) -> AssumptionView {
        AssumptionView { kind: assumption.kind(), text: assumption.to_string() }
    }
}

fn evidence_text(evidence: &Evidence) -> &'static str {
    match evidence {
        Evidence::ExhaustedStates { .. } => "every reachable state was visited",
        Evidence::ExhaustedExecutions { .. } => "every execution was run",
        Evidence::ExhaustedPaths { .. } => "every execution was followed, under all inputs",
        Evidence::Tree { .. } => "the invariants of a complete reachability tree exclude every fault",
        Evidence::Separated { .. } => "every two accesses are ordered or exclude each other",
        Evidence::Unreachable => "no execution reaches a failure, whatever the other threads do",
    }
}

/// How the name of a lambda begins.
const LAMBDA: &str = "lambda at ";

/// The calls that led to a fault; of many, the innermost.
fn call_texts(calls: &[Location], thread: Option<ThreadId>) -> Vec<String> {
    const SHOWN: usize = 8;
    let who = thread.map(|thread| format!(" ({thread})")).unwrap_or_default();
    let text = |call: &Location| match call.function.starts_with(LAMBDA) {
        // Its name says where it begins, which is where the call is or close to it.
        true => format!("called from the {LAMBDA}{call}{who}"),
        false => format!("called from {} at {call}{who}", call.function),
    };
    let mut texts: Vec<String> = calls.iter().take(SHOWN).map(text).collect();
    if calls.len() > SHOWN {
        texts.push("... and further calls".to_owned());
    }
    texts
}

fn warning_note(fault: &Fault, count: u64) -> String {
    let times = if count == 1 { "once".to_owned() } else { format!("{} times", grouped(count)) };
    let property = fault.kind.property().name();
    let undefined = match fault.kind.is_undefined() {
        false => String::new(),
        true => format!(
            ", `--assume-no {property}` takes for granted that it does not happen; what follows is undefined"
        ),
    };
    format!("executions end here (seen {times}); `--property {property}` makes it a violation{undefined}")
}

fn short(reason: &Reason) -> String {
    match reason {
        Reason::Cut(cuts) if cuts.len() > 1 => {
            format!("executions could not be followed at {} places", cuts.len())
        }
        Reason::Cut(_) | Reason::Exceeded(_) | Reason::Solver(_) => reason.to_string(),
    }
}

fn cuts(reason: &Reason) -> Vec<CutView> {
    match reason {
        Reason::Cut(cuts) => cuts.iter().filter_map(CutView::new).collect(),
        Reason::Exceeded(_) | Reason::Solver(_) => Vec::new(),
    }
}

/// What to do about a function without a body, if that is what is not supported.
fn havoc_help(what: &str) -> String {
    let Some(call) = what.strip_suffix(ir::WITHOUT_BODY) else { return String::new() };
    let name = call.strip_prefix("a call of ").unwrap_or(call);
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || "_:".contains(letter));
    let name = if is_word { name.to_owned() } else { format!("'{name}'") };
    format!("give its source, or treat it as one that does nothing and returns anything: `--havoc {name}`")
}

impl CutView {
    /// A cut that has a place of its own.
    fn new(cut: &Cut) -> Option<CutView> {
        let (message, at, help) = match cut {
            Cut::NeedsSymbolic(needs) => (
                format!("{} can be anything, too much to try it all", needs.origin),
                &needs.at,
                "bound it with an assumption that follows, or try a range: `--nondet-range=LO..HI`"
                    .to_owned(),
            ),
            Cut::Unsupported { what, at } => (format!("{what} is not supported"), at, havoc_help(what)),
            // The warning says it.
            Cut::Fault(_)
            | Cut::Depth(_)
            | Cut::ContextSwitches(_)
            | Cut::Preemptions(_)
            | Cut::Executions(_)
            | Cut::Waiting
            | Cut::MemoryModel(_)
            | Cut::Formulas
            | Cut::Unwinding(_)
            | Cut::Loop { .. }
            | Cut::Fingerprints { .. } => return None,
        };
        let text = "executions are not followed beyond this".to_owned();
        Some(CutView { message, label: Label { at: at.clone(), text, primary: true }, help })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Exceeded, Limit, Outcome};
    use machine::{Properties, Property, ThreadId};

    fn outcome(verdict: Verdict) -> Outcome {
        Outcome { verdict, stats: Stats::default(), warnings: Vec::new(), assumptions: Vec::new() }
    }

    fn report(outcome: &Outcome) -> Report<'_> {
        let properties: Properties = [Property::Assert, Property::Race].into_iter().collect();
        Report {
            engine: "test",
            attempts: &[],
            properties,
            outcome,
            interleaving: None,
            replay: None,
            moved: &[],
            further: &[],
            rest: None,
            repair: None,
            hints: &[],
            coverage: None,
        }
    }

    #[test]
    fn evidence_is_data_and_words() {
        let evidence = Evidence::ExhaustedStates { states: 7, context_switches: Some(2) };
        let outcome = outcome(Verdict::Holds { evidence: evidence.clone() });
        let view = View::new(&report(&outcome));
        assert_eq!(
            (view.verdict(), view.summary().as_str()),
            ("safe", "no execution violates assert, race; every reachable state was visited")
        );
        assert!(matches!(view.answer, Answer::Safe { evidence: found, .. } if *found == evidence));
    }

    #[test]
    fn invariants_name_the_places_of_threads() {
        let stand = |thread, line| Stand {
            thread: ThreadId(thread),
            at: Location { file: "a.c".into(), line, column: 5, function: "f".into() },
        };
        let conditions = vec!["x == y".to_owned(), "0 <= i".to_owned()];
        let invariants = vec![Invariant { at: vec![stand(1, 14), stand(2, 22)], conditions }];
        let outcome = outcome(Verdict::Holds {
            evidence: Evidence::Tree { nodes: 3, covered: 1, invariants, data: Vec::new() },
        });
        let view = View::new(&report(&outcome));
        let Answer::Safe { invariants, .. } = &view.answer else { panic!("it is safe") };
        let told: Vec<(&str, &str)> = invariants.iter().map(|i| (i.at.as_str(), i.text.as_str())).collect();
        assert_eq!(told, [("a.c:14 (T1) and a.c:22 (T2)", "x == y, 0 <= i")]);
    }

    #[test]
    fn many_cuts_are_told_in_short_and_each_with_its_place() {
        let at = Location { file: "a.c".into(), line: 3, column: 1, function: "f".into() };
        let cuts = vec![Cut::Unsupported { what: "fork".into(), at }, Cut::Depth(Limit::asked(9))];
        let reason = Reason::Cut(cuts);
        let outcome = outcome(Verdict::Unknown { reason, covered: "little".into() });
        let view = View::new(&report(&outcome));
        assert_eq!(view.summary(), "executions could not be followed at 2 places");
        let Answer::Unknown { cuts, covered, .. } = view.answer else { panic!("it is unknown") };
        let told: Vec<&str> = cuts.iter().map(|cut| cut.message.as_str()).collect();
        assert_eq!((told, covered), (vec!["fork is not supported"], "little"));
    }

    #[test]
    fn a_limit_is_its_own_reason() {
        let reason = Reason::Exceeded(Exceeded::Cancelled);
        let outcome = outcome(Verdict::Unknown { reason, covered: String::new() });
        let view = View::new(&report(&outcome));
        assert!(matches!(&view.answer, Answer::Unknown { reason, short, .. } if reason == short));
    }
}
