//! What the compiler must know of a device to compile for it.

use serde::{Deserialize, Serialize};

/// OpenCL C 3.0 features that need nothing of a device: the compiler provides them everywhere.
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

/// The feature of [`C_FEATURES`] for variables that keep their values from launch to launch.
pub const PROGRAM_VARIABLES: &str = "__opencl_c_program_scope_global_variables";

/// Extensions of sub-groups: the compiler and its library provide them everywhere.
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
    "cl_intel_required_subgroup_size",
];

/// Features of `cl_ext_float_atomics` for single precision.
pub const FLOAT_ATOMICS: &[&str] = &[
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",
    "__opencl_c_ext_fp32_local_atomic_min_max",
];
/// The same for double precision.
pub const DOUBLE_ATOMICS: &[&str] = &[
    "__opencl_c_ext_fp64_global_atomic_add",
    "__opencl_c_ext_fp64_local_atomic_add",
    "__opencl_c_ext_fp64_global_atomic_min_max",
    "__opencl_c_ext_fp64_local_atomic_min_max",
];
/// The same for half precision, whose loads and stores are not in the core language either.
pub const HALF_ATOMICS: &[&str] = &[
    "__opencl_c_ext_fp16_global_atomic_load_store",
    "__opencl_c_ext_fp16_local_atomic_load_store",
    "__opencl_c_ext_fp16_global_atomic_add",
    "__opencl_c_ext_fp16_local_atomic_add",
    "__opencl_c_ext_fp16_global_atomic_min_max",
    "__opencl_c_ext_fp16_local_atomic_min_max",
];

/// Those of images, which are code of the library too.
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

/// Extensions of programs in SPIR-V, which need nothing of a device either.
pub const IL_EXTENSIONS: &[&str] = &[
    "cl_khr_il_program",
    "cl_khr_spirv_queries",
    "cl_khr_spirv_extended_debug_info",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_expect_assume",
];

/// What a context asks of every kernel that runs in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ContextRequirements {
    /// Local memory is zero when a work-group begins.
    pub zero_local: bool,
    /// Private memory is zero before the kernel writes it.
    pub zero_private: bool,
    /// Kernels end soon after they are told to, whatever they are doing.
    pub stoppable: bool,
}

impl ContextRequirements {
    /// True if code made for these demands meets `others`.
    #[must_use]
    pub fn meet(self, others: Self) -> bool {
        (self.zero_local || !others.zero_local)
            && (self.zero_private || !others.zero_private)
            && (self.stoppable || !others.stoppable)
    }
}

/// Description of a device, sent with every compile request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceDesc {
    /// Target family, the first part of a program's identity: `host-x86_64`, `riscv64`, ...
    pub id: String,
    /// CPU name and features for code generation; empty: those of this machine.
    pub cpu: String,
    /// Comma-separated `+feature,-feature` list; empty: those of this machine.
    pub features: String,
    /// Pointer width in bits: 32 or 64.
    pub address_bits: u32,
    /// Extension names the device has (`cl_khr_fp64`, ...): each becomes a macro and turns on
    /// clang's support.
    pub extensions: Vec<String>,
    /// OpenCL C 3.0 feature macros the device has (`__opencl_c_int64`, ...).
    pub c_features: Vec<String>,
    /// Images are supported.
    pub images: bool,
    /// Largest work-group, for `reqd_work_group_size` checks.
    pub max_work_group_size: u64,
    /// Local memory in bytes; a kernel with more static local memory does not build.
    pub local_mem_bytes: u64,
    /// For devices behind a HAL; `None` for the host CPU.
    pub hal: Option<HalTarget>,
    /// What the context asks for.
    pub requirements: ContextRequirements,
}

/// What code generation and linking must know of a device behind a HAL.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HalTarget {
    /// Instruction set as text: `RV64GCV_Zba_Zbb`.
    pub isa: String,
    /// Calling convention as clang names it: `lp64d`.
    pub abi: String,
    /// Bits of a vector register; 0 without vectors.
    pub vlen: u32,
    /// Linker script; empty: programs are position-independent executables with relative
    /// relocations only.
    pub linker_script: String,
    /// Programs are relocatable objects, which the HAL links.
    pub relocatable: bool,
    /// Kernels are not vectorised.
    pub scalar: bool,
    /// Address of the registers of the DMA engine that asynchronous copies use.
    pub dma: Option<u64>,
}
