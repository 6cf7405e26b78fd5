//! Variables whose values conditions say.

use rustc_hash::FxHashMap;

use crate::term::{Op, Term, Terms};

impl Terms {
    /// The variables of which conditions that hold say what value they have, each with the value. What
    /// one condition says may let another one say more: of `x == y` and `x == 0`, both are known.
    pub fn values_by(&mut self, conditions: &[Term]) -> FxHashMap<Term, Term> {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        loop {
            // What comes of terms in between is taken in, too, and is different the next time.
            let mut images = values.clone();
            let known = values.len();
            for condition in conditions {
                let condition = self.substitute(*condition, &mut images);
                values.extend(self.value_by(condition));
            }
            if values.len() == known {
                return values;
            }
        }
    }

    /// The variable whose value a condition says, with the value.
    fn value_by(&mut self, condition: Term) -> Option<(Term, Term)> {
        let node = self.node(condition);
        let is_variable = |term: Term| self.node(term).op == Op::Var;
        match (node.op, node.args()) {
            (Op::Var, _) => Some((condition, self.boolean(true))),
            (Op::Not, &[variable]) if is_variable(variable) => Some((variable, self.boolean(false))),
            (Op::Eq, &[a, b]) => {
                let says = |variable: &Term, value: &Term| {
                    is_variable(*variable) && self.constant_value(*value).is_some()
                };
                [(a, b), (b, a)].into_iter().find(|(variable, value)| says(variable, value))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_condition_lets_another_say_more() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(32, name.to_owned()));
        let (zero, one) = (terms.constant(32, 0), terms.constant(32, 1));
        let sum = terms.add(y, one);
        let conditions = [terms.eq(z, sum), terms.eq(x, y), terms.eq(x, zero)];
        let values = terms.values_by(&conditions);
        assert_eq!(
            [x, y, z].map(|variable| values.get(&variable).copied()),
            [Some(zero), Some(zero), Some(one)]
        );
        assert!(terms.values_by(&conditions[..2]).is_empty());
    }

    #[test]
    fn a_truth_value_is_its_own_condition() {
        let mut terms = Terms::new();
        let [p, q] = ["p", "q"].map(|name| terms.variable(1, name.to_owned()));
        let (truth, falsity) = (terms.boolean(true), terms.boolean(false));
        let conditions = [p, terms.not(q)];
        let values = terms.values_by(&conditions);
        assert_eq!((values[&p], values[&q]), (truth, falsity));
    }
}
