//! What the programs look like.

use crate::random::Random;

/// Operations that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Group {
    /// Plain reads and writes of shared variables.
    Plain,
    /// C11 atomics and fences.
    Atomics,
    /// Mutexes, mostly used as they should be.
    Mutexes,
    /// A condition variable.
    Conditions,
    /// A semaphore.
    Semaphores,
    /// A reader-writer lock.
    RwLocks,
    /// A barrier.
    Barriers,
    /// Atomic sections.
    Sections,
    /// A heap cell that threads hand around.
    Heap,
    /// A list whose nodes are published together.
    Lists,
    /// Pointers to a thread's own variables that escape.
    Escapes,
    /// Structures that are copied.
    Records,
    /// Spin locks, locks that time out or report misuse, once.
    OtherLocks,
    /// Branches, bounded loops, waiting loops, function calls.
    Control,
    /// Division, overflow, array indices.
    Arithmetic,
    /// Nondeterministic values and assumptions.
    Choices,
    /// Thread-local variables and the run-time of threads.
    Threads,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 17] = [
        Group::Plain,
        Group::Atomics,
        Group::Mutexes,
        Group::Conditions,
        Group::Semaphores,
        Group::RwLocks,
        Group::Barriers,
        Group::Sections,
        Group::Heap,
        Group::Lists,
        Group::Escapes,
        Group::Records,
        Group::OtherLocks,
        Group::Control,
        Group::Arithmetic,
        Group::Choices,
        Group::Threads,
    ];
}

/// How large the programs are, and what they use.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The fewest and the most threads besides `main`.
    pub threads: (usize, usize),
    /// The fewest and the most operations of each.
    pub operations: (usize, usize),
    /// The groups to use; if empty, a few by chance.
    pub groups: Vec<Group>,
}

impl Default for Shape {
    /// Two or three threads of two to six operations.
    fn default() -> Shape {
        Shape { threads: (2, 3), operations: (2, 6), groups: Vec::new() }
    }
}

impl Shape {
    /// The groups of one program.
    pub(crate) fn choose_groups(&self, random: &mut Random) -> Vec<Group> {
        if !self.groups.is_empty() {
            return self.groups.clone();
        }
        let mut groups = vec![random.pick(&Group::ALL)];
        for _ in 0..random.within((0, 2)) {
            groups.push(random.pick(&Group::ALL));
        }
        groups
    }
}
