// One step of the heat equation on a chip: neighbours, power of each cell, and the air above. Tiles
// of 16 x 16 with a border of one cell; cells outside the chip have the edge's temperature.

#define T 16

kernel void k(global const float *heat, global const float *power, global float *out, int w, int h)
{
    local float tile[T + 2][T + 2];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    float here = heat[y * w + x];
    tile[ly][lx] = here;
    if (lx == 1) tile[ly][0] = heat[y * w + max(x - 1, 0)];
    if (lx == T) tile[ly][T + 1] = heat[y * w + min(x + 1, w - 1)];
    if (ly == 1) tile[0][lx] = heat[max(y - 1, 0) * w + x];
    if (ly == T) tile[T + 1][lx] = heat[min(y + 1, h - 1) * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float vertical = tile[ly - 1][lx] + tile[ly + 1][lx] - 2.0f * here;
    float horizontal = tile[ly][lx - 1] + tile[ly][lx + 1] - 2.0f * here;
    float air = 80.0f - here;
    out[y * w + x] =
        here + 0.5f * (power[y * w + x] + 0.1f * vertical + 0.15f * horizontal + 0.01f * air);
}
