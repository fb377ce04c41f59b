//! NDRanges: the rules for sizes, and the choice of a local size if the application gives none
//! (specification, section 5.10).
//!
//! Invariant: pure functions of their arguments. Not here: kernels and their arguments.

use muxcl_mux::{DeviceInfo, NdRange};

use crate::error::ClResult;
use crate::explain::violated;

/// Sizes as the application gives them. Dimensions that it does not give are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedSizes {
    /// 1, 2 or 3.
    pub dimensions: u32,
    /// Global offset; zeros for NULL.
    pub offset: [usize; 3],
    /// Global size; zeros for NULL.
    pub global: [usize; 3],
    /// Local size, or `None` for NULL.
    pub local: Option<[usize; 3]>,
}

/// Limits that a kernel, its program and the device set for the sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeRules {
    /// `reqd_work_group_size`, or zeros.
    pub required: [u32; 3],
    /// The number of sub-groups that a work-group must have, or 0.
    pub sub_groups: u32,
    /// Work-items of a full sub-group.
    pub sub_group_size: u32,
    /// `CL_KERNEL_WORK_GROUP_SIZE`
    pub most: u64,
    /// The global size must be a multiple of the local size.
    pub uniform: bool,
    /// The kernel cannot see how its work-items form groups. So the driver may run them in larger
    /// groups than the application asks for, and a group may be partial in any case.
    pub hidden: bool,
    /// Several groups may run as one, if all are full (`KernelInfo::joins_groups`).
    pub joins: bool,
    /// The kernel mostly computes with 16-bit numbers (`KernelInfo::computes_halves`).
    pub halves: bool,
    /// The dimension in which groups should be long (`KernelInfo::along`).
    pub along: u8,
    /// Another dimension in which groups should have several work-items (`KernelInfo::across`);
    /// equal to `along` if there is none.
    pub across: u8,
}

/// Checks and completes the sizes of a launch, in the order of the specification.
///
/// # Errors
/// The errors of `clEnqueueNDRangeKernel` about sizes.
pub fn check(
    info: &DeviceInfo,
    rules: &SizeRules,
    requested: &RequestedSizes,
) -> ClResult<NdRange> {
    let work_dim = requested.dimensions;
    if !(1..=3).contains(&work_dim) {
        return Err(violated!(
            INVALID_WORK_DIMENSION,
            "if work_dim is not between 1 and 3";
            "work_dim = {work_dim}, not 1 to 3"
        ));
    }
    let spread = |list: [usize; 3], rest: u64| {
        let mut out = [rest; 3];
        for (slot, value) in out.iter_mut().zip(list).take(work_dim as usize) {
            *slot = value as u64;
        }
        out
    };
    // "If global_work_size is NULL, or the value in any passed dimension is 0 then the kernel
    // command will trivially succeed after its event dependencies are satisfied and subsequently
    // update its completion event."
    let global = spread(requested.global, 1);
    let offset = spread(requested.offset, 0);
    let top = if info.address_bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
    if global.iter().any(|g| *g > top) {
        return Err(violated!(
            INVALID_GLOBAL_WORK_SIZE,
            "if a global size exceeds the device's size_t";
            "global_work_size = {global:?}, and the maximum is {top}"
        ));
    }
    if global.iter().zip(offset).any(|(g, o)| g.checked_add(o).is_none_or(|end| end > top)) {
        return Err(violated!(
            INVALID_GLOBAL_OFFSET,
            "if offset and global size together exceed the device's size_t";
            "global_work_size = {global:?}, global_work_offset = {offset:?}"
        ));
    }
    let required = rules.required.map(u64::from);
    let has_required = required != [0; 3];
    let Some(local) = requested.local else {
        let free = SizeRules { uniform: rules.uniform && !rules.hidden, ..*rules };
        let full = u64::from(rules.sub_groups) * u64::from(rules.sub_group_size);
        let has_required = has_required || full != 0;
        let local = match full {
            0 if has_required => required,
            0 => choose(info, &free, global),
            // A required number of sub-groups determines the size, unless the kernel gives both.
            _ if required != [0; 3] => required,
            _ => [full, 1, 1],
        };
        let range = NdRange { work_dim, offset, global, local };
        check_sub_groups(rules, &range)?;
        return if has_required { check_uniform(rules, &range).map(|()| range) } else { Ok(range) };
    };
    let local = spread(local, 1);
    if local.iter().zip(info.max_work_item_sizes).any(|(l, most)| *l > most) {
        return Err(violated!(
            INVALID_WORK_ITEM_SIZE,
            "if a local size exceeds its CL_DEVICE_MAX_WORK_ITEM_SIZES";
            "local_work_size = {local:?}, and the device's maximum is {:?}",
            info.max_work_item_sizes
        ));
    }
    if has_required && local != required {
        return Err(violated!(
            INVALID_WORK_GROUP_SIZE,
            "if the local size is not the one that the kernel's source requires";
            "local_work_size = {local:?}, and the kernel requires {required:?}"
        ));
    }
    let total = local.iter().try_fold(1_u64, |all, l| all.checked_mul(*l)).unwrap_or(u64::MAX);
    if total == 0 || total > rules.most {
        return Err(violated!(
            INVALID_WORK_GROUP_SIZE,
            "if the work-group is empty or larger than CL_KERNEL_WORK_GROUP_SIZE";
            "local_work_size = {local:?}, which is {total} work-items, and \
             CL_KERNEL_WORK_GROUP_SIZE \
             is {}",
            rules.most
        ));
    }
    let range = NdRange { work_dim, offset, global, local };
    check_sub_groups(rules, &range)?;
    check_uniform(rules, &range)?;
    let local = if rules.hidden && !has_required { enlarge(info, rules, &range) } else { local };
    Ok(NdRange { local, ..range })
}

