//! The description of a device for the compiler.

use serde::{Deserialize, Serialize};

use crate::check::Checks;

/// OpenCL C 3.0 features that the compiler provides on every device.
pub const C_FEATURES: &[&str] = &[
    "__opencl_c_int64",
    "__opencl_c_generic_address_space",
    PROGRAM_VARIABLES,
    "__opencl_c_work_group_collective_functions",
    "__opencl_c_subgroups",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
];

/// The feature of [`C_FEATURES`] for program-scope variables that persist between launches.
pub const PROGRAM_VARIABLES: &str = "__opencl_c_program_scope_global_variables";

/// Sub-group extensions, which the compiler and its library provide on every device.
pub const SUB_GROUP_EXTENSIONS: &[&str] = &[
    "cl_khr_subgroups",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_named_barrier",
    "cl_intel_required_subgroup_size",
    "cl_intel_subgroups",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_short",
    "cl_intel_subgroups_long",
    "cl_intel_subgroup_local_block_io",
    "cl_intel_subgroup_buffer_prefetch",
];

/// Features of `cl_ext_float_atomics` for single precision.
pub const FLOAT_ATOMICS: &[&str] = &[
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",
    "__opencl_c_ext_fp32_local_atomic_min_max",
];
/// Features of `cl_ext_float_atomics` for double precision.
pub const DOUBLE_ATOMICS: &[&str] = &[
    "__opencl_c_ext_fp64_global_atomic_add",
    "__opencl_c_ext_fp64_local_atomic_add",
    "__opencl_c_ext_fp64_global_atomic_min_max",
    "__opencl_c_ext_fp64_local_atomic_min_max",
];
/// Features of `cl_ext_float_atomics` for half precision, including loads and stores, which the
/// core language lacks.
pub const HALF_ATOMICS: &[&str] = &[
    "__opencl_c_ext_fp16_global_atomic_load_store",
    "__opencl_c_ext_fp16_local_atomic_load_store",
    "__opencl_c_ext_fp16_global_atomic_add",
    "__opencl_c_ext_fp16_local_atomic_add",
    "__opencl_c_ext_fp16_global_atomic_min_max",
    "__opencl_c_ext_fp16_local_atomic_min_max",
];

/// Image features, which the library implements.
pub const IMAGE_FEATURES: &[&str] = &[
    "__opencl_c_images",
    "__opencl_c_read_write_images",
    "__opencl_c_3d_image_writes",
    "__opencl_c_ext_image_raw10_raw12",
];

/// Extensions of devices with images.
pub const IMAGE_EXTENSIONS: &[&str] = &[
    "cl_khr_3d_image_writes",
    "cl_khr_depth_images",
    "cl_khr_image2d_from_buffer",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_srgb_image_writes",
    "cl_ext_image_raw10_raw12",
];

/// Extensions of programs in SPIR-V, available on every device.
pub const IL_EXTENSIONS: &[&str] = &[
    "cl_khr_il_program",
    "cl_khr_spirv_queries",
    "cl_khr_spirv_extended_debug_info",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_expect_assume",
    "cl_intel_spirv_subgroups",
];

/// Calls a macro with the optional instruction sets of x86-64 processors: Rust's name of each, and
/// `= "name"` if LLVM has another. A program binary for the host lists those that its code may use.
/// The driver refuses a binary that needs others than this machine's.
#[macro_export]
macro_rules! x86_features {
    ($then:ident) => {
        $then![
            "sse3",
            "ssse3",
            "sse4.1",
            "sse4.2",
            "sse4a",
            "popcnt",
            "lzcnt",
            "bmi1" = "bmi",
            "bmi2",
            "tbm",
            "f16c",
            "fma",
            "adx",
            "aes",
            "pclmulqdq" = "pclmul",
            "sha",
            "gfni",
            "vaes",
            "vpclmulqdq",
            "rdrand" = "rdrnd",
            "rdseed",
            "movbe",
            "avx",
            "avx2",
            "avxvnni",
            "avxifma",
            "avxneconvert",
            "avxvnniint8",
            "avxvnniint16",
            "avx512f",
            "avx512bw",
            "avx512dq",
            "avx512vl",
            "avx512cd",
            "avx512ifma",
            "avx512vbmi",
            "avx512vbmi2",
            "avx512vnni",
            "avx512bitalg",
            "avx512vpopcntdq",
            "avx512bf16",
            "avx512fp16",
            "avx512vp2intersect",
        ]
    };
}

