//! Which threads of a state are twins, so that one of them stands for all
//! ([`machine::Twins`] says why that is right).

use engine::Task;
use machine::{Grain, Machine, Mover, Other, Sort, ThreadId, Twins};
use smallvec::SmallVec;
use store::{Loaded, Store, Tree};

use crate::Options;

const MAIN: ThreadId = ThreadId(0);

/// Where twins stand for each other in a search with these options, if they do.
/// A renamed execution has as many steps in all, but those of `main` may come
/// later, so that a bound on the depth may be reached elsewhere.
pub fn twins(task: &Task<'_>, machine: &Machine, options: &Options) -> Option<Twins> {
    let used = options.twins && options.reduction == Grain::Visible && task.bounds.depth.is_none();
    (used && !options.symmetry && !options.hash_compaction).then(|| machine.twins()).flatten()
}

/// Whether twins still stand for each other after a step of `main`: if it enters
/// a round of joins, all threads are joined in it. That is not looked at in a state with
/// very many objects, where it takes long and no twins are found anyway.
pub fn stay_alike(twins: &Twins, store: &Store, from: &Loaded, to: Tree) -> bool {
    let is_in_round = |loaded: &Loaded| twins.is_in_round(store.get(thread_number(store, loaded, MAIN)));
    if is_in_round(from) {
        return true;
    }
    let to = store.unpack(to);
    !is_in_round(&to) || to.object_numbers().is_some() && twins.joins_all(store.state(&to))
}

/// Which of the movers of a state are twins.
#[derive(Debug, Default)]
pub struct Alike {
    /// For each mover the index of its first twin, which may be itself; nothing if
    /// there are no twins.
    firsts: SmallVec<[u32; 8]>,
}

impl Alike {
    /// The twins among the movers of a state, which are threads. None are found in a
    /// state with very many objects, of which each could name threads.
    pub fn among(store: &Store, loaded: &Loaded, movers: impl Iterator<Item = Mover>) -> Alike {
        let Some(objects) = loaded.object_numbers() else { return Alike::default() };
        let threads: SmallVec<[ThreadId; 8]> = movers.map(Mover::thread).collect();
        let numbered = |(index, thread): (usize, &ThreadId)| (thread_number(store, loaded, *thread), index);
        let others = threads.iter().enumerate().filter(|(_, thread)| **thread != MAIN);
        let mut order: SmallVec<[(u32, usize); 8]> = others.map(numbered).collect();
        order.sort_unstable();
        if order.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return Alike::default();
        }
        let named = named(store, objects);
        let mut firsts: SmallVec<[u32; 8]> = (0..threads.len() as u32).collect();
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            let unnamed = |(_, index): &&(u32, usize)| !named.contains(&threads[*index]);
            let mut twins = same.iter().filter(unnamed).map(|(_, index)| *index);
            if let Some(first) = twins.next() {
                twins.for_each(|index| firsts[index] = first as u32);
            }
        }
        Alike { firsts }
    }

    /// All movers but those for which a twin stands.
    pub fn candidates<'m>(
        &'m self,
        movers: impl Iterator<Item = Mover> + 'm,
    ) -> impl Iterator<Item = Mover> + 'm {
        let is_first = |index: u32| self.firsts.get(index as usize).is_none_or(|first| *first == index);
        (0..).zip(movers).filter(move |(index, _)| is_first(*index)).map(|(_, mover)| mover)
    }

    /// The thread itself, if it has the processor, else a twin from which it can take
    /// the processor over.
    pub fn holder(
        &self,
        mut movers: impl Iterator<Item = Mover> + Clone,
        thread: ThreadId,
        has_processor: impl Fn(ThreadId) -> bool,
    ) -> Option<ThreadId> {
        if has_processor(thread) {
            return Some(thread);
        }
        if self.firsts.is_empty() {
            return None;
        }
        let own = movers.clone().position(|mover| mover == thread.into())?;
        let mut firsts = self.firsts.iter();
        let is_twin = |mover: &Mover| {
            let first = firsts.next() == Some(&self.firsts[own]);
            first && has_processor(mover.thread())
        };
        movers.find(is_twin).map(Mover::thread)
    }
}

/// The number of a thread's part.
fn thread_number(store: &Store, loaded: &Loaded, thread: ThreadId) -> u32 {
    store.part(loaded, Other::Thread(thread.0)).expect("a thread has a part")
}

/// The threads that some objects name.
fn named(store: &Store, objects: &[u32]) -> SmallVec<[ThreadId; 8]> {
    let names = |number: &&u32| matches!(store.sort(**number), Sort::Object { names: true });
    objects.iter().filter(names).flat_map(|number| store.get(*number).named_threads()).collect()
}
