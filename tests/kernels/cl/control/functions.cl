// Calls: arguments by value and by pointer, returned structs, deep chains, functions with local and
// private pointers.
typedef struct { int a, b; float3 v; } result;
result make(int x) { result r = {x, x * 2, (float3)(x, x + 1, x + 2)}; return r; }
void change(result *r, int by) { r->a += by; r->v.y *= by; }
__attribute__((noinline)) int deep3(int x) { return x * 3 + 1; }
__attribute__((noinline)) int deep2(int x) { return deep3(x) + deep3(x + 1); }
__attribute__((noinline)) int deep1(int x) { return deep2(x) - deep2(x - 1); }
__attribute__((noinline)) int2 both(int *p, global const int *g) {
    *p += g[0];
    return (int2)(*p, g[1]);
}
kernel void calls(global const int *in, global int *out)
{
    int i = get_global_id(0);
    result r = make(i);
    change(&r, 2);
    int x = deep1(i);
    int2 two = both(&x, in);
    out[i] = r.a + r.b + (int)(r.v.x + r.v.y + r.v.z) + two.x + two.y + x;
}
// run: calls global=16 local=4|null
//   buf i32 2 = 100 * (i + 1)
//   buf i32 16 = 0 => (i + 2) + i * 2 + (i + (i + 1) * 2 + i + 2) + 106 + 200 + 106
