//! Why two accesses do not race.
//!
//! Two accesses race in the machine if they are made by different threads, have
//! a byte in common, one of them writes, not both are atomic, and neither
//! happens before the other. Each rule below excludes one of these, for all
//! executions up to the first race: the first race of an execution is one
//! between accesses that no rule separates, so that a program in which every
//! pair is separated has none.
//!
//! - [`Rule::Reads`], [`Rule::Atomics`]: both read, or both are atomic.
//! - [`Rule::OneThread`]: a unique thread does not race with itself, nor does one
//!   of which a single thread creates the next instance only after it has joined
//!   the one before.
//! - [`Rule::Confined`]: only the thread that made the object can get at it
//!   ([`crate::escape`]).
//! - [`Rule::Given`]: every instance of the thread was given an object of its own
//!   when it was created ([`crate::escape::given_to_each`]).
//! - [`Rule::Element`]: every instance of the thread was given an element of an
//!   array, or its index ([`crate::elements`]).
//! - [`Rule::Ticket`]: the indices come from a counter that hands out each number
//!   once ([`crate::tickets`]).
//! - [`Rule::Fresh`]: one of the accesses is made before another thread can have a
//!   pointer to the object (`transfer.rs`). This says nothing about
//!   objects that are handed over by weak atomics, whose address may be guessed
//!   or was that of another object before.
//! - [`Rule::Created`]: one access comes before the creation of the other's
//!   thread, or of one that created it in turn, or after it was joined, whichever
//!   it is: it is not alive at that time.
//! - [`Rule::Joined`]: the other's thread had ended, and that was waited for.
//! - [`Rule::Section`]: both lie in atomic sections that are ordered.
//! - [`Rule::Lock`]: both are made under the same lock, and not both as readers.
//! - [`Rule::LockBeside`], [`Rule::LockOfIndex`]: the same for one of many locks,
//!   which both threads find from the address of the access ([`crate::guards`]).
//!
//! # Locks
//!
//! Two critical sections of one lock are ordered: giving it back publishes what
//! the thread knows, taking it acquires that. This is lost where the lock is
//! made anew in between, by initialising it or by writing to its bytes, and
//! where its bytes are used as another kind of lock. So a lock counts only if
//! there is one instance of its object, it is used as one kind, and whatever
//! makes it anew is ordered with every use of it by another thread, by creation,
//! joining or freshness. A robust mutex can be refused for ever after its owner
//! ended; in a program that makes such, mutexes do not count.

mod elements;

use std::cell::RefCell;

use ir::Pc;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::elements::{Elements, Own};
use crate::event::{Action, LockKind};
use crate::flow::{FlowOf, Held, Lock, Threads};
use crate::guards::{Guard, Guards, How};
use crate::interpret::Interpreter;
use crate::memory::{Kind, NodeIx, ThreadIx};
use crate::numbering::Numbering;
use crate::omission::Omission;
use crate::shape::Shape;
use crate::tickets::{Counter, Tickets};
use crate::value::{Meets, ObjIx, Off, Ptr};

/// Why two accesses do not race.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// They have no byte in common.
    Apart,
    /// Both read.
    Reads,
    /// Both are atomic.
    Atomics,
    /// One thread, of which there is one instance, makes both.
    OneThread,
    /// Only the thread that made the object can get at it.
    Confined,
    /// Every instance of the thread is given an object of its own.
    Given,
    /// Every instance of the thread is given an element of its own.
    Element,
    /// A counter hands out the index of each element once.
    Ticket,
    /// One is made before others can get at the object.
    Fresh,
    /// One is made before the other's thread is created.
    Created,
    /// One is made after the other's thread was joined.
    Joined,
    /// Both are made in atomic sections.
    Section,
    /// Both are made under this lock.
    Lock(Lock),
    /// Both are made under the lock that lies in the same object.
    LockBeside,
    /// Both are made under the lock that has the same index in an array.
    LockOfIndex,
}

impl Rule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Apart => "Apart",
            Rule::Reads => "Reads",
            Rule::Atomics => "Atomics",
            Rule::OneThread => "OneThread",
            Rule::Confined => "Confined",
            Rule::Given => "Given",
            Rule::Element => "Element",
            Rule::Ticket => "Ticket",
            Rule::Fresh => "Fresh",
            Rule::Created => "Created",
            Rule::Joined => "Joined",
            Rule::Section => "Section",
            Rule::Lock(_) => "Lock",
            Rule::LockBeside => "LockBeside",
            Rule::LockOfIndex => "LockOfIndex",
        }
    }
}

