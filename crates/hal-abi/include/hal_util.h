// Utilities for authors and users of HAL libraries in C++17, in one header without a library. Part
// of muxcl; no HAL has to use them.
//
//   region_allocator     allocates ranges of device memory, without access to that memory
//   elf_image            a RISC-V program: segments, relocations, symbols; checks every access
//   pack_arguments       the packed argument block of a kernel
//   schedule             the scheduling argument of a kernel
//   counter_values       values of a performance counter, each read at most once
//   profiler             a table of counter values as CSV
//   isa                  "RV64GCV_Zba" to word size, extension bits and calling convention
//   library              a HAL library, loaded and checked
#ifndef HAL_UTIL_H_INCLUDED
#define HAL_UTIL_H_INCLUDED

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "hal_riscv.h"

namespace hal::util {

inline bool is_power_of_two(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

// `n` rounded up to a multiple of `alignment`, a power of two; 0 if that does not fit 64 bits.
inline uint64_t round_up(uint64_t n, uint64_t alignment) {
  return (n + alignment - 1) & ~(alignment - 1);
}

// Allocates ranges of the device addresses [base, base + size). Not thread safe.
class region_allocator {
 public:
  // Address 0 means "none" in the HAL interface, so it is never allocated.
  region_allocator(hal_addr_t base, hal_size_t size) {
    if (base == 0 && size != 0) base++, size--;
    if (size > UINT64_MAX - base) size = UINT64_MAX - base;
    if (size != 0) free_[base] = size;
  }

  // Allocates `size` bytes at the lowest free multiple of `alignment`, a power of two. hal_nullptr
  // if no free range fits. A size of 0 takes one byte.
  hal_addr_t alloc(hal_size_t size, hal_size_t alignment) {
    if (!is_power_of_two(alignment)) return hal_nullptr;
    if (size == 0) size = 1;
    for (auto range = free_.begin(); range != free_.end(); ++range) {
      const auto [start, length] = *range;
      const hal_addr_t at = round_up(start, alignment);
      if (at < start || at - start > length || size > length - (at - start)) continue;
      free_.erase(range);
      if (at != start) free_[start] = at - start;
      if (at + size != start + length) free_[at + size] = start + length - (at + size);
      used_[at] = size;
      return at;
    }
    return hal_nullptr;
  }

  // Frees an allocation. False if `address` is not the start of one.
  bool free(hal_addr_t address) {
    const auto found = used_.find(address);
    if (found == used_.end()) return false;
    auto range = free_.emplace(address, found->second).first;
    used_.erase(found);
    const auto next = std::next(range);
    if (next != free_.end() && range->first + range->second == next->first) {
      range->second += next->second;
      free_.erase(next);
    }
    if (range != free_.begin()) {
      const auto before = std::prev(range);
      if (before->first + before->second == range->first) {
        before->second += range->second;
        free_.erase(range);
      }
    }
    return true;
  }

  // Size in bytes of the allocation at `address`; 0 if there is none.
  hal_size_t size_of(hal_addr_t address) const {
    const auto found = used_.find(address);
    return found == used_.end() ? 0 : found->second;
  }

  // True if [address, address + size) lies in one allocation.
  bool contains(hal_addr_t address, hal_size_t size) const {
    auto found = used_.upper_bound(address);
    if (found == used_.begin()) return false;
    --found;
    const hal_size_t offset = address - found->first;
    return offset <= found->second && size <= found->second - offset;
  }

 private:
  std::map<hal_addr_t, hal_size_t> free_, used_;
};

// A RISC-V ELF file of 32 or 64 bits. Keeps a copy of the file.
class elf_image {
 public:
  struct segment {
    uint64_t address;  // as linked; a position-independent program adds its base
    uint64_t memory_size;
    const uint8_t* data;
    uint64_t file_size;
    bool executable, writable;
  };

  // Parses a file. False if it is no RISC-V executable, or refers to bytes outside the file.
  bool read(const void* data, hal_size_t size) {
    *this = elf_image();
    file_.assign(static_cast<const uint8_t*>(data), static_cast<const uint8_t*>(data) + size);
    const bool good = headers() && tables();
    if (!good) *this = elf_image();
    return good;
  }

  uint32_t word_size() const { return wide_ ? 64 : 32; }
  bool position_independent() const { return type_ == 3; }
  const std::vector<segment>& segments() const { return segments_; }
  // First address of the segments, and one past the last, as linked.
  uint64_t low() const { return low_; }
  uint64_t high() const { return high_; }

  // The address of a defined symbol, as linked.
  std::optional<uint64_t> symbol(const std::string& name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? std::nullopt : std::optional(found->second);
  }

  // The content of [base + low(), base + high()): the segments, loaded at `base` and relocated (0
  // for fixed addresses).
  std::vector<uint8_t> memory(uint64_t base) const {
    std::vector<uint8_t> out(high_ - low_);
    for (const segment& s : segments_)
      if (s.file_size) memcpy(&out[s.address - low_], s.data, s.file_size);
    for (const auto& [at, addend] : relative_) {
      const uint64_t value = base + addend;
      memcpy(&out[at - low_], &value, word_size() / 8);
    }
    return out;
  }

 private:
  // Maximum memory of a program in bytes; a larger value means a damaged file.
  static constexpr uint64_t kMost = uint64_t(1) << 32;

  std::vector<uint8_t> file_;
  bool wide_ = false;
  uint16_t type_ = 0;
  uint64_t low_ = 0, high_ = 0;
  std::vector<segment> segments_;
  std::map<std::string, uint64_t> symbols_;
  std::vector<std::pair<uint64_t, uint64_t>> relative_;

  bool inside(uint64_t at, uint64_t size) const {
    return at <= file_.size() && size <= file_.size() - at;
  }

  // A little-endian number of `size` bytes; 0 outside the file.
  uint64_t number(uint64_t at, unsigned size) const {
    uint64_t value = 0;
    if (inside(at, size)) memcpy(&value, &file_[at], size);
    return value;
  }
  uint64_t half(uint64_t at) const { return number(at, 2); }
  uint64_t word(uint64_t at) const { return number(at, 4); }
  uint64_t address(uint64_t at) const { return number(at, wide_ ? 8 : 4); }

  bool headers() {
    if (!inside(0, 52) ||
        memcmp(file_.data(),
               "\x7f"
               "ELF",
               4) ||
        file_[5] != 1)
      return false;
    wide_ = file_[4] == 2;
    type_ = uint16_t(half(16));
    if (half(18) != 243 || (type_ != 2 && type_ != 3) || !inside(0, wide_ ? 64 : 52)) return false;
    const uint64_t at = address(wide_ ? 32 : 28), entry = half(wide_ ? 54 : 42),
                   count = half(wide_ ? 56 : 44);
    if (entry < (wide_ ? 56u : 32u) || !inside(at, entry * count)) return false;
    low_ = UINT64_MAX;
    for (uint64_t k = 0; k < count; k++) {
      const uint64_t p = at + k * entry;
      if (word(p) != 1) continue;
      segment s{};
      const uint64_t flags = word(p + (wide_ ? 4 : 24)), offset = address(p + (wide_ ? 8 : 4));
      s.address = address(p + (wide_ ? 16 : 8));
      s.file_size = address(p + (wide_ ? 32 : 16));
      s.memory_size = address(p + (wide_ ? 40 : 20));
      s.executable = flags & 1, s.writable = flags & 2;
      if (!inside(offset, s.file_size) || s.file_size > s.memory_size ||
          s.memory_size > UINT64_MAX - s.address)
        return false;
      if (s.memory_size == 0) continue;
      s.data = file_.data() + offset;
      low_ = std::min(low_, s.address), high_ = std::max(high_, s.address + s.memory_size);
      segments_.push_back(s);
    }
    return !segments_.empty() && high_ - low_ <= kMost;
  }

  bool tables() {
    const uint64_t at = address(wide_ ? 40 : 32), entry = half(wide_ ? 58 : 46),
                   count = half(wide_ ? 60 : 48);
    if (count == 0) return true;
    if (entry < (wide_ ? 64u : 40u) || !inside(at, entry * count)) return false;
    const auto offset = [&](uint64_t k) { return address(at + k * entry + (wide_ ? 24 : 16)); };
    const auto size = [&](uint64_t k) { return address(at + k * entry + (wide_ ? 32 : 20)); };
    for (uint64_t k = 0; k < count; k++) {
      const uint64_t kind = word(at + k * entry + 4);
      const bool is_symbols = kind == 2 || kind == 11, is_relocations = kind == 4;
      if (!is_symbols && !is_relocations) continue;
      if (!inside(offset(k), size(k))) return false;
      if (is_symbols && !read_symbols(offset(k), size(k), word(at + k * entry + (wide_ ? 40 : 24)),
                                      count, offset, size))
        return false;
      if (is_relocations && !read_relocations(offset(k), size(k))) return false;
    }
    return true;
  }

  template <typename Offset, typename Size>
  bool read_symbols(uint64_t from, uint64_t bytes, uint64_t names, uint64_t sections, Offset offset,
                    Size size) {
    if (names >= sections || !inside(offset(names), size(names))) return false;
    const char* text = reinterpret_cast<const char*>(file_.data()) + offset(names);
    const uint64_t entry = wide_ ? 24 : 16, length = size(names);
    for (uint64_t s = from; s + entry <= from + bytes; s += entry) {
      const uint64_t name = word(s);
      if (half(s + (wide_ ? 6 : 14)) == 0 || name >= length ||
          !memchr(text + name, 0, length - name))
        continue;
      symbols_[text + name] = address(s + (wide_ ? 8 : 4));
    }
    return true;
  }

  // Position-independent programs have relative relocations only.
  bool read_relocations(uint64_t from, uint64_t bytes) {
    const uint64_t entry = wide_ ? 24 : 12, width = wide_ ? 8 : 4;
    for (uint64_t r = from; r + entry <= from + bytes; r += entry) {
      const uint64_t at = address(r), info = address(r + width),
                     kind = wide_ ? info & 0xffffffff : info & 0xff;
      if (kind == 0) continue;
      if (kind != 3 || at < low_ || at > high_ || width > high_ - at) return false;
      relative_.emplace_back(at, address(r + 2 * width));
    }
    return true;
  }
};

// Packs arguments in the layout of kernels: each at the next multiple of its size, rounded up to a
// power of two. A local argument is its size, as a word.
inline std::vector<uint8_t> pack_arguments(const hal_arg_t* args, uint32_t count,
                                           uint32_t word_size) {
  std::vector<uint8_t> packed;
  for (uint32_t k = 0; k < count; k++) {
    const hal_arg_t& arg = args[k];
    const bool value = arg.kind == hal_arg_value;
    const uint64_t number = arg.space == hal_space_local ? arg.size : arg.address;
    const uint64_t size = value ? arg.size : word_size / 8;
    uint64_t alignment = 1;
    while (alignment < size) alignment *= 2;
    const size_t at = round_up(packed.size(), alignment);
    packed.resize(at + size);
    if (size) memcpy(&packed[at], value ? arg.pod_data : &number, size);
  }
  return packed;
}

// The bytes of hal_sched_info_64_t or hal_sched_info_32_t for a call that runs `groups` work-groups
// from group `first` on.
inline std::vector<uint8_t> schedule(const hal_ndrange_t& range, uint32_t work_dim,
                                     uint32_t word_size, const uint64_t (&first)[3],
                                     const uint64_t (&groups)[3], uint64_t extra = 0) {
  std::vector<uint8_t> bytes;
  const auto put = [&](uint64_t value, uint32_t size) {
    const uint8_t* from = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + size);
  };
  const uint32_t word = word_size / 8;
  for (uint64_t n : first) put(n, word);
  for (int d = 0; d < 3; d++) put((range.global[d] + range.local[d] - 1) / range.local[d], word);
  for (uint64_t n : range.offset) put(n, word);
  for (uint64_t n : range.local) put(n, 4);
  put(work_dim, 4);
  for (uint64_t n : groups) put(n, word);
  put(extra, word);
  return bytes;
}

// The values of one counter, as a HAL stores them for counter_read.
class counter_values {
 public:
  explicit counter_values(uint32_t count) : values_(count) {}
  void set(uint32_t index, uint64_t value) {
    if (index < values_.size()) values_[index] = value;
  }
  // Takes the unread value; false if there is none.
  bool take(uint32_t index, uint64_t& out) {
    if (index >= values_.size() || !values_[index]) return false;
    out = *std::exchange(values_[index], std::nullopt);
    return true;
  }

