//! The one table of extensions: name, version, and the queries that list it.
//!
//! Invariant: `CL_PLATFORM_EXTENSIONS*`, `CL_DEVICE_EXTENSIONS*` and the macros a program sees all
//! come from here and from the device's own list. Not here: the extensions' functions (the table of
//! entry points in `muxcl-cl-sys`).

use muxcl_cl_sys::{cl_name_version, cl_version, make_version};

/// The condition for an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// The platform supports it, independently of devices
    Platform,
    /// The API layer supports it for every device
    Api,
    /// The API layer supports it for every device with images
    Images,
    /// The device's target reports it
    Device,
}

struct Extension {
    name: &'static str,
    version: cl_version,
    of: Of,
}

const fn row(name: &'static str, version: (u32, u32, u32), of: Of) -> Extension {
    Extension { name, version: make_version(version.0, version.1, version.2), of }
}

const TABLE: &[Extension] = &[
    row("cl_khr_icd", (2, 0, 0), Of::Platform),
    row("cl_khr_byte_addressable_store", (1, 0, 0), Of::Api),
    row("cl_khr_create_command_queue", (1, 0, 0), Of::Api),
    row("cl_khr_extended_versioning", (1, 0, 0), Of::Api),
    row("cl_khr_suggested_local_work_size", (1, 0, 0), Of::Api),
    row("cl_khr_priority_hints", (1, 0, 0), Of::Api),
    row("cl_khr_throttle_hints", (1, 0, 0), Of::Api),
    row("cl_khr_device_uuid", (1, 0, 0), Of::Api),
    row("cl_khr_semaphore", (1, 0, 0), Of::Api),
    row("cl_khr_external_semaphore", (1, 0, 1), Of::Api),
    row("cl_khr_external_semaphore_opaque_fd", (1, 0, 0), Of::Api),
    row("cl_khr_external_semaphore_sync_fd", (1, 0, 1), Of::Api),
    row("cl_khr_external_memory", (1, 0, 1), Of::Api),
    row("cl_khr_external_memory_opaque_fd", (1, 0, 0), Of::Api),
    row("cl_khr_external_memory_dma_buf", (1, 0, 0), Of::Api),
    row("cl_khr_initialize_memory", (1, 0, 0), Of::Api),
    row("cl_khr_command_buffer", (0, 9, 8), Of::Api),
    row("cl_khr_command_buffer_multi_device", (0, 9, 2), Of::Api),
    row("cl_khr_command_buffer_mutable_dispatch", (0, 9, 5), Of::Api),
    row("cl_khr_terminate_context", (1, 0, 0), Of::Device),
    row("cl_khr_il_program", (1, 0, 0), Of::Device),
    row("cl_khr_spirv_queries", (1, 0, 0), Of::Device),
    row("cl_khr_spirv_extended_debug_info", (1, 0, 0), Of::Device),
    row("cl_khr_spirv_linkonce_odr", (1, 0, 0), Of::Device),
    row("cl_khr_spirv_no_integer_wrap_decoration", (1, 0, 0), Of::Device),
    row("cl_khr_expect_assume", (1, 0, 0), Of::Device),
    row("cl_khr_global_int32_base_atomics", (1, 0, 0), Of::Device),
    row("cl_khr_global_int32_extended_atomics", (1, 0, 0), Of::Device),
    row("cl_khr_local_int32_base_atomics", (1, 0, 0), Of::Device),
    row("cl_khr_local_int32_extended_atomics", (1, 0, 0), Of::Device),
    row("cl_khr_int64_base_atomics", (1, 0, 0), Of::Device),
    row("cl_khr_int64_extended_atomics", (1, 0, 0), Of::Device),
    row("cl_khr_3d_image_writes", (1, 0, 0), Of::Device),
    row("cl_khr_depth_images", (1, 0, 0), Of::Device),
    row("cl_khr_image2d_from_buffer", (1, 0, 0), Of::Device),
    row("cl_khr_mipmap_image", (1, 0, 0), Of::Device),
    row("cl_khr_mipmap_image_writes", (1, 0, 0), Of::Device),
    row("cl_khr_srgb_image_writes", (1, 0, 0), Of::Device),
    row("cl_khr_extended_async_copies", (1, 0, 0), Of::Device),
    row("cl_khr_async_work_group_copy_fence", (1, 0, 0), Of::Device),
    row("cl_khr_kernel_clock", (1, 0, 0), Of::Device),
    row("cl_khr_extended_bit_ops", (1, 0, 0), Of::Device),
    row("cl_khr_integer_dot_product", (2, 0, 0), Of::Device),
    row("cl_khr_subgroups", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_extended_types", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_non_uniform_vote", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_ballot", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_non_uniform_arithmetic", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_shuffle", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_shuffle_relative", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_clustered_reduce", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_rotate", (1, 0, 0), Of::Device),
    row("cl_khr_subgroup_named_barrier", (1, 0, 0), Of::Device),
    row("cl_khr_fp16", (1, 0, 0), Of::Device),
    row("cl_khr_fp64", (1, 0, 0), Of::Device),
    row("cl_khr_work_group_uniform_arithmetic", (1, 0, 0), Of::Device),
    row("cl_ext_float_atomics", (1, 0, 0), Of::Device),
    row("cl_ext_cxx_for_opencl", (1, 0, 0), Of::Device),
    row("cl_ext_immutable_memory_objects", (1, 0, 0), Of::Api),
    row("cl_ext_image_requirements_info", (0, 5, 0), Of::Images),
    row("cl_ext_image_from_buffer", (1, 0, 0), Of::Images),
    row("cl_ext_image_raw10_raw12", (1, 0, 0), Of::Device),
    row("cl_ext_buffer_device_address", (1, 0, 2), Of::Device),
    row("cl_intel_required_subgroup_size", (1, 0, 0), Of::Device),
    row("cl_intel_subgroups", (1, 0, 0), Of::Device),
    row("cl_intel_subgroups_char", (1, 0, 0), Of::Device),
    row("cl_intel_subgroups_short", (1, 0, 0), Of::Device),
    row("cl_intel_subgroups_long", (1, 0, 0), Of::Device),
    row("cl_intel_subgroup_local_block_io", (1, 0, 0), Of::Device),
    row("cl_intel_subgroup_buffer_prefetch", (1, 0, 0), Of::Device),
    row("cl_intel_spirv_subgroups", (1, 0, 0), Of::Device),
    row("cl_intel_unified_shared_memory", (1, 1, 0), Of::Device),
];

