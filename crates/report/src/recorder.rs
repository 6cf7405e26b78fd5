//! Records an [`Interleaving`] while a trace is replayed.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{FuncId, Location, Pc, SyncOp};
use machine::{Event, Fault, FaultKind, Machine, Observer, Phase, Place, RaceAccess, ThreadId, Wait};
use trace::{Divergence, Follow, Replayed, Stepped, Trace};

use crate::calls::Calls;
use crate::effect::{Effect, Places};
use crate::events::Telling;
use crate::interleaving::{Interleaving, Lane, Line, Locals, Role, Switch};
use crate::message::{awaited, message};

/// Loops of up to this many lines are told once.
const LONGEST_LOOP: usize = 6;

/// Replays the trace to its fault and tells what happens on the way.
pub fn record(
    machine: &Machine,
    trace: &Trace,
    fault: &Fault,
) -> Result<(Interleaving, Replayed), Divergence> {
    let mut recorder = Recorder::new();
    recorder.cycle = match fault.kind {
        FaultKind::Livelock { start, .. } => Some(start),
        FaultKind::Formula { start, .. } => start,
        _ => None,
    };
    let replayed = trace::replay(machine, trace, fault, &mut recorder)?;
    Ok((recorder.finish(&replayed.fault), replayed))
}

/// A line that is an access to memory.
struct Access {
    line: usize,
    /// The calls that led to it.
    calls: Vec<Location>,
    /// Where exactly it is, if that is in a library; a read and a write may be one line.
    exactly: Vec<Location>,
    /// Whether it frees the memory.
    frees: bool,
    /// The bytes that it touches, unless it frees them all.
    bytes: Option<Place>,
}

impl Access {
    fn overlaps(&self, other: &Access) -> bool {
        let (Some(ours), Some(theirs)) = (self.bytes, other.bytes) else { return self.frees || other.frees };
        ours.object == theirs.object
            && ours.offset < theirs.offset + theirs.len
            && theirs.offset < ours.offset + ours.len
    }
}

struct Recorder {
    /// The events of the step that is being taken. They are told after it:
    /// names need a state.
    pending: Vec<(FuncId, Pc, Event)>,
    told: Interleaving,
    lanes: BTreeMap<ThreadId, String>,
    running: ThreadId,
    /// The step that begins what goes on for ever.
    cycle: Option<usize>,
    /// Whether it has begun, and no line says so yet.
    begins: bool,
    /// The thread that has the processor if starting a thread takes it there.
    holder: ThreadId,
    /// The switch since the last line, if there was one.
    switch: Option<Switch>,
    /// Whether the running thread has a line since it was switched to.
    silent: bool,
    /// The last line, if it is a read that a write of the same place may absorb.
    last_read: Option<Place>,
    /// How many lines there were before the last step.
    before: usize,
    /// The lines that are accesses to memory.
    accesses: Vec<Access>,
    /// Whether the running thread waits on a condition or barrier. It could
    /// wake spuriously, but switching away from it is no preemption.
    parked: bool,
    /// The threads that wait on a condition, and whether it was signalled since.
    asleep: BTreeMap<ThreadId, (Place, bool)>,
    /// What the lines are about.
    places: Places,
    /// The local variables of each thread as its lines told them last.
    locals: BTreeMap<ThreadId, Arc<Locals>>,
}

impl Observer for Recorder {
    fn event(&mut self, _: ThreadId, function: FuncId, pc: Pc, event: Event) {
        self.pending.push((function, pc, event));
    }
}

