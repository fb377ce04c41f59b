//! Command buffers: creation, recorded commands, updates.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    PLANE, bad_handles, buffer, cl, code, context, enqueue_fails, fails, make, setup, starves,
};

use super::{Pair, queue};

/// An empty command buffer for a queue.
pub(super) fn list_of(q: cl_command_queue, flags: cl_bitfield) -> cl_command_buffer_khr {
    let properties = [CL_COMMAND_BUFFER_FLAGS_KHR.into(), flags, 0];
    make!(clCreateCommandBufferKHR(1, &raw const q, properties.as_ptr()))
}

/// Command buffers on both queues of a [`Pair`], and a finalized one.
pub(super) struct Lists {
    pub(super) pair: Pair,
    pub(super) near: cl_command_buffer_khr,
    pub(super) far: cl_command_buffer_khr,
    pub(super) done: cl_command_buffer_khr,
    /// A queue of another context.
    pub(super) foreign: cl_command_queue,
    elsewhere: cl_context,
}

impl Lists {
    pub(super) fn new() -> Self {
        let pair = Pair::new();
        let [near, far, done] = [pair.q, pair.far, pair.q].map(|q| list_of(q, 0));
        code!(CL_SUCCESS, clFinalizeCommandBufferKHR(done));
        let elsewhere = context();
        let foreign = queue(elsewhere, setup().device());
        Self { pair, near, far, done, foreign, elsewhere }
    }
}

impl Drop for Lists {
    fn drop(&mut self) {
        for list in [self.near, self.far, self.done] {
            code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
        }
        code!(CL_SUCCESS, clReleaseCommandQueue(self.foreign));
        code!(CL_SUCCESS, clReleaseContext(self.elsewhere));
    }
}

/// Asserts that a command cannot be recorded, with each code for its cause:
/// `record_fails!(CL_INVALID_OPERATION, clCommandFillBufferKHR(list, ...), lists)`, without queue,
/// properties, sync points and handle. The call must be valid otherwise; `lists` is a [`Lists`].
/// Without `lists`, the call as given returns the one code.
macro_rules! record_fails {
    ($code:ident, $name:ident($list:expr $(, $argument:expr)* $(,)?)) => {
        code!($code, $name($list, null_mut(), null(), $($argument,)* 0, null(), null_mut(),
            null_mut()))
    };
    ($($code:ident)+, $name:ident $arguments:tt, $lists:expr) => {
        $(record_fails!(@ $code $name $arguments, $lists);)+
    };
    (@ CL_INVALID_COMMAND_BUFFER_KHR $name:ident ($list:expr $(, $argument:expr)*),
        $lists:expr) => {
        for bad in bad_handles::<_cl_command_buffer_khr>() {
            record_fails!(CL_INVALID_COMMAND_BUFFER_KHR, $name(bad $(, $argument)*));
        }
    };
    (@ CL_INVALID_COMMAND_QUEUE $name:ident ($list:expr $(, $argument:expr)*), $lists:expr) => {
        // No queue at all, and one of the context that is not in the list.
        for bad in bad_handles::<_cl_command_queue>() {
            if !bad.is_null() {
                code!(CL_INVALID_COMMAND_QUEUE, $name($list, bad, null(), $($argument,)* 0,
                    null(), null_mut(), null_mut()));
            }
        }
        code!(CL_INVALID_COMMAND_QUEUE, $name($list, $lists.pair.far, null(), $($argument,)* 0,
            null(), null_mut(), null_mut()))
    };
    (@ CL_INVALID_CONTEXT $name:ident ($list:expr $(, $argument:expr)*), $lists:expr) => {
        code!(CL_INVALID_CONTEXT, $name($list, $lists.foreign, null(), $($argument,)* 0,
            null(), null_mut(), null_mut()))
    };
    (@ CL_INVALID_OPERATION $name:ident ($list:expr $(, $argument:expr)*), $lists:expr) => {
        record_fails!(CL_INVALID_OPERATION, $name($lists.done $(, $argument)*))
    };
    (@ CL_INVALID_VALUE $name:ident ($list:expr $(, $argument:expr)*), $lists:expr) => {
        let unknown: [cl_command_properties_khr; 3] = [0x7777, 0, 0];
        let mut handle = null_mut();
        code!(CL_INVALID_VALUE, $name($list, null_mut(), unknown.as_ptr(), $($argument,)* 0,
            null(), null_mut(), null_mut()));
        code!(CL_INVALID_VALUE, $name($list, null_mut(), null(), $($argument,)* 0, null(),
            null_mut(), &raw mut handle));
        assert!(handle.is_null());
    };
    (@ CL_INVALID_SYNC_POINT_WAIT_LIST_KHR $name:ident ($list:expr $(, $argument:expr)*),
        $lists:expr) => {
        for (count, points) in [(1, None), (0, Some(1)), (1, Some(0)), (1, Some(100_000))] {
            let points = points.as_ref().map_or(null(), |point: &u32| &raw const *point);
            let mut point = 77;
            code!(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, $name($list, null_mut(), null(),
                $($argument,)* count, points, &raw mut point, null_mut()));
            assert_eq!(point, 77);
        }
    };
}

