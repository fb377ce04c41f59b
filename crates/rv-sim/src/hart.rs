//! A hart: the registers and state of one RISC-V processor. Invariants: `x[0]` is 0; on RV32
//! integer registers hold sign-extended values; one thread at a time uses a hart. Not here:
//! parallel execution of harts (`machine.rs`).

use crate::access::{Main, NEAR, Pages};
use crate::atomic::Reservation;
use crate::code::{Cell, CodeCache, Context, decode_for};
use crate::debug::DebugState;
use crate::fault::Exit;
use crate::journal::Journal;
use crate::memory::Memory;
use crate::native::NativeState;
use crate::system::Plain;
use crate::vector::VectorState;
use muxcl_rv_isa::{Extension, Op, Xlen};
use std::fmt;
use std::sync::Arc;

/// Configuration of a hart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HartConfig {
    /// Width of the integer registers.
    pub xlen: Xlen,
    /// Bits of a vector register: a power of two from 64 to 4096.
    pub vlen: u32,
    /// The implemented extensions. `I`, `Zicsr` and `Zifencei` are always present.
    pub extensions: Vec<Extension>,
    /// If true, misaligned scalar loads and stores fault; otherwise the hart executes them.
    pub strict_alignment: bool,
}

impl HartConfig {
    /// A hart with all extensions of this crate.
    #[must_use]
    pub fn full(xlen: Xlen, vlen: u32) -> Self {
        use Extension::{A, C, D, F, I, M, V, Zba, Zbb, Zbc, Zbs, Zfh, Zicsr, Zifencei, Zvfh};
        Self {
            xlen,
            vlen,
            extensions: vec![I, Zifencei, Zicsr, M, A, F, D, C, Zfh, Zba, Zbb, Zbc, Zbs, V, Zvfh],
            strict_alignment: false,
        }
    }
}

/// The reason why a hart cannot be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The vector length is not a power of two from 64 to 4096.
    #[error("VLEN {0} is not a power of two from 64 to 4096")]
    VectorLength(u32),
}

/// A RISC-V hart.
pub struct Hart {
    /// Integer registers. Writes to `x0` go to an extra register at the end, so register writes
    /// need no check.
    pub(crate) x: [u64; 256],
    pub(crate) f: [u64; 32],
    pub(crate) pc: u64,
    pub(crate) retired: u64,
    pub(crate) id: u32,
    pub(crate) fflags: u8,
    pub(crate) frm: u8,
    pub(crate) v: VectorState,
    pub(crate) memory: Arc<Memory>,
    pub(crate) pages: Pages,
    /// The largest region, for loads.
    pub(crate) main: Main,
    /// Its largest part without protected pages, for stores.
    pub(crate) open: Main,
    /// The largest hart-local memory region.
    pub(crate) own: Main,
    /// The next largest regions that all harts share, as `main` and `open`.
    pub(crate) near: [[Main; 2]; NEAR],
    pub(crate) reservation: Option<Reservation>,
    pub(crate) code: CodeCache,
    pub(crate) plain: Plain,
    pub(crate) native: NativeState,
    /// The journal of changed memory, between `begin_journal` and `end_journal`.
    pub(crate) journal: Option<Box<Journal>>,
    pub(crate) debug: DebugState,
    pub(crate) strict_alignment: bool,
    /// The hart has memory of its own.
    pub(crate) has_own: bool,
    xlen: Xlen,
    extensions: u32,
    return_address: Option<u64>,
}

impl fmt::Debug for Hart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hart")
            .field("id", &self.id)
            .field("pc", &format_args!("{:#x}", self.pc))
            .field("retired", &self.retired)
            .finish()
    }
}

impl Hart {
    /// Creates a hart at reset: all registers are zero.
    ///
    /// # Errors
    /// The configuration is invalid.
    pub fn new(id: u32, config: &HartConfig, memory: Arc<Memory>) -> Result<Self, ConfigError> {
        if !(64..=4096).contains(&config.vlen) || !config.vlen.is_power_of_two() {
            return Err(ConfigError::VectorLength(config.vlen));
        }
        let always = [Extension::I, Extension::Zicsr, Extension::Zifencei];
        let extensions =
            config.extensions.iter().chain(&always).fold(0, |bits, e| bits | 1 << *e as u32);
        let ([main, open], near) = Main::shared(&memory);
        Ok(Self {
            x: [0; 256],
            f: [0; 32],
            pc: 0,
            retired: 0,
            id,
            fflags: 0,
            frm: 0,
            v: VectorState::new(config.vlen as usize / 8),
            main,
            open,
            own: Main::new(memory.largest_own(id)),
            near,
            pages: Pages::new(),
            reservation: None,
            code: CodeCache::new(),
            plain: Plain::default(),
            native: NativeState::default(),
            journal: None,
            debug: DebugState::default(),
            strict_alignment: config.strict_alignment,
            has_own: memory.largest_own(id).is_some(),
            memory,
            xlen: config.xlen,
            extensions,
            return_address: None,
        })
    }

