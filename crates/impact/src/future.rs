//! What a thread may still do: the instructions that its control can reach.

use std::cell::RefCell;
use std::rc::Rc;

use analysis::Place;
use analysis::interference::Interference;
use ir::{Blocks, FuncId, Instr, Pc, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions that can be reached.
pub type Places = Rc<FxHashSet<Place>>;

/// What an atomic section executes.
pub struct Section {
    /// Its instructions.
    pub places: Places,
    /// Whether it comes to its end whatever the data are.
    pub is_total: bool,
}

/// The instructions that can be reached from each point of a program.
pub struct Futures<'p> {
    program: &'p Program,
    known: Interference,
    whole: RefCell<FxHashMap<FuncId, Places>>,
    from: FxHashMap<Place, Places>,
}

impl<'p> Futures<'p> {
    /// The futures in a program.
    pub fn new(program: &'p Program, known: Interference) -> Futures<'p> {
        Futures { program, known, whole: RefCell::default(), from: FxHashMap::default() }
    }

    /// What is known about interference.
    pub fn interference(&self) -> &Interference {
        &self.known
    }

    /// What a thread may execute from here on, its next instruction included, by
    /// its calls.
    pub fn of_stack(&mut self, stack: &[(FuncId, Pc)]) -> Vec<Places> {
        let places = self.program.resumed(stack).map(|(function, pc)| Place { function, pc });
        places.collect::<Vec<_>>().into_iter().map(|place| self.from(place)).collect()
    }

    /// What may be executed from an instruction on within its call, with all
    /// functions that are called and all threads that are started.
    fn from(&mut self, place: Place) -> Places {
        if let Some(known) = self.from.get(&place) {
            return Rc::clone(known);
        }
        let pcs = reachable(self.program, place, |_| true);
        let found = Rc::new(self.with_calls(place.function, pcs));
        self.from.insert(place, Rc::clone(&found));
        found
    }

    /// Whether no atomic section of the program may wait, and each ends where it began.
    pub fn sections_are_simple(&self) -> bool {
        let functions = self.program.functions.iter().zip(0..);
        let mut begins = functions.flat_map(|(function, id)| {
            let begins = |(_, instr): &(Pc, &Instr)| matches!(instr, Instr::AtomicBegin { .. });
            let places = (0..).zip(&function.code).filter(begins);
            places.map(move |(pc, _)| Place { function: FuncId(id), pc })
        });
        begins.all(|begin| self.section(begin).is_some())
    }

    /// What an atomic section that begins here executes; none if it may wait, or if its
    /// end is not in the same function.
    pub fn section(&self, begin: Place) -> Option<Section> {
        let code = &self.program.function(begin.function).code;
        let ends = |instr: &Instr| matches!(instr, Instr::AtomicEnd { .. });
        let pcs = reachable(self.program, begin, |instr| !ends(instr));
        let places = self.with_calls(begin.function, pcs.clone());
        let instr = |place: &Place| &self.program.function(place.function).code[place.pc as usize];
        let is_own = |place: &Place| place.function == begin.function && pcs.contains(&place.pc);
        let is_simple = |place: &Place| match instr(place) {
            Instr::AtomicBegin { .. } => *place == begin,
            Instr::AtomicEnd { .. } => is_own(place),
            Instr::Return { .. } => !is_own(place),
            Instr::Sync { .. } | Instr::ThreadExit { .. } => false,
            _ => true,
        };
        let is_total = pcs.iter().all(|pc| always_goes_on(&code[*pc as usize], *pc));
        places.iter().all(is_simple).then(|| Section { places: Rc::new(places), is_total })
    }

    /// Instructions of a function with all that they call and start.
    fn with_calls(&self, function: FuncId, pcs: Vec<Pc>) -> FxHashSet<Place> {
        let mut found: FxHashSet<Place> = pcs.into_iter().map(|pc| Place { function, pc }).collect();
        let mut functions = Vec::new();
        for place in &found {
            functions.extend(self.entered(*place));
        }
        for function in functions {
            found.extend(self.whole(function).iter().copied());
        }
        found
    }

    /// The functions that an instruction calls, or starts threads with.
    fn entered(&self, place: Place) -> Vec<FuncId> {
        let calls = self.known.calls.get(&place).into_iter().flatten();
        let starts = self.known.starts.get(&place).into_iter().flatten();
        calls.chain(starts).copied().collect()
    }

    /// All that a function may execute.
    pub fn whole(&self, function: FuncId) -> Places {
        if let Some(known) = self.whole.borrow().get(&function) {
            return Rc::clone(known);
        }
        let (mut found, mut entered) = (FxHashSet::default(), FxHashSet::from_iter([function]));
        let mut work = vec![function];
        while let Some(function) = work.pop() {
            for pc in 0..self.program.function(function).code.len() as Pc {
                let place = Place { function, pc };
                found.insert(place);
                work.extend(self.entered(place).into_iter().filter(|callee| entered.insert(*callee)));
            }
        }
        let found = Rc::new(found);
        self.whole.borrow_mut().insert(function, Rc::clone(&found));
        found
    }
}

/// Whether an instruction is followed by a later one of its function, if there is no
/// fault.
fn always_goes_on(instr: &Instr, pc: Pc) -> bool {
    let mut forward = true;
    instr.for_each_target(|target| forward &= target > pc);
    let leaves = matches!(
        instr,
        Instr::Call { .. }
            | Instr::Return { .. }
            | Instr::Assume { .. }
            | Instr::Exit { .. }
            | Instr::ThreadExit { .. }
            | Instr::Unreachable
            | Instr::Unsupported { .. }
            | Instr::Sync { .. }
    );
    forward && !leaves
}

/// The instructions of a function that can be reached from one of them, going on
/// from those that are passed.
fn reachable(program: &Program, from: Place, passes: impl Fn(&Instr) -> bool) -> Vec<Pc> {
    let function = program.function(from.function);
    let blocks = Blocks::of(function);
    let mut found = vec![false; function.code.len()];
    let mut work = vec![from.pc as usize];
    while let Some(pc) = work.pop() {
        if std::mem::replace(&mut found[pc], true) || !passes(&function.code[pc]) {
            continue;
        }
        let block = blocks.containing(pc as Pc);
        match blocks.range(block).end {
            end if pc + 1 < end => work.push(pc + 1),
            _ => work
                .extend(blocks.successors(function, block).into_iter().map(|next| blocks.range(next).start)),
        }
    }
    (0..).zip(found).filter_map(|(pc, found)| found.then_some(pc)).collect()
}
