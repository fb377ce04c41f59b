//! A smoke test of one device: calls every entry point once with valid arguments, and queries every
//! feature and the lists of extensions.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_void};
use std::os::fd::IntoRawFd as _;
use std::ptr::{null, null_mut};

#[expect(clippy::wildcard_imports, reason = "the names of the OpenCL headers")]
use muxcl_cl_sys::*;
use muxcl_test_api::{PLANE, cl, code, il, info, make, number, setup, text};

/// Kind, name, answer.
pub(super) type Fact = (&'static str, String, String);

/// Results of the calls.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, cl_int>);

/// Calls an entry point and records its code.
macro_rules! call {
    ($seen:ident, $name:ident($($argument:expr),* $(,)?)) => {
        $seen.0.insert(stringify!($name), cl!($name($($argument),*)))
    };
}

/// As `call!`, for functions with `errcode_ret`, which is omitted. Returns the created object.
macro_rules! made {
    ($seen:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        let mut code = 1;
        let made = cl!($name($($argument,)* &raw mut code));
        $seen.0.insert(stringify!($name), code);
        made
    }};
}

/// As `call!`, for functions that return a pointer or NULL.
macro_rules! found {
    ($seen:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        let found = cl!($name($($argument),*));
        $seen.0.insert(stringify!($name),
            if found.is_null() { CL_INVALID_VALUE } else { CL_SUCCESS });
        found
    }};
}

unsafe extern "C" fn on_event(_: cl_event, _: cl_int, _: *mut c_void) {}
unsafe extern "C" fn on_mem(_: cl_mem, _: *mut c_void) {}
unsafe extern "C" fn on_context(_: cl_context, _: *mut c_void) {}
unsafe extern "C" fn on_program(_: cl_program, _: *mut c_void) {}
unsafe extern "C" fn native(_: *mut c_void) {}

const SOURCE: &CStr = c"kernel void one(global int *p, sampler_t s) { } kernel void empty() { }";

struct Objects {
    c: cl_context,
    q: cl_command_queue,
    p: cl_program,
    k: cl_kernel,
    mem: cl_mem,
}

fn platforms_and_devices(seen: &mut Seen) -> cl_context {
    let (platform, d) = (setup().platform(), setup().device());
    let mut n = 0;
    call!(seen, clGetPlatformIDs(0, null_mut(), &raw mut n));
    call!(seen, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, null_mut(), null_mut()));
    call!(seen, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, null_mut(), &raw mut n));
    call!(seen, clGetDeviceInfo(d, CL_DEVICE_NAME, 0, null_mut(), null_mut()));
    call!(seen, clRetainDevice(d));
    call!(seen, clReleaseDevice(d));
    let (mut a, mut b) = (0, 0);
    call!(seen, clGetDeviceAndHostTimer(d, &raw mut a, &raw mut b));
    call!(seen, clGetHostTimer(d, &raw mut a));
    let equally = [CL_DEVICE_PARTITION_EQUALLY, 1, 0];
    call!(seen, clCreateSubDevices(d, equally.as_ptr(), 0, null_mut(), &raw mut n));
    call!(seen, clUnloadPlatformCompiler(platform));
    call!(seen, clUnloadCompiler());
    found!(seen, clGetExtensionFunctionAddress(c"clHostMemAllocINTEL".as_ptr()));
    found!(
        seen,
        clGetExtensionFunctionAddressForPlatform(platform, c"clHostMemAllocINTEL".as_ptr())
    );
    call!(seen, clIcdGetPlatformIDsKHR(0, null_mut(), &raw mut n));
    found!(seen, clIcdGetFunctionAddressForPlatformKHR(platform, c"clFinish".as_ptr()));
    // Only the loader may call it.
    seen.0.insert("clIcdSetPlatformDispatchDataKHR", CL_SUCCESS);
    let from_type =
        made!(seen, clCreateContextFromType(null(), CL_DEVICE_TYPE_ALL, None, null_mut()));
    call!(seen, clSetContextDestructorCallback(from_type, Some(on_context), null_mut()));
    call!(seen, clRetainContext(from_type));
    code!(CL_SUCCESS, clReleaseContext(from_type));
    call!(seen, clReleaseContext(from_type));
    // On a device without termination the context is one that cannot be terminated.
    let can = number(&info!(clGetDeviceInfo(d), CL_DEVICE_TERMINATE_CAPABILITY_KHR)) != 0;
    let ends = [CL_CONTEXT_TERMINATE_KHR, can.into(), 0];
    let ended = make!(clCreateContext(ends.as_ptr(), 1, &raw const d, None, null_mut()));
    call!(seen, clTerminateContextKHR(ended));
    code!(CL_SUCCESS, clReleaseContext(ended));
    let c = made!(seen, clCreateContext(null(), 1, &raw const d, None, null_mut()));
    call!(seen, clGetContextInfo(c, CL_CONTEXT_DEVICES, 0, null_mut(), null_mut()));
    c
}

