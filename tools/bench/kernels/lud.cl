// LU decomposition in place, without pivoting, in blocks of 16 x 16. For each block on the
// diagonal: `diagonal` (one work-group), then `border` (a work-group for each pair of a block to
// its right and one below), then `inside` (a work-group for each remaining block).

#define B 16

kernel void diagonal(global float *m, int n, int at)
{
    local float t[B][B];
    int l = get_local_id(0);
    for (int i = 0; i < B; ++i) t[i][l] = m[(at + i) * n + at + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < B - 1; ++k) {
        if (l > k) {
            t[l][k] /= t[k][k];
            for (int j = k + 1; j < B; ++j) t[l][j] -= t[l][k] * t[k][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < B; ++i) m[(at + i) * n + at + l] = t[i][l];
}

// The first 16 work-items solve a column each of a block to the right, the others a row each of a
// block below.
kernel void border(global float *m, int n, int at)
{
    local float d[B][B], right[B][B], below[B][B];
    int l = get_local_id(0) % B, far = at + (get_group_id(0) + 1) * B;
    bool is_right = get_local_id(0) < B;
    for (int i = 0; i < B; ++i) {
        if (is_right) {
            d[i][l] = m[(at + i) * n + at + l];
            right[i][l] = m[(at + i) * n + far + l];
        } else {
            below[i][l] = m[(far + i) * n + at + l];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_right) {
        for (int i = 1; i < B; ++i)
            for (int k = 0; k < i; ++k) right[i][l] -= d[i][k] * right[k][l];
    } else {
        for (int j = 0; j < B; ++j) {
            for (int k = 0; k < j; ++k) below[l][j] -= below[l][k] * d[k][j];
            below[l][j] /= d[j][j];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < B; ++i) {
        if (is_right) m[(at + i) * n + far + l] = right[i][l];
        else m[(far + i) * n + at + l] = below[i][l];
    }
}

kernel void inside(global float *m, int n, int at)
{
    local float row[B][B], column[B][B];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = at + B + get_global_id(0), y = at + B + get_global_id(1);
    row[ly][lx] = m[(at + ly) * n + x];
    column[ly][lx] = m[y * n + at + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < B; ++k) sum += column[ly][k] * row[k][lx];
    m[y * n + x] -= sum;
}
