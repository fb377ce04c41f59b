//! OpenCL's C types, constants and the one table of entry points, generated from the Khronos
//! headers.
//!
//! Invariant: every layout here is the C layout of the headers (tests at the end of this file). Not
//! here: any behaviour, and any binding to an OpenCL library; this is the driver's side of the
//! interface.
//!
//! # Examples
//! ```
//! // The table calls a macro with one row for each entry point.
//! macro_rules! names {
//!     ($([$group:ident $kind:ident $name:ident $version:literal
//!         ($($p:ident : $t:ty),*) -> $r:ty])*) => { [$(stringify!($name)),*] };
//! }
//! let names = muxcl_cl_sys::for_each_cl_function!(names);
//! assert!(names.contains(&"clEnqueueNDRangeKernel"));
//! ```

#![expect(non_camel_case_types, reason = "the names of the OpenCL headers")]
#![expect(non_snake_case, reason = "the dispatch table's members have the names of the functions")]
#![expect(non_upper_case_globals, reason = "the constants have the names of the OpenCL headers")]

#[rustfmt::skip]
mod generated;

pub use generated::*;

/// The error codes of every entry point, in the format that the first lines describe.
pub const ERRORS: &str = include_str!("../errors.txt");

/// The conditions of these error codes, in the format that the first lines describe.
pub const CONDITIONS: &str = include_str!("../conditions.txt");

/// 8-bit signed
pub type cl_char = i8;
/// 8-bit unsigned
pub type cl_uchar = u8;
/// 16-bit signed
pub type cl_short = i16;
/// 16-bit unsigned
pub type cl_ushort = u16;
/// 32-bit signed; also every error code
pub type cl_int = i32;
/// 32-bit unsigned
pub type cl_uint = u32;
/// 64-bit signed
pub type cl_long = i64;
/// 64-bit unsigned
pub type cl_ulong = u64;

// `cl_ext_cxx_for_opencl`, which the headers of Debian 12 do not have.
/// `CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT`
pub const CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT: cl_device_info = 0x4230;

// `cl_ext_float_atomics`, which the headers of Debian 12 do not have.
/// `CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT`
pub const CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4231;
/// `CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT`
pub const CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4232;
/// `CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT`
pub const CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4233;
/// `CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT`
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT: cl_bitfield = 1 << 0;
/// `CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT`
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT: cl_bitfield = 1 << 1;
/// `CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT`
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT: cl_bitfield = 1 << 2;
/// `CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT`
pub const CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT: cl_bitfield = 1 << 16;
/// `CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT`
pub const CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT: cl_bitfield = 1 << 17;
/// `CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT`
pub const CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT: cl_bitfield = 1 << 18;

// `cl_khr_kernel_clock`, which those headers lack too.
/// `CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR`
pub const CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR: cl_device_info = 0x1076;
/// `CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR`
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR: cl_bitfield = 1 << 0;
/// `CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR`
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR: cl_bitfield = 1 << 1;

/// `CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR`
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR: cl_bitfield = 1 << 2;

// `cl_intel_required_subgroup_size`, which those headers lack too.
/// `CL_DEVICE_SUB_GROUP_SIZES_INTEL`
pub const CL_DEVICE_SUB_GROUP_SIZES_INTEL: cl_device_info = 0x4108;
/// `CL_KERNEL_SPILL_MEM_SIZE_INTEL`
pub const CL_KERNEL_SPILL_MEM_SIZE_INTEL: cl_kernel_work_group_info = 0x4109;
/// `CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL`
pub const CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: cl_kernel_sub_group_info = 0x410A;

// `cl_khr_semaphore`: its types, and constants that were renamed after Debian 12.
/// The target of a [`cl_semaphore_khr`], known to the driver only.
#[repr(C)]
#[derive(Debug)]
pub struct _cl_semaphore_khr {
    _opaque: [u8; 0],
}
/// `cl_semaphore_khr`
pub type cl_semaphore_khr = *mut _cl_semaphore_khr;
/// `cl_semaphore_properties_khr`
pub type cl_semaphore_properties_khr = cl_ulong;
/// `cl_semaphore_info_khr`
pub type cl_semaphore_info_khr = cl_uint;
/// `cl_semaphore_type_khr`
pub type cl_semaphore_type_khr = cl_uint;
/// `cl_semaphore_payload_khr`
pub type cl_semaphore_payload_khr = cl_ulong;
/// `cl_external_semaphore_handle_type_khr`
pub type cl_external_semaphore_handle_type_khr = cl_uint;
/// `cl_semaphore_reimport_properties_khr`
pub type cl_semaphore_reimport_properties_khr = cl_ulong;
/// `CL_SEMAPHORE_EXPORTABLE_KHR`
pub const CL_SEMAPHORE_EXPORTABLE_KHR: cl_semaphore_info_khr = 0x2054;
/// `CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR`
pub const CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: cl_uint = 0x2053;