fn programs(seen: &mut Seen, c: cl_context) -> (cl_program, cl_kernel) {
    let d = setup().device();
    let mut at = SOURCE.as_ptr();
    let strings = &raw mut at;
    let p = made!(seen, clCreateProgramWithSource(c, 1, strings, null()));
    call!(seen, clBuildProgram(p, 0, null(), c"-cl-kernel-arg-info".as_ptr(), None, null_mut()));
    call!(seen, clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, null_mut(), null_mut()));
    call!(seen, clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, 0, null_mut(), null_mut()));
    call!(seen, clSetProgramReleaseCallback(p, Some(on_program), null_mut()));
    call!(seen, clRetainProgram(p));
    call!(seen, clReleaseProgram(p));
    let object = make!(clCreateProgramWithSource(c, 1, strings, null()));
    call!(
        seen,
        clCompileProgram(object, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    made!(seen, clLinkProgram(c, 0, null(), null(), 1, &raw const object, None, null_mut()));
    let size = usize::from_ne_bytes(
        *info!(clGetProgramInfo(p), CL_PROGRAM_BINARY_SIZES).first_chunk().unwrap(),
    );
    let mut bytes = vec![0_u8; size];
    let mut place = bytes.as_mut_ptr();
    code!(
        CL_SUCCESS,
        clGetProgramInfo(p, CL_PROGRAM_BINARIES, 8, (&raw mut place).cast(), null_mut())
    );
    let mut binary = bytes.as_ptr();
    made!(
        seen,
        clCreateProgramWithBinary(c, 1, &raw const d, &raw const size, &raw mut binary, null_mut())
    );
    let il = il::fill(0);
    let spirv = made!(seen, clCreateProgramWithIL(c, il.as_ptr().cast(), il.len()));
    made!(seen, clCreateProgramWithILKHR(c, il.as_ptr().cast(), il.len()));
    call!(seen, clSetProgramSpecializationConstant(spirv, il::FACTOR, 4, il.as_ptr().cast()));
    // The driver has no built-in kernels, so no call can succeed; devices report that.
    made!(seen, clCreateProgramWithBuiltInKernels(c, 1, &raw const d, c"none".as_ptr()));
    if text(&info!(clGetDeviceInfo(d), CL_DEVICE_BUILT_IN_KERNELS)).is_empty() {
        seen.0.insert("clCreateProgramWithBuiltInKernels", CL_SUCCESS);
    }
    let k = made!(seen, clCreateKernel(p, c"one".as_ptr()));
    let mut n = 0;
    call!(seen, clCreateKernelsInProgram(p, 0, null_mut(), &raw mut n));
    (p, k)
}

fn queues(seen: &mut Seen, c: cl_context) -> cl_command_queue {
    let d = setup().device();
    let q = made!(
        seen,
        clCreateCommandQueueWithProperties(c, d, [u64::from(CL_QUEUE_PROPERTIES), 2, 0].as_ptr())
    );
    let old = made!(seen, clCreateCommandQueue(c, d, 0));
    made!(seen, clCreateCommandQueueWithPropertiesKHR(c, d, null()));
    call!(seen, clRetainCommandQueue(old));
    call!(seen, clReleaseCommandQueue(old));
    call!(seen, clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, 0, null_mut(), null_mut()));
    // For devices of OpenCL 1.0 only: the specification lets all others refuse the call.
    let mut before = 0;
    call!(seen, clSetCommandQueueProperty(q, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &raw mut before));
    let on_device =
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let list = [u64::from(CL_QUEUE_PROPERTIES), on_device, 0];
    let theirs = cl!(clCreateCommandQueueWithProperties(c, d, list.as_ptr(), null_mut()));
    call!(seen, clSetDefaultDeviceCommandQueue(c, d, theirs));
    q
}

