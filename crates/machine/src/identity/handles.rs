//! What a program does with the handles that `pthread_create` stores: whether the
//! number of a thread can make a difference.
//!
//! Handles are plain numbers in memory, so this is decided from the code. A
//! variable is known to hold nothing but handles if its address is used for no
//! more than to create threads and to read the handles again, anywhere in the
//! program. A handle that is read there may be used for no more than to join
//! the thread.

use ir::{Chains, FuncId, GlobalId, Instr, Operand, Pc, Program, Reg, SyncOp, Target};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::identity::joins::{only_main_joins, only_main_starts};

/// What becomes of handles.
pub(crate) enum Handles {
    /// No handle is ever used. (A thread may detach itself.)
    Unused,
    /// Only `main` starts threads, and handles are used by `main` alone to wait
    /// for the end of threads, whose results it does not want. They are read
    /// here.
    Joined { loads: FxHashSet<(FuncId, Pc)> },
}

/// What becomes of the handles of a program, if they are used as described.
pub(crate) fn handles(program: &Program, entry: FuncId) -> Option<Handles> {
    let chains = program.functions.iter().map(Chains::of).collect();
    let mut flow =
        Flow { program, chains, globals: FxHashSet::default(), roles: FxHashMap::default(), due: Vec::new() };
    flow.run()?;
    let mut code = program.functions.iter().flat_map(|function| &function.code);
    if !code.any(|instr| matches!(instr, Instr::Sync { op: SyncOp::ThreadJoin, .. })) {
        return Some(Handles::Unused);
    }
    let is_load = |(at, role): (&At, &Role)| (*role == Role::Handle && flow.is_load(*at)).then_some(*at);
    let loads = flow.roles.iter().filter_map(is_load).map(|(function, pc)| (FuncId(function as u32), pc));
    (only_main_joins(program, entry) && only_main_starts(program))
        .then(|| Handles::Joined { loads: loads.collect() })
}

/// An instruction, by its function and its place there.
type At = (usize, Pc);

/// What an instruction defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The address of handles.
    Address,
    Handle,
    /// The handle of the thread itself.
    Own,
}

/// Which definitions and globals have to do with handles.
struct Flow<'a> {
    program: &'a Program,
    chains: Vec<Chains<'a>>,
    globals: FxHashSet<GlobalId>,
    roles: FxHashMap<At, Role>,
    /// Definitions that are still to be followed.
    due: Vec<At>,
}

