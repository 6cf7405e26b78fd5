//! Links LLVM statically, and compiles the run-time library to bitcode for
//! both data models.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

fn main() {
    link_llvm();
    compile_runtime();
}

/// Prints a message a person can act on, instead of a panic's backtrace.
fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    exit(1)
}

fn run(command: &mut Command, package: &str) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => fail(&format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr))),
        Err(_) => fail(&format!("{name} not found: install the package {package}")),
    }
}

fn link_llvm() {
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    let config = env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-19".to_owned());
    let ask = |args: &[&str]| run(Command::new(&config).arg("--link-static").args(args), "llvm-19-dev");
    println!("cargo::rustc-link-search=native={}", ask(&["--libdir"]).trim());
    let parts = ["core", "irreader", "bitreader", "bitwriter", "linker", "analysis", "target"];
    for flag in ask(&[&["--libs"], &parts[..]].concat()).split_whitespace() {
        println!("cargo::rustc-link-lib=static={}", flag.trim_start_matches("-l"));
    }
    // LLVM also lists libz3 and libxml2; no object we pull in refers to them.
    for library in ["stdc++", "z", "zstd", "dl", "m", "rt", "pthread"] {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
}

fn compile_runtime() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed=rt");
    println!("cargo::rerun-if-changed=include");
    let mut sources: Vec<PathBuf> = std::fs::read_dir("rt")
        .expect("the crate has a folder rt")
        .map(|entry| entry.expect("rt is readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    for (model, flag) in [("lp64", "-m64"), ("ilp32", "-m32")] {
        let mut list = String::from("&[\n");
        for source in &sources {
            let object = compile(source, &out, model, flag);
            list.push_str(&format!("    include_bytes!({:?}),\n", object.display().to_string()));
        }
        list.push_str("]\n");
        std::fs::write(out.join(format!("rt_{model}.rs")), list).expect("OUT_DIR is writable");
    }
}

fn compile(source: &Path, out: &Path, model: &str, flag: &str) -> PathBuf {
    let stem = source.file_stem().expect("a file has a name").to_string_lossy();
    let object = out.join(format!("{stem}_{model}.bc"));
    let flags =
        ["-O0", "-g0", "-c", "-emit-llvm", "-fno-builtin", "-ffreestanding", "-fno-discard-value-names"];
    let quiet = ["-D_GNU_SOURCE", "-Wall", "-Werror", "-Wno-incompatible-library-redeclaration", "-Iinclude"];
    let scopes = ["-Xclang", "-disable-O0-optnone"];
    let mut clang = Command::new("clang-19");
    if flag == "-m32" {
        // The kernel's headers are the same for both; Debian has them in one place.
        clang.args(["-idirafter", "/usr/include/x86_64-linux-gnu"]);
    }
    if flag == "-m64" {
        // 16-byte atomics as instructions: the library implements the calls for them.
        clang.arg("-mcx16");
    }
    clang.args(flags).args(quiet).args(scopes).arg(flag).arg("-o").arg(&object).arg(source);
    run(&mut clang, "clang-19 (and libc6-dev-i386 for -m32)");
    object
}
