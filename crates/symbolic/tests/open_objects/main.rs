//! Random programs that allocate an unknown number of bytes, step by step: the values
//! of data, arrays among them, put into the guards and assignments of transitions,
//! lead where the concrete machine leads, which allocates the bytes that there are.

mod program;

use std::sync::Arc;

use ir::{Access, BinOp, CastOp, Domain, Instr, Operand, Pred, Symbol};
use logic::testing::Random;
use logic::{ArrayValue, Assignment, Evaluation, Limits, SolverKind, Term, Terms};
use machine::{Config, Datum, End, Grain, Machine, Property, State, Sym, ThreadId};
use program::{REGS, Regs, program, program_of, reg};
use rustc_hash::FxHashMap;
use symbolic::{Blind, Location, Locations, Questions, Transition};

const MAIN: ThreadId = ThreadId(0);

/// What stands in memory that was never initialised.
const UNINITIALISED: u64 = 5;

/// The values of variables.
#[derive(Clone, Default)]
struct Values {
    numbers: FxHashMap<Term, u128>,
    arrays: FxHashMap<Term, ArrayValue>,
}

impl Assignment for &Values {
    fn value_of(&self, variable: Term) -> u128 {
        self.numbers[&variable]
    }

    fn array_of(&self, variable: Term) -> &ArrayValue {
        &self.arrays[&variable]
    }
}

/// The same for the terms of a location.
struct Located<'a>(Evaluation<'a, &'a Values>);

impl machine::Values for Located<'_> {
    fn number(&mut self, symbol: Sym) -> u64 {
        self.0.value(Term::from_number(symbol.0)) as u64
    }

    fn element(&mut self, array: Sym, index: u64) -> u64 {
        self.0.array(Term::from_number(array.0)).get(index) as u64
    }
}

/// A concrete execution, and the same on locations.
struct Walk<'a, 'm> {
    machine: &'a Machine,
    terms: &'a mut Terms,
    guide: &'a mut Questions,
    locations: &'a mut Locations<'m>,
    random: Random,
    grain: Grain,
    /// Whether the objects were filled in order, so that it is known exactly what is
    /// initialised, and their sizes make no difference to their addresses.
    exact: bool,
}

/// What a walk came across.
#[derive(Default, Debug)]
struct Seen {
    steps: u64,
    unsupported: u64,
    faults: u64,
    arrays: u64,
    opened: u64,
}

impl Walk<'_, '_> {
    /// Follows an execution to its end.
    fn run(&mut self, seen: &mut Seen) {
        let mut state = self.machine.initial();
        self.machine.normalise(&mut state);
        let (mut location, data) = self.locations.split(self.terms, state.clone());
        let mut values = Values::default();
        for (datum, number) in data {
            let variable = self.locations.variable(self.terms, datum, self.terms.width(number));
            values.numbers.insert(variable, self.terms.constant_value(number).expect("a known number"));
        }
        while let Some((next, way)) = self.step(&state, &location, &mut values, seen) {
            (state, location) = (next, way.target);
            seen.steps += 1;
        }
    }

    /// Chooses what stands where it was never initialised, if the next instruction
    /// computes with it. That is a step of its own where the object is of known size.
    fn determine(&self, state: &mut State, location: &Location) {
        let reads = |state: &State| self.machine.reads_input(state, MAIN);
        if reads(state) && !reads(location.state()) {
            let is_load = matches!(self.machine.next_instruction(state, MAIN), Some(Instr::Load { .. }));
            // A copy that was never initialised need not be what it is a copy of.
            let chosen = if is_load { UNINITIALISED } else { UNINITIALISED + 1 };
            self.machine.step(state, MAIN, chosen, self.grain, &mut ());
        }
    }

