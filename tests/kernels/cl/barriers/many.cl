// Many barriers in a row, many values live across them, wide and narrow types.
#define STEP(k) \
    tile[l] = a##k + (int)f + (int)v.s##k; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    a##k = tile[l ^ 1]; \
    barrier(CLK_LOCAL_MEM_FENCE);
kernel void many(global int *out)
{
    local int tile[64];
    int l = get_local_id(0);
    int a0 = l, a1 = l + 1, a2 = l + 2, a3 = l + 3, a4 = l + 4, a5 = l + 5, a6 = l + 6, a7 = l + 7;
    float f = l * 2.0f;
    long8 v = (long8)(0, 10, 20, 30, 40, 50, 60, 70);
    bool odd = l & 1;
    char c = (char)(l + 1);
    uchar3 u = (uchar3)(1, 2, 3);
    STEP(0)
    STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) out[get_global_id(0)] =
        a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + odd * 10000 + c + u.x + u.y + u.z;
}
// run: many global=64 local=64|2|16
//   buf i32 64 = 0 => 8 * ((i%lx)^1) + 28 + 8 * 2 * ((i%lx)^1) + 280 + i%lx%2*10000 + i%lx + 1 + 6
