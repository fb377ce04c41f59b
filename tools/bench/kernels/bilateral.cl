// A bilateral filter: the mean of the neighbours, weighted by distance and by likeness.

#define RADIUS 3

kernel void k(global const float *in, global float *out, int w, int h, float space, float range)
{
    int x = get_global_id(0), y = get_global_id(1);
    float here = in[y * w + x], sum = 0.0f, weights = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            float there = in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
            float difference = there - here;
            float weight = exp(-(dx * dx + dy * dy) * space - difference * difference * range);
            sum += weight * there;
            weights += weight;
        }
    }
    out[y * w + x] = sum / weights;
}
