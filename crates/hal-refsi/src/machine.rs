//! A device's memory and harts, and the execution of a function's instances on them. Invariant: one
//! thread at a time drives a hart. After a failure every hart has stopped before `run` returns, and
//! the machine stays usable.

use crate::dma::Dma;
use crate::gdb::Debugger;
use crate::instruction_trace::{HartTrace, TraceFile};
use crate::map;
use crate::options::{Exec, Options, Soc};
use crate::perf::{self, Perf, Registers};
use crate::profile::{Executions, Profile};
use crate::translation::{Executor, Translator};
use crate::worker_pool::WorkerPool;
use muxcl_hal::HalError;
use muxcl_lock::{Mutex, Rank};
use muxcl_os::FpState;
use muxcl_rv_isa::csr;
use muxcl_rv_sim::{Exit, FaultKind, Hart, Memory, Stretch, Window};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

mod debugged;

/// Host call numbers: the value of `a7` at an `ecall`.
pub mod host_io {
    /// Ends the instance; `a0` is its result.
    pub const EXIT: u64 = 0;
    /// Prints the text at `a0`.
    pub const PUT_STRING: u64 = 1;
    /// Waits for the other work-items at the barrier with the number in `a0`.
    pub const BARRIER: u64 = 2;
}

/// Number of instructions between checks for a stop request: a few milliseconds.
const CHECK_INTERVAL: u64 = 1 << 22;
/// Number of instructions that the launching thread executes before it wakes helpers: about 20
/// microseconds in the interpreter, as long as it takes to wake them.
const ALONE: u64 = 1 << 13;
/// Maximum length in bytes of a text that `PUT_STRING` prints.
const LONGEST_TEXT: u64 = 1 << 16;

/// The breakpoints of a hart without a debugger.
static NO_BREAKPOINTS: BTreeSet<u64> = BTreeSet::new();

/// A failed instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The hart that failed.
    pub hart: u32,
    /// The pc at the failure.
    pub pc: u64,
    /// The reason.
    pub text: String,
}

/// A function and its instances.
pub(crate) struct Instances<'a> {
    /// Address of the function.
    pub entry: u64,
    /// Initial stack pointer.
    pub stack_top: u64,
    /// Return address.
    pub return_address: u64,
    /// Number of instances.
    pub count: u64,
    /// Maximum number of harts.
    pub harts: u32,
    /// `a0` and the following argument registers, for a hart and an instance.
    pub arguments: &'a (dyn Fn(u32, u64) -> [u64; 8] + Sync),
}

/// Progress of a work-item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// The work-item waits at the barrier with this number.
    Barrier(u64),
    Done,
}

/// A hart, and the versions of code and windows that its caches correspond to.
struct HartSlot {
    hart: Hart,
    /// Counts what the hart executes, for detailed counters and profiles.
    profile: Option<Profile>,
    /// Runs translated code, if the device has translations.
    executor: Option<Executor>,
    /// Writes each instruction to a file, with `HAL_REFSI_TRACE`.
    trace: Option<HartTrace>,
    code: u64,
    pages: u64,
}

/// A device's memory and harts.
pub(crate) struct Machine {
    pub(crate) memory: Arc<Memory>,
    pub(crate) dma: Option<Arc<Dma>>,
    pub(crate) perf: Arc<Perf>,
    hart_slots: Vec<Mutex<Option<Box<HartSlot>>>>,
    workers: Mutex<WorkerPool>,
    /// Incremented on each change of code.
    code: AtomicU64,
    /// Incremented on each change of windows and of protected pages.
    pages: AtomicU64,
    max_instructions: u64,
    /// The translations of the harts' code.
    translator: Option<Arc<Translator>>,
    /// With `HAL_REFSI_EXEC=check`, code that is counted runs in the interpreter, unchecked: a
    /// check executes code several times.
    checked: bool,
    pub(crate) debugger: Option<Arc<Debugger>>,
}

fn failed(hart: &Hart, pc: u64, text: String) -> Failure {
    Failure { hart: hart.id(), pc, text }
}

