//! Whether a program can find out that two threads have the same identifier.

use crate::operation::{Action, Operation};
use crate::{Function, GlobalId, Instr, Operand, Program, Reg, SyncOp};

impl Program {
    /// Whether identifiers of threads may be compared, so that it matters that
    /// they are given out again. This costs nothing to overestimate but speed.
    /// Identifiers that were created in memory of the heap, and that are compared
    /// without a function for it, are not noticed.
    pub fn tells_thread_ids(&self) -> bool {
        let globals = handle_globals(self);
        let compares = |function: &Function| is_comparison(self.name(function.name));
        self.functions.iter().any(|function| compares(function) || tells(function, &globals))
    }
}

/// Whether a function compares identifiers of threads, or gives one to a program
/// in which classes of the library keep them.
fn is_comparison(name: &str) -> bool {
    matches!(name, "pthread_equal" | "thrd_equal" | "std::thread::get_id" | "std::jthread::get_id")
}

/// The global variables in which identifiers of new threads are stored.
fn handle_globals(program: &Program) -> Vec<GlobalId> {
    let created = program.functions.iter().flat_map(|function| {
        let places = handle_places(function);
        let addresses = function.code.iter().filter_map(address).collect::<Vec<_>>();
        let bases = addresses.into_iter().filter(move |(dst, _)| places.contains(dst)).map(|(_, base)| base);
        bases.chain(function.code.iter().filter_map(created_at)).collect::<Vec<_>>()
    });
    let global = |operand| if let Operand::Global(id, _) = operand { Some(id) } else { None };
    created.filter_map(global).collect()
}

/// Where an instruction stores the identifier of a new thread.
fn created_at(instr: &Instr) -> Option<Operand> {
    match instr {
        Instr::Sync { op: SyncOp::ThreadCreate, args, .. } => args.first().copied(),
        _ => None,
    }
}

/// An address that is computed from another.
fn address(instr: &Instr) -> Option<(Reg, Operand)> {
    match *instr {
        Instr::PtrAdd { dst, base, .. } => Some((dst, base)),
        Instr::Move { dst, src, .. } => Some((dst, src)),
        _ => None,
    }
}

/// The registers of a function that point to where identifiers of new threads
/// are stored, or to the object that they are stored in.
fn handle_places(function: &Function) -> Vec<Reg> {
    let register = |operand| if let Operand::Reg(reg) = operand { Some(reg) } else { None };
    let mut places: Vec<Reg> = function.code.iter().filter_map(created_at).filter_map(register).collect();
    let new = |places: &[Reg]| {
        let mut related = function.code.iter().filter_map(address).filter_map(|(dst, base)| {
            let base = register(base)?;
            let (has_dst, has_base) = (places.contains(&dst), places.contains(&base));
            (has_dst != has_base).then_some(if has_dst { base } else { dst })
        });
        related.next()
    };
    while let Some(place) = new(&places) {
        places.push(place);
    }
    places
}

/// Whether a function does more with identifiers of threads than to name the
/// thread that is to be detached or joined.
fn tells(function: &Function, globals: &[GlobalId]) -> bool {
    let mut places = handle_places(function);
    let in_global = |operand: Operand| matches!(operand, Operand::Global(id, _) if globals.contains(&id));
    places.extend(
        function.code.iter().filter_map(address).filter(|(_, base)| in_global(*base)).map(|(dst, _)| dst),
    );
    let is_place = |operand: Operand| match operand {
        Operand::Reg(reg) => places.contains(&reg),
        operand => in_global(operand),
    };
    let mut ids = Vec::new();
    let new = |ids: &[Reg]| {
        let mut made = function.code.iter().filter_map(|instr| made(instr, ids, is_place));
        made.find(|id| !ids.contains(id))
    };
    while let Some(id) = new(&ids) {
        ids.push(id);
    }
    function.code.iter().any(|instr| !names_only(instr) && uses(instr, &ids))
}

/// The register that an instruction gives an identifier to.
fn made(instr: &Instr, ids: &[Reg], is_place: impl Fn(Operand) -> bool) -> Option<Reg> {
    match instr {
        Instr::Sync { op: SyncOp::ThreadSelf, dst, .. } => *dst,
        Instr::Load { dst, ptr, width: 32.., .. } if is_place(*ptr) => Some(*dst),
        Instr::Move { dst, .. } if uses(instr, ids) => Some(*dst),
        _ => None,
    }
}

fn names_only(instr: &Instr) -> bool {
    match instr {
        Instr::Move { .. } => true,
        Instr::Sync { op, .. } => matches!(Operation::of(*op).action, Action::Detach | Action::Join),
        _ => false,
    }
}

fn uses(instr: &Instr, ids: &[Reg]) -> bool {
    let mut uses = false;
    instr.for_each_use(|operand, _| uses |= matches!(operand, Operand::Reg(reg) if ids.contains(&reg)));
    uses
}
