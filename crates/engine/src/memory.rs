//! How much memory there is and how much is used. The only look that a core
//! crate takes at the world outside: a limit that is not measured is not kept.

use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The resident memory of a process in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Resident {
    /// All of it.
    pub all: u64,
    /// What is in no file: the system cannot take it back.
    pub private: u64,
}

impl Resident {
    fn now() -> Option<Resident> {
        // Pages are 4 KiB on every platform that the front end targets.
        let statm = fs::read_to_string("/proc/self/statm").ok()?;
        let mut pages = statm.split_whitespace().skip(1).map(|pages| pages.parse::<u64>().ok());
        let (all, shared) = (pages.next()??, pages.next()??);
        Some(Resident { all: all * 4096, private: all.saturating_sub(shared) * 4096 })
    }
}

/// The resident memory of this process in bytes, where the system tells.
pub fn resident() -> Option<u64> {
    Some(Resident::now()?.all)
}

/// A measurement of memory counts for so long.
const LATELY: Duration = Duration::from_millis(5);

/// When the resident memory was last measured, and how much it was.
static MEASURED: Mutex<Option<(Instant, Resident)>> = Mutex::new(None);

/// The same as it was a few milliseconds ago at most: each measurement takes several system
/// calls, and engines ask before every question to a solver.
pub fn resident_lately() -> Option<Resident> {
    let mut measured = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((when, bytes)) = *measured
        && when.elapsed() < LATELY
    {
        return Some(bytes);
    }
    let bytes = Resident::now()?;
    *measured = Some((Instant::now(), bytes));
    Some(bytes)
}

/// Gives freed memory back to the system, so that it does not count against
/// the engine that runs next.
#[allow(unsafe_code)]
pub fn release() {
    #[cfg(target_env = "gnu")]
    // SAFETY: a call without requirements; what is in use is not touched.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// The machine's memory in bytes, or what the process's control group allows
/// if that is less, where the system tells.
pub fn total_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group: Option<u64> = group.and_then(|text| text.trim().parse().ok());
    Some(group.unwrap_or(u64::MAX).min(kib * 1024))
}

#[cfg(test)]
mod tests {
    #[test]
    fn memory_is_measured() {
        let (resident, total) = (super::resident().unwrap(), super::total_memory().unwrap());
        assert!(resident > 1 << 16 && resident < total, "{resident} of {total}");
    }

    #[test]
    fn a_measurement_is_repeated_after_a_while() {
        super::resident_lately().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        std::thread::sleep(super::LATELY);
        assert!(super::resident_lately().unwrap().private >= block.len() as u64);
    }
}