impl Follow for Recorder {
    fn stepped(&mut self, stepped: &Stepped<'_>) {
        let thread = stepped.step.thread();
        self.before = self.told.lines.len();
        if !stepped.step.mover.is_thread() {
            return self.flushed(stepped);
        }
        self.count_starts(stepped);
        self.begins |= self.cycle == Some(stepped.index);
        if thread != self.running {
            self.switch_to(thread, stepped);
        }
        if !self.lanes.contains_key(&thread) {
            self.enter(thread, stepped);
        }
        let mut at = stepped.step.at.clone();
        let mut ended = stepped.result.end.is_some();
        let pending = std::mem::take(&mut self.pending);
        let mutex = pending.iter().find_map(|(_, _, event)| match event {
            Event::Also { object } => Some(*object),
            _ => None,
        });
        let mut calls = Calls::before(stepped, pending.iter().map(|(function, ..)| *function));
        for (function, pc, event) in pending {
            calls.note(event);
            // A step may try the program's end and leave it to the next one.
            if matches!(event, Event::ProcessEnd { .. }) && stepped.result.end.is_none() {
                continue;
            }
            at = own_location(stepped, function, pc, event).unwrap_or(at);
            ended |= matches!(event, Event::ThreadEnd | Event::ProcessEnd { .. });
            if let Event::Sync { phase, .. } = event {
                self.parked = phase == Phase::Begin;
            }
            let inside = calls.library_call(stepped.machine.program(), function);
            self.tell(&Telling { stepped, function, pc, inside }, &at, event, mutex);
        }
        if !ended
            && !self.parked
            && let Some(wait) = stepped.machine.waits_for(stepped.after, thread)
        {
            self.push(thread, wait.at.clone(), wait_text(&wait), Role::Plain);
            self.last_read = None;
        }
        self.tell_locals(stepped);
    }
}

impl Recorder {
    fn new() -> Recorder {
        Recorder {
            pending: Vec::new(),
            told: Interleaving::default(),
            lanes: BTreeMap::from([(ThreadId(0), "main".to_owned())]),
            running: ThreadId(0),
            cycle: None,
            begins: false,
            holder: ThreadId(0),
            switch: None,
            silent: true,
            last_read: None,
            before: 0,
            accesses: Vec::new(),
            parked: false,
            asleep: BTreeMap::new(),
            places: Places::default(),
            locals: BTreeMap::new(),
        }
    }

    /// Tells that a store leaves its thread's buffer, which is no context switch.
    fn flushed(&mut self, stepped: &Stepped<'_>) {
        let at = stepped.step.at.clone();
        for (function, pc, event) in std::mem::take(&mut self.pending) {
            let at = own_location(stepped, function, pc, event).unwrap_or_else(|| at.clone());
            self.tell(&Telling { stepped, function, pc, inside: None }, &at, event, None);
        }
        self.last_read = None;
    }

    fn switch_to(&mut self, thread: ThreadId, stepped: &Stepped<'_>) {
        let from = self.running;
        let could_run = !self.parked && stepped.machine.runnable(stepped.before).contains(&from);
        if self.silent && could_run {
            // So that every switch that is counted is also seen.
            self.push(from, stepped.machine.position(stepped.before, from), "runs".to_owned(), Role::Plain);
        }
        self.told.shown_switches += 1;
        self.told.preemptions += usize::from(could_run);
        self.switch = Some(Switch { number: self.told.shown_switches, from, preemption: could_run });
        (self.running, self.silent, self.parked, self.last_read) = (thread, true, false, None);
    }

    fn count_starts(&mut self, stepped: &Stepped<'_>) {
        let thread = stepped.step.thread();
        let started = stepped.machine.started(stepped.before, stepped.after);
        self.told.context_switches += usize::from(thread != self.holder) + usize::from(started.is_some());
        self.holder = started.unwrap_or(thread);
    }

    fn enter(&mut self, thread: ThreadId, stepped: &Stepped<'_>) {
        let at = stepped.step.at.clone();
        // A thread that starts in a library shows its own function later.
        let function = if at.line == 0 { "" } else { at.function.as_str() };
        let text = format!("starts {function}").trim_end().to_owned();
        self.lanes.insert(thread, function.to_owned());
        self.push(thread, at, text, Role::Plain);
        self.has_effect(Effect::Start);
    }

