//! File tests of the compiler: one file is one test; its header says which, its end holds the
//! golden output.
//!
//! ```text
//! //! test = "work-item-loops"          the pass whose output is shown, or "run"
//! //! functions = ["k.group"]            which functions to show (default: all)
//! <OpenCL C, or LLVM IR with ";" comments>
//! //---- expected ----
//! // <golden output, rewritten by BLESS=1>
//! ```
//! `test = "run"` compiles `kernel void test(global uint *out, global const uint *in, uint n[,
//! local uint *l])` in several variants, runs each, and compares `out` with what the plain `kernel
//! void expect(out, in, n)`, run by one work-item, gives.
//!
//! Not here: the API (tests/api), kernels through the whole driver (tests/kernels).

pub mod case;
pub mod compile;
pub mod passes;
pub mod riscv;
pub mod run;
