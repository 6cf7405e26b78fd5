//! Invariants of loops for witnesses: what the static analysis knows of global
//! variables at the heads of loops, as C expressions.
//!
//! A witness names a place and an expression, which other tools read by the rules
//! of C. So an invariant is told only if its line has one loop, whose statement
//! begins there, and if each name in it means the global variable there: what is
//! declared in the function, or may be, hides it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use analysis::invariants::heads::{Head, Range};
use ir::{FuncId, Global, Layout, LayoutId, LayoutKind, Program};
use report::LoopInvariant;

/// The keywords after which a name is used and not declared.
const BEFORE_USES: [&str; 6] = ["return", "else", "do", "case", "goto", "sizeof"];

/// The invariants of the loops in some files.
pub fn loop_invariants(program: &Program, files: &[PathBuf]) -> Vec<LoopInvariant> {
    let heads = analysis::heads(program).unwrap_or_default();
    let (loops, mut texts) = (program.loops(), Texts::default());
    let told = |head: &Head| {
        let text = texts.of_c_file(&head.at.file, files)?;
        let lone = loops.iter().filter(|other| is_same_line(&other.at, head)).count() == 1;
        let line = text.get(head.at.line as usize - 1)?;
        let conditions: Vec<String> = head
            .ranges
            .iter()
            .filter(|range| is_meant(program, program.global(range.global), head, text))
            .filter_map(|range| condition(program, range))
            .collect();
        (lone && is_loop(line) && !conditions.is_empty())
            .then(|| LoopInvariant { at: head.at.clone(), value: conditions.join(" && ") })
    };
    heads.iter().filter_map(told).collect()
}

fn is_same_line(at: &ir::Location, head: &Head) -> bool {
    (&at.file, at.line) == (&head.at.file, head.at.line)
}

/// Source files by lines, each read once.
#[derive(Default)]
struct Texts(BTreeMap<String, Option<Vec<String>>>);

impl Texts {
    /// The lines of a file, if it is one of these and in C.
    fn of_c_file(&mut self, file: &str, files: &[PathBuf]) -> Option<&Vec<String>> {
        let read = || {
            let path = Path::new(file).canonicalize().ok()?;
            let given = files.iter().any(|each| each.canonicalize().is_ok_and(|each| each == path));
            let is_c = path.extension().is_some_and(|ending| ending == "c" || ending == "i");
            let text = std::fs::read_to_string(&path).ok().filter(|_| given && is_c)?;
            Some(text.lines().map(str::to_owned).collect())
        };
        self.0.entry(file.to_owned()).or_insert_with(read).as_ref()
    }
}

/// Whether the statement of a loop that has its condition first begins in a line.
fn is_loop(line: &str) -> bool {
    let words = words(line);
    let has = |keyword: &str| words.iter().any(|word| word == keyword);
    (has("while") || has("for")) && !has("do") && words.first().is_none_or(|first| first != "}")
}

/// Identifiers, numbers, and other characters one by one, without comments.
fn words(line: &str) -> Vec<String> {
    let line = line.split("//").next().unwrap_or_default();
    let line = line.split("/*").next().unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for c in line.chars() {
        let belongs = c.is_alphanumeric() || c == '_';
        match words.last_mut().filter(|_| inside && belongs) {
            Some(word) => word.push(c),
            None if c.is_whitespace() => {}
            None => words.push(c.to_string()),
        }
        inside = belongs;
    }
    words
}

/// Whether the name of a variable means it at the head of a loop.
fn is_meant(program: &Program, global: &Global, head: &Head, text: &[String]) -> bool {
    let name = program.name(global.name);
    let declared = program.location(head.function, global.span);
    let function = program.location(head.function, program.function(head.function).span);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
    let is_before = declared.file == head.at.file && declared.line < function.line && declared.line != 0;
    let above = text.get(function.line as usize - 1..head.at.line as usize).unwrap_or_default();
    let alone = program.globals.iter().filter(|other| program.name(other.name) == name).count() == 1;
    is_name
        && is_before
        && alone
        && !global.thread_local
        && !is_in_a_function(program, global)
        && !may_declare(above, name)
}

/// Whether a variable is declared where the code of a function stands.
fn is_in_a_function(program: &Program, global: &Global) -> bool {
    let line = |id: FuncId, span| program.location(id, span).line;
    program.functions.iter().zip(0..).any(|(function, id)| {
        let id = FuncId(id);
        let lines = function.spans.iter().filter(|span| span.file == global.span.file);
        let last = lines.map(|span| line(id, *span)).max().unwrap_or(0);
        function.span.file == global.span.file
            && (line(id, function.span)..=last).contains(&line(id, global.span))
    })
}

