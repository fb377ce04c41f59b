// The HAL interface, version 6, for HAL libraries and their users in C++. Part of muxcl. The order
// of the virtual functions is the binary interface: nothing may be added, removed or moved. A HAL
// library is named libhal_NAME.so and exports get_hal().
#ifndef HAL_H_INCLUDED
#define HAL_H_INCLUDED

#include <cstring>
#include <vector>

#include "hal_types.h"

namespace hal {

// A device. Calls return when they are complete, and take effect in the order they were made.
struct hal_device_t {
  hal_device_t(hal_device_info_t *info) : device_info(info) {}
  virtual ~hal_device_t() {}

  // The kernel with that name; hal_invalid_kernel if the program has none.
  virtual hal_kernel_t program_find_kernel(hal_program_t program, const char *name) = 0;

  // Loads an ELF file; hal_invalid_program if the device cannot use it. The HAL must not use the
  // bytes after the call.
  virtual hal_program_t program_load(const void *data, hal_size_t size) = 0;

  // Runs a kernel over the range, in work_dim dimensions (1 to 3).
  virtual bool kernel_exec(hal_program_t program, hal_kernel_t kernel,
                           const hal_ndrange_t *nd_range, const hal_arg_t *args, uint32_t num_args,
                           uint32_t work_dim) = 0;

  virtual bool program_free(hal_program_t program) = 0;

  const hal_device_info_t *get_info() const { return device_info; }

  // Allocates memory aligned to a power of two; hal_nullptr if the device is out of memory.
  virtual hal_addr_t mem_alloc(hal_size_t size, hal_size_t alignment) = 0;

  // Copies on the device, between ranges that do not overlap. The default copies through the host.
  virtual bool mem_copy(hal_addr_t dst, hal_addr_t src, hal_size_t size) {
    std::vector<uint8_t> piece(size < (1u << 20) ? size : (1u << 20));
    for (hal_size_t done = 0; done < size;) {
      const hal_size_t n = size - done < piece.size() ? size - done : piece.size();
      if (!mem_read(piece.data(), src + done, n) || !mem_write(dst + done, piece.data(), n))
        return false;
      done += n;
    }
    return true;
  }

  virtual bool mem_free(hal_addr_t addr) = 0;

  // Fills a range with whole repetitions of a pattern; bytes after the last whole repetition keep
  // their values.
  virtual bool mem_fill(hal_addr_t dst, const void *pattern, hal_size_t pattern_size,
                        hal_size_t size) {
    if (!pattern || pattern_size == 0) return false;
    for (hal_size_t at = 0; size - at >= pattern_size; at += pattern_size)
      if (!mem_write(dst + at, pattern, pattern_size)) return false;
    return true;
  }

  // Copies from the device to the host.
  virtual bool mem_read(void *dst, hal_addr_t src, hal_size_t size) = 0;

  // Copies from the host to the device.
  virtual bool mem_write(hal_addr_t dst, const void *src, hal_size_t size) = 0;

  // Takes the unread value of a counter; false if it has none.
  virtual bool counter_read(uint32_t counter_id, uint64_t &out, uint32_t index = 0) {
    (void)counter_id, (void)out, (void)index;
    return false;
  }

  // Switches counters on or off. Counters that are off cost no time.
  virtual void counter_set_enabled(bool enable) { (void)enable; }

 private:
  hal_device_info_t *device_info;
};

// A HAL. The one object lives as long as its library is loaded.
struct hal_t {
  static constexpr uint32_t api_version = 6;

  virtual const hal_info_t &get_info() = 0;
  // The description of device device_index, owned by the HAL; null if it is not available.
  virtual const hal_device_info_t *device_get_info(uint32_t device_index) = 0;
  // Creates a device; null on failure.
  virtual hal_device_t *device_create(uint32_t device_index) = 0;
  // Destroys a device. The caller has freed all its programs.
  virtual bool device_delete(hal_device_t *device) = 0;

 protected:
  ~hal_t() = default;
};

}  // namespace hal

#define HAL_API __attribute__((visibility("default")))

// The library's HAL, and the version of the interface that it was built for; null on failure.
// Repeated calls return the same object.
extern "C" HAL_API hal::hal_t *get_hal(uint32_t &api_version);

// Optional: properties that the structs above have no field for. Text of lines `key = value`, owned
// by the library; null if a device has none. A library may lack this function.
//   machine = riscv | NAME         instruction set of programs
//   compute_units = N              harts or cores that run work-groups at the same time
//   clock_mhz = N                  clock frequency in MHz
//   timer = time                   kernels may read `time`: nanoseconds, the same for all harts
//   shared_addresses = yes         the host may map pages at addresses of device memory
//   program_variables = kept       variables keep their values from launch to launch
//   concurrent_calls = yes         several threads may call the device at the same time
//   calls_in_flight = yes          hal_run_calls accepts calls before earlier ones have ended
//   dma = ADDRESS                  registers of a DMA engine (docs/hal.md)
extern "C" HAL_API const char *hal_device_properties(uint32_t device_index);

// Optional: the reason why the calling thread's last call failed, or null if none is known. The
// driver calls this function right after a failed call and passes the text on to applications. The
// text is valid until the thread's next call.
extern "C" HAL_API const char *hal_last_error();

// Optional, both or none: a profile of the device's kernels, for MUXCL_PROFILE and `clik run
// --profile`. The first function begins to record it, before the first launch, and returns false if
// the device has none. The second one returns what has been recorded since then, as text for people
// in lines of any form, or null. The library owns the text until the thread's next call of this
// function. No kernel of the device runs during these calls.
extern "C" HAL_API bool hal_profile_begin(hal::hal_device_t *device);
extern "C" HAL_API const char *hal_profile_text(hal::hal_device_t *device);

// Optional, for devices that are far away: makes calls whose effects follow each other in their
// order. The device may accept a call before the one before has ended. `ended` is called on this
// thread once for each call, in order, with `data` and whether the call has succeeded; during it,
// `hal_last_error` returns the reason of a failure. A call that fails does not keep the later ones
// from running. The function returns after the last call has ended.
extern "C" HAL_API void hal_run_calls(hal::hal_device_t *device, const hal::hal_call_t *calls,
                                      uint32_t num_calls, hal::hal_call_ended_t ended, void *data);

#endif
