//! Writing counterexamples to disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use machine::{Config, Fault, Machine};
use trace::{Options, SavedTrace, SourceHash, Trace, content_hash};

use crate::args::{DataModel, InputArgs};
use crate::exit::Failure;

/// The trace with everything that its replay needs.
pub fn saved_trace(
    input: &InputArgs,
    machine: &Machine,
    engine: &str,
    fault: &Fault,
    trace: &Trace,
) -> SavedTrace {
    let inputs: Vec<String> = input.files.iter().map(|path| path.display().to_string()).collect();
    SavedTrace {
        format: trace::FORMAT,
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        directory: std::env::current_dir().unwrap_or_default().display().to_string(),
        sources: hashes(&inputs, machine.program()),
        inputs,
        options: options(input, machine.config()),
        engine: engine.to_owned(),
        fault: fault.clone(),
        places: trace::places(fault, machine.program()),
        trace: trace.clone(),
    }
}

/// What the program is loaded and executed with.
pub fn options(input: &InputArgs, config: &Config) -> Options {
    Options {
        flags: input.flags.clone(),
        file_flags: input
            .file_flags
            .iter()
            .map(|(path, flags)| (path.display().to_string(), flags.clone()))
            .collect(),
        data_model: input.data_model.name().to_owned(),
        havoc: input.havoc.clone(),
        args: input.args.clone(),
        max_args: input.max_args,
        max_arg_length: input.max_arg_length,
        nondet_range: config.nondet_range,
        stack_limit: config.stack_limit,
        memory_model: config.memory_model,
        buffer_bound: config.buffer_bound,
        properties: config.properties.iter().collect(),
        assumed: config.assumed.iter().collect(),
        error_calls_only: config.error_calls_only,
        volatile_atomic: input.volatile_atomic,
        malloc_may_fail: input.malloc_may_fail,
        create_may_fail: input.create_may_fail,
        suppressions: config.suppressions.iter().map(ToString::to_string).collect(),
        temporal: config.temporal.as_ref().map(|temporal| temporal.question.clone()),
    }
}

/// The machine's configuration that options were written with.
pub fn config(options: &Options) -> Config {
    Config {
        properties: options.properties.iter().copied().collect(),
        nondet_range: options.nondet_range,
        stack_limit: options.stack_limit,
        assumed: options.assumed.iter().copied().collect(),
        error_calls_only: options.error_calls_only,
        racing: None,
        undisturbed: None,
        memory_model: options.memory_model,
        buffer_bound: options.buffer_bound,
        fences: Vec::new(),
        // Those under sequential consistency are found before others are looked at.
        finals: None,
        suppressions: options
            .suppressions
            .iter()
            .filter_map(|text| text.parse().ok())
            .map(Arc::new)
            .collect(),
        // What formulas are about is known once the program is loaded.
        temporal: None,
        past_faults: false,
        few_objects: machine::FEW_OBJECTS,
        renumbered: machine::RENUMBERED,
    }
}

/// The program that options were written with.
pub fn input(files: Vec<PathBuf>, options: &Options) -> Result<InputArgs, Failure> {
    let model = DataModel::from_str(&options.data_model, false);
    let data_model =
        model.map_err(|_| Failure::Input(anyhow::anyhow!("unknown data model: {}", options.data_model)))?;
    Ok(InputArgs {
        files,
        data_model,
        havoc: options.havoc.clone(),
        args: options.args.clone(),
        max_args: options.max_args,
        max_arg_length: options.max_arg_length,
        volatile_atomic: options.volatile_atomic,
        malloc_may_fail: options.malloc_may_fail,
        create_may_fail: options.create_may_fail,
        flags: options.flags.clone(),
        file_flags: options.file_flags.iter().map(|(path, flags)| (path.into(), flags.clone())).collect(),
        project: None,
    })
}

/// The inputs and every file that the debug information names, as far as they
/// can be read.
fn hashes(inputs: &[String], program: &ir::Program) -> Vec<SourceHash> {
    let mut paths: Vec<String> = inputs.to_vec();
    paths.extend(program.files.iter().map(|file| file.path.clone()));
    paths.sort();
    paths.dedup();
    paths.into_iter().filter_map(|path| Some(SourceHash { hash: file_hash(&path)?, path })).collect()
}

/// The hash of a file's contents, if it can be read.
pub fn file_hash(path: &str) -> Option<String> {
    Some(content_hash(&fs::read(path).ok()?))
}

/// Writes the trace.
pub fn write(saved: &SavedTrace, path: &Path) -> anyhow::Result<()> {
    fs::write(path, saved.to_json()).with_context(|| format!("cannot write the trace to {}", path.display()))
}

/// Writes the trace where the user's caches are, under a name of its own, so
/// that the report's replay command always works.
pub fn write_to_cache(saved: &SavedTrace) -> anyhow::Result<PathBuf> {
    let directory = cache_directory();
    fs::create_dir_all(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let json = saved.to_json();
    let stem = saved.inputs.first().map(Path::new).and_then(Path::file_stem).unwrap_or_default();
    let hash = content_hash(json.as_bytes());
    let path = directory.join(format!("{}-{}.trace.json", stem.to_string_lossy(), &hash[..8]));
    fs::write(&path, json).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// Where traces are saved that the user names no file for.
pub fn cache_directory() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("threadproof")
}

/// The command that replays the trace at `path`.
pub fn replay_command(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:=@".contains(c);
    let quoted = match path.chars().all(plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    };
    format!("threadproof replay {quoted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_are_quoted() {
        assert_eq!(replay_command(Path::new("/a/b-1.json")), "threadproof replay /a/b-1.json");
        assert_eq!(replay_command(Path::new("it's a.json")), r"threadproof replay 'it'\''s a.json'");
    }
}
