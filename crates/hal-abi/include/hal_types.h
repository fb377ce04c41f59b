// Types of the HAL interface, version 6: the data that a driver and a HAL library exchange. Part of
// muxcl. The interface fixes the layout, and tests check it. Every address, size and handle has 64
// bits, whatever the device's word size.
#ifndef HAL_TYPES_H_INCLUDED
#define HAL_TYPES_H_INCLUDED

#include <cstdint>
#include <string>

namespace hal {

// An address in the device's memory; 0 means none.
typedef uint64_t hal_addr_t;
// A number of bytes on the device.
typedef uint64_t hal_size_t;
// A word of the device.
typedef uint64_t hal_word_t;
// A loaded program; 0 means none.
typedef uint64_t hal_program_t;
// A kernel of a program; 0 means none.
typedef uint64_t hal_kernel_t;

enum {
  hal_nullptr = 0,
  hal_invalid_program = 0,
  hal_invalid_kernel = 0,
};

// How an argument is passed: as an address in device memory, or by value.
enum hal_arg_kind_t {
  hal_arg_address,
  hal_arg_value,
};

// The memory of an address argument. A local argument has a size and no address: the HAL allocates
// the memory for the kernel.
enum hal_addr_space_t {
  hal_space_local,
  hal_space_global,
};

// The lowest level of detail that shows a counter; "none" never shows it.
enum hal_counter_verbosity_t {
  hal_counter_verbose_low,
  hal_counter_verbose_mid,
  hal_counter_verbose_high,
  hal_counter_verbose_none,
};

// Unit of a counter.
enum hal_counter_unit_t {
  hal_counter_unit_generic,
  hal_counter_unit_percentage,
  hal_counter_unit_nanoseconds,
  hal_counter_unit_bytes,
  hal_counter_unit_bytes_per_second,
  hal_counter_unit_kelvin,
  hal_counter_unit_watts,
  hal_counter_unit_volts,
  hal_counter_unit_amps,
  hal_counter_unit_hertz,
  hal_counter_unit_cycles
};

struct hal_counter_log_config_t {
  // Level for each contained value.
  hal_counter_verbosity_t min_verbosity_per_value;
  // Level for their total.
  hal_counter_verbosity_t min_verbosity_total;
};

struct hal_counter_description_t {
  // Unique on the device.
  uint32_t counter_id;
  // Short name.
  const char *name;
  // Long name.
  const char *description;
  // Name of the unit of hardware that each contained value belongs to, such as a core.
  const char *sub_value_name;
  // Number of contained values, at least 1.
  uint32_t contained_values;
  hal_counter_unit_t unit;
  hal_counter_log_config_t log_cfg;
};

// One argument of a kernel.
struct hal_arg_t {
  hal_arg_kind_t kind;
  hal_addr_space_t space;
  hal_size_t size;
  union {
    // An address in device memory.
    hal_addr_t address;
    // `size` bytes in the caller's memory.
    const void *pod_data;
  };
};

// The work-items to run.
struct hal_ndrange_t {
  hal_size_t offset[3];
  hal_size_t global[3];
  hal_size_t local[3];
};

// The functions that hal_run_calls can call.
enum hal_call_kind_t {
  // mem_read(host, from, size)
  hal_call_read,
  // mem_write(to, host, size)
  hal_call_write,
  // mem_copy(to, from, size)
  hal_call_copy,
  // mem_fill(to, host, pattern_size, size)
  hal_call_fill,
  // kernel_exec(program, kernel, nd_range, args, num_args, work_dim)
  hal_call_exec,
};

// One call for hal_run_calls. Fields that its kind does not name are 0.
struct hal_call_t {
  hal_call_kind_t kind;
  uint32_t work_dim;
  hal_addr_t to;
  hal_addr_t from;
  hal_size_t size;
  void *host;
  hal_size_t pattern_size;
  hal_program_t program;
  hal_kernel_t kernel;
  const hal_ndrange_t *nd_range;
  const hal_arg_t *args;
  uint32_t num_args;
};

// Receives the data of hal_run_calls and whether a call has succeeded.
using hal_call_ended_t = void (*)(void *data, bool done);

// The type of a device's description.
enum hal_device_type_t {
  // hal_device_info_riscv_t of hal_riscv.h
  hal_device_type_riscv,
};

// Description of a device. The HAL owns it for as long as the library is loaded.
struct hal_device_info_t {
  hal_device_type_t type;
  // Width of an address in bits: 32 or 64.
  uint32_t word_size;
  const char *target_name;
  // Size of global memory in bytes.
  uint64_t global_memory_avail;
  // Size of the local memory of a work-group in bytes.
  uint64_t shared_local_memory_size;
  // True if programs are linked, with the script below.
  bool should_link;
  // The text of the linker script, not a file name.
  std::string linker_script;
  bool should_vectorize;
  // Preferred vector width in bits.
  uint32_t preferred_vector_width;
  bool supports_fp16;
  bool supports_doubles;
  uint32_t max_workgroup_size;
  bool is_little_endian;
  uint32_t num_counters = 0;
  // The descriptions of the counters; null without counters.
  hal_counter_description_t *counter_descriptions = nullptr;
  // True if programs are linked as position-independent ones, which run at any address.
  bool link_shared = false;
};

// Description of a HAL.
struct hal_info_t {
  const char *platform_name;
  uint32_t num_devices;
  // hal_t::api_version of the headers that the HAL was built with.
  uint32_t api_version;
};

// Scheduling argument of a kernel on a 32-bit device.
struct hal_sched_info_32_t {
  uint32_t group_id_start[3];
  uint32_t num_groups_total[3];
  uint32_t global_offset[3];
  uint32_t local_size[3];
  uint32_t num_dim;
  uint32_t num_groups_per_call[3];
  uint32_t hal_extra;
};

// Scheduling argument of a kernel on a 64-bit device.
struct hal_sched_info_64_t {
  uint64_t group_id_start[3];
  uint64_t num_groups_total[3];
  uint64_t global_offset[3];
  uint32_t local_size[3];
  uint32_t num_dim;
  uint64_t num_groups_per_call[3];
  uint64_t hal_extra;
};

}  // namespace hal

#endif
