//! Types and their sizes.

use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind as K;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'c> {
    pub(super) raw: LLVMTypeRef,
    pub(super) life: PhantomData<&'c ()>,
}

/// What a type is.
#[derive(Clone, PartialEq)]
pub enum TypeKind<'c> {
    /// No value.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// 32-bit float.
    Float,
    /// 64-bit float.
    Double,
    /// 16-bit float.
    Half,
    /// 80-bit float of the x87: `long double`.
    Extended,
    /// A pointer.
    Pointer,
    /// A structure, with its fields.
    Struct(Vec<Type<'c>>),
    /// An array.
    Array(Type<'c>, u64),
    /// A vector of fixed size.
    Vector(Type<'c>, u64),
    /// Anything else, by its name in source or LLVM terms.
    Other(&'static str),
}

impl<'c> Type<'c> {
    pub(super) fn new(raw: LLVMTypeRef) -> Type<'c> {
        Type { raw, life: PhantomData }
    }

    /// What the type is.
    pub fn kind(self) -> TypeKind<'c> {
        // SAFETY: each question fits the kind just asked for.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                K::LLVMVoidTypeKind => TypeKind::Void,
                K::LLVMIntegerTypeKind => TypeKind::Int(LLVMGetIntTypeWidth(self.raw)),
                K::LLVMFloatTypeKind => TypeKind::Float,
                K::LLVMDoubleTypeKind => TypeKind::Double,
                K::LLVMPointerTypeKind => TypeKind::Pointer,
                K::LLVMStructTypeKind if LLVMIsOpaqueStruct(self.raw) != 0 => {
                    TypeKind::Other("incomplete type")
                }
                K::LLVMStructTypeKind => TypeKind::Struct(self.fields()),
                K::LLVMArrayTypeKind => {
                    TypeKind::Array(Type::new(LLVMGetElementType(self.raw)), LLVMGetArrayLength2(self.raw))
                }
                K::LLVMVectorTypeKind => TypeKind::Vector(
                    Type::new(LLVMGetElementType(self.raw)),
                    LLVMGetVectorSize(self.raw).into(),
                ),
                K::LLVMX86_FP80TypeKind => TypeKind::Extended,
                K::LLVMFP128TypeKind => TypeKind::Other("__float128"),
                K::LLVMHalfTypeKind => TypeKind::Half,
                K::LLVMBFloatTypeKind => TypeKind::Other("__bf16"),
                K::LLVMX86_MMXTypeKind => TypeKind::Other("MMX vector"),
                K::LLVMX86_AMXTypeKind => TypeKind::Other("AMX tile"),
                K::LLVMScalableVectorTypeKind => TypeKind::Other("scalable vector"),
                K::LLVMLabelTypeKind => TypeKind::Other("label"),
                K::LLVMFunctionTypeKind => TypeKind::Other("function"),
                K::LLVMMetadataTypeKind => TypeKind::Other("metadata"),
                K::LLVMTokenTypeKind => TypeKind::Other("token"),
                _ => TypeKind::Other("target-specific type"),
            }
        }
    }

    fn fields(self) -> Vec<Type<'c>> {
        // SAFETY: called on structures with a body only; indices are below the count.
        unsafe {
            (0..LLVMCountStructElementTypes(self.raw))
                .map(|i| Type::new(LLVMStructGetTypeAtIndex(self.raw, i)))
                .collect()
        }
    }

    /// Whether values of the type have a size.
    pub fn is_sized(self) -> bool {
        // SAFETY: any type can be asked.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    fn is_function(self) -> bool {
        // SAFETY: any type can be asked.
        unsafe { LLVMGetTypeKind(self.raw) == K::LLVMFunctionTypeKind }
    }

    /// A function type's parameters.
    pub fn params(self) -> Vec<Type<'c>> {
        if !self.is_function() {
            return Vec::new();
        }
        // SAFETY: a function type; the buffer has room for all parameters.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    /// A function type's result.
    pub fn result(self) -> Option<Type<'c>> {
        // SAFETY: a function type.
        self.is_function().then(|| unsafe { Type::new(LLVMGetReturnType(self.raw)) })
    }

    /// Whether a function type takes variable arguments.
    pub fn is_variadic(self) -> bool {
        // SAFETY: a function type.
        self.is_function() && unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}
