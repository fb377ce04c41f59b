//! `riscv_count [VLEN]...`: counts the instructions that kernels execute on RISC-V machines with
//! these lengths of vector registers in bits, and the bytes of machine code. It compiles each
//! kernel in four ways: with LLVM's loop vectorizer only, with `vecz` and vectors of a fixed
//! length, with `vecz` and scalable vectors, and with scalable vectors for any local size.

#![expect(clippy::print_stdout, reason = "a command line tool talks to its user")]

use anyhow::{Result, anyhow};
use muxcl_filetests::riscv::{Arg, Machine, Range};
use muxcl_filetests::{compile, riscv};
use muxcl_passes::{Options, Runner};
use muxcl_target_riscv::{CodeTarget as _, Settings, Target, Vectors};
use muxcl_types::variant::SpecializationKey;

/// The kernels: name, source, global size and local size. Each kernel has four parameters: a buffer
/// for results, two buffers of input, and a number.
const KERNELS: &[(&str, &str, [u64; 3], [u32; 3])] = &[
    (
        "saxpy",
        "kernel void k(global float *c, global const float *a, global const float *b, uint n) {
            size_t i = get_global_id(0); c[i] = 2.5f * a[i] + b[i]; }",
        [4000, 1, 1],
        [100, 1, 1],
    ),
    (
        "matrix product, naive",
        "kernel void k(global float *c, global const float *a, global const float *b, uint n) {
            size_t x = get_global_id(0), y = get_global_id(1);
            float s = 0; for (uint i = 0; i < n; i++) s += a[y * n + i] * b[i * n + x];
            c[y * n + x] = s; }",
        [64, 64, 1],
        [16, 16, 1],
    ),
    (
        "matrix product, naive, groups of 13",
        "kernel void k(global float *c, global const float *a, global const float *b, uint n) {
            size_t x = get_global_id(0), y = get_global_id(1);
            float s = 0; for (uint i = 0; i < n; i++) s += a[y * n + i] * b[i * n + x];
            c[y * n + x] = s; }",
        [52, 52, 1],
        [13, 13, 1],
    ),
    (
        "Mandelbrot",
        "kernel void k(global float *c, global const float *a, global const float *b, uint n) {
            size_t x = get_global_id(0), y = get_global_id(1);
            float p = x * (3.0f / 64) - 2, q = y * (2.0f / 64) - 1, u = 0, v = 0; uint i = 0;
            for (; i < 256 && u * u + v * v < 4; i++) {
                float t = u * u - v * v + p; v = 2 * u * v + q; u = t; }
            c[y * 64 + x] = i; }",
        [64, 64, 1],
        [64, 1, 1],
    ),
    (
        "n-body",
        "kernel void k(global float *c, global const float *a, global const float *b, uint n) {
            size_t i = get_global_id(0); float x = a[i], y = b[i], s = 0;
            for (uint j = 0; j < n; j++) { float d = a[j] - x, e = b[j] - y;
                float r = rsqrt(d * d + e * e + 0.01f); s += d * r * r * r; }
            c[i] = s; }",
        [512, 1, 1],
        [64, 1, 1],
    ),
    (
        "hash rounds",
        "kernel void k(global uint *c, global const uint *a, global const uint *b, uint n) {
            size_t i = get_global_id(0); uint h = a[i];
            for (uint j = 0; j < 64; j++) {
                h ^= h >> 16; h *= 0x85ebca6b; h ^= h >> 13; h *= 0xc2b2ae35; h = rotate(h, 7u); }
            c[i] = h; }",
        [4096, 1, 1],
        [64, 1, 1],
    ),
    (
        "copy in groups of 250",
        "kernel void k(global uint *c, global const uint *a, global const uint *b, uint n) {
            size_t i = get_global_id(0); uint v = a[i]; if (v & 1) v += b[i]; c[i] = v; }",
        [4000, 1, 1],
        [250, 1, 1],
    ),
    (
        "gather and stride of 3, groups of 100",
        "kernel void k(global uint *c, global const uint *a, global const uint *b, uint n) {
            uint i = get_global_id(0); c[i] = a[3 * i] + b[(a[i] >> 16) & 1023]; }",
        [4000, 1, 1],
        [100, 1, 1],
    ),
    (
        "float4 by rows, groups of 100",
        "kernel void k(global float4 *c, global const float4 *a, global const float4 *b,
                       uint n) {
            size_t i = get_global_id(0); c[i] = a[i] * b[i] + a[i].x; }",
        [4000, 1, 1],
        [100, 1, 1],
    ),
    (
        "reduction by barriers",
        "kernel void k(global uint *c, global const uint *a, global const uint *b, uint n) {
            local uint t[256]; size_t i = get_global_id(0); uint l = get_local_id(0);
            t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);
            for (uint s = 128; s > 0; s /= 2) {
                if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
            if (l == 0) c[get_group_id(0)] = t[0]; }",
        [4096, 1, 1],
        [256, 1, 1],
    ),
];

