// A complete HAL in C++ for the board of tiny_board.h. Build it as libhal_tiny.so:
//   g++ -std=c++17 -O2 -shared -fPIC -I PREFIX/include/muxcl-hal hal_tiny.cpp -o libhal_tiny.so
// For other hardware replace the board; most of the rest stays the same. docs/howto/add-hal.md
// describes the next steps.
#include <elf.h>

#include <map>
#include <mutex>

#include "hal_riscv.h"
#include "tiny_board.h"

namespace {
constexpr uint64_t kStack = 4u << 20;

struct device final : hal::hal_device_t {
  using hal_device_t::hal_device_t;
  board b;
  std::map<uint64_t, uint64_t> used{{kBase, kStack}};  // start to size; the stack comes first
  // Symbols of each program, by its load address.
  std::map<uint64_t, std::map<std::string, uint64_t>> programs;
  std::mutex mutex;  // calls from several threads take effect one after another
  using lock = std::lock_guard<std::mutex>;

  uint64_t alloc(uint64_t size, uint64_t alignment) {
    uint64_t from = kBase;
    if (!alignment || alignment & (alignment - 1) || size > kSize) return hal::hal_nullptr;
    const auto end = [&](uint64_t s) { return (s + alignment - 1) & ~(alignment - 1); };
    for (const auto &[start, n] : used) {
      if (end(from) + size <= start) break;
      from = start + n;
    }
    if (end(from) + size > kBase + kSize) return hal::hal_nullptr;
    used[end(from)] = size ? size : 1;
    return end(from);
  }

  hal::hal_program_t program_load(const void *data, hal::hal_size_t size) override {
    lock guard(mutex);
    const uint8_t *file = static_cast<const uint8_t *>(data);
    Elf64_Ehdr e;
    const auto in = [&](uint64_t from, uint64_t n) { return from <= size && n <= size - from; };
    if (size < sizeof e || (memcpy(&e, file, sizeof e), memcmp(e.e_ident, ELFMAG, 4)) ||
        e.e_machine != EM_RISCV || e.e_type != ET_DYN)
      return 0;
    std::vector<Elf64_Phdr> parts(e.e_phnum);
    std::vector<Elf64_Shdr> sections(e.e_shnum);
    if (!in(e.e_phoff, parts.size() * sizeof parts[0]) ||
        !in(e.e_shoff, sections.size() * sizeof sections[0]))
      return 0;
    memcpy(parts.data(), file + e.e_phoff, parts.size() * sizeof parts[0]);
    memcpy(sections.data(), file + e.e_shoff, sections.size() * sizeof sections[0]);
    uint64_t high = 0;
    for (const auto &p : parts)
      if (p.p_type == PT_LOAD)
        high = std::max(high,
                        p.p_memsz < kSize && p.p_vaddr < kSize ? p.p_vaddr + p.p_memsz : kSize + 1);
    const uint64_t base = high ? alloc(high, 4096) : 0;
    if (!base) return 0;
    memset(b.at(base, high), 0, high);
    for (const auto &p : parts)
      if (p.p_type == PT_LOAD && (!in(p.p_offset, p.p_filesz) || p.p_filesz > p.p_memsz ||
                                  !b.put(base + p.p_vaddr, file + p.p_offset, p.p_filesz)))
        return used.erase(base), 0;
    for (const auto &s : sections) {  // relocations that depend on the load address
      for (uint64_t k = 0; s.sh_type == SHT_RELA && in(s.sh_offset, s.sh_size) &&
                           k + sizeof(Elf64_Rela) <= s.sh_size;
           k += sizeof(Elf64_Rela)) {
        Elf64_Rela rela;
        memcpy(&rela, file + s.sh_offset + k, sizeof rela);
        const uint64_t value = base + rela.r_addend;
        if (ELF64_R_TYPE(rela.r_info) == 3 && rela.r_offset < high)
          b.put(base + rela.r_offset, &value, 8);
      }
      for (uint64_t k = 0; s.sh_type == SHT_SYMTAB && s.sh_link < sections.size() &&
                           in(s.sh_offset, s.sh_size) && k + sizeof(Elf64_Sym) <= s.sh_size;
           k += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, file + s.sh_offset + k, sizeof symbol);
        const uint64_t name = sections[s.sh_link].sh_offset + symbol.st_name;
        if (name < size && memchr(file + name, 0, size - name))
          programs[base][reinterpret_cast<const char *>(file + name)] = base + symbol.st_value;
      }
    }
    return base;
  }
  hal::hal_kernel_t program_find_kernel(hal::hal_program_t program, const char *name) override {
    lock guard(mutex);
    const auto found = programs[program].find(name);
    return found == programs[program].end() ? uint64_t(hal::hal_invalid_kernel) : found->second;
  }
  bool program_free(hal::hal_program_t program) override {
    lock guard(mutex);
    return programs.erase(program) != 0 && used.erase(program) != 0;
  }

