//! How much memory there is and how much is used. The only look that a core
//! crate takes at the world outside: a limit that is not measured is not kept.

use std::fs;

/// The resident memory of this process in bytes, where the system tells.
pub fn resident() -> Option<u64> {
    // Pages are 4 KiB on every platform that the front end targets.
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
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
}
