// A tile in two dimensions.
#define T 8
kernel void transpose(global const float *in, global float *out, int width, int height)
{
    local float tile[T][T + 1];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int tx = get_group_id(1) * T + lx, ty = get_group_id(0) * T + ly;
    out[ty * height + tx] = tile[lx][ly];
}
// run: transpose global=32x16 local=8x8
//   buf f32 512 = i * 0.5
//   buf f32 512 = 0 => a0[i % 16 * 32 + i / 16]
//   val i32 32
//   val i32 16
