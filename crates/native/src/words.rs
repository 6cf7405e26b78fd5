//! Tables of the runtime: words in the order of the machine.

/// Words as bytes.
#[derive(Default)]
pub struct Words(pub Vec<u8>);

impl Words {
    /// Adds some.
    pub fn push(&mut self, words: &[u32]) {
        words.iter().for_each(|word| self.0.extend(word.to_le_bytes()));
    }
}