 private:
  std::vector<std::optional<uint64_t>> values_;
};

// Writes a row for each counter value that a call has set. Level 1 shows totals of the most
// important counters, level 3 shows all values.
class profiler {
 public:
  profiler(std::ostream& out, uint32_t level) : out_(out), level_(level) {
    out_ << "event,call,detail,counter,of,value,unit\n";
  }

  // Reads the counters of `device` after a call; `detail` is the kernel's name or other text.
  void record(hal_device_t& device, const std::string& call, const std::string& detail) {
    static const char* const units[] = {"generic", "percent", "nanoseconds", "bytes",
                                        "bytes/s", "kelvin",  "watts",       "volts",
                                        "amps",    "hertz",   "cycles"};
    event_++;
    const hal_device_info_t& info = *device.get_info();
    for (uint32_t c = 0; c < info.num_counters; c++) {
      const hal_counter_description_t& counter = info.counter_descriptions[c];
      const auto row = [&](const std::string& of, uint64_t value) {
        out_ << event_ << ',' << field(call) << ',' << field(detail) << ',' << field(counter.name)
             << ',' << field(of) << ',' << value << ','
             << (size_t(counter.unit) < std::size(units) ? units[counter.unit] : units[0]) << '\n';
      };
      uint64_t total = 0;
      bool any = false;
      for (uint32_t k = 0; k < counter.contained_values; k++) {
        uint64_t value = 0;
        if (!device.counter_read(counter.counter_id, value, k)) continue;
        any = true, total += value;
        if (counter.contained_values > 1 && shown(counter.log_cfg.min_verbosity_per_value))
          row(std::string(counter.sub_value_name ? counter.sub_value_name : "") + " " +
                  std::to_string(k),
              value);
      }
      if (any && shown(counter.log_cfg.min_verbosity_total)) row("total", total);
    }
    out_.flush();
  }

