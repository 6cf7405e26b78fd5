//! From a product to sections: what the runtime enforces.
//!
//! Each view has one event for each thread that may move there; the first that comes to it
//! goes on. After it, threads run to where they stand next: each way is one
//! *outcome*, another view or the end of the process. Where outcomes differ, a thread that
//! stands elsewhere in them chooses: the runtime sees which site it comes to. Views that
//! follow each other without a choice are one section. The coarser form of a schedule orders only
//! those events of a section that depend on each other.

use std::collections::{BTreeMap, BTreeSet};

use certify::Extents;
use machine::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::{Choice, Claim, Event, Kind, Lane, Next, Requirement, Section, SiteId, Stand, Until};

use crate::product::{Move, VertexId};
use crate::schedule::Coarse;
use crate::schedule::build::Built;
use crate::schedule::scheduler::{Decision, Scheduler, Turn, ViewId};

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

/// An event that is one instruction.
struct Single {
    decision: Decision,
    thread: u32,
    site: SiteId,
    kind: Kind,
    /// Whether much is done between it and the next one.
    is_far: bool,
}

/// With more steps than this between two events, other threads may go on in between.
const FAR: usize = 100;

/// Lanes of events that are given one after the other.
#[derive(Default)]
struct Lanes {
    lanes: Vec<Lane>,
    /// What each event is in its lane, and what has happened by threads when it is over.
    before: Vec<(Requirement, BTreeMap<u32, u32>)>,
}

impl Lanes {
    /// Adds an event, which comes after those before it on which it depends. Those that others
    /// imply are not named. Yields whether some are.
    fn push(&mut self, thread: u32, mut event: Event, depends: impl Fn(usize) -> bool) -> bool {
        let own = self.before.iter().rfind(|(own, _)| own.thread == thread);
        let mut clock = own.map(|(_, clock)| clock.clone()).unwrap_or_default();
        for (index, (earlier, known)) in self.before.iter().enumerate().rev() {
            let is_known = clock.get(&earlier.thread).is_some_and(|events| *events >= earlier.events);
            if !is_known && depends(index) {
                event.after.push(*earlier);
                known.iter().for_each(|(thread, events)| {
                    let entry = clock.entry(*thread).or_default();
                    *entry = (*events).max(*entry);
                });
            }
        }
        let waits = !event.after.is_empty();
        let index = self.lanes.iter().position(|lane| lane.thread == thread).unwrap_or_else(|| {
            self.lanes.push(Lane { thread, events: Vec::new() });
            self.lanes.len() - 1
        });
        self.lanes[index].events.push(event);
        let events = self.lanes[index].events.len() as u32;
        clock.insert(thread, events);
        self.before.push((Requirement { thread, events }, clock));
        waits
    }
}

/// The coarser form of a schedule: events that follow each other in one thread are one, and those
/// at operations that are redundant are left out.
pub fn coarse(built: &Built, scheduler: &Scheduler<'_>, fine: &Extracted) -> Option<Coarse> {
    let chosen = fine.sections.iter().flat_map(|section| match &section.next {
        Next::End | Next::Exit | Next::Section(_) => Vec::new(),
        Next::Race { choices } => choices.iter().map(|claim| claim.comes_to).collect(),
        Next::Branch { choices, .. } => choices.iter().filter_map(|choice| choice.comes_to).collect(),
    });
    let seen: BTreeSet<SiteId> = chosen.map(|site| fine.sites[site as usize]).collect();
    let omitted = built.touches.redundant(scheduler.program(), &seen);
    let lanes = fine.sections.iter().flat_map(|section| &section.lanes);
    let executed = lanes.flat_map(|lane| &lane.events).map(|event| fine.sites[event.site as usize]).collect();
    let mut extraction = Extraction::new(built, scheduler);
    let extents = &built.extents;
    extraction.pieces = Some(Pieces { omitted: omitted.clone(), executed, extents, found: Vec::new() });
    let Extracted { sites, sections } = extraction.sections().ok()?;
    Some(Coarse { sites, sections, omitted: omitted.into_iter().collect() })
}

