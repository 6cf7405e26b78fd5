//! The engine `impact` and its options.

use clap::ValueEnum;
use engine::Engine;
use impact::{Impact, Options, Order};

use super::{Offer, Turn};
use crate::args::{CheckArgs, Reduction};

/// Options that only the engine `impact` has.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Options of the engine impact")]
pub struct ImpactArgs {
    /// Which thread is preferred where several could go first: `lockstep` each runs one round of its loop in
    /// turn; `sequential` the first as far as it can; `reverse` the last (may be repeated) [default: all,
    /// one after the other]
    #[arg(long, value_name = "ORDER")]
    pub thread_order: Vec<ThreadOrder>,

    /// Whether nodes are made to be covered by older ones where that is possible
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    pub force_cover: Switch,

    /// Whether invariants from templates are looked for before the tree is built
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    pub templates: Switch,
}

/// The orders of threads.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ThreadOrder {
    Lockstep,
    Sequential,
    Reverse,
}

/// Something that is on or off.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Switch {
    On,
    Off,
}

impl From<ThreadOrder> for Order {
    fn from(order: ThreadOrder) -> Order {
        match order {
            ThreadOrder::Lockstep => Order::Lockstep,
            ThreadOrder::Sequential => Order::Sequential,
            ThreadOrder::Reverse => Order::Reverse,
        }
    }
}

/// The engine on the command line.
pub struct Offered;

impl Offer for Offered {
    fn name(&self) -> &'static str {
        impact::NAME
    }

    fn searches(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn turns(&self) -> &'static [Turn] {
        &[Turn { place: 2, search: None, endless: false }]
    }

    fn engine(&self, args: &CheckArgs, _: Option<&str>) -> Box<dyn Engine> {
        let own = &args.engines.impact;
        let mut options = Options {
            reduces: args.reduction != Reduction::None,
            force_cover: own.force_cover == Switch::On,
            invariants: own.templates == Switch::On,
            ..Options::default()
        };
        if !own.thread_order.is_empty() {
            options.orders = own.thread_order.iter().map(|order| Order::from(*order)).collect();
        }
        Box::new(Impact { options })
    }
}
