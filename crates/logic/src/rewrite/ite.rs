//! Choices.

use crate::term::{Op, Term, Terms};

impl Terms {
    /// `yes` if the condition (of width 1) is true, else `no`.
    pub fn ite(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        let width = self.width(yes);
        debug_assert_eq!((self.width(cond), width), (1, self.width(no)));
        if let Some(bit) = self.constant_value(cond) {
            return if bit == 1 { yes } else { no };
        }
        if yes == no {
            return yes;
        }
        if let Some(inner) = self.is_not(cond) {
            return self.ite(inner, no, yes);
        }
        let yes = self.under(cond, yes, true);
        let no = self.under(cond, no, false);
        if yes == no {
            return yes;
        }
        if width == 1 {
            return self.ite_boolean(cond, yes, no);
        }
        // Two cases with the same outcome are one.
        if let Some((other, x, y)) = self.choice(no)
            && (x == yes || y == yes)
        {
            let other = if x == yes { other } else { self.not(other) };
            let either = self.or(cond, other);
            return self.ite(either, yes, if x == yes { y } else { x });
        }
        if let Some((other, x, y)) = self.choice(yes)
            && (x == no || y == no)
        {
            let other = if x == no { self.not(other) } else { other };
            let both = self.and(cond, other);
            return self.ite(both, if x == no { y } else { x }, no);
        }
        self.make(Op::Ite, width, &[cond, yes, no])
    }

    fn choice(&self, term: Term) -> Option<(Term, Term, Term)> {
        let node = self.node(term);
        match *node.args() {
            [cond, yes, no] if node.op == Op::Ite => Some((cond, yes, no)),
            _ => None,
        }
    }

    /// A term where the condition is known.
    fn under(&mut self, cond: Term, term: Term, value: bool) -> Term {
        match self.choice(term) {
            Some((inner, yes, no)) if inner == cond => {
                if value {
                    yes
                } else {
                    no
                }
            }
            _ if term == cond => self.boolean(value),
            _ if self.is_not(term) == Some(cond) => self.boolean(!value),
            _ => term,
        }
    }

    fn ite_boolean(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        match (self.constant_value(yes), self.constant_value(no)) {
            (Some(1), Some(_)) => cond,
            (Some(_), Some(_)) => self.not(cond),
            (Some(1), None) => self.or(cond, no),
            (Some(_), None) => {
                let not = self.not(cond);
                self.and(not, no)
            }
            (None, Some(0)) => self.and(cond, yes),
            (None, Some(_)) => {
                let not = self.not(cond);
                self.or(not, yes)
            }
            (None, None) if self.is_not(yes) == Some(no) || self.is_not(no) == Some(yes) => {
                self.xor(cond, no)
            }
            (None, None) => self.make(Op::Ite, 1, &[cond, yes, no]),
        }
    }
}
