//! Calls of `syscall`, which has the number of a system call for its first argument.

use ir::{Arg, Callee};

use super::What;
use super::body::{Body, zero};
use crate::llvm::Value;

/// The numbers of system calls in 64-bit and in 32-bit programs, with the
/// functions that do their work.
const CALLS: [(u128, u128, &str); 3] = [(202, 240, "__tp_futex"), (186, 224, "gettid"), (39, 20, "getpid")];

/// What the library must have for them.
pub fn functions() -> impl Iterator<Item = &'static str> {
    CALLS.iter().map(|(_, _, name)| *name)
}

impl<'m> Body<'_, 'm> {
    /// Emits a call of `syscall` whose number is known when the program is
    /// lowered; false if it is to be called as any other function.
    pub(super) fn system_call(&mut self, site: Value<'m>, name: &str) -> What<bool> {
        let number = site.arguments().first().and_then(|number| number.int_bits());
        let Some(number) = number.filter(|_| name == "syscall") else { return Ok(false) };
        let narrow = self.lowering.pointer_width == 32;
        let called = CALLS.iter().find(|(long, short, _)| if narrow { *short } else { *long } == number);
        let function = called.and_then(|(_, _, name)| self.lowering.module.function(name));
        let Some(function) = function.filter(|f| !f.is_declaration()) else { return Ok(false) };
        self.system_call_to(site, function)?;
        Ok(true)
    }

    /// Calls what does the work, with arguments of the types that it wants:
    /// the call has variable arguments, and may leave the last ones out.
    fn system_call_to(&mut self, site: Value<'m>, function: Value<'m>) -> What<()> {
        let ty = function.value_type().ok_or("a function without a type")?;
        let given = site.arguments();
        let mut args = Vec::new();
        for (index, parameter) in ty.params().into_iter().enumerate() {
            let width = self.lowering.width(parameter)?;
            let value = match given.get(index + 1) {
                None => zero(width),
                Some(argument) => {
                    let from = self.lowering.width(argument.ty())?;
                    let operand = self.scalar(*argument)?;
                    self.resize(operand, from, width, true)
                }
            };
            args.push(Arg { value, width });
        }
        let id = self.lowering.function_id(function);
        let result = ty.result().ok_or("a function without a result type")?;
        self.emit_call_to(site, Callee::Direct(id), args, result)
    }
}
