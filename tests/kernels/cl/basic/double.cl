// needs: cl_khr_fp64
kernel void axpy(double a, global const double *x, global double *y)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
// run: axpy global=256 local=64|null|1
//   val f64 2.5
//   buf f64 256 = i * 0.25
//   buf f64 256 = i => 2.5 * a1[i] + a2[i]
