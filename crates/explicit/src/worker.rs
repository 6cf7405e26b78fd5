//! What every search does: taking steps, and counting what comes of them.

mod followed;
mod transact;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use engine::{Checkpoints, Collected, Counts, Cut, Exceeded, Ledger, Task, Watch};
use machine::{
    Depends, End, Fault, Grain, Machine, Mover, ObjectId, Observer, Other, Property, Racing, Sort, State,
    ThreadId, Twins,
};
use reduction::Move;
use smallvec::SmallVec;

use crate::compaction::{Fingerprints, fingerprint};
use crate::effects::{Answer, Effects, KnownGuard, Surroundings, effect};
use crate::found::{Candidate, Choice};
use crate::outcome::{executed, switches};
use crate::spread::Spread;
use crate::transactions::{Held, Seen, Transactions};
use crate::twins::{self, Alike};
use crate::{Options, Remember};
use followed::Followed;
use store::{Loaded, Sight, Spill, StateId, Store, Tree};

const MAIN: Mover = Mover::Thread(ThreadId(0));

/// What all workers of a search share.
pub struct Shared<'a> {
    /// What is asked.
    pub task: &'a Task<'a>,
    machine: &'a Machine,
    /// How far a step goes.
    pub grain: Grain,
    /// Whether starting a thread counts as a context switch.
    pub starts_switch: bool,
    /// The states.
    pub store: Store,
    /// Their fingerprints instead, with hash compaction.
    pub fingerprints: Option<Fingerprints>,
    /// Whether local steps are remembered.
    pub remember: Remember,
    /// Whether normal forms and renamings are checked: for tests.
    pub checked: bool,
    /// Whether states that differ by the numbers of threads are one.
    pub symmetry: bool,
    asymmetric: AtomicBool,
    /// How twins stand for each other, if they do.
    pub twins: Option<&'a Twins>,
    without_twins: AtomicBool,
    /// What transactions rely upon, if there are any.
    pub transactions: Option<&'a Transactions>,
    needs_clocks: AtomicBool,
    stopped: OnceLock<Exceeded>,
    transitions: AtomicU64,
    layer: AtomicU64,
    /// Where the search leaves what it needs to go on later.
    pub checkpoints: Option<&'a dyn Checkpoints>,
    /// The other processes, if there are any.
    pub spread: Option<&'a Spread<'a>>,
    /// Where faults are collected, if the search goes on past them.
    pub collected: Option<&'a Collected>,
    /// Where tables go that are larger than memory.
    pub spill: Option<&'a Arc<Spill>>,
    elsewhere: Elsewhere,
}

/// What other processes have counted, as far as they have said.
#[derive(Default)]
struct Elsewhere {
    states: AtomicU64,
    transitions: AtomicU64,
}

