// c = a * b for square matrices of n rows, n a multiple of 64. A work-group of 16 x 16 computes a
// block of 64 x 64; a work-item computes 4 x 4 of its elements.

#define BLOCK 64
#define DEPTH 16
#define PER_ITEM 4

kernel void k(global const float *a, global const float *b, global float *c, int n)
{
    local float ta[DEPTH][BLOCK], tb[DEPTH][BLOCK];
    int lx = get_local_id(0), ly = get_local_id(1), l = ly * 16 + lx;
    int left = get_group_id(0) * BLOCK, top = get_group_id(1) * BLOCK;
    float sum[PER_ITEM][PER_ITEM];
    for (int i = 0; i < PER_ITEM; ++i)
        for (int j = 0; j < PER_ITEM; ++j) sum[i][j] = 0.0f;
    for (int t = 0; t < n; t += DEPTH) {
        for (int i = l; i < BLOCK * DEPTH; i += 256) {
            ta[i % DEPTH][i / DEPTH] = a[(top + i / DEPTH) * n + t + i % DEPTH];
            tb[i / BLOCK][i % BLOCK] = b[(t + i / BLOCK) * n + left + i % BLOCK];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 0; d < DEPTH; ++d) {
            float ra[PER_ITEM], rb[PER_ITEM];
            for (int i = 0; i < PER_ITEM; ++i) {
                ra[i] = ta[d][ly * PER_ITEM + i];
                rb[i] = tb[d][lx + 16 * i];
            }
            for (int i = 0; i < PER_ITEM; ++i)
                for (int j = 0; j < PER_ITEM; ++j) sum[i][j] += ra[i] * rb[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < PER_ITEM; ++i)
        for (int j = 0; j < PER_ITEM; ++j)
            c[(top + ly * PER_ITEM + i) * n + left + lx + 16 * j] = sum[i][j];
}
