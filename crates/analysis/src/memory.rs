//! Abstract objects and what they may hold.
//!
//! An abstract object stands for all objects of the machine that one
//! allocation makes in one calling context. What they hold is kept as cells: a
//! place of a size and the join of all values ever stored there, by any thread.
//! A load yields the join of what it can meet.
//!
//! Two things of the machine need care.
//!
//! - A pointer in memory stays a pointer as long as it is read and written as a
//!   whole. Where bytes of it are read or overwritten on their own it becomes a
//!   number, and its object gets a numeric address: it is *pinned*. Cells that
//!   meet partly pin what they point to.
//! - Numbers lead to pinned objects, whatever computed them, so that all that is
//!   pinned is one set. It may hold functions and handles of threads as well.

use ir::{FuncId, GlobalId, Pc, Program, Target};
use rustc_hash::FxHashMap;

use crate::value::{Meets, Num, ObjIx, Off, Val};

/// Index of a function in a calling context.
pub type NodeIx = u32;
/// Index of an abstract thread.
pub type ThreadIx = u32;

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A global variable or constant.
    Global(GlobalId),
    /// The instances of a thread-local variable in the instances of a thread.
    Local(GlobalId, ThreadIx),
    /// What an instruction allocates on the heap.
    Heap(NodeIx, Pc),
    /// What it allocates on the stack.
    Frame(NodeIx, Pc),
    /// The variable arguments of a call.
    Arguments(NodeIx, Pc),
    /// The thread-specific values of a thread, under all keys.
    Specific(ThreadIx),
    /// A function.
    Function(FuncId),
    /// The handle of a thread.
    Handle(ThreadIx),
}

impl Kind {
    /// Whether it is memory that can be read and written.
    pub fn is_memory(self) -> bool {
        !matches!(self, Kind::Function(_) | Kind::Handle(_))
    }
}

/// A place in an object, and what it may hold.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Where it is.
    pub off: Off,
    /// Its size in bytes.
    pub len: u64,
    /// What it may hold.
    pub val: Val,
}

/// An abstract object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it stands for.
    pub kind: Kind,
    /// What was stored where.
    pub cells: Vec<Cell>,
    /// What was stored somewhere.
    pub smear: Val,
    /// Bytes that are filled with a number.
    fills: Vec<(Off, u64, Num)>,
    /// Whether it begins as zeros rather than uninitialised. Globals begin as
    /// their initialiser says.
    zeroed: bool,
    /// The nodes that load from it.
    pub readers: Vec<NodeIx>,
}

/// An object with more cells than this is not told apart any further.
const MAX_CELLS: usize = 48;

/// All abstract objects.
#[derive(Debug, Default)]
pub struct Memory {
    /// The objects.
    pub objects: Vec<Object>,
    index: FxHashMap<Kind, ObjIx>,
    /// The objects that numbers may lead to.
    pub pinned: Vec<ObjIx>,
    /// The nodes that follow numbers.
    pub number_readers: Vec<NodeIx>,
    /// The nodes whose input changed.
    pub dirty: Vec<NodeIx>,
    /// How many pointers and cells were looked at.
    pub work: u64,
}

impl Memory {
    /// The object of this kind.
    pub fn object(&mut self, program: &Program, kind: Kind, zeroed: bool) -> ObjIx {
        if let Some(known) = self.index.get(&kind) {
            return *known;
        }
        let ix = self.objects.len() as ObjIx;
        self.index.insert(kind, ix);
        let cells = Vec::new();
        let (smear, fills, readers) = Default::default();
        self.objects.push(Object { kind, cells, smear, fills, zeroed, readers });
        if let Kind::Global(id) | Kind::Local(id, _) = kind {
            self.relocate(program, ix, id);
        }
        ix
    }

    /// The pointers in a global's initial value.
    fn relocate(&mut self, program: &Program, ix: ObjIx, id: GlobalId) {
        for relocation in &program.global(id).relocations {
            let target = match relocation.target {
                Target::Global(global) => Kind::Global(global),
                Target::Function(function) => Kind::Function(function),
            };
            let target = self.object(program, target, false);
            let off = Off::exact(relocation.offset as i64);
            let val = Val::pointer(target, Off::exact(relocation.addend));
            self.objects[ix as usize].cells.push(Cell { off, len: program.pointer_size(), val });
        }
    }

