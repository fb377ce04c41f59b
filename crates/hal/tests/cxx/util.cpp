// Tests hal_util.h. Argument: a RISC-V program. Prints failed checks; exit status 0 if all passed.
#include "hal_util.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace hal::util;

static int failures = 0;
#define CHECK(what) ((what) ? void() : (void)(failures++, printf("%d: %s\n", __LINE__, #what)))

static void allocator() {
  region_allocator a(0x1001, 0x1000);
  const auto first = a.alloc(10, 256), second = a.alloc(1, 1);
  CHECK(first == 0x1100 && second == 0x1001);
  CHECK(a.alloc(0x100000, 1) == 0 && a.alloc(1, 3) == 0 && a.alloc(UINT64_MAX, 1) == 0);
  CHECK(a.contains(first, 10) && a.contains(first + 4, 6) && !a.contains(first, 11) &&
        !a.contains(0x1000, 1));
  CHECK(a.free(first) && !a.free(first) && a.free(second) && !a.free(0x5000));
  CHECK(a.alloc(0x1000, 1) == 0x1001 && a.size_of(0x1001) == 0x1000 && a.alloc(1, 1) == 0);
  CHECK(region_allocator(0, 64).alloc(64, 1) == 0 && region_allocator(0, 64).alloc(63, 1) == 1);
}

static void arguments() {
  const uint32_t word = 7;
  const char text[12] = "eleven char";
  hal::hal_arg_t args[4] = {};
  args[0].kind = hal::hal_arg_value, args[0].size = 4, args[0].pod_data = &word;
  args[1].kind = hal::hal_arg_address, args[1].space = hal::hal_space_global,
  args[1].address = 0x40001000;
  args[2].kind = hal::hal_arg_address, args[2].space = hal::hal_space_local, args[2].size = 96;
  args[3].kind = hal::hal_arg_value, args[3].size = 12, args[3].pod_data = text;
  const auto wide = pack_arguments(args, 4, 64), narrow = pack_arguments(args, 4, 32);
  CHECK(wide.size() == 44 && wide[0] == 7 && wide[9] == 0x10 && wide[11] == 0x40 &&
        wide[16] == 96 && wide[32] == 'e');
  CHECK(narrow.size() == 28 && narrow[5] == 0x10 && narrow[8] == 96 && narrow[16] == 'e');
  const hal::hal_ndrange_t range = {{5, 6, 7}, {10, 8, 1}, {4, 8, 1}};
  const auto s = schedule(range, 2, 64, {1, 0, 0}, {2, 1, 1}, 0x1234),
             t = schedule(range, 2, 32, {1, 0, 0}, {2, 1, 1});
  CHECK(s.size() == sizeof(hal::hal_sched_info_64_t) && s[0] == 1 && s[24] == 3 && s[48] == 5 &&
        s[76] == 8 && s[84] == 2 && s[88] == 2 && s[113] == 0x12);
  CHECK(t.size() == sizeof(hal::hal_sched_info_32_t) && t[12] == 3 && t[40] == 8 && t[48] == 2 &&
        t[52] == 2);
}

static void instruction_sets() {
  const auto g = isa::parse("rv64gcv_Zba_zbb");
  CHECK(g && g->word_size == 64 && g->abi() == riscv::rv_abi_LP64D);
  CHECK(g &&
        g->extensions == (riscv::rv_extension_G | riscv::rv_extension_C | riscv::rv_extension_V |
                          riscv::rv_extension_Zba | riscv::rv_extension_Zbb));
  CHECK(isa::parse("RV32IMAC")->abi() == riscv::rv_abi_ILP32 &&
        isa::parse("RV32EM")->abi() == riscv::rv_abi_ILP32E);
  CHECK(isa::parse("RV64GCVZbc")->extensions & riscv::rv_extension_Zbc);
  for (const char* bad :
       {"", "RV", "RV16I", "RV64", "RV64M", "RV64GX", "RV64G_Zxyz", "RV64G_", "x86"})
    CHECK(!isa::parse(bad));
}

struct counting final : hal::hal_device_t {
  using hal_device_t::hal_device_t;
  counter_values values{2};
  hal::hal_kernel_t program_find_kernel(hal::hal_program_t, const char*) override { return 0; }
  hal::hal_program_t program_load(const void*, hal::hal_size_t) override { return 0; }
  bool kernel_exec(hal::hal_program_t, hal::hal_kernel_t, const hal::hal_ndrange_t*,
                   const hal::hal_arg_t*, uint32_t, uint32_t) override {
    return false;
  }
  bool program_free(hal::hal_program_t) override { return false; }
  hal::hal_addr_t mem_alloc(hal::hal_size_t, hal::hal_size_t) override { return 0; }
  bool mem_free(hal::hal_addr_t) override { return false; }
  bool mem_read(void*, hal::hal_addr_t, hal::hal_size_t) override { return false; }
  bool mem_write(hal::hal_addr_t, const void*, hal::hal_size_t) override { return false; }
  bool counter_read(uint32_t id, uint64_t& out, uint32_t index) override {
    return id == 3 && values.take(index, out);
  }
};

static void counters() {
  hal::hal_counter_description_t words = {
      3,
      "words",
      "words added",
      "core",
      2,
      hal::hal_counter_unit_bytes,
      {hal::hal_counter_verbose_high, hal::hal_counter_verbose_low}};
  hal::hal_device_info_t info{};
  info.num_counters = 1, info.counter_descriptions = &words;
  counting device(&info);
  std::ostringstream all, totals;
  profiler high(all, 3), low(totals, 1);
  device.values.set(0, 40), device.values.set(1, 2), device.values.set(2, 9);
  high.record(device, "kernel_exec", "add, or so");
  high.record(device, "mem_read", "");
  device.values.set(1, 5);
  low.record(device, "mem_copy", "x");
  CHECK(all.str() ==
        "event,call,detail,counter,of,value,unit\n1,kernel_exec,\"add, or so\",words,core "
        "0,40,bytes\n"
        "1,kernel_exec,\"add, or so\",words,core 1,2,bytes\n1,kernel_exec,\"add, or "
        "so\",words,total,42,bytes\n");
  CHECK(totals.str() ==
        "event,call,detail,counter,of,value,unit\n1,mem_copy,x,words,total,5,bytes\n");
}

static void programs(const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> file((std::istreambuf_iterator<char>(in)),
                               std::istreambuf_iterator<char>());
  elf_image image;
  CHECK(image.read(file.data(), file.size()) && image.word_size() == 64 &&
        image.position_independent());
  CHECK(image.symbol("kernel") && !image.symbol("nothing"));
  const auto memory = image.memory(0x10000000);
  CHECK(memory.size() == image.high() - image.low());
  const auto pointer = image.symbol("pointer"), target = image.symbol("target");
  uint64_t value = 0;
  if (pointer && target) memcpy(&value, &memory[*pointer - image.low()], 8);
  CHECK(target && value == 0x10000000 + *target);
  for (size_t n = 0; n < file.size(); n += 97) {  // a truncated file never causes reads outside it
    elf_image cut;
    if (cut.read(file.data(), n)) cut.memory(0);
  }
  CHECK(!image.read("no program", 10) && image.segments().empty());
}

int main(int argc, char** argv) {
  allocator(), arguments(), instruction_sets(), counters();
  if (argc > 1) programs(argv[1]);
  std::string error;
  CHECK(!library::load("/nowhere/libhal_x.so", error) && !error.empty());
  printf("%d failures\n", failures);
  return failures != 0;
}
