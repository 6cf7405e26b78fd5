//! Locks and threads along the control flow: what is certainly held, which
//! threads may have been created, which have certainly ended.
//!
//! Each is a forward flow over the events of all nodes. It goes into calls and
//! out of them, and from the creation of a thread to its start.
//!
//! - **Locks that are certainly held.** A lock counts if it is taken at one
//!   known place, by an operation that cannot fail or where it has not
//!   ([`crate::attempts`]). It is lost where a lock at a place that may be
//!   the same is given back. No other thread can give it back (the machine
//!   calls that a fault, or refuses), and a mutex that was taken twice and given back
//!   once is taken for free. Writing to its bytes makes it a new lock that
//!   is free, and loses it too. A wait on a condition gives its mutex back and
//!   takes it again before the thread does anything else.
//! - **Locks at an address with a name** ([`crate::numbering`]), taken by an
//!   operation that cannot fail. Such a lock is lost as well where its name does
//!   not hold any more, because something that it is a function of is defined
//!   anew. A lock at a place that may be the same is given back, or
//!   overwritten, loses it.
//! - **Atomic sections.** What counts is the outermost section, and whether it
//!   is ordered with others. Where it is not known how deep sections are nested,
//!   nothing counts any more.
//! - **Threads that may be alive** of those that this thread created: those that
//!   it has not joined. A join of a thread by its handle ends the one instance
//!   that is alive, if there can be no more than one ([`Held::many`]): joining
//!   one that was joined before is a fault. A loop may join them all
//!   ([`crate::counting`]). What the joined thread had created
//!   and not joined may live on ([`Held::left`]).
//! - **Threads that have certainly ended**: those that were joined, if they are
//!   unique, with all that they had joined in turn when they ended. A new thread
//!   starts with what had ended when it was created, in all places where that
//!   happens.

mod named;
mod threads;

use ir::Pc;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::attempts::{Taken, taken};
use crate::counting::{AllJoined, all_joined};
use crate::event::{Action, LockKind};
use crate::interpret::Interpreter;
use crate::memory::{NodeIx, ThreadIx};
use crate::numbering::Numbering;
use crate::numbering::name::Atom;
use crate::shape::Shape;
use crate::value::{Meets, ObjIx, Off, Ptr};

pub use named::TakenAt;
pub use threads::Threads;

/// A lock at a known place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lock {
    /// The object that it is in.
    pub obj: ObjIx,
    /// Its offset in the object.
    pub off: i64,
    /// Its kind.
    pub kind: LockKind,
}

/// The instruction that took a lock.
pub type Site = (NodeIx, Pc);

/// Where in atomic sections a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Section {
    /// So many are open, and the outermost is ordered with others or not.
    Depth(u8, bool),
    /// This is not known.
    Unknown,
}

/// What holds at a point of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Held {
    /// The locks that are certainly held, each with whether no other
    /// thread can hold it as well; ascending.
    pub locks: SmallVec<[(Lock, bool); 2]>,
    /// The instructions by which locks were taken that are certainly held, at
    /// addresses whose names still hold ([`crate::numbering`]); ascending.
    pub named: SmallVec<[Site; 2]>,
    /// The atomic sections that are open.
    pub section: Section,
    /// The threads that this one may have created and not joined.
    pub alive: Threads,
    /// Those of which there may be several such.
    pub many: Threads,
    /// The threads that joined ones may have left behind.
    pub left: Threads,
    /// The threads that have certainly ended before this point.
    pub ended: Threads,
}

impl Held {
    fn start(ended: Threads) -> Held {
        let (locks, named, alive, many, left) = Default::default();
        Held { locks, named, section: Section::Depth(0, false), alive, many, left, ended }
    }

    /// Whether the point lies in a section that is ordered with others.
    pub fn in_section(&self) -> bool {
        matches!(self.section, Section::Depth(1.., true))
    }

    fn merge(&mut self, other: &Held) -> bool {
        let before = self.clone();
        self.locks.retain(|(lock, _)| other.locks.iter().any(|(known, _)| known == lock));
        for (lock, exclusive) in &mut self.locks {
            *exclusive &= other.locks.contains(&(*lock, true));
        }
        self.named.retain(|site| other.named.contains(site));
        if self.section != other.section {
            self.section = Section::Unknown;
        }
        self.alive = self.alive.union(other.alive);
        self.many = self.many.union(other.many);
        self.left = self.left.union(other.left);
        self.ended = self.ended.intersection(other.ended);
        *self != before
    }

    fn take(&mut self, lock: Lock, exclusive: bool) {
        self.locks.retain(|(known, _)| *known != lock);
        let at = self.locks.partition_point(|(known, _)| *known < lock);
        self.locks.insert(at, (lock, exclusive));
    }

