//! The form of a trace on disk: with it, what the execution depends on.

use machine::{BUFFER_BOUND, Fault, MemoryModel, Property, Question};
use serde::{Deserialize, Serialize};

use crate::{Place, Trace};

/// The version of the format that this build writes and reads.
pub const FORMAT: u32 = 2;

/// A trace with everything that is needed to execute it again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedTrace {
    /// The version of the format.
    pub format: u32,
    /// The version of the tool that wrote it.
    pub tool: String,
    /// The directory that relative paths start from.
    pub directory: String,
    /// The files that were checked, as given.
    pub inputs: Vec<String>,
    /// The source files, headers included, with the hash of their contents.
    pub sources: Vec<SourceHash>,
    /// What the program was loaded and executed with.
    pub options: Options,
    /// The engine that found the fault.
    pub engine: String,
    /// The fault at the end.
    pub fault: Fault,
    /// The sites of the positions that the fault names.
    pub places: Vec<Place>,
    /// The choices that lead to it.
    pub trace: Trace,
}

/// A source file and what stood in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceHash {
    /// The path.
    pub path: String,
    /// The [`content_hash`] of its contents.
    pub hash: String,
}

/// The options that decide what the program does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Compiler flags.
    pub flags: Vec<String>,
    /// Compiler flags of single files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_flags: Vec<(String, Vec<String>)>,
    /// `ilp32` or `lp64`.
    pub data_model: String,
    /// External functions that return anything.
    pub havoc: Vec<String>,
    /// The program's arguments, if they were given.
    #[serde(default)]
    pub args: Option<String>,
    /// Otherwise, how many there can be.
    #[serde(default)]
    pub max_args: u32,
    /// And how many characters each can have.
    #[serde(default)]
    pub max_arg_length: u32,
    /// The range of nondeterministic values, if one was given.
    pub nondet_range: Option<(i64, i64)>,
    /// Bytes of stack a thread may use.
    pub stack_limit: u64,
    /// The memory model.
    #[serde(default)]
    pub memory_model: MemoryModel,
    /// How many stores of a thread could wait.
    #[serde(default = "buffer_bound")]
    pub buffer_bound: u32,
    /// What was checked.
    pub properties: Vec<Property>,
    /// What was taken not to happen.
    #[serde(default)]
    pub assumed: Vec<Property>,
    /// Whether only calls of error functions count as failures.
    #[serde(default)]
    pub error_calls_only: bool,
    /// Whether volatile accesses count as atomic.
    #[serde(default)]
    pub volatile_atomic: bool,
    /// Whether allocation may fail.
    #[serde(default)]
    pub malloc_may_fail: bool,
    /// Whether creating a thread may fail.
    #[serde(default)]
    pub create_may_fail: bool,
    /// The faults that were not to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<String>,
    /// Formulas of temporal logic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temporal: Option<Question>,
}

fn buffer_bound() -> u32 {
    BUFFER_BOUND
}

/// Why a file is not a trace.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Not JSON, or cut short.
    #[error("not a trace: not valid JSON ({0})")]
    Json(serde_json::Error),
    /// JSON of another shape.
    #[error("not a trace: {0}")]
    Shape(serde_json::Error),
    /// Not a file of ours.
    #[error("not a trace: it has no number `format`")]
    NoFormat,
    /// A trace of another version.
    #[error(
        "the trace has format {found}, this version of threadproof reads format {FORMAT}: check the program again"
    )]
    Format {
        /// The file's version.
        found: u64,
    },
}

impl SavedTrace {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a trace has only string keys");
        text.push('\n');
        text
    }

    /// Reads a file's contents; anything but a trace is an error.
    pub fn parse(bytes: &[u8]) -> Result<SavedTrace, ReadError> {
        // The version is looked at first: a file of another version may have
        // another shape, and should be told so.
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(ReadError::Json)?;
        let format = value.get("format").and_then(serde_json::Value::as_u64);
        match format.ok_or(ReadError::NoFormat)? {
            found if found != u64::from(FORMAT) => Err(ReadError::Format { found }),
            _ => serde_json::from_value(value).map_err(ReadError::Shape),
        }
    }
}

/// A fingerprint of a file's contents: FNV-1a of 128 bits, in hexadecimal. It
/// tells whether a source file changed; it is no protection against malice.
pub fn content_hash(bytes: &[u8]) -> String {
    const BASIS: u128 = 0x6c62272e07bb014262b821756295c58d;
    const PRIME: u128 = 0x0000000001000000000000000000013b;
    let hash = bytes.iter().fold(BASIS, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}
