// One pass of a stable radix sort over 4 bits. Each work-item owns `chunk` keys in a row. `count`
// counts their digits, `offsets` (one work-group of 256) changes the counts to the places of the
// first keys, `scatter` moves the keys.

#define DIGITS 16

kernel void count(global const uint *keys, global uint *counts, int chunk, int shift)
{
    uint item = get_global_id(0), items = get_global_size(0);
    uint seen[DIGITS];
    for (int d = 0; d < DIGITS; ++d) seen[d] = 0;
    for (int i = 0; i < chunk; ++i) ++seen[(keys[item * chunk + i] >> shift) % DIGITS];
    for (int d = 0; d < DIGITS; ++d) counts[d * items + item] = seen[d];
}

kernel void offsets(global uint *counts, int n)
{
    local uint sums[256];
    int l = get_local_id(0), each = n / 256;
    uint total = 0;
    for (int i = 0; i < each; ++i) total += counts[l * each + i];
    sums[l] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 256; step <<= 1) {
        uint add = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint place = sums[l] - total;
    for (int i = 0; i < each; ++i) {
        uint own = counts[l * each + i];
        counts[l * each + i] = place;
        place += own;
    }
}

kernel void scatter(global const uint *keys, global uint *sorted, global const uint *counts,
                    int chunk, int shift)
{
    uint item = get_global_id(0), items = get_global_size(0);
    uint place[DIGITS];
    for (int d = 0; d < DIGITS; ++d) place[d] = counts[d * items + item];
    for (int i = 0; i < chunk; ++i) {
        uint key = keys[item * chunk + i];
        sorted[place[(key >> shift) % DIGITS]++] = key;
    }
}
