//! From when on a thread that waits for its next event looks whether it may go on.
//!
//! While a thread looks it takes a processor from those that it waits for. Where many events of
//! others come first it had better sleep, and be woken in time. So events have a *notice*: one of
//! the events that come before. Until that has happened a thread that waits sleeps.

use rustc_hash::FxHashMap;
use schedule::{Next, Section};

/// A thread waits asleep if so many events of others have to happen one after the other.
const FAR: usize = 4;

/// The notice is the event which comes so many before the last that is waited for.
const AHEAD: usize = 1;

/// As many events of one thread as no section has (`enforce.h`: `TP_BITS`).
const NEVER: u32 = (1 << 20) - 1;

/// What must have happened: so many events of a thread. None if there is nothing to wait for.
pub type Notice = [u32; 2];

const NOW: Notice = [0, 0];

/// An event: a thread, and how many events it had before.
type Node = (u32, u32);

/// The longest chains of events that must happen one after the other.
pub struct Chains {
    /// By event, how many are in the chain that ends with it, and the one before.
    known: FxHashMap<Node, (usize, Option<Node>)>,
    /// The last event of the longest one.
    last: Option<Node>,
    /// By thread, how many are in the chain that ends with its last event.
    own: FxHashMap<u32, usize>,
}

impl Chains {
    /// Those of a section.
    pub fn new(section: &Section) -> Chains {
        let (mut known, mut last) = (FxHashMap::<Node, (usize, Option<Node>)>::default(), None);
        let mut own = FxHashMap::default();
        let length = |known: &FxHashMap<Node, (usize, Option<Node>)>, node: Option<Node>| {
            node.map_or(0, |node: Node| known[&node].0)
        };
        for (thread, index) in section.in_order() {
            let needs = &section.events(thread)[index as usize].after;
            let others = needs.iter().filter_map(|need| Some((need.thread, need.events.checked_sub(1)?)));
            let before = others.chain(index.checked_sub(1).map(|index| (thread, index)));
            let before = before.max_by_key(|node| known[node].0);
            let so_far = 1 + length(&known, before);
            known.insert((thread, index), (so_far, before));
            own.insert(thread, so_far);
            if so_far > length(&known, last) {
                last = Some((thread, index));
            }
        }
        Chains { known, last, own }
    }

    /// The notice of an event.
    pub fn of_event(&self, (thread, index): Node) -> Notice {
        let before = self.known[&(thread, index)].1;
        let own = index.checked_sub(1).map(|index| (thread, index));
        match self.length(before) - self.length(own) {
            FAR.. => told(self.back(before, AHEAD, thread)),
            _ => NOW,
        }
    }

    /// The notice of a thread that has had its events in a section, if it is clear where it goes
    /// on.
    pub fn of_lane(&self, thread: u32, next: Option<&Chains>) -> Notice {
        let (Some(next), Some(_)) = (next, self.last) else { return NOW };
        let Some((first, _)) = next.known.get(&(thread, 0)) else { return [0, NEVER] };
        let own = self.own.get(&thread).copied().unwrap_or(0);
        let ahead = first - 1;
        match AHEAD.checked_sub(ahead) {
            _ if self.length(self.last) - own + ahead < FAR => NOW,
            Some(steps) => told(self.back(self.last, steps, thread)),
            None => [0, NEVER],
        }
    }

    /// How many events are in the chain that ends with one.
    fn length(&self, node: Option<Node>) -> usize {
        node.map_or(0, |node| self.known[&node].0)
    }

    /// So many steps back along a chain, if all of it belongs to other threads.
    fn back(&self, from: Option<Node>, steps: usize, thread: u32) -> Option<Node> {
        let other = |node: &Node| node.0 != thread;
        let mut node = from.filter(other)?;
        for _ in 0..steps {
            node = self.known[&node].1.filter(other)?;
        }
        Some(node)
    }
}

fn told(node: Option<Node>) -> Notice {
    node.map_or(NOW, |(thread, index)| [thread, index + 1])
}

/// The chains of the section that comes after one, if only one can.
pub fn after<'a>(section: &Section, chains: &'a [Chains]) -> Option<&'a Chains> {
    match section.next {
        Next::Section(next) => chains.get(next as usize),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use schedule::{Event, Kind, Lane, Requirement};

    use super::*;

    /// Threads that take turns: each has an event after that of the one before.
    fn ring(threads: u32, rounds: u32) -> Section {
        let event = |thread: u32, round: u32| {
            let before = match thread {
                0 => (threads - 1, round),
                _ => (thread - 1, round + 1),
            };
            let after = vec![Requirement { thread: before.0, events: before.1 }];
            let after = after.into_iter().filter(|need| need.events > 0).collect();
            Event { site: 0, kind: Kind::Plain, until: None, after }
        };
        let lane = |thread| Lane { thread, events: (0..rounds).map(|round| event(thread, round)).collect() };
        Section { lanes: (0..threads).map(lane).collect(), next: Next::Section(0) }
    }

    #[test]
    fn two_threads_that_take_turns_look_at_once() {
        let section = ring(2, 10);
        let chains = Chains::new(&section);
        let all = section.in_order();
        assert_eq!(all.len(), 20);
        assert!(all.into_iter().all(|node| chains.of_event(node) == NOW));
        assert_eq!(chains.of_lane(0, Some(&chains)), NOW);
    }

    #[test]
    fn one_of_many_threads_is_told_one_event_before() {
        let section = ring(6, 2);
        let chains = Chains::new(&section);
        // What comes before it in this section is too little to say.
        assert_eq!(chains.of_event((3, 0)), NOW);
        // Thread 2 is the last that it waits for, thread 1 the one before.
        assert_eq!(chains.of_event((3, 1)), [1, 2]);
        // In the next round thread 0 comes first, thread 1 next.
        assert_eq!(chains.of_lane(0, Some(&chains)), [4, 2]);
        assert_eq!(chains.of_lane(1, Some(&chains)), [5, 2]);
        assert_eq!(chains.of_lane(2, Some(&chains)), [0, NEVER]);
        assert_eq!(chains.of_lane(2, None), NOW);
    }

    /// What others do at the same time is not waited for.
    #[test]
    fn events_beside_each_other_are_not_far() {
        let event = |after: &[(u32, u32)]| {
            let after = after.iter().map(|(thread, events)| Requirement { thread: *thread, events: *events });
            Event { site: 0, kind: Kind::Plain, until: None, after: after.collect() }
        };
        let lanes = [vec![event(&[])], vec![event(&[(0, 1)])], vec![event(&[(0, 1)]), event(&[(1, 1)])]];
        let lanes = lanes.into_iter().zip(0..).map(|(events, thread)| Lane { thread, events }).collect();
        let section = Section { lanes, next: Next::Section(0) };
        let chains = Chains::new(&section);
        assert!((0..3).all(|thread| chains.of_lane(thread, Some(&chains)) == NOW));
    }
}
