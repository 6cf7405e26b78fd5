//! From C and C++ source, or LLVM modules, to a thread program.
//!
//! [`load`] is the whole pipeline: clang compiles each input to bitcode
//! (`clang`), LLVM reads and links the modules together with a small run-time
//! library (`link`, `llvm`, `runtime`), and `lower` turns the result into an
//! [`ir::Program`].
//!
//! Nothing is optimised that another thread could see: only locals whose
//! address never leaves the function become registers, by our own promotion,
//! because LLVM's would drop what a read of an uninitialised variable means.
//! What cannot be lowered (a construct, or a call of a function without a
//! body) becomes an instruction that makes the verdict unknown where an
//! execution reaches it.

mod clang;
mod demangle;
mod error;
mod link;
mod llvm;
mod lower;
mod native;
mod runtime;

use std::path::{Path, PathBuf};

pub use clang::compiler;
pub use error::Error;
pub use native::{Hook, Instrumentation, Instrumented, fingerprint, instrument};
use rustc_hash::FxHashSet;

/// How large pointers and `long` are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    /// 64-bit `long` and pointers.
    #[default]
    Lp64,
    /// 32-bit `int`, `long` and pointers (`-m32`).
    Ilp32,
}

/// What [`load`] needs to know besides the inputs.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Compiler flags, as given after `--`.
    pub flags: Vec<String>,
    /// Flags of single inputs, before those of all.
    pub file_flags: Vec<(PathBuf, Vec<String>)>,
    /// Sizes of pointers and `long`.
    pub data_model: DataModel,
    /// External functions without a body to treat as having no effect and
    /// returning anything, besides the built-in list of harmless ones:
    /// patterns with `*` and `?`, for names as the source has them.
    pub nondet_externs: Vec<String>,
    /// What `main` is given.
    pub arguments: Arguments,
    /// Whether allocation may fail at any time.
    pub malloc_may_fail: bool,
    /// Whether creating a thread may fail at any time.
    pub create_may_fail: bool,
}

impl Options {
    /// The flags of an input.
    fn flags_of<'a>(&'a self, input: &'a Path) -> impl Iterator<Item = &'a String> + Clone {
        let own = self.file_flags.iter().filter(move |(path, _)| path == input);
        own.flat_map(|(_, flags)| flags).chain(&self.flags)
    }
}

/// The arguments of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// These.
    Fixed(Vec<String>),
    /// Any, up to bounds.
    Unknown {
        /// How many there can be.
        count: u32,
        /// How many characters each can have.
        length: u32,
    },
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments::Unknown { count: 2, length: 2 }
    }
}

/// A program with the module that it was lowered from.
pub struct Linked {
    /// The program.
    pub program: ir::Program,
    /// The linked LLVM module as bitcode, the run-time library included. An
    /// [`ir::Site`] names an instruction in it.
    pub module: Vec<u8>,
    /// The same without the run-time library, to be made a native program.
    pub native: Vec<u8>,
    /// The functions of the native module whose own instructions the machine
    /// executes. What others do happens natively in one piece, at the call.
    pub executed: FxHashSet<String>,
}

/// Compiles, links and lowers a program made of `.c`, `.i`, `.cpp`, `.ll` and `.bc` files.
pub fn load(inputs: &[PathBuf], options: &Options) -> Result<ir::Program, Error> {
    let context = llvm::Context::new();
    lowered(&link::link(&context, inputs, options)?.0, inputs, options)
}

/// Loads a program as [`load`] does, and hands out its module as well.
pub fn load_linked(inputs: &[PathBuf], options: &Options) -> Result<Linked, Error> {
    let context = llvm::Context::new();
    let (module, units) = link::link(&context, inputs, options)?;
    let native = link::join_alone(&context, &units)?;
    Ok(Linked {
        program: lowered(&module, inputs, options)?,
        module: module.bitcode(),
        native: native.bitcode(),
        executed: native::executed(&native),
    })
}

fn lowered(module: &llvm::Module<'_>, inputs: &[PathBuf], options: &Options) -> Result<ir::Program, Error> {
    let from_source = inputs.iter().all(|input| !clang::is_module(input));
    let mut program = lower::lower(module, options, from_source)?;
    ir::validate(&program).map_err(|invalid| Error::Internal(invalid.0))?;
    domains::narrow_nondets(&mut program);
    Ok(program)
}
