//! Control and status registers by number and name. Invariant: the list equals the simulator's
//! CSRs. Not here: their behaviour.

macro_rules! csrs {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        $($(#[$doc])* pub const $name: u16 = $number;)*

        /// The name of a CSR; `None` if it is not in the list.
        #[must_use]
        pub const fn name(number: u16) -> Option<&'static str> {
            match number { $($name => Some($text),)* _ => None }
        }

        /// The numbers of all listed CSRs.
        pub const ALL: &[u16] = &[$($name),*];
    };
}

csrs! {
    /// Accrued floating-point exceptions.
    FFLAGS = 0x001, "fflags";
    /// Floating-point rounding mode.
    FRM = 0x002, "frm";
    /// Exception flags and rounding mode combined.
    FCSR = 0x003, "fcsr";
    /// Index of the element at which a vector instruction resumes.
    VSTART = 0x008, "vstart";
    /// Fixed-point saturation flag.
    VXSAT = 0x009, "vxsat";
    /// Fixed-point rounding mode.
    VXRM = 0x00a, "vxrm";
    /// Saturation flag and fixed-point rounding mode combined.
    VCSR = 0x00f, "vcsr";
    /// Machine status; the simulator only stores it.
    MSTATUS = 0x300, "mstatus";
    /// The implemented extensions.
    MISA = 0x301, "misa";
    /// Trap vector address.
    MTVEC = 0x305, "mtvec";
    /// Scratch register for trap handlers.
    MSCRATCH = 0x340, "mscratch";
    /// The pc at the trap.
    MEPC = 0x341, "mepc";
    /// Cause of the trap.
    MCAUSE = 0x342, "mcause";
    /// Value that describes the trap.
    MTVAL = 0x343, "mtval";
    /// Cycles, machine mode.
    MCYCLE = 0xb00, "mcycle";
    /// Instructions retired, machine mode.
    MINSTRET = 0xb02, "minstret";
    /// Cycles, machine mode, upper half.
    MCYCLEH = 0xb80, "mcycleh";
    /// Instructions retired, machine mode, upper half.
    MINSTRETH = 0xb82, "minstreth";
    /// Cycle counter.
    CYCLE = 0xc00, "cycle";
    /// Wall-clock time.
    TIME = 0xc01, "time";
    /// Instructions retired.
    INSTRET = 0xc02, "instret";
    /// Cycles, upper half.
    CYCLEH = 0xc80, "cycleh";
    /// Wall clock, upper half.
    TIMEH = 0xc81, "timeh";
    /// Instructions retired, upper half.
    INSTRETH = 0xc82, "instreth";
    /// Vector length.
    VL = 0xc20, "vl";
    /// Vector type.
    VTYPE = 0xc21, "vtype";
    /// Size of a vector register in bytes.
    VLENB = 0xc22, "vlenb";
    /// Vendor id.
    MVENDORID = 0xf11, "mvendorid";
    /// Architecture id.
    MARCHID = 0xf12, "marchid";
    /// Implementation id.
    MIMPID = 0xf13, "mimpid";
    /// Hart number.
    MHARTID = 0xf14, "mhartid";
}
