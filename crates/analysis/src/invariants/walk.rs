//! The fixpoint over values of registers and variables.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use ir::{Failure, FuncId, Pc, Program};
use rustc_hash::FxHashMap;

use super::Values as Known;
use super::cells::{CellIx, Cells, Guard, Stable};
use super::interval::Interval;
use super::widening::{Widening, thresholds};
use crate::Place;
use crate::flow::{FlowOf, Held};
use crate::interpret::Interpreter;
use crate::memory::{NodeIx, ThreadIx};
use crate::rules::Rules;

/// So many instructions are interpreted, at most.
const MAX_WORK: u64 = 3_000_000;

/// The value of a variable that is stable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Value {
    pub is: Interval,
    /// Whether this thread may have written it, so that invariants need not
    /// know of it yet.
    pub own: bool,
}

/// The values of the variables that are stable.
pub(super) type Values = Vec<Option<Value>>;

/// What is known at a point.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Env {
    pub regs: Vec<Interval>,
    /// The values of the variables that are stable.
    pub cells: Values,
}

/// What is known where a function returns.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Exit {
    pub results: Vec<Interval>,
    /// What its parameters are there.
    pub params: Vec<Interval>,
    pub cells: Values,
}

/// What is known of a function in a calling context.
#[derive(Default)]
pub(super) struct State {
    pub params: Option<Vec<Interval>>,
    cells: Option<Values>,
    blocks: Vec<Option<Env>>,
    visits: Vec<u32>,
    pub exit: Option<Exit>,
    changes: u32,
    queued: bool,
}

/// What is known of a variable at all times.
pub(super) struct Global {
    /// Every value that it ever has.
    any: Interval,
    /// The invariants of its guards.
    free: Vec<Option<Interval>>,
    changes: u32,
    readers: BTreeSet<NodeIx>,
}

/// Where an instruction is.
#[derive(Clone, Copy)]
pub(super) struct At<'p> {
    pub node: NodeIx,
    pub thread: ThreadIx,
    pub pc: Pc,
    pub function: &'p ir::Function,
    /// Where its block starts.
    pub start: usize,
}

/// Where control goes.
pub(super) enum Going {
    On,
    Jump(Vec<(Pc, Env)>),
    End,
}

/// The fixpoint.
pub(super) struct Walk<'a, 'p> {
    pub interpreter: &'a Interpreter<'p>,
    pub program: &'p Program,
    flow: &'a FlowOf<'a, 'p>,
    pub cells: Cells<'a, 'p>,
    helds: Vec<Held>,
    /// For each block, what holds before each of its events and at its end.
    points: Vec<Vec<Vec<u32>>>,
    /// What holds where a node returns.
    exits: Vec<Option<u32>>,
    stable: FxHashMap<(ThreadIx, u32), Rc<Stable>>,
    pub states: Vec<State>,
    globals: Vec<Global>,
    queue: VecDeque<NodeIx>,
    thresholds: Rc<[i64]>,
    work: u64,
    interests: &'a dyn Fn(Failure) -> bool,
    pub found: Known,
    done: bool,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub fn new(
        interpreter: &'a Interpreter<'p>,
        flow: &'a FlowOf<'a, 'p>,
        rules: &'a Rules<'a, 'p>,
        interests: &'a dyn Fn(Failure) -> bool,
    ) -> Walk<'a, 'p> {
        let cells = Cells::new(interpreter, rules);
        let global = |cell: &super::cells::Cell| Global {
            any: cell.initial,
            free: vec![None; cell.guards.len()],
            changes: 0,
            readers: BTreeSet::new(),
        };
        let globals = cells.all.iter().map(global).collect();
        let state = |node: &crate::interpret::Node| State {
            blocks: vec![None; node.blocks.len()],
            visits: vec![0; node.blocks.len()],
            ..State::default()
        };
        let mut walk = Walk {
            interpreter,
            program: interpreter.program,
            flow,
            cells,
            helds: Vec::new(),
            points: interpreter.nodes.iter().map(|node| vec![Vec::new(); node.blocks.len()]).collect(),
            exits: Vec::new(),
            stable: FxHashMap::default(),
            states: interpreter.nodes.iter().map(state).collect(),
            globals,
            queue: VecDeque::new(),
            thresholds: thresholds(interpreter.program),
            work: 0,
            interests,
            found: Known::default(),
            done: false,
        };
        walk.note_points();
        walk
    }

