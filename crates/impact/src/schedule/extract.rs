//! From a product to sections: what the runtime enforces.
//!
//! Each view has one event. After it, threads run to where they stand next: each way is one
//! *outcome*, another view or the end of the process. Where outcomes differ, a thread that
//! stands elsewhere in them chooses: the runtime sees which site it comes to. Views that
//! follow each other without a choice are one section.

use std::collections::{BTreeMap, BTreeSet};

use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Choice, Event, Kind, Lane, Next, Requirement, Section, SiteId, Stand};

use crate::product::VertexId;
use crate::schedule::build::Built;
use crate::schedule::scheduler::{Scheduler, Turn, ViewId};

/// Sections with the sites of their events. The first one begins.
pub struct Extracted {
    /// The sites, by their number in events.
    pub sites: Vec<SiteId>,
    /// The sections.
    pub sections: Vec<Section>,
}

/// What can come after an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    View(ViewId),
    /// The process ends.
    Exit,
}

/// Makes sections of a product.
pub struct Extraction<'a, 'm> {
    scheduler: &'a Scheduler<'m>,
    /// After each view; after none, what comes first.
    outcomes: BTreeMap<Option<ViewId>, BTreeSet<Outcome>>,
    sites: Vec<SiteId>,
    numbers: FxHashMap<SiteId, u32>,
    sections: Vec<Section>,
    /// The section that begins with a view.
    begins: FxHashMap<ViewId, u32>,
    work: Vec<ViewId>,
}

/// Why there are no sections: what is to be done next depends on what cannot be observed.
pub enum Obscure {
    /// On whether a thread comes to this site, which should be an event.
    Site(SiteId),
    /// On something else.
    Other,
}

impl<'a, 'm> Extraction<'a, 'm> {
    /// For a product that a scheduler was asked for.
    pub fn new(built: &Built, scheduler: &'a Scheduler<'m>) -> Extraction<'a, 'm> {
        let (sites, numbers, sections, begins, work) = Default::default();
        Extraction { scheduler, outcomes: outcomes(built), sites, numbers, sections, begins, work }
    }

    /// The sections; the error says why there are none.
    pub fn sections(mut self) -> Result<Extracted, Obscure> {
        self.sections.push(Section { lanes: Vec::new(), next: Next::Exit });
        let first = self.after(None);
        self.sections[0].next = self.link(ThreadId(0), first)?;
        while let Some(view) = self.work.pop() {
            let (lanes, last) = self.chain(view)?;
            let (thread, ..) = self.event(last)?;
            let after = self.after(Some(last));
            let next = self.link(thread, after)?;
            self.sections[self.begins[&view] as usize] = Section { lanes, next };
        }
        self.hold_others();
        Ok(Extracted { sites: self.sites, sections: self.sections })
    }

    /// Lists the sites of events that do not happen any more, since the process ends before:
    /// threads are held there.
    fn hold_others(&mut self) {
        let views = self.outcomes.keys().flatten().copied();
        let stands: Vec<Stand> =
            views.flat_map(|view| self.scheduler.view(view).stands.iter().copied()).collect();
        for stand in stands {
            if let Stand::At(site) = stand
                && self.scheduler.is_listed(site)
            {
                self.site(site);
            }
        }
    }

    fn after(&self, view: Option<ViewId>) -> Vec<Outcome> {
        self.outcomes.get(&view).into_iter().flatten().copied().collect()
    }

    fn event(&self, view: ViewId) -> Result<(ThreadId, SiteId, Kind), Obscure> {
        self.scheduler.event(view).ok_or(Obscure::Other)
    }

    /// The events from a view on that follow each other without a choice, and the last view.
    fn chain(&mut self, first: ViewId) -> Result<(Vec<Lane>, ViewId), Obscure> {
        let mut lanes: Vec<Lane> = Vec::new();
        let mut previous: Option<Requirement> = None;
        let mut view = first;
        loop {
            let (thread, site, kind) = self.event(view)?;
            let site = self.site(site);
            let after = previous.filter(|before| before.thread != thread.0).into_iter().collect();
            let index = lanes.iter().position(|lane| lane.thread == thread.0).unwrap_or_else(|| {
                lanes.push(Lane { thread: thread.0, events: Vec::new() });
                lanes.len() - 1
            });
            lanes[index].events.push(Event { site, kind, after });
            previous = Some(Requirement { thread: thread.0, events: lanes[index].events.len() as u32 });
            match self.after(Some(view))[..] {
                [Outcome::View(next)] if self.follows_only(next) => view = next,
                _ => return Ok((lanes, view)),
            }
        }
    }

    /// Whether a view comes after one other only.
    fn follows_only(&self, view: ViewId) -> bool {
        let before = self.outcomes.values().filter(|after| after.contains(&Outcome::View(view)));
        before.count() == 1
    }

