//! The run-time library: functions code generation calls because the device has no instruction for them.
//!
//! Not here: their text (`builtins/runtime`).

use std::sync::Arc;

use muxcl_passes::PassError;

use crate::Target;

/// The member that defines `symbol` on devices with registers of `xlen` bits.
#[must_use]
pub fn find(xlen: u32, symbol: &str) -> Option<usize> {
    let _ = (xlen, symbol);
    None
}

pub(crate) fn object(_target: &Target, _member: usize) -> Result<Arc<Vec<u8>>, PassError> {
    Err(PassError::Unsupported("no run-time library".into()))
}