/// Accesses to an object that do not differ in what rules look at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// The thread.
    pub thread: ThreadIx,
    /// The object.
    pub obj: ObjIx,
    /// Where in the object.
    pub off: Off,
    /// How many bytes.
    pub len: u64,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether no other thread can have a pointer to the object.
    pub fresh: bool,
    /// What holds there.
    pub held: usize,
    /// The locks that are found from the address of the access.
    pub guards: SmallVec<[Guard; 1]>,
    /// The elements that instances of threads were handed, each their own.
    pub owned: SmallVec<[Own; 1]>,
}

/// The instructions that make accesses.
pub type Places = Vec<(NodeIx, Pc)>;

/// All that the rules look at.
pub struct Rules<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    shape: &'a Shape,
    shared: Vec<bool>,
    given: FxHashMap<ObjIx, ThreadIx>,
    helds: Vec<Held>,
    section_counts: bool,
    /// The accesses to each object, each with its places.
    pub uses: FxHashMap<ObjIx, Vec<(Use, Places)>>,
    locks: FxHashSet<Lock>,
    guards: FxHashSet<(ObjIx, Off, LockKind)>,
    counters: FxHashSet<Counter>,
    lock_places: Vec<(ObjIx, Off)>,
    overlapping: Threads,
    lives: RefCell<FxHashMap<(ThreadIx, Threads, Threads), Threads>>,
    /// What is left out, in tests.
    omission: Option<Omission>,
}

/// A use of a lock, or what makes it anew.
struct LockUse {
    kind: Option<LockKind>,
    place: Use,
}

impl<'a, 'p> Rules<'a, 'p> {
    /// Collects the accesses of a program.
    pub fn new(
        interpreter: &'a Interpreter<'p>,
        shape: &'a Shape,
        numbering: &'a Numbering<'a, 'p>,
        flow: &FlowOf<'a, 'p>,
        omission: Option<Omission>,
    ) -> Rules<'a, 'p> {
        let shared = crate::escape::shared(interpreter);
        let mut rules = Rules {
            interpreter,
            shape,
            given: crate::escape::given_to_each(interpreter, &shared),
            shared,
            helds: Vec::new(),
            section_counts: !flow.section_left_open || omission == Some(Omission::SectionsEnd),
            uses: FxHashMap::default(),
            locks: FxHashSet::default(),
            guards: FxHashSet::default(),
            counters: FxHashSet::default(),
            lock_places: Vec::new(),
            overlapping: flow.overlapping,
            lives: RefCell::default(),
            omission,
        };
        let mut lock_uses = Vec::new();
        let elements = Elements::of(interpreter, shape, numbering);
        let tickets = Tickets::of(interpreter, numbering);
        rules.collect(flow, &Guards { interpreter, numbering }, &elements, &tickets, &mut lock_uses);
        rules.check_locks(&lock_uses);
        rules.check_guards(&lock_uses);
        rules.check_counters(&tickets.taking);
        rules.lock_places = lock_uses.iter().map(|each| (each.place.obj, each.place.off)).collect();
        rules
    }

    fn collect(
        &mut self,
        flow: &FlowOf<'a, 'p>,
        guards: &Guards<'_, '_>,
        elements: &Elements<'_, '_>,
        tickets: &Tickets<'_, '_>,
        lock_uses: &mut Vec<LockUse>,
    ) {
        let mut index: FxHashMap<Held, usize> = FxHashMap::default();
        let mut known: FxHashMap<Use, usize> = FxHashMap::default();
        flow.for_each(|node, event, held| {
            let (targets, len, write, atomic) = match &event.action {
                Action::Access(access) => (&access.targets, access.len, access.write, access.atomic),
                Action::Lock { targets, .. } | Action::Unlock { targets, .. } | Action::Renew(targets) => {
                    (targets, Some(1), false, false)
                }
                _ => return,
            };
            let taken: Vec<_> = held.named.iter().map(|site| flow.taken_at(*site)).collect();
            let held = *index.entry(held.clone()).or_insert_with(|| {
                self.helds.push(held.clone());
                self.helds.len() - 1
            });
            for ptr in targets {
                let thread = self.interpreter.nodes[node as usize].thread;
                let len = len.unwrap_or(u64::MAX >> 2);
                let (guards, owned) = match &event.action {
                    Action::Access(_) => {
                        let at = (node, event.pc);
                        let mut owned = elements.owned(thread, at);
                        owned.extend(tickets.owned(at));
                        (guards.of(at, *ptr, &taken), owned)
                    }
                    _ => Default::default(),
                };
                let Ptr { obj, off, fresh } = *ptr;
                let place = Use { thread, obj, off, len, write, atomic, fresh, held, guards, owned };
                match &event.action {
                    Action::Access(_) => {
                        let list = self.uses.entry(ptr.obj).or_default();
                        let at = *known.entry(place.clone()).or_insert_with(|| {
                            list.push((place, Vec::new()));
                            list.len() - 1
                        });
                        list[at].1.push((node, event.pc));
                    }
                    Action::Lock { kind, .. } | Action::Unlock { kind, .. } => {
                        lock_uses.push(LockUse { kind: Some(*kind), place });
                    }
                    _ => lock_uses.push(LockUse { kind: None, place }),
                }
            }
        });
    }