    fn step(
        &mut self,
        state: &State,
        location: &Location,
        values: &mut Values,
        seen: &mut Seen,
    ) -> Option<(State, Transition)> {
        let mut next = state.clone();
        self.determine(&mut next, location);
        let choice = match self.machine.choices(&next, MAIN) {
            Ok(choices) => self.random.below(choices),
            Err(_) => self.random.bits(8) as u64 & 0xff,
        };
        let given = if self.machine.reads_input(&next, MAIN) { 0 } else { choice };
        let ways = self.locations.step(self.terms, self.guide, location, MAIN, given, self.grain);
        for input in ways.iter().flat_map(|way| &way.inputs) {
            values.numbers.insert(input.choice, choice.into());
        }
        for array in ways.iter().flat_map(|way| &way.met.arrays) {
            values.arrays.insert(*array, ArrayValue::filled(UNINITIALISED.into()));
            seen.arrays += 1;
        }
        let way = self.taken(ways, values);
        let step = self.machine.step(&mut next, MAIN, choice, self.grain, &mut ());
        if let Some(End::Unsupported(_)) = way.end {
            seen.unsupported += 1;
            return None;
        }
        let faults: Vec<&str> = way.faults.iter().map(|fault| fault.kind.name()).collect();
        let found: Vec<&str> = step.faults.iter().map(|fault| fault.kind.name()).collect();
        seen.faults += faults.len() as u64;
        assert_eq!(
            (faults, &way.end),
            (found, &step.end),
            "{:?}",
            self.machine.next_instruction(state, MAIN)
        );
        if step.end.is_some() {
            return None;
        }
        self.machine.normalise(&mut next);
        seen.opened += u64::from(way.assignments.iter().any(|(datum, _)| datum.is_array()));
        let after = self.assigned(&way, values);
        if self.exact {
            self.compare(&way, &after, &next);
        }
        self.check_before(&way, values, &after);
        *values = after;
        Some((next, way))
    }

    /// The one transition whose guard holds.
    fn taken(&self, ways: Vec<Transition>, values: &Values) -> Transition {
        let mut evaluation = Evaluation::new(self.terms, values);
        let holds = |way: &Transition| way.guard.iter().all(|term| evaluation.holds(*term));
        let mut taken: Vec<Transition> = ways.into_iter().filter(holds).collect();
        assert_eq!(taken.len(), 1, "one way");
        taken.remove(0)
    }

    /// The values of data after a step.
    fn assigned(&mut self, way: &Transition, before: &Values) -> Values {
        let mut after = before.clone();
        for (datum, term) in &way.assignments {
            let variable = self.locations.variable(self.terms, *datum, self.terms.width(*term));
            let mut evaluation = Evaluation::new(self.terms, before);
            assert_eq!(datum.is_array(), self.terms.is_array(*term));
            if datum.is_array() {
                after.arrays.insert(variable, evaluation.array(*term));
            } else {
                after.numbers.insert(variable, evaluation.value(*term));
            }
        }
        after
    }

    /// The target with these values of data is the state that the step led to.
    fn compare(&self, way: &Transition, after: &Values, next: &State) {
        let located = Located(Evaluation::new(self.terms, after));
        let instance = self.machine.instance(way.target.state(), located);
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
        let mut numbers: Vec<Term> = after.numbers.keys().copied().collect();
        for array in after.arrays.keys() {
            let index = self.terms.constant(64, self.random.below(9).into());
            numbers.push(self.terms.select(*array, index));
        }
        if numbers.is_empty() {
            return;
        }
        let (a, b) = (self.random.pick(&numbers), self.random.pick(&numbers));
        let (a, b) = (self.terms.zext(a, 128), self.terms.zext(b, 128));
        let condition = self.terms.ult(a, b);
        let earlier = way.before(self.terms, self.locations, condition);
        let now = Evaluation::new(self.terms, after).holds(condition);
        let then = Evaluation::new(self.terms, before).holds(earlier);
        assert_eq!(now, then, "substitution");
    }
}

