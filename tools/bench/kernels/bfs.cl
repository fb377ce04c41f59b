// One level of a breadth-first search: each node that was reached in the level before sets its
// neighbours' levels. The host repeats it until nothing changes.
kernel void k(global const int *starts, global const int *neighbours, global int *levels,
              global int *changed, int level)
{
    int node = get_global_id(0);
    if (levels[node] != level) return;
    for (int i = starts[node]; i < starts[node + 1]; ++i) {
        int next = neighbours[i];
        if (levels[next] < 0) {
            levels[next] = level + 1;
            *changed = 1;
        }
    }
}
