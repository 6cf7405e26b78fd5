//! Debug information: positions, variables, types.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::value::{Value, ValueKind};
use super::{Module, text};

/// A node of the debug information.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugNode<'m> {
    raw: LLVMMetadataRef,
    context: LLVMContextRef,
    life: PhantomData<&'m ()>,
}

/// What a node describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum NodeKind {
    Tuple,
    BasicType,
    DerivedType,
    CompositeType,
    SubroutineType,
    Subrange,
    LocalVariable,
    GlobalVariable,
    Subprogram,
    Namespace,
    File,
    OtherScope,
    Other,
}

type Kind = LLVMMetadataKind;

/// Which operand of a block's scope is the scope around it.
const PARENT_SCOPE: usize = 1;

impl<'m> DebugNode<'m> {
    fn new(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<DebugNode<'m>> {
        (!raw.is_null()).then_some(DebugNode { raw, context, life: PhantomData })
    }

    /// What the node describes.
    pub fn kind(self) -> NodeKind {
        // SAFETY: any metadata can be asked.
        match unsafe { LLVMGetMetadataKind(self.raw) } {
            Kind::LLVMMDTupleMetadataKind => NodeKind::Tuple,
            Kind::LLVMDIBasicTypeMetadataKind => NodeKind::BasicType,
            Kind::LLVMDIDerivedTypeMetadataKind => NodeKind::DerivedType,
            Kind::LLVMDICompositeTypeMetadataKind => NodeKind::CompositeType,
            Kind::LLVMDISubroutineTypeMetadataKind => NodeKind::SubroutineType,
            Kind::LLVMDISubrangeMetadataKind => NodeKind::Subrange,
            Kind::LLVMDILocalVariableMetadataKind => NodeKind::LocalVariable,
            Kind::LLVMDIGlobalVariableMetadataKind => NodeKind::GlobalVariable,
            Kind::LLVMDISubprogramMetadataKind => NodeKind::Subprogram,
            Kind::LLVMDINamespaceMetadataKind => NodeKind::Namespace,
            Kind::LLVMDIFileMetadataKind => NodeKind::File,
            Kind::LLVMDILexicalBlockMetadataKind
            | Kind::LLVMDILexicalBlockFileMetadataKind
            | Kind::LLVMDICompileUnitMetadataKind => NodeKind::OtherScope,
            _ => NodeKind::Other,
        }
    }

    fn is_node(self) -> bool {
        self.kind() != NodeKind::Other
    }

    fn is_type(self) -> bool {
        matches!(
            self.kind(),
            NodeKind::BasicType | NodeKind::DerivedType | NodeKind::CompositeType | NodeKind::SubroutineType
        )
    }

    fn operand_values(self) -> Vec<LLVMValueRef> {
        if !self.is_node() {
            return Vec::new();
        }
        // SAFETY: a node; the buffer has room for all operands.
        unsafe {
            let value = LLVMMetadataAsValue(self.context, self.raw);
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands
        }
    }

    /// The operands that are nodes.
    pub fn operands(self) -> Vec<Option<DebugNode<'m>>> {
        let node = |value: LLVMValueRef| {
            // SAFETY: only metadata is unwrapped.
            unsafe {
                if value.is_null() || LLVMIsAMDNode(value).is_null() {
                    return None;
                }
                DebugNode::new(LLVMValueAsMetadata(value), self.context)
            }
        };
        self.operand_values().into_iter().map(node).collect()
    }

    /// An operand that is a node.
    pub fn operand(self, index: usize) -> Option<DebugNode<'m>> {
        self.operands().into_iter().nth(index).flatten()
    }

    /// An operand that is a text.
    pub fn operand_text(self, index: usize) -> Option<String> {
        let value = *self.operand_values().get(index)?;
        // SAFETY: only texts are read.
        unsafe {
            if value.is_null() || LLVMIsAMDString(value).is_null() {
                return None;
            }
            let mut len = 0;
            let data = LLVMGetMDString(value, &mut len);
            Some(text(data, len as usize))
        }
    }

    /// An operand that is an integer constant.
    pub fn operand_int(self, index: usize) -> Option<u64> {
        let value = Value::optional(*self.operand_values().get(index)?)?;
        if value.kind() == ValueKind::Metadata {
            return None;
        }
        value.int_bits().and_then(|bits| u64::try_from(bits).ok())
    }

    /// The DWARF tag of a type.
    pub fn tag(self) -> u16 {
        // SAFETY: a debug node that has a tag.
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.raw) } } else { 0 }
    }

    /// A type's size in bits.
    pub fn bits(self) -> u64 {
        // SAFETY: a type.
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.raw) } } else { 0 }
    }

    /// A member's offset in bits.
    pub fn bit_offset(self) -> u64 {
        // SAFETY: a type.
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.raw) } } else { 0 }
    }

    /// Whether a member is static, so that it takes no room in its record.
    pub fn is_static_member(self) -> bool {
        const STATIC: i32 = 1 << 12;
        // SAFETY: a type.
        self.is_type() && unsafe { LLVMDITypeGetFlags(self.raw) & STATIC != 0 }
    }

    /// The file of a variable, subprogram or other scope: directory and name.
    pub fn file(self) -> Option<(String, String)> {
        // SAFETY: variables and scopes have a file, or null.
        unsafe {
            let file = match self.kind() {
                NodeKind::LocalVariable | NodeKind::GlobalVariable => LLVMDIVariableGetFile(self.raw),
                NodeKind::Subprogram | NodeKind::OtherScope => LLVMDIScopeGetFile(self.raw),
                NodeKind::File => self.raw,
                _ => return None,
            };
            if file.is_null() {
                return None;
            }
            let mut len = 0;
            let data = LLVMDIFileGetDirectory(file, &mut len);
            let directory = text(data, len as usize);
            let data = LLVMDIFileGetFilename(file, &mut len);
            Some((directory, text(data, len as usize)))
        }
    }

    /// The block of the source that a scope belongs to, if it is no function.
    pub fn enclosing_block(self) -> Option<DebugNode<'m>> {
        // SAFETY: any metadata can be asked.
        match unsafe { LLVMGetMetadataKind(self.raw) } {
            Kind::LLVMDILexicalBlockMetadataKind => Some(self),
            Kind::LLVMDILexicalBlockFileMetadataKind => self.operand(PARENT_SCOPE)?.enclosing_block(),
            _ => None,
        }
    }

    /// The scope that a scope lies in, if it is no function.
    pub fn parent(self) -> Option<DebugNode<'m>> {
        match self.kind() {
            NodeKind::OtherScope => self.operand(PARENT_SCOPE),
            _ => None,
        }
    }

    /// Whether a scope is another one or lies in it.
    pub fn is_within(self, outer: DebugNode<'m>) -> bool {
        self == outer || self.parent().is_some_and(|parent| parent.is_within(outer))
    }

    /// The line of a variable or subprogram.
    pub fn line(self) -> u32 {
        // SAFETY: asked of the right kinds only.
        match self.kind() {
            NodeKind::LocalVariable | NodeKind::GlobalVariable => unsafe { LLVMDIVariableGetLine(self.raw) },
            NodeKind::Subprogram => unsafe { LLVMDISubprogramGetLine(self.raw) },
            _ => 0,
        }
    }
}

