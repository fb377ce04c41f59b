// Debug information: locations and records of variables in code that passes rewrite.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// A record that gives the variable of `like` the value `v`; null: no known value.
static DbgVariableRecord *newValue(const DbgVariableRecord &like, Value *v, DIExpression *e) {
  if (!v)
    v = PoisonValue::get(Type::getInt1Ty(like.getVariable()->getContext()));
  return DbgVariableRecord::createDbgVariableRecord(v, like.getVariable(), e,
                                                    like.getDebugLoc().get());
}

// `e` without the operations that select an address space; `e` itself if it has none.
static DIExpression *withoutSpaces(DIExpression *e) {
  ArrayRef<uint64_t> ops = e->getElements();
  SmallVector<uint64_t, 8> kept;
  bool found = false;
  for (auto op = e->expr_op_begin(); op != e->expr_op_end(); ++op) {
    size_t at = op->get() - ops.data();
    if (at + 4 <= ops.size() && ops[at] == dwarf::DW_OP_constu &&
        ops[at + 2] == dwarf::DW_OP_swap && ops[at + 3] == dwarf::DW_OP_xderef) {
      found = true;
      ++op;
      ++op;
      continue;
    }
    op->appendToVector(kept);
  }
  return found ? DIExpression::get(e->getContext(), kept) : e;
}

extern "C" {

// New instructions of the builder get the debug location of `like`.
void MuxclSetLocation(LLVMBuilderRef builder, LLVMValueRef like) {
  unwrap(builder)->SetCurrentDebugLocation(cast<Instruction>(unwrap(like))->getDebugLoc());
}

// Moves the description of the source function from `from` to `to`.
void MuxclTakeSubprogram(LLVMValueRef to, LLVMValueRef from) {
  auto *dest = cast<Function>(unwrap(to));
  auto *src = cast<Function>(unwrap(from));
  DISubprogram *sp = src->getSubprogram();
  src->setSubprogram(nullptr);
  dest->setSubprogram(sp);
}

// Copies the records of variables in front of `like` to the builder's position. `map` returns the
// new value for an old one, or null if no value is known.
void MuxclCopyDebugRecords(LLVMBuilderRef builder, LLVMValueRef like,
                           LLVMValueRef (*map)(void *ctx, LLVMValueRef v), void *ctx) {
  IRBuilder<> &b = *unwrap(builder);
  auto *i = cast<Instruction>(unwrap(like));
  for (DbgVariableRecord &r : filterDbgVars(i->getDbgRecordRange())) {
    Value *v = nullptr;
    if (r.isDbgValue() && !r.hasArgList() && !r.isKillLocation())
      v = unwrap(map(ctx, wrap(r.getVariableLocationOp(0))));
    DIExpression *e = r.getExpression();
    // The expression may compute with several values, but none is known. Only the part of the
    // variable that it describes counts.
    if (r.hasArgList()) {
      auto part = e->getFragmentInfo();
      e = DIExpression::get(e->getContext(), {});
      if (part)
        e = *DIExpression::createFragmentExpression(e, part->OffsetInBits, part->SizeInBits);
    }
    b.GetInsertBlock()->insertDbgRecordBefore(newValue(r, v, e), b.GetInsertPoint());
  }
}

// A declaration states that a variable is at an address in the whole function. This function makes
// it a statement that holds from its place on, for the variables at the address of `alloca`.
void MuxclLocalDeclarations(LLVMValueRef alloca) {
  for (DbgVariableRecord *r : findDVRDeclares(unwrap(alloca))) {
    DIExpression *e = DIExpression::append(r->getExpression(), {dwarf::DW_OP_deref});
    DbgVariableRecord *value = newValue(*r, unwrap(alloca), e);
    value->insertBefore(r);
    r->eraseFromParent();
  }
}

// Removes address spaces from the locations of variables.
void MuxclFlatDebugAddresses(LLVMModuleRef m) {
  for (Function &f : *unwrap(m))
    for (Instruction &i : instructions(f))
      for (DbgVariableRecord &r : filterDbgVars(i.getDbgRecordRange()))
        r.setExpression(withoutSpaces(r.getExpression()));
}

} // extern "C"
