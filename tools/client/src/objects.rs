//! OpenCL objects as owned values, on those of opencl3.

use std::ffi::{CStr, CString, c_void};
use std::{mem, ptr};

use opencl_sys as sys;
use opencl3::error_codes::ClError;
use opencl3::{command_queue, context, device, event, kernel, memory, platform, program};

use crate::{ClientError, Result, SvmAllocation};

/// Converts either of opencl3's two error types to the error of a call.
pub(crate) trait Named<T> {
    /// Names the call that failed.
    fn of(self, call: &'static str) -> Result<T>;
}

impl<T> Named<T> for std::result::Result<T, ClError> {
    fn of(self, call: &'static str) -> Result<T> {
        self.map_err(|error| ClientError::Call { call, code: error.0 })
    }
}

impl<T> Named<T> for std::result::Result<T, i32> {
    fn of(self, call: &'static str) -> Result<T> {
        self.map_err(|code| ClientError::Call { call, code })
    }
}

/// The result of a call of `opencl-sys`, which returns a code.
pub(crate) fn check(call: &'static str, code: i32) -> Result<()> {
    if code == sys::CL_SUCCESS { Ok(()) } else { Err(ClientError::Call { call, code }) }
}

/// A platform. Platforms live as long as the process.
#[derive(Clone, Copy, Debug)]
pub struct Platform(platform::Platform);

/// A root device or a sub-device. It is never released and lives as long as the process.
#[derive(Clone, Copy, Debug)]
pub struct Device(device::Device);

/// A context.
#[derive(Debug)]
pub struct Context(pub(crate) context::Context);

/// A command queue, on the host or on the device.
#[derive(Debug)]
pub struct Queue(pub(crate) command_queue::CommandQueue);

/// A buffer or a pipe.
#[derive(Debug)]
pub struct Buffer(pub(crate) memory::Buffer<u8>);

/// A program. opencl3's own type cannot hold the result of clLinkProgram.
#[derive(Debug)]
pub struct Program(sys::cl_program);

// SAFETY: a program may be used from any thread; the value holds the handle only.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: `self` owns one reference of a live program, which is released once.
        let _ = unsafe { program::release_program(self.0) };
    }
}

/// A parameter of a kernel, as the program declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type, such as `float4*`.
    pub kind: String,
    /// `CL_KERNEL_ARG_ADDRESS_*`
    pub address: u32,
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel(pub(crate) kernel::Kernel);

// SAFETY: a kernel may be used from any thread; setting arguments takes `&mut self`.
unsafe impl Sync for Kernel {}

/// An event.
#[derive(Debug)]
pub struct Event(event::Event);

impl Platform {
    /// Every platform that the loader finds; empty if it finds no driver.
    pub fn all() -> Result<Vec<Self>> {
        /// `CL_PLATFORM_NOT_FOUND_KHR`
        const NOT_FOUND: i32 = -1001;
        match platform::get_platforms() {
            Err(ClError(NOT_FOUND)) => Ok(Vec::new()),
            found => Ok(found.of("clGetPlatformIDs")?.into_iter().map(Self).collect()),
        }
    }

    /// The platform's name.
    pub fn name(&self) -> Result<String> {
        self.0.name().of("clGetPlatformInfo")
    }

    /// All devices of the platform.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let found = self.0.get_devices(sys::CL_DEVICE_TYPE_ALL).of("clGetDeviceIDs")?;
        Ok(found.into_iter().map(|id| Device(device::Device::new(id))).collect())
    }
}

/// Converts a text in the form of information functions, without its final zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

impl Device {
    /// The raw handle.
    #[must_use]
    pub fn raw(&self) -> sys::cl_device_id {
        self.0.id()
    }

    /// The bytes of one property.
    pub fn info(&self, name: sys::cl_device_info) -> Result<Vec<u8>> {
        self.0.get_data(name).of("clGetDeviceInfo")
    }

    /// A property that is a text.
    pub fn text(&self, name: sys::cl_device_info) -> Result<String> {
        Ok(text(&self.info(name)?))
    }

