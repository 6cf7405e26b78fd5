//! Making a program smaller while it keeps a property.

use crate::test::{Stmt, Test};

/// The smallest program that greedy removal finds for which `keeps` still
/// holds; `keeps(test)` must hold.
pub fn shrink(test: &Test, mut keeps: impl FnMut(&Test) -> bool) -> Test {
    let mut best = test.clone();
    loop {
        let Some(smaller) = smaller_ones(&best).into_iter().find(|candidate| keeps(candidate)) else {
            return best;
        };
        best = smaller;
    }
}

/// The programs that are one removal away, largest removals first.
fn smaller_ones(test: &Test) -> Vec<Test> {
    let mut found = Vec::new();
    let mut change = |edit: &dyn Fn(&mut Test)| {
        let mut candidate = test.clone();
        edit(&mut candidate);
        if candidate != *test {
            found.push(candidate);
        }
    };
    for index in 0..test.threads.len() {
        if test.threads.len() > 1 {
            change(&|t| {
                t.threads.remove(index);
            });
        }
    }
    change(&|t| t.meanwhile.clear());
    change(&|t| t.forbidden = None);
    change(&|t| t.joins = true);
    for (index, thread) in test.threads.iter().enumerate() {
        change(&|t| t.threads[index].careless = false);
        for body in smaller_bodies(&thread.body) {
            change(&|t| t.threads[index].body = body.clone());
        }
    }
    for body in smaller_bodies(&test.meanwhile) {
        change(&|t| t.meanwhile = body.clone());
    }
    found
}

/// The lists with one statement removed, replaced by what it contains, or made
/// smaller itself.
fn smaller_bodies(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    for (index, stmt) in body.iter().enumerate() {
        let replaced = |with: &[Stmt]| [&body[..index], with, &body[index + 1..]].concat();
        found.push(replaced(&[]));
        for (which, inner) in stmt.bodies().into_iter().enumerate() {
            found.push(replaced(inner));
            for smaller in smaller_bodies(inner) {
                let mut stmt = stmt.clone();
                *stmt.bodies_mut()[which] = smaller;
                found.push(replaced(&[stmt]));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, sketch};

    /// Counts the statements that satisfy `test`, nested ones too.
    fn count(body: &[Stmt], test: fn(&Stmt) -> bool) -> usize {
        let inner = |stmt: &Stmt| stmt.bodies().into_iter().map(|b| count(b, test)).sum::<usize>();
        body.iter().map(|stmt| usize::from(test(stmt)) + inner(stmt)).sum()
    }

    fn asserts(test: &Test) -> usize {
        test.threads.iter().map(|t| count(&t.body, |s| matches!(s, Stmt::Assert(_)))).sum()
    }

    #[test]
    fn only_what_is_needed_stays() {
        let mut shrunk = 0;
        for seed in 0..200 {
            let test = sketch(seed, &Shape::default());
            if asserts(&test) > 0 {
                let small = shrink(&test, |t| asserts(t) > 0);
                assert_eq!(small.threads.len(), 1);
                assert_eq!(small.threads[0].body.len(), 1, "{small}");
                shrunk += 1;
            }
        }
        assert!(shrunk > 50);
    }
}
