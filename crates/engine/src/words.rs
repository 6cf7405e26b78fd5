//! Numbers as people write them.

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many there are of what has this name: `1 state`, `2,000 states`.
pub fn counted(number: u64, what: &str) -> String {
    let plural = match what.strip_suffix("ch") {
        _ if number == 1 => "",
        Some(_) => "es",
        None => "s",
    };
    format!("{} {what}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "context switch"), "0 context switches");
        assert_eq!(counted(12345, "transition"), "12,345 transitions");
    }
}
