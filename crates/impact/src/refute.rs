//! Why conditions at a node cannot hold: labels for the nodes that lead to it.
//!
//! From the node the conditions are taken back step by step: a condition after a
//! step becomes one before it by substitution, and the guards of the step join them.
//! As soon as the label of a node contradicts them, the reason is found: of the
//! conditions only those of the unsatisfiable core are needed, all others are dropped
//! (the steps that they come from may do what they like), and each node from there on
//! gets the label that its conditions do not all hold. These are sequence interpolants
//! (section II) by weakest preconditions, as short as the labels allow.
//!
//! If the root is reached and nothing contradicts the conditions, their solution is
//! an execution that leads to the node.
//!
//! An input cannot stand in a label. Where the reason depends on an input that a step
//! reads, what is known before the step is carried over it first ([`carry`]), so
//! that the reason is found after the step.

use logic::{Evaluation, Term, Terms};
use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interpolate::{Forwards, Point, Sequence, inverses, is_simpler};
use crate::product::Move;
use crate::prover::{NoAnswer, Prover, Together};
use crate::system::{Choice, Edge};
use crate::tree::{NodeId, Tree};

/// Whether conditions at a node can hold.
pub enum Refutation {
    /// They cannot. These nodes got another label, each with what was added.
    Refuted(Vec<(NodeId, Term)>),
    /// They can, as far as the nodes show that were looked at; in this way, if there is
    /// one that the concrete machine can follow.
    Possible(Option<Execution>),
}

/// An execution from the first node that was looked at.
pub struct Execution {
    /// The threads that move, and with which choices.
    pub steps: Vec<(ThreadId, u64)>,
}

/// A condition at a level, with the number that it keeps at all levels.
type Condition = (usize, Term);

/// The conditions at a node.
struct Level {
    node: NodeId,
    conditions: Vec<Condition>,
    /// What must hold besides for the steps from here to be replayed.
    replayable: Vec<Term>,
    /// The threads that move from here and their choices, as terms over inputs of
    /// their own names.
    steps: Vec<(ThreadId, Choice)>,
}

impl Level {
    /// The conditions with such numbers, but for those with numbers of the others.
    fn needed(&self, numbers: &FxHashSet<usize>, others: &FxHashSet<usize>) -> Vec<Term> {
        let is_meant = |number: &usize| numbers.contains(number) && !others.contains(number);
        let conditions = self.conditions.iter().filter(|(number, _)| is_meant(number));
        conditions.map(|(_, condition)| *condition).collect()
    }

    /// The numbers of its conditions.
    fn numbers(&self) -> FxHashSet<usize> {
        self.conditions.iter().map(|(number, _)| *number).collect()
    }
}

/// On longer paths no sequence by strongest postconditions is looked for, which asks the solver at
/// each node.
const MOST_FORWARDS: usize = 64;

/// Takes conditions back along the path to a node.
pub struct Refuter<'a> {
    /// The tree.
    pub tree: &'a mut Tree,
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver.
    pub prover: &'a mut Prover,
}

