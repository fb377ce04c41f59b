//! A RefSi device behind the HAL interface: memory, programs, launches, counters.
//!
//! Invariants:
//! * Several threads may call at the same time. Launches run one after another; no other call waits
//!   for a launch.
//! * Windows, protected pages, and the programs that harts may have decoded or translated change
//!   only under the lock of [`Launcher`], while no hart runs: harts cache host addresses, access
//!   rights and decoded code, and look for changes only when they begin to work for a launch. A
//!   program that is loaded or unloaded during a launch is therefore *unsettled* until the launch
//!   ends ([`RefsiDevice::settle`]): a loaded one is not protected, and an unloaded one keeps its
//!   memory.
//! * The map of the memory never changes. Allocations are ranges of one region of RAM, so `alloc`
//!   and `free` affect no address that a running hart has cached.
//! * The device stays usable after any kernel.

use crate::command::{Buffer, register};
use crate::context::{self, Convention, KernelLaunch, Layout};
use crate::gdb;
use crate::machine::{Failure, Instances, Machine};
use crate::map;
use crate::options::{Options, Soc, ThreadMode};
use crate::perf::{self, id};
use crate::processor::Processor;
use crate::profile::kernels::{self, KernelProfiles};
use crate::program::{Placement, Program as Loaded};
use crate::rom::Rom;
use crate::trace;
use muxcl_hal::allocator::RegionAllocator;
use muxcl_hal::counters::CounterValues;
use muxcl_hal::{Argument, Device, HalError, Kernel, NdRange, Program, args};
use muxcl_lock::{Mutex, Rank};
use muxcl_os::reserve;
use muxcl_rv_sim::Window;
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Size in bytes of the buffer for a launch's uniform block. Larger blocks get their own
/// allocation.
const BLOCK: u64 = 64 << 10;
/// Size in bytes of the buffer for a launch's command buffer.
const COMMANDS: u64 = 4096;
/// Alignment of the packed arguments in bytes.
const ARGUMENTS: u64 = 256;
/// The window that shows each hart its stack, on M1.
const STACK_WINDOW: u32 = 1;
/// The window that shows programs with fixed addresses, on M1.
const PROGRAM_WINDOW: u32 = 0;
/// Number of pieces of a launch per hart. Small pieces keep harts from waiting long for one
/// another.
const PIECES: u64 = 8;

/// A kernel found by name.
#[derive(Debug, Clone)]
struct Found {
    program: u64,
    address: u64,
    name: Arc<str>,
}

struct Resources {
    allocator: RegionAllocator,
    programs: BTreeMap<u64, Loaded>,
    kernels: BTreeMap<u64, Found>,
    next: u64,
    counters: Vec<CounterValues>,
    /// Programs that are not protected yet, each with true if a running kernel could overwrite it.
    loaded: Vec<(u64, bool)>,
    /// Unloaded programs that still have their memory.
    unloaded: Vec<(u64, Loaded)>,
}

impl Resources {
    /// Whether a change of programs waits for the end of a launch.
    fn is_unsettled(&self) -> bool {
        !self.loaded.is_empty() || !self.unloaded.is_empty()
    }
}

/// State that one launch at a time uses.
struct Launcher {
    processor: Processor,
    /// The program with fixed addresses that is currently in place.
    resident: Option<u64>,
    window: Window,
    /// The window that the next launch sets up.
    window_to_set: Option<Window>,
    /// The hart counters at the time of the last publication.
    told: Vec<[u64; perf::COUNTERS]>,
}

/// A RefSi device.
pub struct RefsiDevice {
    options: Options,
    layout: Layout,
    rom: Rom,
    block: u64,
    commands: u64,
    machine: Arc<Machine>,
    /// The debugger's thread, with `HAL_REFSI_GDB`.
    _server: Option<gdb::Server>,
    state: Mutex<Resources>,
    launcher: Mutex<Launcher>,
    /// The profile of the kernels, if it has begun.
    profiles: Mutex<Option<KernelProfiles>>,
    counting: AtomicBool,
    loads: AtomicU64,
    launches: AtomicU64,
}

impl std::fmt::Debug for RefsiDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RefsiDevice").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Fails an allocation when the host's memory cannot hold its bookkeeping.
fn host_has_memory(size: u64, alignment: u64) -> Result<(), HalError> {
    if reserve::is_low() && !reserve::try_restore() {
        Err(out_of_memory(size, alignment))
    } else {
        Ok(())
    }
}

