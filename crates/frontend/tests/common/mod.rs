//! Helpers of the front end's tests: everything goes through real clang.
#![allow(dead_code)]

use std::path::PathBuf;

use frontend::{DataModel, Error, Options, load};
use ir::{Function, Instr, Program};

/// Loads one source text as a file with this name.
pub fn try_load(name: &str, source: impl AsRef<[u8]>, options: &Options) -> Result<Program, Error> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, source).expect("a temporary file");
    load(&[path], options)
}

/// Loads a C program.
pub fn c(source: &str) -> Program {
    try_load("test.c", source, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Loads a C program for 32 bits.
pub fn c32(source: &str) -> Program {
    let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
    try_load("test.c", source, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Loads a C++ program.
pub fn cpp(source: &str) -> Program {
    try_load("test.cpp", source, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Loads textual LLVM IR.
pub fn ll(source: &str) -> Program {
    try_load("test.ll", source, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The message of the error that a C program causes.
pub fn error(source: &str) -> String {
    match try_load("test.c", source, &Options::default()) {
        Ok(_) => panic!("the program loads"),
        Err(error) => error.to_string(),
    }
}

/// The function with this name.
pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let found = program.functions.iter().find(|f| program.name(f.name) == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

/// The code of a function.
pub fn code<'p>(program: &'p Program, name: &str) -> &'p [Instr] {
    &function(program, name).code
}

/// How many instructions of a function satisfy a condition.
pub fn count(program: &Program, name: &str, condition: impl Fn(&Instr) -> bool) -> usize {
    code(program, name).iter().filter(|i| condition(i)).count()
}

/// What the program refuses to execute, each with its line.
pub fn refused(program: &Program) -> Vec<(&str, u32)> {
    let all = program.functions.iter().flat_map(|f| f.code.iter().zip(&f.spans));
    all.filter_map(|(instr, span)| match instr {
        Instr::Unsupported { what } => Some((program.name(*what), span.line)),
        _ => None,
    })
    .collect()
}

/// Whether an instruction touches memory.
pub fn is_memory(instr: &Instr) -> bool {
    matches!(instr, Instr::Load { .. } | Instr::Store { .. } | Instr::Alloca { .. })
}

/// A path that does not exist.
pub fn nowhere() -> PathBuf {
    PathBuf::from("/nonexistent/test.c")
}
