//! Command buffers (`cl_khr_command_buffer`): commands that are recorded once and enqueued any
//! number of times, and the kernel launches among them that an update may change
//! (`cl_khr_command_buffer_mutable_dispatch`).
//!
//! Each recorded command is a Mux command buffer of its own, so that an update replaces it as a
//! whole. The first enqueue after a change joins them into finalised Mux command buffers (`plan`):
//! one for a command buffer with one queue, else one for each segment that a queue runs without
//! waiting for another queue (`spread`). Later enqueues append them to batches of the queues
//! without a further check. The commands of a queue run in the order in which they were recorded,
//! which obeys the sync points among them.
//!
//! A command keeps what it was recorded from ([`Source`]), so that a copy of the command buffer can
//! record it for another queue (`cl_khr_command_buffer_multi_device`).
//!
//! Invariants: a sync point is the number of a recorded command, counted from 1. A finalised buffer
//! records no more commands. An enqueued command never changes, whatever is updated afterwards, so
//! a buffer may be enqueued again while it runs. Not here: which values an update may have
//! (`api::command_buffer_update`), how a batch runs (`queue`).

use std::fmt::Debug;
use std::sync::{Arc, OnceLock, Weak};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bitfield, cl_command_buffer_properties_khr, cl_command_buffer_state_khr,
    cl_command_properties_khr, cl_sync_point_khr,
};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;

use super::context::Context;
use super::kernel::Kernel;
use super::ndrange::RequestedSizes;
use super::queue::Queue;
use crate::error::{ClError, ClResult};
use crate::object::{self, Borrowed, ClObject, HandleHeader};

mod plan;
mod spread;

pub use plan::Plan;
pub use spread::enqueue;

/// `cl_command_buffer_khr`
#[derive(Debug)]
pub struct CommandBuffer {
    head: HandleHeader<Self>,
    /// The queues of the commands, at least one, all of one context.
    queues: Vec<Arc<Queue>>,
    /// `CL_COMMAND_BUFFER_FLAGS_KHR`
    flags: cl_bitfield,
    /// `CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR`: the application's list with its final zero; empty
    /// for NULL.
    properties: Vec<cl_command_buffer_properties_khr>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    finalized: bool,
    commands: Vec<Recorded>,
    /// All commands, once they have been enqueued since the last change.
    plan: Option<Arc<Plan>>,
}

/// A recorded command.
#[derive(Debug)]
pub struct Recorded {
    /// Index of its queue in the command buffer's list.
    pub queue: usize,
    /// The sync points for which it waits.
    pub waits: Vec<cl_sync_point_khr>,
    /// Its Mux commands; `None`: a kernel launch some of whose arguments have not been set.
    pub commands: Option<mux::CommandBuffer>,
    /// What it was recorded from.
    pub source: Source,
}

/// What a command was recorded from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A kernel launch without a handle.
    Launch(Dispatch),
    /// A kernel launch with the handle that the application has asked for.
    Mutable(Arc<MutableCommand>),
    /// Any other command.
    Steps(Arc<dyn Steps>),
}

/// The steps that record a command which is no kernel launch.
pub trait Steps: Debug + Send + Sync {
    /// The Mux commands for a queue of the context.
    ///
    /// # Errors
    /// Those of the command, if the queue's device cannot run it.
    fn commands(&self, queue: &Arc<Queue>) -> ClResult<mux::CommandBuffer>;
}

/// A command without its Mux commands, for a copy of its command buffer.
#[derive(Debug)]
pub struct Original {
    /// Index of its queue in the command buffer's list.
    pub queue: usize,
    /// The sync points for which it waits.
    pub waits: Vec<cl_sync_point_khr>,
    /// What it was recorded from.
    pub source: Source,
}

impl ClObject for CommandBuffer {
    type Raw = sys::_cl_command_buffer_khr;
    const TAG: u32 = u32::from_le_bytes(*b"cbuf");
    const INVALID: ClError = ClError::INVALID_COMMAND_BUFFER_KHR;
    const REACHABLE: bool = false;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// `cl_mutable_command_khr`: a kernel launch in a command buffer.
#[derive(Debug)]
pub struct MutableCommand {
    head: HandleHeader<Self>,
    buffer: Weak<CommandBuffer>,
    /// The number of the command in the buffer, once it has been recorded.
    index: OnceLock<usize>,
    /// The kernel that the application recorded.
    kernel: Arc<Kernel>,
    /// `CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR`: the application's list with its final zero; empty
    /// for NULL.
    properties: Vec<cl_command_properties_khr>,
    /// `CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR`
    fields: cl_bitfield,
    dispatch: Mutex<Dispatch>,
}

/// What a kernel launch in a command buffer launches.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The kernel with the arguments of this launch.
    pub kernel: Arc<KernelSnapshot>,
    /// The sizes, as the application gave them.
    pub sizes: RequestedSizes,
}

