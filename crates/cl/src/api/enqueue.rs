//! The parts that all enqueues share: the queue, the wait list, the event.
//!
//! Not here: the commands (`enqueue_*`).

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use muxcl_cl_sys::{cl_command_queue, cl_command_type, cl_event, cl_mem, cl_uint};
use muxcl_mux as mux;
use muxcl_mux::{Buffer, Condition as _, MuxError};
use smallvec::SmallVec;

use crate::checked;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::event::Event;
use crate::core::image::Image;
use crate::core::memory::Mem;
use crate::core::queue::{CallerRuns, CommandRequest, Queue, SyncRole, error_of};
use crate::core::storage::{Access, Migration, MigrationList};
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{Borrowed, borrow};

/// Maximum size of a transfer that the calling thread runs alone, in bytes. A copy of this size
/// takes some 100 us, many times as long as waking another thread.
const MAX_CALLER_BYTES: usize = 1 << 20;

/// The migrations of a command; often none.
#[derive(Debug)]
pub(super) struct Migrations(Option<Arc<MigrationList>>);

impl Migrations {
    /// The migrations of a command that uses `ranges`.
    #[inline]
    pub(super) fn of<const N: usize>(ranges: [Option<Migration>; N]) -> ClResult<Self> {
        if ranges.iter().all(Option::is_none) {
            return Ok(Self(None));
        }
        let mut list = Vec::new();
        list.try_reserve_exact(N)?;
        list.extend(ranges.into_iter().flatten());
        Ok(Self(Some(Arc::new(MigrationList(list)))))
    }

    /// The migrations of a command that uses any number of `ranges`.
    pub(super) fn list(ranges: Vec<Migration>) -> Self {
        Self((!ranges.is_empty()).then(|| Arc::new(MigrationList(ranges))))
    }

    /// Wraps an existing list of migrations.
    pub(super) fn from(list: Option<Arc<MigrationList>>) -> Self {
        Self(list)
    }

    /// The number of Mux commands that [`Self::record`] records.
    pub(super) fn commands(&self) -> usize {
        usize::from(self.0.is_some())
    }

    /// Records the migrations before `commands` commands, which are skipped if they fail.
    pub(super) fn record(
        &self,
        list: &mut mux::CommandBuffer,
        commands: usize,
    ) -> Result<(), MuxError> {
        if let Some(migrations) = &self.0 {
            list.guard(migrations.clone(), commands)?;
        }
        Ok(())
    }

    /// Runs the migrations on this thread.
    pub(super) fn run_now(&self) -> Result<(), MuxError> {
        self.0.as_ref().map_or(Ok(()), |migrations| migrations.check())
    }
}

/// The events of a wait list. Most lists have one.
type WaitList<'a> = SmallVec<[Borrowed<'a, Event>; 2]>;

/// Checked parameters that every enqueue has.
#[derive(Debug)]
pub(super) struct Enqueue<'a> {
    pub(super) queue: Borrowed<'a, Queue>,
    pub(super) waits: WaitList<'a>,
    event: *mut cl_event,
    /// The command is recorded here, not enqueued.
    captured: Option<&'a Captured>,
}

/// The Mux commands of a command that is recorded instead of enqueued.
#[derive(Debug, Default)]
pub(super) struct Captured(RefCell<Option<mux::CommandBuffer>>);

impl Captured {
    /// The commands, once the command has been submitted.
    pub(super) fn take(self) -> ClResult<mux::CommandBuffer> {
        self.0.into_inner().ok_or(ClError::OUT_OF_RESOURCES)
    }

    /// CL_OUT_OF_RESOURCES and CL_OUT_OF_HOST_MEMORY if the commands cannot be recorded. It is a
    /// function of its own, so that the code of an enqueue stays short.
    #[cold]
    fn record(
        &self,
        queue: &Queue,
        record: impl FnOnce(&mut mux::CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<()> {
        let commands = recorded(queue, record)?;
        self.0.replace(Some(commands));
        Ok(())
    }
}

/// Mux commands for the device of `queue`.
///
/// CL_OUT_OF_RESOURCES and CL_OUT_OF_HOST_MEMORY if they cannot be recorded.
pub(super) fn recorded(
    queue: &Queue,
    record: impl FnOnce(&mut mux::CommandBuffer) -> Result<(), MuxError>,
) -> ClResult<mux::CommandBuffer> {
    let mut commands = queue.device().mux().create_command_buffer();
    record(&mut commands).map_err(|error| error_of(&error))?;
    Ok(commands)
}

/// A memory object of a command: the application's handle, or an object that a recorded command
/// keeps, if its handle was valid.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemRef<'m> {
    Handle(cl_mem),
    Kept(Option<&'m Arc<Mem>>),
}

impl From<cl_mem> for MemRef<'_> {
    fn from(handle: cl_mem) -> Self {
        Self::Handle(handle)
    }
}

impl<'m> MemRef<'m> {
    /// CL_INVALID_MEM_OBJECT if it is not a valid memory object.
    fn borrow(self) -> ClResult<Borrowed<'m, Mem>> {
        match self {
            Self::Handle(handle) => borrow::<Mem>(handle),
            Self::Kept(kept) => kept.map(Borrowed::of).ok_or(ClError::INVALID_MEM_OBJECT),
        }
    }
}

