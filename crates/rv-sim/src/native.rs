//! What a translator of guest code to host code needs of a hart: the instructions at an address,
//! the positions of registers and memory regions in [`Hart`], and the functions that translated
//! code calls for everything it does not do itself.
//!
//! Invariant: translated code changes a hart only as the interpreter would. Each function here runs
//! the interpreter's own code, so an instruction that a translator does not know has one meaning.
//! Not here: translation (crate `rv-jit`).

use crate::access::{LONGEST, Main, NEAR, SIZES};
use crate::code::decode_for;
use crate::counts::Stretch;
use crate::fault::{Exit, Fault, FaultKind, Trap};
use crate::hart::Hart;
use crate::integer::compute;
use crate::vector::{VType, VectorState};
use muxcl_rv_isa::{Extension, Format, Inst, Operand};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering, fence};

/// The most instructions that the interpreter counts as one block.
pub const LONGEST_BLOCK: usize = crate::code::MAX_BLOCK;

/// The fields that only translated code and its callers use.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct NativeState {
    /// Instructions that may still be retired, when translated code ends.
    budget: i64,
    /// The address of the access that the next function does.
    address: u64,
    /// The value to store, or the value that was loaded.
    value: u64,
    /// The [`Site`] of the next function.
    site: *const Site,
    /// Nonzero if the last function trapped.
    trapped: u64,
    /// The link that translated code left by, or 0.
    link: usize,
    /// First entry of the table of jump targets.
    jumps: usize,
    /// The code by which translated code calls the functions of this module.
    pieces: [usize; 3],
    /// Address of the vector registers.
    vectors: usize,
    /// Number of executed `fence.i`.
    pub(crate) fences: u64,
    trap: Trap,
    /// Number of noted accesses to other areas than the expected ones.
    elsewhere: u64,
    /// Address of the counters of executed stretches, in translations that count.
    counts: usize,
    /// Bytes that vector and atomic instructions have loaded and stored.
    moved: [u64; 2],
    /// The part of its block that was executed before the last trap.
    stretch: Stretch,
}

// SAFETY: the pointer is used only by functions of this module, while translated code calls them.
unsafe impl Send for NativeState {}

impl Default for NativeState {
    fn default() -> Self {
        Self {
            budget: 0,
            address: 0,
            value: 0,
            site: std::ptr::null(),
            trapped: 0,
            link: 0,
            jumps: 0,
            pieces: [0; 3],
            vectors: 0,
            fences: 0,
            trap: Trap::ILLEGAL,
            elsewhere: 0,
            counts: 0,
            moved: [0; 2],
            stretch: Stretch { pc: 0, length: 0 },
        }
    }
}

/// A region of memory whose position translated code finds in the hart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Area {
    /// The largest region that all harts share.
    Main,
    /// The largest region of the hart's own.
    Own,
    /// The next largest regions that all harts share, by their number.
    Near(u8),
}

/// How often an instruction accessed memory that translated code did not expect, and where.
#[derive(Debug, Default)]
pub struct Elsewhere {
    count: AtomicU32,
    /// The area of the last such access: its number in [`Self::AREAS`] plus 1, or 0 before the
    /// first.
    area: AtomicU8,
}

impl Elsewhere {
    /// Number of accesses after which no more are noted.
    const ENOUGH: u32 = 1 << 16;
    /// All areas, in the order of their numbers here.
    const AREAS: [Area; 2 + NEAR] = [Area::Main, Area::Own, Area::Near(0), Area::Near(1)];

    /// The area of the last such access, if there were at least `count`.
    #[must_use]
    pub fn after(&self, count: u32) -> Option<Area> {
        let area = usize::from(self.area.load(Ordering::Relaxed)).checked_sub(1)?;
        let many = self.count.load(Ordering::Relaxed) >= count;
        Self::AREAS.get(area).copied().filter(|_| many)
    }

    /// False if it has noted enough.
    fn note(&self, area: Area) -> bool {
        let number = Self::AREAS.iter().position(|a| *a == area).map_or(0, |k| k + 1);
        self.area.store(number as u8, Ordering::Relaxed);
        // An addition of another hart may be lost: this is an estimate.
        let count = self.count.load(Ordering::Relaxed);
        self.count.store(count.saturating_add(1), Ordering::Relaxed);
        count < Self::ENOUGH
    }
}

/// An instruction of translated code that calls a function of this module.
#[derive(Debug)]
pub struct Site {
    /// The instruction.
    pub inst: Inst,
    /// Its address.
    pub pc: u64,
    /// The number of instructions of its block before it.
    pub before: u64,
    /// The address of its block.
    pub block: u64,
    /// The number of bytes of a scalar load or store.
    pub size: u64,
    /// The area in which translated code looks for what it accesses.
    pub expected: Area,
    /// What the functions have found about that.
    pub elsewhere: Elsewhere,
}

