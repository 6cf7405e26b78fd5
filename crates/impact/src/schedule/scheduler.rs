//! Who moves in a state, as far as that can be observed.
//!
//! The runtime sees where threads stand at events and nothing of their data. So what the
//! scheduler decides may depend on no more than that: on a [`View`], which is where all
//! threads stand and in which order they are to take their turns. The first state that has
//! a view decides who moves there; the proof has to show that this thread can move in all
//! others, too.
//!
//! Between events, threads run at once as far as they can: what they do there no other
//! thread can observe. An instruction that others can observe and that is no event yet
//! becomes one, and all is built anew.

use certify::Touching;
use ir::{FuncId, Instr};
use machine::{Action, Machine, Operation, Patience, Place, State, ThreadId, Touched};
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Kind, Native, SiteId, Stand};

/// In which order threads take their turns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Each thread runs until it jumps back, waits or ends, and is then the last in the queue.
    #[default]
    RoundRobin,
    /// Each thread runs until it has given back all mutexes that it had, waits or ends.
    LockOwner,
    /// The first in this list that can move does, until it jumps back. Others come after.
    Priorities(Vec<u32>),
}

/// How much is left to the threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Freedom {
    /// They take their turns in a fixed order.
    #[default]
    Queue,
    /// They take one turn each in a round, in any order in which that is safe.
    Rounds,
}

/// Who moves when, as far as the user says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// The order of turns.
    pub strategy: Strategy,
    /// How much is left to the threads.
    pub freedom: Freedom,
    /// How many rounds a turn has at most in a fixed order, beyond the first: so often a thread may
    /// jump back and go on, as long as its rounds are of use to others.
    pub more_rounds: u32,
    /// How often two threads that run different functions take turns with each other before others
    /// have theirs. Two threads that run at the same time need not be woken.
    pub exchanges: u32,
}

/// With more threads than this, not all that are left in a round are free to be the next one.
const ALL_FREE: usize = 5;

/// The first of them is then overtaken by those whose numbers are less than so much greater, so
/// that there are not as many views as sets of threads.
const NEAR: u32 = 4;

/// What the scheduler remembers of an execution.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Memory {
    /// The threads in the order of their turns; if they are free, those that have not had
    /// their turn in this round, ascending.
    queue: Vec<ThreadId>,
    /// The thread whose turn is not over, if they are free.
    current: Option<ThreadId>,
    /// How many rounds the first in the queue has done in its turn.
    rounds: u32,
    /// Whether its last round is, so far, of no use to others.
    idle: bool,
    /// How many turns the first two in the queue have had with each other.
    exchanges: u32,
    /// The event that is not over for all threads yet.
    during: Option<During>,
}

impl Memory {
    /// The event that a step of a thread is part of, or comes after.
    pub fn event(&self, turn: &Turn, thread: ThreadId) -> Option<Decision> {
        match (self.during, turn) {
            (Some(during), _) => Some((during.view, during.thread)),
            (None, Turn::Event(_, view)) => Some((*view, thread)),
            (None, _) => None,
        }
    }
}

/// An event after which threads still run to their next ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct During {
    thread: ThreadId,
    site: SiteId,
    /// Where it was decided.
    view: ViewId,
    /// Whether the thread is still within it.
    active: bool,
}

/// What the runtime can know where a decision is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// The order of turns, or who is still to have one.
    queue: Vec<ThreadId>,
    /// The thread whose turn is not over.
    current: Option<ThreadId>,
    /// How many rounds its turn, or that of the first in the queue, has had.
    rounds: u32,
    /// Whether its last round is of no use so far.
    idle: bool,
    /// How many turns the first two in the queue have had with each other.
    exchanges: u32,
    /// Where threads stand.
    pub stands: Vec<Stand>,
}

