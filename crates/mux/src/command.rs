//! The commands that a command buffer records.

use crate::{ArgBlock, Buffer, DeviceQueue, Kernel, MuxError, QueryPool};
use std::fmt;
use std::sync::Arc;

/// Host memory that a command reads. The recorder promises that it stays valid until the command
/// has run.
#[derive(Debug, Clone, Copy)]
pub struct HostRef(*const u8);
/// Host memory that a command writes. The recorder promises that it stays valid and unshared until
/// the command has run.
#[derive(Debug, Clone, Copy)]
pub struct HostMut(*mut u8);

// SAFETY: plain addresses; the promises made at construction hold on whichever thread runs the
// command.
unsafe impl Send for HostRef {}
// SAFETY: as above.
unsafe impl Sync for HostRef {}
// SAFETY: as above.
unsafe impl Send for HostMut {}
// SAFETY: as above.
unsafe impl Sync for HostMut {}

impl HostRef {
    /// Wraps an address.
    ///
    /// # Safety
    /// The address stays valid for reads of all the command's bytes until the command has run.
    #[must_use]
    pub unsafe fn new(ptr: *const u8) -> Self {
        Self(ptr)
    }
    /// The address.
    #[must_use]
    pub fn ptr(self) -> *const u8 {
        self.0
    }
}

impl HostMut {
    /// Wraps an address.
    ///
    /// # Safety
    /// The address stays valid for writes of all the command's bytes until the command has run.
    #[must_use]
    pub unsafe fn new(ptr: *mut u8) -> Self {
        Self(ptr)
    }
    /// The address.
    #[must_use]
    pub fn ptr(self) -> *mut u8 {
        self.0
    }
}

/// A fill pattern whose length is a power of two from 1 to 128 bytes.
#[derive(Clone, Copy)]
pub struct FillPattern {
    bytes: [u8; 128],
    len: u8,
}

impl FillPattern {
    /// Copies a pattern.
    ///
    /// # Errors
    /// `InvalidValue` for a length that is not a power of two up to 128.
    pub fn new(pattern: &[u8]) -> Result<Self, MuxError> {
        let len = u8::try_from(pattern.len()).unwrap_or(0);
        if !len.is_power_of_two() || len > 128 {
            return Err(MuxError::InvalidValue("fill pattern size"));
        }
        let mut bytes = [0; 128];
        bytes[..pattern.len()].copy_from_slice(pattern);
        Ok(Self { bytes, len })
    }
    /// The pattern.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl fmt::Debug for FillPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FillPattern({:?})", self.bytes())
    }
}

/// A box of bytes in two linear spaces, as in `clEnqueue*BufferRect`: `region[0]` bytes per row,
/// `region[1]` rows, `region[2]` slices. Offsets of the first byte and pitches are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RectRegion {
    /// Extent: bytes of a row, rows of a slice, slices.
    pub region: [u64; 3],
    /// Offset of the first byte in the source.
    pub src_offset: u64,
    /// Row and slice pitch of the source, in bytes.
    pub src_pitch: [u64; 2],
    /// Offset of the first byte in the destination.
    pub dst_offset: u64,
    /// Row and slice pitch of the destination, in bytes.
    pub dst_pitch: [u64; 2],
}

impl RectRegion {
    /// One past the last byte of the box from `offset` with `pitch`; `None` on overflow.
    #[must_use]
    pub fn end(&self, offset: u64, pitch: [u64; 2]) -> Option<u64> {
        let [width, rows, slices] = self.region;
        if width == 0 || rows == 0 || slices == 0 {
            return None;
        }
        let y = pitch[0].checked_mul(rows - 1)?;
        let z = pitch[1].checked_mul(slices - 1)?;
        offset.checked_add(y)?.checked_add(z)?.checked_add(width)
    }
}

/// The index space of a launch, in work-items (OpenCL API 3.2.1). Unused dimensions are 1 (sizes)
/// and 0 (offset).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NdRange {
    /// Dimensions in use: 1, 2 or 3.
    pub work_dim: u32,
    /// Global offset: the smallest global id of each dimension.
    pub offset: [u64; 3],
    /// Global size. If a dimension is 0, no work-item runs.
    pub global: [u64; 3],
    /// Work-group size, never 0. It need not divide the global size, unless the kernel's
    /// specialization key requires uniform groups.
    pub local: [u64; 3],
}

