//! Samplers (specification, section 5.7).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_addressing_mode, cl_bool, cl_context, cl_filter_mode, cl_sampler, cl_sampler_info,
    cl_sampler_properties,
};
use muxcl_img::sampler as img;

use crate::checked;
use crate::core::context::Context;
use crate::core::sampler::{self, Sampler};
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

fn is_linear(filter: cl_filter_mode) -> ClResult<bool> {
    match filter {
        sys::CL_FILTER_NEAREST => Ok(false),
        sys::CL_FILTER_LINEAR => Ok(true),
        _ => Err(ClError::INVALID_VALUE),
    }
}

/// A `cl_float` in a property list: the lower half of the value holds its bits.
fn float(value: cl_sampler_properties) -> ClResult<f32> {
    let bits = u32::try_from(value & 0xffff_ffff).map_err(|_| ClError::INVALID_VALUE)?;
    let float = f32::from_bits(bits);
    if float.is_nan() { Err(ClError::INVALID_VALUE) } else { Ok(float) }
}

fn make(
    context: Borrowed<'_, Context>,
    (normalized, addressing, filter): (cl_bool, cl_addressing_mode, cl_filter_mode),
    lod: img::Lod,
    properties: Vec<cl_sampler_properties>,
) -> ClResult<cl_sampler> {
    if !context.has_images() {
        return Err(violated!(INVALID_OPERATION, "if no device of the context has images"));
    }
    // CL_INVALID_VALUE if addressing_mode, filter_mode, normalized_coords or a combination of these
    // arguments are not valid.
    let normalized = match normalized {
        sys::CL_TRUE => true,
        sys::CL_FALSE => false,
        _ => return Err(ClError::INVALID_VALUE),
    };
    let linear = is_linear(filter)?;
    let addressing = sampler::addressing(addressing).ok_or(ClError::INVALID_VALUE)?;
    let what = img::Sampler { normalized, addressing, linear };
    Ok(Sampler::new(context.keep(), what, lod, properties)?.handle())
}

#[cl_entry(clCreateSampler)]
fn create_sampler(
    context: cl_context,
    normalized_coords: cl_bool,
    addressing_mode: cl_addressing_mode,
    filter_mode: cl_filter_mode,
) -> Result<cl_sampler, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    make(
        context,
        (normalized_coords, addressing_mode, filter_mode),
        img::Lod::default(),
        Vec::new(),
    )
}

#[cl_entry(clCreateSamplerWithProperties)]
fn create_sampler_with_properties(
    context: cl_context,
    sampler_properties: *const cl_sampler_properties,
) -> Result<cl_sampler, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    let (pairs, raw) = checked::properties(sampler_properties)?;
    // "If a supported property and its value is not specified in sampler_properties, its default
    // value will be used."
    let mut what: [Option<cl_sampler_properties>; 6] = [None; 6];
    for (name, value) in pairs {
        // CL_INVALID_VALUE if the property name in sampler_properties is not a supported property
        // name, if the value specified for a supported property name is not valid, or if the same
        // property name is specified more than once.
        let slot = match u32::try_from(name).unwrap_or(0) {
            sys::CL_SAMPLER_NORMALIZED_COORDS => &mut what[0],
            sys::CL_SAMPLER_ADDRESSING_MODE => &mut what[1],
            sys::CL_SAMPLER_FILTER_MODE => &mut what[2],
            sys::CL_SAMPLER_MIP_FILTER_MODE => &mut what[3],
            sys::CL_SAMPLER_LOD_MIN => &mut what[4],
            sys::CL_SAMPLER_LOD_MAX => &mut what[5],
            _ => return Err(ClError::INVALID_VALUE),
        };
        if slot.replace(value).is_some() {
            return Err(ClError::INVALID_VALUE);
        }
    }
    let number = |slot: Option<cl_sampler_properties>, default: u32| match slot {
        Some(value) => u32::try_from(value).map_err(|_| ClError::INVALID_VALUE),
        None => Ok(default),
    };
    let normalized = number(what[0], sys::CL_TRUE)?;
    let addressing = number(what[1], sys::CL_ADDRESS_CLAMP)?;
    let filter = number(what[2], sys::CL_FILTER_NEAREST)?;
    let default = img::Lod::default();
    let lod = img::Lod {
        linear: is_linear(number(what[3], sys::CL_FILTER_NEAREST)?)?,
        min: what[4].map_or(Ok(default.min), float)?,
        max: what[5].map_or(Ok(default.max), float)?,
    };
    make(context, (normalized, addressing, filter), lod, raw)
}

#[cl_entry(clRetainSampler)]
fn retain_sampler(sampler: cl_sampler) -> Result<(), ClError> {
    // CL_INVALID_SAMPLER if sampler is not a valid sampler object.
    object::retain::<Sampler>(sampler)
}

#[cl_entry(clReleaseSampler)]
fn release_sampler(sampler: cl_sampler) -> Result<(), ClError> {
    // CL_INVALID_SAMPLER if sampler is not a valid sampler object.
    object::release::<Sampler>(sampler)
}

#[cl_entry(clGetSamplerInfo)]
fn get_sampler_info(
    sampler: cl_sampler,
    param_name: cl_sampler_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_SAMPLER if sampler is a not a valid sampler object.
    let sampler = borrow::<Sampler>(sampler)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_SAMPLER_REFERENCE_COUNT => out.write(object::references(&*sampler)),
        sys::CL_SAMPLER_CONTEXT => out.write::<cl_context>(sampler.context().handle()),
        sys::CL_SAMPLER_NORMALIZED_COORDS => out.write(sampler.normalized()),
        sys::CL_SAMPLER_ADDRESSING_MODE => out.write(sampler.addressing()),
        sys::CL_SAMPLER_FILTER_MODE => out.write(sampler.filter()),
        sys::CL_SAMPLER_MIP_FILTER_MODE => out.write(sampler.mip_filter()),
        sys::CL_SAMPLER_LOD_MIN => out.write(sampler.lod().min),
        sys::CL_SAMPLER_LOD_MAX => out.write(sampler.lod().max),
        sys::CL_SAMPLER_PROPERTIES => out.write_slice(sampler.properties()),
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}
