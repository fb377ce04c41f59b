//! Finds one address for a coarse-grain allocation of shared virtual memory in all memory domains.
//!
//! A device with memory of its own decides the addresses of its allocations. So this module tries
//! the addresses that the device returns: the process maps pages at exactly that address, if the
//! range is free. With several devices each one returns a block that is large enough for the blocks
//! to overlap. Rejected blocks are kept until one fits, so that the device returns new addresses.
//! Not here: the domain in which content is current (`storage`).

use std::sync::Arc;

use muxcl_mux::{AllocationType, Buffer, Memory};
use muxcl_os::{Mapping, page_size};

use super::device::Device;
use super::storage::DeviceSet;
use crate::error::{ClError, ClResult, allocation_error};

/// The process's pages at an address that fits, and the bytes there on each device, by index.
pub(super) type Found = (Mapping, Vec<(usize, Buffer)>);

/// Maximum number of attempts to find an address. The number of bytes skipped doubles, so half of
/// them cover more than the address space of any device. The others fill holes ([`next_skip`]).
const TRIES: u32 = 64;

/// Allocates a block on each device.
fn blocks(devices: &[(usize, &Arc<Device>)], size: u64, align: u64) -> ClResult<Vec<Memory>> {
    let mut list = Vec::new();
    list.try_reserve_exact(devices.len())?;
    for (_, device) in devices {
        let memory = device.mux().allocate(size, align, AllocationType::Device);
        list.push(memory.map_err(|e| allocation_error(&e))?);
    }
    Ok(list)
}

/// The number of bytes to skip next, after `skip` bytes that the device placed at `address`: more
/// if they follow the rejected bytes, which end at `end`. Otherwise they did not fit into the hole
/// between other allocations in which the device places small blocks, so less.
fn next_skip(skip: u64, address: u64, end: u64, least: u64) -> u64 {
    if address <= end { skip.saturating_mul(2) } else { (skip / 2).max(least) }
}

/// Allocates `size` bytes (not 0), aligned to `align` (a power of two, or 0), that have one address
/// on the host and on all devices with coarse-grain shared virtual memory.
///
/// # Errors
/// `CL_MEM_OBJECT_ALLOCATION_FAILURE` if no common address was found, `CL_OUT_OF_HOST_MEMORY`.
pub(super) fn find(set: &DeviceSet, size: usize, align: usize) -> ClResult<Found> {
    let page = page_size();
    let failure = ClError::MEM_OBJECT_ALLOCATION_FAILURE;
    // The process maps whole pages, so two allocations never share a page.
    let length = size.checked_next_multiple_of(page).ok_or(failure)? as u64;
    let align = align.max(page) as u64;
    let devices: Vec<(usize, &Arc<Device>)> =
        set.devices().iter().enumerate().filter(|(_, d)| d.info().coarse_svm).collect();
    let mut unfit = Vec::new();
    let (mut slack, mut skip) = (0_u64, length);
    for _ in 0..TRIES {
        let list = blocks(&devices, length.checked_add(slack).ok_or(failure)?, align)?;
        let lowest = list.iter().map(Memory::device_address).min().ok_or(failure)?;
        let highest = list.iter().map(Memory::device_address).max().ok_or(failure)?;
        let start = highest.checked_next_multiple_of(align).ok_or(failure)?;
        if start - lowest > slack {
            // The blocks lie too far apart to overlap: allocate larger ones.
            slack = (start - lowest).checked_add(align).ok_or(failure)?;
            unfit.extend(list);
            continue;
        }
        let end = (highest + length + slack).checked_next_multiple_of(align).ok_or(failure)?;
        let address = usize::try_from(start).map_err(|_| failure)?;
        let length = usize::try_from(length).map_err(|_| failure)?;
        if let Some(pages) =
            Mapping::at(address, length).map_err(|_| ClError::OUT_OF_HOST_MEMORY)?
        {
            let mut buffers = Vec::new();
            buffers.try_reserve_exact(list.len())?;
            for ((index, device), memory) in devices.iter().zip(&list) {
                let made = device.mux().create_buffer(
                    memory,
                    start - memory.device_address(),
                    size as u64,
                );
                buffers.push((*index, made.map_err(|e| allocation_error(&e))?));
            }
            return Ok((pages, buffers));
        }
        tracing::debug!(
            target: "cl::memory",
            "{size} bytes at {address:#x} on the device: the process uses these addresses"
        );
        unfit.extend(list);
        let skipped = blocks(&devices, skip, align)?;
        let address = skipped.iter().map(Memory::device_address).min().ok_or(failure)?;
        skip = next_skip(skip, address, end, page as u64);
        unfit.extend(skipped);
    }
    Err(failure)
}
