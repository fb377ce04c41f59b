//! Vector loads and stores. Invariant: accesses occur in element order, and a fault sets `vstart`
//! to the faulting element. A long contiguous access is one copy if it lies in one region of
//! memory. The decoder derives the access from the mnemonic, once per instruction. An access that
//! completes counts the bytes of its active elements.

use super::by_sew;
use crate::fault::Trap;
use crate::guest;
use crate::hart::Hart;
use bytemuck::cast_slice_mut;
use muxcl_rv_isa::{Inst, OP_COUNT, Op};
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Unit,
    FaultFirst,
    Strided,
    Indexed,
    /// Whole registers: their number.
    Whole(usize),
    Mask,
}

/// The addressing mode of an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    store: bool,
    mode: Mode,
    /// Size in bytes of an element, or of an index.
    size: usize,
    segments: bool,
}

fn parse(mnemonic: &str) -> Option<Access> {
    let base = mnemonic.strip_suffix(".v")?;
    let (store, rest) = match (base.strip_prefix("vl"), base.strip_prefix("vs")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    if rest == "m" {
        return Some(Access { store, mode: Mode::Mask, size: 1, segments: false });
    }
    let digits = |text: &str| text.parse::<usize>().ok();
    // Whole-register forms: `1re8`, `1r`.
    if let Some((count, size)) = rest.split_once('r')
        && let Some(count) = digits(count)
    {
        let size = size.strip_prefix('e').and_then(digits).unwrap_or(8) / 8;
        return Some(Access { store, mode: Mode::Whole(count), size, segments: false });
    }
    let (mode, rest) =
        if let Some(rest) = rest.strip_prefix("ux").or_else(|| rest.strip_prefix("ox")) {
            (Mode::Indexed, rest)
        } else if let Some(rest) = rest
            .strip_prefix('s')
            .filter(|r| r.starts_with('e') && !r.starts_with("eg") || r.starts_with("seg"))
        {
            (Mode::Strided, rest)
        } else {
            (Mode::Unit, rest)
        };
    let (segments, rest) = match rest.strip_prefix("seg%") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rest = rest.strip_prefix(if mode == Mode::Indexed { "ei" } else { "e" })?;
    let (mode, rest) = match rest.strip_suffix("ff") {
        Some(rest) => (Mode::FaultFirst, rest),
        None => (mode, rest),
    };
    Some(Access { store, mode, size: digits(rest)? / 8, segments })
}

/// The access of an instruction; `None` if it accesses no memory.
pub(super) fn access_of(i: &Inst) -> Option<Access> {
    static TABLE: OnceLock<Vec<Option<Access>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = vec![None; OP_COUNT];
        for op in Op::ALL {
            let row = op.row();
            // Vector loads and stores share their major opcodes with the floating-point ones.
            if row.mnemonic.starts_with('v') && matches!(row.matches & 0x7f, 0x07 | 0x27) {
                table[*op as usize] = parse(row.mnemonic);
            }
        }
        table
    });
    table[i.op as usize]
}

/// A decoded access.
struct Plan {
    store: bool,
    fault_first: bool,
    fields: usize,
    /// Size in bytes of an element.
    size: usize,
    /// Number of registers of a field.
    registers: usize,
    count: usize,
}

impl Hart {
    /// Executes a vector load or store.
    pub(super) fn vector_access(&mut self, i: &Inst, access: Access) -> Result<(), Trap> {
        let base = self.x(i.rs1);
        let whole = matches!(access.mode, Mode::Whole(_));
        if !whole && self.v.vtype.illegal {
            return Err(Trap::ILLEGAL);
        }
        let fields = if access.segments { usize::from(i.aux) + 1 } else { 1 };
        let mut plan = Plan {
            store: access.store,
            fault_first: access.mode == Mode::FaultFirst,
            fields,
            size: access.size,
            registers: 1,
            count: self.v.vl,
        };
        match access.mode {
            Mode::Whole(n) => {
                if usize::from(i.rd) % n != 0 {
                    return Err(Trap::ILLEGAL);
                }
                plan.count = n * self.v.vlenb / access.size;
                return self.transfer(
                    &Inst { unmasked: true, ..*i },
                    &plan,
                    base,
                    access.size as u64,
                    None,
                );
            }
            Mode::Mask => {
                plan.count = self.v.vl.div_ceil(8);
                return self.transfer(&Inst { unmasked: true, ..*i }, &plan, base, 1, None);
            }
            Mode::Indexed => {
                plan.size = self.v.vtype.sew;
                self.v.group(i.rs2, access.size)?;
            }
            Mode::Unit | Mode::FaultFirst | Mode::Strided => {}
        }
        if access.store {
            self.v.group(i.rd, plan.size)?;
        } else {
            self.v.destination(i, plan.size)?;
        }
        plan.registers = 1 << self.v.emul(plan.size).max(0);
        if fields * plan.registers > 8 || usize::from(i.rd) + fields * plan.registers > 32 {
            return Err(Trap::ILLEGAL);
        }
        match access.mode {
            Mode::Indexed => {
                // Copied first, because a load may overwrite the index registers.
                let mut indices = std::mem::take(&mut self.v.indices);
                indices.clear();
                by_sew!(access.size, {
                    indices.extend(
                        self.v.elements::<U>(i.rs2)[..self.v.vl].iter().map(|x| u64::from(*x)),
                    );
                });
                let done = self.transfer(i, &plan, base, 0, Some(&indices));
                self.v.indices = indices;
                done
            }
            Mode::Strided => self.transfer(i, &plan, base, self.x(i.rs2), None),
            _ => self.transfer(i, &plan, base, (fields * plan.size) as u64, None),
        }
    }

