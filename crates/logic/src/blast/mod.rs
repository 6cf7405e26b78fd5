//! The solver by bit-blasting: terms become circuits, circuits become clauses,
//! CaDiCaL decides.
//!
//! Everything is incremental: a term is translated once, gates are shared by
//! structure, and a level is one activation literal that guards what is
//! asserted there and is assumed by every check while the level is open.

mod arrays;
mod circuits;
mod gates;

use std::time::Instant;

use cadical_sys::{Status, Terminator};
use rustc_hash::FxHashMap;

use crate::solver::{Answer, Limits, Model, Solver, SolverError, Statistics};
use crate::term::{Node, Op, Term, Terms};
use arrays::Selects;
use gates::{FALSE, Gates, Lit, TRUE};

/// The bit-blasting solver.
pub struct BitBlaster {
    gates: Gates,
    /// The bits of terms already translated.
    words: FxHashMap<Term, Box<[Lit]>>,
    /// Both results of a division.
    divisions: FxHashMap<(Term, Term), (Vec<Lit>, Vec<Lit>)>,
    variables: Vec<Term>,
    selects: Selects,
    /// The activation literals of the open levels.
    levels: Vec<Lit>,
    limits: Limits,
    statistics: Statistics,
}

impl Default for BitBlaster {
    fn default() -> BitBlaster {
        BitBlaster::new()
    }
}

/// Ends a search of CaDiCaL when a limit is reached.
struct Watch(Limits);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.expired()
    }
}

impl BitBlaster {
    /// A solver with nothing asserted.
    pub fn new() -> BitBlaster {
        BitBlaster {
            gates: Gates::new(),
            words: FxHashMap::default(),
            divisions: FxHashMap::default(),
            variables: Vec::new(),
            selects: Selects::default(),
            levels: Vec::new(),
            limits: Limits::default(),
            statistics: Statistics::default(),
        }
    }

    /// Translates a term, and before it all that it is made of.
    fn translate(&mut self, terms: &Terms, root: Term) {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.words.contains_key(&term) {
                work.pop();
                continue;
            }
            let node = terms.node(term);
            let before = work.len();
            work.extend(node.args().iter().filter(|arg| !self.words.contains_key(*arg)));
            if work.len() == before {
                let word = self.word(terms, term, &node);
                debug_assert_eq!(word.len(), if node.op == Op::Array { 0 } else { node.width.into() });
                self.words.insert(term, word.into());
                work.pop();
            }
        }
    }

    fn word(&mut self, terms: &Terms, term: Term, node: &Node) -> Vec<Lit> {
        if let Some(bits) = terms.constant_value(term) {
            return (0..node.width).map(|bit| if bits >> bit & 1 == 1 { TRUE } else { FALSE }).collect();
        }
        match node.op {
            Op::Var => self.variables.push(term),
            // Its elements have words, where they are selected.
            Op::Array => {
                self.selects.any = true;
                return Vec::new();
            }
            _ => {}
        }
        if matches!(node.op, Op::Var | Op::Select) {
            return (0..node.width).map(|_| self.gates.fresh()).collect();
        }
        let words = &self.words;
        let args: Vec<&[Lit]> = node.args().iter().map(|arg| &*words[arg]).collect();
        let gates = &mut self.gates;
        let bitwise = |gates: &mut Gates, gate: fn(&mut Gates, Lit, Lit) -> Lit| {
            args[0].iter().zip(args[1]).map(|(a, b)| gate(gates, *a, *b)).collect()
        };
        match node.op {
            Op::Const | Op::Var | Op::Array | Op::Select => unreachable!("handled before"),
            Op::Fill | Op::Store => unreachable!("selects go through to array variables"),
            Op::Not => args[0].iter().map(|bit| -bit).collect(),
            Op::Neg => gates.negate(args[0]),
            Op::And => bitwise(gates, Gates::and),
            Op::Xor => bitwise(gates, Gates::xor),
            Op::Add => gates.sum(args[0], args[1], FALSE),
            Op::Mul => gates.product(args[0], args[1]),
            Op::UDiv | Op::URem => {
                let both = self
                    .divisions
                    .entry((node.args()[0], node.args()[1]))
                    .or_insert_with(|| gates.divide(args[0], args[1]));
                if node.op == Op::UDiv { both.0.clone() } else { both.1.clone() }
            }
            Op::Shl => gates.shift_up(args[0], args[1], FALSE),
            Op::LShr => gates.shift_down(args[0], args[1], FALSE),
            Op::AShr => {
                let sign = args[0][args[0].len() - 1];
                gates.shift_down(args[0], args[1], sign)
            }
            Op::Eq => vec![gates.equal(args[0], args[1])],
            Op::Ult => vec![gates.less(args[0], args[1])],
            Op::Slt => vec![gates.signed_less(args[0], args[1])],
            Op::Ite => gates.word_ite(args[0][0], args[1], args[2]),
            Op::Concat => [args[1], args[0]].concat(),
            Op::Extract => args[0][usize::from(node.low)..][..usize::from(node.width)].to_vec(),
            Op::SExt => {
                let mut word = args[0].to_vec();
                word.resize(usize::from(node.width), args[0][args[0].len() - 1]);
                word
            }
        }
    }

    fn literal(&mut self, terms: &Terms, term: Term) -> Lit {
        debug_assert_eq!(terms.width(term), 1, "a condition");
        self.translate(terms, term);
        self.words[&term][0]
    }

    /// Adds a clause that holds while the innermost level is open.
    fn add_clause(&mut self, mut clause: Vec<Lit>) {
        clause.extend(self.levels.last().map(|level| -level));
        self.gates.clause(&clause);
    }

    /// Asserts the parts of a conjunction one by one, and a disjunction as a
    /// clause, so that no gates are spent on them.
    fn assert_parts(&mut self, terms: &Terms, root: Term) {
        let mut work = vec![root];
        while let Some(term) = work.pop() {
            let node = terms.node(term);
            if node.op == Op::And {
                work.extend(node.args());
                continue;
            }
            let alternatives = alternatives(terms, term);
            let clause = alternatives.into_iter().map(|part| self.literal(terms, part.0) * part.1).collect();
            self.add_clause(clause);
        }
    }

    /// The value of a translated term in the model found.
    fn value(&mut self, term: Term) -> u128 {
        let bits = self.words[&term].iter().enumerate();
        bits.map(|(bit, literal)| u128::from(self.gates.sat.val(*literal) == *literal) << bit).sum()
    }

    fn model(&mut self) -> Model {
        let mut model = Model::default();
        for at in 0..self.variables.len() {
            let variable = self.variables[at];
            model.set(variable, self.value(variable));
        }
        model
    }

    /// One search, under these literals.
    fn search(&mut self, literals: &[Lit]) -> Status {
        for literal in self.levels.iter().chain(literals) {
            self.gates.sat.assume(*literal);
        }
        if let Some(conflicts) = self.limits.conflicts {
            self.gates.sat.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        self.gates.sat.solve()
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let literals: Vec<Lit> = assumptions.iter().map(|term| self.literal(terms, *term)).collect();
        let selects = self.selects.demanded(terms, assumptions);
        let status = loop {
            let status = self.search(&literals);
            if status != Status::SATISFIABLE || !self.tie(terms, &selects) {
                break status;
            }
        };
        match status {
            Status::SATISFIABLE => {
                let mut model = self.model();
                self.elements(terms, &selects, &mut model);
                Answer::Sat(model)
            }
            Status::UNSATISFIABLE => {
                let pairs = assumptions.iter().zip(&literals);
                let mut core: Vec<Term> = pairs
                    .filter(|(_, literal)| self.gates.sat.failed(**literal))
                    .map(|(term, _)| *term)
                    .collect();
                core.dedup();
                Answer::Unsat(core)
            }
            Status::UNKNOWN => Answer::Unknown(self.limits.reason()),
        }
    }
}

