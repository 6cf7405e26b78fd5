//! A search by layers in several processes.
//!
//! Each state belongs to the process that a hash of its content names, which keeps it and
//! visits it. What a step leads to is sent to its owner ([`store::wire`]). All processes
//! go through the same buckets: one is over when all have made their visits and have got
//! what was sent to them. What the search decides between two buckets (whether there is
//! more to visit, which fault is the smallest, whether to stop) it decides by what all
//! processes say, so that all decide the same; numbers of states never leave a process.
//!
//! A bucket is visited in rounds of about a tenth of a second, so that a process that
//! has to stop is heard soon, and messages stay small.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::{Exceeded, Peers};
use machine::ThreadId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::Tree;
use store::wire::{Incoming, Outgoing};

use crate::checkpoint::SavedTally;
use crate::worker::{Shared, Tally};

/// What is true of messages between processes of the same build.
const READABLE: &str = "a message of this build can be read";

/// How many states are given to another process at once.
const AT_ONCE: usize = 1 << 17;

/// The other processes of a search, and what they have been told.
pub struct Spread<'a> {
    peers: &'a dyn Peers,
    routes: Mutex<Routes>,
}

struct Routes {
    /// How many rounds there were: all processes must be in the same.
    round: u64,
    outgoing: Vec<Outgoing>,
    incoming: Vec<Incoming>,
    sent: u64,
}

/// A step that leads to a state: by which thread, and how many layers further.
#[derive(Clone, Copy)]
pub struct Arriving {
    /// The state.
    pub tree: Tree,
    /// The thread that has the processor there.
    pub thread: ThreadId,
    /// How many switches it takes.
    pub switches: usize,
}

/// How far a process is.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Status {
    stopped: Option<Exceeded>,
    without_twins: bool,
    needs_clocks: bool,
    states: u64,
    transitions: u64,
}

/// What a process says after a part of its visits.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Visited {
    /// Whether it has more of this bucket to visit.
    pub more: bool,
    /// Whether it has found faults of steps that stay in the layer, and of those that leave it.
    pub faults: [bool; 2],
}

/// What all processes say in a round, and why they have to stop, if they do.
struct Said<T> {
    said: Vec<T>,
    stopped: Option<Exceeded>,
}

impl<T> Said<T> {
    fn unless_stopped(self) -> Result<Vec<T>, Exceeded> {
        self.stopped.map_or(Ok(self.said), Err)
    }
}

/// What a process has counted in the end.
#[derive(Serialize, Deserialize)]
struct Counted {
    tally: SavedTally,
    layers: Vec<u64>,
    bytes: u64,
    sent: u64,
    noted: Vec<u8>,
}

impl<'a> Spread<'a> {
    /// Nothing was sent yet.
    pub fn new(peers: &'a dyn Peers) -> Spread<'a> {
        let each = 0..peers.count();
        let (outgoing, incoming) = (
            each.clone().map(|_| Outgoing::default()).collect(),
            each.map(|_| Incoming::default()).collect(),
        );
        Spread { peers, routes: Mutex::new(Routes { round: 0, outgoing, incoming, sent: 0 }) }
    }

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.peers.count()
    }

    /// Whether this process has the number 0.
    pub fn is_first(&self) -> bool {
        self.peers.index() == 0
    }

    /// The process that a state belongs to; none if it is this one.
    pub fn elsewhere(&self, shared: &Shared<'_>, tree: Tree) -> Option<usize> {
        let hash = shared.store.content_hash(tree);
        let owner = ((hash >> 32) * self.peers.count() as u64) >> 32;
        Some(owner as usize).filter(|owner| *owner != self.peers.index())
    }

    /// The bytes of what is kept for the sake of the other processes.
    pub fn bytes(&self, shared: &Shared<'_>) -> u64 {
        let routes = self.lock();
        let outgoing: u64 = routes.outgoing.iter().map(Outgoing::bytes).sum();
        outgoing + routes.incoming.iter().map(Incoming::bytes).sum::<u64>() + shared.store.hash_bytes()
    }

