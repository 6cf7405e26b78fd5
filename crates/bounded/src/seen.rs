//! The nodes that were extended.

use std::rc::Rc;

use logic::{Term, Terms};
use machine::{Machine, Mover, Other, ThreadId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use store::{Loaded, Marks, Sight, Store, Tree};
use symbolic::{Inputs, Known, Path, Spent, State};

use crate::names::{Names, Naming, inputs_in};

/// A symbolic state in little memory: the machine's state is in a store.
pub struct Stored {
    tree: Tree,
    /// All but the machine's state.
    known: Known,
}

/// The number of a state with its conditions, in the order of arrival.
pub type Number = u32;

/// Nodes by state and conditions.
pub struct Seen {
    store: Store,
    sight: Sight,
    /// The state that was loaded last: those that are stored next are like it.
    near: Option<Loaded>,
    /// Where inputs are.
    marks: Marks,
    /// The inputs in each part that has any.
    inputs: FxHashMap<u32, Rc<[Term]>>,
    names: Names,
    /// Parts by the names that their inputs got.
    renamed: FxHashMap<(u32, Box<[Term]>), u32>,
    /// By the tree up to the names of inputs, and the conditions.
    nodes: FxHashMap<(Tree, Box<[u32]>), Number>,
    history: Vec<Happened>,
}

/// What happened at a state.
#[derive(Default)]
struct Happened {
    /// The threads that were active on arrival.
    visits: SmallVec<[(ThreadId, Cost); 2]>,
    /// Steps executed, with what leads to them, their own context switch included.
    executed: SmallVec<[(Action, Cost); 2]>,
}

/// A step from a state, and who is active after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// What moves.
    pub mover: Mover,
    /// The data choice that it takes.
    pub choice: u64,
    /// The thread that is active after it: the mover, if that is a thread.
    pub active: ThreadId,
}

/// What a path has used up of the bounds. The rest is what can follow: an arrival
/// after which less is left does not stand for one after which more is.
#[derive(Clone)]
pub struct Cost {
    /// Context switches.
    pub switches: u64,
    /// Decisions by inputs, if there were any.
    spent: Option<Rc<Spent>>,
}

impl Cost {
    /// Whether at least as much is left as of another, after so many context
    /// switches more.
    fn is_within(&self, other: &Cost, more: u64) -> bool {
        let decisions = match (&self.spent, &other.spent) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(mine), Some(others)) => mine.is_within(others),
        };
        self.switches + more <= other.switches && decisions
    }
}

impl Stored {
    /// The conditions of the state.
    pub fn path(&self) -> &Path {
        self.known.path()
    }

    /// What the path to the state has used up, with so many context switches.
    pub fn cost(&self, switches: u64) -> Cost {
        Cost { switches, spent: self.known.spent().map(Rc::new) }
    }
}

impl Seen {
    /// No nodes.
    pub fn new(machine: &Machine) -> Seen {
        Seen {
            store: Store::new(machine),
            sight: Sight::new(),
            near: None,
            marks: Marks::default(),
            inputs: FxHashMap::default(),
            names: Names::default(),
            renamed: FxHashMap::default(),
            nodes: FxHashMap::default(),
            history: Vec::new(),
        }
    }

    /// How many different states there are, by state and conditions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Stores a state; the machine's is normal.
    pub fn store(&mut self, state: State) -> Stored {
        let (machine, known) = state.split();
        Stored { tree: self.store.tree(&mut self.sight, &machine, self.near.as_ref()), known }
    }

    /// The state that was stored.
    pub fn load(&mut self, stored: &Stored) -> State {
        let loaded = self.store.unpack(stored.tree);
        let state = self.store.state(&loaded).clone();
        self.near = Some(loaded);
        stored.known.with(state)
    }

