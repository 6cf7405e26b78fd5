//! Tables in files, so that they can grow beyond memory.
//!
//! A table is mapped into memory from a file that has no name any more. The system keeps
//! in memory what is used, writes the rest to the disk when memory is scarce, and frees
//! the file when the process ends, however it ends. The room of a file is allocated
//! before it is mapped: a full disk is an error here, and no signal later. If there is no
//! room, the table gets ordinary memory instead, and the search is told to end
//! ([`Spill::error`]).

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of a file from which several tables get their room. The system allows some
/// 65,000 mappings for a process.
const SEGMENT: usize = 64 << 20;

/// Tables begin at multiples of this, the size of a line of the processor's cache.
const ALIGNMENT: usize = 64;

/// Yields a new file that nothing else uses, and that is gone once it is not used any more.
type NewFile = Box<dyn Fn() -> io::Result<File> + Send + Sync>;

/// Room for tables in files.
pub struct Spill {
    new_file: NewFile,
    segment: Mutex<Option<Segment>>,
    /// What kept a table from getting room: the system's number of the error, or 0.
    error: AtomicI32,
}

/// A file of which a part is given out.
struct Segment {
    map: Arc<Map>,
    used: usize,
}

/// Types for which bytes that are all 0 are the default value, and which have nothing to
/// do when they are dropped.
///
/// # Safety
/// Both must hold, and the alignment must not be larger than that of a line of the cache.
#[allow(unsafe_code)]
pub unsafe trait Zeroed: Default {}

// SAFETY: numbers, with 0 as their default.
#[allow(unsafe_code)]
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: the same.
#[allow(unsafe_code)]
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: the same.
#[allow(unsafe_code)]
unsafe impl Zeroed for u8 {}

impl Spill {
    /// Room in files that `new_file` makes.
    pub fn new(new_file: impl Fn() -> io::Result<File> + Send + Sync + 'static) -> Spill {
        Spill { new_file: Box::new(new_file), segment: Mutex::new(None), error: AtomicI32::new(0) }
    }

    /// The number of the error because of which there was no room, if so.
    pub fn error(&self) -> Option<i32> {
        Some(self.error.load(Ordering::Relaxed)).filter(|error| *error != 0)
    }

    /// A table in a file of its own, whose room is free when the table is dropped; in
    /// memory if there is no room.
    pub fn table<T: Zeroed>(&self, len: usize) -> Slab<T> {
        self.noting(self.map(len * size_of::<T>()).map(|map| Slab::mapped(&Arc::new(map), 0, len)))
            .unwrap_or_else(|| Slab::in_memory(len))
    }

    /// A part of a table that stays for ever; in memory if there is no room.
    pub fn piece<T: Zeroed>(&self, len: usize) -> Slab<T> {
        self.noting(self.cut(len * size_of::<T>()).map(|(map, at)| Slab::mapped(&map, at, len)))
            .unwrap_or_else(|| Slab::in_memory(len))
    }

    fn noting<T>(&self, made: io::Result<T>) -> Option<T> {
        made.map_err(|error| {
            self.error.store(error.raw_os_error().unwrap_or(libc::EIO), Ordering::Relaxed);
        })
        .ok()
    }

    fn map(&self, bytes: usize) -> io::Result<Map> {
        Map::new(&(self.new_file)()?, bytes.max(1))
    }

    /// Gives out a part of the segment.
    fn cut(&self, bytes: usize) -> io::Result<(Arc<Map>, usize)> {
        let mut segment = self.segment.lock().unwrap_or_else(PoisonError::into_inner);
        if segment.as_ref().is_none_or(|segment| segment.map.bytes - segment.used < bytes) {
            *segment = Some(Segment { map: Arc::new(self.map(bytes.max(SEGMENT))?), used: 0 });
        }
        let segment = segment.as_mut().expect("it was made");
        let at = segment.used;
        segment.used = (at + bytes).next_multiple_of(ALIGNMENT).min(segment.map.bytes);
        Ok((Arc::clone(&segment.map), at))
    }
}

impl fmt::Debug for Spill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spill").field("error", &self.error()).finish_non_exhaustive()
    }
}

