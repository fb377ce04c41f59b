//! The answers of `clGetDeviceInfo`: every query of OpenCL 3.1 and of the supported extensions.
//!
//! Not here: the source of the facts (`muxcl_mux::DeviceInfo`).

use std::ffi::{CStr, c_char};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bitfield, cl_bool, cl_device_id, cl_device_info, cl_name_version, cl_platform_id, cl_uint,
    cl_ulong, make_version,
};
use muxcl_mux::{DeviceQueueLimits, FloatCaps, LocalMemoryType};
use muxcl_spirv::support;
use muxcl_types::device::DeviceDesc;
use muxcl_types::sub_group;

use super::command_buffer_record::MUTABLE_FIELDS;
use super::{command_buffer, external_memory, partition, pipe, semaphore};
use crate::core::device::Device;
use crate::core::image;
use crate::core::platform::Platform;
use crate::error::ClResult;
use crate::explain::violated;
use crate::info::{InfoOut, Written};
use crate::object::{self, ClObject as _};
use crate::{compiler_client, extensions};

/// The version of the driver, for devices and the platform.
pub(super) const DRIVER_VERSION: &str = env!("CARGO_PKG_VERSION");
/// The version of the last conformance submission that passed. This driver has none.
const CONFORMANCE: &str = "v0000-01-01-00";
/// OpenCL C versions of programs; 2.0 only on devices with all features of [`C_2_0`].
const C_VERSIONS: [(u32, u32); 6] = [(1, 0), (1, 1), (1, 2), (2, 0), (3, 0), (3, 1)];
/// Features of OpenCL C 3.0 that OpenCL C 2.0 requires.
const C_2_0: [&str; 12] = [
    "__opencl_c_3d_image_writes",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_device_enqueue",
    "__opencl_c_generic_address_space",
    "__opencl_c_images",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_work_group_collective_functions",
];
/// `CL_DEVICE_TERMINATE_CAPABILITY_KHR` in the OpenCL 1.2 headers; `clinfo` also queries it.
const TERMINATE_CAPABILITY_OF_1_2: cl_uint = 0x200F;

/// Maximum number of image arguments of a kernel, for reading and for writing.
const MAX_IMAGE_ARGS: cl_uint = 128;
/// Maximum number of sampler arguments of a kernel.
const MAX_SAMPLERS: cl_uint = 16;

fn truth(value: bool) -> cl_bool {
    if value { sys::CL_TRUE } else { sys::CL_FALSE }
}

fn float_config(caps: FloatCaps) -> cl_bitfield {
    let bit = |on: bool, bit: cl_bitfield| if on { bit } else { 0 };
    bit(caps.denorm, sys::CL_FP_DENORM)
        | bit(caps.inf_nan, sys::CL_FP_INF_NAN)
        | bit(caps.round_nearest, sys::CL_FP_ROUND_TO_NEAREST)
        | bit(caps.round_zero, sys::CL_FP_ROUND_TO_ZERO)
        | bit(caps.round_inf, sys::CL_FP_ROUND_TO_INF)
        | bit(caps.fma, sys::CL_FP_FMA)
        | bit(caps.soft, sys::CL_FP_SOFT_FLOAT)
}

/// `CL_DEVICE_SINGLE_FP_CONFIG`. Only single precision has a flag for division and square roots:
/// in double precision they are always correctly rounded (OpenCL C 7.4).
fn single_config(caps: FloatCaps) -> cl_bitfield {
    let rounded = if caps.correct_div_sqrt { sys::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT } else { 0 };
    float_config(caps) | rounded
}

