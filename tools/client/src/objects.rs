//! OpenCL objects as owned values.

use std::ffi::{CString, c_void};
use std::fmt;
use std::ptr;

use opencl_sys as sys;

use crate::{ClientError, Result, check};

macro_rules! object {
    ($(#[$doc:meta])* $name:ident, $handle:ty, $release:ident) => {
        $(#[$doc])*
        pub struct $name($handle);

        // SAFETY: OpenCL objects may be used from any thread; the calls that may not run at the
        // same time on one object take `&mut self` here.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}

        impl $name {
            /// Takes over one reference of a handle.
            ///
            /// # Safety
            /// The handle is that of a live object of this type, and the reference is the caller's.
            #[must_use]
            pub unsafe fn from_raw(raw: $handle) -> Self {
                Self(raw)
            }

            /// The raw handle, still owned by `self`.
            #[must_use]
            pub fn raw(&self) -> $handle {
                self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:p})"), self.0)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: we own one reference of a live object, and give it back once.
                let _ = unsafe { sys::$release(self.0) };
            }
        }
    };
}

/// A platform. Platforms live as long as the process.
#[derive(Clone, Copy, Debug)]
pub struct Platform(sys::cl_platform_id);

/// A root device. They live as long as the process.
#[derive(Clone, Copy, Debug)]
pub struct Device(sys::cl_device_id);

// SAFETY: platforms and devices are immutable and live as long as the process.
unsafe impl Send for Platform {}
// SAFETY: as above.
unsafe impl Sync for Platform {}
// SAFETY: as above.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

pub(crate) use object;

object!(
    /// A context.
    Context, sys::cl_context, clReleaseContext
);
object!(
    /// A command queue.
    Queue, sys::cl_command_queue, clReleaseCommandQueue
);
object!(
    /// A buffer.
    Buffer, sys::cl_mem, clReleaseMemObject
);
object!(
    /// A program.
    Program, sys::cl_program, clReleaseProgram
);
object!(
    /// A kernel.
    Kernel, sys::cl_kernel, clReleaseKernel
);
object!(
    /// An event.
    Event, sys::cl_event, clReleaseEvent
);

/// Asks an information function twice: for the size, then for the bytes.
fn info(
    call: &'static str,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> i32,
) -> Result<Vec<u8>> {
    let mut size = 0;
    check(call, ask(0, ptr::null_mut(), &raw mut size))?;
    let mut bytes = vec![0_u8; size];
    check(call, ask(size, bytes.as_mut_ptr().cast(), ptr::null_mut()))?;
    Ok(bytes)
}

/// A text as information functions return it, without its final zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Up to eight bytes as an unsigned number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

impl Platform {
    /// Every platform the loader finds.
    pub fn all() -> Result<Vec<Self>> {
        let mut count = 0;
        // SAFETY: a count only.
        let code = unsafe { sys::clGetPlatformIDs(0, ptr::null_mut(), &raw mut count) };
        if code == -1001 {
            return Ok(Vec::new()); // CL_PLATFORM_NOT_FOUND_KHR: the loader found no driver
        }
        check("clGetPlatformIDs", code)?;
        let mut ids = vec![ptr::null_mut(); count as usize];
        // SAFETY: room for `count` platforms.
        check("clGetPlatformIDs", unsafe {
            sys::clGetPlatformIDs(count, ids.as_mut_ptr(), ptr::null_mut())
        })?;
        Ok(ids.into_iter().map(Self).collect())
    }

    /// The platform's name.
    pub fn name(&self) -> Result<String> {
        let bytes = info("clGetPlatformInfo", |size, value, needed| {
            // SAFETY: `value` has room for `size` bytes.
            unsafe { sys::clGetPlatformInfo(self.0, sys::CL_PLATFORM_NAME, size, value, needed) }
        })?;
        Ok(text(&bytes))
    }

    /// All its devices.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let mut count = 0;
        let all = sys::CL_DEVICE_TYPE_ALL;
        // SAFETY: a count only.
        check("clGetDeviceIDs", unsafe {
            sys::clGetDeviceIDs(self.0, all, 0, ptr::null_mut(), &raw mut count)
        })?;
        let mut ids = vec![ptr::null_mut(); count as usize];
        // SAFETY: room for `count` devices.
        let code =
            unsafe { sys::clGetDeviceIDs(self.0, all, count, ids.as_mut_ptr(), ptr::null_mut()) };
        check("clGetDeviceIDs", code)?;
        Ok(ids.into_iter().map(Device).collect())
    }
}