/// A file in memory.
struct Map {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: it is memory that belongs to it alone.
#[allow(unsafe_code)]
unsafe impl Send for Map {}
// SAFETY: the same; it gives out no references itself.
#[allow(unsafe_code)]
unsafe impl Sync for Map {}

impl Map {
    #[allow(unsafe_code)]
    fn new(file: &File, bytes: usize) -> io::Result<Map> {
        let (descriptor, length) = (file.as_raw_fd(), bytes as libc::off_t);
        // SAFETY: the descriptor is open.
        match unsafe { libc::posix_fallocate(descriptor, 0, length) } {
            0 => {}
            error => return Err(io::Error::from_raw_os_error(error)),
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of a file that has so many bytes and that nothing else
        // changes or makes shorter.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_SHARED, descriptor, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Map { start: NonNull::new(start.cast()).expect("a mapping is somewhere"), bytes })
    }
}

impl Drop for Map {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the mapping was made with these bytes, and no slab uses it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// Elements that never move, in memory or in a file.
pub struct Slab<T> {
    start: NonNull<T>,
    len: usize,
    /// The file; none if it is memory of its own.
    map: Option<Arc<Map>>,
}

// SAFETY: it owns its elements.
#[allow(unsafe_code)]
unsafe impl<T: Send> Send for Slab<T> {}
// SAFETY: the same.
#[allow(unsafe_code)]
unsafe impl<T: Sync> Sync for Slab<T> {}

impl<T: Default> Slab<T> {
    /// So many default values in memory.
    pub fn in_memory(len: usize) -> Slab<T> {
        let elements: Box<[T]> = (0..len).map(|_| T::default()).collect();
        let start = NonNull::from(Box::leak(elements)).cast();
        Slab { start, len, map: None }
    }
}

impl<T: Default> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab::in_memory(0)
    }
}

impl<T: Zeroed> Slab<T> {
    /// The elements from this byte of a mapping on, which are given to nothing else.
    #[allow(unsafe_code)]
    fn mapped(map: &Arc<Map>, at: usize, len: usize) -> Slab<T> {
        assert!(at.is_multiple_of(ALIGNMENT) && at + len * size_of::<T>() <= map.bytes);
        // SAFETY: it is within the mapping.
        let start = unsafe { map.start.add(at) }.cast();
        Slab { start, len, map: Some(Arc::clone(map)) }
    }
}

impl<T> Slab<T> {
    /// The elements, to be changed.
    #[allow(unsafe_code)]
    pub fn elements_mut(&mut self) -> &mut [T] {
        // SAFETY: as for reading, and nothing else refers to them.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Deref for Slab<T> {
    type Target = [T];

    #[inline]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many elements are there, aligned, and each has a value: its own, or
        // that of zero bytes, which is one.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Slab<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.map.is_none() {
            let elements = std::ptr::slice_from_raw_parts_mut(self.start.as_ptr(), self.len);
            // SAFETY: it was made from a box of so many elements.
            drop(unsafe { Box::from_raw(elements) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unnamed() -> io::Result<File> {
        let path = std::env::temp_dir().join(format!("threadproof-spill-{}", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        std::fs::remove_file(path)?;
        Ok(file)
    }

    #[test]
    fn tables_in_files_are_zero_and_keep_what_is_written() {
        let files = Mutex::new(());
        let spill = Spill::new(move || {
            let _one_at_a_time = files.lock();
            unnamed()
        });
        let pieces: Vec<Slab<AtomicU64>> = (0..100).map(|_| spill.piece(1000)).collect();
        let table: Slab<AtomicU32> = spill.table(10_000);
        assert!(pieces.iter().all(|piece| piece.iter().all(|n| n.load(Ordering::Relaxed) == 0)));
        for (number, piece) in pieces.iter().enumerate() {
            piece.iter().for_each(|n| n.store(number as u64, Ordering::Relaxed));
        }
        table.iter().for_each(|n| n.store(7, Ordering::Relaxed));
        let kept = |(number, piece): (usize, &Slab<AtomicU64>)| {
            piece.iter().all(|n| n.load(Ordering::Relaxed) == number as u64)
        };
        assert!(pieces.iter().enumerate().all(kept));
        assert_eq!((table.len(), spill.error()), (10_000, None));
    }

    #[test]
    fn without_room_there_is_memory_and_an_error() {
        let spill = Spill::new(|| Err(io::Error::from_raw_os_error(libc::ENOSPC)));
        let piece: Slab<AtomicU64> = spill.piece(10);
        assert_eq!((piece.len(), spill.error()), (10, Some(libc::ENOSPC)));
    }
}
