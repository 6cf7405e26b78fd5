//! Names for people: objects, places, values, positions, faults.

use ir::{FuncId, LayoutId, LayoutKind, Location, Pc};

use crate::machine::Machine;
use crate::memory::Unresolved;
use crate::memory::object::{Life, Object, Origin, Site};
use crate::state::State;
use crate::telling::fault::{Fault, FaultKind, ThreadId, Touch};
use crate::telling::observer::Place;
use crate::value::arith::narrow;
use crate::value::{Named, ObjectId, Value};

/// A fault names no more calls than this: an endless recursion has thousands.
const MOST_CALLS: usize = 32;

/// How a pointer is called that was never initialised.
pub(crate) const UNINITIALISED: &str = "an uninitialised pointer";

impl Machine {
    /// The functions that the thread is in, the outermost first.
    pub fn calls(&self, state: &State, thread: ThreadId) -> impl Iterator<Item = FuncId> {
        let frames: Vec<FuncId> = state.thread(thread).frames.iter().map(|frame| frame.function).collect();
        frames.into_iter()
    }

    /// The thread's calls, the outermost first, each with its next instruction;
    /// that of a caller is the call itself.
    pub fn stands(&self, state: &State, thread: ThreadId) -> Vec<(FuncId, Pc)> {
        state.thread(thread).frames.iter().map(|frame| (frame.function, frame.pc)).collect()
    }

    /// The object of the global variable with this name in the source.
    pub fn global_object_named(&self, name: &str) -> Option<ObjectId> {
        let program = self.program();
        let index = program.globals.iter().position(|global| program.name(global.name) == name)?;
        Some(self.globals[index])
    }

    /// The source position of an instruction.
    pub fn location(&self, function: FuncId, pc: Pc) -> Location {
        let spans = &self.program().function(function).spans;
        self.program().location(function, spans.get(pc as usize).copied().unwrap_or_default())
    }

    pub(crate) fn site_location(&self, site: Site) -> Location {
        self.location(site.function, site.pc)
    }

    /// Where a thread is, outside the run-time library.
    pub fn position(&self, state: &State, thread: ThreadId) -> Location {
        self.site_location(self.own_site(state, thread))
    }

    /// The same place by the name that survives changes of the source.
    pub fn site(&self, state: &State, thread: ThreadId) -> ir::Site {
        let Site { function, pc } = self.own_site(state, thread);
        self.program().site(function, pc)
    }

    /// The function that a thread started with, the one it is in, and its next
    /// instruction there; none if it has ended.
    pub fn whereabouts(&self, state: &State, thread: ThreadId) -> Option<(FuncId, FuncId, Pc)> {
        let frames = &state.thread(thread).frames;
        let (first, last) = (frames.first()?, frames.last()?);
        Some((first.function, last.function, last.pc))
    }

    /// Where a thread is, outside the run-time library. An ended thread is
    /// where it was created.
    fn own_site(&self, state: &State, thread: ThreadId) -> Site {
        let created = || state.thread(thread).own.created.unwrap_or(Site { function: self.entry, pc: 0 });
        self.stack(state, thread).next().unwrap_or_else(created)
    }

    /// Where a thread's calls are, innermost first, without the run-time
    /// library's.
    fn stack<'a>(&'a self, state: &'a State, thread: ThreadId) -> impl Iterator<Item = Site> + 'a {
        let frames = state.thread(thread).frames.iter().rev();
        let own = frames.filter(|frame| !self.program().function(frame.function).library);
        own.map(|frame| Site { function: frame.function, pc: frame.pc })
    }

    pub(crate) fn fault(&self, state: &State, thread: ThreadId, kind: FaultKind) -> Fault {
        let calls = self.stack(state, thread).skip(1).take(MOST_CALLS);
        let calls = calls.map(|site| self.site_location(site)).collect();
        Fault { kind, thread, at: self.position(state, thread), calls }
    }

    fn object<'a>(&'a self, state: &'a State, id: ObjectId) -> Option<&'a Object> {
        match id.named() {
            Named::Constant(global) => Some(self.constants.get(global)),
            _ => state.memory.get(id),
        }
    }

    /// What the source calls an object.
    pub(crate) fn object_name(&self, state: &State, id: ObjectId) -> String {
        if let Named::Function(function) = id.named() {
            return self.program().name(self.program().function(function).name).to_owned();
        }
        match self.object(state, id) {
            Some(object) => self.origin_name(object.origin),
            None => "an object that is no more".to_owned(),
        }
    }

    pub(crate) fn origin_name(&self, origin: Origin) -> String {
        match origin {
            Origin::Global(global) => self.program().name(self.program().global(global).name).to_owned(),
            Origin::Frame { var: Some(var), .. } => self.program().name(var.name).to_owned(),
            Origin::Frame { site, .. } => format!("a temporary of {}", self.function_name(site)),
            Origin::Heap(site, _) => format!("heap object of {}", short(&self.site_location(site))),
            Origin::Arguments(_) => "variable arguments".to_owned(),
        }
    }

    fn function_name(&self, site: Site) -> &str {
        self.program().name(self.program().function(site.function).name)
    }

    fn layout_of(&self, state: &State, id: ObjectId) -> Option<LayoutId> {
        match self.object(state, id)?.origin {
            Origin::Global(global) => self.program().global(global).layout,
            Origin::Frame { var, .. } => var?.layout,
            Origin::Heap(..) | Origin::Arguments(_) => None,
        }
    }

