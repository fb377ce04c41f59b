// Operations of the first lanes of a vector: accesses, divisions and reductions with an explicit
// vector length, an `i32` that is at most the number of lanes. Masks may be null for all lanes.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsRISCV.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

static ElementCount lanesOf(Value *v) {
  return cast<VectorType>(v->getType())->getElementCount();
}

static Value *maskOr(IRBuilder<> &b, LLVMValueRef mask, ElementCount lanes) {
  return mask ? unwrap(mask) : b.CreateVectorSplat(lanes, b.getTrue());
}

// Gives an access the alignment of its addresses, argument `n`, and the metadata of the access of
// one lane that stays true for several lanes.
static LLVMValueRef access(CallInst *call, unsigned n, unsigned align, LLVMValueRef like) {
  call->addParamAttr(n, Attribute::getWithAlignment(call->getContext(), Align(align)));
  if (auto *from = dyn_cast<Instruction>(unwrap(like))) {
    call->copyMetadata(*from,
                       {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                        LLVMContext::MD_nontemporal, LLVMContext::MD_access_group});
    call->setDebugLoc(from->getDebugLoc());
  }
  return wrap(call);
}

extern "C" {

// The number of lanes that run next, of `left` iterations, an `i32`: at most `vscale * count`.
// On RISC-V, one instruction gives the length and sets the type for elements of `bits` bits. LLVM's
// portable intrinsic sets the type for 8 bits, so that each loop would set the type again.
LLVMValueRef MuxclVectorLength(LLVMBuilderRef builder, LLVMValueRef left, unsigned count,
                               unsigned bits) {
  IRBuilder<> &b = *unwrap(builder);
  Value *n = unwrap(left);
  const Triple &triple = b.GetInsertBlock()->getModule()->getTargetTriple();
  // Registers in eighths. Vectors take at most eight registers.
  unsigned eighths = count * bits / 8;
  bool known = isPowerOf2_32(eighths) && eighths <= 64 && isPowerOf2_32(bits) && bits <= 64;
  if (!triple.isRISCV() || !known || bits < 8)
    return wrap(b.CreateIntrinsic(Intrinsic::experimental_get_vector_length, {n->getType()},
                                  {n, b.getInt32(count), b.getTrue()}));
  Type *ty = b.getIntNTy(triple.isRISCV64() ? 64 : 32);
  Value *element = ConstantInt::get(ty, Log2_32(bits) - 3);
  Value *registers = ConstantInt::get(ty, (Log2_32(eighths) + 5) % 8);
  Value *length = b.CreateIntrinsic(Intrinsic::riscv_vsetvli, {ty},
                                    {b.CreateZExtOrTrunc(n, ty), element, registers});
  return wrap(b.CreateZExtOrTrunc(length, b.getInt32Ty()));
}
// Loads from consecutive addresses, or from one address for each lane.
LLVMValueRef MuxclLengthLoad(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef address,
                             unsigned align, LLVMValueRef mask, LLVMValueRef length,
                             LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  Type *ty = unwrap(type);
  Value *at = unwrap(address);
  bool each = at->getType()->isVectorTy();
  Value *lanes = maskOr(b, mask, cast<VectorType>(ty)->getElementCount());
  return access(b.CreateIntrinsic(each ? Intrinsic::vp_gather : Intrinsic::vp_load,
                                  {ty, at->getType()}, {at, lanes, unwrap(length)}),
                0, align, like);
}
// Stores to consecutive addresses, or to one address for each lane.
LLVMValueRef MuxclLengthStore(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef address,
                              unsigned align, LLVMValueRef mask, LLVMValueRef length,
                              LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  Value *v = unwrap(value), *at = unwrap(address);
  bool each = at->getType()->isVectorTy();
  return access(b.CreateIntrinsic(each ? Intrinsic::vp_scatter : Intrinsic::vp_store,
                                  {v->getType(), at->getType()},
                                  {v, at, maskOr(b, mask, lanesOf(v)), unwrap(length)}),
                1, align, like);
}
// Loads from addresses that are `stride` bytes apart, from lane to lane.
LLVMValueRef MuxclStridedLoad(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef address,
                              LLVMValueRef stride, unsigned align, LLVMValueRef mask,
                              LLVMValueRef length, LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  Type *ty = unwrap(type);
  Value *at = unwrap(address), *step = unwrap(stride);
  Value *lanes = maskOr(b, mask, cast<VectorType>(ty)->getElementCount());
  return access(b.CreateIntrinsic(Intrinsic::experimental_vp_strided_load,
                                  {ty, at->getType(), step->getType()},
                                  {at, step, lanes, unwrap(length)}),
                0, align, like);
}
LLVMValueRef MuxclStridedStore(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef address,
                               LLVMValueRef stride, unsigned align, LLVMValueRef mask,
                               LLVMValueRef length, LLVMValueRef like) {
  IRBuilder<> &b = *unwrap(builder);
  Value *v = unwrap(value), *at = unwrap(address), *step = unwrap(stride);
  return access(b.CreateIntrinsic(Intrinsic::experimental_vp_strided_store,
                                  {v->getType(), at->getType(), step->getType()},
                                  {v, at, step, maskOr(b, mask, lanesOf(v)), unwrap(length)}),
                1, align, like);
}
// True if one of the first `length` lanes of `v`, a vector of `i1`, is set.
LLVMValueRef MuxclLengthAny(LLVMBuilderRef builder, LLVMValueRef v, LLVMValueRef length) {
  IRBuilder<> &b = *unwrap(builder);
  Value *lanes = unwrap(v);
  return wrap(b.CreateIntrinsic(
      Intrinsic::vp_reduce_or, {lanes->getType()},
      {b.getFalse(), lanes, maskOr(b, nullptr, lanesOf(lanes)), unwrap(length)}));
}
// `value` in those of the first `length` lanes that are in the mask, `other` in all other lanes.
LLVMValueRef MuxclLengthMerge(LLVMBuilderRef builder, LLVMValueRef mask, LLVMValueRef value,
                              LLVMValueRef other, LLVMValueRef length) {
  IRBuilder<> &b = *unwrap(builder);
  Value *v = unwrap(value);
  return wrap(
      b.CreateIntrinsic(Intrinsic::vp_merge, {v->getType()},
                        {maskOr(b, mask, lanesOf(v)), v, unwrap(other), unwrap(length)}));
}
// The integer division `like` in those of the first `length` lanes that are in the mask.
LLVMValueRef MuxclLengthDivision(LLVMBuilderRef builder, LLVMValueRef like, LLVMValueRef dividend,
                                 LLVMValueRef divisor, LLVMValueRef mask, LLVMValueRef length) {
  IRBuilder<> &b = *unwrap(builder);
  auto *i = cast<Instruction>(unwrap(like));
  Intrinsic::ID id = Intrinsic::vp_udiv;
  switch (i->getOpcode()) {
  case Instruction::SDiv:
    id = Intrinsic::vp_sdiv;
    break;
  case Instruction::URem:
    id = Intrinsic::vp_urem;
    break;
  case Instruction::SRem:
    id = Intrinsic::vp_srem;
    break;
  default:
    break;
  }
  Value *v = unwrap(dividend);
  auto *call =
      b.CreateIntrinsic(id, {v->getType()},
                        {v, unwrap(divisor), maskOr(b, mask, lanesOf(v)), unwrap(length)});
  call->setDebugLoc(i->getDebugLoc());
  return wrap(call);
}
}
