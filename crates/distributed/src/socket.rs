//! Connections: by TCP between machines, by a file of the file system on one.

use std::io::{Read, Result, Write};
use std::mem::MaybeUninit;
use std::net::{Shutdown, ToSocketAddrs};
use std::time::Duration;

use socket2::{Domain, SockAddr, SockRef, TcpKeepalive, Type};
use timely_communication::allocator::zero_copy::stream::Stream;

/// A host that does not answer for so long is gone: 3 s until it is asked, and then
/// three times a second.
const SILENCE: Duration = Duration::from_secs(3);
const REPEAT: Duration = Duration::from_secs(1);
const REPEATS: u32 = 3;

/// A connection to another process, or a place where one is waited for.
pub struct Socket(socket2::Socket);

/// What an address means: `host:port`, or the path of a file.
fn resolve(address: &str) -> Result<SockAddr> {
    if address.contains('/') {
        return SockAddr::unix(address);
    }
    let mut found = address.to_socket_addrs()?;
    found.next().map(SockAddr::from).ok_or_else(|| std::io::Error::other("it is no address"))
}

impl Socket {
    fn new(domain: Domain) -> Result<Socket> {
        socket2::Socket::new(domain, Type::STREAM, None).map(Socket)
    }

    /// Waits for connections at an address, without blocking.
    pub fn listen(address: &str) -> Result<Socket> {
        let address = resolve(address)?;
        let socket = Socket::new(address.domain())?;
        if !address.is_unix() {
            socket.0.set_reuse_address(true)?;
        }
        socket.0.bind(&address)?;
        socket.0.listen(128)?;
        socket.0.set_nonblocking(true)?;
        Ok(socket)
    }

    /// The next connection that somebody made to this place.
    pub fn accept(&self) -> Result<Socket> {
        let (socket, _) = self.0.accept()?;
        socket.set_nonblocking(false)?;
        Socket(socket).prepared()
    }

    /// Connects to an address.
    pub fn connect(address: &str, timeout: Duration) -> Result<Socket> {
        let address = resolve(address)?;
        let socket = Socket::new(address.domain())?;
        match address.is_unix() {
            true => socket.0.connect(&address)?,
            false => socket.0.connect_timeout(&address, timeout)?,
        }
        socket.prepared()
    }

    /// Messages are sent at once, and the system asks now and then whether the other
    /// host is still there.
    fn prepared(self) -> Result<Socket> {
        if self.0.domain()? != Domain::UNIX {
            let asking = TcpKeepalive::new().with_time(SILENCE).with_interval(REPEAT).with_retries(REPEATS);
            self.0.set_tcp_nodelay(true)?;
            self.0.set_tcp_keepalive(&asking)?;
            self.0.set_tcp_user_timeout(Some(SILENCE + REPEAT * REPEATS))?;
        }
        Ok(self)
    }

    /// Limits how long reading may take.
    pub fn set_read_timeout(&self, timeout: Option<Duration>) -> Result<()> {
        self.0.set_read_timeout(timeout)
    }

    /// Whether the other end was closed. Nothing is taken from what is there to be read.
    pub fn is_closed(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let look = libc::MSG_PEEK | libc::MSG_DONTWAIT;
        match SockRef::from(&self.0).recv_with_flags(&mut byte, look) {
            Ok(bytes) => bytes == 0,
            Err(error) => {
                let waits = [std::io::ErrorKind::WouldBlock, std::io::ErrorKind::Interrupted];
                !waits.contains(&error.kind())
            }
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl Stream for Socket {
    fn try_clone(&self) -> Result<Socket> {
        self.0.try_clone().map(Socket)
    }

    fn set_nonblocking(&self, nonblocking: bool) -> Result<()> {
        self.0.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> Result<()> {
        self.0.shutdown(how)
    }
}