    /// Finds out which locks count.
    fn check_locks(&mut self, uses: &[LockUse]) {
        let mut locks: FxHashSet<Lock> = FxHashSet::default();
        self.helds.iter().for_each(|held| locks.extend(held.locks.iter().map(|(lock, _)| *lock)));
        let robust = self.makes_robust();
        locks.retain(|lock| {
            let refused = robust && lock.kind == LockKind::Mutex;
            let single = self.omits(Omission::OneLock) || self.shape.is_single(self.interpreter, lock.obj);
            single && !refused && self.is_kept(lock.obj, Off::exact(lock.off), lock.kind, uses)
        });
        self.locks = locks;
    }

    /// Finds out which locks count that are found from the address of an access.
    fn check_guards(&mut self, uses: &[LockUse]) {
        let all = self.uses.values().flatten().flat_map(|(each, _)| &each.guards);
        let mut places: FxHashSet<(ObjIx, Off, LockKind)> =
            all.map(|guard| (guard.obj, guard.off, guard.kind)).collect();
        let robust = self.makes_robust();
        places.retain(|(obj, off, kind)| {
            !(robust && *kind == LockKind::Mutex) && self.is_kept(*obj, *off, *kind, uses)
        });
        self.guards = places;
    }

    /// Whether locks at a place are of one kind, and whatever makes them anew is
    /// ordered with all that uses them.
    fn is_kept(&self, obj: ObjIx, place: Off, kind: LockKind, uses: &[LockUse]) -> bool {
        let mut here = Vec::new();
        let mut made = Vec::new();
        for each in uses.iter().filter(|each| each.place.obj == obj) {
            if each.place.off.meets(1, place, 1) != Meets::Never {
                if each.kind.is_some() { here.push(each) } else { made.push(&each.place) }
            }
        }
        let writes = self.uses.get(&obj).into_iter().flatten().map(|(each, _)| each);
        made.extend(writes.filter(|each| each.write && each.off.meets(each.len, place, 1) != Meets::Never));
        let ordered = |made: &&Use| here.iter().all(|each| self.order(made, &each.place).is_some());
        (self.omits(Omission::OneKind) || here.iter().all(|each| each.kind == Some(kind)))
            && (self.omits(Omission::MadeAnewInOrder) || made.iter().all(ordered))
    }

    /// Whether mutexes can be robust: the run-time library's function is there
    /// if the program calls it.
    pub(crate) fn makes_robust(&self) -> bool {
        let program = self.interpreter.program;
        let is = |function: &ir::Function| program.name(function.name) == "pthread_mutexattr_setrobust";
        !self.omits(Omission::NoneRobust) && program.functions.iter().any(is)
    }

    /// Whether more than one thread can get at an object that changes.
    pub fn is_shared(&self, obj: ObjIx) -> bool {
        let constant = |kind| match kind {
            Kind::Global(id) => self.interpreter.program.global(id).constant,
            _ => false,
        };
        let shared = self.shared[obj as usize] && !self.omits(Omission::NotShared);
        shared && !constant(self.interpreter.memory.get(obj).kind)
    }

    /// What holds at accesses.
    pub fn held(&self, each: &Use) -> &Held {
        &self.helds[each.held]
    }

    /// Whether a lock counts.
    pub fn counts(&self, lock: &Lock) -> bool {
        self.locks.contains(lock)
    }

    /// Whether a test leaves this out.
    fn omits(&self, omission: Omission) -> bool {
        self.omission == Some(omission)
    }

