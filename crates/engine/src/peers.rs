//! Searches in several processes: how the processes of one search talk.

/// The processes of a search that runs in several, seen from one of them. Sockets and
/// messages are the caller's business; a search only exchanges bytes.
pub trait Peers: Send + Sync {
    /// The number of this process, from 0.
    fn index(&self) -> usize;

    /// How many processes there are.
    fn count(&self) -> usize;

    /// Sends each process what is meant for it, and yields what each of them has sent to
    /// this one in the same round. All processes do this equally often; it waits for the
    /// slowest. Nothing is sent to the process itself.
    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost>;
}

/// A process has ended, or cannot be reached any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost {
    /// Its number.
    pub process: usize,
}