    /// The number of a state. If its conditions can be fulfilled (`possible`),
    /// those that say nothing about inputs in the state do not count.
    pub fn find(&mut self, terms: &mut Terms, inputs: &mut Inputs, state: &Stored, possible: bool) -> Number {
        let key = self.key(terms, inputs, state, possible);
        let number = *self.nodes.entry(key).or_insert(self.history.len() as u32);
        if number as usize == self.history.len() {
            self.history.push(Happened::default());
        }
        number
    }

    /// The tree of a state and the numbers of its conditions, up to the names of
    /// inputs. The order in which conditions came about does not matter, nor
    /// how many inputs were read: the conditions and the state name all that
    /// still count.
    fn key(
        &mut self,
        terms: &mut Terms,
        inputs: &mut Inputs,
        state: &Stored,
        possible: bool,
    ) -> (Tree, Box<[u32]>) {
        let mut naming = Naming::default();
        let tree = self.renamed_tree(terms, inputs, &mut naming, state.tree);
        let conditions = state.path().conditions();
        let related = possible.then(|| inputs.related(terms, conditions, naming.named()));
        let mut key = Vec::new();
        for condition in related.as_deref().unwrap_or(conditions) {
            key.push(self.names.term(terms, inputs, &mut naming, *condition).number());
        }
        key.sort();
        (tree, key.into())
    }

    /// The tree in which inputs have the names that they get.
    fn renamed_tree(
        &mut self,
        terms: &mut Terms,
        inputs: &mut Inputs,
        naming: &mut Naming,
        tree: Tree,
    ) -> Tree {
        let known = &mut self.inputs;
        let with_inputs = self.store.marked(&mut self.marks, tree, |number, part| {
            let own = inputs_in(terms, inputs, part);
            let any = !own.is_empty();
            if any {
                known.insert(number, own);
            }
            any
        });
        if with_inputs.is_empty() {
            return tree;
        }
        let renamed = |(other, part): (Other, u32)| (other, self.renamed(terms, inputs, naming, part));
        let changes: Vec<(Other, u32)> = with_inputs.into_iter().map(renamed).collect();
        self.store.changed(&mut self.sight, &self.store.unpack(tree), &changes)
    }

    /// The number of a part with the names that its inputs got.
    fn renamed(&mut self, terms: &mut Terms, inputs: &mut Inputs, naming: &mut Naming, part: u32) -> u32 {
        let names = self.names.of(terms, naming, &self.inputs[&part]);
        if let Some(known) = self.renamed.get(&(part, names.clone())) {
            return *known;
        }
        let renamed = self.names.part(terms, inputs, naming, self.store.get(part));
        let number = self.store.number(renamed, None);
        self.renamed.insert((part, names), number);
        number
    }

    /// Notes an arrival; `false` if nothing new can come of it. That is so if
    /// there was one with at least as many context switches and decisions left:
    /// from there everything that this one leads to was reached.
    pub fn arrive(&mut self, state: Number, active: ThreadId, cost: Cost) -> bool {
        let visits = &mut self.history[state as usize].visits;
        // With one switch more, a node can go on as any other thread.
        let covers =
            |(thread, before): &(ThreadId, Cost)| before.is_within(&cost, u64::from(*thread != active));
        if visits.iter().any(covers) {
            return false;
        }
        visits.retain(|(thread, before)| *thread != active || !cost.is_within(before, 0));
        visits.push((active, cost));
        true
    }

    /// Whether a step was executed with at least as much left.
    pub fn is_executed(&self, state: Number, action: Action, cost: &Cost) -> bool {
        let executed = &self.history[state as usize].executed;
        executed.iter().any(|(other, before)| *other == action && before.is_within(cost, 0))
    }

    /// Notes that a step is executed; `false` if it was before, with at least as
    /// much left.
    pub fn execute(&mut self, state: Number, action: Action, cost: Cost) -> bool {
        if self.is_executed(state, action, &cost) {
            return false;
        }
        let executed = &mut self.history[state as usize].executed;
        executed.retain(|(other, before)| *other != action || !cost.is_within(before, 0));
        executed.push((action, cost));
        true
    }
}