/// Whether some lines may declare a name: it follows a type, a `*` or a comma.
fn may_declare(lines: &[String], name: &str) -> bool {
    let words: Vec<String> = lines.iter().flat_map(|line| words(line)).collect();
    words.windows(2).any(|pair| {
        let [before, word] = pair else { return false };
        let is_name = before.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let declares = is_name && !BEFORE_USES.contains(&before.as_str()) || before == "*" || before == ",";
        word == name && declares
    })
}

/// What is known of a part of a variable, if it can be said in C.
fn condition(program: &Program, range: &Range) -> Option<String> {
    let global = program.global(range.global);
    let (path, id) = part(program, global.layout?, range.offset)?;
    let Layout { size, kind } = program.layouts.get(id);
    let is_signed = match kind {
        LayoutKind::Int { signed } => *signed,
        LayoutKind::Bool => false,
        _ => return None,
    };
    let (lo, hi) = (range.values.lo, range.values.hi);
    let half = 1i128 << (8 * range.bytes - 1);
    let least = if is_signed { -half } else { 0 };
    let is_whole = *size == range.bytes && (is_signed || lo >= 0);
    let name = format!("{}{path}", program.name(global.name));
    let bounds = match () {
        () if !is_whole => return None,
        () if lo == hi => vec![format!("{name} == {}", number(lo))],
        () => {
            let from = (i128::from(lo) > least).then(|| format!("{name} >= {}", number(lo)));
            let to = (i128::from(hi) < half - 1 || !is_signed).then(|| format!("{name} <= {}", number(hi)));
            from.into_iter().chain(to).collect()
        }
    };
    (!bounds.is_empty()).then(|| bounds.join(" && "))
}

/// The part of a variable that begins at an offset, if C has an expression for it
/// that means these bytes and no others.
fn part(program: &Program, mut id: LayoutId, mut offset: u64) -> Option<(String, LayoutId)> {
    let mut path = String::new();
    loop {
        match &program.layouts.get(id).kind {
            LayoutKind::Array { element, count } => {
                let size = program.layouts.get(*element).size.max(1);
                path.push_str(&format!("[{}]", offset / size));
                (id, offset) = (*element, if offset / size < *count { offset % size } else { return None });
            }
            LayoutKind::Record { fields, .. } => {
                let bytes = |field: &ir::Field| program.layouts.get(field.layout).size;
                let begins = |field: &ir::Field| field.bit_offset / 8;
                let covers = |field: &&ir::Field| {
                    begins(field) <= offset && offset < begins(field) + bytes(field).max(1)
                };
                let mut covering = fields.iter().filter(covers);
                // Neither a bit-field nor a member of a union.
                let field = covering.next().filter(|field| field.bit_size == 8 * bytes(field))?;
                if covering.next().is_some() || program.name(field.name).is_empty() {
                    return None;
                }
                path.push_str(&format!(".{}", program.name(field.name)));
                (id, offset) = (field.layout, offset - begins(field));
            }
            _ => return (offset == 0).then_some((path, id)),
        }
    }
}

/// A number as C writes it: there are no negative literals.
fn number(value: i64) -> String {
    let suffix = if i32::try_from(value).is_ok() { "" } else { "LL" };
    match value {
        i64::MIN => format!("(-{}LL - 1)", i64::MAX),
        _ if value == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        _ if value < 0 => format!("-{}{suffix}", value.unsigned_abs()),
        _ => format!("{value}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_that_begin_in_a_line() {
        assert!(is_loop("    while (x < 3) {") && is_loop("for (;;)"));
        assert!(!is_loop("    } while (x < 3);") && !is_loop("do { x++; } while (x < 3);"));
        assert!(!is_loop("x = 1; // for ever") && !is_loop("forward(x);"));
    }

    #[test]
    fn names_that_may_be_hidden() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        for hides in ["int count = 0;", "int a,\n  count;", "void f(unsigned *count) {", "T count;"] {
            assert!(may_declare(&lines(hides), "count"), "{hides}");
        }
        for uses in ["count++;", "return count;", "while (count < 3)", "f(count, 3);", "int counter;"] {
            assert!(!may_declare(&lines(uses), "count"), "{uses}");
        }
    }

    #[test]
    fn numbers_that_have_no_literal() {
        assert_eq!((number(-3), number(1 << 40)), ("-3".to_owned(), "1099511627776LL".to_owned()));
        assert_eq!(number(i32::MIN.into()), "(-2147483647 - 1)");
        assert_eq!(number(i64::MIN), "(-9223372036854775807LL - 1)");
    }
}