fn memory(seen: &mut Seen, c: cl_context) -> cl_mem {
    let rw = CL_MEM_READ_WRITE;
    let mem = made!(seen, clCreateBuffer(c, rw, 4096, null_mut()));
    made!(seen, clCreateBufferWithProperties(c, null(), rw, 4096, null_mut()));
    let region = cl_buffer_region { origin: 0, size: 64 };
    made!(
        seen,
        clCreateSubBuffer(mem, rw, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast())
    );
    call!(seen, clGetMemObjectInfo(mem, CL_MEM_SIZE, 0, null_mut(), null_mut()));
    call!(seen, clSetMemObjectDestructorCallback(mem, Some(on_mem), null_mut()));
    call!(seen, clRetainMemObject(mem));
    call!(seen, clReleaseMemObject(mem));
    let pipe = made!(seen, clCreatePipe(c, 0, 4, 16, null()));
    call!(seen, clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 0, null_mut(), null_mut()));
    mem
}

fn images(seen: &mut Seen, o: &Objects) -> cl_sampler {
    let (c, q, mem) = (o.c, o.q, o.mem);
    let format =
        cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
    let desc = PLANE;
    let (f, d, rw) = (&raw const format, &raw const desc, CL_MEM_READ_WRITE);
    let mut n = 0;
    call!(
        seen,
        clGetSupportedImageFormats(c, rw, CL_MEM_OBJECT_IMAGE2D, 0, null_mut(), &raw mut n)
    );
    let a = made!(seen, clCreateImage(c, rw, f, d, null_mut()));
    let b = made!(seen, clCreateImageWithProperties(c, null(), rw, f, d, null_mut()));
    made!(seen, clCreateImage2D(c, rw, f, 8, 8, 0, null_mut()));
    made!(seen, clCreateImage3D(c, rw, f, 8, 8, 2, 0, 0, null_mut()));
    call!(seen, clGetImageInfo(a, CL_IMAGE_WIDTH, 0, null_mut(), null_mut()));
    let asked = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
    call!(
        seen,
        clGetImageRequirementsInfoEXT(c, null(), rw, f, d, asked, 0, null_mut(), null_mut())
    );
    let mut data = [0_u8; 256];
    let at: *mut c_void = data.as_mut_ptr().cast();
    let (o, r) = ([0; 3], [8, 8, 1]);
    let (o, r) = (o.as_ptr(), r.as_ptr());
    let none = null_mut();
    call!(seen, clEnqueueWriteImage(q, a, CL_TRUE, o, r, 0, 0, at, 0, null(), none));
    call!(seen, clEnqueueReadImage(q, a, CL_TRUE, o, r, 0, 0, at, 0, null(), none));
    call!(seen, clEnqueueCopyImage(q, a, b, o, o, r, 0, null(), none));
    call!(seen, clEnqueueFillImage(q, a, at, o, r, 0, null(), none));
    call!(seen, clEnqueueCopyImageToBuffer(q, a, mem, o, r, 0, 0, null(), none));
    call!(seen, clEnqueueCopyBufferToImage(q, mem, a, 0, o, r, 0, null(), none));
    let mut pitch = 0;
    let mapped = made!(
        seen,
        clEnqueueMapImage(
            q,
            a,
            CL_TRUE,
            CL_MAP_READ,
            o,
            r,
            &raw mut pitch,
            null_mut(),
            0,
            null(),
            none
        )
    );
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(q, a, mapped, 0, null(), none));
    let s = made!(seen, clCreateSampler(c, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR));
    made!(seen, clCreateSamplerWithProperties(c, null()));
    call!(seen, clGetSamplerInfo(s, CL_SAMPLER_CONTEXT, 0, null_mut(), null_mut()));
    call!(seen, clRetainSampler(s));
    call!(seen, clReleaseSampler(s));
    s
}

