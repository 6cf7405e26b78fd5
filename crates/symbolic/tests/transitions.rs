//! Random straight-line programs, step by step: the values of data, put into the
//! guards and assignments of a location's transitions, lead where the concrete step
//! leads.

mod common;

use std::sync::Arc;

use common::{GLOBAL, MAIN, SIZE, names, program, program_of};
use logic::testing::Random;
use logic::{Evaluation, Limits, SolverKind, Term, Terms};
use machine::{Config, Datum, End, Grain, Machine, Property, State};
use rustc_hash::FxHashMap;
use symbolic::{Blind, Location, Locations, Questions, Transition};

/// Of larger steps with nothing known about data there are too many ways.
const GRAIN: Grain = Grain::Instruction;

/// The values of variables.
type Values = FxHashMap<Term, u128>;

/// Words of the global, and some of the registers.
fn data(machine: &Machine, random: &mut Random) -> Vec<Datum> {
    let object = machine.global(GLOBAL);
    let len = random.pick(&[1, 2, 4, 8]);
    let words = (0..SIZE as u32).step_by(len.into()).map(|offset| Datum::Memory { object, offset, len });
    let slots = machine.program().functions[0].slots.len() as u32;
    let mut data: Vec<Datum> = words.collect();
    data.extend((0..slots).map(|slot| Datum::Register { thread: MAIN, depth: 0, slot }));
    data.retain(|_| random.below(3) > 0);
    data
}

/// A concrete execution, followed on locations.
struct Walk<'a, 'm> {
    machine: &'a Machine,
    terms: &'a mut Terms,
    guide: &'a mut Questions,
    locations: &'a mut Locations<'m>,
    random: Random,
}

impl Walk<'_, '_> {
    /// The location of a state, and the values of its variables.
    fn split(&mut self, state: &State) -> (Location, Values) {
        let (location, data) = self.locations.split(self.terms, state.clone());
        let mut values = Values::default();
        for (datum, number) in data {
            let width = self.terms.width(number);
            let variable = self.locations.variable(self.terms, datum, width);
            values.insert(variable, self.terms.constant_value(number).expect("a known number"));
        }
        (location, values)
    }

    /// A data choice of the next step.
    fn choice(&mut self, state: &State) -> u64 {
        match self.machine.choices(state, MAIN) {
            Ok(choices) => self.random.below(choices),
            Err(_) => self.random.bits(8) as u64,
        }
    }

    /// Takes a step both ways. Yields the state that it leads to.
    fn step(&mut self, state: &State) -> Option<State> {
        let (location, mut values) = self.split(state);
        let choice = self.choice(state);
        let reads = self.machine.reads_input(state, MAIN);
        let given = if reads { 0 } else { choice };
        let ways = self.locations.step(self.terms, self.guide, &location, MAIN, given, GRAIN);
        for way in ways.iter().flat_map(|way| &way.inputs) {
            values.insert(way.choice, choice.into());
        }
        let way = self.taken(&ways, &values);
        let mut next = state.clone();
        let step = self.machine.step(&mut next, MAIN, choice, GRAIN, &mut ());
        if let Some(End::Unsupported(_)) = way.end {
            return None;
        }
        let faults: Vec<&str> = way.faults.iter().map(|fault| fault.kind.name()).collect();
        let found: Vec<&str> = step.faults.iter().map(|fault| fault.kind.name()).collect();
        assert_eq!((faults, &way.end), (found, &step.end), "{:?}", names(&step));
        if step.end.is_some() {
            return None;
        }
        self.machine.normalise(&mut next);
        let after = self.assigned(way, &values);
        self.compare(way, &after, &next);
        self.check_before(way, &values, &after);
        Some(next)
    }

