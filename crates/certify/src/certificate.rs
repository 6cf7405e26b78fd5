//! The file: a proof with what it is a proof of.
//!
//! The hashes tell a user that a file belongs to another program. The check does not
//! rest on them: it takes nothing from the certificate for granted, so that what it
//! accepts is a proof for the program at hand, wherever it came from.

use ir::Program;
use serde::{Deserialize, Serialize};
use trace::{Options, content_hash};

use crate::proof::Proof;

/// The version of the format that this build writes and reads.
pub const FORMAT: u32 = 1;

/// A proof with what it is a proof of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The version of the format.
    pub certificate: u32,
    /// The version of the tool that wrote it.
    pub tool: String,
    /// The hash of the program.
    pub program: String,
    /// What the program is loaded and executed with, and what is shown of it.
    pub options: Options,
    /// The hash of these.
    pub options_hash: String,
    /// Why it is safe.
    pub proof: Proof,
}

/// Why a file is not a certificate.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Not JSON.
    #[error("not a certificate: not valid JSON ({0})")]
    Json(serde_json::Error),
    /// JSON of another shape.
    #[error("not a certificate: {0}")]
    Shape(serde_json::Error),
    /// Not a file of ours.
    #[error("not a certificate: it has no number `certificate`")]
    NoFormat,
    /// One of another version.
    #[error(
        "the certificate has format {found}, this version of threadproof reads format {FORMAT}: check the \
         program again"
    )]
    Format {
        /// The file's version.
        found: u64,
    },
}

impl Certificate {
    /// A certificate for a program.
    pub fn new(tool: &str, program: &Program, options: Options, proof: Proof) -> Certificate {
        Certificate {
            certificate: FORMAT,
            tool: tool.to_owned(),
            program: program_hash(program),
            options_hash: options_hash(&options),
            options,
            proof,
        }
    }

    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<Certificate, ReadError> {
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(ReadError::Json)?;
        let found = value.get("certificate").and_then(serde_json::Value::as_u64);
        match found.ok_or(ReadError::NoFormat)? {
            found if found == u64::from(FORMAT) => serde_json::from_value(value).map_err(ReadError::Shape),
            found => Err(ReadError::Format { found }),
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a certificate has only string keys") + "\n"
    }

    /// Whether the options are those that it was made with.
    pub fn has_own_options(&self) -> bool {
        options_hash(&self.options) == self.options_hash
    }
}

/// The hash of a program, as it is after loading.
pub fn program_hash(program: &Program) -> String {
    content_hash(program.to_string().as_bytes())
}

fn options_hash(options: &Options) -> String {
    content_hash(&serde_json::to_vec(options).expect("options have only string keys"))
}
