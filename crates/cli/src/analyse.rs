//! `threadproof analyse`: the table of shared variables.

use analysis::table::{Row, RowAccess};
use analysis::{Analysis, NotKnown};
use ir::Program;

use crate::args::AnalyseArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::load;

/// How many pairs of accesses to one variable are listed.
const MOST_SHOWN: usize = 20;

/// Tells which threads access which shared variable under which locks, and which
/// accesses may race.
pub fn analyse(args: &AnalyseArgs) -> Result<Output, Failure> {
    let program = load(&args.input)?;
    let found = analysis::explain(&program);
    let proven = found.as_ref().is_ok_and(|(found, _)| found.pairs.is_empty() && found.unsupported.is_none());
    let exit = if proven { Exit::Safe } else { Exit::Unknown };
    Ok(Output::new(table(&program, &found), exit))
}

/// The table, and what it comes to.
pub fn table(program: &Program, found: &Result<(Analysis, Vec<Row>), NotKnown>) -> String {
    let (found, rows) = match found {
        Ok(found) => found,
        Err(not_known) => return format!("the static analysis knows nothing: {}\n", not_known.reason),
    };
    let rows: String = rows.iter().map(row).collect();
    rows + &summary(program, found)
}

fn row(row: &Row) -> String {
    let accesses: String = row.accesses.iter().map(access).collect();
    let reasons = row.reasons.join("; ");
    let reasons = if reasons.is_empty() { String::new() } else { format!("  no race: {reasons}\n") };
    let races = row.races.iter().take(MOST_SHOWN).map(|(a, b)| format!("  may race: {a} and {b}\n"));
    let more = match row.races.len().saturating_sub(MOST_SHOWN) {
        0 => String::new(),
        more => format!("  and {more} more pairs\n"),
    };
    format!("{}\n{accesses}{reasons}{}{more}\n", row.name, races.collect::<String>())
}

fn access(access: &RowAccess) -> String {
    let touch = if access.write { "writes" } else { "reads" };
    let atomic = if access.atomic { " atomically" } else { "" };
    let locks = match access.locks[..] {
        [] => String::new(),
        _ => format!(" under {}", access.locks.join(", ")),
    };
    let places: Vec<String> = access.places.iter().map(ToString::to_string).collect();
    format!("  {} {touch}{atomic}{locks}: {}\n", access.thread, places.join(", "))
}

fn summary(program: &Program, found: &Analysis) -> String {
    let unsupported = found.unsupported.map_or(String::new(), |place| {
        let span = program.function(place.function).spans.get(place.pc as usize).copied();
        let at = program.location(place.function, span.unwrap_or_default());
        format!("what follows {at}, which is not supported, is not known\n")
    });
    let pairs = match found.pairs.len() {
        0 => "no two accesses race\n".to_owned(),
        1 => "1 pair of accesses may race\n".to_owned(),
        pairs => format!("{pairs} pairs of accesses may race\n"),
    };
    unsupported + &pairs
}
