//! HALs pass one of two schedule structures: the specified `hal_sched_info_{32,64}_t`, or
//! `wg_info_t` of the oneAPI Construction Kit's HALs. With either, kernels in one, two and three
//! dimensions give the same results: generic and specialised, with and without program-scope
//! variables, on 64-bit and 32-bit devices.

#![expect(clippy::unwrap_used, reason = "a test")]

use muxcl_compiler::answer;
use muxcl_compiler_abi::{Request, Response, Source};
use muxcl_filetests::riscv::{Arg, Layout, Machine, Range, device};
use muxcl_types::container::Binary;
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::SpecializationKey;

/// Words that each work-item writes.
const WORDS: usize = 16;

const KERNEL: &str = "
    kernel void ids(global uint *out, local uint *mirrored) {
        size_t at = get_global_linear_id(), item = get_local_linear_id();
        size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
        mirrored[items - 1 - item] = (uint)at;
        barrier(CLK_LOCAL_MEM_FENCE);
        global uint *mine = out + 16 * at;
        mine[0] = get_work_dim();
        for (uint d = 0; d < 3; d++) {
            mine[1 + d] = get_global_id(d);
            mine[4 + d] = get_group_id(d);
            mine[7 + d] = get_local_size(d);
            mine[10 + d] = get_num_groups(d);
        }
        mine[13] = get_global_size(0) * get_global_size(1) * get_global_size(2);
        mine[14] = mirrored[item];
        mine[15] = LAST;
    }";

fn source(variable: bool) -> String {
    let (declaration, last) = if variable {
        ("global uint total = 7;", "atomic_fetch_add((volatile global atomic_uint *)&total, 0)")
    } else {
        ("", "7")
    };
    format!("{declaration}\n{}", KERNEL.replace("LAST", last))
}

fn build(device: &DeviceDesc, source: &str) -> Binary {
    let (source, options) = (Source::of_c(source), "-cl-std=CL3.0".to_owned());
    match answer(&Request::Build { device: device.clone(), source, options }) {
        Response::Module { binary, .. } => Binary::from_bytes(&binary).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn image(device: &DeviceDesc, b: &Binary, local: Option<[u32; 3]>) -> Vec<u8> {
    let (device, bitcode) = (device.clone(), b.bitcode.clone());
    let (info, options) = (b.info.clone(), b.options.clone());
    let request = match local {
        None => Request::Generic { device, bitcode: bitcode.into(), info, options },
        local_size => Request::Specialise {
            device,
            bitcode: bitcode.into(),
            info,
            options,
            kernel: "ids".into(),
            key: SpecializationKey { local_size, ..SpecializationKey::default() },
        },
    };
    match answer(&request) {
        Response::Elf { elf } => elf,
        other => panic!("{other:?}"),
    }
}

/// The expected output, by OpenCL's definitions.
fn expected(range: &Range, rank: u32) -> Vec<u8> {
    let short = |n: u64| u32::try_from(n).unwrap();
    let [width, height, depth] = range.global.map(short);
    let linear = |id: [u32; 3]| (id[2] * height + id[1]) * width + id[0];
    let mut words = Vec::new();
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                let id = [x, y, z];
                let group = [0, 1, 2].map(|d| id[d] / range.local[d]);
                // The work-item at the mirrored position in the same group.
                let mirror = [0, 1, 2].map(|d| (2 * group[d] + 1) * range.local[d] - 1 - id[d]);
                words.push(rank);
                words.extend([0, 1, 2].map(|d| id[d] + short(range.offset[d])));
                words.extend(group);
                words.extend(range.local);
                words.extend([0, 1, 2].map(|d| short(range.global[d]) / range.local[d]));
                words.extend([width * height * depth, linear(mirror), 7]);
            }
        }
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn check(machine: &mut Machine, b: &Binary, range: &Range, rank: u32, what: &str) {
    let items = range.global.iter().product::<u64>();
    let mut out = vec![0u8; 4 * WORDS * usize::try_from(items).unwrap()];
    let group = range.local.iter().product::<u32>();
    let mut args = [Arg::Buffer(&mut out), Arg::Local(4 * u64::from(group))];
    machine.run(&b.info, "ids", &mut args, range).unwrap();
    assert!(out == expected(range, rank), "{what}: {range:?}");
}

#[test]
fn kernels_compute_the_same_with_either_schedule_structure() {
    let ranges = [
        (1, Range { global: [96, 1, 1], local: [16, 1, 1], offset: [5, 0, 0] }),
        (2, Range { global: [16, 16, 1], local: [4, 4, 1], offset: [0; 3] }),
        (2, Range { global: [6, 10, 1], local: [1, 5, 1], offset: [3, 9, 0] }),
        (3, Range { global: [8, 6, 4], local: [4, 3, 2], offset: [1, 2, 3] }),
    ];
    for (isa, vlen) in [("RV64GCV", 128), ("RV64IMAC", 0), ("RV32IMAC", 0)] {
        let device = device(isa, vlen);
        for variable in [false, true] {
            let b = build(&device, &source(variable));
            for layout in [Layout::Specified, Layout::WgInfo] {
                let machine = |image: &[u8]| {
                    Machine::new(&device, image, |_| Ok(())).unwrap().with_layout(layout)
                };
                let what = format!("{isa}, {layout:?}, variable: {variable}");
                if variable {
                    // The build made the single image of a program with variables.
                    let mut generic = machine(&b.elf);
                    for (rank, range) in &ranges {
                        check(&mut generic, &b, range, *rank, &what);
                    }
                    continue;
                }
                let mut generic = machine(&image(&device, &b, None));
                for (rank, range) in &ranges {
                    check(&mut generic, &b, range, *rank, &what);
                    let mut specialised = machine(&image(&device, &b, Some(range.local)));
                    check(&mut specialised, &b, range, *rank, &what);
                }
            }
        }
    }
}
