//! The destination of kernels' `printf` records. They are collected while an NDRange runs, and
//! printed on standard output before its command completes.
//!
//! Invariant: records of one work-item keep their order, and none is lost, because a full buffer is
//! printed at once. Not here: the meaning of a record (`muxcl-printf`).

use muxcl_lock::{Mutex, Rank};
use muxcl_types::printf::Table;

/// Size in bytes at which the collected records are printed.
const FULL: usize = 256 << 10;

/// The records of one executable's kernels.
#[derive(Debug)]
pub(crate) struct Sink {
    table: Table,
    records: Mutex<Vec<u8>>,
}

impl Sink {
    /// Creates a sink for an executable that prints; `None` for one that does not.
    pub(crate) fn new(table: &Table) -> Option<Self> {
        (!table.is_empty())
            .then(|| Self { table: table.clone(), records: Mutex::new(Rank::Leaf, Vec::new()) })
    }

    /// The sink's address, for `HostExtra::printf`.
    pub(crate) fn address(&self) -> u64 {
        std::ptr::from_ref(self).expose_provenance() as u64
    }

    /// Prints the collected text.
    pub(crate) fn flush(&self) {
        let records = std::mem::take(&mut *self.records.lock());
        self.print(&records);
    }

    fn write(&self, record: &[u8]) {
        let mut records = self.records.lock();
        records.extend_from_slice(record);
        if records.len() > FULL {
            // Under the lock, because the next full buffer must not be printed first.
            let full = std::mem::take(&mut *records);
            self.print(&full);
        }
    }

    fn print(&self, records: &[u8]) {
        let mut text = Vec::new();
        muxcl_printf::render_all(&self.table, records, &mut text);
        muxcl_os::write_stdout(&text);
    }
}

/// The function that compiled kernels call (`passes::printf::HOST_WRITE`): 0, or -1 without a sink.
///
/// # Safety
/// `stream` is 0 or the address of a live [`Sink`]; `record` is readable for `bytes`.
pub(crate) unsafe extern "C" fn muxcl_printf_write(
    stream: u64,
    record: *const u8,
    bytes: u32,
) -> i32 {
    let Ok(address) = usize::try_from(stream) else { return -1 };
    let sink = std::ptr::with_exposed_provenance::<Sink>(address);
    // SAFETY: the caller's promise; the launch keeps the executable, and with it the sink, alive.
    let (Some(sink), false) = (unsafe { sink.as_ref() }, record.is_null()) else { return -1 };
    // SAFETY: the caller's promise.
    let record = unsafe { std::slice::from_raw_parts(record, bytes as usize) };
    // Only a failed allocation can panic; the panic must not unwind through the kernel's frames.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sink.write(record))).map_or(-1, |()| 0)
}
