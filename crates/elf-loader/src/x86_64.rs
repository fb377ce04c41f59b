//! x86-64 relocations, as the System V psABI defines them. Invariant: a value that does not fit its
//! field is an error, never cut. Not here: thread-local storage, which is refused.

use crate::LoadError;
use crate::layout::Need;
use crate::link::{Fixup, FixupError, put};
use goblin::elf::reloc as r;

/// The needs of a relocation type, or an error for unsupported types.
pub(crate) fn need(kind: u32) -> Result<Need, LoadError> {
    Ok(match kind {
        r::R_X86_64_NONE
        | r::R_X86_64_64
        | r::R_X86_64_32
        | r::R_X86_64_32S
        | r::R_X86_64_16
        | r::R_X86_64_8
        | r::R_X86_64_PC64
        | r::R_X86_64_PC16
        | r::R_X86_64_PC8
        | r::R_X86_64_GOTOFF64
        | r::R_X86_64_GOTPC32
        | r::R_X86_64_GOTPC64
        | r::R_X86_64_SIZE32
        | r::R_X86_64_SIZE64 => Need::Nothing,
        r::R_X86_64_PC32 | r::R_X86_64_PLT32 | r::R_X86_64_PLTOFF64 => Need::Stub,
        r::R_X86_64_GOTPCREL
        | r::R_X86_64_GOTPCRELX
        | r::R_X86_64_REX_GOTPCRELX
        | r::R_X86_64_GOTPCREL64
        | r::R_X86_64_GOT32
        | r::R_X86_64_GOT64
        | r::R_X86_64_GOTPLT64 => Need::GotEntry,
        r::R_X86_64_DTPMOD64
        | r::R_X86_64_DTPOFF64
        | r::R_X86_64_TPOFF64
        | r::R_X86_64_TLSGD
        | r::R_X86_64_TLSLD
        | r::R_X86_64_DTPOFF32
        | r::R_X86_64_GOTTPOFF
        | r::R_X86_64_TPOFF32
        | r::R_X86_64_GOTPC32_TLSDESC
        | r::R_X86_64_TLSDESC_CALL
        | r::R_X86_64_TLSDESC => {
            return Err(LoadError::Unsupported(format!(
                "thread-local storage (x86-64 relocation type {kind})"
            )));
        }
        _ => return Err(LoadError::Unsupported(format!("x86-64 relocation type {kind}"))),
    })
}

/// The code of a call stub: `jmp *slot(%rip)`, then traps.
pub(crate) fn stub(at: u64, slot: u64) -> [u8; 16] {
    let mut code = [0xcc; 16];
    code[..2].copy_from_slice(&[0xff, 0x25]);
    // Stub and slot lie in one image below 2 GiB.
    #[expect(clippy::cast_possible_truncation, reason = "the distance fits 32 bits: one image")]
    let distance = slot.wrapping_sub(at.wrapping_add(6)) as u32;
    code[2..6].copy_from_slice(&distance.to_le_bytes());
    code
}