fn no_memory(error: muxcl_rv_sim::MapError) -> HalError {
    HalError::Nonsense(error.to_string())
}

impl Machine {
    pub(crate) fn new(
        options: &Options,
        rom: &[u8],
        debugger: Option<Arc<Debugger>>,
    ) -> Result<Self, HalError> {
        let trace = options.trace.as_ref().map(TraceFile::open).transpose()?.map(Arc::new);
        let mut memory = Memory::new();
        let harts = options.harts;
        let dma = (options.soc == Soc::M1).then(|| Arc::new(Dma::new(harts)));
        // ROM, so that neither kernels nor DMA transfers can damage the loader.
        let (rom_base, rom_size) = match options.soc {
            Soc::M1 => (map::M1_ROM, map::M1_ROM_SIZE),
            Soc::G1 => (map::ROM, map::ROM_SIZE),
        };
        memory.add_rom(rom_base, rom_size, rom).map_err(no_memory)?;
        match &dma {
            Some(dma) => {
                memory.add_ram(map::TCDM, map::TCDM_SIZE).map_err(no_memory)?;
                memory.add_device(map::DMA, map::DMA_SIZE, dma.clone()).map_err(no_memory)?;
            }
            None => {
                memory.add_ram(map::ELF, map::ELF_SIZE).map_err(no_memory)?;
                memory.add_ram(map::LOCAL, map::LOCAL_SIZE).map_err(no_memory)?;
                memory.add_hart_local(map::HART, map::CONTEXT_SIZE, harts).map_err(no_memory)?;
                let stack = map::HART + options.stack - map::STACK;
                memory.add_hart_local(map::STACK, stack, harts).map_err(no_memory)?;
            }
        }
        memory.add_device(map::PERF, map::PERF_SIZE, Arc::new(Registers)).map_err(no_memory)?;
        memory.add_ram(map::DRAM, map::DRAM_SIZE).map_err(no_memory)?;
        let memory = Arc::new(memory);
        if let Some(dma) = &dma {
            dma.attach(Arc::downgrade(&memory));
        }
        let config = options.hart();
        // On a processor or system without translations, the interpreter executes everything.
        let translator = match options.exec {
            Exec::Jit | Exec::Eager | Exec::Check => Translator::new().ok().map(Arc::new),
            Exec::Interpreter => None,
        };
        if let Some(translator) = &translator {
            translator.set_counting(options.detailed_counters);
        }
        let slot = |id| {
            let hart = Hart::new(id, &config, memory.clone())
                .map_err(|e| HalError::Nonsense(e.to_string()))?;
            Ok(Mutex::new(
                Rank::Leaf,
                Some(Box::new(HartSlot {
                    hart,
                    profile: options.detailed_counters.then(Profile::default),
                    executor: translator.clone().map(match options.exec {
                        Exec::Eager => Executor::eager,
                        Exec::Check => Executor::checked,
                        _ => Executor::new,
                    }),
                    trace: trace.clone().map(HartTrace::new),
                    code: 0,
                    pages: 0,
                })),
            ))
        };
        let hart_slots = (0..harts).map(slot).collect::<Result<Vec<_>, HalError>>()?;
        Ok(Self {
            memory,
            dma,
            perf: Arc::new(Perf::new(harts)),
            hart_slots,
            workers: Mutex::new(Rank::Hal, WorkerPool::new(harts as usize)),
            code: AtomicU64::new(0),
            pages: AtomicU64::new(0),
            max_instructions: options.max_instructions,
            translator,
            checked: options.exec == Exec::Check,
            debugger,
        })
    }

    /// Number of harts.
    pub(crate) fn harts(&self) -> u32 {
        u32::try_from(self.hart_slots.len()).unwrap_or(0)
    }

    /// Reports a change of code in memory: harts discard their decoded code.
    pub(crate) fn code_changed(&self) {
        self.code.fetch_add(1, Ordering::Relaxed);
    }

    /// Reports a change of programs in memory and of protected pages: harts discard their decoded
    /// code and their translations of pages.
    pub(crate) fn programs_changed(&self) {
        self.pages.fetch_add(1, Ordering::Relaxed);
        self.code_changed();
    }