/// Events of several instructions.
struct Pieces<'a> {
    /// What events touch.
    extents: &'a Extents<Decision>,
    /// The sites of operations that are left out.
    omitted: BTreeSet<SiteId>,
    /// The sites that have events at all.
    executed: FxHashSet<SiteId>,
    /// The pieces of each section, in their order.
    found: Vec<(u32, Vec<Piece>)>,
}

/// Events of a thread that follow each other.
struct Piece {
    thread: u32,
    kind: Kind,
    sites: Vec<SiteId>,
    events: Vec<Decision>,
    /// Whether much is done between it and the one before.
    is_far: bool,
}

impl Pieces<'_> {
    fn all(&self) -> impl Iterator<Item = &Piece> {
        self.found.iter().flat_map(|(_, pieces)| pieces)
    }

    /// Puts the events of a section together. Lanes are made when all sites are known.
    fn lanes(&mut self, section: u32, events: &[Single]) -> Vec<Lane> {
        let (mut pieces, mut is_far): (Vec<Piece>, bool) = (Vec::new(), true);
        for Single { decision, thread, site, kind, is_far: then } in events {
            if !self.omitted.contains(site) {
                let (sites, events) = (vec![*site], vec![*decision]);
                pieces.push(Piece { thread: *thread, kind: *kind, sites, events, is_far });
                is_far = false;
            }
            is_far |= then;
        }
        // Where others wait for more at once, less is still to be waited for.
        loop {
            let (before, together) = (pieces.len(), self.together(pieces));
            pieces = together;
            if pieces.len() == before {
                break;
            }
        }
        self.found.push((section, pieces));
        Vec::new()
    }

    /// Puts events together that follow each other in one thread, if the later one has not to wait
    /// for others.
    fn together(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let dependences = self.extents.dependences(pieces.iter().map(|piece| &piece.events[..]));
        let (mut lanes, mut found) = (Lanes::default(), Vec::<Piece>::new());
        for (number, piece) in pieces.into_iter().enumerate() {
            let event = Event { site: 0, kind: piece.kind, until: None, after: Vec::new() };
            let waits = lanes.push(piece.thread, event, |earlier| dependences.has(earlier, number));
            match found.last_mut().filter(|last| !waits && last.goes_on_with(&piece)) {
                Some(last) => {
                    last.sites.extend(piece.sites);
                    last.events.extend(piece.events);
                }
                None => found.push(piece),
            }
        }
        found
    }
}

impl Piece {
    /// Whether it may be one event with another one that comes next.
    fn goes_on_with(&self, next: &Piece) -> bool {
        let plain = self.kind == Kind::Plain && next.kind == Kind::Plain;
        self.thread == next.thread && plain && !next.is_far
    }
}

/// Makes sections of a product.
pub struct Extraction<'a, 'm> {
    scheduler: &'a Scheduler<'m>,
    /// How many threads there are at most.
    threads: usize,
    /// The sites of events at which threads stand when the process ends, or an assumption fails.
    held: &'a BTreeSet<SiteId>,
    /// After each event; after none, what comes first.
    outcomes: BTreeMap<Option<Decision>, BTreeSet<Outcome>>,
    sites: Vec<SiteId>,
    numbers: FxHashMap<SiteId, u32>,
    sections: Vec<Section>,
    /// The section that begins with an event.
    begins: FxHashMap<Decision, u32>,
    /// What is between an event and the next ones, in steps.
    distances: BTreeMap<Option<Decision>, usize>,
    /// How events are put together, if they are.
    pieces: Option<Pieces<'a>>,
    /// The section after which one of several threads comes first.
    races: FxHashMap<ViewId, u32>,
    work: Vec<Decision>,
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
    pub fn new(built: &'a Built, scheduler: &'a Scheduler<'m>) -> Extraction<'a, 'm> {
        let (sites, numbers, sections, begins, races, work) = Default::default();
        let threads = built.threads;
        let (outcomes, distances) = outcomes(built);
        Extraction {
            scheduler,
            threads,
            held: &built.held,
            outcomes,
            distances,
            pieces: None,
            sites,
            numbers,
            sections,
            begins,
            races,
            work,
        }
    }

