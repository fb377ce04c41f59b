//! The device: memory, programs, and the calls into `run`. Invariant: every address from outside is
//! checked against the mapping; a program is unloaded only when none of its kernels runs.

use crate::run::{self, KernelEntry};
use crate::{GLOBAL, LOCAL, Mode};
use muxcl_hal::allocator::RegionAllocator;
use muxcl_hal::schedule::Schedule;
use muxcl_hal::{Argument, Device, HalError, Kernel, NdRange, Program, args};
use muxcl_lock::{Mutex, Rank};
use muxcl_os::{Mapping, MemoryLibrary, Protection};
use std::collections::BTreeMap;
use std::ffi::CStr;

/// Kernels of a program that defines this symbol take `hal_sched_info_64_t`. Kernels of other
/// programs take the execution state, as all programs built for the oneAPI Construction Kit's CPU
/// HAL do.
const SCHEDULE_SYMBOL: &CStr = c"hal_kernels_take_sched_info";

/// The device.
pub(crate) struct CpuDevice {
    mode: Mode,
    threads: usize,
    global: Mapping,
    local: Mapping,
    state: Mutex<DeviceState>,
}

struct DeviceState {
    allocator: RegionAllocator,
    programs: BTreeMap<u64, MemoryLibrary>,
    last: u64,
}

impl CpuDevice {
    pub(crate) fn new(mode: Mode, threads: usize) -> Result<Self, HalError> {
        let map = |size: u64| {
            let size = usize::try_from(size).map_err(|_| HalError::Failed("memory"))?;
            Mapping::new(size, Protection::ReadWrite).map_err(|e| HalError::Fault(e.to_string()))
        };
        let global = map(GLOBAL)?;
        let state = DeviceState {
            allocator: RegionAllocator::new(global.as_ptr() as u64, GLOBAL),
            programs: BTreeMap::new(),
            last: 0,
        };
        Ok(Self { mode, threads, local: map(LOCAL)?, global, state: Mutex::new(Rank::Hal, state) })
    }

    /// The host's pointer to `size` bytes of device memory.
    fn range(&self, address: u64, size: u64) -> Result<*mut u8, HalError> {
        let offset = address.checked_sub(self.global.as_ptr() as u64);
        let inside = offset.filter(|at| at.checked_add(size).is_some_and(|end| end <= GLOBAL));
        let offset = inside.and_then(|at| usize::try_from(at).ok());
        Ok(self
            .global
            .as_ptr()
            .wrapping_add(offset.ok_or(HalError::Failed("an access outside the device's memory"))?))
    }
}

impl CpuDevice {
    /// The arguments, with local arguments replaced by addresses in the device's local memory.
    fn place_local<'a>(&self, arguments: &[Argument<'a>]) -> Result<Vec<Argument<'a>>, HalError> {
        let mut free = self.local.as_ptr() as u64;
        let end = free + self.local.len() as u64;
        let place = |argument: &Argument<'a>| {
            let Argument::Local { size } = *argument else { return Ok(*argument) };
            let address = free.next_multiple_of(128);
            free = address.checked_add(size).filter(|at| *at <= end).unwrap_or(u64::MAX);
            if free == u64::MAX {
                return Err(HalError::Argument("less local memory"));
            }
            Ok(Argument::Global { address, size })
        };
        arguments.iter().map(place).collect()
    }
}

impl Device for CpuDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.state
            .lock()
            .allocator
            .alloc(size, alignment)
            .ok_or(HalError::OutOfMemory { size, alignment })
    }

    fn free(&self, address: u64) -> Result<(), HalError> {
        if self.state.lock().allocator.free(address) {
            Ok(())
        } else {
            Err(HalError::Failed("mem_free"))
        }
    }

    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        let _order = self.state.lock();
        let from = self.range(from, into.len() as u64)?;
        // SAFETY: `range` checked the bytes; the lock excludes kernels and other calls.
        unsafe { std::ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        let _order = self.state.lock();
        let to = self.range(to, from.len() as u64)?;
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
        Ok(())
    }

    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        let _order = self.state.lock();
        let (to, from) = (self.range(to, size)?, self.range(from, size)?);
        let size = usize::try_from(size).map_err(|_| HalError::Failed("mem_copy"))?;
        // SAFETY: as above; the ranges may overlap.
        unsafe { std::ptr::copy(from, to, size) };
        Ok(())
    }

    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        // SAFETY: programs for this HAL are native code, for which the caller vouches.
        let library = unsafe { MemoryLibrary::load(c"hal-cpu-program", elf) };
        let library = library.map_err(|e| HalError::Program(e.to_string()))?;
        let mut state = self.state.lock();
        state.last += 1;
        let program = state.last;
        state.programs.insert(program, library);
        Ok(Program(program))
    }

    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let state = self.state.lock();
        let library = state.programs.get(&program.0).ok_or(HalError::Argument("a program"))?;
        let symbol = library
            .symbol(name)
            .ok_or_else(|| HalError::NoKernel(name.to_string_lossy().into_owned()))?;
        Ok(Kernel(symbol as u64))
    }

    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        arguments: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        // The lock is held throughout: calls on a device take effect one after the other.
        let state = self.state.lock();
        if !state.programs.contains_key(&program.0) || kernel.0 == 0 {
            return Err(HalError::Argument("a kernel of a loaded program"));
        }
        let whole = Schedule::whole(range, dimensions)?;
        let takes_schedule =
            state.programs.get(&program.0).is_some_and(|p| p.symbol(SCHEDULE_SYMBOL).is_some());
        let packed = if takes_schedule {
            args::pack(arguments, 64)?
        } else {
            args::pack(&self.place_local(arguments)?, 64)?
        };
        // SAFETY: `find` returned this handle; its program stays loaded while the lock is held.
        let entry = unsafe { std::mem::transmute::<u64, KernelEntry>(kernel.0) };
        match (takes_schedule, self.mode) {
            (true, Mode::WorkGroup) => run::groups(entry, &packed, &whole, self.threads),
            (true, Mode::WorkItem) => run::items(entry, &packed, &whole, &self.local),
            (false, _) => run::execution_states(entry, &packed, &whole),
        }
    }

    fn unload(&self, program: Program) -> Result<(), HalError> {
        self.state
            .lock()
            .programs
            .remove(&program.0)
            .map(drop)
            .ok_or(HalError::Argument("a program"))
    }
}
