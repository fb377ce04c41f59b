//! A device as a target of gdb's protocol. Invariant: nothing a client sends panics, or reaches
//! memory outside the guest's; what cannot be done is an error for the client.

use super::description::Description;
use super::programs::LOADER;
use super::{Action, Control, Debugger, Watchpoint, monitor};
use crate::machine::Machine;
use gdbstub::arch::{Arch, RegId, Registers};
use gdbstub::common::{Pid, Signal, Tid};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume,
    MultiThreadResumeOps, MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps,
    MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::single_register_access::{
    SingleRegisterAccess, SingleRegisterAccessOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps,
    SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::exec_file::{ExecFile, ExecFileOps};
use gdbstub::target::ext::host_io::{
    HostIo, HostIoClose, HostIoCloseOps, HostIoErrno, HostIoError, HostIoFstat, HostIoFstatOps,
    HostIoOpen, HostIoOpenFlags, HostIoOpenMode, HostIoOpenOps, HostIoOps, HostIoPread,
    HostIoPreadOps, HostIoResult, HostIoStat,
};
use gdbstub::target::ext::libraries::{Libraries, LibrariesOps};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{TargetError, TargetResult};
use muxcl_rv_sim::Hart;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

/// Maximum number of breakpoints, and of watchpoints. gdb has no use for more.
const MOST_POINTS: usize = 4096;
/// Maximum size in bytes of a watched range.
const WATCHED: u64 = 4096;
/// Maximum number of files that a client has open.
const MOST_FILES: usize = 16;
/// Size in bytes of the pieces in which unreadable memory is looked for.
const PAGE: u64 = 4096;

/// RISC-V of either width. The real width is in the description of a device.
#[derive(Debug)]
pub(super) enum RiscV {}

/// The bytes of the packets `g` and `G`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct GeneralRegisters(Vec<u8>);

/// The number of a register.
#[derive(Debug)]
pub(super) struct RegisterNumber(usize);

impl Arch for RiscV {
    type Usize = u64;
    type Registers = GeneralRegisters;
    type BreakpointKind = usize;
    type RegId = RegisterNumber;
}

impl Registers for GeneralRegisters {
    type ProgramCounter = u64;

    fn pc(&self) -> u64 {
        0
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().for_each(|byte| write_byte(Some(*byte)));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.0 = bytes.to_vec();
        Ok(())
    }
}

impl RegId for RegisterNumber {
    fn from_raw_id(id: usize) -> Option<(Self, Option<std::num::NonZeroUsize>)> {
        Some((Self(id), None))
    }
}

/// A device for the time of one session.
pub(super) struct RefsiTarget<'d> {
    pub(super) machine: &'d Machine,
    pub(super) debugger: &'d Debugger,
    description: Description,
    files: [Option<Arc<[u8]>>; MOST_FILES],
}

/// The thread of a hart.
pub(super) fn thread(hart: u32) -> Tid {
    Tid::MIN.saturating_add(hart as usize)
}

fn hart_of(tid: Tid) -> usize {
    tid.get() - 1
}

/// The part of `all` from `offset` on that fits.
fn piece(all: &[u8], offset: u64, length: usize, into: &mut [u8]) -> usize {
    let from = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
    let n = length.min(into.len()).min(all.len() - from);
    into[..n].copy_from_slice(&all[from..from + n]);
    n
}

impl<'d> RefsiTarget<'d> {
    pub(super) fn new(machine: &'d Machine, debugger: &'d Debugger) -> Self {
        let description = Description::new(&debugger.options);
        Self { machine, debugger, description, files: [const { None }; MOST_FILES] }
    }

    fn with_hart<R>(
        &self,
        tid: Tid,
        act: impl FnOnce(&mut Hart, &Description) -> Option<R>,
    ) -> TargetResult<R, Self> {
        let done = self.machine.with_hart(hart_of(tid), |hart| act(hart, &self.description));
        done.flatten().ok_or(TargetError::NonFatal)
    }

