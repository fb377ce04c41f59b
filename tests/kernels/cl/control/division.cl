// Integer division by zero, and a quotient that overflows, must not end the process. Defined
// divisions stay exact.
kernel void divide(global int *a, global int *b, global int *out, global uint4 *v)
{
    size_t i = get_global_id(0);
    int q = a[i] / b[i] + a[i] % b[i];
    uint4 w = v[i] / (v[i] - v[i]);
    v[i] = w - w;
    int least = (-2147483647 - 1) / (b[i] - b[i] - 1);
    out[i] = b[i] == 0 ? least - least : q;
}
// run: divide global=16 local=8
//   buf i32 16 = 100 + i
//   buf i32 16 = i%4 * 3
//   buf i32 16 = 0 => [0, (100+i)/3, (100+i)/6, (100+i)/9][i%4] + [0, (100+i)%3, (100+i)%6, (100+i)%9][i%4]
//   buf u32 64 = i => 0
