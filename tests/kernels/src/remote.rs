//! Servers of the remote HAL for tests, and a link with a delay and a bandwidth to them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

/// The program `muxcl-hal-server`, built beside this one.
pub fn program() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(2).context("no target folder")?;
    let path = folder.join("muxcl-hal-server");
    let needs = "cargo build -p muxcl-hal-server -p muxcl-hal-remote";
    ensure!(path.exists(), "{}: `{needs}`", path.display());
    Ok(path)
}

/// Makes the files that give access in `folder`: certificates for `servers`, or a token.
pub fn make_keys(folder: &Path, servers: &[&str]) -> Result<()> {
    let mut make = Command::new(program()?);
    make.arg("keys").arg(folder).args(servers.iter().flat_map(|name| ["--server", name]));
    ensure!(make.status()?.success(), "muxcl-hal-server keys");
    Ok(())
}

/// A server process, which is killed when this value is dropped.
#[derive(Debug)]
pub struct RemoteServer {
    child: Child,
    /// The address at which it listens.
    pub address: SocketAddr,
}

impl RemoteServer {
    /// Starts a server for RefSi G1, in a network namespace or in that of this program.
    pub fn start(listen: &str, keys: &Path, namespace: Option<&str>) -> Result<Self> {
        let mut command = match namespace {
            None => Command::new(program()?),
            Some(name) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", name]).arg(program()?);
                command
            }
        };
        command.args(["serve", "--hal", "refsi", "--listen", listen, "--keys"]).arg(keys);
        // An endless kernel ends within seconds.
        command.env("HAL_REFSI_SOC", "g1").env("HAL_REFSI_MAX_INSTRUCTIONS", "2000000000");
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().context("its output")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        let address = line.trim().rsplit(' ').next().unwrap_or_default().parse();
        Ok(Self { child, address: address.with_context(|| format!("the server says `{line}`"))? })
    }

    /// Kills the server.
    pub fn kill(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for RemoteServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A link to a server: delays bytes, limits their rate, counts them, and can be cut.
#[derive(Debug)]
pub struct Link {
    /// The near end.
    pub address: SocketAddr,
    bytes: Arc<[AtomicU64; 2]>,
    sockets: Receiver<TcpStream>,
}

/// Bytes that the link takes at a time.
const TAKEN: usize = 16 << 10;

impl Link {
    /// A link with a delay for each direction and a rate in bytes per second.
    ///
    /// # Errors
    /// If the system has no socket.
    pub fn to(server: SocketAddr, delay: Duration, rate: f64) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let bytes: Arc<[AtomicU64; 2]> = Arc::default();
        let (opened, sockets) = channel();
        let counts = Arc::clone(&bytes);
        std::thread::spawn(move || {
            for near in listener.incoming() {
                let connect = || -> Result<()> {
                    let (near, far) = (near?, TcpStream::connect(server)?);
                    near.set_nodelay(true)?;
                    far.set_nodelay(true)?;
                    for (direction, from, to) in [(0, &near, &far), (1, &far, &near)] {
                        let counts = Arc::clone(&counts);
                        forward(from.try_clone()?, to.try_clone()?, delay, rate, move |n| {
                            counts[direction].fetch_add(n, Ordering::Relaxed);
                        });
                    }
                    // After the end of the test nobody receives it.
                    let _ = opened.send(near);
                    Ok(())
                };
                // A connection that fails is closed, as that of a server that is away.
                let _ = connect();
            }
        });
        Ok(Self { address, bytes, sockets })
    }

    /// Number of bytes that have been sent to the server.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.bytes[0].load(Ordering::Relaxed)
    }

    /// Breaks all connections.
    pub fn cut(&self) {
        for socket in self.sockets.try_iter() {
            // It may be closed.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// Forwards bytes on two threads: one takes them at the link's rate, the other one passes them on
/// after the delay.
fn forward(
    mut from: TcpStream,
    mut to: TcpStream,
    delay: Duration,
    rate: f64,
    count: impl Fn(u64) + Send + 'static,
) {
    let (sender, receiver) = channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut free = Instant::now();
        let mut piece = vec![0; TAKEN];
        while let Ok(n @ 1..) = from.read(&mut piece) {
            count(n as u64);
            let time = Duration::from_secs_f64(f64::from(u32::try_from(n).unwrap_or(0)) / rate);
            free = free.max(Instant::now()) + time;
            std::thread::sleep(free.saturating_duration_since(Instant::now()));
            if sender.send((free + delay, piece[..n].to_vec())).is_err() {
                return;
            }
        }
    });
    std::thread::spawn(move || {
        for (when, piece) in receiver {
            std::thread::sleep(when.saturating_duration_since(Instant::now()));
            if to.write_all(&piece).is_err() {
                break;
            }
        }
        // It may be closed.
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// Sends back what arrives at the socket.
///
/// # Errors
/// If a connection fails.
pub fn echo(socket: &TcpListener) -> Result<()> {
    let (mut stream, _) = socket.accept()?;
    stream.set_nodelay(true)?;
    let mut piece = [0; 64];
    loop {
        match stream.read(&mut piece)? {
            0 => return Ok(()),
            n => stream.write_all(&piece[..n])?,
        }
    }
}

/// The shortest round trip of a byte to [`echo`] at `address`.
///
/// # Errors
/// If the connection fails.
pub fn round_trip(address: SocketAddr) -> Result<Duration> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    shortest(|| {
        stream.write_all(&[1])?;
        Ok(stream.read_exact(&mut [0])?)
    })
}

/// The shortest time of several runs of `work`.
///
/// # Errors
/// That of `work`.
pub fn shortest(mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..50 {
        let begin = Instant::now();
        work()?;
        best = best.min(begin.elapsed());
    }
    Ok(best)
}
