//! Loops that join all the threads that another loop has created.
//!
//! A counting loop has a counter that starts at a constant, is compared with a
//! bound where the loop begins anew, and grows by one in each round. If it is
//! left nowhere else, it has exactly as many rounds as lie between the two.
//!
//! Let the one instruction that creates a thread stand in such a loop, and a
//! join of that thread, by whatever handle, in every round of another. Each join
//! ends another instance of the thread, since joining one that was joined before
//! is a fault. So when the second loop is left in the regular way, and it has at
//! least as many rounds as the first can have, all instances have ended: there
//! are no more of them than the first loop has rounds. Both loops must be
//! executed at most once, and neither may lie in another.

use std::rc::Rc;

use ir::{BinOp, Blocks, Function, Instr, Operand, Pc, Pred, Reg};

use crate::event::Action;
use crate::interpret::{Interpreter, Node};
use crate::memory::{NodeIx, ThreadIx};
use crate::shape::{Shape, components};

/// An edge of a node's blocks after which all instances of a thread have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllJoined {
    /// The node.
    pub node: NodeIx,
    /// The block where the loop that joins them is left.
    pub from: u32,
    /// The block that follows.
    pub to: u32,
    /// The thread.
    pub thread: ThreadIx,
    /// Whether the loop that creates them can still come.
    pub created_later: bool,
}

/// The edges after which all instances of some thread have ended.
pub fn all_joined(interpreter: &Interpreter<'_>, shape: &Shape) -> Vec<AllJoined> {
    let mut found = Vec::new();
    for (ix, thread) in interpreter.threads.iter().enumerate() {
        let [(creator, pc)] = thread.creators[..] else { continue };
        if shape.is_unique(ix as ThreadIx) || !shape.is_executed_once(creator) {
            continue;
        }
        let node = &interpreter.nodes[creator as usize];
        let code = Code::new(interpreter, node);
        let Some(creating) = code.counting_loop(pc) else { continue };
        for (join, at) in joins(interpreter, ix as ThreadIx) {
            // Registers of other functions cannot be compared with.
            if join != creator {
                continue;
            }
            let Some(joining) = code.counting_loop(at) else { continue };
            if joining.rounds.cover(&creating.rounds)
                && joining.head != creating.head
                && code.leaves_at_head(&joining)
            {
                let created_later = code.reaches(joining.exit, code.blocks.containing(pc));
                let (from, to) = (joining.head as u32, joining.exit as u32);
                found.push(AllJoined { node: join, from, to, thread: ix as ThreadIx, created_later });
            }
        }
    }
    found
}

/// Where a thread is joined.
fn joins(interpreter: &Interpreter<'_>, thread: ThreadIx) -> Vec<(NodeIx, Pc)> {
    let mut found = Vec::new();
    for (ix, node) in interpreter.nodes.iter().enumerate() {
        let events = node.blocks.iter().flat_map(|block| &block.events);
        let joins = events.filter(|event| event.action == Action::Join(Some(thread)));
        found.extend(joins.map(|event| (ix as NodeIx, event.pc)));
    }
    found
}

/// How many rounds a loop has: from a number up to a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rounds {
    first: u64,
    bound: Operand,
    pred: Pred,
    width: u8,
}

impl Rounds {
    /// Whether there are at least as many as another loop has.
    fn cover(&self, other: &Rounds) -> bool {
        match (self.count(), other.count()) {
            (Some(own), Some(others)) => own >= others,
            _ => {
                let same = self.bound == other.bound && self.pred == other.pred && self.width == other.width;
                same && self.pred == Pred::Slt && self.first <= other.first && other.first < 1 << 31
            }
        }
    }

    fn count(&self) -> Option<u64> {
        let Operand::Int(bound) = self.bound else { return None };
        let bound = domains::fold::signed(bound, self.width);
        let first = domains::fold::signed(self.first, self.width);
        (first >= 0 && bound >= first).then(|| (bound - first) as u64)
    }
}

/// A loop in every round of which an instruction is executed while a counter has
/// another value. No value comes again: the counter grows by one in each round, in
/// which it is below a bound, and the loop is entered once.
pub struct Counted {
    /// The block where the loop begins anew.
    pub head: usize,
    /// Its blocks.
    pub blocks: Vec<usize>,
    /// The register that counts.
    pub counter: Reg,
    /// Its width.
    pub width: u8,
    /// How many rounds there are, at most, if that is known.
    pub rounds: Option<u64>,
}

