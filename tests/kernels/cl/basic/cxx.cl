// C++ for OpenCL: templates, constructors of objects in every address space, static objects.
// build: -cl-std=CLC++2021
// needs: CL3.0 cl_ext_cxx_for_opencl __opencl_c_program_scope_global_variables
struct Counter {
    int value;
    Counter(int start);
    ~Counter() { value = -1; }
    int next() __global { return ++value; }
};
Counter::Counter(int start) : value(start) {}
namespace shared {
__global Counter first(40);
}
__global int second = shared::first.value * 2;
template<int N> struct Table {
    int at[N];
    Table() { for (int i = 0; i < N; ++i) at[i] = i * second; }
};
__global Table<4> table;
struct Pair {
    int a, b;
    constexpr Pair(int a, int b) __constant : a(a), b(b) {}
};
__constant Pair pair(3, 4);
template<typename T> T twice(T v) { return v + v; }
template<typename F, typename T> T apply(F f, T v) { return f(v); }

kernel void read(global int *out)
{
    uint i = get_global_id(0);
    int captured = pair.a * pair.b;
    auto f = [=](int v) { return v + captured; };
    Counter own((int)i);
    out[i] = apply(f, twice(own.value)) + table.at[i & 3] + second;
}
kernel void count(global int *out)
{
    static __global Counter local_static(100);
    // The objects keep their values from launch to launch.
    out[0] = shared::first.next() > 40;
    out[1] = local_static.next() > 100;
    out[2] = twice(2.5f) == 5.0f;
}
// run: read global=64 local=16|64
//   buf i32 64 = -1 => 2 * i + 12 + (i & 3) * 80 + 80
// run: count global=1 local=1
//   buf i32 3 = 0 => 1
