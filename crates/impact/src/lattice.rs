//! Linear algebra on integers: equations with small factors.

/// Numbers larger than this make elimination give up.
const LARGE: i128 = 1 << 60;

/// A short basis of all integer `c` with `c · v = 0` for each of the vectors, which have
/// `dimension` entries; none if the numbers become too large.
pub fn short_kernel(vectors: &[Vec<i128>], dimension: usize) -> Option<Vec<Vec<i128>>> {
    let basis = kernel(vectors, dimension)?;
    reduce(basis)
}

/// A basis of the kernel: Euclid's algorithm on columns, which keeps all integer
/// combinations.
fn kernel(vectors: &[Vec<i128>], dimension: usize) -> Option<Vec<Vec<i128>>> {
    // Each column: what the vectors yield for it, then the combination of units it is.
    let mut columns: Vec<Vec<i128>> = (0..dimension)
        .map(|index| {
            let image = vectors.iter().map(|vector| vector[index]);
            image.chain((0..dimension).map(|other| i128::from(index == other))).collect()
        })
        .collect();
    for row in 0..vectors.len() {
        loop {
            let nonzero = (0..columns.len()).filter(|index| columns[*index][row] != 0);
            let Some(least) = nonzero.min_by_key(|index| columns[*index][row].abs()) else { break };
            let pivot = columns.swap_remove(least);
            let mut done = true;
            for column in &mut columns {
                let factor = column[row].div_euclid(pivot[row]);
                for (entry, other) in column.iter_mut().zip(&pivot) {
                    *entry -= factor * other;
                    if entry.abs() > LARGE {
                        return None;
                    }
                }
                done &= column[row] == 0;
            }
            if done {
                break;
            }
            columns.push(pivot);
        }
    }
    Some(columns.into_iter().map(|column| column[vectors.len()..].to_vec()).collect())
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A basis of the same lattice with short vectors (Lenstra, Lenstra and Lovász).
fn reduce(mut basis: Vec<Vec<i128>>) -> Option<Vec<Vec<i128>>> {
    let mut at = 1;
    let mut rounds = 0;
    while at < basis.len() {
        rounds += 1;
        if rounds > 10_000 {
            return None;
        }
        for other in (0..at).rev() {
            let (_, factors) = orthogonalised(&basis[..=at]);
            let factor = factors[at][other].round() as i128;
            if factor != 0 {
                let (before, rest) = basis.split_at_mut(at);
                for (entry, less) in rest[0].iter_mut().zip(&before[other]) {
                    *entry -= factor * less;
                    if entry.abs() > LARGE {
                        return None;
                    }
                }
            }
        }
        let (orthogonal, factors) = orthogonalised(&basis[..=at]);
        let norm = |index: usize| product(&orthogonal[index], &orthogonal[index]);
        if norm(at) >= (0.75 - factors[at][at - 1].powi(2)) * norm(at - 1) {
            at += 1;
        } else {
            basis.swap(at, at - 1);
            at = (at - 1).max(1);
        }
    }
    Some(basis)
}

/// The vectors made orthogonal one after the other, and the factors that this took.
fn orthogonalised(basis: &[Vec<i128>]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut orthogonal: Vec<Vec<f64>> = Vec::new();
    let mut factors = Vec::new();
    for vector in basis {
        let vector: Vec<f64> = vector.iter().map(|entry| *entry as f64).collect();
        let (mut rest, mut own) = (vector.clone(), Vec::new());
        for other in &orthogonal {
            let factor = product(&vector, other) / product(other, other);
            rest.iter_mut().zip(other).for_each(|(entry, less)| *entry -= factor * less);
            own.push(factor);
        }
        orthogonal.push(rest);
        factors.push(own);
    }
    (orthogonal, factors)
}

#[cfg(test)]
mod tests {
    use logic::testing::Random;

    use super::*;

    #[test]
    fn hidden_equations_are_found() {
        // x0 = x1 - x2, and x3, x4 are anything: two points leave more equations than
        // this one, five leave it alone.
        let mut random = Random::new(7);
        for _ in 0..200 {
            let point = |random: &mut Random| {
                let mut any = || i128::from(random.below(13)) - 4;
                let (x1, x2) = (any(), any());
                vec![x1 - x2, x1, x2, any(), any()]
            };
            for count in 1..6 {
                let vectors: Vec<Vec<i128>> = (0..count).map(|_| point(&mut random)).collect();
                let found = short_kernel(&vectors, 5).expect("the numbers are small");
                for equation in &found {
                    let value =
                        |vector: &Vec<i128>| vector.iter().zip(equation).map(|(a, b)| a * b).sum::<i128>();
                    assert!(vectors.iter().all(|vector| value(vector) == 0));
                }
                let wanted = [1, -1, 1, 0, 0];
                let negated = wanted.map(|entry: i128| -entry);
                let there = found.iter().any(|equation| equation[..] == wanted || equation[..] == negated);
                assert!(there || found.len() > 1, "{found:?}");
            }
        }
    }
}