/// The counting loop that an instruction is in, if it is executed once.
pub fn counted(interpreter: &Interpreter<'_>, shape: &Shape, (node, pc): (NodeIx, Pc)) -> Option<Counted> {
    if !shape.is_executed_once(node) {
        return None;
    }
    let Counting { head, blocks, counter, rounds, .. } =
        Code::new(interpreter, &interpreter.nodes[node as usize]).counting_loop(pc)?;
    Some(Counted { head, blocks, counter, width: rounds.width, rounds: rounds.count() })
}

impl Counted {
    /// Whether an instruction of the loop comes before another one in each round
    /// in which it is executed.
    pub fn comes_before(&self, interpreter: &Interpreter<'_>, node: NodeIx, first: Pc, then: Pc) -> bool {
        let node = &interpreter.nodes[node as usize];
        let blocks = interpreter.blocks(node.func);
        let (at, from) = (blocks.containing(first), blocks.containing(then));
        let (mut seen, mut work) = (vec![false; node.blocks.len()], Vec::new());
        let within = |block: &usize| *block != self.head && self.blocks.contains(block);
        let next = |block: usize| node.blocks[block].next.iter().map(|next| *next as usize).filter(within);
        work.extend(next(from));
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                work.extend(next(block));
            }
        }
        self.blocks.contains(&at) && !seen[at] && (at != from || first < then)
    }
}

/// A counting loop.
struct Counting {
    counter: Reg,
    head: usize,
    exit: usize,
    blocks: Vec<usize>,
    rounds: Rounds,
}

/// A function's code as a node executes it.
struct Code<'a> {
    function: &'a Function,
    node: &'a Node,
    blocks: Rc<Blocks>,
    loops: Vec<Vec<usize>>,
}

