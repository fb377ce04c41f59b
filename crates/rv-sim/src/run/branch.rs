//! The conditions of branches. Each function has the name of its code, and the loop inlines it.

use crate::code::DecodedInst;
use crate::hart::Hart;

/// Defines one function for each line, which contains the code, names for the operands `x[rs1]` and
/// `x[rs2]`, and the condition.
macro_rules! conditions {
    ($($code:ident = |$a:ident, $b:ident| $holds:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $code(h: &Hart, s: &DecodedInst) -> bool {
            let ($a, $b) = (h.x[s.rs1 as usize], h.x[s.rs2 as usize]);
            $holds
        }
    )*};
}

conditions! {
    Beq = |a, b| a == b;
    Bne = |a, b| a != b;
    Blt = |a, b| a.cast_signed() < b.cast_signed();
    Bge = |a, b| a.cast_signed() >= b.cast_signed();
    Bltu = |a, b| a < b;
    Bgeu = |a, b| a >= b;
}
