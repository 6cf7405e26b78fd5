//! What is told about executions: events, faults, coverage, properties, names.

pub(crate) mod coverage;
pub(crate) mod describe;
pub(crate) mod fault;
pub(crate) mod finals;
pub(crate) mod leak;
pub(crate) mod locals;
pub(crate) mod observer;
pub(crate) mod property;
pub(crate) mod reach;
pub(crate) mod suppression;
