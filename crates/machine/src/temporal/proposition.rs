//! Propositions.

use ir::{Callee, FuncId, GlobalId, Instr, LayoutId, LayoutKind, Operand, Pc, Program};
use ltl::{Access, Comparison, Condition, Term};

use crate::machine::Machine;
use crate::state::State;
use crate::telling::fault::ThreadId;
use crate::value::arith::narrow;

/// What may hold in a state.
#[derive(Clone, Debug)]
pub(crate) enum Proposition {
    /// A condition on global variables.
    Condition(Test),
    /// A thread is in one of these calls.
    Called(Vec<(FuncId, Pc)>),
    /// A thread's innermost call of a function stands at one of these instructions.
    At { thread: ThreadId, function: FuncId, pcs: Vec<Pc> },
    /// The process has ended.
    Terminated,
}

/// A condition whose variables are known.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Compare(Comparison, Number, Number),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

/// A number in a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Constant(i128),
    /// Some bits of a global variable.
    Global {
        global: GlobalId,
        bit: u64,
        width: u8,
        signed: bool,
    },
}

impl Proposition {
    /// What a name, a position or a condition means in a program.
    pub fn resolve(text: &str, program: &Program) -> Result<Proposition, String> {
        let calls = |name: &str| calls_of(program, name).into_iter().map(|(site, _)| site).collect();
        if text == "terminated" {
            return Ok(Proposition::Terminated);
        }
        if text == "progress" {
            return Ok(Proposition::Called(calls("tp_progress")));
        }
        if let Some((thread, at)) = text.split_once('@') {
            return position(thread, at, program).ok_or_else(|| {
                format!("`{text}` is no position: write T1@function:LINE, with a line that has code")
            });
        }
        if let Some(labels) = labelled(text, program)? {
            return Ok(Proposition::Called(labels));
        }
        let condition =
            Condition::parse(text).map_err(|error| format!("the proposition `{text}`, {error}"))?;
        Ok(Proposition::Condition(test(&condition, program)?))
    }

    /// The global variables that it looks at.
    pub fn globals(&self) -> Vec<GlobalId> {
        fn collect(test: &Test, found: &mut Vec<GlobalId>) {
            match test {
                Test::Compare(_, left, right) => {
                    for number in [left, right] {
                        if let Number::Global { global, .. } = number {
                            found.push(*global);
                        }
                    }
                }
                Test::Not(a) => collect(a, found),
                Test::And(a, b) | Test::Or(a, b) => {
                    collect(a, found);
                    collect(b, found);
                }
            }
        }
        let mut found = Vec::new();
        if let Proposition::Condition(test) = self {
            collect(test, &mut found);
        }
        found
    }
}

/// The direct calls of a function with this name, each with its first argument.
fn calls_of(program: &Program, name: &str) -> Vec<((FuncId, Pc), Option<Operand>)> {
    let is_it = |callee: FuncId| program.name(program.function(callee).name) == name;
    let mut found = Vec::new();
    for (function, number) in program.functions.iter().zip(0..) {
        for (instr, pc) in function.code.iter().zip(0..) {
            if let Instr::Call { callee: Callee::Direct(callee), args, .. } = instr
                && is_it(*callee)
            {
                found.push(((FuncId(number), pc), args.first().map(|arg| arg.value)));
            }
        }
    }
    found
}

