//! File tests of the compiler. One file is one test: its header selects the kind of test, and its
//! end holds the golden output.
//!
//! ```text
//! //! test = "work-item-loops"          the pass whose output is shown, or "run"
//! //! functions = ["k.group"]            which functions to show (default: all)
//! <OpenCL C, or LLVM IR with ";" comments>
//! //---- expected ----
//! // <golden output, rewritten by BLESS=1>
//! ```
//! `test = "run"` compiles `kernel void test(global uint *out, global const uint *in, uint n[,
//! local uint *l])` in several variants and runs each. The reference is the plain `kernel void
//! expect(out, in, n)`, run by one work-item: `out` must be equal. A plain run leaves out some
//! variants; `FILETESTS_FULL=1` runs all ([`extent`]).
//!
//! `random` generates kernels. `run::differs` (host) and `run_riscv::differs` (RISC-V) compare the
//! results of a case's scalar code with those of its code in lanes.
//!
//! Not here: the API (tests/api), kernels through the whole driver (tests/kernels).

pub mod case;
pub mod compile;
pub mod extent;
pub mod passes;
pub mod random;
pub mod riscv;
pub mod run;
pub mod run_riscv;
