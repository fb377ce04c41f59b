//! `CL_DEVICE_DOUBLE_FP_CONFIG` contained `CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`.
//!
//! The API specification, table of device queries, allows that flag for single precision only.

use anyhow::{Result, ensure};
use muxcl_client::Device;
use muxcl_client::sys::{
    CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_DENORM, CL_FP_FMA, CL_FP_INF_NAN, CL_FP_ROUND_TO_INF,
    CL_FP_ROUND_TO_NEAREST, CL_FP_ROUND_TO_ZERO,
};

use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[("s4_double_fp_config", Devices::All, double_fp_config)];

fn double_fp_config(device: Device) -> Result<()> {
    let wanted = CL_FP_DENORM
        | CL_FP_INF_NAN
        | CL_FP_ROUND_TO_NEAREST
        | CL_FP_ROUND_TO_ZERO
        | CL_FP_ROUND_TO_INF
        | CL_FP_FMA;
    let config = device.number(CL_DEVICE_DOUBLE_FP_CONFIG)?;
    ensure!(config == wanted, "CL_DEVICE_DOUBLE_FP_CONFIG is {config:#x}, not {wanted:#x}");
    Ok(())
}
