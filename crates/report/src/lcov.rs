//! Coverage in the format of lcov, which other tools draw. How often something
//! was executed has no meaning here: it is 1, or 0 if it never was.

use std::fmt::Write;

use crate::coverage::{Branch, Coverage, Covered};

/// The coverage of all files.
pub fn lcov(coverage: &Coverage) -> String {
    let mut files: Vec<&str> = coverage.lines.iter().map(|line| line.at.file.as_str()).collect();
    files.dedup();
    files.iter().map(|file| record(coverage, file)).collect()
}

/// What is said of one file.
fn record(coverage: &Coverage, file: &str) -> String {
    let of_file = |list: &[Covered]| -> Vec<Covered> {
        list.iter().filter(|each| each.at.file == file).cloned().collect()
    };
    let (functions, lines) = (of_file(&coverage.functions), of_file(&coverage.lines));
    let branches: Vec<&Branch> = coverage.branches.iter().filter(|each| each.at.file == file).collect();
    let mut out = format!("TN:\nSF:{file}\n");
    for each in &functions {
        let _ = writeln!(out, "FN:{},{}", each.at.line, each.at.function);
    }
    for each in &functions {
        let _ = writeln!(out, "FNDA:{},{}", u8::from(each.executed), each.at.function);
    }
    out.push_str(&totals("FN", functions.iter().map(|each| each.executed)));
    for branch in &branches {
        let taken = match (branch.asked, branch.executed) {
            (false, _) => "-",
            (true, executed) => ["0", "1"][usize::from(executed)],
        };
        // Conditions of a line are told apart by their columns.
        let (line, column, outcome) = (branch.at.line, branch.at.column, u8::from(!branch.holds));
        let _ = writeln!(out, "BRDA:{line},{column},{outcome},{taken}");
    }
    out.push_str(&totals("BR", branches.iter().map(|each| each.executed)));
    for each in &lines {
        let _ = writeln!(out, "DA:{},{}", each.at.line, u8::from(each.executed));
    }
    out.push_str(&totals("L", lines.iter().map(|each| each.executed)));
    out + "end_of_record\n"
}

/// How many there are and how many were executed.
fn totals(what: &str, executed: impl Iterator<Item = bool> + Clone) -> String {
    format!(
        "{what}F:{}\n{what}H:{}\n",
        executed.clone().count(),
        executed.filter(|executed| *executed).count()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::Location;

    #[test]
    fn each_file_has_its_record() {
        let at =
            |file: &str, line, column| Location { file: file.into(), line, column, function: "f".into() };
        let covered = |file, line, executed| Covered { at: at(file, line, 0), executed };
        let branch = |holds, executed| Branch { at: at("a.c", 3, 7), holds, asked: true, executed };
        let coverage = Coverage {
            functions: vec![covered("a.c", 2, true), covered("b.c", 1, false)],
            lines: vec![covered("a.c", 3, true), covered("a.c", 4, false), covered("b.c", 2, false)],
            branches: vec![branch(true, false), branch(false, true)],
            ..Coverage::default()
        };
        let expected = "TN:\nSF:a.c\nFN:2,f\nFNDA:1,f\nFNF:1\nFNH:1\nBRDA:3,7,0,0\nBRDA:3,7,1,1\nBRF:2\nBRH:1\n\
                        DA:3,1\nDA:4,0\nLF:2\nLH:1\nend_of_record\n\
                        TN:\nSF:b.c\nFN:1,f\nFNDA:0,f\nFNF:1\nFNH:0\nBRF:0\nBRH:0\nDA:2,0\nLF:1\nLH:0\nend_of_record\n";
        assert_eq!(lcov(&coverage), expected);
    }
}
