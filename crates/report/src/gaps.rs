//! What was never executed, in words.

use crate::coverage::{Branch, Coverage, Covered};
use crate::{CoverageReport, grouped};

/// How many places are named if not all are asked for.
const SHOWN: usize = 6;

/// A heading with the gaps below it, one each; both empty if there is nothing
/// to say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gaps {
    /// What the gaps are, or that there are none.
    pub heading: String,
    /// What was not executed.
    pub items: Vec<String>,
}

/// What was never executed. Of many places the first are named, unless all are
/// to be listed; where there is no gap, that is said only then.
pub fn gaps(report: CoverageReport<'_>) -> Gaps {
    let CoverageReport { coverage, listed } = report;
    let items = items(coverage, if listed { usize::MAX } else { SHOWN });
    if items.is_empty() {
        let heading = if listed { complete(coverage) } else { String::new() };
        return Gaps { heading, items };
    }
    let all = if listed { "" } else { " (--coverage lists all of it)" };
    Gaps { heading: format!("never executed, in any schedule{all}"), items }
}

fn items(coverage: &Coverage, most: usize) -> Vec<String> {
    let thread = |each: &Covered| {
        format!("thread function `{}` ({}:{}) is never started", each.at.function, each.at.file, each.at.line)
    };
    let assertion = |each: &Covered| format!("assertion at {} is never reached", each.at);
    let branch = |each: &Branch| {
        format!("condition at {} is never {}", each.at, if each.holds { "true" } else { "false" })
    };
    let mut items = told(missing(&coverage.threads), thread, "thread functions", most);
    items.extend(told(missing(&coverage.assertions), assertion, "assertions", most));
    items.extend(lines(coverage, most));
    // A condition that is never asked for stands in a line that is told.
    let branches = coverage.branches.iter().filter(|each| each.asked && !each.executed).collect();
    items.extend(told(branches, branch, "conditions", most));
    items
}

fn missing(list: &[Covered]) -> Vec<&Covered> {
    list.iter().filter(|each| !each.executed).collect()
}

/// Each in words; of many, the first.
fn told<T>(missing: Vec<&T>, words: impl Fn(&T) -> String, what: &str, most: usize) -> Vec<String> {
    let further = missing.len().saturating_sub(most);
    let mut told: Vec<String> = missing.into_iter().take(most).map(words).collect();
    if further > 0 {
        told.push(format!("... and {} further {what}", grouped(further as u64)));
    }
    told
}

/// The lines, those that follow each other together.
fn lines(coverage: &Coverage, most: usize) -> Option<String> {
    let mut runs: Vec<(&str, u32, u32)> = Vec::new();
    let mut goes_on = false;
    for line in &coverage.lines {
        let (file, number) = (line.at.file.as_str(), line.at.line);
        match runs.last_mut() {
            _ if line.executed => {}
            Some((last, _, end)) if goes_on && *last == file => *end = number,
            _ => runs.push((file, number, number)),
        }
        goes_on = !line.executed;
    }
    let count = coverage.lines.iter().filter(|line| !line.executed).count();
    let further = if runs.len() > most { ", ..." } else { "" };
    let mut file_before = "";
    let text = |(file, first, last): (&'_ str, u32, u32), file_before: &str| {
        let file = if file == file_before { String::new() } else { format!("{file}:") };
        if first == last { format!("{file}{first}") } else { format!("{file}{first}-{last}") }
    };
    let mut texts = Vec::new();
    for run in runs.into_iter().take(most) {
        texts.push(text(run, file_before));
        file_before = run.0;
    }
    let (texts, all) = (texts.join(", "), grouped(coverage.lines.len() as u64));
    (count > 0).then(|| format!("{} of {all} lines: {texts}{further}", grouped(count as u64)))
}

fn complete(coverage: &Coverage) -> String {
    let lists = [
        (coverage.lines.len(), "line"),
        (coverage.branches.len(), "outcome of a condition"),
        (coverage.assertions.len(), "assertion"),
        (coverage.threads.len(), "thread function"),
    ];
    let counts = lists.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, what)| format!("every {what} ({count})")).collect();
    let counts = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
    let how = if coverage.exact { "executed" } else { "executed, as far as the search can tell" };
    format!("coverage: {counts} is {how} in some schedule")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::Location;

    fn at(line: u32, column: u32) -> Location {
        Location { file: "a.c".into(), line, column, function: "f".into() }
    }

    fn lines(executed: &[(u32, bool)]) -> Vec<Covered> {
        executed.iter().map(|(line, executed)| Covered { at: at(*line, 0), executed: *executed }).collect()
    }

    fn items(coverage: &Coverage, listed: bool) -> Vec<String> {
        gaps(CoverageReport { coverage, listed }).items
    }

    #[test]
    fn lines_that_follow_each_other_are_told_together() {
        let lines = lines(&[(1, true), (2, false), (4, false), (5, true), (7, false)]);
        let coverage = Coverage { lines, ..Coverage::default() };
        assert_eq!(items(&coverage, false), ["3 of 5 lines: a.c:2-4, 7"]);
    }

    #[test]
    fn what_matters_most_comes_first() {
        let missing = |line| Covered { at: at(line, 3), executed: false };
        let branch = |asked, holds| Branch { at: at(5, 7), holds, asked, executed: false };
        let coverage = Coverage {
            threads: vec![missing(1)],
            assertions: vec![missing(9)],
            branches: vec![branch(true, false), branch(false, true)],
            ..Coverage::default()
        };
        let expected = [
            "thread function `f` (a.c:1) is never started",
            "assertion at a.c:9:3 is never reached",
            "condition at a.c:5:7 is never false",
        ];
        assert_eq!(items(&coverage, false), expected);
    }

    #[test]
    fn of_many_the_first_are_told_unless_all_are_asked_for() {
        let assertions: Vec<Covered> =
            (1..=9).map(|line| Covered { at: at(line, 1), executed: false }).collect();
        let coverage = Coverage { assertions, ..Coverage::default() };
        let short = items(&coverage, false);
        assert_eq!((short.len(), short[6].as_str()), (7, "... and 3 further assertions"));
        assert_eq!(items(&coverage, true).len(), 9);
    }

    #[test]
    fn that_all_was_executed_is_said_on_demand() {
        let coverage = Coverage { exact: true, lines: lines(&[(1, true)]), ..Coverage::default() };
        assert_eq!(gaps(CoverageReport { coverage: &coverage, listed: false }), Gaps::default());
        let gaps = gaps(CoverageReport { coverage: &coverage, listed: true });
        assert_eq!(gaps.heading, "coverage: every line (1) is executed in some schedule");
    }
}
