//! Program schedules: which executions of a program are permitted.
//!
//! After section 4 of "Extracting safe thread schedules from incomplete model
//! checking results". A schedule is a graph of *sections*. A section is a
//! partial order of events, given as a vector clock for each event: how many
//! events of each other thread have to happen before it. When all events of a
//! section have happened, its link says which section comes next; where an
//! execution can branch, the thread that branches chooses by where it comes to.
//!
//! An event is one instruction, or all that a thread executes from one to another. Every
//! execution of a site where events begin is an event or part of one, whichever thread executes
//! it. Instructions that are not listed are not restricted.
//!
//! [`Schedule::parse`] reads and checks a file, [`permits`] checks a recorded
//! execution; [`Native`] says where threads stand in a state of the machine. What the runtime makes of a schedule is in `native`.

mod file;
mod permits;
mod stand;
mod validate;

pub use file::{
    Arguments, Choice, Claim, Event, FORMAT, Failure, Kind, Lane, Next, Place, ReadError, Requirement,
    Schedule, Section, Until,
};
pub use permits::{Recorded, Violation, permits, read_record};
pub use stand::{Native, SiteId, Stand};
pub use validate::Invalid;
