//! Terms as SMT-LIB 2.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::rewrite::INDEX_WIDTH;
use crate::term::{Node, Op, Term, Terms};
use bits::wide::mask;

/// A script that asks whether the terms can be true together.
pub fn script(terms: &Terms, asserted: &[Term]) -> String {
    let mut out = String::new();
    let mut seen = FxHashSet::default();
    for term in asserted {
        define(terms, *term, &mut seen, &mut out);
        let _ = writeln!(out, "(assert (= {} #b1))", name(terms, *term));
    }
    let arrays = seen.iter().any(|term| terms.is_array(*term));
    let logic = if arrays { "QF_ABV" } else { "QF_BV" };
    format!("(set-logic {logic})\n{out}(check-sat)\n")
}

/// Defines a term and, before it, all that it is made of.
fn define(terms: &Terms, root: Term, seen: &mut FxHashSet<Term>, out: &mut String) {
    let mut work = vec![root];
    while let Some(&term) = work.last() {
        let node = terms.node(term);
        let before = work.len();
        if !seen.contains(&term) {
            work.extend(node.args().iter().filter(|arg| !seen.contains(*arg)));
        }
        if work.len() > before {
            continue;
        }
        work.pop();
        if seen.insert(term) {
            declare(terms, term, out);
        }
    }
}

fn declare(terms: &Terms, term: Term, out: &mut String) {
    let node = terms.node(term);
    let (name, sort) = (name(terms, term), sort(&node));
    let _ = match node.op {
        Op::Const => Ok(()),
        Op::Var | Op::Array => writeln!(out, "(declare-const {name} {sort}) ; {}", terms.name(term)),
        _ => writeln!(out, "(define-fun {name} () {sort} {})", application(terms, term)),
    };
}

fn sort(node: &Node) -> String {
    let element = format!("(_ BitVec {})", node.width);
    if node.op.makes_array() { format!("(Array (_ BitVec {INDEX_WIDTH}) {element})") } else { element }
}

fn name(terms: &Terms, term: Term) -> String {
    match terms.constant_value(term) {
        Some(bits) => {
            let width = usize::from(terms.width(term));
            format!("#b{:0width$b}", bits & mask(width as u8))
        }
        None if matches!(terms.node(term).op, Op::Var | Op::Array) => format!("v{}", term.number()),
        None => format!("t{}", term.number()),
    }
}

fn application(terms: &Terms, term: Term) -> String {
    let node = terms.node(term);
    let args: Vec<String> = node.args().iter().map(|arg| name(terms, *arg)).collect();
    let plain = |op: &str| format!("({op} {})", args.join(" "));
    let predicate = |op: &str| format!("(ite ({op} {}) #b1 #b0)", args.join(" "));
    match node.op {
        Op::Const | Op::Var | Op::Array => unreachable!("no operation"),
        Op::Not => plain("bvnot"),
        Op::Neg => plain("bvneg"),
        Op::And => plain("bvand"),
        Op::Xor => plain("bvxor"),
        Op::Add => plain("bvadd"),
        Op::Mul => plain("bvmul"),
        Op::UDiv => plain("bvudiv"),
        Op::URem => plain("bvurem"),
        Op::Shl => plain("bvshl"),
        Op::LShr => plain("bvlshr"),
        Op::AShr => plain("bvashr"),
        Op::Concat => plain("concat"),
        Op::Select => plain("select"),
        Op::Store => plain("store"),
        Op::Fill => format!("((as const {}) {})", sort(&node), args[0]),
        Op::Eq => predicate("="),
        Op::Ult => predicate("bvult"),
        Op::Slt => predicate("bvslt"),
        Op::Ite => format!("(ite (= {} #b1) {} {})", args[0], args[1], args[2]),
        Op::Extract => format!("((_ extract {} {}) {})", node.low + node.width - 1, node.low, args[0]),
        Op::SExt => {
            let more = node.width - terms.width(node.args()[0]);
            format!("((_ sign_extend {more}) {})", args[0])
        }
    }
}
