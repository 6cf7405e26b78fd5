//! Where threads stand in a state of the machine, as native code can be stopped there.
//!
//! An event of a schedule is the execution of one instruction of the native module, or of
//! a whole atomic section. The machine may need several instructions for it: those of a
//! function that native code has elsewhere (`pthread_join`), or those that one LLVM
//! instruction was lowered to; and it copies memory in several steps. A thread *stands at a site* if it is about to begin with an
//! instruction of the module, so that the runtime could stop it.

use ir::{FuncId, Instr, Pc, Program, Site, SyncOp};
use machine::{Machine, State, ThreadId};
use rustc_hash::FxHashSet;

use crate::file::Kind;

/// A site, by the number of its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteId {
    /// The function.
    pub function: FuncId,
    /// Which of its instructions ([`Site::ordinal`]).
    pub ordinal: u32,
}

/// Where a thread stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stand {
    /// It has ended.
    Ended,
    /// It is about to begin with the instruction at a site.
    At(SiteId),
    /// It waits on a condition, in a call at this site.
    Waiting(SiteId),
    /// It waits at a barrier, from where others let it go on.
    AtBarrier,
    /// It is within an instruction or atomic section, in a call that began at this site; or
    /// outside of native code.
    Within(Option<SiteId>),
}

/// The functions of a program that native code executes itself.
#[derive(Clone, Debug)]
pub struct Native {
    executed: Vec<bool>,
}

impl Native {
    /// For a program of which native code has the functions with these names.
    pub fn new(program: &Program, executed: &FxHashSet<String>) -> Native {
        let ids = (0..program.functions.len()).map(|id| FuncId(id as u32));
        Native { executed: ids.map(|id| executed.contains(&program.site(id, 0).function)).collect() }
    }

    /// Where a thread stands.
    pub fn stand(&self, machine: &Machine, state: &State, thread: ThreadId) -> Stand {
        if !machine.is_alive(state, thread) {
            return Stand::Ended;
        }
        let frames = machine.stands(state, thread);
        let own = frames.iter().rposition(|(function, _)| self.executed[function.0 as usize]);
        let site = own.map(|depth| site_id(machine.program(), frames[depth]));
        // Only where the call itself waits the runtime can let others go on meanwhile.
        let waits = site.filter(|site| site.kind(machine.program()) == Kind::WaitBegins);
        match (site, own) {
            _ if waits.is_some() && machine.is_at_barrier(state, thread) => Stand::AtBarrier,
            (Some(site), _) if waits.is_some() && machine.waiting(state, thread).is_some() => {
                Stand::Waiting(site)
            }
            (Some(site), Some(depth))
                if depth + 1 == frames.len()
                    && !machine.is_in_section(state, thread)
                    && !machine.is_amid_instruction(state, thread)
                    && begins(machine.program(), frames[depth]) =>
            {
                Stand::At(site)
            }
            _ => Stand::Within(site),
        }
    }

    /// Where all threads stand.
    pub fn stands(&self, machine: &Machine, state: &State) -> Vec<Stand> {
        state.thread_ids().map(|thread| self.stand(machine, state, thread)).collect()
    }
}

impl SiteId {
    /// The site.
    pub fn site(self, program: &Program) -> Site {
        Site { ordinal: self.ordinal, ..program.site(self.function, 0) }
    }

    /// The number of a site, if the program has its function.
    pub fn of(program: &Program, site: &Site) -> Option<SiteId> {
        let ids = (0..program.functions.len()).map(|id| FuncId(id as u32));
        let function = ids.into_iter().find(|id| program.site(*id, 0).function == site.function)?;
        Some(SiteId { function, ordinal: site.ordinal })
    }

    /// How far the event of a thread goes that stands at the site.
    pub fn kind(self, program: &Program) -> Kind {
        let code = &program.function(self.function).code;
        let own = code.iter().zip(0..).filter(|(_, pc)| site_id(program, (self.function, *pc)) == self);
        let kind = |instr: &Instr| match instr {
            Instr::AtomicBegin { .. } => Some(Kind::Atomic),
            Instr::Sync { op: SyncOp::CondWait | SyncOp::CondTimedWait | SyncOp::BarrierWait, .. } => {
                Some(Kind::WaitBegins)
            }
            _ => None,
        };
        own.into_iter().find_map(|(instr, _)| kind(instr)).unwrap_or_default()
    }
}

fn site_id(program: &Program, (function, pc): (FuncId, Pc)) -> SiteId {
    SiteId { function, ordinal: program.ordinal(function, pc) }
}

/// Whether an instruction is the first of those that one of the module was lowered to. At the
/// entry of a function only an atomic section begins.
fn begins(program: &Program, (function, pc): (FuncId, Pc)) -> bool {
    let ordinal = |pc: Pc| program.ordinal(function, pc);
    let first = pc == 0 || ordinal(pc - 1) != ordinal(pc);
    let instr = &program.function(function).code[pc as usize];
    first && (ordinal(pc) != 0 || matches!(instr, Instr::AtomicBegin { .. }))
}
