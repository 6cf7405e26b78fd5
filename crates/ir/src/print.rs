//! The text form of a program, for `threadproof dump`.
