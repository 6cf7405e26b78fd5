//! Which registers certainly hold equal values: value numbering of all nodes.
//!
//! Every register of a node has a *name* ([`Name`]) at every point, where one is
//! known: what it holds as a function of *atoms*. An atom is what an instruction
//! yielded, or what a register held where a block was entered, **the last time**
//! that this happened, or a parameter of the call. Two registers with one name
//! hold the same value. Where an atom is defined anew, all that was named by its
//! old value is forgotten, and so are locks that were taken at an address named
//! by it ([`crate::flow`]).
//!
//! A node is called from one place, in one calling context. So a parameter can be
//! replaced by the name that the caller has for it: the caller's atoms do not
//! change during the call. Likewise a result may be named by atoms of the callee,
//! which change only when it is called again. A node that several calls lead to
//! (by recursion, or where calling contexts are not told apart) keeps its
//! parameters as atoms, and nothing that was named before is used in it or after
//! it.
//!
//! # What was never initialised
//!
//! The machine chooses such a value when it is computed with, for each copy on its
//! own. Copies of it have one name here all the same: equal names are equal
//! numbers only where nothing of the kind is moved about
//! ([`Interpreter::moves_undefined`]). Pointers are equal in any case: following
//! one that was never initialised is a fault.

pub mod name;

use ir::operation::{Operation, Subject};
use ir::{Blocks, CastOp, Function, Instr, Operand, Pc, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::Action;
use crate::interpret::{Interpreter, Node};
use crate::memory::NodeIx;
use name::{Address, Atom, Name, Names};

/// What registers hold.
type Registers = Vec<Option<Address>>;

/// The names of a program's values.
pub struct Numbering<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    /// All names.
    pub names: Names,
    /// The address that an instruction accesses or synchronises at.
    addresses: FxHashMap<(NodeIx, Pc), Address>,
    /// What a thread is given where it is created.
    arguments: FxHashMap<(NodeIx, Pc), Address>,
    /// What calls pass, in the caller's names.
    passed: FxHashMap<(NodeIx, Pc), Registers>,
    /// What nodes return, in their own names.
    results: Vec<Registers>,
}

impl<'a, 'p> Numbering<'a, 'p> {
    /// Names the values of a program.
    pub fn of(interpreter: &'a Interpreter<'p>) -> Numbering<'a, 'p> {
        let nodes = interpreter.nodes.len();
        let mut numbering = Numbering {
            interpreter,
            names: Names::new(interpreter.program.pointer_width),
            addresses: FxHashMap::default(),
            arguments: FxHashMap::default(),
            passed: FxHashMap::default(),
            results: vec![Vec::new(); nodes],
        };
        // What a node calls was found after it.
        for node in (0..nodes as NodeIx).rev() {
            Walk::new(&mut numbering, node).run();
        }
        numbering.replace_parameters();
        numbering
    }

    /// The address that an instruction of a node accesses or synchronises at.
    pub fn address(&self, node: NodeIx, pc: Pc) -> Option<Address> {
        self.addresses.get(&(node, pc)).copied()
    }

    /// What the threads that an instruction creates are given.
    pub fn argument(&self, node: NodeIx, pc: Pc) -> Option<Address> {
        self.arguments.get(&(node, pc)).copied()
    }

    /// The call that leads to a node, if there is only one.
    pub fn caller(&self, node: NodeIx) -> Option<(NodeIx, Pc)> {
        match self.interpreter.nodes[node as usize].callers[..] {
            [caller] if !self.is_first(node) => Some(caller),
            _ => None,
        }
    }

    /// Whether a thread begins with a node.
    fn is_first(&self, node: NodeIx) -> bool {
        let thread = self.interpreter.nodes[node as usize].thread;
        self.interpreter.threads[thread as usize].root == node
    }

    /// Whether a node may be executed more than once at a time, so that its atoms
    /// may be those of another call.
    pub fn is_reentered(&self, node: NodeIx) -> bool {
        self.caller(node).is_none()
    }

    /// Whether a node is another one, or is called by it, directly or not.
    pub fn is_called_by(&self, node: NodeIx, by: NodeIx) -> bool {
        let caller = |node: &NodeIx| self.caller(*node).map(|(caller, _)| caller);
        std::iter::successors(Some(node), caller).any(|each| each == by)
    }

