//! Arrays that grow while others read them, without locks: elements never
//! move, because the array is a list of chunks.

use std::sync::{Arc, OnceLock};

use crate::spill::{Slab, Spill, Zeroed};

/// How many chunks there can be.
const CHUNKS: usize = 1 << 14;

/// An array with room for `CHUNKS << BITS` elements; each exists, with its
/// default value, from the moment it is looked at.
pub struct Chunked<T, const BITS: usize> {
    chunks: Box<[OnceLock<Slab<T>>]>,
    /// Where chunks come from; from memory if none.
    make: Option<Make<T>>,
}

/// Makes a chunk of so many elements.
type Make<T> = Box<dyn Fn(usize) -> Slab<T> + Send + Sync>;

impl<T: Default, const BITS: usize> Default for Chunked<T, BITS> {
    fn default() -> Chunked<T, BITS> {
        Chunked::new()
    }
}

impl<T: Default, const BITS: usize> Chunked<T, BITS> {
    /// How many elements there is room for.
    pub const CAPACITY: usize = CHUNKS << BITS;

    /// An array of which nothing is allocated yet.
    pub fn new() -> Chunked<T, BITS> {
        Chunked { chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(), make: None }
    }

    /// The element with this index, which must be below the capacity.
    #[inline]
    pub fn get(&self, index: u32) -> &T {
        let chunk = &self.chunks[index as usize >> BITS];
        let chunk = chunk.get_or_init(|| self.chunk());
        &chunk[index as usize & ((1 << BITS) - 1)]
    }

    #[cold]
    fn chunk(&self) -> Slab<T> {
        self.make.as_ref().map_or_else(|| Slab::in_memory(1 << BITS), |make| make(1 << BITS))
    }

    /// The same array in files, if there are any.
    pub fn spilled(self, spill: Option<&Arc<Spill>>) -> Chunked<T, BITS>
    where
        T: Zeroed,
    {
        let spill = spill.map(Arc::clone);
        let make = spill.map(|spill| Box::new(move |len| spill.piece(len)) as Make<T>);
        Chunked { make, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn elements_stay_where_they_are() {
        let array: Chunked<AtomicU32, 4> = Chunked::new();
        for index in 0..100 {
            assert_eq!(array.get(index).swap(index + 1, Ordering::Relaxed), 0);
        }
        assert!((0..100).all(|index| array.get(index).load(Ordering::Relaxed) == index + 1));
    }
}