    fn tell(&mut self, telling: &Telling<'_>, at: &Location, event: Event, mutex: Option<Place>) {
        let thread = telling.stepped.step.thread();
        if at.line == 0 && is_access(event) {
            return;
        }
        let lane = self.lanes.entry(thread).or_default();
        if lane.is_empty() && at.line != 0 {
            at.function.clone_into(lane);
        }
        let Some(mut text) = telling.text(event) else { return };
        let effect = self.places.effect(event, mutex, telling);
        if self.wakes_spuriously(thread, event) {
            text.push_str(" (spuriously)");
        }
        match event {
            Event::Write { place, .. } if self.last_read == Some(place) && self.last_line_is(thread, at) => {
                let last = self.told.lines.last_mut().expect("it was just compared");
                (last.text, last.effect) = (text, after_reading(effect));
                self.last_read = None;
                let exactly = telling.stepped.machine.location(telling.function, telling.pc);
                if let Some(read) = self.accesses.last_mut() {
                    read.exactly.push(exactly);
                }
            }
            _ => {
                self.push(thread, at.clone(), text, Role::Plain);
                self.has_effect(effect);
                if is_access(event) || matches!(event, Event::Free { .. }) {
                    let calls = telling.stepped.machine.callers(telling.stepped.before, thread);
                    let exactly = telling.stepped.machine.location(telling.function, telling.pc);
                    self.accesses.push(Access {
                        line: self.told.lines.len() - 1,
                        calls,
                        exactly: vec![exactly],
                        frees: matches!(event, Event::Free { .. }),
                        bytes: touched(event),
                    });
                }
                if let Some(line) = self.told.lines.last_mut() {
                    (line.inside, line.copies) = (telling.library_call(), telling.copied(event));
                    line.internal = telling.is_internal(event);
                }
                self.last_read = if let Event::Read { place, .. } = event { Some(place) } else { None };
            }
        }
    }

    /// Says what the last line does. Where lines were folded, the last one does
    /// the same or begins the loop anew.
    fn has_effect(&mut self, effect: Effect) {
        if let Some(last) = self.told.lines.last_mut().filter(|line| line.effect == Effect::Other) {
            last.effect = effect;
        }
    }

    /// Says the thread's local variables after a step, with its last line.
    fn tell_locals(&mut self, stepped: &Stepped<'_>) {
        let thread = stepped.step.thread();
        let Some(line) = self.told.lines.last_mut().filter(|line| line.thread == thread) else { return };
        let Some((function, values)) = stepped.machine.locals(stepped.after, thread) else { return };
        let locals = Arc::new(Locals { function, values });
        if self.locals.get(&thread) != Some(&locals) {
            line.locals = Some(Arc::clone(&locals));
            self.locals.insert(thread, locals);
        }
    }

    /// Keeps track of the threads that wait on conditions. A wake-up without a signal since
    /// is a spurious one.
    fn wakes_spuriously(&mut self, thread: ThreadId, event: Event) -> bool {
        let Event::Sync { op, object: Some(object), result, phase, .. } = event else { return false };
        match (op, phase) {
            (SyncOp::CondWait | SyncOp::CondTimedWait, Phase::Begin) => {
                self.asleep.insert(thread, (object, false));
            }
            (SyncOp::CondWait | SyncOp::CondTimedWait, _) => {
                return matches!(self.asleep.remove(&thread), Some((_, false))) && result == 0;
            }
            (SyncOp::CondSignal | SyncOp::CondBroadcast, _) => {
                let waiters = self.asleep.values_mut().filter(|(place, _)| *place == object);
                waiters.for_each(|(_, signalled)| *signalled = true);
            }
            _ => {}
        }
        false
    }

    fn last_line_is(&self, thread: ThreadId, at: &Location) -> bool {
        let last = self.told.lines.last();
        last.is_some_and(|l| {
            l.thread == thread && l.times == 1 && (&l.at.file, l.at.line) == (&at.file, at.line)
        })
    }

    fn push(&mut self, thread: ThreadId, at: Location, text: String, role: Role) {
        self.silent = false;
        if let Some(last) = self.told.lines.last_mut()
            && (last.thread, &last.at, &last.text, last.role) == (thread, &at, &text, role)
            && self.switch.is_none()
            && !self.begins
        {
            last.times += 1;
            return;
        }
        let switch = self.switch.take();
        let cycle = std::mem::take(&mut self.begins);
        self.told.lines.push(Line {
            thread,
            at,
            inside: None,
            text,
            times: 1,
            role,
            cycle,
            switch,
            internal: false,
            copies: None,
            effect: Effect::Other,
            also: Vec::new(),
            locals: None,
        });
        self.fold();
    }

