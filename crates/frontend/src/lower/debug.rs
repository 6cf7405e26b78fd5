//! Positions, names and source types from the debug information.

use ir::{Field, FileId, Layout, LayoutId, LayoutKind, SourceFile, Span};
use rustc_hash::FxHashMap;

use super::Lowering;
use super::body::is_system;
use crate::demangle;
use crate::llvm::{DebugNode, NodeKind, Value};

/// DWARF's numbers for the kinds of types.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const TYPEDEF: u16 = 0x16;
    pub const INHERITANCE: u16 = 0x1c;
    pub const MEMBER_POINTER: u16 = 0x1f;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
}

/// Types nested deeper than this are opaque: only broken input has them.
const MAX_DEPTH: u32 = 64;
/// More fields than this in all types together: the rest are opaque.
const MAX_LAYOUTS: usize = 200_000;

/// What was already read from the debug information.
#[derive(Default)]
pub struct Debug<'m> {
    files: FxHashMap<(String, String), FileId>,
    positions: FxHashMap<DebugNode<'m>, FileId>,
    layouts: FxHashMap<DebugNode<'m>, LayoutId>,
    /// Pointers whose targets are still to be read: they may lead in a circle.
    pointers: Vec<(LayoutId, DebugNode<'m>)>,
}

impl<'m> Lowering<'m> {
    /// The position of an instruction.
    pub(super) fn span_of(&mut self, instruction: Value<'m>) -> Option<Span> {
        let module = self.module;
        let of_system = |scope: DebugNode<'m>| {
            scope.file().is_some_and(|(folder, name)| {
                is_system(&plain_path(&std::path::Path::new(&folder).join(name)))
            })
        };
        let (line, column, scope, inlined) = instruction.position(module, of_system)?;
        if line == 0 {
            return None;
        }
        let file = match self.debug.positions.get(&scope) {
            Some(file) => *file,
            None => {
                let file = self.file_id(scope.file()?);
                self.debug.positions.insert(scope, file);
                file
            }
        };
        Some(Span { file, line, column, inlined })
    }

    fn file_id(&mut self, name: (String, String)) -> FileId {
        if let Some(id) = self.debug.files.get(&name) {
            return *id;
        }
        let path = plain_path(&std::path::Path::new(&name.0).join(&name.1));
        let known = self.program.files.iter().position(|f| f.path == path);
        let index = known.unwrap_or_else(|| {
            self.program.files.push(SourceFile { path });
            self.program.files.len() - 1
        });
        let id = FileId(index as u32);
        self.debug.files.insert(name, id);
        id
    }

    /// Where a variable or function is declared.
    pub(super) fn span_of_node(&mut self, node: DebugNode<'m>) -> Span {
        match node.file() {
            Some(name) => Span { file: self.file_id(name), line: node.line(), ..Span::default() },
            None => Span::default(),
        }
    }

    /// The source name of a function, with the namespaces and classes around it.
    pub(super) fn function_name(&self, function: Value<'m>) -> String {
        let node = function.subprogram(self.module);
        let Some(own) = node.and_then(|n| n.operand_text(2)) else {
            return demangle::without_parameters(&demangle::shown(&function.name())).to_owned();
        };
        let mut name = own;
        if let Some(lambda) = node.filter(|_| name == "operator()").and_then(lambda_name) {
            return lambda;
        }
        // Operand 1 of every scope is the scope around it; 2 its name.
        let mut scope = node.and_then(|n| n.operand(1));
        for _ in 0..MAX_DEPTH {
            let Some(node) = scope else { break };
            match node.kind() {
                NodeKind::Namespace | NodeKind::CompositeType => {
                    if let Some(outer) = node.operand_text(2) {
                        name = format!("{outer}::{name}");
                    }
                }
                _ => break,
            }
            scope = node.operand(1);
        }
        name
    }

    /// A variable's source name (operand 1 of its node).
    pub(super) fn variable_name(&self, variable: DebugNode<'m>) -> Option<String> {
        variable.operand_text(1).filter(|name| !name.is_empty())
    }

    /// A variable's source type (operand 3 of its node).
    pub(super) fn variable_layout(&mut self, variable: DebugNode<'m>) -> Option<LayoutId> {
        let ty = variable.operand(3)?;
        let id = self.layout(ty, 0);
        while let Some((pointer, node)) = self.debug.pointers.pop() {
            let read = self.layout(node, 0);
            let known = self.program.layouts.get(read).kind != LayoutKind::Opaque;
            if let LayoutKind::Pointer { target, .. } = &mut self.program.layouts.all[pointer.0 as usize].kind
            {
                *target = known.then_some(read);
            }
        }
        Some(id)
    }

    fn layout(&mut self, node: DebugNode<'m>, depth: u32) -> LayoutId {
        if let Some(id) = self.debug.layouts.get(&node) {
            return *id;
        }
        let size = node.bits().div_ceil(8);
        if depth > MAX_DEPTH || self.program.layouts.all.len() > MAX_LAYOUTS {
            return self.program.layouts.add(Layout { size, kind: LayoutKind::Opaque });
        }
        let id = self.new_layout(node, size, depth);
        self.debug.layouts.insert(node, id);
        id
    }

    fn new_layout(&mut self, node: DebugNode<'m>, size: u64, depth: u32) -> LayoutId {
        let kind = match (node.kind(), node.tag()) {
            (NodeKind::BasicType, _) => basic(&node.operand_text(2).unwrap_or_default()),
            (NodeKind::DerivedType, tag @ (tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE)) => {
                let kind = LayoutKind::Pointer { target: None, reference: tag != tag::POINTER };
                let id = self.program.layouts.add(Layout { size, kind });
                self.debug.pointers.extend(node.operand(3).map(|target| (id, target)));
                return id;
            }
            (NodeKind::DerivedType, tag::MEMBER_POINTER) => LayoutKind::Opaque,
            (
                NodeKind::DerivedType,
                tag::TYPEDEF
                | tag::CONST
                | tag::VOLATILE
                | tag::RESTRICT
                | tag::ATOMIC
                | tag::MEMBER
                | tag::INHERITANCE,
            ) => match node.operand(3) {
                Some(inner) => {
                    let id = self.layout(inner, depth + 1);
                    self.name_after(id, node);
                    return id;
                }
                None => LayoutKind::Opaque,
            },
            (NodeKind::CompositeType, tag::ARRAY) => return self.array_layout(node, depth),
            (NodeKind::CompositeType, tag::ENUMERATION) => match node.operand(3) {
                Some(inner) => return self.layout(inner, depth + 1),
                None => LayoutKind::Int { signed: false },
            },
            (NodeKind::CompositeType, _) => return self.record_layout(node, size, depth),
            _ => LayoutKind::Opaque,
        };
        self.program.layouts.add(Layout { size, kind })
    }

    /// A record without a name is called as its first `typedef` calls it.
    fn name_after(&mut self, id: LayoutId, node: DebugNode<'m>) {
        let LayoutKind::Record { name: None, .. } = self.program.layouts.get(id).kind else { return };
        let called = (node.tag() == tag::TYPEDEF).then(|| node.operand_text(2)).flatten();
        let called = called.map(|called| self.symbol(&called));
        if let LayoutKind::Record { name, .. } = &mut self.program.layouts.all[id.0 as usize].kind {
            *name = called;
        }
    }

    fn array_layout(&mut self, node: DebugNode<'m>, depth: u32) -> LayoutId {
        let Some(element) = node.operand(3) else {
            return self.program.layouts.add(Layout { size: node.bits() / 8, kind: LayoutKind::Opaque });
        };
        let mut id = self.layout(element, depth + 1);
        let ranges = node.operand(4).map(|n| n.operands()).unwrap_or_default();
        for range in ranges.into_iter().rev().flatten() {
            // A length that is not constant counts as -1.
            let count = range.operand_int(0).filter(|n| *n < 1 << 40).unwrap_or(0);
            let size = self.program.layouts.get(id).size.saturating_mul(count);
            id = self.program.layouts.add(Layout { size, kind: LayoutKind::Array { element: id, count } });
        }
        id
    }

    fn record_layout(&mut self, node: DebugNode<'m>, size: u64, depth: u32) -> LayoutId {
        let id = self.program.layouts.add(Layout { size, kind: LayoutKind::Opaque });
        // A record that contains itself is broken input: it then finds the opaque entry.
        self.debug.layouts.insert(node, id);
        let members = node.operand(4).map(|n| n.operands()).unwrap_or_default();
        let mut fields = Vec::new();
        for member in members.into_iter().flatten() {
            let is_field =
                matches!(member.tag(), tag::MEMBER | tag::INHERITANCE) && !member.is_static_member();
            if member.kind() != NodeKind::DerivedType || !is_field {
                continue;
            }
            let Some(inner) = member.operand(3) else { continue };
            let name = self.symbol(&member.operand_text(2).unwrap_or_default());
            let layout = self.layout(inner, depth + 1);
            let whole = self.program.layouts.get(layout).size * 8;
            let bit_size = if member.bits() == 0 { whole } else { member.bits() };
            fields.push(Field { name, bit_offset: member.bit_offset(), bit_size, layout });
        }
        let name = node.operand_text(2).map(|n| self.symbol(&n));
        self.program.layouts.all[id.0 as usize].kind = LayoutKind::Record { fields, name };
        id
    }
}

