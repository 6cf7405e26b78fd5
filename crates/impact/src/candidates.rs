//! Candidates for invariants, from templates over the variables of a vertex.

use logic::{Evaluation, Op, Term, Terms, linear};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::invariants::Invariants;
use crate::product::Product;
use crate::sample::State;
use crate::system::System;

/// Copies of copies are followed so far.
const COPIES: usize = 2;

/// So many bounds that are computed are looked at in each vertex.
const MOST_COMPUTED: usize = 16;

/// The candidates for each vertex that no values contradict. Variables whose values others
/// give, by the equations that are known already, are left out unless the program compares
/// them: bounds of sums are hard to prove and seldom needed. Unless all pairs are wanted, only
/// variables are related that the program compares.
pub fn candidates(
    product: &Product,
    system: &System<'_>,
    terms: &mut Terms,
    (known, samples): (&Invariants, &[Vec<State>]),
    all_pairs: bool,
) -> Vec<Vec<Term>> {
    let (constants, comparisons) = constants(product, terms);
    let compared = compared(product, terms);
    let related = related(product, terms);
    let flags = flags(product, terms);
    let mut all = Vec::new();
    for ((vertex, known), samples) in product.vertices.iter().zip(known).zip(samples) {
        let mut variables = system.numbers_at(terms, vertex.location);
        let here: FxHashSet<Term> = variables.iter().copied().collect();
        let derived = derived(known, terms);
        let is_compared = |variable: &Term| compared.iter().any(|(x, y)| x == variable || y == variable);
        variables.retain(|variable| !derived.contains(variable) || is_compared(variable));
        let mut found = Vec::new();
        let widths: FxHashSet<u8> = variables.iter().map(|variable| terms.width(*variable)).collect();
        for width in widths {
            let of_width: Vec<Term> =
                variables.iter().copied().filter(|variable| terms.width(*variable) == width).collect();
            let are_related = |x: Term, y: Term| all_pairs || related.contains(&(x, y));
            bounds(terms, &of_width, (&constants, &comparisons), &are_related, &mut found);
        }
        loops(terms, &variables, &compared, &mut found);
        computed(terms, (&variables, &here), &related, &comparisons, &mut found);
        let is_here = |flag: &Term| terms.variables_in(*flag).iter().all(|v| here.contains(v));
        found.extend(flags.iter().copied().filter(is_here));
        for sample in samples {
            let mut evaluation = Evaluation::new(terms, sample);
            found.retain(|candidate| evaluation.holds(*candidate));
        }
        all.push(found);
    }
    all
}

/// The variables whose values others give where conditions hold.
fn derived(conditions: &[Term], terms: &mut Terms) -> FxHashSet<Term> {
    linear::solve(terms, conditions).solved.into_iter().map(|(variable, _)| variable).collect()
}

/// The kinds of comparisons in a program, each with the width of what is compared.
type Comparisons = FxHashSet<(Op, u8)>;

/// The constants that guards and assignments compare with and add, and how they compare.
fn constants(product: &Product, terms: &Terms) -> (Vec<Term>, Comparisons) {
    let edges = product.vertices.iter().flat_map(|vertex| vertex.moves.iter()).map(|step| &step.edge);
    let of_edge =
        edges.flat_map(|edge| edge.guard.iter().copied().chain(edge.assignments.iter().map(|a| a.1)));
    let (mut found, mut comparisons) = (Vec::new(), Comparisons::default());
    for term in terms.subterms(of_edge) {
        let node = terms.node(term);
        if node.op == Op::Const && node.width > 1 {
            found.push(term);
        }
        if matches!(node.op, Op::Slt | Op::Ult) {
            comparisons.insert((node.op, terms.width(node.args()[0])));
        }
    }
    found.sort_unstable();
    (found, comparisons)
}

/// The pairs of variables of which guards ask whether the first is less.
fn compared(product: &Product, terms: &Terms) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for guard in product.guards() {
        if let Some((Op::Slt, x, y)) = terms.comparison(guard)
            && [x, y].iter().all(|side| terms.node(*side).op == Op::Var)
            && !found.contains(&(x, y))
        {
            found.push((x, y));
        }
    }
    found
}

