//! The runtime's side of the checker (`MUXCL_CHECK`): shadow memory of memory objects, the state of
//! a launch on the device, and the texts of reports. docs/checker.md describes the design.
//!
//! [`Tracked`] is what the checker knows of a memory object. [`LaunchCheck`] belongs to one launch:
//! it fills the launch's state before the kernel starts, and reads the reports when it has ended.
//!
//! Invariant: a report goes to stderr and to the context's callback once in a process. Not here:
//! what kernels check (`passes::check`).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use muxcl_config::MUXCL_CHECK;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{AllocationType, Buffer, MuxError, NdRange};
use muxcl_types::check::{
    ANYWHERE, Cell, Checks, FIRST_ARGUMENT, Kind, LAUNCHES, Layout, LocalShadow, REPORTS, Region,
    Report, Site, State,
};
use muxcl_types::program::KernelInfo;

use super::callbacks;
use super::device::Device;
use crate::error::{ClResult, allocation_error};

/// What the process checks, by `MUXCL_CHECK`. A wrong value is reported on stderr, once.
#[must_use]
pub fn requested() -> Checks {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let list = MUXCL_CHECK.list();
    Checks::of_names(&list).unwrap_or_else(|unknown| {
        if !TOLD.swap(true, Ordering::Relaxed) {
            say(&format!(
                "MUXCL_CHECK: `{unknown}` is none of `memory`, `race`, `divergence` and `all`"
            ));
        }
        Checks::default()
    })
}

/// Writes a line on stderr; a closed stderr is ignored.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "muxcl: {text}");
}

/// What the checker knows of a memory object that has memory of its own.
#[derive(Debug)]
pub struct Tracked {
    /// For reports: "buffer 3 of 1024 bytes".
    name: String,
    /// Size in bytes.
    size: usize,
    /// True once something other than a checked kernel has written: all bytes then count as
    /// initialised.
    initialised: AtomicBool,
    shadows: Mutex<Vec<Shadow>>,
}

/// The shadow of a memory object on one device: its cells, then a byte for each of its bytes.
#[derive(Debug, Clone)]
struct Shadow {
    /// Index of the device in the context.
    device: usize,
    buffer: Buffer,
    /// The round of launch numbers, which repeat, in which the cells were last cleared.
    round: u32,
}

impl Tracked {
    /// A memory object of `size` bytes. `initialised`: it has content already.
    #[must_use]
    pub fn new(size: usize, flags: u64, initialised: bool) -> Arc<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
        Arc::new(Self {
            name: format!(
                "buffer {number} of {size} bytes (call {number} that created a memory object, \
                 flags {flags:#x})"
            ),
            size,
            initialised: AtomicBool::new(initialised),
            shadows: Mutex::new(Rank::MemObject, Vec::new()),
        })
    }

    /// From now on, all bytes count as initialised: something other than a checked kernel may have
    /// written them.
    pub fn initialised(&self) {
        self.initialised.store(true, Ordering::Relaxed);
    }

    fn cell_bytes(&self) -> usize {
        self.size.div_ceil(4) * size_of::<Cell>()
    }

    /// The shadow on a device. Its cells are cleared if launch numbers have begun to repeat.
    fn shadow(&self, device: &Device, index: usize, round: u32) -> ClResult<Buffer> {
        let mut shadows = self.shadows.lock();
        if let Some(shadow) = shadows.iter_mut().find(|s| s.device == index) {
            if shadow.round != round {
                clear(&shadow.buffer, self.cell_bytes()).map_err(|e| allocation_error(&e))?;
                shadow.round = round;
            }
            return Ok(shadow.buffer.clone());
        }
        let size = self.cell_bytes() + self.size;
        let buffer = allocate(device, size)?;
        clear(&buffer, size).map_err(|e| allocation_error(&e))?;
        shadows.push(Shadow { device: index, buffer: buffer.clone(), round });
        Ok(buffer)
    }
}

fn allocate(device: &Device, size: usize) -> ClResult<Buffer> {
    let mux = device.mux();
    let memory = mux.allocate(size as u64, 0, AllocationType::Device);
    let memory = memory.map_err(|e| allocation_error(&e))?;
    mux.create_buffer(&memory, 0, size as u64).map_err(|e| allocation_error(&e))
}

