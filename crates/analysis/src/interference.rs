//! Which instructions of two threads may interfere, for reductions.
//!
//! Suppose that a thread is about to execute an instruction `a` and does not move.
//! [`Interference::conflicts`] tells whether another thread may execute `b` in the
//! meantime such that the order of `a` and `b` makes a difference. So two accesses
//! under one lock do not conflict: the thread that is about to make the first one
//! holds the lock. Nor do accesses of threads that are not alive at the same time.
//!
//! This is less than what the rules on races say (`rules.rs`): atomic accesses
//! conflict, and an object counts as published from the beginning. It is more in
//! that operations on synchronisation objects, on the heap and on threads conflict
//! as well. An instruction whose effect on others is not known conflicts with all.

use ir::operation::{Action as Deed, Operation};
use ir::{FuncId, Instr, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::{Action, Event};
use crate::flow::{Held, Lock};
use crate::interpret::Interpreter;
use crate::memory::{Kind, NodeIx, ThreadIx};
use crate::rules::{Rules, Use};
use crate::value::{Meets, ObjIx, Ptr};
use crate::{NotKnown, Place, solve};

/// What an instruction does to others besides accessing memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Beyond {
    /// It takes memory of the heap, or gives it back.
    Heap,
    /// It starts a thread, or joins one: what that one had may be given to another.
    Starts,
    /// Something that every instruction may depend on.
    Anything,
}

/// What is known about interference.
#[derive(Clone, Debug, Default)]
pub struct Interference {
    memory: FxHashSet<(Place, Place)>,
    beyond: FxHashMap<Place, Beyond>,
    alive: FxHashMap<Place, FxHashSet<FuncId>>,
    /// The functions that each call may call.
    pub calls: FxHashMap<Place, FxHashSet<FuncId>>,
    /// The first functions of the threads that an instruction may start.
    pub starts: FxHashMap<Place, FxHashSet<FuncId>>,
}

/// Analyses a program.
pub fn interference(program: &Program) -> Result<Interference, NotKnown> {
    solve(program, |interpreter, _, flow, rules| {
        let mut collected =
            Collected { interpreter, tells_ids: program.tells_thread_ids(), uses: FxHashMap::default() };
        let mut found = Interference::default();
        flow.for_each(|node, event, held| collected.note(&mut found, rules, node, event, held));
        found.memory = collected.conflicts(rules);
        found
    })
}

impl Interference {
    /// Whether the order of two instructions may matter, of which a thread that
    /// began with a function is about to execute the first while another executes
    /// the second.
    pub fn conflicts(&self, (a, of_a): (Place, FuncId), (b, of_b): (Place, FuncId)) -> bool {
        let beyond = match (self.beyond.get(&a), self.beyond.get(&b)) {
            (None, None) => false,
            (Some(Beyond::Anything), _) | (_, Some(Beyond::Anything)) => true,
            (a, b) => a == b,
        };
        let parallel = || self.may_live(of_b, a) && self.may_live(of_a, b);
        self.memory.contains(&(a, b)) || beyond && parallel()
    }

    /// Whether a thread that began with a function may be alive when another
    /// thread executes an instruction.
    pub fn may_live(&self, function: FuncId, at: Place) -> bool {
        self.alive.get(&at).is_none_or(|alive| alive.contains(&function))
    }
}

/// An access, or the use of a synchronisation object.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Touch {
    place: Use,
    /// What holds before it.
    held: Held,
    /// The same with the lock that it waits for, if it does: it goes on only when
    /// no other thread has that.
    goes_on: Held,
}

struct Collected<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    /// Whether the program can tell identifiers of threads that are given out again.
    tells_ids: bool,
    uses: FxHashMap<ObjIx, FxHashMap<Touch, Vec<Place>>>,
}

impl Collected<'_, '_> {
    fn note(
        &mut self,
        found: &mut Interference,
        rules: &Rules<'_, '_>,
        node: NodeIx,
        event: &Event,
        held: &Held,
    ) {
        let function = self.interpreter.nodes[node as usize].func;
        let at = Place { function, pc: event.pc };
        let of = |node: &NodeIx| self.interpreter.nodes[*node as usize].func;
        let first = |thread: &ThreadIx| self.interpreter.threads[*thread as usize].func;
        match &event.action {
            Action::Call(callees) => found.calls.entry(at).or_default().extend(callees.iter().map(of)),
            Action::Create(threads) => found.starts.entry(at).or_default().extend(threads.iter().map(first)),
            _ => {}
        }
        if let Some(beyond) = self.beyond(rules, node, at) {
            found.beyond.insert(at, beyond);
        }
        let thread = self.interpreter.nodes[node as usize].thread;
        let others = (0..self.interpreter.threads.len() as ThreadIx)
            .filter(|other| rules.may_live(thread, held, *other))
            .map(|other| first(&other));
        found.alive.entry(at).or_default().extend(others);
        self.note_memory(node, at, &event.action, held);
    }

