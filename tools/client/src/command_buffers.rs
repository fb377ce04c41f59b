//! Command buffers (`cl_khr_command_buffer`, `cl_khr_command_buffer_mutable_dispatch`). Their
//! functions are looked up by name.

use std::ffi::c_void;
use std::{mem, ptr};

use opencl_sys as sys;

use crate::objects::check;
use crate::{Buffer, ClientError, Context, Kernel, Queue, Result};

/// The functions that a command buffer needs.
#[derive(Clone, Copy, Debug)]
struct Functions {
    release: sys::clReleaseCommandBufferKHR_fn,
    finalize: sys::clFinalizeCommandBufferKHR_fn,
    enqueue: sys::clEnqueueCommandBufferKHR_fn,
    launch: sys::clCommandNDRangeKernelKHR_fn,
    copy: sys::clCommandCopyBufferKHR_fn,
    fill: sys::clCommandFillBufferKHR_fn,
    update: sys::clUpdateMutableCommandsKHR_fn,
    remap: sys::clRemapCommandBufferKHR_fn,
}

/// A command buffer for one queue or several.
#[derive(Debug)]
pub struct CommandBuffer {
    raw: sys::cl_command_buffer_khr,
    functions: Functions,
}

// SAFETY: a command buffer may be used from any thread; the value holds the handle only.
unsafe impl Send for CommandBuffer {}
// SAFETY: as above.
unsafe impl Sync for CommandBuffer {}

/// A recorded command that later commands of the buffer may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncPoint(sys::cl_sync_point_khr);

/// A recorded launch that an update may change. It lives as long as its command buffer.
#[derive(Clone, Copy, Debug)]
pub struct MutableLaunch(sys::cl_mutable_command_khr);

/// The function behind a looked-up address, or the error of a driver without it.
macro_rules! found {
    ($function:expr, $name:literal) => {
        $function.ok_or(ClientError::Call { call: $name, code: sys::CL_INVALID_OPERATION })?
    };
}

/// The pointer to a list, NULL for an empty one.
fn list<T>(items: &[T]) -> *const T {
    if items.is_empty() { ptr::null() } else { items.as_ptr() }
}

fn length<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}

fn handles(queues: &[&Queue]) -> Vec<sys::cl_command_queue> {
    queues.iter().map(|queue| queue.raw()).collect()
}

impl CommandBuffer {
    /// An empty command buffer. `flags`: `CL_COMMAND_BUFFER_*_KHR`.
    pub fn new(
        context: &Context,
        queue: &Queue,
        flags: sys::cl_command_buffer_flags_khr,
    ) -> Result<Self> {
        Self::of(context, &[queue], flags)
    }

    /// As [`Self::new`], for several queues (`cl_khr_command_buffer_multi_device`).
    pub fn of(
        context: &Context,
        queues: &[&Queue],
        flags: sys::cl_command_buffer_flags_khr,
    ) -> Result<Self> {
        /// Looks a function up.
        macro_rules! look_up {
            ($type:ty, $name:literal) => {{
                let found = context.extension($name)?;
                // SAFETY: the specification defines the function's type; not NULL.
                unsafe { mem::transmute::<*mut c_void, $type>(found) }
            }};
        }
        let create = look_up!(sys::clCreateCommandBufferKHR_fn, c"clCreateCommandBufferKHR");
        let functions = Functions {
            release: look_up!(sys::clReleaseCommandBufferKHR_fn, c"clReleaseCommandBufferKHR"),
            finalize: look_up!(sys::clFinalizeCommandBufferKHR_fn, c"clFinalizeCommandBufferKHR"),
            enqueue: look_up!(sys::clEnqueueCommandBufferKHR_fn, c"clEnqueueCommandBufferKHR"),
            launch: look_up!(sys::clCommandNDRangeKernelKHR_fn, c"clCommandNDRangeKernelKHR"),
            copy: look_up!(sys::clCommandCopyBufferKHR_fn, c"clCommandCopyBufferKHR"),
            fill: look_up!(sys::clCommandFillBufferKHR_fn, c"clCommandFillBufferKHR"),
            update: look_up!(sys::clUpdateMutableCommandsKHR_fn, c"clUpdateMutableCommandsKHR"),
            // Not every driver has `cl_khr_command_buffer_multi_device`.
            remap: context.extension(c"clRemapCommandBufferKHR").ok().and_then(|found| {
                // SAFETY: as for the others.
                unsafe { mem::transmute::<*mut c_void, sys::clRemapCommandBufferKHR_fn>(found) }
            }),
        };
        let create = found!(create, "clCreateCommandBufferKHR");
        let properties = [sys::CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0];
        let (queues, mut code) = (handles(queues), sys::CL_SUCCESS);
        // SAFETY: a list of queues of its length, a list of properties that ends with zero, and a
        // place for the code.
        let raw =
            unsafe { create(length(&queues), queues.as_ptr(), properties.as_ptr(), &raw mut code) };
        check("clCreateCommandBufferKHR", code)?;
        Ok(Self { raw, functions })
    }

