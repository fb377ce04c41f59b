// Program-scope variables keep their values from one kernel to the next.
// build: -cl-std=CL3.0
// needs: CL3.0 __opencl_c_program_scope_global_variables
global int counter = 5;
global int table[4] = {1, 2, 3, 4};
int zeroed[2];
static global float scale = 0.5f;
global int *pointer = &table[2];
kernel void step(global int *out)
{
    counter += 1;
    table[1] += 10;
    zeroed[1] = counter;
    out[0] = counter - zeroed[1];
    out[1] = table[0] + table[2] + table[3];
    out[2] = table[1] % 10;
    out[3] = (int)(scale * 8);
    out[4] = zeroed[0];
    out[5] = *pointer;
}
// run: step global=1 local=1
//   buf i32 6 = -1 => [0, 8, 2, 4, 0, 3][i]