    /// The place as the source would name it, such as `queue.items[2]`.
    pub fn describe(&self, state: &State, place: Place) -> String {
        let name = self.object_name(state, place.object);
        match self.layout_of(state, place.object) {
            Some(layout) => {
                let symbol = |symbol| self.program().name(symbol).to_owned();
                name + own_part(&self.program().layouts.path(layout, place.offset, &symbol).0)
            }
            None if place.offset == 0 => name,
            None => format!("{name} + {}", place.offset),
        }
    }

    /// A value as the source would write it, given where it lives.
    pub fn show_value(&self, state: &State, place: Place, value: Value) -> String {
        let layout = self.layout_of(state, place.object).map(|layout| {
            let symbol = |symbol| self.program().name(symbol).to_owned();
            self.program().layouts.path(layout, place.offset, &symbol).1
        });
        let kind = layout.map(|id| &self.program().layouts.get(id).kind);
        let width = (place.len.min(8) * 8) as u8;
        if value.undef & narrow::mask(width) != 0 {
            return "uninitialised".to_owned();
        }
        if value.is_pointer() {
            return self.show_pointer(state, value);
        }
        match kind {
            Some(LayoutKind::Bool) => (value.bits & 1 == 1).to_string(),
            Some(LayoutKind::Int { signed: false }) => value.bits.to_string(),
            // Of an extended precision only half of the bits are at hand.
            Some(LayoutKind::Float) if place.len > 8 => "a long double".to_owned(),
            Some(LayoutKind::Float) if width == 16 => format!("{:#x} as _Float16", value.bits),
            Some(LayoutKind::Float) if width == 32 => f32::from_bits(value.bits as u32).to_string(),
            Some(LayoutKind::Float) => f64::from_bits(value.bits).to_string(),
            Some(LayoutKind::Pointer) if value.bits == 0 => "NULL".to_owned(),
            Some(LayoutKind::Pointer) => format!("{:#x}", value.bits),
            _ => narrow::signed(value.bits, width.max(1)).to_string(),
        }
    }

    pub(crate) fn show_pointer(&self, state: &State, value: Value) -> String {
        if value.undef != 0 {
            return UNINITIALISED.to_owned();
        }
        if !value.is_pointer() {
            return if value.bits == 0 { "NULL".to_owned() } else { format!("{:#x}", value.bits) };
        }
        if let Named::Function(_) = value.object.named() {
            return self.object_name(state, value.object);
        }
        format!("&{}", self.describe(state, Place { object: value.object, offset: value.bits, len: 1 }))
    }

    pub(crate) fn freed_location(&self, state: &State, id: ObjectId) -> Location {
        let unknown =
            Location { file: String::new(), line: 0, column: 0, function: "an earlier call".into() };
        state.memory.freed_at(id).map_or(unknown, |site| self.site_location(site))
    }

    /// What is wrong with a pointer that does not lead to `len` bytes.
    pub(crate) fn bad_pointer(
        &self,
        state: &State,
        pointer: Value,
        len: u64,
        touch: Touch,
        why: Unresolved,
    ) -> FaultKind {
        match why {
            Unresolved::Fault(kind) => return *kind,
            Unresolved::Undefined if self.chooses_undefined => {
                return FaultKind::UninitialisedPointer { touch };
            }
            Unresolved::Undefined => {
                let decides = match touch {
                    Touch::Read => "the address of a read",
                    Touch::Write => "the address of a write",
                };
                return FaultKind::Uninitialised { decides: decides.into() };
            }
            Unresolved::Constant | Unresolved::Bad => {}
        }
        // A number that is the address of an object stands for a pointer into it.
        let pointer = match pointer.is_pointer() {
            true => pointer,
            false => state.memory.pointer_at(pointer.bits).unwrap_or(pointer),
        };
        let object = self.object_name(state, pointer.object);
        match self.object(state, pointer.object).map(|object| (object.life, object.size())) {
            Some((Life::Alive, size)) => {
                let offset = narrow::signed(pointer.bits, self.program().pointer_width);
                FaultKind::OutOfBounds { touch, object, size, offset, len }
            }
            Some((Life::OutOfScope, _)) => FaultKind::UseAfterScope { touch, object },
            Some((Life::Freed(site), _)) => {
                FaultKind::UseAfterFree { touch, object, freed: self.site_location(site) }
            }
            None => {
                FaultKind::UseAfterFree { touch, object, freed: self.freed_location(state, pointer.object) }
            }
        }
    }
}

/// A path without what the system's headers put into their types: the names
/// of those fields are reserved (`m.__data.__lock` is `m`, `x._M_i` is `x`).
fn own_part(path: &str) -> &str {
    let reserved = |at: &usize| {
        let mut name = path[at + 1..].chars();
        name.next() == Some('_') && name.next().is_some_and(|c| c == '_' || c.is_ascii_uppercase())
    };
    let dots = path.match_indices('.').map(|(at, _)| at);
    dots.into_iter().find(reserved).map_or(path, |at| &path[..at])
}

fn short(location: &Location) -> String {
    let file = location.file.rsplit('/').next().unwrap_or_default();
    if location.line == 0 { location.function.clone() } else { format!("{file}:{}", location.line) }
}