    /// Bytes of a lock that are overwritten make it a new one that is free.
    fn overwrite(&mut self, targets: &[Ptr], len: Option<u64>) {
        let len = len.unwrap_or(u64::MAX >> 2);
        self.locks.retain(|(lock, _)| {
            let place = Off::exact(lock.off);
            !targets.iter().any(|ptr| ptr.obj == lock.obj && ptr.off.meets(len, place, 1) != Meets::Never)
        });
    }

    fn give_back(&mut self, targets: &[Ptr], kind: LockKind) {
        self.locks.retain(|(lock, _)| {
            let may_be = |ptr: &Ptr| {
                let same = |off: i64| off == lock.off;
                ptr.obj == lock.obj && ptr.off.known().is_none_or(same)
            };
            lock.kind != kind || !targets.iter().any(may_be)
        });
    }
}

/// What holds where a thread ends, in all places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct End {
    ended: Threads,
    left: Threads,
}

/// The flow through all nodes.
pub struct FlowOf<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    shape: &'a Shape,
    numbering: &'a Numbering<'a, 'p>,
    entries: Vec<Option<Held>>,
    exits: Vec<Option<Held>>,
    points: Vec<Vec<Option<Held>>>,
    starts: Vec<Option<Threads>>,
    ends: Vec<Option<End>>,
    /// Threads that may be created while an earlier instance is alive, or by
    /// several threads.
    pub overlapping: Threads,
    joiners: FxHashMap<ThreadIx, Vec<NodeIx>>,
    /// Whether a thread may end within an atomic section, so that what it did
    /// there is not ordered with later sections.
    pub section_left_open: bool,
    all_joined: Vec<AllJoined>,
    taken: Vec<Taken>,
    queue: Vec<NodeIx>,
    work: u64,
}

/// So many events are looked at, at most.
const MAX_WORK: u64 = 3_000_000;

impl<'a, 'p> FlowOf<'a, 'p> {
    /// Computes the flow; `None` if that would take too long.
    pub fn new(
        interpreter: &'a Interpreter<'p>,
        shape: &'a Shape,
        numbering: &'a Numbering<'a, 'p>,
    ) -> Option<FlowOf<'a, 'p>> {
        let nodes = interpreter.nodes.len();
        let threads = interpreter.threads.len();
        let mut flow = FlowOf {
            interpreter,
            shape,
            numbering,
            entries: vec![None; nodes],
            exits: vec![None; nodes],
            points: interpreter.nodes.iter().map(|node| vec![None; node.blocks.len()]).collect(),
            starts: vec![None; threads],
            ends: vec![None; threads],
            overlapping: Threads::default(),
            joiners: FxHashMap::default(),
            section_left_open: false,
            all_joined: all_joined(interpreter, shape),
            taken: taken(interpreter),
            queue: Vec::new(),
            work: 0,
        };
        flow.enter(interpreter.threads[0].root, &Held::start(Threads::default()));
        while let Some(node) = flow.queue.pop() {
            flow.run(node);
            if flow.work > MAX_WORK {
                return None;
            }
        }
        Some(flow)
    }

    /// Calls `f` with every event that can happen and what holds there.
    pub fn for_each(&self, mut f: impl FnMut(NodeIx, &crate::event::Event, &Held)) {
        self.for_each_block(|node, block, helds| {
            let events = &self.interpreter.nodes[node as usize].blocks[block].events;
            events.iter().zip(helds).for_each(|(event, held)| f(node, event, held));
        });
    }

    /// Calls `f` with every block that can be reached and what holds before each
    /// of its events that can happen and, if its end can be reached, there.
    pub fn for_each_block(&self, mut f: impl FnMut(NodeIx, usize, &[Held])) {
        let mut flow = FlowOf {
            entries: self.entries.clone(),
            exits: self.exits.clone(),
            points: Vec::new(),
            starts: self.starts.clone(),
            ends: self.ends.clone(),
            joiners: FxHashMap::default(),
            all_joined: Vec::new(),
            taken: Vec::new(),
            queue: Vec::new(),
            ..*self
        };
        for (ix, node) in self.interpreter.nodes.iter().enumerate() {
            for (at, (block, point)) in node.blocks.iter().zip(&self.points[ix]).enumerate() {
                let Some(mut held) = point.clone() else { continue };
                let mut helds = Vec::with_capacity(block.events.len() + 1);
                let mut from = self.interpreter.blocks(node.func).range(at).start as Pc;
                let mut goes_on = true;
                for event in &block.events {
                    flow.define(ix as NodeIx, from..event.pc, &mut held);
                    helds.push(held.clone());
                    goes_on = flow.pass(ix as NodeIx, event, &mut held);
                    if !goes_on {
                        break;
                    }
                    from = event.pc;
                }
                if goes_on {
                    helds.push(held.clone());
                }
                f(ix as NodeIx, at, &helds);
            }
        }
    }

