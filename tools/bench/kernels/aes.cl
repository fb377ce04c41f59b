// AES-128 in counter mode by a table of 256 words: the S-box together with the column mixing. Each
// work-item encrypts one block. `keys`: the eleven round keys.

uint byte(uint word, uint number) { return (word >> (8 * number)) & 255; }

kernel void k(global const uint4 *in, global uint4 *out, global const uint *table,
              constant uint4 *keys, uint nonce)
{
    local uint t[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) t[i] = table[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint i = get_global_id(0);
    uint4 s = (uint4)(nonce, 0, 0, i) ^ keys[0];
    for (int round = 1; round < 10; ++round) {
        uint4 n;
        n.x = t[byte(s.x, 3)] ^ rotate(t[byte(s.y, 2)], 24u) ^ rotate(t[byte(s.z, 1)], 16u) ^
              rotate(t[byte(s.w, 0)], 8u);
        n.y = t[byte(s.y, 3)] ^ rotate(t[byte(s.z, 2)], 24u) ^ rotate(t[byte(s.w, 1)], 16u) ^
              rotate(t[byte(s.x, 0)], 8u);
        n.z = t[byte(s.z, 3)] ^ rotate(t[byte(s.w, 2)], 24u) ^ rotate(t[byte(s.x, 1)], 16u) ^
              rotate(t[byte(s.y, 0)], 8u);
        n.w = t[byte(s.w, 3)] ^ rotate(t[byte(s.x, 2)], 24u) ^ rotate(t[byte(s.y, 1)], 16u) ^
              rotate(t[byte(s.z, 0)], 8u);
        s = n ^ keys[round];
    }
    // The S-box is the second byte of the table's words.
    uint4 last;
    last.x = byte(t[byte(s.x, 3)], 1) << 24 | byte(t[byte(s.y, 2)], 1) << 16 |
             byte(t[byte(s.z, 1)], 1) << 8 | byte(t[byte(s.w, 0)], 1);
    last.y = byte(t[byte(s.y, 3)], 1) << 24 | byte(t[byte(s.z, 2)], 1) << 16 |
             byte(t[byte(s.w, 1)], 1) << 8 | byte(t[byte(s.x, 0)], 1);
    last.z = byte(t[byte(s.z, 3)], 1) << 24 | byte(t[byte(s.w, 2)], 1) << 16 |
             byte(t[byte(s.x, 1)], 1) << 8 | byte(t[byte(s.y, 0)], 1);
    last.w = byte(t[byte(s.w, 3)], 1) << 24 | byte(t[byte(s.x, 2)], 1) << 16 |
             byte(t[byte(s.y, 1)], 1) << 8 | byte(t[byte(s.z, 0)], 1);
    out[i] = in[i] ^ last ^ keys[10];
}
