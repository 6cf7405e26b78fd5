//! What holds data, as a proof says it.

use machine::Holder;

/// Shows that holders have sizes that numbers can have, and no byte in common: each number
/// must be the value of one variable.
pub fn are_apart(holders: &[Holder]) -> bool {
    let fits = |holder: &Holder| match holder {
        Holder::Register { .. } => true,
        Holder::Global { len, .. } | Holder::Made { len, .. } => (1..=8).contains(len),
    };
    let pairs =
        holders.iter().enumerate().flat_map(|(next, a)| holders[next + 1..].iter().map(move |b| (a, b)));
    holders.iter().all(fits) && pairs.into_iter().all(|(a, b)| !meet(a, b))
}

/// Whether two holders have something in common.
fn meet(a: &Holder, b: &Holder) -> bool {
    let share = |(offset, len): (u32, u8), (other, other_len): (u32, u8)| {
        let (end, other_end) = (u64::from(offset) + u64::from(len), u64::from(other) + u64::from(other_len));
        u64::from(offset) < other_end && u64::from(other) < end
    };
    match (*a, *b) {
        (Holder::Register { .. }, Holder::Register { .. }) => a == b,
        (Holder::Global { id, offset, len }, Holder::Global { id: other, offset: at, len: size }) => {
            id == other && share((offset, len), (at, size))
        }
        (
            Holder::Made { function, pc, offset, len },
            Holder::Made { function: other, pc: other_pc, offset: at, len: size },
        ) => (function, pc) == (other, other_pc) && share((offset, len), (at, size)),
        _ => false,
    }
}
