//! Finding the other processes, and whether they search for the same.
//!
//! A process connects to all with smaller numbers and waits for those with larger ones.
//! Both ends of a connection then say who they are and what they search; if that
//! differs, both refuse.

use std::io::{self, ErrorKind, Read, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::Peers;

use crate::rounds::Processes;
use crate::socket::Socket;

/// How long all processes may take to come.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often is looked for them.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long a connection may take, and the first words on it.
const GREETING: Duration = Duration::from_secs(5);

/// The first bytes of a connection.
const MAGIC: [u8; 16] = *b"threadproof sea1";

/// What must be the same in all processes: what it is, in words, and its hash.
pub type Identity = Vec<(&'static str, [u8; 32])>;

/// A process of a search: which one it is, of those at these addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where each process waits for the others: `host:port`, or the path of a file.
    pub addresses: Vec<String>,
    /// The number of this process.
    pub index: usize,
}

/// Why the processes did not come together.
#[derive(thiserror::Error, Debug)]
pub enum Error {
    /// The own address cannot be used.
    #[error("process {process} cannot wait for others at {address}: {error}")]
    Listen {
        /// The number of this process.
        process: usize,
        /// Its address.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// A process searches for something else.
    #[error("process {process} ({address}) has another {what}; all processes need the same")]
    Differs {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// What is different.
        what: &'static str,
    },
    /// Some did not come.
    #[error("no connection to {0} within {seconds} s", seconds = PATIENCE.as_secs())]
    Missing(String),
    /// Something else.
    #[error("cannot start messages between processes: {0}")]
    Io(#[from] io::Error),
}

impl Place {
    /// A process in words.
    pub fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.addresses[process])
    }
}

/// Connects to all processes of a search; they are connected to each other then, too. `go_on` is asked now and then whether there is
/// still hope.
pub fn connect<E: From<Error>>(
    place: &Place,
    identity: &Identity,
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<Processes, E> {
    let started = Instant::now();
    let (me, address) = (place.index, &place.addresses[place.index]);
    let cannot = |error| Error::Listen { process: me, address: address.clone(), error };
    let listener = Socket::listen(address).map_err(cannot)?;
    let mut sockets: Vec<Option<Socket>> = place.addresses.iter().map(|_| None).collect();
    while missing(&sockets, me).next().is_some() {
        if started.elapsed() > PATIENCE {
            let names: Vec<String> = missing(&sockets, me).map(|process| place.name(process)).collect();
            return Err(Error::Missing(names.join(", ")).into());
        }
        go_on()?;
        let mut found = Vec::new();
        for process in missing(&sockets, me).filter(|process| *process < me) {
            let reached = Socket::connect(&place.addresses[process], GREETING).ok();
            found.extend(reached.and_then(|socket| greeted(place, identity, socket, Some(process))));
        }
        while let Ok(socket) = listener.accept() {
            found.extend(greeted(place, identity, socket, None));
        }
        for Greeted { process, socket, differs } in found {
            if let Some(what) = differs {
                let address = place.addresses[process].clone();
                return Err(Error::Differs { process, address, what }.into());
            }
            sockets[process] = Some(socket);
        }
        sleep(INTERVAL);
    }
    let processes = Processes::start(place.clone(), sockets).map_err(Error::Io)?;
    // The others may still be looking for each other.
    let met = processes.exchange(vec![Vec::new(); place.addresses.len()]);
    met.map_err(|lost| Error::Missing(place.name(lost.process)))?;
    Ok(processes)
}

/// The processes that are not connected yet.
fn missing(sockets: &[Option<Socket>], me: usize) -> impl Iterator<Item = usize> {
    let absent =
        |(process, socket): (usize, &Option<Socket>)| (process != me && socket.is_none()).then_some(process);
    sockets.iter().enumerate().filter_map(absent).collect::<Vec<_>>().into_iter()
}

/// A connection whose other end is known.
struct Greeted {
    process: usize,
    socket: Socket,
    differs: Option<&'static str>,
}

/// Says who this is and hears who that is. What is no process of a search is left alone.
fn greeted(
    place: &Place,
    identity: &Identity,
    mut socket: Socket,
    expected: Option<usize>,
) -> Option<Greeted> {
    let heard = exchange(place, identity, &mut socket).ok()?;
    let (process, count) = (heard.index as usize, heard.count as usize);
    let other_count = count != place.addresses.len() || process >= count;
    let other = expected.is_some_and(|expected| expected != process) || process == place.index;
    let differing = identity.iter().zip(&heard.hashes).find(|((_, own), theirs)| own != *theirs);
    let differs = differing.map(|((what, _), _)| *what);
    let differs = differs.or((other_count || other).then_some("list of hosts"));
    let process = expected.unwrap_or(process).min(place.addresses.len() - 1);
    Some(Greeted { process, socket, differs })
}

struct Heard {
    index: u64,
    count: u64,
    hashes: Vec<[u8; 32]>,
}

fn exchange(place: &Place, identity: &Identity, socket: &mut Socket) -> io::Result<Heard> {
    let mut greeting = MAGIC.to_vec();
    greeting.extend((place.index as u64).to_le_bytes());
    greeting.extend((place.addresses.len() as u64).to_le_bytes());
    identity.iter().for_each(|(_, hash)| greeting.extend(hash));
    socket.write_all(&greeting)?;
    socket.set_read_timeout(Some(GREETING))?;
    if read::<16>(socket)? != MAGIC {
        return Err(ErrorKind::InvalidData.into());
    }
    let (index, count) = (u64::from_le_bytes(read(socket)?), u64::from_le_bytes(read(socket)?));
    let hashes = identity.iter().map(|_| read(socket)).collect::<io::Result<_>>()?;
    socket.set_read_timeout(None)?;
    Ok(Heard { index, count, hashes })
}

fn read<const N: usize>(socket: &mut Socket) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    socket.read_exact(&mut bytes)?;
    Ok(bytes)
}