/// Address of the loader in ROM.
fn loader_at(soc: Soc) -> u64 {
    match soc {
        Soc::M1 => map::M1_ROM,
        Soc::G1 => map::ROM,
    }
}

fn out_of_memory(size: u64, alignment: u64) -> HalError {
    HalError::OutOfMemory { size, alignment }
}

impl RefsiDevice {
    /// Creates a device.
    ///
    /// # Errors
    /// The options are invalid, or the host has no address space for the device's memory.
    pub fn new(options: &Options) -> Result<Self, HalError> {
        options.check()?;
        let rom = Rom::new(options.word_size())?;
        let listen = |port| gdb::Server::listen(options, port, &rom, loader_at(options.soc));
        let port = options.gdb.map(listen).transpose()?;
        let debugger = port.as_ref().map(|port| port.debugger.clone());
        let machine = Arc::new(Machine::new(options, &rom.code, debugger)?);
        let mut allocator = RegionAllocator::new(map::DRAM, map::DRAM_SIZE);
        let mut take = |size, alignment| {
            allocator.alloc(size, alignment).ok_or(out_of_memory(size, alignment))
        };
        let (block, commands) = (take(BLOCK, 4096)?, take(COMMANDS, 4096)?);
        let mut processor = Processor::new(options.trace_commands);
        if options.soc == Soc::M1 {
            // Harts access their stacks through a window.
            let target = take(options.stack * u64::from(options.harts), 1 << 20)?;
            let skipped = map::STACK - map::HART;
            let window = Window {
                base: map::STACK,
                size: options.stack - skipped,
                target: target + skipped,
                scale: options.stack,
            };
            let bytes = Buffer::new().window(STACK_WINDOW, &window).finish();
            write(&machine, commands, &bytes)?;
            processor
                .execute(&machine, commands, bytes.len() as u64)
                .map_err(|f| HalError::Nonsense(f.text))?;
        }
        let counters = crate::hal::counters(options)
            .iter()
            .map(|c| CounterValues::new(c.id, c.values))
            .collect();
        let told = vec![[0; perf::COUNTERS]; options.harts as usize];
        let server = port.map(|port| gdb::Server::start(port, machine.clone())).transpose()?;
        Ok(Self {
            layout: Layout::new(options.word_size(), Convention::Schedule),
            options: options.clone(),
            rom,
            block,
            commands,
            machine,
            _server: server,
            state: Mutex::new(
                Rank::Leaf,
                Resources {
                    allocator,
                    programs: BTreeMap::new(),
                    kernels: BTreeMap::new(),
                    next: 1,
                    counters,
                    loaded: Vec::new(),
                    unloaded: Vec::new(),
                },
            ),
            launcher: Mutex::new(
                Rank::Target,
                Launcher {
                    processor,
                    resident: None,
                    window: Window::default(),
                    window_to_set: None,
                    told,
                },
            ),
            profiles: Mutex::new(Rank::Hal, None),
            counting: AtomicBool::new(true),
            loads: AtomicU64::new(0),
            launches: AtomicU64::new(0),
        })
    }

    /// Executes a command buffer in the device's memory, for callers that drive the command
    /// processor directly. M1 only.
    ///
    /// # Errors
    /// The device has no command processor, or a packet fails.
    pub fn execute_commands(&self, address: u64, size: u64) -> Result<(), HalError> {
        if self.options.soc != Soc::M1 {
            return Err(HalError::Argument("a device with a command processor"));
        }
        let mut launcher = self.launcher.lock();
        self.settle(&mut launcher);
        launcher.window = Window::default();
        let done = launcher.processor.execute(&self.machine, address, size);
        drop(launcher);
        self.settle_if_idle();
        done.map_err(|f| HalError::Fault(f.text))
    }