    /// The object.
    pub fn get(&self, ix: ObjIx) -> &Object {
        &self.objects[ix as usize]
    }

    /// What a load may yield.
    pub fn load(&mut self, program: &Program, ix: ObjIx, off: Off, len: u64, reader: NodeIx) -> Val {
        let object = &mut self.objects[ix as usize];
        if !object.readers.contains(&reader) {
            object.readers.push(reader);
        }
        let mut val = initial(program, object, off, len);
        val.join(&object.smear);
        self.work += object.cells.iter().map(|cell| 1 + cell.val.ptrs.len() as u64).sum::<u64>();
        let mut split = object.smear.clone();
        for cell in &object.cells {
            match off.meets(len, cell.off, cell.len) {
                Meets::Never => {}
                Meets::Same => {
                    val.join(&cell.val);
                }
                Meets::Partly => {
                    split.join(&cell.val);
                    val.join(&Val { undef: cell.val.undef, ..Val::any() });
                }
            }
        }
        for (at, size, num) in &object.fills {
            if off.meets(len, *at, *size) != Meets::Never {
                val.join(&Val::number(*num));
            }
        }
        self.pin(&split);
        val
    }

    /// Adds what a place may hold.
    pub fn store(&mut self, ix: ObjIx, off: Off, len: u64, val: &Val) {
        let val = val.published();
        let object = &mut self.objects[ix as usize];
        self.work += (object.cells.len() + val.ptrs.len()) as u64;
        if off.stride == 1 || object.cells.len() >= MAX_CELLS {
            return self.smear(ix, &val);
        }
        let mut split = Val::default();
        let mut place = None;
        for (index, cell) in object.cells.iter().enumerate() {
            match off.meets(len, cell.off, cell.len) {
                _ if cell.len == len && cell.off.first == off.first && cell.off.stride == off.stride => {
                    place = Some(index);
                }
                Meets::Partly => {
                    split.join(&cell.val);
                    split.join(&val);
                }
                Meets::Never | Meets::Same => {}
            }
        }
        let changed = match place {
            Some(index) => object.cells[index].val.join(&val),
            None => {
                object.cells.push(Cell { off, len, val });
                true
            }
        };
        if changed {
            self.dirty.extend(&self.objects[ix as usize].readers);
        }
        self.pin(&split);
    }

    /// Adds what an object may hold anywhere.
    pub fn smear(&mut self, ix: ObjIx, val: &Val) {
        let object = &mut self.objects[ix as usize];
        if object.smear.join(&val.published()) {
            self.dirty.extend(&object.readers);
            let all = object.cells.iter().fold(object.smear.clone(), |mut all, cell| {
                all.join(&cell.val);
                all
            });
            self.pin(&all);
        }
    }

    /// Fills bytes with numbers. What pointers there are may lose some bytes.
    pub fn fill(&mut self, ix: ObjIx, off: Off, len: u64, num: Num) {
        let object = &mut self.objects[ix as usize];
        match object.fills.iter_mut().find(|(at, size, _)| *at == off && *size == len) {
            Some((_, _, known)) => {
                let joined = known.join(num);
                if joined == *known {
                    return;
                }
                *known = joined;
            }
            None => object.fills.push((off, len, num)),
        }
        self.dirty.extend(&object.readers);
        let cut = |cell: &&Cell| {
            let inside = |off: Off, len: u64| match (off.known(), cell.off.known()) {
                (Some(off), Some(at)) => {
                    off <= at && at + cell.len as i64 <= off.saturating_add_unsigned(len)
                }
                _ => false,
            };
            off.meets(len, cell.off, cell.len) != Meets::Never && !inside(off, len)
        };
        let mut split = Val::default();
        object.cells.iter().filter(cut).for_each(|cell| {
            split.join(&cell.val);
        });
        self.pin(&split);
    }

