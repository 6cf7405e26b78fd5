//! What threads may still do: the instructions that can be reached, by the control flow
//! of the program and by what the static analysis knows of calls and thread starts.

use std::rc::Rc;

use analysis::Place;
use analysis::interference::Interference;
use ir::operation::{Action, Operation};
use ir::{Blocks, FuncId, Instr, Pc, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::races::Races;

/// Instructions.
pub type Places = Rc<FxHashSet<Place>>;

/// The instructions that can be reached.
pub struct Futures<'p> {
    program: &'p Program,
    /// What the static analysis knows.
    known: Interference,
    /// The accesses that may race, if races are looked for.
    races: Option<Rc<Races>>,
    from: FxHashMap<Place, Places>,
}

/// An atomic section.
pub struct Section {
    /// The instructions that it may execute.
    pub places: FxHashSet<Place>,
    /// Whether it is left in any case, by instructions that follow one another.
    pub is_total: bool,
}

impl<'p> Futures<'p> {
    /// The futures in a program. These accesses may race, if races are looked for.
    pub fn new(program: &'p Program, known: Interference, races: Option<Rc<Races>>) -> Futures<'p> {
        Futures { program, known, races, from: FxHashMap::default() }
    }

    /// Whether what two instructions do may conflict, each executed by a thread that began with a
    /// function.
    pub fn conflict(&self, a: (Place, FuncId), b: (Place, FuncId)) -> bool {
        let may_race = self.races.as_ref().is_some_and(|races| races.may_meet(a.0, b.0));
        may_race || self.known.conflicts(a, b)
    }

    /// Whether a failure can be reached at an instruction, while threads are alive that began with
    /// these functions.
    pub fn may_fail(&self, place: Place, beside: &[FuncId]) -> bool {
        let instr = self.instr(place);
        let may_race = |races: &Rc<Races>| races.has(place) || is_renewal(instr);
        let fails = matches!(instr, Instr::Fail { .. } | Instr::Unsupported { .. });
        (fails || self.races.as_ref().is_some_and(may_race))
            && beside.iter().all(|function| self.known.may_live(*function, place))
    }

    /// The instruction at a place.
    pub fn instr(&self, place: Place) -> &'p Instr {
        &self.program.function(place.function).code[place.pc as usize]
    }

    /// Where a call goes on that waits for another to return: after it.
    pub fn after_call(&self, place: Place) -> Place {
        match self.instr(place) {
            Instr::Call { .. } => Place { pc: place.pc + 1, ..place },
            _ => place,
        }
    }

    /// What may be executed from an instruction on until its call returns, by this thread
    /// and those that it starts.
    pub fn from(&mut self, place: Place) -> Places {
        if let Some(known) = self.from.get(&place) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.closure(self.flow(place, false)));
        self.from.insert(place, Rc::clone(&found));
        found
    }

    /// The atomic section that begins at an instruction; none if it may wait within, or
    /// may be left otherwise than by its end in the same function.
    pub fn section(&self, begin: Place) -> Option<Section> {
        let own = self.flow(begin, true);
        let places = self.closure(own.clone());
        let allowed = |place: &Place| match self.instr(*place) {
            Instr::AtomicBegin { .. } => *place == begin,
            Instr::AtomicEnd { .. } => own.contains(place),
            Instr::Return { .. } => !own.contains(place),
            Instr::Sync { .. } | Instr::ThreadExit { .. } => false,
            _ => true,
        };
        let is_total = own.iter().all(|place| self.goes_on(*place));
        places.iter().all(allowed).then_some(Section { places, is_total })
    }

    /// Whether all atomic sections of the program can be told by [`Futures::section`].
    pub fn has_plain_sections(&self) -> bool {
        let mut all = self.program.functions.iter().zip(0..).flat_map(|(function, id)| {
            let places = 0..function.code.len() as Pc;
            places.map(move |pc| Place { function: FuncId(id), pc })
        });
        all.all(|place| {
            !matches!(self.instr(place), Instr::AtomicBegin { .. }) || self.section(place).is_some()
        })
    }

    /// The instructions of one function that control can reach from a place; within an
    /// atomic section, not beyond its end.
    fn flow(&self, from: Place, in_section: bool) -> FxHashSet<Place> {
        let function = self.program.function(from.function);
        let blocks = Blocks::of(function);
        let (mut found, mut work) = (FxHashSet::default(), vec![from]);
        while let Some(place) = work.pop() {
            let ends = in_section && matches!(self.instr(place), Instr::AtomicEnd { .. });
            if !found.insert(place) || ends {
                continue;
            }
            let block = blocks.containing(place.pc);
            let next = place.pc as usize + 1;
            if next < blocks.range(block).end {
                work.push(Place { pc: next as Pc, ..place });
                continue;
            }
            for after in blocks.successors(function, block) {
                work.push(Place { pc: blocks.range(after).start as Pc, ..place });
            }
        }
        found
    }

    /// Instructions with all those of the functions that they call or start threads with.
    fn closure(&self, mut found: FxHashSet<Place>) -> FxHashSet<Place> {
        let mut work: Vec<Place> = found.iter().copied().collect();
        let mut entered: FxHashSet<FuncId> = FxHashSet::default();
        while let Some(place) = work.pop() {
            let calls = self.known.calls.get(&place).into_iter().flatten();
            let starts = self.known.starts.get(&place).into_iter().flatten();
            for function in calls.chain(starts).copied().collect::<Vec<FuncId>>() {
                if !entered.insert(function) {
                    continue;
                }
                for pc in 0..self.program.function(function).code.len() as Pc {
                    let place = Place { function, pc };
                    found.insert(place);
                    work.push(place);
                }
            }
        }
        found
    }

    /// Whether control goes on after an instruction, and only forward, if there is no
    /// fault.
    fn goes_on(&self, place: Place) -> bool {
        let instr = self.instr(place);
        let mut forward = true;
        instr.for_each_target(|target| forward &= target > place.pc);
        forward
            && !matches!(
                instr,
                Instr::Call { .. }
                    | Instr::Return { .. }
                    | Instr::Assume { .. }
                    | Instr::Exit { .. }
                    | Instr::ThreadExit { .. }
                    | Instr::Unreachable
                    | Instr::Unsupported { .. }
                    | Instr::Sync { .. }
            )
    }
}

/// Whether an instruction makes or destroys an object of synchronisation, beside which races are not
/// followed.
fn is_renewal(instr: &Instr) -> bool {
    let Instr::Sync { op, .. } = instr else { return false };
    matches!(Operation::of(*op).action, Action::Init { .. } | Action::Destroy)
}
