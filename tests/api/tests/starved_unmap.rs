//! An unmap call finds no memory and fails. The map stays, so the application can unmap again. The
//! old driver had forgotten the map by then. A separate program, because the memory limit applies
//! to the process. The driver uses the library's allocator.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_os::reserve::{self, ReserveAllocator};
use muxcl_test_api::{buffer, cl, code, context_of, info, limit_memory, make, number, setup};

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator;

/// Number of commands in a full batch: with one more, its list grows to 384 KiB.
const FULL: usize = 4096;
/// Size of each map, in bytes.
const SIZE: usize = 64;

/// The system's blocks of at least 96 KiB, so that a longer list of commands finds no memory and
/// everything else does.
fn large_blocks() -> Vec<*mut libc::c_void> {
    let mut blocks = Vec::with_capacity(1 << 16);
    for size in [384, 192, 96] {
        loop {
            // SAFETY: the block is only freed.
            let block = unsafe { libc::malloc(size << 10) };
            if block.is_null() {
                break;
            }
            blocks.push(block);
        }
    }
    blocks
}

#[test]
fn memory_ends_for_an_unmap() {
    // Commands of such a device move the content of maps, so an unmap call records commands.
    let c = context_of(&setup().coarse()[..1]);
    let q = make!(clCreateCommandQueueWithProperties(c, setup().coarse()[0], null()));
    let (mem, shared) = (buffer(c, SIZE), cl!(clSVMAlloc(c, 0, SIZE, 0)));
    let write = CL_MAP_WRITE;
    let mapped = make!(clEnqueueMapBuffer(q, mem, CL_TRUE, write, 0, SIZE, 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueSVMMap(q, CL_TRUE, write, shared, SIZE, 0, null(), null_mut()));
    for at in [mapped, shared] {
        // SAFETY: a map of this size.
        unsafe { at.cast::<u8>().write_bytes(7, SIZE) };
    }

    // A marker records two commands for its event. The gate keeps the device from beginning.
    let gate = make!(clCreateUserEvent(c));
    let mut events = Vec::with_capacity(FULL);
    let mut marker = |waits: &[cl_event]| {
        let mut event = null_mut();
        let count = u32::try_from(waits.len()).unwrap();
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        code!(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, count, list, &raw mut event));
        events.push(event);
    };
    marker(&[gate]);
    code!(CL_SUCCESS, clFlush(q));
    for _ in 0..FULL / 2 {
        marker(&[]);
    }

    reserve::set_aside();
    limit_memory(Some(1 << 20));
    let blocks = large_blocks();
    let unmap = || cl!(clEnqueueUnmapMemObject(q, mem, mapped, 0, null(), null_mut()));
    let unmap_shared = || cl!(clEnqueueSVMUnmap(q, shared, 0, null(), null_mut()));
    let refused = (unmap(), unmap_shared());
    let count = number(&info!(clGetMemObjectInfo(mem), CL_MEM_MAP_COUNT));
    for block in blocks {
        // SAFETY: a block of `malloc`, freed once.
        unsafe { libc::free(block) };
    }
    limit_memory(None);
    let failure = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    assert_eq!(refused, (failure, failure));
    assert_eq!(count, 1, "the buffer is still mapped");

    assert_eq!((unmap(), unmap_shared()), (CL_SUCCESS, CL_SUCCESS), "now memory is available");
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_MAP_COUNT)), 0);
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    let mut seen = [[0_u8; SIZE]; 2];
    let [first, second] = seen.each_mut().map(|bytes| bytes.as_mut_ptr().cast());
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, mem, CL_TRUE, 0, SIZE, first, 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueSVMMemcpy(q, CL_TRUE, second, shared, SIZE, 0, null(), null_mut()));
    assert_eq!(seen, [[7; SIZE]; 2], "the device has what the host wrote");
    for event in events.into_iter().chain([gate]) {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    cl!(clSVMFree(c, shared));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}
