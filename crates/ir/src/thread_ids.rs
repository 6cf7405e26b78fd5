//! Whether a program can find out that two threads have the same identifier.

use std::collections::HashSet;

use crate::chains::{defines, uses};
use crate::operation::{Action, Operation};
use crate::{Chains, Function, GlobalId, Instr, Operand, Pc, Program, Reg, SyncOp};

impl Program {
    /// Whether identifiers of threads may be compared, so that it matters that
    /// they are given out again. This costs nothing to overestimate but speed.
    /// Identifiers that were created in memory of the heap, and that are compared
    /// without a function for it, are not noticed.
    pub fn tells_thread_ids(&self) -> bool {
        let creating = self.functions.iter().filter(|function| function.code.iter().any(gives_id));
        let globals: HashSet<GlobalId> =
            creating.flat_map(|function| Handles::of(function).globals()).collect();
        let compares = |function: &Function| is_comparison(self.name(function.name));
        let tells = |function| has_ids(function, &globals) && Handles::of(function).are_told(&globals);
        self.functions.iter().any(|function| compares(function) || tells(function))
    }
}

/// Whether a function compares identifiers of threads, or gives one to a program
/// in which classes of the library keep them.
fn is_comparison(name: &str) -> bool {
    matches!(name, "pthread_equal" | "thrd_equal" | "std::thread::get_id" | "std::jthread::get_id")
}

/// Whether an instruction gives a program the identifier of a thread.
fn gives_id(instr: &Instr) -> bool {
    matches!(instr, Instr::Sync { op: SyncOp::ThreadCreate | SyncOp::ThreadSelf, .. })
}

/// Whether a function gets identifiers of threads, or uses variables that hold them. Most
/// functions do not, and need not be looked at.
fn has_ids(function: &Function, globals: &HashSet<GlobalId>) -> bool {
    function.code.iter().any(|instr| {
        let mut has_ids = gives_id(instr);
        instr.for_each_use(|operand, _| has_ids |= is_global(globals, operand));
        has_ids
    })
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

fn names_only(instr: &Instr) -> bool {
    match instr {
        Instr::Sync { op, .. } => matches!(Operation::of(*op).action, Action::Detach | Action::Join),
        _ => false,
    }
}

/// What a register holds: what an instruction gave it, or a parameter. A register is
/// used for one value after the other, which have nothing to do with each other.
type Held = (Reg, Option<Pc>);

/// What a function does with identifiers of threads.
struct Handles<'a> {
    code: &'a [Instr],
    chains: Chains<'a>,
}

impl<'a> Handles<'a> {
    fn of(function: &'a Function) -> Handles<'a> {
        Handles { code: &function.code, chains: Chains::of(function) }
    }

    fn instructions(&self) -> impl Iterator<Item = (Pc, &'a Instr)> {
        (0..).zip(self.code)
    }

    /// The global variables in which it stores identifiers of new threads.
    fn globals(&self) -> Vec<GlobalId> {
        let created = self.instructions().filter_map(|(_, instr)| created_at(instr));
        let places = self.places(&HashSet::new());
        let bases = places.iter().filter_map(|(_, at)| Some(address(&self.code[(*at)? as usize])?.1));
        let global = |operand| if let Operand::Global(id, _) = operand { Some(id) } else { None };
        created.chain(bases).filter_map(global).collect()
    }

    /// What points to where identifiers of new threads are stored, or to the object
    /// that they are stored in.
    fn places(&self, globals: &HashSet<GlobalId>) -> HashSet<Held> {
        let mut work = Vec::new();
        for (pc, instr) in self.instructions() {
            work.extend(created_at(instr).into_iter().flat_map(|place| self.held(pc, place)));
            let of_global = address(instr).filter(|(_, base)| is_global(globals, *base));
            work.extend(of_global.map(|(dst, _)| (dst, Some(pc))));
        }
        let mut places = HashSet::new();
        while let Some(place) = work.pop() {
            if places.insert(place) {
                work.extend(self.related(place));
            }
        }
        places
    }

    /// The addresses that one is computed from, and those that are computed from it.
    fn related(&self, (reg, at): Held) -> Vec<Held> {
        let base = at.and_then(|pc| Some((pc, address(&self.code[pc as usize])?.1)));
        let mut related = base.map_or_else(Vec::new, |(pc, base)| self.held(pc, base));
        for pc in self.uses((reg, at)) {
            let derived = address(&self.code[pc as usize]).filter(|(_, base)| *base == Operand::Reg(reg));
            related.extend(derived.map(|(dst, _)| (dst, Some(pc))));
        }
        related
    }

    /// What an operand of an instruction may hold. Where that may be a parameter, it may
    /// be all that the register ever holds.
    fn held(&self, pc: Pc, operand: Operand) -> Vec<Held> {
        let Operand::Reg(reg) = operand else { return Vec::new() };
        match self.chains.definitions(pc, reg) {
            Some(definitions) => definitions.into_iter().map(|at| (reg, Some(at))).collect(),
            None => {
                let all = self.instructions().filter(|(_, instr)| defines(instr, reg));
                all.map(|(at, _)| (reg, Some(at))).chain([(reg, None)]).collect()
            }
        }
    }

    /// The instructions that may use what a register holds.
    fn uses(&self, (reg, at): Held) -> Vec<Pc> {
        match at {
            Some(pc) => self.chains.uses(pc, reg),
            None => self.instructions().filter(|(_, instr)| uses(instr, reg)).map(|(pc, _)| pc).collect(),
        }
    }

    /// Whether it does more with identifiers of threads than to name the thread that
    /// is to be detached or joined.
    fn are_told(&self, globals: &HashSet<GlobalId>) -> bool {
        let places = self.places(globals);
        let is_place = |pc, operand| {
            let holds_place = || self.held(pc, operand).iter().any(|held| places.contains(held));
            is_global(globals, operand) || !places.is_empty() && holds_place()
        };
        let mut work: Vec<Held> = Vec::new();
        for (pc, instr) in self.instructions() {
            match instr {
                Instr::Sync { op: SyncOp::ThreadSelf, dst: Some(dst), .. } => work.push((*dst, Some(pc))),
                Instr::Load { dst, ptr, width: 32.., .. } if is_place(pc, *ptr) => {
                    work.push((*dst, Some(pc)))
                }
                _ => {}
            }
        }
        let mut ids = HashSet::new();
        while let Some(id) = work.pop() {
            if !ids.insert(id) {
                continue;
            }
            for pc in self.uses(id) {
                match &self.code[pc as usize] {
                    Instr::Move { dst, .. } => work.push((*dst, Some(pc))),
                    instr if names_only(instr) => {}
                    _ => return true,
                }
            }
        }
        false
    }
}

fn is_global(globals: &HashSet<GlobalId>, operand: Operand) -> bool {
    matches!(operand, Operand::Global(id, _) if globals.contains(&id))
}
