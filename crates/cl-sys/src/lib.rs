//! OpenCL's C types, constants and the one table of entry points, generated from the Khronos headers.
