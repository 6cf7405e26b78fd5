//! The path by which a program reaches a heap object, such as `pool->queue`.
//!
//! A heap object has no name and no type of its own. Both come from the pointers
//! that lead to it: those in the variables of the function that accesses it, in
//! global variables, in the callers' variables, and in what all of these lead to.
//! The debug information says the types of the variables.

use ir::{LayoutId, LayoutKind};
use rustc_hash::FxHashSet;

use crate::machine::Machine;
use crate::memory::object::{Life, Origin};
use crate::state::State;
use crate::state::thread::Frame;
use crate::telling::describe::own_part;
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use crate::value::{ObjectId, Value};

/// So many objects are looked at before a path is given up.
const MOST_OBJECTS: usize = 256;
/// So many pointers of one object are followed.
const MOST_POINTERS: usize = 64;
/// A longer path does not help a reader.
const LONGEST_PATH: usize = 40;

/// A pointer that the source can write.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// How it is written.
    expression: String,
    /// Whether it is a reference.
    reference: bool,
    /// The type of what it leads to.
    pub target: LayoutId,
    /// Where it leads.
    pub object: ObjectId,
    /// Where in the object.
    pub offset: u64,
}

impl Machine {
    /// The first pointer by which a thread reaches a heap object, or any
    /// thread if none is given, and which can name the byte at `offset`.
    pub(crate) fn reached(
        &self,
        state: &State,
        thread: Option<ThreadId>,
        object: ObjectId,
        offset: u64,
    ) -> Option<Reached> {
        let names =
            |pointer: &Reached| pointer.object == object && self.element(state, pointer, offset).is_some();
        self.pointer_that(state, thread, names)
    }

    /// The first pointer that a thread has, or reaches, and that fulfils a condition.
    pub(crate) fn pointer_that(
        &self,
        state: &State,
        thread: Option<ThreadId>,
        fulfils: impl Fn(&Reached) -> bool,
    ) -> Option<Reached> {
        let mut work = self.roots(state, thread);
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        while !work.is_empty() && seen.len() < MOST_OBJECTS {
            if let Some(found) = work.iter().find(|pointer| fulfils(pointer)) {
                return Some(found.clone());
            }
            let new: Vec<Reached> = work.into_iter().filter(|pointer| seen.insert(pointer.object)).collect();
            work = new.iter().flat_map(|pointer| self.onwards(state, pointer)).collect();
        }
        None
    }

    /// Pointers in variables: the thread's own function first, then globals,
    /// then the callers'; without a thread globals alone.
    fn roots(&self, state: &State, thread: Option<ThreadId>) -> Vec<Reached> {
        let frames = thread.into_iter().flat_map(|thread| state.thread(thread).frames.outwards());
        let own = frames.filter(|frame| !self.program().function(frame.function).library);
        let mut frames = own.map(|frame| self.frame_pointers(state, frame));
        let mut roots = frames.next().unwrap_or_default();
        roots.extend(self.globals.iter().flat_map(|id| self.variable_pointers(state, *id)));
        roots.extend(frames.flatten());
        roots
    }

    fn frame_pointers(&self, state: &State, frame: &Frame) -> Vec<Reached> {
        let slots = self.program().function(frame.function).slots.iter();
        let registers = slots.zip(&frame.regs).filter_map(|(slot, value)| {
            let name = self.program().name(slot.name?).to_owned();
            self.pointer(name, slot.layout?, *value)
        });
        let objects = frame.objects.iter().flat_map(|(id, _)| self.variable_pointers(state, *id));
        registers.chain(objects).collect()
    }

    /// The pointers in a variable that lives in memory.
    fn variable_pointers(&self, state: &State, id: ObjectId) -> Vec<Reached> {
        let Some(layout) = self.declared_layout(state, id) else { return Vec::new() };
        let name = self.object_name(state, id);
        self.pointers_in(state, id, |offset| Some((name.clone(), layout, offset)))
    }

    /// The pointers in the object that a pointer leads to.
    fn onwards(&self, state: &State, pointer: &Reached) -> Vec<Reached> {
        if pointer.expression.len() > LONGEST_PATH {
            return Vec::new();
        }
        if !self.is_heap(state, pointer.object) {
            return self.variable_pointers(state, pointer.object);
        }
        self.pointers_in(state, pointer.object, |offset| {
            let (base, rest) = self.element(state, pointer, offset)?;
            Some((base, pointer.target, rest))
        })
    }