/// CL_INVALID_WORK_GROUP_SIZE if the program was compiled with -cl-uniform-work-group-size (or for
/// OpenCL C before 2.0) and the number of work-items specified by global_work_size is not evenly
/// divisible by the size of work-group.
fn check_uniform(rules: &SizeRules, range: &NdRange) -> ClResult<()> {
    if rules.uniform && range.global.iter().zip(range.local).any(|(g, l)| !g.is_multiple_of(l)) {
        return Err(violated!(
            INVALID_WORK_GROUP_SIZE,
            "if the local size does not divide the global size where it must";
            "global_work_size = {:?}, local_work_size = {:?}",
            range.global, range.local
        ));
    }
    Ok(())
}

/// Preferred work-items in a group: enough to outweigh the cost of the call, few enough that their
/// state stays in the cache. Twice as many with 16-bit numbers.
const GROUP: u64 = 256;
/// Preferred minimum in the first dimension; fewer work-items leave vector lanes idle.
const LANES: u64 = 16;
/// Preferred work-items in each of the two dimensions of a group that should be long and wide.
const SIDE: u64 = 16;

/// Chooses the local size for a global size. Prefers powers of two, so that few variants of a
/// kernel are compiled.
#[must_use]
pub fn choose(info: &DeviceInfo, rules: &SizeRules, global: [u64; 3]) -> [u64; 3] {
    let largest = rules.most.min(info.max_work_group_size).max(1);
    let mut budget = preferred_items(info, rules, global);
    let mut local = [1; 3];
    let (long, wide) = (usize::from(rules.along), usize::from(rules.across));
    let first = if wide == long { vec![long] } else { vec![long, wide] };
    for i in first.iter().copied().chain((0..3).filter(|d| !first.contains(d))) {
        let cap = budget.min(info.max_work_item_sizes[i]).max(1);
        let square = wide != long && i == long && global[wide] >= SIDE;
        let cap = if square { cap.min(SIDE) } else { cap };
        // The first dimension decides how many lanes are idle.
        let most = if i == long { largest.min(info.max_work_item_sizes[i]) } else { cap };
        local[i] = one(global[i], cap, most, rules.uniform);
        budget = (budget / local[i]).max(1);
    }
    local
}

