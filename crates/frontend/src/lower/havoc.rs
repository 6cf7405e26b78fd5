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
    [name, shown.as_str(), bare].iter().any(|name| matches(pattern.as_bytes(), name.as_bytes()))
}

/// Whether a pattern, in which `*` stands for any text and `?` for any character, matches a text.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    // After a mismatch the last star takes one character more.
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p, t));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == b'?' || pattern[p] == text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            (p, t) = (at + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::{matches, names};

    #[test]
    fn patterns() {
        let cases = [("log_*", "log_info", true), ("log_*", "blog_info", false), ("*", "", true)];
        let more =
            [("a?c", "abc", true), ("a?c", "ac", false), ("a*b*c", "aXbbYc", true), ("ab", "abc", false)];
        for (pattern, text, expected) in cases.into_iter().chain(more) {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn names_of_cpp_are_demangled() {
        assert!(names("net::send", "_ZN3net4sendEi"));
        assert!(names("net::send(int)", "_ZN3net4sendEi"));
        assert!(names("net::*", "_ZN3net4sendEi"));
        assert!(!names("send", "_ZN3net4sendEi"));
    }
}
