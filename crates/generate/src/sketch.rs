//! Choosing a program.

use crate::random::Random;
use crate::shape::{Group, Shape};
use crate::snippet::{Snippet, snippets};
use crate::test::{Atom, Condition, Expr, Order, Stmt, Test, Thread, Variable};

/// How deep statements nest.
const MAX_DEPTH: usize = 2;

/// The program with this seed.
pub fn sketch(seed: u64, shape: &Shape) -> Test {
    let mut random = Random::new(seed);
    let groups = shape.choose_groups(&mut random);
    // Few threads more often than many: state spaces grow quickly with them.
    let count = random.within(shape.threads).min(random.within(shape.threads));
    let mut sketch = Sketch { random, groups };
    // Three long threads have too many interleavings to enumerate.
    let most = if count > 2 { shape.operations.1.min(3) } else { shape.operations.1 };
    let threads = (0..count).map(|_| sketch.thread((shape.operations.0.min(most), most))).collect();
    let meanwhile = if sketch.random.one_in(4) { sketch.body(1, 0) } else { Vec::new() };
    let joins = !sketch.random.one_in(8);
    let forbidden = sketch.random.one_in(2).then(|| sketch.forbidden());
    Test { seed, threads, meanwhile, joins, forbidden }
}

struct Sketch {
    random: Random,
    groups: Vec<Group>,
}

impl Sketch {
    fn thread(&mut self, operations: (usize, usize)) -> Thread {
        let count = self.random.within(operations);
        let mut body = self.body(count, 0);
        if self.random.one_in(3) {
            body.push(Stmt::Assert(self.condition()));
        }
        Thread { body, careless: self.random.one_in(6) }
    }

    fn forbidden(&mut self) -> (i32, i32, i32) {
        (self.random.below(4) as i32, self.random.below(4) as i32, self.random.below(3) as i32)
    }

