//! OpenCL C through the compiler's requests to linked RISC-V images, run on a bare machine.

#![expect(clippy::unwrap_used, reason = "helpers of a test")]

use muxcl_compiler::answer;
use muxcl_compiler_abi::{Request, Response};
use muxcl_filetests::riscv::{Arg, DEVICES, Machine, Range, device};
use muxcl_types::container::Binary;
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::Facts;

fn build(device: &DeviceDesc, source: &str, options: &str) -> Binary {
    let request = Request::Build { device: device.clone(), source: source.into(), options: options.into() };
    match answer(&request) {
        Response::Module { binary, .. } => Binary::from_bytes(&binary).unwrap(),
        Response::Failure { log, .. } => panic!("{log}"),
        other => panic!("{other:?}"),
    }
}

fn elf(response: Response) -> Vec<u8> {
    match response {
        Response::Elf { elf } => elf,
        Response::Failure { log, .. } => panic!("{log}"),
        other => panic!("{other:?}"),
    }
}

fn specialise(device: &DeviceDesc, b: &Binary, kernel: &str, facts: Facts) -> Vec<u8> {
    elf(answer(&Request::Specialise {
        device: device.clone(),
        bitcode: b.bitcode.clone(),
        info: b.info.clone(),
        options: b.options.clone(),
        kernel: kernel.into(),
        facts,
    }))
}

fn generic(device: &DeviceDesc, b: &Binary) -> Vec<u8> {
    elf(answer(&Request::Generic {
        device: device.clone(),
        bitcode: b.bitcode.clone(),
        info: b.info.clone(),
        options: b.options.clone(),
    }))
}

/// The devices everything runs on.
fn devices() -> Vec<DeviceDesc> {
    DEVICES.iter().map(|(isa, vlen)| device(isa, *vlen)).collect()
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Runs the kernel generic and specialised, and gives what it left in the first buffer.
fn both(
    device: &DeviceDesc,
    source: &str,
    kernel: &str,
    range: Range,
    args: impl Fn() -> Vec<Vec<u8>>,
) -> Vec<Vec<u8>> {
    let b = build(device, source, "-cl-std=CL3.0");
    let images = [
        generic(device, &b),
        specialise(device, &b, kernel, Facts { local_size: Some(range.local), ..Facts::default() }),
    ];
    images
        .iter()
        .map(|image| {
            let mut bytes = args();
            let mut list: Vec<Arg<'_>> = bytes.iter_mut().map(Arg::Buffer).collect();
            let mut machine = Machine::new(device, image, |_| Ok(())).unwrap();
            machine.run(&b.info, kernel, &mut list, &range).unwrap();
            bytes.swap_remove(0)
        })
        .collect()
}

#[test]
fn a_simple_kernel_runs() {
    let source = "kernel void add(global uint *c, global const uint *a, global const uint *b) {
        size_t i = get_global_id(0); c[i] = a[i] + b[i] * 3; }";
    for device in devices() {
        let n = 1000u32;
        let found = both(&device, source, "add", Range::line(n.into(), 64), || {
            vec![vec![0; 4 * n as usize], words(0..n), words((0..n).map(|i| i * i))]
        });
        for f in found {
            assert!(f == words((0..n).map(|i| i + 3 * i * i)), "{device:?}");
        }
    }
}
