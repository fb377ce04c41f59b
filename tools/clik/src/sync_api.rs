//! The synchronous layer: a device with buffers and programs; every call has completed when it
//! returns. Invariant: allocations and programs are freed before the device.

use anyhow::{Context as _, Result, bail};
use muxcl_hal::{Argument, Device, DeviceInfo, Hal, NdRange};
use std::ffi::CString;
use std::sync::Arc;

/// Initial contents of new buffers. Without it, a kernel that does not run could pass on results
/// that an earlier example left in the same memory. No example expects this pattern.
const POISON: u8 = 0xa5;
/// Size in bytes of the buffer for printed text.
const PRINT_BYTES: u32 = 256 << 10;

/// An open device.
#[derive(Clone)]
pub(crate) struct Context {
    device: Arc<dyn Device>,
    /// The device's properties.
    pub(crate) info: Arc<DeviceInfo>,
}

/// A buffer in device memory.
pub(crate) struct Buffer {
    context: Context,
    address: u64,
    /// Size in bytes.
    pub(crate) size: u64,
}

/// A loaded program.
pub(crate) struct Program {
    context: Context,
    program: muxcl_hal::Program,
}

/// A kernel argument.
#[derive(Clone)]
pub(crate) enum Arg {
    /// A buffer.
    Buffer(Arc<Buffer>),
    /// A value.
    Value(Vec<u8>),
    /// Local memory of this size in bytes.
    Local(u64),
}

impl Arg {
    pub(crate) fn buffer(buffer: &Arc<Buffer>) -> Self {
        Self::Buffer(buffer.clone())
    }
}

/// A range without offset.
pub(crate) fn range(global: [u64; 3], local: [u64; 3]) -> NdRange {
    NdRange { offset: [0; 3], global, local }
}

impl Context {
    /// Opens a HAL's device.
    pub(crate) fn new(hal: &dyn Hal, index: u32) -> Result<Self> {
        let info = hal.device_info(index)?;
        Ok(Self { device: hal.create_device(index)?.into(), info: Arc::new(info) })
    }

    /// Begins a profile of the kernels. Returns false if the device has none.
    pub(crate) fn begin_profile(&self) -> bool {
        self.device.begin_profile()
    }

    /// The profile of the kernels.
    pub(crate) fn profile(&self) -> Option<String> {
        self.device.profile()
    }

    pub(crate) fn buffer(&self, size: u64) -> Result<Arc<Buffer>> {
        let address = self.device.alloc(size, 128).with_context(|| format!("{size} bytes"))?;
        if address % 128 != 0 {
            bail!("mem_alloc returned {address:#x}, not a multiple of 128");
        }
        let buffer = Arc::new(Buffer { context: self.clone(), address, size });
        self.write(&buffer, &vec![POISON; usize::try_from(size)?])?;
        Ok(buffer)
    }

    pub(crate) fn buffer_of<T: Element>(&self, values: &[T]) -> Result<Arc<Buffer>> {
        let buffer = self.buffer(size_of_val(values) as u64)?;
        self.write(&buffer, &to_bytes(values))?;
        Ok(buffer)
    }

    pub(crate) fn write(&self, to: &Buffer, bytes: &[u8]) -> Result<()> {
        if bytes.len() as u64 > to.size {
            bail!("a write past the end of a buffer");
        }
        self.device.write(to.address, bytes).context("mem_write")
    }

    pub(crate) fn read(&self, from: &Buffer) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(from.size)?];
        self.device.read(from.address, &mut bytes).context("mem_read")?;
        Ok(bytes)
    }

    pub(crate) fn read_as<T: Element>(&self, from: &Buffer) -> Result<Vec<T>> {
        Ok(from_bytes(&self.read(from)?))
    }

    pub(crate) fn copy(&self, to: &Buffer, from: &Buffer) -> Result<()> {
        self.device.copy(to.address, from.address, to.size.min(from.size)).context("mem_copy")
    }

    pub(crate) fn fill(&self, to: &Buffer, pattern: &[u8]) -> Result<()> {
        self.device.fill(to.address, pattern, to.size).context("mem_fill")
    }

    pub(crate) fn program(&self, elf: &[u8]) -> Result<Arc<Program>> {
        let program = self.device.load(elf).context("program_load")?;
        Ok(Arc::new(Program { context: self.clone(), program }))
    }

    /// Runs `kernel_main` with a print buffer as the last argument; returns the printed text.
    pub(crate) fn run(
        &self,
        program: &Program,
        range: &NdRange,
        dimensions: u32,
        args: &[Arg],
    ) -> Result<String> {
        let print = self.buffer(u64::from(PRINT_BYTES) + 8)?;
        self.write(&print, &[PRINT_BYTES.to_le_bytes(), [0; 4]].concat())?;
        let kernel = self
            .device
            .find(program.program, &CString::new("kernel_main")?)
            .context("program_find_kernel")?;
        let mut list: Vec<Argument<'_>> = args.iter().map(Arg::raw).collect();
        list.push(Argument::Global { address: print.address, size: print.size });
        self.device
            .execute(program.program, kernel, range, &list, dimensions)
            .context("kernel_exec")?;
        let bytes = self.read(&print)?;
        let used = usize::try_from(u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]))?;
        let text = bytes.get(8..8 + used).context("the output of the kernel exceeds the buffer")?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

