//! Builds and runs one program, named by its argument: what `cargo xtask dist` watches to learn
//! which functions of the compiler library a first build runs. `small` is one line; `usual` has
//! what kernels usually have.

use muxcl_client::{Context, Platform};

const SMALL: &str = "kernel void k(global float *out) { out[get_global_id(0)] = 42.0f; }";
const USUAL: &str = r#"
typedef struct { float4 position; uint seed; } Particle;
constant float weights[3] = { 0.25f, 0.5f, 0.25f };

float random(uint *seed) { *seed = *seed * 1664525u + 1013904223u; return convert_float(*seed >> 8) * 0x1p-24f; }

kernel void k(global float *out)
{
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    Particle p = { (float4)(1.0f, 2.0f, 3.0f, 0.0f), (uint)i };
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        p.position.xy += random(&p.seed) * weights[k % 3];
        sum += dot(p.position, p.position) + sin(p.position.x) * native_exp(-p.position.y);
    }
    tile[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = n / 2; step > 0; step /= 2) {
        if (l < step) tile[l] = fmax(tile[l], tile[l + step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    volatile global uint *count = (volatile global uint *)out;
    if (l == 0 && tile[0] > 1e30f) { atomic_inc(count); printf("%f\n", tile[0]); }
    out[i] = weights[l % 1] + clamp(tile[0], 42.0f, 42.0f) - 0.25f;
}"#;

fn main() -> muxcl_client::Result<()> {
    let source = if std::env::args().nth(1).is_some_and(|a| a == "usual") { USUAL } else { SMALL };
    let platform = Platform::all()?.remove(0);
    let device = platform.devices()?.remove(0);
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let buffer = context.buffer_with(&[0.0_f32; 64])?;
    let mut kernel = context.build(device, source, "")?.kernel("k")?;
    kernel.set_buffer(0, &buffer)?;
    queue.run(&kernel, &[64], Some(&[64]), None)?;
    let mut back = [0.0_f32; 64];
    queue.read(&buffer, &mut back)?;
    assert_eq!(back, [42.0; 64], "the kernel's result");
    Ok(())
}
