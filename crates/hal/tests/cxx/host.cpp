// A HAL in C++ with the muxcl headers. Its "device memory" is host memory, and its one kernel adds
// two buffers. Macros make it return invalid values.
#include <cstdlib>
#include <stdexcept>

#include "hal_riscv.h"

#ifndef VERSION
#define VERSION hal::hal_t::api_version
#endif
#ifndef WORDS
#define WORDS 64
#endif
#ifndef DEVICES
#define DEVICES 1
#endif

namespace {
hal::hal_counter_description_t counters[] = {
    {7,
     "calls",
     "kernels executed",
     "core",
     1,
     hal::hal_counter_unit_generic,
     {hal::hal_counter_verbose_none, hal::hal_counter_verbose_low}}};

struct device final : hal::hal_device_t {
  using hal_device_t::hal_device_t;
  uint64_t calls = 0;
  bool unread = false;

  hal::hal_kernel_t program_find_kernel(hal::hal_program_t program, const char* name) override {
    return program == 5 && !strcmp(name, "add") ? 6 : hal::hal_invalid_kernel;
  }
  hal::hal_program_t program_load(const void* data, hal::hal_size_t size) override {
    return size > 3 && !memcmp(data,
                               "\x7f"
                               "ELF",
                               4)
               ? 5
               : hal::hal_invalid_program;
  }
  bool kernel_exec(hal::hal_program_t program, hal::hal_kernel_t kernel,
                   const hal::hal_ndrange_t* range, const hal::hal_arg_t* args, uint32_t num_args,
                   uint32_t work_dim) override {
#ifdef THROWS
    if (std::uncaught_exceptions() != 0) throw std::runtime_error("the last one is still uncaught");
    throw std::runtime_error("no such register");
#endif
    if (program != 5 || kernel != 6 || num_args != 4 || work_dim != 1) return false;
    if (args[0].kind != hal::hal_arg_address || args[0].space != hal::hal_space_global ||
        args[3].kind != hal::hal_arg_value)
      return false;
    auto a = reinterpret_cast<uint32_t*>(args[0].address),
         b = reinterpret_cast<uint32_t*>(args[1].address);
    auto c = reinterpret_cast<uint32_t*>(args[2].address);
    uint32_t bias;
    memcpy(&bias, args[3].pod_data, sizeof bias);
    for (uint64_t i = range->offset[0]; i < range->offset[0] + range->global[0]; i++)
      c[i] = a[i] + b[i] + bias;
    calls++, unread = true;
    return true;
  }
  bool program_free(hal::hal_program_t program) override {
#ifdef THROWS
    throw 5;
#endif
    return program == 5;
  }
  hal::hal_addr_t mem_alloc(hal::hal_size_t size, hal::hal_size_t alignment) override {
    if (size > 1u << 30) return hal::hal_nullptr;
#ifdef THROWS
    if (alignment > 4096) {
      static char memory[1 << 12];
      return reinterpret_cast<hal::hal_addr_t>(memory) | 8;
    }
#endif
    return reinterpret_cast<hal::hal_addr_t>(
        aligned_alloc(alignment < 8 ? 8 : alignment, (size + 4095) / 4096 * 4096));
  }
  bool mem_free(hal::hal_addr_t addr) override {
    if (addr % 16) return false;
    return free(reinterpret_cast<void*>(addr)), true;
  }
  bool mem_read(void* dst, hal::hal_addr_t src, hal::hal_size_t size) override {
    return memcpy(dst, reinterpret_cast<void*>(src), size), true;
  }
  bool mem_write(hal::hal_addr_t dst, const void* src, hal::hal_size_t size) override {
    return memcpy(reinterpret_cast<void*>(dst), src, size), true;
  }
  bool counter_read(uint32_t id, uint64_t& out, uint32_t index) override {
    if (id != 7 || index != 0 || !unread) return false;
    return out = calls, unread = false, true;
  }
};

struct our_hal final : hal::hal_t {
  hal::hal_info_t info{"host memory", DEVICES, hal::hal_t::api_version};
  riscv::hal_device_info_riscv_t dev{};
  our_hal() {
    dev.type = hal::hal_device_type_riscv, dev.word_size = WORDS, dev.target_name = "C++ RV64";
    dev.global_memory_avail = 1u << 30, dev.shared_local_memory_size = 4096, dev.should_link = true;
    dev.linker_script = "a script that is longer than fifteen characters";
    dev.preferred_vector_width = 128, dev.max_workgroup_size = 16, dev.is_little_endian = true;
    dev.num_counters = 1, dev.counter_descriptions = counters;
    dev.extensions = riscv::rv_extension_G | riscv::rv_extension_C, dev.abi = riscv::rv_abi_LP64D;
    dev.update_base_info_from_riscv(dev);
#ifdef SHARED
    dev.link_shared = true;
#endif
  }
  const hal::hal_info_t& get_info() override { return info; }
  const hal::hal_device_info_t* device_get_info(uint32_t index) override {
    return index < 1 ? &dev : nullptr;
  }
  hal::hal_device_t* device_create(uint32_t index) override {
    return index < 1 ? new device(&dev) : nullptr;
  }
  bool device_delete(hal::hal_device_t* d) override { return delete d, true; }
};
}  // namespace

#ifdef PROPERTIES
extern "C" HAL_API const char* hal_device_properties(uint32_t) { return PROPERTIES; }
#endif

#ifndef NO_ENTRY
extern "C" HAL_API hal::hal_t* get_hal(uint32_t& api_version) {
  api_version = VERSION;
#ifdef NO_HAL
  return nullptr;
#else
  static our_hal instance;
  return &instance;
#endif
}
#endif
