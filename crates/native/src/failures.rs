//! Calls that the trace lets fail: allocations, and the creation of threads.
//!
//! Natively they would succeed. So the runtime is asked which function such a call is to call: the
//! real one, or one that fails. Where the trace lets a call fail, each execution of that call is an
//! input of its own, whether or not the machine had to choose there (`realloc` to 0 bytes does not
//! allocate).

use ir::{Instr, Program, Site};
use machine::ThreadId;
use rustc_hash::FxHashSet;

use crate::follow::chosen;
use crate::instance::{Grouping, Instance};
use crate::plan::Input;
use crate::visit::Visit;

/// Whether the choice of this name says that a call fails.
pub fn is_failure(name: &str) -> bool {
    [ir::ALLOCATION_FAILS, ir::CREATION_FAILS].contains(&name)
}

/// The calls that fail at least once, and what each of their executions does.
pub fn of(program: &Program, visits: &[Visit], grouping: &Grouping<'_>) -> (Vec<Site>, Vec<Input>) {
    let failures: Vec<(usize, ThreadId, Site)> = visits
        .iter()
        .enumerate()
        .filter(|(_, visit)| fails(program, visit))
        .filter_map(|(time, visit)| Some((time, visit.thread, site(visit, grouping)?)))
        .collect();
    let mut seen = FxHashSet::default();
    let sites = failures.iter().map(|(_, _, site)| site.clone()).filter(|site| seen.insert(site.clone()));
    let sites = sites.collect();
    let input = |instance: &Instance| {
        let site = grouping.site(instance.at?);
        let is_one = |(time, thread, of): &(usize, ThreadId, Site)| {
            instance.span.0 <= *time && *time <= instance.span.1 && *thread == instance.thread && *of == site
        };
        let value = u64::from(failures.iter().any(is_one));
        let name = runtime::FAILURE.to_owned();
        seen.contains(&site).then_some(Input { thread: instance.thread, name, value })
    };
    let inputs = grouping.found.iter().filter_map(input).collect();
    (sites, inputs)
}

fn fails(program: &Program, visit: &Visit) -> bool {
    let Some((function, pc)) = visit.frames.last().filter(|_| visit.executed) else { return false };
    let instr = &program.function(*function).code[*pc as usize];
    matches!(instr, Instr::Nondet { origin, .. } if is_failure(program.name(*origin)))
        && chosen(visit).is_some_and(|value| value != 0)
}

/// The call of the program's own that a visit belongs to.
fn site(visit: &Visit, grouping: &Grouping<'_>) -> Option<Site> {
    let depth = grouping.own(&visit.frames)?;
    Some(grouping.site(visit.frames[depth]))
}
