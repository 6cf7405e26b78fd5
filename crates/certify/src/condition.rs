//! Conditions as data: terms over the numbers at places, written and read.

use logic::{INDEX_WIDTH, Op, Term, Terms};
use machine::Datum;
use rustc_hash::FxHashMap;

use crate::proof::Condition;

/// The operations by their names.
const OPERATIONS: [(&str, Op); 21] = [
    ("not", Op::Not),
    ("neg", Op::Neg),
    ("and", Op::And),
    ("xor", Op::Xor),
    ("add", Op::Add),
    ("mul", Op::Mul),
    ("udiv", Op::UDiv),
    ("urem", Op::URem),
    ("shl", Op::Shl),
    ("lshr", Op::LShr),
    ("ashr", Op::AShr),
    ("eq", Op::Eq),
    ("ult", Op::Ult),
    ("slt", Op::Slt),
    ("ite", Op::Ite),
    ("concat", Op::Concat),
    ("extract", Op::Extract),
    ("sign_extend", Op::SExt),
    ("fill", Op::Fill),
    ("store", Op::Store),
    ("select", Op::Select),
];

const CONSTANT: &str = "const";
const PLACE: &str = "place";

/// Writes terms.
#[derive(Default)]
pub struct Writer {
    /// What was written.
    pub written: Vec<Condition>,
    numbers: FxHashMap<Term, u32>,
}

impl Writer {
    /// Writes a term, unless it was written before, and yields its number. `place` says
    /// which place a variable stands for. None if a variable stands for none.
    pub fn write(
        &mut self,
        terms: &Terms,
        term: Term,
        place: &impl Fn(Term) -> Option<Datum>,
    ) -> Option<u32> {
        if let Some(number) = self.numbers.get(&term) {
            return Some(*number);
        }
        let node = terms.node(term);
        let condition = match node.op {
            Op::Const => Condition {
                op: CONSTANT.to_owned(),
                width: Some(node.width),
                value: terms.constant_value(term).map(|value| value.to_string()),
                ..Condition::default()
            },
            Op::Var | Op::Array => Condition {
                op: PLACE.to_owned(),
                width: Some(node.width),
                at: Some(place(term)?),
                ..Condition::default()
            },
            op => {
                let args = node.args().iter().map(|arg| self.write(terms, *arg, place));
                let (name, _) = OPERATIONS.iter().find(|(_, known)| *known == op)?;
                Condition {
                    op: (*name).to_owned(),
                    args: args.collect::<Option<Vec<u32>>>()?,
                    width: matches!(op, Op::Extract | Op::SExt).then_some(node.width),
                    low: (op == Op::Extract).then_some(node.low),
                    ..Condition::default()
                }
            }
        };
        let number = self.written.len() as u32;
        self.written.push(condition);
        self.numbers.insert(term, number);
        Some(number)
    }
}

/// Reads terms. `variable` says which variable stands for a place. The error says what
/// makes no sense.
pub fn read(
    written: &[Condition],
    terms: &mut Terms,
    variable: &mut impl FnMut(&mut Terms, Datum, u8) -> Term,
) -> Result<Vec<Term>, String> {
    let mut all: Vec<Term> = Vec::new();
    for (number, condition) in written.iter().enumerate() {
        let term = read_one(condition, &all, terms, variable);
        all.push(term.ok_or_else(|| format!("term {number} ({}) makes no sense", condition.op))?);
    }
    Ok(all)
}

fn read_one(
    condition: &Condition,
    before: &[Term],
    terms: &mut Terms,
    variable: &mut impl FnMut(&mut Terms, Datum, u8) -> Term,
) -> Option<Term> {
    let Condition { op, args, width, low, value, at } = condition;
    let args = args.iter().map(|arg| before.get(*arg as usize).copied()).collect::<Option<Vec<Term>>>()?;
    let width = width.filter(|width| (1..=128).contains(width));
    match op.as_str() {
        CONSTANT => Some(terms.constant(width?, value.as_ref()?.parse().ok()?)),
        PLACE => Some(variable(terms, (*at)?, width?)),
        name => {
            let (_, op) = OPERATIONS.iter().find(|(known, _)| *known == name)?;
            let sizes = (width.unwrap_or(0), low.unwrap_or(0));
            makes_sense(terms, *op, sizes, &args).then(|| terms.apply(*op, sizes, &args))
        }
    }
}

/// Whether an operation can be applied to these.
fn makes_sense(terms: &Terms, op: Op, (width, low): (u8, u8), args: &[Term]) -> bool {
    let size = |number: usize| terms.width(args[number]);
    let is_array = |number: usize| terms.is_array(args[number]);
    if args.len() != op.arity() {
        return false;
    }
    match op {
        Op::Select => is_array(0) && !is_array(1) && size(1) == INDEX_WIDTH,
        Op::Store => {
            is_array(0) && !is_array(1) && !is_array(2) && size(1) == INDEX_WIDTH && size(2) == size(0)
        }
        _ if (0..args.len()).any(is_array) => false,
        Op::Not | Op::Neg | Op::Fill => true,
        Op::Extract => width > 0 && u16::from(low) + u16::from(width) <= u16::from(size(0)),
        Op::SExt => width >= size(0),
        Op::Concat => u16::from(size(0)) + u16::from(size(1)) <= 128,
        Op::Ite => size(0) == 1 && size(1) == size(2),
        _ => size(0) == size(1),
    }
}
