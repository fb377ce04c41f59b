// A user of HAL libraries in C++: loads one, runs `kernel_main` of a clik program, checks the sums.
// Build the program:  clik build --hal NAME vector_add
// Build this file:    g++ -std=c++17 -I PREFIX/include/muxcl-hal hal_host.cpp -o hal_host -ldl
// Usage:              hal_host LIBRARY PROGRAM
#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "hal_riscv.h"

static int failed(const char *what) { return printf("failed: %s\n", what), 1; }

int main(int argc, char **argv) {
  if (argc != 3) return failed("usage: hal_host LIBRARY PROGRAM");
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) return failed(dlerror());
  auto entry = reinterpret_cast<hal::hal_t *(*)(uint32_t &)>(dlsym(library, "get_hal"));
  uint32_t version = 0;
  hal::hal_t *hal = entry ? entry(version) : nullptr;
  if (!hal || version != hal::hal_t::api_version) return failed("get_hal");
  const hal::hal_device_info_t *info = hal->device_get_info(0);
  hal::hal_device_t *device = hal->device_create(0);
  if (!info || !device || device->get_info() != info) return failed("device_create");
  printf("%s: %s, %u bits\n", hal->get_info().platform_name, info->target_name, info->word_size);

  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> elf((std::istreambuf_iterator<char>(file)),
                              std::istreambuf_iterator<char>());
  const hal::hal_program_t program = device->program_load(elf.data(), elf.size());
  if (!program || device->program_find_kernel(program, "no such kernel"))
    return failed("program_load");
  const hal::hal_kernel_t kernel = device->program_find_kernel(program, "kernel_main");
  if (!kernel) return failed("program_find_kernel");

  constexpr uint32_t n = 1000, bytes = 4 * n;
  std::vector<uint32_t> a(n), b(n), c(n);
  for (uint32_t i = 0; i < n; i++) a[i] = i * i, b[i] = ~i;
  // Two vectors, their sum, and the output buffer of clik's kernels.
  const hal::hal_size_t sizes[4] = {bytes, bytes, bytes, 1024};
  hal::hal_arg_t args[4] = {};
  for (int k = 0; k < 4; k++) {
    args[k].kind = hal::hal_arg_address, args[k].space = hal::hal_space_global,
    args[k].size = sizes[k];
    args[k].address = device->mem_alloc(sizes[k], 128);
    if (!args[k].address) return failed("mem_alloc");
  }
  const uint32_t zero = 0;
  if (!device->mem_write(args[0].address, a.data(), bytes) ||
      !device->mem_write(args[1].address, b.data(), bytes))
    return failed("mem_write");
  if (!device->mem_fill(args[2].address, &zero, 4, bytes) ||
      !device->mem_fill(args[3].address, &zero, 4, 1024))
    return failed("mem_fill");
  const hal::hal_ndrange_t range = {{0, 0, 0}, {n, 1, 1}, {10, 1, 1}};
  if (!device->kernel_exec(program, kernel, &range, args, 4, 1)) return failed("kernel_exec");
  if (!device->mem_copy(args[0].address, args[2].address, bytes) ||
      !device->mem_read(c.data(), args[0].address, bytes))
    return failed("mem_copy, mem_read");
  for (uint32_t i = 0; i < n; i++)
    if (c[i] != a[i] + b[i]) return printf("element %u is %u, not %u\n", i, c[i], a[i] + b[i]), 1;
  for (const hal::hal_arg_t &arg : args)
    if (!device->mem_free(arg.address)) return failed("mem_free");
  if (!device->program_free(program) || !hal->device_delete(device))
    return failed("program_free, device_delete");
  puts("verified");
}
