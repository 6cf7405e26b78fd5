//! Outcomes as text for people and JSON for programs.
//!
//! The same bug reads the same whichever engine found it: everything about a
//! fault is told from the fault itself ([`message()`], [`labels`], [`help`]) and
//! from the replay of its trace on the machine ([`record`]). A [`View`] holds
//! all words and rows of a report; [`text()`] and [`json()`] render it.

mod batch;
mod calls;
mod coverage;
mod effect;
mod events;
mod folding;
mod gaps;
mod github;
mod hints;
mod html;
mod interleaving;
mod json;
mod lanes;
mod lcov;
mod message;
mod recorder;
mod repair;
mod rules;
mod sarif;
mod snippet;
mod step;
mod style;
mod sync;
mod text;
mod texts;
mod uri;
mod view;
mod witness;

use engine::{Outcome, grouped};
use machine::{Fault, Properties};
use trace::{Moved, Trace};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use batch::{TaskResult, junit, table};
pub use coverage::{Branch, Coverage, Covered};
pub use effect::Effect;
pub use gaps::Gaps;
pub use github::{github, github_error};
pub use hints::{Sample, hints};
pub use html::html;
pub use interleaving::{Interleaving, Lane, Line, Locals, Role as LineRole, Switch};
pub use json::{json, json_error};
pub use lcov::lcov;
pub use message::{Label, help, labels, message};
pub use recorder::record;
pub use repair::{Proposed, Repair};
pub use sarif::sarif;
pub use step::step;
pub use style::{Role, Style};
pub use text::{text, violation};
pub use uri::Run;
pub use view::{Answer, AssumptionView, CutView, Finding, InvariantView, View, Violation, WarningView};
pub use witness::{Form as WitnessForm, LoopInvariant, Task as WitnessTask, witness};

/// Where source text comes from; reports do no I/O.
pub trait Sources {
    /// The contents of a source file, if it is at hand.
    fn text(&self, path: &str) -> Option<String>;
}

/// An engine that was asked.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Attempt {
    /// Its name.
    pub engine: &'static str,
    /// In which order it searched, if that is not its usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<&'static str>,
    /// Why it was asked, if the user did not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// How long it was at work.
    pub seconds: f64,
    /// What it did in that time, and how fast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did: Option<String>,
    /// Where it made steps, as far as they were noted.
    #[serde(skip)]
    pub samples: Vec<Sample>,
    /// What it answered, once it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl Attempt {
    /// How it searched, and why it was asked: in parentheses, behind a blank.
    pub(crate) fn about(&self) -> String {
        let search = self.search.map(|search| format!("search {search}"));
        let about: Vec<String> = search.into_iter().chain(self.why.map(str::to_owned)).collect();
        if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) }
    }
}

/// Everything that a report is made from.
pub struct Report<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The engines that were asked, the last of which gave the answer.
    pub attempts: &'a [Attempt],
    /// What was checked.
    pub properties: Properties,
    /// The engine's answer.
    pub outcome: &'a Outcome,
    /// The replayed counterexample, if the answer is one.
    pub interleaving: Option<&'a Interleaving>,
    /// The command that replays it.
    pub replay: Option<&'a str>,
    /// The places of the trace that stand elsewhere than when it was saved.
    pub moved: &'a [Moved],
    /// Violations that were found besides that of the answer.
    pub further: &'a [Found],
    /// What is known of all that was not found, if the search went on after the
    /// first violation.
    pub rest: Option<&'a str>,
    /// What was executed, if that is known and the answer is no counterexample.
    pub coverage: Option<CoverageReport<'a>>,
    /// What makes the program hard that is not decided, and what to try.
    pub hints: &'a [String],
    /// What was found out about fences, if that was asked for.
    pub repair: Option<&'a Repair>,
}

/// A violation, replayed.
#[derive(Clone, Debug)]
pub struct Found {
    /// The engine that found it.
    pub engine: &'static str,
    /// What goes wrong.
    pub fault: Fault,
    /// The choices that lead to it.
    pub trace: Trace,
    /// The steps that matter.
    pub interleaving: Interleaving,
    /// The command that replays it.
    pub replay: Option<String>,
}

/// What was executed, and how much of it is to be told.
#[derive(Clone, Copy, Debug)]
pub struct CoverageReport<'a> {
    /// What was executed.
    pub coverage: &'a Coverage,
    /// Whether all that was not is to be listed.
    pub listed: bool,
}

/// The text, cut with an ellipsis if it is too wide.
fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let keeps = |c: &char| {
        used += c.width().unwrap_or(0);
        used < width
    };
    let mut cut: String = text.chars().take_while(keeps).collect();
    cut.push('…');
    cut
}

/// Breaks text at spaces; lines after the first are indented.
fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.width() > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += word.width();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_to_fit() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 5), "abcd…");
        assert_eq!(fit("", 0), "");
    }

    #[test]
    fn text_is_wrapped() {
        assert_eq!(wrap("one two three", 8, 2), "one two\n  three");
        assert_eq!(wrap("enormous", 3, 2), "enormous");
    }
}
