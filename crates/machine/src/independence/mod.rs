//! Which steps commute: what others can observe, what a step depends on, and
//! names for places that last.

pub(crate) mod adjacent;
pub(crate) mod depends;
pub(crate) mod home;
pub(crate) mod local;
pub(crate) mod visible;