    /// Replaces the parameters of nodes that are called from one place.
    fn replace_parameters(&mut self) {
        let mut known: Vec<Option<Registers>> = vec![None; self.results.len()];
        for node in 0..known.len() {
            let Some((caller, pc)) = self.caller(node as NodeIx) else { continue };
            let Some(mut passed) = self.passed.get(&(caller, pc)).cloned() else { continue };
            for value in &mut passed {
                *value = value.and_then(|value| self.in_caller(&known, caller, value));
            }
            known[node] = Some(passed);
        }
        let replace = |numbering: &mut Self, found: FxHashMap<(NodeIx, Pc), Address>| {
            let all = found.into_iter();
            all.filter_map(|(at, value)| Some((at, numbering.in_caller(&known, at.0, value)?))).collect()
        };
        let (addresses, arguments) =
            (std::mem::take(&mut self.addresses), std::mem::take(&mut self.arguments));
        self.addresses = replace(self, addresses);
        self.arguments = replace(self, arguments);
    }

    fn in_caller(&mut self, known: &[Option<Registers>], node: NodeIx, value: Address) -> Option<Address> {
        match &known[node as usize] {
            Some(passed) => {
                // A parameter that the caller has no name for names itself.
                let own = |(at, value): (usize, &Option<Address>)| {
                    let atom = Name::Atom(Atom::Passed(node, at as u32));
                    value.or_else(|| self.names.intern(atom).map(Address::of))
                };
                let passed: Registers = passed.iter().enumerate().map(own).collect();
                self.names.replace(value, node, &passed)
            }
            None => Some(value),
        }
    }
}

/// A node with more registers than this, in all blocks, is left out.
const MAX_REGISTERS: usize = 500_000;
/// A node is gone through so many times, at most, before it is simplified.
const MAX_ROUNDS: u32 = 20;

/// Names the values of one node. The blocks are gone through in an order in
/// which predecessors come first, again and again until the set of registers
/// that are not the same on all ways to a block does not grow any more.
struct Walk<'w, 'a, 'p> {
    numbering: &'w mut Numbering<'a, 'p>,
    ix: NodeIx,
    node: &'a Node,
    function: &'a Function,
    blocks: std::rc::Rc<Blocks>,
    merged: FxHashSet<(usize, Reg)>,
    unknown: FxHashSet<(usize, Reg)>,
    entries: Vec<Option<Registers>>,
    returned: Option<Registers>,
}

