//! The text form of a program, for `threadproof dump` and for debugging.
//!
//! ```text
//! fn main() -> i32                                ; prog.c:5
//!      0  %0:i = load i32 [@x]                    ; prog.c:6
//!      1  %1 = slt i32 %0:i, 4
//!      2  branch %1 ? 3 : 5
//! >    3  store i32 [@x] = 7 release              ; prog.c:7
//! ```
//!
//! A `>` marks the target of a jump; a position is shown where it differs from
//! that of the instruction before. Printing never panics, because a program
//! that fails validation is the one that developers want to look at.

mod instr;

use std::fmt::{self, Display, Formatter};

use crate::instr::Instr;
use crate::program::{FuncId, Function, Global, GlobalId, Program, Relocation, Symbol, Target};
use crate::span::Span;
use instr::InstrText;

/// The text of one instruction of a function.
pub(crate) fn instr_text(program: &Program, function: &Function, instr: &Instr) -> String {
    InstrText { program, function, instr }.to_string()
}

/// The column that source positions start in, where the code leaves room.
const COMMENT_COLUMN: usize = 56;

/// Initial bytes shown of one global.
const BYTES_SHOWN: usize = 64;

/// A program's text.
#[derive(Clone, Copy)]
pub struct Listing<'a> {
    /// The program.
    pub program: &'a Program,
    /// Whether to show the tool's own run-time library as well.
    pub library: bool,
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Listing { program: self, library: true }.fmt(f)
    }
}

impl Program {
    /// The text of one instruction, without position.
    pub fn instr_text(&self, function: FuncId, pc: crate::Pc) -> String {
        let function = self.function(function);
        instr_text(self, function, &function.code[pc as usize])
    }
}

impl Display for Listing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.program;
        let entry = program.entry.map_or("none".to_owned(), |id| function_name(program, id));
        writeln!(f, "pointers i{}, entry {entry}", program.pointer_width)?;
        if !program.globals.is_empty() {
            writeln!(f)?;
        }
        for (id, global) in program.globals.iter().enumerate() {
            write_global(f, program, GlobalId(id as u32), global)?;
        }
        for (id, function) in program.functions.iter().enumerate() {
            if self.library || !function.library {
                writeln!(f)?;
                write_function(f, program, FuncId(id as u32), function)?;
            }
        }
        Ok(())
    }
}

fn write_global(f: &mut Formatter<'_>, program: &Program, id: GlobalId, global: &Global) -> fmt::Result {
    let mut line = if global.thread_local { "thread-local " } else { "" }.to_owned();
    line += match global {
        Global { undefined: true, .. } => "undefined ",
        Global { constant: true, .. } => "constant ",
        _ => "global ",
    };
    line += &format!("{}: {} bytes align {}", global_name(program, id), global.size, global.align);
    if let Some(bytes) = initial_bytes(global) {
        line += &format!(" = {bytes}");
    }
    for relocation in &global.relocations {
        line += &format!(" +{}:{}", relocation.offset, target_text(program, relocation));
    }
    write_line(f, program, &line, global.span)
}

/// The initial bytes: text where they are a string, else hexadecimal; nothing
/// if all are zero.
fn initial_bytes(global: &Global) -> Option<String> {
    let end = global.init.iter().rposition(|b| *b != 0).map_or(0, |i| i + 1);
    let bytes = &global.init[..end];
    if bytes.is_empty() {
        return None;
    }
    let shown = &bytes[..bytes.len().min(BYTES_SHOWN)];
    let more = if shown.len() < bytes.len() { ".." } else { "" };
    let printable = |b: &u8| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\t');
    if global.constant && shown.iter().all(printable) {
        return Some(format!("{:?}{more}", String::from_utf8_lossy(shown)));
    }
    let hex: Vec<String> = shown.iter().map(|b| format!("{b:02x}")).collect();
    Some(hex.join(" ") + more)
}

fn target_text(program: &Program, relocation: &Relocation) -> String {
    let name = match relocation.target {
        Target::Global(id) => global_name(program, id),
        Target::Function(id) => function_name(program, id),
    };
    match relocation.addend {
        0 => name,
        addend => format!("{name}{addend:+}"),
    }
}

fn write_function(f: &mut Formatter<'_>, program: &Program, id: FuncId, function: &Function) -> fmt::Result {
    write_line(f, program, &signature(program, id, function), function.span)?;
    let targets = jump_targets(function);
    let mut last = function.span;
    for (pc, instr) in function.code.iter().enumerate() {
        let mark = if targets[pc] { '>' } else { ' ' };
        let line = format!("{mark}{pc:5}  {}", InstrText { program, function, instr });
        let span = function.spans.get(pc).copied().unwrap_or_default();
        let news = (span.file, span.line) != (last.file, last.line);
        write_line(f, program, &line, if news { span } else { Span::default() })?;
        last = span;
    }
    Ok(())
}

fn signature(program: &Program, id: FuncId, function: &Function) -> String {
    let mut params: Vec<String> = function
        .params
        .iter()
        .map(|p| format!("{}: i{}", instr::reg_text(program, function, p.reg), p.width))
        .collect();
    if function.variadic {
        params.push("...".to_owned());
    }
    let mut text = format!("fn {}({})", function_name(program, id), params.join(", "));
    if !function.results.is_empty() {
        let results: Vec<String> = function.results.iter().map(|w| format!("i{w}")).collect();
        text += &format!(" -> {}", results.join(", "));
    }
    if function.atomic {
        text += " atomic";
    }
    if function.library {
        text += " library";
    }
    text
}

fn jump_targets(function: &Function) -> Vec<bool> {
    let mut targets = vec![false; function.code.len()];
    for instr in &function.code {
        instr.for_each_target(|pc| {
            if let Some(target) = targets.get_mut(pc as usize) {
                *target = true;
            }
        });
    }
    targets
}

fn write_line(f: &mut Formatter<'_>, program: &Program, text: &str, span: Span) -> fmt::Result {
    if !span.is_known() {
        return writeln!(f, "{text}");
    }
    let path = program.file(span.file);
    let file = path.rsplit('/').next().unwrap_or(path);
    writeln!(f, "{text:COMMENT_COLUMN$}; {file}:{}", span.line)
}

/// `@name`, with the number where another global has the same name (static
/// locals of different functions do).
fn global_name(program: &Program, id: GlobalId) -> String {
    let Some(global) = program.globals.get(id.0 as usize) else { return format!("@?{}", id.0) };
    let unique = program.globals.iter().filter(|g| g.name == global.name).count() == 1;
    let name = symbol(program, global.name);
    if unique { format!("@{name}") } else { format!("@{name}#{}", id.0) }
}

fn function_name(program: &Program, id: FuncId) -> String {
    match program.functions.get(id.0 as usize) {
        Some(function) => symbol(program, function.name).to_owned(),
        None => format!("?{}", id.0),
    }
}

fn symbol(program: &Program, symbol: Symbol) -> &str {
    program.symbols.get(symbol.0 as usize).map_or("?", String::as_str)
}

#[cfg(test)]
mod tests;
