//! What a user has besides `check`: the doctor, completions and manual pages.

mod common;

use common::{run, threadproof};

#[test]
fn the_doctor_finds_what_the_tests_need() {
    let run = run(&["doctor"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    for line in ["ok       clang ", "ok       C headers ", "ok       CaDiCaL ", "ok       sanitizer "] {
        assert!(run.stdout.contains(line), "{run:?}");
    }
    assert!(run.stdout.ends_with("threadproof can check programs here\n"), "{run:?}");
}

#[test]
fn the_doctor_says_what_to_install() {
    let output = threadproof().arg("doctor").env("PATH", "/nowhere").output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("missing  clang ") && text.contains("apt install clang-19"), "{text}");
    assert!(text.ends_with("threadproof cannot check programs here\n"), "{text}");
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run(&["completions", shell]);
        assert!(run.status == Some(0) && run.stdout.contains("keep-going"), "{shell}: {run:?}");
    }
    assert_eq!(run(&["completions", "dash"]).status, Some(3));
}

#[test]
fn manual_pages_are_made_of_the_help() {
    let page = run(&["man"]);
    assert!(page.status == Some(0) && page.stdout.contains(".TH threadproof 1"), "{page:?}");
    let check = run(&["man", "check"]);
    assert!(check.status == Some(0) && check.stdout.contains("keep\\-going"), "{check:?}");
    assert_eq!(run(&["man", "chess"]).status, Some(3));
}
