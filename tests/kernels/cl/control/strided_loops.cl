// Loops that step by the size of the NDRange or of the group. All work-items run the same number of
// iterations, except in the last one.
kernel void grid(global int *out, int n)
{
    int sum = 0;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += i * i + 1;
    out[get_global_id(0)] = sum;
}
kernel void at_most(global int *out, int n)
{
    int sum = 0;
    for (int i = get_global_id(0); !(i > n); i += get_global_size(0)) sum += i * i + 1;
    out[get_global_id(0)] = sum;
}
kernel void from_local_id(global int *out, uint n)
{
    int sum = 0;
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) {
        if (i % 3 == 1) continue;
        sum += i;
    }
    out[get_global_id(0)] = sum;
}
// The counter wraps behind numbers below the end, and goes on.
kernel void step_wraps(global int *out, uint n, uint step)
{
    int count = 0;
    for (uint i = get_global_id(0); i < n; i += step) count++;
    out[get_global_id(0)] = count;
}
// The first numbers of the work-items wrap inside a group.
kernel void start_wraps(global int *out, uint first, uint n)
{
    int count = 0;
    for (uint i = first + get_global_id(0); i < n; i += get_global_size(0)) count++;
    out[get_global_id(0)] = count;
}
kernel void negative(global int *out, int n)
{
    int count = 0;
    for (int i = (int)get_global_id(0) - 1000; i < n; i += (int)get_global_size(0)) count++;
    out[get_global_id(0)] = count;
}
kernel void nested(global int *out, int n)
{
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        for (int j = get_local_id(0); j < 20; j += get_local_size(0)) sum += i * j;
    out[get_global_id(0)] = sum;
}
// run: grid global=128 local=64|16|1
//   buf i32 128 = -1 => sum(k, 0, (1000-i+gx-1)/gx, (i+k*gx)*(i+k*gx)+1)
//   val i32 1000
// run: grid global=128 local=64
//   buf i32 128 = -1 => 0
//   val i32 0
// run: at_most global=128 local=64|16|4
//   buf i32 128 = -1 => sum(k, 0, (1001-i+gx-1)/gx, (i+k*gx)*(i+k*gx)+1)
//   val i32 1000
// run: from_local_id global=256 local=128|64|32
//   buf i32 256 = -1 => sum(k, 0, (1000-i%lx+lx-1)/lx, (i%lx+k*lx)*(1-(i%lx+k*lx)%3%2))
//   val u32 1000
// run: step_wraps global=128 local=64|8
//   buf i32 128 = -1 => 9
//   val u32 3892314112
//   val u32 1879048192
// run: start_wraps global=64 local=64|32
//   buf i32 64 = -1 => min(i/16, 1) * ((100-(i-16)+63)/64)
//   val u32 4294967280
//   val u32 100
// run: negative global=128 local=64|16
//   buf i32 128 = -1 => (100-(i-1000)+gx-1)/gx
//   val i32 100
// run: nested global=128 local=16|64|4
//   buf i32 128 = -1 => sum(k, 0, (300-i+gx-1)/gx, sum(m, 0, max((20-i%lx+lx-1)/lx, 0), (i+k*gx)*(i%lx+m*lx)))
//   val i32 300
