//! Algorithm 1: expand, refine and close nodes until the tree is complete, or a
//! fault is found.

use engine::{Counts, Cut, Exceeded, Task};
use logic::{Term, Terms};
use machine::{Fault, ThreadId};

use crate::invariants::Invariants;
use crate::por::{Skip, Skips};
use crate::product::{Move, Product, VertexId};
use crate::prover::{NoAnswer, Prover};
use crate::refute::{Execution, Refutation, Refuter};
use crate::system::{Edge, Target};
use crate::tree::{Node, NodeId, Tree};
use crate::worklist::{Visit, WorkList};

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

/// How to search.
pub struct Options {
    /// Tries to make a node's label imply that of an older one.
    pub force_cover: bool,
    /// In which order nodes are visited.
    pub visit: Visit,
    /// The most nodes.
    pub most: usize,
    /// The most refinements.
    pub most_refinements: u64,
}

/// So many of the candidates are tried for a forced cover.
const FORCED: usize = 4;

/// The number of the root.
const ROOT: NodeId = 0;

/// How far a search has come. It can be put aside and taken up again.
#[derive(Default)]
pub struct Unwinding {
    /// The tree.
    pub tree: Tree,
    work: WorkList,
    /// How many nodes got another label.
    pub refinements: u64,
    /// How many nodes come from threads that a node follows for one that it covers.
    pub cover_expansions: u64,
    /// Whether the last question went unanswered, so that covers may be left that labels do
    /// not allow any more.
    is_stale: bool,
}

impl Unwinding {
    /// A tree that has only a root. Its label is what holds at the beginning.
    pub fn new(initial: &[Term], visit: Visit) -> Unwinding {
        let mut unwinding = Unwinding { work: WorkList::new(visit), ..Unwinding::default() };
        let root = unwinding.tree.add(0, None, initial.iter().copied().collect());
        unwinding.put_off(&[root]);
        unwinding
    }

    /// Leaves nodes to be visited later.
    fn put_off(&mut self, nodes: &[NodeId]) {
        self.work.extend(&self.tree, nodes);
    }

    /// Has the nodes from a node on visited that were not expanded yet.
    fn reopen(&mut self, node: NodeId) {
        let open = self.tree.open_below(node);
        self.put_off(&open);
    }
}

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
    /// Which threads do not move after which steps, if the reduction is monotonic.
    pub skips: Option<&'a Skips>,
    /// How to search.
    pub options: Options,
    /// How far it has come.
    pub unwinding: &'a mut Unwinding,
}

