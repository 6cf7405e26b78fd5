//! Which operations on locks and barriers a schedule makes redundant.
//!
//! A schedule orders all other events one after the other, and its proof shows that no thread ever
//! has to wait at a lock. So nothing depends on such an operation but others on the same object:
//! natively all of them together can be left out, if nothing else touches the object.
//!
//! Events at operations that are left out are no events any more. What a thread does after one,
//! to its next event, may then happen earlier than in the proof: at any time after the thread's
//! last event that is left. It must touch nothing that any other thread ever touched
//! ([`Touches::allow`]).

use std::collections::{BTreeMap, BTreeSet};

use ir::{Instr, Operand, Program};
use machine::{
    Action, Home, How, Machine, Operation, Patience, Place, State, Subject, Thing, ThreadId, Touched, Went,
};
use schedule::{SiteId, Stand};

/// A synchronisation object in a global: the object's slot, and where in it.
type Object = (usize, u64);

/// A step, as far as it matters here.
pub struct Touching<'a> {
    /// The state before it.
    pub state: &'a State,
    /// The thread.
    pub thread: ThreadId,
    /// Where the thread stands.
    pub stand: Stand,
    /// What it touches.
    pub touched: &'a [Touched],
    /// The site of the thread's own event that comes before, if the step is after one and no part
    /// of it; none of a thread that runs after an event of another one.
    pub after: Option<Option<SiteId>>,
}

/// What the steps of a proof touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touches {
    /// The objects of operations that could be left out, by site.
    operations: BTreeMap<SiteId, BTreeSet<Object>>,
    /// Sites that do something else, too.
    unfit: BTreeSet<SiteId>,
    /// Memory that is touched by something else.
    others: BTreeSet<(usize, u64, u64)>,
    /// Whether memory is touched that several threads can reach and that is no global: who
    /// could reach it before is not known.
    is_dynamic: bool,
    /// The events after which threads touch globals without an event of their own.
    exposed: BTreeSet<Option<SiteId>>,
}

impl Touches {
    /// Notes a step.
    pub fn note(&mut self, machine: &Machine, step: &Touching<'_>) {
        let (site, whole) = match step.stand {
            Stand::At(site) => (Some(site), true),
            Stand::Waiting(site) | Stand::Within(Some(site)) => (Some(site), false),
            _ => (None, false),
        };
        for touched in step.touched {
            let operation = whole.then(|| self.operation(machine, step.state, touched)).flatten();
            match (site, operation) {
                (Some(site), Some(object)) => _ = self.operations.entry(site).or_default().insert(object),
                _ => {
                    self.unfit.extend(site);
                    self.other(machine, step, touched);
                }
            }
        }
    }

    /// Notes that a thread waits for the lock at a place and is no event there: nothing but the lock
    /// keeps it waiting.
    pub fn waits(&mut self, machine: &Machine, state: &State, place: Place) {
        match (machine.home(state, place.object), place.object.slot_index()) {
            (Some(Home::Global(_)), Some(slot)) => _ = self.others.insert((slot, place.offset, place.len)),
            _ => self.is_dynamic = true,
        }
    }

    /// The object of an operation that could be left out.
    fn operation(&self, machine: &Machine, state: &State, touched: &Touched) -> Option<Object> {
        let (Thing::Memory { place, .. }, How::Operation(operation, went)) = (touched.thing, touched.how)
        else {
            return None;
        };
        let fits = match operation.action {
            Action::Take { patience: Patience::Waits, shares: false } | Action::Give => {
                matches!(operation.subject, Subject::Mutex | Subject::Spin) && went == Went::Done
            }
            Action::Arrive => operation.subject == Subject::Barrier,
            _ => false,
        };
        let Some(Home::Global(object)) = machine.home(state, place.object) else { return None };
        fits.then_some((object.slot_index()?, place.offset))
    }