    fn transfer(
        &mut self,
        i: &Inst,
        plan: &Plan,
        base: u64,
        stride: u64,
        indices: Option<&[u64]>,
    ) -> Result<(), Trap> {
        let (start, size) = (self.v.vstart, plan.size);
        let bytes = plan.count * size;
        if i.unmasked
            && start == 0
            && plan.fields == 1
            && indices.is_none()
            && stride == size as u64
            && bytes != 0
        {
            let address = self.address(base);
            if let Some(host) = self.host_range(address, bytes as u64, plan.store) {
                let from = usize::from(i.rd) * self.v.vlenb;
                let registers =
                    &mut cast_slice_mut::<u64, u8>(&mut self.v.regs)[from..from + bytes];
                if plan.store {
                    // SAFETY: `host_range` returned `bytes` writable bytes.
                    unsafe { guest::store(registers, host) };
                } else {
                    // SAFETY: `host_range` returned `bytes` readable bytes.
                    unsafe { guest::load(host, registers) };
                }
                self.count_moved(plan.store, bytes as u64);
                return Ok(());
            }
        }
        if i.unmasked && start == 0 && plan.fields == 1 {
            return self.each(plan, i.rd, base, stride, indices);
        }
        let mask = self.v.mask();
        let mut elements = 0;
        for k in start..plan.count {
            if !i.unmasked && !mask.get(k) {
                continue;
            }
            let offset = indices.map_or_else(|| stride.wrapping_mul(k as u64), |list| list[k]);
            for field in 0..plan.fields {
                let address =
                    self.address(base.wrapping_add(offset).wrapping_add((field * size) as u64));
                let register = i.rd + (field * plan.registers) as u8;
                if let Err(trap) = self.element(plan.store, register, k, size, address) {
                    if plan.fault_first && k > 0 {
                        self.v.vl = k;
                        self.v.vstart = 0;
                        self.count_moved(plan.store, elements * (plan.fields * size) as u64);
                        return Ok(());
                    }
                    self.v.vstart = k;
                    return Err(trap);
                }
            }
            elements += 1;
        }
        self.v.vstart = 0;
        self.count_moved(plan.store, elements * (plan.fields * size) as u64);
        Ok(())
    }

    /// Accesses every element of a strided or indexed access.
    fn each(
        &mut self,
        p: &Plan,
        register: u8,
        base: u64,
        stride: u64,
        indices: Option<&[u64]>,
    ) -> Result<(), Trap> {
        by_sew!(p.size, {
            for k in 0..p.count {
                let offset = indices.map_or_else(|| stride.wrapping_mul(k as u64), |list| list[k]);
                let address = self.address(base.wrapping_add(offset));
                let done = if p.store {
                    let value = self.v.elements::<U>(register)[k];
                    self.store::<U>(address, value)
                } else {
                    self.load::<U>(address)
                        .map(|value| self.v.elements_mut::<U>(register)[k] = value)
                };
                if let Err(trap) = done {
                    if p.fault_first && k > 0 {
                        self.v.vl = k;
                        self.count_moved(p.store, (k * p.size) as u64);
                        return Ok(());
                    }
                    self.v.vstart = k;
                    return Err(trap);
                }
            }
        });
        self.count_moved(p.store, (p.count * p.size) as u64);
        Ok(())
    }

    #[inline]
    fn element(
        &mut self,
        store: bool,
        register: u8,
        k: usize,
        size: usize,
        address: u64,
    ) -> Result<(), Trap> {
        by_sew!(size, {
            if store {
                let value = self.v.elements::<U>(register)[k];
                self.store::<U>(address, value)
            } else {
                let value = self.load::<U>(address)?;
                self.v.elements_mut::<U>(register)[k] = value;
                Ok(())
            }
        })
    }
}
