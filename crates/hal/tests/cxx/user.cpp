// A user of HALs in C++, like software written for the headers: loads the library that its argument
// names, and runs a kernel.
#include <dlfcn.h>

#include <cstdio>

#include "hal_riscv.h"

#define CHECK(e) \
  if (!(e)) return printf("line %d: %s\n", __LINE__, #e), 1

int main(int, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library);
  auto entry = reinterpret_cast<hal::hal_t *(*)(uint32_t &)>(dlsym(library, "get_hal"));
  CHECK(entry);
  auto reason = reinterpret_cast<const char *(*)()>(dlsym(library, "hal_last_error"));
  CHECK(reason);
  auto says = [&](const char *text) { return reason() && strstr(reason(), text); };
  uint32_t version = 0;
  hal::hal_t *hal = entry(version);
  CHECK(hal && version == hal::hal_t::api_version && entry(version) == hal);
  CHECK(std::string(hal->get_info().platform_name) == "echo" && hal->get_info().num_devices == 1);
  CHECK(!hal->device_get_info(1) && !hal->device_create(1));
  auto info = static_cast<const riscv::hal_device_info_riscv_t *>(hal->device_get_info(0));
  CHECK(info && info->type == hal::hal_device_type_riscv && info->word_size == 64 &&
        std::string(info->target_name) == "Echo RV64");
  CHECK(info->linker_script.size() > 20 && std::string(info->linker_script).find("SECTIONS") == 0 &&
        info->should_link);
  CHECK((info->extensions & riscv::rv_extension_V) && info->abi == riscv::rv_abi_LP64D &&
        info->vlen == 128);
  CHECK(info->num_counters == 1 && std::string(info->counter_descriptions[0].name) == "words");
  hal::hal_device_t *dev = hal->device_create(0);
  CHECK(dev && dev->get_info() == info);
  dev->counter_set_enabled(true);
  hal::hal_addr_t a = dev->mem_alloc(400, 64), b = dev->mem_alloc(400, 64),
                  c = dev->mem_alloc(400, 64);
  CHECK(a && b && c && a % 64 == 0 && !dev->mem_alloc(1ull << 40, 1));
  uint32_t words[100], five = 5;
  for (uint32_t i = 0; i < 100; i++) words[i] = i * i;
  CHECK(dev->mem_write(a, words, sizeof words) && dev->mem_fill(b, &five, 4, 400) &&
        !dev->mem_write(1, words, 4));
  CHECK(!dev->program_load("", 0));
  hal::hal_program_t program = dev->program_load("some bytes", 10);
  CHECK(program && !dev->program_find_kernel(program, "subtract"));
  hal::hal_kernel_t kernel = dev->program_find_kernel(program, "add");
  hal::hal_arg_t args[5] = {};
  for (int i = 0; i < 3; i++)
    args[i] = {hal::hal_arg_address, hal::hal_space_global, 400, {i == 0 ? a : i == 1 ? b : c}};
  args[3] = {hal::hal_arg_address, hal::hal_space_local, 32, {0}};
  args[4].kind = hal::hal_arg_value, args[4].size = 4, args[4].pod_data = &five;
  hal::hal_ndrange_t range = {{0, 0, 0}, {100, 1, 1}, {10, 1, 1}};
  CHECK(kernel && dev->kernel_exec(program, kernel, &range, args, 5, 1) &&
        !dev->kernel_exec(program, kernel, &range, args, 4, 1));
  // A panic in the library is a failed call here.
  hal::hal_kernel_t panic = dev->program_find_kernel(program, "panic");
  CHECK(!dev->mem_write(1, words, 4) && says("an address"));
  CHECK(!dev->kernel_exec(program, panic, &range, args, 5, 1) && says("panic"));
  // A call that fails before it reaches the device gives its own reason.
  const char *null = "null pointer";
  auto stale = [&] { return !dev->mem_write(1, words, 4) && says("an address"); };
  CHECK(stale() && !dev->kernel_exec(program, kernel, nullptr, args, 5, 1) && says(null));
  CHECK(stale() && !dev->kernel_exec(program, kernel, &range, nullptr, 5, 1) && says(null));
  CHECK(stale() && !dev->mem_read(nullptr, a, 4) && says(null));
  CHECK(stale() && !dev->mem_write(a, nullptr, 4) && says(null));
  CHECK(stale() && !dev->mem_fill(a, nullptr, 4, 4) && says(null));
  CHECK(stale() && !dev->program_load(nullptr, 4) && says(null));
  CHECK(stale() && !dev->program_find_kernel(program, nullptr) && says(null));
  CHECK(stale() && !hal->device_create(1) && says("device"));
  // A success erases the reason.
  CHECK(stale() && dev->mem_write(a, words, 4) && !reason());
  CHECK(stale() && entry(version) == hal && !reason());
  uint32_t result[100];
  CHECK(dev->mem_copy(a, c, 400) && dev->mem_read(result, a, 400));
  for (uint32_t i = 0; i < 100; i++) CHECK(result[i] == i * i + 10);
  uint64_t value = 0;
  CHECK(dev->counter_read(3, value, 1) && value == 50 && !dev->counter_read(3, value, 1) &&
        !dev->counter_read(9, value));
  CHECK(dev->mem_free(a) && !dev->mem_free(a) && dev->program_free(program) &&
        !dev->program_free(1));
  CHECK(hal->device_delete(dev));
  puts("ok");
  return 0;
}
