//! Parts of a kind that few have, found without looking at the others.

use machine::{Other, Part};
use rustc_hash::FxHashMap;

use crate::pairs::Pairs;
use crate::tree::Leaves;

/// Which subtrees have parts of some kind, as far as it was asked.
#[derive(Default)]
pub struct Marks {
    has: FxHashMap<u32, bool>,
}

/// A list in which parts are looked for.
pub struct Looking<'a, F, G> {
    /// The inner nodes of the list's tree.
    pub nodes: &'a Pairs,
    /// Whether the part with a number is of the kind.
    pub is_marked: F,
    /// What a position in the list is.
    pub other: G,
}

impl<F: FnMut(u32) -> bool, G: Fn(usize) -> Other> Looking<'_, F, G> {
    /// Adds the parts of the kind, ascending, where `first` is the position of
    /// the list's first part.
    pub fn find(&mut self, marks: &mut Marks, list: Leaves, first: usize, found: &mut Vec<(Other, u32)>) {
        if !self.has(marks, list) {
            return;
        }
        match list.halves(self.nodes) {
            None => found.push(((self.other)(first), list.root)),
            Some([left, right]) => {
                self.find(marks, left, first, found);
                self.find(marks, right, first + left.len(), found);
            }
        }
    }

    fn has(&mut self, marks: &mut Marks, list: Leaves) -> bool {
        if list.len() == 0 {
            return false;
        }
        if let Some(known) = marks.has.get(&list.root) {
            return *known;
        }
        let has = match list.halves(self.nodes) {
            None => (self.is_marked)(list.root),
            Some(halves) => halves.into_iter().any(|half| self.has(marks, half)),
        };
        marks.has.insert(list.root, has);
        has
    }
}

impl crate::Store {
    /// The threads and objects of a state for which `is_marked` holds, in order,
    /// with their numbers. It is asked once of each part.
    pub fn marked(
        &self,
        marks: &mut Marks,
        tree: crate::Tree,
        mut is_marked: impl FnMut(u32, &Part) -> bool,
    ) -> Vec<(Other, u32)> {
        let mut found = Vec::new();
        let (threads, objects) = self.lists_of(tree);
        let nodes = self.nodes();
        let mut is_marked = |number: u32| self.part_of(number).is_some_and(|part| is_marked(number, part));
        let thread = |index: usize| Other::Thread(index as u32 - 1);
        for (half, first) in [(threads.left, 0), (threads.right, threads.left.len())] {
            let mut looking = Looking { nodes, is_marked: &mut is_marked, other: thread };
            looking.find(marks, half, first, &mut found);
        }
        let object = |index: usize| Other::Object(index as u32 + 1);
        Looking { nodes, is_marked: &mut is_marked, other: object }.find(marks, objects, 0, &mut found);
        found
    }
}