impl Device {
    /// The raw handle.
    #[must_use]
    pub fn raw(&self) -> sys::cl_device_id {
        self.0
    }

    /// The bytes of one property.
    pub fn info(&self, name: sys::cl_device_info) -> Result<Vec<u8>> {
        info("clGetDeviceInfo", |size, value, needed| {
            // SAFETY: `value` has room for `size` bytes.
            unsafe { sys::clGetDeviceInfo(self.0, name, size, value, needed) }
        })
    }

    /// A property that is a text.
    pub fn text(&self, name: sys::cl_device_info) -> Result<String> {
        Ok(text(&self.info(name)?))
    }

    /// A property that is a number.
    pub fn number(&self, name: sys::cl_device_info) -> Result<u64> {
        Ok(number(&self.info(name)?))
    }

    /// The device's name.
    pub fn name(&self) -> Result<String> {
        self.text(sys::CL_DEVICE_NAME)
    }

    /// Sub-devices of `units` compute units each. They are never released.
    pub fn divide(&self, units: isize) -> Result<Vec<Self>> {
        let how = [sys::CL_DEVICE_PARTITION_EQUALLY, units, 0];
        let mut count = 0;
        // SAFETY: the list ends with zero; only the number is asked for.
        let code = unsafe {
            sys::clCreateSubDevices(self.0, how.as_ptr(), 0, ptr::null_mut(), &raw mut count)
        };
        check("clCreateSubDevices", code)?;
        let mut ids = vec![ptr::null_mut(); count as usize];
        // SAFETY: room for as many.
        let code = unsafe {
            sys::clCreateSubDevices(self.0, how.as_ptr(), count, ids.as_mut_ptr(), ptr::null_mut())
        };
        check("clCreateSubDevices", code)?;
        Ok(ids.into_iter().map(Self).collect())
    }

    /// The names of its optional OpenCL C features, and its extensions.
    pub fn features(&self) -> Result<Vec<String>> {
        let mut names: Vec<_> =
            self.text(sys::CL_DEVICE_EXTENSIONS)?.split_whitespace().map(str::to_owned).collect();
        // cl_name_version: a 32-bit version and a name of 64 bytes.
        if let Ok(bytes) = self.info(sys::CL_DEVICE_OPENCL_C_FEATURES) {
            names.extend(bytes.chunks_exact(68).map(|entry| text(&entry[4..])));
        }
        Ok(names)
    }
}

impl Context {
    /// A context with one device.
    pub fn new(device: Device) -> Result<Self> {
        let mut code = 0;
        // SAFETY: one device, no properties, no callback.
        let raw = unsafe {
            sys::clCreateContext(
                ptr::null(),
                1,
                &raw const device.0,
                None,
                ptr::null_mut(),
                &raw mut code,
            )
        };
        check("clCreateContext", code)?;
        Ok(Self(raw))
    }

    /// A context with one device and properties, as pairs of name and value.
    pub fn with(device: Device, properties: &[(isize, isize)]) -> Result<Self> {
        let mut code = 0;
        let mut list: Vec<isize> =
            properties.iter().flat_map(|&(name, value)| [name, value]).collect();
        list.push(0);
        // SAFETY: one device, a list that ends with zero, no callback.
        let raw = unsafe {
            sys::clCreateContext(
                list.as_ptr().cast(),
                1,
                &raw const device.0,
                None,
                ptr::null_mut(),
                &raw mut code,
            )
        };
        check("clCreateContext", code)?;
        Ok(Self(raw))
    }

    /// `clTerminateContextKHR`, of a driver that has it.
    pub fn terminate(&self) -> Result<()> {
        let mut device: sys::cl_device_id = ptr::null_mut();
        let size = size_of::<sys::cl_device_id>();
        let at: *mut c_void = (&raw mut device).cast();
        // SAFETY: room for the first device.
        let code = unsafe {
            sys::clGetContextInfo(self.0, sys::CL_CONTEXT_DEVICES, size, at, ptr::null_mut())
        };
        check("clGetContextInfo", code)?;
        let mut platform: sys::cl_platform_id = ptr::null_mut();
        let at: *mut c_void = (&raw mut platform).cast();
        // SAFETY: room for a handle.
        let code = unsafe {
            sys::clGetDeviceInfo(device, sys::CL_DEVICE_PLATFORM, size, at, ptr::null_mut())
        };
        check("clGetDeviceInfo", code)?;
        // SAFETY: a name that ends with zero.
        let found = unsafe {
            sys::clGetExtensionFunctionAddressForPlatform(
                platform,
                c"clTerminateContextKHR".as_ptr(),
            )
        };
        if found.is_null() {
            return check("clGetExtensionFunctionAddressForPlatform", sys::CL_INVALID_OPERATION);
        }
        type Terminate = unsafe extern "C" fn(sys::cl_context) -> i32;
        // SAFETY: the function of this name has this type.
        let terminate = unsafe { std::mem::transmute::<*mut c_void, Terminate>(found) };
        // SAFETY: a context.
        check("clTerminateContextKHR", unsafe { terminate(self.0) })
    }

