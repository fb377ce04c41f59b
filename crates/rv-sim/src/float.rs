//! Scalar floating-point instructions: NaN boxing, rounding modes, flags. Invariant: `fflags` only
//! accumulates here. Not here: the arithmetic (`soft.rs`, `fast.rs`).

use crate::access::Scalar;
use crate::fast::{self, Fast};
use crate::fault::Trap;
use crate::hart::Hart;
use crate::soft::{self, Double, Format, Half, Rounding, Single};
use muxcl_rv_isa::{Inst, Op, Xlen};

/// NaN-boxes a narrow value: sets all bits above it.
pub(crate) const fn boxed<T: Format>(value: u64) -> u64 {
    if T::WIDTH == 64 { value } else { value | u64::MAX << T::WIDTH }
}

/// Unboxes a register's value. A value that is not NaN-boxed reads as the canonical NaN.
pub(crate) const fn unboxed<T: Format>(register: u64) -> u64 {
    if T::WIDTH == 64 {
        register
    } else if register >> T::WIDTH == u64::MAX >> T::WIDTH {
        register & ((1 << T::WIDTH) - 1)
    } else {
        T::NAN
    }
}

impl Hart {
    pub(crate) fn f_in<T: Format>(&self, register: u8) -> u64 {
        unboxed::<T>(self.f(register))
    }

    fn f_out<T: Format>(&mut self, register: u8, value: u64) {
        self.set_f(register, boxed::<T>(value));
    }

    /// The instruction's rounding mode; the dynamic mode reads `frm`.
    pub(crate) fn rounding(&self, rm: u8) -> Result<Rounding, Trap> {
        Rounding::from_rm(if rm == 7 { self.frm } else { rm }).ok_or(Trap::ILLEGAL)
    }

    fn f2<T: Format>(
        &mut self,
        i: &Inst,
        f: impl Fn(u64, u64, Rounding, &mut u8) -> u64,
    ) -> Result<(), Trap> {
        let rm = self.rounding(i.aux)?;
        let result = f(self.f_in::<T>(i.rs1), self.f_in::<T>(i.rs2), rm, &mut self.fflags);
        self.f_out::<T>(i.rd, result);
        Ok(())
    }

    fn f_fma<T: Fast>(
        &mut self,
        i: &Inst,
        negate_product: bool,
        negate_addend: bool,
    ) -> Result<(), Trap> {
        let rm = self.rounding(i.aux)?;
        let flip = |yes: bool| if yes { T::SIGN } else { 0 };
        let a = self.f_in::<T>(i.rs1) ^ flip(negate_product);
        let (b, c) = (self.f_in::<T>(i.rs2), self.f_in::<T>(i.rs3) ^ flip(negate_addend));
        let result = fast::fma::<T>(a, b, c, rm, &mut self.fflags);
        self.f_out::<T>(i.rd, result);
        Ok(())
    }

    fn f_sign<T: Format>(&mut self, i: &Inst, f: impl Fn(u64, u64) -> u64) -> Result<(), Trap> {
        let (a, b) = (self.f_in::<T>(i.rs1), self.f_in::<T>(i.rs2));
        self.f_out::<T>(i.rd, a & !T::SIGN | f(a, b) & T::SIGN);
        Ok(())
    }

    fn f_compare<T: Format>(
        &mut self,
        i: &Inst,
        f: impl Fn(u64, u64, &mut u8) -> bool,
    ) -> Result<(), Trap> {
        let holds = f(self.f_in::<T>(i.rs1), self.f_in::<T>(i.rs2), &mut self.fflags);
        self.set_x(i.rd, holds.into());
        Ok(())
    }

    fn f_select<T: Format>(
        &mut self,
        i: &Inst,
        f: impl Fn(u64, u64, &mut u8) -> u64,
    ) -> Result<(), Trap> {
        let result = f(self.f_in::<T>(i.rs1), self.f_in::<T>(i.rs2), &mut self.fflags);
        self.f_out::<T>(i.rd, result);
        Ok(())
    }

