//! Programs in an intermediate language: a module in SPIR-V, and the values of its specialization
//! constants.
//!
//! Invariants: the module is well-formed SPIR-V for OpenCL, of a version that the devices report;
//! every value has the size of its constant. Not here: whether a device can run the module; its
//! build checks that (`muxcl-compiler`).

use muxcl_lock::{Mutex, Rank};
use muxcl_spirv::ModuleInfo;

use crate::error::{ClError, ClResult};

/// Values of specialization constants by their ids, in the order of the ids.
pub type Constants = Vec<(u32, Vec<u8>)>;

/// A module, and the values given to its constants.
#[derive(Debug)]
pub struct Il {
    bytes: Vec<u8>,
    info: ModuleInfo,
    values: Mutex<Constants>,
}

impl Il {
    /// Reads a module.
    ///
    /// # Errors
    /// The reason why the module cannot be used.
    pub fn read(bytes: Vec<u8>) -> Result<Self, muxcl_spirv::Error> {
        let info = muxcl_spirv::module_info(&bytes)?;
        Ok(Self { bytes, info, values: Mutex::new(Rank::Program, Vec::new()) })
    }

    /// The module as the application gave it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The size of a specialization constant.
    ///
    /// # Errors
    /// `CL_INVALID_SPEC_ID`.
    pub fn constant_size(&self, id: u32) -> ClResult<usize> {
        let constant =
            self.info.constants.iter().find(|c| c.id == id).ok_or(ClError::INVALID_SPEC_ID)?;
        Ok(constant.bytes as usize)
    }

    /// Sets a constant to a value of its size, for all later builds.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn set(&self, id: u32, value: &[u8]) -> ClResult<()> {
        let mut copy = Vec::new();
        copy.try_reserve_exact(value.len())?;
        copy.extend_from_slice(value);
        let mut values = self.values.lock();
        match values.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(at) => {
                if let Some((_, old)) = values.get_mut(at) {
                    *old = copy;
                }
            }
            Err(at) => {
                values.try_reserve(1)?;
                values.insert(at, (id, copy));
            }
        }
        Ok(())
    }

    /// The values at the time of the call.
    #[must_use]
    pub fn constants(&self) -> Constants {
        self.values.lock().clone()
    }
}