fn commands(seen: &mut Seen, o: &Objects) {
    let (q, mem) = (o.q, o.mem);
    let mut data = [0_u8; 256];
    let at: *mut c_void = data.as_mut_ptr().cast();
    let (zero, r) = ([0; 3], [8, 2, 1]);
    let (z, r, none) = (zero.as_ptr(), r.as_ptr(), null_mut());
    let n = null();
    call!(seen, clEnqueueWriteBuffer(q, mem, CL_TRUE, 0, 64, at, 0, n, none));
    call!(seen, clEnqueueReadBuffer(q, mem, CL_TRUE, 0, 64, at, 0, n, none));
    call!(seen, clEnqueueWriteBufferRect(q, mem, CL_TRUE, z, z, r, 0, 0, 0, 0, at, 0, n, none));
    call!(seen, clEnqueueReadBufferRect(q, mem, CL_TRUE, z, z, r, 0, 0, 0, 0, at, 0, n, none));
    call!(seen, clEnqueueCopyBuffer(q, mem, mem, 0, 128, 64, 0, n, none));
    let away = [0, 16, 0];
    call!(seen, clEnqueueCopyBufferRect(q, mem, mem, z, away.as_ptr(), r, 0, 0, 0, 0, 0, n, none));
    call!(seen, clEnqueueFillBuffer(q, mem, at, 4, 0, 64, 0, n, none));
    call!(seen, clEnqueueMigrateMemObjects(q, 1, &raw const mem, 0, 0, n, none));
    let mapped = made!(seen, clEnqueueMapBuffer(q, mem, CL_TRUE, CL_MAP_READ, 0, 64, 0, n, none));
    call!(seen, clEnqueueUnmapMemObject(q, mem, mapped, 0, n, none));
    call!(
        seen,
        clEnqueueNativeKernel(q, Some(native), null_mut(), 0, 0, n.cast(), null_mut(), 0, n, none)
    );
    let mut event = null_mut();
    call!(seen, clEnqueueMarkerWithWaitList(q, 0, n, &raw mut event));
    call!(seen, clEnqueueBarrierWithWaitList(q, 0, n, none));
    call!(seen, clEnqueueBarrier(q));
    call!(seen, clEnqueueWaitForEvents(q, 1, &raw const event));
    call!(seen, clFlush(q));
    call!(seen, clFinish(q));
    call!(seen, clWaitForEvents(1, &raw const event));
    call!(seen, clGetEventInfo(event, CL_EVENT_CONTEXT, 0, null_mut(), null_mut()));
    call!(
        seen,
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, null_mut(), null_mut())
    );
    call!(seen, clSetEventCallback(event, CL_COMPLETE, Some(on_event), null_mut()));
    call!(seen, clRetainEvent(event));
    call!(seen, clReleaseEvent(event));
    call!(seen, clEnqueueMarker(q, &raw mut event));
    let user = made!(seen, clCreateUserEvent(o.c));
    call!(seen, clSetUserEventStatus(user, CL_COMPLETE));
    // The call takes the descriptor.
    let memory = muxcl_os::share_bytes(&[&[0; 64]]).unwrap().into_raw_fd();
    let kind = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
    let list = [u64::from(kind), u64::from(memory.unsigned_abs()), 0];
    let rw = CL_MEM_READ_WRITE;
    let external =
        made!(seen, clCreateBufferWithProperties(o.c, list.as_ptr(), rw, 64, null_mut()));
    let m = &raw const external;
    call!(seen, clEnqueueAcquireExternalMemObjectsKHR(q, 1, m, 0, n, none));
    call!(seen, clEnqueueReleaseExternalMemObjectsKHR(q, 1, m, 0, n, none));
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clReleaseMemObject(external));
    let semaphore = made!(
        seen,
        clCreateSemaphoreWithPropertiesKHR(o.c, [u64::from(CL_SEMAPHORE_TYPE_KHR), 1, 0].as_ptr())
    );
    let s = &raw const semaphore;
    call!(seen, clEnqueueSignalSemaphoresKHR(q, 1, s, null(), 0, n, none));
    call!(seen, clEnqueueWaitSemaphoresKHR(q, 1, s, null(), 0, n, none));
    call!(seen, clGetSemaphoreInfoKHR(semaphore, CL_SEMAPHORE_TYPE_KHR, 0, null_mut(), null_mut()));
    code!(CL_SUCCESS, clFinish(q));
    let sync = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    let exports = u64::from(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR);
    let list = [u64::from(CL_SEMAPHORE_TYPE_KHR), 1, exports, u64::from(sync), 0, 0];
    let exported = make!(clCreateSemaphoreWithPropertiesKHR(o.c, list.as_ptr()));
    let one = &raw const exported;
    code!(CL_SUCCESS, clEnqueueSignalSemaphoresKHR(q, 1, one, null(), 0, n, none));
    let mut fd = 0_i32;
    let (d, at) = (setup().device(), (&raw mut fd).cast());
    call!(seen, clGetSemaphoreHandleForTypeKHR(exported, d, sync, 4, at, null_mut()));
    let list = [u64::from(CL_SEMAPHORE_TYPE_KHR), 1, u64::from(sync), u64::MAX, 0];
    let imported = make!(clCreateSemaphoreWithPropertiesKHR(o.c, list.as_ptr()));
    call!(seen, clReImportSemaphoreSyncFdKHR(imported, null_mut(), -1));
    for s in [exported, imported] {
        code!(CL_SUCCESS, clReleaseSemaphoreKHR(s));
    }
    call!(seen, clRetainSemaphoreKHR(semaphore));
    call!(seen, clReleaseSemaphoreKHR(semaphore));
}

