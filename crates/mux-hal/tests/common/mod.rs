//! A HAL inside the test: memory in a vector, kernels in Rust, injected faults. Its programs are
//! ELF files that hold metadata only. It is not a simulator: the kernels know their arguments.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use muxcl_hal::allocator::RegionAllocator;
use muxcl_hal::target::Target;
use muxcl_hal::{
    Argument, Call, Device, DeviceInfo, Hal, HalError, Kernel, Machine, NdRange, Program,
    Properties,
};
use muxcl_lock::{Mutex, Rank};
use muxcl_types::sched::HalHidden;
use muxcl_types::variant::{ElfMeta, SpecializationKey, Variant};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

const BASE: u64 = 0x8000_0000;
pub(crate) const MEMORY: u64 = 8 << 20;
/// Names of the available kernels. Their first argument is a buffer of words.
pub(crate) const KERNELS: [&str; 8] =
    ["inc", "sum", "scale", "hidden", "fault", "panic", "slow", "gate"];

/// The number of calls of each list.
#[derive(Debug)]
pub(crate) struct Lists(pub(crate) Mutex<Vec<usize>>);

impl Default for Lists {
    fn default() -> Self {
        Self(Mutex::new(Rank::Leaf, Vec::new()))
    }
}

/// Counters that tests read and faults that tests inject.
#[derive(Debug, Default)]
pub(crate) struct Knobs {
    /// Every transfer fails.
    pub(crate) broken: AtomicBool,
    /// Number of calls in progress. More than one at a time is counted in `overlaps`.
    pub(crate) inside: AtomicUsize,
    pub(crate) overlaps: AtomicUsize,
    /// Live programs and allocations.
    pub(crate) programs: AtomicUsize,
    pub(crate) allocations: AtomicUsize,
    pub(crate) created: AtomicUsize,
    pub(crate) deleted: AtomicUsize,
    /// If set, the devices do not report their machine.
    pub(crate) silent: AtomicBool,
    pub(crate) bytes_moved: AtomicUsize,
    /// If not 0, the address of every allocation.
    pub(crate) address: AtomicU64,
    /// The devices allow concurrent calls.
    pub(crate) concurrent: AtomicBool,
    /// The devices accept calls in flight; the number of calls of each list.
    pub(crate) in_flight: AtomicBool,
    pub(crate) lists: Lists,
    /// Number of kernels in progress. More than one at a time is counted in `kernel_overlaps`.
    pub(crate) kernels: AtomicUsize,
    pub(crate) kernel_overlaps: AtomicUsize,
    /// Number of devices that were deleted during a call.
    pub(crate) deleted_in_use: AtomicUsize,
    /// True after the kernel `gate` has begun. It ends when `open` is set.
    pub(crate) begun: AtomicBool,
    pub(crate) open: AtomicBool,
}

#[derive(Debug)]
pub(crate) struct FakeHal {
    pub(crate) devices: u32,
    pub(crate) knobs: Arc<Knobs>,
}

impl FakeHal {
    pub(crate) fn create(devices: u32) -> (Arc<dyn Hal>, Arc<Knobs>) {
        let knobs = Arc::new(Knobs::default());
        (Arc::new(Self { devices, knobs: knobs.clone() }), knobs)
    }
}

