//! What the static analysis says of a program.

use crate::header::Header;
use crate::program::Subject;

/// It proves the programs that say so, and none that has races or in which an
/// assertion fails.
pub fn verdict(subject: &Subject, header: &Header) -> Option<String> {
    let is_unsafe = |property| {
        header.expects.iter().any(|expect| expect.property == property && expect.verdict == "unsafe")
    };
    let proven = analysis::analyse(&subject.program).is_ok_and(|found| found.pairs.is_empty());
    let failure = |kind| matches!(kind, ir::Failure::Assertion | ir::Failure::ErrorCall);
    let never_fails =
        analysis::values(&subject.program, &failure).is_ok_and(|found| found.failures.is_empty());
    let wrong = match () {
        () if proven && is_unsafe("race") => "the static analysis says that there are no races",
        () if !proven && header.proven => "the static analysis cannot exclude all races",
        () if never_fails && is_unsafe("assert") => "the static analysis says that no assertion fails",
        () if !never_fails && header.assertions_proven => "the static analysis cannot exclude all failures",
        () => return None,
    };
    Some(wrong.to_owned())
}