fn size(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Elements of `bytes` bytes in a vector of the device; 0 for an unsupported type.
fn width(device: &Device, bytes: u32, supported: bool) -> cl_uint {
    if supported { (device.info().vector_bytes / bytes).clamp(1, 16) } else { 0 }
}

/// A 128-bit identifier derived from some texts, the same in every process.
fn identity(parts: &[&str]) -> [u8; sys::CL_UUID_SIZE as usize] {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for byte in parts.iter().flat_map(|p| p.bytes().chain([0])) {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    hash.to_le_bytes()
}

/// `CL_DEVICE_UUID` of the root device, "immutable for a given device across processes". Equal
/// devices are told apart by their order. Others do not count: `MUXCL_DEVICES` chooses and orders
/// them anew in each process.
fn device_identity(device: &Device) -> ClResult<[u8; sys::CL_UUID_SIZE as usize]> {
    let mut root = device;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    let platform = Platform::get()?;
    let before = platform.devices().iter().take_while(|d| !d.is(root));
    Ok(numbered_identity(before.map(|d| model(d)), model(root)))
}

/// Vendor, name and target of a device.
fn model(device: &Device) -> [&str; 3] {
    let info = device.info();
    [&info.vendor, &info.name, &info.desc.id]
}

/// The identity of a device whose predecessors are `before`.
fn numbered_identity<'a>(
    before: impl Iterator<Item = [&'a str; 3]>,
    model: [&str; 3],
) -> [u8; sys::CL_UUID_SIZE as usize] {
    let twins = before.filter(|other| *other == model).count();
    identity(&[&twins.to_string(), model[0], model[1], model[2]])
}

/// The answers of one group of queries; `None` if the query is not in the group.
type Part = fn(&Device, cl_device_info, InfoOut) -> ClResult<Option<Written>>;

const PARTS: [Part; 8] = [
    work_items,
    images,
    intermediate_languages,
    memory,
    queues,
    versions,
    extension_facts,
    partitions,
];

/// Answers one query (specification, section 4.2, table of device queries).
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query, or if `out` is too small for the answer.
pub(super) fn query(
    device: &Device,
    param_name: cl_device_info,
    out: InfoOut,
) -> ClResult<Written> {
    for part in PARTS {
        if let Some(written) = part(device, param_name, out)? {
            return Ok(written);
        }
    }
    Err(violated!(INVALID_VALUE, "if param_name is no query of this call"))
}

/// Queries about work-items, vectors and the clock.
fn work_items(
    device: &Device,
    param_name: cl_device_info,
    out: InfoOut,
) -> ClResult<Option<Written>> {
    let info = device.info();
    let written =
        match param_name {
            sys::CL_DEVICE_TYPE => out.write(device.device_type()),
            sys::CL_DEVICE_VENDOR_ID => out.write::<cl_uint>(0x6d78),
            sys::CL_DEVICE_MAX_COMPUTE_UNITS => out.write::<cl_uint>(info.compute_units),
            sys::CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => out.write::<cl_uint>(3),
            sys::CL_DEVICE_MAX_WORK_GROUP_SIZES => out.write(info.max_work_item_sizes.map(size)),
            sys::CL_DEVICE_MAX_WORK_GROUP_SIZE => out.write(size(info.max_work_group_size)),
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
            | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR => out.write(width(device, 1, true)),
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
            | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT => out.write(width(device, 2, true)),
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_INT => {
                out.write(width(device, 4, true))
            }
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
            | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG => out.write(width(device, 8, true)),
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
            | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => out.write(width(device, 4, true)),
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
            | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => {
                out.write(width(device, 8, info.double.supported()))
            }
            sys::CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF
            | sys::CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => {
                out.write(width(device, 2, info.half.supported()))
            }
            sys::CL_DEVICE_MAX_CLOCK_FREQUENCY => out.write::<cl_uint>(info.clock_mhz),
            _ => return Ok(None),
        };
    written.map(Some)
}

/// Queries about images, samplers and addresses.
fn images(device: &Device, param_name: cl_device_info, out: InfoOut) -> ClResult<Option<Written>> {
    let info = device.info();
    let of_images = |value: usize| if info.images { value } else { 0 };
    let written = match param_name {
        sys::CL_DEVICE_ADDRESS_BITS => out.write::<cl_uint>(info.address_bits),
        sys::CL_DEVICE_MAX_MEM_ALLOC_SIZE => out.write::<cl_ulong>(info.max_allocation),
        sys::CL_DEVICE_IMAGE_SUPPORT => out.write(truth(info.images)),
        // As many as a kernel's parameters can hold, and at least the minimum of the specification.
        sys::CL_DEVICE_MAX_READ_IMAGE_ARGS
        | sys::CL_DEVICE_MAX_WRITE_IMAGE_ARGS
        | sys::CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS => {
            out.write::<cl_uint>(if info.images { MAX_IMAGE_ARGS } else { 0 })
        }
        sys::CL_DEVICE_MAX_SAMPLERS => {
            out.write::<cl_uint>(if info.images { MAX_SAMPLERS } else { 0 })
        }
        sys::CL_DEVICE_IMAGE_PITCH_ALIGNMENT | sys::CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT => {
            out.write::<cl_uint>(if info.images { image::ALIGNMENT } else { 0 })
        }
        sys::CL_DEVICE_IMAGE2D_MAX_WIDTH | sys::CL_DEVICE_IMAGE2D_MAX_HEIGHT => {
            out.write(of_images(image::MAX_2D))
        }
        sys::CL_DEVICE_IMAGE3D_MAX_WIDTH
        | sys::CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | sys::CL_DEVICE_IMAGE3D_MAX_DEPTH => out.write(of_images(image::MAX_3D)),
        sys::CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => out.write(of_images(image::MAX_BUFFER)),
        sys::CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => out.write(of_images(image::MAX_LAYERS)),
        _ => return Ok(None),
    };
    written.map(Some)
}

/// Queries about SPIR-V.
fn intermediate_languages(
    device: &Device,
    param_name: cl_device_info,
    out: InfoOut,
) -> ClResult<Option<Written>> {
    let written = match param_name {
        sys::CL_DEVICE_IL_VERSION => {
            let names: Vec<String> = ils(device)
                .iter()
                .map(|(major, minor)| format!("SPIR-V_{major}.{minor}"))
                .collect();
            out.write_str(&names.join(" "))
        }
        sys::CL_DEVICE_ILS_WITH_VERSION => {
            let version = |&(major, minor): &(u8, u8)| make_version(major.into(), minor.into(), 0);
            let list: Vec<_> =
                ils(device).iter().map(|v| cl_name_version::new("SPIR-V", version(v))).collect();
            out.write_slice(&list)
        }
        // The texts are static, so the pointers stay valid as long as the driver.
        sys::CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS
            if device.has_extension("cl_khr_spirv_queries") =>
        {
            out.write_slice(&texts(device, support::EXTENDED_INSTRUCTION_SETS))
        }
        sys::CL_DEVICE_SPIRV_EXTENSIONS if device.has_extension("cl_khr_spirv_queries") => {
            out.write_slice(&texts(device, support::EXTENSIONS))
        }
        sys::CL_DEVICE_SPIRV_CAPABILITIES if device.has_extension("cl_khr_spirv_queries") => {
            out.write_slice(&support::capabilities(|name| device.has_feature(name)))
        }
        _ => return Ok(None),
    };
    written.map(Some)
}

/// Queries about memory, arithmetic and parameters.
fn memory(device: &Device, param_name: cl_device_info, out: InfoOut) -> ClResult<Option<Written>> {
    let info = device.info();
    let written = match param_name {
        sys::CL_DEVICE_MAX_PARAMETER_SIZE => out.write(size(info.max_parameter_bytes)),
        // In bits, at least the size of a long16.
        sys::CL_DEVICE_MEM_BASE_ADDR_ALIGN => out.write::<cl_uint>(device.base_address_align() * 8),
        sys::CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => out.write::<cl_uint>(128),
        sys::CL_DEVICE_SINGLE_FP_CONFIG => out.write(single_config(info.single)),
        sys::CL_DEVICE_DOUBLE_FP_CONFIG => out.write(float_config(info.double)),
        sys::CL_DEVICE_HALF_FP_CONFIG => out.write(float_config(info.half)),
        sys::CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => {
            out.write(if info.cache_size == 0 { sys::CL_NONE } else { sys::CL_READ_WRITE_CACHE })
        }
        sys::CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => out.write::<cl_uint>(info.cache_line),
        sys::CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => out.write::<cl_ulong>(info.cache_size),
        sys::CL_DEVICE_GLOBAL_MEM_SIZE => out.write::<cl_ulong>(info.global_memory),
        sys::CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => out.write::<cl_ulong>(info.max_allocation),
        sys::CL_DEVICE_MAX_CONSTANT_ARGS => {
            // As many pointers as the kernel's parameters can hold.
            let word = u64::from(info.address_bits / 8).max(1);
            out.write::<cl_uint>(
                cl_uint::try_from(info.max_parameter_bytes / word).unwrap_or(8).max(8),
            )
        }
        sys::CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE => out.write(size(info.max_global_variable)),
        sys::CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => {
            out.write(size(info.max_global_variable))
        }
        sys::CL_DEVICE_LOCAL_MEM_TYPE => out.write(match info.local_memory_type {
            LocalMemoryType::Virtual => sys::CL_GLOBAL,
            LocalMemoryType::Physical => sys::CL_LOCAL,
        }),
        sys::CL_DEVICE_LOCAL_MEM_SIZE => out.write::<cl_ulong>(info.local_memory),
        sys::CL_DEVICE_ERROR_CORRECTION_SUPPORT => out.write(sys::CL_FALSE),
        sys::CL_DEVICE_HOST_UNIFIED_MEMORY => out.write(truth(info.host_unified_memory)),
        sys::CL_DEVICE_PROFILING_TIMER_RESOLUTION => out.write(size(info.timer_resolution_ns)),
        sys::CL_DEVICE_ENDIAN_LITTLE => out.write(truth(info.little_endian)),
        _ => return Ok(None),
    };
    written.map(Some)
}

/// Queries about the compiler, queues, sub-groups and pipes.
fn queues(device: &Device, param_name: cl_device_info, out: InfoOut) -> ClResult<Option<Written>> {
    let info = device.info();
    let of_queues =
        |fact: &dyn Fn(DeviceQueueLimits) -> cl_uint| info.device_queues.map_or(0, fact);
    let written = match param_name {
        sys::CL_DEVICE_AVAILABLE => out.write(sys::CL_TRUE),
        sys::CL_DEVICE_COMPILER_AVAILABLE | sys::CL_DEVICE_LINKER_AVAILABLE => {
            out.write(truth(compiler_client::available()))
        }
        sys::CL_DEVICE_EXECUTION_CAPABILITIES => {
            // Native kernels run in the application's process: a host device only.
            let native = if info.host_unified_memory { sys::CL_EXEC_NATIVE_KERNEL } else { 0 };
            out.write(sys::CL_EXEC_KERNEL | native)
        }
        sys::CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            out.write(sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | sys::CL_QUEUE_PROFILING_ENABLE)
        }
        sys::CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES => {
            let all = sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | sys::CL_QUEUE_PROFILING_ENABLE;
            out.write::<cl_bitfield>(if info.device_queues.is_some() { all } else { 0 })
        }
        sys::CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE => {
            out.write(of_queues(&|q| q.preferred_size))
        }
        sys::CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE => out.write(of_queues(&|q| q.max_size)),
        sys::CL_DEVICE_MAX_ON_DEVICE_QUEUES => out.write(of_queues(&|q| q.max_queues)),
        sys::CL_DEVICE_MAX_ON_DEVICE_EVENTS => out.write(of_queues(&|q| q.max_events)),
        sys::CL_DEVICE_MAX_NUM_SUB_GROUPS => {
            let items = if device.has_sub_groups() { info.max_work_group_size } else { 0 };
            let most = sub_group::count(items, sub_group::SIZES[0]);
            out.write::<cl_uint>(cl_uint::try_from(most).unwrap_or(cl_uint::MAX))
        }
        sys::CL_DEVICE_SUB_GROUP_SIZES_INTEL
            if device.has_extension("cl_intel_required_subgroup_size") =>
        {
            out.write_slice(&sub_group::SIZES.map(|n| n as usize))
        }
        sys::CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | sys::CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | sys::CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => out.write::<cl_uint>(0),
        sys::CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => {
            out.write(truth(device.has_sub_groups()))
        }
        sys::CL_DEVICE_PIPE_SUPPORT => out.write(truth(info.pipes)),
        sys::CL_DEVICE_MAX_PIPE_ARGS => {
            out.write::<cl_uint>(if info.pipes { pipe::MAX_ARGS } else { 0 })
        }
        sys::CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS => {
            out.write::<cl_uint>(if info.pipes { pipe::MAX_RESERVATIONS } else { 0 })
        }
        sys::CL_DEVICE_PIPE_MAX_PACKET_SIZE => {
            out.write::<cl_uint>(if info.pipes { pipe::MAX_PACKET } else { 0 })
        }
        sys::CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => {
            let all = sys::CL_DEVICE_QUEUE_SUPPORTED | sys::CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT;
            out.write::<cl_bitfield>(if info.device_queues.is_some() { all } else { 0 })
        }
        _ => return Ok(None),
    };
    written.map(Some)
}

/// Queries about names and versions.
fn versions(
    device: &Device,
    param_name: cl_device_info,
    out: InfoOut,
) -> ClResult<Option<Written>> {
    let info = device.info();
    let written = match param_name {
        sys::CL_DEVICE_BUILT_IN_KERNELS => out.write_str(""),
        sys::CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION => out.write_empty(),
        sys::CL_DEVICE_PLATFORM => out.write::<cl_platform_id>(Platform::get()?.handle()),
        sys::CL_DEVICE_NAME => out.write_str(&info.name),
        sys::CL_DEVICE_VENDOR => out.write_str(&info.vendor),
        // Applications cache program binaries by this string, so it contains the version of the
        // binary format, in which older binaries differ.
        sys::CL_DRIVER_VERSION => {
            out.write_str(&format!("{DRIVER_VERSION}+{}", muxcl_types::container::VERSION))
        }
        sys::CL_DEVICE_PROFILE => out.write_str("FULL_PROFILE"),
        sys::CL_DEVICE_VERSION => {
            out.write_str(concat!("OpenCL 3.1 muxcl ", env!("CARGO_PKG_VERSION")))
        }
        sys::CL_DEVICE_NUMERIC_VERSION => out.write(make_version(3, 1, 0)),
        // The highest version that is fully backwards compatible for a program with no -cl-std.
        sys::CL_DEVICE_OPENCL_C_VERSION => out.write_str("OpenCL C 1.2 muxcl"),
        sys::CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR => out.write(make_version(1, 2, 0)),
        sys::CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let has = |feature: &&str| device.desc().c_features.iter().any(|f| f == feature);
            let list: Vec<cl_name_version> = C_VERSIONS
                .into_iter()
                .filter(|(major, _)| *major != 2 || C_2_0.iter().all(has))
                .map(|(major, minor)| {
                    cl_name_version::new("OpenCL C", make_version(major, minor, 0))
                })
                .collect();
            out.write_slice(&list)
        }
        sys::CL_DEVICE_OPENCL_C_FEATURES => {
            let list: Vec<cl_name_version> = device
                .desc()
                .c_features
                .iter()
                .map(|f| cl_name_version::new(f, make_version(3, 0, 0)))
                .collect();
            out.write_slice(&list)
        }
        sys::CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => out.write_str(CONFORMANCE),
        sys::CL_DEVICE_EXTENSIONS => out.write_str(&extensions::string(device.extensions())),
        sys::CL_DEVICE_EXTENSIONS_WITH_VERSION => out.write_slice(device.extensions()),
        _ => return Ok(None),
    };
    written.map(Some)
}

