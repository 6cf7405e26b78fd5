//! The results of several programs at once: a table, or JUnit's XML.

use std::fmt::Write;

use crate::style::{Role, Style};

/// The result of one program.
#[derive(Clone, PartialEq, Debug)]
pub struct TaskResult {
    /// The program.
    pub program: String,
    /// `safe`, `unsafe`, `unknown` or `error`.
    pub verdict: String,
    /// How long it took.
    pub seconds: f64,
    /// What was found, or what is wrong, in one line; empty if all is well.
    pub about: String,
    /// Where, if there is a place.
    pub place: String,
    /// The command that replays it, if there is one.
    pub replay: String,
}

const VERDICTS: [&str; 4] = ["safe", "unsafe", "unknown", "error"];

/// The results as a table, with a line that counts them.
pub fn table(results: &[TaskResult], style: Style) -> String {
    let width = results.iter().map(|result| result.program.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for result in results {
        let verdict = style.paint(role(&result.verdict), &format!("{:<8}", result.verdict));
        let place = if result.place.is_empty() { String::new() } else { format!(" at {}", result.place) };
        let about = format!("{}{place}", first_line(&result.about));
        let line = format!("{verdict}{:>8.2} s  {:<width$}  {about}", result.seconds, result.program);
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out + "\n" + &counts(results) + "\n"
}

/// What a text begins with. That a file does not compile is said by the compiler's first
/// message.
fn first_line(text: &str) -> &str {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if first.ends_with(':') { lines.next().unwrap_or(first) } else { first }
}

/// How many programs have which verdict.
fn counts(results: &[TaskResult]) -> String {
    let counted = VERDICTS.map(|verdict| (verdict, count(results, verdict)));
    let parts =
        counted.iter().filter(|(_, count)| *count > 0).map(|(verdict, count)| format!("{count} {verdict}"));
    let programs = if results.len() == 1 { "program" } else { "programs" };
    format!("{} {programs}: {}", results.len(), parts.collect::<Vec<_>>().join(", "))
}

fn count(results: &[TaskResult], verdict: &str) -> usize {
    results.iter().filter(|result| result.verdict == verdict).count()
}

fn role(verdict: &str) -> Role {
    match verdict {
        "safe" => Role::Good,
        "unknown" => Role::Warning,
        _ => Role::Error,
    }
}

/// The results as JUnit's XML, which build servers read. A violation is a
/// failure; a verdict that is not known is an error, so that no server takes
/// it for a success.
pub fn junit(results: &[TaskResult]) -> String {
    let failures = count(results, "unsafe");
    let errors = count(results, "unknown") + count(results, "error");
    let seconds: f64 = results.iter().map(|result| result.seconds).sum();
    let numbers = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"",
        results.len()
    );
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"threadproof\" {numbers}>\n\
         <testsuite name=\"threadproof\" {numbers}>\n"
    );
    for result in results {
        let program = escape(&result.program);
        let _ = write!(
            out,
            "<testcase classname=\"threadproof\" name=\"{program}\" time=\"{:.3}\"",
            result.seconds
        );
        match result.verdict.as_str() {
            "safe" => out.push_str("/>\n"),
            "unsafe" => out.push_str(&complaint("failure", result)),
            _ => out.push_str(&complaint("error", result)),
        }
    }
    out + "</testsuite>\n</testsuites>\n"
}

fn complaint(tag: &str, result: &TaskResult) -> String {
    let (about, kind) = (escape(&result.about), escape(&result.verdict));
    let more = [result.place.as_str(), result.replay.as_str()].join("\n");
    format!("><{tag} message=\"{about}\" type=\"{kind}\">{}</{tag}></testcase>\n", escape(more.trim()))
}

/// Text that may stand anywhere in XML.
fn escape(text: &str) -> String {
    let escaped = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\n' => "&#10;".to_owned(),
        // XML has no way to write the others.
        c if c.is_control() && c != '\t' => String::new(),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(program: &str, verdict: &str, about: &str) -> TaskResult {
        TaskResult {
            program: program.into(),
            verdict: verdict.into(),
            seconds: 0.5,
            about: about.into(),
            place: if verdict == "unsafe" { "a.c:3:1".into() } else { String::new() },
            replay: String::new(),
        }
    }

    #[test]
    fn a_table_with_all_verdicts() {
        let results = [
            result("a.c", "unsafe", "data race on `x`"),
            result("long.c", "safe", ""),
            result("b.c", "error", "no main\nand more"),
        ];
        let expected = "unsafe      0.50 s  a.c     data race on `x` at a.c:3:1\n\
                        safe        0.50 s  long.c\n\
                        error       0.50 s  b.c     no main\n\n\
                        3 programs: 1 safe, 1 unsafe, 1 error\n";
        assert_eq!(table(&results, Style::default()), expected);
    }

    #[test]
    fn junit_counts_and_escapes() {
        let xml = junit(&[
            result("a&b.c", "unsafe", "\"x\" < 3"),
            result("c.c", "unknown", "time"),
            result("d.c", "safe", ""),
        ]);
        for part in [
            "tests=\"3\" failures=\"1\" errors=\"1\"",
            "name=\"a&amp;b.c\"",
            "<failure message=\"&quot;x&quot; &lt; 3\" type=\"unsafe\">a.c:3:1</failure>",
            "<error message=\"time\" type=\"unknown\"></error>",
            "name=\"d.c\" time=\"0.500\"/>",
        ] {
            assert!(xml.contains(part), "{part} is not in {xml}");
        }
    }
}
