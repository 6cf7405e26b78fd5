//! A program as a tree.

use crate::snippet::Snippet;

/// A shared variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// `int x0`, `x1`.
    Plain(u8),
    /// `_Atomic int a0`, `a1`.
    Atomic(u8),
}

/// A memory order, as `<stdatomic.h>` names it.
pub type Order = &'static str;

/// A comparison of a local variable with a number: `r0 == 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The local.
    pub local: u8,
    /// The operator.
    pub operator: &'static str,
    /// The number.
    pub value: i32,
}

/// `a && b && ...`, or its negation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The conjuncts.
    pub atoms: Vec<Atom>,
    /// Whether it stands for the opposite.
    pub negated: bool,
}

/// A value computed from locals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Constant(i32),
    /// A local.
    Local(u8),
    /// `(r + k) & 3`: values stay few.
    Plus(u8, i32),
    /// `r ^ s`.
    Xor(u8, u8),
    /// `r + 2147483647`, which overflows unless `r` is 0 or less.
    Huge(u8),
}

/// A statement of a thread. Locals are `r0` to `r2`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Stmt {
    Read(u8, Variable),
    Write(Variable, Expr),
    /// `x++`, one read and one write of a plain variable.
    Increment(Variable),
    Compute(u8, Expr),

    Load(u8, u8, Order),
    Store(u8, Expr, Order),
    /// `atomic_<name>_explicit`.
    Rmw(u8, &'static str, u8, Expr, Order),
    /// `(local, variable, expected, new, weak)`.
    CompareExchange(u8, u8, i32, i32, bool, Order),
    Fence(Order),

    Lock(u8),
    Unlock(u8),
    Critical(u8, Vec<Stmt>),
    TryLock(u8, Vec<Stmt>),
    /// A recursive mutex, locked once more than the lists are deep.
    Recursive(Vec<Stmt>),

    /// A lock that may time out.
    TimedLock(u8, Vec<Stmt>),
    /// A mutex that reports misuse.
    Checked(u8, Vec<Stmt>),
    Spin(Vec<Stmt>),
    /// Runs `initialise` once.
    Once,

    /// Waits until `ready`, in a loop or (wrongly) with `if`.
    Wait {
        looped: bool,
    },
    /// Waits once, and may time out.
    TimedWait(u8),
    Signal {
        broadcast: bool,
        locked: bool,
    },

    SemWait,
    SemTryWait(u8),
    SemPost,
    ReadSection(Vec<Stmt>),
    WriteSection(Vec<Stmt>),
    Barrier(u8),
    Section(Vec<Stmt>),

    /// `cell = malloc(...)`, written to before or after it is published.
    Allocate {
        value: i32,
        publish_first: bool,
    },
    /// `cell = &mine` of the thread's own variable.
    Publish,
    /// Reads through `cell`, if it is not null and `checked`.
    ReadCell {
        local: u8,
        checked: bool,
    },
    WriteCell {
        value: Expr,
        checked: bool,
    },
    /// Reads the old cell once there is a new one.
    ReadStale(u8),
    /// Reads through an address that was a mere number for a while.
    ReadByNumber(u8),
    /// Frees the cell, and forgets it before or after, or not at all.
    FreeCell {
        forget: Option<bool>,
    },
    /// `cell` points into a block, or a call, that ends soon.
    PublishInner,
    Lend,
    /// A node is made, its successor published with it.
    Push(i32),
    Pop(u8),
    /// Reads or adds to the second node's value.
    Peek(u8),
    Poke(Expr),
    /// The variable of `main` that every thread gets a pointer to.
    ReadArgument(u8),
    WriteArgument(Expr),
    /// `pair0 = pair1`, or the other way round.
    CopyPair(u8),
    WritePair(u8, Expr),
    ReadPair(u8, u8),
    /// Reads or writes the thread's own escaping variable.
    ReadMine(u8),
    WriteMine(Expr),

    If(Condition, Vec<Stmt>, Vec<Stmt>),
    Repeat(u8, Vec<Stmt>),
    Switch(u8, Vec<Stmt>, Vec<Stmt>),
    /// Spins until an atomic variable has a value.
    Await(u8, i32),
    /// A call that adds to a variable through a pointer.
    Add(Variable, i32),
    Return,

    Divide(u8, u8),
    Shift(u8, u8),
    Index(u8, u8),
    WriteIndex(u8, Expr),

    /// A number below this.
    Choose(u8, u8),
    /// Zero or not.
    Toss(u8),
    Assume(Condition),
    Assert(Condition),

    /// `cell = &own`.
    PublishOwn,
    /// Sets a key whose destructor adds to what it points to.
    Specific,
    ReadSpecific(u8),
    DeleteKey,
    /// Starts a thread that adds to `a0`, and joins or detaches it.
    Spawn {
        join: bool,
    },
    Yield,
    ReadOwn(u8),
    WriteOwn(Expr),
    Exit,

    /// A piece of C.
    Snippet(Snippet),
}

/// A thread's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// What it does.
    pub body: Vec<Stmt>,
    /// Whether its last local starts uninitialised.
    pub careless: bool,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// The seed, for the comment at the top.
    pub seed: u64,
    /// The threads that `main` starts.
    pub threads: Vec<Thread>,
    /// What `main` does meanwhile.
    pub meanwhile: Vec<Stmt>,
    /// Whether `main` waits for the threads.
    pub joins: bool,
    /// What `main` asserts at the end: `!(out[0] == a && out[1] == b && x0 == c)`.
    pub forbidden: Option<(i32, i32, i32)>,
}

impl Stmt {
    /// The lists of statements within this one.
    pub fn bodies(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::Critical(_, body)
            | Stmt::TryLock(_, body)
            | Stmt::Recursive(body)
            | Stmt::TimedLock(_, body)
            | Stmt::Checked(_, body)
            | Stmt::Spin(body)
            | Stmt::ReadSection(body)
            | Stmt::WriteSection(body)
            | Stmt::Section(body)
            | Stmt::Repeat(_, body) => vec![body],
            Stmt::If(_, yes, no) | Stmt::Switch(_, yes, no) => vec![yes, no],
            Stmt::Snippet(snippet) if Snippet::has_body(snippet.code) => vec![&snippet.body],
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Critical(_, body)
            | Stmt::TryLock(_, body)
            | Stmt::Recursive(body)
            | Stmt::TimedLock(_, body)
            | Stmt::Checked(_, body)
            | Stmt::Spin(body)
            | Stmt::ReadSection(body)
            | Stmt::WriteSection(body)
            | Stmt::Section(body)
            | Stmt::Repeat(_, body) => vec![body],
            Stmt::If(_, yes, no) | Stmt::Switch(_, yes, no) => vec![yes, no],
            Stmt::Snippet(snippet) if Snippet::has_body(snippet.code) => vec![&mut snippet.body],
            _ => Vec::new(),
        }
    }
}
