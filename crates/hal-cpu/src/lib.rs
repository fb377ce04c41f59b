//! The HAL for the host processor, as `libhal_cpu.so`: HAL code and clik's kernels run on it
//! without a device. Programs are native shared objects, and a kernel's entry is `kernel(packed
//! arguments, schedule)`. `MUXCL_HAL_CPU_MODE` chooses one of two thread modes. In work-group mode
//! a call runs whole groups, and threads share the groups. In work-item mode each work-item of a
//! group has its own thread. Programs built for the oneAPI Construction Kit's CPU HAL run too
//! (`device.rs`).
//!
//! Invariant: device memory is one mapping, and the HAL's own accesses stay in it. Kernels are
//! native code of this process and nothing protects the process from them. Applications use the
//! host device (crate mux-host) instead.
//!
//! # Examples
//! ```
//! use hal_cpu::{CpuHal, Mode};
//! use muxcl_hal::Hal;
//!
//! let hal = CpuHal::new(Mode::WorkGroup, 2);
//! assert_eq!(hal.device_info(0)?.properties.compute_units, Some(2));
//! let device = hal.create_device(0)?;
//! let (from, to) = (device.alloc(8, 8)?, device.alloc(8, 8)?);
//! device.write(from, &7_u64.to_le_bytes())?;
//! device.copy(to, from, 8)?;
//! let mut back = [0; 8];
//! device.read(to, &mut back)?;
//! assert_eq!(u64::from_le_bytes(back), 7);
//! # Ok::<(), muxcl_hal::HalError>(())
//! ```

mod device;
mod run;

use muxcl_hal::target::Target;
use muxcl_hal::{Device, DeviceInfo, Hal, HalError, Machine, Properties};

/// Size of global memory in bytes.
const GLOBAL: u64 = 256 << 20;
/// Size of local memory in bytes.
const LOCAL: u64 = 8 << 20;

/// How work-items are mapped to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A call runs whole work-groups.
    WorkGroup,
    /// A call runs one work-item of every group; the other work-items of the group run
    /// concurrently.
    WorkItem,
}

/// The HAL platform.
#[derive(Debug)]
pub struct CpuHal {
    mode: Mode,
    threads: usize,
}

impl CpuHal {
    /// Reads the mode and the number of threads from the environment.
    ///
    /// # Errors
    /// `MUXCL_HAL_CPU_MODE` is neither `wg` nor `wi`.
    pub fn from_environment() -> Result<Self, HalError> {
        let mode = match muxcl_config::MUXCL_HAL_CPU_MODE.get().as_deref() {
            None | Some("wg") => Mode::WorkGroup,
            Some("wi") => Mode::WorkItem,
            Some(_) => return Err(HalError::Argument("MUXCL_HAL_CPU_MODE is `wg` or `wi`")),
        };
        let threads = muxcl_config::CA_CPU_HAL_NUM_THREADS.parse().filter(|n| *n > 0);
        Ok(Self::new(mode, threads.unwrap_or_else(muxcl_os::available_cpus)))
    }

    /// Uses the given number of threads in work-group mode.
    #[must_use]
    pub fn new(mode: Mode, threads: usize) -> Self {
        Self { mode, threads: threads.clamp(1, 256) }
    }
}

/// The target: native code of the host processor.
fn machine() -> Machine {
    match std::env::consts::ARCH {
        "riscv64" => Machine::Riscv,
        other => Machine::Other(other.to_owned()),
    }
}

impl Hal for CpuHal {
    fn name(&self) -> &str {
        "muxcl cpu"
    }

    fn device_count(&self) -> u32 {
        1
    }

    fn device_info(&self, _index: u32) -> Result<DeviceInfo, HalError> {
        // The interface describes RISC-V devices only. On other processors the extensions just mean
        // "floats and atomics".
        let target: Target = "RV64G".parse().map_err(|_| HalError::Failed("device_info"))?;
        Ok(DeviceInfo {
            target_name: format!("CPU {}", std::env::consts::ARCH),
            word_size: 64,
            global_memory: GLOBAL,
            local_memory: LOCAL,
            should_link: true,
            linker_script: None,
            should_vectorize: false,
            preferred_vector_width: 128,
            fp16: false,
            fp64: true,
            max_workgroup_size: match self.mode {
                Mode::WorkGroup => 1024,
                Mode::WorkItem => run::MOST_WORK_ITEMS,
            },
            little_endian: true,
            counters: Vec::new(),
            extensions: target.extensions,
            abi: target.abi(),
            vlen: 0,
            properties: Properties {
                machine: Some(machine()),
                compute_units: match self.mode {
                    Mode::WorkGroup => u32::try_from(self.threads).ok(),
                    Mode::WorkItem => Some(1),
                },
                keeps_variables: true,
                ..Properties::default()
            },
        })
    }

    fn create_device(&self, _index: u32) -> Result<Box<dyn Device>, HalError> {
        Ok(Box::new(device::CpuDevice::new(self.mode, self.threads)?))
    }
}

muxcl_hal::export_hal!(CpuHal::from_environment());