macro_rules! llvm_names {
    ($($name:tt $(= $llvm:literal)?),* $(,)?) => { &[$(llvm_names!(@ $name $($llvm)?)),*] };
    (@ $name:tt) => { $name };
    (@ $name:tt $llvm:literal) => { $llvm };
}

/// The instruction sets of [`crate::x86_features`], by LLVM's names.
pub const X86_FEATURES: &[&str] = x86_features!(llvm_names);

/// Requirements of a context on every kernel that runs in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ContextRequirements {
    /// True if local memory is zeroed when a work-group begins.
    pub zero_local: bool,
    /// True if private memory is zeroed before the kernel writes it.
    pub zero_private: bool,
    /// True if kernels stop soon after a cancellation request, at any place in their code.
    pub stoppable: bool,
    /// What kernels check while they run (`MUXCL_CHECK`).
    pub checks: Checks,
    /// Kernels of the host device count their operations, for a profile. Code that does not count
    /// meets this requirement, too.
    pub counts: bool,
}

impl ContextRequirements {
    /// True if code compiled for these requirements meets `others`.
    #[must_use]
    pub fn meet(self, others: Self) -> bool {
        (self.zero_local || !others.zero_local)
            && (self.zero_private || !others.zero_private)
            && (self.stoppable || !others.stoppable)
            && self.checks == others.checks
    }
}

/// Description of a device, sent with every compile request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceDesc {
    /// Target family, the first part of a program's identity: `host-x86_64`, `riscv64`, ...
    pub id: String,
    /// CPU name for code generation; empty: this machine's.
    pub cpu: String,
    /// Comma-separated `+feature,-feature` list; empty: this machine's.
    pub features: String,
    /// Pointer width in bits: 32 or 64.
    pub address_bits: u32,
    /// Supported extensions (`cl_khr_fp64`, ...). Each becomes a macro and enables clang's support.
    pub extensions: Vec<String>,
    /// OpenCL C 3.0 feature macros of the device (`__opencl_c_int64`, ...).
    pub c_features: Vec<String>,
    /// True if images are supported.
    pub images: bool,
    /// Maximum work-group size, for `reqd_work_group_size` checks.
    pub max_work_group_size: u64,
    /// Local memory in bytes. A kernel with more static local memory fails to build.
    pub local_mem_bytes: u64,
    /// Description of a device behind a HAL; `None` for the host CPU.
    pub hal: Option<HalTarget>,
    /// Requirements of the context on the program's kernels.
    pub requirements: ContextRequirements,
    /// The use of vector lanes for work-items (`muxcl-vecz`).
    pub vecz: Vecz,
}

/// The use of vector lanes for work-items: several work-items run together, one in each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Vecz {
    /// Nowhere. LLVM's vectorizers still run.
    #[default]
    Off,
    /// In loops that are expected to become faster.
    Faster,
    /// Wherever possible (for tests).
    Always,
}

impl Vecz {
    /// The choice for the value of the environment variable `MUXCL_VECZ`: `0`, `always`, or any
    /// other value or none for the default.
    #[must_use]
    pub fn of_variable(value: Option<&str>) -> Self {
        match value {
            Some("0") => Self::Off,
            Some("always") => Self::Always,
            _ => Self::Faster,
        }
    }
}

/// Inputs of code generation and linking for a device behind a HAL.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HalTarget {
    /// Instruction set as text: `RV64GCV_Zba_Zbb`.
    pub isa: String,
    /// Calling convention as clang names it: `lp64d`.
    pub abi: String,
    /// Length of a vector register in bits; 0 without vectors, or if the HAL does not report it.
    pub vlen: u32,
    /// Linker script. If empty, programs are position-independent executables with relative
    /// relocations only.
    pub linker_script: String,
    /// True if programs are relocatable objects, which the HAL links.
    pub relocatable: bool,
    /// True if kernels are not vectorised.
    pub scalar: bool,
    /// Address of the registers of the DMA engine for asynchronous copies; `None` without one.
    pub dma: Option<u64>,
}
