//! Instructions.

use bits::{ArithOp, BinOp, Pred, UnOp};
use serde::{Deserialize, Serialize};

use crate::domain::Domain;
use crate::program::{FuncId, GlobalId, Pc, Symbol};

/// A register: the index of its (first) slot in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

/// Something an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A constant of up to 64 bits, zero-extended.
    Int(u64),
    /// A constant of more than 64 bits that fits in 64 when sign-extended
    /// (larger ones are built with a shift).
    WideInt(i64),
    /// The address of a global (of this thread's instance, if thread-local).
    Global(GlobalId, i32),
    /// The address of a function.
    Function(FuncId),
    /// A value that was never initialised.
    Undef,
}

/// Conversions; `from` and `to` widths stand in the instruction. Floats are
/// their IEEE bits, of a width that says the format: 16 for half precision, 32,
/// 64, and 80 for the extended precision of the x87.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    /// Keeps the low bits.
    Trunc,
    /// Extends with zeros.
    ZExt,
    /// Extends with the sign.
    SExt,
    /// Float to signed integer.
    FloatToSigned,
    /// Float to unsigned integer.
    FloatToUnsigned,
    /// Signed integer to float.
    SignedToFloat,
    /// Unsigned integer to float.
    UnsignedToFloat,
    /// `float` to `double` or back.
    FloatToFloat,
}

impl CastOp {
    /// Whether there are values that it cannot convert.
    pub fn can_fail(self) -> bool {
        matches!(self, CastOp::FloatToSigned | CastOp::FloatToUnsigned)
    }
}

/// Float operations with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// The other operand if one is not a number.
    Min,
    Max,
    /// Not a number if one operand is not; the negative zero is the smaller one.
    Minimum,
    Maximum,
    CopySign,
    Pow,
}

/// Float operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    Sin,
    Cos,
    Exp,
    Log,
}

impl FloatOp {
    /// Whether only the widths 32 and 64 have the operation.
    pub fn is_native_only(self) -> bool {
        self == FloatOp::Pow
    }
}

impl FloatUnOp {
    /// Whether only the widths 32 and 64 have the operation.
    pub fn is_native_only(self) -> bool {
        use FloatUnOp::*;
        matches!(self, Sqrt | Sin | Cos | Exp | Log)
    }
}

/// Float comparisons: ordered ones are false on NaN, unordered ones true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatPred {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
    False,
}

/// C11 memory orders (consume is acquire).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether a read with this order synchronises with the write it reads.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a write with this order synchronises with its readers.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// How a memory access is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Access {
    /// The order of an atomic access; `None` is a plain one.
    pub order: Option<Order>,
    /// Whether it is `volatile` (which does not make it atomic).
    pub volatile: bool,
}

/// What an atomic read-modify-write computes from the old value and its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    UMin,
    UMax,
    SMin,
    SMax,
    FloatAdd,
    FloatSub,
}

