//! Source files, each read once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Sources;

/// Source files that were asked for before are at hand.
pub struct Texts<'a> {
    sources: &'a dyn Sources,
    read: RefCell<BTreeMap<String, Option<Arc<str>>>>,
}

impl<'a> Texts<'a> {
    /// The files of these sources.
    pub fn new(sources: &'a dyn Sources) -> Texts<'a> {
        Texts { sources, read: RefCell::default() }
    }

    /// The contents of a file, if it is at hand.
    pub fn get(&self, path: &str) -> Option<Arc<str>> {
        let mut read = self.read.borrow_mut();
        let text = || self.sources.text(path).map(Arc::from);
        read.entry(path.to_owned()).or_insert_with(text).clone()
    }
}