    fn f_sqrt<T: Fast>(&mut self, i: &Inst) -> Result<(), Trap> {
        let rm = self.rounding(i.aux)?;
        let result = fast::sqrt::<T>(self.f_in::<T>(i.rs1), rm, &mut self.fflags);
        self.f_out::<T>(i.rd, result);
        Ok(())
    }

    fn f_convert<From: Format, To: Format>(&mut self, i: &Inst) -> Result<(), Trap> {
        let rm = self.rounding(i.aux)?;
        let result = fast::convert::<From, To>(self.f_in::<From>(i.rs1), rm, &mut self.fflags);
        self.f_out::<To>(i.rd, result);
        Ok(())
    }

    fn f_to_int<T: Format>(&mut self, i: &Inst, width: u32, signed: bool) -> Result<(), Trap> {
        let rm = self.rounding(i.aux)?;
        let result = fast::to_int::<T>(self.f_in::<T>(i.rs1), width, signed, rm, &mut self.fflags);
        let result = if width == 32 { i64::from(result as i32).cast_unsigned() } else { result };
        self.set_x(i.rd, result);
        Ok(())
    }

    fn f_from_int<T: Format>(&mut self, i: &Inst, width: u32, signed: bool) -> Result<(), Trap> {
        let rm = self.rounding(i.aux)?;
        let x = self.x(i.rs1);
        let result = match (width, signed) {
            (32, true) => fast::from_i64::<T>((x as i32).into(), rm, &mut self.fflags),
            (32, false) => fast::from_u64::<T>((x as u32).into(), rm, &mut self.fflags),
            (_, true) => fast::from_i64::<T>(x.cast_signed(), rm, &mut self.fflags),
            (_, false) => fast::from_u64::<T>(x, rm, &mut self.fflags),
        };
        self.f_out::<T>(i.rd, result);
        Ok(())
    }

    fn f_class<T: Format>(&mut self, i: &Inst) -> Result<(), Trap> {
        self.set_x(i.rd, soft::classify::<T>(self.f_in::<T>(i.rs1)));
        Ok(())
    }

    fn f_load<T: Format, B: Scalar>(&mut self, i: &Inst) -> Result<(), Trap> {
        let address = self.address(self.x(i.rs1).wrapping_add(i64::from(i.imm).cast_unsigned()));
        let value = self.load::<B>(address)?.to_u64();
        self.f_out::<T>(i.rd, value);
        Ok(())
    }

    fn f_store<B: Scalar>(&mut self, i: &Inst) -> Result<(), Trap> {
        let address = self.address(self.x(i.rs1).wrapping_add(i64::from(i.imm).cast_unsigned()));
        self.store::<B>(address, B::from_u64(self.f(i.rs2)))
    }

    /// Copies the low bits to an integer register, sign-extended.
    fn f_bits_out(&mut self, i: &Inst, width: u32) -> Result<(), Trap> {
        let shift = 64 - width;
        self.set_x(i.rd, ((self.f(i.rs1) << shift).cast_signed() >> shift).cast_unsigned());
        Ok(())
    }

    fn f_bits_in<T: Format>(&mut self, i: &Inst) -> Result<(), Trap> {
        let mask = if T::WIDTH == 64 { u64::MAX } else { (1 << T::WIDTH) - 1 };
        self.f_out::<T>(i.rd, self.x(i.rs1) & mask);
        Ok(())
    }
}

