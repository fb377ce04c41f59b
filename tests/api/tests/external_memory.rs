//! Memory of other programs: import, hand-over between OpenCL and the other program, and what is
//! refused. The other program is this test, with files in memory.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::fs::File;
use std::os::fd::{AsRawFd as _, IntoRawFd as _, OwnedFd};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_os::share_bytes;
use muxcl_test_api::{
    PLANE, Waits, bad_handles, buffer, code, context, context_of, enqueue_fails, fails, info, make,
    number, setup, text,
};

const OPAQUE: u64 = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR as u64;
const DMA_BUF: u64 = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR as u64;
const DEVICES: u64 = CL_DEVICE_HANDLE_LIST_KHR;
/// `CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KHR`, which no device here has.
const WIN32: u64 = 0x2061;
const SIZE: usize = 64;
static RGBA: cl_image_format =
    cl_image_format { image_channel_order: CL_RGBA, image_channel_data_type: CL_UNORM_INT8 };

/// The memory of the other program: `SIZE` times 5.
fn memory() -> File {
    share_bytes(&[&[5; SIZE]]).unwrap().into()
}

/// A property list with a new descriptor of `file`, and the descriptor's number.
fn handle(file: &File, kind: u64, rest: &[u64]) -> (Vec<u64>, i32) {
    let number = file.try_clone().unwrap().into_raw_fd();
    let mut list = vec![kind, u64::try_from(number).unwrap()];
    list.extend(rest);
    list.push(0);
    (list, number)
}

/// True if `number` is a descriptor of `file`.
fn refers_to(number: i32, file: &File) -> bool {
    let of = std::fs::metadata(format!("/proc/self/fd/{number}"));
    of.is_ok_and(|of| of.ino() == file.metadata().unwrap().ino())
}

fn imported(c: cl_context, file: &File) -> cl_mem {
    let (list, number) = handle(file, OPAQUE, &[]);
    let made =
        make!(clCreateBufferWithProperties(c, list.as_ptr(), CL_MEM_READ_WRITE, SIZE, null_mut()));
    assert!(!refers_to(number, file), "the driver owns the descriptor, and needs it no more");
    made
}

fn bytes(file: &File) -> Vec<u8> {
    let mut all = vec![0; usize::try_from(file.metadata().unwrap().len()).unwrap()];
    file.read_exact_at(&mut all, 0).unwrap();
    all
}

fn queue(c: cl_context, d: cl_device_id) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, d, null()))
}

fn acquire(q: cl_command_queue, m: cl_mem) {
    let (one, none) = (&raw const m, null_mut());
    code!(CL_SUCCESS, clEnqueueAcquireExternalMemObjectsKHR(q, 1, one, 0, null(), none));
}

fn release(q: cl_command_queue, m: cl_mem) {
    let (one, none) = (&raw const m, null_mut());
    code!(CL_SUCCESS, clEnqueueReleaseExternalMemObjectsKHR(q, 1, one, 0, null(), none));
}

fn read(q: cl_command_queue, m: cl_mem) -> [u8; SIZE] {
    let mut seen = [0; SIZE];
    let to = seen.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, m, CL_TRUE, 0, SIZE, to, 0, null(), null_mut()));
    seen
}

fn fill(q: cl_command_queue, m: cl_mem, value: u8) {
    let pattern = (&raw const value).cast();
    code!(CL_SUCCESS, clEnqueueFillBuffer(q, m, pattern, 1, 0, SIZE, 0, null(), null_mut()));
}

#[test]
fn every_device_imports_both_kinds() {
    let kinds = [CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR];
    let both: Vec<u8> = kinds.iter().flat_map(|kind| kind.to_ne_bytes()).collect();
    for d in [setup().device(), setup().other_device(), setup().apart()] {
        let list = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
        for name in ["", "_opaque_fd", "_dma_buf"] {
            let name = format!("cl_khr_external_memory{name}");
            assert!(list.split(' ').any(|e| e == name), "{name}");
        }
        let types = CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR;
        assert_eq!(info!(clGetDeviceInfo(d), types), both);
        let linear = CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR;
        assert_eq!(info!(clGetDeviceInfo(d), linear), both);
    }
    let types = CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR;
    assert_eq!(info!(clGetPlatformInfo(setup().platform()), types), both);
}