/// Zeroes the first `size` bytes.
fn clear(buffer: &Buffer, size: usize) -> Result<(), MuxError> {
    let zeros = [0u8; 1 << 14];
    for at in (0..size).step_by(zeros.len()) {
        let part = zeros.get(..size - at).unwrap_or(&zeros);
        buffer.memory().write(buffer.offset() + at as u64, part)?;
    }
    Ok(())
}

/// Memory that a kernel gets as an argument.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The object that owns the memory.
    pub owner: Arc<Tracked>,
    /// Offset of the argument's first byte in it.
    pub offset: usize,
    /// Bytes of the argument.
    pub size: usize,
}

/// The value of an argument for the checker.
#[derive(Debug, Clone)]
pub enum Value {
    /// A memory object at an address on the device. `released`: the application released it after
    /// it set the argument.
    Memory {
        /// The memory.
        argument: Argument,
        /// Address on the device.
        address: u64,
        /// The object was released.
        released: bool,
    },
    /// An allocation of shared virtual memory that contains the argument.
    Svm {
        /// Address of its first byte.
        base: u64,
        /// Its size in bytes.
        size: u64,
    },
    /// Shared virtual memory that kernels of the context may not access.
    NoSvm {
        /// Address of its first byte.
        base: u64,
        /// Its size in bytes.
        size: u64,
        /// Freed by the application; otherwise it belongs to another context.
        freed: bool,
    },
    /// An address in no allocation of the context.
    Stray,
    /// An address about which nothing is known.
    Any,
    /// Local memory.
    Local {
        /// Its size in bytes.
        size: u64,
        /// Its shadow, if there is room for it.
        shadow: Option<LocalShadow>,
    },
    /// NULL.
    Null,
    /// No pointer.
    Other,
}

/// Counts launches. A cell holds the low bits of the number only, so cells are cleared when these
/// repeat.
static LAUNCH: AtomicU32 = AtomicU32::new(0);

/// The checker's part of a launch.
#[derive(Debug)]
pub struct LaunchCheck {
    /// The state on the device.
    state: Buffer,
    layout: Layout,
    table: Vec<Region>,
    /// The values of the arguments, for reports.
    values: Vec<Value>,
    kernel: Arc<KernelInfo>,
    sites: Vec<Site>,
    range: NdRange,
}

impl LaunchCheck {
    /// The check of a launch of `kernel` over `range` on the device at `index` in the context.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE` without memory for the state or a shadow.
    pub fn new(
        device: &Device,
        index: usize,
        kernel: &Arc<KernelInfo>,
        sites: &[Site],
        values: Vec<Value>,
        range: NdRange,
    ) -> ClResult<Self> {
        let round = LAUNCH.load(Ordering::Relaxed) / LAUNCHES;
        let nowhere = Region::default();
        let anywhere = Region { size: u64::MAX, ..nowhere };
        let mut table = vec![nowhere, anywhere];
        for value in &values {
            table.push(match value {
                Value::Memory { argument, address, released: false } => {
                    region(device, index, round, argument, *address)?
                }
                Value::Memory { argument, address, released: true } => {
                    Region { low: *address, end: address + argument.size as u64, ..nowhere }
                }
                Value::Svm { base, size } => {
                    Region { low: *base, size: *size, end: base + size, ..nowhere }
                }
                Value::NoSvm { base, size, .. } => {
                    Region { low: *base, end: base + size, ..nowhere }
                }
                Value::Any => anywhere,
                Value::Local { size, shadow } => {
                    let (race, init) = shadow.map_or((0, 0), |s| (s.race, s.init));
                    Region { size: *size, race, init, ..nowhere }
                }
                Value::Stray | Value::Null | Value::Other => nowhere,
            });
        }
        let layout = Layout { regions: table.len(), sites: sites.len() };
        Ok(Self {
            state: allocate(device, layout.size())?,
            layout,
            table,
            values,
            kernel: Arc::clone(kernel),
            sites: sites.to_vec(),
            range,
        })
    }

    /// The hidden argument of the kernel.
    #[must_use]
    pub fn state(&self) -> &Buffer {
        &self.state
    }

