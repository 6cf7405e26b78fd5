//! A program of the corpus under a memory model with store buffers.

use std::sync::Arc;

use engine::Outcome;
use explicit::Options;
use machine::{Grain, MemoryModel, Property};
use threadproof::args::{CheckArgs, MemoryArgs, Model};

use crate::bounded;
use crate::default;
use crate::explicit::{counts, search_with};
use crate::fences;
use crate::header::{Expect, Header, Weak};
use crate::program::{Aimless, Subject, check, final_states, properties};
use crate::stateless;
use crate::verify;

/// All that differs from what is expected: by the engines that follow the model, one
/// by one, and by those that are asked if none is named.
pub fn all(subject: &Subject, header: &Header, expected: &Weak) -> Vec<String> {
    let subject = under(subject, expected.model);
    let mut differences = Vec::new();
    for expect in &expected.expects {
        differences.extend(check(&subject, &header.by_trying(expect)));
        differences.extend(default::verdict(&subject, expect));
        differences.extend(by_bounded(&subject, expect));
    }
    if let Some(count) = expected.final_states {
        differences.extend(final_states(&subject, count));
    }
    if let Some(verdict) = robustness(header, expected) {
        let expect = Expect { property: Property::Robust.name().to_owned(), verdict: verdict.to_owned() };
        differences.extend(robust(&subject, &expect));
    }
    if let Some(fences) = expected.fences {
        differences.extend(fences::fewest(&subject, fences).err());
    }
    differences.extend(counts(&subject));
    // Which executions are not followed depends on where steps end.
    if expected.expects.iter().all(|expect| header.by_trying(expect).verdict != "unknown") {
        differences.extend(stateless::counts(&subject, None));
    }
    let model = expected.model;
    differences.into_iter().map(|difference| format!("under {model}: {difference}")).collect()
}

/// Whether the program is robust, if that follows from what is expected: a weaker model has all
/// final states of a stronger one, so that as many mean the same ones. That an assertion fails is
/// an end of its own.
fn robustness(header: &Header, expected: &Weak) -> Option<&'static str> {
    let (strong, weak) = (header.final_states?, expected.final_states?);
    let verdict = |expects: &[Expect]| {
        let found = expects.iter().find(|expect| expect.property == Property::Assert.name());
        found.map_or("safe".to_owned(), |expect| expect.verdict.clone())
    };
    match (verdict(&header.expects).as_str(), verdict(&expected.expects).as_str()) {
        _ if strong != weak => Some("unsafe"),
        ("safe", "unsafe") => Some("unsafe"),
        (_, "safe") => Some("safe"),
        _ => None,
    }
}

/// The verdict of `bounded`, which has to answer where others do.
fn by_bounded(subject: &Subject, expect: &Expect) -> Option<String> {
    let property = Property::from_name(&expect.property)?;
    let machine = subject.machine([property].into_iter().collect()).ok()?;
    let decides = Property::safety().any(|other| other == property);
    decides.then(|| bounded::verdict(subject, &machine, expect, bounded::Part::Alone)).flatten()
}

/// Robustness, by the engines that decide it.
fn robust(subject: &Subject, expect: &Expect) -> Vec<String> {
    let machine = match subject.machine(properties(&expect.property)) {
        Ok(machine) => machine,
        Err(error) => return vec![error],
    };
    let unreduced = Options { reduction: Grain::Instruction, ..Options::default() };
    let outcomes = [
        subject.search(&machine, Grain::Visible),
        search_with(subject, &machine, 2, Options::default()),
        search_with(subject, &machine, 1, unreduced),
    ];
    let wrong = |outcome: &Outcome| verify::outcome(subject, &machine, expect, outcome).err();
    outcomes.iter().filter_map(wrong).map(|error| format!("robust: {error}")).collect()
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
        aimless: Aimless::default(),
    }
}