impl<'a> Enqueue<'a> {
    /// Restricts a command to devices that support it.
    ///
    /// CL_INVALID_OPERATION if the device associated with command_queue does not support SVM, or
    /// the extension that has the command.
    pub(super) fn if_device(self, has: fn(&Device) -> bool) -> ClResult<Self> {
        if has(self.queue.device()) { Ok(self) } else { Err(ClError::INVALID_OPERATION) }
    }

    /// Checks queue and wait list. Memory objects and the like are checked after this, against
    /// `queue`'s context.
    #[inline]
    pub(super) fn new(
        command_queue: cl_command_queue,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) -> ClResult<Self> {
        // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue.
        let queue = borrow::<Queue>(command_queue)?;
        // "Once a context has been terminated, all OpenCL API calls that create objects or enqueue
        // commands will return CL_CONTEXT_TERMINATED_KHR."
        queue.alive()?;
        Self::on(queue, num_events_in_wait_list, event_wait_list, event)
    }

    /// As [`Self::new`], for a queue that the caller has checked.
    #[inline]
    pub(super) fn on(
        queue: Borrowed<'a, Queue>,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) -> ClResult<Self> {
        let waits = if num_events_in_wait_list == 0 && event_wait_list.is_null() {
            WaitList::new()
        } else {
            Self::wait_list(queue, num_events_in_wait_list, event_wait_list)?
        };
        Ok(Self { queue, waits, event, captured: None })
    }

    /// A command that is recorded for a queue instead of enqueued.
    pub(super) fn captured(queue: Borrowed<'a, Queue>, captured: &'a Captured) -> Self {
        let (waits, event) = (WaitList::new(), std::ptr::null_mut());
        Self { queue, waits, event, captured: Some(captured) }
    }

