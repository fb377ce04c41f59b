//! Buffers that begin or end beside a page without read access. The kernel checks its index before
//! it reads. So a driver that reads a whole vector of work-items, beyond the buffer, crashes.

use anyhow::{Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{CL_DEVICE_EXTENSIONS, CL_MEM_USE_HOST_PTR};
use muxcl_client::{Context, Device};
use muxcl_os::{Mapping, Protection, page_size};

/// The number of work-items, and of elements.
const ITEMS: usize = 128;
/// The distance from a work-item's own element to those that it reads.
const SHIFT: usize = 5;

/// A kernel whose work-items read the elements `SHIFT` before and after their own, if they exist.
fn source(element: &str) -> String {
    format!(
        "kernel void k(global const {element} *in, int n, global int2 *out) {{
    int x = get_global_id(0);
    int2 v = -1;
    if (x >= {SHIFT}) v.x = in[x - {SHIFT}];
    if (x + {SHIFT} < n) v.y = in[x + {SHIFT}];
    out[x] = v;
}}"
    )
}

/// A page between two that cannot be read. It lives as long as the process.
fn page() -> Result<&'static mut [u8]> {
    let size = page_size();
    let map = Mapping::new(3 * size, Protection::None)?;
    map.protect(size..2 * size, Protection::ReadWrite)?;
    let start = map.as_ptr().wrapping_add(size);
    std::mem::forget(map);
    // SAFETY: a page that can be read and written, is never unmapped, and has no other reference.
    Ok(unsafe { std::slice::from_raw_parts_mut(start, size) })
}

fn reads(device: Device, element: &str, bytes: usize) -> Result<()> {
    let page = page()?;
    for (n, byte) in page.iter_mut().enumerate() {
        // No element is negative.
        *byte = u8::try_from(n * 37 % 128)?;
    }
    let page: &'static [u8] = page;
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, &source(element), "")?;
    let mut kernel = program.kernel("k")?;
    let (all, size) = (page.len(), ITEMS * bytes);
    for range in [0..size, all - size..all] {
        let data = &page[range];
        let input = context.immutable_buffer(CL_MEM_USE_HOST_PTR, data)?;
        let out = context.buffer_with(&vec![0_i32; 2 * ITEMS])?;
        kernel.set_buffer(0, &input)?;
        kernel.set(1, i32::try_from(ITEMS)?)?;
        kernel.set_buffer(2, &out)?;
        queue.run(&kernel, &[ITEMS], Some(&[ITEMS]), None)?;
        let mut found = vec![0_i32; 2 * ITEMS];
        queue.read(&out, &mut found)?;
        let at = |x: Option<usize>| match x.and_then(|x| data.get(x * bytes..(x + 1) * bytes)) {
            Some(element) => element.iter().rev().fold(0, |v, byte| v << 8 | i32::from(*byte)),
            None => -1,
        };
        for (x, found) in found.chunks(2).enumerate() {
            let wanted = [at(x.checked_sub(SHIFT)), at(Some(x + SHIFT))];
            ensure!(found == wanted, "work-item {x} reads {found:?} instead of {wanted:?}");
        }
    }
    Ok(())
}

/// The tests of a device; empty without immutable memory.
pub(crate) fn trials(target: &str, device: Device) -> Vec<Trial> {
    let extensions = device.text(CL_DEVICE_EXTENSIONS).unwrap_or_default();
    if !extensions.contains("cl_ext_immutable_memory_objects") {
        return Vec::new();
    }
    let elements = [("uchar", 1), ("ushort", 2), ("uint", 4)];
    let trial = |(element, bytes): (&'static str, usize)| {
        Trial::test(format!("{target}/page ends/{element}"), move || {
            reads(device, element, bytes).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    elements.map(trial).into()
}
