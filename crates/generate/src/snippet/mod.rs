//! Statements that are pieces of C with holes.
//!
//! Each group lists its own, and the shared objects that they use. A new kind
//! of statement is then one line: the sketch fills the holes, the shrinker
//! removes it or puts its body in its place, and the objects that it names are
//! declared where a program uses them.
//!
//! | hole | filled with |
//! |---|---|
//! | `$a`, `$b` | a local |
//! | `$k` | 1 or 2 |
//! | `$i` | a number that tells nested statements apart |
//! | `$body` | further statements |

mod blocks;
mod inputs;
mod library;
mod narrow;
mod numbers;
mod output;
mod polling;
mod reuse;
mod waiters;

use crate::shape::Group;
use crate::test::Stmt;

/// What a group of snippets consists of.
pub(crate) struct Snippets {
    /// The statements.
    pub code: &'static [&'static str],
    /// Shared objects: a name that shows whether a program uses the object, its
    /// declaration, and what is observed of it when the program ends.
    pub objects: &'static [(&'static str, &'static str, &'static str)],
    /// What `main` does before the threads start, by the same names.
    pub set_up: &'static [(&'static str, &'static str)],
}

/// The groups that consist of snippets.
pub(crate) const ALL: [&Snippets; 9] = [
    &reuse::SNIPPETS,
    &numbers::SNIPPETS,
    &blocks::SNIPPETS,
    &output::SNIPPETS,
    &waiters::SNIPPETS,
    &polling::SNIPPETS,
    &inputs::SNIPPETS,
    &narrow::SNIPPETS,
    &library::SNIPPETS,
];

/// The snippets of a group, if it consists of them.
pub(crate) fn snippets(group: Group) -> Option<&'static Snippets> {
    Some(match group {
        Group::Reuse => &reuse::SNIPPETS,
        Group::Numbers => &numbers::SNIPPETS,
        Group::Blocks => &blocks::SNIPPETS,
        Group::Output => &output::SNIPPETS,
        Group::Waiters => &waiters::SNIPPETS,
        Group::Polling => &polling::SNIPPETS,
        Group::Inputs => &inputs::SNIPPETS,
        Group::Narrow => &narrow::SNIPPETS,
        Group::Library => &library::SNIPPETS,
        _ => return None,
    })
}

/// A piece of C whose holes are filled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snippet {
    /// The text with its holes.
    pub code: &'static str,
    /// What fills `$a` and `$b`.
    pub locals: (u8, u8),
    /// What fills `$k`.
    pub constant: i32,
    /// What fills `$body`.
    pub body: Vec<Stmt>,
}

impl Snippet {
    /// Whether the piece contains further statements.
    pub fn has_body(code: &str) -> bool {
        code.contains("$body")
    }

    /// The text before and after the body, with the other holes filled.
    pub(crate) fn text(&self, depth: usize) -> (String, Option<String>) {
        let filled = self
            .code
            .replace("$a", &format!("r{}", self.locals.0))
            .replace("$body", "\0")
            .replace("$b", &format!("r{}", self.locals.1))
            .replace("$k", &self.constant.to_string())
            .replace("$i", &depth.to_string());
        match filled.split_once('\0') {
            Some((open, close)) => (open.trim().to_owned(), Some(close.trim().to_owned())),
            None => (filled, None),
        }
    }
}