    /// A property that is a number of up to eight bytes.
    pub fn number(&self, name: sys::cl_device_info) -> Result<u64> {
        let bytes = self.info(name)?;
        Ok(bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
    }

    /// The device's name.
    pub fn name(&self) -> Result<String> {
        self.text(sys::CL_DEVICE_NAME)
    }

    /// Sub-devices of `units` compute units each.
    pub fn divide(&self, units: isize) -> Result<Vec<Self>> {
        let properties = [sys::CL_DEVICE_PARTITION_EQUALLY, units, 0];
        let parts = self.0.create_sub_devices(&properties).of("clCreateSubDevices")?;
        let devices =
            parts.iter().map(|part| Self(device::Device::new(part.id()))).collect::<Vec<_>>();
        // A `SubDevice` releases its handle on drop; a `Device` is never released.
        parts.into_iter().for_each(mem::forget);
        Ok(devices)
    }

    /// The names of the device's optional OpenCL C features, and of its extensions.
    pub fn features(&self) -> Result<Vec<String>> {
        let extensions = self.text(sys::CL_DEVICE_EXTENSIONS)?;
        let mut names: Vec<_> = extensions.split_whitespace().map(str::to_owned).collect();
        // Devices of OpenCL 1.x and 2.x do not have this property.
        if let Ok(features) = self.0.opencl_c_features() {
            names.extend(features.iter().map(|f| text(&f.name.map(|c| c.to_ne_bytes()[0]))));
        }
        Ok(names)
    }
}

impl Context {
    /// A context with one device.
    pub fn new(device: Device) -> Result<Self> {
        context::Context::from_device(&device.0).map(Self).of("clCreateContext")
    }

    /// A context with one device and properties, as pairs of name and value.
    pub fn with(device: Device, properties: &[(isize, isize)]) -> Result<Self> {
        let mut list: Vec<isize> =
            properties.iter().flat_map(|&(name, value)| [name, value]).collect();
        list.push(0);
        context::Context::from_devices(&[device.raw()], &list, None, ptr::null_mut())
            .map(Self)
            .of("clCreateContext")
    }

    /// A context with several devices.
    pub fn of(devices: &[Device]) -> Result<Self> {
        let devices: Vec<_> = devices.iter().map(Device::raw).collect();
        context::Context::from_devices(&devices, &[], None, ptr::null_mut())
            .map(Self)
            .of("clCreateContext")
    }

    /// Takes over one reference of a context.
    ///
    /// # Safety
    /// The handle is that of a live context, and the caller owns the reference.
    #[must_use]
    pub unsafe fn from_raw(raw: sys::cl_context) -> Self {
        Self(context::Context::new(raw, &[]))
    }

    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_context {
        self.0.get()
    }

    /// `clTerminateContextKHR`, for a driver that has it.
    pub fn terminate(&self) -> Result<()> {
        type Terminate = unsafe extern "C" fn(sys::cl_context) -> i32;
        let found = self.extension(c"clTerminateContextKHR")?;
        // SAFETY: the specification defines the function's type.
        let terminate = unsafe { mem::transmute::<*mut c_void, Terminate>(found) };
        // SAFETY: a live context.
        check("clTerminateContextKHR", unsafe { terminate(self.raw()) })
    }

    /// An extension function of the driver, not NULL. opencl3 links these functions instead of
    /// looking them up, but loaders do not export them.
    pub(crate) fn extension(&self, name: &CStr) -> Result<*mut c_void> {
        let devices = context::context::get_context_info(self.raw(), sys::CL_CONTEXT_DEVICES)
            .map(Vec::<isize>::from)
            .of("clGetContextInfo")?;
        let device = devices.first().map_or(ptr::null_mut(), |id| *id as sys::cl_device_id);
        let platform = device::Device::new(device).platform().of("clGetDeviceInfo")?;
        // SAFETY: a live platform and a name that ends with zero.
        let found =
            unsafe { sys::clGetExtensionFunctionAddressForPlatform(platform, name.as_ptr()) };
        if found.is_null() {
            check("clGetExtensionFunctionAddressForPlatform", sys::CL_INVALID_OPERATION)?;
        }
        Ok(found)
    }

    fn source(&self, source: &str) -> Result<Program> {
        program::create_program_with_source(self.raw(), &[source])
            .map(Program)
            .of("clCreateProgramWithSource")
    }