fn main() -> Result<()> {
    let lengths: Vec<u32> =
        std::env::args().skip(1).map(|a| a.parse()).collect::<Result<_, _>>()?;
    let lengths = if lengths.is_empty() { vec![128, 512] } else { lengths };
    let work = || {
        for vlen in lengths {
            for kernel in KERNELS {
                let local = Some(kernel.3);
                let scalar = count(kernel, (vlen, vlen), local, Vectors::Llvm)?;
                let lanes = count(kernel, (vlen, vlen), local, Vectors::Faster)?;
                let scalable = count(kernel, (0, vlen), local, Vectors::Faster)?;
                let any = count(kernel, (0, vlen), None, Vectors::Faster)?;
                println!(
                    "VLEN {vlen}, {}: {scalar} without lanes, {lanes} with, {scalable} scalable, \
                     {any} for any local size",
                    kernel.0
                );
            }
        }
        Ok(())
    };
    std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(s, work)?;
        thread.join().unwrap_or_else(|_| Err(anyhow!("panicked")))
    })
}

/// Compiles the kernel for registers of `known` bits (0: scalable vectors) and this local size.
/// Runs it on a machine with registers of `vlen` bits, and returns the number of executed
/// instructions and the size of the machine code.
fn count(
    (_, source, global, local): &(&str, &str, [u64; 3], [u32; 3]),
    (known, vlen): (u32, u32),
    local_size: Option<[u32; 3]>,
    vectors: Vectors,
) -> Result<String> {
    let device = riscv::device("RV64GCV", known);
    let context = muxcl_llvm::Context::new();
    let mut module = compile::source(&context, source, "-cl-std=CL3.0", &device)?;
    let target = Target::new(&device.hal.clone().unwrap_or_default())?.with_vectors(vectors);
    let (options, settings) = (Options { report: true, ..Options::default() }, Settings::default());
    let run = &mut Runner::new(&options);
    let library = compile::library(&device);
    let done = target.finalise(&context, &mut module, &library, &settings, run)?;
    let key = SpecializationKey {
        local_size,
        uniform: local_size.is_some(),
        zero_offset: true,
        small_ids: true,
        ..SpecializationKey::default()
    };
    let elf = target.specialise(&done.program(&library), "k", &key, &settings, run)?;
    let mut machine = Machine::new(&riscv::device("RV64GCV", vlen), &elf, |_| Ok(()))?;
    let numbers = |seed| -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..16384).flat_map(|_| random.f32().to_le_bytes()).collect()
    };
    let (mut c, mut a, mut b) = (vec![0; 65536], numbers(1), numbers(2));
    let n = u32::try_from(global[0])?;
    let mut args = [
        Arg::Buffer(&mut c),
        Arg::Buffer(&mut a),
        Arg::Buffer(&mut b),
        Arg::Value(n.to_le_bytes().to_vec()),
    ];
    let range = Range { global: *global, local: *local, offset: [0; 3] };
    machine.run(&done.info, "k", &mut args, &range)?;
    Ok(format!("{} ({} bytes)", machine.retired(), code_bytes(&elf)?))
}

/// The number of bytes in the executable sections of an image.
fn code_bytes(elf: &[u8]) -> Result<u64> {
    use goblin::elf::section_header::SHF_EXECINSTR;
    let image = goblin::elf::Elf::parse(elf)?;
    let code = image.section_headers.iter().filter(|s| s.sh_flags & u64::from(SHF_EXECINSTR) != 0);
    Ok(code.map(|s| s.sh_size).sum())
}
