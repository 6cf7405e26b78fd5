//! Which instructions were executed by any step that was taken on a machine.
//!
//! Steps note little: which way a branch went, which instructions were executed
//! that need more than registers, and where a thread stood afterwards. The rest
//! follows ([`Machine::executed`]): an instruction on registers is executed
//! wherever a thread comes to it. Threads of a search note in the same place,
//! and an instruction that was noted is not written again, so that they do not
//! get into each other's way. What is noted has no influence on any step.

use std::sync::atomic::{AtomicU8, Ordering};

use ir::{FuncId, Instr, Pc, Program};

use crate::exec::Exec;
use crate::machine::Machine;
use crate::symbolic::symbols::Symbols;
use crate::telling::observer::Observer;

/// A thread stood before the instruction.
const ARRIVED: u8 = 1;
/// The instruction was executed.
const EXECUTED: u8 = 2;
/// The branch was taken because its condition held, or did not hold.
const YES: u8 = 4;
const NO: u8 = 8;

/// An object of the heap or of a stack was given a number for its address.
const NUMBERED: u8 = 1;
/// A reader joined others at a lock that prefers writers.
const OVERTAKEN: u8 = 2;

/// What steps have noted, for each instruction of each function.
#[derive(Debug)]
pub(crate) struct Marks {
    marks: Vec<Box<[AtomicU8]>>,
    /// What a verdict rests on because of some step.
    assumed: AtomicU8,
}

impl Marks {
    pub fn new(program: &Program) -> Marks {
        let unmarked = |function: &ir::Function| function.code.iter().map(|_| AtomicU8::new(0)).collect();
        Marks { marks: program.functions.iter().map(unmarked).collect(), assumed: AtomicU8::new(0) }
    }

    /// All that was noted.
    fn iter(&self) -> impl Iterator<Item = &AtomicU8> {
        self.marks.iter().flatten().chain(std::iter::once(&self.assumed))
    }

    /// Notes that an address became a number.
    pub fn note_number(&self) {
        self.assumed.fetch_or(NUMBERED, Ordering::Relaxed);
    }

    /// Notes that a writer, had one waited, would have been overtaken.
    pub fn note_overtaking(&self) {
        self.assumed.fetch_or(OVERTAKEN, Ordering::Relaxed);
    }

    /// Notes which way a branch goes.
    #[inline(always)]
    pub fn branch(&self, function: FuncId, pc: Pc, yes: bool) {
        self.note(function, pc, if yes { YES } else { NO });
    }

    /// Notes that a thread stands before an instruction.
    #[inline(always)]
    pub fn arrive(&self, function: FuncId, pc: Pc) {
        self.note(function, pc, ARRIVED);
    }

    #[inline(always)]
    fn note(&self, function: FuncId, pc: Pc, mark: u8) {
        let cell = &self.marks[function.0 as usize][pc as usize];
        if cell.load(Ordering::Relaxed) & mark == 0 {
            cell.fetch_or(mark, Ordering::Relaxed);
        }
    }

    /// Adds what was noted elsewhere about the same program.
    fn add(&self, others: &Marks) {
        for (mine, others) in self.iter().zip(others.iter()) {
            mine.fetch_or(others.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    fn get(&self, function: FuncId, pc: Pc) -> u8 {
        self.marks[function.0 as usize][pc as usize].load(Ordering::Relaxed)
    }
}

/// What was executed of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executed {
    /// For each instruction, whether it was executed.
    pub instructions: Vec<bool>,
    /// For each branch, whether its condition ever held, and whether it ever
    /// did not.
    pub branches: Vec<(bool, bool)>,
}

impl Machine {
    /// Whether a step gave a number to the address of an object that may lie
    /// anywhere.
    pub fn has_numbered_addresses(&self) -> bool {
        self.marks.assumed.load(Ordering::Relaxed) & NUMBERED != 0
    }

    /// Whether a step let a reader join others at a lock that prefers writers,
    /// where it would have to wait if a writer did.
    pub fn has_overtaking_readers(&self) -> bool {
        self.marks.assumed.load(Ordering::Relaxed) & OVERTAKEN != 0
    }

    /// What was executed of a function so far.
    pub fn executed(&self, function: FuncId) -> Executed {
        let code = &self.program().function(function).code;
        let marks: Vec<u8> = (0..code.len() as Pc).map(|pc| self.marks.get(function, pc)).collect();
        let local = &self.code[function.0 as usize].local;
        let mut instructions: Vec<bool> = marks.iter().map(|mark| mark & EXECUTED != 0).collect();
        let mut work: Vec<usize> =
            (0..code.len()).filter(|pc| marks[*pc] & (ARRIVED | EXECUTED) != 0).collect();
        let mut reached = vec![false; code.len()];
        while let Some(pc) = work.pop() {
            if std::mem::replace(&mut reached[pc], true) || !(local[pc] || instructions[pc]) {
                continue;
            }
            instructions[pc] = true;
            match &code[pc] {
                Instr::Branch { yes, no, .. } => {
                    let went = |mark, target: &Pc| (marks[pc] & mark != 0).then_some(*target as usize);
                    work.extend(went(YES, yes).into_iter().chain(went(NO, no)));
                }
                Instr::Jump { target } => work.push(*target as usize),
                // Where others lead is noted when they are executed.
                instr if local[pc] && !instr.is_terminator() => work.push(pc + 1),
                _ => {}
            }
        }
        let branches = marks.iter().map(|mark| (mark & YES != 0, mark & NO != 0)).collect();
        Executed { instructions, branches }
    }

    /// Adds what was executed on another machine with the same program.
    pub fn add_executed(&self, other: &Machine) {
        self.marks.add(&other.marks);
    }
}

impl Machine {
    /// All that steps have noted so far, to be kept with an interrupted search.
    pub fn noted(&self) -> Vec<u8> {
        self.marks.iter().map(|mark| mark.load(Ordering::Relaxed)).collect()
    }

    /// Adds what was noted before ([`Machine::noted`]).
    pub fn note_all(&self, noted: &[u8]) {
        for (mark, noted) in self.marks.iter().zip(noted) {
            mark.fetch_or(*noted, Ordering::Relaxed);
        }
    }
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// Notes that the thread executes an instruction.
    #[inline]
    pub fn note_executed(&self, function: FuncId, pc: Pc) {
        self.machine.marks.note(function, pc, EXECUTED);
    }

    /// Notes where the thread stands.
    #[inline]
    pub fn note_arrival(&self) {
        if let Some(frame) = self.state.thread(self.thread).frames.last() {
            self.machine.marks.arrive(frame.function, frame.pc);
        }
    }
}
