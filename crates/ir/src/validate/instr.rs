//! Rules for one instruction.

use super::{Check, check_layout, check_reg, check_symbol, check_width, ensure};
use crate::domain::Domain;
use crate::instr::*;
use crate::program::{Function, Program};

/// Checks one instruction of a function.
pub(super) fn check(program: &Program, function: &Function, instr: &Instr) -> Check {
    stated_widths(instr).into_iter().try_for_each(check_width)?;
    let rules = Rules { program, function };
    rules.uses(instr)?;
    rules.defs(instr)?;
    rules.targets(instr)?;
    rules.shape(instr)
}

struct Rules<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Rules<'_> {
    fn uses(&self, instr: &Instr) -> Check {
        let mut result = Ok(());
        instr.for_each_use(|operand, width| {
            if result.is_ok() {
                result = self.operand(operand, self.width_or_pointer(width));
            }
        });
        result
    }

    fn operand(&self, operand: Operand, width: u8) -> Check {
        check_width(width)?;
        let pointer = width == self.program.pointer_width;
        match operand {
            Operand::Reg(reg) => check_reg(self.function, reg, width),
            Operand::Int(value) => {
                ensure(fits(value, width), || format!("{value:#x} is no constant of {width} bits"))
            }
            Operand::WideInt(value) => {
                ensure(width > 64, || format!("wide constant {value} of {width} bits"))
            }
            Operand::Global(id, _) => {
                ensure((id.0 as usize) < self.program.globals.len(), || format!("no global {}", id.0))?;
                ensure(pointer, || format!("address used as {width} bits"))
            }
            Operand::Function(id) => {
                ensure((id.0 as usize) < self.program.functions.len(), || format!("no function {}", id.0))?;
                ensure(pointer, || format!("address used as {width} bits"))
            }
            Operand::Undef => Ok(()),
        }
    }

    fn defs(&self, instr: &Instr) -> Check {
        let mut seen: Vec<Reg> = Vec::new();
        let mut result = Ok(());
        instr.for_each_def(|reg, width| {
            let twice = seen.contains(&reg);
            if result.is_ok() {
                let width = if width == 0 { self.own_width(instr, seen.len(), reg) } else { width };
                result = check_width(width)
                    .and_then(|()| check_reg(self.function, reg, width))
                    .and_then(|()| ensure(!twice, || format!("%{} is written twice", reg.0)));
            }
            seen.push(reg);
        });
        result
    }

    /// The width of the `index`-th result where the instruction leaves it to
    /// the slot.
    fn own_width(&self, instr: &Instr, index: usize, reg: Reg) -> u8 {
        let slot = || self.function.slots.get(reg.0 as usize).map_or(1, |slot| slot.width);
        match instr {
            Instr::Call { callee: Callee::Direct(id), .. } => self
                .program
                .functions
                .get(id.0 as usize)
                .and_then(|callee| callee.results.get(index).copied())
                .unwrap_or_else(slot),
            Instr::Call { .. } => slot(),
            Instr::Sync { op, .. } => op.result_width(self.program.pointer_width),
            _ => self.program.pointer_width,
        }
    }

    fn targets(&self, instr: &Instr) -> Check {
        let mut result = Ok(());
        instr.for_each_target(|pc| {
            if result.is_ok() {
                result = ensure((pc as usize) < self.function.code.len(), || format!("no instruction {pc}"));
            }
        });
        result
    }

    /// What the operands' widths do not say.
    fn shape(&self, instr: &Instr) -> Check {
        match instr {
            Instr::Cast { op, from, to, .. } => cast(*op, *from, *to),
            Instr::FloatBinary { op, width, .. } => float_op(op.is_native_only(), *width),
            Instr::FloatUnary { op, width, .. } => float_op(op.is_native_only(), *width),
            Instr::FloatCompare { width, .. } => float_width(*width),
            Instr::Alloca { align, var, .. } => {
                ensure(align.is_power_of_two(), || format!("alignment {align} is no power of two"))?;
                check_layout(self.program, var.and_then(|v| v.layout))?;
                var.map_or(Ok(()), |v| check_symbol(self.program, v.name))
            }
            Instr::Load { access: Access { order, .. }, .. } => {
                ensure(!matches!(order, Some(Order::Release | Order::AcqRel)), || {
                    "a load releases".to_owned()
                })
            }
            Instr::Store { access: Access { order, .. }, .. } => {
                ensure(!matches!(order, Some(Order::Acquire | Order::AcqRel)), || {
                    "a store acquires".to_owned()
                })
            }
            Instr::CompareExchange(cx) => {
                ensure(!cx.failure.releases() || cx.failure == Order::SeqCst, || {
                    "a failure releases".to_owned()
                })
            }
            Instr::Call { callee: Callee::Direct(id), args, dsts } => self.call(id.0, args, dsts.len()),
            Instr::Return { values } => self.returned(values),
            Instr::Switch { width, cases, .. } => switch(*width, cases),
            Instr::Nondet { width, domain, origin, .. } => {
                check_symbol(self.program, *origin)?;
                check_domain(domain, *width)
            }
            Instr::Fail { message: symbol, .. }
            | Instr::Unsupported { what: symbol }
            | Instr::Initialised { what: symbol, .. } => check_symbol(self.program, *symbol),
            Instr::Sync { op, args, .. } => ensure(args.len() == op.arity(), || {
                format!("{} operands instead of {}", args.len(), op.arity())
            }),
            _ => Ok(()),
        }
    }

    fn call(&self, callee: u32, args: &[Arg], results: usize) -> Check {
        let callee =
            self.program.functions.get(callee as usize).ok_or_else(|| format!("no function {callee}"))?;
        let (given, wanted) = (args.len(), callee.params.len());
        ensure(given == wanted || callee.variadic && given > wanted, || {
            format!("{given} arguments for {wanted} parameters")
        })?;
        for (index, (arg, param)) in args.iter().zip(&callee.params).enumerate() {
            ensure(arg.width == param.width, || {
                format!("argument {index} has width {}, the parameter {}", arg.width, param.width)
            })?;
        }
        ensure(results == 0 || results == callee.results.len(), || {
            format!("takes {results} results of {}", callee.results.len())
        })
    }

    fn returned(&self, values: &[Arg]) -> Check {
        let widths: Vec<u8> = values.iter().map(|v| v.width).collect();
        ensure(widths == self.function.results, || {
            format!("returns widths {widths:?} instead of {:?}", self.function.results)
        })
    }

    fn width_or_pointer(&self, width: u8) -> u8 {
        if width == 0 { self.program.pointer_width } else { width }
    }
}

