//! Runs clang.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::{DataModel, Error, Options};

const HEADER: &str = include_str!("../include/threadproof.h");

/// A module that takes LLVM longer than this to read is refused.
const READER_TIME: Duration = Duration::from_secs(20);

/// Kinds of inputs.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    C,
    Preprocessed,
    Cpp,
    Module,
}

fn kind(path: &Path) -> Result<Kind, Error> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("c") => Ok(Kind::C),
        Some("i") => Ok(Kind::Preprocessed),
        Some("cpp" | "cc" | "cxx" | "C" | "ii") => Ok(Kind::Cpp),
        Some("ll" | "bc") => Ok(Kind::Module),
        _ => Err(Error::UnknownKind(path.to_owned())),
    }
}

/// Whether an input was compiled elsewhere, with optimisations perhaps.
pub fn is_module(path: &Path) -> bool {
    kind(path).is_ok_and(|kind| kind == Kind::Module)
}

/// What `inline` means in C.
#[derive(Clone, Copy, PartialEq)]
pub enum Inline {
    /// What the language standard in force says.
    Standard,
    /// What it meant in GNU C before C99.
    Gnu89,
}

/// Whether compiling the input with other rules for `inline` may define other
/// functions: whether it is C, and says `inline` itself or includes what may.
/// The headers of the system do not depend on these rules.
pub fn may_define_inline(path: &Path, options: &Options) -> Result<bool, Error> {
    if !matches!(kind(path)?, Kind::C | Kind::Preprocessed) {
        return Ok(false);
    }
    let bytes = std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let text = String::from_utf8_lossy(&bytes).to_lowercase();
    // Flags may define macros, and name folders of headers, unless they are the linker's.
    let says = |flag: &String| !flag.starts_with("-Wl,");
    let elsewhere = options.flags_of(path).any(says) || text.contains("include \"");
    Ok(elsewhere || text.contains("inline"))
}

/// The LLVM module of an input, compiled if it is not one already.
pub fn compile(path: &Path, options: &Options, inline: Inline) -> Result<Vec<u8>, Error> {
    let kind = kind(path)?;
    let bytes = std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    if kind == Kind::Module {
        probe(path)?;
        return Ok(bytes);
    }
    let directory = tempfile::tempdir().map_err(Error::Temporary)?;
    std::fs::write(directory.path().join("threadproof.h"), HEADER).map_err(Error::Temporary)?;
    let source = match kind {
        Kind::Preprocessed => own_lines(path, &bytes, directory.path())?,
        _ => path.to_owned(),
    };
    let output = directory.path().join("program.bc");
    let flags: Vec<&String> = options.flags_of(path).collect();
    let mut arguments = arguments(&source, kind, directory.path(), &output, options.data_model, &flags);
    if inline == Inline::Gnu89 {
        arguments.insert(0, "-fgnu89-inline".into());
    }
    let result = run(&arguments)?;
    if !result.status.success() {
        let diagnostics = String::from_utf8_lossy(&result.stderr).trim_end().to_owned();
        return Err(Error::Compile { path: path.to_owned(), diagnostics: first_screen(&diagnostics) });
    }
    std::fs::read(&output).map_err(Error::Temporary)
}

/// The user's flags come after those that they may change, and before those
/// that everything else relies on.
fn arguments(
    source: &Path,
    kind: Kind,
    include: &Path,
    output: &Path,
    data_model: DataModel,
    flags: &[&String],
) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut add = |flags: &[&str]| arguments.extend(flags.iter().map(OsString::from));
    // Old C that every compiler took until recently.
    add(&["-Wno-int-conversion", "-Wno-implicit-function-declaration", "-Wno-implicit-int"]);
    add(&["-Wno-incompatible-function-pointer-types", "-Wno-return-type", "-pthread"]);
    if kind == Kind::Cpp {
        // libstdc++ then checks indices, and has strings in its headers instead of its binary.
        add(&["-D_GLIBCXX_ASSERTIONS"]);
        // The members of classes whose constructors are in a binary have names, too.
        add(&["-Xclang", "-fno-use-ctor-homing"]);
    }
    if data_model == DataModel::Ilp32 {
        // The kernel's headers are the same for both models; Debian has them in one place.
        add(&["-m32", "-idirafter", "/usr/include/x86_64-linux-gnu"]);
    }
    if data_model == DataModel::Ilp32 && kind == Kind::Cpp {
        arguments.extend(cpp_headers());
    }
    arguments.extend(["-I".into(), include.into()]);
    arguments.extend(flags.iter().map(OsString::from));
    let mut add = |flags: &[&str]| arguments.extend(flags.iter().map(OsString::from));
    add(&["-O0", "-g", "-w", "-c", "-emit-llvm", "-fno-discard-value-names"]);
    // Without optnone the functions are as usual; the scopes of locals are
    // marked at -O0 only for the address sanitizer's check of them.
    add(&["-Xclang", "-disable-O0-optnone", "-Xclang", "-fsanitize-address-use-after-scope"]);
    // What the module alone does not tell: see `llvm::take_out_checks`.
    add(&["-fsanitize=shift,integer-divide-by-zero,float-cast-overflow", "-fno-sanitize-recover=all"]);
    let wraps = |flag: &&String| *flag == "-fwrapv" || *flag == "-fno-strict-overflow";
    if !flags.iter().any(wraps) {
        add(&["-fsanitize=signed-integer-overflow"]);
    }
    add(&["-fno-color-diagnostics", "-fno-crash-diagnostics", "-x"]);
    add(match kind {
        Kind::C => &["c"],
        Kind::Preprocessed => &["cpp-output"],
        _ => &["c++"],
    });
    arguments.extend(["-o".into(), output.into(), "--".into(), source.into()]);
    arguments
}