// `cl_khr_external_memory`, in part newer than those headers.
/// `CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR`
pub const CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR: cl_device_info =
    0x2052;

// `cl_intel_unified_shared_memory`, which those headers lack too.
/// `CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL`
pub const CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4190;
/// `CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL`
pub const CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4191;
/// `CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL`
pub const CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4192;
/// `CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL`
pub const CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4193;
/// `CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL`
pub const CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4194;
/// `CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL`
pub const CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL: cl_bitfield = 1 << 0;
/// `CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL`
pub const CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL: cl_bitfield = 1 << 1;
/// `CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL`
pub const CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL: cl_bitfield = 1 << 2;
/// `CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL`
pub const CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL: cl_bitfield = 1 << 3;
/// `CL_MEM_ALLOC_FLAGS_INTEL`: property of an allocation, a bit field of its flags
pub const CL_MEM_ALLOC_FLAGS_INTEL: cl_uint = 0x4195;
/// `CL_MEM_TYPE_UNKNOWN_INTEL`
pub const CL_MEM_TYPE_UNKNOWN_INTEL: cl_uint = 0x4196;
/// `CL_MEM_TYPE_HOST_INTEL`
pub const CL_MEM_TYPE_HOST_INTEL: cl_uint = 0x4197;
/// `CL_MEM_TYPE_DEVICE_INTEL`
pub const CL_MEM_TYPE_DEVICE_INTEL: cl_uint = 0x4198;
/// `CL_MEM_TYPE_SHARED_INTEL`
pub const CL_MEM_TYPE_SHARED_INTEL: cl_uint = 0x4199;
/// `CL_MEM_ALLOC_TYPE_INTEL`: query for one of `CL_MEM_TYPE_*_INTEL`
pub const CL_MEM_ALLOC_TYPE_INTEL: cl_uint = 0x419A;
/// `CL_MEM_ALLOC_BASE_PTR_INTEL`: query for the first address of an allocation
pub const CL_MEM_ALLOC_BASE_PTR_INTEL: cl_uint = 0x419B;
/// `CL_MEM_ALLOC_SIZE_INTEL`: query for the size of an allocation in bytes
pub const CL_MEM_ALLOC_SIZE_INTEL: cl_uint = 0x419C;
/// `CL_MEM_ALLOC_DEVICE_INTEL`: query for the device of an allocation
pub const CL_MEM_ALLOC_DEVICE_INTEL: cl_uint = 0x419D;
/// `CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL`
pub const CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL: cl_kernel_exec_info = 0x4200;
/// `CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL`
pub const CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL: cl_kernel_exec_info = 0x4201;
/// `CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL`
pub const CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: cl_kernel_exec_info = 0x4202;
/// `CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL`
pub const CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL: cl_kernel_exec_info = 0x4203;
/// `CL_COMMAND_MEMFILL_INTEL`
pub const CL_COMMAND_MEMFILL_INTEL: cl_command_type = 0x4204;
/// `CL_COMMAND_MEMCPY_INTEL`
pub const CL_COMMAND_MEMCPY_INTEL: cl_command_type = 0x4205;
/// `CL_COMMAND_MIGRATEMEM_INTEL`
pub const CL_COMMAND_MIGRATEMEM_INTEL: cl_command_type = 0x4206;
/// `CL_COMMAND_MEMADVISE_INTEL`
pub const CL_COMMAND_MEMADVISE_INTEL: cl_command_type = 0x4207;

