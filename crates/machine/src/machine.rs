//! The machine's face: the initial state and steps.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use ir::{Domain, FuncId, Global, GlobalId, Instr, Liveness, Location, Operand, Program, Target};
use serde::{Deserialize, Serialize};

use crate::exec::indeterminate::Computed;
use crate::exec::{Exec, StepProgress};
use crate::identity::joins::only_main_joins;
use crate::memory::address_use::tells_addresses;
use crate::memory::object::{Allocator, Object, Origin, Site};
use crate::memory::{Constants, Memory};
use crate::model::{Fence, MemoryModel};
use crate::mover::Mover;
use crate::state::State;
use crate::state::list::List;
use crate::state::thread::{Frame, Thread};
use crate::symbolic::symbols::{Concrete, Symbols};
use crate::telling::coverage::Marks;
use crate::telling::fault::{Fault, FaultKind, ThreadId};
use crate::telling::finals::Finals;
use crate::telling::observer::{Event, Observer};
use crate::telling::property::{Properties, Property};
use crate::telling::suppression::Suppression;
use crate::temporal::Temporal;
use crate::value::{Named, ObjectId, Value};
use ir::operation::{Action, Operation};

/// What the semantics leaves open.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which faults to look for.
    pub properties: Properties,
    /// Enumerate nondeterministic values of unbounded domain over this range.
    pub nondet_range: Option<(i64, i64)>,
    /// Bytes of stack a thread may use.
    pub stack_limit: u64,
    /// Faults of these properties are taken not to happen, where they are not
    /// looked for.
    pub assumed: Properties,
    /// Whether a failed assertion simply ends the program: only calls of error
    /// functions count.
    pub error_calls_only: bool,
    /// The instructions of each function whose accesses can be in the first race
    /// of an execution, if that is known; those of all others are not remembered.
    pub racing: Option<Arc<Vec<Box<[bool]>>>>,
    /// The instructions of each function whose accesses no other thread can
    /// conflict with at the time, if that is known: others cannot observe them.
    pub undisturbed: Option<Arc<Vec<Box<[bool]>>>>,
    /// When other threads see what a thread stores.
    pub memory_model: MemoryModel,
    /// How many stores of a thread can wait at a time, where they wait.
    pub buffer_bound: u32,
    /// Where threads wait for an empty buffer besides, where stores wait.
    pub fences: Vec<Fence>,
    /// What is done with final states, where robustness is asked for.
    pub finals: Option<Finals>,
    /// Faults that are not told. One that ends an execution still ends it; what
    /// was first in a race does not matter then, so that `racing` must not be known.
    pub suppressions: Vec<Arc<Suppression>>,
    /// Whether a search goes on past faults. A step then ends before an instruction that no
    /// other thread can observe and that is at fault, so that what others could do first is
    /// explored.
    pub past_faults: bool,
    /// Formulas about executions as a whole. What they are about is visible.
    pub temporal: Option<Arc<Temporal>>,
    /// In states with more objects than this, public ones keep their numbers, so that
    /// some states are told apart that have the same future.
    pub few_objects: usize,
    /// All get new numbers there when one of so many numbers is not used any more.
    pub renumbered: usize,
}

/// What [`Config::few_objects`] is unless something else is said.
pub const FEW_OBJECTS: usize = 256;

/// What [`Config::renumbered`] is unless something else is said.
pub const RENUMBERED: usize = 64;

/// How many stores of a thread can wait at a time, unless something else is said.
pub const BUFFER_BOUND: u32 = 16;

impl Default for Config {
    fn default() -> Config {
        Config {
            properties: Properties::standard(),
            nondet_range: None,
            stack_limit: 8 << 20,
            assumed: Properties::default(),
            error_calls_only: false,
            racing: None,
            undisturbed: None,
            memory_model: MemoryModel::Sc,
            buffer_bound: BUFFER_BOUND,
            fences: Vec::new(),
            finals: None,
            suppressions: Vec::new(),
            past_faults: false,
            temporal: None,
            few_objects: FEW_OBJECTS,
            renumbered: RENUMBERED,
        }
    }
}

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// One instruction.
    Instruction,
    /// One instruction that other threads can observe, and all that follow it
    /// which they cannot (tau reduction).
    Visible,
    /// The same, but what others can observe is decided by what happened
    /// before the step alone: memory that was once shared stays so, and a
    /// thread is alone only when it has joined all others. Where a step ends
    /// is then the same in all executions that differ in the order of
    /// independent steps, as partial-order reduction needs it.
    Causal,
}

