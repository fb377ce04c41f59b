//! The interpreter loop. It executes decoded cells and follows links from block to block until the
//! hart stops. Invariants: `ip` always points at a cell of the hart's code cache, which is not
//! flushed while the loop runs (a `fence.i` leaves the loop first); the number of retired
//! instructions is exact whenever the loop exits or an instruction reads a CSR. Not here: rare
//! instructions (calls), decoding.

use crate::code::{BlockLink, Cell, Code, DecodedInst, refused, unpack};
use crate::fast;
use crate::fault::{Exit, Fault, FaultKind, Trap};
use crate::hart::Hart;
use crate::integer;
use crate::soft::{self, Double, Format, Single};
use muxcl_rv_isa::{Op, Xlen};
use std::sync::atomic::{Ordering, fence};

/// The instruction at `ip`.
///
/// # Safety
/// `ip` points at an instruction's cell in a code cache that is not flushed while the result lives.
#[inline(always)]
unsafe fn slot<'a>(ip: *mut Cell) -> &'a DecodedInst {
    // SAFETY: the caller's promise; slots are never written after translation.
    unsafe { &*ip.cast::<DecodedInst>() }
}

/// Link number `which` (1: taken, 2: next) of the terminator at `ip`.
///
/// # Safety
/// `ip` points at a terminator's cell in a live code cache; its two links follow the cell.
#[inline(always)]
unsafe fn link(ip: *mut Cell, which: usize) -> *mut Cell {
    // SAFETY: the caller's promise.
    unsafe { ip.add(which) }
}

/// Reads a link.
///
/// # Safety
/// `at` points at a link's cell in a live code cache.
#[inline(always)]
unsafe fn read_link(at: *mut Cell) -> BlockLink {
    // SAFETY: the caller's promise.
    unsafe { at.cast::<BlockLink>().read() }
}

/// Writes a link.
///
/// # Safety
/// As [`read_link`].
#[inline(always)]
unsafe fn write_link(at: *mut Cell, link: BlockLink) {
    // SAFETY: the caller's promise; no reference to a link's cell exists.
    unsafe { at.cast::<BlockLink>().write(link) };
}

/// The cell after the one at `ip`.
///
/// # Safety
/// `ip` points at an instruction's cell that is no terminator, in a live code cache.
#[inline(always)]
unsafe fn following(ip: *mut Cell) -> *mut Cell {
    // SAFETY: the caller's promise: every block ends in a terminator.
    unsafe { ip.add(1) }
}

