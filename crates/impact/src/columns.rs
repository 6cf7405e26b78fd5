//! The terms between which equations are looked for at each vertex.

use logic::{Op, Term, Terms};
use machine::Datum;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::extremes::Extremes;
use crate::product::{Product, Vertex};
use crate::residues::Residues;
use crate::system::System;

/// So many elements of arrays are looked at in each vertex.
const MOST_ELEMENTS: usize = 6;

/// So many products of variables are looked at in each vertex.
const MOST_PRODUCTS: usize = 10;

/// So often elements are taken back over all steps.
const PASSES: usize = 2;

/// The numbers of each vertex, and the elements of arrays that the steps from there on read: where
/// one of two threads has added an element to its sum, the sums differ by it until the other has
/// done so, too.
pub fn columns(product: &Product, system: &System<'_>, terms: &mut Terms) -> Vec<Vec<Term>> {
    let mut elements: Vec<Vec<Term>> =
        product.vertices.iter().map(|vertex| read(vertex, system, terms)).collect();
    if elements.iter().any(|elements| !elements.is_empty()) {
        take_back(product, system, terms, &mut elements);
    }
    let fillers = fillers(product, system, terms);
    let products = products(product, system, terms);
    let (extremes, residues) = (Extremes::of(product, terms), Residues::of(product, terms));
    let columns = product.vertices.iter().zip(elements).map(|(vertex, elements)| {
        let mut columns = system.numbers_at(terms, vertex.location);
        let counts = counts(&columns, &fillers, system, terms);
        let chosen = extremes.at(vertex, &columns, system, terms);
        let remainders = residues.at(&columns, terms);
        let multiplied = multiplied(&columns, &products, terms);
        columns.extend(counts);
        columns.extend(multiplied);
        columns.extend(chosen);
        columns.extend(remainders);
        columns.extend(elements);
        columns
    });
    columns.collect()
}

/// Pairs of variables whose products may be what a loop has added up: what is added in a round
/// and never changes, with what counts rounds, or bounds that.
fn products(product: &Product, system: &System<'_>, terms: &Terms) -> Vec<(Term, Term)> {
    let changing = product.changed_on_cycles();
    let is_stable = |term: &Term| system.is_data(*term) && !changing.contains(term);
    let (mut added, mut counters) = (FxHashSet::default(), FxHashSet::default());
    let steps = product.vertices.iter().flat_map(|vertex| vertex.moves.iter());
    for (variable, value) in steps.flat_map(|step| step.edge.assignments.iter()) {
        let summands = summands(*value, terms);
        if !summands.contains(variable) {
            continue;
        }
        match &summands[..] {
            [a, b] if [a, b].iter().any(|part| terms.constant_value(**part).is_some()) => {
                counters.insert(*variable);
            }
            _ => added.extend(summands.into_iter().filter(is_stable)),
        }
    }
    if added.is_empty() {
        return Vec::new();
    }
    let mut factors = counters.clone();
    factors.extend(bounds(product, &counters, terms).into_iter().filter(is_stable));
    let mut found: Vec<(Term, Term)> = factors
        .iter()
        .flat_map(|factor| added.iter().map(move |added| (*factor, *added)))
        .filter(|(factor, added)| terms.width(*factor) == terms.width(*added))
        .collect();
    found.sort_unstable();
    found
}

/// What counters, or what they are copied to, are compared with.
fn bounds(product: &Product, counters: &FxHashSet<Term>, terms: &Terms) -> FxHashSet<Term> {
    let sides = product.guards().filter_map(|guard| terms.comparison(guard));
    let mut found = FxHashSet::default();
    for (_, x, y) in sides.filter(|(_, x, y)| counters.contains(x) || counters.contains(y)) {
        found.extend([x, y].into_iter().filter(|side| terms.node(*side).op == Op::Var));
    }
    found
}

/// The parts of a sum, negated or not.
fn summands(value: Term, terms: &Terms) -> Vec<Term> {
    let (mut work, mut found) = (vec![value], Vec::new());
    while let Some(term) = work.pop() {
        let node = terms.node(term);
        match node.op {
            Op::Add | Op::Neg => work.extend(node.args()),
            _ => found.push(term),
        }
    }
    found
}

