//! Gates, shared and simplified, as clauses.

use cadical_sys::CaDiCal;
use rustc_hash::FxHashMap;

/// A literal as in DIMACS: a variable's number, negated for the complement.
pub type Lit = i32;

/// The literal that is always true.
pub const TRUE: Lit = 1;
/// The literal that is always false.
pub const FALSE: Lit = -1;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// The clauses so far, and the gates that they define (Tseitin's translation).
pub struct Gates {
    pub sat: CaDiCal,
    known: FxHashMap<Gate, Lit>,
    variables: i32,
    clauses: u64,
}

impl Gates {
    pub fn new() -> Gates {
        let mut sat = CaDiCal::new();
        // Trying a few simple assignments first takes a pass over all clauses, for every
        // question.
        sat.set("lucky", 0);
        let mut gates = Gates { sat, known: FxHashMap::default(), variables: 0, clauses: 0 };
        let one = gates.fresh();
        debug_assert_eq!(one, TRUE);
        gates.clause(&[one]);
        gates
    }

    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        self.variables
    }

    pub fn counts(&self) -> (u64, u64) {
        (self.variables as u64, self.clauses)
    }

    pub fn clause(&mut self, literals: &[Lit]) {
        self.clauses += 1;
        match *literals {
            [a] => self.sat.clause1(a),
            [a, b] => self.sat.clause2(a, b),
            [a, b, c] => self.sat.clause3(a, b, c),
            _ => {
                literals.iter().for_each(|literal| self.sat.add(*literal));
                self.sat.add(0);
            }
        }
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            _ if a == -b || a == FALSE || b == FALSE => return FALSE,
            _ if a == TRUE || a == b => return b,
            _ if b == TRUE => return a,
            _ => {}
        }
        if let Some(gate) = self.known.get(&Gate::And(a, b)) {
            return *gate;
        }
        let gate = self.fresh();
        self.known.insert(Gate::And(a, b), gate);
        self.clause(&[-gate, a]);
        self.clause(&[-gate, b]);
        self.clause(&[gate, -a, -b]);
        gate
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        -self.and(-a, -b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // Complements to the outside.
        let sign = if (a < 0) == (b < 0) { 1 } else { -1 };
        let (x, y) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        if x == y {
            return sign * FALSE;
        }
        if x == TRUE {
            return sign * -y;
        }
        if let Some(gate) = self.known.get(&Gate::Xor(x, y)) {
            return sign * gate;
        }
        let gate = self.fresh();
        self.known.insert(Gate::Xor(x, y), gate);
        self.clause(&[-gate, x, y]);
        self.clause(&[-gate, -x, -y]);
        self.clause(&[gate, -x, y]);
        self.clause(&[gate, x, -y]);
        sign * gate
    }

    pub fn ite(&mut self, cond: Lit, yes: Lit, no: Lit) -> Lit {
        match cond {
            TRUE => return yes,
            FALSE => return no,
            _ if cond < 0 => return self.ite(-cond, no, yes),
            _ => {}
        }
        match (yes, no) {
            _ if yes == no => return yes,
            _ if yes == -no => return -self.xor(cond, yes),
            (TRUE, _) => return self.or(cond, no),
            (FALSE, _) => return self.and(-cond, no),
            (_, TRUE) => return self.or(-cond, yes),
            (_, FALSE) => return self.and(cond, yes),
            _ if yes == cond => return self.or(cond, no),
            _ if yes == -cond => return self.and(-cond, no),
            _ if no == cond => return self.and(cond, yes),
            _ if no == -cond => return self.or(-cond, yes),
            _ => {}
        }
        let sign = yes.signum();
        let (yes, no) = (sign * yes, sign * no);
        if let Some(gate) = self.known.get(&Gate::Ite(cond, yes, no)) {
            return sign * gate;
        }
        let gate = self.fresh();
        self.known.insert(Gate::Ite(cond, yes, no), gate);
        self.clause(&[-cond, -yes, gate]);
        self.clause(&[-cond, yes, -gate]);
        self.clause(&[cond, -no, gate]);
        self.clause(&[cond, no, -gate]);
        // These two follow, and help unit propagation.
        self.clause(&[-yes, -no, gate]);
        self.clause(&[yes, no, -gate]);
        sign * gate
    }

    /// The carry of a full adder: whether at least two are true.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable_by_key(|literal| (literal.abs(), *literal));
        let [a, b, c] = inputs;
        match a {
            TRUE => return self.or(b, c),
            FALSE => return self.and(b, c),
            _ if a == b => return a,
            _ if a == -b => return c,
            _ if b == c => return b,
            _ if b == -c => return a,
            _ => {}
        }
        let sign = a.signum();
        let (a, b, c) = (sign * a, sign * b, sign * c);
        if let Some(gate) = self.known.get(&Gate::Majority(a, b, c)) {
            return sign * gate;
        }
        let gate = self.fresh();
        self.known.insert(Gate::Majority(a, b, c), gate);
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.clause(&[-x, -y, gate]);
            self.clause(&[x, y, -gate]);
        }
        sign * gate
    }
}