    /// The sections; the error says why there are none.
    pub fn sections(mut self) -> Result<Extracted, Obscure> {
        self.sections.push(Section { lanes: Vec::new(), next: Next::Exit });
        let first = self.after(None);
        self.sections[0].next = self.link(ThreadId(0), first)?;
        while let Some(first) = self.work.pop() {
            let (events, last) = self.chain(first)?;
            let after = self.after(Some(last));
            let next = self.link(last.1, after)?;
            let section = self.begins[&first];
            let lanes = match &mut self.pieces {
                Some(pieces) => pieces.lanes(section, &events),
                None => self.lanes(&events),
            };
            self.sections[section as usize] = Section { lanes, next };
        }
        self.hold_others();
        self.number_pieces();
        Ok(Extracted { sites: self.sites, sections: self.sections })
    }

    /// Lists the sites of events that do not happen any more, since the process ends before, and
    /// the threads without events: they are held there.
    fn hold_others(&mut self) {
        let views: Vec<ViewId> = self.outcomes.keys().flatten().map(|(view, _)| *view).collect();
        let at_the_end = self.held.iter().map(|site| Stand::At(*site));
        let lane = |thread: usize| Lane { thread: thread as u32, events: Vec::new() };
        self.sections[0].lanes = (0..self.threads).map(lane).collect();
        let stands: Vec<Stand> = views
            .iter()
            .flat_map(|view| self.scheduler.view(*view).stands.iter().copied())
            .chain(at_the_end)
            .collect();
        for stand in stands {
            let has_events = |site: &SiteId| self.pieces.as_ref().is_some_and(|p| p.executed.contains(site));
            if let Stand::At(site) = stand
                && self.scheduler.is_listed(site)
                && !has_events(&site)
            {
                self.site(site);
            }
        }
    }

    fn after(&self, event: Option<Decision>) -> Vec<Outcome> {
        self.outcomes.get(&event).into_iter().flatten().copied().collect()
    }

    /// The events from one on that follow each other without a choice, and the last of them.
    fn chain(&mut self, first: Decision) -> Result<(Vec<Single>, Decision), Obscure> {
        let mut events = Vec::new();
        let mut at = first;
        loop {
            let (view, thread) = at;
            let (site, kind) = self.scheduler.event(view, thread).ok_or(Obscure::Other)?;
            let is_far = self.distances.get(&Some(at)).is_some_and(|steps| *steps > FAR);
            events.push(Single { decision: at, thread: thread.0, site, kind, is_far });
            match self.after(Some(at))[..] {
                [Outcome::View(next)] if self.follows_only(next) => {
                    at = (next, self.scheduler.permitted(next)[0]);
                }
                _ => return Ok((events, at)),
            }
        }
    }

    /// One event after the other.
    fn lanes(&mut self, events: &[Single]) -> Vec<Lane> {
        let mut lanes = Lanes::default();
        for single in events {
            let site = self.site(single.site);
            let event = Event { site, kind: single.kind, until: None, after: Vec::new() };
            lanes.push(single.thread, event, |_| true);
        }
        lanes.lanes
    }

    /// Gives the sites of pieces their numbers.
    fn number_pieces(&mut self) {
        let Some(pieces) = self.pieces.take() else { return };
        let mut begins: FxHashSet<SiteId> = pieces.all().map(|piece| piece.sites[0]).collect();
        begins.extend(self.sites.iter().copied());
        for (section, list) in &pieces.found {
            let mut lanes = Lanes::default();
            let dependences = pieces.extents.dependences(list.iter().map(|piece| &piece.events[..]));
            for (number, piece) in list.iter().enumerate() {
                let last = piece.sites[piece.sites.len() - 1];
                let until = (piece.sites.len() > 1).then(|| Until {
                    site: self.site(last),
                    times: piece.sites.iter().filter(|site| **site == last).count() as u32,
                    passes: piece.sites[1..].iter().filter(|site| begins.contains(site)).count() as u32,
                });
                let event =
                    Event { site: self.site(piece.sites[0]), kind: piece.kind, until, after: Vec::new() };
                lanes.push(piece.thread, event, |earlier| dependences.has(earlier, number));
            }
            self.sections[*section as usize].lanes = lanes.lanes;
        }
    }