/// Keeps the compiler from turning a branch into a conditional move.
#[inline(always)]
fn keep_branch() {
    #[cfg(not(miri))]
    // SAFETY: the assembly is empty.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

impl Hart {
    /// Translates the block that a link leads to, and completes the link.
    ///
    /// # Safety
    /// `at` points at a link's cell in this hart's code cache.
    #[cold]
    #[inline(never)]
    unsafe fn resolve(&mut self, at: *mut Cell) -> *mut Cell {
        // SAFETY: the caller's promise.
        let pc = unsafe { read_link(at) }.pc;
        let target = self.block(pc);
        // SAFETY: the caller's promise; translation moves no cell.
        unsafe { write_link(at, BlockLink { target, pc }) };
        target
    }

    /// The block at `pc`, the target of an indirect jump. The link caches it.
    ///
    /// # Safety
    /// As [`Hart::resolve`].
    #[inline(never)]
    unsafe fn indirect(&mut self, at: *mut Cell, pc: u64) -> *mut Cell {
        let target = match self.code.recent(pc) {
            Some(target) => target,
            None => self.block(pc),
        };
        // SAFETY: the caller's promise; translation moves no cell.
        unsafe { write_link(at, BlockLink { target, pc }) };
        target
    }

    /// The number of instructions of the block before the cell, and the cell's pc.
    ///
    /// # Safety
    /// `ip` points at an instruction's cell in this hart's code cache.
    unsafe fn locate(&self, ip: *mut Cell) -> (u64, u64) {
        let Some((first, pc)) = self.code.owner(ip) else { return (0, self.pc) };
        // SAFETY: the caller's promise.
        let s = unsafe { slot(ip) };
        let offset = if s.code.terminates() { u16::from(s.rs3) } else { s.n };
        (
            ((ip.addr() - first) / size_of::<Cell>()) as u64,
            self.address(pc.wrapping_add(u64::from(offset) * 2)),
        )
    }

    /// The exit for a trap of the instruction at `ip`, and the number of instructions before it in
    /// its block.
    ///
    /// # Safety
    /// As [`Hart::locate`].
    #[cold]
    #[inline(never)]
    unsafe fn fault_at(&mut self, ip: *mut Cell, trap: Trap) -> (u64, Exit) {
        // SAFETY: the caller's promise.
        let (before, pc) = unsafe { self.locate(ip) };
        self.pc = pc;
        let address = if trap.kind == FaultKind::IllegalInstruction {
            self.word_at(pc)
        } else {
            trap.address
        };
        (before, Exit::Fault(Fault { kind: trap.kind, pc, address, hart: self.id }))
    }

    /// Runs until the hart stops or has retired about `limit` instructions.
    pub(crate) fn run_loop<const RV64: bool>(&mut self, limit: u64) -> Exit {
        let h = self;
        let mut mark = i64::try_from(limit).unwrap_or(i64::MAX).max(1);
        let mut budget = mark;
        let mut ip = h.block(h.pc);

        // SAFETY of the blocks in the four macros: by the module's invariant `ip` points at an
        // instruction's cell of this hart's code cache. `link!` is for terminators, `advance!` for
        // the others.
        macro_rules! slot {
            () => {
                // SAFETY: see above.
                unsafe { slot(ip) }
            };
        }
        macro_rules! advance {
            () => {
                // SAFETY: see above.
                ip = unsafe { following(ip) }
            };
        }
        /// The link cell of a terminator, and the link's value.
        macro_rules! link {
            ($which:expr) => {{
                // SAFETY: see above.
                let at = unsafe { link(ip, $which) };
                // SAFETY: see above.
                (at, unsafe { read_link(at) })
            }};
        }
        /// The address of a load or store.
        macro_rules! address {
            ($s:ident) => {{
                let a = h.x[$s.rs1 as usize].wrapping_add($s.imm.cast_unsigned());
                if RV64 { a } else { u64::from(a as u32) }
            }};
        }
        macro_rules! stop {
            ($exit:expr) => {{
                h.retired += (mark - budget).cast_unsigned();
                return $exit;
            }};
        }
        macro_rules! trap {
            ($trap:expr) => {{
                // SAFETY: see above.
                let (before, exit) = unsafe { h.fault_at(ip, $trap) };
                budget -= before.cast_signed();
                stop!(exit)
            }};
        }
        macro_rules! checked {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(trap) => trap!(trap),
                }
            };
        }
        /// Leaves the block through a link.
        macro_rules! follow {
            ($s:ident, $which:expr) => {{
                budget -= i64::from($s.n);
                let (at, way) = link!($which);
                if budget <= 0 {
                    h.pc = way.pc;
                    stop!(Exit::Limit)
                }
                ip = if way.target.is_null() {
                    // SAFETY: `at` comes from `link!`.
                    unsafe { h.resolve(at) }
                } else {
                    way.target
                };
            }};
        }
        macro_rules! branch {
            ($s:ident, $holds:expr) => {{
                // A branch instead of a conditional move: the processor detects a misprediction
                // earlier.
                let which = if $holds {
                    keep_branch();
                    1
                } else {
                    2
                };
                follow!($s, which)
            }};
        }
        macro_rules! load {
            ($s:ident, $t:ty, $v:ident => $value:expr) => {{
                let $v = checked!(h.load::<$t>(address!($s)));
                h.x[$s.rd as usize] = $value;
            }};
        }
        macro_rules! float2 {
            ($s:ident, $t:ty, $f:path) => {{
                let (a, b) = (h.f_in::<$t>($s.rs1), h.f_in::<$t>($s.rs2));
                let rm = checked!(h.rounding(7));
                let result = $f(a, b, rm, &mut h.fflags);
                h.set_f($s.rd, crate::float::boxed::<$t>(result));
            }};
        }
        macro_rules! float3 {
            ($s:ident, $t:ty) => {
                float3!($s, $t, 0, 0)
            };
            ($s:ident, $t:ty, $product:expr, $addend:expr) => {{
                let (a, b, c) = (h.f_in::<$t>($s.rs1), h.f_in::<$t>($s.rs2), h.f_in::<$t>($s.rs3));
                let rm = checked!(h.rounding(7));
                let result = fast::fma::<$t>(a ^ $product, b, c ^ $addend, rm, &mut h.fflags);
                h.set_f($s.rd, crate::float::boxed::<$t>(result));
            }};
        }
        /// An operation with a fast path for the common case.
        macro_rules! usual {
            ($s:ident, $usual:path, $t:ty, $f:path) => {{
                let usual = if h.fflags & soft::NX != 0 && h.frm == 0 {
                    $usual(h.f($s.rs1), h.f($s.rs2))
                } else {
                    None
                };
                match usual {
                    Some(bits) => h.set_f($s.rd, bits),
                    None => float2!($s, $t, $f),
                }
            }};
        }
        macro_rules! float1 {
            ($s:ident, $t:ty, $f:path) => {{
                let rm = checked!(h.rounding(7));
                let result = $f(h.f_in::<$t>($s.rs1), rm, &mut h.fflags);
                h.set_f($s.rd, crate::float::boxed::<$t>(result));
            }};
        }
        macro_rules! sign {
            ($s:ident, $t:ty, |$a:pat_param, $b:ident| $e:expr) => {{
                let (a, $b) = (h.f_in::<$t>($s.rs1), h.f_in::<$t>($s.rs2));
                let $a = a;
                let result = a & !<$t>::SIGN | $e & <$t>::SIGN;
                h.set_f($s.rd, crate::float::boxed::<$t>(result));
            }};
        }
        macro_rules! compare {
            ($s:ident, $t:ty, $float:ident, $bits:ty, $operator:tt, $slow:path) => {{
                let (a, b) = (h.f_in::<$t>($s.rs1), h.f_in::<$t>($s.rs2));
                let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
                // Only NaNs can raise flags here.
                let holds = if x.is_nan() || y.is_nan() { $slow(a, b, &mut h.fflags) } else { x $operator y };
                h.x[$s.rd as usize] = u64::from(holds);
            }};
        }
        macro_rules! set {
            ($s:ident, $value:expr) => {
                h.x[$s.rd as usize] = $value
            };
        }
        macro_rules! a {
            ($s:ident) => {
                h.x[$s.rs1 as usize]
            };
        }
        macro_rules! b {
            ($s:ident) => {
                h.x[$s.rs2 as usize]
            };
        }
        macro_rules! imm {
            ($s:ident) => {
                $s.imm.cast_unsigned()
            };
        }
        macro_rules! word {
            ($v:expr) => {
                i64::from(($v) as i32).cast_unsigned()
            };
        }
        /// Executes one frequent code.
        macro_rules! body {
            ($s:ident, Nop) => {};
            ($s:ident, Li) => { set!($s, imm!($s)) };
            ($s:ident, Mv) => { set!($s, a!($s)) };
            ($s:ident, Addi) => { set!($s, a!($s).wrapping_add(imm!($s))) };
            ($s:ident, Slti) => { set!($s, u64::from(a!($s).cast_signed() < $s.imm)) };
            ($s:ident, Sltiu) => { set!($s, u64::from(a!($s) < imm!($s))) };
            ($s:ident, Xori) => { set!($s, a!($s) ^ imm!($s)) };
            ($s:ident, Ori) => { set!($s, a!($s) | imm!($s)) };
            ($s:ident, Andi) => { set!($s, a!($s) & imm!($s)) };
            ($s:ident, Slli) => { set!($s, a!($s) << ($s.imm & 63)) };
            ($s:ident, Srli) => { set!($s, a!($s) >> ($s.imm & 63)) };
            ($s:ident, Srai) => { set!($s, (a!($s).cast_signed() >> ($s.imm & 63)).cast_unsigned()) };
            ($s:ident, Add) => { set!($s, a!($s).wrapping_add(b!($s))) };
            ($s:ident, Sub) => { set!($s, a!($s).wrapping_sub(b!($s))) };
            ($s:ident, Sll) => { set!($s, a!($s) << (b!($s) & 63)) };
            ($s:ident, Slt) => { set!($s, u64::from(a!($s).cast_signed() < b!($s).cast_signed())) };
            ($s:ident, Sltu) => { set!($s, u64::from(a!($s) < b!($s))) };
            ($s:ident, Xor) => { set!($s, a!($s) ^ b!($s)) };
            ($s:ident, Srl) => { set!($s, a!($s) >> (b!($s) & 63)) };
            ($s:ident, Sra) => { set!($s, (a!($s).cast_signed() >> (b!($s) & 63)).cast_unsigned()) };
            ($s:ident, Or) => { set!($s, a!($s) | b!($s)) };
            ($s:ident, And) => { set!($s, a!($s) & b!($s)) };
            ($s:ident, Addiw) => { set!($s, word!(a!($s).wrapping_add(imm!($s)))) };
            ($s:ident, Slliw) => { set!($s, word!((a!($s) as u32) << ($s.imm & 31))) };
            ($s:ident, Srliw) => { set!($s, word!(a!($s) as u32 >> ($s.imm & 31))) };
            ($s:ident, Sraiw) => { set!($s, word!(a!($s) as i32 >> ($s.imm & 31))) };
            ($s:ident, Addw) => { set!($s, word!(a!($s).wrapping_add(b!($s)))) };
            ($s:ident, Subw) => { set!($s, word!(a!($s).wrapping_sub(b!($s)))) };
            ($s:ident, Sllw) => { set!($s, word!((a!($s) as u32) << (b!($s) & 31))) };
            ($s:ident, Srlw) => { set!($s, word!(a!($s) as u32 >> (b!($s) & 31))) };
            ($s:ident, Sraw) => { set!($s, word!(a!($s) as i32 >> (b!($s) & 31))) };
            ($s:ident, Mul) => { set!($s, a!($s).wrapping_mul(b!($s))) };
            ($s:ident, Mulw) => { set!($s, word!(a!($s).wrapping_mul(b!($s)))) };
            ($s:ident, Mulhu) => { set!($s, (u128::from(a!($s)) * u128::from(b!($s)) >> 64) as u64) };
            ($s:ident, Div) => { divide!($s, Div) };
            ($s:ident, Divu) => { divide!($s, Divu) };
            ($s:ident, Rem) => { divide!($s, Rem) };
            ($s:ident, Remu) => { divide!($s, Remu) };
            ($s:ident, Divw) => { divide!($s, Divw) };
            ($s:ident, Divuw) => { divide!($s, Divuw) };
            ($s:ident, Remw) => { divide!($s, Remw) };
            ($s:ident, Remuw) => { divide!($s, Remuw) };
            ($s:ident, Sh1add) => { set!($s, (a!($s) << 1).wrapping_add(b!($s))) };
            ($s:ident, Sh2add) => { set!($s, (a!($s) << 2).wrapping_add(b!($s))) };
            ($s:ident, Sh3add) => { set!($s, (a!($s) << 3).wrapping_add(b!($s))) };
            ($s:ident, AddUw) => { set!($s, u64::from(a!($s) as u32).wrapping_add(b!($s))) };
            ($s:ident, Sh1addUw) => { set!($s, (u64::from(a!($s) as u32) << 1).wrapping_add(b!($s))) };
            ($s:ident, Sh2addUw) => { set!($s, (u64::from(a!($s) as u32) << 2).wrapping_add(b!($s))) };
            ($s:ident, Sh3addUw) => { set!($s, (u64::from(a!($s) as u32) << 3).wrapping_add(b!($s))) };
            ($s:ident, SlliUw) => { set!($s, u64::from(a!($s) as u32) << ($s.imm & 63)) };
            ($s:ident, Andn) => { set!($s, a!($s) & !b!($s)) };
            ($s:ident, Min) => { set!($s, a!($s).cast_signed().min(b!($s).cast_signed()).cast_unsigned()) };
            ($s:ident, Minu) => { set!($s, a!($s).min(b!($s))) };
            ($s:ident, Max) => { set!($s, a!($s).cast_signed().max(b!($s).cast_signed()).cast_unsigned()) };
            ($s:ident, Maxu) => { set!($s, a!($s).max(b!($s))) };
            ($s:ident, SextB) => { set!($s, i64::from(a!($s) as i8).cast_unsigned()) };
            ($s:ident, SextH) => { set!($s, i64::from(a!($s) as i16).cast_unsigned()) };
            ($s:ident, ZextH) => { set!($s, u64::from(a!($s) as u16)) };
            ($s:ident, Lb) => { load!($s, u8, v => i64::from(v.cast_signed()).cast_unsigned()) };
            ($s:ident, Lh) => { load!($s, u16, v => i64::from(v.cast_signed()).cast_unsigned()) };
            ($s:ident, Lw) => { load!($s, u32, v => i64::from(v.cast_signed()).cast_unsigned()) };
            ($s:ident, Ld) => { load!($s, u64, v => v) };
            ($s:ident, Lbu) => { load!($s, u8, v => v.into()) };
            ($s:ident, Lhu) => { load!($s, u16, v => v.into()) };
            ($s:ident, Lwu) => { load!($s, u32, v => v.into()) };
            ($s:ident, Sb) => { checked!(h.store::<u8>(address!($s), b!($s) as u8)) };
            ($s:ident, Sh) => { checked!(h.store::<u16>(address!($s), b!($s) as u16)) };
            ($s:ident, Sw) => { checked!(h.store::<u32>(address!($s), b!($s) as u32)) };
            ($s:ident, Sd) => { checked!(h.store::<u64>(address!($s), b!($s))) };
            ($s:ident, Flw) => {{
                let v = checked!(h.load::<u32>(address!($s)));
                h.set_f($s.rd, u64::from(v) | 0xffff_ffff_0000_0000);
            }};
            ($s:ident, Fld) => {{
                let v = checked!(h.load::<u64>(address!($s)));
                h.set_f($s.rd, v);
            }};
            ($s:ident, Fsw) => { checked!(h.store::<u32>(address!($s), h.f($s.rs2) as u32)) };
            ($s:ident, Fsd) => { checked!(h.store::<u64>(address!($s), h.f($s.rs2))) };
            ($s:ident, FaddS) => { usual!($s, fast::single::add, Single, fast::add::<Single>) };
            ($s:ident, FsubS) => { usual!($s, fast::single::sub, Single, fast::sub::<Single>) };
            ($s:ident, FmulS) => { usual!($s, fast::single::mul, Single, fast::mul::<Single>) };
            ($s:ident, FmaddS) => { float3!($s, Single) };
            ($s:ident, FaddD) => { usual!($s, fast::double::add, Double, fast::add::<Double>) };
            ($s:ident, FsubD) => { usual!($s, fast::double::sub, Double, fast::sub::<Double>) };
            ($s:ident, FmulD) => { usual!($s, fast::double::mul, Double, fast::mul::<Double>) };
            ($s:ident, FmaddD) => { float3!($s, Double) };
            ($s:ident, FdivS) => { float2!($s, Single, fast::div::<Single>) };
            ($s:ident, FsqrtS) => { float1!($s, Single, fast::sqrt::<Single>) };
            ($s:ident, FmsubS) => { float3!($s, Single, 0, Single::SIGN) };
            ($s:ident, FnmsubS) => { float3!($s, Single, Single::SIGN, 0) };
            ($s:ident, FnmaddS) => { float3!($s, Single, Single::SIGN, Single::SIGN) };
            ($s:ident, FsgnjS) => { sign!($s, Single, |_, b| b) };
            ($s:ident, FsgnjnS) => { sign!($s, Single, |_, b| !b) };
            ($s:ident, FsgnjxS) => { sign!($s, Single, |a, b| (a ^ b)) };
            ($s:ident, FleS) => { compare!($s, Single, f32, u32, <=, soft::le::<Single>) };
            ($s:ident, FltS) => { compare!($s, Single, f32, u32, <, soft::lt::<Single>) };
            ($s:ident, FeqS) => { compare!($s, Single, f32, u32, ==, soft::eq::<Single>) };
            ($s:ident, FdivD) => { float2!($s, Double, fast::div::<Double>) };
            ($s:ident, FsqrtD) => { float1!($s, Double, fast::sqrt::<Double>) };
            ($s:ident, FmsubD) => { float3!($s, Double, 0, Double::SIGN) };
            ($s:ident, FnmsubD) => { float3!($s, Double, Double::SIGN, 0) };
            ($s:ident, FnmaddD) => { float3!($s, Double, Double::SIGN, Double::SIGN) };
            ($s:ident, FsgnjD) => { sign!($s, Double, |_, b| b) };
            ($s:ident, FsgnjnD) => { sign!($s, Double, |_, b| !b) };
            ($s:ident, FsgnjxD) => { sign!($s, Double, |a, b| (a ^ b)) };
            ($s:ident, FleD) => { compare!($s, Double, f64, u64, <=, soft::le::<Double>) };
            ($s:ident, FltD) => { compare!($s, Double, f64, u64, <, soft::lt::<Double>) };
            ($s:ident, FeqD) => { compare!($s, Double, f64, u64, ==, soft::eq::<Double>) };
            ($s:ident, FmvXW) => { set!($s, word!(h.f($s.rs1))) };
            ($s:ident, FmvWX) => {{
                let bits = crate::float::boxed::<Single>(u64::from(a!($s) as u32));
                h.set_f($s.rd, bits);
            }};
        }
        macro_rules! divide {
            ($s:ident, $op:ident) => {
                if let Some(result) = integer::compute(Op::$op, a!($s), b!($s), Xlen::Rv64) {
                    set!($s, result)
                }
            };
        }
        /// Evaluates a branch.
        macro_rules! end {
            ($s:ident, Beq) => {
                branch!($s, a!($s) == b!($s))
            };
            ($s:ident, Bne) => {
                branch!($s, a!($s) != b!($s))
            };
            ($s:ident, Blt) => {
                branch!($s, a!($s).cast_signed() < b!($s).cast_signed())
            };
            ($s:ident, Bge) => {
                branch!($s, a!($s).cast_signed() >= b!($s).cast_signed())
            };
            ($s:ident, Bltu) => {
                branch!($s, a!($s) < b!($s))
            };
            ($s:ident, Bgeu) => {
                branch!($s, a!($s) >= b!($s))
            };
        }
        macro_rules! dispatch {
            (
                ends: $($end:ident)*; plain: $($plain:ident)*;
                pairs: $($pair:ident = $first:ident + $second:ident,)*;
                pair_ends: $($pair_end:ident = $first_end:ident + $second_end:ident,)*;
                $($rest:tt)*
            ) => {
                loop {
                    let s = slot!();
                    match s.code {
                        $(Code::$end => end!(s, $end),)*
                        $(Code::$plain => {
                            body!(s, $plain);
                            advance!();
                        })*
                        $(Code::$pair => {
                            body!(s, $first);
                            advance!();
                            let t = slot!();
                            body!(t, $second);
                            advance!();
                        })*
                        $(Code::$pair_end => {
                            body!(s, $first_end);
                            advance!();
                            let t = slot!();
                            end!(t, $second_end);
                        })*
                        Code::Jal => {
                            set!(s, imm!(s));
                            follow!(s, 1)
                        }
                        Code::Goto => follow!(s, 2),
                        Code::Jalr => {
                            let target = a!(s).wrapping_add(imm!(s)) & !1;
                            let target = if RV64 { target } else { u64::from(target as u32) };
                            set!(s, link!(1).1.pc);
                            budget -= i64::from(s.n);
                            if budget <= 0 {
                                h.pc = target;
                                stop!(Exit::Limit)
                            }
                            let (at, way) = link!(2);
                            ip = if way.pc == target && !way.target.is_null() {
                                way.target
                            } else {
                                // SAFETY: `at` comes from `link!`.
                                unsafe { h.indirect(at, target) }
                            };
                        }
                        Code::IntR | Code::IntI => {
                            let i = unpack(s);
                            let second = if s.code == Code::IntR { h.x(i.rs2) } else { i64::from(i.imm).cast_unsigned() };
                            let Some(result) = integer::compute(i.op, h.x(i.rs1), second, if RV64 { Xlen::Rv64 } else { Xlen::Rv32 })
                            else {
                                trap!(Trap::ILLEGAL)
                            };
                            h.set_x(i.rd, result);
                            advance!();
                        }
                        Code::Float => {
                            checked!(h.float(&unpack(s)));
                            advance!();
                        }
                        Code::Atomic => {
                            checked!(h.atomic(&unpack(s)));
                            advance!();
                        }
                        Code::Vector => {
                            checked!(h.vector(&unpack(s)));
                            advance!();
                        }
                        Code::Fence => {
                            fence(Ordering::SeqCst);
                            advance!();
                        }
                        Code::Csr => {
                            // The instruction reads the counters, so they must be exact.
                            h.retired += (mark - budget).cast_unsigned() + u64::from(s.n) - 1;
                            mark = budget;
                            let done = h.csr_instruction(&unpack(&DecodedInst { rs3: 0, ..*s }));
                            h.retired -= u64::from(s.n) - 1;
                            checked!(done);
                            follow!(s, 2)
                        }
                        Code::Ecall | Code::Ebreak | Code::Wfi => {
                            budget -= i64::from(s.n);
                            h.pc = link!(2).1.pc;
                            stop!(match s.code {
                                Code::Ecall => Exit::Ecall,
                                Code::Ebreak => Exit::Ebreak,
                                _ => Exit::Wfi,
                            })
                        }
                        Code::FenceI => {
                            budget -= i64::from(s.n);
                            h.pc = link!(2).1.pc;
                            fence(Ordering::SeqCst);
                            h.code.flush();
                            if budget <= 0 {
                                stop!(Exit::Limit)
                            }
                            ip = h.block(h.pc);
                        }
                        Code::Return => {
                            budget -= i64::from(s.n);
                            h.pc = link!(2).1.pc;
                            stop!(Exit::Returned)
                        }
                        Code::Illegal | Code::FetchFault => {
                            // SAFETY: see above.
                            let at = unsafe { h.locate(ip) }.1;
                            trap!(Trap::new(refused(s.code), at))
                        }
                    }
                }
            };
        }
        dispatch! {
            ends: Beq Bne Blt Bge Bltu Bgeu;
            plain: Nop Li Mv Addi Slti Sltiu Xori Ori Andi Slli Srli Srai Add Sub Sll Slt Sltu Xor Srl Sra Or And
                Addiw Slliw Srliw Sraiw Addw Subw Sllw Srlw Sraw Mul Mulw Mulhu Div Divu Rem Remu Divw Divuw Remw Remuw
                Sh1add Sh2add Sh3add AddUw Sh1addUw Sh2addUw Sh3addUw SlliUw Andn Min Minu Max Maxu SextB SextH ZextH
                Lb Lh Lw Ld Lbu Lhu Lwu Sb Sh Sw Sd Flw Fld Fsw Fsd FaddS FsubS FmulS FmaddS FaddD FsubD FmulD FmaddD
                FdivS FsqrtS FmsubS FnmsubS FnmaddS FsgnjS FsgnjnS FsgnjxS FleS FltS FeqS FmvXW FmvWX
                FdivD FsqrtD FmsubD FnmsubD FnmaddD FsgnjD FsgnjnD FsgnjxD FleD FltD FeqD;
            pairs:
                AddiAddi = Addi + Addi, AddiAdd = Addi + Add, AddAdd = Add + Add, AddAddi = Add + Addi, SlliAdd = Slli + Add,
                SlliSrli = Slli + Srli, SlliXor = Slli + Xor, SrliXor = Srli + Xor, XorSlli = Xor + Slli, XorSrli = Xor + Srli,
                XorXor = Xor + Xor, AddXor = Add + Xor, SrliAdd = Srli + Add, SrliAndi = Srli + Andi, AndiAdd = Andi + Add,
                MulAdd = Mul + Add, AddMul = Add + Mul, MulwAddw = Mulw + Addw, AddLd = Add + Ld, AddLw = Add + Lw, AddLbu = Add + Lbu,
                AddiLd = Addi + Ld, AddiLw = Addi + Lw, AddiLbu = Addi + Lbu, Sh2addLw = Sh2add + Lw, Sh3addLd = Sh3add + Ld,
                LdAdd = Ld + Add, LdAddi = Ld + Addi, LwAddw = Lw + Addw, LwAddi = Lw + Addi, LwLw = Lw + Lw, LdLd = Ld + Ld,
                LbuAddi = Lbu + Addi, SdAddi = Sd + Addi, SwAddi = Sw + Addi, SbAddi = Sb + Addi, AddSd = Add + Sd, AddwSw = Addw + Sw,
                AddwAddi = Addw + Addi, AddiSd = Addi + Sd, AddiSw = Addi + Sw, XorLi = Xor + Li, LiAdd = Li + Add,
                AndSubw = And + Subw, XorAnd = Xor + And, AndXor = And + Xor, SrliSlli = Srli + Slli,
                FmulSFaddS = FmulS + FaddS, FmulSFmulS = FmulS + FmulS, FmulSFsubS = FmulS + FsubS,;
            pair_ends:
                AddiBeq = Addi + Beq, AddiBne = Addi + Bne, AddiBlt = Addi + Blt, AddiBltu = Addi + Bltu, AddiBge = Addi + Bge,
                AddiBgeu = Addi + Bgeu, AddiwBne = Addiw + Bne, AddiwBlt = Addiw + Blt, AddBne = Add + Bne, AddBltu = Add + Bltu,
                AndiBeq = Andi + Beq, AndiBne = Andi + Bne, FleSBeq = FleS + Beq, FleSBne = FleS + Bne,
                FltSBeq = FltS + Beq, FltSBne = FltS + Bne,;
        }
    }
}
