//! Whether a schedule permits no more than another one, whose events are single instructions and
//! which orders all of them one after the other.
//!
//! It has the same sections. In each, every event is a run of the other schedule's events that
//! follow each other and are one thread's, and each comes after the one before. So the native
//! program makes the same accesses in the same order. Operations that are left out are no events
//! of it ([`crate::redundant`]).

use std::collections::BTreeSet;

use schedule::{Event, Next, Place, Schedule, Section};

/// An event of the finer schedule, and its thread.
struct Fine<'s> {
    thread: u32,
    event: &'s Event,
}

/// Shows that a schedule is as narrow as a finer one.
pub fn check(finer: &Schedule, coarser: &Schedule) -> Result<(), String> {
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

    fn check(&self) -> Result<(), String> {
        let (finer, coarser) = (self.finer, self.coarser);
        if finer.start != coarser.start || finer.sections.len() != coarser.sections.len() {
            return Err("it has other sections than its proof".to_owned());
        }
        if finer.threads() != coarser.threads() || finer.program != coarser.program {
            return Err("it has other threads than its proof".to_owned());
        }
        self.lists_all_others()?;
        for (own, other) in coarser.sections.iter().zip(&finer.sections) {
            if self.translated(&own.next) != other.next {
                return Err("sections follow each other in another way than in its proof".to_owned());
            }
            self.section(own, other)?;
        }
        Ok(())
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

    /// Shows that the events of a section are runs of those of the finer one, in the same order.
    fn section(&self, own: &Section, finer: &Section) -> Result<(), String> {
        let mut events = ordered(finer).ok_or("the proof's schedule does not order all events")?;
        events.retain(|fine| !self.omitted.contains(&fine.event.site));
        let mut rest = &events[..];
        let mut done = vec![0usize; self.coarser.threads() as usize];
        let mut previous: Option<(u32, usize)> = None;
        while let Some(first) = rest.first() {
            let lane = own.events(first.thread);
            let event = lane.get(done[first.thread as usize]).ok_or("an event of the proof is missing")?;
            let (thread, before) = (first.thread, previous.filter(|(other, _)| *other != first.thread));
            let ordered = before.is_none_or(|(other, count)| {
                event.after.iter().any(|need| need.thread == other && need.events as usize >= count)
            });
            if !ordered {
                return Err("two events are not ordered".to_owned());
            }
            rest = self.run(event, thread, rest)?;
            done[thread as usize] += 1;
            previous = Some((thread, done[thread as usize]));
        }
        let complete = own.lanes.iter().all(|lane| lane.events.len() == done[lane.thread as usize]);
        if complete { Ok(()) } else { Err("it has an event that its proof has not".to_owned()) }
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
        let own: Vec<&Fine<'_>> = rest.iter().take_while(|fine| fine.thread == thread).collect();
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
fn ordered(section: &Section) -> Option<Vec<Fine<'_>>> {
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
        found.push(Fine { thread: section.lanes[lane].thread, event });
        done[lane] += 1;
    }
    Some(found)
}
