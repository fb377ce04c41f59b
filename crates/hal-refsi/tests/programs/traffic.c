// Vector accesses of a known number of bytes.
struct moves { char *data; };

void empty(const struct moves *p) {
    __asm__ volatile("" :: "r"(*(char *const volatile *)&p->data));
}

void moves(const struct moves *p) {
    char *data = *(char *const volatile *)&p->data;
    char *to = data + 8192;
    __asm__ volatile(
        // Whole registers: 2 * VLEN / 8 bytes each way.
        "vsetvli t0, zero, e8, m2, ta, ma\n"
        "vle8.v v8, (%0)\n"
        "vse8.v v8, (%1)\n"
        // A short `vl`: 16 bytes each way, at any VLEN.
        "li t1, 4\n"
        "vsetvli t0, t1, e32, m2, ta, ma\n"
        "vle32.v v8, (%0)\n"
        "vse32.v v8, (%1)\n"
        // Strided, three elements of 4 bytes each way.
        "vsetivli t0, 3, e32, m1, ta, ma\n"
        "li t1, 12\n"
        "vlse32.v v8, (%0), t1\n"
        "vsse32.v v8, (%1), t1\n"
        // Indexed, two elements of 8 bytes, read.
        "vsetivli t0, 2, e64, m1, ta, ma\n"
        "vmv.v.i v9, 8\n"
        "vluxei64.v v8, (%0), v9\n"
        // Segments, three of two halves, read.
        "vsetivli t0, 3, e16, m1, ta, ma\n"
        "vlseg2e16.v v10, (%0)\n"
        // With a mask: bytes 0, 2, 4, 6, 8 of ten are read.
        "vsetivli t0, 10, e8, m1, ta, ma\n"
        "vid.v v12\n"
        "vand.vi v12, v12, 1\n"
        "vmseq.vi v0, v12, 0\n"
        "vle8.v v8, (%0), v0.t\n"
        // With a mask: bytes 0, 2, 4 of six are written.
        "vsetivli t0, 6, e8, m1, ta, ma\n"
        "vse8.v v8, (%1), v0.t\n"
        // An atomic addition: 8 bytes each way.
        "amoadd.d zero, zero, (%1)\n"
        // A failing conditional store writes nothing; its load was without reservation.
        "li t1, 1\n"
        "sc.d t1, t1, (%1)\n"
        // A scalar load of 8 bytes.
        "ld t1, 0(%0)\n"
        :: "r"(data), "r"(to)
        : "t0", "t1", "v0", "v8", "v9", "v10", "v11", "v12", "memory");
}