    /// A virtual address: RV32's are the low half.
    fn address(&self, address: u64) -> u64 {
        if self.debugger.options.word_size() == 32 { address & 0xffff_ffff } else { address }
    }

    fn set_action(&self, tid: Tid, action: Action) {
        self.debugger.change(|c| {
            if let Some(place) = c.actions.get_mut(hart_of(tid)) {
                *place = action;
            }
        });
    }

    fn add_breakpoint(&self, address: u64) -> bool {
        let address = self.address(address);
        // Code in memory that does not exist can never be reached.
        let exists = self.machine.memory.read(0, address, &mut [0; 2]).is_ok();
        let add = |c: &mut Control| {
            exists && c.breakpoints.len() < MOST_POINTS && {
                Arc::make_mut(&mut c.breakpoints).insert(address);
                true
            }
        };
        self.debugger.change(add)
    }

    fn remove_breakpoint(&self, address: u64) -> bool {
        let address = self.address(address);
        self.debugger.change(|c| Arc::make_mut(&mut c.breakpoints).remove(&address))
    }

    fn watch(
        &self,
        address: u64,
        size: u64,
        change: impl FnOnce(&mut BTreeSet<Watchpoint>, Watchpoint) -> bool,
    ) -> bool {
        let size = usize::try_from(size.min(WATCHED + 1)).unwrap_or(0);
        let point = Watchpoint { address: self.address(address), size };
        let known = (1..=WATCHED).contains(&(size as u64))
            && self.machine.memory.read(0, point.address, &mut vec![0; size]).is_ok();
        known && self.debugger.change(|c| change(Arc::make_mut(&mut c.watchpoints), point))
    }
}

impl gdbstub::target::Target for RefsiTarget<'_> {
    type Arch = RiscV;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, RiscV, Infallible> {
        BaseOps::MultiThread(self)
    }

    /// No breakpoint is an instruction in memory.
    fn guard_rail_implicit_sw_breakpoints(&self) -> bool {
        true
    }

    fn use_lldb_register_info(&self) -> bool {
        false
    }

    fn use_fork_stop_reason(&self) -> bool {
        false
    }

    fn use_vfork_stop_reason(&self) -> bool {
        false
    }

    fn use_vforkdone_stop_reason(&self) -> bool {
        false
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }

    fn support_host_io(&mut self) -> Option<HostIoOps<'_, Self>> {
        Some(self)
    }

    fn support_exec_file(&mut self) -> Option<ExecFileOps<'_, Self>> {
        Some(self)
    }

    fn support_libraries(&mut self) -> Option<LibrariesOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for RefsiTarget<'_> {
    fn read_registers(&mut self, into: &mut GeneralRegisters, tid: Tid) -> TargetResult<(), Self> {
        into.0 = self.with_hart(tid, |hart, d| Some(d.read_general(hart)))?;
        Ok(())
    }

    fn write_registers(&mut self, from: &GeneralRegisters, tid: Tid) -> TargetResult<(), Self> {
        self.with_hart(tid, |hart, d| d.write_general(hart, &from.0).then_some(()))
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, Tid, Self>> {
        Some(self)
    }

    fn read_addrs(&mut self, start: u64, into: &mut [u8], tid: Tid) -> TargetResult<usize, Self> {
        let (memory, mut done) = (&self.machine.memory, 0);
        let hart = u32::try_from(hart_of(tid)).unwrap_or(0).min(self.machine.harts() - 1);
        while done < into.len() {
            let at = self.address(start.wrapping_add(done as u64));
            let in_page = usize::try_from(PAGE - at % PAGE).unwrap_or(1);
            let n = in_page.min(into.len() - done);
            if memory.read(hart, at, &mut into[done..done + n]).is_err() {
                break;
            }
            done += n;
        }
        if done == 0 && !into.is_empty() { Err(TargetError::NonFatal) } else { Ok(done) }
    }

    fn write_addrs(&mut self, start: u64, from: &[u8], tid: Tid) -> TargetResult<(), Self> {
        let hart = u32::try_from(hart_of(tid)).unwrap_or(0).min(self.machine.harts() - 1);
        let written = self.machine.memory.write(hart, self.address(start), from);
        // It may have been code.
        self.machine.forget_code();
        written.map_err(|_| TargetError::NonFatal)
    }

    fn list_active_threads(&mut self, found: &mut dyn FnMut(Tid)) -> Result<(), Infallible> {
        (0..self.machine.harts()).map(thread).for_each(found);
        Ok(())
    }

    fn is_thread_alive(&mut self, tid: Tid) -> Result<bool, Infallible> {
        Ok(hart_of(tid) < self.machine.harts() as usize)
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<Tid> for RefsiTarget<'_> {
    fn read_register(
        &mut self,
        tid: Tid,
        register: RegisterNumber,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let bytes = self.with_hart(tid, |hart, d| d.read(hart, register.0))?;
        into.get_mut(..bytes.len()).ok_or(TargetError::NonFatal)?.copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn write_register(
        &mut self,
        tid: Tid,
        register: RegisterNumber,
        from: &[u8],
    ) -> TargetResult<(), Self> {
        self.with_hart(tid, |hart, d| d.write(hart, register.0, from).then_some(()))
    }
}

impl MultiThreadResume for RefsiTarget<'_> {
    fn resume(&mut self) -> Result<(), Infallible> {
        self.debugger.resume();
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), Infallible> {
        self.debugger.change(|c| {
            c.actions.fill(Action::Continue);
            c.chosen.clear();
        });
        Ok(())
    }

    fn set_resume_action_continue(
        &mut self,
        tid: Tid,
        _: Option<Signal>,
    ) -> Result<(), Infallible> {
        self.set_action(tid, Action::Continue);
        self.debugger.change(|c| c.chosen.push(hart_of(tid)));
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadSingleStep for RefsiTarget<'_> {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> Result<(), Infallible> {
        self.set_action(tid, Action::Step);
        Ok(())
    }
}

impl MultiThreadRangeStepping for RefsiTarget<'_> {
    fn set_resume_action_range_step(
        &mut self,
        tid: Tid,
        start: u64,
        end: u64,
    ) -> Result<(), Infallible> {
        self.set_action(tid, Action::Range(start, end));
        Ok(())
    }
}