    /// A context with several devices.
    pub fn of(devices: &[Device]) -> Result<Self> {
        let mut code = 0;
        let raw: Vec<_> = devices.iter().map(Device::raw).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        // SAFETY: as many devices as we say, no properties, no callback.
        let raw = unsafe {
            sys::clCreateContext(
                ptr::null(),
                count,
                raw.as_ptr(),
                None,
                ptr::null_mut(),
                &raw mut code,
            )
        };
        check("clCreateContext", code)?;
        Ok(Self(raw))
    }

    /// A program from source, built for all of `devices`, which are the context's.
    pub fn build_for(&self, devices: &[Device], source: &str, options: &str) -> Result<Program> {
        let mut code = 0;
        let (pointer, length) = (source.as_ptr().cast(), source.len());
        // SAFETY: one text with its length.
        let raw = unsafe {
            sys::clCreateProgramWithSource(
                self.0,
                1,
                &raw const pointer,
                &raw const length,
                &raw mut code,
            )
        };
        check("clCreateProgramWithSource", code)?;
        let program = Program(raw);
        let options = CString::new(options).map_err(|_| ClientError::Nul)?;
        // SAFETY: all devices; no callback, so the call blocks.
        let code = unsafe {
            sys::clBuildProgram(raw, 0, ptr::null(), options.as_ptr(), None, ptr::null_mut())
        };
        if code == sys::CL_SUCCESS {
            return Ok(program);
        }
        let log = devices.iter().map(|d| program.log(*d)).collect::<Result<Vec<_>>>()?.join("\n");
        Err(ClientError::Build { code, log })
    }

    /// A program of several sources, each compiled and all linked for `device`.
    pub fn link(&self, device: Device, sources: &[&str], options: &str) -> Result<Program> {
        let options = CString::new(options).map_err(|_| ClientError::Nul)?;
        let mut code = 0;
        let mut compiled = Vec::new();
        for source in sources {
            let (pointer, length) = (source.as_ptr().cast(), source.len());
            // SAFETY: one text with its length.
            let raw = unsafe {
                sys::clCreateProgramWithSource(
                    self.0,
                    1,
                    &raw const pointer,
                    &raw const length,
                    &raw mut code,
                )
            };
            check("clCreateProgramWithSource", code)?;
            let program = Program(raw);
            // SAFETY: all devices, no headers; no callback, so the call blocks.
            let code = unsafe {
                sys::clCompileProgram(
                    raw,
                    0,
                    ptr::null(),
                    options.as_ptr(),
                    0,
                    ptr::null(),
                    ptr::null_mut(),
                    None,
                    ptr::null_mut(),
                )
            };
            if code != sys::CL_SUCCESS {
                return Err(ClientError::Build { code, log: program.log(device)? });
            }
            compiled.push(program);
        }
        let raw: Vec<_> = compiled.iter().map(Program::raw).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        // SAFETY: as many programs as we say; all devices, no options, no callback.
        let raw = unsafe {
            sys::clLinkProgram(
                self.0,
                0,
                ptr::null(),
                ptr::null(),
                count,
                raw.as_ptr(),
                None,
                ptr::null_mut(),
                &raw mut code,
            )
        };
        check("clLinkProgram", code)?;
        Ok(Program(raw))
    }

    /// A queue; `properties` are `CL_QUEUE_*` bits.
    pub fn queue(
        &self,
        device: Device,
        properties: sys::cl_command_queue_properties,
    ) -> Result<Queue> {
        let mut code = 0;
        let list = [sys::cl_queue_properties::from(sys::CL_QUEUE_PROPERTIES), properties, 0];
        // SAFETY: the list ends with zero.
        let raw = unsafe {
            sys::clCreateCommandQueueWithProperties(self.0, device.0, list.as_ptr(), &raw mut code)
        };
        check("clCreateCommandQueueWithProperties", code)?;
        Ok(Queue(raw))
    }

