"""Runs a kernel with pyopencl on the only device of muxcl."""

import numpy
import pyopencl

(platform,) = [p for p in pyopencl.get_platforms() if p.name == "muxcl"]
(device,) = platform.get_devices()
context = pyopencl.Context([device])
queue = pyopencl.CommandQueue(context)
source = "kernel void square(global float *x) { size_t i = get_global_id(0); x[i] *= x[i]; }"
program = pyopencl.Program(context, source).build()
values = numpy.arange(10000, dtype=numpy.float32)
flags = pyopencl.mem_flags
buffer = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=values)
program.square(queue, values.shape, None, buffer)
result = numpy.empty_like(values)
pyopencl.enqueue_copy(queue, result, buffer)
assert (result == values * values).all()
print(f"{device.name}: {result[:4]}")
