//! Points-to, call graph and threads, in one fixpoint.
//!
//! A *node* is a function in a calling context: the calls that lead to it from
//! the start of its thread. A call of a function that is already being called
//! leads back to the node of that function, so that there are finitely many. If
//! there are too many all the same, each function has one node in each thread.
//! Registers are followed in the order of execution, memory is one join of all
//! that is ever stored ([`crate::memory`]). A node is interpreted again
//! whenever something that it read has changed: its arguments, a result of
//! what it calls, memory.
//!
//! # What is relied on
//!
//! - An access goes to an object that its pointer may point into, or ends the
//!   execution with a fault of memory: the machine resolves pointers by the
//!   object that they carry. All claims are about executions up to such a fault.
//! - A call through a pointer calls a function that it may point to; what it
//!   points to otherwise is a fault.
//! - Where the value of a branch's condition is known it goes one way. Values
//!   are over-approximated, so the other way is not taken in any execution.
//! - An address may be given out again (`machine::memory::reuse`): comparing a
//!   pointer to an object that has ended with one to a later object may make
//!   all pointers to the first point to the second. `Interpreter::reuse` lets
//!   pointers to objects that are freed point to what they are compared with.

use std::collections::VecDeque;
use std::rc::Rc;

use ir::{Blocks, FuncId, Liveness, Pc, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::{Action, Event, EventBlock};
use crate::memory::{Kind, Memory, NodeIx, ThreadIx};
use crate::value::{ObjIx, Off, Ptr, Val};

/// A function in a calling context.
#[derive(Debug)]
pub struct Node {
    /// The thread that executes it.
    pub thread: ThreadIx,
    /// The function.
    pub func: FuncId,
    /// The calls that lead here; none for the first function of a thread.
    pub callers: Vec<(NodeIx, Pc)>,
    /// What its arguments may be.
    pub params: Vec<Val>,
    /// What its registers may hold at the start of each block.
    entries: Vec<Option<Vec<Val>>>,
    /// What it may return.
    results: Vec<Val>,
    /// The objects of which it may publish fresh ones.
    pub(crate) published: FxHashSet<ObjIx>,
    /// Whether it may return at all.
    pub returns: bool,
    queued: bool,
    /// What it does, once all values are known.
    pub blocks: Vec<EventBlock>,
}

/// A thread: what one call of `pthread_create` in one context starts.
#[derive(Debug)]
pub struct Thread {
    /// Its first function.
    pub func: FuncId,
    /// Its first node.
    pub root: NodeIx,
    /// The instructions that create it; none for the main thread.
    pub creators: Vec<(NodeIx, Pc)>,
    /// What it may end with.
    result: Val,
    result_readers: Vec<NodeIx>,
}

impl Thread {
    /// What it may end with.
    pub fn result(&self) -> &Val {
        &self.result
    }
}

/// Why the analysis gave up.
pub type GaveUp = String;

/// What there may be at most of nodes, threads and work: instructions, registers,
/// pointers and cells that are looked at.
const MAX_NODES: usize = 6_000;
const MAX_THREADS: usize = 256;
const MAX_WORK: u64 = 10_000_000;

const TOO_MANY_CONTEXTS: &str = "the program has too many calling contexts";

/// The interpreter.
pub struct Interpreter<'p> {
    /// The program.
    pub program: &'p Program,
    /// The abstract objects.
    pub memory: Memory,
    /// The nodes; the first is where the program starts.
    pub nodes: Vec<Node>,
    /// The threads; the first is the main thread.
    pub threads: Vec<Thread>,
    node_index: FxHashMap<(NodeIx, Pc, FuncId), NodeIx>,
    /// The nodes of each thread's functions, if calling contexts are not told
    /// apart.
    merged: Option<FxHashMap<(ThreadIx, FuncId), NodeIx>>,
    thread_index: FxHashMap<(NodeIx, Pc, FuncId), ThreadIx>,
    blocks: Vec<Option<Rc<Blocks>>>,
    liveness: Vec<Option<Rc<Liveness>>>,
    queue: VecDeque<NodeIx>,
    /// What pointers to an object may turn out to point to as well.
    pub aliases: FxHashMap<ObjIx, Vec<ObjIx>>,
    /// Objects whose address an earlier object of the same kind may have had.
    pub reused: FxHashSet<ObjIx>,
    /// Objects that were compared for equality.
    pub compared: FxHashSet<(ObjIx, ObjIx)>,
    /// Objects that may be freed.
    pub freed: FxHashSet<ObjIx>,
    /// Objects to which pointers may be handed over without an order.
    pub unordered: FxHashSet<ObjIx>,
    /// Threads with objects that they may be given though these were not fresh.
    pub given_twice: FxHashSet<(ThreadIx, ObjIx)>,
    /// Whether values that were never initialised may be copied, so that two
    /// copies may turn out to be different.
    pub moves_undefined: bool,
    /// The first instruction met that the machine cannot execute.
    pub unsupported: Option<(FuncId, Pc)>,
    pub(crate) gave_up: Option<GaveUp>,
    /// The events of the block that is being recorded.
    pub(crate) recording: Option<Vec<Event>>,
    work: u64,
}

