//! The OpenCL object model and validation: the only place that knows cl_int.
