//! Partial-order reduction that assumes the best and takes it back.
//!
//! A search may let the running thread go on alone, without trying the others,
//! where its next step commutes with all that the others can do before it. That
//! is so if no other thread touches what the step touches, or every thread that
//! does holds a lock which the running thread has. Whether a program keeps to this is
//! not known beforehand. So it is assumed of every place until a step is seen
//! that breaks it; then the states that were left to one thread because of that
//! place are given back to the search ([`Discipline`]). In the end every state
//! that was left to one thread was so rightly. The idea of an optimistic
//! reduction is that of Stoller and Cohen, *Optimistic Synchronization-Based
//! State-Space Reduction* (TACAS 2003).
//!
//! # Why nothing is lost
//!
//! Let `t` be running in a state `s` with only its step `a` explored there, and
//! let `w` be steps of the others from `s`. Suppose the last step of `w`, by
//! `u`, is the first that does not commute with `a`: it touches a place of
//! `a`'s. Until then `t` stands still, so what `a` needs and the locks `t` has
//! are the same all along; all steps of `w` but the last can be taken after `a`
//! as well, and by induction are covered by the search from there, up to the
//! order of steps that commute. There `u` is about to touch the place, so the
//! search sees it touch it, or sees it wait to do so if `a` took a lock, before
//! `t` is joined, and without the locks that `t` has. This breaks the
//! discipline. So no such `w` is left when the search has ended: `{t}` is a
//! persistent set in `s`. The induction is over the length of `w` and, for the
//! same length, along the steps explored alone, which therefore must not form
//! a cycle: that is the search's to see to.
//!
//! Because only the thread that runs anyway is ever left alone, no execution
//! gets more context switches by moving `a` to the front: bounds on context
//! switches stay exact.
//!
//! That `u` is seen to meet `t`, and that what it touches is seen at all, needs
//! care. `t` may have gone on to its end alone by then; but no thread has joined it,
//! for joining is never left alone, and no step of `w` can be the join of a
//! thread that has not ended. So what others touch counts until `t` is joined.
//! What `u` touches counts whether or not it is shared then: that `t` has passed
//! its last use of an object may be why it is not. The objects of a call end
//! unseen if no thread can reach them, so a step that touches those of another
//! thread is not left alone. Neither is one that depends on keys.
//!
//! A search that takes threads for each other (twins) sees what `u` does done by another
//! thread. It uses [`Discipline::of_exchangeable_threads`], for which all threads but
//! `main` are one that interferes with itself.
//!
//! `bounded` gives single nodes back to its search. `explicit` takes the steps that are
//! left alone together with the one before, and begins anew where it has to take one back.
//!
//! Giving back a lock commutes with all that others do meanwhile except trying
//! to take it without waiting: they cannot have it, and waiting is no step.

mod discipline;
mod place;

pub use discipline::{Discipline, Move, Note, Reliance};
pub use place::{Locks, Unjoined};