#[test]
fn a_buffer_is_the_memory_itself() {
    let (c, file) = (context(), memory());
    let q = queue(c, setup().device());
    let m = imported(c, &file);
    assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_HOST_PTR)), 0);
    let list = info!(clGetMemObjectInfo(m), CL_MEM_PROPERTIES);
    assert_eq!((number(&list[..8]), number(&list[16..])), (OPAQUE, 0), "as given");
    // The same memory again, in another context.
    let other = context();
    let (far, twin) = (queue(other, setup().device()), imported(other, &file));
    acquire(q, m);
    assert_eq!(read(q, m), [5; SIZE]);
    fill(q, m, 7);
    release(q, m);
    code!(CL_SUCCESS, clFinish(q));
    assert_eq!(bytes(&file), [7; SIZE]);
    acquire(far, twin);
    assert_eq!(read(far, twin), [7; SIZE]);
    let at =
        make!(clEnqueueMapBuffer(far, twin, CL_TRUE, CL_MAP_WRITE, 8, 8, 0, null(), null_mut()));
    // SAFETY: mapped, with so many bytes.
    unsafe { at.cast::<u8>().write_bytes(9, 8) };
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(far, twin, at, 0, null(), null_mut()));
    release(far, twin);
    code!(CL_SUCCESS, clFinish(far));
    assert_eq!(&bytes(&file)[6..18], [7, 7, 9, 9, 9, 9, 9, 9, 9, 9, 7, 7]);
    // A part of it has no handle of its own.
    let region = cl_buffer_region { origin: 0, size: 8 };
    let part =
        make!(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()));
    let one = &raw const part;
    enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueAcquireExternalMemObjectsKHR(q, 1, one));
    // The commands of the extension, with events.
    let (mut event, one) = (null_mut(), &raw const m);
    let at = &raw mut event;
    code!(CL_SUCCESS, clEnqueueAcquireExternalMemObjectsKHR(q, 1, one, 0, null(), at));
    assert_eq!(number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)), 0x2047);
    code!(CL_SUCCESS, clReleaseEvent(event));
    code!(CL_SUCCESS, clEnqueueReleaseExternalMemObjectsKHR(q, 1, one, 0, null(), at));
    assert_eq!(number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)), 0x2048);
    code!(CL_SUCCESS, clReleaseEvent(event));
    for m in [part, m, twin] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    for q in [q, far] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    for c in [c, other] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn commands_keep_the_memory_mapped() {
    let (c, file) = (context(), memory());
    let q = queue(c, setup().device());
    let m = imported(c, &file);
    let gate = make!(clCreateUserEvent(c));
    let (one, wait) = (&raw const m, &raw const gate);
    code!(CL_SUCCESS, clEnqueueAcquireExternalMemObjectsKHR(q, 1, one, 1, wait, null_mut()));
    fill(q, m, 3);
    release(q, m);
    code!(CL_SUCCESS, clReleaseMemObject(m));
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(q));
    assert_eq!(bytes(&file), [3; SIZE]);
    code!(CL_SUCCESS, clReleaseEvent(gate));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A device with memory of its own gets a copy. Acquiring makes it stale, releasing writes it back.