/// Follows some executions of a program that allocates memory of known sizes, or of others.
fn check(seed: u64, known: bool, seen: &mut Seen) {
    let mut properties: Vec<Property> = Property::ALL.to_vec();
    // Where races are looked for, objects of known size do not become open.
    properties.retain(|property| *property != Property::Race || !known);
    let uninitialised = seed.is_multiple_of(3);
    properties.retain(|property| *property != Property::Uninit || !uninitialised);
    let properties = properties.into_iter().collect();
    let program = program(seed, known);
    let tells_addresses = [8, 64].contains(&program.functions[0].slots[REGS.x.0 as usize].width);
    let fills =
        program.functions[0].code.iter().filter(|instr| matches!(instr, Instr::Branch { .. })).count();
    let machine = Machine::new(Arc::new(program), Config { properties, ..Config::default() });
    // Of choosing what was never initialised larger steps make one step.
    let larger = !uninitialised && seed.is_multiple_of(2);
    let grain = if larger { Grain::Visible } else { Grain::Instruction };
    let mut terms = Terms::new();
    let limits = Limits { conflicts: Some(200), ..Limits::default() };
    let mut guide = Questions::new(logic::open(SolverKind::Cadical).expect("built in"), limits);
    let mut random = Random::new(seed ^ 0xda7a);
    let mut data: Vec<Datum> = (0..10).map(|slot| Datum::Register { thread: MAIN, depth: 0, slot }).collect();
    data.retain(|_| random.below(2) > 0);
    let mut locations =
        Locations::of(&machine, move |_, _| data.clone()).with_most_values(20).with_open_objects();
    let mut walk = Walk {
        machine: &machine,
        terms: &mut terms,
        guide: &mut guide,
        locations: &mut locations,
        random,
        grain,
        exact: known || fills == 2 && !uninitialised && !tells_addresses,
    };
    for _ in 0..3 {
        walk.run(seen);
    }
}

#[test]
fn transitions_and_concrete_steps_agree() {
    let mut seen = Seen::default();
    (0..300).for_each(|seed| check(seed, false, &mut seen));
    let enough = seen.steps > 20_000 && seen.faults > 100 && seen.arrays > 300;
    assert!(enough && seen.unsupported < 500, "{seen:?}");
}

/// Objects of known size become open, and are closed again where a byte is read or an element is
/// updated at once.
#[test]
fn indices_that_are_not_known_agree() {
    let mut seen = Seen::default();
    (0..300).for_each(|seed| check(seed, true, &mut seen));
    assert!(seen.steps > 10_000 && seen.faults > 100 && seen.opened > 1_000, "{seen:?}");
}

/// `malloc(4 * n)` with an unknown `n`, a store to the last element, and a load.
#[test]
fn a_size_and_contents_are_data() {
    let Regs { byte, bit, count, index, x, a, pointer, .. } = REGS;
    let (access, align, rhs) = (Access::default(), Operand::Int(16), Operand::Int(4));
    let (op, lhs) = (BinOp::Mul, reg(count));
    let code = vec![
        Instr::Nondet { width: 8, dst: byte, domain: Domain::Full, origin: Symbol(0) },
        Instr::Cast { op: CastOp::ZExt, from: 8, to: 64, dst: count, src: reg(byte) },
        Instr::Binary { op, width: 64, no_signed_wrap: false, dst: index, lhs, rhs },
        Instr::Malloc { dst: a, size: reg(index), align, zeroed: false },
        Instr::PtrAdd { dst: pointer, base: reg(a), index: reg(count), scale: 4, offset: -4 },
        Instr::Store { width: 32, ptr: reg(pointer), value: Operand::Int(7), access },
        // The step ends before an input.
        Instr::Nondet { width: 8, dst: byte, domain: Domain::Full, origin: Symbol(0) },
        Instr::Load { width: 32, dst: x, ptr: reg(pointer), access },
        Instr::Compare { pred: Pred::Eq, width: 32, dst: bit, lhs: reg(x), rhs: Operand::Int(7) },
        Instr::Assume { cond: reg(bit) },
        Instr::Unreachable,
    ];
    let machine = Machine::new(Arc::new(program_of(code, 32)), Config::default());
    let mut terms = Terms::new();
    let mut locations = Locations::of(&machine, |_, _| Vec::new()).with_open_objects();
    let (location, _) = locations.split(&mut terms, machine.initial());
    let ways = locations.step(&mut terms, &mut Blind, &location, MAIN, 0, Grain::Visible);
    let (outside, inside): (Vec<_>, Vec<_>) = ways.iter().partition(|way| !way.faults.is_empty());
    let ([outside], [inside]) = (&outside[..], &inside[..]) else { panic!("inside, or a fault") };
    assert_eq!(outside.faults[0].kind.name(), "out-of-bounds");
    let assigned = |is_it: fn(Datum) -> bool| inside.assignments.iter().find(|(datum, _)| is_it(*datum));
    let (_, size) = assigned(|datum| matches!(datum, Datum::Size { .. })).expect("a size");
    // Of the size, the input is what varies.
    let input = inside.inputs[0].choice;
    assert_eq!(*size, input);
    let (input_wide, four) = (terms.zext(input, 64), terms.constant(64, 4));
    let bytes = terms.mul(input_wide, four);
    assert_eq!(inside.met.sizes, [bytes]);
    // So few bytes are never too many.
    assert!(inside.met.replayable.is_empty(), "{:?}", inside.met.replayable);
    let (object, contents) = assigned(Datum::is_array).expect("contents");
    let (seven, one) = (terms.constant(32, 7), terms.constant(62, 1));
    let count = terms.zext(input, 62);
    let last = terms.sub(count, one);
    let last = terms.zext(last, 64);
    assert_eq!(*contents, terms.store(inside.met.arrays[0], last, seven));
    // What the load reads afterwards is an element of the contents.
    let ways = locations.step(&mut terms, &mut Blind, &inside.target, MAIN, 0, Grain::Visible);
    let contents = locations.variable(&mut terms, *object, 32);
    let is_select = |term: &Term| terms.variables_in(*term).contains(&contents);
    assert!(ways.iter().any(|way| way.guard.iter().any(is_select)));
    let variables = inside.target.variables(&machine, &terms);
    assert!(variables.contains(&contents), "{variables:?}");
}

