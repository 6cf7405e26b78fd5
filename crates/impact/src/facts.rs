//! What is known of data at each vertex while the product is built.
//!
//! Locations know nothing of data, so that steps lead from them which no execution can
//! take: the way around a loop after whose first round an object exists, and the way
//! past it. Such steps multiply the product. Therefore a vertex has *facts*: conditions
//! that hold at it in every execution. They are what guards and assignments say on the
//! way to it, as far as no later step changes their variables; where several ways lead
//! to a vertex, they are what all of them establish. Facts of a vertex only become
//! fewer, so that the building comes to an end, and what is left is inductive.

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
pub fn after(facts: &[Term], edge: &Edge, variables: &FxHashSet<Term>, terms: &mut Terms) -> Vec<Term> {
    let assigned: FxHashSet<Term> = edge.assignments.iter().map(|(variable, _)| *variable).collect();
    let stays = |variable: &Term| variables.contains(variable) && !assigned.contains(variable);
    let copies = copies(edge, stays, variables, terms);
    let speaks_of_new = |fact: Term, terms: &Terms| {
        terms.variables_in(fact).iter().all(|variable| stays(variable) || copies.contains_key(variable))
    };
    let (mut renamed, mut values) = (copies.clone(), terms.values_by(facts));
    let mut found = Vec::new();
    let mut add = |fact: Term, terms: &Terms| {
        let known = found.len() < MOST && !terms.is_true(fact) && !found.contains(&fact);
        if known && terms.variables_in(fact).iter().all(|variable| variables.contains(variable)) {
            found.push(fact);
        }
    };
    for (variable, value) in &edge.assignments {
        let known = terms.substitute(*value, &mut values);
        let is_old = terms.variables_in(known).iter().all(stays);
        if is_old && !terms.is_array(*variable) {
            let fact = terms.eq(*variable, known);
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

/// Those of the facts that hold on another way, too.
pub fn common(
    facts: &[Term],
    other: &[Term],
    (terms, prover): (&mut Terms, &mut Prover),
) -> Result<Vec<Term>, NoAnswer> {
    let mut common = Vec::new();
    for fact in facts {
        if other.contains(fact) {
            common.push(*fact);
            continue;
        }
        let reasons = concerning(other, &[*fact], terms);
        if prover.implies(terms, &reasons, *fact)? {
            common.push(*fact);
        }
    }
    Ok(common)
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
