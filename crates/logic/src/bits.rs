//! Bits of a width.

/// The bits of the width.
#[inline]
pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value as a signed number.
#[inline]
pub fn signed(bits: u128, width: u8) -> i128 {
    let spare = 128 - u32::from(width);
    ((bits << spare) as i128) >> spare
}

/// The sign bit of the width.
#[inline]
pub fn sign(width: u8) -> u128 {
    1 << (width - 1)
}
