//! Sub-devices (specification, section 4.3).

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_device_affinity_domain, cl_device_id, cl_device_partition_property, cl_uint,
};
use muxcl_mux::AffinityDomain;

use crate::checked;
use crate::core::device::Device;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{self, ClObject as _, borrow};

/// Domains from the widest to the narrowest: the order of
/// `CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE`.
const DOMAINS: [(cl_device_affinity_domain, AffinityDomain); 5] = [
    (sys::CL_DEVICE_AFFINITY_DOMAIN_NUMA, AffinityDomain::Numa),
    (sys::CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, AffinityDomain::L4),
    (sys::CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, AffinityDomain::L3),
    (sys::CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, AffinityDomain::L2),
    (sys::CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, AffinityDomain::L1),
];

/// The compute units of each sub-device, and the `CL_DEVICE_PARTITION_TYPE` of all of them.
type Parts = (Vec<Vec<u32>>, Vec<cl_device_partition_property>);

/// True if the device can be partitioned at all.
fn divisible(device: &Device) -> bool {
    device.info().partitionable && device.info().compute_units > 1
}

/// `CL_DEVICE_PARTITION_MAX_SUB_DEVICES`
pub(super) fn most(device: &Device) -> cl_uint {
    if divisible(device) { device.info().compute_units } else { 0 }
}

/// `CL_DEVICE_PARTITION_AFFINITY_DOMAIN`: the domains that partition the device into more than one
/// sub-device.
pub(super) fn affinity_domains(device: &Device) -> cl_device_affinity_domain {
    if !divisible(device) {
        return 0;
    }
    let divides = |(_, domain): &&(_, AffinityDomain)| device.mux().affinity(*domain).len() > 1;
    let bits = DOMAINS.iter().filter(divides).fold(0, |bits, (bit, _)| bits | bit);
    if bits == 0 { 0 } else { bits | sys::CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE }
}

/// `CL_DEVICE_PARTITION_PROPERTIES`: the supported properties, or a single zero.
pub(super) fn ways(device: &Device) -> Vec<cl_device_partition_property> {
    if !divisible(device) {
        return vec![0];
    }
    let mut list = vec![sys::CL_DEVICE_PARTITION_EQUALLY, sys::CL_DEVICE_PARTITION_BY_COUNTS];
    if affinity_domains(device) != 0 {
        list.push(sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
    }
    list
}

fn value_at(
    list: *const cl_device_partition_property,
    index: usize,
) -> cl_device_partition_property {
    let at = list.wrapping_add(index);
    // SAFETY: the list ends with a zero, and the function reads nothing behind that zero.
    unsafe { at.read_unaligned() }
}

fn parts(device: &Device, properties: *const cl_device_partition_property) -> ClResult<Parts> {
    if properties.is_null() || !device.info().partitionable {
        return Err(violated!(INVALID_VALUE, "if properties is no way to divide this device"));
    }
    let have = device.info().compute_units;
    match value_at(properties, 0) {
        sys::CL_DEVICE_PARTITION_EQUALLY => {
            let each = u32::try_from(value_at(properties, 1))
                .ok()
                .filter(|&n| n != 0)
                .ok_or(ClError::INVALID_VALUE)?;
            if value_at(properties, 2) != 0 {
                return Err(ClError::INVALID_VALUE);
            }
            // CL_INVALID_DEVICE_PARTITION_COUNT if ... the total number of compute units requested
            // exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device.
            if each > have {
                return Err(ClError::INVALID_DEVICE_PARTITION_COUNT);
            }
            // CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation
            // but in_device could not be further partitioned: the only sub-device would have all
            // compute units.
            if each == have {
                return Err(ClError::DEVICE_PARTITION_FAILED);
            }
            let units: Vec<u32> = (0..have).collect();
            let groups = units.chunks_exact(each as usize).map(<[u32]>::to_vec).collect();
            Ok((groups, vec![sys::CL_DEVICE_PARTITION_EQUALLY, value_at(properties, 1), 0]))
        }
        sys::CL_DEVICE_PARTITION_BY_COUNTS => by_counts(have, properties),
        sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN => by_affinity(device, properties),
        _ => Err(ClError::INVALID_VALUE),
    }
}

fn by_counts(have: u32, properties: *const cl_device_partition_property) -> ClResult<Parts> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut shown = vec![sys::CL_DEVICE_PARTITION_BY_COUNTS];
    let mut next = 0_u32;
    loop {
        let count = value_at(properties, shown.len());
        shown.try_reserve(3)?;
        shown.push(count);
        if count == sys::CL_DEVICE_PARTITION_BY_COUNTS_LIST_END {
            break;
        }
        // CL_INVALID_DEVICE_PARTITION_COUNT if the partition name specified in properties is
        // CL_DEVICE_PARTITION_BY_COUNTS and the number of sub-devices requested exceeds
        // CL_DEVICE_PARTITION_MAX_SUB_DEVICES or the total number of compute units requested
        // exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device, or the number of compute units
        // requested for one or more sub-devices is less than zero or the number of sub-devices
        // requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS.
        let invalid = ClError::INVALID_DEVICE_PARTITION_COUNT;
        let end = u32::try_from(count)
            .ok()
            .and_then(|n| next.checked_add(n))
            .filter(|&e| e <= have)
            .ok_or(invalid)?;
        groups.try_reserve(1)?;
        groups.push((next..end).collect());
        next = end;
    }
    shown.push(0);
    if groups.is_empty() {
        return Err(ClError::INVALID_VALUE);
    }
    if have < 2 {
        return Err(ClError::DEVICE_PARTITION_FAILED);
    }
    Ok((groups, shown))
}