/// A lambda has no name: its function is that of a class without one, and is
/// called by where it stands.
fn lambda_name(function: DebugNode<'_>) -> Option<String> {
    let class = function.operand(1).filter(|scope| scope.kind() == NodeKind::CompositeType)?;
    let is_named = class.operand_text(2).is_some_and(|name| !name.is_empty());
    let (_, file) = function.file().filter(|_| !is_named)?;
    let file = file.rsplit('/').next().unwrap_or_default().to_owned();
    Some(format!("lambda at {file}:{}", function.line()))
}

/// The path without `.` and `dir/..`.
fn plain_path(path: &std::path::Path) -> String {
    use std::path::Component;
    let mut plain = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain.display().to_string()
}

/// The C interface does not say how a basic type is encoded; its name does.
fn basic(name: &str) -> LayoutKind {
    match name {
        "_Bool" | "bool" => LayoutKind::Bool,
        "float" | "double" | "long double" | "_Float16" | "__float128" => LayoutKind::Float,
        _ if name.starts_with("complex") || name.starts_with("_Complex") => LayoutKind::Opaque,
        "char8_t" | "char16_t" | "char32_t" => LayoutKind::Int { signed: false },
        _ => LayoutKind::Int { signed: !name.contains("unsigned") },
    }
}
