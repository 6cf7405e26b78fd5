//! Interpolants by strongest postconditions: what holds after steps, forwards from a label that
//! contradicts conditions, in place of what must not hold before them, backwards from the conditions
//! ([`crate::refute`]).
//!
//! Steps are relaxed as the unsatisfiable core allows: of what a step assigns, only variables count
//! that the needed conditions still mention after it, all others may have any value; and of the
//! conditions of a step only those in the core. Variables without a value that can still be named are
//! projected away, so that what is carried may be too weak to contradict the conditions; then there
//! is no such sequence.
//!
//! What is carried is too strong most often. From the last node back, each conjunct that is not
//! needed for what follows is dropped, and an equation that is needed only as a bound becomes one
//! (`i == 3` becomes `i <= 3`): every step still leads from each node's conjuncts to the next one's
//! (a Hoare triple), which the solver is asked.

use logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prover::{NoAnswer, Prover, Together};
use crate::system::Edge;

/// What each node on a path is to get as its label, conjunct by conjunct.
pub type Sequence = Vec<Vec<Term>>;

/// A node on a path to conditions, seen from them.
pub struct Point<'a> {
    /// The needed conditions, as they are called here.
    pub needed: Vec<Term>,
    /// Those of them that come from the step to the next node.
    pub guard: Vec<Term>,
    /// The step to here.
    pub edge: &'a Edge,
}

/// Looks for sequences by strongest postconditions.
pub struct Forwards<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver.
    pub prover: &'a mut Prover,
}

impl Forwards<'_> {
    /// The conjuncts for the nodes at these points, of which the last one comes first, after a node
    /// with this label, of which the step to the next one needs this guard.
    pub fn sequence(
        &mut self,
        points: &[Point<'_>],
        (label, guard): (&[Term], &[Term]),
    ) -> Result<Option<Sequence>, NoAnswer> {
        let mut strongest: Sequence = vec![label.to_vec()];
        let mut guard = guard;
        for point in points.iter().rev() {
            let before = strongest.last().expect("the label comes first");
            let after = self.after(&[before, guard].concat(), point);
            strongest.push(after);
            guard = &point.guard;
        }
        strongest.reverse();
        self.weakest_of(points, strongest)
    }

    /// What is known after the step to a point, of variables that its conditions mention.
    fn after(&mut self, known: &[Term], point: &Point<'_>) -> Vec<Term> {
        let mentioned: FxHashSet<Term> =
            point.needed.iter().flat_map(|condition| self.terms.variables_in(*condition)).collect();
        let edge = point.edge;
        let mut lost: FxHashSet<Term> = edge.assignments.iter().map(|(variable, _)| *variable).collect();
        lost.extend(&edge.inputs);
        let mut earlier = inverses(self.terms, edge, &lost);
        self.rename(known, edge, &lost, &mut earlier);
        let is_known = |terms: &Terms, earlier: &FxHashMap<Term, Term>, term: Term| {
            terms.variables_in(term).iter().all(|v| !lost.contains(v) || earlier.contains_key(v))
        };
        let mut names = earlier.clone();
        let mut found = Vec::new();
        for condition in known {
            if is_known(self.terms, &earlier, *condition) {
                found.push(self.terms.substitute(*condition, &mut names));
            }
        }
        for (variable, value) in &edge.assignments {
            let is_wanted = mentioned.contains(variable) && !self.terms.is_array(*variable);
            if is_wanted && is_known(self.terms, &earlier, *value) {
                let value = self.terms.substitute(*value, &mut names);
                found.push(self.terms.eq(*variable, value));
            }
        }
        self.project(found, &mentioned)
    }

    /// Names for values that a step overwrites: copies, and what is known to be equal to them.
    fn rename(
        &mut self,
        known: &[Term],
        edge: &Edge,
        lost: &FxHashSet<Term>,
        earlier: &mut FxHashMap<Term, Term>,
    ) {
        for (copy, value) in &edge.assignments {
            if lost.contains(value) && !edge.inputs.contains(value) {
                earlier.entry(*value).or_insert(*copy);
            }
        }
        for (variable, value) in self.equations(known) {
            let stays = self.terms.variables_in(value).iter().all(|v| !lost.contains(v));
            if lost.contains(&variable) && stays {
                earlier.entry(variable).or_insert(value);
            }
        }
    }

    /// The equations of variables among conditions, read from both sides.
    fn equations(&self, conditions: &[Term]) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        for condition in conditions {
            let node = self.terms.node(*condition);
            if let (Op::Eq, &[a, b]) = (node.op, node.args()) {
                let sides = [(a, b), (b, a)];
                found.extend(sides.into_iter().filter(|(side, _)| self.terms.node(*side).op == Op::Var));
            }
        }
        found
    }

    /// What conditions say of these variables: others are replaced by what they are equal to, and
    /// what is left of them is dropped.
    fn project(&mut self, conditions: Vec<Term>, variables: &FxHashSet<Term>) -> Vec<Term> {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for (variable, value) in self.equations(&conditions) {
            let is_meant = self.terms.variables_in(value).iter().all(|v| variables.contains(v));
            if !variables.contains(&variable) && is_meant {
                images.entry(variable).or_insert(value);
            }
        }
        let mut found = Vec::new();
        for condition in conditions {
            let condition = self.terms.substitute(condition, &mut images);
            for conjunct in self.terms.conjuncts(condition) {
                let is_meant = self.terms.variables_in(conjunct).iter().all(|v| variables.contains(v));
                if is_meant && !self.terms.is_true(conjunct) && !found.contains(&conjunct) {
                    found.push(conjunct);
                }
            }
        }
        found
    }

    /// Of the conjuncts at each point what is needed for those at the next one, and at the last one
    /// for the contradiction; none if they are not enough. The last list is that before all points,
    /// which is left out.
    fn weakest_of(
        &mut self,
        points: &[Point<'_>],
        strongest: Sequence,
    ) -> Result<Option<Sequence>, NoAnswer> {
        let Some(last) = points.first() else { return Ok(None) };
        let mut against = last.needed.clone();
        let mut sequence = Sequence::new();
        for (index, conjuncts) in strongest.into_iter().enumerate() {
            let Some(needed) = self.core(&conjuncts, &against)? else { return Ok(None) };
            let Some(point) = points.get(index) else { break };
            let weakened = self.weakened(needed, &against)?;
            let mut images = point.edge.assignments.iter().copied().collect();
            let before: Vec<Term> =
                weakened.iter().map(|conjunct| self.terms.substitute(*conjunct, &mut images)).collect();
            against = point.edge.guard.clone();
            against.push(self.terms.not_all(&before));
            sequence.push(weakened);
        }
        Ok(Some(sequence))
    }

    /// Those of the conjuncts that contradict conditions, if they do.
    fn core(&mut self, conjuncts: &[Term], against: &[Term]) -> Result<Option<Vec<Term>>, NoAnswer> {
        match self.prover.together_if_easy(self.terms, &[conjuncts, against].concat())? {
            Some(Together::Impossible(core)) => {
                Ok(Some(conjuncts.iter().copied().filter(|conjunct| core.contains(conjunct)).collect()))
            }
            Some(Together::Possible(_)) | None => Ok(None),
        }
    }

    /// Has bounds in place of equations wherever the conjuncts contradict the conditions still.
    fn weakened(&mut self, mut conjuncts: Vec<Term>, against: &[Term]) -> Result<Vec<Term>, NoAnswer> {
        for index in 0..conjuncts.len() {
            let equation = conjuncts[index];
            for bound in bounds(self.terms, equation) {
                conjuncts[index] = bound;
                if self.core(&conjuncts, against)?.is_some() {
                    break;
                }
                conjuncts[index] = equation;
            }
        }
        Ok(conjuncts)
    }
}