macro_rules! float_ops {
    ($self:ident, $i:ident; $($t:ident $bits:ident: $load:ident $store:ident $fmadd:ident
        $fmsub:ident $fnmsub:ident $fnmadd:ident $add:ident $sub:ident
        $mul:ident $div:ident $sqrt:ident $sgnj:ident $sgnjn:ident $sgnjx:ident $min:ident
            $max:ident $le:ident $lt:ident $eq:ident $class:ident
        $tow:ident $towu:ident $tol:ident $tolu:ident $fromw:ident $fromwu:ident $froml:ident
            $fromlu:ident $out:ident $in:ident;)*) => {
        match $i.op {
            $(
                Op::$load => $self.f_load::<$t, $bits>($i),
                Op::$store => $self.f_store::<$bits>($i),
                Op::$fmadd => $self.f_fma::<$t>($i, false, false),
                Op::$fmsub => $self.f_fma::<$t>($i, false, true),
                Op::$fnmsub => $self.f_fma::<$t>($i, true, false),
                Op::$fnmadd => $self.f_fma::<$t>($i, true, true),
                Op::$add => $self.f2::<$t>($i, fast::add::<$t>),
                Op::$sub => $self.f2::<$t>($i, fast::sub::<$t>),
                Op::$mul => $self.f2::<$t>($i, fast::mul::<$t>),
                Op::$div => $self.f2::<$t>($i, fast::div::<$t>),
                Op::$sqrt => $self.f_sqrt::<$t>($i),
                Op::$sgnj => $self.f_sign::<$t>($i, |_, b| b),
                Op::$sgnjn => $self.f_sign::<$t>($i, |_, b| !b),
                Op::$sgnjx => $self.f_sign::<$t>($i, |a, b| a ^ b),
                Op::$min => $self.f_select::<$t>($i, soft::min::<$t>),
                Op::$max => $self.f_select::<$t>($i, soft::max::<$t>),
                Op::$le => $self.f_compare::<$t>($i, soft::le::<$t>),
                Op::$lt => $self.f_compare::<$t>($i, soft::lt::<$t>),
                Op::$eq => $self.f_compare::<$t>($i, soft::eq::<$t>),
                Op::$class => $self.f_class::<$t>($i),
                Op::$tow => $self.f_to_int::<$t>($i, 32, true),
                Op::$towu => $self.f_to_int::<$t>($i, 32, false),
                Op::$tol => $self.f_to_int::<$t>($i, 64, true),
                Op::$tolu => $self.f_to_int::<$t>($i, 64, false),
                Op::$fromw => $self.f_from_int::<$t>($i, 32, true),
                Op::$fromwu => $self.f_from_int::<$t>($i, 32, false),
                Op::$froml => $self.f_from_int::<$t>($i, 64, true),
                Op::$fromlu => $self.f_from_int::<$t>($i, 64, false),
                Op::$out => $self.f_bits_out($i, $t::WIDTH),
                Op::$in => $self.f_bits_in::<$t>($i),
            )*
            Op::FcvtSD => $self.f_convert::<Double, Single>($i),
            Op::FcvtDS => $self.f_convert::<Single, Double>($i),
            Op::FcvtSH => $self.f_convert::<Half, Single>($i),
            Op::FcvtHS => $self.f_convert::<Single, Half>($i),
            Op::FcvtDH => $self.f_convert::<Half, Double>($i),
            Op::FcvtHD => $self.f_convert::<Double, Half>($i),
            _ => Err(Trap::ILLEGAL),
        }
    };
}

impl Hart {
    /// Executes a scalar floating-point instruction.
    pub(crate) fn float(&mut self, i: &Inst) -> Result<(), Trap> {
        debug_assert!(self.xlen() == Xlen::Rv64 || i.op.row().xlen.has(Xlen::Rv32));
        float_ops!(self, i;
            Single u32: Flw Fsw FmaddS FmsubS FnmsubS FnmaddS FaddS FsubS FmulS FdivS FsqrtS FsgnjS
            FsgnjnS FsgnjxS FminS FmaxS FleS FltS FeqS
                FclassS FcvtWS FcvtWuS FcvtLS FcvtLuS FcvtSW FcvtSWu FcvtSL FcvtSLu FmvXW FmvWX;
            Double u64: Fld Fsd FmaddD FmsubD FnmsubD FnmaddD FaddD FsubD FmulD FdivD FsqrtD FsgnjD
            FsgnjnD FsgnjxD FminD FmaxD FleD FltD FeqD
                FclassD FcvtWD FcvtWuD FcvtLD FcvtLuD FcvtDW FcvtDWu FcvtDL FcvtDLu FmvXD FmvDX;
            Half u16: Flh Fsh FmaddH FmsubH FnmsubH FnmaddH FaddH FsubH FmulH FdivH FsqrtH FsgnjH
            FsgnjnH FsgnjxH FminH FmaxH FleH FltH FeqH
                FclassH FcvtWH FcvtWuH FcvtLH FcvtLuH FcvtHW FcvtHWu FcvtHL FcvtHLu FmvXH FmvHX;
        )
    }
}