    /// The pointers in an object, each named by the expression for a part of
    /// the object, the part's type, and the offset there.
    fn pointers_in(
        &self,
        state: &State,
        id: ObjectId,
        part: impl Fn(u64) -> Option<(String, LayoutId, u64)>,
    ) -> Vec<Reached> {
        let Some(object) = state.memory.get(id).filter(|object| object.life == Life::Alive) else {
            return Vec::new();
        };
        let word = state.memory.word;
        let named = |(at, _): &(u32, ObjectId)| {
            let (base, layout, rest) = part(u64::from(*at))?;
            let value = object.read(u64::from(*at), word, word)?;
            let symbol = |symbol| self.program().name(symbol).to_owned();
            let (path, layout) = self.program().layouts.path(layout, rest, &symbol);
            let own = own_part(&path);
            // Of what a library keeps to itself, only what it keeps for the program has a name.
            self.pointer(joined(&base, own), layout, value)
                .filter(|pointer| own == path || !self.is_reserved(pointer.target))
        };
        object.pointers.iter().take(MOST_POINTERS).filter_map(named).collect()
    }

    fn pointer(&self, expression: String, layout: LayoutId, value: Value) -> Option<Reached> {
        let LayoutKind::Pointer { target: Some(target), reference } = self.program().layouts.get(layout).kind
        else {
            return None;
        };
        let leads = value.is_pointer() && value.undef == 0 && !value.is_symbolic();
        leads.then_some(Reached { expression, reference, target, object: value.object, offset: value.bits })
    }

    /// How the source writes a place of the object that a pointer leads to.
    pub(crate) fn lvalue(&self, state: &State, pointer: &Reached, place: Place) -> Option<String> {
        let (base, rest) = self.element(state, pointer, place.offset)?;
        let symbol = |symbol| self.program().name(symbol).to_owned();
        let (path, _) = self.program().layouts.path_to(pointer.target, rest, place.len, &symbol);
        Some(joined(&base, own_part(&path)))
    }

    /// The element of the object that has the byte, and where in it: of several
    /// elements each has its index.
    fn element(&self, state: &State, pointer: &Reached, offset: u64) -> Option<(String, u64)> {
        let rest = offset.checked_sub(pointer.offset)?;
        let size = self.program().layouts.get(pointer.target).size.max(1);
        let whole = state.memory.get(pointer.object).map_or(0, |object| object.size());
        let name = match pointer.expression.starts_with('*') {
            true => format!("({})", pointer.expression),
            false => pointer.expression.clone(),
        };
        let many = pointer.offset == 0 && whole >= 2 * size;
        match (pointer.reference, many) {
            (true, _) => (rest < size).then_some((name, rest)),
            (false, true) => Some((format!("{name}[{}]", rest / size), rest % size)),
            (false, false) => {
                (rest < size.max(whole.saturating_sub(pointer.offset))).then(|| (format!("*{name}"), rest))
            }
        }
    }

    /// Whether a type belongs to a library: its name is reserved.
    fn is_reserved(&self, layout: LayoutId) -> bool {
        let LayoutKind::Record { name, .. } = self.program().layouts.get(layout).kind else { return false };
        name.is_none_or(|name| self.program().name(name).starts_with('_'))
    }

    pub(crate) fn is_heap(&self, state: &State, id: ObjectId) -> bool {
        state.memory.get(id).is_some_and(|object| matches!(object.origin, Origin::Heap(..)))
    }
}

/// A part of an object that an expression names: `(*p).x` is written `p->x`.
fn joined(base: &str, path: &str) -> String {
    match (base.strip_prefix('*'), path.strip_prefix('.')) {
        (_, None) if path.is_empty() => base.to_owned(),
        (Some(pointer), Some(field)) => format!("{pointer}->{field}"),
        (Some(_), None) => format!("({base}){path}"),
        (None, _) => format!("{base}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn parts_are_written_as_in_c() {
        assert_eq!(joined("*p", ".next"), "p->next");
        assert_eq!(joined("*p", ""), "*p");
        assert_eq!(joined("*(*pp)", ".x"), "(*pp)->x");
        assert_eq!(joined("*rows", "[2]"), "(*rows)[2]");
        assert_eq!(joined("buf[3]", ".len"), "buf[3].len");
    }
}