/// Extensions of the platform: its own, and those that every device has.
#[must_use]
pub fn platform(devices: &[Vec<cl_name_version>]) -> Vec<cl_name_version> {
    TABLE
        .iter()
        .filter(|e| match e.of {
            Of::Platform | Of::Api => true,
            Of::Images | Of::Device => {
                !devices.is_empty()
                    && devices.iter().all(|list| list.iter().any(|x| name(x) == e.name))
            }
        })
        .map(|e| cl_name_version::new(e.name, e.version))
        .collect()
}

/// Extensions of a device with the target's list `own`, with or without images. A name that the
/// table lacks counts as version 1.0.0.
#[must_use]
pub fn device(own: &[String], images: bool) -> Vec<cl_name_version> {
    let mut list: Vec<cl_name_version> = TABLE
        .iter()
        .filter(|e| match e.of {
            Of::Platform => false,
            Of::Api => true,
            Of::Images => images,
            Of::Device => own.iter().any(|o| o == e.name),
        })
        .map(|e| cl_name_version::new(e.name, e.version))
        .collect();
    for other in own.iter().filter(|o| TABLE.iter().all(|e| e.name != o.as_str())) {
        list.push(cl_name_version::new(other, make_version(1, 0, 0)));
    }
    list
}

/// The name in an entry.
#[must_use]
pub fn name(entry: &cl_name_version) -> &str {
    let end = entry.name.iter().position(|&b| b == 0).unwrap_or(entry.name.len());
    std::str::from_utf8(&entry.name[..end]).unwrap_or("")
}

/// `CL_*_EXTENSIONS`: the names, separated by blanks.
#[must_use]
pub fn string(list: &[cl_name_version]) -> String {
    list.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let host = device(&["cl_khr_fp64".into(), "cl_muxcl_test".into()], true);
        let text = string(&host);
        assert!(text.contains("cl_khr_fp64") && text.contains("cl_khr_byte_addressable_store"));
        assert!(
            text.ends_with("cl_muxcl_test")
                && !text.contains("cl_khr_icd")
                && !text.contains("fp16")
        );
        assert!(text.contains("cl_ext_image_from_buffer"));
        let other = device(&[], false);
        assert!(!string(&other).contains("cl_ext_image_"));
        let platform = string(&platform(&[host, other]));
        assert!(platform.starts_with("cl_khr_icd ") && !platform.contains("fp64"));
    }
}