impl Arg {
    fn raw(&self) -> Argument<'_> {
        match self {
            Self::Buffer(buffer) => Argument::Global { address: buffer.address, size: buffer.size },
            Self::Value(bytes) => Argument::Value(bytes),
            Self::Local(size) => Argument::Local { size: *size },
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // A failed device cannot free memory; the example reports the failure.
        let _ = self.context.device.free(self.address);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A failed device cannot unload the program; the example reports the failure.
        let _ = self.context.device.unload(self.program);
    }
}

/// Numbers in buffers, little-endian, as on every device of the interface.
pub(crate) trait Element: Copy + PartialEq + std::fmt::Display {
    /// The number's bytes.
    fn bytes(self) -> Vec<u8>;
    /// The number that these bytes encode.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($t:ty)*) => {
        $(impl Element for $t {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(Self::default(), Self::from_le_bytes)
            }
        })*
    };
}
elements!(u32 i32 i64 f32);

/// Converts numbers to bytes.
pub(crate) fn to_bytes<T: Element>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|v| v.bytes()).collect()
}

/// Converts bytes to numbers.
pub(crate) fn from_bytes<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(T::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_hal::{HalError, Kernel, Program as ProgramHandle};
    use muxcl_lock::{Mutex, Rank};
    use std::ffi::CStr;

    /// A device whose allocations always return the same memory, and whose kernels add vectors on
    /// the first launch only.
    struct Forgetful(Mutex<(Vec<u8>, u64, u32)>);

    impl Device for Forgetful {
        fn alloc(&self, size: u64, _alignment: u64) -> Result<u64, HalError> {
            let mut state = self.0.lock();
            let at = state.1;
            state.1 += size.next_multiple_of(128);
            Ok(at)
        }
        fn free(&self, _address: u64) -> Result<(), HalError> {
            self.0.lock().1 = 0;
            Ok(())
        }
        fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
            let from = usize::try_from(from).unwrap();
            into.copy_from_slice(&self.0.lock().0[from..from + into.len()]);
            Ok(())
        }
        fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
            let to = usize::try_from(to).unwrap();
            self.0.lock().0[to..to + from.len()].copy_from_slice(from);
            Ok(())
        }
        fn load(&self, _elf: &[u8]) -> Result<ProgramHandle, HalError> {
            Ok(ProgramHandle(1))
        }
        fn find(&self, _program: ProgramHandle, _name: &CStr) -> Result<Kernel, HalError> {
            Ok(Kernel(1))
        }
        fn execute(
            &self,
            _program: ProgramHandle,
            _kernel: Kernel,
            range: &NdRange,
            arguments: &[Argument<'_>],
            _dimensions: u32,
        ) -> Result<(), HalError> {
            let mut state = self.0.lock();
            state.2 += 1;
            if state.2 > 1 {
                return Ok(());
            }
            let at: Vec<usize> = arguments
                .iter()
                .filter_map(|a| match a {
                    Argument::Global { address, .. } => usize::try_from(*address).ok(),
                    _ => None,
                })
                .collect();
            for k in 0..usize::try_from(range.global[0]).unwrap() {
                let word = |m: &[u8], at: usize| u32::read(&m[at + 4 * k..at + 4 * k + 4]);
                let sum = word(&state.0, at[0]).wrapping_add(word(&state.0, at[1]));
                state.0[at[2] + 4 * k..at[2] + 4 * k + 4].copy_from_slice(&sum.to_le_bytes());
            }
            Ok(())
        }
        fn unload(&self, _program: ProgramHandle) -> Result<(), HalError> {
            Ok(())
        }
    }

    /// H6: on a HAL that hides errors, a kernel that did not run passed on the results of the
    /// previous example.
    #[test]
    fn results_of_an_earlier_example_do_not_count() {
        let target = "RV64GC".parse().unwrap();
        let context = Context {
            device: Arc::new(Forgetful(Mutex::new(Rank::Leaf, (vec![0; 1 << 20], 0, 0)))),
            info: Arc::new(DeviceInfo::riscv("forgetful", target)),
        };
        let example = crate::examples::EXAMPLES.iter().find(|e| e.name == "vector_add").unwrap();
        let run = || (example.run)(&context, &context.program(&[]).unwrap());
        run().unwrap();
        let error = run().unwrap_err().to_string();
        assert!(error.contains("4096 of 4096 values are wrong"), "{error}");
    }
}
