//! What holds of global variables whenever a thread is at the head of a loop.
//!
//! Where all threads that come there find a variable stable, its values there are
//! those that the fixpoint has for the head in any calling context. Where one does
//! not, they are all values that the variable ever has.
//!
//! A loop that is left at its head (`while`, `for`) evaluates its condition there.
//! Of others, as `do`, the place in the source at which a reader would look is
//! another one than the head; of these only what always holds is told.

use ir::{FuncId, GlobalId, Instr, Location, Loop, Pc};

use super::interval::Interval;
use super::walk::Walk;
use crate::flow::FlowOf;
use crate::interpret::Interpreter;
use crate::memory::Kind;
use crate::rules::Rules;

/// The head of a loop.
#[derive(Clone, Debug)]
pub struct Head {
    /// The function.
    pub function: FuncId,
    /// The first instruction.
    pub pc: Pc,
    /// Where it is in the source.
    pub at: Location,
    /// What holds there.
    pub ranges: Vec<Range>,
}

/// The values of a part of a global variable, read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The variable.
    pub global: GlobalId,
    /// Where in it.
    pub offset: u64,
    /// How many bytes.
    pub bytes: u64,
    /// The values.
    pub values: Interval,
}

/// The heads of the loops that threads come to. `None` if it would take too long.
pub(crate) fn heads(
    interpreter: &Interpreter<'_>,
    flow: &FlowOf<'_, '_>,
    rules: &Rules<'_, '_>,
) -> Option<Vec<Head>> {
    let walk = Walk::new(interpreter, flow, rules, &|_| false).run()?;
    let entered = |each: &Loop| interpreter.nodes.iter().any(|node| node.func == each.function);
    let loops = interpreter.program.loops().into_iter().filter(entered);
    let head = |each: Loop| {
        let ranges = ranges(&walk, &each);
        (!ranges.is_empty()).then_some(Head { function: each.function, pc: each.head, at: each.at, ranges })
    };
    Some(loops.filter_map(head).collect())
}

/// What is known of variables at the head of a loop, if a thread comes there.
fn ranges(walk: &Walk<'_, '_>, each: &Loop) -> Vec<Range> {
    let blocks = walk.interpreter.blocks(each.function);
    let block = blocks.containing(each.head);
    let code = &walk.program.function(each.function).code;
    let leaves = match code[blocks.range(block).end - 1] {
        Instr::Branch { yes, no, .. } => !each.contains(yes) || !each.contains(no),
        _ => false,
    };
    let mut ranges = Vec::new();
    for (index, cell) in walk.cells.all.iter().enumerate() {
        let Kind::Global(global) = walk.interpreter.memory.get(cell.obj).kind else { continue };
        if walk.program.global(global).constant {
            continue;
        }
        let Some(there) = walk.at_block(each.function, block, index) else { continue };
        let values = if leaves { there } else { walk.always(index) };
        if values != Interval::all(cell.width()) {
            ranges.push(Range { global, offset: cell.off as u64, bytes: cell.len, values });
        }
    }
    ranges
}
