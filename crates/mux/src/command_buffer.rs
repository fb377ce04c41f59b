//! Command buffers: record, finalise, dispatch any number of times, reset, clone, update.
//!
//! Commands take effect in the order recorded. A finalised buffer is immutable and shared with
//! dispatches in flight, so resetting or updating it never disturbs them.

use crate::command::HostFunction;
use crate::{
    Buffer, Callback, CallbackInfo, CheckedLaunch, Command, Condition, Descriptor, FillPattern,
    HostMut, HostRef, Launch, MuxError, QueryPool, RectRegion,
};
use std::sync::Arc;

/// Index of a command in its buffer, for [`CommandBuffer::update`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandId(usize);

/// A list of commands, recorded once and dispatched any number of times.
#[derive(Debug, Clone)]
pub struct CommandBuffer {
    /// The commands while recording; empty afterwards.
    recording: Vec<Command>,
    /// The commands once finalised.
    finalised: Option<Arc<Vec<Command>>>,
    /// Bytes of local memory that the device has for a work-group.
    local_memory: u64,
}

impl CommandBuffer {
    pub(crate) fn new(local_memory: u64) -> Self {
        Self { recording: Vec::new(), finalised: None, local_memory }
    }

    fn list(&self) -> &Vec<Command> {
        self.finalised.as_deref().unwrap_or(&self.recording)
    }

    /// Reserves memory for `count` more commands, if possible.
    pub fn reserve(&mut self, count: usize) {
        let _ = self.recording.try_reserve(count);
    }

    /// Reserves memory for `count` more commands, so that recording them cannot fail for lack of
    /// memory.
    ///
    /// # Errors
    /// `OutOfMemory`.
    #[inline]
    pub fn try_reserve(&mut self, count: usize) -> Result<(), MuxError> {
        self.recording.try_reserve(count).map_err(|_| MuxError::OutOfMemory)
    }

