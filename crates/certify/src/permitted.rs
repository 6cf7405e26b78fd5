//! What a schedule permits in the states of a proof.
//!
//! Each vertex of the proof of a schedule has a *position* in the schedule: the section, and
//! how many of its events each thread has done. It is derived here from the steps that lead
//! to the vertex, as the runtime derives it from the events of the native program. Between
//! events threads run as far as they can, which no other thread can observe: an instruction that
//! others can observe must be part of an event.
//!
//! Where the schedule cannot be followed (the next event is another one than that at which
//! the thread stands, or the thread has to wait) no execution may come.

use ir::Instr;
use machine::{Machine, State, ThreadId, Touched};
use rustc_hash::FxHashMap;
use schedule::{Claim, Event, Kind, Native, Next, Schedule, Section, SiteId, Stand};

use crate::commuting::Extents;
use crate::graph::VertexId;
use crate::redundant::{Touches, Touching};

/// An event of a schedule: its section, its thread, and how many events of the thread come before
/// it in the section.
pub type EventId = (u32, u32, usize);

/// Who moves at a vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One of these threads, it does not matter which: to their next events.
    Run(Vec<ThreadId>),
    /// Any of these threads may execute its next event; each must be followed.
    Event(Vec<ThreadId>),
    /// No thread can, for this reason.
    Stuck(String),
}

/// How far a schedule was followed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Position {
    section: u32,
    /// How many events of the section each thread has done.
    done: Vec<usize>,
    /// The last event, until all threads have come to their next ones.
    event: Option<Running>,
    /// Why it cannot be followed any further.
    lost: Option<String>,
}

/// An event after which threads still run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Running {
    id: EventId,
    thread: ThreadId,
    site: SiteId,
    /// Whether the thread is still within it.
    inside: bool,
}

/// A schedule, and the positions of vertices in it.
pub struct Permitted<'a> {
    machine: &'a Machine,
    native: &'a Native,
    schedule: &'a Schedule,
    sites: FxHashMap<SiteId, u32>,
    positions: FxHashMap<VertexId, Position>,
    touches: Touches,
    extents: Extents<EventId>,
}