impl<'a> Shared<'a> {
    /// Before the first state. The machine is that of the task, or the same
    /// without clocks.
    pub fn new(task: &'a Task<'a>, machine: &'a Machine, options: &Options) -> Shared<'a> {
        let (transitions, layer) = (AtomicU64::new(0), AtomicU64::new(0));
        let (grain, starts_switch) = (options.reduction, options.starts_switch);
        let store = Store::new(machine);
        let fingerprints = options.hash_compaction.then(Fingerprints::new);
        let (symmetry, asymmetric) = (options.symmetry, AtomicBool::new(false));
        // What is remembered are changes of single parts, in states as they are.
        let has_local_steps = machine.has_local_steps(grain) && !symmetry && fingerprints.is_none();
        let remember = if has_local_steps { options.remember } else { Remember::Nothing };
        Shared {
            task,
            machine,
            grain,
            starts_switch,
            store,
            fingerprints,
            remember,
            checked: options.remember == Remember::Checked,
            symmetry,
            asymmetric,
            twins: None,
            without_twins: AtomicBool::new(false),
            transactions: None,
            needs_clocks: AtomicBool::new(false),
            stopped: OnceLock::new(),
            transitions,
            layer,
            checkpoints: None,
            spread: None,
            collected: None,
            spill: None,
            elsewhere: Elsewhere::default(),
        }
    }

    /// The same, without states, with tables in files, if there are any.
    pub fn with_spill(self, spill: Option<&'a Arc<Spill>>) -> Shared<'a> {
        Shared { store: self.store.spilled(spill), spill, ..self }
    }

    /// Why there is no room for the tables, if there is none.
    fn out_of_room(&self) -> Option<Exceeded> {
        self.spill?.error().map(|error| Exceeded::Disk { error })
    }

    /// The same with states that were found before.
    pub fn with_store(self, store: Option<Store>) -> Shared<'a> {
        Shared { store: store.unwrap_or(self.store), ..self }
    }

    /// The same for a search that is written down now and then.
    pub fn with_checkpoints(self, checkpoints: Option<&'a dyn Checkpoints>) -> Shared<'a> {
        Shared { checkpoints, ..self }
    }

    /// The same for one of several processes.
    pub fn with_spread(self, spread: Option<&'a Spread<'a>>) -> Shared<'a> {
        Shared { spread, ..self }
    }

    /// The same for a search that goes on past faults.
    pub fn with_collected(self, collected: Option<&'a Collected>) -> Shared<'a> {
        Shared { collected, ..self }
    }

    /// Whether a fault was asked for, and is not known yet.
    fn is_news(&self, fault: &Fault) -> bool {
        let is_known = |collected: &Collected| collected.is_known(fault);
        self.machine.asks(&fault.kind) && !self.collected.is_some_and(is_known)
    }

    /// Collects the faults that an execution shows, in which these were met.
    pub fn collect(&self, collected: &Collected, met: &[Fault], steps: &[Choice]) {
        let steps: Vec<(Mover, u64)> = steps.iter().map(|step| (step.mover, step.choice)).collect();
        collected.collect(self.task.machine, self.grain, met, &steps);
        if collected.is_full() {
            self.stop(Exceeded::Cancelled);
        }
    }

    /// The same, where twins stand for each other.
    pub fn with_twins(self, twins: Option<&'a Twins>) -> Shared<'a> {
        Shared { twins, ..self }
    }

    /// The same, where steps of one thread are taken together.
    pub fn with_transactions(self, transactions: Option<&'a Transactions>) -> Shared<'a> {
        Shared { transactions, ..self }
    }

    /// The machine that executes the program.
    pub fn machine(&self) -> &'a Machine {
        self.machine
    }

    /// Whether races are found without clocks.
    pub fn has_no_clocks(&self) -> bool {
        !std::ptr::eq(self.machine, self.task.machine)
    }

    /// How many states there are, in all processes.
    pub fn states(&self) -> u64 {
        let elsewhere = self.elsewhere.states.load(Ordering::Relaxed);
        let here = || u64::from(self.store.states());
        elsewhere + self.fingerprints.as_ref().map_or_else(here, Fingerprints::len)
    }

    /// Says how many states and transitions other processes have counted.
    pub fn set_elsewhere(&self, states: u64, transitions: u64) {
        self.elsewhere.states.store(states, Ordering::Relaxed);
        self.elsewhere.transitions.store(transitions, Ordering::Relaxed);
    }

    /// How many transitions this process has counted, or a few less.
    pub fn transitions(&self) -> u64 {
        self.transitions.load(Ordering::Relaxed)
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.fingerprints.as_ref().map_or_else(|| self.store.bytes(), Fingerprints::bytes)
    }

    /// Says that the program depends on how threads are numbered.
    fn give_up_symmetry(&self) {
        self.asymmetric.store(true, Ordering::Relaxed);
        self.stop(Exceeded::Cancelled);
    }

    /// Whether the program was found to depend on how threads are numbered.
    pub fn is_asymmetric(&self) -> bool {
        self.asymmetric.load(Ordering::Relaxed)
    }

    /// Says that twins do not stand for each other.
    pub fn give_up_twins(&self) {
        self.without_twins.store(true, Ordering::Relaxed);
        self.stop(Exceeded::Cancelled);
    }

    /// Whether it was found that twins do not stand for each other.
    pub fn has_no_twins(&self) -> bool {
        self.without_twins.load(Ordering::Relaxed)
    }

    /// Whether twins stand for each other.
    pub fn has_twins(&self) -> bool {
        self.twins.is_some()
    }

    /// How many context switches an execution has, as this search counts them.
    pub fn switches(&self, steps: &[Choice]) -> u64 {
        let (trace, _) = executed(self.task.machine, self.grain, steps);
        switches(self.task.machine, &trace, self.starts_switch)
    }

    /// Says that races cannot be told without clocks.
    pub fn give_up_without_clocks(&self) {
        self.needs_clocks.store(true, Ordering::Relaxed);
        self.stop(Exceeded::Cancelled);
    }

    /// Whether it was found that races cannot be told without clocks.
    pub fn needs_clocks(&self) -> bool {
        self.needs_clocks.load(Ordering::Relaxed)
    }

    /// Makes all workers stop.
    pub fn stop(&self, why: Exceeded) {
        let _ = self.stopped.set(why);
    }

    /// Why the search stops early, if it does.
    pub fn stopped(&self) -> Option<Exceeded> {
        self.stopped.get().copied()
    }

    /// What the tables cannot hold is memory that is not there.
    pub fn stop_full(&self) {
        self.stop(Exceeded::Memory { limit: self.bytes() });
    }

    /// Says which layer (or level, or depth) the search is in.
    pub fn enter_layer(&self, layer: u64) {
        self.layer.store(layer, Ordering::Relaxed);
    }

    /// Says how many states wait to be visited.
    pub fn enqueue(&self, states: usize) {
        self.task.progress.set_queue(states as u64);
    }
}

/// What was counted besides states.
#[derive(Clone)]
pub struct Tally {
    /// Steps taken, each once.
    pub transitions: u64,
    /// What was noted.
    pub ledger: Ledger,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { transitions: 0, ledger: Ledger::of_worker() }
    }
}

impl Tally {
    /// Notes that executions were not followed.
    pub fn cut(&mut self, cut: Cut) {
        self.ledger.cut(cut);
    }

    /// Adds what another worker counted.
    pub fn add(&mut self, other: Tally) {
        self.transitions += other.transitions;
        self.ledger.merge(other.ledger);
    }
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// To a normal state. With symmetry threads may have other numbers there
    /// than before.
    State {
        /// The state.
        tree: Tree,
        /// The thread that moved.
        moved: ThreadId,
        /// The thread that the step started, if that can move.
        started: Option<ThreadId>,
        /// How many further steps the thread took in the same transaction.
        further: u32,
    },
    /// To a fault that was asked for, where the search does not go on past it.
    Fault,
    /// Nowhere: the execution is over.
    Over,
}

/// What can move.
struct Able {
    mover: Mover,
    /// How many data choices it has, where that is its own matter.
    choices: Option<u32>,
}

type Ables = SmallVec<[Able; 8]>;

impl From<ThreadId> for Able {
    fn from(thread: ThreadId) -> Able {
        Able { mover: Mover::Thread(thread), choices: None }
    }
}

/// A state to take steps from.
pub struct Opened {
    /// Its parts.
    pub loaded: Loaded,
    /// What can move, ascending.
    movers: Ables,
    /// Whether there may be a deadlock.
    stuck: bool,
    /// Whether there may be steps that race, where that is looked for without
    /// clocks.
    may_race: bool,
    /// Where steps are remembered: the number of that, and what it stands for.
    surroundings: Option<u32>,
    around: Surroundings,
    /// The locks that threads have, where there are transactions.
    held: Held,
    /// Which of the movers are twins.
    alike: Alike,
}

impl Opened {
    /// What is to move, ascending: of twins the first.
    pub fn candidates(&self) -> impl Iterator<Item = Mover> + '_ {
        self.alike.candidates(self.movers())
    }

    /// The thread itself, if it has the processor, else a twin from which it takes
    /// the processor over.
    pub fn holder(&self, thread: ThreadId, has_processor: impl Fn(ThreadId) -> bool) -> Option<ThreadId> {
        self.alike.holder(self.movers(), thread, has_processor)
    }

    /// What is known of one that can move.
    #[inline]
    fn able(&self, mover: Mover) -> Option<&Able> {
        // Looking at a few is quicker than halving.
        match self.movers.len() {
            0..=8 => self.movers.iter().find(|able| able.mover == mover),
            _ => Some(&self.movers[self.movers.binary_search_by_key(&mover, |able| able.mover).ok()?]),
        }
    }

    /// What can move, ascending.
    pub fn movers(&self) -> impl DoubleEndedIterator<Item = Mover> + Clone + '_ {
        self.movers.iter().map(|able| able.mover)
    }
}