    fn site(&mut self, site: SiteId) -> u32 {
        let sites = &mut self.sites;
        *self.numbers.entry(site).or_insert_with(|| {
            sites.push(site);
            sites.len() as u32 - 1
        })
    }

    fn section(&mut self, outcome: Outcome) -> u32 {
        let next = self.sections.len() as u32;
        let section = match outcome {
            Outcome::Exit => return self.empty(Next::Exit),
            Outcome::View(view) => *self.begins.entry(view).or_insert(next),
        };
        if section == next {
            self.sections.push(Section { lanes: Vec::new(), next: Next::Exit });
            self.work.extend(match outcome {
                Outcome::View(view) => Some(view),
                Outcome::Exit => None,
            });
        }
        section
    }

    fn empty(&mut self, next: Next) -> u32 {
        self.sections.push(Section { lanes: Vec::new(), next });
        self.sections.len() as u32 - 1
    }

    /// The link to outcomes after an event of a thread.
    fn link(&mut self, mover: ThreadId, outcomes: Vec<Outcome>) -> Result<Next, Obscure> {
        match outcomes[..] {
            [] | [Outcome::Exit] => return Ok(Next::Exit),
            [Outcome::View(view)] => return Ok(Next::Section(self.section(Outcome::View(view)))),
            _ => {}
        }
        let stand = |outcome: &Outcome, thread: u32| match outcome {
            Outcome::Exit => (thread == mover.0).then_some(Stand::Ended),
            Outcome::View(view) => self.scheduler.view(*view).stands.get(thread as usize).copied(),
        };
        let threads = outcomes.iter().map(|outcome| match outcome {
            Outcome::Exit => 0,
            Outcome::View(view) => self.scheduler.view(*view).stands.len() as u32,
        });
        let threads = threads.max().unwrap_or(0);
        let differs = |thread: &u32| {
            outcomes.iter().map(|outcome| stand(outcome, *thread)).collect::<BTreeSet<_>>().len() > 1
        };
        let chooser = std::iter::once(mover.0).chain(0..threads).find(differs).ok_or(Obscure::Other)?;
        let mut ways: BTreeMap<Option<SiteId>, (Option<Stand>, Vec<Outcome>)> = BTreeMap::new();
        for outcome in &outcomes {
            let stand = stand(outcome, chooser);
            let comes_to = match stand {
                Some(Stand::At(site)) if !self.scheduler.is_listed(site) => return Err(Obscure::Site(site)),
                Some(Stand::At(site)) => Some(site),
                Some(Stand::Ended) => None,
                _ => return Err(Obscure::Other),
            };
            let (known, way) = ways.entry(comes_to).or_insert((stand, Vec::new()));
            if *known != stand {
                return Err(Obscure::Other);
            }
            way.push(*outcome);
        }
        let mut choices = Vec::new();
        for (comes_to, (_, way)) in ways {
            let comes_to = comes_to.map(|site| self.site(site));
            let section = match way[..] {
                [outcome] => self.section(outcome),
                _ => {
                    let next = self.link(ThreadId(chooser), way)?;
                    self.empty(next)
                }
            };
            choices.push(Choice { comes_to, section });
        }
        Ok(Next::Branch { thread: chooser, choices })
    }
}

/// What comes after each view, as far as the product tells.
fn outcomes(built: &Built) -> BTreeMap<Option<ViewId>, BTreeSet<Outcome>> {
    let mut found: BTreeMap<Option<ViewId>, BTreeSet<Outcome>> = BTreeMap::new();
    let mut starts: Vec<(Option<ViewId>, VertexId)> = vec![(None, 0)];
    for (at, scheduled) in built.scheduled.iter().enumerate() {
        if let Turn::Event(_, view) = scheduled.turn {
            starts.push((Some(view), at as VertexId));
        }
    }
    for (from, start) in starts {
        let after = found.entry(from).or_default();
        let (mut seen, mut work) = (FxHashSet::default(), vec![start]);
        while let Some(at) = work.pop() {
            let (scheduled, vertex) = (&built.scheduled[at as usize], &built.product.vertices[at as usize]);
            if let Turn::Event(_, view) = scheduled.turn
                && (at != start || from.is_none())
            {
                after.insert(Outcome::View(view));
                continue;
            }
            after.extend(scheduled.may_end.then_some(Outcome::Exit));
            let next = vertex.moves.iter().filter_map(|step| step.to);
            for to in next {
                // A vertex with an event may follow itself.
                match built.scheduled[to as usize].turn {
                    Turn::Event(_, view) => _ = after.insert(Outcome::View(view)),
                    _ if seen.insert(to) => work.push(to),
                    _ => {}
                }
            }
        }
    }
    found
}
