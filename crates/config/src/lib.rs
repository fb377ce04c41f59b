//! The only reader of the environment. Each variable of muxcl is one line of the table below.
//!
//! Invariants: no other crate calls `std::env::var`. `docs/env.md` lists exactly [`ALL`] (`xtask
//! tidy` compares them). An empty value counts as unset. Values are read on request and never
//! written. Not here: the meaning of a value.
//!
//! # Examples
//! ```
//! use muxcl_config::{ALL, MUXCL_THREADS};
//!
//! let threads = MUXCL_THREADS.parse::<usize>(); // `None` if unset, empty or no number
//! assert_eq!(threads.is_some(), MUXCL_THREADS.get().is_some_and(|t| t.parse::<usize>().is_ok()));
//! assert!(ALL.iter().any(|variable| variable.name == "MUXCL_THREADS"));
//! ```

use std::ffi::OsString;
use std::str::FromStr;

/// One environment variable.
#[derive(Debug)]
pub struct Var {
    /// Name of the variable.
    pub name: &'static str,
    /// The description, as in `docs/env.md`.
    pub doc: &'static str,
}

macro_rules! variables {
    ($($ident:ident $doc:literal)*) => {
        $(#[doc = $doc] pub static $ident: Var = Var { name: stringify!($ident), doc: $doc };)*
        /// Every variable of muxcl's own, in the order of `docs/env.md`.
        pub static ALL: &[&Var] = &[$(&$ident),*];
    };
}

// To add a variable: one entry here, and one with the same text in docs/env.md.
variables! {
    CA_CPU_HAL_NUM_THREADS
        "Number of threads of `libhal_cpu.so`; default the CPUs that this process may use."
    CA_HAL_DEBUG "`1` writes every call of a RefSi device to stderr."
    CA_HAL_DEVICE
        "HAL libraries: a list of names (`refsi` is `libhal_refsi.so`) and absolute paths; default \
         those of `hal.d`, else the build's, see below."
    CA_PROFILE_CSV_PATH
        "File for `CA_PROFILE_LEVEL`, shared by all HAL devices; `-` is standard output; default \
         `/tmp/hal_profile.csv`."
    CA_PROFILE_LEVEL
        "Level of the counters that are written after every kernel of a HAL device: `1` to `3`; \
         with `3`, RefSi kernels take some 10 % longer; default none."
    CA_RISCV_VLEN_BITS_MIN
        "Bits of a RefSi vector register: a power of two from 64 to 4096; default 512 on M1, 128 \
         on G1. May be a list, see below."
    HAL_DESCRIPTION
        "Instruction set of RefSi devices, such as `RV64GCV_Zba`; `RV32...` on G1 only; default \
         `RV64GCV_Zfh_Zvfh` on G1, `RV64GCV_Zbc_Zfh_Zvfh` on M1. May be a list, see below."
    HAL_REFSI_EXEC
        "How RefSi harts execute code: `jit` (the interpreter, and translations to the host's code \
         of what is hot; default), `interp` (the interpreter only), `eager` (all code is \
         translated before it runs; slow, for tests) or `check` (as `eager`, and the interpreter \
         executes everything, too; a launch fails at the first difference). May be a list, see \
         below."
    HAL_REFSI_GDB
        "Port of the loopback interface on which a RefSi device listens for gdb; 0 is any free \
         port, which stderr names. The first kernel launch waits for gdb. The n-th device of a \
         platform listens on the n-th port from there. Default: no port."
    HAL_REFSI_HARTS
        "Harts of a RefSi device, 1 to 64; default 4 on M1, 2 on G1, 64 on G1 in mode `wi`. May be \
         a list, see below."
    HAL_REFSI_MAX_INSTRUCTIONS
        "Maximum number of instructions of a RefSi hart in a kernel launch; 0 is no limit; \
         default 2^40. May be a list, see below."
    HAL_REFSI_SOC
        "RefSi devices of the platform: `m1`, `g1` or a list such as `g1,m1,g1`; default `g1`."
    HAL_REFSI_STACK_MB
        "Stack of each hart of a RefSi device in MiB, 4 to 256; default 8. May be a list, see \
         below."
    HAL_REFSI_STRICT_ALIGN
        "`1` makes misaligned loads and stores of RefSi devices fault; by default they work."
    HAL_REFSI_THREAD_MODE
        "How RefSi G1 runs kernels: `wg` (a call runs a work-group) or `wi` (a call runs a \
         work-item); default `wg`. May be a list, see below."
    HAL_REFSI_TRACE
        "File to which the first RefSi device appends every instruction that a hart executes; the \
         second device's has `.1` behind its name, and so on; slow. Default: none."
    HAL_REFSI_TRACE_LIMIT
        "Maximum number of instructions that each RefSi device writes to the file of \
         `HAL_REFSI_TRACE`; 0 is no limit; default 1000000."
    MUXCL_BUILD_MB
        "Memory that one build may use, in MiB; default half of the machine's. A build that needs \
         more fails."
    MUXCL_BUILD_SECONDS
        "Processor time that one build may use, in seconds; default 600. A build that needs more \
         fails."
    MUXCL_CACHE "`0` turns off the disk cache of compile results."
    MUXCL_CACHE_DIR
        "Folder of the disk cache; default `$XDG_CACHE_HOME/muxcl`, else `~/.cache/muxcl`."
    MUXCL_CACHE_MB
        "Maximum size of the disk cache in MiB; default 512. The oldest entries are deleted \
         first."
    MUXCL_CHECK
        "What kernels check while they run: a list of `memory` (bounds, alignment, released and \
         uninitialised memory), `race` (data races) and `divergence` (barriers that not all \
         work-items reach), or `all`; errors are written to stderr; default nothing. See \
         [checker.md](checker.md)."
    MUXCL_COMPILER
        "Where the compiler runs: `process` (a process of its own) or `inline` (a library in the \
         application's process); default `process`, and `inline` where no process can be started."
    MUXCL_COMPILER_FILES
        "Files that sources may include: `listed` (named like a source, such as `x.h` or `x.cl`, \
         or below a folder of `-I`, the current directory, or up to two folders above these) or \
         `any`; default `listed`. Has no effect with `MUXCL_COMPILER=inline`."
    MUXCL_COMPILER_PATH
        "Path of the compiler library; default `libmuxcl_compiler.so` beside `libmuxcl.so`. If \
         set, the default of `MUXCL_COMPILER` is `inline`."
    MUXCL_COMPILER_PROGRAM
        "Path of the compiler's program; default `../libexec/muxcl/muxcl-compiler` or \
         `muxcl-compiler` from the folder of `libmuxcl.so`."
    MUXCL_CRASH_DIR
        "Folder for the inputs of builds that crashed the compiler; default none. \
         `muxcl-compiler --replay FILE` repeats such a build."
    MUXCL_DEVICES
        "Devices of the platform, in order: a list of `host` and `hal` (the devices of all HAL \
         libraries); default `host,hal`."
    MUXCL_DUMP
        "Passes whose IR before and after is written to stderr: a list of names, `*` for all."
    MUXCL_EXPLAIN
        "`1` writes a sentence to stderr for every error that an OpenCL call returns: the \
         argument, \
         its value, and what the specification wants."
    MUXCL_HAL_CPU_MODE
        "How `libhal_cpu.so` uses threads: `wg` (a call runs work-groups) or `wi` (each work-item \
         of a group has a thread, at most 16); default `wg`."
    MUXCL_LOG
        "Log on stderr, as a `tracing` filter: `warn`, `cl::api=trace` (every call), ...; default \
         none."
    MUXCL_REMOTE
        "Servers of `libhal_remote.so`: a list of `host:port`; default none."
    MUXCL_REMOTE_KEYS
        "Folder with the files that give access to the servers of `MUXCL_REMOTE`, as \
         `muxcl-hal-server keys` makes them; default none."
    MUXCL_TEST_SECONDS
        "Seconds that each stress test of queues, and the tests of random calls and of random \
         RISC-V programs, run; default 2."
    MUXCL_TEST_SEED
        "Number of the first run of the test of random calls; default 1. \
         `target/tmp/api-fuzz-seed` contains the number of the current run."
    MUXCL_TEST_ICD
        "Driver library for the kernel tests (`tests/kernels`); default the one just built."
    MUXCL_TEST_SPIRV
        "Folder with the kernel tests in SPIR-V, `basic/add.spv` for `basic/add.cl`; default \
         clang compiles them."
    MUXCL_PERF
        "`1` writes the names of loaded kernels to `/tmp/perf-PID.map` for Linux perf; `jitdump` \
         writes names, code and source lines to `/tmp/jit-PID.dump`."
    MUXCL_PROFILE
        "File for a profile of the kernels: launches and times on every device, and what RefSi \
         devices have executed, with hot code and source lines; rewritten after the launches. `-` \
         is standard output. `1` prints one on stderr when the last context is released, or when the \
         process has ended. Default: none."
    MUXCL_THREADS
        "Number of threads of the host device; default the CPUs that this process may use."
    MUXCL_TIME_PASSES "`1` writes the time of each step of a compilation to stderr."
    MUXCL_TRACE
        "File for a trace that Perfetto reads: calls, compilations, commands of each queue, and \
         the driver's threads. In the name, `%p` is the number of the process. Default: none."
    MUXCL_VECZ
        "Work-items in lanes of vectors, on devices that have vectors: `0` nowhere, `always` \
         wherever possible; default where this is expected to be faster."
    MUXCL_VECZ_REPORT
        "`1` writes to stderr which loops over work-items run in lanes, what still runs lane by \
         lane, and why other loops stay scalar, with source lines."
    REFSI_DEBUG "`1` writes the commands that RefSi M1's command processor executes to stderr."
}

static HOME: Var = Var { name: "HOME", doc: "The user's home directory." };
static XDG_CACHE_HOME: Var = Var { name: "XDG_CACHE_HOME", doc: "The user's cache directory." };

impl Var {
    /// The value; `None` if unset, empty or not Unicode.
    #[must_use]
    pub fn get(&self) -> Option<String> {
        self.get_os()?.into_string().ok()
    }

    /// The value as the system stores it (for paths); `None` if unset or empty. In a program that
    /// runs with more rights than its user (set-user-ID and the like), every variable is unset.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this crate is the only reader")]
    pub fn get_os(&self) -> Option<OsString> {
        if muxcl_os::has_more_rights() {
            return None;
        }
        std::env::var_os(self.name).filter(|v| !v.is_empty())
    }

    /// A switch: `0`, `off`, `no` and `false` are false, any other value is true, unset is
    /// `default`.
    #[must_use]
    pub fn flag(&self, default: bool) -> bool {
        self.get().map_or(default, |v| parse_flag(&v))
    }

    /// The parsed value; `None` if unset or malformed.
    #[must_use]
    pub fn parse<T: FromStr>(&self) -> Option<T> {
        self.get()?.trim().parse().ok()
    }

    /// The items of a comma-separated list, trimmed; empty if unset.
    #[must_use]
    pub fn list(&self) -> Vec<String> {
        self.get().map_or_else(Vec::new, |v| parse_list(&v))
    }
}

/// `$HOME`.
#[must_use]
pub fn home_dir() -> Option<std::path::PathBuf> {
    HOME.get_os().map(std::path::PathBuf::from)
}

/// `$XDG_CACHE_HOME`, else `$HOME/.cache`. Relative values are ignored, as the XDG specification
/// requires.
#[must_use]
pub fn user_cache_dir() -> Option<std::path::PathBuf> {
    let absolute = |v: &Var| v.get_os().map(std::path::PathBuf::from).filter(|p| p.is_absolute());
    absolute(&XDG_CACHE_HOME).or_else(|| absolute(&HOME).map(|h| h.join(".cache")))
}

/// Names of set variables that look like those of muxcl but are unknown, to report typing errors.
#[must_use]
pub fn unknown_variables() -> Vec<String> {
    let mut names: Vec<String> = std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with("MUXCL_") && ALL.iter().all(|v| v.name != name))
        .collect();
    names.sort();
    names
}

fn parse_flag(value: &str) -> bool {
    !matches!(value.trim().to_ascii_lowercase().as_str(), "0" | "off" | "no" | "false")
}

fn parse_list(value: &str) -> Vec<String> {
    value.split(',').map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ours_unique_and_documented() {
        for (i, v) in ALL.iter().enumerate() {
            assert!(
                ["MUXCL_", "CA_", "HAL_", "REFSI_"].iter().any(|p| v.name.starts_with(p)),
                "{}",
                v.name
            );
            assert!(v.doc.ends_with('.'), "{}", v.name);
            assert!(ALL[..i].iter().all(|w| w.name != v.name), "{} twice", v.name);
        }
    }

    #[test]
    fn values_parse() {
        assert!(!parse_flag(" Off ") && !parse_flag("0") && parse_flag("1") && parse_flag("yes"));
        assert_eq!(parse_list(" a, b,,c "), ["a", "b", "c"]);
        assert_eq!(Var { name: "MUXCL_SURELY_NOT_SET", doc: "" }.get(), None);
    }
}
