//! Kernels: a function of a program with values for its arguments.
//!
//! Arguments are packed when they are set, into one [`ArgBlock`] for each device the program is
//! built for. A launch takes a reference to the block; a later `clSetKernelArg` copies a block that
//! is in use.
//!
//! Invariant: arguments of a launch never change once it is enqueued. Not here: launches
//! (`launch`), the rules for sizes (`ndrange`).

use std::ops::Range;
use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_img::descriptor;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{ArgBlock, Descriptor, DeviceQueue, MuxError};
use muxcl_types::program::{ArgInfo, ArgKind, KernelInfo};
use muxcl_types::variant::SpecializationKey;

mod launch;

pub use launch::PreparedLaunch;

use launch::LastLaunch;

use super::check;
use super::context::Context;
use super::device::Device;
use super::device_program::DeviceProgram;
use super::memory::{Mem, MemLifetime};
use super::program::Program;
use super::storage::{Access, Storage};
use crate::error::{ClError, ClResult, allocation_error};
use crate::explain::violated;
use crate::object::{self, Borrowed, ClObject, HandleHeader};

/// A kernel on one device of the context.
#[derive(Clone, Debug)]
struct OnDevice {
    built: Arc<DeviceProgram>,
    /// Index among the program's kernels there.
    index: usize,
}

#[derive(Clone, Debug)]
struct KernelState {
    /// The packed arguments, by index of the device in the context.
    arguments: Vec<Option<Arc<ArgBlock>>>,
    /// The lifetimes of the memory objects that arguments are set to, by argument.
    lifetimes: Vec<Weak<MemLifetime>>,
    /// The variant of the last launch: device, key, variant.
    last_variant: Option<(usize, SpecializationKey, muxcl_mux::Kernel)>,
    /// The memory objects that arguments are set to, by argument. Filled only in a context with
    /// memory domains.
    uses: Vec<Option<Argument>>,
    /// For the checker: the memory objects that arguments are set to, by argument. Filled only for
    /// a checked kernel.
    checked: Vec<Option<check::Argument>>,
    /// The kernel may access addresses of the process that are not arguments.
    indirect: bool,
    /// The kernel accesses the allocations that contain these addresses.
    reach: Vec<u64>,
    /// The kernel may access all device allocations.
    unified: bool,
    last_launch: Option<LastLaunch>,
}

/// A memory object that an argument is set to. Holds no reference to the object.
#[derive(Clone, Debug)]
struct Argument {
    storage: Arc<Storage>,
    range: Range<usize>,
    /// Offset of the first byte in the object that owns the memory.
    origin: usize,
    access: Access,
    /// For an image: the descriptor that kernels read, without the address.
    image: Option<[u8; descriptor::SIZE]>,
}

/// `cl_kernel`: a function of a program with its arguments.
#[derive(Debug)]
pub struct Kernel {
    head: HandleHeader<Self>,
    program: Arc<Program>,
    /// Metadata, the same for every device.
    info: Arc<KernelInfo>,
    /// By index of the device in the context.
    on: Vec<Option<OnDevice>>,
    state: Mutex<KernelState>,
}

