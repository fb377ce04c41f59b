// Sorts each block of 1024 keys in local memory, in a work-group of 512.

#define N 1024

kernel void k(global const uint *in, global uint *out)
{
    local uint keys[N];
    int l = get_local_id(0);
    in += get_group_id(0) * N;
    out += get_group_id(0) * N;
    keys[l] = in[l];
    keys[l + N / 2] = in[l + N / 2];
    for (int block = 2; block <= N; block <<= 1) {
        for (int step = block >> 1; step > 0; step >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int i = 2 * l - (l & (step - 1));
            uint a = keys[i], b = keys[i + step];
            if ((a > b) == ((i & block) == 0)) {
                keys[i] = b;
                keys[i + step] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = keys[l];
    out[l + N / 2] = keys[l + N / 2];
}
