// Erasure without deletion. A Rust handle may outlive its object, so the objects of handles stay in
// memory while their module lives: erasing unlinks instructions, blocks and functions and drops
// their operands. The list in Rust (`src/erased.rs`) deletes them after the module.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

extern "C" {
// Receives each erased value.
struct MuxclErased {
  void (*add)(void *ctx, LLVMValueRef value);
  void *ctx;
  void operator()(Value *v) const { add(ctx, wrap(v)); }
};
}

namespace {

// Replaces all uses of the instruction by poison, and drops its operands.
void detach(Instruction &i) {
  if (!i.use_empty())
    i.replaceAllUsesWith(PoisonValue::get(i.getType()));
  if (i.isUsedByMetadata())
    ValueAsMetadata::handleDeletion(&i);
  i.dropAllReferences();
}

void eraseInstruction(Instruction &i, MuxclErased erased) {
  i.removeFromParent();
  detach(i);
  erased(&i);
}

// Erases the instructions of unreachable blocks, which may use each other. Also removes the debug
// records of these blocks. Otherwise passes could still find them as users of other values.
void empty(ArrayRef<BasicBlock *> blocks, MuxclErased erased) {
  for (BasicBlock *b : blocks) {
    for (Instruction &i : *b) {
      i.dropDbgRecords();
      detach(i);
    }
    b->deleteTrailingDbgRecords();
  }
  for (BasicBlock *b : blocks)
    while (!b->empty()) {
      Instruction &i = b->back();
      i.removeFromParent();
      erased(&i);
    }
}

void eraseBlocks(ArrayRef<BasicBlock *> blocks, MuxclErased erased) {
  empty(blocks, erased);
  for (BasicBlock *b : blocks) {
    b->removeFromParent();
    erased(b);
  }
}

SmallVector<BasicBlock *, 16> blocksOf(Function &f) {
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock &b : f)
    blocks.push_back(&b);
  return blocks;
}

// Like `BasicBlock::removePredecessor`, but erases a PHI that has become a copy instead of deleting
// it.
void removePredecessor(BasicBlock &b, BasicBlock &pred, MuxclErased erased) {
  b.removePredecessor(&pred, /*KeepOneInputPHIs=*/true);
  for (PHINode &phi : make_early_inc_range(b.phis()))
    if (phi.getNumIncomingValues() == 0) {
      eraseInstruction(phi, erased);
    } else if (Value *same = phi.hasConstantValue()) {
      phi.replaceAllUsesWith(same);
      eraseInstruction(phi, erased);
    }
}

} // namespace

extern "C" {

void MuxclEraseInstruction(LLVMValueRef i, MuxclErased erased) {
  eraseInstruction(*cast<Instruction>(unwrap(i)), erased);
}

// Removes unreachable blocks, except those whose address is taken.
void MuxclRemoveUnreachable(LLVMValueRef f, MuxclErased erased) {
  Function &function = *cast<Function>(unwrap(f));
  df_iterator_default_set<BasicBlock *> reachable;
  for (BasicBlock *b : depth_first_ext(&function, reachable))
    (void)b;
  for (BasicBlock &b : function)
    if (b.hasAddressTaken() && !reachable.count(&b))
      for (BasicBlock *from : depth_first_ext(&b, reachable))
        (void)from;
  SmallVector<BasicBlock *, 16> dead;
  for (BasicBlock &b : function)
    if (!reachable.count(&b))
      dead.push_back(&b);
  for (BasicBlock *b : dead)
    for (BasicBlock *next : successors(b))
      if (reachable.count(next))
        removePredecessor(*next, *b, erased);
  eraseBlocks(dead, erased);
}

// Removes the entries of one predecessor from the PHIs of `b`; PHIs with a single entry stay.
void MuxclRemovePredecessor(LLVMBasicBlockRef b, LLVMBasicBlockRef pred) {
  unwrap(b)->removePredecessor(unwrap(pred), /*KeepOneInputPHIs=*/true);
}

// Turns a function, materialized or not, into a declaration.
void MuxclDeleteBody(LLVMValueRef f, MuxclErased erased) {
  Function &function = *cast<Function>(unwrap(f));
  eraseBlocks(blocksOf(function), erased);
  function.deleteBody();
}

// Removes a function from its module and erases its body. Constants that use it may stay.
void MuxclEraseFunction(LLVMValueRef f, MuxclErased erased) {
  Function &function = *cast<Function>(unwrap(f));
  eraseBlocks(blocksOf(function), erased);
  function.removeFromParent();
  erased(&function);
}

// Deletes the erased objects of a module that is gone.
void MuxclDeleteErased(LLVMValueRef v) {
  if (auto *i = dyn_cast<Instruction>(unwrap(v)))
    i->deleteValue();
  else if (auto *b = dyn_cast<BasicBlock>(unwrap(v)))
    delete b;
  else
    delete cast<Function>(unwrap(v));
}

// Inlines a call; returns 0 on failure. LLVM deletes the call that it inlines, so it gets a copy.
int MuxclInlineCall(LLVMValueRef v, MuxclErased erased) {
  auto *call = cast<CallBase>(unwrap(v));
  auto *copy = cast<CallBase>(call->clone());
  copy->insertBefore(call->getIterator());
  copy->takeName(call);
  call->replaceAllUsesWith(copy);
  call->removeFromParent();
  InlineFunctionInfo info;
  if (InlineFunction(*copy, info).isSuccess()) {
    detach(*call);
    erased(call);
    return 1;
  }
  call->insertBefore(copy->getIterator());
  call->takeName(copy);
  copy->replaceAllUsesWith(call);
  copy->eraseFromParent();
  return 0;
}

} // extern "C"