/// Applies one relocation to `bytes` at `at`.
pub(crate) fn apply(f: &Fixup, bytes: &mut [u8], at: usize) -> Result<(), FixupError> {
    let absolute = f.symbol.wrapping_add_signed(f.addend);
    let from_place =
        |target: u64| target.wrapping_add_signed(f.addend).wrapping_sub(f.place).cast_signed();
    match f.kind {
        r::R_X86_64_NONE => Ok(()),
        r::R_X86_64_64 => put(bytes, at, absolute.to_le_bytes()),
        r::R_X86_64_32 => put(bytes, at, fit::<u32, u64>(absolute)?.to_le_bytes()),
        r::R_X86_64_32S => put(bytes, at, fit::<i32, i64>(absolute.cast_signed())?.to_le_bytes()),
        r::R_X86_64_16 => put(bytes, at, fit::<u16, u64>(absolute)?.to_le_bytes()),
        r::R_X86_64_8 => put(bytes, at, fit::<u8, u64>(absolute)?.to_le_bytes()),
        r::R_X86_64_PC64 => put(bytes, at, from_place(f.symbol).to_le_bytes()),
        r::R_X86_64_PC16 => put(bytes, at, fit::<i16, i64>(from_place(f.symbol))?.to_le_bytes()),
        r::R_X86_64_PC8 => put(bytes, at, fit::<i8, i64>(from_place(f.symbol))?.to_le_bytes()),
        r::R_X86_64_PC32 | r::R_X86_64_PLT32 => {
            let direct = fit::<i32, i64>(from_place(f.symbol));
            let value = match direct {
                Err(FixupError::OutOfRange) if f.stub != 0 && is_branch(f.kind, bytes, at) => {
                    fit::<i32, i64>(from_place(f.stub))?
                }
                direct => direct?,
            };
            put(bytes, at, value.to_le_bytes())
        }
        r::R_X86_64_REX_GOTPCRELX | r::R_X86_64_GOTPCRELX | r::R_X86_64_GOTPCREL => {
            if f.kind != r::R_X86_64_GOTPCREL && relax(f, bytes, at)? {
                return Ok(());
            }
            put(bytes, at, fit::<i32, i64>(from_place(f.slot))?.to_le_bytes())
        }
        r::R_X86_64_GOTPCREL64 => put(bytes, at, from_place(f.slot).to_le_bytes()),
        r::R_X86_64_GOT32 => {
            let offset = f.slot.wrapping_sub(f.got).wrapping_add_signed(f.addend);
            put(bytes, at, fit::<i32, i64>(offset.cast_signed())?.to_le_bytes())
        }
        r::R_X86_64_GOT64 | r::R_X86_64_GOTPLT64 => {
            put(bytes, at, f.slot.wrapping_sub(f.got).wrapping_add_signed(f.addend).to_le_bytes())
        }
        r::R_X86_64_GOTPC32 => put(bytes, at, fit::<i32, i64>(from_place(f.got))?.to_le_bytes()),
        r::R_X86_64_GOTPC64 => put(bytes, at, from_place(f.got).to_le_bytes()),
        r::R_X86_64_GOTOFF64 => put(bytes, at, absolute.wrapping_sub(f.got).to_le_bytes()),
        r::R_X86_64_PLTOFF64 => {
            let target = if f.stub == 0 { f.symbol } else { f.stub };
            put(bytes, at, target.wrapping_add_signed(f.addend).wrapping_sub(f.got).to_le_bytes())
        }
        r::R_X86_64_SIZE32 => {
            put(bytes, at, fit::<u32, u64>(f.size.wrapping_add_signed(f.addend))?.to_le_bytes())
        }
        r::R_X86_64_SIZE64 => put(bytes, at, f.size.wrapping_add_signed(f.addend).to_le_bytes()),
        _ => Err(FixupError::OutsideSection), // `need` refused every other type
    }
}

fn fit<T: TryFrom<V>, V>(value: V) -> Result<T, FixupError> {
    T::try_from(value).map_err(|_| FixupError::OutOfRange)
}

/// True when the four bytes at `at` are the distance of a call or jump, which may go through a
/// stub; a data access may not. PLT32 is only ever a branch.
fn is_branch(kind: u32, bytes: &[u8], at: usize) -> bool {
    if kind == r::R_X86_64_PLT32 {
        return true;
    }
    let before = |n: usize| at.checked_sub(n).and_then(|i| bytes.get(i)).copied();
    matches!((before(2), before(1)), (_, Some(0xe8 | 0xe9)) | (Some(0x0f), Some(0x80..=0x8f)))
}

/// Turns a load of the symbol's address from the GOT into its computation, where the symbol is
/// near: `mov` becomes `lea`, an indirect call a direct one. False if it stays a load.
fn relax(f: &Fixup, bytes: &mut [u8], at: usize) -> Result<bool, FixupError> {
    let distance = f.symbol.wrapping_add_signed(f.addend).wrapping_sub(f.place).cast_signed();
    let (Ok(distance), -4) = (i32::try_from(distance), f.addend) else { return Ok(false) };
    let Some([opcode, modrm]) = at.checked_sub(2).and_then(|i| bytes.get_mut(i..at)) else {
        return Ok(false);
    };
    match (*opcode, *modrm & 0xc7) {
        (0x8b, 0x05) => *opcode = 0x8d,
        (0xff, 0x05) if *modrm == 0x15 => (*opcode, *modrm) = (0x67, 0xe8),
        _ => return Ok(false),
    }
    put(bytes, at, distance.to_le_bytes())?;
    Ok(true)
}