fn kernels(seen: &mut Seen, o: &Objects, sampler: cl_sampler) {
    let (q, p, k, mem) = (o.q, o.p, o.k, o.mem);
    let d = setup().device();
    call!(seen, clSetKernelArg(k, 0, 8, (&raw const mem).cast()));
    if !sampler.is_null() {
        code!(CL_SUCCESS, clSetKernelArg(k, 1, 8, (&raw const sampler).cast()));
    }
    call!(seen, clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, 0, null_mut(), null_mut()));
    call!(seen, clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, null_mut(), null_mut()));
    call!(
        seen,
        clGetKernelWorkGroupInfo(k, d, CL_KERNEL_WORK_GROUP_SIZE, 0, null_mut(), null_mut())
    );
    let (size, mut answer) = (8_usize, 0_usize);
    let (input, room, at) =
        ((&raw const size).cast(), size_of::<usize>(), (&raw mut answer).cast());
    let name = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
    call!(seen, clGetKernelSubGroupInfo(k, d, name, room, input, room, at, null_mut()));
    call!(seen, clGetKernelSubGroupInfoKHR(k, d, name, room, input, room, at, null_mut()));
    let copy = made!(seen, clCloneKernel(k));
    call!(seen, clRetainKernel(copy));
    call!(seen, clReleaseKernel(copy));
    let (n, none) = (null(), null_mut());
    let empty = make!(clCreateKernel(p, c"empty".as_ptr()));
    call!(seen, clEnqueueNDRangeKernel(q, empty, 1, null(), &raw const size, null(), 0, n, none));
    call!(seen, clEnqueueTask(q, empty, 0, n, none));
    let (at, answer) = (&raw const size, &raw mut answer);
    call!(seen, clGetKernelSuggestedLocalWorkSize(q, empty, 1, null(), at, answer));
    call!(seen, clGetKernelSuggestedLocalWorkSizeKHR(q, empty, 1, null(), at, answer));
    call!(seen, clSetKernelArgSVMPointer(copy, 0, null()));
    call!(seen, clSetKernelArgMemPointerINTEL(copy, 0, null()));
    call!(seen, clSetKernelArgDevicePointerEXT(copy, 0, 0));
    call!(seen, clSetKernelExecInfo(copy, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, null()));
    code!(CL_SUCCESS, clFinish(q));
}