    /// A program from source, built for `device`.
    pub fn build(&self, device: Device, source: &str, options: &str) -> Result<Program> {
        self.source(source)?.built(&[device], options)
    }

    /// A program from source, built for all of `devices`, which belong to the context.
    pub fn build_for(&self, devices: &[Device], source: &str, options: &str) -> Result<Program> {
        self.source(source)?.built(devices, options)
    }

    /// A program from a SPIR-V module, built for `device`.
    pub fn build_il(&self, device: Device, il: &[u8], options: &str) -> Result<Program> {
        let program =
            program::create_program_with_il(self.raw(), il).of("clCreateProgramWithIL")?;
        Program(program).built(&[device], options)
    }

    /// A program from a binary, built for `device`.
    pub fn build_binary(&self, device: Device, binary: &[u8], options: &str) -> Result<Program> {
        // SAFETY: one device and one binary with its length; the driver checks the content.
        let program =
            unsafe { program::create_program_with_binary(self.raw(), &[device.raw()], &[binary]) };
        Program(program.of("clCreateProgramWithBinary")?).built(&[device], options)
    }

    /// A program from several sources, each compiled separately and all linked for `device`.
    pub fn link(&self, device: Device, sources: &[&str], options: &str) -> Result<Program> {
        let options = CString::new(options).map_err(|_| ClientError::Nul)?;
        let devices = [device.raw()];
        let mut compiled = Vec::new();
        for source in sources {
            let program = self.source(source)?;
            let outcome = program::compile_program(
                program.raw(),
                &devices,
                &options,
                &[],
                &[],
                None,
                ptr::null_mut(),
            );
            program.judge(outcome, &[device])?;
            compiled.push(program);
        }
        let raw: Vec<_> = compiled.iter().map(Program::raw).collect();
        // SAFETY: live programs of this context; no callback, so the call blocks.
        let linked = unsafe {
            program::link_program(self.raw(), &devices, c"", &raw, None, ptr::null_mut())
        };
        Ok(Program(linked.of("clLinkProgram")?))
    }

    /// A queue with `properties`, `CL_QUEUE_*` bits.
    pub fn queue(
        &self,
        device: Device,
        properties: sys::cl_command_queue_properties,
    ) -> Result<Queue> {
        self.queue_of_size(device, properties, 0)
    }

    /// A device-side queue of `size` bytes, or of the driver's preferred size; the default queue or
    /// another one.
    pub fn device_queue(&self, device: Device, size: Option<u32>, default: bool) -> Result<Queue> {
        let on_device = sys::CL_QUEUE_ON_DEVICE | sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let properties = on_device | if default { sys::CL_QUEUE_ON_DEVICE_DEFAULT } else { 0 };
        self.queue_of_size(device, properties, size.unwrap_or(0))
    }

    fn queue_of_size(
        &self,
        device: Device,
        properties: sys::cl_command_queue_properties,
        size: u32,
    ) -> Result<Queue> {
        // SAFETY: a live device; opencl3 ends the list of properties with a zero.
        let queue = unsafe {
            command_queue::CommandQueue::create_with_properties(
                &self.0,
                device.raw(),
                properties,
                size,
            )
        };
        queue.map(Queue).of("clCreateCommandQueueWithProperties")
    }

    /// A buffer of `size` bytes.
    pub fn buffer(&self, flags: sys::cl_mem_flags, size: usize) -> Result<Buffer> {
        // SAFETY: no host memory.
        unsafe { self.buffer_over(flags, size, ptr::null_mut()) }
    }

    /// A buffer with a copy of `data` as content.
    pub fn buffer_with<T: Copy>(&self, data: &[T]) -> Result<Buffer> {
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_COPY_HOST_PTR;
        // SAFETY: CL_MEM_COPY_HOST_PTR reads as many bytes before the call returns.
        unsafe { self.buffer_over(flags, size_of_val(data), data.as_ptr().cast_mut().cast()) }
    }

    /// A buffer in the application's memory. Host and device may use it at the same time if the
    /// device sees that memory.
    pub fn buffer_at<T: Sync>(&self, data: &'static [T]) -> Result<Buffer> {
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_USE_HOST_PTR;
        // SAFETY: the memory lives as long as the process.
        unsafe { self.buffer_over(flags, size_of_val(data), data.as_ptr().cast_mut().cast()) }
    }

