// The key schedule of Blowfish, as bcrypt repeats it: each work-item has S-boxes of 4 KiB of its
// own, in private memory, or in local memory if LOCAL_BOXES is the number of work-items of a group.

#ifdef LOCAL_BOXES
#define SPACE local
#else
#define SPACE private
#endif

uint feistel(SPACE const uint *s, uint x)
{
    return ((s[x >> 24] + s[256 + ((x >> 16) & 255)]) ^ s[512 + ((x >> 8) & 255)]) +
           s[768 + (x & 255)];
}

uint2 encrypt(const uint *p, SPACE const uint *s, uint2 block)
{
    uint left = block.x, right = block.y;
    for (int i = 0; i < 16; i += 2) {
        left ^= p[i];
        right ^= feistel(s, left);
        right ^= p[i + 1];
        left ^= feistel(s, right);
    }
    return (uint2)(right ^ p[17], left ^ p[16]);
}

// `start`: 18 words of the P array and 1024 of the S-boxes. `keys`: 18 words for each work-item.
kernel void k(global const uint *start, global const uint *keys, global uint2 *out, int rounds)
{
    int item = get_global_id(0);
    uint p[18];
#ifdef LOCAL_BOXES
    local uint boxes[LOCAL_BOXES][1024];
    local uint *s = boxes[get_local_id(0)];
#else
    uint s[1024];
#endif
    for (int i = 0; i < 18; ++i) p[i] = start[i];
    for (int i = 0; i < 1024; ++i) s[i] = start[18 + i];
    uint2 block = (uint2)(0, 0);
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < 18; ++i) p[i] ^= keys[item * 18 + i];
        for (int i = 0; i < 18; i += 2) {
            block = encrypt(p, s, block);
            p[i] = block.x;
            p[i + 1] = block.y;
        }
        for (int i = 0; i < 1024; i += 2) {
            block = encrypt(p, s, block);
            s[i] = block.x;
            s[i + 1] = block.y;
        }
    }
    out[item] = block;
}