/// A legal vector type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape(VType);

impl Shape {
    /// The type with this value of `vtype`, if it is legal.
    #[must_use]
    pub fn new(raw: u64) -> Option<Self> {
        let vtype = VType::new(raw);
        (!vtype.illegal).then_some(Self(vtype))
    }

    /// The value of `vtype`.
    #[must_use]
    pub const fn raw(self) -> u64 {
        self.0.raw
    }

    /// Bytes of an element.
    #[must_use]
    pub const fn sew(self) -> u64 {
        self.0.sew as u64
    }

    /// The binary logarithm of the number of registers of a group.
    #[must_use]
    pub const fn lmul(self) -> i32 {
        self.0.lmul
    }
}

/// Byte offsets in [`Hart`].
#[derive(Debug)]
pub struct Offsets;

impl Offsets {
    /// `x0`, 8 bytes each.
    pub const X: usize = offset_of!(Hart, x);
    /// `f0`, 8 bytes each.
    pub const F: usize = offset_of!(Hart, f);
    /// The pc.
    pub const PC: usize = offset_of!(Hart, pc);
    /// `frm`, a byte.
    pub const FRM: usize = offset_of!(Hart, frm);
    /// Instructions that may still be retired.
    pub const BUDGET: usize = offset_of!(Hart, native) + offset_of!(NativeState, budget);
    /// The address of the access that the next function does.
    pub const ADDRESS: usize = offset_of!(Hart, native) + offset_of!(NativeState, address);
    /// The [`Site`] of the next function.
    pub const SITE: usize = offset_of!(Hart, native) + offset_of!(NativeState, site);
    /// The value to store, or the value that was loaded.
    pub const VALUE: usize = offset_of!(Hart, native) + offset_of!(NativeState, value);
    /// Nonzero if the last function trapped.
    pub const TRAPPED: usize = offset_of!(Hart, native) + offset_of!(NativeState, trapped);
    /// The link that translated code left by.
    pub const LINK: usize = offset_of!(Hart, native) + offset_of!(NativeState, link);
    /// Host address of the hart's table of jump targets, which translated code searches for the
    /// code of an indirect jump.
    pub const JUMPS: usize = offset_of!(Hart, native) + offset_of!(NativeState, jumps);
    /// Address of the vector registers.
    pub const VECTORS: usize = offset_of!(Hart, native) + offset_of!(NativeState, vectors);
    /// Address of the counters of executed stretches, 8 bytes each.
    pub const COUNTS: usize = offset_of!(Hart, native) + offset_of!(NativeState, counts);
    /// Bytes that vector and atomic instructions have loaded and stored: two numbers.
    pub const MOVED: [usize; 2] = {
        let at = offset_of!(Hart, native) + offset_of!(NativeState, moved);
        [at, at + 8]
    };
    /// `vl`.
    pub const VL: usize = offset_of!(Hart, v) + VectorState::VL;
    /// `vstart`.
    pub const VSTART: usize = offset_of!(Hart, v) + VectorState::VSTART;
    /// `vxsat`, a byte.
    pub const VXSAT: usize = offset_of!(Hart, v) + VectorState::VXSAT;
    /// `vxrm`, a byte.
    pub const VXRM: usize = offset_of!(Hart, v) + VectorState::VXRM;
    /// `vtype`, 8 bytes; a byte, 0 if it is legal; bytes of an element, 8 bytes; the logarithm of
    /// LMUL, 4 bytes.
    pub const VTYPE: [usize; 4] = [
        offset_of!(Hart, v) + VectorState::RAW,
        offset_of!(Hart, v) + VectorState::ILLEGAL,
        offset_of!(Hart, v) + VectorState::SEW,
        offset_of!(Hart, v) + VectorState::LMUL,
    ];
    /// The code that calls [`Hart::native_load`], [`Hart::native_store`] and
    /// [`Hart::native_execute`].
    pub const PIECES: [usize; 3] = {
        let at = offset_of!(Hart, native) + offset_of!(NativeState, pieces);
        [at, at + size_of::<usize>(), at + 2 * size_of::<usize>()]
    };
    /// The largest region, for loads.
    pub const MAIN: RegionOffsets = RegionOffsets::of(offset_of!(Hart, main));
    /// Its part that stores may reach.
    pub const OPEN: RegionOffsets = RegionOffsets::of(offset_of!(Hart, open));
    /// The largest hart-local region.
    pub const OWN: RegionOffsets = RegionOffsets::of(offset_of!(Hart, own));

    /// The next largest shared region with this number, or its part that stores may reach.
    #[must_use]
    pub const fn near(number: u8, store: bool) -> RegionOffsets {
        let index = 2 * (number as usize % NEAR) + store as usize;
        RegionOffsets::of(offset_of!(Hart, near) + index * size_of::<Main>())
    }
}