    /// A rule, unless a test leaves it out.
    fn unless_omitted(&self, rule: Rule) -> Option<Rule> {
        (!self.omits(Omission::Rule(rule.name()))).then_some(rule)
    }

    /// Why accesses to one object do not race; `None` if they may.
    pub fn separate(&self, a: &Use, b: &Use) -> Option<Rule> {
        let in_sections = || self.section_counts && self.held(a).in_section() && self.held(b).in_section();
        let lock = || self.common_lock(self.held(a), self.held(b)).map(Rule::Lock);
        let rule = |holds: bool, rule: Rule| holds.then_some(rule).and_then(|rule| self.unless_omitted(rule));
        rule(!a.write && !b.write, Rule::Reads)
            .or_else(|| rule(a.off.meets(a.len, b.off, b.len) == Meets::Never, Rule::Apart))
            .or_else(|| rule(a.atomic && b.atomic, Rule::Atomics))
            .or_else(|| rule(!self.is_shared(a.obj), Rule::Confined))
            .or_else(|| self.order(a, b))
            .or_else(|| self.have_elements(a, b).and_then(|rule| self.unless_omitted(rule)))
            .or_else(|| rule(in_sections(), Rule::Section))
            .or_else(|| lock().and_then(|rule| self.unless_omitted(rule)))
            .or_else(|| self.common_guard(a, b).and_then(|rule| self.unless_omitted(rule)))
    }

    /// The lock that both accesses find from their address.
    fn common_guard(&self, a: &Use, b: &Use) -> Option<Rule> {
        let meets = a.off.meets(a.len, b.off, b.len);
        let counts = |guard: &&Guard| self.guards.contains(&(guard.obj, guard.off, guard.kind));
        let same = |guard: &&Guard| b.guards.iter().filter(counts).any(|other| guard.excludes(other, meets));
        a.guards.iter().filter(counts).find(same).map(|guard| match guard.how {
            How::Beside(_) => Rule::LockBeside,
            How::Index(_) => Rule::LockOfIndex,
        })
    }

    /// Whether two points are under one lock that one of them has alone.
    pub(crate) fn have_lock(&self, a: &Held, b: &Held) -> bool {
        self.common_lock(a, b).is_some()
    }

    /// Whether two uses of one object are ordered, or are made by threads that are
    /// not alive at the same time, whatever was published before.
    pub(crate) fn are_ordered(&self, (a, at_a): (&Use, &Held), (b, at_b): (&Use, &Held)) -> bool {
        let serial = self.shape.is_unique(a.thread) || !self.overlapping.has(a.thread);
        let own = a.thread == b.thread && (serial || self.given.get(&a.obj) == Some(&a.thread));
        own || !self.may_live(a.thread, at_a, b.thread) || !self.may_live(b.thread, at_b, a.thread)
    }

    /// Whether a thread may be alive, other than the one that is at a point.
    pub(crate) fn may_live(&self, thread: ThreadIx, held: &Held, other: ThreadIx) -> bool {
        !held.ended.has(other) && !self.lacks(thread, held, other)
    }

    fn common_lock(&self, a: &Held, b: &Held) -> Option<Lock> {
        let both = |(lock, exclusive): &&(Lock, bool)| {
            let other = b.locks.iter().find(|(other, _)| other == lock);
            let shared = self.omits(Omission::NotBothReaders);
            other.is_some_and(|(_, other)| *exclusive || *other || shared) && self.counts(lock)
        };
        a.locks.iter().find(both).map(|(lock, _)| *lock)
    }

    /// Whether an access cannot be made by another thread while a thread is at
    /// a point. This is about time and not about the order that the race
    /// detector knows, so it holds after a race as well.
    pub(crate) fn excludes(&self, thread: ThreadIx, at: &Held, other: &Use) -> bool {
        let (there, who) = (self.held(other), other.thread);
        thread == who && self.is_serial(thread)
            || at.ended.has(who)
            || there.ended.has(thread)
            || self.lacks(thread, at, who)
            || self.lacks(who, there, thread)
            || self.section_counts && at.in_section() && there.in_section()
            || self.common_lock(at, there).is_some()
    }

