//! Messages in rounds: each process sends one to every other, and waits for one of each.
//!
//! The sockets, and the threads that read and write them, belong to timely's
//! communication crate, whose channels keep messages in order. Its endpoints must stay
//! on one thread, so that there is one for them, which is asked for a round at a time.
//!
//! If a connection breaks, that crate's threads panic. Here it becomes [`Lost`], with the
//! number of the process at its other end.

use std::collections::VecDeque;
use std::fmt;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use engine::{Lost, Peers};
use timely_bytes::arc::Bytes;
use timely_communication::allocator::ProcessBuilder;
use timely_communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely_communication::allocator::zero_copy::stream::Stream;
use timely_communication::{Allocator, Bytesable, Hooks, Pull, Push};

use crate::connect::Place;
use crate::socket::Socket;

/// How often a process that waits looks whether the others are still there.
const LOOK: Duration = Duration::from_millis(100);

/// How long after a connection was closed its last message may take to be read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How long a process stays after it has noticed that another one is gone, so that all
/// others notice the same and not that this one left.
const LINGER: Duration = Duration::from_millis(1500);

/// How long it may take to send what is left when the search is over.
const FAREWELL: Duration = Duration::from_secs(3);

/// A message, with the number of its sender.
struct Letter {
    from: u64,
    bytes: Vec<u8>,
}

impl Bytesable for Letter {
    fn from_bytes(bytes: Bytes) -> Letter {
        let (from, bytes) = bytes.split_at(8);
        let from = u64::from_le_bytes(from.try_into().expect("eight bytes"));
        Letter { from, bytes: bytes.to_vec() }
    }

    fn length_in_bytes(&self) -> usize {
        8 + self.bytes.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let written = writer.write_all(&self.from.to_le_bytes()).and_then(|()| writer.write_all(&self.bytes));
        written.expect("there is room for the message");
    }
}

type Round = Vec<Vec<u8>>;

/// The way to the thread that has the endpoints, and back.
struct Link {
    requests: Option<Sender<Round>>,
    replies: Receiver<Result<Round, Lost>>,
}

/// The processes of a search, connected.
pub struct Processes {
    place: Place,
    link: Mutex<Link>,
    lost: OnceLock<Lost>,
}

impl Processes {
    /// Begins to talk over connections to all other processes.
    pub(crate) fn start(place: Place, sockets: Vec<Option<Socket>>) -> std::io::Result<Processes> {
        let clone = |socket: &Option<Socket>| socket.as_ref().map(Stream::try_clone).transpose();
        let watched = sockets.iter().map(clone).collect::<std::io::Result<Vec<_>>>()?;
        let hooks = Hooks::default();
        let own = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (mut builders, guard) = initialize_networking_from_sockets(own, sockets, place.index, 1, hooks)?;
        let builder = builders.pop().expect("one worker");
        let (requests, asked) = channel();
        let (answers, replies) = channel();
        let index = place.index;
        std::thread::Builder::new().name("rounds".to_owned()).spawn(move || {
            let office = Office::new(Allocator::Tcp(builder.build()), index, watched, guard);
            office.serve(asked, answers);
        })?;
        let link = Mutex::new(Link { requests: Some(requests), replies });
        Ok(Processes { place, link, lost: OnceLock::new() })
    }

    /// The process that is gone, if one is.
    pub fn lost(&self) -> Option<Lost> {
        self.lost.get().copied()
    }

    /// Where the processes are.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl fmt::Debug for Processes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)
    }
}

impl Peers for Processes {
    fn index(&self) -> usize {
        self.place.index
    }

    fn count(&self) -> usize {
        self.place.addresses.len()
    }

    fn exchange(&self, outgoing: Round) -> Result<Round, Lost> {
        if let Some(lost) = self.lost() {
            return Err(lost);
        }
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = link.requests.as_ref().is_some_and(|requests| requests.send(outgoing).is_ok());
        let reply = sent.then(|| link.replies.recv().ok()).flatten();
        // A thread that does not answer any more is a fault of this process.
        let reply = reply.unwrap_or(Err(Lost { process: self.place.index }));
        reply.inspect_err(|lost| _ = self.lost.set(*lost))
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        let link = self.link.get_mut().unwrap_or_else(PoisonError::into_inner);
        link.requests = None;
        // The thread ends once the others have got all that was sent to them.
        let ended = link.replies.recv_timeout(FAREWELL);
        debug_assert!(matches!(ended, Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout)));
    }
}

/// The endpoints, on their thread.
struct Office {
    allocator: Allocator,
    senders: Vec<Box<dyn Push<Letter>>>,
    receiver: Box<dyn Pull<Letter>>,
    index: usize,
    /// What has come from each process and belongs to this round or the next.
    come: Vec<VecDeque<Vec<u8>>>,
    /// The connections once more, to see whether they are still open.
    watched: Vec<Option<Socket>>,
    guard: CommsGuard,
}

impl Office {
    fn new(
        mut allocator: Allocator,
        index: usize,
        watched: Vec<Option<Socket>>,
        guard: CommsGuard,
    ) -> Office {
        let (senders, receiver) = allocator.allocate(0);
        let come = watched.iter().map(|_| VecDeque::new()).collect();
        Office { allocator, senders, receiver, index, come, watched, guard }
    }