impl View {
    /// Those of some threads that may move if they take one turn each in a round: the one whose
    /// turn it is, or one that has not had its turn; if there is none, a new round begins.
    fn in_round(&self, threads: Vec<ThreadId>) -> Vec<ThreadId> {
        if let Some(current) = self.current.filter(|current| threads.contains(current)) {
            return vec![current];
        }
        let left: Vec<ThreadId> = threads.iter().copied().filter(|id| self.queue.contains(id)).collect();
        let mut free = if left.is_empty() { threads } else { left };
        if let Some(first) = free.iter().min().copied()
            && self.stands.iter().filter(|stand| **stand != Stand::Ended).count() > ALL_FREE
        {
            free.retain(|thread| thread.0 < first.0 + NEAR);
        }
        free
    }
}

/// The number of a view.
pub type ViewId = u32;

/// An event: where it is decided on, and who moves.
pub type Decision = (ViewId, ThreadId);

/// Who moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A thread, to its next event.
    Runs(ThreadId),
    /// One of these threads executes an event.
    Event(Vec<ThreadId>, ViewId),
    /// No thread: the one that is to move cannot, for this reason.
    Stuck(Option<ViewId>, &'static str),
}

/// Decides.
pub struct Scheduler<'a> {
    machine: &'a Machine,
    native: &'a Native,
    manner: Manner,
    /// The sites of events.
    listed: FxHashSet<SiteId>,
    /// Sites that should be listed, too.
    missed: FxHashSet<SiteId>,
    /// What no schedule can restrict, if such a thing was met.
    pub unsupported: Option<String>,
    views: Vec<View>,
    index: FxHashMap<View, ViewId>,
    /// Who may move in each view.
    chosen: FxHashMap<ViewId, Vec<ThreadId>>,
    /// Threads that have to wait in a state with a view where others need not.
    waiting: Vec<(View, ThreadId)>,
    /// Choices that had to be taken back.
    banned: FxHashSet<(View, ThreadId)>,
    /// Choices that fairness needs.
    forced: FxHashMap<View, ThreadId>,
}

