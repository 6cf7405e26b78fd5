//! The file beside a schedule: why what the schedule permits is safe.

use ir::{Instr, Program};
use machine::Config;
use schedule::{Arguments, Failure, Schedule};
use serde::{Deserialize, Serialize};
use trace::{Options, content_hash};

use crate::certificate::{Certificate, ReadError};

/// The version of the format that this build writes and reads.
const FORMAT: u32 = 2;

/// A proof of a schedule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScheduleCertificate {
    /// The version of the format.
    pub schedule_certificate: u32,
    /// The hash of the schedule.
    pub schedule: String,
    /// The schedule that the proof is about, if it is another one: its events are single
    /// instructions, one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finer: Option<Schedule>,
    /// The proof, with what it is a proof of.
    #[serde(flatten)]
    pub certificate: Certificate,
}

impl ScheduleCertificate {
    /// A certificate for a schedule.
    pub fn new(
        schedule: &Schedule,
        finer: Option<Schedule>,
        certificate: Certificate,
    ) -> ScheduleCertificate {
        ScheduleCertificate { schedule_certificate: FORMAT, schedule: hash(schedule), finer, certificate }
    }

    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<ScheduleCertificate, ReadError> {
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(ReadError::Json)?;
        let found = value.get("schedule_certificate").and_then(serde_json::Value::as_u64);
        match found.ok_or(ReadError::NoFormat)? {
            found if found == u64::from(FORMAT) => serde_json::from_value(value).map_err(ReadError::Shape),
            found => Err(ReadError::Format { found }),
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a certificate has only string keys") + "\n"
    }

    /// Whether it was made for this schedule.
    pub fn is_for(&self, schedule: &Schedule) -> bool {
        self.schedule == hash(schedule)
    }
}

/// Shows that a program whose executions are all safe needs no schedule. The proof is about
/// interleavings and about executions in which assumptions hold. Natively it says something
/// only if no accesses race, and if no assumption stands for synchronisation.
pub fn needs_no_schedule(program: &Program) -> Result<(), &'static str> {
    let has = |is_such: fn(&Instr) -> bool| {
        program.functions.iter().flat_map(|function| &function.code).any(is_such)
    };
    let waits = has(|instr| matches!(instr, Instr::AtomicBegin { orders: true }));
    if waits && has(|instr| matches!(instr, Instr::Assume { .. })) {
        return Err("assumptions may stand for synchronisation, which only a schedule can make hold");
    }
    let found = analysis::analyse(program);
    match found.is_ok_and(|found| found.pairs.is_empty() && found.unsupported.is_none()) {
        true => Ok(()),
        false => Err("it is not known that no accesses race"),
    }
}

/// The arguments that a proof with these options is about, if the program looks at its arguments.
pub fn arguments(program: &Program, options: &Options) -> Option<Arguments> {
    if let Some(words) = &options.args {
        return Some(Arguments::Given(words.split_whitespace().map(str::to_owned).collect()));
    }
    let mut code = program.functions.iter().flat_map(|function| &function.code);
    let is_count =
        |instr: &Instr| matches!(instr, Instr::Nondet { origin, .. } if program.name(*origin) == "argc");
    let (count, length) = (options.max_args, options.max_arg_length);
    code.any(is_count).then_some(Arguments::Most { count, length })
}

/// What may fail in a proof with these options.
pub fn may_fail(options: &Options) -> Vec<Failure> {
    let all = [(options.malloc_may_fail, Failure::Allocation), (options.create_may_fail, Failure::Creation)];
    all.into_iter().filter(|(may, _)| *may).map(|(_, failure)| failure).collect()
}

/// Shows that a proof with these options is about all that the program can be given. A schedule
/// restricts the order of events, and nothing else.
pub fn restricts_nothing_else(options: &Options) -> Result<(), &'static str> {
    let refused = [
        (options.nondet_range.is_some(), "its proof is about some inputs only"),
        (!options.assumed.is_empty(), "its proof takes for granted that there are no faults of some kind"),
        (options.error_calls_only, "its proof is about some assertions only"),
        (
            options.stack_limit > Config::default().stack_limit,
            "its proof is about larger stacks than threads have",
        ),
    ];
    refused.into_iter().find(|(is_so, _)| *is_so).map_or(Ok(()), |(_, why)| Err(why))
}

/// The hash of a schedule: nothing in it may change.
fn hash(schedule: &Schedule) -> String {
    content_hash(schedule.to_json().as_bytes())
}
