//! Command buffers: their states, queries, transfers that are enqueued repeatedly, and what keeps
//! them alive.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    binary_of, buffer, cl, code, context, context_of, enqueue_fails, info, kernel, make, number,
    program, program_from, setup, text,
};
use muxcl_types::container::BinaryKind;
use muxcl_types::program::{ArgInfo, ArgKind, KernelInfo};

const FLAGS: cl_command_buffer_properties_khr = CL_COMMAND_BUFFER_FLAGS_KHR as _;

fn queue(c: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, setup().device(), null()))
}

fn list_of(q: cl_command_queue, flags: cl_bitfield) -> cl_command_buffer_khr {
    let properties = [FLAGS, flags, 0];
    make!(clCreateCommandBufferKHR(1, &raw const q, properties.as_ptr()))
}

fn state(list: cl_command_buffer_khr) -> u64 {
    number(&info!(clGetCommandBufferInfoKHR(list), CL_COMMAND_BUFFER_STATE_KHR))
}

/// Bytes of an answer as numbers of 8 bytes.
fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(number).collect()
}

#[test]
fn the_device_says_what_it_supports() {
    let d = setup().device();
    let extensions = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
    for name in [
        "cl_khr_command_buffer",
        "cl_khr_command_buffer_multi_device",
        "cl_khr_command_buffer_mutable_dispatch",
    ] {
        assert!(extensions.split(' ').any(|e| e == name), "{name}");
    }
    let ask = |name| number(&info!(clGetDeviceInfo(d), name));
    let capabilities = CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
        | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
        | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
        | CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR;
    assert_eq!(ask(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR), capabilities);
    assert_eq!(ask(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR), 0);
    assert_eq!(ask(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR), 3);
    assert_eq!(ask(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR), 0x1F);
}

