// Attributes that fix or hint the local size.
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(global int *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2);
}
kernel __attribute__((work_group_size_hint(4, 1, 1))) __attribute__((vec_type_hint(float4))) void
hinted(global int *out) {
    out[get_global_id(0)] = get_local_id(0);
}
// run: required global=16x4 local=8x2|null
//   buf i32 64 = 0 => 821
// run: hinted global=16 local=4|8
//   buf i32 16 = -1 => i % lx
