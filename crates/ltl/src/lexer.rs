//! The words of a formula.

use crate::parse::ParseError;

/// A word of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// An operator, a bracket, or a constant.
    Op(Op),
    /// An atom: a name, a position such as `T1@worker:42`, or a condition in quotes.
    Atom(String),
}

/// Operators, brackets, constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    True,
    False,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Always,
    Eventually,
    Until,
    Release,
    WeakUntil,
    Open,
    Close,
}

/// Operators that are written with signs, longer ones before their beginnings.
const SIGNS: [(&str, Op); 13] = [
    ("<->", Op::Iff),
    ("<>", Op::Eventually),
    ("[]", Op::Always),
    ("->", Op::Implies),
    ("=>", Op::Implies),
    ("&&", Op::And),
    ("||", Op::Or),
    ("&", Op::And),
    ("|", Op::Or),
    ("!", Op::Not),
    ("~", Op::Not),
    ("(", Op::Open),
    (")", Op::Close),
];

/// Operators that are words.
const WORDS: [(&str, Op); 23] = [
    ("true", Op::True),
    ("false", Op::False),
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("implies", Op::Implies),
    ("iff", Op::Iff),
    ("equivalent", Op::Iff),
    ("G", Op::Always),
    ("always", Op::Always),
    ("globally", Op::Always),
    ("F", Op::Eventually),
    ("eventually", Op::Eventually),
    ("finally", Op::Eventually),
    ("U", Op::Until),
    ("until", Op::Until),
    ("stronguntil", Op::Until),
    ("R", Op::Release),
    ("V", Op::Release),
    ("release", Op::Release),
    ("releases", Op::Release),
    ("W", Op::WeakUntil),
    ("weakuntil", Op::WeakUntil),
];

/// The words of a formula, each with where it begins (in bytes).
pub fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, len) = token(text, at)?;
        found.push((at, token));
        at += len;
    }
    Ok(found)
}

/// The word that begins here, and how long it is.
fn token(text: &str, at: usize) -> Result<(Token, usize), ParseError> {
    let rest = &text[at..];
    if let Some((sign, op)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((Token::Op(*op), sign.len()));
    }
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find('"').ok_or_else(|| ParseError::new(at, "this quote is not closed"))?;
        return Ok((Token::Atom(quoted[..end].trim().to_owned()), end + 2));
    }
    let name = name_at(rest);
    if name.is_empty() {
        let first = rest.chars().next().unwrap_or(' ');
        let why = format!("`{first}` means nothing here; conditions on variables go into quotes");
        return Err(ParseError::new(at, why));
    }
    if name == "X" || name == "next" {
        return Err(ParseError::new(
            at,
            "there is no operator `next`: what it means depends on how long a step is",
        ));
    }
    match WORDS.iter().find(|(word, _)| *word == name) {
        Some((_, op)) => Ok((Token::Op(*op), name.len())),
        None => Ok((Token::Atom(name.to_owned()), name.len())),
    }
}

/// A name, or a thread with a position: `main@f:7`, `T1@worker:42`.
fn name_at(text: &str) -> &str {
    let identifier = |text: &str| {
        let is_first = |c: char| c.is_alphabetic() || c == '_';
        let is_next = |c: char| c.is_alphanumeric() || c == '_';
        if !text.starts_with(is_first) {
            return 0;
        }
        text.find(|c| !is_next(c)).unwrap_or(text.len())
    };
    let len = identifier(text);
    let Some(function) = text[len..].strip_prefix('@') else { return &text[..len] };
    let end = len + 1 + identifier(function);
    let line = text[end..]
        .strip_prefix(':')
        .map_or(0, |line| 1 + line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len()));
    &text[..end + line]
}