    fn note_points(&mut self) {
        let mut index: FxHashMap<Held, u32> = FxHashMap::default();
        let (helds, points) = (&mut self.helds, &mut self.points);
        let mut number = |held: &Held| {
            *index.entry(held.clone()).or_insert_with(|| {
                helds.push(held.clone());
                helds.len() as u32 - 1
            })
        };
        self.flow.for_each_block(|node, block, helds| {
            points[node as usize][block] = helds.iter().map(&mut number).collect();
        });
        let nodes = 0..self.interpreter.nodes.len() as NodeIx;
        self.exits = nodes.map(|node| self.flow.exit(node).map(&mut number)).collect();
    }

    /// Runs until nothing new comes, or a failure of interest can be reached.
    /// Yields itself with what it found, unless that takes too long.
    pub fn run(mut self) -> Option<Self> {
        let root = self.interpreter.threads[0].root;
        let first = self.cells.all.iter().map(|cell| Some(Value { is: cell.initial, own: true })).collect();
        self.enter(root, &[], first);
        while let Some(node) = self.queue.pop_front() {
            self.states[node as usize].queued = false;
            self.node(node);
            if self.work > MAX_WORK {
                return None;
            }
            if self.done {
                break;
            }
        }
        Some(self)
    }

    /// Every value that a variable ever has.
    pub fn always(&self, cell: CellIx) -> Interval {
        self.globals[cell].any
    }

    /// Every value that a variable has while a thread is at the start of a block,
    /// whichever thread that is. `None` if none comes there.
    pub fn at_block(&self, function: FuncId, block: usize, cell: CellIx) -> Option<Interval> {
        let nodes = self.interpreter.nodes.iter().zip(&self.states);
        let known =
            nodes.filter(|(node, _)| node.func == function).filter_map(|(_, s)| s.blocks[block].as_ref());
        known.map(|env| env.cells[cell].map_or(self.always(cell), |value| value.is)).reduce(Interval::join)
    }

    fn enqueue(&mut self, node: NodeIx) {
        if !std::mem::replace(&mut self.states[node as usize].queued, true) {
            self.queue.push_back(node);
        }
    }

    pub fn fail(&mut self, at: At<'p>, kind: Failure) {
        if (self.interests)(kind) {
            let place = self.place(at);
            self.found.failures.push(place);
            self.done = true;
        }
    }

    pub fn place(&self, at: At<'p>) -> Place {
        Place { function: self.interpreter.nodes[at.node as usize].func, pc: at.pc }
    }

    /// Adds what a function may be entered with.
    pub fn enter(&mut self, node: NodeIx, args: &[Interval], cells: Values) {
        let mut changed = self.enter_with_params(node, args);
        changed |= self.enter_with_cells(node, cells);
        if changed {
            self.states[node as usize].changes += 1;
            self.enqueue(node);
        }
    }

    /// Adds what a thread may be started with. It finds the values of variables
    /// itself.
    pub fn start(&mut self, root: NodeIx, argument: Interval) {
        let function = self.program.function(self.interpreter.nodes[root as usize].func);
        let whole = function.params.first().is_some_and(|param| param.width == self.program.pointer_width);
        let args: &[Interval] = if whole { &[argument] } else { &[] };
        if self.enter_with_params(root, args) {
            self.states[root as usize].changes += 1;
            self.enqueue(root);
        }
    }

    fn enter_with_params(&mut self, node: NodeIx, args: &[Interval]) -> bool {
        let function = self.program.function(self.interpreter.nodes[node as usize].func);
        let of_param = |(index, param): (usize, &ir::Param)| {
            args.get(index).copied().unwrap_or(Interval::all(param.width))
        };
        let params: Vec<Interval> = function.params.iter().enumerate().map(of_param).collect();
        let widen = self.widening(self.states[node as usize].changes);
        widen.join_all(&mut self.states[node as usize].params, params, |at| function.params[at].width)
    }

    fn enter_with_cells(&mut self, node: NodeIx, mut cells: Values) -> bool {
        let Some(start) = self.points[node as usize].first().and_then(|point| point.first()).copied() else {
            return false;
        };
        let thread = self.interpreter.nodes[node as usize].thread;
        if self.arrive(node, thread, start, &mut cells).is_none() {
            return false;
        }
        let widen = self.widening(self.states[node as usize].changes);
        widen.join_cells(&mut self.states[node as usize].cells, cells, &self.cells)
    }