    /// A buffer whose memory is `size` bytes of an allocation, which must outlive it.
    pub fn buffer_in(&self, shared: &SvmAllocation, offset: usize, size: usize) -> Result<Buffer> {
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_USE_HOST_PTR;
        // SAFETY: the memory belongs to an allocation; the driver checks that it contains the
        // range.
        unsafe { self.buffer_over(flags, size, shared.at().wrapping_add(offset).cast()) }
    }

    /// An immutable buffer (`cl_ext_immutable_memory_objects`): `data` itself, with
    /// `CL_MEM_USE_HOST_PTR`, or a copy.
    pub fn immutable_buffer<T: Sync>(
        &self,
        host: sys::cl_mem_flags,
        data: &'static [T],
    ) -> Result<Buffer> {
        let flags = crate::IMMUTABLE | host;
        // SAFETY: the memory lives as long as the process, and is only read.
        unsafe { self.buffer_over(flags, size_of_val(data), data.as_ptr().cast_mut().cast()) }
    }

    /// # Safety
    /// `host` is NULL, or `size` bytes that live as long as `flags` allow the driver to use them.
    unsafe fn buffer_over(
        &self,
        flags: sys::cl_mem_flags,
        size: usize,
        host: *mut c_void,
    ) -> Result<Buffer> {
        // SAFETY: the caller promises the memory.
        let buffer = unsafe { memory::Buffer::create(&self.0, flags, size, host) };
        buffer.map(Buffer).of("clCreateBuffer")
    }

    /// A user event.
    pub fn user_event(&self) -> Result<Event> {
        let event = event::create_user_event(self.raw()).of("clCreateUserEvent")?;
        Ok(Event(event::Event::new(event)))
    }

    /// A pipe of `packets` packets of `packet` bytes. It is set as an argument like a buffer.
    pub fn pipe(&self, packet: u32, packets: u32) -> Result<Buffer> {
        // SAFETY: plain values.
        let pipe = unsafe { memory::create_pipe(self.raw(), 0, packet, packets) };
        Ok(Buffer(memory::Buffer::new(pipe.of("clCreatePipe")?)))
    }
}

impl Buffer {
    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_mem {
        memory::ClMem::get(&self.0)
    }

    /// A sub-buffer.
    pub fn part(&self, flags: sys::cl_mem_flags, origin: usize, size: usize) -> Result<Self> {
        // SAFETY: plain values, which the driver checks.
        unsafe { self.0.create_sub_buffer(flags, origin, size) }.map(Self).of("clCreateSubBuffer")
    }
}

impl Program {
    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_program {
        self.0
    }

    fn built(self, devices: &[Device], options: &str) -> Result<Self> {
        let options = CString::new(options).map_err(|_| ClientError::Nul)?;
        let raw: Vec<_> = devices.iter().map(Device::raw).collect();
        let outcome = program::build_program(self.raw(), &raw, &options, None, ptr::null_mut());
        self.judge(outcome, devices)?;
        Ok(self)
    }

    /// Converts the outcome of a build or compilation to an error with the logs.
    fn judge(&self, outcome: std::result::Result<(), i32>, devices: &[Device]) -> Result<()> {
        let Err(code) = outcome else { return Ok(()) };
        let logs = devices.iter().map(|device| self.log(*device)).collect::<Result<Vec<_>>>()?;
        Err(ClientError::Build { code, log: logs.join("\n") })
    }

    /// The build log.
    pub fn log(&self, device: Device) -> Result<String> {
        program::get_program_build_info(self.0, device.raw(), sys::CL_PROGRAM_BUILD_LOG)
            .map(String::from)
            .of("clGetProgramBuildInfo")
    }

    /// The binary for the only device of the program.
    pub fn binary(&self) -> Result<Vec<u8>> {
        let binaries = program::get_program_info(self.0, sys::CL_PROGRAM_BINARIES)
            .map(Vec::<Vec<u8>>::from)
            .of("clGetProgramInfo")?;
        Ok(binaries.into_iter().next().unwrap_or_default())
    }

