//! What holds in every execution of a program, without running any.
//!
//! [`analyse`] tells which pairs of accesses may race, and for all other pairs
//! why they do not. It goes in four steps:
//!
//! 1. [`interpret`]: points-to, call graph and threads, in one fixpoint over
//!    abstract values. Functions are told apart by their calling contexts.
//! 2. [`shape`]: which threads and objects there is at most one instance of.
//! 3. [`flow`]: which locks are certainly held, which threads may have been
//!    created and have certainly ended, at every access.
//! 4. [`rules`]: why two accesses do not race.
//!
//! All of it is sound for what the machine does up to the first fault that ends
//! an execution, and up to the first race: the first race of an execution is
//! between two accesses of the list. No assumption is made about memory being
//! used well beyond that: an access goes where its pointer leads, or ends the
//! execution. What the analysis cannot follow makes it give up as a whole, with
//! the reason ([`NotKnown`]).

pub mod attempts;
pub mod counting;
pub mod elements;
pub mod escape;
pub mod eval;
pub mod event;
pub mod flow;
pub mod guards;
pub mod interference;
pub mod interpret;
pub mod invariants;
pub mod memory;
pub mod numbering;
pub mod omission;
pub mod rules;
pub mod shape;
pub mod table;
pub mod tickets;
pub mod value;

mod transfer;

use ir::{Failure, FuncId, Pc, Program};

use flow::FlowOf;
use interpret::Interpreter;
use invariants::Values;
use invariants::heads::Head;
use numbering::Numbering;
use omission::Omission;
use rules::Rules;
use shape::Shape;
use table::{Row, Writer};

/// An instruction that accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Its function.
    pub function: FuncId,
    /// Its position there.
    pub pc: Pc,
}

/// What is known of a program.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The pairs of accesses that may race.
    pub pairs: Vec<(Place, Place)>,
    /// How many accesses to shared memory there are.
    pub accesses: u64,
    /// An instruction that can be reached, as far as is known, and that the
    /// machine cannot execute: nothing is known of executions from there on.
    pub unsupported: Option<Place>,
}

impl Analysis {
    /// For each instruction of each function, whether its accesses can be in the
    /// first race of an execution.
    pub fn racing(&self, program: &Program) -> Vec<Box<[bool]>> {
        let none = |function: &ir::Function| vec![false; function.code.len()].into_boxed_slice();
        let mut racing: Vec<Box<[bool]>> = program.functions.iter().map(none).collect();
        for place in self.pairs.iter().flat_map(|(a, b)| [a, b]) {
            racing[place.function.0 as usize][place.pc as usize] = true;
        }
        racing
    }
}

/// Why nothing is known of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotKnown {
    /// The reason, in words.
    pub reason: String,
}

/// So many pairs of accesses are looked at, at most.
const MAX_PAIRS: usize = 4_000_000;

/// Analyses a program.
pub fn analyse(program: &Program) -> Result<Analysis, NotKnown> {
    solve(program, |interpreter, _, _, rules| conclude(interpreter, rules))
}

/// The same without a rule, or without a condition of one: what comes of it may be wrong. For tests.
pub fn analyse_without(program: &Program, omission: Omission) -> Result<Analysis, NotKnown> {
    solve_without(program, Some(omission), |interpreter, _, _, rules| conclude(interpreter, rules))
}

/// The same with a row for each shared variable.
pub fn explain(program: &Program) -> Result<(Analysis, Vec<Row>), NotKnown> {
    solve(program, |interpreter, shape, _, rules| {
        (conclude(interpreter, rules), Writer { interpreter, shape, rules }.rows())
    })
}

/// What is known of values, up to the first failure of interest that can be
/// reached. If there is none, no execution fails in a way of interest before
/// another fault that ends it.
pub fn values(program: &Program, interests: &dyn Fn(Failure) -> bool) -> Result<Values, NotKnown> {
    let found = solve(program, |interpreter, _, flow, rules| {
        invariants::values(interpreter, flow, rules, interests)
    })?;
    found.ok_or_else(too_long)
}

/// What holds of global variables at the heads of loops, in executions up to the
/// first fault that ends them.
pub fn heads(program: &Program) -> Result<Vec<Head>, NotKnown> {
    let found =
        solve(program, |interpreter, _, flow, rules| invariants::heads::heads(interpreter, flow, rules))?;
    found.ok_or_else(too_long)
}