/// The calls of `tp_label` with this name, if there are any. Every label of the program
/// must be a literal, or it could be any.
fn labelled(name: &str, program: &Program) -> Result<Option<Vec<(FuncId, Pc)>>, String> {
    let mut found = Vec::new();
    for ((function, pc), argument) in calls_of(program, "tp_label") {
        let literal = argument.and_then(|argument| literal(argument, program));
        let Some(literal) = literal else {
            let at = program.location(function, program.function(function).spans[pc as usize]);
            return Err(format!("the label at {at} is no string literal"));
        };
        if literal == name {
            found.push((function, pc));
        }
    }
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// The text of a string literal.
fn literal(operand: Operand, program: &Program) -> Option<String> {
    let Operand::Global(id, offset) = operand else { return None };
    let global = program.global(id);
    let bytes = global.init.get(usize::try_from(offset).ok()?..)?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    global.constant.then(|| String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// A thread's position: `worker:42`.
fn position(thread: &str, at: &str, program: &Program) -> Option<Proposition> {
    let thread = match thread.trim() {
        "main" => 0,
        thread => thread.strip_prefix('T')?.parse().ok()?,
    };
    let (name, line) = at.split_once(':')?;
    let line: u32 = line.trim().parse().ok()?;
    let is_it = |function: &ir::Function| program.name(function.name) == name.trim();
    let function = FuncId(program.functions.iter().position(is_it)? as u32);
    let spans = &program.function(function).spans;
    let stands = |pc: &Pc| program.location(function, spans[*pc as usize]).line == line;
    let pcs: Vec<Pc> = (0..spans.len() as Pc).filter(stands).collect();
    (!pcs.is_empty()).then_some(Proposition::At { thread: ThreadId(thread), function, pcs })
}

fn test(condition: &Condition, program: &Program) -> Result<Test, String> {
    let boxed = |condition: &Condition| test(condition, program).map(Box::new);
    Ok(match condition {
        Condition::Compare(comparison, left, right) => {
            Test::Compare(*comparison, number(left, program)?, number(right, program)?)
        }
        Condition::Not(a) => Test::Not(boxed(a)?),
        Condition::And(a, b) => Test::And(boxed(a)?, boxed(b)?),
        Condition::Or(a, b) => Test::Or(boxed(a)?, boxed(b)?),
    })
}

fn number(term: &Term, program: &Program) -> Result<Number, String> {
    let (name, path) = match term {
        Term::Number(number) => return Ok(Number::Constant(*number)),
        Term::Variable { name, path } => (name, path),
    };
    let same = |(_, global): &(usize, &ir::Global)| program.name(global.name) == name;
    let mut found = program.globals.iter().enumerate().filter(same);
    let (index, global) = found.next().ok_or_else(|| {
        format!("`{name}` is neither a global variable, a label, nor a name that --ap gives")
    })?;
    if found.next().is_some() {
        return Err(format!("there are several variables `{name}`"));
    }
    if global.undefined {
        return Err(format!("`{name}` is defined nowhere"));
    }
    if global.thread_local {
        return Err(format!("`{name}` is thread-local: each thread has its own"));
    }
    let layout = global.layout.ok_or_else(|| format!("the type of `{name}` is not known"))?;
    let (bit, bits, layout) = follow(name, path, layout, program)?;
    // C++ and C11 wrap atomic numbers in structures of one member.
    let (bit, bits, layout) = unwrapped(bit, bits, layout, program);
    let signed = match program.layouts.get(layout).kind {
        LayoutKind::Int { signed } => signed,
        LayoutKind::Bool | LayoutKind::Pointer { .. } => false,
        _ => return Err(format!("`{name}` is no number there: name a member or a cell")),
    };
    let fits = bits <= 64 && bit % 8 + bits <= 64 && (bit + bits).div_ceil(8) <= global.size;
    let width = u8::try_from(bits).ok().filter(|_| fits).ok_or_else(|| format!("`{name}` is too wide"))?;
    Ok(Number::Global { global: GlobalId(index as u32), bit, width, signed })
}

/// Where a path leads: the first bit, how many there are, and their type.
fn follow(
    name: &str,
    path: &[Access],
    layout: LayoutId,
    program: &Program,
) -> Result<(u64, u64, LayoutId), String> {
    let (mut bit, mut bits, mut layout) = (0, program.layouts.get(layout).size * 8, layout);
    for access in path {
        (bit, bits, layout) = match (access, &program.layouts.get(layout).kind) {
            (Access::Cell(index), LayoutKind::Array { element, count }) if index < count => {
                let size = program.layouts.get(*element).size * 8;
                (bit + index * size, size, *element)
            }
            (Access::Member(member), LayoutKind::Record { fields, .. }) => {
                let field = fields.iter().find(|field| program.name(field.name) == member);
                let field = field.ok_or_else(|| format!("`{name}` has no member `{member}` there"))?;
                (bit + field.bit_offset, field.bit_size, field.layout)
            }
            (Access::Cell(index), _) => return Err(format!("`{name}` has no cell {index} there")),
            (Access::Member(member), _) => return Err(format!("`{name}` has no member `{member}` there")),
        };
    }
    Ok((bit, bits, layout))
}

fn unwrapped(bit: u64, bits: u64, layout: LayoutId, program: &Program) -> (u64, u64, LayoutId) {
    match &program.layouts.get(layout).kind {
        LayoutKind::Record { fields, .. } => match &fields[..] {
            [only] if only.bit_size == bits => {
                unwrapped(bit + only.bit_offset, only.bit_size, only.layout, program)
            }
            _ => (bit, bits, layout),
        },
        _ => (bit, bits, layout),
    }
}

impl Machine {
    /// Whether a proposition holds in a state.
    pub(super) fn holds(&self, state: &State, ended: bool, proposition: &Proposition) -> bool {
        match proposition {
            Proposition::Condition(test) => self.passes(state, test),
            Proposition::Called(calls) => {
                !ended && state.alive().any(|thread| self.is_in(state, thread, calls))
            }
            Proposition::At { thread, function, pcs } => {
                let exists = thread.0 < state.thread_ids().len() as u32;
                let frames = || state.thread(*thread).frames.outwards();
                let innermost = || frames().find(|frame| frame.function == *function);
                !ended && exists && innermost().is_some_and(|frame| pcs.contains(&frame.pc))
            }
            Proposition::Terminated => ended,
        }
    }

    /// Whether all that conditions look at is known. Otherwise some of it depends on inputs.
    pub(super) fn is_letter_known(&self, state: &State) -> bool {
        let Some(temporal) = self.temporal() else { return true };
        let mut globals = temporal.propositions.iter().flat_map(Proposition::globals);
        let object = |global: GlobalId| state.memory.get(self.global(global));
        globals.all(|global| {
            object(global).is_none_or(|object| object.unknown.is_empty() && object.open.is_none())
        })
    }

    /// Whether a thread is in one of these calls: it has not returned yet.
    fn is_in(&self, state: &State, thread: ThreadId, calls: &[(FuncId, Pc)]) -> bool {
        let mut frames = state.thread(thread).frames.outwards().skip(1);
        frames.next().is_some_and(|caller| calls.contains(&(caller.function, caller.pc)))
    }

    fn passes(&self, state: &State, test: &Test) -> bool {
        match test {
            Test::Compare(comparison, left, right) => {
                comparison.holds(self.number(state, *left), self.number(state, *right))
            }
            Test::Not(a) => !self.passes(state, a),
            Test::And(a, b) => self.passes(state, a) && self.passes(state, b),
            Test::Or(a, b) => self.passes(state, a) || self.passes(state, b),
        }
    }

    /// What stands in a variable. A pointer is a number that is not 0; it can be told from
    /// NULL and from nothing else.
    fn number(&self, state: &State, number: Number) -> i128 {
        let (global, bit, width, signed) = match number {
            Number::Constant(number) => return number,
            Number::Global { global, bit, width, signed } => (global, bit, width, signed),
        };
        let (first, end) = (bit / 8, (bit + u64::from(width)).div_ceil(8));
        let value = match self.program().global(global).constant {
            true => self.constants.get(global).read(first, end - first, state.memory.word),
            false => self.global_value(state, global, first, end - first),
        };
        let Some(value) = value else { return 1 };
        if value.is_pointer() {
            return 1;
        }
        let bits = value.bits >> (bit % 8) & narrow::mask(width);
        if signed { narrow::signed(bits, width).into() } else { bits.into() }
    }
}
