//! From one execution to the schedule that permits nothing else.
//!
//! The schedule has one section and orders all events one after the other. It
//! is as narrow as a schedule can be, and so it shows whether the runtime holds
//! a program to what it is told.

use frontend::Linked;
use machine::{Machine, State, ThreadId};
use rustc_hash::FxHashMap;
use schedule::{Event, FORMAT, Kind, Lane, Next, Place, Requirement, Schedule, Section};
use trace::{Follow, Stepped, Trace};

use crate::instance::{Grouping, Instance};
use crate::plan::Wait;
use crate::visit::{Visit, Visits};
use crate::{Error, fingerprint};

/// The schedule of an execution that comes to its end.
pub fn scheduled(machine: &Machine, trace: &Trace, linked: &Linked) -> Result<Schedule, Error> {
    let (visits, last) = visits(machine, trace);
    let mut grouping = Grouping::new(machine.program(), &linked.executed);
    let executed = visits.iter().enumerate().filter(|(_, visit)| visit.executed);
    executed.for_each(|(time, visit)| grouping.add(time, visit));
    grouping.finish(|thread| machine.stands(&last, thread));
    let mut sites = FxHashMap::default();
    let mut places = Vec::new();
    for at in grouping.found.iter().filter(|found| found.visible).filter_map(|found| found.at) {
        let (site, at) = (grouping.site(at), machine.location(at.0, at.1));
        sites.entry(site.clone()).or_insert_with(|| {
            places.push(Place { site, at });
            places.len() as u32 - 1
        });
    }
    let mut ordered: Vec<&Instance> = grouping.found.iter().filter(|found| found.done).collect();
    ordered.sort_by_key(|found| found.time());
    let site = |found: &Instance| found.at.and_then(|at| sites.get(&grouping.site(at)).copied());
    let events = outside_sections(ordered)?;
    let events = events.into_iter().filter_map(|found| Some((found.thread.0, site(found)?, kind(found))));
    Ok(Schedule {
        format: FORMAT,
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        program: fingerprint(linked)?,
        sites: places,
        omitted: Vec::new(),
        arguments: None,
        may_fail: Vec::new(),
        start: 0,
        sections: vec![Section { lanes: lanes(last.thread_ids(), events), next: Next::End }],
    })
}

/// What happens inside of an atomic section is part of the event that begins
/// it, unless others run meanwhile: then there is no such event.
fn outside_sections(ordered: Vec<&Instance>) -> Result<Vec<&Instance>, Error> {
    let mut section: Option<(ThreadId, i32)> = None;
    let mut outside = Vec::new();
    for found in ordered {
        match &mut section {
            Some((thread, _)) if *thread != found.thread => return Err(Error::LeavesSection),
            Some((_, depth)) => *depth += found.sections,
            None => {
                outside.push(found);
                section = Some((found.thread, found.sections));
            }
        }
        section = section.filter(|(_, depth)| *depth > 0);
    }
    Ok(outside)
}

fn kind(found: &Instance) -> Kind {
    match found.wait {
        Wait::Begins => Kind::WaitBegins,
        Wait::Ends => Kind::WaitEnds,
        _ if found.sections > 0 => Kind::Atomic,
        Wait::Plain | Wait::Whole => Kind::Plain,
    }
}

/// One event after the other. Threads without events have lanes, too: others are not expected.
fn lanes(
    threads: impl Iterator<Item = ThreadId>,
    events: impl Iterator<Item = (u32, u32, Kind)>,
) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = threads.map(|thread| Lane { thread: thread.0, events: Vec::new() }).collect();
    let mut previous: Option<Requirement> = None;
    for (thread, site, kind) in events {
        let after = previous.filter(|before| before.thread != thread).into_iter().collect();
        let lane = &mut lanes[thread as usize];
        lane.events.push(Event { site, kind, until: None, after });
        previous = Some(Requirement { thread, events: lane.events.len() as u32 });
    }
    lanes
}

/// What each instruction of a trace does, and the state after it.
fn visits(machine: &Machine, trace: &Trace) -> (Vec<Visit>, State) {
    let (mut state, mut visits) = (machine.initial(), Visits::default());
    for (index, step) in trace.steps.iter().enumerate() {
        let before = state.clone();
        let result = machine.step(&mut state, step.mover, step.choice, trace.grain, &mut visits);
        visits.stepped(&Stepped { machine, before: &before, after: &state, step, index, result: &result });
        trace::refresh(machine, trace.grain, &mut state);
    }
    (visits.all, state)
}
