//! Robustness of traces, by plain enumeration: every execution is run to its end, and the
//! graph of its accesses (order of each thread, reads-from, coherence, from-reads) is searched
//! for a cycle.

use std::sync::Arc;

use ir::{FuncId, Pc, Program, SyncOp};
use machine::{
    Event, Grain, Kind, Machine, MemoryModel, Observer, Phase, Place, Property, State, Thing, ThreadId,
    touches,
};

use generate::Random;

use crate::common::Disagreement;
use crate::compare::machine_under;
use crate::engines;

/// Programs with more executions are left out.
const MOST_EXECUTIONS: usize = 10_000;

/// The longest execution that is followed.
const MOST_STEPS: usize = 60;

/// The engines must say that traces are robust exactly if no execution has a cycle. Yields
/// whether one has; nothing if there are too many executions.
pub fn compare(program: &Arc<Program>) -> Result<Option<bool>, Disagreement> {
    let plain = machine_under(MemoryModel::Tso, program, None);
    let mut search = Search { machine: &plain, events: Vec::new(), executions: 0, cyclic: false };
    if !search.run(&plain.initial(), 0) && !search.cyclic {
        return Ok(None);
    }
    let machine = machine_under(MemoryModel::Tso, program, Some(Property::RobustTraces));
    engines::same_verdicts(&machine, Grain::Visible, search.cyclic)?;
    engines::same_verdicts(&machine, Grain::Instruction, search.cyclic)?;
    Ok(Some(search.cyclic))
}

/// A program whose threads make a few accesses to a few variables.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let threads = 1 + usize::from(random.one_in(4));
    let mut source = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int v[3];\n".to_owned();
    source += "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
    for thread in 0..threads {
        let body = operations(&mut random, threads);
        source += &format!("void *thread{thread}(void *unused) {{\n{body}  return unused;\n}}\n");
    }
    source += &format!("int main(void) {{\n  pthread_t t[{threads}];\n");
    (0..threads).for_each(|i| source += &format!("  pthread_create(&t[{i}], 0, thread{i}, 0);\n"));
    source += &operations(&mut random, threads);
    (0..threads).for_each(|i| source += &format!("  pthread_join(t[{i}], 0);\n"));
    source + "  return 0;\n}\n"
}

fn operations(random: &mut Random, threads: usize) -> String {
    let count = if threads == 1 { 2 + random.below(3) } else { 2 };
    let operation = |_| {
        let variable = format!("&v[{}]", random.below(3));
        let text = match random.below(12) {
            0..=4 => format!("atomic_store_explicit({variable}, 1, memory_order_relaxed);"),
            5..=8 => format!("(void)atomic_load_explicit({variable}, memory_order_relaxed);"),
            9 => format!("atomic_fetch_add_explicit({variable}, 1, memory_order_relaxed);"),
            10 => "atomic_thread_fence(memory_order_seq_cst);".to_owned(),
            _ => "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);".to_owned(),
        };
        format!("  {text}\n")
    };
    (0..count).map(operation).collect()
}

struct Search<'m> {
    machine: &'m Machine,
    /// What happened, each with its thread.
    events: Vec<(ThreadId, Event)>,
    executions: usize,
    cyclic: bool,
}

struct Noted<'e>(&'e mut Vec<(ThreadId, Event)>);

impl Observer for Noted<'_> {
    fn event(&mut self, thread: ThreadId, _: FuncId, _: Pc, event: Event) {
        self.0.push((thread, event));
    }
}

impl Search<'_> {
    /// Runs all executions from a state on. Yields whether these were all.
    fn run(&mut self, state: &State, steps: usize) -> bool {
        let movers = self.machine.movers(state);
        if movers.is_empty() {
            return self.end();
        }
        if steps == MOST_STEPS {
            return false;
        }
        for mover in movers {
            let Ok(choices) = self.machine.choices_of(state, mover) else { return false };
            for choice in 0..choices {
                let (mut next, known) = (state.clone(), self.events.len());
                let step =
                    self.machine.step(&mut next, mover, choice, Grain::Visible, &mut Noted(&mut self.events));
                trace::refresh(self.machine, Grain::Visible, &mut next);
                let complete = if step.end.is_some() { self.end() } else { self.run(&next, steps + 1) };
                self.events.truncate(known);
                if !complete || self.cyclic {
                    return complete;
                }
            }
        }
        true
    }

    fn end(&mut self) -> bool {
        self.executions += 1;
        self.cyclic |= Accesses::of(&self.events).is_cyclic();
        self.executions <= MOST_EXECUTIONS
    }
}

/// Bytes that are touched, and the moment at which that takes effect: twice the number of the
/// event, and one more for what a load takes from a store that is committed then.
#[derive(Clone, Copy)]
struct Mark {
    place: Place,
    kind: Kind,
    moment: usize,
}

/// A step of a thread in the order of its program.
struct Access {
    thread: ThreadId,
    marks: Vec<Mark>,
    /// Whether it is a store that was never committed, and so has not happened.
    lost: bool,
    starts: Option<ThreadId>,
}

