//! What is known of data at each vertex while the product is built.
//!
//! Locations know nothing of data, so that steps lead from them which no execution can
//! take: the way around a loop after whose first round an object exists, and the way
//! past it. Such steps multiply the product. Therefore a vertex has *facts*: conditions
//! that hold at it in every execution. They are what guards and assignments say on the
//! way to it, as far as no later step changes their variables; where several ways lead
//! to a vertex, they are what all of them establish, and equations between variables that were
//! known to be alike. Facts of a vertex only become weaker: fewer variables are known, which
//! ends, so that the building does, and what is left is inductive.

use logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prover::{NoAnswer, Prover};
use crate::system::Edge;

/// A vertex has no more facts than this.
const MOST: usize = 48;

/// Whether a step is possible where these facts hold. What is too hard to tell is taken
/// for possible.
pub fn possible(
    facts: &[Term],
    edge: &Edge,
    (terms, prover): (&mut Terms, &mut Prover),
) -> Result<bool, NoAnswer> {
    if edge.guard.is_empty() {
        return Ok(true);
    }
    let mut question = concerning(facts, &edge.guard, terms);
    question.extend(&edge.guard);
    prover.may_hold(terms, &question)
}

/// The facts after a step, over these variables.
fn after(facts: &[Term], edge: &Edge, variables: &FxHashSet<Term>, terms: &mut Terms) -> Vec<Term> {
    let assigned: FxHashSet<Term> = edge.assignments.iter().map(|(variable, _)| *variable).collect();
    let stays = |variable: &Term| variables.contains(variable) && !assigned.contains(variable);
    let mut copies = copies(edge, stays, variables, terms);
    let others = others_for(facts, stays, terms);
    others.iter().for_each(|(lost, kept)| _ = copies.entry(*lost).or_insert(*kept));
    let speaks_of_new = |fact: Term, terms: &Terms| {
        terms.variables_in(fact).iter().all(|variable| stays(variable) || copies.contains_key(variable))
    };
    let (mut renamed, mut values) = (copies.clone(), terms.values_by(facts));
    values.extend(others);
    let mut found = Vec::new();
    let mut add = |fact: Term, terms: &Terms| {
        let known = found.len() < MOST && !terms.is_true(fact) && !found.contains(&fact);
        if known && terms.variables_in(fact).iter().all(|variable| variables.contains(variable)) {
            found.push(fact);
        }
    };
    let mut first: FxHashMap<Term, Term> = FxHashMap::default();
    for (variable, value) in edge.assignments.iter().filter(|(variable, _)| variables.contains(variable)) {
        let known = terms.substitute(*value, &mut values);
        let is_old = terms.variables_in(known).iter().all(stays);
        let alike = if is_old { known } else { *first.entry(known).or_insert(*variable) };
        if alike != *variable && !terms.is_array(*variable) {
            let fact = terms.eq(*variable, alike);
            add(fact, terms);
        }
    }
    for fact in edge.guard.iter().chain(facts) {
        if speaks_of_new(*fact, terms) {
            let fact = terms.substitute(*fact, &mut renamed);
            add(fact, terms);
        }
    }
    found
}

/// For variables whose values a step changes or forgets, what facts say that they are equal to.
fn others_for(facts: &[Term], stays: impl Fn(&Term) -> bool, terms: &Terms) -> FxHashMap<Term, Term> {
    let mut others = FxHashMap::default();
    for fact in facts {
        let node = terms.node(*fact);
        let (Op::Eq, &[a, b]) = (node.op, node.args()) else { continue };
        let is_lost = |term: Term| terms.node(term).op == Op::Var && !stays(&term);
        let is_kept = |term: Term| terms.variables_in(term).iter().all(&stays);
        let sides = [(a, b), (b, a)];
        others.extend(sides.into_iter().find(|(lost, kept)| is_lost(*lost) && is_kept(*kept)));
    }
    others
}

/// For variables whose values a step changes or forgets, others that have these values
/// after it.
fn copies(
    edge: &Edge,
    stays: impl Fn(&Term) -> bool,
    variables: &FxHashSet<Term>,
    terms: &Terms,
) -> FxHashMap<Term, Term> {
    let mut copies = FxHashMap::default();
    for (copy, value) in &edge.assignments {
        let is_copy = terms.node(*value).op == Op::Var && !stays(value);
        if is_copy && variables.contains(copy) && !edge.inputs.contains(value) {
            copies.insert(*value, *copy);
        }
    }
    copies
}