/// The preferred number of work-items in a group, for a global size.
fn preferred_items(info: &DeviceInfo, rules: &SizeRules, global: [u64; 3]) -> u64 {
    let largest = rules.most.min(info.max_work_group_size).max(1);
    // Several groups for each compute unit, as long as vector lanes are full.
    let items = global.iter().try_fold(1_u64, |all, g| all.checked_mul(*g)).unwrap_or(u64::MAX);
    let share = items / (u64::from(info.compute_units.max(1)) * 4);
    let preferred = if rules.halves { 2 * GROUP } else { GROUP };
    preferred.min(largest).min(floor_power(share.max(LANES)))
}

/// Enlarges the application's local size, for a kernel that cannot see its groups. Small groups
/// leave vector lanes idle and cost more calls. The result is at least the application's size in
/// each dimension.
///
/// If groups should be long in one dimension and wide in another, both grow first, up to [`SIDE`].
/// A dimension other than x in which groups should be long is next. Then dimensions in which the
/// application's groups have several work-items grow, because the application expects neighbours
/// there to access neighbouring memory.
fn enlarge(info: &DeviceInfo, rules: &SizeRules, range: &NdRange) -> [u64; 3] {
    let most = preferred_items(info, rules, range.global);
    let mut local = range.local;
    let (wide, narrow): (Vec<usize>, Vec<usize>) = (0..3).partition(|d| range.local[*d] > 1);
    let long = Some(usize::from(rules.along)).filter(|d| *d > 0);
    let mut grow = |d: usize, limit: u64| {
        let limit = limit.min(range.global[d]).min(info.max_work_item_sizes[d]);
        while local.iter().product::<u64>() * 2 <= most && local[d] * 2 <= limit {
            local[d] *= 2;
        }
    };
    if rules.across != rules.along {
        grow(rules.along.into(), SIDE);
        grow(rules.across.into(), SIDE);
    }
    for d in long.into_iter().chain(wide).chain(narrow) {
        grow(d, u64::MAX);
    }
    local
}

/// The local size with which several groups of `range` run as one, for a kernel that allows it. The
/// result is a multiple of the application's local size, and all groups are full. `None`: the
/// groups stay as they are.
///
/// Only local sizes that are powers of two grow: ids are quotients and remainders of them.
#[must_use]
pub fn join(info: &DeviceInfo, rules: &SizeRules, range: &NdRange) -> Option<[u64; 3]> {
    let divides = |(global, local): (&u64, &u64)| *local != 0 && global.is_multiple_of(*local);
    if !rules.joins
        || rules.required != [0; 3]
        || !range.global.iter().zip(&range.local).all(divides)
    {
        return None;
    }
    let most = preferred_items(info, rules, range.global);
    let mut local = range.local;
    let along = usize::from(rules.along);
    for d in [along].into_iter().chain((0..3).filter(|d| *d != along)) {
        while range.local[d].is_power_of_two()
            && local.iter().product::<u64>() * 2 <= most
            && range.global[d].is_multiple_of(local[d] * 2)
            && local[d] * 2 <= info.max_work_item_sizes[d]
        {
            local[d] *= 2;
        }
    }
    (local != range.local).then_some(local)
}

/// Chooses the local size of one dimension, at most `cap`, or at most `most` if that avoids idle
/// lanes.
fn one(global: u64, cap: u64, most: u64, uniform: bool) -> u64 {
    if global <= 1 {
        return 1;
    }
    let power = floor_power(cap);
    if !uniform {
        // The last group may be partial. A group larger than the NDRange would be visible in
        // get_enqueued_local_size.
        return global.min(power);
    }
    let even = power.min(1 << global.trailing_zeros().min(63));
    if even >= LANES.min(power) {
        return even;
    }
    // The largest divisor; the cap is small, so the search is cheap.
    let divisor = |cap: u64| (1..=cap.min(global)).rev().find(|d| global.is_multiple_of(*d));
    // A larger group is better than vectors with idle lanes.
    divisor(cap).filter(|d| *d >= LANES.min(power)).or_else(|| divisor(most)).unwrap_or(1)
}