    /// Takes the last lines for a repetition of those before, if they are one:
    /// loops would fill the report otherwise.
    fn fold(&mut self) {
        let lines = &mut self.told.lines;
        let repeats = |length: &usize| {
            let Some(start) = lines.len().checked_sub(2 * length) else { return false };
            let (first, second) = lines[start..].split_at(*length);
            let same = |(a, b): (&Line, &Line)| {
                b.switch.is_none()
                    && b.times == 1
                    && !b.cycle
                    && (a.thread, &a.at, &a.text, a.role) == (b.thread, &b.at, &b.text, b.role)
            };
            first.iter().zip(second).all(same)
        };
        let Some(length) = (2..=LONGEST_LOOP).find(repeats) else { return };
        lines.truncate(lines.len() - length);
        let start = lines.len() - length;
        lines[start..].iter_mut().for_each(|line| line.times += 1);
        self.accesses.retain(|access| access.line < lines.len());
    }

    fn finish(mut self, fault: &Fault) -> Interleaving {
        match &fault.kind {
            FaultKind::Deadlock { waits } | FaultKind::LocalDeadlock { waits } => {
                waits.iter().for_each(|wait| self.finish_wait(wait));
            }
            FaultKind::Formula { turns, start: Some(_), .. } if turns.is_empty() => {
                let text = "nothing happens any more".to_owned();
                self.push(fault.thread, fault.at.clone(), text, Role::Fault);
            }
            FaultKind::Livelock { .. } | FaultKind::Formula { start: Some(_), .. } => {
                self.end_cycle();
                let text = "and so on for ever: the state is what it was".to_owned();
                self.push(fault.thread, fault.at.clone(), text, Role::Fault);
            }
            FaultKind::DataRace { first, second, .. } => {
                let (earlier, later) = self.racing(first, second);
                let line = later.map(|later| self.accesses[later].line);
                if let Some(earlier) = earlier {
                    self.mark(first, earlier);
                }
                let locals = line.and_then(|line| self.end_at(line));
                self.push(fault.thread, fault.at.clone(), message(fault), Role::Fault);
                if let Some(line) = self.told.lines.last_mut() {
                    line.locals = locals;
                }
            }
            FaultKind::UseAfterFree { freed, .. } | FaultKind::DoubleFree { freed, .. } => {
                self.mark_free(freed);
                self.push(fault.thread, fault.at.clone(), message(fault), Role::Fault);
            }
            _ => self.push(fault.thread, fault.at.clone(), message(fault), Role::Fault),
        }
        let lanes = self.lanes.into_iter().map(|(thread, function)| Lane { thread, function });
        Interleaving { threads: lanes.collect(), places: self.places.names, ..self.told }
    }

    /// A cycle of one line goes on for ever; how often its step repeats it says nothing.
    fn end_cycle(&mut self) {
        if let Some(last) = self.told.lines.last_mut().filter(|line| line.cycle) {
            last.times = 1;
        }
    }

    /// Leaves out what the last step does after the second access of a race, which was told in
    /// this line, so that the race stands where it happens. Yields the local variables after the
    /// step.
    fn end_at(&mut self, line: usize) -> Option<Arc<Locals>> {
        let lines = &mut self.told.lines;
        let after = lines.split_off((line + 1).min(lines.len()));
        after.into_iter().rev().find_map(|line| line.locals)
    }

    /// The last line of a thread that waits may already say so.
    fn finish_wait(&mut self, wait: &Wait) {
        let text = wait_text(wait);
        let last = self.told.lines.iter_mut().rev().find(|line| line.thread == wait.thread);
        match last.filter(|line| line.text == text) {
            Some(line) => line.role = Role::Part,
            None => {
                self.lanes.entry(wait.thread).or_insert_with(|| wait.at.function.clone());
                self.push(wait.thread, wait.at.clone(), text, Role::Part);
            }
        }
    }