    /// Completes the loads and unloads that were called during a launch.
    fn settle(&self, launcher: &mut Launcher) {
        let mut state = self.state.lock();
        if !state.is_unsettled() {
            return;
        }
        let (loaded, unloaded) =
            (std::mem::take(&mut state.loaded), std::mem::take(&mut state.unloaded));
        for (number, exposed) in loaded {
            let Some(program) = state.programs.get(&number) else { continue };
            if exposed {
                // This cannot fail: it succeeded before, at the same addresses.
                let _ = program.place_again(|to, bytes| write(&self.machine, to, bytes));
            }
            if program.place != Placement::OnDemand {
                program.protect(&self.machine.memory);
            }
        }
        let mut resident_gone = false;
        for (number, program) in unloaded {
            if let Some(at) = program.memory() {
                let size = state.allocator.size_of(at).unwrap_or(0);
                // This cannot fail: the allocation is RAM.
                self.machine.memory.unprotect(at, size);
                state.allocator.free(at);
            }
            resident_gone |= launcher.resident == Some(number);
            if let Placement::Windowed { window, .. } = program.place
                && window == launcher.window
            {
                launcher.window = Window::default();
            }
        }
        let flags = state.programs.values().any(|p| p.reads_flags);
        drop(state);
        if resident_gone {
            self.remove_resident(launcher);
        }
        self.machine.set_flags(flags);
        self.machine.programs_changed();
    }

    /// [`Self::settle`], unless another thread holds the launcher; that thread then calls this
    /// function after it has released the launcher.
    fn settle_if_idle(&self) {
        while self.state.lock().is_unsettled() {
            let Some(mut launcher) = self.launcher.try_lock() else { return };
            self.settle(&mut launcher);
        }
    }

    /// The address at which the device listens for a debugger.
    #[must_use]
    pub fn debugger_address(&self) -> Option<SocketAddr> {
        self.machine.debugger.as_ref().map(|d| d.address)
    }

    /// Address of the loader in ROM.
    fn loader(&self) -> u64 {
        loader_at(self.options.soc)
    }

    /// Return address of functions that the command processor runs.
    #[must_use]
    pub fn return_address(&self) -> u64 {
        self.loader() + self.rom.exit
    }

    /// Initial stack pointer of kernels.
    #[must_use]
    pub fn stack_top(&self) -> u64 {
        map::HART + self.options.stack
    }

    fn trace(&self, text: impl FnOnce() -> String) {
        if self.options.trace_calls {
            trace::line("HAL", &text());
        }
    }

    fn alloc_quietly(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        self.state
            .lock()
            .allocator
            .alloc(size, alignment.max(1))
            .ok_or(out_of_memory(size, alignment))
    }

    fn host_bytes(&self, counter: u32, bytes: u64) {
        if self.counting.load(Ordering::Relaxed) {
            let mut state = self.state.lock();
            if let Some(values) = state.counters.iter_mut().find(|c| c.id() == counter) {
                values.set(0, bytes);
            }
        }
    }

    /// Checks the range and describes the launch, with the number of groups.
    fn plan(&self, range: &NdRange, dimensions: u32, entry: u64) -> Result<KernelLaunch, HalError> {
        if !(1..=3).contains(&dimensions) {
            return Err(HalError::Argument("one to three dimensions"));
        }
        let (mut groups, mut local, mut offset, mut items) = ([1; 3], [1; 3], [0; 3], 1u64);
        for k in 0..dimensions as usize {
            let size = range.local[k];
            local[k] = u32::try_from(size)
                .ok()
                .filter(|n| *n != 0)
                .ok_or(HalError::Argument("a local size"))?;
            items = items.saturating_mul(size);
            groups[k] = range.global[k].div_ceil(size);
            offset[k] = range.offset[k];
        }
        if items > u64::from(crate::hal::most_items(&self.options)) {
            return Err(HalError::Argument("a work-group the device has room for"));
        }
        let whole_groups = self.options.mode == ThreadMode::WorkGroup;
        let mut launch = KernelLaunch {
            entry,
            args: 0,
            groups,
            offset,
            local,
            dimensions,
            chunk: 1,
            whole_groups,
        };
        let total =
            launch.total().filter(|n| self.options.word_size() == 64 || u32::try_from(*n).is_ok());
        let total = total.ok_or(HalError::Argument("fewer work-groups"))?;
        launch.chunk = (total / (u64::from(self.options.harts) * PIECES)).clamp(1, 1 << 16);
        Ok(launch)
    }

