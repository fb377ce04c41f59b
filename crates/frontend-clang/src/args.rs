//! Translates build options and a device to the arguments of `clang -cc1`.
//!
//! Invariant: the result depends only on the options, the device and whether the source may use
//! some builtins. It never contains an option that reaches LLVM's global command line (`-mllvm`).
//! Extensions and features that the device lacks are off, so their macros are undefined.

use crate::options::{BuildOptions, ClStd, Preprocessor};
use crate::shim::Macro;
use muxcl_types::device::DeviceDesc;
use std::fmt::Write as _;

/// Files below this directory exist only in memory.
pub(crate) const MEMORY: &str = "/__muxcl/";
/// The directory of the application's headers.
pub(crate) const HEADERS: &str = "/__muxcl/headers/";
/// The directory of `opencl-c-base.h`.
pub(crate) const RESOURCE_INCLUDE: &str = "/__muxcl/resource/include";

/// The target triple every 64-bit device compiles for.
pub const TRIPLE_64: &str = "spir64-unknown-unknown";
/// The same for 32-bit devices.
pub const TRIPLE_32: &str = "spir-unknown-unknown";

/// `-cl-finite-math-only` as options of clang's front end.
const FINITE: [&str; 3] = ["-cl-finite-math-only", "-menable-no-infs", "-menable-no-nans"];

/// Arguments for one compilation.
pub(crate) fn cc1_args(
    action: &str,
    keep_names: bool,
    options: &BuildOptions,
    device: &DeviceDesc,
    source: &[u8],
) -> Vec<String> {
    let triple = if device.address_bits == 32 { TRIPLE_32 } else { TRIPLE_64 };
    let mut args: Vec<String> = Vec::with_capacity(48 + options.preprocessor.len());
    let mut add = |list: &[&str]| args.extend(list.iter().map(|s| (*s).to_owned()));
    add(&["-triple", triple, "-x", "cl", action, "-disable-llvm-passes", "-disable-llvm-verifier"]);
    // The path is absolute, so clang does not search the application's directories for the file.
    add(&["-include", "/__muxcl/resource/include/opencl-c-base.h"]);
    add(&["-fdeclare-opencl-builtins", "-cl-kernel-arg-info"]);
    add(&[
        "-nostdsysteminc",
        "-resource-dir",
        "/__muxcl/resource",
        "-internal-isystem",
        RESOURCE_INCLUDE,
    ]);
    add(&[
        "-ferror-limit",
        "50",
        "-fmacro-prefix-map=/__muxcl/headers/=",
        "-fdebug-compilation-dir=.",
    ]);
    add(&["-Wno-unused-command-line-argument", "-Wno-stack-exhausted"]);
    if !keep_names {
        add(&["-discard-value-names"]);
    }
    // `-O0` would mark every function `optnone`; functions with barriers must be inlined.
    if options.opt_disable {
        add(&["-O0", "-disable-O0-optnone"]);
    } else {
        add(&["-O2"]);
    }
    let unsafe_math = options.unsafe_math || options.fast_relaxed_math;
    let exact_quotients = options.correctly_rounded_divide_sqrt;
    for (set, flags) in [
        (options.no_warnings, &["-w"][..]),
        (options.warnings_are_errors, &["-Werror"]),
        (options.single_precision_constant, &["-cl-single-precision-constant"]),
        (options.denorms_are_zero, &["-fdenormal-fp-math-f32=preserve-sign,preserve-sign"]),
        (options.correctly_rounded_divide_sqrt, &["-cl-fp32-correctly-rounded-divide-sqrt"]),
        // clang turns -cl-mad-enable into an attribute that no pass reads.
        (options.mad_enable || unsafe_math, &["-cl-mad-enable", "-ffp-contract=fast"]),
        (options.no_signed_zeros, &["-cl-no-signed-zeros"]),
        (options.unsafe_math && !exact_quotients, &["-cl-unsafe-math-optimizations"]),
        (options.finite_math, &FINITE),
        (options.fast_relaxed_math && !exact_quotients, &["-cl-fast-relaxed-math"]),
        // -cl-unsafe-math-optimizations without the replacement of quotients by reciprocals.
        (
            unsafe_math && exact_quotients,
            &["-cl-no-signed-zeros", "-mreassociate", "-fapprox-func"],
        ),
        (options.fast_relaxed_math && exact_quotients, &FINITE),
        (options.fast_relaxed_math && exact_quotients, &["-D__FAST_RELAXED_MATH__=1"]),
        (options.uniform_work_group_size, &["-cl-uniform-work-group-size"]),
        (
            options.debug,
            &["-debug-info-kind=constructor", "-dwarf-version=5", "-debugger-tuning=gdb"],
        ),
        (
            (options.line_tables || device.requirements.checks.any()) && !options.debug,
            &["-debug-info-kind=line-tables-only", "-dwarf-version=5", "-debugger-tuning=gdb"],
        ),
    ] {
        if set {
            add(flags);
        }
    }
    if options.std.is_cxx() {
        // As clang's driver does for C++ for OpenCL.
        add(&["-fno-threadsafe-statics", "-fno-rtti"]);
    }
    // clang has no OpenCL C 3.1. It is 3.0 with features that this driver's devices have as
    // extensions, and other version macros (`macros`).
    let std = if options.std == ClStd::Cl31 { ClStd::Cl30 } else { options.std };
    args.push(format!("-cl-std={}", std.name()));
    args.push(extension_list(device));
    let may_use = |name: &str| source.windows(name.len()).any(|window| window == name.as_bytes());
    // Names may also come from headers and from macros that join texts.
    let may_use_any = ["include", "##"].iter().any(|text| may_use(text));
    for header in DECLARED_HERE {
        if device.extensions.iter().any(|n| header.extensions.contains(&n.as_str()))
            && (may_use_any || may_use(header.mention))
        {
            args.push("-include".into());
            args.push(format!("{RESOURCE_INCLUDE}/{}", header.name));
        }
    }
    args.push(format!("-I{HEADERS}"));
    for item in &options.preprocessor {
        args.push(match item {
            Preprocessor::Define(d) => format!("-D{d}"),
            Preprocessor::Undefine(u) => format!("-U{u}"),
            Preprocessor::Include(dir) => format!("-I{dir}"),
        });
    }
    args.push("-idirafter".into());
    args.push(".".into());
    args
}