    fn body(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.stmt(depth)).collect()
    }

    /// A short list inside another statement.
    fn inner(&mut self, depth: usize) -> Vec<Stmt> {
        let count = self.random.within((1, 2));
        self.body(count, depth + 1)
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let group = self.random.pick(&self.groups);
        if depth >= MAX_DEPTH {
            return if group == Group::Atomics { self.atomic() } else { self.plain() };
        }
        match group {
            Group::Plain => self.plain(),
            Group::Atomics => self.atomic(),
            Group::Mutexes => self.mutex(depth),
            Group::Conditions => self.condition_variable(),
            Group::Semaphores => self.semaphore(),
            Group::RwLocks => self.rwlock(depth),
            Group::Barriers => Stmt::Barrier(self.local()),
            Group::Sections => Stmt::Section(self.inner(depth)),
            Group::Heap => self.heap(),
            Group::Lists => self.list(),
            Group::Escapes => self.escape(),
            Group::Records => self.record(),
            Group::OtherLocks => self.other_lock(depth),
            Group::Control => self.control(depth),
            Group::Arithmetic => self.arithmetic(),
            Group::Choices => self.choice(),
            Group::Threads => self.thread_operation(),
            _ => self.snippet(group, depth),
        }
    }

    fn plain(&mut self) -> Stmt {
        match self.random.below(8) {
            0..3 => Stmt::Read(self.local(), self.plain_variable()),
            3..6 => Stmt::Write(self.plain_variable(), self.expr()),
            6 => Stmt::Increment(self.variable()),
            _ => Stmt::Compute(self.local(), Expr::Plus(self.local(), 1)),
        }
    }

    fn atomic(&mut self) -> Stmt {
        let variable = self.random.below(2) as u8;
        match self.random.below(12) {
            0..3 => Stmt::Load(self.local(), variable, self.order(&["relaxed", "acquire", "seq_cst"])),
            3..6 => Stmt::Store(variable, self.expr(), self.order(&["relaxed", "release", "seq_cst"])),
            6..8 => {
                let name = self.random.pick(&["exchange", "fetch_add", "fetch_sub", "fetch_or", "fetch_and"]);
                Stmt::Rmw(self.local(), name, variable, self.expr(), self.any_order())
            }
            8..10 => {
                let (expected, new) = (self.random.below(2) as i32, self.random.below(3) as i32);
                let weak = self.random.one_in(3);
                Stmt::CompareExchange(self.local(), variable, expected, new, weak, self.any_order())
            }
            10 => Stmt::Fence(self.order(&["acquire", "release", "acq_rel", "seq_cst"])),
            _ => self.plain(),
        }
    }

    fn mutex(&mut self, depth: usize) -> Stmt {
        let mutex = self.random.below(2) as u8;
        match self.random.below(12) {
            0..7 => Stmt::Critical(mutex, self.inner(depth)),
            7 | 8 => Stmt::TryLock(mutex, self.inner(depth)),
            9 => Stmt::Recursive(self.inner(depth)),
            10 => Stmt::Lock(mutex),
            _ => Stmt::Unlock(mutex),
        }
    }

    fn condition_variable(&mut self) -> Stmt {
        match self.random.below(5) {
            4 => Stmt::TimedWait(self.local()),
            0 | 1 => Stmt::Wait { looped: !self.random.one_in(4) },
            _ => Stmt::Signal { broadcast: self.random.one_in(3), locked: !self.random.one_in(4) },
        }
    }

    fn semaphore(&mut self) -> Stmt {
        match self.random.below(5) {
            0 | 1 => Stmt::SemWait,
            2 => Stmt::SemTryWait(self.local()),
            _ => Stmt::SemPost,
        }
    }

    fn rwlock(&mut self, depth: usize) -> Stmt {
        let body = self.inner(depth);
        if self.random.one_in(2) { Stmt::ReadSection(body) } else { Stmt::WriteSection(body) }
    }

    fn heap(&mut self) -> Stmt {
        let checked = !self.random.one_in(6);
        match self.random.below(9) {
            8 => Stmt::ReadByNumber(self.local()),
            7 => Stmt::ReadStale(self.local()),
            0 | 1 => Stmt::Allocate { value: self.small(), publish_first: self.random.one_in(3) },
            2 | 3 => Stmt::ReadCell { local: self.local(), checked },
            4 | 5 => Stmt::WriteCell { value: self.expr(), checked },
            _ => Stmt::FreeCell { forget: self.random.pick(&[Some(true), Some(false), Some(true), None]) },
        }
    }

    fn list(&mut self) -> Stmt {
        match self.random.below(6) {
            0 | 1 => Stmt::Push(self.small()),
            2 => Stmt::Pop(self.local()),
            3 => Stmt::Poke(self.expr()),
            _ => Stmt::Peek(self.local()),
        }
    }

    fn escape(&mut self) -> Stmt {
        match self.random.below(12) {
            0 => Stmt::Publish,
            1 => Stmt::PublishInner,
            2 => Stmt::Lend,
            3 => Stmt::ReadMine(self.local()),
            4 => Stmt::WriteMine(self.expr()),
            5 | 6 => Stmt::ReadCell { local: self.local(), checked: true },
            7 | 8 => Stmt::WriteCell { value: self.expr(), checked: true },
            9 => Stmt::ReadArgument(self.local()),
            10 => Stmt::WriteArgument(self.expr()),
            _ => self.leave(),
        }
    }

    /// Ends the thread while others may still have pointers into its stack.
    fn leave(&mut self) -> Stmt {
        if self.random.one_in(2) { Stmt::Return } else { Stmt::Exit }
    }

    fn record(&mut self) -> Stmt {
        let which = self.random.below(2) as u8;
        match self.random.below(4) {
            0 => Stmt::CopyPair(which),
            1 | 2 => Stmt::WritePair(which, self.expr()),
            _ => Stmt::ReadPair(self.local(), which),
        }
    }

    fn other_lock(&mut self, depth: usize) -> Stmt {
        let mutex = self.random.below(2) as u8;
        match self.random.below(6) {
            0 => Stmt::TimedLock(mutex, self.inner(depth)),
            1 | 2 => Stmt::Checked(self.local(), self.inner(depth)),
            3 | 4 => Stmt::Spin(self.inner(depth)),
            _ => Stmt::Once,
        }
    }

    fn control(&mut self, depth: usize) -> Stmt {
        match self.random.below(12) {
            0..4 => {
                let no = if self.random.one_in(2) { self.inner(depth) } else { Vec::new() };
                Stmt::If(self.condition(), self.inner(depth), no)
            }
            4 | 5 => Stmt::Repeat(2 + self.random.below(2) as u8, self.inner(depth)),
            6 => Stmt::Switch(self.local(), self.inner(depth), self.inner(depth)),
            7 => Stmt::Await(self.random.below(2) as u8, self.random.below(2) as i32),
            8 | 9 => Stmt::Add(self.plain_variable(), 1),
            10 if self.random.one_in(3) => Stmt::Return,
            _ => self.plain(),
        }
    }

    fn arithmetic(&mut self) -> Stmt {
        match self.random.below(8) {
            0 => Stmt::Divide(self.local(), self.local()),
            1 => Stmt::Shift(self.local(), self.local()),
            2 => Stmt::Index(self.local(), self.local()),
            3 => Stmt::WriteIndex(self.local(), self.expr()),
            4 => Stmt::Compute(self.local(), Expr::Huge(self.local())),
            _ => self.plain(),
        }
    }

    fn choice(&mut self) -> Stmt {
        match self.random.below(6) {
            0 | 1 => Stmt::Choose(self.local(), 2 + self.random.below(2) as u8),
            2 => Stmt::Toss(self.local()),
            3 => Stmt::Assume(self.condition()),
            4 => Stmt::Assert(self.condition()),
            _ => self.plain(),
        }
    }

    fn thread_operation(&mut self) -> Stmt {
        match self.random.below(14) {
            12 => Stmt::ReadSpecific(self.local()),
            13 if self.random.one_in(2) => Stmt::DeleteKey,
            0 => Stmt::Yield,
            1 | 2 => Stmt::ReadOwn(self.local()),
            3 | 4 => Stmt::WriteOwn(self.expr()),
            5 if self.random.one_in(3) => Stmt::Exit,
            6 => Stmt::PublishOwn,
            7 => Stmt::ReadCell { local: self.local(), checked: true },
            8 => Stmt::Specific,
            9 => Stmt::Spawn { join: !self.random.one_in(3) },
            _ => self.plain(),
        }
    }

    /// A piece of C with its holes filled.
    fn snippet(&mut self, group: Group, depth: usize) -> Stmt {
        let Some(snippets) = snippets(group) else { return self.plain() };
        let code = self.random.pick(snippets.code);
        let body = if Snippet::has_body(code) { self.inner(depth) } else { Vec::new() };
        let (locals, constant) = ((self.local(), self.local()), 1 + self.random.below(2) as i32);
        Stmt::Snippet(Snippet { code, locals, constant, body })
    }

    fn local(&mut self) -> u8 {
        self.random.pick(&[0, 0, 1, 1, 2])
    }

    fn plain_variable(&mut self) -> Variable {
        Variable::Plain(self.random.below(2) as u8)
    }

    fn variable(&mut self) -> Variable {
        if self.random.one_in(3) {
            Variable::Atomic(self.random.below(2) as u8)
        } else {
            self.plain_variable()
        }
    }

    fn small(&mut self) -> i32 {
        self.random.below(3) as i32
    }

    fn expr(&mut self) -> Expr {
        match self.random.below(8) {
            0..5 => Expr::Constant(1 + self.random.below(2) as i32),
            5 => Expr::Local(self.local()),
            6 => Expr::Plus(self.local(), 1),
            _ => Expr::Xor(self.local(), self.local()),
        }
    }

    /// One or two comparisons, of different locals.
    fn condition(&mut self) -> Condition {
        let local = self.local();
        let mut atoms = vec![self.atom(local)];
        if self.random.one_in(2) {
            atoms.push(self.atom((local + 1) % 3));
        }
        Condition { atoms, negated: self.random.one_in(2) }
    }

    fn atom(&mut self, local: u8) -> Atom {
        let operator = self.random.pick(&["==", "==", "!=", "<", ">="]);
        Atom { local, operator, value: self.small() }
    }

    fn order(&mut self, orders: &[Order]) -> Order {
        self.random.pick(orders)
    }

    fn any_order(&mut self) -> Order {
        self.order(&["relaxed", "acquire", "release", "acq_rel", "seq_cst"])
    }
}