    /// Number of commands.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list().len()
    }

    /// The name of the kernel of the last command; `None` if that is no launch.
    #[must_use]
    pub fn last_kernel(&self) -> Option<&str> {
        match self.list().last() {
            Some(Command::NdRange(launch)) => Some(&launch.kernel.variant().kernel),
            _ => None,
        }
    }

    /// True without commands. An empty buffer may be dispatched for synchronisation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list().is_empty()
    }

    /// True once [`Self::finalise`] has been called: the buffer may be dispatched, not recorded to.
    #[must_use]
    pub fn is_finalised(&self) -> bool {
        self.finalised.is_some()
    }

    /// Ends recording.
    ///
    /// # Errors
    /// `InvalidValue` if already finalised.
    pub fn finalise(&mut self) -> Result<(), MuxError> {
        if self.is_finalised() {
            return Err(MuxError::InvalidValue("command buffer is finalised already"));
        }
        self.finalised = Some(Arc::new(std::mem::take(&mut self.recording)));
        Ok(())
    }

    /// Empties the buffer for recording. Dispatches in flight keep their commands.
    pub fn reset(&mut self) {
        self.recording.clear();
        if let Some(list) = self.finalised.take()
            && let Ok(mut list) = Arc::try_unwrap(list)
        {
            list.clear();
            self.recording = list;
        }
    }

    /// The commands of a dispatch; `None` while recording.
    pub(crate) fn into_commands(self) -> Option<Arc<Vec<Command>>> {
        self.finalised
    }

    #[inline]
    fn push(&mut self, command: Command) -> Result<CommandId, MuxError> {
        if self.is_finalised() {
            return Err(MuxError::InvalidValue("command buffer is finalised"));
        }
        let list = &mut self.recording;
        let index = list.len();
        if index == list.capacity() {
            list.try_reserve(1).map_err(|_| MuxError::OutOfMemory)?;
        }
        list.push(command);
        Ok(CommandId(index))
    }

    /// Records a read of `size` bytes.
    ///
    /// # Errors
    /// `InvalidValue` out of range, empty or finalised; `OutOfMemory`. The same for every recording
    /// function.
    pub fn read_buffer(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: u64,
        dst: HostMut,
    ) -> Result<CommandId, MuxError> {
        check_range(buffer, offset, size)?;
        self.push(Command::ReadBuffer { buffer: buffer.clone(), offset, size, dst })
    }

    /// Records a write of `size` bytes.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn write_buffer(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: u64,
        src: HostRef,
    ) -> Result<CommandId, MuxError> {
        check_range(buffer, offset, size)?;
        self.push(Command::WriteBuffer { buffer: buffer.clone(), offset, size, src })
    }

    /// Records a copy of `size` bytes.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn copy_buffer(
        &mut self,
        src: &Buffer,
        src_offset: u64,
        dst: &Buffer,
        dst_offset: u64,
        size: u64,
    ) -> Result<CommandId, MuxError> {
        check_range(src, src_offset, size)?;
        check_range(dst, dst_offset, size)?;
        self.push(Command::CopyBuffer {
            src: src.clone(),
            src_offset,
            dst: dst.clone(),
            dst_offset,
            size,
        })
    }

    /// Records a fill of `size` bytes.
    ///
    /// # Errors
    /// As [`Self::read_buffer`]; also if offset or size is no multiple of the pattern.
    pub fn fill_buffer(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: u64,
        pattern: FillPattern,
    ) -> Result<CommandId, MuxError> {
        check_range(buffer, offset, size)?;
        let step = pattern.bytes().len() as u64;
        if !offset.is_multiple_of(step) || !size.is_multiple_of(step) {
            return Err(MuxError::InvalidValue("fill is no multiple of the pattern"));
        }
        self.push(Command::FillBuffer {
            buffer: buffer.clone(),
            offset,
            size,
            pattern: Arc::new(pattern),
        })
    }

    /// Records a read of a rectangle: the buffer is the source.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn read_rect(
        &mut self,
        buffer: &Buffer,
        dst: HostMut,
        rect: RectRegion,
    ) -> Result<CommandId, MuxError> {
        check_rect(buffer, rect.end(rect.src_offset, rect.src_pitch))?;
        self.push(Command::ReadRect { buffer: buffer.clone(), dst, rect: Arc::new(rect) })
    }

    /// Records a write of a rectangle: the buffer is the destination.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn write_rect(
        &mut self,
        buffer: &Buffer,
        src: HostRef,
        rect: RectRegion,
    ) -> Result<CommandId, MuxError> {
        check_rect(buffer, rect.end(rect.dst_offset, rect.dst_pitch))?;
        self.push(Command::WriteRect { buffer: buffer.clone(), src, rect: Arc::new(rect) })
    }

    /// Records a copy of a rectangle.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn copy_rect(
        &mut self,
        src: &Buffer,
        dst: &Buffer,
        rect: RectRegion,
    ) -> Result<CommandId, MuxError> {
        check_rect(src, rect.end(rect.src_offset, rect.src_pitch))?;
        check_rect(dst, rect.end(rect.dst_offset, rect.dst_pitch))?;
        self.push(Command::CopyRect { src: src.clone(), dst: dst.clone(), rect: Arc::new(rect) })
    }

    /// Records making host writes visible to the device (after an unmap).
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn flush_to_device(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: u64,
    ) -> Result<CommandId, MuxError> {
        check_range(buffer, offset, size)?;
        self.push(Command::FlushToDevice { buffer: buffer.clone(), offset, size })
    }

    /// Records making device writes visible to the host (before the application gets a map's
    /// pointer).
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn flush_from_device(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: u64,
    ) -> Result<CommandId, MuxError> {
        check_range(buffer, offset, size)?;
        self.push(Command::FlushFromDevice { buffer: buffer.clone(), offset, size })
    }

    /// Records a kernel launch.
    ///
    /// # Errors
    /// `InvalidValue` for a bad number of dimensions, a work-group size of 0, an argument that is
    /// not set, or sizes that the kernel is not specialized for. `OutOfResources` for more local
    /// memory than the device has. `OutOfMemory`.
    pub fn nd_range(&mut self, launch: impl Into<Arc<Launch>>) -> Result<CommandId, MuxError> {
        self.checked_nd_range(CheckedLaunch::new(launch)?)
    }

    /// Records a kernel launch that has been checked, for a launch that is recorded repeatedly.
    ///
    /// # Errors
    /// `OutOfResources` for more local memory than the device has. `InvalidValue` if finalised.
    /// `OutOfMemory`.
    #[inline]
    pub fn checked_nd_range(&mut self, launch: CheckedLaunch) -> Result<CommandId, MuxError> {
        let launch = launch.within(self.local_memory)?;
        self.push(Command::NdRange(launch))
    }

    /// Records a call of a host function between commands.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn user_callback(
        &mut self,
        callback: impl Fn(&CallbackInfo) + Send + Sync + 'static,
    ) -> Result<CommandId, MuxError> {
        self.push(Command::UserCallback(Arc::new(callback)))
    }

    /// Records a call of a host function that does not receive the errors of earlier commands. They
    /// go to the next callback.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn host_function(
        &mut self,
        function: impl Fn() + Send + Sync + 'static,
    ) -> Result<CommandId, MuxError> {
        self.push(Command::UserCallback(Arc::new(HostFunction(function))))
    }

    /// [`Self::user_callback`] with a shared callback.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn shared_callback(&mut self, callback: Arc<dyn Callback>) -> Result<CommandId, MuxError> {
        self.push(Command::UserCallback(callback))
    }

    /// Records a check on the host: if `condition` fails when it is reached, the next `skip`
    /// commands do not run.
    ///
    /// # Errors
    /// As [`Self::read_buffer`].
    pub fn guard(
        &mut self,
        condition: Arc<dyn Condition>,
        skip: usize,
    ) -> Result<CommandId, MuxError> {
        self.push(Command::Guard { condition, skip })
    }

    /// Records all commands of `other`, which may be finalised or not.
    ///
    /// # Errors
    /// `InvalidValue` if this buffer is finalised; `OutOfMemory`.
    pub fn append(&mut self, other: &Self) -> Result<(), MuxError> {
        if self.is_finalised() {
            return Err(MuxError::InvalidValue("command buffer is finalised"));
        }
        self.try_reserve(other.len())?;
        self.recording.extend_from_slice(other.list());
        Ok(())
    }

    /// Removes every command behind the first `len`, to undo a partially recorded group.
    ///
    /// # Errors
    /// `InvalidValue` if finalised.
    pub fn truncate(&mut self, len: usize) -> Result<(), MuxError> {
        if self.is_finalised() {
            return Err(MuxError::InvalidValue("command buffer is finalised"));
        }
        self.recording.truncate(len);
        Ok(())
    }

    /// Records the start of duration query `index`.
    ///
    /// # Errors
    /// `InvalidValue` for a bad index.
    pub fn begin_query(&mut self, pool: &QueryPool, index: usize) -> Result<CommandId, MuxError> {
        pool.check(index, 1)?;
        self.push(Command::BeginQuery { pool: pool.clone(), index })
    }

    /// Records the end of duration query `index`.
    ///
    /// # Errors
    /// `InvalidValue` for a bad index.
    pub fn end_query(&mut self, pool: &QueryPool, index: usize) -> Result<CommandId, MuxError> {
        pool.check(index, 1)?;
        self.push(Command::EndQuery { pool: pool.clone(), index })
    }

    /// Records a reset of queries.
    ///
    /// # Errors
    /// `InvalidValue` for a bad range.
    pub fn reset_query_pool(
        &mut self,
        pool: &QueryPool,
        index: usize,
        count: usize,
    ) -> Result<CommandId, MuxError> {
        pool.check(index, count)?;
        self.push(Command::ResetQueryPool { pool: pool.clone(), index, count })
    }

    /// Changes arguments of a recorded launch in a finalised buffer (`muxUpdateDescriptors`). With
    /// `None` as data the descriptor contains the value.
    ///
    /// # Errors
    /// `InvalidValue` if not finalised, not a launch, or an argument that does not fit;
    /// `OutOfResources` for more local memory than the device has. On error nothing is changed.
    pub fn update(
        &mut self,
        command: CommandId,
        changes: &[(usize, Descriptor, Option<&[u8]>)],
    ) -> Result<(), MuxError> {
        let Some(list) = &mut self.finalised else {
            return Err(MuxError::InvalidValue("only finalised command buffers are updated"));
        };
        let Some(Command::NdRange(launch)) = list.get(command.0) else {
            return Err(MuxError::InvalidValue("command is no NDRange"));
        };
        let mut changed = Launch::clone(launch);
        let args = Arc::make_mut(&mut changed.args);
        for (index, descriptor, data) in changes {
            match (descriptor, data) {
                (Descriptor::PlainData, Some(bytes)) => args.set_data(*index, bytes)?,
                (d, None) => args.set(*index, d.clone())?,
                _ => return Err(MuxError::InvalidValue("descriptor and data do not match")),
            }
        }
        let changed = CheckedLaunch::new(changed)?.within(self.local_memory)?;
        Arc::make_mut(list)[command.0] = Command::NdRange(changed);
        Ok(())
    }
}

fn check_range(buffer: &Buffer, offset: u64, size: u64) -> Result<(), MuxError> {
    if size == 0 {
        return Err(MuxError::InvalidValue("transfer of no bytes"));
    }
    buffer.check(offset, size)
}

fn check_rect(buffer: &Buffer, end: Option<u64>) -> Result<(), MuxError> {
    match end {
        Some(end) if end <= buffer.size() => Ok(()),
        _ => Err(MuxError::InvalidValue("rectangle outside the buffer")),
    }
}
