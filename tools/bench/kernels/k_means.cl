// The nearest centre of each point. The coordinates are stored dimension by dimension.
kernel void k(global const float *points, global const float *centres, global int *nearest, int n,
              int count, int dimensions)
{
    int i = get_global_id(0), best = 0;
    float least = FLT_MAX;
    for (int c = 0; c < count; ++c) {
        float sum = 0.0f;
        for (int d = 0; d < dimensions; ++d) {
            float difference = points[d * n + i] - centres[c * dimensions + d];
            sum += difference * difference;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    nearest[i] = best;
}
