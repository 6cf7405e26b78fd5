//! Where execution starts: a function that runs the global constructors and
//! `main`, and ends the process with its result.

use ir::{Arg, Callee, Global, GlobalId, Instr, Operand, Relocation, Span, Target};

use super::body::Body;
use super::{Lowering, What, module_assembly, unsupported};
use crate::Error;
use crate::llvm::{Value, ValueKind};

impl<'m> Lowering<'m> {
    pub(super) fn entry(&mut self) -> Result<(), Error> {
        let main = self.module.function("main").filter(|f| !f.is_declaration()).ok_or(Error::NoMain)?;
        let id = self.reserve_function("_start");
        self.program.entry = Some(id);
        let function = Body::start(self, main).map_err(|what| unsupported(&what, "function main"))?;
        self.program.functions[id.0 as usize] = function;
        Ok(())
    }

    /// The global constructors, in the order they run.
    fn constructors(&self) -> Vec<Value<'m>> {
        self.prioritised("llvm.global_ctors")
    }

    /// The global destructors, in the order they run.
    pub(super) fn destructors(&self) -> Vec<Value<'m>> {
        let mut list = self.prioritised("llvm.global_dtors");
        list.reverse();
        list
    }

    /// The functions of a list with priorities.
    fn prioritised(&self, name: &str) -> Vec<Value<'m>> {
        let Some(list) = self.module.global(name).and_then(|g| g.initializer()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for index in 0.. {
            let Some(entry) = list.element(index) else { break };
            let priority = entry.element(0).and_then(|p| p.int_bits()).unwrap_or(0);
            let function = entry.element(1).filter(|f| f.kind() == ValueKind::Function);
            found.extend(function.map(|f| (priority, f)));
        }
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, function)| function).collect()
    }

    /// A global of the front end's own, filled with pointers.
    pub(super) fn table(&mut self, name: &str, init: &[u8], size: u64, pointers: &[GlobalId]) -> GlobalId {
        let step = self.program.pointer_size();
        let place = |(i, id): (usize, &GlobalId)| Relocation {
            offset: i as u64 * step,
            target: Target::Global(*id),
            addend: 0,
        };
        let name = self.symbol(name);
        self.program.globals.push(Global {
            name,
            size,
            align: 8,
            init: init.to_vec(),
            relocations: pointers.iter().enumerate().map(place).collect(),
            constant: false,
            undefined: false,
            thread_local: false,
            layout: None,
            span: Span::default(),
        });
        GlobalId(self.program.globals.len() as u32 - 1)
    }
}

impl<'m> Body<'_, 'm> {
    fn start(lowering: &mut Lowering<'m>, main: Value<'m>) -> What<ir::Function> {
        let name = lowering.symbol("_start");
        let mut body = Body::empty(lowering, name);
        body.function.library = true;
        body.function.origin.name = "_start".to_owned();
        if !module_assembly::is_harmless(&body.lowering.module.assembly()) {
            body.unsupported("assembly outside of functions");
            return Ok(body.finished());
        }
        for constructor in body.lowering.constructors() {
            let id = body.lowering.function_id(constructor);
            body.emit_call(id, Vec::new(), Vec::new());
        }
        body.library_call("__tp_enter_main", &[]);
        let code = body.call_main(main)?;
        body.run_exit_handlers();
        body.emit(Instr::Exit { code: Some(code) });
        Ok(body.finished())
    }

    fn call_main(&mut self, main: Value<'m>) -> What<Operand> {
        let ty = main.value_type().ok_or("main without a type")?;
        let given = self.arguments_of_main(&main.params());
        let mut args = Vec::new();
        for (index, param) in ty.params().iter().enumerate() {
            let width = self.lowering.width(*param)?;
            let value = *given.get(index).ok_or("main with more than three parameters")?;
            args.push(Arg { value, width });
        }
        let results = self.lowering.widths(ty.result().ok_or("main without a result type")?)?;
        let callee = Callee::Direct(self.lowering.function_id(main));
        let dsts: Vec<_> = results.iter().map(|width| self.temp(*width)).collect();
        self.emit(Instr::Call { callee, args: args.into(), dsts: dsts.clone().into() });
        Ok(match (dsts.first(), results.first()) {
            (Some(reg), Some(width)) => self.resize(Operand::Reg(*reg), *width, 32, true),
            _ => Operand::Int(0),
        })
    }
}