impl<'m> Value<'m> {
    /// Line, column and scope of an instruction; `None` if it has no position. Where code of a scope
    /// that is passed over was inlined, the position is that of the call, and it is said.
    pub fn position(
        self,
        module: &'m Module<'_>,
        mut passes_over: impl FnMut(DebugNode<'m>) -> bool,
    ) -> Option<(u32, u32, DebugNode<'m>, bool)> {
        if self.kind() != ValueKind::Instruction {
            return None;
        }
        // SAFETY: an instruction; a position has a scope, and that of inlined code a call.
        unsafe {
            let own = LLVMInstructionGetDebugLoc(self.raw);
            let mut location = own;
            while !location.is_null() {
                let scope = DebugNode::new(LLVMDILocationGetScope(location), module.context_raw())?;
                let call = LLVMDILocationGetInlinedAt(location);
                if call.is_null() || !passes_over(scope) {
                    let (line, column) = (LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location));
                    return Some((line, column, scope, location != own));
                }
                location = call;
            }
        }
        None
    }

    /// The scope of an instruction, in the function that it stands in.
    pub fn scope(self, module: &'m Module<'_>) -> Option<DebugNode<'m>> {
        if self.kind() != ValueKind::Instruction {
            return None;
        }
        // SAFETY: an instruction; positions of inlined code lead to that of the call.
        unsafe {
            let mut location = LLVMInstructionGetDebugLoc(self.raw);
            if location.is_null() {
                return None;
            }
            while let call = LLVMDILocationGetInlinedAt(location)
                && !call.is_null()
            {
                location = call;
            }
            DebugNode::new(LLVMDILocationGetScope(location), module.context_raw())
        }
    }

    /// A function's debug information.
    pub fn subprogram(self, module: &'m Module<'_>) -> Option<DebugNode<'m>> {
        if self.kind() != ValueKind::Function {
            return None;
        }
        // SAFETY: a function.
        unsafe { DebugNode::new(LLVMGetSubprogram(self.raw), module.context_raw()) }
    }

    /// A global variable's debug information.
    pub fn global_variable(self, module: &'m Module<'_>) -> Option<DebugNode<'m>> {
        if self.kind() != ValueKind::Global {
            return None;
        }
        let mut count = 0;
        // SAFETY: a global; the list is ours to dispose, its entries are in range.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &mut count);
            let expression =
                (0..count as u32).map(|i| LLVMValueMetadataEntriesGetMetadata(entries, i)).find(|m| {
                    matches!(LLVMGetMetadataKind(*m), Kind::LLVMDIGlobalVariableExpressionMetadataKind)
                });
            LLVMDisposeValueMetadataEntries(entries);
            DebugNode::new(LLVMDIGlobalVariableExpressionGetVariable(expression?), module.context_raw())
        }
    }

    /// For a call of `llvm.dbg.declare`: the address and the variable.
    pub fn declared_variable(self, module: &'m Module<'_>) -> Option<(Value<'m>, DebugNode<'m>)> {
        let (address, variable) = (self.operand(0)?, self.operand(1)?);
        if address.kind() != ValueKind::Metadata || variable.kind() != ValueKind::Metadata {
            return None;
        }
        // SAFETY: metadata operands. A wrapped value answers with itself as its one operand;
        // the address may also be an empty tuple, which is skipped.
        unsafe {
            let kind = LLVMGetMetadataKind(LLVMValueAsMetadata(address.raw));
            let is_value = matches!(
                kind,
                Kind::LLVMLocalAsMetadataMetadataKind | Kind::LLVMConstantAsMetadataMetadataKind
            );
            if !is_value {
                return None;
            }
            let mut wrapped = std::ptr::null_mut();
            LLVMGetMDNodeOperands(address.raw, &mut wrapped);
            let node = DebugNode::new(LLVMValueAsMetadata(variable.raw), module.context_raw())?;
            (node.kind() == NodeKind::LocalVariable).then_some((Value::optional(wrapped)?, node))
        }
    }
}
