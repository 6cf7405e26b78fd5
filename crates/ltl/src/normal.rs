//! Negation normal form, and formulas that are simpler but mean the same.

use crate::formula::Formula;
use Formula::*;

/// The simplified negation normal form: only atoms are negated.
pub fn simplified(formula: &Formula) -> Formula {
    normal(formula, false)
}

/// The normal form of a formula, or of its negation.
fn normal(formula: &Formula, negate: bool) -> Formula {
    match formula {
        True | False => {
            if (*formula == True) != negate {
                True
            } else {
                False
            }
        }
        Atom(_) if negate => formula.clone().negated(),
        Atom(_) => formula.clone(),
        Not(a) => normal(a, !negate),
        And(a, b) | Or(a, b) => {
            let (a, b) = (normal(a, negate), normal(b, negate));
            if matches!(formula, And(..)) != negate { and(a, b) } else { or(a, b) }
        }
        Until(a, b) | Release(a, b) => {
            let (a, b) = (normal(a, negate), normal(b, negate));
            if matches!(formula, Until(..)) != negate { until(a, b) } else { release(a, b) }
        }
    }
}

/// Both, where neither follows from the other. `G` of both is one `G`.
fn and(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (a, b) if implies(&a, &b) => a,
        (a, b) if implies(&b, &a) => b,
        (a, b) if excludes(&a, &b) => False,
        (Release(a, c), Release(b, d)) if a == b => release(*a, and(*c, *d)),
        (Until(a, c), Until(b, d)) if c == d => until(and(*a, *b), *c),
        (a, b) => a.and(b),
    }
}

/// At least one; `F` of one of them is one `F`.
fn or(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (a, b) if implies(&a, &b) => b,
        (a, b) if implies(&b, &a) => a,
        (a, b) if covers(&a, &b) => True,
        (Until(a, c), Until(b, d)) if a == b => until(*a, or(*c, *d)),
        (Release(a, c), Release(b, d)) if c == d => release(or(*a, *b), *c),
        (a, b) => a.or(b),
    }
}

fn until(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (_, b @ (True | False)) => b,
        (a, b) if implies(&a, &b) => b,
        // `a U (a U b)`, `F F b`, `a U F b`.
        (a, Until(c, d)) if implies(&a, &c) => until(*c, *d),
        // `F G F b` is `G F b`: what holds infinitely often does so whenever one begins.
        (True, b) if is_infinitely_often(&b) => b,
        (a, b) if implies(&negation(&b), &a) => True.until(b),
        (a, b) => a.until(b),
    }
}

fn release(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (_, b @ (True | False)) => b,
        (a, b) if implies(&b, &a) => b,
        (a, Release(c, d)) if implies(&c, &a) => release(*c, *d),
        (False, b) if is_almost_always(&b) => b,
        (a, b) if implies(&a, &negation(&b)) => False.release(b),
        (a, b) => a.release(b),
    }
}

/// `G F a`: it does not depend on where in the word one looks.
fn is_infinitely_often(formula: &Formula) -> bool {
    matches!(formula, Release(a, b) if **a == False && matches!(&**b, Until(c, _) if **c == True))
}

/// `F G a`.
fn is_almost_always(formula: &Formula) -> bool {
    matches!(formula, Until(a, b) if **a == True && matches!(&**b, Release(c, _) if **c == False))
}

/// The negation of a formula in normal form, in normal form.
fn negation(formula: &Formula) -> Formula {
    match formula {
        True => False,
        False => True,
        Atom(_) => formula.clone().negated(),
        Not(a) => (**a).clone(),
        And(a, b) => negation(a).or(negation(b)),
        Or(a, b) => negation(a).and(negation(b)),
        Until(a, b) => negation(a).release(negation(b)),
        Release(a, b) => negation(a).until(negation(b)),
    }
}

/// Whether the first is never true together with the second, as far as a glance tells.
fn excludes(a: &Formula, b: &Formula) -> bool {
    implies(a, &negation(b))
}

/// Whether one of them is always true, as far as a glance tells.
fn covers(a: &Formula, b: &Formula) -> bool {
    implies(&negation(a), b)
}

/// How many pairs of formulas are compared to find out whether one follows from another.
const COMPARED: u32 = 2_000;

/// Whether the second is true wherever the first is, as far as how they are written
/// tells. Both are in normal form.
pub fn implies(a: &Formula, b: &Formula) -> bool {
    follows(a, b, &mut COMPARED.clone())
}

fn follows(a: &Formula, b: &Formula, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    if a == b || *a == False || *b == True {
        return true;
    }
    let from = match a {
        And(c, d) => follows(c, b, left) || follows(d, b, left),
        // One of the two is true now.
        Or(c, d) | Until(c, d) => follows(c, b, left) && follows(d, b, left),
        Release(_, d) => follows(d, b, left),
        _ => false,
    };
    let to = |left: &mut u32| match b {
        And(c, d) | Release(c, d) => follows(a, c, left) && follows(a, d, left),
        Or(c, d) => follows(a, c, left) || follows(a, d, left),
        Until(_, d) => follows(a, d, left),
        _ => false,
    };
    let both = |left: &mut u32| match (a, b) {
        (Until(a, b), Until(c, d)) | (Release(a, b), Release(c, d)) => {
            follows(a, c, left) && follows(b, d, left)
        }
        _ => false,
    };
    from || to(left) || both(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn shown(text: &str) -> String {
        let parsed = parse(text).unwrap();
        simplified(&parsed.formula).show(&parsed.atoms).to_string()
    }

    #[test]
    fn negations_go_to_the_atoms() {
        assert_eq!(shown("!G (p -> F q)"), "F (p && G !q)");
        assert_eq!(shown("!(p U q)"), "(!p R !q)");
        assert_eq!(shown("!(p && !q)"), "(!p || q)");
    }

    #[test]
    fn what_follows_is_left_out() {
        assert_eq!(shown("p && (p || q)"), "p");
        assert_eq!(shown("p || !p"), "true");
        assert_eq!(shown("p && !p"), "false");
        assert_eq!(shown("F F p"), "F p");
        assert_eq!(shown("F G F p"), "G F p");
        assert_eq!(shown("G F G p"), "F G p");
        assert_eq!(shown("G p && G q"), "G (p && q)");
        assert_eq!(shown("F p || F q"), "F (p || q)");
        assert_eq!(shown("p U (p U q)"), "(p U q)");
        assert_eq!(shown("!p U p"), "F p");
    }
}
