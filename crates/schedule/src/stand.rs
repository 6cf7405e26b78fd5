//! Where threads stand in a state of the machine, as native code can be stopped there.
//!
//! An event of a schedule is the execution of one instruction of the native module, or of
//! a whole atomic section. The machine may need several instructions for it: those of a
//! function that native code has elsewhere (`pthread_join`), or those that one LLVM
//! instruction was lowered to; and it copies memory in several steps. A thread *stands at a
//! site* if it is about to begin with an instruction of the module, so that the runtime could
//! stop it.

use ir::{Callee, FuncId, Instr, Pc, Program, Site, SyncOp};
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

/// Functions of the library that wait on a condition at most once, and that do so natively by a
/// function which the runtime replaces (`runtime/c/waits.c`).
const WAITS: [&str; 5] = [
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "cnd_wait",
    "cnd_timedwait",
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
];

/// What native code executes itself, by functions of the program.
#[derive(Clone, Debug)]
pub struct Native {
    executed: Vec<bool>,
    /// Functions of the library that wait on a condition.
    waits: Vec<bool>,
}

impl Native {
    /// For a program of which native code has the functions with these names.
    pub fn new(program: &Program, executed: &FxHashSet<String>) -> Native {
        let name = |id: usize| program.site(FuncId(id as u32), 0).function;
        let functions = 0..program.functions.len();
        let executed: Vec<bool> = functions.clone().map(|id| executed.contains(&name(id))).collect();
        let waits = functions.map(|id| !executed[id] && WAITS.contains(&name(id).as_str())).collect();
        Native { executed, waits }
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
        let waits = |site| self.kind(machine.program(), site) == Kind::WaitBegins;
        match (site, own) {
            (Some(site), _) if machine.is_at_barrier(state, thread) && waits(site) => Stand::AtBarrier,
            (Some(site), _) if machine.waiting(state, thread).is_some() && waits(site) => {
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

    /// How far the event of a thread goes that stands at a site.
    pub fn kind(&self, program: &Program, site: SiteId) -> Kind {
        let code = &program.function(site.function).code;
        let own = code.iter().zip(0..).filter(|(_, pc)| site_id(program, (site.function, *pc)) == site);
        own.into_iter().find_map(|(instr, _)| self.kind_of(instr)).unwrap_or_default()
    }

    fn kind_of(&self, instr: &Instr) -> Option<Kind> {
        match instr {
            Instr::AtomicBegin { .. } => Some(Kind::Atomic),
            Instr::Sync { op: SyncOp::CondWait | SyncOp::CondTimedWait | SyncOp::BarrierWait, .. } => {
                Some(Kind::WaitBegins)
            }
            Instr::Call { callee: Callee::Direct(function), .. } if self.waits[function.0 as usize] => {
                Some(Kind::WaitBegins)
            }
            _ => None,
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
