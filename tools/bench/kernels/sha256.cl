// SHA-256 of messages of one block each, already padded, as 16 words.

constant uint constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

kernel void k(global const uint *messages, global uint *digests)
{
    size_t item = get_global_id(0);
    uint w[64];
    for (int i = 0; i < 16; ++i) w[i] = messages[item * 16 + i];
    for (int i = 16; i < 64; ++i) {
        uint x = w[i - 15], y = w[i - 2];
        uint low = rotate(x, 25u) ^ rotate(x, 14u) ^ (x >> 3);
        uint high = rotate(y, 15u) ^ rotate(y, 13u) ^ (y >> 10);
        w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
    for (int i = 0; i < 64; ++i) {
        uint high = rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u);
        uint t1 = h + high + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        uint low = rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u);
        uint t2 = low + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    digests[item * 8] = a + 0x6a09e667;
    digests[item * 8 + 1] = b + 0xbb67ae85;
    digests[item * 8 + 2] = c + 0x3c6ef372;
    digests[item * 8 + 3] = d + 0xa54ff53a;
    digests[item * 8 + 4] = e + 0x510e527f;
    digests[item * 8 + 5] = f + 0x9b05688c;
    digests[item * 8 + 6] = g + 0x1f83d9ab;
    digests[item * 8 + 7] = h + 0x5be0cd19;
}
