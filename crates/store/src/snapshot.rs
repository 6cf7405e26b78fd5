//! Stores as bytes, so that a search can go on in another process.
//!
//! Parts, inner nodes and roots are written in the order of their numbers and put
//! into an empty store in the same order: they get the same numbers there. The
//! encoding is that of the types as this build has them; the code that keeps the bytes
//! sees to it that the same build reads them.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::pairs::Pairs;
use crate::store::Store;

/// Writes a value, after the number of its bytes.
pub fn put(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    let bytes = postcard::to_stdvec(value).map_err(Error::other)?;
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(&bytes)
}

/// Reads what [`put`] wrote.
pub fn take<T: DeserializeOwned>(input: &mut dyn Read) -> Result<T> {
    let mut bytes = Vec::new();
    let len = take_number(input)?;
    // What is not there is not allocated either.
    input.take(len).read_to_end(&mut bytes)?;
    postcard::from_bytes(&bytes).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// Writes numbers one by one, after how many there are: a long list is never in
/// memory twice.
pub fn put_numbers(out: &mut dyn Write, numbers: impl ExactSizeIterator<Item = u64>) -> Result<()> {
    out.write_all(&(numbers.len() as u64).to_le_bytes())?;
    numbers.into_iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

/// Reads what [`put_numbers`] wrote, number by number.
pub fn take_numbers(input: &mut dyn Read, mut each: impl FnMut(u64)) -> Result<()> {
    for _ in 0..take_number(input)? {
        each(take_number(input)?);
    }
    Ok(())
}

fn take_number(input: &mut dyn Read) -> Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

impl Store {
    /// Writes all states.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let parts = self.parts.len();
        out.write_all(&u64::from(parts).to_le_bytes())?;
        (0..parts).try_for_each(|number| put(out, self.parts.get(number)))?;
        [&self.heads, &self.nodes, &self.roots]
            .into_iter()
            .try_for_each(|pairs| put_numbers(out, pairs.words()))
    }

    /// Reads states that [`Store::write`] wrote, into a store without states.
    pub fn read(self, input: &mut dyn Read) -> Result<Store> {
        let store = self;
        for number in 0..take_number(input)? {
            let known = store.parts.intern(take(input)?);
            if u64::from(known) != number {
                return Err(Error::new(ErrorKind::InvalidData, "a part of a state occurs twice"));
            }
        }
        let read = |pairs: &Pairs, input: &mut dyn Read| take_numbers(input, |word| pairs.add(word));
        [&store.heads, &store.nodes, &store.roots].into_iter().try_for_each(|pairs| read(pairs, input))?;
        Ok(store)
    }
}