    /// A queue on the device, for kernels: of `size` bytes, or as many as the driver likes; the
    /// default one, or another.
    pub fn device_queue(&self, device: Device, size: Option<u32>, default: bool) -> Result<Queue> {
        let mut code = 0;
        let on_device = sys::CL_QUEUE_ON_DEVICE | sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let properties = on_device | if default { sys::CL_QUEUE_ON_DEVICE_DEFAULT } else { 0 };
        let mut list = vec![sys::cl_queue_properties::from(sys::CL_QUEUE_PROPERTIES), properties];
        if let Some(size) = size {
            list.extend([sys::cl_queue_properties::from(sys::CL_QUEUE_SIZE), size.into()]);
        }
        list.push(0);
        // SAFETY: the list ends with zero.
        let raw = unsafe {
            sys::clCreateCommandQueueWithProperties(self.0, device.0, list.as_ptr(), &raw mut code)
        };
        check("clCreateCommandQueueWithProperties", code)?;
        Ok(Queue(raw))
    }

    /// A buffer of `size` bytes.
    pub fn buffer(&self, flags: sys::cl_mem_flags, size: usize) -> Result<Buffer> {
        let mut code = 0;
        // SAFETY: no host pointer.
        let raw =
            unsafe { sys::clCreateBuffer(self.0, flags, size, ptr::null_mut(), &raw mut code) };
        check("clCreateBuffer", code)?;
        Ok(Buffer(raw))
    }

    /// A buffer with a copy of `data` inside.
    pub fn buffer_with<T: Copy>(&self, data: &[T]) -> Result<Buffer> {
        let mut code = 0;
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_COPY_HOST_PTR;
        // SAFETY: CL_MEM_COPY_HOST_PTR only reads, as many bytes as we say.
        let raw = unsafe {
            sys::clCreateBuffer(
                self.0,
                flags,
                size_of_val(data),
                data.as_ptr().cast_mut().cast(),
                &raw mut code,
            )
        };
        check("clCreateBuffer", code)?;
        Ok(Buffer(raw))
    }

    /// A buffer in the program's memory, which both may use at the same time if the device sees
    /// that memory.
    pub fn buffer_at<T: Sync>(&self, data: &'static [T]) -> Result<Buffer> {
        let mut code = 0;
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_USE_HOST_PTR;
        // SAFETY: the memory lives as long as the process.
        let raw = unsafe {
            sys::clCreateBuffer(
                self.0,
                flags,
                size_of_val(data),
                data.as_ptr().cast_mut().cast(),
                &raw mut code,
            )
        };
        check("clCreateBuffer", code)?;
        Ok(Buffer(raw))
    }

    /// A buffer whose memory is `size` bytes of an allocation, which must outlive it.
    pub fn buffer_in(&self, shared: &crate::Shared, offset: usize, size: usize) -> Result<Buffer> {
        let mut code = 0;
        let (flags, at) =
            (sys::CL_MEM_READ_WRITE | sys::CL_MEM_USE_HOST_PTR, shared.at().wrapping_add(offset));
        // SAFETY: memory of an allocation, which the driver checks.
        let raw = unsafe { sys::clCreateBuffer(self.0, flags, size, at.cast(), &raw mut code) };
        check("clCreateBuffer", code)?;
        Ok(Buffer(raw))
    }

    /// A buffer nothing changes (`cl_ext_immutable_memory_objects`): `data` itself, with
    /// `CL_MEM_USE_HOST_PTR`, or a copy.
    pub fn immutable_buffer<T: Sync>(
        &self,
        host: sys::cl_mem_flags,
        data: &'static [T],
    ) -> Result<Buffer> {
        let mut code = 0;
        // SAFETY: the memory lives as long as the process, and is only read.
        let raw = unsafe {
            sys::clCreateBuffer(
                self.0,
                crate::IMMUTABLE | host,
                size_of_val(data),
                data.as_ptr().cast_mut().cast(),
                &raw mut code,
            )
        };
        check("clCreateBuffer", code)?;
        Ok(Buffer(raw))
    }

