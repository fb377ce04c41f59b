//! The process runs out of memory for the commands of a batch. A separate program, because the
//! memory limit applies to the process. The driver uses the library's allocator.

use muxcl_cl_sys::*;
use muxcl_os::reserve::{self, ReserveAllocator};
use muxcl_test_api::{buffer, cl, code, context, limit_memory, make, setup};

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator;

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

/// A command that does not fit into a batch is refused. The commands before it still run.
#[test]
fn memory_ends_for_the_commands_of_a_batch() {
    let c = context();
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), std::ptr::null()));
    let (b, gate) = (buffer(c, 4), make!(clCreateUserEvent(c)));
    let source = [7_u32];
    let write = |waits: cl_uint| {
        let list = if waits == 0 { std::ptr::null() } else { &raw const gate };
        let at = source.as_ptr().cast();
        cl!(clEnqueueWriteBuffer(q, b, CL_FALSE, 0, 4, at, waits, list, std::ptr::null_mut()))
    };
    assert_eq!(write(1), CL_SUCCESS);
    // The list of commands has room for 4096, because its length doubles.
    for _ in 0..3000 {
        assert_eq!(write(0), CL_SUCCESS);
    }
    reserve::set_aside();
    limit_memory(Some(1 << 20));
    let blocks = large_blocks();
    let refused = (0..3000).map(|_| write(0)).find(|code| *code != CL_SUCCESS);
    let flushed = cl!(clFlush(q));
    for block in blocks {
        // SAFETY: a block of `malloc`, freed once.
        unsafe { libc::free(block) };
    }
    limit_memory(None);
    assert_eq!(refused, Some(CL_MEM_OBJECT_ALLOCATION_FAILURE));
    assert_eq!(flushed, CL_SUCCESS);
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(q));
    let mut seen = [0_u32];
    let (to, null) = (seen.as_mut_ptr().cast(), std::ptr::null_mut());
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, b, CL_TRUE, 0, 4, to, 0, std::ptr::null(), null));
    assert_eq!(seen, source);
    code!(CL_SUCCESS, clReleaseContext(c));
}
