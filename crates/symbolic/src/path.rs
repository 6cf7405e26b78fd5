//! What is assumed on a path.

use std::sync::Arc;

use logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;

/// The path condition, with what follows from it by looking. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Path(Arc<Facts>);

#[derive(Clone, Debug, Default)]
struct Facts {
    conditions: Vec<Term>,
    /// Terms of width 1 whose value is known.
    decided: FxHashMap<Term, bool>,
    /// Terms that were found equal to a constant.
    values: FxHashMap<Term, u128>,
    /// How many values of a number that is not known yet were gone through and
    /// are not meant.
    excluded: Arc<FxHashMap<Term, u32>>,
}

impl Path {
    /// The conditions, in the order in which they were assumed.
    pub fn conditions(&self) -> &[Term] {
        &self.0.conditions
    }

    /// Assumes a condition.
    pub fn assume(&mut self, terms: &Terms, condition: Term) {
        if terms.is_true(condition) || self.decides(terms, condition) == Some(true) {
            return;
        }
        let facts = Arc::make_mut(&mut self.0);
        facts.conditions.push(condition);
        facts.learn(terms, condition);
    }

    /// Notes a condition that follows from those assumed.
    pub fn imply(&mut self, terms: &Terms, condition: Term) {
        Arc::make_mut(&mut self.0).learn(terms, condition);
    }

    /// Whether a condition is true or false on this path, as far as looking tells.
    pub fn decides(&self, terms: &Terms, condition: Term) -> Option<bool> {
        if let Some(bit) = terms.constant_value(condition) {
            return Some(bit == 1);
        }
        if let Some(decided) = self.0.decided.get(&condition) {
            return Some(*decided);
        }
        let node = terms.node(condition);
        match node.op {
            Op::Not => self.decides(terms, node.args()[0]).map(|decided| !decided),
            Op::Eq => {
                let value = self.value_of(node.args()[0])?;
                terms.constant_value(node.args()[1]).map(|bits| bits == value)
            }
            _ => None,
        }
    }

    /// Notes that the path goes on with another value of a number.
    pub fn exclude(&mut self, number: Term) {
        let excluded = &mut Arc::make_mut(&mut self.0).excluded;
        *Arc::make_mut(excluded).entry(number).or_default() += 1;
    }

    /// How many values of a number were gone through.
    pub fn excluded(&self, term: Term) -> u32 {
        self.0.excluded.get(&term).copied().unwrap_or(0)
    }

    /// How many values of each number were gone through.
    pub(crate) fn all_excluded(&self) -> &Arc<FxHashMap<Term, u32>> {
        &self.0.excluded
    }

    /// The value of a term that was found equal to a constant.
    pub fn value_of(&self, term: Term) -> Option<u128> {
        self.0.values.get(&term).copied()
    }
}

impl Facts {
    fn learn(&mut self, terms: &Terms, condition: Term) {
        let mut work = vec![condition];
        while let Some(condition) = work.pop() {
            self.decided.insert(condition, true);
            let node = terms.node(condition);
            match (node.op, node.args()) {
                (Op::Not, &[inner]) => {
                    self.decided.insert(inner, false);
                }
                (Op::And, parts) => work.extend(parts),
                (Op::Eq, &[term, other]) => {
                    if let Some(bits) = terms.constant_value(other) {
                        self.values.insert(term, bits);
                        if self.excluded.contains_key(&term) {
                            Arc::make_mut(&mut self.excluded).remove(&term);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
