//! Terminals: colours, width, a line that shows how far the search is.

use std::io::{IsTerminal, Write};

use engine::{Counts, Progress};
use report::Style;

use crate::args::{Color, Format, OutputArgs};
use crate::session::Session;

/// How to write on standard output.
pub fn style(output: &OutputArgs) -> Style {
    let terminal = std::io::stdout().is_terminal();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let color = match output.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !no_color,
    };
    let columns = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    let width = columns.unwrap_or(Style::default().width).clamp(40, 160);
    Style { color, width, full: output.full, quiet: output.quiet }
}

/// A line for each engine at work on standard error, rewritten as the search
/// goes on.
pub struct StatusLine {
    /// How many lines are shown.
    shown: usize,
    enabled: bool,
}

impl StatusLine {
    /// Shown on terminals only, and only where people read the report.
    pub fn new(output: &OutputArgs) -> StatusLine {
        let enabled = output.format == Format::Text && !output.quiet && std::io::stderr().is_terminal();
        StatusLine { shown: 0, enabled }
    }

    /// Draws them anew.
    pub fn draw(&mut self, session: &Session) {
        let seconds = session.budget.elapsed().as_secs_f64();
        let engines = session.board.engines();
        let at_work = engines.iter().filter(|(_, progress)| progress.get().transitions > 0);
        let mut lines: Vec<String> =
            at_work.map(|(engine, progress)| format!("  {engine}: {}", status(progress, seconds))).collect();
        if !self.enabled || lines.is_empty() || seconds < 1.0 {
            return;
        }
        let memory = engine::resident().map(|bytes| format!(", {} MiB", bytes >> 20)).unwrap_or_default();
        lines.insert(0, format!("{seconds:.0} s{memory}"));
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        let cut = |line: &String| line.chars().take(width.saturating_sub(1)).collect::<String>();
        let text: Vec<String> = lines.iter().map(cut).collect();
        let drawn = format!("{}{}", self.back(), text.join("\n"));
        self.shown = lines.len();
        let _ = std::io::stderr().write_all(drawn.as_bytes());
    }

    /// What takes the cursor to the first line and clears all of them.
    fn back(&self) -> String {
        match self.shown {
            0 => String::new(),
            1 => "\r\x1b[J".to_owned(),
            lines => format!("\r\x1b[{}A\x1b[J", lines - 1),
        }
    }
}

/// How far a search is, in one line.
fn status(progress: &Progress, seconds: f64) -> String {
    let Counts { states, transitions, depth } = progress.get();
    let visits = progress.visits();
    let rate = (states as f64 / seconds) as u64;
    let mut line = format!("{states} {visits} ({rate}/s), {transitions} transitions");
    if progress.queue() > 0 {
        line.push_str(&format!(", queue {}", progress.queue()));
    }
    line.push_str(&format!(", {} {depth}", progress.unit()));
    if let Some(left) = progress.left() {
        let left = if left < 1_000_000_000_000 { left.to_string() } else { format!("{:.0e}", left as f64) };
        line.push_str(&format!(", about {left} executions left"));
    }
    line
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        let _ = std::io::stderr().write_all(self.back().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_search_is() {
        let progress = Progress::default();
        progress.set(Counts { states: 3000, transitions: 5000, depth: 7 });
        assert_eq!(status(&progress, 2.0), "3000 states (1500/s), 5000 transitions, depth 7");
        progress.set_queue(12);
        progress.set_unit("layer");
        assert_eq!(status(&progress, 2.0), "3000 states (1500/s), 5000 transitions, queue 12, layer 7");
    }
}
