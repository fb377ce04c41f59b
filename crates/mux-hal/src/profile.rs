//! The table of counters that `CA_PROFILE_LEVEL` enables.
//!
//! Invariants: counters are read after each call that may change them (`kernel_exec` and the
//! `mem_*` calls), so a device runs one call at a time while the table is open. One table covers
//! all devices of the process. Not here: the counters of a device.

use muxcl_hal::counters::CounterDescription;
use muxcl_hal::profiler::{Call, DEFAULT_PATH, Profiler, read};
use muxcl_hal::{Argument, Device, HalError, Kernel, NdRange, Program};
use muxcl_lock::{Mutex, Rank};
use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

/// A table of counters, written to a file or to standard output. Devices share it: no lock is taken
/// while a thread has this one.
pub(crate) type Table = Mutex<Profiler<Box<dyn Write + Send + Sync>>>;

/// The table of the process; `None` if profiling is off.
static TABLE: OnceLock<Option<Table>> = OnceLock::new();

/// A device's state of the table.
#[derive(Default)]
pub(crate) enum Profile {
    /// The environment has not been read yet.
    #[default]
    Unknown,
    Off,
    On(&'static Table),
}

impl Profile {
    /// Begins the table at the first call if profiling is on. Returns true while the table is open.
    pub(crate) fn begin(&mut self) -> bool {
        if matches!(self, Self::Unknown) {
            *self = TABLE.get_or_init(from_environment).as_ref().map_or(Self::Off, Self::On);
        }
        matches!(self, Self::On(_))
    }

    /// True while counters are recorded.
    pub(crate) fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    pub(crate) fn table(&self) -> Option<&'static Table> {
        match self {
            Self::On(table) => Some(table),
            Self::Unknown | Self::Off => None,
        }
    }

    pub(crate) fn end(&mut self) {
        *self = Self::Off;
    }
}

fn from_environment() -> Option<Table> {
    let level: u32 = muxcl_config::CA_PROFILE_LEVEL.parse().unwrap_or(0);
    if level == 0 {
        return None;
    }
    let path = muxcl_config::CA_PROFILE_CSV_PATH.get();
    let path = path.unwrap_or_else(|| DEFAULT_PATH.to_owned());
    match open(&path).and_then(|out| Profiler::new(out, level)) {
        Ok(table) => Some(Mutex::new(Rank::Hal, table)),
        Err(error) => {
            tracing::warn!(target: "hal", "no profile: {path}: {error}");
            None
        }
    }
}

/// Opens the file at `path`; `-` is standard output.
fn open(path: &str) -> io::Result<Box<dyn Write + Send + Sync>> {
    if path == "-" { Ok(Box::new(io::stdout())) } else { Ok(Box::new(File::create(path)?)) }
}

/// A device whose counters are recorded after each call.
pub(crate) struct Recorder<'a> {
    device: &'a dyn Device,
    /// Name of the device.
    name: &'a str,
    counters: &'a [CounterDescription],
    /// Name of the kernel of the next launch.
    kernel: &'a str,
    table: &'a Table,
    failure: Mutex<Option<io::Error>>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(
        device: &'a dyn Device,
        name: &'a str,
        counters: &'a [CounterDescription],
        kernel: &'a str,
        table: &'a Table,
    ) -> Self {
        Self { device, name, counters, kernel, table, failure: Mutex::new(Rank::Leaf, None) }
    }

    /// Cause of a failed write of the table.
    pub(crate) fn failure(self) -> Option<io::Error> {
        self.failure.into_inner()
    }

    fn record(&self, call: &str, detail: &str) {
        if self.failure.lock().is_some() {
            return;
        }
        // Before the table is locked: the HAL takes its own locks.
        let values = read(self.device, self.counters);
        let call = Call { device: self.name, name: call, detail };
        let written = self.table.lock().record(call, self.counters, &values);
        *self.failure.lock() = written.err();
    }

    /// Records a transfer of `size` bytes, whatever its result.
    fn moved<T>(&self, call: &str, size: u64, result: T) -> T {
        self.record(call, &format!("{size} bytes"));
        result
    }
}

