//! The variables whose values are followed, when no other thread can change them,
//! and what protects them.

use rustc_hash::FxHashMap;

use crate::flow::{Held, Lock};
use crate::interpret::Interpreter;
use crate::invariants::interval::Interval;
use crate::memory::{Kind, ThreadIx};
use crate::rules::{Rules, Use};
use crate::value::{Meets, ObjIx, Off, Ptr};

/// Index of a cell.
pub type CellIx = usize;

/// At most so many variables are followed.
const MAX_CELLS: usize = 256;

/// What makes sure that no other thread changes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// It is written before other threads are there, and never again.
    Finished,
    /// Every other write is made under this lock.
    Lock(Lock),
    /// Every other write is made in an atomic section.
    Section,
    /// Every other write is made by this thread, of which there is one instance,
    /// and it has not begun.
    Before(ThreadIx),
    /// The same, and it has ended.
    After(ThreadIx),
}

/// A part of a global variable that is read or written as a whole.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The variable.
    pub obj: ObjIx,
    /// Where in it.
    pub off: i64,
    /// Its size in bytes.
    pub len: u64,
    /// What it holds when the program starts.
    pub initial: Interval,
    /// What protects it.
    pub guards: Vec<Guard>,
    /// The accesses that write to it.
    writes: Vec<Use>,
}

impl Cell {
    /// Its width in bits.
    pub fn width(&self) -> u8 {
        (self.len * 8) as u8
    }

    /// How an access meets it.
    pub fn meets(&self, ptr: &Ptr, len: u64) -> Meets {
        if ptr.obj != self.obj {
            return Meets::Never;
        }
        ptr.off.meets(len, Off::exact(self.off), self.len)
    }

    /// Whether an access goes to this cell and nowhere else.
    pub fn is_exactly(&self, ptr: &Ptr, len: u64) -> bool {
        ptr.obj == self.obj && ptr.off.known() == Some(self.off) && len == self.len
    }
}

/// All cells.
pub struct Cells<'a, 'p> {
    rules: &'a Rules<'a, 'p>,
    /// The cells.
    pub all: Vec<Cell>,
    of_object: FxHashMap<ObjIx, Vec<CellIx>>,
}

/// What no other thread can change while a thread is at a point.
#[derive(Clone, Debug)]
pub struct Stable {
    /// For each cell, whether that is so.
    pub cells: Vec<bool>,
    /// Whether there are no other threads.
    pub alone: bool,
}

impl<'a, 'p> Cells<'a, 'p> {
    /// The cells of a program.
    pub fn new(interpreter: &Interpreter<'p>, rules: &'a Rules<'a, 'p>) -> Cells<'a, 'p> {
        let mut cells = Cells { rules, all: Vec::new(), of_object: FxHashMap::default() };
        let word = interpreter.program.pointer_size();
        let mut objects: Vec<ObjIx> = rules.uses.keys().copied().collect();
        objects.sort_unstable();
        for obj in objects {
            let Kind::Global(id) = interpreter.memory.get(obj).kind else { continue };
            let uses = &rules.uses[&obj];
            let mut places: Vec<(i64, u64)> = uses
                .iter()
                .filter_map(|(each, _)| each.off.known().map(|off| (off, each.len)))
                // A wider access is made in several steps, and others may see it
                // half done.
                .filter(|(off, len)| *off >= 0 && len.is_power_of_two() && *len <= word)
                .collect();
            places.sort_unstable();
            places.dedup();
            for (off, len) in places {
                // The bytes of a synchronisation object in use read as anything.
                if rules.is_lock_place(obj, Off::exact(off), len) || cells.all.len() >= MAX_CELLS {
                    continue;
                }
                let initial = initial(interpreter.program.global(id), off as u64, len);
                let mut cell = Cell { obj, off, len, initial, guards: Vec::new(), writes: Vec::new() };
                let meets = |each: &&Use| {
                    each.write && each.off.meets(each.len, Off::exact(off), len) != Meets::Never
                };
                cell.writes = uses.iter().map(|(each, _)| each).filter(meets).cloned().collect();
                cell.guards = cells.guards(&cell);
                cells.of_object.entry(obj).or_default().push(cells.all.len());
                cells.all.push(cell);
            }
        }
        cells
    }

    /// The cells of an object.
    pub fn of(&self, obj: ObjIx) -> &[CellIx] {
        self.of_object.get(&obj).map_or(&[], |cells| cells)
    }

    fn guards(&self, cell: &Cell) -> Vec<Guard> {
        let rules = self.rules;
        let is_late = |write: &&Use| !rules.has_no_others(write.thread, rules.held(write));
        let late: Vec<&Use> = cell.writes.iter().filter(is_late).collect();
        let later: Vec<&Held> = late.iter().map(|write| rules.held(write)).collect();
        let Some((first, others)) = later.split_first() else { return vec![Guard::Finished] };
        let mut guards: Vec<Guard> = first
            .locks
            .iter()
            .filter(|held| {
                held.1 && rules.counts(&held.0) && others.iter().all(|other| other.locks.contains(held))
            })
            .map(|(lock, _)| Guard::Lock(*lock))
            .collect();
        if rules.sections_count() && later.iter().all(|held| held.in_section()) {
            guards.push(Guard::Section);
        }
        let writer = late[0].thread;
        if writer != 0 && rules.is_unique(writer) && late.iter().all(|write| write.thread == writer) {
            guards.extend([Guard::Before(writer), Guard::After(writer)]);
        }
        guards
    }

    /// What no other thread can change while a thread is at a point.
    pub fn stable(&self, thread: ThreadIx, held: &Held) -> Stable {
        let excluded = |cell: &Cell| cell.writes.iter().all(|write| self.rules.excludes(thread, held, write));
        let cells = self.all.iter().map(excluded).collect();
        Stable { cells, alone: self.rules.has_no_others(thread, held) }
    }
}

/// What a place of a global variable holds at first.
fn initial(global: &ir::Global, off: u64, len: u64) -> Interval {
    let width = (len * 8) as u8;
    let pointer = |each: &ir::Relocation| each.offset < off + len && off < each.offset + 8;
    if off + len > global.size || global.relocations.iter().any(pointer) {
        return Interval::all(width);
    }
    let byte = |at: u64| global.init.get(at as usize).copied().unwrap_or(0);
    Interval::exact((off..off + len).rev().fold(0, |value, at| value << 8 | u64::from(byte(at))), width)
}