/// The macros of the device.
pub(crate) fn macros<'a>(options: &BuildOptions, device: &'a DeviceDesc) -> Vec<Macro<'a>> {
    // clang defines these macros for the target SPIR, but they do not describe the device.
    let mut macros = ["__SPIR", "__SPIR__", "__SPIR32", "__SPIR32__", "__SPIR64", "__SPIR64__"]
        .map(Macro::Undefined)
        .to_vec();
    // clang derives the extension from the feature `__opencl_c_subgroups`, which guarantees less.
    if !device.extensions.iter().any(|n| n == "cl_khr_subgroups") {
        macros.push(Macro::Undefined("cl_khr_subgroups"));
    }
    let images = if device.images { Macro::One } else { Macro::Undefined };
    macros.extend([images("__IMAGE_SUPPORT__"), Macro::Defined("__OPENCL_VERSION__=310")]);
    if options.std == ClStd::Cl31 {
        macros.push(Macro::Undefined("__OPENCL_C_VERSION__"));
        macros.push(Macro::Defined("__OPENCL_C_VERSION__=310"));
        macros.push(Macro::Defined("CL_VERSION_3_1=310"));
    }
    let unknown = |n: &&String| !CLANG_KNOWS.contains(&n.as_str()) && is_identifier(n);
    let one = |n: &'a String| Macro::One(n);
    macros.extend(device.extensions.iter().filter(unknown).map(one));
    if declares_subgroups_early(options, device) {
        // clang defines these macros from OpenCL C 2.0 on; its header declares the functions where
        // they are defined.
        let early = |n: &&String| n.starts_with("cl_khr_subgroup");
        macros.extend(device.extensions.iter().filter(early).map(one));
    }
    if options.std.c_version() >= 300 {
        let features = device.c_features.iter().filter(unknown);
        macros.extend(features.filter(|n| *n != "__opencl_c_int64").map(one));
    }
    macros
}

