//! A HAL whose every reply is any bytes: descriptions, addresses, contents of memory, counters and
//! failures. No call of the driver crashes, hangs or leaves its memory, and all objects can be
//! released afterwards. The same bytes say which calls the driver makes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_hal::counters::{CounterDescription, Unit, Verbosity};
use muxcl_hal::target::{Abi, Extensions, Target};
use muxcl_hal::{
    Argument, Device, DeviceInfo, Hal, HalError, Kernel, Machine, NdRange, Program, Properties,
};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{
    AllocationType, ArgBlock, Buffer, CommandBuffer, Descriptor, DeviceQueue, Dispatch, Executable,
    FillPattern, HostMut, HostRef, Launch, RectRegion, Semaphore, SubmitHint,
};
use muxcl_mux_hal::HalDevice;
use muxcl_types::pack;
use muxcl_types::printf::{Call, Table};
use muxcl_types::program::{ArgInfo, ArgKind};
use muxcl_types::variant::{ElfMeta, SpecializationKey, Variant};
use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Once};
use std::time::Duration;

/// The fuzzer's bytes. At their end every reply is zero and every call succeeds.
#[derive(Clone)]
struct Replies(Arc<Mutex<(Vec<u8>, usize)>>);

impl Replies {
    fn new(bytes: &[u8]) -> Self {
        Self(Arc::new(Mutex::new(Rank::Leaf, (bytes.to_vec(), 0))))
    }

    fn is_over(&self) -> bool {
        let state = self.0.lock();
        state.1 >= state.0.len()
    }

    /// Takes up to `into.len()` bytes; the others are zero.
    fn fill(&self, into: &mut [u8]) {
        let mut state = self.0.lock();
        let (bytes, at) = &mut *state;
        let n = into.len().min(bytes.len() - *at);
        into[..n].copy_from_slice(&bytes[*at..*at + n]);
        into[n..].fill(0);
        *at += n;
    }

    fn byte(&self) -> u8 {
        let mut byte = [0];
        self.fill(&mut byte);
        byte[0]
    }

    fn word(&self) -> u64 {
        let byte = u64::from(self.byte());
        match byte % 8 {
            0 => byte / 8,
            1 => u64::MAX - byte / 8,
            2 => u64::from(u32::MAX) - byte / 8,
            3 => 0x4000_0000 + byte * 128,
            4 | 5 => 1 << (byte / 4),
            _ => {
                let mut word = [0; 8];
                self.fill(&mut word);
                u64::from_le_bytes(word)
            }
        }
    }

    fn int(&self) -> u32 {
        self.word() as u32
    }

