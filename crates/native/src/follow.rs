//! From a counterexample to the order that native code is held to.

use ir::{FuncId, GlobalId, Instr, Location, Pc, Program, Site, SyncOp};
use machine::{Event, Fault, FaultKind, Machine, State, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use trace::Trace;

use crate::Error;
use crate::failures;
use crate::instance::{Grouping, Instance};
use crate::plan::{EXIT, Ending, Gate, Input, Place, Plan, START, Turn};
use crate::visit::{Visit, Visits};

/// Replays a trace on the machine, and notes what native code has to do to do
/// the same. `executed` are the functions whose instructions native code has.
pub fn follow(
    machine: &Machine,
    trace: &Trace,
    fault: &Fault,
    executed: &FxHashSet<String>,
) -> Result<Plan, Error> {
    let mut visits = Visits::default();
    let replayed = trace::replay(machine, trace, fault, &mut visits)
        .map_err(|divergence| Error::Diverged(Box::new(divergence)))?;
    let visits = visits.all;
    let mut grouping = Grouping::new(machine.program(), executed);
    let executed = visits.iter().enumerate().filter(|(_, visit)| visit.executed);
    executed.for_each(|(time, visit)| grouping.add(time, visit));
    grouping.finish(|thread| machine.stands(&replayed.state, thread));
    let following =
        Following { machine, fault, state: &replayed.state, visits: &visits, grouping: &grouping };
    Ok(following.plan())
}

struct Following<'a> {
    machine: &'a Machine,
    fault: &'a Fault,
    /// The last one.
    state: &'a State,
    visits: &'a [Visit],
    grouping: &'a Grouping<'a>,
}

/// The places, with the index of each.
struct Places {
    all: Vec<Place>,
    known: FxHashMap<Site, u32>,
}

impl Places {
    fn index(&mut self, site: Site, at: Location, gate: Gate) -> u32 {
        *self.known.entry(site.clone()).or_insert_with(|| {
            self.all.push(Place { site: Some(site), at, gate });
            self.all.len() as u32 - 1
        })
    }
}

fn nowhere(function: &str) -> Place {
    let at = Location { file: String::new(), line: 0, column: 0, function: function.to_owned() };
    Place { site: None, at, gate: Gate::Turn }
}

