//! Colours, on terminals only.

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A fault.
    Error,
    /// A warning.
    Warning,
    /// Good news.
    Good,
    /// A heading, or the message itself.
    Strong,
    /// Line numbers, rules, arrows.
    Frame,
    /// A place that belongs to a fault.
    Secondary,
    /// What matters less.
    Dim,
}

/// How to write: with colours or without, and how wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// Columns to fill at most.
    pub width: usize,
    /// Whether to show what libraries do inside, too.
    pub full: bool,
    /// Whether to leave out what engines did.
    pub quiet: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { color: false, width: 100, full: false, quiet: false }
    }
}

impl Style {
    /// The text as its role looks.
    pub fn paint(self, role: Role, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        let code = match role {
            Role::Error => "1;31",
            Role::Warning => "1;33",
            Role::Good => "1;32",
            Role::Strong => "1",
            Role::Frame => "1;34",
            Role::Secondary => "36",
            Role::Dim => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