// `cl_khr_command_buffer` 0.9.8 and `cl_khr_command_buffer_mutable_dispatch` 0.9.5: their types,
// and constants that are newer than Debian 12.
/// The target of a [`cl_command_buffer_khr`], known to the driver only.
#[repr(C)]
#[derive(Debug)]
pub struct _cl_command_buffer_khr {
    _opaque: [u8; 0],
}
/// `cl_command_buffer_khr`
pub type cl_command_buffer_khr = *mut _cl_command_buffer_khr;
/// The target of a [`cl_mutable_command_khr`], known to the driver only.
#[repr(C)]
#[derive(Debug)]
pub struct _cl_mutable_command_khr {
    _opaque: [u8; 0],
}
/// `cl_mutable_command_khr`
pub type cl_mutable_command_khr = *mut _cl_mutable_command_khr;
/// `cl_sync_point_khr`
pub type cl_sync_point_khr = cl_uint;
/// `cl_command_buffer_info_khr`
pub type cl_command_buffer_info_khr = cl_uint;
/// `cl_command_buffer_state_khr`
pub type cl_command_buffer_state_khr = cl_uint;
/// `cl_command_buffer_properties_khr`
pub type cl_command_buffer_properties_khr = cl_ulong;
/// `cl_command_properties_khr`
pub type cl_command_properties_khr = cl_ulong;
/// `cl_command_buffer_update_type_khr`
pub type cl_command_buffer_update_type_khr = cl_uint;
/// `cl_mutable_command_info_khr`
pub type cl_mutable_command_info_khr = cl_uint;
/// `CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR`
pub const CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR: cl_device_info = 0x129A;
/// `CL_COMMAND_BUFFER_CONTEXT_KHR`
pub const CL_COMMAND_BUFFER_CONTEXT_KHR: cl_command_buffer_info_khr = 0x1299;
/// `CL_COMMAND_BUFFER_STATE_FINALIZED_KHR`
pub const CL_COMMAND_BUFFER_STATE_FINALIZED_KHR: cl_command_buffer_state_khr = 2;
/// `CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR`, of `cl_khr_command_buffer_multi_device`
pub const CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR: cl_bitfield = 1 << 2;
/// `CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR`
pub const CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR: cl_bitfield = 1 << 4;
/// `CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR`
pub const CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR: cl_device_info = 0x12AB;
/// `CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR`
pub const CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR: cl_device_info = 0x12AC;
/// `CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR`
pub const CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR: cl_platform_info = 0x0908;
/// `CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR`
pub const CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR: cl_bitfield = 1 << 0;
/// `CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR`
pub const CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR: cl_bitfield = 1 << 1;
/// `CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR`
pub const CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR: cl_bitfield = 1 << 2;
/// `CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR`
pub const CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR: cl_uint = 0x12B7;
/// `CL_MUTABLE_DISPATCH_ASSERTS_KHR`
pub const CL_MUTABLE_DISPATCH_ASSERTS_KHR: cl_uint = 0x12B8;
/// `CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR`
pub const CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR: cl_bitfield = 1 << 0;
/// `CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR`: type of a [`cl_mutable_dispatch_config_khr`].
/// It was 1 in older versions of the extension.
pub const CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR: cl_command_buffer_update_type_khr = 0;
/// `CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR`
pub const CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: cl_mutable_command_info_khr = 0x12A2;

/// `cl_mutable_dispatch_arg_khr`: a new value of a kernel's argument
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct cl_mutable_dispatch_arg_khr {
    /// The argument's index
    pub arg_index: cl_uint,
    /// Bytes of the value, as for `clSetKernelArg`
    pub arg_size: usize,
    /// The value, as for `clSetKernelArg`; or the address, as for `clSetKernelArgSVMPointer`
    pub arg_value: *const ::core::ffi::c_void,
}

/// `cl_mutable_dispatch_exec_info_khr`: the parameters of `clSetKernelExecInfo`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct cl_mutable_dispatch_exec_info_khr {
    /// The information that is set
    pub param_name: cl_uint,
    /// Bytes of the value
    pub param_value_size: usize,
    /// The value
    pub param_value: *const ::core::ffi::c_void,
}

