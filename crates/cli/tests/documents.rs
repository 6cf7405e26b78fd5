//! What the documents show is what the program prints.

mod common;

use std::path::Path;

use common::{Run, threadproof};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn check(program: &str) -> Run {
    let output = threadproof().args(["check", program]).current_dir(root()).output();
    output.expect("the program starts").into()
}

/// The block of a document that follows this line, without what differs from
/// run to run.
fn stable(lines: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    let varies = |line: &str| line.starts_with("replay with: ") || line.starts_with("engine ");
    let lines = lines.map(|line| line.as_ref().to_owned());
    lines.take_while(|line| line != "```").filter(|line| !varies(line)).collect()
}

#[test]
fn the_example_of_the_readme_and_the_guide() {
    let printed = check("examples/bank.c");
    assert_eq!(printed.status, Some(1), "{printed:?}");
    let printed = stable(printed.stdout.lines());
    for document in ["README.md", "docs/guide.md"] {
        let text = std::fs::read_to_string(root().join(document)).expect("the document is there");
        let mut lines = text.lines().skip_while(|line| *line != printed[0]).peekable();
        assert!(lines.peek().is_some(), "{document} does not show the example");
        assert_eq!(stable(lines), printed, "{document}");
    }
}

#[test]
fn the_other_examples() {
    assert_eq!(check("examples/counter.c").status, Some(1));
    assert_eq!(check("examples/queue.c").status, Some(0));
}
