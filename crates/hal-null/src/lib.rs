//! The HAL a new one starts from (`cargo xtask new-hal NAME` copies it; docs/howto/add-hal.md goes
//! through it). The "hardware" is one hart of the simulator with RAM of its own: replace `Board` by
//! yours, and describe it in `device_info`. Invariant: calls block, and take effect one after the
//! other; whatever a kernel does, the answer is an error and the device goes on.

use muxcl_hal::{
    Argument, Device, DeviceInfo, Hal, HalError, Kernel, NdRange, Program, args, schedule::Schedule,
};
use muxcl_hal::{allocator::RegionAllocator, elf::RiscvElf, target::Target};
use muxcl_lock::{Mutex, Rank};
use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::Arc;

// The board: where its memory is, and how much of it a kernel's stack takes.
const RAM: u64 = 0x8000_0000;
const RAM_SIZE: u64 = 256 << 20;
const STACK_SIZE: u64 = 4 << 20;
/// Where a kernel returns to: nothing is there, and going there ends the call.
const RETURN: u64 = 0x1000;
/// A kernel that runs longer than this many instructions is stopped.
const LIMIT: u64 = 20_000_000_000;

/// The platform: what there is before any device is used.
struct NullHal;
impl Hal for NullHal {
    fn name(&self) -> &str {
        "muxcl null"
    }
    fn device_count(&self) -> u32 {
        1
    }
    // What the compiler and OpenCL's device queries go by. No linker script: programs run at any
    // address.
    fn device_info(&self, _index: u32) -> Result<DeviceInfo, HalError> {
        let target: Target = "RV64GC".parse().map_err(|_| HalError::Failed("device_info"))?;
        Ok(DeviceInfo {
            target_name: "Null RV64".to_owned(),
            word_size: 64,
            global_memory: RAM_SIZE - STACK_SIZE,
            local_memory: 64 << 10,
            linker_script: None,
            should_vectorize: false,
            preferred_vector_width: 64,
            fp16: false,
            fp64: true,
            max_workgroup_size: 1024,
            little_endian: true,
            counters: Vec::new(),
            extensions: target.extensions,
            abi: target.abi(),
            vlen: 0,
        })
    }
    fn create_device(&self, _index: u32) -> Result<Box<dyn Device>, HalError> {
        let mut memory = Memory::new();
        memory.add_ram(RAM, RAM_SIZE).map_err(|_| HalError::Failed("the host has no memory"))?;
        let memory = Arc::new(memory);
        let hart = Hart::new(0, &HartConfig::full(Xlen::Rv64, 128), memory.clone());
        let mut hart = hart.map_err(|_| HalError::Failed("a hart"))?;
        hart.set_return_address(Some(RETURN));
        let allocator = RegionAllocator::new(RAM + STACK_SIZE, RAM_SIZE - STACK_SIZE);
        Ok(Box::new(Board(Mutex::new(
            Rank::Hal,
            State { memory, hart, allocator, programs: BTreeMap::new() },
        ))))
    }
}

/// The device in use. Threads of the driver call at the same time; the lock puts them in order.
struct Board(Mutex<State>);
struct State {
    memory: Arc<Memory>,
    hart: Hart,
    allocator: RegionAllocator,
    /// By where they were loaded.
    programs: BTreeMap<u64, Vec<u8>>,
}

impl State {
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.memory
            .write(0, to, from)
            .map_err(|_| HalError::Failed("mem_write: not the device's memory"))
    }
    fn alloc(&mut self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.allocator.alloc(size, alignment).ok_or(HalError::OutOfMemory { size, alignment })
    }
}

impl Device for Board {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.0.lock().alloc(size, alignment)
    }
    fn free(&self, address: u64) -> Result<(), HalError> {
        if self.0.lock().allocator.free(address) {
            Ok(())
        } else {
            Err(HalError::Failed("mem_free"))
        }
    }
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        self.0
            .lock()
            .memory
            .read(0, from, into)
            .map_err(|_| HalError::Failed("mem_read: not the device's memory"))
    }
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.0.lock().write(to, from)
    }
    // A program becomes resident: placed anywhere, relocated, and its address is its handle.
    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        let program = RiscvElf::parse(elf)?;
        let (low, high) = program.span();
        let mut state = self.0.lock();
        let base = state.alloc(high - low, program.alignment)?;
        let placed = program.place(base.wrapping_sub(low), |at, bytes| state.write(at, bytes));
        placed.inspect_err(|_| _ = state.allocator.free(base))?;
        state.hart.flush_code();
        state.programs.insert(base, elf.to_vec());
        Ok(Program(base))
    }
    // Its address.
    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let state = self.0.lock();
        let elf = RiscvElf::parse(
            state.programs.get(&program.0).ok_or(HalError::Argument("a program"))?,
        )?;
        let address = name.to_str().ok().and_then(|n| elf.symbol(n));
        let address =
            address.ok_or_else(|| HalError::NoKernel(name.to_string_lossy().into_owned()))?;
        Ok(Kernel(address.wrapping_add(program.0).wrapping_sub(elf.span().0)))
    }
    // `kernel(arguments, schedule)`, for all groups in one call.
    fn execute(
        &self,
        _program: Program,
        kernel: Kernel,
        range: &NdRange,
        arguments: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        let mut state = self.0.lock();
        let packed = args::pack(arguments, 64)?;
        let schedule = Schedule::whole(range, dimensions)?.bytes(64)?;
        let place = state.alloc((packed.len() + 64 + schedule.len()) as u64, 128)?;
        let second = place + packed.len().next_multiple_of(64) as u64;
        let written = state.write(place, &packed).and_then(|()| state.write(second, &schedule));
        for (register, value) in [(1, RETURN), (2, RAM + STACK_SIZE), (10, place), (11, second)] {
            state.hart.set_x(register, value);
        }
        state.hart.set_pc(kernel.0);
        let exit = written.map(|()| state.hart.run(LIMIT));
        state.allocator.free(place);
        let exit = exit?;
        if exit == Exit::Returned { Ok(()) } else { Err(HalError::Fault(format!("{exit:?}"))) }
    }
    fn unload(&self, program: Program) -> Result<(), HalError> {
        let mut state = self.0.lock();
        state.programs.remove(&program.0).ok_or(HalError::Argument("a program"))?;
        state.allocator.free(program.0);
        Ok(())
    }
}

muxcl_hal::export_hal!(Ok::<_, HalError>(NullHal));
