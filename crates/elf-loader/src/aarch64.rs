//! AArch64 relocations, as "ELF for the Arm 64-bit Architecture" defines them. Invariant: as in
//! `x86_64`, values that do not fit are errors; calls out of reach go through a veneer. Not here:
//! thread-local storage, which is refused.

use crate::LoadError;
use crate::layout::Need;
use crate::link::{Fixup, FixupError, put};
use goblin::elf::reloc as r;

/// The needs of a relocation type, or an error for unsupported types.
pub(crate) fn need(kind: u32) -> Result<Need, LoadError> {
    Ok(match kind {
        0
        | 256
        | r::R_AARCH64_ABS64
        | r::R_AARCH64_ABS32
        | r::R_AARCH64_ABS16
        | r::R_AARCH64_PREL64
        | r::R_AARCH64_PREL32
        | r::R_AARCH64_PREL16
        | r::R_AARCH64_MOVW_UABS_G0..=r::R_AARCH64_MOVW_UABS_G3
        | r::R_AARCH64_LD_PREL_LO19
        | r::R_AARCH64_ADR_PREL_LO21
        | r::R_AARCH64_ADR_PREL_PG_HI21
        | r::R_AARCH64_ADR_PREL_PG_HI21_NC
        | r::R_AARCH64_ADD_ABS_LO12_NC
        | r::R_AARCH64_LDST8_ABS_LO12_NC
        | r::R_AARCH64_LDST16_ABS_LO12_NC
        | r::R_AARCH64_LDST32_ABS_LO12_NC
        | r::R_AARCH64_LDST64_ABS_LO12_NC
        | r::R_AARCH64_LDST128_ABS_LO12_NC
        | r::R_AARCH64_TSTBR14
        | r::R_AARCH64_CONDBR19 => Need::Nothing,
        r::R_AARCH64_JUMP26 | r::R_AARCH64_CALL26 | PLT32 => Need::Stub,
        r::R_AARCH64_ADR_GOT_PAGE
        | r::R_AARCH64_LD64_GOT_LO12_NC
        | r::R_AARCH64_GOT_LD_PREL19
        | r::R_AARCH64_LD64_GOTPAGE_LO15 => Need::GotEntry,
        512..=573 => {
            return Err(LoadError::Unsupported(format!(
                "thread-local storage (AArch64 relocation type {kind})"
            )));
        }
        _ => return Err(LoadError::Unsupported(format!("AArch64 relocation type {kind}"))),
    })
}

/// `R_AARCH64_PLT32`, which goblin does not name.
const PLT32: u32 = 314;

/// `adrp x16, slot; ldr x16, [x16, slot]; br x16; brk`.
pub(crate) fn stub(at: u64, slot: u64) -> [u8; 16] {
    let adrp = 0x9000_0010 | adr_bits(page_distance(slot, at) >> 12);
    let ldr = 0xf940_0210 | (low12(slot) >> 3) << 10;
    let mut code = [0; 16];
    for (word, into) in
        [adrp, ldr, 0xd61f_0200, 0xd420_0000u32].into_iter().zip(code.as_chunks_mut::<4>().0)
    {
        *into = word.to_le_bytes();
    }
    code
}

