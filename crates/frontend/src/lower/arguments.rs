//! The arguments of `main`: inputs, as far as the program looks at them.

use ir::{Arg, Domain, Instr, Operand};

use super::body::Body;
use crate::Arguments;
use crate::llvm::{Opcode, Value};

/// What `argv[0]` is.
const NAME: &str = "program";

impl<'m> Body<'_, 'm> {
    /// The number of arguments, the arguments, and the environment.
    pub(super) fn arguments_of_main(&mut self, params: &[Value<'m>]) -> [Operand; 3] {
        let used = |index: usize| params.get(index).is_some_and(|param| is_used(*param));
        let (count, texts, environment) = (used(0), used(1), used(2));
        if environment {
            let what = self.lowering.symbol("the third parameter of main, the environment");
            self.emit(Instr::Unsupported { what });
        }
        let (argc, argv) = match self.lowering.options.arguments.clone() {
            Arguments::Fixed(list) => self.fixed_arguments(&list),
            Arguments::Unknown { .. } if !count && !texts => self.fixed_arguments(&[]),
            Arguments::Unknown { count, length } => self.unknown_arguments(count, length, texts),
        };
        [argc, argv, Operand::Int(0)]
    }

    fn fixed_arguments(&mut self, list: &[String]) -> (Operand, Operand) {
        let texts = std::iter::once(NAME).chain(list.iter().map(String::as_str));
        let texts: Vec<_> = texts.enumerate().map(|(index, text)| self.text(index, text)).collect();
        let size = (texts.len() as u64 + 1) * self.lowering.program.pointer_size();
        let table = self.lowering.table("argv", &[], size, &texts);
        (Operand::Int(texts.len() as u64), Operand::Global(table, 0))
    }

    fn text(&mut self, index: usize, text: &str) -> ir::GlobalId {
        let name = format!("argv[{index}]");
        self.lowering.table(&name, text.as_bytes(), text.len() as u64 + 1, &[])
    }

    /// Up to so many arguments, each of up to so many characters.
    fn unknown_arguments(&mut self, most: u32, length: u32, texts: bool) -> (Operand, Operand) {
        let origin = self.lowering.symbol("argc");
        let argc = self.temp(32);
        let domain = Domain::Range { first: 1, count: u64::from(most) + 1 };
        self.emit(Instr::Nondet { width: 32, dst: argc, domain, origin });
        let argc = Operand::Reg(argc);
        if !texts {
            self.lowering.limit(format!("the program is given at most {most} arguments"));
            return (argc, Operand::Int(0));
        }
        self.lowering.limit(format!(
            "the program is given at most {most} arguments of at most {length} characters each"
        ));
        (argc, self.unknown_texts(argc, most, length))
    }

    /// The library fills a table and places that are made for it.
    fn unknown_texts(&mut self, argc: Operand, most: u32, length: u32) -> Operand {
        let pointer = self.lowering.program.pointer_size();
        let name = self.text(0, NAME);
        let place = |body: &mut Self, index: u32| {
            body.lowering.table(&format!("argv[{index}]"), &[], u64::from(length) + 1, &[])
        };
        let places: Vec<_> = (1..=most).map(|index| place(self, index)).collect();
        let table = self.lowering.table("argv", &[], u64::from(most + 2) * pointer, &[]);
        let list = self.lowering.table("places of argv", &[], u64::from(most.max(1)) * pointer, &places);
        let width = self.lowering.pointer_width;
        let global = |id| Arg { value: Operand::Global(id, 0), width };
        let number = |value| Arg { value, width: 32 };
        let args = vec![
            number(argc),
            global(table),
            global(name),
            global(list),
            number(Operand::Int(most.into())),
            number(Operand::Int(length.into())),
        ];
        let dst = self.temp(width);
        if let Some(function) = self.lowering.module.function("__tp_arguments") {
            let id = self.lowering.function_id(function);
            self.emit_call(id, args, vec![dst]);
        }
        Operand::Reg(dst)
    }
}

/// Whether a parameter is more than stored in a variable that is never read.
fn is_used(param: Value<'_>) -> bool {
    param.users().any(|user| match (user.opcode(), user.operand(1)) {
        (Some(Opcode::LLVMStore), Some(variable)) if user.operand(0) == Some(param) => {
            variable.opcode() != Some(Opcode::LLVMAlloca) || variable.users().any(|other| other != user)
        }
        _ => true,
    })
}
