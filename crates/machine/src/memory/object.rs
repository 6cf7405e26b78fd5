//! One object of memory: bytes, which of their bits are undefined, which words
//! are pointers, which places are synchronisation objects.

use ir::{FuncId, GlobalId, Pc, VarId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::memory::open::Open;
use crate::race::Shadow;
use crate::symbolic::symbols::Sym;
use crate::sync::SyncObject;
use crate::telling::fault::ThreadId;
use crate::value::arith::narrow;
use crate::value::{ALIGNMENT, ObjectId, Value};

/// An instruction's place in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Site {
    pub function: FuncId,
    pub pc: Pc,
}

/// What gives memory of the heap, and takes back only its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Allocator {
    Malloc,
    New,
    NewArray,
}

impl Allocator {
    /// The allocator that a function belongs to: the run-time library's
    /// operators of C++ have their own, all else is C.
    pub fn of(program: &ir::Program, function: &ir::Function) -> Allocator {
        let name = program.linked_name(function);
        let starts = |prefixes: [&str; 2]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        match function.library {
            true if starts(["_Znw", "_Zdl"]) => Allocator::New,
            true if starts(["_Zna", "_Zda"]) => Allocator::NewArray,
            _ => Allocator::Malloc,
        }
    }

    /// How a program says that it wants memory.
    pub fn gives(self) -> &'static str {
        match self {
            Allocator::Malloc => "malloc",
            Allocator::New => "new",
            Allocator::NewArray => "new[]",
        }
    }

    /// How it gives the memory back.
    pub fn takes(self) -> &'static str {
        match self {
            Allocator::Malloc => "free",
            Allocator::New => "delete",
            Allocator::NewArray => "delete[]",
        }
    }
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Origin {
    Global(GlobalId),
    Frame {
        site: Site,
        var: Option<VarId>,
    },
    Heap(Site, Allocator),
    /// The variable arguments of a call.
    Arguments(Site),
}

impl Origin {
    /// Where the object was made, as far as a place in the code made it.
    pub fn site(self) -> Site {
        match self {
            Origin::Frame { site, .. } | Origin::Heap(site, _) | Origin::Arguments(site) => site,
            Origin::Global(_) => Site { function: FuncId(0), pc: 0 },
        }
    }
}

/// How a heap object is told from others. No part of what makes states equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Made {
    /// Its number among the heap objects of the execution, from 1.
    pub number: u32,
    /// Where the program asked for it, outside the run-time library.
    pub at: Site,
}

/// Whether an object may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Life {
    Alive,
    OutOfScope,
    Freed(Site),
}

/// Bytes that one symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub at: u32,
    pub len: u8,
    pub sym: Sym,
}

impl Cell {
    pub fn start(self) -> u64 {
        u64::from(self.at)
    }

    pub fn end(self) -> u64 {
        u64::from(self.at) + u64::from(self.len)
    }
}

/// The piece of the address space that an object has, as far as it matters for
/// giving it out again ([`crate::memory::reuse`]). All zero where it does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Block {
    /// The time when it was given out.
    pub born: u64,
    /// The time when its object ended.
    pub ended: Option<u64>,
    /// How many bytes it has.
    pub room: u64,
    /// Of an object that ended, the thread whose stack it is on.
    pub stack: Option<ThreadId>,
}

/// One object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Object {
    pub generation: u16,
    /// What its address, should it get one, is a multiple of.
    pub align: u32,
    pub block: Block,
    pub origin: Origin,
    pub made: Option<Made>,
    pub life: Life,
    /// Whether a thread other than its maker may be able to reach it.
    pub shared: bool,
    /// Whether a global variable, or an object whose address is a number, leads to it:
    /// 0 if not. In large states it says how many pointers public objects have to it
    /// (`identity/counts.rs`). This is as it was when the state's references were
    /// last looked at.
    pub public: u32,
    pub data: Box<[u8]>,
    /// Undefined bits, byte by byte; absent if there are none.
    pub undef: Option<Box<[u8]>>,
    /// Words that hold pointers: where, and into which object. Their bytes in
    /// `data` are the offset. Ascending.
    pub pointers: Vec<(u32, ObjectId)>,
    /// Bytes that are not known: which, and what stands for them. Ascending,
    /// disjoint; the bytes in `data` are 0.
    pub unknown: Vec<Cell>,
    /// Synchronisation objects by the offset where they live. Ascending.
    pub sync: Vec<(u32, SyncObject)>,
    /// Which threads accessed which bytes, for finding races.
    pub shadow: Shadow,
    /// The size and the contents, if they are not known: then there are no bytes.
    pub open: Option<Box<Open>>,
}

