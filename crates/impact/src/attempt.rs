//! A product with all that was found out about it: invariants, and trees that begin with
//! them. What is not finished when the time for it is over is taken up again later.

use std::rc::Rc;

use engine::Task;
use logic::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::affine::{Affine, Spaces};
use crate::candidates::candidates;
use crate::columns::columns;
use crate::exact;
use crate::invariants::{Candidates, Invariants};
use crate::por::Skips;
use crate::product::{Product, Vertex};
use crate::prover::{NoAnswer, Prover};
use crate::sample::{State, Values, sample};
use crate::search::{self, End, Search, Unwinding};
use crate::system::System;
use crate::worklist::Visit;

/// What is looked for before the tree is built; each level takes up the one before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// Nothing.
    Nothing,
    /// All that excludes faults, if there are no loops.
    Exact,
    /// What the program compares, without equations, which take long where there are many threads.
    Ordered,
    /// Equations between sums.
    Equations,
    /// Also what the program compares: that counters have not passed their bounds.
    Compared,
    /// Also all variables that are not greater than others, or than constants.
    Bounds,
}

impl Level {
    /// The order in which nodes are visited that suits it.
    pub fn visit(self) -> Visit {
        match self {
            Level::Nothing => Visit::Bfs,
            Level::Exact | Level::Ordered | Level::Equations | Level::Compared | Level::Bounds => Visit::Dfs,
        }
    }
}

/// What it takes to find something out.
pub struct Tools<'a> {
    /// The task.
    pub task: &'a Task<'a>,
    /// The terms.
    pub terms: &'a mut Terms,
    /// The solver.
    pub prover: &'a mut Prover,
}

/// A product with what was found out about it.
pub struct Attempt<'m> {
    /// The locations.
    pub system: System<'m>,
    /// The product.
    pub product: Product,
    /// The vertices before any were passed over, if a proof is to be written.
    pub whole: Vec<Vertex>,
    initial: Vec<Term>,
    /// Whether the product has a cycle.
    pub has_loops: bool,
    /// Whether it has one on which several threads can move, so that their order matters.
    pub has_shared_loops: bool,
    /// Which threads do not move after which steps, if the reduction is monotonic.
    pub skips: Option<Skips>,
    samples: Option<Rc<[Vec<State>]>>,
    equations: Option<Spaces>,
    bounds: FxHashMap<Level, Candidates>,
    /// The equations that hold because of bounds.
    reached: FxHashMap<Level, Spaces>,
    invariants: FxHashMap<Level, Invariants>,
    unwindings: FxHashMap<Level, Unwinding>,
}

impl<'m> Attempt<'m> {
    /// A product of which nothing is known but what holds at its beginning.
    pub fn new(system: System<'m>, product: Product, whole: Vec<Vertex>, initial: Vec<Term>) -> Attempt<'m> {
        Attempt {
            has_loops: product.has_cycle(),
            has_shared_loops: product.has_shared_cycle(),
            skips: None,
            system,
            product,
            whole,
            initial,
            samples: None,
            equations: None,
            bounds: FxHashMap::default(),
            reached: FxHashMap::default(),
            invariants: FxHashMap::default(),
            unwindings: FxHashMap::default(),
        }
    }

    /// How many locations and vertices there are.
    pub fn size(&self) -> (usize, usize) {
        (self.system.len(), self.product.vertices.len())
    }

    /// The levels to try, with invariants or without.
    pub fn levels(&self, invariants: bool) -> &'static [Level] {
        match (invariants, self.has_loops) {
            (true, true) if self.system.sorts => {
                &[Level::Nothing, Level::Ordered, Level::Equations, Level::Compared, Level::Bounds]
            }
            (true, true) => &[Level::Nothing, Level::Equations, Level::Compared, Level::Bounds],
            (true, false) => &[Level::Exact],
            (false, _) => &[Level::Nothing],
        }
    }

    /// How many invariants of a level were found.
    pub fn invariants(&self, level: Level) -> u64 {
        self.invariants.get(&level).map_or(0, |all| all.iter().map(|at| at.len() as u64).sum())
    }

    /// How far the search of a level has come, if it has begun.
    pub fn unwinding(&self, level: Level) -> Option<&Unwinding> {
        self.unwindings.get(&level)
    }

    /// Searches for a proof with the invariants of a level.
    pub fn search(&mut self, level: Level, options: search::Options, mut tools: Tools<'_>) -> End {
        if let Err(no_answer) = self.find_invariants(level, &mut tools) {
            return tools.task.budget.exceeded().map_or(End::NoAnswer(no_answer), End::Exceeded);
        }
        let Tools { task, terms, prover } = tools;
        let unwinding =
            self.unwindings.entry(level).or_insert_with(|| Unwinding::new(&self.initial, options.visit));
        let (product, invariants) = (&self.product, &self.invariants[&level]);
        let skips = self.skips.as_ref();
        Search { task, product, invariants, terms, prover, skips, options, unwinding }.run()
    }

