//! Values of which nothing matters any more but whether they are initialised:
//! those that the program still prints and does not use otherwise.
//!
//! Where uninitialised values are looked for, such a value is live until it is
//! printed. In a normal state it is 0 as far as it is initialised, so that
//! states that differ in nothing else are equal.

use ir::Instr;

use crate::machine::{Machine, without_checks};
use crate::state::thread::Frame;
use crate::symbolic::symbols::Sym;
use crate::telling::property::Property;
use crate::value::{ObjectId, Value};

impl Machine {
    /// Whether a function prints values that are to be initialised.
    pub(crate) fn checks_printed(&self, function: &ir::Function) -> bool {
        self.config().properties.has(Property::Uninit)
            && function.code.iter().any(|instr| matches!(instr, Instr::Initialised { .. }))
    }

    /// Calls `f` with every slot whose value is printed and not used otherwise.
    pub(crate) fn each_printed_slot(&self, frame: &Frame, top: bool, mut f: impl FnMut(usize)) {
        let Some(used) = self.used(frame.function) else { return };
        let pc = frame.pc + u32::from(!top);
        let used = used.slots_at(pc);
        let live = self.liveness(frame.function).slots_at(pc);
        live.iter().filter(|slot| used.binary_search(slot).is_err()).for_each(|slot| f(*slot as usize));
    }

    /// The liveness of slots apart from printing; none in a function that
    /// prints nothing.
    fn used(&self, id: ir::FuncId) -> Option<&ir::Liveness> {
        let used = self.code[id.0 as usize].used.get_or_init(|| {
            let function = self.program().function(id);
            self.checks_printed(function).then(|| ir::Liveness::of(&without_checks(function)))
        });
        used.as_ref()
    }
}

/// A value of which nothing is known but which of its bits are initialised.
pub(crate) fn printed(value: Value) -> Value {
    Value { bits: 0, object: ObjectId::NONE, sym: Sym::NONE, ..value }
}
