//! Arrays: a select of an array variable is an unknown word, and selects at equal
//! indices are equal.
//!
//! The second is demanded lazily. A model in which it does not hold is none: the
//! pairs of selects that have equal indices there are tied together by clauses, and
//! the search goes on. Only selects in what is asserted and assumed are looked at,
//! since a search over many questions translates many more.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::BitBlaster;
use crate::asserted::Asserted;
use crate::solver::Model;
use crate::term::{Op, Term, Terms};

/// The selects that a solver knows.
#[derive(Default)]
pub struct Selects {
    /// Whether any array was translated.
    pub any: bool,
    /// The selects in terms that were asked for.
    within: FxHashMap<Term, Rc<[Term]>>,
    /// What is asserted.
    pub asserted: Asserted,
    /// Pairs that are tied together.
    tied: FxHashSet<(Term, Term)>,
}

impl Selects {
    /// The selects in a term.
    fn of(&mut self, terms: &Terms, root: Term) -> Rc<[Term]> {
        let found = self.within.entry(root).or_insert_with(|| selects_in(terms, root).into());
        Rc::clone(found)
    }

    /// The selects in all that is asserted, and in the assumptions.
    pub fn demanded(&mut self, terms: &Terms, assumptions: &[Term]) -> Vec<Term> {
        if !self.any {
            return Vec::new();
        }
        let roots = [self.asserted.terms(), assumptions].concat();
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        for root in roots {
            found.extend(self.of(terms, root).iter().filter(|select| seen.insert(**select)));
        }
        found
    }
}

fn selects_in(terms: &Terms, root: Term) -> Vec<Term> {
    let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![root]);
    while let Some(term) = work.pop() {
        if seen.insert(term) {
            let node = terms.node(term);
            found.extend((node.op == Op::Select).then_some(term));
            work.extend(node.args());
        }
    }
    found
}

impl BitBlaster {
    /// Ties selects together that have equal indices in the model found, and says
    /// whether some of them were not equal.
    pub(super) fn tie(&mut self, terms: &Terms, selects: &[Term]) -> bool {
        let mut groups: FxHashMap<(Term, u128), Vec<(Term, u128)>> = FxHashMap::default();
        for select in selects {
            let [array, index] = *terms.node(*select).args() else { unreachable!("two arguments") };
            groups.entry((array, self.value(index))).or_default().push((*select, self.value(*select)));
        }
        let mut wrong = false;
        for group in groups.values().filter(|group| group.iter().any(|(_, value)| *value != group[0].1)) {
            wrong = true;
            for (at, (one, _)) in group.iter().enumerate() {
                group[..at].iter().for_each(|(other, _)| self.tie_pair(terms, *one, *other));
            }
        }
        wrong
    }

    /// Demands that two selects be equal if their indices are.
    fn tie_pair(&mut self, terms: &Terms, one: Term, other: Term) {
        if !self.selects.tied.insert((one.min(other), one.max(other))) {
            return;
        }
        let index = |select: Term| terms.node(select).args()[1];
        let (words, gates) = (&self.words, &mut self.gates);
        let equal = gates.equal(&words[&index(one)], &words[&index(other)]);
        for (a, b) in words[&one].iter().zip(&words[&other]) {
            gates.clause(&[-equal, -a, *b]);
            gates.clause(&[-equal, *a, -b]);
        }
    }

    /// The elements of arrays in the model found.
    pub(super) fn elements(&mut self, terms: &Terms, selects: &[Term], model: &mut Model) {
        for select in selects {
            let [array, index] = *terms.node(*select).args() else { unreachable!("two arguments") };
            model.set_element(array, self.value(index) as u64, self.value(*select));
        }
    }
}
