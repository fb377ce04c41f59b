//! The interface between a driver and a HAL, in Rust. Invariants: a call on a device returns when
//! its effect is complete. The caller frees all programs before it drops the device. It makes one
//! call at a time, unless [`Properties::concurrent_calls`] is set: then calls of several threads
//! overlap, but at most one of them is [`Device::execute`], no call frees memory or a program that
//! a running kernel uses, and calls that touch the same bytes do not overlap unless the application
//! left their order open. Calls on different devices of a HAL overlap in any case.

use crate::counters::CounterDescription;
use crate::target::{Abi, Extensions, Target};
use crate::{HalError, Properties};
use std::ffi::CStr;
use std::path::Path;

pub use muxcl_hal_abi::NdRange;

/// Handle of a loaded program; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program(pub u64);

/// Handle of a kernel of a program; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kernel(pub u64);

/// One argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// A buffer in device memory.
    Global {
        /// Device address of the buffer.
        address: u64,
        /// Size in bytes.
        size: u64,
    },
    /// Local memory that the HAL allocates for the kernel.
    Local {
        /// Size in bytes.
        size: u64,
    },
    /// A value, passed as bytes.
    Value(&'a [u8]),
}

/// A call for [`Device::run`]: the method of the same name, with its arguments.
#[derive(Debug)]
#[expect(missing_docs, reason = "the fields are the methods' arguments")]
pub enum Call<'a> {
    /// [`Device::read`].
    Read { from: u64, into: &'a mut [u8] },
    /// [`Device::write`].
    Write { to: u64, from: &'a [u8] },
    /// [`Device::copy`].
    Copy { to: u64, from: u64, size: u64 },
    /// [`Device::fill`].
    Fill { to: u64, pattern: &'a [u8], size: u64 },
    /// [`Device::execute`].
    Execute {
        program: Program,
        kernel: Kernel,
        range: NdRange,
        arguments: &'a [Argument<'a>],
        dimensions: u32,
    },
}

impl Call<'_> {
    /// Name of the function in the C++ interface.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Read { .. } => "mem_read",
            Self::Write { .. } => "mem_write",
            Self::Copy { .. } => "mem_copy",
            Self::Fill { .. } => "mem_fill",
            Self::Execute { .. } => "kernel_exec",
        }
    }

    /// Makes the call on `device`, and returns when it has ended.
    ///
    /// # Errors
    /// Those of the method.
    pub fn make(&mut self, device: &(impl Device + ?Sized)) -> Result<(), HalError> {
        match self {
            Self::Read { from, into } => device.read(*from, into),
            Self::Write { to, from } => device.write(*to, from),
            Self::Copy { to, from, size } => device.copy(*to, *from, *size),
            Self::Fill { to, pattern, size } => device.fill(*to, pattern, *size),
            Self::Execute { program, kernel, range, arguments, dimensions } => {
                device.execute(*program, *kernel, range, arguments, *dimensions)
            }
        }
    }
}

/// Makes each call after the one before has ended.
pub(crate) fn run_in_turn(
    device: &(impl Device + ?Sized),
    calls: &mut [Call<'_>],
    ended: &mut dyn FnMut(usize, Result<(), HalError>),
) {
    for (number, call) in calls.iter_mut().enumerate() {
        ended(number, call.make(device));
    }
}

/// Checks an allocation that a HAL has returned.
///
/// # Errors
/// If it is not aligned, or is not a range of addresses.
pub fn check_allocation(address: u64, size: u64, alignment: u64) -> Result<(), HalError> {
    let aligned = !alignment.is_power_of_two() || address.is_multiple_of(alignment);
    let reason = match address.checked_add(size) {
        _ if address == 0 => "is no address".to_owned(),
        _ if !aligned => format!("is not aligned to {alignment} bytes"),
        None => format!("has no room for {size} bytes"),
        Some(_) => return Ok(()),
    };
    Err(HalError::Nonsense(format!("memory at {address:#x}, which {reason}")))
}

/// Description of a device, fixed for its lifetime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Name of the device: `RefSi G1`.
    pub target_name: String,
    /// Width of an address in bits: 32 or 64.
    pub word_size: u32,
    /// Size of global memory in bytes.
    pub global_memory: u64,
    /// Size of local memory in bytes.
    pub local_memory: u64,
    /// True if programs are linked. Otherwise the HAL takes relocatable objects and links them.
    pub should_link: bool,
    /// Linker script for programs with fixed addresses. Without one, programs are
    /// position-independent and have relative relocations only.
    pub linker_script: Option<String>,
    /// True if the compiler vectorises kernels.
    pub should_vectorize: bool,
    /// Preferred vector width in bits.
    pub preferred_vector_width: u32,
    /// True if the device supports half precision.
    pub fp16: bool,
    /// True if the device supports double precision.
    pub fp64: bool,
    /// Maximum number of work-items in a work-group.
    pub max_workgroup_size: u32,
    /// True if the device is little-endian.
    pub little_endian: bool,
    /// Performance counters of the device.
    pub counters: Vec<CounterDescription>,
    /// RISC-V extensions of the device's harts.
    pub extensions: Extensions,
    /// Calling convention of kernels.
    pub abi: Abi,
    /// Length of a vector register in bits; 0 without vectors.
    pub vlen: u32,
    /// Properties that the structs of version 6 have no field for.
    pub properties: Properties,
}

