//! A temporary file for what an engine cannot keep in memory.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Mutex;

/// Blocks in a file that has no name and goes with the process. It is made when
/// the first block comes.
#[derive(Default)]
pub struct FileStore {
    blocks: Mutex<Blocks>,
}

#[derive(Default)]
struct Blocks {
    file: Option<File>,
    /// Where each begins, and where the last ends.
    ends: Vec<u64>,
}

impl stateless::Store for FileStore {
    fn put(&self, block: &[u8]) -> io::Result<u64> {
        let mut blocks = self.blocks.lock().expect("no thread panics with it");
        if blocks.file.is_none() {
            blocks.file = Some(tempfile::tempfile()?);
            blocks.ends.push(0);
        }
        let start = *blocks.ends.last().expect("the file has a beginning");
        blocks.file.as_ref().expect("it was made").write_all_at(block, start)?;
        blocks.ends.push(start + block.len() as u64);
        Ok(blocks.ends.len() as u64 - 2)
    }

    fn get(&self, number: u64) -> io::Result<Vec<u8>> {
        let blocks = self.blocks.lock().expect("no thread panics with it");
        let (start, end) = (blocks.ends[number as usize], blocks.ends[number as usize + 1]);
        let mut block = vec![0; (end - start) as usize];
        blocks.file.as_ref().expect("it was made").read_exact_at(&mut block, start)?;
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stateless::Store;

    #[test]
    fn blocks_come_back() {
        let store = FileStore::default();
        let numbers: Vec<u64> = [&b"one"[..], b"", b"three"].iter().map(|b| store.put(b).unwrap()).collect();
        assert_eq!(store.get(numbers[2]).unwrap(), b"three");
        assert_eq!(store.get(numbers[0]).unwrap(), b"one");
        assert_eq!(store.get(numbers[1]).unwrap(), b"");
    }
}