/// `cl_mutable_dispatch_config_khr`: the changes of a recorded kernel launch. NULL keeps what was
/// recorded.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct cl_mutable_dispatch_config_khr {
    /// The command
    pub command: cl_mutable_command_khr,
    /// Length of `arg_list`
    pub num_args: cl_uint,
    /// Length of `arg_svm_list`
    pub num_svm_args: cl_uint,
    /// Length of `exec_info_list`
    pub num_exec_infos: cl_uint,
    /// Number of dimensions, or 0: as recorded
    pub work_dim: cl_uint,
    /// New arguments
    pub arg_list: *const cl_mutable_dispatch_arg_khr,
    /// New arguments that are addresses in shared virtual memory
    pub arg_svm_list: *const cl_mutable_dispatch_arg_khr,
    /// New information about the kernel's execution
    pub exec_info_list: *const cl_mutable_dispatch_exec_info_khr,
    /// The global offset
    pub global_work_offset: *const usize,
    /// The global size
    pub global_work_size: *const usize,
    /// The local size
    pub local_work_size: *const usize,
}

// OpenCL 3.1, which those headers lack too. It names queries of extensions anew, with their values.
/// `CL_DEVICE_MAX_WORK_GROUP_SIZES`, the new name of [`CL_DEVICE_MAX_WORK_ITEM_SIZES`]
pub const CL_DEVICE_MAX_WORK_GROUP_SIZES: cl_device_info = CL_DEVICE_MAX_WORK_ITEM_SIZES;
/// `CL_UUID_SIZE`
pub const CL_UUID_SIZE: cl_uint = CL_UUID_SIZE_KHR;
/// `CL_LUID_SIZE`
pub const CL_LUID_SIZE: cl_uint = CL_LUID_SIZE_KHR;
/// `CL_DEVICE_UUID`
pub const CL_DEVICE_UUID: cl_device_info = CL_DEVICE_UUID_KHR;
/// `CL_DRIVER_UUID`
pub const CL_DRIVER_UUID: cl_device_info = CL_DRIVER_UUID_KHR;
/// `CL_DEVICE_LUID_VALID`
pub const CL_DEVICE_LUID_VALID: cl_device_info = CL_DEVICE_LUID_VALID_KHR;
/// `CL_DEVICE_LUID`
pub const CL_DEVICE_LUID: cl_device_info = CL_DEVICE_LUID_KHR;
/// `CL_DEVICE_NODE_MASK`
pub const CL_DEVICE_NODE_MASK: cl_device_info = CL_DEVICE_NODE_MASK_KHR;
/// `CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES`
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES: cl_device_info =
    CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR;
/// `CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT`
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT: cl_device_info =
    CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR;
/// `CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED`
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED: cl_device_info =
    CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR;
/// `CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED`
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED: cl_bitfield =
    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR;
/// `CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT`
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT: cl_bitfield =
    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
/// `CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS`
pub const CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS: cl_device_info =
    CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR;
/// `CL_DEVICE_SPIRV_EXTENSIONS`
pub const CL_DEVICE_SPIRV_EXTENSIONS: cl_device_info = CL_DEVICE_SPIRV_EXTENSIONS_KHR;
/// `CL_DEVICE_SPIRV_CAPABILITIES`
pub const CL_DEVICE_SPIRV_CAPABILITIES: cl_device_info = CL_DEVICE_SPIRV_CAPABILITIES_KHR;

// `cl_khr_spirv_queries`, which those headers lack too.
/// `CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR`
pub const CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR: cl_device_info = 0x12B9;
/// `CL_DEVICE_SPIRV_EXTENSIONS_KHR`
pub const CL_DEVICE_SPIRV_EXTENSIONS_KHR: cl_device_info = 0x12BA;
/// `CL_DEVICE_SPIRV_CAPABILITIES_KHR`
pub const CL_DEVICE_SPIRV_CAPABILITIES_KHR: cl_device_info = 0x12BB;

// `cl_ext_immutable_memory_objects`, which those headers lack too.
/// `CL_UNSIGNED_INT_RAW10_EXT`
pub const CL_UNSIGNED_INT_RAW10_EXT: cl_channel_type = 0x10E3;
/// `CL_UNSIGNED_INT_RAW12_EXT`
pub const CL_UNSIGNED_INT_RAW12_EXT: cl_channel_type = 0x10E4;
/// `CL_MEM_IMMUTABLE_EXT`
pub const CL_MEM_IMMUTABLE_EXT: cl_mem_flags = 1 << 6;

