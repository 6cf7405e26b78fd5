//! Compile commands of a project (`compile_commands.json`, as CMake and others
//! write it): which files there are, and with which flags each is compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

use crate::args::InputArgs;

/// The name of the file in the project's folder.
const NAME: &str = "compile_commands.json";

/// How one file is compiled.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Flags whose value is a path, as the next word or joined.
const PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];

/// Flags that say what to do with the result, with a value of their own and without.
const DROPPED_WITH_VALUE: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-arch"];
const DROPPED: [&str; 6] = ["-c", "-S", "-E", "-MD", "-MMD", "-MP"];

/// Looks up the flags of the files, and all files if none is named.
pub fn resolve(input: &mut InputArgs) -> anyhow::Result<()> {
    let Some(folder) = &input.project else { return Ok(()) };
    let listed = read(folder)?;
    if input.files.is_empty() {
        input.files = listed.iter().map(|(file, _)| from_here(file)).collect();
    }
    for file in &input.files {
        let same = |(other, _): &&(PathBuf, Vec<String>)| is_same(file, other);
        let found = listed.iter().find(same);
        let (_, flags) = found
            .with_context(|| format!("{} has no compile command in {}", file.display(), folder.display()))?;
        input.file_flags.push((file.clone(), flags.clone()));
    }
    Ok(())
}

/// The first file that is listed, if the list can be read.
pub fn first(folder: &Path) -> Option<PathBuf> {
    read(folder).ok()?.into_iter().next().map(|(file, _)| file)
}

/// The path as seen from the working directory, if it lies below.
fn from_here(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path)
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The files of a project in the order of the list, each with its flags. Of a file that is
/// compiled several times the first command counts.
fn read(folder: &Path) -> anyhow::Result<Vec<(PathBuf, Vec<String>)>> {
    let path = if folder.is_dir() { folder.join(NAME) } else { folder.to_owned() };
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a list of compile commands", path.display()))?;
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let files = entries.iter().map(|entry| (entry.directory.join(&entry.file), entry.flags()));
    Ok(files.filter(|(file, _)| seen.insert(file.clone())).collect())
}

impl Entry {
    /// The flags that matter for what the file means.
    fn flags(&self) -> Vec<String> {
        let words = if self.arguments.is_empty() { split(&self.command) } else { self.arguments.clone() };
        let mut words = words.into_iter().skip(1).peekable();
        let mut flags = Vec::new();
        while let Some(word) = words.next() {
            if DROPPED_WITH_VALUE.contains(&word.as_str()) {
                words.next();
            } else if let Some(flag) = PATHS.iter().find(|flag| **flag == word) {
                let path = words.next().unwrap_or_default();
                flags.extend([(*flag).to_owned(), self.absolute(&path)]);
            } else if let Some((flag, path)) = joined(&word) {
                flags.push(format!("{flag}{}", self.absolute(path)));
            } else if !self.is_dropped(&word) {
                flags.push(word);
            }
        }
        flags
    }

    fn is_dropped(&self, word: &str) -> bool {
        let is_source =
            Path::new(word) == self.file || self.directory.join(word) == self.directory.join(&self.file);
        // Optimisation changes nothing but what can be seen of the program.
        is_source
            || DROPPED.contains(&word)
            || word.starts_with("-O")
            || word == "--"
            || word.starts_with("-g")
    }

    fn absolute(&self, path: &str) -> String {
        self.directory.join(path).display().to_string()
    }
}

/// A flag with its path in one word.
fn joined(word: &str) -> Option<(&'static str, &str)> {
    PATHS.iter().find_map(|flag| Some((*flag, word.strip_prefix(flag).filter(|path| !path.is_empty())?)))
}

/// The words of a command line, as a shell splits it.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            split(r#"cc -DNAME=\"a\ b\" '-Ix y' "q" -c a.c"#),
            ["cc", "-DNAME=\"a b\"", "-Ix y", "q", "-c", "a.c"]
        );
    }

    #[test]
    fn paths_are_made_absolute_and_outputs_dropped() {
        let entry = Entry {
            directory: "/src/build".into(),
            file: "../a.c".into(),
            arguments: Vec::new(),
            command: "cc -I../include -isystem lib -DN=3 -O2 -g -MD -MF a.d -o a.o -c ../a.c".into(),
        };
        let expected = ["-I/src/build/../include", "-isystem", "/src/build/lib", "-DN=3"];
        assert_eq!(entry.flags(), expected);
    }
}
