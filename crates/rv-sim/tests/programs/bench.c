// Scalar loops for the simulator's speed: each is called as a function with a pointer to memory and
// a size.
typedef unsigned long size_t;
typedef unsigned int u32;
typedef unsigned char u8;

size_t crc(u8 *data, size_t n) {
    u32 c = ~0u;
    for (size_t i = 0; i < n; i++) {
        c ^= data[i];
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1));
    }
    return ~c;
}

size_t sieve(u8 *flags, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) flags[i] = 1;
    for (size_t i = 2; i < n; i++)
        if (flags[i]) {
            count++;
            for (size_t k = i + i; k < n; k += i) flags[k] = 0;
        }
    return count;
}

size_t matmul(long *m, size_t n) {
    long *a = m, *b = m + n * n, *c = b + n * n;
    for (size_t i = 0; i < n * n; i++) { a[i] = (long)(i * 7 % 31); b[i] = (long)(i * 5 % 17); }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            long s = 0;
            for (size_t k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
    size_t sum = 0;
    for (size_t i = 0; i < n * n; i++) sum = sum * 31 + (size_t)c[i];
    return sum;
}

size_t sort(int *v, size_t n) {
    u32 seed = 1;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = (int)(seed >> 8);
    }
    for (size_t gap = n / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < n; i++) {
            int t = v[i];
            size_t k = i;
            for (; k >= gap && v[k - gap] > t; k -= gap) v[k] = v[k - gap];
            v[k] = t;
        }
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) sum = sum * 31 + (size_t)v[i];
    return sum;
}

size_t xorshift(u8 *unused, size_t n) {
    (void)unused;
    size_t x = 88172645463325252ul, s = 0;
    for (size_t i = 0; i < n; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; s += x; }
    return s;
}

size_t fib(u8 *unused, size_t n) {
    return n < 2 ? n : fib(unused, n - 1) + fib(unused, n - 2);
}

size_t saxpy(float *v, size_t n) {
    float *x = v, *y = v + n; // no overlap
    for (size_t i = 0; i < n; i++) { x[i] = (float)i * 0.37f; y[i] = 1.0f / (float)(i + 1); }
    for (int r = 0; r < 32; r++)
        for (size_t i = 0; i < n; i++) y[i] = 0.99f * x[i] + y[i];
    float s = 0;
    for (size_t i = 0; i < n; i++) s += y[i];
    return (size_t)s;
}

size_t bytes(u8 *v, size_t n) {
    for (size_t i = 0; i < n; i++) v[i] = (u8)(i * 37 + (i >> 3));
    size_t sum = 0;
    signed char low = 127;
    unsigned short high = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (size_t)v[i] * v[n - 1 - i];
        low = (signed char)v[i] < low ? (signed char)v[i] : low;
        high = v[i] > high ? v[i] : high;
    }
    for (size_t i = 0; i < n; i += 3) v[i] ^= v[i + 1];
    for (size_t i = 0; i < n; i++) sum = sum * 3 + (v[i] & 0x55 ? v[i] : 7);
    return sum + (size_t)(low + 200) * high;
}

size_t doubles(double *v, size_t n) {
    for (size_t i = 0; i < n; i++) v[i] = (double)(i % 13) / (double)(1 + i % 7) - 0.5;
    for (size_t i = 0; i < n; i++)
        v[i] = v[i] > 0.25 ? v[i] * v[i] - 1.5 : __builtin_sqrt(-v[i] + 3.0);
    float f = 0;
    long k = 0;
    for (size_t i = 0; i < n; i++) {
        k += (long)(v[i] * 1000.0);
        f = (float)v[i] > f ? (float)v[i] : f;
    }
    return (size_t)(k + (long)(f * 100.0f) + 1000000);
}
