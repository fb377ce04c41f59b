//! Samplers: objects whose value is a number that kernels read. Not here: the meaning of the number
//! (`muxcl_img::sampler`).

use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_addressing_mode, cl_bool, cl_filter_mode, cl_sampler_properties};
use muxcl_img::sampler as img;

use super::context::Context;
use crate::error::{ClError, ClResult};
use crate::object::{self, ClObject, HandleHeader};

/// `cl_sampler`
#[derive(Debug)]
pub struct Sampler {
    head: HandleHeader<Self>,
    context: Arc<Context>,
    what: img::Sampler,
    lod: img::Lod,
    /// Properties as passed by the application, with the final zero; empty without properties.
    properties: Vec<cl_sampler_properties>,
}

impl ClObject for Sampler {
    type Raw = sys::_cl_sampler;
    const TAG: u32 = u32::from_le_bytes(*b"samp");
    const INVALID: ClError = ClError::INVALID_SAMPLER;
    const REACHABLE: bool = false;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// The addressing mode of a `CL_ADDRESS_*` value; `None` for other values.
#[must_use]
pub fn addressing(mode: cl_addressing_mode) -> Option<img::Addressing> {
    Some(match mode {
        sys::CL_ADDRESS_NONE => img::Addressing::None,
        sys::CL_ADDRESS_CLAMP_TO_EDGE => img::Addressing::ClampToEdge,
        sys::CL_ADDRESS_CLAMP => img::Addressing::Clamp,
        sys::CL_ADDRESS_REPEAT => img::Addressing::Repeat,
        sys::CL_ADDRESS_MIRRORED_REPEAT => img::Addressing::MirroredRepeat,
        _ => return None,
    })
}

impl Sampler {
    /// A sampler.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: Arc<Context>,
        what: img::Sampler,
        lod: img::Lod,
        properties: Vec<cl_sampler_properties>,
    ) -> ClResult<Arc<Self>> {
        object::create(|head| Ok(Self { head, context, what, lod, properties }))
    }

    /// The context of the sampler.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The number that kernels read.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.what.bits() | self.lod.bits()
    }

    /// The LOD properties: how the sampler chooses a mipmap level.
    #[must_use]
    pub fn lod(&self) -> img::Lod {
        self.lod
    }

    /// `CL_SAMPLER_MIP_FILTER_MODE`
    #[must_use]
    pub fn mip_filter(&self) -> cl_filter_mode {
        if self.lod.linear { sys::CL_FILTER_LINEAR } else { sys::CL_FILTER_NEAREST }
    }

    /// `CL_SAMPLER_NORMALIZED_COORDS`
    #[must_use]
    pub fn normalized(&self) -> cl_bool {
        if self.what.normalized { sys::CL_TRUE } else { sys::CL_FALSE }
    }

    /// `CL_SAMPLER_ADDRESSING_MODE`
    #[must_use]
    pub fn addressing(&self) -> cl_addressing_mode {
        match self.what.addressing {
            img::Addressing::None => sys::CL_ADDRESS_NONE,
            img::Addressing::ClampToEdge => sys::CL_ADDRESS_CLAMP_TO_EDGE,
            img::Addressing::Clamp => sys::CL_ADDRESS_CLAMP,
            img::Addressing::Repeat => sys::CL_ADDRESS_REPEAT,
            img::Addressing::MirroredRepeat => sys::CL_ADDRESS_MIRRORED_REPEAT,
        }
    }

    /// `CL_SAMPLER_FILTER_MODE`
    #[must_use]
    pub fn filter(&self) -> cl_filter_mode {
        if self.what.linear { sys::CL_FILTER_LINEAR } else { sys::CL_FILTER_NEAREST }
    }

    /// `CL_SAMPLER_PROPERTIES`
    #[must_use]
    pub fn properties(&self) -> &[cl_sampler_properties] {
        &self.properties
    }
}
