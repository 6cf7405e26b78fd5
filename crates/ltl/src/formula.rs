//! Formulas.

use std::fmt;

/// A formula over atoms that are known by their numbers. Other operators are written
/// with these: `F a` is `true U a`, `G a` is `false R a`, `a W b` is `b R (a || b)`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Formula {
    /// Always true.
    True,
    /// Never true.
    False,
    /// True where the atom is.
    Atom(u32),
    /// True where the formula is not.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// At least one.
    Or(Box<Formula>, Box<Formula>),
    /// The second is true at some time, and the first until then.
    Until(Box<Formula>, Box<Formula>),
    /// The second is true up to and including the time when the first is, or for ever.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// `!a`.
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// `a && b`.
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Box::new(self), Box::new(other))
    }

    /// `a || b`.
    pub fn or(self, other: Formula) -> Formula {
        Formula::Or(Box::new(self), Box::new(other))
    }

    /// `a U b`.
    pub fn until(self, other: Formula) -> Formula {
        Formula::Until(Box::new(self), Box::new(other))
    }

    /// `a R b`.
    pub fn release(self, other: Formula) -> Formula {
        Formula::Release(Box::new(self), Box::new(other))
    }

    /// `F a`.
    pub fn eventually(self) -> Formula {
        Formula::True.until(self)
    }

    /// `G a`.
    pub fn always(self) -> Formula {
        Formula::False.release(self)
    }

    /// `a W b`.
    pub fn weak_until(self, other: Formula) -> Formula {
        other.clone().release(self.or(other))
    }

    /// `a -> b`.
    pub fn implies(self, other: Formula) -> Formula {
        self.negated().or(other)
    }

    /// `a <-> b`.
    pub fn iff(self, other: Formula) -> Formula {
        let neither = self.clone().negated().and(other.clone().negated());
        self.and(other).or(neither)
    }

    /// The same formula over atoms with other numbers.
    pub fn renumbered(&self, numbers: &[u32]) -> Formula {
        let sub = |formula: &Formula| Box::new(formula.renumbered(numbers));
        match self {
            Formula::True | Formula::False => self.clone(),
            Formula::Atom(atom) => Formula::Atom(numbers[*atom as usize]),
            Formula::Not(a) => Formula::Not(sub(a)),
            Formula::And(a, b) => Formula::And(sub(a), sub(b)),
            Formula::Or(a, b) => Formula::Or(sub(a), sub(b)),
            Formula::Until(a, b) => Formula::Until(sub(a), sub(b)),
            Formula::Release(a, b) => Formula::Release(sub(a), sub(b)),
        }
    }

    /// Whether each of its violations shows after finitely many states, because of how
    /// the formula is written: in negation normal form it has no `U`.
    pub fn is_safety(&self) -> bool {
        fn has_until(formula: &Formula) -> bool {
            match formula {
                Formula::True | Formula::False | Formula::Atom(_) => false,
                Formula::Not(a) => has_until(a),
                Formula::And(a, b) | Formula::Or(a, b) | Formula::Release(a, b) => {
                    has_until(a) || has_until(b)
                }
                Formula::Until(..) => true,
            }
        }
        !has_until(&crate::normal::simplified(self))
    }

    /// The formula as it is written with these names of atoms.
    pub fn show<'a>(&'a self, atoms: &'a [String]) -> impl fmt::Display + 'a {
        Shown { formula: self, atoms }
    }
}

struct Shown<'a> {
    formula: &'a Formula,
    atoms: &'a [String],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Formula::*;
        let sub = |formula| Shown { formula, atoms: self.atoms };
        match self.formula {
            True => f.write_str("true"),
            False => f.write_str("false"),
            Atom(atom) => match self.atoms.get(*atom as usize) {
                Some(name) => f.write_str(name),
                None => write!(f, "p{atom}"),
            },
            Not(a) => write!(f, "!{}", sub(a)),
            And(a, b) => write!(f, "({} && {})", sub(a), sub(b)),
            Or(a, b) => write!(f, "({} || {})", sub(a), sub(b)),
            Until(a, b) if **a == True => write!(f, "F {}", sub(b)),
            Until(a, b) => write!(f, "({} U {})", sub(a), sub(b)),
            Release(a, b) if **a == False => write!(f, "G {}", sub(b)),
            Release(a, b) => write!(f, "({} R {})", sub(a), sub(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn is_safety(text: &str) -> bool {
        parse(text).unwrap().formula.is_safety()
    }

    #[test]
    fn safety_is_seen_in_the_negation_normal_form() {
        assert!(is_safety("G p"));
        assert!(is_safety("p W q"));
        assert!(is_safety("G (p -> (q R r))"));
        assert!(is_safety("!F p"));
        assert!(is_safety("!(p U q)"));
        assert!(!is_safety("F p"));
        assert!(!is_safety("G F p"));
        assert!(!is_safety("!G p"));
        assert!(!is_safety("G (p -> F q)"));
    }
}