    /// Copies what so many bytes at one place may hold to another; the number
    /// of bytes may not be known.
    pub fn copy(
        &mut self,
        program: &Program,
        from: (ObjIx, Off),
        to: (ObjIx, Off),
        len: Option<u64>,
        reader: NodeIx,
    ) {
        let source = &mut self.objects[from.0 as usize];
        if !source.readers.contains(&reader) {
            source.readers.push(reader);
        }
        let source = source.clone();
        self.work += source.cells.iter().map(|cell| 1 + cell.val.ptrs.len() as u64).sum::<u64>();
        let size = len.unwrap_or(u64::MAX >> 2);
        let numbers = initial(program, &source, Off::ANY, 1);
        let (mut known, mut rest) = (Vec::new(), source.smear.clone());
        for cell in &source.cells {
            if from.1.meets(size, cell.off, cell.len) == Meets::Never {
                continue;
            }
            let within = match (len, from.1.known(), to.1.known(), cell.off.known()) {
                (Some(len), Some(start), Some(target), Some(at))
                    if start <= at && at + cell.len as i64 <= start + len as i64 =>
                {
                    Some(Off::exact(target + at - start))
                }
                _ => None,
            };
            match within {
                Some(off) => known.push((off, cell.len, cell.val.clone())),
                None => {
                    rest.join(&cell.val);
                }
            }
        }
        for (off, len, val) in known {
            self.store(to.0, off, len, &val);
        }
        if !rest.ptrs.is_empty() {
            // Only a copy that ends in the middle of a pointer makes it a number.
            self.pin(&rest);
            self.smear(to.0, &rest);
        }
        let mut all = numbers;
        source.fills.iter().for_each(|(_, _, num)| {
            all.join(&Val::number(*num));
        });
        let has_numbers = rest.num != Num::None || source.cells.iter().any(|cell| cell.val.num != Num::None);
        if has_numbers {
            all.join(&Val::any());
        }
        let num = if all.undef { Num::Any } else { all.num };
        self.fill(to.0, to.1, size, num);
    }

    /// The objects that a value leads to become ones that numbers lead to.
    pub fn pin(&mut self, val: &Val) {
        for ptr in &val.ptrs {
            if !self.pinned.contains(&ptr.obj) {
                self.pinned.push(ptr.obj);
                self.dirty.extend(&self.number_readers);
            }
        }
    }

    /// Whether an object may hold what was never initialised.
    pub fn may_be_undefined(&self, ix: ObjIx) -> bool {
        let object = self.get(ix);
        let begins = match object.kind {
            Kind::Global(_) | Kind::Local(..) | Kind::Specific(_) => false,
            Kind::Heap(..) => !object.zeroed,
            _ => true,
        };
        begins || object.smear.undef || object.cells.iter().any(|cell| cell.val.undef)
    }

    /// The pointers that an access through a value may follow: its own, and if
    /// it may be a number those to all that is pinned.
    pub fn targets(&mut self, val: &Val, reader: NodeIx) -> Val {
        self.work += (val.ptrs.len() + self.pinned.len()) as u64;
        if !val.num.may_be_address() {
            return val.clone();
        }
        if !self.number_readers.contains(&reader) {
            self.number_readers.push(reader);
        }
        let mut all = val.clone();
        for obj in &self.pinned {
            all.join(&Val::pointer(*obj, Off::ANY));
        }
        all
    }
}

/// What an object holds at a place before anything is stored there.
fn initial(program: &Program, object: &Object, off: Off, len: u64) -> Val {
    let id = match object.kind {
        Kind::Global(id) | Kind::Local(id, _) => id,
        Kind::Heap(..) if object.zeroed => return Val::exact(0),
        Kind::Specific(_) => return Val::exact(0),
        _ => return Val::undef(),
    };
    let global = program.global(id);
    if global.init.iter().all(|byte| *byte == 0) {
        return Val::exact(0);
    }
    let Some(start) = off.known().filter(|_| len <= 8).and_then(|off| u64::try_from(off).ok()) else {
        return Val::any();
    };
    let byte = |at: u64| global.init.get(at as usize).copied().unwrap_or(0);
    Val::exact((0..len).rev().fold(0, |value, at| value << 8 | u64::from(byte(start.saturating_add(at)))))
}
