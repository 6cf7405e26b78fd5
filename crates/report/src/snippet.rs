//! Source lines with labels under them, as rustc shows them.

use unicode_width::UnicodeWidthChar;

use crate::Sources;
use crate::message::Label;
use crate::style::{Role, Style};

const TAB: usize = 4;

/// The labelled lines, file by file, the first label's file first.
pub fn snippet(labels: &[Label], sources: &dyn Sources, style: Style) -> String {
    let mut known: Vec<&Label> = labels.iter().filter(|l| l.at.line != 0).collect();
    known.dedup_by(|a, b| a == b);
    let writer = Writer { style, digits: gutter(labels) };
    let mut out = String::new();
    let mut files: Vec<&str> = Vec::new();
    for label in &known {
        if !files.contains(&label.at.file.as_str()) {
            files.push(&label.at.file);
        }
    }
    for (i, file) in files.iter().enumerate() {
        let of_file: Vec<&Label> = known.iter().copied().filter(|l| l.at.file == *file).collect();
        out.push_str(&writer.heading(if i == 0 { "-->" } else { ":::" }, &of_file[0].at.to_string()));
        out.push_str(&writer.lines(&of_file, sources.text(file).as_deref()));
    }
    for label in labels.iter().filter(|l| l.at.line == 0) {
        out.push_str(&writer.heading("-->", &format!("{} (no source line): {}", label.at, label.text)));
    }
    out
}

/// The width of the line numbers.
pub fn gutter(labels: &[Label]) -> usize {
    labels.iter().map(|label| label.at.line.to_string().len()).max().unwrap_or(1)
}

struct Writer {
    style: Style,
    digits: usize,
}

impl Writer {
    fn heading(&self, arrow: &str, text: &str) -> String {
        format!("{:w$}{} {text}\n", "", self.style.paint(Role::Frame, arrow), w = self.digits)
    }

    fn lines(&self, labels: &[&Label], text: Option<&str>) -> String {
        let mut numbers: Vec<u32> = labels.iter().map(|l| l.at.line).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut out = self.gutter("") + "\n";
        let mut previous = None;
        for number in numbers {
            if previous.is_some_and(|p| p + 2 == number) {
                out.push_str(&self.source(number - 1, line(text, number - 1)));
            } else if previous.is_some_and(|p| p + 1 < number) {
                out.push_str("...\n");
            }
            previous = Some(number);
            let labels: Vec<&Label> = labels.iter().copied().filter(|l| l.at.line == number).collect();
            out.push_str(&self.labelled(number, line(text, number), &labels));
        }
        out + &self.gutter("") + "\n"
    }

    fn gutter(&self, number: &str) -> String {
        self.style.paint(Role::Frame, &format!("{number:>w$} |", w = self.digits))
    }

    fn source(&self, number: u32, text: Option<&str>) -> String {
        let shown = expand(text.unwrap_or("(the source is not at hand)"));
        let shown = crate::fit(shown.trim_end(), self.room());
        format!("{} {shown}\n", self.gutter(&number.to_string())).replace(" \n", "\n")
    }

    /// A line with its labels below. Of a line that is too wide, the beginning is
    /// shown, and for marks beyond it what stands around them.
    fn labelled(&self, number: u32, text: Option<&str>, labels: &[&Label]) -> String {
        let mark = |label: &Label| text.map_or((0, 1), |text| underline(text, label.at.column));
        let fits = |label: &&&Label| mark(label).0 + mark(label).1 < self.room();
        let (near, far): (Vec<&Label>, Vec<&Label>) = labels.iter().partition(|label| fits(label));
        let mut out = String::new();
        if !near.is_empty() {
            out.push_str(&self.source(number, text));
            out.extend(near.into_iter().map(|label| self.annotation(label, mark(label))));
        }
        let mut shown = None;
        for label in far {
            let (at, length) = mark(label);
            let start = at.saturating_sub(self.room() / 2);
            // Labels of one place share the line.
            if shown.replace(at) != Some(at) {
                let rest = columns_from(&expand(text.unwrap_or_default()), start);
                let rest = crate::fit(&format!("…{}", rest.trim_end()), self.room());
                out.push_str(&format!("{} {rest}\n", self.gutter(&number.to_string())));
            }
            out.push_str(&self.annotation(label, (at - start + 1, length.min(self.room() / 2))));
        }
        out
    }

    fn room(&self) -> usize {
        self.style.width.saturating_sub(self.digits + 3)
    }