 private:
  std::ostream& out_;
  uint32_t level_;
  uint64_t event_ = 0;

  bool shown(hal_counter_verbosity_t from) const {
    return from < hal_counter_verbose_none && level_ > uint32_t(from);
  }
  static std::string field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
  }
};

// An instruction set, such as "RV64GCV_Zba_Zbb".
struct isa {
  uint32_t word_size = 0;
  uint64_t extensions = 0;

  // Parses the text; empty if it is no instruction set that the HAL interface can describe.
  static std::optional<isa> parse(std::string text) {
    using namespace riscv;
    static const std::map<std::string, uint64_t> names = {{"E", rv_extension_E},
                                                          {"G", rv_extension_G},
                                                          {"M", rv_extension_M},
                                                          {"A", rv_extension_A},
                                                          {"F", rv_extension_F},
                                                          {"D", rv_extension_D},
                                                          {"Q", rv_extension_Q},
                                                          {"L", rv_extension_L},
                                                          {"C", rv_extension_C},
                                                          {"B", rv_extension_B},
                                                          {"J", rv_extension_J},
                                                          {"T", rv_extension_T},
                                                          {"P", rv_extension_P},
                                                          {"V", rv_extension_V},
                                                          {"N", rv_extension_N},
                                                          {"H", rv_extension_H},
                                                          {"ZBA", rv_extension_Zba},
                                                          {"ZBB", rv_extension_Zbb},
                                                          {"ZBC", rv_extension_Zbc},
                                                          {"ZBS", rv_extension_Zbs},
                                                          {"ZFH", rv_extension_Zfh},
                                                          {"ZBKB", rv_extension_Zbkb},
                                                          {"ZBKC", rv_extension_Zbkc},
                                                          {"ZBKX", rv_extension_Zbkx},
                                                          {"ZKND", rv_extension_Zknd},
                                                          {"ZKNE", rv_extension_Zkne},
                                                          {"ZKNH", rv_extension_Zknh},
                                                          {"ZKSED", rv_extension_Zksed},
                                                          {"ZKSH", rv_extension_Zksh},
                                                          {"ZKR", rv_extension_Zkr},
                                                          {"ZKT", rv_extension_Zkt},
                                                          {"ZVFH", rv_extension_Zvfh},
                                                          {"ZKN", rv_extension_Zkn},
                                                          {"ZKS", rv_extension_Zks},
                                                          {"ZK", rv_extension_Zk},
                                                          {"I", 0}};
    for (char& c : text) c = char(toupper(static_cast<unsigned char>(c)));
    isa out;
    if (text.compare(0, 4, "RV32") == 0) out.word_size = 32;
    if (text.compare(0, 4, "RV64") == 0) out.word_size = 64;
    if (out.word_size == 0 || text.size() < 5 || !strchr("IGE", text[4])) return std::nullopt;
    for (size_t at = 4; at < text.size();) {
      if (text[at] == '_' && ++at == text.size()) return std::nullopt;
      size_t length = 1;
      if (text[at] == 'Z')
        while (at + length < text.size() && text[at + length] != '_') length++;
      const auto found = names.find(text.substr(at, length));
      if (found == names.end()) return std::nullopt;
      out.extensions |= found->second, at += length;
    }
    if (out.extensions & rv_extension_Q) out.extensions |= rv_extension_D;
    if (out.extensions & rv_extension_D) out.extensions |= rv_extension_F;
    return out;
  }