    /// Checks a wait list that is not empty.
    #[inline(never)]
    fn wait_list(
        queue: Borrowed<'a, Queue>,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
    ) -> ClResult<WaitList<'a>> {
        // CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or
        // event_wait_list is not NULL and num_events_in_wait_list is 0, or if event objects in
        // event_wait_list are not valid events.
        let invalid = ClError::INVALID_EVENT_WAIT_LIST;
        let handles = checked::slice(event_wait_list, num_events_in_wait_list as usize, invalid)?;
        let mut waits = WaitList::new();
        waits.try_reserve_exact(handles.len()).map_err(|_| ClError::OUT_OF_HOST_MEMORY)?;
        for &handle in handles {
            let event = borrow::<Event>(handle).map_err(|_| invalid)?;
            if !event.context().is(queue.context()) {
                return Err(violated!(
                    INVALID_CONTEXT,
                    "if an event of the wait list belongs to another context than the queue"
                ));
            }
            waits.push(event);
        }
        Ok(waits)
    }

    /// Refuses an event in the wait list that has failed.
    pub(super) fn no_failed_waits(&self) -> ClResult<()> {
        if self.waits.iter().any(|e| e.outcome().is_some_and(|s| s < 0)) {
            return Err(violated!(
                EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                "if a command in the wait list has failed"
            ));
        }
        Ok(())
    }

    /// Checks that an object's context is the queue's.
    pub(super) fn same_context(&self, context: &Context) -> ClResult<()> {
        if context.is(self.queue.context()) {
            return Ok(());
        }
        Err(violated!(
            INVALID_CONTEXT,
            "if an object of the command belongs to another context than the queue";
            "the object is of another context than command_queue"
        ))
    }

    /// A buffer of the queue's context. Images and pipes are refused.
    pub(super) fn mem<'m>(&self, mem: impl Into<MemRef<'m>>) -> ClResult<Borrowed<'m, Mem>> {
        // CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object.
        let mem = self.any_mem(mem)?;
        if mem.pipe().is_some() || mem.image().is_some() {
            Err(ClError::INVALID_MEM_OBJECT)
        } else {
            Ok(mem)
        }
    }

    /// An image of the queue's context.
    pub(super) fn image<'m>(
        &self,
        image: impl Into<MemRef<'m>>,
    ) -> ClResult<(Borrowed<'m, Mem>, &'m Image)> {
        // CL_INVALID_MEM_OBJECT if image is not a valid image object.
        let mem = image.into().borrow()?;
        let image = mem.get().image().ok_or(ClError::INVALID_MEM_OBJECT)?;
        self.same_context(mem.context())?;
        if !self.queue.device().info().images {
            return Err(violated!(INVALID_OPERATION, "if the queue's device has no images"));
        }
        Ok((mem, image))
    }

    /// A memory object of any kind of the queue's context.
    pub(super) fn any_mem<'m>(&self, mem: impl Into<MemRef<'m>>) -> ClResult<Borrowed<'m, Mem>> {
        // CL_INVALID_MEM_OBJECT if it is not a valid memory object.
        let mem = mem.into().borrow()?;
        self.same_context(mem.context())?;
        Ok(mem)
    }

    /// The Mux buffer of a memory object on the queue's device.
    pub(super) fn buffer<'m>(&self, mem: &'m Mem) -> ClResult<Cow<'m, Buffer>> {
        let align = self.queue.device().base_address_align() as usize;
        if let Some((_, origin)) = mem.parent()
            && !origin.is_multiple_of(align)
        {
            return Err(violated!(
                MISALIGNED_SUB_BUFFER_OFFSET,
                "if a sub-buffer begins at no multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN";
                "the sub-buffer begins at byte {origin}, and the device needs multiples of {align}"
            ));
        }
        mem.busy_buffer(self.queue.device_index())
    }

    /// The migration for a command that uses bytes of a memory object on the queue's device; `None`
    /// if the context has no memory domains.
    pub(super) fn migration(
        &self,
        mem: &Mem,
        offset: usize,
        size: usize,
        access: Access,
    ) -> Option<Migration> {
        mem.migration(mem.storage().domain_of(self.queue.device_index()), offset, size, access)
    }

    /// The request to the queue. `commands` is the number of Mux commands recorded for it.
    pub(super) fn request(
        &self,
        command: cl_command_type,
        blocking: bool,
        commands: usize,
    ) -> CommandRequest<'_> {
        CommandRequest {
            command,
            waits: &self.waits,
            semaphores: Vec::new(),
            wants_event: !self.event.is_null(),
            blocking,
            commands,
            sync: SyncRole::None,
            traced: None,
        }
    }

    /// Enqueues a command, and returns its event to the application; or records it.
    pub(super) fn submit(
        &self,
        request: CommandRequest<'_>,
        record: impl FnOnce(&mut mux::CommandBuffer) -> Result<(), MuxError>,
    ) -> ClResult<()> {
        if let Some(captured) = self.captured {
            return captured.record(&self.queue, record);
        }
        let event = Queue::enqueue(self.queue, request, record)?;
        checked::out(self.event, event);
        Ok(())
    }

    /// Takes a position in the queue's order for a blocking command that this thread runs. `None`
    /// if the command is not blocking or would have to wait.
    pub(super) fn try_run_on_caller(&self, blocking: bool) -> Option<CallerRuns<'a>> {
        if blocking { Queue::try_run_on_caller(self.queue, &self.waits) } else { None }
    }

    /// [`Self::try_run_on_caller`] for a transfer. `None` also for a large transfer, which several
    /// threads of the device complete sooner than this thread.
    pub(super) fn try_transfer_on_caller(
        &self,
        blocking: bool,
        bytes: usize,
    ) -> Option<CallerRuns<'a>> {
        self.try_run_on_caller(blocking && bytes <= MAX_CALLER_BYTES)
    }

    /// Runs a command on this thread, and returns its event to the application.
    pub(super) fn run_on_caller(
        &self,
        place: CallerRuns<'_>,
        command: cl_command_type,
        work: impl FnOnce() -> Result<(), MuxError>,
    ) -> ClResult<()> {
        let event = place.run(command, !self.event.is_null(), work)?;
        checked::out(self.event, event);
        Ok(())
    }
}
