//! Control and status registers by number and name. Invariant: the list is what the simulator has.
//! Not here: their behaviour.

macro_rules! csrs {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        $($(#[$doc])* pub const $name: u16 = $number;)*

        /// The name of a CSR, if it is one of ours.
        #[must_use]
        pub const fn name(number: u16) -> Option<&'static str> {
            match number { $($name => Some($text),)* _ => None }
        }

        /// Every number with a name.
        pub const ALL: &[u16] = &[$($name),*];
    };
}

csrs! {
    /// Accrued floating-point exceptions.
    FFLAGS = 0x001, "fflags";
    /// Floating-point rounding mode.
    FRM = 0x002, "frm";
    /// Both.
    FCSR = 0x003, "fcsr";
    /// Element at which a vector instruction resumes.
    VSTART = 0x008, "vstart";
    /// Fixed-point saturation.
    VXSAT = 0x009, "vxsat";
    /// Fixed-point rounding mode.
    VXRM = 0x00a, "vxrm";
    /// Both.
    VCSR = 0x00f, "vcsr";
    /// Machine status: here only to be read and written.
    MSTATUS = 0x300, "mstatus";
    /// The extensions.
    MISA = 0x301, "misa";
    /// Trap vector.
    MTVEC = 0x305, "mtvec";
    /// Scratch.
    MSCRATCH = 0x340, "mscratch";
    /// Trapped pc.
    MEPC = 0x341, "mepc";
    /// Trap cause.
    MCAUSE = 0x342, "mcause";
    /// Trap value.
    MTVAL = 0x343, "mtval";
    /// Cycles, machine mode.
    MCYCLE = 0xb00, "mcycle";
    /// Instructions retired, machine mode.
    MINSTRET = 0xb02, "minstret";
    /// Cycles, machine mode, upper half.
    MCYCLEH = 0xb80, "mcycleh";
    /// Instructions retired, machine mode, upper half.
    MINSTRETH = 0xb82, "minstreth";
    /// Cycles.
    CYCLE = 0xc00, "cycle";
    /// Wall clock.
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
    /// Bytes of a vector register.
    VLENB = 0xc22, "vlenb";
    /// Vendor.
    MVENDORID = 0xf11, "mvendorid";
    /// Architecture.
    MARCHID = 0xf12, "marchid";
    /// Implementation.
    MIMPID = 0xf13, "mimpid";
    /// Number of the hart.
    MHARTID = 0xf14, "mhartid";
}