impl Hal for FakeHal {
    fn name(&self) -> &str {
        "fake"
    }
    fn device_count(&self) -> u32 {
        self.devices
    }
    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError> {
        let target: Target = "RV64GCV_Zba".parse().unwrap();
        Ok(DeviceInfo {
            target_name: format!("Chip {index}"),
            word_size: 64,
            global_memory: MEMORY,
            local_memory: 64 << 10,
            should_link: true,
            linker_script: None,
            should_vectorize: true,
            preferred_vector_width: 128,
            fp16: false,
            fp64: true,
            max_workgroup_size: 256,
            little_endian: true,
            counters: Vec::new(),
            extensions: target.extensions,
            abi: target.abi(),
            vlen: 128,
            properties: Properties {
                keeps_variables: true,
                calls_in_flight: self.knobs.in_flight.load(Ordering::SeqCst),
                concurrent_calls: self.knobs.concurrent.load(Ordering::SeqCst),
                machine: (!self.knobs.silent.load(Ordering::SeqCst)).then_some(Machine::Riscv),
                ..Properties::default()
            },
        })
    }
    fn create_device(&self, _index: u32) -> Result<Box<dyn Device>, HalError> {
        self.knobs.created.fetch_add(1, Ordering::SeqCst);
        let state = DeviceState {
            memory: vec![0xA5; usize::try_from(MEMORY).unwrap()],
            allocator: RegionAllocator::new(BASE, MEMORY),
            programs: BTreeMap::new(),
            next: 1,
        };
        Ok(Box::new(FakeDevice { knobs: self.knobs.clone(), state: Mutex::new(Rank::Hal, state) }))
    }
}

struct DeviceState {
    memory: Vec<u8>,
    allocator: RegionAllocator,
    programs: BTreeMap<u64, Vec<String>>,
    next: u64,
}

struct FakeDevice {
    knobs: Arc<Knobs>,
    state: Mutex<DeviceState>,
}

impl Drop for FakeDevice {
    fn drop(&mut self) {
        self.knobs.deleted.fetch_add(1, Ordering::SeqCst);
        let in_use = self.knobs.inside.load(Ordering::SeqCst) != 0;
        self.knobs.deleted_in_use.fetch_add(usize::from(in_use), Ordering::SeqCst);
    }
}

struct Inside<'a>(&'a Knobs);
impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A kernel in progress.
struct InKernel<'a>(&'a Knobs);
impl Drop for InKernel<'_> {
    fn drop(&mut self) {
        self.0.kernels.fetch_sub(1, Ordering::SeqCst);
    }
}

impl FakeDevice {
    fn enter(&self) -> Inside<'_> {
        if self.knobs.inside.fetch_add(1, Ordering::SeqCst) != 0 {
            self.knobs.overlaps.fetch_add(1, Ordering::SeqCst);
        }
        Inside(&self.knobs)
    }
    fn range<T>(
        &self,
        at: u64,
        size: usize,
        work: impl FnOnce(&mut [u8]) -> T,
    ) -> Result<T, HalError> {
        let mut state = self.state.lock();
        let start = at
            .checked_sub(BASE)
            .and_then(|a| usize::try_from(a).ok())
            .ok_or(HalError::Failed("an address"))?;
        let end = start.checked_add(size).ok_or(HalError::Failed("a range"))?;
        Ok(work(state.memory.get_mut(start..end).ok_or(HalError::Failed("a range"))?))
    }
    fn transfer(&self, bytes: usize) -> Result<(), HalError> {
        self.knobs.bytes_moved.fetch_add(bytes, Ordering::SeqCst);
        if self.knobs.broken.load(Ordering::SeqCst) {
            Err(HalError::Failed("a transfer"))
        } else {
            Ok(())
        }
    }
    fn word(&self, at: u64) -> Result<u32, HalError> {
        self.range(at, 4, |b| u32::from_le_bytes(b.try_into().unwrap()))
    }
    fn set(&self, at: u64, value: u32) -> Result<(), HalError> {
        self.range(at, 4, |b| b.copy_from_slice(&value.to_le_bytes()))
    }
}