    fn serve(mut self, asked: Receiver<Round>, answers: Sender<Result<Round, Lost>>) {
        for outgoing in asked {
            // Where a connection broke, the endpoints panic.
            let reply = catch_unwind(AssertUnwindSafe(|| self.round(outgoing)));
            let reply = reply.unwrap_or_else(|_| Err(self.gone()));
            let lost = reply.is_err();
            if lost {
                std::thread::sleep(LINGER);
            }
            let _ = answers.send(reply);
            if lost {
                // What is broken would panic once more when it is dropped.
                return std::mem::forget(self);
            }
        }
        // Dropping sends what is left, and waits for the others to do the same.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let Office { allocator, senders, receiver, guard, .. } = self;
            drop((senders, receiver, allocator));
            drop(guard);
        }));
    }

    fn round(&mut self, outgoing: Round) -> Result<Round, Lost> {
        for (process, bytes) in outgoing.into_iter().enumerate().filter(|(process, _)| *process != self.index)
        {
            self.senders[process].send(Letter { from: self.index as u64, bytes });
            self.senders[process].done();
        }
        self.allocator.release();
        let mut closed: Option<(Lost, Instant)> = None;
        loop {
            self.allocator.receive();
            while let Some(letter) = self.receiver.recv() {
                self.come[letter.from as usize].push_back(letter.bytes);
            }
            self.allocator.events().borrow_mut().clear();
            if self.missing().next().is_none() {
                return Ok(self.come.iter_mut().map(|come| come.pop_front().unwrap_or_default()).collect());
            }
            self.allocator.await_events(Some(LOOK));
            match (closed, self.closed()) {
                (None, now) => closed = now.map(|lost| (lost, Instant::now())),
                (Some((lost, since)), Some(_)) if since.elapsed() > LAST_WORDS => return Err(lost),
                (Some(_), None) => closed = None,
                (Some(_), Some(_)) => {}
            }
        }
    }

    /// The processes of which no message has come in this round.
    fn missing(&self) -> impl Iterator<Item = usize> {
        (0..self.come.len()).filter(|process| *process != self.index && self.come[*process].is_empty())
    }

    /// A process of which a message is missing and whose connection is closed.
    fn closed(&self) -> Option<Lost> {
        let is_closed = |process: &usize| self.watched[*process].as_ref().is_some_and(Socket::is_closed);
        self.missing().find(is_closed).map(|process| Lost { process })
    }

    /// The process whose connection broke.
    fn gone(&self) -> Lost {
        let any = || self.missing().next().unwrap_or(self.index);
        self.closed().unwrap_or_else(|| Lost { process: any() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::{Error, Identity, connect};

    fn identity(hash: u8) -> Identity {
        vec![("build of threadproof", [1; 32]), ("program", [hash; 32])]
    }

    /// A folder for the addresses, which is removed at the end.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("threadproof-rounds-{}-{name}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn addresses(&self, count: usize) -> Vec<String> {
            (0..count).map(|index| self.0.join(index.to_string()).display().to_string()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn started(addresses: &[String], index: usize, hash: u8) -> Result<Processes, Error> {
        connect(&Place { addresses: addresses.to_vec(), index }, &identity(hash), || Ok(()))
    }

    /// Runs one thread for each process.
    fn together<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> = (0..count).map(|index| scope.spawn(move || work(index))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn each_round_brings_one_message_of_each_process() {
        let folder = Folder::new("rounds");
        let addresses = folder.addresses(3);
        together(3, |me| {
            let processes = started(&addresses, me, 7).unwrap();
            for round in 0..200usize {
                let message = |to: usize| vec![(round + 10 * me + to) as u8; round * round];
                let got = processes.exchange((0..3).map(message).collect()).unwrap();
                for from in (0..3).filter(|from| *from != me) {
                    assert_eq!(got[from], vec![(round + 10 * from + me) as u8; round * round]);
                }
            }
        });
    }

    #[test]
    fn a_process_that_searches_for_something_else_is_refused_by_both() {
        let folder = Folder::new("differs");
        let addresses = folder.addresses(2);
        let said = together(2, |me| started(&addresses, me, me as u8).err().unwrap().to_string());
        assert!(said[0].starts_with("process 1 (") && said[0].contains("another program"), "{said:?}");
        assert!(said[1].starts_with("process 0 (") && said[1].contains("another program"), "{said:?}");
    }

    #[test]
    fn a_process_that_leaves_is_named() {
        let folder = Folder::new("leaves");
        let addresses = folder.addresses(3);
        let lost = together(3, |me| {
            let processes = started(&addresses, me, 7).unwrap();
            processes.exchange(vec![Vec::new(); 3]).unwrap();
            (me != 1).then(|| {
                let begun = Instant::now();
                let lost = processes.exchange(vec![Vec::new(); 3]).unwrap_err();
                assert!(begun.elapsed() < Duration::from_secs(10));
                lost
            })
        });
        assert_eq!(lost, [Some(Lost { process: 1 }), None, Some(Lost { process: 1 })]);
    }
}
