//! Numbers that a counter hands out once.
//!
//! A *ticket* is what a load of a global counter yields, in a block that stores
//! the value plus a constant back before it does anything with other threads. If
//! a lock (or an atomic section) is held all the while, and whatever writes the
//! counter otherwise does so while no thread is alive that takes tickets, then the
//! counter only grows, and no two loads yield the same. Threads that access
//! elements of an array at the index of their tickets access different ones
//! ([`crate::elements::Own`]).
//!
//! A counter that is not bounded wraps some time, and hands its numbers out
//! again. So the block must follow a test in the block before, under the same
//! lock, that the counter is below a constant.

use ir::{BinOp, CastOp, Instr, Operand, Pc, Pred, Reg};
use smallvec::SmallVec;

use crate::elements::{Key, Own};
use crate::event::{Access, Action, Event};
use crate::flow::Site;
use crate::interpret::{Interpreter, Node};
use crate::memory::{Kind, NodeIx};
use crate::numbering::Numbering;
use crate::numbering::name::{Atom, Name, NameIx};
use crate::value::ObjIx;

/// A counter: where it is, and how many bytes it has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Counter {
    /// The variable.
    pub obj: ObjIx,
    /// Its offset there.
    pub offset: i64,
    /// Its size.
    pub len: u64,
}

/// A block that takes a ticket.
#[derive(Debug)]
pub struct Taking {
    /// The counter.
    pub counter: Counter,
    /// The loads in it, and in the test before.
    pub loads: SmallVec<[Site; 2]>,
    /// The store.
    pub store: Site,
    /// The register in which each of its own loads leaves the ticket.
    tickets: SmallVec<[(Site, Reg); 2]>,
    /// Tickets are smaller than this as numbers without a sign, if the counter is
    /// tested as one.
    pub below: Option<u64>,
}

/// All blocks that take tickets.
pub struct Tickets<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    numbering: &'a Numbering<'a, 'p>,
    /// The blocks.
    pub taking: Vec<Taking>,
}

/// What is added to a counter, and the distance of two elements, are smaller than
/// this.
const MAX_STEP: u64 = 1 << 24;

impl<'a, 'p> Tickets<'a, 'p> {
    /// Finds the blocks that take tickets.
    pub fn of(interpreter: &'a Interpreter<'p>, numbering: &'a Numbering<'a, 'p>) -> Tickets<'a, 'p> {
        let mut tickets = Tickets { interpreter, numbering, taking: Vec::new() };
        if interpreter.moves_undefined {
            return tickets;
        }
        for (ix, node) in interpreter.nodes.iter().enumerate() {
            let blocks = (0..node.blocks.len()).filter(|block| node.blocks[*block].reached);
            let found = blocks.filter_map(|block| tickets.taking(ix as NodeIx, node, block));
            let found: Vec<Taking> = found.collect();
            tickets.taking.extend(found);
        }
        tickets
    }

    /// How a block takes a ticket.
    fn taking(&self, ix: NodeIx, node: &Node, block: usize) -> Option<Taking> {
        let code = &self.interpreter.program.function(node.func).code;
        let range = self.interpreter.blocks(node.func).range(block);
        let (store, counter) = self.first_store(node, block)?;
        let quiet = (range.start..store as usize).all(|pc| !is_about_threads(&code[pc]));
        let Instr::Store { value: Operand::Reg(sum), width, .. } = code[store as usize] else { return None };
        let own: SmallVec<[(Site, Reg); 2]> =
            self.loads(ix, node, block, counter).filter(|((_, pc), _)| *pc < store).collect();
        let step = own.iter().find_map(|(load, reg)| self.step(code, *load, *reg, (sum, store, width)))?;
        let (loads, pred, bound) = self.test(ix, node, block, counter)?;
        let (limit, below) = match pred {
            Pred::Slt => ((1 << (width - 1)) - 1, None),
            _ => (domains::fold::mask(width), Some(bound)),
        };
        if !quiet || u64::from(width) != counter.len * 8 || bound.checked_add(step)? > limit {
            return None;
        }
        let loads = own.iter().map(|(site, _)| *site).chain(loads).collect();
        Some(Taking { counter, loads, store: (ix, store), tickets: own, below })
    }

    /// The first store of a block, if it is to a known place in a global variable.
    fn first_store(&self, node: &Node, block: usize) -> Option<(Pc, Counter)> {
        let writes = |event: &&Event| matches!(&event.action, Action::Access(access) if access.write);
        let store = node.blocks[block].events.iter().find(writes)?;
        Some((store.pc, self.counter(store)?))
    }

    fn counter(&self, event: &Event) -> Option<Counter> {
        let Action::Access(Access { targets, len: Some(len), .. }) = &event.action else { return None };
        let [ptr] = targets[..] else { return None };
        let global = matches!(self.interpreter.memory.get(ptr.obj).kind, Kind::Global(_));
        let offset = ptr.off.known().filter(|_| global && *len <= 8)?;
        Some(Counter { obj: ptr.obj, offset, len: *len })
    }