impl NdRange {
    /// True if no work-item runs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.global.contains(&0)
    }

    /// True if every global id is below 2^31.
    #[must_use]
    pub fn has_small_ids(&self) -> bool {
        let end = |(at, size): (&u64, u64)| at.checked_add(size).is_some_and(|end| end <= 1 << 31);
        self.offset.iter().zip(self.global).all(end)
    }

    /// Number of work-items in a full work-group; `None` if it exceeds 64 bits.
    #[must_use]
    pub fn group_items(&self) -> Option<u64> {
        self.local.iter().try_fold(1u64, |items, size| items.checked_mul(*size))
    }
}

/// A kernel launch: everything that a target needs to run a kernel once.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The kernel, specialized for this launch.
    pub kernel: Kernel,
    /// Arguments of the kernel, all of them set.
    pub args: Arc<ArgBlock>,
    /// Index space of the launch.
    pub range: NdRange,
    /// The result of `get_default_queue` in the kernel.
    pub default_queue: Option<DeviceQueue>,
}

impl Launch {
    /// Bytes of local memory that a work-group needs: the kernel's own variables, then each local
    /// argument. Each is aligned to [`LOCAL_ALIGN`](muxcl_types::sched::LOCAL_ALIGN).
    #[must_use]
    pub fn local_bytes(&self) -> u64 {
        let own = self.kernel.variant().local_bytes;
        own.checked_next_multiple_of(muxcl_types::sched::LOCAL_ALIGN)
            .unwrap_or(u64::MAX)
            .saturating_add(self.args.local_bytes())
    }

    /// Checks everything that does not depend on the device.
    fn check(&self) -> Result<(), MuxError> {
        let range = &self.range;
        if !(1..=3).contains(&range.work_dim) {
            return Err(MuxError::InvalidValue("NDRange rank"));
        }
        if range.local.contains(&0) {
            return Err(MuxError::InvalidValue("local size 0"));
        }
        if !self.args.is_complete() {
            return Err(MuxError::InvalidValue("argument not set"));
        }
        let key = &self.kernel.variant().key;
        if let Some(fixed) = key.local_size
            && fixed.map(u64::from) != range.local
        {
            return Err(MuxError::InvalidValue("variant is for another local size"));
        }
        if key.zero_offset && range.offset != [0; 3] {
            return Err(MuxError::InvalidValue("variant is for offset zero"));
        }
        if key.uniform && range.global.iter().zip(range.local).any(|(g, l)| !g.is_multiple_of(l)) {
            return Err(MuxError::InvalidValue("variant is for full groups"));
        }
        if key.small_ids && !range.has_small_ids() {
            return Err(MuxError::InvalidValue("variant is for global ids below 2^31"));
        }
        if !key.words.iter().all(|word| self.args.word(word.offset) == Some(word.value)) {
            return Err(MuxError::InvalidValue("variant is for other image formats or samplers"));
        }
        Ok(())
    }
}

/// A launch that has been checked. It cannot change, so it can be recorded repeatedly. Each record
/// only compares its local memory with that of the device.
#[derive(Debug, Clone)]
pub struct CheckedLaunch {
    launch: Arc<Launch>,
    /// Bytes of local memory that a work-group needs. The size of the kernel's own variables is not
    /// rounded up here.
    local_bytes: u64,
}

impl CheckedLaunch {
    /// Checks a launch.
    ///
    /// # Errors
    /// `InvalidValue` for a bad number of dimensions, a work-group size of 0, an argument that is
    /// not set, or sizes that the kernel is not specialized for.
    pub fn new(launch: impl Into<Arc<Launch>>) -> Result<Self, MuxError> {
        let launch = launch.into();
        launch.check()?;
        let own = launch.kernel.variant().local_bytes;
        Ok(Self { local_bytes: own.saturating_add(launch.args.local_bytes()), launch })
    }

    /// The launch.
    #[must_use]
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The launch, if the local memory of a work-group fits in `available` bytes.
    #[inline]
    pub(crate) fn within(self, available: u64) -> Result<Arc<Launch>, MuxError> {
        if self.local_bytes <= available { Ok(self.launch) } else { Err(self.too_large(available)) }
    }

    #[cold]
    fn too_large(&self, available: u64) -> MuxError {
        MuxError::OutOfResources(format!(
            "{} bytes of local memory, {available} available",
            self.local_bytes
        ))
    }
}

/// The argument of a [`Command::UserCallback`].
#[derive(Debug, Clone)]
pub struct CallbackInfo {
    /// First error of the commands since the previous callback of this command buffer that takes
    /// errors. Always `None` for a callback that does not.
    pub error: Option<MuxError>,
}

/// The function of a callback command. It is called once in each dispatch, on any thread. Any
/// closure of the right type implements it.
pub trait Callback: Send + Sync {
    /// Called between commands, with no lock held.
    fn call(&self, info: &CallbackInfo);
    /// False if [`Self::call`] ignores the error of earlier commands. The next callback that takes
    /// errors then receives it.
    fn takes_error(&self) -> bool {
        true
    }
    /// True if the commands after the callback may begin before the call.
    fn is_notification(&self) -> bool {
        false
    }
}

