//! What the documents show is what the program prints.

mod common;

use std::path::Path;

use common::{Run, threadproof};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn run(words: &[&str]) -> Run {
    let output = threadproof().args(words).current_dir(root()).output();
    output.expect("the program starts").into()
}

fn read(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).expect("the document is there")
}

/// The lines of a block of code, without what differs from run to run.
fn stable(lines: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    let varies = |line: &str| line.starts_with("replay with: ") || line.starts_with("engine ");
    let lines = lines.map(|line| line.as_ref().to_owned());
    lines.take_while(|line| line != "```").filter(|line| !varies(line)).collect()
}

#[test]
fn the_example_of_the_readme_and_the_guide() {
    let printed = run(&["check", "examples/bank.c"]);
    assert_eq!(printed.status, Some(1), "{printed:?}");
    let printed = stable(printed.stdout.lines());
    for document in ["README.md", "docs/guide.md"] {
        let text = read(document);
        let mut lines = text.lines().skip_while(|line| *line != printed[0]).peekable();
        assert!(lines.peek().is_some(), "{document} does not show the example");
        assert_eq!(stable(lines), printed, "{document}");
    }
}

#[test]
fn the_commands_of_the_tutorial_print_what_it_shows() {
    assert!(commands_of("docs/tutorial.md") > 2, "the tutorial shows commands");
}

#[test]
fn the_commands_for_those_who_come_from_other_tools_print_what_is_shown() {
    assert!(commands_of("docs/coming-from.md") > 0, "the chapter shows commands");
}

#[test]
fn the_commands_of_the_chapter_on_memory_models_print_what_it_shows() {
    assert!(commands_of("docs/memory-models.md") > 0, "the chapter shows commands");
}

/// Runs the commands of a document and compares what they print. Yields how many
/// there are.
fn commands_of(document: &str) -> usize {
    let text = read(document);
    let lines: Vec<&str> = text.lines().collect();
    let mut commands = 0;
    for (index, line) in lines.iter().enumerate() {
        let Some(command) = line.strip_prefix("$ threadproof ") else { continue };
        let printed = run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(stable(lines[index + 1..].iter()), stable(printed.stdout.lines()), "{command}");
        commands += 1;
    }
    commands
}

#[test]
fn every_chapter_of_the_book_is_there_and_in_it() {
    let summary = read("docs/SUMMARY.md");
    let mut chapters = std::fs::read_dir(root().join("docs")).expect("the folder is there").flatten();
    assert!(chapters.all(|chapter| {
        let name = chapter.file_name().display().to_string();
        !name.ends_with(".md") || name == "SUMMARY.md" || summary.contains(&format!("({name})"))
    }));
    let named = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    named.for_each(|name| assert!(root().join("docs").join(name).is_file(), "{name} is not there"));
}

#[test]
fn the_other_examples() {
    assert_eq!(run(&["check", "examples/counter.c"]).status, Some(1));
    assert_eq!(run(&["check", "examples/queue.c"]).status, Some(0));
}