impl Device for Recorder<'_> {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.device.alloc(size, alignment)
    }
    fn free(&self, address: u64) -> Result<(), HalError> {
        self.device.free(address)
    }
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        let result = self.device.read(from, into);
        self.moved("mem_read", into.len() as u64, result)
    }
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.moved("mem_write", from.len() as u64, self.device.write(to, from))
    }
    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        self.moved("mem_copy", size, self.device.copy(to, from, size))
    }
    fn fill(&self, to: u64, pattern: &[u8], size: u64) -> Result<(), HalError> {
        self.moved("mem_fill", size, self.device.fill(to, pattern, size))
    }
    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        self.device.load(elf)
    }
    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        self.device.find(program, name)
    }
    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        args: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        let result = self.device.execute(program, kernel, range, args, dimensions);
        self.record("kernel_exec", self.kernel);
        result
    }
    fn unload(&self, program: Program) -> Result<(), HalError> {
        self.device.unload(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_hal::counters::{Unit, Verbosity};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A device that counts its calls. The counter has a new value after each call.
    #[derive(Default)]
    struct Counting {
        calls: AtomicU64,
        read: AtomicU64,
    }

    impl Counting {
        fn call<T>(&self, result: T) -> Result<T, HalError> {
            self.calls.fetch_add(1, Ordering::SeqCst);
            Ok(result)
        }
    }

    impl Device for Counting {
        fn alloc(&self, _: u64, _: u64) -> Result<u64, HalError> {
            Ok(64)
        }
        fn free(&self, _: u64) -> Result<(), HalError> {
            Ok(())
        }
        fn read(&self, _: u64, _: &mut [u8]) -> Result<(), HalError> {
            self.call(())
        }
        fn write(&self, _: u64, _: &[u8]) -> Result<(), HalError> {
            self.call(())
        }
        fn copy(&self, _: u64, _: u64, _: u64) -> Result<(), HalError> {
            self.call(())
        }
        fn fill(&self, _: u64, _: &[u8], _: u64) -> Result<(), HalError> {
            self.call(())
        }
        fn load(&self, _: &[u8]) -> Result<Program, HalError> {
            Ok(Program(1))
        }
        fn find(&self, _: Program, _: &CStr) -> Result<Kernel, HalError> {
            Ok(Kernel(1))
        }
        fn execute(
            &self,
            _: Program,
            _: Kernel,
            _: &NdRange,
            _: &[Argument<'_>],
            _: u32,
        ) -> Result<(), HalError> {
            self.call(())
        }
        fn unload(&self, _: Program) -> Result<(), HalError> {
            Ok(())
        }
        fn read_counter(&self, counter: u32, index: u32) -> Option<u64> {
            let now = self.calls.load(Ordering::SeqCst);
            let before = self.read.swap(now, Ordering::SeqCst);
            (counter == 5 && index == 0 && now != before).then_some(now)
        }
    }

    #[derive(Clone)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// H11: counters were read after `kernel_exec` only.
    #[test]
    fn counters_are_recorded_after_every_call_that_may_change_them() {
        let counters = [CounterDescription {
            id: 5,
            name: "calls".into(),
            description: String::new(),
            sub_value_name: String::new(),
            values: 1,
            unit: Unit::GENERIC,
            per_value: Verbosity::Never,
            total: Verbosity::Low,
        }];
        let lines = Lines(Arc::new(Mutex::new(Rank::Leaf, Vec::new())));
        let out: Box<dyn Write + Send + Sync> = Box::new(lines.clone());
        let table = Mutex::new(Rank::Hal, Profiler::new(out, 1).unwrap());
        let device = Counting::default();
        let recorder = Recorder::new(&device, "board", &counters, "add", &table);
        let memory = recorder.alloc(64, 64).unwrap();
        recorder.write(memory, &[0; 16]).unwrap();
        recorder.fill(memory, &[1], 8).unwrap();
        recorder.copy(memory, memory, 4).unwrap();
        let range = NdRange::default();
        recorder.execute(Program(1), Kernel(1), &range, &[], 1).unwrap();
        recorder.read(memory, &mut [0; 2]).unwrap();
        assert!(recorder.failure().is_none());
        let text = String::from_utf8(lines.0.lock().clone()).unwrap();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let expected = [
            "1,mem_write,16 bytes,calls,total,1,generic,board",
            "2,mem_fill,8 bytes,calls,total,2,generic,board",
            "3,mem_copy,4 bytes,calls,total,3,generic,board",
            "4,kernel_exec,add,calls,total,4,generic,board",
            "5,mem_read,2 bytes,calls,total,5,generic,board",
        ];
        assert_eq!(rows, expected);
    }
}
