//! What a `safe` verdict rests on, beyond the search itself.

use std::fmt;

use ir::{ALLOCATION_FAILS, CREATION_FAILS, Domain, Function, Instr, Location, Order, Program, SyncOp};
use machine::{Config, Machine, MemoryModel, Properties, Property};

use crate::warnings::Warning;

/// Something that was not shown but taken for granted. A verdict holds for
/// programs and environments that keep to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// Memory is sequentially consistent, though the program could tell the
    /// difference.
    SequentialConsistency(WeakMemory),
    /// Memory is as this model says, though the program could tell the difference
    /// to weaker ones.
    MemoryModel(MemoryModel, WeakMemory),
    /// Nondeterministic values without bounds lie in this range.
    NondetRange {
        /// The lowest one.
        low: i64,
        /// The highest one.
        high: i64,
    },
    /// These functions without a body do nothing that matters to the property;
    /// they return anything.
    Harmless {
        /// Their names.
        functions: Vec<String>,
    },
    /// No execution violates this property, which was not looked for, though
    /// executions were seen that do; these were not followed further.
    NoFault(Property),
    /// Volatile accesses are atomic.
    VolatileAtomic,
    /// Faults that were met, and that were not to be told, are intended.
    Suppressed {
        /// What was not to be told.
        faults: Vec<String>,
    },
    /// Allocation never fails.
    AllocationSucceeds {
        /// Everywhere, or only where it would throw an exception.
        everywhere: bool,
    },
    /// Creating a thread never fails.
    CreationSucceeds {
        /// Everywhere, or only where it would throw an exception.
        everywhere: bool,
    },
    /// Numbers of addresses are those of one layout in memory, though the program
    /// computes with them. In which order objects lie is not taken for granted.
    AddressNumbers,
    /// Readers never wait behind a writer that waits, though the program has
    /// locks that prefer writers.
    ReadersOvertake,
    /// What the environment gives to the program is bounded: a whole clause
    /// that says how.
    Environment(String),
}

/// Why a program can tell whether memory is sequentially consistent. One
/// without data races and with no atomic operations but sequentially consistent
/// ones cannot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeakMemory {
    /// It may have data races: they were not looked for.
    Races,
    /// It has weaker atomic operations.
    Atomics {
        /// One of them.
        at: Location,
    },
}

impl Assumption {
    /// What the verdict rests on that a program has these properties. The
    /// warnings are the faults that were met but not looked for.
    pub fn all(machine: &Machine, properties: Properties, warnings: &[Warning]) -> Vec<Assumption> {
        let program = machine.program();
        let met = || machine.config().suppressions.iter().filter(|each| each.is_met());
        let racy: Properties =
            [Property::Race].into_iter().filter(|race| met().any(|each| each.concerns(*race))).collect();
        let memory = memory_model(machine, properties.without(racy));
        let faults: Vec<String> = met().map(|each| each.to_string()).collect();
        let suppressed = (!faults.is_empty()).then_some(Assumption::Suppressed { faults });
        let faults = no_faults(machine, warnings);
        let limits = program.limits.iter().cloned().map(Assumption::Environment);
        let others = nondet_range(machine).into_iter().chain(harmless(program)).chain(limits);
        let numbers = machine.has_numbered_addresses().then_some(Assumption::AddressNumbers);
        let failures = allocation(program).into_iter().chain(creation(program));
        let others = others.chain(failures).chain(signals(program)).chain(numbers);
        let overtaking = machine.has_overtaking_readers().then_some(Assumption::ReadersOvertake);
        let others = others.chain(overtaking);
        memory.into_iter().chain(suppressed).chain(faults).chain(others).collect()
    }

    /// The same if no execution was looked at, so that it is not known which
    /// faults there are that were taken not to happen.
    pub fn all_unsearched(machine: &Machine, properties: Properties) -> Vec<Assumption> {
        let Config { assumed, properties: asked, .. } = machine.config();
        let unknown =
            assumed.without(*asked).iter().filter(|property| Properties::undefined().has(*property));
        let all = Assumption::all(machine, properties, &[]);
        unknown.map(Assumption::NoFault).chain(all).collect()
    }

