//! A share of the processor: what is divided among attempts of one thread is not the time
//! that passes while other threads run. Beside others on a busy machine, or after a thread
//! was suspended for a while, an attempt gets as far as it does alone.

use std::time::Duration;

/// Processor time that the thread which made it may spend from then on. Other threads have
/// clocks of their own, so that only this thread may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// What the clock of the thread says when it is spent.
    end: Duration,
}

impl Share {
    /// So much processor time of this thread from now on.
    pub fn of(time: Duration) -> Share {
        Share { end: thread_time().saturating_add(time) }
    }

    /// Whether nothing is left.
    pub fn is_spent(self) -> bool {
        thread_time() >= self.end
    }

    /// What is left.
    pub fn left(self) -> Duration {
        self.end.saturating_sub(thread_time())
    }
}

/// The processor time that this thread has taken.
#[allow(unsafe_code)]
fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock is there on every system that the front end targets, and fills in what
    // it is given. If it failed, the time would stay zero and the share would never be spent:
    // the deadline of the whole check still ends it.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_spends_nothing() {
        let share = Share::of(Duration::from_millis(50));
        std::thread::sleep(Duration::from_millis(100));
        assert!(!share.is_spent() && share.left() > Duration::from_millis(20));
    }

    #[test]
    fn work_spends_it() {
        let share = Share::of(Duration::from_millis(20));
        let mut number = 1u64;
        while !share.is_spent() {
            number = std::hint::black_box(number.wrapping_mul(6_364_136_223_846_793_005));
        }
        assert_eq!(share.left(), Duration::ZERO);
    }
}
