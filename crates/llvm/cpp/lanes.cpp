// Instructions on vectors of lanes: the counterparts of scalar instructions, and masked accesses.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

// The metadata of an access that stays true for several lanes of it.
static void copyAccessMetadata(Instruction *to, const Value *like) {
  auto *from = dyn_cast<Instruction>(like);
  if (!from)
    return;
  to->copyMetadata(*from,
                   {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                    LLVMContext::MD_nontemporal, LLVMContext::MD_invariant_load,
                    LLVMContext::MD_access_group, LLVMContext::MD_dbg});
  to->setDebugLoc(from->getDebugLoc());
}

static Type *inLanes(Type *t, ElementCount lanes) {
  return t->isVoidTy() ? t : VectorType::get(t->getScalarType(), lanes);
}

extern "C" {

// Removes the flags by which an instruction may give poison.
void MuxclDropPoisonFlags(LLVMValueRef i) {
  cast<Instruction>(unwrap(i))->dropPoisonGeneratingFlags();
}
// The error in ULP that `!fpmath` metadata allows; 0 without it.
float MuxclAccuracy(LLVMValueRef v) {
  auto *i = dyn_cast<FPMathOperator>(unwrap(v));
  return i && isa<Instruction>(i) ? i->getFPAccuracy() : 0;
}
// The alignment of argument `n` of a call, in bytes; 1 if the call states none.
unsigned MuxclArgAlign(LLVMValueRef call, unsigned n) {
  return cast<CallInst>(unwrap(call))->getParamAlign(n).valueOrOne().value();
}
// True for a call of an intrinsic that acts on each lane of a vector by itself.
int MuxclIsLaneWise(LLVMValueRef v) {
  auto *i = dyn_cast<IntrinsicInst>(unwrap(v));
  return i && isTriviallyVectorizable(i->getIntrinsicID());
}
// True if argument `n` of such an intrinsic stays scalar.
int MuxclLaneWiseScalarArg(LLVMValueRef v, unsigned n) {
  auto *i = cast<IntrinsicInst>(unwrap(v));
  return isVectorIntrinsicWithScalarOpAtArg(i->getIntrinsicID(), n, nullptr);
}

// The instruction `like` on vectors of `count` lanes. Operands that stay scalar are those of an
// address computation, and those that MuxclLaneWiseScalarArg names.
LLVMValueRef MuxclBuildLanes(LLVMBuilderRef builder, LLVMValueRef like, LLVMValueRef *operands,
                             unsigned n, unsigned count) {
  IRBuilder<> &b = *unwrap(builder);
  auto *i = cast<Instruction>(unwrap(like));
  ElementCount lanes = ElementCount::getFixed(count);
  SmallVector<Value *, 8> ops;
  for (unsigned k = 0; k < n; ++k) {
    ops.push_back(unwrap(operands[k]));
    if (isa<ScalableVectorType>(ops.back()->getType()))
      lanes = ElementCount::getScalable(count);
  }
  Value *out = nullptr;
  if (i->isUnaryOp() || i->isBinaryOp())
    out = b.CreateNAryOp(i->getOpcode(), ops);
  else if (auto *c = dyn_cast<CmpInst>(i))
    out = b.CreateCmp(c->getPredicate(), ops[0], ops[1]);
  else if (auto *c = dyn_cast<CastInst>(i))
    out = b.CreateCast(c->getOpcode(), ops[0], inLanes(c->getType(), lanes));
  else if (isa<SelectInst>(i))
    out = b.CreateSelect(ops[0], ops[1], ops[2]);
  else if (isa<FreezeInst>(i))
    out = b.CreateFreeze(ops[0]);
  else if (auto *g = dyn_cast<GetElementPtrInst>(i))
    out = b.CreateGEP(g->getSourceElementType(), ops[0], ArrayRef<Value *>(ops).drop_front(), "",
                      g->getNoWrapFlags());
  else if (auto *call = dyn_cast<IntrinsicInst>(i)) {
    Intrinsic::ID id = call->getIntrinsicID();
    SmallVector<Type *, 4> types;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
      types.push_back(inLanes(call->getType(), lanes));
    for (unsigned k = 0; k < ops.size(); ++k)
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, k, nullptr))
        types.push_back(ops[k]->getType());
    out = b.CreateIntrinsic(id, types, ops);
  }
  if (auto *made = dyn_cast_or_null<Instruction>(out)) {
    made->copyIRFlags(i);
    made->copyMetadata(*i, {LLVMContext::MD_fpmath});
    made->setDebugLoc(i->getDebugLoc());
    if (auto *to = dyn_cast<CallInst>(made))
      to->setTailCallKind(cast<CallInst>(i)->getTailCallKind());
  }
  return wrap(out);
}

