//! `--suppressions FILE`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use machine::Suppression;

/// The suppressions of a file, one a line; what stands behind `#` is a comment.
pub fn read(path: &Path) -> anyhow::Result<Vec<Arc<Suppression>>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut all = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let parsed = line.parse().map_err(anyhow::Error::msg);
            let parsed: Suppression =
                parsed.with_context(|| format!("{}:{number}: `{line}`", path.display()))?;
            all.push(Arc::new(parsed));
        }
    }
    Ok(all)
}

/// A warning for each that no fault was met for.
pub fn unused(all: &[Arc<Suppression>]) -> impl Iterator<Item = String> {
    all.iter().filter(|each| !each.is_met()).map(|each| format!("the suppression {each} was not needed"))
}
