//! Measures compile times: `cargo run --release -p muxcl-compiler --example compile_time [FILE.cl
//! [N]]`. Not a test: it prints numbers for people.
#![expect(clippy::print_stdout, reason = "a tool for people")]

use muxcl_compiler_abi::{Request, Response, Source};
use muxcl_types::container::Binary;
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::SpecializationKey;
use std::borrow::Cow;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let source = match args.next() {
        Some(path) => std::fs::read(path)?,
        None => b"kernel void f(global float *x) { x[get_global_id(0)] *= 2; }".to_vec(),
    };
    let count: usize = args.next().map_or(Ok(10), |n| n.parse())?;
    let device = DeviceDesc {
        id: "host-x86_64".into(),
        cpu: String::new(),
        features: String::new(),
        address_bits: 64,
        extensions: vec!["cl_khr_fp64".into()],
        c_features: vec!["__opencl_c_int64".into(), "__opencl_c_fp64".into()],
        images: false,
        max_work_group_size: 1024,
        local_mem_bytes: 32768,
        requirements: muxcl_types::device::ContextRequirements::default(),
        vecz: muxcl_types::device::Vecz::Off,
        hal: None,
    };
    for _ in 0..count {
        let build = Request::Build {
            device: device.clone(),
            source: Source::of_c(source.clone()),
            options: String::new(),
        };
        let start = Instant::now();
        let built = muxcl_compiler::answer(&build);
        let build = ms(start);
        let Response::Module { binary, .. } = built else { return Err(log(&built).into()) };
        let binary = Binary::from_bytes(&binary)?;
        let Some(kernel) = binary.info.kernels.first().map(|k| k.name.clone()) else { continue };
        let request = Request::Specialise {
            device: device.clone(),
            bitcode: Cow::Borrowed(&binary.bitcode),
            info: binary.info.clone(),
            options: String::new(),
            kernel,
            key: SpecializationKey {
                local_size: Some([64, 1, 1]),
                zero_offset: true,
                small_ids: true,
                uniform: true,
                ..SpecializationKey::default()
            },
        };
        let start = Instant::now();
        let special = muxcl_compiler::answer(&request);
        let specialise = ms(start);
        let Response::Elf { elf } = special else { return Err(log(&special).into()) };
        println!(
            "build {build:.3} ms ({} B of bitcode), first kernel {specialise:.3} ms ({} B)",
            binary.bitcode.len(),
            elf.len()
        );
    }
    Ok(())
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn log(response: &Response) -> String {
    match response {
        Response::Failure { log, .. } => log.clone(),
        _ => "an answer to another question".into(),
    }
}