    /// An event this program completes itself.
    pub fn user_event(&self) -> Result<Event> {
        let mut code = 0;
        // SAFETY: a live context.
        let raw = unsafe { sys::clCreateUserEvent(self.0, &raw mut code) };
        check("clCreateUserEvent", code)?;
        Ok(Event(raw))
    }

    /// A pipe of `packets` packets of `packet` bytes; it is set as an argument as a buffer is.
    pub fn pipe(&self, packet: u32, packets: u32) -> Result<Buffer> {
        let mut code = 0;
        // SAFETY: no properties.
        let raw =
            unsafe { sys::clCreatePipe(self.0, 0, packet, packets, ptr::null(), &raw mut code) };
        check("clCreatePipe", code)?;
        Ok(Buffer(raw))
    }

    /// A program from source, built for `device`.
    pub fn build(&self, device: Device, source: &str, options: &str) -> Result<Program> {
        let mut code = 0;
        let (pointer, length) = (source.as_ptr().cast(), source.len());
        // SAFETY: one text with its length.
        let raw = unsafe {
            sys::clCreateProgramWithSource(
                self.0,
                1,
                &raw const pointer,
                &raw const length,
                &raw mut code,
            )
        };
        check("clCreateProgramWithSource", code)?;
        Program(raw).built(device, options)
    }

    /// A program from a module in SPIR-V, built for `device`.
    pub fn build_il(&self, device: Device, il: &[u8], options: &str) -> Result<Program> {
        let mut code = 0;
        // SAFETY: a module with its length.
        let raw = unsafe {
            sys::clCreateProgramWithIL(self.0, il.as_ptr().cast(), il.len(), &raw mut code)
        };
        check("clCreateProgramWithIL", code)?;
        Program(raw).built(device, options)
    }

    /// A program from a binary, built for `device`.
    pub fn build_binary(&self, device: Device, binary: &[u8], options: &str) -> Result<Program> {
        let (mut code, mut status) = (0, 0);
        let (pointer, length) = (binary.as_ptr(), binary.len());
        // SAFETY: one device, one binary with its length.
        let raw = unsafe {
            sys::clCreateProgramWithBinary(
                self.0,
                1,
                &raw const device.0,
                &raw const length,
                &raw const pointer,
                &raw mut status,
                &raw mut code,
            )
        };
        check("clCreateProgramWithBinary", code)?;
        Program(raw).built(device, options)
    }
}

impl Buffer {
    /// A part of the buffer.
    pub fn part(&self, flags: sys::cl_mem_flags, origin: usize, size: usize) -> Result<Self> {
        let region = sys::cl_buffer_region { origin, size };
        let mut code = 0;
        // SAFETY: a region, as the type says.
        let raw = unsafe {
            sys::clCreateSubBuffer(
                self.0,
                flags,
                sys::CL_BUFFER_CREATE_TYPE_REGION,
                (&raw const region).cast(),
                &raw mut code,
            )
        };
        check("clCreateSubBuffer", code)?;
        Ok(Self(raw))
    }
}

impl Program {
    fn built(self, device: Device, options: &str) -> Result<Self> {
        let options = CString::new(options).map_err(|_| ClientError::Nul)?;
        // SAFETY: one device; no callback, so the call blocks.
        let code = unsafe {
            sys::clBuildProgram(
                self.0,
                1,
                &raw const device.0,
                options.as_ptr(),
                None,
                ptr::null_mut(),
            )
        };
        if code == sys::CL_SUCCESS {
            Ok(self)
        } else {
            Err(ClientError::Build { code, log: self.log(device)? })
        }
    }

    /// The build log.
    pub fn log(&self, device: Device) -> Result<String> {
        let bytes = info("clGetProgramBuildInfo", |size, value, needed| {
            // SAFETY: `value` has room for `size` bytes.
            unsafe {
                sys::clGetProgramBuildInfo(
                    self.0,
                    device.0,
                    sys::CL_PROGRAM_BUILD_LOG,
                    size,
                    value,
                    needed,
                )
            }
        })?;
        Ok(text(&bytes))
    }

    /// The binary for the program's one device.
    pub fn binary(&self) -> Result<Vec<u8>> {
        let ask = |name, size, value, needed| {
            // SAFETY: `value` has room for `size` bytes.
            unsafe { sys::clGetProgramInfo(self.0, name, size, value, needed) }
        };
        let size = info("clGetProgramInfo", |s, v, n| ask(sys::CL_PROGRAM_BINARY_SIZES, s, v, n))?;
        let size = usize::try_from(number(&size)).unwrap_or(0);
        let mut bytes = vec![0_u8; size];
        let mut pointers = [bytes.as_mut_ptr()];
        let code = ask(
            sys::CL_PROGRAM_BINARIES,
            size_of_val(&pointers),
            pointers.as_mut_ptr().cast(),
            ptr::null_mut(),
        );
        check("clGetProgramInfo", code)?;
        Ok(bytes)
    }

