//! Whether a schedule permits no more than another one, whose events are single instructions and
//! which orders all of them one after the other.
//!
//! It has the same sections. In each, every event is a run of the other schedule's events that
//! follow each other and are one thread's, and each comes after those before it that it depends on
//! ([`crate::commuting`]). So the native program makes the same accesses, and those that depend on
//! each other in the same order. Operations that are left out are no events of it
//! ([`crate::redundant`]).

use std::collections::BTreeSet;

use schedule::{Event, Next, Place, Schedule, Section};

use crate::commuting::Extents;
use crate::permitted::EventId;

/// An event of the finer schedule, and which it is.
struct Fine<'s> {
    id: EventId,
    event: &'s Event,
}

/// An event of the coarser schedule.
struct Run {
    thread: u32,
    /// The events of the finer schedule that it is.
    events: Vec<EventId>,
    /// How many events of each thread have happened when it is over, at least.
    clock: Vec<usize>,
}

/// The events of each section, in the order of the finer schedule.
pub struct Runs {
    sections: Vec<Vec<Run>>,
}

impl Runs {
    /// Shows that events are ordered which depend on each other.
    pub fn keep_order(&self, extents: &Extents<EventId>) -> Result<(), String> {
        for runs in &self.sections {
            let dependences = extents.dependences(runs.iter().map(|run| &run.events[..]));
            for (later, run) in runs.iter().enumerate() {
                let is_open = |earlier: &usize| !run.follows(&runs[*earlier]);
                if (0..later).filter(is_open).any(|earlier| dependences.has(earlier, later)) {
                    return Err("two events are not ordered that depend on each other".to_owned());
                }
            }
        }
        Ok(())
    }
}

impl Run {
    /// Whether it comes after another one whatever happens.
    fn follows(&self, other: &Run) -> bool {
        let thread = other.thread as usize;
        self.clock[thread] >= other.clock[thread]
    }
}

/// Shows that the events of a schedule are runs of those of a finer one. Whether they are ordered
/// as they must be is still to be shown.
pub fn check(finer: &Schedule, coarser: &Schedule) -> Result<Runs, String> {
    Coarser::new(finer, coarser)?.check()
}

struct Coarser<'s> {
    finer: &'s Schedule,
    coarser: &'s Schedule,
    /// The sites of the finer schedule by their numbers in the coarser one.
    sites: Vec<u32>,
    /// The sites of the finer schedule whose events are left out.
    omitted: BTreeSet<u32>,
}

