//! The description of this machine as a compute device.

use crate::enqueue::queue::DEVICE_QUEUES;
use muxcl_mux::{AtomicCaps, DeviceInfo, DeviceType, FloatCaps, LocalMemoryType};
use muxcl_types::device::{
    C_FEATURES, DOUBLE_ATOMICS, DeviceDesc, FLOAT_ATOMICS, HALF_ATOMICS, IL_EXTENSIONS,
    IMAGE_EXTENSIONS, IMAGE_FEATURES, SUB_GROUP_EXTENSIONS, Vecz,
};

/// Maximum number of work-items of a group.
pub(crate) const MAX_WORK_GROUP: u64 = 4096;
/// Local memory of a group in bytes: a fraction of one core's second-level cache.
pub(crate) const LOCAL_MEMORY: u64 = 128 << 10;
/// Maximum size in bytes of a group's state that lives across barriers.
pub const MAX_SCRATCH_BYTES: u64 = 256 << 20;
/// Maximum stack in bytes of one work-item function.
pub const MAX_STACK_BYTES: u64 = 15 << 20;
const EXTENSIONS: &[&str] = &[
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_byte_addressable_store",
    "cl_khr_extended_async_copies",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_extended_bit_ops",
    "cl_khr_integer_dot_product",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_work_group_uniform_arithmetic",
    "cl_khr_terminate_context",
    "cl_ext_float_atomics",
    "cl_ext_cxx_for_opencl",
    "cl_ext_buffer_device_address",
    "cl_intel_unified_shared_memory",
];
/// Extension of processors with a counter that kernels may read and that is synchronous on all
/// cores.
const CLOCK: &[&str] = if cfg!(target_arch = "x86_64") { &["cl_khr_kernel_clock"] } else { &[] };
const CLOCK_FEATURES: &[&str] = if cfg!(target_arch = "x86_64") {
    &[
        "__opencl_c_kernel_clock_scope_device",
        "__opencl_c_kernel_clock_scope_work_group",
        "__opencl_c_kernel_clock_scope_sub_group",
    ]
} else {
    &[]
};

/// Reads the machine once.
pub(crate) fn read() -> DeviceInfo {
    let cpu = muxcl_os::cpu_info();
    let memory = muxcl_os::total_memory();
    let float = FloatCaps {
        denorm: true,
        inf_nan: true,
        round_nearest: true,
        round_zero: true,
        round_inf: true,
        fma: true,
        correct_div_sqrt: true,
        soft: false,
    };
    let list = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
    DeviceInfo {
        name: if cpu.name.is_empty() {
            std::env::consts::ARCH.to_owned()
        } else {
            cpu.name.clone()
        },
        vendor: if cpu.vendor.is_empty() { "unknown".to_owned() } else { cpu.vendor.clone() },
        device_type: DeviceType::Cpu,
        desc: DeviceDesc {
            id: format!("host-{}", std::env::consts::ARCH),
            cpu: String::new(),
            features: features(),
            address_bits: usize::BITS,
            extensions: list(
                &[EXTENSIONS, SUB_GROUP_EXTENSIONS, IMAGE_EXTENSIONS, IL_EXTENSIONS, CLOCK]
                    .concat(),
            ),
            c_features: list(
                &[
                    C_FEATURES,
                    IMAGE_FEATURES,
                    CLOCK_FEATURES,
                    &["__opencl_c_fp64", "__opencl_c_pipes", "__opencl_c_device_enqueue"],
                    FLOAT_ATOMICS,
                    DOUBLE_ATOMICS,
                    HALF_ATOMICS,
                ]
                .concat(),
            ),
            images: true,
            max_work_group_size: MAX_WORK_GROUP,
            local_mem_bytes: LOCAL_MEMORY,
            requirements: muxcl_types::device::ContextRequirements::default(),
            vecz: Vecz::of_variable(muxcl_config::MUXCL_VECZ.get().as_deref()),
            hal: None,
        },
        address_bits: usize::BITS,
        little_endian: cfg!(target_endian = "little"),
        // Without AVX-512 FP16 the compiler computes in single precision and rounds after each
        // operation.
        half: FloatCaps { round_zero: false, round_inf: false, correct_div_sqrt: false, ..float },
        // The other rounding modes are for conversions only: the driver never changes the machine's
        // mode.
        single: FloatCaps { round_zero: false, round_inf: false, ..float },
        double: float,
        atomics: AtomicCaps { int32: true, int64: true },
        compute_units: u32::try_from(crate::pools::thread_limit()).unwrap_or(1),
        partitionable: true,
        clock_mhz: cpu.max_mhz,
        max_work_group_size: MAX_WORK_GROUP,
        max_work_item_sizes: [MAX_WORK_GROUP; 3],
        global_memory: memory,
        max_allocation: memory / 4 * 3,
        cache_size: cpu.last_level_cache(),
        cache_line: cpu.cache_line(),
        local_memory: LOCAL_MEMORY,
        local_memory_type: LocalMemoryType::Virtual,
        buffer_alignment: 128,
        vector_bytes: vector_bytes(),
        host_unified_memory: true,
        can_import_host: true,
        system_svm: true,
        coarse_svm: false,
        pipes: true,
        device_queues: Some(DEVICE_QUEUES),
        images: true,
        generic_address_space: true,
        work_group_collectives: true,
        non_uniform_groups: true,
        max_global_variable: 64 << 20,
        timer_resolution_ns: muxcl_os::resolution_ns(),
        max_parameter_bytes: 4096,
    }
}

/// The features of this CPU, by LLVM's names. They identify code that is compiled here, and are
/// checked before a program binary runs.
#[cfg(target_arch = "x86_64")]
fn features() -> String {
    macro_rules! detected {
        ($($name:tt $(= $llvm:literal)?),* $(,)?) => {
            [$((std::arch::is_x86_feature_detected!($name), detected!(@ $name $($llvm)?))),*]
        };
        (@ $name:tt) => { $name };
        (@ $name:tt $llvm:literal) => { $llvm };
    }
    let list = muxcl_types::x86_features!(detected);
    let names: Vec<String> =
        list.iter().filter(|(has, _)| *has).map(|(_, name)| format!("+{name}")).collect();
    names.join(",")
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> String {
    String::new()
}

#[cfg(target_arch = "x86_64")]
pub(crate) fn vector_bytes() -> u32 {
    if std::arch::is_x86_feature_detected!("avx512f") {
        64
    } else if std::arch::is_x86_feature_detected!("avx") {
        32
    } else {
        16
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn vector_bytes() -> u32 {
    16
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    #[test]
    fn features_are_a_list_of_what_the_cpu_has() {
        let features = super::features();
        assert!(features.split(',').all(|f| f.starts_with('+')), "{features}");
        assert_eq!(
            features.split(',').any(|f| f == "+avx2"),
            std::arch::is_x86_feature_detected!("avx2")
        );
        assert!(!features.contains("bmi1"), "LLVM calls it bmi");
    }
}
