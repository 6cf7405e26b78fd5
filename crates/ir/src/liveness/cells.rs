//! Which cells of global variables a position may still read.
//!
//! A cell is a number in a global variable that only loads and stores of just these
//! bytes touch, by the variable's name. A cell is dead in a state if no thread reads it
//! before it writes it, on any way that its control can go. What a dead cell holds has
//! no bearing on what happens.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::Row;
use crate::blocks::Blocks;
use crate::instr::{Callee, Instr, Operand, SyncOp};
use crate::program::{FuncId, GlobalId, Pc, Program, Target};

/// A number in a global variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The variable.
    pub global: GlobalId,
    /// The first byte.
    pub offset: u32,
    /// How many bytes.
    pub len: u8,
}

/// Which operand of the creation of a thread is the function that it begins with.
const STARTED: usize = 2;

/// The cells of a program, and where they are live.
pub struct LiveCells<'p> {
    program: &'p Program,
    cells: Vec<Cell>,
    /// What a call of each function may read.
    entries: Vec<Row>,
    /// What all functions may read that are not called by their names.
    named: Row,
    functions: Vec<(Blocks, Vec<Row>)>,
    known: RefCell<HashMap<(FuncId, Pc), Rc<Row>>>,
}

impl<'p> LiveCells<'p> {
    /// The live cells of a program.
    pub fn of(program: &'p Program) -> LiveCells<'p> {
        let cells = cells(program);
        let none = Row::of(cells.len());
        let functions = program.functions.iter().map(|function| (Blocks::of(function), Vec::new())).collect();
        let (entries, named) = (vec![none.clone(); program.functions.len()], none);
        let mut live = LiveCells { program, cells, entries, named, functions, known: RefCell::default() };
        while live.grow() {}
        live
    }

    /// The cells that are dead where threads have these calls, each with the function and
    /// where it is there, the innermost call last.
    pub fn dead<'s>(&self, stacks: impl IntoIterator<Item = &'s [(FuncId, Pc)]>) -> Vec<Cell> {
        let mut live = Row::of(self.cells.len());
        for stack in stacks {
            for (function, pc) in self.program.resumed(stack) {
                live.union(&self.before(function, pc));
            }
        }
        let dead = |index: &usize| !live.contains(*index);
        (0..self.cells.len()).filter(dead).map(|index| self.cells[index]).collect()
    }

    /// The cells that are live before an instruction.
    fn before(&self, function: FuncId, pc: Pc) -> Rc<Row> {
        if let Some(known) = self.known.borrow().get(&(function, pc)) {
            return Rc::clone(known);
        }
        let body = self.program.function(function);
        let (blocks, sets) = &self.functions[function.0 as usize];
        let block = blocks.containing(pc);
        let mut row = blocks.live_out(body, block, sets, &Row::of(self.cells.len()));
        for at in blocks.range(block).rev().take_while(|at| *at >= pc as usize) {
            self.transfer(&body.code[at], &mut row);
        }
        let row = Rc::new(row);
        self.known.borrow_mut().insert((function, pc), Rc::clone(&row));
        row
    }

    /// Computes what functions may read anew. Yields whether that is more than before.
    fn grow(&mut self) -> bool {
        let mut grown = false;
        let none = Row::of(self.cells.len());
        for (index, function) in self.program.functions.iter().enumerate() {
            let sets =
                self.functions[index].0.solve(function, &none, &|instr, row| self.transfer(instr, row));
            let entry = sets.first().unwrap_or(&none).clone();
            grown |= entry != self.entries[index];
            (self.entries[index], self.functions[index].1) = (entry, sets);
        }
        let mut named = none;
        for function in self.program.taken_functions() {
            named.union(&self.entries[function.0 as usize]);
        }
        grown |= named != self.named;
        self.named = named;
        grown
    }

    /// From the set after an instruction to the set before it.
    fn transfer(&self, instr: &Instr, row: &mut Row) {
        let cell = accessed(instr).and_then(|(ptr, width)| direct(ptr, width));
        let cell = cell.and_then(|cell| self.cells.binary_search(&cell).ok());
        match (instr, cell) {
            (Instr::Store { .. }, Some(cell)) => row.remove(cell),
            (_, Some(cell)) => row.insert(cell),
            (_, None) => self.enter(instr, row),
        }
    }

    /// Adds what the functions may read that an instruction calls, or starts a thread with.
    fn enter(&self, instr: &Instr, row: &mut Row) {
        match instr {
            Instr::Call { callee: Callee::Direct(callee), .. } => row.union(&self.entries[callee.0 as usize]),
            Instr::Call { callee: Callee::Indirect(_), .. } => row.union(&self.named),
            Instr::Sync { op: SyncOp::ThreadCreate, args, .. } => match args[STARTED] {
                Operand::Function(started) => row.union(&self.entries[started.0 as usize]),
                _ => row.union(&self.named),
            },
            _ => {}
        }
    }
}

/// The cell that an access by this operand touches.
fn direct(operand: Operand, width: u8) -> Option<Cell> {
    let Operand::Global(global, offset) = operand else { return None };
    let is_number = matches!(width, 8 | 16 | 32 | 64);
    Some(Cell { global, offset: u32::try_from(offset).ok()?, len: width / 8 }).filter(|_| is_number)
}

/// The cells of a program, ascending.
fn cells(program: &Program) -> Vec<Cell> {
    let mut found: BTreeMap<GlobalId, BTreeSet<Cell>> = BTreeMap::new();
    let mut lost: BTreeSet<GlobalId> = BTreeSet::new();
    for instr in program.functions.iter().flat_map(|function| &function.code) {
        let accessed = accessed(instr);
        let cell = accessed.and_then(|(ptr, width)| direct(ptr, width));
        cell.into_iter().for_each(|cell| _ = found.entry(cell.global).or_default().insert(cell));
        let mut is_access = cell.is_some();
        instr.for_each_use(|operand, _| {
            let own = std::mem::take(&mut is_access) && accessed.is_some_and(|(ptr, _)| ptr == operand);
            if let (Operand::Global(global, _), false) = (operand, own) {
                lost.insert(global);
            }
        });
    }
    for relocation in program.globals.iter().flat_map(|global| &global.relocations) {
        if let Target::Global(global) = relocation.target {
            lost.insert(global);
        }
    }
    let is_known = |global: &GlobalId| {
        let declared = &program.globals[global.0 as usize];
        !declared.thread_local && !declared.constant && !lost.contains(global)
    };
    let apart = |cells: &BTreeSet<Cell>| {
        let mut ends = cells.iter().zip(cells.iter().skip(1));
        ends.all(|(cell, next)| cell.offset + u32::from(cell.len) <= next.offset)
    };
    let whole = found.into_iter().filter(|(global, cells)| is_known(global) && apart(cells));
    whole.flat_map(|(_, cells)| cells).collect()
}

/// Through which operand an instruction accesses how many bits.
fn accessed(instr: &Instr) -> Option<(Operand, u8)> {
    match instr {
        Instr::Load { width, ptr, .. }
        | Instr::Store { width, ptr, .. }
        | Instr::AtomicRmw { width, ptr, .. } => Some((*ptr, *width)),
        Instr::CompareExchange(cx) => Some((cx.ptr, cx.width)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
