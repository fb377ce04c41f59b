// Pointer arithmetic, casts between element types, and pointers to pointers in private memory.
kernel void pointers(global uint *data, global uint *out)
{
    size_t i = get_global_id(0);
    global uchar *bytes = (global uchar *)(data + i);
    global uint *a = data + i, *b = data + (i + 1) % get_global_size(0);
    global uint **which = i % 2 ? &a : &b;
    out[i] = bytes[0] + bytes[1] * 2 + bytes[2] * 3 + bytes[3] * 4 + **which + (uint)(b - a);
}
// run: pointers global=16 local=4
//   buf u32 16 = i * 0x01010101
//   buf u32 16 = 0 => u32(i * 10 + (i % 2 ? i : (i + 1) % 16) * 0x01010101 + (i == 15 ? -15 : 1))
