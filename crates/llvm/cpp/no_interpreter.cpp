// inkwell refers to LLVM's interpreter, which nothing calls here. Its archive member has a static
// constructor, so the linker would keep all of it, and the need for the system's libffi, which
// differs between systems. Only linked with LLVM's archives.

extern "C" void LLVMLinkInInterpreter() {}
