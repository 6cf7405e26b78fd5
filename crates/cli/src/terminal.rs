//! Terminals: colours, width, a line that shows how far the search is.

use std::io::{IsTerminal, Write};

use engine::{Counts, Progress};
use report::Style;

use crate::args::{Color, Format};
use crate::session::Session;

/// How to write on standard output.
pub fn style(color: Color) -> Style {
    let terminal = std::io::stdout().is_terminal();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !no_color,
    };
    let columns = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    Style { color, width: columns.unwrap_or(Style::default().width).clamp(40, 160) }
}

/// One line on standard error, rewritten as the search goes on.
pub struct StatusLine {
    shown: bool,
    enabled: bool,
}

impl StatusLine {
    /// Shown on terminals only, and only where people read the report.
    pub fn new(format: Format) -> StatusLine {
        let enabled = format == Format::Text && std::io::stderr().is_terminal();
        StatusLine { shown: false, enabled }
    }

    /// Draws it anew.
    pub fn draw(&mut self, session: &Session) {
        let seconds = session.budget.elapsed().as_secs_f64();
        let engines = session.board.engines();
        let at_work = engines.iter().filter(|(_, progress)| progress.get().transitions > 0);
        let lines: Vec<String> =
            at_work.map(|(engine, progress)| format!("{engine} {}", status(progress, seconds))).collect();
        if !self.enabled || lines.is_empty() || seconds < 1.0 {
            return;
        }
        self.shown = true;
        let memory = engine::resident().map(|bytes| format!(", {} MiB", bytes >> 20)).unwrap_or_default();
        let line = format!("{seconds:.0} s{memory}: {}", lines.join(" | "));
        // Several engines may not fit into one line.
        let width = terminal_size::terminal_size().map_or(0, |(width, _)| usize::from(width.0));
        let most = if lines.len() > 1 && width > 1 { width - 1 } else { usize::MAX };
        let line: String = line.chars().take(most).collect();
        let _ = std::io::stderr().write_all(format!("\r\x1b[K{line}").as_bytes());
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
        if self.shown {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
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
