//! The template of new HAL libraries: `cargo xtask new-hal NAME` copies it.
//!
//! Its hardware is one hart of the simulator with its own RAM. Replace `Board` by real hardware and
//! describe it in `device_info`; docs/howto/add-hal.md explains the steps. Invariant: calls take
//! effect one after the other, and a kernel's fault leaves the device usable.

use muxcl_hal::{
    Argument, Device, DeviceInfo, Hal, HalError, Kernel, NdRange, Program, Properties,
};
use muxcl_hal::{
    allocator::RegionAllocator, args, elf::RiscvElf, schedule::Schedule, target::Target,
};
use muxcl_lock::{Mutex, Rank};
use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
use std::{collections::BTreeMap, ffi::CStr, sync::Arc};

/// First address of the device's memory, and its size in bytes.
const RAM: u64 = 0x8000_0000;
const RAM_SIZE: u64 = 256 << 20;
/// Bytes of a kernel's stack, at the bottom of the memory. Local memory is part of it.
const STACK_SIZE: u64 = 4 << 20;
/// The return address of a kernel. Nothing is mapped there: a jump to it ends the launch.
const RETURN: u64 = 0x1000;
/// Maximum number of instructions of a launch; a kernel that runs longer counts as hanging.
const LIMIT: u64 = 20_000_000_000;

struct NullHal;
impl Hal for NullHal {
    fn name(&self) -> &str {
        "muxcl null"
    }
    fn device_count(&self) -> u32 {
        1
    }
    fn device_info(&self, _index: u32) -> Result<DeviceInfo, HalError> {
        let target: Target = "RV64GC".parse().map_err(|_| HalError::Failed("device_info"))?;
        Ok(DeviceInfo {
            global_memory: RAM_SIZE - STACK_SIZE,
            local_memory: 64 << 10,
            properties: Properties { keeps_variables: true, ..Properties::riscv() },
            ..DeviceInfo::riscv("Null RV64", target)
        })
    }
    fn create_device(&self, _index: u32) -> Result<Box<dyn Device>, HalError> {
        let mut ram = Memory::new();
        ram.add_ram(RAM, RAM_SIZE).map_err(|_| HalError::Failed("the host has no memory"))?;
        let config = HartConfig::full(Xlen::Rv64, 128);
        let hart = Hart::new(0, &config, Arc::new(ram));
        let mut hart = hart.map_err(|_| HalError::Failed("the hart's configuration"))?;
        hart.set_return_address(Some(RETURN));
        let allocator = RegionAllocator::new(RAM + STACK_SIZE, RAM_SIZE - STACK_SIZE);
        let board = Board { hart, allocator, programs: BTreeMap::new() };
        Ok(Box::new(BoardDevice(Mutex::new(Rank::Hal, board))))
    }
}

struct Board {
    hart: Hart,
    allocator: RegionAllocator,
    /// ELF files by load address.
    programs: BTreeMap<u64, Vec<u8>>,
}

impl Board {
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        let written = self.hart.memory().write(0, to, from);
        written.map_err(|_| HalError::Failed("mem_write: bad address"))
    }
    fn alloc(&mut self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.allocator.alloc(size, alignment).ok_or(HalError::OutOfMemory { size, alignment })
    }
    fn free(&mut self, address: u64) -> Result<(), HalError> {
        self.allocator.free(address).then_some(()).ok_or(HalError::Failed("mem_free: bad address"))
    }
}

/// Serialises the calls of the driver's threads.
struct BoardDevice(Mutex<Board>);
impl Device for BoardDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.0.lock().alloc(size, alignment)
    }
    fn free(&self, address: u64) -> Result<(), HalError> {
        self.0.lock().free(address)
    }
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        let read = self.0.lock().hart.memory().read(0, from, into);
        read.map_err(|_| HalError::Failed("mem_read: bad address"))
    }
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.0.lock().write(to, from)
    }
    // The load address is the program's handle.
    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        let program = RiscvElf::parse(elf)?;
        let (low, high) = program.span();
        let mut board = self.0.lock();
        let base = board.alloc(high - low, program.alignment)?;
        let placed = program.place(base.wrapping_sub(low), |at, bytes| board.write(at, bytes));
        placed.inspect_err(|_| _ = board.allocator.free(base))?;
        board.hart.flush_code();
        board.programs.insert(base, elf.to_vec());
        Ok(Program(base))
    }
    // The entry point's address is the kernel's handle.
    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let board = self.0.lock();
        let elf = board.programs.get(&program.0).ok_or(HalError::Argument("a program"))?;
        let elf = RiscvElf::parse(elf)?;
        let name = name.to_string_lossy();
        let address = elf.symbol(&name).ok_or_else(|| HalError::NoKernel(name.into_owned()))?;
        Ok(Kernel(address.wrapping_add(program.0).wrapping_sub(elf.span().0)))
    }
    // One call `kernel(arguments, schedule)` runs all work-groups.
    fn execute(
        &self,
        _program: Program,
        kernel: Kernel,
        range: &NdRange,
        arguments: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        let mut board = self.0.lock();
        let mut block = args::pack(arguments, 64)?;
        block.resize(block.len().next_multiple_of(64), 0);
        let packed = block.len() as u64;
        block.extend(Schedule::whole(range, dimensions)?.bytes(64)?);
        let at = board.alloc(block.len() as u64, 128)?;
        board.write(at, &block)?;
        for (register, value) in [(1, RETURN), (2, RAM + STACK_SIZE), (10, at), (11, at + packed)] {
            board.hart.set_x(register, value);
        }
        board.hart.set_pc(kernel.0);
        let exit = board.hart.run(LIMIT);
        board.free(at)?;
        match exit {
            Exit::Returned => Ok(()),
            fault => Err(HalError::Fault(format!("{fault:?}"))),
        }
    }
    fn unload(&self, program: Program) -> Result<(), HalError> {
        let mut board = self.0.lock();
        board.programs.remove(&program.0).ok_or(HalError::Argument("a program"))?;
        board.free(program.0)
    }
}

muxcl_hal::export_hal!(Ok::<_, HalError>(NullHal));
