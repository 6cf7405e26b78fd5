//! Annotations for GitHub Actions: workflow commands, one a line, which show up
//! at the source lines of a change.

use ir::Location;

use crate::uri::{self, Run};
use crate::view::{Answer, Finding, View};

/// The verdict as annotations.
pub fn github(view: &View<'_>, run: &Run) -> String {
    let mut out = String::new();
    match &view.answer {
        Answer::Safe { .. } => {}
        Answer::Unsafe(_) => {
            out.extend(view.violations().map(|violation| {
                let replay = violation.replay.map(|command| format!("\nreplay with: {command}"));
                finding("error", &violation.finding, &replay.unwrap_or_default(), run)
            }));
        }
        Answer::Unknown { cuts, .. } => {
            out.extend(cuts.iter().map(|cut| {
                let text = [&cut.message[..], &cut.help].join("\n");
                annotation("warning", Some(&cut.label.at), "unknown", text.trim_end(), run)
            }));
        }
    }
    let warnings = view.warnings.iter();
    out.extend(
        warnings.map(|warning| finding("warning", &warning.finding, &format!("\n{}", warning.note), run)),
    );
    out + &annotation("notice", None, "threadproof", &format!("{}: {}", view.verdict(), view.summary()), run)
}

/// What went wrong that is no verdict, as an annotation.
pub fn github_error(message: &str) -> String {
    annotation("error", None, "threadproof", message, &Run::default())
}

/// A fault at its own place, and a notice at each other place of it.
fn finding(level: &str, finding: &Finding<'_>, remark: &str, run: &Run) -> String {
    let own = finding.labels.first();
    let about = own.map(|label| format!("\n{}", label.text)).unwrap_or_default();
    let help = if finding.help.is_empty() { String::new() } else { format!("\n{}", finding.help) };
    let text = format!("{}{about}{help}{remark}", finding.message);
    let mut out = annotation(level, own.map(|label| &label.at), finding.property, &text, run);
    for label in finding.labels.iter().skip(1) {
        let text = format!("{}\n{}", label.text, finding.message);
        out.push_str(&annotation("notice", Some(&label.at), finding.property, &text, run));
    }
    out
}

fn annotation(level: &str, at: Option<&Location>, title: &str, text: &str, run: &Run) -> String {
    let mut properties = Vec::new();
    if let Some(at) = at.filter(|at| at.line != 0) {
        let file = uri::relative(&at.file, &run.directory).unwrap_or(&at.file);
        properties.push(format!("file={}", property(file)));
        properties.push(format!("line={}", at.line));
        if at.column != 0 {
            properties.push(format!("col={}", at.column));
        }
    }
    properties.push(format!("title={}", property(title)));
    format!("::{level} {}::{}\n", properties.join(","), data(text))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_else_is_escaped() {
        let at = Location { file: "/w/a,b:c.c".into(), line: 3, column: 7, function: "f".into() };
        let run = Run { directory: "/w".into(), arguments: Vec::new() };
        assert_eq!(
            annotation("error", Some(&at), "race", "100%\nof it", &run),
            "::error file=a%2Cb%3Ac.c,line=3,col=7,title=race::100%25%0Aof it\n"
        );
    }

    #[test]
    fn an_unknown_place_is_left_out() {
        assert_eq!(github_error("no main"), "::error title=threadproof::no main\n");
    }
}
