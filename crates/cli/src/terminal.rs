//! Terminals: colours, width, a line that shows how far the search is.

use std::io::{IsTerminal, Write};

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
        let counts = session.progress.get();
        let seconds = session.budget.elapsed().as_secs();
        if !self.enabled || counts.transitions == 0 || seconds == 0 {
            return;
        }
        self.shown = true;
        let left = session.progress.left().map(|left| format!(", about {left} executions left"));
        let text = format!(
            "\r\x1b[K{seconds} s: {} {}, {} transitions, depth {}{}",
            counts.states,
            if session.engine == "stateless" { "executions" } else { "states" },
            counts.transitions,
            counts.depth,
            left.unwrap_or_default()
        );
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        if self.shown {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}
