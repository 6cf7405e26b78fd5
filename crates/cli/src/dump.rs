//! `threadproof dump`.

use frontend::Linked;
use ir::{FuncId, Pc, Program};

use crate::args::DumpArgs;
use crate::exit::{Exit, Failure, Output};
use crate::load::{load, load_linked};

/// Shows the program, or its loops, or its sites.
pub fn dump(args: &DumpArgs) -> Result<Output, Failure> {
    if args.sites {
        let linked = load_linked(&args.input)?;
        let text = format!("program {}\n{}", native::fingerprint(&linked)?, sites(&linked));
        return Ok(Output::new(text, Exit::Safe));
    }
    let program = load(&args.input)?;
    let text = if args.loops { loops(&program) } else { program.to_string() };
    Ok(Output::new(text, Exit::Safe))
}

fn loops(program: &Program) -> String {
    let loops = program.loops();
    let width = loops.iter().map(|each| each.name.len()).max().unwrap_or(0);
    loops.iter().map(|each| format!("{:width$}  {}\n", each.name, each.at)).collect()
}

/// The sites of all functions that native code executes.
fn sites(linked: &Linked) -> String {
    let program = &linked.program;
    let mut lines = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FuncId(index as u32);
        for pc in 0..function.code.len() as Pc {
            let site = program.site(id, pc);
            let at = program.location(id, function.spans[pc as usize]);
            if linked.executed.contains(&site.function) {
                let text = program.instr_text(id, pc);
                lines.push((
                    index,
                    site.ordinal,
                    format!("{} {}  {at}  {text}\n", site.function, site.ordinal),
                ));
            }
        }
    }
    lines.sort();
    lines.dedup();
    lines.into_iter().map(|(_, _, line)| line).collect()
}