impl ClObject for Kernel {
    type Raw = sys::_cl_kernel;
    const TAG: u32 = u32::from_le_bytes(*b"kern");
    const INVALID: ClError = ClError::INVALID_KERNEL;
    const REACHABLE: bool = false;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// A checked value for an argument.
#[derive(Debug)]
pub enum ArgValue<'a> {
    /// Bytes, as many as the argument's size.
    Bytes(&'a [u8]),
    /// A buffer.
    Buffer(Borrowed<'a, Mem>),
    /// An image: the object, and the descriptor that kernels read, without the address.
    Image(Borrowed<'a, Mem>, [u8; descriptor::SIZE]),
    /// A null buffer.
    Null,
    /// A value instead of a pointer: a sampler.
    Number(u32),
    /// An address in shared virtual memory.
    Address(u64),
    /// A size of local memory, in bytes.
    Local(usize),
    /// A device-side queue.
    Queue(DeviceQueue),
}

fn argument_error(error: &MuxError) -> ClError {
    match error {
        MuxError::OutOfMemory => ClError::OUT_OF_HOST_MEMORY,
        _ => ClError::INVALID_ARG_SIZE,
    }
}

/// True if the builds for two devices declare a kernel with the same arguments.
fn same_definition(a: &KernelInfo, b: &KernelInfo) -> bool {
    // The size of a pointer may differ between devices.
    let same = |(x, y): (&ArgInfo, &ArgInfo)| {
        x.kind == y.kind && (x.kind != ArgKind::Value || x.size == y.size)
    };
    a.args.len() == b.args.len() && a.args.iter().zip(&b.args).all(same)
}

/// The program that runs on a device: the one built for it, or, "if there is no program binary
/// built for a sub-device", the one for the device it is a part of.
fn program_for(program: &Program, device: &Arc<Device>) -> ClResult<Option<Arc<DeviceProgram>>> {
    let mut next = Some(device);
    while let Some(device) = next {
        if let Ok(index) = program.device_index(device)
            && let Some(built) = program.executable(index)?
        {
            return Ok(Some(built));
        }
        next = device.parent();
    }
    Ok(None)
}

/// The arguments that are addresses in shared virtual memory.
fn addresses(block: &ArgBlock) -> impl Iterator<Item = u64> {
    block
        .descriptors()
        .iter()
        .filter_map(|d| if let Descriptor::Address(address) = d { Some(*address) } else { None })
}

/// Replaces the memory objects among the arguments by their addresses on the device at `index`. A
/// device's first use of an object allocates its memory there.
fn resolve_addresses(
    block: &mut Arc<ArgBlock>,
    uses: &[Option<Argument>],
    device: &Device,
    index: usize,
) -> ClResult<()> {
    let align = device.base_address_align() as usize;
    for (argument, used) in uses.iter().enumerate() {
        let Some(used) = used else { continue };
        if matches!(
            block.descriptors().get(argument),
            Some(Descriptor::Buffer(..) | Descriptor::Image(..))
        ) {
            continue;
        }
        if !used.origin.is_multiple_of(align) {
            return Err(violated!(
                MISALIGNED_SUB_BUFFER_OFFSET,
                "if a sub-buffer begins at no multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN"
            ));
        }
        let (start, size) = (used.range.start as u64, used.range.len() as u64);
        let buffer = used
            .storage
            .buffer(index)?
            .sub_buffer(start, size)
            .map_err(|e| allocation_error(&e))?;
        let block = Arc::make_mut(block);
        match &used.image {
            Some(image) => block.set_image(argument, image, buffer, 0),
            None => block.set(argument, Descriptor::Buffer(buffer, 0)),
        }
        .map_err(|e| argument_error(&e))?;
    }
    Ok(())
}

impl Kernel {
    /// The kernel `name` of a program.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE`, `CL_INVALID_KERNEL_NAME`, `CL_INVALID_KERNEL_DEFINITION`,
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(program: Arc<Program>, name: &str) -> ClResult<Arc<Self>> {
        let context = Arc::clone(program.context());
        // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program.
        program.any_executable()?;
        let mut on = Vec::new();
        on.try_reserve_exact(context.devices().len())?;
        let mut info: Option<&KernelInfo> = None;
        let mut builts: Vec<Option<Arc<DeviceProgram>>> = Vec::new();
        for device in context.devices() {
            builts.push(program_for(&program, device)?);
        }
        for built in &builts {
            let found = built.as_ref().and_then(|b| {
                b.kernels()
                    .iter()
                    .enumerate()
                    .find(|(_, k)| k.name == name)
                    .map(|(index, k)| (b, index, k))
            });
            if let Some((_, _, here)) = found {
                if info.is_some_and(|first| !same_definition(first, here)) {
                    return Err(violated!(
                        INVALID_KERNEL_DEFINITION,
                        "if the kernel is declared differently for two devices of the program"
                    ));
                }
                info.get_or_insert(here);
            }
            on.push(found.map(|(b, index, _)| OnDevice { built: Arc::clone(b), index }));
        }
        let Some(info) = info else {
            return Err(violated!(
                INVALID_KERNEL_NAME,
                "if the program has no kernel of this name";
                "kernel_name = \"{name}\""
            ));
        };
        let info = Arc::new(info.clone());
        let arguments = on
            .iter()
            .map(|o| {
                let o = o.as_ref()?;
                let word = o.built.device().info().address_bits as usize / 8;
                let mut block = ArgBlock::new(Arc::clone(o.built.layout(o.index)?), word);
                if info.checked {
                    // The launch sets the hidden argument.
                    block.set(info.args.len() - 1, Descriptor::NullBuffer).ok()?;
                }
                Some(Arc::new(block))
            })
            .collect();
        let lifetimes = info.args.iter().map(|_| Weak::new()).collect();
        let uses = info.args.iter().map(|_| None).collect();
        let checked = info.args.iter().map(|_| None).collect();
        Self::with(
            program,
            info,
            on,
            KernelState {
                arguments,
                lifetimes,
                uses,
                checked,
                last_variant: None,
                indirect: false,
                reach: Vec::new(),
                unified: false,
                last_launch: None,
            },
        )
    }

    fn with(
        program: Arc<Program>,
        info: Arc<KernelInfo>,
        on: Vec<Option<OnDevice>>,
        state: KernelState,
    ) -> ClResult<Arc<Self>> {
        let made = object::create(|head| {
            program.attach_kernel();
            Ok(Self { head, program, info, on, state: Mutex::new(Rank::Kernel, state) })
        })?;
        Ok(made)
    }

    /// `clCloneKernel`: a new kernel with the same arguments.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn copy(&self) -> ClResult<Arc<Self>> {
        let state = self.state.lock().clone();
        Self::with(Arc::clone(&self.program), Arc::clone(&self.info), self.on.clone(), state)
    }

    /// The program of the kernel.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The context of the kernel's program.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        self.program.context()
    }

    /// The metadata of the kernel.
    #[must_use]
    pub fn info(&self) -> &KernelInfo {
        &self.info
    }

    /// The metadata of an argument.
    ///
    /// # Errors
    /// `CL_INVALID_ARG_INDEX`.
    pub fn argument(&self, index: usize) -> ClResult<&ArgInfo> {
        self.info.visible_args().get(index).ok_or(ClError::INVALID_ARG_INDEX)
    }

    /// The devices that can run the kernel.
    pub fn devices(&self) -> impl Iterator<Item = &Arc<Device>> {
        let on = self.on.iter().zip(self.context().devices());
        on.filter(|(on, _)| on.is_some()).map(|(_, device)| device)
    }

    /// True if the program has an executable for the device at `index` in the context.
    #[must_use]
    pub fn is_built_for(&self, index: usize) -> bool {
        matches!(self.on.get(index), Some(Some(_)))
    }

    /// Sets an argument, on all devices.
    ///
    /// # Errors
    /// `CL_INVALID_ARG_INDEX`, `CL_INVALID_ARG_SIZE`, or that of a failed allocation of the buffer
    /// on a device.
    pub fn set_argument(&self, argument: usize, value: &ArgValue<'_>) -> ClResult<()> {
        // Get the buffers before taking the lock, because this may allocate, take the memory
        // object's lock, and fail. With a single device, `first` avoids the allocation of a list.
        let mut first = None;
        let mut others = Vec::new();
        let mut used = None;
        if let ArgValue::Buffer(mem) | ArgValue::Image(mem, _) = value {
            if mem.storage().tracked() {
                let access = self.access(argument, mem);
                let image = if let ArgValue::Image(_, bytes) = value { Some(*bytes) } else { None };
                let (storage, origin) = (Arc::clone(mem.storage()), mem.root().1);
                used = Some(Argument { storage, range: mem.whole(), origin, access, image });
            }
            for (index, _) in self.on.iter().enumerate().filter(|(_, on)| on.is_some()) {
                // The first launch on another device allocates the memory there.
                if index != 0 && used.is_some() {
                    continue;
                }
                let buffer = mem.buffer(index)?;
                if index == 0 {
                    first = Some(buffer);
                } else {
                    others.try_reserve(1)?;
                    others.push((index, buffer));
                }
            }
        }
        let mut buffer_on = |index| {
            if index == 0 {
                return first.take();
            }
            others.iter().find(|(other, _)| *other == index).map(|(_, buffer)| buffer.clone())
        };
        let tracked = match value {
            ArgValue::Buffer(mem) | ArgValue::Image(mem, _) => self.tracked(mem),
            _ => None,
        };
        let mut state = self.state.lock();
        if let Some(slot) = state.checked.get_mut(argument) {
            *slot = tracked;
        }
        for (index, block) in state.arguments.iter_mut().enumerate() {
            let Some(block) = block else { continue };
            let block = Arc::make_mut(block);
            match value {
                ArgValue::Bytes(bytes) => block.set_data(argument, bytes),
                ArgValue::Null => block.set(argument, Descriptor::NullBuffer),
                ArgValue::Number(number) => block.set_word(argument, (*number).into()),
                ArgValue::Address(address) => block.set(argument, Descriptor::Address(*address)),
                ArgValue::Queue(queue) => block.set(argument, Descriptor::Queue(queue.clone())),
                ArgValue::Local(size) => block.set(argument, Descriptor::LocalBuffer(*size as u64)),
                ArgValue::Buffer(_) => match buffer_on(index) {
                    Some(buffer) => block.set(argument, Descriptor::Buffer(buffer, 0)),
                    None => block.set(argument, Descriptor::NullBuffer),
                },
                ArgValue::Image(_, bytes) => {
                    match buffer_on(index) {
                        Some(buffer) => block.set_image(argument, bytes, buffer, 0),
                        // Replaced by `resolve_addresses`.
                        None => block.set_data(argument, bytes),
                    }
                }
            }
            .map_err(|e| argument_error(&e))?;
        }
        if let Some(slot) = state.uses.get_mut(argument) {
            *slot = used;
        }
        if let Some(lifetime) = state.lifetimes.get_mut(argument) {
            *lifetime = match value {
                ArgValue::Buffer(mem) | ArgValue::Image(mem, _) => Arc::downgrade(mem.lifetime()),
                _ => Weak::new(),
            };
        }
        Ok(())
    }

    /// What the checker must know of a memory object that becomes an argument.
    fn tracked(&self, mem: &Mem) -> Option<check::Argument> {
        let owner = Arc::clone(mem.tracked()?);
        if !self.info.checked {
            // The checker does not see what this kernel writes.
            owner.initialised();
        }
        let offset = mem.parent().map_or(0, |(_, origin)| origin);
        Some(check::Argument { owner, offset, size: mem.size() })
    }

    /// `clSetKernelExecInfo`: whether the kernel may access addresses of the process that are not
    /// arguments.
    pub fn reach_process(&self, indirect: bool) {
        self.reach(|state| state.indirect = indirect);
    }

    /// `clSetKernelExecInfo`: whether the kernel may access device allocations that are not
    /// arguments. A device without such allocations ignores it.
    pub fn reach_unified(&self, all: bool) {
        self.reach(|state| state.unified = all);
    }

    /// `clSetKernelExecInfo`: the kernel also accesses the allocations that contain `addresses`.
    pub fn reach_allocations(&self, addresses: Vec<u64>) {
        self.reach(|state| state.reach = addresses);
    }

    /// Changes the set of memory that the kernel accesses beyond its arguments. Discards the last
    /// launch, whose migrations are outdated. The lock is released before the drop.
    fn reach(&self, change: impl FnOnce(&mut KernelState)) {
        let mut state = self.state.lock();
        change(&mut state);
        let old = state.last_launch.take();
        drop(state);
        drop(old);
    }

    /// The kernel's access to a memory object that is an argument, by the object's flags and the
    /// argument's qualifiers.
    fn access(&self, argument: usize, mem: &Mem) -> Access {
        let only_read = mem.flags() & (sys::CL_MEM_READ_ONLY | sys::CL_MEM_IMMUTABLE_EXT) != 0
            || self.info.args.get(argument).is_some_and(ArgInfo::only_reads);
        if only_read { Access::Read } else { Access::Write }
    }

    /// Bytes of local memory that the arguments set so far need, on the device at `index`.
    #[must_use]
    pub fn local_argument_bytes(&self, index: usize) -> u64 {
        match self.state.lock().arguments.get(index) {
            Some(Some(block)) => block.local_bytes(),
            _ => 0,
        }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.detach_kernel();
    }
}