  // kernel(packed arguments, schedule), once for all work-groups.
  bool kernel_exec(hal::hal_program_t, hal::hal_kernel_t kernel, const hal::hal_ndrange_t *range,
                   const hal::hal_arg_t *args, uint32_t num_args, uint32_t work_dim) override {
    lock guard(mutex);
    std::vector<uint8_t> packed;
    for (uint32_t k = 0; k < num_args; k++) {
      const bool value = args[k].kind == hal::hal_arg_value,
                 local = args[k].space == hal::hal_space_local;
      const void *from = value   ? args[k].pod_data
                         : local ? static_cast<const void *>(&args[k].size)
                                 : &args[k].address;
      const uint64_t n = value ? args[k].size : 8;
      uint64_t alignment = 1;
      while (alignment < n) alignment *= 2;
      packed.resize((packed.size() + alignment - 1) & ~(alignment - 1));
      packed.insert(packed.end(), static_cast<const uint8_t *>(from),
                    static_cast<const uint8_t *>(from) + n);
    }
    hal::hal_sched_info_64_t sched = {};
    for (int d = 0; d < 3; d++) {
      sched.num_groups_per_call[d] = sched.num_groups_total[d] =
          (range->global[d] + range->local[d] - 1) / range->local[d];
      sched.global_offset[d] = range->offset[d], sched.local_size[d] = uint32_t(range->local[d]);
    }
    sched.num_dim = work_dim;
    const uint64_t place = alloc(packed.size() + sizeof sched + 128, 128),
                   second = place + ((packed.size() + 63) & ~63ull);
    if (!place) return false;
    uint64_t x[32] = {};
    x[1] = kReturn, x[2] = kBase + kStack, x[10] = place, x[11] = second;
    const bool done = b.put(place, packed.data(), packed.size()) &&
                      b.put(second, &sched, sizeof sched) && b.run(kernel, x);
    return used.erase(place), done;
  }

  hal::hal_addr_t mem_alloc(hal::hal_size_t size, hal::hal_size_t alignment) override {
    return lock(mutex), alloc(size, alignment);
  }
  bool mem_free(hal::hal_addr_t addr) override {
    return lock(mutex), addr != kBase && used.erase(addr) != 0;
  }
  bool mem_read(void *dst, hal::hal_addr_t src, hal::hal_size_t size) override {
    lock guard(mutex);
    return b.at(src, size) && (memcpy(dst, b.at(src, size), size), true);
  }
  bool mem_write(hal::hal_addr_t dst, const void *src, hal::hal_size_t size) override {
    return lock(mutex), b.put(dst, src, size);
  }
};

struct tiny final : hal::hal_t {
  hal::hal_info_t info{"muxcl tiny", 1, api_version};
  riscv::hal_device_info_riscv_t dev{};
  tiny() {
    dev.type = hal::hal_device_type_riscv, dev.word_size = 64, dev.target_name = "Tiny RV64IM";
    dev.global_memory_avail = kSize - kStack, dev.shared_local_memory_size = 32 << 10;
    // programs run at any address, so no linker script
    dev.should_link = true, dev.link_shared = true;
    dev.preferred_vector_width = 64, dev.max_workgroup_size = 64, dev.is_little_endian = true;
    dev.extensions = riscv::rv_extension_M, dev.abi = riscv::rv_abi_LP64;
    dev.update_base_info_from_riscv(dev);
  }
  const hal::hal_info_t &get_info() override { return info; }
  const hal::hal_device_info_t *device_get_info(uint32_t index) override {
    return index == 0 ? &dev : nullptr;
  }
  hal::hal_device_t *device_create(uint32_t index) override {
    return index == 0 ? new device(&dev) : nullptr;
  }
  bool device_delete(hal::hal_device_t *d) override { return delete d, true; }
};
}  // namespace

hal::hal_t *get_hal(uint32_t &api_version) {
  static tiny instance;
  return api_version = hal::hal_t::api_version, &instance;
}

// Properties without a field in hal_device_info_t: variables keep their values while a program is
// loaded, and one hart runs all work-groups.
const char *hal_device_properties(uint32_t index) {
  return index ? nullptr : "machine = riscv\ncompute_units = 1\nprogram_variables = kept\n";
}
