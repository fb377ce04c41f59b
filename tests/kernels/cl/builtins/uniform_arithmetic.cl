// cl_khr_work_group_uniform_arithmetic compared with plain loops over the group's input.
// build: -cl-std=CL3.0
// needs: CL3.0 cl_khr_work_group_uniform_arithmetic
#define CHECK(T, op, start, step, value) \
    do { \
        T all = start, before = start, upto = start; \
        for (size_t j = 0; j < n; ++j) { \
            T b = (T)(value(in[first + j])); \
            if (j == l) before = all; \
            all = (T)(step); \
            if (j == l) upto = all; \
        } \
        T x = (T)(value(in[first + l])); \
        right += work_group_reduce_##op(x) == all; \
        right += work_group_scan_exclusive_##op(x) == before; \
        right += work_group_scan_inclusive_##op(x) == upto; \
    } while (0)
#define ITSELF(v) (v)
#define SMALL(v) ((v) % 2 ? 2 : 1)
#define BITS(T) \
    CHECK(T, mul, 1, all *b, ITSELF); \
    CHECK(T, and, ~(T)0, all &b, ITSELF); \
    CHECK(T, or, 0, all | b, ITSELF); \
    CHECK(T, xor, 0, all ^ b, ITSELF)
kernel void whole(global const int *in, global int *out)
{
    size_t l = get_local_id(0), n = get_local_size(0),
           first = get_group_id(0) * get_enqueued_local_size(0);
    int right = 0;
    BITS(int);
    BITS(uint);
    BITS(long);
    BITS(ulong);
    out[get_global_id(0)] = right;
}
kernel void logical(global const int *in, global int *out)
{
    size_t l = get_local_id(0), n = get_local_size(0),
           first = get_group_id(0) * get_enqueued_local_size(0);
    int right = 0;
    CHECK(int, logical_and, 1, all && b, ITSELF);
    CHECK(int, logical_or, 0, all || b, ITSELF);
    CHECK(int, logical_xor, 0, !all != !b, ITSELF);
    CHECK(float, mul, 1.0f, all * b, SMALL);
#ifdef cl_khr_fp64
    CHECK(double, mul, 1.0, all * b, SMALL);
#else
    right += 3;
#endif
    out[get_global_id(0)] = right;
}
// run: whole global=42 local=8|42|1
//   buf i32 48 = (i * 5 + 3) % 7 - 2
//   buf i32 42 = -1 => 48
// run: logical global=42 local=8|42|1
//   buf i32 48 = i % 11 / 4
//   buf i32 42 = -1 => 15