/// The ends of a step that allocates an unknown number of bytes and reads the first,
/// each with the number of conditions for replaying it.
fn ends_of_reading(after: Vec<Instr>, properties: &[Property]) -> Vec<(Option<End>, usize)> {
    let Regs { byte, count, other, a, .. } = REGS;
    let (access, align) = (Access::default(), Operand::Int(16));
    let mut code = vec![
        Instr::Nondet { width: 8, dst: byte, domain: Domain::Full, origin: Symbol(0) },
        Instr::Cast { op: CastOp::ZExt, from: 8, to: 64, dst: count, src: reg(byte) },
        Instr::Malloc { dst: a, size: reg(count), align, zeroed: false },
        Instr::Load { width: 8, dst: other, ptr: reg(a), access },
    ];
    code.extend(after);
    // The step ends before an input.
    code.push(Instr::Nondet { width: 8, dst: byte, domain: Domain::Full, origin: Symbol(0) });
    code.push(Instr::Unreachable);
    let properties = properties.iter().copied().collect();
    let program = Arc::new(program_of(code, 32));
    let machine = Machine::new(program, Config { properties, ..Config::default() });
    let mut terms = Terms::new();
    let mut locations = Locations::of(&machine, |_, _| Vec::new()).with_open_objects();
    let (location, _) = locations.split(&mut terms, machine.initial());
    let ways = locations.step(&mut terms, &mut Blind, &location, MAIN, 0, Grain::Visible);
    ways.into_iter().map(|way| (way.end, way.met.replayable.len())).collect()
}

/// What was never initialised may be read as an input where it is computed with, but
/// copies of it are inputs of their own.
#[test]
fn uninitialised_elements_are_inputs_or_unsupported() {
    let Regs { bit, other, .. } = REGS;
    let compare = |rhs| Instr::Compare { pred: Pred::Eq, width: 8, dst: bit, lhs: reg(other), rhs };
    let is_unsupported = |(end, _): &(Option<End>, usize)| matches!(end, Some(End::Unsupported(_)));
    for (after, properties, unsupported) in [
        (vec![compare(Operand::Int(7))], &[Property::Memory][..], false),
        (vec![compare(Operand::Int(7))], &[Property::Memory, Property::Uninit], true),
        (Vec::new(), &[Property::Memory], true),
    ] {
        let ends = ends_of_reading(after, properties);
        assert_eq!(ends.iter().any(is_unsupported), unsupported, "{ends:?}");
        assert_eq!(ends.contains(&(None, 1)), !unsupported, "the element is chosen: {ends:?}");
        assert!(ends.contains(&(Some(End::Fault), 0)), "there may be no byte at all: {ends:?}");
    }
}