    /// The names of the program's kernels.
    pub fn kernel_names(&self) -> Result<Vec<String>> {
        let names = program::get_program_info(self.0, sys::CL_PROGRAM_KERNEL_NAMES)
            .map(String::from)
            .of("clGetProgramInfo")?;
        Ok(names.split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// A kernel of the program.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = CString::new(name).map_err(|_| ClientError::Nul)?;
        let kernel = kernel::create_kernel(self.0, &name).of("clCreateKernel")?;
        Ok(Kernel(kernel::Kernel::new(kernel)))
    }
}

impl Kernel {
    /// Number of arguments.
    pub fn argument_count(&self) -> Result<u32> {
        self.0.num_args().of("clGetKernelInfo")
    }

    /// A parameter; `None` if the program has no information about parameters, as without
    /// `-cl-kernel-arg-info`.
    pub fn parameter(&self, index: u32) -> Result<Option<Parameter>> {
        let call = "clGetKernelArgInfo";
        let kind = match self.0.get_arg_type_name(index) {
            Err(ClError(sys::CL_KERNEL_ARG_INFO_NOT_AVAILABLE)) => return Ok(None),
            kind => kind.of(call)?,
        };
        let name = self.0.get_arg_name(index).of(call)?;
        let address = self.0.get_arg_address_qualifier(index).of(call)?;
        Ok(Some(Parameter { name, kind, address }))
    }

    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_kernel {
        self.0.get()
    }

    /// Sets an argument to the bytes of `value`.
    pub fn set_bytes(&mut self, index: u32, value: &[u8]) -> Result<()> {
        // SAFETY: the slice has that many bytes; the driver checks the size.
        unsafe { kernel::set_kernel_arg(self.raw(), index, value.len(), value.as_ptr().cast()) }
            .of("clSetKernelArg")
    }

    /// Sets an argument to a plain value.
    pub fn set<T: Copy>(&mut self, index: u32, value: T) -> Result<()> {
        // SAFETY: the driver checks the size; kernels never read padding.
        unsafe { self.0.set_arg(index, &value) }.of("clSetKernelArg")
    }

    /// Sets an argument to a buffer.
    pub fn set_buffer(&mut self, index: u32, buffer: &Buffer) -> Result<()> {
        self.set(index, buffer.raw())
    }

    /// Sets an argument to a device-side queue.
    pub fn set_queue(&mut self, index: u32, queue: &Queue) -> Result<()> {
        self.set(index, queue.raw())
    }

    /// Sets an argument to an address of this process, for devices with shared virtual memory.
    pub fn set_address<T>(&mut self, index: u32, address: *const T) -> Result<()> {
        // SAFETY: the driver stores the address only; the caller's kernel determines the accesses.
        unsafe { self.0.set_arg_svm_pointer(index, address.cast()) }.of("clSetKernelArgSVMPointer")
    }

    /// Sets a local memory argument of `size` bytes.
    pub fn set_local(&mut self, index: u32, size: usize) -> Result<()> {
        // SAFETY: a size and no value.
        unsafe { self.0.set_arg_local_buffer(index, size) }.of("clSetKernelArg")
    }

    /// The maximum work-group size of the kernel.
    pub fn max_group(&self, device: Device) -> Result<u64> {
        let size = self.0.get_work_group_size(device.raw()).of("clGetKernelWorkGroupInfo")?;
        Ok(size as u64)
    }
}

/// The direction of a transfer between the host and a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the buffer to the host.
    Read,
    /// From the host to the buffer.
    Write,
}

/// The handles of events to wait for.
struct WaitList(Vec<sys::cl_event>);

impl WaitList {
    fn new(events: &[&Event]) -> Self {
        Self(events.iter().map(|event| event.raw()).collect())
    }

    fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// The handles; NULL for an empty list.
    fn as_ptr(&self) -> *const sys::cl_event {
        if self.0.is_empty() { ptr::null() } else { self.0.as_ptr() }
    }
}

impl Queue {
    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_command_queue {
        self.0.get()
    }

    /// Enqueues a kernel. The driver chooses `local` and `offset` if they are empty. All slices
    /// have the length of `global`.
    pub fn run(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
        offset: Option<&[usize]>,
    ) -> Result<()> {
        self.enqueue(kernel, global, local, offset, &[], ptr::null_mut())
    }

