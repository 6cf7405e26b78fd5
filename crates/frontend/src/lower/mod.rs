//! From a linked LLVM module to a thread program.
//!
//! Starting from `main` and the global constructors, every function and
//! global that is referred to is lowered, and nothing else. The files:
//!
//! - [`types`]: widths and offsets; aggregates as their leaves;
//! - `constants`, `globals`: constant values, initial memory;
//! - `debug`: positions, names and source types;
//! - `promote`: which locals become registers; `scopes`, `literals`, `bypassed`: which are made where their scope
//!   begins or was left; `positions`: where in the source instructions stand;
//! - `body`, `blocks`, `terminators`, `computed_goto`: one function, block by block;
//! - `arith`, `memory`, `aggregates`, `vectors`, `atomics`: instructions;
//! - `calls`, `agreement`, `known`, `intrinsics`, `assembly`, `system_calls`, `shared_pointers`: what calls become;
//! - `output`, `format`, `environment`, `seeds`: calls that print, and of the operating system;
//! - `tidy`, `slots`, `rename`: jumps, dead code and slots of the finished code;
//! - `entry`, `arguments`: the function where execution starts, and what `main` is given;
//! - `havoc`, `module_assembly`: what is taken as harmless.
//!
//! What cannot be lowered becomes an instruction that makes the verdict
//! unknown in the executions that reach it. A global variable whose initial
//! value cannot be lowered is refused, and the program is lowered once more:
//! then every instruction that refers to the variable is such an instruction.

mod aggregates;
mod agreement;
mod arguments;
mod arith;
mod assembly;
mod atomics;
pub(crate) mod blocks;
mod body;
mod bypassed;
mod calls;
mod computed_goto;
mod constants;
mod debug;
mod entry;
mod environment;
mod format;
mod globals;
pub(crate) mod havoc;
mod intrinsics;
pub(crate) mod known;
mod known_calls;
mod literals;
mod memory;
mod module_assembly;
mod output;
mod positions;
mod promote;
mod rename;
mod scopes;
mod seeds;
mod shared_pointers;
mod slots;
pub(crate) mod system_calls;
mod terminators;
mod tidy;
mod types;
mod variable_arguments;
mod vectors;

use std::collections::VecDeque;

use ir::{FuncId, Function, GlobalId, Origin, Program, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Block, Module, Value};
use crate::runtime::MARK;
use crate::{Error, Options, demangle};

/// What cannot be lowered, as words for the report.
type What<T> = Result<T, String>;

/// A function that is referred to and still has to be lowered.
enum Work<'m> {
    /// It has a body.
    Body(Value<'m>, FuncId),
    /// It stands for instructions, and its address was taken.
    Thunk(Value<'m>, FuncId),
}

/// The program while it is being lowered.
struct Lowering<'m> {
    module: &'m Module<'m>,
    options: &'m Options,
    /// Whether all of it was compiled here, so that positions in the source are exact.
    from_source: bool,
    /// Functions without a body that do nothing and return anything.
    havoc: &'m FxHashSet<String>,
    program: Program,
    pointer_width: u8,
    symbols: FxHashMap<String, Symbol>,
    functions: FxHashMap<Value<'m>, FuncId>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    /// The labels whose address was taken, with that address.
    labels: FxHashMap<Block<'m>, u64>,
    work: VecDeque<Work<'m>>,
    new_globals: VecDeque<(Value<'m>, GlobalId)>,
    debug: debug::Debug<'m>,
    /// Variables whose initial value cannot be lowered, and why.
    refused: FxHashMap<Value<'m>, String>,
}

/// Lowers what `main` can reach.
pub fn lower(module: &Module<'_>, options: &Options, from_source: bool) -> Result<Program, Error> {
    let pointer_width = match module.pointer_width() {
        width @ (32 | 64) => width as u8,
        other => return Err(unsupported(&format!("a pointer width of {other} bits"), "the program")),
    };
    let havoc = havoc::matching(module, &options.nondet_externs)?;
    let mut refused = FxHashMap::default();
    loop {
        let known = refused.len();
        let mut lowering = new(module, options, &havoc, pointer_width, refused);
        lowering.from_source = from_source;
        lowering.run()?;
        if lowering.refused.len() == known {
            lowering.tell_of_threads();
            return Ok(lowering.program);
        }
        refused = lowering.refused;
    }
}

/// A program of which nothing is lowered yet.
fn new<'m>(
    module: &'m Module<'m>,
    options: &'m Options,
    havoc: &'m FxHashSet<String>,
    pointer_width: u8,
    refused: FxHashMap<Value<'m>, String>,
) -> Lowering<'m> {
    Lowering {
        module,
        options,
        from_source: false,
        havoc,
        program: Program { pointer_width, ..Program::default() },
        pointer_width,
        symbols: FxHashMap::default(),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        labels: FxHashMap::default(),
        work: VecDeque::new(),
        new_globals: VecDeque::new(),
        debug: debug::Debug::default(),
        refused,
    }
}