    /// Marks where what is used afterwards was freed.
    fn mark_free(&mut self, freed: &Location) {
        let lines = &self.told.lines;
        let is_it =
            |told: &&Access| told.frees && (lines[told.line].at == *freed || told.exactly.contains(freed));
        if let Some(line) = self.accesses.iter().rev().find(is_it).map(|told| told.line) {
            self.told.lines[line].role = Role::Part;
        }
    }

    /// The two accesses of a race among those that were told. A copy of many words is told word
    /// by word at one place of the source: of the accesses at the right places, those are taken
    /// that have a byte in common.
    fn racing(&self, first: &RaceAccess, second: &RaceAccess) -> (Option<usize>, Option<usize>) {
        let firsts = self.told_as(first);
        let of_last_step = |told: &Access| {
            let line = &self.told.lines[told.line];
            told.line >= self.before && line.thread == second.thread && line.at == second.at
        };
        let seconds = || (0..self.accesses.len()).filter(|&told| of_last_step(&self.accesses[told]));
        let pairs = seconds().flat_map(|later| firsts.iter().rev().map(move |&earlier| (earlier, later)));
        let overlap = |&(a, b): &(usize, usize)| self.accesses[a].overlaps(&self.accesses[b]);
        match { pairs }.find(overlap) {
            Some((earlier, later)) => (Some(earlier), Some(later)),
            None => (firsts.last().copied(), seconds().next()),
        }
    }

    /// What may be the first access of a race among the accesses that were told: those at its
    /// place, else those that a library makes there, else those of its line.
    fn told_as(&self, access: &RaceAccess) -> Vec<usize> {
        let lines = &self.told.lines;
        let those = |same: &dyn Fn(&Access) -> bool| -> Vec<usize> {
            let own = |told: &Access| lines[told.line].thread == access.thread && same(told);
            (0..self.accesses.len()).filter(|&told| own(&self.accesses[told])).collect()
        };
        let same_line = |told: &Access| {
            let at = &lines[told.line].at;
            (&at.file, at.line) == (&access.at.file, access.at.line)
        };
        let same_place = |told: &Access| lines[told.line].at == access.at;
        let inside = |told: &Access| told.exactly.contains(&access.at);
        let kinds: [&dyn Fn(&Access) -> bool; 3] = [&same_place, &inside, &same_line];
        kinds.into_iter().map(those).find(|told| !told.is_empty()).unwrap_or_default()
    }

    /// Marks the first access of a race.
    fn mark(&mut self, access: &RaceAccess, told: usize) {
        let Access { line, calls, exactly, .. } = &self.accesses[told];
        let line = &mut self.told.lines[*line];
        self.told.first_calls.clone_from(calls);
        let inside = exactly.contains(&access.at) && line.at != access.at;
        self.told.first_at = inside.then(|| line.at.clone());
        line.role = Role::Part;
    }
}

/// The event's place, if it is in the program itself. An ended thread has no
/// place any more.
pub fn own_location(stepped: &Stepped<'_>, function: FuncId, pc: Pc, event: Event) -> Option<Location> {
    if event == Event::ThreadEnd || stepped.machine.program().function(function).library {
        return None;
    }
    Some(stepped.machine.location(function, pc)).filter(|at| at.line != 0)
}

/// Whether a thread reads or writes memory.
fn is_access(event: Event) -> bool {
    touched(event).is_some()
}

/// The bytes that an event touches.
fn touched(event: Event) -> Option<Place> {
    match event {
        Event::Read { place, .. }
        | Event::Write { place, .. }
        | Event::Buffered { place, .. }
        | Event::Flushed { place, .. } => Some(place),
        _ => None,
    }
}

/// A write after a read of the same place, told as one.
fn after_reading(effect: Effect) -> Effect {
    match effect {
        Effect::Write { place, old, value, .. } => Effect::Write { place, old, value, reads: true },
        effect => effect,
    }
}

fn wait_text(wait: &Wait) -> String {
    format!("waits for {}", awaited(wait))
}
