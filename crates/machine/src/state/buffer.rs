//! Stores that a thread has made and that memory does not have yet.

use ir::Order;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::memory::object::Site;
use crate::model::MemoryModel;
use crate::race::Clock;
use crate::state::later::Later;
use crate::symbolic::symbols::Pair;
use crate::telling::observer::Place;
use crate::value::{ObjectId, Value};

/// A thread's store buffer, the oldest store first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Buffer {
    /// The first one is never a barrier.
    entries: Vec<Entry>,
}

/// What waits in a buffer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Entry {
    Store(Store),
    /// Stores after it wait for those before it.
    Barrier,
}

/// A store that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Store {
    pub place: Place,
    pub value: Pair,
    pub order: Option<Order>,
    /// What threads get to know that acquire it, where races are looked for.
    pub published: Clock,
    /// What happens after later accesses of its thread, where traces are looked at.
    pub later: Later,
    /// The instruction that made it. No part of what makes states equal.
    pub site: Site,
}

impl PartialEq for Store {
    fn eq(&self, other: &Store) -> bool {
        (self.place, self.value, self.order) == (other.place, other.value, other.order)
            && self.published == other.published
            && self.later == other.later
    }
}

impl Eq for Store {}

/// Positions in a buffer.
pub(crate) type Ready = SmallVec<[usize; 4]>;

impl Buffer {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The stores that wait, the oldest first.
    pub fn stores(&self) -> impl Iterator<Item = &Store> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Store(store) => Some(store),
            Entry::Barrier => None,
        })
    }

    fn stores_mut(&mut self) -> impl Iterator<Item = &mut Store> {
        self.entries.iter_mut().filter_map(|entry| match entry {
            Entry::Store(store) => Some(store),
            Entry::Barrier => None,
        })
    }

    /// The store at a position.
    pub fn store(&self, index: usize) -> &Store {
        let Entry::Store(store) = &self.entries[index] else { unreachable!("a barrier is never ready") };
        store
    }

    /// The values that will be stored.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.stores().flat_map(|store| [&store.value.0, &store.value.1])
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.stores_mut().flat_map(|Store { value: (low, high), .. }| [low, high])
    }

    /// Whether a store to an object waits.
    pub fn has_store_to(&self, object: ObjectId) -> bool {
        self.stores().any(|store| store.place.object == object)
    }

    /// Whether the last store to some of these bytes is one to all of them.
    pub fn covers(&self, place: Place) -> bool {
        let last = self.stores().filter(|store| overlap(store.place, place)).last();
        let end = |place: Place| place.offset + place.len;
        last.is_some_and(|Store { place: it, .. }| it.offset <= place.offset && end(place) <= end(*it))
    }

    /// Adds a store.
    pub fn push(&mut self, store: Store) {
        self.entries.push(Entry::Store(store));
    }

    /// Makes later stores wait for those that wait now.
    pub fn order(&mut self) {
        if let Some(Entry::Store(_)) = self.entries.last() {
            self.entries.push(Entry::Barrier);
        }
    }

    /// The positions of the stores that can be committed next, the oldest first.
    pub fn ready(&self, model: MemoryModel) -> Ready {
        if model != MemoryModel::Pso {
            return (0..self.entries.len().min(1)).collect();
        }
        let mut before: SmallVec<[Place; 8]> = SmallVec::new();
        let mut ready = Ready::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let Entry::Store(store) = entry else { break };
            if !before.iter().any(|place| overlap(*place, store.place)) {
                ready.push(index);
            }
            before.push(store.place);
        }
        ready
    }

    /// Takes out a store that can be committed.
    pub fn take(&mut self, index: usize) -> Store {
        let Entry::Store(store) = self.entries.remove(index) else {
            unreachable!("a barrier is never ready")
        };
        if let Some(Entry::Barrier) = self.entries.first() {
            self.entries.remove(0);
        }
        store
    }

    /// Calls `f` with every object that the stores refer to.
    pub fn references(&self, mut f: impl FnMut(ObjectId)) {
        for store in self.stores() {
            f(store.place.object);
            f(store.value.0.object);
            f(store.value.1.object);
            store.later.references(&mut f);
        }
    }

    pub fn references_mut(&mut self, mut f: impl FnMut(&mut ObjectId)) {
        for store in self.stores_mut() {
            f(&mut store.place.object);
            f(&mut store.value.0.object);
            f(&mut store.value.1.object);
            store.later.references_mut(&mut f);
        }
    }

    /// Calls `f` with what happens after later accesses than each store.
    pub fn follow(&mut self, mut f: impl FnMut(&mut Later)) {
        self.stores_mut().for_each(|store| f(&mut store.later));
    }

    /// Calls `f` with what the stores publish.
    pub fn clocks_mut(&mut self, mut f: impl FnMut(&mut Clock)) {
        self.stores_mut().for_each(|store| f(&mut store.published));
    }
}

/// Whether two places have bytes in common.
pub(crate) fn overlap(a: Place, b: Place) -> bool {
    a.object == b.object && a.offset < b.offset + b.len && b.offset < a.offset + a.len
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::FuncId;

    fn store(object: usize, offset: u64) -> Store {
        let place = Place { object: ObjectId::slot(object, 0), offset, len: 4 };
        let value = (Value::int(1), Value::int(0));
        let site = Site { function: FuncId(0), pc: 0 };
        Store { place, value, order: None, published: Clock::default(), later: Later::default(), site }
    }

    fn buffer(stores: &[(usize, u64)]) -> Buffer {
        let mut buffer = Buffer::default();
        stores.iter().for_each(|(object, offset)| buffer.push(store(*object, *offset)));
        buffer
    }

    #[test]
    fn stores_leave_in_order_or_overtake_those_they_do_not_overlap() {
        let buffer = buffer(&[(1, 0), (1, 2), (1, 8), (2, 0)]);
        assert_eq!(buffer.ready(MemoryModel::Tso).to_vec(), [0]);
        assert_eq!(buffer.ready(MemoryModel::Pso).to_vec(), [0, 2, 3]);
    }

    #[test]
    fn a_barrier_lasts_until_all_before_it_are_gone() {
        let mut buffer = Buffer::default();
        buffer.order();
        assert!(buffer.is_empty());
        buffer.push(store(1, 0));
        buffer.push(store(2, 0));
        buffer.order();
        buffer.order();
        buffer.push(store(3, 0));
        assert_eq!(buffer.entries().len(), 4);
        assert_eq!(buffer.ready(MemoryModel::Pso).to_vec(), [0, 1]);
        buffer.take(1);
        assert_eq!(buffer.ready(MemoryModel::Pso).to_vec(), [0]);
        buffer.take(0);
        assert_eq!(buffer.entries().len(), 1);
        assert_eq!(buffer.ready(MemoryModel::Pso).to_vec(), [0]);
    }
}