/// Queries about extensions.
fn extension_facts(
    device: &Device,
    param_name: cl_device_info,
    out: InfoOut,
) -> ClResult<Option<Written>> {
    let info = device.info();
    let written = match param_name {
        sys::CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES
            if device.has_extension("cl_khr_integer_dot_product") =>
        {
            let packed = sys::CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED;
            out.write(packed | sys::CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT)
        }
        // `cl_device_integer_dot_product_acceleration_properties`: for each of six forms,
        // whether it is faster than separate instructions. None is.
        sys::CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT
        | sys::CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED
            if device.has_extension("cl_khr_integer_dot_product") =>
        {
            out.write([sys::CL_FALSE; 6])
        }
        sys::CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
            if device.has_extension("cl_ext_float_atomics") =>
        {
            out.write(float_atomics(device.desc(), "fp32"))
        }
        sys::CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT
            if device.has_extension("cl_ext_float_atomics") =>
        {
            out.write(float_atomics(device.desc(), "fp64"))
        }
        sys::CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT
            if device.has_extension("cl_ext_float_atomics") =>
        {
            out.write(float_atomics(device.desc(), "fp16"))
        }
        // Barriers are in local memory, 16 bytes each; half of it remains for the program.
        sys::CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR
            if device.has_extension("cl_khr_subgroup_named_barrier") =>
        {
            out.write(cl_uint::try_from(info.local_memory / 32).unwrap_or(cl_uint::MAX))
        }
        // The language of `-cl-std=CLC++`.
        sys::CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT
            if device.has_extension("cl_ext_cxx_for_opencl") =>
        {
            out.write(make_version(1, 0, 0))
        }
        sys::CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
            if device.has_extension("cl_khr_kernel_clock") =>
        {
            out.write(
                sys::CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR
                    | sys::CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR
                    | sys::CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR,
            )
        }
        sys::CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
        | sys::CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL
        | sys::CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | sys::CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | sys::CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL
            if device.has_usm() =>
        {
            let all = sys::CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL
                | sys::CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL
                | sys::CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL
                | sys::CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
            out.write::<cl_bitfield>(match param_name {
                // All allocations are the same memory.
                _ if device.has_shared_usm() => all,
                sys::CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL => {
                    sys::CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL
                }
                _ => 0,
            })
        }
        sys::CL_DEVICE_UUID => out.write(device_identity(device)?),
        sys::CL_DRIVER_UUID => out.write(identity(&["muxcl", DRIVER_VERSION])),
        // CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR
        sys::CL_DEVICE_TERMINATE_CAPABILITY_KHR | TERMINATE_CAPABILITY_OF_1_2 => {
            out.write(cl_bitfield::from(device.has_extension("cl_khr_terminate_context")))
        }
        sys::CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR => {
            let children = match info.device_queues {
                Some(_) => sys::CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR,
                None => 0,
            };
            out.write::<cl_bitfield>(
                sys::CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
                    | sys::CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
                    | sys::CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR
                    | children,
            )
        }
        sys::CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR => out.write::<cl_bitfield>(0),
        sys::CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR => out.write::<cl_bitfield>(
            sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | sys::CL_QUEUE_PROFILING_ENABLE,
        ),
        sys::CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR => {
            let count = command_buffer::sync_devices(device)?.len();
            out.write(cl_uint::try_from(count).unwrap_or(cl_uint::MAX))
        }
        sys::CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR => {
            out.write_slice(&command_buffer::sync_devices(device)?)
        }
        sys::CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR => {
            out.write::<cl_bitfield>(MUTABLE_FIELDS)
        }
        sys::CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR
        | sys::CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR => {
            out.write_slice(&external_memory::HANDLE_TYPES)
        }
        sys::CL_DEVICE_SEMAPHORE_TYPES_KHR => out.write(sys::CL_SEMAPHORE_TYPE_BINARY_KHR),
        sys::CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR
        | sys::CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => {
            out.write_slice(&semaphore::HANDLE_TYPES)
        }
        // A LUID exists on Windows only.
        sys::CL_DEVICE_LUID_VALID => out.write(sys::CL_FALSE),
        sys::CL_DEVICE_LUID => out.write([0_u8; sys::CL_LUID_SIZE as usize]),
        sys::CL_DEVICE_NODE_MASK => out.write::<cl_uint>(0),
        _ => return Ok(None),
    };
    written.map(Some)
}

