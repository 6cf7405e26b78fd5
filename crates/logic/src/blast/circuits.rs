//! Circuits for operations on words. The lowest bit comes first.

use super::gates::{FALSE, Gates, Lit, TRUE};

impl Gates {
    pub fn word_ite(&mut self, cond: Lit, yes: &[Lit], no: &[Lit]) -> Vec<Lit> {
        yes.iter().zip(no).map(|(yes, no)| self.ite(cond, *yes, *no)).collect()
    }

    /// The sum with a carry in.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut result = Vec::with_capacity(a.len());
        for (index, (x, y)) in a.iter().zip(b).enumerate() {
            let half = self.xor(*x, *y);
            result.push(self.xor(half, carry));
            // The last carry is not needed.
            if index + 1 < a.len() {
                carry = self.majority(*x, *y, carry);
            }
        }
        result
    }

    pub fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let not: Vec<Lit> = a.iter().map(|bit| -bit).collect();
        self.sum(&not, &vec![FALSE; a.len()], TRUE)
    }

    pub fn product(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        // The factor with more constant bits decides which rows are added.
        let constants = |word: &[Lit]| word.iter().filter(|bit| bit.abs() == TRUE).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut result = vec![FALSE; width];
        for (shift, bit) in b.iter().enumerate().filter(|(_, bit)| **bit != FALSE) {
            let row: Vec<Lit> = a[..width - shift].iter().map(|a| self.and(*a, *bit)).collect();
            let upper = self.sum(&result[shift..], &row, FALSE);
            result[shift..].copy_from_slice(&upper);
        }
        result
    }

    /// Whether `a < b`, unsigned.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // The borrow of a - b, from the lowest bit up.
        let mut borrow = FALSE;
        for (a, b) in a.iter().zip(b) {
            borrow = self.majority(-a, *b, borrow);
        }
        borrow
    }

    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // Flipping the signs turns the signed order into the unsigned one.
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = -*sign;
            }
            word
        };
        self.less(&flip(a), &flip(b))
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut same = TRUE;
        for (a, b) in a.iter().zip(b) {
            let bit = -self.xor(*a, *b);
            same = self.and(same, bit);
        }
        same
    }

    /// Quotient and remainder by long division. A divisor of 0 is subtracted
    /// in every step: all ones, and the dividend, as it should be.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(FALSE);
        let not_divisor: Vec<Lit> = divisor.iter().map(|bit| -bit).collect();
        let mut remainder = vec![FALSE; width];
        let mut quotient = vec![FALSE; width];
        for index in (0..width).rev() {
            let mut shifted = vec![a[index]];
            shifted.extend_from_slice(&remainder);
            let fits = -self.less(&shifted, &divisor);
            let difference = self.sum(&shifted, &not_divisor, TRUE);
            quotient[index] = fits;
            remainder = self.word_ite(fits, &difference[..width], &shifted[..width]);
        }
        (quotient, remainder)
    }

    /// Shifts to the left (towards higher bits) by a word, filling with `fill`.
    pub fn shift_up(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut result = a.to_vec();
        let mut too_far = FALSE;
        for (stage, bit) in by.iter().enumerate() {
            match 1usize.checked_shl(stage as u32).filter(|amount| *amount < width) {
                Some(amount) => {
                    let mut moved = vec![fill; amount];
                    moved.extend_from_slice(&result[..width - amount]);
                    result = self.word_ite(*bit, &moved, &result);
                }
                None => too_far = self.or(too_far, *bit),
            }
        }
        let filled = vec![fill; width];
        self.word_ite(too_far, &filled, &result)
    }

    /// The same to the right.
    pub fn shift_down(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let reversed: Vec<Lit> = a.iter().rev().copied().collect();
        let mut result = self.shift_up(&reversed, by, fill);
        result.reverse();
        result
    }
}
