//! Whether an outcome may be.

use machine::Property;

use crate::allowed::Allowed;
use crate::build::Build;
use crate::common::Disagreement;

/// That the program can end like this.
pub fn judge(outcome: &str, build: Build, allowed: &Allowed) -> Result<(), Disagreement> {
    let (kind, rest) = outcome.split_once(' ').unwrap_or((outcome, ""));
    let may_be = match kind {
        "assume" => true,
        "report" => may_report(rest, allowed),
        "exit" => is_undefined(build, allowed) || allowed.exits.contains(&rest.parse().unwrap_or(0)),
        "assert" => is_undefined(build, allowed) || allowed.violated.contains(&Property::Assert),
        "hang" => is_undefined(build, allowed) || allowed.may_hang(),
        _ => allowed.undefined(),
    };
    if may_be {
        return Ok(());
    }
    let names: Vec<&str> = allowed.violated.iter().map(|p| p.name()).collect();
    let message = format!(
        "{build:?}: `{outcome}`, but the machine returns {:?}, violates {names:?}, hangs: {}",
        allowed.exits,
        allowed.may_hang()
    );
    Err(Disagreement { kind: format!("native {kind}"), message })
}

/// Whether anything may happen.
fn is_undefined(build: Build, allowed: &Allowed) -> bool {
    let races = allowed.violated.contains(&Property::Race) || allowed.violated.contains(&Property::Overflow);
    allowed.undefined() || races && build != Build::Plain
}

/// Whether a property is violated that stands for what a sanitizer says.
fn may_report(text: &str, allowed: &Allowed) -> bool {
    let any = |properties: &[Property]| properties.iter().any(|p| allowed.violated.contains(p));
    if text.contains("ThreadSanitizer") {
        // After a misuse of a lock, it does not know what the lock orders.
        any(&[Property::Race, Property::Memory, Property::LockMisuse])
    } else if text.contains("signed integer overflow") || text.contains("negation of") {
        any(&[Property::Overflow])
    } else if text.contains("shift")
        || text.contains("division by zero")
        || text.contains("outside the range")
    {
        any(&[Property::Arithmetic, Property::Overflow])
    } else {
        allowed.undefined()
    }
}