    /// Whether no other thread can make an access that conflicts with one while
    /// that is about to be made. Objects on stacks end without being accessed.
    pub(crate) fn is_undisturbed(&self, a: &Use) -> bool {
        let obj = a.obj;
        let lasts = matches!(self.interpreter.memory.get(obj).kind, Kind::Global(_) | Kind::Heap(..));
        let conflicts = |b: &Use| (a.write || b.write) && a.off.meets(a.len, b.off, b.len) != Meets::Never;
        let held = self.held(a);
        lasts
            && !self.is_lock_place(obj, a.off, a.len)
            && self.uses[&obj].iter().all(|(b, _)| !conflicts(b) || self.excludes(a.thread, held, b))
    }

    /// Whether a thread has no others beside it.
    pub(crate) fn has_no_others(&self, thread: ThreadIx, at: &Held) -> bool {
        let others = 0..self.interpreter.threads.len() as ThreadIx;
        self.shape.is_unique(thread)
            && others.filter(|other| *other != thread).all(|other| self.lacks(thread, at, other))
    }

    /// Whether atomic sections exclude each other.
    pub(crate) fn sections_count(&self) -> bool {
        self.section_counts
    }

    /// Whether bytes may belong to a synchronisation object.
    pub(crate) fn is_lock_place(&self, obj: ObjIx, off: Off, len: u64) -> bool {
        self.lock_places.iter().any(|(other, at)| *other == obj && off.meets(len, *at, 1) != Meets::Never)
    }

    /// Whether there is at most one instance of a thread.
    pub(crate) fn is_unique(&self, thread: ThreadIx) -> bool {
        self.shape.is_unique(thread)
    }

    /// Whether instances of a thread do not overlap.
    fn is_serial(&self, thread: ThreadIx) -> bool {
        self.omits(Omission::NoOverlap) || self.shape.is_unique(thread) || !self.overlapping.has(thread)
    }

    /// Why two uses of one object are ordered whatever locks are held.
    fn order(&self, a: &Use, b: &Use) -> Option<Rule> {
        let own = a.thread == b.thread;
        let ended = || self.held(a).ended.has(b.thread) || self.held(b).ended.has(a.thread);
        let lacks =
            || self.lacks(a.thread, self.held(a), b.thread) || self.lacks(b.thread, self.held(b), a.thread);
        let rule = |holds: bool, rule: Rule| holds.then_some(rule).and_then(|rule| self.unless_omitted(rule));
        rule(own && self.is_serial(a.thread), Rule::OneThread)
            .or_else(|| rule(own && self.given.get(&a.obj) == Some(&a.thread), Rule::Given))
            .or_else(|| rule((a.fresh || b.fresh) && self.is_handed_over_in_order(a.obj), Rule::Fresh))
            .or_else(|| rule(ended(), Rule::Joined))
            .or_else(|| rule(lacks(), Rule::Created))
    }

    fn is_handed_over_in_order(&self, obj: ObjIx) -> bool {
        let Interpreter { unordered, reused, memory, .. } = self.interpreter;
        let ordered = !unordered.contains(&obj) && !reused.contains(&obj) && !memory.pinned.contains(&obj);
        ordered || self.omits(Omission::HandedOverInOrder)
    }

    /// Whether no instance of another thread is alive while a thread is at a
    /// point: the thread is unique, and every chain of creations that leads to
    /// the other one has a step that the thread takes later, or one that it has
    /// joined before and that did not leave the next one of the chain behind.
    fn lacks(&self, thread: ThreadIx, at: &Held, other: ThreadIx) -> bool {
        if !self.shape.is_unique(thread) && !self.omits(Omission::UniqueCreator) {
            return false;
        }
        let Held { alive, left, .. } = *at;
        let left = if self.omits(Omission::LeftBehind) { Threads::default() } else { left };
        let mut cache = self.lives.borrow_mut();
        let lives = cache.entry((thread, alive, left)).or_insert_with(|| self.lives(thread, alive, left));
        !lives.has(other)
    }

    /// The threads that may be alive if one thread has created no others than
    /// these, and has left those behind.
    fn lives(&self, thread: ThreadIx, created: Threads, left: Threads) -> Threads {
        let mut lives = left;
        lives.insert(0);
        loop {
            let before = lives;
            for (ix, other) in self.interpreter.threads.iter().enumerate() {
                let possible = |(node, _): &(NodeIx, Pc)| {
                    let creator = self.interpreter.nodes[*node as usize].thread;
                    lives.has(creator) && (creator != thread || created.has(ix as ThreadIx))
                };
                if other.creators.iter().any(possible) {
                    lives.insert(ix as ThreadIx);
                }
            }
            if lives == before {
                return lives;
            }
        }
    }
}