    fn node(&mut self, ix: NodeIx) {
        let node = &self.interpreter.nodes[ix as usize];
        let root = self.interpreter.threads[node.thread as usize].root == ix;
        if root && node.thread != 0 {
            // A thread finds what the invariants say, which may have changed.
            let changed = self.enter_with_cells(ix, vec![None; self.cells.all.len()]);
            self.states[ix as usize].changes += u32::from(changed);
        }
        let Some(env) = self.first(ix) else { return };
        self.join_block(ix, 0, env);
        let mut work: BTreeSet<usize> = (0..node.blocks.len())
            .filter(|block| self.states[ix as usize].blocks[*block].is_some())
            .collect();
        while let Some(block) = work.pop_first() {
            for (next, env) in self.block(ix, block) {
                if self.join_block(ix, next, env) {
                    work.insert(next);
                }
            }
            if self.work > MAX_WORK || self.done {
                return;
            }
        }
    }

    fn first(&self, ix: NodeIx) -> Option<Env> {
        let function = self.program.function(self.interpreter.nodes[ix as usize].func);
        let State { params, cells, .. } = &self.states[ix as usize];
        let mut regs: Vec<Interval> = function.slots.iter().map(|slot| Interval::all(slot.width)).collect();
        for (param, value) in function.params.iter().zip(params.as_ref()?) {
            regs[param.reg.0 as usize] = *value;
        }
        Some(Env { regs, cells: cells.clone()? })
    }

    /// Joins what is known at the start of a block; whether that is new.
    fn join_block(&mut self, ix: NodeIx, block: usize, mut env: Env) -> bool {
        let Some(start) = self.points[ix as usize][block].first().copied() else { return false };
        let thread = self.interpreter.nodes[ix as usize].thread;
        if self.arrive(ix, thread, start, &mut env.cells).is_none() {
            return false;
        }
        let function = self.program.function(self.interpreter.nodes[ix as usize].func);
        let widen = self.widening(self.states[ix as usize].visits[block]);
        let state = &mut self.states[ix as usize];
        let Some(known) = &mut state.blocks[block] else {
            state.blocks[block] = Some(env);
            return true;
        };
        let (mut regs, mut cells) =
            (Some(std::mem::take(&mut known.regs)), Some(std::mem::take(&mut known.cells)));
        let mut changed = widen.join_all(&mut regs, env.regs, |at| function.slots[at].width);
        changed |= widen.join_cells(&mut cells, env.cells, &self.cells);
        (known.regs, known.cells) = (regs.unwrap_or_default(), cells.unwrap_or_default());
        state.visits[block] += u32::from(changed);
        changed
    }

    /// Interprets a block; yields what may follow.
    fn block(&mut self, ix: NodeIx, block: usize) -> Vec<(usize, Env)> {
        let node = &self.interpreter.nodes[ix as usize];
        let Some(mut env) = self.states[ix as usize].blocks[block].clone() else { return Vec::new() };
        let blocks = self.interpreter.blocks(node.func);
        let function = self.program.function(node.func);
        let range = blocks.range(block);
        let events = &node.blocks[block].events;
        let points = self.points[ix as usize][block].clone();
        let mut from = 0;
        for pc in range.clone() {
            self.work += 1;
            let to = from + events[from..].iter().take_while(|event| event.pc as usize == pc).count();
            let at = At { node: ix, thread: node.thread, pc: pc as Pc, function, start: range.start };
            self.found.reached.insert(Place { function: node.func, pc: pc as Pc });
            match self.instruction(at, &events[from..to], &points[from.min(points.len())..], &mut env) {
                Going::On => from = to,
                Going::End => return Vec::new(),
                Going::Jump(targets) => {
                    let targets = targets.into_iter().map(|(pc, env)| (blocks.containing(pc), env));
                    let possible =
                        |(next, _): &(usize, Env)| node.blocks[block].next.contains(&(*next as u32));
                    return targets.filter(possible).collect();
                }
            }
        }
        vec![(blocks.containing(range.end as Pc), env)]
    }

    /// What no other thread can change at a point.
    pub fn stable(&mut self, thread: ThreadIx, point: u32) -> Rc<Stable> {
        if let Some(known) = self.stable.get(&(thread, point)) {
            return Rc::clone(known);
        }
        let stable = Rc::new(self.cells.stable(thread, &self.helds[point as usize]));
        self.stable.insert((thread, point), Rc::clone(&stable));
        stable
    }

    /// Brings the variables to what holds at a point: those that are not stable
    /// there are given back to all, those that are now are found as invariants
    /// say. `None` if nothing can be found yet.
    pub fn arrive(&mut self, node: NodeIx, thread: ThreadIx, point: u32, cells: &mut Values) -> Option<()> {
        let stable = self.stable(thread, point);
        for (cell, known) in cells.iter_mut().enumerate() {
            match (*known, stable.cells[cell]) {
                (Some(value), false) => {
                    self.publish(thread, cell, value, |_| true);
                    *known = None;
                }
                (None, true) => {
                    let is = self.find(node, cell, point, stable.alone)?;
                    *known = Some(Value { is, own: false });
                }
                _ => {}
            }
        }
        Some(())
    }