/// That a flag says how two numbers compare: what was assigned to it, with the variables that were
/// assigned the compared values in the same step.
fn flags(product: &Product, terms: &mut Terms) -> Vec<Term> {
    let mut found = FxHashSet::default();
    for step in product.vertices.iter().flat_map(|vertex| vertex.moves.iter()) {
        let assignments = &step.edge.assignments;
        for (flag, value) in assignments {
            let node = terms.node(*value);
            let (op @ (Op::Slt | Op::Ult | Op::Eq), &[x, y]) = (node.op, node.args()) else { continue };
            let after = |side: Term| {
                let copy = assignments.iter().find(|(_, value)| *value == side).map(|(copy, _)| *copy);
                let stays = !assignments.iter().any(|(variable, _)| *variable == side);
                copy.or(stays.then_some(side))
            };
            let (Some(x), Some(y)) = (after(x), after(y)) else { continue };
            let compared = match op {
                Op::Slt => terms.slt(x, y),
                Op::Ult => terms.ult(x, y),
                _ => terms.eq(x, y),
            };
            found.insert(terms.eq(*flag, compared));
        }
    }
    let mut found: Vec<Term> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// What guards compare with each other, in both directions: variables and constants. What is
/// copied, or copied with something added, is compared with what its copy is compared with.
fn related(product: &Product, terms: &Terms) -> FxHashSet<(Term, Term)> {
    let mut found = compared_directly(product, terms);
    let copies = copies(product, terms);
    for _ in 0..COPIES {
        let known: Vec<(Term, Term)> = found.iter().copied().collect();
        for (copy, other) in known {
            for original in copies.get(&copy).into_iter().flatten().filter(|original| **original != other) {
                found.extend([(*original, other), (other, *original)]);
            }
        }
    }
    found
}

/// What is copied to each variable.
fn copies(product: &Product, terms: &Terms) -> FxHashMap<Term, FxHashSet<Term>> {
    let mut found: FxHashMap<Term, FxHashSet<Term>> = FxHashMap::default();
    for step in product.vertices.iter().flat_map(|vertex| vertex.moves.iter()) {
        for (copy, value) in &step.edge.assignments {
            let original = terms.without_constant(*value);
            if terms.node(original).op == Op::Var && original != *copy {
                found.entry(*copy).or_default().insert(original);
            }
        }
    }
    found
}

fn compared_directly(product: &Product, terms: &Terms) -> FxHashSet<(Term, Term)> {
    let (mut work, mut seen) = (product.guards().collect::<Vec<Term>>(), FxHashSet::default());
    let mut found = FxHashSet::default();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        if let (Op::Slt | Op::Ult | Op::Eq, &[x, y]) = (node.op, node.args()) {
            found.extend([(x, y), (y, x)]);
        }
        if terms.width(term) == 1 {
            work.extend(node.args());
        }
    }
    found
}

/// That counters of loops have not passed their bounds, unless they never moved: a bound
/// may be negative.
fn loops(terms: &mut Terms, variables: &[Term], compared: &[(Term, Term)], found: &mut Vec<Term>) {
    for (counter, bound) in compared.iter().filter(|(x, y)| variables.contains(x) && variables.contains(y)) {
        let zero = terms.constant(terms.width(*counter), 0);
        let (at_start, below) = (terms.eq(*counter, zero), terms.sle(*counter, *bound));
        found.push(terms.or(at_start, below));
    }
}

/// That variables are not greater than what the program computes to compare them with: `2 * n`.
fn computed(
    terms: &mut Terms,
    (variables, here): (&[Term], &FxHashSet<Term>),
    related: &FxHashSet<(Term, Term)>,
    comparisons: &Comparisons,
    found: &mut Vec<Term>,
) {
    let is_bound = |x: Term, y: Term| {
        let of = terms.variables_in(y);
        !matches!(terms.node(y).op, Op::Var | Op::Const)
            && !of.contains(&x)
            && of.iter().all(|variable| here.contains(variable) && !terms.is_array(*variable))
    };
    let is_wanted = |(x, y): &(Term, Term)| variables.contains(x) && is_bound(*x, *y);
    let mut pairs: Vec<(Term, Term)> = related.iter().copied().filter(is_wanted).collect();
    pairs.sort_unstable();
    for (x, y) in pairs.into_iter().take(MOST_COMPUTED) {
        let width = terms.width(x);
        if comparisons.contains(&(Op::Ult, width)) {
            found.extend([terms.ule(x, y), terms.ult(x, y)]);
        }
        if comparisons.contains(&(Op::Slt, width)) {
            found.extend([terms.sle(x, y), terms.slt(x, y)]);
        }
    }
}

/// That variables of one width are not greater than others, or than constants, as numbers
/// with a sign or without as the program compares them.
fn bounds(
    terms: &mut Terms,
    variables: &[Term],
    (constants, comparisons): (&[Term], &Comparisons),
    are_related: &dyn Fn(Term, Term) -> bool,
    found: &mut Vec<Term>,
) {
    let Some(width) = variables.first().map(|first| terms.width(*first)).filter(|width| *width > 1) else {
        return;
    };
    let unsigned = comparisons.contains(&(Op::Ult, width));
    let signed = comparisons.contains(&(Op::Slt, width)) || !unsigned;
    let mut constants: Vec<Term> =
        constants.iter().copied().filter(|constant| terms.width(*constant) == width).collect();
    let zero = terms.constant(width, 0);
    if !constants.contains(&zero) {
        constants.push(zero);
    }
    for x in variables {
        let others = variables.iter().chain(&constants);
        for y in others.filter(|y| *y != x && (**y == zero || are_related(*x, **y))) {
            if signed {
                found.push(terms.sle(*x, *y));
                found.push(terms.slt(*x, *y));
                if terms.constant_value(*y).is_some() {
                    found.push(terms.sle(*y, *x));
                }
            }
            if unsigned {
                found.push(terms.ule(*x, *y));
            }
        }
    }
}