    /// What holds where a node returns.
    pub fn exit(&self, node: NodeIx) -> Option<&Held> {
        self.exits[node as usize].as_ref()
    }

    fn enqueue(&mut self, node: NodeIx) {
        if !self.queue.contains(&node) {
            self.queue.push(node);
        }
    }

    fn enter(&mut self, node: NodeIx, held: &Held) {
        if merge_into(&mut self.entries[node as usize], held) {
            self.enqueue(node);
        }
    }

    fn run(&mut self, ix: NodeIx) {
        let interpreter = self.interpreter;
        let node = &interpreter.nodes[ix as usize];
        let Some(entry) = self.entries[ix as usize].clone() else { return };
        if let Some(first) = self.points[ix as usize].first_mut() {
            merge_into(first, &entry);
        }
        // The exits of what is called may have changed, so that every block
        // that was reached is looked at again.
        let mut work: Vec<usize> =
            (0..node.blocks.len()).rev().filter(|block| self.points[ix as usize][*block].is_some()).collect();
        while let Some(block) = work.pop() {
            let Some(mut held) = self.points[ix as usize][block].clone() else { continue };
            self.work += 1 + node.blocks[block].events.len() as u64;
            let range = interpreter.blocks(node.func).range(block);
            let mut from = range.start as Pc;
            let goes_on = node.blocks[block].events.iter().all(|event| {
                self.define(ix, from..event.pc, &mut held);
                from = event.pc;
                self.pass(ix, event, &mut held)
            });
            if !goes_on {
                continue;
            }
            self.define(ix, from..range.end as Pc, &mut held);
            for next in &node.blocks[block].next {
                let Some(held) = self.leave(ix, (block as u32, *next), held.clone()) else { continue };
                let next = *next as usize;
                if merge_into(&mut self.points[ix as usize][next], &held) && !work.contains(&next) {
                    work.push(next);
                }
            }
        }
    }

    /// What holds after an edge: a lock that was tried may be held, and a loop may
    /// be left that joins all instances of a thread. `None` if such a thread never
    /// ends.
    fn leave(&mut self, node: NodeIx, (from, to): (u32, u32), mut held: Held) -> Option<Held> {
        let tried = |each: &&Taken| each.node == node && each.from == from && each.to == to;
        if let Some(Taken { lock, exclusive, .. }) = self.taken.iter().find(tried) {
            held.take(*lock, *exclusive);
        }
        self.lose(&mut held, |atom| matches!(atom, Atom::Merged(of, block, _) if of == node && block == to));
        let here = |each: &&AllJoined| each.node == node && each.from == from && each.to == to;
        for AllJoined { thread, created_later, .. } in
            self.all_joined.iter().filter(here).copied().collect::<Vec<_>>()
        {
            let end = self.end_of(node, thread)?;
            held.alive.remove(thread);
            held.many.remove(thread);
            held.left = held.left.union(end.left);
            if !created_later {
                held.ended = held.ended.union(end.ended);
                held.ended.insert(thread);
            }
        }
        Some(held)
    }

    /// What holds where a thread ends, for a node that has joined it.
    fn end_of(&mut self, node: NodeIx, thread: ThreadIx) -> Option<End> {
        let joiners = self.joiners.entry(thread).or_default();
        if !joiners.contains(&node) {
            joiners.push(node);
        }
        self.ends[thread as usize]
    }

