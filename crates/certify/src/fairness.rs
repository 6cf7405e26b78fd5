//! No thread is put off for ever.
//!
//! A thread is put off at a vertex if it can move there, does not, and would be needed
//! for a fault as much as those that move ([`Reason::Fair`]). On a cycle of vertices at
//! which it is put off, or kept out by an atomic section of another thread, it must not
//! be put off anywhere. Where threads have other numbers after a step, which thread of a vertex
//! is which of another is not followed: on a cycle of vertices at which some thread is put off or
//! kept out, none must be put off.

use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::VertexId;
use crate::proof::Reason;

/// A vertex as far as it matters who moves.
pub struct Turn {
    /// The threads that can move.
    pub enabled: Vec<ThreadId>,
    /// Those that do.
    pub movers: Vec<ThreadId>,
    /// Why these are enough.
    pub reason: Reason,
    /// The thread that keeps all others out.
    pub keeper: Option<ThreadId>,
}

impl Turn {
    fn puts_off(&self, thread: ThreadId) -> bool {
        self.reason == Reason::Fair && self.enabled.contains(&thread) && !self.movers.contains(&thread)
    }

    fn holds_back(&self, thread: ThreadId) -> bool {
        self.puts_off(thread) || self.keeper.is_some_and(|keeper| keeper != thread)
    }

    /// One that is put off, if there is one.
    fn put_off(&self) -> Option<ThreadId> {
        self.enabled.iter().copied().find(|thread| self.puts_off(*thread))
    }

    /// Whether a schedule may let others move while the thread could.
    fn may_put_off(&self, thread: ThreadId) -> bool {
        self.reason == Reason::Scheduled && self.enabled.contains(&thread)
    }
}

/// The vertices that were visited, and the steps between them.
#[derive(Default)]
pub struct Turns {
    /// The vertices.
    pub turns: FxHashMap<VertexId, Turn>,
    /// The steps, with the threads that take them.
    pub steps: FxHashSet<(VertexId, ThreadId, VertexId)>,
    /// Whether threads may have other numbers after a step.
    pub sorted: bool,
}

impl Turns {
    /// A thread that is put off for ever on a cycle through a vertex, if there is one.
    pub fn put_off_for_ever(&self) -> Option<(ThreadId, VertexId)> {
        if self.sorted {
            let waits = |turn: &Turn| turn.put_off().is_some() || turn.keeper.is_some();
            let vertex = self.on_cycle(|turn, _| waits(turn), |turn| turn.put_off().is_some())?;
            return Some((self.turns[&vertex].put_off()?, vertex));
        }
        let threads: FxHashSet<ThreadId> =
            self.turns.values().flat_map(|turn| turn.enabled.iter().copied()).collect();
        let mut put_off = threads.into_iter().filter_map(|thread| Some((thread, self.cycle(thread)?)));
        put_off.next()
    }

    /// A vertex that puts off a thread and lies on a cycle that holds it back: one from
    /// which steps within such vertices lead to itself. Under a schedule it is one at which the
    /// thread can move, and a cycle on which it does not (Definition 5 of Metzler, Suri and
    /// Weissenbacher).
    fn cycle(&self, thread: ThreadId) -> Option<VertexId> {
        let waits = |turn: &Turn, mover| match turn.reason {
            Reason::Scheduled => mover != thread,
            _ => turn.holds_back(thread),
        };
        self.on_cycle(waits, |turn| turn.puts_off(thread) || turn.may_put_off(thread))
    }

    /// A vertex that puts off what is meant, on a cycle of steps by movers between vertices at which
    /// it waits.
    fn on_cycle(
        &self,
        waits: impl Fn(&Turn, ThreadId) -> bool,
        puts_off: impl Fn(&Turn) -> bool,
    ) -> Option<VertexId> {
        let mut after: FxHashMap<VertexId, Vec<VertexId>> = FxHashMap::default();
        for (from, mover, to) in &self.steps {
            let is_within = |turn: &Turn| waits(turn, *mover);
            if [from, to].iter().all(|vertex| self.turns.get(vertex).is_some_and(is_within)) {
                after.entry(*from).or_default().push(*to);
            }
        }
        trim(&mut after);
        let starts = self.turns.iter().filter(|(_, turn)| puts_off(turn)).map(|(vertex, _)| *vertex);
        let starts = starts.filter(|vertex| after.contains_key(vertex));
        let mut safe = FxHashSet::default();
        starts.into_iter().find(|start| self.returns(*start, &after, &mut safe))
    }

    /// Whether steps lead from a vertex to itself. Vertices from which no step leads back
    /// are noted, since no cycle goes through them.
    fn returns(
        &self,
        start: VertexId,
        after: &FxHashMap<VertexId, Vec<VertexId>>,
        safe: &mut FxHashSet<VertexId>,
    ) -> bool {
        let (mut seen, mut work) = (FxHashSet::default(), vec![start]);
        while let Some(vertex) = work.pop() {
            for next in after.get(&vertex).into_iter().flatten() {
                if *next == start {
                    return true;
                }
                if !safe.contains(next) && seen.insert(*next) {
                    work.push(*next);
                }
            }
        }
        safe.insert(start);
        false
    }
}

/// Leaves out vertices from which no step leads on: no cycle goes through them.
fn trim(after: &mut FxHashMap<VertexId, Vec<VertexId>>) {
    let mut before: FxHashMap<VertexId, Vec<VertexId>> = FxHashMap::default();
    for (from, targets) in after.iter() {
        targets.iter().for_each(|to| before.entry(*to).or_default().push(*from));
    }
    let mut left: FxHashMap<VertexId, usize> =
        after.iter().map(|(from, targets)| (*from, targets.len())).collect();
    let mut ends: Vec<VertexId> = before.keys().filter(|to| !after.contains_key(to)).copied().collect();
    while let Some(end) = ends.pop() {
        for from in before.get(&end).into_iter().flatten() {
            let count = left.get_mut(from).expect("a step leads from it");
            *count -= 1;
            if *count == 0 {
                after.remove(from);
                ends.push(*from);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(movers: &[u32], reason: Reason) -> Turn {
        let movers = movers.iter().map(|thread| ThreadId(*thread)).collect();
        Turn { enabled: vec![ThreadId(0), ThreadId(1)], movers, reason, keeper: None }
    }

    fn turns(second: Turn) -> Turns {
        let turns = [(0, turn(&[0], Reason::Fair)), (1, second)].into_iter().collect();
        let steps = [(0, ThreadId(0), 1), (1, ThreadId(0), 0)].into_iter().collect();
        Turns { turns, steps, sorted: false }
    }

    #[test]
    fn a_cycle_that_leaves_a_thread_out_is_found() {
        let found = turns(turn(&[0], Reason::Fair)).put_off_for_ever();
        assert_eq!(found.map(|(thread, _)| thread), Some(ThreadId(1)));
    }

    #[test]
    fn one_vertex_at_which_all_move_is_enough() {
        assert_eq!(turns(turn(&[0, 1], Reason::All)).put_off_for_ever(), None);
    }

    #[test]
    fn where_threads_are_sorted_none_may_be_put_off_somewhere_on_a_cycle() {
        let in_turn = turns(turn(&[1], Reason::Fair));
        assert_eq!(in_turn.put_off_for_ever(), None);
        assert!(Turns { sorted: true, ..in_turn }.put_off_for_ever().is_some());
        let all_move = Turns { sorted: true, ..turns(turn(&[0, 1], Reason::All)) };
        assert_eq!(all_move.put_off_for_ever(), None);
    }
}
