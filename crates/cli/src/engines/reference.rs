//! The engine `reference`, which has no options of its own.

use engine::Engine;
use reference::{Options, Reference};

use super::Offer;
use crate::args::CheckArgs;

/// The engine on the command line.
pub struct Offered;

impl Offer for Offered {
    fn name(&self) -> &'static str {
        reference::NAME
    }

    fn searches(&self) -> Vec<&'static str> {
        vec!["dfs"]
    }

    fn engine(&self, args: &CheckArgs, _: Option<&str>) -> Box<dyn Engine> {
        Box::new(Reference(Options { reduction: args.reduction.into() }))
    }
}
