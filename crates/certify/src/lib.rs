//! Proofs as data, and a check of them.
//!
//! A [`Proof`] says why no execution of a program goes wrong: an abstract
//! reachability tree over a reduced product of the threads. The engine `impact` finds
//! proofs; [`check`] checks one without a line of that engine's code and with another
//! solver. What it trusts is written in `docs/impact.md`: the machine, the symbolic
//! step, the terms, the static analysis of interference, and the solver.
//!
//! | file | what |
//! |---|---|
//! | `proof` | the data |
//! | `certificate` | the file: a proof with what it is a proof of |
//! | `condition` | conditions as data, written and read |
//! | `data` | what holds data, and belongs to no location |
//! | `location` | a name for a location that another run finds again |
//! | `graph` | the vertices of the product with their locations and steps |
//! | `path` | steps one after the other, as conditions and values |
//! | `check` | labels, covers, safety; in its folder `vertices` (who moves there), `monotonic` (which threads a monotonic tree follows), `questions` (to the solver), `shape` (what a proof names) |
//! | `rejection` | why certificates are not accepted |
//! | `reduction`, `future` | why some threads need not move at a vertex |
//! | `races` | races as something that must not happen at a step |
//! | `exchange` | the same where steps change places because of what holds of data |
//! | `fairness` | that no thread is put off for ever |
//! | `ending` | the same where loops are known to end |
//! | `equations`, `polynomial` | questions with products of variables, made easier |
//! | `scheduled` | the file beside a schedule |
//! | `permitted` | what a schedule permits where a proof goes |
//! | `coarser` | that a schedule permits no more than one that orders single instructions |
//! | `commuting` | which events depend on each other |
//! | `redundant` | which operations on locks and barriers a schedule makes redundant |

mod certificate;
mod check;
mod coarser;
mod commuting;
mod condition;
mod data;
mod ending;
mod equations;
mod exchange;
mod fairness;
mod future;
mod graph;
mod location;
mod path;
mod permitted;
mod polynomial;
mod proof;
mod races;
mod reduction;
mod redundant;
mod rejection;
mod scheduled;

pub use certificate::{Certificate, FORMAT, ReadError, program_hash};
pub use check::{Checked, check, check_schedule};
pub use commuting::{Dependences, Extents};
pub use condition::Writer;
pub use ending::{Endings, Piece};
pub use location::name;
pub use proof::{Condition, Edge, Interleavings, Node, Proof, Reason, Step, Vertex};
pub use redundant::{Touches, Touching};
pub use rejection::Rejection;
pub use scheduled::{ScheduleCertificate, arguments, may_fail, needs_no_schedule};