    /// As [`Self::run`], with the command's event.
    pub fn run_event(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<Event> {
        self.run_event_at(kernel, global, local, None)
    }

    /// As [`Self::run_event`], with an offset.
    pub fn run_event_at(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
        offset: Option<&[usize]>,
    ) -> Result<Event> {
        let mut event = ptr::null_mut();
        self.enqueue(kernel, global, local, offset, &[], &raw mut event)?;
        Ok(Event(event::Event::new(event)))
    }

    /// As [`Self::run_event`], after other commands.
    pub fn run_after(&self, kernel: &Kernel, global: &[usize], waits: &[&Event]) -> Result<Event> {
        let mut event = ptr::null_mut();
        self.enqueue(kernel, global, None, None, waits, &raw mut event)?;
        Ok(Event(event::Event::new(event)))
    }

    /// As [`Self::run_event`], with `local` and after other commands.
    pub fn run_groups_after(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
        waits: &[&Event],
    ) -> Result<Event> {
        let mut event = ptr::null_mut();
        self.enqueue(kernel, global, local, None, waits, &raw mut event)?;
        Ok(Event(event::Event::new(event)))
    }

    /// opencl3 requests an event for each command. Commands without an event take other paths in a
    /// driver, which must be tested and measured too. So this call and buffer transfers use
    /// `opencl-sys`.
    fn enqueue(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
        offset: Option<&[usize]>,
        waits: &[&Event],
        event: *mut sys::cl_event,
    ) -> Result<()> {
        let waits = WaitList::new(waits);
        let dimensions = u32::try_from(global.len()).unwrap_or(u32::MAX);
        assert!([local, offset].into_iter().flatten().all(|sizes| sizes.len() == global.len()));
        let pointer = |sizes: Option<&[usize]>| sizes.map_or(ptr::null(), <[usize]>::as_ptr);
        // SAFETY: three arrays of `dimensions` numbers, or NULL; a wait list of its length; `event`
        // is NULL or a place for one event.
        let code = unsafe {
            sys::clEnqueueNDRangeKernel(
                self.raw(),
                kernel.raw(),
                dimensions,
                pointer(offset),
                global.as_ptr(),
                pointer(local),
                waits.count(),
                waits.as_ptr(),
                event,
            )
        };
        check("clEnqueueNDRangeKernel", code)
    }

    /// Writes `data` to the start of `buffer`, and waits.
    pub fn write<T: Copy>(&self, buffer: &Buffer, data: &[T]) -> Result<()> {
        let (host, bytes) = (data.as_ptr().cast_mut().cast(), size_of_val(data));
        // SAFETY: a blocking write of as many bytes as the slice has.
        unsafe { self.transfer(Direction::Write, (buffer, 0), host, bytes, &[], ptr::null_mut()) }
    }

    /// Reads the start of `buffer` into `data`, and waits.
    pub fn read<T: Copy>(&self, buffer: &Buffer, data: &mut [T]) -> Result<()> {
        let (host, bytes) = (data.as_mut_ptr().cast(), size_of_val(data));
        // SAFETY: a blocking read of as many bytes as the slice has; all uses have plain data.
        unsafe { self.transfer(Direction::Read, (buffer, 0), host, bytes, &[], ptr::null_mut()) }
    }

    /// Enqueues a read or write of `bytes` bytes after other commands. The buffer comes with the
    /// offset of the first byte.
    ///
    /// # Safety
    /// `host` is valid for `bytes` bytes, and nothing else uses them, until the event has
    /// completed.
    pub unsafe fn transfer_after(
        &self,
        direction: Direction,
        buffer: (&Buffer, usize),
        host: *mut u8,
        bytes: usize,
        waits: &[&Event],
    ) -> Result<Event> {
        let mut event = ptr::null_mut();
        // SAFETY: the caller promises the memory until the event has completed.
        unsafe { self.transfer(direction, buffer, host.cast(), bytes, waits, &raw mut event) }?;
        Ok(Event(event::Event::new(event)))
    }

    /// Enqueues a read or write; without a place for its event, waits for it.
    ///
    /// # Safety
    /// `host` is valid for `bytes` bytes until the command has completed. `event` is NULL or a
    /// place for one event.
    unsafe fn transfer(
        &self,
        direction: Direction,
        (buffer, offset): (&Buffer, usize),
        host: *mut c_void,
        bytes: usize,
        waits: &[&Event],
        event: *mut sys::cl_event,
    ) -> Result<()> {
        let waits = WaitList::new(waits);
        let blocking = if event.is_null() { sys::CL_TRUE } else { sys::CL_FALSE };
        let (queue, buffer) = (self.raw(), buffer.raw());
        let (count, list) = (waits.count(), waits.as_ptr());
        match direction {
            Direction::Read => {
                // SAFETY: a wait list of its length; the caller promises the rest.
                let code = unsafe {
                    sys::clEnqueueReadBuffer(
                        queue, buffer, blocking, offset, bytes, host, count, list, event,
                    )
                };
                check("clEnqueueReadBuffer", code)
            }
            Direction::Write => {
                // SAFETY: as above.
                let code = unsafe {
                    sys::clEnqueueWriteBuffer(
                        queue, buffer, blocking, offset, bytes, host, count, list, event,
                    )
                };
                check("clEnqueueWriteBuffer", code)
            }
        }
    }

    /// Enqueues a copy of `bytes` bytes between buffers, after other commands. Buffers come with
    /// the offset of the first byte.
    pub fn copy_after(
        &self,
        from: (&Buffer, usize),
        to: (&Buffer, usize),
        bytes: usize,
        waits: &[&Event],
    ) -> Result<Event> {
        let (mut event, waits) = (ptr::null_mut(), WaitList::new(waits));
        // SAFETY: two buffers; a wait list of its length, room for one event.
        let code = unsafe {
            sys::clEnqueueCopyBuffer(
                self.raw(),
                from.0.raw(),
                to.0.raw(),
                from.1,
                to.1,
                bytes,
                waits.count(),
                waits.as_ptr(),
                &raw mut event,
            )
        };
        check("clEnqueueCopyBuffer", code)?;
        Ok(Event(event::Event::new(event)))
    }

    /// Waits until all enqueued commands are complete.
    pub fn finish(&self) -> Result<()> {
        self.0.finish().of("clFinish")
    }

    /// Submits all enqueued commands to the device.
    pub fn flush(&self) -> Result<()> {
        self.0.flush().of("clFlush")
    }
}

impl Event {
    /// The raw handle, still owned by `self`.
    #[must_use]
    pub fn raw(&self) -> sys::cl_event {
        self.0.get()
    }