impl Search<'_> {
    /// Builds the tree until it is complete, or for as long as it may.
    pub fn run(&mut self) -> End {
        if self.unwinding.is_stale {
            match self.uncover_all() {
                Ok(()) => self.unwinding.is_stale = false,
                Err(no_answer) => return self.without(no_answer),
            }
        }
        self.task.progress.set_visits("nodes");
        self.task.progress.set_unit("refinements");
        while let Some(node) = self.unwinding.work.pop() {
            let (states, depth) = (self.unwinding.tree.len() as u64, self.unwinding.refinements);
            self.task.progress.set(Counts { states, transitions: states.saturating_sub(1), depth });
            match self.may_go_on().map_or_else(|| self.visit(node), |end| Ok(Some(end))) {
                Ok(None) => {}
                Ok(Some(end)) => {
                    self.unwinding.put_off(&[node]);
                    return end;
                }
                Err(no_answer) => {
                    self.unwinding.put_off(&[node]);
                    self.unwinding.is_stale = true;
                    return self.without(no_answer);
                }
            }
        }
        End::Proven
    }

    /// Why the search ends here, if it does.
    fn may_go_on(&self) -> Option<End> {
        let Options { most, most_refinements, .. } = self.options;
        if let Some(exceeded) = self.task.budget.exceeded() {
            return Some(End::Exceeded(exceeded));
        }
        if self.prover.is_late() {
            return Some(End::NoAnswer(NoAnswer::Hard));
        }
        let is_large = self.unwinding.tree.len() > most || self.unwinding.refinements > most_refinements;
        is_large.then_some(End::TooLarge)
    }

    /// How the search ends without an answer.
    fn without(&self, no_answer: NoAnswer) -> End {
        self.task.budget.exceeded().map_or(End::NoAnswer(no_answer), End::Exceeded)
    }

    fn visit(&mut self, node: NodeId) -> Result<Option<End>, NoAnswer> {
        if self.unwinding.tree.is_closed(node)
            || self.unwinding.tree.node(node).is_expanded
            || self.close(node)?
        {
            return Ok(None);
        }
        let moves = self.product.vertices[self.unwinding.tree.node(node).vertex as usize].moves.clone();
        for step in moves.iter().filter(|step| step.to.is_none()) {
            if let Some(end) = self.exclude(node, &step.edge)? {
                return Ok(Some(end));
            }
            // What is not expanded is looked at again should its cover end.
            if self.unwinding.tree.is_closed(node) {
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
                self.unwinding.refinements += u64::from(!added.is_empty());
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
        Refuter { tree: &mut self.unwinding.tree, terms: self.terms, prover: self.prover }
    }

    /// Ends covers that new labels do not allow any more.
    fn relabelled(&mut self, added: Vec<(NodeId, Term)>) -> Result<(), NoAnswer> {
        for (node, conjunct) in added {
            if self.terms.constant_value(conjunct) == Some(0) {
                for freed in self.unwinding.tree.kill(node) {
                    self.unwinding.reopen(freed);
                }
            }
            for covered in self.unwinding.tree.covered(node) {
                let label = self.unwinding.tree.label(covered);
                if !self.prover.implies(self.terms, &label, conjunct)? {
                    self.unwinding.tree.uncover(covered);
                    self.unwinding.reopen(covered);
                }
            }
        }
        Ok(())
    }

    /// Tries to cover the nodes that lead to a node, the first one first.
    fn close_path(&mut self, node: NodeId) -> Result<(), NoAnswer> {
        let mut path = self.unwinding.tree.path(node);
        path.reverse();
        for node in path {
            if self.unwinding.tree.is_closed(node) || self.cover(node)? {
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
        for candidate in self.unwinding.tree.candidates(node).into_iter().take(FORCED) {
            if self.force(node, candidate)? && self.cover(node)? {
                return Ok(true);
            }
        }
        Ok(self.unwinding.tree.is_closed(node))
    }

    /// Covers a node if its label implies that of an older one, the oldest if it can be: the
    /// older a node is, the fewer there are that may still cover it and end its covers.
    fn cover(&mut self, node: NodeId) -> Result<bool, NoAnswer> {
        // What is left out becomes part of labels, so it is found out before labels are compared.
        self.skipped(node)?;
        for candidate in self.unwinding.tree.candidates(node).into_iter().rev() {
            self.skipped(candidate)?;
            if self.unwinding.tree.is_closed(node) {
                return Ok(true);
            }
            if self.unwinding.tree.is_closed(candidate) {
                continue;
            }
            let label = self.unwinding.tree.label(node);
            let mut implied = true;
            for conjunct in self.unwinding.tree.label(candidate) {
                implied = implied && self.prover.implies(self.terms, &label, conjunct)?;
            }
            if implied {
                // First, so that there is no cover without it should a question go unanswered.
                self.expand_cover(node, candidate)?;
                for freed in self.unwinding.tree.cover(node, candidate) {
                    self.unwinding.reopen(freed);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Shows that the label of an older node holds at a node, as far as the paths to
    /// both differ.
    fn force(&mut self, node: NodeId, older: NodeId) -> Result<bool, NoAnswer> {
        let common = self.unwinding.tree.common(node, older);
        for conjunct in self.unwinding.tree.label(older) {
            let label = self.unwinding.tree.label(node);
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
        let all = 0..self.unwinding.tree.len() as NodeId;
        let labels = all.flat_map(|node| {
            self.unwinding.tree.label(node).into_iter().map(move |conjunct| (node, conjunct))
        });
        let labels: Vec<(NodeId, Term)> =
            labels.filter(|(node, _)| !self.unwinding.tree.covered(*node).is_empty()).collect();
        self.relabelled(labels)
    }

    /// Follows the steps of a node that its label allows (EXPAND).
    fn expand(&mut self, node: NodeId, moves: &[Move]) -> Result<(), NoAnswer> {
        let skipped = self.skipped(node)?;
        let extra = self.unwinding.tree.node(node).extra.clone();
        let followed = |thread: &ThreadId| !skipped.contains(thread) || extra.contains(thread);
        let own: Vec<Move> =
            moves.iter().filter(|step| mover(step).is_none_or(|t| followed(&t))).cloned().collect();
        self.follow(node, &own)?;
        self.unwinding.tree.node_mut(node).is_expanded = true;
        Ok(())
    }

    /// The threads that a node does not follow by itself (SKIP).
    fn skipped(&mut self, node: NodeId) -> Result<Vec<ThreadId>, NoAnswer> {
        let Node { vertex, parent, skipped, .. } = self.unwinding.tree.node(node);
        if let Some(known) = skipped {
            return Ok(known.clone());
        }
        let (Some(skips), Some((parent, step))) = (self.skips, parent) else { return Ok(Vec::new()) };
        let (parent, from) = (*parent, self.unwinding.tree.node(*parent).vertex);
        let key = mover(step).map(|thread| (from, thread, *vertex));
        let (mut skipped, mut apart) = (Vec::new(), Vec::new());
        for Skip { thread, condition } in key.and_then(|key| skips.get(&key)).into_iter().flatten() {
            if self.holds(parent, condition)? {
                skipped.push(*thread);
                apart.extend(condition.as_ref().map(|_| *thread));
            }
        }
        let node = self.unwinding.tree.node_mut(node);
        (node.skipped, node.apart) = (Some(skipped.clone()), apart);
        Ok(skipped)
    }

    /// Whether a condition holds at a node. If it does because of the path to the node, it becomes
    /// part of the labels, as what is left out by it must (section IV.D).
    fn holds(&mut self, node: NodeId, condition: &Option<Vec<Term>>) -> Result<bool, NoAnswer> {
        for conjunct in condition.iter().flatten() {
            let label = self.unwinding.tree.label(node);
            if self.prover.implies(self.terms, &label, *conjunct)? {
                continue;
            }
            match self.refuter().refute_not(node, *conjunct, ROOT) {
                Ok(Refutation::Refuted(added)) => self.relabelled(added)?,
                Ok(Refutation::Possible(_)) => return Ok(false),
                Err(_) => return self.uncover_all().map(|()| false),
            }
            let label = self.unwinding.tree.label(node);
            if !self.prover.implies(self.terms, &label, *conjunct)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Has a node follow the threads that one which it covers would have followed (section IV.C).
    fn expand_cover(&mut self, covered: NodeId, by: NodeId) -> Result<(), NoAnswer> {
        if self.skips.is_none() {
            return Ok(());
        }
        let wanted = self.skipped(covered)?;
        let Node { vertex, extra, is_expanded, .. } = self.unwinding.tree.node(by).clone();
        let mut missing = self.skipped(by)?;
        missing.retain(|thread| !wanted.contains(thread) && !extra.contains(thread));
        if is_expanded && !missing.is_empty() {
            self.follow_for_cover(by, vertex, &missing)?;
        }
        self.unwinding.tree.node_mut(by).extra.extend(&missing);
        Ok(())
    }

    /// Follows threads from a node that was expanded without them.
    fn follow_for_cover(
        &mut self,
        by: NodeId,
        vertex: VertexId,
        missing: &[ThreadId],
    ) -> Result<(), NoAnswer> {
        let moves = self.product.vertices[vertex as usize].moves.clone();
        let before = self.unwinding.tree.len();
        let added: Vec<Move> =
            moves.iter().filter(|step| mover(step).is_some_and(|t| missing.contains(&t))).cloned().collect();
        self.follow(by, &added)?;
        self.unwinding.cover_expansions += (self.unwinding.tree.len() - before) as u64;
        Ok(())
    }

    /// Whether no invariant says that a vertex is never reached.
    fn is_reached(&self, vertex: VertexId) -> bool {
        let is_false = |condition: &Term| self.terms.constant_value(*condition) == Some(0);
        !self.invariants[vertex as usize].iter().any(is_false)
    }

    /// Adds the nodes after steps that a node's label allows.
    fn follow(&mut self, node: NodeId, moves: &[Move]) -> Result<(), NoAnswer> {
        let label = self.unwinding.tree.label(node);
        let mut possible = Vec::new();
        for step in moves {
            let Some(to) = step.to else { continue };
            let question = [&label[..], &step.edge.guard].concat();
            // What is too hard to tell is taken for possible, unless the vertex is never reached.
            if !self.is_reached(to) || !self.prover.may_hold(self.terms, &question)? {
                continue;
            }
            possible.push((to, step));
        }
        let tree = &mut self.unwinding.tree;
        let mut children = Vec::new();
        for (to, step) in possible {
            let background = self.invariants[to as usize].iter().copied().collect();
            children.push(tree.add(to, Some((node, step.clone())), background));
        }
        self.unwinding.put_off(&children);
        Ok(())
    }
}

/// The thread that moves in a single step, if it begins one.
fn mover(step: &Move) -> Option<ThreadId> {
    step.edge.steps.first().map(|(thread, _)| *thread)
}