impl Refuter<'_> {
    /// Whether a step can be taken from a node.
    pub fn refute_step(&mut self, at: NodeId, edge: &Edge) -> Result<Refutation, NoAnswer> {
        let open = edge.inputs.iter().copied().collect();
        let last = Level {
            node: at,
            conditions: Vec::new(),
            replayable: edge.replayable.clone(),
            steps: edge.steps.clone(),
        };
        self.refute(last, edge.guard.clone(), open, None)
    }

    /// Whether a condition can be false at a node, as far as the path from another
    /// node shows.
    pub fn refute_not(&mut self, at: NodeId, condition: Term, from: NodeId) -> Result<Refutation, NoAnswer> {
        let not = self.terms.not(condition);
        let last = Level { node: at, conditions: Vec::new(), replayable: Vec::new(), steps: Vec::new() };
        self.refute(last, vec![not], FxHashSet::default(), Some(from))
    }

    fn refute(
        &mut self,
        last: Level,
        conditions: Vec<Term>,
        mut open: FxHashSet<Term>,
        from: Option<NodeId>,
    ) -> Result<Refutation, NoAnswer> {
        let mut count = 0;
        let conditions = self.conditions(conditions, &mut count);
        let mut levels = vec![Level { conditions, ..last }];
        let mut stride = 1;
        let (mut possible, mut core) = match self.contradicts(&levels[0])? {
            Together::Impossible(core) => return self.strengthen(levels, &core, &open),
            Together::Possible(_) => (0, Vec::new()),
        };
        // A label that contradicts its conditions makes all before it do so, too. So the
        // last one that does is found by going back in strides, and then halving.
        while core.is_empty() {
            let complete = !self.extend(&mut levels, stride, from, &mut count, &mut open);
            let last = levels.len() - 1;
            match self.contradicts(&levels[last])? {
                Together::Impossible(reason) => core = reason,
                Together::Possible(_) if complete && from.is_some() => {
                    return Ok(Refutation::Possible(None));
                }
                Together::Possible(_) if complete => {
                    return Ok(Refutation::Possible(self.execution(&levels)?));
                }
                Together::Possible(_) => possible = last,
            }
            stride *= 2;
        }
        while possible + 1 < levels.len() - 1 {
            let middle = (possible + levels.len() - 1) / 2;
            match self.contradicts(&levels[middle])? {
                Together::Impossible(reason) => {
                    core = reason;
                    levels.truncate(middle + 1);
                }
                Together::Possible(_) => possible = middle,
            }
        }
        self.strengthen(levels, &core, &open)
    }

    /// Goes back so many steps. Yields whether there are more.
    fn extend(
        &mut self,
        levels: &mut Vec<Level>,
        steps: usize,
        from: Option<NodeId>,
        count: &mut usize,
        open: &mut FxHashSet<Term>,
    ) -> bool {
        for _ in 0..steps {
            let last = levels.last().expect("there is a first one");
            let parent = self.tree.node(last.node).parent.clone();
            let Some((parent, step)) = parent.filter(|_| Some(last.node) != from) else { return false };
            let level = self.before(last, parent, &step, count, open);
            levels.push(level);
        }
        true
    }

    fn conditions(&self, conditions: Vec<Term>, count: &mut usize) -> Vec<Condition> {
        let parts = conditions.into_iter().flat_map(|condition| self.terms.conjuncts(condition));
        parts.map(|part| (std::mem::replace(count, *count + 1), part)).collect()
    }

    /// Whether the label of a node contradicts its conditions.
    fn contradicts(&mut self, level: &Level) -> Result<Together, NoAnswer> {
        let mut all: Vec<Term> = level.conditions.iter().map(|(_, condition)| *condition).collect();
        all.extend(&self.tree.node(level.node).label);
        self.prover.together(self.terms, &all)
    }

    /// The conditions before a step.
    fn before(
        &mut self,
        level: &Level,
        parent: NodeId,
        step: &Move,
        count: &mut usize,
        open: &mut FxHashSet<Term>,
    ) -> Level {
        let edge = &step.edge;
        let mut named = FxHashMap::default();
        for input in &edge.inputs {
            let own = self.terms.variable_like(*input, format!("input {}", open.len()));
            open.insert(own);
            named.insert(*input, own);
        }
        let mut images = self.images(edge, &mut named);
        let mut conditions = Vec::new();
        for (number, condition) in &level.conditions {
            let earlier = self.terms.substitute(*condition, &mut images);
            if !self.terms.is_true(earlier) {
                conditions.push((*number, earlier));
            }
        }
        let guard = edge.guard.iter().map(|guard| self.terms.substitute(*guard, &mut named)).collect();
        conditions.extend(self.conditions(guard, count));
        let mut steps = edge.steps.clone();
        for (_, choice) in &mut steps {
            if let Choice::Input(term) = choice {
                *term = self.terms.substitute(*term, &mut named);
            }
        }
        let mut replayable = Vec::new();
        for wish in &level.replayable {
            replayable.push(self.terms.substitute(*wish, &mut images));
        }
        for wish in &edge.replayable {
            replayable.push(self.terms.substitute(*wish, &mut named));
        }
        Level { node: parent, conditions, replayable, steps }
    }

    /// The values of variables after a step, with inputs of their own name.
    fn images(&mut self, edge: &Edge, named: &mut FxHashMap<Term, Term>) -> FxHashMap<Term, Term> {
        let mut images = FxHashMap::default();
        for (variable, value) in &edge.assignments {
            images.insert(*variable, self.terms.substitute(*value, named));
        }
        images
    }

    /// Adds the reason to the labels of the nodes.
    fn strengthen(
        &mut self,
        mut levels: Vec<Level>,
        core: &[Term],
        open: &FxHashSet<Term>,
    ) -> Result<Refutation, NoAnswer> {
        let mut core = core.to_vec();
        let mut added = Vec::new();
        loop {
            let last = levels.last().expect("there is a first one");
            let of_core = last.conditions.iter().filter(|(_, condition)| core.contains(condition));
            let needed: FxHashSet<usize> = of_core.map(|(number, _)| *number).collect();
            if !self.depends(&levels[..levels.len() - 1], &needed, open) {
                added.extend(self.exclude(&levels, &needed, &core)?);
                return Ok(Refutation::Refuted(added));
            }
            let node = last.node;
            levels.pop();
            let Some(next) = levels.last() else {
                return Err(NoAnswer::Input);
            };
            let carried = self.carry(node, next.node);
            added.extend(carried.into_iter().map(|condition| (levels[levels.len() - 1].node, condition)));
            match self.contradicts(&levels[levels.len() - 1])? {
                Together::Impossible(reason) => core = reason,
                Together::Possible(_) => {
                    return Err(NoAnswer::Input);
                }
            }
        }
    }

    /// Whether one of the needed conditions depends on an input somewhere.
    fn depends(&self, levels: &[Level], needed: &FxHashSet<usize>, open: &FxHashSet<Term>) -> bool {
        let is_open = |condition: &Term| self.terms.variables_in(*condition).iter().any(|v| open.contains(v));
        let mut conditions = levels.iter().flat_map(|level| &level.conditions);
        conditions.any(|(number, condition)| needed.contains(number) && is_open(condition))
    }

    /// Adds to the labels of all nodes but the last, whose label contradicts the needed conditions,
    /// what excludes these: the simpler one of two sequences.
    fn exclude(
        &mut self,
        levels: &[Level],
        needed: &FxHashSet<usize>,
        core: &[Term],
    ) -> Result<Vec<(NodeId, Term)>, NoAnswer> {
        let mut chosen = self.backwards(&levels[..levels.len() - 1], needed);
        if let Some(forwards) = self.forwards(levels, needed, core)?
            && is_simpler(self.terms, &forwards, &chosen)
        {
            chosen = forwards;
        }
        let mut added = Vec::new();
        for (level, conjuncts) in levels.iter().zip(chosen) {
            let label = &mut self.tree.node_mut(level.node).label;
            let new = conjuncts.into_iter().filter(|conjunct| label.insert(*conjunct));
            added.extend(new.map(|conjunct| (level.node, conjunct)));
        }
        Ok(added)
    }

    /// That the needed conditions do not all hold.
    fn backwards(&mut self, levels: &[Level], needed: &FxHashSet<usize>) -> Sequence {
        let mut sequence = Sequence::new();
        for level in levels {
            let not = self.terms.not_all(&level.needed(needed, &FxHashSet::default()));
            sequence.push(self.terms.conjuncts(not));
        }
        sequence
    }

    /// What follows from the needed part of the label of the last node, if that is enough.
    fn forwards(
        &mut self,
        levels: &[Level],
        needed: &FxHashSet<usize>,
        core: &[Term],
    ) -> Result<Option<Sequence>, NoAnswer> {
        let Some((last, levels)) = levels.split_last() else { return Ok(None) };
        if levels.len() > MOST_FORWARDS {
            return Ok(None);
        }
        let of_step = |index: usize, level: &Level| match index.checked_sub(1) {
            Some(next) => level.needed(needed, &levels[next].numbers()),
            None => Vec::new(),
        };
        let label: Vec<Term> = self.tree.label(last.node).into_iter().filter(|c| core.contains(c)).collect();
        let guard = of_step(levels.len(), last);
        let steps: Vec<Move> = levels
            .iter()
            .map(|level| self.tree.node(level.node).parent.clone().expect("a node comes before").1)
            .collect();
        let points = levels.iter().zip(&steps).enumerate().map(|(index, (level, step))| Point {
            needed: level.needed(needed, &FxHashSet::default()),
            guard: of_step(index, level),
            edge: &step.edge,
        });
        let points: Vec<Point<'_>> = points.collect();
        Forwards { terms: self.terms, prover: self.prover }.sequence(&points, (&label, &guard))
    }

    /// Carries what is known before a step over it: what it leaves as it is, its
    /// guards, and what it assigns. A variable that a step only adds to had, before it,
    /// the value that taking away again yields.
    fn carry(&mut self, from: NodeId, to: NodeId) -> Vec<Term> {
        let (_, step) = self.tree.node(to).parent.clone().expect("it comes after another");
        let edge = step.edge;
        let mut lost: FxHashSet<Term> = edge.assignments.iter().map(|(variable, _)| *variable).collect();
        lost.extend(&edge.inputs);
        let mut earlier = inverses(self.terms, &edge, &lost);
        let is_kept = |terms: &Terms, earlier: &FxHashMap<Term, Term>, term: Term| {
            terms.variables_in(term).iter().all(|v| !lost.contains(v) || earlier.contains_key(v))
        };
        let mut known: Vec<Term> = self.tree.label(from);
        known.extend(&edge.guard);
        known.retain(|condition| is_kept(self.terms, &earlier, *condition));
        let mut carried: Vec<Term> =
            known.into_iter().map(|condition| self.terms.substitute(condition, &mut earlier)).collect();
        for (variable, value) in &edge.assignments {
            if is_kept(self.terms, &earlier, *value) && !self.terms.is_array(*value) {
                let value = self.terms.substitute(*value, &mut earlier);
                carried.push(self.terms.eq(*variable, value));
            }
        }
        let label = &mut self.tree.node_mut(to).label;
        carried.retain(|condition| !self.terms.is_true(*condition) && label.insert(*condition));
        carried
    }

    /// An execution that fulfils all conditions at the last level and can be replayed;
    /// none if there is no such.
    fn execution(&mut self, levels: &[Level]) -> Result<Option<Execution>, NoAnswer> {
        let last = levels.last().expect("there is a first one");
        let mut all: Vec<Term> = last.conditions.iter().map(|(_, condition)| *condition).collect();
        all.extend(&self.tree.node(last.node).label);
        all.extend(&last.replayable);
        let Together::Possible(model) = self.prover.together(self.terms, &all)? else { return Ok(None) };
        let mut evaluation = Evaluation::new(self.terms, &*model);
        let steps = levels.iter().rev().flat_map(|level| &level.steps);
        let steps = steps.map(|(thread, choice)| match choice {
            Choice::Number(number) => (*thread, *number),
            Choice::Input(term) => (*thread, evaluation.value(*term) as u64),
        });
        Ok(Some(Execution { steps: steps.collect() }))
    }
}