impl Object {
    pub fn new(origin: Origin, size: u64, defined: bool) -> Object {
        Object {
            generation: 0,
            align: ALIGNMENT as u32,
            block: Block::default(),
            origin,
            made: None,
            life: Life::Alive,
            shared: false,
            public: 0,
            data: vec![0; size as usize].into(),
            undef: (!defined && size > 0).then(|| vec![0xff; size as usize].into()),
            pointers: Vec::new(),
            unknown: Vec::new(),
            sync: Vec::new(),
            shadow: Shadow::default(),
            open: None,
        }
    }

    /// The same with an alignment, which is at least that of any object.
    pub fn aligned(self, align: u32) -> Object {
        Object { align: align.max(self.align), ..self }
    }

    /// The threads that it names: those that hold what it is or wait at it, and the
    /// one on whose stack it was.
    pub fn named_threads(&self) -> SmallVec<[ThreadId; 4]> {
        let in_sync = self.sync.iter().flat_map(|(_, sync)| sync.named_threads());
        in_sync.chain(self.block.stack).collect()
    }

    /// What stands where no object has the number. It takes the place of a public one.
    pub fn hole() -> Object {
        let mut hole = Object::new(Origin::Global(GlobalId(0)), 0, true);
        hole.life = Life::OutOfScope;
        hole.align = 0;
        hole.set_identity((0, true, 1));
        hole
    }

    /// Whether it is no object: all objects have an alignment.
    pub fn is_hole(&self) -> bool {
        self.align == 0
    }

    pub fn is_public(&self) -> bool {
        self.public > 0
    }

    /// Its generation, and who reaches it: what stays the same when the contents are
    /// replaced.
    pub fn identity(&self) -> (u16, bool, u32) {
        (self.generation, self.shared, self.public)
    }

    pub fn set_identity(&mut self, identity: (u16, bool, u32)) {
        (self.generation, self.shared, self.public) = identity;
    }

    /// What remains of an object that ended: enough to say what it was.
    pub fn tombstone(&self, life: Life) -> Object {
        let mut tombstone = Object::new(self.origin, 0, true);
        tombstone.set_identity(self.identity());
        tombstone.align = self.align;
        tombstone.block = self.block;
        tombstone.made = self.made;
        tombstone.life = life;
        tombstone
    }

    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// The pointers whose words meet the range.
    pub fn pointers_in(&self, offset: u64, len: u64, word: u64) -> std::ops::Range<usize> {
        let first = self.pointers.partition_point(|(at, _)| u64::from(*at) + word <= offset);
        let last = self.pointers.partition_point(|(at, _)| u64::from(*at) < offset + len);
        first..last.max(first)
    }

    /// The unknown cells that meet the range.
    pub fn unknown_in(&self, offset: u64, len: u64) -> std::ops::Range<usize> {
        let first = self.unknown.partition_point(|cell| cell.end() <= offset);
        let last = self.unknown.partition_point(|cell| cell.start() < offset + len);
        first..last.max(first)
    }

    /// Reads up to 8 bytes. `None` if the range meets a pointer or an unknown
    /// cell without being exactly its bytes: the pointer must become a number
    /// first, the pieces must be put together.
    #[inline]
    pub fn read(&self, offset: u64, len: u64, word: u64) -> Option<Value> {
        let mut object = ObjectId::NONE;
        if !self.pointers.is_empty() {
            match &self.pointers[self.pointers_in(offset, len, word)] {
                [] => {}
                [(at, target)] if u64::from(*at) == offset && len == word => object = *target,
                _ => return None,
            }
        }
        let mut sym = Sym::NONE;
        if !self.unknown.is_empty() {
            match &self.unknown[self.unknown_in(offset, len)] {
                [] => {}
                [cell] if cell.start() == offset && u64::from(cell.len) == len => sym = cell.sym,
                _ => return None,
            }
        }
        let undef = self.undef_bits(offset, len);
        let range = offset as usize..(offset + len) as usize;
        Some(Value { bits: little_endian(&self.data[range]), undef, object, sym })
    }