pub(super) use record_fails;

#[test]
fn creation_and_enqueue() {
    let lists = Lists::new();
    let (pair, near, done) = (&lists.pair, lists.near, lists.done);
    let flags: cl_command_buffer_properties_khr = CL_COMMAND_BUFFER_FLAGS_KHR.into();
    let one = &raw const pair.q;
    for bad in bad_handles::<_cl_command_queue>() {
        fails!(CL_INVALID_COMMAND_QUEUE, clCreateCommandBufferKHR(1, &raw const bad, null()));
        let mut bad = bad;
        enqueue_fails!(CL_INVALID_COMMAND_QUEUE, clEnqueueCommandBufferKHR(1, &raw mut bad, done));
    }
    fails!(CL_INVALID_VALUE, clCreateCommandBufferKHR(0, one, null()));
    fails!(CL_INVALID_VALUE, clCreateCommandBufferKHR(1, null(), null()));
    let foreign = lists.foreign;
    fails!(CL_INVALID_CONTEXT, clCreateCommandBufferKHR(2, [pair.q, foreign].as_ptr(), null()));
    for wrong in [[0x7777, 1, 0, 0, 0], [flags, 1 << 9, 0, 0, 0], [flags, 0, flags, 0, 0]] {
        fails!(CL_INVALID_VALUE, clCreateCommandBufferKHR(1, one, wrong.as_ptr()));
    }
    let native = [flags, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR, 0];
    let apart = [pair.q, pair.far];
    fails!(
        CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
        clCreateCommandBufferKHR(2, apart.as_ptr(), native.as_ptr())
    );
    let same = make!(clCreateCommandBufferKHR(2, [pair.q, pair.q].as_ptr(), native.as_ptr()));
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(same));
    code!(CL_INVALID_OPERATION, clFinalizeCommandBufferKHR(done));
    for bad in bad_handles::<_cl_command_buffer_khr>() {
        code!(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR(bad));
        code!(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR(bad));
        code!(CL_INVALID_COMMAND_BUFFER_KHR, clFinalizeCommandBufferKHR(bad));
        enqueue_fails!(
            CL_INVALID_COMMAND_BUFFER_KHR,
            clEnqueueCommandBufferKHR(0, null_mut(), bad)
        );
        code!(
            CL_INVALID_COMMAND_BUFFER_KHR,
            clGetCommandBufferInfoKHR(bad, CL_COMMAND_BUFFER_STATE_KHR, 0, null_mut(), null_mut())
        );
    }
    code!(
        CL_INVALID_VALUE,
        clGetCommandBufferInfoKHR(done, CL_COMMAND_BUFFER_FLAGS_KHR, 0, null_mut(), null_mut())
    );
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCommandBufferKHR(0, null_mut(), near));
    let (mut q, mut far) = (pair.q, pair.far);
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(1, null_mut(), done));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(0, &raw mut q, done));
    enqueue_fails!(CL_INVALID_VALUE, clEnqueueCommandBufferKHR(2, [q, q].as_mut_ptr(), done));
    enqueue_fails!(CL_INVALID_DEVICE, clEnqueueCommandBufferKHR(1, &raw mut far, done));
    let elsewhere = context();
    let mut foreign = queue(elsewhere, setup().device());
    enqueue_fails!(CL_INVALID_CONTEXT, clEnqueueCommandBufferKHR(1, &raw mut foreign, done));
    let waits = &pair.waits;
    enqueue_fails!(
        CL_INVALID_CONTEXT CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueCommandBufferKHR(0, null_mut(), done), waits
    );
    code!(CL_SUCCESS, clReleaseCommandQueue(foreign));
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}

