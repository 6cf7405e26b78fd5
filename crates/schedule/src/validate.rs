//! What a schedule must be like for the runtime to make sense of it.

use std::collections::BTreeSet;

use crate::file::{Claim, Kind, Next, Schedule, Section};

/// No schedule has more threads than this: the runtime has tables of that size.
const MOST_THREADS: u32 = 1024;

/// Nor has it as many sections as this, nor a lane as many events: the runtime
/// counts them in so many bits.
const MOST: usize = 1 << 20;

/// How a schedule contradicts itself.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Invalid {
    #[error("the instruction {0} is listed twice")]
    TwoSites(ir::Site),
    #[error("section {0} does not exist")]
    NoSection(u32),
    #[error("site {0} does not exist")]
    NoSite(u32),
    #[error("section {section} has two lanes of thread {thread}")]
    TwoLanes { section: u32, thread: u32 },
    #[error("there are more than {MOST_THREADS} threads")]
    TooManyThreads,
    #[error("there are {MOST} sections or more, or as many events of a thread in one")]
    TooLarge,
    #[error("section {section}: an event of thread {thread} waits for what does not happen in the section")]
    Unmet { section: u32, thread: u32 },
    #[error("section {0}: its events wait for each other in a circle")]
    Cyclic(u32),
    #[error("section {section}: an event of thread {thread} that is more than one instruction never ends")]
    Endless { section: u32, thread: u32 },
    #[error("section {0}: two ways of a branching have the same guard")]
    Ambiguous(u32),
    #[error("section {0}: a guard is not where the branching thread goes on in the section that it leads to")]
    Guard(u32),
}

/// Looks for contradictions.
pub fn validate(schedule: &Schedule) -> Result<(), Invalid> {
    let sections = schedule.sections.len() as u32;
    let exists = |section: u32| (section < sections).then_some(()).ok_or(Invalid::NoSection(section));
    exists(schedule.start)?;
    sites(schedule)?;
    if schedule.threads() > MOST_THREADS {
        return Err(Invalid::TooManyThreads);
    }
    let lanes_of = |section: &Section| section.lanes.iter().any(|lane| lane.events.len() >= MOST);
    if schedule.sections.len() >= MOST || schedule.sections.iter().any(lanes_of) {
        return Err(Invalid::TooLarge);
    }
    for (section, number) in schedule.sections.iter().zip(0..) {
        lanes(schedule, section, number)?;
        let events: usize = section.lanes.iter().map(|lane| lane.events.len()).sum();
        if section.in_order().len() != events {
            return Err(Invalid::Cyclic(number));
        }
        match &section.next {
            Next::End | Next::Exit => {}
            Next::Section(next) => exists(*next)?,
            Next::Race { choices } => {
                choices.iter().try_for_each(|claim| exists(claim.section))?;
                let same = |i: usize| choices[..i].iter().any(|c| c.thread == choices[i].thread);
                if (0..choices.len()).any(same) {
                    return Err(Invalid::Ambiguous(number));
                }
                let goes_on = |claim: &Claim| {
                    let section = &schedule.sections[claim.section as usize];
                    section.events(claim.thread).first().map(|event| event.site)
                };
                if choices.iter().any(|claim| goes_on(claim) != Some(claim.comes_to)) {
                    return Err(Invalid::Guard(number));
                }
            }
            Next::Branch { thread, choices } => {
                choices.iter().try_for_each(|choice| exists(choice.section))?;
                let same = |i: usize| choices[..i].iter().any(|c| c.comes_to == choices[i].comes_to);
                if (0..choices.len()).any(same) {
                    return Err(Invalid::Ambiguous(number));
                }
                let goes_on = |section: u32| schedule.sections[section as usize].events(*thread).first();
                // The thread may have its first event in a later section.
                if choices
                    .iter()
                    .any(|c| goes_on(c.section).is_some_and(|event| Some(event.site) != c.comes_to))
                {
                    return Err(Invalid::Guard(number));
                }
            }
        }
    }
    Ok(())
}

/// Each instruction has one number, or none if it is left out.
fn sites(schedule: &Schedule) -> Result<(), Invalid> {
    let mut seen = BTreeSet::new();
    let all = schedule.sites.iter().chain(&schedule.omitted);
    match all.map(|place| &place.site).find(|site| !seen.insert((&site.function, site.ordinal))) {
        Some(site) => Err(Invalid::TwoSites(site.clone())),
        None => Ok(()),
    }
}

fn lanes(schedule: &Schedule, section: &Section, number: u32) -> Result<(), Invalid> {
    for (index, lane) in section.lanes.iter().enumerate() {
        let thread = lane.thread;
        if section.lanes[..index].iter().any(|other| other.thread == thread) {
            return Err(Invalid::TwoLanes { section: number, thread });
        }
        for event in &lane.events {
            if event.site as usize >= schedule.sites.len() {
                return Err(Invalid::NoSite(event.site));
            }
            if event.last() as usize >= schedule.sites.len() {
                return Err(Invalid::NoSite(event.last()));
            }
            if event.until.is_some_and(|until| until.times == 0 || event.kind != Kind::Plain) {
                return Err(Invalid::Endless { section: number, thread });
            }
            let met = |other: u32, events: u32| events as usize <= section.events(other).len();
            if event.after.iter().any(|need| need.thread == thread || !met(need.thread, need.events)) {
                return Err(Invalid::Unmet { section: number, thread });
            }
        }
    }
    Ok(())
}