    /// Runs until the hart stops, or until it has retired about `limit` instructions (to the end of
    /// a basic block).
    pub fn run(&mut self, limit: u64) -> Exit {
        match self.xlen {
            Xlen::Rv64 => self.run_loop::<true>(limit),
            Xlen::Rv32 => self.run_loop::<false>(limit),
        }
    }

    /// Number of the hart.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Width of the integer registers.
    #[must_use]
    pub const fn xlen(&self) -> Xlen {
        self.xlen
    }

    /// Whether the hart implements an extension.
    #[must_use]
    pub const fn has(&self, extension: Extension) -> bool {
        self.extensions & 1 << extension as u32 != 0
    }

    /// The memory map of the hart.
    #[must_use]
    pub const fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Number of instructions retired since creation.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.retired
    }

    /// Address of the next instruction.
    #[must_use]
    pub const fn pc(&self) -> u64 {
        self.pc
    }

    /// Sets the address of the next instruction.
    pub const fn set_pc(&mut self, pc: u64) {
        self.pc = self.address(pc) & !1;
    }

    /// Reads an integer register.
    #[inline(always)]
    #[must_use]
    pub const fn x(&self, register: u8) -> u64 {
        self.x[register as usize & 31]
    }

    /// Sets an integer register; `x0` stays 0.
    #[inline(always)]
    pub const fn set_x(&mut self, register: u8, value: u64) {
        if register & 31 != 0 {
            self.x[register as usize & 31] = match self.xlen {
                Xlen::Rv64 => value,
                Xlen::Rv32 => (value as i32) as i64 as u64,
            };
        }
    }

    /// Reads the bits of a floating-point register.
    #[inline(always)]
    #[must_use]
    pub const fn f(&self, register: u8) -> u64 {
        self.f[register as usize & 31]
    }

    /// Sets the bits of a floating-point register.
    #[inline(always)]
    pub const fn set_f(&mut self, register: u8, bits: u64) {
        self.f[register as usize & 31] = bits;
    }

    /// Sets the return address: a jump to `address` ends the run with [`Exit::Returned`].
    pub fn set_return_address(&mut self, address: Option<u64>) {
        if self.return_address != address {
            self.return_address = address;
            self.flush_code();
        }
    }

    /// The return address.
    #[must_use]
    pub const fn return_address(&self) -> Option<u64> {
        self.return_address
    }

    /// The implemented extensions, a bit each.
    pub(crate) const fn extensions(&self) -> u32 {
        self.extensions
    }

    /// Discards decoded code. Call this after an external change of instructions in memory.
    pub fn flush_code(&mut self) {
        self.code.flush();
        self.debug.flush();
    }

    /// Discards cached address translations. Call this after a change of windows or of protected
    /// pages.
    pub fn flush_pages(&mut self) {
        self.pages = Pages::new();
        ([self.main, self.open], self.near) = Main::shared(&self.memory);
        self.own = Main::new(self.memory.largest_own(self.id));
    }

    /// Completes the load at the pc after the run ended with [`crate::FaultKind::Device`]: writes
    /// `value` to the destination register and advances the pc. Returns false if the instruction at
    /// the pc is not an integer load.
    pub fn finish_load(&mut self, value: u64) -> bool {
        let Some(i) = decode_for(self.word_at(self.pc) as u32, self.xlen, self.extensions) else {
            return false;
        };
        let value = match i.op {
            Op::Ld => value,
            Op::Lw => (value as i32) as i64 as u64,
            Op::Lwu => value as u32 as u64,
            Op::Lh => (value as i16) as i64 as u64,
            Op::Lhu => value as u16 as u64,
            Op::Lb => (value as i8) as i64 as u64,
            Op::Lbu => value as u8 as u64,
            _ => return false,
        };
        self.set_x(i.rd, value);
        self.pc = self.address(self.pc.wrapping_add(i.len.into()));
        self.retired += 1;
        true
    }

    /// Truncates an address to the machine's width.
    #[inline(always)]
    pub(crate) const fn address(&self, address: u64) -> u64 {
        match self.xlen {
            Xlen::Rv64 => address,
            Xlen::Rv32 => (address as u32) as u64,
        }
    }

    /// The decoded block at `pc`. Decodes it if necessary.
    pub(crate) fn block(&mut self, pc: u64) -> *mut Cell {
        let context = Context {
            memory: &self.memory,
            hart: self.id,
            xlen: self.xlen,
            extensions: self.extensions,
            return_address: self.return_address,
            breakpoints: self.debug.breakpoints_in_effect(),
            longest: self.debug.longest_block(),
        };
        self.code.block(pc, &context)
    }

    /// Fetches the word at `pc`; only its lower half if memory ends there.
    pub(crate) fn word_at(&self, pc: u64) -> u64 {
        let mut word = [0; 4];
        if self.memory.read(self.id, pc, &mut word).is_err() {
            word = [0; 4];
            // Memory ends after half a word.
            let _ = self.memory.read(self.id, pc, &mut word[..2]);
        }
        let word = u32::from_le_bytes(word);
        u64::from(if word & 3 == 3 { word } else { word & 0xffff })
    }
}
