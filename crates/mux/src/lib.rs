//! The Mux runtime contract: devices, memory, command buffers, queues, semaphores, fences, executables, kernels, queries.