#[test]
fn buffers() {
    let lists = Lists::new();
    let (c, near, far) = (lists.pair.c, lists.near, lists.far);
    let (mem, to) = (buffer(c, 1024), buffer(c, 1024));
    // Aligned for only one of the devices.
    let region = cl_buffer_region { origin: 128, size: 128 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let (o, r, pattern) = ([0; 3], [8, 1, 1], 7_u32);
    let (o, r, p): (_, _, *const c_void) = (o.as_ptr(), r.as_ptr(), (&raw const pattern).cast());
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_CONTEXT CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandBarrierWithWaitListKHR(near), lists
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandCopyBufferKHR(near, mem, to, 0, 0, 64), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandCopyBufferKHR(near, mem, to, 1000, 0, 64));
    record_fails!(CL_MEM_COPY_OVERLAP, clCommandCopyBufferKHR(near, mem, mem, 0, 63, 64));
    record_fails!(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCommandCopyBufferKHR(far, odd, to, 0, 0, 64));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandCopyBufferKHR(far, null_mut(), null(), mem, to, 0, 0, 64, 0, null(), null_mut(),
            null_mut())
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandCopyBufferRectKHR(near, mem, to, o, o, r, 0, 0, 0, 0), lists
    );
    record_fails!(
        CL_MEM_COPY_OVERLAP,
        clCommandCopyBufferRectKHR(near, mem, mem, o, o, r, 0, 0, 0, 0)
    );
    record_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clCommandCopyBufferRectKHR(far, odd, to, o, o, r, 0, 0, 0, 0)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandCopyBufferRectKHR(far, null_mut(), null(), mem, to, o, o, r, 0, 0, 0, 0, 0,
            null(), null_mut(), null_mut())
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandFillBufferKHR(near, mem, p, 4, 0, 64), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandFillBufferKHR(near, mem, p, 3, 0, 63));
    record_fails!(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCommandFillBufferKHR(far, odd, p, 4, 0, 64));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandFillBufferKHR(far, null_mut(), null(), mem, p, 4, 0, 64, 0, null(), null_mut(),
            null_mut())
    );
    for bad in bad_handles::<_cl_mem>() {
        record_fails!(CL_INVALID_MEM_OBJECT, clCommandCopyBufferKHR(near, bad, to, 0, 0, 64));
        record_fails!(
            CL_INVALID_MEM_OBJECT,
            clCommandCopyBufferRectKHR(near, to, bad, o, o, r, 0, 0, 0, 0)
        );
        record_fails!(CL_INVALID_MEM_OBJECT, clCommandFillBufferKHR(near, bad, p, 4, 0, 64));
    }
    let elsewhere = context();
    let foreign = buffer(elsewhere, 1024);
    record_fails!(CL_INVALID_CONTEXT, clCommandCopyBufferKHR(near, foreign, to, 0, 0, 64));
    record_fails!(
        CL_INVALID_CONTEXT,
        clCommandCopyBufferRectKHR(near, to, foreign, o, o, r, 0, 0, 0, 0)
    );
    record_fails!(CL_INVALID_CONTEXT, clCommandFillBufferKHR(near, foreign, p, 4, 0, 64));
    for m in [odd, mem, to, foreign] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}