    /// The bytes that were sent to other processes so far.
    pub fn sent(&self) -> u64 {
        self.lock().sent
    }

    fn lock(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what steps lead to, and yields what has arrived here and what all processes say.
    pub fn round(
        &self,
        shared: &Shared<'_>,
        own: Visited,
        arriving: Vec<Vec<Arriving>>,
    ) -> Result<(Vec<Visited>, Vec<Arriving>), Exceeded> {
        for (outgoing, arriving) in self.lock().outgoing.iter_mut().zip(arriving) {
            for Arriving { tree, thread, switches } in arriving {
                outgoing.state(&shared.store, tree, thread.0 << 2 | switches as u32);
            }
        }
        let mut arrived = Vec::new();
        let said = self.exchange(shared, &own, |_, tree, beside| {
            arrived.push(Arriving { tree, thread: ThreadId(beside >> 2), switches: beside as usize & 3 });
        })?;
        Ok((said.unless_stopped()?, arrived))
    }

    /// What all processes say, in the order of their numbers. An error if one of them, or
    /// this one, has to stop.
    pub fn all<T: Serialize + DeserializeOwned>(
        &self,
        shared: &Shared<'_>,
        own: T,
    ) -> Result<Vec<T>, Exceeded> {
        self.exchange(shared, &own, |_, _, _| {})?.unless_stopped()
    }

    /// The least of what the processes have, with the state beside it, and whether this
    /// process has it.
    pub fn least<K, T>(
        &self,
        shared: &Shared<'_>,
        own: Option<(K, T, Tree)>,
    ) -> Result<Option<(bool, T, Tree)>, Exceeded>
    where
        K: Ord + Serialize + DeserializeOwned,
        T: Serialize + DeserializeOwned,
    {
        let index = self.peers.index();
        let mut trees: Vec<Option<Tree>> = vec![None; self.count()];
        let own = own.map(|(key, told, tree)| {
            trees[index] = Some(tree);
            let mut routes = self.lock();
            let others = routes.outgoing.iter_mut().enumerate().filter(|(process, _)| *process != index);
            others.for_each(|(_, outgoing)| outgoing.state(&shared.store, tree, 0));
            (key, told)
        });
        let said = self.exchange(shared, &own, |process, tree, _| trees[process] = Some(tree))?;
        let known = said.unless_stopped()?.into_iter().zip(trees).enumerate();
        let known = known.filter_map(|(process, (said, tree))| Some((said?, tree?, process)));
        let least = known.min_by(|((a, _), ..), ((b, _), ..)| a.cmp(b));
        Ok(least.map(|((_, told), tree, process)| (process == index, told, tree)))
    }

    /// Gives some states of all other processes to the first one.
    pub fn gather(
        &self,
        shared: &Shared<'_>,
        states: &mut dyn Iterator<Item = Tree>,
        mut put_in: impl FnMut(Tree),
    ) -> Result<(), Exceeded> {
        loop {
            let mut sent = 0;
            if !self.is_first() {
                let mut routes = self.lock();
                for tree in states.take(AT_ONCE) {
                    routes.outgoing[0].state(&shared.store, tree, 0);
                    sent += 1;
                }
            }
            let more = self.exchange(shared, &(sent == AT_ONCE), |_, tree, _| put_in(tree))?;
            if !more.unless_stopped()?.contains(&true) {
                return Ok(());
            }
        }
    }

    /// One round of messages: the status, what is said, and the states on their way.
    fn exchange<T: Serialize + DeserializeOwned>(
        &self,
        shared: &Shared<'_>,
        own: &T,
        mut state: impl FnMut(usize, Tree, u32),
    ) -> Result<Said<T>, Exceeded> {
        let mut routes = self.lock();
        routes.round += 1;
        let (round, status) = (routes.round, Status::of(shared));
        let head = postcard::to_stdvec(&(round, status, own)).expect("what is said has bytes");
        let message = |outgoing: &mut Outgoing| {
            let mut bytes = head.clone();
            bytes.append(&mut outgoing.take());
            bytes
        };
        let outgoing: Vec<Vec<u8>> = routes.outgoing.iter_mut().map(message).collect();
        routes.sent += outgoing.iter().map(|bytes| bytes.len() as u64).sum::<u64>();
        let mut come = self.peers.exchange(outgoing).map_err(|lost| {
            let gone = Exceeded::Process { process: lost.process };
            shared.stop(gone);
            gone
        })?;
        come[self.peers.index()] = head;
        let (mut said, mut all) = (Vec::new(), Vec::new());
        for (process, (bytes, incoming)) in come.iter().zip(&mut routes.incoming).enumerate() {
            let (head, rest) = postcard::take_from_bytes(bytes).expect(READABLE);
            let (theirs, status, what): (u64, Status, T) = head;
            assert_eq!(theirs, round, "process {process} is in another round");
            incoming.read(&shared.store, rest, |tree, beside| state(process, tree, beside)).expect(READABLE);
            all.push(status);
            said.push(what);
        }
        drop(routes);
        Ok(Said { said, stopped: self.hear(shared, &all) })
    }

    /// Takes over what the processes say of themselves. All of them hear the same.
    fn hear(&self, shared: &Shared<'_>, all: &[Status]) -> Option<Exceeded> {
        if all.iter().any(|status| status.without_twins) {
            shared.give_up_twins();
        }
        if all.iter().any(|status| status.needs_clocks) {
            shared.give_up_without_clocks();
        }
        let others = all.iter().enumerate().filter(|(process, _)| *process != self.peers.index());
        let count = |(states, transitions), (_, status): (_, &Status)| {
            (states + status.states, transitions + status.transitions)
        };
        let (states, transitions) = others.fold((0, 0), count);
        shared.set_elsewhere(states, transitions);
        let stopped = all.iter().find_map(|status| status.stopped)?;
        shared.stop(stopped);
        Some(stopped)
    }

    /// Adds up what all processes have counted. Yields the bytes that all of them keep, and
    /// that they have sent.
    pub fn finish(
        &self,
        shared: &Shared<'_>,
        tally: &mut Tally,
        layers: &mut [u64],
        bytes: u64,
    ) -> Result<(u64, u64), Exceeded> {
        let noted = shared.machine().noted();
        let own =
            Counted { tally: (&*tally).into(), layers: layers.to_owned(), bytes, sent: self.sent(), noted };
        // The search may have been stopped; the processes are still there.
        let all = self.exchange(shared, &own, |_, _, _| {})?.said;
        let (mut bytes, mut sent) = (0, 0);
        layers.fill(0);
        *tally = Tally::default();
        for counted in all {
            tally.add(counted.tally.resumed().expect(READABLE));
            layers.iter_mut().zip(counted.layers).for_each(|(sum, states)| *sum += states);
            bytes += counted.bytes;
            sent += counted.sent;
            shared.machine().note_all(&counted.noted);
        }
        Ok((bytes, sent))
    }
}

impl Status {
    fn of(shared: &Shared<'_>) -> Status {
        Status {
            stopped: shared.stopped(),
            without_twins: shared.has_no_twins(),
            needs_clocks: shared.needs_clocks(),
            states: u64::from(shared.store.states()),
            transitions: shared.transitions(),
        }
    }
}

/// How many visits are made in one round.
pub struct Pace(usize);

impl Pace {
    /// About how long a round takes.
    const ROUND: Duration = Duration::from_millis(100);

    /// Before the first round.
    pub fn new() -> Pace {
        Pace(1 << 10)
    }

    /// How many visits the next round has at most.
    pub fn visits(&self) -> usize {
        self.0
    }

    /// Learns how long a round of so many visits took.
    pub fn learn(&mut self, visits: usize, begun: Instant) {
        let (took, round) = (begun.elapsed().as_micros().max(1), Self::ROUND.as_micros());
        if took > round {
            self.0 = (visits as u128 * round / took) as usize;
        } else if visits == self.0 && took < round / 2 {
            self.0 *= 2;
        }
        self.0 = self.0.clamp(16, 1 << 18);
    }
}
