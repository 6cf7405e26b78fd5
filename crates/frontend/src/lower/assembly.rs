//! Inline assembly: barriers, and the `lock`-prefixed operations that
//! programs write by hand.

use ir::{Instr, Order};

use super::What;
use super::body::Body;
use crate::llvm::Value;

impl<'m> Body<'_, 'm> {
    pub(super) fn assembly(&mut self, site: Value<'m>, assembly: Value<'m>) -> What<()> {
        let (code, constraints) = assembly.assembly().ok_or("inline assembly")?;
        let lines = instructions(&code);
        for line in &lines {
            match simple(line) {
                Some(Simple::Nothing) => {}
                Some(Simple::Fence) => self.emit(Instr::Fence { order: Order::SeqCst }),
                Some(Simple::Pause) => self.emit(Instr::Yield),
                None => return Err(format!("the inline assembly \"{}\" ({constraints})", code.trim())),
            }
        }
        if !self.lowering.widths(site.ty())?.is_empty() {
            return Err(format!("the inline assembly \"{}\" ({constraints})", code.trim()));
        }
        Ok(())
    }
}

/// Instructions that need no operands.
enum Simple {
    Nothing,
    Fence,
    Pause,
}

/// The instructions of an assembly text, in lower case, blanks normalised.
fn instructions(code: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in code.split(['\n', ';']) {
        let line = line.split('#').next().unwrap_or_default();
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if line.is_empty() {
            continue;
        }
        // "lock; addl ..." is one instruction.
        match found.last_mut() {
            Some(last) if last == "lock" => *last = format!("lock {line}"),
            _ => found.push(line),
        }
    }
    found
}

fn simple(line: &str) -> Option<Simple> {
    let stack_fence = ["lock addl", "lock addq", "lock orl", "lock orq"].iter().any(|p| line.starts_with(p))
        && (line.contains("%esp") || line.contains("%rsp"))
        && (line.contains("$0,")
            || line.contains("$$0,")
            || line.contains("$0x0,")
            || line.contains("$$0x0,"));
    match line {
        "nop" => Some(Simple::Nothing),
        "mfence" | "lfence" | "sfence" => Some(Simple::Fence),
        "pause" | "rep nop" | "rep" => Some(Simple::Pause),
        _ if stack_fence => Some(Simple::Fence),
        _ => None,
    }
}