// `cl_ext_image_requirements_info` and `cl_ext_image_from_buffer`, which those headers lack too.
/// `cl_image_requirements_info_ext`
pub type cl_image_requirements_info_ext = cl_uint;
/// `CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT`
pub const CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT: cl_image_requirements_info_ext = 0x1290;
/// `CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT`
pub const CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT: cl_image_requirements_info_ext = 0x1291;
/// `CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT`
pub const CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT: cl_image_requirements_info_ext = 0x1292;
/// `CL_IMAGE_REQUIREMENTS_SIZE_EXT`
pub const CL_IMAGE_REQUIREMENTS_SIZE_EXT: cl_image_requirements_info_ext = 0x12B2;
/// `CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT`
pub const CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT: cl_image_requirements_info_ext = 0x12B3;
/// `CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT`
pub const CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT: cl_image_requirements_info_ext = 0x12B4;
/// `CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT`
pub const CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT: cl_image_requirements_info_ext = 0x12B5;
/// `CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT`
pub const CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT: cl_image_requirements_info_ext = 0x12B6;

// `cl_ext_buffer_device_address`, which those headers lack too.
/// `cl_mem_device_address_ext`
pub type cl_mem_device_address_ext = cl_ulong;
/// `CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT`
pub const CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT: cl_mem_properties = 0x5000;
/// `CL_MEM_DEVICE_ADDRESS_EXT`
pub const CL_MEM_DEVICE_ADDRESS_EXT: cl_mem_info = 0x5001;
/// `CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT`
pub const CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT: cl_kernel_exec_info = 0x5002;

/// `cl_image_format`
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cl_image_format {
    /// `CL_R`, `CL_RGBA`, ...
    pub image_channel_order: cl_channel_order,
    /// `CL_UNORM_INT8`, ...
    pub image_channel_data_type: cl_channel_type,
}

/// `cl_image_desc`; `mem_object` is the header's union of `buffer` and `mem_object`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cl_image_desc {
    /// `CL_MEM_OBJECT_IMAGE*`
    pub image_type: cl_mem_object_type,
    /// Width in pixels
    pub image_width: usize,
    /// Height in pixels
    pub image_height: usize,
    /// Depth in pixels
    pub image_depth: usize,
    /// Number of images of an array
    pub image_array_size: usize,
    /// Bytes from row to row, or 0
    pub image_row_pitch: usize,
    /// Bytes from slice to slice, or 0
    pub image_slice_pitch: usize,
    /// Must be 0 without mipmaps
    pub num_mip_levels: cl_uint,
    /// Must be 0
    pub num_samples: cl_uint,
    /// The buffer or image whose memory this image uses, or NULL
    pub mem_object: cl_mem,
}

/// `cl_buffer_region`
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cl_buffer_region {
    /// Offset in bytes
    pub origin: usize,
    /// Size in bytes
    pub size: usize,
}

/// `CL_NAME_VERSION_MAX_NAME_SIZE`
pub const NAME_VERSION_SIZE: usize = CL_NAME_VERSION_MAX_NAME_SIZE as usize;

/// `cl_name_version`
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct cl_name_version {
    /// See [`make_version`]
    pub version: cl_version,
    /// NUL-terminated
    pub name: [u8; NAME_VERSION_SIZE],
}

impl cl_name_version {
    /// `name` must have fewer than 64 bytes; a longer one is cut.
    #[must_use]
    pub const fn new(name: &str, version: cl_version) -> Self {
        let bytes = name.as_bytes();
        let mut out = [0; NAME_VERSION_SIZE];
        let mut i = 0;
        while i < bytes.len() && i < NAME_VERSION_SIZE - 1 {
            out[i] = bytes[i];
            i += 1;
        }
        Self { version, name: out }
    }
}

/// `CL_MAKE_VERSION`
#[must_use]
pub const fn make_version(major: u32, minor: u32, patch: u32) -> cl_version {
    (major << 22) | (minor << 12) | patch
}

/// The value of `clGetPlatformIDs` and `clUnloadCompiler` in the dispatch table of a driver for
/// `cl_khr_icd` 2.0.
pub const CL_ICD2_TAG_KHR: isize = if cfg!(target_pointer_width = "64") {
    isize::from_ne_bytes(0x4F50_454E_434C_3331_usize.to_ne_bytes())
} else {
    0x434C_3331
};

