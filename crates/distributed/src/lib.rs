//! Searches in several processes, on one machine or on many.
//!
//! [`connect`] finds the other processes and refuses those that do not search for the
//! same; [`Processes`] then passes messages in rounds ([`engine::Peers`]), over the
//! communication crate of timely dataflow. What the messages mean is the search's
//! business.
//!
//! | file | what |
//! |---|---|
//! | `socket` | connections by TCP, or by files on one machine |
//! | `connect` | finding the others, and whether they fit |
//! | `rounds` | messages, and noticing that a process is gone |

mod connect;
mod rounds;
mod socket;

pub use connect::{Error, Identity, Place, connect};
pub use rounds::Processes;