impl<'a> Scheduler<'a> {
    /// A scheduler that has not decided anything.
    pub fn new(machine: &'a Machine, native: &'a Native, manner: Manner) -> Scheduler<'a> {
        Scheduler {
            machine,
            native,
            manner,
            listed: FxHashSet::default(),
            missed: FxHashSet::default(),
            unsupported: None,
            views: Vec::new(),
            index: FxHashMap::default(),
            chosen: FxHashMap::default(),
            waiting: Vec::new(),
            banned: FxHashSet::default(),
            forced: FxHashMap::default(),
        }
    }

    /// Forgets what was decided, but not what had to be taken back, nor what is needed. Sites
    /// that were missed are events from now on.
    pub fn begin_anew(&mut self) {
        (self.views, self.index, self.chosen) = Default::default();
        self.listed.extend(self.missed.drain());
        self.banned.extend(self.waiting.drain(..));
    }

    /// Whether what was decided is not good enough to go on with.
    pub fn must_begin_anew(&self) -> bool {
        !self.missed.is_empty() || !self.waiting.is_empty()
    }

    /// What is remembered at the beginning.
    pub fn memory(&self) -> Memory {
        let (current, rounds, idle, exchanges, during) = (None, 0, false, 0, None);
        Memory { queue: vec![ThreadId(0)], current, rounds, idle, exchanges, during }
    }

    /// The program.
    pub fn program(&self) -> &'a ir::Program {
        self.machine.program()
    }

    /// A view.
    pub fn view(&self, view: ViewId) -> &View {
        &self.views[view as usize]
    }

    /// Who may move in a view.
    pub fn permitted(&self, view: ViewId) -> &[ThreadId] {
        self.chosen.get(&view).map_or(&[], |threads| threads)
    }

    /// The event of a thread in a view: where, and how far it goes.
    pub fn event(&self, view: ViewId, thread: ThreadId) -> Option<(SiteId, Kind)> {
        match self.view(view).stands[thread.0 as usize] {
            Stand::At(site) => Some((site, self.native.kind(self.machine.program(), site))),
            Stand::Waiting(site) => Some((site, Kind::WaitEnds)),
            _ => None,
        }
    }

    /// Whether a thread goes no further without an event: it stands at one, or waits. Where it
    /// waits at a site that is no event, or in a function of the library that is called there, it
    /// waits natively, too. If ever it need not any more, the site becomes an event.
    fn is_settled(&self, state: &State, thread: ThreadId, stand: Stand) -> bool {
        let waits = || !self.machine.can_move(state, thread) && self.machine.keeper(state).is_none();
        match stand {
            Stand::Ended | Stand::Waiting(_) | Stand::AtBarrier => true,
            Stand::At(site) => self.listed.contains(&site) || waits(),
            Stand::Within(Some(site)) => !self.listed.contains(&site) && waits(),
            Stand::Within(None) => false,
        }
    }

    /// Makes a site one of an event. Yields whether that is new.
    pub fn list(&mut self, site: SiteId) -> bool {
        self.missed.insert(site);
        !self.listed.contains(&site)
    }

    /// Whether the runtime sees that a thread comes to a site.
    pub fn is_listed(&self, site: SiteId) -> bool {
        self.listed.contains(&site)
    }

    /// Who moves in a state.
    pub fn turn(&mut self, state: &State, memory: &Memory) -> Turn {
        let stands = self.native.stands(self.machine, state);
        let mut running: Vec<ThreadId> = state
            .thread_ids()
            .filter(|thread| !self.is_settled(state, *thread, stands[thread.0 as usize]))
            .collect();
        // The process ends only when all others have come as far as they can.
        let during = memory.during.map(|during| during.thread);
        let rank = |thread: ThreadId| (self.leaves(state, thread), during != Some(thread), thread);
        running.sort_by_key(|thread| rank(*thread));
        if !running.is_empty() {
            let Some(thread) = running.into_iter().find(|thread| self.machine.can_move(state, *thread))
            else {
                return Turn::Stuck(None, "a thread has to wait within an event");
            };
            self.note(state, memory, thread, stands[thread.0 as usize]);
            return Turn::Runs(thread);
        }
        let Memory { queue, current, rounds, idle, exchanges, .. } = memory.clone();
        self.decide(state, View { queue, current, rounds, idle, exchanges, stands })
    }

    /// Whether a thread ends the process, outside of the program's own code.
    fn leaves(&self, state: &State, thread: ThreadId) -> bool {
        let exits = matches!(self.machine.next_instruction(state, thread), Some(Instr::Exit { .. }));
        exits && self.native.stand(self.machine, state, thread) == Stand::Within(None)
    }

    /// Whether a thread is about to end the process.
    pub fn is_left(&self, state: &State) -> bool {
        state.thread_ids().any(|thread| self.leaves(state, thread))
    }

    /// The sites of events at which threads stand.
    pub fn held(&self, state: &State) -> Vec<SiteId> {
        let listed = |stand| match stand {
            Stand::At(site) => Some(site).filter(|site| self.is_listed(*site)),
            _ => None,
        };
        self.native.stands(self.machine, state).into_iter().filter_map(listed).collect()
    }

    /// Notes an instruction that should be an event.
    fn note(&mut self, state: &State, memory: &Memory, thread: ThreadId, stand: Stand) {
        let inside = memory.during.is_some_and(|during| {
            let own = stand == Stand::Within(Some(during.site));
            during.thread == thread && during.active && (own || self.machine.is_in_section(state, thread))
        });
        if self.machine.waiting(state, thread).is_some() {
            let at = self.machine.position(state, thread);
            self.unsupported = Some(format!("a wait within a library function at {at}"));
        }
        if inside || !self.machine.is_observable(state, thread) {
            return;
        }
        match stand {
            Stand::At(site) | Stand::Within(Some(site)) => {
                if self.listed.contains(&site) {
                    let at = self.machine.position(state, thread);
                    self.unsupported = Some(format!("an event at {at} cannot be held in one piece"));
                }
                self.missed.insert(site);
            }
            _ if self.leaves(state, thread) => {}
            _ => {
                let at = self.machine.position(state, thread);
                self.unsupported = Some(format!("what happens outside of the program's code at {at}"));
            }
        }
    }

    fn decide(&mut self, state: &State, view: View) -> Turn {
        let candidates = self.candidates(state, &view);
        let next = self.views.len() as ViewId;
        let id = *self.index.entry(view.clone()).or_insert(next);
        if id == next {
            self.views.push(view.clone());
        }
        let chosen = self.chosen.entry(id).or_default();
        if chosen.is_empty() {
            let forced = self.forced.get(&view).copied().filter(|forced| candidates.contains(forced));
            let free = |thread: &ThreadId| !self.banned.contains(&(view.clone(), *thread));
            let free: Vec<ThreadId> = candidates.into_iter().filter(free).collect();
            *chosen = match self.manner.freedom {
                Freedom::Queue => forced.or(free.first().copied()).into_iter().collect(),
                Freedom::Rounds => view.in_round(free),
            };
        }
        let waits = |thread: &&ThreadId| !self.machine.can_move(state, **thread);
        if self.manner.freedom == Freedom::Rounds && chosen.iter().any(|thread| !waits(&thread)) {
            self.waiting.extend(chosen.iter().filter(waits).map(|thread| (view.clone(), *thread)));
        }
        match chosen.iter().all(|thread| self.machine.can_move(state, *thread)) {
            true if chosen.is_empty() => {
                Turn::Stuck(Some(id), "whichever thread moves, something goes wrong")
            }
            true => Turn::Event(chosen.clone(), id),
            false => Turn::Stuck(Some(id), "a thread that is to move has to wait"),
        }
    }

    /// The threads that can move, in the order of preference. A wait that no thread has ended
    /// may end by itself, if nothing else can happen.
    pub fn candidates(&self, state: &State, view: &View) -> Vec<ThreadId> {
        let can = |thread: &ThreadId| {
            let stand = view.stands[thread.0 as usize];
            matches!(stand, Stand::At(_) | Stand::Waiting(_)) && self.machine.can_move(state, *thread)
        };
        let others = state.thread_ids().filter(|thread| !view.queue.contains(thread));
        let all: Vec<ThreadId> = view.queue.iter().copied().chain(others).filter(can).collect();
        let awake: Vec<ThreadId> =
            all.iter().copied().filter(|thread| self.machine.goes_on(state, *thread)).collect();
        if awake.is_empty() { all } else { awake }
    }

    /// Takes back that a thread moves in a view, if another one of these may move there.
    pub fn take_back(&mut self, view: ViewId, thread: ThreadId, candidates: &[ThreadId]) -> bool {
        let key = self.view(view).clone();
        let free = |other: &ThreadId| *other != thread && !self.banned.contains(&(key.clone(), *other));
        if !candidates.iter().any(free) {
            return false;
        }
        self.forced.remove(&key);
        self.banned.insert((key, thread))
    }

    /// Lets a thread move in a view, for fairness. Yields whether that is new.
    pub fn force(&mut self, view: ViewId, thread: ThreadId) -> bool {
        let key = self.view(view).clone();
        let free = !self.banned.contains(&(key.clone(), thread)) && !self.forced.contains_key(&key);
        if free {
            self.forced.insert(key, thread);
        }
        free
    }

    /// What is remembered after a step of a thread to a state.
    pub fn after(
        &self,
        memory: &Memory,
        turn: &Turn,
        (before, state): (&State, &State),
        thread: ThreadId,
    ) -> Memory {
        let Memory { mut queue, mut current, mut rounds, mut idle, mut exchanges, mut during } =
            memory.clone();
        idle &= !self.is_of_use(before, thread);
        if let Turn::Event(_, view) = turn {
            if self.manner.freedom == Freedom::Queue && queue.first() != Some(&thread) {
                (rounds, idle, exchanges) = (0, self.manner.more_rounds > 0, 0);
            }
            self.begin(&mut queue, &mut current, thread, before);
            let site = match self.view(*view).stands[thread.0 as usize] {
                Stand::At(site) | Stand::Waiting(site) => site,
                stand => unreachable!("no event begins where a thread stands {stand:?}"),
            };
            during = Some(During { thread, site, view: *view, active: true });
        }
        for new in before.thread_ids().len()..state.thread_ids().len() {
            self.welcome(&mut queue, ThreadId(new as u32), state);
        }
        let stands = self.native.stands(self.machine, state);
        if let Some(during) = &mut during {
            let within = matches!(stands[during.thread.0 as usize], Stand::Within(_));
            during.active &= within;
        }
        queue.retain(|thread| stands[thread.0 as usize] != Stand::Ended);
        let settled =
            || state.thread_ids().all(|thread| self.is_settled(state, thread, stands[thread.0 as usize]));
        if let Some(over) = during.filter(|_| settled()) {
            if self.ends_round(state, over, stands[over.thread.0 as usize]) {
                current = None;
                let jumps_back = matches!(stands[over.thread.0 as usize], Stand::At(_));
                let goes_on = jumps_back && rounds < self.manner.more_rounds && !idle;
                // Turns that are long need no others with the same thread, nor do those of no use.
                let is_short = idle && rounds > 0;
                rounds = if goes_on { rounds + 1 } else { 0 };
                idle = self.manner.more_rounds > 0;
                if self.manner.freedom == Freedom::Queue && !goes_on && queue.contains(&over.thread) {
                    exchanges = self.end_turn(&mut queue, over.thread, state, (exchanges, is_short));
                }
            }
            during = None;
        }
        Memory { queue, current, rounds, idle, exchanges, during }
    }

    /// Whether others may behave differently because of the next instruction of a thread, which is
    /// no operation on a lock.
    fn is_of_use(&self, state: &State, thread: ThreadId) -> bool {
        let changes = |instr: &Instr| match instr {
            Instr::Load { .. } | Instr::AtomicBegin { .. } => false,
            Instr::Sync { op, .. } => {
                let action = Operation::of(*op).action;
                !matches!(action, Action::Take { patience: Patience::Waits, .. } | Action::Give)
            }
            _ => true,
        };
        let next = self.machine.next_instruction(state, thread);
        next.is_some_and(changes) && self.machine.is_observable(state, thread)
    }

    /// Ends the turn of a thread: the next one in the queue has its turn, and the thread has its
    /// own again when all others or, for a while, when this one had theirs. The two have had so
    /// many turns with each other; they may have more if this one was short. Yields how many they
    /// have had now.
    fn end_turn(
        &self,
        queue: &mut Vec<ThreadId>,
        thread: ThreadId,
        state: &State,
        (exchanges, is_short): (u32, bool),
    ) -> u32 {
        queue.retain(|other| *other != thread);
        match self.partner(queue, thread, state) {
            Some(partner) if is_short && exchanges + 1 < self.manner.exchanges => {
                queue.retain(|other| *other != partner);
                queue.splice(0..0, [partner, thread]);
                return exchanges + 1;
            }
            Some(partner) if exchanges > 0 => {
                queue.retain(|other| *other != partner);
                queue.push(partner);
            }
            _ => {}
        }
        self.enqueue(queue, thread);
        0
    }

    /// The next thread in the queue, if it runs another function than a thread and may take turns
    /// with it before others have theirs.
    fn partner(&self, queue: &[ThreadId], thread: ThreadId, state: &State) -> Option<ThreadId> {
        let mut able = queue.iter().copied().filter(|other| self.machine.can_move(state, *other));
        let partner = able.next().filter(|_| self.manner.strategy == Strategy::RoundRobin)?;
        let differs = self.runs(state, partner) != self.runs(state, thread);
        able.next().filter(|_| differs).map(|_| partner)
    }

    /// The function that a thread was started with.
    fn runs(&self, state: &State, thread: ThreadId) -> Option<FuncId> {
        self.machine.stands(state, thread).first().map(|frame| frame.0)
    }

    /// What a step of a thread touches, and after which event.
    pub fn touching<'s>(
        &self,
        state: &'s State,
        memory: &Memory,
        thread: ThreadId,
        touched: &'s [Touched],
    ) -> Touching<'s> {
        let stand = self.native.stand(self.machine, state, thread);
        let after = memory.during.filter(|during| during.thread != thread || !during.active);
        let own = |during: During| (during.thread == thread).then_some(during.site);
        Touching { state, thread, stand, touched, after: after.map(own) }
    }

    /// The locks that threads wait for at sites that are no events.
    pub fn awaited(&self, state: &State) -> Vec<Place> {
        let waits = |thread: ThreadId| {
            let place = self.machine.awaited(state, thread)?;
            let free = |site| !self.listed.contains(&site) && !self.machine.can_move(state, thread);
            let stand = self.native.stand(self.machine, state, thread);
            matches!(stand, Stand::At(site) if free(site)).then_some(place)
        };
        state.thread_ids().filter_map(waits).collect()
    }

    /// Gives a thread its turn, or lets it go on with it.
    fn begin(
        &self,
        queue: &mut Vec<ThreadId>,
        current: &mut Option<ThreadId>,
        thread: ThreadId,
        state: &State,
    ) {
        match self.manner.freedom {
            Freedom::Queue => {
                queue.retain(|other| *other != thread);
                queue.insert(0, thread);
            }
            Freedom::Rounds if *current == Some(thread) => {}
            Freedom::Rounds => {
                if !queue.contains(&thread) {
                    *queue = state.thread_ids().filter(|id| self.machine.is_alive(state, *id)).collect();
                }
                queue.retain(|other| *other != thread);
                *current = Some(thread);
            }
        }
    }

    /// Whether a thread's turn is over after an event.
    fn ends_round(&self, state: &State, event: During, stand: Stand) -> bool {
        match stand {
            Stand::At(_) if self.manner.strategy == Strategy::LockOwner => {
                !self.machine.holds_lock(state, event.thread)
            }
            Stand::At(next) => next.function == event.site.function && next.ordinal <= event.site.ordinal,
            _ => true,
        }
    }

    /// Gives a new thread its place in the queue. Turns of many rounds use up what a thread can
    /// do; one that runs another function may let it go on. So where two threads that run the same
    /// function follow each other, one that runs another comes between them.
    fn welcome(&self, queue: &mut Vec<ThreadId>, thread: ThreadId, state: &State) {
        if self.manner.more_rounds > 0 && self.manner.strategy == Strategy::RoundRobin {
            let runs = |thread: &ThreadId| self.runs(state, *thread);
            let own = runs(&thread);
            let alike = |pair: &[ThreadId]| runs(&pair[0]) == runs(&pair[1]) && runs(&pair[0]) != own;
            if let Some(at) = queue.windows(2).position(alike) {
                return queue.insert(at + 1, thread);
            }
        }
        self.enqueue(queue, thread);
    }

    fn enqueue(&self, queue: &mut Vec<ThreadId>, thread: ThreadId) {
        if self.manner.freedom == Freedom::Rounds {
            return queue.push(thread);
        }
        let Strategy::Priorities(order) = &self.manner.strategy else { return queue.push(thread) };
        let rank =
            |thread: ThreadId| order.iter().position(|other| *other == thread.0).unwrap_or(order.len());
        let at = queue.iter().position(|other| rank(*other) > rank(thread)).unwrap_or(queue.len());
        queue.insert(at, thread);
    }
}
