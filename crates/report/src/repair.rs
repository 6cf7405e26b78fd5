//! What was found out about fences: where they make a program safe that a memory
//! model makes unsafe.

use ir::Location;
use machine::{MemoryModel, Side};
use serde::Serialize;

use crate::message::Label;

/// Places for fences, and what comes of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub enum Repair {
    /// With fences there the program is safe, as checking it again has shown, and no
    /// smaller number of them does it.
    Enough {
        /// Under this model.
        model: MemoryModel,
        /// The places.
        places: Vec<Proposed>,
    },
    /// Fences there are needed at least, but whether they are enough is not known.
    Unknown {
        /// Under this model.
        model: MemoryModel,
        /// The places.
        places: Vec<Proposed>,
        /// Why it is not known.
        reason: String,
    },
    /// No fences help.
    Useless {
        /// Under this model.
        model: MemoryModel,
        /// Why they do not.
        reason: String,
    },
}

/// A place for a fence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Proposed {
    /// On which side of an access it stands.
    pub side: Side,
    /// Where that access is.
    pub at: Location,
    /// Whether that is atomic.
    pub atomic: bool,
}

impl Repair {
    /// What was found out, in one line.
    pub fn summary(&self) -> String {
        match self {
            Repair::Enough { model, places } => {
                let (fences, fewer) = match places.len() {
                    1 => ("one fence makes".to_owned(), ""),
                    n => (format!("{n} fences make"), "; fewer would not"),
                };
                format!("{fences} the program safe under {model}, as checking again shows{fewer}")
            }
            Repair::Unknown { model, places, reason } => {
                let needed = places.len();
                format!(
                    "{needed} or more are needed under {model}; whether those below are enough is unknown: {reason}"
                )
            }
            Repair::Useless { model, reason } => {
                format!("none make the program safe under {model}: {reason}")
            }
        }
    }

    /// The places in the source.
    pub fn labels(&self) -> Vec<Label> {
        let (Repair::Enough { places, .. } | Repair::Unknown { places, .. }) = self else {
            return Vec::new();
        };
        places.iter().map(|place| Label { at: place.at.clone(), text: place.text(), primary: true }).collect()
    }
}

impl Proposed {
    /// A sequentially consistent store is made when all stores before it are committed,
    /// and is committed at once: it allows no more than a fence after it.
    fn text(&self) -> String {
        let text = match (self.side, self.atomic) {
            (Side::After, true) => "a fence after this store, or memory_order_seq_cst for it",
            (Side::After, false) => "a fence after this store",
            (Side::Before, _) => "a fence before this access",
        };
        text.to_owned()
    }
}
