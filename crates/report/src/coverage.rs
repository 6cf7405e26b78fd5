//! What of the source was executed: lines, branches, assertions, threads. A
//! proof that never comes to an assertion says nothing about it.
//!
//! Code that can only fail, such as the call behind an assertion's condition, is
//! not meant to be executed and is not counted.

use std::collections::BTreeMap;

use ir::{Callee, Failure, FuncId, Function, Instr, Location, Operand, Pc, Program, Span, SyncOp};
use machine::{Executed, Machine};
use serde::Serialize;

/// What was executed, in the order of the source. Functions of libraries are
/// left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Whether all that counts as executed is so in some execution. Otherwise
    /// the engine also looks at steps that no execution takes; what is not
    /// executed is never executed all the same.
    pub exact: bool,
    /// The functions, and whether they were called.
    pub functions: Vec<Covered>,
    /// The lines with code, and whether any of it was executed.
    pub lines: Vec<Covered>,
    /// The two outcomes of each condition, and whether they were met. A
    /// condition has no outcome that only leads to a failure.
    pub branches: Vec<Branch>,
    /// The assertions, and whether their conditions were ever asked for.
    pub assertions: Vec<Covered>,
    /// The functions that threads are created with, and whether any was started.
    pub threads: Vec<Covered>,
}

/// A place, and whether it was executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Covered {
    /// The place.
    #[serde(flatten)]
    pub at: Location,
    /// Whether it was executed.
    #[serde(skip)]
    pub executed: bool,
}

/// An outcome of a condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Branch {
    /// Where the condition stands.
    #[serde(flatten)]
    pub at: Location,
    /// Which outcome.
    pub holds: bool,
    /// Whether the condition was asked for at all.
    pub asked: bool,
    /// Whether this was its outcome.
    #[serde(skip)]
    pub executed: bool,
}

impl Coverage {
    /// What was executed on a machine so far, by an engine that only looks at
    /// executions, or by one that does not.
    pub fn of(machine: &Machine, exact: bool) -> Coverage {
        let program = machine.program();
        let doomed = Doomed::of(program);
        let mut places = Places::default();
        for (function, id) in program.functions.iter().zip((0..).map(FuncId)) {
            let executed = machine.executed(id);
            places.threads(program, machine, function);
            if !function.library && function.span.is_known() {
                places.function(program, id, &executed, &doomed);
            }
        }
        Coverage { exact, ..places.into_coverage() }
    }
}

/// The instructions from which every way leads to a failure.
struct Doomed(Vec<Vec<bool>>);

impl Doomed {
    fn of(program: &Program) -> Doomed {
        let mut doomed = Doomed(program.functions.iter().map(|f| vec![false; f.code.len()]).collect());
        while (0..program.functions.len()).rev().any(|id| doomed.spread(program, id)) {}
        doomed
    }

    /// Finds further instructions in a function. Yields whether there are any.
    fn spread(&mut self, program: &Program, id: usize) -> bool {
        let code = &program.functions[id].code;
        let mut more = false;
        for pc in (0..code.len()).rev() {
            let is = self.fails(&code[pc]) || self.leads_to(id, pc, &code[pc]);
            more |= is && !self.0[id][pc];
            self.0[id][pc] |= is;
        }
        more
    }

    /// Whether an instruction fails by itself.
    fn fails(&self, instr: &Instr) -> bool {
        match instr {
            Instr::Fail { kind, .. } => matches!(kind, Failure::Assertion | Failure::ErrorCall),
            Instr::Call { callee: Callee::Direct(callee), .. } => self.has(*callee, 0),
            Instr::Unreachable => true,
            _ => false,
        }
    }

    fn leads_to(&self, id: usize, pc: usize, instr: &Instr) -> bool {
        let (mut targets, mut all) = (0, true);
        instr.for_each_target(|target| {
            targets += 1;
            all &= self.0[id][target as usize];
        });
        let falls_through = !instr.is_terminator();
        targets > 0 && all || falls_through && self.0[id].get(pc + 1) == Some(&true)
    }

