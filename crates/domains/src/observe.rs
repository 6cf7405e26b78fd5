//! What the program observes of a value from some positions on.
//!
//! Registers are mutable, so the question "which uses does the value reach"
//! is one of reaching definitions. It is answered fact by fact: a [`Fact`]
//! says that a register may hold a view of the value at a position; a use of
//! the register there is an observation, a copy makes a new fact, a definition
//! ends the fact, and what is left of it goes on to the successors. Facts enter
//! callees through arguments and leave them through results, to all callers.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use ir::*;

use crate::fold;
use crate::view::{View, cuts, swapped};

/// Bits that may be observed as they are: all their values are enumerated.
const SMALL_BITS: u8 = 8;

/// The largest period of the observations together.
const MAX_PERIOD: u64 = 4096;

/// A register may hold a view of the value before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Fact {
    pub function: FuncId,
    pub pc: Pc,
    pub reg: Reg,
    pub view: View,
}

/// One thing that the program gets to know of the value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Observation {
    /// The outcome of a comparison with a constant.
    Compare(View, Pred, u64),
    /// Where a switch goes.
    Switch(View, Box<[(u64, Pc)]>, Pc),
    /// The result of an operation with a constant.
    Binary(View, BinOp, u64),
    /// The view itself.
    Value(View),
}

/// All that the program gets to know of the value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Observations {
    /// The value's width.
    width: u8,
    list: Vec<Observation>,
    /// Where (in either half of the values) a comparison's outcome changes.
    pub cuts: BTreeSet<u64>,
    /// Between cuts, the other observations repeat with this period.
    pub period: u64,
}

impl Observations {
    /// What the program observes of this value.
    pub fn of(&self, value: u64) -> Vec<u64> {
        self.list.iter().map(|observation| observation.of(value)).collect()
    }

    /// Adds an observation; `None` if it tells too many values apart.
    fn add(&mut self, observation: Observation) -> Option<()> {
        if self.list.contains(&observation) {
            return Some(());
        }
        let view = observation.view();
        match &observation {
            _ if view.bits <= SMALL_BITS => self.repeats(1 << view.bits)?,
            // Some middle bits: neither monotone nor of a small period.
            _ if view.bits < self.width => return None,
            Observation::Compare(_, _, constant) => self.cuts.extend(cuts(view, *constant)),
            Observation::Switch(_, cases, _) => {
                self.cuts.extend(cases.iter().flat_map(|(case, _)| cuts(view, *case)));
            }
            Observation::Binary(_, op, constant) => self.repeats(period(*op, *constant, view.width)?)?,
            Observation::Value(_) => return None,
        }
        self.list.push(observation);
        Some(())
    }

    fn repeats(&mut self, period: u64) -> Option<()> {
        self.period = self.period / gcd(self.period, period) * period;
        (self.period <= MAX_PERIOD).then_some(())
    }
}

impl Observation {
    fn view(&self) -> View {
        match self {
            Observation::Compare(view, ..)
            | Observation::Switch(view, ..)
            | Observation::Binary(view, ..)
            | Observation::Value(view) => *view,
        }
    }

    fn of(&self, value: u64) -> u64 {
        let shown = self.view().of(value);
        match self {
            Observation::Compare(view, pred, constant) => {
                u64::from(fold::compare(*pred, view.width, shown, *constant))
            }
            Observation::Switch(_, cases, default) => {
                let case = cases.iter().find(|(case, _)| *case == shown);
                u64::from(case.map_or(*default, |(_, pc)| *pc))
            }
            Observation::Binary(view, op, constant) => {
                fold::binary(*op, view.width, shown, *constant).unwrap_or(shown)
            }
            Observation::Value(_) => shown,
        }
    }
}

/// With which period the results of an operation with a constant repeat,
/// within either half of the values; `None` if not with a small one.
fn period(op: BinOp, constant: u64, width: u8) -> Option<u64> {
    let period = match op {
        BinOp::And => u64::checked_next_power_of_two(constant.checked_add(1)?)?,
        BinOp::URem => constant,
        // The smallest value modulo -1 is a fault of its own.
        BinOp::SRem if constant != fold::mask(width) => fold::signed(constant, width).unsigned_abs(),
        _ => return None,
    };
    (1..=1 << SMALL_BITS).contains(&period).then_some(period)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What is known of the whole program: which functions call which, what is live
/// where.
pub(crate) struct Context {
    /// The direct calls of each function.
    sites: Vec<Vec<(FuncId, Pc)>>,
    /// Whether the function may also be called in other ways.
    escapes: Vec<bool>,
    /// Computed for the functions that a value gets to.
    liveness: Vec<OnceCell<Liveness>>,
}

impl Context {
    pub fn of(program: &Program) -> Context {
        let count = program.functions.len();
        let mut context = Context {
            sites: vec![Vec::new(); count],
            escapes: vec![false; count],
            liveness: vec![OnceCell::new(); count],
        };
        for relocation in program.globals.iter().flat_map(|g| &g.relocations) {
            if let Target::Function(id) = relocation.target {
                context.escapes[id.0 as usize] = true;
            }
        }
        for (id, function) in program.functions.iter().enumerate() {
            for (pc, instr) in function.code.iter().enumerate() {
                context.add(FuncId(id as u32), pc as Pc, instr);
            }
        }
        context
    }

    fn is_live(&self, program: &Program, fact: &Fact) -> bool {
        let liveness = self.liveness[fact.function.0 as usize]
            .get_or_init(|| Liveness::of(program.function(fact.function)));
        liveness.slots_at(fact.pc).binary_search(&fact.reg.0).is_ok()
    }

    fn add(&mut self, caller: FuncId, pc: Pc, instr: &Instr) {
        if let Instr::Call { callee: Callee::Direct(callee), .. } = instr {
            self.sites[callee.0 as usize].push((caller, pc));
        }
        instr.for_each_use(|operand, _| {
            if let Operand::Function(id) = operand {
                self.escapes[id.0 as usize] = true;
            }
        });
    }
}

/// What the program observes of a value of this width from these facts on;
/// `None` if that tells too many values apart.
pub(crate) fn observations(
    program: &Program,
    context: &Context,
    width: u8,
    facts: impl IntoIterator<Item = Fact>,
) -> Option<Observations> {
    let all = Observations { width, list: Vec::new(), cuts: BTreeSet::new(), period: 1 };
    let mut flow = Flow { program, context, seen: BTreeSet::new(), work: Vec::new(), all };
    facts.into_iter().for_each(|fact| flow.reach(fact));
    while let Some(fact) = flow.work.pop() {
        flow.visit(fact)?;
    }
    Some(flow.all)
}

struct Flow<'a> {
    program: &'a Program,
    context: &'a Context,
    seen: BTreeSet<Fact>,
    work: Vec<Fact>,
    all: Observations,
}