struct Accesses(Vec<Access>);

impl Accesses {
    fn of(events: &[(ThreadId, Event)]) -> Accesses {
        let mut accesses: Vec<Access> = Vec::new();
        // Stores that wait: whose, and which access.
        let mut waiting: Vec<(ThreadId, usize, Place)> = Vec::new();
        // Bytes that loads took from stores that waited: by which access, from which.
        let mut taken: Vec<(usize, usize, Place)> = Vec::new();
        for (number, (thread, event)) in events.iter().enumerate() {
            let (thread, moment) = (*thread, 2 * number);
            let mut access = Access { thread, marks: Vec::new(), lost: false, starts: None };
            match *event {
                Event::Buffered { place, .. } => {
                    waiting.push((thread, accesses.len(), place));
                    access.lost = true;
                }
                Event::Flushed { place, shared, .. } => {
                    let is_it = |store: &(ThreadId, usize, Place)| store.0 == thread && store.2 == place;
                    let store = waiting.iter().find(|store| is_it(store)).expect("it waited").1;
                    // Older ones are to memory that is no more.
                    waiting.retain(|(owner, older, _)| *owner != thread || *older > store);
                    accesses[store].lost = false;
                    if shared {
                        accesses[store].marks.push(Mark { place, kind: Kind::Write, moment });
                    }
                    for (load, _, place) in taken.iter().filter(|(_, from, _)| *from == store) {
                        accesses[*load].marks.push(Mark {
                            place: *place,
                            kind: Kind::Read,
                            moment: moment + 1,
                        });
                    }
                    continue;
                }
                Event::Read { place, shared: true, .. } => {
                    for offset in place.offset..place.offset + place.len {
                        let byte = Place { offset, len: 1, ..place };
                        let mine =
                            |store: &&(ThreadId, usize, Place)| store.0 == thread && meet(store.2, byte);
                        match waiting.iter().rev().find(mine) {
                            Some((_, store, _)) => taken.push((accesses.len(), *store, byte)),
                            None => access.marks.push(Mark { place: byte, kind: Kind::Read, moment }),
                        }
                    }
                }
                _ => {
                    access.marks = marks(thread, event, moment);
                    if let Event::Sync { op: SyncOp::ThreadCreate, peer, .. } = event {
                        access.starts = *peer;
                    }
                }
            }
            let took = taken.last().is_some_and(|(load, _, _)| *load == accesses.len());
            if took || access.lost || !access.marks.is_empty() || access.starts.is_some() {
                accesses.push(access);
            }
        }
        Accesses(accesses)
    }

    /// Whether the accesses are in no order.
    fn is_cyclic(&self) -> bool {
        let happened: Vec<usize> = (0..self.0.len()).filter(|access| !self.0[*access].lost).collect();
        let before = |from: usize| happened.iter().copied().filter(move |to| self.is_before(from, *to));
        let after: Vec<Vec<usize>> = happened.iter().map(|from| before(*from).collect()).collect();
        let mut due = vec![0; self.0.len()];
        after.iter().flatten().for_each(|to| due[*to] += 1);
        // Takes away accesses that nothing is before, as long as there are any.
        let mut free: Vec<usize> = (0..happened.len()).filter(|index| due[happened[*index]] == 0).collect();
        let mut taken = 0;
        while let Some(index) = free.pop() {
            taken += 1;
            for to in &after[index] {
                due[*to] -= 1;
                if due[*to] == 0 {
                    free.extend(happened.binary_search(to));
                }
            }
        }
        taken < happened.len()
    }

    fn is_before(&self, from: usize, to: usize) -> bool {
        let (a, b) = (&self.0[from], &self.0[to]);
        let by_program = from < to && (a.thread == b.thread || a.starts == Some(b.thread));
        let by_effect =
            |x: &Mark, y: &Mark| x.moment < y.moment && meet(x.place, y.place) && !x.kind.commutes(y.kind);
        from != to && (by_program || a.marks.iter().any(|x| b.marks.iter().any(|y| by_effect(x, y))))
    }
}

fn meet(a: Place, b: Place) -> bool {
    a.object == b.object
        && a.offset < b.offset.saturating_add(b.len)
        && b.offset < a.offset.saturating_add(a.len)
}

/// What an event other than a load or a store that waits touches. The life of a thread is a
/// place beyond all memory.
fn marks(thread: ThreadId, event: &Event, moment: usize) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Event::Sync { object: Some(place), phase: Phase::End { signalled: true }, .. } = *event {
        marks.push(Mark { place: Place { len: 1, ..place }, kind: Kind::Write, moment });
    }
    let nowhere = machine::ObjectId::default();
    touches(thread, event, |touched| {
        touched.parts(|thing, kind| match thing {
            Thing::Memory { place, shared: true } => marks.push(Mark { place, kind, moment }),
            Thing::Life(thread) => {
                let place = Place { object: nowhere, offset: thread.0.into(), len: 1 };
                marks.push(Mark { place, kind, moment });
            }
            _ => {}
        });
    });
    marks
}