/// Operations on threads and synchronisation objects. Each takes up to four
/// operands, listed with it; unless noted it yields a 32-bit error code, 0 for
/// success, as POSIX defines it (semaphore operations too: the run-time
/// library turns codes into `errno`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SyncOp {
    /// `(handle*, attr*, function, argument)`: starts a thread; the `int` at
    /// `attr` (if not null) is 1 for a detached one.
    ThreadCreate,
    /// `(handle, result**)`: waits for the thread's end; the result pointer may be null.
    ThreadJoin,
    /// `(handle)`.
    ThreadDetach,
    /// `()`: yields the caller's handle, of pointer width.
    ThreadSelf,

    /// `(mutex*, attr*)`: the lower bits of the `int` at `attr` (if not null)
    /// are the type: 0 normal, 1 recursive, 2 error-checking. Bit 15 makes it
    /// robust.
    MutexInit,
    /// `(mutex*)`.
    MutexLock,
    /// `(mutex*)`.
    MutexTryLock,
    /// `(mutex*)`: may time out at any time.
    MutexTimedLock,
    /// `(mutex*)`.
    MutexUnlock,
    /// `(mutex*)`: what a robust one protects was repaired.
    MutexConsistent,
    /// `(mutex*)`.
    MutexDestroy,

    /// `(cond*)`.
    CondInit,
    /// `(cond*, mutex*)`.
    CondWait,
    /// `(cond*, mutex*)`: may time out at any time.
    CondTimedWait,
    /// `(cond*)`.
    CondSignal,
    /// `(cond*)`.
    CondBroadcast,
    /// `(cond*)`.
    CondDestroy,

    /// `(rwlock*, attr*)`: the `int` at `attr` (if not null) is the kind: 2 for
    /// one that must not be read-locked recursively.
    RwInit,
    /// `(rwlock*)`.
    RwReadLock,
    /// `(rwlock*)`.
    RwTryReadLock,
    /// `(rwlock*)`: may time out at any time.
    RwTimedReadLock,
    /// `(rwlock*)`.
    RwWriteLock,
    /// `(rwlock*)`.
    RwTryWriteLock,
    /// `(rwlock*)`: may time out at any time.
    RwTimedWriteLock,
    /// `(rwlock*)`.
    RwUnlock,
    /// `(rwlock*)`.
    RwDestroy,

    /// `(spinlock*)`.
    SpinInit,
    /// `(spinlock*)`.
    SpinLock,
    /// `(spinlock*)`.
    SpinTryLock,
    /// `(spinlock*)`.
    SpinUnlock,
    /// `(spinlock*)`.
    SpinDestroy,

    /// `(barrier*, count)`.
    BarrierInit,
    /// `(barrier*)`: yields -1 in one of the threads, 0 in the others.
    BarrierWait,
    /// `(barrier*)`.
    BarrierDestroy,

    /// `(semaphore*, value)`.
    SemInit,
    /// `(semaphore*)`.
    SemWait,
    /// `(semaphore*)`.
    SemTryWait,
    /// `(semaphore*)`: may time out at any time.
    SemTimedWait,
    /// `(semaphore*)`.
    SemPost,
    /// `(semaphore*)`: yields the value instead of an error code.
    SemGetValue,
    /// `(semaphore*)`.
    SemDestroy,

    /// `(once*)`: waits while another thread runs the initialiser; yields 1 if
    /// the caller must run it and then say `OnceEnd`, else 0.
    OnceBegin,
    /// `(once*)`.
    OnceEnd,
    /// `(once*)`: the thread ends within the initialiser, which the next one runs again.
    OnceTakeBack,

    /// `(key*, destructor)`: stores a new key, a 32-bit number.
    KeyCreate,
    /// `(key)`.
    KeyDelete,
    /// `(key, value)`.
    KeySet,
    /// `(key)`: yields the value, of pointer width.
    KeyGet,
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A known function.
    Direct(FuncId),
    /// Through a pointer.
    Indirect(Operand),
}

/// An argument with its width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arg {
    /// The value.
    pub value: Operand,
    /// Its width in bits.
    pub width: u8,
}

/// What ends an execution as a failure the program itself asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// A failed assertion.
    Assertion,
    /// A call of `reach_error`, `__VERIFIER_error` or the like.
    ErrorCall,
    /// A call whose arguments are not what the called function reads, which is
    /// undefined: a fault of memory.
    Arguments,
    /// A computed `goto` to something that is no label of its function, which
    /// is undefined: a fault of memory.
    Jump,
    /// An element that a vector does not have: a fault of memory.
    Element,
}

