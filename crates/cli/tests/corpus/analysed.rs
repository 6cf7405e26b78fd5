//! What the static analysis says of a program.

use crate::header::Header;
use crate::program::Subject;

/// It proves the programs that say so, and none that has races.
pub fn verdict(subject: &Subject, header: &Header) -> Option<String> {
    let races = header.expects.iter().any(|expect| expect.property == "race" && expect.verdict == "unsafe");
    let proven = match analysis::analyse(&subject.program) {
        Ok(found) => found.pairs.is_empty(),
        Err(_) => false,
    };
    match proven {
        true if races => Some("the static analysis says that there are no races".to_owned()),
        false if header.proven => Some("the static analysis cannot exclude all races".to_owned()),
        _ => None,
    }
}