/// What a step led to, besides the new state.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// What went wrong, among the properties asked for and what ends the execution.
    pub faults: Vec<Fault>,
    /// Set if the execution is over.
    pub end: Option<End>,
}

/// How an execution ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The process exited with this code, or every thread ended (0).
    Exited(u32),
    /// The process called `abort`.
    Aborted,
    /// A fault after which nothing is defined.
    Fault,
    /// An assumption was false: the execution is not considered.
    Infeasible,
    /// Something the machine cannot execute.
    Unsupported(String),
}

/// A nondeterministic value with too many possibilities to enumerate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NeedsSymbolic {
    /// Where the value is made.
    pub at: Location,
    /// The function that makes it.
    pub origin: String,
}

/// A program with everything precomputed that its execution needs.
pub struct Machine {
    program: Arc<Program>,
    config: Config,
    pub(crate) entry: FuncId,
    pub(crate) code: Vec<Code>,
    /// The object of each global; none for a thread-local one.
    pub(crate) globals: Vec<ObjectId>,
    /// How many globals have a slot.
    pub(crate) global_slots: usize,
    pub(crate) constants: Constants,
    initial: State,
    pub(crate) check_overflow: bool,
    /// Whether heap objects that are lost are remembered.
    pub(crate) notes_lost: bool,
    /// Whether what was never initialised is an input.
    pub(crate) chooses_undefined: bool,
    /// Whether the program may find out that an address is given out again.
    pub(crate) tells_addresses: bool,
    /// Whether it frees memory.
    pub(crate) frees: bool,
    pub(crate) track_races: bool,
    /// Whether races on the same bytes are told apart by their places, because some are not to
    /// be told.
    pub(crate) tells_races_apart: bool,
    /// Whether wrong uses of locks are looked for.
    pub(crate) reports_misuse: bool,
    /// Whether deadlocks are.
    pub(crate) reports_deadlocks: bool,
    /// Whether the program may find out that a thread's identifier is given out again.
    pub(crate) tells_thread_ids: bool,
    /// Whether handles of threads are told from numbers ([`crate::identity::symmetry`]).
    pub(crate) tags_handles: bool,
    /// Whether handles mean something to `main` alone ([`crate::identity::joins`]).
    pub(crate) only_main_joins: bool,
    /// Whether a key of thread-specific values can cease to be one.
    pub(crate) deletes_keys: bool,
    /// Whether mutexes can be robust: a thread's end may then free some.
    pub(crate) makes_robust: bool,
    /// Whether it has atomic sections.
    pub(crate) has_sections: bool,
    /// Whether it has operations that wait for what any thread may do.
    pub(crate) waits_for_anyone: bool,
    /// Whether stores wait in buffers.
    pub(crate) has_buffers: bool,
    /// Whether it is looked at which accesses happen after which while they do.
    pub(crate) follows_traces: bool,
    /// What was executed so far.
    pub(crate) marks: Arc<Marks>,
}

/// What is precomputed of a function.
pub(crate) struct Code {
    /// Which instructions need nothing but registers (and, being narrow and
    /// without thread-local operands, take the fast path).
    pub local: Box<[bool]>,
    /// What each instruction computes or decides with.
    pub computed: Box<[Computed]>,
    /// What a call takes of the stack, besides objects in memory.
    pub frame_bytes: u64,
    /// The allocator that it belongs to.
    pub allocator: Allocator,
    liveness: OnceLock<Liveness>,
    /// The same without checks of what is printed ([`crate::identity::printed`]).
    pub used: OnceLock<Option<Liveness>>,
}

