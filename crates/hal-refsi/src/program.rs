//! Loaded programs. A position-independent program gets device memory of its own and stays there.
//! On M1 a window shows a program with fixed addresses; on G1 such a program is copied to its
//! addresses when another one was there before. Code and constants of a program in place are
//! protected: kernels cannot write them. Invariant: a kernel's address lies in an executable
//! segment of its program.

use crate::context::Convention;
use crate::map;
use crate::translation::may_read_flags;
use muxcl_hal::HalError;
use muxcl_hal::elf::{RiscvElf, Segment};
use muxcl_rv_isa::Xlen;
use muxcl_rv_sim::{Memory, Window};
use std::collections::BTreeMap;

/// The location of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Relocated in its own memory.
    Anywhere {
        /// The allocation, of whole pages.
        at: u64,
    },
    /// In its own memory, seen through a window.
    Windowed {
        /// The allocation, of whole pages.
        at: u64,
        /// The window that shows the allocation.
        window: Window,
    },
    /// Copied to its fixed addresses before it runs.
    OnDemand,
}

/// A loaded program.
pub(crate) struct Program {
    file: Vec<u8>,
    bias: u64,
    pub(crate) place: Placement,
    /// The type of the kernels' second argument.
    pub(crate) convention: Convention,
    /// One past the last byte of the program's variables in local memory.
    pub(crate) local_end: u64,
    kernels: BTreeMap<String, u64>,
    /// Whether its code may read the floating-point flags.
    pub(crate) reads_flags: bool,
    /// The address ranges that [`Program::protect`] protects and leaves writable.
    constant: Vec<Range>,
    variable: Vec<Range>,
    /// Whole pages of the variable ranges that only relocations write.
    constant_once_placed: Vec<Range>,
}

/// First address and size in bytes.
type Range = (u64, u64);

/// Kernels of a program with fixed addresses that defines this symbol take `hal_sched_info_t`.
/// Kernels of other such programs take the execution state, as all programs built for the oneAPI
/// Construction Kit's RefSi do. Position-independent programs need no symbol.
const SCHEDULE_SYMBOL: &str = "hal_kernels_take_sched_info";

/// Size in bytes of the pages of which allocations for programs consist, because memory is
/// protected by page.
const PAGE: u64 = 4096;

/// True if the segment lies in local memory and therefore holds variables.
fn is_local(segment: &Segment<'_>) -> bool {
    segment.address >= map::LOCAL
        && segment.size <= map::LOCAL_SIZE
        && segment.address - map::LOCAL <= map::LOCAL_SIZE - segment.size
}

fn wrong(text: &str) -> HalError {
    HalError::Program(text.to_owned())
}

/// Writes a program to its own memory, if it has some.
fn place_at(
    elf: &RiscvElf<'_>,
    place: Placement,
    bias: u64,
    mut write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
) -> Result<(), HalError> {
    match place {
        Placement::Anywhere { .. } => elf.place(bias, write),
        Placement::Windowed { at, window } => {
            elf.place(
                0,
                |to, bytes| {
                    if to < map::LOCAL { write(to - window.base + at, bytes) } else { Ok(()) }
                },
            )
        }
        Placement::OnDemand => elf.place(0, |_, _| Ok(())),
    }
}

