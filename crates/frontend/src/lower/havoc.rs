//! Functions without a body that the user takes as harmless (`--havoc`).

use rustc_hash::FxHashSet;

use super::known;
use crate::llvm::{Module, Value};
use crate::{Error, demangle};

/// The names of the functions that the patterns match; a pattern that matches none is an error.
pub fn matching(module: &Module<'_>, patterns: &[String]) -> Result<FxHashSet<String>, Error> {
    let mut found = FxHashSet::default();
    for pattern in patterns {
        let before = found.len();
        let candidates = module.functions().filter(|f| has_no_meaning(*f));
        found.extend(candidates.map(Value::name).filter(|name| names(pattern, name)));
        if found.len() == before && !found.iter().any(|name| names(pattern, name)) {
            return Err(Error::HavocNothing(pattern.clone()));
        }
    }
    Ok(found)
}

/// Whether the function has no body and calls of it have no meaning yet.
pub fn has_no_meaning(function: Value<'_>) -> bool {
    let name = function.name();
    function.is_declaration() && !name.starts_with("llvm.") && known::declared(&name).is_none()
}

/// Whether a pattern matches a function's name, as it stands in the module or
/// in the source, there with or without its parameters.
fn names(pattern: &str, name: &str) -> bool {
    let shown = demangle::shown(name);
    let bare = demangle::without_parameters(&shown);
    [name, shown.as_str(), bare].iter().any(|name| ir::matches_wildcard(pattern, name))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_of_cpp_are_demangled() {
        assert!(names("net::send", "_ZN3net4sendEi"));
        assert!(names("net::send(int)", "_ZN3net4sendEi"));
        assert!(names("net::*", "_ZN3net4sendEi"));
        assert!(!names("send", "_ZN3net4sendEi"));
    }
}
