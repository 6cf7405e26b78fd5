//! Whether the time is linear in the number of states: two threads increment a
//! counter, each as often as makes about 10^5, 10^6 and 10^7 states; every
//! instruction is a step.
//!
//! `cargo run --release -p experiments --bin scaling`

use std::time::Duration;

use experiments::{benchmarks, explicit, load_with, processor_seconds};
use explicit::{Options, SearchOrder};
use machine::{Grain, Properties, Property};

/// How often the counter is incremented by each thread.
const INCREMENTS: [u32; 3] = [4, 8, 14];

fn main() -> anyhow::Result<()> {
    println!("| search | states | processor seconds | states per second | of the first | bytes/state |");
    println!("|---|---|---|---|---|---|");
    for (search, label) in [(SearchOrder::Csdr, "csdr"), (SearchOrder::Bfs, "bfs"), (SearchOrder::Dfs, "dfs")]
    {
        let mut first = None;
        for increments in INCREMENTS {
            let flags = ["-DTHREADS=2".to_owned(), format!("-DINCREMENTS={increments}")];
            let properties: Properties = [Property::Assert].into_iter().collect();
            let machine =
                load_with(&benchmarks("context-switches").join("increments.c"), properties, &flags)?;
            let options = Options { search, reduction: Grain::Instruction, ..Options::default() };
            // One that takes a few hundredths of a second is measured several times.
            let (mut runs, before) = (0, processor_seconds());
            let outcome = loop {
                runs += 1;
                let (outcome, _) = explicit(&machine, options, 1, Duration::from_secs(3600));
                if processor_seconds() - before > 1.0 {
                    break outcome;
                }
            };
            let seconds = (processor_seconds() - before) / f64::from(runs);
            let states = outcome.stats.count(engine::counters::STATES).unwrap_or(0);
            let rate = states as f64 / seconds;
            let bytes = outcome.stats.real(engine::counters::BYTES_PER_STATE).unwrap_or(0.0);
            let ratio = rate / *first.get_or_insert(rate);
            println!("| {label} | {states} | {seconds:.2} | {rate:.0} | {ratio:.2} | {bytes:.1} |");
        }
    }
    Ok(())
}
