//! Assembly outside of functions.

/// Directives that neither run code nor define anything.
const HARMLESS: [&str; 9] =
    [".symver", ".globl", ".global", ".weak", ".hidden", ".protected", ".ident", ".file", ".type"];

/// Whether a program can be lowered without the assembly outside of its functions.
pub fn is_harmless(text: &str) -> bool {
    let statements = text.split(['\n', ';']).map(|line| line.split('#').next().unwrap_or_default().trim());
    let directive = |line: &str| line.split_whitespace().next().is_none_or(|word| HARMLESS.contains(&word));
    statements.into_iter().all(directive)
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn definitions_matter() {
        assert!(is_harmless(".symver old, new@V1\n  .globl x # comment\n"));
        assert!(!is_harmless(".globl f\nf: ret\n"));
        assert!(!is_harmless(".section .init_array\n"));
    }
}