#[test]
fn copies_follow_the_hand_overs() {
    let (d, apart) = (setup().device(), setup().apart());
    for devices in [&[apart][..], &[d, apart], &[apart, d]] {
        let (c, file) = (context_of(devices), memory());
        let queues: Vec<_> = devices.iter().map(|&d| queue(c, d)).collect();
        let m = imported(c, &file);
        let far = queue(c, apart);
        // Each queue writes what all read, and so does the file.
        for (n, &q) in (10..).step_by(2).zip(&queues) {
            file.write_all_at(&[n; SIZE], 0).unwrap();
            acquire(q, m);
            assert_eq!(read(q, m), [n; SIZE]);
            fill(far, m, n + 1);
            code!(CL_SUCCESS, clFinish(far));
            assert_eq!(read(q, m), [n + 1; SIZE]);
            release(q, m);
            code!(CL_SUCCESS, clFinish(q));
            assert_eq!(bytes(&file), [n + 1; SIZE]);
        }
        // Without an acquire the copy on the device need not be current, but the content is some
        // earlier content of the memory.
        assert_ne!(read(far, m), [0; SIZE]);
        code!(CL_SUCCESS, clReleaseMemObject(m));
        for q in queues.into_iter().chain([far]) {
            code!(CL_SUCCESS, clReleaseCommandQueue(q));
        }
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn images_are_linear() {
    let (c, file) = (context(), memory());
    let q = queue(c, setup().device());
    // Two rows of three pixels, 20 bytes apart: the last row ends at byte 40.
    let desc = cl_image_desc { image_width: 3, image_height: 2, image_row_pitch: 20, ..PLANE };
    let (f, at) = (&raw const RGBA, &raw const desc);
    let (list, number_of) = handle(&file, OPAQUE, &[]);
    let rw = CL_MEM_READ_WRITE;
    let m = make!(clCreateImageWithProperties(c, list.as_ptr(), rw, f, at, null_mut()));
    assert!(!refers_to(number_of, &file));
    assert_eq!(number(&info!(clGetImageInfo(m), CL_IMAGE_ROW_PITCH)), 20);
    acquire(q, m);
    let (origin, region, pixels) = ([1, 1, 0_usize], [2, 1, 1_usize], [1_u8, 2, 3, 4, 5, 6, 7, 8]);
    let (o, r, p) = (origin.as_ptr(), region.as_ptr(), pixels.as_ptr().cast());
    code!(CL_SUCCESS, clEnqueueWriteImage(q, m, CL_TRUE, o, r, 0, 0, p, 0, null(), null_mut()));
    release(q, m);
    code!(CL_SUCCESS, clFinish(q));
    assert_eq!(&bytes(&file)[23..33], [5, 1, 2, 3, 4, 5, 6, 7, 8, 5]);
    code!(CL_SUCCESS, clReleaseMemObject(m));
    // The same image does not fit into less memory; nor do several levels have a place.
    let small = File::from(share_bytes(&[&[0; 39]]).unwrap());
    let (list, number) = handle(&small, OPAQUE, &[]);
    let p = list.as_ptr();
    fails!(CL_INVALID_IMAGE_SIZE, clCreateImageWithProperties(c, p, rw, f, at, null_mut()));
    let levels = cl_image_desc { num_mip_levels: 2, ..PLANE };
    let levels = &raw const levels;
    fails!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImageWithProperties(c, p, rw, f, levels, null_mut())
    );
    let inner = buffer(c, 256);
    let inside = cl_image_desc { mem_object: inner, ..PLANE };
    let inside = &raw const inside;
    fails!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImageWithProperties(c, p, rw, f, inside, null_mut())
    );
    let host = CL_MEM_COPY_HOST_PTR;
    fails!(CL_INVALID_VALUE, clCreateImageWithProperties(c, p, host, f, at, inner.cast()));
    fails!(CL_INVALID_HOST_PTR, clCreateImageWithProperties(c, p, rw, f, at, inner.cast()));
    let strange = [OPAQUE, list[1], DEVICES, setup().apart().addr() as u64, 0, 0];
    let strange = strange.as_ptr();
    fails!(CL_INVALID_DEVICE, clCreateImageWithProperties(c, strange, rw, f, at, null_mut()));
    let twice = [OPAQUE, list[1], OPAQUE, list[1], 0];
    let twice = twice.as_ptr();
    fails!(CL_INVALID_PROPERTY, clCreateImageWithProperties(c, twice, rw, f, at, null_mut()));
    // Only a buffer has addresses.
    let address = [OPAQUE, list[1], CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0];
    let address = address.as_ptr();
    fails!(CL_INVALID_PROPERTY, clCreateImageWithProperties(c, address, rw, f, at, null_mut()));
    // The requirements are those of any image.
    code!(
        CL_SUCCESS,
        clGetImageRequirementsInfoEXT(
            c,
            p,
            rw,
            f,
            at,
            CL_IMAGE_REQUIREMENTS_SIZE_EXT,
            0,
            null_mut(),
            null_mut()
        )
    );
    assert!(refers_to(number, &small), "a failure leaves the descriptor to the application");
    // SAFETY: made by `handle`, and the driver has not taken it.
    drop(unsafe { <OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(number) });
    code!(CL_SUCCESS, clReleaseMemObject(inner));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn immutable_memory_may_be_read_only() {
    let (c, file) = (context(), memory());
    let q = queue(c, setup().device());
    let reader = File::open(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap();
    let (list, number) = handle(&reader, OPAQUE, &[]);
    let (p, rw, fixed) = (list.as_ptr(), CL_MEM_READ_WRITE, CL_MEM_IMMUTABLE_EXT);
    fails!(CL_INVALID_PROPERTY, clCreateBufferWithProperties(c, p, rw, SIZE, null_mut()));
    assert!(refers_to(number, &file));
    let m = make!(clCreateBufferWithProperties(c, p, fixed, SIZE, null_mut()));
    acquire(q, m);
    assert_eq!(read(q, m), [5; SIZE]);
    release(q, m);
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clReleaseMemObject(m));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn bad_handles_and_properties_are_refused() {
    let (c, file) = (context(), memory());
    let rw = CL_MEM_READ_WRITE;
    let fd = |file: &OwnedFd| u64::try_from(file.as_raw_fd()).unwrap();
    let memory = OwnedFd::from(file.try_clone().unwrap());
    let (pipe, _end) = std::io::pipe().unwrap();
    let pipe = OwnedFd::from(pipe);
    let other = OwnedFd::from(File::open("/proc/self/status").unwrap());
    let folder = OwnedFd::from(File::open("/").unwrap());
    let device = setup().device().addr() as u64;
    let cases: [&[u64]; 15] = [
        &[OPAQUE, u64::MAX, 0],
        &[OPAQUE, 0xFFFF_FFFF, 0],
        &[OPAQUE, 1 << 40, 0],
        &[OPAQUE, 0x7FFF_FFFF, 0],
        &[OPAQUE, fd(&pipe), 0],
        &[OPAQUE, fd(&other), 0],
        &[OPAQUE, fd(&folder), 0],
        &[DMA_BUF, fd(&memory), 0],
        &[DMA_BUF, u64::MAX, 0],
        &[WIN32, fd(&memory), 0],
        &[OPAQUE, fd(&memory), OPAQUE, fd(&memory), 0],
        &[OPAQUE, fd(&memory), DMA_BUF, fd(&memory), 0],
        &[DEVICES, device, 0, 0],
        &[OPAQUE, fd(&memory), DEVICES, 0, 0],
        &[OPAQUE, fd(&memory), DEVICES, device, 0, DEVICES, device, 0, 0],
    ];
    for list in cases {
        let p = list.as_ptr();
        fails!(CL_INVALID_PROPERTY, clCreateBufferWithProperties(c, p, rw, SIZE, null_mut()));
    }
    for strange in [setup().apart().addr() as u64, 64, u64::MAX] {
        let list = [OPAQUE, fd(&memory), DEVICES, device, strange, 0, 0];
        let p = list.as_ptr();
        fails!(CL_INVALID_DEVICE, clCreateBufferWithProperties(c, p, rw, SIZE, null_mut()));
    }
    let list = [OPAQUE, fd(&memory), 0];
    let p = list.as_ptr();
    for host in [CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR] {
        fails!(CL_INVALID_VALUE, clCreateBufferWithProperties(c, p, rw | host, SIZE, null_mut()));
    }
    let somewhere = (&raw const device).cast_mut().cast();
    fails!(CL_INVALID_HOST_PTR, clCreateBufferWithProperties(c, p, rw, SIZE, somewhere));
    for size in [0, SIZE + 1, 1 << 20] {
        fails!(CL_INVALID_BUFFER_SIZE, clCreateBufferWithProperties(c, p, rw, size, null_mut()));
    }
    assert_eq!(bytes(&file), [5; SIZE], "and all descriptors are this test's still");
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn the_commands_refuse_other_objects_and_queues() {
    let (d, apart) = (setup().device(), setup().apart());
    let c = context_of(&[d, apart]);
    let (q, far, w, file) = (queue(c, d), queue(c, apart), Waits::new(c), memory());
    let (list, _) = handle(&file, OPAQUE, &[DEVICES, d.addr() as u64, 0]);
    let rw = CL_MEM_READ_WRITE;
    let m = make!(clCreateBufferWithProperties(c, list.as_ptr(), rw, SIZE, null_mut()));
    let (one, plain) = (&raw const m, buffer(c, SIZE));
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueAcquireExternalMemObjectsKHR(q, 1, one), w
    );
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE CL_INVALID_EVENT_WAIT_LIST
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReleaseExternalMemObjectsKHR(q, 1, one), w
    );
    // The device is not in the list of the import; the context of the object is another one.
    enqueue_fails!(CL_INVALID_COMMAND_QUEUE, clEnqueueAcquireExternalMemObjectsKHR(far, 1, one));
    enqueue_fails!(CL_INVALID_COMMAND_QUEUE, clEnqueueReleaseExternalMemObjectsKHR(far, 1, one));
    let other = context();
    let elsewhere = queue(other, d);
    enqueue_fails!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueAcquireExternalMemObjectsKHR(elsewhere, 1, one)
    );
    for (count, list) in [(0, one), (1, null())] {
        enqueue_fails!(CL_INVALID_VALUE, clEnqueueAcquireExternalMemObjectsKHR(q, count, list));
        enqueue_fails!(CL_INVALID_VALUE, clEnqueueReleaseExternalMemObjectsKHR(q, count, list));
    }
    for bad in bad_handles::<_cl_mem>().into_iter().chain([plain]) {
        let list = [m, bad];
        let p = list.as_ptr();
        enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueAcquireExternalMemObjectsKHR(q, 2, p));
        enqueue_fails!(CL_INVALID_MEM_OBJECT, clEnqueueReleaseExternalMemObjectsKHR(q, 2, p));
    }
    // No objects: the command only waits.
    let (mut event, none, good) = (null_mut(), null(), &raw const w.good);
    let at = &raw mut event;
    code!(CL_SUCCESS, clEnqueueAcquireExternalMemObjectsKHR(q, 0, none, 1, good, at));
    code!(CL_SUCCESS, clWaitForEvents(1, at));
    code!(CL_SUCCESS, clReleaseEvent(event));
    code!(CL_SUCCESS, clEnqueueReleaseExternalMemObjectsKHR(q, 0, none, 0, null(), null_mut()));
    for m in [m, plain] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    for q in [q, far, elsewhere] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    for c in [c, other] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}