fn floor_power(n: u64) -> u64 {
    1 << (63 - n.max(1).leading_zeros())
}

/// CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and is not consistent with the
/// required number of sub-groups for kernel in the program source. Also if no work-group of the
/// device has that number.
fn check_sub_groups(rules: &SizeRules, range: &NdRange) -> ClResult<()> {
    if rules.sub_groups == 0 {
        return Ok(());
    }
    let total = range.local.iter().try_fold(1_u64, |all, l| all.checked_mul(*l));
    let width = u64::from(rules.sub_group_size.max(1));
    let fits = total.is_some_and(|total| {
        total <= rules.most && total.div_ceil(width) == u64::from(rules.sub_groups)
    });
    if fits {
        return Ok(());
    }
    Err(violated!(
        INVALID_WORK_GROUP_SIZE,
        "if the local size does not give the sub-groups that the kernel requires";
        "local_work_size = {:?}, and the kernel requires {} sub-groups of {width} work-items",
        range.local, rules.sub_groups
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ClError;
    use muxcl_mux_null::NullDevice;

    const ANY: SizeRules = SizeRules {
        required: [0; 3],
        sub_groups: 0,
        sub_group_size: 16,
        most: 1024,
        uniform: true,
        hidden: false,
        joins: false,
        halves: false,
        along: 0,
        across: 0,
    };

    #[test]
    fn a_required_number_of_sub_groups_bounds_the_local_size() {
        let three = SizeRules { sub_groups: 3, ..ANY };
        for (local, good) in [(32, false), (33, true), (48, true), (49, false)] {
            let free = SizeRules { uniform: false, ..three };
            assert_eq!(run(&free, &[96], Some(&[local])).is_ok(), good, "{local}");
        }
        assert_eq!(run(&three, &[96], None).unwrap().local, [48, 1, 1]);
        assert_eq!(run(&three, &[100], None).err(), Some(ClError::INVALID_WORK_GROUP_SIZE));
        let many = SizeRules { sub_groups: u32::MAX, ..ANY };
        assert_eq!(run(&many, &[96], None).err(), Some(ClError::INVALID_WORK_GROUP_SIZE));
        let both = SizeRules { required: [16, 3, 1], ..three };
        assert_eq!(run(&both, &[16, 3], None).unwrap().local, [16, 3, 1]);
        let contradict = SizeRules { required: [16, 2, 1], ..three };
        assert_eq!(run(&contradict, &[16, 2], None).err(), Some(ClError::INVALID_WORK_GROUP_SIZE));
    }

    fn run(rules: &SizeRules, global: &[usize], local: Option<&[usize]>) -> ClResult<NdRange> {
        check(
            NullDevice::create().info(),
            rules,
            &requested(u32::try_from(global.len()).unwrap(), &[], global, local),
        )
    }

    fn requested(
        dimensions: u32,
        offset: &[usize],
        global: &[usize],
        local: Option<&[usize]>,
    ) -> RequestedSizes {
        let three = |list: &[usize]| {
            let mut out = [0; 3];
            out[..list.len()].copy_from_slice(list);
            out
        };
        RequestedSizes {
            dimensions,
            offset: three(offset),
            global: three(global),
            local: local.map(three),
        }
    }

    #[test]
    fn the_errors() {
        let device = NullDevice::create();
        let info = device.info();
        let dims = |n| check(info, &ANY, &requested(n, &[], &[1, 1, 1], None)).err();
        assert_eq!(
            (dims(0), dims(4), dims(3)),
            (Some(ClError::INVALID_WORK_DIMENSION), Some(ClError::INVALID_WORK_DIMENSION), None)
        );
        let offset = check(info, &ANY, &requested(1, &[usize::MAX], &[1], None));
        assert_eq!(offset.err(), Some(ClError::INVALID_GLOBAL_OFFSET));
        assert!(check(info, &ANY, &requested(1, &[usize::MAX - 1], &[1], None)).is_ok());
        assert_eq!(run(&ANY, &[8], Some(&[3])).err(), Some(ClError::INVALID_WORK_GROUP_SIZE));
        assert_eq!(run(&ANY, &[8], Some(&[0])).err(), Some(ClError::INVALID_WORK_GROUP_SIZE));
        assert_eq!(run(&ANY, &[4096], Some(&[2048])).err(), Some(ClError::INVALID_WORK_ITEM_SIZE));
        assert_eq!(
            run(&ANY, &[64, 64], Some(&[64, 32])).err(),
            Some(ClError::INVALID_WORK_GROUP_SIZE)
        );
        let required = SizeRules { required: [4, 2, 1], ..ANY };
        assert_eq!(
            run(&required, &[8, 8], Some(&[2, 4])).err(),
            Some(ClError::INVALID_WORK_GROUP_SIZE)
        );
        assert_eq!(run(&required, &[8, 8], None).unwrap().local, [4, 2, 1]);
        assert_eq!(run(&required, &[7, 8], None).err(), Some(ClError::INVALID_WORK_GROUP_SIZE));
        let hidden = SizeRules { hidden: true, ..ANY };
        assert_eq!(run(&hidden, &[1_000_003], None).unwrap().local, [256, 1, 1]);
        assert_eq!(
            run(&hidden, &[10], Some(&[4])).err(),
            Some(ClError::INVALID_WORK_GROUP_SIZE),
            "the application's own local size must divide"
        );
        let free = SizeRules { uniform: false, ..ANY };
        assert_eq!(run(&free, &[10], Some(&[4])).unwrap().local, [4, 1, 1]);
    }

    #[test]
    fn small_groups_grow_if_the_kernel_cannot_see_them() {
        let hidden = SizeRules { hidden: true, ..ANY };
        let local = |rules: &SizeRules, global: &[usize], local: &[usize]| {
            run(rules, global, Some(local)).unwrap().local
        };
        assert_eq!(local(&hidden, &[1 << 20], &[1]), [256, 1, 1]);
        assert_eq!(local(&hidden, &[1 << 20], &[64]), [256, 1, 1]);
        assert_eq!(local(&hidden, &[1 << 20], &[512]), [512, 1, 1], "never smaller");
        assert_eq!(local(&hidden, &[1000], &[10])[0] % 10, 0);
        assert_eq!(local(&hidden, &[1024, 1024], &[8, 8]), [32, 8, 1]);
        assert_eq!(local(&hidden, &[1024, 1024], &[1, 64]), [1, 256, 1], "the same direction");
        assert_eq!(local(&hidden, &[4, 1 << 16], &[1, 1]), [4, 64, 1]);
        assert_eq!(local(&hidden, &[3, 1 << 16], &[3, 1]), [3, 64, 1]);
        assert_eq!(local(&hidden, &[16], &[4]), [16, 1, 1], "a small NDRange is one vector");
        let both = SizeRules { across: 1, ..hidden };
        assert_eq!(local(&both, &[1024, 1024], &[64, 1]), [64, 4, 1], "wide in y");
        assert_eq!(local(&both, &[1024, 1024], &[4, 4]), [16, 16, 1], "long and wide");
        let columns = SizeRules { along: 1, across: 1, ..hidden };
        assert_eq!(local(&columns, &[1024, 1024], &[8, 1]), [8, 32, 1], "neighbours in y");
        assert_eq!(local(&columns, &[1024, 8], &[8, 1]), [32, 8, 1], "the rest grows in x");
        assert_eq!(local(&ANY, &[1 << 20], &[64]), [64, 1, 1], "the kernel sees its groups");
        let required = SizeRules { required: [8, 1, 1], ..hidden };
        assert_eq!(local(&required, &[1 << 20], &[8]), [8, 1, 1]);
    }

    #[test]
    fn groups_join_to_a_multiple_of_their_size() {
        let device = NullDevice::create();
        let joins = SizeRules { joins: true, ..ANY };
        let join = |rules: &SizeRules, global: [u64; 3], local: [u64; 3]| {
            let range = NdRange { work_dim: 3, offset: [0; 3], global, local };
            join(device.info(), rules, &range)
        };
        let large = [1 << 20, 1, 1];
        assert_eq!(join(&ANY, large, [8, 1, 1]), None);
        assert_eq!(join(&joins, large, [8, 1, 1]), Some([256, 1, 1]));
        assert_eq!(join(&joins, large, [256, 1, 1]), None);
        let halves = SizeRules { halves: true, ..joins };
        assert_eq!(join(&halves, large, [256, 1, 1]), Some([512, 1, 1]), "16-bit numbers");
        assert_eq!(join(&joins, [1000, 1, 1], [4, 1, 1]), Some([8, 1, 1]), "all groups are full");
        assert_eq!(join(&joins, [999, 1, 1], [4, 1, 1]), None, "a partial group");
        assert_eq!(join(&joins, [3 << 10, 1, 1], [3, 1, 1]), None, "no power of two");
        assert_eq!(join(&joins, [1 << 10, 1 << 10, 1], [8, 8, 1]), Some([32, 8, 1]));
        let columns = SizeRules { along: 1, across: 1, ..joins };
        assert_eq!(join(&columns, [1 << 10, 1 << 10, 1], [8, 8, 1]), Some([8, 32, 1]));
        assert_eq!(join(&joins, [64, 1, 1], [4, 1, 1]), Some([16, 1, 1]), "enough groups");
        let required = SizeRules { required: [8, 1, 1], ..joins };
        assert_eq!(join(&required, large, [8, 1, 1]), None);
    }

    #[test]
    fn nothing_to_do_is_fine() {
        assert_eq!(run(&ANY, &[0], None).unwrap().global, [0, 1, 1]);
        assert!(run(&ANY, &[0, 5], Some(&[1, 5])).is_ok());
        let device = NullDevice::create();
        assert_eq!(
            check(device.info(), &ANY, &requested(2, &[], &[], None)).unwrap().global,
            [0, 0, 1]
        );
    }

    #[test]
    fn our_choice_divides_when_it_must_and_always_fits() {
        let device = NullDevice::create();
        for uniform in [false, true] {
            let rules = SizeRules { uniform, most: 128, ..ANY };
            for x in (1..300).chain([1000, 1021, 4096, 1 << 20, 1_000_003]) {
                for y in [1, 3, 16, 100] {
                    for z in [1, 5] {
                        let local = choose(device.info(), &rules, [x, y, z]);
                        let total: u64 = local.iter().product();
                        assert!((1..=128).contains(&total), "{x} {y} {z}: {local:?}");
                        if uniform {
                            assert!(
                                x % local[0] == 0 && y % local[1] == 0 && z % local[2] == 0,
                                "{local:?}"
                            );
                        } else {
                            let whole = [x, y, z];
                            let fits =
                                |(l, g): (&u64, u64)| *l == g || (*l < g && l.is_power_of_two());
                            assert!(local.iter().zip(whole).all(fits), "{x} {y} {z}: {local:?}");
                        }
                    }
                }
            }
        }
        assert_eq!(choose(device.info(), &ANY, [1 << 20, 1, 1]), [256, 1, 1]);
        assert_eq!(choose(device.info(), &ANY, [1 << 10, 1 << 10, 1]), [256, 1, 1]);
        assert_eq!(choose(device.info(), &ANY, [4, 1000, 1])[0], 4);
        let both = SizeRules { across: 1, ..ANY };
        assert_eq!(choose(device.info(), &both, [1 << 10, 1 << 10, 1]), [16, 16, 1]);
        assert_eq!(choose(device.info(), &both, [1 << 20, 1, 1]), [256, 1, 1]);
        assert_eq!(choose(device.info(), &both, [1 << 20, 4, 1]), [256, 1, 1]);
        let columns = SizeRules { along: 1, across: 1, ..ANY };
        assert_eq!(choose(device.info(), &columns, [1 << 10, 1 << 10, 1]), [1, 256, 1]);
        assert_eq!(choose(device.info(), &columns, [1 << 10, 4, 1]), [64, 4, 1]);
        assert_eq!(
            choose(device.info(), &ANY, [1021, 1031, 1]),
            [1021, 1, 1],
            "a prime below 1024"
        );
    }
}