    /// What a variable may be for a thread that no other thread disturbs from now on.
    fn find(&mut self, node: NodeIx, cell: CellIx, point: u32, alone: bool) -> Option<Interval> {
        let (held, thread) = (&self.helds[point as usize], self.interpreter.nodes[node as usize].thread);
        let global = &mut self.globals[cell];
        global.readers.insert(node);
        let mut found = global.any;
        for (guard, free) in self.cells.all[cell].guards.iter().zip(&global.free) {
            let counts = match guard {
                Guard::Finished => true,
                Guard::Lock(lock) => alone || held.locks.iter().any(|(other, _)| other == lock),
                Guard::Section => alone || held.in_section(),
                Guard::Before(writer) => *writer == thread,
                Guard::After(writer) => thread == 0 && held.ended.has(*writer),
            };
            if counts {
                found = found.meet((*free)?)?;
            }
        }
        Some(found)
    }

    /// Joins a value to the invariants of some guards of a variable. What others
    /// have written, they join themselves.
    pub fn publish(&mut self, by: ThreadIx, cell: CellIx, value: Value, of: impl Fn(&Guard) -> bool) {
        if value.own {
            self.add(cell, value.is, |guard| *guard != Guard::Before(by) && of(guard));
        }
    }

    /// What the only thread that writes a variable leaves behind, written or not.
    pub fn leave_behind(&mut self, by: ThreadIx, cell: CellIx, value: Value) {
        self.add(cell, value.is, |guard| *guard == Guard::After(by));
    }

    fn add(&mut self, cell: CellIx, value: Interval, of: impl Fn(&Guard) -> bool) {
        let widen = self.widening(self.globals[cell].changes);
        let (global, cell_of) = (&mut self.globals[cell], &self.cells.all[cell]);
        let mut changed = false;
        for (free, _) in global.free.iter_mut().zip(&cell_of.guards).filter(|(_, guard)| of(guard)) {
            changed |= widen.join(free, value, cell_of.width());
        }
        self.changed(cell, changed);
    }

    /// Every value that a variable ever has, for a reader.
    pub fn any(&mut self, node: NodeIx, cell: CellIx) -> Interval {
        self.globals[cell].readers.insert(node);
        self.globals[cell].any
    }

    /// A variable may be given a value.
    pub fn written(&mut self, cell: CellIx, value: Interval) {
        let widen = self.widening(self.globals[cell].changes);
        let mut any = Some(self.globals[cell].any);
        let changed = widen.join(&mut any, value, self.cells.all[cell].width());
        self.globals[cell].any = any.unwrap_or(value);
        self.changed(cell, changed);
    }

    fn changed(&mut self, cell: CellIx, changed: bool) {
        if changed {
            self.globals[cell].changes += 1;
            let readers: Vec<NodeIx> = self.globals[cell].readers.iter().copied().collect();
            readers.into_iter().for_each(|reader| self.enqueue(reader));
        }
    }

    /// Joins what is known where a node returns.
    pub fn leave(&mut self, at: At<'p>, mut exit: Exit) {
        let Some(point) = self.exits[at.node as usize] else { return };
        if self.arrive(at.node, at.thread, point, &mut exit.cells).is_none() {
            return;
        }
        let widen = self.widening(self.states[at.node as usize].changes);
        let function = at.function;
        let (mut results, mut params, mut cells) = match self.states[at.node as usize].exit.take() {
            Some(known) => (Some(known.results), Some(known.params), Some(known.cells)),
            None => (None, None, None),
        };
        let mut changed = widen.join_all(&mut results, exit.results, |at| function.results[at]);
        changed |= widen.join_all(&mut params, exit.params, |at| function.params[at].width);
        changed |= widen.join_cells(&mut cells, exit.cells, &self.cells);
        let state = &mut self.states[at.node as usize];
        state.exit = Some(Exit {
            results: results.unwrap_or_default(),
            params: params.unwrap_or_default(),
            cells: cells.unwrap_or_default(),
        });
        if changed {
            state.changes += 1;
            let callers: Vec<NodeIx> =
                self.interpreter.nodes[at.node as usize].callers.iter().map(|(caller, _)| *caller).collect();
            callers.into_iter().for_each(|caller| self.enqueue(caller));
        }
    }

    /// What holds at a point.
    pub fn held(&self, point: u32) -> &Held {
        &self.helds[point as usize]
    }

    fn widening(&self, changes: u32) -> Widening {
        Widening::after(changes, &self.thresholds)
    }
}
