//! Property files of the software verification competition (`.prp`): one
//! `CHECK( init(main()), LTL(...) )` a line.

use anyhow::{Result, bail};
use machine::{Properties, Property};

/// The properties that the text asks for. Under `assert` only calls of error
/// functions count, and other faults are taken not to happen.
pub fn parse(text: &str) -> Result<Properties> {
    let mut properties = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        properties.extend_from_slice(check(line)?);
    }
    if properties.is_empty() {
        bail!("there is no CHECK line in it");
    }
    Ok(properties.into_iter().collect())
}

fn check(line: &str) -> Result<&'static [Property]> {
    let packed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = packed
        .strip_prefix("CHECK(init(main()),LTL(")
        .and_then(|rest| rest.strip_suffix("))"))
        .ok_or_else(|| anyhow::anyhow!("not of the form CHECK( init(main()), LTL(...) ): {line}"))?;
    Ok(match formula {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => &[Property::Assert],
        "G!data-race" => &[Property::Race],
        "Gvalid-free" | "Gvalid-deref" => &[Property::Memory],
        "Gvalid-memtrack" => &[Property::Leak],
        "Gvalid-memcleanup" => &[Property::Cleanup],
        "G!overflow" => &[Property::Overflow],
        "G!deadlock" | "G!dead-lock" => &[Property::Deadlock],
        "Fend" => bail!("termination is not supported: {line}"),
        _ => bail!("this property is not known: {line}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        parse(text).unwrap().iter().map(Property::name).collect()
    }

    #[test]
    fn the_competition_s_properties() {
        assert_eq!(names("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), ["assert"]);
        assert_eq!(names("CHECK( init(main()), LTL(G ! data-race) )"), ["race"]);
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(names(memory), ["memory", "leak"]);
        assert_eq!(names("CHECK( init(main()), LTL(G valid-memcleanup) )"), ["cleanup"]);
        assert_eq!(names("CHECK( init(main()), LTL(G ! overflow) )"), ["overflow"]);
    }

    #[test]
    fn what_is_not_known_is_said() {
        let message = |text| parse(text).unwrap_err().to_string();
        assert!(message("CHECK( init(main()), LTL(F end) )").contains("termination"));
        assert!(message("CHECK( init(main()), LTL(G ! rain) )").contains("not known"));
        assert!(message("G ! data-race").contains("not of the form"));
        assert!(message(" \n").contains("no CHECK line"));
    }
}