/// A command buffer on two devices: commands wait for commands of the other queue, an enqueue
/// repeats them, its event has no queue, and a copy runs on one queue.
#[test]
fn several_devices() {
    let (d, apart) = (setup().device(), setup().apart());
    let c = context_of(&[d, apart]);
    for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE] {
        let list = [CL_QUEUE_PROPERTIES.into(), properties, 0];
        let queues =
            [d, apart].map(|d| make!(clCreateCommandQueueWithProperties(c, d, list.as_ptr())));
        let l = make!(clCreateCommandBufferKHR(2, queues.as_ptr(), null()));
        assert_eq!(
            number(&info!(clGetCommandBufferInfoKHR(l), CL_COMMAND_BUFFER_NUM_QUEUES_KHR)),
            2
        );
        let named = words(&info!(clGetCommandBufferInfoKHR(l), CL_COMMAND_BUFFER_QUEUES_KHR));
        assert_eq!(named, queues.map(|q| q.addr() as u64));
        let (a, b) = (buffer(c, 64), buffer(c, 64));
        // Filled here, copied there, its first half overwritten here, and copied back there.
        let mut point = 0;
        for (step, pattern) in [(0, 7_u32), (1, 0), (2, 9), (3, 0)] {
            let (before, at) = (point, &raw mut point);
            let (count, waits) = if step == 0 { (0, null()) } else { (1, &raw const before) };
            let (v, h, p) = (null(), null_mut(), (&raw const pattern).cast());
            let on = queues[step % 2];
            match step {
                0 => {
                    code!(
                        CL_SUCCESS,
                        clCommandFillBufferKHR(l, on, v, a, p, 4, 0, 64, count, waits, at, h)
                    );
                }
                1 => {
                    code!(
                        CL_SUCCESS,
                        clCommandCopyBufferKHR(l, on, v, a, b, 0, 0, 64, count, waits, at, h)
                    );
                }
                2 => {
                    code!(
                        CL_SUCCESS,
                        clCommandFillBufferKHR(l, on, v, b, p, 4, 0, 32, count, waits, at, h)
                    );
                }
                _ => {
                    code!(
                        CL_SUCCESS,
                        clCommandCopyBufferKHR(l, on, v, b, a, 0, 0, 64, count, waits, at, h)
                    );
                }
            }
        }
        code!(CL_SUCCESS, clFinalizeCommandBufferKHR(l));
        let copy = make!(clRemapCommandBufferKHR(
            l,
            CL_TRUE,
            1,
            &raw const queues[1],
            0,
            null(),
            null_mut()
        ));
        assert_eq!(state(copy), state(l));
        for (list, own) in [(l, null_mut()), (copy, queues[1]), (l, null_mut())] {
            let zero = 0_u32;
            code!(
                CL_SUCCESS,
                clEnqueueFillBuffer(
                    queues[0],
                    a,
                    (&raw const zero).cast(),
                    4,
                    0,
                    64,
                    0,
                    null(),
                    null_mut()
                )
            );
            code!(CL_SUCCESS, clFinish(queues[0]));
            let mut event = null_mut();
            code!(
                CL_SUCCESS,
                clEnqueueCommandBufferKHR(0, null_mut(), list, 0, null(), &raw mut event)
            );
            code!(CL_SUCCESS, clWaitForEvents(1, &raw const event));
            let queue = number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_QUEUE));
            assert_eq!(queue, own.addr() as u64);
            let command = number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE));
            assert_eq!(command, u64::from(CL_COMMAND_COMMAND_BUFFER_KHR));
            if properties != 0 {
                let times = [
                    CL_PROFILING_COMMAND_QUEUED,
                    CL_PROFILING_COMMAND_SUBMIT,
                    CL_PROFILING_COMMAND_START,
                    CL_PROFILING_COMMAND_END,
                    CL_PROFILING_COMMAND_COMPLETE,
                ]
                .map(|name| number(&info!(clGetEventProfilingInfo(event), name)));
                assert!(times.is_sorted(), "{times:?}");
            }
            code!(CL_SUCCESS, clReleaseEvent(event));
            let mut found = [0_u32; 16];
            code!(
                CL_SUCCESS,
                clEnqueueReadBuffer(
                    queues[0],
                    a,
                    1,
                    0,
                    64,
                    found.as_mut_ptr().cast(),
                    0,
                    null(),
                    null_mut()
                )
            );
            assert_eq!(found, [[9; 8], [7; 8]].concat()[..]);
        }
        for list in [l, copy] {
            code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
        }
        for m in [a, b] {
            code!(CL_SUCCESS, clReleaseMemObject(m));
        }
        for q in queues {
            code!(CL_SUCCESS, clReleaseCommandQueue(q));
        }
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn queries() {
    let c = context();
    let q = queue(c);
    let list = list_of(q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    let ask = |name| number(&info!(clGetCommandBufferInfoKHR(list), name));
    assert_eq!(ask(CL_COMMAND_BUFFER_NUM_QUEUES_KHR), 1);
    assert_eq!(ask(CL_COMMAND_BUFFER_QUEUES_KHR), q.addr() as u64);
    assert_eq!(ask(CL_COMMAND_BUFFER_CONTEXT_KHR), c.addr() as u64);
    assert_eq!(ask(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 1);
    code!(CL_SUCCESS, clRetainCommandBufferKHR(list));
    assert_eq!(ask(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 2);
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    let properties = info!(clGetCommandBufferInfoKHR(list), CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR);
    assert_eq!(words(&properties), [FLAGS, CL_COMMAND_BUFFER_MUTABLE_KHR, 0]);
    let plain = make!(clCreateCommandBufferKHR(1, &raw const q, null()));
    let none = info!(clGetCommandBufferInfoKHR(plain), CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR);
    assert!(none.is_empty());
    for list in [list, plain] {
        code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// The commands run once for each enqueue, in their order, after what was enqueued before. Objects
/// may be released meanwhile: the command buffer needs them, and enqueued commands do.
#[test]
fn enqueued_repeatedly() {
    let c = context();
    let q = queue(c);
    let (a, b) = (buffer(c, 16), buffer(c, 16));
    let list = list_of(q, 0);
    assert_eq!(state(list), 0);
    let fill = |pattern: u8, offset: usize| {
        let (mut point, at) = (0, (&raw const pattern).cast());
        code!(
            CL_SUCCESS,
            clCommandFillBufferKHR(
                list,
                null_mut(),
                null(),
                a,
                at,
                1,
                offset,
                8,
                0,
                null(),
                &raw mut point,
                null_mut()
            )
        );
        point
    };
    let points = [fill(7, 0), fill(9, 4)];
    assert_ne!(points[0], points[1]);
    code!(
        CL_SUCCESS,
        clCommandCopyBufferKHR(
            list,
            null_mut(),
            null(),
            a,
            b,
            0,
            2,
            14,
            2,
            points.as_ptr(),
            null_mut(),
            null_mut()
        )
    );
    code!(CL_SUCCESS, clFinalizeCommandBufferKHR(list));
    assert_eq!(state(list), 1);
    code!(CL_SUCCESS, clReleaseMemObject(a));
    for _ in 0..3 {
        let zero = 0_u8;
        let at = (&raw const zero).cast();
        code!(CL_SUCCESS, clEnqueueFillBuffer(q, b, at, 1, 0, 16, 0, null(), null_mut()));
        let mut event = null_mut();
        code!(
            CL_SUCCESS,
            clEnqueueCommandBufferKHR(0, null_mut(), list, 0, null(), &raw mut event)
        );
        let kind = number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE));
        assert_eq!(kind, u64::from(CL_COMMAND_COMMAND_BUFFER_KHR));
        let mut data = [0_u8; 16];
        let to = data.as_mut_ptr().cast();
        code!(
            CL_SUCCESS,
            clEnqueueReadBuffer(q, b, CL_TRUE, 0, 16, to, 1, &raw const event, null_mut())
        );
        assert_eq!(data[..14], [0, 0, 7, 7, 7, 7, 9, 9, 9, 9, 9, 9, 9, 9]);
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    // The last references end before the commands run.
    let gate = make!(clCreateUserEvent(c));
    code!(
        CL_SUCCESS,
        clEnqueueCommandBufferKHR(0, null_mut(), list, 1, &raw const gate, null_mut())
    );
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clReleaseEvent(gate));
    code!(CL_SUCCESS, clReleaseMemObject(b));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// If an event of the wait list has failed, no command runs, and the enqueue's event fails.
#[test]
fn nothing_runs_after_a_failed_event() {
    let c = context();
    let q = queue(c);
    let mem = buffer(c, 16);
    let (zero, seven) = (0_u8, 7_u8);
    let [zero, seven] = [&raw const zero, &raw const seven].map(<*const u8>::cast);
    code!(CL_SUCCESS, clEnqueueFillBuffer(q, mem, zero, 1, 0, 16, 0, null(), null_mut()));
    let list = list_of(q, 0);
    for offset in [0, 8] {
        code!(
            CL_SUCCESS,
            clCommandFillBufferKHR(
                list,
                null_mut(),
                null(),
                mem,
                seven,
                1,
                offset,
                8,
                0,
                null(),
                null_mut(),
                null_mut()
            )
        );
    }
    code!(CL_SUCCESS, clFinalizeCommandBufferKHR(list));
    let gate = make!(clCreateUserEvent(c));
    let mut event = null_mut();
    code!(
        CL_SUCCESS,
        clEnqueueCommandBufferKHR(0, null_mut(), list, 1, &raw const gate, &raw mut event)
    );
    code!(CL_SUCCESS, clSetUserEventStatus(gate, -1));
    code!(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &raw const event));
    let mut data = [1_u8; 16];
    let to = data.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, mem, CL_TRUE, 0, 16, to, 0, null(), null_mut()));
    assert_eq!(data, [0; 16]);
    for e in [gate, event] {
        code!(CL_SUCCESS, clReleaseEvent(e));
    }
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A launch whose argument is set by an update only, and what the queries say about it.
#[test]
fn arguments_may_come_later() {
    let c = context();
    let q = queue(c);
    let p = program(c);
    let k = kernel(p, c"two");
    let mem = buffer(c, 16);
    let value = [0_u8; 16];
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, value.as_ptr().cast()));
    let list = list_of(q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    let fields: cl_command_properties_khr = CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR.into();
    let allowed = CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR;
    let properties = [fields, allowed, 0];
    let (sizes, mut command) = ([4_usize, 6], null_mut());
    code!(
        CL_SUCCESS,
        clCommandNDRangeKernelKHR(
            list,
            null_mut(),
            properties.as_ptr(),
            k,
            2,
            null(),
            sizes.as_ptr(),
            null(),
            0,
            null(),
            null_mut(),
            &raw mut command
        )
    );
    code!(CL_SUCCESS, clFinalizeCommandBufferKHR(list));
    assert_eq!(state(list), u64::from(CL_COMMAND_BUFFER_STATE_FINALIZED_KHR));
    enqueue_fails!(CL_INVALID_OPERATION, clEnqueueCommandBufferKHR(0, null_mut(), list));

    let ask = |name| info!(clGetMutableCommandInfoKHR(command), name);
    assert_eq!(number(&ask(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR)), q.addr() as u64);
    assert_eq!(number(&ask(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR)), list.addr() as u64);
    assert_eq!(number(&ask(CL_MUTABLE_DISPATCH_KERNEL_KHR)), k.addr() as u64);
    let kind = number(&ask(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR));
    assert_eq!(kind, u64::from(CL_COMMAND_NDRANGE_KERNEL));
    assert_eq!(words(&ask(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR)), properties);
    assert_eq!(number(&ask(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR)), 2);
    assert_eq!(words(&ask(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR)), [0, 0]);
    assert_eq!(words(&ask(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR)), [4, 6]);
    assert_eq!(words(&ask(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR)), [0, 0]);

    let at = (&raw const mem).cast();
    let argument = cl_mutable_dispatch_arg_khr { arg_index: 0, arg_size: 8, arg_value: at };
    let larger = [8_usize, 6];
    let config = cl_mutable_dispatch_config_khr {
        command,
        num_args: 1,
        num_svm_args: 0,
        num_exec_infos: 0,
        work_dim: 2,
        arg_list: &raw const argument,
        arg_svm_list: null(),
        exec_info_list: null(),
        global_work_offset: null(),
        global_work_size: larger.as_ptr(),
        local_work_size: null(),
    };
    let mut configs = [(&raw const config).cast()];
    let kind = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    code!(CL_SUCCESS, clUpdateMutableCommandsKHR(list, 1, &raw const kind, configs.as_mut_ptr()));
    assert_eq!(state(list), 1);
    assert_eq!(words(&ask(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR)), [8, 6]);
    code!(CL_SUCCESS, clEnqueueCommandBufferKHR(0, null_mut(), list, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(q));
    // The handle ends with the command buffer.
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    let code = cl!(clGetMutableCommandInfoKHR(
        command,
        CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
        0,
        null_mut(),
        null_mut()
    ));
    assert_eq!(code, CL_INVALID_MUTABLE_COMMAND_KHR);
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A program cannot be built again while a command buffer has one of its kernels.
#[test]
fn a_recorded_kernel_keeps_its_program() {
    let c = context();
    let q = queue(c);
    let info = KernelInfo {
        name: "k".into(),
        args: vec![ArgInfo { kind: ArgKind::Value, size: 4, align: 4, ..ArgInfo::default() }],
        ..KernelInfo::default()
    };
    let binary = binary_of(vec![info], BinaryKind::Executable);
    let p = program_from(c, &[setup().device()], &binary);
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let k = kernel(p, c"k");
    let one = 1_u32;
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 4, (&raw const one).cast()));
    let list = list_of(q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    let (items, mut command) = (1_usize, null_mut());
    code!(
        CL_SUCCESS,
        clCommandNDRangeKernelKHR(
            list,
            null_mut(),
            null(),
            k,
            1,
            null(),
            &raw const items,
            null(),
            0,
            null(),
            null_mut(),
            &raw mut command
        )
    );
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_INVALID_OPERATION, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    code!(CL_SUCCESS, clReleaseCommandBufferKHR(list));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}