impl Device for FakeDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        let _inside = self.enter();
        let address = self.knobs.address.load(Ordering::SeqCst);
        if address != 0 {
            return Ok(address);
        }
        let got = self.state.lock().allocator.alloc(size, alignment);
        self.knobs.allocations.fetch_add(usize::from(got.is_some()), Ordering::SeqCst);
        got.ok_or(HalError::OutOfMemory { size, alignment })
    }
    fn free(&self, address: u64) -> Result<(), HalError> {
        let _inside = self.enter();
        if address == self.knobs.address.load(Ordering::SeqCst) {
            return Ok(());
        }
        self.knobs.allocations.fetch_sub(1, Ordering::SeqCst);
        if self.state.lock().allocator.free(address) {
            Ok(())
        } else {
            Err(HalError::Failed("free"))
        }
    }
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        let _inside = self.enter();
        self.transfer(into.len())?;
        self.range(from, into.len(), |b| into.copy_from_slice(b))
    }
    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        let _inside = self.enter();
        self.transfer(from.len())?;
        self.range(to, from.len(), |b| b.copy_from_slice(from))
    }
    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        let _inside = self.enter();
        let bytes = self.range(from, usize::try_from(size).unwrap(), |b| b.to_vec())?;
        self.range(to, bytes.len(), |b| b.copy_from_slice(&bytes))
    }
    fn fill(&self, to: u64, pattern: &[u8], size: u64) -> Result<(), HalError> {
        let _inside = self.enter();
        self.range(to, usize::try_from(size).unwrap(), |b| {
            b.chunks_mut(pattern.len()).for_each(|c| c.copy_from_slice(&pattern[..c.len()]));
        })
    }
    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        let _inside = self.enter();
        let note = muxcl_hal::section_of(elf, ".note.muxcl")?.ok_or(HalError::Failed("a note"))?;
        let meta = ElfMeta::from_note(note).ok_or(HalError::Failed("a note"))?;
        let mut state = self.state.lock();
        let id = state.next;
        state.next += 1;
        let known = |v: &Variant| KERNELS.contains(&v.kernel.as_str());
        state.programs.insert(
            id,
            meta.variants.iter().filter(|v| known(v)).map(|v| v.symbol.clone()).collect(),
        );
        self.knobs.programs.fetch_add(1, Ordering::SeqCst);
        Ok(Program(id))
    }
    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let name = name.to_str().unwrap();
        let state = self.state.lock();
        let list = state.programs.get(&program.0).ok_or(HalError::Failed("a program"))?;
        let at = list
            .iter()
            .position(|n| n == name)
            .ok_or_else(|| HalError::NoKernel(name.to_owned()))?;
        let number = KERNELS.iter().position(|k| list[at].starts_with(k)).unwrap();
        Ok(Kernel(number as u64 + 1))
    }
    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        args: &[Argument<'_>],
        _dimensions: u32,
    ) -> Result<(), HalError> {
        let _inside = self.enter();
        if self.knobs.kernels.fetch_add(1, Ordering::SeqCst) != 0 {
            self.knobs.kernel_overlaps.fetch_add(1, Ordering::SeqCst);
        }
        let _kernel = InKernel(&self.knobs);
        assert!(
            self.state.lock().programs.contains_key(&program.0),
            "the program is on the device"
        );
        let items: u64 = range.global.iter().product();
        let Some(Argument::Global { address: a, .. }) = args.first() else {
            return Err(HalError::Argument("a buffer"));
        };
        let Some(Argument::Value(hidden)) = args.last() else {
            return Err(HalError::Argument("the hidden value"));
        };
        let hidden: HalHidden = bytemuck::pod_read_unaligned(hidden);
        let n = hidden.global_size.iter().product::<u64>();
        match KERNELS[usize::try_from(kernel.0).unwrap() - 1] {
            "inc" => {
                (0..n).try_for_each(|i| self.set(a + 4 * i, self.word(a + 4 * i)?.wrapping_add(1)))
            }
            "sum" => {
                let Some(Argument::Global { address: b, .. }) = args.get(1) else {
                    return Err(HalError::Argument("a second buffer"));
                };
                (0..n).try_for_each(|i| {
                    self.set(a + 4 * i, self.word(a + 4 * i)?.wrapping_add(self.word(b + 4 * i)?))
                })
            }
            "scale" => {
                let Some(Argument::Value(by)) = args.get(1) else {
                    return Err(HalError::Argument("a value"));
                };
                let by = u32::from_le_bytes((*by).try_into().unwrap());
                (0..n).try_for_each(|i| self.set(a + 4 * i, self.word(a + 4 * i)?.wrapping_mul(by)))
            }
            "hidden" => {
                self.set(*a, u32::try_from(n).unwrap())?;
                self.set(a + 4, u32::try_from(items).unwrap())?;
                let local = args.iter().find_map(|x| {
                    if let Argument::Local { size } = x { Some(*size) } else { None }
                });
                self.set(a + 8, u32::try_from(local.unwrap_or(0)).unwrap())
            }
            "slow" => {
                std::thread::sleep(Duration::from_millis(100));
                self.set(*a, self.word(*a)?.wrapping_add(1))
            }
            "gate" => {
                self.knobs.begun.store(true, Ordering::SeqCst);
                while !self.knobs.open.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                self.set(*a, self.word(*a)?.wrapping_add(1))
            }
            "panic" => panic!("a kernel that panics the HAL"),
            _ => Err(HalError::Failed("kernel_exec: load from 0xdead at pc 0x1000")),
        }
    }
    fn unload(&self, program: Program) -> Result<(), HalError> {
        let _inside = self.enter();
        self.knobs.programs.fetch_sub(1, Ordering::SeqCst);
        self.state
            .lock()
            .programs
            .remove(&program.0)
            .map(|_| ())
            .ok_or(HalError::Failed("a program"))
    }
    fn run(&self, calls: &mut [Call<'_>], ended: &mut dyn FnMut(usize, Result<(), HalError>)) {
        self.knobs.lists.0.lock().push(calls.len());
        for (number, call) in calls.iter_mut().enumerate() {
            ended(number, call.make(self));
        }
    }
    fn begin_profile(&self) -> bool {
        true
    }
    fn profile(&self) -> Option<String> {
        let _inside = self.enter();
        assert_eq!(self.knobs.kernels.load(Ordering::SeqCst), 0, "no kernel runs");
        Some(format!("device {}", self.knobs.created.load(Ordering::SeqCst)))
    }
}