    fn other(&mut self, machine: &Machine, step: &Touching<'_>, touched: &Touched) {
        // What threads did that were joined is over.
        let others = || step.state.unjoined().any(|other| other != step.thread);
        let exposed = || step.after.filter(|_| others());
        let Thing::Memory { place, shared } = touched.thing else {
            // The end of the process comes after all events before it.
            self.exposed.extend(exposed().filter(|_| touched.thing == Thing::Everything));
            return;
        };
        // An object that is made or ended is not used.
        let made = |operation: Operation| matches!(operation.action, Action::Init { .. } | Action::Destroy);
        if matches!(touched.how, How::Operation(operation, Went::Done) if made(operation)) {
            return;
        }
        let Place { object, offset, len } = place;
        match (machine.home(step.state, object), object.slot_index()) {
            (Some(Home::Global(_)), Some(slot)) => {
                _ = self.others.insert((slot, offset, len));
                self.exposed.extend(exposed());
            }
            _ => self.is_dynamic |= shared,
        }
    }

    /// Shows that the operations at some sites can be left out together, and that their events
    /// need not be ordered.
    pub fn allow(&self, program: &Program, sites: &BTreeSet<SiteId>) -> Result<(), String> {
        if sites.is_empty() {
            return Ok(());
        }
        if self.is_dynamic {
            return Err("threads share memory that is no global".to_owned());
        }
        let after_omitted = |event: &Option<SiteId>| event.is_none_or(|site| sites.contains(&site));
        if self.exposed.iter().any(after_omitted) {
            return Err("globals are touched after an operation that is left out".to_owned());
        }
        match sites.iter().find(|site| !self.is_redundant(program, **site, sites)) {
            Some(site) => Err(format!("the operation at {:?} is not redundant", site.site(program))),
            None => Ok(()),
        }
    }

    /// The most sites that can be left out together, without those that are to be seen.
    pub fn redundant(&self, program: &Program, seen: &BTreeSet<SiteId>) -> BTreeSet<SiteId> {
        let mut sites: BTreeSet<SiteId> = self.operations.keys().copied().collect();
        sites.retain(|site| !seen.contains(site));
        loop {
            let bad = sites.iter().copied().find(|site| !self.is_redundant(program, *site, &sites));
            match bad {
                Some(site) => _ = sites.remove(&site),
                None => break,
            }
        }
        if self.allow(program, &sites).is_ok() { sites } else { BTreeSet::new() }
    }

    /// Whether a site does nothing but operations on objects that nothing else touches.
    fn is_redundant(&self, program: &Program, site: SiteId, sites: &BTreeSet<SiteId>) -> bool {
        let Some(objects) = self.operations.get(&site) else { return false };
        let apart = |(slot, offset): &Object| {
            let overlaps = |(other, from, len): &(usize, u64, u64)| {
                other == slot && *from < offset + machine::MUTEX_BYTES && *offset < from.saturating_add(*len)
            };
            let kept = |(other, objects): (&SiteId, &BTreeSet<Object>)| {
                !sites.contains(other) && objects.contains(&(*slot, *offset))
            };
            !self.others.iter().any(overlaps) && !self.operations.iter().any(kept)
        };
        !self.unfit.contains(&site) && objects.iter().all(apart) && !tells_barrier(program, site)
    }
}

/// Whether the result of a wait at a barrier is looked at, which tells one thread from the others.
fn tells_barrier(program: &Program, site: SiteId) -> bool {
    let code = &program.function(site.function).code;
    let own = (0..code.len() as u32).filter(|pc| program.ordinal(site.function, *pc) == site.ordinal);
    let results = own.filter_map(|pc| match &code[pc as usize] {
        Instr::Sync { op: ir::SyncOp::BarrierWait, dst, .. } => *dst,
        _ => None,
    });
    results.into_iter().any(|result| {
        code.iter().any(|instr| {
            let mut uses = false;
            instr.for_each_use(|operand, _| uses |= matches!(operand, Operand::Reg(reg) if reg == result));
            uses
        })
    })
}
