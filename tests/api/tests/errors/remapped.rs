//! Command buffers with several queues, and copies of command buffers for other queues.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{bad_handles, buffer, code, fails, make};

use super::command_buffers::Lists;

#[test]
fn several_queues() {
    let lists = Lists::new();
    let both = [lists.pair.q, lists.pair.far];
    let list = make!(clCreateCommandBufferKHR(2, both.as_ptr(), null()));
    // A command of a list with several queues names one.
    code!(
        CL_INVALID_COMMAND_QUEUE,
        clCommandBarrierWithWaitListKHR(
            list,
            null_mut(),
            null(),
            0,
            null(),
            null_mut(),
            null_mut()
        )
    );
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
}

#[test]
fn copies() {
    let lists = Lists::new();
    let (c, near, done) = (lists.pair.c, lists.near, lists.done);
    let (q, far) = (&raw const lists.pair.q, &raw const lists.pair.far);
    let both = [lists.pair.q, lists.pair.far];
    for bad in bad_handles::<_cl_command_buffer_khr>() {
        fails!(
            CL_INVALID_COMMAND_BUFFER_KHR,
            clRemapCommandBufferKHR(bad, CL_FALSE, 1, far, 0, null(), null_mut())
        );
    }
    for automatic in [CL_FALSE, CL_TRUE] {
        for (count, queues) in [(0, far), (1, null()), (0, null())] {
            fails!(
                CL_INVALID_VALUE,
                clRemapCommandBufferKHR(done, automatic, count, queues, 0, null(), null_mut())
            );
        }
        for bad in bad_handles::<_cl_command_queue>() {
            fails!(
                CL_INVALID_COMMAND_QUEUE,
                clRemapCommandBufferKHR(done, automatic, 1, &raw const bad, 0, null(), null_mut())
            );
        }
        fails!(
            CL_INVALID_CONTEXT,
            clRemapCommandBufferKHR(
                done,
                automatic,
                1,
                &raw const lists.foreign,
                0,
                null(),
                null_mut()
            )
        );
    }
    fails!(
        CL_INVALID_VALUE,
        clRemapCommandBufferKHR(done, CL_FALSE, 2, both.as_ptr(), 0, null(), null_mut())
    );
    let none: cl_mutable_command_khr = null_mut();
    let mut copy: cl_mutable_command_khr = null_mut();
    let (handles, copies) = (&raw const none, &raw mut copy);
    for (count, handles, copies) in [
        (1, null(), copies),
        (1, handles, null_mut()),
        (0, handles, null_mut()),
        (0, null(), copies),
    ] {
        fails!(
            CL_INVALID_VALUE,
            clRemapCommandBufferKHR(done, CL_FALSE, 1, far, count, handles, copies)
        );
    }
    for bad in bad_handles::<_cl_mutable_command_khr>() {
        fails!(
            CL_INVALID_VALUE,
            clRemapCommandBufferKHR(done, CL_FALSE, 1, far, 1, &raw const bad, copies)
        );
    }
    assert!(copy.is_null());
    // The command uses a part of a buffer at an offset that is not aligned for the other device.
    let mem = buffer(c, 1024);
    let region = cl_buffer_region { origin: 128, size: 128 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let pattern = 7_u32;
    code!(
        CL_SUCCESS,
        clCommandFillBufferKHR(
            near,
            null_mut(),
            null(),
            odd,
            (&raw const pattern).cast(),
            4,
            0,
            64,
            0,
            null(),
            null_mut(),
            null_mut()
        )
    );
    fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clRemapCommandBufferKHR(near, CL_FALSE, 1, far, 0, null(), null_mut())
    );
    // With CL_TRUE the driver chooses the queues: the one of the first device can run the command.
    let swapped = [both[1], both[0]];
    let found =
        make!(clRemapCommandBufferKHR(near, CL_TRUE, 2, swapped.as_ptr(), 0, null(), null_mut()));
    let same = make!(clRemapCommandBufferKHR(near, CL_FALSE, 1, q, 0, null(), null_mut()));
    for list in [found, same] {
        code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    }
    for m in [odd, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
}
