//! The text of an inline assembly: its instructions and their operands.

/// One instruction of an assembly text.
pub struct Line {
    /// Whether it has the prefix `lock`.
    pub lock: bool,
    /// Its name, with a suffix that says the width (`addl`).
    pub name: String,
    /// Its operands; the last one is written.
    pub operands: Vec<String>,
}

impl Line {
    /// `lock addl $0, 0(%esp)`: a fence by way of the stack.
    pub fn is_stack_fence(&self) -> bool {
        let on_stack = self.operands.last().is_some_and(|o| o.ends_with("(%esp)") || o.ends_with("(%rsp)"));
        let nothing = self.operands.first().and_then(|o| immediate(o)) == Some(0);
        self.lock && on_stack && nothing && matches!(split_suffix(&self.name).0, "add" | "or")
    }
}

/// The instructions of an assembly text; directives and labels are left out
/// together with what they describe (`.pushsection` to `.popsection`).
pub fn instructions(code: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut lock = false;
    let mut elsewhere = false;
    for text in code.split(['\n', ';']) {
        let text = text.split('#').next().unwrap_or_default().trim().to_lowercase();
        elsewhere |= text.starts_with(".pushsection") || text.starts_with(".section");
        let back = text.starts_with(".popsection") || text.starts_with(".previous");
        if elsewhere || back {
            elsewhere &= !back;
            continue;
        }
        let text = without_label(&text);
        let mut words = text.splitn(2, char::is_whitespace);
        let mut name = words.next().unwrap_or_default().to_owned();
        let mut rest = words.next().unwrap_or_default().trim().to_owned();
        if name == "lock" {
            lock = true;
            let mut words = rest.splitn(2, char::is_whitespace);
            let (first, others) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            (name, rest) = (first.to_owned(), others.trim().to_owned());
        }
        if name == "rep" && (rest.is_empty() || rest == "nop") {
            (name, rest) = ("pause".to_owned(), String::new());
        }
        if name.is_empty() {
            continue;
        }
        let operands = rest.split(',').map(|o| o.trim().to_owned()).filter(|o| !o.is_empty()).collect();
        found.push(Line { lock: std::mem::take(&mut lock), name, operands });
    }
    // "rep; nop" is two lines for one pause.
    if let [.., first, second] = found.as_slice()
        && first.name == "pause"
        && second.name == "nop"
    {
        found.pop();
    }
    found
}

fn without_label(text: &str) -> &str {
    match text.split_once(':') {
        Some((label, rest))
            if !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '.') =>
        {
            rest.trim()
        }
        _ => text,
    }
}

/// `$$5` or `$$0x10`.
pub fn immediate(text: &str) -> Option<i64> {
    let number = text.strip_prefix("$$")?;
    match number.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    }
}

/// `addl` is `add` on 32 bits. Names without a suffix are left alone.
pub fn split_suffix(name: &str) -> (&str, Option<u8>) {
    const NAMES: [&str; 21] = [
        "xadd", "xchg", "cmpxchg", "inc", "dec", "add", "sub", "and", "or", "xor", "mov", "in", "out", "bt",
        "bts", "btr", "btc", "sbb", "shl", "sal", "shr",
    ];
    for (suffix, width) in [("b", 8), ("w", 16), ("l", 32), ("q", 64)] {
        if let Some(stem) = name.strip_suffix(suffix)
            && NAMES.contains(&stem)
        {
            return (stem, Some(width));
        }
    }
    (name, None)
}

/// A general register by one of its names, with the bits that the name means:
/// `%eax` is 32 bits of `ax`.
pub fn register(text: &str) -> Option<(&'static str, u8)> {
    const NAMES: [(&str, [&str; 4]); 6] = [
        ("ax", ["al", "ax", "eax", "rax"]),
        ("bx", ["bl", "bx", "ebx", "rbx"]),
        ("cx", ["cl", "cx", "ecx", "rcx"]),
        ("dx", ["dl", "dx", "edx", "rdx"]),
        ("si", ["sil", "si", "esi", "rsi"]),
        ("di", ["dil", "di", "edi", "rdi"]),
    ];
    const NUMBERED: [&str; 8] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
    for (register, names) in NAMES {
        if let Some(index) = names.iter().position(|name| *name == text) {
            return Some((register, 8 << index));
        }
    }
    let stem = text.trim_end_matches(['b', 'w', 'd']);
    let width = match &text[stem.len()..] {
        "" => 64,
        "d" => 32,
        "w" => 16,
        "b" => 8,
        _ => return None,
    };
    NUMBERED.into_iter().find(|name| *name == stem).map(|name| (name, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_split() {
        let lines = instructions("lock; addl $$0,0(%esp)\n\tmfence # all\n 1: nop");
        let names: Vec<_> = lines.iter().map(|l| (l.lock, l.name.as_str(), l.operands.len())).collect();
        assert_eq!(names, [(true, "addl", 2), (false, "mfence", 0), (false, "nop", 0)]);
        assert!(lines[0].is_stack_fence());
    }

    #[test]
    fn suffixes_are_split() {
        assert_eq!(split_suffix("xaddl"), ("xadd", Some(32)));
        assert_eq!(split_suffix("sub"), ("sub", None));
        assert_eq!(split_suffix("add"), ("add", None));
        assert_eq!(split_suffix("btsq"), ("bts", Some(64)));
        assert_eq!(split_suffix("cmpxchg16b"), ("cmpxchg16b", None));
    }

    #[test]
    fn registers_have_several_names() {
        assert_eq!(register("eax"), Some(("ax", 32)));
        assert_eq!(register("sil"), Some(("si", 8)));
        assert_eq!(register("r10d"), Some(("r10", 32)));
        assert_eq!(register("r8"), Some(("r8", 64)));
        assert_eq!(register("rsp"), None);
    }
}
