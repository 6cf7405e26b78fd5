//! Patterns of names, as users write them.

/// Whether a pattern, in which `*` stands for any text and `?` for any character, matches a text.
pub fn matches_wildcard(pattern: &str, text: &str) -> bool {
    // After a mismatch the last star takes one character more.
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
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
    use super::matches_wildcard;

    #[test]
    fn patterns() {
        let cases = [("log_*", "log_info", true), ("log_*", "blog_info", false), ("*", "", true)];
        let more =
            [("a?c", "abc", true), ("a?c", "ac", false), ("a*b*c", "aXbbYc", true), ("ab", "abc", false)];
        for (pattern, text, expected) in cases.into_iter().chain(more) {
            assert_eq!(matches_wildcard(pattern, text), expected, "{pattern} {text}");
        }
    }
}
