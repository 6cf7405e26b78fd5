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
    /// Heap objects that are freed, and addresses that come back.
    Reuse,
    /// Pointers as integers.
    Numbers,
    /// Variables of blocks whose addresses escape.
    Blocks,
    /// Output of shared strings.
    Output,
    /// Conditions on which several threads wait.
    Waiters,
    /// Locks, semaphores and barriers that are tried.
    Polling,
    /// Inputs that choose objects.
    Inputs,
    /// Numbers of other sizes than `int`.
    Narrow,
    /// Functions of the C library.
    Library,
}

impl Group {
    /// The groups that a program is made from unless its shape says otherwise.
    pub const BASIC: [Group; 17] = [
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

    /// The groups that consist of pieces of C.
    pub const PIECES: [Group; 9] = [
        Group::Reuse,
        Group::Numbers,
        Group::Blocks,
        Group::Output,
        Group::Waiters,
        Group::Polling,
        Group::Inputs,
        Group::Narrow,
        Group::Library,
    ];

    /// All groups.
    pub fn all() -> impl Iterator<Item = Group> {
        Group::BASIC.into_iter().chain(Group::PIECES)
    }
}

/// How large the programs are, and what they use.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The fewest and the most threads besides `main`.
    pub threads: (usize, usize),
    /// The fewest and the most operations of each.
    pub operations: (usize, usize),
    /// The groups to use; if empty, a few of the basic ones by chance.
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
        let mut groups = vec![random.pick(&Group::BASIC)];
        for _ in 0..random.within((0, 2)) {
            groups.push(random.pick(&Group::BASIC));
        }
        groups
    }
}