    /// The name of its kind, as in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Assumption::SequentialConsistency(_) => "sequential-consistency",
            Assumption::MemoryModel(..) => "memory-model",
            Assumption::NondetRange { .. } => "nondet-range",
            Assumption::Harmless { .. } => "harmless-functions",
            Assumption::NoFault(_) => "no-fault",
            Assumption::VolatileAtomic => "volatile-atomic",
            Assumption::Suppressed { .. } => "suppressed",
            Assumption::AllocationSucceeds { .. } => "allocation-succeeds",
            Assumption::CreationSucceeds { .. } => "creation-succeeds",
            Assumption::AddressNumbers => "address-numbers",
            Assumption::ReadersOvertake => "readers-overtake",
            Assumption::Environment(_) => "environment",
        }
    }
}

fn memory_model(machine: &Machine, properties: Properties) -> Option<Assumption> {
    match weak_memory(machine.program(), properties)? {
        WeakMemory::Races if machine.config().assumed.has(Property::Race) => {
            Some(Assumption::NoFault(Property::Race))
        }
        weak => Some(match machine.config().memory_model {
            MemoryModel::Sc => Assumption::SequentialConsistency(weak),
            model => Assumption::MemoryModel(model, weak),
        }),
    }
}

/// The properties whose violation ended executions, one assumption each.
fn no_faults(machine: &Machine, warnings: &[Warning]) -> impl Iterator<Item = Assumption> {
    let assumed = machine.config().assumed;
    let met: Properties = warnings
        .iter()
        .filter(|warning| warning.fault.kind.is_undefined())
        .map(|warning| warning.fault.kind.property())
        .filter(|property| assumed.has(*property))
        .collect();
    met.iter().map(Assumption::NoFault)
}

fn weak_memory(program: &Program, properties: Properties) -> Option<WeakMemory> {
    let mut code = program.functions.iter().flat_map(|function| &function.code);
    if !code.any(creates) {
        return None;
    }
    match weak_atomic(program) {
        Some(at) => Some(WeakMemory::Atomics { at }),
        None => (!properties.has(Property::Race)).then_some(WeakMemory::Races),
    }
}

/// Where the program has an atomic operation that is weaker than sequentially
/// consistent. The run-time library's own bookkeeping, which is undivided, is
/// none of the program's.
fn weak_atomic(program: &Program) -> Option<Location> {
    program.functions.iter().zip(0..).find_map(|(function, id)| {
        let mut undivided = false;
        let pc = function.code.iter().position(|instr| {
            match instr {
                Instr::AtomicBegin { orders: false } => undivided = true,
                Instr::AtomicEnd { orders: false } => undivided = false,
                _ => {}
            }
            !undivided && is_weak_atomic(instr)
        })?;
        Some(program.location(ir::FuncId(id), function.spans.get(pc).copied().unwrap_or_default()))
    })
}

fn is_weak_atomic(instr: &Instr) -> bool {
    let weak = |order: Order| order != Order::SeqCst;
    match instr {
        Instr::Load { access, .. } | Instr::Store { access, .. } => access.order.is_some_and(weak),
        Instr::AtomicRmw { order, .. } => weak(*order),
        Instr::CompareExchange(exchange) => weak(exchange.success) || weak(exchange.failure),
        _ => false,
    }
}

/// Whether only some of the values were tried that the program may meet.
fn nondet_range(machine: &Machine) -> Option<Assumption> {
    let (low, high) = machine.config().nondet_range?;
    let unbounded = |instr: &Instr| matches!(instr, Instr::Nondet { domain: Domain::Full, width: 2.., .. });
    let narrowed = machine.program().functions.iter().any(|f| f.code.iter().any(unbounded));
    narrowed.then_some(Assumption::NondetRange { low, high })
}