impl Flow<'_> {
    /// Follows all handles. Fails where one may be used otherwise.
    fn run(&mut self) -> Option<()> {
        let program = self.program;
        for (function, body) in program.functions.iter().enumerate() {
            for (instr, pc) in body.code.iter().zip(0..) {
                let at = (function, pc);
                match instr {
                    Instr::Sync { op: SyncOp::ThreadCreate, args, .. } => {
                        self.came_from(at, args[0], Role::Address)?;
                    }
                    // Another operand would name a thread by its number.
                    Instr::Sync { op: SyncOp::ThreadJoin, args, .. } => {
                        self.came_from(at, args[0], Role::Handle)?;
                    }
                    Instr::Sync { op: SyncOp::ThreadDetach, args, .. } => {
                        self.came_from(at, args[0], Role::Own)?;
                    }
                    Instr::Sync { op: SyncOp::ThreadSelf, dst: Some(_), .. } => self.give(at, Role::Own)?,
                    _ => {}
                }
            }
        }
        self.follow()?;
        // What is found at the uses of globals may lead to further ones.
        while self.follow_globals()? {
            self.follow()?;
        }
        self.globals_are_plain().then_some(())
    }

    fn follow(&mut self) -> Option<()> {
        while let Some(at) = self.due.pop() {
            let role = self.roles[&at];
            self.origin(at, role)?;
            let mut defined = None;
            self.instr(at).for_each_def(|reg, _| defined = Some(reg));
            let reg = defined?;
            for user in self.chains[at.0].uses(at.1, reg) {
                self.used((at.0, user), Operand::Reg(reg), role)?;
            }
        }
        Some(())
    }

    /// Follows the uses of globals that hold handles; says whether that gave
    /// anything a role.
    fn follow_globals(&mut self) -> Option<bool> {
        let (program, known) = (self.program, self.roles.len());
        let globals = self.globals.len();
        for (function, body) in program.functions.iter().enumerate() {
            for (instr, pc) in body.code.iter().zip(0..) {
                let mut ours = Vec::new();
                instr.for_each_use(|operand, _| match operand {
                    Operand::Global(id, _) if self.globals.contains(&id) => ours.push(operand),
                    _ => {}
                });
                for operand in ours {
                    self.used((function, pc), operand, Role::Address)?;
                }
            }
        }
        Some(self.roles.len() > known || self.globals.len() > globals)
    }

    fn instr(&self, (function, pc): At) -> &Instr {
        &self.program.functions[function].code[pc as usize]
    }

    fn is_load(&self, at: At) -> bool {
        matches!(self.instr(at), Instr::Load { .. })
    }

    fn give(&mut self, at: At, role: Role) -> Option<()> {
        match self.roles.insert(at, role) {
            None => self.due.push(at),
            Some(known) if known == role => {}
            Some(_) => return None,
        }
        Some(())
    }

    /// All that an operand can be has a role.
    fn came_from(&mut self, (function, pc): At, operand: Operand, role: Role) -> Option<()> {
        match operand {
            Operand::Reg(reg) => {
                let definitions = self.chains[function].definitions(pc, reg)?;
                definitions.into_iter().try_for_each(|pc| self.give((function, pc), role))
            }
            Operand::Global(id, _) if role == Role::Address => {
                self.globals.insert(id);
                Some(())
            }
            _ => None,
        }
    }

    /// Looks at where a definition has its role from.
    fn origin(&mut self, at: At, role: Role) -> Option<()> {
        let instr = self.instr(at).clone();
        match (role, instr) {
            (Role::Address, Instr::Alloca { .. } | Instr::Malloc { .. })
            | (Role::Own, Instr::Sync { op: SyncOp::ThreadSelf, .. }) => Some(()),
            (Role::Address, Instr::PtrAdd { base, .. }) => self.came_from(at, base, role),
            (_, Instr::Move { src, .. }) => self.came_from(at, src, role),
            (Role::Handle, Instr::Load { ptr, width, .. }) if width == self.program.pointer_width => {
                self.came_from(at, ptr, Role::Address)
            }
            _ => None,
        }
    }

    /// Looks at a use of what has a role: it must be one that does not tell the
    /// number of a thread.
    fn used(&mut self, at: At, operand: Operand, role: Role) -> Option<()> {
        let instr = self.instr(at).clone();
        let mut times = 0;
        instr.for_each_use(|used, _| times += usize::from(same(used, operand)));
        let is = |used: Operand| times == 1 && same(used, operand);
        match (role, instr) {
            (_, Instr::Move { src, .. }) if is(src) => {
                self.came_from(at, src, role)?;
                self.give(at, role)
            }
            (Role::Address, Instr::PtrAdd { base, .. }) if is(base) => self.give(at, role),
            (Role::Address, Instr::Load { ptr, .. }) if is(ptr) => self.give(at, Role::Handle),
            (Role::Address, Instr::Sync { op: SyncOp::ThreadCreate, args, .. }) if is(args[0]) => Some(()),
            (
                Role::Address,
                Instr::ScopeBegin { ptr } | Instr::ScopeEnd { ptr } | Instr::EndObject { ptr },
            ) if is(ptr) => Some(()),
            (Role::Address, Instr::Free { ptr, .. }) if is(ptr) => Some(()),
            (Role::Handle, Instr::Sync { op: SyncOp::ThreadJoin, args, .. }) if is(args[0]) => {
                (args[1] == Operand::Int(0)).then_some(())
            }
            (Role::Handle, Instr::Initialised { value, .. }) if is(value) => Some(()),
            (Role::Own, Instr::Sync { op: SyncOp::ThreadDetach, args, .. }) if is(args[0]) => Some(()),
            _ => None,
        }
    }

    /// Whether globals with handles hold none at first, and no other global has
    /// their address.
    fn globals_are_plain(&self) -> bool {
        let is_plain = |id: &GlobalId| {
            let global = self.program.global(*id);
            let empty = global.init.iter().all(|byte| *byte == 0) && global.relocations.is_empty();
            empty && !global.thread_local && !global.constant
        };
        let mut relocations = self.program.globals.iter().flat_map(|global| &global.relocations);
        let is_ours = |target| matches!(target, Target::Global(id) if self.globals.contains(&id));
        self.globals.iter().all(is_plain) && !relocations.any(|relocation| is_ours(relocation.target))
    }
}

/// Whether two operands are the same register, or lie in the same global.
fn same(a: Operand, b: Operand) -> bool {
    match (a, b) {
        (Operand::Global(a, _), Operand::Global(b, _)) => a == b,
        (Operand::Reg(Reg(a)), Operand::Reg(Reg(b))) => a == b,
        _ => false,
    }
}