/// The bounds that an equation of numbers implies.
fn bounds(terms: &mut Terms, equation: Term) -> Vec<Term> {
    let node = terms.node(equation);
    let (Op::Eq, &[a, b]) = (node.op, node.args()) else { return Vec::new() };
    if terms.width(a) == 1 {
        return Vec::new();
    }
    vec![terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)]
}

/// The values before a step of variables that it adds to, by those after it.
pub fn inverses(terms: &mut Terms, edge: &Edge, lost: &FxHashSet<Term>) -> FxHashMap<Term, Term> {
    let mut earlier = FxHashMap::default();
    for (variable, value) in &edge.assignments {
        if terms.is_array(*variable) || terms.node(*value).op != Op::Add {
            continue;
        }
        let difference = terms.sub(*value, *variable);
        if terms.variables_in(difference).iter().all(|v| !lost.contains(v)) {
            earlier.insert(*variable, terms.sub(*variable, difference));
        }
    }
    earlier
}

/// Whether a sequence has fewer predicates than another one, or as many that are simpler.
pub fn is_simpler(terms: &Terms, sequence: &[Vec<Term>], other: &[Vec<Term>]) -> bool {
    let cost = |sequence: &[Vec<Term>]| {
        let predicates: FxHashSet<Term> = sequence.iter().flatten().copied().collect();
        (predicates.len(), terms.subterms(predicates).len())
    };
    cost(sequence) < cost(other)
}

#[cfg(test)]
mod tests {
    use logic::{Limits, SolverKind};

    use super::*;
    use crate::system::Target;

    /// The conjuncts after `i++`, from `i == 0`, that contradict such a condition on `i`.
    fn after_one(condition: impl Fn(&mut Terms, Term) -> Term) -> (Terms, Term, Option<Sequence>) {
        let mut terms = Terms::new();
        let i = terms.variable(32, "i");
        let (zero, one) = (terms.constant(32, 0), terms.constant(32, 1));
        let (label, next) = (terms.eq(i, zero), terms.add(i, one));
        let (steps, guard, inputs, replayable) = Default::default();
        let target = Target::Location(0);
        let edge = Edge { steps, guard, assignments: vec![(i, next)], inputs, replayable, target };
        let points = [Point { needed: vec![condition(&mut terms, i)], guard: Vec::new(), edge: &edge }];
        let mut prover = Prover::new(SolverKind::default(), Limits::default()).expect("there is a solver");
        let mut forwards = Forwards { terms: &mut terms, prover: &mut prover };
        let sequence = forwards.sequence(&points, (&[label], &[])).expect("there is an answer");
        (terms, i, sequence)
    }

    #[test]
    fn an_equation_becomes_a_bound_where_that_is_enough() {
        let (mut terms, i, sequence) = after_one(|terms, i| {
            let three = terms.constant(32, 3);
            terms.slt(three, i)
        });
        let one = terms.constant(32, 1);
        assert_eq!(sequence, Some(vec![vec![terms.sle(i, one)]]));
    }

    #[test]
    fn an_equation_stays_where_it_is_needed() {
        let (mut terms, i, sequence) = after_one(|terms, i| {
            let one = terms.constant(32, 1);
            terms.ne(i, one)
        });
        let one = terms.constant(32, 1);
        assert_eq!(sequence, Some(vec![vec![terms.eq(i, one)]]));
    }

    #[test]
    fn there_is_no_sequence_where_the_conditions_can_hold() {
        let (_, _, sequence) = after_one(|terms, i| {
            let one = terms.constant(32, 1);
            terms.eq(i, one)
        });
        assert_eq!(sequence, None);
    }
}
