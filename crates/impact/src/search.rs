//! Algorithm 1: expand, refine and close nodes until the tree is complete, or a
//! fault is found.

use std::collections::BTreeSet;

use engine::{Cut, Exceeded, Task};
use logic::{Term, Terms};
use machine::{Fault, ThreadId};

use crate::invariants::Invariants;
use crate::product::{Move, Product};
use crate::prover::{NoAnswer, Prover, Together};
use crate::refute::{Execution, Refutation, Refuter};
use crate::system::{Edge, Target};
use crate::tree::{NodeId, Tree};

/// How a search ended.
pub enum End {
    /// The tree is complete.
    Proven,
    /// With an execution that leads to a fault.
    Fault(Box<Fault>, Vec<(ThreadId, u64)>),
    /// With one that the concrete machine cannot follow.
    NotReplayable,
    /// With something that cannot be followed.
    Cut(Cut),
    /// A question was not answered.
    NoAnswer(NoAnswer),
    /// A limit was reached.
    Exceeded(Exceeded),
    /// The tree has become larger than it may be.
    TooLarge,
}

/// Whether covers are forced.
pub struct Options {
    /// Tries to make a node's label imply that of an older one.
    pub force_cover: bool,
    /// The most nodes.
    pub most: usize,
    /// The most refinements.
    pub most_refinements: u64,
}

/// So many of the candidates are tried for a forced cover.
const FORCED: usize = 4;