// Loads `type`, a vector, from consecutive addresses; lanes without their bit in `mask` are not
// read. Without a mask all lanes are.
LLVMValueRef MuxclMaskedLoad(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef address,
                             unsigned align, LLVMValueRef mask, LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  Type *ty = unwrap(type);
  Instruction *out =
      mask ? cast<Instruction>(b.CreateMaskedLoad(ty, unwrap(address), Align(align), unwrap(mask),
                                                  PoisonValue::get(ty)))
           : cast<Instruction>(b.CreateAlignedLoad(ty, unwrap(address), Align(align)));
  copyAccessMetadata(out, unwrap(like));
  return wrap(out);
}
LLVMValueRef MuxclMaskedStore(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef address,
                              unsigned align, LLVMValueRef mask, LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  Instruction *out =
      mask ? cast<Instruction>(
                 b.CreateMaskedStore(unwrap(value), unwrap(address), Align(align), unwrap(mask)))
           : cast<Instruction>(b.CreateAlignedStore(unwrap(value), unwrap(address), Align(align)));
  copyAccessMetadata(out, unwrap(like));
  return wrap(out);
}
// Loads `type`, a vector, from a vector of addresses.
LLVMValueRef MuxclGather(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef addresses,
                         unsigned align, LLVMValueRef mask, LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  auto *out = b.CreateMaskedGather(unwrap(type), unwrap(addresses), Align(align),
                                   mask ? unwrap(mask) : nullptr, PoisonValue::get(unwrap(type)));
  copyAccessMetadata(out, unwrap(like));
  return wrap(out);
}
LLVMValueRef MuxclScatter(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef addresses,
                          unsigned align, LLVMValueRef mask, LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  auto *out = b.CreateMaskedScatter(unwrap(value), unwrap(addresses), Align(align),
                                    mask ? unwrap(mask) : nullptr);
  copyAccessMetadata(out, unwrap(like));
  return wrap(out);
}
LLVMValueRef MuxclShuffle(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b, const int *mask,
                          unsigned n) {
  return wrap(unwrap(builder)->CreateShuffleVector(unwrap(a), unwrap(b), ArrayRef<int>(mask, n)));
}
LLVMValueRef MuxclSplat(LLVMBuilderRef builder, LLVMValueRef v, unsigned count, int scalable) {
  ElementCount lanes = ElementCount::get(count, scalable != 0);
  return wrap(unwrap(builder)->CreateVectorSplat(lanes, unwrap(v)));
}
// The value of `vscale` as an integer of type `type`.
LLVMValueRef MuxclVScale(LLVMBuilderRef builder, LLVMTypeRef type) {
  return wrap(unwrap(builder)->CreateIntrinsic(Intrinsic::vscale, {unwrap(type)}, {}));
}
// The vector 0, 1, 2, ... of type `type`, a scalable vector of integers of at least 8 bits.
LLVMValueRef MuxclStepVector(LLVMBuilderRef builder, LLVMTypeRef type) {
  return wrap(unwrap(builder)->CreateStepVector(unwrap(type)));
}
// The vector `v` with its lanes in the opposite order.
LLVMValueRef MuxclReverse(LLVMBuilderRef builder, LLVMValueRef v) {
  return wrap(unwrap(builder)->CreateVectorReverse(unwrap(v)));
}
// Interleaves `n` vectors, at most 8: lane 0 of each vector, then lane 1 of each, and so on.
LLVMValueRef MuxclInterleave(LLVMBuilderRef builder, LLVMValueRef *parts, unsigned n) {
  SmallVector<Value *, 8> list;
  for (unsigned k = 0; k < n; ++k)
    list.push_back(unwrap(parts[k]));
  return wrap(unwrap(builder)->CreateVectorInterleave(list));
}
// The inverse of MuxclInterleave: stores the `n` vectors that it would join to `v` in `parts`.
void MuxclDeinterleave(LLVMBuilderRef builder, LLVMValueRef v, LLVMValueRef *parts, unsigned n) {
  IRBuilder<> &b = *unwrap(builder);
  Intrinsic::ID id = Intrinsic::getDeinterleaveIntrinsicID(n);
  Value *all = b.CreateIntrinsic(id, {unwrap(v)->getType()}, {unwrap(v)});
  for (unsigned k = 0; k < n; ++k)
    parts[k] = wrap(b.CreateExtractValue(all, k));
}
LLVMValueRef MuxclAny(LLVMBuilderRef builder, LLVMValueRef mask) {
  return wrap(unwrap(builder)->CreateOrReduce(unwrap(mask)));
}
// The identity element of an `atomicrmw`'s operation; null if values cannot be combined before the
// access.
LLVMValueRef MuxclNeutral(LLVMValueRef rmw) {
  auto *i = cast<AtomicRMWInst>(unwrap(rmw));
  auto *ty = dyn_cast<IntegerType>(i->getType());
  if (!ty)
    return nullptr;
  unsigned bits = ty->getBitWidth();
  switch (i->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return wrap(ConstantInt::get(ty, 0));
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return wrap(Constant::getAllOnesValue(ty));
  case AtomicRMWInst::Max:
    return wrap(ConstantInt::get(ty, APInt::getSignedMinValue(bits)));
  case AtomicRMWInst::Min:
    return wrap(ConstantInt::get(ty, APInt::getSignedMaxValue(bits)));
  default:
    return nullptr;
  }
}
// 1 for an `atomicrmw` that adds, -1 for one that subtracts, else 0.
int MuxclAdds(LLVMValueRef rmw) {
  auto op = cast<AtomicRMWInst>(unwrap(rmw))->getOperation();
  return op == AtomicRMWInst::Add ? 1 : op == AtomicRMWInst::Sub ? -1 : 0;
}
// One value with the effect of all lanes in an `atomicrmw` like this one, which has a MuxclNeutral.
LLVMValueRef MuxclCombine(LLVMBuilderRef builder, LLVMValueRef rmw, LLVMValueRef lanes) {
  IRBuilder<> &b = *unwrap(builder);
  Value *v = unwrap(lanes);
  switch (cast<AtomicRMWInst>(unwrap(rmw))->getOperation()) {
  case AtomicRMWInst::And:
    return wrap(b.CreateAndReduce(v));
  case AtomicRMWInst::Or:
    return wrap(b.CreateOrReduce(v));
  case AtomicRMWInst::Xor:
    return wrap(b.CreateXorReduce(v));
  case AtomicRMWInst::Max:
    return wrap(b.CreateIntMaxReduce(v, true));
  case AtomicRMWInst::Min:
    return wrap(b.CreateIntMinReduce(v, true));
  case AtomicRMWInst::UMax:
    return wrap(b.CreateIntMaxReduce(v, false));
  case AtomicRMWInst::UMin:
    return wrap(b.CreateIntMinReduce(v, false));
  default:
    return wrap(b.CreateAddReduce(v));
  }
}
// 0, `step`, 2 * `step`, ... in `count` lanes of an integer type.
LLVMValueRef MuxclSteps(LLVMTypeRef type, long long step, unsigned count) {
  SmallVector<Constant *, 16> list;
  for (unsigned k = 0; k < count; ++k)
    list.push_back(ConstantInt::get(unwrap(type),
                                    static_cast<uint64_t>(step * static_cast<long long>(k)),
                                    /*IsSigned=*/true, /*ImplicitTrunc=*/true));
  return wrap(ConstantVector::get(list));
}
// Addresses, `offsets` bytes behind `base`. Either of them, or both, may be vectors.
LLVMValueRef MuxclByteOffsets(LLVMBuilderRef builder, LLVMValueRef base, LLVMValueRef offsets) {
  IRBuilder<> &b = *unwrap(builder);
  return wrap(b.CreateGEP(b.getInt8Ty(), unwrap(base), unwrap(offsets)));
}
}