    /// The doomed instructions that executed ones lead to: the condition that
    /// keeps them from being executed was asked for.
    fn approached(&self, id: FuncId, function: &Function, executed: &Executed) -> Vec<bool> {
        let (code, mut approached) = (&function.code, vec![false; function.code.len()]);
        let mut work: Vec<usize> = (0..code.len()).filter(|pc| executed.instructions[*pc]).collect();
        while let Some(pc) = work.pop() {
            let mut lead = |to: usize| {
                if self.has(id, to as Pc) && !std::mem::replace(&mut approached[to], true) {
                    work.push(to);
                }
            };
            if !self.fails(&code[pc]) {
                code[pc].for_each_target(|target| lead(target as usize));
                if !code[pc].is_terminator() {
                    lead(pc + 1);
                }
            }
        }
        approached
    }

    fn has(&self, function: FuncId, pc: Pc) -> bool {
        self.0[function.0 as usize].get(pc as usize) == Some(&true)
    }
}

/// A place in the source: file, line and column, so that places are in order.
type Key = (String, u32, u32);

/// What was found so far. Functions that were made several times from one
/// source, as templates are, count as one.
#[derive(Default)]
struct Places {
    functions: BTreeMap<Key, Covered>,
    lines: BTreeMap<Key, Covered>,
    branches: BTreeMap<(Key, bool), Branch>,
    assertions: BTreeMap<Key, Covered>,
    threads: BTreeMap<Key, Covered>,
}

impl Places {
    fn function(&mut self, program: &Program, id: FuncId, executed: &Executed, doomed: &Doomed) {
        let function = program.function(id);
        if doomed.has(id, 0) {
            return;
        }
        let called = executed.instructions.first() == Some(&true);
        note(&mut self.functions, program.location(id, function.span), called);
        let approached = doomed.approached(id, function, executed);
        for (pc, instr) in function.code.iter().enumerate() {
            let span = function.spans[pc];
            let Some(at) = known(program, id, span) else { continue };
            // Of inlined code of a library, only the call is the program's.
            if !span.inlined && doomed.fails(instr) && !matches!(instr, Instr::Unreachable) {
                note(&mut self.assertions, at.clone(), approached[pc]);
            }
            if doomed.has(id, pc as Pc) {
                continue;
            }
            note(&mut self.lines, Location { column: 0, ..at.clone() }, executed.instructions[pc]);
            if let Instr::Branch { yes, no, .. } = *instr
                && !span.inlined
            {
                let went = executed.branches[pc];
                let outcomes = [(true, yes, went.0), (false, no, went.1)];
                for (holds, _, went) in outcomes.into_iter().filter(|(_, target, _)| !doomed.has(id, *target))
                {
                    self.branch(&at, holds, executed.instructions[pc], went);
                }
            }
        }
    }

    fn branch(&mut self, at: &Location, holds: bool, asked: bool, executed: bool) {
        let new = || Branch { at: at.clone(), holds, asked: false, executed: false };
        let branch = self.branches.entry((key(at), holds)).or_insert_with(new);
        branch.asked |= asked;
        branch.executed |= executed;
    }

    /// The functions that a function creates threads with.
    fn threads(&mut self, program: &Program, machine: &Machine, function: &Function) {
        for instr in &function.code {
            let Instr::Sync { op: SyncOp::ThreadCreate, args, .. } = instr else { continue };
            let Operand::Function(started) = args[2] else { continue };
            let Some(at) = known(program, started, program.function(started).span) else { continue };
            let executed = machine.executed(started).instructions.first() == Some(&true);
            note(&mut self.threads, at, executed);
        }
    }

    fn into_coverage(self) -> Coverage {
        Coverage {
            exact: true,
            functions: self.functions.into_values().collect(),
            lines: self.lines.into_values().collect(),
            branches: self.branches.into_values().collect(),
            assertions: self.assertions.into_values().collect(),
            threads: self.threads.into_values().collect(),
        }
    }
}

fn key(at: &Location) -> Key {
    (at.file.clone(), at.line, at.column)
}

fn note(places: &mut BTreeMap<Key, Covered>, at: Location, executed: bool) {
    let key = key(&at);
    places.entry(key).or_insert(Covered { at, executed: false }).executed |= executed;
}

fn known(program: &Program, function: FuncId, span: Span) -> Option<Location> {
    span.is_known().then(|| program.location(function, span))
}
