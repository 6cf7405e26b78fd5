//! Names for people: objects, places, values, positions, faults.

use ir::{FuncId, LayoutId, LayoutKind, Location, Pc, VarId};

use crate::machine::Machine;
use crate::memory::Unresolved;
use crate::memory::object::{Life, Object, Origin, Site};
use crate::state::State;
use crate::telling::fault::{Fault, FaultKind, ThreadId, Touch};
use crate::telling::observer::Place;
use crate::telling::reach::Reached;
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

    /// The same place as an instruction.
    pub fn stand(&self, state: &State, thread: ThreadId) -> (FuncId, Pc) {
        let Site { function, pc } = self.own_site(state, thread);
        (function, pc)
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
    pub(crate) fn own_site(&self, state: &State, thread: ThreadId) -> Site {
        let created = || state.thread(thread).own.created.unwrap_or(Site { function: self.entry, pc: 0 });
        self.stack(state, thread).next().unwrap_or_else(created)
    }

    /// Where a thread's calls are, innermost first, without the run-time
    /// library's.
    fn stack<'a>(&'a self, state: &'a State, thread: ThreadId) -> impl Iterator<Item = Site> + 'a {
        let frames = state.thread(thread).frames.outwards();
        let own = frames.filter(|frame| !self.program().function(frame.function).library);
        own.map(|frame| Site { function: frame.function, pc: frame.pc })
    }

    /// The thread's calls that are in progress, innermost first, without the one
    /// it is in and without the run-time library's.
    pub fn callers(&self, state: &State, thread: ThreadId) -> Vec<Location> {
        let calls = self.stack(state, thread).skip(1).take(MOST_CALLS);
        calls.map(|site| self.site_location(site)).collect()
    }

    pub(crate) fn fault(&self, state: &State, thread: ThreadId, kind: FaultKind) -> Fault {
        let calls = self.callers(state, thread);
        Fault { kind, thread, at: self.position(state, thread), calls }
    }

    fn object<'a>(&'a self, state: &'a State, id: ObjectId) -> Option<&'a Object> {
        match id.named() {
            Named::Constant(global) => Some(self.constants.get(global)),
            _ => state.memory.get(id),
        }
    }

    /// Whether a state has an object, or remembers it; none is always there.
    pub fn has_object(&self, state: &State, id: ObjectId) -> bool {
        id == ObjectId::NONE || matches!(id.named(), Named::Function(_)) || self.object(state, id).is_some()
    }

    /// Whether an object is a variable of the run-time library, which has no place in the source.
    pub fn is_internal(&self, state: &State, id: ObjectId) -> bool {
        let origin = self.object(state, id).map(|object| object.origin);
        matches!(origin, Some(Origin::Global(global)) if !self.program().global(global).span.is_known())
    }

    /// What an object is called, however it is reached.
    pub fn object_name(&self, state: &State, id: ObjectId) -> String {
        if let Named::Function(function) = id.named() {
            return self.program().name(self.program().function(function).name).to_owned();
        }
        let Some(object) = self.object(state, id) else { return "an object that is no more".to_owned() };
        match object.origin {
            Origin::Global(global) => self.program().name(self.program().global(global).name).to_owned(),
            Origin::Frame { var: Some(var), site } => self.local_name(state, id, var, site),
            Origin::Frame { site, .. } => format!("a temporary of {}", self.function_name(site)),
            Origin::Heap(site, _) => {
                let at = short(&self.site_location(object.made.map_or(site, |made| made.at)));
                format!("{} from {at}", self.heap_name(state, id))
            }
            Origin::Arguments(_) => "variable arguments".to_owned(),
        }
    }

    /// A variable of a function. Where something else that threads share has
    /// the same name, it is told whose it is.
    fn local_name(&self, state: &State, id: ObjectId, var: VarId, site: Site) -> String {
        let name = self.program().name(var.name);
        let global = self.program().globals.iter().any(|global| global.name == var.name);
        let mut owner = None;
        let mut others = Vec::new();
        for (index, thread) in state.threads.iter().enumerate() {
            for object in thread.frames.iter().flat_map(|frame| &frame.objects).map(|(object, _)| *object) {
                match state.memory.get(object).map(|object| (object.shared, object.origin)) {
                    _ if object == id => owner = Some(ThreadId(index as u32)),
                    Some((true, Origin::Frame { var: Some(other), site })) if other.name == var.name => {
                        others.push(site.function);
                    }
                    _ => {}
                }
            }
        }
        let function = self.function_name(site);
        match owner.filter(|_| others.contains(&site.function)) {
            Some(owner) => format!("{name} (local of {function} in {owner})"),
            None if global || !others.is_empty() => format!("{name} (local of {function})"),
            None => name.to_owned(),
        }
    }

    /// A heap object by its type, as far as pointers tell, and its number.
    fn heap_name(&self, state: &State, id: ObjectId) -> String {
        let number = self.heap_number(state, id).map(|number| format!("#{number}")).unwrap_or_default();
        let target = self.whole_type(state, id).or_else(|| Some(self.any_reached(state, id, 0)?.target));
        match target.map(|target| &self.program().layouts.get(target).kind) {
            Some(LayoutKind::Record { name: Some(name), .. }) => {
                format!("{}{number}", self.program().name(*name))
            }
            _ => format!("heap object {number}").trim_end().to_owned(),
        }
    }

    /// The number of a heap object among those of the execution.
    pub fn heap_number(&self, state: &State, id: ObjectId) -> Option<u32> {
        state.memory.get(id)?.made.map(|made| made.number)
    }

    /// The heap object that a leak is about.
    pub(crate) fn lost_name(&self, site: Site) -> String {
        format!("heap object from {}", short(&self.site_location(site)))
    }

    fn function_name(&self, site: Site) -> &str {
        self.program().name(self.program().function(site.function).name)
    }

    /// The type that a variable was declared with.
    pub(crate) fn declared_layout(&self, state: &State, id: ObjectId) -> Option<LayoutId> {
        match self.object(state, id)?.origin {
            Origin::Global(global) => self.program().global(global).layout,
            Origin::Frame { var, .. } => var?.layout,
            Origin::Heap(..) | Origin::Arguments(_) => None,
        }
    }

    /// A pointer to a place, whichever thread has it.
    fn any_reached(&self, state: &State, object: ObjectId, offset: u64) -> Option<Reached> {
        let threads = (0..state.threads.len() as u32).map(ThreadId).map(Some);
        std::iter::once(None).chain(threads).find_map(|thread| self.reached(state, thread, object, offset))
    }

    /// The type of a heap object, by a pointer to something of the same size.
    fn whole_type(&self, state: &State, id: ObjectId) -> Option<LayoutId> {
        let size = state.memory.get(id)?.size();
        let whole = |pointer: &Reached| {
            let layout = self.program().layouts.get(pointer.target);
            pointer.object == id && pointer.offset == 0 && layout.size == size
        };
        let threads = (0..state.threads.len() as u32).map(ThreadId).map(Some);
        let found =
            std::iter::once(None).chain(threads).find_map(|thread| self.pointer_that(state, thread, whole));
        found.map(|pointer| pointer.target)
    }

    /// The path from the whole object to a place, such as `.items[2]`, and the
    /// type there.
    fn path(&self, state: &State, place: Place) -> Option<(String, LayoutId)> {
        let symbol = |symbol| self.program().name(symbol).to_owned();
        let (layout, offset, index) = match self.declared_layout(state, place.object) {
            Some(layout) => (layout, place.offset, String::new()),
            None => {
                let pointer =
                    self.any_reached(state, place.object, place.offset).filter(|to| to.offset == 0)?;
                let size = self.program().layouts.get(pointer.target).size.max(1);
                let many = state.memory.get(place.object)?.size() >= 2 * size;
                let index = if many { format!("[{}]", place.offset / size) } else { String::new() };
                (pointer.target, place.offset % size, index)
            }
        };
        let (path, layout) = self.program().layouts.path_to(layout, offset, place.len, &symbol);
        Some((index + own_part(&path), layout))
    }

    /// The place as the source would name it, such as `queue.items[2]`; of a heap
    /// object by the path from a global variable, if there is one.
    pub fn describe(&self, state: &State, place: Place) -> String {
        self.described(state, None, place)
    }

    /// The place as the source of the function would name it that the thread is in.
    pub fn describe_for(&self, state: &State, thread: ThreadId, place: Place) -> String {
        self.described(state, Some(thread), place)
    }

    /// The same where a step leads from one state to another: its thread's variables
    /// lead to a place before the step, and new objects are there after it.
    pub fn describe_step(&self, before: &State, after: &State, thread: ThreadId, place: Place) -> String {
        let path = self.path_from(before, Some(thread), place);
        path.unwrap_or_else(|| self.describe_for(after, thread, place))
    }

    fn described(&self, state: &State, thread: Option<ThreadId>, place: Place) -> String {
        self.path_from(state, thread, place).unwrap_or_else(|| self.identify(state, place))
    }

    /// A place in a heap object by a path from the variables that a thread has,
    /// or from a global one.
    fn path_from(&self, state: &State, thread: Option<ThreadId>, place: Place) -> Option<String> {
        if !self.is_heap(state, place.object) {
            return None;
        }
        let own = self.reached(state, thread, place.object, place.offset).map(|pointer| (pointer, None));
        let (pointer, owner) = own.or_else(|| self.reached_elsewhere(state, place))?;
        let path = self.lvalue(state, &pointer, place)?;
        let number = self.is_one_of_many(state, place.object).then(|| self.heap_name(state, place.object));
        let owner = owner.map(|owner| format!("in {owner}"));
        let remarks: Vec<String> = number.into_iter().chain(owner).collect();
        Some(if remarks.is_empty() { path } else { format!("{path} ({})", remarks.join(" ")) })
    }

    /// A pointer to a place in the variables of some thread, and the thread.
    fn reached_elsewhere(&self, state: &State, place: Place) -> Option<(Reached, Option<ThreadId>)> {
        let mut threads = (0..state.threads.len() as u32).map(ThreadId);
        threads.find_map(|thread| {
            let pointer = self.reached(state, Some(thread), place.object, place.offset)?;
            Some((pointer, Some(thread)))
        })
    }

    /// Whether the same instruction made other objects, too.
    fn is_one_of_many(&self, state: &State, id: ObjectId) -> bool {
        let made = |object: &Object| object.made.map(|made| made.at);
        let at = state.memory.get(id).and_then(made);
        at.is_some() && state.memory.slots.iter().filter(|object| made(object) == at).nth(1).is_some()
    }

    /// The place by a name that no other place has at any time.
    pub fn identify(&self, state: &State, place: Place) -> String {
        let heap = self.is_heap(state, place.object);
        match self.path(state, place) {
            Some((path, _)) if heap && !path.is_empty() => self.heap_name(state, place.object) + &path,
            Some((path, _)) => joined_name(self.object_name(state, place.object), &path),
            None if place.offset == 0 => self.object_name(state, place.object),
            None => format!("{} + {}", self.object_name(state, place.object), place.offset),
        }
    }

    /// A value as the source would write it, given where it lives.
    pub fn show_value(&self, state: &State, place: Place, value: Value) -> String {
        let layout = self.path(state, place).map(|(_, layout)| layout);
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
            Some(LayoutKind::Pointer { .. }) if value.bits == 0 => "NULL".to_owned(),
            Some(LayoutKind::Pointer { .. }) => format!("{:#x}", value.bits),
            Some(LayoutKind::Array { .. } | LayoutKind::Record { .. }) if value.bits == 0 => "0".to_owned(),
            Some(LayoutKind::Array { element, .. }) if self.program().layouts.get(*element).size == 1 => {
                let bytes = &value.bits.to_le_bytes()[..usize::from(width / 8)];
                text(bytes).unwrap_or_else(|| format!("{:#x}", value.bits))
            }
            Some(LayoutKind::Array { .. } | LayoutKind::Record { .. }) => format!("{:#x}", value.bits),
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
        let place = Place { object: value.object, offset: value.bits, len: 1 };
        // The start of an object is the object, not its first part.
        let is_start = place.offset == 0;
        format!(
            "&{}",
            if is_start { self.object_name(state, place.object) } else { self.identify(state, place) }
        )
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
pub(crate) fn own_part(path: &str) -> &str {
    let reserved = |at: &usize| {
        let mut name = path[at + 1..].chars();
        name.next() == Some('_') && name.next().is_some_and(|c| c == '_' || c.is_ascii_uppercase())
    };
    let dots = path.match_indices('.').map(|(at, _)| at);
    dots.into_iter().find(reserved).map_or(path, |at| path[..at].trim_end_matches('.'))
}

/// Bytes as a string, without the zeros at their end, if they can be printed.
fn text(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ').then(|| format!("{text:?}"))
}

/// A name from the source in quotes; what is described in words is not.
pub fn quoted(name: &str) -> String {
    let source = |name: &str| !name.contains(' ');
    match name.split_once(" (") {
        _ if source(name) => format!("`{name}`"),
        Some((variable, words)) if source(variable) => format!("`{variable}` ({words}"),
        _ => name.to_owned(),
    }
}

/// A part of a variable; whose variable it is stays behind.
fn joined_name(name: String, path: &str) -> String {
    match name.split_once(" (") {
        Some((variable, whose)) => format!("{variable}{path} ({whose}"),
        None => name + path,
    }
}

fn short(location: &Location) -> String {
    let file = location.file.rsplit('/').next().unwrap_or_default();
    if location.line == 0 { location.function.clone() } else { format!("{file}:{}", location.line) }
}