impl<'w, 'a, 'p> Walk<'w, 'a, 'p> {
    fn new(numbering: &'w mut Numbering<'a, 'p>, ix: NodeIx) -> Walk<'w, 'a, 'p> {
        let interpreter = numbering.interpreter;
        let node = &interpreter.nodes[ix as usize];
        Walk {
            numbering,
            ix,
            node,
            function: interpreter.program.function(node.func),
            blocks: interpreter.blocks(node.func),
            merged: FxHashSet::default(),
            unknown: FxHashSet::default(),
            entries: Vec::new(),
            returned: None,
        }
    }

    fn run(mut self) {
        if self.node.blocks.len() * self.function.slots.len() > MAX_REGISTERS {
            return;
        }
        let order = reverse_postorder(self.node);
        for round in 0.. {
            if round == MAX_ROUNDS {
                self.give_up();
            }
            let before = (self.merged.len(), self.unknown.len());
            self.entries = vec![None; self.node.blocks.len()];
            self.returned = None;
            let start = self.start();
            self.enter(0, start);
            for block in &order {
                let Some(mut registers) = self.entries[*block].clone() else { continue };
                for pc in self.blocks.range(*block) {
                    self.instruction(pc as Pc, &mut registers);
                }
                for next in &self.node.blocks[*block].next {
                    self.enter(*next as usize, registers.clone());
                }
            }
            if before == (self.merged.len(), self.unknown.len()) {
                break;
            }
        }
        self.numbering.results[self.ix as usize] = self.returned.unwrap_or_default();
    }

    /// Names only what is defined in the same block.
    fn give_up(&mut self) {
        let slots = self.function.slots.len() as u32;
        let all =
            (0..self.node.blocks.len()).flat_map(|block| (0..slots).map(move |slot| (block, Reg(slot))));
        self.unknown.extend(all);
    }

    fn start(&mut self) -> Registers {
        let mut registers = vec![None; self.function.slots.len()];
        for (at, param) in self.function.params.iter().enumerate() {
            if param.width <= 64 {
                registers[param.reg.0 as usize] = self.atom(Atom::Passed(self.ix, at as u32));
            }
        }
        registers
    }

    fn atom(&mut self, atom: Atom) -> Option<Address> {
        self.numbering.names.intern(Name::Atom(atom)).map(Address::of)
    }

    /// Control gets to a block.
    fn enter(&mut self, block: usize, registers: Registers) {
        let before = self.entries[block].take();
        let mut entry = Vec::with_capacity(registers.len());
        for (slot, new) in registers.into_iter().enumerate() {
            let reg = Reg(slot as u32);
            // A name by what registers held here the last time is an old one.
            let is_old = |value: Address| {
                let here =
                    |atom: Atom| matches!(atom, Atom::Merged(n, b, _) if n == self.ix && b as usize == block);
                self.numbering.names.atoms_of(value).any(here)
            };
            let known = before.as_ref().map(|before| before[slot]);
            if new.is_none() || known == Some(None) {
                self.unknown.insert((block, reg));
            } else if new.is_some_and(is_old) || known.is_some_and(|known| known != new) {
                self.merged.insert((block, reg));
            }
            entry.push(if self.unknown.contains(&(block, reg)) {
                None
            } else if self.merged.contains(&(block, reg)) {
                self.atom(Atom::Merged(self.ix, block as u32, reg))
            } else {
                new
            });
        }
        self.entries[block] = Some(entry);
    }

    fn instruction(&mut self, pc: Pc, registers: &mut Registers) {
        let function = self.function;
        let instr = &function.code[pc as usize];
        self.note(pc, instr, registers);
        let value = self.value(instr, registers);
        let results = match instr {
            Instr::Call { args, .. } => self.call(pc, args, registers),
            _ => Vec::new(),
        };
        // The instruction's old results are named no more.
        let ix = self.ix;
        self.forget(registers, |atom| matches!(atom, Atom::Defined(node, at, _) if node == ix && at == pc));
        let mut defined: Vec<Reg> = Vec::new();
        instr.for_each_def(|reg, _| defined.push(reg));
        for (at, reg) in defined.into_iter().enumerate() {
            let slot = reg.0 as usize;
            if function.slots[slot].width > 64 {
                (registers[slot], registers[slot + 1]) = (None, None);
                continue;
            }
            registers[slot] = match (&value, results.get(at).copied().flatten()) {
                (Known::Value(value), _) => *value,
                (Known::New, Some(result)) => Some(result),
                (Known::New, None) => self.atom(Atom::Defined(ix, pc, reg)),
            };
        }
        if let Instr::Return { values } = instr {
            let values = values.iter().map(|arg| self.operand(arg.value, registers)).collect();
            self.returns(values);
        }
    }

    fn forget(&self, registers: &mut Registers, old: impl Fn(Atom) -> bool) {
        for register in registers {
            if register.is_some_and(|value| self.numbering.names.atoms_of(value).any(&old)) {
                *register = None;
            }
        }
    }

    fn returns(&mut self, values: Registers) {
        self.returned = Some(match self.returned.take() {
            None => values,
            Some(known) => {
                let same = |(a, b): (Option<Address>, Option<Address>)| a.filter(|_| a == b);
                known.into_iter().zip(values).map(same).collect()
            }
        });
    }

    /// Notes the addresses that an instruction uses.
    fn note(&mut self, pc: Pc, instr: &Instr, registers: &Registers) {
        let pointer = match instr {
            Instr::Load { ptr, .. } | Instr::Store { ptr, .. } | Instr::AtomicRmw { ptr, .. } => *ptr,
            Instr::CompareExchange(cx) => cx.ptr,
            Instr::MemSet { dst, .. } => *dst,
            Instr::Sync { op: ir::SyncOp::ThreadCreate, args, .. } => {
                let argument = self.operand(args[3], registers);
                self.set_noted(pc, argument, true);
                return;
            }
            Instr::Sync { op, args, .. } if is_lock(*op) => args[0],
            _ => return,
        };
        let address = self.operand(pointer, registers);
        self.set_noted(pc, address, false);
    }

    fn set_noted(&mut self, pc: Pc, value: Option<Address>, argument: bool) {
        let Numbering { arguments, addresses, .. } = &mut *self.numbering;
        let noted = if argument { arguments } else { addresses };
        match value {
            Some(value) => noted.insert((self.ix, pc), value),
            None => noted.remove(&(self.ix, pc)),
        };
    }

    fn operand(&mut self, operand: Operand, registers: &Registers) -> Option<Address> {
        let program = self.numbering.interpreter.program;
        let names = &mut self.numbering.names;
        match operand {
            Operand::Reg(reg) => registers[reg.0 as usize],
            Operand::Int(n) => names.intern(Name::Int(n)).map(Address::of),
            Operand::Global(id, offset) if !program.global(id).thread_local => {
                let base = names.intern(Name::Global(id))?;
                Some(names.plus(Address::of(base), i64::from(offset)))
            }
            _ => None,
        }
    }

    /// What an instruction yields, if that is a function of what it reads.
    fn value(&mut self, instr: &Instr, registers: &Registers) -> Known {
        match *instr {
            Instr::Move { src, width, .. } if width <= 64 => Known::Value(self.operand(src, registers)),
            Instr::Binary { op, width, lhs, rhs, .. } if width <= 64 => {
                let (a, b) = (self.operand(lhs, registers), self.operand(rhs, registers));
                self.binary(op, width, a, b)
            }
            Instr::Cast { op: op @ (CastOp::Trunc | CastOp::ZExt | CastOp::SExt), from, to, src, .. }
                if from <= 64 && to <= 64 =>
            {
                let value = self.operand(src, registers);
                Known::Value(if from == to { value } else { value.and_then(|a| self.cast(op, from, to, a)) })
            }
            Instr::PtrAdd { base, index, scale, offset, .. } => {
                let (base, index) = (self.operand(base, registers), self.operand(index, registers));
                let names = &mut self.numbering.names;
                let moved = base.zip(index).and_then(|(base, index)| names.plus_scaled(base, index, scale));
                Known::Value(moved.map(|moved| names.plus(moved, offset)))
            }
            _ => Known::New,
        }
    }

    fn binary(&mut self, op: ir::BinOp, width: u8, a: Option<Address>, b: Option<Address>) -> Known {
        let names = &mut self.numbering.names;
        let named = a.zip(b).and_then(|(a, b)| {
            let (a, b) = (names.whole(a)?, names.whole(b)?);
            names.intern(Name::Binary(op, width, a, b))
        });
        named.map_or(Known::New, |name| Known::Value(Some(Address::of(name))))
    }

    fn cast(&mut self, op: CastOp, from: u8, to: u8, value: Address) -> Option<Address> {
        let names = &mut self.numbering.names;
        let value = names.whole(value)?;
        names.intern(Name::Cast(op, from, to, value)).map(Address::of)
    }

    /// Notes what a call passes, forgets what is named by an older call of the
    /// same nodes, and yields the names of the results.
    fn call(&mut self, pc: Pc, args: &[ir::Arg], registers: &mut Registers) -> Registers {
        let passed: Registers = args.iter().map(|arg| self.operand(arg.value, registers)).collect();
        let callees = self.callees(pc);
        for callee in &callees {
            self.forget(registers, |atom| self.numbering.is_called_by(atom.node(), *callee));
        }
        let results = match callees[..] {
            [callee] if callee > self.ix && !self.numbering.is_reentered(callee) => {
                let results = self.numbering.results[callee as usize].clone();
                let names = &mut self.numbering.names;
                results.iter().map(|result| names.replace((*result)?, callee, &passed)).collect()
            }
            _ => Vec::new(),
        };
        self.numbering.passed.insert((self.ix, pc), passed);
        results
    }

    fn callees(&self, pc: Pc) -> Vec<NodeIx> {
        let events = &self.node.blocks[self.blocks.containing(pc)].events;
        let called = events.iter().filter(|event| event.pc == pc).filter_map(|event| match &event.action {
            Action::Call(nodes) => Some(nodes.iter().copied()),
            _ => None,
        });
        called.flatten().collect()
    }
}

/// Whether the first operand of an operation is a lock.
fn is_lock(op: ir::SyncOp) -> bool {
    matches!(Operation::of(op).subject, Subject::Mutex | Subject::RwLock | Subject::Spin)
}

/// What an instruction yields.
enum Known {
    /// This value, or one without a name.
    Value(Option<Address>),
    /// Something new.
    New,
}

/// A node's blocks, each after all its predecessors but those of back edges.
fn reverse_postorder(node: &Node) -> Vec<usize> {
    let mut seen = vec![false; node.blocks.len()];
    let mut order = Vec::new();
    let mut work = vec![(0, 0)];
    if let Some(first) = seen.first_mut() {
        *first = true;
    } else {
        return order;
    }
    while let Some((block, edge)) = work.pop() {
        match node.blocks[block].next.get(edge) {
            Some(next) => {
                work.push((block, edge + 1));
                let next = *next as usize;
                if !std::mem::replace(&mut seen[next], true) {
                    work.push((next, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}
