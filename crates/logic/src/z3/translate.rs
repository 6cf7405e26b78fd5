//! Terms as Z3's expressions.

use super::Z3;
use super::library::{Pointer, text};
use crate::rewrite::INDEX_WIDTH;
use crate::term::{Node, Op, Term, Terms};

impl Z3 {
    /// Translates a term, and before it all that it is made of.
    pub(super) fn translate(&mut self, terms: &Terms, root: Term) -> Pointer {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.known.contains_key(&term) {
                work.pop();
                continue;
            }
            let node = terms.node(term);
            let before = work.len();
            work.extend(node.args().iter().filter(|arg| !self.known.contains_key(*arg)));
            if work.len() == before {
                let expression = self.expression(terms, term, &node);
                self.known.insert(term, expression);
                work.pop();
            }
        }
        self.known[&root]
    }

    /// The constant that stands for an assumption.
    pub(super) fn proxy(&mut self, term: Term) -> Pointer {
        if let Some(proxy) = self.proxies.get(&term) {
            return *proxy;
        }
        let f = &self.functions;
        // SAFETY: making a Boolean constant; variables have positive numbers.
        let proxy = unsafe {
            let name = text(&format!("assume{}", term.number()));
            let symbol = (f.mk_string_symbol)(self.context, name.as_ptr());
            (f.mk_const)(self.context, symbol, (f.mk_bool_sort)(self.context))
        };
        self.proxies.insert(term, proxy);
        proxy
    }

    fn expression(&mut self, terms: &Terms, term: Term, node: &Node) -> Pointer {
        match node.op {
            Op::Const => self.constant(terms.constant_value(term).expect("a constant"), node.width),
            Op::Var => {
                self.variables.push(term);
                self.variable(term, self.sort(node.width))
            }
            Op::Array => self.variable(term, self.array_sort(node.width)),
            Op::Select | Op::Store | Op::Fill => self.array_operation(terms, term, node),
            Op::Not | Op::And | Op::Xor if node.width == 1 => self.connective(node),
            Op::Eq | Op::Ite => self.choice(node),
            _ => self.operation(terms, node),
        }
    }

    fn constant(&self, bits: u128, width: u8) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        // SAFETY: a Boolean, or a numeral of the sort.
        unsafe {
            match (width, bits) {
                (1, 0) => (f.mk_false)(context),
                (1, _) => (f.mk_true)(context),
                _ => {
                    let sort = (f.mk_bv_sort)(context, width.into());
                    (f.mk_numeral)(context, text(&bits.to_string()).as_ptr(), sort)
                }
            }
        }
    }

    fn sort(&self, width: u8) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        // SAFETY: making a sort.
        unsafe { if width == 1 { (f.mk_bool_sort)(context) } else { (f.mk_bv_sort)(context, width.into()) } }
    }

    fn array_sort(&self, width: u8) -> Pointer {
        // SAFETY: making a sort from two others.
        unsafe { (self.functions.mk_array_sort)(self.context, self.sort(INDEX_WIDTH), self.sort(width)) }
    }

    fn variable(&self, term: Term, sort: Pointer) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        // SAFETY: a constant of the sort.
        unsafe { (f.mk_const)(context, (f.mk_int_symbol)(context, term.number() as i32), sort) }
    }

    /// Operations on arrays.
    fn array_operation(&mut self, terms: &Terms, term: Term, node: &Node) -> Pointer {
        self.has_arrays = true;
        if node.op == Op::Select && terms.node(node.args()[0]).op == Op::Array {
            self.selects.push(term);
        }
        let (f, context) = (&self.functions, self.context);
        let args: Vec<Pointer> = node.args().iter().map(|arg| self.known[arg]).collect();
        // SAFETY: an array, an index and an element of the right sorts.
        unsafe {
            match node.op {
                Op::Select => (f.mk_select)(context, args[0], args[1]),
                Op::Store => (f.mk_store)(context, args[0], args[1], args[2]),
                _ => (f.mk_const_array)(context, self.sort(INDEX_WIDTH), args[0]),
            }
        }
    }

    /// Connectives of Booleans.
    fn connective(&self, node: &Node) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        let args: Vec<Pointer> = node.args().iter().map(|arg| self.known[arg]).collect();
        // SAFETY: the arguments are Booleans.
        unsafe {
            match node.op {
                Op::Not => (f.mk_not)(context, args[0]),
                Op::And => (f.mk_and)(context, 2, args.as_ptr()),
                _ => (f.mk_xor)(context, args[0], args[1]),
            }
        }
    }

    /// Operations that are the same for Booleans and words.
    fn choice(&self, node: &Node) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        let args: Vec<Pointer> = node.args().iter().map(|arg| self.known[arg]).collect();
        // SAFETY: the sorts of the arguments agree.
        unsafe {
            match node.op {
                Op::Eq => (f.mk_eq)(context, args[0], args[1]),
                _ => (f.mk_ite)(context, args[0], args[1], args[2]),
            }
        }
    }

    /// Operations on words; Booleans among the arguments, and the result, are
    /// words of width 1.
    fn operation(&self, terms: &Terms, node: &Node) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        let args: Vec<Pointer> = node.args().iter().map(|arg| self.word(terms, *arg)).collect();
        // SAFETY: the arguments are words of the right widths.
        unsafe {
            let result = match node.op {
                Op::Not => (f.mk_bvnot)(context, args[0]),
                Op::Neg => (f.mk_bvneg)(context, args[0]),
                Op::And => (f.mk_bvand)(context, args[0], args[1]),
                Op::Xor => (f.mk_bvxor)(context, args[0], args[1]),
                Op::Add => (f.mk_bvadd)(context, args[0], args[1]),
                Op::Mul => (f.mk_bvmul)(context, args[0], args[1]),
                Op::UDiv => (f.mk_bvudiv)(context, args[0], args[1]),
                Op::URem => (f.mk_bvurem)(context, args[0], args[1]),
                Op::Shl => (f.mk_bvshl)(context, args[0], args[1]),
                Op::LShr => (f.mk_bvlshr)(context, args[0], args[1]),
                Op::AShr => (f.mk_bvashr)(context, args[0], args[1]),
                Op::Ult => return (f.mk_bvult)(context, args[0], args[1]),
                Op::Slt => return (f.mk_bvslt)(context, args[0], args[1]),
                Op::Concat => (f.mk_concat)(context, args[0], args[1]),
                Op::Extract => {
                    let high = u32::from(node.low) + u32::from(node.width) - 1;
                    (f.mk_extract)(context, high, node.low.into(), args[0])
                }
                Op::SExt => {
                    let more = node.width - terms.width(node.args()[0]);
                    (f.mk_sign_ext)(context, more.into(), args[0])
                }
                Op::Const | Op::Var | Op::Eq | Op::Ite => unreachable!("handled before"),
                Op::Array | Op::Fill | Op::Store | Op::Select => unreachable!("handled before"),
            };
            if node.width == 1 { (f.mk_eq)(context, result, self.one_bit(1)) } else { result }
        }
    }

    fn one_bit(&self, bit: u8) -> Pointer {
        let (f, context) = (&self.functions, self.context);
        // SAFETY: a numeral of width 1.
        unsafe {
            let sort = (f.mk_bv_sort)(context, 1);
            (f.mk_numeral)(context, text(&bit.to_string()).as_ptr(), sort)
        }
    }

    fn word(&self, terms: &Terms, term: Term) -> Pointer {
        let known = self.known[&term];
        if terms.width(term) > 1 {
            return known;
        }
        // SAFETY: a choice between two words of width 1.
        unsafe { (self.functions.mk_ite)(self.context, known, self.one_bit(1), self.one_bit(0)) }
    }
}
