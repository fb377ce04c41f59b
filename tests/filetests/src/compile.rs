//! Turns a case into IR: clang for OpenCL C, LLVM's parser for IR. Also holds the builtin library.

use anyhow::Result;
use muxcl_compiler::Library;
use muxcl_llvm::{Context, Module};
use muxcl_muxc::{Input, parse};
use muxcl_types::device::DeviceDesc;

use crate::case::Case;

/// The builtin library for a device.
#[must_use]
pub fn library(device: &DeviceDesc) -> Library {
    Library::new(device.address_bits, device.hal.as_ref())
}

/// The device that tests compile for.
pub fn device() -> DeviceDesc {
    let list = |names: &[&str]| names.iter().map(|s| (*s).to_owned()).collect();
    DeviceDesc {
        id: "host-x86_64".into(),
        cpu: String::new(),
        features: String::new(),
        address_bits: 64,
        extensions: list(
            &[
                &[
                    "cl_khr_fp64",
                    "cl_khr_global_int32_base_atomics",
                    "cl_khr_int64_base_atomics",
                    "cl_khr_extended_async_copies",
                ],
                muxcl_types::device::SUB_GROUP_EXTENSIONS,
            ]
            .concat(),
        ),
        c_features: list(&[
            "__opencl_c_int64",
            "__opencl_c_fp64",
            "__opencl_c_generic_address_space",
            "__opencl_c_device_enqueue",
            "__opencl_c_images",
            "__opencl_c_program_scope_global_variables",
            "__opencl_c_work_group_collective_functions",
            "__opencl_c_subgroups",
            "__opencl_c_atomic_order_acq_rel",
            "__opencl_c_atomic_order_seq_cst",
            "__opencl_c_atomic_scope_device",
        ]),
        images: true,
        max_work_group_size: 4096,
        local_mem_bytes: 1 << 20,
        requirements: muxcl_types::device::ContextRequirements::default(),
        vecz: muxcl_types::device::Vecz::Off,
        hal: None,
    }
}

/// The module of a case, for the default device.
///
/// # Errors
/// The messages of clang or of the parser.
pub fn module<'c>(context: &'c Context, case: &Case) -> Result<Module<'c>> {
    module_for(context, case, &device())
}

/// The module of a case.
///
/// # Errors
/// The messages of clang or of the parser.
pub fn module_for<'c>(
    context: &'c Context,
    case: &Case,
    device: &DeviceDesc,
) -> Result<Module<'c>> {
    let text = case.source.as_str();
    let input = if case.is_ir() { Input::Text(text) } else { Input::Source(text.as_bytes()) };
    Ok(parse(context, input, options(case), device)?.0)
}

/// The build options of a case.
pub(crate) fn options(case: &Case) -> &str {
    if case.header.options.is_empty() { "-cl-std=CL3.0" } else { &case.header.options }
}

/// The module of a source in OpenCL C.
///
/// # Errors
/// The messages of clang, or an invalid build option.
pub fn source<'c>(
    context: &'c Context,
    source: &str,
    options: &str,
    device: &DeviceDesc,
) -> Result<Module<'c>> {
    Ok(parse(context, Input::Source(source.as_bytes()), options, device)?.0)
}