    /// Whether a program may read the floating-point flags, which translated code does not compute.
    pub(crate) fn set_flags(&self, read: bool) {
        if let Some(translator) = &self.translator {
            translator.set_flags(read);
        }
    }

    /// Sets a window of the memory map.
    pub(crate) fn set_window(&self, index: usize, window: Window) {
        if self.memory.set_window(index, window) {
            self.programs_changed();
        }
    }

    fn take_hart(&self, number: usize) -> Option<Box<HartSlot>> {
        let mut slot = self.hart_slots.get(number)?.lock().take()?;
        self.refresh(&mut slot);
        slot.hart.set_breakpoints(&NO_BREAKPOINTS);
        // Resets rounding mode and flags, so that kernels do not affect later ones.
        let _ = slot.hart.set_csr(csr::FCSR, 0) && slot.hart.set_csr(csr::VCSR, 0);
        Some(slot)
    }

    /// Lets a hart see changes of code, windows and protected pages.
    fn refresh(&self, slot: &mut HartSlot) {
        let (code, pages) = (self.code.load(Ordering::Relaxed), self.pages.load(Ordering::Relaxed));
        if slot.code != code {
            slot.hart.flush_code();
            let HartSlot { hart, executor, profile, .. } = slot;
            if let Some(profile) = profile {
                profile.forget();
            }
            if let Some(executor) = executor {
                executor.code_changed(hart, code);
            }
        }
        if slot.pages != pages {
            slot.hart.flush_pages();
        }
        (slot.code, slot.pages) = (code, pages);
    }

    fn put_back(&self, number: usize, mut slot: Box<HartSlot>) {
        self.publish_counters(&mut slot);
        *self.hart_slots[number].lock() = Some(slot);
    }

    /// Copies a hart's counters to the table that the host reads.
    fn publish_counters(&self, slot: &mut HartSlot) {
        let HartSlot { hart, profile, executor, .. } = slot;
        let id = hart.id();
        if let Some(profile) = profile {
            profile.collect(hart, executor.as_mut());
            for (counter, value) in profile.totals(hart).iter().enumerate() {
                self.perf.set(id, counter, *value);
            }
        }
        for counter in [perf::id::CYCLES, perf::id::RETIRED] {
            self.perf.set(id, counter as usize, hart.retired());
        }
    }

    /// Keeps what harts execute from now on, for [`Self::take_executions`]. No hart executes.
    pub(crate) fn keep_executions(&self) {
        if let Some(translator) = &self.translator {
            translator.set_counting(true);
        }
        for slot in &self.hart_slots {
            if let Some(slot) = slot.lock().as_mut() {
                slot.profile.get_or_insert_default().keeps_executions = true;
            }
        }
    }

    /// How often each stretch of code was executed by all harts since the last call. No hart
    /// executes.
    pub(crate) fn take_executions(&self) -> Executions {
        let mut all = Executions::new();
        for slot in &self.hart_slots {
            let mut slot = slot.lock();
            let Some(profile) = slot.as_mut().and_then(|s| s.profile.as_mut()) else { continue };
            for (stretch, times) in profile.take_executions() {
                *all.entry(stretch).or_default() += times;
            }
        }
        all
    }

    /// Bytes that all harts together have read and written, if executions are kept.
    pub(crate) fn moved(&self) -> [u64; 2] {
        [perf::id::READ_BYTES, perf::id::WRITE_BYTES]
            .map(|counter| (0..self.harts()).map(|k| self.perf.get(k, counter as usize)).sum())
    }

