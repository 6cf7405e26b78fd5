//! What can go wrong before a native program runs.

use std::path::PathBuf;

/// Why there is no native run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program cannot be loaded or instrumented.
    #[error(transparent)]
    Frontend(#[from] frontend::Error),
    /// A file cannot be written or read.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no clang.
    #[error("neither clang-19 nor clang was found: install the package clang-19")]
    NoClang,
    /// Clang cannot make a program of the module.
    #[error("clang cannot build the native program:\n{0}")]
    Build(String),
    /// The same for a 32-bit program.
    #[error(
        "clang cannot build a native program of 32 bits (are gcc-multilib and g++-multilib installed?):\n{0}"
    )]
    Build32(String),
    /// The program cannot be started.
    #[error("the native program cannot be started: {0}")]
    Start(std::io::Error),
    /// A schedule of another program.
    #[error("the schedule belongs to another program, or the program was changed since it was made")]
    OtherProgram,
    /// A schedule names an instruction that cannot be found.
    #[error("the schedule names {0}, which is not in the program")]
    NoSite(ir::Site),
    /// A schedule has an event whose end native code cannot tell.
    #[error("nothing can be put after {0}, since others go on there as well: the event has no end")]
    NoEnd(ir::Site),
    /// An execution that no schedule can describe.
    #[error("others run in the middle of an atomic section, which a schedule has as one event")]
    LeavesSection,
    /// The trace does not replay on the machine.
    #[error("the trace does not replay: {0}")]
    Diverged(Box<trace::Divergence>),
}
