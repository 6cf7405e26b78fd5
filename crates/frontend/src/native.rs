//! The module of a native program: what is inserted for a runtime that holds
//! it to an order of events.

use rustc_hash::{FxHashMap, FxHashSet};

use ir::Site;

use crate::llvm::{Call, Context, Module, NamedCall, Opcode, Spot, Value};
use crate::lower::{
    blocks::counted,
    havoc,
    known::{self, Known},
};
use crate::{Error, Options};

/// A call that is inserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hook {
    /// The instruction.
    pub site: Site,
    /// Whether it is called after the instruction instead of before.
    pub after: bool,
    /// The function of the runtime. It takes a number.
    pub callee: &'static str,
    /// That number.
    pub id: u32,
}

/// All that is done to a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Instrumentation {
    /// The calls.
    pub hooks: Vec<Hook>,
    /// Calls that are left out, of functions that return 0 where they would stand.
    pub omitted: Vec<Site>,
    /// Calls that may be made to fail.
    pub failing: Vec<Site>,
    /// The function of the runtime that takes the function which such a call calls, and returns
    /// the one that is to be called.
    pub chooser: &'static str,
    /// Functions without a body that the runtime has instead, with this in front of their names.
    pub replaced: (&'static str, &'static [&'static str]),
    /// What the program's `main` is called afterwards.
    pub main: &'static str,
    /// The function of the runtime that gives inputs.
    pub input: &'static str,
    /// Functions without a body that return inputs, besides those that always do.
    pub inputs: FxHashSet<String>,
    /// Whether functions that the user takes as harmless give way to real ones that the program is
    /// linked with.
    pub keeps_harmless: bool,
    /// Whether the address sanitizer is to look at all accesses.
    pub sanitize: bool,
}

/// A module with its calls inserted.
pub struct Instrumented {
    /// The module as bitcode.
    pub module: Vec<u8>,
    /// The hooks that could not be placed.
    pub missed: Vec<Hook>,
    /// Those among them that have no place after an instruction, though the execution goes on
    /// there: others come there as well.
    pub shared: Vec<Hook>,
    /// The calls that cannot be made to fail.
    pub unfailing: Vec<Site>,
}

/// Inserts calls into the module of a program ([`crate::Linked::native`]).
pub fn instrument(module: &[u8], options: &Options, wanted: &Instrumentation) -> Result<Instrumented, Error> {
    let context = Context::new();
    let mut module = context.parse("the program", module).map_err(Error::Internal)?;
    let calls = omitted_calls(&module, &wanted.omitted)?;
    let failing = wanted.failing.iter().map(|site| called(&module, site)).collect::<Vec<_>>();
    let missed = insert_hooks(&mut module, &wanted.hooks);
    // After the hooks: they come before the choice of what is called.
    failing.iter().flatten().for_each(|call| module.choose_callee(*call, wanted.chooser));
    let shared = missed.iter().filter(|hook| hook.after && goes_on(&module, &hook.site)).cloned().collect();
    let missing = wanted.failing.iter().zip(&failing).filter(|(_, call)| call.is_none());
    let unfailing = missing.map(|(site, _)| site.clone()).collect();
    calls.into_iter().for_each(|call| module.leave_out(call));
    define_inputs(&mut module, options, wanted)?;
    leave_to_runtime(&mut module);
    replace_functions(&mut module, wanted.replaced);
    module.rename_function("main", wanted.main);
    if wanted.sanitize {
        module.sanitize_addresses();
    }
    module.verify().map_err(Error::Internal)?;
    Ok(Instrumented { module: module.bitcode(), missed, shared, unfailing })
}

/// The functions whose own instructions are executed, natively and by the
/// machine: those that have a body, and none that is known by its name.
pub(crate) fn executed(module: &Module<'_>) -> FxHashSet<String> {
    let has_body = |f: &Value<'_>| !f.is_declaration() && known::always(&f.name()).is_none();
    module.functions().filter(has_body).map(|f| f.name()).collect()
}

fn insert_hooks(module: &mut Module<'_>, hooks: &[Hook]) -> Vec<Hook> {
    let mut missed = Vec::new();
    let spots: Vec<Vec<Spot>> = {
        let mut numbered = FxHashMap::default();
        hooks.iter().map(|hook| spots(module, &mut numbered, hook)).collect()
    };
    let mut placed: Vec<(&Hook, Vec<Spot>)> = hooks.iter().zip(spots).collect();
    // What is called after an instruction comes before what is called before the next one: of two
    // calls at a spot the later one that is inserted is the later one.
    placed.sort_by_key(|(hook, _)| !hook.after);
    for (hook, spots) in placed {
        if spots.is_empty() {
            missed.push(hook.clone());
        }
        spots.into_iter().for_each(|spot| module.insert_call(spot, hook.callee, hook.id));
    }
    missed
}

/// Whether the execution goes on elsewhere after an instruction that ends its block.
fn goes_on(module: &Module<'_>, site: &Site) -> bool {
    instruction(module, site).is_some_and(|at| at.opcode() == Some(Opcode::LLVMInvoke))
}

/// Assumptions and atomic sections mean what the machine takes them for, whatever body the program
/// gives to their functions: the runtime has them.
fn leave_to_runtime(module: &mut Module<'_>) {
    let is_runtimes = |name: &String| {
        let known = known::always(name);
        matches!(known, Some(Known::Assume | Known::AtomicBegin { .. } | Known::AtomicEnd { .. }))
    };
    let defined = module.functions().filter(|function| !function.is_declaration());
    let names: Vec<String> = defined.map(|function| function.name()).filter(is_runtimes).collect();
    names.iter().for_each(|name| module.take_body(name));
}

fn replace_functions(module: &mut Module<'_>, (prefix, names): (&str, &[&str])) {
    for name in names {
        if module.function(name).is_some_and(|function| function.is_declaration()) {
            module.rename_function(name, &format!("{prefix}{name}"));
        }
    }
}

/// The calls to leave out.
fn omitted_calls(module: &Module<'_>, sites: &[Site]) -> Result<Vec<Call>, Error> {
    let call = |site: &Site| instruction(module, site).and_then(Call::of);
    let missing = |site: &Site| format!("{} {} is no call that can be left out", site.function, site.ordinal);
    sites.iter().map(|site| call(site).ok_or_else(|| Error::Internal(missing(site)))).collect()
}

/// The call at a site, if it says which function it calls.
fn called(module: &Module<'_>, site: &Site) -> Option<NamedCall> {
    instruction(module, site).and_then(NamedCall::of)
}

fn instruction<'m>(module: &'m Module<'_>, site: &Site) -> Option<Value<'m>> {
    let blocks = module.function(&site.function).map(|f| f.blocks()).unwrap_or_default();
    let mut instructions = blocks.into_iter().flat_map(counted);
    instructions.nth((site.ordinal as usize).checked_sub(1)?)
}

type Numbered<'m> = FxHashMap<String, Vec<Value<'m>>>;

/// Where a call is inserted. After the entry of a function is where it returns.
fn spots<'m>(module: &'m Module<'_>, numbered: &mut Numbered<'m>, hook: &Hook) -> Vec<Spot> {
    let Site { function, ordinal } = &hook.site;
    if !numbered.contains_key(function) {
        let blocks = module.function(function).map(|f| f.blocks()).unwrap_or_default();
        numbered.insert(function.clone(), blocks.into_iter().flat_map(counted).collect());
    }
    let instructions = &numbered[function];
    if hook.after && *ordinal == 0 {
        let returns = instructions.iter().filter(|i| i.opcode() == Some(Opcode::LLVMRet));
        return returns.filter_map(|i| Spot::before(*i)).collect();
    }
    let instruction = instructions.get((*ordinal as usize).saturating_sub(1));
    let spot = instruction.and_then(|i| if hook.after { Spot::after(*i) } else { Spot::before(*i) });
    spot.into_iter().collect()
}

/// The text of a program's module without positions, which tells programs apart.
pub fn fingerprint(module: &[u8]) -> Result<String, Error> {
    let context = Context::new();
    let module = context.parse("the program", module).map_err(Error::Internal)?;
    Ok(module.text_without_positions())
}

fn define_inputs(module: &mut Module<'_>, options: &Options, wanted: &Instrumentation) -> Result<(), Error> {
    let harmless = havoc::matching(module, &options.nondet_externs)?;
    let declared: Vec<String> = module.functions().filter(|f| f.is_declaration()).map(|f| f.name()).collect();
    for name in declared {
        let shown = known::unmangled(&name).to_owned();
        let is_input = matches!(known::declared(&name), Some(Known::Nondet | Known::NondetRange));
        if is_input || harmless.contains(&name) || wanted.inputs.contains(&name) {
            let replaceable = wanted.keeps_harmless && !is_input;
            // Where nothing uses its result a call is no input.
            if !replaceable {
                module.leave_out_unused(&name);
            }
            module.define_as_input(&name, &shown, wanted.input, replaceable);
        } else if known::always(&shown).is_some() && shown != name {
            // C++ that does not say that the function is one of C.
            module.rename_function(&name, &shown);
        }
    }
    Ok(())
}