    /// Completes a user event: `CL_COMPLETE`, or a negative status.
    pub fn set(&self, status: i32) -> Result<()> {
        event::set_user_event_status(self.raw(), status).of("clSetUserEventStatus")
    }

    /// Waits for the command; an error if it failed.
    pub fn wait(&self) -> Result<()> {
        self.0.wait().of("clWaitForEvents")
    }

    /// `CL_COMPLETE`, a positive number for a pending command, a negative one for a failed one.
    pub fn status(&self) -> Result<i32> {
        Ok(self.0.command_execution_status().of("clGetEventInfo")?.0)
    }

    /// Nanoseconds from the command's start to its end, on a queue with profiling.
    pub fn duration(&self) -> Result<u64> {
        let start = self.0.profiling_command_start().of("clGetEventProfilingInfo")?;
        let end = self.0.profiling_command_end().of("clGetEventProfilingInfo")?;
        Ok(end.saturating_sub(start))
    }

    /// The times of the command's start and end in nanoseconds, on a queue with profiling.
    pub fn times(&self) -> Result<[u64; 2]> {
        let start = self.0.profiling_command_start().of("clGetEventProfilingInfo")?;
        let end = self.0.profiling_command_end().of("clGetEventProfilingInfo")?;
        Ok([start, end])
    }

    /// Nanoseconds from the command's start to its end, and to the end of all commands that it
    /// enqueued on the device. The queue must have profiling.
    pub fn durations(&self) -> Result<[u64; 2]> {
        let start = self.0.profiling_command_start().of("clGetEventProfilingInfo")?;
        let complete = self.0.profiling_command_complete().of("clGetEventProfilingInfo")?;
        Ok([self.duration()?, complete.saturating_sub(start)])
    }
}