impl DeviceInfo {
    /// Describes a little-endian device with this instruction set that runs position-independent
    /// programs. Memory sizes, counters and `vlen` are 0 or empty, kernels are not vectorised, and
    /// a work-group has up to 1024 work-items.
    #[must_use]
    pub fn riscv(target_name: &str, target: Target) -> Self {
        Self {
            target_name: target_name.to_owned(),
            word_size: target.xlen,
            global_memory: 0,
            local_memory: 0,
            should_link: true,
            linker_script: None,
            should_vectorize: false,
            preferred_vector_width: target.xlen,
            fp16: target.extensions.contains(Extensions::ZFH),
            fp64: target.extensions.contains(Extensions::D),
            max_workgroup_size: 1024,
            little_endian: true,
            counters: Vec::new(),
            extensions: target.extensions,
            abi: target.abi(),
            vlen: 0,
            properties: Properties::riscv(),
        }
    }
}

/// A HAL: a platform with one or more devices.
pub trait Hal: Send + Sync {
    /// The platform's name.
    fn name(&self) -> &str;

    /// Number of devices.
    fn device_count(&self) -> u32;

    /// Describes device `index`.
    ///
    /// # Errors
    /// If the device does not exist or has no valid description.
    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError>;

    /// The file from which the HAL was loaded, with symbolic links resolved; `None` for a HAL of
    /// this program.
    fn library(&self) -> Option<&Path> {
        None
    }

    /// Creates device `index`.
    ///
    /// # Errors
    /// If the device does not exist or cannot be created.
    fn create_device(&self, index: u32) -> Result<Box<dyn Device>, HalError>;
}

/// A created device. Addresses are device addresses; sizes and alignments are in bytes.
pub trait Device: Send + Sync {
    /// Allocates `size` bytes. `alignment` is a power of two. Returns the address, never 0. The
    /// range does not wrap around ([`check_allocation`]).
    ///
    /// # Errors
    /// If the device is out of memory.
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError>;

    /// Frees an allocation.
    ///
    /// # Errors
    /// If the address is not the start of an allocation.
    fn free(&self, address: u64) -> Result<(), HalError>;

    /// Copies `into.len()` bytes from the device to the host.
    ///
    /// # Errors
    /// If the range is not device memory, or the device fails.
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError>;

    /// Copies `from.len()` bytes from the host to the device.
    ///
    /// # Errors
    /// As [`Device::read`].
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError>;

    /// Copies `size` bytes between two ranges of the device that do not overlap.
    ///
    /// # Errors
    /// As [`Device::read`].
    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        let mut piece = vec![0; usize::try_from(size.min(1 << 20)).unwrap_or(1 << 20)];
        let mut done = 0;
        while done < size {
            let n = usize::try_from(size - done).unwrap_or(usize::MAX).min(piece.len());
            self.read(from + done, &mut piece[..n])?;
            self.write(to + done, &piece[..n])?;
            done += n as u64;
        }
        Ok(())
    }

    /// Fills `size` bytes with whole repetitions of a pattern. Bytes after the last whole
    /// repetition keep their values.
    ///
    /// # Errors
    /// As [`Device::read`], and if the pattern is empty.
    fn fill(&self, to: u64, pattern: &[u8], size: u64) -> Result<(), HalError> {
        if pattern.is_empty() {
            return Err(HalError::Argument("a pattern with bytes"));
        }
        let size = size - size % pattern.len() as u64;
        let times = (1usize << 16).div_ceil(pattern.len());
        let piece = pattern.repeat(times);
        let mut done = 0;
        while done < size {
            let n = usize::try_from(size - done).unwrap_or(usize::MAX).min(piece.len());
            self.write(to + done, &piece[..n])?;
            done += n as u64;
        }
        Ok(())
    }

    /// Loads an ELF file. The device keeps no reference to the bytes.
    ///
    /// # Errors
    /// If the device cannot load it.
    fn load(&self, elf: &[u8]) -> Result<Program, HalError>;

    /// Finds a kernel by name.
    ///
    /// # Errors
    /// If the program has no such kernel.
    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError>;

    /// Runs a kernel over an NDRange of 1 to 3 `dimensions`. Returns when all work-groups have
    /// ended. `program` is the one in which [`Device::find`] found `kernel`.
    ///
    /// # Errors
    /// If a handle or a size is invalid, or the kernel or the device fails.
    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        args: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError>;

    /// Makes calls whose effects follow each other in their order. A device that is far away may
    /// accept a call before the one before has ended. `ended` receives the results, one for each
    /// call, in order. A call that fails does not keep the later ones from running.
    fn run(&self, calls: &mut [Call<'_>], ended: &mut dyn FnMut(usize, Result<(), HalError>)) {
        run_in_turn(self, calls, ended);
    }

    /// Unloads a program.
    ///
    /// # Errors
    /// If the handle is not a loaded program.
    fn unload(&self, program: Program) -> Result<(), HalError>;

    /// Takes the value of a counter. `None` if it has no unread value.
    fn read_counter(&self, _counter: u32, _index: u32) -> Option<u64> {
        None
    }

    /// Begins to record a profile of the kernels, for [`Device::profile`]. Returns false if the
    /// device has none. No kernel has run yet.
    fn begin_profile(&self) -> bool {
        false
    }

    /// What the kernels have done since [`Device::begin_profile`], as text for people: lines of
    /// any form. `None` if no profile has begun.
    fn profile(&self) -> Option<String> {
        None
    }

    /// Enables or disables counters.
    fn enable_counters(&self, _enable: bool) {}
}
