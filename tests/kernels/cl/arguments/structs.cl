// Structs by value, with padding, nested, with arrays, and behind pointers.
struct inner { char tag; int value; };
struct outer { short head; struct inner inner; float values[3]; char tail; };
struct wide { double4 unused; };
kernel void by_value(global float *out, struct outer s, int factor)
{
    size_t i = get_global_id(0);
    out[i] = factor * (s.head + s.inner.tag + s.inner.value + s.values[i % 3] + s.tail);
}
kernel void by_pointer(global struct inner *items, int add)
{
    size_t i = get_global_id(0);
    struct inner item = items[i];
    item.value += add + item.tag;
    items[i] = item;
}
// needs: cl_khr_fp64
// run: by_value global=6 local=3|2
//   buf f32 6 = 0 => 2 * (100 + 3 + 1000 + [0.5, 1.5, 2.5][i%3] + 7)
//   rec i16 100, i32 0x03 , i32 1000, f32 0.5, f32 1.5, f32 2.5, i8 7
//   val i32 2
// run: by_pointer global=8 local=4
//   buf i32 16 = i % 2 == 0 ? 5 : i => i % 2 == 0 ? 5 : i + 5 + 40
//   val i32 40
