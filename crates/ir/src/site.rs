//! Names of instructions that survive changes of the source around them.

use serde::{Deserialize, Serialize};

use crate::program::{FuncId, Function, Pc, Program};
use crate::span::Location;

/// An instruction of the linked LLVM module. Comments, and changes in other
/// functions, leave it what it is; native code can be instrumented at it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Site {
    /// The function's name in the module.
    pub function: String,
    /// Which of its instructions, from 1, in the order of the module, calls of
    /// `llvm.dbg.*` left out; 0 is the function's entry.
    pub ordinal: u32,
}

/// Where the code of a function comes from in the linked LLVM module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The function's name there, which is unique. Empty if the function was
    /// not lowered from a module: then its own name counts.
    pub name: String,
    /// Per instruction, the [ordinal](Site::ordinal) of the one that it was
    /// lowered from. Several may come from one. Where it is empty,
    /// instructions are their own ordinals.
    pub ordinals: Vec<u32>,
}

impl Origin {
    /// The ordinal of an instruction.
    fn ordinal(&self, pc: Pc) -> u32 {
        self.ordinals.get(pc as usize).copied().unwrap_or(pc)
    }
}

impl Program {
    /// The site of an instruction.
    pub fn site(&self, function: FuncId, pc: Pc) -> Site {
        let function = self.function(function);
        Site { function: self.linked_name(function).to_owned(), ordinal: function.origin.ordinal(pc) }
    }

    /// The [ordinal](Site::ordinal) of an instruction.
    pub fn ordinal(&self, function: FuncId, pc: Pc) -> u32 {
        self.function(function).origin.ordinal(pc)
    }

    /// The name of a function in the linked LLVM module, as the linker knows it.
    pub fn linked_name<'a>(&'a self, function: &'a Function) -> &'a str {
        if function.origin.name.is_empty() { self.name(function.name) } else { &function.origin.name }
    }

    /// The position of a site, if the program has it. All instructions of a
    /// site have the same position.
    pub fn position_of(&self, site: &Site) -> Option<Location> {
        let index = self.functions.iter().position(|f| self.linked_name(f) == site.function)?;
        let (function, id) = (&self.functions[index], FuncId(index as u32));
        let pc = (0..function.code.len()).find(|pc| function.origin.ordinal(*pc as Pc) == site.ordinal)?;
        Some(self.location(id, function.spans.get(pc).copied().unwrap_or_default()))
    }

    /// The first site at a position.
    pub fn site_at(&self, at: &Location) -> Option<Site> {
        let functions = self.functions.iter().zip(0..);
        let mut named = functions.filter(|(function, _)| self.name(function.name) == at.function);
        named.find_map(|(function, id)| {
            let is_there = |span| self.location(FuncId(id), span) == *at;
            let pc = function.spans.iter().position(|span| is_there(*span))?;
            Some(self.site(FuncId(id), pc as Pc))
        })
    }
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "instruction {} of {}", self.ordinal, self.function)
    }
}
