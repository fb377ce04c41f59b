//! The contract between a driver and a HAL, as Rust sees it. Invariant: calls on a device block
//! until they are done, and take effect as if made one after the other. The caller frees all
//! programs before it drops the device.

use crate::counters::CounterDescription;
use crate::target::{Abi, Extensions, Target};
use crate::{HalError, Properties};
use std::ffi::CStr;

pub use muxcl_hal_abi::NdRange;

/// A loaded program; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program(pub u64);

/// A kernel of a program; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kernel(pub u64);

/// One argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// A buffer in device memory.
    Global {
        /// Its address.
        address: u64,
        /// Its bytes.
        size: u64,
    },
    /// Local memory the kernel is to make room for.
    Local {
        /// Its bytes.
        size: u64,
    },
    /// A value.
    Value(&'a [u8]),
}

/// What a device is like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Name of the target.
    pub target_name: String,
    /// 32 or 64.
    pub word_size: u32,
    /// Bytes of global memory.
    pub global_memory: u64,
    /// Bytes of local memory.
    pub local_memory: u64,
    /// Programs are linked; otherwise the HAL takes relocatable objects and links them itself.
    pub should_link: bool,
    /// The linker script; without one, programs are linked position-independent, with relative
    /// relocations only.
    pub linker_script: Option<String>,
    /// Kernels are to be vectorised.
    pub should_vectorize: bool,
    /// In bits.
    pub preferred_vector_width: u32,
    /// Half precision.
    pub fp16: bool,
    /// Double precision.
    pub fp64: bool,
    /// Work-items of a group.
    pub max_workgroup_size: u32,
    /// Byte order.
    pub little_endian: bool,
    /// Counters.
    pub counters: Vec<CounterDescription>,
    /// RISC-V extensions.
    pub extensions: Extensions,
    /// Calling convention.
    pub abi: Abi,
    /// Bits of a vector register, or 0.
    pub vlen: u32,
    /// What the structs of version 6 have no field for.
    pub properties: Properties,
}

impl DeviceInfo {
    /// A little-endian device of this instruction set that runs position-independent programs. It
    /// has no memory and no counters yet, `vlen` is 0, kernels are not vectorised, and a
    /// work-group has up to 1024 work-items.
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

/// A HAL: some devices.
pub trait Hal: Send + Sync {
    /// The platform's name.
    fn name(&self) -> &str;

    /// How many devices there are.
    fn device_count(&self) -> u32;

    /// What a device is like.
    ///
    /// # Errors
    /// When there is no such device, or it cannot be described.
    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError>;

    /// Takes a device into use.
    ///
    /// # Errors
    /// When there is no such device, or it cannot be had.
    fn create_device(&self, index: u32) -> Result<Box<dyn Device>, HalError>;
}

/// A device in use.
pub trait Device: Send + Sync {
    /// Memory aligned to a power of two.
    ///
    /// # Errors
    /// When there is none left.
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError>;

    /// Gives memory back.
    ///
    /// # Errors
    /// When the address is not the start of an allocation.
    fn free(&self, address: u64) -> Result<(), HalError>;

    /// From the device to the host.
    ///
    /// # Errors
    /// When the range is not the device's, or the device failed.
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError>;

    /// From the host to the device.
    ///
    /// # Errors
    /// As [`Device::read`].
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError>;

    /// Between ranges of the device that do not overlap.
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

    /// Repeats a pattern over `size` bytes while a whole one fits; bytes behind that stay as they
    /// are.
    ///
    /// # Errors
    /// As [`Device::read`], and when the pattern is empty.
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

    /// Takes an ELF file.
    ///
    /// # Errors
    /// When the device cannot use it.
    fn load(&self, elf: &[u8]) -> Result<Program, HalError>;

    /// The kernel of that name.
    ///
    /// # Errors
    /// When the program has none.
    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError>;

    /// Runs a kernel in `dimensions` (1 to 3) dimensions.
    ///
    /// # Errors
    /// When the device failed.
    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        args: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError>;

    /// Gives a program back.
    ///
    /// # Errors
    /// When it is none.
    fn unload(&self, program: Program) -> Result<(), HalError>;

    /// A counter's value, if there is one that was not read yet.
    fn read_counter(&self, _counter: u32, _index: u32) -> Option<u64> {
        None
    }

    /// Switches counters on or off.
    fn enable_counters(&self, _enable: bool) {}
}