impl<F: Fn(&CallbackInfo) + Send + Sync> Callback for F {
    fn call(&self, info: &CallbackInfo) {
        self(info);
    }
}

/// The callback of [`CommandBuffer::host_function`](crate::CommandBuffer::host_function).
pub(crate) struct HostFunction<F>(pub(crate) F);

impl<F: Fn() + Send + Sync> Callback for HostFunction<F> {
    fn call(&self, _: &CallbackInfo) {
        (self.0)();
    }

    fn takes_error(&self) -> bool {
        false
    }
}

/// The condition of a guard command. It may also prepare resources of the guarded commands. Any
/// closure of the right type implements it.
pub trait Condition: Send + Sync {
    /// Called when the guard is reached, with no lock held.
    ///
    /// # Errors
    /// The reason why the guarded commands must not run.
    fn check(&self) -> Result<(), MuxError>;
    /// [`Self::check`] while earlier commands of the command buffer may still run. Returns false if
    /// it has to wait for them, or fails; `check` is called later then.
    fn check_early(&self) -> bool {
        false
    }
}

impl<F: Fn() -> Result<(), MuxError> + Send + Sync> Condition for F {
    fn check(&self) -> Result<(), MuxError> {
        self()
    }
}

/// One recorded command.
#[derive(Clone)]
#[expect(
    missing_docs,
    reason = "fields are named as in the Mux specification's muxCommand* functions; units are bytes"
)]
pub enum Command {
    /// Copies from a buffer to host memory.
    ReadBuffer { buffer: Buffer, offset: u64, size: u64, dst: HostMut },
    /// Copies from host memory to a buffer.
    WriteBuffer { buffer: Buffer, offset: u64, size: u64, src: HostRef },
    /// Copies between buffers; the ranges do not overlap.
    CopyBuffer { src: Buffer, src_offset: u64, dst: Buffer, dst_offset: u64, size: u64 },
    /// Repeats a pattern; offset and size are multiples of its length.
    FillBuffer { buffer: Buffer, offset: u64, size: u64, pattern: Arc<FillPattern> },
    /// Copies a rectangle of a buffer to host memory.
    ReadRect { buffer: Buffer, dst: HostMut, rect: Arc<RectRegion> },
    /// Copies a rectangle of host memory to a buffer.
    WriteRect { buffer: Buffer, src: HostRef, rect: Arc<RectRegion> },
    /// Copies a rectangle between buffers, or within one without overlap.
    CopyRect { src: Buffer, dst: Buffer, rect: Arc<RectRegion> },
    /// Makes host writes visible to the device, after an unmap.
    FlushToDevice { buffer: Buffer, offset: u64, size: u64 },
    /// Makes device writes visible to the host, before a map.
    FlushFromDevice { buffer: Buffer, offset: u64, size: u64 },
    /// Runs a kernel.
    NdRange(Arc<Launch>),
    /// Calls the host.
    UserCallback(Arc<dyn Callback>),
    /// Checks a condition on the host. If it fails, the next `skip` commands do not run and fail
    /// with its error.
    Guard { condition: Arc<dyn Condition>, skip: usize },
    /// Starts a duration query.
    BeginQuery { pool: QueryPool, index: usize },
    /// Ends a duration query.
    EndQuery { pool: QueryPool, index: usize },
    /// Resets queries.
    ResetQueryPool { pool: QueryPool, index: usize, count: usize },
}

/// Batches contain many commands, so commands are small.
const _: () = assert!(size_of::<Command>() <= 48);

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReadBuffer { .. } => "ReadBuffer",
            Self::WriteBuffer { .. } => "WriteBuffer",
            Self::CopyBuffer { .. } => "CopyBuffer",
            Self::FillBuffer { .. } => "FillBuffer",
            Self::ReadRect { .. } => "ReadRect",
            Self::WriteRect { .. } => "WriteRect",
            Self::CopyRect { .. } => "CopyRect",
            Self::FlushToDevice { .. } => "FlushToDevice",
            Self::FlushFromDevice { .. } => "FlushFromDevice",
            Self::NdRange(_) => "NdRange",
            Self::UserCallback(_) => "UserCallback",
            Self::Guard { .. } => "Guard",
            Self::BeginQuery { .. } => "BeginQuery",
            Self::EndQuery { .. } => "EndQuery",
            Self::ResetQueryPool { .. } => "ResetQueryPool",
        })
    }
}
