//! The program `threadproof`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    threadproof::main(std::env::args_os())
}