impl<'a> Code<'a> {
    fn new(interpreter: &Interpreter<'a>, node: &'a Node) -> Code<'a> {
        let function = interpreter.program.function(node.func);
        let all: Vec<usize> = (0..node.blocks.len()).collect();
        let loops = components(node, &all).into_iter().filter(|blocks| blocks.len() > 1).collect();
        Code { function, node, blocks: interpreter.blocks(node.func), loops }
    }

    /// The counting loop in each round of which an instruction is executed
    /// exactly once, or not at all if the loop is left there; it lies in no
    /// other loop.
    fn counting_loop(&self, pc: Pc) -> Option<Counting> {
        let block = self.blocks.containing(pc);
        let blocks = self.loops.iter().find(|blocks| blocks.contains(&block))?.clone();
        let entries: Vec<(usize, usize)> =
            self.edges().filter(|(from, to)| !blocks.contains(from) && blocks.contains(to)).collect();
        let head = entries.first()?.1;
        if blocks.contains(&0) || entries.iter().any(|(_, to)| *to != head) {
            return None;
        }
        let (counter, bound, pred, width, exit) = self.test(head, &blocks)?;
        let step = self.step(counter, &blocks)?;
        let in_each_round = |block: usize| self.is_in_each_round(head, &blocks, block);
        if !in_each_round(step) || !in_each_round(block) || !self.is_fixed(bound, head) {
            return None;
        }
        let first = entries
            .iter()
            .map(|(from, _)| self.constant_at_end(*from, counter, 8))
            .collect::<Option<Vec<u64>>>()?;
        let rounds = Rounds { first: *first.first()?, bound, pred, width };
        first.iter().all(|each| *each == rounds.first).then_some(Counting {
            counter,
            head,
            exit,
            blocks,
            rounds,
        })
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let blocks = self.node.blocks.iter().enumerate().filter(|(_, block)| block.reached);
        blocks.flat_map(|(from, block)| block.next.iter().map(move |to| (from, *to as usize)))
    }

    /// Whether the loop is left only where its counter reaches the bound.
    fn leaves_at_head(&self, counting: &Counting) -> bool {
        let Counting { head, exit, blocks, .. } = counting;
        self.edges()
            .filter(|(from, to)| blocks.contains(from) && !blocks.contains(to))
            .all(|edge| edge == (*head, *exit))
    }

    /// The comparison of a counter with a bound that keeps a loop going, and
    /// where it goes otherwise.
    fn test(&self, head: usize, blocks: &[usize]) -> Option<(Reg, Operand, Pred, u8, usize)> {
        let range = self.blocks.range(head);
        let (last, before) = self.function.code[range].split_last()?;
        let Instr::Branch { cond: Operand::Reg(cond), yes, no } = last else { return None };
        let (yes, no) = (self.blocks.containing(*yes), self.blocks.containing(*no));
        let Some(Instr::Compare { pred, width, dst, lhs: Operand::Reg(counter), rhs }) = before.last() else {
            return None;
        };
        let goes_on = blocks.contains(&yes) && !blocks.contains(&no);
        let counts = matches!(pred, Pred::Slt | Pred::Ult);
        (dst == cond && goes_on && counts && *width <= 64).then_some((*counter, *rhs, *pred, *width, no))
    }

    /// The block in which the counter grows by one, if it changes nowhere else
    /// in the loop.
    fn step(&self, counter: Reg, blocks: &[usize]) -> Option<usize> {
        let mut found = None;
        for block in blocks {
            let code = &self.function.code[self.blocks.range(*block)];
            for (at, instr) in code.iter().enumerate() {
                let mut defines = false;
                instr.for_each_def(|def, _| defines |= def == counter);
                if !defines {
                    continue;
                }
                if found.is_some() || !is_increment(code, at, counter) {
                    return None;
                }
                found = Some(*block);
            }
        }
        found
    }

    /// Whether every round of a loop passes a block exactly once: no cycle of
    /// the loop avoids it, and none that has it avoids the head.
    fn is_in_each_round(&self, head: usize, blocks: &[usize], block: usize) -> bool {
        let without = |left_out: usize| -> Vec<Vec<usize>> {
            let rest: Vec<usize> = blocks.iter().copied().filter(|other| *other != left_out).collect();
            components(self.node, &rest)
        };
        let cycles = |block: usize| self.node.blocks[block].next.contains(&(block as u32));
        let alone = || without(head).iter().any(|part| part[..] == [block]) && !cycles(block);
        let avoidable = || without(block).iter().any(|part| part.len() > 1 && part.contains(&head));
        !cycles(head) && (block == head || alone() && !avoidable())
    }

    /// Whether a bound is the same in every round of a loop and in all that
    /// follows it.
    fn is_fixed(&self, operand: Operand, head: usize) -> bool {
        let Operand::Reg(reg) = operand else { return matches!(operand, Operand::Int(_)) };
        let passed = self.function.params.iter().any(|param| param.reg == reg);
        let mut defined = Vec::new();
        for (pc, instr) in self.function.code.iter().enumerate() {
            instr.for_each_def(|def, _| defined.extend((def == reg).then_some(pc)));
        }
        match defined[..] {
            [] => passed,
            [pc] if !passed => !self.reaches(head, self.blocks.containing(pc as Pc)),
            _ => false,
        }
    }

    /// The constant that a register holds at the end of a block.
    fn constant_at_end(&self, block: usize, reg: Reg, patience: u8) -> Option<u64> {
        for instr in self.function.code[self.blocks.range(block)].iter().rev() {
            let mut defines = false;
            instr.for_each_def(|def, _| defines |= def == reg);
            match instr {
                Instr::Move { src: Operand::Int(n), .. } if defines => return Some(*n),
                _ if defines => return None,
                _ => {}
            }
        }
        let before: Vec<usize> = self.edges().filter(|(_, to)| *to == block).map(|(from, _)| from).collect();
        match before[..] {
            [only] if patience > 0 => self.constant_at_end(only, reg, patience - 1),
            _ => None,
        }
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut work) = (vec![false; self.node.blocks.len()], vec![from]);
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                work.extend(self.node.blocks[block].next.iter().map(|next| *next as usize));
            }
        }
        seen[to]
    }
}

/// Whether an instruction makes a counter one greater: by adding to it, or by
/// moving the sum to it that was computed before.
fn is_increment(code: &[Instr], at: usize, counter: Reg) -> bool {
    let adds = |instr: &Instr, to: Reg| {
        matches!(instr, Instr::Binary { op: BinOp::Add, dst, lhs: Operand::Reg(lhs), rhs: Operand::Int(1), .. }
            if *dst == to && *lhs == counter)
    };
    match &code[at] {
        Instr::Move { src: Operand::Reg(sum), .. } => at > 0 && adds(&code[at - 1], *sum),
        instr => adds(instr, counter),
    }
}
