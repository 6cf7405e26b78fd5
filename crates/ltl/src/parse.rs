//! Reading formulas.
//!
//! Operators of one argument bind most closely, then `U`, `R` and `W`, then `&&`, `||`,
//! `->` and `<->`. All with two arguments associate to the right.

use crate::formula::Formula;
use crate::lexer::{Op, Token, tokens};

/// A formula that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// The text of each atom, by its number.
    pub atoms: Vec<String>,
}

/// Why a text is not a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {why}", at + 1)]
pub struct ParseError {
    /// Where, in bytes from 0.
    pub at: usize,
    /// Why.
    pub why: String,
}

impl ParseError {
    pub(crate) fn new(at: usize, why: impl Into<String>) -> ParseError {
        ParseError { at, why: why.into() }
    }
}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end: text.len(), depth: 0, atoms: Vec::new() };
    let formula = parser.binary(0)?;
    match parser.peek() {
        None => Ok(Parsed { formula, atoms: parser.atoms }),
        Some(_) => Err(parser.error("an operator is missing before this")),
    }
}

/// Formulas do not nest more deeply than this.
const DEEPEST: usize = 200;

/// Operators with two arguments, those that bind least closely first.
const BINARY: [&[Op]; 5] =
    [&[Op::Iff], &[Op::Implies], &[Op::Or], &[Op::And], &[Op::Until, Op::Release, Op::WeakUntil]];

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    /// How long the text is.
    end: usize,
    depth: usize,
    atoms: Vec<String>,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn error(&self, why: &str) -> ParseError {
        ParseError::new(self.tokens.get(self.next).map_or(self.end, |(at, _)| *at), why)
    }

    /// A formula whose operators bind at least as closely as those of this level.
    fn binary(&mut self, level: usize) -> Result<Formula, ParseError> {
        let Some(ops) = BINARY.get(level) else { return self.unary() };
        let left = self.binary(level + 1)?;
        let op = match self.peek() {
            Some(Token::Op(op)) if ops.contains(op) => *op,
            _ => return Ok(left),
        };
        self.next += 1;
        let right = self.deeper(|parser| parser.binary(level))?;
        Ok(match op {
            Op::Iff => left.iff(right),
            Op::Implies => left.implies(right),
            Op::Or => left.or(right),
            Op::And => left.and(right),
            Op::Until => left.until(right),
            Op::Release => left.release(right),
            _ => left.weak_until(right),
        })
    }

    fn unary(&mut self) -> Result<Formula, ParseError> {
        let token = self.peek().cloned().ok_or_else(|| self.error("a formula is missing here"))?;
        self.next += 1;
        let op = match token {
            Token::Atom(name) => return Ok(Formula::Atom(self.atom(name))),
            Token::Op(op) => op,
        };
        match op {
            Op::True => Ok(Formula::True),
            Op::False => Ok(Formula::False),
            Op::Not => Ok(self.deeper(Self::unary)?.negated()),
            Op::Always => Ok(self.deeper(Self::unary)?.always()),
            Op::Eventually => Ok(self.deeper(Self::unary)?.eventually()),
            Op::Open => self.bracketed(),
            _ => {
                self.next -= 1;
                Err(self.error("a formula is missing before this"))
            }
        }
    }

    /// What stands between brackets, the first of which was read.
    fn bracketed(&mut self) -> Result<Formula, ParseError> {
        let opened = self.tokens[self.next - 1].0;
        let inner = self.deeper(|parser| parser.binary(0))?;
        match self.peek() {
            Some(Token::Op(Op::Close)) => {
                self.next += 1;
                Ok(inner)
            }
            None => Err(ParseError::new(opened, "this bracket is not closed")),
            Some(_) => Err(self.error("an operator is missing before this")),
        }
    }

    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Parser) -> Result<Formula, ParseError>,
    ) -> Result<Formula, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the formula nests too deeply"));
        }
        let formula = read(self);
        self.depth -= 1;
        formula
    }

    /// The number of an atom.
    fn atom(&mut self, name: String) -> u32 {
        let known = self.atoms.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.atoms.push(name);
            self.atoms.len() - 1
        }) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let parsed = parse(text).unwrap();
        parsed.formula.show(&parsed.atoms).to_string()
    }

    fn error(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn operators_bind_as_is_usual() {
        assert_eq!(shown("G (request -> F served)"), "G (!request || F served)");
        assert_eq!(shown("a && b || c"), "((a && b) || c)");
        assert_eq!(shown("a U b U c"), "(a U (b U c))");
        assert_eq!(shown("!a U b && c"), "((!a U b) && c)");
        assert_eq!(shown("a -> b -> c"), "(!a || (!b || c))");
        assert_eq!(shown("a W b"), "(b R (a || b))");
    }

    #[test]
    fn words_and_signs_are_the_same() {
        assert_eq!(shown("always (p implies eventually q)"), shown("[] (p -> <> q)"));
        assert_eq!(shown("not p until q and r or s"), shown("!p U q && r || s"));
        assert_eq!(shown("p releases q iff r weakuntil s"), shown("p V q <-> r W s"));
    }

    #[test]
    fn atoms_are_names_positions_and_conditions() {
        let parsed = parse("G (T1@worker:42 -> F \"queue.count > 0\") && served && served").unwrap();
        assert_eq!(parsed.atoms, ["T1@worker:42", "queue.count > 0", "served"]);
    }

    #[test]
    fn errors_say_where_and_why() {
        assert_eq!(error("G (p"), "at character 3: this bracket is not closed");
        assert_eq!(error("p q"), "at character 3: an operator is missing before this");
        assert_eq!(error("p &&"), "at character 5: a formula is missing here");
        assert_eq!(error("&& p"), "at character 1: a formula is missing before this");
        assert_eq!(error("F \"x == 1"), "at character 3: this quote is not closed");
        assert!(error("G x > 0").contains("conditions on variables go into quotes"));
        assert!(error("G X p").contains("no operator `next`"));
        assert!(error(&"!".repeat(1000)).contains("too deeply"));
    }
}
