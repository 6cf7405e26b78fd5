//! `threadproof graph`.

use std::fs;
use std::sync::Arc;

use anyhow::Context;
use engine::{Bounds, Exceeded, Task};
use explicit::Options;
use machine::{Config, Machine};

use crate::args::{self, GraphArgs};
use crate::dot::dot;
use crate::engines::explicit::ThreadStart;
use crate::exit::{Exit, Failure, Output};
use crate::load::load;
use crate::session::Session;

/// Writes the state graph.
pub fn graph(args: &GraphArgs, session: &Session) -> Result<Output, Failure> {
    let config = Config {
        properties: args::properties(&args.property),
        nondet_range: args.nondet_range,
        ..Config::default()
    };
    let machine = Machine::new(Arc::new(load(&args.input)?), config);
    let progress = session.board.enter(explicit::NAME);
    let (budget, bounds) = (&session.budget, Bounds::default());
    let task = Task { machine: &machine, budget, bounds, progress: &progress };
    let starts_switch = args.thread_start == ThreadStart::Switch;
    let options = Options { reduction: args.reduction.into(), starts_switch, ..Options::default() };
    let graph = match explicit::graph(&task, &options, args.state_limit) {
        Ok(graph) => graph,
        Err(exceeded) => return Ok(too_large(exceeded)),
    };
    let mut text = dot(&machine, &graph, options.reduction);
    if let Some(path) = &args.output {
        fs::write(path, &text)
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::Input)?;
        let (states, steps) = (graph.len(), graph.steps().count());
        text = format!("{}: {states} states, {steps} steps\n", path.display());
    }
    Ok(Output::new(text, Exit::Safe))
}

fn too_large(exceeded: Exceeded) -> Output {
    let help = match exceeded {
        Exceeded::States { .. } => "; a graph is for small programs (`--state-limit N` allows more)",
        _ => "",
    };
    Output::new(format!("no graph: {exceeded}{help}\n"), Exit::Unknown)
}
