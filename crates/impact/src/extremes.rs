//! Maxima and minima between which equations are looked for.
//!
//! A variable that a step replaces by something it is compared with, as in
//! `if (m < a[i]) m = a[i];`, is the maximum or the minimum of what it has met. What two
//! such variables have met together is no sum of them, but it is the greater one of the
//! two, which is a term like any other: `m == max(m1, m2)` is an equation between terms.

use logic::{Op, Term, Terms};
use rustc_hash::FxHashMap;

use crate::product::{Product, Vertex};
use crate::system::{Edge, System};

/// So many maxima and minima are looked at in each vertex.
const MOST: usize = 8;

/// The greater or the less of two numbers, with a sign or without.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Choice {
    op: Op,
    greater: bool,
}

impl Choice {
    /// The one that is chosen of two; which one comes first makes no difference.
    fn of(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        let less = if self.op == Op::Slt { terms.slt(a, b) } else { terms.ult(a, b) };
        if self.greater { terms.ite(less, b, a) } else { terms.ite(less, a, b) }
    }
}

/// The variables that are maxima or minima.
pub struct Extremes(FxHashMap<Term, Choice>);

impl Extremes {
    /// Those of a product.
    pub fn of(product: &Product, terms: &Terms) -> Extremes {
        let steps = product.vertices.iter().flat_map(|vertex| vertex.moves.iter());
        let chosen = steps.flat_map(|step| chosen(&step.edge, terms));
        Extremes(chosen.map(|(variable, _, choice)| (variable, choice)).collect())
    }

    /// What to look at in a vertex with these numbers: the choices between two variables there,
    /// and those that the next steps make.
    pub fn at(&self, vertex: &Vertex, numbers: &[Term], system: &System<'_>, terms: &mut Terms) -> Vec<Term> {
        let here: Vec<(Term, Choice)> =
            numbers.iter().filter_map(|number| Some((*number, *self.0.get(number)?))).collect();
        let mut found = Vec::new();
        for (index, (x, choice)) in here.iter().enumerate() {
            let others = here[..index].iter().filter(|(y, other)| alike(terms, (*x, *choice), (*y, *other)));
            found.extend(others.map(|(y, _)| (*y, *x, *choice)).collect::<Vec<_>>());
        }
        let mut columns: Vec<Term> = found.into_iter().map(|(y, x, choice)| choice.of(terms, y, x)).collect();
        let next = vertex.moves.iter().flat_map(|step| chosen(&step.edge, terms)).collect::<Vec<_>>();
        for (variable, other, choice) in next {
            if !terms.variables_in(other).into_iter().all(|part| system.is_data(part)) {
                continue;
            }
            let after = choice.of(terms, variable, other);
            columns.push(after);
            for (x, of_x) in here.iter().filter(|(x, _)| *x != variable) {
                if alike(terms, (*x, *of_x), (variable, choice)) {
                    columns.push(choice.of(terms, *x, after));
                }
            }
        }
        columns.dedup();
        columns.truncate(MOST);
        columns
    }
}

/// Whether two variables are both maxima, or both minima, of the same kind of numbers.
fn alike(terms: &Terms, (x, of_x): (Term, Choice), (y, of_y): (Term, Choice)) -> bool {
    of_x == of_y && terms.width(x) == terms.width(y)
}

/// The variables that a step replaces by what it has compared them with, each with that.
fn chosen(edge: &Edge, terms: &Terms) -> Vec<(Term, Term, Choice)> {
    let mut found = Vec::new();
    for guard in &edge.guard {
        let Some((op @ (Op::Slt | Op::Ult), x, y)) = terms.comparison(*guard) else { continue };
        let is_less = terms.node(*guard).op != Op::Not;
        for (variable, other, greater) in [(x, y, is_less), (y, x, !is_less)] {
            if terms.node(variable).op == Op::Var && edge.assignments.contains(&(variable, other)) {
                found.push((variable, other, Choice { op, greater }));
            }
        }
    }
    found
}
