// Description of a RISC-V device for the HAL interface. Part of muxcl.
#ifndef RISCV_HAL_RISCV_H_INCLUDED
#define RISCV_HAL_RISCV_H_INCLUDED

#include "hal.h"
#include "hal_types.h"

namespace riscv {

// Bits of hal_device_info_riscv_t::extensions.
enum riscv_extension_t : uint64_t {
  rv_extension_M = 1 << 0,
  rv_extension_A = 1 << 1,
  rv_extension_F = 1 << 2,
  rv_extension_D = 1 << 3,
  rv_extension_G = rv_extension_M | rv_extension_A | rv_extension_F | rv_extension_D,
  rv_extension_Q = 1 << 5,
  rv_extension_L = 1 << 6,
  rv_extension_C = 1 << 7,
  rv_extension_B = 1 << 8,
  rv_extension_J = 1 << 9,
  rv_extension_T = 1 << 10,
  rv_extension_P = 1 << 11,
  rv_extension_V = 1 << 12,
  rv_extension_N = 1 << 13,
  rv_extension_H = 1 << 14,
  rv_extension_E = 1 << 15,
  rv_extension_Zba = 1 << 16,
  rv_extension_Zbb = 1 << 17,
  rv_extension_Zbc = 1 << 18,
  rv_extension_Zbs = 1 << 19,
  rv_extension_Zfh = 1 << 20,
  rv_extension_Zbkb = 1 << 21,
  rv_extension_Zbkc = 1 << 22,
  rv_extension_Zbkx = 1 << 23,
  rv_extension_Zknd = 1 << 24,
  rv_extension_Zkne = 1 << 25,
  rv_extension_Zknh = 1 << 26,
  rv_extension_Zksed = 1 << 27,
  rv_extension_Zksh = 1 << 28,
  rv_extension_Zkr = 1 << 29,
  rv_extension_Zkt = 1 << 30,
  // Half precision in vectors. Only muxcl knows this bit.
  rv_extension_Zvfh = 1ull << 31,
  rv_extension_Zkn = rv_extension_Zbkb | rv_extension_Zbkc | rv_extension_Zbkx | rv_extension_Zkne |
                     rv_extension_Zknd | rv_extension_Zknh,
  rv_extension_Zks = rv_extension_Zbkb | rv_extension_Zbkc | rv_extension_Zbkx |
                     rv_extension_Zksed | rv_extension_Zksh,
  rv_extension_Zk = rv_extension_Zkn | rv_extension_Zkr | rv_extension_Zkt,
};

// The calling convention of programs.
enum riscv_abi_t {
  rv_abi_ILP32,
  rv_abi_ILP32F,
  rv_abi_ILP32D,
  rv_abi_ILP32E,
  rv_abi_LP64,
  rv_abi_LP64F,
  rv_abi_LP64D,
  rv_abi_LP64Q
};

struct hal_device_info_riscv_t : public hal::hal_device_info_t {
  // A set of riscv_extension_t.
  uint64_t extensions;
  // A riscv_abi_t.
  uint32_t abi;

  // Sets the fields of the general description that depend on the extensions.
  void update_base_info_from_riscv(::hal::hal_device_info_t &info) {
    info.should_vectorize = (extensions & rv_extension_V) != 0;
    info.supports_doubles = (extensions & rv_extension_D) != 0;
    info.supports_fp16 = (extensions & rv_extension_Zfh) != 0;
  }

  // Length of a vector register in bits; 0 if unknown or without vectors.
  uint32_t vlen = 0;
};

}  // namespace riscv

#endif