    /// What holds after an event; whether anything comes after it.
    fn pass(&mut self, node: NodeIx, event: &crate::event::Event, held: &mut Held) -> bool {
        match &event.action {
            Action::Access(access) if access.write => {
                held.overwrite(&access.targets, access.len);
                self.lose_at(held, &access.targets, access.len, None);
            }
            Action::Renew(targets) => {
                held.overwrite(targets, Some(1));
                self.lose_at(held, targets, Some(1), None);
            }
            Action::Access(_) | Action::Other => {}
            Action::Lock { targets, kind, exclusive, attempt } => {
                if let ([ptr], false) = (&targets[..], attempt)
                    && let Some(off) = ptr.off.known()
                {
                    held.take(Lock { obj: ptr.obj, off, kind: *kind }, *exclusive);
                }
                let site = (node, event.pc);
                if !attempt && self.named(site).is_some() && !held.named.contains(&site) {
                    let at = held.named.partition_point(|known| *known < site);
                    held.named.insert(at, site);
                }
            }
            Action::Unlock { targets, kind } => {
                held.give_back(targets, *kind);
                self.lose_at(held, targets, Some(1), Some(*kind));
            }
            Action::Create(threads) => threads.iter().for_each(|thread| self.create(node, *thread, held)),
            Action::Join(Some(thread)) => return self.join(node, *thread, held),
            Action::Join(None) => {}
            Action::Begin { orders } => {
                held.section = match held.section {
                    Section::Depth(0, _) => Section::Depth(1, *orders),
                    Section::Depth(depth, outer) if depth < u8::MAX => Section::Depth(depth + 1, outer),
                    _ => Section::Unknown,
                }
            }
            Action::End { orders } => {
                held.section = match held.section {
                    Section::Depth(0 | 1, outer) if outer && !orders => {
                        self.section_left_open = true;
                        Section::Depth(0, false)
                    }
                    Section::Depth(0 | 1, _) => Section::Depth(0, false),
                    Section::Depth(depth, outer) => Section::Depth(depth - 1, outer),
                    Section::Unknown => Section::Unknown,
                }
            }
            Action::Call(callees) => return self.call((node, event.pc), callees, held),
            Action::Return => {
                let thread = self.interpreter.nodes[node as usize].thread;
                if self.interpreter.threads[thread as usize].root == node {
                    self.end(thread, held);
                }
                if merge_into(&mut self.exits[node as usize], held) {
                    let callers = &self.interpreter.nodes[node as usize].callers;
                    callers.iter().for_each(|(caller, _)| self.enqueue(*caller));
                }
                return false;
            }
            Action::ThreadExit => {
                self.end(self.interpreter.nodes[node as usize].thread, held);
                return false;
            }
        }
        true
    }

    fn create(&mut self, node: NodeIx, thread: ThreadIx, held: &mut Held) {
        let start = &mut self.starts[thread as usize];
        let ended = start.map_or(held.ended, |known| known.intersection(held.ended));
        let changed = *start != Some(ended);
        *start = Some(ended);
        if changed {
            let root = self.interpreter.threads[thread as usize].root;
            self.enter(root, &Held::start(ended));
        }
        if held.alive.has(thread) {
            held.many.insert(thread);
        }
        if held.many.has(thread) || !self.is_only_creator(node, thread) {
            self.overlapping.insert(thread);
        }
        held.alive.insert(thread);
    }

    /// Whether one thread, of which there is one instance, creates a thread.
    fn is_only_creator(&self, node: NodeIx, thread: ThreadIx) -> bool {
        let interpreter = self.interpreter;
        let own = interpreter.nodes[node as usize].thread;
        let mut creators = interpreter.threads[thread as usize].creators.iter();
        self.shape.is_unique(own)
            && creators.all(|(creator, _)| interpreter.nodes[*creator as usize].thread == own)
    }

    fn join(&mut self, node: NodeIx, thread: ThreadIx, held: &mut Held) -> bool {
        let unique = self.shape.is_unique(thread);
        let only = self.is_only_creator(node, thread) && !held.many.has(thread);
        if !unique && !only {
            return true;
        }
        let Some(end) = self.end_of(node, thread) else { return false };
        held.alive.remove(thread);
        held.left = held.left.union(end.left);
        if unique {
            held.ended = held.ended.union(end.ended);
            held.ended.insert(thread);
        }
        true
    }

    fn end(&mut self, thread: ThreadIx, held: &Held) {
        self.section_left_open |= held.section != Section::Depth(0, false);
        let (ended, left) = (held.ended, held.alive.union(held.left));
        let known = &mut self.ends[thread as usize];
        let end = known.map_or(End { ended, left }, |known| End {
            ended: known.ended.intersection(ended),
            left: known.left.union(left),
        });
        if *known != Some(end) {
            *known = Some(end);
            let joiners = self.joiners.get(&thread).cloned().unwrap_or_default();
            joiners.into_iter().for_each(|node| self.enqueue(node));
        }
    }

    fn call(&mut self, (node, pc): Site, callees: &[NodeIx], held: &mut Held) -> bool {
        let mut after: Option<Held> = None;
        for callee in callees {
            self.lose(held, |atom| self.numbering.is_called_by(atom.node(), *callee));
            if self.numbering.is_reentered(*callee) {
                held.named.clear();
            }
        }
        for callee in callees {
            self.enter(*callee, held);
            if let Some(exit) = &self.exits[*callee as usize] {
                merge_into(&mut after, exit);
            }
        }
        match after {
            Some(mut after) => {
                if callees.iter().any(|callee| self.numbering.is_reentered(*callee)) {
                    after.named.clear();
                }
                self.define(node, pc..pc + 1, &mut after);
                *held = after;
                true
            }
            None => false,
        }
    }
}

fn merge_into(known: &mut Option<Held>, new: &Held) -> bool {
    match known {
        None => {
            *known = Some(new.clone());
            true
        }
        Some(known) => known.merge(new),
    }
}