impl Machine {
    /// Prepares a validated program. Fails if it has no entry.
    pub fn new(program: Arc<Program>, config: Config) -> Machine {
        let entry = program.entry.expect("a validated program has an entry");
        let mut code: Vec<Code> = program.functions.iter().map(|f| Code::new(&program, f)).collect();
        if let Some(temporal) = &config.temporal {
            hide_from_fast_path(&mut code, temporal);
        }
        for (function, pc) in config.fences.iter().map(|fence| fence.waiting()) {
            code[function.0 as usize].local[pc as usize] = false;
        }
        let has = |property| config.properties.has(property);
        let memory = Memory::new(program.pointer_size());
        let mut machine = Machine {
            entry,
            code,
            globals: Vec::new(),
            global_slots: 0,
            constants: Constants::default(),
            initial: State { memory, threads: List::default(), rest: Default::default(), base: None },
            check_overflow: has(Property::Overflow),
            notes_lost: has(Property::Leak) || has(Property::Cleanup),
            chooses_undefined: !has(Property::Uninit) && !config.assumed.has(Property::Uninit),
            tells_addresses: tells_addresses(&program),
            frees: program.functions.iter().flat_map(|f| &f.code).any(|i| matches!(i, Instr::Free { .. })),
            track_races: has(Property::Race),
            tells_races_apart: config.past_faults
                || config.suppressions.iter().any(|each| each.concerns(Property::Race)),
            reports_misuse: has(Property::LockMisuse),
            reports_deadlocks: has(Property::Deadlock),
            tells_thread_ids: program.tells_thread_ids(),
            tags_handles: false,
            only_main_joins: false,
            waits_for_anyone: program.functions.iter().flat_map(|f| &f.code).any(is_wait_for_anyone),
            has_sections: program.functions.iter().flat_map(|f| &f.code).any(is_section),
            makes_robust: makes_robust(&program),
            deletes_keys: program.functions.iter().flat_map(|f| &f.code).any(is_key_delete),
            has_buffers: config.memory_model.has_buffers(),
            follows_traces: has(Property::RobustTraces) && config.memory_model == MemoryModel::Tso,
            marks: Arc::new(Marks::new(&program)),
            program,
            config,
        };
        machine.place_globals();
        machine.start_main();
        let monitor = machine.start_monitor(&machine.initial);
        machine.initial.rest_mut().monitor = monitor;
        machine
    }

    /// Gives every global its object, then fills in contents, which may point
    /// to any of them.
    fn place_globals(&mut self) {
        let program = Arc::clone(&self.program);
        for (index, global) in program.globals.iter().enumerate() {
            let id = GlobalId(index as u32);
            let object = match (global.thread_local, global.constant) {
                (true, _) => ObjectId::NONE,
                (false, true) => ObjectId::constant(id),
                (false, false) => {
                    let placeholder = Object::new(Origin::Global(id), 0, true);
                    self.global_slots += 1;
                    self.initial.memory.add(placeholder).expect("fewer globals than slots")
                }
            };
            self.globals.push(object);
        }
        for (index, global) in program.globals.iter().enumerate() {
            let object = self.global_object(GlobalId(index as u32), global);
            let constant = global.constant && !global.thread_local;
            if !global.constant && !global.thread_local {
                *self.initial.memory.get_mut(self.globals[index]) = Object { shared: true, ..object.clone() };
            }
            let (size, align) = (object.size(), u64::from(object.align));
            let addresses = triomphe::Arc::make_mut(&mut self.initial.memory.addresses);
            // Globals that do not fit are no reason to leave no room for others.
            let fits = addresses.next + size < 1 << (self.program.pointer_width - 2);
            let address = (fits && !global.thread_local).then(|| addresses.take(size, align));
            self.constants.addresses.push(address);
            self.constants.objects.push(constant.then_some(object));
        }
        self.constants.end = self.initial.memory.leave_room();
    }

    /// A global's initial contents.
    fn global_object(&self, id: GlobalId, global: &Global) -> Object {
        let mut object = Object::new(Origin::Global(id), global.size, true).aligned(global.align);
        object.data[..global.init.len()].copy_from_slice(&global.init);
        let word = self.program.pointer_size();
        for relocation in &global.relocations {
            let target = match relocation.target {
                Target::Global(global) => self.globals[global.0 as usize],
                Target::Function(function) => ObjectId::function(function),
            };
            let offset =
                relocation.addend as u64 & crate::value::arith::narrow::mask(self.program.pointer_width);
            object.write(relocation.offset, word, word, Value::pointer(target, offset));
        }
        object
    }

    fn start_main(&mut self) {
        let slots = self.program.function(self.entry).slots.len();
        let mut main = Thread::new(None);
        main.frames.push(Frame::new(self.entry, slots).into());
        main.clocks.now.advance(ThreadId(0));
        self.initial.threads.push(main.into());
    }

    /// The same machine, made anew. What either executes counts for both.
    pub(crate) fn anew(&self) -> Machine {
        self.marking(self.config.clone())
    }

    /// The same machine, made anew. What it executes does not count.
    pub(crate) fn unmarked(&self) -> Machine {
        self.with_config(self.config.clone())
    }

    /// The same machine, for which every state is a large one
    /// ([`Config::few_objects`]): for tests.
    pub fn with_large_states(&self) -> Machine {
        let config = Config { few_objects: 0, renumbered: 2, ..self.config.clone() };
        Machine::new(Arc::clone(&self.program), config)
    }

    /// Whether an object is a variable that is defined nowhere.
    pub(crate) fn is_defined_nowhere(&self, object: ObjectId) -> bool {
        matches!(object.named(), Named::Constant(global) if self.program.global(global).undefined)
    }