/// The answer to `CL_PLATFORM_ICD_SUFFIX_KHR` (`cl_khr_icd`)
pub const CL_PLATFORM_ICD_SUFFIX_KHR_TEXT: &str = "MUXCL";

/// A dispatch slot that is a function for an old loader and a tag for a new one.
#[repr(C)]
#[derive(Clone, Copy)]
pub union TaggedSlot<F: Copy> {
    /// The function, as in `cl_khr_icd` 1.0
    pub function: Option<F>,
    /// [`CL_ICD2_TAG_KHR`]
    pub tag: isize,
}

// SAFETY: the table holds addresses of functions and constants, and is never written.
unsafe impl Sync for Dispatch {}
// SAFETY: as above.
unsafe impl Send for Dispatch {}

impl<F: Copy> core::fmt::Debug for TaggedSlot<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("TaggedSlot")
    }
}

impl core::fmt::Debug for Dispatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Dispatch")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::{offset_of, size_of};

    // The numbers are those of a C compiler with opencl-headers on a 64-bit system.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn layouts() {
        assert_eq!(size_of::<cl_image_format>(), 8);
        assert_eq!(size_of::<cl_image_desc>(), 72);
        assert_eq!(offset_of!(cl_image_desc, image_width), 8);
        assert_eq!(offset_of!(cl_image_desc, num_mip_levels), 56);
        assert_eq!(offset_of!(cl_image_desc, mem_object), 64);
        assert_eq!(size_of::<cl_buffer_region>(), 16);
        assert_eq!(size_of::<cl_mutable_dispatch_arg_khr>(), 24);
        assert_eq!(size_of::<cl_mutable_dispatch_exec_info_khr>(), 24);
        assert_eq!(size_of::<cl_mutable_dispatch_config_khr>(), 72);
        assert_eq!(offset_of!(cl_mutable_dispatch_config_khr, arg_list), 24);
        assert_eq!(offset_of!(cl_mutable_dispatch_config_khr, local_work_size), 64);
        assert_eq!(size_of::<cl_name_version>(), 68);
        assert_eq!(offset_of!(cl_name_version, name), 4);
        assert_eq!(size_of::<cl_mem_flags>(), 8);
        assert_eq!(size_of::<cl_context_properties>(), 8);
        assert_eq!(size_of::<TaggedSlot<clGetPlatformIDs_fn>>(), 8);
        // Slots of cl_icd.h: the index counts from clGetPlatformIDs.
        assert_eq!(offset_of!(Dispatch, clGetPlatformIDs), 0);
        assert_eq!(offset_of!(Dispatch, clUnloadCompiler), 31 * 8);
        assert_eq!(offset_of!(Dispatch, clSetEventCallback), 81 * 8);
        assert_eq!(offset_of!(Dispatch, clCreateSubDevices), 93 * 8);
        assert_eq!(offset_of!(Dispatch, clCreateCommandQueueWithProperties), 123 * 8);
        assert_eq!(offset_of!(Dispatch, clSetContextDestructorCallback), 148 * 8);
        assert_eq!(offset_of!(Dispatch, clGetKernelSuggestedLocalWorkSize), 149 * 8);
        assert_eq!(offset_of!(Dispatch, later), 150 * 8);
    }

    #[test]
    fn constants() {
        assert_eq!(CL_INVALID_VALUE, -30);
        assert_eq!(CL_MEM_COPY_HOST_PTR, 1_u64 << 5);
        assert_eq!(CL_DEVICE_TYPE_ALL, 0xFFFF_FFFF_u64);
        assert_eq!(make_version(3, 0, 0), 0xC0_0000);
        assert_eq!(cl_name_version::new("ab", 1).name[..3], *b"ab\0");
    }

    macro_rules! count {
        ($([$group:ident $kind:ident $name:ident $version:literal
            ($($p:ident : $t:ty),*) -> $r:ty])*) => {
            [$((stringify!($group), stringify!($name))),*]
        };
    }

    #[test]
    fn the_table_is_complete() {
        let rows = for_each_cl_function!(count);
        assert_eq!(rows.iter().filter(|r| r.0 == "core").count(), 115);
        assert_eq!(
            rows.iter().filter(|r| matches!(r.0, "core" | "slot" | "absent" | "null")).count(),
            150
        );
        let mut names: Vec<_> = rows.iter().map(|r| r.1).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rows.len());
    }
}
