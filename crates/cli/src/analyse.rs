//! `threadproof analyse`.

use crate::args::AnalyseArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::load;

/// Tells which accesses may race.
pub fn analyse(args: &AnalyseArgs) -> Result<Output, Failure> {
    let program = load(&args.input)?;
    let started = std::time::Instant::now();
    let text = match analysis::analyse(&program) {
        Ok(found) => {
            let at = |place: analysis::Place| {
                let span = program.function(place.function).spans.get(place.pc as usize).copied();
                program.location(place.function, span.unwrap_or_default())
            };
            let mut text: String =
                found.pairs.iter().map(|(a, b)| format!("may race: {} and {}\n", at(*a), at(*b))).collect();
            if let Some(place) = found.unsupported {
                text += &format!("unsupported: {}\n", at(place));
            }
            text + &format!("{} pairs\n", found.pairs.len())
        }
        Err(not_known) => format!("not known: {}\n", not_known.reason),
    };
    Ok(Output { text: text + &format!("{:.3} s\n", started.elapsed().as_secs_f64()), exit: Exit::Safe })
}