fn by_affinity(
    device: &Device,
    properties: *const cl_device_partition_property,
) -> ClResult<Parts> {
    let asked = cl_device_affinity_domain::try_from(value_at(properties, 1)).unwrap_or(0);
    let next = asked == sys::CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    let known = next || DOMAINS.iter().any(|(bit, _)| *bit == asked);
    if !known || value_at(properties, 2) != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let wanted = DOMAINS.iter().filter(|(bit, _)| next || *bit == asked);
    let found = wanted
        .map(|(bit, domain)| (*bit, device.mux().affinity(*domain)))
        .find(|(_, groups)| groups.len() > 1);
    // CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation but
    // in_device could not be further partitioned.
    let (bit, groups) = found.ok_or(ClError::DEVICE_PARTITION_FAILED)?;
    let bit = cl_device_partition_property::try_from(bit).map_err(|_| ClError::INVALID_VALUE)?;
    Ok((groups, vec![sys::CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, bit, 0]))
}

#[cl_entry(clCreateSubDevices)]
fn create_sub_devices(
    in_device: cl_device_id,
    properties: *const cl_device_partition_property,
    num_devices: cl_uint,
    out_devices: *mut cl_device_id,
    num_devices_ret: *mut cl_uint,
) -> Result<(), ClError> {
    // CL_INVALID_DEVICE if in_device is not a valid device.
    let device = borrow::<Device>(in_device)?;
    let (groups, shown) = parts(&device, properties)?;
    if !out_devices.is_null() && (num_devices as usize) < groups.len() {
        return Err(violated!(INVALID_VALUE, "if out_devices has no room for all sub-devices"));
    }
    if !out_devices.is_null() {
        let mut made: Vec<cl_device_id> = Vec::new();
        made.try_reserve_exact(groups.len())?;
        for units in &groups {
            match Device::part(device.keep(), units, shown.clone()) {
                Ok(part) => made.push(part.handle()),
                Err(error) => {
                    for handle in made {
                        object::release::<Device>(handle)?;
                    }
                    return Err(error);
                }
            }
        }
        for (i, handle) in made.into_iter().enumerate() {
            // SAFETY: the application's array has num_devices elements, at least as many as there
            // are parts.
            let at = unsafe { out_devices.add(i) };
            checked::out(at, handle);
        }
    }
    checked::out(num_devices_ret, cl_uint::try_from(groups.len()).unwrap_or(cl_uint::MAX));
    Ok(())
}
