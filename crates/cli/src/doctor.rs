//! `threadproof doctor`: whether all is there that the program needs, and what
//! to install where it is not.

use std::fmt::Write;
use std::process::Command;

use frontend::{DataModel, Options};
use logic::SolverKind;

use crate::exit::{Exit, Output};

/// What is looked for.
struct Need {
    what: &'static str,
    /// Without it there is no verdict at all.
    required: bool,
    /// What is there, or why it is not usable.
    found: Result<String, String>,
    /// What to do if it is not.
    advice: &'static str,
}

const C: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <threadproof.h>\n\
                 int main(void) { return 0; }\n";
const CPP: &str = "#include <atomic>\n#include <mutex>\n#include <thread>\nint main() { return 0; }\n";

/// Looks for all that is needed and tells.
pub fn doctor() -> Output {
    let needs = needs();
    let missing = needs.iter().any(|need| need.required && need.found.is_err());
    let mut text: String = needs.iter().map(line).collect();
    text.push_str(if missing {
        "\nthreadproof cannot check programs here\n"
    } else {
        "\nthreadproof can check programs here\n"
    });
    Output::new(text, if missing { Exit::BadInput } else { Exit::Safe })
}

fn needs() -> Vec<Need> {
    let need = |what, required, found, advice| Need { what, required, found, advice };
    vec![
        need("clang", true, clang(), "install clang 19: apt install clang-19"),
        need("C headers", true, compiles("a.c", C, DataModel::Lp64), "apt install libc6-dev"),
        need("C++ headers", false, compiles("a.cpp", CPP, DataModel::Lp64), "apt install libstdc++-12-dev"),
        need("32-bit headers", false, compiles("a.c", C, DataModel::Ilp32), "apt install libc6-dev-i386"),
        need("CaDiCaL", true, Ok("built in".to_owned()), ""),
        need("Z3", false, z3(), "apt install libz3-4, for --solver z3 and `threadproof certify`"),
        need(
            "sanitizer",
            false,
            sanitizer(),
            "apt install libclang-rt-19-dev, for replay --native of memory errors",
        ),
        need("gdb", false, version("gdb"), "apt install gdb, for replay --native --gdb"),
        need("dot", false, version("dot"), "apt install graphviz, to draw what `threadproof graph` writes"),
        need("cache directory", false, cache(), "set XDG_CACHE_HOME to a folder that can be written"),
    ]
}

fn line(need: &Need) -> String {
    let mut out = String::new();
    let (sign, text) = match &need.found {
        Ok(found) => ("ok     ", found.clone()),
        Err(why) => (if need.required { "missing" } else { "without" }, format!("{why}; {}", need.advice)),
    };
    let _ = writeln!(out, "{sign}  {:16} {text}", need.what);
    out
}

/// The first line that a program says about its version.
fn version(program: &str) -> Result<String, String> {
    let flag = if program == "dot" { "-V" } else { "--version" };
    let output = Command::new(program).arg(flag).output().map_err(|_| "not found".to_owned())?;
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Ok(String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned())
}

fn clang() -> Result<String, String> {
    version("clang-19").or_else(|_| version("clang"))
}

/// Whether a program can be loaded.
fn compiles(name: &str, source: &str, data_model: DataModel) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join(name);
    std::fs::write(&path, source).map_err(|error| error.to_string())?;
    let options = Options { data_model, ..Options::default() };
    let loaded = frontend::load(&[path], &options);
    let first = |error: frontend::Error| {
        error
            .to_string()
            .lines()
            .find(|line| line.contains("error"))
            .unwrap_or("a program does not compile")
            .trim()
            .to_owned()
    };
    loaded.map(|_| "a program compiles".to_owned()).map_err(first)
}

/// Whether clang can build native programs that look at all accesses.
fn sanitizer() -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("a.c");
    std::fs::write(&path, C.replace("#include <threadproof.h>\n", "")).map_err(|error| error.to_string())?;
    let clang = frontend::compiler().map_err(|_| "no clang".to_owned())?;
    let output = folder.path().join("a.out");
    let built = Command::new(clang).arg("-fsanitize=address").arg("-o").arg(output).arg(&path).output();
    let built = built.map_err(|error| error.to_string())?;
    match built.status.success() {
        true => Ok("a program is built with it".to_owned()),
        false => Err("its library is not found".to_owned()),
    }
}

fn z3() -> Result<String, String> {
    logic::open(SolverKind::Z3)
        .map(|_| "its library can be loaded".to_owned())
        .map_err(|error| error.to_string())
}

fn cache() -> Result<String, String> {
    let folder = crate::save::cache_directory();
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder.display().to_string())
}