    fn text(&self) -> String {
        let mut bytes = vec![0; usize::from(self.byte() % 16)];
        self.fill(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn failure(&self) -> Result<(), HalError> {
        Err(match self.byte() {
            0..192 => return Ok(()),
            192..200 => HalError::Failed("a call"),
            200..208 => HalError::Nonsense(self.text()),
            208..216 => HalError::Program(self.text()),
            216..224 => HalError::OutOfMemory { size: self.word(), alignment: self.word() },
            224..232 => HalError::NoKernel(self.text()),
            232..240 => HalError::Fault(self.text()),
            240..248 => HalError::Argument("an argument"),
            248.. => HalError::Reported { call: "mem_read", text: self.text() },
        })
    }
}

struct FakeHal(Replies);

impl Hal for FakeHal {
    fn name(&self) -> &str {
        "fake"
    }

    fn device_count(&self) -> u32 {
        self.0.int()
    }

    fn device_info(&self, _: u32) -> Result<DeviceInfo, HalError> {
        let r = &self.0;
        r.failure()?;
        let target: Target = "RV64GCV_Zba".parse().unwrap();
        let usual = DeviceInfo {
            global_memory: 1 << 28,
            local_memory: 64 << 10,
            properties: Properties { keeps_variables: true, ..Properties::riscv() },
            ..DeviceInfo::riscv("chip", target)
        };
        // Half of the devices are as usual, because others may be refused.
        if r.byte().is_multiple_of(2) {
            return Ok(usual);
        }
        let count = r.byte() % 4;
        let counters = (0..count).map(|_| CounterDescription {
            id: r.int(),
            name: r.text(),
            description: r.text(),
            sub_value_name: r.text(),
            values: r.int() % 4096,
            unit: Unit(r.int()),
            per_value: Verbosity::from_raw(r.int()),
            total: Verbosity::from_raw(r.int()),
        });
        Ok(DeviceInfo {
            target_name: r.text(),
            word_size: [64, 32, 16, r.int()][usize::from(r.byte() % 4)],
            global_memory: r.word(),
            local_memory: r.word(),
            should_link: r.byte() % 2 == 0,
            linker_script: (r.byte() % 4 == 1).then(|| r.text()),
            should_vectorize: r.byte() % 2 == 0,
            preferred_vector_width: r.int(),
            fp16: r.byte() % 2 == 0,
            fp64: r.byte() % 2 == 0,
            max_workgroup_size: r.int(),
            little_endian: r.byte() % 8 != 1,
            counters: counters.collect(),
            extensions: Extensions::from_bits_truncate(r.word()),
            abi: Abi::from_raw(r.int()).unwrap_or(Abi::Lp64D),
            vlen: r.int(),
            properties: Properties {
                machine: match r.byte() % 4 {
                    0 | 1 => Some(Machine::Riscv),
                    2 => Some(Machine::Other(r.text())),
                    _ => None,
                },
                compute_units: (r.byte() % 2 == 1).then(|| r.int()),
                clock_mhz: (r.byte() % 2 == 1).then(|| r.int()),
                timer: r.byte() % 2 == 1,
                shared_addresses: r.byte() % 2 == 1,
                dma: (r.byte() % 2 == 1).then(|| r.word()),
                keeps_variables: r.byte() % 2 == 0,
                concurrent_calls: r.byte() % 2 == 1,
                calls_in_flight: r.byte() % 2 == 1,
            },
        })
    }

    fn create_device(&self, _: u32) -> Result<Box<dyn Device>, HalError> {
        self.0.failure()?;
        Ok(Box::new(FakeDevice(self.0.clone())))
    }
}

struct FakeDevice(Replies);

impl Device for FakeDevice {
    fn alloc(&self, _: u64, _: u64) -> Result<u64, HalError> {
        self.0.failure()?;
        // The interface says that an address is not 0; `hal` checks that it is aligned.
        Ok((self.0.word() & !127).max(128))
    }

    fn free(&self, _: u64) -> Result<(), HalError> {
        self.0.failure()
    }

    fn read(&self, _: u64, into: &mut [u8]) -> Result<(), HalError> {
        // Writes every byte, so that AddressSanitizer finds a destination that is too small.
        self.0.fill(into);
        self.0.failure()
    }

    fn write(&self, _: u64, from: &[u8]) -> Result<(), HalError> {
        std::hint::black_box(from.iter().fold(0_u8, |sum, byte| sum ^ byte));
        self.0.failure()
    }

    fn load(&self, _: &[u8]) -> Result<Program, HalError> {
        self.0.failure()?;
        Ok(Program(self.0.word()))
    }

    fn find(&self, _: Program, _: &CStr) -> Result<Kernel, HalError> {
        self.0.failure()?;
        Ok(Kernel(self.0.word()))
    }

    fn execute(
        &self,
        _: Program,
        _: Kernel,
        range: &NdRange,
        arguments: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        for argument in arguments {
            if let Argument::Value(bytes) = argument {
                std::hint::black_box(bytes.iter().fold(0_u8, |sum, byte| sum ^ byte));
            }
        }
        std::hint::black_box((range, dimensions));
        self.0.failure()
    }

    fn unload(&self, _: Program) -> Result<(), HalError> {
        self.0.failure()
    }

    fn read_counter(&self, _: u32, _: u32) -> Option<u64> {
        (self.0.byte() % 2 == 1).then(|| self.0.word())
    }
}

/// A RISC-V ELF file that holds one note.
fn elf(meta: &ElfMeta) -> Vec<u8> {
    let note = meta.to_note().unwrap();
    let names = b"\0.note.muxcl\0.shstrtab\0";
    let names_at = 64 + note.len();
    let table = (names_at + names.len()).next_multiple_of(8);
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend([3, 0, 243, 0, 1, 0, 0, 0]);
    for value in [0, 0, table as u64] {
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    for value in [64_u16, 56, 0, 64, 3, 2] {
        file.extend(value.to_le_bytes());
    }
    file.extend(&note);
    file.extend(names);
    file.resize(table, 0);
    for (name, kind, at, size) in
        [(0_u32, 0_u32, 0, 0), (1, 7, 64, note.len()), (13, 3, names_at, names.len())]
    {
        file.extend(name.to_le_bytes());
        file.extend(kind.to_le_bytes());
        for value in [0, 0, at as u64, size as u64, 0, 1, 0] {
            file.extend(value.to_le_bytes());
        }
    }
    file
}

/// A program with a plain kernel and one that enqueues, or one that also prints.
fn program(prints: bool) -> Vec<u8> {
    let variant = |name: &str, enqueues| Variant {
        kernel: name.to_owned(),
        symbol: format!("{name}.any"),
        enqueues,
        ..Variant::default()
    };
    let call = Call { format: b"%d\n".to_vec(), args: Vec::new(), bytes: 8 };
    elf(&ElfMeta {
        variants: vec![variant("plain", false), variant("parent", true)],
        blocks: vec![variant("child", true), variant("leaf", false)],
        printf: Table { calls: if prints { vec![call] } else { Vec::new() }, strings: Vec::new() },
    })
}

/// Host memory of the transfers of one command buffer, which a blocked command buffer may use long
/// after this input.
const HOST: usize = 4096;

/// Devices that may still start a thread.
static THREADS: AtomicUsize = AtomicUsize::new(64);

struct Driver {
    replies: Replies,
    device: muxcl_mux::Device,
    buffers: Vec<Buffer>,
    programs: Vec<Executable>,
    queues: Vec<DeviceQueue>,
}

impl Driver {
    fn buffer(&self) -> Option<&Buffer> {
        let index = usize::from(self.replies.byte());
        self.buffers.get(index % self.buffers.len().max(1))
    }

    fn range(&self, buffer: &Buffer) -> (u64, u64) {
        let offset = self.replies.word() % (buffer.size() + 2);
        (offset, self.replies.word() % (HOST as u64 + 1))
    }

    fn rect(&self) -> RectRegion {
        let small = || u64::from(self.replies.byte() % 16);
        RectRegion {
            region: [small(), small(), small()],
            src_offset: small(),
            src_pitch: [small(), small() * 16],
            dst_offset: small(),
            dst_pitch: [small(), small() * 16],
        }
    }

    /// Records one command. An invalid one is refused.
    fn record(&self, commands: &mut CommandBuffer, host: *mut u8) -> Option<()> {
        let r = &self.replies;
        // SAFETY: the bytes live until the command buffer has run or for ever.
        let (src, dst) = unsafe { (HostRef::new(host), HostMut::new(host)) };
        let refused = match r.byte() % 8 {
            0 => {
                let buffer = self.buffer()?;
                let (offset, size) = self.range(buffer);
                commands.read_buffer(buffer, offset, size, dst)
            }
            1 => {
                let buffer = self.buffer()?;
                let (offset, size) = self.range(buffer);
                commands.write_buffer(buffer, offset, size, src)
            }
            2 => {
                let (from, to) = (self.buffer()?, self.buffer()?);
                let (offset, size) = self.range(from);
                commands.copy_buffer(from, offset, to, r.word() % (to.size() + 2), size)
            }
            3 => {
                let buffer = self.buffer()?;
                let (offset, size) = self.range(buffer);
                let pattern = FillPattern::new(&[r.byte(); 8][..1 << (r.byte() % 4)]).ok()?;
                commands.fill_buffer(buffer, offset, size, pattern)
            }
            // A box ends at most at byte 15 + 14 * 240 + 14 * 15 + 15.
            4 => commands.read_rect(self.buffer()?, dst, self.rect()),
            5 => commands.write_rect(self.buffer()?, src, self.rect()),
            6 => commands.copy_rect(self.buffer()?, self.buffer()?, self.rect()),
            _ => return self.kernel(commands),
        };
        refused.ok().map(|_| ())
    }

    fn kernel(&self, commands: &mut CommandBuffer) -> Option<()> {
        let r = &self.replies;
        let program = self.programs.get(usize::from(r.byte()) % self.programs.len().max(1))?;
        let name = if r.byte() % 4 == 0 { "plain" } else { "parent" };
        let kernel = program.create_kernel(name, &SpecializationKey::default()).ok()?;
        let kinds = [(ArgKind::GlobalPointer, 8), (ArgKind::LocalPointer, 8), (ArgKind::Value, 4)]
            .map(|(kind, size)| ArgInfo { kind, size, ..ArgInfo::default() });
        let mut args = ArgBlock::new(Arc::new(pack::layout(&kinds, 8)), 8);
        args.set(0, Descriptor::Buffer(self.buffer()?.clone(), 0)).ok()?;
        args.set(1, Descriptor::LocalBuffer(r.word())).ok()?;
        args.set_data(2, &r.int().to_le_bytes()).ok()?;
        let size = || u64::from(r.byte());
        let range = muxcl_mux::NdRange {
            work_dim: 3,
            offset: [r.word(), 0, 0],
            global: [r.word(), size(), size()],
            local: [size().max(1), 1, size() % 4 + 1],
        };
        let default_queue = self.queues.get(usize::from(r.byte())).cloned();
        let launch = Launch { kernel, args: Arc::new(args), range, default_queue };
        commands.nd_range(launch).ok().map(|_| ())
    }

    fn run(&self) {
        let host = Box::leak(vec![0xA5_u8; HOST].into_boxed_slice()).as_mut_ptr();
        let mut commands = self.device.create_command_buffer();
        for _ in 0..=self.replies.byte() % 4 {
            let _ = self.record(&mut commands, host);
        }
        if commands.finalise().is_err() {
            return;
        }
        let done = Semaphore::new();
        // The thread of a device never ends, so only a few devices may start one.
        let background = self.replies.byte() % 8 == 1
            && THREADS.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        let how = Dispatch {
            signals: std::slice::from_ref(&done),
            hint: if background { SubmitHint::Background } else { SubmitHint::CallerWaits },
            ..Dispatch::default()
        };
        if self.device.queue().dispatch(&commands, how).is_err() {
            return;
        }
        // A command whose events never complete is blocked until its queue is released.
        let queue = (!background).then(|| self.device.queue());
        let ended = done.wait(queue, Some(Duration::from_millis(30)));
        if ended.is_some() {
            // SAFETY: the slice that was leaked above; no command uses it any more.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(host, HOST)) });
        }
    }

    fn step(&mut self) {
        match self.replies.byte() % 8 {
            0 => {
                let (size, align) = (self.replies.word(), self.replies.word());
                let Ok(memory) = self.device.allocate(size, align, AllocationType::Device) else {
                    return;
                };
                if let Ok(buffer) = self.device.create_buffer(&memory, 0, size) {
                    let mut bytes = [0; 16];
                    let n = usize::try_from(size.min(16)).unwrap_or(0);
                    let _ = memory.read(size - n as u64, &mut bytes[..n]);
                    let _ = memory.write(size - n as u64, &bytes[..n]);
                    self.buffers.push(buffer);
                }
            }
            1 => {
                let prints = self.replies.byte() % 2 == 1;
                if let Ok(loaded) = self.device.create_executable(&program(prints), &[]) {
                    self.programs.push(loaded);
                }
            }
            2 => {
                if let Ok(queue) = self.device.create_device_queue(self.replies.int()) {
                    self.queues.push(queue);
                }
            }
            3 => match self.replies.byte() % 3 {
                0 => drop(self.buffers.pop()),
                1 => drop(self.programs.pop()),
                _ => drop(self.queues.pop()),
            },
            _ => self.run(),
        }
    }
}

static SILENCE: Once = Once::new();

/// Discards what kernels print. libFuzzer writes to stderr.
fn silence() {
    use std::os::fd::AsRawFd as _;
    let null = std::fs::File::create("/dev/null").unwrap();
    // SAFETY: two open descriptors.
    assert!(unsafe { libc::dup2(null.as_raw_fd(), 1) } == 1);
}

fuzz_target!(|bytes: &[u8]| {
    SILENCE.call_once(silence);
    let replies = Replies::new(bytes);
    let hal: Arc<dyn Hal> = Arc::new(FakeHal(replies.clone()));
    let Ok(made) = HalDevice::new(&hal, 0) else { return };
    let device = made.device();
    let (buffers, programs, queues) = (Vec::new(), Vec::new(), Vec::new());
    let mut driver = Driver { replies, device, buffers, programs, queues };
    for _ in 0..32 {
        if driver.replies.is_over() {
            break;
        }
        driver.step();
    }
});
