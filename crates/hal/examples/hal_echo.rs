//! A HAL in Rust for the tests: memory in this process, and one "kernel", `add`, that adds two
//! buffers of words into a third. It accepts any bytes as a program. Not a template: see `hal-null`
//! for that.

use muxcl_hal::allocator::RegionAllocator;
use muxcl_hal::counters::{CounterDescription, CounterValues, Unit, Verbosity};
use muxcl_hal::target::Target;
use muxcl_hal::{Argument, Device, DeviceInfo, Hal, HalError, Kernel, NdRange};
use muxcl_hal::{Program, Properties};
use muxcl_lock::{Mutex, Rank};
use std::ffi::CStr;

const BASE: u64 = 0x4000_0000;
const SIZE: u64 = 1 << 20;

struct Echo;

impl Hal for Echo {
    fn name(&self) -> &str {
        "echo"
    }
    fn device_count(&self) -> u32 {
        1
    }
    fn device_info(&self, _index: u32) -> Result<DeviceInfo, HalError> {
        let target: Target = "RV64GCV_Zba".parse().map_err(|_| HalError::Failed("a target"))?;
        Ok(DeviceInfo {
            target_name: "Echo RV64".to_owned(),
            word_size: 64,
            global_memory: SIZE,
            local_memory: 4096,
            should_link: true,
            linker_script: Some("SECTIONS { .text 0x10000 : { *(.text*) } }".to_owned()),
            should_vectorize: true,
            preferred_vector_width: 128,
            fp16: false,
            fp64: true,
            max_workgroup_size: 64,
            little_endian: true,
            counters: vec![CounterDescription {
                id: 3,
                name: "words".to_owned(),
                description: "words added".to_owned(),
                sub_value_name: "core".to_owned(),
                values: 2,
                unit: Unit::GENERIC,
                per_value: Verbosity::High,
                total: Verbosity::Low,
            }],
            extensions: target.extensions,
            abi: target.abi(),
            vlen: 128,
            properties: Properties {
                compute_units: Some(2),
                clock_mhz: Some(50),
                keeps_variables: true,
                ..Properties::riscv()
            },
        })
    }
    fn create_device(&self, _index: u32) -> Result<Box<dyn Device>, HalError> {
        let state = DeviceState {
            memory: vec![0; 1 << 20],
            allocator: RegionAllocator::new(BASE, SIZE),
            counter: CounterValues::new(3, 2),
        };
        Ok(Box::new(EchoDevice(Mutex::new(Rank::Hal, state))))
    }
}

struct DeviceState {
    memory: Vec<u8>,
    allocator: RegionAllocator,
    counter: CounterValues,
}

impl DeviceState {
    fn range(&mut self, address: u64, size: usize) -> Result<&mut [u8], HalError> {
        let at = address
            .checked_sub(BASE)
            .and_then(|a| usize::try_from(a).ok())
            .ok_or(HalError::Failed("an address"))?;
        at.checked_add(size)
            .and_then(|end| self.memory.get_mut(at..end))
            .ok_or(HalError::Failed("a range"))
    }
}

struct EchoDevice(Mutex<DeviceState>);

impl EchoDevice {
    fn with<T>(&self, f: impl FnOnce(&mut DeviceState) -> T) -> T {
        f(&mut self.0.lock())
    }
}

impl Device for EchoDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.with(|s| s.allocator.alloc(size, alignment))
            .ok_or(HalError::OutOfMemory { size, alignment })
    }
    fn free(&self, address: u64) -> Result<(), HalError> {
        if self.with(|s| s.allocator.free(address)) {
            Ok(())
        } else {
            Err(HalError::Failed("free"))
        }
    }
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        self.with(|s| s.range(from, into.len()).map(|r| into.copy_from_slice(r)))
    }
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.with(|s| s.range(to, from.len()).map(|r| r.copy_from_slice(from)))
    }
    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        if elf.is_empty() { Err(HalError::Program("nothing".to_owned())) } else { Ok(Program(17)) }
    }
    fn find(&self, _program: Program, name: &CStr) -> Result<Kernel, HalError> {
        match name.to_bytes() {
            b"add" => Ok(Kernel(1)),
            b"panic" => Ok(Kernel(2)),
            _ => Err(HalError::NoKernel(name.to_string_lossy().into_owned())),
        }
    }
    fn execute(
        &self,
        _program: Program,
        kernel: Kernel,
        range: &NdRange,
        args: &[Argument<'_>],
        _dimensions: u32,
    ) -> Result<(), HalError> {
        assert_ne!(kernel, Kernel(2), "asked for");
        let [
            Argument::Global { address: a, .. },
            Argument::Global { address: b, .. },
            Argument::Global { address: c, .. },
            Argument::Local { size: 32 },
            Argument::Value(bias),
        ] = args
        else {
            return Err(HalError::Argument("three buffers, 32 bytes of local memory and a value"));
        };
        let bias =
            u32::from_le_bytes((*bias).try_into().map_err(|_| HalError::Argument("four bytes"))?);
        for k in 0..range.global[0] {
            let word = |s: &mut DeviceState, at: u64| {
                s.range(at + 4 * k, 4).map(|r| u32::from_le_bytes([r[0], r[1], r[2], r[3]]))
            };
            self.with(|s| {
                let sum = word(s, *a)?.wrapping_add(word(s, *b)?).wrapping_add(bias);
                s.range(c + 4 * k, 4).map(|r| r.copy_from_slice(&sum.to_le_bytes()))
            })?;
        }
        self.with(|s| {
            s.counter.set(0, range.global[0] / 2);
            s.counter.set(1, range.global[0].div_ceil(2));
        });
        Ok(())
    }
    fn unload(&self, program: Program) -> Result<(), HalError> {
        if program == Program(17) { Ok(()) } else { Err(HalError::Failed("no such program")) }
    }
    fn read_counter(&self, counter: u32, index: u32) -> Option<u64> {
        self.with(|s| (counter == 3).then(|| s.counter.take(index)).flatten())
    }
}

muxcl_hal::export_hal!(Ok::<_, HalError>(Echo));