    /// The same program with another configuration. What either executes counts for both.
    pub(crate) fn marking(&self, config: Config) -> Machine {
        let marks = Arc::clone(&self.marks);
        Machine { marks, ..self.with_config(config) }
    }

    /// The machine without clocks for finding races.
    pub(crate) fn untracked(self) -> Machine {
        Machine { track_races: false, ..self }
    }

    /// The same machine with handles of threads that are told from numbers.
    pub fn with_tagged_handles(&self) -> Machine {
        let machine = self.anew();
        let only_main_joins = only_main_joins(&machine.program, machine.entry);
        Machine { tags_handles: true, only_main_joins, ..machine }
    }

    /// The program.
    #[inline]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The same program with another configuration.
    pub fn with_config(&self, config: Config) -> Machine {
        Machine::new(Arc::clone(&self.program), config)
    }

    /// What the semantics leaves open.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The state before the first instruction.
    pub fn initial(&self) -> State {
        self.initial.clone()
    }

    /// Moves one of those that can move, taking the data choice with this index.
    pub fn step<O: Observer>(
        &self,
        state: &mut State,
        mover: impl Into<Mover>,
        choice: u64,
        grain: Grain,
        observer: &mut O,
    ) -> Step {
        self.step_with(state, mover, choice, grain, observer, &mut Concrete, &mut StepProgress::default())
    }

    /// The same where values may be unknown. If the step stops at a condition
    /// that is not decided, `progress` says so; the caller decides it and calls
    /// again with what `progress` has become.
    #[allow(clippy::too_many_arguments)]
    pub fn step_with<O: Observer, S: Symbols>(
        &self,
        state: &mut State,
        mover: impl Into<Mover>,
        choice: u64,
        grain: Grain,
        observer: &mut O,
        symbols: &mut S,
        progress: &mut StepProgress,
    ) -> Step {
        let (mover, faults) = (mover.into(), Vec::new());
        let thread = mover.thread();
        let exec = Exec { machine: self, state, thread, choice, grain, observer, symbols, faults };
        match mover {
            Mover::Thread(_) => exec.run(progress),
            Mover::Buffer(_) => exec.flush(progress),
        }
    }

    /// The object of a global variable; that of no object for a thread-local one.
    pub fn global(&self, id: GlobalId) -> ObjectId {
        self.globals[id.0 as usize]
    }

    /// What stands at a place in a global variable that is not thread-local:
    /// up to 8 bytes. `None` if they are not one value: parts of pointers or of
    /// unknown numbers.
    pub fn global_value(&self, state: &State, id: GlobalId, offset: u64, len: u64) -> Option<Value> {
        let object = state.memory.get(self.globals[id.0 as usize])?;
        object.read(offset, len, state.memory.word)
    }

    /// Whether nothing is known about an execution after a fault of this kind:
    /// what follows is undefined, and the fault was neither looked for nor
    /// taken not to happen.
    pub fn leaves_open(&self, kind: &FaultKind) -> bool {
        kind.is_undefined() && !self.asks(kind) && !self.config.assumed.has(kind.property())
    }

    /// Whether an instruction's accesses can be in the first race of an
    /// execution.
    #[inline]
    pub(crate) fn can_race(&self, site: Site) -> bool {
        let racing = self.config.racing.as_ref();
        racing.is_none_or(|racing| racing[site.function.0 as usize][site.pc as usize])
    }

    /// Whether a fault is of a kind that was asked for.
    pub fn asks(&self, kind: &FaultKind) -> bool {
        self.config.properties.has(kind.property())
    }

    pub(crate) fn liveness(&self, function: FuncId) -> &Liveness {
        let code = &self.code[function.0 as usize];
        code.liveness.get_or_init(|| {
            let function = self.program.function(function);
            match self.config().properties.has(Property::Uninit) {
                true => Liveness::of(function),
                false => Liveness::of(&without_checks(function)),
            }
        })
    }

    /// The domain of a nondeterministic value, after `--nondet-range`.
    fn nondet_range(&self, domain: &Domain, width: u8) -> Option<(u64, u64)> {
        match (domain, self.config.nondet_range) {
            (Domain::Full, Some((low, high))) if width > 1 => {
                // All numbers of 64 bits are no range, but everything.
                Some((low as u64, high.abs_diff(low).checked_add(1)?))
            }
            _ => None,
        }
    }

    pub(crate) fn nondet_count(&self, domain: &Domain, width: u8) -> Option<u64> {
        self.nondet_range(domain, width).map(|(_, count)| count).or_else(|| domain.count(width))
    }

