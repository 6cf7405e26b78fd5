//! Draws an interleaving, one lane per thread.

use std::path::Path;

use unicode_width::UnicodeWidthStr;

use crate::fit;
use crate::folding::folded;
use crate::interleaving::{Interleaving, Lane, Line, Role};
use crate::style::{Role as Paint, Style};

/// Longer interleavings lose their middle.
const MOST_LINES: usize = 80;
const FIRST_LINES: usize = 20;

/// Lanes narrower than this are not drawn: names stand before the text instead.
const NARROWEST_LANE: usize = 8;
const WIDEST_LANE: usize = 28;

/// The interleaving as a table.
pub fn draw(interleaving: &Interleaving, style: Style) -> String {
    let shown = if style.full { interleaving.lines.clone() } else { folded(&interleaving.lines) };
    let table = Table::new(interleaving, &shown, style);
    let lines = &shown;
    let mut out = table.header();
    let tail = MOST_LINES - FIRST_LINES;
    for (i, line) in lines.iter().enumerate() {
        if lines.len() > MOST_LINES && (FIRST_LINES..lines.len() - tail).contains(&i) {
            if i == FIRST_LINES {
                let text = format!("... {} lines not shown ...", lines.len() - MOST_LINES);
                out.push_str(&table.aside(&text));
            }
            continue;
        }
        if line.cycle {
            out.push_str(&table.aside("-- from here on again and again:"));
        }
        if let Some(switch) = line.switch_text() {
            out.push_str(&table.aside(&format!("-- {switch}")));
        }
        out.push_str(&table.row(i + 1, line));
    }
    out
}

struct Table<'a> {
    interleaving: &'a Interleaving,
    lines: &'a [Line],
    style: Style,
    number_width: usize,
    place_width: usize,
    one_file: bool,
    /// Columns of a lane; `None` if there is no room for lanes.
    lane: Option<usize>,
}

impl<'a> Table<'a> {
    fn new(interleaving: &'a Interleaving, lines: &'a [Line], style: Style) -> Table<'a> {
        let known = || lines.iter().filter(|line| line.at.line != 0);
        let one_file = known().all(|line| Some(&line.at.file) == known().next().map(|first| &first.at.file));
        let places = lines.iter().map(|l| place(l, one_file).width());
        let mut table = Table {
            interleaving,
            lines,
            style,
            number_width: lines.len().to_string().len().max(2),
            place_width: places.chain(["line".len()]).max().unwrap_or(0),
            one_file,
            lane: None,
        };
        table.lane = table.lane_width();
        table
    }

    /// As wide as the widest text wants, as narrow as the line allows. Only
    /// one thread acts on each line, so text may run into the lanes after its own.
    fn lane_width(&self) -> Option<usize> {
        let room = self.style.width.saturating_sub(self.margin());
        let lanes = &self.interleaving.threads;
        if room / lanes.len().max(1) < NARROWEST_LANE {
            return None;
        }
        let wants = |lane| self.widest_text(lane).max(lane.name().width());
        let wanted = lanes.iter().map(wants).max().unwrap_or(0).clamp(NARROWEST_LANE, WIDEST_LANE);
        let fits = |(index, lane)| room.saturating_sub(self.widest_text(lane)) / index;
        let most = lanes.iter().enumerate().skip(1).map(fits).min().unwrap_or(room);
        let heads = lanes.iter().map(|lane| lane.name().width()).max().unwrap_or(0);
        let least = (heads + 1).min(room / lanes.len().max(1)).max(NARROWEST_LANE);
        Some((wanted + 2).min(most.max(least)))
    }

    fn widest_text(&self, lane: &Lane) -> usize {
        let own = self.lines.iter().filter(|line| line.thread == lane.thread);
        own.map(|line| line.what().width()).max().unwrap_or(0)
    }

    fn margin(&self) -> usize {
        2 + self.number_width + 2 + self.place_width + 2
    }

    fn header(&self) -> String {
        let place = if self.one_file { "line" } else { "place" };
        let mut head = format!("{:w$}{place:>p$}  ", "", w = 4 + self.number_width, p = self.place_width);
        let Some(width) = self.lane else { return head.trim_end().to_owned() + "\n" };
        let room = self.style.width.saturating_sub(self.margin());
        for (index, lane) in self.interleaving.threads.iter().enumerate() {
            let name = fit(&lane.name(), (width - 1).min(room.saturating_sub(index * width)));
            let pad = width.saturating_sub(name.width());
            head.push_str(&self.style.paint(Paint::Strong, &name));
            head.push_str(&" ".repeat(pad));
        }
        head.trim_end().to_owned() + "\n"
    }

    fn row(&self, number: usize, line: &Line) -> String {
        let (mark, paint) = match line.role {
            Role::Plain => (' ', None),
            Role::Part => ('*', Some(Paint::Secondary)),
            Role::Fault => ('!', Some(Paint::Error)),
        };
        let margin = format!(
            "{mark} {number:>n$}  {:>p$}  ",
            place(line, self.one_file),
            n = self.number_width,
            p = self.place_width
        );
        let (indent, text) = self.cell(line);
        let room = self.style.width.saturating_sub(self.margin() + indent).max(NARROWEST_LANE);
        let text = if text.width() > room { fit(&without_origins(&text), room) } else { text };
        let text = paint.map_or_else(|| text.clone(), |role| self.style.paint(role, &text));
        format!("{}{:indent$}{text}\n", self.style.paint(Paint::Dim, &margin), "")
    }

    fn cell(&self, line: &Line) -> (usize, String) {
        let index = self.interleaving.threads.iter().position(|l| l.thread == line.thread);
        match (self.lane, index) {
            (Some(width), Some(index)) => (index * width, line.what()),
            _ => (0, format!("{}: {}", line.thread, line.what())),
        }
    }

    fn aside(&self, text: &str) -> String {
        let text = fit(text, self.style.width.saturating_sub(self.margin()));
        format!("{:w$}{}\n", "", self.style.paint(Paint::Frame, &text), w = self.margin())
    }
}

