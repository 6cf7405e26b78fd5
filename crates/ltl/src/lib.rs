//! Linear temporal logic without the operator *next*: what formulas mean does not
//! depend on how often a state is repeated.
//!
//! | file | what |
//! |---|---|
//! | `formula` | formulas over numbered atoms, and how they are written |
//! | `lexer`, `parse` | reading them |
//! | `condition` | conditions on variables, which atoms may be |
//! | `normal` | negation normal form and simplification |
//! | `tableau` | from a formula to a generalised Büchi automaton |
//! | `degeneralise` | from there to a Büchi automaton |
//! | `automaton`, `simplify` | Büchi automata, and smaller ones with the same language |
//! | `word` | words that end in a cycle, and what a formula says of them |
//!
//! What a formula says of a word is computed in `word` by the definition, without
//! automata. Tests compare both on random formulas and words, and a counterexample is
//! accepted only if the formula is false by the definition.

mod automaton;
mod condition;
mod degeneralise;
mod formula;
mod lexer;
mod normal;
mod parse;
mod simplify;
mod tableau;
mod word;

pub use automaton::{Automaton, Class, Edge, Guard, Letter};
pub use condition::{Access, Comparison, Condition, Term};
pub use formula::Formula;
pub use parse::{ParseError, Parsed, parse};
pub use word::{Lasso, is_bad_prefix};

/// The automaton of a formula: it accepts the words of which the formula is true.
pub fn automaton(formula: &Formula) -> Automaton {
    let normal = normal::simplified(formula);
    simplify::simplified(degeneralise::degeneralised(&tableau::tableau(&normal)))
}
