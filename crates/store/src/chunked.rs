//! Arrays that grow while others read them, without locks: elements never
//! move, because the array is a list of chunks.

use std::sync::OnceLock;

/// How many chunks there can be.
const CHUNKS: usize = 1 << 14;

/// An array with room for `CHUNKS << BITS` elements; each exists, with its
/// default value, from the moment it is looked at.
pub struct Chunked<T, const BITS: usize> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
}

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
        Chunked { chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect() }
    }

    /// The element with this index, which must be below the capacity.
    #[inline]
    pub fn get(&self, index: u32) -> &T {
        let chunk = &self.chunks[index as usize >> BITS];
        let chunk = chunk.get_or_init(|| (0..1 << BITS).map(|_| T::default()).collect());
        &chunk[index as usize & ((1 << BITS) - 1)]
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