    fn annotation(&self, label: &Label, (indent, length): (usize, usize)) -> String {
        let (mark, role) = if label.primary { ("^", Role::Error) } else { ("-", Role::Secondary) };
        let indent = if indent + 1 < self.room() { indent } else { 0 };
        let marked = format!("{} {}", mark.repeat(length), label.text);
        // A label that does not fit beside its mark goes below it.
        let rows = match indent + marked.chars().count() <= self.room() {
            true => vec![(indent, marked)],
            false => {
                let start = indent.min(self.room().saturating_sub(label.text.chars().count()));
                vec![(indent, mark.repeat(length)), (start, crate::fit(&label.text, self.room()))]
            }
        };
        let row = |(indent, text): (usize, String)| {
            format!("{} {:indent$}{}\n", self.gutter(""), "", self.style.paint(role, &text))
        };
        rows.into_iter().map(row).collect()
    }
}

fn line(text: Option<&str>, number: u32) -> Option<&str> {
    text?.lines().nth(number as usize - 1)
}

/// The text from a column on.
fn columns_from(text: &str, start: usize) -> String {
    let mut column = 0;
    let before = |c: &char| {
        column += c.width().unwrap_or(0);
        column <= start
    };
    text.chars().skip_while(before).collect()
}

fn expand(line: &str) -> String {
    line.replace('\t', &" ".repeat(TAB))
}

/// Where to mark a column, in terminal columns, and how far: a whole word, or
/// one character.
fn underline(line: &str, column: u32) -> (usize, usize) {
    let start = (column.max(1) as usize - 1).min(line.len());
    let start = (0..=start).rev().find(|i| line.is_char_boundary(*i)).unwrap_or(0);
    if column == 0 {
        let trimmed = line.trim();
        return (width(&line[..line.len() - line.trim_start().len()]), width(trimmed).max(1));
    }
    let word = line[start..].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(line.len() - start);
    (width(&line[..start]), width(&line[start..start + word]).max(1))
}

fn width(text: &str) -> usize {
    text.chars().map(|c| if c == '\t' { TAB } else { c.width().unwrap_or(0) }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::Location;

    struct One(&'static str);

    impl Sources for One {
        fn text(&self, _: &str) -> Option<String> {
            Some(self.0.to_owned())
        }
    }

    fn label(line: u32, column: u32, text: &str, primary: bool) -> Label {
        let at = Location { file: "a.c".into(), line, column, function: "f".into() };
        Label { at, text: text.into(), primary }
    }

    #[test]
    fn two_labels_in_one_file() {
        let source = One("int x;\n\n\n\n\tcount = 1;\n\n\n\n\n  y = count;\n");
        let labels = [label(10, 7, "main reads it", true), label(5, 2, "T1 writes it", false)];
        let expected = "  --> a.c:10:7\n   |\n 5 |     count = 1;\n   |     ----- T1 writes it\n...\n\
                        10 |   y = count;\n   |       ^^^^^ main reads it\n   |\n";
        assert_eq!(snippet(&labels, &source, Style::default()), expected);
    }

    #[test]
    fn wide_lines_are_shown_around_their_marks() {
        let source = One("int a = 1; int bbbbbbbbbbbbbbbbbbbbbbbbb = 2; int c = 3;\n");
        let style = Style { width: 30, ..Style::default() };
        let text = snippet(&[label(1, 50, "here", true)], &source, style);
        let expected = " --> a.c:1:50\n  |\n1 | …bbbb = 2; int c = 3;\n  |               ^ here\n  |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn labels_of_one_place_share_a_wide_line() {
        let source = One("int a = 1; int bbbbbbbbbbbbbbbbbbbbbbbbb = 2; int c = 3;\n");
        let style = Style { width: 30, ..Style::default() };
        let labels = [label(1, 50, "here", true), label(1, 50, "there", false)];
        let text = snippet(&labels, &source, style);
        let expected = " --> a.c:1:50\n  |\n1 | …bbbb = 2; int c = 3;\n  |               ^ here\n\
                        \x20 |               - there\n  |\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn positions_beyond_the_source_do_no_harm() {
        let labels =
            [label(99, 80, "here", true), label(1, 500, "there", false), label(0, 0, "nowhere", false)];
        let text = snippet(&labels, &One("é\n"), Style::default());
        assert!(text.contains("here") && text.contains("there") && text.contains("nowhere"), "{text}");
    }
}