    /// Writes up to 8 bytes over pointers and unknown cells that lie wholly in
    /// the range.
    #[inline]
    pub fn write(&mut self, offset: u64, len: u64, word: u64, value: Value) {
        if !self.pointers.is_empty() {
            let overwritten = self.pointers_in(offset, len, word);
            self.pointers.drain(overwritten);
        }
        if !self.unknown.is_empty() {
            let overwritten = self.unknown_in(offset, len);
            self.unknown.drain(overwritten);
        }
        if !self.sync.is_empty() {
            self.forget_sync(offset, len);
        }
        let range = offset as usize..(offset + len) as usize;
        self.data[range.clone()].copy_from_slice(&value.bits.to_le_bytes()[..len as usize]);
        self.write_undef(range, value.undef & narrow::mask((len * 8) as u8));
        if value.is_pointer() {
            let at = self.pointers.partition_point(|(at, _)| u64::from(*at) < offset);
            self.pointers.insert(at, (offset as u32, value.object));
        }
        if value.is_symbolic() {
            let at = self.unknown_in(offset, len).start;
            self.unknown.insert(at, Cell { at: offset as u32, len: len as u8, sym: value.sym });
        }
    }

    /// Changes the bytes of an unknown cell or part of one, nothing else.
    pub fn put_piece(&mut self, at: u64, len: u64, value: Value) {
        self.data[at as usize..(at + len) as usize]
            .copy_from_slice(&value.bits.to_le_bytes()[..len as usize]);
        if value.is_symbolic() {
            let index = self.unknown_in(at, len).start;
            self.unknown.insert(index, Cell { at: at as u32, len: len as u8, sym: value.sym });
        }
    }

    /// The undefined bits of up to 8 bytes.
    pub fn undef_bits(&self, offset: u64, len: u64) -> u64 {
        let range = offset as usize..(offset + len) as usize;
        self.undef.as_ref().map_or(0, |undef| little_endian(&undef[range]))
    }

    fn write_undef(&mut self, range: std::ops::Range<usize>, undef: u64) {
        if undef == 0 {
            if let Some(mask) = &mut self.undef {
                mask[range].fill(0);
            }
            return;
        }
        let size = self.data.len();
        let mask = self.undef.get_or_insert_with(|| vec![0; size].into());
        let len = range.len();
        mask[range].copy_from_slice(&undef.to_le_bytes()[..len]);
    }

    /// Whether some bit of the range is undefined.
    pub fn has_undef(&self, offset: u64, len: u64) -> bool {
        let range = offset as usize..(offset + len) as usize;
        self.undef.as_ref().is_some_and(|undef| undef[range].iter().any(|byte| *byte != 0))
    }

    /// Overwriting a synchronisation object's bytes makes them plain again, as
    /// assigning a static initialiser does.
    fn forget_sync(&mut self, offset: u64, len: u64) {
        self.sync.retain(|(at, _)| u64::from(*at) < offset || u64::from(*at) >= offset + len);
    }

    /// Fills a range with one byte, over pointers that lie wholly in it.
    pub fn fill(&mut self, offset: u64, len: u64, word: u64, value: Value) {
        let overwritten = self.pointers_in(offset, len, word);
        self.pointers.drain(overwritten);
        let overwritten = self.unknown_in(offset, len);
        self.unknown.drain(overwritten);
        self.forget_sync(offset, len);
        let range = offset as usize..(offset + len) as usize;
        self.data[range.clone()].fill(value.bits as u8);
        let size = self.data.len();
        let undef = value.undef as u8;
        if undef != 0 || self.undef.is_some() {
            self.undef.get_or_insert_with(|| vec![0; size].into())[range].fill(undef);
        }
    }

    pub fn sync_at(&self, offset: u64) -> Option<&SyncObject> {
        let index = self.sync.binary_search_by_key(&(offset as u32), |(at, _)| *at).ok()?;
        Some(&self.sync[index].1)
    }

    pub fn set_sync(&mut self, offset: u64, object: SyncObject) {
        match self.sync.binary_search_by_key(&(offset as u32), |(at, _)| *at) {
            Ok(index) => self.sync[index].1 = object,
            Err(index) => self.sync.insert(index, (offset as u32, object)),
        }
    }
}

#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    if let Ok(word) = bytes.try_into() {
        return u64::from_le_bytes(word);
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