/// Builds a program with these kernels, for any specialization key.
pub(crate) fn elf(kernels: &[&str]) -> Vec<u8> {
    elf_with(kernels.iter().map(|k| Variant {
        kernel: (*k).into(),
        symbol: format!("{k}.any"),
        key: SpecializationKey::default(),
        ..Variant::default()
    }))
}

/// Builds a RISC-V ELF file that holds one note.
pub(crate) fn elf_with(variants: impl Iterator<Item = Variant>) -> Vec<u8> {
    let note = ElfMeta { variants: variants.collect(), ..ElfMeta::default() }.to_note().unwrap();
    let names = b"\0.note.muxcl\0.shstrtab\0";
    let note_at = 64;
    let names_at = note_at + note.len();
    let table = (names_at + names.len()).next_multiple_of(8);
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let half = |f: &mut Vec<u8>, v: u16| f.extend(v.to_le_bytes());
    let word = |f: &mut Vec<u8>, v: u32| f.extend(v.to_le_bytes());
    let long = |f: &mut Vec<u8>, v: usize| f.extend((v as u64).to_le_bytes());
    half(&mut file, 3);
    half(&mut file, 243);
    word(&mut file, 1);
    for v in [0, 0, table] {
        long(&mut file, v);
    }
    word(&mut file, 0);
    for v in [64, 56, 0, 64, 3, 2] {
        half(&mut file, v);
    }
    assert_eq!(file.len(), 64);
    file.extend(&note);
    file.extend(names);
    file.resize(table, 0);
    for (name, kind, at, size) in
        [(0, 0, 0, 0), (1, 7, note_at, note.len()), (13, 3, names_at, names.len())]
    {
        word(&mut file, name);
        word(&mut file, kind);
        for v in [0, 0, at, size] {
            long(&mut file, v);
        }
        word(&mut file, 0);
        word(&mut file, 0);
        long(&mut file, 1);
        long(&mut file, 0);
    }
    file
}