#[test]
fn images() {
    let lists = Lists::new();
    let (c, near, far) = (lists.pair.c, lists.near, lists.far);
    let rgba =
        cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
    let red = cl_image_format { image_channel_order: CL_R, ..rgba };
    let levels = cl_image_desc { num_mip_levels: 2, ..PLANE };
    let image = |c, format: &cl_image_format, desc: &cl_image_desc| {
        make!(clCreateImage(c, CL_MEM_READ_WRITE, format, desc, null_mut()))
    };
    let (img, to, mips) =
        (image(c, &rgba, &PLANE), image(c, &rgba, &PLANE), image(c, &rgba, &levels));
    let (other, mem) = (image(c, &red, &PLANE), buffer(c, 1024));
    let region = cl_buffer_region { origin: 128, size: 512 };
    let odd =
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let (o, r, out, color) = ([0; 3], [8, 8, 1], [8, 9, 1], [0_u32; 4]);
    let (o, r, out) = (o.as_ptr(), r.as_ptr(), out.as_ptr());
    let p: *const c_void = color.as_ptr().cast();
    let (third, one) = ([0, 0, 2], [1, 1, 1]);
    let (l, one) = (third.as_ptr(), one.as_ptr());
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandCopyImageKHR(near, img, to, o, o, r), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandCopyImageKHR(near, img, to, o, o, out));
    record_fails!(CL_IMAGE_FORMAT_MISMATCH, clCommandCopyImageKHR(near, img, other, o, o, r));
    record_fails!(CL_MEM_COPY_OVERLAP, clCommandCopyImageKHR(near, img, img, o, o, r));
    record_fails!(CL_INVALID_MIP_LEVEL, clCommandCopyImageKHR(near, mips, to, l, o, one));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandCopyImageKHR(far, null_mut(), null(), img, to, o, o, r, 0, null(), null_mut(),
            null_mut())
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandCopyImageToBufferKHR(near, img, mem, o, r, 0), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandCopyImageToBufferKHR(near, img, mem, o, r, 1000));
    record_fails!(CL_INVALID_MIP_LEVEL, clCommandCopyImageToBufferKHR(near, mips, mem, l, one, 0));
    record_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clCommandCopyImageToBufferKHR(far, img, odd, o, r, 0)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandCopyImageToBufferKHR(far, null_mut(), null(), img, mem, o, r, 0, 0, null(),
            null_mut(), null_mut())
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandCopyBufferToImageKHR(near, mem, img, 0, o, r), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandCopyBufferToImageKHR(near, mem, img, 1000, o, r));
    record_fails!(CL_INVALID_MIP_LEVEL, clCommandCopyBufferToImageKHR(near, mem, mips, 0, l, one));
    record_fails!(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        clCommandCopyBufferToImageKHR(far, odd, img, 0, o, r)
    );
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandCopyBufferToImageKHR(far, null_mut(), null(), mem, img, 0, o, r, 0, null(),
            null_mut(), null_mut())
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandFillImageKHR(near, img, p, o, r), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandFillImageKHR(near, img, null(), o, r));
    record_fails!(CL_INVALID_MIP_LEVEL, clCommandFillImageKHR(near, mips, p, l, one));
    starves!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES,
        clCommandFillImageKHR(far, null_mut(), null(), other, p, o, r, 0, null(), null_mut(),
            null_mut())
    );
    for bad in bad_handles::<_cl_mem>() {
        record_fails!(CL_INVALID_MEM_OBJECT, clCommandCopyImageKHR(near, img, bad, o, o, r));
        record_fails!(
            CL_INVALID_MEM_OBJECT,
            clCommandCopyImageToBufferKHR(near, bad, mem, o, r, 0)
        );
        record_fails!(
            CL_INVALID_MEM_OBJECT,
            clCommandCopyBufferToImageKHR(near, bad, img, 0, o, r)
        );
        record_fails!(CL_INVALID_MEM_OBJECT, clCommandFillImageKHR(near, bad, p, o, r));
    }
    let elsewhere = context();
    let foreign = image(elsewhere, &rgba, &PLANE);
    record_fails!(CL_INVALID_CONTEXT, clCommandCopyImageKHR(near, foreign, to, o, o, r));
    record_fails!(CL_INVALID_CONTEXT, clCommandCopyImageToBufferKHR(near, foreign, mem, o, r, 0));
    record_fails!(CL_INVALID_CONTEXT, clCommandCopyBufferToImageKHR(near, mem, foreign, 0, o, r));
    record_fails!(CL_INVALID_CONTEXT, clCommandFillImageKHR(near, foreign, p, o, r));
    for m in [odd, img, to, mips, other, mem, foreign] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
}

#[test]
fn shared_memory() {
    let lists = Lists::new();
    let (near, far) = (lists.near, lists.far);
    let memory = cl!(clSVMAlloc(lists.pair.c, CL_MEM_READ_WRITE, 256, 0));
    let other: *mut c_void = memory.wrapping_byte_add(128);
    let pattern = 7_u32;
    let p: *const c_void = (&raw const pattern).cast();
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_CONTEXT CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandSVMMemcpyKHR(near, memory, other, 64), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandSVMMemcpyKHR(near, null_mut(), other, 64));
    record_fails!(CL_MEM_COPY_OVERLAP, clCommandSVMMemcpyKHR(near, memory, other, 200));
    record_fails!(CL_INVALID_OPERATION, clCommandSVMMemcpyKHR(far, memory, other, 64));
    starves!(
        CL_OUT_OF_RESOURCES,
        clCommandSVMMemcpyKHR(
            near,
            null_mut(),
            null(),
            memory,
            other,
            64,
            0,
            null(),
            null_mut(),
            null_mut()
        )
    );
    record_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_COMMAND_BUFFER_KHR CL_INVALID_OPERATION
        CL_INVALID_CONTEXT CL_INVALID_VALUE CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
        clCommandSVMMemFillKHR(near, memory, p, 4, 64), lists
    );
    record_fails!(CL_INVALID_VALUE, clCommandSVMMemFillKHR(near, memory, p, 3, 63));
    record_fails!(CL_INVALID_OPERATION, clCommandSVMMemFillKHR(far, memory, p, 4, 64));
    starves!(
        CL_OUT_OF_RESOURCES,
        clCommandSVMMemFillKHR(
            near,
            null_mut(),
            null(),
            memory,
            p,
            4,
            64,
            0,
            null(),
            null_mut(),
            null_mut()
        )
    );
    cl!(clSVMFree(lists.pair.c, memory));
}
