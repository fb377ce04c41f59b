// Every work-item prints its ids.
#include "device_hello.h"

__kernel void hello(exec_state_t *item) {
  print(item, "Hello from clik! tid=%u, lid=%u, gid=%u\n", get_global_id(0, item),
        get_local_id(0, item), get_group_id(0, item));
}
