//! `printf` on a HAL device. Each launch gets a buffer in device memory, which is printed after the
//! launch, also if the launch failed.
//!
//! Invariant: records that did not fit are counted and reported once. Not here: the record format
//! (`muxcl-printf`).

use crate::memory;
use muxcl_hal::{Device, HalError};
use muxcl_types::printf::{BufferHeader, Table};

/// Capacity in bytes for records.
const CAPACITY: u32 = 8 << 20;
const HEADER: usize = size_of::<BufferHeader>();

/// Calls `launch` with the device address of a new buffer, then writes the printed text to standard
/// output.
pub(crate) fn with_buffer(
    device: &dyn Device,
    table: &Table,
    kernel: &str,
    launch: impl FnOnce(u64) -> Result<(), HalError>,
) -> Result<(), HalError> {
    let buffer = memory::allocate(device, HEADER as u64 + u64::from(CAPACITY), 128)?;
    let header = BufferHeader { capacity: CAPACITY, ..BufferHeader::default() };
    let result = device.write(buffer, bytemuck::bytes_of(&header)).and_then(|()| launch(buffer));
    let printed = print(device, buffer, table, kernel);
    let freed = device.free(buffer);
    result.and(printed).and(freed)
}

fn print(device: &dyn Device, buffer: u64, table: &Table, kernel: &str) -> Result<(), HalError> {
    let mut bytes = [0u8; HEADER];
    device.read(buffer, &mut bytes)?;
    let header: BufferHeader = bytemuck::pod_read_unaligned(&bytes);
    let mut records = vec![0u8; header.reserved.min(CAPACITY) as usize];
    device.read(buffer + HEADER as u64, &mut records)?;
    let mut text = Vec::new();
    muxcl_printf::render_all(table, &records, &mut text);
    muxcl_os::write_stdout(&text);
    if header.dropped != 0 {
        let lost = header.dropped;
        tracing::warn!(target: "hal", "kernel `{kernel}`: {lost} bytes of printf did not fit the device's {CAPACITY} bytes");
        muxcl_os::write_stdout(
            format!("muxcl: kernel {kernel}: {lost} bytes of printf output were dropped\n")
                .as_bytes(),
        );
    }
    Ok(())
}
