// Several kernels in one program; one calls another, and one is unused.
void helper(global int *out, int value);
kernel void set(global int *out, int value) { out[get_global_id(0)] = value; }
kernel void set_twice(global int *out, int value)
{
    set(out, value);
    helper(out, value);
}
void helper(global int *out, int value) { out[get_global_id(0)] += value; }
kernel void unused(global float *out) { out[get_global_id(0)] = 1.0f / out[0]; }
// run: set global=16 local=4
//   buf i32 16 = 0 => 9
//   val i32 9
// run: set_twice global=16 local=4|null
//   buf i32 16 = 0 => 18
//   val i32 9