/// The widths that stand in the instruction: there 0 does not mean anything.
fn stated_widths(instr: &Instr) -> Vec<u8> {
    match instr {
        Instr::Move { width, .. }
        | Instr::Binary { width, .. }
        | Instr::Unary { width, .. }
        | Instr::Overflows { width, .. }
        | Instr::Compare { width, .. }
        | Instr::Select { width, .. }
        | Instr::FloatBinary { width, .. }
        | Instr::FloatUnary { width, .. }
        | Instr::FloatCompare { width, .. }
        | Instr::Load { width, .. }
        | Instr::Store { width, .. }
        | Instr::AtomicRmw { width, .. }
        | Instr::Switch { width, .. }
        | Instr::Initialised { width, .. }
        | Instr::Nondet { width, .. } => vec![*width],
        Instr::Cast { from, to, .. } => vec![*from, *to],
        Instr::CompareExchange(cx) => vec![cx.width],
        Instr::Call { args, .. } | Instr::Return { values: args } => args.iter().map(|a| a.width).collect(),
        _ => Vec::new(),
    }
}

fn cast(op: CastOp, from: u8, to: u8) -> Check {
    match op {
        CastOp::Trunc => ensure(from > to, || format!("truncates {from} to {to} bits")),
        CastOp::ZExt | CastOp::SExt => ensure(from < to, || format!("extends {from} to {to} bits")),
        CastOp::FloatToSigned | CastOp::FloatToUnsigned => float_width(from),
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => float_width(to),
        CastOp::FloatToFloat => float_width(from).and_then(|()| float_width(to)),
    }
}

fn float_width(width: u8) -> Check {
    ensure(matches!(width, 16 | 32 | 64 | 80), || format!("a float of {width} bits"))
}

fn float_op(native_only: bool, width: u8) -> Check {
    float_width(width)?;
    ensure(!native_only || matches!(width, 32 | 64), || format!("this operation on {width} bits"))
}

fn switch(width: u8, cases: &[(u64, u32)]) -> Check {
    ensure(width <= 64, || format!("switch over {width} bits"))?;
    let mut values: Vec<u64> = cases.iter().map(|(value, _)| *value).collect();
    values.sort_unstable();
    ensure(values.windows(2).all(|pair| pair[0] != pair[1]), || "a case stands twice".to_owned())?;
    ensure(values.iter().all(|v| fits(*v, width)), || format!("a case has more than {width} bits"))
}

fn check_domain(domain: &Domain, width: u8) -> Check {
    let values_fit = match domain {
        Domain::Full => true,
        Domain::Range { first, .. } => fits(*first, width),
        Domain::Classes(values) => values.iter().all(|v| fits(*v, width)),
    };
    ensure(values_fit, || format!("the domain has values of more than {width} bits"))?;
    ensure(domain.count(width) != Some(0), || "the domain is empty".to_owned())
}

/// Whether a zero-extended constant is one of this width.
fn fits(value: u64, width: u8) -> bool {
    width == 64 || width < 64 && value >> width == 0
}
