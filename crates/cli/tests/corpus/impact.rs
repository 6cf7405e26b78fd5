//! The engine `impact` on a program of the corpus.

use std::time::{Duration, Instant};

use certify::{Certificate, Proof};
use engine::{Bounds, Budget, Engine, Progress, Task, Verdict};
use impact::{Impact, Keeper, Options, Order, Por};
use logic::Limits;
use machine::{Machine, Property};

use crate::header::Expect;
use crate::program::Subject;
use crate::verify;

/// What takes longer is left to the other engines, if they can do it.
const TIME_LIMIT: Duration = Duration::from_millis(700);
const ALONE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// How long the check of a proof may take.
const CERTIFY_TIME_LIMIT: Duration = Duration::from_secs(120);

/// The verdict is the expected one. Only where other engines give it too may
/// this one answer that it does not know.
pub fn verdict(subject: &Subject, machine: &Machine, expect: &Expect, alone: bool) -> Option<String> {
    let keeper = Keeper::default();
    // Where nothing but this engine is tested, or no other can do it, other options are tried, too.
    let varies = alone || std::env::var_os("IMPACT").is_some();
    let engine = Impact { options: Options { keeper: Some(keeper.clone()), ..Options::default() } };
    let decides =
        Property::from_name(&expect.property).is_some_and(|property| engine.decides().has(property));
    if !decides || subject.args.depth.is_some() {
        return None;
    }
    let limit = if alone { ALONE_TIME_LIMIT } else { TIME_LIMIT };
    let budget = Budget::unlimited().with_timeout(Some(limit)).with_memory_limit(Some(6 << 30));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let outcome = engine.check(&Task { machine, budget: &budget, bounds, progress: &progress });
    if !alone && matches!(outcome.verdict, Verdict::Unknown { .. }) {
        return None;
    }
    let verified = verify::outcome(subject, machine, expect, &outcome);
    let checked = verified.and_then(|()| match outcome.verdict {
        Verdict::Holds { .. } => certify(subject, machine, keeper.take().ok_or("there is no proof")?),
        _ => Ok(()),
    });
    let alike = Options { orders: vec![Order::Alike], ..Options::default() };
    let checked = checked.and_then(|()| match varies {
        true => reduced(subject, machine, expect, alike).map_err(|error| format!("alike: {error}")),
        false => Ok(()),
    });
    // The paper's reductions are not for races.
    let has_papers = varies && expect.property != Property::Race.name();
    let papers = if has_papers { [Por::None, Por::Monotonic].to_vec() } else { Vec::new() };
    let checked = papers.into_iter().fold(checked, |checked, por| {
        checked.and_then(|()| {
            let options = Options { por: Some(por), ..Options::default() };
            reduced(subject, machine, expect, options).map_err(|error| format!("{por:?}: {error}"))
        })
    });
    checked.err().map(|error| format!("impact: {error}"))
}

/// With other options the verdict is the expected one, if there is one soon, and a proof is accepted.
fn reduced(subject: &Subject, machine: &Machine, expect: &Expect, options: Options) -> Result<(), String> {
    let keeper = Keeper::default();
    let options = Options { keeper: Some(keeper.clone()), ..options };
    let budget = Budget::unlimited().with_timeout(Some(TIME_LIMIT)).with_memory_limit(Some(6 << 30));
    let (bounds, progress) = (Bounds::default(), Progress::default());
    let task = Task { machine, budget: &budget, bounds, progress: &progress };
    let outcome = Impact { options }.check(&task);
    if matches!(outcome.verdict, Verdict::Unknown { .. }) {
        return Ok(());
    }
    verify::outcome(subject, machine, expect, &outcome)?;
    match outcome.verdict {
        Verdict::Holds { .. } => certify(subject, machine, keeper.take().ok_or("there is no proof")?),
        _ => Ok(()),
    }
}

/// The proof is accepted when it comes from its file.
fn certify(subject: &Subject, machine: &Machine, proof: Proof) -> Result<(), String> {
    let options = threadproof::options(&subject.args.input, machine.config());
    let certificate = Certificate::new("test", machine.program(), options, proof);
    let read = Certificate::parse(certificate.to_json().as_bytes()).map_err(|e| e.to_string())?;
    if read != certificate {
        return Err("the certificate is not what was read again".to_owned());
    }
    let limits = Limits { deadline: Some(Instant::now() + CERTIFY_TIME_LIMIT), ..Limits::default() };
    let checked = certify::check(machine, &read, limits).map_err(|e| e.to_string())?;
    checked.map(|_| ()).map_err(|rejection| format!("the certificate is rejected: {rejection}"))
}

/// The verdicts of this engine alone.
pub fn all(subject: &Subject, expects: &[Expect], unbounded: bool) -> Vec<String> {
    let verdict = |expect: &Expect| {
        let machine = subject.machine(crate::program::properties(&expect.property)).ok()?;
        verdict(subject, &machine, expect, unbounded)
    };
    expects.iter().filter_map(verdict).collect()
}
