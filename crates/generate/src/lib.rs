//! Small random concurrent C programs.
//!
//! Two or three threads, a few operations each, over a few shared variables: a
//! state space that an unreduced search exhausts in a moment, so that searches
//! which should agree can be compared on many programs. A fair share of the
//! programs violates something. A program is determined by its seed; it is a
//! tree ([`Test`]) first and C source second, so that one on which two searches
//! disagree can be made smaller ([`shrink`]).
//!
//! Each program uses a few groups of operations, not all at once: what is rare
//! is then common in some programs, and meets other rare things.

mod random;
mod render;
mod shape;
mod shrink;
mod sketch;
mod snippet;
mod test;

pub use random::Random;
pub use shape::{Group, Shape};
pub use shrink::shrink;
pub use sketch::sketch;
pub use snippet::Snippet;
pub use test::{Atom, Condition, Expr, Order, Stmt, Test, Thread, Variable};

/// The C source of the program with this seed.
pub fn generate(seed: u64, shape: &Shape) -> String {
    sketch(seed, shape).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_the_program() {
        let shape = Shape::default();
        assert_eq!(generate(7, &shape), generate(7, &shape));
        let different: std::collections::HashSet<String> =
            (0..100).map(|seed| generate(seed, &shape).lines().skip(1).collect()).collect();
        assert_eq!(different.len(), 100);
    }

    #[test]
    fn the_shape_is_kept() {
        let shape = Shape { threads: (3, 3), operations: (2, 2), groups: vec![Group::Atomics] };
        for seed in 0..20 {
            let test = sketch(seed, &shape);
            assert_eq!(test.threads.len(), 3);
            // An assertion may follow the operations.
            assert!(test.threads.iter().all(|t| (2..=3).contains(&t.body.len())), "{test}");
            assert!(!test.to_string().contains("pthread_mutex"));
        }
    }
}
