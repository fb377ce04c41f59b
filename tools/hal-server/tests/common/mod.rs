//! A HAL for tests, and a server for it in this process.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use hal_remote::RemoteHal;
use muxcl_hal::allocator::RegionAllocator;
use muxcl_hal::counters::{CounterDescription, Unit, Verbosity};
use muxcl_hal::{Argument, Device, DeviceInfo, Hal, HalError, Kernel, NdRange, Program};
use muxcl_hal_server::{Listener, Server, keys, serve};
use muxcl_lock::{Mutex, Rank};
use muxcl_remote_protocol::access::{Access, Side};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// First address and size in bytes of a chip's memory.
pub(crate) const BASE: u64 = 0x1000;
pub(crate) const SIZE: u64 = 64 << 20;

/// A HAL with two devices in memory. A program is any file; its kernels are `add`, which adds a
/// value to a number in memory, `sleep`, which takes as many milliseconds, and `fault`.
#[derive(Debug)]
pub(crate) struct Chips;

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
pub(crate) fn start(keys: &Path, keep: Duration) -> (Arc<Server>, SocketAddr) {
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
pub(crate) fn token() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    keys::make_token(folder.path()).unwrap();
    folder
}

/// A client of the server at `address`.
pub(crate) fn client(address: SocketAddr, keys: &Path) -> Result<RemoteHal, HalError> {
    RemoteHal::connect(&[address.to_string()], keys)
}

/// Waits until `done` returns true, at most ten seconds.
pub(crate) fn wait_until(done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it does not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}