/// LLVM's readers can crash on files that are not what they seem, so a module
/// from outside is first read by a process that may.
fn probe(path: &Path) -> Result<(), Error> {
    let flags = ["-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-w", "-fno-crash-diagnostics"];
    let mut arguments: Vec<OsString> = flags.iter().map(OsString::from).collect();
    arguments.extend(["-fno-color-diagnostics", "-o", "/dev/null", "-x", "ir", "--"].map(OsString::from));
    arguments.push(path.into());
    let unreadable = |message: String| Error::Unreadable { path: path.to_owned(), message };
    let Some(output) = run_for(&arguments, READER_TIME)? else {
        return Err(unreadable("LLVM takes too long to read it".to_owned()));
    };
    match output.status.code() {
        Some(0) if output.stderr.is_empty() => Ok(()),
        // Something that LLVM can read but repairs, such as broken debug information.
        Some(0 | 1) => Err(unreadable(first_screen(String::from_utf8_lossy(&output.stderr).trim_end()))),
        _ => Err(unreadable("LLVM crashes when it reads it".to_owned())),
    }
}

/// Runs clang for at most this long; `None` if it was not done by then.
fn run_for(arguments: &[OsString], limit: Duration) -> Result<Option<Output>, Error> {
    let start = Instant::now();
    let mut command = Command::new(compiler()?);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Error::Temporary)?;
    // The messages must be taken while it runs, or it could wait for a reader forever.
    let mut stderr = child.stderr.take();
    let messages = std::thread::spawn(move || {
        let mut text = Vec::new();
        stderr.as_mut().map(|s| s.read_to_end(&mut text));
        text
    });
    while child.try_wait().map_err(Error::Temporary)?.is_none() {
        if start.elapsed() > limit {
            child.kill().map_err(Error::Temporary)?;
            child.wait().map_err(Error::Temporary)?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let status = child.wait().map_err(Error::Temporary)?;
    let stderr = messages.join().unwrap_or_default();
    Ok(Some(Output { status, stdout: Vec::new(), stderr }))
}

/// Without the packages for linking 32-bit C++, clang does not find libstdc++'s
/// headers; those for 64 bits do as well.
fn cpp_headers() -> Vec<OsString> {
    let version = |entry: std::fs::DirEntry| entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok());
    let entries = std::fs::read_dir("/usr/include/c++").into_iter().flatten().flatten();
    let Some(latest) = entries.filter_map(version).max() else { return Vec::new() };
    let folders =
        [format!("/usr/include/c++/{latest}"), format!("/usr/include/x86_64-linux-gnu/c++/{latest}")];
    folders.into_iter().flat_map(|folder| ["-stdlib++-isystem".into(), folder.into()]).collect()
}

fn run(arguments: &[OsString]) -> Result<Output, Error> {
    Command::new(compiler()?).args(arguments).output().map_err(Error::Temporary)
}

/// The clang to use: `clang-19`, or else `clang`.
pub fn compiler() -> Result<&'static str, Error> {
    static FOUND: OnceLock<Option<&'static str>> = OnceLock::new();
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    FOUND.get_or_init(|| ["clang-19", "clang"].into_iter().find(works)).ok_or(Error::NoClang)
}

/// Preprocessed files point back to a source that is usually not there. Then
/// positions should be those in the file itself, so its line markers go.
fn own_lines(path: &Path, bytes: &[u8], directory: &Path) -> Result<PathBuf, Error> {
    let text = String::from_utf8_lossy(bytes);
    let named = text.lines().find_map(marker);
    let beside = path.parent().unwrap_or(Path::new("."));
    if named.is_some_and(|name| beside.join(name).is_file() || Path::new(name).is_file()) {
        return Ok(path.to_owned());
    }
    let full = std::path::absolute(path).map_err(Error::Temporary)?;
    let mut own = format!("# 1 \"{}\"\n", full.display().to_string().escape_default());
    for line in text.lines() {
        if marker(line).is_none() {
            own.push_str(line);
        }
        own.push('\n');
    }
    let copy = directory.join("program.i");
    std::fs::write(&copy, own).map_err(Error::Temporary)?;
    Ok(copy)
}

/// The file a line marker (`# 12 "file.c" 2`) names.
fn marker(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let name = rest.strip_prefix('"')?;
    Some(&name[..name.find('"')?])
}

/// What fits on one screen.
fn first_screen(text: &str) -> String {
    const LINES: usize = 20;
    let mut lines: Vec<&str> = text.lines().take(LINES).collect();
    if text.lines().count() > LINES {
        lines.push("...");
    }
    lines.join("\n")
}