/// One instruction. Operands named in the text of a variant are of pointer
/// width unless it says otherwise.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Instr {
    /// `dst = src`.
    Move { width: u8, dst: Reg, src: Operand },
    /// Integer arithmetic. With `no_signed_wrap`, signed overflow is a fault
    /// (and wraps); a left shift overflows if its operand is negative or its
    /// result is not what the operand times the power of two would be.
    /// Division by zero and shifts by the width or more are faults.
    Binary { op: BinOp, width: u8, no_signed_wrap: bool, dst: Reg, lhs: Operand, rhs: Operand },
    /// Integer arithmetic with one operand.
    Unary { op: UnOp, width: u8, dst: Reg, src: Operand },
    /// `dst` (1 bit) = whether the operation overflows.
    Overflows { op: ArithOp, signed: bool, width: u8, dst: Reg, lhs: Operand, rhs: Operand },
    /// `dst` (1 bit) = comparison of integers or pointers.
    Compare { pred: Pred, width: u8, dst: Reg, lhs: Operand, rhs: Operand },
    /// Conversion. A float that does not fit the integer is a fault.
    Cast { op: CastOp, from: u8, to: u8, dst: Reg, src: Operand },
    /// `dst = if cond { yes } else { no }`.
    Select { width: u8, dst: Reg, cond: Operand, yes: Operand, no: Operand },
    /// Float arithmetic.
    FloatBinary { op: FloatOp, width: u8, dst: Reg, lhs: Operand, rhs: Operand },
    /// Float arithmetic with one operand.
    FloatUnary { op: FloatUnOp, width: u8, dst: Reg, src: Operand },
    /// `dst` (1 bit) = float comparison.
    FloatCompare { pred: FloatPred, width: u8, dst: Reg, lhs: Operand, rhs: Operand },
    /// `dst = base + index * scale + offset`, all of pointer width.
    PtrAdd { dst: Reg, base: Operand, index: Operand, scale: i64, offset: i64 },

    /// A new object in the frame, of `size` bytes, dead when the function returns.
    Alloca { dst: Reg, size: Operand, align: u32, var: Option<VarId> },
    /// Ends an object of the frame before the function returns. What is no such
    /// object is left alone.
    EndObject { ptr: Operand },
    /// The object's scope begins: it is alive and uninitialised. (Where a scope
    /// that is entered again has a new object, it is an `Alloca`.)
    ScopeBegin { ptr: Operand },
    /// The object's scope ends: using it is a fault.
    ScopeEnd { ptr: Operand },
    /// Remembers which objects the frame has (for variable-length arrays).
    StackSave { dst: Reg },
    /// Ends the objects made since.
    StackRestore { mark: Operand },
    /// A new heap object; `zeroed` for `calloc`. Its address is a multiple of
    /// `align`, a power of two, and of what every heap object's is.
    Malloc { dst: Reg, size: Operand, align: Operand, zeroed: bool },
    /// Frees a heap object; null is allowed. Another one (`heir`, if it is not
    /// null) may turn out to have its address, however large it is. Its size,
    /// if the program says one, must be the right one.
    Free { ptr: Operand, heir: Operand, size: Option<Operand> },
    /// The size of the heap object that starts at `ptr`.
    ObjectSize { dst: Reg, ptr: Operand },
    /// Reads memory.
    Load { width: u8, dst: Reg, ptr: Operand, access: Access },
    /// Writes memory.
    Store { width: u8, ptr: Operand, value: Operand, access: Access },
    /// `dst` = old value; memory = `op(old, value)`; in one step.
    AtomicRmw { op: RmwOp, width: u8, dst: Reg, ptr: Operand, value: Operand, order: Order },
    /// `old` = old value, `ok` (1 bit) = whether it was `expected` and is now
    /// `new`; in one step. A weak one may fail spuriously.
    CompareExchange(Box<CompareExchange>),
    /// A memory fence between threads.
    Fence { order: Order },
    /// Copies bytes; ranges that overlap are a fault unless `may_overlap`.
    MemCopy { dst: Operand, src: Operand, len: Operand, may_overlap: bool },
    /// Fills bytes with the low byte of `byte`.
    MemSet { dst: Operand, byte: Operand, len: Operand },

    /// Calls a function; results go to `dsts` in order (none if unused).
    Call { callee: Callee, args: Box<[Arg]>, dsts: Box<[Reg]> },
    /// Returns.
    Return { values: Box<[Arg]> },
    /// Continues at `target`.
    Jump { target: Pc },
    /// Continues at `yes` if the 1-bit `cond` is 1, else at `no`.
    Branch { cond: Operand, yes: Pc, no: Pc },
    /// Continues at the case with the value, else at the default.
    Switch { width: u8, value: Operand, cases: Box<[(u64, Pc)]>, default: Pc },
    /// Never reached in a program without undefined behaviour.
    Unreachable,
    /// Initialises the `va_list` at `list` with the caller's variable arguments.
    VaStart { list: Operand },

    /// Anything in the domain.
    Nondet { width: u8, dst: Reg, domain: Domain, origin: Symbol },
    /// Executions in which the 1-bit `cond` is 0 are not considered.
    Assume { cond: Operand },
    /// A fault if bits of the value were never initialised, where that is asked
    /// for: the value leaves the program here. Otherwise without effect.
    Initialised { width: u8, value: Operand, what: Symbol },
    /// A failure.
    Fail { kind: Failure, message: Symbol },
    /// Ends the process; `abort` if there is no code.
    Exit { code: Option<Operand> },
    /// Ends the thread with a result of pointer width.
    ThreadExit { value: Operand },
    /// Threads and synchronisation objects.
    Sync { op: SyncOp, dst: Option<Reg>, args: Box<[Operand]> },
    /// No other thread runs until the matching end. Sections nest. One that
    /// `orders` happens before all later ones that do, as if all were under
    /// one lock; one that does not is only undivided.
    AtomicBegin { orders: bool },
    /// Ends the section.
    AtomicEnd { orders: bool },
    /// Offers the processor.
    Yield,
    /// Something the tool cannot execute: reaching it makes the verdict unknown.
    Unsupported { what: Symbol },
}

