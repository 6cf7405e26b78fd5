//! The engine `impact` and its options.

use std::path::PathBuf;

use anyhow::Context;
use certify::Certificate;
use clap::ValueEnum;
use engine::Engine;
use impact::{Impact, Keeper, Options, Order, Por, Visit};
use machine::{Machine, Property};

use super::{Offer, Turn};
use crate::args::{self, CheckArgs, Reduction};
use crate::{proof_dot, save};

/// Options that only the engine `impact` has.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Options of the engine impact")]
pub struct ImpactArgs {
    /// Which thread is preferred where several could go first: `lockstep` each runs one round of its loop in
    /// turn; `groups` those that conflict in lockstep, one group after the other; `sequential` the first as
    /// far as it can; `reverse` the last; `relay` the first in lockstep with one other after the other;
    /// `writes` each up to its next write; `alike` as `sequential`, where threads that are alike stand for
    /// one another (may be repeated) [default: all, one after the other]
    #[arg(long, value_name = "ORDER")]
    pub thread_order: Vec<ThreadOrder>,

    /// A reduction of the paper on Impact, on the tree, in place of the reduced product: `none` all
    /// interleavings of instructions; `shared` all interleavings of accesses to what threads share;
    /// `monotonic` those of them in which independent steps are in the order of their threads. Only with
    /// `--engine impact`; for comparison: slower than the default, with the same verdicts
    #[arg(long, value_name = "KIND")]
    pub por: Option<PorKind>,

    /// In which order the nodes of the tree are visited: `dfs` the last one that was found first; `bfs`
    /// those with the fewest steps first; `csdr` those with the fewest context switches first [default: `bfs`
    /// without invariants, `dfs` with them]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<VisitOrder>,

    /// The most values that a number may have, all else being alike, and still belong to the location; with
    /// more it becomes data, about which the proof speaks. A larger number unrolls longer loops. What
    /// became data is told with the proof
    #[arg(long, value_name = "VALUES", default_value_t = impact::FEW)]
    pub precision: usize,

    /// Whether nodes are made to be covered by older ones where that is possible
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    pub force_cover: Switch,

    /// Whether invariants from templates are looked for before the tree is built
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    pub templates: Switch,

    /// Write the proof of a safe verdict to this file; `threadproof certify` checks it. Only with
    /// `--engine impact`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Draw the proof of a safe verdict to this file, for Graphviz (dot), if it is small. Only with
    /// `--engine impact`
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// The proof that was found last.
    #[arg(skip)]
    pub proof: Keeper,
}

impl ImpactArgs {
    fn wants_proof(&self) -> bool {
        self.certificate.is_some() || self.dot.is_some()
    }
}

/// The orders of threads.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ThreadOrder {
    Lockstep,
    Groups,
    Relay,
    Writes,
    Sequential,
    Reverse,
    Alike,
}

/// The orders in which nodes are visited.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum VisitOrder {
    Bfs,
    Dfs,
    Csdr,
}

impl From<VisitOrder> for Visit {
    fn from(order: VisitOrder) -> Visit {
        match order {
            VisitOrder::Bfs => Visit::Bfs,
            VisitOrder::Dfs => Visit::Dfs,
            VisitOrder::Csdr => Visit::Csdr,
        }
    }
}

/// Something that is on or off.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Switch {
    On,
    Off,
}

/// Which interleavings the tree has.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum PorKind {
    None,
    Shared,
    Monotonic,
}

impl From<PorKind> for Por {
    fn from(por: PorKind) -> Por {
        match por {
            PorKind::None => Por::None,
            PorKind::Shared => Por::Shared,
            PorKind::Monotonic => Por::Monotonic,
        }
    }
}

impl From<ThreadOrder> for Order {
    fn from(order: ThreadOrder) -> Order {
        match order {
            ThreadOrder::Lockstep => Order::Lockstep,
            ThreadOrder::Groups => Order::Groups,
            ThreadOrder::Relay => Order::Relay,
            ThreadOrder::Writes => Order::Writes,
            ThreadOrder::Sequential => Order::Sequential,
            ThreadOrder::Reverse => Order::Reverse,
            ThreadOrder::Alike => Order::Alike,
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

    fn check_options(&self, args: &CheckArgs) -> anyhow::Result<()> {
        let named = args.engine.is_some_and(|engine| engine.name() == impact::NAME);
        let wanted = args.engines.impact.wants_proof();
        anyhow::ensure!(named || !wanted, "only the engine impact writes proofs: add --engine impact");
        let suppresses = args.suppressions.is_some() || args.keep_going;
        anyhow::ensure!(!(wanted && suppresses), "a proof is one of all faults: leave out suppressions");
        let own = &args.engines.impact;
        let races = args.spec.is_none() && args::properties(&args.property).has(Property::Race);
        anyhow::ensure!(
            !(named && races && own.por.is_some()),
            "with --por the engine cannot look for data races: leave `race` out of --property"
        );
        if own.por.is_none() {
            return Ok(());
        }
        anyhow::ensure!(named, "only the engine impact has --por: add --engine impact");
        anyhow::ensure!(
            own.thread_order.is_empty(),
            "--por takes threads in the order of their numbers: leave out --thread-order"
        );
        anyhow::ensure!(
            args.reduction != Reduction::None,
            "--por says what is reduced: leave out --reduction none"
        );
        Ok(())
    }

    fn write_proof(&self, args: &CheckArgs, machine: &Machine) -> anyhow::Result<()> {
        let own = &args.engines.impact;
        if !own.wants_proof() {
            return Ok(());
        }
        let proof = own.proof.take().context("the engine impact has not kept its proof")?;
        if let Some(path) = &own.dot {
            let written = std::fs::write(path, proof_dot::dot(&proof)?);
            written.with_context(|| format!("cannot write the drawing to {}", path.display()))?;
        }
        if let Some(path) = &own.certificate {
            let options = save::options(&args.input, machine.config());
            let tool = env!("CARGO_PKG_VERSION");
            let certificate = Certificate::new(tool, machine.program(), options, proof);
            let written = std::fs::write(path, certificate.to_json());
            written.with_context(|| format!("cannot write the certificate to {}", path.display()))?;
        }
        Ok(())
    }

    fn engine(&self, args: &CheckArgs, _: Option<&str>) -> Box<dyn Engine> {
        let own = &args.engines.impact;
        let mut options = Options {
            reduces: args.reduction != Reduction::None,
            por: own.por.map(Por::from),
            force_cover: own.force_cover == Switch::On,
            visit: own.order.map(Visit::from),
            invariants: own.templates == Switch::On,
            few: own.precision,
            keeper: own.wants_proof().then(|| own.proof.clone()),
            ..Options::default()
        };
        if !own.thread_order.is_empty() {
            options.orders = own.thread_order.iter().map(|order| Order::from(*order)).collect();
        }
        Box::new(Impact { options })
    }
}
