//! `threadproof.toml`: options of `check` that need not be said each time, for all
//! programs of a folder or for some.
//!
//! ```toml
//! timeout = "1m"
//! property = ["assert", "race"]
//! flags = ["-Iinclude"]
//!
//! [files."tests/slow_*.c"]
//! timeout = "10m"
//! ```
//!
//! The file is looked for beside the program (the first of its files; of a project without
//! any, the first that is listed) and in the folders above. Keys are the names of options without the dashes. What stands on
//! the command line counts more, and what is said of some files more than what is
//! said of all.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use ir::matches_wildcard;
use toml::{Table, Value};

use crate::args::{Args, Command, InputArgs};
use crate::{ignored, project};

const NAME: &str = "threadproof.toml";

/// Why the arguments cannot be used.
pub enum Problem {
    /// They cannot be understood, or ask for help.
    Usage(clap::Error),
    /// The file is wrong.
    Settings(anyhow::Error),
}

impl From<clap::Error> for Problem {
    fn from(error: clap::Error) -> Problem {
        Problem::Usage(error)
    }
}

/// The arguments, together with what the file says where they are silent.
pub fn parse(words: &[OsString]) -> Result<Args, Problem> {
    let given = Args::command().try_get_matches_from(words)?;
    let args = Args::from_arg_matches(&given)?;
    let (Command::Check(check), Some(("check", own))) = (&args.command, given.subcommand()) else {
        return Ok(args);
    };
    ignored::refuse(own).map_err(Problem::Settings)?;
    // Each of several tasks looks for its own.
    let check = check.clone().narrowed();
    let InputArgs { files, project, .. } = &check.input;
    let listed = || project.as_ref().and_then(|folder| project::first(folder));
    let Some(program) = files.first().cloned().or_else(listed).filter(|_| !check.is_batch()) else {
        return Ok(args);
    };
    extended(words, own, &program).map_err(Problem::Settings).map(|extended| extended.unwrap_or(args))
}

fn extended(words: &[OsString], own: &ArgMatches, program: &Path) -> anyhow::Result<Option<Args>> {
    let Some(path) = find(program) else { return Ok(None) };
    let read = || -> anyhow::Result<Args> {
        let table: Table = fs::read_to_string(&path)?.parse()?;
        let settings = settings(&table, own, &path, program)?;
        let mut added = Vec::new();
        for (key, value) in settings.iter().filter(|(key, _)| *key != "flags" && !is_given(own, key)) {
            added.extend(option(key, value)?);
        }
        // Options stand before the files, right after the command.
        let (command, rest) = words.split_at(2);
        let words = command.iter().cloned().chain(added).chain(rest.iter().cloned());
        let mut args = Args::try_parse_from(words).map_err(|error| anyhow::anyhow!(first_line(&error)))?;
        if let (Command::Check(check), Some(flags)) = (&mut args.command, settings.get("flags")) {
            check.input.flags.splice(0..0, texts("flags", flags)?);
        }
        Ok(args)
    };
    read().map(Some).with_context(|| path.display().to_string())
}

/// The file beside the program, or in the nearest folder above.
fn find(program: &Path) -> Option<PathBuf> {
    let program = std::path::absolute(program).ok()?;
    program.ancestors().skip(1).map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

/// What is said of all files, and of those that are called as this one. What is said of others must be
/// options, too.
fn settings(table: &Table, options: &ArgMatches, path: &Path, program: &Path) -> anyhow::Result<Table> {
    let mut settings = table.clone();
    let Some(files) = settings.remove("files") else { return Ok(settings) };
    let Value::Table(files) = files else { bail!("`files` must be a table") };
    let program = std::path::absolute(program)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let name = program.strip_prefix(folder).unwrap_or(&program).display().to_string();
    for (pattern, own) in files {
        let Value::Table(own) = own else { bail!("`files.\"{pattern}\"` must be a table") };
        let is_known = |key: &str| key == "flags" || options.try_contains_id(&id(key)).is_ok();
        if let Some(unknown) = own.keys().find(|key| !is_known(key)) {
            bail!("`files.\"{pattern}\"`: there is no option --{unknown}");
        }
        if matches_wildcard(&pattern, &name) {
            settings.extend(own);
        }
    }
    Ok(settings)
}

/// Whether the user has said something else.
fn is_given(given: &ArgMatches, key: &str) -> bool {
    let id = id(key);
    let known = given.try_contains_id(&id).is_ok();
    known && given.value_source(&id) == Some(ValueSource::CommandLine)
}

/// How clap calls an option.
fn id(key: &str) -> String {
    key.replace('-', "_")
}

/// An option as words of the command line.
fn option(key: &str, value: &Value) -> anyhow::Result<Vec<OsString>> {
    Ok(match value {
        Value::Boolean(true) => vec![format!("--{key}").into()],
        Value::Boolean(false) => Vec::new(),
        value => texts(key, value)?.into_iter().map(|text| format!("--{key}={text}").into()).collect(),
    })
}

fn texts(key: &str, value: &Value) -> anyhow::Result<Vec<String>> {
    Ok(match value {
        Value::String(text) => vec![text.clone()],
        Value::Integer(number) => vec![number.to_string()],
        Value::Array(all) => {
            let all: Vec<Vec<String>> = all.iter().map(|each| texts(key, each)).collect::<Result<_, _>>()?;
            all.concat()
        }
        _ => bail!("`{key}` must be a text, a number, true, false or a list"),
    })
}

fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