/// How the text of an [`Instr::Unsupported`] ends that stands for a call of a
/// function which is defined nowhere.
pub const WITHOUT_BODY: &str = ", which has no body,";

/// The operands of a compare-and-exchange.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct CompareExchange {
    pub width: u8,
    pub old: Reg,
    pub ok: Reg,
    pub ptr: Operand,
    pub expected: Operand,
    pub new: Operand,
    pub success: Order,
    pub failure: Order,
    pub weak: bool,
}

/// A source variable that an alloca holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct VarId {
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub layout: Option<crate::layout::LayoutId>,
}

impl SyncOp {
    /// How many operands the operation takes.
    pub fn arity(self) -> usize {
        use SyncOp::*;
        match self {
            ThreadSelf => 0,
            ThreadCreate => 4,
            ThreadJoin | MutexInit | RwInit | CondWait | CondTimedWait | BarrierInit | SemInit
            | KeyCreate | KeySet => 2,
            _ => 1,
        }
    }

    /// Width of an operand; 0 is pointer width.
    pub fn operand_width(self, index: usize) -> u8 {
        match (self, index) {
            (SyncOp::KeyDelete | SyncOp::KeyGet | SyncOp::KeySet, 0) => 32,
            (SyncOp::BarrierInit | SyncOp::SemInit, 1) => 32,
            _ => 0,
        }
    }

    /// Width of the result.
    pub fn result_width(self, pointer_width: u8) -> u8 {
        match self {
            SyncOp::ThreadSelf | SyncOp::KeyGet => pointer_width,
            _ => 32,
        }
    }
}