/// Byte offsets of the fields of a region in [`Hart`].
#[derive(Debug, Clone, Copy)]
pub struct RegionOffsets {
    /// The first guest address.
    pub base: usize,
    /// The number of offsets at which an access of 1, 2, 4, ..., [`LONGEST_ACCESS`] bytes lies in
    /// the region.
    pub places: [usize; SIZES],
    /// The host address of the first byte.
    pub host: usize,
    /// What is added to a guest address in the region for the host address, modulo 2^64.
    pub bias: usize,
}

/// The most bytes of an access that [`RegionOffsets::places`] checks.
pub const LONGEST_ACCESS: u64 = LONGEST;

impl RegionOffsets {
    const fn of(at: usize) -> Self {
        let mut places = [at + Main::PLACES; SIZES];
        let mut log = 0;
        while log < SIZES {
            places[log] += log * size_of::<u64>();
            log += 1;
        }
        Self { base: at + Main::BASE, places, host: at + Main::HOST, bias: at + Main::BIAS }
    }
}

/// What is at an address of code.
#[derive(Debug, Clone, Copy)]
pub enum Fetched {
    /// An instruction of this hart, in memory that all harts share.
    Inst(Inst),
    /// The return address, other memory or none, or no instruction of this hart.
    Other,
}

impl Hart {
    /// The instruction at `pc`.
    #[must_use]
    pub fn fetch(&self, pc: u64) -> Fetched {
        let mut word = [0; 4];
        let read = |into: &mut [u8]| self.memory.read(self.id, pc, into).is_ok();
        let shared = |at| self.memory.is_shared(at);
        if self.return_address() == Some(pc) || !shared(pc) || !read(&mut word[..2]) {
            return Fetched::Other;
        }
        if word[0] & 3 == 3 && (!shared(pc.wrapping_add(2)) || !read(&mut word)) {
            return Fetched::Other;
        }
        decode_for(u32::from_le_bytes(word), self.xlen(), self.extensions())
            .map_or(Fetched::Other, Fetched::Inst)
    }

    /// Whether scalar floating-point instructions with the dynamic rounding mode round to nearest
    /// even, as translated code does.
    #[must_use]
    pub const fn rounds_to_nearest(&self) -> bool {
        self.frm == 0
    }

    /// Whether the hart has memory of its own, the region of [`Offsets::OWN`].
    #[must_use]
    pub fn has_own_memory(&self) -> bool {
        self.has_own
    }

    /// Whether misaligned scalar accesses fault.
    #[must_use]
    pub const fn strict_alignment(&self) -> bool {
        self.strict_alignment
    }

    /// Sets what translated code finds in the hart: the table of jump targets, and the code that
    /// calls the functions of this module.
    pub fn set_native(&mut self, jumps: usize, pieces: [usize; 3]) {
        (self.native.jumps, self.native.pieces) = (jumps, pieces);
        self.native.vectors = self.v.file();
    }

    /// Sets the address of the counters that translated code increments.
    pub const fn set_counts(&mut self, counts: usize) {
        self.native.counts = counts;
    }

    /// Bytes that the retired vector and atomic instructions have loaded and stored since the
    /// hart's creation. Those of scalar loads and stores follow from how often these were executed.
    #[must_use]
    pub const fn moved(&self) -> [u64; 2] {
        self.native.moved
    }

    /// Counts bytes that a vector or atomic instruction has loaded or stored.
    pub(crate) const fn count_moved(&mut self, store: bool, bytes: u64) {
        self.native.moved[store as usize] += bytes;
    }

    /// The part of its block that translated code has executed before the last function trapped.
    #[must_use]
    pub const fn stretch_before_trap(&self) -> Stretch {
        self.native.stretch
    }

    /// Bytes of a vector register.
    #[must_use]
    pub const fn vlenb(&self) -> u64 {
        self.v.vlenb as u64
    }

    /// `vl`.
    #[must_use]
    pub const fn vl(&self) -> u64 {
        self.v.vl as u64
    }

    /// What translated code has stored at [`Offsets::ADDRESS`].
    #[must_use]
    pub const fn native_address(&self) -> u64 {
        self.native.address
    }

    /// The vector type, unless it is illegal.
    #[must_use]
    pub fn shape(&self) -> Option<Shape> {
        (!self.v.vtype.illegal).then_some(Shape(self.v.vtype))
    }

    /// Adds the instructions that translated code has retired since it began with `budget`.
    pub const fn count_native(&mut self, budget: u64) {
        self.retired += budget.wrapping_sub(self.native.budget.cast_unsigned());
    }