impl MultiThreadSchedulerLocking for RefsiTarget<'_> {
    /// Harts without an action of their own keep still. gdbstub calls this after the actions.
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Infallible> {
        self.debugger.change(|c| {
            for (hart, action) in c.actions.iter_mut().enumerate() {
                if *action == Action::Continue && !c.chosen.contains(&hart) {
                    *action = Action::Hold;
                }
            }
        });
        Ok(())
    }
}

impl ThreadExtraInfo for RefsiTarget<'_> {
    fn thread_extra_info(&self, tid: Tid, into: &mut [u8]) -> Result<usize, Infallible> {
        let text = monitor::describe(self.machine, self.debugger, hart_of(tid));
        Ok(piece(text.as_bytes(), 0, text.len(), into))
    }
}

impl Breakpoints for RefsiTarget<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for RefsiTarget<'_> {
    fn add_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.add_breakpoint(address))
    }

    fn remove_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(address))
    }
}

impl HwBreakpoint for RefsiTarget<'_> {
    fn add_hw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.add_breakpoint(address))
    }

    fn remove_hw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.remove_breakpoint(address))
    }
}

impl HwWatchpoint for RefsiTarget<'_> {
    /// Only writes are watched, by comparing the bytes after each instruction.
    fn add_hw_watchpoint(
        &mut self,
        address: u64,
        size: u64,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let add = |set: &mut BTreeSet<Watchpoint>, point| {
            set.len() < MOST_POINTS && {
                set.insert(point);
                true
            }
        };
        Ok(kind == WatchKind::Write && self.watch(address, size, add))
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u64,
        size: u64,
        _: WatchKind,
    ) -> TargetResult<bool, Self> {
        Ok(self.watch(address, size, |set, point| set.remove(&point)))
    }
}

