//! Formulas of temporal logic.

use std::sync::Arc;
use std::time::Duration;

use engine::counters::STATES;
use engine::{Bounds, Budget, Engine, Outcome, Progress, Task, Verdict};
use explicit::Options;
use machine::{Config, Grain, Machine, Property, Question, Temporal};

use crate::explicit::search_with;
use crate::header::{Expect, Formula, Header};
use crate::program::{Subject, out_of_budget};
use crate::verify;

/// The longest that an engine other than `explicit` is at a formula.
const OTHERS: Duration = Duration::from_secs(1);

/// Checks each formula.
pub fn all(subject: &Subject, header: &Header) -> Vec<String> {
    let mut all = Vec::new();
    for formula in &header.formulas {
        let differences = verdict(subject, header, formula).unwrap_or_else(|error| vec![error]);
        all.extend(differences.into_iter().map(|difference| format!("{}: {difference}", formula.text)));
    }
    all
}

/// The verdict is the expected one, with and without reduction; the counterexample is replayed,
/// and nothing depends on the number of threads.
fn verdict(subject: &Subject, header: &Header, formula: &Formula) -> Result<Vec<String>, String> {
    let machine = machine(subject, header, formula)?;
    let expect = Expect { property: Property::Ltl.name().to_owned(), verdict: formula.verdict.clone() };
    let mut differences = Vec::new();
    let search = |threads: usize, reduction: Grain| {
        search_with(subject, &machine, threads, Options { reduction, ..Options::default() })
    };
    let one = search(1, Grain::Visible);
    differences.extend(verify::outcome(subject, &machine, &expect, &one).err());
    let full = search(1, Grain::Instruction);
    if !out_of_budget(&full) {
        let result = verify::outcome(subject, &machine, &expect, &full).err();
        differences.extend(result.map(|error| format!("without reduction: {error}")));
    }
    let two = search(2, Grain::Visible);
    let told = |outcome: &Outcome| (outcome.verdict.clone(), outcome.stats.count(STATES));
    if format!("{:?}", told(&one)) != format!("{:?}", told(&two)) {
        differences.push("two threads find something else than one".to_owned());
    }
    if machine.has_monitor() {
        differences.extend(others(subject, &machine, &expect));
    }
    Ok(differences)
}

/// The other engines that decide safety formulas have the same verdict, if they have any.
fn others(subject: &Subject, machine: &Machine, expect: &Expect) -> Vec<String> {
    let engines: [&dyn Engine; 3] =
        [&reference::Reference::default(), &stateless::Stateless::default(), &bounded::Bounded::default()];
    let differs = |engine: &&dyn Engine| {
        let budget = Budget::unlimited().with_timeout(Some(OTHERS)).with_memory_limit(Some(6 << 30));
        let (bounds, progress) = (Bounds::default(), Progress::default());
        let outcome = engine.check(&Task { machine, budget: &budget, bounds, progress: &progress });
        let decided = !matches!(outcome.verdict, Verdict::Unknown { .. });
        let result = decided.then(|| verify::outcome(subject, machine, expect, &outcome).err()).flatten();
        result.map(|error| format!("{}: {error}", engine.name()))
    };
    engines.iter().filter_map(differs).collect()
}

fn machine(subject: &Subject, header: &Header, formula: &Formula) -> Result<Machine, String> {
    let question = Question {
        formulas: vec![formula.text.clone()],
        names: header.propositions.clone(),
        fairness: formula.fairness,
    };
    let temporal = Some(Temporal::new(question, &subject.program)?);
    let config = subject.config([Property::Ltl].into_iter().collect())?;
    Ok(Machine::new(Arc::clone(&subject.program), Config { temporal, ..config }))
}