fn shared(seen: &mut Seen, o: &Objects) {
    let (c, q, d) = (o.c, o.q, setup().device());
    let (n, none) = (null(), null_mut());
    let pattern = 7_u32;
    let p: *const c_void = (&raw const pattern).cast();
    let mut plain = [0_u64; 64];
    let svm = found!(seen, clSVMAlloc(c, CL_MEM_READ_WRITE, 256, 0));
    let to = if svm.is_null() { plain.as_mut_ptr().cast() } else { svm };
    let other = to.wrapping_byte_add(128);
    call!(seen, clEnqueueSVMMemFill(q, to, p, 4, 64, 0, n, none));
    call!(seen, clEnqueueSVMMemcpy(q, CL_TRUE, to, other, 64, 0, n, none));
    call!(seen, clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, to, 64, 0, n, none));
    call!(seen, clEnqueueSVMUnmap(q, to, 0, n, none));
    let mut list = [to.cast_const()];
    call!(seen, clEnqueueSVMMigrateMem(q, 1, list.as_mut_ptr(), null(), 0, 0, n, none));
    let mut free = [to];
    call!(seen, clEnqueueSVMFree(q, 1, free.as_mut_ptr(), None, null_mut(), 0, n, none));
    code!(CL_SUCCESS, clFinish(q));
    cl!(clSVMFree(c, null_mut()));
    let has = if svm.is_null() { CL_INVALID_OPERATION } else { CL_SUCCESS };
    seen.0.insert("clSVMFree", has);
    seen.0.insert("clSVMAlloc", has);
    made!(seen, clHostMemAllocINTEL(c, null(), 64, 0));
    made!(seen, clDeviceMemAllocINTEL(c, d, null(), 64, 0));
    let unified = made!(seen, clSharedMemAllocINTEL(c, d, null(), 256, 0));
    let to = if unified.is_null() { plain.as_mut_ptr().cast() } else { unified };
    let other = to.wrapping_byte_add(128);
    call!(seen, clGetMemAllocInfoINTEL(c, to, CL_MEM_ALLOC_TYPE_INTEL, 0, null_mut(), null_mut()));
    call!(seen, clEnqueueMemFillINTEL(q, to, p, 4, 64, 0, n, none));
    call!(seen, clEnqueueMemsetINTEL(q, to, 1, 64, 0, n, none));
    call!(seen, clEnqueueMemcpyINTEL(q, CL_TRUE, to, other, 64, 0, n, none));
    call!(seen, clEnqueueMigrateMemINTEL(q, to, 64, 0, 0, n, none));
    call!(seen, clEnqueueMemAdviseINTEL(q, to, 64, 0, 0, n, none));
    code!(CL_SUCCESS, clFinish(q));
    call!(seen, clMemFreeINTEL(c, unified));
    call!(seen, clMemBlockingFreeINTEL(c, null_mut()));
}

