//! What each event of the machine is called.

use ir::{FuncId, Instr, Order, Pc};
use machine::{Event, ObjectId, Place, State, Value};
use trace::Stepped;

use crate::interleaving::Copied;
use crate::sync::sync_text;

/// The origins of choices that say whether something fails.
const FAILURES: [&str; 2] = [ir::ALLOCATION_FAILS, ir::CREATION_FAILS];

/// An event's surroundings.
pub struct Telling<'a> {
    /// The step it is part of.
    pub stepped: &'a Stepped<'a>,
    /// The function of its instruction.
    pub function: FuncId,
    /// Its instruction.
    pub pc: Pc,
    /// The function of a library that the program called, if the instruction belongs to one.
    pub inside: Option<FuncId>,
}

impl Telling<'_> {
    /// The event in a few words, if it matters.
    pub fn text(&self, event: Event) -> Option<String> {
        match event {
            Event::Read { place, value, order, shared: true } => Some(self.read(place, value, order)),
            Event::Write { place, old, new, order, shared: true } => Some(self.write(place, old, new, order)),
            Event::Buffered { place, new, order, .. } => Some(self.buffered(place, new, order)),
            Event::Flushed { place, old, new, order, .. } => {
                Some(format!("{} (leaves the buffer)", self.write(place, old, new, order)))
            }
            Event::Fence { order } => Some(format!("fence ({})", order_name(order))),
            Event::Sync { op, object, peer, result, phase } => {
                sync_text(op, phase, &self.object(object), peer, result)
            }
            Event::Alloc { size, object } => self.heap().then(|| self.allocates(size, object)),
            Event::Free { object, .. } => self.heap().then(|| format!("frees {}", self.object_name(object))),
            Event::Places { old, new, same: true } => Some(self.reuse(old, new)),
            Event::Ordered { low, high } => Some(self.order(low, high)),
            Event::SameId { thread, id } => Some(format!("{thread} gets the identifier that {id} had")),
            Event::Choice { value, width } => self.choice(value, width),
            Event::AtomicSection { begin: true } => Some("begins an atomic section".to_owned()),
            Event::AtomicSection { begin: false } => Some("ends the atomic section".to_owned()),
            Event::ThreadEnd => Some("ends".to_owned()),
            Event::ProcessEnd { code: Some(code) } => Some(format!("ends the program with status {code}")),
            Event::ProcessEnd { code: None } => Some("aborts".to_owned()),
            Event::Read { .. }
            | Event::Write { .. }
            | Event::Call { .. }
            | Event::Return { .. }
            | Event::Whole { .. }
            | Event::Pinned
            | Event::HeapOrder { .. }
            | Event::LifeOver
            | Event::Watched { .. }
            | Event::Places { .. }
            | Event::Also { .. } => None,
        }
    }

    fn allocates(&self, size: u64, object: ObjectId) -> String {
        let number = self.stepped.machine.heap_number(self.stepped.after, object);
        format!("allocates {size} bytes{}", number.map(|number| format!(" (#{number})")).unwrap_or_default())
    }

    fn reuse(&self, old: ObjectId, new: ObjectId) -> String {
        format!("{} reuses the address of {}", self.object_name(new), self.object_name(old))
    }

    /// The name of an object. Before the step it is known by the pointers to it; one
    /// that the step itself made is known afterwards only.
    fn object_name(&self, object: ObjectId) -> String {
        let (machine, Stepped { before, after, .. }) = (self.stepped.machine, self.stepped);
        let state = if machine.heap_number(before, object).is_some() { before } else { after };
        machine.object_name(state, object)
    }

    fn order(&self, low: ObjectId, high: ObjectId) -> String {
        let name = |object| self.stepped.machine.object_name(self.stepped.before, object);
        format!("{} has a lower address than {}", name(low), name(high))
    }

    fn read(&self, place: Place, value: Value, order: Option<Order>) -> String {
        let name = self.name(place);
        match place.len {
            1..=8 => format!("reads {name} = {}{}", self.value(place, value), suffix(order)),
            len => format!("reads {len} bytes of {name}"),
        }
    }

    fn write(&self, place: Place, old: Value, new: Value, order: Option<Order>) -> String {
        let name = self.name(place);
        match place.len {
            1..=8 => {
                let old = self.old_value(place, old);
                format!("{name}: {old} -> {}{}", self.value(place, new), suffix(order))
            }
            len => format!("writes {len} bytes of {name}"),
        }
    }

    fn buffered(&self, place: Place, new: Value, order: Option<Order>) -> String {
        let name = self.name(place);
        match place.len {
            1..=8 => format!("stores {} to {name}{} (in its buffer)", self.value(place, new), suffix(order)),
            len => format!("stores {len} bytes of {name} (in its buffer)"),
        }
    }

    fn choice(&self, value: u64, width: u8) -> Option<String> {
        if let Some(failure) = self.origin().filter(|origin| FAILURES.contains(origin)) {
            return (value == 1).then(|| failure.to_owned());
        }
        Some(match self.input(value, width) {
            Some((function, value)) => format!("{function}() = {value}"),
            None => format!("chooses {value}"),
        })
    }

    /// What the value of the instruction stands for, if it is one that can be
    /// anything.
    fn origin(&self) -> Option<&str> {
        let program = self.stepped.machine.program();
        match program.function(self.function).code.get(self.pc as usize) {
            Some(Instr::Nondet { origin, .. }) => Some(program.name(*origin)),
            _ => None,
        }
    }

    /// The function that a chosen value comes from, and the value as its type
    /// has it.
    pub fn input(&self, value: u64, width: u8) -> Option<(String, String)> {
        let origin = self.origin()?;
        let unsigned = width <= 1
            || ["uint", "uchar", "ushort", "ulong", "size", "unsigned", "bool"]
                .iter()
                .any(|name| origin.contains(name));
        let value = match (unsigned, width) {
            (true, _) | (_, 65..) => value.to_string(),
            _ => sign_extend(value, width).to_string(),
        };
        Some((origin.to_owned(), value))
    }

    /// Whether the instruction deals with the heap rather than with a frame.
    fn heap(&self) -> bool {
        let code = &self.stepped.machine.program().function(self.function).code;
        matches!(code.get(self.pc as usize), Some(Instr::Malloc { .. } | Instr::Free { .. }))
    }

    /// The name of the function of a library that the program called, if the instruction belongs to it.
    pub fn library_call(&self) -> Option<String> {
        let program = self.stepped.machine.program();
        self.inside.map(|function| program.name(program.function(function).name).to_owned())
    }

    /// Whether it synchronises by an object that the run-time library has for itself.
    pub fn is_internal(&self, event: Event) -> bool {
        let Event::Sync { object: Some(place), .. } = event else { return false };
        self.stepped.machine.is_internal(self.stepped.after, place.object)
    }

    /// What the instruction reads or writes, if it copies or fills many bytes.
    pub fn copied(&self, event: Event) -> Option<Copied> {
        let Stepped { machine, after, .. } = self.stepped;
        let code = &machine.program().function(self.function).code;
        let is_copy =
            matches!(code.get(self.pc as usize), Some(Instr::MemCopy { .. } | Instr::MemSet { .. }));
        let (place, writes) = match event {
            Event::Read { place, .. } => (place, false),
            Event::Write { place, .. } => (place, true),
            _ => return None,
        };
        is_copy.then(|| Copied { object: machine.object_name(after, place.object), bytes: place.len, writes })
    }

    fn object(&self, object: Option<Place>) -> String {
        object.map_or_else(String::new, |place| self.name(place))
    }

    /// The place as the source would name it.
    pub fn name(&self, place: Place) -> String {
        let Stepped { machine, before, after, step, .. } = self.stepped;
        machine.describe_step(before, after, step.thread(), place)
    }

    /// The place by a name that no other place has.
    pub fn identity(&self, place: Place) -> String {
        self.stepped.machine.identify(self.state(), place)
    }

    /// A value that the instruction overwrites. Before the step there may be pointers to it that
    /// tell its type; what the step itself made is known afterwards only.
    pub fn old_value(&self, place: Place, value: Value) -> String {
        let Stepped { machine, before, after, .. } = self.stepped;
        let known = [place.object, value.object].iter().all(|object| machine.has_object(before, *object));
        machine.show_value(if known { before } else { after }, place, value)
    }

    /// A value as the source would write it.
    pub fn value(&self, place: Place, value: Value) -> String {
        self.stepped.machine.show_value(self.state(), place, value)
    }

    /// Names are told by the state after the step, where new objects are known.
    fn state(&self) -> &State {
        self.stepped.after
    }
}

fn sign_extend(value: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width.clamp(1, 64));
    ((value << unused) as i64) >> unused
}

fn suffix(order: Option<Order>) -> String {
    order.map_or_else(String::new, |order| format!(" ({})", order_name(order)))
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "relaxed",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcqRel => "acq_rel",
        Order::SeqCst => "atomic",
    }
}
