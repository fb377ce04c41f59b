// Indices of few bits beside an index that may wrap at 2^32: each is computed in its own width.
kernel void wraps(global uint *out, global const uint *in)
{
    uint l = get_local_id(0), g = get_global_id(0);
    out[g] = in[l & 3] + 10 * in[(uchar)(g * 32) >> 5];
}
// run: wraps global=200 local=8|40|100 offset=8
//   buf u32 208 = 0 => i < 8 ? 0 : (i % 4) + 10 * (i % 8)
//   buf u32 256 = i
