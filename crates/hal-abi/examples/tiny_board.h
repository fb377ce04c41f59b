// The "hardware" of hal_tiny.cpp: an interpreter of one RV64IM processor with 64 MiB of memory.
// This file is independent of the HAL interface.
#ifndef TINY_BOARD_H
#define TINY_BOARD_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr uint64_t kBase = 0x80000000, kSize = 64u << 20;
// The return address of a called function, and the maximum number of instructions of a call.
constexpr uint64_t kReturn = 0x1000, kLimit = 1ull << 36;

struct board {
  std::vector<uint8_t> memory = std::vector<uint8_t>(kSize);

  // The host's pointer to device memory; null outside it.
  uint8_t *at(uint64_t address, uint64_t size) {
    return address >= kBase && size <= kSize && address - kBase <= kSize - size
               ? &memory[address - kBase]
               : nullptr;
  }
  bool put(uint64_t to, const void *from, uint64_t size) {
    return at(to, size) && (memcpy(at(to, size), from, size), true);
  }

  // Arithmetic of one instruction, in 64 or 32 bits.
  template <typename S, typename U, typename W>
  static bool alu(uint32_t f3, uint32_t f7, U a, U b, U &r) {
    const S s = a, t = b;
    const U shift = b & (8 * sizeof(U) - 1), most = U(1) << (8 * sizeof(U) - 1);
    if (f7 == 1) {
      const bool overflow = a == most && t == -1;
      const U all[8] = {U(a * b),
                        U((W(s) * W(t)) >> (8 * sizeof(U))),
                        U((W(s) * W(b)) >> (8 * sizeof(U))),
                        U((static_cast<unsigned __int128>(a) * b) >> (8 * sizeof(U))),
                        b == 0     ? ~U(0)
                        : overflow ? a
                                   : U(s / (overflow ? 1
                                            : t      ? t
                                                     : 1)),
                        b == 0 ? ~U(0) : U(a / b),
                        b == 0     ? a
                        : overflow ? U(0)
                                   : U(s % t),
                        b == 0 ? a : U(a % b)};
      return r = all[f3], sizeof(U) == 8 || f3 == 0 || f3 >= 4;
    }
    const bool alternate = f7 == 0x20;
    const U all[8] = {alternate ? U(a - b) : U(a + b),           U(a << shift), s < t, a < b, a ^ b,
                      alternate ? U(s >> shift) : U(a >> shift), a | b,         a & b};
    return r = all[f3], f7 == 0 || (alternate && (f3 == 0 || f3 == 5));
  }

  // Runs until the program returns to kReturn; false on an invalid instruction or access.
  bool run(uint64_t pc, uint64_t (&x)[32]) {
    for (uint64_t step = 0; pc != kReturn; step++) {
      const uint8_t *code = at(pc, 4);
      uint32_t i = 0;
      if (code) memcpy(&i, code, 4);
      const int32_t w = int32_t(i);
      const uint32_t f3 = i >> 12 & 7, f7 = i >> 25;
      const uint64_t a = x[i >> 15 & 31], b = x[i >> 20 & 31], imm = int64_t(w >> 20);
      uint64_t next = pc + 4, r = 0;
      uint32_t r32 = 0, rd = i >> 7 & 31;
      bool good = step < kLimit;
      switch (i & 127) {
        case 0x37: r = int64_t(w & ~4095); break;
        case 0x17: r = pc + int64_t(w & ~4095); break;
        case 0x6f:
          r = next, next = pc + int32_t((uint32_t(w >> 31) << 20) | (i & 0xff000) |
                                        (i >> 9 & 0x800) | (i >> 20 & 0x7fe));
          break;
        case 0x67: r = next, next = (a + imm) & ~1ull; break;
        case 0x63: {
          const bool less = f3 & 2 ? a < b : int64_t(a) < int64_t(b);
          if ((f3 & 4 ? less : a == b) != bool(f3 & 1))
            next = pc + int32_t((uint32_t(w >> 31) << 12) | (i << 4 & 0x800) | (i >> 20 & 0x7e0) |
                                (i >> 7 & 0x1e));
          rd = 0;
          break;
        }
        case 0x03: {
          const uint64_t n = 1u << (f3 & 3);
          const uint8_t *from = at(a + imm, n);
          if ((good = good && from && f3 != 7)) memcpy(&r, from, n);
          if (f3 < 3) r = uint64_t(int64_t(r << (64 - 8 * n)) >> (64 - 8 * n));
          break;
        }
        case 0x23:
          good = f3 < 4 && put(a + int64_t((w >> 25 << 5) | int32_t(rd)), &b, 1u << f3), rd = 0;
          break;
        case 0x13:
          good = alu<int64_t, uint64_t, __int128>(f3, f3 == 1 || f3 == 5 ? f7 & ~1u : 0, a, imm, r);
          break;
        case 0x33: good = alu<int64_t, uint64_t, __int128>(f3, f7, a, b, r); break;
        case 0x1b:
          good = alu<int32_t, uint32_t, int64_t>(f3, f3 == 5 ? f7 : 0, uint32_t(a), uint32_t(imm),
                                                 r32),
          r = int64_t(int32_t(r32));
          break;
        case 0x3b:
          good = alu<int32_t, uint32_t, int64_t>(f3, f7, uint32_t(a), uint32_t(b), r32),
          r = int64_t(int32_t(r32));
          break;
        case 0x0f: rd = 0; break;
        default: good = false;
      }
      if (!good)
        return fprintf(stderr, "tiny board: stopped at %#llx, instruction %08x\n",
                       static_cast<unsigned long long>(pc), i),
               false;
      if (rd) x[rd] = r;
      pc = next;
    }
    return true;
  }
};

#endif
