//! Task definitions of the software verification competition: a `.yml` file
//! names the program, its properties with the expected verdicts, and the data
//! model.

use std::path::Path;

use anyhow::Context;
use yaml_rust2::{Yaml, YamlLoader};

use crate::task::{Expected, Question, Task, files_below, name, text};

/// A task for every property with an expected verdict.
pub fn tasks(folder: &Path) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in files_below(folder)?.iter().filter(|path| path.extension().is_some_and(|e| e == "yml")) {
        let definition = text(path)?;
        let documents = YamlLoader::load_from_str(&definition).with_context(|| path.display().to_string())?;
        let Some(definition) = documents.first() else { continue };
        tasks.extend(properties(definition).filter_map(|property| task(path, folder, definition, property)));
    }
    Ok(tasks)
}

fn properties(definition: &Yaml) -> impl Iterator<Item = &Yaml> {
    definition["properties"].as_vec().into_iter().flatten()
}

/// `None` where no verdict is expected, or of a property that we do not have.
fn task(path: &Path, folder: &Path, definition: &Yaml, property: &Yaml) -> Option<Task> {
    let expected = match property["expected_verdict"].as_bool()? {
        true => Expected::Safe,
        false => Expected::Unsafe,
    };
    let file = Path::new(property["property_file"].as_str()?).file_stem()?.to_str()?;
    let question = Question::Specification(specification(file)?);
    let input = path.with_file_name(definition["input_files"].as_str()?);
    let model = definition["options"]["data_model"].as_str().unwrap_or("ILP32").to_lowercase();
    Some(Task {
        name: format!("{}:{file}", name(&path.with_extension(""), folder)),
        files: vec![input],
        question,
        options: vec!["--data-model".to_owned(), model],
        flags: Vec::new(),
        expected,
    })
}

/// The property files by name.
fn specification(name: &str) -> Option<String> {
    let formulas: &[&str] = match name {
        "unreach-call" => &["G ! call(reach_error())"],
        "no-data-race" => &["G ! data-race"],
        "no-overflow" => &["G ! overflow"],
        "valid-memsafety" => &["G valid-free", "G valid-deref", "G valid-memtrack"],
        "valid-memcleanup" => &["G valid-memcleanup"],
        _ => return None,
    };
    let line = |formula: &&str| format!("CHECK( init(main()), LTL({formula}) )\n");
    Some(formulas.iter().map(line).collect())
}
