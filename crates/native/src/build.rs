//! Runs clang on an instrumented module and the runtime.

use std::path::{Path, PathBuf};
use std::process::Command;

use frontend::DataModel;

use crate::Error;

/// What is built.
pub struct Job<'a> {
    /// The instrumented module.
    pub module: &'a [u8],
    /// The file of the runtime to compile with it.
    pub unit: &'a str,
    /// Further files that it includes, by name.
    pub files: &'a [(&'a str, Vec<u8>)],
    /// The inputs: they tell whether the program is C++.
    pub inputs: &'a [PathBuf],
    /// The user's compiler flags, of which those for the linker count.
    pub flags: &'a [String],
    /// Sizes of pointers and `long`.
    pub data_model: DataModel,
    /// Whether to optimise.
    pub optimise: bool,
    /// Whether to look at all accesses.
    pub sanitize: bool,
}

/// Builds a native program in a directory where only temporary files are.
pub fn build(job: &Job<'_>, directory: &Path, output: &Path) -> Result<(), Error> {
    let runtime = runtime::FILES.iter().map(|file| (file.name, file.text.as_bytes()));
    let files = runtime.chain(job.files.iter().map(|(name, bytes)| (*name, bytes.as_slice())));
    for (name, bytes) in files.chain([("program.bc", job.module)]) {
        write(&directory.join(name), bytes)?;
    }
    let mut clang = Command::new(frontend::compiler().map_err(|_| Error::NoClang)?);
    if is_cpp(job.inputs) {
        clang.arg("--driver-mode=g++");
    }
    clang.args(["-w", "-g", "-pthread", "-fno-color-diagnostics", "-fno-crash-diagnostics"]);
    clang.arg(if job.optimise { "-O2" } else { "-O0" });
    if job.data_model == DataModel::Ilp32 {
        clang.args(["-m32", "-idirafter", "/usr/include/x86_64-linux-gnu"]);
    }
    if job.sanitize {
        clang.arg("-fsanitize=address");
    }
    clang.arg("-I").arg(directory).args(["-x", "c"]).arg(directory.join(job.unit));
    clang.args(["-x", "ir"]).arg(directory.join("program.bc")).args(["-x", "none"]);
    clang.args(job.flags.iter().filter(is_for_linker));
    // What has no body anywhere is missed only where it is called.
    clang.args(["-ldl", "-lm", "-Wl,--unresolved-symbols=ignore-in-object-files", "-o"]).arg(output);
    let result = clang.output().map_err(Error::Start)?;
    match result.status.success() {
        true => Ok(()),
        false if job.data_model == DataModel::Ilp32 => Err(Error::Build32(messages(&result.stderr))),
        false => Err(Error::Build(messages(&result.stderr))),
    }
}

fn messages(stderr: &[u8]) -> String {
    String::from_utf8_lossy(stderr).trim_end().to_owned()
}

/// Bytes as a symbol of a C file: the assembler includes them.
pub fn embedded(symbol: &str, path: &Path) -> String {
    let path = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "__asm__(\".section .rodata\\n.balign 16\\n.global {symbol}\\n{symbol}:\\n\
         .incbin \\\"{path}\\\"\\n.byte 0\\n.text\\n\");\n"
    )
}

/// Writes a file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(path, bytes).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// Whether the C++ library is linked. Modules do not tell what they were made of.
fn is_cpp(inputs: &[PathBuf]) -> bool {
    let cpp = ["cpp", "cc", "cxx", "C", "ii", "ll", "bc"];
    inputs.iter().any(|path| path.extension().is_some_and(|e| cpp.iter().any(|known| e == *known)))
}

fn is_for_linker(flag: &&String) -> bool {
    ["-l", "-L", "-Wl,"].iter().any(|prefix| flag.starts_with(prefix))
}