impl<'a> Permitted<'a> {
    /// A schedule of the program of a machine; none if it names a site that the program has
    /// not. Its events are single instructions.
    pub fn new(machine: &'a Machine, native: &'a Native, schedule: &'a Schedule) -> Option<Permitted<'a>> {
        let places = schedule.sites.iter().zip(0..);
        let number = |(place, index): (&schedule::Place, u32)| {
            Some((SiteId::of(machine.program(), &place.site)?, index))
        };
        let sites: FxHashMap<SiteId, u32> = places.map(number).collect::<Option<_>>()?;
        let done = vec![0; schedule.threads() as usize];
        let first = Position { section: schedule.start, done, event: None, lost: None };
        let unique = sites.len() == schedule.sites.len();
        let positions = [(0, first)].into_iter().collect();
        let events =
            schedule.sections.iter().flat_map(|section| &section.lanes).flat_map(|lane| &lane.events);
        let single = events.into_iter().all(|event| event.until.is_none()) && schedule.omitted.is_empty();
        let (touches, extents) = (Touches::default(), Extents::default());
        let valid = unique && single;
        valid.then_some(Permitted { machine, native, schedule, sites, positions, touches, extents })
    }

    /// Whether a thread goes no further by itself: it stands at an event, or waits as it does
    /// natively.
    fn is_settled(&self, state: &State, thread: ThreadId, stand: Stand) -> bool {
        let waits = || !self.machine.can_move(state, thread) && self.machine.keeper(state).is_none();
        match stand {
            Stand::Ended | Stand::Waiting(_) | Stand::AtBarrier => true,
            Stand::At(site) => self.sites.contains_key(&site) || waits(),
            Stand::Within(Some(site)) => !self.sites.contains_key(&site) && waits(),
            Stand::Within(None) => false,
        }
    }

    /// Who moves at a vertex. The error says what the schedule leaves open and must not.
    pub fn turn(&self, vertex: VertexId, state: &State) -> Result<Turn, String> {
        let position = self.positions.get(&vertex).ok_or("no step leads there")?;
        if let Some(lost) = &position.lost {
            return Ok(Turn::Stuck(lost.clone()));
        }
        let stands = self.native.stands(self.machine, state);
        let running = |thread: &ThreadId| !self.is_settled(state, *thread, stands[thread.0 as usize]);
        let running: Vec<ThreadId> = state.thread_ids().filter(running).collect();
        if running.is_empty() {
            return Ok(self.event(position, state, &stands));
        }
        let can_move = |thread: &ThreadId| self.machine.can_move(state, *thread);
        let mut movers: Vec<ThreadId> = running.into_iter().filter(can_move).collect();
        // The process ends only when all others have come as far as they can.
        if movers.len() > 1 {
            movers.retain(|thread| !self.leaves(state, *thread, stands[thread.0 as usize]));
        }
        for thread in &movers {
            self.is_hidden(position, state, *thread, stands[thread.0 as usize])?;
        }
        Ok(match movers.is_empty() {
            true => Turn::Stuck("a thread has to wait within an event".to_owned()),
            false => Turn::Run(movers),
        })
    }

    /// Notes what a step of a thread touches.
    pub fn note(&mut self, vertex: VertexId, state: &State, thread: ThreadId, touched: &[Touched]) {
        let stand = self.native.stand(self.machine, state, thread);
        let position = self.positions.get(&vertex);
        let event = position.and_then(|position| position.event);
        let is_own = |event: &Running| event.thread == thread;
        let inside = event.is_some_and(|event| is_own(&event) && event.inside);
        // Where no event is going on one begins.
        let after = event.filter(|_| !inside).map(|event| Some(event).filter(is_own).map(|own| own.site));
        let touching = Touching { state, thread, stand, touched, after };
        self.touches.note(self.machine, &touching);
        let begins = || position.filter(|_| self.is_settled(state, thread, stand));
        let id = event.map(|event| event.id).or_else(|| self.begun(begins()?, thread).ok());
        if let Some(id) = id {
            self.extents.note(self.machine, &touching, id);
        }
    }

    /// What the steps that were followed touch.
    pub fn touches(&self) -> &Touches {
        &self.touches
    }

    /// The same by events.
    pub fn extents(&self) -> &Extents<EventId> {
        &self.extents
    }

    /// The event that a thread begins with at a position: of this section, or the first of the
    /// one that begins if the thread comes first.
    fn begun(&self, position: &Position, thread: ThreadId) -> Result<EventId, String> {
        let section = &self.schedule.sections[position.section as usize];
        let done = position.done.get(thread.0 as usize);
        let done = *done.ok_or("a thread comes to an event that has none in the schedule")?;
        if is_complete(section, &position.done)
            && let Next::Race { choices } = &section.next
        {
            let claim = choices.iter().find(|claim| claim.thread == thread.0);
            return Ok((claim.ok_or("a thread comes first that may not")?.section, thread.0, 0));
        }
        Ok((position.section, thread.0, done))
    }

    /// Whether a thread ends the process, outside of the program's own code.
    fn leaves(&self, state: &State, thread: ThreadId, stand: Stand) -> bool {
        let exits = matches!(self.machine.next_instruction(state, thread), Some(Instr::Exit { .. }));
        exits && stand == Stand::Within(None)
    }

    /// Shows that no other thread can observe what a thread does between its events.
    fn is_hidden(&self, at: &Position, state: &State, thread: ThreadId, stand: Stand) -> Result<(), String> {
        let inside = at.event.is_some_and(|event| {
            let own = stand == Stand::Within(Some(event.site));
            event.thread == thread && event.inside && (own || self.machine.is_in_section(state, thread))
        });
        if self.machine.waiting(state, thread).is_some() {
            let at = self.machine.position(state, thread);
            return Err(format!("{thread} waits within a library function at {at}"));
        }
        if inside || !self.machine.is_observable(state, thread) || self.leaves(state, thread, stand) {
            return Ok(());
        }
        let at = self.machine.position(state, thread);
        Err(format!("others can observe what {thread} does at {at}, which is no event"))
    }

    /// The events that are permitted where all threads stand: one, or the first of each thread
    /// that may come first.
    fn event(&self, position: &Position, state: &State, stands: &[Stand]) -> Turn {
        let section = &self.schedule.sections[position.section as usize];
        let ready = |thread: u32, event: &Event| self.is_ready((thread, event), state, stands);
        if is_complete(section, &position.done)
            && let Next::Race { choices } = &section.next
        {
            let first = |claim: &Claim| {
                let next = &self.schedule.sections[claim.section as usize];
                let (_, event) = only_event(next, &vec![0; position.done.len()])
                    .filter(|(thread, _)| *thread == claim.thread)
                    .ok_or("a thread that comes first has not the first event")?;
                ready(claim.thread, event)
            };
            return match choices.iter().map(first).collect::<Result<Vec<ThreadId>, &str>>() {
                Ok(threads) if !threads.is_empty() => Turn::Event(threads),
                Ok(_) => Turn::Stuck("the schedule permits no thread to come first".to_owned()),
                Err(why) => Turn::Stuck(why.to_owned()),
            };
        }
        let Some((thread, event)) = only_event(section, &position.done) else {
            return Turn::Stuck("the schedule does not permit one event only".to_owned());
        };
        match ready(thread, event) {
            Ok(thread) => Turn::Event(vec![thread]),
            Err(why) => Turn::Stuck(why.to_owned()),
        }
    }

    /// Shows that a thread stands at an event and can execute it.
    fn is_ready(
        &self,
        (thread, event): (u32, &Event),
        state: &State,
        stands: &[Stand],
    ) -> Result<ThreadId, &'static str> {
        let at = match stands.get(thread as usize) {
            Some(Stand::At(site)) => (Some(*site), self.native.kind(self.machine.program(), *site)),
            Some(Stand::Waiting(site)) => (Some(*site), Kind::WaitEnds),
            _ => (None, Kind::Plain),
        };
        let known = at.0.and_then(|site| self.sites.get(&site));
        if known != Some(&event.site) || at.1 != event.kind {
            return Err("another instruction is next");
        }
        let thread = ThreadId(thread);
        let moves = self.machine.can_move(state, thread);
        if moves { Ok(thread) } else { Err("a thread whose turn it is has to wait") }
    }