/// Queries about partitions, atomics and optional features.
fn partitions(
    device: &Device,
    param_name: cl_device_info,
    out: InfoOut,
) -> ClResult<Option<Written>> {
    let info = device.info();
    let written = match param_name {
        // The printf capacity of one launch on a HAL device. On the host, output has no limit.
        sys::CL_DEVICE_PRINTF_BUFFER_SIZE => out.write::<usize>(8 << 20),
        sys::CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => out.write(sys::CL_TRUE),
        sys::CL_DEVICE_PARENT_DEVICE => out.write::<cl_device_id>(
            device.parent().map_or(std::ptr::null_mut(), |parent| parent.handle()),
        ),
        sys::CL_DEVICE_PARTITION_MAX_SUB_DEVICES => out.write::<cl_uint>(partition::most(device)),
        sys::CL_DEVICE_PARTITION_PROPERTIES => out.write_slice(&partition::ways(device)),
        sys::CL_DEVICE_PARTITION_AFFINITY_DOMAIN => {
            out.write::<cl_bitfield>(partition::affinity_domains(device))
        }
        // A root device has no partition properties: the answer is empty.
        sys::CL_DEVICE_PARTITION_TYPE => out.write_slice(device.partition()),
        sys::CL_DEVICE_REFERENCE_COUNT => {
            // "If the device is a root-level device, a reference count of one is returned."
            out.write::<cl_uint>(device.parent().map_or(1, |_| object::references(device)))
        }
        sys::CL_DEVICE_SVM_CAPABILITIES => {
            let all = sys::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
                | sys::CL_DEVICE_SVM_FINE_GRAIN_BUFFER
                | sys::CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
                | sys::CL_DEVICE_SVM_ATOMICS;
            out.write::<cl_bitfield>(match device.has_system_svm() {
                true => all,
                false if device.has_svm() => sys::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER,
                false => 0,
            })
        }
        sys::CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => out.write(
            sys::CL_DEVICE_ATOMIC_ORDER_RELAXED
                | sys::CL_DEVICE_ATOMIC_ORDER_ACQ_REL
                | sys::CL_DEVICE_ATOMIC_ORDER_SEQ_CST
                | sys::CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
                | sys::CL_DEVICE_ATOMIC_SCOPE_DEVICE
                | sys::CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
        ),
        sys::CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => out.write(
            sys::CL_DEVICE_ATOMIC_ORDER_RELAXED
                | sys::CL_DEVICE_ATOMIC_ORDER_ACQ_REL
                | sys::CL_DEVICE_ATOMIC_ORDER_SEQ_CST
                | sys::CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM
                | sys::CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
                | sys::CL_DEVICE_ATOMIC_SCOPE_DEVICE
                | sys::CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
        ),
        sys::CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => out.write(truth(info.non_uniform_groups)),
        sys::CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT => {
            out.write(truth(info.work_group_collectives))
        }
        sys::CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT => {
            out.write(truth(info.generic_address_space))
        }
        sys::CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            out.write(device.preferred_group_multiple())
        }
        _ => return Ok(None),
    };
    written.map(Some)
}

