//! Engines on threads of their own, which can be suspended, resumed and stopped.
//! A panic in one of them is how that one ends, and no matter of the others.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use engine::{Budget, Outcome, Pause};
use machine::Machine;

/// Engines recurse deeply.
const STACK: usize = 512 << 20;

/// What an engine answered, with the machine that it ran on; or how it failed.
pub type Ended = Result<(Machine, Outcome), String>;

/// The engines that were started, by the numbers that they were given.
pub struct Portfolio {
    engines: Vec<Running>,
    sender: Sender<(usize, Ended)>,
    receiver: Receiver<(usize, Ended)>,
}

struct Running {
    pause: Arc<Pause>,
    stop: Arc<AtomicBool>,
}

impl Default for Portfolio {
    fn default() -> Portfolio {
        let (sender, receiver) = channel();
        Portfolio { engines: Vec::new(), sender, receiver }
    }
}

impl Portfolio {
    /// Starts an engine with a part of the budget that can be suspended. Yields
    /// its number.
    pub fn start<R>(&mut self, name: &str, budget: &Budget, run: R) -> usize
    where
        R: FnOnce(&Budget) -> (Machine, Outcome) + Send + 'static,
    {
        let number = self.engines.len();
        let (pause, stop) = (Arc::new(Pause::default()), Arc::new(AtomicBool::new(false)));
        let budget = budget.clone().with_cancel(Arc::clone(&stop)).with_pause(Arc::clone(&pause));
        let sender = self.sender.clone();
        self.engines.push(Running { pause, stop });
        let work = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| run(&budget))).map_err(message);
            // Once there is an answer, the receiver may be gone.
            let _ = sender.send((number, ended));
        };
        let spawned = thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work);
        if let Err(error) = spawned {
            let _ = self.sender.send((number, Err(format!("cannot start a thread: {error}"))));
        }
        number
    }

    /// Holds an engine where it is.
    pub fn suspend(&self, number: usize) {
        self.engines[number].pause.suspend();
    }

    /// Lets it go on.
    pub fn resume(&self, number: usize) {
        self.engines[number].pause.resume();
    }

    /// Ends it; it still answers.
    pub fn stop(&self, number: usize) {
        self.engines[number].stop.store(true, Ordering::Relaxed);
    }

    /// Ends all of them.
    pub fn stop_all(&self) {
        (0..self.engines.len()).for_each(|number| self.stop(number));
    }

    /// The next engine that ends within this time.
    pub fn next(&self, time: Duration) -> Option<(usize, Ended)> {
        self.receiver.recv_timeout(time).ok()
    }
}

impl Drop for Portfolio {
    fn drop(&mut self) {
        self.stop_all();
    }
}

fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    #[test]
    fn a_panic_is_how_one_engine_ends() {
        let mut portfolio = Portfolio::default();
        let number = portfolio.start("broken", &Budget::unlimited(), |_| panic!("boom {}", 1));
        let (ended, result) = portfolio.next(PATIENCE).expect("it ends");
        assert_eq!((ended, result.err().as_deref()), (number, Some("boom 1")));
    }

    #[test]
    fn a_suspended_engine_waits_until_it_is_resumed_or_stopped() {
        let mut portfolio = Portfolio::default();
        let poll = |budget: &Budget| loop {
            if budget.exceeded().is_some() {
                panic!("stopped");
            }
        };
        let number = portfolio.start("polling", &Budget::unlimited(), poll);
        portfolio.suspend(number);
        assert!(portfolio.next(Duration::from_millis(50)).is_none());
        portfolio.stop(number);
        assert!(portfolio.next(PATIENCE).is_some());
    }
}