/// A search for a proof on a product.
pub struct Search<'a> {
    /// The task.
    pub task: &'a Task<'a>,
    /// The product.
    pub product: &'a Product,
    /// What holds at its vertices.
    pub invariants: &'a Invariants,
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver.
    pub prover: &'a mut Prover,
    /// How to search.
    pub options: Options,
    /// The tree.
    pub tree: Tree,
    work: Vec<NodeId>,
    /// How many nodes got another label.
    pub refinements: u64,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        task: &'a Task<'a>,
        (product, invariants): (&'a Product, &'a Invariants),
        (terms, prover): (&'a mut Terms, &'a mut Prover),
        options: Options,
    ) -> Search<'a> {
        let (tree, work, refinements) = (Tree::default(), Vec::new(), 0);
        Search { task, product, invariants, terms, prover, options, tree, work, refinements }
    }

    /// Builds the tree. The label of the root is what holds at the beginning.
    pub fn run(&mut self, initial: BTreeSet<Term>) -> End {
        let root = self.tree.add(0, None, initial);
        self.work.push(root);
        while let Some(node) = self.work.pop() {
            if let Some(exceeded) = self.task.budget.exceeded() {
                return End::Exceeded(exceeded);
            }
            let Options { most, most_refinements, .. } = self.options;
            if self.tree.len() > most || self.refinements > most_refinements {
                return End::TooLarge;
            }
            match self.visit(node) {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(no_answer) => {
                    return self.task.budget.exceeded().map_or(End::NoAnswer(no_answer), End::Exceeded);
                }
            }
        }
        End::Proven
    }

    fn visit(&mut self, node: NodeId) -> Result<Option<End>, NoAnswer> {
        if self.tree.is_closed(node) || self.tree.node(node).is_expanded || self.close(node)? {
            return Ok(None);
        }
        let moves = self.product.vertices[self.tree.node(node).vertex as usize].moves.clone();
        for step in moves.iter().filter(|step| step.to.is_none()) {
            if let Some(end) = self.exclude(node, &step.edge)? {
                return Ok(Some(end));
            }
            // What is not expanded is looked at again should its cover end.
            if self.tree.is_closed(node) {
                return Ok(None);
            }
        }
        self.expand(node, &moves)?;
        Ok(None)
    }

    /// Shows that a step which must not be taken cannot be taken (REFINE).
    fn exclude(&mut self, node: NodeId, edge: &Edge) -> Result<Option<End>, NoAnswer> {
        let refutation = self.refuter().refute_step(node, edge)?;
        match (refutation, &edge.target) {
            (Refutation::Refuted(added), _) => {
                self.refinements += u64::from(!added.is_empty());
                self.relabelled(added)?;
                self.close_path(node)?;
                Ok(None)
            }
            (Refutation::Possible(Some(Execution { steps })), Target::Fault(fault)) => {
                Ok(Some(End::Fault(fault.clone(), steps)))
            }
            (Refutation::Possible(None), Target::Fault(_)) => Ok(Some(End::NotReplayable)),
            (Refutation::Possible(_), Target::Unknown(cut)) => Ok(Some(End::Cut(cut.clone()))),
            (Refutation::Possible(_), Target::Location(_) | Target::End | Target::Infeasible) => {
                unreachable!("only steps that must not be taken are excluded")
            }
        }
    }

    fn refuter(&mut self) -> Refuter<'_> {
        Refuter { tree: &mut self.tree, terms: self.terms, prover: self.prover }
    }

    /// Ends covers that new labels do not allow any more.
    fn relabelled(&mut self, added: Vec<(NodeId, Term)>) -> Result<(), NoAnswer> {
        for (node, conjunct) in added {
            if self.terms.constant_value(conjunct) == Some(0) {
                for freed in self.tree.kill(node) {
                    self.work.extend(self.tree.open_below(freed));
                }
            }
            for covered in self.tree.covered(node) {
                let label = self.tree.label(covered);
                if !self.prover.implies(self.terms, &label, conjunct)? {
                    self.tree.uncover(covered);
                    self.work.extend(self.tree.open_below(covered));
                }
            }
        }
        Ok(())
    }

    /// Tries to cover the nodes that lead to a node, the first one first.
    fn close_path(&mut self, node: NodeId) -> Result<(), NoAnswer> {
        let mut path = self.tree.path(node);
        path.reverse();
        for node in path {
            if self.tree.is_closed(node) || self.cover(node)? {
                break;
            }
        }
        Ok(())
    }

    /// Tries to cover a node (CLOSE), by force if need be.
    fn close(&mut self, node: NodeId) -> Result<bool, NoAnswer> {
        if self.cover(node)? {
            return Ok(true);
        }
        if !self.options.force_cover {
            return Ok(false);
        }
        for candidate in self.tree.candidates(node).into_iter().take(FORCED) {
            if self.force(node, candidate)? && self.cover(node)? {
                return Ok(true);
            }
        }
        Ok(self.tree.is_closed(node))
    }

    /// Covers a node if its label implies that of an older one.
    fn cover(&mut self, node: NodeId) -> Result<bool, NoAnswer> {
        for candidate in self.tree.candidates(node) {
            let label = self.tree.label(node);
            let mut implied = true;
            for conjunct in self.tree.label(candidate) {
                implied = implied && self.prover.implies(self.terms, &label, conjunct)?;
            }
            if implied {
                for freed in self.tree.cover(node, candidate) {
                    self.work.extend(self.tree.open_below(freed));
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shows that the label of an older node holds at a node, as far as the paths to
    /// both differ.
    fn force(&mut self, node: NodeId, older: NodeId) -> Result<bool, NoAnswer> {
        let common = self.tree.common(node, older);
        for conjunct in self.tree.label(older) {
            let label = self.tree.label(node);
            if self.prover.implies(self.terms, &label, conjunct)? {
                continue;
            }
            match self.refuter().refute_not(node, conjunct, common) {
                Ok(Refutation::Refuted(added)) => self.relabelled(added)?,
                Ok(Refutation::Possible(_)) => return Ok(false),
                // What was carried over steps stays in labels.
                Err(_) => return self.uncover_all().map(|()| false),
            }
        }
        Ok(true)
    }

    /// Ends all covers that labels do not allow any more.
    fn uncover_all(&mut self) -> Result<(), NoAnswer> {
        let all = 0..self.tree.len() as NodeId;
        let labels =
            all.flat_map(|node| self.tree.label(node).into_iter().map(move |conjunct| (node, conjunct)));
        let labels: Vec<(NodeId, Term)> =
            labels.filter(|(node, _)| !self.tree.covered(*node).is_empty()).collect();
        self.relabelled(labels)
    }

    /// Follows the steps of a node that its label allows (EXPAND).
    fn expand(&mut self, node: NodeId, moves: &[Move]) -> Result<(), NoAnswer> {
        self.tree.node_mut(node).is_expanded = true;
        let label = self.tree.label(node);
        let mut children = Vec::new();
        for step in moves {
            let Some(to) = step.to else { continue };
            let question = [&label[..], &step.edge.guard].concat();
            if matches!(self.prover.together(self.terms, &question)?, Together::Impossible(_)) {
                continue;
            }
            let background = self.invariants[to as usize].iter().copied().collect();
            children.push(self.tree.add(to, Some((node, step.clone())), background));
        }
        self.work.extend(children.into_iter().rev());
        Ok(())
    }
}