/// A kernel with arguments that no call of the application changes.
#[derive(Debug)]
pub struct KernelSnapshot(Arc<Kernel>);

impl ClObject for MutableCommand {
    type Raw = sys::_cl_mutable_command_khr;
    const TAG: u32 = u32::from_le_bytes(*b"mcom");
    const INVALID: ClError = ClError::INVALID_MUTABLE_COMMAND_KHR;
    const REACHABLE: bool = false;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

impl CommandBuffer {
    /// An empty command buffer with one application reference.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        queues: Vec<Arc<Queue>>,
        flags: cl_bitfield,
        properties: Vec<cl_command_buffer_properties_khr>,
    ) -> ClResult<Arc<Self>> {
        let state = State { finalized: false, commands: Vec::new(), plan: None };
        let state = Mutex::new(Rank::CommandBuffer, state);
        object::create(|head| Ok(Self { head, queues, flags, properties, state }))
    }

    /// The queues that the buffer was created for, at least one.
    #[must_use]
    pub fn queues(&self) -> &[Arc<Queue>] {
        &self.queues
    }

    /// The context of the queues.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        self.queues[0].context()
    }

    /// `CL_COMMAND_BUFFER_FLAGS_KHR`
    #[must_use]
    pub fn flags(&self) -> cl_bitfield {
        self.flags
    }

    /// `CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR`
    #[must_use]
    pub fn properties(&self) -> &[cl_command_buffer_properties_khr] {
        &self.properties
    }

    /// True if its kernel launches may be updated.
    #[must_use]
    pub fn is_mutable(&self) -> bool {
        self.flags & sys::CL_COMMAND_BUFFER_MUTABLE_KHR != 0
    }

    /// `CL_COMMAND_BUFFER_STATE_KHR`
    #[must_use]
    pub fn status(&self) -> cl_command_buffer_state_khr {
        let state = self.state.lock();
        match (state.finalized, state.commands.iter().all(|c| c.commands.is_some())) {
            (false, _) => sys::CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
            (true, true) => sys::CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
            (true, false) => sys::CL_COMMAND_BUFFER_STATE_FINALIZED_KHR,
        }
    }

    /// CL_INVALID_OPERATION if the buffer has been finalized.
    ///
    /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if a sync point is not that of a recorded command.
    ///
    /// # Errors
    /// As above.
    pub fn may_record(&self, sync_points: &[cl_sync_point_khr]) -> ClResult<()> {
        let state = self.state.lock();
        if state.finalized {
            return Err(ClError::INVALID_OPERATION);
        }
        let known =
            |point: &cl_sync_point_khr| (1..=state.commands.len()).contains(&(*point as usize));
        if sync_points.iter().all(known) {
            Ok(())
        } else {
            Err(ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR)
        }
    }

    /// Records a command, and returns its sync point.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if the buffer has been finalized, `CL_OUT_OF_RESOURCES` without a
    /// number for the sync point, `CL_OUT_OF_HOST_MEMORY`.
    pub fn record(&self, command: Recorded) -> ClResult<cl_sync_point_khr> {
        let mut state = self.state.lock();
        if state.finalized {
            return Err(ClError::INVALID_OPERATION);
        }
        let index = state.commands.len();
        let point =
            cl_sync_point_khr::try_from(index + 1).map_err(|_| ClError::OUT_OF_RESOURCES)?;
        state.commands.try_reserve(1)?;
        if let Source::Mutable(handle) = &command.source {
            let _ = handle.index.set(index);
        }
        state.commands.push(command);
        Ok(point)
    }

    /// Ends recording.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if the buffer has been finalized before.
    pub fn finalize(&self) -> ClResult<()> {
        let mut state = self.state.lock();
        if std::mem::replace(&mut state.finalized, true) {
            return Err(ClError::INVALID_OPERATION);
        }
        Ok(())
    }

    /// All commands, for an enqueue.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if the buffer is not executable, `CL_OUT_OF_HOST_MEMORY`.
    pub fn plan(&self) -> ClResult<Arc<Plan>> {
        let mut state = self.state.lock();
        let State { finalized, commands, plan } = &mut *state;
        if let Some(plan) = plan {
            return Ok(plan.clone());
        }
        if !*finalized {
            return Err(ClError::INVALID_OPERATION);
        }
        let made = Arc::new(Plan::of(&self.queues, commands)?);
        Ok(plan.insert(made).clone())
    }

    /// Whether the buffer has been finalized, and its commands, for a copy.
    #[must_use]
    pub fn originals(&self) -> (bool, Vec<Original>) {
        let state = self.state.lock();
        let original = |c: &Recorded| Original {
            queue: c.queue,
            waits: c.waits.clone(),
            source: c.source.clone(),
        };
        (state.finalized, state.commands.iter().map(original).collect())
    }

    /// The queue of a kernel launch that may be updated.
    #[must_use]
    pub fn queue_of(&self, command: &MutableCommand) -> &Arc<Queue> {
        let index = command.index.get().copied().unwrap_or(0);
        let queue = self.state.lock().commands.get(index).map_or(0, |c| c.queue);
        &self.queues[queue]
    }

    /// CL_INVALID_OPERATION if the buffer has not been finalized, or is not mutable.
    ///
    /// # Errors
    /// As above.
    pub fn may_update(&self) -> ClResult<()> {
        let finalized = self.state.lock().finalized;
        if finalized && self.is_mutable() { Ok(()) } else { Err(ClError::INVALID_OPERATION) }
    }

    /// Replaces kernel launches, all at once. Later enqueues run the new ones.
    pub fn update(&self, changes: Vec<Update>) {
        let mut replaced = Vec::with_capacity(changes.len());
        let mut state = self.state.lock();
        // Dropped without the lock, because drops may call the application back.
        let plan = state.plan.take();
        for Update { command, dispatch, commands } in changes {
            let index = command.index.get().copied();
            let Some(recorded) = index.and_then(|index| state.commands.get_mut(index)) else {
                continue;
            };
            let before = std::mem::replace(&mut recorded.commands, commands);
            let old = std::mem::replace(&mut *command.dispatch.lock(), dispatch);
            replaced.push((before, old));
        }
        drop(state);
        drop((plan, replaced));
    }
}

