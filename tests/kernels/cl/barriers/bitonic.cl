// Bitonic sort of each group: nested loops with a barrier inside and divergent exchanges.
kernel void sort(global int *data)
{
    local int tile[256];
    uint l = get_local_id(0), n = get_local_size(0);
    tile[l] = data[get_global_id(0)];
    for (uint size = 2; size <= n; size <<= 1)
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = l ^ stride;
            if (other > l) {
                int a = tile[l], b = tile[other];
                if ((a > b) == ((l & size) == 0)) { tile[l] = b; tile[other] = a; }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[l];
}
// run: sort global=256 local=256
//   buf i32 256 = i * 167 % 256 => i
// run: sort global=256 local=64
//   buf i32 256 = i / 64 * 64 + 63 - i % 64 => i