/// Where control goes after an instruction.
pub(crate) enum Flow {
    /// To the next instruction.
    Next,
    /// To these.
    Jump(smallvec::SmallVec<[Pc; 2]>),
    /// Nowhere.
    End,
}

impl<'p> Interpreter<'p> {
    /// Interprets a program until nothing new comes. Calling contexts are told
    /// apart unless there are too many.
    pub fn run(program: &'p Program) -> Result<Interpreter<'p>, GaveUp> {
        match Interpreter::run_with(program, true) {
            Err(why) if why == TOO_MANY_CONTEXTS => Interpreter::run_with(program, false),
            result => result,
        }
    }

    fn run_with(program: &'p Program, contexts: bool) -> Result<Interpreter<'p>, GaveUp> {
        let mut interpreter = Interpreter {
            program,
            memory: Memory::default(),
            nodes: Vec::new(),
            threads: Vec::new(),
            node_index: FxHashMap::default(),
            merged: (!contexts).then(FxHashMap::default),
            thread_index: FxHashMap::default(),
            blocks: vec![None; program.functions.len()],
            liveness: vec![None; program.functions.len()],
            queue: VecDeque::new(),
            aliases: FxHashMap::default(),
            reused: FxHashSet::default(),
            compared: FxHashSet::default(),
            freed: FxHashSet::default(),
            unordered: FxHashSet::default(),
            given_twice: FxHashSet::default(),
            moves_undefined: false,
            unsupported: None,
            gave_up: None,
            recording: None,
            work: 0,
        };
        let entry = program.entry.ok_or("the program has no entry")?;
        let root = interpreter.add_node(0, entry, None);
        let (result, result_readers) = Default::default();
        interpreter.threads.push(Thread { func: entry, root, creators: Vec::new(), result, result_readers });
        interpreter.solve()?;
        interpreter.moves_undefined |=
            interpreter.nodes.iter().any(|node| node.params.iter().any(Val::is_none));
        interpreter.record()?;
        Ok(interpreter)
    }

    fn solve(&mut self) -> Result<(), GaveUp> {
        loop {
            while let Some(node) = self.queue.pop_front() {
                self.nodes[node as usize].queued = false;
                self.interpret(node);
                for reader in std::mem::take(&mut self.memory.dirty) {
                    self.enqueue(reader);
                }
                if let Some(why) = self.gave_up.take() {
                    return Err(why);
                }
            }
            if !self.reuse() {
                return Ok(());
            }
            (0..self.nodes.len() as NodeIx).for_each(|node| self.enqueue(node));
        }
    }

    /// Lets pointers to objects that end point to later ones with which they
    /// are compared, or which have numeric addresses like them. Whether that is
    /// new.
    fn reuse(&mut self) -> bool {
        let pinned = &self.memory.pinned;
        let numbers = pinned.iter().flat_map(|a| pinned.iter().map(move |b| (*a, *b)));
        let pairs: Vec<(ObjIx, ObjIx)> = self.compared.iter().copied().chain(numbers).collect();
        let mut new = false;
        for (a, b) in pairs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            let (old, later) = (self.memory.get(a).kind, self.memory.get(b).kind);
            let could = match (old, later) {
                (Kind::Heap(..), Kind::Heap(..)) => self.freed.contains(&a),
                (Kind::Frame(one, _), Kind::Frame(other, _)) => {
                    self.nodes[one as usize].thread == self.nodes[other as usize].thread
                }
                _ => false,
            };
            if could {
                new |= self.reused.insert(b);
                let known = self.aliases.entry(a).or_default();
                if a != b && !known.contains(&b) {
                    known.push(b);
                    new = true;
                }
            }
        }
        new | self.pin_aliases()
    }

    /// What a pinned pointer may turn out to point to is pinned as well.
    fn pin_aliases(&mut self) -> bool {
        let before = self.memory.pinned.len();
        for obj in self.memory.pinned.clone() {
            let all = self.with_aliases(Val::pointer(obj, Off::ANY));
            self.memory.pin(&all);
        }
        self.memory.pinned.len() > before
    }

    /// Interprets every node once more and notes what it does.
    fn record(&mut self) -> Result<(), GaveUp> {
        for node in 0..self.nodes.len() as NodeIx {
            let func = self.nodes[node as usize].func;
            let blocks = self.blocks_of(func);
            let mut recorded = Vec::with_capacity(blocks.len());
            for block in 0..blocks.len() {
                let Some(mut regs) = self.nodes[node as usize].entries[block].clone() else {
                    recorded.push(EventBlock::default());
                    continue;
                };
                self.recording = Some(Vec::new());
                let targets = self.interpret_block(node, &blocks, block, &mut regs);
                let events = self.recording.take().unwrap_or_default();
                let next = targets.iter().map(|pc| blocks.containing(*pc) as u32).collect();
                recorded.push(EventBlock { events, next, reached: true });
            }
            self.nodes[node as usize].blocks = recorded;
        }
        match self.gave_up.take() {
            Some(why) => Err(why),
            None => Ok(()),
        }
    }

    pub(crate) fn note(&mut self, pc: Pc, action: Action) {
        if let Some(events) = &mut self.recording {
            events.push(Event { pc, action });
        }
    }

    pub(crate) fn give_up(&mut self, why: &str) {
        self.gave_up.get_or_insert_with(|| why.to_owned());
    }

    /// The blocks of a function that has a node.
    pub fn blocks(&self, func: FuncId) -> Rc<Blocks> {
        Rc::clone(self.blocks[func.0 as usize].as_ref().expect("they are known of all nodes"))
    }

    fn blocks_of(&mut self, func: FuncId) -> Rc<Blocks> {
        let function = self.program.function(func);
        let blocks = &mut self.blocks[func.0 as usize];
        Rc::clone(blocks.get_or_insert_with(|| Rc::new(Blocks::of(function))))
    }

    pub(crate) fn liveness(&mut self, func: FuncId) -> Rc<Liveness> {
        let function = self.program.function(func);
        let liveness = &mut self.liveness[func.0 as usize];
        Rc::clone(liveness.get_or_insert_with(|| Rc::new(Liveness::of(function))))
    }

    pub(crate) fn enqueue(&mut self, node: NodeIx) {
        let queued = &mut self.nodes[node as usize].queued;
        if !std::mem::replace(queued, true) {
            self.queue.push_back(node);
        }
    }

    fn add_node(&mut self, thread: ThreadIx, func: FuncId, caller: Option<(NodeIx, Pc)>) -> NodeIx {
        let node = self.nodes.len() as NodeIx;
        if self.nodes.len() >= MAX_NODES {
            self.give_up(TOO_MANY_CONTEXTS);
        }
        let function = self.program.function(func);
        let blocks = self.blocks_of(func);
        self.nodes.push(Node {
            thread,
            func,
            callers: caller.into_iter().collect(),
            params: vec![Val::default(); function.params.len()],
            entries: vec![None; blocks.len()],
            results: vec![Val::default(); function.results.len()],
            published: FxHashSet::default(),
            returns: false,
            queued: false,
            blocks: Vec::new(),
        });
        self.enqueue(node);
        node
    }

    /// Interprets the blocks of a node until nothing new comes.
    fn interpret(&mut self, node: NodeIx) {
        let func = self.nodes[node as usize].func;
        let blocks = self.blocks_of(func);
        self.start(node);
        let mut work: Vec<usize> =
            (0..blocks.len()).filter(|block| self.nodes[node as usize].entries[*block].is_some()).collect();
        work.reverse();
        let mut queued = vec![false; blocks.len()];
        work.iter().for_each(|block| queued[*block] = true);
        while let Some(block) = work.pop() {
            queued[block] = false;
            let Some(mut regs) = self.nodes[node as usize].entries[block].clone() else { continue };
            let pointers: usize = regs.iter().map(|reg| 1 + reg.ptrs.len()).sum();
            self.work += (blocks.range(block).len() + pointers) as u64;
            if self.work + self.memory.work > MAX_WORK {
                self.give_up("the analysis would take too long");
            }
            if self.gave_up.is_some() {
                return;
            }
            for pc in self.interpret_block(node, &blocks, block, &mut regs) {
                let next = blocks.containing(pc);
                let known = &mut self.nodes[node as usize].entries[next];
                if join_registers(known, &regs) && !std::mem::replace(&mut queued[next], true) {
                    work.push(next);
                }
            }
        }
    }

    /// The registers when the function is entered.
    fn start(&mut self, node: NodeIx) {
        let Node { func, params, entries, .. } = &mut self.nodes[node as usize];
        let function = self.program.function(*func);
        // What was never initialised is any number once it is looked at.
        let mut regs = vec![Val::any(); function.slots.len()];
        for (param, val) in function.params.iter().zip(params) {
            // A parameter that no call passes is not initialised.
            let val = if val.is_none() { Val::any() } else { val.clone() };
            set(function, &mut regs, param.reg, val);
        }
        if let Some(first) = entries.first_mut() {
            join_registers(first, &regs);
        }
    }

    /// Interprets a block; yields where control may go afterwards.
    fn interpret_block(
        &mut self,
        node: NodeIx,
        blocks: &Blocks,
        block: usize,
        regs: &mut [Val],
    ) -> smallvec::SmallVec<[Pc; 2]> {
        let func = self.nodes[node as usize].func;
        let function = self.program.function(func);
        let range = blocks.range(block);
        for pc in range.clone() {
            match self.instruction(node, pc as Pc, &function.code[pc], regs) {
                Flow::Next => {}
                Flow::Jump(targets) => return targets,
                Flow::End => return Default::default(),
            }
        }
        smallvec::smallvec![range.end as Pc]
    }

    /// The node of a call.
    pub(crate) fn callee(&mut self, caller: NodeIx, pc: Pc, func: FuncId) -> NodeIx {
        if let Some(known) = self.node_index.get(&(caller, pc, func)) {
            return *known;
        }
        let thread = self.nodes[caller as usize].thread;
        let known = match &self.merged {
            None => self.being_called(caller, func),
            Some(merged) => merged.get(&(thread, func)).copied(),
        };
        let callee = match known {
            Some(node) => {
                self.nodes[node as usize].callers.push((caller, pc));
                node
            }
            None => self.add_node(thread, func, Some((caller, pc))),
        };
        if let Some(merged) = &mut self.merged {
            merged.insert((thread, func), callee);
        }
        self.node_index.insert((caller, pc, func), callee);
        callee
    }

    /// The node of a function among those whose calls led to a node.
    fn being_called(&self, node: NodeIx, func: FuncId) -> Option<NodeIx> {
        let caller = |node: &NodeIx| self.nodes[*node as usize].callers.first().map(|(node, _)| *node);
        std::iter::successors(Some(node), caller).find(|node| self.nodes[*node as usize].func == func)
    }

    /// Adds what the arguments of a node may be.
    pub(crate) fn pass(&mut self, callee: NodeIx, args: &[Val]) {
        let params = &mut self.nodes[callee as usize].params;
        let mut changed = false;
        for (param, arg) in params.iter_mut().zip(args) {
            changed |= param.join(arg);
        }
        if changed {
            self.enqueue(callee);
        }
    }

    /// Notes that a node publishes an object: its callers have to know.
    pub(crate) fn publishes(&mut self, node: NodeIx, obj: ObjIx) {
        let Node { published, callers, .. } = &mut self.nodes[node as usize];
        if published.insert(obj) {
            let callers: Vec<NodeIx> = callers.iter().map(|(caller, _)| *caller).collect();
            callers.into_iter().for_each(|caller| self.enqueue(caller));
        }
    }

    /// What a node may return; nothing if it does not return, as far as is
    /// known.
    pub(crate) fn results(&self, callee: NodeIx) -> Option<&[Val]> {
        let node = &self.nodes[callee as usize];
        node.returns.then_some(&node.results)
    }

    /// Adds what a node may return.
    pub(crate) fn return_values(&mut self, node: NodeIx, values: &[Val]) {
        let Node { results, returns, callers, .. } = &mut self.nodes[node as usize];
        let mut changed = !std::mem::replace(returns, true);
        for (result, value) in results.iter_mut().zip(values) {
            changed |= result.join(value);
        }
        if changed {
            let callers: Vec<NodeIx> = callers.iter().map(|(caller, _)| *caller).collect();
            callers.into_iter().for_each(|caller| self.enqueue(caller));
        }
    }

    /// The thread that an instruction creates. One that creates threads like
    /// itself, directly or not, is one thread with them.
    pub(crate) fn created(&mut self, node: NodeIx, pc: Pc, func: FuncId) -> ThreadIx {
        if let Some(known) = self.thread_index.get(&(node, pc, func)) {
            return *known;
        }
        let site = self.nodes[node as usize].func;
        let known = self.ancestors(self.nodes[node as usize].thread).into_iter().find(|thread| {
            let made_here =
                |(creator, at): &(NodeIx, Pc)| self.nodes[*creator as usize].func == site && *at == pc;
            let thread = &self.threads[*thread as usize];
            thread.func == func && thread.creators.iter().any(made_here)
        });
        let thread = match known {
            Some(thread) => {
                self.threads[thread as usize].creators.push((node, pc));
                thread
            }
            None => {
                let thread = self.threads.len() as ThreadIx;
                if self.threads.len() >= MAX_THREADS {
                    self.give_up("the program has too many kinds of threads");
                }
                let root = self.add_node(thread, func, None);
                let (result, result_readers) = Default::default();
                let creators = vec![(node, pc)];
                self.threads.push(Thread { func, root, creators, result, result_readers });
                thread
            }
        };
        self.thread_index.insert((node, pc, func), thread);
        thread
    }

    /// A thread, the one that created it first, and so on.
    fn ancestors(&self, thread: ThreadIx) -> Vec<ThreadIx> {
        let mut all = vec![thread];
        let mut last = thread;
        while let Some((creator, _)) = self.threads[last as usize].creators.first() {
            last = self.nodes[*creator as usize].thread;
            all.push(last);
        }
        all
    }

    /// Adds what a thread may end with.
    pub(crate) fn end_thread(&mut self, thread: ThreadIx, val: &Val) {
        let Thread { result, result_readers, .. } = &mut self.threads[thread as usize];
        if result.join(&val.published()) {
            let readers = result_readers.clone();
            readers.into_iter().for_each(|reader| self.enqueue(reader));
        }
    }

    /// What a thread may end with.
    pub(crate) fn thread_result(&mut self, thread: ThreadIx, reader: NodeIx) -> Val {
        let Thread { result, result_readers, .. } = &mut self.threads[thread as usize];
        if !result_readers.contains(&reader) {
            result_readers.push(reader);
        }
        result.clone()
    }

    /// Where an access through a value may go.
    pub(crate) fn targets(&mut self, node: NodeIx, val: &Val) -> Val {
        let targets = self.memory.targets(val, node);
        self.with_aliases(targets)
    }

    /// A value with all that its pointers may turn out to point to.
    pub(crate) fn with_aliases(&self, val: Val) -> Val {
        if self.aliases.is_empty() {
            return val;
        }
        let mut all = val;
        let mut work: Vec<Ptr> = all.ptrs.to_vec();
        while let Some(ptr) = work.pop() {
            for other in self.aliases.get(&ptr.obj).into_iter().flatten() {
                let other = Ptr { obj: *other, fresh: false, off: ptr.off };
                if all.add(other) {
                    work.push(other);
                }
            }
        }
        all
    }

    /// The pointer that a thread-local variable or another global is.
    pub(crate) fn global(&mut self, node: NodeIx, id: ir::GlobalId, offset: i64) -> Val {
        let thread = self.nodes[node as usize].thread;
        let kind =
            if self.program.global(id).thread_local { Kind::Local(id, thread) } else { Kind::Global(id) };
        let object = self.memory.object(self.program, kind, false);
        Val::pointer(object, Off::exact(offset))
    }
}

fn join_registers(known: &mut Option<Vec<Val>>, regs: &[Val]) -> bool {
    match known {
        None => {
            *known = Some(regs.to_vec());
            true
        }
        Some(known) => {
            let mut changed = false;
            for (known, new) in known.iter_mut().zip(regs) {
                changed |= known.join(new);
            }
            changed
        }
    }
}

/// Sets a register; the two slots of a wide one hold the same.
pub(crate) fn set(function: &ir::Function, regs: &mut [Val], reg: ir::Reg, val: Val) {
    let slot = reg.0 as usize;
    if function.slots[slot].width > 64 {
        regs[slot + 1] = val.clone();
    }
    regs[slot] = val;
}
