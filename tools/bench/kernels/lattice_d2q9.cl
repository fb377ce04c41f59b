// One step of a lattice Boltzmann flow in two dimensions with nine directions: streaming by pulling
// from the neighbours, periodic edges, bounce at solid cells, relaxation to the equilibrium.

constant int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constant float weight[9] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                            1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

kernel void k(global const float *from, global float *to, global const uchar *solid, int w, int h,
              float omega)
{
    int x = get_global_id(0), y = get_global_id(1), cells = w * h, here = y * w + x;
    float f[9];
    for (int d = 0; d < 9; ++d) {
        int sx = (x - ex[d] + w) % w, sy = (y - ey[d] + h) % h;
        f[d] = from[d * cells + sy * w + sx];
    }
    if (solid[here]) {
        for (int d = 0; d < 9; ++d) to[opposite[d] * cells + here] = f[d];
        return;
    }
    float density = 0.0f, ux = 0.0f, uy = 0.0f;
    for (int d = 0; d < 9; ++d) {
        density += f[d];
        ux += ex[d] * f[d];
        uy += ey[d] * f[d];
    }
    ux /= density;
    uy /= density;
    float square = 1.5f * (ux * ux + uy * uy);
    for (int d = 0; d < 9; ++d) {
        float along = 3.0f * (ex[d] * ux + ey[d] * uy);
        float balance = weight[d] * density * (1.0f + along + 0.5f * along * along - square);
        to[d * cells + here] = f[d] + omega * (balance - f[d]);
    }
}
