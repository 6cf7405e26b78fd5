//! A program of the corpus under a memory model with store buffers.

use std::sync::Arc;

use machine::MemoryModel;
use threadproof::args::{CheckArgs, MemoryArgs, Model};

use crate::default;
use crate::explicit;
use crate::header::Weak;
use crate::program::{Subject, check, final_states};
use crate::stateless;

/// All that differs from what is expected: by the engines that follow the model, one
/// by one, and by those that are asked if none is named.
pub fn all(subject: &Subject, expected: &Weak) -> Vec<String> {
    let subject = under(subject, expected.model);
    let mut differences = Vec::new();
    for expect in &expected.expects {
        differences.extend(check(&subject, expect));
        differences.extend(default::verdict(&subject, expect));
    }
    if let Some(count) = expected.final_states {
        differences.extend(final_states(&subject, count));
    }
    differences.extend(explicit::counts(&subject));
    // Which executions are not followed depends on where steps end.
    if expected.expects.iter().all(|expect| expect.verdict != "unknown") {
        differences.extend(stateless::counts(&subject, None));
    }
    let model = expected.model;
    differences.into_iter().map(|difference| format!("under {model}: {difference}")).collect()
}

fn under(subject: &Subject, model: MemoryModel) -> Subject {
    let memory_model = match model {
        MemoryModel::Sc => Model::Sc,
        MemoryModel::Tso => Model::Tso,
        MemoryModel::Pso => Model::Pso,
    };
    let memory = MemoryArgs { memory_model, ..subject.args.memory };
    Subject {
        args: CheckArgs { memory, ..subject.args.clone() },
        program: Arc::clone(&subject.program),
        assumed: subject.assumed,
        texts: subject.texts.clone(),
    }
}