    /// Whether a view comes after one event only, and has one only.
    fn follows_only(&self, view: ViewId) -> bool {
        let before = self.outcomes.values().filter(|after| after.contains(&Outcome::View(view)));
        self.scheduler.permitted(view).len() == 1 && before.count() == 1
    }

    fn site(&mut self, site: SiteId) -> u32 {
        let sites = &mut self.sites;
        *self.numbers.entry(site).or_insert_with(|| {
            sites.push(site);
            sites.len() as u32 - 1
        })
    }

    /// The section of an outcome.
    fn section(&mut self, outcome: Outcome) -> Result<u32, Obscure> {
        let Outcome::View(view) = outcome else { return Ok(self.empty(Next::Exit)) };
        let permitted = self.scheduler.permitted(view).to_vec();
        if let [thread] = permitted[..] {
            return Ok(self.begin((view, thread)));
        }
        if let Some(race) = self.races.get(&view) {
            return Ok(*race);
        }
        let race = self.empty(Next::Exit);
        self.races.insert(view, race);
        let mut choices = Vec::new();
        for thread in permitted {
            let (site, _) = self.scheduler.event(view, thread).ok_or(Obscure::Other)?;
            let (comes_to, section) = (self.site(site), self.begin((view, thread)));
            choices.push(Claim { thread: thread.0, comes_to, section });
        }
        self.sections[race as usize].next = Next::Race { choices };
        Ok(race)
    }

    /// The section that begins with an event.
    fn begin(&mut self, event: Decision) -> u32 {
        if let Some(section) = self.begins.get(&event) {
            return *section;
        }
        let section = self.empty(Next::Exit);
        self.begins.insert(event, section);
        self.work.push(event);
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
            [outcome] => return Ok(Next::Section(self.section(outcome)?)),
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
                [outcome] => self.section(outcome)?,
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

/// What comes after each event, as far as the product tells.
#[allow(clippy::type_complexity)]
fn outcomes(
    built: &Built,
) -> (BTreeMap<Option<Decision>, BTreeSet<Outcome>>, BTreeMap<Option<Decision>, usize>) {
    let mut found: BTreeMap<Option<Decision>, BTreeSet<Outcome>> = BTreeMap::new();
    let mut distances: BTreeMap<Option<Decision>, usize> = BTreeMap::new();
    follow(built, vec![0], None, found.entry(None).or_default());
    for (at, scheduled) in built.scheduled.iter().enumerate() {
        let Turn::Event(threads, view) = &scheduled.turn else { continue };
        for thread in threads {
            let after = found.entry(Some((*view, *thread))).or_default();
            let steps = follow(built, vec![at as VertexId], Some(*thread), after);
            let distance = distances.entry(Some((*view, *thread))).or_default();
            *distance = steps.max(*distance);
        }
    }
    (found, distances)
}

/// Follows steps to the next events: from the first vertex those of a thread, if one is named. Yields
/// how many vertices are between.
fn follow(
    built: &Built,
    mut work: Vec<VertexId>,
    mover: Option<ThreadId>,
    after: &mut BTreeSet<Outcome>,
) -> usize {
    let (mut seen, mut first) = (FxHashSet::default(), mover);
    while let Some(at) = work.pop() {
        let (scheduled, vertex) = (&built.scheduled[at as usize], &built.product.vertices[at as usize]);
        after.extend(scheduled.may_end.then_some(Outcome::Exit));
        let mover = first.take();
        let by_mover = |step: &&Move| {
            let thread = step.edge.steps.first().map(|(thread, _)| *thread);
            mover.is_none() || thread == mover
        };
        for to in vertex.moves.iter().filter(by_mover).filter_map(|step| step.to) {
            match built.scheduled[to as usize].turn {
                Turn::Event(_, view) => _ = after.insert(Outcome::View(view)),
                _ if seen.insert(to) => work.push(to),
                _ => {}
            }
        }
    }
    seen.len()
}