impl Instr {
    /// Whether control never falls through to the next instruction.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Instr::Return { .. }
                | Instr::Jump { .. }
                | Instr::Branch { .. }
                | Instr::Switch { .. }
                | Instr::Unreachable
                | Instr::Fail { .. }
                | Instr::Exit { .. }
                | Instr::ThreadExit { .. }
                | Instr::Unsupported { .. }
        )
    }

    /// Calls `f` with every jump target.
    pub fn for_each_target(&self, mut f: impl FnMut(Pc)) {
        match self {
            Instr::Jump { target } => f(*target),
            Instr::Branch { yes, no, .. } => {
                f(*yes);
                f(*no);
            }
            Instr::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, pc)| f(*pc));
                f(*default);
            }
            _ => {}
        }
    }

    /// Calls `f` with every register written and its width (0 where the
    /// instruction does not say: it is then the slot's own).
    pub fn for_each_def(&self, mut f: impl FnMut(Reg, u8)) {
        match self {
            Instr::Move { width, dst, .. }
            | Instr::Binary { width, dst, .. }
            | Instr::Unary { width, dst, .. }
            | Instr::Select { width, dst, .. }
            | Instr::FloatBinary { width, dst, .. }
            | Instr::FloatUnary { width, dst, .. }
            | Instr::Load { width, dst, .. }
            | Instr::AtomicRmw { width, dst, .. }
            | Instr::Nondet { width, dst, .. } => f(*dst, *width),
            Instr::Cast { to, dst, .. } => f(*dst, *to),
            Instr::Overflows { dst, .. } | Instr::Compare { dst, .. } | Instr::FloatCompare { dst, .. } => {
                f(*dst, 1)
            }
            Instr::PtrAdd { dst, .. }
            | Instr::Alloca { dst, .. }
            | Instr::StackSave { dst }
            | Instr::Malloc { dst, .. }
            | Instr::ObjectSize { dst, .. } => f(*dst, 0),
            Instr::CompareExchange(cx) => {
                f(cx.old, cx.width);
                f(cx.ok, 1);
            }
            Instr::Call { dsts, .. } => dsts.iter().for_each(|r| f(*r, 0)),
            Instr::Sync { dst: Some(dst), .. } => f(*dst, 0),
            _ => {}
        }
    }

    /// Calls `f` with every operand read and its width (0 where it is pointer
    /// width).
    pub fn for_each_use(&self, mut f: impl FnMut(Operand, u8)) {
        match self {
            Instr::Move { width, src, .. }
            | Instr::Unary { width, src, .. }
            | Instr::FloatUnary { width, src, .. } => f(*src, *width),
            Instr::Binary { width, lhs, rhs, .. }
            | Instr::Overflows { width, lhs, rhs, .. }
            | Instr::Compare { width, lhs, rhs, .. }
            | Instr::FloatBinary { width, lhs, rhs, .. }
            | Instr::FloatCompare { width, lhs, rhs, .. } => {
                f(*lhs, *width);
                f(*rhs, *width);
            }
            Instr::Cast { from, src, .. } => f(*src, *from),
            Instr::Select { width, cond, yes, no, .. } => {
                f(*cond, 1);
                f(*yes, *width);
                f(*no, *width);
            }
            Instr::PtrAdd { base, index, .. } => {
                f(*base, 0);
                f(*index, 0);
            }
            Instr::Alloca { size, .. } => f(*size, 0),
            Instr::Malloc { size, align, .. } => {
                f(*size, 0);
                f(*align, 0);
            }
            Instr::EndObject { ptr }
            | Instr::ScopeBegin { ptr }
            | Instr::ScopeEnd { ptr }
            | Instr::ObjectSize { ptr, .. }
            | Instr::Load { ptr, .. } => f(*ptr, 0),
            Instr::Free { ptr, heir, size } => {
                f(*ptr, 0);
                f(*heir, 0);
                size.iter().for_each(|size| f(*size, 0));
            }
            Instr::StackRestore { mark } => f(*mark, 0),
            Instr::Store { width, ptr, value, .. } | Instr::AtomicRmw { width, ptr, value, .. } => {
                f(*ptr, 0);
                f(*value, *width);
            }
            Instr::CompareExchange(cx) => {
                f(cx.ptr, 0);
                f(cx.expected, cx.width);
                f(cx.new, cx.width);
            }
            Instr::MemCopy { dst, src, len, .. } => {
                f(*dst, 0);
                f(*src, 0);
                f(*len, 0);
            }
            Instr::MemSet { dst, byte, len } => {
                f(*dst, 0);
                f(*byte, 8);
                f(*len, 0);
            }
            Instr::Call { callee, args, .. } => {
                if let Callee::Indirect(target) = callee {
                    f(*target, 0);
                }
                args.iter().for_each(|a| f(a.value, a.width));
            }
            Instr::Return { values } => values.iter().for_each(|a| f(a.value, a.width)),
            Instr::Branch { cond, .. } | Instr::Assume { cond } => f(*cond, 1),
            Instr::Switch { width, value, .. } | Instr::Initialised { width, value, .. } => f(*value, *width),
            Instr::VaStart { list } => f(*list, 0),
            Instr::Exit { code: Some(code) } => f(*code, 32),
            Instr::ThreadExit { value } => f(*value, 0),
            Instr::Sync { op, args, .. } => {
                args.iter().enumerate().for_each(|(i, a)| f(*a, op.operand_width(i)))
            }
            Instr::Jump { .. }
            | Instr::Unreachable
            | Instr::StackSave { .. }
            | Instr::Fence { .. }
            | Instr::Nondet { .. }
            | Instr::Fail { .. }
            | Instr::Exit { code: None }
            | Instr::AtomicBegin { .. }
            | Instr::AtomicEnd { .. }
            | Instr::Yield
            | Instr::Unsupported { .. } => {}
        }
    }
}