    /// Packs the arguments for kernels. In WI mode local arguments lie in the device's local
    /// memory, from `local_end` on, and the harts of a group share them.
    fn pack(&self, arguments: &[Argument<'_>], local_end: u64) -> Result<Vec<u8>, HalError> {
        if self.options.mode == ThreadMode::WorkGroup {
            return args::pack(arguments, self.options.word_size());
        }
        let mut free = local_end;
        let places = arguments.iter().map(|a| {
            let Argument::Local { size } = a else { return Ok(*a) };
            let address = free.next_multiple_of(128);
            free = address
                .checked_add(*size)
                .filter(|end| *end <= map::LOCAL + map::LOCAL_SIZE)
                .unwrap_or(u64::MAX);
            if free == u64::MAX {
                return Err(HalError::Argument("less local memory"));
            }
            Ok(Argument::Global { address, size: *size })
        });
        args::pack(&places.collect::<Result<Vec<_>, _>>()?, self.options.word_size())
    }

    /// Puts a program in place and runs a kernel of it.
    fn launch(
        &self,
        launcher: &mut Launcher,
        (program, place): (u64, Placement),
        launch: &mut KernelLaunch,
        layout: Layout,
        packed: &[u8],
    ) -> Result<(), Failed> {
        {
            let missing = HalError::Argument("a program of the device");
            let state = self.state.lock();
            let loaded = state.programs.get(&program).ok_or(missing)?;
            if place == Placement::OnDemand && launcher.resident != Some(program) {
                self.remove_resident(launcher);
                loaded.put(|to, bytes| {
                    if to < map::LOCAL { write(&self.machine, to, bytes) } else { Ok(()) }
                })?;
                launcher.resident = Some(program);
                loaded.protect(&self.machine.memory);
                self.loads.fetch_add(1, Ordering::Relaxed);
                self.machine.programs_changed();
            }
            if loaded.has_local() {
                loaded.put_local(|to, bytes| write(&self.machine, to, bytes))?;
            }
        }
        launcher.window_to_set = match place {
            Placement::Windowed { window, .. } if window != launcher.window => Some(window),
            _ => None,
        };
        if let Some(window) = launcher.window_to_set {
            launcher.window = window;
        }
        let begin = layout.size().next_multiple_of(ARGUMENTS);
        let size = begin + packed.len() as u64;
        let own = if size > BLOCK { Some(self.alloc_quietly(size, 4096)?) } else { None };
        let block = own.unwrap_or(self.block);
        launch.args = block + begin;
        let done = write(&self.machine, launch.args, packed)
            .map_err(Failed::from)
            .and_then(|()| self.run(launcher, launch, layout, packed, block));
        if let Some(own) = own {
            self.state.lock().allocator.free(own);
        }
        done
    }

    fn run(
        &self,
        launcher: &mut Launcher,
        launch: &KernelLaunch,
        layout: Layout,
        packed: &[u8],
        block: u64,
    ) -> Result<(), Failed> {
        let context = launch.context(layout);
        let at = (context.len() as u64).next_multiple_of(ARGUMENTS);
        let total = launch.total().unwrap_or(0);
        let instances = total.div_ceil(launch.chunk);
        let m = &self.machine;
        let harts = m.harts();
        match (self.options.soc, self.options.mode) {
            (Soc::M1, _) => {
                let size = (at + packed.len() as u64).div_ceil(256);
                let mut buffer = Buffer::new();
                buffer
                    .write(register::ENTRY_PT_FN, self.loader() + self.rom.instance)
                    .write(register::KUB_DESC, block | size << 48)
                    .write(register::KARGS_INFO, at << 16 | (packed.len() as u64) << 40)
                    .write(register::TSD_INFO, (context.len() as u64) << 40)
                    .write(register::STACK_TOP, self.stack_top())
                    .write(register::RETURN_ADDR, self.return_address());
                if let Some(window) = launcher.window_to_set {
                    buffer.window(PROGRAM_WINDOW, &window);
                }
                let bytes = buffer.run_slice(0, instances, 0).finish();
                write(m, block, &context)?;
                write(m, self.commands, &bytes)?;
                launcher.processor.execute(m, self.commands, bytes.len() as u64)?;
            }
            (Soc::G1, ThreadMode::WorkGroup) => {
                for hart in 0..harts.min(u32::try_from(instances).unwrap_or(harts)) {
                    write_as(m, hart, map::HART, &context)?;
                    write_as(m, hart, map::HART + layout.thread(), &hart.to_le_bytes())?;
                }
                m.run(&Instances {
                    entry: self.loader() + self.rom.instance,
                    stack_top: self.stack_top(),
                    return_address: self.return_address(),
                    count: instances,
                    harts,
                    arguments: &|_, instance| [instance, 0, 0, map::HART, 0, 0, 0, 0],
                })?;
            }
            (Soc::G1, ThreadMode::WorkItem) => self.run_items(launch, layout, &context)?,
        }
        Ok(())
    }

    /// WI mode: runs one group after the other, with one hart per work-item.
    fn run_items(
        &self,
        launch: &KernelLaunch,
        layout: Layout,
        context: &[u8],
    ) -> Result<(), Failed> {
        let m = &self.machine;
        let [x, y, _] = launch.local;
        let items = launch.local.iter().product::<u32>();
        let word = usize::try_from(layout.word).unwrap_or(8);
        for hart in 0..items {
            write_as(m, hart, map::HART, context)?;
            let ids = [hart % x, hart / x % y, hart / x / y];
            write_as(m, hart, map::HART + layout.local_id(0), bytemuck::cast_slice(&ids))?;
            write_as(m, hart, map::HART + layout.thread(), &hart.to_le_bytes())?;
        }
        let [gx, gy, _] = launch.groups;
        let calls = match layout.convention {
            Convention::Schedule => launch.total().unwrap_or(0),
            // Kernels with an execution state loop over the groups themselves.
            Convention::ExecutionState => 1,
        };
        for group in 0..calls {
            let ids = [group % gx, group / gx % gy, group / gx / gy];
            let bytes: Vec<u8> =
                ids.iter().flat_map(|g| g.to_le_bytes()[..word].to_vec()).collect();
            for hart in 0..items {
                write_as(m, hart, map::HART, &bytes)?;
                write_as(m, hart, map::HART + layout.left(), &1u64.to_le_bytes()[..word])?;
            }
            m.run_together(&Instances {
                entry: self.loader() + self.rom.group,
                stack_top: self.stack_top(),
                return_address: self.return_address(),
                count: items.into(),
                harts: items,
                arguments: &|_, _| [0, 0, 0, map::HART, 0, 0, 0, 0],
            })?;
        }
        Ok(())
    }

    fn explain(&self, found: &Found, failure: &Failure) -> HalError {
        let mut text = format!("kernel `{}`", found.name);
        if failure.hart < self.machine.harts()
            && let Some([x, y, z]) =
                context::current_group(&self.machine.memory, &self.options, failure.hart)
        {
            text += &format!(", work-group ({x}, {y}, {z})");
        }
        if self.options.mode == ThreadMode::WorkItem && failure.hart < self.machine.harts() {
            text += &format!(", work-item {}", failure.hart);
        }
        text += &format!(": {}", failure.text);
        if failure.pc != 0 {
            if !failure.text.contains("pc 0x") {
                text += &format!(" at pc {:#x}", failure.pc);
            }
            let state = self.state.lock();
            let program = state.programs.get(&found.program);
            if let Some(function) = program.and_then(|p| p.function_at(failure.pc)) {
                text += &format!(" in {function}");
            }
        }
        HalError::Fault(text)
    }

    /// Takes the program at fixed addresses out of its place: its pages become ordinary memory.
    fn remove_resident(&self, launcher: &mut Launcher) {
        launcher.resident = None;
        // On M1 no such program exists, and this changes nothing.
        self.machine.memory.unprotect(map::ELF, map::ELF_SIZE);
        self.machine.programs_changed();
    }

    /// Writes code and constants of every program again, because the failed kernel may have
    /// overwritten those in pages that are not protected.
    fn restore_programs(&self, launcher: &Launcher) {
        let state = self.state.lock();
        for (number, program) in &state.programs {
            let elsewhere =
                program.place == Placement::OnDemand && launcher.resident != Some(*number);
            if !elsewhere {
                // This write cannot fail: it succeeded before, at the same addresses.
                let _ = program.restore(|to, b| write(&self.machine, to, b));
            }
        }
        drop(state);
        self.machine.code_changed();
    }

    fn publish(&self, launcher: &mut Launcher) {
        if !self.counting.load(Ordering::Relaxed) {
            return;
        }
        let mut state = self.state.lock();
        for values in &mut state.counters {
            match values.id() {
                id::LOADS => values.set(0, self.loads.load(Ordering::Relaxed)),
                id::LAUNCHES => values.set(0, self.launches.load(Ordering::Relaxed)),
                id::HOST_READ | id::HOST_WRITE => {}
                counter => {
                    for (hart, told) in (0u32..).zip(&mut launcher.told) {
                        let now = self.machine.perf.get(hart, counter as usize);
                        values.set(hart, now - told[counter as usize]);
                        told[counter as usize] = now;
                    }
                }
            }
        }
    }
}

/// The error of a failed launch.
enum Failed {
    Kernel(Failure),
    Other(HalError),
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self::Kernel(failure)
    }
}

