// One step of a lattice Boltzmann flow in three dimensions with 19 directions: streaming by pulling
// from the neighbours, periodic edges, relaxation to the equilibrium.

#define DIRECTIONS 19

constant int ex[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
constant int ey[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
constant int ez[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

kernel void k(global const float *from, global float *to, int n, float omega)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int cells = n * n * n, here = (z * n + y) * n + x;
    float f[DIRECTIONS];
    float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
    for (int d = 0; d < DIRECTIONS; ++d) {
        int sx = (x - ex[d] + n) % n, sy = (y - ey[d] + n) % n, sz = (z - ez[d] + n) % n;
        f[d] = from[d * cells + (sz * n + sy) * n + sx];
        density += f[d];
        ux += ex[d] * f[d];
        uy += ey[d] * f[d];
        uz += ez[d] * f[d];
    }
    ux /= density;
    uy /= density;
    uz /= density;
    float square = 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int d = 0; d < DIRECTIONS; ++d) {
        float weight = d == 0 ? 1.0f / 3.0f : d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
        float along = 3.0f * (ex[d] * ux + ey[d] * uy + ez[d] * uz);
        float balance = weight * density * (1.0f + along + 0.5f * along * along - square);
        to[d * cells + here] = f[d] + omega * (balance - f[d]);
    }
}
