//! Suspending a search: where it polls its budget it waits until it may go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a search that waits looks whether it has to end instead.
const INTERVAL: Duration = Duration::from_millis(20);

/// Holds a search where it polls its budget, with all that it has found out, until it may
/// go on. A solver that is being asked a question is not held.
#[derive(Debug, Default)]
pub struct Pause {
    suspended: AtomicBool,
    lock: Mutex<()>,
    resumed: Condvar,
}

impl Pause {
    /// Holds the search from its next poll on.
    pub fn suspend(&self) {
        self.suspended.store(true, Ordering::Relaxed);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        let _lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.suspended.store(false, Ordering::Relaxed);
        self.resumed.notify_all();
    }

    /// Waits while the search is suspended, unless it has to end.
    pub(crate) fn wait(&self, must_end: impl Fn() -> bool) {
        if !self.suspended.load(Ordering::Relaxed) {
            return;
        }
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.suspended.load(Ordering::Relaxed) && !must_end() {
            let waited = self.resumed.wait_timeout(lock, INTERVAL);
            lock = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
