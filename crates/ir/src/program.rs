//! Programs, functions and global variables.

use serde::{Deserialize, Serialize};

use crate::instr::{Instr, Operand, Reg, SyncOp};
use crate::layout::{LayoutId, Layouts};
use crate::site::Origin;
use crate::span::{FileId, Location, SourceFile, Span};

/// An interned name: index into [`Program::symbols`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Symbol(pub u32);

/// Index into [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FuncId(pub u32);

/// Index into [`Program::globals`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GlobalId(pub u32);

/// Index of an instruction in its function's code.
pub type Pc = u32;

/// A whole program, linked and lowered.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Pointer width in bits: 32 or 64.
    pub pointer_width: u8,
    /// The functions; those without a body were turned into errors by the front end.
    pub functions: Vec<Function>,
    /// The global variables and constants.
    pub globals: Vec<Global>,
    /// Where execution starts: `main`, or a front-end function that runs the
    /// global constructors and then `main`.
    pub entry: Option<FuncId>,
    /// Interned names.
    pub symbols: Vec<String>,
    /// Source files.
    pub files: Vec<SourceFile>,
    /// Source types.
    pub layouts: Layouts,
    /// The names of functions without a body that are called and taken to do
    /// nothing but return some value.
    pub harmless: Vec<String>,
    /// Bounds on what the environment gives to the program, in words.
    pub limits: Vec<String>,
}

/// The origin of the nondeterministic value that says whether an allocation
/// fails; the allocation stands in the same function.
pub const ALLOCATION_FAILS: &str = "malloc fails";

/// The same of the creation of a thread.
pub const CREATION_FAILS: &str = "pthread_create fails";

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its (demangled) name.
    pub name: Symbol,
    /// The slots that receive the arguments, in order, with their widths.
    pub params: Vec<Param>,
    /// Whether it takes variable arguments.
    pub variadic: bool,
    /// The widths of its results: a structure returned in registers has one
    /// per leaf.
    pub results: Vec<u8>,
    /// The slots of a frame.
    pub slots: Vec<Slot>,
    /// The code; execution starts at 0 and never falls off the end.
    pub code: Vec<Instr>,
    /// Per instruction, its source position.
    pub spans: Vec<Span>,
    /// Where the function is defined.
    pub span: Span,
    /// Where its code comes from in the linked LLVM module.
    pub origin: Origin,
    /// Whether it belongs to the tool's own run-time library: reports show its
    /// caller instead.
    pub library: bool,
    /// Whether its body is one atomic section (`__VERIFIER_atomic_*`). The
    /// front end has already bracketed the body; this is for display.
    pub atomic: bool,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The slot that receives it.
    pub reg: Reg,
    /// Its width in bits.
    pub width: u8,
}

/// A slot of a frame. The second slot of a wide value has width 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The width in bits of the value that starts here.
    pub width: u8,
    /// The source variable that lives here, if one does.
    pub name: Option<Symbol>,
    /// The variable's type, where it is known.
    pub layout: Option<LayoutId>,
}

impl Slot {
    /// What follows the slot of a wide value.
    pub const SECOND_HALF: Slot = Slot { width: 0, name: None, layout: None };
}

/// A global variable, constant or thread-local variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name in the source (a static local has its own name).
    pub name: Symbol,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u32,
    /// Its first bytes; the rest are zero.
    pub init: Vec<u8>,
    /// Pointers among the initial bytes, by ascending offset. The bytes under
    /// them are ignored.
    pub relocations: Vec<Relocation>,
    /// Writing to it is a memory fault.
    pub constant: bool,
    /// It is declared but defined nowhere: it can be pointed to, but what stands in it, and
    /// how long it is, is not known. Such a variable is constant, too.
    pub undefined: bool,
    /// One instance per thread.
    pub thread_local: bool,
    /// Its source type.
    pub layout: Option<LayoutId>,
    /// Where it is declared.
    pub span: Span,
}

/// A pointer in a global's initial value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where in the global the pointer is.
    pub offset: u64,
    /// What it points to.
    pub target: Target,
    /// Offset within the target.
    pub addend: i64,
}

/// What a constant pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
}

impl Program {
    /// Whether it has an instruction that creates threads.
    pub fn creates_threads(&self) -> bool {
        let creates = |instr: &Instr| matches!(instr, Instr::Sync { op: SyncOp::ThreadCreate, .. });
        self.functions.iter().any(|function| function.code.iter().any(creates))
    }

    /// The functions whose address is taken: what threads run, and what is called
    /// through pointers.
    pub fn taken_functions(&self) -> Vec<FuncId> {
        let mut taken = Vec::new();
        for instr in self.functions.iter().flat_map(|function| &function.code) {
            instr.for_each_use(|operand, _| {
                if let Operand::Function(function) = operand {
                    taken.push(function);
                }
            });
        }
        for relocation in self.globals.iter().flat_map(|global| &global.relocations) {
            if let Target::Function(function) = relocation.target {
                taken.push(function);
            }
        }
        taken
    }

    /// Where the calls of a thread go on, each with its function: the innermost call, which comes
    /// last, with its next instruction, and a caller after its call, which is under way.
    pub fn resumed(&self, stack: &[(FuncId, Pc)]) -> impl Iterator<Item = (FuncId, Pc)> {
        let callers = stack.len().saturating_sub(1);
        stack.iter().enumerate().map(move |(depth, (function, pc))| {
            let code = &self.function(*function).code;
            let is_called = depth < callers && matches!(code[*pc as usize], Instr::Call { .. });
            (*function, pc + Pc::from(is_called))
        })
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    /// Pointer size in bytes.
    pub fn pointer_size(&self) -> u64 {
        u64::from(self.pointer_width / 8)
    }

    /// The function with this id.
    #[inline]
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The global with this id.
    #[inline]
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The path of a source file; empty if unknown.
    pub fn file(&self, id: FileId) -> &str {
        self.files.get(id.0 as usize).map_or("", |f| f.path.as_str())
    }

    /// A position in a function, with names.
    pub fn location(&self, function: FuncId, span: Span) -> Location {
        let file = if span.is_known() { self.file(span.file) } else { "" };
        Location {
            file: file.to_owned(),
            line: span.line,
            column: span.column,
            function: self.name(self.function(function).name).to_owned(),
        }
    }
}

impl Function {
    /// Adds a slot (two for a wide value) and returns its register.
    pub fn add_slot(&mut self, width: u8, name: Option<Symbol>) -> Reg {
        self.add_variable(width, name, None)
    }

    /// The same for a variable whose type is known.
    pub fn add_variable(&mut self, width: u8, name: Option<Symbol>, layout: Option<LayoutId>) -> Reg {
        let reg = Reg(self.slots.len() as u32);
        self.slots.push(Slot { width, name, layout });
        if width > 64 {
            self.slots.push(Slot::SECOND_HALF);
        }
        reg
    }
}
