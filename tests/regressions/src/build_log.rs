//! The error code and the log of a build that must fail.

use anyhow::{Result, bail};
use muxcl_client::{ClientError, Context, Device};

/// The error code and the log of a build that must fail.
pub(crate) fn failure(device: Device, source: &str, options: &str) -> Result<(i32, String)> {
    match Context::new(device)?.build(device, source, options) {
        Err(ClientError::Build { code, log }) => Ok((code, log)),
        Err(other) => Err(other.into()),
        Ok(_) => bail!("builds, but must not:\n{source:.2000}"),
    }
}
