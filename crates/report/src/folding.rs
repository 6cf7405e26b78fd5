//! One line for what belongs together: what a library reads and writes for one call, and the parts of
//! a copy.

use crate::effect::Effect;
use crate::interleaving::Line;

/// The lines, with what a library does for one call in one line, and the parts
/// of a copy in one line.
pub fn folded(lines: &[Line]) -> Vec<Line> {
    let mut folded: Vec<Line> = Vec::new();
    let mut rest = lines;
    while let Some((first, others)) = rest.split_first() {
        let more = others.iter().take_while(|line| line.continues(first)).count();
        let (together, left) = rest.split_at(1 + more);
        let text = if more > 0 { together_text(together) } else { first.text.clone() };
        let times = if more > 0 { 1 } else { first.times };
        let also =
            together[1..].iter().map(|line| line.effect.clone()).filter(|effect| *effect != Effect::Other);
        let locals = together.iter().rev().find_map(|line| line.locals.clone());
        folded.push(Line { text, times, also: also.collect(), locals, ..first.clone() });
        rest = left;
    }
    folded
}

/// The name of a function without the arguments of templates, which are often longer than
/// all else in a line.
fn without_arguments(name: &str) -> String {
    if name.contains("operator") {
        return name.to_owned();
    }
    let (mut short, mut depth) = (String::new(), 0u32);
    for letter in name.chars() {
        depth += u32::from(letter == '<');
        if depth == 0 {
            short.push(letter);
        }
        depth = depth.saturating_sub(u32::from(letter == '>'));
    }
    short
}

/// What several lines do that are told as one.
fn together_text(lines: &[Line]) -> String {
    let count: u32 = lines.iter().map(|line| line.times).sum();
    if let Some(function) = &lines[0].inside {
        return format!("{count} accesses in {}", without_arguments(function));
    }
    let parts = || lines.iter().filter_map(|line| line.copies.as_ref());
    let object = |writes| parts().find(|part| part.writes == writes).map(|part| part.object.as_str());
    let bytes = |writes| parts().filter(|part| part.writes == writes).map(|part| part.bytes).sum::<u64>();
    match (object(false), object(true)) {
        (Some(from), Some(to)) => format!("copies {} bytes of {from} to {to}", bytes(true)),
        (Some(from), None) => format!("reads {} bytes of {from}", bytes(false)),
        (None, to) => format!("fills {} bytes of {}", bytes(true), to.unwrap_or_default()),
    }
}