impl<'s> Coarser<'s> {
    fn new(finer: &'s Schedule, coarser: &'s Schedule) -> Result<Coarser<'s>, String> {
        let number = |place: &Place| {
            let at = finer.sites.iter().position(|other| other.site == place.site);
            at.map(|at| at as u32).ok_or("an event is at a site that the proof has not".to_owned())
        };
        let sites = coarser.sites.iter().map(number).collect::<Result<Vec<u32>, String>>()?;
        // Some may have no events at all.
        let omitted: BTreeSet<u32> = coarser.omitted.iter().filter_map(|place| number(place).ok()).collect();
        if sites.iter().any(|site| omitted.contains(site)) {
            return Err("an event is at an operation that is left out".to_owned());
        }
        Ok(Coarser { finer, coarser, sites, omitted })
    }

    fn check(&self) -> Result<Runs, String> {
        let (finer, coarser) = (self.finer, self.coarser);
        if finer.start != coarser.start || finer.sections.len() != coarser.sections.len() {
            return Err("it has other sections than its proof".to_owned());
        }
        if finer.threads() != coarser.threads() || finer.program != coarser.program {
            return Err("it has other threads than its proof".to_owned());
        }
        self.lists_all_others()?;
        let mut sections = Vec::new();
        for ((own, other), number) in coarser.sections.iter().zip(&finer.sections).zip(0..) {
            if self.translated(&own.next) != other.next {
                return Err("sections follow each other in another way than in its proof".to_owned());
            }
            sections.push(self.section(own, (number, other))?);
        }
        Ok(Runs { sections })
    }

    /// Threads are held at sites that have no events; they must be listed as well.
    fn lists_all_others(&self) -> Result<(), String> {
        let sections = self.finer.sections.iter().flat_map(|section| &section.lanes);
        let executed: BTreeSet<u32> =
            sections.flat_map(|lane| &lane.events).map(|event| event.site).collect();
        let held = (0..self.finer.sites.len() as u32).filter(|site| !executed.contains(site));
        match held.into_iter().all(|site| self.sites.contains(&site)) {
            true => Ok(()),
            false => Err("a site at which threads are held is missing".to_owned()),
        }
    }

    /// A link, with the sites of the finer schedule.
    fn translated(&self, next: &Next) -> Next {
        let mut next = next.clone();
        let site = |site: u32| self.sites[site as usize];
        match &mut next {
            Next::End | Next::Exit | Next::Section(_) => {}
            Next::Race { choices } => choices.iter_mut().for_each(|c| c.comes_to = site(c.comes_to)),
            Next::Branch { choices, .. } => {
                choices.iter_mut().for_each(|c| c.comes_to = c.comes_to.map(site))
            }
        }
        next
    }

    /// The events of a section, if they are runs of those of the finer one.
    fn section(&self, own: &Section, (number, finer): (u32, &Section)) -> Result<Vec<Run>, String> {
        let mut events = ordered(finer, number).ok_or("the proof's schedule does not order all events")?;
        events.retain(|fine| !self.omitted.contains(&fine.event.site));
        let mut rest = &events[..];
        let mut runs: Vec<Run> = Vec::new();
        while let Some(first) = rest.first() {
            let (thread, all) = (first.id.1, rest.len());
            let done = runs.iter().filter(|run| run.thread == thread).count();
            let event = own.events(thread).get(done).ok_or("an event of the proof is missing")?;
            rest = self.run(event, thread, rest)?;
            let clock = self.clock(&runs, (thread, event))?;
            let taken = events.len() - all..events.len() - rest.len();
            runs.push(Run { thread, events: events[taken].iter().map(|fine| fine.id).collect(), clock });
        }
        let total: usize = own.lanes.iter().map(|lane| lane.events.len()).sum();
        if total == runs.len() { Ok(runs) } else { Err("it has an event that its proof has not".to_owned()) }
    }

    /// What has happened in other threads when an event is over: what had happened before in its
    /// own thread, and at the ends of the events that it waits for.
    fn clock(&self, runs: &[Run], (thread, event): (u32, &Event)) -> Result<Vec<usize>, String> {
        let nth = |thread: u32, count: u32| {
            let own = runs.iter().filter(|run| run.thread == thread);
            own.into_iter()
                .nth(count as usize - 1)
                .ok_or("an event waits for one that comes later in its proof")
        };
        let mut clock = vec![0; self.coarser.threads() as usize];
        let needed = event.after.iter().filter(|need| need.events > 0);
        let needed = needed.map(|need| nth(need.thread, need.events)).collect::<Result<Vec<&Run>, &str>>()?;
        for run in needed.into_iter().chain(runs.iter().rfind(|run| run.thread == thread)) {
            clock.iter_mut().zip(&run.clock).for_each(|(own, other)| *own = (*own).max(*other));
        }
        clock[thread as usize] += 1;
        Ok(clock)
    }

    /// Takes the run of finer events that an event is.
    fn run<'e>(&self, event: &Event, thread: u32, rest: &'e [Fine<'s>]) -> Result<&'e [Fine<'s>], String> {
        let wrong = || "an event is none of its proof".to_owned();
        let site = |own: u32| self.sites[own as usize];
        let first = &rest[0];
        if first.event.site != site(event.site) || first.event.kind != event.kind {
            return Err(wrong());
        }
        let Some(until) = event.until else { return Ok(&rest[1..]) };
        let own: Vec<&Fine<'_>> = rest.iter().take_while(|fine| fine.id.1 == thread).collect();
        let is_last = |fine: &&Fine<'_>| fine.event.site == site(until.site);
        let last = own.iter().enumerate().filter(|(_, fine)| is_last(fine)).map(|(at, _)| at);
        let last = last.into_iter().nth(until.times as usize - 1).ok_or_else(wrong)?;
        let begins = |fine: &&Fine<'_>| {
            let known = self.sites.iter().position(|known| *known == fine.event.site);
            known.is_some_and(|known| self.coarser.begins(known as u32))
        };
        let passes = own[1..=last].iter().filter(|fine| begins(fine)).count();
        let plain = own[..=last].iter().all(|fine| fine.event.kind == schedule::Kind::Plain);
        if passes != until.passes as usize || !plain {
            return Err(wrong());
        }
        Ok(&rest[last + 1..])
    }
}

/// The events of a section, if each comes after the one before.
fn ordered(section: &Section, number: u32) -> Option<Vec<Fine<'_>>> {
    let total = section.lanes.iter().map(|lane| lane.events.len()).sum();
    let mut done = vec![0usize; section.lanes.len()];
    let mut found = Vec::new();
    while found.len() < total {
        let count = |thread: u32| {
            let lane = section.lanes.iter().position(|lane| lane.thread == thread);
            lane.map_or(0, |lane| done[lane])
        };
        let open = |event: &Event| event.after.iter().all(|need| count(need.thread) >= need.events as usize);
        let mut ready = (0..section.lanes.len())
            .filter(|lane| section.lanes[*lane].events.get(done[*lane]).is_some_and(&open));
        let lane = ready.next()?;
        if ready.next().is_some() {
            return None;
        }
        let event = &section.lanes[lane].events[done[lane]];
        found.push(Fine { id: (number, section.lanes[lane].thread, done[lane]), event });
        done[lane] += 1;
    }
    Some(found)
}
