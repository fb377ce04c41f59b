//! A HAL for tests, a server for it in this process, and a link with a delay and a bandwidth.

use hal_remote::RemoteHal;
use muxcl_hal::allocator::RegionAllocator;
use muxcl_hal::counters::{CounterDescription, Unit, Verbosity};
use muxcl_hal::{Argument, Device, DeviceInfo, Hal, HalError, Kernel, NdRange, Program};
use muxcl_hal_server::{Listener, Server, keys, serve};
use muxcl_lock::{Mutex, Rank};
use muxcl_remote_protocol::access::{Access, Side};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// First address and size in bytes of a chip's memory.
pub const BASE: u64 = 0x1000;
pub const SIZE: u64 = 64 << 20;

/// A HAL with two devices in memory. A program is any file; its kernels are `add`, which adds a
/// value to a number in memory, `sleep`, which takes as many milliseconds, and `fault`.
#[derive(Debug)]
pub struct Chips;

struct Chip {
    memory: Mutex<(RegionAllocator, Vec<u8>, u64)>,
    programs: Mutex<(u64, BTreeMap<u64, usize>)>,
}

impl Hal for Chips {
    fn name(&self) -> &str {
        "chips"
    }
    fn device_count(&self) -> u32 {
        2
    }
    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError> {
        let mut info = DeviceInfo::riscv(&format!("Chip {index}"), "RV64GC".parse().unwrap());
        (info.global_memory, info.local_memory) = (SIZE, 1 << 16);
        info.properties.concurrent_calls = true;
        info.counters.push(CounterDescription {
            id: 5,
            name: "launches".into(),
            description: "kernels that have run".into(),
            sub_value_name: "core".into(),
            values: 1,
            unit: Unit::GENERIC,
            per_value: Verbosity::Low,
            total: Verbosity::Low,
        });
        Ok(info)
    }
    fn create_device(&self, _index: u32) -> Result<Box<dyn Device>, HalError> {
        let memory = (RegionAllocator::new(BASE, SIZE), vec![0; SIZE as usize], 0);
        Ok(Box::new(Chip {
            memory: Mutex::new(Rank::Hal, memory),
            programs: Mutex::new(Rank::Leaf, (0, BTreeMap::new())),
        }))
    }
}

impl Device for Chip {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        let address = self.memory.lock().0.alloc(size, alignment);
        address.ok_or(HalError::OutOfMemory { size, alignment })
    }
    fn free(&self, address: u64) -> Result<(), HalError> {
        if self.memory.lock().0.free(address) { Ok(()) } else { Err(HalError::Failed("mem_free")) }
    }
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        let at = (from - BASE) as usize;
        into.copy_from_slice(&self.memory.lock().1[at..at + into.len()]);
        Ok(())
    }
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        let at = (to - BASE) as usize;
        self.memory.lock().1[at..at + from.len()].copy_from_slice(from);
        Ok(())
    }
    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        let mut programs = self.programs.lock();
        programs.0 += 1;
        let handle = programs.0;
        programs.1.insert(handle, elf.len());
        Ok(Program(handle))
    }
    fn find(&self, _program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let found = [c"add", c"sleep", c"fault"].iter().position(|known| *known == name);
        let found = found.ok_or_else(|| HalError::NoKernel(name.to_str().unwrap().into()))?;
        Ok(Kernel(found as u64 + 1))
    }
    fn execute(
        &self,
        _program: Program,
        kernel: Kernel,
        _range: &NdRange,
        args: &[Argument<'_>],
        _dimensions: u32,
    ) -> Result<(), HalError> {
        self.memory.lock().2 += 1;
        match (kernel.0, args) {
            (1, [Argument::Global { address, .. }, Argument::Value(value)]) => {
                let mut number = [0; 8];
                self.read(*address, &mut number)?;
                let value = u64::from_le_bytes((*value).try_into().unwrap());
                self.write(*address, &(u64::from_le_bytes(number) + value).to_le_bytes())
            }
            (2, [Argument::Value(value)]) => {
                let time = u64::from_le_bytes((*value).try_into().unwrap());
                std::thread::sleep(Duration::from_millis(time));
                Ok(())
            }
            _ => Err(HalError::Fault("at 0x1234".into())),
        }
    }
    fn unload(&self, program: Program) -> Result<(), HalError> {
        self.programs.lock().1.remove(&program.0).map(drop).ok_or(HalError::Argument("a program"))
    }
    fn read_counter(&self, counter: u32, index: u32) -> Option<u64> {
        let launches = std::mem::take(&mut self.memory.lock().2);
        ((counter, index) == (5, 0) && launches != 0).then_some(launches)
    }
}

/// Serves [`Chips`] in this process, with the keys in `keys`.
pub fn start(keys: &Path, keep: Duration) -> (Arc<Server>, SocketAddr) {
    let server = Server::new(Arc::new(Chips), keep);
    let access = Access::read(keys, Side::Server).unwrap();
    let (to, from) = std::sync::mpsc::channel();
    let served = Arc::clone(&server);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = Listener::bind("127.0.0.1:0".parse().unwrap(), access).await.unwrap();
            to.send(listener.address().unwrap()).unwrap();
            serve(served, listener).await.unwrap();
        });
    });
    (server, from.recv().unwrap())
}

/// A folder with a token.
pub fn token() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    keys::make_token(folder.path()).unwrap();
    folder
}

/// A client of the server at `address`.
pub fn client(address: SocketAddr, keys: &Path) -> Result<RemoteHal, HalError> {
    RemoteHal::connect(&[address.to_string()], keys)
}

/// Waits until `done` returns true, at most ten seconds.
pub fn wait_until(done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A link to a server: delays bytes, limits their rate, counts them, and can be cut.
pub struct Link {
    pub address: SocketAddr,
    /// Bytes to the server and from it.
    pub bytes: Arc<[AtomicU64; 2]>,
    sockets: Arc<Mutex<Vec<TcpStream>>>,
}

/// Bytes that the link takes at a time.
const TAKEN: usize = 16 << 10;

impl Link {
    /// A link with a delay for each direction and a rate in bytes per second.
    pub fn to(server: SocketAddr, delay: Duration, rate: f64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bytes: Arc<[AtomicU64; 2]> = Arc::default();
        let sockets = Arc::new(Mutex::new(Rank::Leaf, Vec::new()));
        let (counts, open) = (Arc::clone(&bytes), Arc::clone(&sockets));
        std::thread::spawn(move || {
            for near in listener.incoming() {
                let near = near.unwrap();
                let Ok(far) = TcpStream::connect(server) else { continue };
                near.set_nodelay(true).unwrap();
                far.set_nodelay(true).unwrap();
                for (direction, from, to) in [(0, &near, &far), (1, &far, &near)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let counts = Arc::clone(&counts);
                    forward(from, to, delay, rate, move |n| {
                        counts[direction].fetch_add(n, Ordering::Relaxed);
                    });
                }
                open.lock().extend([near, far]);
            }
        });
        Self { address, bytes, sockets }
    }

    /// Breaks all connections.
    pub fn cut(&self) {
        for socket in self.sockets.lock().drain(..) {
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
    let (sender, receiver) = std::sync::mpsc::channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut free = Instant::now();
        let mut piece = vec![0; TAKEN];
        while let Ok(n @ 1..) = from.read(&mut piece) {
            count(n as u64);
            free = free.max(Instant::now()) + Duration::from_secs_f64(n as f64 / rate);
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
        let _ = to.shutdown(Shutdown::Both);
    });
}