    /// One of its kernels.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let name = CString::new(name).map_err(|_| ClientError::Nul)?;
        let mut code = 0;
        // SAFETY: a text that ends with zero.
        let raw = unsafe { sys::clCreateKernel(self.0, name.as_ptr(), &raw mut code) };
        check("clCreateKernel", code)?;
        Ok(Kernel(raw))
    }
}

impl Kernel {
    /// Sets an argument to the bytes of `value`.
    pub fn set_bytes(&mut self, index: u32, value: &[u8]) -> Result<()> {
        // SAFETY: as many bytes as we say.
        check("clSetKernelArg", unsafe {
            sys::clSetKernelArg(self.0, index, value.len(), value.as_ptr().cast())
        })
    }

    /// Sets an argument to a plain value.
    pub fn set<T: Copy>(&mut self, index: u32, value: T) -> Result<()> {
        // SAFETY: as many bytes as the value has; padding is never looked at by a kernel.
        check("clSetKernelArg", unsafe {
            sys::clSetKernelArg(self.0, index, size_of::<T>(), (&raw const value).cast())
        })
    }

    /// Sets an argument to a buffer.
    pub fn set_buffer(&mut self, index: u32, buffer: &Buffer) -> Result<()> {
        self.set(index, buffer.raw())
    }

    /// Sets an argument to a queue on the device.
    pub fn set_queue(&mut self, index: u32, queue: &Queue) -> Result<()> {
        self.set(index, queue.raw())
    }

    /// Sets an argument to an address of this process, for devices with shared virtual memory.
    pub fn set_address<T>(&mut self, index: u32, address: *const T) -> Result<()> {
        // SAFETY: only the address is kept; what is there is the kernel's matter.
        check("clSetKernelArgSVMPointer", unsafe {
            sys::clSetKernelArgSVMPointer(self.0, index, address.cast())
        })
    }

    /// Sets a local memory argument.
    pub fn set_local(&mut self, index: u32, size: usize) -> Result<()> {
        // SAFETY: a size and no value.
        check("clSetKernelArg", unsafe { sys::clSetKernelArg(self.0, index, size, ptr::null()) })
    }

    /// The largest group this kernel runs with.
    pub fn max_group(&self, device: Device) -> Result<u64> {
        let bytes = info("clGetKernelWorkGroupInfo", |size, value, needed| {
            // SAFETY: `value` has room for `size` bytes.
            unsafe {
                sys::clGetKernelWorkGroupInfo(
                    self.0,
                    device.0,
                    sys::CL_KERNEL_WORK_GROUP_SIZE,
                    size,
                    value,
                    needed,
                )
            }
        })?;
        Ok(number(&bytes))
    }
}