    /// The local arguments that have a shadow: number and size in bytes with the shadow.
    pub fn local_arguments(&self) -> impl Iterator<Item = (usize, u64)> {
        self.values.iter().enumerate().filter_map(|(n, value)| match value {
            Value::Local { shadow: Some(shadow), .. } => Some((n, shadow.end)),
            _ => None,
        })
    }

    /// Fills the state, right before the kernel starts.
    pub fn begin(&self) {
        let number = LAUNCH.fetch_add(1, Ordering::Relaxed);
        let state = State {
            launch: number % LAUNCHES + 1,
            reported: 0,
            regions: u32::try_from(self.table.len()).unwrap_or(u32::MAX),
            unknown: ANYWHERE,
        };
        let mut bytes = vec![0u8; self.layout.size()];
        bytes[..size_of::<State>()].copy_from_slice(bytemuck::bytes_of(&state));
        let table: &[u8] = bytemuck::cast_slice(&self.table);
        bytes[Layout::REGIONS_AT..][..table.len()].copy_from_slice(table);
        self.told(self.state.memory().write(self.state.offset(), &bytes));
    }

    /// Reads the reports of the kernel, which has ended, and gives each text to `tell` on the
    /// thread of callbacks.
    pub fn end(&self, tell: impl Fn(&str) + Send + Sync + 'static) {
        let mut bytes = vec![0u8; Layout::REGIONS_AT];
        if !self.told(self.state.memory().read(self.state.offset(), &mut bytes)) {
            return;
        }
        let state: State = bytemuck::pod_read_unaligned(&bytes[..size_of::<State>()]);
        let count = (state.reported as usize).min(REPORTS);
        let texts: Vec<String> = bytes[Layout::REPORTS_AT..]
            .chunks_exact(size_of::<Report>())
            .take(count)
            .filter_map(|report| self.text(&bytemuck::pod_read_unaligned(report)))
            .collect();
        if texts.is_empty() {
            return;
        }
        texts.iter().for_each(|text| say(text));
        callbacks::post(move || texts.iter().for_each(|text| tell(text)));
    }

    fn told(&self, result: Result<(), MuxError>) -> bool {
        if let Err(error) = &result {
            say(&format!("kernel `{}` was not checked: {error}", self.kernel.name));
        }
        result.is_ok()
    }

    /// The text of a report; `None` if the process has had one about the same place.
    fn text(&self, report: &Report) -> Option<String> {
        static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(Rank::Leaf, BTreeSet::new());
        let kind = Kind::of_number(report.kind)?;
        let site = self.sites.get(report.site as usize)?;
        let value = (report.region as usize)
            .checked_sub(FIRST_ARGUMENT as usize)
            .and_then(|n| self.values.get(n));
        let access = access(report.writes & 1 != 0, report.size);
        let what = match (kind, value) {
            (Kind::Uninitialised, _) => format!("{access}, which nothing has written"),
            (Kind::Misaligned, _) => {
                format!("{access} at {:#x}, no multiple of {}", report.address, report.limit)
            }
            (Kind::Race, _) => format!("data race: {access}"),
            (Kind::Divergence, _) => {
                "barrier that not all work-items of the group reach".to_owned()
            }
            (Kind::Bounds, Some(Value::Memory { released: true, .. })) => {
                format!("{access} of released memory")
            }
            (Kind::Bounds, Some(Value::NoSvm { freed: true, .. })) => {
                format!("{access} of freed shared virtual memory")
            }
            (Kind::Bounds, Some(Value::NoSvm { freed: false, .. })) => {
                format!("{access} of another context's shared virtual memory")
            }
            (Kind::Bounds, Some(Value::Null)) => format!("{access} through a null pointer"),
            (Kind::Bounds, Some(Value::Stray)) => {
                format!("{access} at {:#x}, in no allocation of the context", report.address)
            }
            (Kind::Bounds, _) => format!("{access} out of bounds"),
        };
        let heading = format!("kernel `{}`, {}: {what}", self.kernel.name, place(site));
        if !KNOWN.lock().insert(heading.clone()) {
            return None;
        }
        let mut text = heading;
        if kind == Kind::Divergence {
            text.push_str(&self.paths(report));
            return Some(text);
        }
        // Writing to a String cannot fail.
        let [x, y, z] = self.global_id(report.item);
        let _ = write!(text, "\n  work-item ({x}, {y}, {z})");
        if !site.object.is_empty() {
            let _ = write!(text, "\n  variable `{}`", site.object);
        }
        match value {
            Some(Value::Memory { argument, address, .. }) => {
                let offset = report.address.wrapping_sub(*address).cast_signed();
                let _ = write!(text, ", byte {offset} of {}", argument.size);
                let _ = write!(text, "\n  memory: {}", argument.owner.name);
                if argument.size != argument.owner.size {
                    let _ = write!(text, ", its part from byte {}", argument.offset);
                }
            }
            Some(Value::Svm { base, size } | Value::NoSvm { base, size, .. }) => {
                let offset = report.address.wrapping_sub(*base).cast_signed();
                let _ = write!(text, ", byte {offset} of {size} of shared virtual memory");
            }
            _ if kind != Kind::Misaligned && report.region == 0 && report.limit != 0 => {
                let offset = report.address.cast_signed();
                let _ = write!(text, ", byte {offset} of {}", report.limit);
            }
            _ => {}
        }
        if kind == Kind::Race {
            let [x, y, z] = self.global_id(report.other_item.into());
            let other = if report.writes & 2 != 0 { "write" } else { "read" };
            let at = self.sites.get(report.other as usize).map_or_else(String::new, place);
            let _ =
                write!(text, "\n  conflicts with the {other} by work-item ({x}, {y}, {z}), {at}");
        }
        Some(text)
    }

