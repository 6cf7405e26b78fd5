//! Whether a call passes what a function of the run-time library takes.
//!
//! A program may declare a function of the C library in its own way, or not at
//! all, or have a function of that name in a library of its own. Such a call
//! works if the calling convention makes it work: arguments that are not needed
//! and the upper halves of numbers are left out. It is not followed where the
//! function would see an argument that was never passed, or where the result
//! is looked at as something else.

use super::{Lowering, What};
use crate::llvm::{Type, TypeKind, Value};

/// Assertions that are functions (`rt/assertions.c`), which programs declare as they like or not at
/// all: a number of any width is a condition, and nothing else is looked at.
const ASSERTIONS: [&str; 4] = ["assert", "__VERIFIER_assert", "__ESBMC_assert", "__CPROVER_assert"];

impl<'m> Lowering<'m> {
    /// Whether a call can be one of a function of this name and type.
    pub(super) fn agrees(&self, site: Value<'m>, name: &str, ty: Type<'m>) -> What<bool> {
        if site.call_type() == Some(ty) || ASSERTIONS.contains(&name) {
            return Ok(true);
        }
        let arguments = site.arguments();
        for (index, parameter) in ty.params().into_iter().enumerate() {
            let Some(argument) = arguments.get(index) else { return Ok(false) };
            if !self.can_be_passed(argument.ty(), parameter)? {
                return Ok(false);
            }
        }
        let result = ty.result().ok_or("a function without a result type")?;
        let used = site.users().next().is_some();
        Ok(!used || self.holds(result, site.ty())?)
    }

    /// In registers an argument may be wider than what is taken of it; on the
    /// stack of 32-bit programs it must have as many words.
    fn can_be_passed(&self, argument: Type<'m>, parameter: Type<'m>) -> What<bool> {
        if self.pointer_width == 32 {
            let words = |ty| -> What<u32> { Ok(self.bits(ty)?.div_ceil(32)) };
            return Ok(self.holds(argument, parameter)? && words(argument)? == words(parameter)?);
        }
        self.holds(argument, parameter)
    }

    /// Whether a value of one type has all that is looked at as another one.
    fn holds(&self, given: Type<'m>, wanted: Type<'m>) -> What<bool> {
        let is_number = |ty: Type<'m>| matches!(ty.kind(), TypeKind::Int(_) | TypeKind::Pointer);
        if is_number(given) && is_number(wanted) {
            return Ok(self.bits(given)? >= self.bits(wanted)?);
        }
        Ok(!is_number(given) && !is_number(wanted) && self.widths(given)? == self.widths(wanted)?)
    }

    fn bits(&self, ty: Type<'m>) -> What<u32> {
        Ok(self.widths(ty)?.iter().map(|width| u32::from(*width)).sum())
    }
}