impl From<HalError> for Failed {
    fn from(error: HalError) -> Self {
        Self::Other(error)
    }
}

fn write_as(machine: &Machine, hart: u32, to: u64, bytes: &[u8]) -> Result<(), HalError> {
    machine
        .memory
        .write(hart, to, bytes)
        .map_err(|_| HalError::Argument("a range of the device's memory"))
}

fn write(machine: &Machine, to: u64, bytes: &[u8]) -> Result<(), HalError> {
    write_as(machine, machine.harts(), to, bytes)
}

impl Device for RefsiDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        host_has_memory(size, alignment)?;
        let address = self.alloc_quietly(size, alignment);
        self.trace(|| format!("mem_alloc({size}, {alignment}) = {address:x?}"));
        address
    }

    fn free(&self, address: u64) -> Result<(), HalError> {
        self.trace(|| format!("mem_free({address:#x})"));
        let freed = self.state.lock().allocator.free(address);
        if freed { Ok(()) } else { Err(HalError::Argument("the start of an allocation")) }
    }

    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        self.trace(|| format!("mem_read({from:#x}, {} bytes)", into.len()));
        let read = self.machine.memory.read(self.machine.harts(), from, into);
        self.host_bytes(id::HOST_READ, into.len() as u64);
        read.map_err(|_| HalError::Argument("a range of the device's memory"))
    }

    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.trace(|| format!("mem_write({to:#x}, {} bytes)", from.len()));
        self.host_bytes(id::HOST_WRITE, from.len() as u64);
        write(&self.machine, to, from)
    }

    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        self.trace(|| format!("mem_copy({to:#x}, {from:#x}, {size})"));
        let copied = self.machine.memory.copy(self.machine.harts(), to, from, size);
        copied.map_err(|_| HalError::Argument("a range of the device's memory"))
    }

    fn fill(&self, to: u64, pattern: &[u8], size: u64) -> Result<(), HalError> {
        self.trace(|| format!("mem_fill({to:#x}, {pattern:x?}, {size})"));
        if pattern.is_empty() {
            return Err(HalError::Argument("a pattern with bytes"));
        }
        let size = size - size % pattern.len() as u64;
        // Each copy doubles the filled part.
        let mut done = size.min(pattern.len() as u64);
        write(&self.machine, to, &pattern[..usize::try_from(done).unwrap_or(0)])?;
        while done < size {
            let n = done.min(size - done);
            let copied =
                self.machine.memory.copy(self.machine.harts(), to.wrapping_add(done), to, n);
            copied.map_err(|_| HalError::Argument("a range of the device's memory"))?;
            done += n;
        }
        Ok(())
    }

    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        host_has_memory(elf.len() as u64, 1)?;
        // If a launch runs, its kernel could overwrite the program, which is not protected before
        // the launch ends.
        let idle = self.launcher.try_lock();
        let mut taken = None;
        let alloc = |size, alignment| {
            // Programs are allocated from the end of memory, buffers from its beginning. So one
            // large range has no protected pages, and stores to it need one comparison.
            let at = self.state.lock().allocator.alloc_high(size, alignment);
            let at = at.ok_or(out_of_memory(size, alignment))?;
            taken = Some(at);
            Ok(at)
        };
        let write = |to, bytes: &[u8]| write(&self.machine, to, bytes);
        let windows = self.options.soc == Soc::M1;
        let loaded = Loaded::load(elf, self.options.word_size(), windows, alloc, write);
        let mut state = self.state.lock();
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => {
                if let Some(at) = taken {
                    state.allocator.free(at);
                }
                drop(state);
                drop(idle);
                // Another thread may have unloaded a program while this one held the launcher.
                self.settle_if_idle();
                return Err(error);
            }
        };
        let number = state.next;
        state.next += 1;
        if loaded.place != Placement::OnDemand {
            self.loads.fetch_add(1, Ordering::Relaxed);
        }
        let bias = loaded.bias();
        self.trace(|| format!("program_load({} bytes) = {number}, {:x?}", elf.len(), loaded.place));
        state.programs.insert(number, loaded);
        state.loaded.push((number, idle.is_none()));
        drop(state);
        drop(idle);
        self.settle_if_idle();
        if let Some(debugger) = &self.machine.debugger {
            debugger.program_loaded(number, elf, bias);
        }
        Ok(Program(number))
    }

    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let none = || HalError::NoKernel(name.to_string_lossy().into_owned());
        let text = name.to_str().map_err(|_| none())?;
        let mut state = self.state.lock();
        let loaded = state
            .programs
            .get_mut(&program.0)
            .ok_or(HalError::Argument("a program of the device"))?;
        let address = loaded.find(text).ok_or_else(none)?;
        let known = state
            .kernels
            .iter()
            .find(|(_, k)| k.program == program.0 && *k.name == *text)
            .map(|(n, _)| *n);
        if let Some(number) = known {
            return Ok(Kernel(number));
        }
        let number = state.next;
        state.next += 1;
        state.kernels.insert(number, Found { program: program.0, address, name: text.into() });
        drop(state);
        if let Some(debugger) = &self.machine.debugger {
            debugger.kernel_found(program.0, text, address);
        }
        self.trace(|| {
            format!("program_find_kernel({}, {text}) = {number}, {address:#x}", program.0)
        });
        Ok(Kernel(number))
    }

    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        arguments: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        let (found, place, convention, local_end) = {
            let state = self.state.lock();
            let found = state.kernels.get(&kernel.0).filter(|k| k.program == program.0).cloned();
            let found = found.ok_or(HalError::Argument("a kernel of the program"))?;
            let loaded = state.programs.get(&program.0);
            let loaded = loaded.ok_or(HalError::Argument("a program of the device"))?;
            (found, loaded.place, loaded.convention, loaded.local_end)
        };
        self.trace(|| format!("kernel_exec({}, {range:?}, {arguments:x?})", found.name));
        let mut launch = self.plan(range, dimensions, found.address)?;
        if launch.total() == Some(0) {
            return Ok(());
        }
        let packed = self.pack(arguments, local_end)?;
        let layout = Layout { convention, ..self.layout };
        self.launches.fetch_add(1, Ordering::Relaxed);
        let mut launcher = self.launcher.lock();
        self.settle(&mut launcher);
        let begin = Instant::now();
        let done = self.launch(&mut launcher, (program.0, place), &mut launch, layout, &packed);
        self.publish(&mut launcher);
        if let Some(profiles) = &mut *self.profiles.lock() {
            let launch = kernels::Launch {
                kernel: &found.name,
                groups: launch.total().unwrap_or(0),
                failed: done.is_err(),
                time: begin.elapsed(),
                executed: self.machine.take_executions(),
                moved: self.machine.moved(),
            };
            if let Some(loaded) = self.state.lock().programs.get(&program.0) {
                profiles.add(program.0, loaded, launch);
            }
        }
        if done.is_err() {
            self.restore_programs(&launcher);
        }
        let done = done.map_err(|failed| match failed {
            Failed::Kernel(failure) => self.explain(&found, &failure),
            Failed::Other(error) => error,
        });
        drop(launcher);
        self.settle_if_idle();
        done
    }

    fn unload(&self, program: Program) -> Result<(), HalError> {
        self.trace(|| format!("program_free({})", program.0));
        let mut state = self.state.lock();
        let loaded = state
            .programs
            .remove(&program.0)
            .ok_or(HalError::Argument("a program of the device"))?;
        state.kernels.retain(|_, k| k.program != program.0);
        state.unloaded.push((program.0, loaded));
        drop(state);
        self.settle_if_idle();
        if let Some(debugger) = &self.machine.debugger {
            debugger.program_unloaded(program.0);
        }
        Ok(())
    }

    fn read_counter(&self, counter: u32, index: u32) -> Option<u64> {
        self.state.lock().counters.iter_mut().find(|c| c.id() == counter)?.take(index)
    }

    fn begin_profile(&self) -> bool {
        // While this thread holds the launcher, no hart runs.
        let _launcher = self.launcher.lock();
        self.machine.keep_executions();
        self.profiles.lock().get_or_insert_default();
        true
    }

    fn profile(&self) -> Option<String> {
        Some(self.profiles.lock().as_mut()?.report(&self.options))
    }

    fn enable_counters(&self, enable: bool) {
        self.counting.store(enable, Ordering::Relaxed);
    }
}
