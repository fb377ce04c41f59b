// Many barriers in branches that all work-items take or skip together. The paths meet again after
// each branch, and the values of all branches live on.
#define STEP(k) \
    if (flags & (1 << k)) { \
        tile[l] = a + k; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        b += tile[l ^ 1]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
    } else if (l & 1) { \
        c += k; \
    } \
    a += b;
#define STEPS \
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9)

// What a pair of neighbours computes, without barriers. `x` and `y` are the pair's values of `a`.
#define ALONE(k) \
    if (flags & (1 << k)) { int at = y + k; y2 += x + k; x2 += at; } \
    else { if (l & 1) c += k; } \
    x += x2; y += y2;

bool right(int l, int flags, int a, int b, int c0, int times)
{
    int x = l, y = l ^ 1, x2 = 0, y2 = 0, c = 0;
    for (int t = 0; t < times; t++) {
        ALONE(0) ALONE(1) ALONE(2) ALONE(3) ALONE(4)
        ALONE(5) ALONE(6) ALONE(7) ALONE(8) ALONE(9)
    }
    return a == x && b == x2 && c0 == c;
}
kernel void by_argument(global int *out, int flags)
{
    local int tile[64];
    int l = get_local_id(0), a = l, b = 0, c = 0;
    STEPS
    out[get_global_id(0)] = right(l, flags, a, b, c, 1);
}
kernel void in_loop(global int *out, global const int *in)
{
    local int tile[64];
    int l = get_local_id(0), a = l, b = 0, c = 0, flags = in[get_group_id(0)];
    for (int t = 0; t < 3; t++) {
        STEPS
    }
    out[get_global_id(0)] = right(l, flags, a, b, c, 3);
}
// A group of an even number returns in the middle. The atomic operation hides from the compiler
// that the value is the same for all work-items of the group.
kernel void with_return(global int *out, global int *in)
{
    local int tile[64];
    int l = get_local_id(0), a = l, b = 0, c = 0, flags = atomic_or(&in[get_group_id(0)], 0);
    STEPS
    if (get_group_id(0) % 2 == 0) {
        out[get_global_id(0)] = right(l, flags, a, b, c, 1);
        return;
    }
    STEPS
    out[get_global_id(0)] = right(l, flags, a, b, c, 2);
}
// run: by_argument global=128 local=64|2
//   buf i32 128 = 0 => 1
//   val i32 602
// run: in_loop global=128 local=64|2
//   buf i32 128 = 0 => 1
//   buf i32 64 = i * 40503 % 65536
// run: with_return global=128 local=64|2
//   buf i32 128 = 0 => 1
//   buf i32 64 = i * 40503 % 65536