/// Command buffers: each command that they can have.
fn recorded(seen: &mut Seen, o: &Objects) {
    let (c, q, mem) = (o.c, o.q, o.mem);
    let format =
        cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };
    let image = || make!(clCreateImage(c, CL_MEM_READ_WRITE, &format, &PLANE, null_mut()));
    let (img, other) = (image(), image());
    let flags = [CL_COMMAND_BUFFER_FLAGS_KHR.into(), CL_COMMAND_BUFFER_MUTABLE_KHR, 0];
    let l = made!(seen, clCreateCommandBufferKHR(1, &raw const q, flags.as_ptr()));
    let data = [0_u32; 4];
    let p: *const c_void = data.as_ptr().cast();
    let (zero, r, away) = ([0; 3], [8, 2, 1], [0, 16, 0]);
    let (z, r, away) = (zero.as_ptr(), r.as_ptr(), away.as_ptr());
    // No queue, no properties; no sync points and no handle.
    let (u, v, w, x) = (null_mut(), null(), null(), null_mut());
    let h = null_mut();
    call!(seen, clCommandBarrierWithWaitListKHR(l, u, v, 0, w, x, h));
    call!(seen, clCommandCopyBufferKHR(l, u, v, mem, mem, 0, 128, 64, 0, w, x, h));
    call!(seen, clCommandCopyBufferRectKHR(l, u, v, mem, mem, z, away, r, 0, 0, 0, 0, 0, w, x, h));
    call!(seen, clCommandFillBufferKHR(l, u, v, mem, p, 4, 0, 64, 0, w, x, h));
    call!(seen, clCommandCopyImageKHR(l, u, v, img, other, z, z, r, 0, w, x, h));
    call!(seen, clCommandCopyImageToBufferKHR(l, u, v, img, mem, z, r, 0, 0, w, x, h));
    call!(seen, clCommandCopyBufferToImageKHR(l, u, v, mem, img, 0, z, r, 0, w, x, h));
    call!(seen, clCommandFillImageKHR(l, u, v, img, p, z, r, 0, w, x, h));
    let svm = cl!(clSVMAlloc(c, CL_MEM_READ_WRITE, 256, 0));
    let far = svm.wrapping_byte_add(128);
    call!(seen, clCommandSVMMemFillKHR(l, u, v, svm, p, 4, 64, 0, w, x, h));
    call!(seen, clCommandSVMMemcpyKHR(l, u, v, far, svm, 64, 0, w, x, h));
    let (eight, mut command) = (8_usize, null_mut());
    let (at, size) = (&raw mut command, &raw const eight);
    call!(seen, clCommandNDRangeKernelKHR(l, u, v, o.k, 1, null(), size, null(), 0, w, x, at));
    call!(seen, clFinalizeCommandBufferKHR(l));
    let again =
        made!(seen, clRemapCommandBufferKHR(l, CL_FALSE, 1, &raw const q, 0, w.cast(), x.cast()));
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(again));
    call!(seen, clUpdateMutableCommandsKHR(l, 0, null(), null_mut()));
    let name = CL_MUTABLE_DISPATCH_DIMENSIONS_KHR;
    call!(seen, clGetMutableCommandInfoKHR(command, name, 0, null_mut(), null_mut()));
    let name = CL_COMMAND_BUFFER_STATE_KHR;
    call!(seen, clGetCommandBufferInfoKHR(l, name, 0, null_mut(), null_mut()));
    call!(seen, clEnqueueCommandBufferKHR(0, null_mut(), l, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(q));
    call!(seen, clRetainCommandBufferKHR(l));
    call!(seen, clReleaseCommandBufferKHR(l));
    cl!(clSVMFree(c, svm));
}

fn entry_points(facts: &mut Vec<Fact>) {
    let seen = &mut Seen::default();
    let c = platforms_and_devices(seen);
    let q = queues(seen, c);
    let (p, k) = programs(seen, c);
    let mem = memory(seen, c);
    let objects = Objects { c, q, p, k, mem };
    let sampler = images(seen, &objects);
    commands(seen, &objects);
    kernels(seen, &objects, sampler);
    shared(seen, &objects);
    recorded(seen, &objects);
    for row in ERRORS.lines().filter(|line| line.starts_with("cl")) {
        let name = row.split(' ').next().unwrap();
        let code = *seen.0.get(name).unwrap_or_else(|| panic!("{name} is not in the smoke test"));
        facts.push(("entry point", name.to_owned(), answer(code)));
    }
}

fn answer(code: cl_int) -> String {
    match code {
        CL_SUCCESS => "yes".to_owned(),
        CL_INVALID_OPERATION => "`CL_INVALID_OPERATION`".to_owned(),
        CL_INVALID_VALUE => "`CL_INVALID_VALUE`".to_owned(),
        CL_INVALID_MEM_OBJECT => "`CL_INVALID_MEM_OBJECT`".to_owned(),
        other => other.to_string(),
    }
}