    /// Follows a step of a thread from one vertex to another. The error says that executions
    /// come there at different positions.
    pub fn follow(
        &mut self,
        (from, to): (VertexId, VertexId),
        turn: &Turn,
        thread: ThreadId,
        (before, after): (&State, &State),
    ) -> Result<(), String> {
        let mut position = self.positions[&from].clone();
        if let Turn::Event(_) = turn {
            let site = match self.native.stand(self.machine, before, thread) {
                Stand::At(site) | Stand::Waiting(site) => site,
                stand => return Err(format!("no event begins where a thread stands {stand:?}")),
            };
            let id = self.begun(&position, thread)?;
            // Where the section is complete, the first thread that comes goes on to the next one.
            if is_complete(&self.schedule.sections[position.section as usize], &position.done) {
                position.section = id.0;
                position.done.fill(0);
            }
            position.done[thread.0 as usize] += 1;
            position.event = Some(Running { id, thread, site, inside: true });
        }
        let stands = self.native.stands(self.machine, after);
        if let Some(event) = &mut position.event {
            event.inside &= matches!(stands.get(event.thread.0 as usize), Some(Stand::Within(_)));
        }
        self.note_waiting(&position, after, &stands);
        if after.thread_ids().all(|thread| self.is_settled(after, thread, stands[thread.0 as usize])) {
            position.event = None;
            self.advance(&mut position, &stands);
        }
        match self.positions.get(&to) {
            Some(known) if *known != position => {
                Err("executions come there that the schedule tells apart".to_owned())
            }
            Some(_) => Ok(()),
            None => {
                self.positions.insert(to, position);
                Ok(())
            }
        }
    }

    /// Notes what threads wait for that are not held by the schedule.
    fn note_waiting(&mut self, position: &Position, state: &State, stands: &[Stand]) {
        for thread in state.thread_ids() {
            let free = |site| !self.sites.contains_key(site) && !self.machine.can_move(state, thread);
            let waits = matches!(&stands[thread.0 as usize], Stand::At(site) if free(site));
            if let Some(place) = self.machine.awaited(state, thread).filter(|_| waits) {
                self.touches.waits(self.machine, state, place);
                position.event.into_iter().for_each(|event| self.extents.hold(event.id));
            }
        }
    }

    /// Goes to the next section while the current one is complete.
    fn advance(&self, position: &mut Position, stands: &[Stand]) {
        for _ in 0..=self.schedule.sections.len() {
            let section = &self.schedule.sections[position.section as usize];
            if !is_complete(section, &position.done) {
                return;
            }
            let next = match &section.next {
                Next::End | Next::Exit | Next::Race { .. } => return,
                Next::Section(next) => Some(*next),
                Next::Branch { thread, choices } => {
                    let comes_to = match stands.get(*thread as usize) {
                        Some(Stand::At(site)) => Some(self.sites.get(site).copied()),
                        Some(Stand::Ended) => Some(None),
                        _ => None,
                    };
                    let way = choices.iter().find(|choice| comes_to == Some(choice.comes_to));
                    way.map(|choice| choice.section)
                }
            };
            let Some(next) = next else {
                position.lost = Some("a branching goes a way that the schedule does not know".to_owned());
                return;
            };
            position.section = next;
            position.done.fill(0);
        }
        position.lost = Some("sections without events follow each other for ever".to_owned());
    }
}

fn is_complete(section: &Section, done: &[usize]) -> bool {
    section.lanes.iter().all(|lane| done[lane.thread as usize] >= lane.events.len())
}

/// The event that comes next in a section, if there is one only, and its thread.
fn only_event<'s>(section: &'s Section, done: &[usize]) -> Option<(u32, &'s Event)> {
    let open =
        |event: &Event| event.after.iter().all(|need| done[need.thread as usize] >= need.events as usize);
    let mut next = section.lanes.iter().filter_map(|lane| {
        let event = lane.events.get(done[lane.thread as usize])?;
        open(event).then_some((lane.thread, event))
    });
    let first = next.next()?;
    next.next().is_none().then_some(first)
}