    /// Records a launch behind the commands of `waits`.
    pub fn launch(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
        waits: &[SyncPoint],
    ) -> Result<SyncPoint> {
        self.record_launch(None, kernel, (global, local), waits, ptr::null_mut())
    }

    /// As [`Self::launch`], for one of the buffer's queues.
    pub fn launch_on(
        &self,
        queue: &Queue,
        kernel: &Kernel,
        global: &[usize],
        waits: &[SyncPoint],
    ) -> Result<SyncPoint> {
        self.record_launch(Some(queue), kernel, (global, None), waits, ptr::null_mut())
    }

    /// As [`Self::launch`], for a launch that may change.
    pub fn mutable_launch(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<MutableLaunch> {
        let mut handle = ptr::null_mut();
        self.record_launch(None, kernel, (global, local), &[], &raw mut handle)?;
        Ok(MutableLaunch(handle))
    }

    fn record_launch(
        &self,
        queue: Option<&Queue>,
        kernel: &Kernel,
        (global, local): (&[usize], Option<&[usize]>),
        waits: &[SyncPoint],
        handle: *mut sys::cl_mutable_command_khr,
    ) -> Result<SyncPoint> {
        assert!(local.is_none_or(|local| local.len() == global.len()));
        let launch = found!(self.functions.launch, "clCommandNDRangeKernelKHR");
        let waits: Vec<_> = waits.iter().map(|point| point.0).collect();
        let mut point = 0;
        // SAFETY: arrays of the given lengths, and places for the sync point and the handle.
        let code = unsafe {
            launch(
                self.raw,
                queue.map_or(ptr::null_mut(), Queue::raw),
                ptr::null(),
                kernel.raw(),
                length(global),
                ptr::null(),
                global.as_ptr(),
                local.map_or(ptr::null(), <[usize]>::as_ptr),
                length(&waits),
                list(&waits),
                &raw mut point,
                handle,
            )
        };
        check("clCommandNDRangeKernelKHR", code)?;
        Ok(SyncPoint(point))
    }

    /// Records a copy of the first bytes of a buffer.
    pub fn copy(&self, from: &Buffer, to: &Buffer, size: usize) -> Result<SyncPoint> {
        let copy = found!(self.functions.copy, "clCommandCopyBufferKHR");
        let (mut point, none) = (0, ptr::null_mut());
        // SAFETY: live objects, no wait list, and a place for the sync point.
        let code = unsafe {
            copy(
                self.raw,
                ptr::null_mut(),
                ptr::null(),
                from.raw(),
                to.raw(),
                0,
                0,
                size,
                0,
                ptr::null(),
                &raw mut point,
                none,
            )
        };
        check("clCommandCopyBufferKHR", code)?;
        Ok(SyncPoint(point))
    }

    /// Records a fill of the first `size` bytes of a buffer with copies of `pattern`.
    pub fn fill(&self, buffer: &Buffer, pattern: u32, size: usize) -> Result<SyncPoint> {
        let fill = found!(self.functions.fill, "clCommandFillBufferKHR");
        let (mut point, none) = (0, ptr::null_mut());
        // SAFETY: live objects, a pattern of its length, no wait list, and a place for the sync
        // point.
        let code = unsafe {
            fill(
                self.raw,
                ptr::null_mut(),
                ptr::null(),
                buffer.raw(),
                (&raw const pattern).cast(),
                size_of::<u32>(),
                0,
                size,
                0,
                ptr::null(),
                &raw mut point,
                none,
            )
        };
        check("clCommandFillBufferKHR", code)?;
        Ok(SyncPoint(point))
    }

    /// Ends recording.
    pub fn finalize(&self) -> Result<()> {
        let finalize = found!(self.functions.finalize, "clFinalizeCommandBufferKHR");
        // SAFETY: a live command buffer.
        check("clFinalizeCommandBufferKHR", unsafe { finalize(self.raw) })
    }

    /// Enqueues all commands on the queues of the buffer, or on `queue`.
    pub fn enqueue(&self, queue: Option<&Queue>) -> Result<()> {
        let enqueue = found!(self.functions.enqueue, "clEnqueueCommandBufferKHR");
        let mut raw = queue.map(Queue::raw);
        let (count, queues) = match &mut raw {
            Some(raw) => (1, &raw mut *raw),
            None => (0, ptr::null_mut()),
        };
        // SAFETY: a list of one queue or NULL, a live command buffer, no wait list and no event.
        let code = unsafe { enqueue(count, queues, self.raw, 0, ptr::null(), ptr::null_mut()) };
        check("clEnqueueCommandBufferKHR", code)
    }

    /// A finalized copy for `queues`. `spread`: the driver distributes the commands over them;
    /// otherwise each queue takes the place of the one with its index.
    pub fn remap(&self, queues: &[&Queue], spread: bool) -> Result<Self> {
        let remap = found!(self.functions.remap, "clRemapCommandBufferKHR");
        let (queues, mut code) = (handles(queues), sys::CL_SUCCESS);
        let automatic = if spread { sys::CL_TRUE } else { sys::CL_FALSE };
        // SAFETY: a live command buffer, a list of queues of its length, no handles, and a place
        // for the code.
        let raw = unsafe {
            remap(
                self.raw,
                automatic,
                length(&queues),
                queues.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
                &raw mut code,
            )
        };
        check("clRemapCommandBufferKHR", code)?;
        Ok(Self { raw, functions: self.functions })
    }

    /// Changes buffers among the arguments of launches, and the global size if one is given.
    pub fn update(
        &self,
        changes: &[(MutableLaunch, u32, &Buffer, Option<&[usize]>)],
    ) -> Result<()> {
        let update = found!(self.functions.update, "clUpdateMutableCommandsKHR");
        let buffers: Vec<_> = changes.iter().map(|(_, _, buffer, _)| buffer.raw()).collect();
        let arguments: Vec<_> = changes
            .iter()
            .zip(&buffers)
            .map(|(&(_, index, _, _), buffer)| sys::cl_mutable_dispatch_arg_khr {
                arg_index: index,
                arg_size: size_of::<sys::cl_mem>(),
                arg_value: ptr::from_ref(buffer).cast(),
            })
            .collect();
        let configs: Vec<_> = changes
            .iter()
            .zip(&arguments)
            .map(|(&(launch, _, _, global), argument)| sys::cl_mutable_dispatch_config_khr {
                command: launch.0,
                num_args: 1,
                num_svm_args: 0,
                num_exec_infos: 0,
                work_dim: 0,
                arg_list: argument,
                arg_svm_list: ptr::null(),
                exec_info_list: ptr::null(),
                global_work_offset: ptr::null(),
                global_work_size: global.map_or(ptr::null(), <[usize]>::as_ptr),
                local_work_size: ptr::null(),
            })
            .collect();
        let types = vec![sys::CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR; configs.len()];
        let mut pointers: Vec<*const c_void> =
            configs.iter().map(|config| ptr::from_ref(config).cast()).collect();
        // SAFETY: lists of the given length, whose elements live until the call returns.
        let code =
            unsafe { update(self.raw, length(&types), types.as_ptr(), pointers.as_mut_ptr()) };
        check("clUpdateMutableCommandsKHR", code)
    }
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        if let Some(release) = self.functions.release {
            // SAFETY: `self` owns one reference of a live command buffer, which is released once.
            let _ = unsafe { release(self.raw) };
        }
    }
}