impl TargetDescriptionXmlOverride for RefsiTarget<'_> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        Ok(piece(self.description.xml.as_bytes(), offset, length, into))
    }
}

impl Libraries for RefsiTarget<'_> {
    fn get_libraries(
        &self,
        offset: u64,
        length: usize,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let xml = self.debugger.programs.lock().libraries();
        Ok(piece(xml.as_bytes(), offset, length, into))
    }
}

impl ExecFile for RefsiTarget<'_> {
    fn get_exec_file(
        &self,
        _: Option<Pid>,
        offset: u64,
        length: usize,
        into: &mut [u8],
    ) -> TargetResult<usize, Self> {
        Ok(piece(LOADER.as_bytes(), offset, length, into))
    }
}

impl MonitorCmd for RefsiTarget<'_> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Infallible> {
        out.write_raw(monitor::answer(self.machine, self.debugger, command).as_bytes());
        Ok(())
    }
}

fn no_file<T>(error: HostIoErrno) -> HostIoResult<T, RefsiTarget<'static>> {
    Err(HostIoError::Errno(error))
}

impl HostIo for RefsiTarget<'_> {
    fn support_open(&mut self) -> Option<HostIoOpenOps<'_, Self>> {
        Some(self)
    }

    fn support_close(&mut self) -> Option<HostIoCloseOps<'_, Self>> {
        Some(self)
    }

    fn support_pread(&mut self) -> Option<HostIoPreadOps<'_, Self>> {
        Some(self)
    }

    fn support_fstat(&mut self) -> Option<HostIoFstatOps<'_, Self>> {
        Some(self)
    }
}

impl RefsiTarget<'_> {
    fn file(&self, number: u32) -> Option<&Arc<[u8]>> {
        self.files.get(number as usize)?.as_ref()
    }
}

impl HostIoOpen for RefsiTarget<'_> {
    fn open(
        &mut self,
        name: &[u8],
        flags: HostIoOpenFlags,
        _: HostIoOpenMode,
    ) -> HostIoResult<u32, Self> {
        if flags.intersects(HostIoOpenFlags::O_WRONLY | HostIoOpenFlags::O_RDWR) {
            return no_file(HostIoErrno::EROFS);
        }
        let Some(file) = self.debugger.programs.lock().open(name) else {
            return no_file(HostIoErrno::ENOENT);
        };
        let Some(number) = self.files.iter().position(Option::is_none) else {
            return no_file(HostIoErrno::EMFILE);
        };
        self.files[number] = Some(file);
        Ok(u32::try_from(number).unwrap_or(0))
    }
}

impl HostIoClose for RefsiTarget<'_> {
    fn close(&mut self, number: u32) -> HostIoResult<(), Self> {
        let place = self.files.get_mut(number as usize);
        if place.and_then(Option::take).is_none() {
            return no_file(HostIoErrno::EBADF);
        }
        Ok(())
    }
}

impl HostIoPread for RefsiTarget<'_> {
    fn pread(
        &mut self,
        number: u32,
        count: usize,
        offset: u64,
        into: &mut [u8],
    ) -> HostIoResult<usize, Self> {
        let Some(file) = self.file(number) else { return no_file(HostIoErrno::EBADF) };
        Ok(piece(file, offset, count, into))
    }
}

impl HostIoFstat for RefsiTarget<'_> {
    fn fstat(&mut self, number: u32) -> HostIoResult<HostIoStat, Self> {
        let Some(file) = self.file(number) else { return no_file(HostIoErrno::EBADF) };
        Ok(HostIoStat {
            st_dev: 0,
            st_ino: 0,
            st_mode: HostIoOpenMode::S_IFREG | HostIoOpenMode::S_IRUSR,
            st_nlink: 1,
            st_uid: 0,
            st_gid: 0,
            st_rdev: 0,
            st_size: file.len() as u64,
            st_blksize: PAGE,
            st_blocks: (file.len() as u64).div_ceil(512),
            st_atime: 0,
            st_mtime: 0,
            st_ctime: 0,
        })
    }
}