/// The parts of a disjunction with their signs; else the term alone.
fn alternatives(terms: &Terms, term: Term) -> Vec<(Term, Lit)> {
    let mut found = Vec::new();
    let mut work = vec![(term, 1)];
    while let Some((term, sign)) = work.pop() {
        let node = terms.node(term);
        match node.op {
            Op::Not => work.push((node.args()[0], -sign)),
            // !(a & b) is !a or !b.
            Op::And if sign < 0 => work.extend(node.args().iter().map(|part| (*part, -1))),
            _ => found.push((term, sign)),
        }
    }
    found
}

impl Solver for BitBlaster {
    fn assert(&mut self, terms: &Terms, term: Term) {
        let started = Instant::now();
        self.selects.asserted.assert(term);
        self.assert_parts(terms, term);
        self.statistics.time += started.elapsed();
    }

    fn push(&mut self) {
        let level = self.gates.fresh();
        self.levels.push(level);
        self.selects.asserted.push();
    }

    fn pop(&mut self) {
        let level = self.levels.pop().expect("a level to pop");
        self.gates.clause(&[-level]);
        self.selects.asserted.pop();
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let started = Instant::now();
        let answer = if self.limits.expired() {
            Answer::Unknown(self.limits.reason())
        } else {
            self.solve(terms, assumptions)
        };
        self.statistics.checks += 1;
        self.statistics.satisfiable += u64::from(matches!(answer, Answer::Sat(_)));
        self.statistics.time += started.elapsed();
        Ok(answer)
    }

    fn limit(&mut self, limits: Limits) {
        if limits.deadline.is_some() || limits.share.is_some() || limits.interrupt.is_some() {
            self.gates.sat.connect_terminator(Watch(limits.clone()));
        } else {
            self.gates.sat.disconnect_terminator();
        }
        self.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        let (variables, clauses) = self.gates.counts();
        Statistics { variables, clauses, ..self.statistics }
    }
}