/// Those of the facts that hold on another way, too, which has these facts. Variables that have the
/// same values on both ways are equal.
pub fn common(
    facts: &[Term],
    way: &Way<'_>,
    (terms, prover): (&mut Terms, &mut Prover),
) -> Result<Vec<Term>, NoAnswer> {
    let mut common = Vec::new();
    for fact in facts {
        if way.facts.contains(fact) || way.establishes(*fact, (terms, prover))? {
            common.push(*fact);
        }
    }
    if common.len() < facts.len() {
        let equal = equal(facts, &way.facts, terms);
        common.extend(equal.into_iter().filter(|fact| !facts.contains(fact)));
        common.truncate(MOST);
    }
    Ok(common)
}

/// A way to a vertex.
pub struct Way<'a> {
    /// What holds after it.
    pub facts: Vec<Term>,
    /// What held before its last step, and the step.
    pub last: Option<(&'a [Term], &'a Edge)>,
}

impl<'a> Way<'a> {
    /// The way of no step, where these facts hold.
    pub fn begin(facts: Vec<Term>) -> Way<'a> {
        Way { facts, last: None }
    }

    /// The way by a step from where these facts hold, to where there are these variables.
    pub fn by(edge: &'a Edge, before: &'a [Term], variables: &FxHashSet<Term>, terms: &mut Terms) -> Way<'a> {
        Way { facts: after(before, edge, variables, terms), last: Some((before, edge)) }
    }

    /// Whether a fact holds after it.
    fn establishes(&self, fact: Term, (terms, prover): (&mut Terms, &mut Prover)) -> Result<bool, NoAnswer> {
        let reasons = concerning(&self.facts, &[fact], terms);
        if prover.implies(terms, &reasons, fact)? {
            return Ok(true);
        }
        let Some((before, edge)) = self.last else { return Ok(false) };
        let fact = terms.substitute(fact, &mut edge.assignments.iter().copied().collect());
        let reasons = concerning(&[before, &edge.guard].concat(), &[fact], terms);
        prover.implies(terms, &reasons, fact)
    }
}

/// Equations between variables that have the same values, as two lists of facts say: counters that
/// go up together. Of one with more bits, the lower ones are meant.
fn equal(facts: &[Term], others: &[Term], terms: &mut Terms) -> Vec<Term> {
    let (values, other_values) = (terms.values_by(facts), terms.values_by(others));
    let mut alike: Vec<(u128, u128, u8, Term)> = Vec::new();
    for (variable, value) in values {
        let Some(other) = other_values.get(&variable) else { continue };
        if let (Some(value), Some(other)) = (terms.constant_value(value), terms.constant_value(*other)) {
            alike.push((value, other, terms.width(variable), variable));
        }
    }
    alike.retain(|(value, other, ..)| value != other);
    alike.sort_unstable();
    let mut equal = Vec::new();
    for (a, b) in alike.iter().zip(alike.iter().skip(1)).filter(|(a, b)| (a.0, a.1) == (b.0, b.1)) {
        let low = terms.extract(b.3, 0, a.2);
        equal.push(terms.eq(a.3, low));
    }
    equal
}

/// The facts that have to do with conditions: those that share variables with them, or
/// with other such facts.
fn concerning(facts: &[Term], conditions: &[Term], terms: &Terms) -> Vec<Term> {
    let mut variables: FxHashSet<Term> =
        conditions.iter().flat_map(|condition| terms.variables_in(*condition)).collect();
    let mut open: Vec<(Term, Vec<Term>)> =
        facts.iter().map(|fact| (*fact, terms.variables_in(*fact))).collect();
    let mut found = Vec::new();
    loop {
        let before = found.len();
        open.retain(|(fact, own)| {
            let concerns = own.iter().any(|variable| variables.contains(variable));
            if concerns {
                found.push(*fact);
                variables.extend(own);
            }
            !concerns
        });
        if found.len() == before {
            return found;
        }
    }
}
