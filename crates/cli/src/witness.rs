//! What a witness says of the task: files, hashes, time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use report::{WitnessForm, WitnessTask};
use sha2::{Digest, Sha256};

use crate::args::DataModel;

/// The form that a file's name asks for.
pub fn form(path: &Path) -> WitnessForm {
    match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("graphml")) {
        true => WitnessForm::GraphMl,
        false => WitnessForm::Yaml,
    }
}

/// The task of checking these files.
pub fn task(files: &[PathBuf], data_model: DataModel, spec: Option<&Path>) -> WitnessTask {
    let specification = spec.and_then(|path| fs::read_to_string(path).ok());
    WitnessTask {
        files: files.iter().map(|path| (path.display().to_string(), hash(path))).collect(),
        specification: specification.map(|text| text.trim().to_owned()),
        is_32_bit: data_model == DataModel::Ilp32,
        time: time(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())),
        command: std::env::args().collect::<Vec<_>>().join(" "),
    }
}

fn hash(path: &Path) -> String {
    let digest = Sha256::digest(fs::read(path).unwrap_or_default());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Seconds since 1970 as a date and a time of day (ISO 8601, UTC).
fn time(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

/// The date of a day since 1970: year, month and day.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(time(1_794_787_199), "2026-11-15T23:59:59Z");
    }

    #[test]
    fn forms_by_name() {
        assert_eq!(form(Path::new("a.graphml")), WitnessForm::GraphMl);
        assert_eq!(form(Path::new("a.yml")), WitnessForm::Yaml);
    }
}
