//! Steps that follow each other, taken as one: vertices without which the product is
//! no larger are passed over.
//!
//! A step into such a vertex and a step out of it become one step: the guards of both,
//! those of the second with the values that the first one assigns, and the assignments
//! of both, one after the other. What remains are the heads of loops and the vertices
//! where many paths meet. Executions and faults stay the same, and so fewer labels,
//! invariants and questions are needed (large-block encoding).

use std::rc::Rc;

use logic::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decided::decide;
use crate::product::{Move, Product, VertexId};
use crate::prover::{NoAnswer, Prover};
use crate::system::{Choice, Edge};

/// No vertex is passed over that has so many steps into it and out of it.
const MOST: usize = 64;

/// Contracts a product.
pub struct Contraction<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver, which says which steps cannot follow each other.
    pub prover: &'a mut Prover,
}

/// The steps from each vertex, and the vertices that may have steps into it.
struct Graph {
    moves: Vec<Vec<Move>>,
    before: Vec<FxHashSet<usize>>,
}

impl Graph {
    fn of(product: &Product) -> Graph {
        let moves: Vec<Vec<Move>> = product.vertices.iter().map(|vertex| vertex.moves.to_vec()).collect();
        let mut before = vec![FxHashSet::default(); moves.len()];
        for (from, steps) in moves.iter().enumerate() {
            steps.iter().filter_map(|step| step.to).for_each(|to| {
                before[to as usize].insert(from);
            });
        }
        Graph { moves, before }
    }

    /// Whether a vertex can be passed over without making more steps than there are.
    fn is_passed(&self, vertex: usize) -> bool {
        let to_it = |step: &&Move| step.to == Some(vertex as VertexId);
        let into: usize =
            self.before[vertex].iter().map(|from| self.moves[*from].iter().filter(to_it).count()).sum();
        let out = self.moves[vertex].len();
        let loops = self.moves[vertex].iter().any(|step| to_it(&step));
        into > 0 && !loops && into * out <= into + out && into.max(out) <= MOST
    }
}

impl Contraction<'_> {
    /// The product without the vertices that can be passed over.
    pub fn contract(&mut self, product: &mut Product) -> Result<(), NoAnswer> {
        let mut graph = Graph::of(product);
        let mut work: Vec<usize> = (1..graph.moves.len()).collect();
        while let Some(vertex) = work.pop() {
            if graph.is_passed(vertex) {
                work.extend(self.pass(&mut graph, vertex)?.into_iter().filter(|other| *other != 0));
            }
        }
        renumber(product, graph.moves);
        Ok(())
    }

    /// Replaces the steps into a vertex by those that go on from it. Yields the vertices
    /// whose steps have changed.
    fn pass(&mut self, graph: &mut Graph, vertex: usize) -> Result<Vec<usize>, NoAnswer> {
        let after = std::mem::take(&mut graph.moves[vertex]);
        let before = std::mem::take(&mut graph.before[vertex]);
        let mut changed: Vec<usize> = before.iter().copied().collect();
        for from in before {
            for step in std::mem::take(&mut graph.moves[from]) {
                if step.to != Some(vertex as VertexId) {
                    graph.moves[from].push(step);
                    continue;
                }
                for next in &after {
                    let Some(edge) = self.compose(&step.edge, &next.edge)? else { continue };
                    graph.moves[from].push(Move { edge: Rc::new(edge), to: next.to });
                    if let Some(to) = next.to {
                        graph.before[to as usize].insert(from);
                    }
                }
            }
        }
        for to in after.iter().filter_map(|step| step.to) {
            graph.before[to as usize].remove(&vertex);
            changed.push(to as usize);
        }
        Ok(changed)
    }

    /// One step after the other, without inputs that their conditions decide; none if that is
    /// impossible.
    fn compose(&mut self, first: &Edge, second: &Edge) -> Result<Option<Edge>, NoAnswer> {
        let mut edge = self.then(first, second)?;
        edge.iter_mut().for_each(|edge| decide(edge, self.terms));
        Ok(edge)
    }

    /// One step after the other; none if that is impossible.
    pub fn then(&mut self, first: &Edge, second: &Edge) -> Result<Option<Edge>, NoAnswer> {
        let mut images: FxHashMap<Term, Term> = first.assignments.iter().copied().collect();
        let mut inputs = first.inputs.clone();
        for input in &second.inputs {
            let own = match first.inputs.contains(input) {
                true => {
                    let name = self.terms.name(*input).to_owned();
                    self.terms.variable_like(*input, name)
                }
                false => *input,
            };
            inputs.push(own);
            images.insert(*input, own);
        }
        let mut guard = first.guard.clone();
        for condition in &second.guard {
            let before = self.terms.substitute(*condition, &mut images);
            if !self.terms.is_true(before) && !guard.contains(&before) {
                guard.push(before);
            }
        }
        if !guard.is_empty() && !self.prover.may_hold(self.terms, &guard)? {
            return Ok(None);
        }
        let mut assignments: Vec<(Term, Term)> = Vec::new();
        for (variable, value) in &second.assignments {
            assignments.push((*variable, self.terms.substitute(*value, &mut images)));
        }
        let earlier = first.assignments.iter();
        let kept = earlier.filter(|(variable, _)| !second.assignments.iter().any(|(v, _)| v == variable));
        assignments.extend(kept);
        let mut steps = first.steps.clone();
        for (thread, choice) in &second.steps {
            let choice = match choice {
                Choice::Input(term) => Choice::Input(self.terms.substitute(*term, &mut images)),
                number => *number,
            };
            steps.push((*thread, choice));
        }
        let mut replayable = first.replayable.clone();
        replayable.extend(second.replayable.iter().map(|wish| self.terms.substitute(*wish, &mut images)));
        let target = second.target.clone();
        Ok(Some(Edge { steps, guard, assignments, inputs, replayable, target }))
    }
}

/// Leaves out the vertices that no step leads to.
fn renumber(product: &mut Product, moves: Vec<Vec<Move>>) {
    let mut kept = vec![None; moves.len()];
    kept[0] = Some(0);
    let mut order = vec![0];
    let mut next = 0;
    while next < order.len() {
        for to in moves[order[next]].iter().filter_map(|step| step.to) {
            if kept[to as usize].is_none() {
                kept[to as usize] = Some(order.len() as VertexId);
                order.push(to as usize);
            }
        }
        next += 1;
    }
    let vertices = order.iter().map(|old| {
        let mut vertex = product.vertices[*old].clone();
        let renamed = |step: &Move| Move {
            to: step.to.map(|to| kept[to as usize].expect("it is reached")),
            ..step.clone()
        };
        vertex.moves = moves[*old].iter().map(renamed).collect();
        vertex
    });
    product.vertices = vertices.collect();
}