    /// Runs a function's instances on several harts.
    ///
    /// # Errors
    /// An instance failed. Returns the first failure.
    pub(crate) fn run(&self, job: &Instances<'_>) -> Result<(), Failure> {
        let (next, done, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        let failure = Mutex::new(Rank::Leaf, None);
        // Instances that a debugger's client has interrupted: the hart, and the number of
        // instructions that it had retired when it began to work for the launch.
        let unfinished = Mutex::new(Rank::Leaf, Vec::new());
        let harts = job.harts.min(self.harts()).max(1);
        let useful = usize::try_from(job.count.min(harts.into())).unwrap_or(1);
        let drive = |number: usize, invite: &dyn Fn()| {
            let _state = FpState::enter(false);
            let Some(mut slot) = self.take_hart(number) else { return };
            let start = slot.hart.retired();
            let mut alone = number == 0 && useful > 1;
            while !stop.load(Ordering::Relaxed) && !self.is_debugged() {
                let instance = next.fetch_add(1, Ordering::Relaxed);
                if instance >= job.count {
                    break;
                }
                self.begin(&mut slot.hart, job, instance);
                let outcome = loop {
                    let used = slot.hart.retired() - start;
                    if alone && used >= ALONE {
                        invite();
                        alone = false;
                    }
                    let limit = if alone { ALONE - used } else { CHECK_INTERVAL };
                    match self.advance(&mut slot, start, limit) {
                        Ok(Stage::Running) if stop.load(Ordering::Relaxed) => break Ok(()),
                        Ok(Stage::Running) if self.is_debugged() => {
                            unfinished.lock().push((number, start));
                            self.put_back(number, slot);
                            return;
                        }
                        // One call runs the whole group, so a barrier has no other harts to wait
                        // for.
                        Ok(Stage::Running | Stage::Barrier(_)) => {}
                        Ok(Stage::Done) => break Ok(()),
                        Err(error) => break Err(error),
                    }
                };
                match outcome {
                    Ok(()) => {
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        failure.lock().get_or_insert(error);
                    }
                }
            }
            self.put_back(number, slot);
        };
        // If fewer instances have ended than requested and no failure stopped them, a thread
        // panicked and its hart is lost.
        let mut fine = true;
        if self.begin_fast() {
            fine = self.workers.lock().run(useful, &drive);
            self.end_fast();
        }
        if let Some(debugger) = self.debugger.as_deref().filter(|_| fine) {
            let unfinished = unfinished.into_inner();
            if !stop.load(Ordering::Relaxed) && done.load(Ordering::Relaxed) < job.count {
                let rest = (useful, &next, &done, unfinished);
                if let Err(error) = self.run_debugged(debugger, job, rest) {
                    stop.store(true, Ordering::Relaxed);
                    failure.lock().get_or_insert(error);
                }
            }
        }
        let fine = fine && (done.load(Ordering::Relaxed) == job.count || stop.into_inner());
        self.end_launch();
        self.conclude(failure.into_inner(), fine)
    }

    /// Runs one work-group with a hart for each of `job.count` work-items, which synchronize at
    /// barriers.
    ///
    /// # Errors
    /// A work-item failed, or ended while others wait at a barrier.
    pub(crate) fn run_together(&self, job: &Instances<'_>) -> Result<(), Failure> {
        let items = usize::try_from(job.count).unwrap_or(usize::MAX).min(self.hart_slots.len());
        let stages: Vec<Mutex<(Stage, u64)>> =
            (0..items).map(|_| Mutex::new(Rank::Leaf, (Stage::Running, u64::MAX))).collect();
        let (stop, failure) = (AtomicBool::new(false), Mutex::new(Rank::Leaf, None));
        let mut fine = true;
        // Each round runs all work-items until they wait or end; then the waiting ones continue.
        loop {
            let next = AtomicU64::new(0);
            // A debugger sees one hart execute after the other.
            let fast = self.begin_fast();
            let debugger = self.debugger.as_deref().filter(|_| !fast);
            if let Some(debugger) = debugger {
                debugger.begin_round();
            }
            let drive = |_: usize, invite: &dyn Fn()| {
                invite();
                let _state = FpState::enter(false);
                loop {
                    let number =
                        usize::try_from(next.fetch_add(1, Ordering::Relaxed)).unwrap_or(usize::MAX);
                    let Some(place) = stages.get(number) else { break };
                    // Numbers are unique, so no other thread holds this work-item.
                    let (stage, mut start) = *place.lock();
                    if stage != Stage::Running || stop.load(Ordering::Relaxed) {
                        continue;
                    }
                    let anew = start == u64::MAX;
                    let Some(mut slot) = self.take_hart_again(number, anew) else {
                        stop.store(true, Ordering::Relaxed);
                        failure.lock().get_or_insert(debugged::lost());
                        continue;
                    };
                    if anew {
                        start = slot.hart.retired();
                        self.begin(&mut slot.hart, job, number as u64);
                    }
                    let advanced = match debugger {
                        Some(debugger) => {
                            self.put_back(number, slot);
                            self.advance_debugged(debugger, number, start)
                        }
                        None => {
                            // A client that has left since the last round set breakpoints.
                            slot.hart.set_breakpoints(&NO_BREAKPOINTS);
                            let advanced = self.advance(&mut slot, start, CHECK_INTERVAL);
                            self.put_back(number, slot);
                            advanced
                        }
                    };
                    match advanced {
                        Ok(now) => *place.lock() = (now, start),
                        Err(error) => {
                            stop.store(true, Ordering::Relaxed);
                            failure.lock().get_or_insert(error);
                        }
                    }
                }
            };
            if fast {
                fine &= self.workers.lock().run(items.min(8), &drive);
                self.end_fast();
            } else {
                drive(0, &|| ());
            }
            let now: Vec<Stage> = stages.iter().map(|s| s.lock().0).collect();
            if !fine || stop.load(Ordering::Relaxed) || now.iter().all(|s| *s == Stage::Done) {
                break;
            }
            if now.contains(&Stage::Running) {
                if let Some(debugger) = debugger {
                    debugger.end_round();
                }
                continue;
            }
            let first = now.iter().find(|s| **s != Stage::Done).copied();
            if let Some(odd) = now.iter().position(|s| Some(*s) != first) {
                let text = "a barrier that not all work-items of the group reach".to_owned();
                *failure.lock() =
                    Some(Failure { hart: u32::try_from(odd).unwrap_or(0), pc: 0, text });
                break;
            }
            for stage in &stages {
                stage.lock().0 = Stage::Running;
            }
        }
        self.end_launch();
        self.conclude(failure.into_inner(), fine)
    }

    /// Takes a hart as `take_hart` does. If `anew` is false, the hart keeps its registers and
    /// resumes in the middle of its kernel.
    fn take_hart_again(&self, number: usize, anew: bool) -> Option<Box<HartSlot>> {
        if anew {
            return self.take_hart(number);
        }
        let mut slot = self.hart_slots.get(number)?.lock().take()?;
        self.refresh(&mut slot);
        Some(slot)
    }

    fn conclude(&self, failure: Option<Failure>, fine: bool) -> Result<(), Failure> {
        let failure = match failure {
            None if fine => return Ok(()),
            None => Failure { hart: 0, pc: 0, text: "the simulator failed".to_owned() },
            Some(failure) => failure,
        };
        // After a wild jump, harts may have decoded memory that holds a program later.
        self.code_changed();
        if let Some(dma) = &self.dma {
            for hart in 0..self.harts() {
                dma.reset(hart);
            }
        }
        Err(failure)
    }

    fn begin(&self, hart: &mut Hart, job: &Instances<'_>, instance: u64) {
        if let Some(debugger) = &self.debugger {
            debugger.set_active(hart.id(), true);
        }
        hart.set_pc(job.entry);
        hart.set_x(1, job.return_address);
        hart.set_x(2, job.stack_top);
        hart.set_x(3, 0);
        for (register, value) in (10u8..).zip((job.arguments)(hart.id(), instance)) {
            hart.set_x(register, value);
        }
    }

    /// Runs the hart until its instance ends, waits at a barrier or fails, or it has executed
    /// about `interval` instructions.
    fn advance(&self, slot: &mut HartSlot, start: u64, interval: u64) -> Result<Stage, Failure> {
        let end = slot.hart.retired().saturating_add(interval);
        loop {
            // Host calls and reads of counters do not begin a new interval: a hart that spins on
            // them must see that the launch stops.
            let interval = end.saturating_sub(slot.hart.retired());
            let limit = interval.min(self.left(&slot.hart, start)?);
            if limit == 0 {
                return Ok(Stage::Running);
            }
            let hart = &mut slot.hart;
            let trace = slot.trace.as_mut().filter(|trace| trace.is_on());
            let executor = slot.executor.as_mut();
            let exit = match (trace, &mut slot.profile, executor) {
                (Some(trace), profile, _) => {
                    trace.run(hart, limit, profile.as_mut().map(|p| &mut p.code))
                }
                (_, Some(_), Some(executor)) if !self.checked => executor.run(hart, limit),
                (_, Some(profile), _) => profile.code.run(hart, limit),
                (_, None, Some(executor)) => executor.run(hart, limit),
                (_, None, None) => hart.run(limit),
            };
            if let Some(text) = slot.executor.as_mut().and_then(Executor::take_difference) {
                let hart = &slot.hart;
                return Err(failed(hart, hart.pc(), text));
            }
            if let Some(stage) = self.settle(slot, exit)? {
                return Ok(stage);
            }
        }
    }

    /// The number of instructions that the instance may still retire.
    fn left(&self, hart: &Hart, start: u64) -> Result<u64, Failure> {
        let left = self.max_instructions.saturating_sub(hart.retired() - start);
        if left == 0 {
            let text = format!("the limit of {} instructions is reached", self.max_instructions);
            return Err(failed(hart, hart.pc(), text));
        }
        Ok(left)
    }

    /// Does what the hart's exit asks for. `None`: the hart goes on at once.
    fn settle(&self, slot: &mut HartSlot, exit: Exit) -> Result<Option<Stage>, Failure> {
        let hart = &slot.hart;
        match exit {
            Exit::Limit => return Ok(Some(Stage::Running)),
            Exit::Wfi => {}
            Exit::Ecall => match (hart.x(17), hart.x(10)) {
                (host_io::EXIT, 0) => {
                    if let Some(dma) = &self.dma {
                        dma.drain(hart.id()).map_err(|text| failed(hart, hart.pc(), text))?;
                    }
                    return Ok(Some(Stage::Done));
                }
                (host_io::EXIT, code) => {
                    return Err(failed(
                        hart,
                        hart.pc(),
                        format!("the kernel ended with code {code}"),
                    ));
                }
                (host_io::PUT_STRING, text) => self.print(hart, text),
                (host_io::BARRIER, which) => return Ok(Some(Stage::Barrier(which))),
                (call, _) => {
                    return Err(failed(hart, hart.pc() - 4, format!("unknown ecall {call}")));
                }
            },
            Exit::Ebreak => return Err(failed(hart, hart.pc(), "ebreak".to_owned())),
            Exit::Fault(fault) => {
                let at = fault.address.wrapping_sub(map::PERF);
                if fault.kind == FaultKind::Device
                    && at < map::PERF_SIZE
                    && self.read_counter(slot, at)
                {
                    return Ok(None);
                }
                let hart = &slot.hart;
                let device = self.dma.as_ref().and_then(|d| d.reset(hart.id()));
                let more = device.map_or_else(String::new, |text| format!(" ({text})"));
                return Err(failed(hart, fault.pc, format!("{fault}{more}")));
            }
            other => return Err(failed(hart, hart.pc(), format!("{other:?}"))),
        }
        Ok(None)
    }

    fn read_counter(&self, slot: &mut HartSlot, offset: u64) -> bool {
        self.publish_counters(slot);
        let pc = slot.hart.pc();
        let value = self.perf.register(slot.hart.id(), offset);
        let loaded = value.is_some_and(|value| slot.hart.finish_load(value));
        if let Some(profile) = slot.profile.as_mut().filter(|_| loaded) {
            profile.code.add(Stretch { pc, length: 1 }, 1);
        }
        loaded
    }

    fn print(&self, hart: &Hart, at: u64) {
        let mut text = Vec::new();
        let mut byte = [0];
        while (text.len() as u64) < LONGEST_TEXT
            && self.memory.read(hart.id(), at.wrapping_add(text.len() as u64), &mut byte).is_ok()
            && byte[0] != 0
        {
            text.push(byte[0]);
        }
        muxcl_os::write_stdout(&text);
    }
}