fn harmless(program: &Program) -> Option<Assumption> {
    let functions = program.harmless.clone();
    (!functions.is_empty()).then_some(Assumption::Harmless { functions })
}

/// What is taken for granted about the heap of a program that has one.
fn allocation(program: &Program) -> Option<Assumption> {
    let allocates = |instr: &Instr| matches!(instr, Instr::Malloc { .. });
    let everywhere = success(program, allocates, ALLOCATION_FAILS)?;
    Some(Assumption::AllocationSucceeds { everywhere })
}

/// The same about threads.
fn creation(program: &Program) -> Option<Assumption> {
    let everywhere = success(program, creates, CREATION_FAILS)?;
    Some(Assumption::CreationSucceeds { everywhere })
}

fn creates(instr: &Instr) -> bool {
    matches!(instr, Instr::Sync { op: SyncOp::ThreadCreate, .. })
}

/// Whether what some instructions do never fails anywhere; nothing if it may
/// fail wherever there is such an instruction.
fn success(program: &Program, does: fn(&Instr) -> bool, failure: &str) -> Option<bool> {
    let doing = || program.functions.iter().filter(|function| function.code.iter().any(does));
    let may_fail = |function: &&Function| has_choice(program, function, failure);
    let everywhere = !doing().any(|function| may_fail(&function));
    doing().any(|function| !may_fail(&function)).then_some(everywhere)
}

/// Whether this function has the choice to fail.
fn has_choice(program: &Program, function: &Function, failure: &str) -> bool {
    let fails =
        |instr: &Instr| matches!(instr, Instr::Nondet { origin, .. } if program.name(*origin) == failure);
    function.code.iter().any(fails)
}

/// The run-time library has this function where the program installs handlers.
fn signals(program: &Program) -> Option<Assumption> {
    let is = |function: &ir::Function| program.name(function.name) == "__tp_run_abort_handler";
    let handles = program.functions.iter().any(is);
    handles.then(|| Assumption::Environment("no signals come from outside".to_owned()))
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::SequentialConsistency(weak) => write!(f, "memory is sequentially consistent; {weak}"),
            Assumption::MemoryModel(model, weak) => write!(f, "memory is as under {model}; {weak}"),
            Assumption::NondetRange { low, high } => {
                write!(f, "nondeterministic values without bounds lie between {low} and {high}")
            }
            Assumption::Harmless { functions } => {
                write!(f, "these functions do nothing that matters: {}", functions.join(", "))
            }
            Assumption::NoFault(property) => {
                write!(f, "no execution violates `{}`, which was not looked for", property.name())
            }
            Assumption::Suppressed { faults } => {
                write!(f, "these faults, which were met, are intended: {}", faults.join(", "))
            }
            Assumption::VolatileAtomic => f.write_str("volatile accesses of up to a word are atomic"),
            Assumption::AllocationSucceeds { everywhere: true } => f.write_str("allocation never fails"),
            Assumption::AllocationSucceeds { everywhere: false } => {
                f.write_str("allocation never fails where it would throw an exception")
            }
            Assumption::CreationSucceeds { everywhere: true } => f.write_str("creating a thread never fails"),
            Assumption::CreationSucceeds { everywhere: false } => {
                f.write_str("creating a thread never fails where it would throw an exception")
            }
            Assumption::AddressNumbers => {
                f.write_str("addresses, with which the program computes, are numbers of one layout in memory")
            }
            Assumption::ReadersOvertake => f.write_str(
                "readers never wait behind a writer that waits, also at locks that prefer writers",
            ),
            Assumption::Environment(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for WeakMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeakMemory::Races => {
                f.write_str("data races, which were not looked for, could make a difference")
            }
            WeakMemory::Atomics { at } => {
                write!(f, "the program has weaker atomic operations, such as the one at {at}")
            }
        }
    }
}
