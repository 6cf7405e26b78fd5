//! The functions of the run-time library have the parameters and results that
//! the system's headers declare: a call that is compiled with the headers would
//! otherwise pass something else than the library's body takes.
//!
//! Both sides are compared as LLVM types, for both data models.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Headers that declare what the library implements.
const HEADERS: [&str; 43] = [
    "alloca.h",
    "assert.h",
    "ctype.h",
    "err.h",
    "errno.h",
    "error.h",
    "fcntl.h",
    "getopt.h",
    "inttypes.h",
    "libgen.h",
    "malloc.h",
    "math.h",
    "netdb.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/epoll.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/times.h",
    "sys/types.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syslog.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// Functions that headers do not declare any more, and one that is a macro there.
const NOT_DECLARED: [&str; 3] = ["gets", "pthread_mutexattr_setkind_np", "assert"];

/// The headers give some functions other names, which say the standard.
const STANDARDS: [&str; 3] = ["", "__isoc99_", "__isoc23_"];

/// The types of functions by name.
type Types = BTreeMap<String, String>;

#[test]
fn functions_have_the_types_of_the_headers() {
    for model in ["-m64", "-m32"] {
        let library = library(model);
        assert!(library.len() > 300, "{model}: only {} functions were found", library.len());
        let headers = declared(&library, model);
        let declared = |name: &str| STANDARDS.iter().find_map(|it| headers.get(&format!("{it}{name}")));
        let differs = |name: &str, ours: &str| match declared(name) {
            Some(theirs) if theirs != ours => Some(format!("{name}: {ours} is {theirs} in the headers")),
            None if !may_be_undeclared(name) => Some(format!("{name}: no header declares it")),
            _ => None,
        };
        let different: Vec<String> = library.iter().filter_map(|(name, ours)| differs(name, ours)).collect();
        assert!(different.is_empty(), "{model}: {different:#?}");
    }
}

/// Names that are reserved for the implementation need not be declared.
fn may_be_undeclared(name: &str) -> bool {
    name.starts_with('_') || name.starts_with("tp_") || NOT_DECLARED.contains(&name)
}

/// What the library defines.
fn library(model: &str) -> Types {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rt");
    let sources = fs::read_dir(folder).expect("the crate has a folder rt");
    let sources = sources.map(|entry| entry.expect("rt is readable").path());
    let mut types = Types::new();
    for source in sources.filter(|path| path.extension().is_some_and(|e| e == "c")) {
        types.extend(functions(&module(&source, model), "define "));
    }
    types
}

/// What the headers declare of these functions.
fn declared(library: &Types, model: &str) -> Types {
    // The compiler knows these itself and takes no address of them.
    let has_address = |name: &&str| !name.starts_with("__atomic_");
    let mut names: Vec<&str> = library.keys().map(String::as_str).filter(has_address).collect();
    let folder = std::env::temp_dir().join(format!("prototypes{model}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    let source = folder.join("headers.c");
    write(&source, &names);
    let errors = clang(&source, model, &["-fsyntax-only", "-ferror-limit=0"]).stderr;
    let errors = String::from_utf8_lossy(&errors).into_owned();
    names.retain(|name| !errors.contains(&format!("'{name}'")));
    write(&source, &names);
    let types = functions(&module(&source, model), "declare ");
    fs::remove_dir_all(&folder).expect("the folder was made above");
    types
}

/// A program that takes the addresses of the functions.
fn write(source: &Path, names: &[&str]) {
    let includes = HEADERS.map(|header| format!("#include <{header}>\n")).concat();
    let uses = names.iter().map(|name| format!("#undef {name}\nvoid *use_{name} = (void *){name};\n"));
    fs::write(source, includes + &uses.collect::<String>()).expect("the test can write");
}

fn module(source: &Path, model: &str) -> String {
    let out = clang(source, model, &["-S", "-emit-llvm", "-o", "-"]);
    assert!(out.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("modules are text")
}

fn clang(source: &Path, model: &str, flags: &[&str]) -> Output {
    let include = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut clang = Command::new("clang-19");
    clang.args(["-O0", "-w", "-fno-builtin", "-ffreestanding", "-D_GNU_SOURCE", "-mcx16", model]);
    clang.args(["-idirafter", "/usr/include/x86_64-linux-gnu", "-I"]).arg(include);
    clang.args(flags).arg(source).output().expect("clang-19 runs")
}

/// The functions that lines with this beginning define or declare.
fn functions(module: &str, beginning: &str) -> Types {
    let lines = module.lines().filter(|line| line.starts_with(beginning) && !line.contains(" internal "));
    lines.filter_map(|line| function(&line[beginning.len()..])).collect()
}

fn function(line: &str) -> Option<(String, String)> {
    let (result, rest) = line.split_once('@')?;
    let (name, rest) = rest.split_once('(')?;
    if name.starts_with("llvm.") {
        return None;
    }
    let parameters: Vec<&str> = split(rest).into_iter().map(type_of).collect();
    let words = ["dso_local", "noundef", "zeroext", "signext", "noalias", "weak", "extern_weak", "nonnull"];
    let result: Vec<&str> = result.split(' ').filter(|word| !words.contains(word)).collect();
    Some((name.to_owned(), format!("{}({})", result.join(" ").trim(), parameters.join(", "))))
}

/// The parameters up to the closing parenthesis.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' | '<' => depth += 1,
            ',' | ')' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
                if c == ')' {
                    break;
                }
            }
            ')' | '}' | ']' | '>' => depth -= 1,
            _ => {}
        }
    }
    parts
}

/// The type at the beginning of a parameter, without attributes and its name.
fn type_of(parameter: &str) -> &str {
    match parameter.find(['}', ']', '>']) {
        Some(end) if parameter.starts_with(['{', '[', '<']) => &parameter[..=end],
        _ => parameter.split(' ').next().unwrap_or_default(),
    }
}
