//! What a proof consists of.

use machine::{Datum, Holder, ThreadId};
use serde::{Deserialize, Serialize};

/// An abstract reachability tree over a reduced product of the threads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The solver that the proof was found with.
    pub solver: String,
    /// What holds data; all else belongs to locations.
    pub data: Vec<Holder>,
    /// Whether inputs are data however few values they have, rather than choices.
    pub all_inputs: bool,
    /// Which interleavings the tree has.
    #[serde(default, skip_serializing_if = "Interleavings::is_reduced")]
    pub interleavings: Interleavings,
    /// Whether the threads of locations are sorted, so that a location stands for all that differ in
    /// the numbers of threads alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sorted: bool,
    /// The terms that labels consist of. The arguments of each come before it.
    pub terms: Vec<Condition>,
    /// The vertices of the product; the program starts at the first.
    pub vertices: Vec<Vertex>,
    /// The nodes of the tree; the first is the root.
    pub nodes: Vec<Node>,
}

/// Which interleavings a tree has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interleavings {
    /// Those of the threads that move at each vertex.
    #[default]
    Reduced,
    /// Those in which steps that follow each other and change places are in the order of their
    /// threads (Definition 4.3). All threads move at every vertex, and every step leads to a node.
    Monotonic,
    /// All, and steps are single instructions.
    Instructions,
}

impl Interleavings {
    /// Whether vertices say which threads move.
    pub fn is_reduced(&self) -> bool {
        *self == Interleavings::Reduced
    }
}

/// A term. What the operations mean is what SMT-LIB says they mean.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// `const`, `place`, or the name of an operation.
    pub op: String,
    /// The numbers of the arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<u32>,
    /// The width of a constant, a place (of its elements, if it holds an array), an
    /// extraction or an extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u8>,
    /// The lowest bit of an extraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<u8>,
    /// The value of a constant, as an unsigned decimal number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The place whose number is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Datum>,
}

/// A location, with the threads that move from there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Vertex {
    /// The name of the location ([`crate::name`]). Locations are found by the steps that
    /// lead to them; the name only says which step leads where.
    pub location: String,
    /// The threads that move.
    pub movers: Vec<ThreadId>,
    /// Why it is enough that these do.
    pub reason: Reason,
    /// For [`Reason::Commuting`]: where this holds, only the first of them moves. The numbers of
    /// terms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<u32>,
    /// Where their steps lead.
    pub steps: Vec<Step>,
    /// Where the threads are, for people.
    pub shown: Vec<String>,
}

/// Why the threads that move at a vertex are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// They are all that can move.
    All,
    /// No other step conflicts with theirs before they have moved, and without their
    /// steps no failure can be reached.
    Necessary,
    /// No other step conflicts with theirs before they have moved, their steps are always
    /// possible, and no thread is put off for ever.
    Fair,
    /// Where a condition holds, the first of them can change places with all that others do before
    /// it has moved, and without its step no failure can be reached. Where it does not hold, all
    /// that can move do.
    Commuting,
    /// A schedule permits no others; only in the proof of a schedule.
    Scheduled,
}

/// A step of a thread to a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The thread.
    pub thread: ThreadId,
    /// The vertex.
    pub to: u32,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// Its vertex.
    pub vertex: u32,
    /// Its label: the numbers of terms that hold here.
    pub label: Vec<u32>,
    /// The node that covers it, which is then all there is to say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<u32>,
    /// The nodes after it. Vertices without nodes are passed on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<Edge>,
    /// In a monotonic tree: the threads that are not followed from it since their steps change
    /// places with the one that leads to it because of the label before that one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<ThreadId>,
    /// Its label in the source's words, for people.
    pub shown: Vec<String>,
}

/// The next node after another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The next node.
    pub to: u32,
    /// The threads that move on the way, for people. In a monotonic tree an edge is looked for
    /// among those of the thread that moves.
    pub threads: Vec<ThreadId>,
}