impl Following<'_> {
    fn plan(&self) -> Plan {
        let all = vec![nowhere("the end of main"), nowhere("the start of the thread")];
        let mut places = Places { all, known: FxHashMap::default() };
        let guilty = self.guilty();
        let marked = guilty.iter().copied().collect::<FxHashSet<usize>>();
        for (index, instance) in self.grouping.found.iter().enumerate() {
            if let Some(at) = instance.at.filter(|_| instance.visible || marked.contains(&index)) {
                self.place(&mut places, at, Gate::Turn);
            }
        }
        let last: Vec<Option<u32>> =
            self.state.thread_ids().map(|thread| self.last(&mut places, thread)).collect();
        let mut ordered: Vec<(usize, &Instance)> = self.grouping.found.iter().enumerate().collect();
        ordered.sort_by_key(|(_, instance)| instance.time());
        let (mut turns, mut event) = (Vec::new(), None);
        for (index, instance) in ordered {
            let Some(turn) = self.turn(&places, instance) else { continue };
            turns.push(turn);
            if Some(index) == guilty {
                event = Some(turns.len() as u32 - 1);
            }
        }
        let (mut inputs, mut caveats) = self.inputs();
        let (failing, failures) = failures::of(self.program(), self.visits, self.grouping);
        inputs.extend(failures);
        caveats.extend(self.torn(&places));
        caveats.extend(self.differences());
        let ending = self.ending(&last, event, turns.len());
        let (arguments, direct) = (self.arguments(), self.is_direct());
        Plan { places: places.all, turns, inputs, failing, arguments, last, ending, direct, caveats }
    }

    fn is_direct(&self) -> bool {
        let frames = self.visits.last().map_or(&[][..], |visit| &visit.frames);
        self.grouping.own(frames).is_some_and(|depth| depth + 1 == frames.len())
    }

    fn place(&self, places: &mut Places, at: (FuncId, Pc), gate: Gate) -> u32 {
        places.index(self.grouping.site(at), self.machine.location(at.0, at.1), gate)
    }

    fn turn(&self, places: &Places, instance: &Instance) -> Option<Turn> {
        let place = match instance.at {
            None => EXIT,
            Some(at) => *places.known.get(&self.grouping.site(at))?,
        };
        let Instance { thread, wait, result, .. } = *instance;
        instance.done.then_some(Turn { thread, place, wait, result })
    }

    /// Where a thread stands at the end of the trace.
    fn last(&self, places: &mut Places, thread: ThreadId) -> Option<u32> {
        let frames = self.machine.stands(self.state, thread);
        let moved = self.visits.iter().any(|visit| visit.thread == thread);
        let (faulty, main) = (thread == self.fault.thread, thread == ThreadId(0));
        if frames.is_empty() || !self.machine.is_alive(self.state, thread) {
            return None;
        }
        if !moved && !main && !faulty && !self.waiting().contains(&thread) {
            return Some(START);
        }
        let Some(depth) = self.grouping.own(&frames) else { return main.then_some(EXIT) };
        let inner = depth + 1 < frames.len();
        if inner || self.grouping.is_told(frames[depth]) {
            return Some(self.place(places, frames[depth], Gate::Turn));
        }
        faulty.then(|| self.place(places, frames[depth], Gate::Mark))
    }

    /// The threads of a deadlock.
    fn waiting(&self) -> Vec<ThreadId> {
        match &self.fault.kind {
            FaultKind::Deadlock { waits } | FaultKind::LocalDeadlock { waits } => {
                waits.iter().map(|wait| wait.thread).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The instance that goes wrong though it is executed, such as the second access of a race.
    fn guilty(&self) -> Option<usize> {
        // The thread goes on after a race.
        let goes_on = matches!(self.fault.kind, FaultKind::DataRace { .. });
        let last = self.visits.last().filter(|last| last.executed || goes_on)?;
        let is_there = |visit: &Visit| {
            let own = self.grouping.own(&visit.frames).map(|depth| visit.frames[depth]);
            own.is_none_or(|(function, pc)| self.machine.location(function, pc) == self.fault.at)
        };
        let mut step = self.visits.iter().enumerate().rev().filter(|(_, visit)| visit.step == last.step);
        let (time, _) = step.find(|(_, visit)| visit.executed && is_there(visit))?;
        let has = |instance: &Instance| instance.span.0 <= time && time <= instance.span.1;
        self.grouping.found.iter().rposition(|instance| instance.thread == last.thread && has(instance))
    }

    fn ending(&self, last: &[Option<u32>], event: Option<u32>, turns: usize) -> Ending {
        let threads = self.waiting();
        if !threads.is_empty() {
            let spins = |thread: &ThreadId| self.spins(*thread);
            let spinning = threads.iter().copied().filter(spins).collect();
            return Ending::Deadlock { threads, spinning };
        }
        let thread = self.fault.thread;
        let stopped = self.visits.last().is_some_and(|visit| !visit.executed && visit.thread == thread);
        let place = last.get(thread.0 as usize).copied().flatten().filter(|_| stopped && event.is_none());
        // A fault that no place stands for shows when all has happened.
        let event = event.or((place.is_none() && turns > 0).then(|| turns as u32 - 1));
        Ending::Fault { thread, place, event: event.filter(|_| place.is_none()) }
    }

    /// Whether a thread stands at a spin lock.
    fn spins(&self, thread: ThreadId) -> bool {
        let at = self.machine.stands(self.state, thread).last().copied();
        let op = at.map(|at| self.instr(at));
        matches!(op, Some(Instr::Sync { op: SyncOp::SpinLock, .. }))
    }

    /// The values that functions without a body return, and what cannot be given.
    fn inputs(&self) -> (Vec<Input>, Vec<String>) {
        let (mut inputs, mut caveats) = (Vec::new(), Vec::new());
        for visit in self.visits.iter().filter(|visit| visit.executed) {
            let (Some(&at), Some(depth)) = (visit.frames.last(), self.grouping.own(&visit.frames)) else {
                continue;
            };
            let Instr::Nondet { origin, .. } = self.instr(at) else { continue };
            let Some(value) = chosen(visit).filter(|_| !failures::is_failure(self.program().name(*origin)))
            else {
                continue;
            };
            let name = match visit.frames.get(depth + 1) {
                None => self.program().name(*origin).to_owned(),
                Some((callee, pc)) => self.program().site(*callee, *pc).function,
            };
            // A function of the library that is given something does more than to return an input.
            let callee = visit.frames.get(depth + 1).map(|(callee, _)| self.program().function(*callee));
            if callee.is_some_and(|callee| !callee.params.is_empty()) {
                caveats.push(format!("the trace takes an input inside of {name}"));
                continue;
            }
            inputs.push(Input { thread: visit.thread, name, value });
        }
        caveats.dedup();
        (inputs, caveats)
    }

    fn program(&self) -> &Program {
        self.machine.program()
    }

    fn instr(&self, at: (FuncId, Pc)) -> &Instr {
        &self.program().function(at.0).code[at.1 as usize]
    }

    /// What the trace decides, or takes for known, and native code has otherwise.
    fn differences(&self) -> Vec<String> {
        let told =
            |wanted: fn(&Event) -> bool| self.visits.iter().flat_map(|visit| &visit.events).any(wanted);
        let differences = [
            (self.grouping.undefined > 0, "the trace chooses a value that was never initialised"),
            (self.grouping.placed > 0, "the trace chooses where objects lie in memory"),
            (
                told(|event| matches!(event, Event::SameId { .. })),
                "a new thread has the identifier of an earlier one in the trace",
            ),
            (
                self.machine.has_numbered_addresses(),
                "the program computes with addresses as numbers, which are others natively",
            ),
            (
                self.comes_to(SyncOp::ThreadSelf),
                "the program looks at the identifiers of its threads, which are others natively",
            ),
            (
                self.comes_to(SyncOp::SpinLock) && !self.comes_to(SyncOp::SpinInit),
                "a spin lock is taken that nothing initialised, which the native library may take for locked",
            ),
            (self.uses_futexes(), "the trace waits for or wakes a futex"),
        ];
        differences.into_iter().filter(|(is_there, _)| *is_there).map(|(_, what)| what.to_owned()).collect()
    }

    /// Native instructions in the middle of which the trace lets others run.
    fn torn(&self, places: &Places) -> Vec<String> {
        let mut caveats = Vec::new();
        for instance in self.grouping.found.iter().filter(|instance| instance.span.0 < instance.time()) {
            let Some(at) = instance.at.filter(|_| self.turn(places, instance).is_some()) else { continue };
            let between = &self.visits[instance.span.0..instance.time()];
            if between.iter().any(|visit| visit.executed && visit.thread != instance.thread) {
                let place = self.machine.location(at.0, at.1);
                caveats.push(format!("others run in the middle of what is one step natively, at {place}"));
            }
        }
        caveats.dedup();
        caveats
    }

    /// Whether a thread comes to an operation of this kind.
    fn comes_to(&self, wanted: SyncOp) -> bool {
        let last = self.visits.iter().filter_map(|visit| visit.frames.last());
        let mut instructions = last.map(|at| self.instr(*at));
        instructions.any(|instr| matches!(instr, Instr::Sync { op, .. } if *op == wanted))
    }

    /// Whether the program makes system calls for futexes, which are not emulated.
    fn uses_futexes(&self) -> bool {
        let program = self.program();
        let functions = program.functions.iter();
        let futex: Vec<bool> = functions.map(|f| program.name(f.name) == "__tp_futex").collect();
        let calls = self.visits.iter().flat_map(|visit| &visit.frames);
        futex.contains(&true) && calls.into_iter().any(|(function, _)| futex[function.0 as usize])
    }

    /// What `main` is given.
    fn arguments(&self) -> Vec<String> {
        let count = self.visits.iter().find_map(|visit| {
            let at = *visit.frames.last()?;
            let Instr::Nondet { origin, .. } = self.instr(at) else { return None };
            (self.program().name(*origin) == "argc").then(|| chosen(visit)).flatten()
        });
        let texts = (1..count.unwrap_or(u64::MAX)).map_while(|index| self.text(&format!("argv[{index}]")));
        let mut texts: Vec<String> = texts.collect();
        // Arguments that the program only counts.
        texts.resize(count.map_or(texts.len(), |count| count.saturating_sub(1) as usize), String::new());
        texts
    }

    /// The text in a variable of the front end's own, which it ends with.
    fn text(&self, name: &str) -> Option<String> {
        let program = self.program();
        let index = program.globals.iter().position(|global| program.name(global.name) == name)?;
        let id = GlobalId(index as u32);
        let value = |offset| self.machine.global_value(self.state, id, offset, 1);
        let byte = |offset| value(offset).filter(|v| v.undef == 0).map_or(0, |v| v.bits as u8);
        let bytes: Vec<u8> = (0..program.globals[index].size).map(byte).collect();
        let text = bytes.split(|byte| *byte == 0).rfind(|part| !part.is_empty()).unwrap_or_default();
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

pub(crate) fn chosen(visit: &Visit) -> Option<u64> {
    visit.events.iter().find_map(|event| match event {
        Event::Choice { value, .. } => Some(*value),
        _ => None,
    })
}