/// A new version of a kernel launch.
#[derive(Debug)]
pub struct Update {
    /// The launch.
    pub command: Arc<MutableCommand>,
    /// Its kernel, arguments and sizes.
    pub dispatch: Dispatch,
    /// Its Mux commands; `None` if arguments are missing.
    pub commands: Option<mux::CommandBuffer>,
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        // "The lifetime of this handle is tied to the parent command-buffer."
        for command in &self.state.get_mut().commands {
            if let Source::Mutable(handle) = &command.source {
                let _ = object::release::<MutableCommand>(handle.handle());
            }
        }
    }
}

impl MutableCommand {
    /// A kernel launch that will be recorded in `buffer`.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        buffer: Borrowed<'_, CommandBuffer>,
        kernel: Arc<Kernel>,
        dispatch: Dispatch,
        properties: Vec<cl_command_properties_khr>,
        fields: cl_bitfield,
    ) -> ClResult<Arc<Self>> {
        let dispatch = Mutex::new(Rank::MutableCommand, dispatch);
        let (index, buffer) = (OnceLock::new(), Arc::downgrade(&buffer.keep()));
        object::create(|head| {
            Ok(Self { head, buffer, index, kernel, properties, fields, dispatch })
        })
    }

    /// The same launch for a copy of its command buffer.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn copy_to(&self, buffer: Borrowed<'_, CommandBuffer>) -> ClResult<Arc<Self>> {
        let (kernel, properties) = (self.kernel.clone(), self.properties.clone());
        Self::new(buffer, kernel, self.dispatch(), properties, self.fields)
    }

    /// The command buffer.
    #[must_use]
    pub fn buffer(&self) -> Option<Arc<CommandBuffer>> {
        self.buffer.upgrade()
    }

    /// `CL_MUTABLE_DISPATCH_KERNEL_KHR`
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// `CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR`
    #[must_use]
    pub fn properties(&self) -> &[cl_command_properties_khr] {
        &self.properties
    }

    /// True if an update may change the fields of this bit.
    #[must_use]
    pub fn may_change(&self, field: cl_bitfield) -> bool {
        self.fields & field != 0
    }

    /// What it launches now.
    #[must_use]
    pub fn dispatch(&self) -> Dispatch {
        self.dispatch.lock().clone()
    }
}

impl KernelSnapshot {
    /// A copy of `kernel` with the arguments that it has now.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn of(kernel: &Kernel) -> ClResult<Self> {
        kernel.copy().map(Self)
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.0
    }
}

impl Drop for KernelSnapshot {
    fn drop(&mut self) {
        // The application does not know the handle.
        let _ = object::release::<Kernel>(self.0.handle());
    }
}
