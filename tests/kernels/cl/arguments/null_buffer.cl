// An unused buffer argument has no effect.
kernel void unused(global const int *in, global int *ignored, global int *out, float nothing)
{
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
// run: unused global=8 local=2
//   buf i32 8 = i
//   buf i32 1 = 7
//   buf i32 8 = 0 => i + 1
//   val f32 1.5
