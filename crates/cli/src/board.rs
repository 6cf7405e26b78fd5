//! The engines at work, and how far each is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::Progress;

/// The engines at work.
#[derive(Debug, Default)]
pub struct Board(Mutex<Vec<(String, Arc<Progress>)>>);

impl Board {
    /// Adds an engine. It says in what it is given how far it is.
    pub fn enter(&self, engine: impl Into<String>) -> Arc<Progress> {
        let progress = Arc::new(Progress::default());
        self.lock().push((engine.into(), Arc::clone(&progress)));
        progress
    }

    /// Takes an engine away that has ended.
    pub fn leave(&self, progress: &Arc<Progress>) {
        self.lock().retain(|(_, other)| !Arc::ptr_eq(other, progress));
    }

    /// All of them, in the order in which they began.
    pub fn engines(&self) -> Vec<(String, Arc<Progress>)> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, Arc<Progress>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