impl Queue {
    /// Enqueues a kernel; `local` and `offset` may be left to the driver. All slices have
    /// `global`'s length.
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
        let mut event = ptr::null_mut();
        self.enqueue(kernel, global, local, None, &[], &raw mut event)?;
        Ok(Event(event))
    }

    /// As [`Self::run_event`], after other commands.
    pub fn run_after(&self, kernel: &Kernel, global: &[usize], waits: &[&Event]) -> Result<Event> {
        let mut event = ptr::null_mut();
        self.enqueue(kernel, global, None, None, waits, &raw mut event)?;
        Ok(Event(event))
    }

    fn enqueue(
        &self,
        kernel: &Kernel,
        global: &[usize],
        local: Option<&[usize]>,
        offset: Option<&[usize]>,
        waits: &[&Event],
        event: *mut sys::cl_event,
    ) -> Result<()> {
        let waits: Vec<_> = waits.iter().map(|event| event.0).collect();
        let dimensions = u32::try_from(global.len()).unwrap_or(u32::MAX);
        assert!([local, offset].into_iter().flatten().all(|sizes| sizes.len() == global.len()));
        let pointer = |sizes: Option<&[usize]>| sizes.map_or(ptr::null(), <[usize]>::as_ptr);
        // SAFETY: three arrays of `dimensions` numbers or NULL; a wait list of as many events as we
        // say.
        let code = unsafe {
            sys::clEnqueueNDRangeKernel(
                self.0,
                kernel.0,
                dimensions,
                pointer(offset),
                global.as_ptr(),
                pointer(local),
                u32::try_from(waits.len()).unwrap_or(u32::MAX),
                if waits.is_empty() { ptr::null() } else { waits.as_ptr() },
                event,
            )
        };
        check("clEnqueueNDRangeKernel", code)
    }

    /// Writes `data` to the start of `buffer`, and waits.
    pub fn write<T: Copy>(&self, buffer: &Buffer, data: &[T]) -> Result<()> {
        // SAFETY: a blocking write of as many bytes as the slice has.
        let code = unsafe {
            sys::clEnqueueWriteBuffer(
                self.0,
                buffer.0,
                1,
                0,
                size_of_val(data),
                data.as_ptr().cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueWriteBuffer", code)
    }

    /// Reads the start of `buffer` into `data`, and waits.
    pub fn read<T: Copy>(&self, buffer: &Buffer, data: &mut [T]) -> Result<()> {
        // SAFETY: a blocking read of as many bytes as the slice has; plain data in every use.
        let code = unsafe {
            sys::clEnqueueReadBuffer(
                self.0,
                buffer.0,
                1,
                0,
                size_of_val(data),
                data.as_mut_ptr().cast(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueReadBuffer", code)
    }

    /// Waits until everything enqueued is complete.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: a live queue.
        check("clFinish", unsafe { sys::clFinish(self.0) })
    }

    /// Sends everything enqueued on its way.
    pub fn flush(&self) -> Result<()> {
        // SAFETY: a live queue.
        check("clFlush", unsafe { sys::clFlush(self.0) })
    }
}

impl Event {
    /// Completes a user event: `CL_COMPLETE`, or a negative status.
    pub fn set(&self, status: i32) -> Result<()> {
        // SAFETY: a live event.
        check("clSetUserEventStatus", unsafe { sys::clSetUserEventStatus(self.0, status) })
    }

    /// Waits for the command; an error if it failed.
    pub fn wait(&self) -> Result<()> {
        // SAFETY: one live event.
        check("clWaitForEvents", unsafe { sys::clWaitForEvents(1, &raw const self.0) })
    }

    /// `CL_COMPLETE`, a positive number for a command under way, a negative one for a failed one.
    pub fn status(&self) -> Result<i32> {
        let bytes = info("clGetEventInfo", |size, value, needed| {
            // SAFETY: `value` has room for `size` bytes.
            unsafe {
                sys::clGetEventInfo(
                    self.0,
                    sys::CL_EVENT_COMMAND_EXECUTION_STATUS,
                    size,
                    value,
                    needed,
                )
            }
        })?;
        Ok(bytes.first_chunk().map_or(0, |b| i32::from_ne_bytes(*b)))
    }

    /// Nanoseconds between the command's start and its end, on a queue with profiling.
    pub fn duration(&self) -> Result<u64> {
        let ask = |name| {
            info("clGetEventProfilingInfo", |size, value, needed| {
                // SAFETY: `value` has room for `size` bytes.
                unsafe { sys::clGetEventProfilingInfo(self.0, name, size, value, needed) }
            })
        };
        let start = number(&ask(sys::CL_PROFILING_COMMAND_START)?);
        Ok(number(&ask(sys::CL_PROFILING_COMMAND_END)?).saturating_sub(start))
    }

    /// From the command's start to its end, and to the end of all it has enqueued on the device, in
    /// ns; of a profiling queue.
    pub fn durations(&self) -> Result<[u64; 2]> {
        let names = [
            sys::CL_PROFILING_COMMAND_START,
            sys::CL_PROFILING_COMMAND_END,
            sys::CL_PROFILING_COMMAND_COMPLETE,
        ];
        let mut times = [0_u64; 3];
        for (name, time) in names.into_iter().zip(&mut times) {
            let to: *mut u64 = time;
            // SAFETY: room for one number.
            let code = unsafe {
                sys::clGetEventProfilingInfo(
                    self.0,
                    name,
                    size_of::<u64>(),
                    to.cast(),
                    ptr::null_mut(),
                )
            };
            check("clGetEventProfilingInfo", code)?;
        }
        Ok([times[1].saturating_sub(times[0]), times[2].saturating_sub(times[0])])
    }
}