/// The products of numbers that are there.
fn multiplied(numbers: &[Term], products: &[(Term, Term)], terms: &mut Terms) -> Vec<Term> {
    let there = products.iter().filter(|(a, b)| numbers.contains(a) && numbers.contains(b));
    there.take(MOST_PRODUCTS).map(|(a, b)| terms.mul(*a, *b)).collect()
}

/// How many elements of an object are initialised.
fn is_prefix(variable: Term, system: &System<'_>) -> bool {
    matches!(system.place(variable), Some(Datum::Initialised { .. }))
}

/// The size of an object.
fn is_size(variable: Term, system: &System<'_>) -> bool {
    matches!(system.place(variable), Some(Datum::Size { .. }))
}

/// The variables on which it depends how many elements an object has, and how many of them are
/// initialised: what it was made with, and counters of loops that fill it.
fn fillers(product: &Product, system: &System<'_>, terms: &Terms) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    for step in product.vertices.iter().flat_map(|vertex| vertex.moves.iter()) {
        let assignments = &step.edge.assignments;
        let counts = |variable: Term| is_prefix(variable, system) || is_size(variable, system);
        let values = assignments.iter().filter(|(variable, _)| counts(*variable)).map(|(_, value)| *value);
        let of_values: FxHashSet<Term> = values.flat_map(|value| terms.variables_in(value)).collect();
        // What is read just before is an input, and data where it is kept.
        let copies = assignments.iter().filter(|(_, value)| of_values.contains(value)).map(|(copy, _)| *copy);
        found.extend(copies.chain(of_values.iter().copied()).filter(|variable| system.is_data(*variable)));
    }
    found
}

/// Sizes, and counters of loops that fill objects, in the width in which the objects count.
fn counts(numbers: &[Term], fillers: &FxHashSet<Term>, system: &System<'_>, terms: &mut Terms) -> Vec<Term> {
    let prefixes = numbers.iter().copied().filter(|number| is_prefix(*number, system));
    let widths: FxHashSet<u8> = prefixes.map(|prefix| terms.width(prefix)).collect();
    let mut found = Vec::new();
    for width in widths {
        let longer = |number: &&Term| fillers.contains(number) && terms.width(**number) > width;
        let counters: Vec<Term> = numbers.iter().filter(longer).copied().collect();
        found.extend(counters.into_iter().map(|counter| terms.extract(counter, 0, width)));
    }
    found
}

/// Adds the elements that are read later, as they are called before the steps to there.
fn take_back(product: &Product, system: &System<'_>, terms: &mut Terms, elements: &mut [Vec<Term>]) {
    let order = product.topological();
    for from in order.iter().rev().cycle().take(order.len() * PASSES) {
        for step in product.vertices[*from as usize].moves.iter() {
            let Some(to) = step.to else { continue };
            let mut images: FxHashMap<Term, Term> = step.edge.assignments.iter().copied().collect();
            for element in elements[to as usize].clone() {
                let before = terms.substitute(element, &mut images);
                // Where the step writes the array, it is one of two, or what was written.
                let mut before: Vec<Term> = terms.subterms([before]).into_iter().collect();
                before.retain(|term| is_element(*term, system, terms));
                before.sort_unstable();
                let known = &mut elements[*from as usize];
                for element in before {
                    if known.len() < MOST_ELEMENTS && !known.contains(&element) {
                        known.push(element);
                    }
                }
            }
        }
    }
}

/// The elements that the next steps read.
fn read(vertex: &Vertex, system: &System<'_>, terms: &Terms) -> Vec<Term> {
    let edges = vertex.moves.iter().map(|step| &step.edge);
    let values = edges
        .flat_map(|edge| edge.guard.iter().copied().chain(edge.assignments.iter().map(|(_, value)| *value)));
    let all = terms.subterms(values).into_iter();
    let mut found: Vec<Term> = all.filter(|term| is_element(*term, system, terms)).collect();
    found.sort_unstable();
    found.truncate(MOST_ELEMENTS);
    found
}

/// Whether a term is an element of an array that is data, at an index that is data.
fn is_element(term: Term, system: &System<'_>, terms: &Terms) -> bool {
    let node = terms.node(term);
    node.op == Op::Select
        && terms.node(node.args()[0]).op == Op::Array
        && terms.variables_in(term).into_iter().all(|variable| system.is_data(variable))
}