    /// Finds the invariants of a level, unless that was done before.
    fn find_invariants(&mut self, level: Level, tools: &mut Tools<'_>) -> Result<(), NoAnswer> {
        if self.invariants.contains_key(&level) {
            return Ok(());
        }
        let mut found: Invariants = self.product.vertices.iter().map(|vertex| vertex.facts.clone()).collect();
        match level {
            Level::Nothing => {}
            Level::Exact => {
                let asked = (&mut *tools.terms, &mut *tools.prover);
                let labels = exact::labels(&self.product, &self.initial, asked)?;
                labels.into_iter().for_each(|labels| add(&mut found, labels));
            }
            Level::Ordered => found = self.dropped(level, &found, tools)?,
            Level::Equations => {
                let mut spaces = self.equations.take().unwrap_or_else(|| self.spaces(tools.terms));
                let grown = self.grow(&mut spaces, &found, tools);
                add(&mut found, spaces.equations(&self.initial, tools.terms));
                self.equations = Some(spaces);
                grown?;
            }
            Level::Compared | Level::Bounds => {
                self.find_invariants(Level::Equations, tools)?;
                found = self.bounds(level, tools)?;
            }
        }
        self.invariants.insert(level, found);
        Ok(())
    }

    /// States that occur at the vertices, by executions that are made once.
    fn samples(&mut self, terms: &Terms) -> Rc<[Vec<State>]> {
        let (product, initial) = (&self.product, &self.initial);
        let samples =
            self.samples.get_or_insert_with(|| sample(product, &start(initial, terms), terms).into());
        Rc::clone(samples)
    }

    /// The spaces of values that occur at the vertices, as far as executions show.
    fn spaces(&mut self, terms: &mut Terms) -> Spaces {
        let samples = self.samples(terms);
        let columns = columns(&self.product, &self.system, terms);
        Spaces::new(&self.product, &columns, &samples, terms)
    }

    fn grow(
        &self,
        spaces: &mut Spaces,
        background: &Invariants,
        tools: &mut Tools<'_>,
    ) -> Result<(), NoAnswer> {
        let Tools { task, terms, prover } = tools;
        let (product, budget) = (&self.product, task.budget);
        let data = |vertex: &Vertex| self.system.data_at(terms, vertex.location);
        let data: Vec<Vec<Term>> = product.vertices.iter().map(data).collect();
        Affine { product, data: &data, background, terms, prover, budget }.grow(spaces, &self.initial)
    }

    fn bounds(&mut self, level: Level, tools: &mut Tools<'_>) -> Result<Invariants, NoAnswer> {
        let known = self.invariants[&Level::Equations].clone();
        let mut bounds = self.dropped(level, &known, tools)?;
        // Bounds make more equations hold: a counter that has reached its bound is equal to it.
        let mut spaces = self.reached.remove(&level).unwrap_or_else(|| self.spaces(tools.terms));
        let grown = self.grow(&mut spaces, &bounds, tools);
        add(&mut bounds, spaces.equations(&self.initial, tools.terms));
        self.reached.insert(level, spaces);
        grown.map(|()| bounds)
    }

    /// The candidates of a level that are left when all were dropped that do not hold.
    fn dropped(
        &mut self,
        level: Level,
        known: &Invariants,
        tools: &mut Tools<'_>,
    ) -> Result<Invariants, NoAnswer> {
        let mut candidates = match self.bounds.remove(&level) {
            Some(candidates) => candidates,
            None => self.candidates(level, known, tools.terms),
        };
        let asked = (&mut *tools.terms, &mut *tools.prover);
        let left = candidates.drop_all(&self.product, asked, tools.task.budget).cloned();
        self.bounds.insert(level, candidates);
        left
    }

    fn candidates(&mut self, level: Level, known: &Invariants, terms: &mut Terms) -> Candidates {
        let samples = self.samples(terms);
        let mut found =
            candidates(&self.product, &self.system, terms, (known, &samples), level == Level::Bounds);
        add(&mut found, known.clone());
        found[0] = self.initial.clone();
        Candidates::new(found)
    }
}

fn add(invariants: &mut Invariants, others: Invariants) {
    for (invariants, others) in invariants.iter_mut().zip(others) {
        invariants.extend(others);
        invariants.sort_unstable();
        invariants.dedup();
    }
}

/// The values that equalities with constants say.
fn start(initial: &[Term], terms: &Terms) -> Values {
    let mut values = Values::default();
    for condition in initial {
        let node = terms.node(*condition);
        if let [variable, value] = node.args()
            && let Some(bits) = terms.constant_value(*value)
        {
            values.insert(*variable, bits);
        }
    }
    values
}
