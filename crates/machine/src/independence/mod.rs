//! Which steps commute: what others can observe, what a step touches and depends
//! on, and names for places that last.

pub(crate) mod adjacent;
pub(crate) mod depends;
pub(crate) mod footprint;
pub(crate) mod home;
pub(crate) mod local;
pub(crate) mod raceless;
pub(crate) mod visible;
