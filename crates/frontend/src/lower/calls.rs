//! Calls.

use ir::{Arg, Callee, Instr, Operand, Reg};
use smallvec::smallvec;

use super::body::{Body, Operands};
use super::known::{self, Known};
use super::known_calls::Call;
use super::seeds::is_time_for_seed;
use super::shared_pointers::release_lock;
use super::{Lowering, What};
use crate::demangle;
use crate::llvm::{Type, Value, ValueKind};
use crate::runtime::MARK;

impl<'m> Lowering<'m> {
    /// Whether a declared function is known by name.
    pub(super) fn is_known(&self, function: Value<'m>) -> bool {
        let name = function.name();
        self.meaning(&name).is_some()
    }

    /// What a call of a function without a body with this name becomes.
    fn meaning(&self, name: &str) -> Option<Known> {
        known::declared(name).or_else(|| self.havoc.contains(name).then_some(Known::Harmless))
    }
}

impl<'m> Body<'_, 'm> {
    pub(super) fn call(&mut self, site: Value<'m>) -> What<()> {
        let mut callee = site.callee().ok_or("a call of nothing")?;
        while callee.kind() == ValueKind::Alias {
            callee = callee.aliasee().ok_or("an alias of nothing")?;
        }
        match callee.kind() {
            ValueKind::Assembly => self.assembly(site, callee),
            ValueKind::Function => self.call_function(site, callee),
            _ => {
                let target = self.scalar(callee)?;
                let args = self.arguments(site)?;
                let result = site.call_type().and_then(|t| t.result()).ok_or("a call without a type")?;
                self.emit_call_to(site, Callee::Indirect(target), args, result)
            }
        }
    }

    fn call_function(&mut self, site: Value<'m>, callee: Value<'m>) -> What<()> {
        let name = callee.name();
        if name.starts_with("llvm.") && callee.is_declaration() {
            return self.intrinsic(site, &name);
        }
        if self.output(site, callee, &name)? || self.system_call(site, &name)? {
            return Ok(());
        }
        if callee.has_mark(MARK) && is_time_for_seed(site, &name) {
            return self.define(site, smallvec![Operand::Int(0)]);
        }
        let known = match callee.is_declaration() {
            true => self.lowering.meaning(&name),
            false => known::always(&name),
        };
        if let Some(known) = known {
            return self.call_known(site, known, name);
        }
        if callee.is_declaration() {
            return Err(without_body(&name));
        }
        let ty = callee.value_type().ok_or("a function without a type")?;
        if callee.has_mark(MARK) && !self.lowering.agrees(site, &name, ty)? {
            return Err(format!("a call of {name} that does not fit the C library's function"));
        }
        let id = self.lowering.function_id(callee);
        let mut args = self.arguments(site)?;
        self.fit(&mut args, ty)?;
        release_lock(&name, &mut args);
        let result = ty.result().ok_or("a function without a result type")?;
        self.emit_call_to(site, Callee::Direct(id), args, result)
    }

    fn call_known(&mut self, site: Value<'m>, known: Known, name: String) -> What<()> {
        let values = site.arguments();
        let mut args = Vec::new();
        for value in &values {
            // What is not looked at need not become part of the program.
            let operands = if known.ignores_arguments() { Operands::new() } else { self.value(*value)? };
            args.push((operands, self.lowering.scalar_width(value.ty())?.unwrap_or(0)));
        }
        let result = site.ty();
        let used = site.users().next().is_some();
        let call = Call { name, args, values, result, used, site: Some(site) };
        let results = self.known(known, &call)?;
        self.known_result(site, results)
    }

    /// Gives a call's value the results of what it became.
    pub(super) fn known_result(&mut self, site: Value<'m>, results: Operands) -> What<()> {
        let widths = self.lowering.widths(site.ty())?;
        if results.len() == widths.len() {
            // The operands may be an argument's: they must not change later.
            let own = |operand: &Operand| self.values.get(&site).is_some_and(|v| v.contains(operand));
            if results.iter().all(own) || site.users().next().is_none() {
                return self.define(site, results);
            }
            return self.copy(site, results);
        }
        self.define(site, widths.iter().map(|_| Operand::Undef).collect())
    }

    /// A call's arguments, leaf by leaf.
    fn arguments(&mut self, site: Value<'m>) -> What<Vec<Arg>> {
        let fixed = site.call_type().map_or(0, |t| t.params().len());
        let mut args = Vec::new();
        for (index, argument) in site.arguments().into_iter().enumerate() {
            if index >= fixed && self.variable_argument(site, index as u32, argument, &mut args)? {
                continue;
            }
            let widths = self.lowering.widths(argument.ty())?;
            let operands = self.value(argument)?;
            args.extend(operands.into_iter().zip(widths).map(|(value, width)| Arg { value, width }));
        }
        Ok(args)
    }

    /// Makes the arguments fit the callee, which an old-style declaration need not have said.
    fn fit(&mut self, args: &mut Vec<Arg>, ty: Type<'m>) -> What<()> {
        let mut wanted = Vec::new();
        for param in ty.params() {
            wanted.extend(self.lowering.widths(param)?);
        }
        for (index, width) in wanted.iter().copied().enumerate() {
            match args.get(index).copied() {
                None => args.push(Arg { value: Operand::Undef, width }),
                Some(arg) if arg.width != width => {
                    let value = self.resize(arg.value, arg.width, width, false);
                    args[index] = Arg { value, width };
                }
                Some(_) => {}
            }
        }
        if !ty.is_variadic() {
            args.truncate(wanted.len());
        }
        Ok(())
    }

    /// Emits a call; the callee's results are converted to what the site expects.
    pub(super) fn emit_call_to(
        &mut self,
        site: Value<'m>,
        callee: Callee,
        args: Vec<Arg>,
        result: Type<'m>,
    ) -> What<()> {
        let given = self.lowering.widths(result)?;
        let wanted = self.lowering.widths(site.ty())?;
        if site.users().next().is_none() || given.is_empty() {
            self.emit(Instr::Call { callee, args: args.into(), dsts: Box::new([]) });
            return self.define(site, wanted.iter().map(|_| Operand::Undef).collect());
        }
        let single = given.len() == 1 && given == wanted;
        let dsts: Vec<Reg> =
            given.iter().map(|w| if single { self.dst(site, *w) } else { self.temp(*w) }).collect();
        self.emit(Instr::Call { callee, args: args.into(), dsts: dsts.clone().into() });
        if single {
            return Ok(());
        }
        let mut results = Operands::new();
        for (index, to) in wanted.into_iter().enumerate() {
            results.push(match (dsts.get(index), given.get(index)) {
                (Some(reg), Some(from)) => self.resize(Operand::Reg(*reg), *from, to, false),
                _ => Operand::Undef,
            });
        }
        self.define(site, results)
    }

    /// The body of a function that stands for what its call becomes.
    pub(super) fn run_thunk(&mut self, function: Value<'m>) -> What<()> {
        let name = function.name();
        let ty = function.value_type().ok_or("a function without a type")?;
        let mut args = Vec::new();
        for param in ty.params() {
            let mut operands = Operands::new();
            for width in self.lowering.widths(param)? {
                let reg = self.temp(width);
                self.function.params.push(ir::Param { reg, width });
                operands.push(Operand::Reg(reg));
            }
            args.push((operands, self.lowering.scalar_width(param)?.unwrap_or(0)));
        }
        let result = ty.result().ok_or("a function without a result type")?;
        self.function.variadic = ty.is_variadic();
        self.function.results = self.lowering.widths(result)?;
        let used = !self.function.results.is_empty();
        let known = self.lowering.meaning(&name).ok_or_else(|| without_body(&name))?;
        let call = Call { name, args, values: Vec::new(), result, used, site: None };
        let results = self.known(known, &call)?;
        let widths = self.function.results.clone();
        let pad = std::iter::repeat(Operand::Undef);
        let values = results.into_iter().chain(pad).zip(widths).map(|(value, width)| Arg { value, width });
        let values: Vec<Arg> = values.collect();
        if !self.dead {
            self.emit(Instr::Return { values: values.into() });
        }
        Ok(())
    }
}

/// The words for a call of a function that has no body and no known meaning.
fn without_body(name: &str) -> String {
    format!("a call of {}{}", demangle::shown(name), ir::WITHOUT_BODY)
}
