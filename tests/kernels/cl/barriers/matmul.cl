// Tiled matrix product: barriers in the loop over tiles, an accumulator live across.
#define T 4
kernel void multiply(global const float *a, global const float *b, global float *c, int n)
{
    local float ta[T][T], tb[T][T];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += T) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; ++k) sum += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
// run: multiply global=16x16 local=4x4
//   buf f32 256 = i % 7
//   buf f32 256 = i % 5 - 2
//   buf f32 256 = nan => sum(k, 0, 16, a0[i/16*16+k] * a1[k*16 + i%16])
//   val i32 16