  // The calling convention that uses all floating-point registers of the instruction set.
  riscv::riscv_abi_t abi() const {
    using namespace riscv;
    const auto has = [&](uint64_t e) { return (extensions & e) == e; };
    if (word_size == 32)
      return has(rv_extension_E)   ? rv_abi_ILP32E
             : has(rv_extension_D) ? rv_abi_ILP32D
             : has(rv_extension_F) ? rv_abi_ILP32F
                                   : rv_abi_ILP32;
    return has(rv_extension_Q)   ? rv_abi_LP64Q
           : has(rv_extension_D) ? rv_abi_LP64D
           : has(rv_extension_F) ? rv_abi_LP64F
                                 : rv_abi_LP64;
  }
};

// A HAL library, for host programs. It is never unloaded.
class library {
 public:
  // Loads the HAL library at `path`; null on failure, with the reason in `error`.
  static hal_t* load(const std::string& path, std::string& error) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return error = dlerror(), nullptr;
    const auto entry = reinterpret_cast<hal_t* (*)(uint32_t&)>(dlsym(handle, "get_hal"));
    uint32_t version = 0;
    hal_t* hal = entry ? entry(version) : nullptr;
    if (!entry)
      error = path + ": no function get_hal";
    else if (version != hal_t::api_version)
      error = path + ": HAL interface version " + std::to_string(version);
    else if (!hal)
      error = path + ": get_hal gives no HAL";
    if (error.empty()) return hal;
    dlclose(handle);
    return nullptr;
  }
};

}  // namespace hal::util

#endif
