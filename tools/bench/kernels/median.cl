// The median of 3 x 3 bytes: three columns are sorted, then the middle of the largest minimum, the
// median of the medians and the smallest maximum is taken.

uchar middle(uchar a, uchar b, uchar c) { return max(min(a, b), min(max(a, b), c)); }

kernel void k(global const uchar *in, global uchar *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar low[3], mid[3], high[3];
    for (int i = 0; i < 3; ++i) {
        int column = clamp(x + i - 1, 0, w - 1);
        uchar a = in[max(y - 1, 0) * w + column];
        uchar b = in[y * w + column];
        uchar c = in[min(y + 1, h - 1) * w + column];
        low[i] = min(a, min(b, c));
        mid[i] = middle(a, b, c);
        high[i] = max(a, max(b, c));
    }
    uchar lows = max(low[0], max(low[1], low[2]));
    uchar mids = middle(mid[0], mid[1], mid[2]);
    uchar highs = min(high[0], min(high[1], high[2]));
    out[y * w + x] = middle(lows, mids, highs);
}
