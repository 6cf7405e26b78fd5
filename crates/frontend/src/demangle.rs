//! The names of C++ functions as the source has them.

/// A function's name as the source has it, with its parameters if it is mangled.
pub fn shown(name: &str) -> String {
    let options = cpp_demangle::DemangleOptions::new();
    cpp_demangle::Symbol::new(name)
        .ok()
        .filter(|_| name.starts_with("_Z"))
        .and_then(|symbol| symbol.demangle_with_options(&options).ok())
        .unwrap_or_else(|| name.to_owned())
}

/// A name without the parameters that follow it.
pub fn without_parameters(shown: &str) -> &str {
    let mut depth = 0;
    for (at, c) in shown.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && !shown[at..].starts_with("(anonymous namespace)") => return &shown[..at],
            _ => {}
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{shown, without_parameters};

    #[test]
    fn names_are_demangled() {
        assert_eq!(shown("_ZN3net4sendEi"), "net::send(int)");
        assert_eq!(shown("send"), "send");
        assert_eq!(shown("_Zonk"), "_Zonk");
    }

    #[test]
    fn parameters_are_cut_off() {
        assert_eq!(without_parameters("net::send(int)"), "net::send");
        assert_eq!(without_parameters("f<void (int)>(int)"), "f<void (int)>");
        assert_eq!(without_parameters("(anonymous namespace)::f()"), "(anonymous namespace)::f");
    }
}