    /// The one transition whose guard holds.
    fn taken<'t>(&self, ways: &'t [Transition], values: &Values) -> &'t Transition {
        let mut evaluation = Evaluation::new(self.terms, |variable| values[&variable]);
        let mut holds = |way: &&Transition| way.guard.iter().all(|term| evaluation.holds(*term));
        let taken: Vec<&Transition> = ways.iter().filter(&mut holds).collect();
        assert_eq!(taken.len(), 1, "one way for {values:?}");
        taken[0]
    }

    /// The values of data after a step.
    fn assigned(&mut self, way: &Transition, before: &Values) -> Values {
        let mut evaluation = Evaluation::new(self.terms, |variable| before[&variable]);
        let numbers: Vec<u128> = way.assignments.iter().map(|(_, term)| evaluation.value(*term)).collect();
        let mut after = before.clone();
        for ((datum, term), number) in way.assignments.iter().zip(numbers) {
            let width = self.terms.width(*term);
            after.insert(self.locations.variable(self.terms, *datum, width), number);
        }
        after
    }

    /// The target with these values of data is the state that the step led to.
    fn compare(&self, way: &Transition, after: &Values, next: &State) {
        let value_of = |symbol: machine::Sym| after[&Term::from_number(symbol.0)] as u64;
        let instance = self.machine.instantiate(way.target.state(), value_of);
        let form = |state: &State| {
            let mut form = Vec::new();
            self.machine.canonical(state, &mut form);
            form
        };
        assert!(form(&instance) == form(next), "the same state");
    }

    /// A condition on data afterwards is the same as the one on data before that
    /// substitution makes of it.
    fn check_before(&mut self, way: &Transition, before: &Values, after: &Values) {
        let variables: Vec<Term> = after.keys().copied().collect();
        if variables.is_empty() {
            return;
        }
        let (a, b) = (self.random.pick(&variables), self.random.pick(&variables));
        let (a, b) = (self.terms.zext(a, 128), self.terms.zext(b, 128));
        let condition = self.terms.ult(a, b);
        let earlier = way.before(self.terms, self.locations, condition);
        let now = Evaluation::new(self.terms, |variable| after[&variable]).holds(condition);
        let then = Evaluation::new(self.terms, |variable| before[&variable]).holds(earlier);
        assert_eq!(now, then, "substitution");
    }
}

/// Follows some executions of a program; how many steps they took.
fn check(seed: u64) -> u64 {
    let properties = Property::ALL.into_iter().collect();
    let machine = Machine::new(Arc::new(program(seed)), Config { properties, ..Config::default() });
    let mut terms = Terms::new();
    let limits = Limits { conflicts: Some(200), ..Limits::default() };
    let mut guide = Questions::new(logic::open(SolverKind::Cadical).expect("built in"), limits);
    let mut random = Random::new(seed ^ 0xda7a);
    let data = data(&machine, &mut random);
    let mut locations = Locations::of(&machine, move |_, _| data.clone()).with_most_values(20);
    let mut walk =
        Walk { machine: &machine, terms: &mut terms, guide: &mut guide, locations: &mut locations, random };
    let mut steps = 0;
    for _ in 0..3 {
        let mut state = machine.initial();
        machine.normalise(&mut state);
        while let Some(next) = walk.step(&state) {
            state = next;
            steps += 1;
        }
    }
    steps
}

#[test]
fn transitions_and_concrete_steps_agree() {
    let steps: u64 = (0..400).map(check).sum();
    assert!(steps > 30_000, "{steps} steps");
}

#[test]
fn a_division_goes_two_ways() {
    use ir::{BinOp, Instr, Operand, Reg};
    let (divided, divisor) = (Reg(3), Reg(4));
    let number = |dst, bits| Instr::Move { width: 32, dst, src: Operand::Int(bits) };
    let (lhs, rhs) = (Operand::Reg(divided), Operand::Reg(divisor));
    let division =
        Instr::Binary { op: BinOp::UDiv, width: 32, no_signed_wrap: false, dst: divided, lhs, rhs };
    let code = vec![number(divided, 7), number(divisor, 2), division.clone(), division, Instr::Unreachable];
    let machine = Machine::new(Arc::new(program_of(code)), Config::default());
    let register = |reg: Reg| Datum::Register { thread: MAIN, depth: 0, slot: reg.0 };
    let mut terms = Terms::new();
    let mut locations = Locations::of(&machine, |_, _| vec![register(divided), register(divisor)]);
    let mut state = machine.initial();
    for _ in 0..2 {
        machine.step(&mut state, MAIN, 0, GRAIN, &mut ());
    }
    let (location, data) = locations.split(&mut terms, state);
    let values = data.iter().map(|(datum, number)| (*datum, terms.constant_value(*number)));
    assert_eq!(values.collect::<Vec<_>>(), [(register(divided), Some(7)), (register(divisor), Some(2))]);
    let x = locations.variable(&mut terms, register(divided), 32);
    let y = locations.variable(&mut terms, register(divisor), 32);
    let (quotient, zero) = (terms.udiv(x, y), terms.constant(32, 0));
    let by_zero = terms.eq(y, zero);
    let ways = locations.step(&mut terms, &mut Blind, &location, MAIN, 0, GRAIN);
    let (faulty, fine): (Vec<_>, Vec<_>) = ways.iter().partition(|way| !way.faults.is_empty());
    assert_eq!((faulty.len(), fine.len()), (1, 1));
    assert_eq!((&faulty[0].guard, faulty[0].end.clone()), (&vec![by_zero], Some(End::Fault)));
    assert_eq!(fine[0].guard, [terms.not(by_zero)]);
    assert_eq!(fine[0].assignments, [(register(divided), quotient)]);
    assert_ne!(fine[0].target.form(&machine), location.form(&machine));
}