/// The versions of SPIR-V that a device accepts.
fn ils(device: &Device) -> &'static [(u8, u8)] {
    if device.has_il() { support::VERSIONS } else { &[] }
}

fn texts(device: &Device, table: &[support::Named]) -> Vec<*const c_char> {
    support::names(table, |name| device.has_feature(name)).into_iter().map(CStr::as_ptr).collect()
}

/// Atomic operations on a floating-point type, by the device's OpenCL C features. The core language
/// has loads and stores of 32 and 64 bits, so a device with atomic addition has them.
fn float_atomics(desc: &DeviceDesc, kind: &str) -> cl_bitfield {
    let has =
        |what: &str| desc.c_features.iter().any(|f| *f == format!("__opencl_c_ext_{kind}_{what}"));
    [
        (
            "global_atomic_add",
            sys::CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT
                | sys::CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT,
        ),
        ("global_atomic_min_max", sys::CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT),
        (
            "local_atomic_add",
            sys::CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | sys::CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT,
        ),
        ("local_atomic_min_max", sys::CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT),
    ]
    .iter()
    .filter(|(what, _)| has(what))
    .fold(0, |all, (_, bits)| all | bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_one_identity_wherever_it_is_listed() {
        let (host, card) = (["a", "host", "x86"], ["b", "card", "riscv64"]);
        let of =
            |before: &[[&'static str; 3]], model| numbered_identity(before.iter().copied(), model);
        assert_eq!(of(&[], card), of(&[host], card));
        assert_ne!(of(&[], card), of(&[card], card), "the second of two equal devices");
        assert_eq!(of(&[card], card), of(&[card, host], card));
        assert_ne!(of(&[], host), of(&[], card));
    }
}