    /// The link by which translated code left.
    #[must_use]
    pub const fn link(&self) -> usize {
        self.native.link
    }

    /// Number of executed `fence.i`.
    #[must_use]
    pub const fn fences(&self) -> u64 {
        self.native.fences
    }

    /// The exit for the trap of the last function; the pc is the instruction's.
    #[must_use]
    pub fn native_fault(&self) -> Exit {
        let (trap, pc) = (self.native.trap, self.pc);
        let address = match trap.kind {
            FaultKind::IllegalInstruction => self.word_at(pc),
            _ => trap.address,
        };
        Exit::Fault(Fault { kind: trap.kind, pc, address, hart: self.id })
    }

    /// The guest instruction that the running call from translated code is about.
    ///
    /// # Safety
    /// Translated code has set it, and keeps it alive.
    unsafe fn site<'a>(&self) -> &'a Site {
        // SAFETY: the caller's promise.
        unsafe { &*self.native.site }
    }

    fn done<T>(&mut self, site: &Site, result: Result<T, Trap>) -> Option<T> {
        match result {
            Ok(value) => {
                self.native.trapped = 0;
                Some(value)
            }
            Err(trap) => {
                (self.native.trapped, self.native.trap) = (1, trap);
                self.pc = site.pc;
                // The block counts all its instructions when it ends.
                self.retired += site.before;
                self.native.stretch = Stretch { pc: site.block, length: site.before };
                None
            }
        }
    }

    /// Notes that a function did an access at `address`, if another area than the expected one has
    /// this memory.
    fn note_elsewhere(&mut self, site: &Site, address: u64) {
        let near = self.near.iter().position(|[near, _]| near.contains(address));
        let area = if self.own.contains(address) {
            Area::Own
        } else if let Some(number) = near {
            Area::Near(number as u8)
        } else if self.main.contains(address) {
            Area::Main
        } else {
            return;
        };
        if area != site.expected && site.elsewhere.note(area) {
            self.native.elsewhere += 1;
        }
    }

    /// Number of noted accesses to other areas than the expected ones.
    #[must_use]
    pub const fn elsewhere(&self) -> u64 {
        self.native.elsewhere
    }

    /// Loads, zero-extended, what the instruction loads from [`Offsets::ADDRESS`] to
    /// [`Offsets::VALUE`].
    ///
    /// # Safety
    /// [`Offsets::SITE`] has the address of a live [`Site`].
    pub unsafe fn native_load(&mut self) {
        // SAFETY: the caller's promise.
        let (site, address) = (unsafe { self.site() }, self.native.address);
        let result = match site.size {
            1 => self.load::<u8>(address).map(u64::from),
            2 => self.load::<u16>(address).map(u64::from),
            4 => self.load::<u32>(address).map(u64::from),
            _ => self.load::<u64>(address),
        };
        self.note_elsewhere(site, address);
        if let Some(value) = self.done(site, result) {
            self.native.value = value;
        }
    }

    /// Stores the low bytes of [`Offsets::VALUE`] to [`Offsets::ADDRESS`].
    ///
    /// # Safety
    /// As [`Hart::native_load`].
    pub unsafe fn native_store(&mut self) {
        let (address, value) = (self.native.address, self.native.value);
        // SAFETY: the caller's promise.
        let site = unsafe { self.site() };
        let result = match site.size {
            1 => self.store(address, value as u8),
            2 => self.store(address, value as u16),
            4 => self.store(address, value as u32),
            _ => self.store(address, value),
        };
        self.note_elsewhere(site, address);
        self.done(site, result);
    }

    /// Executes an instruction that does not end a block.
    ///
    /// # Safety
    /// As [`Hart::native_load`].
    pub unsafe fn native_execute(&mut self) {
        // SAFETY: the caller's promise.
        let site = unsafe { self.site() };
        let inst = &site.inst;
        let row = inst.op.row();
        let result = match row.extension {
            Extension::A => self.atomic(inst),
            Extension::F | Extension::D | Extension::Zfh => self.float(inst),
            Extension::V => {
                if row.format.operands().contains(&Operand::Base) {
                    self.note_elsewhere(site, self.address(self.x(inst.rs1)));
                }
                self.vector(inst)
            }
            Extension::Zicsr => self.csr_instruction(inst),
            _ if matches!(row.format, Format::Fence | Format::None) => {
                fence(Ordering::SeqCst);
                Ok(())
            }
            _ => {
                let second = if row.format == Format::R {
                    self.x(inst.rs2)
                } else {
                    i64::from(inst.imm).cast_unsigned()
                };
                let value = compute(inst.op, self.x(inst.rs1), second, self.xlen());
                value.map(|value| self.set_x(inst.rd, value)).ok_or(Trap::ILLEGAL)
            }
        };
        self.done(site, result);
    }
}