    /// The loads of a counter in a block.
    fn loads<'s>(
        &'s self,
        ix: NodeIx,
        node: &'s Node,
        block: usize,
        counter: Counter,
    ) -> impl Iterator<Item = (Site, Reg)> + 's {
        let code = &self.interpreter.program.function(node.func).code;
        let events = node.blocks[block].events.iter();
        events.filter(move |event| self.counter(event) == Some(counter)).filter_map(move |event| {
            match code[event.pc as usize] {
                Instr::Load { dst, .. } => Some(((ix, event.pc), dst)),
                _ => None,
            }
        })
    }

    /// What is added to a load before it is stored: the sum is computed between
    /// the two, and neither the load nor the sum is overwritten.
    fn step(
        &self,
        code: &[Instr],
        load: Site,
        loaded: Reg,
        (sum, store, width): (Reg, Pc, u8),
    ) -> Option<u64> {
        let between = &code[load.1 as usize + 1..store as usize];
        let at = between.iter().position(|instr| {
            matches!(instr, Instr::Binary { op: BinOp::Add, width: own, dst, lhs: Operand::Reg(lhs), .. }
                if *dst == sum && *lhs == loaded && *own == width)
        })?;
        let Instr::Binary { rhs: Operand::Int(step), .. } = between[at] else { return None };
        let defines = |instrs: &[Instr], reg: Reg| {
            let mut found = false;
            instrs.iter().for_each(|instr| instr.for_each_def(|def, _| found |= def == reg));
            found
        };
        let kept = !defines(&between[..at], loaded) && !defines(&between[at + 1..], sum);
        (kept && (1..MAX_STEP).contains(&step)).then_some(step)
    }

    /// The test in the one block before, that the counter is below a constant:
    /// the loads that it looks at, how it compares, and the constant.
    fn test(
        &self,
        ix: NodeIx,
        node: &Node,
        block: usize,
        counter: Counter,
    ) -> Option<(SmallVec<[Site; 1]>, Pred, u64)> {
        let leads = |from: &usize| node.blocks[*from].next.contains(&(block as u32));
        let mut before = (0..node.blocks.len()).filter(leads);
        let from = before.next().filter(|_| before.next().is_none() && block != 0)?;
        let code = &self.interpreter.program.function(node.func).code;
        let blocks = self.interpreter.blocks(node.func);
        let [.., compare, Instr::Branch { cond, yes, no }] = &code[blocks.range(from)] else { return None };
        let Instr::Compare { pred, width, dst, lhs: Operand::Reg(tested), rhs: Operand::Int(bound) } =
            *compare
        else {
            return None;
        };
        let below = matches!(pred, Pred::Slt | Pred::Ult)
            && u64::from(width) == counter.len * 8
            && *cond == Operand::Reg(dst)
            && blocks.containing(*yes) == block
            && yes != no;
        let (load, _) = self.loads(ix, node, from, counter).last().filter(|(_, reg)| *reg == tested)?;
        // The load is what is compared, and all that follows stays in the section.
        let after = &code[load.1 as usize + 1..blocks.range(from).end - 2];
        let mut overwritten = false;
        after.iter().for_each(|instr| instr.for_each_def(|def, _| overwritten |= def == tested));
        let quiet = !overwritten && !after.iter().any(is_about_threads);
        (below && quiet && bound < 1 << 62).then(|| (smallvec::smallvec![load], pred, bound))
    }

    /// The elements at the index of a ticket that an access is made to.
    pub fn owned(&self, access: Site) -> SmallVec<[Own; 1]> {
        let Some(address) = self.numbering.address(access.0, access.1) else { return SmallVec::new() };
        let Some((index, scale)) = address.term else { return SmallVec::new() };
        let array = matches!(self.numbering.names.get(address.base), Name::Global(_));
        let own = |taking: &Taking| {
            let width = taking.counter.len as u8 * 8;
            let taken =
                |(site, reg): &(Site, Reg)| self.is_ticket(index, Atom::Defined(site.0, site.1, *reg), width);
            let is_own = array && taking.tickets.iter().any(taken) && self.is_small(taking, scale);
            is_own.then(|| Own::new(Key::Counter(taking.counter), address.base, scale, address.offset))
        };
        self.taking.iter().filter_map(own).collect()
    }

    /// Whether a name is a ticket, perhaps extended.
    fn is_ticket(&self, name: NameIx, atom: Atom, width: u8) -> bool {
        match self.numbering.names.get(name) {
            Name::Atom(other) => other == atom,
            Name::Cast(CastOp::SExt | CastOp::ZExt, from, _, inner) => {
                from == width && self.numbering.names.get(inner) == Name::Atom(atom)
            }
            _ => false,
        }
    }

    /// Whether the distances of all elements are too small to wrap.
    fn is_small(&self, taking: &Taking, scale: i64) -> bool {
        let scale = scale.unsigned_abs();
        let wide = self.interpreter.program.pointer_width == 64 && taking.counter.len <= 4;
        let bounded = taking.below.is_some_and(|below| below < (1 << 31) / scale.max(1));
        (1..MAX_STEP).contains(&scale) && (wide || bounded)
    }
}

/// Whether an instruction may do something with other threads, or with locks.
fn is_about_threads(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Sync { .. }
            | Instr::Call { .. }
            | Instr::AtomicBegin { .. }
            | Instr::AtomicEnd { .. }
            | Instr::CompareExchange(_)
            | Instr::AtomicRmw { .. }
    )
}
