// All places where the pattern occurs in the text, in any order.
kernel void k(global const char *text, constant char *pattern, int length, global int *places,
              global int *count)
{
    int at = get_global_id(0);
    for (int i = 0; i < length; ++i)
        if (text[at + i] != pattern[i]) return;
    places[atomic_inc(count)] = at;
}
