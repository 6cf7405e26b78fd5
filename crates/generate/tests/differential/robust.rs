//! Robustness: final states that a memory model adds to those of sequential consistency.

use std::sync::{Arc, Mutex, PoisonError};

use ir::Program;
use machine::{Config, FinalStates, Finals, Grain, Machine, MemoryModel, Properties, Property};

use crate::common::Disagreement;
use crate::engines;
use crate::naive::enumerate;

/// The engine `explicit` must say that the program is robust under a model exactly if plain
/// enumerations, instruction by instruction, of both models end in the same states. Yields
/// whether it is not robust.
pub fn compare(program: &Arc<Program>, model: MemoryModel) -> Result<bool, Disagreement> {
    let strong = final_states(program, MemoryModel::Sc, Grain::Instruction);
    let weak = final_states(program, model, Grain::Instruction);
    let violated = !weak.is_subset(&strong);
    let known = final_states(program, MemoryModel::Sc, Grain::Visible);
    let machine = machine(program, model, Finals::Known(Arc::new(known)));
    engines::same_verdicts(&machine, Grain::Visible, violated)?;
    Ok(violated)
}

fn final_states(program: &Arc<Program>, model: MemoryModel, grain: Grain) -> FinalStates {
    let noted = Arc::new(Mutex::new(FinalStates::default()));
    let machine = machine(program, model, Finals::Noted(Arc::clone(&noted)));
    enumerate(&machine, grain, usize::MAX).expect("there is no limit");
    let noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
    noted.clone()
}

fn machine(program: &Arc<Program>, memory_model: MemoryModel, finals: Finals) -> Machine {
    let properties: Properties = [Property::Robust].into_iter().collect();
    let (assumed, finals) = (Properties::undefined(), Some(finals));
    let config = Config { properties, assumed, memory_model, finals, ..Config::default() };
    Machine::new(Arc::clone(program), config)
}