/// True if sub-group functions are declared below OpenCL C 2.0: the extension `cl_khr_subgroups`
/// requires no version of the language.
pub(crate) fn declares_subgroups_early(options: &BuildOptions, device: &DeviceDesc) -> bool {
    options.std.c_version() < 200 && device.extensions.iter().any(|n| n == "cl_khr_subgroups")
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

// Builds `-cl-ext=-all,+a,+b`. clang refuses a feature and its extension if only one of them is on.
fn extension_list(device: &DeviceDesc) -> String {
    let has = |name: &str| device.extensions.iter().chain(&device.c_features).any(|n| n == name);
    let mut list = String::from("-cl-ext=-all,+__cl_clang_variadic_functions");
    for name in CLANG_KNOWS {
        let twin = TWINS.iter().find_map(|&(a, b)| match *name {
            n if n == a => Some(b),
            n if n == b => Some(a),
            _ => None,
        });
        if has(name) || twin.is_some_and(has) {
            // Writing to a String cannot fail.
            let _ = write!(list, ",+{name}");
        }
    }
    list
}

/// A header that declares the builtins of extensions.
pub(crate) struct Header {
    pub(crate) name: &'static str,
    pub(crate) text: &'static [u8],
    extensions: &'static [&'static str],
    /// A source without this text, `include` and `##` uses none of the builtins. Reading the header
    /// takes as long as compiling a small kernel, so it is included only if it may be needed.
    mention: &'static str,
}

/// The headers of extensions that clang does not declare.
pub(crate) const DECLARED_HERE: &[Header] = &[
    Header {
        name: "muxcl-extensions.h",
        text: include_bytes!("muxcl-extensions.h"),
        extensions: &[
            "cl_khr_extended_async_copies",
            "cl_khr_async_work_group_copy_fence",
            "cl_khr_work_group_uniform_arithmetic",
        ],
        mention: "work_group_",
    },
    Header {
        name: "intel-sub-groups.h",
        text: include_bytes!("intel-sub-groups.h"),
        extensions: &["cl_intel_subgroups"],
        mention: "intel_sub_group_",
    },
];

const TWINS: &[(&str, &str)] = &[
    ("cl_khr_fp64", "__opencl_c_fp64"),
    ("cl_khr_subgroups", "__opencl_c_subgroups"),
    ("cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"),
];

// Extensions and features that clang knows; the others become macros.
const CLANG_KNOWS: &[&str] = &[
    "cl_khr_byte_addressable_store",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_fp64",
    "cl_khr_fp16",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_3d_image_writes",
    "cles_khr_int64",
    "cl_khr_depth_images",
    "cl_ext_float_atomics",
    "cl_khr_extended_bit_ops",
    "cl_khr_integer_dot_product",
    "cl_khr_kernel_clock",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_srgb_image_writes",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_named_barrier",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroups",
    "cl_intel_subgroups",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_short",
    "cl_intel_subgroups_long",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_device_enqueue",
    "__opencl_c_ext_fp16_global_atomic_add",
    "__opencl_c_ext_fp16_global_atomic_load_store",
    "__opencl_c_ext_fp16_global_atomic_min_max",
    "__opencl_c_ext_fp16_local_atomic_add",
    "__opencl_c_ext_fp16_local_atomic_load_store",
    "__opencl_c_ext_fp16_local_atomic_min_max",
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",
    "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_min_max",
    "__opencl_c_ext_fp64_global_atomic_add",
    "__opencl_c_ext_fp64_global_atomic_min_max",
    "__opencl_c_ext_fp64_local_atomic_add",
    "__opencl_c_ext_fp64_local_atomic_min_max",
    "__opencl_c_generic_address_space",
    "__opencl_c_images",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_kernel_clock_scope_device",
    "__opencl_c_kernel_clock_scope_sub_group",
    "__opencl_c_kernel_clock_scope_work_group",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_work_group_collective_functions",
    "__opencl_c_3d_image_writes",
    "__opencl_c_fp64",
    "__opencl_c_subgroups",
    "__cl_clang_function_pointers",
    "__cl_clang_non_portable_kernel_param_types",
    "__cl_clang_bitfields",
    "cl_clang_storage_class_specifiers",
];
