// Clones a function on fixed vectors to one on scalable vectors. The caller checks that the
// function allows it.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// Maps vectors of `lanes` elements to scalable ones of `count`; all other types stay.
struct ScalableTypes final : ValueMapTypeRemapper {
  unsigned lanes, count;
  ScalableTypes(unsigned l, unsigned c) : lanes(l), count(c) {}
  Type *remapType(Type *t) override {
    auto *v = dyn_cast<FixedVectorType>(t);
    return v && v->getNumElements() == lanes ? ScalableVectorType::get(v->getElementType(), count)
                                             : t;
  }
};

struct Splats final : ValueMaterializer {
  ScalableTypes &types;
  explicit Splats(ScalableTypes &t) : types(t) {}
  Value *materialize(Value *v) override {
    auto *c = dyn_cast<Constant>(v);
    Type *t = c ? types.remapType(c->getType()) : nullptr;
    if (!c || t == c->getType())
      return nullptr;
    if (isa<PoisonValue>(c))
      return PoisonValue::get(t);
    if (isa<UndefValue>(c))
      return UndefValue::get(t);
    Constant *lane = c->getSplatValue();
    return lane ? ConstantVector::getSplat(ElementCount::getScalable(types.count), lane) : nullptr;
  }
};

// Adapts a cloned instruction: declares an intrinsic again for the new types, and gives an access
// the alignment of one element.
void repair(Instruction &i, const DataLayout &layout) {
  if (auto *call = dyn_cast<CallBase>(&i)) {
    // `getCalledFunction` would return null, because the function types differ.
    auto *callee = dyn_cast<Function>(call->getCalledOperand());
    if (!callee || !callee->isIntrinsic() || callee->getFunctionType() == call->getFunctionType())
      return;
    SmallVector<Type *, 4> types;
    if (Intrinsic::getIntrinsicSignature(callee->getIntrinsicID(), call->getFunctionType(), types))
      call->setCalledFunction(
          Intrinsic::getOrInsertDeclaration(i.getModule(), callee->getIntrinsicID(), types));
  } else if (auto *load = dyn_cast<LoadInst>(&i)) {
    if (isa<ScalableVectorType>(load->getType()))
      load->setAlignment(layout.getABITypeAlign(load->getType()->getScalarType()));
  } else if (auto *store = dyn_cast<StoreInst>(&i)) {
    Type *t = store->getValueOperand()->getType();
    if (isa<ScalableVectorType>(t))
      store->setAlignment(layout.getABITypeAlign(t->getScalarType()));
  }
}

} // namespace

extern "C" {

// Fills the empty function `to` with the body of `from`. All shuffles of vectors must broadcast
// lane 0, and all vector constants must be splats.
void MuxclCloneScalable(LLVMValueRef to, LLVMValueRef from, unsigned lanes, unsigned count) {
  auto *dest = cast<Function>(unwrap(to));
  auto *src = cast<Function>(unwrap(from));
  ScalableTypes types(lanes, count);
  Splats splats(types);
  ValueToValueMapTy map;
  auto d = dest->arg_begin();
  for (Argument &a : src->args()) {
    d->setName(a.getName());
    map[&a] = &*d++;
  }
  auto linkage = dest->getLinkage();
  SmallVector<ReturnInst *, 8> returns;
  CloneFunctionInto(dest, src, map, CloneFunctionChangeType::LocalChangesOnly, returns, "", nullptr,
                    &types, &splats);
  dest->setLinkage(linkage);
  const DataLayout &layout = dest->getDataLayout();
  for (Instruction &i : make_early_inc_range(instructions(dest))) {
    repair(i, layout);
    auto *shuffle = dyn_cast<ShuffleVectorInst>(&i);
    if (!shuffle || !isa<ScalableVectorType>(shuffle->getType()))
      continue;
    IRBuilder<> b(shuffle);
    Value *lane = b.CreateExtractElement(shuffle->getOperand(0), uint64_t{0});
    Value *splat =
        b.CreateVectorSplat(cast<VectorType>(shuffle->getType())->getElementCount(), lane);
    shuffle->replaceAllUsesWith(splat);
    shuffle->eraseFromParent();
  }
}

// True if all lanes of a constant have the same value or are undefined.
int MuxclIsSplat(LLVMValueRef v) {
  auto *c = dyn_cast<Constant>(unwrap(v));
  return c && (isa<UndefValue>(c) || c->getSplatValue());
}

} // extern "C"
