//! Loaded programs. One that is position-independent gets device memory of its own and stays there;
//! one with fixed addresses lies where the window of such programs leads to (M1) or is copied there
//! when another one was there before (G1). Invariant: a kernel's address lies in an executable
//! segment of its program.

use crate::map;
use muxcl_hal::HalError;
use muxcl_hal::elf::RiscvElf;
use muxcl_rv_sim::Window;
use std::collections::BTreeMap;

/// Where a program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In memory of its own, moved by the program's bias.
    Anywhere {
        /// The allocation.
        at: u64,
    },
    /// In memory of its own, seen through a window.
    Windowed {
        /// The allocation.
        at: u64,
        /// The window.
        window: Window,
    },
    /// Copied to its addresses before it runs.
    OnDemand,
}

/// A program.
pub(crate) struct Program {
    file: Vec<u8>,
    bias: u64,
    pub(crate) place: Place,
    kernels: BTreeMap<String, u64>,
}

fn wrong(text: &str) -> HalError {
    HalError::Program(text.to_owned())
}

impl Program {
    /// Takes a file: `alloc` gives memory of a size and alignment, `write` fills it.
    ///
    /// # Errors
    /// When it is no program for the device, or there is no memory.
    pub(crate) fn load(
        file: &[u8],
        word_size: u32,
        windows: bool,
        alloc: impl FnOnce(u64, u64) -> Result<u64, HalError>,
        mut write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<Self, HalError> {
        let elf = RiscvElf::parse(file)?;
        if elf.word_size != word_size {
            return Err(wrong("a program for words of another size"));
        }
        let (low, high) = elf.span();
        if elf.segments.is_empty() || high - low > map::ELF_SIZE {
            return Err(wrong("a program of no size, or too large"));
        }
        let (place, bias) = if elf.position_independent {
            let bias = |at: u64| at.wrapping_sub(low & !(elf.alignment - 1));
            let at = alloc(high - (low & !(elf.alignment - 1)), elf.alignment.max(4096))?;
            (Place::Anywhere { at }, bias(at))
        } else {
            if low < map::ELF || high > map::ELF + map::ELF_SIZE {
                return Err(wrong("fixed addresses outside the window of programs"));
            }
            if windows {
                let base = low & !0xfff;
                let size = (high - base).next_multiple_of(4096);
                let at = alloc(size, elf.alignment.max(4096))?;
                (Place::Windowed { at, window: Window { base, size, target: at, scale: 0 } }, 0)
            } else {
                (Place::OnDemand, 0)
            }
        };
        let placed = match place {
            Place::Anywhere { .. } => elf.place(bias, &mut write),
            Place::Windowed { at, window } => {
                elf.place(0, |to, bytes| write(to - window.base + at, bytes))
            }
            Place::OnDemand => elf.place(0, |_, _| Ok(())),
        };
        // The memory goes back with the program that is not made.
        placed.map(|()| Self { file: file.to_vec(), bias, place, kernels: BTreeMap::new() })
    }

    /// Copies a program with fixed addresses to them.
    pub(crate) fn put(
        &self,
        write: impl FnMut(u64, &[u8]) -> Result<(), HalError>,
    ) -> Result<(), HalError> {
        RiscvElf::parse(&self.file)?.place(0, write)
    }

    /// The allocation it has.
    pub(crate) fn memory(&self) -> Option<u64> {
        match self.place {
            Place::Anywhere { at } | Place::Windowed { at, .. } => Some(at),
            Place::OnDemand => None,
        }
    }

    /// A kernel's address.
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

    /// The function an address is in, and how far.
    pub(crate) fn function_at(&self, address: u64) -> Option<String> {
        let elf = RiscvElf::parse(&self.file).ok()?;
        let at = address.wrapping_sub(self.bias);
        let name = elf.symbol_at(at)?;
        let start = elf.symbol(name)?;
        Some(format!("{name}+{:#x}", at.wrapping_sub(start)))
    }
}
