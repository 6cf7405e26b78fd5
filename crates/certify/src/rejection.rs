//! Why certificates are not accepted.

use machine::ThreadId;

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// It is one for another program.
    #[error("it is a certificate for another program")]
    Program,
    /// It was made with other options than it says, or than the machine has.
    #[error("its options are not those that it was made with")]
    Options,
    /// It is about a property that such proofs do not show.
    #[error("{0} is no property that such proofs show")]
    Property(&'static str),
    /// It is about executions or faults that such proofs do not speak of.
    #[error("such proofs show nothing about {0}")]
    Silent(&'static str),
    /// Something in it makes no sense.
    #[error("{0}")]
    Malformed(String),
    /// The label of the root does not hold at the beginning.
    #[error("the label of the root does not hold at the beginning")]
    Root,
    /// A label does not imply that of the node that covers it.
    #[error("the label of node {node} does not imply that of node {by}, which is said to cover it")]
    Cover {
        /// The node.
        node: u32,
        /// What covers it.
        by: u32,
    },
    /// A step is possible that no edge follows.
    #[error("no edge follows what {thread} can do from node {node}: {why}")]
    Step {
        /// The node.
        node: u32,
        /// The thread that moves last.
        thread: ThreadId,
        /// What is missing.
        why: String,
    },
    /// Something is possible that must not happen.
    #[error("the label of node {node} does not exclude {what}")]
    Unsafe {
        /// The node.
        node: u32,
        /// What must not happen.
        what: String,
    },
    /// Threads are left out without a reason.
    #[error("at vertex {vertex} not all threads are followed, without reason: {why}")]
    Pruned {
        /// The vertex.
        vertex: u32,
        /// Why the reason is none.
        why: String,
    },
    /// A thread is left out after a step, and a label does not say why.
    #[error("the label of node {node} does not say why {thread} need not move after the next step: {why}")]
    Apart {
        /// The node.
        node: u32,
        /// The thread.
        thread: ThreadId,
        /// Why steps do not change places.
        why: String,
    },
    /// A thread is put off for ever.
    #[error("{thread} is put off for ever on a cycle through vertex {vertex}")]
    PutOff {
        /// The thread.
        thread: ThreadId,
        /// A vertex.
        vertex: u32,
    },
    /// The schedule is another one, or does not fit.
    #[error("{0}")]
    Schedule(String),
    /// The solver did not answer.
    #[error("{0}")]
    Solver(String),
}
