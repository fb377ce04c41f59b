// Search of a password: each work-item computes MD5 of a candidate of eight letters, made of its
// number, and compares it with the wanted digest. `first`: the first word of each digest.

#define F(x, y, z) ((x & y) | (~x & z))
#define G(x, y, z) ((x & z) | (y & ~z))
#define H(x, y, z) (x ^ y ^ z)
#define I(x, y, z) (y ^ (x | ~z))
#define STEP(f, a, b, c, d, x, s, t) a = b + rotate(a + f(b, c, d) + x + t, s)

kernel void k(uint4 wanted, global uint *found, global uint *first)
{
    uint item = get_global_id(0), number = item, w[16];
    for (int i = 0; i < 16; ++i) w[i] = 0;
    for (int i = 0; i < 8; ++i) {
        w[i / 4] |= ('a' + number % 26) << (8 * (i % 4));
        number /= 26;
    }
    w[2] = 0x80;
    w[14] = 64;
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    STEP(F, a, b, c, d, w[0], 7u, 0xd76aa478);
    STEP(F, d, a, b, c, w[1], 12u, 0xe8c7b756);
    STEP(F, c, d, a, b, w[2], 17u, 0x242070db);
    STEP(F, b, c, d, a, w[3], 22u, 0xc1bdceee);
    STEP(F, a, b, c, d, w[4], 7u, 0xf57c0faf);
    STEP(F, d, a, b, c, w[5], 12u, 0x4787c62a);
    STEP(F, c, d, a, b, w[6], 17u, 0xa8304613);
    STEP(F, b, c, d, a, w[7], 22u, 0xfd469501);
    STEP(F, a, b, c, d, w[8], 7u, 0x698098d8);
    STEP(F, d, a, b, c, w[9], 12u, 0x8b44f7af);
    STEP(F, c, d, a, b, w[10], 17u, 0xffff5bb1);
    STEP(F, b, c, d, a, w[11], 22u, 0x895cd7be);
    STEP(F, a, b, c, d, w[12], 7u, 0x6b901122);
    STEP(F, d, a, b, c, w[13], 12u, 0xfd987193);
    STEP(F, c, d, a, b, w[14], 17u, 0xa679438e);
    STEP(F, b, c, d, a, w[15], 22u, 0x49b40821);
    STEP(G, a, b, c, d, w[1], 5u, 0xf61e2562);
    STEP(G, d, a, b, c, w[6], 9u, 0xc040b340);
    STEP(G, c, d, a, b, w[11], 14u, 0x265e5a51);
    STEP(G, b, c, d, a, w[0], 20u, 0xe9b6c7aa);
    STEP(G, a, b, c, d, w[5], 5u, 0xd62f105d);
    STEP(G, d, a, b, c, w[10], 9u, 0x02441453);
    STEP(G, c, d, a, b, w[15], 14u, 0xd8a1e681);
    STEP(G, b, c, d, a, w[4], 20u, 0xe7d3fbc8);
    STEP(G, a, b, c, d, w[9], 5u, 0x21e1cde6);
    STEP(G, d, a, b, c, w[14], 9u, 0xc33707d6);
    STEP(G, c, d, a, b, w[3], 14u, 0xf4d50d87);
    STEP(G, b, c, d, a, w[8], 20u, 0x455a14ed);
    STEP(G, a, b, c, d, w[13], 5u, 0xa9e3e905);
    STEP(G, d, a, b, c, w[2], 9u, 0xfcefa3f8);
    STEP(G, c, d, a, b, w[7], 14u, 0x676f02d9);
    STEP(G, b, c, d, a, w[12], 20u, 0x8d2a4c8a);
    STEP(H, a, b, c, d, w[5], 4u, 0xfffa3942);
    STEP(H, d, a, b, c, w[8], 11u, 0x8771f681);
    STEP(H, c, d, a, b, w[11], 16u, 0x6d9d6122);
    STEP(H, b, c, d, a, w[14], 23u, 0xfde5380c);
    STEP(H, a, b, c, d, w[1], 4u, 0xa4beea44);
    STEP(H, d, a, b, c, w[4], 11u, 0x4bdecfa9);
    STEP(H, c, d, a, b, w[7], 16u, 0xf6bb4b60);
    STEP(H, b, c, d, a, w[10], 23u, 0xbebfbc70);
    STEP(H, a, b, c, d, w[13], 4u, 0x289b7ec6);
    STEP(H, d, a, b, c, w[0], 11u, 0xeaa127fa);
    STEP(H, c, d, a, b, w[3], 16u, 0xd4ef3085);
    STEP(H, b, c, d, a, w[6], 23u, 0x04881d05);
    STEP(H, a, b, c, d, w[9], 4u, 0xd9d4d039);
    STEP(H, d, a, b, c, w[12], 11u, 0xe6db99e5);
    STEP(H, c, d, a, b, w[15], 16u, 0x1fa27cf8);
    STEP(H, b, c, d, a, w[2], 23u, 0xc4ac5665);
    STEP(I, a, b, c, d, w[0], 6u, 0xf4292244);
    STEP(I, d, a, b, c, w[7], 10u, 0x432aff97);
    STEP(I, c, d, a, b, w[14], 15u, 0xab9423a7);
    STEP(I, b, c, d, a, w[5], 21u, 0xfc93a039);
    STEP(I, a, b, c, d, w[12], 6u, 0x655b59c3);
    STEP(I, d, a, b, c, w[3], 10u, 0x8f0ccc92);
    STEP(I, c, d, a, b, w[10], 15u, 0xffeff47d);
    STEP(I, b, c, d, a, w[1], 21u, 0x85845dd1);
    STEP(I, a, b, c, d, w[8], 6u, 0x6fa87e4f);
    STEP(I, d, a, b, c, w[15], 10u, 0xfe2ce6e0);
    STEP(I, c, d, a, b, w[6], 15u, 0xa3014314);
    STEP(I, b, c, d, a, w[13], 21u, 0x4e0811a1);
    STEP(I, a, b, c, d, w[4], 6u, 0xf7537e82);
    STEP(I, d, a, b, c, w[11], 10u, 0xbd3af235);
    STEP(I, c, d, a, b, w[2], 15u, 0x2ad7d2bb);
    STEP(I, b, c, d, a, w[9], 21u, 0xeb86d391);
    a += 0x67452301;
    b += 0xefcdab89;
    c += 0x98badcfe;
    d += 0x10325476;
    if (a == wanted.x && b == wanted.y && c == wanted.z && d == wanted.w) *found = item;
    first[item] = a;
}
