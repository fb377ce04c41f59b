// goto: forwards, backwards, into the middle of a loop.
kernel void jumps(global int *out)
{
    int i = get_global_id(0), n = 0, s = 0;
    if (i % 3 == 0) goto middle;
top:
    s += 10;
    if (i % 3 == 1 && n > 2) goto end;
middle:
    s += 1;
    if (++n < 4) goto top;
end:
    out[i] = s;
}
// run: jumps global=12 local=4|12|1
//   buf i32 12 = 0 => i % 3 == 0 ? 34 : i % 3 == 1 ? 43 : 44