    /// Where the two work-items of a divergence are.
    fn paths(&self, report: &Report) -> String {
        let mut here = self.global_id(report.item);
        let mut there = self.global_id(report.other_item.into());
        if report.writes & 1 != 0 {
            std::mem::swap(&mut here, &mut there);
        }
        let end = match self.sites.get(report.other as usize) {
            Some(site) => format!("at the barrier in {}", place(site)),
            None => "at the end of the kernel".to_owned(),
        };
        let ([x, y, z], [u, v, w]) = (here, there);
        format!(
            "\n  work-item ({x}, {y}, {z}) waits here\n  work-item ({u}, {v}, {w}) is {end}; the \
             group ends"
        )
    }

    /// The global id of a work-item: group * size of a full group + local linear id.
    fn global_id(&self, item: u64) -> [u64; 3] {
        let NdRange { offset, global, local, .. } = self.range;
        let full: u64 = local.iter().product();
        let (group, within) = (item / full, item % full);
        let groups = [0, 1, 2].map(|d| global[d].div_ceil(local[d]));
        let split = |n: u64, sizes: [u64; 3]| {
            [n % sizes[0], n / sizes[0] % sizes[1], n / sizes[0] / sizes[1]]
        };
        let at = split(group, groups);
        // Groups at the end may be smaller.
        let sizes = [0, 1, 2].map(|d| local[d].min(global[d] - at[d] * local[d]).max(1));
        let within = split(within, sizes);
        [0, 1, 2].map(|d| offset[d] + at[d] * local[d] + within[d])
    }
}

/// The region of a memory object, with its shadow.
fn region(
    device: &Device,
    index: usize,
    round: u32,
    argument: &Argument,
    address: u64,
) -> ClResult<Region> {
    let owner = &argument.owner;
    let shadow = owner.shadow(device, index, round)?.device_address();
    let (size, offset) = (argument.size as u64, argument.offset as u64);
    let bytes = shadow + owner.cell_bytes() as u64 + offset;
    Ok(Region {
        low: address,
        size,
        end: address + size,
        init: if owner.initialised.load(Ordering::Relaxed) { 0 } else { bytes },
        race: shadow + offset / 4 * size_of::<Cell>() as u64,
    })
}

/// "write of 4 bytes"
fn access(writes: bool, size: u32) -> String {
    let (what, s) = (if writes { "write" } else { "read" }, if size == 1 { "" } else { "s" });
    format!("{what} of {size} byte{s}")
}

/// "file:line"
fn place(site: &Site) -> String {
    match &site.place {
        Some((file, line)) => format!("{file}:{line}"),
        None => "unknown line".to_owned(),
    }
}