    fn note_memory(&mut self, node: NodeIx, at: Place, action: &Action, held: &Held) {
        let thread = self.interpreter.nodes[node as usize].thread;
        let (targets, len, write, atomic): (&[Ptr], _, _, _) = match action {
            Action::Access(access) => (&access.targets, access.len, access.write, access.atomic),
            Action::Lock { targets, .. } | Action::Unlock { targets, .. } | Action::Renew(targets) => {
                (targets, Some(1), true, true)
            }
            _ => return,
        };
        let (mut held, mut goes_on) = (held.clone(), held.clone());
        // A wait gives its mutex back.
        if self.is_wait(at) {
            held.locks.clear();
        }
        if let (Action::Lock { kind, exclusive: true, attempt: false, .. }, [ptr]) = (action, targets)
            && let Some(off) = ptr.off.known()
        {
            goes_on.locks.push((Lock { obj: ptr.obj, off, kind: *kind }, true));
        }
        for ptr in targets {
            let (obj, off, len) = (ptr.obj, ptr.off, len.unwrap_or(u64::MAX >> 2));
            let (guards, owned) = Default::default();
            let place = Use { thread, obj, off, len, write, atomic, fresh: false, held: 0, guards, owned };
            let touch = Touch { place, held: held.clone(), goes_on: goes_on.clone() };
            let places = self.uses.entry(obj).or_default().entry(touch).or_default();
            if !places.contains(&at) {
                places.push(at);
            }
        }
    }

    /// What an instruction does besides accessing memory.
    fn beyond(&self, rules: &Rules<'_, '_>, node: NodeIx, at: Place) -> Option<Beyond> {
        let program = self.interpreter.program;
        match &program.function(at.function).code[at.pc as usize] {
            // Which identifier a new thread can get depends on whose lives are over.
            Instr::Return { .. } | Instr::ThreadExit { .. } if self.tells_ids => Some(Beyond::Anything),
            Instr::Malloc { .. } | Instr::Free { .. } | Instr::ObjectSize { .. } => Some(Beyond::Heap),
            Instr::Sync { op, .. } => match Operation::of(*op).action {
                Deed::Create | Deed::Join => Some(Beyond::Starts),
                Deed::Detach | Deed::Destroy | Deed::NewKey | Deed::DropKey | Deed::Repair | Deed::Look => {
                    Some(Beyond::Anything)
                }
                Deed::Init { .. }
                | Deed::Take { .. }
                | Deed::Give
                | Deed::Wait { .. }
                | Deed::Wake { .. }
                | Deed::Arrive
                | Deed::Myself
                | Deed::Specific { .. } => None,
            },
            Instr::Return { .. }
            | Instr::ScopeBegin { .. }
            | Instr::ScopeEnd { .. }
            | Instr::EndObject { .. }
            | Instr::StackRestore { .. }
            | Instr::ThreadExit { .. } => self.lends(rules, node, at).then_some(Beyond::Anything),
            Instr::VaStart { .. } => Some(Beyond::Anything),
            _ => None,
        }
    }

    fn is_wait(&self, at: Place) -> bool {
        let instr = &self.interpreter.program.function(at.function).code[at.pc as usize];
        matches!(instr, Instr::Sync { op, .. } if matches!(Operation::of(*op).action, Deed::Wait { .. }))
    }

    /// Whether other threads may get at variables that end here: those of the call,
    /// and with the thread those of all its calls, and its own.
    /// A thread that ends also leaves its robust mutexes to others.
    fn lends(&self, rules: &Rules<'_, '_>, node: NodeIx, at: Place) -> bool {
        let Interpreter { memory, nodes, threads, program, .. } = self.interpreter;
        let thread = nodes[node as usize].thread;
        let exits = matches!(program.function(at.function).code[at.pc as usize], Instr::ThreadExit { .. });
        let ends = exits || threads[thread as usize].root == node;
        if ends && rules.makes_robust() {
            return true;
        }
        memory.objects.iter().zip(0..).any(|(object, ix)| {
            let ends_here = match object.kind {
                Kind::Frame(owner, _) | Kind::Arguments(owner, _) => {
                    owner == node || exits && nodes[owner as usize].thread == thread
                }
                Kind::Local(_, owner) | Kind::Specific(owner) => ends && owner == thread,
                Kind::Global(_) | Kind::Heap(..) | Kind::Function(_) | Kind::Handle(_) => false,
            };
            ends_here && rules.is_shared(ix)
        })
    }

    fn conflicts(&self, rules: &Rules<'_, '_>) -> FxHashSet<(Place, Place)> {
        let mut pairs = FxHashSet::default();
        let shared = self.uses.iter().filter(|(obj, _)| rules.is_shared(**obj));
        for touches in shared.map(|(_, touches)| touches) {
            let touches: Vec<_> = touches.iter().collect();
            for (a, a_places) in &touches {
                for (b, b_places) in &touches {
                    if !is_separate(rules, a, b) {
                        pairs.extend(a_places.iter().flat_map(|a| b_places.iter().map(move |b| (*a, *b))));
                    }
                }
            }
        }
        pairs
    }
}

/// Whether the second is not made, or makes no difference, while a thread is about
/// to make the first.
fn is_separate(rules: &Rules<'_, '_>, a: &Touch, b: &Touch) -> bool {
    let (x, y) = (&a.place, &b.place);
    !x.write && !y.write
        || x.off.meets(x.len, y.off, y.len) == Meets::Never
        || rules.are_ordered((x, &a.held), (y, &b.held))
        || rules.have_lock(&a.held, &b.goes_on)
}