/// Whether a body may be missing: calls of the function have no meaning without
/// one, or only the meaning that its name suggests.
pub fn may_lack_body(function: Value<'_>) -> bool {
    let guessed = known::declared(&function.name()) == Some(known::Known::Nondet);
    function.is_declaration() && (guessed || havoc::has_no_meaning(function))
}

fn unsupported(what: &str, location: &str) -> Error {
    Error::Unsupported { what: what.to_owned(), location: location.to_owned() }
}

impl<'m> Lowering<'m> {
    fn run(&mut self) -> Result<(), Error> {
        self.entry()?;
        loop {
            if let Some((value, id)) = self.new_globals.pop_front() {
                self.initialise(value, id);
            } else if let Some(work) = self.work.pop_front() {
                self.lower_function(work);
            } else {
                return Ok(());
            }
        }
    }

    /// Says to the run-time library whether the program creates threads.
    fn tell_of_threads(&mut self) {
        if let Some(id) = self.module.global("__tp_creates_threads").and_then(|it| self.globals.get(&it)) {
            let creates = self.program.creates_threads();
            self.program.globals[id.0 as usize].init = vec![creates.into()];
        }
    }

    fn lower_function(&mut self, work: Work<'m>) {
        let (function, id) = match work {
            Work::Body(value, id) => (body::lower_body(self, value), id),
            Work::Thunk(value, id) => (body::lower_thunk(self, value), id),
        };
        self.program.functions[id.0 as usize] = function;
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(name) {
            return *symbol;
        }
        let symbol = Symbol(self.program.symbols.len() as u32);
        self.program.symbols.push(name.to_owned());
        self.symbols.insert(name.to_owned(), symbol);
        symbol
    }

    /// The function's id; it is lowered later if this is the first reference.
    fn function_id(&mut self, function: Value<'m>) -> FuncId {
        if let Some(id) = self.functions.get(&function) {
            return *id;
        }
        let name = function.name();
        let id = self.reserve_function(&name);
        self.functions.insert(function, id);
        if function.has_mark(MARK) {
            environment::limits(&name).iter().for_each(|limit| self.limit((*limit).to_owned()));
        }
        let declared = function.is_declaration() || known::always(&name).is_some();
        self.work.push_back(if declared { Work::Thunk(function, id) } else { Work::Body(function, id) });
        id
    }

    fn reserve_function(&mut self, name: &str) -> FuncId {
        let name = self.symbol(name);
        self.program.functions.push(empty_function(name));
        FuncId(self.program.functions.len() as u32 - 1)
    }

    /// Remembers a function whose effects are left out.
    fn take_for_harmless(&mut self, name: &str) {
        let shown = demangle::shown(name);
        let harmless = &mut self.program.harmless;
        if !name.starts_with("__tp_") && !harmless.contains(&shown) {
            harmless.push(shown);
        }
    }

    /// Notes a bound on what the environment gives to the program.
    fn limit(&mut self, limit: String) {
        if !self.program.limits.contains(&limit) {
            self.program.limits.push(limit);
        }
    }
}

fn empty_function(name: Symbol) -> Function {
    Function {
        name,
        params: Vec::new(),
        variadic: false,
        results: Vec::new(),
        slots: Vec::new(),
        code: Vec::new(),
        spans: Vec::new(),
        span: Span::default(),
        origin: Origin::default(),
        library: false,
        atomic: false,
    }
}
