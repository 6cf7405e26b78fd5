//! Linear algebra on machine words: the equations that vectors fulfil.
//!
//! Words of `w` bits are a ring, in which only odd numbers can be divided by. So
//! elimination takes the entry with the fewest factors of two as its pivot (after
//! Müller-Olm and Seidl, "Analysis of modular arithmetic").

use bits::inverse;
use bits::narrow::mask;

/// Generators of all `c` with `c · v = 0` for each of the vectors, modulo two to the
/// width. The vectors have `dimension` entries.
pub fn kernel(vectors: &[Vec<u64>], dimension: usize, width: u8) -> Vec<Vec<u64>> {
    let mask = mask(width);
    // Each column is a combination of unit vectors (`unit`), and what the vectors
    // yield for it (`image`). Columns are combined until the images are in echelon form.
    let mut columns: Vec<Column> = (0..dimension)
        .map(|index| Column {
            unit: (0..dimension).map(|other| u64::from(index == other)).collect(),
            image: vectors.iter().map(|vector| vector[index] & mask).collect(),
        })
        .collect();
    let mut found = Vec::new();
    for row in 0..vectors.len() {
        let factors = |column: &Column| column.image[row].trailing_zeros().min(u32::from(width));
        let Some(pivot) = (0..columns.len()).min_by_key(|index| factors(&columns[*index])) else { break };
        let power = factors(&columns[pivot]);
        if power == u32::from(width) {
            continue;
        }
        let chosen = columns.swap_remove(pivot);
        let inverse = inverse(chosen.image[row] >> power);
        for column in &mut columns {
            let factor = (column.image[row] >> power).wrapping_mul(inverse) & mask;
            column.subtract(&chosen, factor, mask);
        }
        // Two to the power (w - power) times the pivot's column is zero in this row.
        if power > 0 {
            columns.push(chosen.times(1 << (u32::from(width) - power), mask));
        }
    }
    found.extend(columns.into_iter().map(|column| column.unit));
    found.retain(|unit: &Vec<u64>| unit.iter().any(|entry| *entry != 0));
    found
}

struct Column {
    unit: Vec<u64>,
    image: Vec<u64>,
}

impl Column {
    fn subtract(&mut self, other: &Column, factor: u64, mask: u64) {
        let pairs = self.unit.iter_mut().zip(&other.unit).chain(self.image.iter_mut().zip(&other.image));
        for (entry, other) in pairs {
            *entry = entry.wrapping_sub(other.wrapping_mul(factor)) & mask;
        }
    }

    fn times(&self, factor: u64, mask: u64) -> Column {
        let times = |entries: &[u64]| entries.iter().map(|entry| entry.wrapping_mul(factor) & mask).collect();
        Column { unit: times(&self.unit), image: times(&self.image) }
    }
}

#[cfg(test)]
mod tests {
    use logic::testing::Random;

    use super::*;

    fn product(a: &[u64], b: &[u64], width: u8) -> u64 {
        let sum = a.iter().zip(b).fold(0u64, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)));
        sum & mask(width)
    }

    #[test]
    fn inverses_are_inverse() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let odd = random.bits(64) as u64 | 1;
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    #[test]
    fn kernels_are_all_that_vanishes() {
        // All vectors of two bits and three entries are tried against the generators.
        let mut random = Random::new(2);
        let width = 2;
        for _ in 0..300 {
            let vectors: Vec<Vec<u64>> =
                (0..random.below(4)).map(|_| (0..3).map(|_| random.below(4)).collect()).collect();
            let generators = kernel(&vectors, 3, width);
            let all = (0..64u64).map(|bits| vec![bits & 3, bits >> 2 & 3, bits >> 4 & 3]);
            for candidate in all {
                let vanishes = vectors.iter().all(|vector| product(&candidate, vector, width) == 0);
                assert_eq!(vanishes, is_generated(&generators, &candidate), "{vectors:?} {candidate:?}");
            }
        }
    }

    /// Whether a vector is a combination of the generators, by trying all.
    fn is_generated(generators: &[Vec<u64>], wanted: &[u64]) -> bool {
        let mut reached = vec![vec![0; wanted.len()]];
        for generator in generators {
            let times = |start: &Vec<u64>, factor: u64| -> Vec<u64> {
                start.iter().zip(generator).map(|(a, b)| (a + b * factor) & 3).collect()
            };
            reached =
                reached.iter().flat_map(|start| (0..4).map(move |factor| times(start, factor))).collect();
            reached.sort();
            reached.dedup();
        }
        reached.iter().any(|found| found == wanted)
    }
}