fn features(facts: &mut Vec<Fact>) {
    let d = setup().device();
    let yes = |condition: bool| if condition { "yes" } else { "no" }.to_owned();
    let mut fact = |name: &str, answer: String| facts.push(("feature", name.to_owned(), answer));
    fact(
        "CL_DEVICE_NUMERIC_VERSION",
        version(number(&info!(clGetDeviceInfo(d), CL_DEVICE_NUMERIC_VERSION))),
    );
    macro_rules! numbers {
        ($($name:ident)*) => { $(fact(stringify!($name), yes(number(&info!(clGetDeviceInfo(d),
            $name)) != 0));)* };
    }
    macro_rules! bits {
        ($name:ident: $($bit:ident)*) => {{
            let has = number(&info!(clGetDeviceInfo(d), $name));
            $(fact(stringify!($bit), yes(has & u64::from($bit) != 0));)*
        }};
    }
    numbers! {
        CL_DEVICE_IMAGE_SUPPORT CL_DEVICE_PIPE_SUPPORT CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
        CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT
        CL_DEVICE_MAX_NUM_SUB_GROUPS
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS CL_DEVICE_COMPILER_AVAILABLE
        CL_DEVICE_LINKER_AVAILABLE
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE CL_DEVICE_DOUBLE_FP_CONFIG CL_DEVICE_HALF_FP_CONFIG
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT
    }
    bits!(CL_DEVICE_SVM_CAPABILITIES: CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
        CL_DEVICE_SVM_FINE_GRAIN_BUFFER CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
        CL_DEVICE_SVM_ATOMICS);
    bits!(CL_DEVICE_EXECUTION_CAPABILITIES: CL_EXEC_NATIVE_KERNEL);
    bits!(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_SEQ_CST
        CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
    bits!(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
    bits!(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
        CL_QUEUE_PROFILING_ENABLE);
    fact(
        "CL_DEVICE_IL_VERSION",
        yes(!text(&info!(clGetDeviceInfo(d), CL_DEVICE_IL_VERSION)).is_empty()),
    );
    // The machine determines the possible partitions by affinity.
    let ways = info!(clGetDeviceInfo(d), CL_DEVICE_PARTITION_PROPERTIES);
    let has = |way: cl_device_partition_property| {
        ways.chunks(size_of_val(&way)).any(|w| w == way.to_ne_bytes())
    };
    fact("CL_DEVICE_PARTITION_EQUALLY", yes(has(CL_DEVICE_PARTITION_EQUALLY)));
    fact("CL_DEVICE_PARTITION_BY_COUNTS", yes(has(CL_DEVICE_PARTITION_BY_COUNTS)));
}

fn version(number: u64) -> String {
    format!("{}.{}.{}", number >> 22, number >> 12 & 0x3FF, number & 0xFFF)
}

/// The names and versions in an answer.
fn names(bytes: &[u8]) -> Vec<(String, String)> {
    let entries = bytes.chunks(size_of::<cl_name_version>());
    entries
        .map(|entry| {
            let number = u32::from_ne_bytes(*entry.first_chunk().unwrap());
            (
                CStr::from_bytes_until_nul(&entry[4..]).unwrap().to_str().unwrap().to_owned(),
                version(number.into()),
            )
        })
        .collect()
}

pub(super) fn facts() -> Vec<Fact> {
    let mut facts = Vec::new();
    entry_points(&mut facts);
    features(&mut facts);
    let (p, d) = (setup().platform(), setup().device());
    for (kind, answer) in [
        ("extension", info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS_WITH_VERSION)),
        ("platform extension", info!(clGetPlatformInfo(p), CL_PLATFORM_EXTENSIONS_WITH_VERSION)),
        ("OpenCL C feature", info!(clGetDeviceInfo(d), CL_DEVICE_OPENCL_C_FEATURES)),
    ] {
        // A feature of several versions counts with its last one.
        let last: BTreeMap<String, String> = names(&answer).into_iter().collect();
        facts.extend(last.into_iter().map(|(name, version)| (kind, name, version)));
    }
    facts
}
