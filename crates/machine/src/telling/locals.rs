//! The local variables of a thread, with their values, for people.

use ir::Symbol;

use crate::machine::Machine;
use crate::memory::object::{Life, Origin};
use crate::state::State;
use crate::state::thread::Frame;
use crate::telling::fault::ThreadId;
use crate::telling::observer::Place;
use crate::value::arith::narrow;
use crate::value::{ObjectId, Value};

impl Machine {
    /// The local variables of the function that the thread is in, outside the
    /// run-time library, with the function's name: those of up to a word that
    /// have a value, by name.
    pub fn locals(&self, state: &State, thread: ThreadId) -> Option<(String, Vec<(String, String)>)> {
        let frames = state.thread(thread).frames.outwards();
        let mut own = frames.filter(|frame| !self.program().function(frame.function).library);
        let frame = own.next()?;
        let objects = frame.objects.iter().filter_map(|(object, _)| self.local_object(state, *object));
        let locals = self.local_registers(state, frame).into_iter().chain(objects).collect();
        let function = self.program().name(self.program().function(frame.function).name);
        Some((function.to_owned(), locals))
    }

    /// The variables that live in registers. Their types are not known, so that
    /// numbers count as signed.
    fn local_registers(&self, state: &State, frame: &Frame) -> Vec<(String, String)> {
        let slots = self.program().function(frame.function).slots.iter();
        let named = slots.zip(&frame.regs).filter_map(|(slot, value)| Some((slot.name?, slot.width, *value)));
        let known = named.filter(|(_, width, value)| (1..=64).contains(width) && value.undef == 0);
        known.map(|(name, width, value)| self.local(name, self.show_register(state, width, value))).collect()
    }

    fn show_register(&self, state: &State, width: u8, value: Value) -> String {
        match value.is_pointer() {
            true => self.show_pointer(state, value),
            false => narrow::signed(value.bits, width).to_string(),
        }
    }

    /// A variable that lives in memory.
    fn local_object(&self, state: &State, id: ObjectId) -> Option<(String, String)> {
        let object = state.memory.get(id).filter(|object| object.life == Life::Alive)?;
        let Origin::Frame { var: Some(var), .. } = object.origin else { return None };
        let len = object.size();
        let is_known = object.data.len() as u64 == len;
        if !is_known || !(1..=8).contains(&len) || object.undef_bits(0, len) != 0 {
            return None;
        }
        let value = object.read(0, len, state.memory.word)?;
        Some(self.local(var.name, self.show_value(state, Place { object: id, offset: 0, len }, value)))
    }

    fn local(&self, name: Symbol, value: String) -> (String, String) {
        (self.program().name(name).to_owned(), value)
    }
}
