// build: -cl-std=CL3.0
// needs: CL3.0 __opencl_c_program_scope_global_variables
// The harness runs a kernel twice; the second run sees the values that the first one left. The sum
// shows that both ran.
global int visits = 0;
kernel void visit(global int *seen)
{
    visits = visits + 1;
    seen[0] = visits == 1 || visits == 2;
}
kernel void reset_and_look(global int *out) { out[0] = visits >= 2; }
// run: visit global=1
//   buf i32 1 = 0 => 1
// run: reset_and_look global=1
//   buf i32 1 = 0 => 1