/// Applies one relocation to `bytes` at `at`.
pub(crate) fn apply(f: &Fixup, bytes: &mut [u8], at: usize) -> Result<(), FixupError> {
    let target = f.symbol.wrapping_add_signed(f.addend);
    let slot = f.slot.wrapping_add_signed(f.addend);
    let relative = |to: u64| to.wrapping_sub(f.place).cast_signed();
    match f.kind {
        0 | 256 => Ok(()),
        r::R_AARCH64_ABS64 => put(bytes, at, target.to_le_bytes()),
        r::R_AARCH64_ABS32 => put(bytes, at, word32(target.cast_signed())?.to_le_bytes()),
        r::R_AARCH64_ABS16 => put(bytes, at, word16(target.cast_signed())?.to_le_bytes()),
        r::R_AARCH64_PREL64 => put(bytes, at, relative(target).to_le_bytes()),
        r::R_AARCH64_PREL32 => put(bytes, at, word32(relative(target))?.to_le_bytes()),
        r::R_AARCH64_PREL16 => put(bytes, at, word16(relative(target))?.to_le_bytes()),
        PLT32 => {
            let value =
                i32::try_from(relative(target)).or_else(|_| i32::try_from(relative(f.stub)));
            put(bytes, at, value.map_err(|_| FixupError::OutOfRange)?.to_le_bytes())
        }
        r::R_AARCH64_MOVW_UABS_G0..=r::R_AARCH64_MOVW_UABS_G3 => {
            let step = f.kind - r::R_AARCH64_MOVW_UABS_G0;
            let shift = 16 * (step / 2);
            // `G0`, `G1` and `G2` (the even types) require that the value has no higher bits; their
            // `_NC` forms (the odd types) do not check.
            if step.is_multiple_of(2) && step < 6 && target >> shift > 0xffff {
                return Err(FixupError::OutOfRange);
            }
            patch(bytes, at, 0xffff << 5, bits(target >> shift, 16) << 5)
        }
        r::R_AARCH64_LD_PREL_LO19 | r::R_AARCH64_CONDBR19 => {
            patch(bytes, at, 0x7_ffff << 5, branch(relative(target), 19)? << 5)
        }
        r::R_AARCH64_GOT_LD_PREL19 => {
            patch(bytes, at, 0x7_ffff << 5, branch(relative(slot), 19)? << 5)
        }
        r::R_AARCH64_TSTBR14 => patch(bytes, at, 0x3fff << 5, branch(relative(target), 14)? << 5),
        r::R_AARCH64_ADR_PREL_LO21 => {
            patch(bytes, at, ADR_MASK, adr_bits(signed(relative(target), 21)?))
        }
        r::R_AARCH64_ADR_PREL_PG_HI21 => {
            patch(bytes, at, ADR_MASK, adr_bits(signed(page_distance(target, f.place) >> 12, 21)?))
        }
        r::R_AARCH64_ADR_PREL_PG_HI21_NC => {
            patch(bytes, at, ADR_MASK, adr_bits(page_distance(target, f.place) >> 12))
        }
        r::R_AARCH64_ADR_GOT_PAGE => {
            patch(bytes, at, ADR_MASK, adr_bits(signed(page_distance(slot, f.place) >> 12, 21)?))
        }
        r::R_AARCH64_ADD_ABS_LO12_NC | r::R_AARCH64_LDST8_ABS_LO12_NC => {
            low(bytes, at, low12(target), 0)
        }
        r::R_AARCH64_LDST16_ABS_LO12_NC => low(bytes, at, low12(target), 1),
        r::R_AARCH64_LDST32_ABS_LO12_NC => low(bytes, at, low12(target), 2),
        r::R_AARCH64_LDST64_ABS_LO12_NC => low(bytes, at, low12(target), 3),
        r::R_AARCH64_LDST128_ABS_LO12_NC => low(bytes, at, low12(target), 4),
        r::R_AARCH64_LD64_GOT_LO12_NC => low(bytes, at, low12(slot), 3),
        r::R_AARCH64_LD64_GOTPAGE_LO15 => {
            let offset = slot.wrapping_sub(f.got & !0xfff);
            if offset >= 1 << 15 || !offset.is_multiple_of(8) {
                return Err(FixupError::OutOfRange);
            }
            patch(bytes, at, 0xfff << 10, bits(offset >> 3, 12) << 10)
        }
        r::R_AARCH64_JUMP26 | r::R_AARCH64_CALL26 => {
            let distance = match branch(relative(target), 26) {
                Err(FixupError::OutOfRange) if f.stub != 0 && f.addend == 0 => {
                    branch(relative(f.stub), 26)?
                }
                distance => distance?,
            };
            patch(bytes, at, 0x3ff_ffff, distance)
        }
        _ => Err(FixupError::OutsideSection), // `need` refused every other type
    }
}

const ADR_MASK: u32 = 0x3 << 29 | 0x7_ffff << 5;

/// The low `count` bits of a value.
fn bits(value: u64, count: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "cut to at most 32 bits on purpose")]
    let low = (value & ((1 << count) - 1)) as u32;
    low
}

fn low12(address: u64) -> u32 {
    bits(address, 12)
}

fn page_distance(to: u64, from: u64) -> i64 {
    (to & !0xfff).wrapping_sub(from & !0xfff).cast_signed()
}

/// The immediate fields of `adr` and `adrp`.
fn adr_bits(value: i64) -> u32 {
    let value = bits(value.cast_unsigned(), 21);
    (value & 3) << 29 | (value >> 2) << 5
}

/// Checks that `value` fits `count` bits, signed.
fn signed(value: i64, count: u32) -> Result<i64, FixupError> {
    let limit = 1i64 << (count - 1);
    if (-limit..limit).contains(&value) { Ok(value) } else { Err(FixupError::OutOfRange) }
}

/// A word-aligned distance in `count` bits.
fn branch(distance: i64, count: u32) -> Result<u32, FixupError> {
    if distance % 4 != 0 {
        return Err(FixupError::OutOfRange);
    }
    Ok(bits(signed(distance / 4, count)?.cast_unsigned(), count))
}

/// 32 bits, signed or unsigned, as the ABI allows for ABS32 and PREL32.
fn word32(value: i64) -> Result<u32, FixupError> {
    if (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&value) {
        Ok(bits(value.cast_unsigned(), 32))
    } else {
        Err(FixupError::OutOfRange)
    }
}

fn word16(value: i64) -> Result<u16, FixupError> {
    if (i64::from(i16::MIN)..=i64::from(u16::MAX)).contains(&value) {
        u16::try_from(bits(value.cast_unsigned(), 16)).map_err(|_| FixupError::OutOfRange)
    } else {
        Err(FixupError::OutOfRange)
    }
}

/// The scaled 12-bit offset of a load, store or add.
fn low(bytes: &mut [u8], at: usize, offset: u32, scale: u32) -> Result<(), FixupError> {
    if !offset.is_multiple_of(1 << scale) {
        return Err(FixupError::OutOfRange);
    }
    patch(bytes, at, 0xfff << 10, (offset >> scale) << 10)
}

/// Replaces the bits of `mask` in the instruction at `at`.
fn patch(bytes: &mut [u8], at: usize, mask: u32, value: u32) -> Result<(), FixupError> {
    let old = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(FixupError::OutsideSection)?;
    let word = (u32::from_le_bytes(*old) & !mask) | (value & mask);
    put(bytes, at, word.to_le_bytes())
}
