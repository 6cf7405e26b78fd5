//! Times, sizes and ranges as people write them.

use std::time::Duration;

/// `90`, `90s`, `1.5m`, `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time; write seconds, or 30s, 5m, 2h");
    let (number, factor) = match text.strip_suffix(['s', 'm', 'h']) {
        None => (text, 1.0),
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) if text.ends_with('h') => (number, 3600.0),
        Some(number) => (number, 1.0),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
}

/// `4G`, `512M`, `100000k`, plain bytes; powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not an amount of memory; write 512M, 4G, or bytes");
    let trimmed = text.trim_end_matches(['B', 'b']).trim_end_matches('i');
    let shift = match trimmed.chars().last().map(|c| c.to_ascii_lowercase()) {
        Some('k') => 10,
        Some('m') => 20,
        Some('g') => 30,
        Some('t') => 40,
        _ => 0,
    };
    let number = if shift == 0 { trimmed } else { &trimmed[..trimmed.len() - 1] };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes.is_finite() && bytes >= 1.0 { Ok(bytes as u64) } else { Err(wrong()) }
}

/// `0..3`, `-1..1`: both ends belong to the range.
pub fn range(text: &str) -> Result<(i64, i64), String> {
    let wrong = || format!("`{text}` is not a range; write LOW..HIGH, as in 0..3 (both ends count)");
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let high = high.strip_prefix('=').unwrap_or(high);
    let low: i64 = low.trim().parse().map_err(|_| wrong())?;
    let high: i64 = high.trim().parse().map_err(|_| wrong())?;
    if low <= high { Ok((low, high)) } else { Err(format!("the range `{text}` is empty")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let seconds = |text| duration(text).unwrap().as_secs_f64();
        assert_eq!(["90", "90s", "1.5m", "2h", "0.25"].map(seconds), [90.0, 90.0, 90.0, 7200.0, 0.25]);
        for wrong in ["", "s", "-1", "1d", "nan", "1e400", "five"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        let size = |text| bytes(text).unwrap();
        assert_eq!(["4096", "1k", "1M", "1.5GiB", "2GB"].map(size), [4096, 1024, 1 << 20, 3 << 29, 2 << 30]);
        for wrong in ["", "G", "-1M", "0", "inf", "1X", "é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges() {
        assert_eq!(range("0..3"), Ok((0, 3)));
        assert_eq!(range("-2..=-1"), Ok((-2, -1)));
        for wrong in ["", "3", "3..", "..3", "a..b", "3..1", "0..99999999999999999999"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