/// For each instruction of each function, whether it accesses memory and no other
/// thread can make an access that conflicts while it is about to be executed.
/// This holds in executions up to the first fault that ends them, races or not.
pub fn undisturbed(program: &Program) -> Result<Vec<Box<[bool]>>, NotKnown> {
    solve(program, |interpreter, _, _, rules| {
        let none = |function: &ir::Function| vec![false; function.code.len()].into_boxed_slice();
        let mut found: Vec<Box<[bool]>> = program.functions.iter().map(none).collect();
        let mut mark = |places: &rules::Places, to: bool| {
            for (node, pc) in places {
                found[interpreter.nodes[*node as usize].func.0 as usize][*pc as usize] = to;
            }
        };
        let uses = || rules.uses.values().flatten();
        uses().for_each(|(_, places)| mark(places, true));
        uses().filter(|(each, _)| !rules.is_undisturbed(each)).for_each(|(_, places)| mark(places, false));
        found
    })
}

/// Whether no instruction can be reached, as far as is known, that the machine
/// cannot execute. Nothing is known of executions from there on.
pub fn reaches_nothing_unsupported(program: &Program) -> bool {
    Interpreter::run(program).is_ok_and(|interpreter| interpreter.unsupported.is_none())
}

/// The instructions that can be reached, as far as is known; ascending.
pub fn reachable(program: &Program) -> Result<Vec<Place>, NotKnown> {
    let interpreter = Interpreter::run(program).map_err(|reason| NotKnown { reason })?;
    let mut reached = Vec::new();
    for node in &interpreter.nodes {
        let blocks = interpreter.blocks(node.func);
        for (index, _) in node.blocks.iter().enumerate().filter(|(_, block)| block.reached) {
            reached.extend(blocks.range(index).map(|pc| Place { function: node.func, pc: pc as Pc }));
        }
    }
    reached.sort_unstable();
    reached.dedup();
    Ok(reached)
}

/// Takes all steps and uses what comes of them.
fn solve<T>(
    program: &Program,
    then: impl FnOnce(&Interpreter<'_>, &Shape, &FlowOf<'_, '_>, &Rules<'_, '_>) -> T,
) -> Result<T, NotKnown> {
    solve_without(program, None, then)
}

fn solve_without<T>(
    program: &Program,
    omission: Option<Omission>,
    then: impl FnOnce(&Interpreter<'_>, &Shape, &FlowOf<'_, '_>, &Rules<'_, '_>) -> T,
) -> Result<T, NotKnown> {
    let interpreter = Interpreter::run(program).map_err(|reason| NotKnown { reason })?;
    let shape = Shape::of(&interpreter);
    let numbering = Numbering::of(&interpreter);
    let flow = FlowOf::new(&interpreter, &shape, &numbering).ok_or_else(too_long)?;
    let rules = Rules::new(&interpreter, &shape, &numbering, &flow, omission);
    let pairs: usize = rules.uses.values().map(|uses| uses.len() * uses.len()).sum();
    if pairs > MAX_PAIRS {
        return Err(too_long());
    }
    Ok(then(&interpreter, &shape, &flow, &rules))
}

fn too_long() -> NotKnown {
    NotKnown { reason: "the analysis would take too long".to_owned() }
}

fn conclude(interpreter: &Interpreter<'_>, rules: &Rules<'_, '_>) -> Analysis {
    let unsupported = interpreter.unsupported.map(|(function, pc)| Place { function, pc });
    let shared = rules.uses.iter().filter(|(obj, _)| rules.is_shared(**obj));
    let accesses = shared.flat_map(|(_, uses)| uses).map(|(_, places)| places.len() as u64).sum();
    Analysis { pairs: racing_pairs(interpreter, rules), accesses, unsupported }
}

fn racing_pairs(interpreter: &Interpreter<'_>, rules: &Rules<'_, '_>) -> Vec<(Place, Place)> {
    let place = |(node, pc): &(memory::NodeIx, Pc)| Place {
        function: interpreter.nodes[*node as usize].func,
        pc: *pc,
    };
    let mut pairs = Vec::new();
    for uses in rules.uses.values() {
        for (index, (a, a_places)) in uses.iter().enumerate() {
            for (b, b_places) in &uses[index..] {
                if rules.separate(a, b).is_none() {
                    let all =
                        a_places.iter().flat_map(|a| b_places.iter().map(move |b| (place(a), place(b))));
                    pairs.extend(all.map(|(a, b)| (a.min(b), a.max(b))));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
