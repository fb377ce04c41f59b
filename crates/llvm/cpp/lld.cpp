// Links objects in memory with lld, in process. lld is a program turned into a library: it opens
// files, ends the process on fatal errors, resets every LLVM option and references every back end.
// `build.rs` renames those references in copies of lld's archives to the functions here, so that
// lld sees only its inputs. Invariant: one link at a time; everything on the caller's thread; no
// file is touched; nothing is printed.
#include "shim.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace llvm;

LLD_HAS_DRIVER(elf)

extern "C" struct MuxclInput {
  MuxclText name;
  MuxclText data;
};

namespace {

struct Link {
  const MuxclInput *inputs;
  size_t count;
  std::unique_ptr<uint8_t[]> image;
  size_t size = 0;
  bool written = false;
  std::string said = {};
};

std::mutex one;
Link *current = nullptr; // under `one`

// lld's output stream; commit stores the image.
class Image final : public FileOutputBuffer {
public:
  explicit Image(size_t n) : FileOutputBuffer("-"), bytes(new uint8_t[n ? n : 1]()), size(n) {}
  uint8_t *getBufferStart() const override { return bytes.get(); }
  uint8_t *getBufferEnd() const override { return bytes.get() + size; }
  size_t getBufferSize() const override { return size; }
  Error commit() override {
    if (current) {
      current->image = std::move(bytes);
      current->size = size;
      current->written = true;
    }
    return Error::success();
  }

private:
  std::unique_ptr<uint8_t[]> bytes;
  size_t size;
};

} // namespace

// ---- replacements of references in lld's archives (build.rs)
// ------------------------------------------------------------
ErrorOr<std::unique_ptr<MemoryBuffer>> MuxclLldGetFile(const Twine &name, bool, bool, bool,
                                                       std::optional<Align>) {
  std::string wanted = name.str();
  for (size_t i = 0; current && i < current->count; i++) {
    const MuxclInput &in = current->inputs[i];
    if (in.name.ref() == wanted)
      return MemoryBuffer::getMemBufferCopy(in.data.ref(), wanted);
  }
  return std::make_error_code(std::errc::no_such_file_or_directory);
}
Expected<std::unique_ptr<FileOutputBuffer>> MuxclLldOutput(StringRef, size_t size, unsigned) {
  return std::make_unique<Image>(size);
}
// Called after a fatal error of lld. lld keeps the state of a link in one object, which is leaked
// with this thread. The lock is released, so that other threads can link.
void MuxclLldExit(int, bool) {
  std::string why = current && !current->said.empty() ? current->said : "lld gave up";
  current = nullptr;
  one.unlock();
  MuxclAbandon(why.data(), why.size());
  std::abort();
}
void MuxclLldNothing() {}
int MuxclLldZero() { return 0; }

extern "C" {

// `args` are C strings, without the program's name. Returns 1 and sends the image, or returns 0 and
// sends lld's messages to `errors`.
int MuxclLink(const char *const *args, size_t arg_count, const MuxclInput *inputs, size_t count,
              MuxclSink sink, MuxclSink errors) {
  std::lock_guard<std::mutex> lock(one);
  Link link{inputs, count, nullptr};
  current = &link;
  std::vector<const char *> all{"ld.lld"};
  all.insert(all.end(), args, args + arg_count);
  bool good;
  {
    std::string out;
    raw_string_ostream os(out), es(link.said);
    good = lld::elf::link(all, os, es, false, false);
    lld::CommonLinkerContext::destroy();
  }
  current = nullptr;
  if (!good || !link.written) {
    errors(link.said.empty() ? "lld failed without a reason" : StringRef(link.said));
    return 0;
  }
  sink(StringRef(reinterpret_cast<const char *>(link.image.get()), link.size));
  return 1;
}

} // extern "C"