impl Flow<'_> {
    fn reach(&mut self, fact: Fact) {
        if self.context.is_live(self.program, &fact) && self.seen.insert(fact) {
            self.work.push(fact);
        }
    }

    fn visit(&mut self, fact: Fact) -> Option<()> {
        let function = self.program.function(fact.function);
        let instr = &function.code[fact.pc as usize];
        let mut used = false;
        instr.for_each_use(|operand, _| used |= operand == Operand::Reg(fact.reg));
        if used {
            self.visit_use(fact, instr)?;
        }
        let mut defined = false;
        instr.for_each_def(|reg, _| defined |= reg == fact.reg);
        if !defined {
            self.go_on(function, fact, fact.reg, fact.view);
        }
        Some(())
    }

    fn visit_use(&mut self, fact: Fact, instr: &Instr) -> Option<()> {
        let (view, operand) = (fact.view, Operand::Reg(fact.reg));
        let function = self.program.function(fact.function);
        match instr {
            Instr::Move { dst, .. } => self.go_on(function, fact, *dst, view),
            // What was chosen is initialised.
            Instr::Initialised { .. } => {}
            Instr::Select { cond, dst, .. } if *cond != operand => self.go_on(function, fact, *dst, view),
            Instr::Cast { op, to, dst, .. } => match view.cast(*op, *to) {
                Some(view) => self.go_on(function, fact, *dst, view),
                None => self.all.add(Observation::Value(view))?,
            },
            Instr::Compare { pred, lhs, rhs: Operand::Int(constant), .. } if *lhs == operand => {
                self.all.add(Observation::Compare(view, *pred, *constant))?;
            }
            Instr::Compare { pred, lhs: Operand::Int(constant), rhs, .. } if *rhs == operand => {
                self.all.add(Observation::Compare(view, swapped(*pred), *constant))?;
            }
            Instr::Switch { cases, default, .. } => {
                self.all.add(Observation::Switch(view, cases.clone(), *default))?;
            }
            Instr::Binary { op, lhs, rhs: Operand::Int(constant), .. } if *lhs == operand => {
                self.observe_binary(view, *op, *constant)?;
            }
            Instr::Binary { op: BinOp::And, lhs: Operand::Int(constant), .. } => {
                self.observe_binary(view, BinOp::And, *constant)?;
            }
            Instr::Call { callee: Callee::Direct(callee), args, .. } => {
                self.enter(view, operand, *callee, args)?
            }
            Instr::Return { values } => self.leave(fact, values)?,
            _ => self.all.add(Observation::Value(view))?,
        }
        Some(())
    }

    fn observe_binary(&mut self, view: View, op: BinOp, constant: u64) -> Option<()> {
        let folds = matches!(op, BinOp::And | BinOp::URem | BinOp::SRem);
        self.all.add(if folds { Observation::Binary(view, op, constant) } else { Observation::Value(view) })
    }

    /// The view is in this register before each successor.
    fn go_on(&mut self, function: &Function, fact: Fact, reg: Reg, view: View) {
        let instr = &function.code[fact.pc as usize];
        instr.for_each_target(|pc| self.reach(Fact { pc, reg, view, ..fact }));
        if !instr.is_terminator() {
            self.reach(Fact { pc: fact.pc + 1, reg, view, ..fact });
        }
    }

    /// The value goes into a function's parameters.
    fn enter(&mut self, view: View, operand: Operand, callee: FuncId, args: &[Arg]) -> Option<()> {
        for (index, _) in args.iter().enumerate().filter(|(_, arg)| arg.value == operand) {
            match self.program.function(callee).params.get(index) {
                Some(param) => self.reach(Fact { function: callee, pc: 0, reg: param.reg, view }),
                None => self.all.add(Observation::Value(view))?,
            }
        }
        Some(())
    }

    /// The value is returned to the caller.
    fn leave(&mut self, fact: Fact, values: &[Arg]) -> Option<()> {
        let id = fact.function.0 as usize;
        if self.context.escapes[id] || self.program.entry == Some(fact.function) {
            return self.all.add(Observation::Value(fact.view));
        }
        let context = self.context;
        for (function, pc) in &context.sites[id] {
            let code = &self.program.function(*function).code;
            let Instr::Call { dsts, .. } = &code[*pc as usize] else { continue };
            for (dst, value) in dsts.iter().zip(values) {
                if value.value == Operand::Reg(fact.reg) {
                    let after = Fact { function: *function, pc: pc + 1, reg: *dst, view: fact.view };
                    self.reach(after);
                }
            }
        }
        Some(())
    }
}