/// The text without the places where heap objects were made. Their numbers tell them apart, too, and
/// stand where they are allocated.
fn without_origins(text: &str) -> String {
    const FROM: &str = " from ";
    let mut parts = text.split(FROM);
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let named = short.trim_end_matches(|c: char| c.is_ascii_digit());
        if named.len() == short.len() || !named.ends_with('#') {
            short.push_str(FROM);
            short.push_str(part);
            continue;
        }
        // The origin is a file and a line.
        let line = part.split_once(':').map_or("", |(_, line)| line);
        short.push_str(line.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    short
}

fn place(line: &Line, one_file: bool) -> String {
    if line.at.line == 0 {
        return "-".to_owned();
    }
    let file = Path::new(&line.at.file).file_name().unwrap_or_default().to_string_lossy();
    if one_file { line.at.line.to_string() } else { format!("{file}:{}", line.at.line) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::Effect;
    use crate::interleaving::Switch;
    use ir::Location;
    use machine::ThreadId;

    fn interleaving(threads: u32, text: &str) -> Interleaving {
        let at = Location { file: "a.c".into(), line: 12, column: 1, function: "f".into() };
        let lanes = (0..threads).map(|t| Lane { thread: ThreadId(t), function: "worker".into() });
        let line = |t| Line {
            thread: ThreadId(t),
            at: at.clone(),
            inside: None,
            internal: false,
            copies: None,
            text: text.to_owned(),
            times: 1,
            role: Role::Plain,
            cycle: false,
            switch: (t > 0).then(|| Switch { number: 1, from: ThreadId(t - 1), preemption: true }),
            effect: Effect::Other,
            also: Vec::new(),
            locals: None,
        };
        let lines = (0..threads).map(line).collect();
        Interleaving { threads: lanes.collect(), lines, ..Interleaving::default() }
    }

    #[test]
    fn every_width_is_kept() {
        for threads in [1, 2, 3, 5, 9, 40] {
            for width in [40, 60, 80, 100, 160] {
                for text in ["locks m", &"a long text that cannot fit ".repeat(8)] {
                    let drawn = draw(&interleaving(threads, text), Style { width, ..Style::default() });
                    let widest = drawn.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
                    assert!(widest <= width, "{threads} threads in {width} columns:\n{drawn}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_loses_where_objects_were_made_first() {
        let text = "x (a#2): &node#10 from a.c:3 -> &b#3 from d-1.c:42[2], moves from 1 to 2";
        assert_eq!(without_origins(text), "x (a#2): &node#10 -> &b#3[2], moves from 1 to 2");
        let drawn = draw(&interleaving(1, text), Style { width: 70, ..Style::default() });
        assert!(drawn.contains("&node#10 -> &b#3[2], moves"), "{drawn}");
        let drawn = draw(&interleaving(1, text), Style { width: 100, ..Style::default() });
        assert!(drawn.contains("&node#10 from a.c:3 ->"), "{drawn}");
    }

    #[test]
    fn long_interleavings_lose_their_middle() {
        let drawn = draw(&interleaving(500, "locks m"), Style::default());
        assert!(drawn.contains("... 420 lines not shown ...") && drawn.contains("T499: locks m"), "{drawn}");
    }
}