impl Program {
    /// Loads an ELF file. `alloc` allocates memory of a size and alignment, `write` fills it.
    ///
    /// # Errors
    /// The file is not a program for the device, or the device has not enough memory.
    pub(crate) fn load(
        file: &[u8],
        word_size: u32,
        windows: bool,
        alloc: impl FnOnce(u64, u64) -> Result<u64, HalError>,
        write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<Self, HalError> {
        let elf = RiscvElf::parse(file)?;
        if elf.word_size != word_size {
            return Err(wrong("a program for words of another size"));
        }
        let (mut low, mut high, mut local_end) = (u64::MAX, 0, map::LOCAL);
        for segment in &elf.segments {
            let end = segment.address.saturating_add(segment.size);
            if !elf.position_independent && is_local(segment) {
                local_end = local_end.max(end);
            } else {
                (low, high) = (low.min(segment.address), high.max(end));
            }
        }
        if low >= high || high - low > map::ELF_SIZE {
            return Err(wrong("a program of no size, or too large"));
        }
        let takes_schedule = elf.position_independent || elf.symbol(SCHEDULE_SYMBOL).is_some();
        let convention =
            if takes_schedule { Convention::Schedule } else { Convention::ExecutionState };
        let (place, bias) = if elf.position_independent {
            let bias = |at: u64| at.wrapping_sub(low & !(elf.alignment - 1));
            let size = (high - (low & !(elf.alignment - 1))).next_multiple_of(PAGE);
            let at = alloc(size, elf.alignment.max(PAGE))?;
            (Placement::Anywhere { at }, bias(at))
        } else {
            if low < map::ELF || high > map::ELF + map::ELF_SIZE {
                return Err(wrong("fixed addresses outside the window of programs"));
            }
            if windows {
                let base = low & !(PAGE - 1);
                let size = (high - base).next_multiple_of(PAGE);
                let at = alloc(size, elf.alignment.max(PAGE))?;
                (Placement::Windowed { at, window: Window { base, size, target: at, scale: 0 } }, 0)
            } else {
                (Placement::OnDemand, 0)
            }
        };
        let placed = place_at(&elf, place, bias, write);
        let xlen = if word_size == 32 { Xlen::Rv32 } else { Xlen::Rv64 };
        // After an error the caller frees the allocations.
        placed?;
        let offset = match place {
            Placement::Windowed { at, window } => at.wrapping_sub(window.base),
            Placement::Anywhere { .. } | Placement::OnDemand => bias,
        };
        let ranges = |writable: bool| {
            let resident = |s: &&Segment<'_>| elf.position_independent || !is_local(s);
            let here = elf.segments.iter().filter(|s| s.writable == writable).filter(resident);
            here.map(|s| (s.address.wrapping_add(offset), s.size)).collect()
        };
        // The first and the last page may contain variables, too.
        let whole_pages = |(address, size): &Range| {
            let start = address.wrapping_add(offset);
            let end = start.wrapping_add(*size) & !(PAGE - 1);
            let start = start.next_multiple_of(PAGE);
            (start, end.saturating_sub(start))
        };
        Ok(Self {
            constant: ranges(false),
            variable: ranges(true),
            constant_once_placed: elf
                .constant_once_placed
                .iter()
                .filter(|(address, size)| *address >= low && address + size <= high)
                .map(whole_pages)
                .collect(),
            file: file.to_vec(),
            bias,
            place,
            convention,
            local_end,
            kernels: BTreeMap::new(),
            reads_flags: may_read_flags(file, xlen),
        })
    }

    /// Writes the whole program again. None of its kernels has run.
    pub(crate) fn place_again(
        &self,
        write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<(), HalError> {
        place_at(&RiscvElf::parse(&self.file)?, self.place, self.bias, write)
    }

    /// Protects the pages of code and constants, except pages that also contain variables. The
    /// program is in place.
    pub(crate) fn protect(&self, memory: &Memory) {
        // The ranges are in the program's own pages of RAM, so these calls succeed.
        for (address, size) in &self.constant {
            memory.protect(*address, *size);
        }
        for (address, size) in &self.variable {
            memory.unprotect(*address, *size);
        }
        for (address, size) in &self.constant_once_placed {
            memory.protect(*address, *size);
        }
    }

    /// Writes code and constants again. A faulty kernel may have overwritten those that are in a
    /// page with variables, which is not protected.
    pub(crate) fn restore(
        &self,
        mut write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<(), HalError> {
        let elf = RiscvElf::parse(&self.file)?;
        let constant = |at: u64| {
            let holds = |s: &&Segment<'_>| at.wrapping_sub(self.bias).wrapping_sub(s.address) == 0;
            elf.segments.iter().find(holds).is_some_and(|s| !s.writable)
        };
        elf.place(self.bias, |to, bytes| {
            if !constant(to) || to.wrapping_sub(map::LOCAL) < map::LOCAL_SIZE {
                return Ok(());
            }
            match self.place {
                Placement::Windowed { at, window } => write(to - window.base + at, bytes),
                Placement::Anywhere { .. } | Placement::OnDemand => write(to, bytes),
            }
        })
    }

    /// Whether the program has variables in local memory, which each launch initialises anew.
    pub(crate) fn has_local(&self) -> bool {
        self.local_end != map::LOCAL
    }

    /// Writes the variables in local memory.
    pub(crate) fn put_local(
        &self,
        mut write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<(), HalError> {
        let put = |to, bytes: &[u8]| if to < map::LOCAL { Ok(()) } else { write(to, bytes) };
        RiscvElf::parse(&self.file)?.place(0, put)
    }

    /// Copies a program with fixed addresses to these addresses.
    pub(crate) fn put(
        &self,
        write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<(), HalError> {
        RiscvElf::parse(&self.file)?.place(0, write)
    }

    /// The distance from addresses in the file to the device's.
    pub(crate) fn bias(&self) -> u64 {
        self.bias
    }

    /// The program's allocation, if it has one.
    pub(crate) fn memory(&self) -> Option<u64> {
        match self.place {
            Placement::Anywhere { at } | Placement::Windowed { at, .. } => Some(at),
            Placement::OnDemand => None,
        }
    }

    /// Address of a kernel.
    pub(crate) fn find(&mut self, name: &str) -> Option<u64> {
        if let Some(address) = self.kernels.get(name) {
            return Some(*address);
        }
        let elf = RiscvElf::parse(&self.file).ok()?;
        let at = elf.symbol(name)?;
        let inside =
            elf.segments.iter().any(|s| s.executable && at.wrapping_sub(s.address) < s.size);
        let address = inside.then(|| at.wrapping_add(self.bias))?;
        self.kernels.insert(name.to_owned(), address);
        Some(address)
    }

    /// The program's file.
    pub(crate) fn file(&self) -> &[u8] {
        &self.file
    }

    /// The function that contains an address, and the offset in it.
    pub(crate) fn function_at(&self, address: u64) -> Option<String> {
        let elf = RiscvElf::parse(&self.file).ok()?;
        let at = address.wrapping_sub(self.bias);
        let name = elf.symbol_at(at)?;
        let start = elf.symbol(name)?;
        Some(format!("{name}+{:#x}", at.wrapping_sub(start)))
    }
}
