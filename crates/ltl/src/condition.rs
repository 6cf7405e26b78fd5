//! Conditions on variables: what an atom in quotes says.

use crate::parse::ParseError;

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A comparison of two numbers.
    Compare(Comparison, Term, Term),
    /// Not.
    Not(Box<Condition>),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// At least one.
    Or(Box<Condition>, Box<Condition>),
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    /// Whether it is true of two numbers.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
        }
    }
}

/// A number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A constant.
    Number(i128),
    /// What stands in a variable, a member or a cell of an array, such as
    /// `queue.items[2]`.
    Variable {
        /// The variable.
        name: String,
        /// What leads into it.
        path: Vec<Access>,
    },
}

/// A step into a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// A member.
    Member(String),
    /// A cell.
    Cell(u64),
}

impl Condition {
    /// Reads a condition. A number or variable alone means that it is not 0.
    pub fn parse(text: &str) -> Result<Condition, ParseError> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let condition = reader.disjunction()?;
        match reader.rest().is_empty() {
            true => Ok(condition),
            false => Err(reader.error("an operator is missing before this")),
        }
    }

    /// Calls `f` with every number in it.
    pub fn for_each_term(&self, f: &mut impl FnMut(&Term)) {
        match self {
            Condition::Compare(_, left, right) => {
                f(left);
                f(right);
            }
            Condition::Not(a) => a.for_each_term(f),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.for_each_term(f);
                b.for_each_term(f);
            }
        }
    }
}

const DEEPEST: usize = 200;

const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Eq),
    ("!=", Comparison::Ne),
    ("<=", Comparison::Le),
    (">=", Comparison::Ge),
    ("<", Comparison::Lt),
    (">", Comparison::Gt),
];

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// What is not read yet, without blanks before it.
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn error(&self, why: &str) -> ParseError {
        ParseError::new(self.at, why)
    }

    /// Reads a sign, if it is the next.
    fn takes(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn disjunction(&mut self) -> Result<Condition, ParseError> {
        let mut left = self.conjunction()?;
        while self.takes("||") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Condition, ParseError> {
        let mut left = self.negation()?;
        while self.takes("&&") {
            left = Condition::And(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Condition, ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the condition nests too deeply"));
        }
        let condition = if !self.rest().starts_with("!=") && self.takes("!") {
            Condition::Not(Box::new(self.negation()?))
        } else if self.takes("(") {
            let inner = self.disjunction()?;
            if !self.takes(")") {
                return Err(self.error("a closing bracket is missing here"));
            }
            inner
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn comparison(&mut self) -> Result<Condition, ParseError> {
        let left = self.term()?;
        let rest = self.rest();
        let Some((sign, comparison)) = COMPARISONS.iter().find(|(sign, _)| rest.starts_with(sign)) else {
            return Ok(Condition::Compare(Comparison::Ne, left, Term::Number(0)));
        };
        self.at += sign.len();
        Ok(Condition::Compare(*comparison, left, self.term()?))
    }

    fn term(&mut self) -> Result<Term, ParseError> {
        if let Some(name) = self.identifier() {
            return self.variable(name);
        }
        let negative = self.takes("-");
        let number = self.number()?;
        Ok(Term::Number(if negative { -number } else { number }))
    }

    fn identifier(&mut self) -> Option<String> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        // Names in C++ may be qualified.
        let qualified = rest[end..].strip_prefix("::");
        self.at += end;
        match qualified {
            None => Some(rest[..end].to_owned()),
            Some(_) => {
                self.at += 2;
                self.identifier().map(|name| format!("{}::{name}", &rest[..end]))
            }
        }
    }

    fn variable(&mut self, name: String) -> Result<Term, ParseError> {
        let mut path = Vec::new();
        loop {
            if self.takes(".") {
                let member = self.identifier().ok_or_else(|| self.error("a member is missing here"))?;
                path.push(Access::Member(member));
            } else if self.takes("[") {
                let index = u64::try_from(self.number()?).map_err(|_| self.error("this is no index"))?;
                path.push(Access::Cell(index));
                if !self.takes("]") {
                    return Err(self.error("`]` is missing here"));
                }
            } else if self.rest().starts_with("->") || self.rest().starts_with("(") {
                return Err(self.error("a condition does not follow pointers and calls nothing"));
            } else {
                return Ok(Term::Variable { name, path });
            }
        }
    }

    fn number(&mut self) -> Result<i128, ParseError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let digits = &rest[..end];
        let number = match digits.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => digits.parse::<u64>(),
        };
        let number = number.map_err(|_| self.error("a number or a variable is missing here"))?;
        self.at += end;
        Ok(number.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let condition = Condition::parse("queue.items[2].count >= -1 && !(x || y == 0x10)").unwrap();
        let Condition::And(first, second) = condition else { panic!("a conjunction") };
        let path = vec![Access::Member("items".into()), Access::Cell(2), Access::Member("count".into())];
        let variable = Term::Variable { name: "queue".into(), path };
        assert_eq!(*first, Condition::Compare(Comparison::Ge, variable, Term::Number(-1)));
        assert!(matches!(*second, Condition::Not(_)));
    }

    #[test]
    fn errors_say_where_and_why() {
        let error = |text| Condition::parse(text).unwrap_err().to_string();
        assert_eq!(error("x == "), "at character 6: a number or a variable is missing here");
        assert_eq!(error("x y"), "at character 3: an operator is missing before this");
        assert_eq!(error("(x"), "at character 3: a closing bracket is missing here");
        assert!(error("p->x").contains("does not follow pointers"));
        assert!(error("a[i]").contains("a number"));
    }
}