/// The state after a step, which is normal.
struct After {
    state: State,
    /// Whether it was normal but for single parts.
    in_place: bool,
    /// Whether the step had faults that were not asked for.
    faulty: bool,
    moved: ThreadId,
    started: Option<ThreadId>,
}

/// One thread of a search.
pub struct Worker<'a> {
    /// What it shares with the others.
    pub shared: &'a Shared<'a>,
    /// What it counted.
    pub tally: Tally,
    /// The faults of the last step that were asked for and are not known yet.
    pub news: Vec<Fault>,
    /// What it saw that transactions rely upon.
    pub seen: Seen,
    effects: Effects,
    /// The threads of the last state that had many.
    followed: Followed,
    sight: Sight,
    /// What the last step led to, with hash compaction.
    arrived: Option<State>,
    watch: Watch<'a>,
    buffer: Vec<u8>,
    reported: u64,
}

impl<'a> Worker<'a> {
    /// How many steps are taken between two reports of progress.
    const REPORT_EVERY: u64 = 257;

    /// One that has done nothing yet.
    pub fn new(shared: &'a Shared<'a>) -> Worker<'a> {
        let watch = shared.task.budget.watch();
        let (tally, effects) = (Tally::default(), Effects::default());
        Worker {
            shared,
            tally,
            news: Vec::new(),
            seen: Seen::default(),
            effects,
            followed: Followed::default(),
            sight: Sight::new(),
            arrived: None,
            watch,
            buffer: Vec::new(),
            reported: 0,
        }
    }

    /// Whether to stop; looks at the budget.
    pub fn must_stop(&mut self) -> bool {
        let (budget, states) = (self.shared.task.budget, self.shared.states());
        if let Some(exceeded) = self
            .watch
            .exceeded()
            .or_else(|| budget.out_of_states(states))
            .or_else(|| self.shared.out_of_room())
        {
            self.shared.stop(exceeded);
        }
        self.shared.stopped().is_some()
    }

    /// Puts in the initial state.
    pub fn initial(&mut self) -> StateId {
        let tree = self.initial_tree();
        self.insert(tree).0
    }

    /// The initial state.
    pub fn initial_tree(&mut self) -> Tree {
        let mut state = self.shared.machine().initial();
        self.shared.machine().normalise(&mut state);
        self.shared.store.tree(&mut self.sight, &state, None)
    }

    /// Puts in a state. Yields its number and whether it is new.
    pub fn insert(&mut self, tree: Tree) -> (StateId, bool) {
        self.shared.store.insert(&mut self.sight, tree)
    }

    /// Says which states will be put in next.
    pub fn approach(&mut self, trees: impl Iterator<Item = Tree>) {
        self.shared.store.approach(&mut self.sight, trees);
    }

    /// Puts in the state that the last step led to; opens it if it is new.
    pub fn enter(&mut self, tree: Tree) -> Option<Opened> {
        let Some(fingerprints) = &self.shared.fingerprints else {
            let (id, new) = self.insert(tree);
            return new.then(|| self.open(id));
        };
        let state = self.arrived.take().expect("a step led here");
        self.buffer.clear();
        self.shared.machine().canonical(&state, &mut self.buffer);
        let new = fingerprints.insert(fingerprint(&self.buffer));
        new.then(|| self.open_afresh(Loaded::unstored(state)))
    }

    /// The initial state.
    pub fn first(&mut self) -> Opened {
        let mut state = self.shared.machine().initial();
        self.shared.machine().normalise(&mut state);
        let tree = match self.shared.fingerprints {
            Some(_) => self.hold(state),
            None => self.shared.store.tree(&mut self.sight, &state, None),
        };
        self.enter(tree).expect("the first state is new")
    }

    /// Keeps a state until it is entered; with hash compaction there is no tree.
    fn hold(&mut self, state: State) -> Tree {
        self.arrived = Some(state);
        Tree::default()
    }

    /// Finds out what can move in a state, without what is remembered.
    fn open_afresh(&mut self, loaded: Loaded) -> Opened {
        let state = self.shared.store.state(&loaded);
        if let Some(transactions) = self.shared.transactions {
            self.seen.note(transactions.discipline().notes_awaited(self.shared.machine(), state));
        }
        let movers = self.shared.machine().movers(state);
        let movers: Ables = movers.into_iter().map(|mover| Able { mover, choices: None }).collect();
        Opened {
            alike: self.alike(&loaded, &movers),
            movers,
            stuck: true,
            may_race: true,
            surroundings: None,
            around: Surroundings::default(),
            held: Held::new(),
            loaded,
        }
    }

    /// Loads a state and finds out what can move in it.
    pub fn open(&mut self, id: StateId) -> Opened {
        self.open_loaded(self.shared.store.load(id))
    }

    /// Finds out what can move in a state of the store. Steps are remembered only
    /// where nothing but threads moves.
    pub fn open_loaded(&mut self, loaded: Loaded) -> Opened {
        let store = &self.shared.store;
        self.effects.make_room();
        let remember = self.shared.remember != Remember::Nothing;
        let has_transactions = self.shared.transactions.is_some();
        if remember && !has_transactions && loaded.threads() > followed::FEW {
            return self.open_followed(loaded);
        }
        let around = remember.then(|| Surroundings::of(store, &loaded, has_transactions)).flatten();
        let numbered = around.and_then(|around| Some((around, self.effects.number(around)?)));
        let Some((around, number)) = numbered else { return self.open_afresh(loaded) };
        let asks = self.shared.machine().config().properties.has(Property::Deadlock);
        let guards = self.guards(&loaded, number);
        let known = guards.iter().map(|number| self.effects.guard(*number));
        let mut movers: Ables = machine::runnable(known.clone().map(|known| &known.guard));
        for able in &mut movers {
            able.choices = self.effects.guard(guards[able.mover.thread().0 as usize]).choices;
        }
        let stuck = asks && !machine::stuck(known.clone().map(|known| &known.guard)).is_empty();
        let may_race = self.shared.has_no_clocks() && machine::may_race(known.map(|known| &known.prospect));
        let (held, alike) = (self.held(&loaded), self.alike(&loaded, &movers));
        Opened { movers, stuck, may_race, surroundings: Some(number), around, held, alike, loaded }
    }

    /// The numbers of the guards of all threads.
    fn guards(&mut self, loaded: &Loaded, surroundings: u32) -> SmallVec<[u32; 8]> {
        let mut guards = SmallVec::new();
        for thread in (0..loaded.threads() as u32).map(ThreadId) {
            let number = self.guard(loaded, surroundings, thread);
            guards.push(number);
        }
        if self.shared.transactions.is_some() {
            let awaited = guards.iter().filter_map(|number| self.effects.guard(*number).awaited.clone());
            self.seen.note(awaited.collect());
        }
        guards
    }

    /// The locks that threads have, where there are transactions.
    fn held(&self, loaded: &Loaded) -> Held {
        let store = &self.shared.store;
        let owner = |object: ObjectId, offset| {
            let slot = object.slot_index()? as u32;
            let number = store.part(loaded, Other::Object(slot))?;
            let names = matches!(store.sort(number), Sort::Object { names: true });
            names.then(|| store.get(number).lock_owner(offset)).flatten()
        };
        self.shared.transactions.map_or_else(Held::new, |transactions| transactions.held(owner))
    }

    /// Which of some movers are twins, where these stand for each other.
    fn alike(&self, loaded: &Loaded, movers: &[Able]) -> Alike {
        let among = || Alike::among(&self.shared.store, loaded, movers.iter().map(|able| able.mover));
        if self.shared.has_twins() { among() } else { Alike::default() }
    }

    /// The number of a thread's guard.
    fn guard(&mut self, loaded: &Loaded, surroundings: u32, thread: ThreadId) -> u32 {
        let store = &self.shared.store;
        let question = Effects::whether(surroundings, thread);
        let own = store.part(loaded, Other::Thread(thread.0)).expect("a thread has a part");
        let known = question.and_then(|question| self.effects.find(question, own, |o| store.part(loaded, o)));
        let checked = self.shared.remember == Remember::Checked;
        if let Some(Answer::Guard(number)) = known
            && !checked
        {
            return number;
        }
        let (machine, state) = (self.shared.machine(), store.state(loaded));
        let prospect = self.shared.has_no_clocks().then(|| machine.prospect(state, thread));
        let guard = KnownGuard {
            guard: machine.guard(state, thread),
            choices: machine.own_choices(state, thread).and_then(|choices| u32::try_from(choices).ok()),
            prospect: prospect.unwrap_or_default(),
            awaited: self.shared.transactions.and_then(|transactions| {
                transactions.discipline().note_awaited(&Move { machine, before: state, thread })
            }),
        };
        if let Some(Answer::Guard(number)) = known {
            assert_eq!(*self.effects.guard(number), guard, "whether {thread} can move is remembered");
            return number;
        }
        let number = self.effects.add_guard(guard);
        let depends = Depends::of_guard(machine, state, thread);
        if let Some(question) = question.filter(|_| !depends.everything) {
            self.effects.learn(
                question,
                own,
                &depends.others,
                |o| store.part(loaded, o),
                Answer::Guard(number),
            );
        }
        number
    }

    /// The data choices of a mover's next step. Where there are too many,
    /// there is a cut instead.
    pub fn choices(&mut self, from: &Opened, mover: Mover) -> u64 {
        if let Some(choices) = from.able(mover).and_then(|able| able.choices) {
            return u64::from(choices);
        }
        let state = self.shared.store.state(&from.loaded);
        self.shared.machine().choices_of(state, mover).unwrap_or_else(|needs| {
            self.tally.cut(Cut::NeedsSymbolic(needs));
            0
        })
    }

    /// Takes a step; one that is taken `again` is not counted again.
    pub fn step(&mut self, from: &Opened, mover: Mover, choice: u64, again: bool) -> Next {
        self.count(again, from, mover);
        self.news.clear();
        let next = self.take(from, mover, choice, again);
        if let (Some(twins), Next::State { tree, .. }) = (self.shared.twins, next)
            && mover == MAIN
            && !twins::stay_alike(twins, &self.shared.store, &from.loaded, tree)
        {
            self.shared.give_up_twins();
        }
        next
    }

    /// Takes a step, from memory if it is remembered.
    fn take(&mut self, from: &Opened, mover: Mover, choice: u64, again: bool) -> Next {
        let (loaded, store, thread) = (&from.loaded, &self.shared.store, mover.thread());
        let number = self.surroundings_of(from, thread);
        let question = number.and_then(|number| Effects::what(number, thread, choice));
        let Some(question) = question else { return self.execute(loaded, mover, choice, again) };
        let own = store.part(loaded, Other::Thread(thread.0)).expect("a thread has a part");
        match self.effects.find(question, own, |other| store.part(loaded, other)) {
            Some(Answer::Effect(number)) => {
                let (effect, further) = self.effects.effect(number);
                let tree = self.shared.store.changed(&mut self.sight, loaded, effect);
                let next = Next::State { tree, moved: thread, started: None, further: *further };
                if self.shared.remember == Remember::Checked {
                    let executed = self.execute(loaded, mover, choice, true);
                    assert_eq!(next, executed, "the step of {thread} is remembered");
                }
                next
            }
            Some(_) => self.execute(loaded, mover, choice, again),
            None => {
                let (next, run) = self.execute_watched(loaded, mover, choice, again);
                let answer = match (&run.state, next) {
                    (Some(after), Next::State { further, .. }) if run.local => {
                        let among = run.others.iter().copied().chain([Other::Thread(thread.0)]);
                        let effect = effect(store, loaded, after, among);
                        Answer::Effect(self.effects.add_effect((effect, further)))
                    }
                    _ => Answer::Execute,
                };
                self.effects.learn(question, own, &run.others, |other| store.part(loaded, other), answer);
                next
            }
        }
    }

    /// The number of what surrounds a thread. It has a number of its own where the thread has locks
    /// that matter.
    #[inline]
    fn surroundings_of(&mut self, from: &Opened, thread: ThreadId) -> Option<u32> {
        let number = from.surroundings?;
        let own = from.held.iter().filter(|(owner, _)| *owner == thread);
        match own.fold(0, |held, (_, lock)| held | lock) {
            0 => Some(number),
            held => self.effects.number(Surroundings { held, ..from.around }),
        }
    }

    /// Takes a step by executing it.
    fn execute(&mut self, from: &Loaded, mover: Mover, choice: u64, again: bool) -> Next {
        if self.shared.transactions.is_some() {
            return self.execute_watched(from, mover, choice, again).0;
        }
        match self.execute_one(from, mover, choice, again, &mut ()) {
            Ok(after) => self.arrive(from, after.state, after.moved, after.started, 0),
            Err(next) => next,
        }
    }

    /// Where a step leads to.
    fn arrive(
        &mut self,
        from: &Loaded,
        state: State,
        moved: ThreadId,
        started: Option<ThreadId>,
        further: u32,
    ) -> Next {
        let tree = match self.shared.fingerprints {
            Some(_) => self.hold(state),
            None => self.shared.store.tree(&mut self.sight, &state, Some(from)),
        };
        Next::State { tree, moved, started, further }
    }

    /// Takes a step that goes on after faults that do not end the execution.
    /// Yields its faults, and the state that it leads to or how it ends.
    pub fn step_past_faults(
        &mut self,
        from: &Opened,
        mover: Mover,
        choice: u64,
    ) -> (Vec<Fault>, Result<Tree, End>) {
        let (machine, store) = (self.shared.machine(), &self.shared.store);
        let mut state = store.state(&from.loaded).clone();
        let step = machine.step(&mut state, mover, choice, self.shared.grain, &mut ());
        let next = step.end.map_or_else(
            || {
                machine.normalise(&mut state);
                Ok(store.tree(&mut self.sight, &state, Some(&from.loaded)))
            },
            Err,
        );
        (step.faults, next)
    }

    /// Executes one step. An error if it does not lead to a state.
    fn execute_one<O: Observer>(
        &mut self,
        from: &Loaded,
        mover: Mover,
        choice: u64,
        again: bool,
        observer: &mut O,
    ) -> Result<After, Next> {
        let (machine, store) = (self.shared.machine(), &self.shared.store);
        let (before, thread) = (store.state(from), mover.thread());
        let mut state = before.clone();
        let step = machine.step(&mut state, mover, choice, self.shared.grain, observer);
        let unsupported = matches!(step.end, Some(End::Unsupported(_)));
        if self.shared.symmetry && (unsupported || machine.uses_thread_numbers(&state)) {
            self.shared.give_up_symmetry();
        }
        let faulty = !step.faults.is_empty();
        for fault in step.faults {
            if self.shared.is_news(&fault) {
                self.news.push(fault);
            } else if !again && !machine.asks(&fault.kind) {
                self.tally.ledger.warn(fault);
            }
        }
        match step.end {
            _ if !self.news.is_empty() && self.shared.collected.is_none() => Err(Next::Fault),
            None => {
                let in_place = machine.normalise(&mut state);
                if self.shared.checked {
                    machine.check_normal(&state);
                }
                let (moved, started) = self.sort(before, &mut state, thread);
                Ok(After { state, in_place, faulty, moved, started })
            }
            Some(end) => {
                if !again {
                    self.tally.ledger.end(machine, &state, end, || machine.position(before, thread));
                }
                Err(Next::Over)
            }
        }
    }

    /// With symmetry, sorts the threads after a step. Yields the new numbers of
    /// the thread that moved and of the one that it started.
    fn sort(&self, before: &State, after: &mut State, mover: ThreadId) -> (ThreadId, Option<ThreadId>) {
        let machine = self.shared.machine();
        let started = machine.started(before, after);
        if !self.shared.symmetry {
            return (mover, started);
        }
        let names = machine.sort_threads(after);
        (names.new_number(mover), started.map(|thread| names.new_number(thread)))
    }

    fn count(&mut self, again: bool, from: &Opened, mover: Mover) {
        self.tally.transitions += u64::from(!again);
        if self.tally.transitions >= self.reported + Self::REPORT_EVERY {
            self.report();
            let progress = self.shared.task.progress;
            progress.sample(self.shared.machine(), self.shared.store.state(&from.loaded), mover.thread());
        }
    }

    /// Tells the user how far the search is.
    fn report(&mut self) {
        let news = self.tally.transitions - self.reported;
        self.reported = self.tally.transitions;
        let shared = self.shared;
        let transitions = shared.transitions.fetch_add(news, Ordering::Relaxed) + news;
        let transitions = transitions + shared.elsewhere.transitions.load(Ordering::Relaxed);
        let (states, depth) = (shared.states(), shared.layer.load(Ordering::Relaxed));
        shared.task.progress.set(Counts { states, transitions, depth });
        if shared.store.is_full() {
            shared.stop_full();
        }
    }

    /// The steps from a state that race with each other, where that is how
    /// races are found.
    pub fn racing(&self, from: &Opened) -> SmallVec<[Racing; 2]> {
        let checked = self.shared.remember == Remember::Checked;
        if !self.shared.has_no_clocks() || !from.may_race && !checked {
            return SmallVec::new();
        }
        let racing = self.shared.machine().racing(self.shared.store.state(&from.loaded), self.shared.grain);
        let some = racing.as_ref().is_none_or(|racing| !racing.is_empty());
        assert!(from.may_race || !some, "steps that race are expected to");
        racing.unwrap_or_else(|| {
            self.shared.give_up_without_clocks();
            SmallVec::new()
        })
    }

    /// The deadlock of a state, if it was asked for and is not known yet.
    pub fn deadlock(&self, from: &Opened) -> Option<Fault> {
        let deadlock = || self.shared.machine().deadlock(self.shared.store.state(&from.loaded));
        from.stuck.then(deadlock).flatten().filter(|fault| self.shared.is_news(fault))
    }

    /// Whether a state is in such a deadlock.
    pub fn is_deadlocked(&self, from: &Opened) -> bool {
        self.deadlock(from).is_some()
    }

    /// The faults that a candidate has and that are not known yet.
    pub fn news_of(&self, candidate: &Candidate) -> Vec<Fault> {
        let (shared, machine) = (self.shared, self.shared.machine());
        let loaded = shared.store.load(candidate.state);
        let state = shared.store.state(&loaded);
        let faults = match candidate.mover {
            None => machine.deadlock(state).into_iter().collect(),
            Some(mover) => {
                machine.step(&mut state.clone(), mover, candidate.choice, shared.grain, &mut ()).faults
            }
        };
        faults.into_iter().filter(|fault| shared.is_news(fault)).collect()
    }

    /// The bytes of what it remembers.
    pub fn bytes(&self) -> u64 {
        self.effects.bytes()
    }
}