    /// The same as a domain.
    pub(crate) fn domain<'a>(&self, domain: &'a Domain, width: u8) -> Cow<'a, Domain> {
        match self.nondet_range(domain, width) {
            Some((first, count)) => Cow::Owned(Domain::Range { first, count }),
            None => Cow::Borrowed(domain),
        }
    }
}

impl Code {
    fn new(program: &Program, function: &ir::Function) -> Code {
        let local = function.code.iter().map(|instr| is_local(program, function, instr)).collect();
        let computed = function.code.iter().map(|instr| Computed::of(program, instr)).collect();
        let allocator = Allocator::of(program, function);
        Code {
            local,
            computed,
            frame_bytes: frame_bytes(function),
            allocator,
            liveness: OnceLock::new(),
            used: OnceLock::new(),
        }
    }
}

/// About what a compiler that does not optimise gives a call of the function:
/// the return address, the caller's frame pointer, the variables, and some
/// words for what is computed, all of it a multiple of 16 bytes.
fn frame_bytes(function: &ir::Function) -> u64 {
    const FIXED: u64 = 56;
    let variables = function.slots.iter().filter(|slot| slot.name.is_some());
    let bytes: u64 = variables.map(|slot| u64::from(slot.width).div_ceil(8)).sum();
    (FIXED + bytes).next_multiple_of(16)
}

/// Instructions on registers that may change a proposition are not executed unseen.
fn hide_from_fast_path(code: &mut [Code], temporal: &Temporal) {
    for (code, function) in code.iter_mut().zip(0..) {
        for (local, pc) in code.local.iter_mut().zip(0..) {
            *local &= !temporal.watch.has(FuncId(function), pc);
        }
    }
}

fn is_key_delete(instr: &Instr) -> bool {
    matches!(instr, Instr::Sync { op, .. } if Operation::of(*op).action == Action::DropKey)
}

fn is_section(instr: &Instr) -> bool {
    matches!(instr, Instr::AtomicBegin { .. })
}

/// The run-time library's function is there if the program calls it.
fn makes_robust(program: &Program) -> bool {
    let is = |function: &ir::Function| program.name(function.name) == "pthread_mutexattr_setrobust";
    program.functions.iter().any(|function| function.library && is(function))
}

fn is_wait_for_anyone(instr: &Instr) -> bool {
    matches!(instr, Instr::Sync { op, .. } if Operation::of(*op).waits_for_anyone())
}

fn is_local(program: &Program, function: &ir::Function, instr: &Instr) -> bool {
    let on_registers = matches!(
        instr,
        Instr::Move { .. }
            | Instr::Binary { .. }
            | Instr::Unary { .. }
            | Instr::Overflows { .. }
            | Instr::Compare { .. }
            | Instr::Cast { .. }
            | Instr::Select { .. }
            | Instr::FloatBinary { .. }
            | Instr::FloatUnary { .. }
            | Instr::FloatCompare { .. }
            | Instr::PtrAdd { .. }
            | Instr::Jump { .. }
            | Instr::Branch { .. }
            | Instr::Switch { .. }
            | Instr::Yield
    );
    let mut narrow = true;
    instr.for_each_def(|reg, _| narrow &= function.slots[reg.0 as usize].width <= 64);
    instr.for_each_use(|operand, width| {
        let thread_local = matches!(operand, Operand::Global(id, _) if program.global(id).thread_local);
        narrow &= width <= 64 && !thread_local;
    });
    on_registers && narrow
}

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    /// This thread's instance of a thread-local variable.
    pub(crate) fn local_instance(&mut self, id: GlobalId) -> ObjectId {
        let locals = &self.state.thread(self.thread).own.locals;
        match locals.binary_search_by_key(&id, |(global, _)| *global) {
            Ok(index) => locals[index].1,
            Err(index) => {
                let object = self.machine.global_object(id, self.machine.program().global(id));
                let size = object.size();
                let object = self.add(object).expect("room for a thread-local variable");
                self.event(Event::Alloc { object, size });
                self.state.thread_mut(self.thread).own.locals.insert(index, (id, object));
                object
            }
        }
    }
}

/// A function without the checks that values are initialised: where the checks
/// were not asked for, a value that is only printed is not needed any more.
pub(crate) fn without_checks(function: &ir::Function) -> ir::Function {
    let mut function = function.clone();
    for instr in &mut function.code {
        if matches!(instr, Instr::Initialised { .. }) {
            *instr = Instr::Yield;
        }
    }
    function
}
